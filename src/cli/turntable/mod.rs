//! `tintype turntable`: once around a model, without a scene; or around each of many.
//!
//! What is drawn is a scene like any other, composed by [`crate::framing`]; `--save-scene` writes it. [`turn`] draws one turntable;
//! this file decides what is asked for, of one model or of several, and [`several`] tells what came of these.

mod outputs;
mod several;
mod subject;
mod turn;

use super::args::{self, Turntable};
use super::build_digest::build_digest;
use super::console::{self, Console};
use super::journal;
use super::models::{Found, Gathered, gather};
use super::render::shard;
use super::sequence::{
    all_present_text, conclude, context, effort, files_text, others_text, rate_text, tell,
    view_for_stdout, with_views,
};
use super::signals::Signals;
use super::{Failure, counted, exit, load, stream_to_stdout};
use crate::job::journal::{Journal, Subject as RecordedSubject};
use crate::job::{FrameOutput, folder_of};
use outputs::{animations, failure, frames_of_one};
use several::Several;
pub(super) use several::refuse_what_is_for_one;
use std::path::Path;
use std::time::Instant;
use subject::{Place, Subject};
use turn::{Order, Turned};

pub(super) fn run(
    options: &Turntable,
    pool: &rayon::ThreadPool,
    console: &mut Console,
) -> Result<(), Failure> {
    match alone(options) {
        Some(model) => of_one(options, model, pool, console),
        None => Several::new(options, console)?.carry_out(pool, console),
    }
}

/// The model, where one is named and no folder, pattern or list of them.
fn alone(options: &Turntable) -> Option<&Path> {
    let args::Models { paths, list, base, shard } = &options.models;
    let is_plain = list.is_none() && base.is_none() && shard.is_none();
    let [model] = paths.as_slice() else { return None };
    let is_pattern = || !model.exists() && model.to_string_lossy().contains(['*', '?', '[']);
    (is_plain && !model.is_dir() && !is_pattern()).then_some(model)
}

fn of_one(
    options: &Turntable,
    model: &Path,
    pool: &rayon::ThreadPool,
    console: &mut Console,
) -> Result<(), Failure> {
    let (frames, animations) = (frames_of_one(options, model)?, animations(options));
    animations.check().map_err(|error| failure(&error))?;
    let record = match (&frames, options.attempt.record) {
        (_, false) => Journal::none(),
        (FrameOutput::Files(pattern), true) => {
            let subject = RecordedSubject::models("turntable", 1);
            journal::begin(subject, None, &folder_of(pattern))?
        }
        (_, true) => return Err(Failure::bad_input("--record needs a folder: say --output DIR")),
    };
    let order = Order { options, model, frames, animations, is_alone: true };
    let result = turn_one(&order, &record, pool, console);
    journal::end(&record, result.as_ref().err(), console);
    result
}

fn turn_one(
    order: &Order,
    record: &Journal,
    pool: &rayon::ThreadPool,
    console: &mut Console,
) -> Result<(), Failure> {
    let Order { options, model, .. } = order;
    let verify = options.attempt.verify;
    let subject = pool.install(|| Subject::load(options, Place::Named(model), console))?;
    let turned = if verify {
        pool.install(|| order.verify(&subject))?
    } else {
        let stop = Signals::listening("the frames in flight");
        order.turn(&subject, pool, &stop, console)?
    };
    let name = model.file_name().unwrap_or_default().to_string_lossy();
    record.model(turn::recorded(&name, &turned));
    let warnings = counted(console.warnings().len(), "warning");
    console.info(&format!("{}; {warnings}", turned.described(order, verify)));
    Ok(())
}

/// Bytes of each further frame in work.
pub(super) fn bytes_in_flight(options: &Turntable) -> u64 {
    let [width, height] = options.size.map(u64::from);
    width * height * (16 + 4 * options.views().len() as u64)
}

/// Where a model of a list is, of which the base is said.
fn place_of<'a>(options: &'a Turntable, found: &'a Found) -> Place<'a> {
    match &options.models.base {
        Some(base) => Place::Below { base, name: &found.name },
        None => Place::Named(&found.path),
    }
}

/// Draws one frame of a model, which is not kept; the seconds that its turntable would take.
pub(super) fn try_out(
    options: &Turntable,
    found: &Found,
    console: &mut Console,
) -> Result<f64, Failure> {
    let started = Instant::now();
    let subject = Subject::load(options, place_of(options, found), console)?;
    let loaded_s = started.elapsed().as_secs_f64();
    match subject.has_mesh() {
        true => Ok(loaded_s + Order::of_several(options, found)?.try_out(&subject)?),
        false => Ok(loaded_s),
    }
}

/// Which of these models have no whole and current turntable.
pub(super) fn without_picture(
    options: &Turntable,
    models: Vec<Found>,
    console: &Console,
) -> Result<Vec<Found>, Failure> {
    let mut without = Vec::new();
    let mut hushed = console.hushed();
    for found in models {
        let is_there = match Subject::load(options, place_of(options, &found), &mut hushed) {
            Ok(subject) if !subject.has_mesh() => true,
            Ok(subject) => Order::of_several(options, &found)?.verify(&subject).is_ok(),
            Err(_) => false,
        };
        if !is_there {
            without.push(found);
        }
    }
    Ok(without)
}
