//! Morph targets of a mesh at the weights of one pose: sums of offsets, and the matrices that
//! transform them.

use super::matrices::{Columns, SkinMatrices};
use super::rows::ROWS;
use crate::math::{Affine3, Mat3, Vec3};
use crate::simd::prelude::*;
use crate::simd::{Simd, f32x8};
use crate::{MORPH_BLOCK, Mesh, MorphTarget};

// A block has as many rows as are summed at once.
const _: () = assert!(MORPH_BLOCK == ROWS);

/// The targets of a mesh with non-zero weights.
pub(super) struct Morph<'m> {
    targets: Vec<(&'m MorphTarget, f32)>,
    carriers: Vec<Carrier>,
    carrier_of: &'m [u32],
}

/// Matrices from bind space to the space of the pose, through one joint.
pub(super) struct Carrier {
    pub(super) linear: Mat3,
    pub(super) normal: Mat3,
    pub(super) columns: Columns,
}

/// Sums of offsets of a block of vertices.
pub(super) struct Offsets {
    /// Position and normal, one row per vertex.
    pub(super) rows: [[f32; 8]; ROWS],
    pub(super) tangents: [Vec3; ROWS],
}

impl<'m> Morph<'m> {
    /// The targets of a mesh at the weights of a pose. None if all weights are 0.
    pub(super) fn of(mesh: &'m Mesh, matrices: &SkinMatrices) -> Option<Self> {
        let morph = mesh.morph.as_deref()?;
        let weight_of = |target: &'m MorphTarget| {
            let weight = matrices.morphs.get(target.weight).copied().unwrap_or(0.0);
            (weight != 0.0).then_some((target, weight))
        };
        let targets: Vec<_> = morph.targets.iter().filter_map(weight_of).collect();
        if targets.is_empty() {
            return None;
        }
        let carrier = |way: &crate::MorphTransform| {
            let joint = way.joint.index();
            let linear = matrices.position[joint].matrix3 * way.linear;
            let normal = matrices.normal[joint] * way.normal;
            let columns = Columns::new(&Affine3::from_mat3(linear), &normal);
            Carrier { linear, normal, columns }
        };
        let carriers = morph.carriers.iter().map(carrier).collect();
        Some(Self { targets, carriers, carrier_of: &morph.carrier_of })
    }

    /// The transform of an influence.
    #[inline(always)]
    pub(super) fn carrier(&self, influence: usize) -> &Carrier {
        &self.carriers[self.carrier_of[influence] as usize]
    }

    /// The sums of offsets of position, normal and tangent of one vertex, in the order of the
    /// targets: the definition.
    pub(super) fn offsets_of(&self, vertex: usize) -> [Vec3; 3] {
        let mut sums = [Vec3::ZERO; 3];
        for (target, weight) in &self.targets {
            let offsets = target.offsets_of(vertex);
            sums.iter_mut().zip(offsets).for_each(|(sum, offset)| *sum += offset * *weight);
        }
        sums
    }

    /// As [`Self::offsets_of`] for the vertices of a block.
    #[inline(always)]
    pub(super) fn block<S: Simd, const TANGENT: bool>(&self, simd: S, block: usize) -> Offsets {
        let mut sums = [f32x8::splat(simd, 0.0); ROWS];
        let mut tangents = [Vec3::ZERO; ROWS];
        for &(target, weight) in &self.targets {
            let Some((rows, turns)) = target.block(block) else { continue };
            let factor = f32x8::splat(simd, weight);
            for (sum, row) in sums.iter_mut().zip(rows) {
                *sum += f32x8::from_slice(simd, &row.0) * factor;
            }
            if TANGENT {
                for (sum, turn) in tangents.iter_mut().zip(turns) {
                    *sum += *turn * weight;
                }
            }
        }
        let mut rows = [[0.0; 8]; ROWS];
        for (row, sum) in rows.iter_mut().zip(sums) {
            sum.store_slice(row);
        }
        Offsets { rows, tangents }
    }
}

impl Carrier {
    /// Transforms offsets of position, normal and tangent: the definition.
    #[inline]
    pub(super) fn carry(&self, [position, normal, tangent]: [Vec3; 3]) -> [Vec3; 3] {
        [self.linear * position, self.normal * normal, self.linear * tangent]
    }
}
