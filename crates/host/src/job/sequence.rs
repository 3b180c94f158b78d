//! A job for the frames of one scene: selection, outputs and settings.

use super::error::JobError;
use super::resume::{Beside, ResumeCheck, provenance};
use super::retry::Retry;
use super::sinks::{FrameOutput, Outputs, StreamFormat, check_ffmpeg};
use crate::{CheckLevel, FrameStatus};
use rayon::prelude::*;
use std::path::PathBuf;
use std::sync::Arc;
use tintype_base::deadline::Deadline;
use tintype_base::diagnostic::{Diagnostic, Kind, Place};
use tintype_base::path::path_of_text;
use tintype_framing::TurntableScene;
use tintype_output::{FileFormat, PngEffort, Provenance};
use tintype_raster::RasterOptions;
use tintype_render::aov;
use tintype_render::asset::Assets;
use tintype_render::{BoundScene, RenderError};
use tintype_scene::{Aov, Channel, ChannelFormat, FrameList, FrameNumber, Output, Scene};

/// Settings of a job. None of them changes a pixel.
#[derive(Clone, Debug, Default)]
pub struct JobSettings {
    /// Draws frames again that are up to date.
    pub overwrite: bool,
    /// True to continue with the next frame after a failure. Files of all frames, and streams, end
    /// the job all the same.
    pub keep_going: bool,
    /// Accepts pictures without a covered pixel in all frames, instead of [`JobError::Empty`].
    pub allow_empty: bool,
    /// Retries of writes that fail temporarily.
    pub retry: Retry,
    /// Compression of PNG files.
    pub png_effort: PngEffort,
    /// Tile size and instructions of the rasterizer.
    pub raster: RasterOptions,
    /// Reports frames in order. Streams and files that hold all frames always do.
    pub in_order: bool,
    /// Measures the stages of the rasterizer; needs a clock.
    pub measure: bool,
    /// Digest of the running program, if its version does not identify its pixels; frames of
    /// another build are drawn again.
    pub build: Option<String>,
    /// Memory limit for all frames in progress, in bytes, estimated before they are drawn. None if
    /// unlimited. Fewer are drawn at once if it is scarce.
    pub memory: Option<u64>,
}

/// Bytes per pixel in progress: the picture, the encoder's copy of it, and its file; and the same
/// for each view.
const BYTES_PER_PIXEL: u64 = 16;
const BYTES_PER_VIEW_PIXEL: u64 = 12;

/// Frames of a scene, drawn to files or to a stream.
#[derive(Clone, Debug)]
pub struct SequenceJob<'a> {
    /// The scene.
    pub scene: Arc<Scene>,
    /// Its models, clips and textures.
    pub assets: Arc<Assets>,
    /// Frames to draw, in ascending order: all or some of the scene's frames.
    pub frames: Vec<FrameNumber>,
    /// Destinations.
    pub outputs: Outputs<'a>,
    /// Settings.
    pub settings: JobSettings,
}

/// A job with a checked scene and its digest; nothing is drawn yet.
#[derive(Debug)]
pub struct PreparedJob<'a> {
    pub(super) job: SequenceJob<'a>,
    pub(super) bound: BoundScene,
    pub(super) digest: String,
    warnings: Vec<Diagnostic>,
}

impl<'a> SequenceJob<'a> {
    /// All frames of a scene.
    #[must_use]
    pub fn new(
        scene: impl Into<Arc<Scene>>,
        assets: impl Into<Arc<Assets>>,
        outputs: Outputs<'a>,
    ) -> Self {
        let (scene, assets) = (scene.into(), assets.into());
        let frames = scene.output.frames.iter().collect();
        Self { scene, assets, frames, outputs, settings: JobSettings::default() }
    }

    /// All frames of a turntable, in order. With directions each has a folder: see
    /// [`TurntableScene::in_directions`].
    #[must_use]
    pub fn of_turntable(turntable: &TurntableScene, mut outputs: Outputs<'a>) -> Self {
        if let FrameOutput::Files(pattern) = outputs.frames {
            outputs.frames = FrameOutput::Files(turntable.in_directions(pattern));
        }
        let (scene, assets) = (Arc::clone(&turntable.scene), Arc::clone(&turntable.assets));
        let mut job = Self::new(scene, assets, outputs);
        job.settings.in_order = true;
        job
    }

    /// Checks the job and binds clips to models.
    ///
    /// # Errors
    /// [`JobError`] of kind bad input: a frame or joint missing from the scene, a clip that does
    /// not fit its model, or an output that cannot hold these frames.
    pub fn prepare(self) -> Result<PreparedJob<'a>, JobError> {
        let Self { scene, assets, frames, .. } = &self;
        let views = &scene.output.aov;
        aov::check(assets, views)?;
        let all = &scene.output.frames;
        if let Some(&frame) = frames.iter().find(|&&frame| !all.contains(frame)) {
            return Err(RenderError::NoSuchFrame { frame, frames: all.clone() }.into());
        }
        self.outputs.animations.check()?;
        if !self.outputs.animations.is_empty() && frames.len() < all.len() {
            return Err(JobError::PartOfAnimation);
        }
        self.check_channels()?;
        self.check_memory()?;
        if let FrameOutput::Stream(stream) = &self.outputs.frames {
            let is_transparent = scene.output.is_transparent();
            // A view is opaque.
            if stream.format == StreamFormat::Y4m && is_transparent && views.is_empty() {
                return Err(JobError::StreamAlpha);
            }
        }
        let bound = BoundScene::new(Arc::clone(scene), Arc::clone(assets), &Deadline::NEVER)?;
        let digest = bound.digest();
        if let Some(path) = &self.outputs.animations.video {
            check_ffmpeg(path)?;
        }
        let warnings = [bound.warnings(), &self.alpha_warnings()].concat();
        Ok(PreparedJob { job: self, bound, digest, warnings })
    }
}

impl SequenceJob<'_> {
    /// Estimated bytes of one frame in progress.
    fn frame_bytes(&self) -> u64 {
        let [width, height] = self.scene.output.size.map(u64::from);
        let views = u64::try_from(self.scene.output.aov.len()).unwrap_or(u64::MAX);
        let pixel = views.saturating_mul(BYTES_PER_VIEW_PIXEL).saturating_add(BYTES_PER_PIXEL);
        // Channels, as they are and in their file.
        width * height * pixel.saturating_add(2 * self.channel_bytes())
    }

    /// Bytes of the channels of a pixel.
    fn channel_bytes(&self) -> u64 {
        bytes_of(&self.scene.output.channels)
    }

    /// Refuses channels without a file in this job.
    fn check_channels(&self) -> Result<(), JobError> {
        let Output { channels, channels_as, size, .. } = &self.scene.output;
        if channels.is_empty() {
            return Ok(());
        }
        if self.outputs.pattern().is_none() {
            return Err(JobError::ChannelsWithoutFiles);
        }
        let others: Vec<_> = channels.iter().filter(|own| !own.is_distance()).copied().collect();
        if *channels_as == ChannelFormat::Png && !others.is_empty() {
            return Err(JobError::NotDistances { channels: others });
        }
        let [width, height] = size.map(u64::from);
        let is_small = width * height * self.channel_bytes() < u64::from(u32::MAX) - (1 << 28);
        is_small.then_some(()).ok_or_else(|| many_channels(*size, channels))
    }

    /// Refuses frames if not even one fits into the memory.
    fn check_memory(&self) -> Result<(), JobError> {
        let (needed, size) = (self.frame_bytes(), self.scene.output.size);
        match self.settings.memory {
            Some(allowed) if needed > allowed => Err(JobError::Memory { size, needed, allowed }),
            _ => Ok(()),
        }
    }

    /// Warnings about files without alpha for transparent pictures.
    fn alpha_warnings(&self) -> Vec<Diagnostic> {
        if !self.scene.output.is_transparent() {
            return Vec::new();
        }
        let frames = self.outputs.pattern().map(|pattern| path_of_text(&pattern.text()));
        let all = self.outputs.animations.iter().map(|(_, path)| path.clone());
        let warning = |path: PathBuf| {
            let message = FileFormat::of_path(&path)?.lost_alpha()?;
            Some(Diagnostic::warning(Kind::Value, Place::file(&path, 0), message))
        };
        frames.into_iter().chain(all).filter_map(warning).collect()
    }

    /// Number of frames drawn at once: one per thread, fewer if memory is scarce.
    pub(super) fn frames_in_flight(&self, threads: usize) -> usize {
        let fit =
            self.settings.memory.map_or(u64::MAX, |memory| memory / self.frame_bytes().max(1));
        threads.min(usize::try_from(fit).unwrap_or(usize::MAX)).max(1)
    }

    /// The check of PNG files, if frames go to files.
    pub(super) fn resume_check<'a>(&'a self, digest: &'a str) -> Option<ResumeCheck<'a>> {
        Some(ResumeCheck {
            pattern: self.outputs.pattern()?,
            beside: Beside::of(&self.scene.output),
            size: self.scene.output.size,
            digest,
            build: self.settings.build.as_deref(),
        })
    }
}

impl PreparedJob<'_> {
    /// Warnings about clips that do not fit their models completely, and about formats without
    /// alpha.
    #[must_use]
    pub fn warnings(&self) -> &[Diagnostic] {
        &self.warnings
    }

    /// Those warnings that are about the files.
    #[must_use]
    pub fn output_warnings(&self) -> &[Diagnostic] {
        &self.warnings[self.bound.warnings().len()..]
    }

    /// Digest of all inputs of the pixels, as stored in the files.
    #[must_use]
    pub fn digest(&self) -> &str {
        &self.digest
    }

    /// Reads the files of the job and decodes their pixels without drawing, on the threads of the
    /// current pool.
    #[must_use]
    pub fn verify(&self) -> VerifyReport {
        let mut report = VerifyReport {
            outdated: Vec::new(),
            files: self.job.outputs.animations.outdated(&self.provenance(), self.views()),
            is_empty: false,
        };
        let Some(check) = self.resume_check() else { return report };
        let frames = &self.job.frames;
        let check = |&frame: &FrameNumber| check.check_at(frame, CheckLevel::Pixels);
        let checked: Vec<_> = frames.par_iter().map(check).collect();
        report.is_empty = true;
        for (&number, (status, path)) in frames.iter().zip(checked) {
            let reason = match status {
                FrameStatus::Current { is_empty } => {
                    report.is_empty &= is_empty;
                    continue;
                }
                FrameStatus::Missing => "missing".to_owned(),
                FrameStatus::Stale(reason) | FrameStatus::Broken(reason) => reason,
            };
            report.outdated.push(OutdatedFrame { number, path, reason });
        }
        report.is_empty &= report.outdated.is_empty();
        report
    }

    pub(super) fn views(&self) -> &[Aov] {
        &self.job.scene.output.aov
    }

    /// Provenance of the files that hold all frames.
    pub(super) fn provenance(&self) -> Provenance {
        let first = self.job.frames.first().copied().unwrap_or_default();
        provenance(first, &self.digest, self.job.settings.build.as_deref())
    }

    pub(super) fn resume_check(&self) -> Option<ResumeCheck<'_>> {
        self.job.resume_check(&self.digest)
    }
}

/// Result of a check without drawing.
#[derive(Clone, Debug)]
pub struct VerifyReport {
    /// Frames that are missing or not up to date.
    pub outdated: Vec<OutdatedFrame>,
    /// Files that hold all frames and are missing or outdated.
    pub files: Vec<PathBuf>,
    /// True if every frame is up to date and no pixel is covered in any.
    pub is_empty: bool,
}

/// A frame that is missing or not up to date.
#[derive(Clone, Debug)]
pub struct OutdatedFrame {
    /// Its number.
    pub number: FrameNumber,
    /// Its first file that is not up to date.
    pub path: String,
    /// The reason.
    pub reason: String,
}

impl VerifyReport {
    /// Numbers of the missing or outdated frames.
    #[must_use]
    pub fn missing(&self) -> Option<FrameList> {
        FrameList::from_rising(self.outdated.iter().map(|frame| frame.number))
    }
}

/// Bytes of the channels of a pixel.
fn bytes_of(channels: &[Channel]) -> u64 {
    channels.iter().map(|channel| channel.width() as u64 * 4).sum()
}

/// Channels do not fit into an archive, whose length has 32 bits; names and headers take little of
/// it.
pub(super) fn many_channels(size: [u32; 2], channels: &[Channel]) -> JobError {
    let [width, height] = size.map(u64::from);
    JobError::ManyChannels { size, needed: width * height * bytes_of(channels) }
}
