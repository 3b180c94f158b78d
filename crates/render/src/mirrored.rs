//! Meshes of instances with mirroring transforms.

use crate::asset::Assets;
use std::sync::OnceLock;
use tintype_model::Mesh;

/// For each model its meshes from [`Mesh::mirrored`], made when an instance first needs them.
#[derive(Clone, Debug)]
pub(super) struct MirroredMeshes(Vec<OnceLock<Vec<Mesh>>>);

impl MirroredMeshes {
    /// An empty cache for that number of models.
    pub(super) fn new(models: usize) -> Self {
        Self(vec![OnceLock::new(); models])
    }

    /// The meshes of a model.
    pub(super) fn meshes_of(&self, assets: &Assets, model: usize) -> &[Mesh] {
        let meshes = &assets.models[model].model.meshes;
        self.0[model].get_or_init(|| meshes.iter().map(Mesh::mirrored).collect())
    }
}
