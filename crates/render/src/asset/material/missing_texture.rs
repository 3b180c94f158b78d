//! Textures that no file has the name of.

use std::path::PathBuf;

/// A texture that is not found, for the warning after the last mesh of its model.
pub(super) struct MissingTexture {
    /// The name as the file writes it.
    pub(super) texture: String,
    /// Shaders of which it is the diffuse texture, in order.
    pub(super) shaders: Vec<String>,
    pub(super) model: PathBuf,
    pub(super) tried: Vec<String>,
    pub(super) searched: Vec<PathBuf>,
}
