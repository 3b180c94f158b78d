//! Turntables of several models, in folders that mirror the folders of the models.
//!
//! A model that cannot be drawn is reported and counted, and the others are drawn. Models are drawn
//! one after the other, the frames of each side by side.

use super::outputs::{animations, failure, frames_of_several, option_of, refuse_one_file};
use super::subject::{inputs_of, load_scene};
use super::turn::{self, TurntableOutcome, TurntableRun};
use crate::args::Turntable;
use crate::console::Console;
use crate::failure::Failure;
use crate::load::refuse_what_is_no_model;
use crate::models::{Found, Gathered, conclude_clip, gather_share};
use crate::signals::Signals;
use crate::standard_input::STREAM;
use crate::{exit, inputs, journal, memory};
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::time::Instant;
use tintype_base::amount::{counted, rate_text};
use tintype_base::path::{ShowPath, path_of_text};
use tintype_framing::thumbnail::InputCheck;
use tintype_framing::{ClipWish, ModelPath};
use tintype_host::job::InWork;
use tintype_host::job::journal::{Journal, Model as RecordedModel, Subject, last_words};
use tintype_scene::FramePattern;

/// Default folder of the turntables.
const ROOT: &str = "out";

/// The models and their folders.
pub(super) struct TurntableBatch<'a> {
    options: &'a Turntable,
    /// Names of the models of all shards, for the record.
    all: Vec<String>,
    models: Vec<Found>,
    /// The folder that their names are relative to.
    base: PathBuf,
    /// The folder that contains the folder of each turntable.
    root: PathBuf,
    /// Check of the files of each model.
    input_check: Option<InputCheck>,
}

impl<'a> TurntableRun<'a> {
    /// One of several models.
    pub(super) fn of_several(options: &'a Turntable, found: &'a Found) -> Result<Self, Failure> {
        let root = root_of(options);
        let frames = frames_of_several(options, &root, &found.name)?;
        let animations = animations(options).below(&root.join(&found.name));
        Ok(Self { options, model: &found.path, frames, animations, is_alone: false })
    }
}

/// The folder of the models' folders.
fn root_of(options: &Turntable) -> PathBuf {
    let folder = |output| FramePattern::split_folder(output).0;
    path_of_text(options.output.as_deref().map_or(ROOT, folder))
}

/// Counts of models by result.
#[derive(Default)]
struct Count {
    frames: usize,
    done: usize,
    unchanged: usize,
    without_mesh: usize,
    failed: usize,
    clip_wish: ClipWish,
    /// True if another attempt can help.
    is_temporary: bool,
}

/// Result of one model.
enum Outcome {
    Turned(Box<TurntableOutcome>),
    /// Its file contains clips and no mesh.
    NoMesh,
    Failed(Failure),
}

impl<'a> TurntableBatch<'a> {
    /// Finds the models.
    pub(super) fn new(options: &'a Turntable, console: &mut Console) -> Result<Self, Failure> {
        refuse_what_is_for_one(options)?;
        console.shorten_diagnostics();
        let (Gathered { models, base, ignored, unread }, all) = gather_share(&options.models)?;
        unread.iter().for_each(|line| console.warning(&format!("not searched: {line}")));
        if ignored > 0 {
            console.detail(&format!("{} that are not models", counted(ignored, "file")));
        }
        let input_check = inputs::check_of_models(options.attempt.inputs.as_deref())?;
        Ok(Self { options, all, models, base, root: root_of(options), input_check })
    }

    pub(super) fn run(
        &self,
        pool: &rayon::ThreadPool,
        console: &mut Console,
    ) -> Result<(), Failure> {
        let Self { options, models, root, .. } = self;
        let shard = options.models.shard.as_deref();
        if models.is_empty() {
            let shard = shard.unwrap_or_default();
            console
                .info(&format!("shard {shard} has no models: there are fewer models than shards"));
            return Ok(());
        }
        let record = if options.attempt.record {
            let subject = Subject::models("turntable", models.len());
            let journal = journal::begin(subject, shard, root)?;
            if let Some(frames) = recorded_frames(options) {
                journal.models(root, &self.base, &self.all, Some(frames));
            }
            journal
        } else {
            Journal::none()
        };
        let result = self.draw(&record, pool, console);
        journal::end(&record, result.as_ref().err(), console);
        result
    }

    fn draw(
        &self,
        record: &Journal,
        pool: &rayon::ThreadPool,
        console: &mut Console,
    ) -> Result<(), Failure> {
        let Self { options, models, root, .. } = self;
        let stop = Signals::listening("the frames in flight");
        let words = if options.attempt.verify {
            last_words(root)
        } else {
            stop.leave_soon_when_terminated(record);
            BTreeMap::new()
        };
        let mut count = Count::default();
        let mut meter = console.progress(options.progress, models.len(), "models");
        let in_work = InWork::default();
        memory::watch(&in_work);
        for found in models {
            let started = Instant::now();
            let outcome = {
                let _in_work = in_work.enter(&found.name);
                self.one(found, pool, &stop, console)
            };
            let seconds = started.elapsed().as_secs_f64();
            // A turntable that was interrupted by a signal is not a failure.
            if let Outcome::Failed(failure) = &outcome
                && failure.message.is_empty()
            {
                break;
            }
            record.model(RecordedModel { seconds, ..recorded(&found.name, &outcome) });
            let is_last = self.report(found, outcome, &words, &mut count, console)?;
            meter.step(console);
            if is_last || stop.is_asked() {
                break;
            }
        }
        let seconds = meter.finish().as_secs_f64();
        let looked_at = count.done + count.without_mesh + count.failed;
        if stop.is_asked() && looked_at < models.len() {
            console.stopped(&format!(
                "{looked_at} of {} done and complete; run the same command to continue",
                counted(models.len(), "model")
            ));
            return Err(Failure::new(stop.code(), String::new()));
        }
        if let Some(name) = &options.settings.said.clip() {
            conclude_clip(&count.clip_wish, name, options.models.shard.is_some(), console)?;
        }
        self.conclude(&count, seconds, console)
    }

    /// Draws one model. A panic is reported as its failure, so that the others are drawn.
    fn one(
        &self,
        found: &Found,
        pool: &rayon::ThreadPool,
        stop: &Signals,
        console: &mut Console,
    ) -> Outcome {
        let drawn =
            catch_unwind(AssertUnwindSafe(|| self.one_unguarded(found, pool, stop, console)));
        let drawn = drawn.unwrap_or_else(|_| {
            let message = "internal error, reported above; please report it and attach the file";
            Err(Failure::new(exit::INCOMPLETE, message))
        });
        match drawn {
            Ok(Some(turned)) => Outcome::Turned(Box::new(turned)),
            Ok(None) => Outcome::NoMesh,
            Err(failure) => Outcome::Failed(failure),
        }
    }

    fn one_unguarded(
        &self,
        found: &Found,
        pool: &rayon::ThreadPool,
        stop: &Signals,
        console: &mut Console,
    ) -> Result<Option<TurntableOutcome>, Failure> {
        if found.is_named {
            refuse_what_is_no_model(&found.path)?;
        }
        let order = TurntableRun::of_several(self.options, found)?;
        let path = ModelPath::Below { base: &self.base, name: &found.name };
        if let Some(InputCheck(check)) = &self.input_check {
            let here = pool.install(|| inputs_of(self.options, path, console.load_options()))?;
            check(&found.name, &here).map_err(Failure::bad_input)?;
        }
        let turntable = if self.options.attempt.verify {
            // Warnings about up-to-date turntables would hide those about others.
            let mut silent = console.silent();
            let loaded = pool.install(|| load_scene(self.options, path, &mut silent));
            silent.warnings().iter().for_each(|warning| console.count_warning(warning));
            loaded?
        } else {
            pool.install(|| load_scene(self.options, path, console))?
        };
        if !found.is_named && !turntable.has_mesh() {
            return Ok(None);
        }
        let turned = if self.options.attempt.verify {
            pool.install(|| order.verify(&turntable))?
        } else {
            order.turn(&turntable, pool, stop, console)?
        };
        console.detail(&format!(
            "{}: {}",
            found.path.shown(),
            turned.described(self.options.attempt.verify)
        ));
        Ok(Some(turned))
    }

    /// Reports and counts the result of a model; returns true if output can no longer be written.
    fn report(
        &self,
        found: &Found,
        outcome: Outcome,
        words: &BTreeMap<String, String>,
        count: &mut Count,
        console: &mut Console,
    ) -> Result<bool, Failure> {
        let shown = found.path.shown();
        match outcome {
            Outcome::Turned(turned) => {
                count.done += 1;
                count.frames += turned.written;
                count.unchanged += usize::from(turned.written == 0);
                count.clip_wish.add(turned.lacks_clip, turned.clip_names);
            }
            Outcome::NoMesh => {
                count.without_mesh += 1;
                console.detail(&format!("{shown}: no triangles to draw"));
            }
            Outcome::Failed(failure) => {
                count.failed += 1;
                let is_temporary = failure.code == exit::TRY_AGAIN;
                count.is_temporary |= is_temporary;
                let mut message = failure.message.clone();
                // An error of loading names the file.
                if !message.starts_with(&shown.to_string()) {
                    message = format!("{shown}: {message}");
                }
                if let (exit::DIFFERENT, Some(words)) = (failure.code, words.get(&found.name)) {
                    message += &format!("; the last attempt reported: {words}");
                }
                console.error(&message);
                // The next model would meet the same disk.
                if is_temporary && !self.options.attempt.keep_going {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    fn conclude(&self, count: &Count, seconds: f64, console: &Console) -> Result<(), Failure> {
        let Count { frames, done, unchanged, without_mesh, failed, is_temporary, .. } = *count;
        let of = counted(self.models.len(), "model");
        let is_verified = self.options.attempt.verify;
        if failed > 0 {
            let code = match (is_verified, is_temporary) {
                (true, _) => exit::DIFFERENT,
                (false, true) => exit::TRY_AGAIN,
                (false, false) => exit::INCOMPLETE,
            };
            if self.options.attempt.defer_failures && !is_temporary {
                console.info(&format!(
                    "{failed} of {of} have no turntable, {done} have one; list them with --verify"
                ));
                return Ok(());
            }
            let message = if is_verified {
                format!("{failed} of {of} lack an up-to-date turntable; {done} up to date")
            } else {
                format!("{failed} of {of} have no turntable, {done} have one")
            };
            return Err(Failure::new(code, message));
        }
        let mut parts = if is_verified {
            vec![format!("{} up to date", counted(done, "turntable"))]
        } else {
            let rate = rate_text(frames, "frame", seconds);
            vec![format!("{}: {rate}", counted(done - unchanged, "turntable"))]
        };
        if unchanged > 0 && !is_verified {
            parts.push(format!("{unchanged} up to date"));
        }
        if without_mesh > 0 {
            parts.push(format!("{} without a mesh skipped", counted(without_mesh, "file")));
        }
        parts.push(self.root.shown());
        console.info(&format!(
            "{}; {}",
            parts.join(", "),
            counted(console.warnings().len(), "warning")
        ));
        Ok(())
    }
}

/// File names of the frames of each model. None if only files of all frames are written.
fn recorded_frames(options: &Turntable) -> Option<&str> {
    match options.output.as_deref() {
        None if !animations(options).is_empty() => None,
        output => Some(FramePattern::split_folder(output.unwrap_or(ROOT)).1),
    }
}

fn recorded(name: &str, outcome: &Outcome) -> RecordedModel {
    let status = |status: &str, message: Option<String>| RecordedModel {
        model: name.to_owned(),
        status: status.to_owned(),
        message,
        ..RecordedModel::default()
    };
    match outcome {
        Outcome::Turned(turned) => turn::recorded(name, turned),
        Outcome::NoMesh => status("no-mesh", None),
        Outcome::Failed(failure) => status("failed", Some(failure.message.clone())),
    }
}

/// Refuses options that name one file, or one stream.
pub(crate) fn refuse_what_is_for_one(options: &Turntable) -> Result<(), Failure> {
    let several = "there are several models";
    if options.output.as_deref() == Some(STREAM) || options.raw.is_some() {
        let message = format!("-o -: {several}; name a folder, where each gets a subfolder");
        return Err(Failure::bad_input(message));
    }
    let of_one =
        [("--save-scene", &options.save_scene), ("--contact-sheet", &options.contact_sheet)];
    if let Some((option, _)) = of_one.into_iter().find(|(_, file)| file.is_some()) {
        return Err(Failure::bad_input(format!("{option} works with one model, but {several}")));
    }
    refuse_one_file(options)?;
    let files = animations(options);
    files.check().map_err(|error| failure(&error))?;
    for (format, path) in files.iter() {
        if path.file_name() != Some(path.as_os_str()) {
            return Err(Failure::bad_input(format!(
                "{} {}: {several}; give a name without a folder, as each has its folder in --output",
                option_of(format),
                path.shown()
            )));
        }
    }
    Ok(())
}
