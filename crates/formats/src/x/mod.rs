//! DirectX `.x`, versions 3.2 and 3.3: text, binary, and both compressed.
//!
//! Left to right: `header` (recognizes the kind of file), `inflate` (decompresses bytes), `text`
//! and `binary` (tokens and their positions, behind the common interface of `token`), `reader`
//! (tokens to the object tree of [`tree`]). `template` contains the object layouts declared in a
//! file. `build` converts the tree to models and clips. Nothing here reads a disk; up to the tree,
//! nothing interprets meshes or follows references.
//!
//! # Conventions
//! - Up to the tree nothing is converted: axes, units, winding and quaternion order are those of
//!   the file.
//! - **Separators**: any run of `;` and `,` counts as one, and none is needed where blanks separate
//!   two values.
//! - **Comments**: `//` and, where a token could begin, `#`, to the end of the line.
//! - **Numbers** are read as `f64`, each rounded exactly.
//!
//! # Determinism
//! The tree depends only on the bytes and the limits.

mod binary;
mod convert;
mod encoding;
mod error;
mod guid;
mod inflate;
mod mend;
mod position_list;
mod reader;
mod shape;
mod standard;
mod template;
mod template_reader;
mod text;
mod token;
mod unmatched;
pub mod tree;
mod header;

pub use convert::{TickRate, XModel};
pub use encoding::Encoding;
pub use error::XError;
pub use guid::Guid;
pub use template::{Dimension, Member, MemberKind, Openness, Template};
pub use tree::{Child, Document, Object, ObjectIndex, Reference, TextIndex, Value};

use crate::{LoadOptions, Loaded};

/// Reads a file of any encoding into its object tree.
///
/// Missing braces at the end, extra braces at the top level, words that are neither value nor
/// object, and lists that do not match their counts are reported in [`Document::warnings`].
///
/// # Errors
/// [`XError`] with its position if nothing could be read, and for exceeded limits.
pub fn read_document(bytes: &[u8], options: &LoadOptions) -> Result<Document, XError> {
    reader::read(bytes, options)
}

/// Reads a file of any encoding into its model and its clips; `ticks_per_second` replaces the tick
/// rate of the file.
///
/// # Errors
/// [`XError`] as for [`read_document`].
pub fn parse_model(
    bytes: &[u8],
    ticks_per_second: Option<f64>,
    options: &LoadOptions,
) -> Result<Loaded<XModel>, XError> {
    convert::build(read_document(bytes, options)?, ticks_per_second, options)
}

/// True if a file begins with `xof `, the signature of all `.x` files, optionally after a UTF-8
/// byte order mark and blanks.
#[must_use]
pub fn looks_like_x(bytes: &[u8]) -> bool {
    header::mark(bytes).is_some()
}

#[cfg(test)]
mod tests;
