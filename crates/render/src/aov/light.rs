//! Views of inputs of the light: metallic, roughness, occlusion, and the light from all around.

use super::data::{code, each};
use super::seen::{Hit, Seen, footprint_of, mix_normal, mix_position};
use super::shown::Shown;
use crate::asset::Assets;
use crate::{RenderError, Renderer, Staged};
use tintype_model::frame::Frame;
use tintype_model::math::{Vec3, Vec4, unit_or};
use tintype_model::{Material, TextureRole};
use tintype_raster::RasterOptions;
use tintype_raster::occlusion::OcclusionMap;
use tintype_raster::shading::context::roughness_of;
use tintype_raster::texture::trilinear::scalar::sample_trilinear;
use tintype_scene::Aov;

/// The texture of a role at a hit, unfiltered; white without one.
pub(super) fn texel(
    seen: &Seen,
    assets: &Assets,
    (material, role): (&Material, TextureRole),
    hit: &Hit,
    share: [f64; 3],
) -> Vec4 {
    let Some(index) = material.texture(role) else { return Vec4::ONE };
    let footprint = footprint_of(&seen.shapes[hit.shape], material, role, hit, share);
    sample_trilinear(&assets.textures[index], &footprint)
}

/// A grey of 0..=1 for each hit, from its material and its position in its triangle.
fn grey(
    seen: &Seen,
    assets: &Assets,
    value: impl Fn(&Material, &Hit, [f64; 3]) -> f32 + Sync,
) -> Frame {
    each(seen, |hit, share, _| {
        let material = &assets.materials[seen.shapes[hit.shape].material];
        [code(f64::from(value(material, hit, share))); 3]
    })
}

pub(super) fn metallic(seen: &Seen, assets: &Assets) -> Shown {
    let frame = grey(seen, assets, |material, hit, share| match &material.response {
        Some(response) => {
            response.metallic
                * texel(seen, assets, (material, TextureRole::MetallicRoughness), hit, share).z
        }
        None => 0.0,
    });
    let legend = "metallic: code 255 is 1; materials with specular highlights instead are 0";
    Shown { aov: Aov::Metallic, frame, legend: legend.to_owned() }
}

pub(super) fn roughness(seen: &Seen, assets: &Assets) -> Shown {
    let frame = grey(seen, assets, |material, hit, share| match &material.response {
        Some(response) => {
            let of = |role| texel(seen, assets, (material, role), hit, share);
            let roughness = response.roughness * of(TextureRole::MetallicRoughness).y;
            match material.texture(TextureRole::Glossiness) {
                Some(_) => 1.0 - (1.0 - roughness) * of(TextureRole::Glossiness).x,
                None => roughness,
            }
        }
        None => roughness_of(material.shininess),
    });
    let legend = "roughness: code 255 is 1; for materials with specular highlights, the equivalent roughness; black is background or a mirror";
    Shown { aov: Aov::Roughness, frame, legend: legend.to_owned() }
}

pub(super) fn occlusion(seen: &Seen, assets: &Assets, map: Option<&OcclusionMap>) -> Shown {
    let frame = grey(seen, assets, |material, hit, share| {
        let shape = &seen.shapes[hit.shape];
        let position = mix_position(shape, hit, share);
        let normal = unit_or(mix_normal(shape, hit, share), Vec3::Y);
        let open = map.map_or(1.0, |map| map.open::<f32>(position.into(), normal.into()));
        let strength = material.response.as_ref().map_or(0.0, |one| one.occlusion_strength);
        let texel = texel(seen, assets, (material, TextureRole::Occlusion), hit, share);
        open * ((texel.x - 1.0) * strength + 1.0)
    });
    let legend = "fraction of ambient light that reaches a surface, from ambient occlusion and occlusion textures; code 255 is all of it";
    Shown { aov: Aov::Occlusion, frame, legend: legend.to_owned() }
}

/// # Errors
/// As [`Renderer::draw_staged`].
pub(super) fn environment(
    renderer: &Renderer,
    staged: &Staged,
    cut: RasterOptions,
) -> Result<Shown, RenderError> {
    let frame = renderer.draw_surroundings(staged, cut)?;
    let legend = "the picture lit only by environment, ambient and hemisphere light, without other lights and the ground; black without any";
    Ok(Shown { aov: Aov::Environment, frame, legend: legend.to_owned() })
}
