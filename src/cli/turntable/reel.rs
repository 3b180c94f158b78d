//! The files that hold all frames: of the pictures, and of each view.
//!
//! A frame reaches the files of the pictures and of the views at once. All get their names at the end, when all are whole.

use super::sinks::{Files, atlas_of};
use super::{Failure, counted};
use crate::aov::Shown;
use crate::frame::Frame;
use crate::model::Background;
use crate::output::{
    ApngWriter, GifFrame, GifWriter, Operation, OutputError, PendingFile, PngEffort, Provenance,
    Rate, Sheet, encode_png, text_lines, write_atomic,
};
use crate::scene::Scene;
use std::fs::File;
use std::path::PathBuf;

/// A frame of the pictures with its views, ready for files.
pub(super) struct Drawn {
    pub frame: Frame,
    pub shown: Vec<Shown>,
    /// Both in the colours of a GIF, where one is wanted: the picture first.
    reduced: Vec<GifFrame>,
}

impl Drawn {
    pub fn new(frame: Frame, shown: Vec<Shown>, files: &Files) -> Self {
        let mut reduced = Vec::new();
        if files.gif.is_some() {
            let views = shown.iter().map(|shown| &shown.frame);
            reduced.extend(core::iter::once(&frame).chain(views).map(GifFrame::new));
        }
        Self { frame, shown, reduced }
    }
}

/// The files of the pictures, and of each view.
pub(super) struct Sinks<'a> {
    files: &'a Files,
    scene: &'a Scene,
    provenance: &'a Provenance,
    effort: PngEffort,
    count: usize,
    picture: Reel,
    /// Begun with the first frame, whose legends they carry.
    views: Vec<Reel>,
}

impl<'a> Sinks<'a> {
    pub fn new(
        files: &'a Files,
        effort: PngEffort,
        scene: &'a Scene,
        provenance: &'a Provenance,
        count: usize,
    ) -> Result<Self, Failure> {
        let keep_alpha = scene.output.background == Background::Transparent;
        let look = Look { effort, keep_alpha, text: provenance.to_text() };
        let picture = Reel::new(files.clone(), look, scene, count)?;
        Ok(Self { files, scene, provenance, effort, count, picture, views: Vec::new() })
    }

    /// What to say when not all frames are there: files of all frames are not written then.
    pub fn when_stopped(&self) -> String {
        let names = self.files.with_views(&self.scene.output.aov);
        let names: Vec<String> = names.iter().map(|path| path.display().to_string()).collect();
        match names.is_empty() {
            true => "run the same command again to go on".to_owned(),
            false => format!(
                "{} not written; run the same command again",
                match names.as_slice() {
                    [name] => format!("{name} is"),
                    names => format!("{} are", names.join(" and ")),
                }
            ),
        }
    }

    /// Adds the next frame.
    pub fn add(&mut self, k: usize, drawn: Drawn) -> Result<(), Failure> {
        let Drawn { frame, shown, reduced } = drawn;
        if self.files.any() && self.views.is_empty() {
            for shown in &shown {
                let text = self.provenance.to_text_of_view(&shown.aov.word(), &shown.legend);
                let look = Look { effort: self.effort, keep_alpha: false, text };
                let files = self.files.of_view(&shown.aov);
                self.views.push(Reel::new(files, look, self.scene, self.count)?);
            }
        }
        let mut reduced = reduced.into_iter();
        self.picture.add(k, &frame, reduced.next())?;
        for (reel, shown) in self.views.iter_mut().zip(&shown) {
            reel.add(k, &shown.frame, reduced.next())?;
        }
        Ok(())
    }

    /// Ends the files and gives them their names; says which there are.
    pub fn finish(self, frames: &[i64]) -> Result<Vec<PathBuf>, Failure> {
        let mut whole = Vec::new();
        for reel in core::iter::once(self.picture).chain(self.views) {
            whole.push(reel.end(frames, self.scene.output.fps)?);
        }
        let mut files = Vec::new();
        for reel in whole {
            files.extend(reel.commit()?);
        }
        Ok(files)
    }
}

/// How files of one kind of picture are written, and what they say.
struct Look {
    effort: PngEffort,
    keep_alpha: bool,
    text: Vec<(String, String)>,
}

/// All frames of the pictures, or of one view.
struct Reel {
    files: Files,
    look: Look,
    apng: Option<(PendingFile, ApngWriter<File>)>,
    gif: Option<(PendingFile, GifWriter<File>)>,
    sheet: Option<Sheet>,
}

/// What is written and has no name yet.
#[derive(Default)]
struct Whole {
    pending: Vec<(PendingFile, PathBuf)>,
    /// Bytes that are written in one step.
    ready: Vec<(PathBuf, Vec<u8>)>,
}

impl Reel {
    fn new(files: Files, look: Look, scene: &Scene, count: usize) -> Result<Self, Failure> {
        let Look { effort, keep_alpha, text } = &look;
        let (size, rate) = (scene.output.size, Rate::new(scene.output.fps));
        let started = |path: &PathBuf| -> Result<(PendingFile, File), OutputError> {
            let pending = PendingFile::create(path)?;
            let handle = pending.handle()?;
            Ok((pending, handle))
        };
        let output = |error: OutputError| Failure::output(&error);
        let apng = match &files.apng {
            None => None,
            Some(path) => {
                let (pending, handle) = started(path).map_err(output)?;
                let frames = u32::try_from(count).unwrap_or(u32::MAX);
                let (alpha, effort) = (*keep_alpha, *effort);
                let writer = ApngWriter::new(handle, size, frames, rate, alpha, effort, text)
                    .map_err(|error| output(pending.failed(Operation::Write, error)))?;
                Some((pending, writer))
            }
        };
        let gif = match &files.gif {
            None => None,
            Some(path) => {
                let (pending, handle) = started(path).map_err(output)?;
                let writer = GifWriter::new(handle, size, rate, &text_lines(text))
                    .map_err(|error| output(pending.failed(Operation::Write, error)))?;
                Some((pending, writer))
            }
        };
        let sheet = match &files.sheet {
            None => None,
            Some(_) => Some(Sheet::new(count, size).ok_or_else(|| {
                Failure::bad_input(format!(
                    "--sheet: {} of {}x{} need a picture larger than {} pixels a side; ask for fewer or smaller ones",
                    counted(count, "frame"), size[0], size[1], Frame::MAX_SIDE
                ))
            })?),
        };
        Ok(Self { files, look, apng, gif, sheet })
    }

    fn add(&mut self, k: usize, frame: &Frame, reduced: Option<GifFrame>) -> Result<(), Failure> {
        if let Some((pending, writer)) = &mut self.apng {
            writer.add(frame).map_err(|error| written(pending, error))?;
        }
        if let (Some((pending, writer)), Some(reduced)) = (&mut self.gif, reduced) {
            writer.add(reduced).map_err(|error| written(pending, error))?;
        }
        if let Some(sheet) = &mut self.sheet {
            sheet.put(k, frame);
        }
        Ok(())
    }

    /// Writes what ends each file.
    fn end(self, frames: &[i64], fps: f64) -> Result<Whole, Failure> {
        let Self { files, look: Look { effort, keep_alpha, text }, apng, gif, sheet } = self;
        let mut whole = Whole::default();
        if let (Some((pending, writer)), Some(path)) = (apng, files.apng) {
            writer.finish().map_err(|error| written(&pending, error))?;
            whole.pending.push((pending, path));
        }
        if let (Some((pending, writer)), Some(path)) = (gif, files.gif) {
            writer.finish().map_err(|error| written(&pending, error))?;
            whole.pending.push((pending, path));
        }
        if let (Some(sheet), Some(path)) = (sheet, files.sheet) {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            let atlas = (atlas_of(&path), sheet.atlas(&name, frames, fps).into_bytes());
            let png = encode_png(&sheet.picture, keep_alpha, effort, &text);
            whole.ready.extend([(path, png), atlas]);
        }
        Ok(whole)
    }
}

impl Whole {
    /// Gives the files their names; says which there are.
    fn commit(self) -> Result<Vec<PathBuf>, Failure> {
        let mut files = Vec::new();
        for (pending, path) in self.pending {
            pending.commit().map_err(|error| Failure::output(&error))?;
            files.push(path);
        }
        for (path, bytes) in self.ready {
            write_atomic(&path, &bytes).map_err(|error| Failure::output(&error))?;
            files.push(path);
        }
        Ok(files)
    }
}

fn written(pending: &PendingFile, error: std::io::Error) -> Failure {
    Failure::output(&pending.failed(Operation::Write, error))
}
