//! `tintype farm retry`: submits missing, incomplete or outdated pictures again.
//!
//! The files are checked against the current scene or models; journals are not used.

use super::enter::enter;
use super::measure::{of_found, of_scene};
use super::models as options_of;
use super::slurm::slurm;
use super::status::{machine, shortened};
use super::submit::submit_plans;
use crate::args::farm::Retry;
use crate::build_digest::build_digest;
use crate::console::Console;
use crate::failure::Failure;
use crate::models::Found;
use crate::stdout::write_stdout;
use crate::{load, thumbnail, turntable};
use rayon::prelude::*;
use std::path::Path;
use tintype::builder::FrameList;
use tintype_base::amount::counted;
use tintype_base::path::path_of_text;
use tintype_farm::job::{Frames, Job, JobKind, Models, Pictures};
use tintype_farm::plan::Plan;
use tintype_farm::progress::{ItemStatus, Items};
use tintype_farm::status::{Report, indices_of};
use tintype_farm::submission::Submission;
use tintype_host::FrameStatus;
use tintype_host::job::resume::{Beside, ResumeCheck};

/// Maximum number of names in a message.
const TOLD: usize = 10;

pub(super) fn retry(options: &Retry, console: &mut Console) -> Result<(), Failure> {
    if options.list {
        return list(&options.folder.folder, console);
    }
    let submission = Submission::last_of(&options.folder.folder)?;
    enter(&submission, console)?;
    refuse_while_tasks_are_left(&submission, options.dry_run, console)?;
    let plan = match &submission.job {
        Job::Frames(frames) => plan_of_frames(frames, &submission, console)?,
        Job::Models(models) => plan_of_models(models, &submission, console)?,
    };
    match plan {
        Some(plan) => {
            submit_plans(vec![plan], &submission.asked, &submission.slurm, options.dry_run, console)
        }
        None => Ok(()),
    }
}

/// Prints the missing items, by the disk alone.
fn list(folder: &Path, console: &mut Console) -> Result<(), Failure> {
    let folder = std::path::absolute(folder).map_err(|error| load::unreadable(folder, &error))?;
    let submission = Submission::together(&folder)?;
    enter(&submission, console)?;
    let (report, _) = Report::new(&folder, &submission, &machine())?;
    let missing = indices_of(&report.statuses, ItemStatus::Missing);
    let text = match &report.items {
        Items::Frames { .. } => report.missing().map(|list| list + "\n").unwrap_or_default(),
        Items::Models { .. } => {
            missing.iter().map(|&index| report.items.label(index) + "\n").collect()
        }
    };
    // Names as on the disk, for other programs.
    write_stdout(path_of_text(&text).as_os_str().as_encoded_bytes())
}

/// While Slurm does not answer, tasks may be left; a dry run submits nothing, and may run on a
/// machine without Slurm.
fn refuse_while_tasks_are_left(
    submission: &Submission,
    dry_run: bool,
    console: &Console,
) -> Result<(), Failure> {
    if let Some([_, array, _]) = &submission.jobs {
        let queue = match slurm().queue(std::slice::from_ref(array)) {
            Ok(queue) => queue,
            Err(error) if dry_run => {
                console.info(&format!("the queue cannot be read: {error}"));
                return Ok(());
            }
            Err(error) => return Err(error.into()),
        };
        let left = queue.iter().filter(|task| !task.has_ended()).count();
        if left > 0 {
            return Err(Failure::bad_input(format!(
                "job {array} still has {} in the queue: wait, or run `tintype farm cancel` first",
                counted(left, "task")
            )));
        }
    }
    Ok(())
}

fn plan_of_frames(
    frames: &Frames,
    submission: &Submission,
    console: &mut Console,
) -> Result<Option<Plan>, Failure> {
    let all = frames.all()?;
    // By the current scene: if it was changed, all frames must be drawn again.
    let pictures = Pictures { frames: Some(all.to_string()), ..frames.pictures.clone() };
    let mut plan = of_scene(&frames.scene, &pictures, &submission.asked, console)?;
    let Job::Frames(now) = &plan.job else { return Ok(None) };
    if now.digest != frames.digest {
        console.info("the scene or its assets have changed since the submission");
    }
    let Some(list) = FrameList::from_rising(missing_frames(now, &all)?) else {
        console.info(&format!("{} are up to date: nothing to retry", counted(all.len(), "frame")));
        return Ok(None);
    };
    console.info(&format!("missing: {}", shortened(&list.to_string())));
    let list = within_a_command_line(list);
    plan.narrow(list.to_string(), list.len());
    Ok(Some(plan))
}

/// The frames that are missing, incomplete or outdated.
fn missing_frames(frames: &Frames, all: &FrameList) -> Result<Vec<i64>, Failure> {
    let (pattern, views) = (frames.pattern()?, frames.views()?);
    let (size, digest) = (frames.size, frames.digest.as_str());
    let channels_as = frames.channels_as;
    let beside = Beside { views: &views, channels: &frames.channels, channels_as };
    let present = ResumeCheck { pattern: &pattern, beside, size, digest, build: build_digest() };
    let numbers: Vec<i64> = all.iter().map(i64::from).collect();
    let is_missing =
        |number: &i64| !matches!(present.check(*number).0, FrameStatus::Current { .. });
    Ok(numbers.into_par_iter().filter(is_missing).collect())
}

/// A list of frames, or a longer one in a shorter notation: tasks skip frames that are up to date.
///
/// Neighbouring frames are joined to ranges; the system accepts words of at most 128 KiB.
fn within_a_command_line(list: FrameList) -> FrameList {
    const MAX_BYTES: usize = 60_000;
    let mut list = list;
    let mut gap = 1;
    while list.to_string().len() > MAX_BYTES {
        gap *= 2;
        let numbers: Vec<i64> = list.iter().map(i64::from).collect();
        let mut wider = Vec::with_capacity(numbers.len());
        for pair in numbers.windows(2) {
            let end = if pair[1] - pair[0] <= gap { pair[1] } else { pair[0] + 1 };
            wider.extend(pair[0]..end);
        }
        wider.extend(numbers.last());
        list = FrameList::from_rising(wider).unwrap_or(list);
    }
    list
}

fn plan_of_models(
    models: &Models,
    submission: &Submission,
    console: &mut Console,
) -> Result<Option<Plan>, Failure> {
    let all = models.models()?;
    let count = all.len();
    let missing = missing_models(models, all.clone(), console)?;
    if missing.is_empty() {
        let count = counted(count, "model");
        console.info(&format!("the pictures of {count} are up to date: nothing to retry"));
        return Ok(None);
    }
    let mut names: Vec<&str> = missing.iter().take(TOLD).map(|found| found.name.as_str()).collect();
    let more = format!("and {} more", missing.len() - names.len());
    if missing.len() > names.len() {
        names.push(&more);
    }
    console.info(&format!("missing: {}", names.join(", ")));
    of_found(models.clone(), &missing, &all, &submission.asked, false, console).map(Some)
}

fn missing_models(
    models: &Models,
    all: Vec<Found>,
    console: &Console,
) -> Result<Vec<Found>, Failure> {
    match models.command {
        JobKind::Turntable => {
            turntable::without_picture(&options_of::turntable(models)?, all, console)
        }
        JobKind::Thumbnail => {
            let sitter = thumbnail::CostProbe::new(&options_of::thumbnail(models)?, console)?;
            Ok(sitter.without_picture(all))
        }
    }
}
