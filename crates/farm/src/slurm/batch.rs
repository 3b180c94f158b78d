//! Several plans submitted together: all of them enter the queue, or none.
//!
//! Three kinds of jobs: one preflight check of a node for the whole batch, the array of each plan,
//! and a job that verifies each array whatever its result. The preflight check only reports: it may
//! hit the one bad node, and each task checks its node anyway.

use super::SlurmOptions;
use super::client::Slurm;
use super::queue::NodeSize;
use super::scripts::{Scripts, preflight_script};
use crate::error::SubmitError;
use crate::folders::{farm_folder, log_folder};
use crate::plan::{Plan, TaskOptions};
use crate::submission::Submission;
use std::collections::BTreeMap;
use std::path::PathBuf;
use tintype_base::amount::counted;
use tintype_base::disk::if_there;
use tintype_base::path::ShowPath;
use tintype_host::job::journal::tasks_in;
use tintype_host::write_atomic;

/// Plans with their scripts, ready to be submitted.
pub struct Batch {
    entries: Vec<Entry>,
}

/// One plan of a batch.
struct Entry {
    plan: Plan,
    submission: Submission,
    /// The absolute folder of the pictures.
    folder: PathBuf,
    scripts: Scripts,
}

impl Batch {
    /// Checks the plans against each other and, if `cluster` is given, against the limits of that
    /// cluster.
    ///
    /// # Errors
    /// [`SubmitError`] if plans use the same folder, the cluster accepts no such tasks, or a name
    /// cannot be written to a script.
    pub fn new(
        mut plans: Vec<Plan>,
        tasks: &TaskOptions,
        slurm: &SlurmOptions,
        cluster: Option<Slurm>,
    ) -> Result<Self, SubmitError> {
        refuse_shared_folders(&plans)?;
        if let Some(cluster) = cluster {
            cluster.check_partition(slurm)?;
            let most = cluster.most_tasks()?;
            let nodes = cluster.node_sizes(slurm)?;
            for plan in &mut plans {
                refuse_impossible(plan, slurm, &nodes)?;
                fit(plan, tasks, most, &nodes)?;
            }
        }
        let entries = plans.into_iter().map(|plan| {
            let folder = std::path::absolute(&plan.folder)
                .map_err(|error| SubmitError::unreadable(&plan.folder, &error))?;
            let submission = Submission::new(&plan, tasks, slurm)?;
            let scripts = Scripts::new(&plan, &submission, &folder)?;
            Ok(Entry { plan, submission, folder, scripts })
        });
        Ok(Self { entries: entries.collect::<Result<_, SubmitError>>()? })
    }

    /// Each plan with the script of its array.
    pub fn plans(&self) -> impl Iterator<Item = (&Plan, &str)> {
        self.entries.iter().map(|entry| (&entry.plan, entry.scripts.array.as_str()))
    }

    /// Writes the same files beside the pictures as [`Self::submit`], without submitting: the
    /// scripts can be submitted by hand, and their tasks find the files that they check.
    ///
    /// # Errors
    /// [`SubmitError`] if a file cannot be written.
    pub fn write(mut self) -> Result<(), SubmitError> {
        for entry in &mut self.entries {
            entry.submission.is_dry = true;
        }
        write_files(&self.entries).map(drop)
    }

    /// Writes the files beside the pictures and submits the jobs; calls `on_queued` for each plan
    /// with its jobs: preflight, array and verify.
    ///
    /// # Errors
    /// [`SubmitError`]; then jobs that were already submitted are cancelled.
    pub fn submit(
        mut self,
        cluster: Slurm,
        mut on_queued: impl FnMut(&Plan, &[String; 3]),
    ) -> Result<(), SubmitError> {
        // 1. The files, before any job can open them.
        let files = write_files(&self.entries)?;

        // 2. The jobs, and their numbers in the submissions; all or none.
        let mut jobs: Vec<String> = Vec::new();
        if let Err(mut error) =
            enter_queue(&files, &mut jobs, cluster).and_then(|()| self.take_numbers(&jobs))
        {
            for entry in &self.entries {
                let path = entry.submission.path(&entry.folder);
                if let Err(why) = if_there(std::fs::remove_file(&path)) {
                    error = error.with_suffix(&format!(
                        "; {} lists these jobs and could not be removed: {why}",
                        path.shown()
                    ));
                }
            }
            if !jobs.is_empty() && cluster.cancel(&jobs).is_err() {
                error = error.with_suffix(&format!(
                    "; jobs submitted earlier could not be cancelled; run scancel {}",
                    jobs.join(" ")
                ));
            }
            return Err(error);
        }
        for Entry { plan, submission, .. } in &self.entries {
            submission.jobs.iter().for_each(|numbers| on_queued(plan, numbers));
        }
        Ok(())
    }

    /// Writes the numbers of the jobs into the submissions.
    fn take_numbers(&mut self, jobs: &[String]) -> Result<(), SubmitError> {
        let mut jobs = jobs.iter().cloned();
        let preflight = jobs.next().unwrap_or_default();
        let is_shared = self.entries.len() > 1;
        for Entry { submission, folder, .. } in &mut self.entries {
            let [array, verify] = [0, 1].map(|_| jobs.next().unwrap_or_default());
            submission.jobs = Some([preflight.clone(), array, verify]);
            submission.shares_preflight = is_shared;
            submission.write(folder)?;
        }
        Ok(())
    }
}

/// Refuses submissions with the same folder: they would write the same files, and `farm status`
/// could not distinguish them.
fn refuse_shared_folders(plans: &[Plan]) -> Result<(), SubmitError> {
    let mut owners: BTreeMap<PathBuf, &Plan> = BTreeMap::new();
    for plan in plans {
        let whole = plan.folder.canonicalize().or_else(|_| std::path::absolute(&plan.folder));
        let whole = whole.map_err(|error| SubmitError::unreadable(&plan.folder, &error))?;
        if let Some(other) = owners.insert(whole, plan) {
            return Err(SubmitError::invalid(format!(
                "{} and {} would both write to {}: each needs a separate folder for status and retry",
                other.job.title(),
                plan.job.title(),
                plan.folder.shown()
            )));
        }
    }
    Ok(())
}

/// Refuses tasks that no node can run: Slurm would let them wait forever, or report that a
/// "configuration is not available".
fn refuse_impossible(
    plan: &Plan,
    slurm: &SlurmOptions,
    nodes: &[NodeSize],
) -> Result<(), SubmitError> {
    let takes =
        |node: &&NodeSize| node.cpus >= u64::from(plan.cpus) && node.memory_mib >= plan.memory_mib;
    if nodes.is_empty() || nodes.iter().any(|node| takes(&node)) {
        return Ok(());
    }
    let most = |value: fn(&NodeSize) -> u64| nodes.iter().map(value).max().unwrap_or_default();
    let (cpus, memory) = (most(|node| node.cpus), most(|node| node.memory_mib));
    let partition = slurm.partition.as_deref();
    let of = partition.map_or_else(String::new, |name| format!(" of partition {name}"));
    Err(SubmitError::invalid(if u64::from(plan.cpus) > cpus {
        format!("--cpus {}: the nodes{of} have at most {cpus}", plan.cpus)
    } else {
        format!(
            "--memory {}: no node{of} has that much with --cpus {}; the largest has {memory} MiB",
            plan.memory_mib, plan.cpus
        )
    }))
}

/// Seconds that a task is worth its start.
const MIN_TASK_S: f64 = 10.0;

/// Divides a plan into tasks for all processors of the cluster, and into at most as many as it
/// allows.
fn fit(
    plan: &mut Plan,
    tasks: &TaskOptions,
    most: u64,
    nodes: &[NodeSize],
) -> Result<(), SubmitError> {
    let least = (plan.count as u64).div_ceil(most);
    let at_once: u64 = nodes.iter().map(|node| node.cpus / u64::from(plan.cpus.max(1))).sum();
    if tasks.chunk.is_none() && plan.tasks < at_once {
        // Tasks of two minutes would leave nodes idle; tasks of a few seconds are not worth
        // starting.
        let each = (plan.count as u64).div_ceil(at_once.max(1));
        plan.cut(each.max(plan.items_in(MIN_TASK_S)).min(plan.chunk).max(least));
    }
    if plan.tasks > most && tasks.chunk.is_none() {
        plan.cut(least);
    }
    if plan.tasks > most {
        return Err(SubmitError::invalid(format!(
            "--chunk: {} make {} tasks of {}, but this cluster allows {most} in an array (MaxArraySize); use --chunk {least} or more",
            counted(plan.count, plan.job.noun()),
            plan.tasks,
            plan.chunk,
        )));
    }
    Ok(())
}

/// Paths of the written scripts.
struct Files {
    preflight: PathBuf,
    /// Array and verification of each submission.
    pairs: Vec<[PathBuf; 2]>,
}

fn write_files(submissions: &[Entry]) -> Result<Files, SubmitError> {
    let parts: Vec<_> = submissions
        .iter()
        .map(|entry| (&entry.plan, &entry.submission, entry.folder.as_path()))
        .collect();
    let preflight = preflight_script(&parts)?;
    let mut files = Files { preflight: PathBuf::new(), pairs: Vec::new() };
    for (place, Entry { plan, submission, folder, scripts }) in submissions.iter().enumerate() {
        for folder in [log_folder(folder), tasks_in(folder), farm_folder(folder)] {
            std::fs::create_dir_all(&folder)
                .map_err(|error| SubmitError::unreadable(&folder, &error))?;
        }
        plan.write_for_tasks()?;
        submission.write(folder)?;
        let written = |suffix: &str, text: &str| -> Result<PathBuf, SubmitError> {
            let path = farm_folder(folder).join(format!("{}.{suffix}", submission.id));
            write_atomic(&path, text.as_bytes()).map_err(|error| SubmitError::from(&error))?;
            Ok(path)
        };
        if place == 0 {
            files.preflight = written("check.sbatch", &preflight)?;
        }
        files
            .pairs
            .push([written("sbatch", &scripts.array)?, written("verify.sbatch", &scripts.verify)?]);
    }
    Ok(files)
}

/// Submits the preflight check, then each array and its verify job; `jobs` receives the numbers,
/// also on an error.
fn enter_queue(files: &Files, jobs: &mut Vec<String>, cluster: Slurm) -> Result<(), SubmitError> {
    let after = |job: &str| {
        vec![format!("--dependency=afterany:{job}"), "--kill-on-invalid-dep=yes".to_owned()]
    };
    let preflight = cluster.submit(&files.preflight, &[])?;
    jobs.push(preflight);
    for [array, verify] in &files.pairs {
        let array = cluster.submit(array, &[])?;
        jobs.push(array.clone());
        jobs.push(cluster.submit(verify, &after(&array))?);
    }
    Ok(())
}
