//! The depth of a triangle as a plane over the screen.
//!
//! 1/w, the reciprocal of the distance along the view axis, is linear in screen space, and so is
//! the distance itself without perspective: one plane per triangle determines the depth of every
//! sample.

use crate::geometry::edge::doubled_area;
use crate::geometry::triangle::SetupTriangle;
use tintype_model::math::{clamp, max, min};

/// Plane of the depth over the screen, clamped to the values at the corners.
#[derive(Clone, Copy)]
pub(crate) struct DepthPlane {
    /// Corner 0 in 1/256 pixel, and its depth.
    pub origin: [i32; 2],
    pub value: f32,
    /// Slope per unit along x and y.
    pub along: [f32; 2],
    pub low: f32,
    pub high: f32,
}

impl DepthPlane {
    #[inline]
    #[expect(clippy::cast_precision_loss, reason = "the nearest f32 of exact differences")]
    pub(crate) fn new(triangle: &SetupTriangle) -> Self {
        let SetupTriangle { x, y, depth: [a, b, c], .. } = *triangle;
        let (x1, x2) = ((x[1] - x[0]) as f32, (x[2] - x[0]) as f32);
        let (y1, y2) = ((y[1] - y[0]) as f32, (y[2] - y[0]) as f32);
        let (rise1, rise2) = (b - a, c - a);
        let scale = 1.0 / doubled_area(x, y) as f32;
        Self {
            origin: [x[0], y[0]],
            value: a,
            along: [(rise1 * y2 - rise2 * y1) * scale, (rise2 * x1 - rise1 * x2) * scale],
            low: min(min(a, b), c),
            high: max(max(a, b), c),
        }
    }

    /// Depth at a covered position. Slivers have steep planes; the clamp prevents rounding from
    /// lifting them above their corners.
    #[inline]
    #[expect(clippy::cast_precision_loss, reason = "below 2^24: exact")]
    pub(crate) fn at(&self, x: i32, y: i32) -> f32 {
        let (dx, dy) = ((x - self.origin[0]) as f32, (y - self.origin[1]) as f32);
        clamp(self.value + self.along[0] * dx + self.along[1] * dy, self.low, self.high)
    }
}
