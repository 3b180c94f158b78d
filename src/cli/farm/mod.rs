//! `tintype farm`: job files for engines that farms already have, and what became of the jobs.
//!
//! The engine owns the queue, the retries and the nodes. Every task is a plain `tintype render` of its share; what is not a frame
//! stands in `.tintype` beside the frames. No daemon, no queue and no protocol is ours.

pub(super) mod args;
mod kubernetes;
mod logs;
mod look;
mod openjd;
mod page;
mod plan;
mod queue;
mod slurm;
mod status;
mod stuck;
mod submit;
mod ticket;
mod wrapper;

use super::console::Console;
use super::{
    Failure, chain, console, counted, exit, load, present, record, render, sequence, stop,
    write_stdout,
};
use args::{Export, Farm, FarmCommand};
use plan::Plan;

pub(super) fn run(options: &Farm, console: &mut Console) -> Result<(), Failure> {
    match &options.command {
        FarmCommand::Submit(options) => submit::submit(options, console),
        FarmCommand::Status(options) => status::status(options, console),
        FarmCommand::Retry(options) => submit::retry(options, console),
        FarmCommand::Cancel(options) => submit::cancel(&options.folder, console),
        FarmCommand::Logs(options) => logs::logs(options, console),
        FarmCommand::Look(options) => look::look(options, console),
        FarmCommand::Export(options) => export(options, console),
    }
}

fn export(options: &Export, console: &mut Console) -> Result<(), Failure> {
    let plan = Plan::new(&options.scene, &options.work, console)?;
    let text = match options.openjd {
        true => openjd::template(&plan)?,
        false => kubernetes::job(&plan, &options.image, &options.claim)?,
    };
    console.info(&plan.described());
    write_stdout(text.as_bytes())
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
