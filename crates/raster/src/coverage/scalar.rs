//! Coverage, one sample at a time: the definition of [`crate::coverage::lanes`].

use crate::coverage::depth::DepthPlane;
use crate::coverage::samples::{MAX_SAMPLES, Samples, sample_position};
use crate::coverage::span::{Margin, Span};
use crate::geometry::edge::{Against, SamplePattern, UNIT, triangle_edges};
use crate::geometry::grid::Rect;
use crate::geometry::triangle::SetupTriangle;
/// Calls `visit(column, row, sample)` for every covered sample; columns and rows count from the
/// corner of the tile.
#[inline(always)]
#[expect(clippy::cast_possible_wrap, reason = "a picture has at most 2^14 pixels a side")]
#[expect(clippy::cast_sign_loss, reason = "held to the tile")]
pub(crate) fn for_each_covered(
    pattern: SamplePattern,
    rect: &Rect,
    triangle: &SetupTriangle,
    mut visit: impl FnMut(u32, u32, usize),
) {
    // 1. Pixels of the tile that the bounding box touches.
    let Some(span) = Span::of(Margin::new(pattern), rect, triangle) else { return };

    // 2. Edge functions on the lattice of each sample. An edge with the whole tile inside becomes
    //    the constant 0.
    let (origin_x, origin_y) = (rect.x as i32 * UNIT, rect.y as i32 * UNIT);
    let side = rect.width.max(rect.height) as i32 * UNIT;
    let (mut across, mut down) = ([0_i32; 3], [0_i32; 3]);
    let mut start = [[0_i32; 3]; MAX_SAMPLES];
    for (k, edge) in triangle_edges(triangle.x, triangle.y).iter().enumerate() {
        match edge.against_square(origin_x, origin_y, side) {
            Against::Outside => return,
            Against::Inside => {}
            Against::Crosses => {
                (across[k], down[k]) = (edge.along_x, edge.along_y);
                for (start, position) in start.iter_mut().zip(pattern) {
                    start[k] = edge.lattice_start(origin_x + position[0], origin_y + position[1]);
                }
            }
        }
    }

    // 3. Walk.
    let [across_a, across_b, across_c] = across;
    let [down_a, down_b, down_c] = down;
    for row in span.top..=span.bottom {
        for column in span.left..=span.right {
            let at_a = across_a * column + down_a * row;
            let at_b = across_b * column + down_b * row;
            let at_c = across_c * column + down_c * row;
            for (sample, &[a, b, c]) in start.iter().enumerate().take(pattern.len()) {
                if ((a + at_a) | (b + at_b) | (c + at_c)) >= 0 {
                    visit(column as u32, row as u32, sample);
                }
            }
        }
    }
}

/// Writes depth and owner of an opaque triangle wherever it is nearest and `solid`.
pub(crate) fn cover_scalar(
    pattern: SamplePattern,
    rect: &Rect,
    triangle: &SetupTriangle,
    index: u32,
    samples: &mut Samples,
    mut solid: impl FnMut(i32, i32) -> bool,
) {
    let plane = DepthPlane::new(triangle);
    for_each_covered(pattern, rect, triangle, |column, row, sample| {
        let (x, y) = sample_position(pattern, rect, column, row, sample);
        let depth = plane.at(x, y);
        #[cfg(test)]
        let depth = crate::fault::depth(samples.fault, index, column, depth);
        samples.offer([column, row], sample, depth, index, || solid(x, y));
    });
}
