//! One value for each pixel, computed tile by tile from the pixels around it.
//!
//! Tiles with equal surroundings in both pictures are skipped, because compared pictures are mostly
//! equal.

use super::mask::Mask;
use rayon::prelude::*;
use tintype_model::frame::Frame;

/// Side of a tile in pixels: its planes stay in the cache of a core, and each thread takes a row of
/// tiles.
const TILE: usize = 64;

/// One value for each pixel of a picture.
#[derive(Clone, Debug, PartialEq)]
pub struct Map {
    /// Number of values per row.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// `width * height` values, rows from the top.
    pub values: Vec<f32>,
}

impl Map {
    /// The mean of all values, or of those in the mask. None if the mask is empty.
    #[must_use]
    pub fn mean(&self, mask: Option<&Mask>) -> Option<f64> {
        let (mut sum, mut count) = (0.0_f64, 0_usize);
        for (index, &value) in self.values.iter().enumerate() {
            if mask.is_none_or(|mask| mask.pixels.get(index) == Some(&true)) {
                sum += f64::from(value);
                count += 1;
            }
        }
        #[expect(clippy::cast_precision_loss, reason = "fewer pixels than 2^53")]
        (count > 0).then(|| sum / count as f64)
    }

    /// The largest value.
    #[must_use]
    pub fn largest(&self) -> f32 {
        self.values
            .iter()
            .fold(0.0, |largest, &value| if value > largest { value } else { largest })
    }
}

/// Extension of a picture beyond its edges.
#[derive(Clone, Copy, Debug)]
pub(super) enum Beyond {
    /// The pixel at the edge again and again.
    Edge,
    /// Its mirror image, the pixel at the edge twice.
    Mirror,
}

impl Beyond {
    /// Column or row of position `at`, in a picture with `side` columns or rows.
    fn place(self, at: usize, halo: usize, side: usize) -> usize {
        match self {
            Self::Edge => at.saturating_sub(halo).min(side - 1),
            Self::Mirror => {
                // Whole periods are added to avoid negative values.
                let period = 2 * side;
                let at = (at + halo.div_ceil(period) * period - halo) % period;
                if at < side { at } else { period - 1 - at }
            }
        }
    }
}

/// A tile with its halo.
pub(super) struct Window {
    /// Columns of the picture in the window: the tile, and the halo on both sides.
    pub columns: Vec<usize>,
    /// The rows, likewise.
    pub rows: Vec<usize>,
    /// Columns and rows of the tile itself.
    pub inner: [usize; 2],
}

impl Window {
    fn new(start: [usize; 2], size: [usize; 2], halo: usize, beyond: Beyond) -> Self {
        let [columns, rows] = [0, 1].map(|axis| {
            let end = (start[axis] + TILE).min(size[axis]);
            (start[axis]..end + 2 * halo).map(|at| beyond.place(at, halo, size[axis])).collect()
        });
        let columns: Vec<usize> = columns;
        let rows: Vec<usize> = rows;
        let inner = [columns.len() - 2 * halo, rows.len() - 2 * halo];
        Self { columns, rows, inner }
    }

    /// Pixels of the window, row by row.
    pub(super) fn pixels<'a>(&'a self, frame: &'a Frame) -> impl Iterator<Item = [u8; 4]> + 'a {
        let width = frame.width as usize;
        let rows = self.rows.iter().map(move |row| &frame.rgba[row * width..(row + 1) * width]);
        rows.flat_map(|row| self.columns.iter().map(|&column| row[column]))
    }
}

/// Computes a value for each pixel of two pictures of equal size.
///
/// `compute` gets a window, the code of the backdrop (0 or 255) to lay both pictures over, and the
/// values of its tile to fill, row by row. If both backdrops count, the value that is `worse` than
/// the other is kept; where the pictures are the same, it is `same`.
pub(super) fn by_tiles(
    pictures: [&Frame; 2],
    halo: usize,
    beyond: Beyond,
    same: f32,
    worse: impl Fn(f32, f32) -> bool + Sync,
    compute: impl Fn(&Window, f64, &mut [f32]) + Sync,
) -> Map {
    let [a, b] = pictures;
    assert_eq!([a.width, a.height], [b.width, b.height], "pictures of one size");
    let size = [a.width as usize, a.height as usize];
    let mut values = vec![same; size[0] * size[1]];
    let bands = values.par_chunks_mut((size[0] * TILE).max(1)).enumerate();
    bands.for_each(|(index, band)| {
        let (mut over_black, mut over_white) = (Vec::new(), Vec::new());
        for left in (0..size[0]).step_by(TILE) {
            let window = Window::new([left, index * TILE], size, halo, beyond);
            if window.pixels(a).eq(window.pixels(b)) {
                continue;
            }
            let count = window.inner[0] * window.inner[1];
            over_black.resize(count, same);
            compute(&window, 0.0, &mut over_black);
            let is_solid = |frame| window.pixels(frame).all(|[.., alpha]| alpha == 255);
            if !(is_solid(a) && is_solid(b)) {
                over_white.resize(count, same);
                compute(&window, 255.0, &mut over_white);
                for (value, &other) in over_black.iter_mut().zip(&over_white) {
                    if worse(other, *value) {
                        *value = other;
                    }
                }
            }
            let rows = band.chunks_mut(size[0]).zip(over_black.chunks(window.inner[0]));
            for (row, found) in rows {
                row[left..left + found.len()].copy_from_slice(found);
            }
        }
    });
    Map { width: a.width, height: a.height, values }
}

/// The codes of a pixel laid over a backdrop, 0..=255.
#[inline]
pub(super) fn laid_over([r, g, b, alpha]: [u8; 4], backdrop: f64) -> [f64; 3] {
    let codes = [r, g, b].map(f64::from);
    if alpha == 255 {
        return codes;
    }
    let share = f64::from(alpha) / 255.0;
    codes.map(|code| code * share + backdrop * (1.0 - share))
}

/// A plane of values that a filter runs over.
#[derive(Clone, Debug, Default)]
pub(super) struct Plane {
    pub width: usize,
    pub values: Vec<f64>,
}

impl Plane {
    /// Filters along the rows: the result has `margin` columns fewer on both sides, of which the
    /// filter uses the inner ones.
    pub(super) fn along_rows(&self, kernel: &[f64], margin: usize) -> Self {
        let first = margin - kernel.len() / 2;
        let width = self.width - 2 * margin;
        let mut values = vec![0.0; self.values.len() / self.width * width];
        let rows = self.values.chunks_exact(self.width).zip(values.chunks_exact_mut(width));
        for (from, to) in rows {
            for (offset, &weight) in kernel.iter().enumerate() {
                let from = &from[first + offset..first + offset + width];
                for (to, from) in to.iter_mut().zip(from) {
                    *to += weight * from;
                }
            }
        }
        Self { width, values }
    }

    /// Filtered along the columns, likewise.
    pub(super) fn along_columns(&self, kernel: &[f64], margin: usize) -> Self {
        let first = margin - kernel.len() / 2;
        let (width, rows) = (self.width, self.values.len() / self.width - 2 * margin);
        let mut values = vec![0.0; rows * width];
        for (row, to) in values.chunks_exact_mut(width).enumerate() {
            for (offset, &weight) in kernel.iter().enumerate() {
                let from = &self.values[(row + first + offset) * width..][..width];
                for (to, from) in to.iter_mut().zip(from) {
                    *to += weight * from;
                }
            }
        }
        Self { width, values }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edges_repeat_or_mirror_also_where_the_picture_is_smaller_than_the_halo() {
        let places = |beyond: Beyond, side| -> Vec<usize> {
            (0..side + 10).map(|at| beyond.place(at, 5, side)).collect()
        };
        assert_eq!(places(Beyond::Edge, 3), [0, 0, 0, 0, 0, 0, 1, 2, 2, 2, 2, 2, 2]);
        assert_eq!(places(Beyond::Mirror, 3), [1, 2, 2, 1, 0, 0, 1, 2, 2, 1, 0, 0, 1]);
        assert_eq!(places(Beyond::Mirror, 1), [0; 11]);
    }

    #[test]
    fn values_do_not_depend_on_where_tiles_end() {
        let mut a = Frame::new(150, 131);
        a.rgba.fill([10, 20, 30, 255]);
        let mut b = a.clone();
        for (index, pixel) in b.rgba.iter_mut().enumerate() {
            pixel[index % 3] = (index * 7919 % 251) as u8;
        }
        let count = |window: &Window, _: f64, values: &mut [f32]| {
            let seen: Vec<_> = window.pixels(&b).collect();
            for (index, value) in values.iter_mut().enumerate() {
                let (x, y) = (index % window.inner[0] + 3, index / window.inner[0] + 3);
                *value = seen[y * window.columns.len() + x][0].into();
            }
        };
        let map = by_tiles([&a, &b], 3, Beyond::Mirror, 0.0, |a, b| a > b, count);
        let wanted: Vec<f32> = b.rgba.iter().map(|pixel| pixel[0].into()).collect();
        assert_eq!(map.values, wanted);
    }

    #[test]
    fn mean_under_a_mask_counts_only_what_it_covers() {
        let map = Map { width: 4, height: 1, values: vec![0.0, 1.0, 0.5, 0.25] };
        let mask = Mask { width: 4, height: 1, pixels: vec![false, true, true, false] };
        assert_eq!((map.mean(None), map.mean(Some(&mask))), (Some(0.4375), Some(0.75)));
        let none = Mask { width: 4, height: 1, pixels: vec![false; 4] };
        assert_eq!((map.mean(Some(&none)), map.largest()), (None, 1.0));
    }
}
