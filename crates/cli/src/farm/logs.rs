//! `tintype farm logs`: the last lines of the logs of failed tasks, or the whole log of one task.

use crate::args::farm::Logs;
use crate::console::Console;
use crate::failure::Failure;
use crate::load;
use crate::stdout::write_text;
use tintype_base::path::ShowPath;
use tintype_farm::folders::log_folder;
use tintype_farm::logs::{FailedLog, failed_logs};
use tintype_farm::submission::Submission;

/// Maximum number of kinds of failures that are printed.
const MAX_GROUPS: usize = 20;

pub(super) fn logs(options: &Logs, console: &Console) -> Result<(), Failure> {
    let folder = &options.folder.folder;
    let submission = Submission::last_of(folder)?;
    let Some(task) = options.task else {
        let logs = failed_logs(folder, options.lines);
        if logs.is_empty() {
            console
                .info(&format!("no task failed; all logs are in {}", log_folder(folder).shown()));
        }
        for FailedLog { path, text, more } in logs.iter().take(MAX_GROUPS) {
            let others = match more {
                0 => String::new(),
                more => format!(" and {more} more like it"),
            };
            write_text(&format!("==> {path}{others} <==\n{text}\n\n"))?;
        }
        if logs.len() > MAX_GROUPS {
            let (more, folder) = (logs.len() - MAX_GROUPS, log_folder(folder));
            console.info(&format!("and {more} more kinds of failures in {}", folder.shown()));
        }
        return Ok(());
    };
    let array = submission.jobs.as_ref().map_or("", |jobs| jobs[1].as_str());
    let path = log_folder(folder).join(format!("{array}_{task}.log"));
    let bytes =
        tintype_base::disk::read_regular(&path).map_err(|error| load::unreadable(&path, &error))?;
    write_text(&String::from_utf8_lossy(&bytes))
}
