//! Shading over lanes: one fragment per lane, from any triangles with the same material.
//! [`crate::shading::scalar`] is the definition; the operations and their order are the same, and
//! `tests/raster` checks that every level of the machine has the same bits. The light models have
//! one source for both.
//!
//! Input: packets of fragments with one [`Shader`]. Output: their light, premultiplied linear RGBA,
//! in [`ShadeScratch::light`].

use crate::context::FrameContext;
use crate::geometry::context::GeometryContext;
use crate::interpolate::lanes::{
    BITANGENT_SIGN, EXTRA_STEP, LaneInterpolants, NORMAL, POSITION, STEP, TANGENT, corner3, mix,
    mix3,
};
use crate::interpolate::packet::{Attributes, BATCH, Packet, TriangleStore};
use crate::occlusion::OcclusionMap;
use crate::shading::context::LightContext;
use crate::shading::light::{self, Lit, Modulated, SpecularTerm};
use crate::shading::physical::{Common, Layers, Parts, Point, light_point, roughness_of_gloss};
use crate::shading::texels::{Reader, Sampled};
use crate::shading::tone::toned_surface;
use crate::shading::toon::{ToonTexels, matcap_axes, matcap_step, toon_light};
use crate::shadow::filter::lanes::visibility_lanes;
use crate::shadow::receiver::{Receivers, smooth_positions};
use crate::texture::trilinear::lanes::{Footprints, LaneTaps};
use tintype_model::math::Vec3;
use tintype_model::math::func::UnitPower;
use tintype_model::math::lanes::{Vec3s, clamp, splat};
use tintype_model::math::number::{Lanes, Triple};
use tintype_model::simd::Simd;
use tintype_model::simd::prelude::*;
use tintype_model::{
    LinearRgb, Material, MetallicRoughness, ShadingModel, TextureCoordinates, TextureRole, Toon,
};

/// Textures of the surface in the order of reading; the normal map is last, because it changes the
/// normal.
const ROLES: [TextureRole; 7] = [
    TextureRole::Diffuse,
    TextureRole::Specular,
    TextureRole::MetallicRoughness,
    TextureRole::Glossiness,
    TextureRole::Occlusion,
    TextureRole::Emissive,
    TextureRole::Normal,
];

#[inline(always)]
fn rgb<S: Simd>(simd: S, color: LinearRgb) -> Vec3s<S> {
    Vec3s::splat(simd, Vec3::new(color.r, color.g, color.b))
}

/// Properties common to all fragments of a packet: material, and attributes read by shading.
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
    /// Only if textures use the second texture coordinates: their footprints.
    second_footprints: Footprints<S>,
    /// Only for a matcap: growth of the normal per pixel to the right and per pixel down.
    normal_growth: [Vec3s<S>; 2],
    /// Only where light depends on it.
    position: Vec3s<S>,
    /// Unit normal, first before the normal map, then after it and turned to the viewer.
    normal: Vec3s<S>,
    front: S::f32s,
    /// Only with a normal map: tangent, tangent of the first corner, and sign of the bitangent.
    tangent: Vec3s<S>,
    first_tangent: Vec3s<S>,
    bitangent_sign: S::f32s,
    /// Only where vertices have colours.
    color: [S::f32s; 4],
    texel: [S::f32s; 4],
    specular: Vec3s<S>,
    emissive: Vec3s<S>,
    to_eye: Vec3s<S>,
    /// Only in the metallic-roughness model: the normal of the coat, turned to the viewer.
    smooth: Vec3s<S>,
    /// Only for brushed surfaces: the direction of the brushing.
    along: Vec3s<S>,
    metallic: S::f32s,
    roughness: S::f32s,
    /// Fraction of ambient light that reaches the point.
    occlusion: S::f32s,
}

impl<S: Simd> Sampled<S> for LaneFragments<S> {
    #[inline(always)]
    fn footprints(&self, coordinates: Option<&TextureCoordinates>) -> &Footprints<S> {
        match coordinates {
            Some(own) if own.is_second => &self.second_footprints,
            _ => &self.footprints,
        }
    }
}

/// State of a batch of packets between the steps.
pub(crate) struct ShadeScratch<S: Simd> {
    interpolants: LaneInterpolants<S>,
    points: [LaneFragments<S>; BATCH],
    taps: [LaneTaps<S>; BATCH],
    /// Only where lights cast shadows.
    receivers: [Receivers<S>; BATCH],
    /// Light toward the eye of the fragments of each packet: premultiplied linear RGBA, each
    /// clamped to 0..=1. Lanes without a fragment hold arbitrary values.
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
            normal_growth: [none; 2],
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
            smooth: none,
            along: none,
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

/// Shades a batch of packets with one shader into [`ShadeScratch::light`]; with `ROWS`, textures
/// are filtered by rows of probes. `IS_PHYSICAL` is true if the material has a response.
#[inline(always)]
pub(crate) fn shade<S: Simd, const ROWS: bool, const IS_PHYSICAL: bool>(
    simd: S,
    frame: &FrameContext,
    store: TriangleStore,
    shader: &Shader,
    packets: &[Packet<S>],
    shade_scratch: &mut ShadeScratch<S>,
) {
    let FrameContext { geometry, light, .. } = *frame;
    let Shader { material, half_shininess, attributes } = *shader;
    let response = material.response.as_deref().filter(|_| IS_PHYSICAL);
    let is_modulated = material.shading == ShadingModel::FixedFunction;
    let count = packets.len().min(BATCH);
    let ShadeScratch { interpolants, points, taps, receivers, light: out } = shade_scratch;
    let points = &mut points[..count];

    // 1. Interpolation.
    interpolants.forget();
    let emissive = if is_modulated { LinearRgb::BLACK } else { material.emissive };
    for ((packet, points), receivers) in packets.iter().zip(points.iter_mut()).zip(&mut *receivers)
    {
        interpolants.take(simd, store, attributes, packet);
        let receivers = (!light.shadows.is_empty()).then_some(receivers);
        interpolate(simd, interpolants, attributes, packet, points, receivers);
        points.texel = [splat(simd, 1.0); 4];
        points.specular = specular_strength(simd, material);
        points.emissive = rgb(simd, emissive);
        points.occlusion = splat(simd, 1.0);
        if let Some(response) = response {
            points.smooth = points.normal.scaled(points.front);
            points.metallic = splat(simd, response.metallic);
            points.roughness = splat(simd, response.roughness);
        }
    }
    if let Some(occlusion) = light.occlusion {
        find_open(simd, occlusion, points);
    }
    if let Some(toon) = response.and_then(|response| response.toon.as_ref()) {
        shade_toon::<S, ROWS>(simd, frame, (shader, toon), packets, shade_scratch);
        return;
    }

    // 2. Textures of layers, which are rare, then the others.
    let common = response.map(|response| {
        let has_occlusion = material.occlusion.is_some() || light.occlusion.is_some();
        let (parts, layers) = (Parts::new(response, has_occlusion), Layers::of(response));
        let plain = Common::spread(&Common::new(parts, &layers), Lanes(splat(simd, 0.0)));
        let textured = (!material.layers.is_empty()).then(|| {
            let of = &LayeredMaterial { material, response, parts, layers: &layers, plain: &plain };
            textured_layers::<S, ROWS>(simd, geometry, of, points, taps)
        });
        for (number, points) in points.iter_mut().enumerate() {
            let common = textured.as_ref().map_or(&plain, |textured| &textured[number]);
            if let Some([t, b]) = common.brushed() {
                let [tangent, bitangent] = tangents(points);
                points.along = tangent.scaled(t.0).plus(bitangent.scaled(b.0));
            }
        }
        (plain, textured)
    });
    let mut reader = Reader::<S, ROWS>::new(geometry, material, taps);
    for role in ROLES {
        reader.read(simd, role, points, |_, points, texel| {
            take_texel(simd, role, material, response, texel, points);
        });
    }

    // 3. Light.
    let diffuse = material.diffuse.map(|index| &geometry.textures[index]);
    let is_opaque = diffuse.is_none_or(|texture| texture.is_opaque);
    let shine = SpecularTerm::of(material, half_shininess).filter(|_| !IS_PHYSICAL);
    for (number, (((points, packet), receivers), out)) in
        points.iter_mut().zip(packets).zip(&*receivers).zip(out).enumerate()
    {
        // A bump seen from behind is a dent: the whole normal is flipped.
        points.normal = points.normal.scaled(points.front);
        if IS_PHYSICAL || shine.is_some() {
            points.to_eye = light.rays.back_lanes(simd, packet.x, packet.y);
        }
        let [texel, base] = surface_colors(simd, shader, is_opaque, points);
        let visible =
            |number: usize, is_lit: S::mask32s| visible(simd, light, number, receivers, is_lit);
        let color = match response.zip(common.as_ref()) {
            Some((response, _)) if response.is_unlit => base,
            Some((_, (plain, textured))) => {
                let common = textured.as_ref().map_or(plain, |textured| &textured[number]);
                let point = point_of(points, base);
                light_point(common, light, point, visible).plus(points.emissive.into())
            }
            None => {
                let modulated = is_modulated.then(|| {
                    let own =
                        if material.emissive_map.is_none() { material.emissive } else { emissive };
                    Modulated { texel, emissive: rgb(simd, own).into() }
                });
                let lit = lit_of(points, base, modulated);
                light::light_point(&lit, shine.as_ref(), light, visible)
            }
        };
        *out = finish(simd, shader, light, points, color);
    }
}

/// The part of a light that reaches the points.
#[inline(always)]
fn visible<S: Simd>(
    simd: S,
    light: &LightContext,
    number: usize,
    receivers: &Receivers<S>,
    is_lit: S::mask32s,
) -> Lanes<S> {
    match light.shadow_of(number) {
        Some(map) => Lanes(visibility_lanes(simd, map, receivers, is_lit)),
        None => Lanes(splat(simd, 1.0)),
    }
}

/// Textures and light of interpolated two-tone points.
///
/// Not `#[inline(always)]`, unlike most functions over lanes: few materials need it.
fn shade_toon<S: Simd, const ROWS: bool>(
    simd: S,
    frame: &FrameContext,
    (shader, toon): (&Shader, &Toon),
    packets: &[Packet<S>],
    shade_scratch: &mut ShadeScratch<S>,
) {
    let FrameContext { geometry, light, .. } = *frame;
    simd.vectorize(
        #[inline(always)]
        || {
            let ShadeScratch { points, taps, receivers, light: out, .. } = shade_scratch;
            let points = &mut points[..packets.len().min(BATCH)];
            let texels = toon_texels::<S, ROWS>(simd, frame, shader, packets, points, taps);
            let diffuse = shader.material.diffuse.map(|index| &geometry.textures[index]);
            let is_opaque = diffuse.is_none_or(|texture| texture.is_opaque);
            for (((points, texels), receivers), out) in
                points.iter().zip(&texels).zip(&*receivers).zip(out)
            {
                let [_, base] = surface_colors(simd, shader, is_opaque, points);
                let visible = |number: usize, is_lit: S::mask32s| {
                    visible(simd, light, number, receivers, is_lit)
                };
                let own = (texels, points.emissive.into());
                let color = toon_light(toon, light, point_of(points, base), own, visible);
                *out = finish(simd, shader, light, points, color);
            }
        },
    );
}

/// Textures of two-tone points, with their normals and the directions to the eye.
#[inline(always)]
fn toon_texels<S: Simd, const ROWS: bool>(
    simd: S,
    frame: &FrameContext,
    shader: &Shader,
    packets: &[Packet<S>],
    points: &mut [LaneFragments<S>],
    taps: &mut [LaneTaps<S>; BATCH],
) -> [ToonTexels<Lanes<S>>; BATCH] {
    const OWN: [TextureRole; 6] = [
        TextureRole::Diffuse,
        TextureRole::Shade,
        TextureRole::ShadingShift,
        TextureRole::Rim,
        TextureRole::Emissive,
        TextureRole::Normal,
    ];
    let FrameContext { geometry, light, .. } = *frame;
    let material = shader.material;
    let response = material.response.as_deref();
    if let Some((motion, _)) = material.masked_motion() {
        let mut reader = Reader::<S, false>::new(geometry, material, taps);
        reader.read(simd, TextureRole::MotionMask, points, |_, points, [_, _, share, _]| {
            points.footprints = points.footprints.moved(motion, share);
            points.second_footprints = points.second_footprints.moved(motion, share);
        });
    }
    let mut texels = [ToonTexels::none(Lanes(splat(simd, 0.0))); BATCH];
    let mut reader = Reader::<S, ROWS>::new(geometry, material, taps);
    for role in OWN {
        reader.read(simd, role, points, |number, points, texel| {
            let (r, g, b) = (Lanes(texel[0]), Lanes(texel[1]), Lanes(texel[2]));
            match role {
                TextureRole::Shade => texels[number].shade = Triple::new(r, g, b),
                TextureRole::ShadingShift => texels[number].shift = r,
                TextureRole::Rim => texels[number].rim = Triple::new(r, g, b),
                _ => take_texel(simd, role, material, response, texel, points),
            }
        });
    }
    for (points, packet) in points.iter_mut().zip(packets) {
        points.normal = points.normal.scaled(points.front);
        points.to_eye = light.rays.back_lanes(simd, packet.x, packet.y);
        if shader.attributes.has_normal_growth {
            let axes = matcap_axes(&light.view_axes, points.to_eye.into());
            let [across, down] = points.normal_growth;
            let [u, v] = matcap_step(&axes, points.normal.into());
            let [across_u, across_v] = matcap_step(&axes, across.scaled(points.front).into());
            let [down_u, down_v] = matcap_step(&axes, down.scaled(points.front).into());
            points.footprints = Footprints {
                at: [u.0 + 0.5, v.0 + 0.5],
                across: [across_u.0, across_v.0],
                down: [down_u.0, down_v.0],
            };
            points.second_footprints = points.footprints;
        }
    }
    let mut reader = Reader::<S, ROWS>::new(geometry, material, taps);
    reader.read(simd, TextureRole::Matcap, points, |number, _, [r, g, b, _]| {
        texels[number].matcap = Triple::new(Lanes(r), Lanes(g), Lanes(b));
    });
    texels
}

/// Looks up the fraction of ambient light that reaches each point, before its normal map is
/// applied.
///
/// Not `#[inline(always)]`, unlike most functions over lanes: it is compiled once for each level.
fn find_open<S: Simd>(simd: S, occlusion: &OcclusionMap, points: &mut [LaneFragments<S>]) {
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

/// First step: attributes from barycentric coordinates.
#[inline(always)]
fn interpolate<S: Simd>(
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
    if attributes.has_normal_growth {
        points.normal_growth = interpolants.normal_growth(&barycentrics);
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

/// Unit normals of the front, tilted by the texels of a normal map, with slopes of a scale if there
/// is one: see [`crate::shading::scalar`].
#[inline(always)]
fn tilted<S: Simd>(
    material: &Material,
    scale: Option<f32>,
    points: &LaneFragments<S>,
    [x, y, z]: [S::f32s; 3],
) -> Vec3s<S> {
    let (mut x, mut y, z) = (x * 2.0 - 1.0, y * 2.0 - 1.0, z * 2.0 - 1.0);
    if let Some(scale) = scale {
        (x, y) = (x * scale, y * scale);
    }
    let (smooth, [tangent, bitangent]) = (points.normal, tangents(points));
    let up = if material.normal_y_down { -y } else { y };
    tangent.scaled(x).plus(bitangent.scaled(up)).plus(smooth.scaled(z)).unit_or(smooth)
}

/// Unit tangents and bitangents of points before normal mapping.
#[inline(always)]
fn tangents<S: Simd>(points: &LaneFragments<S>) -> [Vec3s<S>; 2] {
    let (smooth, along) = (points.normal, points.tangent);
    let tangent = along.minus(smooth.scaled(smooth.dot(along))).unit_or(points.first_tangent);
    [tangent, smooth.cross(tangent).scaled(points.bitangent_sign)]
}

/// A material with textures of layers, and its properties without them.
struct LayeredMaterial<'a, S: Simd> {
    material: &'a Material,
    response: &'a MetallicRoughness,
    parts: Parts,
    layers: &'a Layers<f32>,
    plain: &'a Common<Lanes<S>>,
}

/// Properties of each point of a material with layer textures, and the normal map of its coat.
///
/// Not `#[inline(always)]`, unlike most functions over lanes: few materials need it.
fn textured_layers<S: Simd, const ROWS: bool>(
    simd: S,
    geometry: &GeometryContext,
    of: &LayeredMaterial<S>,
    points: &mut [LaneFragments<S>],
    taps: &mut [LaneTaps<S>; BATCH],
) -> [Common<Lanes<S>>; BATCH] {
    let LayeredMaterial { material, response, parts, layers, plain } = *of;
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

/// Stores a texel by its role.
#[inline(always)]
fn take_texel<S: Simd>(
    simd: S,
    role: TextureRole,
    material: &Material,
    response: Option<&MetallicRoughness>,
    texel: [S::f32s; 4],
    points: &mut LaneFragments<S>,
) {
    let [r, g, b, _] = texel;
    match (role, response) {
        (TextureRole::Diffuse, _) => points.texel = texel,
        (TextureRole::Specular, _) => {
            points.specular = Vec3s::new(r, g, b).times(specular_strength(simd, material));
        }
        (TextureRole::Emissive, _) => {
            points.emissive = rgb(simd, material.emissive).times(Vec3s::new(r, g, b));
        }
        (TextureRole::Normal, _) => {
            let scale = response.map(|response| response.normal_scale);
            points.normal = tilted(material, scale, points, [r, g, b]);
        }
        (TextureRole::MetallicRoughness, Some(_)) => {
            (points.roughness, points.metallic) = (g * points.roughness, b * points.metallic);
        }
        (TextureRole::Occlusion, Some(response)) => {
            points.occlusion *= (r - 1.0) * response.occlusion_strength + 1.0;
        }
        (TextureRole::Glossiness, Some(_)) => {
            points.roughness = roughness_of_gloss(Lanes::<S>(points.roughness), Lanes(r)).0;
        }
        _ => {}
    }
}

/// Colour of the texture, not premultiplied, and colour of the surface: texture, material and
/// vertices, without the texture if that modulates. Steps without effect, such as a product with 1,
/// are skipped.
#[inline(always)]
fn surface_colors<S: Simd>(
    simd: S,
    shader: &Shader,
    is_opaque: bool,
    points: &LaneFragments<S>,
) -> [Triple<Lanes<S>>; 2] {
    let Shader { material, attributes, .. } = shader;
    let (of_texture, of_vertex) = (&points.texel, &points.color);
    let mut texel = Vec3s::<S>::new(of_texture[0], of_texture[1], of_texture[2]);
    if !is_opaque {
        let (zero, one) = (splat(simd, 0.0), splat(simd, 1.0));
        texel = texel.scaled(of_texture[3].simd_gt(0.0).select(one / of_texture[3], zero));
    }
    let of_vertex = Vec3s::new(of_vertex[0], of_vertex[1], of_vertex[2]);
    let of_material = rgb(simd, material.color);
    let base = match (material.shading, attributes.has_color) {
        (ShadingModel::FixedFunction, true) => of_vertex,
        (ShadingModel::FixedFunction, false) => of_material,
        (_, has_color) => {
            let mut base = texel;
            if material.color != LinearRgb::WHITE {
                base = base.times(of_material);
            }
            if has_color { base.times(of_vertex) } else { base }
        }
    };
    [texel.into(), base.into()]
}

/// Points of the classic model.
#[inline(always)]
fn lit_of<S: Simd>(
    points: &LaneFragments<S>,
    base: Triple<Lanes<S>>,
    modulated: Option<Modulated<Lanes<S>>>,
) -> Lit<Lanes<S>> {
    Lit {
        position: points.position.into(),
        normal: points.normal.into(),
        to_eye: points.to_eye.into(),
        base,
        modulated,
        specular: points.specular.into(),
        emissive: points.emissive.into(),
        open: Lanes(points.occlusion),
    }
}

/// Points of the metallic-roughness model.
#[inline(always)]
fn point_of<S: Simd>(points: &LaneFragments<S>, base: Triple<Lanes<S>>) -> Point<Lanes<S>> {
    Point {
        normal: points.normal.into(),
        smooth: points.smooth.into(),
        to_eye: points.to_eye.into(),
        position: points.position.into(),
        base,
        metallic: Lanes(points.metallic),
        roughness: Lanes(points.roughness),
        occlusion: Lanes(points.occlusion),
        along: points.along.into(),
    }
}

/// Last step: tone and opacity.
#[inline(always)]
fn finish<S: Simd>(
    simd: S,
    shader: &Shader,
    frame: &LightContext,
    points: &LaneFragments<S>,
    light: Triple<Lanes<S>>,
) -> [S::f32s; 4] {
    let Shader { material, attributes, .. } = shader;
    let light = toned_surface(frame, material, points.specular.into(), light);
    let brightest = frame.brightest;
    let (red, green) =
        (clamp(simd, light.x.0, 0.0, brightest), clamp(simd, light.y.0, 0.0, brightest));
    let held = [red, green, clamp(simd, light.z.0, 0.0, brightest)];
    if !material.alpha.is_blended() {
        return [held[0], held[1], held[2], splat(simd, 1.0)];
    }
    let mut alpha = points.texel[3];
    if material.shading != ShadingModel::FixedFunction || !attributes.has_color {
        alpha *= material.opacity;
    }
    if attributes.has_color {
        alpha *= points.color[3];
    }
    [held[0] * alpha, held[1] * alpha, held[2] * alpha, alpha]
}
