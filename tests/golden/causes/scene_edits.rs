//! Edits of the scene and of its texture.

use super::files::{Change, Edit, Files, Wanted, text};
use crate::random::Random;
use tintype_formats::{LoadOptions, image::decode};
use tintype_golden::record::Stage::{Pose, Scene, Texture};
use tintype_model::frame::Frame;
use tintype_output::{PngEffort, encode_png};

const SCENE: &str = "scene.toml";

pub(super) const CHANGES: &[Change] = &[
    light_turned,
    light_color,
    lamp_moved,
    light_added,
    light_gone,
    lights_reordered,
    instance_moved,
    instance_added,
    instance_gone,
    instances_reordered,
    instance_time,
    material_value,
    materials_reordered,
    camera_angle,
    camera_fov,
    texture_texels,
    texture_encoding,
    scene_spelling,
    scene_rate,
    output_value,
    tone,
    environment_value,
    environment_kind,
    roughness,
    target_weight,
];

fn edit(files: &mut Files, from: &str, to: &str) -> Option<()> {
    let scene = text(files, SCENE)?;
    if !scene.contains(from) {
        return None;
    }
    files.insert(SCENE.to_owned(), scene.replacen(from, to, 1).into_bytes());
    Some(())
}

/// The tables of a kind, each with its head.
fn tables(scene: &str, head: &str) -> Vec<String> {
    let starts: Vec<usize> = scene.match_indices(head).map(|(at, _)| at).collect();
    let end = |at: usize| {
        let behind = at + head.len();
        scene[behind..].find("\n[").map_or(scene.len(), |length| behind + length + 1)
    };
    starts.into_iter().map(|at| scene[at..end(at)].to_owned()).collect()
}

const SUN: &str = "direction = [-1.0, -1.3, 0.7]";

/// Turns the sun. Another light at the front gives it the next number.
fn light_turned(files: &mut Files, random: &mut Random) -> Option<Edit> {
    let angle = random.between(3.0, 40.0);
    let (sin, cos) = angle.to_radians().sin_cos();
    let [x, z] = [-cos - 0.7 * sin, 0.7 * cos - sin];
    edit(files, SUN, &format!("direction = [{x}, -1.3, {z}]"))?;
    // About the upright axis: the angle between the two is smaller.
    let dot = (1.49 * cos + 1.69) / 3.18;
    let between = dot.acos().to_degrees();
    Some(Edit::new("light", "sun turned", &[Scene]).any(&["light 1", "light 2"]).amount(between))
}

fn light_color(files: &mut Files, random: &mut Random) -> Option<Edit> {
    let value = random.between(0.2, 0.9);
    edit(files, "intensity = 1.6", &format!("intensity = {value}"))?;
    Some(Edit::new("light", "sun dimmed", &[Scene]).any(&["light 1", "light 2"]).amount(value))
}

fn lamp_moved(files: &mut Files, random: &mut Random) -> Option<Edit> {
    let by = random.between(0.1, 0.9);
    edit(files, "position = [1.5, 1.6, 0.8]", &format!("position = [{}, 1.6, 0.8]", 1.5 - by))?;
    Some(Edit::new("light", "lamp moved", &[Scene]).any(&["light 2", "light 3"]).amount(by))
}

fn light_added(files: &mut Files, random: &mut Random) -> Option<Edit> {
    let new = "[[light]]\ndirection = [0.5, -1.0, -0.2]\nintensity = 0.7\n";
    let scene = text(files, SCENE)?;
    let all = tables(&scene, "[[light]]");
    let place = random.below(all.len());
    edit(files, &all[place], &format!("{new}{}", all[place]))?;
    let what = format!("before light {}", place + 1);
    let edit = Edit::new("light added or gone", what, &[Scene]);
    Some(edit.word(format!("light {}", place + 1)).any(&["new"]))
}

fn light_gone(files: &mut Files, random: &mut Random) -> Option<Edit> {
    let scene = text(files, SCENE)?;
    let all = tables(&scene, "[[light]]");
    let place = random.below(all.len());
    edit(files, &all[place], "")?;
    let edit = Edit::new("light added or gone", format!("light {} is gone", place + 1), &[Scene]);
    let edit = edit.word(format!("light {}", place + 1)).any(&["gone"]);
    // The lamp may reach nothing.
    Some(if place == 1 { edit.wanted(Wanted::Word) } else { edit })
}

fn exchange(files: &mut Files, head: &str) -> Option<()> {
    let all = tables(&text(files, SCENE)?, head);
    let [first, second, ..] = &all[..] else { return None };
    edit(files, &format!("{first}{second}"), &format!("{second}{first}"))
}

fn lights_reordered(files: &mut Files, _: &mut Random) -> Option<Edit> {
    exchange(files, "[[light]]")?;
    Some(Edit::new("scene reordered", "lights", &[]).any(&["order"]).wanted(Wanted::Word))
}

fn instances_reordered(files: &mut Files, _: &mut Random) -> Option<Edit> {
    exchange(files, "[[instance]]")?;
    Some(Edit::new("scene reordered", "instances", &[]).any(&["order"]).wanted(Wanted::Word))
}

fn materials_reordered(files: &mut Files, _: &mut Random) -> Option<Edit> {
    exchange(files, "[[material]]")?;
    Some(Edit::spelling("order of materials"))
}

fn instance_moved(files: &mut Files, random: &mut Random) -> Option<Edit> {
    let by = random.between(0.05, 0.5);
    edit(files, "position = [-0.6, 0, -1.0]", &format!("position = [{}, 0, -1.0]", -0.6 + by))?;
    Some(Edit::new("instance", "moved", &[Scene]).any(&["instance 1", "instance 2"]).amount(by))
}

fn instance_time(files: &mut Files, random: &mut Random) -> Option<Edit> {
    let start = random.between(0.05, 0.3);
    edit(files, "start_s = 0.35", &format!("start_s = {start}"))?;
    Some(
        Edit::new("instance", "other start", &[Scene])
            .any(&["instance 1", "instance 2"])
            .word("start_s")
            .amount(start),
    )
}

fn instance_added(files: &mut Files, random: &mut Random) -> Option<Edit> {
    let all = tables(&text(files, SCENE)?, "[[instance]]");
    let place = random.below(all.len());
    let new = "[[instance]]\nmodel = \"hero\"\nposition = [0.7, 0, 0.2]\n";
    edit(files, &all[place], &format!("{new}{}", all[place]))?;
    let edit = Edit::new("instance added or gone", format!("before {place}"), &[Scene]);
    Some(edit.word(format!("instance {place}")).any(&["new"]))
}

fn instance_gone(files: &mut Files, random: &mut Random) -> Option<Edit> {
    let all = tables(&text(files, SCENE)?, "[[instance]]");
    let place = random.below(all.len());
    edit(files, &all[place], "")?;
    let edit = Edit::new("instance added or gone", format!("{place} is gone"), &[Scene]);
    Some(edit.word(format!("instance {place}")).any(&["gone"]))
}

fn material_value(files: &mut Files, random: &mut Random) -> Option<Edit> {
    let all = tables(&text(files, SCENE)?, "[[material]]");
    let table = random.pick(&all)?.clone();
    if !table.contains("shininess = 20") {
        return None;
    }
    let name = table.split('"').nth(1)?.to_owned();
    let value = random.between(30.0, 90.0);
    edit(files, &table, &table.replace("shininess = 20", &format!("shininess = {value}")))?;
    let edit = Edit::new("material", "shininess", &[Scene]).word(name).word("shininess");
    Some(edit.amount(value))
}

fn camera_angle(files: &mut Files, random: &mut Random) -> Option<Edit> {
    let angle = random.between(26.0, 80.0);
    edit(files, "azimuth_deg = 25", &format!("azimuth_deg = {angle}"))?;
    Some(Edit::new("camera", "azimuth", &[Scene]).word("camera").word("azimuth_deg").amount(angle))
}

fn camera_fov(files: &mut Files, random: &mut Random) -> Option<Edit> {
    let angle = random.between(20.0, 45.0);
    edit(files, "fov_deg = 32", &format!("fov_deg = {angle}"))?;
    Some(
        Edit::new("camera", "field of view", &[Scene]).word("camera").word("fov_deg").amount(angle),
    )
}

fn scene_rate(files: &mut Files, _: &mut Random) -> Option<Edit> {
    edit(files, "fps = 6", "fps = 7")?;
    Some(Edit::new("time base", "frames per second", &[Scene, Pose]).word("fps").amount(7.0))
}

/// A number of `[output]` for the conversion of light to a picture.
fn output_value(files: &mut Files, random: &mut Random) -> Option<Edit> {
    let (line, key, value) = match random.below(2) {
        0 => ("exposure = 0.9", "exposure", random.between(1.1, 1.9)),
        _ => ("occlusion = 0.5", "occlusion", random.between(0.7, 1.0)),
    };
    edit(files, line, &format!("{key} = {value}"))?;
    let edit = Edit::new("light", format!("{key} {value:.3}"), &[Scene]);
    Some(edit.word(key).amount(value))
}

fn tone(files: &mut Files, _: &mut Random) -> Option<Edit> {
    edit(files, "tone = \"neutral\"", "tone = \"none\"")?;
    Some(Edit::new("light", "tone", &[Scene]).word("tone").word("neutral").word("none"))
}

fn environment_value(files: &mut Files, random: &mut Random) -> Option<Edit> {
    let (line, key, value) = match random.below(2) {
        0 => ("rotation_deg = 12", "rotation_deg", random.between(40.0, 170.0)),
        _ => ("intensity = 0.55", "intensity", random.between(0.7, 1.5)),
    };
    edit(files, line, &format!("{key} = {value}"))?;
    let edit = Edit::new("environment", format!("{key} {value:.3}"), &[Scene]);
    Some(edit.word("environment").word(key).amount(value))
}

fn environment_kind(files: &mut Files, _: &mut Random) -> Option<Edit> {
    edit(files, "kind = \"studio\"", "kind = \"neutral\"")?;
    let edit = Edit::new("environment", "kind", &[Scene]).word("environment");
    Some(edit.word("studio").word("neutral"))
}

fn roughness(files: &mut Files, random: &mut Random) -> Option<Edit> {
    let value = random.between(0.6, 1.0);
    edit(files, "roughness = 0.3", &format!("roughness = {value}"))?;
    let edit = Edit::new("material", format!("roughness {value:.3}"), &[Scene]);
    Some(edit.word("roughness").amount(value))
}

/// Sets a morph target by hand.
fn target_weight(files: &mut Files, random: &mut Random) -> Option<Edit> {
    let value = random.between(0.6, 1.0);
    edit(files, "breath = 0.4", &format!("breath = {value}"))?;
    let edit = Edit::new("weight of a target", format!("breath {value:.2}"), &[Scene, Pose]);
    Some(edit.word("breath").amount(value))
}

pub(super) fn picture(png: &[u8]) -> Option<Frame> {
    let image = decode(png, "skin.png", &LoadOptions::default()).ok()?;
    let mut frame = Frame::new(image.width, image.height);
    frame.rgba = image.rgba;
    Some(frame)
}

/// A picture with one channel of all texels changed.
pub(super) fn shifted(png: &[u8], channel: usize) -> Option<Vec<u8>> {
    let mut frame = picture(png)?;
    for texel in &mut frame.rgba {
        texel[channel] = texel[channel].wrapping_add(96);
    }
    Some(encode_png(&frame, true, PngEffort::Fast, &[]))
}

fn texture_texels(files: &mut Files, random: &mut Random) -> Option<Edit> {
    // The texture must be used.
    if !text(files, SCENE)?.contains("skin.png") {
        return None;
    }
    let png = shifted(files.get("skin.png")?, random.below(3))?;
    files.insert("skin.png".to_owned(), png);
    Some(Edit::new("texture", "all texels", &[Texture, Scene]).word("skin.png"))
}

fn texture_encoding(files: &mut Files, _: &mut Random) -> Option<Edit> {
    let frame = picture(files.get("skin.png")?)?;
    let png = encode_png(&frame, true, PngEffort::Fast, &[]);
    if files.get("skin.png") == Some(&png) {
        return None;
    }
    files.insert("skin.png".to_owned(), png);
    Some(Edit::spelling("encoding of the texture"))
}

fn scene_spelling(files: &mut Files, random: &mut Random) -> Option<Edit> {
    let (from, to, what) = match random.below(4) {
        0 => ("intensity = 1.6", "intensity = 1.60 # as before", "a comment in the scene"),
        1 => (
            "fov_deg = 32\nazimuth_deg = 25",
            "azimuth_deg = 25.0\nfov_deg = 32.0",
            "order of keys",
        ),
        2 => ("name = \"hero\"\n", "\nname = \"hero\"\n\n", "empty lines"),
        _ => ("fps = 6", "fps = 6.0", "number format of the scene"),
    };
    edit(files, from, to)?;
    Some(Edit::spelling(what))
}
