//! The scarab's paint: chitin that turns from teal to violet, gold inlays, a leathery underside.

use super::body::region;
use crate::bake::{Coat, Spot};
use crate::noise::{cells, fractal, value};
use crate::scalar::{Rgb, band, hold, max, mix_rgb, ramp, scale_rgb};
use glam::DVec3;
use std::f64::consts::TAU;

const TEAL: Rgb = [0.05, 0.42, 0.40];
const VIOLET: Rgb = [0.34, 0.16, 0.50];
const BLUE: Rgb = [0.08, 0.22, 0.46];
const GREEN: Rgb = [0.32, 0.50, 0.18];
const GOLD: Rgb = [0.86, 0.66, 0.28];
const DARK: Rgb = [0.10, 0.09, 0.13];
const HIDE: Rgb = [0.46, 0.30, 0.24];
const BONE: Rgb = [0.80, 0.72, 0.56];
const AMBER: Rgb = [0.95, 0.48, 0.10];

/// The coat of paint at a spot.
pub(super) fn coat(spot: &Spot) -> Coat {
    match spot.region {
        region::WING => wing(spot),
        region::PLATE => plate(spot),
        region::HEAD => head(spot),
        region::BELLY => belly(spot),
        region::LEG => leg(spot),
        region::TAIL => tail(spot),
        region::HORN => horn(spot),
        region::FEELER => feeler(spot),
        _ => eye(spot),
    }
}

/// Hard, glossy, iridescent: the colour follows the direction of the surface, like oil on water.
fn chitin(spot: &Spot, seed: u32) -> Coat {
    let place = spot.place;
    let drift = fractal(place * 5.0, 3, seed);
    let facing = spot.normal.z * 0.5 + 0.5 + (drift - 0.5) * 0.7;
    let low = mix_rgb(VIOLET, BLUE, ramp(facing, 0.15, 0.55));
    let high = mix_rgb(low, TEAL, ramp(facing, 0.50, 0.82));
    let color = mix_rgb(high, GREEN, ramp(facing, 0.90, 1.20) * 0.7);
    let mottle = fractal(place * 30.0, 3, seed + 1);
    let pits = ramp(cells(place * 58.0, seed + 2).near, 0.30, 0.10);
    let scratch = ramp(value(place * DVec3::new(14.0, 90.0, 90.0), seed + 3), 0.80, 0.92);
    let tone = (0.84 + 0.30 * mottle) * (1.0 - 0.30 * pits) + 0.10 * scratch;
    Coat {
        color: scale_rgb(color, tone),
        shine: scale_rgb([0.62, 0.70, 0.66], 1.0 - 0.6 * pits),
        height: 0.000_6 * mottle - 0.001_6 * pits,
    }
}

fn inlay(base: &mut Coat, on: f64, color: Rgb) {
    base.color = mix_rgb(base.color, color, on);
    base.shine = mix_rgb(base.shine, [0.80, 0.66, 0.40], on);
}

fn wing(spot: &Spot) -> Coat {
    let mut base = chitin(spot, 11);
    let place = spot.place;
    let local = DVec3::new(place.x + 0.185, place.y.abs(), place.z - 0.36);
    // Nine ribs run from front to back on each wing case.
    let turn = libm::atan2(local.y, max(local.z, -0.03) + 0.02) / (TAU * 0.25);
    let rib = (turn * 7.0).fract() - 0.5;
    let groove = band(rib.abs() - 0.5, 0.10, 0.16);
    base.height -= 0.004_5 * groove;
    base.color = scale_rgb(base.color, 1.0 - 0.38 * groove);
    // Beads of gold sit in the grooves, a gold line runs along the furrow and around the rim.
    let row = (turn * 7.0 + 0.5).floor();
    let bead_x = ((place.x + row * 0.021) / 0.062).fract().abs();
    let bead_x = if place.x + row * 0.021 < 0.0 { 1.0 - bead_x } else { bead_x };
    let across = (rib.abs() - 0.5) * 0.042;
    let along = (bead_x - 0.5) * 0.062;
    let bead =
        ramp((across * across + along * along).sqrt(), 0.0105, 0.0070) * ramp(turn, 1.02, 0.96);
    inlay(&mut base, bead * 0.95, GOLD);
    base.height += 0.003_5 * bead;
    let furrow = band(place.y.abs() - 0.013, 0.0035, 0.003) * ramp(place.z, 0.40, 0.44);
    inlay(&mut base, furrow * 0.9, GOLD);
    let rim = place.z - 0.335 - 0.02 * local.x;
    let trim = ramp(rim, 0.024, 0.020);
    inlay(&mut base, trim * 0.9, scale_rgb(GOLD, 0.85));
    base.height += 0.003 * trim;
    base
}

fn plate(spot: &Spot) -> Coat {
    let mut base = chitin(spot, 21);
    let place = spot.place;
    // A sun: a disc and rays about the middle of the back.
    let local = DVec3::new(place.x - 0.150, place.y, 0.0);
    let away = local.length();
    let turn = libm::atan2(local.y, local.x) / TAU + 0.5;
    let upper = ramp(spot.normal.z, 0.25, 0.45);
    let ray = band((turn * 12.0).fract() - 0.5, 0.16, 0.07)
        * ramp(away, 0.062, 0.066)
        * ramp(away, 0.132, 0.126);
    let disc = ramp(away, 0.044, 0.040);
    let ring = band(away - 0.054, 0.004, 0.003);
    let sun = hold(ray + disc + ring, 0.0, 1.0) * upper;
    inlay(&mut base, sun * 0.92, GOLD);
    base.height += 0.003 * sun;
    let heart = ramp(away, 0.026, 0.020) * upper;
    base.color = mix_rgb(base.color, [0.70, 0.12, 0.14], heart);
    let rim = ramp(spot.normal.z, 0.02, -0.08);
    base.color =
        mix_rgb(base.color, scale_rgb(GOLD, 0.8), rim * ramp(spot.normal.z, -0.35, -0.25) * 0.8);
    base
}

fn head(spot: &Spot) -> Coat {
    let mut base = chitin(spot, 31);
    let place = spot.place;
    let chevron = place.x - 0.445 - place.y.abs() * 0.55;
    let bars =
        band((chevron / 0.03).fract().abs() - 0.5, 0.16, 0.08) * ramp(spot.normal.z, 0.3, 0.5);
    base.height -= 0.002 * bars;
    inlay(&mut base, bars * 0.75, GOLD);
    base
}

fn belly(spot: &Spot) -> Coat {
    let place = spot.place;
    let grain = cells(place * 40.0, 41);
    let mottle = fractal(place * 16.0, 3, 42);
    let fold = band((place.x / 0.055).fract().abs() - 0.5, 0.10, 0.20);
    let tone = 0.60 + 0.45 * mottle - 0.12 * grain.near - 0.18 * fold;
    Coat {
        color: scale_rgb(HIDE, tone),
        shine: [0.12, 0.10, 0.09],
        height: 0.003 * ramp(grain.border, 0.0, 0.3) - 0.005 * fold,
    }
}

fn leg(spot: &Spot) -> Coat {
    let mut base = chitin(spot, 51);
    let place = spot.place;
    base.color = mix_rgb(base.color, DARK, 0.30);
    // Gold bands around knees and thighs.
    let bands = ramp(cells(place * 9.0, 52).near, 0.34, 0.30) * 0.0
        + band(place.y.abs() - 0.300, 0.009, 0.002)
        + band(place.z - 0.185, 0.008, 0.002) * ramp(place.y.abs(), 0.38, 0.40);
    inlay(&mut base, hold(bands, 0.0, 1.0) * 0.9, GOLD);
    base.height += 0.002 * hold(bands, 0.0, 1.0);
    base
}

fn tail(spot: &Spot) -> Coat {
    let mut base = chitin(spot, 61);
    let place = spot.place;
    let keel = band(place.y, 0.008, 0.004);
    let side = band(place.y.abs() - 0.045, 0.007, 0.003);
    inlay(&mut base, hold(keel + side * 0.7, 0.0, 0.9), GOLD);
    base.height += 0.003 * keel;
    base
}

fn horn(spot: &Spot) -> Coat {
    let place = spot.place;
    let ring =
        value(place * 60.0, 71) * 0.4 + value(DVec3::splat((place.x + place.z) * 70.0), 72) * 0.6;
    // Dark at the root, pale towards the tip.
    let tip = if place.z < 0.15 {
        ramp(place.z, 0.12, 0.02)
    } else if place.x < -0.5 {
        ramp(place.z, 0.66, 0.77)
    } else {
        ramp(place.x, 0.56, 0.70)
    };
    let color = mix_rgb([0.20, 0.13, 0.12], BONE, tip * 0.85);
    Coat {
        color: scale_rgb(color, 0.75 + 0.40 * ring),
        shine: [0.34, 0.32, 0.28],
        height: 0.002_5 * ring,
    }
}

fn feeler(spot: &Spot) -> Coat {
    let mut base = chitin(spot, 81);
    let place = spot.place;
    let bars = band((place.x / 0.044).fract() - 0.5, 0.20, 0.08);
    base.color = mix_rgb(base.color, AMBER, bars * 0.8);
    base.height += 0.001 * bars;
    if place.x > 0.885 {
        base.color = mix_rgb(base.color, AMBER, 0.75);
    }
    base
}

fn eye(spot: &Spot) -> Coat {
    let facet = cells(spot.place * 105.0, 91);
    let shade = ramp(spot.normal.z, -0.5, 0.7);
    Coat {
        color: scale_rgb(mix_rgb([0.55, 0.10, 0.06], AMBER, shade), 0.7 + 0.5 * facet.border),
        shine: [0.9, 0.85, 0.8],
        height: 0.002 * ramp(facet.border, 0.0, 0.3),
    }
}
