//! File formats: bytes in, [`tintype_model`] out.
//!
//! Every format has three modules: the lexer knows tokens and their positions, the file module
//! mirrors the file without judgement, and the build module checks it and converts it to our axes.
//! The text formats share the scanners of `text`. Nothing here opens a file: `asset` does, and
//! prefixes the messages of this crate with the path.
//!
//! An internal crate of `tintype`. Its interface may change in any version; depend on `tintype`,
//! which re-exports the stable parts.

#![cfg_attr(
    test,
    allow(
        clippy::cast_possible_truncation,
        clippy::cast_possible_wrap,
        clippy::cast_precision_loss,
        clippy::cast_sign_loss,
        reason = "tests make numbers of known size"
    )
)]

pub mod archive;
pub mod b3d;
pub mod fbx;
pub mod gltf;
pub mod image;
pub mod iqm;
pub mod md5;
pub mod mtr;
pub mod obj;
pub mod ply;
pub mod quake;
pub mod stl;
pub mod three_ds;
pub mod x;
mod corner_mesh;
mod files;
mod guarded;
mod limit;
mod load_options;
mod names;
mod node_model;
mod polygon;
mod recognize;
mod records;
mod shade;
mod model_format_error;
mod stated;
mod told;
mod text;

pub use files::{Files, MemoryFiles, Resolver};
pub use guarded::is_guarded;
pub use limit::{LimitError, LimitExceeded, LimitName, LimitSetting, Limits};
pub use load_options::{FileScene, LoadOptions};
pub use model_format_error::{FilePlace, ModelFormatError};
pub use recognize::describe_foreign;
pub use stated::{decide_plain_rate, decide_rate};
pub use text::{SourcePosition, decode_text};

use tintype_model::Warning;

/// A value read from a file, and messages for its author.
#[derive(Clone, Debug, PartialEq)]
pub struct Loaded<T> {
    /// The contents.
    pub value: T,
    /// In file order where they have a line.
    pub warnings: Vec<Warning>,
}
