//! Materials that move, as frames of a sequence and as goldens.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use crate::goldens::{Outcome, run, write};
use crate::support::command::BOX;
use crate::support::trial;
use libtest_mimic::Failed;
use std::fs;
use std::path::Path;
use tempfile::TempDir;
use tintype_model::frame::Frame;
use tintype_output::{PngEffort, encode_png};

const SCENE: &str = "[output]\nsize = [48, 36]\nframes = \"0-3\"\nfps = 4\n[camera]\nazimuth_deg = 30\n\
    [[model]]\nfile = \"box.md5mesh\"\n[golden]\nframes = \"0,3\"\nsize = [48, 36]\n";

const MATERIAL: &str = "crate {\n{ blend diffusemap map crate.png scroll time * 0.5, 0 rotate time / 8 }\n\
    { blend add map glow.png rgb steps[ time ] }\n{ if ( time < 0.5 ) videoMap film.roq }\n}\n";

const TABLE: &str = "table steps { snap { 1, 0, 0.5, 1 } }\n";

/// A picture of four columns from dark to bright.
fn columns(folder: &Path, name: &str, color: [u8; 3]) -> Outcome {
    let column = |at: u8| {
        let [r, g, b] = color.map(|code| code / 4 * (at % 4 + 1));
        [r, g, b, 255]
    };
    let frame = Frame { width: 4, height: 4, rgba: (0..16).map(column).collect() };
    fs::write(folder.join(name), encode_png(&frame, false, PngEffort::Fast, &[]))?;
    Ok(())
}

fn folder() -> Result<TempDir, Failed> {
    let folder = TempDir::new()?;
    let path = folder.path();
    write(path, "scenes/box.md5mesh", BOX);
    write(path, "scenes/box.toml", SCENE);
    write(path, "scenes/materials/crate.mtr", MATERIAL);
    write(path, "scenes/materials/tables.mtr", TABLE);
    columns(&path.join("scenes"), "crate.png", [200, 120, 40])?;
    columns(&path.join("scenes"), "glow.png", [60, 80, 200])?;
    Ok(folder)
}

#[trial]
fn materials_move_with_the_time_of_their_frame_alone() -> Outcome {
    let folder = folder()?;
    let path = folder.path();
    let said = run(path, &["render", "scenes/box.toml", "-o", "all"], 0, "")?;
    assert_eq!(said.matches("stage skipped: it shows a film").count(), 1, "{said}");
    run(path, &["render", "scenes/box.toml", "-f", "3", "-o", "alone"], 0, "")?;
    let read = |name: &str| fs::read(path.join(name));
    assert_eq!(read("all/0003.png")?, read("alone/0003.png")?);
    let pixels = |name: &str| Ok::<_, Failed>(tintype_output::decode_png(&read(name)?)?.0.rgba);
    for later in ["all/0001.png", "all/0003.png"] {
        assert!(pixels("all/0000.png")? != pixels(later)?, "{later} is the first one");
    }
    let still = MATERIAL.replace("time", "0.75");
    write(path, "scenes/materials/crate.mtr", &still);
    run(path, &["render", "scenes/box.toml", "-f", "0", "-o", "still"], 0, "")?;
    assert!(pixels("still/0000.png")? == pixels("all/0003.png")?, "the value at 0.75 s");
    Ok(())
}

#[trial]
fn edits_of_expressions_are_causes() -> Outcome {
    let folder = folder()?;
    let path = folder.path();
    run(path, &["bless", "--all"], 0, "2 goldens written")?;
    run(path, &["test"], 0, "")?;
    for (name, text, from, to, says) in [
        (
            "crate",
            MATERIAL,
            "time * 0.5, 0",
            "time * 0.4, 0",
            "surface \"crate\" stage 1 translate",
        ),
        ("crate", MATERIAL, "time / 8", "time / -8", "surface \"crate\" stage 1 rotate"),
        (
            "crate",
            MATERIAL,
            "steps[ time ]",
            "steps[ time * 3 ]",
            "surface \"crate\" stage 2 color",
        ),
        ("tables", TABLE, "0.5, 1 }", "0.5, 0.5 }", "surface \"crate\" stage 2 color"),
    ] {
        let file = format!("scenes/materials/{name}.mtr");
        write(path, &file, &text.replace(from, to));
        let said = run(path, &["test"], 1, says)?;
        let first = said.lines().find(|line| line.starts_with("error: ")).unwrap_or_default();
        assert!(first.contains(says), "{from} {to}: {said}");
        write(path, &file, text);
    }
    Ok(())
}

/// A triangle in front of the camera whose colour changes from red to `end` within a second, and a
/// lamp beside it that fades out.
fn pointed(folder: &Path, end: [f32; 3]) {
    let mut bytes: Vec<u8> = Vec::new();
    let corners = [-2.0_f32, -2.0, 0.0, 2.0, -2.0, 0.0, 0.0, 3.0, 0.0];
    let keys = [0.0_f32, 1.0, 1.0, 0.0, 0.0, 1.0, end[0], end[1], end[2], 1.0, 9.0, 0.0];
    corners.iter().chain(&keys).for_each(|value| bytes.extend(value.to_le_bytes()));
    let data: String = bytes.iter().map(|byte| format!("%{byte:02x}")).collect();
    let channel = |sampler: usize, pointer: &str| {
        format!(
            r#"{{"sampler": {sampler}, "target": {{"path": "pointer", "extensions": {{"KHR_animation_pointer": {{"pointer": "{pointer}"}}}}}}}}"#
        )
    };
    let channels = [
        channel(0, "/materials/0/pbrMetallicRoughness/baseColorFactor"),
        channel(1, "/extensions/KHR_lights_punctual/lights/0/intensity"),
        channel(1, "/materials/0/extensions/KHR_materials_anisotropy/anisotropyStrength"),
        channel(1, "/materials/0/doubleSided"),
    ]
    .join(",");
    let text = format!(
        r#"{{
        "asset": {{"version": "2.0"}},
        "extensionsUsed": ["KHR_animation_pointer", "KHR_lights_punctual"],
        "extensions": {{"KHR_lights_punctual": {{"lights": [{{"type": "directional", "name": "lamp"}}]}}}},
        "nodes": [{{"mesh": 0, "extensions": {{"KHR_lights_punctual": {{"light": 0}}}}}}],
        "meshes": [{{"primitives": [{{"attributes": {{"POSITION": 0}}, "material": 0}}]}}],
        "materials": [{{"name": "paint", "doubleSided": true, "pbrMetallicRoughness": {{"metallicFactor": 0}}}}],
        "animations": [{{"name": "turns", "channels": [{channels}], "samplers": [
            {{"input": 1, "output": 2}}, {{"input": 1, "output": 3}}]}}],
        "accessors": [
            {{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3"}},
            {{"bufferView": 0, "byteOffset": 36, "componentType": 5126, "count": 2, "type": "SCALAR"}},
            {{"bufferView": 0, "byteOffset": 44, "componentType": 5126, "count": 2, "type": "VEC4"}},
            {{"bufferView": 0, "byteOffset": 76, "componentType": 5126, "count": 2, "type": "SCALAR"}}
        ],
        "bufferViews": [{{"buffer": 0, "byteLength": 84}}],
        "buffers": [{{"byteLength": 84, "uri": "data:,{data}"}}]}}"#
    );
    write(folder, "scenes/paint.gltf", &text);
}

/// `KHR_animation_pointer`: a single frame shows the colour and the light of its time, unless the
/// scene sets another.
#[trial]
fn clips_move_colours_and_lights_of_gltf() -> Outcome {
    const POINTED: &str = "ambient = [0.2, 0.2, 0.2]\n[output]\nsize = [16, 16]\nframes = \"0-3\"\nfps = 4\n\
        tone = \"none\"\n[camera]\nkind = \"look-at\"\neye = [0, 0, 5]\ntarget = [0, 0, 0]\n\
        [[light]]\nkind = \"directional\"\ndirection = [0, 0, -1]\ncolor = [0, 0, 0]\n\
        [[model]]\nfile = \"paint.gltf\"\n[golden]\nframes = \"0,3\"\nsize = [16, 16]\n";
    let folder = TempDir::new()?;
    let path = folder.path();
    write(path, "scenes/paint.toml", POINTED);
    pointed(path, [0.0, 1.0, 0.0]);
    let said = run(path, &["render", "scenes/paint.toml", "-o", "all"], 0, "")?;
    let lost = "/materials/0/doubleSided does not affect the picture; skipped";
    assert_eq!(said.matches(lost).count(), 1, "{said}");
    run(path, &["render", "scenes/paint.toml", "-f", "3", "-o", "alone"], 0, "")?;
    let read = |name: &str| fs::read(path.join(name));
    assert_eq!(read("all/0003.png")?, read("alone/0003.png")?);
    let middle = |name: &str| {
        let pixels = tintype_output::decode_png(&read(name)?)?.0.rgba;
        Ok::<_, Failed>(pixels[8 * 16 + 8])
    };
    let [r, g, b, _] = middle("all/0000.png")?;
    assert!(r > 100 && g < 20 && b < 20, "red: {r} {g} {b}");
    let [r, g, b, _] = middle("all/0002.png")?;
    assert!(r.abs_diff(g) < 3 && b < 20, "halfway: {r} {g} {b}");
    // A weight that is set by hand counts, and so does a material of the scene.
    let blue =
        "[[instance]]\nmodel = \"paint.gltf\"\nmorphs = { \"paint.baseColorFactor.b\" = 1 }\n";
    let by_hand = POINTED.replace("[golden]", &format!("{blue}[golden]"));
    write(path, "scenes/hand.toml", &by_hand.replace("file =", "name = \"paint.gltf\"\nfile ="));
    run(path, &["render", "scenes/hand.toml", "-f", "0", "-o", "hand"], 0, "")?;
    assert!(middle("hand/0000.png")?[2] > 100, "blue by hand");
    let own = "[[material]]\nname = \"paint\"\ncolor = \"#0000ff\"\n[golden]";
    write(path, "scenes/own.toml", &POINTED.replace("[golden]", own));
    run(path, &["render", "scenes/own.toml", "-o", "own"], 0, "")?;
    let still = [middle("own/0000.png")?, middle("own/0003.png")?];
    assert_eq!(still[0], still[1], "the material of the scene does not move");
    // The lamp of the file fades out.
    let lamp = "[[light]]\nkind = \"model\"\n[golden]";
    write(path, "scenes/own.toml", &POINTED.replace("[golden]", lamp));
    run(path, &["render", "scenes/own.toml", "-o", "lamp"], 0, "")?;
    let lit = [middle("lamp/0000.png")?[0], middle("all/0000.png")?[0]];
    assert!(lit[0] > lit[1], "{lit:?}");
    // An edit of the curve is a cause.
    fs::remove_file(path.join("scenes/own.toml"))?;
    fs::remove_file(path.join("scenes/hand.toml"))?;
    run(path, &["bless", "--all", "--allow-warnings"], 0, "2 goldens written")?;
    run(path, &["test"], 0, "")?;
    pointed(path, [0.0, 0.5, 0.0]);
    let said = run(path, &["test"], 1, "paint.baseColorFactor.g")?;
    assert!(!said.contains("baseColorFactor.b"), "{said}");
    Ok(())
}
