//! Welding: vertices at one position count as one, because seams of texture and light split them.

use super::faces::STEPS;
use crate::math::area::drawn_bounds;
use crate::math::{Aabb, Vec3};
use std::hash::{BuildHasher, RandomState};
use tintype_base::deadline::{Deadline, TimedOut};

/// Vertices closer than this fraction of the mesh's diagonal count as one position.
pub const WELD_DISTANCE: f32 = 1.0e-5;
/// Cell size of the lookup lattice, in welding distances. With larger cells, a vertex searches
/// fewer of them, but they contain more vertices that are too far away.
const CELL: f32 = 8.0;
/// Distance to the border of a cell up to which a vertex searches beyond it, in cell sizes, with
/// room for rounding.
const BESIDE: f32 = 1.0 / CELL + 1.0 / 128.0;

/// For each vertex, the first vertex at the same position, within [`WELD_DISTANCE`] of the
/// diagonal.
///
/// The diagonal is that of the triangles with an area: others may lie anywhere, as may vertices
/// without a triangle. Vertices outside their box are not welded.
///
/// # Errors
/// [`TimedOut`] if `deadline` passes before all vertices are welded.
pub fn weld_positions(
    triangles: &[[u32; 3]],
    positions: &[Vec3],
    deadline: &Deadline,
) -> Result<Vec<u32>, TimedOut> {
    let mut watch = deadline.watch("welding vertices", STEPS);
    let all = || positions.iter().copied().collect();
    let bounds: Aabb = drawn_bounds(triangles, positions).unwrap_or_else(all);
    let reach = bounds.diagonal() * WELD_DISTANCE;
    let cell_size = crate::math::max(reach * CELL, f32::MIN_POSITIVE);
    let around = [bounds.min - Vec3::splat(reach), bounds.max + Vec3::splat(reach)];
    let around: Aabb = around.into_iter().collect();
    let mut cells = Cells::new(positions.len());
    let mut weld = Vec::with_capacity(positions.len());
    for (vertex, &position) in (0_u32..).zip(positions) {
        watch.step()?;
        if !around.contains(position) {
            weld.push(vertex);
            continue;
        }
        let local = (position - bounds.min) / cell_size;
        #[expect(
            clippy::cast_possible_truncation,
            reason = "the diagonal is 12,500 cells; else it saturates"
        )]
        let cell = |offset: f32| [local.x, local.y, local.z].map(|at| (at + offset).floor() as i64);
        // The cells that touch the box of the reach around the point: usually one, at most 8.
        let (low, high) = (cell(-BESIDE), cell(BESIDE));
        let mut found: Option<u32> = None;
        for x in low[0]..=high[0] {
            for y in low[1]..=high[1] {
                for z in low[2]..=high[2] {
                    for other in cells.of([x, y, z]) {
                        if (positions[other as usize] - position).length() <= reach
                            && found.is_none_or(|best| other < best)
                        {
                            found = Some(other);
                        }
                    }
                }
            }
        }
        weld.push(found.unwrap_or(vertex));
        if found.is_none() {
            cells.add(cell(0.0), vertex);
        }
    }
    Ok(weld)
}

/// Vertices by cell of a lattice. Several cells may use one chain, so some results may lie
/// elsewhere.
struct Cells {
    /// The last vertex of each chain.
    last: Vec<u32>,
    /// The vertex before each vertex in its chain.
    before: Vec<u32>,
    /// Odd, and different on every run, so that no file can be crafted to put all its vertices into
    /// one chain. Results do not depend on them.
    factors: [u64; 3],
}

impl Cells {
    /// The end of a chain.
    const NONE: u32 = u32::MAX;

    fn new(vertices: usize) -> Self {
        let random = RandomState::new();
        Self {
            last: vec![Self::NONE; (2 * vertices).next_power_of_two()],
            before: vec![Self::NONE; vertices],
            factors: [0_u8, 1, 2].map(|axis| random.hash_one(axis) | 1),
        }
    }

    fn chain(&self, cell: [i64; 3]) -> usize {
        let mut mixed = 0_u64;
        for (at, factor) in cell.into_iter().zip(self.factors) {
            mixed = mixed.wrapping_add(at.cast_unsigned().wrapping_mul(factor));
        }
        // The upper bits depend on all lower ones.
        (mixed >> 32) as usize & (self.last.len() - 1)
    }

    fn of(&self, cell: [i64; 3]) -> impl Iterator<Item = u32> {
        let mut at = self.last[self.chain(cell)];
        std::iter::from_fn(move || {
            let vertex = at;
            (vertex != Self::NONE).then(|| {
                at = self.before[vertex as usize];
                vertex
            })
        })
    }

    fn add(&mut self, cell: [i64; 3], vertex: u32) {
        let chain = self.chain(cell);
        self.before[vertex as usize] = std::mem::replace(&mut self.last[chain], vertex);
    }
}
