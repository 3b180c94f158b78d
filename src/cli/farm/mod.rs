//! `tintype farm`: job files for engines that farms already have, and what became of the jobs.
//!
//! The engine owns the queue, the retries and the nodes. Every task is a plain `tintype render`, `thumbnail` or `turntable` of its share;
//! what is not a picture stands in `.tintype` beside the pictures. No daemon, no queue and no protocol is ours.

mod logs;
mod measure;
mod models;
mod preflight;
mod retry;
mod sample;
mod slurm;
mod status;
mod submit;

use super::args::farm::{Export, Farm, FarmCommand, OfModels, Pictures};
use super::console::Console;
use super::{
    Failure, chain, console, counted, exit, load, render, thumbnail, turntable, write_stdout,
};
use crate::submit::submission::Submission;
use crate::submit::{kubernetes, openjd};
use measure::{of_models, of_scene};

pub(super) fn run(options: &Farm, console: &mut Console) -> Result<(), Failure> {
    match &options.command {
        FarmCommand::Submit(options) => submit::submit(options, console),
        FarmCommand::Status(options) => status::status(options, console),
        FarmCommand::Retry(options) => retry::retry(options, console),
        FarmCommand::Cancel(options) => submit::cancel(&options.folder, console),
        FarmCommand::Logs(options) => logs::logs(options, console),
        FarmCommand::Look(options) => preflight::look(options, console),
        FarmCommand::Export(options) => export(options, console),
    }
}

fn export(options: &Export, console: &mut Console) -> Result<(), Failure> {
    let Export { scene, models, pictures, tasks, image, claim, .. } = options;
    let tasks = tasks.to_submit(None);
    let plan = match (scene, models) {
        (_, Some(models)) => {
            refuse_pictures(pictures, models)?;
            of_models(models, &tasks, console)?
        }
        (Some(scene), None) => of_scene(scene, &pictures.to_submit(), &tasks, console)?,
        (None, None) => return Err(Failure::bad_input("name a scene")),
    };
    let text = match (options.openjd, options.kubernetes) {
        (true, false) => openjd::template(&plan)?,
        (false, true) => kubernetes::job(&plan, image, claim)?,
        _ => return Err(Failure::bad_input("say for which engine: --openjd or --kubernetes")),
    };
    plan.write_list()?;
    console.info(&plan.described());
    if !plan.names.is_empty() {
        console.info(&format!("the list of these models is {}: tasks read it", plan.part));
    }
    write_stdout(text.as_bytes())
}

/// Options of scenes mean nothing before a command that has its own.
fn refuse_pictures(pictures: &Pictures, models: &OfModels) -> Result<(), Failure> {
    let word = match models {
        OfModels::Turntable(_) => "turntable",
        OfModels::Thumbnail(_) => "thumbnail",
    };
    match pictures.given() {
        Some(option) => Err(Failure::bad_input(format!(
            "{option} stands before {word}: say it behind, with the other options of {word}"
        ))),
        None => Ok(()),
    }
}

/// Goes to the folder of the submission, so that its paths hold, and takes over its limits of files.
fn enter(submission: &Submission, console: &mut Console) -> Result<(), Failure> {
    console.allow(&submission.limits);
    console.detail(&format!("in {}", submission.working_folder.display()));
    std::env::set_current_dir(&submission.working_folder)
        .map_err(|error| load::unreadable(&submission.working_folder, &error))
}
