//! Slurm's programs, run as processes of this machine.

use std::io;
use std::process::Command;
use tintype_base::path::path_of_text;
use tintype_farm::slurm::Output;
use tintype_farm::slurm::Slurm;

/// Slurm as this machine sees it.
pub(super) fn slurm() -> Slurm<'static> {
    Slurm(&run)
}

fn run(program: &str, arguments: &[&str]) -> io::Result<Output> {
    let output =
        Command::new(program).args(arguments.iter().map(|word| path_of_text(word))).output()?;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    Ok(Output {
        is_success: output.status.success(),
        stdout: text(&output.stdout),
        stderr: text(&output.stderr),
    })
}
