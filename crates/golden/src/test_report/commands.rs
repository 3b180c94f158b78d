//! The commands that accept the failures of a run, for a shell in the working folder of this
//! command.

use super::accept_command::{AcceptCommand, Accepts};
use super::options::ReportOptions;
use crate::checked::Checked;
use crate::report::{Act, Entry};
use std::path::{Path, PathBuf};

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
            all.extend(commands_for_folders(options, Accepts::Strays));
        }
        all
    }
}

impl<'a> Commands<'a> {
    pub(super) fn new(options: &'a ReportOptions) -> Self {
        let [moves, refits] =
            [Accepts::Moves, Accepts::Fits].map(|what| commands_for_folders(options, what));
        Self { options, moves, refits }
    }

    /// The command that accepts a golden of a scene. None if nothing does.
    pub(super) fn of_golden(&self, one: &Checked, scene: &Path, golden: &Path) -> Option<String> {
        match one.act()? {
            Act::Move => joined(&self.moves),
            Act::Refit => joined(&self.refits),
            Act::Bless => self.bless(scene, golden),
        }
    }

    /// The command that accepts all goldens of a scene with these entries.
    pub(super) fn of_scene(&self, scene: &Path, entries: &[Entry]) -> Option<String> {
        let mut accepted = entries.iter().filter(|entry| entry.accept.is_some());
        let first = accepted.next()?;
        let is_for_all = is_for_folders(first) && accepted.all(|other| other.act == first.act);
        if is_for_all {
            return first.accept.clone();
        }
        self.bless(scene, scene)
    }

    /// The command that accepts all goldens that fail for the cause of an entry of a scene.
    pub(super) fn of_cause(&self, scene: &Path, entry: &Entry) -> Option<String> {
        let own = entry.accept.as_ref().filter(|_| is_for_folders(entry)).cloned();
        own.or_else(|| self.for_scene(scene, Accepts::Cause(&entry.cause_id)))
    }

    /// The command that deletes goldens of no scene.
    pub(super) fn prune(&self) -> Option<String> {
        joined(&commands_for_folders(self.options, Accepts::Strays))
    }

    /// The command that accepts the golden, or all goldens of the scene, of a path.
    fn bless(&self, scene: &Path, path: &Path) -> Option<String> {
        self.for_scene(scene, Accepts::Paths(&[path]))
    }

    fn for_scene(&self, scene: &Path, what: Accepts<'_>) -> Option<String> {
        command(self.options, scenes_folder(self.options, scene).as_deref(), what)
    }
}

/// Several commands in one line. None without any.
fn joined(commands: &[String]) -> Option<String> {
    (!commands.is_empty()).then(|| commands.join("; "))
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
        return command(options, None, Accepts::All).into_iter().collect();
    }
    let mut folders: Vec<(Option<PathBuf>, Vec<&Path>)> = Vec::new();
    for scene in scenes {
        let folder = scenes_folder(options, scene);
        match folders.iter_mut().find(|(known, _)| *known == folder) {
            Some((_, paths)) if paths.contains(&scene) => {}
            Some((_, paths)) => paths.push(scene),
            None => folders.push((folder, vec![scene])),
        }
    }
    let command = |(folder, paths): (Option<PathBuf>, Vec<&Path>)| {
        let whole = folder.as_deref().unwrap_or(Path::new(DEFAULT));
        let is_tested = options.paths.iter().any(|path| path == whole && path.is_dir());
        let accepts = match &options.filter {
            _ if paths.len() <= MAX_NAMED || !is_tested => Accepts::Paths(&paths),
            Some(filter) => Accepts::Filter(filter),
            None => Accepts::All,
        };
        command(options, folder.as_deref(), accepts)
    };
    folders.into_iter().filter_map(command).collect()
}

/// The commands that do something in all folders of scenes: one for each.
fn commands_for_folders(options: &ReportOptions, what: Accepts<'_>) -> Vec<String> {
    if !options.models.is_empty() {
        return command(options, None, what).into_iter().collect();
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
    folders.iter().filter_map(|folder| command(options, folder.as_deref(), what)).collect()
}

fn command(options: &ReportOptions, scenes: Option<&Path>, accepts: Accepts<'_>) -> Option<String> {
    let ReportOptions { models, golden, words, stand_ins, spell, .. } = options;
    let scenes = scenes.filter(|_| models.is_empty());
    let (golden, stand_ins) = (golden.as_deref(), *stand_ins);
    Some(spell.as_ref()?(&AcceptCommand { accepts, models, scenes, golden, words, stand_ins }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_scenes_are_accepted_as_they_were_chosen() {
        let folder = tempfile::tempdir().unwrap();
        let scenes: Vec<PathBuf> =
            (0..9).map(|k| folder.path().join(format!("{k}.toml"))).collect();
        let spell = |command: &AcceptCommand<'_>| format!("{:?}", command.accepts);
        let accept = |options: &ReportOptions, count: usize| {
            let options = ReportOptions { spell: Some(spell), ..options.clone() };
            let commands = accept_commands(&options, scenes[..count].iter().map(PathBuf::as_path));
            commands.join("; ").replace(folder.path().to_str().unwrap(), "s")
        };
        let all = ReportOptions { paths: vec![folder.path().to_path_buf()], ..Default::default() };
        assert_eq!(accept(&all, 2), r#"Paths(["s/0.toml", "s/1.toml"])"#);
        assert_eq!(accept(&all, 9), "All");
        let some = ReportOptions { filter: Some("a b".to_owned()), ..all };
        assert_eq!(accept(&some, 9), r#"Filter("a b")"#);
        // Files that were named are named again.
        let named = ReportOptions { paths: scenes.clone(), ..Default::default() };
        assert!(accept(&named, 9).contains("s/8.toml"));
    }
}
