//! Frames drawn into files, and the results.

use super::builder::FrameList;
use super::{Error, ErrorKind, Renderer};
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;
use tintype_base::diagnostic::Diagnostic;
use tintype_base::path::path_of_text;
use tintype_host::job::{
    Event, JobContext, JobError, JobErrorKind, JobReport, Outputs, SequenceJob,
};
use tintype_scene::FrameNumber;

/// Results of drawing frames into files.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Report {
    /// Numbers of the frames.
    pub frames: Vec<i64>,
    /// Number of frames that were drawn and written.
    pub written: usize,
    /// Number of frames that were up to date.
    pub present: usize,
    /// Frames without a covered pixel.
    pub empty: Vec<i64>,
    /// Files of the frames, then files that contain all of them.
    pub files: Vec<PathBuf>,
    /// Digest of everything that the pixels depend on.
    pub digest: String,
    /// Warnings about data that the file formats cannot store, such as alpha; other warnings are in
    /// [`Renderer::warnings`].
    pub warnings: Vec<Diagnostic>,
}

/// Options for drawing frames into files.
#[derive(Default)]
pub struct SaveOptions<'a> {
    frames: Option<FrameList>,
    overwrite: bool,
    keep_going: bool,
    allow_empty: bool,
    threads: usize,
    progress: Option<&'a mut (dyn FnMut(usize) -> ControlFlow<()> + Send)>,
}

impl std::fmt::Debug for SaveOptions<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { frames, overwrite, keep_going, allow_empty, threads, .. } = self;
        f.debug_struct("SaveOptions")
            .field("frames", frames)
            .field("overwrite", overwrite)
            .field("keep_going", keep_going)
            .field("allow_empty", allow_empty)
            .field("threads", threads)
            .finish_non_exhaustive()
    }
}

impl SaveOptions<'_> {
    /// Draws all frames that are not up to date, on all cores, and stops at the first failure.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Selects the frames to draw.
    #[must_use]
    pub fn frames(mut self, frames: FrameList) -> Self {
        self.frames = Some(frames);
        self
    }

    /// Redraws frames that are up to date.
    #[must_use]
    pub fn overwrite(mut self, again: bool) -> Self {
        self.overwrite = again;
        self
    }

    /// Draws the other frames after a failure.
    #[must_use]
    pub fn keep_going(mut self, goes_on: bool) -> Self {
        self.keep_going = goes_on;
        self
    }

    /// Accepts a run in which no frame has a covered pixel.
    #[must_use]
    pub fn allow_empty(mut self, is_allowed: bool) -> Self {
        self.allow_empty = is_allowed;
        self
    }

    /// Sets the number of drawing threads; 0, the default, uses one per core.
    #[must_use]
    pub fn threads(mut self, count: usize) -> Self {
        self.threads = count;
        self
    }

    /// Sets a callback that gets the number of finished frames, on this thread. A break stops the
    /// work between two frames; all files written so far are complete.
    #[must_use]
    pub fn progress<'b>(
        self,
        done: &'b mut (dyn FnMut(usize) -> ControlFlow<()> + Send),
    ) -> SaveOptions<'b> {
        let Self { frames, overwrite, keep_going, allow_empty, threads, .. } = self;
        let progress = Some(done);
        SaveOptions { frames, overwrite, keep_going, allow_empty, threads, progress }
    }
}

impl Renderer {
    /// Draws all frames into files. `output` is a folder (frames are named `0000.png` and so on), a
    /// pattern such as `out/####.jpg` or `.webp`, or one file for all frames: `.gif`, `.webp`,
    /// `.apng`, or `.mp4`, `.webm`, `.mov`, which require `ffmpeg`. Frames that are up to date are
    /// kept. Transparent pixels become white in formats without alpha: JPEG and videos.
    ///
    /// # Errors
    /// [`ErrorKind::Write`] for another extension, a file that cannot be written, or a video
    /// without `ffmpeg`; [`ErrorKind::Draw`] if no frame has a covered pixel.
    pub fn save(&self, output: &str) -> Result<Report, Error> {
        self.save_with(output, SaveOptions::new())
    }

    /// As [`Renderer::save`].
    ///
    /// # Errors
    /// As [`Renderer::save`], [`ErrorKind::Stopped`] if the caller stops it, and
    /// [`ErrorKind::Name`] if the scene lacks a frame.
    pub fn save_with(&self, output: &str, options: SaveOptions<'_>) -> Result<Report, Error> {
        let count = options.frames.as_ref().unwrap_or(&self.scene.output.frames).len();
        let outputs = Outputs::named(output, Some(count))
            .map_err(|error| Error::new(ErrorKind::Write, error.to_string()))?;
        let mut job = match &self.turntable {
            Some(turntable) => SequenceJob::of_turntable(turntable, outputs),
            None => SequenceJob::new(Arc::clone(&self.scene), Arc::clone(&self.assets), outputs),
        };
        if let Some(frames) = &options.frames {
            job.frames = frames.iter().collect();
        }
        job.settings.overwrite = options.overwrite;
        job.settings.keep_going = options.keep_going;
        job.settings.allow_empty = options.allow_empty;
        run(job, options)
    }
}

fn run(job: SequenceJob<'_>, options: SaveOptions<'_>) -> Result<Report, Error> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(options.threads).build();
    let pool = pool.map_err(|error| {
        let message = format!("cannot start {} threads: {error}", options.threads);
        Error::new(ErrorKind::Draw, message).temporary(true)
    })?;
    let failed = |error: JobError| {
        let kind = match (&error, error.kind()) {
            (JobError::Output(_) | JobError::NoFfmpeg { .. } | JobError::Video { .. }, _)
            | (_, JobErrorKind::Temporary) => ErrorKind::Write,
            (_, JobErrorKind::Stopped) => ErrorKind::Stopped,
            (_, JobErrorKind::Incomplete) => ErrorKind::Draw,
            (_, JobErrorKind::BadInput) => ErrorKind::Name,
        };
        let is_temporary = error.kind() == JobErrorKind::Temporary;
        Error::new(kind, error.message()).temporary(is_temporary)
    };
    let pattern = job.outputs.pattern().cloned();
    let prepared = job.prepare().map_err(failed)?;
    let warnings = prepared.output_warnings().to_vec();
    let context = JobContext::new(&pool);
    let mut progress = options.progress;
    let mut done = 0;
    let mut observe = |event: &Event<'_>| {
        done += match event {
            Event::Present(frames) => frames.len(),
            Event::Drawn(_) | Event::FoundLate(_) => 1,
            _ => 0,
        };
        if let Some(told) = &mut progress
            && told(done).is_break()
        {
            context.stop.request();
        }
    };
    let result = prepared.run(&context, &mut observe).and_then(JobReport::into_result);
    let report = result.map_err(failed)?;
    let numbers = |frames: &[FrameNumber]| frames.iter().map(|frame| frame.0).collect::<Vec<i64>>();
    let frames = numbers(&report.frames);
    let paths = pattern.iter().flat_map(|pattern| frames.iter().map(|&frame| pattern.path(frame)));
    Ok(Report {
        files: paths.map(|path| path_of_text(&path)).chain(report.files).collect(),
        written: report.written,
        present: report.present,
        empty: numbers(&report.empty),
        digest: report.digest,
        frames,
        warnings,
    })
}
