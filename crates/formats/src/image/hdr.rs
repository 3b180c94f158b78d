//! Radiance HDR: four bytes a pixel, three mantissas and one exponent; plain, or run-length coded in the old way or the new.
//!
//! Exposure, gamma and primaries of the header are left out, as by other readers.
//!
//! # Source
//! Ward, "Real Pixels", Graphics Gems II, 1991; the file format page of Radiance.

use super::error::{ImageError, ImageKind};
use super::input::{DECODING, Input, check_size};
use crate::LoadOptions;
use tintype_model::Panorama;

const KIND: ImageKind = ImageKind::Hdr;
/// First bytes of a file.
const MARKS: [&[u8]; 2] = [b"#?RADIANCE", b"#?RGBE"];
/// Widths that the new run-length code allows.
const CODED_WIDTHS: core::ops::Range<u32> = 8..32_768;
/// Longest header that is read, in bytes.
const MOST_HEADER: usize = 1 << 16;

/// Decodes a Radiance picture.
///
/// # Errors
/// [`ImageError`]: another kind of file, one that ends early, damaged data, a layout that is not read, or a picture beyond the limits.
pub fn decode_hdr(bytes: &[u8], options: &LoadOptions) -> Result<Panorama, ImageError> {
    let decoded = decode(bytes, options);
    // A decoder that is cut off by the deadline reports missing bytes.
    decoded.or_else(|error| options.deadline.check(DECODING).map_err(Into::into).and(Err(error)))
}

fn malformed<T>(what: String) -> Result<T, ImageError> {
    Err(ImageError::Malformed { kind: KIND, what })
}

fn decode(bytes: &[u8], options: &LoadOptions) -> Result<Panorama, ImageError> {
    if !MARKS.iter().any(|mark| bytes.starts_with(mark)) {
        let start: String =
            bytes.iter().take(8).map(|byte| byte.escape_ascii().to_string()).collect();
        return malformed(format!("it starts with \"{start}\", not with #?RADIANCE"));
    }
    let (header, at) = Header::read(bytes)?;
    check_size(KIND, [header.width, header.height], 12, bytes.len(), options)?;
    let mut input = Input::new(KIND, bytes, at, options);
    let width = usize::try_from(header.width).unwrap_or(usize::MAX);
    let mut texels = Vec::new();
    let mut row = Vec::new();
    for number in 0..header.height {
        row.clear();
        read_row(&mut input, header.width, &mut row).map_err(|error| match error {
            ImageError::Malformed { what, .. } => {
                ImageError::Malformed { kind: KIND, what: format!("row {number}: {what}") }
            }
            ImageError::Truncated { what, .. } => {
                ImageError::Truncated { kind: KIND, what: format!("row {number}: {what}") }
            }
            other => other,
        })?;
        texels.extend(row.iter().map(|&texel| radiance(texel)));
    }
    if header.is_upward {
        let half = texels.len() / width / 2 * width;
        let (upper, lower) = texels.split_at_mut(half);
        for (row, opposite) in
            upper.chunks_exact_mut(width).zip(lower.chunks_exact_mut(width).rev())
        {
            row.swap_with_slice(opposite);
        }
    }
    Ok(Panorama { width: header.width, height: header.height, texels })
}

struct Header {
    width: u32,
    height: u32,
    /// Whether the first row is the lowest.
    is_upward: bool,
}

impl Header {
    /// The header, and the byte behind it.
    fn read(bytes: &[u8]) -> Result<(Self, usize), ImageError> {
        let mut at = 0;
        let mut is_behind_blank = false;
        loop {
            let rest = bytes.get(at..).unwrap_or_default();
            let rest = rest.get(..MOST_HEADER.min(rest.len())).unwrap_or_default();
            let Some(end) = rest.iter().position(|&byte| byte == b'\n') else {
                let what = format!("its header does not end: byte {at}");
                return Err(ImageError::Truncated { kind: KIND, what });
            };
            let line = String::from_utf8_lossy(rest.get(..end).unwrap_or_default());
            let line = line.trim();
            at = at.saturating_add(end).saturating_add(1);
            if at > MOST_HEADER {
                return malformed(format!("its header has more than {MOST_HEADER} bytes"));
            }
            if is_behind_blank {
                return Ok((Self::of_size(line)?, at));
            }
            if line.is_empty() {
                is_behind_blank = true;
            } else if let Some(format) = line.strip_prefix("FORMAT=")
                && format.trim() != "32-bit_rle_rgbe"
            {
                let what = format!("FORMAT={format}; read is 32-bit_rle_rgbe");
                return Err(ImageError::Unsupported { kind: KIND, what });
            }
        }
    }

    /// The line of the size: `-Y 512 +X 1024`.
    fn of_size(line: &str) -> Result<Self, ImageError> {
        let words: Vec<&str> = line.split_whitespace().collect();
        let [down, height, across, width] = words.as_slice() else {
            return malformed(format!("its size is {line:?}; expected -Y HEIGHT +X WIDTH"));
        };
        let is_upward = match (*down, *across) {
            ("-Y", "+X") => false,
            ("+Y", "+X") => true,
            _ => {
                let what = format!("rows in the order {line:?}; read are -Y +X and +Y +X");
                return Err(ImageError::Unsupported { kind: KIND, what });
            }
        };
        match (width.parse(), height.parse()) {
            (Ok(width), Ok(height)) => Ok(Self { width, height, is_upward }),
            _ => malformed(format!("its size is {line:?}; expected -Y HEIGHT +X WIDTH")),
        }
    }
}

/// Reads one row of pixels as stored.
fn read_row(input: &mut Input<'_>, width: u32, row: &mut Vec<[u8; 4]>) -> Result<(), ImageError> {
    let first = input.array::<4>()?;
    let [two, also_two, high, low] = first;
    let is_coded = (two, also_two) == (2, 2) && high < 128 && CODED_WIDTHS.contains(&width);
    if !is_coded {
        return read_old_row(input, width, first, row);
    }
    let coded = u32::from(high) << 8 | u32::from(low);
    if coded != width {
        return malformed(format!("it is coded for {coded} pixels, the picture has {width}"));
    }
    let width = usize::try_from(width).unwrap_or(usize::MAX);
    row.resize(width, [0; 4]);
    for channel in 0..4 {
        let mut filled = 0_usize;
        while filled < width {
            let code = usize::from(input.byte()?);
            let (count, is_run) = if code > 128 { (code - 128, true) } else { (code, false) };
            let end = filled.saturating_add(count);
            let Some(pixels) = row.get_mut(filled..end).filter(|_| count > 0) else {
                return malformed(format!("a run of {count} at pixel {filled} of {width}"));
            };
            let repeated = if is_run { [input.byte()?].repeat(count) } else { Vec::new() };
            let values = if is_run { repeated.as_slice() } else { input.take(count)? };
            for (pixel, &value) in pixels.iter_mut().zip(values) {
                if let Some(slot) = pixel.get_mut(channel) {
                    *slot = value;
                }
            }
            filled = end;
        }
    }
    Ok(())
}

/// Reads a row of plain pixels, of which one with mantissas of 1 repeats the pixel before it.
fn read_old_row(
    input: &mut Input<'_>,
    width: u32,
    first: [u8; 4],
    row: &mut Vec<[u8; 4]>,
) -> Result<(), ImageError> {
    let width = usize::try_from(width).unwrap_or(usize::MAX);
    let mut next = Some(first);
    let mut shift = 0;
    while row.len() < width {
        let pixel = match next.take() {
            Some(pixel) => pixel,
            None => input.array::<4>()?,
        };
        let [1, 1, 1, count] = pixel else {
            row.push(pixel);
            shift = 0;
            continue;
        };
        let count = usize::from(count).checked_shl(shift).unwrap_or(usize::MAX);
        let Some(&last) = row.last().filter(|_| count <= width - row.len() && shift <= 16) else {
            return malformed(format!("a run of {count} at pixel {} of {width}", row.len()));
        };
        row.extend(std::iter::repeat_n(last, count));
        shift += 8;
    }
    Ok(())
}

/// The radiance of a stored pixel.
fn radiance([r, g, b, exponent]: [u8; 4]) -> [f32; 3] {
    if exponent == 0 {
        return [0.0; 3];
    }
    // 2^(exponent - 136), exact.
    let scale = f64::from_bits((u64::from(exponent) + 1023 - 136) << 52);
    #[expect(clippy::cast_possible_truncation, reason = "at most 255 * 2^119")]
    let value = |mantissa: u8| (f64::from(mantissa) * scale) as f32;
    [value(r), value(g), value(b)]
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
        assert_eq!(radiance([255, 255, 255, 0]), [0.0; 3]);
        assert!(radiance([255, 255, 255, 255])[0].is_finite());
    }

    #[test]
    fn hdr_that_is_damaged_is_refused_with_its_place() {
        for (bytes, expected) in [
            (b"\x89PNG\r\n\x1a\n".to_vec(), "not with #?RADIANCE"),
            (b"#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n".to_vec(), "its header does not end"),
            (b"#?RADIANCE\nFORMAT=32-bit_rle_xyze\n\n".to_vec(), "read is 32-bit_rle_rgbe"),
            (file("-Y 512", &[]), "expected -Y HEIGHT +X WIDTH"),
            (file("-Y -4 +X 8", &[]), "expected -Y HEIGHT +X WIDTH"),
            (file("-X 4 +Y 8", &[]), "read are -Y +X and +Y +X"),
            (file("-Y 0 +X 8", &[]), "empty"),
            (file("-Y 99999 +X 99999", &[]), "limit"),
            (file("-Y 2 +X 8", &coded_row()), "row 1"),
            (file("-Y 1 +X 8", &[2, 2, 0, 9]), "row 0: it is coded for 9 pixels"),
            (file("-Y 1 +X 8", &[2, 2, 0, 8, 140, 7]), "row 0: a run of 12 at pixel 0 of 8"),
            (file("-Y 1 +X 8", &[2, 2, 0, 8, 0, 7]), "row 0: a run of 0 at pixel 0 of 8"),
            (file("-Y 1 +X 4", &[1, 1, 1, 3]), "row 0: a run of 3 at pixel 0 of 4"),
            (file("-Y 1 +X 4", &[9, 9, 9, 9, 1, 1, 1, 200]), "row 0: a run of 200 at pixel 1"),
        ] {
            let message = read(&bytes).expect_err(expected);
            assert!(message.contains(expected), "{message}");
        }
        let small = LoadOptions::from(Limits { max_image_bytes: 16, ..Limits::default() });
        let error = decode_hdr(&file("-Y 2 +X 8", &coded_row()), &small).unwrap_err();
        assert!(matches!(error, ImageError::Limit { .. }), "{error}");
        // No prefix of a sound file is read as a whole.
        let whole = file("-Y 2 +X 8", &[coded_row(), coded_row()].concat());
        for end in 0..whole.len() {
            read(&whole[..end]).expect_err("it is cut");
        }
    }
}
