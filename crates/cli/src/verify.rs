//! `tintype verify`: checks that every frame of a scene, with its views, is present, complete and
//! up to date.
//!
//! Nothing is drawn: a frame is identified by its size and the provenance in its file. Nothing is
//! written; `--tidy` removes temporary files of killed processes.

use super::args::Verify;
use super::build_digest::build_digest;
use super::console::Console;
use super::failure::Failure;
use super::render::{frames, pattern, shard};
use super::stdout::{write_json, write_stdout};
use super::{exit, inputs, load};
use serde::Serialize;
use std::sync::Arc;
use std::time::Duration;
use tintype::Deadline;
use tintype::builder::FrameNumber;
use tintype_base::amount::counted;
use tintype_base::path::ShowPath;
use tintype_host::job::resume::{Beside, ResumeCheck};
use tintype_host::job::{CheckedFile, SequenceCheck, folder_of};
use tintype_host::{FrameStatus, temp_files};
use tintype_render::BoundScene;
use tintype_render::asset::FileError;

pub(super) fn run(options: &Verify, console: &mut Console) -> Result<(), Failure> {
    let mut scene = load::scene(&options.scene)?;
    load::overrides(&options.settings.said, &mut scene)?;
    let asked = frames(options.frames.as_deref(), &scene)?;
    let pattern = pattern(options.output.as_deref(), &scene, &options.scene, asked.len())?;
    let asked = shard(options.shard.as_deref(), asked)?;
    if let Some(record) = &options.inputs {
        inputs::check_scene(record, &scene, &options.scene, console)?;
    }
    let assets = load::assets(&scene, &options.scene, console)?;
    let scene = Arc::new(scene);
    let bound = BoundScene::new(Arc::clone(&scene), assets, &Deadline::NEVER)
        .map_err(|error| Failure::bad_input_chain(&error))?;
    let digest = bound.digest();

    let expected = ResumeCheck {
        pattern: &pattern,
        beside: Beside::of(&scene.output),
        size: scene.output.size,
        digest: &digest,
        build: build_digest(),
    };
    let numbers: Vec<FrameNumber> = asked.iter().map(|&(_, number)| number.into()).collect();
    let check = SequenceCheck::new(&expected, &numbers);
    // An unreadable file may still be in order.
    let different = if check.unreadable.iter().any(FileError::is_temporary) {
        exit::TRY_AGAIN
    } else {
        exit::DIFFERENT
    };
    let frames: Vec<Checked> = check.files.iter().map(Checked::of).collect();
    let list = check.outdated();
    if options.json {
        let scene = options.scene.shown();
        let missing = list.as_ref().map(ToString::to_string);
        let report = Report { version: 1, scene, frames: &frames, missing };
        let mut text = serde_json::to_string_pretty(&report)
            .map_err(|error| Failure::bad_input_chain(&error))?;
        text.push('\n');
        write_json(&text)?;
    } else if !options.missing {
        for (path, reason) in frames.iter().filter_map(|one| Some((one.path, one.reason?))) {
            console.error(&format!("{path}: {reason}"));
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
        if check.shows_nothing() && asked.len() == scene.output.frames.len() {
            let message = "all frames are up to date, but nothing is visible in any of them: the pictures are empty";
            return Err(Failure::new(exit::INCOMPLETE, message));
        }
        console.info(&format!("{} up to date", counted(asked.len(), "frame")));
        return Ok(());
    };
    if options.missing {
        write_stdout(format!("{list}\n").as_bytes())?;
        return Err(Failure::new(different, ""));
    }
    let of = asked.len();
    let message =
        format!("{} of {of} need rendering: {list}", counted(list.iter().count(), "frame"));
    Err(Failure::new(different, message))
}

/// The JSON report.
#[derive(Serialize)]
struct Report<'a> {
    version: u32,
    scene: String,
    frames: &'a [Checked<'a>],
    /// The frames to be rendered, in the form of `render -f`.
    missing: Option<String>,
}

/// One frame of the report.
#[derive(Serialize)]
struct Checked<'a> {
    frame: i64,
    path: &'a str,
    state: State,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'a str>,
}

impl<'a> Checked<'a> {
    fn of(file: &'a CheckedFile) -> Self {
        let (state, reason) = match &file.status {
            FrameStatus::Current { .. } => (State::Current, None),
            FrameStatus::Missing => (State::Missing, Some("missing")),
            FrameStatus::Stale(why) => (State::Stale, Some(why.as_str())),
            FrameStatus::Broken(why) => (State::Broken, Some(why.as_str())),
        };
        Self { frame: file.frame.0, path: &file.path, state, reason }
    }
}

/// Status of a file.
#[derive(Clone, Copy, Serialize)]
#[serde(rename_all = "kebab-case")]
enum State {
    /// It is that frame.
    Current,
    /// The file does not exist.
    Missing,
    /// A whole frame of something else.
    Stale,
    /// Not a whole frame.
    Broken,
}
