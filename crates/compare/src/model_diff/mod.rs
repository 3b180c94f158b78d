//! Compares two exports of one character: joints and meshes that moved, by how much and when.
//!
//! Input: two models, each with a clip or in its bind pose. Output: a [`ModelDiff`] of plain records, the worst first. No picture is
//! drawn and no file is read. Two models are the same here if every joint has the same position at every key of the clips,
//! every vertex too, and both have the same triangles, texture coordinates and materials. Vertices in another order, and equal ones that were merged,
//! are the same surface. Below a few millionths of the model's size there is no difference, as that is the rounding of numbers.
//!
//! A joint *moved by itself* if its transform relative to its parent changed; descendants that are unchanged relative to their
//! parents only follow. A vertex *moved by itself* if it would also have moved had the joints stayed.

mod compare;
pub mod course;
mod joint;
mod morph;
mod difference;
mod findings;
mod order;
mod parts;
mod scale;
mod side;
mod skin;
mod structure;
mod weights;

pub use compare::compare;
pub use difference::ModelDiff;
pub use joint::JointDiff;
pub use order::grid_step;
pub use side::Side;
pub use skin::{MeshDiff, VertexDiff};
pub use structure::least_first;

#[cfg(test)]
mod tests;
