//! Lamps of a panorama: small bright patches used as lights, each from one direction.
//!
//! Input: a panorama. Output: its lamps, and the panorama without them. A sun of three texels may
//! give half of all light. In a map of diffuse light the edge of its shadow would be as wide as a
//! texel of the map; maps of reflections are blurred as seen from straight above, and would show
//! the sun on surfaces turned away from it. No single texel of the remaining panorama matters.
//!
//! # Method
//! Adjacent texels far above the mean form a patch. A small patch is a lamp; in a larger one, the
//! parts that are four times as bright may be, and so on. Light above the threshold belongs to the
//! lamp, and the threshold stays in the panorama.

use core::f64::consts::{FRAC_1_PI, PI};
use tintype_model::math::number::Number;
use tintype_model::math::{Vec3, clamp, func, unit_or};
use tintype_model::{Light, LinearRgb, Panorama};

/// Brightness of a patch, as a multiple of the mean of the panorama.
const BRIGHT: f64 = 32.0;
/// Factor from one threshold to the next.
const STEP: f64 = 4.0;
/// Maximum distance of the light of a lamp from its centre, root mean square, in radians.
const WIDEST: f64 = 0.04;
/// Minimum fraction of all light for a lamp.
const MIN_SHARE: f64 = 1.0 / 1024.0;
/// Maximum number of lamps: each costs as much as a light.
const MOST: usize = 16;
/// Maximum radiance of a texel, so that sums are finite.
const MAX_RADIANCE: f32 = 1e9;

/// A small bright patch of an environment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Lamp {
    /// Unit vector to its middle.
    pub toward: Vec3,
    /// Light reflected by a white surface that faces it: its illuminance over π.
    pub color: Vec3,
    /// Half its width as it sets behind a surface, in radians.
    pub half_width: f32,
}

impl Lamp {
    /// The equivalent directional light.
    pub(crate) fn light(&self) -> Light {
        let [r, g, b] = self.color.to_array();
        Light::Directional { to_light: self.toward, color: LinearRgb::new(r, g, b) }
    }
}

/// The mean cosine to a light of this half width, at least 0: it sets gradually. `cosine` is that
/// to its centre.
#[inline(always)]
pub(crate) fn facing<N: Number>(cosine: N, half_width: f32) -> N {
    if half_width <= 0.0 {
        return cosine;
    }
    let zero = cosine.constant(0.0);
    let risen = (cosine + half_width).at_least(zero).at_most(cosine.constant(2.0 * half_width));
    risen * risen * (0.25 / half_width) + (cosine - half_width).at_least(zero)
}

/// Directions and solid angles of the texels of a panorama.
struct Texels<'p> {
    panorama: &'p Panorama,
    /// Cosine and sine of each column.
    turns: Vec<[f32; 2]>,
    /// For each row: height and distance from the vertical of its centre, solid angle of a texel,
    /// and the mean square of the distance of its points from its centre.
    rows: Vec<([f32; 2], [f64; 2])>,
}

impl<'p> Texels<'p> {
    #[expect(clippy::cast_possible_truncation, reason = "angles")]
    fn new(panorama: &'p Panorama) -> Self {
        let (width, height) = (f64::from(panorama.width), f64::from(panorama.height));
        let of_column = |x: u32| {
            let angle = ((f64::from(x) + 0.5) / width - 0.5) * 2.0 * PI;
            [func::cos(angle as f32), func::sin(angle as f32)]
        };
        let of_row = |y: u32| {
            let angle = (f64::from(y) + 0.5) / height * PI;
            let (up, level) = (func::cos(angle as f32), func::sin(angle as f32));
            let (wide, tall) = (2.0 * PI / width * f64::from(level), PI / height);
            let half = f64::from(func::sin((0.5 * tall) as f32));
            ([up, level], [2.0 * wide * half, (wide * wide + tall * tall) / 12.0])
        };
        Self {
            panorama,
            turns: (0..panorama.width).map(of_column).collect(),
            rows: (0..panorama.height).map(of_row).collect(),
        }
    }

    fn row(&self, index: usize) -> &([f32; 2], [f64; 2]) {
        &self.rows[index / self.turns.len()]
    }

    fn direction(&self, index: usize) -> Vec3 {
        let ([up, level], _) = *self.row(index);
        let [cosine, sine] = self.turns[index % self.turns.len()];
        Vec3::new(cosine * level, up, sine * level)
    }

    /// Radiance of a texel, and the sum of its channels.
    fn radiance(&self, index: usize) -> ([f64; 3], f64) {
        let held = |value| f64::from(clamp(value, 0.0, MAX_RADIANCE));
        let color = self.panorama.texels[index].map(held);
        (color, color[0] + color[1] + color[2])
    }

    /// The texels that touch one: across the seam, but not across the poles.
    fn around(&self, index: usize) -> impl Iterator<Item = usize> {
        let (width, height) = (self.turns.len(), self.rows.len());
        let (x, y) = (index % width, index / width);
        let rows = y.saturating_sub(1)..(y + 2).min(height);
        rows.flat_map(move |row| {
            [x + width - 1, x, x + 1].map(|column| row * width + column % width)
        })
    }
}

/// A patch that is a lamp.
struct Found {
    lamp: Lamp,
    light: f64,
    texels: Vec<usize>,
    threshold: f64,
}

impl Found {
    /// The lamp of a patch. The error is the patch, if it is too wide.
    #[expect(clippy::cast_possible_truncation, reason = "sums of f32 values, held")]
    fn of(texels: Vec<usize>, of: &Texels, threshold: f64) -> Result<Self, Vec<usize>> {
        let (mut color, mut light) = ([0.0; 3], 0.0);
        let (mut toward, mut lengths, mut own) = ([0.0; 3], 0.0, 0.0);
        for &index in &texels {
            let (radiance, sum) = of.radiance(index);
            let (_, [angle, spread]) = *of.row(index);
            let part = (1.0 - threshold / sum) * angle;
            let weight = sum * part;
            let direction = of.direction(index).to_array().map(f64::from);
            light += weight;
            own += weight * spread;
            lengths += weight * direction.iter().map(|one| one * one).sum::<f64>().sqrt();
            for (color, radiance) in color.iter_mut().zip(radiance) {
                *color += radiance * part;
            }
            for (toward, direction) in toward.iter_mut().zip(direction) {
                *toward += weight * direction;
            }
        }
        let length = toward.iter().map(|one| one * one).sum::<f64>().sqrt();
        let lost = if lengths > length { 1.0 - length / lengths } else { 0.0 };
        let mean_square = 2.0 * lost + own / light;
        if mean_square > WIDEST * WIDEST {
            return Err(texels);
        }
        let toward = toward.map(|one| (one / length) as f32);
        let lamp = Lamp {
            toward: unit_or(Vec3::from_array(toward), Vec3::Y),
            color: Vec3::from_array(color.map(|one| (one * FRAC_1_PI) as f32)),
            // The half width of a row of points with the same mean square distance in one axis.
            half_width: (1.5 * mean_square).sqrt() as f32,
        };
        Ok(Self { lamp, light, texels, threshold })
    }
}

/// Removes the lamps from a panorama, brightest first.
#[expect(clippy::cast_possible_truncation, reason = "a share")]
pub(super) fn taken_out(panorama: &Panorama) -> (Vec<Lamp>, Panorama) {
    // 1. All light, row by row.
    let of = Texels::new(panorama);
    let width = of.turns.len();
    let light_of_row = |(row, (_, [angle, _])): (usize, &([f32; 2], [f64; 2]))| {
        (0..width).map(|column| of.radiance(row * width + column).1).sum::<f64>() * angle
    };
    let all: f64 = of.rows.iter().enumerate().map(light_of_row).sum();
    let mut threshold = BRIGHT * all / (4.0 * PI);

    // 2. Patches, then the bright parts of those that are too wide.
    let mut found = Vec::new();
    let is_above = |index: usize, threshold| of.radiance(index).1 > threshold;
    let all_texels = 0..panorama.texels.len();
    let mut left: Vec<usize> = all_texels.filter(|&index| is_above(index, threshold)).collect();
    let mut is_free = vec![false; panorama.texels.len()];
    while !left.is_empty() {
        left.iter().for_each(|&index| is_free[index] = true);
        let mut too_wide = Vec::new();
        for seed in left {
            let mut patch = Vec::new();
            if core::mem::take(&mut is_free[seed]) {
                patch.push(seed);
            }
            let mut next = 0;
            while let Some(&index) = patch.get(next) {
                next += 1;
                for other in of.around(index) {
                    if core::mem::take(&mut is_free[other]) {
                        patch.push(other);
                    }
                }
            }
            if patch.is_empty() {
                continue;
            }
            match Found::of(patch, &of, threshold) {
                Ok(lamp) => found.push(lamp),
                Err(patch) => too_wide.extend(patch),
            }
        }
        threshold *= STEP;
        too_wide.retain(|&index| is_above(index, threshold));
        left = too_wide;
    }

    // 3. Those that matter.
    found.retain(|one| one.light > all * MIN_SHARE);
    found.sort_by(|one, other| other.light.total_cmp(&one.light));
    found.truncate(MOST);
    let mut rest = panorama.clone();
    for Found { texels, threshold, .. } in &found {
        for &index in texels {
            let share = (threshold / of.radiance(index).1) as f32;
            rest.texels[index] =
                rest.texels[index].map(|value| clamp(value, 0.0, MAX_RADIANCE) * share);
        }
    }
    (found.iter().map(|one| one.lamp).collect(), rest)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::environment::{Environment, EnvironmentMap};

    fn panorama(radiance: impl Fn(u32, u32) -> f32) -> Panorama {
        let (width, height) = (256, 128);
        let texels = (0..width * height).map(|k| [radiance(k % width, k / width); 3]).collect();
        Panorama { width, height, texels }
    }

    #[test]
    fn lamp_has_the_light_of_its_texels() {
        let sun = |x, y| if (x, y) == (200, 40) { 20_000.0 } else { 0.25 };
        let (lamps, rest) = taken_out(&panorama(sun));
        let [lamp] = lamps[..] else { panic!("{lamps:?}") };
        let (turn, height) = ((200.5 / 256.0 - 0.5) * 2.0 * PI, 40.5 / 128.0 * PI);
        let toward = [libm::cos(turn) * libm::sin(height), libm::cos(height)];
        assert!((f64::from(lamp.toward.x) - toward[0]).abs() < 1e-6, "{lamp:?}");
        assert!((f64::from(lamp.toward.y) - toward[1]).abs() < 1e-6, "{lamp:?}");
        let edge = |row: f64| libm::cos(row / 128.0 * PI);
        let angle = 2.0 * PI / 256.0 * (edge(40.0) - edge(41.0));
        let left = f64::from(rest.texels[40 * 256 + 200][0]);
        let light = (20_000.0 - left) * angle / PI;
        assert!((f64::from(lamp.color.x) / light - 1.0).abs() < 1e-5, "{lamp:?} for {light}");
        assert!(left < 100.0 && rest.texels[0] == [0.25; 3]);
    }

    #[test]
    fn lamp_of_a_turned_environment_stands_where_its_light_comes_from() {
        let sun = |x, y| if (x, y) == (200, 40) { 20_000.0 } else { 0.25 };
        let map = EnvironmentMap::of_panorama(&panorama(sun));
        let turned = Environment { map: &map, turn: [0.8, 0.6], intensity: 2.0, is_shown: false };
        let [lamp] = turned.lamps()[..] else { panic!("one sun") };
        let of = |normal: Vec3| {
            let without = Vec3::from(turned.around(normal.into()));
            Vec3::from(turned.diffuse(normal.into())) - without
        };
        assert!((of(lamp.toward) - lamp.color).length() < 1e-3 * lamp.color.x);
        assert_eq!(of(-lamp.toward), Vec3::ZERO);
        // The backdrop shows the lamp there, with the same amount as a map of reflections.
        let behind = Vec3::from(turned.backdrop(lamp.toward.into())).x;
        assert!(behind > 3.0 * lamp.color.x, "{behind}");
        assert!((Vec3::from(turned.backdrop((-lamp.toward).into())).x - 0.5).abs() < 1e-2);
    }

    #[test]
    fn patch_across_the_seam_is_one_lamp_and_a_wide_one_is_none() {
        let near = |x: u32, y: u32, reach: u32| x.min(256 - x) <= reach && y.abs_diff(60) <= reach;
        let (lamps, _) = taken_out(&panorama(|x, y| if near(x, y, 1) { 5000.0 } else { 0.1 }));
        let [lamp] = lamps[..] else { panic!("{lamps:?}") };
        assert!(lamp.toward.z.abs() < 0.02 && lamp.toward.x < -0.99, "{lamp:?}");
        let window = panorama(|x, y| if near(x, y, 8) { 5000.0 } else { 0.1 });
        assert_eq!(taken_out(&window), (Vec::new(), window));
        // A lamp in a window is one.
        let in_window = |x, y| match (near(x, y, 0), near(x, y, 8)) {
            (true, _) => 600_000.0,
            (_, true) => 5000.0,
            _ => 0.1,
        };
        assert_eq!(taken_out(&panorama(in_window)).0.len(), 1);
        assert_eq!(taken_out(&panorama(|_, _| 0.0)).0, []);
    }

    #[test]
    fn light_of_some_width_sets_little_by_little() {
        for step in -40..=40_i16 {
            let (cosine, half_width) = (f32::from(step) * 0.005, 0.05);
            // The mean over the positions of its parts.
            let parts = (0..1000_u16).map(|part| {
                let offset = (f32::from(part) + 0.5) / 500.0 - 1.0;
                f64::from(tintype_model::math::max(cosine + offset * half_width, 0.0))
            });
            let mean = parts.sum::<f64>() / 1000.0;
            assert!((f64::from(facing(cosine, half_width)) - mean).abs() < 1e-5, "{cosine}");
        }
        assert_eq!(facing(-0.5, 0.0), -0.5);
    }
}
