//! A model file opened by its path: its joints, its clips, and its posed meshes.

use super::Error;
use crate::asset::{self, LoadedModel};
use crate::formats::LoadOptions;
use crate::model::{Joint, Mesh, Pose, PosedMesh};
use crate::output::{encode_obj, write_atomic};
use crate::pose::{bind_clip, bind_pose, sample_clip, wrap_time};
use crate::skin::{SkinMatrices, skin_mesh};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A model file with its skeleton, meshes and clips. Clones share the data.
///
/// ```
/// let model = tintype::Model::open("scenes/assets/ranger.x")?;
/// let clip = model.clips().next().expect("the file has a clip");
/// let posed = model.pose(clip.name(), 0.5)?;
/// assert_eq!(posed.meshes.len(), model.meshes().len());
/// # Ok::<(), tintype::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Model {
    path: PathBuf,
    loaded: Arc<LoadedModel>,
}

/// A clip of a [`Model`].
#[derive(Clone, Copy, Debug)]
pub struct Clip<'a> {
    index: usize,
    loaded: &'a asset::LoadedClip,
}

/// A model at one moment.
#[derive(Clone, Debug, PartialEq)]
pub struct PosedModel {
    /// Joint matrices, from joint space to model space, in the order of [`Model::joints`].
    pub pose: Pose,
    /// Positions and normals in model space, in the order of [`Model::meshes`].
    pub meshes: Vec<PosedMesh>,
}
