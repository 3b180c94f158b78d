//! Materials: names, colours, alpha and textures of the metallic-roughness model.
//!
//! The model gets the values unchanged, and an equivalent classic material: base colour, a
//! highlight as wide as the roughness, emission.

use super::image::Images;
use super::node::to_f32;
use super::parts::extension;
use super::source::Source;
use super::texcoord::{RoleChoices, TexcoordChoice, TexcoordSets, TexcoordTransform, assign};
use crate::gltf::buffer::missing;
use crate::gltf::document::{Extensions, Material, TextureInfo};
use crate::gltf::error::GltfError;
use crate::gltf::faults::RepairLog;
use crate::gltf::mtoon::{MTOON, VrmMaterials, stacking_of, textures_of, toon_of};
use crate::gltf::number::JsonInteger;
use crate::gltf::object::objects;
use crate::gltf::path::JsonPath;
use crate::names::Names;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use std::collections::BTreeMap;
use tintype_model::math::{clamp, max};
use tintype_model::{
    AlphaMode, Anisotropy, CullMode, FileMaterial, FileRepair, Iridescence, LayerTextures,
    LinearRgb, MaterialProperty, MetallicRoughness, RoleCoordinates, TextureFilter, TextureRole,
    TextureSampling, TextureWrap, Transmission,
};

/// The materials of a document, built when a primitive first needs them.
pub(super) struct Materials {
    vrm: VrmMaterials,
    /// Per material of the document: a unique name.
    pub(super) names: Vec<String>,
    built: Vec<Option<TexcoordSets>>,
    /// Materials in the order of their first use.
    pub(super) list: Vec<FileMaterial>,
    pub(super) images: Images,
    plain: Option<String>,
    taken: Names,
    /// Per material of the document: its properties moved by clips.
    moved: BTreeMap<usize, Vec<MaterialProperty>>,
}

/// The name of the material of primitives without one.
const PLAIN: &str = "default";

impl Materials {
    pub(super) fn new(source: &Source, moved: BTreeMap<usize, Vec<MaterialProperty>>) -> Self {
        let mut taken = Names::default();
        let materials = source.document.materials.iter().enumerate();
        let names: Vec<String> = materials
            .map(|(index, one)| taken.unique(one.name.as_deref(), "material", index))
            .collect();
        let built = vec![None; names.len()];
        let vrm = VrmMaterials::of(source.document);
        Self {
            vrm,
            names,
            built,
            list: Vec::new(),
            images: Images::default(),
            plain: None,
            taken,
            moved,
        }
    }

    /// The name of the plain material, which is added once.
    fn plain(&mut self) -> String {
        if let Some(name) = &self.plain {
            return name.clone();
        }
        let name = self.taken.unique(Some(PLAIN), "material", 0);
        let response = Some(Box::new(MetallicRoughness::default()));
        let plain = FileMaterial::plain(name.clone());
        self.list.push(FileMaterial { response, cull: CullMode::Back, ..plain });
        self.plain.insert(name).clone()
    }

    /// The name of a material, and its texture coordinates; without a material, a plain one.
    ///
    /// # Errors
    /// [`GltfError::Limit`] of its pictures.
    pub(super) fn of(
        &mut self,
        source: &Source,
        index: Option<JsonInteger>,
        primitive: &JsonPath,
    ) -> Result<(String, TexcoordSets), GltfError> {
        let count = self.names.len();
        let known = index.filter(|index| index.0 < count);
        if let (Some(index), None) = (index, known) {
            let error = missing(&primitive.key("material"), "the material", index, count);
            source.faults.tell(FileRepair::NoMaterial, format!("{error}; drawn plain"));
        }
        let Some(index) = known else {
            return Ok((self.plain(), TexcoordSets::NONE));
        };
        let (Some(name), Some(material)) =
            (self.names.get(index.0).cloned(), source.document.materials.get(index.0))
        else {
            return Ok((PLAIN.to_owned(), TexcoordSets::NONE));
        };
        if let Some(sets) = self.built.get(index.0).copied().flatten() {
            return Ok((name, sets));
        }
        let list = JsonPath::root("materials");
        let path = list.index(index.0);
        let (list, migrated) = (
            JsonPath::root("extensions.VRM.materialProperties"),
            self.vrm.get(source.document, index.0, material),
        );
        let (material, path) = match &migrated {
            Some(material) => (material, list.index(index.0)),
            None => (material, path),
        };
        let mut builder = Builder {
            source,
            images: &mut self.images,
            path: &path,
            moved: self.moved.get(&index.0).map_or(&[], Vec::as_slice),
            choices: [None; _],
            sampling: [TextureSampling::default(); _],
        };
        let mut own = builder.build(name.clone(), material)?;
        builder.add_toon(material, &mut own)?;
        let (sets, coordinates) = builder.coordinates(&own, self.vrm.moved.contains(&index.0));
        own.coordinates = coordinates;
        self.list.push(own);
        if let Some(slot) = self.built.get_mut(index.0) {
            *slot = Some(sets);
        }
        Ok((name, sets))
    }
}

struct Builder<'b> {
    source: &'b Source<'b>,
    images: &'b mut Images,
    path: &'b JsonPath<'b>,
    /// Properties of the material that clips move.
    moved: &'b [MaterialProperty],
    /// Texture coordinates of the read textures.
    choices: RoleChoices,
    /// Their sampling, at the index of the role of each.
    sampling: [TextureSampling; TextureRole::ALL.len()],
}

objects!(SpecularGlossiness, Layer, ToonTextures);

/// `KHR_materials_pbrSpecularGlossiness`, of old files.
#[derive(Default, Deserialize)]
#[serde(remote = "Self")]
#[serde(default, rename_all = "camelCase")]
struct SpecularGlossiness {
    diffuse_factor: Option<[f64; 4]>,
    diffuse_texture: Option<TextureInfo>,
    specular_factor: Option<[f64; 3]>,
    glossiness_factor: Option<f64>,
    specular_glossiness_texture: Option<TextureInfo>,
}

/// Values of material extensions that form a separate layer.
#[derive(Default, Deserialize)]
#[serde(remote = "Self")]
#[serde(default, rename_all = "camelCase")]
struct Layer {
    emissive_strength: Option<f64>,
    ior: Option<f64>,
    specular_factor: Option<f64>,
    specular_color_factor: Option<[f64; 3]>,
    specular_texture: Option<TextureInfo>,
    specular_color_texture: Option<TextureInfo>,
    clearcoat_factor: Option<f64>,
    clearcoat_texture: Option<TextureInfo>,
    clearcoat_roughness_factor: Option<f64>,
    clearcoat_roughness_texture: Option<TextureInfo>,
    clearcoat_normal_texture: Option<TextureInfo>,
    sheen_color_factor: Option<[f64; 3]>,
    sheen_color_texture: Option<TextureInfo>,
    sheen_roughness_factor: Option<f64>,
    sheen_roughness_texture: Option<TextureInfo>,
    transmission_factor: Option<f64>,
    transmission_texture: Option<TextureInfo>,
    thickness_factor: Option<f64>,
    thickness_texture: Option<TextureInfo>,
    attenuation_color: Option<[f64; 3]>,
    attenuation_distance: Option<f64>,
    anisotropy_strength: Option<f64>,
    anisotropy_rotation: Option<f64>,
    anisotropy_texture: Option<TextureInfo>,
    iridescence_factor: Option<f64>,
    iridescence_texture: Option<TextureInfo>,
    iridescence_ior: Option<f64>,
    iridescence_thickness_minimum: Option<f64>,
    iridescence_thickness_maximum: Option<f64>,
    iridescence_thickness_texture: Option<TextureInfo>,
}

impl Layer {
    /// Its numbers by their keys, each with its range.
    fn numbers(&mut self) -> [(&'static str, &mut Option<f64>, [f64; 2]); 14] {
        let (share, above, film) = ([0.0, 1.0], [0.0, BRIGHTEST], [0.0, MAX_FILM_NM]);
        // An index of 0 is allowed: light is reflected as by metal.
        let is_mirror = self.ior == Some(0.0);
        [
            ("emissiveStrength", &mut self.emissive_strength, above),
            ("ior", &mut self.ior, [if is_mirror { 0.0 } else { 1.0 }, BRIGHTEST]),
            ("specularFactor", &mut self.specular_factor, share),
            ("clearcoatFactor", &mut self.clearcoat_factor, share),
            ("clearcoatRoughnessFactor", &mut self.clearcoat_roughness_factor, share),
            ("sheenRoughnessFactor", &mut self.sheen_roughness_factor, share),
            ("transmissionFactor", &mut self.transmission_factor, share),
            ("thicknessFactor", &mut self.thickness_factor, [0.0, MAX_THICKNESS]),
            ("anisotropyStrength", &mut self.anisotropy_strength, share),
            ("anisotropyRotation", &mut self.anisotropy_rotation, [-MAX_TURN, MAX_TURN]),
            ("iridescenceFactor", &mut self.iridescence_factor, share),
            ("iridescenceIor", &mut self.iridescence_ior, [1.0, MAX_FILM_IOR]),
            ("iridescenceThicknessMinimum", &mut self.iridescence_thickness_minimum, film),
            ("iridescenceThicknessMaximum", &mut self.iridescence_thickness_maximum, film),
        ]
    }

    /// Its colours by their keys, each with the maximum of a channel.
    fn colors(&mut self) -> [(&'static str, &mut Option<[f64; 3]>, f64); 3] {
        [
            ("specularColorFactor", &mut self.specular_color_factor, BRIGHTEST),
            ("sheenColorFactor", &mut self.sheen_color_factor, BRIGHTEST),
            ("attenuationColor", &mut self.attenuation_color, 1.0),
        ]
    }
}

/// Textures of `VRMC_materials_mtoon`.
#[derive(Default, Deserialize)]
#[serde(remote = "Self")]
#[serde(default, rename_all = "camelCase")]
struct ToonTextures {
    shade_multiply_texture: Option<TextureInfo>,
    shading_shift_texture: Option<TextureInfo>,
    matcap_texture: Option<TextureInfo>,
    rim_multiply_texture: Option<TextureInfo>,
    outline_width_multiply_texture: Option<TextureInfo>,
    uv_animation_mask_texture: Option<TextureInfo>,
}

impl ToonTextures {
    fn of(&self, role: TextureRole) -> Option<&TextureInfo> {
        let texture = match role {
            TextureRole::Shade => &self.shade_multiply_texture,
            TextureRole::ShadingShift => &self.shading_shift_texture,
            TextureRole::Matcap => &self.matcap_texture,
            TextureRole::Rim => &self.rim_multiply_texture,
            TextureRole::OutlineWidth => &self.outline_width_multiply_texture,
            TextureRole::MotionMask => &self.uv_animation_mask_texture,
            _ => return None,
        };
        texture.as_ref()
    }
}

/// Maximum scale of a shift texture; at 2 it moves the edge between two tones from side to side.
const MAX_SHIFT: f32 = 1e3;

impl Builder<'_> {
    fn build(&mut self, name: String, material: &Material) -> Result<FileMaterial, GltfError> {
        let (base, color, alpha) = self.base(material)?;
        let normal =
            self.texture(material.normal_texture.as_ref(), TextureRole::Normal, "normalTexture")?;
        let emissive_map = self.texture(
            material.emissive_texture.as_ref(),
            TextureRole::Emissive,
            "emissiveTexture",
        )?;
        let occlusion = self.texture(
            material.occlusion_texture.as_ref(),
            TextureRole::Occlusion,
            "occlusionTexture",
        )?;
        let shining = self.layer(material, "KHR_materials_emissive_strength");
        let strength = shining.emissive_strength.unwrap_or(1.0);
        let emissive = rgb(material.emissive_factor.unwrap_or_default()).scaled(to_f32(strength));
        let (response, layers) = self.response(material, base.response, base.layers)?;
        let mode = self.alpha_mode(material);
        let mut own = FileMaterial {
            color,
            opacity: if mode == AlphaMode::Opaque { 1.0 } else { alpha },
            emissive,
            diffuse: base.texture,
            normal,
            emissive_map,
            metallic_roughness: base.factors,
            occlusion,
            layers,
            alpha: Some(mode),
            cull: if material.double_sided { CullMode::None } else { CullMode::Back },
            sampling: self.sampling,
            ..FileMaterial::plain(name)
        };
        highlight(&mut own, &response);
        own.response = Some(Box::new(response));
        Ok(own)
    }

    /// The response to light, from the part of it that the kind of material states and from the
    /// extensions; and the textures of those.
    fn response(
        &mut self,
        material: &Material,
        base: MetallicRoughness,
        mut layers: LayerTextures<String>,
    ) -> Result<(MetallicRoughness, LayerTextures<String>), GltfError> {
        let ior = self.layer(material, "KHR_materials_ior");
        let specular = self.layer(material, "KHR_materials_specular");
        let clearcoat = self.layer(material, "KHR_materials_clearcoat");
        let sheen = self.layer(material, "KHR_materials_sheen");
        let transmission = self.layer(material, "KHR_materials_transmission");
        let volume = self.layer(material, "KHR_materials_volume");
        let anisotropy = self.layer(material, "KHR_materials_anisotropy");
        let iridescence = self.layer(material, "KHR_materials_iridescence");
        let is_unlit = material.extensions.contains_key("KHR_materials_unlit");
        let scale = |info: &Option<TextureInfo>, of: fn(&TextureInfo) -> Option<f64>| {
            to_f32(info.as_ref().and_then(of).unwrap_or(1.0))
        };
        let share = |value: Option<f64>| to_f32(value.unwrap_or(0.0));
        let response = MetallicRoughness {
            occlusion_strength: scale(&material.occlusion_texture, |info| info.strength),
            normal_scale: scale(&material.normal_texture, |info| info.scale),
            ior: ior.ior.map_or(base.ior, to_f32),
            specular: to_f32(specular.specular_factor.unwrap_or(1.0)),
            specular_color: match specular.specular_color_factor {
                Some(color) => rgb(color),
                None => base.specular_color,
            },
            clearcoat: share(clearcoat.clearcoat_factor),
            clearcoat_roughness: share(clearcoat.clearcoat_roughness_factor),
            clearcoat_normal_scale: scale(&clearcoat.clearcoat_normal_texture, |info| info.scale),
            sheen_color: rgb(sheen.sheen_color_factor.unwrap_or_default()),
            sheen_roughness: share(sheen.sheen_roughness_factor),
            transmission: transmission_of(&transmission, &volume),
            anisotropy: Anisotropy {
                strength: share(anisotropy.anisotropy_strength),
                rotation_rad: to_f32(anisotropy.anisotropy_rotation.unwrap_or(0.0)),
            },
            iridescence: iridescence_of(&iridescence),
            is_unlit,
            ..base
        };
        self.add_layers(&response, [&clearcoat, &sheen, &specular], &mut layers)?;
        self.add_clear_layers(
            &response,
            [&transmission, &volume, &anisotropy, &iridescence],
            &mut layers,
        )?;
        Ok((response, layers))
    }

    /// Converts a material to two-tone shading if it is of that kind; its toon textures replace
    /// those of the other model.
    fn add_toon(&mut self, material: &Material, own: &mut FileMaterial) -> Result<(), GltfError> {
        let Some(response) = own.response.as_deref_mut() else { return Ok(()) };
        if own.alpha == Some(AlphaMode::Blend) {
            response.stacking = stacking_of(material);
        }
        let Some(mut toon) = toon_of(material) else { return Ok(()) };
        (own.metallic_roughness, own.occlusion, own.layers) = (None, None, LayerTextures::NONE);
        for (role, choice) in TextureRole::ALL.iter().zip(&mut self.choices) {
            if !matches!(role, TextureRole::Diffuse | TextureRole::Normal | TextureRole::Emissive) {
                *choice = None;
            }
        }
        let textures: ToonTextures =
            self.extension(&material.extensions, MTOON).unwrap_or_default();
        for (key, role) in textures_of(material, &toon) {
            let info = textures.of(role);
            if role == TextureRole::ShadingShift {
                let scale = to_f32(info.and_then(|info| info.scale).unwrap_or(1.0));
                toon.shift_scale = clamp(scale, -MAX_SHIFT, MAX_SHIFT);
            }
            self.add_layer(info, role, key, &mut own.layers)?;
        }
        (response.toon, response.is_unlit) = (Some(toon), false);
        own.sampling = self.sampling;
        Ok(())
    }

    /// True if clips move a property of the material.
    fn moves(&self, property: MaterialProperty) -> bool {
        self.moved.contains(&property)
    }

    /// An extension with values of a layer; default values without it.
    fn layer(&self, material: &Material, name: &str) -> Layer {
        let mut layer: Layer = self.extension(&material.extensions, name).unwrap_or_default();
        let extensions = self.path.key("extensions");
        let path = extensions.key(name);
        for (key, value, range) in layer.numbers() {
            self.limit(&path.key(key), value, range);
        }
        for (key, color, max) in layer.colors() {
            self.limit_color(&path.key(key), color, max);
        }
        if let Some(found) = layer.attenuation_distance.take_if(|distance| *distance <= 0.0) {
            let at = path.key("attenuationDistance");
            let error = GltfError::value(&at, "the distance", found, "a number above 0");
            let message = format!("{error}; there is no absorption");
            self.source.faults.tell(FileRepair::OutOfRange, message);
        }
        layer
    }

    /// Clamps a number to its range, and reports one outside of it.
    fn limit(&self, path: &JsonPath, value: &mut Option<f64>, [least, most]: [f64; 2]) {
        let Some(found) = *value else { return };
        let used = if found > least { if found < most { found } else { most } } else { least };
        if used != found {
            let range = if most < f64::from(f32::MAX) {
                format!("a number from {least} to {most}")
            } else {
                format!("a number of at least {least}")
            };
            let error = GltfError::value(path, "the factor", found, range);
            self.source.faults.tell(FileRepair::OutOfRange, format!("{error}; {used} is used"));
            *value = Some(used);
        }
    }

    /// The same for each channel of a colour, from 0.
    fn limit_color<const N: usize>(
        &self,
        path: &JsonPath,
        color: &mut Option<[f64; N]>,
        most: f64,
    ) {
        for (number, channel) in color.iter_mut().flatten().enumerate() {
            let mut value = Some(*channel);
            self.limit(&path.index(number), &mut value, [0.0, most]);
            *channel = value.unwrap_or_default();
        }
    }

    /// Adds the textures of the existing layers.
    fn add_layers(
        &mut self,
        response: &MetallicRoughness,
        [clearcoat, sheen, specular]: [&Layer; 3],
        layers: &mut LayerTextures<String>,
    ) -> Result<(), GltfError> {
        let has_coat = response.clearcoat > 0.0 || self.moves(MaterialProperty::Clearcoat);
        let has_sheen =
            response.sheen_color != LinearRgb::BLACK || self.moves(MaterialProperty::SheenColor);
        for (is_there, role, texture, key) in [
            (has_coat, TextureRole::Clearcoat, &clearcoat.clearcoat_texture, "clearcoatTexture"),
            (
                has_coat,
                TextureRole::ClearcoatRoughness,
                &clearcoat.clearcoat_roughness_texture,
                "clearcoatRoughnessTexture",
            ),
            (
                has_coat,
                TextureRole::ClearcoatNormal,
                &clearcoat.clearcoat_normal_texture,
                "clearcoatNormalTexture",
            ),
            (has_sheen, TextureRole::SheenColor, &sheen.sheen_color_texture, "sheenColorTexture"),
            (
                has_sheen,
                TextureRole::SheenRoughness,
                &sheen.sheen_roughness_texture,
                "sheenRoughnessTexture",
            ),
            (true, TextureRole::SpecularStrength, &specular.specular_texture, "specularTexture"),
            (
                true,
                TextureRole::SpecularColor,
                &specular.specular_color_texture,
                "specularColorTexture",
            ),
        ] {
            self.add_layer(texture.as_ref().filter(|_| is_there), role, key, layers)?;
        }
        Ok(())
    }

    /// Adds the textures of transmitted light, of brushed surfaces and of films, if there are any.
    fn add_clear_layers(
        &mut self,
        response: &MetallicRoughness,
        [transmission, volume, anisotropy, iridescence]: [&Layer; 4],
        layers: &mut LayerTextures<String>,
    ) -> Result<(), GltfError> {
        let is_clear =
            response.transmission.share > 0.0 || self.moves(MaterialProperty::Transmission);
        let has_film =
            response.iridescence.strength > 0.0 || self.moves(MaterialProperty::Iridescence);
        let is_brushed =
            response.anisotropy.strength > 0.0 || self.moves(MaterialProperty::AnisotropyStrength);
        for (is_there, role, texture, key) in [
            (
                is_clear,
                TextureRole::Transmission,
                &transmission.transmission_texture,
                "transmissionTexture",
            ),
            (is_clear, TextureRole::Thickness, &volume.thickness_texture, "thicknessTexture"),
            (
                is_brushed,
                TextureRole::Anisotropy,
                &anisotropy.anisotropy_texture,
                "anisotropyTexture",
            ),
            (
                has_film,
                TextureRole::Iridescence,
                &iridescence.iridescence_texture,
                "iridescenceTexture",
            ),
            (
                has_film,
                TextureRole::IridescenceThickness,
                &iridescence.iridescence_thickness_texture,
                "iridescenceThicknessTexture",
            ),
        ] {
            self.add_layer(texture.as_ref().filter(|_| is_there), role, key, layers)?;
        }
        Ok(())
    }

    /// Adds a texture of a layer.
    fn add_layer(
        &mut self,
        texture: Option<&TextureInfo>,
        role: TextureRole,
        key: &'static str,
        layers: &mut LayerTextures<String>,
    ) -> Result<(), GltfError> {
        if let Some(name) = self.texture(texture, role, key)? {
            *layers.get_mut(role) = Some(name);
        }
        Ok(())
    }

    /// The base: metallic-roughness, or the specular-glossiness of old files converted to it; its
    /// colour and alpha.
    fn base(&mut self, material: &Material) -> Result<(Base, LinearRgb, f32), GltfError> {
        let old: Option<SpecularGlossiness> =
            self.extension(&material.extensions, "KHR_materials_pbrSpecularGlossiness");
        if let Some(old) = old {
            let [r, g, b, a] = old.diffuse_factor.unwrap_or([1.0; 4]);
            let texture =
                self.texture(old.diffuse_texture.as_ref(), TextureRole::Diffuse, "diffuseTexture")?;
            let (extensions, mut gloss) = (self.path.key("extensions"), old.glossiness_factor);
            let path = extensions.key("KHR_materials_pbrSpecularGlossiness");
            self.limit(&path.key("glossinessFactor"), &mut gloss, [0.0, 1.0]);
            let gloss = to_f32(gloss.unwrap_or(1.0));
            // With infinite refraction, the reflectance at the normal is the colour itself.
            let response = MetallicRoughness {
                metallic: 0.0,
                roughness: 1.0 - gloss,
                ior: 0.0,
                specular_color: rgb(old.specular_factor.unwrap_or([1.0; 3])),
                ..MetallicRoughness::default()
            };
            let mut layers = LayerTextures::NONE;
            for role in [TextureRole::SpecularColor, TextureRole::Glossiness] {
                let both = old.specular_glossiness_texture.as_ref();
                self.add_layer(both, role, "specularGlossinessTexture", &mut layers)?;
            }
            let base = Base { response, texture, layers, ..Base::default() };
            return Ok((base, rgb([r, g, b]), to_f32(a)));
        }
        let default = Default::default();
        let base = material.pbr_metallic_roughness.as_ref().unwrap_or(&default);
        let [r, g, b, a] = base.base_color_factor.unwrap_or([1.0; 4]);
        let texture = self.texture(
            base.base_color_texture.as_ref(),
            TextureRole::Diffuse,
            "baseColorTexture",
        )?;
        let factors = self.texture(
            base.metallic_roughness_texture.as_ref(),
            TextureRole::MetallicRoughness,
            "metallicRoughnessTexture",
        )?;
        let path = self.path.key("pbrMetallicRoughness");
        let factor = |key, mut value: Option<f64>| {
            self.limit(&path.key(key), &mut value, [0.0, 1.0]);
            to_f32(value.unwrap_or(1.0))
        };
        let response = MetallicRoughness {
            metallic: factor("metallicFactor", base.metallic_factor),
            roughness: factor("roughnessFactor", base.roughness_factor),
            ..MetallicRoughness::default()
        };
        let base = Base { response, texture, factors, ..Base::default() };
        Ok((base, rgb([r, g, b]), to_f32(a)))
    }

    fn alpha_mode(&self, material: &Material) -> AlphaMode {
        let cutoff = to_f32(material.alpha_cutoff.unwrap_or(0.5));
        let Some(word) = material.alpha_mode.as_deref() else { return AlphaMode::Opaque };
        let known = word.trim().to_ascii_uppercase();
        if known != word {
            let (at, found) = (self.path.key("alphaMode"), format!("{word:?}"));
            let error = GltfError::value(&at, "the alpha mode", found, "OPAQUE, MASK or BLEND");
            let used = if ["MASK", "BLEND"].contains(&&*known) { &known } else { "OPAQUE" };
            self.source.faults.tell(FileRepair::WrongType, format!("{error}; read as {used}"));
        }
        match &*known {
            // Every alpha reaches a cutoff of 0; none reaches one above 1.
            "MASK" if cutoff <= 0.0 && !self.moves(MaterialProperty::AlphaCutoff) => {
                AlphaMode::Opaque
            }
            "MASK" => AlphaMode::Mask { cutoff: clamp(cutoff, 0.0, NEVER) },
            "BLEND" => AlphaMode::Blend,
            "OPAQUE" => AlphaMode::Opaque,
            _ => {
                if known == word {
                    let (at, found) = (self.path.key("alphaMode"), format!("{word:?}"));
                    let expected = "OPAQUE, MASK or BLEND";
                    let error = GltfError::value(&at, "the alpha mode", found, expected);
                    self.source
                        .faults
                        .tell(FileRepair::WrongType, format!("{error}; read as OPAQUE"));
                }
                AlphaMode::Opaque
            }
        }
    }

    /// The name of the picture of a texture; its coordinates and its sampling are noted.
    fn texture(
        &mut self,
        info: Option<&TextureInfo>,
        role: TextureRole,
        key: &'static str,
    ) -> Result<Option<String>, GltfError> {
        let Some(info) = info else { return Ok(None) };
        let at = self.path.key(key);
        let name = self.images.name_of(self.source, info.index, &at);
        let name =
            self.source.faults.part(FileRepair::NoPicture, name, "drawn without it")?.flatten();
        if name.is_none() {
            return Ok(None);
        }
        let own = self.extension(&info.extensions, "KHR_texture_transform");
        if let Some(slot) = self.choices.get_mut(role as usize) {
            *slot = Some(TexcoordChoice::new(info, own));
        }
        let sampling = self.sampling_of(info);
        if let Some(slot) = self.sampling.get_mut(role as usize) {
            *slot = sampling;
        }
        Ok(name)
    }

    /// Sets of texture coordinates used by the textures, and the transforms of each.
    fn coordinates(
        &mut self,
        own: &FileMaterial,
        is_moved: bool,
    ) -> (TexcoordSets, RoleCoordinates) {
        let has_variants = self.source.document.extensions.contains_key("KHR_materials_variants");
        let toon = own.response.as_ref().and_then(|response| response.toon);
        let is_pointed = |one: &MaterialProperty| matches!(one, MaterialProperty::Texcoords(_));
        let is_moved = is_moved || self.moved.iter().any(is_pointed);
        let keeps_vertices =
            has_variants || is_moved || toon.is_some_and(|toon| !toon.speed.is_none());
        // Coordinates of a matcap do not come from the mesh.
        let matcap = self.choices.get_mut(TextureRole::Matcap as usize).and_then(Option::take);
        let (mut sets, mut coordinates, third) = assign(&self.choices, keeps_vertices);
        sets.has_colors = toon.is_none();
        if let Some(own) = matcap.as_ref().and_then(TexcoordTransform::of_choice) {
            let all = coordinates.get_or_insert_with(|| Box::new([None; _]));
            if let Some(slot) = all.get_mut(TextureRole::Matcap as usize) {
                *slot = Some(own);
            }
        }
        if let Some(role) = third {
            let message = format!(
                "{}: its textures use more than two sets of texture coordinates; the {} texture is drawn with the first set",
                self.path,
                role.name()
            );
            self.source.faults.tell(FileRepair::Effect, message);
        }
        (sets, coordinates)
    }

    /// The sampling of a texture; the default without a sampler.
    fn sampling_of(&self, info: &TextureInfo) -> TextureSampling {
        let document = self.source.document;
        let texture = document.textures.get(info.index.0);
        let Some(number) = texture.and_then(|texture| texture.sampler) else {
            return TextureSampling::default();
        };
        let Some(sampler) = document.samplers.get(number.0) else {
            let list = JsonPath::root("textures");
            let at = list.index(info.index.0);
            let at = at.key("sampler");
            let error = missing(&at, "the sampler", number, document.samplers.len());
            self.source
                .faults
                .tell(FileRepair::BadReference, format!("{error}; the default is used"));
            return TextureSampling::default();
        };
        let list = JsonPath::root("samplers");
        let at = list.index(number.0);
        let faults = self.source.faults;
        let wrap = |code, key| coded(code, &WRAPS, "the wrap", &at.key(key), faults);
        let enlarged =
            coded(sampler.mag_filter, &FILTERS, "the filter", &at.key("magFilter"), faults);
        let is_sharp = sampler.min_filter.is_some_and(|code| code.0 == NEAREST);
        TextureSampling {
            filter: match enlarged {
                TextureFilter::Nearest if is_sharp => TextureFilter::Texels,
                other => other,
            },
            wrap: [wrap(sampler.wrap_s, "wrapS"), wrap(sampler.wrap_t, "wrapT")],
        }
    }

    /// An extension of an object, read.
    fn extension<T: DeserializeOwned>(&self, extensions: &Extensions, name: &str) -> Option<T> {
        extension(extensions, name, &self.path.key("extensions"), self.source.faults)
    }
}

/// A cutoff that no alpha reaches.
const NEVER: f32 = 2.0;

/// The code of a filter that mixes no texels.
const NEAREST: usize = 9728;
/// Magnification filters by their codes, the default first. Minification always mixes mip levels,
/// whatever `minFilter` states, to avoid flicker; but if both filters are [`NEAREST`], hard texels
/// are intended.
const FILTERS: [(usize, TextureFilter); 2] =
    [(9729, TextureFilter::Linear), (NEAREST, TextureFilter::Nearest)];
const WRAPS: [(usize, TextureWrap); 3] =
    [(10497, TextureWrap::Repeat), (33071, TextureWrap::Clamp), (33648, TextureWrap::Mirror)];

/// The value of a code of a sampler; the first one without a known code.
fn coded<T: Copy + core::fmt::Debug, const N: usize>(
    code: Option<JsonInteger>,
    known: &[(usize, T); N],
    what: &str,
    at: &JsonPath,
    faults: &RepairLog,
) -> T {
    let (_, usual) = known[0];
    let Some(code) = code else { return usual };
    if let Some((_, found)) = known.iter().find(|(own, _)| *own == code.0) {
        return *found;
    }
    let expected: Vec<String> =
        known.iter().map(|(own, value)| format!("{own} ({value:?})")).collect();
    let error = GltfError::value(at, what, code, expected.join(", "));
    faults.tell(FileRepair::WrongType, format!("{error}; {usual:?} is used"));
    usual
}

#[derive(Default)]
struct Base {
    response: MetallicRoughness,
    /// The texture of the colour, and that of roughness and metalness.
    texture: Option<String>,
    factors: Option<String>,
    layers: LayerTextures<String>,
}

/// The highlight of the classic material: as wide as the roughness, brighter if smoother, coloured
/// on metal.
fn highlight(own: &mut FileMaterial, response: &MetallicRoughness) {
    const DIELECTRIC: f32 = 0.25;
    const METAL: f32 = 0.6;
    let (metallic, smooth) = (response.metallic, 1.0 - response.roughness);
    let strength = smooth * (DIELECTRIC + (METAL - DIELECTRIC) * metallic);
    own.specular_strength = strength;
    let slope = max(response.roughness * response.roughness, 0.06);
    own.shininess = clamp(2.0 / (slope * slope) - 2.0, 1.0, 512.0);
}

/// Bounds of the model, and the maximum factor of light.
const MAX_THICKNESS: f64 = Transmission::MAX_THICKNESS as f64;
const MAX_FILM_IOR: f64 = Iridescence::MAX_IOR as f64;
const MAX_FILM_NM: f64 = Iridescence::MAX_THICKNESS_NM as f64;
const MAX_TURN: f64 = Anisotropy::MAX_TURN_RAD as f64;
const BRIGHTEST: f64 = f32::MAX as f64;

/// `KHR_materials_transmission` with `KHR_materials_volume`. Without a distance above 0 nothing is
/// absorbed.
fn transmission_of(transmission: &Layer, volume: &Layer) -> Transmission {
    Transmission {
        share: to_f32(transmission.transmission_factor.unwrap_or(0.0)),
        thickness: to_f32(volume.thickness_factor.unwrap_or(0.0)),
        attenuation_color: rgb(volume.attenuation_color.unwrap_or([1.0; 3])),
        attenuation_distance: volume.attenuation_distance.map_or(f32::INFINITY, to_f32),
    }
    .bounded()
}

/// `KHR_materials_iridescence`. A film of thickness 0 has no effect.
fn iridescence_of(own: &Layer) -> Iridescence {
    let usual = Iridescence::default();
    let [least, most] = usual.thickness_nm;
    let number = |value: Option<f64>, usual: f32| value.map_or(usual, to_f32);
    let film = Iridescence {
        strength: number(own.iridescence_factor, 0.0),
        ior: number(own.iridescence_ior, usual.ior),
        thickness_nm: [
            number(own.iridescence_thickness_minimum, least),
            number(own.iridescence_thickness_maximum, most),
        ],
    };
    film.bounded(own.iridescence_thickness_texture.is_some())
}

fn rgb([r, g, b]: [f64; 3]) -> LinearRgb {
    let channel = |value: f64| max(to_f32(value), 0.0);
    LinearRgb::new(channel(r), channel(g), channel(b))
}
