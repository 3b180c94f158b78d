//! Names of scenes, commands that accept, and lines that messages point at.

use super::options::ReportOptions;
use crate::report::{CauseId, SceneReport};
use std::path::{Path, PathBuf};
use tintype_base::path::{ShowPath, slashed};
use tintype_base::shell::{path_word, quoted};

/// The path of a scene below a folder named `scenes`, else its file name, without the extension.
#[must_use]
pub fn scene_name(path: &Path) -> String {
    let stem = path.with_extension("");
    let parts: Vec<_> = stem.components().collect();
    let below = parts
        .iter()
        .rposition(|part| part.as_os_str() == "scenes")
        .map_or(parts.len() - 1, |at| at + 1);
    slashed(&parts.iter().skip(below).collect::<PathBuf>())
}

/// The short name, or the whole path where another scene has that name.
pub(super) fn unique(
    name: String,
    path: &Path,
    before: &[SceneReport],
    options: &ReportOptions,
) -> String {
    let is_taken = before.iter().any(|scene| scene.name == name) || options.taken.contains(&name);
    if name.is_empty() || is_taken {
        return slashed(&path.with_extension(""));
    }
    name
}

/// The folder of scenes that a command has to be given to find a scene; none for the one that it takes by default.
fn scenes_folder(options: &ReportOptions, scene: &Path) -> Option<PathBuf> {
    let given = options.paths.iter().find(|path| scene.starts_with(path) && path.is_dir());
    let folder = match given {
        Some(given) => given.clone(),
        None if scene.starts_with(DEFAULT) => PathBuf::from(DEFAULT),
        None => scene.parent().unwrap_or(Path::new("")).to_path_buf(),
    };
    (folder != Path::new(DEFAULT)).then_some(folder)
}

/// Most scenes that a command names; of more, it takes all that the same choice as that of the test takes.
const MAX_NAMED: usize = 8;

/// The folder of scenes of commands that are given none.
const DEFAULT: &str = "scenes";

/// The command that accepts the goldens of `pattern`, for a shell in the working folder of this command.
pub(super) fn bless(options: &ReportOptions, scene: &Path, pattern: &str) -> String {
    command(options, scenes_folder(options, scene).as_deref(), &quoted(pattern))
}

/// The command that accepts all goldens that fail for a cause as one of a scene does.
pub(super) fn bless_cause(options: &ReportOptions, scene: &Path, cause: &CauseId) -> String {
    let folder = scenes_folder(options, scene);
    command(options, folder.as_deref(), &format!("--cause {cause}"))
}

/// The commands that accept all goldens of some scenes: one for each folder of scenes.
#[must_use]
pub fn accept_commands<'a>(
    options: &ReportOptions,
    scenes: impl Iterator<Item = &'a Path>,
) -> Vec<String> {
    let mut scenes = scenes.peekable();
    if scenes.peek().is_none() {
        return Vec::new();
    }
    if !options.models.is_empty() {
        return vec![command(options, None, "")];
    }
    let mut folders: Vec<(Option<PathBuf>, Vec<String>)> = Vec::new();
    for scene in scenes {
        let (folder, word) = (scenes_folder(options, scene), path_word(Path::new(&slashed(scene))));
        match folders.iter_mut().find(|(known, _)| *known == folder) {
            Some((_, words)) if words.contains(&word) => {}
            Some((_, words)) => words.push(word),
            None => folders.push((folder, vec![word])),
        }
    }
    let command = |(folder, words): (Option<PathBuf>, Vec<String>)| {
        let whole = folder.as_deref().unwrap_or(Path::new(DEFAULT));
        let is_tested = options.paths.iter().any(|path| path == whole && path.is_dir());
        let words = match &options.filter {
            _ if words.len() <= MAX_NAMED || !is_tested => words.join(" "),
            Some(filter) => quoted(filter),
            None => "--all".to_owned(),
        };
        command(options, folder.as_deref(), &words)
    };
    folders.into_iter().map(command).collect()
}

/// The commands that delete goldens of no scene: one for each folder of scenes.
#[must_use]
pub fn prune_commands(options: &ReportOptions) -> Vec<String> {
    commands_for_folders(options, "--prune")
}

/// The commands that take goldens along with scenes that moved: one for each folder of scenes.
#[must_use]
pub fn move_commands(options: &ReportOptions) -> Vec<String> {
    commands_for_folders(options, "--move")
}

/// The commands that take the fit of today in scenes where it moved: one for each folder of scenes.
#[must_use]
pub fn refit_commands(options: &ReportOptions) -> Vec<String> {
    commands_for_folders(options, "--refit")
}

fn commands_for_folders(options: &ReportOptions, what: &str) -> Vec<String> {
    if !options.models.is_empty() {
        return vec![command(options, None, what)];
    }
    let mut folders: Vec<Option<PathBuf>> = Vec::new();
    for path in &options.paths {
        let folder = if path.is_dir() {
            (path != Path::new(DEFAULT)).then(|| path.clone())
        } else {
            scenes_folder(options, path)
        };
        if !folders.contains(&folder) {
            folders.push(folder);
        }
    }
    folders.iter().map(|folder| command(options, folder.as_deref(), what)).collect()
}

fn command(options: &ReportOptions, scenes: Option<&Path>, what: &str) -> String {
    let mut command = format!("tintype bless {what}").trim_end().to_owned();
    let folder = |path: &Path| {
        if path.as_os_str().is_empty() {
            ".".to_owned()
        } else {
            path_word(Path::new(&slashed(path)))
        }
    };
    for models in &options.models {
        command += &format!(" --models {}", folder(models));
    }
    if let Some(scenes) = scenes
        && options.models.is_empty()
    {
        command += &format!(" --scenes {}", folder(scenes));
    }
    if let Some(golden) = &options.golden {
        command += &format!(" --golden {}", folder(golden));
    }
    let is_of_files = ["--prune", "--move"].contains(&what);
    let fits = |word: &&String| !is_of_files || *word != "--allow-warnings";
    for word in options.words.iter().filter(fits) {
        command += &format!(" {}", quoted(word));
    }
    command
}

/// The first line of a file that begins with some text, from 1.
pub(super) fn line_of(path: &Path, start: &str) -> Option<u32> {
    let text = tintype_base::disk::read_regular_text(path).ok()?;
    (1..)
        .zip(text.lines())
        .find(|(_, line)| line.trim_start().starts_with(start))
        .map(|(number, _)| number)
}

/// The line that a message about a file names first, as `path:line:column`.
pub(super) fn line_in(message: &str, path: &Path) -> Option<u32> {
    let start = format!("{}:", path.shown());
    message.split(&start).skip(1).find_map(|rest| {
        rest.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok().filter(|line| *line > 0)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_scenes_are_accepted_as_they_were_chosen() {
        let folder = tempfile::tempdir().unwrap();
        let scenes: Vec<PathBuf> =
            (0..9).map(|k| folder.path().join(format!("{k}.toml"))).collect();
        let accept = |options: &ReportOptions, count: usize| {
            let commands = accept_commands(options, scenes[..count].iter().map(PathBuf::as_path));
            commands.join("; ").replace(folder.path().to_str().unwrap(), "s")
        };
        let all = ReportOptions { paths: vec![folder.path().to_path_buf()], ..Default::default() };
        assert_eq!(accept(&all, 2), "tintype bless s/0.toml s/1.toml --scenes s");
        assert_eq!(accept(&all, 9), "tintype bless --all --scenes s");
        let some = ReportOptions { filter: Some("a b".to_owned()), ..all };
        assert_eq!(accept(&some, 9), "tintype bless 'a b' --scenes s");
        // Files that were named are named again.
        let named = ReportOptions { paths: scenes.clone(), ..Default::default() };
        assert!(accept(&named, 9).contains("s/8.toml"));
    }

    #[test]
    fn scenes_have_short_names() {
        for (path, name) in [
            ("scenes/raster/edge.toml", "raster/edge"),
            ("/a/scenes/b/scenes/walk.toml", "walk"),
            ("mine.toml", "mine"),
            ("../x/mine.toml", "mine"),
        ] {
            assert_eq!(scene_name(Path::new(path)), name);
        }
    }

    #[test]
    fn messages_tell_their_line() {
        let path = Path::new("scenes/a.toml");
        assert_eq!(line_in("mistakes in scenes/a.toml\n --> scenes/a.toml:6:1\n", path), Some(6));
        assert_eq!(line_in("scenes/a.toml: no [golden] table", path), None);
    }
}
