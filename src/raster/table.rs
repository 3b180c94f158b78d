//! What shading interpolates, of all vertices of a picture: rows of one table, which lanes gather.

use super::{Draw, View};
use rayon::prelude::*;

/// The vertices of all draws, one draw after the other.
#[derive(Debug, Default)]
pub(super) struct VertexTable {
    /// Per draw: the place of its first vertex.
    pub first: Vec<u32>,
    /// Texture coordinates, normal, position. Like what follows, empty where plain code runs: it reads the meshes.
    pub plain: Vec<[f32; 8]>,
    /// Tangent and sign of the bitangent; empty if no material has a normal map.
    pub tangents: Vec<[f32; 4]>,
    /// Straight colours with alpha; empty if no mesh has any.
    pub colors: Vec<[f32; 4]>,
}

/// Rows that one thread fills at a time.
const ROWS_PER_JOB: usize = 8192;

impl VertexTable {
    /// Only the places.
    pub fn of_places(view: &View) -> Self {
        let mut total = 0_u32;
        let mut place = |draw: &Draw| {
            let first = total;
            let count = u32::try_from(draw.posed.len()).ok();
            // Lanes count half rows.
            let end = count.and_then(|count| first.checked_add(count)).filter(|end| end >> 31 == 0);
            total = end.expect("fewer than 2^31 vertices");
            first
        };
        let first = view.draws.iter().map(&mut place).collect();
        Self { first, ..Self::default() }
    }

    /// The whole table.
    pub fn new(view: &View) -> Self {
        let has_tangents = |draw: &&Draw| view.materials[draw.material].normal.is_some();
        let has_colors = |draw: &&Draw| !draw.mesh.colors.is_empty();
        Self {
            plain: fill(view, |_| true, plain),
            tangents: fill(view, has_tangents, tangent),
            colors: fill(view, has_colors, color),
            ..Self::of_places(view)
        }
    }
}

/// The rows of all draws, if any has some.
fn fill<const WIDTH: usize>(
    view: &View,
    has_rows: impl Fn(&&Draw) -> bool + Sync,
    row: impl Fn(&Draw, usize) -> [f32; WIDTH] + Sync,
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
            for (vertex, out) in (job * ROWS_PER_JOB..).zip(rows) {
                *out = row(draw, vertex);
            }
        });
    });
    rows
}

#[inline]
fn plain(draw: &Draw, vertex: usize) -> [f32; 8] {
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

#[inline]
fn color(draw: &Draw, vertex: usize) -> [f32; 4] {
    draw.mesh.colors[vertex].to_array()
}
