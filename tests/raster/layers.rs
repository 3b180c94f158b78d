//! Textures of the layers of a metallic-roughness material.

use crate::world::World;
use crate::worlds::{on, physical_world};
use tintype_model::simd::Level;
use tintype_model::{Image, LayerTextures, LinearRgb, Material, TextureKind, TextureRole};

/// Code of all channels of a uniform texture.
const CODE: u8 = 102;

/// Light of each point of the world after changing its materials with layers.
fn lit(world: &World, change: impl Fn(&mut Material)) -> Vec<[f32; 4]> {
    let mut world = world.clone();
    for material in &mut world.materials {
        if !material.layers.is_empty() {
            change(material);
        }
    }
    world.shade(on(Level::best()), 1).iter().map(|point| point.color).collect()
}

/// A uniform texture of a role changes light in the same way as its factor.
#[test]
fn texture_of_one_value_is_its_factor() {
    let mut world = physical_world(1);
    let first = world.images.len();
    let flat = Image { width: 4, height: 4, rgba: vec![[CODE; 4]; 16] };
    world.images.push((flat.clone(), TextureKind::Data));
    world.images.push((flat.clone(), TextureKind::Coverage));
    world.images.push((flat, TextureKind::OpaqueColor));
    let (data, coverage, color) = (first, first + 1, first + 2);
    let share = f32::from(CODE) / 255.0;
    let tint = LinearRgb::from_codes([CODE; 3]).r;
    let before = lit(&world, |material| material.layers = LayerTextures::NONE);
    for (role, texture) in [
        (TextureRole::Clearcoat, data),
        (TextureRole::ClearcoatRoughness, data),
        (TextureRole::SheenColor, color),
        (TextureRole::SheenRoughness, coverage),
        (TextureRole::SpecularStrength, coverage),
        (TextureRole::SpecularColor, color),
        (TextureRole::Glossiness, coverage),
    ] {
        let textured = lit(&world, |material| {
            material.layers = LayerTextures::NONE;
            *material.layers.get_mut(role) = Some(texture);
        });
        let scaled = lit(&world, |material| {
            material.layers = LayerTextures::NONE;
            let response = material.response.as_mut().expect("a material with layers");
            match role {
                TextureRole::Clearcoat => response.clearcoat *= share,
                TextureRole::ClearcoatRoughness => response.clearcoat_roughness *= share,
                TextureRole::SheenColor => {
                    response.sheen_color = response.sheen_color.scaled(tint);
                }
                TextureRole::SheenRoughness => response.sheen_roughness *= share,
                TextureRole::SpecularStrength => response.specular *= share,
                TextureRole::SpecularColor => {
                    response.specular_color = response.specular_color.scaled(tint);
                }
                _ => response.roughness = 1.0 - (1.0 - response.roughness) * share,
            }
        });
        let most = |left: &[[f32; 4]], right: &[[f32; 4]]| {
            let pairs = left.as_flattened().iter().zip(right.as_flattened());
            pairs.map(|(left, right)| (left - right).abs()).fold(0.0, tintype_model::math::max)
        };
        assert!(most(&before, &scaled) > 0.002, "{role:?}: the factor is seen");
        let off = most(&textured, &scaled);
        assert!(off < 5e-4, "{role:?}: {off}");
    }
}

/// The normal map of a coat tilts only the coat: without one it has no effect.
#[test]
fn relief_of_a_coat_is_not_that_of_the_surface() {
    let world = physical_world(1);
    let with = |relief: Option<usize>, coat: f32| {
        lit(&world, |material| {
            material.normal = None;
            material.layers = LayerTextures::NONE;
            *material.layers.get_mut(TextureRole::ClearcoatNormal) = relief;
            material.response.as_mut().expect("a material with layers").clearcoat = coat;
        })
    };
    assert_eq!(with(Some(1), 0.0), with(None, 0.0));
    assert_ne!(with(Some(1), 1.0), with(None, 1.0));
}
