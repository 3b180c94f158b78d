//! One number for a pose, independent of the names and order of its joints, and of nodes without
//! effect.

use std::collections::BTreeMap;
use tintype_model::math::{Affine3, Mat3, max};
use tintype_model::{Clip, Model};

/// Factors of the numbers of a matrix: two independent sums, so that poses of joints do not cancel
/// out.
const FACTORS: [[f64; 12]; 2] = [
    [0.83, -0.47, 0.61, 0.29, 0.97, -0.73, -0.53, 0.37, 0.89, 0.67, -0.59, 0.79],
    [-0.41, 0.71, 0.43, -0.91, 0.31, 0.57, 0.87, -0.63, 0.49, 0.51, 0.93, -0.69],
];

/// Turns poses of a model into numbers.
pub(crate) struct PoseNumber {
    /// The joints that pull vertices or that the clip moves. A joint above them shows in their
    /// positions.
    joints: Vec<usize>,
    /// The largest distance of a joint from the origin in the bind pose.
    size: f32,
}

impl PoseNumber {
    pub(crate) fn new(model: &Model, clip: &Clip) -> Self {
        let all = model.skeleton.joints();
        let mut counts: Vec<bool> = vec![false; all.len()];
        for influence in model.meshes.iter().flat_map(|mesh| &mesh.influences) {
            counts[influence.joint().index()] |= influence.weight() != 0.0;
        }
        let moving = clip.joints.iter().filter(|tracks| tracks.is_moving());
        let places: BTreeMap<&str, usize> =
            all.iter().enumerate().map(|(place, joint)| (joint.name.as_str(), place)).collect();
        for &place in moving.filter_map(|tracks| places.get(tracks.name.as_str())) {
            counts[place] = true;
        }
        let joints: Vec<usize> = (0..all.len()).filter(|&joint| counts[joint]).collect();
        let far = joints.iter().map(|&joint| all[joint].model_from_joint.translation.length());
        let size = far.fold(f32::MIN_POSITIVE, max);
        Self { joints, size }
    }

    /// The number of a pose: a sum over joints of a function of each, which is independent of their
    /// order except in the last bits.
    pub(crate) fn of(&self, matrices: &[Affine3]) -> f64 {
        let of_joint = |&joint: &usize| {
            let matrix = matrices[joint];
            // Without the axes of an unrotated joint, which would dominate the sum.
            let axes = (matrix.matrix3 - Mat3::IDENTITY).to_cols_array();
            let place = (matrix.translation / self.size).to_array();
            let [mut plain, mut bent] = [0.0; 2];
            for (index, number) in axes.into_iter().chain(place).map(f64::from).enumerate() {
                plain += FACTORS[0][index] * number;
                bent += FACTORS[1][index] * number;
            }
            plain + libm::sin(3.0 * bent)
        };
        self.joints.iter().map(of_joint).sum()
    }
}
