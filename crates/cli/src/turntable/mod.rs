//! `tintype turntable`: a camera orbit around one model, or around each of many, without a scene.
//!
//! [`tintype_framing::TurntableScene`] makes the scene, which `--save-scene` writes. [`turn`] draws
//! one turntable and [`several`] draws many; this file chooses between them.

mod contact_sheet;
mod outputs;
mod several;
mod subject;
mod turn;

use super::args::{Png, Turntable};
use super::console::Console;
use super::failure::Failure;
use super::journal;
use super::load::refuse_what_is_no_model;
use super::models::Found;
use super::signals::Signals;
use outputs::{failure, outputs_of_one};
use several::TurntableBatch;
pub(super) use several::refuse_what_is_for_one;
use std::path::{Path, PathBuf};
use std::time::Instant;
use subject::{alone, inputs_of, load_scene, save_scene};
use tintype::setting::{Door, Settings};
use tintype::{Files, LoadOptions};
use tintype_base::amount::counted;
use tintype_base::path::{ShowPath, path_of_text};
use tintype_farm::folders::farm_folder;
use tintype_framing::ModelPath;
use tintype_host::job::journal::{Journal, Subject as RecordedSubject};
use tintype_host::job::{FrameOutput, Outputs, folder_of};
use tintype_render::asset::Inputs;
use tintype_render::asset::input::is_folder;
use tintype_scene::FramePattern;
use turn::TurntableRun;

pub(super) fn run(
    options: &Turntable,
    pool: &rayon::ThreadPool,
    console: &mut Console,
) -> Result<(), Failure> {
    if let ([_, _, ..], None) = (options.clips.as_slice(), options.settings.said.clip()) {
        let count = options.clips.len();
        let message =
            format!("--anim: {count} files, but only one clip plays; select it with --clip NAME");
        return Err(Failure::bad_input(message));
    }
    if let Some(folder) = options.textures.iter().find(|folder| !is_folder(&Files::Disk, folder)) {
        let message = format!("--textures: {}: no such folder", folder.shown());
        return Err(Failure::bad_input(message));
    }
    console.set_file_scene(options.file_scene.clone());
    if let ([_, another, ..], None) = (options.settings.clips.as_slice(), &options.contact_sheet) {
        let message =
            format!("--clip {another:?}: only one clip plays; use --contact-sheet to show several");
        return Err(Failure::bad_input(message));
    }
    match (alone(options), &options.contact_sheet) {
        (Some(model), Some(path)) => contact_sheet::run(options, [model, path], pool, console),
        (Some(model), None) => of_one(options, model, pool, console),
        (None, _) => TurntableBatch::new(options, console)?.run(pool, console),
    }
}

fn of_one(
    options: &Turntable,
    model: &Path,
    pool: &rayon::ThreadPool,
    console: &mut Console,
) -> Result<(), Failure> {
    refuse_what_is_no_model(model)?;
    if options.attempt.inputs.is_some() {
        return Err(Failure::bad_input(
            "--inputs needs --list: the record covers the models of a list",
        ));
    }
    let Outputs { frames, animations } = outputs_of_one(options, model)?;
    animations.check().map_err(|error| failure(&error))?;
    let record = match (&frames, options.attempt.record) {
        (_, false) => Journal::none(),
        (FrameOutput::Files(pattern), true) => {
            let subject = RecordedSubject::models("turntable", 1);
            journal::begin(subject, None, &folder_of(pattern))?
        }
        (_, true) => return Err(Failure::bad_input("--record needs a folder: add --output DIR")),
    };
    let order = TurntableRun { options, model, frames, animations, is_alone: true };
    let result = turn_one(&order, &record, pool, console);
    journal::end(&record, result.as_ref().err(), console);
    result
}

fn turn_one(
    order: &TurntableRun,
    record: &Journal,
    pool: &rayon::ThreadPool,
    console: &mut Console,
) -> Result<(), Failure> {
    let TurntableRun { options, model, .. } = order;
    let verify = options.attempt.verify;
    let subject = pool.install(|| load_scene(options, ModelPath::alone(model), console))?;
    let turned = if verify {
        pool.install(|| order.verify(&subject))?
    } else {
        let stop = Signals::listening("the frames in flight");
        order.turn(&subject, pool, &stop, console)?
    };
    let name = model.file_name().unwrap_or_default().to_string_lossy();
    record.model(turn::recorded(&name, &turned));
    let warnings = counted(console.warnings().len(), "warning");
    console.info(&format!("{}; {warnings}", turned.described(verify)));
    Ok(())
}

/// Bytes of each further frame in work.
pub(super) fn bytes_in_flight(options: &Turntable) -> u64 {
    let said = options.settings.said.or(Settings::usual(Door::Turntable));
    let [width, height] = said.size().unwrap_or_default().map(u64::from);
    width * height * (16 + 4 * said.aov().unwrap_or_default().len() as u64)
}

/// The path of a model in its scene: below the base of a list, if there is one.
fn model_path<'a>(options: &'a Turntable, found: &'a Found) -> ModelPath<'a> {
    match &options.models.base {
        Some(base) => ModelPath::Below { base, name: &found.name },
        None => ModelPath::Plain(&found.path),
    }
}

/// The files of the turntable of a model.
pub(super) fn inputs(
    options: &Turntable,
    found: &Found,
    load_options: &LoadOptions,
) -> Result<Inputs, Failure> {
    inputs_of(options, model_path(options, found), load_options)
}

/// Writes the turntable scene of one model to a folder beside its frames, and returns their names,
/// so that several tasks can draw them. None for several models, or if one process must draw all
/// frames.
pub(super) fn scene_to_share(
    options: &Turntable,
    console: &mut Console,
) -> Result<Option<(PathBuf, FramePattern)>, Failure> {
    let Some(model) = alone(options) else { return Ok(None) };
    let Outputs { frames: FrameOutput::Files(pattern), animations } =
        outputs_of_one(options, model)?
    else {
        return Ok(None);
    };
    let of_all = [
        ("a file of all frames", !animations.is_empty()),
        ("--contact-sheet", options.contact_sheet.is_some()),
        ("--directions", options.settings.said.directions().is_some()),
        ("--file-scene", options.file_scene.is_some()),
        ("--overwrite", options.overwrite),
        ("--png", options.png != Png::Fast),
        ("--output", !pattern.text().ends_with(".png")),
    ];
    if let Some((why, _)) = of_all.iter().find(|(_, is_asked)| *is_asked) {
        console.info(&format!("{why}: one task draws all frames of a model"));
        return Ok(None);
    }
    refuse_what_is_no_model(model)?;
    let subject = load_scene(options, ModelPath::alone(model), console)?;
    if !subject.has_mesh() {
        return Ok(None);
    }
    let name = format!("{}.toml", model.file_name().unwrap_or_default().shown());
    let path = farm_folder(&folder_of(&pattern)).join(path_of_text(&name));
    save_scene(&path, options, model, &subject, console)?;
    Ok(Some((path, pattern)))
}

/// Draws one frame of a model and discards it; returns the estimated seconds of its turntable.
pub(super) fn try_out(
    options: &Turntable,
    found: &Found,
    console: &mut Console,
) -> Result<f64, Failure> {
    let started = Instant::now();
    let subject = load_scene(options, model_path(options, found), console)?;
    let loaded_s = started.elapsed().as_secs_f64();
    if subject.has_mesh() {
        Ok(loaded_s + TurntableRun::of_several(options, found)?.try_out(&subject)?)
    } else {
        Ok(loaded_s)
    }
}

/// Those of the models without a complete turntable that is up to date.
pub(super) fn without_picture(
    options: &Turntable,
    models: Vec<Found>,
    console: &Console,
) -> Result<Vec<Found>, Failure> {
    let mut without = Vec::new();
    let mut silent = console.silent();
    for found in models {
        let is_there = match load_scene(options, model_path(options, &found), &mut silent) {
            Ok(subject) if !subject.has_mesh() => true,
            Ok(subject) => TurntableRun::of_several(options, &found)?.verify(&subject).is_ok(),
            Err(_) => false,
        };
        if !is_there {
            without.push(found);
        }
    }
    Ok(without)
}
