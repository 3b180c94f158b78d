//! Springs of a pose: tails of joints with inertia, pulled to their rest and downward, and kept out
//! of colliders.
//!
//! They are stepped at constant intervals from the start of a motion, so that a pose depends only
//! on its time, and in model space: moving or rotating the whole model does not affect them.
//!
//! # Source
//! VRM Consortium, `VRMC_springBone-1.0`, "Spring Bone Algorithm", and
//! `VRMC_springBone_extended_collider-1.0`. As in the library three-vrm, the distance to a tail is
//! measured before the joints above it turn in a step.

use super::parts::{Parts, local_of};
use crate::math::slerp::{arc, slerp_short};
use crate::math::{Affine3, Quat, Vec3, normal_matrix, smaller, unit_or};
use crate::{Collider, ColliderShape, Pose, Skeleton, Spring};

/// Steps a second.
const RATE_HZ: f64 = 60.0;
/// Maximum number of steps before a time: 20 s, after which a spring has no memory.
const MOST_STEPS: f64 = 1200.0;
/// A time this close before a step counts as that step.
const NEARLY: f64 = 1e-6;

/// Simulates the springs of a pose at `elapsed_s` after the start of a motion, where they are at
/// rest. `pose_at` returns the pose at other times since then, up to one step later. Between two
/// steps their rotations are mixed.
pub fn swing(
    skeleton: &Skeleton,
    pose: &mut Pose,
    elapsed_s: f64,
    pose_at: &mut dyn FnMut(f64) -> Pose,
) {
    let steps = elapsed_s * RATE_HZ + NEARLY;
    if skeleton.rig().springs.is_empty() || !(steps >= 0.0 && steps.is_finite()) {
        return;
    }
    let last = steps.floor();
    let share = steps - last - NEARLY;
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to 1200")]
    let count = smaller(last, MOST_STEPS) as u32;
    let time_s = |left: u32| (last - f64::from(left)) / RATE_HZ;
    let mut simulation = Simulation::new(skeleton, &pose_at(time_s(count)));
    for left in (0..count).rev() {
        simulation.step(&pose_at(time_s(left)));
    }
    let mut rotations = simulation.rotations.clone();
    if share > NEARLY {
        simulation.step(&pose_at((last + 1.0) / RATE_HZ));
        #[expect(clippy::cast_possible_truncation, reason = "a share of 0..=1")]
        let share = share as f32;
        let next = simulation.rotations.iter().flatten();
        for (own, next) in rotations.iter_mut().flatten().zip(next) {
            *own = slerp_short(*own, *next, share);
        }
    }
    let locals = simulation.locals(pose);
    simulation.place(pose, &locals, &rotations);
}

/// Springs between two steps.
struct Simulation<'s> {
    skeleton: &'s Skeleton,
    /// Joints with a spring, or below one; parents first.
    moved: Vec<usize>,
    /// Per joint with a spring: the joints below it not turned by another spring; parents first.
    below: Vec<Vec<usize>>,
    /// Per joint with a spring: its rotation on its parent.
    rotations: Vec<Option<Quat>>,
    /// Per spring: its tail after the last two steps, in the space of its centre.
    tails: Vec<[Vec3; 2]>,
}

impl<'s> Simulation<'s> {
    /// Springs at rest in a pose.
    fn new(skeleton: &'s Skeleton, pose: &Pose) -> Self {
        let springs = &skeleton.rig().springs;
        let mut rotations = vec![None; skeleton.len()];
        for spring in springs {
            rotations[spring.joint] = Some(skeleton.rest(spring.joint).rotation);
        }
        // For each joint, the nearest joint with a spring: itself or an ancestor.
        let mut holder: Vec<Option<usize>> = Vec::with_capacity(skeleton.len());
        for (index, joint) in skeleton.joints().iter().enumerate() {
            let above = joint.parent.and_then(|parent| holder[parent.index()]);
            holder.push(rotations[index].map(|_| index).or(above));
        }
        let mut below = vec![Vec::new(); skeleton.len()];
        for (index, holder) in holder.iter().enumerate() {
            if let Some(holder) = holder.filter(|&holder| holder != index) {
                below[holder].push(index);
            }
        }
        let mut found = Self {
            skeleton,
            moved: (0..skeleton.len()).filter(|&index| holder[index].is_some()).collect(),
            below,
            rotations,
            tails: Vec::new(),
        };
        let mut pose = pose.clone();
        let locals = found.locals(&pose);
        found.place(&mut pose, &locals, &found.rotations);
        let tail = |spring: &Spring| {
            let tail = pose.matrices[spring.joint].transform_point3(spring.tail);
            [center(spring, &pose).inverse().transform_point3(tail); 2]
        };
        found.tails = springs.iter().map(tail).collect();
        found
    }

    /// Transforms of the moved joints on their parents, without springs.
    fn locals(&self, pose: &Pose) -> Vec<Affine3> {
        self.moved.iter().map(|&joint| local_of(self.skeleton, pose, joint)).collect()
    }

    /// Places the moved joints of a pose by their rotations.
    fn place(&self, pose: &mut Pose, locals: &[Affine3], rotations: &[Option<Quat>]) {
        for (&joint, local) in self.moved.iter().zip(locals) {
            let local = match rotations[joint] {
                Some(rotation) => Parts { rotation, ..Parts::of(*local) }.matrix(),
                None => *local,
            };
            pose.matrices[joint] = self.above(pose, joint) * local;
        }
    }

    /// The parent of a joint.
    fn above(&self, pose: &Pose, joint: usize) -> Affine3 {
        let parent = self.skeleton.joints()[joint].parent;
        parent.map_or(Affine3::IDENTITY, |parent| pose.matrices[parent.index()])
    }

    /// One step, to a pose without springs.
    fn step(&mut self, pose: &Pose) {
        let mut pose = pose.clone();
        let locals = self.locals(&pose);
        let local = |joint: usize, moved: &[usize]| {
            moved.binary_search(&joint).map_or(Affine3::IDENTITY, |place| locals[place])
        };
        self.place(&mut pose, &locals, &self.rotations);
        let skeleton = self.skeleton;
        let springs = &skeleton.rig().springs;
        let ends: Vec<Option<Vec3>> = springs
            .iter()
            .map(|spring| spring.child.map(|child| pose.matrices[child].translation))
            .collect();
        for (index, (spring, end)) in springs.iter().zip(ends).enumerate() {
            let joint = spring.joint;
            let parts = Parts::of(local(joint, &self.moved));
            let above = self.above(&pose, joint);
            let rotation = self.rotations[joint].unwrap_or(parts.rotation);
            pose.matrices[joint] = above * Parts { rotation, ..parts }.matrix();
            let end = end.unwrap_or_else(|| pose.matrices[joint].transform_point3(spring.tail));
            let turned = self.turned(index, &pose, &above, end);
            let rotation = if turned.is_finite() { turned } else { rotation };
            self.rotations[joint] = Some(rotation);
            pose.matrices[joint] = above * Parts { rotation, ..parts }.matrix();
            for &joint in &self.below[joint] {
                pose.matrices[joint] = self.above(&pose, joint) * local(joint, &self.moved);
            }
        }
    }

    /// Moves the tail of a spring; returns the new rotation of its joint. `end` is the position of
    /// the tail before the step.
    fn turned(&mut self, index: usize, pose: &Pose, above: &Affine3, end: Vec3) -> Quat {
        #[expect(clippy::cast_possible_truncation, reason = "the nearest f32")]
        const STEP_S: f32 = (1.0 / RATE_HZ) as f32;
        let rig = self.skeleton.rig();
        let spring = &rig.springs[index];
        let rest = self.skeleton.parent_from_joint()[spring.joint];
        let at = pose.matrices[spring.joint].translation;
        let length = (at - end).length();
        let axis = unit_or(spring.tail, Vec3::ZERO);
        let pull = unit_or(above.matrix3 * unit_or(rest.matrix3 * axis, Vec3::ZERO), Vec3::ZERO);
        let center = center(spring, pose);
        let [tail, before] = self.tails[index];
        let next = center.transform_point3(tail + (tail - before) * (1.0 - spring.drag))
            + pull * (spring.stiffness * STEP_S)
            + spring.gravity * STEP_S;
        let mut next = at + unit_or(next - at, Vec3::ZERO) * length;
        for collider in spring.colliders.iter().map(|&collider| &rig.colliders[collider]) {
            let (out, distance) =
                way_out(collider, &pose.matrices[collider.joint], next, spring.radius);
            if distance < 0.0 {
                next = at + unit_or(next - out * distance - at, Vec3::ZERO) * length;
            }
        }
        let placed = center.inverse().transform_point3(next);
        if placed.is_finite() {
            self.tails[index] = [placed, tail];
        }
        let way = (*above * rest).inverse().transform_point3(next);
        self.skeleton.rest(spring.joint).rotation * arc(axis, unit_or(way, axis))
    }
}

/// Transform from the space of a spring's inertia to model space.
fn center(spring: &Spring, pose: &Pose) -> Affine3 {
    spring.center.map_or(Affine3::IDENTITY, |joint| pose.matrices[joint])
}

/// The unit direction out of a collider, and the distance of a ball to it, below 0 inside.
fn way_out(collider: &Collider, place: &Affine3, ball: Vec3, ball_radius: f32) -> (Vec3, f32) {
    let way = ball - place.transform_point3(collider.offset);
    match collider.shape {
        ColliderShape::Capsule { way: along, radius, inside } => {
            let along = place.matrix3 * along;
            let (dot, square) = (along.dot(way), along.length_squared());
            let way = if dot <= 0.0 {
                way
            } else if square <= dot {
                way - along
            } else {
                way - along * (dot / square)
            };
            let (out, far) = (unit_or(way, Vec3::ZERO), way.length());
            if inside {
                (-out, radius - ball_radius - far)
            } else {
                (out, far - ball_radius - radius)
            }
        }
        ColliderShape::Plane { normal } => {
            let out = unit_or(normal_matrix(place.matrix3) * normal, Vec3::ZERO);
            (out, way.dot(out) - ball_radius)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pose::bind_pose;
    use crate::{Joint, JointIndex, Rig};

    /// A root, and a chain of three joints along X from its position; the first two swing.
    fn chain(change: impl Fn(Spring) -> Spring, colliders: Vec<Collider>) -> Skeleton {
        let joint = |parent: Option<u16>, x: f32| Joint {
            name: String::new(),
            parent: parent.map(JointIndex),
            model_from_joint: Affine3::from_translation(Vec3::X * x),
        };
        let chain = [joint(Some(0), 0.0), joint(Some(1), 1.0), joint(Some(2), 2.0)];
        let joints = core::iter::once(joint(None, 0.0)).chain(chain).collect();
        let all: Vec<usize> = (0..colliders.len()).collect();
        let spring = |joint: usize| {
            change(Spring {
                joint,
                child: Some(joint + 1),
                tail: Vec3::X,
                stiffness: 0.0,
                gravity: Vec3::ZERO,
                drag: 0.4,
                radius: 0.1,
                center: None,
                colliders: all.clone().into(),
            })
        };
        let springs = vec![spring(1), spring(2)];
        let rig = Rig { springs, colliders, ..Rig::default() };
        Skeleton::try_new(joints).unwrap().with_rig(rig)
    }

    /// The positions of the joints of the chain `elapsed_s` after the start of a motion.
    fn places(skeleton: &Skeleton, elapsed_s: f64, pose_at: impl Fn(f64) -> Pose) -> [Vec3; 3] {
        let mut pose = pose_at(elapsed_s);
        swing(skeleton, &mut pose, elapsed_s, &mut { pose_at });
        core::array::from_fn(|joint| pose.matrices[joint + 1].translation)
    }

    #[test]
    fn springs_fall_keep_their_length_and_come_to_rest() {
        let skeleton = chain(|spring| Spring { gravity: Vec3::NEG_Y, ..spring }, Vec::new());
        let still = |_: f64| bind_pose(&skeleton);
        assert_eq!(places(&skeleton, 0.0, still), [Vec3::ZERO, Vec3::X, Vec3::X * 2.0]);
        let mut above = 0.1;
        for step in 1..8 {
            let [first, second, third] = places(&skeleton, f64::from(step) * 0.1, still);
            assert!(second.y < above && third.y < second.y, "{second} {third}");
            assert!(((second - first).length() - 1.0).abs() < 1e-5);
            assert!(((third - second).length() - 1.0).abs() < 1e-5);
            above = second.y;
        }
        let [_, second, third] = places(&skeleton, 15.0, still);
        assert!((second + Vec3::Y).length() < 1e-2 && (third + Vec3::Y * 2.0).length() < 2e-2);
        // Stiff ones stay at rest if nothing moves.
        let stiff = chain(|spring| Spring { stiffness: 1.0, ..spring }, Vec::new());
        let [_, second, third] = places(&stiff, 2.0, |_| bind_pose(&stiff));
        assert!((second - Vec3::X).length() < 1e-6 && (third - Vec3::X * 2.0).length() < 1e-6);
    }

    #[test]
    fn springs_between_two_steps_lie_between_them() {
        let skeleton = chain(|spring| Spring { gravity: Vec3::NEG_Y, ..spring }, Vec::new());
        let still = |_: f64| bind_pose(&skeleton);
        let at = |steps: f64| places(&skeleton, steps / 60.0, still)[1].y;
        assert!((at(10.5) * 2.0 - at(10.0) - at(11.0)).abs() < 1e-3);
    }

    #[test]
    fn springs_lag_behind_what_moves_them_unless_they_are_about_it() {
        let still = |spring: Spring| Spring { drag: 0.0, ..spring };
        let moving = |seconds: f64| {
            let mut pose = bind_pose(&chain(still, Vec::new()));
            for joint in &mut pose.matrices {
                joint.translation += Vec3::Y * seconds as f32;
            }
            pose
        };
        let skeleton = chain(still, Vec::new());
        let [first, second, _] = places(&skeleton, 0.25, moving);
        assert!((first.y - 0.25).abs() < 1e-6 && second.y < 0.1, "{second}");
        let about = chain(|spring| Spring { center: Some(0), ..still(spring) }, Vec::new());
        let [_, second, _] = places(&about, 0.25, moving);
        assert!(second.y > 0.2, "{second}");
    }

    #[test]
    fn springs_stay_out_of_colliders_or_inside_of_them() {
        let fall = |spring: Spring| Spring { gravity: Vec3::NEG_Y, ..spring };
        let capsule = |way: Vec3, inside: bool, radius: f32| {
            let (offset, shape) =
                (Vec3::new(0.0, -0.8, 0.0), ColliderShape::Capsule { way, radius, inside });
            vec![Collider { joint: 0, offset, shape }]
        };
        let plane = ColliderShape::Plane { normal: Vec3::Y };
        let floor = vec![Collider { joint: 0, offset: Vec3::new(0.0, -0.5, 0.0), shape: plane }];
        // One spring falls toward them.
        let rooted = |colliders: Vec<Collider>| {
            let skeleton = chain(fall, colliders);
            let mut rig = skeleton.rig().clone();
            rig.springs.remove(0);
            skeleton.with_rig(rig)
        };
        let lowest = |skeleton: &Skeleton| places(skeleton, 5.0, |_| bind_pose(skeleton))[2];
        let free = lowest(&rooted(Vec::new()));
        assert!((free - Vec3::new(1.0, -1.0, 0.0)).length() < 1e-2, "{free}");
        let held = lowest(&rooted(floor));
        assert!((held.y + 0.4).abs() < 5e-3, "{held}");
        let out = lowest(&rooted(capsule(Vec3::X * 2.0, false, 0.2)));
        assert!((out.y + 0.5).abs() < 5e-3, "{out}");
        let inside = lowest(&rooted(capsule(Vec3::ZERO, true, 1.0)));
        assert!((inside - Vec3::new(0.0, -0.8, 0.0)).length() < 0.9 + 5e-3, "{inside}");
    }
}
