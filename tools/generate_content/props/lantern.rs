//! A lantern: an iron frame, a flame, and four panes of glass with a separate shader.

use super::{Asset, texture, thing};
use crate::ball;
use crate::md5_text::Mesh;
use crate::noise::{cells, fractal, value};
use crate::picture::{Picture, solid};
use crate::scalar::{Rgb, band, cos, hold, max, min, mix, mix_rgb, ramp, scale_rgb, sin};
use glam::{DVec2, DVec3};
use std::f64::consts::TAU;
use std::io;

pub(super) fn assets() -> io::Result<Vec<Asset>> {
    let iron = Picture::painted(128, 128, |u, v| solid(iron(u, v)));
    let glass = Picture::painted(64, 64, glass);
    let flame_picture = Picture::painted(16, 32, |_, v| {
        solid(mix_rgb([1.0, 0.93, 0.62], [0.93, 0.42, 0.10], ramp((v - 0.62).abs(), 0.05, 0.45)))
    });
    let flame = ball::mesh(
        "models/lantern_flame",
        DVec3::new(0.0, 0.0, 0.175),
        DVec3::new(0.026, 0.026, 0.055),
        12,
        10,
        &vec![(0, 1.0)],
    );
    Ok(vec![
        thing("lantern", DVec3::ZERO, &[frame(), flame, panes()]),
        texture("lantern", &iron, false)?,
        texture("lantern_glass", &glass, true)?,
        texture("lantern_flame", &flame_picture, false)?,
    ])
}

/// A box, each side with the whole texture; `taper` shrinks its top.
fn add_box(mesh: &mut Mesh, center: DVec3, half: DVec3, taper: f64) {
    let first = mesh.places.len() as u32;
    for bits in 0..8_u32 {
        let sign = |bit: u32| if bits >> bit & 1 == 1 { 1.0 } else { -1.0 };
        let narrow = if bits >> 2 == 1 { taper } else { 1.0 };
        let offset = DVec3::new(sign(0) * narrow, sign(1) * narrow, sign(2)) * half;
        mesh.places.push(center + offset);
        mesh.holds.push(vec![(0, 1.0)]);
    }
    // Corners of each side: lower left, lower right, upper right, upper left, seen from outside.
    let sides =
        [[1, 3, 7, 5], [3, 2, 6, 7], [2, 0, 4, 6], [0, 1, 5, 4], [4, 5, 7, 6], [2, 3, 1, 0]];
    let uvs = [(0.0, 1.0), (1.0, 1.0), (1.0, 0.0), (0.0, 0.0)];
    for side in sides {
        let vertex = mesh.vertices.len() as u32;
        mesh.vertices
            .extend(side.iter().zip(uvs).map(|(&at, (u, v))| (first + at, DVec2::new(u, v))));
        mesh.triangles.extend([[vertex, vertex + 1, vertex + 2], [vertex, vertex + 2, vertex + 3]]);
    }
}

fn frame() -> Mesh {
    let mut mesh = Mesh { shader: "models/lantern".into(), ..Mesh::default() };
    let at = DVec3::new;
    add_box(&mut mesh, at(0.0, 0.0, 0.018), at(0.125, 0.125, 0.018), 0.94);
    add_box(&mut mesh, at(0.0, 0.0, 0.048), at(0.100, 0.100, 0.012), 1.0);
    for (x, y) in [(1.0, 1.0), (-1.0, 1.0), (-1.0, -1.0), (1.0, -1.0)] {
        add_box(&mut mesh, at(x * 0.088, y * 0.088, 0.190), at(0.011, 0.011, 0.130), 1.0);
    }
    add_box(&mut mesh, at(0.0, 0.0, 0.331), at(0.118, 0.118, 0.011), 1.0);
    add_box(&mut mesh, at(0.0, 0.0, 0.376), at(0.108, 0.108, 0.034), 0.36);
    add_box(&mut mesh, at(0.0, 0.0, 0.421), at(0.026, 0.026, 0.011), 1.0);
    add_box(&mut mesh, at(0.0, 0.0, 0.090), at(0.030, 0.030, 0.034), 0.85); // the candle's holder
    mesh.joined(ring(DVec3::new(0.0, 0.0, 0.474), 0.046, 0.009))
}

/// The ring to carry it by.
fn ring(center: DVec3, radius: f64, thick: f64) -> Mesh {
    const AROUND: u32 = 16;
    const TUBE: u32 = 8;
    let mut mesh = Mesh { shader: "models/lantern".into(), ..Mesh::default() };
    for i in 0..AROUND {
        for j in 0..TUBE {
            let (a, b) =
                (TAU * f64::from(i) / f64::from(AROUND), TAU * f64::from(j) / f64::from(TUBE));
            let out = DVec3::new(0.0, cos(a), sin(a));
            mesh.places
                .push(center + out * (radius + thick * cos(b)) + DVec3::X * (thick * sin(b)));
            mesh.holds.push(vec![(0, 1.0)]);
        }
    }
    for i in 0..=AROUND {
        for j in 0..=TUBE {
            let uv = DVec2::new(f64::from(i) / f64::from(AROUND), f64::from(j) / f64::from(TUBE));
            mesh.vertices.push(((i % AROUND) * TUBE + j % TUBE, uv));
        }
    }
    for i in 0..AROUND {
        for j in 0..TUBE {
            let (a, b) = (i * (TUBE + 1) + j, (i + 1) * (TUBE + 1) + j);
            mesh.triangles.extend([[a, b, a + 1], [a + 1, b, b + 1]]);
        }
    }
    mesh
}

/// Four thin panes between the posts.
fn panes() -> Mesh {
    let mut mesh = Mesh { shader: "models/lantern_glass".into(), ..Mesh::default() };
    let at = DVec3::new;
    for side in [1.0, -1.0] {
        add_box(&mut mesh, at(side * 0.088, 0.0, 0.190), at(0.003, 0.077, 0.130), 1.0);
        add_box(&mut mesh, at(0.0, side * 0.088, 0.190), at(0.077, 0.003, 0.130), 1.0);
    }
    mesh
}

/// Forged iron with brass rivets in the corners.
fn iron(u: f64, v: f64) -> Rgb {
    let place = DVec3::new(u * 7.0, v * 7.0, 0.5);
    let hammer = cells(place, 401);
    let rust = ramp(fractal(place * 0.8, 4, 402), 0.50, 0.68);
    let base = scale_rgb([0.33, 0.33, 0.37], 0.75 + 0.40 * hammer.near);
    let base = mix_rgb(
        base,
        scale_rgb([0.47, 0.27, 0.15], 0.8 + 0.4 * value(place * 5.0, 403)),
        rust * 0.65,
    );
    let edge = min(min(u, 1.0 - u), min(v, 1.0 - v));
    let base = scale_rgb(
        base,
        1.0 + 0.55 * ramp(edge, 0.035, 0.0) - 0.25 * band(edge - 0.06, 0.006, 0.02),
    );
    let (x, y) = (min(u, 1.0 - u) - 0.14, min(v, 1.0 - v) - 0.14);
    let away = (x * x + y * y).sqrt();
    let light = 0.75 + 3.0 * hold(-x - y, -0.1, 0.1);
    mix_rgb(
        scale_rgb(base, 1.0 - 0.4 * band(away - 0.058, 0.004, 0.02)),
        scale_rgb([0.85, 0.65, 0.30], light),
        ramp(away, 0.055, 0.045),
    )
}

/// Old glass: transparent in the middle, clouded at its rim, with slanting streaks and a few
/// bubbles.
fn glass(u: f64, v: f64) -> [f64; 4] {
    let edge = min(min(u, 1.0 - u), min(v, 1.0 - v));
    let streak = band(((u + v * 0.6) * 2.3).fract() - 0.35, 0.05, 0.06) * ramp(edge, 0.03, 0.12);
    let cloud = fractal(DVec3::new(u * 5.0, v * 5.0, 0.0), 3, 411);
    let bubble = ramp(cells(DVec3::new(u * 6.0, v * 6.0, 0.5), 412).near, 0.20, 0.12);
    let alpha = 0.16 + 0.16 * cloud + 0.30 * streak + 0.42 * ramp(edge, 0.10, 0.0) + 0.12 * bubble;
    let tint = mix_rgb([0.62, 0.80, 0.74], [0.93, 0.97, 0.95], max(streak, bubble));
    [tint[0], tint[1], tint[2], mix(0.0, 0.9, alpha)]
}
