//! A flat meadow to stand on: a grid of quads with one repeated texture.

use super::{Asset, texture, thing};
use crate::md5_text::Mesh;
use crate::noise::{cells, fractal};
use crate::picture::{Picture, solid};
use crate::scalar::{Rgb, cos, mix_rgb, ramp, scale_rgb, sin};
use glam::{DVec2, DVec3};
use std::f64::consts::TAU;
use std::io;

/// Quads along a side.
const QUADS: u32 = 24;
/// Length of a side.
const SIDE: f64 = 2400.0;
/// Units covered by the texture before it repeats.
const TILE: f64 = 4.0;

pub(super) fn assets() -> io::Result<Vec<Asset>> {
    let mut mesh = Mesh { shader: "models/meadow".into(), tiled: true, ..Mesh::default() };
    let row = QUADS + 1;
    for index in 0..row * row {
        let share = |step: u32| f64::from(step) / f64::from(QUADS);
        let (x, y) = ((share(index % row) - 0.5) * SIDE, (share(index / row) - 0.5) * SIDE);
        mesh.vertices.push((index, DVec2::new(x, -y) / TILE));
        mesh.places.push(DVec3::new(x, y, 0.0));
        mesh.holds.push(vec![(0, 1.0)]);
    }
    for y in 0..QUADS {
        for x in 0..QUADS {
            let a = y * row + x;
            mesh.triangles.extend([[a, a + 1, a + row + 1], [a, a + row + 1, a + row]]);
        }
    }
    let picture = Picture::painted(256, 256, |u, v| solid(ground(u, v)));
    Ok(vec![thing("meadow", DVec3::ZERO, &[mesh]), texture("meadow", &picture, false)?])
}

/// Grass with bare patches and a few flowers. Noise on a torus in space meets itself at the borders
/// of the picture.
fn ground(u: f64, v: f64) -> Rgb {
    let torus = |scale: f64| {
        let (a, b) = (u * TAU, v * TAU);
        let ring = 1.0 + 0.45 * cos(b);
        DVec3::new(ring * cos(a), ring * sin(a), 0.45 * sin(b)) * scale
    };
    let broad = fractal(torus(1.8), 3, 501);
    let blades = fractal(torus(15.0), 3, 502);
    let earth = ramp(fractal(torus(2.6), 4, 503), 0.56, 0.70);
    let grass = mix_rgb([0.17, 0.26, 0.13], [0.37, 0.42, 0.21], 0.6 * blades + 0.6 * (broad - 0.2));
    let soil = scale_rgb([0.40, 0.32, 0.23], 0.7 + 0.5 * blades);
    let color = mix_rgb(grass, soil, earth * 0.8);
    let flower = cells(torus(9.0), 504);
    let petal = ramp(flower.near, 0.115, 0.085) * ramp(flower.id, 0.78, 0.80) * (1.0 - earth);
    mix_rgb(color, if flower.id > 0.9 { [0.95, 0.80, 0.30] } else { [0.93, 0.90, 0.86] }, petal)
}
