//! `tintype watch`: runs another command, and runs it again whenever one of its input files has
//! changed.
//!
//! The command runs in a separate process, so that a crash does not end the watch. Only the state
//! of the files counts: their lengths and times before a run compared with those after it. Change
//! events of the system merely wake this process early, so lost events, and changes during a run,
//! are not missed.

use super::args::{self, Cli, Command, Watch};
use super::console::Console;
use super::exit;
use super::failure::Failure;
use super::path_alone::{Meant, OUTPUTS, meant};
use super::signals::Signals;
use super::usage::explained;
use clap::Parser;
use notify::{Event, RecursiveMode, Watcher};
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, SystemTime};
use tintype::Files;
use tintype_base::amount::counted;
use tintype_base::disk::{MAX_TEXT_BYTES, read_bounded, read_regular};
use tintype_base::extension::{SCENES, has_extension, is_input};
use tintype_base::path::{ShowPath, path_of_text};
use tintype_output::note::read_note;
use tintype_output::{Provenance, decode_png};
use tintype_render::asset::project_folder;
use tintype_scene::ClipSource;

/// Extensions of lists read by commands, beside the files of scenes and models.
const LISTS: [&str; 3] = ["txt", "list", "inputs"];
/// Folders without inputs, which belong to programs.
const PASSED_OVER: [&str; 3] = ["target", "node_modules", "__pycache__"];
/// The folder that commands write to by default.
const USUAL_OUTPUT: &str = "out";
/// Most files that are watched.
const MAX_FILES: usize = 50_000;
/// Depth of folders below that of a file that are watched too, because textures and materials lie
/// beside a model.
const BESIDE: usize = 2;
/// Time within which changes count as one: an editor writes several files, or one in pieces.
const SETTLED: Duration = Duration::from_millis(150);
/// Polling interval where the system sends no events.
const LOOK: Duration = Duration::from_secs(2);
/// Time between two checks for Ctrl-C.
const HEAR: Duration = Duration::from_millis(100);

/// Lengths and times of files.
type State = BTreeMap<PathBuf, (u64, Option<SystemTime>)>;

pub(super) fn run(options: &Watch, console: &Console) -> Result<(), Failure> {
    let (words, command) = parsed(&options.words)?;
    let program = std::env::current_exe()
        .map_err(|error| Failure::bad_input(format!("cannot find this program: {error}")))?;
    let watched = Watched::of(&words, &command);
    let stop = Signals::listening("the current run");
    let (sender, changes) = channel();
    // Without messages of the system the files are checked from time to time.
    let mut watcher = notify::recommended_watcher(move |event: notify::Result<Event>| {
        // Read accesses cause events too, and this program reads all of the files.
        if event.is_ok_and(|event| !event.kind.is_access()) {
            let _ = sender.send(());
        }
    })
    .ok();
    for (root, depth) in &watched.roots {
        let mode =
            if depth.is_some() { RecursiveMode::NonRecursive } else { RecursiveMode::Recursive };
        let told = watcher.as_mut().map(|watcher| watcher.watch(root, mode));
        if let Some(Err(error)) = told {
            console.detail(&format!("{}: changes are noticed with a delay: {error}", root.shown()));
        }
    }
    loop {
        let before = watched.state();
        let mut child = std::process::Command::new(&program);
        child.args(&words).stdin(std::process::Stdio::null());
        match child.status() {
            Err(error) => {
                return Err(Failure::new(
                    exit::TRY_AGAIN,
                    format!("cannot start the command: {error}"),
                ));
            }
            Ok(status) if !status.success() && !stop.is_asked() => {
                console.info(&format!("the command ended with {status}"));
            }
            Ok(_) => {}
        }
        if !stop.is_asked() {
            let count = counted(before.len(), "file");
            console.info(&format!("watching {count}; press Ctrl-C to stop"));
        }
        let Some(changed) = watched.next_change(&before, &changes, &stop) else {
            return Err(Failure::new(stop.code(), String::new()));
        };
        console.info(&format!("changed: {changed}"));
    }
}

/// The command of the words, and the words, including the command inferred from a path.
fn parsed(words: &[OsString]) -> Result<(Vec<OsString>, Command), Failure> {
    let mut all: Vec<OsString> =
        std::iter::once("tintype".into()).chain(words.iter().cloned()).collect();
    let mut parsed = Cli::try_parse_from(&all);
    if let Some(Meant { lines, refused }) =
        parsed.as_ref().err().and_then(|error| meant(error, &all))
    {
        if let Some(reason) = refused.into_iter().next() {
            return Err(Failure::bad_input(reason));
        }
        let [line] = <[Vec<OsString>; 1]>::try_from(lines).map_err(|lines| {
            let count = lines.len();
            let message = format!("the command to run: these paths mean {count} commands, but only one can be watched; name the command");
            Failure::bad_input(message)
        })?;
        parsed = Cli::try_parse_from(&line);
        all = line;
    }
    let Cli { command, .. } = parsed.map_err(|error| {
        let text = explained(error, &all, &args::command()).to_string();
        let first = text.lines().next().unwrap_or_default();
        Failure::bad_input(format!("the command to run: {}", first.trim_start_matches("error: ")))
    })?;
    match command {
        Command::Render(_)
        | Command::Turntable(_)
        | Command::Thumbnail(_)
        | Command::Inspect(_)
        | Command::Pose(_)
        | Command::Diff(_)
        | Command::Test(_) => Ok((all.split_off(1), command)),
        _ => Err(Failure::bad_input(
            "watch runs render, turntable, thumbnail, inspect, pose, diff or test".to_owned(),
        )),
    }
}

/// The watched folders, and their exclusions.
#[derive(Debug, Default)]
struct Watched {
    /// Folders, each with the number of levels that count below it; all levels if `None`.
    roots: BTreeMap<PathBuf, Option<usize>>,
    /// Files and folders that commands write.
    outputs: BTreeSet<PathBuf>,
}

impl Watched {
    /// Everything that the words of a command name: folders, the folders of files, and those of the
    /// models of scenes.
    fn of(words: &[OsString], command: &Command) -> Self {
        let mut watched = Self::default();
        watched.outputs.insert(PathBuf::from(USUAL_OUTPUT));
        let mut is_output = false;
        for word in words.iter().skip(1) {
            let text = word.to_string_lossy();
            let (option, value) = match text.split_once('=') {
                Some((option, value)) if option.starts_with('-') => {
                    (option, Some(path_of_text(value)))
                }
                _ => (&*text, None),
            };
            let path = value.unwrap_or_else(|| PathBuf::from(word));
            if is_output || (OUTPUTS.contains(&option) && text.contains('=')) {
                watched.outputs.insert(path);
                is_output = false;
                continue;
            }
            is_output = OUTPUTS.contains(&option);
            watched.add(&path);
        }
        if watched.roots.is_empty() || matches!(command, Command::Test(_)) {
            watched.roots.insert(PathBuf::from("."), None);
        }
        watched
    }

    fn add(&mut self, path: &Path) {
        if path.is_dir() {
            self.roots.insert(path.to_owned(), None);
            return;
        }
        // A file, or a path that leads through an archive.
        let Some(file) = path.ancestors().find(|path| path.is_file()) else { return };
        self.beside(file);
        if !has_extension(file, &SCENES) {
            return;
        }
        // A scene that cannot be read, or has mistakes, is watched alone; the command tells why.
        let Ok(bytes) = read_bounded(file, MAX_TEXT_BYTES) else { return };
        let Ok(scene) = tintype_scene::parse_scene(&String::from_utf8_lossy(&bytes), "") else {
            return;
        };
        let folder = file.parent().unwrap_or(Path::new(""));
        for model in &scene.models {
            let clips = model.clips.iter().filter_map(|clip| match &clip.source {
                ClipSource::File { file, .. } => Some(file.as_str()),
                ClipSource::Own(_) | ClipSource::Entry(_) => None,
            });
            for name in std::iter::once(model.file.as_str()).chain(clips) {
                self.beside(&folder.join(path_of_text(&name.replace('\\', "/"))));
            }
        }
        for search in &scene.texture_search {
            self.add(&folder.join(path_of_text(&search.replace('\\', "/"))));
        }
    }

    /// Adds the folder of a file, and that of its game.
    fn beside(&mut self, file: &Path) {
        let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty());
        let folder = folder.unwrap_or(Path::new("."));
        let project = project_folder(folder, &Files::Disk).ok().flatten();
        for folder in std::iter::once(folder.to_owned()).chain(project) {
            if folder.is_dir() {
                self.roots.entry(folder).or_insert(Some(BESIDE));
            }
        }
    }

    /// The files that may be read, as they are now.
    fn state(&self) -> State {
        let mut state = State::new();
        let outputs: BTreeSet<PathBuf> =
            self.outputs.iter().filter_map(|path| path.canonicalize().ok()).collect();
        let mut folders: Vec<(PathBuf, Option<usize>)> =
            self.roots.iter().map(|(root, depth)| (root.clone(), *depth)).collect();
        let mut seen = BTreeSet::new();
        while let Some((folder, depth)) = folders.pop() {
            let Ok(real) = folder.canonicalize() else { continue };
            if outputs.contains(&real) || !seen.insert((real.clone(), depth)) {
                continue;
            }
            let entries = std::fs::read_dir(&folder).into_iter().flatten().flatten();
            for entry in entries {
                let name = entry.file_name();
                let name = name.to_string_lossy();
                let Ok(data) = entry.metadata() else { continue };
                let is_hidden = name.starts_with('.');
                if data.is_dir() {
                    let below = depth.map(|depth| depth.checked_sub(1));
                    if !is_hidden && !PASSED_OVER.contains(&&*name) && below != Some(None) {
                        folders.push((entry.path(), below.flatten()));
                    }
                } else if state.len() < MAX_FILES && !is_hidden && is_read(&entry.path()) {
                    let path = real.join(entry.file_name());
                    if !outputs.contains(&path) {
                        state.insert(path, (data.len(), data.modified().ok()));
                    }
                }
            }
        }
        state
    }

    /// Waits until files differ from before, and names some of them. None if the command should
    /// end.
    fn next_change(
        &self,
        before: &State,
        changes: &Receiver<()>,
        stop: &Signals,
    ) -> Option<String> {
        let mut known = before.clone();
        loop {
            let now = self.state();
            let changed = changed(&known, &now);
            // Files written by this program are not changes and are not checked again.
            let (own, foreign): (Vec<_>, Vec<_>) =
                changed.into_iter().partition(|path| is_ours(path));
            for path in own {
                match now.get(&path) {
                    Some(state) => known.insert(path, *state),
                    None => known.remove(&path),
                };
            }
            if foreign.is_empty() {
                let mut waited = Duration::ZERO;
                while waited < LOOK {
                    if stop.is_asked() {
                        return None;
                    }
                    match changes.recv_timeout(HEAR) {
                        Ok(()) => break,
                        // No events are available.
                        Err(RecvTimeoutError::Disconnected) => std::thread::sleep(HEAR),
                        Err(RecvTimeoutError::Timeout) => {}
                    }
                    waited += HEAR;
                }
                while changes.try_recv().is_ok() {}
                continue;
            }
            // Waits until no more changes arrive.
            std::thread::sleep(SETTLED);
            if stop.is_asked() {
                return None;
            }
            if self.state() == now {
                return Some(named(&foreign));
            }
        }
    }
}

/// True if commands read files of that name.
fn is_read(path: &Path) -> bool {
    is_input(path) || has_extension(path, &LISTS)
}

/// The files that were changed, added or removed.
fn changed(before: &State, now: &State) -> Vec<PathBuf> {
    let new = now.iter().filter(|(path, state)| before.get(*path) != Some(state));
    let gone = before.iter().filter(|(path, _)| !now.contains_key(*path));
    new.chain(gone).map(|(path, _)| path.clone()).collect()
}

/// True if this program has written a picture, according to its text chunks.
fn is_ours(path: &Path) -> bool {
    let extension = path.extension().and_then(|own| own.to_str()).unwrap_or_default();
    if !["png", "jpg", "webp", "gif"].contains(&extension) {
        return false;
    }
    // One that cannot be read counts as changed by somebody else, so that the command tells why.
    let Ok(bytes) = read_regular(path) else { return false };
    let text = match decode_png(&bytes) {
        Ok((_, text)) => Some(text),
        Err(_) => read_note(&bytes).map(|note| note.text),
    };
    text.is_some_and(|text| Provenance::from_text(&text).is_ok())
}

/// Names of files for people.
fn named(paths: &[PathBuf]) -> String {
    const NAMED: usize = 3;
    let names = paths.iter().take(NAMED);
    let names: Vec<String> =
        names.map(|path| path.file_name().unwrap_or_default().shown()).collect();
    match paths.len().saturating_sub(NAMED) {
        0 => names.join(", "),
        more => format!("{} and {more} more", names.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn watched(folder: &Path, line: &str) -> Watched {
        let place = |word: &str| match word.strip_prefix('@') {
            Some(name) => folder.join(name).into(),
            None => OsString::from(word),
        };
        let words: Vec<OsString> = line.split(' ').map(place).collect();
        let (words, command) = parsed(&words).unwrap();
        Watched::of(&words, &command)
    }

    fn names(watched: &Watched) -> Vec<String> {
        let state = watched.state();
        state.keys().map(|path| path.file_name().unwrap().to_string_lossy().into_owned()).collect()
    }

    #[test]
    fn files_that_commands_read_are_watched_and_those_that_they_write_are_not() {
        let folder = tempfile::tempdir().unwrap();
        let own = folder.path();
        for name in [
            "s/a.toml",
            "m/a.x",
            "m/textures/a.png",
            "m/.hidden.x",
            "m/deep/er/still/b.x",
            "m/t/a.x.png",
            "m/readme.md",
            "far/c.x",
            "m/target/d.x",
        ] {
            let path = own.join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, "").unwrap();
        }
        let scene = "[[model]]\nfile = \"../m/a.x\"\n";
        std::fs::write(own.join("s/a.toml"), scene).unwrap();
        let found = names(&watched(own, "render @s/a.toml -o @m/t"));
        assert_eq!(found, ["a.x", "a.png", "a.toml"], "the scene and what lies beside its model");
        let found = names(&watched(own, "thumbnail @m -o @m/t"));
        assert_eq!(found, ["a.x", "b.x", "a.png"], "all that lies in a folder");
        assert!(parsed(&["farm".into(), "status".into(), "x".into()]).is_err());
        assert!(parsed(&["render".into()]).is_err());
    }

    #[test]
    fn changes_are_told_by_what_is_other_new_or_gone() {
        let folder = tempfile::tempdir().unwrap();
        let own = folder.path();
        std::fs::write(own.join("a.x"), "1").unwrap();
        std::fs::write(own.join("b.x"), "1").unwrap();
        let watched = watched(own, "thumbnail @.");
        let before = watched.state();
        std::fs::write(own.join("a.x"), "22").unwrap();
        std::fs::remove_file(own.join("b.x")).unwrap();
        std::fs::write(own.join("c.x"), "").unwrap();
        let found = changed(&before, &watched.state());
        assert_eq!(named(&found), "a.x, c.x, b.x");
        let (sender, changes) = channel();
        drop(sender);
        let told = watched.next_change(&before, &changes, &Signals::default());
        assert_eq!(told.as_deref(), Some("a.x, c.x, b.x"), "also without messages of the system");
        let frame = tintype_model::frame::Frame::new(2, 2);
        let text = Provenance::of_this_build(0, "00").to_text();
        let png = tintype_output::encode_png(&frame, true, tintype_output::PngEffort::Fast, &text);
        std::fs::write(own.join("ours.png"), png).unwrap();
        assert!(is_ours(&own.join("ours.png")) && !is_ours(&own.join("a.x")));
    }
}
