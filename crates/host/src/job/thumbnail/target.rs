//! Files of the pictures: a folder that mirrors the models' folders, one file, or standard output.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use tintype_framing::ModelFile;

/// Destination of the pictures.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// A folder with one picture for each model.
    Folder(PathBuf),
    /// A file for one model.
    File(PathBuf),
    /// No file: the caller takes the picture of the single model.
    Stdout,
}

impl Target {
    /// The file of a model's picture, and its name below the folder.
    #[must_use]
    pub fn file(&self, model: &ModelFile) -> (Option<PathBuf>, String) {
        match self {
            Self::Folder(folder) => {
                let name = format!("{}.png", model.name);
                (Some(folder.join(&name)), name)
            }
            Self::File(path) => {
                let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
                (Some(path.clone()), name)
            }
            Self::Stdout => (None, "-".to_owned()),
        }
    }

    /// The folder of all pictures.
    #[must_use]
    pub fn folder(&self) -> Option<&Path> {
        match self {
            Self::Folder(path) => Some(path),
            Self::File(_) | Self::Stdout => None,
        }
    }

    /// The folders of the pictures of these models.
    #[must_use]
    pub fn folders(&self, models: &[ModelFile]) -> BTreeSet<PathBuf> {
        let files = models.iter().filter_map(|model| self.file(model).0);
        files.filter_map(|file| file.parent().map(Path::to_owned)).collect()
    }
}
