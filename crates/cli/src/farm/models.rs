//! The options of `thumbnail` and `turntable` in a submission of models.

use crate::args::Models as Named;
use crate::args::Thumbnail;
use crate::args::Turntable;
use crate::args::WithArgv;
use crate::failure::Failure;
use tintype_base::path::path_of_text;
use tintype_farm::job::Models;

/// All models of a job.
fn named(job: &Models) -> Named {
    Named { list: Some(job.all.clone()), base: Some(job.base.clone()), ..Named::default() }
}

/// The options of `turntable` in the form read by tasks.
pub(super) fn turntable(job: &Models) -> Result<Turntable, Failure> {
    let options = WithArgv::<Turntable>::again(&job.argv).map_err(unreadable)?;
    Ok(Turntable { models: named(job), output: Some(job.output.clone()), ..options })
}

/// The options of `thumbnail` in the form read by tasks.
pub(super) fn thumbnail(job: &Models) -> Result<Thumbnail, Failure> {
    let options = WithArgv::<Thumbnail>::again(&job.argv).map_err(unreadable)?;
    let output = Some(path_of_text(&job.output));
    Ok(Thumbnail { models: named(job), output, ..options })
}

fn unreadable(error: clap::Error) -> Failure {
    let text = error.to_string();
    let first = text.lines().next().unwrap_or_default();
    Failure::bad_input(format!("the submission's options are no longer valid: {first}"))
}
