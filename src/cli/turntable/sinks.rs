//! Where the frames of a turntable go: files of one frame, files of all, standard output.
//!
//! A file of all frames is made anew unless it is whole and says that it was made from the same.

use super::args::{Raw, Turntable};
use super::{Failure, counted};
use crate::frame::Frame;
use crate::model::Background;
use crate::output::{
    ApngWriter, GifFrame, GifWriter, Operation, OutputError, PendingFile, PngEffort, Provenance,
    Rate, Sheet, encode_png, write_atomic, y4m_frame, y4m_header,
};
use crate::scene::{FramePattern, Scene};
use std::fs::File;
use std::path::{Path, PathBuf};

/// The names of frames, if nobody says.
const FRAMES: &str = "####.png";

/// The folder of several turntables, and the names of frames in the folder of each.
pub(in crate::cli) fn split_output(output: &str) -> (&str, &str) {
    match output.contains(['#', '%']) {
        true => output.rsplit_once('/').unwrap_or((".", output)),
        false => (output, FRAMES),
    }
}

/// Where the frames go one by one.
#[derive(PartialEq)]
pub(super) enum Target {
    Files(FramePattern),
    Stdout,
    Nowhere,
}

impl Target {
    /// Of the one model that is asked for.
    pub fn of_one(options: &Turntable, model: &Path) -> Result<Self, Failure> {
        match options.output.as_deref() {
            Some("-") if options.raw.is_none() => {
                let message =
                    "-o - needs --raw y4m or --raw rgba, which say in what form frames go out";
                Err(Failure::bad_input(message))
            }
            Some("-") => Ok(Self::Stdout),
            _ if options.raw.is_some() => {
                Err(Failure::bad_input("--raw goes to standard output: say -o - too"))
            }
            None if Files::of_one(options).any() => Ok(Self::Nowhere),
            None => {
                let stem = model.file_stem().unwrap_or_default().to_string_lossy();
                Self::parse(&format!("out/{stem}/####.png"))
            }
            Some(text) if text.contains(['#', '%']) => Self::parse(text),
            Some(folder) => Self::parse(&format!("{}/####.png", folder.trim_end_matches('/'))),
        }
    }

    /// Of one of several models: a folder of its name below that of all.
    pub fn of_several(options: &Turntable, root: &Path, name: &str) -> Result<Self, Failure> {
        match options.output.as_deref() {
            None if Files::of_one(options).any() => Ok(Self::Nowhere),
            output => {
                let file = output.map_or(FRAMES, |output| split_output(output).1);
                Self::parse(&format!("{}/{file}", root.join(name).display()))
            }
        }
    }

    fn parse(pattern: &str) -> Result<Self, Failure> {
        FramePattern::parse(pattern)
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

/// The names of the files that hold all frames.
#[derive(Clone, Debug, Default)]
pub(super) struct Files {
    pub apng: Option<PathBuf>,
    pub gif: Option<PathBuf>,
    pub sheet: Option<PathBuf>,
}

impl Files {
    /// Of the one model that is asked for.
    pub fn of_one(options: &Turntable) -> Self {
        let Turntable { apng, gif, sheet, .. } = options;
        Self { apng: apng.clone(), gif: gif.clone(), sheet: sheet.clone() }
    }

    /// Of one of several models, in its own folder.
    pub fn below(&self, folder: &Path) -> Self {
        let below = |name: &Option<PathBuf>| name.as_ref().map(|name| folder.join(name));
        Self { apng: below(&self.apng), gif: below(&self.gif), sheet: below(&self.sheet) }
    }

    /// Those that are wanted.
    pub fn paths(&self) -> impl Iterator<Item = &PathBuf> {
        [&self.apng, &self.gif, &self.sheet].into_iter().flatten()
    }

    /// Whether any is wanted.
    pub fn any(&self) -> bool {
        self.paths().next().is_some()
    }

    /// Those that are not whole, or not made from this.
    pub fn missing(&self, provenance: &Provenance) -> Vec<&PathBuf> {
        let is_current = |path: &PathBuf, end: &[u8]| {
            let bytes = std::fs::read(path).unwrap_or_default();
            // What it was made from stands before its pixels.
            let head = &bytes[..bytes.len().min(HEAD_BYTES)];
            let says = |word: &str| head.windows(word.len()).any(|part| part == word.as_bytes());
            let build = provenance.build.as_deref().unwrap_or_default();
            bytes.ends_with(end)
                && says(&provenance.digest)
                && says(&provenance.software)
                && (build.is_empty() || says(build))
        };
        let wanted = [(&self.apng, PNG_END), (&self.gif, GIF_END), (&self.sheet, PNG_END)];
        let wanted = wanted.into_iter().filter_map(|(path, end)| Some((path.as_ref()?, end)));
        let atlas = |path: &Path| self.sheet.as_deref() != Some(path) || beside(path).exists();
        wanted
            .filter(|(path, end)| !is_current(path, end) || !atlas(path))
            .map(|(path, _)| path)
            .collect()
    }
}

/// Where files say what they were made from.
const HEAD_BYTES: usize = 4096;
const PNG_END: &[u8] = b"IEND\xae\x42\x60\x82";
const GIF_END: &[u8] = b"\x3b";

/// The file that says what is where on a sheet.
fn beside(sheet: &Path) -> PathBuf {
    sheet.with_extension("json")
}

/// The files that hold all frames.
pub(super) struct Sinks {
    files: Files,
    apng: Option<(PendingFile, ApngWriter<File>)>,
    gif: Option<(PendingFile, GifWriter<File>)>,
    sheet: Option<Sheet>,
    effort: PngEffort,
    keep_alpha: bool,
    text: Vec<(String, String)>,
}

impl Sinks {
    pub fn new(
        files: &Files,
        effort: PngEffort,
        scene: &Scene,
        provenance: &Provenance,
        count: usize,
    ) -> Result<Self, Failure> {
        let (size, rate) = (scene.output.size, Rate::new(scene.output.fps));
        let keep_alpha = scene.output.background == Background::Transparent;
        let text = provenance.to_text();
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
                let writer = ApngWriter::new(handle, size, frames, rate, keep_alpha, effort, &text)
                    .map_err(|error| output(pending.failed(Operation::Write, error)))?;
                Some((pending, writer))
            }
        };
        let gif = match &files.gif {
            None => None,
            Some(path) => {
                let (pending, handle) = started(path).map_err(output)?;
                let lines = text.iter().map(|(key, value)| format!("{key}: {value}\n"));
                let writer = GifWriter::new(handle, size, rate, &lines.collect::<String>())
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
        Ok(Self { files: files.clone(), apng, gif, sheet, effort, keep_alpha, text })
    }

    /// What to say when not all frames are there: files of all frames are not written then.
    pub fn when_stopped(&self) -> String {
        let names: Vec<String> =
            self.files.paths().map(|path| path.display().to_string()).collect();
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
    pub fn finish(self, frames: &[i64], fps: f64) -> Result<Vec<PathBuf>, Failure> {
        let mut files = Vec::new();
        if let Some((pending, writer)) = self.apng {
            writer.finish().map_err(|error| written(&pending, error))?;
            pending.commit().map_err(|error| Failure::output(&error))?;
            files.extend(self.files.apng);
        }
        if let Some((pending, writer)) = self.gif {
            writer.finish().map_err(|error| written(&pending, error))?;
            pending.commit().map_err(|error| Failure::output(&error))?;
            files.extend(self.files.gif);
        }
        if let (Some(sheet), Some(path)) = (self.sheet, &self.files.sheet) {
            let png = encode_png(&sheet.picture, self.keep_alpha, self.effort, &self.text);
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            let atlas = sheet.atlas(&name, frames, fps);
            write_atomic(path, &png).map_err(|error| Failure::output(&error))?;
            let beside = beside(path);
            write_atomic(&beside, atlas.as_bytes()).map_err(|error| Failure::output(&error))?;
            files.extend([path.clone(), beside]);
        }
        Ok(files)
    }
}

fn written(pending: &PendingFile, error: std::io::Error) -> Failure {
    Failure::output(&pending.failed(Operation::Write, error))
}
