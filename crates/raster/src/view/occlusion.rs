//! Ambient occlusion of a view, with one voxel size for all frames of a sequence.

use tintype_model::math::Vec3;

/// Ambient occlusion: models block light from all around from each other and from themselves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Occlusion {
    /// Strength of its effect, 0..=1.
    pub strength: f32,
    /// Side of a voxel in world units, above 0. Occlusion reaches about twelve voxels.
    pub voxel: f32,
    /// Fixed position near the models.
    pub origin: Vec3,
    /// Height of the ground that blocks light from below. None without a ground, or if the models
    /// at rest are deeper in it.
    pub ground: Option<f32>,
}

impl Occlusion {
    /// Voxels along the longest side of a model of usual size.
    pub const VOXELS: f32 = 64.0;
    /// Depth in voxels that models may be sunk into a ground that blocks light.
    pub const SUNKEN: f32 = 3.0;
    /// Maximum memory of the occlusion of one frame, in bytes: two million voxels; the columns of a
    /// narrow lattice take as many bytes again.
    pub const BYTES: usize = 2_000_000 * 19;
}
