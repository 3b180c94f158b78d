//! PCX, the pictures of the first games with models: one to four planes of rows, mostly run-length
//! encoded, with or without a palette.
//!
//! # Source
//! ZSoft, "PCX File Format", technical reference manual, version 5.

use super::error::{ImageError, ImageKind};
use super::input::{DECODING, check_length, check_size, le_u16};
use crate::LoadOptions;
use tintype_model::Image;

const KIND: ImageKind = ImageKind::Pcx;
const HEADER: usize = 128;
/// Position of the 16 colours of the header.
const COLORS: usize = 16;
/// Bytes of a palette of 256 colours at the end of a file, and the mark before them.
const PALETTE: usize = 1 + 3 * 256;
const PALETTE_MARK: u8 = 12;

/// True if a file begins like PCX, which has no signature except small numbers.
pub(super) fn looks_like_pcx(bytes: &[u8]) -> bool {
    matches!(bytes, [10, 2..=5, 0 | 1, 1 | 2 | 4 | 8, ..])
}

/// Decodes a file.
pub(super) fn decode(bytes: &[u8], options: &LoadOptions) -> Result<Image, ImageError> {
    check_length(KIND, bytes.len(), HEADER as u64)?;
    let half = |at| le_u16(bytes, at).map_or(0, u32::from);
    let [left, top, right, bottom] = [4, 6, 8, 10].map(half);
    let size = |from: u32, to: u32| (to + 1).saturating_sub(from);
    let [width, height] = [size(left, right), size(top, bottom)];
    check_size(KIND, [width, height], 4, bytes.len(), options)?;
    let (bits, planes) = (usize::from(bytes[3]), usize::from(bytes[65]));
    let line = usize::from(le_u16(bytes, 66).unwrap_or(0));
    let is_read = matches!((bits, planes), (8, 1 | 3 | 4) | (1, 1..=4) | (2 | 4, 1));
    if !is_read {
        let what = format!("{planes} planes of {bits} bits");
        return Err(ImageError::Unsupported { kind: KIND, what });
    }
    if line * 8 < width as usize * bits {
        let what = format!("rows of {line} bytes for {width} pixels of {bits} bits");
        return Err(ImageError::Malformed { kind: KIND, what });
    }
    let colors = palette(bytes, bits * planes)?;
    let mut runs = Runs { bytes, at: HEADER, left: 0, value: 0, is_packed: bytes[2] == 1 };
    let mut row = vec![0; line * planes];
    let mut rgba = Vec::with_capacity(width as usize * height as usize);
    for _ in 0..height {
        options.deadline.check(DECODING)?;
        runs.fill(&mut row)?;
        for column in 0..width as usize {
            let own = |plane: usize| {
                let bit = column * bits;
                let byte = row[plane * line + bit / 8];
                byte >> (8 - bits - bit % 8) & (0xff >> (8 - bits))
            };
            let index =
                (0..planes).fold(0, |all, plane| all | usize::from(own(plane)) << (plane * bits));
            rgba.push(match (bits, planes) {
                (8, 3) => [own(0), own(1), own(2), 255],
                (8, 4) => [own(0), own(1), own(2), own(3)],
                _ => colors[index],
            });
        }
    }
    Ok(Image { width, height, rgba })
}

/// The colours of indices of this many bits; not used above 8.
fn palette(bytes: &[u8], bits: usize) -> Result<Vec<[u8; 4]>, ImageError> {
    let list = match bits {
        1 => &[0, 0, 0, 255, 255, 255],
        2..=4 => &bytes[COLORS..COLORS + 3 * 16],
        8 => {
            let end = bytes.len().checked_sub(PALETTE).map(|at| &bytes[at.max(HEADER)..]);
            let end = end.and_then(|end| end.strip_prefix(&[PALETTE_MARK]));
            end.filter(|colors| colors.len() == PALETTE - 1).ok_or_else(|| {
                let what = "the palette at its end is missing".to_owned();
                ImageError::Truncated { kind: KIND, what }
            })?
        }
        _ => &[][..],
    };
    Ok(list.chunks_exact(3).map(|rgb| [rgb[0], rgb[1], rgb[2], 255]).collect())
}

/// Bytes of rows; two upper bits mark the length of a run.
struct Runs<'b> {
    bytes: &'b [u8],
    at: usize,
    left: u8,
    value: u8,
    is_packed: bool,
}

impl Runs<'_> {
    fn fill(&mut self, row: &mut [u8]) -> Result<(), ImageError> {
        for out in row {
            if self.left == 0 {
                (self.left, self.value) = (1, self.next()?);
                if self.is_packed && self.value >= 0xc0 {
                    // A run of length 0 counts as one of 1.
                    (self.left, self.value) = ((self.value & 0x3f).max(1), self.next()?);
                }
            }
            self.left -= 1;
            *out = self.value;
        }
        Ok(())
    }

    fn next(&mut self) -> Result<u8, ImageError> {
        let next = self.bytes.get(self.at).copied();
        self.at += 1;
        next.ok_or_else(|| ImageError::Truncated {
            kind: KIND,
            what: "its rows are truncated".to_owned(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A file of `width` x 2 pixels.
    fn file(width: u8, [bits, planes, line]: [u8; 3], rows: &[u8]) -> Vec<u8> {
        let mut bytes = vec![0; HEADER];
        bytes[..12].copy_from_slice(&[10, 5, 1, bits, 0, 0, 0, 0, width - 1, 0, 1, 0]);
        bytes[COLORS..COLORS + 9].copy_from_slice(&[1, 2, 3, 40, 50, 60, 7, 8, 9]);
        (bytes[65], bytes[66]) = (planes, line);
        bytes.extend(rows);
        bytes
    }

    fn read(bytes: &[u8]) -> Result<Vec<[u8; 4]>, String> {
        let read = decode(bytes, &LoadOptions::default());
        read.map(|image| image.rgba).map_err(|error| error.to_string())
    }

    #[test]
    fn pcx_is_read_with_a_palette_in_planes_and_in_bits() {
        let mut indexed = file(3, [8, 1, 4], &[0xc3, 1, 0, 2, 0xc1, 0xff, 0xc2, 1]);
        indexed.push(PALETTE_MARK);
        indexed.extend((0..=255).flat_map(|index: u8| [index, 0, 255 - index]));
        let color = |index: u8| [index, 0, 255 - index, 255];
        assert_eq!(read(&indexed).unwrap(), [1, 1, 1, 2, 255, 1].map(color));
        for end in 0..indexed.len() {
            read(&indexed[..end]).expect_err("it is cut");
        }
        let planes = file(1, [8, 3, 1], &[10, 20, 30, 0xc1, 0xff, 0xc2, 5]);
        assert_eq!(read(&planes).unwrap(), [[10, 20, 30, 255], [255, 5, 5, 255]]);
        let bits = file(9, [1, 1, 2], &[0b1010_0000, 0x80, 0xc2, 0]);
        let white: Vec<usize> = (read(&bits).unwrap().iter().enumerate())
            .filter(|(_, pixel)| **pixel == [255; 4])
            .map(|(at, _)| at)
            .collect();
        assert_eq!(white, [0, 2, 8]);
        let sixteen = file(2, [1, 4, 1], &[0x40, 0, 0, 0, 0, 0x80, 0, 0]);
        assert_eq!(read(&sixteen).unwrap()[..2], [[1, 2, 3, 255], [40, 50, 60, 255]]);
        assert_eq!(read(&sixteen).unwrap()[2], [7, 8, 9, 255]);
    }

    #[test]
    fn pcx_that_is_wrong_is_refused_with_the_reason() {
        for (bytes, expected) in [
            (file(9, [8, 1, 4], &[]), "rows of 4 bytes for 9 pixels"),
            (file(1, [8, 2, 1], &[]), "2 planes of 8 bits"),
            (file(1, [8, 1, 1], &[0; 800]), "palette at its end is missing"),
            (file(1, [8, 3, 1], &[0; 5]), "truncated"),
        ] {
            let message = read(&bytes).expect_err(expected);
            assert!(message.contains(expected), "{message}");
        }
    }
}
