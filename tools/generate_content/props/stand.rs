//! Four stands in a row with a word on the front of each: a `.x` file without a skin, one frame and
//! one mesh per stand.

use super::{Asset, texture};
use crate::letters;
use crate::md5_text::Mesh;
use crate::noise::value;
use crate::picture::{Picture, solid};
use crate::scalar::{Rgb, band, min, mix_rgb, ramp, scale_rgb};
use crate::x_file::{Look, frame, mesh_object, text};
use glam::{DQuat, DVec2, DVec3};
use std::io;

/// From one stand to the next.
const SPACING: f64 = 1.15;
/// The name of each frame, its word and its colour; from the viewer's left to the right.
const STANDS: [(&str, &str, Rgb); 4] = [
    ("stand_md5", "MD5", [0.56, 0.78, 0.98]),
    ("stand_text", ".X TEXT", [0.98, 0.78, 0.36]),
    ("stand_binary", ".X BINARY", [0.60, 0.88, 0.52]),
    ("stand_mszip", ".X MSZIP", [0.90, 0.64, 0.96]),
];
/// Half the edge of the foot, of the shoulder and of the top.
const HALVES: [f64; 3] = [0.50, 0.455, 0.435];
/// Heights of the foot, of the shoulder and of the top, which is the ground for a figure on it.
const HEIGHTS: [f64; 3] = [-0.23, -0.02, 0.0];
/// Texels along a quarter of the picture, the part of one stand.
const QUARTER: f64 = 256.0;
/// Texels of the square for the top.
const TOP: f64 = 184.0;
/// The upper and the lower edge of the strip for the front, in texels.
const FRONT: [f64; 2] = [194.0, 254.0];
/// The left and the right edge of the strip for the front, in texels.
const ACROSS: [f64; 2] = [2.0, 254.0];
/// The middle of the plain stone beside the top, and texels around it for half an edge of the foot.
const PLAIN: (DVec2, f64) = (DVec2::new(220.0, 92.0), 28.0);

pub(super) fn assets() -> io::Result<Vec<Asset>> {
    let mut row = frame("stands", DVec3::ZERO, DQuat::IDENTITY);
    for (index, (name, ..)) in STANDS.into_iter().enumerate() {
        let look = Look {
            name: "stand",
            texture: "textures/stand.png".into(),
            color: [1.0; 3],
            power: 30.0,
            specular: [0.35; 3],
            emissive: [0.0; 3],
        };
        let side = (index as f64 - 1.5) * SPACING;
        let mut own = frame(name, DVec3::new(0.0, side, 0.0), DQuat::IDENTITY);
        own.push(mesh_object(&mesh(index), &look).0);
        row.push(own);
    }
    let picture = Picture::painted(512, 512, |u, v| solid(paint(u, v)));
    Ok(vec![("stand.x".into(), text(&[row])), texture("stand", &picture, false)?])
}

/// Flat sides: all positions differ.
fn mesh(index: usize) -> Mesh {
    let mut mesh = Mesh::default();
    let corner = |level: usize, turn: usize| {
        let (half, height) = (HALVES[level], HEIGHTS[level]);
        // From the front on the right around to the left: +X is the front, +Y the viewer's right.
        let (x, y) = [(1.0, -1.0), (1.0, 1.0), (-1.0, 1.0), (-1.0, -1.0)][turn % 4];
        DVec3::new(x * half, y * half, height)
    };
    let quarter = DVec2::new((index % 2) as f64, (index / 2) as f64) * QUARTER;
    // Lower left, lower right, upper right, upper left, seen from outside. A side that is narrower
    // above shows less there.
    let mut add = |places: [DVec3; 4], from: DVec2, to: DVec2| {
        let first = mesh.vertices.len() as u32;
        let narrow = (places[2] - places[3]).length() / (places[1] - places[0]).length();
        let inset = 0.5 * (to.x - from.x) * (1.0 - narrow);
        let uvs = [(from.x, to.y), (to.x, to.y), (to.x - inset, from.y), (from.x + inset, from.y)];
        for (place, (u, v)) in places.into_iter().zip(uvs) {
            let uv = (quarter + DVec2::new(u, v)) / (2.0 * QUARTER);
            mesh.vertices.push((mesh.places.len() as u32, uv));
            mesh.places.push(place);
            mesh.holds.push(vec![(0, 1.0)]);
        }
        mesh.triangles.extend([[first, first + 1, first + 2], [first, first + 2, first + 3]]);
    };
    // Sides show an area of the plain stone with their width and height.
    let plain = |wide: f64, high: f64| {
        let half = DVec2::new(wide, high) * PLAIN.1;
        [PLAIN.0 - half, PLAIN.0 + half]
    };
    for turn in 0..4 {
        for level in 0..2 {
            let is_front = turn == 0 && level == 0;
            let strip = [DVec2::new(ACROSS[0], FRONT[0]), DVec2::new(ACROSS[1], FRONT[1])];
            let height = HEIGHTS[level + 1] - HEIGHTS[level];
            let [from, to] = if is_front { strip } else { plain(1.0, height) };
            let [low, high] = [level, level + 1];
            add(
                [
                    corner(low, turn),
                    corner(low, turn + 1),
                    corner(high, turn + 1),
                    corner(high, turn),
                ],
                from,
                to,
            );
        }
    }
    let top = [DVec2::splat(2.0), DVec2::splat(TOP - 2.0)];
    add([corner(2, 0), corner(2, 1), corner(2, 2), corner(2, 3)], top[0], top[1]);
    let [from, to] = plain(1.0, 1.0);
    add([corner(0, 3), corner(0, 2), corner(0, 1), corner(0, 0)], from, to);
    mesh
}

/// Dark stone with a word, and a ring of its colour on the top.
fn paint(u: f64, v: f64) -> Rgb {
    let texel = DVec2::new(u, v) * 2.0 * QUARTER;
    let quarter = (texel / QUARTER).floor();
    let (_, word, color) = STANDS[(quarter.x + 2.0 * quarter.y) as usize];
    let at = texel - quarter * QUARTER;
    let grain = value(DVec3::new(at.x * 0.03, at.y * 0.03, quarter.x + 9.0 * quarter.y), 701);
    let stone = scale_rgb([0.30, 0.31, 0.34], 0.90 + 0.20 * grain);
    if at.x < TOP && at.y < TOP {
        let middle = (at - DVec2::splat(TOP * 0.5)).length() / (TOP * 0.5);
        let ring = band(middle - 0.86, 0.022, 0.012);
        return mix_rgb(scale_rgb(stone, 1.12), color, ring);
    }
    if at.y < FRONT[0] - 4.0 {
        return stone;
    }
    let high = FRONT[1] - FRONT[0];
    let place = DVec2::new(at.x - 0.5 * (ACROSS[0] + ACROSS[1]), at.y - FRONT[0]);
    let unit = high * 0.46 / letters::HEIGHT;
    let on_grid = DVec2::new(
        place.x / unit + 0.5 * letters::width(word),
        (place.y - 0.5 * high) / unit + 0.5 * letters::HEIGHT,
    );
    let stroke = ramp(letters::distance(word, on_grid), 0.62, 0.30);
    // A darker plate around the word, within the part that is also visible at the upper edge.
    let beside = 0.44 * (ACROSS[1] - ACROSS[0]) - place.x.abs();
    let inside = min(min(place.y, high - place.y) - 5.0, beside);
    let plate = scale_rgb(stone, 1.0 - 0.45 * ramp(inside, 0.0, 2.0));
    mix_rgb(plate, color, stroke)
}
