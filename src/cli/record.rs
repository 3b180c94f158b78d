//! What one attempt to draw frames, or models, did, as lines of JSON in a file of its own beside the frames.
//!
//! One file for each attempt, so that machines never share one; in `.tintype/tasks`, so that the folder of the frames holds frames. The
//! frames on disk stay the only truth: a record says who drew them, when, and in what time, and is never read to decide what
//! is to be drawn. That a record cannot be written fails no frame.

use super::console::Console;
use super::{Failure, exit};
use crate::output::{Operation, OutputError, disk_now, temp_files};
use crate::scene::FrameList;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

/// Where a sequence keeps what is not a frame.
pub(super) const HIDDEN: &str = ".tintype";

/// The folder of records beside frames.
pub(super) fn tasks_in(folder: &Path) -> PathBuf {
    folder.join(HIDDEN).join("tasks")
}

/// The lines of one attempt, while it runs.
#[derive(Clone)]
pub(super) struct Record(Option<Arc<Mutex<Open>>>);

struct Open {
    file: File,
    /// Seconds that the clock of this machine is ahead of that of the disk.
    ahead_s: f64,
    /// The first reason why a line could not be written.
    trouble: Option<std::io::Error>,
    has_ended: bool,
}

/// One line.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Line {
    /// Seconds since 1970, by the clock of the disk, which all nodes share.
    pub at: f64,
    #[serde(flatten)]
    pub event: Event,
}

/// What happened.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "kebab-case")]
pub(super) enum Event {
    Start(Start),
    Present { frames: String },
    Frame { frame: i64, digest: String, seconds: f64, peak_bytes: Option<u64> },
    Failed { frame: i64, message: String },
    Model(Model),
    End { code: u8, message: String },
}

/// What an attempt is about.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Subject {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scene: Option<String>,
    /// As `render -f` takes them; empty for none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub frames: Option<String>,
    /// The command that makes pictures of models.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,
    /// How many.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub models: Option<usize>,
}

impl Subject {
    /// Frames of a scene.
    pub fn scene(scene: &Path, frames: &[(usize, i64)]) -> Self {
        let list = FrameList::from_rising(frames.iter().map(|&(_, number)| number));
        let frames = Some(list.map_or_else(String::new, |list| list.to_string()));
        Self { scene: Some(scene.display().to_string()), frames, ..Self::default() }
    }

    /// Pictures of models.
    pub fn models(command: &str, count: usize) -> Self {
        Self { command: Some(command.to_owned()), models: Some(count), ..Self::default() }
    }
}

/// What became of one model.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Model {
    /// Its name among those of the attempt.
    pub model: String,
    /// `drawn`, `unchanged`, `failed` or `no-mesh`.
    pub status: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub digest: Option<String>,
    /// Of a turntable, as `render -f` takes them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub frames: Option<String>,
    pub seconds: f64,
    pub peak_bytes: Option<u64>,
    /// Why there is no picture.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
}

/// Who begins what.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Start {
    /// The form of these lines.
    pub version: u32,
    pub program: String,
    #[serde(flatten)]
    pub subject: Subject,
    pub shard: Option<String>,
    pub node: String,
    pub process: i32,
    /// The job of the engine, if one started this.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub job: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub task: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub restart: Option<String>,
    /// Seconds that the clock of the node is ahead of it, if that is a second or more.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock_ahead_s: Option<f64>,
}

/// A frame that was drawn and written.
pub(super) struct Frame<'a> {
    pub frame: i64,
    pub digest: &'a str,
    pub seconds: f64,
    /// The most memory that the process has held so far.
    pub peak_bytes: Option<u64>,
}

impl Record {
    /// For attempts of which nothing is kept.
    pub fn none() -> Self {
        Self(None)
    }

    /// Starts the file of this attempt.
    ///
    /// # Errors
    /// A [`Failure`] if there can be no such file; then there could be no frame either.
    pub fn begin(subject: Subject, shard: Option<&str>, folder: &Path) -> Result<Self, Failure> {
        let variable = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
        let host = temp_files::host_name();
        let tasks = tasks_in(folder);
        let failed = |operation: Operation, path: &Path| {
            let path = path.to_owned();
            move |source: std::io::Error| Failure::output(&OutputError { path, operation, source })
        };
        std::fs::create_dir_all(&tasks).map_err(failed(Operation::CreateFolder, &tasks))?;
        let disk = disk_now(&tasks).map_err(failed(Operation::Create, &tasks))?;
        let ahead_s = now() - seconds(disk);
        // A disk counts in ticks of its own.
        let ahead_s = if ahead_s.abs() < 1.0 { 0.0 } else { ahead_s };
        let start = Start {
            version: 1,
            program: concat!("tintype ", env!("CARGO_PKG_VERSION")).to_owned(),
            subject,
            shard: shard.map(str::to_owned),
            node: variable("SLURMD_NODENAME").unwrap_or_else(|| host.clone()),
            process: temp_files::process(),
            job: variable("SLURM_ARRAY_JOB_ID").or_else(|| variable("SLURM_JOB_ID")),
            task: variable("SLURM_ARRAY_TASK_ID").or_else(|| variable("JOB_COMPLETION_INDEX")),
            restart: variable("SLURM_RESTART_COUNT"),
            clock_ahead_s: (ahead_s != 0.0).then_some(ahead_s),
        };
        let milliseconds = ((now() - ahead_s) * 1000.0).round();
        let safe = |c: char| if c.is_ascii_alphanumeric() || c == '-' { c } else { '_' };
        let node: String = start.node.chars().map(safe).take(40).collect();
        // Machines may share names and numbers of processes, and clocks may stand still.
        let file = tempfile::Builder::new()
            .prefix(&format!("{milliseconds:.0}-{node}-{}-", start.process))
            .suffix(".jsonl")
            .rand_bytes(6)
            .make_in(&tasks, |path| File::options().write(true).create_new(true).open(path))
            .and_then(|file| file.keep().map_err(|error| error.error))
            .map_err(failed(Operation::Create, &tasks))?
            .0;
        let open = Open { file, ahead_s, trouble: None, has_ended: false };
        let record = Self(Some(Arc::new(Mutex::new(open))));
        record.write(Event::Start(start));
        Ok(record)
    }

    fn write(&self, event: Event) {
        let Some(open) = &self.0 else { return };
        let mut open = open.lock().unwrap_or_else(PoisonError::into_inner);
        if open.has_ended {
            return;
        }
        open.has_ended = matches!(event, Event::End { .. });
        let Ok(mut line) = serde_json::to_string(&Line { at: now() - open.ahead_s, event }) else {
            return;
        };
        line.push('\n');
        if let Err(error) = open.file.write_all(line.as_bytes()) {
            open.trouble.get_or_insert(error);
        }
    }

    /// Frames that were there already.
    pub fn present(&self, frames: FrameList) {
        self.write(Event::Present { frames: frames.to_string() });
    }

    /// A frame is written.
    pub fn frame(&self, frame: &Frame) {
        let Frame { frame, digest, seconds, peak_bytes } = *frame;
        self.write(Event::Frame { frame, digest: digest.to_owned(), seconds, peak_bytes });
    }

    /// A frame could not be written.
    pub fn failed(&self, frame: i64, failure: &Failure) {
        self.write(Event::Failed { frame, message: failure.message.clone() });
    }

    /// What became of a model.
    pub fn model(&self, model: Model) {
        self.write(Event::Model(model));
    }

    /// The attempt was told to end, and does not wait for its frames.
    pub fn stopped(&self) {
        self.write(Event::End { code: exit::TRY_AGAIN, message: "terminated".to_owned() });
    }

    /// The attempt is over.
    pub fn end(&self, failure: Option<&Failure>, console: &mut Console) {
        let (code, message) = match failure {
            None => (exit::DONE, String::new()),
            Some(failure) if failure.message.is_empty() => {
                (failure.code, "stopped, with whole pictures only".to_owned())
            }
            Some(failure) => (failure.code, failure.message.clone()),
        };
        self.write(Event::End { code, message });
        let trouble = self
            .0
            .as_ref()
            .and_then(|open| open.lock().unwrap_or_else(PoisonError::into_inner).trouble.take());
        if let Some(error) = trouble {
            console.info(&format!("the record of this attempt is not complete: {error}"));
        }
    }
}

/// The records beside pictures, the oldest first; a line that was cut off when a machine died is passed over.
pub(super) fn attempts(folder: &Path) -> Vec<Vec<Line>> {
    let entries = std::fs::read_dir(tasks_in(folder)).into_iter().flatten();
    let paths: BTreeSet<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    let lines = |path: PathBuf| {
        let text = std::fs::read_to_string(path).unwrap_or_default();
        text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect()
    };
    paths.into_iter().map(lines).collect()
}

/// Why models have no picture, by what the last attempt at each said.
pub(super) fn last_words(folder: &Path) -> BTreeMap<String, String> {
    let mut words = BTreeMap::new();
    for Line { event, .. } in attempts(folder).into_iter().flatten() {
        if let Event::Model(Model { model, message, .. }) = event {
            match message {
                Some(message) => drop(words.insert(model, message)),
                None => drop(words.remove(&model)),
            }
        }
    }
    words
}

/// Seconds since 1970, by the clock of this machine.
pub(super) fn now() -> f64 {
    seconds(SystemTime::now())
}

/// A time in seconds since 1970.
pub(super) fn seconds(time: SystemTime) -> f64 {
    let since = time.duration_since(SystemTime::UNIX_EPOCH);
    since.map_or(0.0, |since| since.as_secs_f64())
}
