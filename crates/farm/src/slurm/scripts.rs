//! Batch scripts of Slurm: the preflight check of a node, the job array, and the verification after
//! it.
//!
//! They are readable bash, written beside the pictures. The shell code around each task is in
//! [`task_script`].

use super::task_script;
use crate::error::SubmitError;
use crate::folders::{farm_folder, log_folder};
use crate::plan::Plan;
use crate::submission::Submission;
use crate::text::job_name;
use std::fmt::Write;
use std::path::Path;
use tintype_base::printable::one_line;
use tintype_base::shell::{command_line, path_word, quoted as shell};

/// Maximum number of seconds before the time limit at which a task is requested to end after its
/// current picture.
const BEFORE_LIMIT_S: u64 = 60;

/// Maximum number of requeues of the verification; it does not have to run on every node.
const MAX_VERIFIES: u32 = 2;

/// Scripts of one submission, without the preflight check.
pub(super) struct Scripts {
    /// The job array.
    pub array: String,
    /// The verification, which runs after the array whatever its result.
    pub verify: String,
}

impl Scripts {
    /// Writes the scripts; `folder` is the absolute path of the folder of the pictures.
    pub(super) fn new(
        plan: &Plan,
        submission: &Submission,
        folder: &Path,
    ) -> Result<Self, SubmitError> {
        let script = Script { plan, submission, folder };
        Ok(Self { array: script.array()?, verify: script.verify()? })
    }
}

/// The preflight check of several submissions; its log is in the folder of the first.
pub(super) fn preflight_script(
    submissions: &[(&Plan, &Submission, &Path)],
) -> Result<String, SubmitError> {
    let Some(&(plan, submission, folder)) = submissions.first() else { return Ok(String::new()) };
    let what = match submissions.len() {
        1 => plan.job.title(),
        count => format!("{count} jobs, the first is {}", plan.job.title()),
    };
    let memory = submissions.iter().map(|(plan, ..)| plan.memory_mib).max().unwrap_or_default();
    let mut text = Script { plan, submission, folder }.head(&Head {
        what: &format!("Preflight check of a node for {what}"),
        suffix: "-check",
        log: "$SLURM_JOB_ID-check.log",
        rest: &format!("#SBATCH --cpus-per-task=1\n#SBATCH --mem={memory}\n#SBATCH --time=5\n"),
    })?;
    text += task_script::FAIL;
    for &(plan, submission, folder) in submissions {
        text += &task_script::preflight(plan, submission, folder);
    }
    Ok(text + "exit 0\n")
}

/// One submission, with the parts common to its scripts.
struct Script<'a> {
    plan: &'a Plan,
    submission: &'a Submission,
    folder: &'a Path,
}

/// Head of a script.
struct Head<'a> {
    /// Comment that describes the script.
    what: &'a str,
    /// Suffix of the job name.
    suffix: &'a str,
    /// File name of the log, which may contain shell variables.
    log: &'a str,
    /// Further lines.
    rest: &'a str,
}

impl Script<'_> {
    fn head(&self, head: &Head) -> Result<String, SubmitError> {
        let Submission { working_folder, slurm, program, .. } = self.submission;
        let Head { what, suffix, log, rest } = head;
        let mut text = format!(
            "#!/bin/bash\n# {}\n# Written by {program}; submit it with sbatch, or let `tintype farm submit` do that.\n#SBATCH --job-name={}{suffix}\n#SBATCH --output=/dev/null\n#SBATCH --ntasks=1\n#SBATCH --requeue\n",
            one_line(what),
            job_name(&self.plan.name),
        );
        // Directives are texts. By default tasks begin where the job is submitted.
        let (mut text_of_folder, mut go_there) = (String::new(), String::new());
        match working_folder.to_str() {
            Some(folder) => text_of_folder = format!("#SBATCH --chdir={}\n", directive(folder)?),
            None => go_there = format!("cd {} 2>/dev/null\n", path_word(working_folder)),
        }
        text += &text_of_folder;
        let partition = slurm.partition.iter().map(|name| format!("--partition={name}"));
        for option in partition.chain(slurm.extra.iter().cloned()) {
            let _ = writeln!(text, "#SBATCH {}", line(&option)?);
        }
        Ok(text + rest + &go_there + &task_script::start(&log_folder(self.folder), log))
    }

    /// A task of the array: runs the preflight check, draws its shard, and handles failures.
    fn array(&self) -> Result<String, SubmitError> {
        let Self { plan, submission, folder } = self;
        let at_once = submission.slurm.parallel.map_or_else(String::new, |most| format!("%{most}"));
        let minutes = submission.slurm.time.unwrap_or_else(|| plan.limit_minutes());
        let head = self.head(&Head {
            what: &format!("{}: {}", plan.job.title(), plan.described()),
            suffix: "",
            log: "$me.log",
            rest: &format!(
                "#SBATCH --array=0-{}{at_once}\n#SBATCH --cpus-per-task={}\n#SBATCH --mem={}\n#SBATCH --time={minutes}\n#SBATCH --signal=B:USR1@{}\n",
                plan.tasks - 1,
                plan.cpus,
                plan.memory_mib,
                before_limit_s(minutes),
            ),
        })?;
        let mut command = plan.task(&format!("slurm/{}", plan.tasks));
        command.extend(["--progress", "plain"].map(str::to_owned));
        Ok(head
            + &task_script::requeue(submission.slurm.restarts)
            + &task_script::preflight(plan, submission, folder)
            + &task_script::run(&command_line(&command)))
    }

    /// The verification: checks the pictures on the disk and writes the report.
    fn verify(&self) -> Result<String, SubmitError> {
        let Self { plan, submission, folder } = self;
        let head = self.head(&Head {
            what: &format!("Verifies all {}s of {}", plan.job.noun(), plan.job.title()),
            suffix: "-verify",
            log: "$SLURM_JOB_ID-verify.log",
            rest: &format!(
                "#SBATCH --cpus-per-task=1\n#SBATCH --mem={}\n#SBATCH --time={}\n",
                plan.memory_mib,
                minutes_to_verify(plan),
            ),
        })?;
        // No task of the job is left, so no file is being written.
        let command = plan.verify(Some("0"));
        Ok(head
            + &task_script::requeue(submission.slurm.restarts.min(MAX_VERIFIES))
            + &task_script::preflight(plan, submission, folder)
            + &format!(
                "{}; verdict=$?\n{} farm status {} --report {}\nexit \"$verdict\"\n",
                command_line(&command),
                shell(&plan.program),
                path_word(folder),
                path_word(&farm_folder(folder).join("report.html")),
            ))
    }
}

/// The value of a directive, in quotes; Slurm would replace `%`.
fn directive(text: &str) -> Result<String, SubmitError> {
    let text = line(text)?;
    let folders = text.rsplit_once('/').map_or("", |(folders, _)| folders);
    if text.contains(['"', '\\']) || folders.contains('%') {
        return Err(SubmitError::invalid(format!(
            "{text}: Slurm does not accept quotes, backslashes or percent signs in folder names"
        )));
    }
    Ok(format!("\"{text}\""))
}

fn line(text: &str) -> Result<&str, SubmitError> {
    if text.contains(char::is_control) {
        Err(SubmitError::invalid(format!("{text:?}: Slurm does not accept control characters")))
    } else {
        Ok(text)
    }
}

/// Time limit of the verification in minutes: a quarter of the drawing time, at least an hour.
#[expect(clippy::cast_possible_truncation, reason = "an estimate; else it saturates")]
#[expect(clippy::cast_precision_loss, reason = "an estimate")]
#[expect(clippy::cast_sign_loss, reason = "never below 0")]
fn minutes_to_verify(plan: &Plan) -> u64 {
    let all_s = plan.unit_s * plan.count as f64;
    ((all_s / 4.0 / 60.0).ceil() as u64).max(60)
}

/// Seconds before the time limit at which a task is requested to end after its current picture; at
/// most a third of the limit, so that a task with a short limit is not stopped at its start.
fn before_limit_s(minutes: u64) -> u64 {
    (minutes * 60 / 3).min(BEFORE_LIMIT_S)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slurm_directives_take_no_quotes() {
        assert_eq!(directive("/a b/%A_%a.log").ok().as_deref(), Some("\"/a b/%A_%a.log\""));
        assert!(directive("/a\"b").is_err() && directive("/a\nb").is_err());
    }

    #[test]
    fn slurm_asks_a_task_to_end_before_its_limit_and_not_at_once() {
        assert_eq!([1, 2, 3, 60].map(before_limit_s), [20, 40, 60, 60]);
    }
}
