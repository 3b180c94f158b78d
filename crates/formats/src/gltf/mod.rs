//! glTF 2.0: JSON (`.gltf`) and binary (`.glb`) files.
//!
//! Left to right: `container` (a binary file to JSON and bytes), `parse` (JSON to the mirror in
//! `document`, versions and extensions), `uri` and `buffer` (bytes of buffers), `accessor` (checked
//! numbers), `build` (a model and clips). `path` writes JSON paths, `extension` lists the supported
//! extensions. Nothing here reads a disk: the caller provides the bytes of external files.
//!
//! # Source
//! Khronos, "glTF 2.0 Specification", 2.0.1.

mod accessor;
mod buffer;
mod convert;
mod container;
mod document;
mod draco;
mod error;
mod extension;
mod faults;
mod meshopt;
mod mtoon;
mod number;
mod object;
mod parse;
mod path;
mod uri;
mod vrm;
mod word;

#[cfg(test)]
mod tests;

pub use convert::GltfModel;
pub use error::{GltfError, INSTANCED_CORNERS};

use crate::recognize::describe_foreign;
use crate::{LoadOptions, Loaded};

/// Reads a file into its model and its clips. `fetch` returns the bytes of a file by its path
/// relative to this one's folder, or the reason for failure.
///
/// # Errors
/// [`GltfError`] with the byte or the JSON path of the reason why nothing can be drawn; other
/// faults are warnings.
pub fn parse_model(
    bytes: &[u8],
    fetch: &dyn Fn(&str) -> Result<Vec<u8>, String>,
    options: &LoadOptions,
) -> Result<Loaded<GltfModel>, GltfError> {
    if !looks_like_gltf(bytes) {
        let found = describe_foreign(bytes, "glTF")
            .unwrap_or_else(|| "text that is not a JSON object".into());
        return Err(GltfError::NotGltf { found });
    }
    let faults = faults::RepairLog::default();
    let container = container::split(bytes, &faults)?;
    let document = parse::parse(container.json, &faults)?;
    options.deadline.check("reading buffers")?;
    let buffers = buffer::Buffers::load(&document, &container, fetch, options, &faults)?;
    let file_bytes = bytes.len().saturating_add(buffers.external_bytes());
    let value = convert::build(&document, &buffers, file_bytes, options, &faults)
        .map_err(|error| faults.cause_of(error))?;
    Ok(Loaded { value, warnings: faults.finish() })
}

/// Names of the animations of a file, as from [`parse_model`], from the document alone.
///
/// # Errors
/// [`GltfError`] if the document cannot be read.
pub fn clip_names(bytes: &[u8]) -> Result<Vec<String>, GltfError> {
    let faults = faults::RepairLog::default();
    let container = container::split(bytes, &faults)?;
    Ok(convert::clip_names(&parse::parse(container.json, &faults)?))
}

/// True if a file begins like glTF: with the signature of a binary file, or with a JSON object.
#[must_use]
pub fn looks_like_gltf(bytes: &[u8]) -> bool {
    let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes).trim_ascii_start();
    bytes.starts_with(container::MAGIC) || text.starts_with(b"{")
}
