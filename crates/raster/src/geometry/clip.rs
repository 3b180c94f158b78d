//! Clipping of triangles against the near plane and the guard band, in clip coordinates.
//!
//! Input: the corners of one triangle in scaled clip coordinates. Output: a convex polygon of up to
//! eight corners, with barycentric coordinates in the source triangle.
//!
//! Only triangles beyond the range of the fixed-point arithmetic are clipped: those that reach
//! before the near plane, and those that reach more than
//! [`GUARD_PX`](crate::geometry::projection::GUARD_PX) beyond the picture. All others are cut by
//! coverage alone.
//!
//! # Determinism
//! A cut edge is always walked from its inner to its outer corner, so two triangles with a common
//! edge cut it at the same point, to the bit, and leave no crack.
//!
//! # Source
//! Sutherland and Hodgman, "Reentrant Polygon Clipping", CACM 17(1), 1974.

use crate::geometry::projection::{Projection, plane_distances};
/// Corner of a polygon: clip coordinates, and barycentric coordinates in the source triangle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Corner {
    /// Scaled clip coordinates; see [`Projection`].
    pub x: f32,
    pub y: f32,
    pub w: f32,
    /// Barycentric coordinates in the source triangle, linear in clip space; they sum to 1.
    pub barycentric: [f32; 3],
}

impl Corner {
    fn toward(&self, other: &Self, part: f32) -> Self {
        let mix = |from: f32, to: f32| from + (to - from) * part;
        Self {
            x: mix(self.x, other.x),
            y: mix(self.y, other.y),
            w: mix(self.w, other.w),
            barycentric: core::array::from_fn(|k| mix(self.barycentric[k], other.barycentric[k])),
        }
    }
}

/// Three corners, and one more for each of five planes.
pub(crate) const MAX_CORNERS: usize = 8;

/// A convex polygon on the stack.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Polygon {
    corners: [Corner; MAX_CORNERS],
    count: usize,
}

impl Polygon {
    const EMPTY: Self = Self {
        corners: [Corner { x: 0.0, y: 0.0, w: 0.0, barycentric: [0.0; 3] }; MAX_CORNERS],
        count: 0,
    };

    pub(crate) fn corners(&self) -> &[Corner] {
        &self.corners[..self.count]
    }

    fn push(&mut self, corner: Corner) {
        self.corners[self.count] = corner;
        self.count += 1;
    }
}

/// The part of a triangle inside all planes; fewer than three corners if there is none.
pub(crate) fn clip_triangle(projection: &Projection, triangle: [Corner; 3]) -> Polygon {
    let mut polygon = Polygon::EMPTY;
    for corner in triangle {
        polygon.push(corner);
    }
    for plane in 0..5 {
        let mut kept = Polygon::EMPTY;
        for index in 0..polygon.count {
            let from = polygon.corners[index];
            let to = polygon.corners[(index + 1) % polygon.count];
            let distance =
                |corner: &Corner| plane_distances(projection, corner.x, corner.y, corner.w)[plane];
            let (from_distance, to_distance) = (distance(&from), distance(&to));
            if from_distance >= 0.0 {
                kept.push(from);
                if to_distance < 0.0 {
                    kept.push(from.toward(&to, from_distance / (from_distance - to_distance)));
                }
            } else if to_distance >= 0.0 {
                kept.push(to.toward(&from, to_distance / (to_distance - from_distance)));
            }
        }
        polygon = kept;
        if polygon.count < 3 {
            break;
        }
    }
    polygon
}
