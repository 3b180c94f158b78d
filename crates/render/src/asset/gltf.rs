//! glTF files with the files of their buffers, which lie beside or below them.

use super::file::{FileRecord, Source};
use std::cell::RefCell;
use std::path::Path;
use tintype_base::diagnostic::chain;
use tintype_formats::gltf::{GltfError, GltfModel, parse_model};
use tintype_formats::{LoadOptions, Loaded};

/// Contents of a glTF file, and the files of its buffers.
pub struct LoadedGltf {
    /// The model, its clips, and messages for their author.
    pub loaded: Loaded<GltfModel>,
    /// The files of its buffers, in the order of the document; each name is that of the document
    /// followed by the URI.
    pub buffers: Vec<FileRecord>,
}

/// Reads the bytes of the glTF file `name` at `path`, with its buffers.
///
/// # Errors
/// [`GltfError`], also for a buffer that cannot be read.
pub fn load_gltf(
    bytes: &[u8],
    path: &Path,
    name: &str,
    options: &LoadOptions,
) -> Result<LoadedGltf, GltfError> {
    let folder = path.parent().unwrap_or(Path::new(""));
    let records: RefCell<Vec<FileRecord>> = RefCell::default();
    let fetch = |uri: &str| {
        let mut source = Source::new(folder, uri, String::new());
        source.name = format!("{name} {uri}");
        let read = source.read(options);
        let (bytes, record) = read.map_err(|error| chain(&error.without_key()))?;
        records.borrow_mut().push(record);
        Ok(bytes)
    };
    let loaded = parse_model(bytes, &fetch, options)?;
    Ok(LoadedGltf { loaded, buffers: records.into_inner() })
}
