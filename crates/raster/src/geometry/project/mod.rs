//! Vertex projection: world space -> clip coordinates -> 1/256 pixel, once per vertex.
//!
//! Input: posed positions. Output: a [`ScreenVertex`] for each, with bits for the planes that it is
//! outside of.

pub(crate) mod lanes;
pub(crate) mod scalar;

use crate::geometry::projection::Projection;
use crate::geometry::screen_vertex::ScreenVertex;
use crate::view::Draw;
use rayon::prelude::*;
use tintype_model::PosedMesh;
use tintype_model::simd::prelude::*;
use tintype_model::simd::{self, Kernel, Level, MAX_LANES, Simd};

/// Vertices per job of the thread pool.
const VERTICES_PER_JOB: usize = 8192;

/// Projects a range of vertices.
struct ProjectRun<'a> {
    projection: &'a Projection,
    posed: &'a PosedMesh,
    first: usize,
    out: &'a mut [ScreenVertex],
}

impl Kernel for ProjectRun<'_> {
    type Output = ();

    fn scalar(self) {
        let [x, y, z] = &self.posed.position;
        for (vertex, out) in (self.first..).zip(self.out) {
            *out = self.projection.project([x[vertex], y[vertex], z[vertex]]);
        }
    }

    #[inline(always)]
    fn lanes<S: Simd>(self, simd: S) {
        if self.projection.is_orthographic {
            self.project::<S, true>(simd)
        } else {
            self.project::<S, false>(simd)
        }
    }
}

impl ProjectRun<'_> {
    #[inline(always)]
    fn project<S: Simd, const PARALLEL: bool>(self, simd: S) {
        let Self { projection, posed, first, out } = self;
        let [x, y, z] = &posed.position;
        let lanes = S::f32s::LEN;
        let (mut first, end) = (first, first + out.len());
        let mut out = out.chunks_exact_mut(lanes);
        for out in &mut out {
            let range = first..first + lanes;
            let position = [
                S::f32s::from_slice(simd, &x[range.clone()]),
                S::f32s::from_slice(simd, &y[range.clone()]),
                S::f32s::from_slice(simd, &z[range]),
            ];
            projection.project_lanes::<S, PARALLEL>(simd, position, out);
            first += lanes;
        }
        let rest = out.into_remainder();
        if !rest.is_empty() {
            let mut position = [[1.0; MAX_LANES]; 3];
            for (position, axis) in position.iter_mut().zip([x, y, z]) {
                position[..rest.len()].copy_from_slice(&axis[first..end]);
            }
            let position = [
                S::f32s::from_slice(simd, &position[0][..lanes]),
                S::f32s::from_slice(simd, &position[1][..lanes]),
                S::f32s::from_slice(simd, &position[2][..lanes]),
            ];
            projection.project_lanes::<S, PARALLEL>(simd, position, rest);
        }
    }
}

/// Projects the vertices of all draws, in the order of the vertex table.
pub(crate) fn project_vertices(
    level: Level,
    projection: &Projection,
    draws: &[Draw],
) -> Vec<ScreenVertex> {
    vertices_of(draws, |draw, first, out| {
        simd::run(level, ProjectRun { projection, posed: draw.posed, first, out });
    })
}

/// Vertices of all draws on a screen. `project` fills runs of them: the vertices of a draw from an
/// index on.
pub(crate) fn vertices_of(
    draws: &[Draw],
    project: impl Fn(&Draw, usize, &mut [ScreenVertex]) + Sync,
) -> Vec<ScreenVertex> {
    let total = draws.iter().map(|draw| draw.posed.len()).sum();
    let mut vertices = vec![ScreenVertex::default(); total];
    let mut rest = vertices.as_mut_slice();
    let parts: Vec<_> = draws
        .iter()
        .filter_map(|draw| Some((draw, rest.split_off_mut(..draw.posed.len())?)))
        .collect();
    parts.into_par_iter().for_each(|(draw, vertices)| {
        vertices.par_chunks_mut(VERTICES_PER_JOB).enumerate().for_each(|(job, out)| {
            project(draw, job * VERTICES_PER_JOB, out);
        });
    });
    vertices
}
