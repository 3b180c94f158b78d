//! A slow turn: from frame to frame the picture changes at most as much as one with 16 x 16 samples
//! per pixel.
//!
//! Content that shimmers, crawls or pops between frames moves more than the model. The measure is
//! the mean absolute difference between frames, and that of second differences, where even movement
//! cancels out. The reference is a picture of 16 times the size, with one sample per pixel,
//! averaged in linear light.

use std::path::Path;
use tintype_base::deadline::Deadline;
use tintype_formats::LoadOptions;
use tintype_model::frame::Frame;
use tintype_model::math::{Mat3, Vec3};
use tintype_model::{AlphaMode, CullMode, Image, Light, LinearRgb, Material, TextureKind};
use tintype_raster::Background;
use tintype_raster::RasterOptions;
use tintype_render::Renderer;
use tintype_render::asset;
use tintype_scene::parse_scene;

use crate::reference::texture::{encoded, linear};
use crate::world::{Piece, World, picture, quad, relief, torus};
use tintype_scene::FrameNumber;

/// Frames of a whole turn, frames per run, and the number of runs, all round the turn.
const TURN: u32 = 720;
const RUN: u32 = 5;
const RUNS: u32 = 8;
const SIZE: [u32; 2] = [96, 72];
const FINE: u32 = 16;

/// Kind of the turning object.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    /// Textures with a chain of sizes, soft light, edges.
    Textured,
    /// The same with a normal map and a sharp highlight.
    Relief,
    /// A mask with many holes, mostly one or two pixels wide.
    Mask,
    /// Slats half as wide as a pixel.
    Slats,
}

fn checker(side: u32, fields: u32) -> Image {
    let rgba = (0..side * side)
        .map(|at| {
            let field = (at % side * fields / side + at / side * fields / side) % 2;
            if field == 0 { [230, 210, 180, 255] } else { [30, 50, 90, 255] }
        })
        .collect();
    Image { width: side, height: side, rgba }
}

fn world(kind: Kind, samples: u32) -> World {
    let mut world = World::empty(SIZE, samples, Vec3::new(0.0, 1.1, 3.1), Vec3::ZERO);
    let [top, bottom] = [0.25, 0.15].map(|grey| LinearRgb::new(grey, grey, grey));
    world.background = Background::Gradient { top, bottom };
    world.ambient = LinearRgb::new(0.08, 0.08, 0.1);
    world.lights = vec![
        Light::Directional {
            to_light: Vec3::new(0.48, 0.6, 0.64),
            color: LinearRgb::new(0.8, 0.75, 0.7),
        },
        Light::Directional {
            to_light: Vec3::new(-0.8, 0.0, 0.6),
            color: LinearRgb::new(0.1, 0.15, 0.2),
        },
    ];
    let holes = |u: f64, v: f64| {
        let wave = libm::sin(90.0 * u) * libm::cos(70.0 * v);
        (127.0 + 120.0 * wave) as u8
    };
    world.images = vec![
        (picture(128, 128, 1, |_, _| 255), TextureKind::OpaqueColor),
        (checker(64, 8), TextureKind::OpaqueColor),
        (relief(64, 64), TextureKind::Data),
        (picture(128, 128, 2, holes), TextureKind::AlphaColor),
    ];
    let matt = |diffuse: Option<usize>| Material {
        diffuse,
        specular_strength: 0.1,
        shininess: 10.0,
        cull: CullMode::None,
        ..Material::new("matt")
    };
    world.materials = vec![match kind {
        Kind::Textured => matt(Some(0)),
        Kind::Relief => {
            Material { normal: Some(2), specular_strength: 0.5, shininess: 40.0, ..matt(Some(0)) }
        }
        Kind::Mask => Material { alpha: AlphaMode::Mask { cutoff: 0.5 }, ..matt(Some(3)) },
        Kind::Slats => matt(None),
    }];
    world.materials.push(matt(Some(1)));
    if kind == Kind::Slats {
        for slat in 0..24_u16 {
            let x = f32::from(slat) * 0.09 - 1.08;
            world.pieces.push(quad(
                Vec3::new(x, 0.8, 0.1),
                Vec3::X * 0.021,
                -Vec3::Y * 1.6,
                1.0,
                0,
            ));
        }
        return world;
    }
    let lean = Mat3::from_rotation_x(0.9);
    let ring = torus(Vec3::ZERO, 0.7, 0.28, 48, 28, 0);
    world.pieces.push(moved(&ring, lean));
    let (right, down) = (Vec3::new(1.8, 0.0, 0.0), Vec3::new(0.0, -0.2, 1.8));
    world.pieces.push(quad(Vec3::new(-0.9, -0.5, -0.9), right, down, 3.0, 1));
    world
}

fn moved(piece: &Piece, by: Mat3) -> Piece {
    let mut piece = piece.clone();
    let posed = &mut piece.posed;
    for list in [&mut posed.position, &mut posed.normal, &mut posed.tangent] {
        for at in 0..list[0].len() {
            let vector = by * Vec3::new(list[0][at], list[1][at], list[2][at]);
            (list[0][at], list[1][at], list[2][at]) = (vector.x, vector.y, vector.z);
        }
    }
    piece
}

fn turned(world: &World, frame: u32) -> World {
    let angle = f64::from(frame) / f64::from(TURN) * core::f64::consts::TAU;
    let (sin, cos) = (libm::sin(angle) as f32, libm::cos(angle) as f32);
    let by = Mat3::from_cols(Vec3::new(cos, 0.0, -sin), Vec3::Y, Vec3::new(sin, 0.0, cos));
    World { pieces: world.pieces.iter().map(|piece| moved(piece, by)).collect(), ..world.clone() }
}

/// The codes of red, green and blue.
fn codes(frame: &Frame) -> Vec<f32> {
    frame.rgba.iter().flat_map(|&[r, g, b, _]| [r, g, b].map(f32::from)).collect()
}

/// The same of a picture that is averaged over squares, in linear light, and rounded to codes.
fn averaged(frame: &Frame) -> Vec<f32> {
    let [width, height] = [frame.width, frame.height].map(|side| (side / FINE) as usize);
    let light: Vec<f64> = (0..=255_u8).map(|code| linear(f64::from(code) / 255.0)).collect();
    let mut sums = vec![0.0; 3 * width * height];
    for (at, pixel) in frame.rgba.iter().enumerate() {
        let (x, y) = (at % frame.width as usize, at / frame.width as usize);
        let to = 3 * (y / FINE as usize * width + x / FINE as usize);
        for k in 0..3 {
            sums[to + k] += light[usize::from(pixel[k])];
        }
    }
    let count = f64::from(FINE * FINE);
    sums.iter().map(|sum| (encoded(sum / count) * 255.0 + 0.5).floor() as f32).collect()
}

/// Difference of consecutive frames.
#[derive(Clone, Copy, Debug, Default)]
struct Motion {
    /// Mean absolute difference from frame to frame, in codes.
    first: f64,
    /// Mean absolute second difference, in codes.
    second: f64,
    /// The maximum second difference.
    most: f64,
}

fn motion(frames: &[Vec<f32>]) -> Motion {
    let (mut first, mut second, mut most) = (0.0, 0.0, 0.0);
    let count = |pairs: usize| (pairs * frames[0].len()) as f64;
    for pair in frames.windows(2) {
        first += pair[0].iter().zip(&pair[1]).map(|(a, b)| f64::from((b - a).abs())).sum::<f64>();
    }
    for three in frames.windows(3) {
        for ((a, b), c) in three[0].iter().zip(&three[1]).zip(&three[2]) {
            let bend = f64::from((a - 2.0 * b + c).abs());
            second += bend;
            most = if bend > most { bend } else { most };
        }
    }
    Motion {
        first: first / count(frames.len() - 1),
        second: second / count(frames.len() - 2),
        most,
    }
}

/// The mean over runs all round the turn.
fn over_turn(picture: impl Fn(u32) -> Vec<f32>) -> Motion {
    let mut mean = Motion::default();
    for run in 0..RUNS {
        let from = run * TURN / RUNS;
        let frames: Vec<_> = (from..from + RUN).map(&picture).collect();
        let Motion { first, second, most } = motion(&frames);
        mean.first += first / f64::from(RUNS);
        mean.second += second / f64::from(RUNS);
        mean.most = if most > mean.most { most } else { mean.most };
    }
    mean
}

/// A turn of a world, and one as it should be.
fn of_world(kind: Kind, samples: u32) -> Motion {
    let world = world(kind, samples);
    over_turn(|frame| codes(&turned(&world, frame).draw(32, 2)))
}

fn fine_of_world(kind: Kind) -> Motion {
    let world = World { size: SIZE.map(|side| side * FINE), ..world(kind, 1) };
    over_turn(|frame| averaged(&turned(&world, frame).draw(RasterOptions::AUTO, 2)))
}

/// The same for a scene with the turn; without samples, the reference.
fn of_scene(text: &str, size: [u32; 2], samples: Option<u32>) -> Motion {
    let folder = Path::new(env!("WORKSPACE_ROOT")).join("scenes");
    let mut scene = parse_scene(text, "scene").expect("a scene");
    scene.output.samples = samples.unwrap_or(1);
    scene.output.size = if samples.is_some() { size } else { size.map(|side| side * FINE) };
    let assets = asset::load(&scene, &folder, &LoadOptions::default()).expect("its files");
    let renderer = Renderer::new(scene, assets, &Deadline::NEVER).expect("a camera");
    over_turn(|frame| {
        let drawn = renderer.draw(FrameNumber(frame as i64), RasterOptions::default());
        let picture = drawn.expect("a frame of the scene").frame;
        if samples.is_some() { codes(&picture) } else { averaged(&picture) }
    })
}

/// A shipped scene with still models and a camera that circles the first once.
fn still(text: &str) -> String {
    let orbit = "kind = \"orbit\"\ntarget = \"fit\"\nelevation_deg = 10\nfov_deg = 32\n\
                 azimuth_deg = { from = 0, to = 360 }";
    let mut lines: Vec<&str> = Vec::new();
    let (mut table, mut in_list) = ("", false);
    for line in text.lines() {
        let key = line.split([' ', '=']).next().unwrap_or_default();
        if line.starts_with('[') {
            table = line.split_once(']').map_or(line, |(name, _)| name);
            if table != "[ground" {
                lines.push(line);
            }
            if table == "[camera" {
                lines.push(orbit);
            }
            continue;
        }
        in_list |= key == "clips" && !line.ends_with(']');
        match (table, key) {
            // Ground and shadows change slowly and by single codes: their steps differ from those
            // of edges.
            ("[camera" | "[ground", _)
            | (_, "clip" | "clips" | "shadow" | "shadow_softness_deg") => {}
            ("[output", "frames") => lines.push("frames = \"0-719\""),
            // Dark, so that the steps of the outline do not outweigh those within it.
            ("[output", "background") => lines.push("background = \"#39424f\""),
            _ if in_list => {}
            _ => lines.push(line),
        }
        in_list &= line != "]";
    }
    lines.join("\n")
}

/// The allowed deviation of a turn, as a multiple of the reference.
#[derive(Clone, Copy, Debug)]
struct Allowed {
    /// With four samples or more.
    first: f64,
    /// With four, eight and sixteen samples.
    second: [f64; 3],
}

/// Required of every picture.
const FIRST: f64 = 1.2;

#[expect(clippy::print_stdout, reason = "the figures are what the test is for")]
fn assert_calm(name: &str, right: Motion, allowed: Allowed, of: impl Fn(u32) -> Motion) {
    assert!(right.first > 0.1 && right.second > 0.05, "{name} moves: {right:?}");
    for (samples, second) in [4, 8, 16].into_iter().zip(allowed.second) {
        let found = of(samples);
        let [a, b] = [found.first / right.first, found.second / right.second];
        println!("{name}, {samples} samples: {a:.3} of the difference, {b:.3} of the second");
        assert!(a <= allowed.first, "{name}, {samples} samples: {found:?}, {right:?} is right");
        assert!(b <= second, "{name}, {samples} samples: {found:?}, {right:?} is right");
        // A picture that hardly changes is blurred or frozen.
        assert!(a >= 0.7, "{name}, {samples} samples: {found:?}, {right:?} is right");
    }
}

#[test]
fn turn_of_textured_surfaces_is_calm() {
    for kind in [Kind::Textured, Kind::Relief] {
        let allowed = Allowed { first: 0.9, second: [1.25, 1.1, 1.05] };
        let right = fine_of_world(kind);
        assert_calm(&format!("{kind:?}"), right, allowed, |samples| of_world(kind, samples));
    }
}

#[test]
fn turn_of_a_mask_with_holes_of_a_pixel_is_calm() {
    let allowed = Allowed { first: FIRST, second: [2.8, 2.2, 1.6] };
    let right = fine_of_world(Kind::Mask);
    assert_calm("mask", right, allowed, |samples| of_world(Kind::Mask, samples));
}

#[test]
fn turn_of_shipped_scenes_is_calm() {
    let walk = include_str!("../../scenes/walk.toml");
    let mtr = include_str!("../../scenes/mtr.toml");
    for (name, text, size) in [("walk", walk, [240, 180]), ("mtr", mtr, SIZE)] {
        let scene = still(text);
        let allowed = Allowed { first: FIRST, second: [2.0, 1.7, 1.4] };
        let right = of_scene(&scene, size, None);
        assert_calm(name, right, allowed, |samples| of_scene(&scene, size, Some(samples)));
    }
}

/// Parts thinner than a pixel cannot be right with few samples: more samples bring them nearer.
#[test]
fn turn_of_slats_of_half_a_pixel_is_calmer_with_more_samples() {
    let right = fine_of_world(Kind::Slats);
    let [four, eight, sixteen] = [4, 8, 16].map(|samples| of_world(Kind::Slats, samples));
    for (few, many) in [(four, eight), (eight, sixteen)] {
        assert!(
            many.first < 0.9 * few.first && many.second < 0.8 * few.second,
            "{many:?}, {few:?}"
        );
    }
    assert!(sixteen.first < 1.3 * right.first, "{sixteen:?}, {right:?} is right");
}
