//! The journal of one attempt at a job: lines of JSON in a file beside the pictures.
//!
//! Each attempt has a separate file in `.tintype/tasks`, so that machines never write to the same
//! one, and the folder of the pictures contains only pictures. A journal records which process drew
//! a picture, when, and in what time. It is never read to decide what to draw: only the pictures
//! themselves count. A line that cannot be written does not fail a picture.

use super::memory::peak_memory;
use crate::{Operation, OutputError, disk_now, temp_files, write_atomic};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;
use tintype_base::disk::{if_there, open_regular, read_regular};
use tintype_base::path::ShowPath;
use tintype_base::printable::printable_json;
use tintype_scene::{Aov, Channel, ChannelFormat, FrameList, FrameNumber, FramePattern, Scene};

/// Folder beside pictures for everything that is not a picture.
pub const STATE_DIR: &str = ".tintype";

/// The folder of journals beside pictures.
#[must_use]
pub fn tasks_in(folder: &Path) -> PathBuf {
    folder.join(STATE_DIR).join("tasks")
}

/// The folder of lists of models beside pictures. A list is named by its digest: attempts at the
/// same models use the same list.
#[must_use]
pub fn lists_in(folder: &Path) -> PathBuf {
    folder.join(STATE_DIR).join("lists")
}

/// The folder of shards' records of their scene files, beside pictures.
#[must_use]
pub fn inputs_in(folder: &Path) -> PathBuf {
    folder.join(STATE_DIR).join("inputs")
}

/// The open journal of an attempt; clones write to the same file.
#[derive(Clone, Debug)]
pub struct Journal {
    open: Option<Arc<Mutex<Open>>>,
    /// Clock of this machine.
    now: fn() -> SystemTime,
}

#[derive(Debug)]
struct Open {
    file: File,
    /// Seconds that the clock of this machine is ahead of the disk's.
    ahead_s: f64,
    /// The first error that prevented writing a line.
    trouble: Option<std::io::Error>,
    has_ended: bool,
}

/// One line.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Line {
    /// Seconds since 1970, by the clock of the disk, which is common to all nodes.
    pub at: f64,
    /// The event.
    #[serde(flatten)]
    pub event: Event,
}

/// An event of an attempt.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "kebab-case")]
pub enum Event {
    /// The attempt begins.
    Start(Start),
    /// The scene is read: the identity of its frames on the disk.
    Scene {
        /// File names of the frames, in the form of `render -o`.
        output: String,
        /// All requested frames, including those of other shards.
        all: String,
        /// The digest of its frames.
        digest: String,
        /// Width and height in pixels.
        size: [u32; 2],
        /// Views beside each picture.
        views: Vec<String>,
        /// Channels in a file beside each picture.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        channels: Vec<Channel>,
        /// Format of those files.
        #[serde(default)]
        channels_as: ChannelFormat,
    },
    /// The models are found: the identity of their pictures on the disk.
    Models {
        /// File in `.tintype/lists` with the names of all requested models, including those of
        /// other shards, one per line.
        list: String,
        /// The folder that the names are relative to.
        base: String,
        /// File names of the frames of each turntable. None for thumbnails.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        frames: Option<String>,
    },
    /// Frames that were up to date on the disk.
    Present {
        /// The list, as `render -f` takes it.
        frames: String,
    },
    /// A frame was drawn and written.
    Frame {
        /// Its number.
        frame: i64,
        /// The digest in its file.
        digest: String,
        /// Seconds that it took.
        seconds: f64,
        /// Peak memory of the process so far, in bytes.
        peak_bytes: Option<u64>,
    },
    /// A frame could not be written.
    Failed {
        /// Its number.
        frame: i64,
        /// The reason.
        message: String,
    },
    /// Result of one model.
    Model(Model),
    /// The attempt ends.
    End {
        /// The exit code.
        code: u8,
        /// The last message, empty after success.
        message: String,
    },
}

/// The work of an attempt: frames of a scene, or models.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Subject {
    /// Path of the scene.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scene: Option<String>,
    /// Frames of the scene, in the format of `render -f`; empty for none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub frames: Option<String>,
    /// The command that draws models: `thumbnail` or `turntable`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,
    /// Number of models.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub models: Option<usize>,
}

impl Subject {
    /// Frames of a scene.
    #[must_use]
    pub fn scene(scene: &Path, frames: &[FrameNumber]) -> Self {
        let list = FrameList::from_rising(frames.iter().copied());
        let frames = Some(list.map_or_else(String::new, |list| list.to_string()));
        Self { scene: Some(scene.shown()), frames, ..Self::default() }
    }

    /// Pictures of models.
    #[must_use]
    pub fn models(command: &str, count: usize) -> Self {
        Self { command: Some(command.to_owned()), models: Some(count), ..Self::default() }
    }
}

/// Result of one model.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Model {
    /// Its name within the attempt.
    pub model: String,
    /// `drawn`, `unchanged`, `failed` or `no-mesh`.
    pub status: String,
    /// The digest in its picture.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub digest: Option<String>,
    /// Frames of a turntable, in the form of `render -f`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub frames: Option<String>,
    /// Seconds that it took.
    pub seconds: f64,
    /// Peak memory of the process so far, in bytes.
    pub peak_bytes: Option<u64>,
    /// The reason why there is no picture.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
}

/// The first line: process, machine and work.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Start {
    /// Version of the line format.
    pub version: u32,
    /// The program and its version.
    pub program: String,
    /// The work.
    #[serde(flatten)]
    pub subject: Subject,
    /// The shard of the work, as in `--shard`.
    pub shard: Option<String>,
    /// The machine.
    pub node: String,
    /// Number of the process.
    pub process: i32,
    /// The scheduler's job.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub job: Option<String>,
    /// The task within the job.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub task: Option<String>,
    /// Number of restarts of the job by the scheduler.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub restart: Option<String>,
    /// Seconds that the clock of the node is ahead of the disk's, if that is a second or more.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock_ahead_s: Option<f64>,
}

/// Names given to this attempt by a scheduler; each is optional.
#[derive(Clone, Debug, Default)]
pub struct Origin {
    /// The node; without it the host name is used.
    pub node: Option<String>,
    /// The scheduler's job.
    pub job: Option<String>,
    /// The task within the job.
    pub task: Option<String>,
    /// Number of restarts of the job by the scheduler.
    pub restart: Option<String>,
}

impl Journal {
    /// A journal that records nothing.
    #[must_use]
    pub fn none() -> Self {
        Self { open: None, now: || SystemTime::UNIX_EPOCH }
    }

    /// Starts the journal of an attempt with pictures in `folder`; `now` reads the clock of this
    /// machine.
    ///
    /// # Errors
    /// [`OutputError`] if the file cannot be created; then no picture could be written either.
    pub fn create(
        folder: &Path,
        subject: Subject,
        shard: Option<&str>,
        origin: Origin,
        now: fn() -> SystemTime,
    ) -> Result<Self, OutputError> {
        let host = temp_files::host_name();
        let tasks = tasks_in(folder);
        let failed = |operation: Operation| {
            let path = tasks.clone();
            move |source: std::io::Error| OutputError { path, operation, source }
        };
        std::fs::create_dir_all(&tasks).map_err(failed(Operation::CreateFolder))?;
        let disk = disk_now(&tasks).map_err(failed(Operation::Create))?;
        let ahead_s = seconds(now()) - seconds(disk);
        // Disk times are coarse, so small differences are meaningless.
        let ahead_s = if ahead_s.abs() < 1.0 { 0.0 } else { ahead_s };
        let Origin { node, job, task, restart } = origin;
        let start = Start {
            version: 1,
            program: concat!("tintype ", env!("CARGO_PKG_VERSION")).to_owned(),
            subject,
            shard: shard.map(str::to_owned),
            node: node.unwrap_or_else(|| host.clone()),
            process: temp_files::process(),
            job,
            task,
            restart,
            clock_ahead_s: (ahead_s != 0.0).then_some(ahead_s),
        };
        let milliseconds = ((seconds(now()) - ahead_s) * 1000.0).round();
        let safe = |c: char| if c.is_ascii_alphanumeric() || c == '-' { c } else { '_' };
        let node: String = start.node.chars().map(safe).take(40).collect();
        // Machines may have equal names and process numbers, and clocks may stand still: random
        // letters keep names apart.
        let file = tempfile::Builder::new()
            .prefix(&format!("{milliseconds:.0}-{node}-{}-", start.process))
            .suffix(".jsonl")
            .rand_bytes(6)
            .make_in(&tasks, |path| File::options().write(true).create_new(true).open(path))
            .and_then(|file| file.keep().map_err(|error| error.error))
            .map_err(failed(Operation::Create))?
            .0;
        let open = Open { file, ahead_s, trouble: None, has_ended: false };
        let journal = Self { open: Some(Arc::new(Mutex::new(open))), now };
        journal.write(Event::Start(start));
        Ok(journal)
    }

    fn write(&self, event: Event) {
        let Some(open) = &self.open else { return };
        let mut open = open.lock().unwrap_or_else(PoisonError::into_inner);
        if open.has_ended {
            return;
        }
        open.has_ended = matches!(event, Event::End { .. });
        let at = seconds((self.now)()) - open.ahead_s;
        let line = serde_json::to_string(&Line { at, event }).map_err(std::io::Error::from);
        let line = line.map(|line| printable_json(&line) + "\n");
        if let Err(error) = line.and_then(|line| open.file.write_all(line.as_bytes())) {
            open.trouble.get_or_insert(error);
        }
    }

    /// Records the names, digest and size that identify frames of the scene on disk, so that a
    /// status needs only journals and frames.
    pub fn scene(&self, scene: &Scene, output: &FramePattern, all: &FrameList, digest: &str) {
        self.write(Event::Scene {
            output: output.text(),
            all: all.to_string(),
            digest: digest.to_owned(),
            size: scene.output.size,
            views: scene.output.aov.iter().map(Aov::word).collect(),
            channels: scene.output.channels.clone(),
            channels_as: scene.output.channels_as,
        });
    }

    /// Frames that are up to date on the disk.
    pub fn present(&self, frames: &FrameList) {
        self.write(Event::Present { frames: frames.to_string() });
    }

    /// A frame drawn and written in `seconds`.
    pub fn frame(&self, frame: i64, digest: &str, seconds: f64) {
        let (digest, peak_bytes) = (digest.to_owned(), peak_memory());
        self.write(Event::Frame { frame, digest, seconds, peak_bytes });
    }

    /// The models of all shards, and the file names of their frames in turntables. The first
    /// attempt writes the list.
    pub fn models(&self, folder: &Path, base: &Path, names: &[String], frames: Option<&str>) {
        if self.open.is_none() || names.is_empty() {
            return;
        }
        let text = names.join("\n") + "\n";
        let list = format!("{}.list", &blake3::hash(text.as_bytes()).to_hex()[..16]);
        let path = lists_in(folder).join(&list);
        let is_there = std::fs::metadata(&path).is_ok_and(|data| data.len() == text.len() as u64);
        let written = if is_there {
            Ok(())
        } else {
            std::fs::create_dir_all(lists_in(folder))
                .and_then(|()| write_atomic(&path, text.as_bytes()).map_err(|error| error.source))
        };
        match written {
            Ok(()) => self.write(Event::Models {
                list,
                base: std::path::absolute(base).unwrap_or_else(|_| base.to_owned()).shown(),
                frames: frames.map(str::to_owned),
            }),
            Err(error) => {
                if let Some(open) = &self.open {
                    let mut open = open.lock().unwrap_or_else(PoisonError::into_inner);
                    open.trouble.get_or_insert(error);
                }
            }
        }
    }

    /// A frame that could not be written, and why.
    pub fn failed(&self, frame: i64, message: &str) {
        self.write(Event::Failed { frame, message: message.to_owned() });
    }

    /// Result of one model.
    pub fn model(&self, model: Model) {
        self.write(Event::Model(model));
    }

    /// End of the attempt, with its exit code and message; lines after it are dropped.
    pub fn end(&self, code: u8, message: &str) {
        self.write(Event::End { code, message: message.to_owned() });
    }

    /// The first error that prevented writing a line.
    #[must_use]
    pub fn take_error(&self) -> Option<std::io::Error> {
        let open = self.open.as_ref()?;
        open.lock().unwrap_or_else(PoisonError::into_inner).trouble.take()
    }
}

/// Number of journals parsed in parallel: enough for every core, few enough for the memory of a
/// million models.
const AT_ONCE: usize = 64;

/// An existing journal, or the folder of journals, that cannot be read.
pub type UnreadJournal = (PathBuf, std::io::Error);

/// Paths of the journals beside pictures, oldest first, and the folder if it cannot be read.
fn journals(folder: &Path) -> (Vec<PathBuf>, Vec<UnreadJournal>) {
    let tasks = tasks_in(folder);
    let (mut paths, mut unread) = (BTreeSet::new(), Vec::new());
    match if_there(std::fs::read_dir(&tasks)) {
        Ok(entries) => {
            for entry in entries.into_iter().flatten() {
                match entry {
                    Ok(entry) => {
                        paths.insert(entry.path());
                    }
                    Err(error) => unread.push((tasks.clone(), error)),
                }
            }
        }
        Err(error) => unread.push((tasks, error)),
    }
    (paths.into_iter().collect(), unread)
}

/// Takes the lines of each journal beside pictures, oldest first; a line truncated by the crash of
/// a machine is skipped. Returns the unreadable journals.
pub fn each_attempt(folder: &Path, mut take: impl FnMut(Vec<Line>)) -> Vec<UnreadJournal> {
    let lines = |path: &PathBuf| -> std::io::Result<Vec<Line>> {
        // A journal that was removed meanwhile is skipped.
        let bytes = if_there(read_regular(path))?;
        let lines = bytes.iter().flat_map(|bytes| bytes.split(|&byte| byte == b'\n'));
        Ok(lines.filter_map(|line| serde_json::from_slice(line).ok()).collect())
    };
    let (paths, mut unread) = journals(folder);
    for some in paths.chunks(AT_ONCE) {
        let read: Vec<std::io::Result<Vec<Line>>> = some.par_iter().map(lines).collect();
        for (path, read) in some.iter().zip(read) {
            match read {
                Ok(lines) => take(lines),
                Err(error) => unread.push((path.clone(), error)),
            }
        }
    }
    unread
}

/// The first lines of each journal beside pictures, oldest first: the attempt and its work, without
/// the results.
#[must_use]
pub fn beginnings(folder: &Path) -> Vec<Vec<Line>> {
    let lines = |path: &PathBuf| -> Vec<Line> {
        let Ok(file) = open_regular(path) else { return Vec::new() };
        let lines = BufReader::new(file).split(b'\n').map_while(Result::ok);
        let lines = lines.filter_map(|line| serde_json::from_slice(&line).ok());
        let is_work = |line: &Line| {
            matches!(line.event, Event::Start(_) | Event::Scene { .. } | Event::Models { .. })
        };
        lines.take_while(is_work).collect()
    };
    journals(folder).0.par_iter().map(lines).collect()
}

/// Reasons why models have no picture, by name, from the last attempt at each.
#[must_use]
pub fn last_words(folder: &Path) -> BTreeMap<String, String> {
    let mut words = BTreeMap::new();
    each_attempt(folder, |lines| {
        for Line { event, .. } in lines {
            if let Event::Model(Model { model, message, .. }) = event {
                match message {
                    Some(message) => drop(words.insert(model, message)),
                    None => drop(words.remove(&model)),
                }
            }
        }
    });
    words
}

/// A time in seconds since 1970.
#[must_use]
pub fn seconds(time: SystemTime) -> f64 {
    let since = time.duration_since(SystemTime::UNIX_EPOCH);
    since.map_or(0.0, |since| since.as_secs_f64())
}
