//! The batch scripts of Slurm: one that looks at a node before any task starts, the job array, and one that comes after it.
//!
//! They are bash, written to be read, and stand beside the pictures.

use super::plan::Plan;
use super::stop::{command_of, quoted as shell};
use super::ticket::{Ticket, farm_folder, log_folder};
use super::{Failure, job_name};
use std::fmt::Write;
use std::path::Path;

/// Seconds before the time limit at which a task is asked to end at the edge of a picture.
const BEFORE_LIMIT_S: u32 = 60;

/// The scripts of one submission, but for the look at a node.
pub(in crate::cli::farm) struct Scripts {
    /// The job array.
    pub array: String,
    /// Comes after it, whatever became of it.
    pub verify: String,
}

impl Scripts {
    /// Writes them; `folder` is the whole path of the folder of the pictures.
    pub fn new(plan: &Plan, ticket: &Ticket, folder: &Path) -> Result<Self, Failure> {
        let script = Script { plan, ticket, folder };
        Ok(Self { array: script.array()?, verify: script.verify()? })
    }
}

/// What looks at a node before any task of these submissions starts; the first keeps its log.
pub(in crate::cli::farm) fn look_script(
    submissions: &[(&Plan, &Ticket, &Path)],
) -> Result<String, Failure> {
    let Some(&(plan, ticket, folder)) = submissions.first() else { return Ok(String::new()) };
    let what = match submissions.len() {
        1 => plan.job.title(),
        count => format!("{count} jobs, of which the first is {}", plan.job.title()),
    };
    let mut text = Script { plan, ticket, folder }.head(&Head {
        what: &format!("Looks at a node before {what} is begun"),
        suffix: "-check",
        log: "%j-check.log",
        rest: "#SBATCH --cpus-per-task=1\n#SBATCH --mem=64\n#SBATCH --time=5\n",
    })?;
    text += FAIL;
    for &(plan, ticket, folder) in submissions {
        text += &Script { plan, ticket, folder }.look_at_node();
    }
    Ok(text + CLOCK)
}

/// One submission, for the scripts of which there are parts.
struct Script<'a> {
    plan: &'a Plan,
    ticket: &'a Ticket,
    folder: &'a Path,
}

/// What stands at the top of a script.
struct Head<'a> {
    /// What it does, for who reads it.
    what: &'a str,
    /// Behind the name of the job.
    suffix: &'a str,
    /// The name of its log.
    log: &'a str,
    /// Further lines.
    rest: &'a str,
}

impl Script<'_> {
    fn head(&self, head: &Head) -> Result<String, Failure> {
        let Ticket { working_folder, slurm, program, .. } = self.ticket;
        let Head { what, suffix, log, rest } = head;
        let log = log_folder(self.folder).join(log);
        let mut text = format!(
            "#!/bin/bash\n# {}\n# Written by {program}; submit it with sbatch, or let `tintype farm submit` do that.\n#SBATCH --job-name={}{suffix}\n#SBATCH --output={}\n#SBATCH --chdir={}\n#SBATCH --ntasks=1\n#SBATCH --requeue\n#SBATCH --open-mode=append\n",
            line(what)?,
            job_name(&self.plan.name),
            directive(&log.to_string_lossy())?,
            directive(&working_folder.to_string_lossy())?,
        );
        let partition = slurm.partition.iter().map(|name| format!("--partition={name}"));
        for option in partition.chain(slurm.extra.iter().cloned()) {
            let _ = writeln!(text, "#SBATCH {}", line(&option)?);
        }
        text += rest;
        text += "set -u\n";
        Ok(text)
    }

    /// A task of the array: looks, draws its share, and decides what comes after.
    fn array(&self) -> Result<String, Failure> {
        let Self { plan, ticket, .. } = self;
        let at_once = ticket.slurm.parallel.map_or_else(String::new, |most| format!("%{most}"));
        let minutes = ticket.slurm.time.unwrap_or_else(|| minutes_for(plan.task_s()));
        let head = self.head(&Head {
            what: &format!("{}: {}", plan.job.title(), plan.described()),
            suffix: "",
            log: "%A_%a.log",
            rest: &format!(
                "#SBATCH --array=0-{}{at_once}\n#SBATCH --cpus-per-task={}\n#SBATCH --mem={}\n#SBATCH --time={minutes}\n#SBATCH --signal=B:USR1@{BEFORE_LIMIT_S}\n",
                plan.tasks - 1,
                plan.cpus,
                plan.memory_mib
            ),
        })?;
        let mut command = vec![plan.program.clone()];
        command.extend(plan.job.task(&plan.part, &format!("slurm/{}", plan.tasks)));
        command.extend(["--progress", "plain"].map(str::to_owned));
        let look = self.look_at_node();
        let command = command_of(&command);
        let after = AFTER.replace("{restarts}", &ticket.slurm.restarts.to_string());
        Ok(format!("{head}{BEFORE}{FAIL}{look}{command} {after}"))
    }

    /// What the disk says at the end.
    fn verify(&self) -> Result<String, Failure> {
        let Self { plan, folder, .. } = self;
        let head = self.head(&Head {
            what: &format!(
                "Says whether all {}s of {} are there",
                plan.job.noun(),
                plan.job.title()
            ),
            suffix: "-verify",
            log: "%j-verify.log",
            rest: &format!(
                "#SBATCH --cpus-per-task=1\n#SBATCH --mem={}\n#SBATCH --time=60\n",
                plan.memory_mib
            ),
        })?;
        let mut command = vec![plan.program.clone()];
        // No task of the job is left, so nobody writes any more.
        command.extend(plan.job.verify(Some("0")));
        Ok(head
            + &format!(
                "{}; verdict=$?\n{} farm status {} --report {}\nexit \"$verdict\"\n",
                command_of(&command),
                shell(&plan.program),
                shell(&folder.to_string_lossy()),
                shell(&farm_folder(folder).join("report.html").to_string_lossy()),
            ))
    }

    /// What each task looks at before it begins: the shared folder, what it reads, the program.
    fn look_at_node(&self) -> String {
        let Self { plan, ticket, folder } = self;
        let mark = shell(&ticket.path(folder).display().to_string());
        let mut text = format!(
            "[ -f {mark} ] || fail {mark}\" is not here: all nodes must see the output folder under the path it has where the job is submitted\"\n"
        );
        for (what, path) in plan.job.inputs(&plan.part) {
            let path = shell(&path.display().to_string());
            let _ = writeln!(
                text,
                "[ -r {path} ] || fail {path}\" is not here: {what} must be where all nodes see them\""
            );
        }
        let program = shell(&plan.program);
        let version = shell(&ticket.program);
        text + &format!(
            r#"found=$({program} --version 2>&1) || fail {program}" does not run here: $found"
[ "$found" = {version} ] || fail {program}" is $found here, and the job was submitted by "{version}": install the same everywhere"
"#
        )
    }
}

/// Ends a script with a message that names the node.
const FAIL: &str = r#"fail() { echo "error: node ${SLURMD_NODENAME:-?}: $*" >&2; exit 2; }
"#;

/// What a task says before it looks at its node.
const BEFORE: &str = r#"restarts=${SLURM_RESTART_COUNT:-0}
echo "== $(date -u +%FT%TZ) task $SLURM_ARRAY_TASK_ID, restart $restarts, on ${SLURMD_NODENAME:-?}"
"#;

/// What a task does behind its command; the number in braces is put in.
const AFTER: &str = r#"-j "${SLURM_CPUS_PER_TASK:-1}" &
child=$!
trap 'kill -USR1 "$child" 2>/dev/null' USR1   # the time limit is near: end at the edge of a picture
terminated=0
trap 'terminated=1' TERM                      # cancelled or pre-empted: the program hears it too, and ends by itself
while :; do
    wait "$child"; code=$?
    kill -0 "$child" 2>/dev/null && continue  # a signal woke the shell, not the end
    if [ "$code" -gt 128 ]; then wait "$child" 2>/dev/null; last=$?; [ "$last" = 127 ] || code=$last; fi
    break
done
echo "== $(date -u +%FT%TZ) exit $code"
# 75 is temporary trouble, and above 128 somebody killed it: once more, elsewhere if need be. 2 and 3 are for good.
# What Slurm itself ended is Slurm's to start again.
if [ "$terminated" = 1 ]; then exit 1; fi
if [ "$code" = 75 ] || [ "$code" -gt 128 ]; then
    if [ "$restarts" -lt {restarts} ] && [ "$(squeue -h -j "$SLURM_JOB_ID" -o %T)" = RUNNING ]; then
        sleep "$((1 + restarts))"             # a bad node must not eat the queue
        # Slurm ends this shell then; nothing that follows matters.
        scontrol requeue "${SLURM_ARRAY_JOB_ID}_$SLURM_ARRAY_TASK_ID" && { sleep 60; exit 1; }
    fi
    echo "error: given up after $restarts restarts"
    code=1
fi
exit "$code"
"#;

/// Compares the clock of the node with that of the disk, where the times of records come from.
const CLOCK: &str = r#"probe=$(mktemp .tintype-clock.XXXXXX 2>/dev/null) && {
    skew=$(($(date +%s) - $(stat -c %Y "$probe"))); rm -f "$probe"
    [ "${skew#-}" -lt 60 ] || echo "warning: node ${SLURMD_NODENAME:-?}: its clock is $skew s off that of the disk; times in records are too"
}
exit 0
"#;

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slurm_directives_take_no_quotes() {
        assert_eq!(directive("/a b/%A_%a.log").ok().as_deref(), Some("\"/a b/%A_%a.log\""));
        assert!(directive("/a\"b").is_err() && directive("/a\nb").is_err());
    }
}
