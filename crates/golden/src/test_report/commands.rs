//! The commands that accept the failures of a run, for a shell in the working folder of this
//! command.

use super::options::ReportOptions;
use crate::checked::Checked;
use crate::report::{Act, Entry};
use std::path::{Path, PathBuf};
use tintype_base::path::slashed;
use tintype_base::shell::{path_word, quoted};

/// The commands about a run.
pub(super) struct Commands<'a> {
    options: &'a ReportOptions,
    /// They take goldens along with scenes that moved: one for each folder of scenes.
    moves: Vec<String>,
    /// Commands that take the current fit in scenes where it moved: one for each folder of scenes.
    refits: Vec<String>,
}

/// Failures of a run that commands accept.
#[derive(Debug, Default)]
pub(crate) struct Acceptable<'a> {
    /// Scenes moved.
    pub moves: bool,
    /// The scenes with goldens to be accepted.
    pub scenes: Vec<&'a Path>,
    /// The fit moved in a scene.
    pub refits: bool,
    /// Goldens are known to be of no scene.
    pub strays: bool,
}

impl Acceptable<'_> {
    /// The commands that accept all of it. Moved goldens are compared at their new place.
    pub(crate) fn commands(&self, options: &ReportOptions) -> Vec<String> {
        // No command makes the goldens of a revision others than they are.
        if options.is_of_revision {
            return Vec::new();
        }
        let Commands { moves, refits, .. } = Commands::new(options);
        let mut all = if self.moves { moves } else { Vec::new() };
        all.extend(accept_commands(options, self.scenes.iter().copied()));
        if self.refits {
            all.extend(refits);
        }
        if self.strays {
            all.extend(commands_for_folders(options, "--prune"));
        }
        all
    }
}

impl<'a> Commands<'a> {
    pub(super) fn new(options: &'a ReportOptions) -> Self {
        let [moves, refits] = ["--move", "--refit"].map(|what| commands_for_folders(options, what));
        Self { options, moves, refits }
    }

    /// The command that accepts a golden of a scene. None if nothing does.
    pub(super) fn of_golden(&self, one: &Checked, scene: &Path, golden: &Path) -> Option<String> {
        Some(match one.act()? {
            Act::Move => self.moves.join("; "),
            Act::Refit => self.refits.join("; "),
            Act::Bless => self.bless(scene, &slashed(golden)),
        })
    }

    /// The command that accepts all goldens of a scene with these entries.
    pub(super) fn of_scene(&self, scene: &Path, entries: &[Entry]) -> Option<String> {
        let mut accepted = entries.iter().filter(|entry| entry.accept.is_some());
        let first = accepted.next()?;
        let is_for_all = is_for_folders(first) && accepted.all(|other| other.act == first.act);
        if is_for_all {
            return first.accept.clone();
        }
        Some(self.bless(scene, &slashed(scene)))
    }

    /// The command that accepts all goldens that fail for the cause of an entry of a scene.
    pub(super) fn of_cause(&self, scene: &Path, entry: &Entry) -> String {
        let own = entry.accept.as_ref().filter(|_| is_for_folders(entry)).cloned();
        own.unwrap_or_else(|| self.for_scene(scene, &format!("--cause {}", entry.cause_id)))
    }

    /// The command that deletes goldens of no scene.
    pub(super) fn prune(&self) -> String {
        commands_for_folders(self.options, "--prune").join("; ")
    }

    /// The command that accepts the goldens of `pattern`.
    fn bless(&self, scene: &Path, pattern: &str) -> String {
        self.for_scene(scene, &quoted(pattern))
    }

    fn for_scene(&self, scene: &Path, what: &str) -> String {
        command(self.options, scenes_folder(self.options, scene).as_deref(), what)
    }
}

/// True if the command that accepts an entry accepts similar ones in all scenes.
fn is_for_folders(entry: &Entry) -> bool {
    matches!(entry.act, Some(Act::Move | Act::Refit))
}

/// The scene folder to pass to a command so that it finds a scene. None for the default one.
fn scenes_folder(options: &ReportOptions, scene: &Path) -> Option<PathBuf> {
    let given = options.paths.iter().find(|path| scene.starts_with(path) && path.is_dir());
    let folder = match given {
        Some(given) => given.clone(),
        None if scene.starts_with(DEFAULT) => PathBuf::from(DEFAULT),
        None => scene.parent().unwrap_or(Path::new("")).to_path_buf(),
    };
    (folder != Path::new(DEFAULT)).then_some(folder)
}

/// Maximum number of scenes listed in a command; for more, the command repeats the selection of the
/// test.
const MAX_NAMED: usize = 8;

/// The default folder of scenes of commands.
const DEFAULT: &str = "scenes";

/// The commands that accept all goldens of some scenes: one for each folder of scenes.
fn accept_commands<'a>(
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

/// The commands that do something in all folders of scenes: one for each.
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
}
