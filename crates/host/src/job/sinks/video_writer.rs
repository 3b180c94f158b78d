//! A video of all frames: the program `ffmpeg` encodes it, and reads the frames from a pipe.

use crate::job::error::JobError;
use crate::{Operation, OutputError, PendingFile};
use std::borrow::Cow;
use std::io::{ErrorKind, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::thread::JoinHandle;
use tintype_base::disk::tells_of_full_disk;
use tintype_model::frame::Frame;
use tintype_output::{FileFormat, Provenance, Rate, note, y4m_frame, y4m_header};

/// The program, found by the system.
const FFMPEG: &str = "ffmpeg";
/// Most letters of its messages in ours.
const MAX_LETTERS: usize = 400;

/// Container and codec by the extension: H.264 plays nearly everywhere, VP9 in players of WebM.
fn encoder(format: FileFormat) -> (&'static str, [&'static str; 6]) {
    const H264: [&str; 6] = ["-c:v", "libx264", "-crf", "18", "-preset", "medium"];
    const VP9: [&str; 6] = ["-c:v", "libvpx-vp9", "-crf", "24", "-b:v", "0"];
    match format {
        FileFormat::Webm => ("webm", VP9),
        FileFormat::Mov => ("mov", H264),
        _ => ("mp4", H264),
    }
}

/// Colour arguments: the codes of high definition, in video range.
const COLOURS: [&str; 14] = [
    "-vf",
    "scale=flags=accurate_rnd+full_chroma_int:in_color_matrix=bt601:in_range=tv:out_color_matrix=bt709",
    "-pix_fmt",
    "yuv420p",
    "-colorspace",
    "bt709",
    "-color_primaries",
    "bt709",
    "-color_trc",
    "bt709",
    "-color_range",
    "tv",
    "-map_metadata",
    "-1",
];

/// A word in the file that identifies a video as up to date.
pub(super) fn video_mark(provenance: &Provenance, view: Option<&str>) -> String {
    let text = note::lines(&provenance.to_text());
    let of = format!("{text}{}", view.unwrap_or_default());
    format!("tintype {}", blake3::hash(of.as_bytes()).to_hex())
}

/// Checks that `ffmpeg` is installed.
///
/// # Errors
/// [`JobError::NoFfmpeg`]; [`JobError::Video`] if it exists and does not run.
pub(in crate::job) fn check_ffmpeg(path: &Path) -> Result<(), JobError> {
    let mut command = Command::new(FFMPEG);
    command.arg("-version").stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let path = path.to_owned();
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(JobError::Video { path, why: format!("ffmpeg -version: {status}") }),
        Err(error) if error.kind() == ErrorKind::NotFound => Err(JobError::NoFfmpeg { path }),
        Err(error) => Err(JobError::Video { path, why: error.to_string() }),
    }
}

/// Writer of a video, frame by frame.
pub(super) struct VideoWriter {
    path: PathBuf,
    ffmpeg: Child,
    frames: Option<ChildStdin>,
    /// Messages of the program, read while it runs.
    said: Option<JoinHandle<String>>,
}

impl VideoWriter {
    /// Starts `ffmpeg`, which writes to a temporary file that is renamed at the end.
    ///
    /// # Errors
    /// [`JobError::NoFfmpeg`], [`JobError::Video`].
    pub(super) fn new(
        path: &Path,
        pending: &PendingFile,
        size: [u32; 2],
        rate: Rate,
        mark: &str,
    ) -> Result<Self, JobError> {
        let (container, codec) = encoder(FileFormat::of_path(path).unwrap_or(FileFormat::Mp4));
        let mut command = Command::new(FFMPEG);
        command.args(["-hide_banner", "-loglevel", "error", "-y"]);
        command.args(["-f", "yuv4mpegpipe", "-i", "-"]).args(codec).args(COLOURS);
        command.args(["-metadata", &format!("comment={mark}"), "-f", container]);
        if container != "webm" {
            command.args(["-movflags", "+faststart"]);
        }
        // A name with a folder cannot be taken for an option or a protocol.
        let file = std::path::absolute(pending.temporary_path());
        command.arg(file.unwrap_or_else(|_| pending.temporary_path().to_owned()));
        command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped());
        // The signal of a terminal ends this job between two frames, and must not reach the
        // encoder.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut ffmpeg = command.spawn().map_err(|error| match error.kind() {
            ErrorKind::NotFound => JobError::NoFfmpeg { path: path.to_owned() },
            _ => JobError::Video { path: path.to_owned(), why: error.to_string() },
        })?;
        let frames = ffmpeg.stdin.take();
        let said = ffmpeg.stderr.take().map(|mut stderr| {
            std::thread::spawn(move || {
                let mut bytes = Vec::new();
                let _ = stderr.read_to_end(&mut bytes);
                String::from_utf8_lossy(&bytes).into_owned()
            })
        });
        let mut writer = Self { path: path.to_owned(), ffmpeg, frames, said };
        writer.send(&y4m_header(size.map(even), rate))?;
        Ok(writer)
    }

    /// Adds the next frame, on white where it is transparent.
    ///
    /// # Errors
    /// [`JobError::Video`] if `ffmpeg` has ended.
    pub(super) fn add(&mut self, frame: &Frame) -> Result<(), JobError> {
        self.send(&y4m_frame(&with_even_sides(&frame.on_white())))
    }

    fn send(&mut self, bytes: &[u8]) -> Result<(), JobError> {
        match self.frames.as_mut().map(|frames| frames.write_all(bytes)) {
            Some(Ok(())) => Ok(()),
            _ => Err(self.ended().err().unwrap_or_else(|| self.failed("it ended too early"))),
        }
    }

    /// Waits until the file is written.
    ///
    /// # Errors
    /// [`JobError::Video`] with the message of `ffmpeg`.
    pub(super) fn finish(mut self) -> Result<(), JobError> {
        self.ended()
    }

    fn ended(&mut self) -> Result<(), JobError> {
        drop(self.frames.take());
        let status = self.ffmpeg.wait().map_err(|error| self.failed(&error.to_string()))?;
        let said = self.said.take().and_then(|said| said.join().ok()).unwrap_or_default();
        if status.success() {
            return Ok(());
        }
        if tells_of_full_disk(&said) {
            let (path, source) = (self.path.clone(), ErrorKind::StorageFull.into());
            return Err(OutputError { path, operation: Operation::Write, source }.into());
        }
        let said: Vec<&str> = said.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
        let said: String = said.join("; ").chars().take(MAX_LETTERS).collect();
        Err(self.failed(if said.is_empty() { "it printed no message" } else { &said }))
    }

    fn failed(&self, why: &str) -> JobError {
        JobError::Video { path: self.path.clone(), why: why.to_owned() }
    }
}

/// An unfinished video has no reader.
impl Drop for VideoWriter {
    fn drop(&mut self) {
        if matches!(self.ffmpeg.try_wait(), Ok(None)) {
            let _ = self.ffmpeg.kill();
            let _ = self.ffmpeg.wait();
        }
    }
}

/// Sides are even, as two by two pixels have one chroma value.
fn even(side: u32) -> u32 {
    side + side % 2
}

/// Repeats the last row and column of odd sides.
fn with_even_sides(frame: &Frame) -> Cow<'_, Frame> {
    let [width, height] = [frame.width, frame.height].map(even);
    if [width, height] == [frame.width, frame.height] {
        return Cow::Borrowed(frame);
    }
    let columns = |y: u32| (0..width).map(move |x| (x, y));
    let rgba = (0..height).flat_map(columns);
    let rgba = rgba.map(|(x, y)| frame.pixel(x.min(frame.width - 1), y.min(frame.height - 1)));
    Cow::Owned(Frame { width, height, rgba: rgba.collect() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn odd_sides_get_the_last_row_and_column_again() {
        let mut frame = Frame::new(3, 1);
        frame.rgba = vec![[1; 4], [2; 4], [3; 4]];
        let wider = with_even_sides(&frame);
        assert_eq!((wider.width, wider.height), (4, 2));
        assert_eq!(wider.rgba, [1, 2, 3, 3, 1, 2, 3, 3].map(|code| [code; 4]));
        assert_eq!(*with_even_sides(&wider), *wider);
    }
}
