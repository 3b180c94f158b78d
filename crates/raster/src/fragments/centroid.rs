//! Shading positions: the centre of a pixel, or the centroid of the samples covered by a fragment.

use crate::fragments::fragment::Fragment;
use crate::geometry::edge::{SamplePattern, UNIT};
use crate::geometry::grid::Rect;
/// Shading positions of every set of samples, up to [`Centroids::MAX_SAMPLES`] samples per pixel.
pub(crate) struct Centroids {
    pattern: SamplePattern,
    table: Vec<[i32; 2]>,
}

impl Centroids {
    const MAX_SAMPLES: usize = 8;

    pub(crate) fn new(pattern: SamplePattern) -> Self {
        if pattern.len() > Self::MAX_SAMPLES {
            return Self { pattern, table: Vec::new() };
        }
        let sets = 0..1_u16 << pattern.len();
        let table = sets.map(|samples| position_in_pixel(pattern, samples)).collect();
        Self { pattern, table }
    }

    #[inline]
    pub(crate) fn of(&self, samples: u16) -> [i32; 2] {
        match self.table.get(usize::from(samples)) {
            Some(&place) => place,
            None => position_in_pixel(self.pattern, samples),
        }
    }
}

/// Position of a fragment within its pixel: the centre if it fills the pixel, otherwise the
/// centroid of its samples.
#[expect(clippy::cast_possible_wrap, reason = "at most 16 samples")]
pub(crate) fn position_in_pixel(pattern: SamplePattern, samples: u16) -> [i32; 2] {
    let count = samples.count_ones() as i32;
    if samples.count_ones() as usize == pattern.len() || count == 0 {
        return [UNIT / 2, UNIT / 2];
    }
    let sum = |axis: usize| {
        (0..pattern.len())
            .filter(|sample| samples & (1 << sample) != 0)
            .map(|sample| pattern[sample][axis])
            .sum::<i32>()
    };
    [(sum(0) + count / 2) / count, (sum(1) + count / 2) / count]
}

/// Absolute shading position of a fragment, in 1/256 pixel.
#[expect(clippy::cast_possible_wrap, reason = "a picture has at most 2^14 pixels a side")]
pub(crate) fn shading_position(
    pattern: SamplePattern,
    rect: &Rect,
    fragment: &Fragment,
) -> (i32, i32) {
    let [x, y] = position_in_pixel(pattern, fragment.samples);
    let (column, row) = (rect.x + fragment.morton.column(), rect.y + fragment.morton.row());
    (column as i32 * UNIT + x, row as i32 * UNIT + y)
}
