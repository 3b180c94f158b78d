//! A picture depends only on its time: edits at other times change no byte of it, at any size of
//! the models.

#![allow(clippy::needless_range_loop, reason = "joints have names and places in two lists")]

use super::*;
use crate::Renderer;
use std::fmt::Write;
use tempfile::TempDir;
use tintype_base::deadline::Deadline;
use tintype_formats::LoadOptions;
use tintype_model::math::func;
use tintype_scene::{FrameNumber, parse_scene};

const NAMES: [&str; 4] = ["root", "body", "arm", "leg"];
/// Joints in the bind pose: their parents, and their positions on them, in sizes of the figure; z
/// is up in the files.
const PARENTS: [i32; 4] = [-1, 0, 1, 0];
const OFFSETS: [[f32; 3]; 4] = [[0.0, 0.0, 0.0], [0.0, 0.0, 1.4], [0.4, 0.0, 0.5], [0.0, 0.0, 1.0]];
/// Boxes on joints: lower and upper corner.
const BOXES: [(usize, [[f32; 3]; 2]); 3] = [
    (1, [[-0.3, -0.2, -0.4], [0.3, 0.2, 0.6]]),
    (2, [[0.0, -0.1, -0.1], [0.9, 0.1, 0.1]]),
    (3, [[-0.2, -0.1, -1.0], [0.2, 0.1, 0.0]]),
];

/// A figure of three boxes.
fn figure(size: f32) -> String {
    let mut text =
        "MD5Version 10\ncommandline \"\"\nnumJoints 4\nnumMeshes 1\njoints {\n".to_owned();
    let mut places = [[0.0; 3]; 4];
    for joint in 0..4 {
        let parent = usize::try_from(PARENTS[joint]).map_or([0.0; 3], |parent| places[parent]);
        places[joint] = [0, 1, 2].map(|axis| parent[axis] + OFFSETS[joint][axis]);
        let [x, y, z] = places[joint].map(|at| at * size);
        let (name, parent) = (NAMES[joint], PARENTS[joint]);
        writeln!(text, "\"{name}\" {parent} ( {x} {y} {z} ) ( 0 0 0 )").unwrap();
    }
    let (mut verts, mut tris, mut weights) = (String::new(), String::new(), String::new());
    for (number, (joint, ends)) in BOXES.iter().enumerate() {
        for corner in 0..8 {
            let vertex = number * 8 + corner;
            let [x, y, z] = [0, 1, 2].map(|axis| ends[corner >> axis & 1][axis] * size);
            writeln!(verts, "vert {vertex} ( 0 0 ) {vertex} 1").unwrap();
            writeln!(weights, "weight {vertex} {joint} 1 ( {x} {y} {z} )").unwrap();
        }
        let sides =
            [[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]];
        for (side, [a, b, c, d]) in
            sides.map(|side| side.map(|corner| number * 8 + corner)).into_iter().enumerate()
        {
            let at = (number * 6 + side) * 2;
            writeln!(tris, "tri {at} {a} {b} {c}\ntri {} {a} {c} {d}", at + 1).unwrap();
        }
    }
    text + &format!(
        "}}\nmesh {{\nshader \"\"\nnumverts 24\n{verts}numtris 36\n{tris}numweights 24\n{weights}}}\n"
    )
}

/// 24 keys: the arm swings, and the figure jumps in the middle. The edit rotates a joint far in key
/// 15, and lowers it.
fn clip(size: f32, edited: Option<usize>) -> String {
    let mut text = "MD5Version 10\ncommandline \"\"\nnumFrames 24\nnumJoints 4\nframeRate 24\n\
                    numAnimatedComponents 24\nhierarchy {\n"
        .to_owned();
    for joint in 0..4 {
        let (name, parent) = (NAMES[joint], PARENTS[joint]);
        writeln!(text, "\"{name}\" {parent} 63 {}", joint * 6).unwrap();
    }
    text += "}\nbounds {\n";
    text += &"( -9 -9 -9 ) ( 9 9 9 )\n".repeat(24);
    text += "}\nbaseframe {\n";
    text += &"( 0 0 0 ) ( 0 0 0 )\n".repeat(4);
    text += "}\n";
    for key in 0..24 {
        writeln!(text, "frame {key} {{").unwrap();
        for joint in 0..4 {
            let is_edited = edited == Some(joint) && key == 15;
            let swing = 0.3 * func::sin(key as f32 / 24.0 * core::f32::consts::TAU);
            let turn = if joint == 2 { swing } else { 0.0 } + if is_edited { 0.6 } else { 0.0 };
            let lift = match joint {
                0 if (8..12).contains(&key) => 0.5,
                _ if is_edited => -0.7,
                _ => 0.0,
            };
            let [x, y, z] = OFFSETS[joint].map(|at| at * size);
            writeln!(text, "{x} {y} {} 0 {turn} 0", z + lift * size).unwrap();
        }
        text += "}\n";
    }
    text
}

/// A moving figure to the left of a still one, in front of a still camera.
struct Pair {
    size: f32,
    edited: Option<usize>,
    frames: &'static str,
    fps: u32,
}

const WIDTH: usize = 120;

impl Pair {
    fn of(size: f32) -> Self {
        Self { size, edited: None, frames: "0-23", fps: 24 }
    }

    /// Pictures of frames, row by row.
    fn draw<const N: usize>(&self, frames: [i64; N]) -> [Vec<[u8; 4]>; N] {
        let Self { size, edited, frames: list, fps } = *self;
        let folder = TempDir::new().unwrap();
        let write =
            |name: &str, text: String| std::fs::write(folder.path().join(name), text).unwrap();
        write("a.md5mesh", figure(size));
        write("b.md5mesh", figure(size));
        write("a.md5anim", clip(size, edited));
        let [x, y, z] = [0.0, 2.5, 16.0].map(|at: f32| at * size);
        let (far, up) = (3.0 * size, 1.2 * size);
        let scene = format!(
            "[output]\nsize = [{WIDTH}, 50]\nframes = \"{list}\"\nfps = {fps}\n\
             [camera]\nkind = \"look-at\"\neye = [{x}, {y}, {z}]\ntarget = [0, {up}, 0]\nnear = {}\nfar = {}\nfov_deg = 14\n\
             [[model]]\nname = \"a\"\nfile = \"a.md5mesh\"\nclips = [{{ file = \"a.md5anim\" }}]\n\
             [[model]]\nname = \"b\"\nfile = \"b.md5mesh\"\n\
             [[instance]]\nmodel = \"a\"\nposition = [-{far}, 0, 0]\n\
             [[instance]]\nmodel = \"b\"\nposition = [{far}, 0, 0]\n",
            size,
            100.0 * size,
        );
        let scene = parse_scene(&scene, "scene").unwrap_or_else(|error| panic!("{error}"));
        let assets = crate::asset::load(&scene, folder.path(), &LoadOptions::default());
        let assets = assets.unwrap_or_else(|error| panic!("{error}"));
        let renderer = Renderer::new(scene, assets, &Deadline::NEVER).unwrap();
        assert!(renderer.shadow_bytes() > 0, "the default look has shadows");
        frames.map(|frame| {
            let drawn = renderer.draw(FrameNumber(frame), Default::default()).unwrap();
            drawn.frame.rgba
        })
    }
}

const SIZES: [f32; 6] = [0.01, 0.13, 1.0, 7.0, 90.0, 1000.0];

#[test]
fn an_edit_of_one_key_changes_its_frame_alone() {
    for size in SIZES {
        let before = Pair::of(size).draw([0, 6, 14, 16, 23, 15]);
        for joint in 0..4 {
            let after = Pair { edited: Some(joint), ..Pair::of(size) }.draw([0, 6, 14, 16, 23, 15]);
            let is_equal: Vec<bool> = before.iter().zip(&after).map(|(a, b)| a == b).collect();
            assert_eq!(
                is_equal,
                [true, true, true, true, true, false],
                "{} at {size}",
                NAMES[joint]
            );
        }
    }
}

#[test]
fn frames_and_their_rate_change_no_moment() {
    for size in SIZES {
        let [zero, five, six] = Pair::of(size).draw([0, 5, 6]);
        assert_ne!(zero, six);
        for frames in ["0-5", "0,5", "0-40"] {
            let again = Pair { frames, ..Pair::of(size) }.draw([0, 5]);
            assert!(again == [zero.clone(), five.clone()], "{frames} at {size}");
        }
        // The first frame number does not matter either.
        let [later] = Pair { frames: "5-9", ..Pair::of(size) }.draw([5]);
        assert!(later == five, "{size}");
        for (fps, frame) in [(12, 3), (48, 12)] {
            let again = Pair { fps, ..Pair::of(size) }.draw([0, frame]);
            assert!(again == [zero.clone(), six.clone()], "{fps} at {size}");
        }
    }
}

#[test]
fn shadows_of_a_still_figure_are_equal_beside_one_that_moves() {
    for size in SIZES {
        let drawn = Pair { edited: Some(0), ..Pair::of(size) }.draw([0, 3, 6, 7, 8, 9, 15]);
        // The shadow falls to the right: nothing of the moving figure reaches the right half.
        let right = |pixels: &[[u8; 4]]| -> Vec<[u8; 4]> {
            pixels.chunks(WIDTH).flat_map(|row| row[WIDTH * 5 / 8..].to_vec()).collect()
        };
        let first = right(&drawn[0]);
        let colors: std::collections::BTreeSet<_> = first.iter().collect();
        assert!(colors.len() > 100, "{} colours", colors.len());
        // A map that reaches farther around the moving figure has the same texels, but positions on
        // it are rounded from another corner. Where the figure falls through the ground and away,
        // texels are twice as large.
        for (pixels, most) in drawn[1..].iter().zip([1, 1, 1, 1, 1, 4]) {
            assert!(pixels != &drawn[0], "something moves");
            let others = right(pixels);
            let channels = others.as_flattened().iter().zip(first.as_flattened());
            let gap = channels.map(|(a, b)| a.abs_diff(*b)).max();
            assert!(gap <= Some(most), "{gap:?} at {size}");
        }
    }
}

#[test]
fn lengths_snap_to_quarters_of_an_octave_at_any_size() {
    let sizes = core::iter::successors(Some(1e-6), |size| Some(size * 2.0)).take(40);
    for size in sizes.map(octave_above) {
        for (length, step) in [(1.0, 1.0), (1.18, 1.0), (1.2, 1.19), (1.5, 1.41), (1.99, 1.68)] {
            let found = snapped(length * size);
            assert!((found / size - step).abs() < 0.01, "{length} of {size}: {found}");
        }
    }
    assert_eq!([0.0, f32::INFINITY, f32::NAN].map(snapped), [0.0; 3]);
}

#[test]
fn positions_round_to_the_nearest_step() {
    assert_eq!([-0.6, -0.4, 0.1, 0.9].map(|at| rounded(at, 0.5)), [-0.5, -0.5, 0.0, 1.0]);
    assert_eq!(rounded(3.25, 0.0), 3.25);
}
