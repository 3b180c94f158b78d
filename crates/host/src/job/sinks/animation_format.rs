//! Formats of files that hold all frames.

use std::fmt;
use tintype_output::FileFormat;

/// Format of a file that holds all frames.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AnimationFormat {
    /// Animated PNG.
    Apng,
    /// GIF.
    Gif,
    /// Animated WebP.
    WebP,
    /// Video, encoded by `ffmpeg`.
    Video,
    /// Sprite sheet: a picture with all frames side by side, and a JSON file beside it with the
    /// position of each.
    Sheet,
}

impl fmt::Display for AnimationFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Apng => "the animated PNG",
            Self::Gif => "the GIF",
            Self::WebP => "the animated WebP",
            Self::Video => "the video",
            Self::Sheet => "the sprite sheet",
        })
    }
}

impl AnimationFormat {
    /// True if the file may have the extension of this format.
    pub(super) fn is_written_as(self, format: FileFormat) -> bool {
        match self {
            Self::Apng => matches!(format, FileFormat::Apng | FileFormat::Png),
            Self::Gif => format == FileFormat::Gif,
            Self::WebP => format == FileFormat::WebP,
            Self::Video => format.is_video(),
            Self::Sheet => format.holds_one(),
        }
    }
}
