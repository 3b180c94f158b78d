//! Records the stages behind the picture of a frame, and compares two records: the first stage that differs.
//!
//! A picture says that something changed; a [`FrameRecord`] says what. It keeps digests of the assets, the scene's parameters,
//! each joint, sums of the positions of each posed mesh, and which mesh covers how many pixels: a few kilobytes of text beside each golden
//! picture ([`FrameRecord::to_text`]). [`find_cause`] compares that of the golden with that of today.
//!
//! Fingerprints are made for golden pictures only, never on the plain path of `render`. This module draws nothing and reads no
//! file.
//!
//! # What is kept of many instances
//! Joints and meshes of one instance of each model and of the first others are kept one by one, until [`MOST_JOINTS`] joints are;
//! of the rest of a crowd digests are, and two characters a joint, which tell the instance, the stage and the joint but no amount.

mod cause;
mod stages;
mod position_sums;
mod text;

pub use cause::{Cause, Stage, find_cause};
pub use position_sums::{Moved, PositionSums};
pub use stages::{InstanceRecord, JointRecord, MeshRecord, Subject, VisibilityRecord};
pub use text::TextError;

use crate::asset::Assets;
use crate::frame::{Frame, PIXEL_REVISION};
use crate::raster::RasterOptions;
use crate::render::{Renderer, Staged};
use crate::scene::Scene;

/// The form of the text; a record of another version is not compared.
pub const VERSION: u32 = 1;

/// Number of joints of one frame that are kept one by one.
pub const MOST_JOINTS: usize = 80;
/// Number of instances of one frame that are kept parameter by parameter.
pub const MOST_INSTANCES: usize = 8;

/// Record of the stages behind one picture.
#[derive(Clone, Debug, PartialEq)]
pub struct FrameRecord {
    /// The revision of the code that drew it.
    pub pixel_revision: u32,
    /// Digest of the pixels.
    pub image: String,
    /// Name and digest of each file, in the order of the scene; models and clips before textures.
    pub assets: Vec<AssetRecord>,
    /// Each thing that the scene says, and each material that a model's file says, with its keys and values.
    pub scene: Vec<Subject>,
    /// Eye, direction of the view and vertical field of view in radians: where the rig of the scene put the camera.
    pub camera: [f32; 7],
    /// One for each instance of the scene.
    pub instances: Vec<InstanceRecord>,
    /// Visible surfaces.
    pub visibility: VisibilityRecord,
}

/// A file and its bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AssetRecord {
    /// The name as the scene or the model writes it.
    pub name: String,
    /// Digest of its bytes.
    pub digest: String,
    /// Whether it is a texture; else a model, a clip or a recorded camera.
    pub is_texture: bool,
}

/// Half a BLAKE3 digest in hexadecimal: 64 bits tell any two states of one thing apart.
fn short_digest(bytes: &[u8]) -> String {
    let mut digest = blake3::hash(bytes).to_hex().to_string();
    digest.truncate(16);
    digest
}

impl FrameRecord {
    /// The record of a frame that the renderer has staged and drawn.
    #[must_use]
    pub fn new(renderer: &Renderer, staged: &Staged, frame: &Frame) -> Self {
        let (scene, assets) = (renderer.scene(), renderer.assets());
        let seen = renderer.visible_points(staged, RasterOptions::default());
        Self {
            pixel_revision: PIXEL_REVISION,
            image: short_digest(bytemuck::cast_slice(&frame.rgba)),
            assets: asset_records(scene, assets),
            scene: stages::subjects(scene, assets),
            camera: stages::camera(&staged.camera, scene.output.size),
            instances: stages::instances(scene, assets, staged),
            visibility: stages::visibility(scene, assets, &seen),
        }
    }
}

/// The files behind a scene.
#[must_use]
pub fn asset_records(scene: &Scene, assets: &Assets) -> Vec<AssetRecord> {
    let mut geometry: Vec<&str> = Vec::new();
    for model in &scene.models {
        geometry.push(&model.file);
        geometry.extend(model.clips.iter().map(|clip| clip.file.as_str()));
    }
    if let crate::scene::CameraRig::Md5(recorded) = &scene.camera {
        geometry.push(&recorded.file);
    }
    let record = |file: &crate::asset::FileRecord| AssetRecord {
        name: file.name.clone(),
        digest: file.digest.to_hex()[..16].to_owned(),
        is_texture: !geometry.contains(&file.name.as_str()),
    };
    let mut found: Vec<AssetRecord> = Vec::new();
    for mut record in assets.files.iter().map(record) {
        // Two models may mean different files by one name.
        let name = record.name.clone();
        let mut count = 1;
        while found.iter().any(|known| known.name == record.name) {
            count += 1;
            record.name = format!("{name} ({count})");
        }
        found.push(record);
    }
    found
}

/// The records of either list that the other does not have.
#[must_use]
pub fn changed<'a>(older: &'a [AssetRecord], newer: &'a [AssetRecord]) -> Vec<&'a AssetRecord> {
    let mut found: Vec<&AssetRecord> =
        newer.iter().filter(|record| !older.contains(record)).collect();
    let is_named = |name: &str| newer.iter().any(|record| record.name == name);
    found.extend(older.iter().filter(|record| !is_named(&record.name)));
    found
}

#[cfg(test)]
mod tests;
