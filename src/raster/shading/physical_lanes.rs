//! Shading of the metallic-roughness model over lanes: one fragment a lane, of any triangles with one material.
//! [`crate::raster::shading::scalar`] is the definition; the light model itself is one text for both.

use crate::math::lanes::{Vec3s, clamp, splat};
use crate::math::number::{Lanes, Triple};
use crate::model::{LinearRgb, Material, MetallicRoughness, TextureRole, Tone};
use crate::raster::geometry::context::GeometryContext;
use crate::raster::interpolate::packet::{BATCH, Packet, TriangleStore};
use crate::raster::shading::context::LightContext;
use crate::raster::shading::lanes::{
    LaneFragments, ShadeScratch, Shader, apply_normal_map, find_open, find_texels, interpolate, rgb,
};
use crate::raster::shading::physical::{Common, Point, light_point};
use crate::raster::shading::tone::toned;
use crate::raster::shading::toon::toon_point;
use crate::raster::shadow::filter::lanes::visibility_lanes;
use crate::raster::shadow::receiver::Receivers;
use crate::raster::texture::anisotropic::lanes::CachedRows;
use crate::simd::Simd;
use crate::simd::prelude::*;

/// Textures in the order in which they are read; the normal map is last, as it changes the normal.
const ROLES: [TextureRole; 5] = [
    TextureRole::Diffuse,
    TextureRole::MetallicRoughness,
    TextureRole::Occlusion,
    TextureRole::Glow,
    TextureRole::Normal,
];

/// Shades a batch of packets with one shader into [`ShadeScratch::light`]; with `ROWS`, textures are filtered by rows of probes.
#[inline(always)]
pub(crate) fn shade_physical<S: Simd, const ROWS: bool>(
    simd: S,
    geometry: &GeometryContext,
    light: &LightContext,
    store: TriangleStore,
    shader: &Shader,
    packets: &[Packet<S>],
    shade_scratch: &mut ShadeScratch<S>,
) {
    let Shader { material, attributes, .. } = *shader;
    let Some(response) = material.response.as_deref() else { return };
    let count = packets.len().min(BATCH);
    let ShadeScratch { interpolants, points, taps, receivers, light: out } = shade_scratch;
    let points = &mut points[..count];

    // 1. Interpolation.
    for ((packet, points), receivers) in packets.iter().zip(points.iter_mut()).zip(&mut *receivers)
    {
        interpolants.take(simd, store, attributes, packet);
        let receivers = (!light.shadows.is_empty()).then_some(receivers);
        interpolate(simd, interpolants, attributes, packet, points, receivers);
        points.smooth = points.normal.scaled(points.front);
        points.texel = [splat(simd, 1.0); 4];
        points.metallic = splat(simd, response.metallic);
        points.roughness = splat(simd, response.roughness);
        points.occlusion = splat(simd, 1.0);
        points.emissive = rgb(simd, material.emissive);
    }
    if let Some(occlusion) = light.occlusion {
        find_open(simd, occlusion, points);
    }

    // 2. Textures; those of one size share their taps.
    let mut tapped = None;
    let mut rows: [CachedRows<S>; BATCH] = core::array::from_fn(|_| CachedRows::none());
    for role in ROLES {
        let Some(index) = material.texture(role) else { continue };
        let texture = &geometry.textures[index];
        let own = material.coordinates_of(role);
        if !ROWS {
            find_texels(simd, texture, own, points, taps, &mut tapped);
        }
        let has_alpha = role == TextureRole::Diffuse && !texture.is_opaque;
        for ((points, taps), rows) in points.iter_mut().zip(taps.iter()).zip(&mut rows) {
            let mut texel = points.texel;
            if ROWS {
                let (footprints, most) = (points.footprints(own), geometry.anisotropy);
                let rows = rows.on(simd, texture, own, footprints, most);
                if has_alpha {
                    texel = rows.sample(simd, texture);
                } else {
                    [texel[0], texel[1], texel[2]] = rows.sample(simd, texture);
                }
            } else if has_alpha {
                texel = taps.sample::<4>(simd, texture);
            } else {
                [texel[0], texel[1], texel[2]] = taps.sample::<3>(simd, texture);
            }
            take_texel(simd, role, (material, response), has_alpha, texel, points);
        }
    }

    // 3. Light.
    let has_occlusion = material.occlusion.is_some() || light.occlusion.is_some();
    let common = Common::new(response, has_occlusion);
    let diffuse = material.diffuse.map(|index| &geometry.textures[index]);
    let is_opaque = diffuse.is_none_or(|texture| texture.is_opaque);
    for (((points, packet), receivers), out) in
        points.iter_mut().zip(packets).zip(&*receivers).zip(out)
    {
        points.normal = points.normal.scaled(points.front);
        points.to_eye = light.rays.back_lanes(simd, packet.x, packet.y);
        let base = base_color(simd, shader, is_opaque, points);
        let lit = match response.is_unlit {
            true => base,
            false => lit(simd, light, (response, &common), points, base, receivers),
        };
        *out = finish(simd, shader, light.tone, points, lit);
    }
}

/// Puts a texel where its role has it.
#[inline(always)]
fn take_texel<S: Simd>(
    simd: S,
    role: TextureRole,
    (material, response): (&Material, &MetallicRoughness),
    has_alpha: bool,
    texel: [S::f32s; 4],
    points: &mut LaneFragments<S>,
) {
    let [r, g, b, a] = texel;
    match role {
        TextureRole::Diffuse => {
            // The mix of four ones, as the filter rounds it.
            let solid = splat(simd, 65535.0 * (1.0 / 65535.0));
            points.texel = [r, g, b, if has_alpha { a } else { solid }];
        }
        TextureRole::MetallicRoughness => {
            (points.roughness, points.metallic) = (g * points.roughness, b * points.metallic);
        }
        TextureRole::Occlusion => {
            points.occlusion *= (r - 1.0) * response.occlusion_strength + 1.0;
        }
        TextureRole::Glow => {
            points.emissive = rgb(simd, material.emissive).times(Vec3s::new(r, g, b));
        }
        TextureRole::Normal => apply_normal_map(material, points, [r, g, b]),
        TextureRole::Specular => {}
    }
}

/// Colour of the surface: texture, material and vertices.
#[inline(always)]
fn base_color<S: Simd>(
    simd: S,
    shader: &Shader,
    is_opaque: bool,
    points: &LaneFragments<S>,
) -> Vec3s<S> {
    let (texel, color) = (&points.texel, &points.color);
    let mut base = Vec3s::<S>::new(texel[0], texel[1], texel[2]);
    if !is_opaque {
        let (zero, one) = (splat(simd, 0.0), splat(simd, 1.0));
        base = base.scaled(texel[3].simd_gt(0.0).select(one / texel[3], zero));
    }
    if shader.material.color != LinearRgb::WHITE {
        base = base.times(rgb(simd, shader.material.color));
    }
    if shader.attributes.has_color {
        base = base.times(Vec3s::new(color[0], color[1], color[2]));
    }
    base
}

/// Light that leaves the surface, with its own.
#[inline(always)]
fn lit<S: Simd>(
    simd: S,
    light: &LightContext,
    (response, common): (&MetallicRoughness, &Common),
    points: &LaneFragments<S>,
    base: Vec3s<S>,
    receivers: &Receivers<S>,
) -> Vec3s<S> {
    let point = Point {
        normal: points.normal.into(),
        smooth: points.smooth.into(),
        to_eye: points.to_eye.into(),
        position: points.position.into(),
        base: base.into(),
        metallic: Lanes(points.metallic),
        roughness: Lanes(points.roughness),
        occlusion: Lanes(points.occlusion),
    };
    let visible = |number: usize, is_lit: S::mask32s| match light.shadow_of(number) {
        Some(map) => Lanes(visibility_lanes(simd, map, receivers, is_lit)),
        None => Lanes(splat(simd, 1.0)),
    };
    let reflected: Triple<Lanes<S>> = match &response.toon {
        Some(toon) => toon_point(toon, light, point, visible),
        None => light_point(common, light, point, visible),
    };
    Vec3s::from(reflected).plus(points.emissive)
}

/// Last step: tone and opacity.
#[inline(always)]
fn finish<S: Simd>(
    simd: S,
    shader: &Shader,
    tone: Tone,
    points: &LaneFragments<S>,
    mut light: Vec3s<S>,
) -> [S::f32s; 4] {
    let Shader { material, attributes, .. } = shader;
    if tone != Tone::NONE {
        light = toned(tone, light.into()).into();
    }
    let held = Vec3s::<S>::new(
        clamp(simd, light.x, 0.0, 1.0),
        clamp(simd, light.y, 0.0, 1.0),
        clamp(simd, light.z, 0.0, 1.0),
    );
    if !material.alpha.is_blended() {
        return [held.x, held.y, held.z, splat(simd, 1.0)];
    }
    let mut alpha = points.texel[3] * material.opacity;
    if attributes.has_color {
        alpha *= points.color[3];
    }
    [held.x * alpha, held.y * alpha, held.z * alpha, alpha]
}
