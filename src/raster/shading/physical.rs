//! The metallic-roughness light model: glTF 2.0, appendix B, for plain floats and for lanes.
//!
//! Input: a surface point with its response, the lights, and the light from all around. Output: the light that leaves the point
//! toward the eye.
//!
//! ```text
//! dielectric = (1 - F) · base · d + F · π D V · d        F = f0 + (f90 - f0) (1 - V·H)⁵
//! metal      = F(base) · π D V · d                       d = max(N·L, 0)
//! colour     = mix(dielectric, metal, metallic) · C      D: GGX; V: Smith with heights correlated; alpha = roughness²
//! point light:  C = colour · (reach / distance)²
//! ```
//!
//! `C` is the light by which a white diffuse surface gives 1: the illuminance over π. Ambient light, hemispheres and the environment
//! come from all directions: the diffuse part takes their mean over the hemisphere of the normal, the reflection that around the
//! mirrored direction, times the share that the surface reflects, with light that bounces between its facets. Occlusion dims them alone.
//!
//! A clear coat and a sheen lie over it: each takes away what it reflects itself.
//!
//! # Source
//! glTF 2.0, appendix B; KHR_materials_specular, _ior, _clearcoat, _sheen. Light between facets: Fdez-Agüera, "A Multiple-Scattering
//! Microfacet Model for Real-Time Image-based Lighting", JCGT 8(1), 2019. Occlusion of reflections: Lagarde and de Rousiers, "Moving
//! Frostbite to Physically Based Rendering", 2014. Sheen: Estevez and Kulla, "Production Friendly Microfacet Sheen BRDF", 2017.

use crate::math::Vec3;
use crate::math::number::{Number, Triple};
use crate::model::{Light, LinearRgb, MetallicRoughness};
use crate::raster::environment::lookup::Lookup;
use crate::raster::shading::context::LightContext;
use crate::raster::shading::light::rgb;
use crate::raster::shading::punctual::limited;

/// Least roughness: a smoother surface would show a point light in no pixel.
const LEAST_ROUGHNESS: f32 = 0.045;
/// Least cosine to the eye: relief may turn a normal away.
const LEAST_COSINE: f32 = 1e-4;
/// Reflectance of a clear coat at its normal.
const COAT: f32 = 0.04;

/// Properties of a response that all points have in common.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Common {
    /// Reflectance of the dielectric part at its normal, and from the side.
    normal: Vec3,
    side: f32,
    /// The greatest component of `normal`.
    most: f32,
    has_metal: bool,
    coat: f32,
    coat_roughness: f32,
    sheen: Vec3,
    sheen_roughness: f32,
    has_occlusion: bool,
}

impl Common {
    pub(crate) fn new(response: &MetallicRoughness, has_occlusion: bool) -> Self {
        let ratio = (response.ior - 1.0) / (response.ior + 1.0);
        let base = ratio * ratio;
        let LinearRgb { r, g, b } = response.specular_color.scaled(base);
        let normal = [r, g, b].map(|part| crate::math::min(part, 1.0) * response.specular);
        let normal = Vec3::from_array(normal);
        Self {
            normal,
            side: response.specular,
            most: greatest(normal),
            has_metal: response.metallic > 0.0,
            coat: response.clearcoat,
            coat_roughness: crate::math::max(response.clearcoat_roughness, LEAST_ROUGHNESS),
            sheen: rgb(response.sheen_color),
            sheen_roughness: crate::math::max(response.sheen_roughness, 0.07),
            has_occlusion,
        }
    }
}

/// The greatest component.
#[inline(always)]
fn greatest(color: Vec3) -> f32 {
    Triple::from(color).greatest()
}

/// A surface point to be lit.
#[derive(Clone, Copy)]
pub(crate) struct Point<N> {
    /// Unit normal, turned to the viewer, with relief and without.
    pub normal: Triple<N>,
    pub smooth: Triple<N>,
    /// Unit vector to the eye.
    pub to_eye: Triple<N>,
    /// Position, where a light depends on it.
    pub position: Triple<N>,
    /// Linear colour of the surface.
    pub base: Triple<N>,
    pub metallic: N,
    pub roughness: N,
    /// Share of the light from all around that reaches the point.
    pub occlusion: N,
}

/// The fifth power of what a cosine lacks to 1: Schlick's share of grazing light.
#[inline(always)]
fn grazing<N: Number>(cosine: N) -> N {
    let left = (cosine.constant(1.0) - cosine).at_least(cosine.constant(0.0));
    let squared = left * left;
    squared * squared * left
}

/// π times the product of the distribution of facets and their visibility (GGX): `both` is the cosine between normal and half
/// vector, squared.
#[inline(always)]
fn facets<N: Number>(both_squared: N, to_light: N, to_eye: N, squared: N) -> N {
    let one = to_light.constant(1.0);
    let t = both_squared * (squared - one) + one;
    let rest = one - squared;
    let of_eye = to_light * (to_eye * to_eye * rest + squared).root();
    let of_light = to_eye * (to_light * to_light * rest + squared).root();
    squared * 0.5 / (t * t * (of_eye + of_light))
}

/// A surface as light sees it.
struct Surface<N> {
    point: Point<N>,
    to_eye: N,
    squared: N,
    diffuse: Triple<N>,
    /// Reflectance at the normal and from the side.
    normal: Triple<N>,
    side: N,
    coat_to_eye: N,
}

/// Light so far: of the base, of the coat, and of the sheen.
#[derive(Clone, Copy)]
struct Sum<N> {
    base: Triple<N>,
    coat: Triple<N>,
    sheen: Triple<N>,
}

/// The light that leaves a point toward the eye, without its own, linear; `visible` is the part of a light that reaches the point,
/// for its index and the lanes that ask.
#[inline(always)]
pub(crate) fn light_point<N: Lookup>(
    common: &Common,
    light: &LightContext,
    point: Point<N>,
    visible: impl Fn(usize, N::Mask) -> N,
) -> Triple<N> {
    let like = point.roughness;
    let (zero, one) = (like.constant(0.0), like.constant(1.0));
    let point =
        Point { roughness: point.roughness.at_least(like.constant(LEAST_ROUGHNESS)), ..point };
    let alpha = point.roughness * point.roughness;
    let to_eye = point.normal.dot(point.to_eye).at_least(like.constant(LEAST_COSINE));
    let mut surface = Surface {
        point,
        to_eye,
        squared: alpha * alpha,
        diffuse: point.base,
        normal: Triple::constant(like, common.normal),
        side: like.constant(common.side),
        coat_to_eye: to_eye,
    };
    if common.has_metal {
        let metallic = point.metallic;
        surface.diffuse = point.base.scaled(one - metallic);
        let more = point.base.minus(surface.normal).scaled(metallic);
        surface.normal = surface.normal.plus(more);
        surface.side = surface.side + (one - surface.side) * metallic;
    }
    if common.coat > 0.0 {
        let cosine = point.smooth.dot(point.to_eye);
        surface.coat_to_eye = cosine.at_least(like.constant(LEAST_COSINE));
    }
    let none = Triple::new(zero, zero, zero);
    let mut sum = Sum { base: none, coat: none, sheen: none };

    // 1. Lights with a direction; all others come from everywhere.
    let mut around = Triple::constant(like, rgb(light.ambient));
    let mut mirrored = around;
    let toward = mirrored_direction(&point);
    for (number, one_light) in light.lights.iter().enumerate() {
        let (to_light, color) = match *one_light {
            Light::Directional { to_light, color } => {
                (Triple::constant(like, to_light), Triple::constant(like, rgb(color)))
            }
            Light::Point { position, color, reach, range, cone } => {
                let offset = Triple::constant(like, position).minus(point.position);
                let squared = offset.dot(offset).at_least(like.constant(f32::MIN_POSITIVE));
                let to_light = offset.scaled(one / squared.root());
                let falloff = like.constant(reach * reach) / squared;
                let falloff = limited(falloff, squared, to_light, range, cone);
                (to_light, Triple::constant(like, rgb(color)).scaled(falloff))
            }
            Light::Hemisphere { sky, ground } => {
                let low = Triple::constant(like, rgb(ground));
                let more = Triple::constant(like, rgb(sky) - rgb(ground));
                let at = |y: N| low.plus(more.scaled(y * 0.5 + 0.5));
                around = around.plus(at(point.normal.y));
                mirrored = mirrored.plus(at(toward.y));
                continue;
            }
        };
        let facing = point.normal.dot(to_light);
        let is_lit = facing.is_above(zero);
        if N::any(is_lit) {
            let color = color.scaled(visible(number, is_lit));
            add_light(common, &surface, to_light, color, facing.at_least(zero), &mut sum);
        }
    }

    // 2. Light from everywhere.
    let mut coat_mirrored = mirrored;
    if let Some(environment) = &light.environment {
        around = around.plus(environment.diffuse(point.normal));
        mirrored = mirrored.plus(environment.reflected(toward, point.roughness));
        if common.coat > 0.0 {
            let roughness = like.constant(common.coat_roughness);
            let smooth = Point { normal: point.smooth, roughness, ..point };
            let toward = mirrored_direction(&smooth);
            coat_mirrored = coat_mirrored.plus(environment.reflected(toward, roughness));
        }
    }
    add_surroundings(common, &surface, around, mirrored, &mut sum);
    if common.coat > 0.0 {
        let roughness = like.constant(common.coat_roughness);
        let [scale, offset] = N::albedo(surface.coat_to_eye, roughness);
        let reflected = coat_mirrored.scaled((scale * COAT + offset) * point.occlusion);
        sum.coat = sum.coat.plus(reflected);
    }

    // 3. Layers.
    let mut base = sum.base;
    if common.sheen != Vec3::ZERO {
        base = base.plus(sum.sheen);
    }
    if common.coat > 0.0 {
        let kept = one - (grazing(surface.coat_to_eye) * (1.0 - COAT) + COAT) * common.coat;
        let coat = common.coat;
        base = base.scaled(kept).plus(sum.coat.map(|value| value * coat));
    }
    base
}

/// The direction from which a reflection comes: the mirrored one, nearer the normal where the surface is rough.
#[inline(always)]
fn mirrored_direction<N: Number>(point: &Point<N>) -> Triple<N> {
    let twice = point.normal.dot(point.to_eye) * 2.0;
    let mirrored = point.normal.scaled(twice).minus(point.to_eye);
    let squared = point.roughness * point.roughness;
    mirrored.plus(point.normal.minus(mirrored).scaled(squared * squared))
}

/// Adds a light of one direction.
#[inline(always)]
fn add_light<N: Number>(
    common: &Common,
    surface: &Surface<N>,
    to_light: Triple<N>,
    color: Triple<N>,
    facing: N,
    sum: &mut Sum<N>,
) {
    let Surface { point, to_eye, squared, diffuse, normal, side, coat_to_eye } = surface;
    let one = facing.constant(1.0);
    let between = to_light.dot(point.to_eye);
    // The squared length of the half vector, and with it the cosines to it.
    let half = (between * 2.0 + 2.0).at_least(facing.constant(1e-6));
    let to_half = (half * 0.25).at_most(one).root();
    let both = facing + *to_eye;
    let both = (both * both / half).at_most(one);
    let grazed = grazing(to_half);

    // 1. Base.
    let left = one - (grazed * (common.side - common.most) + common.most);
    let reflected = normal.plus(normal.map(|value| *side - value).scaled(grazed));
    let specular = reflected.scaled(facets(both, facing, *to_eye, *squared));
    let mut base = diffuse.scaled(left).plus(specular).scaled(facing);

    // 2. Layers.
    if common.sheen != Vec3::ZERO {
        let rough = common.sheen_roughness * common.sheen_roughness;
        let sine = (one - both).at_least(facing.constant(1.0 / 128.0));
        let power = (sine.binary_log() * (0.5 / rough)).binary_power();
        let seen =
            one / ((facing + *to_eye - facing * *to_eye) * 4.0).at_least(facing.constant(1e-4));
        // π cancels that of the light.
        let strength = power * (1.0 + 0.5 / rough) * seen.at_most(one) * facing;
        let sheen = Triple::constant(facing, common.sheen).scaled(strength);
        sum.sheen = sum.sheen.plus(sheen.times(color));
        let most = greatest(common.sheen);
        let kept = sheen_albedo(*to_eye, common).at_least(sheen_albedo(facing, common));
        base = base.scaled(one - kept * most);
    }
    sum.base = sum.base.plus(base.times(color));
    if common.coat > 0.0 {
        let zero = facing.constant(0.0);
        // Where the surface is turned away, so is its coat: relief or not, no light is looked for there.
        let is_lit = facing.is_above(zero);
        let coat_facing = point.smooth.dot(to_light).at_least(zero);
        let coat_facing = N::select(is_lit, coat_facing, zero);
        let both = coat_facing + *coat_to_eye;
        let both = (both * both / half).at_most(one);
        let rough = common.coat_roughness * common.coat_roughness;
        let facets = facets(both, coat_facing, *coat_to_eye, facing.constant(rough * rough));
        let strength = facets * (grazed * (1.0 - COAT) + COAT) * coat_facing;
        sum.coat = sum.coat.plus(color.scaled(strength));
    }
}

/// Share of the light from all around that a sheen of white reflects.
#[inline(always)]
fn sheen_albedo<N: Number>(cosine: N, common: &Common) -> N {
    let rough = common.sheen_roughness;
    let (squared, inverse) = (rough * rough, 1.0 / (rough + 0.1));
    let slope = -1.9362 + 1.0678 * rough + 0.4573 * squared - 0.8469 * inverse;
    let start = -0.6014 + 0.5538 * rough - 0.4670 * squared - 0.1255 * inverse;
    let log = core::f32::consts::LOG2_E;
    (cosine * (slope * log) + (start * log)).binary_power().at_most(cosine.constant(1.0))
}

/// Light between facets: the part that one bounce gives, and that of further ones.
#[inline(always)]
fn bounced<N: Number>(reflectance: N, side: N, [scale, offset]: [N; 2]) -> [N; 2] {
    let one = side.constant(1.0);
    let single = reflectance * scale + side * offset;
    let lost = one - (scale + offset);
    let mean = reflectance + (one - reflectance) * (1.0 / 21.0);
    let multiple = single * mean / (one - lost * mean) * lost;
    [single, multiple]
}

/// Adds light from everywhere: `around` is its mean over the hemisphere of the normal, `mirrored` that of the reflection.
#[inline(always)]
fn add_surroundings<N: Lookup>(
    common: &Common,
    surface: &Surface<N>,
    around: Triple<N>,
    mirrored: Triple<N>,
    sum: &mut Sum<N>,
) {
    let Surface { point, to_eye, .. } = surface;
    let like = *to_eye;
    let one = like.constant(1.0);
    let albedo = N::albedo(*to_eye, point.roughness);

    // 1. The dielectric part: its diffuse colour gets what the reflection leaves.
    let side = like.constant(common.side);
    let [single, multiple] = bounced(like.constant(common.most), side, albedo);
    let mut diffuse = surface.diffuse.scaled(one - (single + multiple));
    let tint = if common.most > 0.0 { common.normal * (1.0 / common.most) } else { Vec3::ZERO };
    let mut further = Triple::constant(like, tint).scaled(multiple);
    let [scale, offset] = albedo;
    let edge = surface.side * offset;
    let direct = surface.normal.scaled(scale).raised(edge);

    // 2. The metallic part.
    if common.has_metal {
        let of = |value: N| bounced(value, one, albedo)[1];
        let metal = point.base.map(of);
        further = further.plus(metal.minus(further).scaled(point.metallic));
    }
    let mut reflected = mirrored.times(direct).plus(around.times(further));
    if common.sheen != Vec3::ZERO {
        let kept = sheen_albedo(*to_eye, common);
        let sheen = Triple::constant(like, common.sheen).times(around);
        sum.sheen = sum.sheen.plus(sheen.scaled(kept * point.occlusion));
        let left = one - kept * greatest(common.sheen);
        (diffuse, reflected) = (diffuse.scaled(left), reflected.scaled(left));
    }

    // 3. Occlusion.
    if common.has_occlusion {
        diffuse = diffuse.scaled(point.occlusion);
        reflected = reflected.scaled(reflected_share(point, *to_eye));
    }
    sum.base = sum.base.plus(diffuse.times(around)).plus(reflected);
}

/// Share of a reflection that occlusion leaves: the smoother the surface, the less it matters.
#[inline(always)]
fn reflected_share<N: Number>(point: &Point<N>, to_eye: N) -> N {
    let (zero, one) = (to_eye.constant(0.0), to_eye.constant(1.0));
    let exponent = (point.roughness * -16.0 - 1.0).binary_power();
    let power = ((to_eye + point.occlusion).binary_log() * exponent).binary_power();
    (power - 1.0 + point.occlusion).at_least(zero).at_most(one)
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::math::func;
    use crate::model::{Camera, FovAxis, Tone};
    use crate::raster::environment::{Environment, EnvironmentMap, neutral};
    use crate::raster::geometry::rays::Rays;

    /// The light of a point in some light.
    pub(in crate::raster::shading) fn lit(
        response: &MetallicRoughness,
        point: Point<f32>,
        ambient: f32,
        lights: &[Light],
        map: Option<&EnvironmentMap>,
    ) -> Vec3 {
        let (eye, fov) = (Vec3::Z, FovAxis::Vertical(1.0));
        let camera = Camera::looking_at(eye, Vec3::ZERO, Vec3::Y, fov, 0.1, 10.0);
        let rays = Rays::new(&camera, [8, 8]);
        let environment =
            map.map(|map| Environment { map, turn: [1.0, 0.0], intensity: 1.0, is_shown: false });
        let light = LightContext {
            ambient: LinearRgb::WHITE.scaled(ambient),
            lights,
            shadows: &[],
            rays: &rays,
            powers: &[],
            occlusion: None,
            needs_positions: true,
            environment,
            environment_up: Vec3::ZERO,
            tone: Tone::NONE,
        };
        light_point(&Common::new(response, false), &light, point, |_, _| 1.0).into()
    }

    pub(in crate::raster::shading) fn response(metallic: f32, roughness: f32) -> MetallicRoughness {
        MetallicRoughness { metallic, roughness, ..MetallicRoughness::default() }
    }

    pub(in crate::raster::shading) fn point(
        of: &MetallicRoughness,
        base: Vec3,
        to_eye: Vec3,
    ) -> Point<f32> {
        Point {
            normal: Vec3::Y.into(),
            smooth: Vec3::Y.into(),
            to_eye: to_eye.normalize().into(),
            position: Vec3::ZERO.into(),
            base: base.into(),
            metallic: of.metallic,
            roughness: of.roughness,
            occlusion: 1.0,
        }
    }

    /// Appendix B of glTF 2.0 in `f64`, by its half vector, for a normal of +Y and light of colour 1.
    pub(in crate::raster::shading) fn expected(
        metallic: f64,
        roughness: f64,
        base: f64,
        eye: [f64; 3],
        light: [f64; 3],
    ) -> f64 {
        let dot = |a: [f64; 3], b: [f64; 3]| a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
        let sum = [0, 1, 2].map(|k| eye[k] + light[k]);
        let half = sum.map(|part| part / dot(sum, sum).sqrt());
        let (to_eye, to_light, to_half) = (eye[1], light[1], half[1]);
        let squared = roughness * roughness * roughness * roughness;
        let t = to_half * to_half * (squared - 1.0) + 1.0;
        let distribution = squared / (core::f64::consts::PI * t * t);
        let smith = |a: f64, b: f64| a * (squared + (1.0 - squared) * b * b).sqrt();
        let visibility = 0.5 / (smith(to_light, to_eye) + smith(to_eye, to_light));
        let left = 1.0 - dot(eye, half);
        let grazing = left * left * left * left * left;
        let fresnel = |f0: f64| f0 + (1.0 - f0) * grazing;
        let specular = distribution * visibility;
        let diffuse = base / core::f64::consts::PI;
        let dielectric = diffuse + (specular - diffuse) * fresnel(0.04);
        let metal = specular * fresnel(base);
        (dielectric + (metal - dielectric) * metallic) * to_light * core::f64::consts::PI
    }

    #[test]
    fn light_of_one_direction_is_that_of_the_standard() {
        for (metallic, roughness) in
            [(0.0, 0.1), (0.0, 0.5), (0.0, 1.0), (0.4, 0.3), (1.0, 0.2), (1.0, 0.9)]
        {
            for k in 0..200_u16 {
                let turn = f32::from(k) * 2.4;
                let direction = |height: f32, turn: f32| {
                    let level = (1.0 - height * height).sqrt();
                    Vec3::new(level * func::cos(turn), height, level * func::sin(turn))
                };
                let eye = direction(0.1 + 0.0045 * f32::from(k), 0.3);
                let to_light = direction(0.05 + f32::from(k % 19) * 0.05, turn);
                let of = response(metallic, roughness);
                let sun = Light::Directional { to_light, color: LinearRgb::WHITE };
                let point = point(&of, Vec3::splat(0.6), eye);
                let found = f64::from(lit(&of, point, 0.0, &[sun], None).x);
                let wide = |vector: Vec3| vector.normalize().to_array().map(f64::from);
                let (m, r) = (f64::from(metallic), f64::from(roughness));
                let expected = expected(m, r, f64::from(0.6_f32), wide(eye), wide(to_light));
                // Where a highlight is a few pixels wide, its height hangs on the last bits of the cosine.
                let allowed = 1e-4 + expected * if roughness < 0.15 { 2e-2 } else { 1e-3 };
                let off = (found - expected).abs();
                assert!(off < allowed, "{metallic}, {roughness}, {k}: {found} for {expected}");
            }
        }
    }

    #[test]
    fn white_surface_in_a_white_room_stays_white() {
        let room = neutral();
        for metallic in [0.0, 1.0] {
            for step in 0..=20_u16 {
                let of = response(metallic, f32::from(step) / 20.0);
                for height in [1.0, 0.7, 0.4, 0.1] {
                    let eye = Vec3::new((1.0_f32 - height * height).sqrt(), height, 0.0);
                    for (ambient, map) in [(0.0, Some(&room)), (1.0, None)] {
                        let found = lit(&of, point(&of, Vec3::ONE, eye), ambient, &[], map);
                        let off = (found - Vec3::ONE).length();
                        assert!(off < 0.01, "{metallic}, {step}, {height}: {found}");
                    }
                }
            }
        }
    }

    #[test]
    fn layers_take_away_what_they_reflect() {
        let bare = response(0.0, 0.6);
        let eye = Vec3::new(0.3, 1.0, 0.2);
        let of = |response: &MetallicRoughness| {
            lit(response, point(response, Vec3::ONE, eye), 1.0, &[], None)
        };
        let coat = MetallicRoughness { clearcoat: 1.0, clearcoat_roughness: 0.2, ..bare.clone() };
        let sheen = MetallicRoughness {
            sheen_color: LinearRgb::WHITE,
            sheen_roughness: 0.5,
            ..bare.clone()
        };
        for layered in [coat, sheen] {
            let found = of(&layered);
            assert!((found - of(&bare)).length() < 0.03, "white stays white: {found}");
            let dark = lit(&layered, point(&layered, Vec3::ZERO, eye), 1.0, &[], None);
            let bare = lit(&bare, point(&bare, Vec3::ZERO, eye), 1.0, &[], None);
            assert!(dark.x > bare.x + 0.01, "it is seen over black: {dark} and {bare}");
        }
    }
}
