//! Textures that no file has the name of.

use crate::asset::texture::checker;
use std::path::PathBuf;
use tintype_model::{AlphaMode, LinearRgb, Material, Texture};
use tintype_scene::MissingLook;

/// A missing texture, for the warning after the last mesh of its model.
pub(super) struct MissingTexture {
    /// The name as written in the file.
    pub(super) texture: String,
    /// Shaders that use it as their diffuse texture, in order.
    pub(super) shaders: Vec<String>,
    pub(super) model: PathBuf,
    pub(super) tried: Vec<String>,
    pub(super) searched: Vec<PathBuf>,
}

/// Gives a material the look of a missing texture: neither tinted nor dark nor transparent. `known`
/// is the checkerboard among the textures.
pub(super) fn look_missing(
    look: MissingLook,
    material: &mut Material,
    textures: &mut Vec<Texture>,
    known: &mut Option<usize>,
) {
    /// A light grey in linear light, visible on white and on black.
    const GREY: f32 = 0.5;
    (material.opacity, material.alpha) = (1.0, AlphaMode::Opaque);
    if material.emissive_map.is_none() {
        material.emissive = LinearRgb::BLACK;
    }
    (material.color, material.diffuse) = match look {
        MissingLook::Grey => (LinearRgb { r: GREY, g: GREY, b: GREY }, None),
        MissingLook::Checker => {
            let index = known.get_or_insert_with(|| {
                textures.push(checker());
                textures.len() - 1
            });
            (LinearRgb::WHITE, Some(*index))
        }
    };
}
