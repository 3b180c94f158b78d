//! `tintype verify`: every frame of a scene is there, whole, and the one that `render` would write, with the views of the scene.
//!
//! Nothing is drawn: a frame is told by its size and the provenance in its file. Nothing is written.

use super::args::Verify;
use super::console::Console;
use super::render::{frames, pattern};
use super::{Failure, chain, counted, exit, load, write_stdout};
use crate::output::{Provenance, decode_png};
use crate::render::Prepared;
use crate::scene::{Aov, FrameList, Scene};
use rayon::prelude::*;
use serde::Serialize;
use std::path::Path;

pub(super) fn run(options: &Verify, console: &mut Console) -> Result<(), Failure> {
    let scene = load::scene(&options.scene)?;
    let asked = frames(options.frames.as_deref(), &scene)?;
    let pattern = pattern(options.output.as_deref(), &scene, &options.scene)?;
    let assets = load::assets(&scene, &options.scene, console)?;
    let prepared =
        Prepared::new(&scene, &assets).map_err(|error| Failure::bad_input_chain(&error))?;
    let digest = prepared.digest();

    // The files of each frame: its picture, then its views.
    let views = || core::iter::once(None).chain(scene.output.aov.iter().map(Some));
    let files: Vec<(i64, Option<String>, String)> = asked
        .iter()
        .flat_map(|&(_, number)| {
            views().map(move |view: Option<&Aov>| (number, view)).map(|(number, view)| match view {
                None => (number, None, pattern.path(number)),
                Some(view) => {
                    (number, Some(view.word()), pattern.beside(&view.file_word()).path(number))
                }
            })
        })
        .collect();
    let checked: Vec<Result<Option<Fault>, Failure>> = files
        .par_iter()
        .map(|(number, view, path)| {
            let wanted = Provenance::of_this_build(*number, digest.clone());
            fault(Path::new(path), &scene, &wanted, view.as_deref())
        })
        .collect();
    let mut frames = Vec::new();
    for ((frame, _, path), fault) in files.into_iter().zip(checked) {
        let fault = fault?;
        let (state, reason) =
            fault.map_or((State::Current, None), |(state, why)| (state, Some(why)));
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
    let Some(list) = list else {
        console.info(&format!("{} in order", counted(asked.len(), "frame")));
        return Ok(());
    };
    if options.missing {
        write_stdout(format!("{list}\n").as_bytes())?;
        return Err(Failure::new(exit::DIFFERENT, ""));
    }
    let of = asked.len();
    let message = format!("{} of {of} to be rendered: {list}", counted(bad_frames.len(), "frame"));
    Err(Failure::new(exit::DIFFERENT, message))
}

/// What `--json` writes.
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

/// How a file stands to the frame that `render` would write.
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

/// What is wrong, for programs and for people.
type Fault = (State, String);

/// What is wrong with the file of one frame; none if it is the one that this build would write.
fn fault(
    path: &Path,
    scene: &Scene,
    wanted: &Provenance,
    view: Option<&str>,
) -> Result<Option<Fault>, Failure> {
    let bytes = match std::fs::read(path) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            return Ok(Some((State::Missing, "missing".to_owned())));
        }
        Err(error) => return Err(load::unreadable(path, &error)),
    };
    let (frame, text) = match decode_png(&bytes) {
        Ok(decoded) => decoded,
        Err(error) => return Ok(Some((State::Broken, chain(&error)))),
    };
    let [width, height] = scene.output.size;
    if [frame.width, frame.height] != [width, height] {
        let (x, y) = (frame.width, frame.height);
        let fault = format!("{x}x{y} pixels, the scene asks for {width}x{height}");
        return Ok(Some((State::Stale, fault)));
    }
    let found = match Provenance::from_text(&text) {
        Ok(found) => found,
        Err(error) => return Ok(Some((State::Stale, chain(&error)))),
    };
    let fault = if found.pixel_revision != wanted.pixel_revision {
        let (old, new) = (found.pixel_revision, wanted.pixel_revision);
        Some(format!("stale: pixel revision {old}, this program has {new}"))
    } else if found.frame != wanted.frame {
        Some(format!("it is frame {}, not {}", found.frame, wanted.frame))
    } else if Provenance::view_of(&text) != view {
        let named = |view: Option<&str>| {
            view.map_or("the picture".to_owned(), |view| format!("the view {view}"))
        };
        Some(format!("it is {}, not {}", named(Provenance::view_of(&text)), named(view)))
    } else if found.digest != wanted.digest {
        Some("stale: the scene, its assets or its options have changed".to_owned())
    } else {
        None
    };
    Ok(fault.map(|fault| (State::Stale, fault)))
}
