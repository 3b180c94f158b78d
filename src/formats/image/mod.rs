//! The bytes of a PNG, JPEG, TGA, BMP or DDS file -> one [`Image`] of 8-bit straight RGBA.
//!
//! The kind is told by the first bytes. TGA has no mark of its own: it goes by the file name's extension, then by whether the
//! header makes sense. The codes are handed on as they are stored: colour profiles, gamma chunks and EXIF orientation are not
//! applied, because `asset` alone knows what a texture means. 16-bit channels are rounded to 8.
//!
//! A picture comes back whole or not at all: a file that ends early is an error, also where its decoder would make do.
//! Animations, mip levels below the first, cube maps and volumes are not read.

mod bmp;
mod dds;
mod jpeg;
mod png;
#[cfg(test)]
mod tests;
mod tga;

use ::image::{ColorType, ImageDecoder};

use crate::deadline::{Deadline, TimedOut, Watch};
use crate::formats::{Limits, LoadOptions};
use crate::model::Image;
use std::io::{BufRead, Read, Seek};

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
}

impl core::fmt::Display for ImageKind {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(match self {
            Self::Png => "PNG",
            Self::Jpeg => "JPEG",
            Self::Tga => "TGA",
            Self::Bmp => "BMP",
            Self::Dds => "DDS",
        })
    }
}

/// Why the bytes did not become a picture.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ImageError {
    /// Neither the first bytes nor the extension tell a kind.
    #[error(
        "not a known picture: it starts with {start}; PNG, JPEG, BMP and DDS are told by their first bytes, \
         TGA by its extension or a sound header"
    )]
    UnknownKind {
        /// The first bytes, for people.
        start: String,
    },
    /// The file ends before its picture does.
    #[error("{kind}: the file ends early: {what}")]
    Truncated {
        /// The kind of file.
        kind: ImageKind,
        /// What is missing.
        what: String,
    },
    /// The data break the rules of their format.
    #[error("{kind}: damaged or malformed: {what}")]
    Malformed {
        /// The kind of file.
        kind: ImageKind,
        /// Which rule, and what was found.
        what: String,
    },
    /// The file may be sound, but this feature of its format is not read.
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
        /// What was measured, with its unit.
        what: &'static str,
        /// The value in the file.
        found: u64,
        /// The largest allowed value.
        allowed: u64,
    },
    /// Decoding took longer than somebody would wait.
    #[error(transparent)]
    TimedOut(#[from] TimedOut),
}

/// Decodes a picture file into 8-bit straight RGBA, rows from the top.
///
/// `file_name` is asked for its extension only, and only where the first bytes tell no kind.
///
/// # Layout
/// Grey becomes equal red, green and blue; missing alpha becomes 255; premultiplied DXT2 and DXT4 become straight.
///
/// # Errors
/// [`ImageError`]: an unknown kind, a file that ends early, damaged data, an unsupported feature, or a picture beyond the limits of `options`.
pub fn decode(bytes: &[u8], file_name: &str, options: &LoadOptions) -> Result<Image, ImageError> {
    let decoded = match sniff(bytes, file_name)? {
        ImageKind::Png => png::decode(bytes, options),
        ImageKind::Jpeg => jpeg::decode(bytes, options),
        ImageKind::Tga => tga::decode(bytes, options),
        ImageKind::Bmp => bmp::decode(bytes, options),
        ImageKind::Dds => dds::decode(bytes, options),
    };
    // A decoder that got no more bytes says so in words of its own.
    decoded.or_else(|error| options.deadline.check(DECODING).map_err(Into::into).and(Err(error)))
}

/// What is said of it where the time is over.
const DECODING: &str = "decoding a picture";

/// The bytes that a picture takes in memory when it is decoded, in its own layout or as RGBA, whichever is more; read from its
/// header, nothing is decoded.
///
/// # Errors
/// [`ImageError`] where the header already tells that it cannot be decoded.
pub fn decoded_bytes(bytes: &[u8], file_name: &str) -> Result<u64, ImageError> {
    // Its size is held against the limits before anything is allocated.
    let nothing = LoadOptions::from(Limits { max_image_bytes: 0, ..Limits::default() });
    match decode(bytes, file_name, &nothing) {
        Err(ImageError::Limit { what: DECODED_SIZE, found, .. }) => Ok(found),
        Err(error) => Err(error),
        Ok(image) => Ok(u64::try_from(image.rgba.len()).unwrap_or(u64::MAX).saturating_mul(4)),
    }
}

/// What [`ImageError::Limit`] calls the bytes of a decoded picture.
const DECODED_SIZE: &str = "the decoded size in bytes";

/// The kind of a file: by its first bytes, else by its extension `tga`, else TGA if the header makes sense as one.
///
/// No TGA file is mistaken for another kind: its second byte is 0 or 1, which no mark has there.
///
/// # Errors
/// [`ImageError::UnknownKind`] with the first bytes.
pub fn sniff(bytes: &[u8], file_name: &str) -> Result<ImageKind, ImageError> {
    const MARKS: [(&[u8], ImageKind); 4] = [
        (b"\x89PNG\r\n\x1a\n", ImageKind::Png),
        (b"\xff\xd8\xff", ImageKind::Jpeg),
        (b"BM", ImageKind::Bmp),
        (b"DDS ", ImageKind::Dds),
    ];
    if let Some(&(_, kind)) = MARKS.iter().find(|(mark, _)| bytes.starts_with(mark)) {
        return Ok(kind);
    }
    let extension = file_name.rsplit_once('.').map_or("", |(_, extension)| extension);
    if !bytes.is_empty() && (extension.eq_ignore_ascii_case("tga") || tga::is_plausible(bytes)) {
        return Ok(ImageKind::Tga);
    }
    let start = match bytes.get(..bytes.len().min(8)) {
        None | Some([]) => "nothing (it is empty)".to_owned(),
        Some(start) => format!("\"{}\"", start.escape_ascii()),
    };
    Err(ImageError::UnknownKind { start })
}

/// Checks the size of a picture whose decoder needs `bytes_per_pixel` of its own.
fn check_size(
    kind: ImageKind,
    width: u32,
    height: u32,
    bytes_per_pixel: u64,
    options: &LoadOptions,
) -> Result<(), ImageError> {
    if width == 0 || height == 0 {
        let what = format!("the picture is empty: {width} x {height} pixels");
        return Err(ImageError::Malformed { kind, what });
    }
    for (what, side) in [("the width in pixels", width), ("the height in pixels", height)] {
        if side > options.limits.max_image_side_px {
            let (found, allowed) = (u64::from(side), u64::from(options.limits.max_image_side_px));
            return Err(ImageError::Limit { kind, what, found, allowed });
        }
    }
    // Two sides of 32 bits and a small factor: the product is held in 128 bits so that it cannot wrap.
    let needed = u128::from(width) * u128::from(height) * u128::from(bytes_per_pixel.max(4));
    if needed > u128::from(options.limits.max_image_bytes) {
        let found = u64::try_from(needed).unwrap_or(u64::MAX);
        return Err(ImageError::Limit {
            kind,
            what: DECODED_SIZE,
            found,
            allowed: options.limits.max_image_bytes,
        });
    }
    Ok(())
}

/// Runs one of the `image` crate's decoders within the limits.
fn run_decoder(
    kind: ImageKind,
    decoder: impl ImageDecoder,
    options: &LoadOptions,
) -> Result<Image, ImageError> {
    let (width, height) = decoder.dimensions();
    let color = decoder.color_type();
    check_size(kind, width, height, u64::from(color.bytes_per_pixel()), options)?;
    let pixels = width as usize * height as usize;
    let mut samples = vec![0; pixels * usize::from(color.bytes_per_pixel())];
    decoder.read_image(&mut samples).map_err(|error| from_decoder_error(kind, &error))?;
    let deadline = &options.deadline;
    let rgba = match color {
        ColorType::L8 => rgba_from_grey(&samples, deadline)?,
        ColorType::La8 => rgba_from_grey_alpha(&samples, deadline)?,
        ColorType::Rgb8 => rgba_from_rgb(&samples, deadline)?,
        ColorType::Rgba8 => rgba_from_rgba(&samples, deadline)?,
        other => {
            return Err(ImageError::Unsupported { kind, what: format!("pixels of {other:?}") });
        }
    };
    Ok(Image { width, height, rgba })
}

fn from_decoder_error(kind: ImageKind, error: &::image::ImageError) -> ImageError {
    match error {
        ::image::ImageError::IoError(io) if io.kind() == std::io::ErrorKind::UnexpectedEof => {
            ImageError::Truncated { kind, what: "its decoder ran out of bytes".to_owned() }
        }
        ::image::ImageError::Unsupported(inner) => {
            ImageError::Unsupported { kind, what: inner.to_string() }
        }
        other => ImageError::Malformed { kind, what: other.to_string() },
    }
}

fn rgba_from_grey(samples: &[u8], deadline: &Deadline) -> Result<Vec<[u8; 4]>, TimedOut> {
    spread(samples, deadline, |&v| [v, v, v, 255])
}

fn rgba_from_grey_alpha(samples: &[u8], deadline: &Deadline) -> Result<Vec<[u8; 4]>, TimedOut> {
    spread(samples.as_chunks().0, deadline, |&[v, a]| [v, v, v, a])
}

fn rgba_from_rgb(samples: &[u8], deadline: &Deadline) -> Result<Vec<[u8; 4]>, TimedOut> {
    spread(samples.as_chunks().0, deadline, |&[r, g, b]| [r, g, b, 255])
}

fn rgba_from_rgba(samples: &[u8], deadline: &Deadline) -> Result<Vec<[u8; 4]>, TimedOut> {
    spread(samples.as_chunks().0, deadline, |&pixel| pixel)
}

/// One value of each, with a look at the time now and then.
fn spread<T, U: Clone>(
    samples: &[T],
    deadline: &Deadline,
    value: impl Fn(&T) -> U,
) -> Result<Vec<U>, TimedOut> {
    const AT_ONCE: usize = 1 << 20;
    let mut all = Vec::new();
    all.reserve_exact(samples.len());
    for part in samples.chunks(AT_ONCE) {
        deadline.check(DECODING)?;
        all.extend(part.iter().map(&value));
    }
    Ok(all)
}

/// The bytes of a file for a decoder: a little at a time, and none when the time is over.
struct Slowly<'b> {
    bytes: std::io::Cursor<&'b [u8]>,
    is_slow: bool,
    watch: Watch,
}

/// Bytes between two looks at the time; deflate makes a thousand times as many of them.
const BYTES: u32 = 1 << 12;

impl<'b> Slowly<'b> {
    fn new(bytes: &'b [u8], options: &LoadOptions) -> Self {
        let watch = options.deadline.watch(DECODING, BYTES);
        Self { bytes: std::io::Cursor::new(bytes), is_slow: options.deadline.has_end(), watch }
    }

    fn take(&mut self, bytes: usize) -> std::io::Result<()> {
        self.watch.take(bytes).map_err(std::io::Error::other)
    }
}

impl Read for Slowly<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        self.take(buffer.len())?;
        self.bytes.read(buffer)
    }
}

impl BufRead for Slowly<'_> {
    fn fill_buf(&mut self) -> std::io::Result<&[u8]> {
        let most = if self.is_slow { BYTES as usize } else { usize::MAX };
        self.take(most)?;
        let rest = self.bytes.fill_buf()?;
        Ok(rest.get(..most).unwrap_or(rest))
    }

    fn consume(&mut self, amount: usize) {
        self.bytes.consume(amount);
    }
}

impl Seek for Slowly<'_> {
    fn seek(&mut self, to: std::io::SeekFrom) -> std::io::Result<u64> {
        self.bytes.seek(to)
    }
}

/// A little-endian number of a header, or `None` behind the end.
fn le_u16(bytes: &[u8], at: usize) -> Option<u16> {
    bytes.get(at..)?.first_chunk().map(|&two| u16::from_le_bytes(two))
}

/// A little-endian number of a header, or `None` behind the end.
fn le_u32(bytes: &[u8], at: usize) -> Option<u32> {
    bytes.get(at..)?.first_chunk().map(|&four| u32::from_le_bytes(four))
}

/// Refuses a file that holds fewer bytes than its header asks for.
fn check_length(kind: ImageKind, found: usize, needed: u64) -> Result<(), ImageError> {
    if found as u64 >= needed {
        return Ok(());
    }
    let what = format!("it has {found} bytes, its header asks for at least {needed}");
    Err(ImageError::Truncated { kind, what })
}
