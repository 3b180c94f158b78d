//! Thresholds of ordered dither.
//!
//! # Source
//! Bayer, "An Optimum Method for Two-Level Rendition of Continuous-Tone Pictures", ICC 1973: the
//! matrix of 8 by 8.

/// Side of the matrix.
pub const SIDE: u32 = 8;

/// Rank of a pixel in the matrix, 0..64: each once in every square of 8 by 8 pixels.
#[must_use]
pub fn rank(x: u32, y: u32) -> u32 {
    let both = x ^ y;
    (both & 1) << 5 | (y & 1) << 4 | (both & 2) << 2 | (y & 2) << 1 | (both & 4) >> 1 | (y & 4) >> 2
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn matrix_has_every_rank_once_in_each_square() {
        for (left, top) in [(0, 0), (1000, 40), (3, 5)] {
            let mut ranks: Vec<u32> =
                (0..64).map(|pixel| rank(left + pixel % 8, top + pixel / 8)).collect();
            ranks.sort_unstable();
            assert!(ranks.into_iter().eq(0..64));
        }
        assert!(rank(0, 0).abs_diff(rank(1, 0)) >= 32, "neighbours differ most");
    }
}
