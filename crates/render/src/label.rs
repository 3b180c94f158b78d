//! Text burnt into the lower left corner of a picture: `output.label`.
//!
//! Only integers, on the finished codes of the picture. The letters have the size set for the
//! picture, and a line that is too long is cut.

use crate::font::{LETTER_HEIGHT, LETTER_WIDTH, glyph, text_width};
use tintype_model::frame::Frame;

/// Pixels of height for each pixel of a dot.
const HEIGHT_OF_DOT: i32 = 320;
/// Dots around the text.
const MARGIN: i32 = 3;

/// Burns a line of text into a picture: white on a darkened strip.
pub(super) fn burn(frame: &mut Frame, text: &str) {
    let [width, height] =
        [frame.width, frame.height].map(|side| i32::try_from(side).unwrap_or(i32::MAX));
    let dot = (height / HEIGHT_OF_DOT).max(1);
    let letters = (width / dot - 2 * MARGIN + 1) / LETTER_WIDTH;
    let text: String = text.chars().take(usize::try_from(letters).unwrap_or(0)).collect();
    let strip = [(text_width(&text) + 2 * MARGIN) * dot, (LETTER_HEIGHT + 2 * MARGIN) * dot];
    if text.is_empty() || strip[1] > height {
        return;
    }
    let top = height - strip[1];
    let mut set = |x: i32, y: i32, change: fn([u8; 4]) -> [u8; 4]| {
        let at = usize::try_from(y * width + x).unwrap_or(usize::MAX);
        if x < width
            && let Some(pixel) = frame.rgba.get_mut(at)
        {
            *pixel = change(*pixel);
        }
    };
    for y in top..height {
        for x in 0..strip[0].min(width) {
            set(x, y, |[r, g, b, alpha]| [r / 3, g / 3, b / 3, alpha.max(160)]);
        }
    }
    for (place, letter) in (0_i32..).zip(text.chars()) {
        for (row, dots) in (0_i32..).zip(glyph(letter)) {
            for column in (0_i32..5).filter(|column| dots & (16 >> column) != 0) {
                let left = (MARGIN + place * LETTER_WIDTH + column) * dot;
                let upper = top + (MARGIN + row) * dot;
                for (x, y) in (0..dot).flat_map(|y| (0..dot).map(move |x| (x, y))) {
                    set(left + x, upper + y, |_| [255; 4]);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn burnt(width: u32, height: u32, text: &str) -> Frame {
        let mut frame = Frame::new(width, height);
        frame.rgba.fill([90, 90, 90, 0]);
        burn(&mut frame, text);
        frame
    }

    fn white(frame: &Frame) -> usize {
        frame.rgba.iter().filter(|pixel| **pixel == [255; 4]).count()
    }

    #[test]
    fn text_is_burnt_into_the_lower_left_corner() {
        let dots: u32 = "A1".chars().flat_map(glyph).map(u8::count_ones).sum();
        let frame = burnt(80, 40, "A1");
        assert_eq!(white(&frame), dots as usize);
        assert_eq!(frame.pixel(0, 25), [90, 90, 90, 0], "above the strip");
        assert_eq!(frame.pixel(0, 39), [30, 30, 30, 160], "below the letters");
        assert_eq!(frame.pixel(79, 39), [90, 90, 90, 0], "beside them");
        assert_eq!(white(&burnt(800, 640, "A1")), 4 * dots as usize, "twice as large");
    }

    #[test]
    fn text_that_does_not_fit_is_cut_or_left_out() {
        let cut = burnt(30, 40, "AAAAAAAAAAAAAAAAAAAA");
        assert_eq!(white(&cut) % white(&burnt(30, 40, "A")), 0);
        for frame in [burnt(5, 40, "A"), burnt(40, 5, "A"), burnt(40, 40, "")] {
            assert_eq!(white(&frame), 0);
        }
    }
}
