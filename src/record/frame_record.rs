//! The record of one frame: its fields, and each stage asked for its part.

use super::asset_record::{AssetRecord, asset_records, with_texels};
use super::content::{ModelContent, contents};
use super::digest::short_digest;
use super::stages::{self, InstanceRecord, Subject, VisibilityRecord};
use crate::frame::{Frame, PIXEL_REVISION};
use crate::raster::RasterOptions;
use crate::render::{RenderError, Renderer, Staged};

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
    /// Content of the models and clips; empty in a record of an older program.
    pub contents: Vec<ModelContent>,
}

impl FrameRecord {
    /// The record of a frame that the renderer has staged and drawn.
    ///
    /// # Errors
    /// As [`Renderer::draw_staged`].
    pub fn new(renderer: &Renderer, staged: &Staged, frame: &Frame) -> Result<Self, RenderError> {
        let (scene, assets) = (renderer.scene(), renderer.assets());
        let seen = renderer.visible_fragments(staged, RasterOptions::default())?;
        Ok(Self {
            pixel_revision: PIXEL_REVISION,
            image: short_digest(bytemuck::cast_slice(&frame.rgba)),
            assets: with_texels(asset_records(scene, assets), assets),
            scene: stages::subjects(scene, assets),
            camera: stages::camera(&staged.camera, scene.output.size),
            instances: stages::instances(scene, assets, staged),
            visibility: stages::visibility(scene, assets, &seen),
            contents: contents(scene, assets),
        })
    }
}
