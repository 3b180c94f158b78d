//! Radiance HDR: four bytes per pixel, three mantissas and one exponent; decoded by the crate
//! `image`.
//!
//! Exposure, gamma and primaries in the header are ignored, as by other readers.
//!
//! # Source
//! Ward, "Real Pixels", Graphics Gems II, 1991; the file format page of Radiance.

use super::error::{ImageError, ImageKind};
use super::input::{DECODING, DeadlineReader, check_size};
use super::via_image_crate::failed;
use crate::LoadOptions;
use image::ImageDecoder;
use image::codecs::hdr::HdrDecoder;
use std::borrow::Cow;
use tintype_model::Panorama;

const KIND: ImageKind = ImageKind::Hdr;
/// First bytes of a file, the one known to the crate first.
const MARKS: [&[u8]; 2] = [b"#?RADIANCE", b"#?RGBE"];
/// Maximum length of a header, in bytes.
const MAX_HEADER: usize = 1 << 16;

/// Decodes a Radiance picture.
///
/// # Errors
/// [`ImageError`]: another kind of file, one that ends early, damaged data, a layout that is not read, or a picture beyond the limits.
pub fn decode_hdr(bytes: &[u8], options: &LoadOptions) -> Result<Panorama, ImageError> {
    let decoded = decode(bytes, options);
    // A decoder stopped by the deadline reports missing bytes.
    decoded.or_else(|error| options.deadline.check(DECODING).map_err(Into::into).and(Err(error)))
}

fn decode(bytes: &[u8], options: &LoadOptions) -> Result<Panorama, ImageError> {
    if !MARKS.iter().any(|mark| bytes.starts_with(mark)) {
        let start: String =
            bytes.iter().take(8).map(|byte| byte.escape_ascii().to_string()).collect();
        let what = format!("it starts with \"{start}\"; expected #?RADIANCE");
        return Err(ImageError::Malformed { kind: KIND, what });
    }
    let (known, is_upward) = as_known(bytes)?;
    let decoder = HdrDecoder::new(DeadlineReader::new(&known, options));
    let decoder = decoder.map_err(|error| failed(KIND, &error))?;
    let (width, height) = decoder.dimensions();
    check_size(KIND, [width, height], 12, bytes.len(), options)?;
    let mut texels = vec![[0.0_f32; 3]; width as usize * height as usize];
    decoder
        .read_image(bytemuck::cast_slice_mut(&mut texels))
        .map_err(|error| failed(KIND, &error))?;
    if is_upward {
        let width = width as usize;
        let (upper, lower) = texels.split_at_mut(height as usize / 2 * width);
        for (row, opposite) in
            upper.chunks_exact_mut(width).zip(lower.chunks_exact_mut(width).rev())
        {
            row.swap_with_slice(opposite);
        }
    }
    Ok(Panorama { width, height, texels })
}

/// The file with the mark and the order of rows supported by the crate, and true if its first row
/// is the lowest.
fn as_known(bytes: &[u8]) -> Result<(Cow<'_, [u8]>, bool), ImageError> {
    let head = bytes.get(..MAX_HEADER.min(bytes.len())).unwrap_or_default();
    let Some(blank) = head.windows(2).position(|two| two == b"\n\n") else {
        let what = format!("its header does not end within {} bytes", head.len());
        return Err(ImageError::Truncated { kind: KIND, what });
    };
    let size_at = blank + 2;
    let is_upward = bytes.get(size_at..).is_some_and(|size| size.starts_with(b"+Y"));
    let has_other_mark = bytes.starts_with(MARKS[1]);
    if !is_upward && !has_other_mark {
        return Ok((Cow::Borrowed(bytes), false));
    }
    let mut known = bytes.to_vec();
    if is_upward && let Some(sign) = known.get_mut(size_at) {
        *sign = b'-';
    }
    if has_other_mark {
        known.splice(..MARKS[1].len(), MARKS[0].iter().copied());
    }
    Ok((Cow::Owned(known), is_upward))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Limits;

    fn file(size: &str, data: &[u8]) -> Vec<u8> {
        let head = format!("#?RADIANCE\nFORMAT=32-bit_rle_rgbe\nEXPOSURE=2\n\n{size}\n");
        [head.as_bytes(), data].concat()
    }

    fn read(bytes: &[u8]) -> Result<Panorama, String> {
        decode_hdr(bytes, &LoadOptions::default()).map_err(|error| error.to_string())
    }

    /// A row of eight pixels in the new code: each channel a run of three and five plain values.
    fn coded_row() -> Vec<u8> {
        let mut row = vec![2, 2, 0, 8];
        for channel in 0..4 {
            let value = if channel == 3 { 129 } else { 64 * (channel + 1) };
            row.extend([131, value, 5, value, value, value, value, value]);
        }
        row
    }

    #[test]
    fn hdr_is_read_in_all_three_codes() {
        let plain = read(&file("-Y 1 +X 2", &[128, 64, 32, 129, 255, 0, 0, 128])).unwrap();
        assert_eq!((plain.width, plain.height), (2, 1));
        assert_eq!(plain.texels, [[1.0, 0.5, 0.25], [255.0 / 256.0, 0.0, 0.0]]);
        let old = read(&file("-Y 1 +X 4", &[128, 64, 32, 129, 1, 1, 1, 3])).unwrap();
        assert_eq!(old.texels, [[1.0, 0.5, 0.25]; 4]);
        let new = read(&file("-Y 2 +X 8", &[coded_row(), coded_row()].concat())).unwrap();
        assert_eq!(new.texels, [[0.5, 1.0, 1.5]; 16]);
        let upward = read(&file("+Y 2 +X 1", &[128, 0, 0, 129, 0, 128, 0, 129])).unwrap();
        assert_eq!(upward.texels, [[0.0, 1.0, 0.0], [1.0, 0.0, 0.0]]);
        let ends = read(&file("-Y 1 +X 2", &[255, 255, 255, 0, 255, 255, 255, 255])).unwrap();
        assert!(ends.texels[0] == [0.0; 3] && ends.texels[1][0].is_finite());
    }

    #[test]
    fn hdr_that_is_damaged_is_refused_with_its_place() {
        for (bytes, expected) in [
            (b"\x89PNG\r\n\x1a\n".to_vec(), "expected #?RADIANCE"),
            (b"#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n".to_vec(), "its header does not end"),
            (b"#?RADIANCE\nFORMAT=32-bit_rle_xyze\n\n".to_vec(), "32-bit_rle_xyze"),
            (file("-Y 512", &[]), "HDR: "),
            (file("-Y -4 +X 8", &[]), "HDR: "),
            (file("-X 4 +Y 8", &[]), "HDR: "),
            (file("-Y 0 +X 8", &[]), "empty"),
            (file("-Y 99999 +X 99999", &[]), "limit"),
            (file("-Y 2 +X 8", &coded_row()), "ends early"),
            (file("-Y 1 +X 8", &[2, 2, 0, 9]), "HDR: "),
            (file("-Y 1 +X 8", &[2, 2, 0, 8, 140, 7]), "HDR: "),
            (file("-Y 1 +X 4", &[9, 9, 9, 9, 1, 1, 1, 200]), "HDR: "),
        ] {
            let message = read(&bytes).expect_err(expected);
            assert!(message.contains(expected), "{message}");
        }
        let small = LoadOptions::from(Limits { max_image_bytes: 16, ..Limits::default() });
        let error = decode_hdr(&file("-Y 2 +X 8", &coded_row()), &small).unwrap_err();
        assert!(matches!(error, ImageError::Limit { .. }), "{error}");
        // No prefix of a valid file is read as a complete one.
        let whole = file("-Y 2 +X 8", &[coded_row(), coded_row()].concat());
        for end in 0..whole.len() {
            read(&whole[..end]).expect_err("it is cut");
        }
    }
}
