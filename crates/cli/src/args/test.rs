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

  tintype test --patch accept.patch           git apply accept.patch accepts
  tintype test --models 'chars/**/*'          every model with each clip
  tintype test --summary summary.md --report out/report
  tintype test --serve                        a page whose buttons accept
  tintype test --last-failed                  again what failed in the last test
  tintype test --only-changed                 scenes whose files git tells
  tintype test --shard 2/5 --report shards/2  the second of five machines
  git bisect run tintype test scenes/walk.toml --bisect

A scene lists its golden frames: [golden] frames = \"0,12,24\", size = [160, 120]. Goldens of scenes/walk.toml are in golden/walk/; tintype bless makes them.

Exit codes: 0 all goldens match; 1 some differ, are missing or belong to no scene; 2 bad input; 3 nothing is seen in a picture, or --strict found a warning; with --bisect 125 in place of 2, 3 and 75.";

/// `test`
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct Test {
    /// Scenes, folders of scenes, or goldens by their paths, as for bless
    #[arg(value_name = "SCENE|DIR|GOLDEN", default_value = "scenes")]
    pub paths: Vec<PathBuf>,
    #[command(flatten)]
    pub library: LibraryModels,
    /// Golden folder, if it is not beside the scenes
    #[arg(long, value_name = "DIR")]
    pub golden: Option<PathBuf>,
    /// Test only goldens whose path, or whose scene's path, contains this text
    #[arg(long, value_name = "TEXT", value_parser = PathText)]
    pub filter: Option<String>,
    /// Test only what failed in the last test of this folder, which git keeps for the checkout
    #[arg(long, conflicts_with_all = ["against", "shard", "bisect"])]
    pub last_failed: bool,
    /// Test only scenes and models of which a file, or a golden, differs from a git revision, from the merge base with it as in main..., or, without one, from HEAD; files that git ignores do not count
    #[arg(long, value_name = "REVISION", num_args = 0..=1, require_equals = true, default_missing_value = "HEAD", conflicts_with_all = ["shard", "bisect"])]
    pub only_changed: Option<String>,
    /// Start no further comparison after the first failure
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
    /// Carry scenes and models of failed goldens in the page of --report, at most 4 MiB for each, so that it turns them, new beside old; the folder is that of the JavaScript package: node_modules/tintype after npm install tintype, or bindings/npm of the sources after its build. Old models are those of --against
    #[arg(long, value_name = "PACKAGE", requires = "report", conflicts_with = "shard")]
    pub interactive: Option<PathBuf>,
    /// Test only the scenes of shard I of N, such as 2/5; tintype report merge joins the reports of all
    #[arg(long, value_name = "I/N")]
    pub shard: Option<String>,
    /// Write what bless would do about the failures as a patch for git apply; - is standard output
    #[arg(long, value_name = "FILE", conflicts_with = "against")]
    pub patch: Option<PathBuf>,
    /// The day by which known changes end, such as 2026-12-31; by default today in UTC
    #[arg(long, value_name = "DAY")]
    pub today: Option<String>,
    /// Compare with the goldens of a git revision, of the merge base with it as in main..., or of another checkout: those in DIR/golden
    #[arg(long, value_name = "REVISION[...]|DIR", conflicts_with = "golden")]
    pub against: Option<PathBuf>,
    /// Temporary folder with the goldens of the revision in `against`, and the folder that names them
    #[arg(skip)]
    pub of_revision: Option<[PathBuf; 2]>,
    /// The pin of the project that this program does not meet
    #[arg(skip)]
    pub other_program: Option<String>,
    /// Serve the page on this machine alone, with buttons that accept, until Ctrl-C; refused if CI is set
    #[arg(long, conflicts_with_all = ["against", "bisect", "list", "models", "shard"])]
    pub serve: bool,
    /// Exit as git bisect run expects: 1 if a golden differs, 125 if nothing can be said of this revision
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
