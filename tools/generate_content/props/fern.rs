//! A fern: arching fronds of a few quads each, cut out by the alpha of their texture.
//!
//! The strips are open surfaces, seen from both sides.

use super::{Asset, texture, thing};
use crate::md5_text::Mesh;
use crate::noise::{fractal, hash_unit};
use crate::picture::Picture;
use crate::scalar::{Rgb, band, cos, max, mix, mix_rgb, radians, ramp, scale_rgb, sin};
use glam::{DVec2, DVec3};
use std::f64::consts::TAU;
use std::io;

const FRONDS: i64 = 11;
/// Rows of quads along a frond.
const ROWS: u32 = 7;
/// No leaf is lower.
const GROUND: f64 = 0.003;

pub(super) fn assets() -> io::Result<Vec<Asset>> {
    let mut mesh = Mesh { shader: "models/fern".into(), ..Mesh::default() };
    for frond in 0..FRONDS {
        add_frond(&mut mesh, frond);
    }
    let picture = Picture::painted(256, 256, leaf);
    Ok(vec![thing("fern", DVec3::ZERO, &[mesh]), texture("fern", &picture, true)?])
}

/// One strip: from the root up, outwards, and down again; folded along its middle.
fn add_frond(mesh: &mut Mesh, frond: i64) {
    let random = |salt: u32| hash_unit(frond, 3, 1, salt);
    let around = TAU * (frond as f64 + 0.5 * random(1)) / FRONDS as f64;
    let inner = frond % 3 == 0;
    let length = mix(0.55, 0.75, random(2)) * if inner { 0.85 } else { 1.0 };
    let rise_deg = if inner { mix(74.0, 82.0, random(3)) } else { mix(50.0, 66.0, random(3)) };
    let droop_deg = mix(62.0, 95.0, random(4));
    let out = DVec3::new(cos(around), sin(around), 0.0);
    let side = DVec3::Z.cross(out);
    let first = mesh.vertices.len() as u32;
    let (mut place, step) = (out * 0.02, length / f64::from(ROWS));
    for row in 0..=ROWS {
        let share = f64::from(row) / f64::from(ROWS);
        let slope = radians(rise_deg - droop_deg * share * share);
        let along = out * cos(slope) + DVec3::Z * sin(slope);
        let up = along.cross(-side).normalize();
        let half = 0.13 * length / 0.65;
        for (column, fold) in [(-1.0, 0.035), (0.0, 0.0), (1.0, 0.035)] {
            let mut at = place + side * (half * column) + up * fold;
            at.z = max(at.z, GROUND); // a tip that hangs so far down lies on the ground
            let uv = DVec2::new(0.5 - 0.5 * column, 1.0 - share);
            mesh.vertices.push((mesh.places.len() as u32, uv));
            mesh.places.push(at);
            mesh.holds.push(vec![(0, 1.0)]);
        }
        place += along * step;
    }
    for row in 0..ROWS {
        for column in 0..2 {
            let a = first + row * 3 + column;
            mesh.triangles.extend([[a, a + 3, a + 1], [a + 1, a + 3, a + 4]]);
        }
    }
}

/// The picture of a frond, its root below: a stem with leaflets on both sides.
fn leaf(u: f64, v: f64) -> [f64; 4] {
    const PAIRS: f64 = 13.0;
    const DARK: Rgb = [0.10, 0.27, 0.11];
    const FRESH: Rgb = [0.46, 0.66, 0.22];
    const STEM: Rgb = [0.45, 0.38, 0.17];
    let (across, along) = ((u - 0.5) * 2.0, 1.0 - v);
    let reach = 0.94 * ramp(along, -0.05, 0.30) * (1.0 - along * along * along) + 0.02;
    let side = across.abs();
    // Leaflets lean towards the tip: a position belongs to the leaflet whose root is lower by the
    // lean.
    let lean = 0.10;
    let root = (along - side * lean) * PAIRS + if across > 0.0 { 0.0 } else { 0.5 };
    let within = root - root.floor() - 0.5;
    let share = side / reach;
    let wide = 0.40 * (1.0 - ramp(share, 0.35, 1.02)) * ramp(share, -0.25, 0.20);
    let teeth = 0.03 * sin(side * 150.0);
    let blade = ramp(within.abs() - wide - teeth, 0.05, -0.05)
        * ramp(along, 0.075, 0.10)
        * ramp(share, 1.03, 0.97);
    let stem_half = 0.030 * (1.0 - along) + 0.010;
    let stem = ramp(side - stem_half, 0.012, -0.004) * ramp(along, 0.99, 0.97);
    let vein = band(within, 0.035, 0.05) * ramp(share, 0.95, 0.6);
    let mottle = fractal(DVec3::new(u * 11.0, v * 11.0, 0.0), 3, 301);
    let tone = 0.35 + 0.45 * ramp(share, 0.0, 1.0) + 0.35 * (mottle - 0.5) + 0.18 * vein;
    let mut color = mix_rgb(DARK, FRESH, tone);
    color = scale_rgb(color, 1.0 - 0.25 * ramp(within, 0.0, 0.45));
    color = mix_rgb(color, STEM, stem);
    let alpha = max(blade, stem);
    [color[0], color[1], color[2], alpha]
}
