//! Projection over lanes, one vertex per lane; [`crate::geometry::project::scalar`] is the
//! definition.

use crate::geometry::projection::{GUARD_PX, Projection};
use crate::geometry::screen_vertex::{ScreenVertex, outside};
use tintype_model::math::lanes::{splat, to_int_in_range};
use tintype_model::simd::Simd;
use tintype_model::simd::prelude::*;

impl Projection {
    /// Projects one vertex per lane; `PARALLEL` is [`Projection::is_orthographic`].
    #[inline(always)]
    #[expect(clippy::cast_possible_wrap, reason = "small bits")]
    pub(crate) fn project_lanes<S: Simd, const PARALLEL: bool>(
        &self,
        simd: S,
        position: [S::f32s; 3],
        out: &mut [ScreenVertex],
    ) {
        let [x, y, w] = [
            self.along_lanes::<S>(0, position),
            self.along_lanes::<S>(1, position),
            self.along_lanes::<S>(2, position),
        ];
        let [half_x, half_y] = self.half;
        let zero = S::i32s::simd_from(simd, 0);
        let none = splat(simd, 0.0);
        let divisor = if PARALLEL { splat(simd, 1.0) } else { w };

        // 1. Outcodes: the planes that the vertex is outside of.
        let mut outside =
            w.simd_lt(self.near).select(S::i32s::simd_from(simd, outside::NEAR as i32), zero);
        outside |= x
            .simd_gt(divisor * half_x)
            .select(S::i32s::simd_from(simd, outside::RIGHT as i32), zero);
        outside |= x
            .simd_lt(divisor * -half_x)
            .select(S::i32s::simd_from(simd, outside::LEFT as i32), zero);
        outside |= y
            .simd_gt(divisor * half_y)
            .select(S::i32s::simd_from(simd, outside::BOTTOM as i32), zero);
        outside |= y
            .simd_lt(divisor * -half_y)
            .select(S::i32s::simd_from(simd, outside::TOP as i32), zero);
        let (limit_x, limit_y) = (divisor * (half_x + GUARD_PX), divisor * (half_y + GUARD_PX));
        let in_range = (w - self.near).simd_ge(0.0)
            & (limit_x + x).simd_ge(0.0)
            & (limit_x - x).simd_ge(0.0)
            & (limit_y + y).simd_ge(0.0)
            & (limit_y - y).simd_ge(0.0);
        outside |= in_range.select(zero, S::i32s::simd_from(simd, outside::RANGE as i32));

        // 2. Divide and round, where that is in range.
        let over = in_range.select(splat(simd, 1.0) / divisor, none);
        let depth = if PARALLEL { in_range.select(-w, none) } else { over };
        let x = in_range.select(((x * over + half_x) * 256.0 + 0.5).floor(), none);
        let y = in_range.select(((y * over + half_y) * 256.0 + 0.5).floor(), none);
        let (x, y) = (to_int_in_range::<S>(x), to_int_in_range::<S>(y));
        for (lane, out) in out.iter_mut().enumerate() {
            *out = ScreenVertex {
                x: x.as_slice()[lane],
                y: y.as_slice()[lane],
                depth: depth.as_slice()[lane],
                outside: outside.as_slice()[lane].cast_unsigned(),
            };
        }
    }

    #[inline(always)]
    fn along_lanes<S: Simd>(&self, axis: usize, [x, y, z]: [S::f32s; 3]) -> S::f32s {
        let row = self.rows[axis];
        x * row.x + y * row.y + z * row.z + self.offset[axis]
    }
}
