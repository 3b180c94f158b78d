//! Two purely emissive sheets: a window of stained glass, which colours what is behind it, and the
//! halo of a flame, which is added to it. Both stand upright and face ahead.

use super::{Asset, texture, thing};
use crate::md5_text::Mesh;
use crate::noise::{cells, fractal, hash_unit, value};
use crate::picture::{Picture, solid};
use crate::scalar::{Rgb, band, max, min, mix_rgb, ramp, scale_rgb};
use glam::{DVec2, DVec3};
use std::io;

/// Half the width and half the height of the window, which stands on the ground.
const WINDOW: [f64; 2] = [0.42, 0.56];
/// Half a side of the halo, whose centre is the model's origin.
const HALO: f64 = 0.5;

pub(super) fn assets() -> io::Result<Vec<Asset>> {
    let middle = DVec3::new(0.0, 0.0, WINDOW[1]);
    let window = Picture::painted(192, 256, |u, v| solid(stained(u, v)));
    let halo = Picture::painted(128, 128, |u, v| solid(halo(u, v)));
    Ok(vec![
        thing("window", DVec3::ZERO, &[sheet("models/window", middle, WINDOW)]),
        thing("halo", DVec3::ZERO, &[sheet("models/halo", DVec3::ZERO, [HALO; 2])]),
        texture("window", &window, false)?,
        texture("halo", &halo, false)?,
    ])
}

/// One quad.
fn sheet(shader: &str, middle: DVec3, [half_width, half_height]: [f64; 2]) -> Mesh {
    let mut mesh = Mesh { shader: shader.into(), ..Mesh::default() };
    // From the lower left as seen from its front: +Y is that viewer's right.
    for (index, (right, up)) in
        [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)].into_iter().enumerate()
    {
        mesh.places.push(middle + DVec3::new(0.0, right * half_width, up * half_height));
        mesh.holds.push(vec![(0, 1.0)]);
        mesh.vertices.push((index as u32, DVec2::new(0.5 + 0.5 * right, 0.5 - 0.5 * up)));
    }
    mesh.triangles.extend([[0, 1, 2], [0, 2, 3]]);
    mesh
}

/// A sun over hills in leaded glass.
fn stained(u: f64, v: f64) -> Rgb {
    const SKY: [Rgb; 3] = [[0.35, 0.62, 0.98], [0.55, 0.78, 1.00], [0.30, 0.48, 0.90]];
    const HILL: [Rgb; 3] = [[0.30, 0.72, 0.34], [0.52, 0.84, 0.32], [0.20, 0.56, 0.40]];
    const RAY: [Rgb; 2] = [[1.00, 0.74, 0.22], [1.00, 0.50, 0.20]];
    const SUN: Rgb = [1.00, 0.90, 0.36];
    const BORDER: [Rgb; 2] = [[0.86, 0.20, 0.24], [0.62, 0.24, 0.70]];
    // In units of the window's width.
    let (x, y) = (u, v * WINDOW[1] / WINDOW[0]);
    let (dx, dy) = (x - 0.5, y - 0.52);
    let away = (dx * dx + dy * dy).sqrt();
    let rim = min(min(u, 1.0 - u), min(y, WINDOW[1] / WINDOW[0] - y));
    let hill = 0.92 + 0.07 * libm::sin(7.0 * x + 0.6);
    let mut lead = max(band(rim, 0.012, 0.008), band(rim - 0.095, 0.007, 0.008));
    let color = if rim < 0.095 {
        let along = if min(u, 1.0 - u) < 0.095 { y } else { x };
        lead = max(lead, band((along * 8.0).fract() - 0.5, 0.05, 0.06));
        BORDER[(along * 8.0 + 0.5) as usize % 2]
    } else if y > hill {
        let place = DVec3::new(x * 4.2, y * 6.5, 0.5);
        lead = max(lead, leads(place));
        HILL[(cells(place, 421).id * 3.0) as usize % 3]
    } else if away < 0.15 {
        SUN
    } else {
        let turn = (libm::atan2(dy, dx) / std::f64::consts::TAU + 1.0) * 14.0;
        lead = max(lead, band(((turn + 0.5).fract() - 0.5) * away, 0.004, 0.008));
        let ring = if away < 0.32 { 0 } else { 1 };
        lead = max(lead, band(away - 0.32, 0.007, 0.008));
        let slice = turn as i64 % 14;
        match ring {
            0 => RAY[(slice % 2) as usize],
            _ => SKY[(hash_unit(slice, 0, 0, 422) * 3.0) as usize % 3],
        }
    };
    lead = max(lead, max(band(away - 0.15, 0.007, 0.008), 0.0));
    if rim >= 0.095 {
        lead = max(lead, band(y - hill, 0.007, 0.008));
    }
    // Glass is never even.
    let cloud = fractal(DVec3::new(x * 9.0, y * 9.0, 3.0), 3, 423);
    let color = mix_rgb(color, [1.0; 3], 0.10 + 0.18 * cloud);
    scale_rgb(
        mix_rgb(color, [0.03, 0.03, 0.035], lead),
        0.94 + 0.06 * value(DVec3::new(x * 40.0, y * 40.0, 0.0), 424),
    )
}

/// Lead between pieces of any shape.
fn leads(place: DVec3) -> f64 {
    const STEP: f64 = 0.07;
    let here = cells(place, 421).id;
    let differs = |x: f64, y: f64| cells(place + DVec3::new(x, y, 0.0), 421).id != here;
    let edge =
        differs(STEP, 0.0) || differs(-STEP, 0.0) || differs(0.0, STEP) || differs(0.0, -STEP);
    if edge { 1.0 } else { 0.0 }
}

/// Warm in the centre, fading to zero at the rim.
fn halo(u: f64, v: f64) -> Rgb {
    let (x, y) = (2.0 * u - 1.0, 2.0 * v - 1.0);
    let rest = max(1.0 - (x * x + y * y).sqrt(), 0.0);
    let (wide, near) = (rest * rest, ramp(rest, 0.55, 1.0));
    let warm = mix_rgb([0.95, 0.42, 0.12], [1.0, 0.80, 0.45], near);
    scale_rgb(warm, 0.62 * wide + 0.38 * near)
}
