//! `tintype verify`: every frame of a scene is there, whole, and the one that `render` would write.
//!
//! Nothing is drawn: a frame is told by its size and the provenance in its file. Nothing is written.

use super::args::Verify;
use super::console::Console;
use super::render::{frames, pattern};
use super::{Failure, chain, counted, exit, load, write_stdout};
use crate::output::{Provenance, decode_png};
use crate::render::Prepared;
use crate::scene::{FrameList, Scene};
use rayon::prelude::*;
use std::path::Path;

pub(super) fn run(options: &Verify, console: &mut Console) -> Result<(), Failure> {
    let scene = load::scene(&options.scene)?;
    let asked = frames(options.frames.as_deref(), &scene)?;
    let pattern = pattern(options.output.as_deref(), &scene, &options.scene)?;
    let assets = load::assets(&scene, &options.scene, console)?;
    let prepared =
        Prepared::new(&scene, &assets).map_err(|error| Failure::bad_input_chain(&error))?;
    let digest = prepared.digest();

    let checked: Vec<Result<Option<String>, Failure>> = asked
        .par_iter()
        .map(|&(_, number)| {
            let wanted = Provenance::of_this_build(number, digest.clone());
            fault(Path::new(&pattern.path(number)), &scene, &wanted)
        })
        .collect();
    let mut bad = Vec::new();
    for (&(_, number), fault) in asked.iter().zip(checked) {
        if let Some(fault) = fault? {
            bad.push(number);
            if !options.missing {
                console.error(&format!("{}: {fault}", pattern.path(number)));
            }
        }
    }
    let Some(list) = FrameList::from_rising(bad.iter().copied()) else {
        console.info(&format!("{} in order", counted(asked.len(), "frame")));
        return Ok(());
    };
    if options.missing {
        write_stdout(format!("{list}\n").as_bytes())?;
        return Err(Failure::new(exit::DIFFERENT, ""));
    }
    let of = asked.len();
    let message = format!("{} of {of} to be rendered: {list}", counted(bad.len(), "frame"));
    Err(Failure::new(exit::DIFFERENT, message))
}

/// What is wrong with the file of one frame; none if it is the one that this build would write.
fn fault(path: &Path, scene: &Scene, wanted: &Provenance) -> Result<Option<String>, Failure> {
    let bytes = match std::fs::read(path) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            return Ok(Some("missing".to_owned()));
        }
        Err(error) => return Err(load::unreadable(path, &error)),
    };
    let (frame, text) = match decode_png(&bytes) {
        Ok(decoded) => decoded,
        Err(error) => return Ok(Some(chain(&error))),
    };
    let [width, height] = scene.output.size;
    if [frame.width, frame.height] != [width, height] {
        let (x, y) = (frame.width, frame.height);
        return Ok(Some(format!("{x}x{y} pixels, the scene asks for {width}x{height}")));
    }
    let found = match Provenance::from_text(&text) {
        Ok(found) => found,
        Err(error) => return Ok(Some(chain(&error))),
    };
    Ok(if found.pixel_revision != wanted.pixel_revision {
        let (old, new) = (found.pixel_revision, wanted.pixel_revision);
        Some(format!("stale: pixel revision {old}, this program has {new}"))
    } else if found.frame != wanted.frame {
        Some(format!("it is frame {}, not {}", found.frame, wanted.frame))
    } else if found.digest != wanted.digest {
        Some("stale: the scene, its assets or its options have changed".to_owned())
    } else {
        None
    })
}
