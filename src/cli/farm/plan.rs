//! A scene checked here, one frame of it measured, and cut into tasks: what every job file is written from.

use super::args::Work;
use super::console::{Console, peak_memory};
use super::look::Sources;
use super::render::{folder_of, frames, pattern};
use super::sequence::apply;
use super::{Failure, counted, load};
use crate::raster::Cut;
use crate::render::Prepared;
use crate::scene::{Aov, FrameList};
use crate::view::Viewer;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// How long a task shall take: much longer than an engine needs to start one.
const TASK_S: f64 = 120.0;
/// The least memory that a task asks for.
const LEAST_MIB: u64 = 128;

/// What is rendered, in how many tasks, with how much.
pub(super) struct Plan {
    /// The scene's file as it was named.
    pub scene: PathBuf,
    /// A short word for the job.
    pub name: String,
    /// All frames that are asked for.
    pub frames: FrameList,
    /// The pattern as render takes it.
    pub output: String,
    pub folder: PathBuf,
    pub digest: String,
    /// What that digest is made from.
    pub sources: Sources,
    pub size: [u32; 2],
    /// The views beside each picture.
    pub views: Vec<Aov>,
    /// Tasks; the N of `--shard`.
    pub tasks: u64,
    /// Frames of the largest task.
    pub chunk: u64,
    pub cpus: u32,
    pub memory_mib: u64,
    /// Seconds of one frame on one thread here.
    pub frame_s: f64,
    pub program: String,
    /// Options of `render` and `verify` alike that change what a frame is.
    pub options: Vec<String>,
}

impl Plan {
    /// Checks a scene as `render` does, and draws one of its frames, which is not kept.
    pub fn new(path: &Path, work: &Work, console: &mut Console) -> Result<Self, Failure> {
        // 1. The scene as it will be rendered.
        let mut scene = load::scene(path)?;
        apply(&mut scene, work.size.as_deref(), work.samples, work.aov.as_deref())?;
        let asked = frames(work.frames.as_deref(), &scene)?;
        let list = FrameList::from_rising(asked.iter().map(|&(_, number)| number));
        let list = list.ok_or_else(|| Failure::bad_input("no frame is asked for"))?;
        if work.output.as_deref() == Some("-") {
            return Err(Failure::bad_input("-o -: tasks write files; name them with ####"));
        }
        let pattern = pattern(work.output.as_deref(), &scene, path)?;
        if asked.len() > 1 && !pattern.has_number() {
            return Err(Failure::bad_input(format!(
                "{} holds one frame and {} are asked for; name them with ####",
                pattern.path(0),
                asked.len()
            )));
        }
        let assets = load::assets(&scene, path, console)?;
        let prepared =
            Prepared::new(&scene, &assets).map_err(|error| Failure::bad_input_chain(&error))?;
        prepared.warnings.iter().for_each(|warning| console.warning(warning));
        let digest = prepared.digest();
        let sources = Sources::of(&scene, path, console)?;

        // 2. One frame, from the middle.
        let started = Instant::now();
        let (k, _) = asked[asked.len() / 2];
        let viewer = Viewer::new(&scene, &assets, &prepared, &scene.output.aov)
            .map_err(|error| Failure::bad_input(error.to_string()))?;
        let staged = prepared.stage(k);
        let (frame, _) = prepared.draw_staged(&staged, Cut::default());
        drop(viewer.draw(&prepared, &staged, &frame, Cut::default()));
        let frame_s = started.elapsed().as_secs_f64() * threads();

        // 3. What that means for tasks.
        let count = asked.len() as u64;
        let chunk = work.chunk.unwrap_or_else(|| chunk_for(frame_s / f64::from(work.cpus), count));
        let tasks = count.div_ceil(chunk);
        let memory_mib = work.memory.unwrap_or_else(|| {
            let [width, height] = scene.output.size.map(u64::from);
            // Further frames in flight: their pixels, twice, and the file.
            let flight = u64::from(work.cpus - 1) * width * height * 16;
            let bytes = peak_memory().unwrap_or(0) + flight;
            (bytes * 3 / 2 / (1 << 20)).next_multiple_of(64).max(LEAST_MIB)
        });
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        Ok(Self {
            scene: path.to_owned(),
            name,
            frames: list,
            output: pattern.text(),
            folder: folder_of(&pattern),
            digest,
            sources,
            size: scene.output.size,
            views: scene.output.aov.clone(),
            tasks,
            chunk,
            cpus: work.cpus,
            memory_mib,
            frame_s,
            program: work.program.clone().unwrap_or_else(|| "tintype".to_owned()),
            options: options(work),
        })
    }

    /// Cuts the frames into tasks of so many.
    pub fn cut(&mut self, chunk: u64) {
        self.chunk = chunk.max(1);
        self.tasks = (self.frames.len() as u64).div_ceil(self.chunk);
    }

    /// What a task is, in words.
    pub fn described(&self) -> String {
        let tasks = counted(usize::try_from(self.tasks).unwrap_or(usize::MAX), "task");
        format!(
            "{} in {tasks} of {} or fewer; a frame took {:.3} s of one processor here, a task may take {:.0} s",
            counted(self.frames.len(), "frame"),
            self.chunk,
            self.frame_s,
            self.task_s()
        )
    }

    /// Seconds that a task may take, by the measured frame.
    pub fn task_s(&self) -> f64 {
        #[expect(clippy::cast_precision_loss, reason = "an estimate")]
        let frames = self.chunk as f64;
        frames * self.frame_s / f64::from(self.cpus)
    }
}

fn options(work: &Work) -> Vec<String> {
    let samples = work.samples.map(|samples| samples.to_string());
    let named = [("--size", &work.size), ("--samples", &samples), ("--aov", &work.aov)];
    let given = named.into_iter().filter_map(|(name, value)| Some((name, value.clone()?)));
    given.flat_map(|(name, value)| [name.to_owned(), value]).collect()
}

#[expect(clippy::cast_precision_loss, reason = "an estimate")]
fn threads() -> f64 {
    rayon::current_num_threads() as f64
}

/// How many frames take about [`TASK_S`].
#[expect(clippy::cast_possible_truncation, reason = "an estimate; else it saturates")]
#[expect(clippy::cast_sign_loss, reason = "never below 0")]
fn chunk_for(frame_s: f64, count: u64) -> u64 {
    ((TASK_S / frame_s.max(1e-6)) as u64).clamp(1, count)
}
