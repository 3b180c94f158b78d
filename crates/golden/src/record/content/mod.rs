//! Content of the models and clips behind a frame: enough about each joint, key, vertex and
//! triangle to name the one that changed.
//!
//! A frame shows one time of a clip and one side of a mesh. The content covers the whole files, in
//! the terms of [`tintype_model`], so that it is the same for every format and every spelling of a
//! file. [`findings()`] compares two states.

mod of_scene;
mod clip_findings;
mod file_keys;
mod findings;
mod finding;
mod list_findings;
mod mesh_finding;
mod offset_findings;
mod order_findings;
mod weight_findings;
mod mesh_findings;
mod model_content;
mod motion;
mod numbering;
mod pairs;
mod pose_number;
mod skeleton_findings;
mod sums;
mod text;
mod unit;

pub(super) use finding::Rank;
pub(super) use findings::findings;
pub use model_content::{
    ClipContent, JointContent, MeshContent, MeshJoint, MeshLists, ModelContent, TrackContent,
};
pub(crate) use motion::{is_same_motion, motion_of};
pub(super) use of_scene::contents;
pub(super) use pairs::Pairs;
pub(crate) use pose_number::PoseNumber;
pub use sums::Sums;
pub(super) use text::{content_texts, parse_contents};
