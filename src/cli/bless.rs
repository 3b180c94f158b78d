//! `tintype bless`: accepts newly drawn pictures as goldens.

use super::args::Bless;
use super::console::Console;
use super::environment::is_on;
use super::exit;
use super::failure::Failure;
use super::goldens::{SceneWarnings, failure, read_scenes};
use crate::diagnostic::counted;
use crate::golden::{BlessOptions, Discovery, GoldenError, GoldenScene, Refusal, Refused, stray};
use crate::submit::shell::path_word;
use std::path::{Path, PathBuf};

pub(super) fn run(options: &Bless, console: &mut Console) -> Result<(), Failure> {
    if is_on(std::env::var_os("CI")) {
        return Err(Failure::bad_input(
            "CI is set: goldens are accepted by a person, not by a build server",
        ));
    }
    let paths = [options.scenes.clone()];
    let root = options.golden.as_deref();
    let mut found = read_scenes(&paths, root, console.load_options())?;
    let patterns = Patterns::new(&options.patterns, &found);
    // A scene that cannot be read is no reason not to bless the others, unless it was asked for.
    let asked = |path: &Path| options.patterns.is_empty() || patterns.name(path);
    if let Some(scene) = found.bad.iter().find(|bad| asked(&bad.path)) {
        return Err(failure(&scene.error));
    }
    if options.prune {
        return prune(&paths, root, &found, console);
    }
    let wanted = |scene: &GoldenScene, golden: &Path| asked(&scene.path) || asked(golden);
    found
        .scenes
        .retain(|scene| scene.frames().iter().any(|&frame| wanted(scene, &scene.file(frame))));
    if let Some(text) = patterns.without_golden(&found.scenes) {
        let list = match options.scenes == Path::new("scenes") {
            true => "tintype test --list".to_owned(),
            false => format!("tintype test {} --list", path_word(&options.scenes)),
        };
        let message = format!("no scene or golden has {text:?} in its path; {list} prints them");
        return Err(Failure::bad_input(message));
    }
    accept(options, &mut found.scenes, wanted, console)
}

/// The texts by which scenes and goldens are selected: a whole path selects itself alone, any other text the paths that contain it.
struct Patterns<'a> {
    /// Each text, and whether it is a whole path.
    list: Vec<(&'a str, bool)>,
}

impl<'a> Patterns<'a> {
    fn new(texts: &'a [String], found: &Discovery) -> Self {
        let goldens = found
            .scenes
            .iter()
            .flat_map(|scene| scene.frames().into_iter().map(|frame| scene.file(frame)));
        let paths: Vec<PathBuf> = found.files().map(Path::to_path_buf).chain(goldens).collect();
        let is_whole = |text: &str| paths.iter().any(|path| is_path(path, text));
        Self { list: texts.iter().map(|text| (text.as_str(), is_whole(text))).collect() }
    }

    fn name(&self, path: &Path) -> bool {
        self.list.iter().any(|&pattern| selects(pattern, path))
    }

    /// The first text that selects nothing.
    fn without_golden(&self, scenes: &[GoldenScene]) -> Option<&'a str> {
        let selects_any = |&&pattern: &&(&str, bool)| {
            !scenes.iter().any(|scene| {
                selects(pattern, &scene.path)
                    || scene.frames().iter().any(|&frame| selects(pattern, &scene.file(frame)))
            })
        };
        self.list.iter().find(selects_any).map(|&(text, _)| text)
    }
}

fn selects((text, is_whole): (&str, bool), path: &Path) -> bool {
    match is_whole {
        true => is_path(path, text),
        false => path.to_string_lossy().contains(text),
    }
}

/// Whether a text is that path, however it begins.
fn is_path(path: &Path, text: &str) -> bool {
    let plain = |path: &Path| path.strip_prefix(".").unwrap_or(path).to_path_buf();
    plain(path) == plain(Path::new(text))
}

/// Deletes the goldens that no scene asks for.
fn prune(
    paths: &[PathBuf],
    root: Option<&Path>,
    found: &Discovery,
    console: &Console,
) -> Result<(), Failure> {
    let mut removed = 0;
    for one in stray(paths, root, found).map_err(|error| failure(&error))? {
        std::fs::remove_file(&one.path)
            .map_err(|error| Failure::bad_input(format!("{}: {error}", one.path.display())))?;
        console.info(&format!("removed {}", one.path.display()));
        removed += 1;
    }
    console.info(&format!("{} removed", counted(removed, "golden")));
    Ok(())
}

/// Accepts the pictures that are wanted, and reads them back.
fn accept(
    options: &Bless,
    scenes: &mut Vec<GoldenScene>,
    wanted: impl Fn(&GoldenScene, &Path) -> bool + Sync,
    console: &mut Console,
) -> Result<(), Failure> {
    let failed = |error: GoldenError| failure(&error);
    let Bless { beside, allow_warnings, .. } = *options;
    let (mut written, mut refreshed) = (0, 0);
    let mut refused: Vec<Refused> = Vec::new();
    let mut warnings = SceneWarnings::default();
    for scene in &*scenes {
        let blessed = scene
            .bless(|golden| wanted(scene, golden), BlessOptions { beside, allow_warnings })
            .map_err(failed)?;
        warnings.say(&scene.path, &blessed.warnings, console);
        for one in blessed.accepted {
            let path = one.path.display();
            match one.before {
                Some(before) => {
                    written += 1;
                    console.info(&format!("{path}: old -> new: {}", before.verdict));
                    if let Some(cause) = before.cause {
                        console.info(&format!("  {cause}"));
                    }
                }
                None => {
                    refreshed += 1;
                    console.info(&format!("{path}: record of stages updated, picture unchanged"));
                }
            }
        }
        for one in blessed.refused {
            console.error(&format!("{}: not accepted: {}", one.path.display(), one.refusal));
            refused.push(one);
        }
    }
    // What was written is read back and compared, as `test` does.
    for scene in &*scenes {
        let is_refused = |path: &Path| refused.iter().any(|one| one.path == path);
        let is_written = |path: &Path| wanted(scene, path) && !is_refused(path);
        let checked = scene.check(|frame| is_written(&scene.file(frame))).map_err(failed)?;
        if let Some(one) = checked.goldens.iter().find(|one| !one.verdict.passes()) {
            let message =
                format!("{}: accepted, but its test fails: {}", one.path.display(), one.verdict);
            return Err(Failure::new(exit::INCOMPLETE, message));
        }
    }
    let records = match refreshed {
        0 => String::new(),
        count => format!(", {} refreshed", counted(count, "record")),
    };
    // A scene and its views are one.
    scenes.dedup_by(|view, scene| view.path == scene.path);
    console.info(&format!(
        "{} written{records} in {}",
        counted(written, "golden"),
        counted(scenes.len(), "scene")
    ));
    let code = refused.iter().map(|one| match one.refusal {
        Refusal::Empty | Refusal::StandIn(_) => exit::INCOMPLETE,
        Refusal::File(_) => exit::BAD_INPUT,
    });
    match code.max() {
        None => Ok(()),
        Some(code) => {
            let message = format!("{} not accepted", counted(refused.len(), "picture"));
            Err(Failure::new(code, message))
        }
    }
}
