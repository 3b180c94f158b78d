//! Transforms that make pixels cheaper: colours minus their green, minus the prediction from their
//! neighbours, or as indices of a palette.

use super::cost::{BIT, Costs};

/// Binary logarithm of the side of a tile with one prediction.
pub(super) const TILE_BITS: u32 = 3;
/// Number of prediction modes.
const MODES: u32 = 14;
const OPAQUE_BLACK: u32 = 0xff00_0000;

/// Subtracts green from red and blue.
pub(super) fn subtract_green(pixels: &mut [u32]) {
    for pixel in pixels {
        let green = *pixel >> 8 & 0xff;
        *pixel = minus(*pixel, green << 16 | green);
    }
}

/// The mode of each tile, and the differences of pixels from their predictions.
pub(super) fn predict(pixels: &[u32], width: usize) -> (Vec<u32>, Vec<u32>) {
    let modes = choose_modes(pixels, width, &Costs::of_small_differences());
    let rest = residuals(pixels, width, &modes);
    (modes.iter().map(|mode| OPAQUE_BLACK | mode << 8).collect(), rest)
}

/// The cheapest mode of each tile.
fn choose_modes(pixels: &[u32], width: usize, costs: &Costs) -> Vec<u32> {
    let side = 1 << TILE_BITS;
    let columns = width.div_ceil(side);
    let height = pixels.len() / width;
    let mut modes: Vec<u32> = Vec::with_capacity(columns * height.div_ceil(side));
    for top in (0..height).step_by(side) {
        for left in (0..width).step_by(side) {
            let mut sums = [0_u64; MODES as usize];
            for y in top.max(1)..height.min(top + side) {
                for x in left.max(1)..width.min(left + side) {
                    let at = y * width + x;
                    let near = Near::of(pixels, width, at);
                    for (mode, sum) in (0..).zip(&mut sums) {
                        *sum += u64::from(costs.of(minus(pixels[at], near.predicted(mode))));
                    }
                }
            }
            // The mode of the previous tile is cheaper to encode.
            if let Some(&last) = modes.last() {
                sums[last as usize] = sums[last as usize].saturating_sub(16 * u64::from(BIT));
            }
            modes.push((0..MODES).min_by_key(|&mode| sums[mode as usize]).unwrap_or(0));
        }
    }
    modes
}

/// Differences of pixels from their predictions.
fn residuals(pixels: &[u32], width: usize, modes: &[u32]) -> Vec<u32> {
    let columns = width.div_ceil(1 << TILE_BITS);
    let mut rest = Vec::with_capacity(pixels.len());
    for at in 0..pixels.len() {
        let (x, y) = (at % width, at / width);
        let predicted = match (x, y) {
            (0, 0) => OPAQUE_BLACK,
            (_, 0) => pixels[at - 1],
            (0, _) => pixels[at - width],
            _ => Near::of(pixels, width, at)
                .predicted(modes[(y >> TILE_BITS) * columns + (x >> TILE_BITS)]),
        };
        rest.push(minus(pixels[at], predicted));
    }
    rest
}

/// Preceding neighbours of a pixel.
struct Near {
    left: u32,
    top: u32,
    top_left: u32,
    top_right: u32,
}

impl Near {
    #[inline(always)]
    fn of(pixels: &[u32], width: usize, at: usize) -> Self {
        let above = &pixels[at - width - 1..=at];
        // The last column is followed by the first pixel of the next row.
        Self { left: above[width], top_left: above[0], top: above[1], top_right: above[2] }
    }

    #[inline(always)]
    fn predicted(&self, mode: u32) -> u32 {
        let &Self { left, top, top_left, top_right } = self;
        match mode {
            0 => OPAQUE_BLACK,
            1 => left,
            2 => top,
            3 => top_right,
            4 => top_left,
            5 => mean(mean(left, top_right), top),
            6 => mean(left, top_left),
            7 => mean(left, top),
            8 => mean(top_left, top),
            9 => mean(top, top_right),
            10 => mean(mean(left, top_left), mean(top, top_right)),
            11 => {
                if distance(top, top_left) < distance(left, top_left) {
                    left
                } else {
                    top
                }
            }
            12 => by_channel(left, top, top_left, |left, top, corner| left + top - corner),
            _ => by_channel(mean(left, top), top_left, 0, |mean, corner, _| {
                mean + (mean - corner) / 2
            }),
        }
    }
}

fn by_channel(a: u32, b: u32, c: u32, of: impl Fn(i16, i16, i16) -> i16) -> u32 {
    let [a, b, c] = [a, b, c].map(|pixel| pixel.to_le_bytes().map(i16::from));
    let channel = |k: usize| of(a[k], b[k], c[k]).clamp(0, 255).to_le_bytes()[0];
    u32::from_le_bytes([channel(0), channel(1), channel(2), channel(3)])
}

fn distance(a: u32, b: u32) -> u32 {
    let (a, b) = (a.to_le_bytes(), b.to_le_bytes());
    (0..4).map(|k| u32::from(a[k].abs_diff(b[k]))).sum()
}

/// The mean of each channel, rounded down.
fn mean(a: u32, b: u32) -> u32 {
    ((a ^ b) & 0xfefe_fefe) / 2 + (a & b)
}

/// The difference of each channel, modulo 256.
pub(super) fn minus(a: u32, b: u32) -> u32 {
    const EVEN: u32 = 0x00ff_00ff;
    let odd = (EVEN | a & !EVEN).wrapping_sub(b & !EVEN) & !EVEN;
    let even = (!EVEN | a & EVEN).wrapping_sub(b & EVEN) & EVEN;
    odd | even
}
