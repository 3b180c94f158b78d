//! Result of a comparison; true if it is within a tolerance.

use super::joint::JointDiff;
use super::skin::MeshDiff;
use crate::finding::{Finding, told};
use serde::Serialize;

/// Differences between two exports. Distances are in units of the model, angles in degrees, times
/// in seconds from the start of the clips.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct ModelDiff {
    /// Number of times at which the two were compared.
    pub moments: usize,
    /// Seconds of the second clip for each second of the first: 1 unless both have the same keys at
    /// another rate.
    pub pace: f64,
    /// The diagonal of the first model's box in its bind pose, as the unit of distances.
    pub diagonal: f32,
    /// Parts on one side only, or with another count; also time bases of clips, triangles, texture
    /// coordinates and materials.
    #[serde(serialize_with = "told")]
    pub structure: Vec<Finding>,
    /// The factor by which all joints and vertices are scaled from the origin, at every time.
    #[serde(skip)]
    pub(super) factor: Option<f32>,
    /// Other keys of nearly the same motion, or the joints with other keys.
    #[serde(skip)]
    pub(super) keys: Vec<Finding>,
    /// Notes that are not differences: meshes whose vertices are reordered, or merged where they
    /// are equal.
    #[serde(serialize_with = "told")]
    pub notes: Vec<Finding>,
    /// Weights that differ.
    #[serde(serialize_with = "told")]
    pub weights: Vec<Finding>,
    /// The largest change of a weight; not finite if a vertex is bound to other joints.
    pub largest_weight_change: f32,
    /// Joints whose vertices all have other positions in joint space, with the same weights: their
    /// offset matrices differ.
    pub offsets: Vec<String>,
    /// The farthest that one of their vertices moved in joint space.
    #[serde(skip)]
    pub(super) farthest_offset: f32,
    /// Joints that differ in the bind pose, by name; empty if that is the compared pose. A clip
    /// that sets every joint hides them from the joints and meshes below, but not from values
    /// computed in the bind pose.
    pub bind: Vec<String>,
    /// Joints that moved by themselves, farthest first.
    pub joints: Vec<JointDiff>,
    /// Joints of which only the last digits changed.
    pub rounded_joints: usize,
    /// Meshes with vertices that moved, farthest first.
    pub meshes: Vec<MeshDiff>,
}

impl ModelDiff {
    /// True if the two are the same, except for distances of at most `tolerance` diagonals.
    #[must_use]
    pub fn is_within(&self, tolerance: f32) -> bool {
        let allowed = tolerance * self.diagonal;
        let joints_stay = if tolerance > 0.0 {
            self.joints.iter().all(|joint| joint.moved <= allowed)
        } else {
            self.joints.is_empty()
        };
        let meshes_stay = if tolerance > 0.0 {
            self.meshes.iter().flat_map(|mesh| mesh.worst).all(|at| at.moved <= allowed)
        } else {
            self.meshes.is_empty()
        };
        // A change of offsets alone moves no vertex in the bind pose of some formats.
        let weights_stay = if tolerance > 0.0 {
            self.largest_weight_change <= tolerance
        } else {
            self.weights.is_empty()
        };
        self.structure.is_empty()
            && self.bind.is_empty()
            && joints_stay
            && meshes_stay
            && weights_stay
    }

    /// The maximum distance that a joint or vertex moved, in diagonals.
    #[must_use]
    pub fn farthest(&self) -> f32 {
        let joints = self.joints.iter().map(|joint| joint.moved);
        let moved = joints.chain(self.meshes.iter().filter_map(|mesh| Some(mesh.worst?.moved)));
        moved.fold(0.0, tintype_model::math::max)
            / tintype_model::math::max(self.diagonal, f32::MIN_POSITIVE)
    }
}
