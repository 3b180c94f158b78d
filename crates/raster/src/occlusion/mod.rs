//! Ambient occlusion: the fraction of ambient light that the models block for each other and for
//! themselves.
//!
//! Input: the casters of a view. Output: an [`OcclusionMap`], a lattice of voxels around them. For
//! each voxel it stores the fraction of the surrounding sphere blocked nearby, as the first two
//! bands of spherical harmonics, so that one look-up with a normal returns the blocked fraction of
//! the hemisphere.
//!
//! ```text
//! lattice    voxels that hold a surface, one bit each
//! triangles  triangles -> points closer than voxels, whose voxels are marked
//! voxels     casters of a view -> a lattice as fine as memory and time allow
//! rays       directions, and what a blocked ray adds to a voxel
//! cast       bits -> rays in 26 directions from every voxel near a surface, 64 voxels at a time
//! columns    the same over lanes, several times 64 voxels at a time
//! lookup     map, point and normal -> open share of the hemisphere
//! ```
//!
//! A map depends on the models alone, not on the camera, the tiles or the samples: occlusion has no
//! seams, no halos at outlines and no noise, and does not flicker as the camera turns. Parts closer
//! to each other than two voxels count as touching; finer relief is left to occlusion textures.
//!
//! # Determinism
//! Bits and sums are integers. The lattice is anchored in the world, and its voxels have the same
//! size in every frame of a scene.
//!
//! # Source
//! Ramamoorthi and Hanrahan, "An Efficient Representation for Irradiance Environment Maps",
//! SIGGRAPH 2001: the product of two bands and a cosine. Directions and weights: Lebedev, "Values
//! of the nodes and weights of ninth to seventeenth order Gauss-Markov quadrature formulae", 1975,
//! 26 points.

mod cast;
mod columns;
mod lattice;
pub(crate) mod lookup;
mod rays;
mod triangles;
mod voxels;

use crate::view::View;
use crate::view::occlusion::Occlusion;
use lattice::Voxels;
use tintype_model::math::Vec3;
use tintype_model::simd::Level;

/// Ambient occlusion of one frame.
pub struct OcclusionMap {
    /// Voxels along each axis; at least two.
    size: [usize; 3],
    /// From the world to voxels: `(position - origin) * per_length - corner`.
    origin: Vec3,
    per_length: f32,
    corner: Vec3,
    /// Distance of a look-up from its surface, in world units.
    lift: f32,
    strength: f32,
    /// Rows along x, in planes of z: blocked fraction of the sphere, and the direction of the
    /// blockage, packed by [`rays::pack`].
    texels: Vec<[u16; 4]>,
}

/// Distance of a look-up from its surface, in voxels: beyond the voxels of the surface.
const LIFT: f32 = 2.0;

impl OcclusionMap {
    /// The map of a view. None without casters, or if the view does not request it.
    pub fn of(view: &View, level: Level) -> Option<Self> {
        let occlusion = view.occlusion?;
        let Occlusion { strength, voxel, origin, .. } = occlusion;
        if strength <= 0.0 || !voxel.is_finite() || voxel <= 0.0 {
            return None;
        }
        let voxels = Voxels::of(view, level, occlusion)?;
        let texels = cast::cast(&voxels, level);
        Some(Self {
            size: voxels.size,
            origin,
            per_length: voxels.per_length,
            corner: voxels.corner,
            lift: LIFT / voxels.per_length,
            strength,
            texels,
        })
    }
}
