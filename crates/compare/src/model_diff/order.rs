//! Equal vertices of two meshes: reordered, in different numbers after merging duplicates, or
//! rounded to a grid.

use std::collections::BTreeMap;
use tintype_model::math::{Aabb, Vec2, Vec3, Vec4, larger};
use tintype_model::{Mesh, PosedMesh};

/// Distance below which vertices are the same, in diagonals.
const SAME: f64 = 2e-6;
/// Tolerance for coordinates of textures, normals and colours to count as the same.
const SAME_VALUE: f64 = 1e-4;

/// Maximum number of vertices examined at one position, so that a mesh collapsed to a point does
/// not take quadratic time.
const MAX_AT_A_PLACE: usize = 64;

/// Matching vertices of two meshes, if they are not at the same indices.
pub(super) struct VertexOrder {
    /// For each vertex of the old file, its index in the new one. None if it is gone.
    pub new_of_old: Vec<Option<usize>>,
    /// Vertices of both files; equal ones have the same number.
    pub classes: [Vec<usize>; 2],
    /// Number of vertices of the new file without a match in the old one.
    pub fresh: usize,
    /// True if the file has normals other than those of flat triangles, so that they are compared.
    pub has_normals: bool,
}

/// Tolerance on the grid of a quantized file, whose normals and colours have 8 bits.
const SAME_ON_GRID: f64 = 0.03;

/// A vertex in the bind pose: its position, its other attributes, and two sums over its joints,
/// which distinguish equal vertices that are bound differently.
struct Vertex {
    place: [f64; 3],
    rest: [f64; 9],
    pulls: [f64; 2],
}

/// True if the file has normals other than those of flat triangles.
fn has_normals(mesh: &Mesh, posed: &PosedMesh) -> bool {
    let is_flat = |corners: &[u32; 3]| {
        let [a, b, c] = corners.map(|vertex| posed.normal_at(vertex as usize));
        (a - b).length() <= FLAT && (a - c).length() <= FLAT
    };
    mesh.source.as_deref().is_some_and(|source| !source.normals.is_empty())
        && !mesh.triangles.iter().all(is_flat)
}

/// Gap within which two normals are the same, except for rounding.
const FLAT: f32 = 1e-5;

/// The vertices of a mesh; `number` maps a joint to the same number on both sides.
fn vertices(
    mesh: &Mesh,
    posed: &PosedMesh,
    [has_normals, uses_textures]: [bool; 2],
    number: &dyn Fn(usize) -> usize,
) -> Vec<Vertex> {
    let color = |v: usize| mesh.colors.get(v).copied().unwrap_or(Vec4::ONE).to_array();
    let vertex = |v: usize| {
        let normal = if has_normals { posed.normal_at(v) } else { Vec3::ZERO }.to_array();
        let uv = if uses_textures { mesh.texcoords[v] } else { Vec2::ZERO };
        let [r, g, b, a] = color(v);
        let rest = [uv.x, uv.y, normal[0], normal[1], normal[2], r, g, b, a];
        let mut pulls = [0.0; 2];
        for influence in &mesh.influences[mesh.influences_of(v)] {
            for (sum, turn) in pulls.iter_mut().zip([0.618_033_988_7, 0.414_213_562_4]) {
                let share = as_f64(number(influence.joint().index()) + 1) * turn;
                *sum += f64::from(influence.weight()) * (share - libm::floor(share));
            }
        }
        Vertex {
            place: posed.position_at(v).to_array().map(f64::from),
            rest: rest.map(f64::from),
            pulls,
        }
    };
    (0..mesh.file_vertex_count()).map(vertex).collect()
}

#[expect(clippy::cast_precision_loss, reason = "a count of joints")]
fn as_f64(count: usize) -> f64 {
    count as f64
}

/// Vertices by the cells of a grid.
struct Grid<'v> {
    cells: BTreeMap<[i64; 3], Vec<usize>>,
    vertices: &'v [Vertex],
    /// Distance below which two are at the same position.
    size: f64,
    /// Tolerance of their other values.
    rest: f64,
}

/// The largest of the gaps between numbers.
fn gap(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, larger)
}

impl<'v> Grid<'v> {
    fn new(vertices: &'v [Vertex], size: f64, rest: f64) -> Self {
        let mut cells: BTreeMap<[i64; 3], Vec<usize>> = BTreeMap::new();
        for (index, vertex) in vertices.iter().enumerate() {
            cells.entry(cell(vertex.place, size)).or_default().push(index);
        }
        Self { cells, vertices, size, rest }
    }

    /// The equal vertex with the lowest cost, the first of several.
    fn find(&self, wanted: &Vertex, cost: impl Fn(usize) -> f64) -> Option<usize> {
        let mut best: Option<(f64, usize)> = None;
        self.each(wanted, |index, own_cost| {
            let cost = own_cost + cost(index);
            if best.is_none_or(|(least, known)| (cost, index) < (least, known)) {
                best = Some((cost, index));
            }
        });
        best.map(|(_, index)| index)
    }

    /// Yields each equal vertex, with its distance.
    fn each(&self, wanted: &Vertex, mut found: impl FnMut(usize, f64)) {
        let [x, y, z] = cell(wanted.place, self.size);
        for dx in -1..=1 {
            for dy in -1..=1 {
                for dz in -1..=1 {
                    let near = self.cells.get(&[x + dx, y + dy, z + dz]);
                    for &index in near.into_iter().flatten().take(MAX_AT_A_PLACE) {
                        let own = &self.vertices[index];
                        let rest = gap(&own.rest, &wanted.rest);
                        let place = gap(&own.place, &wanted.place);
                        if place <= self.size && rest <= self.rest {
                            let pulls = gap(&own.pulls, &wanted.pulls);
                            found(index, rest + place / self.size + 0.1 * pulls);
                        }
                    }
                }
            }
        }
    }
}

#[expect(clippy::cast_possible_truncation, reason = "saturates: far cells are one")]
fn cell(place: [f64; 3], size: f64) -> [i64; 3] {
    place.map(|value| libm::floor(value / size) as i64)
}

/// The vertex order of two meshes in their bind poses. None if all are in place, or most have no
/// match. `partners` maps the joints of the old model; texture coordinates count if the mesh uses
/// textures.
pub(super) fn order(
    meshes: [&Mesh; 2],
    posed: [&PosedMesh; 2],
    partners: &[Option<usize>],
    diagonal: f32,
    uses_textures: bool,
) -> Option<VertexOrder> {
    let mut old_of_new: BTreeMap<usize, usize> = BTreeMap::new();
    for (joint, partner) in partners.iter().enumerate() {
        if let Some(partner) = partner {
            old_of_new.insert(*partner, joint);
        }
    }
    let has_normals = (0..2).any(|side| has_normals(meshes[side], posed[side]));
    let old = vertices(meshes[0], posed[0], [has_normals, uses_textures], &|joint| joint);
    let new = vertices(meshes[1], posed[1], [has_normals, uses_textures], &|joint| {
        old_of_new.get(&joint).copied().unwrap_or(partners.len() + joint)
    });
    let (share, rest) = if on_new_grid(meshes) {
        (f64::from(MAX_ON_GRID), SAME_ON_GRID)
    } else {
        (SAME, SAME_VALUE)
    };
    let size = larger(f64::from(diagonal) * share, f64::MIN_POSITIVE);
    let is_same =
        |a: &Vertex, b: &Vertex| gap(&a.place, &b.place) <= size && gap(&a.rest, &b.rest) <= rest;
    let in_place = old.iter().zip(&new).filter(|(a, b)| is_same(a, b)).count();
    // The triangles have the same corners, few vertices differ, and none has moved elsewhere.
    let is_kept = meshes[0].triangles == meshes[1].triangles && in_place * 2 > old.len();
    if old.len() == new.len() && (in_place == old.len() || is_kept) {
        return None;
    }
    let grid = Grid::new(&old, size, rest);
    let is_coarse = share > SAME;
    let mut old_of_new = matched(&grid, &new, is_coarse);
    let count = old_of_new.iter().flatten().count();
    if count * 2 < new.len() || count == 0 {
        return None;
    }
    let first = classes(&grid, &old);
    take_what_is_left(&mut old_of_new, &first);
    let mut new_of_old = new_of_old(&old_of_new, &first);
    let classes = if is_coarse {
        // Neighbours are not equivalence classes there: vertices match if their values do.
        let others = Grid::new(&new, size, rest);
        for (vertex, partner) in old.iter().zip(&mut new_of_old) {
            *partner = partner.or_else(|| others.find(vertex, |_| 0.0));
        }
        let to_new = |vertex: usize| new_of_old[vertex];
        let of_old = |vertex: usize| to_new(vertex).unwrap_or(new.len() + vertex);
        let of_new =
            |(vertex, own): (usize, &Option<usize>)| own.and_then(to_new).unwrap_or(vertex);
        [(0..old.len()).map(of_old).collect(), old_of_new.iter().enumerate().map(of_new).collect()]
    } else {
        let of_new =
            |(index, own): (usize, &Option<usize>)| own.map_or(old.len() + index, |own| first[own]);
        let of_new = old_of_new.iter().enumerate().map(of_new).collect();
        [first, of_new]
    };
    let fresh = old_of_new.iter().filter(|old| old.is_none()).count();
    let is_identity = new_of_old.iter().enumerate().all(|(index, new)| *new == Some(index));
    if old.len() == new.len() && is_identity {
        return None;
    }
    Some(VertexOrder { new_of_old, classes, fresh, has_normals })
}

/// Matches each new vertex to an equal old one that is not taken yet, preferably at the same index.
/// On a coarse grid the nearest counts.
fn matched(grid: &Grid, new: &[Vertex], is_coarse: bool) -> Vec<Option<usize>> {
    let taken = if is_coarse { 1e-3 } else { 1.0 };
    let mut used = vec![false; grid.vertices.len()];
    let mut old_of_new: Vec<Option<usize>> = Vec::with_capacity(new.len());
    for (index, vertex) in new.iter().enumerate() {
        let cost = |other: usize| {
            let of_taken = if used[other] { taken } else { 0.0 };
            of_taken + if other == index { 0.0 } else { 1e-3 * taken }
        };
        let found = grid.find(vertex, cost);
        found.into_iter().for_each(|index| used[index] = true);
        old_of_new.push(found);
    }
    old_of_new
}

/// Assigns the remaining places in order to the vertices without a match, if the numbers agree.
fn take_what_is_left(old_of_new: &mut [Option<usize>], first: &[usize]) {
    let mut has_used = vec![false; first.len()];
    old_of_new.iter().flatten().for_each(|&index| has_used[first[index]] = true);
    let mut left: Vec<usize> = (0..first.len()).filter(|&index| !has_used[first[index]]).collect();
    let fresh = old_of_new.iter().filter(|old| old.is_none()).count();
    if left.len() == fresh {
        left.reverse();
        old_of_new.iter_mut().filter(|old| old.is_none()).for_each(|old| *old = left.pop());
    }
}

/// For each old vertex the first equal new one, or one equal to a member of its class.
fn new_of_old(old_of_new: &[Option<usize>], first: &[usize]) -> Vec<Option<usize>> {
    let mut new_of_old: Vec<Option<usize>> = vec![None; first.len()];
    let mut new_of_class: BTreeMap<usize, usize> = BTreeMap::new();
    for (index, own) in old_of_new.iter().enumerate() {
        if let Some(own) = *own {
            new_of_old[own].get_or_insert(index);
            new_of_class.entry(first[own]).or_insert(index);
        }
    }
    for (index, partner) in new_of_old.iter_mut().enumerate() {
        *partner = partner.or_else(|| new_of_class.get(&first[index]).copied());
    }
    new_of_old
}

/// For each vertex the first equal one, transitively.
fn classes(grid: &Grid, old: &[Vertex]) -> Vec<usize> {
    let mut first: Vec<usize> = (0..old.len()).collect();
    fn root(first: &mut [usize], mut index: usize) -> usize {
        while first[index] != index {
            first[index] = first[first[index]];
            index = first[index];
        }
        index
    }
    // On a coarse grid neighbours would be one.
    if grid.rest <= SAME_VALUE {
        for (index, own) in old.iter().enumerate() {
            grid.each(own, |other, _| {
                let [a, b] = [index, other].map(|one| root(&mut first, one));
                first[a.max(b)] = a.min(b);
            });
        }
    }
    (0..old.len()).map(|index| root(&mut first, index)).collect()
}

/// Maximum distance that a 10-bit grid moves a vertex, as a fraction of the diagonal.
const MAX_ON_GRID: f32 = 1e-3;

/// True if the new mesh lies on a grid and the old one does not.
fn on_new_grid(meshes: [&Mesh; 2]) -> bool {
    let [old, new] =
        meshes.map(|mesh| mesh.source.as_deref().and_then(|source| grid_step(&source.positions)));
    old.is_none() && new.is_some()
}

/// The maximum distance that quantization moved a vertex, as a fraction of the diagonal. None if
/// the new mesh is not on a grid, the old one is too, or a vertex moved farther than by a 10-bit
/// grid.
pub(super) fn quantized(
    [old, new]: [&Mesh; 2],
    [before, now]: [&PosedMesh; 2],
    order: Option<&VertexOrder>,
    diagonal: f32,
) -> Option<f32> {
    let count = old.file_vertex_count();
    if !on_new_grid([old, new]) || order.is_none() && count != new.file_vertex_count() {
        return None;
    }
    let gap = |vertex: usize| {
        let partner = order.map_or(Some(vertex), |order| order.new_of_old[vertex])?;
        Some((now.position_at(partner) - before.position_at(vertex)).length())
    };
    let gaps: Option<Vec<f32>> = (0..count).map(gap).collect();
    let farthest = gaps?.into_iter().fold(0.0, tintype_model::math::max) / diagonal;
    (farthest <= MAX_ON_GRID).then_some(farthest)
}

/// The largest grid step that divides all numbers, as in quantized files: integers, fractions of
/// the largest integer of 8 or 16 bits, or fractions of the longest side of their box, as in Draco.
/// None for other numbers, or for few.
#[must_use]
pub fn grid_step(positions: &[Vec3]) -> Option<f32> {
    const FEWEST: usize = 8;
    const STEPS: [f32; 5] = [1.0, 1.0 / 127.0, 1.0 / 255.0, 1.0 / 32767.0, 1.0 / 65535.0];
    let is_on = |step: &f32| {
        let on = |value: f32| {
            let count = value / step;
            (count - count.round()).abs() <= 4e-3 && count.abs() <= 65535.5
        };
        positions.iter().all(|place| place.to_array().into_iter().all(on))
    };
    // A few integers are a box modelled on them.
    let distinct = positions.iter().flat_map(|place| place.to_array().map(f32::to_bits));
    let distinct: std::collections::BTreeSet<u32> = distinct.take(4096).collect();
    if positions.len() < FEWEST || distinct.len() < 2 * FEWEST {
        return None;
    }
    let Some(step) = STEPS.into_iter().find(|step| is_on(step)) else {
        return step_of_box(positions);
    };
    // Fewer than 16 bits may be used, with the highest ones repeated below; the step is that of the
    // used bits.
    let stored_bits = [(STEPS[3], 15), (STEPS[4], 16)].into_iter().find(|(own, _)| *own == step);
    let Some((_, bits)) = stored_bits else { return Some(step) };
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "below 65536")]
    let whole = |value: f32| (value / step).abs().round() as u32;
    let all = || positions.iter().flat_map(|place| place.to_array().map(whole));
    let repeats = |used: &u32| {
        let (low, high) = (bits - used, (2 * used).saturating_sub(bits));
        all().all(|value| {
            let top = value >> low;
            value == (top << low) | (top >> high)
        })
    };
    let used = (8..=bits).find(repeats).unwrap_or(bits);
    #[expect(clippy::cast_precision_loss, reason = "below 65536")]
    let steps = ((1_u32 << used) - 1) as f32;
    Some(1.0 / steps)
}

/// The step that divides the longest side of a box by the largest value of some number of bits, if
/// all positions are multiples of it.
fn step_of_box(positions: &[Vec3]) -> Option<f32> {
    let mut bounds = Aabb::EMPTY;
    positions.iter().for_each(|place| bounds.add(*place));
    let side = f64::from((bounds.max - bounds.min).max_element());
    let is_on = |step: &f64| {
        positions.iter().all(|place| {
            (*place - bounds.min).to_array().into_iter().all(|value| {
                let count = f64::from(value) / step;
                // Half of the last digit of a coordinate, in steps.
                let last = f64::from(place.abs().max_element()) * f64::from(f32::EPSILON) / step;
                (count - count.round()).abs() <= 1e-3 + last
            })
        })
    };
    let steps = (8..=14).map(|bits| side / f64::from((1_u32 << bits) - 1));
    #[expect(clippy::cast_possible_truncation, reason = "to compare, and for people")]
    let step = steps.filter(|step| *step > 0.0).find(is_on)? as f32;
    Some(step)
}
