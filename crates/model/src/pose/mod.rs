//! Skeleton + clip + seconds -> joint matrices.
//!
//! A clip moves joints in the hierarchy of its own file, which need not be that of the mesh. [`bind_clip`] finds once which
//! joint of the clip drives which joint of the skeleton; [`sample_clip`] then makes a [`Pose`](crate::Pose) for one moment, and
//! [`blend_poses`] mixes two, [`edit_pose`] moves joints by hand. [`part_of`] cuts a clip out of a longer one,
//! [`lay_over`] lays mixes of clips over a pose, and [`hold_joint`] holds a model in place. [`constrain`] turns joints after others, and
//! [`play_clip`] lets springs swing. This module deforms no vertex and knows no instance.

mod binding;
mod blend;
mod bone_ratio;
mod carry;
mod constrain;
mod edit;
mod express;
mod human;
mod keyed;
mod layers;
mod part;
mod parts;
mod root;
mod sample;
mod spring;

pub use binding::{BindError, Binding, bind_clip};
pub use blend::blend_poses;
pub use bone_ratio::bone_ratio;
pub use constrain::constrain;
pub use edit::{JointChange, edit_pose};
pub use express::{express, shown_expressions};
pub use layers::{MixedClip, PoseLayer, lay_over};
pub use part::{PartError, part_of};
pub use root::{hold_joint, root_joint};
pub use sample::{bind_pose, bound_pose, play_clip, sample_clip, wrap_time};
pub use spring::swing;

#[cfg(test)]
mod tests;
