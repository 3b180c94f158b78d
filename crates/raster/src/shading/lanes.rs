//! Shading over lanes: one fragment a lane, of any triangles with one material. [`crate::shading::scalar`] and
//! [`crate::shading::light`] are the definition; the operations and their order are theirs, and `tests/raster` holds every
//! level of the machine to their bits.
//!
//! Input: packets of fragments with one [`Shader`]. Output: their light, premultiplied linear RGBA, in [`ShadeScratch::light`].

use crate::environment::Environment;
use crate::environment::lamps::facing as facing_of;
use crate::environment::lookup::Lookup;
use crate::geometry::context::GeometryContext;
use crate::interpolate::lanes::{
    BITANGENT_SIGN, EXTRA_STEP, LaneInterpolants, NORMAL, POSITION, STEP, TANGENT, corner3, mix,
    mix3,
};
use crate::interpolate::packet::{Attributes, BATCH, Packet, TriangleStore};
use crate::occlusion::OcclusionMap;
use crate::shading::context::{LightContext, reflected_share, roughness_of};
use crate::shading::light::half_length_squared_lanes;
use crate::shading::punctual::limited;
use crate::shading::tone::toned_surface;
use crate::shadow::filter::lanes::visibility_lanes;
use crate::shadow::map::ShadowMap;
use crate::shadow::receiver::{Receivers, smooth_positions};
use crate::texture::anisotropic::lanes::{CachedRows, LaneRows};
use crate::texture::trilinear::lanes::{Footprints, LaneDetail, LaneTaps};
use tintype_model::math::Vec3;
use tintype_model::math::func::UnitPower;
use tintype_model::math::lanes::{Vec3s, clamp, max, min, splat, unit_power};
use tintype_model::math::number::Lanes;
use tintype_model::simd::Simd;
use tintype_model::simd::prelude::*;
use tintype_model::{
    Light, LinearRgb, Material, ShadingModel, Texture, TextureCoordinates, TextureRole,
    TextureSampling,
};

#[inline(always)]
pub(super) fn rgb<S: Simd>(simd: S, color: LinearRgb) -> Vec3s<S> {
    Vec3s::splat(simd, Vec3::new(color.r, color.g, color.b))
}

/// Properties that all fragments of a packet have in common: material, and attributes that shading reads.
#[derive(Clone, Copy)]
pub(crate) struct Shader<'a> {
    pub material: &'a Material,
    pub half_shininess: &'a UnitPower,
    pub attributes: Attributes,
}

/// Fragments of one packet between the steps of [`shade`].
#[derive(Clone, Copy)]
pub(super) struct LaneFragments<S: Simd> {
    footprints: Footprints<S>,
    /// Only where textures use the second texture coordinates: footprints in those.
    second_footprints: Footprints<S>,
    /// Only where light depends on it.
    pub(super) position: Vec3s<S>,
    /// Unit normal, first before the normal map, then after it and turned to the viewer.
    pub(super) normal: Vec3s<S>,
    pub(super) front: S::f32s,
    /// Only with a normal map: tangent, tangent of the first corner, and sign of the bitangent.
    tangent: Vec3s<S>,
    first_tangent: Vec3s<S>,
    bitangent_sign: S::f32s,
    /// Only where vertices have colours.
    pub(super) color: [S::f32s; 4],
    pub(super) texel: [S::f32s; 4],
    specular: Vec3s<S>,
    /// Only where the material has a texture for it.
    pub(super) emissive: Vec3s<S>,
    pub(super) to_eye: Vec3s<S>,
    /// Cosine between `to_eye` and the normal.
    toward_eye: S::f32s,
    diffuse: Vec3s<S>,
    highlight: Vec3s<S>,
    /// Only of the metallic-roughness model: the normal of the coat, turned to the viewer.
    pub(super) smooth: Vec3s<S>,
    pub(super) metallic: S::f32s,
    pub(super) roughness: S::f32s,
    /// Share of the light from all around that reaches the point.
    pub(super) occlusion: S::f32s,
}

impl<S: Simd> LaneFragments<S> {
    /// Footprints in the set of texture coordinates that a texture uses.
    #[inline(always)]
    pub(super) fn footprints(&self, coordinates: Option<&TextureCoordinates>) -> &Footprints<S> {
        match coordinates {
            Some(own) if own.is_second => &self.second_footprints,
            _ => &self.footprints,
        }
    }
}

/// State of a batch of packets between the steps.
pub(crate) struct ShadeScratch<S: Simd> {
    pub(super) interpolants: LaneInterpolants<S>,
    pub(super) points: [LaneFragments<S>; BATCH],
    pub(super) taps: [LaneTaps<S>; BATCH],
    /// Only where lights cast shadows.
    pub(super) receivers: [Receivers<S>; BATCH],
    /// Light toward the eye of the fragments of each packet: premultiplied linear RGBA, each clamped to 0..=1. Lanes without a
    /// fragment hold arbitrary values.
    pub light: [[S::f32s; 4]; BATCH],
}

impl<S: Simd> ShadeScratch<S> {
    #[inline(always)]
    pub(crate) fn new(simd: S) -> Self {
        let zero = splat(simd, 0.0);
        let none = Vec3s::new(zero, zero, zero);
        let footprints = Footprints { at: [zero; 2], across: [zero; 2], down: [zero; 2] };
        let points = LaneFragments {
            footprints,
            second_footprints: footprints,
            position: none,
            normal: none,
            front: zero,
            tangent: none,
            first_tangent: none,
            bitangent_sign: zero,
            color: [zero; 4],
            texel: [zero; 4],
            specular: none,
            emissive: none,
            to_eye: none,
            toward_eye: zero,
            diffuse: none,
            highlight: none,
            smooth: none,
            metallic: zero,
            roughness: zero,
            occlusion: splat(simd, 1.0),
        };
        Self {
            interpolants: LaneInterpolants::none(simd),
            points: [points; BATCH],
            taps: [LaneTaps::none(simd); BATCH],
            receivers: [Receivers::none(simd); BATCH],
            light: [[zero; 4]; BATCH],
        }
    }
}

/// Shades a batch of packets with one shader into [`ShadeScratch::light`]; with `ROWS`, textures are filtered by rows of probes.
#[inline(always)]
pub(crate) fn shade<S: Simd, const ROWS: bool>(
    simd: S,
    geometry: &GeometryContext,
    light: &LightContext,
    store: TriangleStore,
    shader: &Shader,
    packets: &[Packet<S>],
    shade_scratch: &mut ShadeScratch<S>,
) {
    let Shader { material, half_shininess, attributes } = *shader;
    let count = packets.len().min(BATCH);
    let ShadeScratch { interpolants, points, taps, receivers, light: out } = shade_scratch;
    let points = &mut points[..count];

    // 1. Interpolation.
    interpolants.forget();
    for ((packet, points), receivers) in packets.iter().zip(points.iter_mut()).zip(&mut *receivers)
    {
        interpolants.take(simd, store, attributes, packet);
        let receivers = (!light.shadows.is_empty()).then_some(receivers);
        interpolate(simd, interpolants, attributes, packet, points, receivers);
        points.occlusion = splat(simd, 1.0);
    }

    if let Some(occlusion) = light.occlusion {
        find_open(simd, occlusion, points);
    }

    // 2. Textures; those of one size share their taps. Rows of probes are a separate step.
    let texture =
        |index: Option<usize>| index.filter(|_| !ROWS).map(|index| &geometry.textures[index]);
    let mut tapped = None;
    if let Some(texture) = texture(material.diffuse) {
        let own = material.coordinates_of(TextureRole::Diffuse);
        find_texels(simd, texture, own, points, taps, &mut tapped);
        for (points, taps) in points.iter_mut().zip(taps.iter()) {
            points.texel = if texture.is_opaque {
                let [r, g, b] = taps.sample::<3>(simd, texture);
                // The mix of four ones, as the filter rounds it.
                [r, g, b, splat(simd, 65535.0 * (1.0 / 65535.0))]
            } else {
                taps.sample::<4>(simd, texture)
            };
        }
    } else {
        for points in points.iter_mut() {
            points.texel = [splat(simd, 1.0); 4];
        }
    }
    let strength = specular_strength(simd, material);
    if let Some(texture) = texture(material.specular) {
        let own = material.coordinates_of(TextureRole::Specular);
        find_texels(simd, texture, own, points, taps, &mut tapped);
        for (points, taps) in points.iter_mut().zip(taps.iter()) {
            let [r, g, b] = taps.sample::<3>(simd, texture);
            points.specular = Vec3s::<S>::new(r, g, b).times(strength);
        }
    } else {
        for points in points.iter_mut() {
            points.specular = strength;
        }
    }
    if let Some(texture) = texture(material.glow) {
        let own = material.coordinates_of(TextureRole::Glow);
        find_texels(simd, texture, own, points, taps, &mut tapped);
        for (points, taps) in points.iter_mut().zip(taps.iter()) {
            let [r, g, b] = taps.sample::<3>(simd, texture);
            points.emissive = rgb(simd, material.emissive).times(Vec3s::new(r, g, b));
        }
    }
    if let Some(texture) = texture(material.normal) {
        let own = material.coordinates_of(TextureRole::Normal);
        find_texels(simd, texture, own, points, taps, &mut tapped);
        for (points, taps) in points.iter_mut().zip(taps.iter()) {
            let texel = taps.sample::<3>(simd, texture);
            points.normal = tilted(material, None, points, texel);
        }
    }
    if ROWS {
        sample_textures_anisotropic(simd, geometry, material, points);
    }

    // 3. Light.
    let is_shiny = material.specular_strength != 0.0;
    for (points, packet) in points.iter_mut().zip(packets) {
        // A bump seen from behind is a dent: the whole normal turns, not only its upright part.
        points.normal = points.normal.scaled(points.front);
        if is_shiny {
            points.to_eye = light.rays.back_lanes(simd, packet.x, packet.y);
            points.toward_eye = points.normal.dot(points.to_eye);
        }
        points.diffuse = rgb(simd, light.ambient).scaled(points.occlusion);
        points.highlight = Vec3s::splat(simd, Vec3::ZERO);
    }
    let power = is_shiny.then_some(half_shininess);
    for (number, one, half_width) in light.sources() {
        let shadow = light.shadow_of(number);
        let lamp = light.is_lamp(number).then_some(half_width);
        for (points, receivers) in points.iter_mut().zip(&*receivers) {
            add_light(simd, (&one, lamp), power, points, shadow, receivers);
        }
    }
    if let Some(environment) = &light.environment {
        let roughness = is_shiny.then(|| roughness_of(material.shininess));
        for points in points.iter_mut() {
            add_environment(simd, environment, roughness, points);
        }
    }
    let diffuse = material.diffuse.map(|index| &geometry.textures[index]);
    let is_opaque = diffuse.is_none_or(|texture| texture.is_opaque);
    for (points, out) in points.iter().zip(out) {
        *out = finish(simd, shader, is_opaque, light, points);
    }
}

/// Looks up the share of the light from all around that reaches each point, before its normal map is applied.
///
/// Not `#[inline(always)]`, unlike most functions over lanes: it is compiled once for each level.
pub(super) fn find_open<S: Simd>(
    simd: S,
    occlusion: &OcclusionMap,
    points: &mut [LaneFragments<S>],
) {
    simd.vectorize(
        #[inline(always)]
        || {
            for points in points {
                let normal = points.normal.scaled(points.front);
                points.occlusion = occlusion.open(points.position.into(), normal.into()).0;
            }
        },
    );
}

/// Colour of the highlight without its texture.
#[inline(always)]
fn specular_strength<S: Simd>(simd: S, material: &Material) -> Vec3s<S> {
    rgb(simd, material.specular_color.scaled(material.specular_strength))
}

/// Properties that textures with the same taps share: size, sampling and texture coordinates.
pub(super) type TapsKey = ([u32; 2], TextureSampling, Option<TextureCoordinates>);

/// Finds the taps of a texture with these coordinates, unless those of the last one serve it.
#[inline(always)]
pub(super) fn find_texels<S: Simd>(
    simd: S,
    texture: &Texture,
    coordinates: Option<&TextureCoordinates>,
    points: &[LaneFragments<S>],
    taps: &mut [LaneTaps<S>; BATCH],
    tapped: &mut Option<TapsKey>,
) {
    let sampling = TextureSampling { filter: texture.filter, wrap: texture.wrap };
    let size = [texture.levels[0].width, texture.levels[0].height];
    let key = (size, sampling, coordinates.copied());
    if *tapped != Some(key) {
        *tapped = Some(key);
        // Step by step for all packets: the CPU overlaps steps that do not wait for each other.
        let mut details = [LaneDetail::none(simd); BATCH];
        for (points, detail) in points.iter().zip(&mut details) {
            let footprints = points.footprints(coordinates);
            *detail = match coordinates {
                None => LaneDetail::new(simd, texture, footprints),
                Some(own) => LaneDetail::new(simd, texture, &footprints.on(own)),
            };
        }
        for (taps, detail) in taps.iter_mut().zip(&details).take(points.len()) {
            taps.set_finer(simd, texture, detail);
        }
        for (taps, detail) in taps.iter_mut().zip(&details).take(points.len()) {
            taps.set_coarser(simd, texture, detail);
        }
        for taps in taps.iter().take(points.len()) {
            taps.prefetch(texture);
        }
    }
}

/// Textures by rows of probes: the second step of [`shade`] with anisotropy.
#[inline(always)]
fn sample_textures_anisotropic<S: Simd>(
    simd: S,
    geometry: &GeometryContext,
    material: &Material,
    points: &mut [LaneFragments<S>],
) {
    let textures = geometry.textures;
    for points in points {
        let mut cache = CachedRows::none();
        if let Some(index) = material.diffuse {
            let texture = &textures[index];
            let rows = rows_of(
                simd,
                geometry,
                (material, TextureRole::Diffuse),
                texture,
                points,
                &mut cache,
            );
            points.texel = if texture.is_opaque {
                let [r, g, b] = rows.sample(simd, texture);
                // The mean of ones, as the filter rounds it.
                [r, g, b, splat(simd, 65535.0 * (1.0 / 65535.0))]
            } else {
                rows.sample(simd, texture)
            };
        }
        if let Some(index) = material.specular {
            let texture = &textures[index];
            let [r, g, b] = rows_of(
                simd,
                geometry,
                (material, TextureRole::Specular),
                texture,
                points,
                &mut cache,
            )
            .sample(simd, texture);
            points.specular = Vec3s::<S>::new(r, g, b).times(specular_strength(simd, material));
        }
        if let Some(index) = material.glow {
            let texture = &textures[index];
            let [r, g, b] =
                rows_of(simd, geometry, (material, TextureRole::Glow), texture, points, &mut cache)
                    .sample(simd, texture);
            points.emissive = rgb(simd, material.emissive).times(Vec3s::new(r, g, b));
        }
        if let Some(index) = material.normal {
            let texture = &textures[index];
            let texel = rows_of(
                simd,
                geometry,
                (material, TextureRole::Normal),
                texture,
                points,
                &mut cache,
            )
            .sample(simd, texture);
            points.normal = tilted(material, None, points, texel);
        }
    }
}

/// Rows of probes of a texture.
///
/// Not `#[inline(always)]`, unlike most functions over lanes: it is compiled once for each level.
fn rows_of<S: Simd>(
    simd: S,
    geometry: &GeometryContext,
    (material, role): (&Material, TextureRole),
    texture: &Texture,
    points: &LaneFragments<S>,
    cache: &mut CachedRows<S>,
) -> LaneRows<S> {
    simd.vectorize(
        #[inline(always)]
        || {
            let own = material.coordinates_of(role);
            cache.on(simd, texture, own, points.footprints(own), geometry.anisotropy)
        },
    )
}

/// First step: attributes from barycentric coordinates.
#[inline(always)]
pub(super) fn interpolate<S: Simd>(
    simd: S,
    interpolants: &LaneInterpolants<S>,
    attributes: Attributes,
    packet: &Packet<S>,
    points: &mut LaneFragments<S>,
    receivers: Option<&mut Receivers<S>>,
) {
    let barycentrics = interpolants.barycentrics(simd, packet.x, packet.y);
    points.footprints = interpolants.footprints(&barycentrics);
    if attributes.has_second_texcoord {
        points.second_footprints = interpolants.second_footprints(&barycentrics);
    }
    if attributes.has_position {
        points.position = mix3(&interpolants.plain, POSITION, STEP, barycentrics.at);
    }
    points.normal = mix3(&interpolants.plain, NORMAL, STEP, barycentrics.at)
        .unit_or(corner3(&interpolants.plain, NORMAL));
    points.front = interpolants.front;
    if let Some(receivers) = receivers {
        let mut positions = [points.position; 3];
        let mut normals = [points.normal; 3];
        for (k, (position, normal)) in positions.iter_mut().zip(&mut normals).enumerate() {
            *position = corner3(&interpolants.plain, POSITION + k * STEP);
            *normal = corner3(&interpolants.plain, NORMAL + k * STEP).scaled(points.front);
        }
        receivers.position =
            smooth_positions(simd, points.position, barycentrics.at, positions, normals);
        receivers.normal = points.normal.scaled(points.front);
    }
    if attributes.has_tangent {
        points.tangent = mix3(&interpolants.tangent, TANGENT, EXTRA_STEP, barycentrics.at);
        points.first_tangent = corner3(&interpolants.tangent, TANGENT);
        points.bitangent_sign = interpolants.tangent[BITANGENT_SIGN];
    }
    if attributes.has_color {
        for (k, color) in points.color.iter_mut().enumerate() {
            *color = mix(&interpolants.color, k, EXTRA_STEP, barycentrics.at);
        }
    }
}

/// Unit normals of the front, tilted by the texels of a normal map, with slopes of a scale if there is one: see
/// [`crate::shading::scalar`].
#[inline(always)]
pub(super) fn tilted<S: Simd>(
    material: &Material,
    scale: Option<f32>,
    points: &LaneFragments<S>,
    [x, y, z]: [S::f32s; 3],
) -> Vec3s<S> {
    let (mut x, mut y, z) = (x * 2.0 - 1.0, y * 2.0 - 1.0, z * 2.0 - 1.0);
    if let Some(scale) = scale {
        (x, y) = (x * scale, y * scale);
    }
    let (smooth, along) = (points.normal, points.tangent);
    let tangent = along.minus(smooth.scaled(smooth.dot(along))).unit_or(points.first_tangent);
    let bitangent = smooth.cross(tangent).scaled(points.bitangent_sign);
    let up = if material.normal_y_down { -y } else { y };
    tangent.scaled(x).plus(bitangent.scaled(up)).plus(smooth.scaled(z)).unit_or(smooth)
}

/// Adds one light, or a lamp of the environment, which has half a width: see [`crate::shading::light::light_point_in_shadow`].
#[inline(always)]
fn add_light<S: Simd>(
    simd: S,
    (light, lamp): (&Light, Option<f32>),
    half_shininess: Option<&UnitPower>,
    points: &mut LaneFragments<S>,
    shadow: Option<&ShadowMap>,
    receivers: &Receivers<S>,
) {
    let normal = points.normal;
    let (to_light, color) = match *light {
        Light::Directional { to_light, color } => (Vec3s::splat(simd, to_light), rgb(simd, color)),
        Light::Point { position, color, reach, range, cone } => {
            let offset = Vec3s::splat(simd, position).minus(points.position);
            let squared = max::<S>(offset.dot(offset), splat(simd, f32::MIN_POSITIVE));
            let to_light = offset.unit_or(normal);
            let falloff = Lanes::<S>(splat(simd, reach * reach) / squared);
            let falloff = limited(falloff, Lanes(squared), to_light.into(), range, cone);
            (to_light, rgb(simd, color).scaled(falloff.0))
        }
        Light::Hemisphere { sky, ground } => {
            let (sky, ground) = (rgb(simd, sky), rgb(simd, ground));
            let part = normal.y * 0.5 + 0.5;
            let here = ground.plus(sky.minus(ground).scaled(part));
            points.diffuse = points.diffuse.plus(here.scaled(points.occlusion));
            return;
        }
    };
    let facing = facing_of(Lanes::<S>(normal.dot(to_light)), lamp.unwrap_or(0.0)).0;
    let is_lit = facing.simd_gt(0.0);
    if is_lit.any_true() {
        let color = match shadow {
            None if lamp.is_some() => color.scaled(points.occlusion),
            None => color,
            Some(map) => color.scaled(visibility_lanes(simd, map, receivers, is_lit)),
        };
        // Lanes that face away get no light.
        let facing = max::<S>(facing, splat(simd, 0.0));
        points.diffuse = points.diffuse.plus(color.scaled(facing));
        if let Some(power) = half_shininess {
            let both = max::<S>(facing + points.toward_eye, splat(simd, 0.0));
            let half = half_length_squared_lanes(simd, to_light.dot(points.to_eye));
            let square = min::<S>(both * both / half, splat(simd, 1.0));
            let shine = is_lit.select(unit_power(simd, power, square), splat(simd, 0.0));
            points.highlight = points.highlight.plus(color.scaled(shine));
        }
    }
}

/// Adds the light of an environment; its reflection where there is a roughness.
#[inline(always)]
fn add_environment<S: Simd>(
    simd: S,
    environment: &Environment,
    roughness: Option<f32>,
    points: &mut LaneFragments<S>,
) {
    let diffuse: Vec3s<S> = environment.around(points.normal.into()).into();
    points.diffuse = points.diffuse.plus(diffuse.scaled(points.occlusion));
    if let Some(roughness) = roughness {
        let twice = points.toward_eye * 2.0;
        let mirrored = points.normal.scaled(twice).minus(points.to_eye);
        let cosine = Lanes::<S>(clamp(simd, points.toward_eye, 0.0, 1.0));
        let share = reflected_share(roughness);
        let roughness = Lanes::<S>(splat(simd, roughness));
        let [scale, _] = Lanes::<S>::albedo(cosine, roughness);
        let scale = scale * share;
        let open = Lanes(points.occlusion);
        let reflected: Vec3s<S> =
            environment.reflected(mirrored.into(), roughness).scaled(scale * open).into();
        points.highlight = points.highlight.plus(reflected);
    }
}

/// Last step: light times surface colour, and opacity.
#[inline(always)]
fn finish<S: Simd>(
    simd: S,
    shader: &Shader,
    is_opaque: bool,
    frame: &LightContext,
    points: &LaneFragments<S>,
) -> [S::f32s; 4] {
    // Steps that change nothing, such as a product with 1, are left out.
    let Shader { material, attributes, .. } = shader;
    let (texel, color) = (&points.texel, &points.color);
    let one = splat(simd, 1.0);
    let mut base = Vec3s::<S>::new(texel[0], texel[1], texel[2]);
    if !is_opaque {
        base = base.scaled(texel[3].simd_gt(0.0).select(one / texel[3], splat(simd, 0.0)));
    }
    let is_modulated = material.shading == ShadingModel::FixedFunction;
    let mut light = if is_modulated {
        base.times(modulated_light(simd, material, attributes, points))
    } else {
        if material.color != LinearRgb::WHITE {
            base = base.times(rgb(simd, material.color));
        }
        if attributes.has_color {
            base = base.times(Vec3s::new(color[0], color[1], color[2]));
        }
        base.times(points.diffuse)
    };
    if material.specular_strength != 0.0 {
        light = light.plus(points.specular.times(points.highlight));
    }
    if material.glow.is_some() {
        light = light.plus(points.emissive);
    } else if material.emissive != LinearRgb::BLACK && !is_modulated {
        light = light.plus(rgb(simd, material.emissive));
    }
    light = toned_surface(frame, material, points.specular.into(), light.into()).into();
    let held = Vec3s::<S>::new(
        clamp(simd, light.x, 0.0, 1.0),
        clamp(simd, light.y, 0.0, 1.0),
        clamp(simd, light.z, 0.0, 1.0),
    );
    if !material.alpha.is_blended() {
        return [held.x, held.y, held.z, one];
    }
    let alpha = match (attributes.has_color, is_modulated) {
        (true, true) => texel[3] * color[3],
        (true, false) => texel[3] * material.opacity * color[3],
        (false, _) => texel[3] * material.opacity,
    };
    [held.x * alpha, held.y * alpha, held.z * alpha, alpha]
}

/// Factor of the texture of a modulated surface: its light and its own, at most 1.
#[inline(always)]
fn modulated_light<S: Simd>(
    simd: S,
    material: &Material,
    attributes: &Attributes,
    points: &LaneFragments<S>,
) -> Vec3s<S> {
    let color = if attributes.has_color {
        Vec3s::new(points.color[0], points.color[1], points.color[2])
    } else {
        rgb(simd, material.color)
    };
    let mut sum = color.times(points.diffuse);
    if material.glow.is_none() {
        sum = sum.plus(rgb(simd, material.emissive));
    }
    let one = splat(simd, 1.0);
    Vec3s::new(min::<S>(sum.x, one), min::<S>(sum.y, one), min::<S>(sum.z, one))
}
