//! Errors of writing the folder of a report.

use std::path::PathBuf;
use thiserror::Error;
use tintype_base::path::ShowPath;
use tintype_host::OutputError;
use tintype_render::asset::FileError;

/// Error of writing the folder of a report.
#[derive(Debug, Error)]
pub enum ReportError {
    /// `index.html` is not a page of this program.
    #[error("{} is not a tintype page and would be overwritten: name another folder", path.shown())]
    ForeignPage {
        /// The page.
        path: PathBuf,
    },
    /// The JavaScript package is incomplete.
    #[error(
        "{} is missing: name the folder of the JavaScript package, such as node_modules/tintype after `npm install tintype`, or bindings/npm after its build",
        path.shown()
    )]
    NoPackage {
        /// The file.
        path: PathBuf,
    },
    /// A file of an earlier report cannot be removed.
    #[error("cannot remove {}: {message}", path.shown())]
    Remove {
        /// The file.
        path: PathBuf,
        /// Reason of the system.
        message: String,
    },
    /// A file cannot be read.
    #[error(transparent)]
    File(#[from] FileError),
    /// A file cannot be written.
    #[error(transparent)]
    Output(#[from] OutputError),
}

impl ReportError {
    /// True if another attempt can succeed.
    #[must_use]
    pub fn is_temporary(&self) -> bool {
        match self {
            Self::ForeignPage { .. } | Self::Remove { .. } | Self::NoPackage { .. } => false,
            Self::File(error) => error.is_temporary(),
            Self::Output(error) => error.is_temporary(),
        }
    }
}
