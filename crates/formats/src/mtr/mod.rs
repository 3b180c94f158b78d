//! Doom 3 material files (`.mtr`): the materials of the shader names of models.
//!
//! Input: the bytes of a file. Output: its materials, each with the pictures that it is made of as paths and image programs.
//! Four modules: `lexer` (tokens and positions), `file` with `body`, `expression` and `program` (mirror the file), `build` (decides
//! what a picture is made of), `evaluate` (image programs to pictures). Nothing here opens a file or knows where pictures are.
//!
//! # Conventions
//! - **Names** and keywords may have any case of letters; `\` and `/` mean the same. Names are kept as written.
//! - **Time** is that of the scene: what follows from it is kept as a formula. Everything else that only a game knows has one
//!   value, told in a [`Note`].
//! - **Faces**: a material that says nothing of its sides leaves them to the mesh, as everywhere; `twosided` and `backsided`
//!   are obeyed.
//!
//! # What is not done
//! Cube maps, films, mirrors, generated texture coordinates, layers that move over other layers, fog, decals, guis and particles. A
//! material that asks for one of the first five is drawn without it, with a warning.

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
/// [`MtrError`] for limits; a material whose block makes no sense has its own by [`MtrMaterial::look`].
pub fn parse_materials(bytes: &[u8], options: &LoadOptions) -> Result<Loaded<MtrFile>, MtrError> {
    file::read(bytes, options)
}

#[cfg(test)]
mod tests;
