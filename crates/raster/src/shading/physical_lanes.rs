//! Shading of the metallic-roughness model over lanes: one fragment a lane, of any triangles with one material.
//! [`crate::shading::scalar`] is the definition; the light model itself is one text for both.

use crate::geometry::context::GeometryContext;
use crate::interpolate::packet::{BATCH, Packet, TriangleStore};
use crate::shading::context::LightContext;
use crate::shading::lanes::{
    LaneFragments, ShadeScratch, Shader, TapsKey, find_open, find_texels, interpolate, rgb, tilted,
};
use crate::shading::physical::{Common, Layers, Parts, Point, light_point, roughness_of_gloss};
use crate::shading::tone::toned_surface;
use crate::shading::toon::toon_point;
use crate::shadow::filter::lanes::visibility_lanes;
use crate::shadow::receiver::Receivers;
use crate::texture::anisotropic::lanes::CachedRows;
use crate::texture::trilinear::lanes::LaneTaps;
use tintype_model::math::lanes::{Vec3s, clamp, splat};
use tintype_model::math::number::{Lanes, Triple};
use tintype_model::simd::Simd;
use tintype_model::simd::prelude::*;
use tintype_model::{LinearRgb, Material, MetallicRoughness, TextureRole};

/// Textures of the surface in the order in which they are read; the normal map is last, as it changes the normal.
const ROLES: [TextureRole; 6] = [
    TextureRole::Diffuse,
    TextureRole::MetallicRoughness,
    TextureRole::Glossiness,
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
    interpolants.forget();
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

    // 2. Textures of layers, which are rare, then the others.
    let parts = Parts::new(response, material.occlusion.is_some() || light.occlusion.is_some());
    let layers = Layers::of(response);
    let like = Lanes(splat(simd, 0.0));
    let plain = Common::spread(&Common::new(parts, &layers), like);
    let textured = (!material.layers.is_empty()).then(|| {
        let plain = (&layers, &plain);
        textured_layers::<S, ROWS>(simd, geometry, (material, response), parts, plain, points, taps)
    });
    let mut reader = Reader::<S, ROWS>::new(geometry, material, taps);
    for role in ROLES {
        reader.read(simd, role, points, |_, points, texel| {
            take_texel(simd, role, (material, response), texel, points);
        });
    }

    // 3. Light.
    let diffuse = material.diffuse.map(|index| &geometry.textures[index]);
    let is_opaque = diffuse.is_none_or(|texture| texture.is_opaque);
    for (number, (((points, packet), receivers), out)) in
        points.iter_mut().zip(packets).zip(&*receivers).zip(out).enumerate()
    {
        let common = textured.as_ref().map_or(&plain, |textured| &textured[number]);
        points.normal = points.normal.scaled(points.front);
        points.to_eye = light.rays.back_lanes(simd, packet.x, packet.y);
        let base = base_color(simd, shader, is_opaque, points);
        let lit = match response.is_unlit {
            true => base,
            false => lit(simd, light, (response, common), points, base, receivers),
        };
        *out = finish(simd, shader, light, points, lit);
    }
}

/// Reader of the textures of a batch of points, one after the other; those of one size share their taps.
struct Reader<'r, S: Simd, const ROWS: bool> {
    geometry: &'r GeometryContext<'r>,
    material: &'r Material,
    taps: &'r mut [LaneTaps<S>; BATCH],
    tapped: Option<TapsKey>,
    rows: [CachedRows<S>; BATCH],
}

impl<'r, S: Simd, const ROWS: bool> Reader<'r, S, ROWS> {
    #[inline(always)]
    fn new(
        geometry: &'r GeometryContext<'r>,
        material: &'r Material,
        taps: &'r mut [LaneTaps<S>; BATCH],
    ) -> Self {
        let rows = core::array::from_fn(|_| CachedRows::none());
        Self { geometry, material, taps, tapped: None, rows }
    }

    /// Gives `take` the number of each point, the point and its texel, if the material has a texture of that role.
    #[inline(always)]
    fn read(
        &mut self,
        simd: S,
        role: TextureRole,
        points: &mut [LaneFragments<S>],
        mut take: impl FnMut(usize, &mut LaneFragments<S>, [S::f32s; 4]),
    ) {
        let Some(index) = self.material.texture(role) else { return };
        let texture = &self.geometry.textures[index];
        let own = self.material.coordinates_of(role);
        if !ROWS {
            find_texels(simd, texture, own, points, self.taps, &mut self.tapped);
        }
        let has_alpha = role == TextureRole::Diffuse && !texture.is_opaque;
        // The mix of four ones, as the filter rounds it.
        let solid = splat(simd, 65535.0 * (1.0 / 65535.0));
        let parts = points.iter_mut().zip(self.taps.iter()).zip(&mut self.rows);
        for (number, ((points, taps), rows)) in parts.enumerate() {
            let mut texel = [solid; 4];
            if ROWS {
                let (footprints, most) = (points.footprints(own), self.geometry.anisotropy);
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
            take(number, points, texel);
        }
    }
}

/// Properties of each point of a material whose layers have textures, and the relief of its coat.
///
/// Not `#[inline(always)]`, unlike most functions over lanes: few materials need it.
fn textured_layers<S: Simd, const ROWS: bool>(
    simd: S,
    geometry: &GeometryContext,
    (material, response): (&Material, &MetallicRoughness),
    parts: Parts,
    (layers, plain): (&Layers<f32>, &Common<Lanes<S>>),
    points: &mut [LaneFragments<S>],
    taps: &mut [LaneTaps<S>; BATCH],
) -> [Common<Lanes<S>>; BATCH] {
    simd.vectorize(
        #[inline(always)]
        || {
            let mut layers = [Layers::spread(layers, Lanes(splat(simd, 0.0))); BATCH];
            let mut reader = Reader::<S, ROWS>::new(geometry, material, taps);
            for role in TextureRole::LAYERS {
                reader.read(simd, role, points, |number, points, [r, g, b, _]| {
                    if role == TextureRole::ClearcoatNormal {
                        let scale = Some(response.clearcoat_normal_scale);
                        let normal = tilted(material, scale, points, [r, g, b]);
                        points.smooth = normal.scaled(points.front);
                    } else {
                        let texel = Triple::new(Lanes(r), Lanes(g), Lanes(b));
                        layers[number].take(role, texel);
                    }
                });
            }
            let mut common = [*plain; BATCH];
            for (common, layers) in common.iter_mut().zip(&layers).take(points.len()) {
                *common = Common::new(parts, layers);
            }
            common
        },
    )
}

/// Puts a texel where its role has it.
#[inline(always)]
fn take_texel<S: Simd>(
    simd: S,
    role: TextureRole,
    (material, response): (&Material, &MetallicRoughness),
    texel: [S::f32s; 4],
    points: &mut LaneFragments<S>,
) {
    let [r, g, b, _] = texel;
    match role {
        TextureRole::Diffuse => points.texel = texel,
        TextureRole::MetallicRoughness => {
            (points.roughness, points.metallic) = (g * points.roughness, b * points.metallic);
        }
        TextureRole::Occlusion => {
            points.occlusion *= (r - 1.0) * response.occlusion_strength + 1.0;
        }
        TextureRole::Glow => {
            points.emissive = rgb(simd, material.emissive).times(Vec3s::new(r, g, b));
        }
        TextureRole::Normal => {
            points.normal = tilted(material, Some(response.normal_scale), points, [r, g, b]);
        }
        TextureRole::Glossiness => {
            points.roughness = roughness_of_gloss(Lanes::<S>(points.roughness), Lanes(r)).0;
        }
        _ => {}
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
    (response, common): (&MetallicRoughness, &Common<Lanes<S>>),
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
    frame: &LightContext,
    points: &LaneFragments<S>,
    light: Vec3s<S>,
) -> [S::f32s; 4] {
    let Shader { material, attributes, .. } = shader;
    let light: Vec3s<S> = toned_surface(frame, material, light.into(), light.into()).into();
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
