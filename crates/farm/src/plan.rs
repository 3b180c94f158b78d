//! A job divided into tasks, with processors and memory for each.

use super::error::SubmitError;
use super::folders::farm_folder;
use super::job::Job;
use super::sources::{Record, Sources};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use tintype_base::amount::counted;
use tintype_base::path::{ShowPath, path_of_text};
use tintype_host::write_atomic;

/// Intended seconds of a task: much longer than an engine takes to start one.
const TASK_S: f64 = 120.0;
/// Minimum memory requested by a task.
const MIN_MIB: u64 = 128;

/// Size and resources of tasks, if the caller sets them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TaskOptions {
    /// Frames or models per task; by default as many as take two minutes.
    pub chunk: Option<u64>,
    /// Processors of a task.
    pub cpus: u32,
    /// Memory of a task in MiB; by default one and a half times the measured memory.
    pub memory: Option<u64>,
    /// The program on the nodes; by default `tintype`.
    pub program: Option<String>,
}

/// Measured cost of a job.
#[derive(Clone, Copy, Debug)]
pub struct Cost {
    /// Frames or models.
    pub count: usize,
    /// Seconds per frame or model on one thread.
    pub unit_s: f64,
    /// Bytes of each further picture in flight.
    pub bytes_in_flight: u64,
    /// Peak memory of the measuring process, in bytes.
    pub peak_bytes: Option<u64>,
}

/// Names of a plan.
#[derive(Clone, Debug)]
pub struct PlanNames {
    /// Unique name of the submission.
    pub id: String,
    /// Part of the job, as in [`Plan::part`].
    pub part: String,
    /// Short name of the job.
    pub job: String,
    /// The folder of the pictures.
    pub folder: PathBuf,
}

/// A job, the number of its tasks, and the resources of each.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Unique name of the submission.
    pub id: String,
    /// The pictures.
    pub job: Job,
    /// Digests of all inputs of the pictures.
    pub sources: Sources,
    /// The same for each scene or model, for the tasks.
    pub record: Record,
    /// Part of the job that these tasks draw: frames in the notation of `render -f`, or the file of
    /// a list of models.
    pub part: String,
    /// Names of the models in that list; empty for frames.
    pub names: Vec<String>,
    /// Number of frames or models of all tasks.
    pub count: usize,
    /// Short name of the job.
    pub name: String,
    /// The folder of the pictures.
    pub folder: PathBuf,
    /// Number of tasks; the N of `--shard`.
    pub tasks: u64,
    /// Number of frames or models of the largest task.
    pub chunk: u64,
    /// Processors of a task.
    pub cpus: u32,
    /// Memory of a task in MiB.
    pub memory_mib: u64,
    /// Measured seconds per frame or model on one thread.
    pub unit_s: f64,
    /// The program on the nodes.
    pub program: String,
    /// The given options `--limit` and `--strict`.
    pub limits: Vec<String>,
    /// Input files of the pictures, as found on this machine.
    pub files: Vec<PathBuf>,
}

impl Plan {
    /// Divides a job into tasks.
    #[must_use]
    pub fn new(job: Job, names: PlanNames, cost: Cost, asked: &TaskOptions) -> Self {
        let PlanNames { id, part, job: name, folder } = names;
        let Cost { count, unit_s, bytes_in_flight, peak_bytes } = cost;
        let all = count as u64;
        let chunk = asked.chunk.unwrap_or_else(|| chunk_for(unit_s / f64::from(asked.cpus), all));
        let memory_mib = asked.memory.unwrap_or_else(|| {
            let bytes = peak_bytes.unwrap_or(0) + u64::from(asked.cpus - 1) * bytes_in_flight;
            (bytes * 3 / 2 / (1 << 20)).next_multiple_of(64).max(MIN_MIB)
        });
        Self {
            id,
            job,
            sources: Sources::default(),
            record: Record::default(),
            part,
            names: Vec::new(),
            count,
            name,
            folder,
            tasks: all.div_ceil(chunk),
            chunk,
            cpus: asked.cpus,
            memory_mib,
            unit_s,
            program: asked.program.clone().unwrap_or_else(|| "tintype".to_owned()),
            limits: Vec::new(),
            files: Vec::new(),
        }
    }

    /// Divides the work into tasks of `chunk` items.
    pub fn cut(&mut self, chunk: u64) {
        self.chunk = chunk.max(1);
        self.tasks = (self.count as u64).div_ceil(self.chunk);
    }

    /// Reduces the plan to a part of the frames.
    pub fn narrow(&mut self, part: String, count: usize) {
        (self.part, self.count) = (part, count);
        self.cut(self.chunk.min(count as u64));
    }

    /// The file of the record of the inputs.
    #[must_use]
    pub fn record_path(&self) -> PathBuf {
        farm_folder(&self.folder).join(format!("{}.inputs", self.id))
    }

    /// Writes the files that tasks read: the record of the inputs, and the list of models, which
    /// the tasks split among themselves.
    ///
    /// # Errors
    /// [`SubmitError`] if it cannot be written.
    pub fn write_for_tasks(&self) -> Result<(), SubmitError> {
        let folder = farm_folder(&self.folder);
        std::fs::create_dir_all(&folder)
            .map_err(|error| SubmitError::unreadable(&folder, &error))?;
        write_atomic(&self.record_path(), self.record.text().as_bytes())
            .map_err(|error| SubmitError::from(&error))?;
        if self.names.is_empty() {
            return Ok(());
        }
        let text = list_text(&self.names);
        let path = path_of_text(&self.part);
        write_atomic(&path, text.as_bytes()).map_err(|error| SubmitError::from(&error))
    }

    /// Command line of the task for this shard.
    pub fn task(&self, share: &str) -> Vec<String> {
        self.command(self.job.task(&self.part, share))
    }

    /// Command line of the last job.
    pub fn verify(&self, tidy: Option<&str>) -> Vec<String> {
        self.command(self.job.verify(tidy))
    }

    fn command(&self, own: Vec<String>) -> Vec<String> {
        let record = vec!["--inputs".to_owned(), self.record_path().shown()];
        [vec![self.program.clone()], own, record, self.limits.clone()].concat()
    }

    /// Size of the tasks in words.
    pub fn described(&self) -> String {
        let tasks = counted(usize::try_from(self.tasks).unwrap_or(usize::MAX), "task");
        let most = match self.tasks {
            1 => String::new(),
            _ => format!(" of {} or fewer", self.chunk),
        };
        format!(
            "{} in {tasks}{most}; a {} took {:.3} s on one processor here, a task may take {:.0} s",
            counted(self.count, self.job.noun()),
            self.job.noun(),
            self.unit_s,
            self.task_s().ceil()
        )
    }

    /// Number of items that take about this many seconds on the processors of a task; at least one.
    pub fn items_in(&self, seconds: f64) -> u64 {
        #[expect(clippy::cast_possible_truncation, reason = "an estimate; else it saturates")]
        #[expect(clippy::cast_sign_loss, reason = "never below 0")]
        let items = (seconds * f64::from(self.cpus) / self.unit_s) as u64;
        items.max(1)
    }

    /// Time limit of a task in minutes: four times the measured time plus ten minutes, as nodes
    /// differ and run other work.
    #[expect(clippy::cast_possible_truncation, reason = "an estimate; else it saturates")]
    #[expect(clippy::cast_sign_loss, reason = "never below 0")]
    pub fn limit_minutes(&self) -> u64 {
        (self.task_s() * 4.0 / 60.0).ceil() as u64 + 10
    }

    /// Estimated seconds of the largest task.
    pub fn task_s(&self) -> f64 {
        #[expect(clippy::cast_precision_loss, reason = "an estimate")]
        let units = self.chunk as f64;
        units * self.unit_s / f64::from(self.cpus)
    }
}

/// A list of models in the format of its file.
#[must_use]
pub fn list_text(names: &[String]) -> String {
    names.join("\n") + "\n"
}

/// Number of items that take about [`TASK_S`].
#[expect(clippy::cast_possible_truncation, reason = "an estimate; else it saturates")]
#[expect(clippy::cast_sign_loss, reason = "never below 0")]
fn chunk_for(unit_s: f64, count: u64) -> u64 {
    ((TASK_S / unit_s) as u64).clamp(1, count)
}
