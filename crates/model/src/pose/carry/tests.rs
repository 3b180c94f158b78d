use crate::math::{Affine3, Quat, Vec3, func, max};
use crate::pose::{bind_clip, bind_pose, sample_clip};
use crate::{Clip, FileRepair, Interpolation, Joint, JointIndex, Pose, Skeleton, Track, Tracks};
use std::sync::Arc;

/// Joints of a body, each with its parent; the order of [`Body::places`].
const JOINTS: [(&str, Option<u16>); 11] = [
    ("Hips", None),
    ("Spine", Some(0)),
    ("Head", Some(1)),
    ("LeftUpLeg", Some(0)),
    ("LeftLeg", Some(3)),
    ("LeftFoot", Some(4)),
    ("LeftToe", Some(5)),
    ("RightUpLeg", Some(0)),
    ("RightLeg", Some(7)),
    ("RightFoot", Some(8)),
    ("RightToe", Some(9)),
];
const LEFT: usize = 3;
const RIGHT: usize = 7;
const KEYS: u16 = 32;

/// A body that stands on the ground and faces +Z.
#[derive(Clone, Copy)]
struct Body {
    thigh: f32,
    shin: f32,
    ankle: f32,
    /// Distance of a leg from the middle.
    side: f32,
    spine: f32,
}

const SHORT: Body = Body { thigh: 0.42, shin: 0.40, ankle: 0.08, side: 0.09, spine: 0.3 };
const TALL: Body = Body { thigh: 0.66, shin: 0.47, ankle: 0.17, side: 0.17, spine: 0.4 };

impl Body {
    fn leg(&self) -> f32 {
        self.thigh + self.shin
    }

    /// Positions of the joints at rest.
    fn places(&self) -> Vec<Vec3> {
        let drop = 0.05;
        let hips = Vec3::new(0.0, self.ankle + self.leg() + drop, 0.0);
        let mut places = vec![hips, hips + Vec3::Y * self.spine, hips + Vec3::Y * 2.0 * self.spine];
        for side in [self.side, -self.side] {
            let up = hips + Vec3::new(side, -drop, 0.0);
            let knee = up - Vec3::Y * self.thigh;
            let foot = knee - Vec3::Y * self.shin;
            places.extend([up, knee, foot, foot + Vec3::new(0.0, -0.9 * self.ankle, 0.2)]);
        }
        places
    }

    /// Its skeleton with joints of these axes, named with a prefix and turned as a whole.
    fn skeleton(&self, prefix: &str, axes: &dyn Fn(usize) -> Quat, whole: Quat) -> Skeleton {
        let joint = |(index, place): (usize, Vec3)| Joint {
            name: format!("{prefix}{}", JOINTS[index].0),
            parent: JOINTS[index].1.map(JointIndex),
            model_from_joint: Affine3::from_rotation_translation(
                whole * axes(index),
                whole * place,
            ),
        };
        let joints = self.places().into_iter().enumerate().map(joint).collect();
        Skeleton::try_new(joints).unwrap()
    }

    /// Rotations of the joints from rest in model space and the position of the hips at a time of a
    /// walk, with the standing foot.
    fn step(&self, share: f32) -> (Vec<Quat>, Vec3, usize) {
        let places = self.places();
        let hips = places[0] - Vec3::Y * (0.06 * self.leg());
        let mut turns = vec![Quat::IDENTITY; JOINTS.len()];
        turns[1] = Quat::from_rotation_y(0.3 * func::sin(share * core::f32::consts::TAU));
        turns[2] = turns[1];
        let mut standing = LEFT + 2;
        for (first, phase) in [(LEFT, share % 1.0), (RIGHT, (share + 0.5) % 1.0)] {
            let stride = 0.5 * self.leg();
            let (along, lift) = if phase < 0.5 {
                (stride * (0.5 - phase / 0.5), 0.0)
            } else {
                let way = (phase - 0.5) / 0.5;
                let lift = 0.1 * func::sin(way * core::f32::consts::PI);
                (stride * (way - 0.5), lift)
            };
            if phase < 0.5 {
                standing = first + 2;
            }
            let up = hips + (places[first] - places[0]);
            let (down, away) = (up.y - self.ankle - lift, along);
            let far = max(down * down + away * away, 0.01).sqrt();
            let bend = (far * far + self.thigh * self.thigh - self.shin * self.shin)
                / (2.0 * self.thigh * far);
            let thigh = func::atan2(away, down) + func::acos(bend);
            let knee = (down - self.thigh * func::cos(thigh), away - self.thigh * func::sin(thigh));
            turns[first] = Quat::from_rotation_x(-thigh);
            turns[first + 1] = Quat::from_rotation_x(-func::atan2(knee.1, knee.0));
        }
        (turns, hips, standing)
    }

    /// A walk of this body for one of its skeletons.
    fn walk(&self, skeleton: &Skeleton, axes: &dyn Fn(usize) -> Quat, whole: Quat) -> Clip {
        let times_s: Arc<[f64]> = (0..=KEYS).map(f64::from).collect();
        let steps: Vec<_> =
            (0..=KEYS).map(|key| self.step(f32::from(key) / f32::from(KEYS))).collect();
        let keys = |index: usize| {
            let parent = JOINTS[index].1.map(usize::from);
            let local = |turns: &[Quat]| {
                let own = whole * turns[index] * axes(index);
                match parent {
                    Some(parent) => (whole * turns[parent] * axes(parent)).inverse() * own,
                    None => own,
                }
            };
            steps.iter().map(|(turns, ..)| local(turns)).collect()
        };
        let track = |values| Track {
            times_s: Arc::clone(&times_s),
            values,
            interpolation: Interpolation::Linear,
        };
        let tracks = (0..JOINTS.len()).map(|index| Tracks {
            name: skeleton.joints()[index].name.clone(),
            parent: None,
            // Exporters write the positions of all joints.
            translation: match index {
                0 => Track {
                    values: steps.iter().map(|(_, hips, _)| whole * *hips).collect(),
                    times_s: Arc::clone(&times_s),
                    interpolation: Interpolation::Linear,
                },
                _ => Track::constant(skeleton.rest(index).translation),
            },
            rotation: track(keys(index)),
            scale: Track::constant(Vec3::ONE),
        });
        let end_s = f64::from(KEYS);
        Clip {
            joints: tracks.collect(),
            is_local: true,
            end_s,
            period_s: end_s,
            closes: true,
            key_rate_hz: Some(1.0),
            keys: 0..times_s.len(),
            key_times_s: Arc::clone(&times_s),
            rest: Some(Arc::new(skeleton.clone())),
            ..Clip::default()
        }
    }
}

fn plain(_: usize) -> Quat {
    Quat::IDENTITY
}

/// Axes that differ from joint to joint, as programs that align them with bones write them.
fn own_axes(index: usize) -> Quat {
    let angle = 0.4 + 0.7 * index as f32;
    (Quat::from_rotation_z(angle) * Quat::from_rotation_x(1.0 - angle)).normalize()
}

fn played(skeleton: &Skeleton, clip: &Clip, key: u16) -> (Pose, Vec<crate::Warning>) {
    let (binding, warnings) = bind_clip(skeleton, &[], clip).unwrap();
    (sample_clip(skeleton, clip, &binding, f64::from(key)), warnings)
}

/// The maximum height of the standing foot above the ground in a walk of another body, as a
/// fraction of the leg.
fn lift_of_feet(body: &Body, skeleton: &Skeleton, clip: &Clip, from: &Body) -> f32 {
    let mut most = 0.0;
    for key in 0..=KEYS {
        let (_, _, standing) = from.step(f32::from(key) / f32::from(KEYS));
        let (pose, _) = played(skeleton, clip, key);
        most = max(most, (pose.matrices[standing].translation.y - body.ankle).abs() / body.leg());
    }
    most
}

#[test]
fn clip_of_an_equal_skeleton_is_not_touched() {
    let own = SHORT.skeleton("", &own_axes, Quat::IDENTITY);
    let clip = SHORT.walk(&own, &own_axes, Quat::IDENTITY);
    assert!(lift_of_feet(&SHORT, &own, &clip, &SHORT) < 1e-5);
    let other = SHORT.skeleton("mixamorig:", &own_axes, Quat::IDENTITY);
    let bare = Clip { rest: None, ..clip.clone() };
    for key in 0..=KEYS {
        let (pose, warnings) = played(&other, &clip, key);
        assert!(warnings.is_empty(), "{warnings:?}");
        assert_eq!(pose, played(&own, &bare, key).0);
    }
}

#[test]
fn feet_stay_on_the_ground_on_other_proportions_axes_and_fronts() {
    let own = SHORT.skeleton("mixamorig:", &plain, Quat::IDENTITY);
    let clip = SHORT.walk(&own, &plain, Quat::IDENTITY);
    let quarter = Quat::from_rotation_y(core::f32::consts::FRAC_PI_2);
    for (axes, whole) in [
        (&plain as &dyn Fn(usize) -> Quat, Quat::IDENTITY),
        (&own_axes, Quat::IDENTITY),
        (&own_axes, quarter),
    ] {
        let skeleton = TALL.skeleton("", axes, whole);
        let lift = lift_of_feet(&TALL, &skeleton, &clip, &SHORT);
        assert!(lift < 0.02, "{lift}");
        let (pose, warnings) = played(&skeleton, &clip, 5);
        assert_eq!(warnings.len(), 1);
        assert_eq!(warnings[0].fault, FileRepair::OtherRest);
        let ratio = TALL.leg() / SHORT.leg();
        let says = format!("\"Hips\" is scaled by {ratio:.4}");
        assert!(warnings[0].message.contains(&says), "{}", warnings[0].message);
        // Bones keep their length, and the thigh is turned as in the file.
        let rest = bind_pose(&skeleton);
        let bone = |pose: &Pose, joint: usize| {
            let parent = usize::from(JOINTS[joint].1.unwrap());
            (pose.matrices[joint].translation - pose.matrices[parent].translation).length()
        };
        (1..JOINTS.len())
            .for_each(|joint| assert!((bone(&pose, joint) - bone(&rest, joint)).abs() < 1e-5));
        let turned = pose.matrices[LEFT].matrix3 * rest.matrices[LEFT].matrix3.transpose();
        let (turns, ..) = SHORT.step(5.0 / f32::from(KEYS));
        let expected = crate::math::Mat3::from_quat(whole * turns[LEFT] * whole.inverse());
        assert!(turned.abs_diff_eq(expected, 1e-4), "{turned} {expected}");
    }
    // Without the skeleton of its file the same clip would lift the feet.
    let bare = Clip { rest: None, ..clip.clone() };
    let skeleton = TALL.skeleton("", &own_axes, Quat::IDENTITY);
    assert!(lift_of_feet(&TALL, &skeleton, &bare, &SHORT) > 0.05);
}

#[test]
fn mirrored_body_walks_as_in_a_mirror() {
    let own = SHORT.skeleton("", &plain, Quat::IDENTITY);
    let clip = SHORT.walk(&own, &plain, Quat::IDENTITY);
    let tall = TALL.skeleton("", &own_axes, Quat::IDENTITY);
    let mirror = crate::math::Mat3::from_diagonal(Vec3::new(-1.0, 1.0, 1.0));
    // In the positions and axes of all joints, and in the scale of the root alone.
    let places = tall.joints().iter().map(|joint| {
        let Affine3 { matrix3, translation } = joint.model_from_joint;
        let matrix3 = mirror * matrix3 * mirror;
        let model_from_joint = Affine3 { matrix3, translation: mirror * translation };
        Joint { model_from_joint, ..joint.clone() }
    });
    let moved = Skeleton::try_new(places.collect()).unwrap();
    let scaled = tall.joints().iter().map(|joint| {
        let model_from_joint = Affine3::from_mat3(mirror) * joint.model_from_joint;
        Joint { model_from_joint, ..joint.clone() }
    });
    let scaled: Vec<Joint> = scaled.collect();
    let mut parts: Vec<_> = (0..tall.len()).map(|joint| tall.rest(joint)).collect();
    parts[0].scale = Vec3::new(-1.0, 1.0, 1.0);
    let turned = parts[0].rotation;
    parts[0].rotation = Quat::from_xyzw(turned.x, -turned.y, -turned.z, turned.w);
    let locals = parts.iter().map(crate::LocalTransform::matrix).collect();
    let scaled = Skeleton::try_with_parts(scaled, locals, parts).unwrap();
    for skeleton in [moved, scaled] {
        let (pose, _) = played(&skeleton, &clip, 5);
        let rest = bind_pose(&skeleton);
        for joint in [LEFT, RIGHT] {
            let turned = pose.matrices[joint].matrix3 * rest.matrices[joint].matrix3.inverse();
            let (turns, ..) = SHORT.step(5.0 / f32::from(KEYS));
            let expected = mirror * crate::math::Mat3::from_quat(turns[joint]) * mirror;
            assert!(turned.abs_diff_eq(expected, 1e-4), "{turned} {expected}");
        }
    }
}

#[test]
fn warning_of_another_rest_pose_shows_the_difference() {
    let own = SHORT.skeleton("", &plain, Quat::IDENTITY);
    let clip = SHORT.walk(&own, &plain, Quat::IDENTITY);
    let small = Body { thigh: 0.42e-2, shin: 0.4e-2, ankle: 0.8e-3, side: 0.9e-3, spine: 0.3e-2 };
    let there = small.skeleton("", &plain, Quat::IDENTITY);
    let clip = Clip { rest: Some(Arc::new(there)), ..clip };
    let longer = Body { shin: 0.52e-2, ..small };
    let (_, warnings) = played(&longer.skeleton("", &plain, Quat::IDENTITY), &clip, 0);
    let told = "bone 0.0040000 there and 0.0052000 here;";
    assert!(warnings[0].message.contains(told), "{warnings:?}");
    assert_eq!(super::figures(0.00002, 0.000026), ["0.000020000", "0.000026000"]);
}

#[test]
fn pose_of_a_file_of_clips_is_of_any_moment() {
    let own = SHORT.skeleton("", &own_axes, Quat::IDENTITY);
    let clip = SHORT.walk(&own, &own_axes, Quat::IDENTITY);
    let tall = TALL.skeleton("", &own_axes, Quat::IDENTITY);
    let posed = |skeleton: &Skeleton| {
        let (pose, _) = played(skeleton, &clip, 9);
        let joints = skeleton.joints().iter().zip(&pose.matrices);
        let joints =
            joints.map(|(joint, &model_from_joint)| Joint { model_from_joint, ..joint.clone() });
        Skeleton::try_new(joints.collect()).unwrap().of_a_moment()
    };
    let late = Clip { rest: Some(Arc::new(posed(&own))), ..clip.clone() };
    let (found, _) = played(&tall, &late, 20);
    let (expected, _) = played(&tall, &clip, 20);
    for (found, expected) in found.matrices.iter().zip(&expected.matrices) {
        assert!(found.abs_diff_eq(*expected, 1e-2), "{found} {expected}");
    }
}

#[test]
fn clips_of_other_files_move_the_bind_pose() {
    let own = SHORT.skeleton("", &own_axes, Quat::IDENTITY);
    let clip = SHORT.walk(&own, &own_axes, Quat::IDENTITY);
    let tall = TALL.skeleton("", &own_axes, Quat::IDENTITY);
    let bind: Vec<Affine3> = tall.joints().iter().map(|joint| joint.model_from_joint).collect();
    let bent = Quat::from_rotation_x(0.5);
    let joints = tall.joints().iter().map(|joint| {
        let model_from_joint = joint.model_from_joint * Affine3::from_quat(bent);
        Joint { model_from_joint, ..joint.clone() }
    });
    let posed = Skeleton::try_new(joints.collect()).unwrap().with_bind(bind);
    assert_eq!(played(&posed, &clip, 5).0, played(&tall, &clip, 5).0);
}

#[test]
fn same_proportions_with_other_axes_give_the_same_places() {
    let own = SHORT.skeleton("", &plain, Quat::IDENTITY);
    let clip = SHORT.walk(&own, &plain, Quat::IDENTITY);
    let other = SHORT.skeleton("", &own_axes, Quat::IDENTITY);
    for key in 0..=KEYS {
        let (pose, warnings) = played(&other, &clip, key);
        assert_eq!(warnings.len(), 1);
        let (expected, _) = played(&own, &clip, key);
        for (found, expected) in pose.matrices.iter().zip(&expected.matrices) {
            assert!((found.translation - expected.translation).length() < 1e-5);
        }
    }
}

#[test]
fn skeleton_that_is_only_posed_otherwise_keeps_its_clip() {
    let own = SHORT.skeleton("", &own_axes, Quat::IDENTITY);
    let clip = SHORT.walk(&own, &own_axes, Quat::IDENTITY);
    // The file of the clip was written in the midst of the walk.
    let (pose, _) = played(&own, &clip, 9);
    let joints = own.joints().iter().zip(&pose.matrices);
    let joints =
        joints.map(|(joint, &model_from_joint)| Joint { model_from_joint, ..joint.clone() });
    let rest = Arc::new(Skeleton::try_new(joints.collect()).unwrap());
    let late = Clip { rest: Some(rest), ..clip.clone() };
    let (found, warnings) = played(&own, &late, 20);
    assert_eq!(found, played(&own, &clip, 20).0);
    assert_eq!(warnings.len(), 1);
    assert!(warnings[0].message.ends_with("so the clip is used unchanged"), "{warnings:?}");
}

/// The clip with the pose of its first key as the rest pose of its file.
fn of_its_first_moment(own: &Skeleton, clip: &Clip) -> Clip {
    let (pose, _) = played(own, clip, 0);
    let joints = own.joints().iter().zip(&pose.matrices);
    let joints =
        joints.map(|(joint, &model_from_joint)| Joint { model_from_joint, ..joint.clone() });
    let rest = Arc::new(Skeleton::try_new(joints.collect()).unwrap());
    Clip { rest: Some(rest), ..clip.clone() }
}

#[test]
fn first_moment_of_a_clip_is_no_rest_pose_for_other_proportions() {
    let own = SHORT.skeleton("", &own_axes, Quat::IDENTITY);
    let clip = of_its_first_moment(&own, &SHORT.walk(&own, &own_axes, Quat::IDENTITY));
    let tall = TALL.skeleton("", &own_axes, Quat::IDENTITY);
    let lift = lift_of_feet(&TALL, &tall, &clip, &SHORT);
    assert!(lift < 0.02, "{lift}");
    let (pose, warnings) = played(&tall, &clip, 5);
    assert!(warnings[0].message.contains("are transferred"), "{warnings:?}");
    let (expected, _) = played(&own, &Clip { rest: None, ..clip.clone() }, 5);
    // Thighs point the same way.
    let down = |pose: &Pose| pose.matrices[LEFT + 1].translation - pose.matrices[LEFT].translation;
    assert!((down(&pose).normalize() - down(&expected).normalize()).length() < 1e-4);
}

#[test]
fn joint_that_its_clip_moves_about_does_not_make_another_skeleton() {
    let own = SHORT.skeleton("", &own_axes, Quat::IDENTITY);
    let mut clip = of_its_first_moment(&own, &SHORT.walk(&own, &own_axes, Quat::IDENTITY));
    let head = own.rest(2).translation;
    let moved = Track {
        times_s: Arc::from([0.0, f64::from(KEYS)]),
        values: vec![head * 1.5, head * 2.0],
        interpolation: Interpolation::Linear,
    };
    Arc::make_mut(&mut clip.joints)[2].translation = moved;
    let joints = clip.rest.as_deref().unwrap().joints().to_vec();
    let shifted = joints.into_iter().enumerate().map(|(index, mut joint)| {
        if index == 2 {
            joint.model_from_joint *= Affine3::from_translation(head * 0.5);
        }
        joint
    });
    let rest = Some(Arc::new(Skeleton::try_new(shifted.collect()).unwrap()));
    let (found, warnings) = played(&own, &Clip { rest, ..clip.clone() }, 8);
    assert!(warnings[0].message.ends_with("so the clip is used unchanged"), "{warnings:?}");
    assert_eq!(found, played(&own, &Clip { rest: None, ..clip.clone() }, 8).0);
}

#[test]
fn splines_and_scales_are_carried_with_their_tangents() {
    let one = |name: &str, axes: Quat, length: f32| {
        let joint = |name: &str, parent: Option<u16>, place: Vec3| Joint {
            name: name.into(),
            parent: parent.map(JointIndex),
            model_from_joint: Affine3::from_rotation_translation(axes, place),
        };
        let joints = vec![joint("root", None, Vec3::ZERO), joint(name, Some(0), Vec3::Y * length)];
        Skeleton::try_new(joints).unwrap()
    };
    let there = one("tip", Quat::IDENTITY, 1.0);
    let quarter = Quat::from_rotation_z(core::f32::consts::FRAC_PI_2);
    let here = one("tip", quarter, 2.0);
    let mut clip = SHORT.walk(&SHORT.skeleton("", &plain, Quat::IDENTITY), &plain, Quat::IDENTITY);
    clip.joints = Arc::from([Tracks {
        name: "root".into(),
        parent: None,
        translation: Track {
            times_s: Arc::from([0.0, 2.0]),
            values: [Vec3::ZERO, Vec3::ZERO, Vec3::X, Vec3::X, Vec3::X * 2.0, Vec3::X].into(),
            interpolation: Interpolation::CubicSpline,
        },
        rotation: Track::unset(),
        scale: Track::constant(Vec3::new(3.0, 1.0, 1.0)),
    }]);
    clip.rest = Some(Arc::new(there));
    let (pose, _) = played(&here, &clip, 1);
    let root = pose.matrices[0];
    // The leg is twice as long, and x of the file is -y of the joint.
    assert!((root.translation - Vec3::X * 2.0).length() < 1e-5, "{root:?}");
    assert!((root.transform_vector3(Vec3::Y) - Vec3::NEG_X * 3.0).length() < 1e-5, "{root:?}");
    assert!((root.transform_vector3(Vec3::X) - Vec3::Y).length() < 1e-5, "{root:?}");
}
