//! Scenes to edit: of shipped content, and of the folder of shared models.

use super::files::Files;
use super::gltf_document::{BUFFER, DOCUMENT};
use std::fs;
use std::path::Path;

/// A scene with its files.
pub(super) struct Ground {
    pub name: &'static str,
    pub files: Files,
    pub format: Format,
}

/// Format of the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Format {
    Md5,
    X,
    Gltf,
}

const LIGHTS: &str = "[[light]]\ndirection = [-1.0, -1.3, 0.7]\nintensity = 1.6\n\
    [[light]]\nkind = \"point\"\nposition = [1.5, 1.6, 0.8]\nreach = 2.0\nintensity = 0.5\n\
    [[light]]\nkind = \"hemisphere\"\nintensity = 0.3\n";

/// The scene of a model: two instances, three lights, a camera that fits or not.
fn scene(model: &str, clips: &str, materials: &[(&str, &str)], camera: &str) -> String {
    let mut text = format!(
        "[output]\nsize = [64, 64]\nsamples = 1\nframes = \"0-5\"\nfps = 6\nbackground = \"#203040\"\n\
         [camera]\n{camera}\nfov_deg = 32\nazimuth_deg = 25\nelevation_deg = 9\n{LIGHTS}"
    );
    for (name, texture) in materials {
        text += &format!(
            "[[material]]\nname = \"{name}\"\ndiffuse = \"{texture}\"\nspecular_strength = 0.3\nshininess = 20\n"
        );
    }
    text + &format!(
        "[[model]]\nname = \"hero\"\nfile = \"{model}\"\n{clips}\
         [[instance]]\nmodel = \"hero\"\n\
         [[instance]]\nmodel = \"hero\"\nstart_s = 0.35\nposition = [-0.6, 0, -1.0]\nrotation_deg = [0, 40, 0]\n\
         [golden]\nframes = \"0,3\"\npose = true\n"
    )
}

fn shipped(name: &str) -> Vec<u8> {
    fs::read(Path::new(env!("WORKSPACE_ROOT")).join("scenes/assets").join(name)).unwrap()
}

fn insert(files: &mut Files, name: &str, bytes: Vec<u8>) {
    files.insert(name.to_owned(), bytes);
}

fn md5(
    name: &'static str,
    read: &dyn Fn(&str) -> Option<Vec<u8>>,
    [mesh, clip, texture]: [&str; 3],
    shaders: &[&str],
    camera: &str,
) -> Option<Ground> {
    let mut files = Files::new();
    insert(&mut files, "model.md5mesh", read(mesh)?);
    insert(&mut files, "move.md5anim", read(clip)?);
    insert(&mut files, "skin.png", read(texture)?);
    let materials: Vec<(&str, &str)> = shaders.iter().map(|&name| (name, "skin.png")).collect();
    let clips = "clips = [{ name = \"move\", file = \"move.md5anim\" }]\n";
    insert(
        &mut files,
        "scene.toml",
        scene("model.md5mesh", clips, &materials, camera).into_bytes(),
    );
    Some(Ground { name, files, format: Format::Md5 })
}

fn x(
    name: &'static str,
    read: &dyn Fn(&str) -> Option<Vec<u8>>,
    model: &str,
    materials: &[(&str, &str)],
    camera: &str,
) -> Option<Ground> {
    let mut files = Files::new();
    insert(&mut files, "model.x", read(model)?);
    if !materials.is_empty() {
        insert(&mut files, "skin.png", shipped("textures/stand.png"));
    }
    insert(&mut files, "scene.toml", scene("model.x", "", materials, camera).into_bytes());
    Some(Ground { name, files, format: Format::X })
}

/// Document and buffer of a binary file.
fn unpacked(glb: &[u8]) -> Option<(serde_json::Value, Vec<u8>)> {
    let length =
        |at: usize| Some(u32::from_le_bytes(glb.get(at..at + 4)?.try_into().ok()?) as usize);
    let json_bytes = length(12)?;
    let mut json: serde_json::Value = serde_json::from_slice(glb.get(20..20 + json_bytes)?).ok()?;
    json["buffers"][0]["uri"] = BUFFER.into();
    let buffer = glb.get(28 + json_bytes..)?.get(..length(20 + json_bytes)?)?;
    Some((json, buffer.to_vec()))
}

/// A binary file as a document and a buffer, in an environment; `changes` are made in the text of
/// the scene.
fn gltf(name: &'static str, glb: &[u8], camera: &str, changes: &[(&str, &str)]) -> Option<Ground> {
    let (json, buffer) = unpacked(glb)?;
    let mut files = Files::new();
    insert(&mut files, DOCUMENT, json.to_string().into_bytes());
    insert(&mut files, BUFFER, buffer);
    let mut text = scene(DOCUMENT, "", &[], camera);
    let environment = [
        ("samples = 1\n", "samples = 1\ntone = \"neutral\"\nexposure = 0.9\nocclusion = 0.5\n"),
        (
            "[[model]]\n",
            "[environment]\nkind = \"studio\"\nrotation_deg = 12\nintensity = 0.55\n[[model]]\n",
        ),
    ];
    for (from, to) in environment.iter().chain(changes) {
        assert!(text.contains(from), "{from}");
        text = text.replacen(from, to, 1);
    }
    insert(&mut files, "scene.toml", text.into_bytes());
    Some(Ground { name, files, format: Format::Gltf })
}

/// The scene of the ranger sets other values of one of its materials, and a morph target.
const RANGER: &[(&str, &str)] = &[
    (
        "[[model]]\n",
        "[[material]]\nname = \"ranger_eyes\"\nmetallic = 0.5\nroughness = 0.3\n[[model]]\n",
    ),
    (
        "[[instance]]\nmodel = \"hero\"\n",
        "[[instance]]\nmodel = \"hero\"\nmorphs = { breath = 0.4 }\n",
    ),
];

const FIT: &str = "target = \"fit\"";
const POINT: &str = "target = [-0.3, 0.9, -0.4]\ndistance = 5";

/// Scenes of shipped content.
pub(super) fn shipped_grounds() -> Vec<Ground> {
    let own = |name: &str| Some(shipped(name));
    let ranger = ["models/ranger", "models/gear/ranger", "models/ranger_eyes"];
    let body = [("ranger_body", "skin.png"), ("ranger_gear", "skin.png")];
    let scarab = shaders(&String::from_utf8(shipped("scarab.md5mesh")).unwrap());
    let scarab: Vec<&str> = scarab.iter().map(String::as_str).collect();
    let found = [
        md5(
            "ranger.md5mesh",
            &own,
            ["ranger.md5mesh", "ranger_walk.md5anim", "textures/stand.png"],
            &ranger,
            POINT,
        ),
        md5(
            "scarab.md5mesh",
            &own,
            ["scarab.md5mesh", "scarab_walk.md5anim", "textures/stand.png"],
            &scarab,
            FIT,
        ),
        x("ranger.x", &own, "ranger.x", &body, POINT),
        gltf("ranger.gltf", &shipped("ranger.glb"), POINT, RANGER),
        gltf("props.gltf", &super::gltf_props::binary(), FIT, &[]),
    ];
    found.into_iter().flatten().collect()
}

/// Scenes of the models in the shared folder, if they exist.
pub(super) fn shared_grounds(folder: &Path) -> Vec<Ground> {
    let shared = |name: &str| fs::read(folder.join(name)).ok();
    let models = [
        md5(
            "Robot.md5mesh",
            &shared,
            ["md5/robot/Robot.md5mesh", "md5/robot/Walk.md5anim", "md5/robot/robot.png"],
            &["Material"],
            FIT,
        ),
        md5(
            "OreoGuard.md5mesh",
            &shared,
            [
                "md5/oreon/OreoGuard.md5mesh",
                "md5/oreon/GuardWalk.md5anim",
                "md5/oreon/OreonSkin.png",
            ],
            &[],
            FIT,
        ),
        x("mobs_oerkki.x", &shared, "x/minetest/mobs_oerkki.x", &[], FIT),
        x("character.x", &shared, "x/minetest/character.x", &[], FIT),
        x("alien.X", &shared, "x/dbp/alien.X", &[], FIT),
    ];
    let names = [
        ("Fox.gltf", "gltf/bevy/Fox.glb"),
        ("robot.gltf", "gltf/raylib/robot.glb"),
        ("greenman.gltf", "gltf/raylib/greenman.glb"),
    ];
    let scenes = names.map(|(name, file)| gltf(name, &shared(file)?, FIT, &[]));
    models.into_iter().chain(scenes).flatten().collect()
}

fn shaders(mesh: &str) -> Vec<String> {
    let lines = mesh.lines().filter_map(|line| line.trim().strip_prefix("shader "));
    lines.map(|name| name.trim().trim_matches('"').to_owned()).collect()
}
