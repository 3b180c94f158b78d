//! Slurm: the programs that are asked, which are sbatch, squeue, scancel, scontrol and sinfo; the scripts stand in [`scripts`].
//!
//! Accounting (`sacct`) is not asked: many sites have none.

mod scripts;

use super::args::SlurmOptions;
use super::{Failure, exit, job_name, plan, stop, ticket};
use crate::scene::nearest_word;
pub(super) use scripts::{Scripts, look_script};
use std::path::Path;
use std::process::Command;

/// What one of Slurm's programs answers on standard output.
fn ask(program: &str, arguments: &[&str]) -> Result<String, Failure> {
    let output = Command::new(program).args(arguments).output().map_err(|error| {
        Failure::bad_input(match error.kind() {
            std::io::ErrorKind::NotFound => format!(
                "no {program} on the PATH: this machine is not of a Slurm cluster; --dry-run writes the script, and tintype farm export is for other engines"
            ),
            _ => format!("{program}: {error}"),
        })
    })?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    let said = String::from_utf8_lossy(&output.stderr).trim().replace('\n', "; ");
    // The controller may be away for a while; all else is for good.
    let is_away = ["Unable to contact", "Connection refused", "timed out", "Socket"]
        .iter()
        .any(|words| said.contains(words));
    let code = if is_away { exit::TRY_AGAIN } else { exit::BAD_INPUT };
    Err(Failure::new(code, format!("{program} {}: {said}", arguments.join(" "))))
}

/// The most tasks that a job array may have on this cluster.
pub(super) fn most_tasks() -> Result<u64, Failure> {
    let config = ask("scontrol", &["show", "config"])?;
    let value = config.lines().find_map(|line| {
        let (key, value) = line.split_once('=')?;
        (key.trim() == "MaxArraySize").then(|| value.trim().parse().ok())?
    });
    // The default of Slurm.
    Ok(value.unwrap_or(1001))
}

/// Refuses a partition that is not there.
pub(super) fn check_partition(options: &SlurmOptions) -> Result<(), Failure> {
    let Some(asked) = options.partition.as_deref() else { return Ok(()) };
    let text = ask("sinfo", &["-h", "-a", "-o", "%R"])?;
    let mut names: Vec<&str> = text.lines().map(str::trim).collect();
    names.sort_unstable();
    names.dedup();
    // Several may be named.
    for one in asked.split(',') {
        if !names.contains(&one) {
            let nearest = nearest_word(one, names.iter().copied());
            let hint = nearest.map_or_else(String::new, |name| format!("; did you mean {name:?}?"));
            return Err(Failure::bad_input(format!(
                "--partition: no partition {one:?}{hint}; there are {}",
                names.join(", ")
            )));
        }
    }
    Ok(())
}

/// Submits a script; gives the job's number.
pub(super) fn submit(script: &Path, options: &[String]) -> Result<String, Failure> {
    let script = script.display().to_string();
    let words: Vec<&str> = ["--parsable"]
        .into_iter()
        .chain(options.iter().map(String::as_str))
        .chain([script.as_str()])
        .collect();
    let text = ask("sbatch", &words)?;
    Ok(text.trim().split(';').next().unwrap_or_default().to_owned())
}

pub(super) fn cancel(jobs: &[String]) -> Result<(), Failure> {
    let words: Vec<&str> = jobs.iter().map(String::as_str).collect();
    ask("scancel", &[&["--quiet"], &words[..]].concat()).map(drop)
}

/// A task in the queue.
#[derive(Clone, Debug, serde::Serialize)]
pub(super) struct Queued {
    pub job: String,
    /// Its place in the array; none for a job without.
    pub task: Option<u64>,
    pub state: String,
    pub node: String,
    pub reason: String,
}

impl Queued {
    /// Whether it is over.
    pub fn has_ended(&self) -> bool {
        ![
            "PENDING",
            "RUNNING",
            "CONFIGURING",
            "COMPLETING",
            "SUSPENDED",
            "REQUEUED",
            "REQUEUE_HOLD",
            "SPECIAL_EXIT",
            "STAGE_OUT",
            "SIGNALING",
            "RESIZING",
            "STOPPED",
        ]
        .contains(&self.state.as_str())
    }

    /// Whether it will never start unless somebody does something.
    pub fn is_stuck(&self) -> bool {
        let reason = self.reason.to_ascii_lowercase();
        let bad = [
            "held",
            "dependencyneversatisfied",
            "partitiondown",
            "badconstraints",
            "down, drained",
            "drained",
            "partitionnodelimit",
            "partitiontimelimit",
            "invalid",
        ];
        self.state == "PENDING" && bad.iter().any(|words| reason.contains(words))
    }
}

/// The tasks of some jobs that Slurm still knows of.
pub(super) fn queue(jobs: &[String]) -> Result<Vec<Queued>, Failure> {
    let mut found = Vec::new();
    for job in jobs {
        let text =
            match ask("squeue", &["-h", "-r", "-t", "all", "-o", "%F|%K|%T|%N|%r", "-j", job]) {
                Ok(text) => text,
                // Slurm forgets jobs that are over.
                Err(failure) if failure.message.contains("Invalid job id") => continue,
                Err(failure) => return Err(failure),
            };
        found.extend(text.lines().filter_map(|line| {
            let mut parts = line.splitn(5, '|').map(str::to_owned);
            let (job, task) = (parts.next()?, parts.next()?);
            let (state, node, reason) = (parts.next()?, parts.next()?, parts.next()?);
            Some(Queued { job, task: task.parse().ok(), state, node, reason })
        }));
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slurm_tells_stuck_tasks_from_waiting_ones() {
        let queued = |state: &str, reason: &str| Queued {
            job: "1".to_owned(),
            task: Some(0),
            state: state.to_owned(),
            node: String::new(),
            reason: reason.to_owned(),
        };
        assert!(queued("PENDING", "launch failed requeued held").is_stuck());
        assert!(queued("PENDING", "DependencyNeverSatisfied").is_stuck());
        assert!(!queued("PENDING", "Resources").is_stuck());
        assert!(!queued("RUNNING", "None").is_stuck());
        assert!(
            queued("NODE_FAIL", "None").has_ended() && !queued("PENDING", "BeginTime").has_ended()
        );
    }
}
