//! Brushes as materials.

use super::file::{B3dFile, Brush, Texture};
use crate::FilePlace;
use crate::corner_mesh::{PLAIN, linear};
use crate::names::Names;
use crate::told::Told;
use tintype_model::math::{Vec2, clamp, func};
use tintype_model::{
    AlphaMode, CullMode, FileMaterial, FileRepair, LinearRgb, MetallicRoughness,
    TextureCoordinates, TextureRole, TextureWrap,
};

/// Bits of the effects of a brush.
const FULL_BRIGHT: u32 = 1;
const VERTEX_COLORS: u32 = 2;
const FLAT: u32 = 4;
const TWO_SIDED: u32 = 16;
const BLENDED: u32 = 32;
/// Bits of textures.
const ALPHA: u32 = 2;
const MASKED: u32 = 4;
const CLAMPED: [u32; 2] = [16, 32];
/// Maps of the surroundings: spheres and cubes.
const REFLECTED: u32 = 64 | 128;
const SECOND_COORDINATES: u32 = 1 << 16;

/// A material, and the attributes of vertices that it uses.
pub(super) struct BrushMaterial {
    pub(super) material: FileMaterial,
    pub(super) has_vertex_colors: bool,
    pub(super) is_flat: bool,
    pub(super) has_second_texcoords: bool,
}

/// The material of each brush, and a final one for triangles without a brush.
pub(super) fn build(file: &B3dFile, told: &mut Told) -> Vec<BrushMaterial> {
    let mut names = Names::default();
    let numbered = file.brushes.iter().enumerate();
    let mut all: Vec<BrushMaterial> = numbered
        .map(|(index, brush)| {
            let name = names.unique(Some(&brush.name), "brush", index);
            of_brush(brush, name, &file.textures, told)
        })
        .collect();
    all.push(BrushMaterial {
        material: FileMaterial::plain(names.unique(Some(PLAIN), PLAIN, 0)),
        // The vertices have colours.
        has_vertex_colors: true,
        is_flat: false,
        has_second_texcoords: false,
    });
    all
}

fn of_brush(brush: &Brush, name: String, textures: &[Texture], told: &mut Told) -> BrushMaterial {
    let has_vertex_colors = brush.effects & VERTEX_COLORS != 0;
    let mut material = FileMaterial::plain(name);
    if !has_vertex_colors {
        let color = linear(brush.color);
        material.color = LinearRgb::new(color.x, color.y, color.z);
    }
    material.opacity = clamp(brush.color[3], 0.0, 1.0);
    // The engine computes the exponent from the same number.
    material.specular_strength = clamp(brush.shininess, 0.0, 1.0);
    material.shininess = clamp(brush.shininess * 128.0, 1.0, 128.0);
    if brush.effects & FULL_BRIGHT != 0 {
        let response = MetallicRoughness { is_unlit: true, ..MetallicRoughness::default() };
        material.response = Some(Box::new(response));
    }
    if brush.effects & TWO_SIDED != 0 {
        material.cull = CullMode::None;
    }
    let (mut used, mut more) = (None, 0);
    for number in &brush.textures {
        let number = usize::try_from(number.cast_signed()).ok();
        match number.and_then(|number| textures.get(number)) {
            Some(texture) if used.is_none() && texture.flags & REFLECTED == 0 => {
                used = Some(texture)
            }
            Some(_) => more += 1,
            None if number.is_some() => {
                let what = "a brush refers to a missing texture; skipped";
                told.note(FileRepair::BadReference, FilePlace::Byte(0), what);
            }
            None => {}
        }
    }
    if more > 0 {
        material.notes.push("only the first texture of its brush is drawn".to_owned());
        let what = "a brush has several textures; only the first is drawn";
        told.note_with(FileRepair::Effect, FilePlace::Byte(0), what, || material.name.clone());
    }
    let mut has_second_texcoords = false;
    if let Some(texture) = used {
        has_second_texcoords = texture.flags & SECOND_COORDINATES != 0;
        lay(texture, &mut material);
    }
    material.alpha = match (brush.blend, used.map_or(0, |texture| texture.flags)) {
        (2, _) => Some(AlphaMode::Multiply),
        (3, _) => Some(AlphaMode::Add),
        _ if brush.effects & BLENDED != 0 => Some(AlphaMode::Blend),
        (_, flags) if flags & MASKED != 0 => Some(AlphaMode::Mask { cutoff: 0.5 }),
        (_, flags) if flags & ALPHA != 0 => Some(AlphaMode::Blend),
        _ => None,
    };
    let is_flat = brush.effects & FLAT != 0;
    BrushMaterial { material, has_vertex_colors, is_flat, has_second_texcoords }
}

/// Lays a texture on the surface of a material.
fn lay(texture: &Texture, material: &mut FileMaterial) {
    let role = TextureRole::Diffuse as usize;
    material.diffuse = Some(texture.file.clone()).filter(|file| !file.is_empty());
    for (axis, bit) in CLAMPED.into_iter().enumerate() {
        if texture.flags & bit != 0 {
            material.sampling[role].wrap[axis] = TextureWrap::Clamp;
        }
    }
    let Texture { scale, position, rotation_rad, .. } = texture;
    let (sin, cos) = (func::sin(*rotation_rad), func::cos(*rotation_rad));
    let coordinates = TextureCoordinates {
        is_second: texture.flags & SECOND_COORDINATES != 0,
        steps: [Vec2::new(cos * scale.x, -sin * scale.y), Vec2::new(sin * scale.x, cos * scale.y)],
        offset: *position,
    };
    if coordinates != TextureCoordinates::plain(false) {
        material.coordinates.get_or_insert_with(|| Box::new([None; _]))[role] = Some(coordinates);
    }
}
