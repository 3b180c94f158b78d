//! Formats of files that hold all frames.

use std::fmt;

/// Format of a file that holds all frames.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AnimationFormat {
    /// Animated PNG.
    Apng,
    /// GIF.
    Gif,
    /// Sprite sheet: a PNG with all frames side by side, and a JSON file beside it with the position of each.
    Sheet,
}

impl fmt::Display for AnimationFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Apng => "the animated PNG",
            Self::Gif => "the GIF",
            Self::Sheet => "the sprite sheet",
        })
    }
}

impl AnimationFormat {
    /// Allowed file name extensions.
    pub(super) fn extensions(self) -> &'static [&'static str] {
        match self {
            Self::Apng => &["png", "apng"],
            Self::Gif => &["gif"],
            Self::Sheet => &["png"],
        }
    }
}
