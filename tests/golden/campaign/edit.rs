//! Edits of one element each, drawn from a seed, and the correct answer to each.

use super::world::{SHAPES, SIDE, Shape, World};
use crate::random::Random;
use tintype_golden::record::Stage;

/// Kinds of edit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    /// The weight of one influence, by 1e-3.
    Weight,
    /// The keys of one joint in one frame of a clip, by 1 ms.
    Key,
    /// One channel of one texel, by 48 codes.
    Texel,
    /// One component of a light's direction or position, by 0.02.
    Light,
    /// The name of one joint, in the model alone or in its clips too.
    Joint,
    /// The clip of an instance.
    Clip,
    /// Azimuth or elevation, by 0.01°.
    Camera,
    /// The corners of one triangle.
    Winding,
    /// One normal of a `.x` file, to its opposite.
    Normal,
}

pub(super) const KINDS: [Kind; 9] = [
    Kind::Weight,
    Kind::Key,
    Kind::Texel,
    Kind::Light,
    Kind::Joint,
    Kind::Clip,
    Kind::Camera,
    Kind::Winding,
    Kind::Normal,
];

impl Kind {
    /// The scenes with such an element.
    fn shapes(self) -> &'static [Shape] {
        match self {
            Self::Weight | Self::Winding => &[Shape::Walk, Shape::Still],
            Self::Key | Self::Joint | Self::Clip => &[Shape::Walk],
            Self::Normal => &[Shape::Globe],
            Self::Texel | Self::Light | Self::Camera => &SHAPES,
        }
    }
}

/// An edited scene.
pub(super) struct Edit {
    pub kind: Kind,
    pub world: World,
    /// The stages; one of them must be named.
    pub stages: &'static [Stage],
    /// A word of the expected sentence: the joint, mesh, light or key.
    pub names: String,
    /// For people.
    pub what: String,
}

/// Draws an edit: first its kind, then the scene, then the element, each with equal chances.
pub(super) fn draw(random: &mut Random, worlds: &[World]) -> Edit {
    let kind = KINDS[random.below(KINDS.len())];
    let shapes = kind.shapes();
    let shape = shapes[random.below(shapes.len())];
    let mut world = worlds.iter().find(|world| world.shape == shape).unwrap().clone();
    let (stages, names, what): (&[Stage], String, String) = match kind {
        Kind::Weight => {
            let (mesh, what) = weight(&mut world, random);
            (&[Stage::Skin], format!("mesh {mesh}"), what)
        }
        Kind::Key => {
            let (joint, what) = key(&mut world, random);
            (&[Stage::Pose], format!("joint {joint} "), what)
        }
        Kind::Texel => {
            let (texel, channel) = (random.below((SIDE * SIDE) as usize), random.below(3));
            let value = &mut world.texels[texel][channel];
            *value = if *value > 127 { *value - 48 } else { *value + 48 };
            (&[Stage::Texture], "skin.png".to_owned(), format!("texel {texel} channel {channel}"))
        }
        Kind::Light => {
            let (light, axis) = (random.below(2), random.below(3));
            let list = if light == 0 { &mut world.sun } else { &mut world.lamp };
            list[axis] += 0.02 * random.sign();
            // Lights are counted from 1 in sentences.
            let name = format!("light {} ", light + 1);
            (&[Stage::Scene], name, format!("light {light} axis {axis}"))
        }
        Kind::Joint => {
            let (joint, what) = rename(&mut world, random);
            (&[Stage::Pose], joint, what)
        }
        Kind::Clip => {
            world.clip = 1 + random.below(world.clips.len() - 1);
            let name = world.clips[world.clip].0.clone();
            (&[Stage::Scene], "clip".to_owned(), format!("clip {name}"))
        }
        Kind::Camera => {
            let step = 0.01 * random.sign();
            let (key, angle) = match random.below(2) {
                0 => ("azimuth", &mut world.azimuth_deg),
                _ => ("elevation", &mut world.elevation_deg),
            };
            *angle += step;
            (&[Stage::Scene], key.to_owned(), key.to_owned())
        }
        Kind::Winding => {
            let (mesh, what) = winding(&mut world, random);
            (&[Stage::Skin, Stage::Visibility], format!("mesh {mesh}"), what)
        }
        Kind::Normal => {
            let ball = world.ball.as_mut().unwrap();
            let vertex = random.below(ball.normals.len());
            ball.normals[vertex] = ball.normals[vertex].map(|value| -value);
            (&[Stage::Skin], "mesh globe".to_owned(), format!("normal {vertex}"))
        }
    };
    Edit { kind, world, stages, names, what }
}

/// The lines of the meshes that start with a word, with the number of their mesh.
fn lines_of(text: &str, word: &str) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    let mut meshes = 0;
    for (number, line) in text.lines().enumerate() {
        let mut words = line.split_whitespace();
        match words.next() {
            Some("mesh") => meshes += 1,
            Some(first) if first == word && meshes > 0 => found.push((number, meshes - 1)),
            _ => {}
        }
    }
    found
}

/// The text with one line changed word by word.
fn with_line(text: &str, number: usize, change: impl FnOnce(&mut Vec<String>)) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let mut words: Vec<String> = lines[number].split_whitespace().map(str::to_owned).collect();
    change(&mut words);
    lines[number] = words.join(" ");
    lines.join("\n") + "\n"
}

fn weight(world: &mut World, random: &mut Random) -> (String, String) {
    let lines = lines_of(&world.mesh, "weight");
    let (line, mesh) = lines[random.below(lines.len())];
    let step = 1e-3 * random.sign();
    world.mesh = with_line(&world.mesh, line, |words| {
        let bias: f64 = words[3].parse().unwrap();
        words[3] = (bias + step).to_string();
    });
    (world.shaders()[mesh].clone(), format!("line {} of the mesh", line + 1))
}

fn winding(world: &mut World, random: &mut Random) -> (String, String) {
    let lines = lines_of(&world.mesh, "tri");
    let (line, mesh) = lines[random.below(lines.len())];
    world.mesh = with_line(&world.mesh, line, |words| words.swap(2, 3));
    (world.shaders()[mesh].clone(), format!("line {} of the mesh", line + 1))
}

/// A joint of the hierarchy of a clip.
struct Moving {
    name: String,
    /// Its numbers in each frame.
    numbers: core::ops::Range<usize>,
}

/// Range of the block of lines after `head`.
fn block(text: &str, head: &str) -> (usize, usize) {
    let start = text.find(head).unwrap() + head.len();
    (start, start + text[start..].find('}').unwrap())
}

fn moving(clip: &str) -> Vec<Moving> {
    let (start, end) = block(clip, "hierarchy {");
    let joint = |line: &str| {
        let line = line.split("//").next().unwrap();
        let (name, rest) = line.trim().strip_prefix('"')?.split_once('"')?;
        let numbers: Vec<i64> = rest.split_whitespace().map(|word| word.parse().unwrap()).collect();
        let (flags, first) = (numbers[1] as u64, numbers[2] as usize);
        let count = flags.count_ones() as usize;
        (count > 0).then(|| Moving { name: name.to_owned(), numbers: first..first + count })
    };
    clip[start..end].lines().filter_map(joint).collect()
}

fn key(world: &mut World, random: &mut Random) -> (String, String) {
    let clip = &mut world.clips[world.clip].1;
    let joints = moving(clip);
    let joint = &joints[random.below(joints.len())];
    let frames = clip.matches("\nframe ").count();
    let frame = random.below(frames);
    let numbers = |frame: usize| -> (usize, usize, Vec<f64>) {
        let (start, end) = block(clip, &format!("\nframe {frame} {{"));
        let words = clip[start..end].split_whitespace();
        (start, end, words.map(|word| word.parse().unwrap()).collect())
    };
    let rate_hz = 24.0;
    let (start, end, mut here) = numbers(frame);
    let (.., next) = numbers((frame + 1) % frames);
    for number in joint.numbers.clone() {
        here[number] += (next[number] - here[number]) * 1e-3 * rate_hz;
    }
    let words: Vec<String> = here.iter().map(f64::to_string).collect();
    let name = joint.name.clone();
    clip.replace_range(start..end, &format!("\n{}\n", words.join(" ")));
    let what = format!("joint {name} key {frame}");
    (name, what)
}

fn rename(world: &mut World, random: &mut Random) -> (String, String) {
    let (start, end) = block(&world.mesh, "joints {");
    let names: Vec<String> = world.mesh[start..end]
        .lines()
        .filter_map(|line| Some(line.trim().strip_prefix('"')?.split_once('"')?.0.to_owned()))
        .collect();
    let name = names[random.below(names.len())].clone();
    let (from, to) = (format!("\"{name}\""), format!("\"{name}_new\""));
    let everywhere = random.below(2) == 0;
    world.mesh = world.mesh.replacen(&from, &to, 1);
    if everywhere {
        for (_, clip) in &mut world.clips {
            *clip = clip.replacen(&from, &to, 1);
        }
    }
    world.renamed = Some((from, to));
    let what = format!("joint {name}{}", if everywhere { " everywhere" } else { " in the model" });
    (name, what)
}
