//! One turntable: which of its frames are there, the others drawn, and the files that hold all of them.
//!
//! Frames are drawn side by side, each with its views, and reach the files in their order.

use super::args::{Progress, Raw, Turntable};
use super::console::Console;
use super::reel::{Drawn, Sinks};
use super::sinks::{Files, Target, raw_bytes};
use super::subject::{Subject, save_scene};
use super::{
    Failure, Journal, Signals, Tally, again, build_digest, counted, effort, encode_view, exit,
    folder_of, rate_text, still_to_draw, tell_shadows, with_views, write_stdout,
};
use crate::aov::{self, Shown, Viewer};
use crate::cli::journal;
use crate::deadline::Deadline;
use crate::frame::Frame;
use crate::framing::Timeline;
use crate::job::journal::Model as RecordedModel;
use crate::job::memory::peak_memory;
use crate::job::resume::{ResumeCheck, provenance};
use crate::model::Background;
use crate::output::{CheckLevel, FrameStatus, Provenance, encode_png, temp_files, write_atomic};
use crate::raster::{Counts, RasterOptions};
use crate::render::{BoundScene, Drawn as DrawnFrame, Renderer};
use crate::scene::{FrameList, FramePattern};
use crate::workers;
use rayon::prelude::*;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

/// One model, and where its turntable goes.
pub(super) struct Order<'a> {
    pub options: &'a Turntable,
    pub model: &'a Path,
    pub target: Target,
    pub files: Files,
    /// Whether it is all that is asked for, so that its progress is shown.
    pub is_alone: bool,
}

/// A turntable that is there.
pub(super) struct Turned {
    pub frames: Vec<i64>,
    pub digest: String,
    pub written: usize,
    /// How many frames were there.
    pub present: usize,
    timeline: Timeline,
    /// `, each with 2 views`
    beside: String,
    /// The files of all frames.
    files: Vec<PathBuf>,
    seconds: f64,
}

impl Turned {
    /// What was done, in words.
    pub fn described(&self, order: &Order, is_verified: bool) -> String {
        let mut places = order.target.described(&self.frames);
        self.files.iter().for_each(|file| places += &format!(", {}", file.display()));
        let count = counted(self.frames.len(), "frame");
        if is_verified {
            return format!("{count} in order{places}");
        }
        if self.written == 0 {
            let (are, them) = if self.frames.len() == 1 { ("is", "it") } else { ("are", "them") };
            return format!(
                "{count} {are} there and current{places} (--overwrite draws {them} anew)"
            );
        }
        let plays = match self.timeline.rounds {
            0 => String::new(),
            1 => ", the clip once".to_owned(),
            rounds => format!(", the clip {rounds} times"),
        };
        let others = match self.present {
            0 => String::new(),
            1 => ", 1 was there and current".to_owned(),
            count => format!(", {count} were there and current"),
        };
        let (rate, beside) = (rate_text(self.written, self.seconds), &self.beside);
        format!("{rate}{plays}{beside}{others}{places}")
    }
}

/// What is drawn, as it has to be known before.
struct Sight {
    bound: BoundScene,
    frames: Vec<i64>,
    digest: String,
    /// Of the files that hold all frames.
    provenance: Provenance,
    keep_alpha: bool,
}

/// What has to be drawn.
struct Missing {
    /// The places of the frames to draw.
    places: Vec<usize>,
    /// Of these, the ones whose own files are to be written.
    to_write: Vec<usize>,
    /// The files of all frames that are to be written.
    files: Files,
    /// What is there already.
    tally: Tally,
}

impl Order<'_> {
    fn sight(&self, subject: &Subject) -> Result<Sight, Failure> {
        let Subject { scene, assets, .. } = subject;
        let views = &scene.output.aov;
        aov::check(assets, views).map_err(|error| Failure::bad_input(error.to_string()))?;
        let keep_alpha = scene.output.background == Background::Transparent;
        // A view has none.
        if keep_alpha && self.options.raw == Some(Raw::Y4m) && views.is_empty() {
            let message = "--raw y4m has no alpha; use --raw rgba, or another --background";
            return Err(Failure::bad_input(message));
        }
        let bound = BoundScene::new(Arc::clone(scene), Arc::clone(assets), &Deadline::NEVER)
            .map_err(|error| Failure::bad_input_chain(&error))?;
        let frames: Vec<i64> = scene.output.frames.iter().map(i64::from).collect();
        let digest = bound.digest();
        let first = frames.first().copied().unwrap_or_default();
        let provenance = provenance(first, &digest, build_digest());
        Ok(Sight { bound, frames, digest, provenance, keep_alpha })
    }

    /// Draws what is not there.
    pub fn turn(
        &self,
        subject: &Subject,
        pool: &rayon::ThreadPool,
        stop: &Signals,
        console: &mut Console,
    ) -> Result<Turned, Failure> {
        let Self { options, files, .. } = self;
        let views = &subject.scene.output.aov;
        let sight = pool.install(|| self.sight(subject))?;
        if let Some(path) = &options.save_scene {
            save_scene(path, options, self.model, subject, console)?;
        }
        sight.bound.warnings().iter().for_each(|warning| console.warning(&warning.to_string()));
        if !subject.timeline.closes {
            let clip = options.clip.as_deref().unwrap_or("clip");
            console.warning(&format!(
                "the loop does not close: the {clip} is much longer or shorter than {}",
                counted(subject.timeline.frames, "frame")
            ));
        }
        let missing = pool.install(|| self.missing(&sight, subject, console));
        let mut turned = Turned {
            frames: sight.frames.clone(),
            digest: sight.digest.clone(),
            written: 0,
            present: sight.frames.len() - missing.places.len(),
            timeline: subject.timeline,
            beside: with_views(views),
            files: files.with_views(views),
            seconds: 0.0,
        };
        if !missing.places.is_empty() {
            self.draw(sight, subject, missing, &mut turned, pool, stop, console)?;
        } else if self.target != Target::Nowhere {
            missing.tally.conclude(turned.frames.len(), 0, console)?;
        }
        Ok(turned)
    }

    /// Looks which frames have to be drawn.
    fn missing(&self, sight: &Sight, subject: &Subject, console: &Console) -> Missing {
        let Self { options, target, files, .. } = self;
        let views = &subject.scene.output.aov;
        let all: Vec<(usize, i64)> = sight.frames.iter().copied().enumerate().collect();
        let mut tally = Tally::default();
        let to_write: Vec<usize> = match target {
            Target::Files(pattern) if !options.overwrite => {
                temp_files::remove_stale(&folder_of(pattern), temp_files::STALE_AFTER);
                let size = subject.scene.output.size;
                let present = ResumeCheck {
                    pattern,
                    views,
                    size,
                    digest: &sight.digest,
                    build: build_digest(),
                };
                let look = |&number: &i64| present.check(number);
                let looked = sight.frames.par_iter().map(look).collect();
                let (missing, _) = still_to_draw(&all, looked, &mut tally, console);
                missing.into_iter().map(|(k, _)| k).collect()
            }
            Target::Files(_) => (0..all.len()).collect(),
            Target::Stdout | Target::Nowhere => Vec::new(),
        };
        let missing = || files.missing(&sight.provenance, views);
        let wants_files = files.any() && (options.overwrite || !missing().is_empty());
        if wants_files || *target == Target::Stdout {
            // These need all frames; those that are there are not written again.
            let files = if wants_files { files.clone() } else { Files::default() };
            let places = (0..all.len()).collect();
            return Missing { places, to_write, files, tally: Tally::default() };
        }
        Missing { places: to_write.clone(), to_write, files: Files::default(), tally }
    }

    /// Draws frames side by side, and adds them to each file in their order.
    #[expect(clippy::too_many_arguments, reason = "one step of a longer way, cut out to be read")]
    fn draw(
        &self,
        sight: Sight,
        subject: &Subject,
        missing: Missing,
        turned: &mut Turned,
        pool: &rayon::ThreadPool,
        stop: &Signals,
        console: &mut Console,
    ) -> Result<(), Failure> {
        let (options, target, scene) = (self.options, &self.target, &subject.scene);
        let Sight { bound, frames, digest, provenance, keep_alpha } = sight;
        let Missing { places, to_write, files, mut tally } = missing;
        let renderer = pool.install(|| bound.fit());
        tell_shadows(&renderer, console);
        let in_flight = pool.current_num_threads();
        let mut sinks = Sinks::new(&files, effort(options.png), scene, &provenance, frames.len())?;
        let viewer = pool
            .install(|| Viewer::new(&renderer, &scene.output.aov))
            .map_err(|error| Failure::bad_input(error.to_string()))?;
        let job = |place: usize| -> Result<_, Failure> {
            let started = Instant::now();
            let k = places[place];
            let (frame, counts, shown) = pool.install(|| draw(&renderer, &viewer, frames[k]))?;
            if let (Target::Files(pattern), Ok(_)) = (target, to_write.binary_search(&k)) {
                let is_empty = counts.covered_pixels == 0;
                let provenance =
                    Provenance { is_empty, ..self::provenance(frames[k], &digest, build_digest()) };
                let write = |pattern: &FramePattern, png: &[u8]| {
                    let path = pattern.path(frames[k]);
                    again(options.attempt.retries, stop.token(), || {
                        write_atomic(Path::new(&path), png).map_err(|error| Failure::output(&error))
                    })
                };
                // The picture comes last: with it the frame is there.
                for shown in &shown {
                    let png = encode_view(shown, &provenance, effort(options.png));
                    write(&pattern.beside(&shown.aov.file_word()), &png)?;
                }
                let text = provenance.to_text();
                write(pattern, &encode_png(&frame, keep_alpha, effort(options.png), &text))?;
            }
            let legends: Vec<String> = shown.iter().map(Shown::described).collect();
            let drawn = Drawn::new(frame, shown, &files);
            Ok((drawn, legends, counts, started.elapsed().as_secs_f64()))
        };
        let progress = if self.is_alone { options.progress } else { Progress::None };
        let mut meter = console.progress(progress, places.len(), "frames");
        let keep_going = options.attempt.keep_going && !files.any() && *target != Target::Stdout;
        workers::run_in_order(places.len(), in_flight, job, |place, result| {
            let k = places[place];
            let added = result.and_then(|(drawn, legends, counts, took_s)| {
                if *target == Target::Stdout {
                    let frame = drawn.shown.first().map_or(&drawn.frame, |shown| &shown.frame);
                    write_stdout(&raw_bytes(options, scene, k, frame))?;
                }
                sinks.add(k, drawn)?;
                Ok((legends, counts, took_s))
            });
            match added {
                Ok((legends, counts, took_s)) => {
                    tally.add(frames[k], &counts, took_s, console);
                    for legend in legends {
                        console.detail(&format!("frame {}: {legend}", frames[k]));
                    }
                    meter.step(console);
                }
                Err(failure) if keep_going => tally.fail_one(frames[k], failure, console),
                Err(failure) => {
                    tally.fail(failure);
                    return ControlFlow::Break(());
                }
            }
            if stop.is_asked() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        turned.seconds = meter.finish().as_secs_f64();
        turned.written = tally.written;
        if self.is_alone {
            tally.stopped(&frames, stop, |_: &FrameList| sinks.when_stopped(), console)?;
        } else if tally.is_stopped(places.len(), stop) {
            return Err(Failure::new(stop.code(), String::new()));
        }
        tally.conclude(frames.len(), in_flight, console)?;
        let files = sinks.finish(&frames)?;
        if !files.is_empty() {
            turned.files = files;
        }
        Ok(())
    }

    /// Draws one frame, which is not kept; the seconds that all of them would take.
    pub fn try_out(&self, subject: &Subject) -> Result<f64, Failure> {
        let started = Instant::now();
        let Sight { bound, frames, keep_alpha, .. } = self.sight(subject)?;
        let renderer = bound.fit();
        let prepared_s = started.elapsed().as_secs_f64();
        let scene = &subject.scene;
        let viewer = Viewer::new(&renderer, &scene.output.aov)
            .map_err(|error| Failure::bad_input(error.to_string()))?;
        let (frame, _, shown) = draw(&renderer, &viewer, frames[frames.len() / 2])?;
        for shown in &shown {
            drop(encode_png(&shown.frame, false, effort(self.options.png), &[]));
        }
        drop(encode_png(&frame, keep_alpha, effort(self.options.png), &[]));
        let frame_s = started.elapsed().as_secs_f64() - prepared_s;
        #[expect(clippy::cast_precision_loss, reason = "an estimate")]
        let count = frames.len() as f64;
        Ok(prepared_s + frame_s * count)
    }

    /// Looks whether it is there, and draws nothing.
    ///
    /// # Errors
    /// A [`Failure`] with [`exit::DIFFERENT`] that says what is not.
    pub fn verify(&self, subject: &Subject) -> Result<Turned, Failure> {
        let Sight { frames, digest, provenance, .. } = self.sight(subject)?;
        let (size, views) = (subject.scene.output.size, &subject.scene.output.aov);
        let mut bad: Vec<String> = Vec::new();
        if let Target::Files(pattern) = &self.target {
            let present =
                ResumeCheck { pattern, views, size, digest: &digest, build: build_digest() };
            let look = |&number: &i64| present.check_at(number, CheckLevel::Pixels);
            let looked: Vec<_> = frames.par_iter().map(look).collect();
            let (mut missing, mut first, mut all_empty) = (Vec::new(), None, true);
            for (&number, (standing, path)) in frames.iter().zip(looked) {
                let mut why = match standing {
                    FrameStatus::Current { is_empty } => {
                        all_empty &= is_empty;
                        continue;
                    }
                    FrameStatus::Missing => "missing".to_owned(),
                    FrameStatus::Stale(why) | FrameStatus::Broken(why) => why,
                };
                // It may be a view.
                if !views.is_empty() {
                    why = format!("{path}: {why}");
                }
                missing.push(number);
                first.get_or_insert(why);
            }
            if let (Some(list), Some(why)) = (FrameList::from_rising(missing), first) {
                let of = counted(frames.len(), "frame");
                bad.push(format!("{} of {of} ({list}): {why}", list.len()));
            } else if all_empty {
                bad.push("nothing is seen in any frame: the pictures are empty".to_owned());
            }
        }
        for path in self.files.missing(&provenance, views) {
            bad.push(format!("{}: missing, torn or stale", path.display()));
        }
        if !bad.is_empty() {
            return Err(Failure::new(exit::DIFFERENT, bad.join("; ")));
        }
        Ok(Turned {
            present: frames.len(),
            frames,
            digest,
            written: 0,
            timeline: subject.timeline,
            beside: with_views(views),
            files: self.files.with_views(views),
            seconds: 0.0,
        })
    }
}

/// A frame with its views.
fn draw(
    renderer: &Renderer,
    viewer: &Viewer,
    number: i64,
) -> Result<(Frame, Counts, Vec<Shown>), Failure> {
    let cut = RasterOptions::default();
    let staged = viewer
        .stage(renderer, number.into(), cut)
        .map_err(|error| Failure::bad_input_chain(&error))?;
    let DrawnFrame { frame, counts, .. } = renderer.draw_staged(&staged, cut);
    let shown = viewer.draw(renderer, &staged, &frame, cut);
    renderer.recycle(staged);
    Ok((frame, counts, shown))
}

/// Ends soon when somebody sends SIGTERM, and leaves nothing unfinished in these folders.
pub(super) fn leave_soon(stop: &Signals, folders: Vec<PathBuf>, record: &Journal) {
    let record = record.clone();
    stop.leave_soon_when_terminated(move || {
        folders.iter().for_each(|folder| temp_files::remove_of_process(folder));
        journal::terminated(&record);
    });
}

/// What a record has of a turntable.
pub(super) fn recorded(name: &str, turned: &Turned) -> RecordedModel {
    let frames = FrameList::from_rising(turned.frames.iter().copied());
    RecordedModel {
        model: name.to_owned(),
        status: if turned.written > 0 { "drawn" } else { "unchanged" }.to_owned(),
        digest: Some(turned.digest.clone()),
        frames: frames.map(|frames| frames.to_string()),
        seconds: turned.seconds,
        peak_bytes: peak_memory(),
        message: None,
    }
}
