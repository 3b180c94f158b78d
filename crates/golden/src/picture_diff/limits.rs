//! Limits for compared pictures: the length of a file, and the memory of a pair, which is computed
//! from headers before pixels are decoded.

use super::error::{PictureDiffError, RAISE_BYTES};
use super::pairs::Pair;
use std::io::{ErrorKind, Read};
use std::path::Path;
use tintype_base::amount::bytes_text;
use tintype_base::disk::{open_regular, read_bounded};
use tintype_base::path::ShowPath;
use tintype_formats::Limits;
use tintype_formats::image::{ImageKind, sniff};
use tintype_output::png_size;

/// Bytes per pixel of a pair: its pictures with the raw rows of the one being decoded, the maps of
/// FLIP and SSIM, the mask, and the picture of the difference with its file.
const BYTES_PER_PIXEL: u64 = 40;

/// Limits of pictures that are compared.
#[derive(Clone, Copy, Debug)]
pub struct PictureLimits {
    /// Maximum size of a file.
    pub bytes: u64,
    /// Bytes of memory that all pairs in progress may take together. None if unlimited.
    pub memory: Option<u64>,
}

impl Default for PictureLimits {
    /// The maximum file size is the same as for other inputs; the memory is unlimited.
    fn default() -> Self {
        let bytes = u64::try_from(Limits::default().max_bytes).unwrap_or(u64::MAX);
        Self { bytes, memory: None }
    }
}

impl PictureLimits {
    /// The number of pairs to compare at once: one per thread, fewer if the largest pair leaves too
    /// little memory.
    #[must_use]
    pub fn at_once(&self, pairs: &[Pair], threads: usize) -> usize {
        let paths = pairs.iter().flat_map(|pair| pair.a.iter().chain(&pair.b));
        let largest = paths.map(|path| needed(head(path))).max().unwrap_or(0).max(1);
        let fit = self.memory.map_or(u64::MAX, |memory| memory / largest);
        threads.min(usize::try_from(fit).unwrap_or(usize::MAX)).max(1)
    }

    /// Reads the file of a picture, unless it is too long, or its pixels together with those of
    /// another picture of this size exceed the memory.
    ///
    /// # Errors
    /// [`PictureDiffError`].
    pub(super) fn read(&self, path: &Path) -> Result<Vec<u8>, PictureDiffError> {
        let bytes = read_bounded(path, self.bytes).map_err(|error| match error.kind() {
            ErrorKind::FileTooLarge => {
                PictureDiffError::invalid(format!("{}: {error}{RAISE_BYTES}", path.shown()))
            }
            _ => PictureDiffError::unreadable(path, &error),
        })?;
        if let Ok(kind) = sniff(&bytes, "")
            && !matches!(kind, ImageKind::Png | ImageKind::Tga)
        {
            return Err(PictureDiffError::invalid(format!(
                "{}: only PNG pictures can be compared, found {kind}",
                path.shown()
            )));
        }
        let size = png_size(&bytes);
        match (self.memory, size) {
            (Some(memory), Some([width, height])) if needed(size) > memory => {
                let [needed, memory] = [needed(size), memory].map(bytes_text);
                Err(PictureDiffError::invalid(format!(
                    "{}: comparing pictures of {width}x{height} needs about {needed}, but only {memory} is available",
                    path.shown()
                )))
            }
            _ => Ok(bytes),
        }
    }
}

/// Estimated bytes of a pair of pictures of this size.
fn needed(size: Option<[u32; 2]>) -> u64 {
    let [width, height] = size.unwrap_or_default().map(u64::from);
    width.saturating_mul(height).saturating_mul(BYTES_PER_PIXEL)
}

/// The size of a PNG file by its first bytes.
fn head(path: &Path) -> Option<[u32; 2]> {
    let mut start = Vec::new();
    open_regular(path).ok()?.take(64).read_to_end(&mut start).ok()?;
    png_size(&start)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tintype_model::frame::Frame;
    use tintype_output::{PngEffort, encode_png};

    #[test]
    fn pictures_are_refused_by_their_headers() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.png");
        let png = encode_png(&Frame::new(8, 4), true, PngEffort::Fast, &[]);
        std::fs::write(&path, &png).unwrap();
        let limits = |bytes, memory| PictureLimits { bytes, memory };
        assert_eq!(limits(1 << 20, None).read(&path).unwrap(), png);
        assert_eq!(limits(1 << 20, Some(8 * 4 * BYTES_PER_PIXEL)).read(&path).unwrap(), png);
        let error = limits(1 << 20, Some(100)).read(&path).unwrap_err().to_string();
        assert!(error.contains("8x4 needs about 1.2 KiB, but only 100 bytes"), "{error}");
        let error = limits(9, None).read(&path).unwrap_err().to_string();
        assert!(error.ends_with("the limit is 9; raise the limit `bytes`"), "{error}");
        let pair = Pair { name: "a".to_owned(), frame: None, a: Some(path.clone()), b: Some(path) };
        let pairs = [pair];
        let each = 8 * 4 * BYTES_PER_PIXEL;
        assert_eq!(limits(1 << 20, None).at_once(&pairs, 4), 4);
        assert_eq!(limits(1 << 20, Some(2 * each)).at_once(&pairs, 4), 2);
        assert_eq!(limits(1 << 20, Some(1)).at_once(&pairs, 4), 1);
    }
}
