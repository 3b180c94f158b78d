//! Takes over the folder and limits of a submission in this process.

use crate::console::Console;
use crate::failure::Failure;
use crate::load;
use tintype_base::path::ShowPath;
use tintype_farm::submission::Submission;

/// Changes to the folder of the submission, so that its relative paths are valid, and applies its
/// file limits.
pub(super) fn enter(submission: &Submission, console: &mut Console) -> Result<(), Failure> {
    console.allow(&submission.limits);
    console.detail(&format!("in {}", submission.working_folder.shown()));
    std::env::set_current_dir(&submission.working_folder)
        .map_err(|error| load::unreadable(&submission.working_folder, &error))
}
