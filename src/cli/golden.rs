//! `tintype test`, `tintype bless` and `tintype diff`: pictures of today against those of before.

use super::args::{Bless, Diff, Test};
use super::console::Console;
use super::{Failure, chain, counted, exit};
use crate::compare::{Difference, compare, difference_picture};
use crate::frame::Frame;
use crate::golden::{Checked, GoldenError, GoldenScene, dangling};
use crate::output::{PngEffort, decode_png, encode_png, write_atomic};
use rayon::prelude::*;
use std::path::{Path, PathBuf};

pub(super) fn test(options: &Test, console: &mut Console) -> Result<(), Failure> {
    let wanted = |path: &Path| {
        options.filter.as_ref().is_none_or(|text| path.to_string_lossy().contains(text.as_str()))
    };
    let root = options.golden.as_deref();
    let scenes = read_scenes(&options.paths, root, &wanted)?;
    if options.list {
        let mut text = String::new();
        for scene in &scenes {
            for (_, frame) in scene.frames() {
                text += &format!(
                    "{} frame {frame}: {}\n",
                    scene.path.display(),
                    scene.file(frame).display()
                );
            }
        }
        return super::write_stdout(text.as_bytes());
    }

    // Scenes run side by side; what is said stands in their order.
    let results: Vec<Result<Vec<Checked>, GoldenError>> =
        scenes.par_iter().map(GoldenScene::check).collect();
    let (mut same, mut failed) = (0, 0);
    let mut bad_input = None;
    let mut changed_scenes = Vec::new();
    for (scene, result) in scenes.iter().zip(results) {
        let checked = match result {
            Ok(checked) => checked,
            Err(error) => {
                console.error(&format!("{}: {}", scene.path.display(), chain(&error)));
                bad_input.get_or_insert(Failure::new(exit::BAD_INPUT, ""));
                continue;
            }
        };
        for one in &checked {
            if one.verdict.passes() {
                same += 1;
                continue;
            }
            failed += 1;
            changed_scenes.push(scene.path.display().to_string());
            report(console, one);
            if let Some(folder) = &options.pictures {
                write_pictures(folder, scene, one)?;
            }
        }
    }
    // Goldens of scenes that are gone show only where a whole folder is tested.
    for folder in golden_folders(&options.paths, root, &scenes) {
        for one in dangling(&folder, &scenes).iter().filter(|_| options.filter.is_none()) {
            failed += 1;
            report(console, one);
        }
    }
    if let Some(failure) = bad_input {
        return Err(failure);
    }
    if same + failed == 0 {
        return Err(Failure::new(exit::DIFFERENT, "no golden was compared"));
    }
    console.info(&format!("{} the same, {failed} failed", counted(same, "golden")));
    if failed == 0 {
        return Ok(());
    }
    changed_scenes.dedup();
    let accept = match changed_scenes.as_slice() {
        [] => "tintype bless --prune".to_owned(),
        scenes => format!("tintype bless {}", scenes.join(" ")),
    };
    Err(Failure::new(exit::DIFFERENT, format!("to accept the new pictures: {accept}")))
}

fn report(console: &Console, one: &Checked) {
    console.error(&format!("{}: {}", one.path.display(), one.verdict));
}

/// The scenes of the paths that list goldens, sorted. A scene that is named must list some; one that a folder holds need not.
fn read_scenes(
    paths: &[PathBuf],
    root: Option<&Path>,
    wanted: &dyn Fn(&Path) -> bool,
) -> Result<Vec<GoldenScene>, Failure> {
    let failed = |error: GoldenError| Failure::bad_input(chain(&error));
    let mut scenes = Vec::new();
    for path in paths {
        if !path.is_dir() {
            scenes.push(GoldenScene::read(path, root).map_err(failed)?);
            continue;
        }
        for file in scene_files(path)?.into_iter().filter(|file| wanted(file)) {
            match GoldenScene::read(&file, root) {
                Err(GoldenError::NoGolden { .. }) => {}
                other => scenes.push(other.map_err(failed)?),
            }
        }
    }
    if scenes.is_empty() {
        return Err(Failure::new(exit::DIFFERENT, "no scene with a [golden] table was found"));
    }
    Ok(scenes)
}

/// All `.toml` files below a folder, sorted.
fn scene_files(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        let failed = |error| Failure::bad_input(format!("{}: {error}", folder.display()));
        for entry in std::fs::read_dir(&folder).map_err(failed)? {
            let path = entry.map_err(failed)?.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|own| own == "toml") {
                found.push(path);
            }
        }
    }
    found.sort();
    Ok(found)
}

/// The folders in which every file must be a golden of one of the scenes.
fn golden_folders(paths: &[PathBuf], root: Option<&Path>, scenes: &[GoldenScene]) -> Vec<PathBuf> {
    let mut folders: Vec<PathBuf> = scenes.iter().map(|scene| scene.folder.clone()).collect();
    if paths.iter().any(|path| path.is_dir() && path.ends_with("scenes")) {
        folders = match root {
            Some(root) => vec![root.to_path_buf()],
            None => paths.iter().map(|path| path.with_file_name("golden")).collect(),
        };
    }
    folders.sort();
    folders.dedup();
    folders
}

/// `<folder>/<scene>/0003.{golden,new,diff}.png` of one failure.
fn write_pictures(folder: &Path, scene: &GoldenScene, one: &Checked) -> Result<(), Failure> {
    let (Some(live), Some(frame)) = (&one.live, one.frame) else { return Ok(()) };
    let name = scene.path.file_stem().unwrap_or_default();
    let write = |kind: &str, picture: &Frame| {
        let path = folder.join(name).join(format!("{frame:04}.{kind}.png"));
        let png = encode_png(picture, true, PngEffort::Fast, &[]);
        write_atomic(&path, &png).map_err(|error| Failure::output(&error))
    };
    write("new", live)?;
    let golden = std::fs::read(&one.path).ok().and_then(|bytes| decode_png(&bytes).ok());
    if let Some((golden, _)) = golden {
        write("golden", &golden)?;
        if [golden.width, golden.height] == [live.width, live.height] {
            write("diff", &difference_picture(&golden, live))?;
        }
    }
    Ok(())
}

pub(super) fn bless(options: &Bless, console: &mut Console) -> Result<(), Failure> {
    if std::env::var_os("CI").is_some_and(|value| !value.is_empty()) {
        return Err(Failure::bad_input(
            "goldens are not blessed where CI is set: a person accepts pictures",
        ));
    }
    let wanted = |path: &Path| {
        let path = path.to_string_lossy();
        options.patterns.is_empty()
            || options.patterns.iter().any(|text| path.contains(text.as_str()))
    };
    let paths = [options.scenes.clone()];
    let root = options.golden.as_deref();
    let scenes = read_scenes(&paths, root, &wanted)?;
    let failed = |error: GoldenError| match &error {
        GoldenError::Output(output) => Failure::output(output),
        _ => Failure::bad_input(chain(&error)),
    };
    if options.prune {
        let mut removed = 0;
        for folder in golden_folders(&paths, root, &scenes) {
            for one in dangling(&folder, &scenes) {
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
    let mut written = 0;
    for scene in &scenes {
        for one in scene.bless().map_err(failed)? {
            console.info(&format!("{}: was: {}", one.path.display(), one.verdict));
            written += 1;
        }
    }
    // What was written is read back and compared, as `test` does.
    for scene in &scenes {
        let checked = scene.check().map_err(failed)?;
        if let Some(one) = checked.iter().find(|one| !one.verdict.passes()) {
            let message = format!("{}: just written, and {}", one.path.display(), one.verdict);
            return Err(Failure::new(exit::INCOMPLETE, message));
        }
    }
    console.info(&format!(
        "{} written in {}",
        counted(written, "golden"),
        counted(scenes.len(), "scene")
    ));
    Ok(())
}

pub(super) fn diff(options: &Diff, console: &Console) -> Result<(), Failure> {
    let read = |path: &Path| -> Result<Frame, Failure> {
        let bytes = std::fs::read(path)
            .map_err(|error| Failure::bad_input(format!("{}: {error}", path.display())))?;
        let decoded = decode_png(&bytes).map_err(|error| {
            Failure::bad_input(format!("{}: {}", path.display(), chain(&error)))
        })?;
        Ok(decoded.0)
    };
    let (expected, found) = (read(&options.expected)?, read(&options.found)?);
    let Some(difference) = compare(&expected, &found) else {
        console.info("the same");
        return Ok(());
    };
    if let (Some(path), Difference::Pixels(_)) = (&options.output, &difference) {
        let picture = difference_picture(&expected, &found);
        let png = encode_png(&picture, false, PngEffort::Small, &[]);
        write_atomic(path, &png).map_err(|error| Failure::output(&error))?;
    }
    Err(Failure::new(exit::DIFFERENT, difference.to_string()))
}
