//! The parts of a record common to all frames of the scene.

use super::asset_record::{AssetRecord, asset_records, with_texels};
use super::content::{ModelContent, contents};
use super::stages::{self, Subject};
use std::sync::Arc;
use tintype_render::Renderer;

/// Files, values and content of a scene: made once, and part of the record of each of its frames.
#[derive(Clone, Debug)]
pub struct SceneRecord {
    pub(super) assets: Vec<AssetRecord>,
    pub(super) scene: Vec<Subject>,
    pub(super) contents: Arc<Vec<ModelContent>>,
}

impl SceneRecord {
    /// The parts of the scene and the assets of a renderer.
    #[must_use]
    pub fn new(renderer: &Renderer) -> Self {
        let (scene, assets) = (renderer.scene(), renderer.assets());
        Self {
            assets: with_texels(asset_records(scene, assets), assets),
            scene: stages::subjects(scene, assets, true),
            contents: Arc::new(contents(scene, assets)),
        }
    }
}
