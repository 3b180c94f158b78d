//! `tintype farm`: job files for engines that farms already have, and what became of the jobs.
//!
//! The engine owns the queue, the retries and the nodes. Every task is a plain `tintype render`, `thumbnail` or `turntable` of its share;
//! what is not a picture stands in `.tintype` beside the pictures. No daemon, no queue and no protocol is ours.

pub(super) mod args;
mod history;
mod job;
mod kubernetes;
mod logs;
mod look;
mod openjd;
mod page;
mod plan;
mod queue;
mod retry;
mod sample;
mod slurm;
mod status;
mod stuck;
mod submit;
mod ticket;
mod units;
pub(super) mod words;
mod wrapper;

use super::console::Console;
use super::{
    Failure, chain, console, counted, exit, load, render, sequence, signals, thumbnail, turntable,
    write_stdout,
};
use args::{Export, Farm, FarmCommand, OfModels, Pictures};
use plan::Plan;

pub(super) fn run(options: &Farm, console: &mut Console) -> Result<(), Failure> {
    match &options.command {
        FarmCommand::Submit(options) => submit::submit(options, console),
        FarmCommand::Status(options) => status::status(options, console),
        FarmCommand::Retry(options) => retry::retry(options, console),
        FarmCommand::Cancel(options) => submit::cancel(&options.folder, console),
        FarmCommand::Logs(options) => logs::logs(options, console),
        FarmCommand::Look(options) => look::look(options, console),
        FarmCommand::Export(options) => export(options, console),
    }
}

fn export(options: &Export, console: &mut Console) -> Result<(), Failure> {
    let Export { scene, models, pictures, tasks, image, claim, .. } = options;
    let plan = match (scene, models) {
        (_, Some(models)) => {
            refuse_pictures(pictures, models)?;
            Plan::of_models(models, tasks, console)?
        }
        (Some(scene), None) => Plan::of_scene(scene, pictures, tasks, console)?,
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

/// A text as YAML and JSON write it.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// A word that engines take as a name: small letters, digits and hyphens, a letter first.
fn job_name(name: &str) -> String {
    let safe = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' };
    let word: String = name.chars().map(safe).take(32).collect();
    format!("tintype-{}", word.trim_matches('-')).trim_end_matches('-').to_owned()
}
