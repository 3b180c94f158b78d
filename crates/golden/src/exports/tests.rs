use super::*;
use std::fs;
use std::path::Path;
use tempfile::TempDir;
use tintype_compare::character::{ExportOptions, PairState, Part};

const MESH: &str = "MD5Version 10\nnumJoints 2\nnumMeshes 1\njoints {\n\"a\" -1 ( 0 0 0 ) ( 0 0 0 )\n\
    \"b\" 0 ( 0 1 0 ) ( 0 0 0 )\n}\nmesh {\nshader \"s\"\nnumverts 3\nvert 0 ( 0 0 ) 0 1\nvert 1 ( 1 0 ) 1 1\n\
    vert 2 ( 1 1 ) 2 2\nnumtris 1\ntri 0 0 1 2\nnumweights 4\nweight 0 0 1 ( 0 -1 0 )\n\
    weight 1 0 1 ( 0 1 0 )\nweight 2 1 0.5 ( 0 1 2 )\nweight 3 0 0.5 ( 0 2 2 )\n}\n";
const CLIP: &str = "MD5Version 10\nnumFrames 3\nnumJoints 2\nframeRate 10\nnumAnimatedComponents 1\n\
    hierarchy {\n\"a\" -1 0 0\n\"b\" 0 1 0\n}\nbounds {\n( 0 0 0 ) ( 1 1 1 )\n( 0 0 0 ) ( 1 1 1 )\n( 0 0 0 ) ( 1 1 1 )\n}\n\
    baseframe {\n( 0 0 0 ) ( 0 0 0 )\n( 0 1 0 ) ( 0 0 0 )\n}\nframe 0 {\n0\n}\nframe 1 {\n1\n}\nframe 2 {\n0.5\n}\n";

fn folder(files: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    folder
}

fn options() -> ExportOptions {
    ExportOptions { most_joints: 9, ..ExportOptions::default() }
}

fn diff(old: &[(&str, &str)], new: &[(&str, &str)]) -> ExportDiff {
    let (old, new) = (folder(old), folder(new));
    compare_exports(old.path(), new.path(), &options()).unwrap()
}

/// The findings of the only model, with the clips that have them.
fn found(mesh: &str, clip: &str) -> Vec<String> {
    let [model] = &mut diff(
        &[("m.md5mesh", MESH), ("walk.md5anim", CLIP)],
        &[("m.md5mesh", mesh), ("walk.md5anim", clip)],
    )
    .models[..] else {
        panic!("one model")
    };
    let parts = model.parts.iter();
    let own = |part: &Part| {
        let clip = part.clip.clone().unwrap_or_default();
        part.findings.iter().map(|one| format!("{clip}|{one}")).collect::<Vec<_>>()
    };
    parts.flat_map(own).collect()
}

#[test]
fn equal_exports_are_the_same_at_every_key() {
    let files = [("m.md5mesh", MESH), ("walk.md5anim", CLIP)];
    let found = diff(&files, &files);
    assert!(found.passes());
    assert_eq!((found.models[0].parts.len(), found.models[0].moments()), (2, 3));
    assert!(found.files.iter().any(|file| file.ends_with("walk.md5anim")), "{found:?}");
}

#[test]
fn first_finding_names_stage_thing_and_amount() {
    let first = |mesh: &str, clip: &str| found(mesh, clip).first().cloned().unwrap_or_default();
    let clip = |from: &str, to: &str| first(MESH, &CLIP.replace(from, to));
    let mesh = |from: &str, to: &str| first(&MESH.replace(from, to), CLIP);
    let rate = clip("frameRate 10", "frameRate 20");
    assert_eq!(rate, "walk|time: the clip runs at 20 keys per second, was 10");
    let all = found(MESH, &CLIP.replace("frameRate 10", "frameRate 20"));
    assert!(all.iter().all(|one| one.contains("time: ")), "no joint beside the rate: {all:?}");
    let key = clip("frame 1 {\n1\n}", "frame 1 {\n1.25\n}");
    assert!(key.starts_with("walk|pose: joint b moved 0.25 ("), "{key}");
    assert!(key.contains("at 0.100 s"), "{key}");
    let weight = mesh("weight 2 1 0.5", "weight 2 1 0.45");
    assert!(weight.starts_with("|skin: 1 of 1 weight of b changed, at vertex 2"), "{weight}");
    let uv = mesh("vert 1 ( 1 0 )", "vert 1 ( 0.75 0 )");
    assert!(
        uv.contains("mesh: mesh 0 \"s\": 1 of 3 texture coordinates changed, by at most 0.25"),
        "{uv}"
    );
    let corners = mesh("tri 0 0 1 2", "tri 0 1 2 0");
    assert_eq!(corners, "", "the same triangle");
    let flipped = mesh("tri 0 0 1 2", "tri 0 0 2 1");
    assert!(flipped.contains("triangles have different corners"), "{flipped}");
    let moved = mesh("( 0 -1 0 )", "( 0 -1.5 0 )");
    assert!(moved.contains("vertex 0 farthest by 0.5 ("), "{moved}");
    let shader = mesh("shader \"s\"", "shader \"t\"");
    assert!(shader.contains("mesh 0 \"s\" is gone"), "{shader}");
}

#[test]
fn all_weights_of_a_joint_are_one_finding() {
    let less = MESH
        .replace("weight 0 0 1 ", "weight 0 0 0.9 ")
        .replace("weight 1 0 1 ", "weight 1 0 0.9 ");
    let less = less.replace("weight 3 0 0.5 ", "weight 3 0 0.45 ");
    let found = found(&less, CLIP);
    assert_eq!(found[0], "|skin: all 3 weights of a are 10 % lower");
}

#[test]
fn renamed_added_and_deleted_are_told_as_such() {
    let found = diff(
        &[
            ("old/m.md5mesh", MESH),
            ("old/walk.md5anim", CLIP),
            ("gone.md5mesh", &MESH.replace("\"b\"", "\"c\"")),
        ],
        &[
            ("new/m.md5mesh", MESH),
            ("new/run.md5anim", CLIP),
            ("x.md5mesh", &MESH.replace("\"b\"", "\"d\"")),
        ],
    );
    let told: Vec<_> = found
        .models
        .iter()
        .map(|one| (one.name.as_str(), one.state, one.renamed_from.as_deref()))
        .collect();
    assert_eq!(
        told,
        [
            ("gone.md5mesh", PairState::OnlyA, None),
            ("new/m.md5mesh", PairState::Different, Some("old/m.md5mesh")),
            ("x.md5mesh", PairState::OnlyB, None),
        ]
    );
    let clips: Vec<String> = found.models[1]
        .parts
        .iter()
        .flat_map(|part| part.findings.iter().map(ToString::to_string))
        .collect();
    assert_eq!(clips, ["structure: clip run is new", "structure: clip walk is gone"]);
}

#[test]
fn what_cannot_be_read_is_no_sameness() {
    let broken = [("m.md5mesh", "MD5Version 10\nnumJoints 3\n")];
    let found = diff(&broken, &broken);
    assert_eq!(found.models[0].state, PairState::Unreadable);
    assert!(found.models[0].error.as_ref().is_some_and(|text| text.contains("m.md5mesh")));
    let files = [("m.md5mesh", MESH), ("walk.md5anim", "MD5Version 10\nnumFrames 3\n")];
    let found = diff(&files, &files);
    assert!(
        found.models.iter().all(|model| model.parts.len() == 1),
        "a clip that is none has no part"
    );
    assert!(
        found.files.iter().all(|file| !file.ends_with("walk.md5anim")),
        "and is not passed over"
    );
    assert!(compare_exports(Path::new("/no/such"), Path::new("/no/such"), &options()).is_err());
}

#[test]
fn report_shows_both_sides_of_a_difference() {
    let old = folder(&[("m.md5mesh", MESH), ("walk.md5anim", CLIP)]);
    let new =
        folder(&[("m.md5mesh", &MESH.replace("( 0 1 2 )", "( 0 1 3 )")), ("walk.md5anim", CLIP)]);
    let options = ExportOptions { draws: true, ..options() };
    let diff = compare_exports(old.path(), new.path(), &options).unwrap();
    let page = tempfile::tempdir().unwrap();
    let report = ExportReport::new(&diff, &[], &[], Some(page.path()));
    report.write(page.path()).unwrap();
    let entry = &report.report.scenes[0].frames[0];
    assert_eq!(entry.cause.as_ref().map(|cause| cause.stage.as_str()), Some("skin"));
    for name in [&entry.pictures.golden, &entry.pictures.new] {
        assert!(page.path().join(name.as_ref().unwrap()).is_file());
    }
    let junit = crate::report::encode_junit(&report.report);
    assert!(junit.contains("tests=\"2\" failures=\"1\""), "{junit}");
}
