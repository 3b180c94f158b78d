//! `tintype bless`: accepts newly drawn pictures as goldens.

use super::args::Bless;
use super::console::Console;
use super::exit;
use super::failure::Failure;
use super::goldens::{failure, read_scenes};
use crate::diagnostic::counted;
use crate::golden::GoldenError;
use crate::golden::GoldenScene;
use crate::golden::dangling;
use crate::golden::discover::golden_folders;
use std::path::Path;

pub(super) fn run(options: &Bless, console: &mut Console) -> Result<(), Failure> {
    if std::env::var_os("CI").is_some_and(|value| !value.is_empty()) {
        return Err(Failure::bad_input(
            "CI is set: goldens are accepted by a person, not by a build server",
        ));
    }
    let paths = [options.scenes.clone()];
    let root = options.golden.as_deref();
    let (mut scenes, bad) = read_scenes(&paths, root, console.load_options())?;
    let named = |path: &Path| {
        let path = path.to_string_lossy();
        options.patterns.iter().any(|text| path.contains(text.as_str()))
    };
    let wanted = |scene: &GoldenScene, golden: &Path| {
        options.patterns.is_empty() || named(&scene.path) || named(golden)
    };
    // A scene that cannot be read is no reason not to bless the others, unless it was asked for.
    if let Some(scene) = bad.into_iter().find(|bad| options.patterns.is_empty() || named(&bad.path))
    {
        return Err(failure(&scene.error));
    }
    let failed = |error: GoldenError| failure(&error);
    if options.prune {
        let mut removed = 0;
        for folder in golden_folders(&paths, root, &scenes) {
            for one in dangling(&folder, &scenes).map_err(failed)? {
                std::fs::remove_file(&one.path).map_err(|error| {
                    Failure::bad_input(format!("{}: {error}", one.path.display()))
                })?;
                console.info(&format!("removed {}", one.path.display()));
                removed += 1;
            }
        }
        console.info(&format!("{} removed", counted(removed, "golden")));
        return Ok(());
    }
    scenes.retain(|scene| scene.frames().iter().any(|&frame| wanted(scene, &scene.file(frame))));
    if let Some(text) = options.patterns.iter().find(|text| {
        let has = |path: &Path| path.to_string_lossy().contains(text.as_str());
        !scenes.iter().any(|scene| {
            has(&scene.path) || scene.frames().iter().any(|&frame| has(&scene.file(frame)))
        })
    }) {
        let message =
            format!("no scene or golden has {text:?} in its path; tintype test --list prints them");
        return Err(Failure::bad_input(message));
    }
    let (mut written, mut refreshed) = (0, 0);
    for scene in &scenes {
        for one in scene.bless(|golden| wanted(scene, golden), options.beside).map_err(failed)? {
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
    }
    // What was written is read back and compared, as `test` does.
    for scene in &scenes {
        let checked = scene.check(|frame| wanted(scene, &scene.file(frame))).map_err(failed)?;
        if let Some(one) = checked.iter().find(|one| !one.verdict.passes()) {
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
    Ok(())
}
