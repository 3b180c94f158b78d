//! One turntable: its frames drawn or verified by a job, and its messages.

use super::outputs::failure;
use super::subject::save_scene;
use crate::args::{Progress, Turntable};
use crate::build_digest::build_digest;
use crate::console::Console;
use crate::exit;
use crate::failure::Failure;
use crate::sequence::{
    all_present_text, conclude, context, effort, files_text, others_text, show_event, with_beside,
};
use crate::signals::Signals;
use std::path::{Path, PathBuf};
use std::time::Instant;
use tintype::builder::{FrameList, FrameNumber};
use tintype_base::amount::{counted, rate_text};
use tintype_base::path::ShowPath;
use tintype_framing::Timeline;
use tintype_framing::TurntableScene;
use tintype_host::job::SequenceJob;
use tintype_host::job::journal::Model as RecordedModel;
use tintype_host::job::memory::{available_memory, peak_memory};
use tintype_host::job::{
    AnimationFiles, Event, FrameOutput, JobReport, JobSettings, Outputs, PreparedJob, Retry,
};
use tintype_scene::{FramePattern, Output};

/// Deviation of a clip's speed from 1 above which it is reported.
const TOLD_SPEED: f64 = 0.1;

/// One model, and the outputs of its turntable.
pub(super) struct TurntableRun<'a> {
    pub options: &'a Turntable,
    pub model: &'a Path,
    pub frames: FrameOutput<'static>,
    pub animations: AnimationFiles,
    /// True if it is the only model, so that its progress is shown.
    pub is_alone: bool,
}

/// A turntable that is up to date.
pub(super) struct TurntableOutcome {
    pub frames: Vec<FrameNumber>,
    pub digest: String,
    pub written: usize,
    /// Frames that were up to date.
    pub present: usize,
    timeline: Timeline,
    /// True if the requested clip does not exist, and another plays.
    pub lacks_clip: bool,
    /// Names of the clips of the model.
    pub clip_names: Vec<String>,
    /// The clip that plays.
    clip: Option<String>,
    /// `, each with 2 views`
    beside: String,
    /// The files of all frames.
    files: Vec<PathBuf>,
    /// The file of each frame.
    pattern: Option<FramePattern>,
    seconds: f64,
}

impl TurntableOutcome {
    /// The line that summarizes the result.
    pub(super) fn described(&self, is_verified: bool) -> String {
        let mut files = files_text(self.pattern.as_ref(), &self.frames);
        self.files.iter().for_each(|file| files += &format!(", {}", file.shown()));
        if is_verified {
            return format!("{} up to date{files}", counted(self.frames.len(), "frame"));
        }
        if self.written == 0 {
            return all_present_text(self.frames.len(), &files);
        }
        let clip = match self.clip.as_deref() {
            None => "the clip".to_owned(),
            Some(name) => format!("the clip {name:?}"),
        };
        let times = match self.timeline.rounds {
            1 => "once".to_owned(),
            rounds => format!("{rounds} times"),
        };
        let speed = self.timeline.speed;
        let plays = match self.timeline.rounds {
            0 => String::new(),
            _ if (speed - 1.0).abs() < TOLD_SPEED => format!(", {clip} {times}"),
            _ => format!(", {clip} {times} at {speed:.2} times its speed"),
        };
        let rate = rate_text(self.written, "frame", self.seconds);
        let others = others_text(self.present);
        format!("{rate}{plays}{}{others}{files}", self.beside)
    }
}

impl TurntableRun<'_> {
    fn job(&self, subject: &TurntableScene) -> Result<PreparedJob<'static>, Failure> {
        let options = self.options;
        let (frames, animations) = (self.frames.clone(), self.animations.clone());
        let mut job = SequenceJob::of_turntable(subject, Outputs { frames, animations });
        job.settings = JobSettings {
            overwrite: options.overwrite,
            keep_going: options.attempt.keep_going,
            retry: Retry::times(options.attempt.retries),
            png_effort: effort(options.png),
            build: build_digest().map(str::to_owned),
            memory: available_memory(),
            ..job.settings
        };
        job.prepare().map_err(|error| failure(&error))
    }

    fn turned(&self, subject: &TurntableScene, digest: &str) -> TurntableOutcome {
        let views = &subject.scene.output.aov;
        TurntableOutcome {
            frames: subject.scene.output.frames.iter().collect(),
            digest: digest.to_owned(),
            written: 0,
            present: 0,
            timeline: subject.timeline,
            lacks_clip: subject.lacks_clip,
            clip_names: subject.assets.models[0]
                .clips
                .iter()
                .map(|clip| clip.name.clone())
                .collect(),
            clip: subject.clip_name().filter(|name| !name.is_empty()).map(str::to_owned),
            beside: with_beside(&subject.scene.output),
            files: self.animations.with_views(views),
            pattern: match &self.frames {
                FrameOutput::Files(pattern) => Some(subject.in_directions(pattern.clone())),
                _ => None,
            },
            seconds: 0.0,
        }
    }

    /// Draws the frames that are not up to date.
    pub(super) fn turn(
        &self,
        subject: &TurntableScene,
        pool: &rayon::ThreadPool,
        signals: &Signals,
        console: &mut Console,
    ) -> Result<TurntableOutcome, Failure> {
        let Self { options, is_alone, .. } = self;
        let job = pool.install(|| self.job(subject))?;
        if let Some(path) = &options.save_scene {
            save_scene(path, options, self.model, subject, console)?;
        }
        job.warnings().iter().for_each(|warning| console.warning(&warning.to_string()));
        let turned = self.turned(subject, job.digest());
        let how = if *is_alone { options.progress } else { Progress::None };
        let mut meter = None;
        let report = job.run(&context(pool, signals), &mut |event| {
            show_event(event, console);
            match event {
                Event::Started { frames, .. } => {
                    meter = Some(console.progress(how, *frames, "frames"));
                }
                Event::Drawn(_) | Event::FoundLate(_) => {
                    if let Some(meter) = &mut meter {
                        meter.step(console);
                    }
                }
                _ => {}
            }
        });
        if let Some(meter) = &meter {
            meter.finish();
        }
        let report = report.map_err(|error| failure(&error))?;
        // Files of all frames are up to date, and there are no others: nothing is known of single
        // frames.
        if report.in_flight == 0 && matches!(self.frames, FrameOutput::None) {
            return Ok(TurntableOutcome { present: report.frames.len(), ..turned });
        }
        let unwritten = if report.files.is_empty() { turned.files.as_slice() } else { &[] };
        let to_go_on = |_: &FrameList| when_stopped(unwritten);
        let JobReport { written, present, seconds, files, .. } =
            conclude(report, signals, is_alone.then_some(to_go_on), console)?;
        Ok(TurntableOutcome { written, present, seconds, files, ..turned })
    }

    /// Draws one frame and discards it; returns the estimated seconds of all frames.
    pub(super) fn try_out(&self, subject: &TurntableScene) -> Result<f64, Failure> {
        let started = Instant::now();
        let job = self.job(subject)?;
        let (fitted_s, done_s) = {
            let mut fitted_s = 0.0;
            let fitted = || fitted_s = started.elapsed().as_secs_f64();
            job.try_out(fitted).map_err(|error| failure(&error))?;
            (fitted_s, started.elapsed().as_secs_f64())
        };
        #[expect(clippy::cast_precision_loss, reason = "an estimate")]
        let count = subject.scene.output.frames.len() as f64;
        Ok(fitted_s + (done_s - fitted_s) * count)
    }

    /// Checks the files without drawing.
    ///
    /// # Errors
    /// A [`Failure`] with [`exit::DIFFERENT`] that names the outdated files.
    pub(super) fn verify(&self, subject: &TurntableScene) -> Result<TurntableOutcome, Failure> {
        let job = self.job(subject)?;
        let report = job.verify();
        let mut bad: Vec<String> = Vec::new();
        if let (Some(list), Some(first)) = (report.missing(), report.outdated.first()) {
            let of = counted(subject.scene.output.frames.len(), "frame");
            let Output { aov, channels, .. } = &subject.scene.output;
            let why = if aov.is_empty() && channels.is_empty() {
                first.reason.clone()
            } else {
                format!("{}: {}", first.path, first.reason)
            };
            bad.push(format!("{} of {of} ({list}): {why}", list.len()));
        } else if report.is_empty {
            bad.push("nothing is visible in any frame: the pictures are empty".to_owned());
        }
        for path in &report.files {
            bad.push(format!("{}: missing, incomplete or out of date", path.shown()));
        }
        if !bad.is_empty() {
            return Err(Failure::new(exit::DIFFERENT, bad.join("; ")));
        }
        let turned = self.turned(subject, job.digest());
        Ok(TurntableOutcome { present: turned.frames.len(), ..turned })
    }
}

/// Advice for resuming if files of all frames were not written because not all frames exist.
fn when_stopped(unwritten: &[PathBuf]) -> String {
    let names: Vec<String> = unwritten.iter().map(|path| path.shown()).collect();
    match names.as_slice() {
        [] => "run the same command again to continue".to_owned(),
        [name] => format!("{name} is not written; run the same command again"),
        names => format!("{} are not written; run the same command again", names.join(" and ")),
    }
}

/// The journal's line about a turntable.
pub(super) fn recorded(name: &str, turned: &TurntableOutcome) -> RecordedModel {
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
