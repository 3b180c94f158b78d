//! Options of `tintype test`.

use super::library::LibraryModels;
use super::report::ReportFiles;
use super::value::PathText;
use clap::Args;
use std::path::{Path, PathBuf};

pub(super) const EXAMPLES: &str = "\
Examples:
  tintype test                                all scenes below scenes/
  tintype test scenes/walk.toml --fail-fast
  tintype test --list                         list expected goldens
  tintype test --report out/report --junit out/junit.xml

  tintype test --patch accept.patch           accept with git apply
  tintype test --models 'chars/**/*'          every model with each clip
  tintype test --summary summary.md --report out/report
  tintype test --serve                        a page with accept buttons
  tintype test --last-failed                  only what failed last time
  tintype test --only-changed                 scenes changed in git
  tintype test --shard 2/5 --report shards/2  the second of five machines
  git bisect run tintype test scenes/walk.toml --bisect

A scene lists its golden frames: [golden] frames = \"0,12,24\", size = [160, 120]. Goldens of scenes/walk.toml are in golden/walk/; tintype bless writes them.

Exit codes: 0 all goldens match; 1 some differ, are missing or belong to no scene; 2 bad input; 3 a picture is empty, or --strict found a warning; with --bisect, 125 in place of 2, 3 and 75.";

/// `test`
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct Test {
    /// Scenes, folders of scenes, or paths of goldens
    #[arg(value_name = "SCENE|DIR|GOLDEN", default_value = "scenes")]
    pub paths: Vec<PathBuf>,
    #[command(flatten)]
    pub library: LibraryModels,
    /// Golden folder, if it is not beside the scenes
    #[arg(long, value_name = "DIR")]
    pub golden: Option<PathBuf>,
    /// Test only goldens with this text in their path or their scene's path
    #[arg(long, value_name = "TEXT", value_parser = PathText)]
    pub filter: Option<String>,
    /// Test only what failed in the last test of this checkout
    #[arg(long, conflicts_with_all = ["against", "shard", "bisect"])]
    pub last_failed: bool,
    /// Test only scenes and models with a file or golden that differs from a git revision, from the merge base with it (main...), or by default from HEAD; files that git ignores do not count
    #[arg(long, value_name = "REVISION", num_args = 0..=1, require_equals = true, default_missing_value = "HEAD", conflicts_with_all = ["shard", "bisect"])]
    pub only_changed: Option<String>,
    /// Stop after the first failure
    #[arg(long)]
    pub fail_fast: bool,
    /// List the expected goldens without comparing them
    #[arg(long)]
    pub list: bool,
    /// Write golden, new and difference pictures of failures into this folder
    #[arg(long, value_name = "DIR")]
    pub pictures: Option<PathBuf>,
    #[command(flatten)]
    pub files: ReportFiles,
    /// Embed failed scenes and models in the --report page, up to 4 MiB each, in a viewer that shows new beside old (the old ones come from --against); PACKAGE is the JavaScript package: node_modules/tintype after npm install tintype, or bindings/npm of the sources after its build
    #[arg(long, value_name = "PACKAGE", requires = "report", conflicts_with = "shard")]
    pub interactive: Option<PathBuf>,
    /// Test only the scenes of shard I of N, such as 2/5; tintype report merge merges the reports
    #[arg(long, value_name = "I/N")]
    pub shard: Option<String>,
    /// Write a patch for git apply that accepts the failures as bless would; - is standard output
    #[arg(long, value_name = "FILE", conflicts_with = "against")]
    pub patch: Option<PathBuf>,
    /// Date that decides whether known changes have expired, such as 2026-12-31 [default: today in UTC]
    #[arg(long, value_name = "DAY")]
    pub today: Option<String>,
    /// Compare with the goldens of a git revision, of the merge base with it (main...), or of another checkout (DIR/golden)
    #[arg(long, value_name = "REVISION[...]|DIR", conflicts_with = "golden")]
    pub against: Option<PathBuf>,
    /// Temporary folder with the goldens of the revision in `against`, and the folder that names them
    #[arg(skip)]
    pub of_revision: Option<[PathBuf; 2]>,
    /// The pin of the project that this program does not meet
    #[arg(skip)]
    pub other_program: Option<String>,
    /// Serve the page with accept buttons, to this machine only, until Ctrl-C; refused if CI is set
    #[arg(long, conflicts_with_all = ["against", "bisect", "list", "models", "shard"])]
    pub serve: bool,
    /// Exit as git bisect run expects: 1 if a golden differs, 125 if this revision cannot be tested
    #[arg(long)]
    pub bisect: bool,
}

impl Test {
    /// The golden folder, if it is not beside the scenes.
    pub(crate) fn golden_folder(&self) -> Option<PathBuf> {
        let own = self.golden.as_deref().unwrap_or(Path::new("golden"));
        if let Some([folder, _]) = &self.of_revision {
            return Some(folder.clone());
        }
        match &self.against {
            Some(folder) if folder.join(own).is_dir() => Some(folder.join(own)),
            Some(folder) => Some(folder.clone()),
            None => self.golden.clone(),
        }
    }
}
