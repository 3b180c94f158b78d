//! Result of comparing two exports.

use serde::Serialize;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use tintype_compare::character::ModelPair;
use tintype_host::job::discover::DiscoverError;
use tintype_render::asset::FileError;

/// Differences of two exports.
#[derive(Debug, Default, Serialize)]
pub struct ExportDiff {
    /// The models of both sides, by name.
    pub models: Vec<ModelPair>,
    /// Compared files of both sides: models and the clips beside them.
    #[serde(skip)]
    pub files: BTreeSet<PathBuf>,
}

impl ExportDiff {
    /// True if the models of this comparison, or their clips, were read from a file.
    #[must_use]
    pub fn has_file(&self, path: &Path) -> bool {
        self.files.contains(path)
    }

    /// True if all models are the same, or within the tolerance.
    #[must_use]
    pub fn passes(&self) -> bool {
        self.models.iter().all(|model| model.state.passes())
    }
}

/// Error that keeps exports from being compared.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ExportError {
    /// A side cannot be searched.
    #[error(transparent)]
    Discover(DiscoverError),
    /// A side cannot be opened.
    #[error(transparent)]
    File(#[from] FileError),
}

impl ExportError {
    /// True if another attempt can succeed.
    #[must_use]
    pub fn is_temporary(&self) -> bool {
        match self {
            Self::Discover(error) => error.is_temporary(),
            Self::File(error) => error.is_temporary(),
        }
    }
}
