//! Shading of one fragment: attributes, textures, light. The definition of
//! [`crate::shading::lanes`].

use crate::geometry::chunk::TriangleId;
use crate::geometry::context::GeometryContext;
use crate::interpolate::scalar::{Barycentric, Interpolants, mix3};
use crate::shading::context::{LightContext, rgb};
use crate::shading::light::{self, Lit, Modulated, SpecularTerm};
use crate::shading::physical::{Common, Layers, Parts, Point, light_point, roughness_of_gloss};
use crate::shading::tone::toned_surface;
use crate::shading::toon::{ToonTexels, matcap_axes, matcap_step, toon_light};
use crate::shadow::receiver::smooth_position;
use crate::texture::anisotropic::scalar::Row;
use crate::texture::footprint::Footprint;
use crate::texture::sample_filtered;
use crate::texture::trilinear::scalar::Taps;
use tintype_model::math::func::UnitPower;
use tintype_model::math::number::Triple;
use tintype_model::math::{Vec2, Vec3, Vec4, clamp, unit_or};
use tintype_model::{
    AlphaMode, LinearRgb, MetallicRoughness, ShadingModel, Texture, TextureCoordinates, TextureRole,
};

/// Samples the textures of one fragment; textures of equal size with the same coordinates share
/// their taps.
struct Sampler<'s> {
    surface: &'s Interpolants<'s>,
    barycentric: &'s Barycentric,
    taps: Option<(Option<&'s TextureCoordinates>, Taps)>,
}

impl Sampler<'_> {
    fn sample(&mut self, role: TextureRole, texture: &Texture) -> Vec4 {
        // With more than one probe per texture there are no taps.
        let most = self.surface.anisotropy();
        let footprint = || self.surface.footprint(self.barycentric, role);
        if most > 1 {
            return Row::new(texture, &footprint(), most).sample(texture);
        }
        let coordinates = self.surface.material.coordinates_of(role);
        let (_, taps) = match &mut self.taps {
            Some(known) if known.0 == coordinates && known.1.fit(texture) => known,
            other => other.insert((coordinates, Taps::new(texture, &footprint()))),
        };
        taps.sample(texture)
    }
}

/// One triangle, ready to be shaded at any of its points.
pub(crate) struct Surface<'a> {
    light: &'a LightContext<'a>,
    interpolants: Interpolants<'a>,
    /// Values at the vertices of [`Interpolants::vertices`].
    position: [Vec3; 3],
    normal: [Vec3; 3],
    tangent: [Vec3; 3],
    bitangent_sign: f32,
    half_shininess: UnitPower,
}

impl<'a> Surface<'a> {
    pub(crate) fn new(
        geometry: &'a GeometryContext<'a>,
        light: &'a LightContext<'a>,
        id: TriangleId,
    ) -> Self {
        let interpolants = Interpolants::new(geometry, id);
        let Interpolants { draw, material, vertices, .. } = interpolants;
        Self {
            light,
            position: vertices.map(|vertex| draw.posed.position_at(vertex)),
            normal: vertices.map(|vertex| draw.posed.normal_at(vertex)),
            tangent: if material.needs_tangents() {
                vertices.map(|vertex| draw.posed.tangent_at(vertex))
            } else {
                [Vec3::ZERO; 3]
            },
            bitangent_sign: draw.mesh.bitangent_sign[vertices[0]],
            half_shininess: light.powers[draw.material],
            interpolants,
        }
    }

    /// The light from a point to the eye: premultiplied linear RGBA, each clamped to 0..=1.
    pub(crate) fn shade(&self, x: i32, y: i32) -> Vec4 {
        let (light, surface) = (self.light, &self.interpolants);
        let material = surface.material;
        let barycentric = surface.barycentric(x, y);
        let mut sampler = Sampler { surface, barycentric: &barycentric, taps: None };

        // 1. Surface colours.
        let texel = match surface.texture(material.diffuse) {
            Some(texture) => sampler.sample(TextureRole::Diffuse, texture),
            None => Vec4::ONE,
        };
        let color = surface.color(&barycentric);
        let is_modulated = material.shading == ShadingModel::FixedFunction;
        let alpha = match material.alpha {
            AlphaMode::Blend | AlphaMode::Add | AlphaMode::Multiply => match color {
                Some(color) if is_modulated => texel.w * color.w,
                Some(color) => texel.w * material.opacity * color.w,
                None => texel.w * material.opacity,
            },
            AlphaMode::Opaque | AlphaMode::Mask { .. } => 1.0,
        };
        let straight = if texel.w > 0.0 { 1.0 / texel.w } else { 0.0 };
        let texel = texel.truncate() * straight;
        let base = match color {
            Some(color) if is_modulated => color.truncate(),
            None if is_modulated => rgb(material.color),
            Some(color) => texel * rgb(material.color) * color.truncate(),
            None => texel * rgb(material.color),
        };
        let strength = rgb(material.specular_color) * material.specular_strength;
        let specular = match surface.texture(material.specular) {
            Some(texture) => sampler.sample(TextureRole::Specular, texture).truncate() * strength,
            None => strength,
        };
        let (emissive, modulated_emissive) = match surface.texture(material.emissive_map) {
            Some(texture) => {
                let texel = sampler.sample(TextureRole::Emissive, texture).truncate();
                (rgb(material.emissive) * texel, LinearRgb::BLACK)
            }
            None if is_modulated => (Vec3::ZERO, material.emissive),
            None => (rgb(material.emissive), LinearRgb::BLACK),
        };
        let modulated = is_modulated.then(|| {
            let emissive = rgb(modulated_emissive).into();
            Modulated { texel: texel.into(), emissive }
        });

        // 2. Normal.
        let position = mix3(self.position, barycentric.at);
        let normal = self.facing(&barycentric, &mut sampler);

        // 3. Light.
        let lit = Lit {
            position: position.into(),
            normal: normal.into(),
            to_eye: light.rays.back(x, y).into(),
            base: base.into(),
            modulated,
            specular: specular.into(),
            emissive: emissive.into(),
            open: match light.occlusion {
                Some(occlusion) => {
                    occlusion.open(position.into(), self.smooth(&barycentric).into())
                }
                None => 1.0,
            },
        };
        let receiver = self.receiver(&barycentric, position);
        let visible = |number: usize, _| match (light.shadow_of(number), receiver) {
            (Some(map), Some((position, normal))) => map.visibility(position, normal),
            _ => 1.0,
        };
        let color = match material.response.as_deref() {
            None => {
                let shine = SpecularTerm::of(material, &self.half_shininess);
                light::light_point(&lit, shine.as_ref(), light, visible)
            }
            Some(MetallicRoughness { toon: Some(toon), .. }) => {
                let texels = self.toon_texels(&barycentric, &lit, &mut sampler);
                let point = Point {
                    normal: lit.normal,
                    smooth: lit.normal,
                    to_eye: lit.to_eye,
                    position: lit.position,
                    base: lit.base,
                    metallic: 0.0,
                    roughness: 0.0,
                    occlusion: lit.open,
                    along: Triple::new(0.0, 0.0, 0.0),
                };
                toon_light(toon, light, point, (&texels, lit.emissive), visible)
            }
            Some(response) if response.is_unlit => lit.base,
            Some(response) => {
                let has_occlusion = material.occlusion.is_some() || light.occlusion.is_some();
                let layers = self.layers(response, &mut sampler);
                let common = Common::new(Parts::new(response, has_occlusion), &layers);
                let smooth = self.coat_normal(response, &barycentric, &mut sampler);
                let mut point = self.point(response, &lit, smooth, &mut sampler);
                if let Some([t, b]) = common.brushed() {
                    let (tangent, bitangent) = self.tangents(&barycentric);
                    point.along = (tangent * t + bitangent * b).into();
                }
                light_point(&common, light, point, visible).plus(lit.emissive)
            }
        };
        let color = toned_surface(light, material, lit.specular, color);
        let held =
            [color.x, color.y, color.z].map(|value| clamp(value, 0.0, light.brightest) * alpha);
        Vec4::new(held[0], held[1], held[2], alpha)
    }

    /// Position of a point as a shadow receiver, and its normal without the normal map. None if no
    /// light casts a shadow.
    fn receiver(&self, barycentric: &Barycentric, position: Vec3) -> Option<(Vec3, Vec3)> {
        if self.light.shadows.is_empty() {
            return None;
        }
        let front = if self.interpolants.is_front { 1.0 } else { -1.0 };
        let normals = self.normal.map(|normal| normal * front);
        let on_curve = smooth_position(position, barycentric.at, self.position, normals);
        let smooth = unit_or(mix3(self.normal, barycentric.at), self.normal[0]) * front;
        Some((on_curve, smooth))
    }

    /// A point of a metallic-roughness surface.
    fn point(
        &self,
        response: &MetallicRoughness,
        lit: &Lit<f32>,
        smooth: Vec3,
        sampler: &mut Sampler,
    ) -> Point<f32> {
        let surface = &self.interpolants;
        let (mut metallic, mut roughness) = (response.metallic, response.roughness);
        if let Some(texture) = surface.texture(surface.material.metallic_roughness) {
            let texel = sampler.sample(TextureRole::MetallicRoughness, texture);
            (roughness, metallic) = (texel.y * roughness, texel.z * metallic);
        }
        if let Some(texture) = surface.texture(surface.material.texture(TextureRole::Glossiness)) {
            let texel = sampler.sample(TextureRole::Glossiness, texture);
            roughness = roughness_of_gloss(roughness, texel.x);
        }
        let mut occlusion = lit.open;
        if let Some(texture) = surface.texture(surface.material.occlusion) {
            let texel = sampler.sample(TextureRole::Occlusion, texture);
            occlusion *= (texel.x - 1.0) * response.occlusion_strength + 1.0;
        }
        Point {
            normal: lit.normal,
            smooth: smooth.into(),
            to_eye: lit.to_eye,
            position: lit.position,
            base: lit.base,
            metallic,
            roughness,
            occlusion,
            along: Triple::new(0.0, 0.0, 0.0),
        }
    }

    /// Texels of a surface of two tones.
    fn toon_texels(
        &self,
        barycentric: &Barycentric,
        lit: &Lit<f32>,
        sampler: &mut Sampler,
    ) -> ToonTexels<f32> {
        let surface = &self.interpolants;
        let mut texels = ToonTexels::none(0.0);
        let mut read = |role| {
            let texture = surface.texture(surface.material.texture(role))?;
            Some(sampler.sample(role, texture).truncate())
        };
        if let Some(texel) = read(TextureRole::Shade) {
            texels.shade = texel.into();
        }
        if let Some(texel) = read(TextureRole::ShadingShift) {
            texels.shift = texel.x;
        }
        if let Some(texel) = read(TextureRole::Rim) {
            texels.rim = texel.into();
        }
        let role = TextureRole::Matcap;
        if let Some(texture) = surface.texture(surface.material.texture(role)) {
            let axes = matcap_axes(&self.light.view_axes, lit.to_eye);
            let step = |of| Vec2::from_array(matcap_step(&axes, of));
            let front = if surface.is_front { 1.0 } else { -1.0 };
            let [across, down] = Interpolants::growth3(self.normal, barycentric)
                .map(|growth| step((growth * front).into()));
            let at = step(lit.normal) + Vec2::splat(0.5);
            let footprint = Footprint { at, across, down };
            let own = surface.material.coordinates_of(role);
            let footprint = own.map_or(footprint, |own| footprint.on(own));
            let most = surface.anisotropy();
            texels.matcap = sample_filtered(texture, &footprint, most).truncate().into();
        }
        texels
    }

    /// Layers of a metallic-roughness surface at a point.
    fn layers(&self, response: &MetallicRoughness, sampler: &mut Sampler) -> Layers<f32> {
        let surface = &self.interpolants;
        let mut layers = Layers::of(response);
        if !surface.material.layers.is_empty() {
            for role in TextureRole::LAYERS {
                if let Some(texture) = surface.texture(surface.material.texture(role)) {
                    layers.take(role, sampler.sample(role, texture).truncate().into());
                }
            }
        }
        layers
    }

    /// The unit normal of a clear coat at a point, turned to the viewer; it has a separate normal
    /// map from the surface.
    fn coat_normal(
        &self,
        response: &MetallicRoughness,
        barycentric: &Barycentric,
        sampler: &mut Sampler,
    ) -> Vec3 {
        let role = TextureRole::ClearcoatNormal;
        let Some(texture) = self.interpolants.texture(self.interpolants.material.texture(role))
        else {
            return self.smooth(barycentric);
        };
        let scale = response.clearcoat_normal_scale;
        let texel = sampler.sample(role, texture).truncate();
        let normal = self.tilted(barycentric, texel, scale);
        if self.interpolants.is_front { normal } else { -normal }
    }

    /// The unit normal at a point without the normal map, turned to the viewer.
    fn smooth(&self, barycentric: &Barycentric) -> Vec3 {
        let smooth = unit_or(mix3(self.normal, barycentric.at), self.normal[0]);
        if self.interpolants.is_front { smooth } else { -smooth }
    }

    /// The unit normal at a point, with the normal map applied, turned to the viewer.
    fn facing(&self, barycentric: &Barycentric, sampler: &mut Sampler) -> Vec3 {
        let surface = &self.interpolants;
        let smooth = unit_or(mix3(self.normal, barycentric.at), self.normal[0]);
        let normal = match surface.texture(surface.material.normal) {
            None => smooth,
            Some(texture) => {
                let texel = sampler.sample(TextureRole::Normal, texture).truncate();
                let response = surface.material.response.as_ref();
                let scale = response.map_or(1.0, |response| response.normal_scale);
                self.tilted(barycentric, texel, scale)
            }
        };
        // A bump seen from behind is a dent: the whole normal is flipped.
        if surface.is_front { normal } else { -normal }
    }

    /// Unit tangent and bitangent at a point.
    fn tangents(&self, barycentric: &Barycentric) -> (Vec3, Vec3) {
        let smooth = unit_or(mix3(self.normal, barycentric.at), self.normal[0]);
        let along = mix3(self.tangent, barycentric.at);
        let tangent = unit_or(along - smooth * smooth.dot(along), self.tangent[0]);
        (tangent, smooth.cross(tangent) * self.bitangent_sign)
    }

    /// The unit normal of the front at a point, tilted by the texel of a normal map with slopes of
    /// this scale.
    fn tilted(&self, barycentric: &Barycentric, texel: Vec3, scale: f32) -> Vec3 {
        let smooth = unit_or(mix3(self.normal, barycentric.at), self.normal[0]);
        let mut map = texel * 2.0 - Vec3::ONE;
        (map.x, map.y) = (map.x * scale, map.y * scale);
        let (tangent, bitangent) = self.tangents(barycentric);
        let up = if self.interpolants.material.normal_y_down { -map.y } else { map.y };
        unit_or(tangent * map.x + bitangent * up + smooth * map.z, smooth)
    }
}
