//! MD5 version 10, the text formats of the Doom 3 engine: `.md5mesh`, `.md5anim` and `.md5camera`.
//!
//! Three modules, in the order of the data: `lexer` (lexical rules), `file` (mirrors the file),
//! `build` (checks, and converts to our axes). Nothing here reads a disk, resolves a shader name or
//! samples a clip.
//!
//! # Conventions
//! - **Axes**: the file is right-handed with +Z up; `(x, y, z)` becomes `(x, z, -y)`, a rotation
//!   `R` of -90° about X. Only the model side is rotated: `model_from_joint` is `R` times the
//!   file's, and joint space stays as in the file. Positions of weights are therefore unchanged,
//!   root joints of a clip are rotated by `R`, and all other joints keep the local transform of the
//!   file.
//! - **Front**: +X, in the file and here.
//! - **Winding**: the file's front faces are clockwise; `(a, b, c)` becomes `(a, c, b)`, here and
//!   nowhere later.
//! - **Rotation**: the file omits `w`, which is restored as `-sqrt(max(0, 1 - x² - y² - z²))`.
//! - **Numbers** are read as `f64`, each rounded exactly; `w` is restored and the rotation applied
//!   in `f64`, because near `w = 0` an `f32` loses half of its digits. The model gets the nearest
//!   `f32`.
//!
//! # Determinism
//! Only `+ - * / sqrt` and comparison; sums run in file order.

mod convert;
mod error;
mod file;
mod lexer;

pub use error::Md5Error;

use crate::text::{Lexer, TokenKind};
use crate::{LoadOptions, Loaded};
use lexer::DIALECT;
use tintype_model::{CameraClip, Clip, Model};

/// Reads an `.md5mesh` file into a model with its skeleton in the bind pose.
///
/// A mesh without vertices stays, empty; the biases of a vertex are kept as written. A document
/// repeated in the file, as by an exporter that appends, is read once.
///
/// # Errors
/// [`Md5Error`] with line and column for files of another format, and for exceeded limits. A faulty
/// line, joint or mesh costs only that part, with a warning, unless no mesh is left.
pub fn parse_mesh(bytes: &[u8], options: &LoadOptions) -> Result<Loaded<Model>, Md5Error> {
    let document = file::mesh::read(bytes, options)?;
    convert::mesh::build_model(document, bytes.len(), options)
}

/// Reads an `.md5anim` file into a clip.
///
/// Components stored in the base frame, and any that never change, become tracks of one key; all
/// others use the common key times `k / frameRate`.
///
/// # Errors
/// [`Md5Error`] as for [`parse_mesh`].
pub fn parse_anim(bytes: &[u8], options: &LoadOptions) -> Result<Loaded<Clip>, Md5Error> {
    let document = file::anim::read(bytes, options)?;
    convert::clip::build_clip(document, bytes.len(), options)
}

/// Reads an `.md5camera` file.
///
/// # Errors
/// [`Md5Error`] as for [`parse_mesh`].
pub fn parse_camera(bytes: &[u8], options: &LoadOptions) -> Result<Loaded<CameraClip>, Md5Error> {
    let document = file::camera::read(bytes, options)?;
    convert::camera::build_camera(document)
}

/// True if the first token of a file is `MD5Version`, in any case.
#[must_use]
pub fn looks_like_md5(bytes: &[u8]) -> bool {
    Lexer::new(bytes).next(&DIALECT).is_ok_and(|token| token.is_keyword(file::VERSION_KEYWORD))
}

/// The joint names of an `.md5mesh` or `.md5anim` file, from its head alone: the file may be
/// truncated after them.
///
/// None if the list of joints does not begin and end in these bytes. The rest of the file is
/// ignored.
#[must_use]
pub fn joint_names(head: &[u8]) -> Option<Vec<String>> {
    let mut lexer = Lexer::new(head);
    loop {
        let token = lexer.next(&DIALECT).ok()?;
        match token.kind {
            TokenKind::End => return None,
            _ if token.is_keyword("joints") || token.is_keyword("hierarchy") => break,
            _ => {}
        }
    }
    if lexer.next(&DIALECT).ok()?.kind != TokenKind::Symbol(b'{') {
        return None;
    }
    let mut names = Vec::new();
    loop {
        let token = lexer.next(&DIALECT).ok()?;
        match token.kind {
            TokenKind::End => return None,
            TokenKind::Symbol(b'}') => return Some(names),
            TokenKind::Text => names.push(String::from_utf8_lossy(token.text).into_owned()),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests;
