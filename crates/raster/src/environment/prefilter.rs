//! Computes the maps of an environment from the radiance of directions.
//!
//! # Determinism
//! Every texel is computed independently; coefficients are summed row by row, in order. Therefore
//! neither the number of threads nor their order can change a bit.
//!
//! # Source
//! Diffuse light: Ramamoorthi and Hanrahan, "An Efficient Representation for Irradiance Environment
//! Maps", SIGGRAPH 2001. Reflections: [`super::blur`].

use super::blur::Pyramid;
use super::lamps::taken_out;
use super::map::{EnvironmentMap, LEVELS, MapLevel, OF_LAMPS};
use super::octahedral::middle;
use super::square::Square;
use super::texel::pack;
use rayon::prelude::*;
use tintype_model::Panorama;
use tintype_model::math::number::Triple;
use tintype_model::math::{Vec3, clamp, func, unit_or};

/// Sides of the levels, as divisors of the first: for a soft environment, where roughness rises in
/// equal steps, and for a panorama, where each step doubles the width of the lobe.
const SHARES: [u32; LEVELS] = [1, 2, 4, 8, 8, 16, 16, 16, 16];
const SHARES_OF_PANORAMA: [u32; LEVELS] = [1, 2, 4, 4, 8, 8, 16, 16, 16];
/// Minimum texels per side of a level.
const MIN_SIDE: u32 = 16;

/// Texels per side of a map of diffuse light.
const DIFFUSE_SIDE: u32 = 64;
/// Minimum and maximum number of texels per side of a panorama's sharp reflection map: values
/// beyond show no improvement.
const SIDES: [u32; 2] = [128, 512];

impl EnvironmentMap {
    /// Prepares the environment of a panorama.
    #[must_use]
    pub fn of_panorama(panorama: &Panorama) -> Self {
        let (lamps, rest) = taken_out(panorama);
        let [least, most] = SIDES;
        let side = (panorama.width / 2).next_power_of_two().clamp(least, most);
        let all = sharp(side, |direction| panorama.radiance(direction));
        let whole = Pyramid::new(&all);
        // Without lamps it is seen in blurred maps alone, for which half the side is enough.
        let dimmed = (!lamps.is_empty())
            .then(|| Pyramid::new(&sharp(side / 2, |direction| rest.radiance(direction))));
        let pyramid = dimmed.as_ref().unwrap_or(&whole);
        let level = |number: usize| {
            let of = if number < OF_LAMPS { &whole } else { pyramid };
            let own = (side / SHARES_OF_PANORAMA[number]).max(MIN_SIDE);
            (own, roughness_of_panorama(number), of)
        };
        let mut map = Self::of_reflections(&all, level);
        // The reflection of full roughness is the mean by the cosine.
        let diffuse = pack_square(&pyramid.blurred(DIFFUSE_SIDE, 1.0));
        map.levels[LEVELS] = MapLevel::square(DIFFUSE_SIDE, map.texels.len());
        map.texels.extend(with_border(&diffuse, DIFFUSE_SIDE));
        Self { lamps, ..map }
    }

    /// Prepares an environment of soft light, whose diffuse part is described by nine coefficients;
    /// `side` is the number of texels per side of the sharp reflection map, a power of two from 16
    /// on.
    #[must_use]
    pub fn new(side: u32, radiance: impl Fn(Vec3) -> Vec3 + Sync) -> Self {
        let side = side.next_power_of_two().max(MIN_SIDE);
        let sharp = sharp(side, radiance);
        let pyramid = Pyramid::new(&sharp);
        let level = |number: usize| (side_of(side, number), roughness_of(number), &pyramid);
        let map = Self::of_reflections(&sharp, level);
        Self { diffuse: Some(diffuse(&sharp)), ..map }
    }

    /// Reflection maps alone: the first is sharp; each of the others is blurred from a pyramid, with a
    /// side and a roughness of its own.
    fn of_reflections<'p>(
        sharp: &Square,
        level_of: impl Fn(usize) -> (u32, f32, &'p Pyramid),
    ) -> Self {
        let mut levels = [MapLevel::default(); LEVELS + 1];
        let mut texels = Vec::new();
        for (number, level) in levels[..LEVELS].iter_mut().enumerate() {
            let (side, roughness, pyramid) = level_of(number);
            let first = texels.len();
            let square = match number {
                0 => pack_square(sharp),
                _ => pack_square(&pyramid.blurred(side, roughness)),
            };
            texels.extend(with_border(&square, side));
            *level = MapLevel::square(side, first);
        }
        Self { diffuse: None, levels, texels, lamps: Vec::new() }
    }
}

/// Texels per side of a level of a map; `side` is that of the first.
pub(super) fn side_of(side: u32, level: usize) -> u32 {
    (side / SHARES[level]).max(MIN_SIDE)
}

/// Roughness of a level of a soft environment.
#[expect(clippy::cast_precision_loss, reason = "a small number")]
fn roughness_of(level: usize) -> f32 {
    level as f32 / (LEVELS - 1) as f32
}

/// Roughness of a level of a panorama.
#[expect(clippy::cast_precision_loss, reason = "a small number")]
fn roughness_of_panorama(level: usize) -> f32 {
    func::exp2((level as f32 - (LEVELS - 1) as f32) * 0.5)
}

/// The texel that continues a square one texel beyond its edges.
#[expect(clippy::cast_sign_loss, reason = "inside after the fold")]
fn folded(x: i32, y: i32, side: u32) -> (u32, u32) {
    let last = side.cast_signed() - 1;
    let outside = |at: i32| at < 0 || at > last;
    // Beyond an edge the square continues mirrored along it.
    let (mut x, mut y) = (x, y);
    if outside(x) {
        (x, y) = (if x < 0 { 0 } else { last }, last - y);
    }
    if outside(y) {
        (x, y) = (last - x, if y < 0 { 0 } else { last });
    }
    (x.clamp(0, last) as u32, y.clamp(0, last) as u32)
}

/// Radiance of directions: each texel is the mean of four within it, so that small lamps are not
/// missed.
fn sharp(side: u32, radiance: impl Fn(Vec3) -> Vec3 + Sync) -> Square {
    let held = |color: Vec3| color.map(|value| clamp(value, 0.0, super::texel::MOST));
    Square::of(side, |x, y| {
        let part = |column: u32, row: u32| {
            let place = middle(2 * x + column, 2 * y + row, 2 * side);
            held(radiance(unit_or(place, Vec3::Y)))
        };
        (part(0, 0) + part(1, 0) + (part(0, 1) + part(1, 1))) * 0.25
    })
}

/// Coefficients of the mean light on a surface by its normal, for the functions of
/// [`super::lookup`].
#[expect(clippy::cast_possible_truncation, reason = "a mean of f32 values")]
fn diffuse(square: &Square) -> [Vec3; 9] {
    // 1. Integrals of radiance times each function, row by row.
    let rows: Vec<[[f64; 4]; 9]> = (0..square.side)
        .into_par_iter()
        .map(|y| {
            let mut sums = [[0.0; 4]; 9];
            for x in 0..square.side {
                let place = middle(x, y, square.side);
                let length = f64::from(place.length());
                // The solid angle of a texel falls with the cube of its distance from the middle of
                // the octahedron.
                let angle = 1.0 / (length * length * length);
                let terms =
                    super::lookup::diffuse_terms(Triple::from(place * (1.0 / place.length())));
                let color = square.at(x, y).to_array();
                for (sum, term) in sums.iter_mut().zip(terms) {
                    for (sum, value) in sum.iter_mut().zip(color) {
                        *sum += f64::from(term) * f64::from(value) * angle;
                    }
                    sum[3] += angle;
                }
            }
            sums
        })
        .collect();
    let mut sums = [[0.0; 4]; 9];
    for row in rows {
        for (sum, row) in sums.iter_mut().zip(row) {
            for (sum, value) in sum.iter_mut().zip(row) {
                *sum += value;
            }
        }
    }

    // 2. Norm of each function over the sphere, and the fraction of its band that a diffuse
    //    surface keeps: 1, 2/3, 1/4.
    const KEPT: [f64; 9] = [
        1.0,
        3.0 * 2.0 / 3.0,
        3.0 * 2.0 / 3.0,
        3.0 * 2.0 / 3.0,
        15.0 / 4.0,
        15.0 / 4.0,
        5.0 / 4.0 / 4.0,
        15.0 / 4.0,
        15.0 / 4.0 / 4.0,
    ];
    let mut coefficients = [Vec3::ZERO; 9];
    for ((coefficient, [r, g, b, angle]), kept) in coefficients.iter_mut().zip(sums).zip(KEPT) {
        let [r, g, b] = [r, g, b].map(|sum| (sum / angle * kept) as f32);
        *coefficient = Vec3::new(r, g, b);
    }
    coefficients
}

fn pack_square(square: &Square) -> Vec<[u16; 4]> {
    square.texels.iter().map(|color| [pack(color.x), pack(color.y), pack(color.z), 0]).collect()
}

/// The texels of a square with its border.
pub(super) fn with_border(square: &[[u16; 4]], side: u32) -> Vec<[u16; 4]> {
    let end = side.cast_signed() + 1;
    let places = (-1..end).flat_map(|y| (-1..end).map(move |x| (x, y)));
    let texel = |(x, y)| {
        let (x, y) = folded(x, y, side);
        square[(y * side + x) as usize]
    };
    places.map(texel).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::environment::Environment;
    use crate::environment::lobe::{lamp_share, level_of_panorama};

    #[test]
    fn map_of_one_colour_gives_it_everywhere() {
        let map = EnvironmentMap::new(128, |_| Vec3::new(0.5, 1.0, 2.0));
        let environment =
            Environment { map: &map, turn: [1.0, 0.0], intensity: 1.0, is_shown: false };
        for direction in [Vec3::Y, -Vec3::Y, Vec3::X, Vec3::new(-0.6, -0.1, 0.7)] {
            for roughness in [0.0, 0.3, 1.0] {
                let found = Vec3::from(environment.reflected(direction.into(), roughness));
                assert!((found - Vec3::new(0.5, 1.0, 2.0)).length() < 2e-3, "{found}");
            }
            let found: Vec3 = environment.diffuse(direction.normalize().into()).into();
            assert!((found - Vec3::new(0.5, 1.0, 2.0)).length() < 3e-4, "{found}");
        }
    }

    #[test]
    fn diffuse_light_is_the_integral_over_the_hemisphere() {
        // Radiance of the first two bands and the third, which the nine coefficients represent
        // completely.
        let radiance = |d: Vec3| {
            Vec3::new(1.0 + 0.5 * d.y, 1.0 - 0.4 * d.x * d.z, 0.7 + 0.3 * d.z + 0.4 * d.y * d.y)
        };
        let map = EnvironmentMap::new(128, radiance);
        let environment =
            Environment { map: &map, turn: [1.0, 0.0], intensity: 1.0, is_shown: false };
        for normal in [Vec3::Y, Vec3::new(0.6, 0.0, 0.8), Vec3::new(-0.48, -0.64, 0.6)] {
            let found: Vec3 = environment.diffuse(normal.into()).into();
            let (mut sum, mut total) = ([0.0_f64; 3], 0.0);
            for k in 0..40_000_u32 {
                let (z, turn) = (1.0 - (f64::from(k) + 0.5) / 20_000.0, f64::from(k) * 2.399_963_2);
                let level = (1.0 - z * z).sqrt();
                let d = Vec3::new(
                    (level * libm::cos(turn)) as f32,
                    z as f32,
                    (level * libm::sin(turn)) as f32,
                );
                let cosine = f64::from(tintype_model::math::max(d.dot(normal), 0.0));
                let color = radiance(d).to_array();
                sum = [0, 1, 2].map(|k| sum[k] + cosine * f64::from(color[k]));
                total += cosine;
            }
            for (k, found) in found.to_array().into_iter().enumerate() {
                let expected = sum[k] / total;
                assert!((f64::from(found) - expected).abs() < 2e-3, "{found} for {expected}");
            }
        }
    }

    #[test]
    fn reflection_of_a_mirror_is_the_environment() {
        let radiance = |d: Vec3| Vec3::new(0.5 + 0.5 * d.x, 0.5 + 0.5 * d.y, 0.5 + 0.5 * d.z);
        let map = EnvironmentMap::new(128, radiance);
        let environment =
            Environment { map: &map, turn: [1.0, 0.0], intensity: 1.0, is_shown: false };
        for k in 0..400_u16 {
            let [a, b] = [f32::from(k % 20), f32::from(k / 20)];
            let direction = Vec3::new(a - 9.3, b - 9.7, 4.1 - a * 0.3).normalize();
            let (found, expected) =
                (Vec3::from(environment.reflected(direction.into(), 0.0)), radiance(direction));
            assert!((found - expected).length() < 5e-3, "{direction}: {found} for {expected}");
        }
        // A quarter turn carries +Z to +X.
        let turned = Environment { turn: [0.0, 1.0], ..environment };
        let found = Vec3::from(turned.reflected(Vec3::X.into(), 0.0));
        assert!((found - radiance(Vec3::Z)).length() < 1e-2, "{found}");
    }

    /// A checker with a sun: a mirror shows each tile unchanged and the whole sun; a rougher
    /// surface leaves the sun to the lamps.
    #[test]
    fn mirror_shows_tiles_and_lamps_of_a_panorama_as_they_are() {
        let (width, height, tile) = (512_u32, 256_u32, 32);
        let is_sun = |x: u32, y: u32| x.abs_diff(80) < 3 && y.abs_diff(80) < 3;
        let texel = |index: u32| {
            let (x, y) = (index % width, index / width);
            let bright = if (x / tile + y / tile).is_multiple_of(2) { 0.8 } else { 0.1 };
            [if is_sun(x, y) { 500.0 } else { bright }; 3]
        };
        let texels = (0..width * height).map(texel).collect();
        let panorama = Panorama { width, height, texels };
        let map = EnvironmentMap::of_panorama(&panorama);
        assert_eq!(map.lamps.len(), 1);
        let environment =
            Environment { map: &map, turn: [1.0, 0.0], intensity: 1.0, is_shown: false };
        let toward = |x: u32, y: u32| {
            let turn = (f64::from(x) / f64::from(width) - 0.5) * core::f64::consts::TAU;
            let down = f64::from(y) / f64::from(height) * core::f64::consts::PI;
            let level = libm::sin(down);
            let [x, y, z] = [level * libm::cos(turn), libm::cos(down), level * libm::sin(turn)];
            Vec3::new(x as f32, y as f32, z as f32)
        };
        let seen = |direction: Vec3, roughness: f32| {
            environment.reflected::<f32>(direction.into(), roughness).x
        };
        for (column, row) in (0..16).flat_map(|column| (2..6).map(move |row| (column, row))) {
            let middle = toward(column * tile + tile / 2, row * tile + tile / 2);
            if (column, row) != (2, 2) {
                let expected = panorama.radiance(middle).x;
                assert!((seen(middle, 0.0) - expected).abs() < 0.01, "{column}, {row}");
            }
        }
        let sun = toward(80, 80);
        assert!((seen(sun, 0.0) - 500.0).abs() < 50.0, "{}", seen(sun, 0.0));
        assert!(seen(sun, 0.25) < 20.0, "{}", seen(sun, 0.25));
        let shares = [0.0_f32, 0.0625, 0.125, 0.25, 1.0]
            .map(|roughness| lamp_share(level_of_panorama(roughness)));
        assert_eq!(shares, [0.0, 0.0, 0.0, 1.0, 1.0]);
    }
}
