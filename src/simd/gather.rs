//! Reading memory at a different place in every lane: the only code of the project that reads without asking at each step.

use super::{MAX_LANES, Simd};
use fearless_simd::prelude::*;

/// Four 16-bit values of every lane's place and the four that follow them: two to a word, the earlier in the lower half.
///
/// # Panics
/// If a place is not that of a value with another behind it.
#[inline(always)]
pub fn gather_pairs<S: Simd>(simd: S, values: &[[u16; 4]], places: S::i32s) -> [S::u32s; 4] {
    let end = i32::try_from(values.len()).expect("fewer than 2^31 values") - 1;
    let is_within = places.simd_ge(0) & places.simd_lt(end);
    assert!(is_within.all_true(), "places among the values");
    // SAFETY: in every lane `place` and `place + 1` are indices of `values`, so 16 bytes from the first on are its own.
    #[expect(unsafe_code, reason = "checked once for all lanes")]
    unsafe {
        gather(simd, values, places)
    }
}

/// Four words of every lane's place.
///
/// # Panics
/// If a place is not that of a value.
#[inline(always)]
pub fn gather_words<S: Simd>(simd: S, values: &[[u32; 4]], places: S::i32s) -> [S::u32s; 4] {
    let end = i32::try_from(values.len()).expect("fewer than 2^31 values");
    let is_within = places.simd_ge(0) & places.simd_lt(end);
    assert!(is_within.all_true(), "places among the values");
    // SAFETY: in every lane `place` is an index of `values`, whose items have 16 bytes.
    #[expect(unsafe_code, reason = "checked once for all lanes")]
    unsafe {
        gather(simd, values, places)
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
    places: S::i32s,
) -> [S::u32s; 4] {
    let lanes = S::i32s::LEN;
    let places = places.as_slice();
    let mut words = [[0_u32; 4]; MAX_LANES];
    for lane in 0..lanes {
        #[expect(clippy::cast_sign_loss, reason = "within `values`")]
        let place = places[lane] as usize;
        // SAFETY: the caller's promise; any bits are a `[u32; 4]`, and nothing is asked of alignment.
        words[lane] = unsafe { values.as_ptr().add(place).cast::<[u32; 4]>().read_unaligned() };
    }
    unmingle(simd, &words.as_flattened()[..4 * lanes])
}

/// Tells the memory that the values at these places will be wanted soon; every `STEP`th lane speaks for its neighbours.
/// Nothing depends on it but time, and places that do not exist are no fault.
#[inline(always)]
pub fn prefetch<S: Simd, const STEP: usize>(values: &[[u16; 4]], places: S::i32s) {
    #[cfg(target_arch = "x86_64")]
    {
        use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        let places = places.as_slice();
        let mut lane = 0;
        while lane < S::i32s::LEN {
            let address = values.as_ptr().wrapping_offset(places[lane] as isize);
            // SAFETY: a prefetch reads nothing and faults nowhere, whatever the address.
            #[expect(unsafe_code, reason = "the instruction takes a pointer")]
            unsafe {
                _mm_prefetch::<_MM_HINT_T0>(address.cast());
            }
            lane += STEP;
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (values, places);
}

/// Four words of every lane, lane by lane, as four vectors.
///
/// # Panics
/// If there are fewer words.
#[inline(always)]
pub fn unmingle<S: Simd>(simd: S, words: &[u32]) -> [S::u32s; 4] {
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
