//! Reading memory at a different place in every lane: the only code of the project that reads without asking at each step.

use super::{MAX_LANES, Simd};
use fearless_simd::prelude::*;

/// A place in every lane, all within a number of values. They lie in memory: single lanes find them there sooner than in a vector.
#[derive(Clone, Copy)]
pub struct LaneIndices {
    lanes: [u32; MAX_LANES],
    /// All are below it.
    end: usize,
}

impl LaneIndices {
    /// The first value everywhere.
    pub const FIRST: Self = Self { lanes: [0; MAX_LANES], end: 1 };

    /// LaneIndices among `count` values.
    ///
    /// # Panics
    /// If one is not.
    #[inline(always)]
    pub fn among<S: Simd>(simd: S, places: S::u32s, count: usize) -> Self {
        let end = u32::try_from(count).expect("fewer than 2^32 values");
        assert!(places.simd_lt(end).all_true(), "places among the values");
        let mut lanes = [0; MAX_LANES];
        places.store_slice(&mut lanes[..S::u32s::LEN]);
        let _ = simd;
        Self { lanes, end: count }
    }
}

/// Four 16-bit values of every lane's place and the four that follow them: two to a word, the earlier in the lower half.
///
/// # Panics
/// If there may be a place without a value or without another behind it.
#[inline(always)]
pub fn gather_pairs<S: Simd>(simd: S, values: &[[u16; 4]], places: &LaneIndices) -> [S::u32s; 4] {
    assert!(places.end < values.len(), "places of values with another behind them");
    // SAFETY: in every lane `place` and `place + 1` are indices of `values`, so 16 bytes from the first on are its own.
    #[expect(unsafe_code, reason = "checked once for all lanes")]
    unsafe {
        gather(simd, values, &places.lanes)
    }
}

/// Four words of every lane's place.
///
/// # Panics
/// If a place is not that of a value.
#[inline(always)]
pub fn gather_words<S: Simd>(simd: S, values: &[[u32; 4]], places: S::u32s) -> [S::u32s; 4] {
    let places = LaneIndices::among(simd, places, values.len());
    // SAFETY: in every lane `place` is an index of `values`, whose items have 16 bytes.
    #[expect(unsafe_code, reason = "checked once for all lanes")]
    unsafe {
        gather(simd, values, &places.lanes)
    }
}

/// Four words from the value at every lane's place on.
///
/// # Safety
/// In every lane, 16 bytes from the value at that place on are within `values`.
#[inline(always)]
#[expect(unsafe_code, reason = "callers check once for all lanes")]
unsafe fn gather<S: Simd, T: bytemuck::Pod>(
    simd: S,
    values: &[T],
    places: &[u32; MAX_LANES],
) -> [S::u32s; 4] {
    let lanes = S::u32s::LEN;
    let mut words = [[0_u32; 4]; MAX_LANES];
    for lane in 0..lanes {
        let place = places[lane] as usize;
        // SAFETY: the caller's promise; any bits are a `[u32; 4]`, and nothing is asked of alignment.
        words[lane] = unsafe { values.as_ptr().add(place).cast::<[u32; 4]>().read_unaligned() };
    }
    deinterleave4(simd, &words.as_flattened()[..4 * lanes])
}

/// Tells the memory that the values at these places will be wanted soon; every `STEP`th lane speaks for its neighbours.
/// Nothing depends on it but time, and places that do not exist are no fault.
#[inline(always)]
pub fn prefetch<S: Simd, const STEP: usize>(values: &[[u16; 4]], places: &LaneIndices) {
    let mut lane = 0;
    while lane < S::u32s::LEN {
        prefetch_one(values, places.lanes[lane] as usize);
        lane += STEP;
    }
}

/// The same of one value.
#[inline(always)]
pub fn prefetch_one<T>(values: &[T], place: usize) {
    let address = values.as_ptr().wrapping_add(place);
    #[cfg(target_arch = "x86_64")]
    {
        use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: a prefetch reads nothing and faults nowhere, whatever the address.
        #[expect(unsafe_code, reason = "the instruction takes a pointer")]
        unsafe {
            _mm_prefetch::<_MM_HINT_T0>(address.cast());
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = address;
}

/// Four vectors as four numbers of every lane, lane by lane.
#[inline(always)]
pub fn interleave4<S: Simd>(simd: S, [a, b, c, d]: [S::u32s; 4]) -> [[u32; 4]; MAX_LANES] {
    let lanes = S::u32s::LEN;
    let (even_a, even_b) = a.interleave(c);
    let (odd_a, odd_b) = b.interleave(d);
    let (first, second) = even_a.interleave(odd_a);
    let (third, fourth) = even_b.interleave(odd_b);
    let mut numbers = [[0; 4]; MAX_LANES];
    let vectors = numbers.as_flattened_mut()[..4 * lanes].chunks_exact_mut(lanes);
    for (vector, out) in [first, second, third, fourth].into_iter().zip(vectors) {
        vector.store_slice(out);
    }
    let _ = simd;
    numbers
}

/// Four words of every lane, lane by lane, as four vectors.
///
/// # Panics
/// If there are fewer words.
#[inline(always)]
pub fn deinterleave4<S: Simd>(simd: S, words: &[u32]) -> [S::u32s; 4] {
    let lanes = S::u32s::LEN;
    let first = S::u32s::from_slice(simd, &words[..lanes]);
    let second = S::u32s::from_slice(simd, &words[lanes..2 * lanes]);
    let third = S::u32s::from_slice(simd, &words[2 * lanes..3 * lanes]);
    let fourth = S::u32s::from_slice(simd, &words[3 * lanes..4 * lanes]);
    let (even_a, odd_a) = first.deinterleave(second);
    let (even_b, odd_b) = third.deinterleave(fourth);
    let (a, c) = even_a.deinterleave(even_b);
    let (b, d) = odd_a.deinterleave(odd_b);
    [a, b, c, d]
}
