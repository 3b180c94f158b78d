//! The surface of a distance field as closed triangles, by marching tetrahedra.
//!
//! Input: a [`Field`] and a cell size. Output: many small triangles, counter-clockwise from
//! outside, with each edge used by exactly two. Each cube is divided into six tetrahedra about one
//! diagonal, which leaves no ambiguous case. The triangles are uneven; `decimate` improves them.

use crate::field::Field;
use crate::scalar::hold;
use glam::DVec3;
use rayon::prelude::*;
use std::collections::HashMap;

/// Triangles with common corners.
#[derive(Clone, Default)]
pub(crate) struct Shell {
    /// Corners.
    pub places: Vec<DVec3>,
    /// Counter-clockwise from outside.
    pub faces: Vec<[u32; 3]>,
}

/// Corners of a cube are numbered by bits (x, y, z); each row walks the diagonal from 0 to 7.
const TETRAHEDRA: [([usize; 4], bool); 6] = [
    ([0, 1, 3, 7], true),
    ([0, 1, 5, 7], false),
    ([0, 2, 3, 7], false),
    ([0, 2, 6, 7], true),
    ([0, 4, 5, 7], true),
    ([0, 4, 6, 7], false),
];

/// Sampled distances on a lattice.
struct Lattice {
    origin: DVec3,
    cell: f64,
    size: [usize; 3],
    distance: Vec<f64>,
}

impl Lattice {
    fn sample(field: &Field, cell: f64) -> Self {
        const BLOCK: usize = 6;
        let (low, high) = field.bounds();
        let extent = (high - low) / cell;
        let size = [extent.x, extent.y, extent.z].map(|cells| cells as usize + 3);
        // Off any plane of symmetry, so that no sample is exactly on a flat surface.
        let origin = low - DVec3::splat(cell * 0.437);
        let block_reach = cell * BLOCK as f64 * 1.8;
        let layers: Vec<Vec<f64>> = (0..size[2].div_ceil(BLOCK))
            .into_par_iter()
            .map(|layer| {
                let z_range = layer * BLOCK..((layer + 1) * BLOCK).min(size[2]);
                let mut values = vec![0.0; size[0] * size[1] * z_range.len()];
                for by in (0..size[1]).step_by(BLOCK) {
                    for bx in (0..size[0]).step_by(BLOCK) {
                        let half = BLOCK as f64 * 0.5;
                        let middle = DVec3::new(bx as f64, by as f64, z_range.start as f64);
                        let rough = field.distance(origin + (middle + DVec3::splat(half)) * cell);
                        for z in z_range.clone() {
                            for y in by..(by + BLOCK).min(size[1]) {
                                for x in bx..(bx + BLOCK).min(size[0]) {
                                    let at = DVec3::new(x as f64, y as f64, z as f64);
                                    let near = rough.abs() < block_reach;
                                    let row = (z - z_range.start) * size[1] + y;
                                    values[row * size[0] + x] = if near {
                                        field.distance(origin + at * cell)
                                    } else {
                                        rough
                                    };
                                }
                            }
                        }
                    }
                }
                values
            })
            .collect();
        Self { origin, cell, size, distance: layers.concat() }
    }

    fn index(&self, x: usize, y: usize, z: usize) -> usize {
        (z * self.size[1] + y) * self.size[0] + x
    }

    fn place(&self, index: usize) -> DVec3 {
        let (row, x) = (index / self.size[0], index % self.size[0]);
        let (z, y) = (row / self.size[1], row % self.size[1]);
        self.origin + DVec3::new(x as f64, y as f64, z as f64) * self.cell
    }
}

/// Meshes the surface of `field` with cubes of `cell` units.
pub(crate) fn surface(field: &Field, cell: f64) -> Shell {
    let lattice = Lattice::sample(field, cell);
    let mut shell = Shell::default();
    // Looked up by key only, never walked.
    let mut made: HashMap<(usize, usize), u32> = HashMap::new();
    for z in 0..lattice.size[2] - 1 {
        for y in 0..lattice.size[1] - 1 {
            for x in 0..lattice.size[0] - 1 {
                let corner: [usize; 8] = std::array::from_fn(|bits| {
                    lattice.index(x + (bits & 1), y + (bits >> 1 & 1), z + (bits >> 2 & 1))
                });
                let inside = corner.map(|index| lattice.distance[index] < 0.0);
                if inside.iter().all(|&within| within == inside[0]) {
                    continue;
                }
                for (tetrahedron, positive) in TETRAHEDRA {
                    let ids = tetrahedron.map(|bits| corner[bits]);
                    cut(&lattice, ids, positive, &mut shell, &mut made);
                }
            }
        }
    }
    shell.places.par_iter_mut().for_each(|place| *place = field.project(*place, cell));
    shell
}

/// Adds the triangles of one tetrahedron; `positive` means that its four corners are right-handed.
fn cut(
    lattice: &Lattice,
    ids: [usize; 4],
    positive: bool,
    shell: &mut Shell,
    made: &mut HashMap<(usize, usize), u32>,
) {
    let within = |slot: usize| lattice.distance[ids[slot]] < 0.0;
    let inner: Vec<usize> = (0..4).filter(|&slot| within(slot)).collect();
    let outer: Vec<usize> = (0..4).filter(|&slot| !within(slot)).collect();
    let mut point = |a: usize, b: usize| {
        let (a, b) = (ids[a].min(ids[b]), ids[a].max(ids[b]));
        *made.entry((a, b)).or_insert_with(|| {
            let (da, db) = (lattice.distance[a], lattice.distance[b]);
            let share = hold(da / (da - db), 0.05, 0.95);
            shell.places.push(lattice.place(a).lerp(lattice.place(b), share));
            shell.places.len() as u32 - 1
        })
    };
    // The lone corner, or the two inner ones, come first; an odd order mirrors the triangle.
    let order: Vec<usize> = if inner.len() == 3 {
        outer.iter().chain(&inner).copied().collect()
    } else {
        inner.iter().chain(&outer).copied().collect()
    };
    let swaps = (0..4).flat_map(|i| (i + 1..4).map(move |j| (i, j)));
    let odd = swaps.filter(|&(i, j)| order[i] > order[j]).count() % 2 == 1;
    let mut mirrored = odd == positive;
    match inner.len() {
        1 | 3 => {
            mirrored ^= inner.len() == 3;
            let [a, b, c] = [1, 2, 3].map(|other| point(order[0], order[other]));
            shell.faces.push(if mirrored { [a, c, b] } else { [a, b, c] });
        }
        2 => {
            let a = point(order[0], order[2]);
            let b = point(order[0], order[3]);
            let c = point(order[1], order[3]);
            let d = point(order[1], order[2]);
            if mirrored {
                shell.faces.extend([[a, c, b], [a, d, c]]);
            } else {
                shell.faces.extend([[a, b, c], [a, c, d]]);
            }
        }
        _ => {}
    }
}

impl Shell {
    /// True if each edge is used once in each direction.
    pub(crate) fn is_closed(&self) -> bool {
        let mut edges: Vec<(u32, u32)> = Vec::with_capacity(self.faces.len() * 3);
        for &[a, b, c] in &self.faces {
            edges.extend([(a, b), (b, c), (c, a)]);
        }
        edges.sort_unstable();
        edges.windows(2).all(|pair| pair[0] != pair[1])
            && edges.iter().all(|&(a, b)| edges.binary_search(&(b, a)).is_ok())
    }

    /// The volume inside; positive if the triangles face outwards.
    pub(crate) fn volume(&self) -> f64 {
        let corner = |vertex: u32| self.places[vertex as usize];
        self.faces.iter().map(|&[a, b, c]| corner(a).dot(corner(b).cross(corner(c))) / 6.0).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::field::Part;

    #[test]
    fn marching_a_ball_gives_a_closed_outward_shell_of_its_volume() {
        let field = Field::new(vec![Part::egg(DVec3::ZERO, DVec3::splat(0.5), 1, 0.0)]);
        let shell = surface(&field, 0.04);
        assert!(shell.is_closed());
        let exact = std::f64::consts::PI / 6.0;
        assert!((shell.volume() / exact - 1.0).abs() < 0.02, "{}", shell.volume());
    }
}
