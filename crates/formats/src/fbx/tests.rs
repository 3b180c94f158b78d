//! Files made here: the text of a strip with two joints, a blend shape and a clip, changed by each
//! test.

use super::*;
use tintype_model::math::Vec3;
use tintype_model::pose::{bind_clip, bind_pose, sample_clip, wrap_time};
use tintype_model::skin::{SkinMatrices, skin_mesh};
use tintype_model::{FileLightKind, Pose, PosedMesh, Warning, Wrap};

mod materials;
mod old;

const STRIP: &str = include_str!("../../../../tests/fuzz/seeds/strip.fbx");

fn read(text: &str) -> Loaded<FbxModel> {
    parse_model(text.as_bytes(), &LoadOptions::default()).unwrap()
}

fn refused(text: &str) -> String {
    parse_model(text.as_bytes(), &LoadOptions::default()).unwrap_err().to_string()
}

/// The strip with one text replaced, which must occur in it.
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

/// A joint's position of a point in its space.
fn place(file: &FbxModel, pose: &Pose, name: &str, point: Vec3) -> Vec3 {
    let joints = file.model.skeleton.joints();
    let index = joints.iter().position(|joint| joint.name == name).unwrap();
    pose.matrices[index].transform_point3(point)
}

fn assert_near(found: Vec3, expected: Vec3) {
    assert!((found - expected).length() < 1e-4, "{found} is not {expected}");
}

fn skinned(file: &FbxModel, pose: &Pose) -> PosedMesh {
    skin_mesh(&file.model.meshes[0], &SkinMatrices::new(pose))
}

/// The posed position of the vertex at a position of the file.
fn vertex_at(file: &FbxModel, posed: &PosedMesh, place: Vec3) -> Vec3 {
    let source = file.model.meshes[0].source.as_ref().unwrap();
    let vertex = source.positions.iter().position(|own| (*own - place).length() < 1e-6).unwrap();
    posed.position_at(vertex)
}

#[test]
fn file_becomes_a_skinned_model_with_a_clip() {
    let Loaded { value: file, warnings } = read(STRIP);
    assert!(warnings.is_empty(), "{warnings:?}");
    let names: Vec<&str> =
        file.model.skeleton.joints().iter().map(|joint| joint.name.as_str()).collect();
    assert_eq!(names, ["strip", "root", "tip"]);
    let mesh = &file.model.meshes[0];
    assert_eq!((mesh.triangles.len(), mesh.material_name.as_str()), (4, "paint"));
    assert_eq!(file.model.materials[0].color.g, 0.4);
    let clip = &file.clips[0];
    assert_eq!((clip.name.as_str(), clip.clip.start_s, clip.clip.end_s), ("sway", 0.0, 2.0));
    let rest = bind_pose(&file.model.skeleton);
    // The bind pose of the cluster turns the tip as the pre-rotation does.
    assert_near(place(&file, &rest, "tip", Vec3::X), Vec3::new(0.0, 2.0, 0.0));
    // A spline with flat tangents is half-way at half of the time.
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
    // The tangents of all keys are replaced by the value of the key.
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
fn key_that_gives_way_to_the_next_one_has_its_own_value_at_its_time() {
    let file = read(&changed(&[("a: 1032", "a: 258")])).value;
    for (time_s, is_turned) in
        [(0.0, false), (0.001, true), (0.999, true), (1.0, true), (1.001, false), (2.0, false)]
    {
        let found = place(&file, &posed(&file, time_s), "tip", Vec3::X);
        let expected = if is_turned { Vec3::new(-1.0, 1.0, 0.0) } else { Vec3::new(0.0, 2.0, 0.0) };
        assert_near(found, expected);
    }
}

#[test]
fn scale_of_a_clip_that_stands_still_moves_its_model_about_the_pivot() {
    let file = read(&changed(&[
        (
            r#"P: "Lcl Scaling", "Lcl Scaling", "", "A",1,1,1"#,
            r#"P: "ScalingPivot", "Vector3D", "Vector", "",0,0,1"#,
        ),
        (r#"P: "d|X", "Number", "", "A",0"#, r#"P: "d|X", "Number", "", "A",1"#),
        (r#"P: "d|Y", "Number", "", "A",0"#, r#"P: "d|Y", "Number", "", "A",1"#),
        ("a: 0,90,0", "a: 2,2,2"),
        (r#"C: "OP",52,22, "Lcl Rotation""#, r#"C: "OP",52,21, "Lcl Scaling""#),
    ]))
    .value;
    assert_near(place(&file, &bind_pose(&file.model.skeleton), "root", Vec3::ZERO), Vec3::ZERO);
    assert_near(place(&file, &posed(&file, 0.5), "root", Vec3::ZERO), Vec3::NEG_Z);
}

#[test]
fn rotation_that_is_not_active_has_no_rotation_before_it_in_clips_either() {
    let file = read(&changed(&[
        (r#"P: "RotationActive", "bool", "", "",1"#, r#"P: "RotationActive", "bool", "", "",0"#),
        (r#"C: "OP",52,22, "Lcl Rotation""#, r#"C: "OP",52,22, "PreRotation""#),
    ]))
    .value;
    assert_near(place(&file, &posed(&file, 1.0), "tip", Vec3::X), Vec3::new(1.0, 1.0, 0.0));
}

#[test]
fn left_handed_file_is_mirrored_below_joints_that_leave_scale_out() {
    // Front is -Z, so that z changes its sign. The tip leaves out the scale of the root.
    let file = read(&changed(&[
        (
            r#"P: "FrontAxis", "int", "Integer", "",2"#,
            "P: \"FrontAxis\", \"int\", \"Integer\", \"\",2\nP: \"FrontAxisSign\", \"int\", \"Integer\", \"\",-1",
        ),
        (
            r#"P: "Lcl Scaling", "Lcl Scaling", "", "A",1,1,1"#,
            r#"P: "Lcl Scaling", "Lcl Scaling", "", "A",1,1,3"#,
        ),
        (
            r#"P: "Lcl Translation", "Lcl Translation", "", "A",0,1,0"#,
            r#"P: "Lcl Translation", "Lcl Translation", "", "A",0,1,2"#,
        ),
    ]))
    .value;
    let posed = skinned(&file, &bind_pose(&file.model.skeleton));
    let corner = vertex_at(&file, &posed, Vec3::new(1.0, 2.0, 0.0));
    assert_near(corner, Vec3::new(1.0, 2.0, -6.0));
    for &[a, b, c] in &file.model.meshes[0].triangles {
        let [a, b, c] = [a, b, c].map(|vertex| vertex as usize);
        let (a, normal) = (posed.position_at(a), posed.normal_at(a));
        let face = (posed.position_at(b) - a).cross(posed.position_at(c) - a);
        assert!(face.z < 0.0 && face.dot(normal) > 0.0, "{face} {normal}");
    }
}

#[test]
fn dual_quaternions_turn_a_vertex_between_its_joints() {
    let turned = |skin: &str| {
        let from = "Deformer: 40, \"Deformer::skin\", \"Skin\" {\n";
        let Loaded { value: file, warnings } = read(&changed(&[(from, &format!("{from}{skin}"))]));
        assert!(warnings.is_empty(), "{warnings:?}");
        let posed = skinned(&file, &posed(&file, 1.0));
        // Half of it follows the root, half the tip, which is rotated a quarter turn about (0, 1).
        let half = vertex_at(&file, &posed, Vec3::new(1.0, 1.0, 0.0));
        // The shape has moved this one by a quarter along x, before its turn.
        assert_near(vertex_at(&file, &posed, Vec3::new(1.0, 2.0, 0.0)), Vec3::new(-1.0, 2.25, 0.0));
        half
    };
    let linear = Vec3::new(0.5, 1.5, 0.0);
    let dual = Vec3::new(0.5_f32.sqrt(), 1.0 + 0.5_f32.sqrt(), 0.0);
    assert_near(turned("SkinningType: \"Linear\"\n"), linear);
    assert_near(turned("SkinningType: \"DualQuaternion\"\n"), dual);
    let blended =
        "SkinningType: \"Blend\"\nIndexes: *2 {\na: 2,4\n}\nBlendWeights: *2 {\na: 0.25,1\n}\n";
    assert_near(turned(blended), linear * 0.75 + dual * 0.25);
}

#[test]
fn shares_of_dual_quaternions_that_cannot_be_are_told() {
    let from = "Deformer: 40, \"Deformer::skin\", \"Skin\" {\n";
    for (lists, says) in [
        ("Indexes: *1 {\na: 600\n}\nBlendWeights: *1 {\na: 1\n}\n", "1 weight of vertices beyond"),
        (
            "Indexes: *1 {\na: 0\n}\nBlendWeights: *1 {\na: \"x\"\n}\n",
            "its dual quaternion blend weights",
        ),
    ] {
        let to = format!("{from}SkinningType: \"Blend\"\n{lists}");
        let Loaded { value, warnings } = read(&changed(&[(from, &to)]));
        assert_eq!(value.model.meshes[0].triangles.len(), 4);
        assert!(warnings.iter().any(|one| one.message.contains(says)), "{warnings:?}");
    }
}

#[test]
fn layer_elements_are_ordered_by_their_numbers() {
    let later = "LayerElementUV: 1 {\nMappingInformationType: \"AllSame\"\n\
        ReferenceInformationType: \"Direct\"\nUV: *2 {\na: 0.25,0.75\n}\n}\n\t\tLayerElementUV: 0 {";
    let texcoords = |text: &str| read(text).value.model.meshes[0].texcoords.to_vec();
    assert_eq!(texcoords(&changed(&[("LayerElementUV: 0 {", later)])), texcoords(STRIP));
}

#[test]
fn cage_of_a_subdivision_surface_is_told() {
    for (mode, is_told) in [(0, false), (1, false), (2, true), (3, true)] {
        let to = format!("Smoothness: {mode}\n\t\tVertices: *18");
        let warnings = read(&changed(&[("Vertices: *18", &to)])).warnings;
        let told = warnings.iter().filter(|one| one.message.contains("cage is drawn"));
        assert_eq!(told.count(), usize::from(is_told), "{mode}: {warnings:?}");
    }
}

#[test]
fn damage_costs_its_part_and_is_told() {
    for (from, to, says) in [
        (
            "a: 0,1,2,-4,3,2,4,-6",
            "a: 0,1,2,-4,3,2,4,-60",
            "1 polygon uses missing or non-finite vertices",
        ),
        ("a: 0,90,0", "a: 0,90", "the curve: 3 key times but 2 values; incomplete keys"),
        ("a: 0,90,0", "a: 0,nan,0", "the curve: key 1 is not finite; 1 of 3 keys are skipped"),
        (
            "a: 46186158000,92372316000,",
            "a: 92372316000,46186158000,",
            "the curve: its key times do not increase; they are sorted",
        ),
        ("Vertices: *18", "Normals: \"x\"\nVertices: *18", "Normals"),
        ("a: 1,1,0.5,0.5", "a: 1,1,\"x\",0.5", "a cluster of its skin is skipped: Weights"),
        ("\t\t\ta: 2,3,4,5", "\t\t\ta: 2,3,4,500", "1 weight of vertices beyond its 6"),
        ("\tC: \"OO\",30,20", "\tC: \"OO\",30,99", "1 connection with missing objects"),
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
    assert!(circle.contains("\"root\" below itself; expected no cycle of models"), "{circle}");
    let deep = format!("; FBX 7.4.0 project file\n{}", "a: { ".repeat(100));
    assert!(refused(&deep).contains("nested records"), "{}", refused(&deep));
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

/// A second and a third layer over the clip of the strip, whose curve nodes rotate the tip about z
/// and have no curves.
fn layered(second: &str, third: &str) -> String {
    let layer = |id: i32, degrees: i32, properties: &str| {
        format!(
            "\tAnimationLayer: {id}, \"AnimLayer::l\", \"\" {{\nProperties70: {{\n{properties}}}\n}}\n\
             \tAnimationCurveNode: {}, \"AnimCurveNode::R\", \"\" {{\nProperties70: {{\n\
             P: \"d|X\", \"Number\", \"\", \"A\",0\nP: \"d|Y\", \"Number\", \"\", \"A\",0\n\
             P: \"d|Z\", \"Number\", \"\", \"A\",{degrees}\n}}\n}}\n",
            id + 1
        )
    };
    let objects = layer(60, 30, second) + &layer(70, 0, third);
    let connections = "\tC: \"OO\",60,50\n\tC: \"OO\",70,50\n\tC: \"OO\",61,60\n\tC: \"OO\",71,70\n\
        \tC: \"OP\",61,22, \"Lcl Rotation\"\n\tC: \"OP\",71,22, \"Lcl Rotation\"\n";
    changed(&[
        ("\tAnimationCurve: 53,", &format!("{objects}\tAnimationCurve: 53,")),
        ("\tC: \"OO\",52,51", &format!("{connections}\tC: \"OO\",52,51")),
    ])
}

#[test]
fn layers_are_added_replace_and_can_be_silent_or_alone() {
    let (add, half) = (
        "P: \"BlendMode\", \"enum\", \"\", \"\",0\n",
        "P: \"BlendMode\", \"enum\", \"\", \"\",2\nP: \"Weight\", \"Number\", \"\", \"A\",50\n",
    );
    let replace = "P: \"BlendMode\", \"enum\", \"\", \"\",1\n";
    let (mute, solo) =
        ("P: \"Mute\", \"bool\", \"\", \"\",1\n", "P: \"Solo\", \"bool\", \"\", \"\",1\n");
    let both = |a: &str, b: &str| format!("{a}{b}");
    // At the middle the first layer rotates by 90 degrees, the second by 30, the third by none.
    for (second, third, degrees) in [
        (add.to_owned(), half.to_owned(), 60.0),
        (add.to_owned(), both(half, mute), 120.0),
        (both(add, mute), half.to_owned(), 45.0),
        (add.to_owned(), replace.to_owned(), 0.0),
        (replace.to_owned(), add.to_owned(), 30.0),
        // A layer that is seen alone is laid over the model itself.
        (both(add, solo), half.to_owned(), 30.0),
        (both(add, solo), both(half, solo), 15.0),
        (both(&both(add, solo), mute), half.to_owned(), 45.0),
    ] {
        let file = read(&layered(&second, &third)).value;
        let angle = tintype_model::math::func::radians(90.0 + degrees);
        let (sine, cosine) =
            (tintype_model::math::func::sin(angle), tintype_model::math::func::cos(angle));
        let found = place(&file, &posed(&file, 1.0), "tip", Vec3::X);
        assert_near(found, Vec3::new(cosine, 1.0 + sine, 0.0));
    }
}

#[test]
fn spherical_order_turns_nothing_and_the_six_others_follow_their_axes() {
    let quarter = |order: i32| {
        let order = format!(
            "P: \"RotationOrder\", \"enum\", \"\", \"\",{order}\n\
             P: \"Lcl Rotation\", \"Lcl Rotation\", \"\", \"A\",90,0,90\n"
        );
        let from = r#"P: "PreRotation", "Vector3D", "Vector", "",0,0,90"#;
        let file = read(&changed(&[(from, &order)])).value;
        let rest = bind_pose(&file.model.skeleton);
        [Vec3::X, Vec3::Y].map(|axis| place(&file, &rest, "tip", axis) - Vec3::Y)
    };
    // First about x: y becomes z, and stays. First about z: y becomes -x, and stays; x becomes y,
    // then z.
    for (order, x, y) in [
        (0, Vec3::Y, Vec3::Z),
        (1, Vec3::Y, Vec3::Z),
        (3, Vec3::Y, Vec3::Z),
        (2, Vec3::Z, Vec3::NEG_X),
        (4, Vec3::Z, Vec3::NEG_X),
        (5, Vec3::Z, Vec3::NEG_X),
        (6, Vec3::X, Vec3::Y),
    ] {
        let [found_x, found_y] = quarter(order);
        assert_near(found_x, x);
        assert_near(found_y, y);
    }
}

#[test]
fn file_whose_meshes_are_all_hidden_is_drawn_all_the_same() {
    let hidden = |visibility: i32| {
        format!(
            "Model: 20, \"Model::strip\", \"Mesh\" {{\n\t\tProperties70: {{\n\
             P: \"Visibility\", \"Visibility\", \"\", \"A\",{visibility}\n}}\n"
        )
    };
    for (visibility, told) in [(1, 0), (0, 1)] {
        let text = changed(&[("Model: 20, \"Model::strip\", \"Mesh\" {\n", &hidden(visibility))]);
        let Loaded { value: file, warnings } = read(&text);
        let is_told = |one: &&Warning| one.message.contains("all meshes are hidden in the file");
        assert_eq!(warnings.iter().filter(is_told).count(), told, "{warnings:?}");
        assert!(file.model.meshes[0].is_shown(&bind_pose(&file.model.skeleton).morphs));
    }
}

/// A record of a text file in binary form; lists of numbers are deflated where the record is called
/// `Vertices`.
fn write_binary(node: &tree::Node, bytes: &mut Vec<u8>) {
    let head = bytes.len();
    bytes.extend([0; 12]);
    bytes.push(u8::try_from(node.name.len()).unwrap());
    bytes.extend(node.name.bytes());
    let from = bytes.len();
    for value in &node.values {
        let (kind, numbers): (u8, Vec<u8>) = match value {
            tree::Value::Int(number) => (b'L', number.to_le_bytes().into()),
            tree::Value::Real(number) => (b'D', number.to_le_bytes().into()),
            tree::Value::Letter(letter) => (b'C', vec![*letter]),
            tree::Value::Text(text) => {
                let text = std::str::from_utf8(text).unwrap();
                let text = match text.split_once("::") {
                    Some((kind, name)) => format!("{name}\0\u{1}{kind}"),
                    None => text.to_owned(),
                };
                let length = u32::try_from(text.len()).unwrap();
                (b'S', [&length.to_le_bytes()[..], text.as_bytes()].concat())
            }
            tree::Value::Ints(list) => {
                (b'l', list.iter().flat_map(|number| number.to_le_bytes()).collect())
            }
            tree::Value::Reals(list) => {
                (b'd', list.iter().flat_map(|number| number.to_le_bytes()).collect())
            }
            tree::Value::Packed(_) => unreachable!("text files have none"),
        };
        bytes.push(kind);
        if kind.is_ascii_lowercase() {
            let count = u32::try_from(numbers.len() / 8).unwrap();
            let is_deflated = node.name == "Vertices";
            let stored = if is_deflated {
                miniz_oxide::deflate::compress_to_vec_zlib(&numbers, 6)
            } else {
                numbers
            };
            for number in [count, u32::from(is_deflated), u32::try_from(stored.len()).unwrap()] {
                bytes.extend(number.to_le_bytes());
            }
            bytes.extend(stored);
        } else {
            bytes.extend(numbers);
        }
    }
    let length = u32::try_from(bytes.len() - from).unwrap();
    node.children.iter().for_each(|child| write_binary(child, bytes));
    if !node.children.is_empty() {
        bytes.extend([0; 13]);
    }
    let numbers =
        [u32::try_from(bytes.len()).unwrap(), u32::try_from(node.values.len()).unwrap(), length];
    for (place, number) in numbers.into_iter().enumerate() {
        bytes[head + 4 * place..][..4].copy_from_slice(&number.to_le_bytes());
    }
}

#[test]
fn binary_form_of_a_text_is_the_same_model() {
    let options = LoadOptions::default();
    let root = ascii::read(STRIP.as_bytes(), &options).unwrap();
    let mut bytes = binary::MAGIC.to_vec();
    bytes.extend([0x1a, 0]);
    bytes.extend(7400_u32.to_le_bytes());
    root.children.iter().for_each(|node| write_binary(node, &mut bytes));
    bytes.extend([0; 13]);
    let text = read(STRIP).value;
    // A file with lists of other types, and the one made here.
    let kept = include_bytes!("../../../../tests/fuzz/seeds/strip_binary.fbx").as_slice();
    for bytes in [kept, bytes.as_slice()] {
        let Loaded { value: file, warnings } = parse_model(bytes, &options).unwrap();
        assert!(warnings.is_empty(), "{warnings:?}");
        assert_eq!(file.model.skeleton, text.model.skeleton);
        assert_eq!(format!("{:?}", file.model.meshes), format!("{:?}", text.model.meshes));
        assert_eq!(file.clips, text.clips);
    }
}

#[test]
fn cameras_look_along_x_and_lights_shine_along_minus_y_of_their_models() {
    let objects = "\tNodeAttribute: 60, \"NodeAttribute::eye\", \"Camera\" {\nProperties70: {\n\
        P: \"ApertureMode\", \"enum\", \"\", \"\",1\nP: \"FieldOfView\", \"FieldOfView\", \"\", \"A\",90\n\
        P: \"AspectWidth\", \"double\", \"Number\", \"\",2\nP: \"AspectHeight\", \"double\", \"Number\", \"\",1\n\
        P: \"NearPlane\", \"double\", \"Number\", \"\",2\nP: \"FarPlane\", \"double\", \"Number\", \"\",50\n}\n}\n\
        \tModel: 61, \"Model::eye\", \"Camera\" {\n}\n\
        \tNodeAttribute: 62, \"NodeAttribute::\", \"Light\" {\nProperties70: {\n\
        P: \"LightType\", \"enum\", \"\", \"\",2\nP: \"OuterAngle\", \"Number\", \"\", \"A\",60\n\
        P: \"Color\", \"Color\", \"\", \"A\",1,0.5,0.25\nP: \"Intensity\", \"Number\", \"\", \"A\",50\n}\n}\n\
        \tModel: 63, \"Model::lamp\", \"Light\" {\n}\n\
        \tNodeAttribute: 64, \"NodeAttribute::flat\", \"Camera\" {\nProperties70: {\n\
        P: \"ApertureMode\", \"enum\", \"\", \"\",2\nP: \"FieldOfView\", \"FieldOfView\", \"\", \"A\",0\n}\n}\n";
    let connections = "\tC: \"OO\",60,61\n\tC: \"OO\",61,22\n\tC: \"OO\",62,63\n\tC: \"OO\",63,0\n\tC: \"OO\",64,63\n";
    let front = "P: \"FrontAxis\", \"int\", \"Integer\", \"\",2";
    let left_handed = format!("{front}\nP: \"FrontAxisSign\", \"int\", \"Integer\", \"\",-1");
    for axes in [front, &left_handed] {
        let Loaded { value: file, warnings } = read(&changed(&[
            (front, axes),
            ("\tDeformer: 40,", &format!("{objects}\tDeformer: 40,")),
            ("\tC: \"OO\",40,10", &format!("{connections}\tC: \"OO\",40,10")),
        ]));
        assert_eq!(warnings.len(), 1, "{warnings:?}");
        assert!(warnings[0].message.contains("the camera has no valid angle"), "{warnings:?}");
        let parts = &file.model.parts;
        let [camera] = parts.cameras.as_slice() else { panic!("{:?}", parts.cameras) };
        assert_eq!((camera.name.as_str(), camera.near, camera.far), ("eye", 2.0, Some(50.0)));
        // The tangent of half of it is 1/2.
        assert!((camera.fov_y_rad.unwrap() - 0.927_295_2).abs() < 1e-5, "{camera:?}");
        let [light] = parts.lights.as_slice() else { panic!("{:?}", parts.lights) };
        assert_eq!((light.name.as_str(), light.color), ("lamp", [1.0, 0.5, 0.25]));
        assert!((light.intensity - core::f32::consts::FRAC_PI_2).abs() < 1e-6, "{light:?}");
        let FileLightKind::Spot { outer_rad, .. } = light.kind else { panic!("{light:?}") };
        assert!((outer_rad - core::f32::consts::FRAC_PI_6).abs() < 1e-6);
        let rest = bind_pose(&file.model.skeleton);
        let looks = |joint: tintype_model::JointIndex| {
            rest.matrices[joint.index()].transform_vector3(Vec3::NEG_Z)
        };
        // The model of the camera is a child of the tip, whose x is +Y.
        assert_near(looks(camera.joint), Vec3::Y);
        assert_near(looks(light.joint), Vec3::NEG_Y);
    }
}

#[test]
fn decimal_commas_are_named_and_not_read_as_more_numbers() {
    let file = |text: &str| format!("; FBX 7.4.0 project file\nObjects: {{\n{text}\n}}\n");
    for text in [
        "P: \"Lcl Translation\", \"Lcl Translation\", \"\", \"A\",150,5,0,0,0,0",
        "P: \"Lcl Scaling\", \"Lcl Scaling\", \"\", \"A\",1,1,1,5",
        "P: \"DiffuseColor\", \"Color\", \"\", \"A\",0,8,0,8,0,8",
        "P: \"UnitScaleFactor\", \"double\", \"Number\", \"\",2,54",
        "Property: \"Lcl Rotation\", \"Lcl Rotation\", \"A+\",90,5,0,0",
        "Vertices: *6 {\na: 0,5,1,0,1,2,3,5\n}",
        "Matrix: 1,0,0,0,0,1,0,0,0,0,1,0,2,5,0,0,1",
        "Vertices: 0,500000,1,000000",
        "Weights: 1,05",
    ] {
        let message = refused(&file(text));
        assert!(message.contains("decimal comma"), "{text}: {message}");
        assert!(message.contains("line 3") || message.contains("line 4"), "{message}");
    }
    for text in [
        // A property of the user with its bounds.
        "P: \"weight\", \"Number\", \"\", \"A+U\",1,0,10",
        "P: \"weight\", \"double\", \"Number\", \"AUH\",1,2",
        "P: \"Lcl Translation\", \"Lcl Translation\", \"\", \"A\",150.5,0,0",
        "Vertices: *6 {\na: 0.5,1,0,1,2,3.5\n}",
        "KeyTime: *2 {\na: 0,46186158000\n}",
    ] {
        let file = file(text);
        let read = ascii::read(file.as_bytes(), &LoadOptions::default());
        assert!(read.is_ok(), "{text}: {read:?}");
    }
}

#[test]
fn models_of_one_geometry_need_its_vertices_once() {
    let read = |models: usize, expanded_floor: usize, instanced: usize| {
        let objects: String = (1..models)
            .map(|n| format!("\tModel: {}, \"Model::m\", \"Mesh\" {{\n\t}}\n", 900 + n))
            .collect();
        let links: String = (1..models)
            .map(|n| format!("\tC: \"OO\",{0},0\n\tC: \"OO\",10,{0}\n", 900 + n))
            .collect();
        let text = changed(&[
            ("\tDeformer: 40,", &format!("{objects}\tDeformer: 40,")),
            ("\tC: \"OO\",40,10", &format!("{links}\tC: \"OO\",40,10")),
        ]);
        let limits = crate::Limits {
            expanded_floor,
            instanced,
            bytes_per_influence: usize::MAX,
            ..crate::Limits::default()
        };
        let loaded = parse_model(text.as_bytes(), &LoadOptions::from(limits));
        loaded.map(|loaded| loaded.value.model.meshes.len()).map_err(|error| error.to_string())
    };
    // Blend shapes count against the second limit too.
    let own = (1..1000).find(|&most| read(1, most, most).is_ok()).unwrap();
    assert_eq!(read(5, own, 9 * own), Ok(5));
    let message = read(500, own, 9 * own).unwrap_err();
    assert!(message.contains("of all models of one geometry"), "{message}");
}

#[test]
fn numbers_of_time_modes_are_rates() {
    for (mode, rate) in [(0, 30.0), (12, 1000.0), (16, 72.0), (17, 59.94), (18, 119.88), (99, 0.0)]
    {
        let own = format!("P: \"TimeMode\", \"enum\", \"\", \"\",{mode}");
        let file = read(&changed(&[("P: \"TimeMode\", \"enum\", \"\", \"\",11", &own)])).value;
        assert_eq!(file.clips[0].clip.key_rate_hz.unwrap_or(0.0), rate, "{mode}");
    }
}

#[test]
fn picture_lies_on_the_film_as_the_gate_says() {
    let share = |gate: u32, kind: u32, picture: f32| {
        let camera = format!(
            "\tNodeAttribute: 60, \"NodeAttribute::\", \"Camera\" {{\nProperties70: {{\n\
             P: \"ApertureMode\", \"enum\", \"\", \"\",3\nP: \"FilmWidth\", \"Number\", \"\", \"\",3\n\
             P: \"FilmHeight\", \"Number\", \"\", \"\",2\nP: \"GateFit\", \"enum\", \"\", \"\",{gate}\n\
             P: \"CameraProjectionType\", \"enum\", \"\", \"\",{kind}\n}}\n}}\n\tModel: 61, \"Model::eye\", \"Camera\" {{\n}}\n"
        );
        let file = read(&changed(&[
            ("\tDeformer: 40,", &format!("{camera}\tDeformer: 40,")),
            ("\tC: \"OO\",40,10", "\tC: \"OO\",60,61\n\tC: \"OO\",61,0\n\tC: \"OO\",40,10"),
        ]));
        file.value.model.parts.cameras[0].fit.height_share(picture)
    };
    // The film is 3 : 2, the picture 3 : 1 and 3 : 4.
    for (gate, wide, high) in
        [(0, 1.0, 1.0), (1, 1.0, 1.0), (2, 0.5, 2.0), (3, 0.5, 1.0), (4, 1.0, 2.0)]
    {
        assert_eq!((share(gate, 0, 3.0), share(gate, 0, 0.75)), (wide, high), "{gate}");
    }
    // Without perspective the film is square.
    assert_eq!((share(2, 1, 2.0), share(3, 1, 0.5), share(4, 1, 0.5)), (0.5, 1.0, 2.0));
}

#[test]
fn stated_up_is_no_matter_of_guesses_and_helpers_are_told_apart() {
    let objects = "\tModel: 60, \"Model::Left Fill\", \"Light\" {\n}\n\tModel: 61, \"Model::target_R\", \"Null\" {\n}\n\
        \tModel: 62, \"Model::toe\", \"Null\" {\n}\n";
    let connections = "\tC: \"OO\",60,0\n\tC: \"OO\",61,0\n\tC: \"OO\",62,22\n";
    let file = read(&changed(&[
        ("\tDeformer: 40,", &format!("{objects}\tDeformer: 40,")),
        ("\tC: \"OO\",40,10", &format!("{connections}\tC: \"OO\",40,10")),
    ]));
    let model = file.value.model;
    let names = model
        .parts
        .holders
        .iter()
        .map(|joint| model.skeleton.joints()[joint.index()].name.as_str());
    assert_eq!(names.collect::<Vec<_>>(), ["Left Fill", "target_R"]);
    assert_eq!(model.parts.up.guesses, tintype_base::precedence::Guesses::OverConvention);
    assert!(model.parts.up.is_stated && !model.parts.lacks_meshes);
}

#[test]
fn bind_pose_is_that_of_clusters_else_that_of_a_whole_pose() {
    use tintype_model::pose::bound_pose;
    let bent = (
        "P: \"PreRotation\", \"Vector3D\", \"Vector\", \"\",0,0,90",
        "P: \"PreRotation\", \"Vector3D\", \"Vector\", \"\",0,0,0",
    );
    let file = read(&changed(&[bent])).value;
    let skeleton = &file.model.skeleton;
    assert_near(place(&file, &bind_pose(skeleton), "tip", Vec3::X), Vec3::new(1.0, 1.0, 0.0));
    assert_near(place(&file, &bound_pose(skeleton), "tip", Vec3::X), Vec3::new(0.0, 2.0, 0.0));
    // The vertices in that pose equal those of the geometry.
    let posed = skinned(&file, &bound_pose(skeleton));
    assert_near(vertex_at(&file, &posed, Vec3::new(1.0, 2.0, 0.0)), Vec3::new(1.0, 2.0, 0.0));
    // A file whose pose is its bind pose has no separate one.
    assert!(read(STRIP).value.model.skeleton.bind().is_none());
    let links = [
        ("a: 1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1\n\t\t}\n\t}", "a: 0\n\t\t}\n\t}"),
        ("a: 0,1,0,0,-1,0,0,0,0,0,1,0,0,1,0,1", "a: 0"),
    ];
    let node = |model: u32, matrix: &str| {
        format!("PoseNode: {{\nNode: {model}\nMatrix: *16 {{\na: {matrix}\n}}\n}}\n")
    };
    let (root, tip) =
        (node(21, "1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1"), node(22, "0,1,0,0,-1,0,0,0,0,0,1,0,0,1,0,1"));
    for (nodes, is_whole) in [(format!("{root}{tip}"), true), (tip, false)] {
        let pose = format!("\tPose: 60, \"Pose::b\", \"BindPose\" {{\n{nodes}}}\n\tDeformer: 40,");
        let file = read(&changed(&[bent, links[0], links[1], ("\tDeformer: 40,", &pose)])).value;
        assert_eq!(file.model.skeleton.bind().is_some(), is_whole);
    }
}

#[test]
fn file_without_a_mesh_is_one_of_clips_whose_pose_is_of_a_moment() {
    let text = changed(&[
        ("Geometry: 10, \"Geometry::strip\", \"Mesh\"", "Nothing: 10, \"\", \"\""),
        ("Geometry: 11, \"Geometry::wide\", \"Shape\"", "Nothing: 11, \"\", \"\""),
        ("Model: 20, \"Model::strip\", \"Mesh\"", "Model: 20, \"Model::strip\", \"Null\""),
        ("\"Cluster\" {", "\"\" {"),
        ("\tVertices: *18", "\tOther: *18"),
        ("\tVertices: *3", "\tOther: *3"),
    ]);
    let file = read(&text).value;
    assert!(file.model.parts.lacks_meshes && file.model.skeleton.is_of_a_moment());
}
