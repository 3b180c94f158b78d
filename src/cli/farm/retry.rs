//! `tintype farm retry`: what is not there, whole and current, is submitted again, and nothing else.
//!
//! Asked are the files themselves: frames against what was submitted, pictures of models against the models as they are now. No record is.

use super::args::{Pictures, Retry};
use super::console::Console;
use super::job::{Frames, Job, Maker, Models};
use super::plan::Plan;
use super::present::Present;
use super::sequence::apply;
use super::submit::submit_plans;
use super::ticket::Ticket;
use super::{Failure, counted, load, slurm, thumbnail, turntable};
use crate::cli::models::Found;
use crate::output::Standing;
use crate::scene::FrameList;
use rayon::prelude::*;

/// Of so many names a message tells all.
const TOLD: usize = 10;

pub(super) fn retry(options: &Retry, console: &mut Console) -> Result<(), Failure> {
    let ticket = Ticket::last_of(&options.folder.folder)?;
    ticket.enter(console)?;
    refuse_while_tasks_are_left(&ticket)?;
    let plan = match &ticket.job {
        Job::Frames(frames) => plan_of_frames(frames, &ticket, console)?,
        Job::Models(models) => plan_of_models(models, &ticket, console)?,
    };
    match plan {
        Some(plan) => {
            submit_plans(vec![plan], &ticket.asked, &ticket.slurm, options.dry_run, console)
        }
        None => Ok(()),
    }
}

fn refuse_while_tasks_are_left(ticket: &Ticket) -> Result<(), Failure> {
    if let Some([_, array, _]) = &ticket.jobs
        && let Ok(queue) = slurm::queue(std::slice::from_ref(array))
    {
        let left = queue.iter().filter(|task| !task.has_ended()).count();
        if left > 0 {
            return Err(Failure::bad_input(format!(
                "job {array} still has {} in the queue: wait, or run tintype farm cancel first",
                counted(left, "task")
            )));
        }
    }
    Ok(())
}

fn plan_of_frames(
    frames: &Frames,
    ticket: &Ticket,
    console: &mut Console,
) -> Result<Option<Plan>, Failure> {
    let all = frames.all()?;
    let Some(list) = FrameList::from_rising(missing_frames(frames, &all)?) else {
        console.info(&format!(
            "{} are there and current: nothing to retry",
            counted(all.len(), "frame")
        ));
        return Ok(None);
    };
    console.info(&format!("missing: {list}"));
    let pictures = Pictures { frames: Some(list.to_string()), ..frames.pictures.clone() };
    let mut plan = Plan::of_scene(&frames.scene, &pictures, &ticket.asked, console)?;
    if let Job::Frames(again) = &mut plan.job {
        // The last job looks at the whole sequence.
        again.all.clone_from(&frames.all);
        again.pictures.clone_from(&frames.pictures);
    }
    Ok(Some(plan))
}

/// The frames that are not there, whole and current; with the views that the scene has now.
fn missing_frames(frames: &Frames, all: &FrameList) -> Result<Vec<i64>, Failure> {
    let pattern = frames.pattern()?;
    let mut scene = load::scene(&frames.scene)?;
    let Pictures { size, samples, aov, .. } = &frames.pictures;
    apply(&mut scene, size.as_deref(), *samples, aov.as_deref())?;
    let views = &scene.output.aov;
    let present = Present { pattern: &pattern, views, size: frames.size, digest: &frames.digest };
    let numbers: Vec<i64> = all.iter().collect();
    let is_missing = |number: &i64| !matches!(present.look_at(*number).0, Standing::Current { .. });
    Ok(numbers.into_par_iter().filter(is_missing).collect())
}

fn plan_of_models(
    models: &Models,
    ticket: &Ticket,
    console: &mut Console,
) -> Result<Option<Plan>, Failure> {
    let all = models.found()?;
    let count = all.len();
    let missing = missing_models(models, all, console)?;
    if missing.is_empty() {
        let count = counted(count, "model");
        console.info(&format!("the pictures of {count} are there and current: nothing to retry"));
        return Ok(None);
    }
    let mut names: Vec<&str> = missing.iter().take(TOLD).map(|found| found.name.as_str()).collect();
    let more = format!("and {} more", missing.len() - names.len());
    if missing.len() > names.len() {
        names.push(&more);
    }
    console.info(&format!("missing: {}", names.join(", ")));
    Plan::of_found(models.clone(), &missing, &ticket.asked, console).map(Some)
}

fn missing_models(
    models: &Models,
    all: Vec<Found>,
    console: &mut Console,
) -> Result<Vec<Found>, Failure> {
    match models.command {
        Maker::Turntable => turntable::without_picture(&models.turntable()?, all, console),
        Maker::Thumbnail => {
            let sitter = thumbnail::Tryout::new(&models.thumbnail()?, console)?;
            Ok(sitter.without_picture(all))
        }
    }
}
