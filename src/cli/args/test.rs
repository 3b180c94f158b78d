//! Options of `tintype test`.

use clap::Args;
use std::path::PathBuf;

pub(super) const EXAMPLES: &str = "\
Examples:
  tintype test                                all scenes below scenes/
  tintype test scenes/walk.toml --fail-fast
  tintype test --list                         list expected goldens
  tintype test --report out/report --junit out/junit.xml

A scene lists its golden frames: [golden] frames = \"0,12,24\", size = [160, 120]. Goldens of scenes/walk.toml are in golden/walk/; tintype bless makes them.

Exit codes: 0 all goldens match; 1 some differ, are missing or belong to no scene; 2 bad input; 3 nothing is seen in a picture, or --strict found a warning.";

/// `test`
#[derive(Clone, Debug, Args)]
pub(crate) struct Test {
    /// Scenes, or folders of scenes
    #[arg(value_name = "SCENE|DIR", default_value = "scenes")]
    pub paths: Vec<PathBuf>,
    /// Golden folder, if it is not beside the scenes
    #[arg(long, value_name = "DIR")]
    pub golden: Option<PathBuf>,
    /// Test only goldens whose path, or whose scene's path, contains this text
    #[arg(long, value_name = "TEXT")]
    pub filter: Option<String>,
    /// Start no further comparison after the first failure
    #[arg(long)]
    pub fail_fast: bool,
    /// List the expected goldens without comparing them
    #[arg(long)]
    pub list: bool,
    /// Write golden, new and difference pictures of failures into this folder
    #[arg(long, value_name = "DIR")]
    pub pictures: Option<PathBuf>,
    /// Write a page that compares the pictures into this folder, as index.html
    #[arg(long, value_name = "DIR")]
    pub report: Option<PathBuf>,
    /// Write the results as JUnit XML; - is standard output
    #[arg(long, value_name = "FILE")]
    pub junit: Option<PathBuf>,
    /// Write the results as JSON; - is standard output
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
}
