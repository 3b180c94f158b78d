//! Doom 3 material files (`.mtr`): the materials of the shader names of models.
//!
//! Input: the bytes of a file. Output: its materials, each with the pictures that it is made of as paths and image programs.
//! Four modules: `lexer` (tokens and positions), `file` with `body`, `expression` and `program` (mirror the file), `build` (decides
//! what a picture is made of), `evaluate` (image programs to pictures). Nothing here opens a file or knows where pictures are.
//!
//! # Conventions
//! - **Names** and keywords may have any case of letters; `\` and `/` mean the same. Names are kept as written.
//! - **Time** and everything else that only a game knows has one value, told in a [`Note`].
//! - **Faces**: a material that says nothing of its sides leaves them to the mesh, as everywhere; `twosided` and `backsided`
//!   are obeyed.
//!
//! # What is not done
//! Several layers on one surface, cube maps, films, mirrors, generated and moving texture coordinates, fog, decals, guis and
//! particles. A material that asks for one of the first five is drawn without it, with a warning.

mod body;
mod convert;
mod error;
mod evaluate;
mod expression;
mod file;
mod keyword;
mod lexer;
mod material;
mod program;

pub use crate::text::SourcePosition;
pub use error::MtrError;
pub use evaluate::evaluate;
pub use material::{MtrCover, MtrLayer, MtrLook, MtrMaterial, Note};
pub use program::{Change, ImageProgram, builtin_image};

use crate::{LoadOptions, Loaded};

/// Reads a `.mtr` file into its materials, in file order. A name may occur several times.
///
/// # Errors
/// [`MtrError`] for limits; a material whose block makes no sense has its own in [`MtrMaterial::look`].
pub fn parse_materials(
    bytes: &[u8],
    options: &LoadOptions,
) -> Result<Loaded<Vec<MtrMaterial>>, MtrError> {
    file::read(bytes, options)
}

#[cfg(test)]
mod tests;
