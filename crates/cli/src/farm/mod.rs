//! `tintype farm`: job files for existing engines of farms, and the status of submissions.
//!
//! [`tintype_farm`] does the work; this folder parses options and prints messages. There is no
//! daemon, queue or protocol.

mod enter;
mod export;
mod logs;
mod measure;
mod models;
mod preflight;
mod retry;
mod sample;
mod slurm;
mod status;
mod submit;

use super::args::farm::{Farm, FarmCommand};
use super::console::Console;
use super::failure::Failure;

pub(super) fn run(options: &Farm, console: &mut Console) -> Result<(), Failure> {
    match &options.command {
        FarmCommand::Submit(options) => submit::submit(options, console),
        FarmCommand::Status(options) => status::status(options, console),
        FarmCommand::Retry(options) => retry::retry(options, console),
        FarmCommand::Cancel(options) => submit::cancel(&options.folder, console),
        FarmCommand::Logs(options) => logs::logs(options, console),
        FarmCommand::Look(options) => preflight::look(options, console),
        FarmCommand::Export(options) => export::export(options, console),
    }
}
