//! The journal of this process, from the variables of its scheduler to its exit code.

use super::console::Console;
use super::exit;
use super::failure::Failure;
use std::path::Path;
use std::time::SystemTime;
use tintype_host::job::journal::{Journal, Origin, Subject, seconds};

/// Variables with the number of the job: of Slurm, LSF, PBS, AWS Batch and Grid Engine.
const JOBS: [&str; 6] =
    ["SLURM_ARRAY_JOB_ID", "SLURM_JOB_ID", "LSB_JOBID", "PBS_JOBID", "AWS_BATCH_JOB_ID", "JOB_ID"];
/// Variables with the number of the task in its array: of Slurm, Kubernetes, LSF, PBS, AWS Batch
/// and Grid Engine.
const TASKS: [&str; 6] = [
    "SLURM_ARRAY_TASK_ID",
    "JOB_COMPLETION_INDEX",
    "LSB_JOBINDEX",
    "PBS_ARRAY_INDEX",
    "AWS_BATCH_JOB_ARRAY_INDEX",
    "SGE_TASK_ID",
];

/// Starts the journal of this process beside the pictures in `folder`.
///
/// # Errors
/// A [`Failure`] if the file cannot be created.
pub(super) fn begin(
    subject: Subject,
    shard: Option<&str>,
    folder: &Path,
) -> Result<Journal, Failure> {
    let variable = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
    let origin = Origin {
        node: variable("SLURMD_NODENAME"),
        job: JOBS.iter().find_map(|name| variable(name)),
        // Grid Engine sets `undefined` in jobs that are not arrays.
        task: TASKS.iter().find_map(|name| variable(name).filter(|text| text != "undefined")),
        restart: variable("SLURM_RESTART_COUNT"),
    };
    Journal::create(folder, subject, shard, origin, SystemTime::now)
        .map_err(|error| Failure::output(&error))
}

/// Writes the last line of a process ended by SIGTERM.
pub(super) fn terminated(journal: &Journal) {
    journal.end(exit::TRY_AGAIN, "terminated");
}

/// Writes the last line; reports an incomplete journal.
pub(super) fn end(journal: &Journal, failure: Option<&Failure>, console: &Console) {
    let (code, message) = match failure {
        None => (exit::DONE, ""),
        Some(failure) if failure.message.is_empty() => {
            (failure.code, "stopped; all written pictures are complete")
        }
        Some(failure) => (failure.code, failure.message.as_str()),
    };
    journal.end(code, message);
    if let Some(error) = journal.take_error() {
        console.info(&format!("the record of this attempt is incomplete: {error}"));
    }
}

/// Seconds since 1970 by the clock of this machine.
pub(super) fn now() -> f64 {
    seconds(SystemTime::now())
}
