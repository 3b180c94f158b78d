//! Compares two exports of one character: joints and meshes that moved, by how much and when.
//!
//! Input: two models, each with a clip or in its bind pose. Output: a [`ModelDiff`] of plain records, the worst first. No picture is
//! drawn and no file is read. Two models are the same here if every joint has the same position at every key of the clips,
//! every vertex too, and both have the same triangles, texture coordinates and shader names.
//!
//! A joint *moved by itself* if its transform relative to its parent changed; descendants that are unchanged relative to their
//! parents only follow. A vertex *moved by itself* if it would also have moved had the joints stayed.

mod joint;
mod skin;
mod structure;

pub use joint::JointDiff;
pub use skin::{MeshDiff, VertexDiff};

use crate::math::Aabb;
use crate::model::{Clip, Model, Pose};
use crate::pose::{BindError, Binding, bind_clip, bind_pose, sample_clip, wrap_time};
use crate::skin::{SkinMatrices, skin_mesh};
use rayon::prelude::*;
use serde::Serialize;

/// The most moments that are compared; clips with more keys are sampled in even steps.
const MOST_MOMENTS: usize = 2000;
/// Number of moments that are posed before their differences are gathered.
const MOMENTS_AT_ONCE: usize = 16;

/// A model with the clip that moves it; in its bind pose without one.
#[derive(Clone, Copy, Debug)]
pub struct Side<'a> {
    /// The model.
    pub model: &'a Model,
    /// The clip.
    pub clip: Option<&'a Clip>,
}

/// Differences between two exports. Distances are in units of the model, angles in degrees, times in seconds from the start of
/// the clips.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct ModelDiff {
    /// At how many moments the two were compared.
    pub moments: usize,
    /// The diagonal of the first model's box in its bind pose: what distances may be held against.
    pub diagonal: f32,
    /// Parts of one side only, or with another count, a sentence each.
    pub structure: Vec<String>,
    /// Joints that differ in the bind pose, by name; empty if that is the pose that was compared. A clip that sets
    /// every joint hides them from the joints and meshes below, but not from what is computed in the bind pose.
    pub bind: Vec<String>,
    /// Joints that moved by themselves, farthest first.
    pub joints: Vec<JointDiff>,
    /// Joints of which only the last digits changed.
    pub rounded_joints: usize,
    /// Meshes with vertices that moved, farthest first.
    pub meshes: Vec<MeshDiff>,
}

impl ModelDiff {
    /// Whether the two are the same, but for distances of at most `tolerance` diagonals.
    #[must_use]
    pub fn is_within(&self, tolerance: f32) -> bool {
        let allowed = tolerance * self.diagonal;
        let joints_stay = match tolerance > 0.0 {
            true => self.joints.iter().all(|joint| joint.moved <= allowed),
            false => self.joints.is_empty() && self.rounded_joints == 0,
        };
        let meshes_stay = match tolerance > 0.0 {
            true => self.meshes.iter().flat_map(|mesh| mesh.worst).all(|at| at.moved <= allowed),
            false => self.meshes.is_empty(),
        };
        self.structure.is_empty() && self.bind.is_empty() && joints_stay && meshes_stay
    }

    /// The farthest that a joint or vertex moved, in diagonals.
    #[must_use]
    pub fn farthest(&self) -> f32 {
        let joints = self.joints.iter().map(|joint| joint.moved);
        let moved = joints.chain(self.meshes.iter().filter_map(|mesh| Some(mesh.worst?.moved)));
        moved.fold(0.0, crate::math::max) / crate::math::max(self.diagonal, f32::MIN_POSITIVE)
    }
}

/// One side, ready to be posed.
struct Posing<'a> {
    side: Side<'a>,
    binding: Option<Binding>,
}

impl<'a> Posing<'a> {
    fn new(side: Side<'a>) -> Result<Self, BindError> {
        let bind = |clip: &Clip| bind_clip(&side.model.skeleton, &side.model.meshes, clip);
        let binding = side.clip.map(bind).transpose()?.map(|(binding, _)| binding);
        Ok(Self { side, binding })
    }

    /// The pose that many seconds after the start of the clip.
    fn pose(&self, time_s: f64) -> Pose {
        match (self.side.clip, &self.binding) {
            (Some(clip), Some(binding)) => {
                let moment_s = wrap_time(clip, time_s, crate::model::Wrap::Clamp);
                sample_clip(&self.side.model.skeleton, clip, binding, moment_s)
            }
            _ => bind_pose(&self.side.model.skeleton),
        }
    }
}

/// Compares two exports of a model.
///
/// # Errors
/// The side, 0 or 1, whose clip does not fit its model, and why.
pub fn compare(old: Side, new: Side) -> Result<ModelDiff, (usize, BindError)> {
    let posing = [
        Posing::new(old).map_err(|error| (0, error))?,
        Posing::new(new).map_err(|error| (1, error))?,
    ];
    let moments_s = moments_s([old.clip, new.clip]);
    let pairs = structure::pair(old.model, new.model);
    let diagonal = bind_box(old.model).diagonal();

    // Moments side by side, some at a time: what they tell is gathered in their order, so the first of equal maxima wins.
    let look = |&at_s: &f64| {
        let poses = [posing[0].pose(at_s), posing[1].pose(at_s)];
        let joints = joint::differences([old.model, new.model], &poses, &pairs, diagonal);
        (at_s, joints, skin::differences([old.model, new.model], &poses, &pairs))
    };
    let mut joints = joint::Worst::new(old.model);
    let mut meshes = skin::Worst::new(old.model, &pairs);
    for some in moments_s.chunks(MOMENTS_AT_ONCE) {
        let seen: Vec<_> = some.par_iter().map(look).collect();
        for (at_s, joint_differences, mesh_differences) in seen {
            joints.add(at_s, &joint_differences);
            meshes.add(at_s, &mesh_differences);
        }
    }
    let (joints, rounded_joints) = joints.finish(old.model);
    Ok(ModelDiff {
        moments: moments_s.len(),
        diagonal,
        structure: structure::sentences([old, new], &pairs),
        bind: match old.clip.or(new.clip) {
            Some(_) => joint::moved_in_bind([old.model, new.model], &pairs, diagonal),
            None => Vec::new(),
        },
        joints,
        rounded_joints,
        meshes: meshes.finish(old.model, &pairs),
    })
}

/// The key times of both clips from their starts, rising, each once; 0 without clips.
fn moments_s(clips: [Option<&Clip>; 2]) -> Vec<f64> {
    let mut times: Vec<f64> = vec![0.0];
    for clip in clips.into_iter().flatten() {
        for tracks in &clip.joints {
            let keys =
                [&tracks.translation.times_s, &tracks.scale.times_s, &tracks.rotation.times_s];
            for key_times in keys {
                times.extend(key_times.iter().map(|time| time - clip.start_s));
            }
            // Most tracks share their times; a sort at the end of each keeps the list short.
            if times.len() > 4 * MOST_MOMENTS {
                tidy(&mut times);
            }
        }
    }
    tidy(&mut times);
    let step = times.len().div_ceil(MOST_MOMENTS);
    times.into_iter().step_by(step.max(1)).collect()
}

/// Sorts times; those within a tenth of a millisecond count as one.
fn tidy(times: &mut Vec<f64>) {
    times.retain(|time| *time >= 0.0);
    times.sort_by(f64::total_cmp);
    times.dedup_by(|later, earlier| *later - *earlier < 1e-4);
}

fn bind_box(model: &Model) -> Aabb {
    let matrices = SkinMatrices::new(&bind_pose(&model.skeleton));
    let mut bounds = Aabb::EMPTY;
    for mesh in &model.meshes {
        bounds.merge(&skin_mesh(mesh, &matrices).bounds());
    }
    bounds
}

#[cfg(test)]
mod tests;
