//! Materials of the file.

use super::frame::objects_in;
use super::values::Values;
use crate::formats::x::tree::{Child, Document, ObjectIndex, Value};
use crate::math::{clamp, max, srgb};
use crate::model::{FileMaterial, LinearRgb, Material, Warning};
use std::collections::BTreeMap;

/// The materials that meshes of a file use, in the order of their first use.
#[derive(Default)]
pub(super) struct Materials {
    pub(super) list: Vec<FileMaterial>,
    by_object: BTreeMap<ObjectIndex, usize>,
    /// How often each plain name was given, with the content that it was given to last.
    names: BTreeMap<String, (usize, usize)>,
}

/// The textures of a material.
#[derive(Default)]
struct Textures {
    diffuse: Option<String>,
    normal: Option<String>,
    specular: Option<String>,
}

impl Materials {
    /// The name of a material object, which is read when it is first used.
    pub(super) fn name_of(
        &mut self,
        document: &Document,
        index: ObjectIndex,
        warnings: &mut Vec<Warning>,
    ) -> String {
        if let Some(material) = self.by_object.get(&index).and_then(|&place| self.list.get(place)) {
            return material.name.clone();
        }
        let mut material = read_material(document, index, warnings);
        let plain = if !material.name.is_empty() {
            material.name.clone()
        } else if let Some(texture) = &material.diffuse {
            texture.clone()
        } else {
            "unnamed material".to_owned()
        };
        let place = self.list.len();
        let (count, last) = self.names.entry(plain.clone()).or_insert((0, place));
        if let Some(known) = self.list.get(*last) {
            // An object of the same name and content, as exporters repeat it for each mesh, is the same material.
            material.name.clone_from(&known.name);
            if *known == material {
                self.by_object.insert(index, *last);
                return material.name;
            }
        }
        (*count, *last) = (*count + 1, place);
        let name = if *count == 1 { plain } else { format!("{plain} #{count}") };
        material.name.clone_from(&name);
        self.by_object.insert(index, self.list.len());
        self.list.push(material);
        name
    }
}

/// Reads a material; what is missing is white, solid and dull.
fn read_material(
    document: &Document,
    index: ObjectIndex,
    warnings: &mut Vec<Warning>,
) -> FileMaterial {
    let object = document.object(index);
    let mut values = Values::new(document, object);
    let given = values.left();
    let mut next = |default: f64| if values.left() > 0 { values.lenient() } else { default };
    let [red, green, blue, alpha] = [next(1.0), next(1.0), next(1.0), next(1.0)];
    let power = next(0.0);
    let shine = [next(0.0), next(0.0), next(0.0)];
    let glow = [next(0.0), next(0.0), next(0.0)];
    if given > 0 && given < 11 {
        let message =
            format!("a Material has {given} of its 11 numbers; the others are taken as usual");
        warnings.push(object.place.warning(&message));
    }
    let specular = linear(shine);
    let strength = max(specular.r, max(specular.g, specular.b));
    let textures = textures(document, index, warnings);
    #[expect(clippy::cast_possible_truncation, reason = "held to a small range")]
    let power = clamp(power as f32, 0.0, 1000.0);
    FileMaterial {
        name: object.name.clone(),
        color: linear([red, green, blue]),
        // Exporters that know no alpha write 0, and nobody exports what cannot be seen.
        #[expect(clippy::cast_possible_truncation, reason = "held to 0..=1")]
        opacity: if alpha > 0.0 { clamp(alpha as f32, 0.0, 1.0) } else { 1.0 },
        // A power of 0 means that there is no highlight.
        specular_strength: if power > 0.0 { strength } else { 0.0 },
        shininess: if power > 0.0 { power } else { Material::DEFAULT_SHININESS },
        emissive: linear(glow),
        diffuse: textures.diffuse,
        normal: textures.normal,
        specular: textures.specular,
    }
}

/// An sRGB colour in linear light; what is beyond 0..=1 is held to it.
fn linear(encoded: [f64; 3]) -> LinearRgb {
    #[expect(clippy::cast_possible_truncation, reason = "0..=1")]
    let [r, g, b] = encoded.map(|part| linear_part(part as f32));
    LinearRgb::new(r, g, b)
}

/// One component of an sRGB colour in linear light.
#[expect(clippy::cast_possible_truncation, reason = "the nearest f32 of 0..=1")]
pub(super) fn linear_part(encoded: f32) -> f32 {
    srgb::linear_from_encoded(f64::from(clamp(encoded, 0.0, 1.0))) as f32
}

/// What a texture is for, by a word that names it; none where the word says nothing.
fn role_of(word: &str) -> Option<usize> {
    let word = word.to_lowercase();
    let has = |parts: &[&str]| parts.iter().any(|part| word.contains(part));
    if has(&["normal", "bump"]) {
        Some(1)
    } else if has(&["specular", "gloss"]) {
        Some(2)
    } else if has(&["lightmap", "light_map", "environment", "envmap", "cubemap", "reflect"]) {
        Some(3)
    } else {
        None
    }
}

fn textures(document: &Document, index: ObjectIndex, warnings: &mut Vec<Warning>) -> Textures {
    let mut found = Textures::default();
    let mut extra = 0;
    let mut take = |role: usize, name: &str| {
        let name = name.trim();
        let slot = match role {
            0 => &mut found.diffuse,
            1 => &mut found.normal,
            2 => &mut found.specular,
            _ => return,
        };
        if name.is_empty() {
        } else if slot.is_none() {
            *slot = Some(name.to_owned());
        } else if slot.as_deref() != Some(name) {
            extra += 1;
        }
    };
    let parts = objects_in(document, index).chain(references_in(document, index));
    let parts: Vec<ObjectIndex> = parts.collect();
    for &part in &parts {
        let object = document.object(part);
        let role = match object.template.to_ascii_lowercase().as_str() {
            "texturefilename" => 0,
            "normalmapfilename" | "bumpmapfilename" => 1,
            _ => continue,
        };
        if let Some(name) = first_text(document, part, 0) {
            take(role, name);
        }
    }
    // What an effect names counts where the plain names say nothing.
    let had = (found.diffuse.is_some(), found.normal.is_some());
    let mut effect = Textures::default();
    for part in parts.into_iter().filter(|&part| document.object(part).is("EffectInstance")) {
        for parameter in objects_in(document, part) {
            let is_string = document.object(parameter).is("EffectParamString");
            let (Some(word), Some(name)) =
                (first_text(document, parameter, 0), first_text(document, parameter, 1))
            else {
                continue;
            };
            if !is_string || !is_picture(name) {
                continue;
            }
            let slot = match role_of(word).or_else(|| role_of(name)).unwrap_or(0) {
                0 => &mut effect.diffuse,
                1 => &mut effect.normal,
                2 => &mut effect.specular,
                _ => continue,
            };
            if slot.is_none() {
                *slot = Some(name.trim().to_owned());
            }
        }
    }
    if !had.0 {
        found.diffuse = effect.diffuse;
    }
    if !had.1 {
        found.normal = effect.normal;
    }
    found.specular = found.specular.or(effect.specular);
    if extra > 0 {
        let message = format!(
            "a Material names {} more than one a purpose; the first one counts",
            super::counted(extra, "texture", "textures")
        );
        warnings.push(document.object(index).place.warning(&message));
    }
    found
}

fn references_in(
    document: &Document,
    index: ObjectIndex,
) -> impl Iterator<Item = ObjectIndex> + '_ {
    document.object(index).children.iter().filter_map(|child| match child {
        Child::Reference(reference) => document.resolve(reference),
        Child::Object(_) => None,
    })
}

/// The text at a place among the texts of an object.
fn first_text(document: &Document, index: ObjectIndex, place: usize) -> Option<&str> {
    let mut texts = document.object(index).values.iter().filter_map(|value| match value {
        Value::Text(text) => Some(document.text(*text)),
        _ => None,
    });
    texts.nth(place)
}

fn is_picture(name: &str) -> bool {
    const EXTENSIONS: [&str; 9] = ["png", "tga", "jpg", "jpeg", "bmp", "dds", "psd", "tif", "tiff"];
    name.trim().rsplit_once('.').is_some_and(|(stem, extension)| {
        !stem.is_empty() && EXTENSIONS.iter().any(|known| known.eq_ignore_ascii_case(extension))
    })
}
