//! Differences as pictures.

use super::exact::looks_same;
use super::map::Map;
use tintype_model::frame::Frame;
use tintype_model::math::MAGMA;

/// The differences as a picture: each colour channel's difference times 16 on black; a change of
/// alpha alone is grey.
///
/// # Panics
/// If the frames have different sizes.
#[must_use]
pub fn difference_picture(expected: &Frame, found: &Frame) -> Frame {
    assert_eq!([expected.width, expected.height], [found.width, found.height], "equal sizes");
    let amplified = |difference: u8| difference.saturating_mul(16);
    let pixels = expected.rgba.iter().zip(&found.rgba).map(|(a, b)| {
        if looks_same(*a, *b) {
            return [0, 0, 0, 255];
        }
        let [r, g, b, alpha]: [u8; 4] = core::array::from_fn(|k| amplified(a[k].abs_diff(b[k])));
        if [r, g, b] == [0; 3] { [alpha, alpha, alpha, 255] } else { [r, g, b, 255] }
    });
    Frame { width: expected.width, height: expected.height, rgba: pixels.collect() }
}

/// A scale of colours from black over purple and orange to a light yellow, for FLIP from 0 to
/// [`Heat::top`].
///
/// The colours are `magma` of matplotlib, by Nathaniel J. Smith and Stéfan van der Walt, which is
/// in the public domain (CC0).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Heat {
    /// The FLIP at the bright end; more is drawn as this.
    pub top: f32,
}

impl Heat {
    /// The available maxima: round numbers, so that pictures of one test can be compared.
    const TOPS: [f32; 7] = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0];
    /// Start of the scale for a differing pixel, so that no change is black.
    const LEAST: u8 = 40;

    /// The scale with the lowest maximum that covers values up to `largest`.
    #[must_use]
    pub fn that_holds(largest: f32) -> Self {
        let top = Self::TOPS.into_iter().find(|&top| largest <= top);
        Self { top: top.unwrap_or(1.0) }
    }

    /// The colour of a value.
    fn color(self, value: f32, differs: bool) -> [u8; 4] {
        let share = tintype_model::math::clamp(value / self.top, 0.0, 1.0);
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

/// The FLIP of each pixel in the colours of `heat`. A pixel that differs is never black, however
/// invisible the difference; colour below an alpha of 0 on both sides does not count.
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
    let pixels = pixels.map(|((a, b), &value)| heat.color(value, !looks_same(*a, *b)));
    Frame { width: flip.width, height: flip.height, rgba: pixels.collect() }
}

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
        let (a, b) = (frame(&[]), frame(&[(1, [0, 0, 1, 1]), (2, [9; 4]), (5, [9, 9, 9, 0])]));
        let flip =
            Map { width: 8, height: 1, values: vec![0.0, 0.0, 0.2, 0.9, 0.1, 0.0, 0.0, 0.0] };
        let picture = heat_picture(&a, &b, &flip, Heat { top: 0.2 });
        let [dark, changed, top, above, middle] = [0, 1, 2, 3, 4].map(|x| picture.pixel(x, 0));
        assert_eq!(picture.pixel(5, 0), dark, "colour below an alpha of 0");
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
