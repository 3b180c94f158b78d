//! Ordered dither of a picture with a palette: a colour that the palette lacks becomes a pattern of two that it has.
//!
//! The nearest colour of the palette is mixed with the one with which the mix comes nearest. The position of a pixel alone decides which of
//! both it gets, so the pattern stays at rest where the picture does. A colour of the palette stays as it is.

use crate::math::bayer;
use std::collections::HashMap;

/// Weight of the squared distance between the two colours of a mix, against its squared error: coarse patterns are worse than a small
/// error.
const COARSENESS: f32 = 0.04;

/// Two colours of a palette, and the part of the second one in 64ths.
#[derive(Clone, Copy)]
struct Mix {
    first: u8,
    second: u8,
    part: u32,
}

/// The picture in colours of the palette: an index a pixel; `rgba` has rows of `width` pixels. Pixels without alpha get the index
/// `clear`, which no other pixel gets.
pub(super) fn indices(
    rgba: &[[u8; 4]],
    width: usize,
    palette: &[[u8; 3]],
    clear: Option<u8>,
) -> Vec<u8> {
    let mut mixes: HashMap<[u8; 3], Mix> = HashMap::new();
    let mut indices = Vec::with_capacity(rgba.len());
    for (y, row) in (0..).zip(rgba.chunks(width.max(1))) {
        for (x, &[r, g, b, alpha]) in (0..).zip(row) {
            let index = match clear {
                Some(clear) if alpha == 0 => clear,
                _ => {
                    let color = [r, g, b];
                    let mix = *mixes.entry(color).or_insert_with(|| mix_of(color, palette, clear));
                    if bayer::rank(x, y) < mix.part { mix.second } else { mix.first }
                }
            };
            indices.push(index);
        }
    }
    indices
}

/// The mix of two colours that comes nearest to a colour.
#[expect(clippy::cast_possible_truncation, reason = "a palette has 256 colours; 0 to 64")]
#[expect(clippy::cast_sign_loss, reason = "0 to 64")]
fn mix_of(color: [u8; 3], palette: &[[u8; 3]], clear: Option<u8>) -> Mix {
    let wanted = color.map(f32::from);
    let entries = || {
        let colors = palette.iter().map(|entry| entry.map(f32::from));
        (0_usize..256).zip(colors).filter(move |&(index, _)| Some(index as u8) != clear)
    };
    let mut nearest = (f32::INFINITY, 0, [0.0; 3]);
    for (index, entry) in entries() {
        let off = minus(wanted, entry);
        if dot(off, off) < nearest.0 {
            nearest = (dot(off, off), index, entry);
        }
    }
    let (error, first, start) = nearest;
    let mut best = (error, Mix { first: first as u8, second: first as u8, part: 0 });
    let off = minus(wanted, start);
    for (index, entry) in entries() {
        let way = minus(entry, start);
        let squared = dot(way, way);
        if squared == 0.0 {
            continue;
        }
        let part = crate::math::clamp(dot(off, way) / squared, 0.0, 1.0);
        let rest = minus(off, way.map(|value| value * part));
        let error = dot(rest, rest) + squared * part * COARSENESS;
        if error < best.0 {
            let part = (part * 64.0 + 0.5) as u32;
            best = (error, Mix { first: first as u8, second: index as u8, part });
        }
    }
    best.1
}

fn minus(a: [f32; 3], b: [f32; 3]) -> [f32; 3] {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

fn dot(a: [f32; 3], b: [f32; 3]) -> f32 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

#[cfg(test)]
mod tests {
    use super::*;

    const GREYS: [[u8; 3]; 4] = [[0; 3], [80; 3], [160; 3], [240; 3]];

    #[test]
    fn mixes_have_the_right_mean_and_exact_colours_stay() {
        for grey in [0_u8, 20, 40, 60, 80, 100, 150, 160, 200, 240] {
            let picture = vec![[grey, grey, grey, 255]; 64];
            let found = indices(&picture, 8, &GREYS, None);
            let sum: u32 = found.iter().map(|&index| u32::from(GREYS[usize::from(index)][0])).sum();
            assert!((sum as f32 / 64.0 - f32::from(grey)).abs() <= 1.0, "{grey}: {sum}");
            if GREYS.contains(&[grey; 3]) {
                assert!(found.iter().all(|&index| GREYS[usize::from(index)] == [grey; 3]));
            }
        }
    }

    #[test]
    fn clear_pixels_alone_get_the_clear_index() {
        let picture = [[0, 0, 0, 0], [0, 0, 0, 255], [80, 80, 80, 255]];
        assert_eq!(indices(&picture, 3, &GREYS, Some(0))[0], 0);
        assert!(indices(&picture, 3, &GREYS, Some(0))[1..].iter().all(|&index| index != 0));
    }

    #[test]
    fn pattern_depends_on_the_position_alone() {
        let wide = vec![[100, 100, 100, 255]; 16 * 16];
        let found = indices(&wide, 16, &GREYS, None);
        let shifted: Vec<u8> = found.chunks(16).flat_map(|row| row[8..].to_vec()).collect();
        let left: Vec<u8> = found.chunks(16).flat_map(|row| row[..8].to_vec()).collect();
        assert_eq!(left, shifted);
    }
}
