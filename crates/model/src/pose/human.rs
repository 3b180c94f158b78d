//! Clips of another human, converted by the bones that both files name: those of VRM, and of VRM
//! animations.
//!
//! With the rest rotations of a bone and of its parent in both files, a local rotation becomes
//! `pb⁻¹ pa q a⁻¹ b`, as in [`super::carry`]; the hips move as far as in the file, times the ratio
//! of the hip heights at rest. Other joints, positions and scales are those of the model.
//! Characters of VRM 0.x face the other way, and are rotated.
//!
//! # Source
//! VRM Consortium, `VRMC_vrm_animation-1.0`, "How to transform human poses".

use super::carry::{Rest, mapped};
use crate::math::{Mat3, Quat, Vec3};
use crate::{Clip, JointIndex, Skeleton, Track, Tracks};
use std::sync::Arc;

/// The joints of a clip that move each joint of a skeleton, and all joints of the clip with their
/// tracks for it.
pub(super) type CarriedHuman = (Vec<Option<JointIndex>>, Arc<[Tracks]>);

/// Carries a clip over. None unless both files name human bones, and the file of the clip is for
/// any human, or names the bones' joints differently.
pub(super) fn carry_human(skeleton: &Skeleton, clip: &Clip) -> Option<CarriedHuman> {
    let (own, other) = (skeleton.rig(), clip.rest.as_deref()?.rig());
    let (here, there) = (Rest::of(skeleton), Rest::of(clip.rest.as_deref()?));
    let source_of = |bone: &String| {
        let known = other.human.iter().find(|(name, _)| name == bone);
        known.map(|(_, source)| *source)
    };
    let shared: Vec<(&str, usize, usize)> = (own.human.iter())
        .filter_map(|(bone, joint)| Some((bone.as_str(), *joint, source_of(bone)?)))
        .collect();
    let name = |rest: &Rest<'_>, joint: usize| rest.skeleton.joints()[joint].name.clone();
    let is_renamed =
        |&(_, joint, source): &(&str, usize, usize)| name(&here, joint) != name(&there, source);
    if shared.is_empty() || !other.is_motion && !shared.iter().any(is_renamed) {
        return None;
    }
    let turn = if own.faces_back == other.faces_back {
        Mat3::IDENTITY
    } else {
        Mat3::from_diagonal(Vec3::new(-1.0, 1.0, -1.0))
    };
    let mut found = vec![None; skeleton.len()];
    let mut joints = clip.joints.to_vec();
    for (bone, joint, source) in shared {
        let name = name(&there, source);
        let track = clip.joints.iter().position(|tracks| tracks.name == name);
        let Some(index) = track.and_then(|track| u16::try_from(track).ok()) else { continue };
        found[joint] = Some(JointIndex(index));
        let tracks = &mut joints[usize::from(index)];
        let before = here.parent_rotation(joint).inverse()
            * Quat::from_mat3(&turn)
            * there.parent_rotation(source);
        let after = there.locals[source].rotation.inverse()
            * before.inverse()
            * here.locals[joint].rotation;
        let rotated = |q| before * q * after;
        tracks.rotation = mapped(&tracks.rotation, &rotated, &rotated);
        tracks.scale = Track::unset();
        let ratio = here.place(joint).y / there.place(source).y;
        if bone != "hips" || !ratio.is_finite() {
            tracks.translation = Track::unset();
            continue;
        }
        let way = turn * there.parent_axes(source) * ratio;
        let start = turn
            * (there.place(source) - there.parent_axes(source) * there.locals[source].translation)
            * ratio;
        let along = here.parent_axes(joint).inverse() * way;
        tracks.translation = mapped(
            &tracks.translation,
            &|place| here.on_parent(joint, start + way * place),
            &|tangent| along * tangent,
        );
    }
    Some((found, joints.into()))
}

#[cfg(test)]
mod tests {
    use crate::math::{Affine3, Quat, Vec3};
    use crate::pose::{MixedClip, PoseLayer, bind_clip, bind_pose, lay_over, sample_clip};
    use crate::{
        Clip, Expression, Joint, JointIndex, MorphTrack, MorphWeight, Rig, Skeleton, Track, Tracks,
    };
    use std::sync::Arc;

    /// Hips and an arm to the left, on axes turned by `axes`; `back` of a body that looks along -Z.
    fn body(names: [&str; 2], height: f32, axes: Quat, faces_back: bool) -> Skeleton {
        let side = if faces_back { -1.0 } else { 1.0 };
        let joint = |name: &str, parent: Option<u16>, place: Vec3| Joint {
            name: name.to_owned(),
            parent: parent.map(JointIndex),
            model_from_joint: Affine3::from_rotation_translation(axes, place),
        };
        let hips = Vec3::Y * height;
        let joints =
            vec![joint(names[0], None, hips), joint(names[1], Some(0), hips + Vec3::X * side)];
        let human = vec![("hips".to_owned(), 0), ("leftUpperArm".to_owned(), 1)];
        Skeleton::try_new(joints).unwrap().with_rig(Rig { human, faces_back, ..Rig::default() })
    }

    #[test]
    fn clips_of_any_human_move_the_bones_of_all() {
        let about_z = Quat::from_rotation_z(core::f32::consts::FRAC_PI_2);
        let tilted = Quat::from_rotation_x(0.7) * Quat::from_rotation_y(-0.4);
        let there = body(["A", "B"], 2.0, Quat::IDENTITY, false);
        let rig = Rig { is_motion: true, ..there.rig().clone() };
        let rest = there.with_rig(rig);
        let tracks = |name: &str| Tracks {
            name: name.to_owned(),
            parent: None,
            translation: Track::constant(Vec3::new(1.0, 3.0, 0.5)),
            rotation: Track::constant(Quat::IDENTITY),
            scale: Track::unset(),
        };
        // The arm points up.
        let arm = Tracks { rotation: Track::constant(about_z), ..tracks("B") };
        let smile = MorphTrack {
            joint: String::new(),
            target: 0,
            name: "happy".to_owned(),
            weight: Track::constant(0.5),
        };
        let clip =
            Clip::of_even_keys(vec![tracks("A"), arm], vec![smile], (Arc::from([0.0]), 1.0), true);
        let clip = Clip { rest: Some(Arc::new(rest)), ..clip };
        for (faces_back, side) in [(false, 1.0), (true, -1.0)] {
            let slot = MorphWeight {
                name: "smile".to_owned(),
                joint: JointIndex(0),
                target: 0,
                rest: 0.0,
            };
            let joy = Expression {
                name: "joy".to_owned(),
                aliases: vec!["happy".to_owned()],
                weights: vec![(0, 0.5)],
                ..Expression::default()
            };
            let here = body(["hip", "arm"], 1.0, tilted, faces_back);
            let here = here.with_morphs(vec![slot]).with_expressions(vec![joy]);
            let (bound, warnings) = bind_clip(&here, &[], &clip).unwrap();
            assert!(warnings.is_empty(), "{warnings:?}");
            let pose = sample_clip(&here, &clip, &bound, 0.0);
            let hips = pose.matrices[0].translation;
            assert!((hips - Vec3::new(side * 0.5, 1.5, side * 0.25)).length() < 1e-5, "{hips}");
            // A point beyond the arm at rest is above it now.
            let beyond = bind_pose(&here).matrices[1].inverse();
            let beyond = beyond.transform_vector3(Vec3::X * side);
            let up = pose.matrices[1].transform_vector3(beyond);
            assert!((up - Vec3::Y).length() < 1e-5, "{up}");
            assert_eq!((pose.morphs, pose.expressions), (vec![0.25], vec![0.5]));
            let track = MixedClip { clip: Some((&clip, &bound, 0.0)), weight: 1.0 };
            let layer = PoseLayer { mix: vec![track], weight: 0.5, joints: None };
            let laid = lay_over(&here, &bind_pose(&here), &[layer]);
            assert_eq!((laid.morphs, laid.expressions), (vec![0.125], vec![0.25]));
        }
    }
}
