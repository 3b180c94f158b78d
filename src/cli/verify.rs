//! `tintype verify`: checks that every frame of a scene, with its views, is present, complete and up to date.
//!
//! Nothing is drawn: a frame is identified by its size and the provenance in its file. Nothing is written; `--tidy` removes temporary
//! files of killed processes.

use super::args::Verify;
use super::build_digest::build_digest;
use super::console::Console;
use super::failure::Failure;
use super::render::{frames, pattern, shard};
use super::stdout::write_stdout;
use super::{exit, load};
use crate::deadline::Deadline;
use crate::diagnostic::counted;
use crate::job::folder_of;
use crate::job::resume::{files_of, provenance};
use crate::output::{CheckLevel, ExpectedFile, FrameStatus, temp_files};
use crate::render::BoundScene;
use crate::scene::FrameList;
use rayon::prelude::*;
use serde::Serialize;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

pub(super) fn run(options: &Verify, console: &mut Console) -> Result<(), Failure> {
    let mut scene = load::scene(&options.scene)?;
    options.overrides.to_output().apply(&mut scene.output);
    let asked = frames(options.frames.as_deref(), &scene)?;
    let asked = shard(options.shard.as_deref(), asked)?;
    let pattern = pattern(options.output.as_deref(), &scene, &options.scene)?;
    let assets = load::assets(&scene, &options.scene, console)?;
    let scene = Arc::new(scene);
    let bound = BoundScene::new(Arc::clone(&scene), assets, &Deadline::NEVER)
        .map_err(|error| Failure::bad_input_chain(&error))?;
    let digest = bound.digest();

    // The files of each frame: its picture, then its views.
    let files: Vec<(i64, Option<String>, String)> = asked
        .iter()
        .flat_map(|&(_, number)| {
            files_of(number, &pattern, &scene.output.aov)
                .map(move |(view, path)| (number, view, path))
        })
        .collect();
    let checked: Vec<Result<FrameStatus, Failure>> = files
        .par_iter()
        .map(|(number, view, path)| {
            let provenance = provenance(*number, &digest, build_digest());
            let size = scene.output.size;
            ExpectedFile { size, provenance: &provenance, view: view.as_deref() }
                .check(Path::new(path), CheckLevel::Pixels)
                .map_err(|error| load::unreadable(Path::new(path), &error))
        })
        .collect();
    let mut is_empty = true;
    let mut frames = Vec::new();
    for ((frame, view, path), standing) in files.into_iter().zip(checked) {
        let (state, reason) = match standing? {
            FrameStatus::Current { is_empty: this_is } => {
                is_empty &= this_is || view.is_some();
                (State::Current, None)
            }
            FrameStatus::Missing => (State::Missing, Some("missing".to_owned())),
            FrameStatus::Stale(why) => (State::Stale, Some(why)),
            FrameStatus::Broken(why) => (State::Broken, Some(why)),
        };
        frames.push(Checked { frame, path, state, reason });
    }
    let bad: Vec<&Checked> = frames.iter().filter(|one| one.reason.is_some()).collect();
    // A frame is rendered with its views, so it is listed once.
    let mut bad_frames: Vec<i64> = bad.iter().map(|one| one.frame).collect();
    bad_frames.dedup();
    let list = FrameList::from_rising(bad_frames.iter().copied());
    if options.json {
        let scene = options.scene.display().to_string();
        let missing = list.as_ref().map(ToString::to_string);
        let report = Report { version: 1, scene, frames: &frames, missing };
        let mut text = serde_json::to_string_pretty(&report)
            .map_err(|error| Failure::bad_input_chain(&error))?;
        text.push('\n');
        write_stdout(text.as_bytes())?;
    } else if !options.missing {
        for one in &bad {
            console.error(&format!("{}: {}", one.path, one.reason.as_deref().unwrap_or_default()));
        }
    }
    if let Some(age_s) = options.tidy {
        let (removed, left) =
            temp_files::remove_stale(&folder_of(&pattern), Duration::from_secs(age_s));
        if removed + left > 0 {
            console.info(&format!("{} removed, {left} left", counted(removed, "unfinished file")));
        }
    }
    let Some(list) = list else {
        if is_empty && asked.len() == scene.output.frames.len() {
            let message = "all frames are up to date, but no instance is visible in any: the pictures are empty";
            return Err(Failure::new(exit::INCOMPLETE, message));
        }
        console.info(&format!("{} in order", counted(asked.len(), "frame")));
        return Ok(());
    };
    if options.missing {
        write_stdout(format!("{list}\n").as_bytes())?;
        return Err(Failure::new(exit::DIFFERENT, ""));
    }
    let of = asked.len();
    let message = format!("{} of {of} need rendering: {list}", counted(bad_frames.len(), "frame"));
    Err(Failure::new(exit::DIFFERENT, message))
}

/// The JSON report.
#[derive(Serialize)]
struct Report<'a> {
    version: u32,
    scene: String,
    frames: &'a [Checked],
    /// The frames to be rendered, as `render -f` takes them.
    missing: Option<String>,
}

/// One frame of the report.
#[derive(Serialize)]
struct Checked {
    frame: i64,
    path: String,
    state: State,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
}

/// Status of a file.
#[derive(Clone, Copy, Serialize)]
#[serde(rename_all = "kebab-case")]
enum State {
    /// It is that frame.
    Current,
    /// There is no file.
    Missing,
    /// It is a whole frame of something else.
    Stale,
    /// It is no whole frame.
    Broken,
}
