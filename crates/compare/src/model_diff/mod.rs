//! Compares two exports of one character: which joints and meshes moved, by how much and when.
//!
//! Input: two models, each with a clip or in its bind pose. Output: a [`ModelDiff`] of plain
//! records, the largest difference first. Nothing is drawn and no file is read. Two models are the
//! same if every joint and every vertex has the same position at every key of the clips, and both
//! have the same triangles, texture coordinates and materials. Reordered vertices and merged
//! duplicates are the same surface. Differences below a few millionths of the model's size are
//! rounding and are ignored.
//!
//! A joint *moved by itself* if its transform relative to its parent changed; descendants that keep
//! their transforms relative to their parents only follow. A vertex *moved by itself* if it would
//! have moved even with the joints unchanged.

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
