//! Options of `tintype report`, and of the files that hold the results of a test.

use clap::{Args, Subcommand};
use std::path::PathBuf;

pub(super) const EXAMPLES: &str = "\
Examples:
  tintype test --shard 2/5 --report shards/2      the second of five machines
  tintype report merge shards --report out/report --junit out/junit.xml

Exit codes: as for tintype test over all scenes; 2 if a shard is missing (the others are still merged), appears twice, or belongs to another test or commit.";

/// `report`
#[derive(Clone, Debug, Args)]
pub(crate) struct Report {
    #[command(subcommand)]
    pub command: ReportCommand,
}

#[derive(Clone, Debug, Subcommand)]
pub(crate) enum ReportCommand {
    /// Merge the reports of all shards of a test, and check for goldens without a scene
    Merge(Merge),
}

/// `report merge`
#[derive(Clone, Debug, Args)]
pub(crate) struct Merge {
    /// Report folders of the shards, or folders that contain them
    #[arg(value_name = "DIR", required = true)]
    pub folders: Vec<PathBuf>,
    #[command(flatten)]
    pub files: ReportFiles,
}

/// Files that hold the results of a test.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct ReportFiles {
    /// Write an HTML page that compares the pictures into this folder
    #[arg(long, value_name = "DIR")]
    pub report: Option<PathBuf>,
    /// Write the results as JUnit XML; - is standard output
    #[arg(long, value_name = "FILE")]
    pub junit: Option<PathBuf>,
    /// Write the results as JSON; - is standard output
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
    /// Append a summary in Markdown to this file, such as $GITHUB_STEP_SUMMARY; - is standard output
    #[arg(long, value_name = "FILE")]
    pub summary: Option<PathBuf>,
    /// URL of the report folder, for links to pictures in the summary, or "" for no links; by default the relative path to the --report folder, and none in a GitHub job summary or on standard output
    #[arg(long, value_name = "ADDRESS", requires = "summary")]
    pub summary_pictures: Option<String>,
}

impl ReportFiles {
    /// Whether any of them is asked for.
    pub(crate) fn is_any(&self) -> bool {
        let files = [&self.report, &self.junit, &self.json, &self.summary];
        files.into_iter().any(Option::is_some)
    }
}
