//! Position of a point of a faceted surface as a shadow receiver.
//!
//! The light meets flat facets, while shading uses the round surface described by the vertex
//! normals. At the terminator, facets that face away from the light would show as dark teeth on the
//! lit side. So a point is first moved out to the round surface: along each corner's normal to that
//! corner's tangent plane, interpolated between the corners.
//!
//! # Source
//! Hanika, "Hacking the Shadow Terminator", Ray Tracing Gems II, chapter 4, 2021.

use tintype_model::math::Vec3;
use tintype_model::math::lanes::{Vec3s, min, splat};
use tintype_model::simd::Simd;

/// The point on the round surface. `normals` are turned to the visible side.
#[inline]
pub(crate) fn smooth_position(
    position: Vec3,
    share: Vec3,
    corners: [Vec3; 3],
    normals: [Vec3; 3],
) -> Vec3 {
    let mut round = position;
    for (k, share) in share.to_array().into_iter().enumerate() {
        let height = tintype_model::math::min((position - corners[k]).dot(normals[k]), 0.0);
        round -= normals[k] * (share * height);
    }
    round
}

/// Shadow receivers, one per lane.
#[derive(Clone, Copy)]
pub(crate) struct Receivers<S: Simd> {
    pub position: Vec3s<S>,
    /// Unit normal without the normal map, turned to the visible side.
    pub normal: Vec3s<S>,
}

impl<S: Simd> Receivers<S> {
    #[inline(always)]
    pub(crate) fn none(simd: S) -> Self {
        let zero = Vec3s::splat(simd, Vec3::ZERO);
        Self { position: zero, normal: zero }
    }
}

/// [`smooth_position`] in every lane.
#[inline(always)]
pub(crate) fn smooth_positions<S: Simd>(
    simd: S,
    position: Vec3s<S>,
    share: Vec3s<S>,
    corners: [Vec3s<S>; 3],
    normals: [Vec3s<S>; 3],
) -> Vec3s<S> {
    let mut round = position;
    let shares = [share.x, share.y, share.z];
    for (k, &share) in shares.iter().enumerate() {
        let height = min::<S>(position.minus(corners[k]).dot(normals[k]), splat(simd, 0.0));
        round = round.minus(normals[k].scaled(share * height));
    }
    round
}
