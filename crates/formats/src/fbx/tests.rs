//! Files made here: the text of a strip with two joints, a blend shape and a clip, changed by each test.

use super::*;
use tintype_model::math::Vec3;
use tintype_model::pose::{bind_clip, bind_pose, sample_clip, wrap_time};
use tintype_model::{Pose, Wrap};

const STRIP: &str = include_str!("../../../../tests/fuzz/seeds/strip.fbx");

fn read(text: &str) -> Loaded<FbxModel> {
    parse_model(text.as_bytes(), &LoadOptions::default()).unwrap()
}

fn refused(text: &str) -> String {
    parse_model(text.as_bytes(), &LoadOptions::default()).unwrap_err().to_string()
}

/// The strip with a text in place of another one, which has to be there.
fn changed(pairs: &[(&str, &str)]) -> String {
    pairs.iter().fold(STRIP.to_owned(), |text, (from, to)| {
        assert!(text.contains(from), "{from}");
        text.replace(from, to)
    })
}

fn posed(file: &FbxModel, time_s: f64) -> Pose {
    let (model, clip) = (&file.model, &file.clips[0].clip);
    let (binding, _) = bind_clip(&model.skeleton, &model.meshes, clip).unwrap();
    sample_clip(&model.skeleton, clip, &binding, wrap_time(clip, time_s, Wrap::Clamp))
}

/// A joint's place of a point in its space.
fn place(file: &FbxModel, pose: &Pose, name: &str, point: Vec3) -> Vec3 {
    let joints = file.model.skeleton.joints();
    let index = joints.iter().position(|joint| joint.name == name).unwrap();
    pose.matrices[index].transform_point3(point)
}

fn assert_near(found: Vec3, expected: Vec3) {
    assert!((found - expected).length() < 1e-4, "{found} is not {expected}");
}

#[test]
fn file_becomes_a_skinned_model_with_a_clip() {
    let Loaded { value: file, warnings } = read(STRIP);
    assert!(warnings.is_empty(), "{warnings:?}");
    let names: Vec<&str> =
        file.model.skeleton.joints().iter().map(|joint| joint.name.as_str()).collect();
    assert_eq!(names, ["strip", "root", "tip"]);
    let mesh = &file.model.meshes[0];
    assert_eq!((mesh.triangles.len(), mesh.shader.as_str()), (4, "paint"));
    assert_eq!(file.model.materials[0].color.g, 0.4);
    let clip = &file.clips[0];
    assert_eq!((clip.name.as_str(), clip.clip.start_s, clip.clip.end_s), ("sway", 0.0, 2.0));
    let rest = bind_pose(&file.model.skeleton);
    // The bind pose of the cluster turns the tip as the pre-rotation does.
    assert_near(place(&file, &rest, "tip", Vec3::X), Vec3::new(0.0, 2.0, 0.0));
    // A spline with level tangents is half-way at half of the time.
    assert_near(
        place(&file, &posed(&file, 0.5), "tip", Vec3::X),
        Vec3::new(-0.5_f32.sqrt(), 1.0 + 0.5_f32.sqrt(), 0.0),
    );
    assert_near(place(&file, &posed(&file, 1.0), "tip", Vec3::X), Vec3::new(-1.0, 1.0, 0.0));
    assert!((posed(&file, 0.5).morphs[0] - 0.25).abs() < 1e-6);
}

#[test]
fn units_and_axes_become_metres_and_y_up() {
    let text = changed(&[
        (
            r#"P: "UnitScaleFactor", "double", "Number", "",100"#,
            r#"P: "UnitScaleFactor", "double", "Number", "",2.54"#,
        ),
        (r#"P: "UpAxis", "int", "Integer", "",1"#, r#"P: "UpAxis", "int", "Integer", "",2"#),
        (
            r#"P: "FrontAxis", "int", "Integer", "",2"#,
            "P: \"FrontAxis\", \"int\", \"Integer\", \"\",1\nP: \"FrontAxisSign\", \"int\", \"Integer\", \"\",-1",
        ),
    ]);
    let file = read(&text).value;
    // (0, 1, 0) of a file with +Z up is behind: (0, 0, -1).
    let tip = file.model.skeleton.joints()[2].model_from_joint;
    assert_near(tip.translation, Vec3::new(0.0, 0.0, -0.0254));
    assert_near(tip.transform_vector3(Vec3::Z), Vec3::Y);
}

#[test]
fn scale_is_inherited_in_three_ways() {
    let scaled = r#"P: "Lcl Scaling", "Lcl Scaling", "", "A",3,1,1"#;
    let usual = r#"P: "Lcl Scaling", "Lcl Scaling", "", "A",1,1,1"#;
    // The tip is turned a quarter, so that its x axis is the y axis of the root.
    for (kind, x, y) in [(0, 3.0, 1.0), (1, 1.0, 3.0), (2, 1.0, 1.0)] {
        let inherit = format!("P: \"InheritType\", \"enum\", \"\", \"\",{kind}");
        let text = changed(&[(usual, scaled), (r#"P: "InheritType", "enum", "", "",2"#, &inherit)]);
        let file = read(&text).value;
        for pose in [bind_pose(&file.model.skeleton), posed(&file, 0.0)] {
            let origin = place(&file, &pose, "tip", Vec3::ZERO);
            assert_near(origin, Vec3::Y);
            assert_near(place(&file, &pose, "tip", Vec3::X) - origin, Vec3::Y * x);
            assert_near(place(&file, &pose, "tip", Vec3::Y) - origin, Vec3::NEG_X * y);
        }
    }
}

#[test]
fn keys_of_steps_keep_their_value_to_the_next_key() {
    // The tangents of all keys give way to the value of the key.
    let file = read(&changed(&[("a: 1032", "a: 2")])).value;
    for (time_s, turned) in
        [(0.0, false), (0.999_999, false), (1.0, true), (1.999, true), (2.0, false)]
    {
        let found = place(&file, &posed(&file, time_s), "tip", Vec3::X);
        let expected = if turned { Vec3::new(-1.0, 1.0, 0.0) } else { Vec3::new(0.0, 2.0, 0.0) };
        assert_near(found, expected);
    }
}

#[test]
fn whole_turns_run_through_all_angles() {
    let file = read(&changed(&[("a: 0,90,0", "a: 0,360,720"), ("a: 1032", "a: 4")])).value;
    for eighth in 0..16_u8 {
        let time_s = f64::from(eighth) / 8.0;
        let angle = tintype_model::math::func::radians(45.0 * f32::from(eighth));
        let (sine, cosine) =
            (tintype_model::math::func::sin(angle), tintype_model::math::func::cos(angle));
        let found = place(&file, &posed(&file, time_s), "tip", Vec3::X);
        assert_near(found, Vec3::new(-sine, 1.0 + cosine, 0.0));
    }
}

#[test]
fn damage_costs_its_part_and_is_told() {
    for (from, to, says) in [
        (
            "a: 0,1,2,-4,3,2,4,-6",
            "a: 0,1,2,-4,3,2,4,-60",
            "1 polygon uses vertices that there are not",
        ),
        ("a: 0,90,0", "a: 0,90", "the curve is left out: 3 key times and 2 values"),
        ("a: 1,1,0.5,0.5", "a: 1,1,\"x\",0.5", "a cluster of its skin is left out: Weights"),
        ("\t\t\ta: 2,3,4,5", "\t\t\ta: 2,3,4,500", "1 weight of vertices beyond its 6"),
        ("\tC: \"OO\",30,20", "\tC: \"OO\",30,99", "1 connection with objects that there are not"),
    ] {
        let Loaded { value, warnings } = read(&changed(&[(from, to)]));
        assert!(!value.model.meshes.is_empty(), "{says}");
        let told = warnings.iter().any(|warning| warning.message.contains(says));
        assert!(told, "{says}: {warnings:?}");
    }
}

#[test]
fn files_that_cannot_be_are_refused_with_their_place() {
    assert_eq!(
        refused(&changed(&[("FBXVersion: 7400", "FBXVersion: 8000")])),
        "line 4: the FBX version: found 8000; expected 3000 to 7700; export it as FBX 2014 to 2020 (7400 to 7700), or as glTF"
    );
    let circle = refused(&changed(&[("C: \"OO\",21,0", "C: \"OO\",21,22")]));
    assert!(circle.contains("\"root\" below itself; expected no circle of models"), "{circle}");
    let deep = format!("; FBX 7.4.0 project file\n{}", "a: { ".repeat(100));
    assert!(refused(&deep).contains("records within records"), "{}", refused(&deep));
    assert!(refused("; FBX 7.4.0\nObjects: {\n").starts_with("line 3: a record: found the end"));
    let binary = |version: u32| {
        let mut bytes = binary::MAGIC.to_vec();
        bytes.extend([0x1a, 0]);
        bytes.extend(version.to_le_bytes());
        bytes
    };
    let error = |bytes: &[u8]| parse_model(bytes, &LoadOptions::default()).unwrap_err().to_string();
    assert!(error(&binary(2000)).starts_with("byte 23: the FBX version: found 2000"));
    let mut cut = binary(7400);
    cut.extend([200, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4]);
    assert_eq!(
        error(&cut),
        "byte 27: the end of a record: found 200; expected a byte from 40 to 40"
    );
}

#[test]
fn every_cut_and_every_changed_byte_ends() {
    let options = LoadOptions::default();
    for end in (0..STRIP.len()).step_by(7) {
        let _ = parse_model(&STRIP.as_bytes()[..end], &options);
    }
    for place in (0..STRIP.len()).step_by(13) {
        for byte in [b'-', b'9', b'"', b'}', 0xff] {
            let mut bytes = STRIP.as_bytes().to_vec();
            bytes[place] = byte;
            let _ = parse_model(&bytes, &options);
        }
    }
}
