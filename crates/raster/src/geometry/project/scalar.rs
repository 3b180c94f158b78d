//! Projection, one vertex at a time: the definition of [`crate::geometry::project::lanes`].

use crate::geometry::projection::{Projection, plane_distances};
use crate::geometry::screen_vertex::{ScreenVertex, outside};
impl Projection {
    /// Projects one vertex.
    pub(crate) fn project(&self, position: [f32; 3]) -> ScreenVertex {
        let [x, y, w] = self.clip_coordinates(position);
        let [half_x, half_y] = self.half;
        let divisor = self.divisor(w);
        let mut outside = 0;
        for (is_outside, bit) in [
            (w < self.near, outside::NEAR),
            (x > half_x * divisor, outside::RIGHT),
            (x < -half_x * divisor, outside::LEFT),
            (y > half_y * divisor, outside::BOTTOM),
            (y < -half_y * divisor, outside::TOP),
        ] {
            outside |= if is_outside { bit } else { 0 };
        }
        if !plane_distances(self, x, y, w).iter().all(|&distance| distance >= 0.0) {
            outside |= outside::RANGE;
            return ScreenVertex { x: 0, y: 0, depth: 0.0, outside };
        }
        let (x, y, depth) = self.snap(x, y, w);
        ScreenVertex { x, y, depth, outside }
    }

    /// Divides and rounds to the nearest 1/256 pixel, halves upwards; the third number is the
    /// depth: `1/w`, or `-w` without perspective.
    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "in the guard band: below 2^23")]
    pub(crate) fn snap(&self, x: f32, y: f32, w: f32) -> (i32, i32, f32) {
        const UNITS: f32 = 256.0; // UNIT
        let over = 1.0 / self.divisor(w);
        let fixed = |value: f32, half: f32| ((value * over + half) * UNITS + 0.5).floor() as i32;
        let depth = if self.is_orthographic { -w } else { over };
        (fixed(x, self.half[0]), fixed(y, self.half[1]), depth)
    }
}
