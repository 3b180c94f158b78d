//! `tintype thumbnail`: one picture of each model, of one or of thousands, and a page that shows them all.
//!
//! Models are worked on side by side, each on a thread of its own. One that cannot be drawn is told and counted, and the others
//! are done. What goes into a picture is decided in `sitter`; this file knows where pictures go and what came of them.

mod bench;
mod clips;
mod desktop;
mod framing;
mod limit;
mod outcome;
mod place;
mod refusal;
mod sitter;
mod target;

use super::args::{self, Thumbnail};
use super::console::{self, Console};
use super::models::{self, Found, Gathered, gather};
use super::render::shard;
use super::report::{self, INDEX, refuse_foreign_page, write_file};
use super::sequence::{again, effort, rate_per_s};
use super::signals::Signals;
use super::{Failure, counted, exit, load, write_stdout};
use crate::cli::journal;
use crate::frame::PIXEL_REVISION;
use crate::job::journal::{Journal, Subject, last_words};
use crate::job::memory::peak_memory;
use crate::output::{Operation, OutputError, PendingFile, temp_files};
use crate::report::gallery::{Gallery, Thumb};
use crate::report::{encode_gallery_json, encode_gallery_page};
use crate::scene::builder::Background;
use crate::workers;
use bench::{Bench, Benches};
use clips::Shelves;
use limit::{Allowance, ModelDeadline, bytes};
use outcome::{conclude, is_passed_over, recorded, told};
use rayon::prelude::*;
use refusal::{Reason, Refusal};
use sitter::{Asked, Sitting, sit};
use std::collections::BTreeMap;
use std::fs::OpenOptions;
use std::io::{ErrorKind, Write};
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};
use target::Target;

/// What a desktop gets where nobody says: it waits, and looks at a folder of files from anywhere.
const DESKTOP_MEMORY: u64 = 512 << 20;
const DESKTOP_SECONDS: f64 = 10.0;

pub(super) fn run(
    options: &Thumbnail,
    pool: &rayon::ThreadPool,
    console: &mut Console,
) -> Result<(), Failure> {
    if let Some(folder) = &options.install_desktop {
        return desktop::install(folder, console);
    }
    let Gathered { models, ignored, unread, .. } = gather(&options.models)?;
    unread.iter().for_each(|line| console.warning(&format!("not looked into: {line}")));
    if ignored > 0 {
        console.detail(&format!("{} that are no models", counted(ignored, "file")));
    }
    let target = Target::new(options, &models)?;
    let shard_text = options.models.shard.as_deref();
    let models = shard(shard_text, models)?;
    if let (Some(folder), true) = (target.folder(), options.gallery) {
        if shard_text.is_some() {
            let message = "--gallery: a share has no page; when all are done, say --verify --gallery without --shard";
            return Err(Failure::bad_input(message));
        }
        refuse_foreign_page(folder)?;
    }
    if models.is_empty() {
        let shard = shard_text.unwrap_or_default();
        console.info(&format!("shard {shard} has no models: there are fewer models than shards"));
        return Ok(());
    }
    let record = match (options.attempt.record, target.folder()) {
        (true, Some(folder)) => {
            journal::begin(Subject::models("thumbnail", models.len()), shard_text, folder)?
        }
        (true, None) => {
            return Err(Failure::bad_input("--record needs a folder: say --output DIR"));
        }
        (false, _) => Journal::none(),
    };
    let asked = Arc::new(asked(options, console)?);
    let order = Order { options, asked, models, target, record: record.clone() };
    let result = order.carry_out(pool.current_num_threads(), console);
    journal::end(&record, result.as_ref().err(), console);
    result
}

/// What is asked for.
struct Order<'a> {
    options: &'a Thumbnail,
    asked: Arc<Asked>,
    models: Vec<Found>,
    target: Target,
    record: Journal,
}

/// What came of it.
struct Done {
    gallery: Gallery,
    worst: Option<Reason>,
    /// Why no picture could be written any more.
    failure: Option<Failure>,
    seconds: f64,
}

impl Order<'_> {
    /// Draws the pictures, writes the page, and says what came of it.
    fn carry_out(&self, threads: usize, console: &mut Console) -> Result<(), Failure> {
        let Self { options, asked, models, target, record } = self;
        let in_flight = threads.min(models.len());
        let stop = Signals::listening("the models in work");
        if !options.attempt.verify {
            let (folders, record) = (target.folders(models), record.clone());
            for folder in &folders {
                temp_files::remove_stale(folder, temp_files::STALE_AFTER);
            }
            stop.leave_soon_when_terminated(move || {
                folders.iter().for_each(|folder| temp_files::remove_of_process(folder));
                journal::terminated(&record);
            });
        }
        let Done { gallery, worst, failure, seconds } = self.draw(threads, &stop, console)?;
        if options.json {
            write_stdout(encode_gallery_json(&gallery).as_bytes())?;
        }
        if let (Some(folder), true) = (target.folder(), options.gallery) {
            write_file(&folder.join(INDEX), encode_gallery_page(&gallery).as_bytes())?;
        }
        let totals = gallery.totals();
        if let Some(mut failure) = failure {
            let done = totals.drawn + totals.unchanged;
            failure.message = format!("{} ({done} of {} done)", failure.message, models.len());
            return Err(failure);
        }
        if let Some(peak) = peak_memory() {
            console.detail(&format!(
                "peak memory {}, with at most {} in work, each allowed {}",
                bytes(peak),
                counted(in_flight, "model"),
                bytes(asked.allowance.memory)
            ));
        }
        if stop.is_asked() && totals.models < models.len() {
            console.stopped(&format!(
                "{} of {} done, and whole; the same command goes on from there",
                totals.models,
                counted(models.len(), "model")
            ));
            return Err(Failure::new(stop.code(), String::new()));
        }
        conclude(&totals, worst, seconds, options, target, console)
    }

    /// The pictures: as many models in work as there are threads, each on its own.
    fn draw(&self, threads: usize, stop: &Signals, console: &mut Console) -> Result<Done, Failure> {
        let Self { options, asked, models, target, record } = self;
        let in_flight = threads.min(models.len());
        let benches = Arc::new(Benches::new(in_flight, threads / in_flight.max(1))?);
        let shelves = Arc::new(Shelves::default());
        let last_words = match (asked.verify, target.folder()) {
            (true, Some(folder)) => last_words(folder),
            _ => BTreeMap::new(),
        };
        let job = |index: usize| {
            let started = Instant::now();
            let result = self.picture(&models[index], &benches, &shelves, stop);
            (result, started.elapsed().as_secs_f64())
        };
        let mut meter = console.progress(options.progress, models.len(), "models");
        let mut thumbs: Vec<Option<Thumb>> = vec![None; models.len()];
        let mut worst: Option<Reason> = None;
        let mut failure: Option<Failure> = None;
        workers::run(models.len(), in_flight, job, |index, (result, seconds)| {
            let found = &models[index];
            let mut sitting = match result {
                Ok(sitting) => sitting,
                // No picture can be written: the next one would fail too.
                Err(error) if !options.attempt.keep_going => {
                    failure.get_or_insert(error);
                    return ControlFlow::Break(());
                }
                Err(error) if error.code == exit::TRY_AGAIN => {
                    Err(Refusal::new(Reason::Temporary, error.message))
                }
                Err(error) => Err(Refusal::new(Reason::Output, error.message)),
            };
            if let (Err(refusal), Some(words)) = (&mut sitting, last_words.get(&found.name))
                && refusal.reason == Reason::Missing
            {
                refusal.message += &format!("; the last attempt said: {words}");
            }
            record.model(recorded(found, &sitting, seconds));
            let (thumb, reason) = told(found, target, sitting, asked.verify, console);
            thumbs[index] = Some(thumb);
            worst = worst.max(reason);
            meter.step(console);
            if stop.is_asked() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        let seconds = meter.finish().as_secs_f64();
        let gallery = Gallery {
            program_version: env!("CARGO_PKG_VERSION").to_owned(),
            pixel_revision: PIXEL_REVISION,
            output: target.text(),
            size: options.size,
            models: thumbs.into_iter().flatten().collect(),
        };
        Ok(Done { gallery, worst, failure, seconds })
    }

    /// The picture of one model, drawn and written where it is not there.
    fn picture(
        &self,
        found: &Found,
        benches: &Arc<Benches>,
        shelves: &Arc<Shelves>,
        stop: &Signals,
    ) -> Result<Result<Sitting, Refusal>, Failure> {
        let (file, _) = self.target.file(found);
        let there = file.as_deref().filter(|_| !self.asked.overwrite);
        let sitting = sit_in_time(benches, found, there, &self.asked, shelves);
        if let Ok(Sitting { png: Some(png), .. }) = &sitting {
            match &file {
                Some(path) => again(self.options.attempt.retries, stop.token(), || {
                    let written = match self.options.desktop {
                        true => write_in_place(path, png),
                        false => write_picture(path, png),
                    };
                    written.map_err(|error| Failure::output(&error))
                })?,
                None => write_stdout(png)?,
            }
        }
        Ok(sitting)
    }
}

/// Makes a picture on a bench, and waits no longer than its time.
///
/// The time begins when there is a bench. Where it is over and the work on the bench does not look at it, nobody waits for what
/// comes of it: the bench is free again when that is through.
fn sit_in_time(
    benches: &Arc<Benches>,
    found: &Found,
    there: Option<&Path>,
    asked: &Arc<Asked>,
    shelves: &Arc<Shelves>,
) -> Result<Sitting, Refusal> {
    let bench = Bench::wait_for(benches);
    let model_deadline = asked.allowance.model_deadline();
    let (found, there) = (found.clone(), there.map(Path::to_path_buf));
    let (asked, shelves, clock) = (Arc::clone(asked), Arc::clone(shelves), model_deadline.clone());
    let sitting = bench.work(model_deadline.wait(), move || {
        sit_safely(&found, there.as_deref(), &asked, &shelves, &clock)
    });
    sitting.unwrap_or_else(|| Err(model_deadline.missed()))
}

fn sit_safely(
    found: &Found,
    there: Option<&Path>,
    asked: &Asked,
    shelves: &Shelves,
    model_deadline: &ModelDeadline,
) -> Result<Sitting, Refusal> {
    // A fault of ours in one model shall not cost the others theirs.
    let sitting =
        catch_unwind(AssertUnwindSafe(|| sit(found, there, asked, shelves, model_deadline)));
    sitting.unwrap_or_else(|_| {
        let message = "a fault of this program, told above; please send the file to its makers";
        Err(Refusal::new(Reason::Fault, message))
    })
}

/// Models that are drawn, or looked at, outside of a run.
pub(super) struct Tryout {
    asked: Asked,
    target: Target,
    shelves: Shelves,
}

impl Tryout {
    /// Checks the options.
    pub fn new(options: &Thumbnail, console: &Console) -> Result<Self, Failure> {
        let asked = asked(options, console)?;
        Ok(Self { asked, target: Target::new(options, &[])?, shelves: Shelves::default() })
    }

    /// Draws a model, and keeps nothing of it; the seconds that took.
    pub fn try_out(&self, found: &Found) -> Result<f64, Failure> {
        let started = Instant::now();
        let model_deadline = self.asked.allowance.model_deadline();
        match sit_safely(found, None, &self.asked, &self.shelves, &model_deadline) {
            Err(refusal) if !is_passed_over(found, &refusal) => {
                Err(Failure::new(refusal.reason.code(), refusal.message))
            }
            _ => Ok(started.elapsed().as_secs_f64()),
        }
    }

    /// Which of these models have no whole and current picture.
    pub fn without_picture(mut self, models: Vec<Found>) -> Vec<Found> {
        self.asked.verify = true;
        let Self { asked, target, shelves } = &self;
        let is_missing = |found: &Found| {
            let (file, _) = target.file(found);
            sit_safely(found, file.as_deref(), asked, shelves, &asked.allowance.model_deadline())
                .is_err_and(|refusal| !is_passed_over(found, &refusal))
        };
        models.into_par_iter().filter(is_missing).collect()
    }
}

/// Writes a picture in one step. It is not waited for: a torn one is seen and drawn again by the next run, which checks all.
fn write_picture(path: &Path, png: &[u8]) -> Result<(), OutputError> {
    let mut pending = PendingFile::create(path)?;
    pending.write_all(png).map_err(|error| pending.failed(Operation::Write, error))?;
    pending.commit_unsynced()
}

/// Writes a picture into the file that is there: a file manager may have made it, and read what is in that one, whatever has its
/// name later.
fn write_in_place(path: &Path, png: &[u8]) -> Result<(), OutputError> {
    let mut file = match OpenOptions::new().write(true).truncate(true).open(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => return write_picture(path, png),
        file => file.map_err(|source| OutputError {
            path: path.to_owned(),
            operation: Operation::Create,
            source,
        })?,
    };
    let written = file.write_all(png).and_then(|()| file.flush());
    if written.is_err() {
        // No half picture: what cannot be emptied either is beyond help.
        let _ = file.set_len(0);
    }
    written.map_err(|source| OutputError {
        path: path.to_owned(),
        operation: Operation::Write,
        source,
    })
}

/// What all models are drawn with.
fn asked(options: &Thumbnail, console: &Console) -> Result<Asked, Failure> {
    let whole = |path: &PathBuf| -> Result<PathBuf, Failure> {
        path.canonicalize().map_err(|error| load::unreadable(path, &error))
    };
    for (option, axis) in [("--up", &options.up), ("--front", &options.front)] {
        let axes = ["x", "-x", "y", "-y", "z", "-z"];
        if let Some(axis) = axis.as_deref().filter(|axis| !axes.contains(axis)) {
            return Err(Failure::bad_input(format!(
                "{option}: {axis:?}; allowed are {}",
                axes.join(", ")
            )));
        }
    }
    let (usual_s, usual_memory) = match options.desktop {
        true => (DESKTOP_SECONDS, DESKTOP_MEMORY),
        false => (30.0, 1 << 30),
    };
    let seconds = options.timeout.unwrap_or(usual_s);
    let time = Duration::try_from_secs_f64(seconds).ok().filter(|time| !time.is_zero());
    let time = time.ok_or_else(|| {
        Failure::bad_input(format!("--timeout: {seconds}; expected seconds above 0"))
    })?;
    let background = options.background.as_deref().unwrap_or("transparent");
    Ok(Asked {
        size: options.size,
        samples: options.sampling.samples,
        anisotropy: options.sampling.anisotropy,
        background: Background::from_words(background),
        is_transparent: background.trim() == "transparent",
        effort: effort(options.png),
        anim: options.anim.as_ref().map(whole).transpose()?,
        clip: options.clip.clone(),
        up: options.up.clone(),
        front: options.front.clone(),
        textures: options.textures.iter().map(whole).collect::<Result<_, _>>()?,
        allowance: Allowance::new(
            time,
            options.max_memory.unwrap_or(usual_memory),
            options.max_size,
            &console.load_options().limits,
        ),
        overwrite: options.overwrite,
        is_plain: options.desktop,
        verify: options.attempt.verify,
    })
}
