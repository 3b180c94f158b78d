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

mod asset_record;
mod cause;
mod digest;
mod frame_record;
mod position_sums;
mod stages;
mod hidden;
mod text;

pub use asset_record::{AssetRecord, asset_records, changed};
pub use cause::{Cause, Stage, find_cause};
pub use frame_record::FrameRecord;
pub use hidden::find_hidden;
pub use position_sums::{Moved, PositionSums};
pub use stages::{
    InstanceRecord, JointRecord, MOST_INSTANCES, MOST_JOINTS, MeshRecord, Subject, VisibilityRecord,
};
pub use text::{FIRST_LINE, TextError, VERSION};

#[cfg(test)]
mod tests;
