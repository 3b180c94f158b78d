//! Writers of the files that hold all frames.
//!
//! A frame is added to the files of the pictures and of the views at once. All files get their
//! names at the end, when all are complete.

use super::animation_files::{AnimationFiles, atlas_of};
use super::video_writer::{VideoWriter, video_mark};
use crate::job::error::JobError;
use crate::{Operation, OutputError, PendingFile, write_atomic};
use std::fs::File;
use std::path::PathBuf;
use tintype_model::frame::Frame;
use tintype_output::{
    ApngFormat, ApngWriter, FileFormat, GifWriter, PngEffort, Provenance, Rate, Sheet, SheetLayout,
    WebPWriter, encode_still, note,
};
use tintype_render::aov::Shown;
use tintype_scene::Scene;

/// A picture with its views.
pub(in crate::job) struct AnimationFrame {
    pub frame: Frame,
    pub shown: Vec<Shown>,
}

/// The files of the pictures, and of each view.
pub(in crate::job) struct AnimationSet<'a> {
    files: &'a AnimationFiles,
    scene: &'a Scene,
    provenance: &'a Provenance,
    effort: PngEffort,
    layout: &'a SheetLayout,
    picture: AnimationWriter,
    /// Started with the first frame, whose legends they contain.
    views: Vec<AnimationWriter>,
}

impl<'a> AnimationSet<'a> {
    /// Starts the files of the pictures of a scene.
    ///
    /// # Errors
    /// [`JobError::Output`] if no file can be made; [`JobError::SheetSize`].
    pub(crate) fn new(
        files: &'a AnimationFiles,
        effort: PngEffort,
        scene: &'a Scene,
        provenance: &'a Provenance,
        layout: &'a SheetLayout,
    ) -> Result<Self, JobError> {
        let keep_alpha = scene.output.is_transparent();
        let mark = video_mark(provenance, None);
        let encoding = Encoding { effort, keep_alpha, text: provenance.to_text(), mark };
        let picture = AnimationWriter::new(files.clone(), encoding, scene, layout)?;
        Ok(Self { files, scene, provenance, effort, layout, picture, views: Vec::new() })
    }

    /// Adds the frame at position `k`; frames come in ascending order.
    pub(crate) fn add(&mut self, k: usize, drawn: AnimationFrame) -> Result<(), JobError> {
        let AnimationFrame { frame, shown } = drawn;
        if self.views.is_empty() {
            for shown in &shown {
                let text = self.provenance.to_text_of_view(&shown.aov.word(), &shown.legend);
                let mark = video_mark(self.provenance, Some(&shown.aov.word()));
                let encoding = Encoding { effort: self.effort, keep_alpha: false, text, mark };
                let files = self.files.of_view(&shown.aov);
                self.views.push(AnimationWriter::new(files, encoding, self.scene, self.layout)?);
            }
        }
        self.picture.add(k, &frame)?;
        for (writer, shown) in self.views.iter_mut().zip(&shown) {
            writer.add(k, &shown.frame)?;
        }
        Ok(())
    }

    /// Finishes all files, then gives them their names; returns their paths.
    pub(crate) fn finish(self) -> Result<Vec<PathBuf>, JobError> {
        let frames: Vec<i64> = self.scene.output.frames.iter().map(i64::from).collect();
        let mut complete = Vec::new();
        for writer in core::iter::once(self.picture).chain(self.views) {
            complete.push(writer.end(&frames, self.scene.output.fps, self.layout)?);
        }
        let mut files = Vec::new();
        for one in complete {
            files.extend(one.commit()?);
        }
        Ok(files)
    }
}

/// Encoding of pictures, and the text chunks of their files.
struct Encoding {
    effort: PngEffort,
    keep_alpha: bool,
    text: Vec<(String, String)>,
    /// The word in a video that identifies its content.
    mark: String,
}

/// Writers of all frames of the pictures, or of one view.
struct AnimationWriter {
    files: AnimationFiles,
    encoding: Encoding,
    apng: Option<(PendingFile, ApngWriter<File>)>,
    gif: Option<(PendingFile, GifWriter<File>)>,
    webp: Option<(PendingFile, WebPWriter<File>)>,
    video: Option<(PendingFile, VideoWriter)>,
    sheet: Option<Sheet>,
}

/// Complete files that are not renamed yet.
#[derive(Default)]
struct CompleteFiles {
    pending: Vec<(PendingFile, PathBuf)>,
    /// Bytes that are written in one step.
    bytes: Vec<(PathBuf, Vec<u8>)>,
}

impl AnimationWriter {
    fn new(
        files: AnimationFiles,
        encoding: Encoding,
        scene: &Scene,
        layout: &SheetLayout,
    ) -> Result<Self, JobError> {
        let Encoding { effort, keep_alpha, text, mark } = &encoding;
        let (size, rate) = (scene.output.size, Rate::new(scene.output.fps));
        let count = scene.output.frames.len();
        let started = |path: &PathBuf| -> Result<(PendingFile, File), OutputError> {
            let pending = PendingFile::create(path)?;
            let handle = pending.handle()?;
            Ok((pending, handle))
        };
        let apng = |path: &PathBuf| -> Result<_, JobError> {
            let (pending, handle) = started(path)?;
            let frames = u32::try_from(count).unwrap_or(u32::MAX);
            let format = ApngFormat { size, frames, rate, keep_alpha: *keep_alpha };
            let writer = ApngWriter::new(handle, format, *effort, text)
                .map_err(|error| failed(&pending, error))?;
            Ok((pending, writer))
        };
        let apng = files.apng.as_ref().map(apng).transpose()?;
        let gif = |path: &PathBuf| -> Result<_, JobError> {
            let (pending, handle) = started(path)?;
            let writer = GifWriter::new(handle, size, rate, *keep_alpha, &note::lines(text));
            Ok((pending, writer))
        };
        let gif = files.gif.as_ref().map(gif).transpose()?;
        let webp = |path: &PathBuf| -> Result<_, JobError> {
            let (pending, handle) = started(path)?;
            let writer = WebPWriter::new(handle, size, rate, *keep_alpha)
                .map_err(|error| failed(&pending, error))?;
            Ok((pending, writer))
        };
        let webp = files.webp.as_ref().map(webp).transpose()?;
        let video = |path: &PathBuf| -> Result<_, JobError> {
            let pending = PendingFile::create(path)?;
            let writer = VideoWriter::new(path, &pending, size, rate, mark)?;
            Ok((pending, writer))
        };
        let video = files.video.as_ref().map(video).transpose()?;
        let sheet = match &files.sheet {
            None => None,
            Some(_) => {
                let sheet = match layout.rows.len() {
                    0 => Sheet::new(count, size),
                    rows => Sheet::in_rows(count, rows, size),
                };
                Some(sheet.ok_or(JobError::SheetSize { frames: count, size })?)
            }
        };
        Ok(Self { files, encoding, apng, gif, webp, video, sheet })
    }

    fn add(&mut self, k: usize, frame: &Frame) -> Result<(), JobError> {
        if let Some((pending, writer)) = &mut self.apng {
            writer.add(frame).map_err(|error| failed(pending, error))?;
        }
        if let Some((pending, writer)) = &mut self.gif {
            writer.add(frame).map_err(|error| failed(pending, error))?;
        }
        if let Some((pending, writer)) = &mut self.webp {
            writer.add(frame).map_err(|error| failed(pending, error))?;
        }
        if let Some((_, writer)) = &mut self.video {
            writer.add(frame)?;
        }
        if let Some(sheet) = &mut self.sheet {
            sheet.put(k, frame);
        }
        Ok(())
    }

    /// Writes the end of each file.
    fn end(
        self,
        frames: &[i64],
        fps: f64,
        layout: &SheetLayout,
    ) -> Result<CompleteFiles, JobError> {
        let Self { files, encoding, apng, gif, webp, video, sheet } = self;
        let Encoding { effort, keep_alpha, text, .. } = encoding;
        let mut complete = CompleteFiles::default();
        if let (Some((pending, writer)), Some(path)) = (apng, files.apng) {
            writer.finish().map_err(|error| failed(&pending, error))?;
            complete.pending.push((pending, path));
        }
        if let (Some((pending, writer)), Some(path)) = (gif, files.gif) {
            writer.finish().map_err(|error| failed(&pending, error))?;
            complete.pending.push((pending, path));
        }
        if let (Some((pending, writer)), Some(path)) = (webp, files.webp) {
            writer.finish(&text).map_err(|error| failed(&pending, error))?;
            complete.pending.push((pending, path));
        }
        if let (Some((pending, writer)), Some(path)) = (video, files.video) {
            writer.finish()?;
            complete.pending.push((pending, path));
        }
        if let (Some(sheet), Some(path)) = (sheet, files.sheet) {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            let atlas = (atlas_of(&path), sheet.atlas(&name, frames, fps, layout).into_bytes());
            let format = FileFormat::of_path(&path).unwrap_or(FileFormat::Png);
            let picture = encode_still(&sheet.picture, format, keep_alpha, effort, &text);
            complete.bytes.extend([(path, picture), atlas]);
        }
        Ok(complete)
    }
}

impl CompleteFiles {
    /// Gives the files their names; returns their paths.
    fn commit(self) -> Result<Vec<PathBuf>, JobError> {
        let mut files = Vec::new();
        for (pending, path) in self.pending {
            pending.commit()?;
            files.push(path);
        }
        for (path, bytes) in self.bytes {
            write_atomic(&path, &bytes)?;
            files.push(path);
        }
        Ok(files)
    }
}

fn failed(pending: &PendingFile, error: std::io::Error) -> OutputError {
    pending.failed(Operation::Write, error)
}
