use super::*;
use crate::math::{Affine3, Quat, Vec3, func};
use crate::{
    Clip, Interpolation, Joint, JointIndex, Mesh, Skeleton, Track, Tracks, VertexInfluence,
    WeightSpaceMesh, Wrap,
};
use std::sync::Arc;
use tintype_base::deadline::Deadline;

fn skeleton(joints: &[(&str, Option<u16>)]) -> Skeleton {
    let joints = joints
        .iter()
        .enumerate()
        .map(|(index, &(name, parent))| Joint {
            name: name.into(),
            parent: parent.map(JointIndex),
            model_from_joint: Affine3::from_translation(Vec3::Y * index as f32),
        })
        .collect();
    Skeleton::try_new(joints).unwrap()
}

/// A mesh with one vertex on each of the named joints.
fn mesh_on(skeleton: &Skeleton, joints: &[u16]) -> Mesh {
    let weighted = WeightSpaceMesh {
        texcoords: vec![crate::math::Vec2::ZERO; joints.len()],
        influence_start: (0..=joints.len() as u32).collect(),
        influences: joints
            .iter()
            .map(|&joint| VertexInfluence {
                joint: JointIndex(joint),
                weight: 1.0,
                position: Vec3::ZERO,
            })
            .collect(),
        ..WeightSpaceMesh::default()
    };
    Mesh::new(weighted, skeleton, &Deadline::NEVER).expect("no deadline")
}

/// A clip of keys at 0, 1, 2 seconds; each joint moves up by one, then turns about x by 90°.
fn clip(joints: &[(&str, Option<u16>)], period_s: f64) -> Clip {
    let times_s: Arc<[f64]> = Arc::from([0.0, 1.0, 2.0]);
    let quarter = Quat::from_rotation_x(core::f32::consts::FRAC_PI_2);
    let joints = joints
        .iter()
        .map(|&(name, parent)| Tracks {
            name: name.into(),
            parent: parent.map(JointIndex),
            translation: Track {
                times_s: times_s.clone(),
                values: vec![Vec3::ZERO, Vec3::Y, Vec3::Y],
                interpolation: Interpolation::Linear,
            },
            rotation: Track {
                times_s: times_s.clone(),
                values: vec![Quat::IDENTITY, Quat::IDENTITY, -quarter],
                interpolation: Interpolation::Linear,
            },
            scale: Track::constant(Vec3::ONE),
        })
        .collect();
    Clip {
        joints,
        end_s: 2.0,
        period_s,
        open_gap_s: 1.0,
        key_rate_hz: Some(1.0),
        key_times_s: times_s,
        keys: 0..3,
        ..Clip::default()
    }
}

const CHAIN: [(&str, Option<u16>); 2] = [("hip", None), ("knee", Some(0))];

#[test]
fn sample_at_a_key_is_the_key() {
    let (skeleton, clip) = (skeleton(&CHAIN), clip(&CHAIN, 3.0));
    let (binding, warnings) = bind_clip(&skeleton, &[], &clip).unwrap();
    assert!(warnings.is_empty());
    let pose = sample_clip(&skeleton, &clip, &binding, 1.0);
    assert_eq!(pose.matrices[0], Affine3::from_translation(Vec3::Y));
    assert_eq!(pose.matrices[1], Affine3::from_translation(Vec3::Y * 2.0));
}

#[test]
fn sample_between_keys_takes_the_shorter_arc() {
    let (skeleton, clip) = (skeleton(&CHAIN), clip(&CHAIN, 3.0));
    let (binding, _) = bind_clip(&skeleton, &[], &clip).unwrap();
    let pose = sample_clip(&skeleton, &clip, &binding, 1.5);
    let turned = pose.matrices[0].transform_vector3(Vec3::Y);
    let half = core::f32::consts::FRAC_PI_4;
    assert!((turned - Vec3::new(0.0, func::cos(half), func::sin(half))).length() < 1e-6);
}

#[test]
fn wrap_loop_runs_from_the_last_key_to_the_first() {
    let (skeleton, clip) = (skeleton(&CHAIN), clip(&CHAIN, 3.0));
    let (binding, _) = bind_clip(&skeleton, &[], &clip).unwrap();
    let moment_s = wrap_time(&clip, 5.5, Wrap::Loop);
    assert_eq!(moment_s, 2.5);
    let height = sample_clip(&skeleton, &clip, &binding, moment_s).matrices[0].translation.y;
    assert!((height - 0.5).abs() < 1e-6);
}

#[test]
fn wrap_modes_hold_repeat_and_reflect() {
    let clip = clip(&CHAIN, 2.0);
    for (time_s, looped, clamped, reflected) in [
        (-0.5, 1.5, 0.0, 0.5),
        (0.5, 0.5, 0.5, 0.5),
        (2.0, 0.0, 2.0, 2.0),
        (2.5, 0.5, 2.0, 1.5),
        (4.0, 0.0, 2.0, 0.0),
    ] {
        assert_eq!(wrap_time(&clip, time_s, Wrap::Loop), looped, "{time_s}");
        assert_eq!(wrap_time(&clip, time_s, Wrap::Clamp), clamped, "{time_s}");
        assert_eq!(wrap_time(&clip, time_s, Wrap::PingPong), reflected, "{time_s}");
    }
    let still = Clip { end_s: 0.0, period_s: 0.0, keys: 0..1, ..clip };
    for wrap in [Wrap::Loop, Wrap::Clamp, Wrap::PingPong] {
        assert_eq!(wrap_time(&still, 7.3, wrap), 0.0);
    }
}

#[test]
fn bind_uses_the_hierarchy_of_the_clip() {
    // The clip attaches the knee to a joint that only it has, and names the joints in another
    // order.
    let skeleton = skeleton(&CHAIN);
    let clip = clip(&[("root", None), ("knee", Some(0)), ("hip", Some(0))], 2.0);
    let (binding, warnings) = bind_clip(&skeleton, &[], &clip).unwrap();
    assert!(warnings.is_empty());
    let pose = sample_clip(&skeleton, &clip, &binding, 1.0);
    assert_eq!(pose.matrices[0].translation, Vec3::Y * 2.0);
    assert_eq!(pose.matrices[1].translation, Vec3::Y * 2.0);
}

#[test]
fn bind_matches_repeated_names_in_order() {
    let joints = [("leg", None), ("leg", Some(0)), ("leg", Some(1))];
    let (skeleton, clip) = (skeleton(&joints), clip(&joints, 2.0));
    let (binding, _) = bind_clip(&skeleton, &[], &clip).unwrap();
    let pose = sample_clip(&skeleton, &clip, &binding, 1.0);
    assert_eq!(pose.matrices[2].translation, Vec3::Y * 3.0);
}

#[test]
fn bind_falls_back_to_the_index_with_a_warning() {
    let skeleton = skeleton(&CHAIN);
    let clip = clip(&[("Hip", None), ("knee", Some(0))], 2.0);
    let (_, warnings) = bind_clip(&skeleton, &[mesh_on(&skeleton, &[0])], &clip).unwrap();
    assert_eq!(warnings.len(), 1);
    assert_eq!(warnings[0].fault, crate::FileRepair::ByIndex);
    assert!(warnings[0].message.contains("\"hip\""), "{}", warnings[0].message);
}

#[test]
fn bind_names_a_missing_joint_that_holds_vertices() {
    let skeleton = skeleton(&[("hip", None), ("knee", Some(0)), ("toe", Some(1))]);
    let clip = clip(&CHAIN, 2.0);
    let error = bind_clip(&skeleton, &[mesh_on(&skeleton, &[2])], &clip).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the clip has no joint \"toe\" (joint 2 of the model, which moves vertices); 1 of the model's 3 joints are missing from the clip's 2"
    );
    // Without vertices it rides its parent in the bind pose.
    let (binding, _) = bind_clip(&skeleton, &[mesh_on(&skeleton, &[0])], &clip).unwrap();
    let pose = sample_clip(&skeleton, &clip, &binding, 1.0);
    assert_eq!(pose.matrices[2].translation, Vec3::Y * 3.0);
}

#[test]
fn blend_keeps_the_length_of_limbs() {
    let skeleton = skeleton(&CHAIN);
    let limb = |angle_rad: f32| {
        let hip = Affine3::from_rotation_x(angle_rad);
        crate::Pose::new(vec![hip, hip * Affine3::from_translation(Vec3::Y * 2.0)])
    };
    let (from, to) = (limb(0.0), limb(2.0));
    assert_eq!(blend_poses(&skeleton, &from, &to, 0.0), from);
    assert_eq!(blend_poses(&skeleton, &from, &to, 1.0), to);
    let half = blend_poses(&skeleton, &from, &to, 0.5);
    assert!((half.matrices[1].translation.length() - 2.0).abs() < 1e-5);
    let expected = limb(1.0);
    for (mixed, wanted) in half.matrices.iter().zip(&expected.matrices) {
        assert!(mixed.abs_diff_eq(*wanted, 1e-5));
    }
}

/// A clip without a hierarchy that rotates one joint and leaves its translation to the skeleton.
fn local_clip(name: &str) -> Clip {
    let mut clip = clip(&[(name, None)], 2.0);
    clip.is_local = true;
    let joint = &mut Arc::make_mut(&mut clip.joints)[0];
    (joint.translation, joint.scale) = (Track::unset(), Track::unset());
    clip
}

#[test]
fn local_clip_moves_joints_on_their_parents_and_leaves_the_rest() {
    let skeleton = skeleton(&[("hip", None), ("knee", Some(0)), ("knee", Some(1))]);
    let clip = local_clip("knee");
    let (binding, warnings) = bind_clip(&skeleton, &[mesh_on(&skeleton, &[2])], &clip).unwrap();
    assert!(warnings.is_empty());
    let pose = sample_clip(&skeleton, &clip, &binding, 2.0);
    assert_eq!(pose.matrices[0], Affine3::IDENTITY);
    assert_eq!(pose.matrices[1].translation, Vec3::Y, "its own place on its parent");
    // The first knee rotates about x by 90° and takes the second with it.
    assert!((pose.matrices[2].translation - Vec3::new(0.0, 1.0, 1.0)).length() < 1e-6);
}

#[test]
fn local_clip_of_another_rig_is_refused_and_of_a_part_is_told() {
    let skeleton = skeleton(&CHAIN);
    let error = bind_clip(&skeleton, &[], &local_clip("wheel")).unwrap_err();
    assert_eq!(
        error.to_string(),
        "none of the clip's 1 joints, such as \"wheel\", is among the model's 2 joints"
    );
    let mut both = local_clip("knee");
    both.joints = [both.joints[0].clone(), local_clip("wheel").joints[0].clone()].into();
    let (_, warnings) = bind_clip(&skeleton, &[], &both).unwrap();
    assert!(warnings[0].message.starts_with("1 of the clip's 2 joints"), "{warnings:?}");
}

#[test]
fn namespaces_of_joints_count_only_where_they_tell_joints_apart() {
    let driven = |joints: &[(&str, Option<u16>)], name: &str| {
        let found = bind_clip(&skeleton(joints), &[], &local_clip(name));
        found.map(|(binding, _)| binding.driving_joints().position(|joint| joint.is_some()))
    };
    let plain = [("root", None), ("Hips", Some(0))];
    let named = [("root", None), ("mixamorig:Hips", Some(0))];
    for name in ["Hips", "mixamorig:Hips", "mixamorig7:Hips", "mixamorigHips", "hero:Hips"] {
        assert_eq!(driven(&plain, name), Ok(Some(1)), "{name}");
        assert_eq!(driven(&named, name), Ok(Some(1)), "{name}");
    }
    // If two joints differ only in their namespaces, the full name matches one, and the plain name
    // neither.
    let twins = [("a:Hips", None), ("b:Hips", Some(0))];
    assert_eq!(driven(&twins, "b:Hips"), Ok(Some(1)));
    assert!(driven(&twins, "Hips").is_err());
    // Digits are a part of other names.
    assert!(driven(&[("2Hips", None)], "Hips").is_err());
}

#[test]
fn track_that_ends_before_its_clip_is_held_until_the_clip_repeats() {
    let skeleton = skeleton(&CHAIN);
    let mut clip = local_clip("hip");
    (clip.end_s, clip.period_s) = (4.0, 5.0);
    let (binding, _) = bind_clip(&skeleton, &[], &clip).unwrap();
    let turned = |moment_s| {
        let pose = sample_clip(&skeleton, &clip, &binding, moment_s);
        func::acos(pose.matrices[0].transform_vector3(Vec3::Y).y)
    };
    let quarter = core::f32::consts::FRAC_PI_2;
    for (moment_s, expected) in
        [(2.0, quarter), (3.9, quarter), (4.0, quarter), (4.5, quarter * 0.5)]
    {
        assert!((turned(moment_s) - expected).abs() < 1e-5, "{moment_s}");
    }
}

/// The translation of the only joint of a clip with these values at 0, 1 and 3 seconds.
fn translation_at(values: Vec<Vec3>, interpolation: Interpolation, moment_s: f64) -> Vec3 {
    let tracks = Tracks {
        name: "root".into(),
        parent: None,
        translation: Track { times_s: Arc::from([0.0, 1.0, 3.0]), values, interpolation },
        rotation: Track::unset(),
        scale: Track::unset(),
    };
    let skeleton = skeleton(&[("root", None)]);
    let clip = Clip { joints: Arc::from([tracks]), is_local: true, end_s: 3.0, ..clip(&[], 3.0) };
    let (binding, _) = bind_clip(&skeleton, &[], &clip).unwrap();
    sample_clip(&skeleton, &clip, &binding, moment_s).matrices[0].translation
}

#[test]
fn steps_hold_the_value_of_the_key_before() {
    let values = vec![Vec3::X, Vec3::Y, Vec3::Z];
    for (moment_s, expected) in [
        (-1.0, Vec3::X),
        (0.0, Vec3::X),
        (0.99, Vec3::X),
        (1.0, Vec3::Y),
        (2.9, Vec3::Y),
        (3.0, Vec3::Z),
    ] {
        assert_eq!(
            translation_at(values.clone(), Interpolation::Step, moment_s),
            expected,
            "{moment_s}"
        );
    }
}

#[test]
fn splines_pass_their_keys_and_leave_with_their_tangents() {
    let line = |speed: f32| Vec3::new(0.0, speed, 0.0);
    // In-tangent, value, out-tangent of each key.
    let values = vec![
        line(9.0),
        Vec3::ZERO,
        line(2.0),
        line(2.0),
        line(2.0),
        line(0.0),
        line(0.0),
        line(6.0),
        line(9.0),
    ];
    let at = |moment_s| translation_at(values.clone(), Interpolation::CubicSpline, moment_s).y;
    assert_eq!([at(-1.0), at(0.0), at(1.0), at(3.0)], [0.0, 0.0, 2.0, 6.0]);
    // Tangents that agree with the keys lead to a straight line.
    assert!((at(0.25) - 0.5).abs() < 1e-6, "{}", at(0.25));
    // Tangents of zero ease in and out: halfway at half the time, 0.15625 of the way at a quarter.
    assert!((at(2.0) - 4.0).abs() < 1e-6, "{}", at(2.0));
    assert!((at(1.5) - (2.0 + 4.0 * 0.15625)).abs() < 1e-6, "{}", at(1.5));
    // Tangents are per second: the second span is two seconds long.
    let values = vec![
        Vec3::ZERO,
        Vec3::ZERO,
        Vec3::ZERO,
        Vec3::ZERO,
        Vec3::ZERO,
        line(1.0),
        line(1.0),
        line(2.0),
        Vec3::ZERO,
    ];
    let found = translation_at(values, Interpolation::CubicSpline, 1.5).y;
    assert!((found - 0.5).abs() < 1e-6, "{found}");
}
