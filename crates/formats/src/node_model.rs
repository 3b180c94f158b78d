//! Models of hierarchical nodes, as in 3DS and Blitz3D: the skeleton, the model and the clip.

use crate::names::Names;
use crate::told::Told;
use crate::{FilePlace, Loaded, ModelFormatError};
use std::sync::Arc;
use tintype_model::math::{Affine3, Vec3};
use tintype_model::{
    Clip, ClipOptions, FileMaterial, FileParts, FileRepair, Joint, JointIndex, LocalTransform,
    Mesh, Model, NamedClip, Skeleton, Tracks,
};

/// Name of the only clip.
const CLIP: &str = "animation";

/// Joints while they are listed, parents first.
#[derive(Default)]
pub(crate) struct NodeJoints {
    unique: Names,
    joints: Vec<Joint>,
    local: Vec<Affine3>,
    rest: Vec<LocalTransform>,
}

impl NodeJoints {
    /// Adds a joint: its name, the word and number for one without a name, its parent, and its
    /// transform relative to the parent in both forms.
    pub(crate) fn push(
        &mut self,
        (name, word, number): (&str, &str, usize),
        parent: Option<usize>,
        (parent_from_joint, rest): (Affine3, LocalTransform),
    ) {
        let name = self.unique.unique(Some(name), word, number);
        let above = parent.and_then(|parent| self.joints.get(parent));
        let above = above.map_or(Affine3::IDENTITY, |joint| joint.model_from_joint);
        let model_from_joint = above * parent_from_joint;
        let parent = parent.and_then(|parent| u16::try_from(parent).ok()).map(JointIndex);
        self.joints.push(Joint { name, parent, model_from_joint });
        self.local.push(parent_from_joint);
        self.rest.push(rest);
    }

    /// The skeleton.
    ///
    /// # Errors
    /// [`ModelFormatError::Value`] if it is invalid.
    pub(crate) fn finish(self) -> Result<Skeleton, ModelFormatError> {
        Skeleton::try_with_parts(self.joints, self.local, self.rest).map_err(|error| {
            ModelFormatError::value(FilePlace::Byte(0), "the nodes", error, "a sound skeleton")
        })
    }
}

/// Builds the model of a skeleton, its meshes and materials, with the warnings about the file.
pub(crate) fn node_model(
    skeleton: Skeleton,
    (meshes, materials): (Vec<Mesh>, Vec<FileMaterial>),
    parts: FileParts,
    mut told: Told,
) -> Loaded<Model> {
    if meshes.is_empty() {
        told.note(FileRepair::Empty, FilePlace::Byte(0), "it has no triangles: nothing is drawn");
    }
    let mut warnings = Vec::new();
    told.finish(&mut warnings);
    let (pictures, front) = (Vec::new(), Vec3::Z);
    Loaded { value: Model { skeleton, meshes, materials, pictures, front, parts }, warnings }
}

/// The clip of tracks, with the seconds of its frames; `repeats_at_end` means that it repeats at
/// its last frame, whether or not the poses at its ends are equal.
pub(crate) fn node_clip(
    joints: Vec<Tracks>,
    (times_s, rate_hz): (Arc<[f64]>, f64),
    repeats_at_end: bool,
) -> NamedClip {
    let closes = joints.iter().all(crate::iqm::closes);
    let is_closed = repeats_at_end || closes;
    let mut clip = Clip::of_even_keys(joints, Vec::new(), (times_s, rate_hz), is_closed);
    clip.closes = closes;
    NamedClip { name: CLIP.to_owned(), clip, options: ClipOptions::default() }
}

/// A file with the first occurrence of a run of bytes replaced by another.
#[cfg(test)]
pub(crate) fn edited(file: &[u8], from: &[u8], to: &[u8]) -> Vec<u8> {
    let at = file.windows(from.len()).position(|run| run == from).unwrap();
    let mut bytes = file.to_vec();
    bytes[at..at + to.len()].copy_from_slice(to);
    bytes
}
