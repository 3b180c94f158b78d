//! Meaning of the name of an output: a file for each frame, or one file of all frames, in the format of its extension.

use super::{AnimationFiles, FrameOutput, Outputs};
use thiserror::Error;
use tintype_model::disk::path_of_text;
use tintype_output::FileFormat;
use tintype_scene::{FramePattern, PatternError};

/// Reason why a name cannot hold the frames that are asked for.
#[derive(Debug, Error)]
pub enum OutputNameError {
    /// It is no pattern of file names.
    #[error(transparent)]
    Pattern(#[from] PatternError),
    /// A format of one picture without a frame number, for several frames.
    #[error(
        "{name} holds one picture{}; ask for one frame, name the files with ####, or name one file of all: {}",
        asked(*.frames),
        FileFormat::listed(FileFormat::holds_all)
    )]
    OnePicture {
        /// The name.
        name: String,
        /// Number of frames; none for several.
        frames: Option<usize>,
    },
    /// A frame number in the name of a file of all frames.
    #[error(
        "{name}: such a file holds all frames, without ####; a file for each frame is {}",
        FileFormat::listed(FileFormat::holds_one)
    )]
    Numbered {
        /// The name.
        name: String,
    },
}

fn asked(frames: Option<usize>) -> String {
    frames.map_or_else(String::new, |frames| format!(", and {frames} frames are asked for"))
}

impl Outputs<'static> {
    /// The outputs that a name means: with a frame number a file for each frame, otherwise one file of all frames, or of the one
    /// that is asked for. None for a name without an extension of pictures. `frames` is none for several of unknown number.
    ///
    /// # Errors
    /// [`OutputNameError`] if the format cannot hold them.
    pub fn named(name: &str, frames: Option<usize>) -> Result<Option<Self>, OutputNameError> {
        let path = path_of_text(name);
        let Some(format) = FileFormat::of_path(&path) else { return Ok(None) };
        let pattern = FramePattern::parse(name);
        let is_numbered = pattern.as_ref().is_ok_and(FramePattern::has_number);
        let is_one = frames == Some(1) || is_numbered;
        if format.holds_one() && (is_one || pattern.is_err() && !format.holds_all()) {
            return Ok(Some(Self::files(pattern?)));
        }
        let name = name.to_owned();
        match (is_numbered, format.holds_all()) {
            (true, _) => Err(OutputNameError::Numbered { name }),
            (false, false) => Err(OutputNameError::OnePicture { name, frames }),
            (false, true) => Ok(Some(Self {
                frames: FrameOutput::None,
                animations: AnimationFiles::of_format(format, path),
            })),
        }
    }
}

/// The format of the files of a pattern: that of the extension, PNG for another.
pub(in crate::job) fn format_of_files(pattern: Option<&FramePattern>) -> FileFormat {
    let format = pattern.and_then(|pattern| FileFormat::of_path(&path_of_text(&pattern.text())));
    format.filter(|format| format.holds_one()).unwrap_or(FileFormat::Png)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn name_says_one_file_or_many() {
        let said = |name: &str, frames| match Outputs::named(name, frames) {
            Err(error) => error.to_string(),
            Ok(None) => "nothing".to_owned(),
            Ok(Some(outputs)) => match outputs.pattern() {
                Some(pattern) => format!("files {}", pattern.text()),
                None => outputs.animations.iter().map(|(format, _)| format.to_string()).collect(),
            },
        };
        for (name, frames, wanted) in [
            ("a.####.JPG", None, "files a.####.JPG"),
            ("a/%02d.webp", Some(3), "files a/##.webp"),
            ("a.webp", Some(1), "files a.webp"),
            ("a.webp", None, "the animated WebP"),
            ("a.GIF", Some(1), "the GIF"),
            ("100%.apng", None, "the animated PNG"),
            ("a.mov", Some(9), "the video"),
            ("turns", None, "nothing"),
            ("a.exr", None, "nothing"),
        ] {
            assert_eq!(said(name, frames), wanted, "{name}");
        }
        assert!(said("a.jpg", Some(3)).starts_with("a.jpg holds one picture, and 3 frames"));
        assert!(said("a/##/b.png", Some(3)).contains("name of a folder"));
        assert!(said("a.##.mp4", Some(1)).contains("a file for each frame is .png, .jpg, .webp"));
    }
}
