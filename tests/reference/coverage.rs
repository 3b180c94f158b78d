//! Exact coverage of samples by triangles.
//!
//! # Conventions
//! Screen coordinates in 1/256 pixel, x to the right, y down, the origin at the upper left corner
//! of pixel (0, 0). A sample on an edge is covered if the edge is a top edge or a left edge of the
//! triangle. Either winding covers.

/// Units of a screen coordinate in one pixel.
pub(crate) const UNITS_PER_PIXEL: i32 = 256;

/// A triangle on the screen: x and y of each corner.
pub(crate) type Triangle = [[i32; 2]; 3];

/// Positions of the samples of a pixel, in 1/16 pixel from its centre: the standard patterns of
/// Direct3D 11.
///
/// # Panics
/// For a count other than 1, 2, 4, 8 or 16.
pub(crate) fn sample_offsets(samples: u32) -> &'static [[i32; 2]] {
    match samples {
        1 => &[[0, 0]],
        2 => &[[4, 4], [-4, -4]],
        4 => &[[-2, -6], [6, -2], [-6, 2], [2, 6]],
        8 => &[[1, -3], [-1, 3], [5, 1], [-3, -5], [-5, 5], [-7, -1], [3, 7], [7, -7]],
        16 => &[
            [1, 1],
            [-1, -3],
            [-3, 2],
            [4, -1],
            [-5, -2],
            [2, 5],
            [5, 3],
            [3, -5],
            [-2, 6],
            [0, -7],
            [-4, -6],
            [-6, 4],
            [-8, 0],
            [7, -4],
            [6, 7],
            [-7, -8],
        ],
        other => panic!("{other} samples a pixel"),
    }
}

/// Twice the signed area to the right of the segment from `a` to `b`, as seen from `p`: positive
/// for a clockwise turn.
fn edge(a: [i32; 2], b: [i32; 2], p: [i32; 2]) -> i128 {
    let [ax, ay, bx, by, px, py] = [a[0], a[1], b[0], b[1], p[0], p[1]].map(i128::from);
    (bx - ax) * (py - ay) - (by - ay) * (px - ax)
}

/// True if a clockwise triangle owns the samples on its edge from `a` to `b`.
fn is_top_or_left(a: [i32; 2], b: [i32; 2]) -> bool {
    let is_top = a[1] == b[1] && b[0] > a[0]; // to the right, the inside is below
    let is_left = b[1] < a[1]; // upwards, the inside is to the right
    is_top || is_left
}

/// True if a triangle covers the point `p`.
pub(crate) fn covers(triangle: &Triangle, p: [i32; 2]) -> bool {
    let [a, mut b, mut c] = *triangle;
    let area = edge(a, b, c);
    if area == 0 {
        return false;
    }
    if area < 0 {
        (b, c) = (c, b);
    }
    [(a, b), (b, c), (c, a)].into_iter().all(|(from, to)| {
        let side = edge(from, to, p);
        side > 0 || (side == 0 && is_top_or_left(from, to))
    })
}

/// The position of a sample of a pixel.
pub(crate) fn sample_position(x: u32, y: u32, offset: [i32; 2]) -> [i32; 2] {
    let centre = |pixel: u32| {
        i32::try_from(pixel).expect("a picture of at most 16,384") * UNITS_PER_PIXEL
            + UNITS_PER_PIXEL / 2
    };
    [centre(x) + offset[0] * (UNITS_PER_PIXEL / 16), centre(y) + offset[1] * (UNITS_PER_PIXEL / 16)]
}

/// The covered samples of each pixel of a picture, one bit a sample in pattern order, rows from the
/// top.
pub(crate) fn coverage(triangle: &Triangle, width: u32, height: u32, samples: u32) -> Vec<u16> {
    let offsets = sample_offsets(samples);
    let mut masks = vec![0; (width * height) as usize];
    for (index, mask) in (0_u32..).zip(&mut masks) {
        let (x, y) = (index % width, index / width);
        for (bit, &offset) in offsets.iter().enumerate() {
            if covers(triangle, sample_position(x, y, offset)) {
                *mask |= 1 << bit;
            }
        }
    }
    masks
}
