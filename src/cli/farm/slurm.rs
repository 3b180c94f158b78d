//! Slurm: the batch scripts, and the four programs that are asked: sbatch, squeue, scancel and scontrol.
//!
//! Accounting (`sacct`) is not asked: many sites have none.

use super::args::SlurmOptions;
use super::plan::Plan;
use super::stop::{command_of, quoted as shell};
use super::ticket::{Ticket, farm_folder, log_folder};
use super::{Failure, exit, job_name, wrapper};
use crate::scene::nearest_word;
use std::fmt::Write;
use std::path::Path;
use std::process::Command;

/// The most seconds before the time limit at which a task is asked to end at a frame's edge.
const BEFORE_LIMIT_S: u64 = 60;

/// How often the last job is started again: it says what it sees, and need not have seen every node.
const MOST_VERIFIES: u32 = 2;

/// The scripts of one submission.
pub(super) struct Scripts {
    /// Looks at a node before any task starts.
    pub check: String,
    /// The job array.
    pub frames: String,
    /// Comes after it, whatever became of it.
    pub verify: String,
}

impl Scripts {
    /// Writes them; `folder` is the whole path of the folder of the frames.
    pub fn new(plan: &Plan, ticket: &Ticket, folder: &Path) -> Result<Self, Failure> {
        let name = job_name(&plan.name);
        let Ticket { working_folder, slurm, .. } = ticket;
        let minutes = slurm.time.unwrap_or_else(|| minutes_for(plan.task_s()));
        let head = |what: &str,
                    suffix: &str,
                    log_file: &str,
                    rest: &str|
         -> Result<String, Failure> {
            let mut text = format!(
                "#!/bin/bash\n# {what}\n# Written by {}; submit it with sbatch, or let `tintype farm submit` do that.\n#SBATCH --job-name={name}{suffix}\n#SBATCH --output=/dev/null\n#SBATCH --chdir={}\n#SBATCH --ntasks=1\n#SBATCH --requeue\n",
                ticket.program,
                directive(&working_folder.to_string_lossy())?,
            );
            for option in slurm
                .partition
                .iter()
                .map(|name| format!("--partition={name}"))
                .chain(slurm.extra.iter().cloned())
            {
                let _ = writeln!(text, "#SBATCH {}", line(&option)?);
            }
            text += rest;
            Ok(text + &wrapper::start(&log_folder(folder), log_file))
        };
        let program = shell(&plan.program);
        let output = plan.output.clone();
        let look = wrapper::look(plan, ticket, folder);

        // 1. Before all: one node.
        let check = head(
            &format!("Looks at a node before the frames of {} are begun", plan.scene.display()),
            "-check",
            "$SLURM_JOB_ID-check.log",
            &format!(
                "#SBATCH --cpus-per-task=1\n#SBATCH --mem={}\n#SBATCH --time=5\n",
                plan.memory_mib
            ),
        )? + wrapper::FAIL
            + &look
            + "exit 0\n";

        // 2. The frames.
        let render = [
            &[plan.program.clone(), "render".to_owned(), plan.scene.display().to_string()][..],
            &["-f".to_owned(), plan.frames.to_string()],
            &["--shard".to_owned(), format!("slurm/{}", plan.tasks)],
            &["-o".to_owned(), output.clone()],
            &["--keep-going", "--retries", "3", "--record", "--progress", "plain"]
                .map(str::to_owned),
            &plan.options[..],
        ]
        .concat();
        let at_once = slurm.parallel.map_or_else(String::new, |most| format!("%{most}"));
        let frames = head(
            &format!("{}: {}", plan.scene.display(), plan.described()),
            "",
            "$me.log",
            &format!(
                "#SBATCH --array=0-{}{at_once}\n#SBATCH --cpus-per-task={}\n#SBATCH --mem={}\n#SBATCH --time={minutes}\n#SBATCH --signal=B:USR1@{}\n",
                plan.tasks - 1,
                plan.cpus,
                plan.memory_mib,
                before_limit_s(minutes),
            ),
        )? + &wrapper::elsewhere(slurm.restarts)
            + &look
            + &wrapper::render(&command_of(&render));

        // 3. After all: what the disk says.
        let verify = [
            &[plan.program.clone(), "verify".to_owned(), plan.scene.display().to_string()][..],
            &["-f".to_owned(), ticket.all.clone(), "-o".to_owned(), output],
            // No task of the job is left, so nobody writes any more.
            &["--tidy".to_owned(), "0".to_owned()],
            &plan.options[..],
        ]
        .concat();
        let verify = head(
            &format!("Says whether all frames of {} are there", plan.scene.display()),
            "-verify",
            "$SLURM_JOB_ID-verify.log",
            &format!(
                "#SBATCH --cpus-per-task=1\n#SBATCH --mem={}\n#SBATCH --time=60\n",
                plan.memory_mib
            ),
        )? + &wrapper::elsewhere(slurm.restarts.min(MOST_VERIFIES))
            + &look
            + &format!(
                "{}; verdict=$?\n{program} farm status {} --report {}\nexit \"$verdict\"\n",
                command_of(&verify),
                shell(&folder.to_string_lossy()),
                shell(&farm_folder(folder).join("report.html").to_string_lossy()),
            );
        Ok(Self { check, frames, verify })
    }
}

/// The value of a directive, in quotes; `%` would be a place for a number.
fn directive(text: &str) -> Result<String, Failure> {
    let text = line(text)?;
    let folders = text.rsplit_once('/').map_or("", |(folders, _)| folders);
    if text.contains(['"', '\\']) || folders.contains('%') {
        return Err(Failure::bad_input(format!(
            "{text}: Slurm takes no quotes, backslashes or percent signs in the names of folders"
        )));
    }
    Ok(format!("\"{text}\""))
}

fn line(text: &str) -> Result<&str, Failure> {
    match text.contains(char::is_control) {
        true => Err(Failure::bad_input(format!("{text:?}: Slurm takes no such letters"))),
        false => Ok(text),
    }
}

/// Four times what was measured, and ten minutes: nodes differ, and share.
#[expect(clippy::cast_possible_truncation, reason = "an estimate; else it saturates")]
#[expect(clippy::cast_sign_loss, reason = "never below 0")]
fn minutes_for(task_s: f64) -> u64 {
    (task_s * 4.0 / 60.0).ceil() as u64 + 10
}

/// Seconds before the time limit at which a task is asked to end at a frame's edge: a third of a short limit, else it would be
/// asked as soon as it has begun.
fn before_limit_s(minutes: u64) -> u64 {
    (minutes * 60 / 3).min(BEFORE_LIMIT_S)
}

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

    #[test]
    fn slurm_asks_a_task_to_end_before_its_limit_and_not_at_once() {
        assert_eq!([1, 2, 3, 60].map(before_limit_s), [20, 40, 60, 60]);
    }

    #[test]
    fn slurm_directives_take_no_quotes() {
        assert_eq!(directive("/a b/%A_%a.log").ok().as_deref(), Some("\"/a b/%A_%a.log\""));
        assert!(directive("/a\"b").is_err() && directive("/a\nb").is_err());
    }
}
