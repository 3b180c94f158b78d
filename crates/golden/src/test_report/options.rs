//! Options of a report.

use super::accept_command::AcceptCommand;
use crate::error::GoldenError;
use crate::paths::counterpart;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use tintype_base::diagnostic::chain;
use tintype_formats::LimitName;

/// Contents of a report.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct ReportOptions {
    /// The tested paths, for commands that accept new goldens.
    pub paths: Vec<PathBuf>,
    /// Text in the paths of the tested scenes, if not all of these folders were tested.
    pub filter: Option<String>,
    /// The models of a library, instead of scenes.
    pub models: Vec<PathBuf>,
    /// The golden folder, if it is not beside the scenes.
    pub golden: Option<PathBuf>,
    /// Further options for these commands, as words.
    pub words: Vec<String>,
    /// True if these commands have to accept pictures with stand-ins.
    #[serde(default)]
    pub stand_ins: bool,
    /// The words of these commands. Without it, the report has no commands.
    #[serde(skip)]
    pub spell: Option<fn(&AcceptCommand<'_>) -> String>,
    /// The folder of page and pictures; no pictures without it.
    pub folder: Option<PathBuf>,
    /// True if the goldens come from a revision, which no command changes.
    pub is_of_revision: bool,
    /// The temporary folder of a revision's goldens during the test, and the folder that names
    /// them.
    #[serde(skip)]
    pub revision: Option<[PathBuf; 2]>,
    /// Names that scenes of other shards before this one have.
    pub taken: Vec<String>,
    /// True to measure FLIP and SSIM of different pictures; always on if there is a folder.
    pub measures: bool,
    /// The package and scenes for rotating models of failed goldens in the page. None for a page
    /// without them.
    #[serde(skip)]
    pub interactive: Option<Interactive>,
    /// The end of messages about a limit that a user may raise, in the caller's words.
    #[serde(skip)]
    pub raised: Option<fn(LimitName) -> String>,
}

impl ReportOptions {
    /// The message of a scene that is not drawn.
    pub(super) fn told(&self, error: &GoldenError) -> String {
        let raised = self.raised.zip(error.limit()).map(|(words, limit)| words(limit));
        chain(error) + &raised.unwrap_or_default()
    }

    /// The file of a golden on the disk.
    pub(super) fn on_disk(&self, golden: &Path) -> PathBuf {
        let held = |[held, named]: &[PathBuf; 2]| counterpart(golden, named, held);
        self.revision.as_ref().and_then(held).unwrap_or_else(|| golden.to_path_buf())
    }
}

/// The package that draws in the page, and the scenes as they were.
#[derive(Clone, Debug)]
pub struct Interactive {
    /// The folder of the JavaScript package, with `tintype.wasm`.
    pub package: PathBuf,
    /// The folder with the golden's files at the current paths of the scenes, or the reason why
    /// there is none.
    pub old: Result<PathBuf, String>,
}
