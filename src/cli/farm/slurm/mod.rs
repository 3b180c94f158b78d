//! Slurm: the programs that are asked, which are sbatch, squeue, scancel, scontrol and sinfo; the scripts stand in [`scripts`].
//!
//! Accounting (`sacct`) is not asked: many sites have none.

mod scripts;

use super::args::SlurmOptions;
use super::{Failure, exit, job_name, plan, signals, ticket, wrapper};
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
    pub partition: String,
    pub reason: String,
    /// What the shell around the task said where its log may not be seen.
    pub comment: Option<String>,
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

    /// Its number, as Slurm's programs take it.
    pub fn name(&self) -> String {
        self.task.map_or_else(|| self.job.clone(), |task| format!("{}_{task}", self.job))
    }

    /// Whether it waits until somebody lets it go.
    pub fn is_held(&self) -> bool {
        let reason = self.reason.to_ascii_lowercase();
        ["REQUEUE_HOLD", "SPECIAL_EXIT"].contains(&self.state.as_str())
            || self.state == "PENDING" && reason.contains("held")
    }

    /// Whether it waits for nodes that do not take tasks just now.
    pub fn waits_for_nodes(&self) -> bool {
        self.has_reason(&[
            "down, drained",
            "reqnodenotavail",
            "nodedown",
            "partitiondown",
            "partitioninactive",
        ])
    }

    /// Whether it will never start as it is.
    pub fn asks_for_too_much(&self) -> bool {
        self.has_reason(&[
            "dependencyneversatisfied",
            "badconstraints",
            "partitionnodelimit",
            "partitiontimelimit",
            "invalid",
        ])
    }

    fn has_reason(&self, words: &[&str]) -> bool {
        let reason = self.reason.to_ascii_lowercase();
        self.state == "PENDING" && words.iter().any(|words| reason.contains(words))
    }
}

/// A node as Slurm sees it.
#[derive(Clone, Debug)]
pub(super) struct NodeState {
    pub name: String,
    /// A word such as `idle` or `drained`, and marks behind it.
    pub state: String,
    pub reason: String,
}

impl NodeState {
    /// The word without marks.
    pub fn word(&self) -> &str {
        self.state.trim_end_matches(|mark: char| !mark.is_ascii_alphabetic())
    }

    /// Whether tasks are started on it, now or when others end; a star says that it does not answer.
    pub fn takes_tasks(&self) -> bool {
        let takes = ["idle", "mixed", "allocated", "completing", "planned", "reserved", "unknown"];
        takes.contains(&self.word()) && !self.state.contains('*')
    }
}

/// The nodes of a partition.
pub(super) fn nodes(partition: &str) -> Result<Vec<NodeState>, Failure> {
    let text = ask("sinfo", &["-h", "-N", "-p", partition, "-o", "%N|%T|%E"])?;
    let nodes = text.lines().filter_map(|line| {
        let mut parts = line.splitn(3, '|').map(str::to_owned);
        Some(NodeState { name: parts.next()?, state: parts.next()?, reason: parts.next()? })
    });
    Ok(nodes.collect())
}

/// The tasks of some jobs that Slurm still knows of.
pub(super) fn queue(jobs: &[String]) -> Result<Vec<Queued>, Failure> {
    let mut found = Vec::new();
    for job in jobs {
        let text = match ask(
            "squeue",
            &["-h", "-r", "-t", "all", "-o", "%F|%K|%T|%N|%P|%r|%k", "-j", job],
        ) {
            Ok(text) => text,
            // Slurm forgets jobs that are over.
            Err(failure) if failure.message.contains("Invalid job id") => continue,
            Err(failure) => return Err(failure),
        };
        found.extend(text.lines().filter_map(|line| {
            let mut parts = line.splitn(7, '|').map(str::to_owned);
            let (job, task) = (parts.next()?, parts.next()?);
            let (state, node, partition) = (parts.next()?, parts.next()?, parts.next()?);
            let (reason, comment) = (parts.next()?, parts.next()?);
            let comment = Some(comment).filter(|text| !["", "(null)"].contains(&text.as_str()));
            Some(Queued { job, task: task.parse().ok(), state, node, partition, reason, comment })
        }));
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slurm_tells_tasks_that_have_ended() {
        let queued = |state: &str| Queued {
            job: "1".to_owned(),
            task: Some(0),
            state: state.to_owned(),
            node: String::new(),
            partition: String::new(),
            reason: String::new(),
            comment: None,
        };
        assert!(queued("NODE_FAIL").has_ended() && queued("COMPLETED").has_ended());
        assert!(!queued("PENDING").has_ended() && !queued("COMPLETING").has_ended());
        assert_eq!(queued("RUNNING").name(), "1_0");
    }
}
