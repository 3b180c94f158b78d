//! Distances as grey PNG pictures of 16 bits, in thousandths of a unit: millimetres of a scene in
//! metres.

use super::png_chunks::{push, push_end, push_signature, push_text, push_wide_head};
use super::png_pixels::zlib;

/// Thousandths of a unit.
const PER_UNIT: f64 = 1000.0;

/// Rounds distances to whole thousandths, ties away from 0; 0 means no surface.
///
/// # Errors
/// The first distance that 16 bits cannot hold: negative, above 65.535, or NaN.
pub fn in_thousandths(distances: &[f32]) -> Result<Vec<u16>, f32> {
    let rounded = |&distance: &f32| {
        let whole = (f64::from(distance) * PER_UNIT + 0.5).floor();
        let fits = (0.0..=f64::from(u16::MAX)).contains(&whole);
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "it is whole and in range"
        )]
        fits.then_some(whole as u16).ok_or(distance)
    };
    distances.iter().map(rounded).collect()
}

/// Encodes values row by row, with text chunks before them.
///
/// # Panics
/// If the values do not fill the picture.
#[must_use]
pub fn encode_grey(size: [u32; 2], values: &[u16], text: &[(String, String)]) -> Vec<u8> {
    let [width, height] = size.map(|side| side as usize);
    assert!(width > 0 && height > 0 && values.len() == width * height, "a whole picture");
    // Each row as its difference to the row above, the filter for slopes.
    let mut filtered = Vec::with_capacity(height * (2 * width + 1));
    let mut above = vec![0_u8; 2 * width];
    for row in values.chunks_exact(width) {
        const UP: u8 = 2;
        filtered.push(UP);
        let bytes: Vec<u8> = row.iter().flat_map(|value| value.to_be_bytes()).collect();
        filtered.extend(bytes.iter().zip(&above).map(|(own, above)| own.wrapping_sub(*above)));
        above = bytes;
    }
    let compressed = zlib(&filtered);
    let mut file = Vec::new();
    push_wide_head(&mut file, size);
    push_text(&mut file, text);
    push_signature(&mut file, &compressed, &format!("{:08x}", crc32fast::hash(&filtered)));
    push(&mut file, *b"IDAT", &[&compressed]);
    push_end(&mut file);
    file
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check_png;

    #[test]
    fn values_are_read_back_by_another_decoder() {
        let values: Vec<u16> = (0..6).map(|at| at * 10_007).collect();
        let text = vec![("a".to_owned(), "b".to_owned())];
        let file = encode_grey([3, 2], &values, &text);
        let picture = image::load_from_memory(&file).unwrap();
        assert_eq!(picture.as_luma16().unwrap().as_raw(), &values);
        let head = check_png(&file).unwrap();
        assert_eq!((head.size, &head.text[0]), ([3, 2], &text[0]));
    }

    #[test]
    fn distances_are_thousandths_and_far_ones_are_refused() {
        let found = in_thousandths(&[0.0, 0.0004, 0.0005, 1.234_6, 65.535]);
        assert_eq!(found, Ok(vec![0, 0, 1, 1235, 65535]));
        for wrong in [65.536, -0.001, f32::INFINITY] {
            assert_eq!(in_thousandths(&[1.0, wrong]), Err(wrong));
        }
        assert!(in_thousandths(&[f32::NAN]).is_err());
    }
}
