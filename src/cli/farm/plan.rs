//! A job checked here, a part of it measured, and cut into tasks: what every job file is written from.

use super::args::{OfModels, Pictures, Tasks};
use super::console::Console;
use super::job::{Frames, Job, Maker, Models};
use super::look::Sources;
use super::render::{frames, pattern};
use super::sample::{Sample, sample};
use super::sequence::apply;
use super::ticket::{farm_folder, new_id};
use super::{Failure, counted, load, turntable};
use crate::aov::Viewer;
use crate::cli::models::{Found, Gathered, gather};
use crate::deadline::Deadline;
use crate::job::folder_of;
use crate::job::memory::peak_memory;
use crate::output::write_atomic;
use crate::raster::RasterOptions;
use crate::render::Prepared;
use crate::scene::{Aov, FrameList};
use std::path::{Path, PathBuf};
use std::time::Instant;

/// How long a task shall take: much longer than an engine needs to start one.
const TASK_S: f64 = 120.0;
/// The least memory that a task asks for.
const LEAST_MIB: u64 = 128;

/// What is made, in how many tasks, with how much.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    /// Tells submissions apart.
    pub id: String,
    pub job: Job,
    /// What its pictures are made from, as far as it is known here.
    pub sources: Sources,
    /// What of the job these tasks make: frames as `render -f` takes them, or the file of a list of models.
    pub part: String,
    /// The names of the models of that list; none of frames.
    pub names: Vec<String>,
    /// How many frames or models the tasks make.
    pub count: usize,
    /// A short word for the job.
    pub name: String,
    /// The folder of the pictures.
    pub folder: PathBuf,
    /// Tasks; the N of `--shard`.
    pub tasks: u64,
    /// Frames or models of the largest task.
    pub chunk: u64,
    pub cpus: u32,
    pub memory_mib: u64,
    /// Seconds of one frame or model on one thread here.
    pub unit_s: f64,
    pub program: String,
    /// What was said of the limits of files, as options.
    pub limits: Vec<String>,
}

impl Plan {
    /// Checks a scene as `render` does, and draws one of its frames, which is not kept.
    pub fn of_scene(
        path: &Path,
        pictures: &Pictures,
        tasks: &Tasks,
        console: &mut Console,
    ) -> Result<Self, Failure> {
        // 1. The scene as it will be rendered.
        let mut scene = load::scene(path)?;
        let Pictures { output, frames: asked, .. } = pictures;
        apply(&mut scene, pictures)?;
        let asked = frames(asked.as_deref(), &scene)?;
        let list = FrameList::from_rising(asked.iter().map(|&(_, number)| number));
        let list = list.ok_or_else(|| Failure::bad_input("no frame is asked for"))?;
        if output.as_deref() == Some("-") {
            return Err(Failure::bad_input("-o -: tasks write files; name them with ####"));
        }
        let pattern = pattern(output.as_deref(), &scene, path)?;
        if asked.len() > 1 && !pattern.has_number() {
            return Err(Failure::bad_input(format!(
                "{} holds one frame and {} are asked for; name them with ####",
                pattern.path(0),
                asked.len()
            )));
        }
        let assets = load::assets(&scene, path, console)?;
        let prepared = Prepared::new(&scene, &assets, &Deadline::NEVER)
            .map_err(|error| Failure::bad_input_chain(&error))?;
        prepared.warnings.iter().for_each(|warning| console.warning(warning));
        let digest = prepared.digest();
        let sources = Sources::of(&scene, path, console)?;

        // 2. One frame, from the middle.
        let started = Instant::now();
        let (k, _) = asked[asked.len() / 2];
        let viewer = Viewer::new(&scene, &assets, &prepared, &scene.output.aov)
            .map_err(|error| Failure::bad_input(error.to_string()))?;
        let staged = prepared.stage(k);
        let (frame, _) = prepared.draw_staged(&staged, RasterOptions::default());
        drop(viewer.draw(&prepared, &staged, &frame, RasterOptions::default()));
        let unit_s = started.elapsed().as_secs_f64() * threads();

        // 3. What that means for tasks.
        let [width, height] = scene.output.size.map(u64::from);
        let job = Job::Frames(Frames {
            scene: path.to_owned(),
            output: pattern.text(),
            digest,
            size: scene.output.size,
            views: scene.output.aov.iter().map(Aov::word).collect(),
            all: list.to_string(),
            pictures: pictures.clone(),
        });
        let need = Need { count: asked.len(), unit_s, flight: width * height * 16 };
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let part = list.to_string();
        let mut plan = Self::new(job, part, name, folder_of(&pattern), need, tasks);
        (plan.sources, plan.limits) = (sources, console.limit_words());
        Ok(plan)
    }

    /// Finds models, and draws some of them, which are not kept.
    pub fn of_models(
        asked: &OfModels,
        tasks: &Tasks,
        console: &mut Console,
    ) -> Result<Self, Failure> {
        let (command, named, words) = match asked {
            OfModels::Turntable(asked) => (Maker::Turntable, &asked.options.models, &asked.words),
            OfModels::Thumbnail(asked) => (Maker::Thumbnail, &asked.options.models, &asked.words),
        };
        let (output, gallery) = output_of(asked)?;
        if named.shard.is_some() {
            return Err(Failure::bad_input(
                "--shard: that is what each task is told; --chunk says how many models it gets",
            ));
        }
        let Gathered { models, unread, base, .. } = gather(named)?;
        unread.iter().for_each(|line| console.warning(&format!("not looked into: {line}")));
        let job = Models {
            command,
            base: named.base.clone().unwrap_or(base),
            all: PathBuf::new(),
            output,
            words: words.clone(),
            gallery,
        };
        Self::of_found(job, &models, tasks, console)
    }

    /// As [`Plan::of_models`], of models that are found; where the job knows of no list of all models, these are all.
    pub fn of_found(
        mut job: Models,
        models: &[Found],
        tasks: &Tasks,
        console: &mut Console,
    ) -> Result<Self, Failure> {
        let names: Vec<String> = models.iter().map(|found| found.name.clone()).collect();
        if let Some(name) = names.iter().find(|name| name.contains(['\n', '\r'])) {
            return Err(Failure::bad_input(format!(
                "{name:?}: lists of models have a line for each, so a name cannot have two"
            )));
        }
        let Sample { unit_s, flight } = sample(&job, models, console)?;
        let id = new_id();
        let folder = job.folder();
        let list = farm_folder(&folder).join(format!("{id}.list"));
        if job.all.as_os_str().is_empty() {
            job.all.clone_from(&list);
        }
        let name = job.command.word().to_owned();
        let need = Need { count: models.len(), unit_s, flight };
        let part = list.display().to_string();
        let mut plan = Self::new(Job::Models(job), part, name, folder, need, tasks);
        plan.sources = Sources::of_list(&list_text(&names));
        (plan.id, plan.names, plan.limits) = (id, names, console.limit_words());
        Ok(plan)
    }

    fn new(
        job: Job,
        part: String,
        name: String,
        folder: PathBuf,
        need: Need,
        asked: &Tasks,
    ) -> Self {
        let Need { count, unit_s, flight } = need;
        let all = count as u64;
        let chunk = asked.chunk.unwrap_or_else(|| chunk_for(unit_s / f64::from(asked.cpus), all));
        let memory_mib = asked.memory.unwrap_or_else(|| {
            let bytes = peak_memory().unwrap_or(0) + u64::from(asked.cpus - 1) * flight;
            (bytes * 3 / 2 / (1 << 20)).next_multiple_of(64).max(LEAST_MIB)
        });
        Self {
            id: new_id(),
            job,
            sources: Sources::default(),
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
        }
    }

    /// Cuts the work into tasks of so many.
    pub fn cut(&mut self, chunk: u64) {
        self.chunk = chunk.max(1);
        self.tasks = (self.count as u64).div_ceil(self.chunk);
    }

    /// Leaves tasks only a part of the frames.
    pub fn narrow(&mut self, part: String, count: usize) {
        (self.part, self.count) = (part, count);
        self.cut(self.chunk.min(count as u64));
    }

    /// Writes the list of models, from which shares are taken.
    pub fn write_list(&self) -> Result<(), Failure> {
        if self.names.is_empty() {
            return Ok(());
        }
        let text = list_text(&self.names);
        let path = Path::new(&self.part);
        let folder = farm_folder(&self.folder);
        std::fs::create_dir_all(&folder).map_err(|error| load::unreadable(&folder, &error))?;
        write_atomic(path, text.as_bytes()).map_err(|error| Failure::output(&error))
    }

    /// The command of a task that is told which share it has.
    pub fn task(&self, share: &str) -> Vec<String> {
        let program = vec![self.program.clone()];
        [program, self.job.task(&self.part, share), self.limits.clone()].concat()
    }

    /// The command of the last job.
    pub fn verify(&self, tidy: Option<&str>) -> Vec<String> {
        [vec![self.program.clone()], self.job.verify(tidy), self.limits.clone()].concat()
    }

    /// What a task is, in words.
    pub fn described(&self) -> String {
        let tasks = counted(usize::try_from(self.tasks).unwrap_or(usize::MAX), "task");
        format!(
            "{} in {tasks} of {} or fewer; a {} took {:.3} s of one processor here, a task may take {:.0} s",
            counted(self.count, self.job.noun()),
            self.chunk,
            self.job.noun(),
            self.unit_s,
            self.task_s().ceil()
        )
    }

    /// Seconds that a task may take, by what was measured.
    pub fn task_s(&self) -> f64 {
        #[expect(clippy::cast_precision_loss, reason = "an estimate")]
        let units = self.chunk as f64;
        units * self.unit_s / f64::from(self.cpus)
    }
}

/// A list of models as it is written.
fn list_text(names: &[String]) -> String {
    names.join("\n") + "\n"
}

/// What there is to do.
struct Need {
    count: usize,
    unit_s: f64,
    /// Bytes of each further picture in work.
    flight: u64,
}

/// Where pictures of models go, and whether there is a page of them; refuses what tasks cannot do.
fn output_of(asked: &OfModels) -> Result<(String, bool), Failure> {
    let refused = |option: &str, why: &str| Err(Failure::bad_input(format!("{option}: {why}")));
    let attempt = match asked {
        OfModels::Turntable(asked) => &asked.options.attempt,
        OfModels::Thumbnail(asked) => &asked.options.attempt,
    };
    if attempt.verify {
        return refused("--verify", "the last job does that");
    }
    match asked {
        OfModels::Turntable(asked) => {
            let options = &asked.options;
            turntable::refuse_what_is_for_one(options)?;
            if options.output.is_none()
                && [&options.apng, &options.gif, &options.sheet].iter().any(|file| file.is_some())
            {
                return refused(
                    "--output",
                    "say where: each model has a folder there, with its frames beside that file",
                );
            }
            Ok((options.output.clone().unwrap_or_else(|| "out".to_owned()), false))
        }
        OfModels::Thumbnail(asked) => {
            let options = &asked.options;
            if options.json {
                return refused(
                    "--json",
                    "say it to tintype thumbnail --verify, when all are done",
                );
            }
            if options.desktop || options.install_desktop.is_some() {
                return refused("--desktop", "that is for file managers");
            }
            let output = options.output.clone().unwrap_or_else(|| PathBuf::from("thumbnails"));
            let text = output.to_str().map(str::to_owned);
            let text = text
                .ok_or_else(|| Failure::bad_input(format!("{}: not Unicode", output.display())))?;
            let is_png = output.extension().is_some_and(|own| own.eq_ignore_ascii_case("png"));
            if text == "-" || is_png && !output.is_dir() {
                return refused("--output", "tasks write into a folder");
            }
            Ok((text, options.gallery))
        }
    }
}

#[expect(clippy::cast_precision_loss, reason = "an estimate")]
fn threads() -> f64 {
    rayon::current_num_threads() as f64
}

/// How many of them take about [`TASK_S`].
#[expect(clippy::cast_possible_truncation, reason = "an estimate; else it saturates")]
#[expect(clippy::cast_sign_loss, reason = "never below 0")]
fn chunk_for(unit_s: f64, count: u64) -> u64 {
    ((TASK_S / unit_s) as u64).clamp(1, count)
}
