//! Exact difference of two frames.
//!
//! Every channel of every pixel counts, including alpha. Where both frames have an alpha of 0
//! nothing is visible, and the colour is ignored: PNG optimizers change it arbitrarily.

use tintype_model::frame::Frame;

/// Difference of two frames.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Difference {
    /// The sizes differ; nothing else was compared.
    Size {
        /// Width and height that were expected.
        expected: [u32; 2],
        /// Width and height that were found.
        found: [u32; 2],
    },
    /// Pixels of equal frames differ.
    Pixels(PixelDifference),
}

/// Pixels that differ.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PixelDifference {
    /// Number of pixels that differ in any channel.
    pub count: usize,
    /// The largest difference of a channel, 1..=255.
    pub largest: u8,
    /// The mean difference of all channels of all pixels, 0..=255.
    pub mean: f64,
    /// Column and row of the first pixel that differs, row by row.
    pub first: [u32; 2],
    /// Column and row of a pixel with the largest difference: the first one.
    pub worst: [u32; 2],
    /// The smallest column and row of the change.
    pub low: [u32; 2],
    /// The largest column and row of the change.
    pub high: [u32; 2],
}

impl core::fmt::Display for Difference {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::Size { expected: [w, h], found: [x, y] } => {
                write!(f, "{x}x{y} pixels; expected {w}x{h}")
            }
            Self::Pixels(d) => {
                let differ = if d.count == 1 { "pixel differs" } else { "pixels differ" };
                // A mean of a few pixels of many is far below a code.
                let digits = if d.mean < 0.1 { 4 } else { 2 };
                write!(
                    f,
                    "{} {differ}: max {} at ({}, {}), mean {:.digits$}; first at ({}, {}), bounding box ({}, {}) to ({}, {})",
                    tintype_base::amount::thousands(d.count),
                    d.largest,
                    d.worst[0],
                    d.worst[1],
                    d.mean,
                    d.first[0],
                    d.first[1],
                    d.low[0],
                    d.low[1],
                    d.high[0],
                    d.high[1]
                )
            }
        }
    }
}

/// True if two pixels are equal, or both have an alpha of 0, so that their colour is invisible.
pub(crate) fn looks_same(a: [u8; 4], b: [u8; 4]) -> bool {
    a == b || a[3] == 0 && b[3] == 0
}

/// Compares two frames exactly. None if everything visible is equal.
#[must_use]
pub fn compare(expected: &Frame, found: &Frame) -> Option<Difference> {
    let sizes = [[expected.width, expected.height], [found.width, found.height]];
    if sizes[0] != sizes[1] {
        return Some(Difference::Size { expected: sizes[0], found: sizes[1] });
    }
    let mut seen: Option<PixelDifference> = None;
    let mut sum = 0_u64;
    let width = expected.width;
    for (index, (a, b)) in (0_u32..).zip(expected.rgba.iter().zip(&found.rgba)) {
        if looks_same(*a, *b) {
            continue;
        }
        let place = [index % width, index / width];
        let channels: [u8; 4] = core::array::from_fn(|k| a[k].abs_diff(b[k]));
        let largest = channels.into_iter().max().unwrap_or(0);
        sum += channels.iter().map(|&channel| u64::from(channel)).sum::<u64>();
        let d = seen.get_or_insert(PixelDifference {
            count: 0,
            largest: 0,
            mean: 0.0,
            first: place,
            worst: place,
            low: place,
            high: place,
        });
        d.count += 1;
        if largest > d.largest {
            (d.largest, d.worst) = (largest, place);
        }
        d.low = [d.low[0].min(place[0]), d.low[1].min(place[1])];
        d.high = [d.high[0].max(place[0]), d.high[1].max(place[1])];
    }
    #[expect(clippy::cast_precision_loss, reason = "a mean for people")]
    let mean = sum as f64 / (expected.rgba.len() as f64 * 4.0);
    seen.map(|difference| Difference::Pixels(PixelDifference { mean, ..difference }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(changes: &[(u32, u32, [u8; 4])]) -> Frame {
        let mut frame = Frame::new(8, 6);
        for &(x, y, pixel) in changes {
            frame.rgba[(y * 8 + x) as usize] = pixel;
        }
        frame
    }

    #[test]
    fn compare_of_equal_frames_is_nothing() {
        assert_eq!(compare(&frame(&[]), &frame(&[])), None);
    }

    #[test]
    fn compare_sees_colour_only_where_one_side_has_alpha() {
        assert_eq!(compare(&frame(&[]), &frame(&[(3, 2, [9, 0, 0, 0])])), None);
        let found = compare(&frame(&[(0, 0, [1, 0, 0, 0])]), &frame(&[(3, 2, [9, 0, 0, 1])]));
        let Some(Difference::Pixels(d)) = found else { panic!("{found:?}") };
        assert_eq!((d.count, d.largest, d.first, d.worst), (1, 9, [3, 2], [3, 2]));
    }

    #[test]
    fn compare_tells_first_worst_and_box() {
        let changed = frame(&[(5, 1, [0, 4, 0, 1]), (2, 3, [0, 0, 0, 80]), (7, 5, [80, 0, 0, 2])]);
        let Some(Difference::Pixels(d)) = compare(&frame(&[]), &changed) else { panic!() };
        assert_eq!((d.count, d.largest), (3, 80));
        assert_eq!((d.first, d.worst, d.low, d.high), ([5, 1], [2, 3], [2, 1], [7, 5]));
        assert!((d.mean - 167.0 / (48.0 * 4.0)).abs() < 1e-12);
    }

    #[test]
    fn compare_of_sizes_says_both() {
        let found = compare(&Frame::new(4, 4), &Frame::new(4, 5));
        assert_eq!(found, Some(Difference::Size { expected: [4, 4], found: [4, 5] }));
    }
}
