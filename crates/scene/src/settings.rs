//! Defaults of a user, from a TOML text that is read as scenes are, with the same messages.
//!
//! No key can change a byte or a path of the output, so that a command does the same on every machine.

use super::document::Document;
use super::error::{Problem, SceneErrors};
use super::reader::{Item, Problems};

/// Defaults that the user has set. Words are those of the options of the same name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Settings {
    /// Threads to use, 1 to 1024; 0 is one for each core.
    pub threads: Option<usize>,
    /// `auto`, `always` or `never`.
    pub color: Option<&'static str>,
    /// `auto`, `plain` or `none`.
    pub progress: Option<&'static str>,
    /// `quiet`, `normal` or `verbose`.
    pub messages: Option<&'static str>,
}

const KEYS: [&str; 4] = ["threads", "color", "progress", "messages"];
const MOST_THREADS: usize = 1024;

impl Settings {
    /// The settings as a text would have them.
    #[must_use]
    pub fn described(&self) -> String {
        let words =
            [("color", self.color), ("progress", self.progress), ("messages", self.messages)];
        let threads = self.threads.map(|threads| format!("threads = {threads}"));
        let words =
            words.into_iter().filter_map(|(key, word)| Some(format!("{key} = {:?}", word?)));
        let set: Vec<String> = threads.into_iter().chain(words).collect();
        if set.is_empty() { "nothing".to_owned() } else { set.join(", ") }
    }
}

/// Reads settings; `name` stands for the text in messages, as a path does.
///
/// # Errors
/// [`SceneErrors`] with every mistake of the text.
pub fn parse_settings(text: &str, name: &str) -> Result<Settings, SceneErrors> {
    let (document, syntax_errors) = Document::parse(text);
    let problems = Problems::new(text);
    let root = Item::root(&document, &problems);
    root.check_keys(&KEYS);
    let word = |key: &'static str, words: &[&'static str]| {
        let words: Vec<(&str, &'static str)> = words.iter().map(|&word| (word, word)).collect();
        root.item(key).and_then(|item| item.word(key, &words))
    };
    let threads = root.item("threads").and_then(|item| {
        let allowed = format!("it is a whole number from 0 (one for each core) to {MOST_THREADS}");
        let number = item.whole_number(&allowed)?;
        let threads = usize::try_from(number).ok().filter(|threads| *threads <= MOST_THREADS);
        if threads.is_none() {
            let message = format!("found the number {number}");
            item.report(Problem::Invalid { message, allowed });
        }
        threads
    });
    let settings = Settings {
        threads,
        color: word("color", &["auto", "always", "never"]),
        progress: word("progress", &["auto", "plain", "none"]),
        messages: word("messages", &["quiet", "normal", "verbose"]),
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
        let settings = parse_settings("threads = 2\nprogress = \"plain\"\n", "c.toml").unwrap();
        assert_eq!((settings.threads, settings.progress), (Some(2), Some("plain")));
        assert_eq!(settings.described(), "threads = 2, progress = \"plain\"");
        assert_eq!(parse_settings("", "c.toml").unwrap(), Settings::default());
        assert_eq!(Settings::default().described(), "nothing");
    }

    #[test]
    fn settings_with_mistakes_are_told_as_scenes_are() {
        for (text, line) in [
            ("colour = \"never\"", "c.toml:1:1: colour: unknown key \"colour\""),
            ("\ncolor = \"nevr\"", "c.toml:2:9: color: unknown color \"nevr\""),
            ("threads = 9999", "c.toml:1:11: threads: found the number 9999; it is a whole number"),
            ("threads = \"two\"", "c.toml:1:11: threads: found the text \"two\""),
            ("size = [1, 2]", "c.toml:1:1: size: unknown key \"size\""),
            ("threads = ", "c.toml:1:"),
        ] {
            let errors = parse_settings(text, "c.toml").unwrap_err();
            let found: Vec<String> = errors.lines().collect();
            assert!(found[0].starts_with(line), "{found:?}");
        }
        let errors = parse_settings("colour = \"never\"", "c.toml").unwrap_err();
        assert!(errors.to_string().contains("did you mean \"color\"?"), "{errors}");
    }
}
