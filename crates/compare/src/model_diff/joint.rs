//! Joints of two poses: which moved relative to their parents, and which only follow.

use super::structure::Pairs;
use serde::Serialize;
use tintype_model::math::{Affine3, Mat3, Vec3, clamp, func};
use tintype_model::pose::bind_pose;
use tintype_model::{Model, Pose};

/// A joint that moved relative to its parent.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct JointDiff {
    /// Its name.
    pub name: String,
    /// Rotation relative to its parent at the time of the largest difference, in degrees.
    pub turned_deg: f32,
    /// Distance in model space at that time.
    pub moved: f32,
    /// The length of each of its axes relative to before, at that time.
    #[serde(skip)]
    pub(super) stretched: [f32; 3],
    /// The time.
    pub at_s: f64,
    /// Number of descendants that are unchanged relative to their parents.
    pub followers: usize,
}

/// One joint at one time.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Difference {
    /// On its parent, in degrees.
    turned_deg: f32,
    /// In model space.
    moved: f32,
    /// Of each axis on its parent.
    stretched: [f32; 3],
    state: State,
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
enum State {
    /// To the last digit.
    #[default]
    Same,
    /// Indistinguishable from rounding.
    Rounded,
    /// Its transform relative to its parent changed.
    Own,
    /// A joint above it moved.
    Follows,
}

/// Angles below this come from rounding, in degrees.
pub(super) const ROUNDING_DEG: f32 = 2e-3;
/// Distances below this come from rounding, in diagonals of the model.
pub(super) const ROUNDING: f32 = 2e-6;

/// Compares the joints of two poses; joints without a partner are left out.
pub(super) fn differences(
    models: [&Model; 2],
    poses: &[Pose; 2],
    pairs: &Pairs,
    diagonal: f32,
) -> Vec<Difference> {
    let mut found: Vec<Difference> = Vec::with_capacity(pairs.joints.len());
    for (index, partner) in pairs.joints.iter().enumerate() {
        let difference = partner.map_or_else(Difference::default, |other| {
            let [before, now] = [poses[0].matrices[index], poses[1].matrices[other]];
            let local = |model: &Model, pose: &Pose, joint: usize| {
                let parent = model.skeleton.joints()[joint].parent;
                parent.map_or(pose.matrices[joint], |parent| {
                    pose.matrices[parent.index()].inverse() * pose.matrices[joint]
                })
            };
            let locals = [local(models[0], &poses[0], index), local(models[1], &poses[1], other)];
            let turned_deg = turn_deg(locals[0].matrix3, locals[1].matrix3);
            let moved = (now.translation - before.translation).length();
            let slid = (locals[1].translation - locals[0].translation).length();
            let parent = models[0].skeleton.joints()[index].parent;
            let parent_state = parent.map_or(State::Same, |parent| found[parent.index()].state);
            let stretched = stretch(locals[0], locals[1]);
            let state = if before == now {
                State::Same
            } else if turned_deg > ROUNDING_DEG
                || slid > ROUNDING * diagonal
                || is_stretched(stretched)
                || locals.iter().any(|local| !local.is_finite())
            {
                State::Own
            } else if matches!(parent_state, State::Own | State::Follows) {
                State::Follows
            } else {
                State::Rounded
            };
            Difference { turned_deg, moved, stretched, state }
        });
        found.push(difference);
    }
    found
}

/// Names of the joints whose transform relative to the parent differs in the bind pose.
pub(super) fn moved_in_bind(models: [&Model; 2], pairs: &Pairs, diagonal: f32) -> Vec<String> {
    let poses = models.map(|model| bind_pose(&model.skeleton));
    let differences = differences(models, &poses, pairs, diagonal);
    let joints = models[0].skeleton.joints().iter().zip(differences);
    let moved = joints.filter(|(_, difference)| difference.state == State::Own);
    moved.map(|(joint, _)| joint.name.clone()).collect()
}

/// The angle between two frames in degrees, whatever their scale.
fn turn_deg(before: Mat3, now: Mat3) -> f32 {
    let unit = |axis: Vec3| tintype_model::math::unit_or(axis, Vec3::ZERO);
    let axes = |frame: Mat3| [unit(frame.x_axis), unit(frame.y_axis), unit(frame.z_axis)];
    let (before, now) = (axes(before), axes(now));
    // For small angles the chords of the axes are more precise than the cosine: Σ |a - b|² = 4 (1 -
    // cos) for a rotation.
    let chords: f32 = before.iter().zip(&now).map(|(a, b)| (*b - *a).length_squared()).sum();
    let half_sine = clamp((chords / 8.0).sqrt(), 0.0, 1.0);
    2.0 * (90.0 - func::degrees(func::acos(half_sine)))
}

/// The length of each axis relative to before.
fn stretch(before: Affine3, now: Affine3) -> [f32; 3] {
    let lengths = |frame: Mat3| [frame.x_axis, frame.y_axis, frame.z_axis].map(Vec3::length);
    let (before, now) = (lengths(before.matrix3), lengths(now.matrix3));
    core::array::from_fn(|axis| {
        let [a, b] = [before[axis], now[axis]];
        if a == b { 1.0 } else { b / tintype_model::math::max(a, f32::MIN_POSITIVE) }
    })
}

/// True if the lengths of axes differ, by more than rounding.
pub(super) fn is_stretched(ratios: [f32; 3]) -> bool {
    ratios.iter().any(|ratio| (ratio - 1.0).abs() > 1e-4)
}

/// Largest difference of each joint over the times so far.
pub(super) struct Worst {
    joints: Vec<Seen>,
}

#[derive(Clone, Default)]
struct Seen {
    follows: bool,
    rounded: bool,
    /// The time of its largest rotation relative to its parent or, without any, of its largest
    /// movement.
    own: Option<(f64, Difference)>,
}

impl Worst {
    pub(super) fn new(old: &Model) -> Self {
        Self { joints: vec![Seen::default(); old.skeleton.len()] }
    }

    pub(super) fn add(&mut self, at_s: f64, differences: &[Difference]) {
        for (seen, here) in self.joints.iter_mut().zip(differences) {
            match here.state {
                State::Same => {}
                State::Rounded => seen.rounded = true,
                State::Follows => seen.follows = true,
                State::Own => {
                    let turned = |one: &Difference| {
                        if one.turned_deg > ROUNDING_DEG { one.turned_deg } else { 0.0 }
                    };
                    let size = |one: &Difference| (turned(one), one.moved);
                    if seen.own.as_ref().is_none_or(|(_, worst)| size(here) > size(worst)) {
                        seen.own = Some((at_s, *here));
                    }
                }
            }
        }
    }

    /// The joints that moved by themselves, farthest first, and the number of joints that differ
    /// only by rounding.
    pub(super) fn finish(self, old: &Model) -> (Vec<JointDiff>, usize) {
        let joints = old.skeleton.joints();
        // Each follower counts for the nearest ancestor that moved by itself.
        let mut followers = vec![0; joints.len()];
        for (index, seen) in self.joints.iter().enumerate() {
            if seen.follows && seen.own.is_none() {
                let mut above = joints[index].parent;
                while let Some(joint) =
                    above.filter(|joint| self.joints[joint.index()].own.is_none())
                {
                    above = joints[joint.index()].parent;
                }
                if let Some(joint) = above {
                    followers[joint.index()] += 1;
                }
            }
        }
        let mut found = Vec::new();
        for (index, seen) in self.joints.iter().enumerate() {
            if let Some((at_s, Difference { turned_deg, moved, stretched, .. })) = seen.own {
                let (name, followers) = (joints[index].name.clone(), followers[index]);
                found.push(JointDiff { name, turned_deg, moved, stretched, at_s, followers });
            }
        }
        found.sort_by(|a, b| {
            b.moved.total_cmp(&a.moved).then(b.turned_deg.total_cmp(&a.turned_deg))
        });
        let rounded = self.joints.iter().filter(|seen| seen.rounded && seen.own.is_none());
        (found, rounded.count())
    }
}
