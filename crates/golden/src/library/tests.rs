use super::*;
use crate::checked::Checked;
use crate::{BlessOptions, Verdict};
use std::fs;
use std::path::Path;
use tempfile::TempDir;
use tintype_formats::LoadOptions;

const MESH: &str = "MD5Version 10\nnumJoints 2\nnumMeshes 1\njoints {\n\"a\" -1 ( 0 0 0 ) ( 0 0 0 )\n\
    \"b\" 0 ( 0 1 0 ) ( 0 0 0 )\n}\nmesh {\nshader \"s\"\nnumverts 3\nvert 0 ( 0 0 ) 0 1\nvert 1 ( 1 0 ) 1 1\n\
    vert 2 ( 1 1 ) 2 1\nnumtris 1\ntri 0 0 1 2\nnumweights 3\nweight 0 0 1 ( 0 -1 0 )\n\
    weight 1 0 1 ( 0 1 0 )\nweight 2 1 1 ( 0 1 2 )\n}\n";
const FRAMES: usize = 21;

/// A clip of 21 keys with one sliding joint.
fn clip(edit: &dyn Fn(usize) -> f64, rate: u32) -> String {
    let mut text = format!(
        "MD5Version 10\nnumFrames {FRAMES}\nnumJoints 2\nframeRate {rate}\nnumAnimatedComponents 1\n\
         hierarchy {{\n\"a\" -1 0 0\n\"b\" 0 1 0\n}}\nbounds {{\n"
    );
    text += &"( 0 0 0 ) ( 1 1 1 )\n".repeat(FRAMES);
    text += "}\nbaseframe {\n( 0 0 0 ) ( 0 0 0 )\n( 0 1 0 ) ( 0 0 0 )\n}\n";
    for frame in 0..FRAMES {
        text += &format!("frame {frame} {{\n{}\n}}\n", edit(frame));
    }
    text
}

fn slide(frame: usize) -> f64 {
    frame as f64 * 0.05
}

/// Two characters with three clips, and their goldens.
fn library() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let path = folder.path().join("chars").join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    write("orc/orc.md5mesh", MESH);
    write("orc/walk.md5anim", &clip(&slide, 10));
    write("orc/run.md5anim", &clip(&slide, 20));
    write("imp.md5mesh", &MESH.replace("( 0 1 2 )", "( 0 1 3 )"));
    write("imp_idle.md5anim", &clip(&|frame| slide(frame) * 0.5, 10));
    bless(folder.path(), None);
    folder
}

fn find(folder: &Path) -> Library {
    let patterns = [folder.join("chars/**/*")];
    Library::find(&patterns, None, (None, Some([32, 24])), &LoadOptions::default()).unwrap()
}

fn bless(folder: &Path, chosen: Option<&(dyn Fn(&Checked) -> bool + Sync)>) {
    let options = BlessOptions { allow_warnings: true, ..BlessOptions::default() };
    let done = find(folder).bless(&|_, _| true, &|_| true, chosen, options).unwrap();
    assert!(done.bad.is_empty(), "{:?}", done.bad);
}

/// All failures, each as its path below the golden folder and its first line.
fn failures(folder: &Path) -> Vec<String> {
    let run = find(folder).test(&|_, _| true, false, false).unwrap();
    let mut found: Vec<String> = run
        .bad
        .iter()
        .map(|bad| format!("bad {}", bad.error.to_string().lines().next().unwrap()))
        .collect();
    let tell = |one: &Checked| {
        let place = one.path.strip_prefix(folder.join("chars-golden")).unwrap();
        format!("{}: {}", place.display(), crate::test_report::headline(one))
    };
    for entry in &run.entries {
        let checked = entry.result.as_ref().unwrap();
        found.extend(checked.goldens.iter().filter(|one| !one.verdict.passes()).map(tell));
    }
    found.extend(run.stray.iter().map(tell));
    found.extend(run.unused.iter().map(|text| format!("unused {text}")));
    found
}

fn write(folder: &Path, name: &str, text: &str) {
    fs::write(folder.join("chars").join(name), text).unwrap();
}

#[test]
fn every_model_and_clip_has_goldens_and_passes() {
    let folder = library();
    let golden = folder.path().join("chars-golden");
    for file in [
        "library.toml",
        "orc/orc.md5mesh/clips.toml",
        "orc/orc.md5mesh/walk/0000.png",
        "orc/orc.md5mesh/walk/0003.toml",
        "imp.md5mesh/imp_idle/0003.png",
    ] {
        assert!(golden.join(file).is_file(), "{file}");
    }
    assert!(!golden.join("orc/orc.md5mesh/walk/0004.png").exists());
    assert_eq!(failures(folder.path()), Vec::<String>::new());
}

#[test]
fn changes_are_named_by_their_cause() {
    let folder = library();
    let path = folder.path();
    // A time base.
    write(path, "orc/walk.md5anim", &clip(&slide, 15));
    let found = failures(path);
    let rate = "orc/orc.md5mesh/walk: clip walk runs at 15 keys per second, was 10; clip walk lasts 1.3333 s, was 2 s";
    assert_eq!(found[0], rate);
    // A key between two sampled times: no picture shows it.
    write(path, "orc/walk.md5anim", &clip(&|frame| slide(frame) + f64::from(frame == 7), 10));
    let found = failures(path);
    assert!(found[0].contains("pose: ") && found[0].contains("key 7"), "{found:?}");
    // A joint in the whole clip.
    write(path, "orc/walk.md5anim", &clip(&|frame| slide(frame) + 0.05, 10));
    let found = failures(path);
    assert!(found.len() == 4 && found[0].contains("walk/0000.png: pose: joint b"), "{found:?}");
    // All of it is accepted by its cause.
    bless(path, Some(&|_| false));
    assert_eq!(failures(path).len(), 4);
    bless(path, None);
    assert_eq!(failures(path), Vec::<String>::new());
}

#[test]
fn added_renamed_and_deleted_are_told_as_such() {
    let folder = library();
    let path = folder.path();
    let chars = path.join("chars");
    fs::rename(chars.join("orc/walk.md5anim"), chars.join("orc/march.md5anim")).unwrap();
    fs::remove_file(chars.join("orc/run.md5anim")).unwrap();
    write(path, "orc/new.md5anim", &clip(&|frame| slide(frame) * 3.0, 10));
    let found = failures(path);
    let wanted = [
        "orc/orc.md5mesh/march: clip \"march\" is new: clip \"walk\" was renamed; accept it with `tintype bless`",
        "orc/orc.md5mesh/new: clip \"new\" is new; accept it with `tintype bless`",
        "orc/orc.md5mesh/run: clip \"run\" of orc/orc.md5mesh no longer exists",
        "orc/orc.md5mesh/walk: clip \"walk\" of orc/orc.md5mesh no longer exists",
    ];
    assert_eq!(found, wanted);
    // The model itself.
    fs::rename(chars.join("imp.md5mesh"), chars.join("demon.md5mesh")).unwrap();
    let found = failures(path);
    assert!(found[0].contains("the model is new: model imp.md5mesh was renamed"), "{found:?}");
    assert!(
        found.iter().any(|one| one.starts_with("imp.md5mesh: model imp.md5mesh no longer exists"))
    );
    bless(path, None);
    assert_eq!(failures(path).len(), 3, "what is gone stays until it is pruned");
    let removed = find(path).prune(false).unwrap();
    let of_goldens = removed.iter().filter(|path| !crate::is_part(path)).count();
    assert!(of_goldens == 3 && removed.len() > 3, "{removed:?}");
    assert_eq!(failures(path), Vec::<String>::new());
}

#[test]
fn limits_of_the_settings_are_held_by_the_test() {
    let folder = library();
    let path = folder.path();
    let settings = path.join("chars-golden/library.toml");
    let kept = fs::read_to_string(&settings).unwrap();
    assert!(!kept.contains("limits"), "{kept}");
    let limit = |text: &str| fs::write(&settings, format!("{kept}\n[limits]\n{text}\n")).unwrap();
    limit("triangles = 1\njoints = 2\ntexture_size = 1");
    assert_eq!(failures(path), Vec::<String>::new());
    // Each model once, whatever clips it has.
    limit("triangles = 0\njoints = 1");
    let found = failures(path);
    let above = "mesh: 1 triangle, limit 0; 2 joints, limit 1";
    assert_eq!(found, [format!("imp.md5mesh: {above}"), format!("orc/orc.md5mesh: {above}")]);
    // Nothing accepts it, and the limits stay when other times are accepted.
    bless(path, None);
    assert_eq!(failures(path), found);
    let patterns = [path.join("chars/**/*")];
    let (size, options) = (Some([32, 24]), LoadOptions::default());
    let other = Library::find(&patterns, None, (Some(2), size), &options).unwrap();
    let accept = BlessOptions { allow_warnings: true, ..BlessOptions::default() };
    other.bless(&|_, _| true, &|_| true, None, accept).unwrap();
    let written = fs::read_to_string(&settings).unwrap();
    assert!(written.contains("moments = 2") && written.contains("joints = 1"), "{written}");
    // A texture by its file.
    let image = tintype_model::frame::Frame::new(8, 4);
    let png = tintype_output::encode_png(&image, true, tintype_output::PngEffort::Fast, &[]);
    fs::write(path.join("chars/orc/s.png"), png).unwrap();
    limit("texture_size = 8");
    assert!(failures(path).iter().all(|one| !one.contains("texels")));
    limit("texture_size = 7");
    let said = "orc/orc.md5mesh: texture: texture s.png has 8x4 texels per side, limit 7";
    assert!(failures(path).iter().any(|one| one == said), "{:?}", failures(path));
    limit("triangels = 1");
    let error = Library::find(&patterns, None, (None, None), &options).unwrap_err().to_string();
    assert!(error.contains("library.toml: ") && error.contains("triangles"), "{error}");
}

#[test]
fn nothing_passes_that_was_not_compared() {
    let folder = library();
    let path = folder.path();
    // A model that does not load fails, and its goldens do not count as unused.
    write(path, "imp.md5mesh", "MD5Version 10\nnumJoints 3\n");
    let found = failures(path);
    assert!(
        found.len() == 1 && found[0].starts_with("bad ") && found[0].contains("imp.md5mesh"),
        "{found:?}"
    );
    write(path, "imp.md5mesh", &MESH.replace("( 0 1 2 )", "( 0 1 3 )"));
    // A clip that belongs to no model is reported.
    write(
        path,
        "orc/cat.md5anim",
        &clip(&slide, 10).replace("\"a\"", "\"x\"").replace("\"b\"", "\"y\""),
    );
    let found = failures(path);
    assert!(found.len() == 1 && found[0].contains("cat.md5anim: it fits no model"), "{found:?}");
    // The record of a model is a golden too.
    fs::remove_file(path.join("chars/orc/cat.md5anim")).unwrap();
    fs::remove_file(path.join("chars-golden/orc/orc.md5mesh/clips.toml")).unwrap();
    let found = failures(path);
    assert!(found.iter().any(|one| one.contains("needs a record")), "{found:?}");
    // No model at all is an error.
    let none = [path.join("chars/**/*.nothing")];
    assert!(Library::find(&none, None, (None, None), &LoadOptions::default()).is_err());
}

#[test]
fn other_settings_are_no_false_alarm() {
    let folder = library();
    let patterns = [folder.path().join("chars")];
    let options = LoadOptions::default();
    let library = Library::find(&patterns, None, (Some(9), None), &options).unwrap();
    assert_eq!((library.settings.moments, library.settings.size), (9, [32, 24]));
    assert!(!library.keeps_settings().unwrap() && library.has_settings);
    assert!(Library::find(&patterns, None, (Some(0), None), &options).is_err());
}

#[test]
fn another_clip_is_no_change_of_the_others() {
    let folder = library();
    let path = folder.path();
    write(path, "orc/a_first.md5anim", &clip(&slide, 10));
    let run = find(path).test(&|_, _| true, false, false).unwrap();
    let failed: Vec<&Checked> = run
        .entries
        .iter()
        .flat_map(|entry| &entry.result.as_ref().unwrap().goldens)
        .filter(|one| !one.verdict.passes() || !one.notes.is_empty())
        .collect();
    assert!(failed.len() == 1 && matches!(failed[0].verdict, Verdict::New(_)), "{failed:?}");
}

#[test]
fn a_joint_that_moves_nothing_changes_no_poses() {
    let folder = library();
    let path = folder.path();
    let null = "\"null\" -1 ( 5 5 5 ) ( 0 0 0 )\n";
    let mesh = MESH
        .replace("numJoints 2", "numJoints 3")
        .replace("\"a\" -1", &format!("{null}\"a\" -1"))
        .replace("\"b\" 0", "\"b\" 1")
        .replace("weight 0 0 1", "weight 0 1 1")
        .replace("weight 1 0 1", "weight 1 1 1")
        .replace("weight 2 1 1", "weight 2 2 1");
    let with_null = |clip: String| {
        clip.replace("numJoints 2", "numJoints 3")
            .replace("\"a\" -1 0 0\n\"b\" 0", "\"null\" -1 0 0\n\"a\" -1 0 0\n\"b\" 1")
            .replace("baseframe {\n", "baseframe {\n( 5 5 5 ) ( 0 0 0 )\n")
    };
    write(path, "orc/orc.md5mesh", &mesh);
    write(path, "orc/walk.md5anim", &with_null(clip(&slide, 10)));
    write(path, "orc/run.md5anim", &with_null(clip(&slide, 20)));
    assert_eq!(failures(path), Vec::<String>::new());
    // A key between two sampled times is still detected, for all other joints.
    let edited = clip(&|frame| slide(frame) + if frame == 7 { 0.001 } else { 0.0 }, 10);
    write(path, "orc/walk.md5anim", &with_null(edited));
    let found = failures(path);
    assert!(found[0].contains("pose: ") && found[0].contains("key 7"), "{found:?}");
}

#[test]
fn goldens_of_a_newer_program_stay() {
    let folder = library();
    let path = folder.path();
    let own = path.join("chars-golden/orc/orc.md5mesh");
    let blessed = |overwrite_newer| {
        let options =
            BlessOptions { allow_warnings: true, overwrite_newer, ..BlessOptions::default() };
        find(path).bless(&|_, _| true, &|_| true, None, options).unwrap()
    };
    let edit = |file: &str, from: &str, to: &str| {
        let text = fs::read_to_string(own.join(file)).unwrap();
        assert!(text.contains(from), "{text}");
        fs::write(own.join(file), text.replacen(from, to, 1)).unwrap();
    };
    // A record of a frame: the frame and the record of the clips stay, for all that the clip is
    // another.
    edit("walk/0003.toml", "pixel_revision = ", "pixel_revision = 9");
    let kept = |file: &str| fs::read(own.join(file)).unwrap();
    let before = ["walk/0003.toml", "walk/0003.png", "clips.toml"].map(kept);
    write(path, "orc/walk.md5anim", &clip(&|frame| slide(frame) * 1.05, 10));
    let refused = |done: &super::LibraryBless| -> Vec<String> {
        let clips = done.models.iter().flat_map(|model| &model.clips);
        clips.flat_map(|clip| &clip.refused).map(|one| one.refusal.to_string()).collect()
    };
    let said = refused(&blessed(false));
    assert!(
        said.len() == 1 && said[0].starts_with("the golden is from a newer version"),
        "{said:?}"
    );
    assert_eq!(before, ["walk/0003.toml", "walk/0003.png", "clips.toml"].map(kept));
    assert!(refused(&blessed(true)).is_empty());
    assert_eq!(failures(path), Vec::<String>::new());
    // The record of the clips itself; only its version can be read.
    edit("clips.toml", "version = 1", "version = 2");
    edit("clips.toml", "pose_numbers", "pose_sums");
    let before = kept("clips.toml");
    assert!(failures(path).iter().any(|one| one.contains("clips.toml is from a newer version")));
    let done = blessed(false);
    assert!(done.bad.len() == 1 && done.bad[0].error.to_string().contains("update tintype"));
    assert_eq!(before, kept("clips.toml"));
    assert!(blessed(true).bad.is_empty());
    assert_eq!(failures(path), Vec::<String>::new());
}
