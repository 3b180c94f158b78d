//! The record of one frame: its fields, with the contribution of each stage.

use super::asset_record::AssetRecord;
use super::content::ModelContent;
use super::digest::short_digest;
use super::scene_record::SceneRecord;
use super::stages::{self, InstanceRecord, Subject, VisibilityRecord};
use std::collections::BTreeSet;
use std::sync::Arc;
use tintype_model::frame::{Frame, PIXEL_REVISION};
use tintype_raster::RasterOptions;
use tintype_render::{RenderError, Renderer, Staged};
use tintype_scene::Fit;

/// Values of a frame that depend on all frames of its scene.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Extents {
    /// The fit of the camera. None if the scene places it, and for records written before the fit
    /// was stored.
    pub fit: Option<Fit>,
    /// Nearest and farthest distance of the scale of a view of depth.
    pub depth: Option<[f64; 2]>,
}

/// Record of the stages behind one picture.
#[derive(Clone, Debug, PartialEq)]
pub struct FrameRecord {
    /// The revision of the code that drew it.
    pub pixel_revision: u32,
    /// Digest of the pixels.
    pub image: String,
    /// Name and digest of each file, in the order of the scene; models and clips before textures.
    pub assets: Vec<AssetRecord>,
    /// Each subject of the scene, and each material of a model's file, with its keys and values.
    pub scene: Vec<Subject>,
    /// Eye, view direction and vertical field of view in radians, as computed by the camera rig of
    /// the scene.
    pub camera: [f32; 7],
    /// The extents for which it was drawn.
    pub extents: Extents,
    /// One for each instance of the scene.
    pub instances: Vec<InstanceRecord>,
    /// Visible surfaces.
    pub visibility: VisibilityRecord,
    /// Content of the models and clips.
    pub contents: Arc<Vec<ModelContent>>,
}

impl FrameRecord {
    /// The record of a frame staged and drawn by the renderer; `shared` is of the same renderer.
    ///
    /// # Errors
    /// As [`Renderer::draw_staged`].
    pub fn new(
        shared: &SceneRecord,
        renderer: &Renderer,
        staged: &Staged,
        frame: &Frame,
    ) -> Result<Self, RenderError> {
        let seen = renderer.visible_fragments(staged, RasterOptions::default())?;
        let (scene, assets) = (renderer.scene(), renderer.assets());
        Ok(Self {
            image: short_digest(bytemuck::cast_slice(&frame.rgba)),
            visibility: stages::visibility(scene, assets, &seen),
            ..Self::without_picture(shared, renderer, staged)
        })
    }

    /// The extents kept for a scene with the values `now`. None if its camera or size differs from
    /// the record.
    #[must_use]
    pub fn kept_extents(&self, now: &[Subject]) -> Option<Extents> {
        fn said(subjects: &[Subject]) -> BTreeSet<&(String, String)> {
            let decides =
                |name: &str, key: &str| name == "camera" || name == "output" && key == "size";
            let of = |one| {
                let Subject { name, values }: &Subject = one;
                values.iter().filter(|(key, _)| decides(name, key))
            };
            subjects.iter().flat_map(of).collect()
        }
        (said(&self.scene) == said(now)).then_some(self.extents)
    }

    /// The record of a frame staged by the renderer, without its pixels; `shared` is of the same
    /// renderer.
    #[must_use]
    pub fn without_picture(shared: &SceneRecord, renderer: &Renderer, staged: &Staged) -> Self {
        let (scene, assets) = (renderer.scene(), renderer.assets());
        let nothing = VisibilityRecord { digest: String::new(), covered: 0, pixels: Vec::new() };
        Self {
            pixel_revision: PIXEL_REVISION,
            image: String::new(),
            assets: shared.assets.clone(),
            scene: shared.scene.clone(),
            camera: stages::camera(&staged.camera, scene.output.size),
            extents: Extents { fit: staged.fit, depth: None },
            instances: stages::instances(scene, assets, staged),
            visibility: nothing,
            contents: Arc::clone(&shared.contents),
        }
    }
}
