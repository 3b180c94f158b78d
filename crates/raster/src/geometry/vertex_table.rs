//! Attributes of all vertices of a picture as rows of one table, for gathering by lanes.
//!
//! Input: posed meshes. Output: one row per vertex. The scalar form reads the meshes and needs only
//! the index of the first vertex of each draw.

use crate::view::{Draw, View};
use bytemuck::cast_slice;
use rayon::prelude::*;
use tintype_model::simd::prelude::*;
use tintype_model::simd::{self, Kernel, Level, Simd, interleave4};

/// The vertices of all draws, one draw after the other.
#[derive(Debug, Default)]
pub(crate) struct VertexTable {
    /// Per draw: index of its first vertex.
    pub first: Vec<u32>,
    /// Texture coordinates, normal, position. Empty on the scalar level, as are the streams below.
    pub plain: Vec<[f32; PLAIN]>,
    /// Tangent and sign of the bitangent; empty if no material has a normal map.
    pub tangents: Vec<[f32; 4]>,
    /// Straight colours with alpha; empty if no mesh has any.
    pub colors: Vec<[f32; 4]>,
    /// Second texture coordinates and two zeros; empty if no material uses any.
    pub second: Vec<[f32; 4]>,
}

/// Numbers in a row of [`VertexTable::plain`].
const PLAIN: usize = 8;
/// Rows that one thread fills at a time.
const ROWS_PER_JOB: usize = 8192;

impl VertexTable {
    /// Only the indices of first vertices.
    pub(crate) fn of_indices(view: &View) -> Self {
        let mut total = 0_u32;
        let mut place = |draw: &Draw| {
            let first = total;
            let count = u32::try_from(draw.posed.len()).ok();
            // Lanes number half rows, so one bit is spare.
            let end = count.and_then(|count| first.checked_add(count)).filter(|end| end >> 31 == 0);
            total = end.expect("fewer than 2^31 vertices");
            first
        };
        let first = view.draws.iter().map(&mut place).collect();
        Self { first, ..Self::default() }
    }

    /// The whole table.
    pub(crate) fn new(view: &View, level: Level) -> Self {
        let has_tangents = |draw: &&Draw| view.materials[draw.material].needs_tangents();
        let has_colors = |draw: &&Draw| !draw.mesh.colors.is_empty();
        let has_second = |draw: &&Draw| view.materials[draw.material].has_second_texcoords();
        Self {
            second: fill(view, has_second, |rows| rows.each(second)),
            plain: fill(view, |_| true, |rows| simd::run(level, PlainRows(rows))),
            tangents: fill(view, has_tangents, |rows| rows.each(tangent)),
            colors: fill(view, has_colors, |rows| rows.each(color)),
            ..Self::of_indices(view)
        }
    }
}

/// Consecutive rows of a draw.
struct Rows<'a, const WIDTH: usize> {
    draw: &'a Draw<'a>,
    first: usize,
    rows: &'a mut [[f32; WIDTH]],
}

impl<const WIDTH: usize> Rows<'_, WIDTH> {
    /// Fills one row after the other.
    fn each(self, row: impl Fn(&Draw, usize) -> [f32; WIDTH]) {
        for (vertex, out) in (self.first..).zip(self.rows) {
            *out = row(self.draw, vertex);
        }
    }
}

/// Fills [`VertexTable::plain`].
struct PlainRows<'a>(Rows<'a, PLAIN>);

impl Kernel for PlainRows<'_> {
    type Output = ();

    fn scalar(self) {
        self.0.each(plain);
    }

    #[inline(always)]
    fn lanes<S: Simd>(self, simd: S) {
        let Rows { draw, first, rows } = self.0;
        let lanes = S::u32s::LEN;
        let texcoords: &[[u32; 2]] = cast_slice(&draw.mesh.texcoords);
        let [px, py, pz] = &draw.posed.position;
        let [nx, ny, nz] = &draw.posed.normal;
        let mut vertex = first;
        for rows in rows.chunks_mut(lanes) {
            let end = vertex + rows.len();
            if rows.len() == lanes {
                let texcoords = texcoords[vertex..end].as_flattened();
                let (left, right) = texcoords.split_at(lanes);
                let (u, v) =
                    S::u32s::from_slice(simd, left).deinterleave(S::u32s::from_slice(simd, right));
                let (nx, ny) = (load(simd, nx, vertex), load(simd, ny, vertex));
                let (nz, px) = (load(simd, nz, vertex), load(simd, px, vertex));
                let (py, pz) = (load(simd, py, vertex), load(simd, pz, vertex));
                let first = interleave4(simd, [u, v, nx, ny]);
                let second = interleave4(simd, [nz, px, py, pz]);
                for ((row, first), second) in rows.iter_mut().zip(&first).zip(&second) {
                    row[..4].copy_from_slice(cast_slice(first));
                    row[4..].copy_from_slice(cast_slice(second));
                }
            } else {
                Rows { draw, first: vertex, rows }.each(plain);
            }
            vertex = end;
        }
    }
}

/// One number per lane, as bits.
#[inline(always)]
fn load<S: Simd>(simd: S, numbers: &[f32], first: usize) -> S::u32s {
    S::u32s::from_slice(simd, cast_slice(&numbers[first..first + S::u32s::LEN]))
}

/// The rows of all draws; empty if no draw has any.
fn fill<const WIDTH: usize>(
    view: &View,
    has_rows: impl Fn(&&Draw) -> bool + Sync,
    fill: impl Fn(Rows<WIDTH>) + Sync,
) -> Vec<[f32; WIDTH]> {
    if !view.draws.iter().any(|draw| has_rows(&draw)) {
        return Vec::new();
    }
    let total = view.draws.iter().map(|draw| draw.posed.len()).sum();
    let mut rows = vec![[0.0; WIDTH]; total];
    let mut rest = rows.as_mut_slice();
    let parts: Vec<_> = view
        .draws
        .iter()
        .filter_map(|draw| Some((draw, rest.split_off_mut(..draw.posed.len())?)))
        .filter(|(draw, _)| has_rows(draw))
        .collect();
    parts.into_par_iter().for_each(|(draw, rows)| {
        rows.par_chunks_mut(ROWS_PER_JOB).enumerate().for_each(|(job, rows)| {
            fill(Rows { draw, first: job * ROWS_PER_JOB, rows });
        });
    });
    rows
}

#[inline]
fn plain(draw: &Draw, vertex: usize) -> [f32; PLAIN] {
    let texcoord = draw.mesh.texcoords[vertex];
    let [px, py, pz] = draw.posed.position.each_ref().map(|axis| axis[vertex]);
    let [nx, ny, nz] = draw.posed.normal.each_ref().map(|axis| axis[vertex]);
    [texcoord.x, texcoord.y, nx, ny, nz, px, py, pz]
}

#[inline]
fn tangent(draw: &Draw, vertex: usize) -> [f32; 4] {
    let [x, y, z] = draw.posed.tangent.each_ref().map(|axis| axis[vertex]);
    [x, y, z, draw.mesh.bitangent_sign[vertex]]
}

/// Zeros if the mesh has no second texture coordinates.
#[inline]
fn second(draw: &Draw, vertex: usize) -> [f32; 4] {
    let texcoord = draw.mesh.second_texcoords.get(vertex).copied().unwrap_or_default();
    [texcoord.x, texcoord.y, 0.0, 0.0]
}

#[inline]
fn color(draw: &Draw, vertex: usize) -> [f32; 4] {
    draw.mesh.colors[vertex].to_array()
}
