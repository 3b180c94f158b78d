//! Steps common to the decoders: checking sizes against limits, providing bytes within a deadline,
//! expanding samples to RGBA.

use super::error::{ImageError, ImageKind};
use crate::LoadOptions;
use std::io::{BufRead, Read, Seek};
use tintype_base::deadline::{Deadline, TimedOut, Watch};

/// The stage that [`TimedOut`] names.
pub(super) const DECODING: &str = "decoding a picture";

/// The name of the decoded bytes of a picture in [`ImageError::Limit`].
pub(super) const DECODED_SIZE: &str = "the decoded size in bytes";

/// Checks the size of a picture in a file of `file_bytes`; its decoder needs `bytes_per_pixel` of
/// extra memory.
pub(super) fn check_size(
    kind: ImageKind,
    [width, height]: [u32; 2],
    bytes_per_pixel: u64,
    file_bytes: usize,
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
    let allowed = options.limits.max_pixels(file_bytes);
    if u64::from(width) * u64::from(height) > allowed {
        return Err(ImageError::Pixels { kind, width, height, bytes: file_bytes, allowed });
    }
    // Two sides of 32 bits and a small factor: the product takes 128 bits so that it cannot wrap.
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

pub(super) fn rgba_from_grey(
    samples: &[u8],
    deadline: &Deadline,
) -> Result<Vec<[u8; 4]>, TimedOut> {
    spread(samples, deadline, |&v| [v, v, v, 255])
}

pub(super) fn rgba_from_grey_alpha(
    samples: &[u8],
    deadline: &Deadline,
) -> Result<Vec<[u8; 4]>, TimedOut> {
    spread(samples.as_chunks().0, deadline, |&[v, a]| [v, v, v, a])
}

pub(super) fn rgba_from_rgb(samples: &[u8], deadline: &Deadline) -> Result<Vec<[u8; 4]>, TimedOut> {
    spread(samples.as_chunks().0, deadline, |&[r, g, b]| [r, g, b, 255])
}

/// The same bytes as pixels, without a copy if possible.
pub(super) fn rgba_from_rgba(samples: Vec<u8>) -> Vec<[u8; 4]> {
    bytemuck::try_cast_vec(samples).unwrap_or_else(|(_, samples)| samples.as_chunks().0.to_vec())
}

/// One value of each, with a check of the deadline from time to time.
pub(super) fn spread<T, U: Clone>(
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

/// The bytes of a file for a decoder: a little at a time, and none after the deadline.
pub(super) struct DeadlineReader<'b> {
    bytes: std::io::Cursor<&'b [u8]>,
    is_slow: bool,
    watch: Watch,
}

/// Bytes between two checks of the deadline; deflate expands them up to a thousand times.
const BYTES: u32 = 1 << 12;

impl<'b> DeadlineReader<'b> {
    pub(super) fn new(bytes: &'b [u8], options: &LoadOptions) -> Self {
        let watch = options.deadline.watch(DECODING, BYTES);
        Self { bytes: std::io::Cursor::new(bytes), is_slow: options.deadline.has_end(), watch }
    }

    fn take(&mut self, bytes: usize) -> std::io::Result<()> {
        self.watch.take(bytes).map_err(std::io::Error::other)
    }
}

impl Read for DeadlineReader<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        self.take(buffer.len())?;
        self.bytes.read(buffer)
    }
}

impl BufRead for DeadlineReader<'_> {
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

impl Seek for DeadlineReader<'_> {
    fn seek(&mut self, to: std::io::SeekFrom) -> std::io::Result<u64> {
        self.bytes.seek(to)
    }
}

/// A little-endian number of a header; `None` beyond the end.
pub(super) fn le_u16(bytes: &[u8], at: usize) -> Option<u16> {
    bytes.get(at..)?.first_chunk().map(|&two| u16::from_le_bytes(two))
}

/// A little-endian number of a header; `None` beyond the end.
pub(super) fn le_u32(bytes: &[u8], at: usize) -> Option<u32> {
    bytes.get(at..)?.first_chunk().map(|&four| u32::from_le_bytes(four))
}

/// Refuses a file with fewer bytes than its header requires.
pub(super) fn check_length(kind: ImageKind, found: usize, needed: u64) -> Result<(), ImageError> {
    if found as u64 >= needed {
        return Ok(());
    }
    let what = format!("it has {found} bytes, but its header requires at least {needed}");
    Err(ImageError::Truncated { kind, what })
}
