//! Where the pictures of models go: a folder that mirrors theirs, one file, or standard output.

use super::args::Thumbnail;
use super::models::Found;
use super::report::path_text;
use super::{Failure, counted};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Where pictures go.
pub(super) enum Target {
    Folder(PathBuf),
    File(PathBuf),
    Stdout,
}

impl Target {
    pub fn new(options: &Thumbnail, models: &[Found]) -> Result<Self, Failure> {
        let Some(path) = &options.output else {
            return Ok(Self::Folder(PathBuf::from("thumbnails")));
        };
        let is_stdout = path.as_os_str() == "-";
        let is_png = path.extension().is_some_and(|own| own.eq_ignore_ascii_case("png"));
        let is_one = is_stdout || options.desktop || is_png && !path.is_dir();
        if !is_one {
            return Ok(Self::Folder(path.clone()));
        }
        if models.len() > 1 {
            return Err(Failure::bad_input(format!(
                "--output {} holds one picture, and there are {}; name a folder",
                path.display(),
                counted(models.len(), "model")
            )));
        }
        match (is_stdout, options.gallery) {
            (_, true) => Err(Failure::bad_input("--gallery needs a folder: say --output DIR")),
            (true, _) if options.json => {
                Err(Failure::bad_input("standard output holds the picture or --json, not both"))
            }
            (true, _) => Ok(Self::Stdout),
            (false, _) => Ok(Self::File(path.clone())),
        }
    }

    /// The file of a model's picture, and its name below the folder.
    pub fn file(&self, found: &Found) -> (Option<PathBuf>, String) {
        match self {
            Self::Folder(folder) => {
                let name = format!("{}.png", found.name);
                (Some(folder.join(&name)), name)
            }
            Self::File(path) => {
                let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
                (Some(path.clone()), name)
            }
            Self::Stdout => (None, "-".to_owned()),
        }
    }

    pub fn text(&self) -> Option<String> {
        match self {
            Self::Folder(path) | Self::File(path) => Some(path_text(path)),
            Self::Stdout => None,
        }
    }

    /// The folder of all pictures.
    pub fn folder(&self) -> Option<&Path> {
        match self {
            Self::Folder(path) => Some(path),
            Self::File(_) | Self::Stdout => None,
        }
    }

    /// The folders in which there are pictures of these models.
    pub fn folders(&self, models: &[Found]) -> BTreeSet<PathBuf> {
        let files = models.iter().filter_map(|found| self.file(found).0);
        files.filter_map(|file| file.parent().map(Path::to_owned)).collect()
    }
}
