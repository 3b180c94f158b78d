//! Transposition between eight numbers of one vertex and eight vertices side by side, and loads and
//! stores of partial vectors.

use crate::simd::prelude::*;
use crate::simd::{MAX_LANES, Simd, f32x8, u8x32};

/// Vertices that are transposed at once.
pub(super) const ROWS: usize = 8;

/// Byte shuffle that broadcasts number `k` of each half of eight numbers.
const fn bytes_of(k: usize) -> [u8; 32] {
    const PLACES: [u8; 16] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15];
    let mut bytes = [0; 32];
    let mut at = 0;
    while at < 32 {
        bytes[at] = PLACES[4 * k + at % 4];
        at += 1;
    }
    bytes
}

/// Broadcasts number `K` of each half to all lanes of that half.
#[inline(always)]
pub(super) fn spread<S: Simd, const K: usize>(simd: S, numbers: &[f32; 8]) -> f32x8<S> {
    let bytes = u8x32::from_slice(simd, const { &bytes_of(K) });
    f32x8::from_slice(simd, numbers).swizzle_dyn_within_blocks(bytes)
}

/// Transposes eight rows to the first three columns of each half.
#[inline(always)]
pub(super) fn turn<S: Simd>([a, b, c, d, e, f, g, h]: [f32x8<S>; ROWS]) -> [[f32x8<S>; 3]; 2] {
    let (ae_low, ae_high) = a.interleave(e);
    let (bf_low, bf_high) = b.interleave(f);
    let (cg_low, cg_high) = c.interleave(g);
    let (dh_low, dh_high) = d.interleave(h);
    let (even_01, even_23) = ae_low.interleave(cg_low);
    let (odd_01, odd_23) = bf_low.interleave(dh_low);
    let (even_45, even_67) = ae_high.interleave(cg_high);
    let (odd_45, odd_67) = bf_high.interleave(dh_high);
    let (zero, one) = even_01.interleave(odd_01);
    let (two, _) = even_23.interleave(odd_23);
    let (four, five) = even_45.interleave(odd_45);
    let (six, _) = even_67.interleave(odd_67);
    [[zero, one, two], [four, five, six]]
}

/// Stores the first lanes of three vectors, as many as fit, to three streams from `start`.
#[inline(always)]
pub(super) fn store<S: Simd>(vectors: [f32x8<S>; 3], out: &mut [&mut [f32]; 3], start: usize) {
    for (vector, out) in vectors.iter().zip(out) {
        let out = &mut out[start..];
        match out.first_chunk_mut::<ROWS>() {
            Some(out) => vector.store_slice(out),
            None => store_rest(vector.as_slice(), out),
        }
    }
}

/// Stores as many numbers as fit. Separate from the path of whole vectors: combined, both become a
/// call that copies a length known at run time.
#[cold]
#[inline(never)]
fn store_rest(numbers: &[f32], out: &mut [f32]) {
    out.copy_from_slice(&numbers[..out.len()]);
}

/// Loads a vector from the first numbers, padded with ones.
#[inline(always)]
pub(super) fn load_first<S: Simd>(simd: S, numbers: &[f32]) -> S::f32s {
    let lanes = S::f32s::LEN;
    if numbers.len() >= lanes {
        return S::f32s::from_slice(simd, &numbers[..lanes]);
    }
    S::f32s::from_slice(simd, &padded(numbers)[..lanes])
}

#[cold]
#[inline(never)]
fn padded(numbers: &[f32]) -> [f32; MAX_LANES] {
    let mut all = [1.0; MAX_LANES];
    all[..numbers.len()].copy_from_slice(numbers);
    all
}

/// Stores the first lanes, as many as fit.
#[inline(always)]
pub(super) fn store_first<S: Simd>(vector: S::f32s, out: &mut [f32]) {
    let lanes = S::f32s::LEN;
    if out.len() >= lanes {
        vector.store_slice(&mut out[..lanes]);
    } else {
        store_rest(vector.as_slice(), out);
    }
}
