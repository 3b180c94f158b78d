//! Skeleton + clip + seconds -> joint matrices.
//!
//! A clip moves joints in the hierarchy of its own file, which need not be that of the mesh. [`bind_clip`] finds once which
//! joint of the clip drives which joint of the skeleton; [`sample_clip`] then makes a [`Pose`](crate::model::Pose) for one moment, and
//! [`blend_poses`] mixes two, [`edit_pose`] moves joints by hand. This module deforms no vertex and knows no instance.

mod binding;
mod blend;
mod edit;
mod sample;

pub use binding::{BindError, Binding, bind_clip};
pub use blend::blend_poses;
pub use edit::{JointChange, edit_pose};
pub use sample::{bind_pose, sample_clip, wrap_time};

#[cfg(test)]
mod tests;
