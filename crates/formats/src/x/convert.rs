//! Build step: the object tree of a file -> a [`Model`](tintype_model::Model) and its clips, in our
//! axes.
//!
//! Input: a [`Document`](super::tree::Document). Output: an [`XModel`]. `frame` makes the skeleton;
//! `mesh` the meshes, with `attribute`, `vertex`, `polygon`, `patch` and `skin`; `material` and
//! `effect` the materials; `animation` the clips, with `motion`, `key` and `ticks`. `values` reads
//! numbers. The encoding of the file is not known here.
//!
//! # Conventions
//! - **Axes**: the file is left-handed with +Y up; `(x, y, z)` becomes `(x, y, -z)`. With `F` for
//!   that change, a transform `A` of the file becomes `F A F`, so that every space of the file has
//!   its counterpart here.
//! - **Matrices**: sixteen numbers, row by row, for row vectors, the translation in the last row.
//!   Read as columns they are our matrices.
//! - **Winding**: front faces are clockwise in the file. The order of corners is reversed here
//!   once, even where a matrix mirrors.
//! - **Rotation**: a key stores `w, x, y, z` of the inverse of the rotation in the file's matrices.
//!   The conjugate is the rotation in the file's axes, and `(x, y, -z, w)` the rotation in ours.
//! - **Skin**: `offset` transforms a vertex of the mesh to joint space. The frame that contains the
//!   mesh moves it only if it has no weights.
//! - **Colour**: materials and vertex colours are treated as sRGB, like textures: the original
//!   pipeline computed with encoded values. Alpha is linear.
//! - **Front**: -Z of the file, which is +Z here.

mod animation;
mod assemble;
mod attribute;
mod axes;
mod effect;
mod frame;
mod key;
mod material;
mod mesh;
mod motion;
mod notes;
mod part;
mod patch;
mod polygon;
mod skin;
mod ticks;
mod values;
mod vertex;

#[cfg(test)]
mod tests;

pub use assemble::XModel;
pub(super) use assemble::build;
pub use ticks::TickRate;
