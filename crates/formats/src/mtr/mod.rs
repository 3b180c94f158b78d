//! Doom 3 material files (`.mtr`): the materials behind the shader names of models.
//!
//! Input: the bytes of a file. Output: its materials, each with its pictures as paths and image
//! programs. Modules: `lexer` (tokens and positions), `file` with `body`, `expression` and
//! `program` (mirror the file), `build` (resolves the parts of a picture), `evaluate` (image
//! programs to pictures). Nothing here opens a file or knows where pictures are.
//!
//! # Conventions
//! - **Names** and keywords are case-insensitive; `\` and `/` mean the same. Names are kept as
//!   written.
//! - **Time** is the time of the scene: values that depend on it are kept as formulas. Everything
//!   else that only a game knows has one fixed value, reported in a [`Note`].
//! - **Faces**: a material that does not state its sides leaves the choice to the mesh, as
//!   everywhere; `twosided` and `backsided` are obeyed.
//!
//! # What is not done
//! Not supported: cube maps, videos, mirrors, generated texture coordinates, layers that move over
//! other layers, fog, decals, GUIs and particles. A material that uses one of the first five is
//! drawn without it, with a warning.

mod body;
mod convert;
mod declared;
mod error;
mod evaluate;
mod expression;
mod file;
mod keyword;
mod lexer;
mod material;
mod program;

pub use crate::text::SourcePosition;
pub use declared::{MtrFile, MtrMaterial};
pub use error::MtrError;
pub use evaluate::evaluate;
pub use material::{MtrCover, MtrLayer, MtrLook, Note};
pub use program::{Change, ImageProgram, builtin_image};

use crate::{LoadOptions, Loaded};

/// Reads a `.mtr` file into its materials and tables.
///
/// # Errors
/// [`MtrError`] for exceeded limits; an invalid block is reported by [`MtrMaterial::look`] of its
/// material.
pub fn parse_materials(bytes: &[u8], options: &LoadOptions) -> Result<Loaded<MtrFile>, MtrError> {
    file::read(bytes, options)
}

#[cfg(test)]
mod tests;
