//! `tintype farm submit` and `farm retry`: a scene checked here, its scripts beside the frames, three jobs in the queue.
//!
//! The first job looks at a node: does it see the output folder, the scene and the same program. The second is the array of
//! frames, which begins only if the first is content. The third verifies, whatever became of the second.

use super::args::{Retry, SlurmOptions, Submit, Work};
use super::console::Console;
use super::plan::Plan;
use super::present::Present;
use super::record::{now, tasks_in};
use super::slurm::{self, Queued, Scripts};
use super::ticket::{Ticket, farm_folder, log_folder};
use super::{Failure, counted, load, status, write_stdout};
use crate::output::{Standing, litter, write_atomic};
use crate::scene::{FrameList, FramePattern};
use rayon::prelude::*;
use std::path::Path;

pub(super) fn submit(options: &Submit, console: &mut Console) -> Result<(), Failure> {
    let Submit { scenes, engine: super::args::Engine::Slurm, work, slurm, dry_run } = options;
    if scenes.len() > 1 && work.output.is_some() {
        let message = "--output names the files of one scene; several have their own, by default out/SCENE/####.png";
        return Err(Failure::bad_input(message));
    }
    // All are checked before any is submitted.
    let mut plans = Vec::new();
    for scene in scenes {
        plans.push(Plan::new(scene, &with_program(work)?, console)?);
    }
    for plan in plans {
        let all = plan.frames.clone();
        one(plan, &all, &with_program(work)?, slurm, *dry_run, console)?;
    }
    Ok(())
}

/// Nodes run this very program, unless another is named.
fn with_program(work: &Work) -> Result<Work, Failure> {
    let mut work = work.clone();
    if work.program.is_none() {
        let own = std::env::current_exe();
        let own = own.map_err(|error| Failure::bad_input(format!("--program: {error}")))?;
        work.program = Some(own.display().to_string());
    }
    Ok(work)
}

pub(super) fn retry(options: &Retry, console: &mut Console) -> Result<(), Failure> {
    let ticket = Ticket::last_of(&options.folder.folder)?;
    ticket.enter(console)?;
    if let Some(jobs) = &ticket.jobs
        && let Ok(queue) = slurm::queue(&jobs[1..2])
    {
        let left = queue.iter().filter(|task| !task.has_ended()).count();
        if left > 0 {
            return Err(Failure::bad_input(format!(
                "job {} still has {} in the queue: wait, or run tintype farm cancel first",
                jobs[1],
                counted(left, "task")
            )));
        }
    }
    let all = ticket.all_frames()?;
    // By the scene as it is now: if it was changed, all frames are to be drawn again.
    let work = Work { frames: Some(all.to_string()), ..ticket.work.clone() };
    let mut plan = Plan::new(&ticket.scene, &work, console)?;
    if plan.digest != ticket.digest {
        console.info("the scene or its assets have changed since it was submitted");
    }
    let Some(list) = FrameList::from_rising(missing(&plan, &all)?) else {
        console.info(&format!(
            "{} are there and current: nothing to retry",
            counted(all.len(), "frame")
        ));
        return Ok(());
    };
    console.info(&format!("missing: {}", status::shortened(&list.to_string())));
    plan.frames = within_a_command_line(list);
    plan.cut(plan.chunk.min(plan.frames.len() as u64));
    one(plan, &all, &ticket.work, &ticket.slurm, options.dry_run, console)
}

/// The frames that are not there, whole and current.
fn missing(plan: &Plan, all: &FrameList) -> Result<Vec<i64>, Failure> {
    let pattern =
        FramePattern::parse(&plan.output).map_err(|error| Failure::bad_input(error.to_string()))?;
    let (views, size, digest) = (plan.views.as_slice(), plan.size, plan.digest.as_str());
    let present = Present { pattern: &pattern, views, size, digest };
    let numbers: Vec<i64> = all.iter().collect();
    let is_missing = |number: &i64| !matches!(present.look_at(*number).0, Standing::Current { .. });
    Ok(numbers.into_par_iter().filter(is_missing).collect())
}

/// A list of frames, or a longer one that takes fewer words: frames that are there are passed over by the tasks.
///
/// Frames that are close together are joined to ranges; the system takes words of 128 KiB at most.
fn within_a_command_line(list: FrameList) -> FrameList {
    const MOST_BYTES: usize = 60_000;
    let mut list = list;
    let mut gap = 1;
    while list.to_string().len() > MOST_BYTES {
        gap *= 2;
        let numbers: Vec<i64> = list.iter().collect();
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

/// Submits one plan.
fn one(
    mut plan: Plan,
    all: &FrameList,
    work: &Work,
    options: &SlurmOptions,
    dry_run: bool,
    console: &mut Console,
) -> Result<(), Failure> {
    // 1. What this cluster takes.
    if !dry_run {
        slurm::check_partition(options)?;
        let most = slurm::most_tasks()?;
        if plan.tasks > most && work.chunk.is_none() {
            plan.cut((plan.frames.len() as u64).div_ceil(most));
        }
        if plan.tasks > most {
            return Err(Failure::bad_input(format!(
                "--chunk: {} make {} tasks of {}, and this cluster takes {most} in an array (MaxArraySize); say --chunk {} or more",
                counted(plan.frames.len(), "frame"),
                plan.tasks,
                plan.chunk,
                (plan.frames.len() as u64).div_ceil(most)
            )));
        }
    }
    let folder = std::path::absolute(&plan.folder)
        .map_err(|error| load::unreadable(&plan.folder, &error))?;
    let id = format!("{:.0}-{}", now() * 1000.0, litter::process());
    let mut ticket = Ticket::new(&plan, all, work, options, id)?;
    let scripts = Scripts::new(&plan, &ticket, &folder)?;
    console.info(&plan.described());
    if dry_run {
        console.info(&format!(
            "nothing is submitted; the scripts would stand in {}, with one before this that looks at a node and one after it that verifies",
            farm_folder(&plan.folder).display()
        ));
        return write_stdout(scripts.frames.as_bytes());
    }

    // 2. The files, before any job can look for them.
    for folder in [log_folder(&folder), tasks_in(&folder)] {
        std::fs::create_dir_all(&folder).map_err(|error| load::unreadable(&folder, &error))?;
    }
    ticket.write(&folder)?;
    let written = |suffix: &str, text: &str| -> Result<std::path::PathBuf, Failure> {
        let path = farm_folder(&folder).join(format!("{}.{suffix}", ticket.id));
        write_atomic(&path, text.as_bytes()).map_err(|error| Failure::output(&error))?;
        Ok(path)
    };
    let check = written("check.sbatch", &scripts.check)?;
    let frames = written("sbatch", &scripts.frames)?;
    let verify = written("verify.sbatch", &scripts.verify)?;

    // 3. The jobs; all or none.
    let mut jobs: Vec<String> = Vec::new();
    let result = submit_all([&check, &frames, &verify], &mut jobs);
    if let Err(failure) = result {
        let _ = std::fs::remove_file(ticket.path(&folder));
        if !jobs.is_empty() {
            slurm::cancel(&jobs)?;
        }
        return Err(failure);
    }
    let [first, array, last] =
        [0, 1, 2].map(|place: usize| jobs.get(place).cloned().unwrap_or_default());
    console.info(&format!(
        "job {first} looks at a node, job {array} renders, job {last} verifies: tintype farm status {} --watch",
        plan.folder.display()
    ));
    ticket.jobs = Some([first, array, last]);
    ticket.write(&folder)
}

fn submit_all(scripts: [&Path; 3], jobs: &mut Vec<String>) -> Result<(), Failure> {
    let [check, frames, verify] = scripts;
    jobs.push(slurm::submit(check, &[])?);
    let after = |how: &str, job: Option<&String>| {
        let job = job.map_or("", String::as_str);
        vec![format!("--dependency={how}:{job}"), "--kill-on-invalid-dep=yes".to_owned()]
    };
    jobs.push(slurm::submit(frames, &after("afterok", jobs.last()))?);
    jobs.push(slurm::submit(verify, &after("afterany", jobs.last()))?);
    Ok(())
}

/// `tintype farm cancel`
pub(super) fn cancel(folder: &Path, console: &Console) -> Result<(), Failure> {
    let tickets = Ticket::all_of(folder)?;
    let jobs: Vec<String> =
        tickets.into_iter().filter_map(|ticket| ticket.jobs).flatten().collect();
    let queue = slurm::queue(&jobs)?;
    let mut left: Vec<String> = queue
        .iter()
        .filter(|task| !task.has_ended())
        .map(|task: &Queued| task.job.clone())
        .collect();
    let tasks = left.len();
    left.sort();
    left.dedup();
    if left.is_empty() {
        console.info("no task is in the queue");
        return Ok(());
    }
    slurm::cancel(&left)?;
    console.info(&format!(
        "{} cancelled; frames that are written stay, and tintype farm retry {} goes on",
        counted(tasks, "task"),
        folder.display()
    ));
    Ok(())
}
