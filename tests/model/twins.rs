//! Compressed files against their plain twins: the same picture, up to the quantization of their
//! numbers and textures.

use crate::support::{trial, with_models};
use libtest_mimic::Failed;
use std::path::Path;
use tintype_formats::LoadOptions;
use tintype_raster::RasterOptions;
use tintype_render::Renderer;
use tintype_scene::builder::ModelBuilder;
use tintype_scene::{FrameNumber, SceneBuilder};

/// Plain file, compressed file, and the maximum mean difference of their pictures in codes.
const TWINS: [(&str, &str, f64); 6] = [
    ("glTF-Transform/Box/Box.glb", "glTF-Transform/BoxMeshopt/BoxMeshopt.glb", 0.02),
    ("glTF-Transform/Box/Box.glb", "glTF-Transform/BoxMeshopt/BoxMeshopt.gltf", 0.02),
    ("glTF-Transform/Box/Box.glb", "glTF-Transform/BoxDraco/BoxDraco.gltf", 0.02),
    (
        "assimp/BoxTextured-glb/BoxTextured.glb",
        "gltf-pipeline/EXT_texture_webp/embedded/box-textured-embedded.gltf",
        2.0,
    ),
    (
        "assimp/BoxTextured-glb/BoxTextured.glb",
        "gltf-pipeline/EXT_texture_webp/separate/box-textured-separate.gltf",
        2.0,
    ),
    // The names of these pictures include their compression, so only letters differ.
    ("synthetic/ktx2/BoxTextured-uastc.gltf", "synthetic/ktx2/BoxTextured-etc1s.gltf", 12.0),
];

/// The bytes of a small picture of a model.
fn picture(folder: &Path, file: &str) -> Result<Vec<u8>, Failed> {
    let scene = SceneBuilder::new().size([96, 96]).model(ModelBuilder::new(file)).build("twin")?;
    let renderer = Renderer::load(scene, folder, &LoadOptions::default())?;
    Ok(renderer.draw(FrameNumber(0), RasterOptions::default())?.frame.rgba.into_flattened())
}

fn are_alike(folder: &Path) -> Result<(), Failed> {
    for (plain, compressed, most) in TWINS {
        let (left, right) = (picture(folder, plain)?, picture(folder, compressed)?);
        let differences = left.iter().zip(&right).map(|(a, b)| f64::from(a.abs_diff(*b)));
        let mean = differences.sum::<f64>() / left.len() as f64;
        if mean > most {
            return Err(format!("{compressed}: {mean:.3} codes from {plain}").into());
        }
    }
    Ok(())
}

#[trial(with_models)]
fn gltf_compressed_twins_give_one_picture(models: &Path) -> Result<(), Failed> {
    are_alike(&models.join("gltf"))
}
