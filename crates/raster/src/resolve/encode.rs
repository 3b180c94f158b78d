//! Linear premultiplied colours -> 8-bit sRGB with straight alpha.

use crate::interpolate::packet::BATCH;
use tintype_model::math::lanes;
use tintype_model::math::srgb;
use tintype_model::math::srgb::LaneEncoder;
use tintype_model::simd::prelude::*;
use tintype_model::simd::{MAX_LANES, Simd};

/// Encodes one premultiplied linear colour as straight 8-bit sRGB.
pub(crate) fn encode_pixel(premultiplied: [f32; 4]) -> [u8; 4] {
    let [r, g, b, alpha] = premultiplied;
    if alpha <= 0.0 {
        return [0; 4];
    }
    let straight = if alpha < 1.0 { [r / alpha, g / alpha, b / alpha] } else { [r, g, b] };
    let [r, g, b] = straight.map(srgb::code_from_linear);
    #[expect(clippy::cast_possible_truncation, reason = "held to 0..=255.5")]
    #[expect(clippy::cast_sign_loss, reason = "above 0")]
    let alpha = (tintype_model::math::min(alpha, 1.0) * 255.0 + 0.5) as u8;
    [r, g, b, alpha]
}

/// Vectors of pixels between the steps of [`Encoding::encode`].
pub(crate) struct Encoding<S: Simd> {
    bits: [[S::u32s; 3]; BATCH],
    entries: [[[u32; MAX_LANES]; 3]; BATCH],
    /// Straight 8-bit sRGB with alpha, red in the lowest byte.
    pub codes: [S::u32s; BATCH],
}

impl<S: Simd> Encoding<S> {
    #[inline(always)]
    pub(crate) fn new(simd: S) -> Self {
        let zero = S::u32s::simd_from(simd, 0);
        Self {
            bits: [[zero; 3]; BATCH],
            entries: [[[0; MAX_LANES]; 3]; BATCH],
            codes: [zero; BATCH],
        }
    }

    /// Encodes premultiplied linear RGBA: [`encode_pixel`] in every lane. With `OPAQUE`, alpha is 1
    /// everywhere.
    #[inline(always)]
    pub(crate) fn encode<const OPAQUE: bool>(
        &mut self,
        simd: S,
        encoder: LaneEncoder,
        colors: &[[S::f32s; 4]],
    ) {
        let Self { bits, entries, codes } = self;
        for ((color, bits), entries) in colors.iter().zip(&mut *bits).zip(&mut *entries) {
            let [r, g, b, _] = *color;
            let straight = if OPAQUE { [r, g, b] } else { straight::<S>(color) };
            for ((&value, bits), entries) in straight.iter().zip(bits).zip(entries) {
                *bits = LaneEncoder::place(simd, value, entries);
            }
        }
        for entries in entries.as_flattened_mut().iter_mut().take(3 * colors.len()) {
            encoder.look_up::<S>(entries);
        }
        for (((color, bits), entries), code) in colors.iter().zip(bits).zip(entries).zip(codes) {
            let r = LaneEncoder::choose(simd, bits[0], &entries[0]);
            let g = LaneEncoder::choose(simd, bits[1], &entries[1]);
            let b = LaneEncoder::choose(simd, bits[2], &entries[2]);
            let rgb = r | (g << 8_u32) | (b << 16_u32);
            *code = if OPAQUE {
                (rgb | S::i32s::simd_from(simd, 255 << 24)).bitcast()
            } else {
                pack(simd, rgb, color[3])
            };
        }
    }
}

/// Divides colour by alpha.
#[inline(always)]
fn straight<S: Simd>(&[r, g, b, alpha]: &[S::f32s; 4]) -> [S::f32s; 3] {
    let is_clear = alpha.simd_lt(1.0);
    if is_clear.any_true() {
        return [
            is_clear.select(r / alpha, r),
            is_clear.select(g / alpha, g),
            is_clear.select(b / alpha, b),
        ];
    }
    [r, g, b]
}

/// Packs codes with alpha in the highest byte.
#[inline(always)]
fn pack<S: Simd>(simd: S, rgb: S::i32s, alpha: S::f32s) -> S::u32s {
    let is_seen = alpha.simd_gt(0.0);
    let held = lanes::clamp(simd, alpha, 0.0, 1.0);
    let a = lanes::to_int_in_range::<S>(held * 255.0 + 0.5);
    is_seen.select(rgb | (a << 24_u32), S::i32s::simd_from(simd, 0)).bitcast()
}
