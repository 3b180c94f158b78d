//! `tintype turntable`: once around a model, without a scene.
//!
//! What is drawn is a scene like any other, composed by [`crate::portrait`]; `--save-scene` writes it. Frames are drawn side by side
//! and reach the files in their order.

mod sinks;
mod subject;

use super::args::{self, Raw, Turntable};
use super::console::{self, Console};
use super::present::this_build;
use super::sequence::{self, Tally, effort, rate_text, tell_shadows};
use super::stop::Stop;
use super::{Failure, counted, load, write_stdout};
use crate::farm;
use crate::model::Background;
use crate::output::{GifFrame, Provenance, encode_png, write_atomic};
use crate::raster::Cut;
use crate::render::Prepared;
use crate::scene::FrameList;
use sinks::{Sinks, Target, raw_bytes};
use std::ops::ControlFlow;
use std::path::Path;
use std::time::Instant;
pub(super) use subject::background_text;
use subject::{Subject, save_scene};

pub(super) fn run(
    options: &Turntable,
    pool: &rayon::ThreadPool,
    console: &mut Console,
) -> Result<(), Failure> {
    // 1. The model, and the scene that shows it.
    let target = Target::new(options)?;
    let subject = pool.install(|| Subject::load(options, console))?;
    let Subject { scene, assets, timeline, .. } = &subject;
    if let Some(path) = &options.save_scene {
        save_scene(path, options, &subject, console)?;
    }
    let keep_alpha = scene.output.background == Background::Transparent;
    if keep_alpha && options.raw == Some(Raw::Y4m) {
        let message = "--raw y4m has no alpha; use --raw rgba, or another --background";
        return Err(Failure::bad_input(message));
    }
    let prepared = pool
        .install(|| Prepared::new(scene, assets))
        .map_err(|error| Failure::bad_input_chain(&error))?;
    prepared.warnings.iter().for_each(|warning| console.warning(warning));
    tell_shadows(&prepared, console);
    if !timeline.closes {
        let clip = options.clip.as_deref().unwrap_or("clip");
        console.warning(&format!(
            "the loop does not close: the {clip} is much longer or shorter than {}",
            counted(timeline.frames, "frame")
        ));
    }

    // 2. The frames: drawn side by side, added to each file in their order.
    let frames: Vec<i64> = scene.output.frames.iter().collect();
    let digest = prepared.digest();
    let in_flight = pool.current_num_threads();
    let mut sinks = Sinks::new(options, scene, keep_alpha, &digest, &frames)?;
    let wants_gif = options.gif.is_some();
    let job = |k: usize| -> Result<_, Failure> {
        let started = Instant::now();
        let (frame, counts) = pool.install(|| prepared.draw(k, Cut::default()));
        if let Target::Files(pattern) = &target {
            let is_empty = counts.covered_pixels == 0;
            let provenance = Provenance { is_empty, ..this_build(frames[k], &digest) };
            let text = provenance.to_text();
            let png = encode_png(&frame, keep_alpha, effort(options.png), &text);
            write_atomic(Path::new(&pattern.path(frames[k])), &png)
                .map_err(|error| Failure::output(&error))?;
        }
        let reduced = wants_gif.then(|| GifFrame::new(&frame));
        Ok((frame, reduced, counts, started.elapsed().as_secs_f64()))
    };
    let stop = Stop::listen("the frames in flight");
    let mut meter = console.progress(options.progress, frames.len(), "frames");
    let mut tally = Tally::default();
    farm::run_in_order(frames.len(), in_flight, job, |k, result| {
        let added = result.and_then(|(frame, reduced, counts, took_s)| {
            sinks.add(k, &frame, reduced)?;
            if target == Target::Stdout {
                write_stdout(&raw_bytes(options, scene, k, &frame))?;
            }
            Ok((counts, took_s))
        });
        match added {
            Ok((counts, took_s)) => {
                tally.add(frames[k], &counts, took_s, console);
                meter.step(console);
                if stop.is_asked() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            }
            Err(failure) => {
                tally.fail(failure);
                ControlFlow::Break(())
            }
        }
    });
    let seconds = meter.finish().as_secs_f64();

    // 3. What came of it.
    let written = tally.written;
    let to_go_on = |_: &FrameList| sinks.when_stopped(options);
    tally.stopped(&frames, &stop, to_go_on, console)?;
    tally.conclude(frames.len(), in_flight, console)?;
    let files = sinks.finish(options, &frames, scene.output.fps)?;
    let mut places = target.described(&frames);
    files.iter().for_each(|file| places += &format!(", {}", file.display()));
    let plays = match timeline.rounds {
        0 => String::new(),
        1 => ", the clip once".to_owned(),
        rounds => format!(", the clip {rounds} times"),
    };
    console.info(&format!(
        "{}{plays}{places}; {}",
        rate_text(written, seconds),
        counted(console.warnings().len(), "warning"),
    ));
    Ok(())
}
