//! Morph targets: offsets of position, normal and tangent added to the vertices of a mesh, each by
//! a weight.
//!
//! Offsets are in the bind space of the mesh. An influence carries their sum into the space of its
//! joint as it carries the vertex itself, so that morphed and plain meshes are skinned by one rule:
//! `Σ bias · matrix · (position_in_joint + carrier · offset)`. The weights belong to the
//! [`super::Skeleton`], because clips move them beside the joints.

use super::skeleton::JointIndex;
use crate::math::{Mat3, Vec3};

/// Number of vertices in a block: a target stores only blocks with a moving vertex.
pub const MORPH_BLOCK: usize = 8;

/// Offsets of one vertex: position and normal.
///
/// # Layout
/// As the first seven numbers of an influence, so that they enter the same sums: x, y, z, 0 of
/// both.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C, align(32))]
pub struct MorphRow(pub [f32; 8]);

/// Offsets of the vertices of one mesh by one target.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MorphTarget {
    /// Index of its weight among [`super::Skeleton::morphs`].
    pub weight: usize,
    /// For each block of vertices, the number of its stored rows.
    blocks: Vec<u32>,
    /// Offsets of position and normal, a block after the other.
    rows: Vec<MorphRow>,
    /// Offsets of tangents, in the same order; or empty.
    tangents: Vec<Vec3>,
}

/// Marks a block without a moving vertex.
const STILL: u32 = u32::MAX;

impl MorphTarget {
    /// A target of `count` vertices; `offsets` returns the offsets of position, normal and tangent.
    #[must_use]
    pub fn new(weight: usize, count: usize, offsets: impl Fn(usize) -> [Vec3; 3]) -> Self {
        let mut target = Self { weight, ..Self::default() };
        let mut turns = false;
        for first in (0..count).step_by(MORPH_BLOCK) {
            let mut block = [[Vec3::ZERO; 3]; MORPH_BLOCK];
            for (place, vertex) in block.iter_mut().zip(first..count) {
                *place = offsets(vertex);
            }
            if block.iter().flatten().all(|offset| *offset == Vec3::ZERO) {
                target.blocks.push(STILL);
                continue;
            }
            let number = target.rows.len() / MORPH_BLOCK;
            target.blocks.push(u32::try_from(number).unwrap_or(STILL));
            for [place, normal, tangent] in block {
                let row = [place.x, place.y, place.z, 0.0, normal.x, normal.y, normal.z, 0.0];
                target.rows.push(MorphRow(row));
                target.tangents.push(tangent);
                turns |= tangent != Vec3::ZERO;
            }
        }
        if !turns {
            target.tangents = Vec::new();
        }
        target
    }

    /// The rows and tangents of a block of vertices. None if no vertex moves; no tangents if none
    /// turns.
    #[inline(always)]
    #[must_use]
    pub fn block(&self, block: usize) -> Option<(&[MorphRow; MORPH_BLOCK], &[Vec3])> {
        let number = *self.blocks.get(block)?;
        if number == STILL {
            return None;
        }
        let first = number as usize * MORPH_BLOCK;
        let rows = self.rows.get(first..)?.first_chunk()?;
        Some((rows, self.tangents.get(first..first + MORPH_BLOCK).unwrap_or_default()))
    }

    /// The offsets of position, normal and tangent of a vertex.
    #[must_use]
    pub fn offsets_of(&self, vertex: usize) -> [Vec3; 3] {
        let Some((rows, tangents)) = self.block(vertex / MORPH_BLOCK) else {
            return [Vec3::ZERO; 3];
        };
        let at = vertex % MORPH_BLOCK;
        let row = rows[at].0;
        let tangent = tangents.get(at).copied().unwrap_or(Vec3::ZERO);
        [Vec3::new(row[0], row[1], row[2]), Vec3::new(row[4], row[5], row[6]), tangent]
    }

    /// The bytes that it takes.
    #[must_use]
    pub fn byte_size(&self) -> usize {
        self.rows.len() * size_of::<MorphRow>()
            + self.tangents.len() * size_of::<Vec3>()
            + self.blocks.len() * size_of::<u32>()
    }
}

/// The transform of an offset from bind space to joint space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MorphTransform {
    /// The joint.
    pub joint: JointIndex,
    /// For positions and tangents.
    pub linear: Mat3,
    /// For normals.
    pub normal: Mat3,
}

/// The targets of a mesh.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MorphTargets {
    /// In the order of the file.
    pub targets: Vec<MorphTarget>,
    /// Transforms into the joints.
    pub carriers: Vec<MorphTransform>,
    /// For each influence of the mesh, the index of its transform.
    pub carrier_of: Vec<u32>,
}

impl MorphTargets {
    /// True if any target of the mesh has a non-zero weight.
    #[must_use]
    pub fn is_active(&self, weights: &[f32]) -> bool {
        self.targets.iter().any(|target| weights.get(target.weight).is_some_and(|&w| w != 0.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn target_keeps_the_blocks_that_move() {
        let moved = |vertex: usize| {
            let offset = if vertex == 17 { Vec3::new(1.0, 2.0, 3.0) } else { Vec3::ZERO };
            [offset, -offset, Vec3::ZERO]
        };
        let target = MorphTarget::new(0, 30, moved);
        assert_eq!(target.rows.len(), MORPH_BLOCK);
        assert!(target.tangents.is_empty());
        for vertex in 0..30 {
            assert_eq!(target.offsets_of(vertex), moved(vertex), "{vertex}");
        }
        let turned =
            MorphTarget::new(0, 3, |vertex| [Vec3::ZERO, Vec3::ZERO, Vec3::X * vertex as f32]);
        assert_eq!(turned.offsets_of(2), [Vec3::ZERO, Vec3::ZERO, Vec3::X * 2.0]);
    }
}
