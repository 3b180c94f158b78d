//! Slurm's programs, run by the caller, with their output and errors.

use super::SlurmOptions;
use super::queue::{
    NODE_FORMAT, NodeSize, NodeState, QueuedTask, SIZE_FORMAT, TASK_FORMAT, parse_max_array,
    parse_nodes, parse_sizes, parse_tasks,
};
use crate::error::SubmitError;
use std::io;
use std::path::Path;
use tintype_base::path::ShowPath;
use tintype_base::suggest::{hint, nearest_word};

/// The end of a program that [`Run`] ran.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Output {
    /// True if it ended with exit code 0.
    pub is_success: bool,
    /// Standard output.
    pub stdout: String,
    /// Standard error.
    pub stderr: String,
}

/// Runs one of Slurm's programs with arguments, and waits for its end.
pub type Run = dyn Fn(&str, &[&str]) -> io::Result<Output>;

/// Slurm as seen from this machine.
#[derive(Clone, Copy)]
pub struct Slurm<'a>(pub &'a Run);

impl Slurm<'_> {
    /// Standard output of a program.
    fn ask(self, program: &str, arguments: &[&str]) -> Result<String, SubmitError> {
        let output = (self.0)(program, arguments).map_err(|error| {
            SubmitError::invalid(match error.kind() {
                io::ErrorKind::NotFound => format!(
                    "no {program} on the PATH: this machine is not part of a Slurm cluster; use --dry-run to print the script, or `tintype farm export` for other engines"
                ),
                _ => format!("{program}: {error}"),
            })
        })?;
        if output.is_success {
            return Ok(output.stdout);
        }
        let said = output.stderr.trim().replace('\n', "; ");
        // A controller can be unreachable for a while; every other error is permanent.
        let is_away = ["Unable to contact", "Connection refused", "timed out", "Socket"]
            .iter()
            .any(|words| said.contains(words));
        let message = format!("{program} {}: {said}", arguments.join(" "));
        Err(if is_away { SubmitError::temporary(message) } else { SubmitError::invalid(message) })
    }

    /// The maximum number of tasks of a job array on this cluster.
    ///
    /// # Errors
    /// [`SubmitError`] if Slurm does not answer.
    pub fn most_tasks(self) -> Result<u64, SubmitError> {
        self.ask("scontrol", &["show", "config"]).map(|text| parse_max_array(&text))
    }

    /// Checks that each partition of the options exists.
    ///
    /// # Errors
    /// [`SubmitError`] for an unknown partition, or if Slurm does not answer.
    pub fn check_partition(self, options: &SlurmOptions) -> Result<(), SubmitError> {
        let Some(asked) = options.partition.as_deref() else { return Ok(()) };
        let text = self.ask("sinfo", &["-h", "-a", "-o", "%R"])?;
        let mut names: Vec<&str> = text.lines().map(str::trim).collect();
        names.sort_unstable();
        names.dedup();
        for one in asked.split(',') {
            if !names.contains(&one) {
                let hint = hint(nearest_word(one, names.iter().copied()));
                return Err(SubmitError::invalid(format!(
                    "--partition: no partition {one:?}{hint}; partitions: {}",
                    names.join(", ")
                )));
            }
        }
        Ok(())
    }

    /// The sizes of the nodes that the options allow; empty if Slurm lists none.
    ///
    /// # Errors
    /// [`SubmitError`] if Slurm does not answer.
    pub fn node_sizes(self, options: &SlurmOptions) -> Result<Vec<NodeSize>, SubmitError> {
        let partition = options.partition.as_deref().map(|name| ["-p", name]);
        let asked = partition.iter().flatten().copied();
        let words: Vec<&str> = ["-h", "-N", "-o", SIZE_FORMAT].into_iter().chain(asked).collect();
        self.ask("sinfo", &words).map(|text| parse_sizes(&text))
    }

    /// Submits a script, and returns the number of its job.
    pub(super) fn submit(self, script: &Path, options: &[String]) -> Result<String, SubmitError> {
        let script = script.shown();
        let words: Vec<&str> = ["--parsable"]
            .into_iter()
            .chain(options.iter().map(String::as_str))
            .chain([script.as_str()])
            .collect();
        let text = self.ask("sbatch", &words)?;
        // `--parsable` prints the number, and the cluster after a semicolon.
        let number = text.trim().split_once(';').map_or(text.trim(), |(number, _)| number);
        if number.is_empty() {
            return Err(SubmitError::invalid(format!(
                "sbatch {script}: it reported no job id; check with squeue"
            )));
        }
        Ok(number.to_owned())
    }

    /// Cancels jobs.
    ///
    /// # Errors
    /// [`SubmitError`] if Slurm refuses or does not answer.
    pub fn cancel(self, jobs: &[String]) -> Result<(), SubmitError> {
        let words: Vec<&str> = jobs.iter().map(String::as_str).collect();
        self.ask("scancel", &[&["--quiet"], &words[..]].concat()).map(drop)
    }

    /// The nodes of a partition.
    ///
    /// # Errors
    /// [`SubmitError`] if Slurm does not answer.
    pub fn nodes(self, partition: &str) -> Result<Vec<NodeState>, SubmitError> {
        let text = self.ask("sinfo", &["-h", "-N", "-p", partition, "-o", NODE_FORMAT])?;
        Ok(parse_nodes(&text))
    }

    /// The tasks of jobs still listed by Slurm; it forgets jobs some time after their end.
    ///
    /// # Errors
    /// [`SubmitError`] if Slurm does not answer.
    pub fn queue(self, jobs: &[String]) -> Result<Vec<QueuedTask>, SubmitError> {
        let mut found = Vec::new();
        for job in jobs {
            match self.ask("squeue", &["-h", "-r", "-t", "all", "-o", TASK_FORMAT, "-j", job]) {
                Ok(text) => found.extend(parse_tasks(&text)),
                Err(error) if error.to_string().contains("Invalid job id") => {}
                Err(error) => return Err(error),
            }
        }
        Ok(found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn failing(stderr: &'static str) -> impl Fn(&str, &[&str]) -> io::Result<Output> {
        move |_, _| Ok(Output { stderr: stderr.to_owned(), ..Output::default() })
    }

    #[test]
    fn slurm_errors_are_temporary_while_the_controller_is_away() {
        for (stderr, is_temporary) in [
            ("Unable to contact slurm controller", true),
            ("Socket timed out", true),
            ("Invalid account", false),
        ] {
            let run = failing(stderr);
            let error = Slurm(&run).most_tasks().unwrap_err();
            assert_eq!(error.is_temporary(), is_temporary, "{stderr}");
        }
        let run = |_: &str, _: &[&str]| -> io::Result<Output> {
            Err(io::Error::from(io::ErrorKind::NotFound))
        };
        let error = Slurm(&run).most_tasks().unwrap_err();
        assert!(error.to_string().starts_with("no scontrol on the PATH"), "{error}");
        // Jobs that Slurm has forgotten have no tasks.
        let run = failing("slurm_load_jobs error: Invalid job id specified");
        assert!(Slurm(&run).queue(&["12".to_owned()]).unwrap().is_empty());
    }

    #[test]
    fn slurm_jobs_have_numbers() {
        fn submit(stdout: &'static str) -> Result<String, SubmitError> {
            let run = |_: &str, _: &[&str]| {
                Ok(Output { is_success: true, stdout: stdout.to_owned(), ..Output::default() })
            };
            Slurm(&run).submit(Path::new("array.sh"), &[])
        }
        assert_eq!(submit("12;north\n").unwrap(), "12");
        assert_eq!(submit("12\n").unwrap(), "12");
        let told = submit("\n").unwrap_err().to_string();
        assert!(told.contains("reported no job id"), "{told}");
    }

    #[test]
    fn slurm_partitions_that_do_not_exist_are_refused_with_the_nearest() {
        let run = |_: &str, _: &[&str]| {
            Ok(Output {
                is_success: true,
                stdout: "render\nlong\n".to_owned(),
                ..Output::default()
            })
        };
        let check = |partition: &str| {
            let partition = Some(partition.to_owned());
            Slurm(&run).check_partition(&SlurmOptions { partition, ..SlurmOptions::default() })
        };
        assert!(check("render,long").is_ok());
        let error = check("long,rendr").unwrap_err().to_string();
        assert!(error.contains("did you mean \"render\"?"), "{error}");
    }
}
