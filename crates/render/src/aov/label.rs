//! Labels beside their objects, without overlap.
//!
//! Each label tries positions around its anchor, near before far and right before left. Labels that
//! fit nowhere are left out, and counted.

use super::canvas::{Canvas, Color};
use crate::font::{LETTER_HEIGHT, text_width};

/// Distances of a label from its anchor, in pixels.
const DISTANCES: [i32; 7] = [5, 12, 20, 30, 42, 56, 72];
/// Directions to try: right, left, then up and down.
const DIRECTIONS: [[i32; 2]; 12] = [
    [4, 0],
    [-4, 0],
    [4, -1],
    [-4, -1],
    [4, 1],
    [-4, 1],
    [3, -3],
    [-3, -3],
    [3, 3],
    [-3, 3],
    [0, -4],
    [0, 4],
];
/// Colour behind text.
const SHADE: Color = [12, 13, 16];

/// A rectangle of whole pixels: left, top, right and bottom, the last two exclusive.
type Rect = [i32; 4];

/// The labels of a picture.
#[derive(Default)]
pub(super) struct Labels {
    taken: Vec<Rect>,
    /// Number of labels that did not fit.
    pub left_out: usize,
}

impl Labels {
    /// Keeps labels away from a position.
    pub(super) fn avoid(&mut self, at: [i32; 2], reach: i32) {
        self.taken.push([at[0] - reach, at[1] - reach, at[0] + reach + 1, at[1] + reach + 1]);
    }

    /// Writes a label for the anchor `at`, with a thin line to it if they are apart.
    pub(super) fn place(&mut self, canvas: &mut Canvas, at: [i32; 2], text: &str, color: Color) {
        let [width, height] = [text_width(text) + 4, LETTER_HEIGHT + 3];
        let size = canvas.size();
        let fits = |rect: &Rect| {
            rect[0] >= 0
                && rect[1] >= 0
                && rect[2] <= size[0]
                && rect[3] <= size[1]
                && !self.taken.iter().any(|other| overlaps(rect, other))
        };
        let tries = DISTANCES.into_iter().flat_map(|far| DIRECTIONS.map(|way| (far, way)));
        let found = tries
            .map(|(far, [x, y])| {
                let middle = [at[0] + x * far / 4, at[1] + y * far / 4];
                // The side of the label that faces the anchor keeps the distance.
                let left = match x.signum() {
                    1 => middle[0],
                    -1 => middle[0] - width,
                    _ => middle[0] - width / 2,
                };
                let top = if x == 0 && y < 0 {
                    middle[1] - height
                } else if x == 0 {
                    middle[1]
                } else {
                    middle[1] - height / 2
                };
                (far, [left, top, left + width, top + height])
            })
            .find(|(_, rect)| fits(rect));
        let Some((far, rect)) = found else {
            self.left_out += 1;
            return;
        };
        if far > DISTANCES[0] {
            let end = [at[0].clamp(rect[0], rect[2] - 1), at[1].clamp(rect[1], rect[3] - 1)];
            let middle = |place: [i32; 2]| place.map(|at| f64::from(at) + 0.5);
            canvas.line([middle(at), middle(end)], 1.0, color, 0.45);
        }
        canvas.fill([rect[0], rect[1]], [width, height], SHADE, 0.72);
        canvas.text([rect[0] + 2, rect[1] + 2], text, color);
        self.taken.push(rect);
    }
}

fn overlaps(a: &Rect, b: &Rect) -> bool {
    a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3]
}
