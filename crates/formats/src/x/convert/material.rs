//! Materials of the file.

use super::effect::{Role, Textures, first_text, read_effects};
use super::part::{Budget, parts};
use super::values::Values;
use crate::x::error::XError;
use crate::x::tree::{Document, Object, ObjectIndex};
use std::collections::BTreeMap;
use tintype_base::amount::counted_as;
use tintype_model::math::{clamp, srgb};
use tintype_model::{FileMaterial, FileRepair, LinearRgb, Material, ShadingModel, Warning};

/// The materials used by the meshes of a file, in the order of their first use.
#[derive(Default)]
pub(super) struct Materials {
    pub(super) list: Vec<FileMaterial>,
    by_object: BTreeMap<ObjectIndex, usize>,
    /// Number of uses of each plain name, with the content of its last use.
    names: BTreeMap<String, (usize, usize)>,
}

impl Materials {
    /// The name of a material object, which is read on first use.
    pub(super) fn name_of(
        &mut self,
        document: &Document,
        index: ObjectIndex,
        budget: &mut Budget,
        warnings: &mut Vec<Warning>,
    ) -> Result<String, XError> {
        if let Some(material) =
            self.by_object.get(&index).and_then(|&position| self.list.get(position))
        {
            return Ok(material.name.clone());
        }
        let mut material = read_material(document, index, budget, warnings)?;
        let plain = if !material.name.is_empty() {
            material.name.clone()
        } else if let Some(texture) = &material.diffuse {
            texture.clone()
        } else {
            "unnamed material".to_owned()
        };
        let position = self.list.len();
        let (count, last) = self.names.entry(plain.clone()).or_insert((0, position));
        if let Some(known) = self.list.get(*last) {
            // An object of the same name and content, repeated by exporters for each mesh, is the
            // same material.
            material.name.clone_from(&known.name);
            if *known == material {
                self.by_object.insert(index, *last);
                return Ok(material.name);
            }
        }
        (*count, *last) = (*count + 1, position);
        let name = if *count == 1 { plain } else { format!("{plain} #{count}") };
        material.name.clone_from(&name);
        self.by_object.insert(index, self.list.len());
        self.list.push(material);
        Ok(name)
    }
}

/// A lower power means that there is no highlight: exporters write 0 or 0.1 for it, and the
/// equation would brighten the whole lit side, because nearly any number to such a power is 1.
const MIN_POWER: f64 = 1.0;

/// Power of a new mesh's material in Blender, with a hardness of 50: `1000 · (50 - 1) / (511 - 1)`.
const BLENDER_POWER: f64 = 96.078_431;

/// True if colour and power are the values that Blender exporters write for a mesh without a
/// material: grey of 0.8, or of 0.8 · 0.8, with the grey's 0.8 also as alpha. It is solid in
/// Blender.
fn is_default_of_blender([red, green, blue, alpha]: [f64; 4], power: f64) -> bool {
    let is = |value: f64, wanted: f64| (value - wanted).abs() < 1e-4;
    let is_grey = |grey: f64| [red, green, blue].iter().all(|&part| is(part, grey));
    is(alpha, 0.8) && is(power, BLENDER_POWER) && (is_grey(0.8) || is_grey(0.64))
}

/// Alpha of the face colour as opacity, 0..=1; with a note if it is drawn differently.
fn opacity(color: [f64; 4], power: f64, notes: &mut Vec<String>) -> f32 {
    let [.., alpha] = color;
    if alpha <= 0.0 {
        // Exporters without alpha write 0, and invisible surfaces are not exported.
        notes.push("alpha 0 of the face colour is treated as opaque".to_owned());
        return 1.0;
    }
    if is_default_of_blender(color, power) {
        notes.push("alpha 0.8 is the default of Blender's exporter and is drawn opaque".to_owned());
        return 1.0;
    }
    #[expect(clippy::cast_possible_truncation, reason = "held to 0..=1")]
    let alpha = clamp(alpha as f32, 0.0, 1.0);
    alpha
}

/// The numbers of a `Material`.
struct Numbers {
    /// Colour and opacity.
    diffuse: [f64; 4],
    power: f64,
    shine: [f64; 3],
    emissive: [f64; 3],
}

impl Numbers {
    fn read(document: &Document, object: &Object, warnings: &mut Vec<Warning>) -> Self {
        let mut values = Values::new(document, object);
        let given = values.left();
        if given > 0 && given < 11 {
            let message = format!(
                "a Material has {given} of its 11 numbers; defaults are used for the others"
            );
            warnings.push(object.position.fault(FileRepair::MissingValue, &message));
        }
        let mut next = |default: f64| if values.left() > 0 { values.lenient() } else { default };
        Self {
            diffuse: [next(1.0), next(1.0), next(1.0), next(1.0)],
            power: next(0.0),
            shine: [next(0.0), next(0.0), next(0.0)],
            emissive: [next(0.0), next(0.0), next(0.0)],
        }
    }
}

/// Reads a material; missing parts are white, solid and dull.
fn read_material(
    document: &Document,
    index: ObjectIndex,
    budget: &mut Budget,
    warnings: &mut Vec<Warning>,
) -> Result<FileMaterial, XError> {
    let object = document.object(index);
    let numbers = Numbers::read(document, object, warnings);
    // If a shader draws the material, its parameters are visible.
    let effect = read_effects(document, index, budget)?;
    let diffuse = effect.diffuse.unwrap_or(numbers.diffuse);
    let power = effect.power.unwrap_or(numbers.power);
    let shine = effect.specular.map_or(numbers.shine, |[red, green, blue, _]| [red, green, blue]);
    let emissive =
        effect.emissive.map_or(numbers.emissive, |[red, green, blue, _]| [red, green, blue]);
    let [red, green, blue, _] = diffuse;
    let textures = textures(document, index, effect.textures, warnings);
    let mut notes = Vec::new();
    let is_shiny = power >= MIN_POWER;
    if !is_shiny && shine.iter().any(|&part| part > 0.0) {
        notes.push(format!("a specular power of {power} is treated as no highlight"));
    }
    let opacity = opacity(diffuse, power, &mut notes);
    #[expect(clippy::cast_possible_truncation, reason = "held to a small range")]
    let shininess = clamp(power as f32, 0.0, 1000.0);
    Ok(FileMaterial {
        name: object.name.clone(),
        color: linear([red, green, blue]),
        opacity,
        specular_strength: if is_shiny && shine.iter().any(|&part| part > 0.0) { 1.0 } else { 0.0 },
        specular_color: if is_shiny { linear(shine) } else { LinearRgb::BLACK },
        shininess: if is_shiny { shininess } else { Material::DEFAULT_SHININESS },
        // An emission map implies full emission unless a colour states it.
        emissive: if textures.emissive_map.is_some() && emissive == [0.0; 3] {
            LinearRgb::WHITE
        } else {
            linear(emissive)
        },
        diffuse: textures.diffuse,
        normal: textures.normal,
        specular: textures.specular,
        emissive_map: textures.emissive_map,
        notes,
        shading: ShadingModel::FixedFunction,
        ..FileMaterial::plain("")
    })
}

/// An sRGB colour in linear light, clamped to 0..=1.
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

/// The textures named by a material; those named by an effect count if the plain names yield none.
fn textures(
    document: &Document,
    index: ObjectIndex,
    effect: Textures,
    warnings: &mut Vec<Warning>,
) -> Textures {
    const NAMES: [&str; 3] = ["TextureFilename", "NormalmapFilename", "BumpMapFilename"];
    let mut found = Textures::default();
    let mut extra = 0;
    for part in parts(document, index, &NAMES) {
        let is_plain = document.object(part).is("TextureFilename");
        let role = if is_plain { Role::Diffuse } else { Role::Normal };
        if let Some(name) = first_text(document, part, 0) {
            extra += usize::from(!found.take(role, name));
        }
    }
    if extra > 0 {
        let message = format!(
            "a Material names {} more than one per purpose; the first one is used",
            counted_as(extra, "texture", "textures")
        );
        warnings.push(document.object(index).position.fault(FileRepair::Duplicate, &message));
    }
    Textures {
        diffuse: found.diffuse.or(effect.diffuse),
        normal: found.normal.or(effect.normal),
        specular: found.specular.or(effect.specular),
        emissive_map: effect.emissive_map,
    }
}
