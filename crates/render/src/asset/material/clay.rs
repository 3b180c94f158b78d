//! `shade = "clay"`: plain surfaces that only show the shape.
//!
//! Every surface is the same grey with a faint highlight. Colours, textures, normal maps, emission
//! and vertex colours are left out. Surfaces that are not solid keep their outlines: masks keep
//! their holes, blended surfaces get a mask at half coverage, and surfaces that add or multiply are
//! not drawn, nor are those that no material draws.

use tintype_model::{AlphaMode, LinearRgb, Material, ShadingModel};

/// Colour of clay, sRGB.
const GREY: [u8; 3] = [0xb4; 3];
/// Strength of its highlight.
pub(super) const SPECULAR: f32 = 0.05;
/// Coverage at which a blended surface becomes solid.
const SOLID: f32 = 0.5;

/// Makes a material clay; it keeps only textures of coverage.
pub(super) fn leave_clay(material: &mut Material) {
    let clay = Material {
        color: LinearRgb::from_codes(GREY),
        diffuse: material.diffuse,
        cull: material.cull,
        coordinates: material.coordinates.take(),
        ..Material::new(material.name.clone())
    };
    let undrawn = (AlphaMode::Blend, 0.0);
    let (alpha, opacity) = match material.alpha {
        AlphaMode::Opaque => (AlphaMode::Opaque, 1.0),
        AlphaMode::Mask { cutoff } => (AlphaMode::Mask { cutoff }, material.opacity),
        AlphaMode::Blend if material.opacity > 0.0 && material.diffuse.is_some() => {
            (AlphaMode::Mask { cutoff: SOLID }, 1.0)
        }
        AlphaMode::Blend if material.opacity > 0.0 => (AlphaMode::Opaque, 1.0),
        AlphaMode::Blend | AlphaMode::Add | AlphaMode::Multiply => undrawn,
    };
    *material = Material { alpha, opacity, shading: ShadingModel::Standard, ..clay };
    if alpha == AlphaMode::Opaque {
        material.diffuse = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clay_keeps_outlines_alone() {
        let made = |alpha, opacity, diffuse| {
            let mut material = Material {
                color: LinearRgb::BLACK,
                emissive: LinearRgb::WHITE,
                normal: Some(1),
                emissive_map: Some(2),
                alpha,
                opacity,
                diffuse,
                ..Material::new("m")
            };
            leave_clay(&mut material);
            assert_eq!(
                (material.normal, material.emissive_map, material.emissive),
                (None, None, LinearRgb::BLACK)
            );
            assert!(material.color.r > 0.4);
            (material.alpha, material.opacity, material.diffuse)
        };
        let mask = AlphaMode::Mask { cutoff: 0.3 };
        let half = AlphaMode::Mask { cutoff: 0.5 };
        assert_eq!(made(AlphaMode::Opaque, 1.0, Some(0)), (AlphaMode::Opaque, 1.0, None));
        assert_eq!(made(mask, 1.0, Some(0)), (mask, 1.0, Some(0)));
        assert_eq!(made(AlphaMode::Blend, 0.2, Some(0)), (half, 1.0, Some(0)));
        assert_eq!(made(AlphaMode::Blend, 0.2, None), (AlphaMode::Opaque, 1.0, None));
        for alpha in [AlphaMode::Blend, AlphaMode::Add, AlphaMode::Multiply] {
            let opacity = if alpha == AlphaMode::Blend { 0.0 } else { 1.0 };
            assert_eq!(made(alpha, opacity, None), (AlphaMode::Blend, 0.0, None), "not drawn");
        }
    }
}
