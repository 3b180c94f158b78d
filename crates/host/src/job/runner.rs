//! The runner: finds the outdated frames, draws them in parallel, and passes them to the sinks.
//!
//! A worker stages a frame, draws it with its views, encodes and writes its files. The calling
//! thread takes the results, feeds streams and files that hold all frames, counts, and notifies the
//! observer.

use super::cached_fit;
use super::context::JobContext;
use super::error::JobError;
use super::event::{DrawnFrame, Event, Observer};
use super::lock::SequenceLock;
use super::report::{JobReport, Tally, is_gone};
use super::resume::{Beside, files_of, provenance};
use super::sequence::{PreparedJob, SequenceJob};
use super::sinks::{
    AnimationFiles, AnimationFrame, AnimationSet, FrameFiles, FrameOutput, StreamFormat,
    folders_of, format_of_files, raw_bytes,
};
use super::stats::FrameStats;

use crate::workers;
use crate::{FrameStatus, temp_files};
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use tintype_base::path::path_of_text;
use tintype_output::{Provenance, SheetLayout, encode_png};
use tintype_raster::Clock;
use tintype_render::aov::{Shown, Viewer, channels, following};
use tintype_render::{Drawn, Renderer, Staged, why_nothing_is_seen};
use tintype_scene::{FrameList, FrameNumber, FramePattern};

/// Frames to draw, and their files.
struct Plan {
    /// Positions among the frames of the job.
    draw: Vec<usize>,
    /// Those of them whose PNG files are written, in increasing order.
    write: Vec<usize>,
    /// Files that hold all frames and are written anew.
    animations: AnimationFiles,
    /// True if a frame is checked again before it is drawn, because another process may have
    /// written it.
    check_again: bool,
    /// The frames that are up to date.
    tally: Tally,
}

/// Result of one frame.
enum Outcome {
    Drawn {
        drawn: Box<DrawnFrame>,
        payload: Payload,
    },
    /// Another process has written it.
    Present {
        is_empty: bool,
    },
}

/// Data for sinks that take frames in order.
#[derive(Default)]
struct Payload {
    stream: Option<Vec<u8>>,
    animation: Option<AnimationFrame>,
}

impl SequenceJob<'_> {
    /// Draws the outdated frames; all frames are up to date afterwards.
    ///
    /// # Errors
    /// As [`Self::prepare`], [`PreparedJob::run`] and [`JobReport::into_result`].
    pub fn run(
        self,
        context: &JobContext<'_>,
        observer: &mut Observer<'_>,
    ) -> Result<JobReport, JobError> {
        context.pool.install(|| self.prepare())?.run(context, observer)?.into_result()
    }
}

impl PreparedJob<'_> {
    /// Draws the outdated frames, as many at a time as the pool has threads.
    ///
    /// A frame that fails, a stop and empty pictures are part of the report; see
    /// [`JobReport::into_result`].
    ///
    /// # Errors
    /// [`JobError`] if no frame can be drawn, or a file of all frames cannot be written.
    pub fn run(
        self,
        context: &JobContext<'_>,
        observer: &mut Observer<'_>,
    ) -> Result<JobReport, JobError> {
        run(self, context, observer)
    }

    /// Draws and encodes one frame in the middle without keeping it; calls `fitted` once everything
    /// common to the frames is computed.
    ///
    /// # Errors
    /// As [`Self::run`].
    pub fn try_out(self, fitted: impl FnOnce()) -> Result<(), JobError> {
        try_out(self, fitted)
    }
}

/// Runs a job; see [`PreparedJob::run`].
fn run(
    ready: PreparedJob<'_>,
    context: &JobContext<'_>,
    observer: &mut Observer<'_>,
) -> Result<JobReport, JobError> {
    // 1. Finds outdated frames. No other process draws others in their place meanwhile.
    let pool = context.pool;
    let lock =
        ready.job.outputs.pattern().map(|pattern| SequenceLock::take(pattern, &ready.digest));
    let _lock = lock.transpose()?;
    if let Some(pattern) = ready.job.outputs.pattern() {
        for folder in folders_of(pattern) {
            temp_files::remove_stale(&folder, temp_files::STALE_AFTER);
        }
    }
    let (plan, checks) = pool.install(|| Plan::new(&ready));
    let Plan { draw, write, animations, check_again, tally } = plan;
    checks.notify(observer);
    let PreparedJob { job, bound, digest, .. } = ready;
    let (scene, settings, views) = (&*job.scene, &job.settings, &job.scene.output.aov);
    let is_stream = matches!(job.outputs.frames, FrameOutput::Stream(_));
    let kept_going = settings.keep_going && animations.is_empty() && !is_stream;
    let report = |tally: Tally| JobReport {
        allow_empty: settings.allow_empty,
        kept_going,
        ..tally.report(job.frames.clone(), digest.clone())
    };
    if draw.is_empty() {
        let files = job.outputs.animations.with_views(views);
        // Frames without files are not missing.
        let missing = None;
        return Ok(JobReport { files, missing, ..report(tally) });
    }

    // 2. The scene before its camera, and the sinks.
    let (pattern, build) = (job.outputs.pattern(), settings.build.as_deref());
    let renderer = pool.install(|| cached_fit::fit(bound, pattern, &digest, build));
    let first = job.frames.first().copied().unwrap_or_default();
    let of_all = provenance(first, &digest, settings.build.as_deref());
    let layout = match animations.sheet {
        Some(_) => pool.install(|| sheet_layout(&renderer)),
        None => SheetLayout::default(),
    };
    let mut set = (!animations.is_empty())
        .then(|| AnimationSet::new(&animations, settings.png_effort, scene, &of_all, &layout))
        .transpose()?;
    let viewer = pool.install(|| Viewer::new(&renderer, views))?;
    let drawing = Drawing {
        job: &job,
        renderer: &renderer,
        viewer: &viewer,
        digest: &digest,
        write: &write,
        animations: &animations,
        check_again,
        files: FrameFiles {
            pattern: job.outputs.pattern(),
            format: format_of_files(job.outputs.pattern()),
            effort: settings.png_effort,
            keep_alpha: scene.output.is_transparent(),
            retry: settings.retry,
            stop: &context.stop,
        },
        context,
    };

    // 3. As many frames in flight as there are threads, if they fit into the memory.
    observer(&Event::Started { frames: draw.len(), shadow_bytes: renderer.shadow_bytes() });
    let started = context.seconds();
    let in_flight = job.frames_in_flight(pool.current_num_threads());
    let mut tally = tally;
    let done = |index: usize, result: Result<Outcome, JobError>| {
        let k = draw[index];
        let number = job.frames[k];
        let result = result.and_then(|outcome| match outcome {
            Outcome::Drawn { drawn, payload } => {
                drawing.feed(k, payload, &mut set)?;
                Ok(Ok(drawn))
            }
            Outcome::Present { is_empty } => Ok(Err(is_empty)),
        });
        match result {
            Ok(Ok(drawn)) => {
                tally.add_written(number, drawn.nothing_seen.as_deref());
                observer(&Event::Drawn(&drawn));
            }
            Ok(Err(is_empty)) => {
                tally.add_present(number, is_empty);
                observer(&Event::FoundLate(number));
            }
            Err(error) => {
                observer(&Event::Failed { number, error: &error, goes_on: kept_going });
                tally.failed.push((number, error));
                if !kept_going {
                    return ControlFlow::Break(());
                }
            }
        }
        if context.stop.is_requested() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let work = |index: usize| drawing.draw(draw[index]);
    if settings.in_order || is_stream || !animations.is_empty() {
        workers::run_in_order(draw.len(), in_flight, work, done);
    } else {
        workers::run(draw.len(), in_flight, work, done);
    }
    let seconds = context.seconds() - started;

    // 4. The files that hold all frames, if they do.
    let mut report = JobReport { in_flight, seconds, ..report(tally) };
    let is_complete = report.failed.is_empty() && report.missing.is_none();
    report.files = match set {
        Some(set) if is_complete && !report.is_refused_as_empty() => {
            pool.install(|| set.finish())?
        }
        Some(_) => Vec::new(),
        None => job.outputs.animations.with_views(views),
    };
    report.vanished = pool.install(|| vanished(&job, &report));
    Ok(report)
}

/// Finished frames whose files no longer all exist: another process may remove files while frames
/// are drawn.
fn vanished(job: &SequenceJob<'_>, report: &JobReport) -> Option<FrameList> {
    let pattern = job.outputs.pattern()?;
    let beside = Beside::of(&job.scene.output);
    let is_open = |frame: &FrameNumber| {
        report.failed.iter().any(|(failed, _)| failed == frame)
            || report.missing.as_ref().is_some_and(|list| list.contains(*frame))
    };
    let has_gone = |frame: &&FrameNumber| {
        !is_open(frame)
            && files_of(**frame, pattern, beside).any(|(_, path)| is_gone(&path_of_text(&path)))
    };
    let gone: Vec<FrameNumber> = job.frames.par_iter().filter(has_gone).copied().collect();
    FrameList::from_rising(gone)
}

/// The rows of a sprite sheet: one for each direction, if the camera turns in steps of equal
/// length.
fn sheet_layout(renderer: &Renderer) -> SheetLayout {
    let scene = renderer.scene();
    let rows = scene.camera.directions_deg();
    if rows.is_empty() || !scene.output.frames.len().is_multiple_of(rows.len()) {
        return SheetLayout::default();
    }
    SheetLayout { rows, ground: renderer.ground_pixels() }
}

/// Result of the resume check, for the observer.
#[derive(Default)]
struct Checks {
    present: Option<FrameList>,
    outdated: Vec<(String, String)>,
    /// Number of files that are replaced, by reason.
    replaced: BTreeMap<String, usize>,
}

impl Checks {
    fn notify(&self, observer: &mut Observer<'_>) {
        for (path, reason) in &self.outdated {
            observer(&Event::Outdated { path, reason });
        }
        for (reason, &count) in &self.replaced {
            observer(&Event::Replaced { reason, count });
        }
        if let Some(frames) = &self.present {
            observer(&Event::Present(frames));
        }
    }
}

impl Plan {
    fn new(ready: &PreparedJob<'_>) -> (Self, Checks) {
        let all: Vec<usize> = (0..ready.job.frames.len()).collect();
        let settings = &ready.job.settings;
        let (mut tally, mut checks) = (Tally::default(), Checks::default());
        let write = match (&ready.job.outputs.frames, ready.resume_check()) {
            (_, Some(_)) if settings.overwrite => all.clone(),
            (_, Some(check)) => {
                let frames = &ready.job.frames;
                let check = |&frame: &FrameNumber| check.check(frame);
                let statuses = frames.par_iter().map(check).collect();
                checks.outdated_frames(frames, statuses, &mut tally)
            }
            (FrameOutput::Stream(_) | FrameOutput::None | FrameOutput::Files(_), None) => {
                Vec::new()
            }
        };
        let animations = &ready.job.outputs.animations;
        let is_outdated = || !animations.outdated(&ready.provenance(), ready.views()).is_empty();
        let makes_animations = !animations.is_empty() && (settings.overwrite || is_outdated());
        let is_stream = matches!(ready.job.outputs.frames, FrameOutput::Stream(_));
        let plan = if makes_animations || is_stream {
            // These take all frames; PNG files that are up to date are not rewritten.
            let animations =
                if makes_animations { animations.clone() } else { AnimationFiles::default() };
            let (tally, check_again) = (Tally::default(), false);
            Self { draw: all, write, animations, check_again, tally }
        } else {
            let (animations, check_again) = (AnimationFiles::default(), !settings.overwrite);
            Self { draw: write.clone(), write, animations, check_again, tally }
        };
        (plan, checks)
    }
}

impl Checks {
    /// Sorts frames by the status of their files; returns the positions of those to draw.
    fn outdated_frames(
        &mut self,
        frames: &[FrameNumber],
        statuses: Vec<(FrameStatus, String)>,
        tally: &mut Tally,
    ) -> Vec<usize> {
        let (mut draw, mut present) = (Vec::new(), Vec::new());
        for (index, (&number, (status, path))) in frames.iter().zip(statuses).enumerate() {
            let (reason, group) = match status {
                FrameStatus::Current { is_empty } => {
                    tally.add_present(number, is_empty);
                    present.push(number);
                    continue;
                }
                FrameStatus::Missing => {
                    draw.push(index);
                    continue;
                }
                FrameStatus::Stale(reason) => (reason.clone(), reason),
                FrameStatus::Broken(reason) => (reason, "not a whole picture".to_owned()),
            };
            self.outdated.push((path, reason));
            *self.replaced.entry(group).or_default() += 1;
            draw.push(index);
        }
        self.present = FrameList::from_rising(present);
        draw
    }
}

/// Everything that workers use in common.
struct Drawing<'a> {
    job: &'a SequenceJob<'a>,
    renderer: &'a Renderer,
    viewer: &'a Viewer<'a>,
    digest: &'a str,
    /// Positions in the job's list of frames whose PNG files are written, in increasing order.
    write: &'a [usize],
    animations: &'a AnimationFiles,
    check_again: bool,
    files: FrameFiles<'a>,
    context: &'a JobContext<'a>,
}

impl Drawing<'_> {
    /// Draws one frame and writes its files, on the thread of a worker.
    fn draw(&self, k: usize) -> Result<Outcome, JobError> {
        let Self { job, renderer, viewer, files, context, .. } = self;
        let (pool, settings) = (context.pool, &job.settings);
        let number = job.frames[k];
        let build = settings.build.as_deref();
        if self.check_again
            && let Some(check) = job.resume_check(self.digest)
            && let (FrameStatus::Current { is_empty }, _) = check.check(number)
        {
            return Ok(Outcome::Present { is_empty });
        }
        let started = context.seconds();
        let seconds = || context.seconds() - started;
        let staged = pool.install(|| viewer.stage(renderer, number, settings.raster))?;
        let staged_s = seconds();
        let clock: Option<Clock> = settings.measure.then_some(&seconds);
        let Drawn { frame, counts, times } =
            pool.install(|| renderer.draw_staged_timed(&staged, settings.raster, clock))?;
        let mut stats = FrameStats::of_raster(&counts, &times);
        stats.stages.pose_and_skin = staged_s;
        let is_empty = counts.covered_pixels == 0;
        let of = Provenance { is_empty, ..provenance(number, self.digest, build) };

        // The picture is written last, so a frame with a picture has all its views.
        let writes = self.write.binary_search(&k).is_ok();
        let png_stream = matches!(
            &job.outputs.frames,
            FrameOutput::Stream(stream) if stream.format == StreamFormat::Png
        );
        let mut retries = 0;
        let mut payload = Payload::default();
        let views_from_s = seconds();
        let shown = pool.install(|| viewer.draw(renderer, &staged, &frame, settings.raster))?;
        let nothing_seen = why_nothing_is_seen(&staged, &counts);
        if writes && !job.scene.output.channels.is_empty() {
            retries += self.write_channels(number, &staged, &of)?;
        }
        renderer.recycle(staged);
        if writes || png_stream {
            for shown in &shown {
                let png = pool.install(|| files.encode_view(shown, &of));
                stats.png_bytes += png.len() as u64;
                retries += files.write_view(number, shown, &png)?;
                payload.stream = Some(png);
            }
        }
        let encode_from_s = seconds();
        stats.stages.views = encode_from_s - views_from_s;
        if writes || png_stream && shown.is_empty() {
            let png = pool.install(|| files.encode_picture(&frame, &of));
            let write_from_s = seconds();
            retries += files.write_picture(number, &png)?;
            stats.png_bytes += png.len() as u64;
            stats.stages.encode = write_from_s - encode_from_s;
            stats.stages.write = seconds() - write_from_s;
            payload.stream = Some(png);
        }
        payload.stream = match &job.outputs.frames {
            FrameOutput::Stream(stream) if !png_stream => {
                Some(raw_bytes(stream.format, &job.scene, k, &frame, &shown))
            }
            _ => payload.stream.filter(|_| png_stream),
        };
        let legends = shown.iter().map(Shown::described).collect();
        if self.animations.is_empty() {
            renderer.recycle_frame(frame);
        } else {
            payload.animation = Some(AnimationFrame { frame, shown });
        }
        stats.seconds = seconds();
        let drawn = DrawnFrame { number, counts, stats, legends, retries, nothing_seen };
        Ok(Outcome::Drawn { drawn: Box::new(drawn), payload })
    }

    /// Writes the channels of a frame; returns the number of retries.
    fn write_channels(
        &self,
        number: FrameNumber,
        staged: &Staged,
        of: &Provenance,
    ) -> Result<u32, JobError> {
        let Self { job, renderer, files, context, .. } = self;
        let Some(pattern) = files.pattern else { return Ok(0) };
        let (words, patterns): (Vec<_>, Vec<_>) =
            Beside::of(&job.scene.output).channel_files(pattern).into_iter().unzip();
        let (wanted, cut) = (&job.scene.output.channels, job.settings.raster);
        let encoded = context.pool.install(|| -> Result<_, JobError> {
            let next = following(renderer, number, wanted, cut)?;
            let planes = channels(renderer, staged, next.as_ref(), wanted, cut)?;
            next.into_iter().for_each(|next| renderer.recycle(next));
            files.encode_channels(renderer, &planes, of, &words)
        })?;
        let write =
            |(pattern, bytes): (&FramePattern, &Vec<u8>)| files.write(pattern, number, bytes);
        patterns.iter().zip(&encoded).map(write).sum()
    }

    /// Passes a frame to the sinks that take frames in order.
    fn feed(
        &self,
        k: usize,
        payload: Payload,
        set: &mut Option<AnimationSet<'_>>,
    ) -> Result<(), JobError> {
        if let (FrameOutput::Stream(stream), Some(bytes)) =
            (&self.job.outputs.frames, &payload.stream)
        {
            let failed = |source: std::io::Error| match source.kind() {
                std::io::ErrorKind::BrokenPipe => {
                    JobError::ReaderGone { name: stream.name.to_owned() }
                }
                _ => JobError::Stream { name: stream.name.to_owned(), source },
            };
            (stream.write)(bytes).map_err(failed)?;
        }
        if let (Some(set), Some(frame)) = (set, payload.animation) {
            self.context.pool.install(|| set.add(k, frame))?;
        }
        Ok(())
    }
}

/// Draws and encodes one frame in the middle, with its views, without keeping it.
fn try_out(ready: PreparedJob<'_>, fitted: impl FnOnce()) -> Result<(), JobError> {
    let PreparedJob { job, bound, .. } = ready;
    let renderer = bound.fit();
    fitted();
    let viewer = Viewer::new(&renderer, &job.scene.output.aov)?;
    let Some(&number) = job.frames.get(job.frames.len() / 2) else { return Ok(()) };
    let (raster, effort) = (job.settings.raster, job.settings.png_effort);
    let staged = viewer.stage(&renderer, number, raster)?;
    let Drawn { frame, .. } = renderer.draw_staged(&staged, raster)?;
    for shown in viewer.draw(&renderer, &staged, &frame, raster)? {
        drop(encode_png(&shown.frame, false, effort, &[]));
    }
    let keep_alpha = job.scene.output.is_transparent();
    drop(encode_png(&frame, keep_alpha, effort, &[]));
    Ok(())
}
