use super::*;
use crate::LimitName;
use tintype_model::math::Quat;

/// A file of one triangle on two joints, with a clip of three frames that lifts the second joint.
fn sample() -> Vec<u8> {
    let texts = b"\0mesh\0skin.png\0hip\0hand\0lift\0";
    let mut body: Vec<u8> = Vec::new();
    let base = 124_usize;
    let mut header = [0_u32; 27];
    let put = |body: &mut Vec<u8>, bytes: &[u8]| {
        body.resize(body.len().next_multiple_of(4), 0);
        let at = u32::try_from(base + body.len()).unwrap();
        body.extend(bytes);
        at
    };
    let words =
        |words: &[u32]| words.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<u8>>();
    let reals =
        |reals: &[f32]| reals.iter().flat_map(|real| real.to_le_bytes()).collect::<Vec<u8>>();
    let text_at = put(&mut body, texts);
    let positions = put(&mut body, &reals(&[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0]));
    let texcoords = put(&mut body, &reals(&[0.0, 0.0, 1.0, 0.0, 0.0, 1.0]));
    let slots = put(&mut body, &[0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0]);
    let weights = put(&mut body, &[255, 0, 0, 0, 255, 0, 0, 0, 255, 0, 0, 0]);
    let arrays = put(
        &mut body,
        &words(&[
            0, 0, 7, 3, positions, 1, 0, 7, 2, texcoords, 4, 0, 1, 4, slots, 5, 0, 1, 4, weights,
        ]),
    );
    let triangles = put(&mut body, &words(&[0, 2, 1]));
    let meshes = put(&mut body, &words(&[1, 6, 0, 3, 0, 1]));
    let joint = |name: u32, parent: u32, z: f32| {
        let rest = [0.0, 0.0, z, 0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 1.0];
        [words(&[name, parent]), reals(&rest)].concat()
    };
    let joints = put(&mut body, &[joint(15, u32::MAX, 0.0), joint(19, 0, 1.0)].concat());
    let pose = |parent: u32, mask: u32, z: f32, scale: f32| {
        let offsets = [0.0, 0.0, z, 0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 1.0];
        let scales = [0.0, 0.0, scale, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0];
        [words(&[parent, mask]), reals(&offsets), reals(&scales)].concat()
    };
    let poses = put(&mut body, &[pose(u32::MAX, 0, 0.0, 0.0), pose(0, 4, 1.0, 0.25)].concat());
    let animations = put(&mut body, &[words(&[24, 0, 3]), reals(&[10.0]), words(&[1])].concat());
    let frames = put(&mut body, &[0, 0, 2, 0, 4, 0]);
    header[0] = 2;
    header[1] = u32::try_from(base + body.len()).unwrap();
    header[3..5].copy_from_slice(&[u32::try_from(texts.len()).unwrap(), text_at]);
    header[5..7].copy_from_slice(&[1, meshes]);
    header[7..10].copy_from_slice(&[4, 3, arrays]);
    header[10..12].copy_from_slice(&[1, triangles]);
    header[13..15].copy_from_slice(&[2, joints]);
    header[15..17].copy_from_slice(&[2, poses]);
    header[17..19].copy_from_slice(&[1, animations]);
    header[19..22].copy_from_slice(&[3, 1, frames]);
    [&table::MAGIC[..], &words(&header), &body].concat()
}

fn read(bytes: &[u8]) -> Result<Loaded<IqmModel>, ModelFormatError> {
    parse_model(bytes, &LoadOptions::default())
}

#[test]
fn meshes_stand_upright_and_face_outward() {
    let loaded = read(&sample()).unwrap();
    assert_eq!(loaded.warnings, []);
    let IqmModel { model, clips } = loaded.value;
    let mesh = &model.meshes[0];
    assert_eq!((mesh.name.as_str(), mesh.material_name.as_str()), ("mesh", "skin.png"));
    let joints = model.skeleton.joints();
    let place = |vertex: usize| {
        let influence = mesh.influences[mesh.influences_of(vertex)][0];
        joints[influence.joint().index()].model_from_joint.transform_point3(influence.position())
    };
    assert_eq!(
        [place(0), place(1), place(2)],
        [Vec3::ZERO, Vec3::X, Vec3::Y],
        "z of the file is up"
    );
    assert_eq!(mesh.triangles, [[0, 1, 2]], "the order of the file is clockwise");
    let names: Vec<&str> = joints.iter().map(|joint| joint.name.as_str()).collect();
    assert_eq!(names, ["hip", "hand"]);
    assert_eq!(joints[1].model_from_joint.translation, Vec3::Y);
    assert_eq!(clips[0].name, "lift");
}

#[test]
fn clips_hold_quantized_channels() {
    let IqmModel { clips, .. } = read(&sample()).unwrap().value;
    let clip = &clips[0].clip;
    assert_eq!((clip.end_s, clip.key_count(), clip.closes), (0.2, 3, false));
    assert!((clip.period_s - 0.3).abs() < 1e-12, "it ends a frame behind its last");
    let hand = &clip.joints[1];
    let heights: Vec<f32> = hand.translation.values.iter().map(|place| place.z).collect();
    assert_eq!(heights, [1.0, 1.5, 2.0], "on its parent, in the axes of the file");
    assert_eq!(hand.rotation.values, [Quat::IDENTITY]);
    let hip = clip.joints[0].rotation.values[0];
    assert!((hip * Vec3::Z - Vec3::Y).length() < 1e-6, "the root turns the axes");
}

#[test]
fn damaged_files_are_refused_or_read() {
    let whole = sample();
    for end in 0..whole.len() {
        assert!(read(&whole[..end]).is_err(), "cut at {end}");
    }
    for place in 0..whole.len() {
        for byte in [0, 1, 0x7f, 0x80, 0xff] {
            let mut damaged = whole.clone();
            damaged[place] = byte;
            let _ = read(&damaged);
        }
    }
    let refused = |word: usize, value: u32| {
        let mut damaged = whole.clone();
        damaged[16 + 4 * word..20 + 4 * word].copy_from_slice(&value.to_le_bytes());
        read(&damaged).unwrap_err().to_string()
    };
    assert_eq!(refused(0, 1), "byte 16: the version: found 1; expected 2");
    assert!(
        refused(10, u32::MAX).starts_with("byte 56: the triangles: found 4294967295 of 12 bytes")
    );
    assert!(refused(5, 0x7fff_ffff).starts_with("byte 36: "));
    assert!(refused(20, 2).contains("the channels of a frame: found 2; expected 1"));
    // Frames without channels take no bytes; the limit of keys applies to them.
    assert!(refused(8, u32::MAX).contains("a vertex array"));
    let options = LoadOptions::default().with_limit(LimitName::Keys, 5);
    let error = parse_model(&whole, &options).unwrap_err().to_string();
    assert!(error.contains("keys of all clips: found 6; the limit is 5"), "{error}");
}

#[test]
fn files_are_known_by_their_mark() {
    assert!(looks_like_iqm(&sample()));
    assert!(!looks_like_iqm(b"INTERQUAKEMODE"));
    assert!(
        read(b"MD5Version 10").unwrap_err().to_string().starts_with("byte 0: the file's signature")
    );
}

#[test]
fn clip_of_a_file_without_joints_moves_those_of_a_model_by_their_number() {
    let model = read(&sample()).unwrap().value.model;
    let mut poses = sample();
    // Neither meshes, vertices and triangles nor joints.
    for word in [5, 7, 8, 10, 13] {
        poses[16 + 4 * word..20 + 4 * word].fill(0);
    }
    let clip = &read(&poses).unwrap().value.clips[0].clip;
    let named = &read(&sample()).unwrap().value.clips[0].clip;
    let at = |clip: &tintype_model::Clip| {
        let (binding, warnings) =
            tintype_model::pose::bind_clip(&model.skeleton, &model.meshes, clip).unwrap();
        let pose = tintype_model::pose::sample_clip(&model.skeleton, clip, &binding, 0.2);
        (pose.matrices, warnings.len())
    };
    assert_eq!(at(clip), (at(named).0, 1));
}
