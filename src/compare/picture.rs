//! Differences as pictures.

use super::map::Map;
use crate::frame::Frame;

/// The differences as a picture: each colour channel's difference times 16 on black; a change of alpha alone is grey.
///
/// # Panics
/// If the frames have different sizes.
#[must_use]
pub fn difference_picture(expected: &Frame, found: &Frame) -> Frame {
    assert_eq!([expected.width, expected.height], [found.width, found.height], "equal sizes");
    let amplified = |difference: u8| difference.saturating_mul(16);
    let pixels = expected.rgba.iter().zip(&found.rgba).map(|(a, b)| {
        let [r, g, b, alpha]: [u8; 4] = core::array::from_fn(|k| amplified(a[k].abs_diff(b[k])));
        if [r, g, b] == [0; 3] { [alpha, alpha, alpha, 255] } else { [r, g, b, 255] }
    });
    Frame { width: expected.width, height: expected.height, rgba: pixels.collect() }
}

/// A scale of colours from black over purple and orange to a light yellow, for FLIP from 0 to [`Heat::top`].
///
/// The colours are `magma` of matplotlib, by Nathaniel J. Smith and Stéfan van der Walt, which is in the public domain (CC0).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Heat {
    /// The FLIP at the bright end; more is drawn as this.
    pub top: f32,
}

impl Heat {
    /// The tops to choose from: round numbers, so that pictures of one test can be held against each other.
    const TOPS: [f32; 7] = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0];
    /// Start of the scale for a pixel whose bytes differ, so that no change is black.
    const LEAST: u8 = 40;

    /// The scale with the lowest top that holds values up to `largest`.
    #[must_use]
    pub fn that_holds(largest: f32) -> Self {
        let top = Self::TOPS.into_iter().find(|&top| largest <= top);
        Self { top: top.unwrap_or(1.0) }
    }

    /// The colour of a value.
    fn color(self, value: f32, differs: bool) -> [u8; 4] {
        let share = crate::math::clamp(value / self.top, 0.0, 1.0);
        #[expect(clippy::cast_possible_truncation, reason = "at most 255")]
        #[expect(clippy::cast_sign_loss, reason = "0 or more")]
        let place = (share * 255.0 + 0.5) as u8;
        let place = if differs && place < Self::LEAST { Self::LEAST } else { place };
        let [r, g, b] = MAGMA[usize::from(place)];
        [r, g, b, 255]
    }
}

/// `FLIP 0 (black) to 0.05 (light yellow)`.
impl core::fmt::Display for Heat {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "FLIP 0 (black) to {} (light yellow)", self.top)
    }
}

/// The FLIP of each pixel in the colours of `heat`. A pixel whose bytes differ is never black, however little is seen of it.
///
/// # Panics
/// If the sizes differ.
#[must_use]
pub fn heat_picture(expected: &Frame, found: &Frame, flip: &Map, heat: Heat) -> Frame {
    let size = [flip.width, flip.height];
    for frame in [expected, found] {
        assert_eq!([frame.width, frame.height], size, "equal sizes");
    }
    let pixels = expected.rgba.iter().zip(&found.rgba).zip(&flip.values);
    let pixels = pixels.map(|((a, b), &value)| heat.color(value, a != b));
    Frame { width: flip.width, height: flip.height, rgba: pixels.collect() }
}

/// Red, green and blue in hexadecimal, from dark to light.
const MAGMA_DIGITS: &str = "\
    00000401000501010601010802010902020b02020d03030f03031204041405041606051806051a07061c08071e090720\
    0a08220b09240c09260d0a290e0b2b100b2d110c2f120d31130d34140e36150e38160f3b180f3d19103f1a10421c1044\
    1d11471e114920114b21114e22115024125325125527125829115a2a115c2c115f2d11612f1163311165331067341069\
    36106b38106c390f6e3b0f703d0f713f0f72400f74420f75440f764510774710784910784a10794c117a4e117b4f127b\
    51127c52137c54137d56147d57157e59157e5a167e5c167f5d177f5f187f601880621980641a80651a80671b80681c81\
    6a1c816b1d816d1d816e1e81701f81721f817320817521817621817822817922827b23827c23827e2482802582812581\
    8326818426818627818827818928818b29818c29818e2a81902a81912b81932b80942c80962c80982d80992d809b2e7f\
    9c2e7f9e2f7fa02f7fa1307ea3307ea5317ea6317da8327daa337dab337cad347cae347bb0357bb2357bb3367ab5367a\
    b73779b83779ba3878bc3978bd3977bf3a77c03a76c23b75c43c75c53c74c73d73c83e73ca3e72cc3f71cd4071cf4070\
    d0416fd2426fd3436ed5446dd6456cd8456cd9466bdb476adc4869de4968df4a68e04c67e24d66e34e65e44f64e55064\
    e75263e85362e95462ea5661eb5760ec5860ed5a5fee5b5eef5d5ef05f5ef1605df2625df2645cf3655cf4675cf4695c\
    f56b5cf66c5cf66e5cf7705cf7725cf8745cf8765cf9785df9795df97b5dfa7d5efa7f5efa815ffb835ffb8560fb8761\
    fc8961fc8a62fc8c63fc8e64fc9065fd9266fd9467fd9668fd9869fd9a6afd9b6bfe9d6cfe9f6dfea16efea36ffea571\
    fea772fea973feaa74feac76feae77feb078feb27afeb47bfeb67cfeb77efeb97ffebb81febd82febf84fec185fec287\
    fec488fec68afec88cfeca8dfecc8ffecd90fecf92fed194fed395fed597fed799fed89afdda9cfddc9efddea0fde0a1\
    fde2a3fde3a5fde5a7fde7a9fde9aafdebacfcecaefceeb0fcf0b2fcf2b4fcf4b6fcf6b8fcf7b9fcf9bbfcfbbdfcfdbf";

/// From black over purple and orange to a light yellow.
pub static MAGMA: [[u8; 3]; 256] = {
    const fn digit(letter: u8) -> u8 {
        if letter > b'9' { letter - b'a' + 10 } else { letter - b'0' }
    }
    let digits = MAGMA_DIGITS.as_bytes();
    assert!(digits.len() == 256 * 6);
    let mut table = [[0; 3]; 256];
    let mut at = 0;
    while at < 256 * 3 {
        table[at / 3][at % 3] = digit(digits[2 * at]) * 16 + digit(digits[2 * at + 1]);
        at += 1;
    }
    table
};

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(changes: &[(usize, [u8; 4])]) -> Frame {
        let mut frame = Frame::new(8, 1);
        for &(x, pixel) in changes {
            frame.rgba[x] = pixel;
        }
        frame
    }

    #[test]
    fn difference_picture_shows_a_change_of_alpha_too() {
        let picture =
            difference_picture(&frame(&[]), &frame(&[(1, [0, 0, 0, 2]), (2, [1, 0, 0, 9])]));
        assert_eq!(picture.pixel(0, 0), [0, 0, 0, 255]);
        assert_eq!(picture.pixel(1, 0), [32, 32, 32, 255]);
        assert_eq!(picture.pixel(2, 0), [16, 0, 0, 255]);
    }

    #[test]
    fn heat_picture_ends_at_its_top_and_hides_no_change() {
        let (a, b) = (frame(&[]), frame(&[(1, [0, 0, 1, 0]), (2, [9; 4])]));
        let flip =
            Map { width: 8, height: 1, values: vec![0.0, 0.0, 0.2, 0.9, 0.1, 0.0, 0.0, 0.0] };
        let picture = heat_picture(&a, &b, &flip, Heat { top: 0.2 });
        let [dark, changed, top, above, middle] = [0, 1, 2, 3, 4].map(|x| picture.pixel(x, 0));
        assert_eq!(
            [dark, top, above],
            [[0, 0, 4, 255], [0xfc, 0xfd, 0xbf, 255], [0xfc, 0xfd, 0xbf, 255]]
        );
        assert_eq!(middle, [0xb7, 0x37, 0x79, 255]);
        assert!(changed[2] > 80, "{changed:?}");
    }

    #[test]
    fn heat_scale_is_the_lowest_round_one_that_holds_all() {
        let top = |largest| Heat::that_holds(largest).top;
        assert_eq!([0.0, 0.01, 0.011, 0.3, 0.99].map(top), [0.01, 0.01, 0.02, 0.5, 1.0]);
        assert_eq!(Heat { top: 0.05 }.to_string(), "FLIP 0 (black) to 0.05 (light yellow)");
    }
}
