use super::{JointDiff, ModelDiff, Side, VertexDiff, compare};
use crate::finding::{Element, Finding, Kind, Subject, Unit};
use tintype_formats::{LoadOptions, md5};
use tintype_model::math::{Quat, func};
use tintype_model::{Clip, Interpolation, Model, Track};

/// Three joints in a row and a triangle on each of the last two.
fn rig(edit: &dyn Fn(&str) -> String) -> Model {
    let text = "MD5Version 10\ncommandline \"\"\nnumJoints 3\nnumMeshes 2\njoints {\n\
        \"root\" -1 ( 0 0 0 ) ( 0 0 0 )\n\
        \"arm\" 0 ( 10 0 0 ) ( 0 0 0 )\n\
        \"hand\" 1 ( 20 0 0 ) ( 0 0 0 )\n}\n\
        mesh {\nshader \"sleeve\"\nnumverts 3\nvert 0 ( 0 0 ) 0 1\nvert 1 ( 1 0 ) 1 1\nvert 2 ( 0 1 ) 2 1\n\
        numtris 1\ntri 0 0 1 2\nnumweights 3\n\
        weight 0 1 1 ( 0 1 0 )\nweight 1 1 1 ( 1 1 0 )\nweight 2 1 1 ( 0 2 0 )\n}\n\
        mesh {\nshader \"skin\"\nnumverts 3\nvert 0 ( 0 0 ) 0 1\nvert 1 ( 1 0 ) 1 1\nvert 2 ( 0 1 ) 2 1\n\
        numtris 1\ntri 0 0 1 2\nnumweights 3\n\
        weight 0 2 1 ( 0 1 0 )\nweight 1 2 1 ( 1 1 0 )\nweight 2 2 1 ( 0 2 0 )\n}\n";
    let text = edit(text);
    md5::parse_mesh(text.as_bytes(), &LoadOptions::default()).expect("a sound mesh").value
}

fn texts(findings: &[Finding]) -> Vec<String> {
    findings.iter().map(Finding::sentence).collect()
}

fn diff_of(edit: &dyn Fn(&str) -> String) -> ModelDiff {
    let (old, new) = (rig(&|text| text.to_owned()), rig(edit));
    let [old, new] = [&old, &new].map(|model| Side { model, clip: None, surfaces: &[] });
    compare(old, new).expect("no clip to misfit")
}

#[test]
fn same_export_has_no_difference() {
    let diff = diff_of(&|text| text.replace("commandline \"\"", "commandline \"again\""));
    assert!(diff.is_within(0.0), "{diff:?}");
    assert_eq!(diff.moments, 1);
}

#[test]
fn a_turned_joint_is_told_from_those_that_follow() {
    // The arm rotates by 90 degrees about z: the hand moves with it, from (20, 0) to (10, -10),
    // because the file's w is negative.
    let half = core::f32::consts::FRAC_1_SQRT_2;
    let diff = diff_of(&|text| {
        text.replace("( 10 0 0 ) ( 0 0 0 )", &format!("( 10 0 0 ) ( 0 0 {half} )"))
            .replace("( 20 0 0 ) ( 0 0 0 )", &format!("( 10 -10 0 ) ( 0 0 {half} )"))
    });
    let [arm] = &diff.joints[..] else { panic!("{:?}", diff.joints) };
    assert_eq!((arm.name.as_str(), arm.followers), ("arm", 1));
    assert!((arm.turned_deg - 90.0).abs() < 1e-3 && arm.moved < 1e-4, "{arm:?}");
    assert_eq!(diff.meshes.len(), 2);
    // In weight space no vertex has moved relative to its joints.
    assert!(diff.meshes.iter().all(|mesh| mesh.own.is_none()), "{:?}", diff.meshes);
    assert!(!diff.is_within(0.1));
}

#[test]
fn a_moved_weight_is_found_by_its_vertex() {
    let diff = diff_of(&|text| text.replace("weight 2 2 1 ( 0 2 0 )", "weight 2 2 1 ( 0 2.25 0 )"));
    assert!(diff.joints.is_empty() && diff.structure.is_empty());
    let [mesh] = &diff.meshes[..] else { panic!("{:?}", diff.meshes) };
    let wanted = Some(VertexDiff { vertex: 2, moved: 0.25, at_s: 0.0 });
    assert_eq!((mesh.worst, mesh.own, mesh.vertices_moved), (wanted, wanted, 1));
    let skin = Subject { index: Some(1), ..Subject::named(Element::Mesh, "skin") };
    assert_eq!(mesh.of, skin);
    assert!(diff.is_within(0.25 / diff.diagonal + 1e-6) && !diff.is_within(0.001));
}

#[test]
fn a_clip_does_not_hide_the_bind_pose() {
    let anim = "MD5Version 10\ncommandline \"\"\nnumFrames 1\nnumJoints 3\nframeRate 24\nnumAnimatedComponents 0\n\
        hierarchy {\n\"root\" -1 0 0\n\"arm\" 0 0 0\n\"hand\" 1 0 0\n}\nbounds {\n( 0 0 0 ) ( 1 1 1 )\n}\n\
        baseframe {\n( 0 0 0 ) ( 0 0 0 )\n( 10 0 0 ) ( 0 0 0 )\n( 10 0 0 ) ( 0 0 0 )\n}\nframe 0 {\n}\n";
    let clip =
        md5::parse_anim(anim.as_bytes(), &LoadOptions::default()).expect("a sound clip").value;
    let (old, new) = (rig(&str::to_owned), rig(&|text| text.replace("( 20 0 0 )", "( 20 3 0 )")));
    let [old, new] = [&old, &new].map(|model| Side { model, clip: Some(&clip), surfaces: &[] });
    let diff = compare(old, new).expect("the clip fits");
    assert_eq!((diff.bind.as_slice(), diff.joints.as_slice()), (&["hand".to_owned()][..], &[][..]));
    assert!(!diff.is_within(0.0));
}

#[test]
fn what_has_no_partner_is_said() {
    let said = |from: &str, to: &str| texts(&diff_of(&|text| text.replace(from, to)).structure);
    let renamed = said("\"hand\"", "\"fist\"");
    assert_eq!(renamed, ["joint hand is renamed to fist"]);
    let hung = said("\"hand\" 1", "\"hand\" 0");
    assert_eq!(hung, ["joint hand has parent root, was arm"]);
    let shader = said("\"skin\"", "\"fur\"");
    assert_eq!(shader, ["mesh 1 \"skin\" is gone", "mesh 1 \"fur\" is new"]);
    let coordinate = said("vert 1 ( 1 0 )", "vert 1 ( 1 0.5 )");
    assert_eq!(coordinate.len(), 2, "one in each mesh: {coordinate:?}");
    let order = said("tri 0 0 1 2", "tri 0 0 2 1");
    assert!(order[0].contains("1 of 1 triangles have different corners"), "{order:?}");
}

#[test]
fn another_unit_is_one_difference() {
    let scaled = |text: &str, edit: &dyn Fn(f32) -> f32| -> String {
        let mut depth = 0;
        let word = |word: &str| {
            depth += i32::from(word == "(") - i32::from(word == ")");
            match word.parse::<f32>() {
                Ok(number) if depth > 0 => edit(number).to_string(),
                _ => word.to_owned(),
            }
        };
        let words: Vec<String> = text.split(' ').map(word).collect();
        words.join(" ")
    };
    // Texture coordinates would be scaled too, so their lines are excluded.
    let in_unit = |text: &str| -> String {
        let line = |line: &str| match line.starts_with("vert ") {
            true => line.to_owned(),
            false => scaled(line, &|number| number * 100.0),
        };
        text.split('\n').map(line).collect::<Vec<_>>().join("\n")
    };
    let diff = diff_of(&in_unit);
    assert_eq!(
        texts(&diff.findings(3)),
        ["all lengths are 100 times as large, as if the unit changed"]
    );
    assert!(!diff.is_within(0.1));
    // With an additional edit, everything is reported.
    let edited = diff_of(&|text| in_unit(&text.replace("( 20 0 0 )", "( 20 3 0 )")));
    assert!(edited.joints.iter().any(|joint| joint.name == "hand"), "{edited:?}");
}

#[test]
fn names_and_orders_that_move_nothing_are_noted() {
    let renamed = diff_of(&|text| text.replace("\"root\"", "\"base\""));
    assert_eq!(texts(&renamed.notes), ["joint root is renamed to base"]);
    assert!(renamed.is_within(0.0) && renamed.structure.is_empty());
    let swapped = diff_of(&|text| {
        let (head, meshes) = text.split_once("mesh {").expect("a mesh");
        let (first, second) = meshes.split_once("mesh {").expect("two");
        format!("{head}mesh {{{second}mesh {{{first}")
    });
    let order = "meshes are in another order: mesh 1 \"skin\" comes before mesh 0 \"sleeve\"";
    assert_eq!(texts(&swapped.notes), [order]);
    assert!(swapped.is_within(0.0));
}

#[test]
fn what_no_picture_shows_is_no_difference() {
    let (first, second) = (
        "vert 0 ( 0 0 ) 0 1\nvert 1 ( 1 0 ) 1 1\nvert 2 ( 0 1 ) 2 1\nnumtris 1\ntri 0 0 1 2",
        "vert 0 ( 0 1 ) 2 1\nvert 1 ( 0 0 ) 0 1\nvert 2 ( 1 0 ) 1 1\nnumtris 1\ntri 0 1 2 0",
    );
    let turned = |text: &str| text.replacen(first, second, 1);
    let diff = diff_of(&turned);
    assert!(diff.is_within(0.0), "{diff:?}");
    assert_eq!(
        texts(&diff.notes),
        ["mesh 0 \"sleeve\": the same surface, 3 vertices in another order"]
    );
    assert!(diff.findings(9).is_empty(), "{:?}", diff.findings(9));
    let diff = diff_of(&|text| text.replace("( 20 0 0 )", "( 20.00001 0 0 )"));
    assert!(diff.is_within(0.0) && diff.findings(9).is_empty(), "{diff:?}");
    // The one that moved besides is named by its number before.
    let diff = diff_of(&|text| {
        turned(text).replacen("weight 2 1 1 ( 0 2 0 )", "weight 2 1 1 ( 0 2.5 0 )", 1)
    });
    let own = diff.meshes[0].own.expect("a vertex that moved");
    assert_eq!((own.vertex, own.moved), (2, 0.5));
}

/// A clip of the rig whose arm rotates by an angle at each time.
fn swing(angle_deg: &dyn Fn(f64) -> f64, times_s: &[f64]) -> Clip {
    let anim = "MD5Version 10\ncommandline \"\"\nnumFrames 1\nnumJoints 3\nframeRate 24\nnumAnimatedComponents 0\n\
        hierarchy {\n\"root\" -1 0 0\n\"arm\" 0 0 0\n\"hand\" 1 0 0\n}\nbounds {\n( 0 0 0 ) ( 1 1 1 )\n}\n\
        baseframe {\n( 0 0 0 ) ( 0 0 0 )\n( 10 0 0 ) ( 0 0 0 )\n( 10 0 0 ) ( 0 0 0 )\n}\nframe 0 {\n}\n";
    let mut clip =
        md5::parse_anim(anim.as_bytes(), &LoadOptions::default()).expect("a sound clip").value;
    let mut joints = clip.joints.to_vec();
    let turn = |time_s: &f64| {
        #[expect(clippy::cast_possible_truncation, reason = "an angle")]
        let half = func::radians(angle_deg(*time_s) as f32) * 0.5;
        Quat::from_xyzw(func::sin(half), 0.0, 0.0, func::cos(half))
    };
    joints[1].rotation = Track {
        times_s: times_s.into(),
        values: times_s.iter().map(turn).collect(),
        interpolation: Interpolation::Linear,
    };
    clip.joints = joints.into();
    clip.key_times_s = times_s.into();
    clip.keys = 0..times_s.len();
    clip.end_s = times_s[times_s.len() - 1];
    clip
}

#[test]
fn a_clip_is_resampled_only_if_no_key_could_have_been_edited() {
    let model = rig(&str::to_owned);
    let sides = |old: &Clip, new: &Clip| {
        let [old, new] =
            [old, new].map(|clip| Side { model: &model, clip: Some(clip), surfaces: &[] });
        let findings = compare(old, new).expect("the clips fit").findings(9);
        findings.into_iter().map(|finding| finding.to_string()).collect::<Vec<_>>()
    };
    let times_s = |keys: u32, gap_s: f64| (0..keys).map(|key| f64::from(key) * gap_s).collect();
    let (fine_s, coarse_s): (Vec<f64>, Vec<f64>) = (times_s(21, 0.05), times_s(11, 0.1));
    let bow = |at_s: f64| 9.0 * at_s + 4.0 * at_s * at_s;
    let old = swing(&bow, &fine_s);
    let found = sides(&old, &swing(&bow, &coarse_s));
    assert!(found[0].contains("the clip is resampled: "), "{found:?}");
    // A key between those that are kept, edited by a degree.
    let edited =
        swing(&|at_s| bow(at_s) + if (at_s - 0.35).abs() < 1e-9 { 1.0 } else { 0.0 }, &fine_s);
    let found = sides(&swing(&bow, &coarse_s), &edited);
    assert!(found.iter().all(|text| !text.contains("resampled")), "{found:?}");
    assert!(found[0].contains("arm"), "{found:?}");
}

#[test]
fn a_joint_is_no_difference_if_its_vertices_stay() {
    // The last joint moves, and its vertices by as much in the opposite direction.
    let diff = diff_of(&|text| {
        text.replace("\"hand\" 1 ( 20 0 0 )", "\"hand\" 1 ( 20 3 0 )")
            .replace("weight 0 2 1 ( 0 1 0 )", "weight 0 2 1 ( 0 -2 0 )")
            .replace("weight 1 2 1 ( 1 1 0 )", "weight 1 2 1 ( 1 -2 0 )")
            .replace("weight 2 2 1 ( 0 2 0 )", "weight 2 2 1 ( 0 -1 0 )")
    });
    assert!(diff.joints.is_empty() && diff.is_within(0.0), "{diff:?}");
    assert!(diff.notes.iter().any(|note| note.kind == Kind::MovedAgainst), "{:?}", diff.notes);
}

#[test]
fn a_scaled_joint_is_scaled_and_no_rounding_of_a_turn() {
    let told = |stretched: [f32; 3], turned_deg: f32| {
        let name = "prop".to_owned();
        let joint = JointDiff { name, turned_deg, moved: 0.0, stretched, at_s: 0.0, followers: 2 };
        let diff = ModelDiff { diagonal: 1.0, joints: vec![joint], ..ModelDiff::default() };
        let found = diff.findings(3).remove(0);
        (found.kind, found.by.iter().map(|by| (by.value, by.unit)).collect::<Vec<_>>())
    };
    assert_eq!(told([2.0; 3], 1.5e-5), (Kind::Scaled, vec![(2.0, Unit::Factor)]));
    let axes = [1.0, 2.0, 1.0].map(|by| (by, Unit::Factor)).to_vec();
    assert_eq!(told([1.0, 2.0, 1.0], 0.0), (Kind::Scaled, axes));
    assert_eq!(told([1.0; 3], 30.0), (Kind::Turned, vec![(30.0, Unit::Degrees)]));
}
