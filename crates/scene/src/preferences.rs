//! Defaults of a user and of a project, from TOML texts read like scenes, with the same messages.
//!
//! No user setting can change a byte or a path of the output, so that a command does the same on
//! every machine. Project settings can: the file is part of the project, and is the same for
//! everyone.

use super::document::Document;
use super::error::{Problem, SceneErrors};
use super::reader::{Item, Problems};
use super::setting_type::read_size;
use super::words::Look;

/// Defaults set by a user or a project. Words are the same as for the options of these names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Preferences {
    /// Threads to use, 1 to 1024; 0 is one per core.
    pub threads: Option<usize>,
    /// `auto`, `always` or `never`.
    pub color: Option<&'static str>,
    /// `auto`, `plain` or `none`.
    pub progress: Option<&'static str>,
    /// `quiet`, `normal` or `verbose`.
    pub messages: Option<&'static str>,
    /// Width and height of turntables in pixels; only for a project, like the next two.
    pub size: Option<[u32; 2]>,
    /// Look of turntables and thumbnails: `studio` or `classic`.
    pub look: Option<&'static str>,
    /// Folder of goldens, from the folder of the file.
    pub golden: Option<String>,
    /// Release of the program that the project pins.
    pub version: Option<String>,
    /// Commit of the program's sources pinned by the project.
    pub revision: Option<String>,
    /// Revision of pixels that the project pins.
    pub pixel_revision: Option<u32>,
}

/// Name of the project's settings file.
pub const PROJECT_FILE: &str = "tintype.toml";

const KEYS: [&str; 4] = ["threads", "color", "progress", "messages"];
const KEYS_OF_PROJECT: [&str; 10] = [
    "threads",
    "color",
    "progress",
    "messages",
    "size",
    "look",
    "golden",
    "version",
    "revision",
    "pixel_revision",
];
const MAX_THREADS: usize = 1024;

impl Preferences {
    /// The settings as a text would have them.
    #[must_use]
    pub fn described(&self) -> String {
        let word = |key: &str, word: Option<&str>| Some(format!("{key} = {:?}", word?));
        let set = [
            self.threads.map(|threads| format!("threads = {threads}")),
            word("color", self.color),
            word("progress", self.progress),
            word("messages", self.messages),
            self.size.map(|[width, height]| format!("size = [{width}, {height}]")),
            word("look", self.look),
            word("golden", self.golden.as_deref()),
            word("version", self.version.as_deref()),
            word("revision", self.revision.as_deref()),
            self.pixel_revision.map(|revision| format!("pixel_revision = {revision}")),
        ];
        let set: Vec<String> = set.into_iter().flatten().collect();
        if set.is_empty() { "nothing".to_owned() } else { set.join(", ") }
    }

    /// Combines these settings with others; these take precedence.
    #[must_use]
    pub fn or(self, others: Self) -> Self {
        Self {
            threads: self.threads.or(others.threads),
            color: self.color.or(others.color),
            progress: self.progress.or(others.progress),
            messages: self.messages.or(others.messages),
            size: self.size.or(others.size),
            look: self.look.or(others.look),
            golden: self.golden.or(others.golden),
            version: self.version.or(others.version),
            revision: self.revision.or(others.revision),
            pixel_revision: self.pixel_revision.or(others.pixel_revision),
        }
    }
}

/// Reads the settings of a user; `name` is used in messages, like a path.
///
/// # Errors
/// [`SceneErrors`] with every mistake of the text.
pub fn parse_preferences(text: &str, name: &str) -> Result<Preferences, SceneErrors> {
    read(text, name, &KEYS)
}

/// Reads the settings of a project.
///
/// # Errors
/// As [`parse_preferences`].
pub fn parse_project_preferences(text: &str, name: &str) -> Result<Preferences, SceneErrors> {
    read(text, name, &KEYS_OF_PROJECT)
}

fn read(text: &str, name: &str, keys: &[&'static str]) -> Result<Preferences, SceneErrors> {
    let (document, syntax_errors) = Document::parse(text);
    let problems = Problems::new(text);
    let root = Item::root(&document, &problems);
    root.check_keys(keys);
    let item = |key: &'static str| root.item(key).filter(|_| keys.contains(&key));
    let word = |key: &'static str, words: &[&'static str]| {
        let words: Vec<(&str, &'static str)> = words.iter().map(|&word| (word, word)).collect();
        item(key).and_then(|item| item.word(key, &words))
    };
    let threads = item("threads").and_then(|item| {
        let allowed = format!("expected a whole number from 0 (one per core) to {MAX_THREADS}");
        let number = item.whole_number(&allowed)?;
        let threads = usize::try_from(number).ok().filter(|threads| *threads <= MAX_THREADS);
        if threads.is_none() {
            let message = format!("found the number {number}");
            item.report(Problem::Invalid { message, allowed });
        }
        threads
    });
    let text_of = |key: &'static str, allowed: &str| {
        item(key).and_then(|item| item.filled_text(allowed).map(str::to_owned))
    };
    let pixel_revision = item("pixel_revision").and_then(|item| {
        let allowed = "a whole number from 0, the pixel revision of a version of tintype";
        let number = item.whole_number(allowed)?;
        let revision = u32::try_from(number).ok();
        if revision.is_none() {
            let (message, allowed) = (format!("found the number {number}"), allowed.to_owned());
            item.report(Problem::Invalid { message, allowed });
        }
        revision
    });
    let settings = Preferences {
        threads,
        color: word("color", &["auto", "always", "never"]),
        progress: word("progress", &["auto", "plain", "none"]),
        messages: word("messages", &["quiet", "normal", "verbose"]),
        size: item("size").and_then(|item| read_size(&item)),
        look: word("look", Look::NAMES),
        golden: text_of("golden", "the path of a folder"),
        version: text_of("version", "a release such as 0.1.0"),
        revision: text_of("revision", "a commit of the program's sources"),
        pixel_revision,
    };
    if let Some(errors) = syntax_errors {
        problems.add_syntax_errors(errors);
    }
    let found = problems.into_found();
    if found.is_empty() { Ok(settings) } else { Err(SceneErrors::new(name, text, found)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_are_read_and_said() {
        let settings = parse_preferences("threads = 2\nprogress = \"plain\"\n", "c.toml").unwrap();
        assert_eq!((settings.threads, settings.progress), (Some(2), Some("plain")));
        assert_eq!(settings.described(), "threads = 2, progress = \"plain\"");
        assert_eq!(parse_preferences("", "c.toml").unwrap(), Preferences::default());
        assert_eq!(Preferences::default().described(), "nothing");
    }

    #[test]
    fn settings_of_a_project_have_more_keys() {
        let text = "threads = 3\nsize = [64, 48]\nlook = \"classic\"\ngolden = \"refs\"\nversion = \"1.2.3\"\npixel_revision = 9\n";
        let project = parse_project_preferences(text, "tintype.toml").unwrap();
        assert_eq!((project.size, project.look), (Some([64, 48]), Some("classic")));
        let told = "threads = 3, size = [64, 48], look = \"classic\", golden = \"refs\", version = \"1.2.3\", pixel_revision = 9";
        assert_eq!(project.described(), told);
        let user = parse_preferences("threads = 2", "c.toml").unwrap().or(project);
        assert_eq!((user.threads, user.golden.as_deref()), (Some(2), Some("refs")));
        for (text, line) in [
            ("look = \"studo\"", "t.toml:1:8: look: unknown look \"studo\""),
            ("size = 64", "t.toml:1:8: size: found the number 64"),
            ("size = [0, 64]", "t.toml:1:9: size[0]: 0 is out of range"),
            ("golden = \"\"", "t.toml:1:10: golden: the text is empty"),
            ("pixel_revision = -1", "t.toml:1:18: pixel_revision: found the number -1"),
            ("version = 1", "t.toml:1:11: version: found the number 1"),
            ("sise = [1, 2]", "t.toml:1:1: sise: unknown key \"sise\""),
        ] {
            let errors = parse_project_preferences(text, "t.toml").unwrap_err();
            let found: Vec<String> = errors.lines().collect();
            assert!(found[0].starts_with(line), "{found:?}");
        }
    }

    #[test]
    fn settings_with_mistakes_are_told_as_scenes_are() {
        for (text, line) in [
            ("colour = \"never\"", "c.toml:1:1: colour: unknown key \"colour\""),
            ("\ncolor = \"nevr\"", "c.toml:2:9: color: unknown color \"nevr\""),
            (
                "threads = 9999",
                "c.toml:1:11: threads: found the number 9999; expected a whole number",
            ),
            ("threads = \"two\"", "c.toml:1:11: threads: found the string \"two\""),
            ("size = [1, 2]", "c.toml:1:1: size: unknown key \"size\""),
            ("threads = ", "c.toml:1:"),
        ] {
            let errors = parse_preferences(text, "c.toml").unwrap_err();
            let found: Vec<String> = errors.lines().collect();
            assert!(found[0].starts_with(line), "{found:?}");
        }
        let errors = parse_preferences("colour = \"never\"", "c.toml").unwrap_err();
        assert!(errors.to_string().contains("did you mean \"color\"?"), "{errors}");
    }
}
