//! Transmitted light: the picture behind a surface, bent, blurred and tinted.
//!
//! Input: the picture of everything except such surfaces, in linear light, and a point. Output: the
//! transmitted light that reaches the eye.
//!
//! ```text
//! r  = refract(-V, N, 1 / ior) · thickness       exit = position + r, which is looked up where the camera sees it
//! level = log2(width) · roughness · clamp(2 ior - 2, 0, 1)
//! light = (1 - F) · base · attenuation ^ (|r| / distance) · picture(exit, level)
//! ```
//!
//! Such surfaces do not show each other. A ray that leaves the picture gets its edge.
//!
//! # Source
//! KHR_materials_transmission, KHR_materials_volume, and the Khronos sample viewer. Cubic filter:
//! Sigg and Hadwiger, "Fast Third-Order Texture Filtering", GPU Gems 2, 2005.

use crate::environment::lookup::{Lookup, mix};
use crate::environment::map::{Levels, MapLevel};
use crate::environment::texel::pack;
use crate::geometry::projection::Projection;
use tintype_model::math::func;
use tintype_model::math::number::Triple;
use tintype_model::{LinearRgb, MetallicRoughness, Transmission};

/// The picture behind transmissive surfaces: its mip levels, and its camera.
pub(crate) struct Behind {
    levels: Vec<MapLevel>,
    texels: Vec<[u16; 4]>,
    projection: Projection,
    /// The binary logarithm of its width.
    width_log: f32,
}

impl Behind {
    /// From the packed texels of the picture, row by row.
    #[expect(clippy::cast_precision_loss, reason = "a side has at most 15 bits")]
    pub(crate) fn new(
        projection: Projection,
        size: [u32; 2],
        texel: impl Fn(u32, u32) -> [u16; 4],
    ) -> Self {
        let (mut levels, mut texels) = (Vec::new(), Vec::new());
        push_level(&mut levels, &mut texels, size, bordered(size, texel));
        while let Some(&finer) = levels.last().filter(|level: &&MapLevel| level.size != [1, 1]) {
            let size = finer.size.map(|side| (side / 2).max(1));
            let [across, down] = size.map(|side| 1.0 / side as f32);
            let own = bordered(size, |x, y| {
                let place = [(x as f32 + 0.5) * across, (y as f32 + 0.5) * down];
                packed(mix(&texels, finer, place))
            });
            push_level(&mut levels, &mut texels, size, own);
        }
        Self { levels, texels, projection, width_log: func::log2(size[0] as f32) }
    }

    /// Light seen by the camera at a point, blurred up to a level.
    #[inline(always)]
    #[expect(clippy::cast_precision_loss, reason = "few levels")]
    fn seen<N: Lookup>(&self, at: Triple<N>, level: N) -> Triple<N> {
        let like = level;
        let (zero, one) = (like.constant(0.0), like.constant(1.0));
        let Projection { rows, offset, half, near, is_orthographic } = self.projection;
        let along = |axis: usize| at.dot(Triple::constant(like, rows[axis])) + offset[axis];
        let depth = along(2).at_least(like.constant(near));
        let part = if is_orthographic { one } else { one / depth };
        let across = along(0) * part * (0.5 / half[0]) + 0.5;
        let up = along(1) * part * (0.5 / half[1]) + 0.5;
        let place = [across.at_least(zero).at_most(one), up.at_least(zero).at_most(one)];
        let last = like.constant((self.levels.len() - 1) as f32);
        let level = level.at_least(zero).at_most(last);
        let finer = level.whole();
        let part = level - finer;
        let near = self.cubic(finer, place);
        if !N::any(part.is_above(zero)) {
            return near;
        }
        let far = self.cubic((finer + 1.0).at_most(last), place);
        near.plus(far.minus(near).scaled(part))
    }

    /// The cubic mean of sixteen texels of a level, as four of two by two.
    #[inline(always)]
    fn cubic<N: Lookup>(&self, level: N, place: [N; 2]) -> Triple<N> {
        let levels = Levels { levels: &self.levels, texels: &self.texels };
        let [width, height] = N::size_of(levels, level);
        let (x, of_x) = pairs(place[0], width);
        let (y, of_y) = pairs(place[1], height);
        let upper = row(levels, level, (x, of_x), y[0]).scaled(of_y[0]);
        upper.plus(row(levels, level, (x, of_x), y[1]).scaled(of_y[1]))
    }
}

/// The mean of the texels of a level at two positions of a row, by their weights.
#[inline(always)]
fn row<N: Lookup>(levels: Levels, level: N, (x, of_x): ([N; 2], [N; 2]), y: N) -> Triple<N> {
    let left = N::of_level(levels, level, [x[0], y]).scaled(of_x[0]);
    left.plus(N::of_level(levels, level, [x[1], y]).scaled(of_x[1]))
}

fn packed(light: Triple<f32>) -> [u16; 4] {
    pack_rgb([light.x, light.y, light.z])
}

/// A linear colour as a texel.
pub(crate) fn pack_rgb(color: [f32; 3]) -> [u16; 4] {
    let [r, g, b] = color.map(pack);
    [r, g, b, 0]
}

/// Adds a level with its border.
fn push_level(
    levels: &mut Vec<MapLevel>,
    texels: &mut Vec<[u16; 4]>,
    size: [u32; 2],
    own: Vec<[u16; 4]>,
) {
    levels.push(MapLevel { size, first: texels.len() });
    texels.extend(own);
}

/// The texels of a level with a border that repeats its edge.
fn bordered([width, height]: [u32; 2], texel: impl Fn(u32, u32) -> [u16; 4]) -> Vec<[u16; 4]> {
    let mut all = Vec::new();
    for y in 0..height + 2 {
        let row = y.clamp(1, height) - 1;
        all.extend((0..width + 2).map(|x| texel(x.clamp(1, width) - 1, row)));
    }
    all
}

/// Positions between the first and the last two of the four texels around a position, and the
/// weights of both pairs.
#[inline(always)]
fn pairs<N: Lookup>(place: N, count: N) -> ([N; 2], [N; 2]) {
    let (zero, one) = (place.constant(0.0), place.constant(1.0));
    let at = place * count + 0.5;
    let whole = at.whole();
    let a = at - whole;
    let (squared, sixth) = (a * a, 1.0 / 6.0);
    let cubed = squared * a;
    let second = (cubed * 3.0 - squared * 6.0 + 4.0) * sixth;
    let fourth = cubed * sixth;
    let last = ((squared - cubed + a) * 3.0 + 1.0) * sixth + fourth;
    let first = one - last;
    let held = |texel: N| ((whole + texel - 0.5) / count).at_least(zero).at_most(one);
    ([held(second / first - 1.0), held(fourth / last + 1.0)], [first, last])
}

/// Values of transmitted light that all points of a material have in common.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Clear {
    /// Index of refraction, from 1.
    ior: f32,
    /// Fraction of the roughness that blurs the transmission.
    blur: f32,
    /// The binary logarithm of the colour of light per unit of path length. None if nothing is
    /// absorbed.
    fading: Option<[f32; 3]>,
}

impl Clear {
    /// The transmission of a material. None if no light passes.
    pub(crate) fn of(response: &MetallicRoughness) -> Option<Self> {
        let Transmission { share, attenuation_color, attenuation_distance, .. } =
            response.transmission;
        let ior = tintype_model::math::max(response.ior, 1.0);
        let rate = 1.0 / attenuation_distance;
        let LinearRgb { r, g, b } = attenuation_color;
        (share > 0.0).then(|| Self {
            ior,
            blur: tintype_model::math::min(ior * 2.0 - 2.0, 1.0),
            fading: (rate > 0.0).then(|| [r, g, b].map(|part| func::log2(part) * rate)),
        })
    }

    /// The light transmitted through a point with a unit normal, before the surface and its
    /// reflection take their part.
    #[inline(always)]
    pub(crate) fn light<N: Lookup>(
        &self,
        behind: &Behind,
        [normal, to_eye, position]: [Triple<N>; 3],
        [thickness, roughness]: [N; 2],
    ) -> Triple<N> {
        let ratio = 1.0 / self.ior;
        let zero = roughness.constant(0.0);
        let cosine = normal.dot(to_eye);
        let squared = (cosine * cosine - 1.0) * (ratio * ratio) + 1.0;
        let upright = cosine * ratio - squared.at_least(zero).root();
        let ray = normal.scaled(upright).minus(to_eye.map(|part| part * ratio));
        let exit = position.plus(ray.scaled(thickness));
        let light = behind.seen(exit, roughness * (self.blur * behind.width_log));
        let Some([r, g, b]) = self.fading else { return light };
        let kept = |rate: f32| (thickness * rate).binary_power();
        light.times(Triple::new(kept(r), kept(g), kept(b)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tintype_model::math::Vec3;
    use tintype_model::{Camera, FovAxis};

    const SIZE: [u32; 2] = [37, 20];

    fn camera() -> Camera {
        let fov = FovAxis::Vertical(0.9);
        Camera::looking_at(Vec3::new(0.2, 0.3, 3.0), Vec3::ZERO, Vec3::Y, fov, 0.1, 100.0)
    }

    /// A picture whose texels encode their position.
    fn behind() -> Behind {
        Behind::new(Projection::new(&camera(), SIZE), SIZE, |x, y| {
            pack_rgb([x as f32 / 37.0, y as f32 / 20.0, 0.25])
        })
    }

    #[test]
    fn refracted_ray_is_that_of_the_extension() {
        // A ramp in both directions: the cubic mean of a ramp is the ramp, so the colour is the
        // position where the ray ends.
        let behind = behind();
        for (ior, thickness) in [(1.0, 0.5), (1.5, 0.0), (1.5, 0.4), (2.4, 0.7)] {
            let response = MetallicRoughness {
                ior,
                transmission: Transmission {
                    share: 1.0,
                    attenuation_color: LinearRgb::new(0.8, 0.5, 0.2),
                    attenuation_distance: 0.7,
                    ..Transmission::default()
                },
                ..MetallicRoughness::default()
            };
            let (position, normal) = (Vec3::new(-0.1, 0.2, 0.3), Vec3::new(0.3, 0.2, 0.9));
            let normal = normal.normalize();
            let to_eye = (camera().eye - position).normalize();
            let clear = Clear::of(&response).unwrap();
            let at = [normal, to_eye, position].map(Triple::from);
            let found = Vec3::from(clear.light(&behind, at, [thickness, 0.0]));

            // The formula of the extension in `f64`.
            let [n, v, p] = [normal, to_eye, position].map(|own| own.to_array().map(f64::from));
            let eta = 1.0 / f64::from(ior);
            let cosine: f64 = (0..3).map(|k| n[k] * -v[k]).sum();
            let left = 1.0 - eta * eta * (1.0 - cosine * cosine);
            let exit = [0, 1, 2].map(|k| {
                let ray = eta * -v[k] - (eta * cosine + left.sqrt()) * n[k];
                p[k] + ray * f64::from(thickness)
            });
            let exit = Vec3::from_array(exit.map(|part| part as f32));
            let pixel = camera().pixel_of(exit, SIZE);
            let place = [(pixel[0] - 0.5) / 37.0, (pixel[1] - 0.5) / 20.0, 0.25];
            for (k, color) in [0.8_f64, 0.5, 0.2].into_iter().enumerate() {
                let kept = libm::pow(color, f64::from(thickness) / 0.7);
                let (found, expected) = (f64::from(found[k]), place[k] * kept);
                assert!((found - expected).abs() < 1e-3, "{ior}: {found} for {expected}");
            }
        }
    }

    #[test]
    fn rough_glass_blurs_up_to_the_mean() {
        let behind = behind();
        let clear = |ior| {
            let transmission = Transmission { share: 1.0, ..Transmission::default() };
            Clear::of(&MetallicRoughness { ior, transmission, ..MetallicRoughness::default() })
        };
        let (at, to_eye) = (Vec3::new(0.9, 0.5, 0.0), Vec3::new(0.0, 0.0, 1.0));
        let of = |ior, roughness: f32| {
            let at = [Vec3::Z, to_eye, at].map(Triple::from);
            Vec3::from(clear(ior).unwrap().light(&behind, at, [0.0, roughness]))
        };
        let mean = Vec3::new(18.0 / 37.0, 9.5 / 20.0, 0.25);
        assert!((of(1.5, 1.0) - mean).length() < 0.02, "{}", of(1.5, 1.0));
        assert_eq!(of(1.0, 1.0), of(1.5, 0.0), "without refraction nothing is blurred");
        let beyond = Vec3::new(50.0, 0.0, 0.0);
        let at = [Vec3::Z, to_eye, beyond].map(Triple::from);
        let edge = clear(1.5).unwrap().light(&behind, at, [0.0, 0.0]);
        assert!((edge.x - 36.0 / 37.0).abs() < 1e-3, "beyond the picture is its edge: {}", edge.x);
    }
}
