//! Projection, one vertex at a time: the definition of [`crate::raster::geometry::project::lanes`].

use crate::raster::geometry::projection::{Projection, plane_distances};
use crate::raster::geometry::screen_vertex::{ScreenVertex, outside};
impl Projection {
    /// Projects one vertex.
    pub(crate) fn project(&self, position: [f32; 3]) -> ScreenVertex {
        let [x, y, w] = self.clip_coordinates(position);
        let [half_x, half_y] = self.half;
        let mut outside = 0;
        for (is_outside, bit) in [
            (w < self.near, outside::NEAR),
            (x > half_x * w, outside::RIGHT),
            (x < -half_x * w, outside::LEFT),
            (y > half_y * w, outside::BOTTOM),
            (y < -half_y * w, outside::TOP),
        ] {
            outside |= if is_outside { bit } else { 0 };
        }
        if !plane_distances(self, x, y, w).iter().all(|&distance| distance >= 0.0) {
            outside |= outside::RANGE;
            return ScreenVertex { x: 0, y: 0, depth: 0.0, outside };
        }
        let (x, y, depth) = snap(self.half, x, y, w);
        ScreenVertex { x, y, depth, outside }
    }
}

/// Divides by `w` and rounds to the nearest 1/256 pixel, halves upwards.
#[inline]
#[expect(clippy::cast_possible_truncation, reason = "in the guard band: below 2^23")]
pub(crate) fn snap(half: [f32; 2], x: f32, y: f32, w: f32) -> (i32, i32, f32) {
    const UNITS: f32 = 256.0; // UNIT
    let depth = 1.0 / w;
    let fixed = |value: f32, half: f32| ((value * depth + half) * UNITS + 0.5).floor() as i32;
    (fixed(x, half[0]), fixed(y, half[1]), depth)
}
