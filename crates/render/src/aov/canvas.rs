//! Lines, dots, boxes and text on a picture.
//!
//! Coverage is the distance from the centre of a pixel to a line or circle, in `f64`; colours are
//! mixed as codes, as is usual for drawings.

use super::data::code;
use super::screen::{held, larger, smaller};
use crate::font::{LETTER_WIDTH, glyph};
use rayon::prelude::*;
use tintype_model::frame::Frame;

/// A colour without alpha.
pub type Color = [u8; 3];

/// A picture to draw on.
#[derive(Clone, Debug)]
pub struct Canvas {
    /// The picture.
    pub frame: Frame,
}

impl Canvas {
    /// A picture darkened as a backdrop for drawings, over black where it is transparent.
    pub(super) fn dimmed(picture: &Frame) -> Self {
        // Desaturated, then darkened, so that colours are not mistaken for those of the drawing.
        let codes: [u8; 3 * 255 + 1] = core::array::from_fn(|sum| {
            u8::try_from(14 + sum * 38 / 300).expect("at most 14 + 765 * 38 / 300")
        });
        let dim = |&[r, g, b, alpha]: &[u8; 4]| {
            let over = |code: u8| usize::from(code) * usize::from(alpha) / 255;
            let [r, g, b] = [over(r), over(g), over(b)];
            let grey = (r * 54 + g * 183 + b * 19) / 256;
            let [r, g, b] = [r, g, b].map(|code| codes[code + 2 * grey]);
            [r, g, b, 255]
        };
        let rgba = picture.rgba.par_iter().with_min_len(1 << 12).map(dim).collect();
        Self { frame: Frame { width: picture.width, height: picture.height, rgba } }
    }

    /// Width and height.
    #[must_use]
    pub fn size(&self) -> [i32; 2] {
        [self.frame.width, self.frame.height].map(|side| i32::try_from(side).unwrap_or(i32::MAX))
    }

    /// Mixes a colour into a pixel; outside the picture it has no effect.
    pub(super) fn blend(&mut self, x: i32, y: i32, color: Color, part: f64) {
        let (Ok(column), Ok(row)) = (usize::try_from(x), usize::try_from(y)) else { return };
        if column >= self.frame.width as usize || row >= self.frame.height as usize {
            return;
        }
        let pixel = &mut self.frame.rgba[row * self.frame.width as usize + column];
        *pixel = mix(*pixel, color, part);
    }

    /// A straight line of that width in pixels.
    pub fn line(&mut self, [from, to]: [[f64; 2]; 2], width: f64, color: Color, opacity: f64) {
        let (dx, dy) = (to[0] - from[0], to[1] - from[1]);
        let length_squared = dx * dx + dy * dy;
        let half = width * 0.5;
        let reach = half + 1.0;
        // Along the longer side, a run of pixels across.
        let axis = usize::from(dy.abs() > dx.abs());
        let across = 1 - axis;
        let along = to[axis] - from[axis];
        let slope = if along == 0.0 { 0.0 } else { (to[across] - from[across]) / along };
        let size = self.size();
        let low = whole(smaller(from[axis], to[axis]) - reach).max(0);
        let high = whole(larger(from[axis], to[axis]) + reach).min(size[axis] - 1);
        for major in low..=high {
            let at = larger(
                smaller(f64::from(major) + 0.5, larger(from[axis], to[axis])),
                smaller(from[axis], to[axis]),
            );
            let middle = from[across] + slope * (at - from[axis]);
            // A line is at most 1.415 times as wide along an axis as across itself.
            let (first, last) = (whole(middle - reach * 1.5), whole(middle + reach * 1.5));
            for minor in first.max(0)..=last.min(size[across] - 1) {
                let [x, y] = if axis == 0 { [major, minor] } else { [minor, major] };
                let (px, py) = (f64::from(x) + 0.5 - from[0], f64::from(y) + 0.5 - from[1]);
                let part = if length_squared > 0.0 {
                    held((px * dx + py * dy) / length_squared)
                } else {
                    0.0
                };
                let (ox, oy) = (px - dx * part, py - dy * part);
                let cover = held(half + 0.5 - (ox * ox + oy * oy).sqrt());
                if cover > 0.0 {
                    self.blend(x, y, color, cover * opacity);
                }
            }
        }
    }

    /// A filled circle.
    pub fn dot(&mut self, at: [f64; 2], radius: f64, color: Color) {
        let [left, top] = at.map(|at| whole(at - radius - 1.0));
        let [right, bottom] = at.map(|at| whole(at + radius + 1.0));
        for y in top..=bottom {
            for x in left..=right {
                let (dx, dy) = (f64::from(x) + 0.5 - at[0], f64::from(y) + 0.5 - at[1]);
                let cover = held(radius + 0.5 - (dx * dx + dy * dy).sqrt());
                if cover > 0.0 {
                    self.blend(x, y, color, cover);
                }
            }
        }
    }

    /// A filled box of whole pixels.
    pub fn fill(
        &mut self,
        [left, top]: [i32; 2],
        [width, height]: [i32; 2],
        color: Color,
        part: f64,
    ) {
        for y in top..top + height {
            for x in left..left + width {
                self.blend(x, y, color, part);
            }
        }
    }

    /// A line of text; the position is its upper left corner.
    pub(super) fn text(&mut self, at: [i32; 2], text: &str, color: Color) {
        self.large_text(at, text, color, 1);
    }

    /// Draws a line of text in letters with dots of several pixels; the position is its upper left
    /// corner.
    pub fn large_text(&mut self, [left, top]: [i32; 2], text: &str, color: Color, dot: i32) {
        for (place, letter) in (0_i32..).zip(text.chars()) {
            for (row, dots) in (0_i32..).zip(glyph(letter)) {
                for column in (0_i32..5).filter(|column| dots & (16 >> column) != 0) {
                    let at = [left + (place * LETTER_WIDTH + column) * dot, top + row * dot];
                    self.fill(at, [dot, dot], color, 1.0);
                }
            }
        }
    }
}

/// One colour over another.
pub(super) fn mix([r, g, b, alpha]: [u8; 4], color: Color, part: f64) -> [u8; 4] {
    let over = |below: u8, above: u8| {
        let (below, above) = (f64::from(below), f64::from(above));
        code((below + (above - below) * held(part)) / 255.0)
    };
    [over(r, color[0]), over(g, color[1]), over(b, color[2]), alpha]
}

/// Floor; positions far outside any picture are clamped.
#[expect(clippy::cast_possible_truncation, reason = "held to a million")]
pub(super) fn whole(value: f64) -> i32 {
    smaller(larger(value.floor(), -1e6), 1e6) as i32
}

#[cfg(test)]
mod tests {
    use super::*;

    fn canvas() -> Canvas {
        let mut canvas = Canvas::dimmed(&Frame::new(40, 30));
        canvas.frame.rgba.fill([0, 0, 0, 255]);
        canvas
    }

    #[test]
    fn line_has_the_same_weight_in_every_direction() {
        let weight = |to: [f64; 2]| {
            let mut canvas = canvas();
            canvas.line([[20.0, 15.0], to], 1.0, [255; 3], 1.0);
            canvas.frame.rgba.iter().map(|pixel| u32::from(pixel[0])).sum::<u32>()
        };
        let level = weight([30.0, 15.0]);
        for to in
            [[10.0, 15.0], [20.0, 25.0], [26.0, 23.0], [12.0, 9.0], [20.0 - 7.07, 15.0 + 7.07]]
        {
            let other = weight(to);
            assert!(other.abs_diff(level) * 8 < level, "{to:?}: {other} against {level}");
        }
    }

    #[test]
    fn drawings_end_at_the_picture() {
        let mut canvas = canvas();
        canvas.line([[-1e9, -1e9], [1e9, 1e9]], 2.0, [255; 3], 1.0);
        canvas.dot([39.9, 29.9], 4.0, [255; 3]);
        canvas.text([-3, 27], "edge of the picture", [255; 3]);
        assert_eq!(canvas.frame.pixel(39, 29), [255; 4]);
    }
}
