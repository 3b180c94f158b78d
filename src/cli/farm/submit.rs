//! `tintype farm submit`: scenes or models checked here, their scripts beside the pictures, three jobs in the queue for each.
//!
//! The first job looks at a node: does it see the output folder, what is read, and the same program; several submissions share it. The
//! second is the array, which begins only if the first is content. The third verifies, whatever became of the second. All of it is
//! submitted, or nothing.

use super::args::{Engine, SlurmOptions, Submit, Tasks};
use super::console::Console;
use super::plan::Plan;
use super::slurm::{self, Queued, Scripts};
use super::ticket::{Ticket, farm_folder, log_folder};
use super::{Failure, counted, load, write_stdout};
use crate::job::journal::tasks_in;
use crate::output::write_atomic;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

pub(super) fn submit(options: &Submit, console: &mut Console) -> Result<(), Failure> {
    let Submit { scenes, models, engine: Engine::Slurm, pictures, tasks, slurm, dry_run } = options;
    let tasks = with_program(tasks)?;
    // All are checked before any is submitted.
    let plans = match models {
        Some(models) => {
            super::refuse_pictures(pictures, models)?;
            vec![Plan::of_models(models, &tasks, console)?]
        }
        None => {
            if scenes.len() > 1 && pictures.output.is_some() {
                let message = "--output names the files of one scene; several have their own, by default out/SCENE/####.png";
                return Err(Failure::bad_input(message));
            }
            let plan = |scene: &PathBuf| Plan::of_scene(scene, pictures, &tasks, console);
            scenes.iter().map(plan).collect::<Result<_, _>>()?
        }
    };
    submit_plans(plans, &tasks, slurm, *dry_run, console)
}

/// Nodes run this very program, unless another is named.
fn with_program(tasks: &Tasks) -> Result<Tasks, Failure> {
    let mut tasks = tasks.clone();
    if tasks.program.is_none() {
        let own = std::env::current_exe();
        let own = own.map_err(|error| Failure::bad_input(format!("--program: {error}")))?;
        tasks.program = Some(own.display().to_string());
    }
    Ok(tasks)
}

/// One plan on its way into the queue.
struct Submission {
    plan: Plan,
    ticket: Ticket,
    /// The whole path of the folder of the pictures.
    folder: PathBuf,
    scripts: Scripts,
}

/// Submits all of these plans, or none.
pub(super) fn submit_plans(
    mut plans: Vec<Plan>,
    tasks: &Tasks,
    slurm: &SlurmOptions,
    dry_run: bool,
    console: &mut Console,
) -> Result<(), Failure> {
    // 1. What this cluster takes.
    refuse_shared_folders(&plans)?;
    if !dry_run {
        slurm::check_partition(slurm)?;
        let most = slurm::most_tasks()?;
        plans.iter_mut().try_for_each(|plan| fit(plan, tasks, most))?;
    }
    let submissions = plans.into_iter().map(|plan| {
        let folder = std::path::absolute(&plan.folder)
            .map_err(|error| load::unreadable(&plan.folder, &error))?;
        let ticket = Ticket::new(&plan, tasks, slurm)?;
        let scripts = Scripts::new(&plan, &ticket, &folder)?;
        Ok(Submission { plan, ticket, folder, scripts })
    });
    let mut submissions: Vec<Submission> = submissions.collect::<Result<_, Failure>>()?;
    for Submission { plan, .. } in &submissions {
        console.info(&format!("{}: {}", plan.job.title(), plan.described()));
    }
    if dry_run {
        for Submission { plan, scripts, .. } in &submissions {
            console.info(&format!(
                "nothing is submitted; the scripts would stand in {}, with one before this that looks at a node and one after it that verifies",
                farm_folder(&plan.folder).display()
            ));
            write_stdout(scripts.array.as_bytes())?;
        }
        return Ok(());
    }

    // 2. The files, before any job can look for them.
    let look = look_script(&submissions)?;
    let files = write_files(&submissions, &look)?;

    // 3. The jobs; all or none.
    let mut jobs: Vec<String> = Vec::new();
    if let Err(mut failure) = enter_queue(&files, &mut jobs) {
        for one in &submissions {
            let _ = std::fs::remove_file(one.ticket.path(&one.folder));
        }
        if !jobs.is_empty() && slurm::cancel(&jobs).is_err() {
            failure.message += &format!(
                "; jobs that were submitted before it could not be cancelled: scancel {}",
                jobs.join(" ")
            );
        }
        return Err(failure);
    }
    let (look, pairs) =
        jobs.split_first().map_or((String::new(), &[][..]), |(look, pairs)| (look.clone(), pairs));
    let is_shared = submissions.len() > 1;
    for (one, pair) in submissions.iter_mut().zip(pairs.chunks_exact(2)) {
        let [array, verify] =
            [0, 1].map(|place: usize| pair.get(place).cloned().unwrap_or_default());
        console.info(&format!(
            "job {look} looks at a node, job {array} renders, job {verify} verifies: tintype farm status {} --watch",
            one.plan.folder.display()
        ));
        one.ticket.jobs = Some([look.clone(), array, verify]);
        one.ticket.shares_look = is_shared;
        one.ticket.write(&one.folder)?;
    }
    Ok(())
}

/// Refuses submissions that would write the same files, or that `farm status` could not tell apart.
fn refuse_shared_folders(plans: &[Plan]) -> Result<(), Failure> {
    let mut owners: BTreeMap<PathBuf, &Plan> = BTreeMap::new();
    for plan in plans {
        let whole = plan.folder.canonicalize().or_else(|_| std::path::absolute(&plan.folder));
        let whole = whole.map_err(|error| load::unreadable(&plan.folder, &error))?;
        if let Some(other) = owners.insert(whole, plan) {
            return Err(Failure::bad_input(format!(
                "{} and {} would both write to {}: each needs a folder of its own, by which status and retry find it",
                other.job.title(),
                plan.job.title(),
                plan.folder.display()
            )));
        }
    }
    Ok(())
}

/// Cuts a plan into as many tasks as a cluster takes.
fn fit(plan: &mut Plan, tasks: &Tasks, most: u64) -> Result<(), Failure> {
    let least = (plan.count as u64).div_ceil(most);
    if plan.tasks > most && tasks.chunk.is_none() {
        plan.cut(least);
    }
    if plan.tasks > most {
        return Err(Failure::bad_input(format!(
            "--chunk: {} make {} tasks of {}, and this cluster takes {most} in an array (MaxArraySize); say --chunk {least} or more",
            counted(plan.count, plan.job.noun()),
            plan.tasks,
            plan.chunk,
        )));
    }
    Ok(())
}

fn look_script(submissions: &[Submission]) -> Result<String, Failure> {
    let parts: Vec<(&Plan, &Ticket, &Path)> =
        submissions.iter().map(|one| (&one.plan, &one.ticket, one.folder.as_path())).collect();
    slurm::look_script(&parts)
}

/// The scripts on the disk.
struct Files {
    look: PathBuf,
    /// The array and what verifies it, of each submission.
    pairs: Vec<[PathBuf; 2]>,
}

fn write_files(submissions: &[Submission], look: &str) -> Result<Files, Failure> {
    let mut files = Files { look: PathBuf::new(), pairs: Vec::new() };
    for (place, Submission { plan, ticket, folder, scripts }) in submissions.iter().enumerate() {
        for folder in [log_folder(folder), tasks_in(folder), farm_folder(folder)] {
            std::fs::create_dir_all(&folder).map_err(|error| load::unreadable(&folder, &error))?;
        }
        plan.write_list()?;
        ticket.write(folder)?;
        let written = |suffix: &str, text: &str| -> Result<PathBuf, Failure> {
            let path = farm_folder(folder).join(format!("{}.{suffix}", ticket.id));
            write_atomic(&path, text.as_bytes()).map_err(|error| Failure::output(&error))?;
            Ok(path)
        };
        if place == 0 {
            files.look = written("check.sbatch", look)?;
        }
        files
            .pairs
            .push([written("sbatch", &scripts.array)?, written("verify.sbatch", &scripts.verify)?]);
    }
    Ok(files)
}

/// Submits the look at a node, then each array and what verifies it; `jobs` are their numbers, as far as it came.
fn enter_queue(files: &Files, jobs: &mut Vec<String>) -> Result<(), Failure> {
    let after = |how: &str, job: &str| {
        vec![format!("--dependency={how}:{job}"), "--kill-on-invalid-dep=yes".to_owned()]
    };
    let look = slurm::submit(&files.look, &[])?;
    jobs.push(look.clone());
    for [array, verify] in &files.pairs {
        let array = slurm::submit(array, &after("afterok", &look))?;
        jobs.push(array.clone());
        jobs.push(slurm::submit(verify, &after("afterany", &array))?);
    }
    Ok(())
}

/// `tintype farm cancel`
pub(super) fn cancel(folder: &Path, console: &Console) -> Result<(), Failure> {
    let tickets = Ticket::all_of(folder)?;
    let own = |ticket: Ticket| {
        // Others wait for a look that is shared.
        let from = usize::from(ticket.shares_look);
        ticket.jobs.map(|jobs| jobs[from..].to_vec())
    };
    let jobs: Vec<String> = tickets.into_iter().filter_map(own).flatten().collect();
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
        "{} cancelled; pictures that are written stay, and tintype farm retry {} goes on",
        counted(tasks, "task"),
        folder.display()
    ));
    Ok(())
}
