//! Formats of picture files by the extensions of their names: the only definition of extensions.

use std::path::Path;

/// Format of a file that contains one picture, all frames of a sequence, or either.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileFormat {
    /// PNG: one picture.
    Png,
    /// JPEG: one picture without alpha, with losses.
    Jpeg,
    /// Lossless WebP: one picture, or all frames.
    WebP,
    /// GIF: all frames, in 256 colours each.
    Gif,
    /// Animated PNG: all frames.
    Apng,
    /// Video: all frames, encoded by `ffmpeg`.
    Mp4,
    /// Video in WebM.
    Webm,
    /// Video in QuickTime.
    Mov,
}

impl FileFormat {
    /// All formats.
    pub const ALL: [Self; 8] = [
        Self::Png,
        Self::Jpeg,
        Self::WebP,
        Self::Gif,
        Self::Apng,
        Self::Mp4,
        Self::Webm,
        Self::Mov,
    ];

    /// Extensions in lower case, the usual one first.
    #[must_use]
    pub fn extensions(self) -> &'static [&'static str] {
        match self {
            Self::Png => &["png"],
            Self::Jpeg => &["jpg", "jpeg"],
            Self::WebP => &["webp"],
            Self::Gif => &["gif"],
            Self::Apng => &["apng"],
            Self::Mp4 => &["mp4"],
            Self::Webm => &["webm"],
            Self::Mov => &["mov"],
        }
    }

    /// True if a file can store a single picture.
    #[must_use]
    pub fn holds_one(self) -> bool {
        matches!(self, Self::Png | Self::Jpeg | Self::WebP)
    }

    /// True if a file can store all frames.
    #[must_use]
    pub fn holds_all(self) -> bool {
        !matches!(self, Self::Png | Self::Jpeg)
    }

    /// True if `ffmpeg` encodes it.
    #[must_use]
    pub fn is_video(self) -> bool {
        matches!(self, Self::Mp4 | Self::Webm | Self::Mov)
    }

    /// True if a file keeps alpha.
    #[must_use]
    pub fn keeps_alpha(self) -> bool {
        !matches!(self, Self::Jpeg) && !self.is_video()
    }

    /// Warning about a transparent picture in a format without alpha. None if alpha is kept.
    #[must_use]
    pub fn lost_alpha(self) -> Option<String> {
        (!self.keeps_alpha()).then(|| {
            let kept = Self::listed(Self::keeps_alpha);
            format!(
                "the format has no alpha, so transparent areas become white; use {kept} to keep it"
            )
        })
    }

    /// The format of an extension in letters of any case.
    #[must_use]
    pub fn of_extension(extension: &str) -> Option<Self> {
        let has = |format: &Self| {
            format.extensions().iter().any(|own| own.eq_ignore_ascii_case(extension))
        };
        Self::ALL.into_iter().find(has)
    }

    /// The format of the extension of a file.
    #[must_use]
    pub fn of_path(path: &Path) -> Option<Self> {
        Self::of_extension(path.extension()?.to_str()?)
    }

    /// True if bytes begin like a file of this format. Videos are not recognized.
    #[must_use]
    pub fn is_format_of(self, bytes: &[u8]) -> bool {
        match self {
            Self::Png | Self::Apng => bytes.starts_with(b"\x89PNG\r\n\x1a\n"),
            Self::Jpeg => bytes.starts_with(b"\xff\xd8\xff"),
            Self::WebP => bytes.starts_with(b"RIFF") && bytes.get(8..12) == Some(b"WEBP"),
            Self::Gif => bytes.starts_with(b"GIF8"),
            Self::Mp4 | Self::Webm | Self::Mov => true,
        }
    }

    /// The usual extensions of the formats that meet a condition: `.png, .jpg, .webp`.
    #[must_use]
    pub fn listed(is_one: impl Fn(Self) -> bool) -> String {
        let names = Self::ALL.into_iter().filter(|&format| is_one(format));
        let names: Vec<String> =
            names.map(|format| format!(".{}", format.extensions()[0])).collect();
        names.join(", ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn format_of_each_extension_in_any_case() {
        for format in FileFormat::ALL {
            for extension in format.extensions() {
                let name = format!("a.b/c.{}", extension.to_uppercase());
                assert_eq!(FileFormat::of_path(Path::new(&name)), Some(format));
            }
            assert!(format.holds_one() || format.holds_all());
        }
        for name in ["png", "a.exr", "a.png.", "a.webp/b", ""] {
            assert_eq!(FileFormat::of_path(Path::new(name)), None, "{name}");
        }
        assert_eq!(FileFormat::listed(FileFormat::holds_one), ".png, .jpg, .webp");
    }
}
