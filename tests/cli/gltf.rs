//! Commands on glTF files, as a user runs them: scenes of a file, hidden meshes, morph targets by
//! hand.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use crate::support::command::{tintype, wanted};
use crate::support::trial;
use libtest_mimic::Failed;
use std::fs;
use std::path::Path;
use tempfile::TempDir;

/// Two triangles, `near` at the origin and `far` with a corner at x = 9, which a clip hides after a
/// second. The second scene, `moon`, contains only `near`, and `rest` states whether `near` is
/// visible.
fn stage(folder: &Path, rest: bool) {
    let mut bytes: Vec<u8> = Vec::new();
    let corners = [0.0_f32, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0];
    let lift = [0.0_f32, 0.0, 2.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0];
    let times = [0.0_f32, 1.0];
    corners.iter().chain(&lift).chain(&times).for_each(|value| bytes.extend(value.to_le_bytes()));
    bytes.extend([1, 0, 0, 0]);
    let data: String = bytes.iter().map(|byte| format!("%{byte:02x}")).collect();
    let text = format!(
        r#"{{
        "asset": {{"version": "2.0"}},
        "extensionsUsed": ["KHR_animation_pointer", "KHR_node_visibility"],
        "scenes": [{{"name": "all", "nodes": [0, 1]}}, {{"name": "moon", "nodes": [0]}}],
        "nodes": [
            {{"name": "near", "mesh": 0, "extensions": {{"KHR_node_visibility": {{"visible": {rest}}}}}}},
            {{"name": "far", "mesh": 1, "translation": [9, 0, 0]}}
        ],
        "meshes": [
            {{"name": "near", "extras": {{"targetNames": ["smile"]}}, "primitives": [{{
                "attributes": {{"POSITION": 0}}, "targets": [{{"POSITION": 1}}]}}]}},
            {{"name": "far", "primitives": [{{"attributes": {{"POSITION": 0}}}}]}}
        ],
        "animations": [{{"name": "vanish", "channels": [{{"sampler": 0, "target": {{"path": "pointer",
            "extensions": {{"KHR_animation_pointer": {{
                "pointer": "/nodes/0/extensions/KHR_node_visibility/visible"}}}}}}}}],
            "samplers": [{{"input": 2, "output": 3, "interpolation": "STEP"}}]}}],
        "accessors": [
            {{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3"}},
            {{"bufferView": 0, "byteOffset": 36, "componentType": 5126, "count": 3, "type": "VEC3"}},
            {{"bufferView": 0, "byteOffset": 72, "componentType": 5126, "count": 2, "type": "SCALAR"}},
            {{"bufferView": 0, "byteOffset": 80, "componentType": 5121, "count": 2, "type": "SCALAR"}}
        ],
        "bufferViews": [{{"buffer": 0, "byteLength": 84}}],
        "buffers": [{{"byteLength": 84, "uri": "data:,{data}"}}]}}"#
    );
    fs::write(folder.join("stage.gltf"), text).unwrap();
}

/// Standard output of a command that succeeds and prints a text.
fn said(folder: &Path, arguments: &[&str], says: &str) -> Result<String, Failed> {
    let output = tintype(folder, arguments);
    wanted(&output, 0, says)?;
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

fn objects(text: &str) -> Vec<&str> {
    text.lines().filter_map(|line| line.strip_prefix("o ")).collect()
}

#[trial]
fn gltf_pose_leaves_hidden_meshes_out_and_says_so() -> Result<(), Failed> {
    let folder = TempDir::new()?;
    let folder = folder.path();
    stage(folder, true);
    let pose = |arguments: &[&str], says: &str| {
        said(folder, &[&["pose", "stage.gltf", "-o", "-"], arguments].concat(), says)
    };
    assert_eq!(objects(&pose(&[], "")?), ["0_near", "1_far"]);
    assert_eq!(objects(&pose(&["--clip", "vanish", "--time", "0"], "")?), ["0_near", "1_far"]);
    let hidden = ["--clip", "vanish", "--frame", "1"];
    let text = pose(&hidden, "omitted because hidden at that time: near")?;
    assert_eq!(objects(&text), ["1_far"]);
    assert!(text.contains("v 9 0 0") && text.contains("f 1/1/1"), "{text}");
    // Shown by hand; and the count is of what is written.
    let shown = [&hidden[..], &["--morph", "near/visible=1"]].concat();
    assert_eq!(objects(&pose(&shown, "")?), ["0_near", "1_far"]);
    let file = [&["pose", "stage.gltf", "-o", "far.obj"], &hidden[..]].concat();
    said(folder, &file, "wrote 3 vertices of stage.gltf to far.obj")?;
    // Nothing is left: no empty file can be mistaken for a result.
    let none = [&["pose", "stage.gltf", "--file-scene", "moon", "-o", "x.obj"], &hidden[..]];
    let output = tintype(folder, &none.concat());
    wanted(
        &output,
        2,
        "all meshes are hidden at that time: near; show them with --morph 'near/visible=1'",
    )?;
    assert!(!folder.join("x.obj").exists());
    Ok(())
}

#[trial]
fn gltf_pose_sets_morph_targets_by_name_or_number() -> Result<(), Failed> {
    let folder = TempDir::new()?;
    let folder = folder.path();
    stage(folder, true);
    for (morph, expected) in
        [("smile=0.5", "v 0 0 1"), ("near/smile=1", "v 0 0 2"), ("0=2", "v 0 0 4")]
    {
        let text = said(folder, &["pose", "stage.gltf", "--morph", morph, "-o", "-"], "")?;
        assert!(text.contains(expected), "{morph}: {text}");
    }
    let output = tintype(folder, &["pose", "stage.gltf", "--morph", "smil=1", "-o", "-"]);
    wanted(
        &output,
        2,
        "stage.gltf: --morph: unknown morph target \"smil\"; the model has smile, visible; did you mean \"smile\"?",
    )
}

#[trial]
fn gltf_thumbnail_draws_the_scene_that_is_asked_for() -> Result<(), Failed> {
    let folder = TempDir::new()?;
    let folder = folder.path();
    stage(folder, true);
    let draw = |name: &str, scene: &[&str]| -> Result<Vec<u8>, Failed> {
        let start = ["thumbnail", "stage.gltf", "-s", "32", "--clip", "bind", "-o", name];
        said(folder, &[&start, scene].concat(), "")?;
        Ok(fs::read(folder.join(name))?)
    };
    let all = draw("a.png", &[])?;
    assert_eq!(
        draw("b.png", &["--file-scene", "all"])?.len(),
        draw("c.png", &["--file-scene", "0"])?.len()
    );
    let moon = draw("d.png", &["--file-scene", "moon"])?;
    assert_ne!(all, moon);
    // A picture of another scene is not current.
    assert_eq!(draw("a.png", &["--file-scene", "moon"])?, moon);
    assert_eq!(draw("a.png", &[])?, all);
    let output =
        tintype(folder, &["thumbnail", "stage.gltf", "--file-scene", "moom", "-o", "e.png"]);
    wanted(&output, 2, "\"moom\"")?;
    assert!(!folder.join("e.png").exists());
    Ok(())
}
