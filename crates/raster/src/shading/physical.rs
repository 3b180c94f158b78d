//! The metallic-roughness light model: glTF 2.0, appendix B, for plain floats and for lanes.
//!
//! Input: a surface point with its response, the lights, and the light from all around. Output: the
//! light from the point toward the eye.
//!
//! ```text
//! dielectric = (1 - F) · base · d + F · π D V · d        F = f0 + (f90 - f0) (1 - V·H)⁵
//! metal      = F(base) · π D V · d                       d = max(N·L, 0)
//! colour     = mix(dielectric, metal, metallic) · C      D: GGX; V: Smith with heights correlated; alpha = roughness²
//! point light:  C = colour · (reach / distance)²
//! ```
//!
//! `C` is the light that makes a white diffuse surface return 1: the illuminance over π. Ambient
//! light, hemispheres and the environment come from all directions: the diffuse part takes their
//! mean over the hemisphere of the normal, the reflection takes the mean around the mirrored
//! direction, times the reflected fraction of the surface, with light that bounces between its
//! facets. Lamps of the environment are lights whose light also bounces between facets. Occlusion
//! dims only these.
//!
//! A clear coat and a sheen lie over it: each removes the light it reflects. Transmitted light
//! replaces scattered light; a film changes its reflectance, and a brushed surface has facets of
//! two roughnesses.
//!
//! # Source
//! glTF 2.0, appendix B; KHR_materials_specular, _ior, _clearcoat, _sheen; `glass`, `film` and
//! `brushed` cite others. Light between facets: Fdez-Agüera, "A Multiple-Scattering Microfacet
//! Model for Real-Time Image-based Lighting", JCGT 8(1), 2019. Occlusion of reflections: Lagarde
//! and de Rousiers, "Moving Frostbite to Physically Based Rendering", 2014. Sheen: Estevez and
//! Kulla, "Production Friendly Microfacet Sheen BRDF", 2017.

use crate::environment::lamps::facing as facing_of;
use crate::environment::lobe::{Lobe, lamp_share, level_of_panorama};
use crate::environment::lookup::Lookup;
use crate::shading::brushed::{Brushed, squared_along};
use crate::shading::context::{LightContext, rgb};
use crate::shading::film::{film, grazing};
use crate::shading::glass::Clear;
use crate::shading::punctual::{Arriving, arriving};
use tintype_model::math::func;
use tintype_model::math::number::{Number, Triple};
use tintype_model::{LinearRgb, MetallicRoughness, TextureRole};

/// Minimum roughness: a smoother surface would show a point light in no pixel.
const MIN_ROUGHNESS: f32 = 0.045;
/// Minimum cosine to the eye: a normal map may turn a normal away.
const MIN_COSINE: f32 = 1e-4;
/// Minimum roughness of a sheen.
const MIN_SHEEN_ROUGHNESS: f32 = 0.07;
/// Reflectance of a clear coat at its normal.
const COAT: f32 = 0.04;

/// Values of the layers of a response: of the material, or at a point after multiplication by its
/// textures.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Layers<N> {
    pub specular: N,
    pub specular_color: Triple<N>,
    pub coat: N,
    pub coat_roughness: N,
    pub sheen_color: Triple<N>,
    pub sheen_roughness: N,
    pub rare: Rare<N>,
}

/// Values of transmissive surfaces, of brushed ones and of films.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rare<N> {
    /// Fraction of transmitted light, and its path below the surface.
    transmission: N,
    thickness: N,
    /// Unit direction of the brushing along tangent and bitangent, and its strength.
    along: [N; 2],
    strength: N,
    /// Strength of a film, and its position between the minimum and the maximum thickness.
    film: N,
    film_part: N,
}

impl Rare<f32> {
    /// The layers of a material.
    fn of(
        MetallicRoughness { transmission, anisotropy, iridescence, .. }: &MetallicRoughness,
    ) -> Self {
        Self {
            transmission: transmission.share,
            thickness: transmission.thickness,
            along: [1.0, 0.0],
            strength: anisotropy.strength,
            film: iridescence.strength,
            film_part: 1.0,
        }
    }
}

impl<N: Number> Rare<N> {
    #[inline(always)]
    fn spread(of: &Rare<f32>, like: N) -> Self {
        Self {
            transmission: like.constant(of.transmission),
            thickness: like.constant(of.thickness),
            along: [like.constant(of.along[0]), like.constant(of.along[1])],
            strength: like.constant(of.strength),
            film: like.constant(of.film),
            film_part: like.constant(of.film_part),
        }
    }

    /// Rotates the direction by that of a texel, and multiplies the strength by its blue channel.
    #[inline(always)]
    fn brush(&mut self, texel: Triple<N>) {
        let (x, y) = (texel.x * 2.0 - 1.0, texel.y * 2.0 - 1.0);
        let length = (x * x + y * y).at_least(x.constant(1e-12)).root();
        self.along = [x / length, y / length];
        self.strength = self.strength * texel.z;
    }
}

impl Layers<f32> {
    pub(crate) fn of(response: &MetallicRoughness) -> Self {
        Self {
            specular: response.specular,
            specular_color: rgb(response.specular_color).into(),
            coat: response.clearcoat,
            coat_roughness: response.clearcoat_roughness,
            sheen_color: rgb(response.sheen_color).into(),
            sheen_roughness: response.sheen_roughness,
            rare: Rare::of(response),
        }
    }
}

impl<N: Number> Layers<N> {
    /// The same values in every lane of a number.
    #[inline(always)]
    pub(crate) fn spread(of: &Layers<f32>, like: N) -> Self {
        Self {
            specular: like.constant(of.specular),
            specular_color: spread(of.specular_color, like),
            coat: like.constant(of.coat),
            coat_roughness: like.constant(of.coat_roughness),
            sheen_color: spread(of.sheen_color, like),
            sheen_roughness: like.constant(of.sheen_roughness),
            rare: Rare::spread(&of.rare, like),
        }
    }

    /// Multiplies a value by the texel of its texture.
    #[inline(always)]
    pub(crate) fn take(&mut self, role: TextureRole, texel: Triple<N>) {
        match role {
            TextureRole::Clearcoat => self.coat = self.coat * texel.x,
            TextureRole::ClearcoatRoughness => {
                self.coat_roughness = self.coat_roughness * texel.y;
            }
            TextureRole::SheenColor => self.sheen_color = self.sheen_color.times(texel),
            TextureRole::SheenRoughness => self.sheen_roughness = self.sheen_roughness * texel.x,
            TextureRole::SpecularStrength => self.specular = self.specular * texel.x,
            TextureRole::SpecularColor => self.specular_color = self.specular_color.times(texel),
            TextureRole::Transmission => self.rare.transmission = self.rare.transmission * texel.x,
            TextureRole::Thickness => self.rare.thickness = self.rare.thickness * texel.y,
            TextureRole::Anisotropy => self.rare.brush(texel),
            TextureRole::Iridescence => self.rare.film = self.rare.film * texel.x,
            TextureRole::IridescenceThickness => self.rare.film_part = texel.y,
            _ => {}
        }
    }
}

/// A vector in every lane of a number.
#[inline(always)]
fn spread<N: Number>(of: Triple<f32>, like: N) -> Triple<N> {
    Triple::constant(like, of.into())
}

/// Roughness at a point whose texture stores glossiness.
#[inline(always)]
pub(crate) fn roughness_of_gloss<N: Number>(roughness: N, gloss: N) -> N {
    let one = roughness.constant(1.0);
    one - (one - roughness) * gloss
}

/// Present parts of the response of a material, regardless of its textures.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Parts {
    /// Reflectance of the dielectric at its normal before its strength and its colour.
    reflectance: f32,
    has_metal: bool,
    has_coat: bool,
    has_sheen: bool,
    has_occlusion: bool,
    /// Light that passes through it.
    clear: Option<Clear>,
    /// Cosine and sine of the rotation of the brushing direction.
    brush: Option<[f32; 2]>,
    /// Index of refraction of its film, and minimum and maximum thickness in nanometres.
    film: Option<(f32, [f32; 2])>,
}

impl Parts {
    pub(crate) fn new(response: &MetallicRoughness, has_occlusion: bool) -> Self {
        let ratio = (response.ior - 1.0) / (response.ior + 1.0);
        let MetallicRoughness { anisotropy, iridescence, .. } = response;
        Self {
            reflectance: ratio * ratio,
            has_metal: response.metallic > 0.0,
            has_coat: response.clearcoat > 0.0,
            has_sheen: response.sheen_color != LinearRgb::BLACK,
            has_occlusion,
            clear: Clear::of(response),
            brush: (anisotropy.strength > 0.0).then(|| {
                let turn = anisotropy.rotation_rad;
                [func::cos(turn), func::sin(turn)]
            }),
            film: (iridescence.strength > 0.0)
                .then_some((iridescence.ior, iridescence.thickness_nm)),
        }
    }
}

/// Properties of a response that do not depend on light and directions: common to all points, or of
/// each point if layers have textures.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Common<N> {
    parts: Parts,
    /// Reflectance of the dielectric part at its normal, and from the side.
    normal: Triple<N>,
    side: N,
    /// The largest component of `normal`, and all as fractions of it.
    most: N,
    tint: Triple<N>,
    coat: N,
    /// Roughness of the coat for lights, and for reflections.
    coat_roughness: N,
    coat_mirror: N,
    sheen: Sheen<N>,
    rare: Rare<N>,
}

/// A sheen of fibres.
#[derive(Clone, Copy, Debug)]
struct Sheen<N> {
    color: Triple<N>,
    most: N,
    /// Reciprocal of twice the squared roughness.
    power: N,
    /// The logarithm of its albedo, as a line over the cosine.
    slope: N,
    start: N,
}

/// The largest component of a colour, and all as fractions of it.
#[inline(always)]
fn most_and_tint<N: Number>(color: Triple<N>) -> (N, Triple<N>) {
    let most = color.greatest();
    let (zero, one) = (most.constant(0.0), most.constant(1.0));
    let none = Triple::new(zero, zero, zero);
    (most, Triple::select(most.is_above(zero), color.scaled(one / most), none))
}

impl<N: Number> Common<N> {
    #[inline(always)]
    pub(crate) fn new(parts: Parts, layers: &Layers<N>) -> Self {
        let side = layers.specular;
        let one = side.constant(1.0);
        let reflectance = parts.reflectance;
        let normal =
            layers.specular_color.map(|part| (part * reflectance).at_most(one)).scaled(side);
        let (most, tint) = most_and_tint(normal);
        Self {
            parts,
            normal,
            side,
            most,
            tint,
            coat: layers.coat,
            coat_roughness: layers.coat_roughness.at_least(side.constant(MIN_ROUGHNESS)),
            coat_mirror: layers.coat_roughness,
            sheen: Sheen::new(layers.sheen_color, layers.sheen_roughness),
            rare: layers.rare,
        }
    }

    /// The direction of the brushing, along tangent and bitangent. None if the surface is not
    /// brushed.
    #[inline(always)]
    pub(crate) fn brushed(&self) -> Option<[N; 2]> {
        let [cosine, sine] = self.parts.brush?;
        let [x, y] = self.rare.along;
        Some([x * cosine - y * sine, x * sine + y * cosine])
    }

    /// Another reflectance at the normal.
    #[inline(always)]
    fn with_normal(&self, normal: Triple<N>) -> Self {
        let (most, tint) = most_and_tint(normal);
        Self { normal, most, tint, ..*self }
    }

    /// The same properties in every lane of a number.
    #[inline(always)]
    pub(crate) fn spread(of: &Common<f32>, like: N) -> Self {
        Self {
            parts: of.parts,
            normal: spread(of.normal, like),
            side: like.constant(of.side),
            most: like.constant(of.most),
            tint: spread(of.tint, like),
            coat: like.constant(of.coat),
            coat_roughness: like.constant(of.coat_roughness),
            coat_mirror: like.constant(of.coat_mirror),
            sheen: Sheen {
                color: spread(of.sheen.color, like),
                most: like.constant(of.sheen.most),
                power: like.constant(of.sheen.power),
                slope: like.constant(of.sheen.slope),
                start: like.constant(of.sheen.start),
            },
            rare: Rare::spread(&of.rare, like),
        }
    }
}

impl<N: Number> Sheen<N> {
    #[inline(always)]
    fn new(color: Triple<N>, roughness: N) -> Self {
        let one = roughness.constant(1.0);
        let rough = roughness.at_least(roughness.constant(MIN_SHEEN_ROUGHNESS));
        let (squared, inverse) = (rough * rough, one / (rough + 0.1));
        let slope = rough * 1.0678 - 1.9362 + squared * 0.4573 - inverse * 0.8469;
        let start = rough * 0.5538 - 0.6014 - squared * 0.4670 - inverse * 0.1255;
        let log = core::f32::consts::LOG2_E;
        Self {
            color,
            most: color.greatest(),
            power: rough.constant(0.5) / squared,
            slope: slope * log,
            start: start * log,
        }
    }

    /// Fraction of ambient light that a white sheen reflects.
    #[inline(always)]
    fn albedo(&self, cosine: N) -> N {
        (cosine * self.slope + self.start).binary_power().at_most(cosine.constant(1.0))
    }
}

/// A surface point to be lit.
#[derive(Clone, Copy)]
pub(crate) struct Point<N> {
    /// Unit normals, turned to the viewer: of the surface, and of its coat.
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
    /// Fraction of ambient light that reaches the point.
    pub occlusion: N,
    /// Unit vector along which the surface is brushed, if it is.
    pub along: Triple<N>,
}

/// π times the product of the distribution of facets and their visibility (GGX): `both` is the
/// cosine between normal and half vector, squared.
#[inline(always)]
fn facets<N: Number>(both_squared: N, to_light: N, to_eye: N, squared: N) -> N {
    let one = to_light.constant(1.0);
    let t = both_squared * (squared - one) + one;
    let rest = one - squared;
    let of_eye = to_light * (to_eye * to_eye * rest + squared).root();
    let of_light = to_eye * (to_light * to_light * rest + squared).root();
    squared * 0.5 / (t * t * (of_eye + of_light))
}

/// Values of a surface for light.
#[derive(Clone, Copy)]
struct Surface<N> {
    point: Point<N>,
    to_eye: N,
    squared: N,
    diffuse: Triple<N>,
    /// Reflectance at the normal and from the side.
    normal: Triple<N>,
    side: N,
    coat_to_eye: N,
    brushed: Option<Brushed<N>>,
    /// Reflectance of its film toward the eye.
    film: Option<Triple<N>>,
}

/// Light so far: of the base, of the coat, and of the sheen.
#[derive(Clone, Copy)]
struct Sum<N> {
    base: Triple<N>,
    coat: Triple<N>,
    sheen: Triple<N>,
}

/// The linear light from a point toward the eye, without emission; `visible` returns the fraction
/// of a light that reaches the point, for its index and the active lanes.
#[inline(always)]
pub(crate) fn light_point<N: Lookup>(
    common: &Common<N>,
    light: &LightContext,
    point: Point<N>,
    visible: impl Fn(usize, N::Mask) -> N,
) -> Triple<N> {
    let like = point.roughness;
    let (zero, one) = (like.constant(0.0), like.constant(1.0));
    // Light from everywhere is mirrored as sharply as the surface is smooth.
    let mirror = point.roughness;
    let point = Point { roughness: mirror.at_least(like.constant(MIN_ROUGHNESS)), ..point };
    let alpha = point.roughness * point.roughness;
    let to_eye = point.normal.dot(point.to_eye).at_least(like.constant(MIN_COSINE));
    let mut surface = Surface {
        point,
        to_eye,
        squared: alpha * alpha,
        diffuse: point.base,
        normal: common.normal,
        side: common.side,
        coat_to_eye: to_eye,
        brushed: common.parts.brush.map(|_| Brushed {
            along: point.along,
            across: point.smooth.cross(point.along),
            squared: [squared_along(alpha, common.rare.strength), alpha * alpha],
            strength: common.rare.strength,
        }),
        film: None,
    };
    if common.parts.has_metal {
        let metallic = point.metallic;
        surface.diffuse = point.base.scaled(one - metallic);
        let more = point.base.minus(surface.normal).scaled(metallic);
        surface.normal = surface.normal.plus(more);
        surface.side = surface.side + (one - surface.side) * metallic;
    }
    if common.parts.has_coat {
        let cosine = point.smooth.dot(point.to_eye);
        surface.coat_to_eye = cosine.at_least(like.constant(MIN_COSINE));
    }
    let through = passing(common, light, &mut surface);
    let filmed = with_film(common, &mut surface);
    let none = Triple::new(zero, zero, zero);
    let mut sum = Sum { base: none, coat: none, sheen: none };
    let mut of_lamps = none;

    // 1. Lights with a direction; all others come from everywhere.
    let mut around = Triple::constant(like, rgb(light.ambient));
    let mut mirrored = around;
    let mut bent = point;
    if let Some(brushed) = &surface.brushed {
        bent.normal = brushed.bent(point.normal, point.to_eye, point.roughness);
    }
    let toward = mirrored_direction(&bent);
    let albedo = N::albedo(surface.to_eye, point.roughness);
    let mut lobe = None;
    // Lamps are lights as far as maps do not show them.
    let mut of_lamp = [one; 2];
    if let Some(environment) = &light.environment
        && environment.is_panorama()
    {
        let mut level = level_of_panorama(mirror);
        if common.parts.has_metal && surface.brushed.is_none() {
            // As much as it reflects by its colour: what it reflects by the angle alone is that of a dielectric.
            let color = surface.normal.greatest();
            let [scale, offset] = albedo;
            let all = (color * scale + offset).at_least(like.constant(1e-6));
            let share = point.metallic * color * (scale + offset) / all;
            let of_metal = Lobe::new(point.normal, point.to_eye, mirror, share);
            level = of_metal.level;
            lobe = Some(of_metal);
        }
        of_lamp = [lamp_share(level), lamp_share(level_of_panorama(common.coat_mirror))];
    }
    for (number, one_light, half_width) in light.sources() {
        let (to_light, color) = match arriving(&one_light, point.position) {
            Arriving::From(to_light, color) => (to_light, color),
            Arriving::Around { sky, ground } => {
                let low = Triple::constant(like, rgb(ground));
                let more = Triple::constant(like, rgb(sky) - rgb(ground));
                let at = |y: N| low.plus(more.scaled(y * 0.5 + 0.5));
                around = around.plus(at(point.normal.y));
                mirrored = mirrored.plus(at(toward.y));
                continue;
            }
        };
        let facing = facing_of(point.normal.dot(to_light), half_width);
        let is_lit = facing.is_above(zero);
        if N::any(is_lit) {
            let facing = facing.at_least(zero);
            // Of a lamp, all that is not mirrored comes with the light from everywhere.
            let (share, diffuse, mirrored) = if light.is_lamp(number) {
                of_lamps = of_lamps.plus(color.scaled(facing));
                (point.occlusion, none, of_lamp)
            } else {
                (visible(number, is_lit), surface.diffuse, [one, one])
            };
            let color = color.scaled(share);
            let source = Source { to_light, color, diffuse, mirrored, half_width };
            add_light(common, &surface, &source, facing, &mut sum);
        }
    }

    // 2. Light from everywhere.
    let mut coat_mirrored = mirrored;
    if let Some(environment) = &light.environment {
        let diffuse = environment.around(point.normal);
        around = around.plus(diffuse);
        let reflected = match &lobe {
            Some(lobe) => environment.in_lobe(lobe, diffuse),
            None => environment.reflected(toward, mirror),
        };
        mirrored = mirrored.plus(reflected);
        if common.parts.has_coat {
            let roughness = common.coat_roughness;
            let smooth = Point { normal: point.smooth, roughness, ..point };
            let toward = mirrored_direction(&smooth);
            coat_mirrored = coat_mirrored.plus(environment.reflected(toward, common.coat_mirror));
        }
    }
    match &filmed {
        Some((common, surface)) => {
            add_surroundings(common, surface, albedo, [around, of_lamps], mirrored, &mut sum);
        }
        None => {
            add_surroundings(common, &surface, albedo, [around, of_lamps], mirrored, &mut sum);
        }
    }
    if let Some(through) = through {
        sum.base = sum.base.plus(through);
    }
    if common.parts.has_coat {
        let roughness = common.coat_roughness;
        let [scale, offset] = N::albedo(surface.coat_to_eye, roughness);
        let reflected = coat_mirrored.scaled((scale * COAT + offset) * point.occlusion);
        sum.coat = sum.coat.plus(reflected);
    }

    // 3. Layers.
    let mut base = sum.base;
    if common.parts.has_sheen {
        base = base.plus(sum.sheen);
    }
    if common.parts.has_coat {
        let kept = one - (grazing(surface.coat_to_eye) * (1.0 - COAT) + COAT) * common.coat;
        let coat = common.coat;
        base = base.scaled(kept).plus(sum.coat.scaled(coat));
    }
    base
}

/// Sets the reflectance of a surface to that of its film toward the eye, and returns the surface
/// for light from everywhere.
#[inline(always)]
fn with_film<N: Lookup>(
    common: &Common<N>,
    surface: &mut Surface<N>,
) -> Option<(Common<N>, Surface<N>)> {
    let (ior, [least, most]) = common.parts.film?;
    let strength = common.rare.film;
    let one = strength.constant(1.0);
    let cosine = surface.to_eye.at_most(one);
    let thickness_nm = common.rare.film_part * (most - least) + least;
    let grazed = grazing(cosine).at_most(strength.constant(0.9999));
    let mixed = |from: Triple<N>, to: Triple<N>, part: N| from.plus(to.minus(from).scaled(part));
    // The reflectance at the normal that leads to the film's at this angle.
    let at_normal = |film: Triple<N>| film.map(|part| (part - grazed) / (one - grazed));

    let mut shown = film(cosine, ior, thickness_nm, common.normal);
    let normal = mixed(common.normal, at_normal(shown), strength);
    let mut around = Surface { normal, ..*surface };
    if common.parts.has_metal {
        let metallic = surface.point.metallic;
        let of_metal = film(cosine, ior, thickness_nm, surface.point.base);
        around.point.base = mixed(surface.point.base, at_normal(of_metal), strength);
        around.normal = mixed(normal, around.point.base, metallic);
        shown = mixed(shown, of_metal, metallic);
    }
    surface.film = Some(shown);
    Some((common.with_normal(normal), around))
}

/// The light transmitted through a surface, by which its diffuse light is reduced.
#[inline(always)]
fn passing<N: Lookup>(
    common: &Common<N>,
    light: &LightContext,
    surface: &mut Surface<N>,
) -> Option<Triple<N>> {
    let (clear, behind) = common.parts.clear.as_ref().zip(light.behind)?;
    let Surface { point, to_eye, diffuse, normal, side, .. } = *surface;
    let Rare { transmission, thickness, .. } = common.rare;
    let one = transmission.constant(1.0);
    let [scale, offset] = N::albedo(to_eye, point.roughness);
    let left = normal.map(|part| one - (part * scale + side * offset));
    let directions = [point.normal, point.to_eye, point.position];
    let seen = clear.light(behind, directions, [thickness, point.roughness]);
    surface.diffuse = diffuse.scaled(one - transmission);
    Some(seen.times(diffuse).times(left).scaled(transmission))
}

/// The direction of the reflected light: mirrored, and closer to the normal where the surface is
/// rough.
#[inline(always)]
fn mirrored_direction<N: Number>(point: &Point<N>) -> Triple<N> {
    let twice = point.normal.dot(point.to_eye) * 2.0;
    let mirrored = point.normal.scaled(twice).minus(point.to_eye);
    let squared = point.roughness * point.roughness;
    mirrored.plus(point.normal.minus(mirrored).scaled(squared * squared))
}

/// A light of one direction at a point.
struct Source<N> {
    to_light: Triple<N>,
    color: Triple<N>,
    /// Colour of the surface in its light.
    diffuse: Triple<N>,
    /// Weights of its reflection in the base and in the coat.
    mirrored: [N; 2],
    half_width: f32,
}

/// Adds a light of one direction; one with a width has the highlight of a rougher surface.
#[inline(always)]
fn add_light<N: Number>(
    common: &Common<N>,
    surface: &Surface<N>,
    &Source { to_light, color, diffuse, mirrored, half_width }: &Source<N>,
    facing: N,
    sum: &mut Sum<N>,
) {
    // Half vectors turn by half the angle of the light.
    let spread = half_width * half_width * (1.0 / 3.0);
    let Surface { point, to_eye, squared, normal, side, coat_to_eye, .. } = surface;
    let one = facing.constant(1.0);
    let between = to_light.dot(point.to_eye);
    // The squared length of the half vector, used for the cosines to it.
    let half = (between * 2.0 + 2.0).at_least(facing.constant(1e-6));
    let to_half = (half * 0.25).at_most(one).root();
    let both = facing + *to_eye;
    let both = (both * both / half).at_most(one);
    let grazed = grazing(to_half);

    // 1. Base.
    let left = one - (grazed * (common.side - common.most) + common.most);
    let mut reflected = normal.plus(normal.map(|value| *side - value).scaled(grazed));
    if let Some(film) = surface.film {
        reflected = reflected.plus(film.minus(reflected).scaled(common.rare.film));
    }
    let facets_of_base = match &surface.brushed {
        Some(brushed) => {
            let directions = [to_light, point.to_eye];
            brushed.facets(directions, [facing, *to_eye], [half, both], spread)
        }
        None => facets(both, facing, *to_eye, *squared + spread),
    };
    let specular = reflected.scaled(facets_of_base * mirrored[0]);
    let mut base = diffuse.scaled(left).plus(specular).scaled(facing);

    // 2. Layers.
    if common.parts.has_sheen {
        let sheen = &common.sheen;
        let sine = (one - both).at_least(facing.constant(1.0 / 128.0));
        let power = (sine.binary_log() * sheen.power).binary_power();
        let seen =
            one / ((facing + *to_eye - facing * *to_eye) * 4.0).at_least(facing.constant(1e-4));
        // π cancels out that of the light.
        let strength = power * (sheen.power + 1.0) * seen.at_most(one) * facing;
        sum.sheen = sum.sheen.plus(sheen.color.scaled(strength).times(color));
        let kept = sheen.albedo(*to_eye).at_least(sheen.albedo(facing));
        base = base.scaled(one - kept * sheen.most);
    }
    sum.base = sum.base.plus(base.times(color));
    if common.parts.has_coat {
        let zero = facing.constant(0.0);
        // If the surface is turned away, so is its coat: even with a normal map, lights are skipped
        // there.
        let is_lit = facing.is_above(zero);
        let coat_facing = point.smooth.dot(to_light).at_least(zero);
        let coat_facing = N::select(is_lit, coat_facing, zero);
        let both = coat_facing + *coat_to_eye;
        let both = (both * both / half).at_most(one);
        let rough = common.coat_roughness * common.coat_roughness;
        let facets = facets(both, coat_facing, *coat_to_eye, rough * rough + spread);
        let strength = facets * (grazed * (1.0 - COAT) + COAT) * coat_facing * mirrored[1];
        sum.coat = sum.coat.plus(color.scaled(strength));
    }
}

/// Light between facets: the part from one bounce, and from further ones.
#[inline(always)]
fn bounced<N: Number>(reflectance: N, side: N, [scale, offset]: [N; 2]) -> [N; 2] {
    let one = side.constant(1.0);
    let single = reflectance * scale + side * offset;
    let lost = one - (scale + offset);
    let mean = reflectance + (one - reflectance) * (1.0 / 21.0);
    let multiple = single * mean / (one - lost * mean) * lost;
    [single, multiple]
}

/// Adds light from all directions: `around` is its mean over the hemisphere of the normal,
/// `mirrored` its mean for the reflection. The light of lamps is already included.
#[inline(always)]
fn add_surroundings<N: Lookup>(
    common: &Common<N>,
    surface: &Surface<N>,
    albedo: [N; 2],
    [around, of_lamps]: [Triple<N>; 2],
    mirrored: Triple<N>,
    sum: &mut Sum<N>,
) {
    let Surface { point, to_eye, .. } = surface;
    let like = *to_eye;
    let one = like.constant(1.0);

    // 1. The dielectric part: its diffuse colour gets the light that is not reflected.
    let [single, multiple] = bounced(common.most, common.side, albedo);
    let mut diffuse = surface.diffuse.scaled(one - (single + multiple));
    let mut further = common.tint.scaled(multiple);
    let [scale, offset] = albedo;
    let edge = surface.side * offset;
    let direct = surface.normal.scaled(scale).raised(edge);

    // 2. The metallic part.
    if common.parts.has_metal {
        let Triple { x, y, z } = point.base;
        let [x, y, z] = [bounced(x, one, albedo), bounced(y, one, albedo), bounced(z, one, albedo)];
        let metal = Triple::new(x[1], y[1], z[1]);
        further = further.plus(metal.minus(further).scaled(point.metallic));
    }
    let all = around.plus(of_lamps);
    let mut reflected = mirrored.times(direct).plus(all.times(further));
    if common.parts.has_sheen {
        let kept = common.sheen.albedo(*to_eye);
        let sheen = common.sheen.color.times(around);
        sum.sheen = sum.sheen.plus(sheen.scaled(kept * point.occlusion));
        let left = one - kept * common.sheen.most;
        (diffuse, reflected) = (diffuse.scaled(left), reflected.scaled(left));
    }

    // 3. Occlusion.
    if common.parts.has_occlusion {
        diffuse = diffuse.scaled(point.occlusion);
        reflected = reflected.scaled(reflected_share(point, *to_eye));
    }
    sum.base = sum.base.plus(diffuse.times(all)).plus(reflected);
}

/// Fraction of a reflection that occlusion leaves: the smoother the surface, the less it matters.
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
    use crate::environment::{Environment, EnvironmentMap, neutral};
    use crate::geometry::projection::Projection;
    use crate::geometry::rays::Rays;
    use crate::shading::glass::{Behind, pack_rgb};
    use tintype_model::math::Vec3;
    use tintype_model::{Anisotropy, Camera, FovAxis, Iridescence, Light, Tone, Transmission};

    /// The light of a point in some light.
    pub(in crate::shading) fn lit(
        response: &MetallicRoughness,
        point: Point<f32>,
        ambient: f32,
        lights: &[Light],
        map: Option<&EnvironmentMap>,
    ) -> Vec3 {
        lit_before(response, point, (ambient, lights, map), None)
    }

    /// The same before a picture seen through it.
    fn lit_before(
        response: &MetallicRoughness,
        point: Point<f32>,
        (ambient, lights, map): (f32, &[Light], Option<&EnvironmentMap>),
        behind: Option<&Behind>,
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
            view_axes: [Vec3::X, Vec3::Y, Vec3::Z],
            powers: &[],
            occlusion: None,
            needs_positions: true,
            environment,
            lamps: &environment.map_or(Vec::new(), |environment| environment.lamps()),
            environment_up: Vec3::ZERO,
            tone: Tone::NONE,
            brightest: 1.0,
            behind,
        };
        let common = Common::new(Parts::new(response, false), &Layers::of(response));
        light_point(&common, &light, point, |_, _| 1.0).into()
    }

    pub(in crate::shading) fn response(metallic: f32, roughness: f32) -> MetallicRoughness {
        MetallicRoughness { metallic, roughness, ..MetallicRoughness::default() }
    }

    pub(in crate::shading) fn point(
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
            along: Vec3::X.into(),
        }
    }

    /// Appendix B of glTF 2.0 in `f64`, by its half vector, for a normal of +Y and light of colour
    /// 1.
    pub(in crate::shading) fn expected(
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
                // The height of a highlight a few pixels wide depends on the last bits of the
                // cosine.
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

    #[test]
    fn light_that_passes_takes_the_place_of_scattered_light() {
        let camera =
            Camera::looking_at(Vec3::Y, Vec3::ZERO, Vec3::X, FovAxis::Vertical(1.0), 0.1, 9.0);
        let behind = Behind::new(Projection::new(&camera, [8, 8]), [8, 8], |_, _| {
            pack_rgb([0.25, 0.5, 0.75])
        });
        for (share, metallic, roughness) in [(1.0, 0.0, 0.1), (0.6, 0.3, 0.5)] {
            let transmission = Transmission { share, ..Transmission::default() };
            let of = MetallicRoughness { transmission, ..response(metallic, roughness) };
            let bare = response(metallic, roughness);
            let base = Vec3::new(0.9, 0.6, 0.3);
            let light = |of: &MetallicRoughness, behind, ambient| {
                let point = point(of, base, Vec3::new(0.2, 1.0, 0.1));
                lit_before(of, point, (ambient, &[], None), behind)
            };
            let cosine = Vec3::new(0.2, 1.0, 0.1).normalize().y;
            let [scale, offset] = f32::albedo(cosine, roughness);
            let found = light(&of, Some(&behind), 0.0);
            for (k, seen) in [0.25, 0.5, 0.75].into_iter().enumerate() {
                let normal = 0.04 + (base[k] - 0.04) * metallic;
                let diffuse = base[k] * (1.0 - metallic);
                let expected = share * seen * diffuse * (1.0 - (normal * scale + offset));
                assert!((found[k] - expected).abs() < 1e-3, "{k}: {} for {expected}", found[k]);
            }
            // Diffuse light is reduced by the transmitted fraction: the remaining part, and the
            // reflection, do not depend on the picture behind.
            let (clear, bare) = (light(&of, Some(&behind), 1.0) - found, light(&bare, None, 1.0));
            let scattered = (bare - clear) / share;
            for k in 0..3 {
                let diffuse = base[k] * (1.0 - metallic);
                let left = scattered[k] / diffuse;
                assert!((0.85..1.0).contains(&left), "{k}: {left}");
            }
        }
    }

    #[test]
    fn brushed_light_is_that_of_the_extension() {
        for (roughness, strength, turn) in [(0.3_f32, 0.8_f32, 0.0_f32), (0.5, 0.4, 0.7)] {
            let of = MetallicRoughness {
                anisotropy: Anisotropy { strength, rotation_rad: turn },
                ..response(1.0, roughness)
            };
            let along = Vec3::new(func::cos(turn), 0.0, func::sin(turn));
            for k in 0..60_u16 {
                let angle = f32::from(k) * 2.4;
                let eye = Vec3::new(0.4, 0.5 + 0.01 * f32::from(k), 0.2).normalize();
                let to_light = Vec3::new(func::cos(angle), 0.8, func::sin(angle)).normalize();
                let sun = Light::Directional { to_light, color: LinearRgb::WHITE };
                let at = Point { along: along.into(), ..point(&of, Vec3::splat(0.6), eye) };
                let found = f64::from(lit(&of, at, 0.0, &[sun], None).x);

                // D and V of KHR_materials_anisotropy in `f64`.
                let [t, v, l] = [along, eye, to_light].map(|own| own.to_array().map(f64::from));
                let dot = |a: [f64; 3], b: [f64; 3]| a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
                let (n, b) = ([0.0, 1.0, 0.0], [t[2], 0.0, -t[0]]);
                let sum = [0, 1, 2].map(|k| v[k] + l[k]);
                let h = sum.map(|part| part / dot(sum, sum).sqrt());
                let alpha = f64::from(roughness) * f64::from(roughness);
                let strength = f64::from(strength);
                let at = alpha + (1.0 - alpha) * strength * strength;
                let length = |a: f64, b: f64, c: f64| (a * a + b * b + c * c).sqrt();
                let f = [alpha * dot(t, h), at * dot(b, h), at * alpha * dot(n, h)];
                let w2 = at * alpha / dot(f, f);
                let distribution = at * alpha * w2 * w2 / core::f64::consts::PI;
                let gv = dot(n, l) * length(at * dot(t, v), alpha * dot(b, v), dot(n, v));
                let gl = dot(n, v) * length(at * dot(t, l), alpha * dot(b, l), dot(n, l));
                let left = 1.0 - dot(v, h);
                let fresnel = 0.6 + 0.4 * left * left * left * left * left;
                let light = distribution * 0.5 / (gv + gl) * fresnel * dot(n, l);
                let expected = light * core::f64::consts::PI;
                let off = (found - expected).abs();
                assert!(off < 1e-4 + expected * 2e-3, "{k}: {found} for {expected}");
            }
        }
    }

    #[test]
    fn reflectance_of_an_index_and_of_a_film_is_that_of_the_extensions() {
        // From straight above, the reflection of a light is F alone.
        let sun = Light::Directional { to_light: Vec3::Y, color: LinearRgb::WHITE };
        let of =
            |own: &MetallicRoughness| lit(own, point(own, Vec3::ZERO, Vec3::Y), 0.0, &[sun], None);
        let glossy = response(0.0, 0.5);
        let usual = of(&glossy).x;
        for ior in [1.0_f32, 1.33, 1.8, 2.4] {
            let found = of(&MetallicRoughness { ior, ..glossy.clone() }).x;
            let ratio = (ior - 1.0) / (ior + 1.0);
            assert!((found / usual * 0.04 - ratio * ratio).abs() < 1e-5, "{ior}: {found}");
        }
        let thickness_nm = [100.0, 480.0];
        for strength in [0.3_f32, 1.0] {
            let iridescence = Iridescence { strength, ior: 1.4, thickness_nm };
            let found = of(&MetallicRoughness { iridescence, ..glossy.clone() });
            let shown = film(1.0_f32, 1.4, 480.0, Vec3::splat(0.04).into());
            for (found, shown) in found.to_array().into_iter().zip([shown.x, shown.y, shown.z]) {
                let expected = 0.04 + (shown - 0.04) * strength;
                assert!((found / usual * 0.04 - expected).abs() < 1e-5, "{found} {expected}");
            }
        }
    }
}
