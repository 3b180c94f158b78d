use super::*;
use crate::Limits;
use std::fmt::Write as _;
use tintype_model::math::{Quat, Vec3};
use tintype_model::{FileRepair, JointIndex};

fn mesh(text: &str) -> Result<Loaded<Model>, Md5Error> {
    parse_mesh(text.as_bytes(), &LoadOptions::default())
}

fn anim(text: &str) -> Result<Loaded<Clip>, Md5Error> {
    parse_anim(text.as_bytes(), &LoadOptions::default())
}

#[test]
fn looks_like_md5_takes_the_first_token() {
    for text in ["MD5Version 10", "// c\n/* d */ md5version", "\u{feff}MD5VERSION 6"] {
        assert!(looks_like_md5(text.as_bytes()), "{text}");
    }
    for text in ["", "\"MD5Version\" x", "xof 0303txt", "MD5Version10", "/* MD5Version"] {
        assert!(!looks_like_md5(text.as_bytes()), "{text}");
    }
}

#[test]
fn mesh_keeps_joint_space_and_turns_the_model_side() {
    let loaded = mesh(
        "MD5Version 10 numJoints 1 numMeshes 1 joints { \"a\" -1 ( 1 2 3 ) ( 0 0 0 ) } mesh { numverts 1 \
         vert 0 ( 0.25 0.75 ) 0 1 numtris 0 numweights 1 weight 0 0 1 ( 4 5 6 ) }",
    )
    .unwrap();
    let (mesh, joint) = (&loaded.value.meshes[0], &loaded.value.skeleton.joints()[0]);
    assert_eq!(mesh.influences[0].position(), Vec3::new(4.0, 5.0, 6.0));
    assert_eq!(joint.model_from_joint.translation, Vec3::new(1.0, 3.0, -2.0));
    // (5, 7, 9) in the file's axes.
    let at = joint.model_from_joint.transform_point3(mesh.influences[0].position());
    assert!((at - Vec3::new(5.0, 9.0, -7.0)).length() < 1e-5, "{at}");
    assert_eq!(mesh.texcoords[0].to_array(), [0.25, 0.75]);
    assert_eq!(loaded.value.front, Vec3::X);
}

#[test]
fn mesh_winding_is_reversed_once() {
    let loaded = mesh(
        "MD5Version 10 numJoints 1 numMeshes 1 joints { \"a\" -1 ( 0 0 0 ) ( 0 0 0 ) } mesh { numverts 3 \
         vert 0 ( 0 0 ) 0 1 vert 1 ( 0 0 ) 1 1 vert 2 ( 0 0 ) 2 1 numtris 1 tri 0 0 1 2 numweights 3 \
         weight 0 0 1 ( 0 0 0 ) weight 1 0 1 ( 0 0 1 ) weight 2 0 1 ( 0 1 0 ) }",
    )
    .unwrap();
    // Clockwise seen from +X in the file, which is its front; +X is outward here too.
    let mesh = &loaded.value.meshes[0];
    assert_eq!(mesh.triangles, [[0, 2, 1]]);
    let outward =
        loaded.value.skeleton.joints()[0].model_from_joint.matrix3 * mesh.influences[0].normal();
    assert!((outward - Vec3::X).length() < 1e-6, "{outward}");
}

#[test]
fn mesh_restores_w_from_the_digits_of_the_file() {
    // Close to w = 0 an f32 knows the length only to 1e-7, and w only to 3e-4.
    let loaded = mesh(
        "MD5Version 10 numJoints 1 numMeshes 0 joints { \"a\" -1 ( 0 0 0 ) ( 0.7071067811 0.7071067811 0 ) }",
    )
    .unwrap();
    let x: f64 = "0.7071067811".parse().unwrap();
    let w = -(1.0 - 2.0 * x * x).sqrt();
    let half = core::f64::consts::FRAC_1_SQRT_2;
    let expected = [half * x - half * w, half * x, -half * x, half * w + half * x];
    let found = Quat::from_affine3(&loaded.value.skeleton.joints()[0].model_from_joint);
    let found = if found.w < 0.0 { -found } else { found };
    for (found, expected) in found.to_array().into_iter().zip(expected) {
        assert!((f64::from(found) - expected).abs() < 1e-6, "{found} {expected}");
    }
}

fn many_shared(vertices: usize, weights: usize) -> String {
    let mut text = String::from(
        "MD5Version 10\nnumJoints 1\nnumMeshes 1\njoints { \"a\" -1 ( 0 0 0 ) ( 0 0 0 ) }\nmesh {\n",
    );
    writeln!(text, "numverts {vertices}").unwrap();
    for vertex in 0..vertices {
        writeln!(text, "vert {vertex} ( 0 0 ) 0 {weights}").unwrap();
    }
    writeln!(text, "numtris 0\nnumweights {weights}").unwrap();
    for weight in 0..weights {
        writeln!(text, "weight {weight} 0 0.001 ( 1 0 0 )").unwrap();
    }
    text + "}\n"
}

/// True if an error reports this limit at this position.
fn is_limit(error: &Md5Error, at: &str, about: &str, count: usize, most: usize) -> bool {
    matches!(error, Md5Error::Limit(error)
        if error.at.to_string() == at && error.what == about && error.found == count && error.limit == most)
}

#[test]
fn mesh_influences_are_limited_before_they_are_expanded() {
    let limit = Limits::default().expanded_floor;
    let loaded = mesh(&many_shared(limit / 256, 256)).unwrap();
    assert_eq!(loaded.value.meshes[0].influences.len(), limit);
    let error = mesh(&many_shared(limit / 256 + 1, 256)).unwrap_err();
    let what = String::from("influences of all vertices");
    assert!(is_limit(&error, "line 263, column 18", &what, limit + 256, limit), "{error}");
    // A mesh without sharing is never too large: a vertex and a weight take more than four bytes.
    let text = many_shared(1, 70_000);
    assert!(text.len() / Limits::default().bytes_per_influence > 70_000);
    assert!(mesh(&text).is_ok());
}

fn many_keys(joints: usize, frames: usize) -> String {
    let mut text = format!(
        "MD5Version 10\nnumJoints {joints}\nnumFrames {frames}\nframeRate 24\nnumAnimatedComponents 1\n"
    );
    text.push_str("hierarchy {\n");
    for _ in 0..joints {
        text.push_str("\"j\" -1 1 0\n");
    }
    text.push_str("}\nbaseframe {\n");
    for _ in 0..joints {
        text.push_str("( 0 0 0 ) ( 0 0 0 )\n");
    }
    text.push_str("}\n");
    for frame in 0..frames {
        writeln!(text, "frame {frame} {{ {frame} }}").unwrap();
    }
    text
}

#[test]
fn anim_keys_are_limited_before_they_are_expanded() {
    let limit = Limits::default().expanded_floor;
    assert!(anim(&many_keys(256, 256)).is_ok());
    let error = anim(&many_keys(257, 256)).unwrap_err();
    let what = String::from("keys of all joints");
    assert!(is_limit(&error, "line 6, column 11", &what, 257 * 256, limit), "{error}");
}

#[test]
fn file_longer_than_the_limit_is_refused_unread() {
    let limits = Limits { max_bytes: 10, ..Limits::default() };
    let error = parse_camera(b"not even MD5", &limits.clone().into()).unwrap_err();
    let expected = "line 1, column 1: bytes of the file: found 12; the limit is 10";
    assert_eq!(error.to_string(), expected);
}

#[test]
fn mesh_joints_are_limited_to_what_an_index_can_name() {
    let mut text = String::from("MD5Version 10\njoints {\n");
    for _ in 0..=tintype_model::Skeleton::MAX_JOINTS {
        text.push_str("\"j\" -1 ( 0 0 0 ) ( 0 0 0 )\n");
    }
    let error = mesh(&(text + "}\n")).unwrap_err().to_string();
    assert_eq!(
        error,
        "line 2, column 8: joints: found 65537; the limit is 65536; it cannot be raised"
    );
}

const SWING: &str = "MD5Version 10 numJoints 2 numFrames 4 frameRate 20 numAnimatedComponents 4
    hierarchy { \"a\" -1 1 0 \"b\" 0 56 1 }
    baseframe { ( 7 8 9 ) ( 0 0 0 ) ( 1 2 3 ) ( 0 0 0 ) }
    frame 0 { 0 0.9999 0 0 } frame 1 { 1 -0.9999 0 0 } frame 2 { 2 0.9998 0 0 } frame 3 { 3 0 0 1 }";

#[test]
fn anim_moving_tracks_share_their_times_and_still_ones_have_one_key() {
    let clip = anim(SWING).unwrap().value;
    let [root, child] = &clip.joints[..] else { panic!("two joints") };
    assert_eq!(root.translation.times_s[..], [0.0, 1.0 / 20.0, 2.0 / 20.0, 3.0 / 20.0]);
    assert!(std::sync::Arc::ptr_eq(&root.translation.times_s, &child.rotation.times_s));
    for (still, keys) in [
        (root.rotation.values.len(), root.rotation.times_s.len()),
        (child.translation.values.len(), child.translation.times_s.len()),
        (child.scale.values.len(), child.scale.times_s.len()),
    ] {
        assert_eq!((still, keys), (1, 1));
    }
    assert_eq!((clip.start_s, clip.end_s, clip.period_s), (0.0, 3.0 / 20.0, 4.0 / 20.0));
    assert_eq!((clip.key_count(), clip.key_rate_hz), (4, Some(20.0)));
}

#[test]
fn anim_turns_roots_and_leaves_local_transforms() {
    let clip = anim(SWING).unwrap().value;
    let (root, child) = (&clip.joints[0], &clip.joints[1]);
    assert_eq!((root.parent, child.parent), (None, Some(JointIndex(0))));
    assert_eq!(root.translation.values[2], Vec3::new(2.0, 9.0, -8.0));
    assert_eq!(child.translation.values[0], Vec3::new(1.0, 2.0, 3.0));
    let up = root.rotation.values[0] * Vec3::Z;
    assert!((up - Vec3::Y).length() < 1e-6, "the file's up is ours: {up}");
    let last = child.rotation.values[3];
    assert!((last * Vec3::X + Vec3::X).length() < 1e-6, "half a turn about z: {last}");
}

#[test]
fn anim_neighbouring_rotations_are_on_one_hemisphere() {
    let clip = anim(SWING).unwrap().value;
    let keys = &clip.joints[1].rotation.values;
    for pair in keys.windows(2) {
        assert!(pair[0].dot(pair[1]) >= 0.0, "{pair:?}");
    }
    // The second key is written at the far side of the first, and both are almost half a turn about
    // x.
    assert!(keys[0].x > 0.99 && keys[1].x > 0.99, "{keys:?}");
}

#[test]
fn anim_period_counts_the_last_key_unless_it_repeats_the_first() {
    let clip = |last: &str| {
        let text = format!(
            "MD5Version 10 numJoints 2 numFrames 3 frameRate 10 numAnimatedComponents 6
            hierarchy {{ \"a\" -1 0 0 \"b\" 0 63 0 }} baseframe {{ ( 0 0 0 ) ( 0 0 0 ) ( 0 0 0 ) ( 0 0 0 ) }}
            frame 0 {{ 10 0 0 0 0 0 }} frame 1 {{ 11 0 0 0 0 0 }} frame 2 {{ {last} }}"
        );
        anim(&text).unwrap().value.period_s
    };
    // The diagonal is 10, so 0.001 apart is the same position; 0.05° is 0.000436 in x.
    for (last, period_s) in [
        ("10 0 0 0 0 0", 0.2),
        ("10.0009 0 0 0 0 0", 0.2),
        ("10.0011 0 0 0 0 0", 0.3),
        ("10 0 0 0.00043 0 0", 0.2),
        ("10 0 0 0.00044 0 0", 0.3),
    ] {
        assert_eq!(clip(last), period_s, "{last}");
    }
}

#[test]
fn error_prints_every_field_and_the_nearest_keyword() {
    let text = "MD5Version 10\nnumJoints 0 joints { }\n\tmesh { numvrts 0 }";
    let expected = "found \"numvrts\"; expected name, shader, numverts, vert, numtris, tri, numweights, weight or }; \
                    did you mean \"numverts\"?; the line is skipped";
    assert!(mesh(text).unwrap().warnings.contains(&FileRepair::Malformed.at(3, expected)));
}

/// A square of two triangles on one joint, with some lines replaced.
fn square(changes: &[(&str, &str)]) -> String {
    let mut text = "MD5Version 10\nnumJoints 1\nnumMeshes 1\njoints {\n\"a\" -1 ( 0 0 0 ) ( 0 0 0 )\n}\nmesh {\nshader \"s\"\n\
                    numverts 4\nvert 0 ( 0 0 ) 0 1\nvert 1 ( 1 0 ) 1 1\nvert 2 ( 1 1 ) 2 1\nvert 3 ( 0 1 ) 3 1\n\
                    numtris 2\ntri 0 0 1 2\ntri 1 0 2 3\nnumweights 4\nweight 0 0 1 ( 0 0 0 )\nweight 1 0 1 ( 1 0 0 )\n\
                    weight 2 0 1 ( 1 1 0 )\nweight 3 0 1 ( 0 1 0 )\n}\n"
        .to_owned();
    for (own, other) in changes {
        assert!(text.contains(own), "{own}");
        text = text.replacen(own, other, 1);
    }
    text
}

#[test]
fn faults_of_lines_cost_what_uses_them() {
    for (fault, changes, triangles, message) in [
        (FileRepair::CountMismatch, &[("numverts 4", "numverts 5")][..], 2, "vert lines: found 4"),
        (FileRepair::CountMismatch, &[("vert 3 ( 0 1 ) 3 1\n", "")], 1, "none with index 3"),
        (FileRepair::CountMismatch, &[("numverts 4", "numverts 3")], 2, "all are read"),
        (FileRepair::CountMismatch, &[("numverts 4\n", "")], 2, "expected numverts before them"),
        (
            FileRepair::CountMismatch,
            &[("numverts 4", "numverts 4000000000")],
            2,
            "217 bytes follow; the vert lines are counted instead",
        ),
        (
            FileRepair::CountMismatch,
            &[("numMeshes 1", "numMeshes 3")],
            2,
            "meshes: found 1; expected 3",
        ),
        (
            FileRepair::CountMismatch,
            &[("numJoints 1", "numJoints 3")],
            2,
            "joints: found 1; expected 3",
        ),
        (FileRepair::BadReference, &[("tri 1 0 2 3", "tri 1 0 2 9")], 1, "found vertex 9"),
        (
            FileRepair::BadReference,
            &[("weight 3 0 1", "weight 3 7 1")],
            1,
            "found joint 7; expected 0",
        ),
        (FileRepair::BadReference, &[(") 3 1\n", ") 3 9\n")], 2, "found 9 weights from 3"),
        (
            FileRepair::OutOfRange,
            &[("( 1 1 0 )", "( nan 1 0 )")],
            0,
            "which is not a finite number",
        ),
        (FileRepair::WeightSum, &[("weight 3 0 1", "weight 3 0 1e7")], 1, "weights that sum to"),
        (FileRepair::Hierarchy, &[("\"a\" -1", "\"a\" 4")], 2, "the joint has no parent"),
        (FileRepair::UnknownPart, &[("shader", "glitter 7\nshader")], 2, "unknown statement"),
        (FileRepair::Malformed, &[("tri 1 0 2 3", "tri 1 0 x 3")], 1, "the line is skipped"),
        (FileRepair::Malformed, &[("shader \"s\"", "shader \"s")], 2, "an unterminated string"),
        (
            FileRepair::Truncated,
            &[("( 0 1 0 )\n}\n", "( 0 1 0 )\n")],
            2,
            "found the end of the file",
        ),
        (
            FileRepair::Duplicate,
            &[("numMeshes 1", "numMeshes 1\nnumMeshes 2")],
            2,
            "the first one is used",
        ),
    ] {
        let text = square(changes);
        let loaded = mesh(&text).unwrap_or_else(|error| panic!("{error}: {text}"));
        let of_kind = loaded.warnings.iter().filter(|warning| warning.fault == fault);
        let messages: Vec<&str> = of_kind.map(|one| one.message.as_str()).collect();
        assert!(messages.iter().any(|one| one.contains(message)), "{:?}", loaded.warnings);
        assert_eq!(loaded.value.meshes[0].triangles.len(), triangles, "{message}");
    }
    assert_eq!(mesh(&square(&[])).unwrap().warnings, []);
}

#[test]
fn mesh_that_cannot_be_read_leaves_the_others() {
    let broken = "numMeshes 2\njoints";
    let text = square(&[("numMeshes 1\njoints", broken), ("mesh {", "mesh numverts 3 }\nmesh {")]);
    let loaded = mesh(&text).unwrap();
    assert_eq!(loaded.value.meshes.len(), 1);
    assert!(loaded.warnings.iter().any(|one| one.message.contains("mesh 0 is skipped")));
}

#[test]
fn joint_without_numbers_moves_no_vertex() {
    let two = "\"a\" -1 ( 0 0 0 ) ( 0 0 0 )\n\"b\" 0 ( 1 inf 0 ) ( 0 0 0 )\n";
    let changes = [("\"a\" -1 ( 0 0 0 ) ( 0 0 0 )\n", two), ("weight 3 0 1", "weight 3 1 1")];
    let loaded = mesh(&square(&changes)).unwrap();
    assert_eq!(loaded.value.meshes[0].triangles.len(), 1);
    assert!(loaded.warnings.iter().any(|one| one.message.contains("moves no vertex")));
}

#[test]
fn mesh_count_is_limited() {
    let limits = Limits { max_meshes: 2, ..Limits::default() };
    let text = |count: usize| format!("MD5Version 10 joints{{}} {}", "mesh{}".repeat(count));
    assert_eq!(
        parse_mesh(text(2).as_bytes(), &limits.clone().into()).unwrap().value.meshes.len(),
        2
    );
    let error = parse_mesh(text(3).as_bytes(), &limits.clone().into()).unwrap_err().to_string();
    assert_eq!(error, "line 1, column 40: meshes: found 3; the limit is 2");
}

#[test]
fn joint_names_need_the_head_of_a_file_alone() {
    let mesh = "MD5Version 10 numJoints 2 joints { \"root\" -1 ( 0 0 0 ) ( 0 0 0 )\n \"arm \" 0 ( 1 2 3 ) ( 0 0 0 ) } mesh { ";
    let anim =
        "MD5Version 10 // hierarchy {\n numJoints 1 hierarchy { \"root\" -1 0 0 } bounds { ( ";
    assert_eq!(joint_names(mesh.as_bytes()), Some(vec!["root".to_owned(), "arm ".to_owned()]));
    assert_eq!(joint_names(anim.as_bytes()), Some(vec!["root".to_owned()]));
    for cut in 0..mesh.find('}').unwrap() {
        assert_eq!(joint_names(&mesh.as_bytes()[..cut]), None, "{cut}");
    }
}

#[test]
fn plain_lines_are_read_as_token_by_token() {
    /// Values instead of a number.
    const VALUES: [&str; 32] = [
        "0",
        "1",
        "2",
        "3",
        "-0",
        "-1",
        "+1",
        "007",
        "1.5",
        "-0.0",
        ".5",
        "5.",
        ".",
        "-",
        "1e0",
        "-2.5E-3",
        "1e999",
        "nan",
        "1.#IND00",
        "1.5.5",
        "1,5",
        "0x1",
        "4294967296",
        "123456789012345678901",
        "0.1234567890123456789",
        "999999999999999999",
        "2000000000",
        "(",
        ")",
        "}",
        "1)",
        "// 1\n1",
    ];
    let lines = ["vert 1 ( 0.25 0.75 ) 0 1", "tri 0 0 1 2", "weight 2 0 0.5 ( 4.5 -5 6 )"];
    let text = |lines: &[String; 3]| {
        let [vertex, triangle, weight] = lines;
        format!(
            "MD5Version 10\nnumJoints 1\nnumMeshes 1\njoints {{ \"a\" -1 ( 1 2 3 ) ( 0 0 0 ) }}\nmesh {{\n\
             numverts 3\n\tvert 0 ( 0 0 ) 0 1\n\t{vertex}\n\tvert 2(1 1)1 2\nnumtris 1\n\t{triangle}\n\
             numweights 3\n\tweight 1 0 0.5 ( 1 0 0 )\n\t{weight}\n\tweight 0 0 1 ( 0 1 0 )\n}}\n"
        )
    };
    // Blanks other than spaces and tabs are not plain, and a column too.
    let slow = |text: &str| {
        let words = ["vert ", "tri ", "weight "];
        words.into_iter().fold(text.to_owned(), |text, word| {
            text.replace(word, &format!("{}\x0b", word.trim_end()))
        })
    };
    let (mut read, mut told) = (0, 0);
    for (line, plain) in lines.iter().enumerate() {
        let words: Vec<&str> = plain.split(' ').collect();
        for place in 1..words.len() {
            for value in VALUES {
                let mut words = words.clone();
                words[place] = value;
                let mut lines = lines.map(str::to_owned);
                lines[line] = words.join(" ");
                let text = text(&lines);
                let [plain, slow] = [&text, &slow(&text)].map(|text| mesh(text));
                let is_whole = plain.as_ref().is_ok_and(|loaded| loaded.warnings.is_empty());
                *if is_whole { &mut read } else { &mut told } += 1;
                assert_eq!(format!("{plain:?}"), format!("{slow:?}"), "{text}");
            }
        }
    }
    assert!(read > 50 && told > 200, "{read} read, {told} told");
}

#[test]
fn plain_numbers_of_a_frame_are_read_as_one_by_one() {
    let text = |numbers: [&str; 6]| {
        format!(
            "MD5Version 10 numFrames 1 numJoints 1 frameRate 24 numAnimatedComponents 6\n\
             hierarchy {{ \"a\" -1 63 0 }} bounds {{ ( 0 0 0 ) ( 1 1 1 ) }} baseframe {{ ( 0 0 0 ) ( 0 0 0 ) }}\n\
             frame 0 {{\n{} {} {}\n\t{} {}// none\n {}\n}}",
            numbers[0], numbers[1], numbers[2], numbers[3], numbers[4], numbers[5]
        )
    };
    let plain = ["1.25", "-0.125", "30", "0.1", "-.2", "0.30"];
    let exponents = plain.map(|number| format!("{number}e0"));
    let slow = exponents.each_ref().map(String::as_str);
    let [read, slow] = [plain, slow].map(|numbers| anim(&text(numbers)).unwrap());
    assert_eq!(format!("{read:?}"), format!("{slow:?}"));

    // Bounds are not part of a pose.
    let loaded = anim(&text(plain).replacen("( 1 1 1 )", "( 1 nan 1 )", 1)).unwrap();
    assert!(loaded.warnings[0].message.ends_with("bounds are ignored"), "{:?}", loaded.warnings);
    assert_eq!((loaded.warnings.len(), loaded.value.stated_boxes.len()), (1, 0));
    assert_eq!(loaded.value.joints, read.value.joints);

    // Faults are reported at their positions, and the frame has all of its numbers.
    for (place, number, line, message) in [
        (2, "x", 4, "found \"x\"; expected a component of a joint, or }"),
        (1, "2e9", 4, "a component of a joint: found \"2e9\"; expected -1e9 to 1e9"),
        (3, "2000000000", 5, "a component of a joint: found \"2000000000\""),
        (5, "1 2", 6, "numbers of frame 0: found 7; expected 6"),
        (5, "", 7, "numbers of frame 0: found 5; expected 6"),
    ] {
        let mut numbers = plain;
        numbers[place] = number;
        let warnings = anim(&text(numbers)).unwrap().warnings;
        let found = warnings.iter().find(|warning| warning.message.starts_with(message));
        assert!(found.is_some_and(|one| one.line == line || place == 5), "{warnings:?}");
    }
}

#[test]
fn lines_may_come_in_any_order() {
    let file = |order: &[usize]| {
        let mut text = String::from(
            "MD5Version 10 numJoints 1 numMeshes 1 joints { \"a\" -1 ( 0 0 0 ) ( 0 0 0 ) } mesh {\nnumverts 5\n",
        );
        for &index in order {
            writeln!(text, "vert {index} ( 0.{index} 0 ) 0 1").unwrap();
        }
        text + "numtris 0\nnumweights 1\nweight 0 0 1 ( 1 2 3 )\n}"
    };
    for order in [[0, 1, 2, 3, 4], [4, 3, 2, 1, 0], [1, 0, 4, 2, 3]] {
        let texcoords = mesh(&file(&order)).unwrap().value.meshes.remove(0).texcoords;
        let us: Vec<f32> = texcoords.iter().map(|at| at.x).collect();
        assert_eq!(us, [0.0, 0.1, 0.2, 0.3, 0.4], "{order:?}");
    }
    let told = |order: &[usize]| format!("{:?}", mesh(&file(order)).unwrap().warnings);
    let twice = told(&[0, 2, 4, 2, 1]);
    assert!(twice.contains("index 2 a second time"), "{twice}");
    let missing = told(&[0, 2, 4, 1]);
    assert!(missing.contains("4, none with index 3"), "{missing}");
}

#[test]
fn cuts_that_do_not_rise_are_sorted() {
    let key = "( 0 0 0 ) ( 0 0 0 ) 90\n".repeat(4);
    let text = format!(
        "MD5Version 10\ncommandline \"\"\nnumFrames 4\nframeRate 24\nnumCuts 2\ncuts {{ 2 0 }}\ncamera {{\n{key}}}\n"
    );
    let Loaded { value, warnings } =
        parse_camera(text.as_bytes(), &LoadOptions::default()).unwrap();
    assert_eq!((value.cuts, warnings[0].fault), (vec![1, 3], FileRepair::UnsortedCuts));
}
