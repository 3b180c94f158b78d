//! Materials: Lambert and Phong, and the physical ones of several programs, with textures beside the file or in it.

use super::layer::elements;
use crate::fbx::document::{Document, short_name, vector};
use crate::fbx::tree::{Node as Record, Value};
use crate::names::Names;
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use std::collections::BTreeMap;
use std::sync::Arc;
use tintype_model::math::func::sin_cos_f64;
use tintype_model::math::{DVec3, clamp};
use tintype_model::{
    AlphaMode, EmbeddedPicture, FactorPictures, FileMaterial, FileRepair, LinearRgb,
    MetallicRoughness, TextureCoordinates, TextureRole, TextureWrap, Warning,
};

/// Name of the material of meshes without one.
const PLAIN: &str = "default";

/// The materials that meshes asked for.
#[derive(Default)]
pub(super) struct Materials {
    pub(super) list: Vec<FileMaterial>,
    pub(super) pictures: Vec<EmbeddedPicture>,
    names: Names,
    /// Names by object.
    by_object: BTreeMap<usize, String>,
    has_plain: bool,
    /// Names of pictures by object.
    by_video: BTreeMap<usize, String>,
}

/// Properties of a material by the last part of their names, in small letters without `_`: `3dsMax|Parameters|base_color` is `basecolor`.
struct Properties<'d> {
    list: BTreeMap<String, (&'d Record<'d>, usize)>,
}

fn plain_name(name: &str) -> String {
    let last = name.rsplit('|').next().unwrap_or(name);
    last.chars().filter(|&letter| letter != '_').flat_map(char::to_lowercase).collect()
}

impl Properties<'_> {
    fn color(&self, names: &[&str]) -> Option<DVec3> {
        names.iter().find_map(|name| {
            let &(node, first) = self.list.get(*name)?;
            vector(node, first)
        })
    }

    fn base_weight(&self) -> f64 {
        self.real(&["baseweight", "base"]).unwrap_or(1.0)
    }

    /// Factor of the colour that the surface gives off.
    fn emission(&self) -> f64 {
        /// Candela a square metre of a white surface.
        const WHITE: f64 = 1000.0;
        let weight = self.real(&["emissiveintensity", "emission", "emissionweight"]);
        let bright = self.real(&["emissionluminance"]).map_or(1.0, |bright| bright / WHITE);
        weight.or_else(|| self.real(&["emitluminance"])).unwrap_or(1.0) * bright
    }

    /// Whether the file switches the texture of a property off.
    fn is_off(&self, property: &str) -> bool {
        let is_zero = |name: String| self.real(&[name.as_str()]) == Some(0.0);
        let stingray = property.strip_prefix("tex").map(|rest| format!("use{rest}"));
        is_zero(format!("{property}on")) || stingray.is_some_and(is_zero)
    }

    /// Whether the material holds glossiness in place of roughness.
    fn is_gloss(&self) -> bool {
        let is_one = |names: &[&str]| self.real(names).is_some_and(|one| (one - 1.0).abs() < 0.5);
        is_one(&["roughnessinv"])
            || is_one(&["useglossiness"])
            || self.real(&["glossiness"]).is_some()
    }

    fn real(&self, names: &[&str]) -> Option<f64> {
        names.iter().find_map(|name| {
            let &(node, first) = self.list.get(*name)?;
            node.values.get(first)?.real()
        })
    }
}

/// Properties that textures of a role are connected to, as [`plain_name`] gives them.
const ROLES: [(TextureRole, &[&str]); 5] = [
    (
        TextureRole::Diffuse,
        &[
            "diffusecolor",
            "diffuse",
            "basecolor",
            "basecolormap",
            "texcolormap",
            "basecolortexmap",
            "diffusemap",
            "colormap",
            "maincolor",
            "basecolortexture",
            "color",
        ],
    ),
    (
        TextureRole::Normal,
        &[
            "normalmap",
            "bump",
            "normalcamera",
            "texnormalmap",
            "normal",
            "normmap",
            "bumpmap",
            "bumpmapamt",
            "normaltexture",
            "geometrynormalmap",
        ],
    ),
    (
        TextureRole::Emissive,
        &[
            "emissivecolor",
            "emissive",
            "texemissivemap",
            "emissionmap",
            "emitcolormap",
            "emissioncolor",
            "emissioncolormap",
            "emissivemap",
            "emissivetexture",
        ],
    ),
    (TextureRole::Specular, &["specularcolor", "specularmap"]),
    (
        TextureRole::Occlusion,
        &["texaomap", "aomap", "ambientocclusionmap", "ambientocclusion", "ao", "occlusiontexture"],
    ),
];

/// Properties of roughness and of metal, as [`plain_name`] gives them; textures of theirs have a `map` behind the name, or `tex` before it.
const ROUGHNESS: &[&str] = &["roughness", "specularroughness"];
const METAL: &[&str] = &["metallic", "metalness", "basemetalness"];
/// Properties that the exporter of Blender connects pictures of roughness and of metal to.
const OF_BLENDER: [&str; 2] = ["shininessexponent", "reflectionfactor"];

/// 0 for textures of roughness or of its opposite, 1 for those of metal.
fn factor_of(property: &str, document: &Document) -> Option<usize> {
    let name = property.strip_prefix("tex").unwrap_or(property);
    let name = name.strip_suffix("map").unwrap_or(name);
    if document.is_of_blender
        && let Some(factor) = OF_BLENDER.iter().position(|own| *own == name)
    {
        return Some(factor);
    }
    let is_rough = ROUGHNESS.contains(&name) || name == "glossiness";
    if is_rough { Some(0) } else { METAL.contains(&name).then_some(1) }
}

impl Materials {
    /// True if a texture of the material with this name reads the second set of texture coordinates.
    pub(super) fn has_second_texcoords(&self, name: &str) -> bool {
        let own = self.list.iter().find(|material| material.name == name);
        let all = own.and_then(|material| material.coordinates.as_ref());
        all.is_some_and(|all| all.iter().flatten().any(|own| own.is_second))
    }

    /// Names of the materials of a model, in the order in which its geometry numbers them; at least one.
    pub(super) fn of_model(
        &mut self,
        document: &Document,
        model: usize,
        geometry: usize,
        warnings: &mut Vec<Warning>,
    ) -> Vec<String> {
        let mut found: Vec<String> = Vec::new();
        for object in document.parts(model, "Material") {
            let name = match self.by_object.get(&object) {
                Some(name) => name.clone(),
                None => self.add(document, object, (model, geometry), warnings),
            };
            found.push(name);
        }
        // Before version 6000 materials are within their model.
        let own = document.objects.get(geometry).into_iter();
        let within =
            own.flat_map(|own| own.node.all("Material").filter(|node| !node.children.is_empty()));
        for record in within {
            let name = record.values.first().map(short_name);
            let name = self.names.unique(name.as_deref(), "material", self.list.len());
            let list =
                record.children.iter().map(|own| (plain_name(&own.name), (own, 0))).collect();
            self.list.push(of_properties(&name, &Properties { list }, document));
            found.push(name);
        }
        if found.is_empty() {
            if !std::mem::replace(&mut self.has_plain, true) {
                let name = self.names.unique(Some(PLAIN), "material", 0);
                let mut material = FileMaterial::plain(name);
                material.color = LinearRgb::new(0.8, 0.8, 0.8);
                self.list.push(material);
            }
            found.push(PLAIN.to_owned());
        }
        found
    }

    fn add(
        &mut self,
        document: &Document,
        object: usize,
        (model, geometry): (usize, usize),
        warnings: &mut Vec<Warning>,
    ) -> String {
        let given = document.objects.get(object).map(|own| own.name.as_str());
        let name = self.names.unique(given, "material", self.list.len());
        let own = document.own_properties(object);
        let list = own.map(|(name, node, first)| (plain_name(&name), (node, first))).collect();
        let properties = Properties { list };
        let mut material = of_properties(&name, &properties, document);
        let mut textures: Vec<(usize, String)> = document
            .sources(object)
            .map(|(texture, property)| (texture, plain_name(property)))
            .collect();
        if document.version < 7000 && textures.is_empty() {
            // Layer elements of old files put textures on the model.
            let of_model = document.sources(model).take(64);
            textures = of_model.map(|(texture, _)| (texture, "diffusecolor".to_owned())).collect();
        }
        let mut cut_out = None;
        // The textures of roughness and of metal.
        let mut factors: [Option<(usize, String)>; 2] = [None, None];
        for (texture, property) in textures {
            if properties.is_off(&property) {
                continue;
            }
            let layers = document.parts(texture, "Texture").count();
            if layers > 1 {
                let note = format!("of the {layers} layers of its {property:?} the first is drawn");
                material.notes.push(note);
            }
            let Some((texture, picture)) = self.picture(document, texture, 0, warnings) else {
                continue;
            };
            let role = ROLES.iter().find(|(_, names)| names.contains(&property.as_str()));
            let has_gloss = material.response.as_ref().is_some_and(|response| response.ior == 0.0);
            match role {
                Some(&(role, _)) => {
                    let role = match role {
                        TextureRole::Specular if has_gloss => TextureRole::SpecularColor,
                        role => role,
                    };
                    let slot = match role {
                        TextureRole::SpecularColor => material.layers.get_mut(role),
                        TextureRole::Diffuse => &mut material.diffuse,
                        TextureRole::Normal => &mut material.normal,
                        TextureRole::Emissive => &mut material.emissive_map,
                        TextureRole::Specular => &mut material.specular,
                        _ => &mut material.occlusion,
                    };
                    if slot.is_some() {
                        continue;
                    }
                    *slot = Some(picture);
                    sample(document, texture, geometry, &mut material, role);
                }
                None if matches!(
                    property.as_str(),
                    "transparentcolor" | "transparencyfactor" | "opacity" | "cutoutmap"
                ) =>
                {
                    cut_out = Some(picture);
                }
                None => match factor_of(&property, document) {
                    Some(factor) if material.response.is_some() => {
                        factors[factor] = Some((texture, picture))
                    }
                    _ => {
                        let note = format!("its texture {picture:?} of {property:?} is not drawn");
                        material.notes.push(note);
                    }
                },
            }
        }
        add_factors(document, geometry, &properties, factors, &mut material);
        if material.diffuse.is_some() {
            // A texture takes the place of the colour.
            let weight = if material.response.is_some() { properties.base_weight() } else { 1.0 };
            material.color = linear(DVec3::splat(weight));
        }
        if cut_out.is_some() {
            (material.alpha, material.opacity) = (Some(AlphaMode::Blend), 1.0);
            material.opacity_picture = cut_out.filter(|own| material.diffuse.as_ref() != Some(own));
        }
        if material.specular.is_some() {
            material.specular_color = LinearRgb::WHITE;
        }
        if material.emissive_map.is_some() && material.response.is_some() {
            material.emissive = linear(DVec3::splat(properties.emission()));
        } else if material.emissive_map.is_some() && material.emissive == LinearRgb::BLACK {
            material.emissive = LinearRgb::WHITE;
        }
        self.list.push(material);
        self.by_object.insert(object, name.clone());
        name
    }

    /// The texture object and the name of its picture, through layers and shaders of textures.
    fn picture(
        &mut self,
        document: &Document,
        object: usize,
        depth: usize,
        warnings: &mut Vec<Warning>,
    ) -> Option<(usize, String)> {
        const MOST: usize = 8;
        let own = document.objects.get(object)?;
        if own.kind == "LayeredTexture" && depth < MOST {
            let mut layers = document.sources(object).map(|(layer, _)| layer);
            return layers.find_map(|layer| self.picture(document, layer, depth + 1, warnings));
        }
        if own.kind != "Texture" {
            return None;
        }
        for video in document.parts(object, "Video") {
            if let Some(name) = self.embedded(document, video, warnings) {
                return Some((object, name));
            }
        }
        let video =
            document.parts(object, "Video").next().and_then(|video| document.objects.get(video));
        let records = [Some(own.node), video.map(|video| video.node)];
        let names = ["RelativeFilename", "FileName", "Filename"];
        let written = records
            .into_iter()
            .flatten()
            .flat_map(|record| names.iter().filter_map(move |name| record.text_of(name)));
        let path =
            written.map(|text| text.trim().replace('\\', "/")).find(|text| !text.is_empty())?;
        Some((object, path))
    }

    /// The name of the picture that a video holds.
    fn embedded(
        &mut self,
        document: &Document,
        video: usize,
        warnings: &mut Vec<Warning>,
    ) -> Option<String> {
        if let Some(known) = self.by_video.get(&video) {
            return Some(known.clone());
        }
        let own = document.objects.get(video)?;
        let content = own.node.child("Content")?;
        let texts = content.values.iter().filter_map(|value| match value {
            Value::Text(bytes) => Some(bytes.as_ref()),
            _ => None,
        });
        let all: Vec<u8> = texts.flatten().copied().collect();
        if all.is_empty() {
            return None;
        }
        // Text files hold the bytes in base 64.
        let bytes = match own.node.at {
            crate::FilePlace::Byte(_) => all,
            crate::FilePlace::Line(_) => {
                let letters: Vec<u8> =
                    all.into_iter().filter(|byte| !byte.is_ascii_whitespace()).collect();
                match decoded(&letters) {
                    Ok(bytes) => bytes,
                    Err(why) => {
                        let message = format!("its content is not base 64: {why}; it is left out");
                        warnings.push(document.fault(FileRepair::NoPicture, video, &message));
                        return None;
                    }
                }
            }
        };
        let file = own.node.text_of("RelativeFilename").or_else(|| own.node.text_of("Filename"));
        let file = file.unwrap_or_default().replace('\\', "/");
        let file =
            file.rsplit('/').next().filter(|name| !name.is_empty()).unwrap_or(&own.name).to_owned();
        let name = format!("image {} ({file})", self.pictures.len());
        self.pictures.push(EmbeddedPicture { name: name.clone(), bytes: Arc::from(bytes) });
        self.by_video.insert(video, name.clone());
        Some(name)
    }
}

/// Takes the textures of roughness and of metal, each in place of the value that it is connected to. The texture that is made of both lies on the surface as
/// the first of them does.
fn add_factors(
    document: &Document,
    geometry: usize,
    properties: &Properties,
    factors: [Option<(usize, String)>; 2],
    material: &mut FileMaterial,
) {
    let Some(texture) = factors.iter().flatten().map(|(texture, _)| *texture).next() else {
        return;
    };
    let [roughness, metal] = factors.map(|factor| factor.map(|(_, picture)| picture));
    if let Some(response) = &mut material.response {
        response.roughness = if roughness.is_some() { 1.0 } else { response.roughness };
        response.metallic = if metal.is_some() { 1.0 } else { response.metallic };
    }
    let is_glossiness = properties.is_gloss();
    material.take_factors(FactorPictures { roughness, is_glossiness, metal });
    sample(document, texture, geometry, material, TextureRole::MetallicRoughness);
}

/// The bytes of base 64; pieces that are padded one by one follow each other in some files.
fn decoded(letters: &[u8]) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    let mut left = letters;
    while !left.is_empty() {
        let pad = left.iter().position(|&byte| byte == b'=');
        let end = pad.map_or(left.len(), |pad| {
            pad + left.iter().skip(pad).take_while(|&&byte| byte == b'=').count()
        });
        let (piece, rest) = left.split_at(end.min(left.len()));
        bytes.extend(BASE64_STANDARD.decode(piece).map_err(|error| error.to_string())?);
        left = rest;
    }
    Ok(bytes)
}

fn sample(
    document: &Document,
    texture: usize,
    geometry: usize,
    material: &mut FileMaterial,
    role: TextureRole,
) {
    let index = TextureRole::ALL.iter().position(|one| *one == role);
    let wrap = |name: &str| match document.int(texture, name) {
        Some(1) => TextureWrap::Clamp,
        _ => TextureWrap::Repeat,
    };
    if let Some(sampling) = index.and_then(|index| material.sampling.get_mut(index)) {
        sampling.wrap = [wrap("WrapModeU"), wrap("WrapModeV")];
    }
    let set = uv_set(document, texture, geometry);
    let coordinates = match texture_coordinates(document, texture, set == Some(1)) {
        Some(coordinates) => coordinates,
        None => {
            material
                .notes
                .push("a texture is flattened by its transform, which is left out".into());
            TextureCoordinates::plain(set == Some(1))
        }
    };
    if set.is_some_and(|set| set > 1) {
        let note = "a texture of the third set of texture coordinates, or a later one, is drawn with the first";
        material.notes.push(note.to_owned());
    }
    if coordinates != TextureCoordinates::plain(false)
        && let Some(index) = index
        && let Some(slot) = material.coordinates.get_or_insert_default().get_mut(index)
    {
        *slot = Some(coordinates);
    }
}

/// Index of the set of texture coordinates of a geometry that a texture names; none if it names none of them.
fn uv_set(document: &Document, texture: usize, geometry: usize) -> Option<usize> {
    let name = document.text(texture, "UVSet")?;
    let record = document.objects.get(geometry)?.node;
    let mut sets = elements(record, "LayerElementUV").into_iter();
    sets.position(|set| set.text_of("Name").as_deref() == Some(&*name))
}

/// Coordinates in a texture that is scaled, turned and moved over the mesh, so that they are the inverse of that; none if it has no size.
fn texture_coordinates(
    document: &Document,
    texture: usize,
    is_second: bool,
) -> Option<TextureCoordinates> {
    let value = |name: &str| document.own_vector(texture, name);
    let moved = value("Translation").unwrap_or(DVec3::ZERO);
    let degrees = value("Rotation").map_or(0.0, |turn| turn.z);
    let scale = value("Scaling").unwrap_or(DVec3::ONE);
    let turn_pivot = value("TextureRotationPivot").unwrap_or(DVec3::ZERO);
    let scale_pivot = value("TextureScalingPivot").unwrap_or(DVec3::ZERO);
    if (moved, degrees, scale) == (DVec3::ZERO, 0.0, DVec3::ONE) {
        return Some(TextureCoordinates::plain(is_second));
    }
    let (sine, cosine) = sin_cos_f64(degrees * (core::f64::consts::PI / 180.0));
    // The way back of a point: it is moved, turned and scaled the other way.
    let back = |u: f64, v: f64| {
        let (u, v) = (u - moved.x - turn_pivot.x, v - moved.y - turn_pivot.y);
        let (u, v) = (cosine * u + sine * v + turn_pivot.x, cosine * v - sine * u + turn_pivot.y);
        let u = (u - scale_pivot.x) / scale.x + scale_pivot.x;
        let v = (v - scale_pivot.y) / scale.y + scale_pivot.y;
        // Here they count from the upper left corner.
        DVec3::new(u, 1.0 - v, 0.0)
    };
    let origin = back(0.0, 1.0);
    let steps = [back(1.0, 1.0) - origin, back(0.0, 0.0) - origin];
    let [x, y, offset] = [steps[0], steps[1], origin].map(|at| at.truncate().as_vec2());
    let is_sound = x.is_finite() && y.is_finite() && offset.is_finite();
    is_sound.then_some(TextureCoordinates { is_second, steps: [x, y], offset })
}

/// Whether a material is of metal and roughness, or of a colour of reflection and glossiness.
fn is_physical(properties: &Properties) -> bool {
    properties.real(METAL).is_some()
        || properties.real(&["specularroughness"]).is_some()
        || properties.real(&["roughness", "glossiness"]).is_some()
            && properties.color(&["basecolor"]).is_some()
}

fn of_properties(name: &str, properties: &Properties, document: &Document) -> FileMaterial {
    let mut material = FileMaterial::plain(name);
    let factor = |names: &[&str]| properties.real(names).unwrap_or(1.0);
    let white = DVec3::ONE;
    if is_physical(properties) {
        let base = properties.color(&["basecolor", "diffusecolor"]).unwrap_or(white);
        material.color = linear(base * properties.base_weight());
        let opacity = properties.real(&["opacity", "cutout", "geometryopacity", "alpha"]);
        let opacity = opacity.unwrap_or(1.0);
        material.opacity = single(opacity);
        let emission =
            properties.color(&["emissive", "emitcolor", "emissioncolor", "emissivecolor"]);
        material.emissive = linear(emission.unwrap_or(DVec3::ZERO) * properties.emission());
        let gloss = properties.real(&["glossiness"]);
        let rough = gloss.or_else(|| properties.real(ROUGHNESS)).unwrap_or(0.5);
        let mut response = MetallicRoughness {
            metallic: single(properties.real(METAL).unwrap_or(0.0)),
            roughness: single(if properties.is_gloss() { 1.0 - rough } else { rough }),
            is_unlit: properties.real(&["unlit"]).is_some_and(|one| one != 0.0),
            ..MetallicRoughness::default()
        };
        if properties.real(&["enableclearcoat"]) != Some(0.0) {
            let coat = |names: &[&str]| single(properties.real(names).unwrap_or(0.0));
            response.clearcoat = coat(&["coatweight", "coating", "coat", "clearcoat"]);
            response.clearcoat_roughness = coat(&["coatroughness", "clearcoatroughness"]);
        }
        if gloss.is_some()
            && let Some(specular) = properties.color(&["specular"])
        {
            // Of infinite refraction, the reflectance at the normal is the colour as it is.
            (response.ior, response.specular_color) = (0.0, linear(specular));
        }
        material.response = Some(Box::new(response));
        return material;
    }
    let diffuse = properties.color(&["diffusecolor", "diffuse"]).unwrap_or(DVec3::splat(0.8));
    material.color = linear(diffuse * factor(&["diffusefactor"]));
    let emissive = properties.color(&["emissivecolor", "emissive"]).unwrap_or(DVec3::ZERO);
    material.emissive = linear(emissive * factor(&["emissivefactor"]));
    let hidden = properties.color(&["transparentcolor"]).map_or(0.0, |color| {
        let mean = (color.x + color.y + color.z) / 3.0;
        mean * properties.real(&["transparencyfactor"]).unwrap_or(0.0)
    });
    let opacity = properties.real(&["opacity", "alpha"]).unwrap_or(1.0 - hidden);
    material.opacity = single(opacity);
    let shininess = properties.real(&["shininessexponent", "shininess"]);
    if document.is_of_blender {
        // Its exporter writes 100 · (1 - roughness)² as shininess, and metal as reflection.
        let shininess = shininess.unwrap_or(25.0);
        let rough = 1.0 - clamp(single(shininess.abs().sqrt() / 10.0), 0.0, 1.0);
        material.response = Some(Box::new(MetallicRoughness {
            metallic: single(properties.real(&["reflectionfactor"]).unwrap_or(0.0)),
            roughness: rough,
            ..MetallicRoughness::default()
        }));
        return material;
    }
    if let Some(specular) = properties.color(&["specularcolor", "specular"])
        && let Some(shininess) = shininess.filter(|&shininess| shininess > 0.0)
    {
        let strength = properties.real(&["specularfactor"]).unwrap_or(1.0);
        material.specular_color = linear(specular);
        material.specular_strength = single(strength);
        material.shininess = clamp(shininess_of(shininess), 1.0, 2048.0);
    }
    material
}

#[expect(clippy::cast_possible_truncation, reason = "numbers of the model have 32 bits")]
fn shininess_of(number: f64) -> f32 {
    number as f32
}

/// A share of 0 to 1.
fn single(number: f64) -> f32 {
    clamp(shininess_of(number), 0.0, 1.0)
}

fn linear(color: DVec3) -> LinearRgb {
    let part = |number: f64| clamp(shininess_of(number), 0.0, 1.0e4);
    LinearRgb::new(part(color.x), part(color.y), part(color.z))
}
