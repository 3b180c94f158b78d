//! Contents of one file, whatever its format.

use super::surface::Surface;
use crate::names::Names;
use tintype_model::FileMaterial;
use tintype_model::math::Affine3;

/// Name of the only surface of formats without surface names.
pub(super) const NAMELESS: &str = "surface";

/// The contents of one file.
#[derive(Default)]
pub(super) struct Part<'b> {
    pub(super) surfaces: Vec<Surface<'b>>,
    /// Names of the frames.
    pub(super) frames: Vec<String>,
    pub(super) tags: Vec<Tag>,
    pub(super) materials: Vec<FileMaterial>,
    /// Names of alternative materials; a scene may pick one for all surfaces.
    pub(super) skins: Vec<String>,
}

/// An attachment point of a part, in each frame; a joint of the model.
pub(super) struct Tag {
    pub(super) name: String,
    pub(super) poses: Vec<Affine3>,
}

impl Part<'_> {
    /// Names of its frames, each once.
    pub(super) fn names(&self) -> Vec<String> {
        let mut names = Names::default();
        let frames = self.frames.iter().enumerate();
        frames.map(|(frame, name)| names.unique(Some(name), "frame", frame)).collect()
    }
}
