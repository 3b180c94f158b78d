//! Light on the ground at a point, with and without shadows, and how it fades: one source for plain
//! floats and for lanes.

use crate::ground::scalar::Ground;
use crate::shading::context::{LightContext, rgb};
use crate::shading::punctual::limited;
use crate::shadow::map::ShadowMap;
use tintype_model::math::number::{Number, Triple};
use tintype_model::math::{Vec3, max};
use tintype_model::{Light, LinearRgb};

/// Fraction of the radius up to which the ground is opaque.
const WHOLE: f32 = 0.5;

/// Weights of red, green and blue in the luminance of a linear colour (ITU-R BT.709).
const LUMINANCE: Vec3 = Vec3::new(0.2126, 0.7152, 0.0722);

impl Ground {
    /// Colour of the ground, premultiplied, at a fraction of its radius from its centre, where a
    /// nearby occluder blocks a fraction of the light. `visible` is the part of a light that passes
    /// its shadow map, `pixel` the column and row.
    #[inline(always)]
    pub(super) fn seen<N: Number>(
        &self,
        light: &LightContext,
        position: Triple<N>,
        share: N,
        kept: N,
        pixel: [N; 2],
        visible: impl Fn(&ShadowMap) -> N,
    ) -> [N; 4] {
        let (zero, one) = (share.constant(0.0), share.constant(1.0));
        let fade = smooth(held((one - share) * (1.0 / (1.0 - WHOLE))));
        let [whole, left] = light_on(light, position, visible);
        let open = one - kept * self.floor.contact;
        match self.floor.color {
            None => {
                let bright = luminance(whole);
                let lit = (luminance(left) / bright).at_most(one);
                let lit = N::select(bright.is_above(zero), lit, one);
                [zero, zero, zero, (one - lit * open) * fade * self.inside(pixel)]
            }
            Some(LinearRgb { r, g, b }) => {
                let color = Triple::constant(share, Vec3::new(r, g, b)).times(left).scaled(open);
                [held(color.x) * fade, held(color.y) * fade, held(color.z) * fade, fade]
            }
        }
    }

    /// Weight of shadows by the distance of a pixel from the edges of the picture: 0 there, 1
    /// beyond the band.
    #[inline(always)]
    #[expect(clippy::cast_precision_loss, reason = "a side has at most 15 bits")]
    fn inside<N: Number>(&self, [x, y]: [N; 2]) -> N {
        let [width, height] = self.size;
        let band = self.floor.edge * width.min(height) as f32;
        if band <= 0.0 {
            return x.constant(1.0);
        }
        let across = x.at_most(x.constant((width - 1) as f32) - x);
        let down = y.at_most(y.constant((height - 1) as f32) - y);
        smooth((across.at_most(down) / x.constant(band)).at_most(x.constant(1.0)))
    }
}

/// A value clamped to 0..=1.
#[inline(always)]
fn held<N: Number>(value: N) -> N {
    value.at_least(value.constant(0.0)).at_most(value.constant(1.0))
}

/// Smoothstep of a value in 0..=1.
#[inline(always)]
fn smooth<N: Number>(part: N) -> N {
    part * part * (part.constant(3.0) - part * 2.0)
}

#[inline(always)]
fn luminance<N: Number>(color: Triple<N>) -> N {
    color.dot(Triple::constant(color.x, LUMINANCE))
}

/// Light on the ground without shadows, and with them.
#[inline(always)]
fn light_on<N: Number>(
    light: &LightContext,
    position: Triple<N>,
    visible: impl Fn(&ShadowMap) -> N,
) -> [Triple<N>; 2] {
    let like = position.x;
    let mut whole = Triple::constant(like, rgb(light.ambient));
    if light.environment.is_some() {
        whole = whole.plus(Triple::constant(like, light.environment_up));
    }
    let mut lost = Triple::constant(like, Vec3::ZERO);
    for (index, one) in light.lights.iter().enumerate() {
        match *one {
            Light::Directional { to_light, color } => {
                let falls = Triple::constant(like, rgb(color) * max(to_light.y, 0.0));
                whole = whole.plus(falls);
                if to_light.y > 0.0
                    && let Some(map) = light.shadow_of(index)
                {
                    lost = lost.plus(falls.scaled(like.constant(1.0) - visible(map)));
                }
            }
            Light::Point { position: lamp, color, reach, range, cone } => {
                let offset = Triple::constant(like, lamp).minus(position);
                let squared = offset.dot(offset).at_least(like.constant(f32::MIN_POSITIVE));
                let distance = squared.root();
                let cosine = offset.y.at_least(like.constant(0.0)) / distance;
                let falls = like.constant(reach * reach) / squared * cosine;
                let to_light =
                    Triple::new(offset.x / distance, offset.y / distance, offset.z / distance);
                let falls = limited(falls, squared, to_light, range, cone);
                whole = whole.plus(Triple::constant(like, rgb(color)).scaled(falls));
            }
            Light::Hemisphere { sky, .. } => {
                whole = whole.plus(Triple::constant(like, rgb(sky)));
            }
        }
    }
    [whole, whole.minus(lost)]
}
