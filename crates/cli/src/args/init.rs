//! Options of `tintype init`.

use clap::{Args, ValueEnum};
use std::path::PathBuf;

pub(super) const EXAMPLES: &str = "\
Examples:
  tintype init                       a scene for each model here, and goldens
  tintype init chars --ci github     for these models, with a workflow
  tintype init --ci gitlab --hook    with a pre-commit hook

This writes scenes/NAME.toml for each model, draws its goldens, and writes .gitattributes and .gitignore. Existing files are kept, and lines that they lack are reported. If CI is set, no goldens are drawn.

Exit codes: 0 success; 2 bad usage, or no readable model; 3 a picture was not accepted as a golden, or --strict found a warning.";

/// `init`
#[derive(Clone, Debug, Args)]
pub(crate) struct Init {
    /// Models, and folders to search; hidden subfolders are skipped
    #[arg(value_name = "MODEL|DIR", default_value = ".")]
    pub paths: Vec<PathBuf>,
    /// Write a CI workflow that tests the goldens
    #[arg(long, value_enum, value_name = "SERVICE")]
    pub ci: Option<Service>,
    /// Write a git hook that tests the goldens before each commit
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
