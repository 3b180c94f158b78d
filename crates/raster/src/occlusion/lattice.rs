//! A lattice of voxels, one bit each.

use tintype_model::math::{Vec3, max};

/// Voxels between the casters and the ends of the lattice.
const MARGIN: f32 = 5.0;

/// Voxels that hold a surface.
pub(super) struct Voxels {
    /// Voxels along each axis.
    pub size: [usize; 3],
    pub per_length: f32,
    /// Corner of the lattice, in whole voxels from its origin.
    pub corner: Vec3,
    /// Words of a row along x.
    pub row: usize,
    /// Rows along x, then y, in planes of z.
    pub words: Vec<u64>,
    /// Rows of y below this one are within the ground; the minimum without a ground.
    pub ground: isize,
}

impl Voxels {
    /// A lattice around a box, without memory. None for a box that is not representable.
    pub(super) fn empty(low: Vec3, high: Vec3, per_length: f32) -> Option<Self> {
        let corner = (low * per_length).floor() - Vec3::splat(MARGIN);
        let end = (high * per_length).ceil() + Vec3::splat(MARGIN);
        let size = (end - corner).to_array();
        // Casters so far from the origin that a voxel is below the precision have no lattice.
        let holds = size.iter().all(|&side| side >= 2.0 * MARGIN);
        if !(per_length > 0.0 && corner.is_finite() && end.is_finite() && holds) {
            return None;
        }
        let size = size.map(whole);
        Some(Self {
            size,
            per_length,
            corner,
            row: size[0].div_ceil(64),
            words: Vec::new(),
            ground: isize::MIN,
        })
    }

    /// Marks the voxel of a point.
    #[inline]
    pub(super) fn set(&mut self, at: Vec3) {
        let [x, y, z] = at.to_array().map(whole);
        let [width, height, depth] = self.size;
        if x < width && y < height && z < depth {
            let word = (z * height + y) * self.row + (x >> 6);
            self.words[word] |= 1 << (x & 63);
        }
    }
}

/// The integer part of a number; 0 for negative ones.
#[expect(clippy::cast_possible_truncation, reason = "sides of a lattice are small")]
#[expect(clippy::cast_sign_loss, reason = "held to 0")]
pub(super) fn whole(value: f32) -> usize {
    max(value, 0.0) as u32 as usize
}
