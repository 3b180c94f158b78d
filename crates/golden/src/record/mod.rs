//! Records the stages of the picture of a frame, and compares two records: the first stage that
//! differs.
//!
//! A picture shows that something changed; a [`FrameRecord`] shows the cause. It keeps digests of
//! the assets, the scene's parameters and each joint, sums of the positions of each posed mesh, and
//! the number of pixels covered by each mesh: a few kilobytes of text beside each golden picture
//! ([`FrameRecord::to_text`]). [`find_cause`] compares the golden's record with the current one.
//!
//! Records are made for golden pictures only, never during a plain `render`. This module draws
//! nothing and reads no file.
//!
//! # What is kept of models
//! A frame shows one time of a clip. [`ModelContent`] covers whole files: exact digests of joints,
//! keys, vertices and triangles in the terms of [`tintype_model`], and sums that reveal which of
//! them changed and by how much. Edits are therefore found even where no frame shows them, and
//! files that differ only in spelling have the same content.
//!
//! # What is kept of many instances
//! Joints and meshes are kept one by one for one instance of each model and for the first
//! instances, up to [`MAX_JOINTS`] joints. For the rest of a crowd only digests are kept, and two
//! characters for each joint, which identify the instance, the stage and the joint but no amount.

mod align;
mod asset_record;
mod cause;
mod content;
mod digest;
mod frame_record;
mod position_sums;
mod rigid;
mod scene_record;
mod stages;
mod hidden;
mod text;
mod values;

pub use asset_record::{AssetRecord, asset_records, changed};
pub use cause::{Cause, Evidence, find_cause, golden_camera, is_rounding_alone, unseen_edits};
pub use content::{
    ClipContent, JointContent, MeshContent, MeshJoint, MeshLists, ModelContent, Sums, TrackContent,
};
pub(crate) use content::{PoseNumber, is_same_motion, motion_of};
pub(crate) use digest::short_digest;
pub use frame_record::{Extents, FrameRecord};
pub use hidden::find_hidden;
pub use position_sums::{Moved, PositionSums};
pub(crate) use position_sums::{bits, letters};
pub use scene_record::SceneRecord;
pub use stages::{
    InstanceRecord, JointRecord, MAX_INSTANCES, MAX_JOINTS, MeshRecord, Subject, VisibilityRecord,
};
pub use tintype_compare::finding::Stage;

pub use text::FIRST_LINE;
pub(crate) use text::{CONTENT, PART_LINE, Shared, parse_parts, says_the_same};
pub use values::{TextError, VERSION};

use tintype_render::Renderer;

/// Parameters of the scene of a renderer, without drawing, and without the textures of its
/// materials.
#[must_use]
pub fn scene_values(renderer: &Renderer) -> Vec<Subject> {
    stages::subjects(renderer.scene(), renderer.assets(), false)
}

#[cfg(test)]
mod fbx_tests;
#[cfg(test)]
mod tests;
