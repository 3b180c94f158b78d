//! Slurm's programs, run as processes of this machine.

use crate::signals::end_is_asked;
use std::io;
use std::process::Command;
use tintype_base::path::path_of_text;
use tintype_farm::slurm::Output;
use tintype_farm::slurm::Slurm;

/// Slurm as seen from this machine.
pub(super) fn slurm() -> Slurm<'static> {
    Slurm(&run)
}

/// The same, for a submission: further jobs are not submitted after a signal.
pub(super) fn slurm_until_a_signal() -> Slurm<'static> {
    Slurm(&|program, arguments| {
        if program == "sbatch" && end_is_asked().is_some() {
            return Err(io::Error::new(
                io::ErrorKind::Interrupted,
                "submission stopped by a signal",
            ));
        }
        run(program, arguments)
    })
}

fn run(program: &str, arguments: &[&str]) -> io::Result<Output> {
    let mut command = Command::new(program);
    command.args(arguments.iter().map(|word| path_of_text(word)));
    // The signal of a terminal is for this program: otherwise the number of a job that enters the
    // queue would be lost.
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    let output = command.output()?;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    Ok(Output {
        is_success: output.status.success(),
        stdout: text(&output.stdout),
        stderr: text(&output.stderr),
    })
}
