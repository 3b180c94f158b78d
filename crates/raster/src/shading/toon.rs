//! The light model of two tones, for plain floats and for lanes.
//!
//! ```text
//! share  = clamp((N·L + shift + 1 - toony) / (2 - 2 toony), 0, 1) · the visible part of the light
//! colour = Σ C · mix(shade, base, share) of the first light with a direction, Σ C · base · share of all others
//!        + base · the mean of the light from above and from below
//! ```
//!
//! Shade of every light would add up to a second lit tone, so that the first light alone has it.
//!
//! # Source
//! VRM Consortium, "VRMC_materials_mtoon-1.0", "Lighting".

use crate::environment::lookup::Lookup;
use crate::shading::context::{LightContext, rgb};
use crate::shading::physical::Point;
use crate::shading::punctual::{Arriving, arriving};
use tintype_model::Toon;
use tintype_model::math::Vec3;
use tintype_model::math::number::Triple;

/// Least width of the edge between the tones, in cosines: a step would show the triangles.
const MIN_EDGE: f32 = 0.002;

/// The light that leaves a point toward the eye, without its own, linear; `visible` is the part of a light that reaches the point,
/// for its index and the lanes that ask.
#[inline(always)]
pub(crate) fn toon_point<N: Lookup>(
    toon: &Toon,
    light: &LightContext,
    point: Point<N>,
    visible: impl Fn(usize, N::Mask) -> N,
) -> Triple<N> {
    let like = point.roughness;
    let (zero, one) = (like.constant(0.0), like.constant(1.0));
    let start = toon.shift + 1.0 - toon.toony;
    let slope = 1.0 / tintype_model::math::max(2.0 - 2.0 * toon.toony, MIN_EDGE);
    let base = point.base;
    let mut shade = Triple::constant(like, rgb(toon.shade));
    if toon.is_factor {
        shade = base.times(shade);
    }
    let mut sum = Triple::new(zero, zero, zero);
    let mut around = Triple::constant(like, rgb(light.ambient));
    let mut is_first = true;
    for (number, one_light) in light.lights.iter().enumerate() {
        let (to_light, color) = match arriving(one_light, point.position) {
            Arriving::From(to_light, color) => (to_light, color),
            Arriving::Around { sky, ground } => {
                let mean = (rgb(sky) + rgb(ground)) * 0.5;
                around = around.plus(Triple::constant(like, mean));
                continue;
            }
        };
        let facing = point.normal.dot(to_light);
        let mut share = ((facing + start) * slope).at_least(zero).at_most(one);
        let is_lit = share.is_above(zero);
        if N::any(is_lit) {
            // Lanes in the shade have no share, whatever is visible there.
            share = share * visible(number, is_lit);
        }
        let lit = base.scaled(share);
        let tone = if is_first { lit.plus(shade.scaled(one - share)) } else { lit };
        sum = sum.plus(color.times(tone));
        is_first = false;
    }
    if let Some(environment) = &light.environment {
        let above = environment.diffuse(Triple::constant(like, Vec3::Y));
        let below = environment.diffuse(Triple::constant(like, -Vec3::Y));
        around = around.plus(above.plus(below).scaled(like.constant(0.5)));
    }
    sum.plus(around.scaled(point.occlusion).times(base))
}
