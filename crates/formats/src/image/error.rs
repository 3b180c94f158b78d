//! The kinds of picture files and their errors.

use crate::LimitName;
use tintype_base::deadline::TimedOut;

/// The kinds of picture files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ImageKind {
    /// Portable Network Graphics.
    Png,
    /// JPEG, baseline or progressive.
    Jpeg,
    /// Truevision TGA.
    Tga,
    /// Windows bitmap.
    Bmp,
    /// DirectDraw surface.
    Dds,
    /// Radiance picture of light.
    Hdr,
    /// WebP, lossy or lossless.
    Webp,
    /// KTX2 with Basis Universal.
    Ktx2,
    /// GIF; its first picture.
    Gif,
    /// PCX of ZSoft.
    Pcx,
    /// Portable anymap: PBM, PGM, PPM, PAM.
    Pnm,
}

impl core::fmt::Display for ImageKind {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(match self {
            Self::Png => "PNG",
            Self::Jpeg => "JPEG",
            Self::Tga => "TGA",
            Self::Bmp => "BMP",
            Self::Dds => "DDS",
            Self::Hdr => "HDR",
            Self::Webp => "WebP",
            Self::Ktx2 => "KTX2",
            Self::Gif => "GIF",
            Self::Pcx => "PCX",
            Self::Pnm => "PNM",
        })
    }
}

/// Error of a picture file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ImageError {
    /// Neither the first bytes nor the extension identify a format.
    #[error(
        "not a known picture: it starts with {start}; supported: PNG, JPEG, WebP, BMP, GIF, PCX, PNM, DDS, KTX2 and TGA (by its extension or a valid header)"
    )]
    UnknownKind {
        /// The first bytes, for the message.
        start: String,
    },
    /// The file ends before its picture does.
    #[error("{kind}: the file ends early: {what}")]
    Truncated {
        /// The kind of file.
        kind: ImageKind,
        /// The missing part.
        what: String,
    },
    /// The data break the rules of their format.
    #[error("{kind}: damaged or malformed: {what}")]
    Malformed {
        /// The kind of file.
        kind: ImageKind,
        /// The broken rule, and the value found.
        what: String,
    },
    /// The file may be valid, but this feature of its format is not supported.
    #[error("{kind}: not supported: {what}")]
    Unsupported {
        /// The kind of file.
        kind: ImageKind,
        /// The feature that was found.
        what: String,
    },
    /// The picture is larger than allowed.
    #[error("{kind}: {what} is {found}, the limit is {allowed}")]
    Limit {
        /// The kind of file.
        kind: ImageKind,
        /// The measured quantity, with its unit.
        what: &'static str,
        /// The value in the file.
        found: u64,
        /// The largest allowed value.
        allowed: u64,
    },
    /// The picture has more pixels than the size of its file justifies.
    #[error(
        "{kind}: {width} x {height} pixels in a file of {bytes} bytes; the limit for this size is {allowed}"
    )]
    Pixels {
        /// The kind of file.
        kind: ImageKind,
        /// Pixels a row.
        width: u32,
        /// Rows.
        height: u32,
        /// Bytes of the file.
        bytes: usize,
        /// The maximum number of pixels of a file of that size.
        allowed: u64,
    },
    /// The deadline was over before the picture was decoded.
    #[error(transparent)]
    TimedOut(#[from] TimedOut),
}

impl ImageError {
    /// The limit that a user may raise, if one was exceeded.
    #[must_use]
    pub fn limit(&self) -> Option<LimitName> {
        matches!(self, Self::Pixels { .. }).then_some(LimitName::Pixels)
    }
}
