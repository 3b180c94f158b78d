//! Projection to a depth map: world space -> 1/256 texel and depth, once per vertex.

use crate::geometry::project::vertices_of;
use crate::geometry::screen_vertex::ScreenVertex;
use crate::shadow::space::Space;
use crate::view::Draw;
use tintype_model::PosedMesh;
use tintype_model::math::lanes;
use tintype_model::math::{clamp, lanes::Vec3s};
use tintype_model::simd::prelude::*;
use tintype_model::simd::{self, Kernel, Level, Simd};

/// Positions are clamped to this many texels around the corner of the map, so that they fit
/// integers; no map is as wide.
const FARTHEST: f32 = 4_194_304.0; // 2^22

/// 1/256 texel.
const UNITS: f32 = 256.0; // UNIT

/// Projects the vertices of all casters; the map contains them, so none is outside of any plane.
/// The vertices of other draws stay empty.
pub(super) fn project_to_map(level: Level, space: &Space, draws: &[Draw]) -> Vec<ScreenVertex> {
    vertices_of(draws, |draw, first, out| {
        if draw.casts {
            simd::run(level, ProjectRun { space, posed: draw.posed, first, out });
        }
    })
}

/// Projects a range of vertices.
struct ProjectRun<'a> {
    space: &'a Space,
    posed: &'a PosedMesh,
    first: usize,
    out: &'a mut [ScreenVertex],
}

impl Kernel for ProjectRun<'_> {
    type Output = ();

    #[expect(clippy::cast_possible_truncation, reason = "held to the farthest")]
    fn scalar(self) {
        let Self { space, posed, first, out } = self;
        let fixed = |value: f32| (clamp(value, -FARTHEST, FARTHEST) * UNITS + 0.5).floor() as i32;
        for (vertex, out) in (first..).zip(out) {
            let at = space.local(posed.position_at(vertex));
            *out = ScreenVertex { x: fixed(at.x), y: fixed(at.y), depth: at.z, outside: 0 };
        }
    }

    #[inline(always)]
    fn lanes<S: Simd>(self, simd: S) {
        let Self { space, posed, mut first, out } = self;
        let mut runs = out.chunks_exact_mut(S::f32s::LEN);
        for out in &mut runs {
            let Vec3s { x, y, z } = space.local_lanes(simd, posed.positions_from(simd, first));
            let (x, y) = (fixed_lanes(simd, x), fixed_lanes(simd, y));
            for (lane, out) in out.iter_mut().enumerate() {
                *out = ScreenVertex {
                    x: x.as_slice()[lane],
                    y: y.as_slice()[lane],
                    depth: z.as_slice()[lane],
                    outside: 0,
                };
            }
            first += S::f32s::LEN;
        }
        let rest = runs.into_remainder();
        Self { space, posed, first, out: rest }.scalar();
    }
}

/// A coordinate in 1/256 texel, in every lane.
#[inline(always)]
fn fixed_lanes<S: Simd>(simd: S, value: S::f32s) -> S::i32s {
    let held = lanes::clamp(simd, value, -FARTHEST, FARTHEST);
    lanes::to_int_in_range::<S>((held * UNITS + 0.5).floor())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shadow::space::{Extent, axes};
    use tintype_model::math::Vec3;

    #[test]
    fn vertices_of_every_level_are_those_of_plain_code() {
        for count in [1, 4, 15, 33] {
            let number = |k: usize, axis: usize| (k * 7 + axis * 5) as f32 * 0.37 - 3.0;
            let along = |axis: usize| (0..count).map(|k| number(k, axis)).collect();
            let mut posed = PosedMesh { position: [0, 1, 2].map(along), ..PosedMesh::default() };
            let axes = axes(Vec3::new(0.6, 0.8, 0.0));
            let extent = Extent::of(axes, [&posed]);
            let space = Space::new(axes, Vec3::ZERO, 0.02, 0.001, &extent).expect("casters");
            // Beyond everything that the map contains, and NaN.
            posed.position[0][0] = 1e30;
            posed.position[2][count - 1] = f32::NAN;
            let vertices = |level| {
                let mut out = vec![ScreenVertex::default(); count];
                simd::run(
                    level,
                    ProjectRun { space: &space, posed: &posed, first: 0, out: &mut out },
                );
                let bits = |v: &ScreenVertex| {
                    (v.x, v.y, v.depth.is_nan() || v.depth.abs() > 1e20, v.outside)
                };
                out.iter().map(bits).collect::<Vec<_>>()
            };
            for level in Level::available() {
                assert_eq!(vertices(level), vertices(Level::Scalar), "{level:?}, {count}");
            }
        }
    }
}
