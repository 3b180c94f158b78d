//! Gathering: loads from a different index in every lane. The only code of the project that reads
//! memory without a check at each access.

use super::{MAX_LANES, Simd};
use fearless_simd::prelude::*;

/// Indices, one per lane, all below a known count. Single lanes are loaded from memory, which is
/// faster than extracting them from a register.
#[derive(Clone, Copy)]
pub struct LaneIndices<S: Simd> {
    lanes: S::u32s,
    /// All lanes are below it.
    end: usize,
}

impl<S: Simd> LaneIndices<S> {
    /// Index 0 in every lane.
    #[inline(always)]
    pub fn first(simd: S) -> Self {
        Self { lanes: S::u32s::simd_from(simd, 0), end: 1 }
    }

    /// Checks indices against `count` values.
    ///
    /// # Panics
    /// If a lane is out of range.
    #[inline(always)]
    pub fn among(lanes: S::u32s, count: usize) -> Self {
        let end = u32::try_from(count).expect("fewer than 2^32 values");
        assert!(lanes.simd_lt(end).all_true(), "places among the values");
        Self { lanes, end: count }
    }

    /// [`Self::among`] for two vectors of indices.
    ///
    /// # Panics
    /// If a lane is out of range.
    #[inline(always)]
    pub fn both_among([a, b]: [S::u32s; 2], count: usize) -> [Self; 2] {
        let end = u32::try_from(count).expect("fewer than 2^32 values");
        assert!((a.simd_lt(end) & b.simd_lt(end)).all_true(), "places among the values");
        [Self { lanes: a, end: count }, Self { lanes: b, end: count }]
    }
}

/// Loads four 16-bit values at every lane's index and the four after them: two per word, the
/// earlier in the lower half.
///
/// # Panics
/// If a lane might be the index of the last value, or out of range.
#[inline(always)]
pub fn gather_pairs<S: Simd>(
    simd: S,
    values: &[[u16; 4]],
    places: &LaneIndices<S>,
) -> [S::u32s; 4] {
    assert!(places.end < values.len(), "places of values with another behind them");
    // SAFETY: in every lane `place` and `place + 1` are indices of `values`, so 16 bytes from the
    // first lie within it.
    #[expect(unsafe_code, reason = "checked once for all lanes")]
    unsafe {
        gather(simd, values, places)
    }
}

/// Loads eight 16-bit values at every lane's index: two per word, the earlier in the lower half.
///
/// # Panics
/// If fewer might follow in a lane.
#[inline(always)]
pub fn gather_eights<S: Simd>(simd: S, values: &[u16], places: &LaneIndices<S>) -> [S::u32s; 4] {
    assert!(places.end + 7 <= values.len(), "places of values with seven others behind them");
    // SAFETY: in every lane `place` and the seven places after it are indices of `values`, whose
    // items have 16 bytes.
    #[expect(unsafe_code, reason = "checked once for all lanes")]
    unsafe {
        gather(simd, values, places)
    }
}

/// Loads four words of every lane's index.
///
/// # Panics
/// If a lane is out of range.
#[inline(always)]
pub fn gather_words<S: Simd>(simd: S, values: &[[u32; 4]], places: S::u32s) -> [S::u32s; 4] {
    let places = &LaneIndices::among(places, values.len());
    // SAFETY: in every lane `place` is an index of `values`, whose items have 16 bytes.
    #[expect(unsafe_code, reason = "checked once for all lanes")]
    unsafe {
        gather(simd, values, places)
    }
}

/// Loads the row at every lane's index: groups of four words. Each lane's index is extracted from
/// its vector once for all of them.
///
/// # Panics
/// If a lane is out of range.
#[inline(always)]
pub fn gather_rows<S: Simd, const GROUPS: usize>(
    simd: S,
    rows: &[[[u32; 4]; GROUPS]],
    places: S::u32s,
) -> [[S::u32s; 4]; GROUPS] {
    let places = LaneIndices::<S>::among(places, rows.len());
    let lanes = S::u32s::LEN;
    let mut words = [[[0_u32; 4]; MAX_LANES]; GROUPS];
    for lane in 0..lanes {
        // SAFETY: in every lane `place` is an index of `rows`.
        #[expect(unsafe_code, reason = "checked once for all lanes")]
        let row = unsafe { rows.get_unchecked(places.lanes.as_slice()[lane] as usize) };
        for (words, group) in words.iter_mut().zip(row) {
            words[lane] = *group;
        }
    }
    let mut gathered = [[S::u32s::simd_from(simd, 0); 4]; GROUPS];
    for (gathered, words) in gathered.iter_mut().zip(&words) {
        *gathered = transposed(simd, words);
    }
    gathered
}

/// Loads four words at every lane's index.
///
/// # Safety
/// In every lane, 16 bytes from the value at that index lie within `values`.
#[inline(always)]
#[expect(unsafe_code, reason = "callers check once for all lanes")]
unsafe fn gather<S: Simd, T: bytemuck::Pod>(
    simd: S,
    values: &[T],
    places: &LaneIndices<S>,
) -> [S::u32s; 4] {
    let mut words = [[0_u32; 4]; MAX_LANES];
    // By number: an iterator over lanes is not unrolled, and the words would be stored one by one.
    let lanes = places.lanes.as_slice();
    for lane in 0..S::u32s::LEN {
        let place = lanes[lane] as usize;
        // SAFETY: the caller guarantees the range; any bits are a `[u32; 4]`, and the read may be
        // unaligned.
        words[lane] = unsafe { values.as_ptr().add(place).cast::<[u32; 4]>().read_unaligned() };
    }
    transposed(simd, &words)
}

/// Four words per lane as four vectors. [`deinterleave4`] does the same for words that are adjacent
/// in memory; these come from different places, so with AVX2 each half of a vector is put together
/// and transposed on its own, which needs no shuffle across halves.
#[inline(always)]
fn transposed<S: Simd>(simd: S, words: &[[u32; 4]; MAX_LANES]) -> [S::u32s; 4] {
    #[cfg(target_arch = "x86_64")]
    if S::u32s::LEN == 8
        && let fearless_simd::Level::Avx2(_) = simd.level()
    {
        use core::arch::x86_64::{
            __m256i, _mm256_unpackhi_epi32, _mm256_unpackhi_epi64, _mm256_unpacklo_epi32,
            _mm256_unpacklo_epi64,
        };
        let rows: [__m256i; 4] = [
            bytemuck::cast([words[0], words[4]]),
            bytemuck::cast([words[1], words[5]]),
            bytemuck::cast([words[2], words[6]]),
            bytemuck::cast([words[3], words[7]]),
        ];
        let [first, second, third, fourth] = rows;
        // SAFETY: the level is proof of the instructions.
        #[expect(unsafe_code, reason = "instructions of the level")]
        let columns = unsafe {
            let (ab, cd) =
                (_mm256_unpacklo_epi32(first, second), _mm256_unpackhi_epi32(first, second));
            let (ab_after, cd_after) =
                (_mm256_unpacklo_epi32(third, fourth), _mm256_unpackhi_epi32(third, fourth));
            [
                _mm256_unpacklo_epi64(ab, ab_after),
                _mm256_unpackhi_epi64(ab, ab_after),
                _mm256_unpacklo_epi64(cd, cd_after),
                _mm256_unpackhi_epi64(cd, cd_after),
            ]
        };
        let mut vectors = [S::u32s::simd_from(simd, 0); 4];
        for (vector, column) in vectors.iter_mut().zip(columns) {
            let column: [u32; 8] = bytemuck::cast(column);
            *vector = S::u32s::from_slice(simd, &column);
        }
        return vectors;
    }
    deinterleave4(simd, &words.as_flattened()[..4 * S::u32s::LEN])
}

/// Prefetches the values at these indices; one load for every `STEP` lanes. It affects time only,
/// and indices may be out of range.
#[inline(always)]
pub fn prefetch<S: Simd, const STEP: usize>(values: &[[u16; 4]], places: &LaneIndices<S>) {
    let mut lane = 0;
    while lane < S::u32s::LEN {
        prefetch_one(values, places.lanes.as_slice()[lane] as usize);
        lane += STEP;
    }
}

/// Prefetches one value.
#[inline(always)]
pub fn prefetch_one<T>(values: &[T], place: usize) {
    let address = values.as_ptr().wrapping_add(place);
    #[cfg(target_arch = "x86_64")]
    {
        use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: a prefetch reads nothing and never faults, whatever the address.
        #[expect(unsafe_code, reason = "the instruction takes a pointer")]
        unsafe {
            _mm_prefetch::<_MM_HINT_T0>(address.cast());
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = address;
}

/// Four vectors as four numbers per lane, lane by lane.
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

/// Four words per lane, lane by lane, as four vectors.
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
