//! A file that cannot be opened, with the name that may have been meant.

use super::input::names_in;
use std::fmt;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use tintype_base::disk;
use tintype_base::path::ShowPath;
use tintype_base::suggest::nearest_file_name;
use tintype_formats::Files;

/// A file named by a caller that cannot be opened, with the reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileError {
    path: PathBuf,
    message: String,
    /// A file of the same folder with a similar name.
    nearest: Option<PathBuf>,
    is_temporary: bool,
    io_kind: ErrorKind,
}

impl FileError {
    /// Searches the folder of `path` for a similar name.
    #[must_use]
    pub fn new(path: &Path, error: &std::io::Error) -> Self {
        Self {
            path: path.to_owned(),
            message: match error.kind() {
                ErrorKind::NotFound => "no such file".to_owned(),
                _ => error.to_string(),
            },
            nearest: nearest_file(path),
            is_temporary: disk::is_temporary(error),
            io_kind: error.kind(),
        }
    }

    /// The same if a folder is accepted too.
    #[must_use]
    pub fn of_file_or_folder(path: &Path, error: &std::io::Error) -> Self {
        let mut own = Self::new(path, error);
        if error.kind() == ErrorKind::NotFound {
            own.message = "no such file or folder".to_owned();
        }
        own
    }

    /// The answer of the system.
    #[must_use]
    pub fn io_kind(&self) -> ErrorKind {
        self.io_kind
    }

    /// True if another attempt can succeed, because the disk failed rather than the name.
    #[must_use]
    pub fn is_temporary(&self) -> bool {
        self.is_temporary
    }
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { path, message, nearest, .. } = self;
        write!(f, "{}: {message}", path.shown())?;
        match nearest {
            Some(name) => write!(f, "; did you mean {}?", name.shown()),
            None => Ok(()),
        }
    }
}

impl std::error::Error for FileError {}

/// The file of the same folder with the most similar name.
#[must_use]
pub fn nearest_file(path: &Path) -> Option<PathBuf> {
    let found = names_in(&Files::Disk, path.parent()?).ok()?;
    let mut names: Vec<String> =
        found.into_iter().filter_map(|name| name.into_string().ok()).collect();
    names.sort_unstable();
    let wanted = path.file_name()?.to_string_lossy();
    let nearest = nearest_file_name(&wanted, names.iter().map(String::as_str))?;
    (nearest != wanted).then(|| path.with_file_name(nearest))
}
