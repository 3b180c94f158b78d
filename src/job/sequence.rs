//! A job over the frames of one scene: what to draw, where to, and how.

use super::event::Observer;
use super::resume::{ResumeCheck, provenance};
use super::runner;
use super::sinks::{FrameOutput, Outputs, StreamFormat};
use super::{JobContext, JobError, JobReport, Retry};
use crate::aov;
use crate::asset::Assets;
use crate::deadline::Deadline;
use crate::model::Background;
use crate::output::{CheckLevel, FrameStatus, PngEffort, Provenance};
use crate::raster::RasterOptions;
use crate::render::Prepared;
use crate::scene::{FrameList, Scene};
use rayon::prelude::*;
use std::path::PathBuf;

/// Settings of a job that do not change its pictures, but for [`Self::raster`], which changes only how fast they are drawn.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct JobSettings {
    /// Draws frames again that are up to date.
    pub overwrite: bool,
    /// Goes on to the next frame when one fails. Files that hold all frames, and streams, end the job all the same.
    pub keep_going: bool,
    /// Accepts a job in which no pixel of any frame is covered; else that is [`JobError::Empty`].
    pub allow_empty: bool,
    /// Retries of writes that fail for a temporary reason.
    pub retry: Retry,
    /// Compression of PNG files.
    pub png_effort: PngEffort,
    /// Tile size and instructions of the rasterizer.
    pub raster: RasterOptions,
    /// Reports frames in their order. Streams and files that hold all frames always do.
    pub in_order: bool,
    /// Measures the stages of the rasterizer; needs a clock.
    pub measure: bool,
    /// Digest of the running program, if its version does not identify the pixels that it draws; a frame of another build is
    /// drawn again.
    pub build: Option<String>,
}

/// Frames of a scene, drawn to files or to a stream.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct SequenceJob<'a> {
    /// The scene.
    pub scene: &'a Scene,
    /// Its models, clips and textures.
    pub assets: &'a Assets,
    /// Numbers of the frames to draw, rising: all of the scene's, or some.
    pub frames: Vec<i64>,
    /// Destinations.
    pub outputs: Outputs<'a>,
    /// Settings.
    pub settings: JobSettings,
}

/// A frame of a job.
#[derive(Clone, Copy, Debug)]
pub(super) struct FrameRef {
    /// Position among the frames of the scene.
    pub k: usize,
    /// Number.
    pub number: i64,
}

/// A job whose scene is checked, with its digest: nothing is drawn yet.
#[derive(Debug)]
pub struct PreparedJob<'a> {
    pub(super) job: SequenceJob<'a>,
    pub(super) frames: Vec<FrameRef>,
    pub(super) prepared: Prepared<'a>,
    pub(super) digest: String,
}

impl<'a> SequenceJob<'a> {
    /// All frames of a scene.
    #[must_use]
    pub fn new(scene: &'a Scene, assets: &'a Assets, outputs: Outputs<'a>) -> Self {
        let frames = scene.output.frames.iter().collect();
        Self { scene, assets, frames, outputs, settings: JobSettings::default() }
    }

    /// Checks the job and binds clips to models.
    ///
    /// # Errors
    /// [`JobError`] of kind bad input: a frame or a joint that the scene does not have, a clip that does not fit its model, or an
    /// output that cannot hold these frames.
    pub fn prepare(self) -> Result<PreparedJob<'a>, JobError> {
        let Self { scene, assets, .. } = self;
        let views = &scene.output.aov;
        aov::check(assets, views)?;
        let frames = frames_of(scene, &self.frames)?;
        self.outputs.animations.check()?;
        if !self.outputs.animations.is_empty() && frames.len() < scene.output.frames.len() {
            return Err(JobError::PartOfAnimation);
        }
        if let FrameOutput::Stream(stream) = &self.outputs.frames {
            let is_transparent = scene.output.background == Background::Transparent;
            // A view is opaque.
            if stream.format == StreamFormat::Y4m && is_transparent && views.is_empty() {
                return Err(JobError::StreamAlpha);
            }
        }
        let prepared = Prepared::bound(scene, assets, &Deadline::NEVER)?;
        let digest = prepared.digest();
        Ok(PreparedJob { job: self, frames, prepared, digest })
    }

    /// Draws the frames that are not up to date.
    ///
    /// # Errors
    /// As [`PreparedJob::run`], or as [`Self::prepare`].
    pub fn run(
        self,
        context: &JobContext<'_>,
        observer: &mut Observer<'_>,
    ) -> Result<JobReport, JobError> {
        context.pool.install(|| self.prepare())?.run(context, observer)
    }
}

impl SequenceJob<'_> {
    /// The check of PNG files, if frames go to files.
    pub(super) fn resume_check<'a>(&'a self, digest: &'a str) -> Option<ResumeCheck<'a>> {
        Some(ResumeCheck {
            pattern: self.outputs.pattern()?,
            views: &self.scene.output.aov,
            size: self.scene.output.size,
            digest,
            build: self.settings.build.as_deref(),
        })
    }
}

fn frames_of(scene: &Scene, numbers: &[i64]) -> Result<Vec<FrameRef>, JobError> {
    let all = &scene.output.frames;
    let frame = |&number: &i64| match all.position(number) {
        Some(k) => Ok(FrameRef { k, number }),
        None => Err(JobError::UnknownFrame { number, frames: all.clone() }),
    };
    numbers.iter().map(frame).collect()
}

impl PreparedJob<'_> {
    /// Warnings about clips that do not fit their models in every respect.
    #[must_use]
    pub fn warnings(&self) -> &[String] {
        &self.prepared.warnings
    }

    /// Digest of everything that the pixels depend on, as it is stored in the files.
    #[must_use]
    pub fn digest(&self) -> &str {
        &self.digest
    }

    /// Draws the frames that are not up to date, as many at a time as the pool has threads.
    ///
    /// A frame that fails, a stop and empty pictures are part of the report; see [`JobReport::into_result`].
    ///
    /// # Errors
    /// [`JobError`] if no frame can be drawn, or a file that holds all frames cannot be written.
    pub fn run(
        self,
        context: &JobContext<'_>,
        observer: &mut Observer<'_>,
    ) -> Result<JobReport, JobError> {
        runner::run(self, context, observer)
    }

    /// Reads the files of the job, decodes their pixels, and draws nothing; on the threads of the current pool.
    #[must_use]
    pub fn verify(&self) -> VerifyReport {
        let mut report = VerifyReport {
            outdated: Vec::new(),
            files: self.job.outputs.animations.outdated(&self.provenance(), self.views()),
            is_empty: false,
        };
        let Some(check) = self.resume_check() else { return report };
        let check = |frame: &FrameRef| check.check_at(frame.number, CheckLevel::Pixels);
        let checked: Vec<_> = self.frames.par_iter().map(check).collect();
        report.is_empty = true;
        for (frame, (status, path)) in self.frames.iter().zip(checked) {
            let reason = match status {
                FrameStatus::Current { is_empty } => {
                    report.is_empty &= is_empty;
                    continue;
                }
                FrameStatus::Missing => "missing".to_owned(),
                FrameStatus::Stale(reason) | FrameStatus::Broken(reason) => reason,
            };
            report.outdated.push(OutdatedFrame { number: frame.number, path, reason });
        }
        report.is_empty &= report.outdated.is_empty();
        report
    }

    /// Draws and encodes one frame in the middle, and keeps nothing; calls `fitted` when all that frames share is computed.
    ///
    /// # Errors
    /// As [`Self::run`].
    pub fn try_out(self, fitted: impl FnOnce()) -> Result<(), JobError> {
        runner::try_out(self, fitted)
    }

    pub(super) fn views(&self) -> &[crate::scene::Aov] {
        &self.job.scene.output.aov
    }

    /// Provenance of the files that hold all frames.
    pub(super) fn provenance(&self) -> Provenance {
        let first = self.frames.first().map_or(0, |frame| frame.number);
        provenance(first, &self.digest, self.job.settings.build.as_deref())
    }

    pub(super) fn resume_check(&self) -> Option<ResumeCheck<'_>> {
        self.job.resume_check(&self.digest)
    }
}

/// Result of a check that draws nothing.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct VerifyReport {
    /// Frames that are missing or not up to date.
    pub outdated: Vec<OutdatedFrame>,
    /// Files that hold all frames, and are missing or not up to date.
    pub files: Vec<PathBuf>,
    /// Whether every frame is up to date and no pixel is covered in any.
    pub is_empty: bool,
}

/// A frame that is missing or not up to date.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct OutdatedFrame {
    /// Its number.
    pub number: i64,
    /// Its first file that is not up to date.
    pub path: String,
    /// The reason.
    pub reason: String,
}

impl VerifyReport {
    /// Numbers of the frames that are missing or not up to date.
    #[must_use]
    pub fn missing(&self) -> Option<FrameList> {
        FrameList::from_rising(self.outdated.iter().map(|frame| frame.number))
    }
}
