//! Where the frames of a turntable go: files of one frame, files of all, standard output.

use super::args::{Raw, Turntable};
use super::sequence::effort;
use super::{Failure, counted};
use crate::frame::Frame;
use crate::output::{
    ApngWriter, GifFrame, GifWriter, Operation, OutputError, PendingFile, Provenance, Rate, Sheet,
    encode_png, write_atomic, y4m_frame, y4m_header,
};
use crate::scene::{FramePattern, Scene};
use std::fs::File;
use std::path::PathBuf;

/// Where the frames go one by one.
#[derive(PartialEq)]
pub(super) enum Target {
    Files(FramePattern),
    Stdout,
    Nowhere,
}

impl Target {
    pub fn new(options: &Turntable) -> Result<Self, Failure> {
        let one_file = options.apng.is_some() || options.gif.is_some() || options.sheet.is_some();
        let pattern = match options.output.as_deref() {
            Some("-") if options.raw.is_none() => {
                let message =
                    "-o - needs --raw y4m or --raw rgba, which say in what form frames go out";
                return Err(Failure::bad_input(message));
            }
            Some("-") => return Ok(Self::Stdout),
            _ if options.raw.is_some() => {
                return Err(Failure::bad_input("--raw goes to standard output: say -o - too"));
            }
            None if one_file => return Ok(Self::Nowhere),
            None => {
                let stem = options.model.file_stem().unwrap_or_default().to_string_lossy();
                format!("out/{stem}/####.png")
            }
            Some(text) if text.contains(['#', '%']) => text.to_owned(),
            Some(folder) => format!("{}/####.png", folder.trim_end_matches('/')),
        };
        FramePattern::parse(&pattern)
            .map(Self::Files)
            .map_err(|error| Failure::bad_input(format!("--output: {error}")))
    }

    pub fn described(&self, frames: &[i64]) -> String {
        match (self, frames) {
            (Self::Files(pattern), [first, .., last]) => {
                format!(", {} to {}", pattern.path(*first), pattern.file_name(*last))
            }
            (Self::Files(pattern), [only]) => format!(", {}", pattern.path(*only)),
            _ => String::new(),
        }
    }
}

/// What a frame adds to standard output.
pub(super) fn raw_bytes(options: &Turntable, scene: &Scene, k: usize, frame: &Frame) -> Vec<u8> {
    match options.raw {
        Some(Raw::Y4m) => {
            let header = y4m_header(scene.output.size, Rate::new(scene.output.fps));
            let start = if k == 0 { header } else { Vec::new() };
            [start, y4m_frame(frame)].concat()
        }
        _ => frame.rgba.as_flattened().to_vec(),
    }
}

/// The files that hold all frames.
pub(super) struct Sinks {
    apng: Option<(PendingFile, ApngWriter<File>)>,
    gif: Option<(PendingFile, GifWriter<File>)>,
    sheet: Option<Sheet>,
    keep_alpha: bool,
    text: Vec<(String, String)>,
}

impl Sinks {
    pub fn new(
        options: &Turntable,
        scene: &Scene,
        keep_alpha: bool,
        digest: &str,
        frames: &[i64],
    ) -> Result<Self, Failure> {
        let (size, rate) = (scene.output.size, Rate::new(scene.output.fps));
        let text = Provenance::of_this_build(frames[0], digest.to_owned()).to_text();
        let started = |path: &PathBuf| -> Result<(PendingFile, File), OutputError> {
            let pending = PendingFile::create(path)?;
            let handle = pending.handle()?;
            Ok((pending, handle))
        };
        let output = |error: OutputError| Failure::output(&error);
        let apng = match &options.apng {
            None => None,
            Some(path) => {
                let (pending, handle) = started(path).map_err(output)?;
                let count = u32::try_from(frames.len()).unwrap_or(u32::MAX);
                let writer = ApngWriter::new(
                    handle,
                    size,
                    count,
                    rate,
                    keep_alpha,
                    effort(options.png),
                    &text,
                )
                .map_err(|error| output(pending.failed(Operation::Write, error)))?;
                Some((pending, writer))
            }
        };
        let gif = match &options.gif {
            None => None,
            Some(path) => {
                let (pending, handle) = started(path).map_err(output)?;
                let writer = GifWriter::new(handle, size, rate)
                    .map_err(|error| output(pending.failed(Operation::Write, error)))?;
                Some((pending, writer))
            }
        };
        let sheet = match &options.sheet {
            None => None,
            Some(_) => Some(Sheet::new(frames.len(), size).ok_or_else(|| {
                Failure::bad_input(format!(
                    "--sheet: {} of {}x{} need a picture larger than {} pixels a side; ask for fewer or smaller ones",
                    counted(frames.len(), "frame"), size[0], size[1], Frame::MAX_SIDE
                ))
            })?),
        };
        Ok(Self { apng, gif, sheet, keep_alpha, text })
    }

    /// What to say when not all frames are there: files of all frames are not written then.
    pub fn when_stopped(&self, options: &Turntable) -> String {
        let names = [&options.apng, &options.gif, &options.sheet].into_iter().flatten();
        let names: Vec<String> = names.map(|path| path.display().to_string()).collect();
        match names.is_empty() {
            true => "run the same command again to draw them all".to_owned(),
            false => format!(
                "{} not written; run the same command again",
                match names.as_slice() {
                    [name] => format!("{name} is"),
                    names => format!("{} are", names.join(" and ")),
                }
            ),
        }
    }

    pub fn add(
        &mut self,
        k: usize,
        frame: &Frame,
        reduced: Option<GifFrame>,
    ) -> Result<(), Failure> {
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

    /// Ends the files and gives them their names; says which there are.
    pub fn finish(
        self,
        options: &Turntable,
        frames: &[i64],
        fps: f64,
    ) -> Result<Vec<PathBuf>, Failure> {
        let mut files = Vec::new();
        if let Some((pending, writer)) = self.apng {
            writer.finish().map_err(|error| written(&pending, error))?;
            pending.commit().map_err(|error| Failure::output(&error))?;
            files.extend(options.apng.clone());
        }
        if let Some((pending, writer)) = self.gif {
            writer.finish().map_err(|error| written(&pending, error))?;
            pending.commit().map_err(|error| Failure::output(&error))?;
            files.extend(options.gif.clone());
        }
        if let (Some(sheet), Some(path)) = (self.sheet, &options.sheet) {
            let png = encode_png(&sheet.picture, self.keep_alpha, effort(options.png), &self.text);
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            let atlas = sheet.atlas(&name, frames, fps);
            write_atomic(path, &png).map_err(|error| Failure::output(&error))?;
            let beside = path.with_extension("json");
            write_atomic(&beside, atlas.as_bytes()).map_err(|error| Failure::output(&error))?;
            files.extend([path.clone(), beside]);
        }
        Ok(files)
    }
}

fn written(pending: &PendingFile, error: std::io::Error) -> Failure {
    Failure::output(&pending.failed(Operation::Write, error))
}
