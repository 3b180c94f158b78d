//! A few capital letters as strokes, to be painted by distance.
//!
//! A letter stands on a grid of 4 units by 6, origin upper left, v down.

use crate::scalar::{hold, min};
use glam::DVec2;

/// Points of a stroke.
type Stroke = &'static [(f64, f64)];

/// The height of a letter.
pub(crate) const HEIGHT: f64 = 6.0;
/// From one letter to the next.
const GAP: f64 = 1.9;

/// The strokes of a letter and its width.
fn glyph(letter: char) -> (&'static [Stroke], f64) {
    match letter {
        'A' => (&[&[(0.0, 6.0), (2.0, 0.0), (4.0, 6.0)], &[(0.75, 4.0), (3.25, 4.0)]], 4.0),
        'B' => (
            &[
                &[
                    (0.0, 0.0),
                    (0.0, 6.0),
                    (2.7, 6.0),
                    (4.0, 5.1),
                    (4.0, 3.8),
                    (2.7, 2.9),
                    (0.0, 2.9),
                ],
                &[(0.0, 0.0), (2.5, 0.0), (3.6, 0.8), (3.6, 2.1), (2.7, 2.9)],
            ],
            4.0,
        ),
        'D' => (
            &[&[
                (0.0, 0.0),
                (0.0, 6.0),
                (2.2, 6.0),
                (4.0, 4.4),
                (4.0, 1.6),
                (2.2, 0.0),
                (0.0, 0.0),
            ]],
            4.0,
        ),
        'E' => {
            (&[&[(3.6, 0.0), (0.0, 0.0), (0.0, 6.0), (3.6, 6.0)], &[(0.0, 3.0), (3.0, 3.0)]], 3.6)
        }
        'I' => (&[&[(0.0, 0.0), (0.0, 6.0)]], 0.0),
        'M' => (&[&[(0.0, 6.0), (0.0, 0.0), (2.2, 3.6), (4.4, 0.0), (4.4, 6.0)]], 4.4),
        'N' => (&[&[(0.0, 6.0), (0.0, 0.0), (4.0, 6.0), (4.0, 0.0)]], 4.0),
        'P' => (
            &[&[
                (0.0, 6.0),
                (0.0, 0.0),
                (2.7, 0.0),
                (4.0, 1.0),
                (4.0, 2.3),
                (2.7, 3.3),
                (0.0, 3.3),
            ]],
            4.0,
        ),
        'R' => (
            &[
                &[
                    (0.0, 6.0),
                    (0.0, 0.0),
                    (2.7, 0.0),
                    (4.0, 1.0),
                    (4.0, 2.3),
                    (2.7, 3.3),
                    (0.0, 3.3),
                ],
                &[(2.0, 3.3), (4.0, 6.0)],
            ],
            4.0,
        ),
        'S' => (
            &[&[
                (4.0, 0.9),
                (2.9, 0.0),
                (1.1, 0.0),
                (0.0, 0.9),
                (0.0, 2.0),
                (1.1, 2.9),
                (2.9, 3.1),
                (4.0, 4.0),
                (4.0, 5.1),
                (2.9, 6.0),
                (1.1, 6.0),
                (0.0, 5.1),
            ]],
            4.0,
        ),
        'T' => (&[&[(0.0, 0.0), (4.0, 0.0)], &[(2.0, 0.0), (2.0, 6.0)]], 4.0),
        'X' => (&[&[(0.0, 0.0), (4.0, 6.0)], &[(4.0, 0.0), (0.0, 6.0)]], 4.0),
        'Y' => (&[&[(0.0, 0.0), (2.0, 3.0), (4.0, 0.0)], &[(2.0, 3.0), (2.0, 6.0)]], 4.0),
        'Z' => (&[&[(0.0, 0.0), (4.0, 0.0), (0.0, 6.0), (4.0, 6.0)]], 4.0),
        '5' => (
            &[&[
                (3.7, 0.0),
                (0.4, 0.0),
                (0.2, 2.7),
                (2.5, 2.4),
                (4.0, 3.5),
                (4.0, 4.9),
                (2.7, 6.0),
                (1.1, 6.0),
                (0.0, 5.2),
            ]],
            4.0,
        ),
        '.' => (&[&[(0.0, 5.8), (0.0, 6.0)]], 0.0),
        ' ' => (&[], 1.0),
        _ => panic!("{letter:?} has no strokes"),
    }
}

/// The width of a word.
pub(crate) fn width(word: &str) -> f64 {
    word.chars().map(|letter| glyph(letter).1 + GAP).sum::<f64>() - GAP
}

/// Distance of a point from the nearest stroke of a word whose first letter is at the origin.
pub(crate) fn distance(word: &str, at: DVec2) -> f64 {
    let mut nearest = f64::MAX;
    let mut start = 0.0;
    for letter in word.chars() {
        let (strokes, width) = glyph(letter);
        for pair in strokes.iter().flat_map(|stroke| stroke.windows(2)) {
            let [from, to] = [pair[0], pair[1]].map(|(x, y)| DVec2::new(start + x, y));
            let along = to - from;
            let share = hold((at - from).dot(along) / along.length_squared(), 0.0, 1.0);
            nearest = min(nearest, (at - from - along * share).length());
        }
        start += width + GAP;
    }
    nearest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_stand_one_behind_the_other() {
        assert_eq!(width("TI"), 4.0 + GAP);
        assert!(distance("TI", DVec2::new(2.0, 3.0)) < 1e-12);
        assert!(distance("TI", DVec2::new(4.0 + GAP, 3.0)) < 1e-12);
        assert!((distance("TI", DVec2::new(3.0, 3.0)) - 1.0).abs() < 1e-12);
    }
}
