//! The two-tone light model, for plain floats and for lanes.
//!
//! ```text
//! share   = clamp((N·L + shift + 1 - toony) / (2 - 2 toony), 0, 1) · the visible part of the light
//! around  = ambient + mix(light around N, mean of the light around up and down, equalization)
//! surface = Σ C · mix(shade, base, share) of the first light with a direction, Σ C · base · share of all others + around · base
//! rim     = (rim colour · clamp(1 - N·V + lift, 0, 1)^power + matcap) · rim texel · mix(1, Σ C + around, lit)
//! look    = surface + rim + emissive
//! outline = outline colour · mix(1, look, lit)
//! ```
//!
//! Shade of every light would add up to a second lit tone, so only the first light has it.
//!
//! # Source
//! VRM Consortium, "VRMC_materials_mtoon-1.0".

use crate::environment::lookup::Lookup;
use crate::shading::context::{LightContext, rgb};
use crate::shading::physical::Point;
use crate::shading::punctual::{Arriving, arriving};
use tintype_model::math::number::{Number, Triple, pow_unit};
use tintype_model::math::{Vec3, max};
use tintype_model::{LinearRgb, Toon};

/// Minimum width of the edge between the tones, in cosines: a step would show the triangles.
const MIN_EDGE: f32 = 0.002;

/// Texels of the textures that only two-tone surfaces have.
#[derive(Clone, Copy)]
pub(crate) struct ToonTexels<N> {
    /// White without a texture.
    pub shade: Triple<N>,
    /// 0 without a texture.
    pub shift: N,
    /// White without a texture.
    pub rim: Triple<N>,
    /// Black without a texture.
    pub matcap: Triple<N>,
}

impl<N: Number> ToonTexels<N> {
    /// Values of a surface without such textures.
    #[inline(always)]
    pub(crate) fn none(like: N) -> Self {
        let all = |value| Triple::constant(like, Vec3::splat(value));
        Self { shade: all(1.0), shift: like.constant(0.0), rim: all(1.0), matcap: all(0.0) }
    }
}

/// The light from a point toward the eye, linear; `visible` returns the fraction of a light that
/// reaches the point, for its index and the active lanes.
#[inline(always)]
pub(crate) fn toon_light<N: Lookup>(
    toon: &Toon,
    light: &LightContext,
    point: Point<N>,
    (texels, emissive): (&ToonTexels<N>, Triple<N>),
    visible: impl Fn(usize, N::Mask) -> N,
) -> Triple<N> {
    let (zero, one) = (point.roughness.constant(0.0), point.roughness.constant(1.0));
    let around = around(toon, light, point.normal).scaled(point.occlusion);
    let mut reaching = around;
    let mut color = around.times(point.base);
    let start = toon.shift + 1.0 - toon.toony;
    let slope = 1.0 / max(2.0 - 2.0 * toon.toony, MIN_EDGE);
    let shift = texels.shift * toon.shift_scale + start;
    let shade = texels.shade.times(Triple::constant(zero, rgb(toon.shade)));
    let mut is_first = true;
    for (number, one_light) in light.lights.iter().enumerate() {
        let Arriving::From(to_light, arriving) = arriving(one_light, point.position) else {
            continue;
        };
        reaching = reaching.plus(arriving);
        let facing = point.normal.dot(to_light);
        let mut share = ((facing + shift) * slope).at_least(zero).at_most(one);
        let is_lit = share.is_above(zero);
        if N::any(is_lit) {
            // Lanes in the shade get no light, whatever is visible there.
            share = share * visible(number, is_lit);
        }
        let lit = point.base.scaled(share);
        let tone = if is_first { lit.plus(shade.scaled(one - share)) } else { lit };
        color = color.plus(arriving.times(tone));
        is_first = false;
    }
    color = color.plus(rim(toon, &point, texels, reaching)).plus(emissive);
    match &toon.outline {
        Some(outline) if toon.is_outline => {
            let mixed = color.map(|value| (value - 1.0) * outline.lit + 1.0);
            mixed.times(Triple::constant(zero, rgb(outline.color)))
        }
        _ => color,
    }
}

/// Light from all around on a surface with this normal, evened out.
#[inline(always)]
fn around<N: Lookup>(toon: &Toon, light: &LightContext, normal: Triple<N>) -> Triple<N> {
    let like = normal.x;
    let own = 1.0 - toon.equalization;
    let mut sum = Triple::constant(like, rgb(light.ambient));
    for one in light.lights {
        if let tintype_model::Light::Hemisphere { sky, ground } = *one {
            let (sky, ground) = (rgb(sky), rgb(ground));
            sum = sum.plus(Triple::constant(like, (sky + ground) * 0.5));
            let slope = Triple::constant(like, (sky - ground) * (0.5 * own));
            sum = sum.plus(slope.scaled(normal.y));
        }
    }
    let Some(environment) = &light.environment else { return sum };
    let above = environment.diffuse(Triple::constant(like, Vec3::Y));
    let below = environment.diffuse(Triple::constant(like, -Vec3::Y));
    let mean = above.plus(below).scaled(like.constant(0.5));
    if own == 0.0 {
        return sum.plus(mean);
    }
    let here = environment.diffuse(normal).minus(mean).scaled(like.constant(own));
    sum.plus(mean).plus(here)
}

/// Light of the rim and the matcap; `reaching` is all light that reaches the point.
#[inline(always)]
fn rim<N: Number>(
    toon: &Toon,
    point: &Point<N>,
    texels: &ToonTexels<N>,
    reaching: Triple<N>,
) -> Triple<N> {
    let (zero, one) = (point.roughness.constant(0.0), point.roughness.constant(1.0));
    let mut sum = texels.matcap.times(Triple::constant(zero, rgb(toon.matcap)));
    if toon.rim.color != LinearRgb::BLACK {
        let slanted = one - point.normal.dot(point.to_eye) + toon.rim.lift;
        let strength = pow_unit(slanted.at_least(zero).at_most(one), toon.rim.power);
        sum = sum.plus(Triple::constant(zero, rgb(toon.rim.color)).scaled(strength));
    }
    let mixed = reaching.map(|value| (value - 1.0) * toon.rim.lit + 1.0);
    sum.times(texels.rim).times(mixed)
}

/// Axes of a matcap at a point, in world space: its picture shows a sphere that keeps the eye's up.
/// `axes` are those of the view: right, up and back.
#[inline(always)]
pub(crate) fn matcap_axes<N: Number>(axes: &[Vec3; 3], to_eye: Triple<N>) -> [Triple<N>; 2] {
    let like = to_eye.x;
    let [right, up, back] = *axes;
    let (right, up) = (Triple::constant(like, right), Triple::constant(like, up));
    let back = Triple::constant(like, back);
    let (x, y, z) = (right.dot(to_eye), up.dot(to_eye), back.dot(to_eye));
    let length = (x * x + z * z).at_least(like.constant(f32::MIN_POSITIVE)).root();
    let (along, across) = (z / length, -x / length);
    // The second is the cross product of the direction to the eye and the first.
    let first = right.scaled(along).plus(back.scaled(across));
    let of_up = z * along - x * across;
    let second = right.scaled(y * across).plus(up.scaled(of_up)).minus(back.scaled(y * along));
    [first, second]
}

/// A direction as a step from the centre of the picture of a matcap.
#[inline(always)]
pub(crate) fn matcap_step<N: Number>(axes: &[Triple<N>; 2], direction: Triple<N>) -> [N; 2] {
    [axes[0].dot(direction) * 0.5, axes[1].dot(direction) * -0.5]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn matcap_shows_its_middle_where_the_surface_faces_the_eye() {
        let axes = [Vec3::X, Vec3::Y, Vec3::Z];
        for to_eye in [Vec3::Z, Vec3::new(0.36, 0.48, 0.8), Vec3::new(-0.6, 0.0, 0.8)] {
            let own = matcap_axes(&axes, Triple::from(to_eye));
            let [first, second] = own.map(Vec3::from);
            assert!((first.length() - 1.0).abs() < 1e-6 && (second.length() - 1.0).abs() < 1e-6);
            assert!((first.cross(second) - to_eye).length() < 1e-6, "{first} {second}");
            let [u, v] = matcap_step(&own, Triple::from(to_eye));
            assert!(u.abs() < 1e-6 && v.abs() < 1e-6, "{u} {v}");
        }
        // A normal to the right and up is right of and above the centre of the picture.
        let own = matcap_axes(&axes, Triple::from(Vec3::Z));
        let [u, v] = matcap_step(&own, Triple::from(Vec3::new(0.6, 0.8, 0.0)));
        assert!((u - 0.3).abs() < 1e-6 && (v + 0.4).abs() < 1e-6, "{u} {v}");
    }
}
