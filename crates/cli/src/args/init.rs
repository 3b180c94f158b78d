//! Options of `tintype init`.

use clap::{Args, ValueEnum};
use std::path::PathBuf;

pub(super) const EXAMPLES: &str = "\
Examples:
  tintype init                       a scene for each model below, and goldens
  tintype init chars --ci github     of these models, with a workflow
  tintype init --ci gitlab --hook    and a pre-commit hook

It writes scenes/NAME.toml for each model, draws golden pictures of them, and writes .gitattributes and .gitignore. A file that is there stays as it is, and what it lacks is said. If CI is set no golden is drawn.

Exit codes: 0 success; 2 bad usage, no model, or none that can be read; 3 a picture was not accepted as golden, or --strict found a warning.";

/// `init`
#[derive(Clone, Debug, Args)]
pub(crate) struct Init {
    /// Models, and folders that are searched with all subfolders but hidden ones
    #[arg(value_name = "MODEL|DIR", default_value = ".")]
    pub paths: Vec<PathBuf>,
    /// Write the file of a build server that tests the goldens
    #[arg(long, value_enum, value_name = "SERVICE")]
    pub ci: Option<Service>,
    /// Write a hook of git that tests the goldens before each commit
    #[arg(long)]
    pub hook: bool,
    /// The golden folder of the settings of the project
    #[arg(skip)]
    pub golden: Option<PathBuf>,
}

/// A service that builds what is pushed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Service {
    /// .github/workflows/tintype.yml
    Github,
    /// .gitlab-ci.yml
    Gitlab,
}
