//! The sRGB transfer function, exact in both directions for 8-bit codes.
//!
//! # Source
//! IEC 61966-2-1: linear below 0.0031308, otherwise `1.055 · x^(1/2.4) - 0.055`.

use super::func::pow_f64;
use super::lanes;
use crate::simd::prelude::*;
use crate::simd::{MAX_LANES, Simd};
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
    /// `threshold[c]` is the smallest `f32` whose nearest code is above `c`; the last entry is
    /// infinite.
    threshold: [f32; 256],
    /// The code at the lower end of each bucket.
    guess: [u8; GUESS_COUNT],
    /// For lanes, per bucket: that code times 2^16, plus the offset in the bucket of the next code;
    /// buckets are so narrow that no second code begins there.
    step: [u32; STEP_COUNT],
}

/// [`GUESS_COUNT`] rounded up to a power of two.
const STEP_COUNT: usize = GUESS_COUNT.next_power_of_two();
/// The bits of a float below its bucket.
const STEP_MASK: u32 = (1 << GUESS_SHIFT) - 1;

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
    let mut step = [0; STEP_COUNT];
    for (bucket, (&code, entry)) in (0_u32..).zip(guess.iter().zip(step.iter_mut())) {
        let into = threshold[usize::from(code)].to_bits() - GUESS_LOW - (bucket << GUESS_SHIFT);
        *entry = u32::from(code) << 16 | into.min(STEP_MASK + 1);
    }
    Box::new(Encoder { threshold, guess, step })
});

/// The 8-bit sRGB code nearest to a linear value; below 0 and NaN are 0, above 1 is 255.
///
/// Exact: the code is the number of code borders at or below `linear`.
#[inline]
#[must_use]
pub fn code_from_linear(linear: f32) -> u8 {
    code_with(&ENCODER, linear)
}

/// Encodes runs of values; fetches the tables once.
pub fn encode_codes(linear: &[f32], codes: &mut [u8]) {
    let encoder: &Encoder = &ENCODER;
    for (code, &value) in codes.iter_mut().zip(linear) {
        *code = code_with(encoder, value);
    }
}

/// The tables of [`code_from_linear`], fetched once for many values.
#[derive(Clone, Copy)]
pub struct LaneEncoder(&'static [u32; STEP_COUNT]);

impl LaneEncoder {
    /// Computes the tables on first use.
    #[must_use]
    pub fn new() -> Self {
        Self(&ENCODER.step)
    }

    /// [`code_from_linear`] in every lane.
    #[inline(always)]
    pub fn codes<S: Simd>(self, simd: S, linear: S::f32s) -> S::i32s {
        let mut entries = [0; MAX_LANES];
        let bits = Self::place(simd, linear, &mut entries);
        self.look_up::<S>(&mut entries);
        Self::choose(simd, bits, &entries)
    }

    /// First step of [`LaneEncoder::codes`]: the table index of every lane. With many vectors, do
    /// each step for all of them: a vector load after scalar stores to the same memory must wait
    /// for them.
    #[inline(always)]
    pub fn place<S: Simd>(simd: S, linear: S::f32s, entries: &mut [u32; MAX_LANES]) -> S::u32s {
        let held = lanes::clamp(simd, linear, f32::from_bits(GUESS_LOW), 1.0);
        let bits: S::u32s = held.bitcast();
        let bits = bits - GUESS_LOW;
        (bits >> GUESS_SHIFT).store_slice(&mut entries[..S::u32s::LEN]);
        bits
    }

    /// Second step: the table entries.
    #[inline(always)]
    pub fn look_up<S: Simd>(self, entries: &mut [u32; MAX_LANES]) {
        for entry in &mut entries[..S::u32s::LEN] {
            *entry = self.0[*entry as usize % STEP_COUNT];
        }
    }

    /// Last step: the code, one of the two remaining.
    #[inline(always)]
    pub fn choose<S: Simd>(simd: S, bits: S::u32s, entries: &[u32; MAX_LANES]) -> S::i32s {
        let entry = S::u32s::from_slice(simd, &entries[..S::u32s::LEN]);
        let into: S::i32s = (bits & STEP_MASK).bitcast();
        let begins: S::i32s = (entry & 0xffff).bitcast();
        let code: S::i32s = (entry >> 16_u32).bitcast();
        into.simd_ge(begins).select(code + 1, code)
    }
}

impl Default for LaneEncoder {
    fn default() -> Self {
        Self::new()
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
    use crate::simd::{Kernel, Level, run};

    struct Encode<'a>(&'a [f32]);

    impl Kernel for Encode<'_> {
        type Output = Vec<i32>;

        fn scalar(self) -> Vec<i32> {
            self.0.iter().map(|&value| i32::from(code_from_linear(value))).collect()
        }

        #[inline(always)]
        fn lanes<S: Simd>(self, simd: S) -> Vec<i32> {
            let mut codes = Vec::new();
            for values in self.0.chunks_exact(S::f32s::LEN) {
                let lanes = LaneEncoder::new().codes(simd, S::f32s::from_slice(simd, values));
                codes.extend_from_slice(lanes.as_slice());
            }
            codes
        }
    }

    #[test]
    fn encoding_in_lanes_gives_the_same_codes() {
        // Each boundary, its neighbours, the ends of each bucket, and invalid colours.
        let mut values = vec![-1.0, 7.0, f32::NAN, f32::INFINITY, 0.0, -0.0, 1.0, 1e-40];
        for threshold in &ENCODER.threshold[..255] {
            values.extend([threshold.next_down(), *threshold, threshold.next_up()]);
        }
        for bucket in 0..GUESS_COUNT as u32 {
            let low = GUESS_LOW + (bucket << GUESS_SHIFT);
            values.extend([low, low + 1, low + STEP_MASK].map(f32::from_bits));
        }
        values.resize(values.len().next_multiple_of(MAX_LANES), 0.5);
        let plain = run(Level::Scalar, Encode(&values));
        for level in Level::available() {
            assert_eq!(run(level, Encode(&values)), plain, "{level:?}");
        }
    }

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
