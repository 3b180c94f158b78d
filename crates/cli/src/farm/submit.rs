//! `tintype farm submit` and `cancel`: scenes or models checked here, their scripts beside the
//! pictures, their jobs in the queue.

use super::measure::{of_models, of_scene, refuse_pictures};
use super::slurm::{slurm, slurm_until_a_signal};
use crate::args::farm::{Engine, Submit};
use crate::console::Console;
use crate::failure::Failure;
use crate::invocation;
use crate::signals::{end_is_asked, hold_signals};
use crate::stdout::write_stdout;
use std::path::{Path, PathBuf};
use tintype_base::amount::counted;
use tintype_base::path::ShowPath;
use tintype_base::shell::path_word;
use tintype_farm::folders::farm_folder;
use tintype_farm::plan::{Plan, TaskOptions};
use tintype_farm::slurm::Batch;
use tintype_farm::slurm::QueuedTask;
use tintype_farm::slurm::SlurmOptions;
use tintype_farm::submission::Submission;

pub(super) fn submit(options: &Submit, console: &mut Console) -> Result<(), Failure> {
    let Submit { scenes, models, engine: Engine::Slurm, pictures, tasks, slurm, dry_run } = options;
    let tasks = tasks.to_submit(Some(this_program()?));
    let slurm = slurm.to_submit();
    // All are checked before any is submitted.
    let plans = match models {
        Some(models) => {
            refuse_pictures(pictures, models)?;
            vec![of_models(models, &tasks, false, console)?]
        }
        None => {
            if scenes.len() > 1 && pictures.output.is_some() {
                let message = "--output works with one scene; several scenes write to their defaults, out/SCENE/####.png";
                return Err(Failure::bad_input(message));
            }
            let plan = |scene: &PathBuf| of_scene(scene, &pictures.to_submit(), &tasks, console);
            scenes.iter().map(plan).collect::<Result<_, _>>()?
        }
    };
    submit_plans(plans, &tasks, &slurm, *dry_run, console)
}

/// The path of this program, which nodes run unless another is named.
fn this_program() -> Result<String, Failure> {
    let path = invocation::current().program.as_ref().ok_or_else(|| {
        Failure::bad_input("the path of this program is unknown; set it with --program")
    })?;
    Ok(path.shown())
}

/// Submits all of these plans, or none.
pub(super) fn submit_plans(
    plans: Vec<Plan>,
    tasks: &TaskOptions,
    options: &SlurmOptions,
    dry_run: bool,
    console: &mut Console,
) -> Result<(), Failure> {
    let batch = Batch::new(plans, tasks, options, (!dry_run).then(slurm))?;
    for (plan, _) in batch.plans() {
        console.info(&format!("{}: {}", plan.job.title(), plan.described()));
    }
    if dry_run {
        for (plan, script) in batch.plans() {
            console.info(&format!(
                "dry run: nothing submitted; {} has this script for sbatch, the records that tasks check, and a verify script to run afterwards",
                farm_folder(&plan.folder).shown()
            ));
            write_stdout(script.as_bytes())?;
        }
        return Ok(batch.write()?);
    }
    hold_signals();
    let submitted = batch.submit(slurm_until_a_signal(), |plan, [preflight, array, verify]| {
        console.info(&format!(
            "submitted: job {preflight} (preflight), job {array} (render), job {verify} (verify); progress: tintype farm status {} --watch",
            path_word(&plan.folder)
        ));
    });
    submitted.map_err(|error| {
        let code = end_is_asked();
        let failure = Failure::from(error);
        Failure { code: code.unwrap_or(failure.code), ..failure }
    })
}

/// `tintype farm cancel`
pub(super) fn cancel(folder: &Path, console: &Console) -> Result<(), Failure> {
    let submissions = Submission::all_of(folder)?;
    let own = |submission: Submission| {
        // Others wait for a running preflight check.
        let from = usize::from(submission.shares_preflight);
        submission.jobs.map(|jobs| jobs[from..].to_vec())
    };
    let jobs: Vec<String> = submissions.into_iter().filter_map(own).flatten().collect();
    let queue = slurm().queue(&jobs)?;
    let mut left: Vec<String> = queue
        .iter()
        .filter(|task| !task.has_ended())
        .map(|task: &QueuedTask| task.job.clone())
        .collect();
    let tasks = left.len();
    left.sort();
    left.dedup();
    if left.is_empty() {
        console.info("no tasks are in the queue");
        return Ok(());
    }
    slurm().cancel(&left)?;
    console.info(&format!(
        "{} cancelled; finished pictures are kept; submit the others with `tintype farm retry {}`",
        counted(tasks, "task"),
        path_word(folder)
    ));
    Ok(())
}
