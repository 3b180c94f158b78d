//! Wavefront OBJ (`.obj`) with its material files (`.mtl`): models without joints and clips.
//!
//! `statement` splits a text into statements, `file` mirrors an OBJ file, `mtl` reads materials,
//! `convert` makes the model, `sequence` makes one model from numbered files. Nothing here reads a
//! disk: the caller provides the bytes of material files.
//!
//! # Conventions
//! - **Axes** are ours: right-handed, +Y up. The format defines none; +Z is assumed as the front.
//! - **Winding**: front faces are counter-clockwise. Texture coordinates have their origin in the
//!   lower left corner.
//!
//! # Source
//! Wavefront Technologies, "Advanced Visualizer Manual", appendix B1, "Object Files", and "MTL
//! material format".

mod convert;
mod file;
mod mtl;
mod sequence;
mod statement;

#[cfg(test)]
mod tests;

pub use file::OWN_LIBRARY;
pub use sequence::{FILES_PER_SECOND, is_joined, join_files, parse_files};

use super::{LoadOptions, Loaded, ModelFormatError};
use crate::text::as_utf8;
use tintype_model::Model;

/// Reads a file into its model. `fetch` returns the bytes of a material file by its path as
/// written, or by [`OWN_LIBRARY`], or the reason for failure.
///
/// # Errors
/// [`ModelFormatError`] for a text that is not OBJ, and for exceeded limits; other faults cost only
/// their part, with a warning.
pub fn parse_model(
    bytes: &[u8],
    fetch: &dyn Fn(&str) -> Result<Vec<u8>, String>,
    options: &LoadOptions,
) -> Result<Loaded<Model>, ModelFormatError> {
    let mut warnings = Vec::new();
    let bytes = &as_utf8(bytes);
    let file = file::read(bytes, options, &mut warnings)?;
    let materials = mtl::read_all(&file, fetch, &mut warnings)?;
    let model = convert::build(&file, materials, options, &mut warnings)?;
    Ok(Loaded { value: model, warnings })
}

/// True if a text looks like an OBJ file, which has no signature: most of its first statements use
/// words of the format, and one of them is a vertex or names a material file.
#[must_use]
pub fn looks_like_obj(bytes: &[u8]) -> bool {
    const SEEN: usize = 1 << 16;
    let head = bytes.get(..SEEN).unwrap_or(bytes);
    let head = as_utf8(head);
    let (mut is_certain, mut known, mut unknown) = (false, 0, 0);
    let mut statements = statement::Statements::new(&head).take(64).peekable();
    while let Some(statement) = statements.next() {
        // The last statement may be cut off.
        let is_last = statements.peek().is_none() && !head.ends_with(b"\n");
        if file::is_keyword(statement.word) {
            known += 1;
        } else {
            unknown += usize::from(!is_last);
        }
        let rest = statement.words().collect::<Vec<_>>();
        is_certain |=
            statement.word == b"v" && rest.len() >= 3 && statement.real(rest[0], "").is_ok()
                || statement.word == b"mtllib";
    }
    is_certain && known > unknown
}
