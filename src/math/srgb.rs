//! The sRGB transfer function, exact in both directions for 8-bit codes.
//!
//! # Source
//! IEC 61966-2-1: linear below 0.0031308, else `1.055 · x^(1/2.4) - 0.055`.

use super::func::pow_f64;
use std::sync::LazyLock;

/// The linear value of an 8-bit sRGB code, in `f64`.
#[must_use]
pub fn linear_from_code(code: u8) -> f64 {
    linear_from_encoded(f64::from(code) / 255.0)
}

/// The linear value, 0..=1, of an encoded value, 0..=1.
#[must_use]
pub fn linear_from_encoded(encoded: f64) -> f64 {
    if encoded <= 0.040_45 { encoded / 12.92 } else { pow_f64((encoded + 0.055) / 1.055, 2.4) }
}

/// Buckets of the first guess: the top bits of the float from 2^-13 up to 1.
const GUESS_SHIFT: u32 = 15;
const GUESS_LOW: u32 = 0x3900_0000; // 2^-13, below half of the first code
const GUESS_COUNT: usize = ((0x3f80_0000 - GUESS_LOW) >> GUESS_SHIFT) as usize + 1;

/// Tables that turn a linear `f32` into the nearest 8-bit sRGB code.
struct Encoder {
    /// `threshold[c]` is the smallest `f32` whose nearest code is above `c`; the last entry is infinite.
    threshold: [f32; 256],
    /// The code at the lower end of each bucket.
    guess: [u8; GUESS_COUNT],
}

static ENCODER: LazyLock<Box<Encoder>> = LazyLock::new(|| {
    let mut threshold = [f32::INFINITY; 256];
    for (code, entry) in threshold.iter_mut().enumerate().take(255) {
        #[expect(clippy::cast_precision_loss, reason = "at most 255")]
        let middle = linear_from_encoded((code as f64 + 0.5) / 255.0);
        #[expect(clippy::cast_possible_truncation, reason = "rounded up just below")]
        let rounded = middle as f32;
        *entry = if f64::from(rounded) < middle { rounded.next_up() } else { rounded };
    }
    let mut guess = [0; GUESS_COUNT];
    let mut code = 0_u8;
    for (bucket, entry) in (0_u32..).zip(guess.iter_mut()) {
        let low = f32::from_bits(GUESS_LOW + (bucket << GUESS_SHIFT));
        while threshold[usize::from(code)] <= low {
            code += 1;
        }
        *entry = code;
    }
    Box::new(Encoder { threshold, guess })
});

/// The 8-bit sRGB code nearest to a linear value; below 0 and NaN are 0, above 1 is 255.
///
/// Exact: the code is the number of code borders at or below `linear`.
#[inline]
#[must_use]
pub fn code_from_linear(linear: f32) -> u8 {
    code_with(&ENCODER, linear)
}

/// Encodes runs of values without looking the table up anew for each.
pub fn encode_codes(linear: &[f32], codes: &mut [u8]) {
    let encoder: &Encoder = &ENCODER;
    for (code, &value) in codes.iter_mut().zip(linear) {
        *code = code_with(encoder, value);
    }
}

#[inline(always)]
fn code_with(encoder: &Encoder, linear: f32) -> u8 {
    let held = super::min(super::max(linear, f32::from_bits(GUESS_LOW)), 1.0);
    let bucket = (held.to_bits() - GUESS_LOW) >> GUESS_SHIFT;
    let mut code = encoder.guess[bucket as usize];
    while encoder.threshold[usize::from(code)] <= held {
        code += 1;
    }
    code
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_survives_the_round_trip() {
        for code in 0..=255_u8 {
            assert_eq!(code_from_linear(linear_from_code(code) as f32), code);
        }
    }

    #[test]
    fn encoding_rounds_to_the_nearest_code() {
        let exact = |x: f64| {
            let encoded =
                if x <= 0.003_130_8 { 12.92 * x } else { 1.055 * pow_f64(x, 1.0 / 2.4) - 0.055 };
            (encoded.clamp(0.0, 1.0) * 255.0).round() as u8
        };
        for step in 0..=400_000 {
            let value = step as f32 / 400_000.0;
            assert_eq!(code_from_linear(value), exact(f64::from(value)), "{value}");
        }
        assert_eq!(code_from_linear(-1.0), 0);
        assert_eq!(code_from_linear(7.0), 255);
        assert_eq!(code_from_linear(f32::NAN), 0);
        assert_eq!(code_from_linear(f32::INFINITY), 255);
    }
}
