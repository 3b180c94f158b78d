//! Matrices of a pose, prepared for skinning.

use crate::Pose;
use crate::math::{Affine3, Mat3, Vec3, normal_matrix};

/// Matrices of one pose, and its morph weights.
#[derive(Clone, Debug)]
pub struct SkinMatrices {
    pub(super) position: Vec<Affine3>,
    pub(super) normal: Vec<Mat3>,
    /// The same matrices for lanes, joint by joint.
    pub(super) columns: Vec<Columns>,
    /// Weights of morph targets.
    pub(super) morphs: Vec<f32>,
}

/// Columns of a joint's matrix, with the translation last, each followed by the column of the
/// normal matrix.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(32))]
pub(super) struct Columns(pub(super) [[f32; 8]; 4]);

impl Columns {
    pub(super) fn new(place: &Affine3, normal: &Mat3) -> Self {
        // Adding it leaves a -0.0 of a normal unchanged.
        const NOTHING: Vec3 = Vec3::splat(-0.0);
        let turn = &place.matrix3;
        let pairs = [
            (turn.x_axis, normal.x_axis),
            (turn.y_axis, normal.y_axis),
            (turn.z_axis, normal.z_axis),
            (place.translation, NOTHING),
        ];
        Self(pairs.map(|(a, b)| [a.x, a.y, a.z, 0.0, b.x, b.y, b.z, 0.0]))
    }
}

impl SkinMatrices {
    /// Adds the normal matrices; see [`normal_matrix`].
    #[must_use]
    pub fn new(pose: &Pose) -> Self {
        let normal: Vec<Mat3> =
            pose.matrices.iter().map(|joint| normal_matrix(joint.matrix3)).collect();
        let columns = pose.matrices.iter().zip(&normal);
        let columns = columns.map(|(place, normal)| Columns::new(place, normal)).collect();
        let (position, morphs) = (pose.matrices.clone(), pose.morphs.clone());
        Self { position, normal, columns, morphs }
    }
}
