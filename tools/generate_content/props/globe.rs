//! A globe with seas, land and ice: a true ball, so that computed normals can be compared with
//! exact ones. Also five plain beads in a row, each with a separate shader.

use super::{Asset, texture, thing};
use crate::ball;
use crate::noise::{cells, fractal, value};
use crate::picture::{Picture, normal_texel, solid};
use crate::scalar::{Rgb, band, cos, hold, max, mix_rgb, ramp, scale_rgb, sin};
use glam::DVec3;
use std::f64::consts::{PI, TAU};
use std::io;

/// Radius of the globe; its centre is as high.
const RADIUS: f64 = 0.5;

pub(super) fn assets() -> io::Result<Vec<Asset>> {
    let center = DVec3::new(0.0, 0.0, RADIUS);
    let hold = vec![(0, 1.0)];
    let globe = ball::mesh("models/globe", center, DVec3::splat(RADIUS), 40, 26, &hold);
    let beads: Vec<_> = (0..5)
        .map(|index| {
            let place = DVec3::new(0.0, 0.9 - 0.45 * f64::from(index), 0.2);
            ball::mesh(
                &format!("models/beads/{}", index + 1),
                place,
                DVec3::splat(0.2),
                24,
                16,
                &hold,
            )
        })
        .collect();
    let paint = |u: f64, v: f64| solid(color(direction(u, v)));
    Ok(vec![
        thing("globe", center, &[globe]),
        thing("beads", DVec3::ZERO, &beads),
        texture("globe", &Picture::painted(512, 256, paint), false)?,
        texture(
            "globe_night",
            &Picture::painted(512, 256, |u, v| solid(cities(direction(u, v)))),
            false,
        )?,
        texture("globe_local", &Picture::painted(512, 256, relief), false)?,
    ])
}

/// The direction from the centre of a position in the texture; the middle of the picture is ahead.
fn direction(u: f64, v: f64) -> DVec3 {
    let (around, down) = (TAU * u + PI, PI * v);
    DVec3::new(sin(down) * cos(around), sin(down) * sin(around), cos(down))
}

/// Above 0 is land, below is sea.
fn altitude(out: DVec3) -> f64 {
    let bend = DVec3::new(
        fractal(out * 2.1, 3, 201) - 0.5,
        fractal(out * 2.1, 3, 202) - 0.5,
        fractal(out * 2.1, 3, 203) - 0.5,
    );
    let broad = fractal(out * 1.45 + bend * 1.1 + DVec3::splat(4.7), 5, 204);
    let ridge = 1.0 - (fractal(out * 4.5, 4, 205) - 0.5).abs() * 4.0;
    (broad - 0.53) * 4.0 + 0.10 * ridge
}

fn color(out: DVec3) -> Rgb {
    const DEEP: Rgb = [0.05, 0.17, 0.34];
    const SHALLOW: Rgb = [0.14, 0.52, 0.60];
    const SAND: Rgb = [0.84, 0.74, 0.50];
    const GRASS: Rgb = [0.36, 0.55, 0.24];
    const WOOD: Rgb = [0.16, 0.36, 0.20];
    const ROCK: Rgb = [0.52, 0.43, 0.36];
    const ICE: Rgb = [0.93, 0.95, 0.97];
    let height = altitude(out);
    let wet = fractal(out * 3.3, 3, 206);
    let sea = mix_rgb(DEEP, SHALLOW, ramp(height, -0.55, 0.0));
    let dry = ramp(wet + out.z.abs() * 0.5, 0.48, 0.70);
    let low = mix_rgb(SAND, mix_rgb(GRASS, WOOD, ramp(wet, 0.50, 0.66)), dry);
    let land = mix_rgb(low, ROCK, ramp(height, 0.34, 0.58));
    let land = mix_rgb(land, ICE, ramp(height, 0.66, 0.78));
    let shore = ramp(height, 0.05, 0.01);
    let mut result = if height > 0.0 { mix_rgb(land, SAND, shore * 0.8) } else { sea };
    result = mix_rgb(result, ICE, ramp(out.z.abs() + 0.14 * (wet - 0.5), 0.875, 0.905));
    // A grid of meridians and parallels, every 30 degrees, and a brass equator.
    let latitude = libm::asin(hold(out.z, -1.0, 1.0)) / PI * 6.0;
    let longitude = libm::atan2(out.y, out.x) / PI * 6.0;
    let off = |steps: f64| (steps - steps.round()).abs();
    let flat = max((1.0 - out.z * out.z).sqrt(), 0.05);
    let lines = max(
        band(off(latitude), 0.012, 0.014),
        band(off(longitude) * flat, 0.012, 0.014) * ramp(flat, 0.2, 0.3),
    );
    result = mix_rgb(result, [0.97, 0.93, 0.80], lines * 0.38);
    result = mix_rgb(result, [0.80, 0.60, 0.26], band(latitude, 0.035, 0.014));
    scale_rgb(result, 0.93 + 0.12 * value(out * 34.0, 207))
}

/// Light at night: towns, mostly near the sea.
fn cities(out: DVec3) -> Rgb {
    let height = altitude(out);
    if !(0.015..=0.6).contains(&height) || out.z.abs() > 0.84 {
        return [0.0; 3];
    }
    let crowd = ramp(fractal(out * 3.7, 3, 208), 0.40, 0.58) * ramp(height, 0.6, 0.1);
    let shore = ramp(height, 0.16, 0.03);
    let town = cells(out * 11.0, 209);
    let core = ramp(town.near, 0.18 + 0.34 * crowd, 0.0) * ramp(town.id, 0.30, 0.45);
    let houses = cells(out * 34.0, 210);
    let sparks = ramp(houses.near, 0.48, 0.10) * ramp(houses.id, 0.85 - 0.60 * crowd, 1.0);
    let haze = 0.10 * crowd * shore;
    let light = hold((core * core + sparks) * (0.35 + 0.65 * crowd) + haze, 0.0, 1.0);
    scale_rgb(mix_rgb([1.0, 0.62, 0.24], [1.0, 0.90, 0.66], light), light)
}

/// Land stands out from the sea.
fn relief(u: f64, v: f64) -> [f64; 4] {
    const STEP: f64 = 0.006;
    let out = direction(u, v);
    let east = DVec3::new(-out.y, out.x, 0.0).normalize_or(DVec3::Y);
    let north = out.cross(east);
    let height = |at: DVec3| {
        let above = altitude(at.normalize());
        0.035 * ramp(above, -0.02, 0.05) + 0.055 * max(above, 0.0)
    };
    let slope =
        |along: DVec3| (height(out + along * STEP) - height(out - along * STEP)) / (2.0 * STEP);
    let steady = ramp(out.z.abs(), 0.995, 0.97); // no direction is east at a pole
    let local = DVec3::new(-slope(east) * steady, -slope(north) * steady, 1.0).normalize();
    normal_texel(local.to_array())
}
