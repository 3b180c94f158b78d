//! `EffectInstance`: the parameters of a shader that this program does not run, interpreted by
//! their names.
//!
//! Names are matched ignoring case, anywhere in the name: `Diffuse`, `MaterialDiffuseColor` and
//! `g_vDiffuse` are the same. If there are two parameters for one purpose, the first counts. All
//! others are ignored.

use super::part::{Budget, parts};
use super::values::Values;
use crate::x::error::XError;
use crate::x::tree::{Document, ObjectIndex, Value};

/// Supported material parameters of an effect; colours are sRGB.
#[derive(Default)]
pub(super) struct Effect {
    pub(super) textures: Textures,
    pub(super) diffuse: Option<[f64; 4]>,
    pub(super) power: Option<f64>,
    pub(super) specular: Option<[f64; 4]>,
    pub(super) emissive: Option<[f64; 4]>,
}

/// The textures of a material.
#[derive(Default)]
pub(super) struct Textures {
    pub(super) diffuse: Option<String>,
    pub(super) normal: Option<String>,
    pub(super) specular: Option<String>,
    pub(super) emissive_map: Option<String>,
}

/// Role of a texture.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    Diffuse,
    Normal,
    Specular,
    Emissive,
    /// Ignored textures: a light map, an environment.
    Other,
}

impl Textures {
    /// Assigns a name to a role without one; false if it has another name.
    pub(super) fn take(&mut self, role: Role, name: &str) -> bool {
        let name = name.trim();
        let slot = match role {
            Role::Diffuse => &mut self.diffuse,
            Role::Normal => &mut self.normal,
            Role::Specular => &mut self.specular,
            Role::Emissive => &mut self.emissive_map,
            Role::Other => return true,
        };
        if slot.is_none() && !name.is_empty() {
            *slot = Some(name.to_owned());
        }
        name.is_empty() || slot.as_deref() == Some(name)
    }
}

/// Reads all effects of a material.
///
/// # Errors
/// [`XError::Limit`] if references make the work too large.
pub(super) fn read_effects(
    document: &Document,
    material: ObjectIndex,
    budget: &mut Budget,
) -> Result<Effect, XError> {
    const PARAMETERS: [&str; 3] = ["EffectParamFloats", "EffectParamString", "EffectParamDWord"];
    let mut effect = Effect::default();
    for instance in parts(document, material, &["EffectInstance"]) {
        budget.spend(document.object(instance))?;
        for parameter in parts(document, instance, &PARAMETERS) {
            let object = document.object(parameter);
            budget.spend(object)?;
            let Some(name) = first_text(document, parameter, 0) else { continue };
            if object.is("EffectParamString") {
                let Some(text) = first_text(document, parameter, 1) else { continue };
                if is_picture(text) {
                    // A picture of a glow worm does not mean emission: the parameter must state it.
                    let by_text = || role_of(text).filter(|role| *role != Role::Emissive);
                    let role = role_of(name).or_else(by_text).unwrap_or(Role::Diffuse);
                    effect.textures.take(role, text);
                }
                continue;
            }
            let mut values = Values::new(document, object);
            values.skip(1);
            if object.is("EffectParamDWord") {
                let word = values.lenient_word();
                effect.take(name, &[f64::from(word)]);
                effect.take(name, &packed(word));
            } else {
                values.skip(1); // how many there are
                let numbers: Vec<f64> =
                    (0..values.left().min(4)).map(|_| values.lenient()).collect();
                effect.take(name, &numbers);
            }
        }
    }
    Ok(effect)
}

/// A word as a colour: alpha, red, green, blue from the top.
fn packed(word: u32) -> [f64; 4] {
    let [alpha, red, green, blue] = word.to_be_bytes().map(|byte| f64::from(byte) / 255.0);
    [red, green, blue, alpha]
}

impl Effect {
    fn take(&mut self, name: &str, numbers: &[f64]) {
        let name = name.to_ascii_lowercase();
        let has = |word: &str| name.contains(word);
        let is_power = has("power") || has("shininess") || has("exponent");
        match *numbers {
            [power] if is_power => self.power = self.power.or(Some(power)),
            [red, green, blue, ref alpha @ ..] if !is_power => {
                let slot = if has("diffuse") {
                    &mut self.diffuse
                } else if has("specular") {
                    &mut self.specular
                } else if has("emissi") {
                    &mut self.emissive
                } else {
                    return;
                };
                let alpha = alpha.first().copied().unwrap_or(1.0);
                *slot = slot.or(Some([red, green, blue, alpha]));
            }
            _ => {}
        }
    }
}

/// Role of a texture by a word in its name. None if the word indicates no role.
fn role_of(word: &str) -> Option<Role> {
    let word = word.to_lowercase();
    let has = |parts: &[&str]| parts.iter().any(|part| word.contains(part));
    if has(&["normal", "bump"]) {
        Some(Role::Normal)
    } else if has(&["specular", "gloss"]) {
        Some(Role::Specular)
    } else if has(&["glow", "emissi", "selfillum", "self_illum"]) {
        Some(Role::Emissive)
    } else if has(&["lightmap", "light_map", "environment", "envmap", "cubemap", "reflect"]) {
        Some(Role::Other)
    } else {
        None
    }
}

/// The text at an index among the texts of an object.
pub(super) fn first_text(document: &Document, index: ObjectIndex, position: usize) -> Option<&str> {
    let mut texts = document.object(index).values.iter().filter_map(|value| match value {
        Value::Text(text) => Some(document.text(*text)),
        _ => None,
    });
    texts.nth(position)
}

fn is_picture(name: &str) -> bool {
    const EXTENSIONS: [&str; 11] =
        ["png", "tga", "jpg", "jpeg", "bmp", "dds", "webp", "ktx2", "psd", "tif", "tiff"];
    name.trim().rsplit_once('.').is_some_and(|(stem, extension)| {
        !stem.is_empty() && EXTENSIONS.iter().any(|known| known.eq_ignore_ascii_case(extension))
    })
}
