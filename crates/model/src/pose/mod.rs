//! Animation: skeleton + clip + seconds -> joint matrices.
//!
//! A clip moves joints in the hierarchy of its file, which may differ from that of the mesh.
//! [`bind_clip`] matches the joints of a clip to those of the skeleton once; [`sample_clip`] then
//! makes a [`Pose`](crate::Pose) for a time, [`blend_poses`] mixes two poses, and [`edit_pose`]
//! moves joints by hand. [`part_of`] cuts a clip out of a longer one, [`lay_over`] layers mixes of
//! clips over a pose, and [`hold_joint`] holds a model in place. [`constrain()`] makes joints
//! follow others, and [`play_clip`] simulates springs. This module deforms no vertex and knows no
//! instance.

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
