//! Materials: Lambert and Phong, and the physical ones of several programs, with textures beside
//! the file or in it.

use super::layer::elements;
use crate::fbx::document::{Document, short_name, vector};
use crate::fbx::tree::{Node as Record, Value};
use crate::names::{Names, is_normal_map};
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use std::collections::BTreeMap;
use std::sync::Arc;
use tintype_model::math::func::sin_cos_f64;
use tintype_model::math::{DVec3, clamp, max, min};
use tintype_model::{
    AlphaMode, EmbeddedPicture, FactorPictures, FileMaterial, FileRepair, LinearRgb,
    MetallicRoughness, TextureCoordinates, TextureRole, TextureWrap, Warning,
};

/// Name of the material of meshes without one.
const PLAIN: &str = "default";

/// The materials used by meshes.
#[derive(Default)]
pub(super) struct Materials {
    pub(super) list: Vec<FileMaterial>,
    pub(super) pictures: Vec<EmbeddedPicture>,
    names: Names,
    /// Names by object.
    by_object: BTreeMap<usize, String>,
    has_plain: bool,
    /// Names of pictures by the object that contains them.
    by_video: BTreeMap<usize, String>,
    /// Objects that contain a picture, each with the paths that name it.
    contents: Option<Vec<(usize, Vec<String>)>>,
    /// For each material, the names of the texture coordinate sets used by its textures, the first
    /// and the second.
    sets: BTreeMap<String, [Option<String>; 2]>,
}

/// Properties of an object by their names, each with its record and its first value.
type Listed<'d> = BTreeMap<String, (&'d Record<'d>, usize)>;

/// Properties of a material by the last part of their names, in lower case without `_`:
/// `3dsMax|Parameters|base_color` is `basecolor`.
struct Properties<'d> {
    own: Listed<'d>,
    /// Properties of the template, used for what the material itself does not set under any of its
    /// names.
    template: Listed<'d>,
    /// True if it is shaded without a highlight.
    is_lambert: bool,
}

fn plain_name(name: &str) -> String {
    let last = name.rsplit('|').next().unwrap_or(name);
    last.chars().filter(|&letter| letter != '_').flat_map(char::to_lowercase).collect()
}

impl<'d> Properties<'d> {
    fn of(document: &Document<'d>, object: usize) -> Self {
        let [own, template] = document.properties(object).map(|list| -> Listed<'d> {
            list.into_iter().map(|(name, node, first)| (plain_name(&name), (node, first))).collect()
        });
        let shading = document.objects.get(object).and_then(|own| own.node.text_of("ShadingModel"));
        let shading = shading.or_else(|| document.text(object, "ShadingModel"));
        let is_lambert = shading.is_some_and(|name| name.eq_ignore_ascii_case("lambert"));
        let alone = |own: Listed<'d>| Self { own, template: BTreeMap::new(), is_lambert };
        let own = alone(own);
        // A template of another kind of material is irrelevant to a physical one.
        let is_of_kind = !is_physical(&own) || is_physical(&alone(template.clone()));
        Self { template: if is_of_kind { template } else { BTreeMap::new() }, ..own }
    }

    /// The first value under one of these names, from the material before its template.
    fn find<T>(&self, names: &[&str], value: impl Fn(&Record, usize) -> Option<T>) -> Option<T> {
        [&self.own, &self.template].into_iter().find_map(|list| {
            names.iter().find_map(|name| {
                let &(node, first) = list.get(*name)?;
                value(node, first)
            })
        })
    }

    fn color(&self, names: &[&str]) -> Option<DVec3> {
        self.find(names, vector)
    }

    /// The opacity. A result that hides all is ignored, as the mark of writers that do not mean it.
    fn opacity(&self) -> f64 {
        let is_between = |opacity: &f64| *opacity > 0.0 && *opacity < 1.0;
        let by_factor = 1.0 - self.real(&["transparencyfactor"]).unwrap_or(0.0);
        if is_between(&by_factor) {
            return by_factor;
        }
        let own = ["opacity", "alpha"].into_iter().find_map(|name| {
            let &(node, first) = self.own.get(name)?;
            node.values.get(first)?.real()
        });
        let color = self.color(&["transparentcolor"]).map_or(0.0, |color| color.x);
        Some(own.unwrap_or(1.0 - color)).filter(|opacity| *opacity > 0.0).unwrap_or(1.0)
    }

    fn base_weight(&self) -> f64 {
        self.real(&["baseweight", "base"]).unwrap_or(1.0)
    }

    /// Factor of the emission colour.
    fn emission(&self) -> f64 {
        /// Candela a square metre of a white surface.
        const WHITE: f64 = 1000.0;
        let weight =
            self.real(&["emissiveintensity", "emission", "emissionweight", "emissivefactor"]);
        let bright = self.real(&["emissionluminance"]).map_or(1.0, |bright| bright / WHITE);
        weight.or_else(|| self.real(&["emitluminance"])).unwrap_or(1.0) * bright
    }

    /// True if the file disables the texture of a property.
    fn is_off(&self, property: &str) -> bool {
        let is_zero = |name: String| self.real(&[name.as_str()]) == Some(0.0);
        let stingray = property.strip_prefix("tex").map(|rest| format!("use{rest}"));
        is_zero(format!("{property}on")) || stingray.is_some_and(is_zero)
    }

    /// True if the material stores glossiness instead of roughness.
    fn is_gloss(&self) -> bool {
        let is_one = |names: &[&str]| self.real(names).is_some_and(|one| (one - 1.0).abs() < 0.5);
        is_one(&["roughnessinv"])
            || is_one(&["useglossiness"])
            || self.real(&["glossiness"]).is_some()
    }

    fn real(&self, names: &[&str]) -> Option<f64> {
        self.find(names, |node, first| node.values.get(first)?.real())
    }
}

/// Properties that textures of a role are connected to, in the form of [`plain_name`].
const ROLES: [(TextureRole, &[&str]); 6] = [
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
    (TextureRole::SpecularColor, &["specularcolor", "specularmap"]),
    (TextureRole::SpecularStrength, &["specularfactor"]),
    (
        TextureRole::Occlusion,
        &["texaomap", "aomap", "ambientocclusionmap", "ambientocclusion", "ao", "occlusiontexture"],
    ),
];

/// Slope of a height map that goes from black to white within a texel.
const SLOPE: f32 = 4.0;

/// Properties for pictures of opacity.
const OPACITY: [&str; 4] = ["transparentcolor", "transparencyfactor", "opacity", "cutoutmap"];

/// Properties of roughness and metalness, in the form of [`plain_name`]; their textures have `map`
/// after the name, or `tex` before it.
const ROUGHNESS: &[&str] = &["roughness", "specularroughness"];
const METAL: &[&str] = &["metallic", "metalness", "basemetalness"];
/// Properties for pictures of roughness and metalness in files by Blender's exporter.
const OF_BLENDER: [&str; 2] = ["shininessexponent", "reflectionfactor"];

/// 0 for textures of roughness or its inverse, 1 for those of metalness.
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
    /// The names of the texture coordinate sets used by the material's textures, the first and the
    /// second.
    pub(super) fn texcoord_sets(&self, name: &str) -> [Option<&str>; 2] {
        let sets = self.sets.get(name);
        [0, 1].map(|slot| sets.and_then(|sets| sets.get(slot)?.as_deref()))
    }

    /// True if a texture of the material with this name reads the second set of texture
    /// coordinates.
    pub(super) fn has_second_texcoords(&self, name: &str) -> bool {
        let own = self.list.iter().find(|material| material.name == name);
        let all = own.and_then(|material| material.coordinates.as_ref());
        all.is_some_and(|all| all.iter().flatten().any(|own| own.is_second))
    }

    /// Names of the materials of a model, in the order in which its geometry numbers them; at least
    /// one.
    pub(super) fn of_model(
        &mut self,
        document: &Document,
        model: usize,
        geometry: usize,
        warnings: &mut Vec<Warning>,
    ) -> Vec<String> {
        let mut found: Vec<String> = Vec::new();
        let mut listed: Vec<usize> = document.parts(model, "Material").collect();
        if listed.is_empty() {
            // The materials of the geometry apply to all its models.
            listed = document.parts(geometry, "Material").collect();
        }
        let is_open = document.objects.get(model).and_then(|own| own.node.text_of("Culling"));
        let is_open = is_open.as_deref() == Some("CullingOff");
        for object in listed {
            let name = match self.by_object.get(&object) {
                Some(name) => name.clone(),
                None => self.add(document, object, (model, geometry), warnings),
            };
            if is_open && let Some(own) = self.list.iter_mut().find(|own| own.name == name) {
                own.shows_inside = true;
            }
            found.push(name);
        }
        // Before version 6000 materials are inside their model.
        let own = document.objects.get(geometry).into_iter();
        let within =
            own.flat_map(|own| own.node.all("Material").filter(|node| !node.children.is_empty()));
        for record in within {
            let name = record.values.first().map(short_name);
            let name = self.names.unique(name.as_deref(), "material", self.list.len());
            let own = record.children.iter().map(|own| (plain_name(&own.name), (own, 0))).collect();
            let is_lambert = record
                .text_of("ShadingModel")
                .is_some_and(|name| name.eq_ignore_ascii_case("lambert"));
            let properties = Properties { own, template: BTreeMap::new(), is_lambert };
            self.list.push(of_properties(&name, &properties, document));
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
        let properties = Properties::of(document, object);
        let material = of_properties(&name, &properties, document);
        let mut textures: Vec<(usize, String)> = document
            .sources(object)
            .map(|(texture, property)| (texture, plain_name(property)))
            .collect();
        if document.version < 7000 && textures.is_empty() {
            // Layer elements of old files assign textures to the model.
            let of_model = document.sources(model).take(64);
            textures = of_model.map(|(texture, _)| (texture, "diffusecolor".to_owned())).collect();
        }
        let (sets, factors) = ([None, None], [None, None]);
        let mut draft =
            Draft { document, geometry, properties, material, cut_out: None, sets, factors };
        for (texture, property) in textures {
            if draft.properties.is_off(&property) {
                continue;
            }
            let layers = document.parts(texture, "Texture").count();
            if layers > 1 {
                let note =
                    format!("only the first of the {layers} layers of its {property:?} is drawn");
                draft.material.notes.push(note);
            }
            if let Some((texture, picture)) = self.picture(document, texture, 0, warnings) {
                draft.take(texture, &property, picture);
            }
        }
        let (material, sets) = draft.finish();
        self.sets.insert(name.clone(), sets);
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
        let videos = || document.parts(object, "Video").chain([object]);
        for holder in videos() {
            if let Some(name) = self.embedded(document, holder, warnings) {
                return Some((object, name));
            }
        }
        let paths: Vec<String> = [object]
            .into_iter()
            .chain(document.parts(object, "Video"))
            .flat_map(|one| paths_of(document, one))
            .collect();
        if let Some(holder) = self.holder(document, &paths)
            && let Some(name) = self.embedded(document, holder, warnings)
        {
            return Some((object, name));
        }
        Some((object, paths.into_iter().next()?))
    }

    /// The object that contains the picture of one of these paths: files embed it once, in one of
    /// the objects that name it.
    fn holder(&mut self, document: &Document, paths: &[String]) -> Option<usize> {
        let contents = self.contents.get_or_insert_with(|| {
            let holds = |one: &usize| {
                let own = document
                    .objects
                    .get(*one)
                    .filter(|own| matches!(own.kind, "Video" | "Texture"));
                own.is_some_and(|own| {
                    own.node.child("Content").is_some_and(|content| has_bytes(content))
                })
            };
            let all = (0..document.objects.len()).filter(holds);
            all.map(|one| (one, paths_of(document, one))).collect()
        });
        let is_same = |a: &String, b: &String| a.eq_ignore_ascii_case(b);
        let file = |path: &str| path.rsplit('/').next().unwrap_or(path).to_lowercase();
        let find = |is_same: &dyn Fn(&String, &String) -> bool| {
            let names_it = |(_, own): &&(usize, Vec<String>)| {
                own.iter().any(|own| paths.iter().any(|path| is_same(own, path)))
            };
            let mut found = contents.iter().filter(names_it).map(|(one, _)| *one);
            found.next().map(|first| (first, found.next().is_none()))
        };
        let whole = find(&is_same).map(|(first, _)| first);
        // Paths may be written in several ways; a file name that only one picture has identifies
        // it.
        whole.or_else(|| {
            find(&|a, b| file(a) == file(b)).filter(|(_, is_only)| *is_only).map(|(first, _)| first)
        })
    }

    /// The name of the picture embedded in a video.
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
        // Text files store the bytes in Base64.
        let bytes = match own.node.at {
            crate::FilePlace::Byte(_) => all,
            crate::FilePlace::Line(_) => {
                let letters: Vec<u8> =
                    all.into_iter().filter(|byte| !byte.is_ascii_whitespace()).collect();
                match decoded(&letters) {
                    Ok(bytes) => bytes,
                    Err(why) => {
                        let message = format!("its content is not valid base64: {why}; skipped");
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

/// The paths of the picture of a texture or a video, with `/` between folders, the preferred one
/// first.
fn paths_of(document: &Document, object: usize) -> Vec<String> {
    let Some(own) = document.objects.get(object) else { return Vec::new() };
    let records = ["RelativeFilename", "FileName", "Filename"];
    let written = records.into_iter().filter_map(|name| own.node.text_of(name));
    let properties = ["RelPath", "Path"].into_iter().filter_map(|name| document.text(object, name));
    let all = written.chain(properties).map(|text| text.trim().replace('\\', "/"));
    all.filter(|text| !text.is_empty()).collect()
}

fn has_bytes(content: &Record) -> bool {
    content.values.iter().any(|value| matches!(value, Value::Text(bytes) if !bytes.is_empty()))
}

/// The bytes of Base64; in some files separately padded pieces follow each other.
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

/// A material while its textures are taken.
struct Draft<'d> {
    document: &'d Document<'d>,
    geometry: usize,
    properties: Properties<'d>,
    material: FileMaterial,
    /// The picture of its opacity.
    cut_out: Option<String>,
    /// Names of the texture coordinate sets that its textures use.
    sets: [Option<String>; 2],
    /// The textures of roughness and of metal.
    factors: [Option<(usize, String)>; 2],
}

impl Draft<'_> {
    /// Takes the texture connected to a property.
    fn take(&mut self, texture: usize, property: &str, picture: String) {
        let material = &mut self.material;
        match ROLES.iter().find(|(_, names)| names.contains(&property)) {
            Some((role, _)) if property == "bump" && !is_normal_map(&picture) => {
                if material.heights.is_none() {
                    let factor = self.properties.real(&["bumpfactor"]).unwrap_or(1.0);
                    material.heights = Some((picture, SLOPE * shininess_of(factor)));
                    self.sample(texture, *role);
                }
            }
            Some(&(role, _)) => {
                let slot = match role {
                    TextureRole::SpecularColor | TextureRole::SpecularStrength => {
                        material.layers.get_mut(role)
                    }
                    TextureRole::Diffuse => &mut material.diffuse,
                    TextureRole::Normal => &mut material.normal,
                    TextureRole::Emissive => &mut material.emissive_map,
                    _ => &mut material.occlusion,
                };
                if slot.is_none() {
                    *slot = Some(picture);
                    self.sample(texture, role);
                }
            }
            None if OPACITY.contains(&property) => self.cut_out = Some(picture),
            None => match factor_of(property, self.document) {
                Some(factor) => self.factors[factor] = Some((texture, picture)),
                None => {
                    let note = format!("its texture {picture:?} of {property:?} is not drawn");
                    material.notes.push(note);
                }
            },
        }
    }

    /// The material, with textures replacing the values that they are connected to, and the names
    /// of its texture coordinate sets.
    fn finish(mut self) -> (FileMaterial, [Option<String>; 2]) {
        self.add_factors();
        let Self { properties, mut material, cut_out, sets, .. } = self;
        if material.diffuse.is_some() {
            material.color = linear(DVec3::splat(properties.base_weight()));
        }
        if cut_out.is_some() {
            (material.alpha, material.opacity) = (Some(AlphaMode::Blend), 1.0);
            material.opacity_picture = cut_out.filter(|own| material.diffuse.as_ref() != Some(own));
        }
        let has_map = |role: TextureRole| material.layers.get(role).is_some();
        let [has_color, has_strength] =
            [TextureRole::SpecularColor, TextureRole::SpecularStrength].map(has_map);
        if let Some(response) = &mut material.response
            && !is_physical(&properties)
        {
            if has_color {
                let strength = max(reflection(&properties), 1.0);
                response.specular_color = LinearRgb::WHITE.scaled(strength);
            }
            if has_strength {
                (response.specular, response.specular_color) = (1.0, LinearRgb::WHITE.scaled(2.0));
            }
        }
        if material.emissive_map.is_some() {
            material.emissive = linear(DVec3::splat(properties.emission()));
        }
        (material, sets)
    }

    /// Takes the textures of roughness and of metalness, each replacing the value that it is
    /// connected to. A texture made from both is mapped like the first of them.
    fn add_factors(&mut self) {
        let Some(texture) = self.factors.iter().flatten().map(|(texture, _)| *texture).next()
        else {
            return;
        };
        let [roughness, metal] =
            core::mem::take(&mut self.factors).map(|factor| factor.map(|(_, picture)| picture));
        if let Some(response) = &mut self.material.response {
            response.roughness = if roughness.is_some() { 1.0 } else { response.roughness };
            response.metallic = if metal.is_some() { 1.0 } else { response.metallic };
        }
        let is_glossiness = self.properties.is_gloss();
        self.material.take_factors(FactorPictures { roughness, is_glossiness, metal });
        self.sample(texture, TextureRole::MetallicRoughness);
    }

    /// Applies the mapping of a texture for a role to the geometry.
    fn sample(&mut self, texture: usize, role: TextureRole) {
        let Self { document, geometry, material, sets, .. } = self;
        let index = TextureRole::ALL.iter().position(|one| *one == role);
        let wrap = |name: &str| match document.int(texture, name) {
            Some(1) => TextureWrap::Clamp,
            _ => TextureWrap::Repeat,
        };
        if let Some(sampling) = index.and_then(|index| material.sampling.get_mut(index)) {
            sampling.wrap = [wrap("WrapModeU"), wrap("WrapModeV")];
        }
        let name =
            document.text(texture, "UVSet").map(String::from).filter(|name| !name.is_empty());
        let is_later = uv_set(document, texture, *geometry).is_some_and(|set| set > 0);
        let [first, second] = sets;
        let is_second =
            is_later && second.as_ref().is_none_or(|taken| Some(taken) == name.as_ref());
        if is_second {
            *second = name;
        } else if is_later {
            let note =
                "textures use three sets of texture coordinates; the third is drawn with the first";
            material.notes.push(note.to_owned());
        } else if first.is_none() {
            *first = name;
        }
        let coordinates = match texture_coordinates(document, texture, is_second) {
            Some(coordinates) => coordinates,
            None => {
                material.notes.push("a texture transform is not finite; skipped".into());
                TextureCoordinates::plain(is_second)
            }
        };
        if coordinates != TextureCoordinates::plain(false)
            && let Some(index) = index
            && let Some(slot) = material.coordinates.get_or_insert_default().get_mut(index)
        {
            *slot = Some(coordinates);
        }
    }
}

/// Index of a geometry's texture coordinate set that a texture names. None if it names none of
/// them.
fn uv_set(document: &Document, texture: usize, geometry: usize) -> Option<usize> {
    let name = document.text(texture, "UVSet")?;
    let record = document.objects.get(geometry)?.node;
    let mut sets = elements(record, "LayerElementUV").into_iter();
    sets.position(|set| set.text_of("Name").as_deref() == Some(&*name))
}

/// Coordinates in a texture that is moved and rotated on the mesh (so the coordinates are
/// transformed inversely), and repeated as its scaling states. None if they are not finite.
fn texture_coordinates(
    document: &Document,
    texture: usize,
    is_second: bool,
) -> Option<TextureCoordinates> {
    let value = |name: &str| document.vector(texture, name);
    let record = |name: &str| {
        let numbers = document.objects.get(texture)?.node.reals_of(name).ok()??;
        Some(DVec3::new(*numbers.first()?, *numbers.get(1)?, 0.0))
    };
    let moved = value("Translation").or_else(|| record("ModelUVTranslation"));
    let moved = moved.unwrap_or(DVec3::ZERO);
    let degrees = value("Rotation").map_or(0.0, |turn| turn.z);
    let scale = value("Scaling").or_else(|| record("ModelUVScaling")).unwrap_or(DVec3::ONE);
    let turn_pivot = value("TextureRotationPivot").unwrap_or(DVec3::ZERO);
    let scale_pivot = value("TextureScalingPivot").unwrap_or(DVec3::ZERO);
    if (moved, degrees, scale) == (DVec3::ZERO, 0.0, DVec3::ONE) {
        return Some(TextureCoordinates::plain(is_second));
    }
    let (sine, cosine) = sin_cos_f64(degrees * (core::f64::consts::PI / 180.0));
    // The inverse transform of a point.
    let back = |u: f64, v: f64| {
        let (u, v) = (u - moved.x - turn_pivot.x, v - moved.y - turn_pivot.y);
        let (u, v) = (cosine * u + sine * v + turn_pivot.x, cosine * v - sine * u + turn_pivot.y);
        let u = (u - scale_pivot.x) * scale.x + scale_pivot.x;
        let v = (v - scale_pivot.y) * scale.y + scale_pivot.y;
        // Here they count from the upper left corner.
        DVec3::new(u, 1.0 - v, 0.0)
    };
    let origin = back(0.0, 1.0);
    let steps = [back(1.0, 1.0) - origin, back(0.0, 0.0) - origin];
    let [x, y, offset] = [steps[0], steps[1], origin].map(|at| at.truncate().as_vec2());
    let is_sound = x.is_finite() && y.is_finite() && offset.is_finite();
    is_sound.then_some(TextureCoordinates { is_second, steps: [x, y], offset })
}

/// True if a material uses metalness and roughness, or a specular colour and glossiness.
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
            // With infinite refraction, the reflectance at the normal is the colour itself.
            (response.ior, response.specular_color) = (0.0, linear(specular));
        }
        material.response = Some(Box::new(response));
        return material;
    }
    let diffuse = properties.color(&["diffusecolor", "diffuse"]).unwrap_or(DVec3::splat(0.8));
    material.color = linear(diffuse * factor(&["diffusefactor"]));
    let emissive = properties.color(&["emissivecolor", "emissive"]).unwrap_or(DVec3::ZERO);
    material.emissive = linear(emissive * factor(&["emissivefactor"]));
    material.opacity = single(properties.opacity());
    let of_blender = document.is_of_blender;
    if properties.is_lambert && !of_blender {
        return material;
    }
    // Blender's exporter and importer use 100 · (1 - roughness)² for shininess, and the reflection
    // for metalness, which elsewhere is that of a mirror.
    let shininess = properties.real(&["shininessexponent", "shininess"]).unwrap_or(25.0);
    let metal = properties.real(&["reflectionfactor"]);
    let metal = metal.filter(|_| of_blender && !properties.is_lambert);
    let tint = properties.color(&["specularcolor", "specular"]).filter(|_| !of_blender);
    let strength = reflection(properties);
    material.response = Some(Box::new(MetallicRoughness {
        metallic: single(metal.unwrap_or(0.0)),
        roughness: 1.0 - clamp(single(shininess.abs().sqrt() / 10.0), 0.0, 1.0),
        specular: min(strength, 1.0),
        specular_color: linear(tint.unwrap_or(white)).scaled(max(strength, 1.0)),
        ..MetallicRoughness::default()
    }));
    material
}

/// Strength of the reflection of a specular surface, where 1 is that of common materials: the usual
/// factor is a quarter.
fn reflection(properties: &Properties) -> f32 {
    let factor = properties.real(&["specularfactor"]).unwrap_or(0.25);
    clamp(shininess_of(factor * 4.0), 0.0, 2.0)
}

#[expect(clippy::cast_possible_truncation, reason = "numbers of the model have 32 bits")]
fn shininess_of(number: f64) -> f32 {
    number as f32
}

/// Clamps a number to 0..1.
fn single(number: f64) -> f32 {
    clamp(shininess_of(number), 0.0, 1.0)
}

fn linear(color: DVec3) -> LinearRgb {
    let part = |number: f64| clamp(shininess_of(number), 0.0, 1.0e4);
    LinearRgb::new(part(color.x), part(color.y), part(color.z))
}
