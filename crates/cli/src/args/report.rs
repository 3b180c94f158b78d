//! Options of `tintype report`, and of the files that hold the results of a test.

use clap::{Args, Subcommand};
use std::path::PathBuf;

pub(super) const EXAMPLES: &str = "\
Examples:
  tintype test --shard 2/5 --report shards/2      on the second of five machines
  tintype report merge shards --report out/report --junit out/junit.xml

Exit codes of merge are those of tintype test for all scenes; 2 if a shard is missing, whose others are joined, is there twice, or is of another test or commit.";

/// `report`
#[derive(Clone, Debug, Args)]
pub(crate) struct Report {
    #[command(subcommand)]
    pub command: ReportCommand,
}

#[derive(Clone, Debug, Subcommand)]
pub(crate) enum ReportCommand {
    /// Join the reports of all shards of a test into one, and judge goldens that no scene asks for
    Merge(Merge),
}

/// `report merge`
#[derive(Clone, Debug, Args)]
pub(crate) struct Merge {
    /// Folders of the reports of shards, or folders with such folders below them
    #[arg(value_name = "DIR", required = true)]
    pub folders: Vec<PathBuf>,
    #[command(flatten)]
    pub files: ReportFiles,
}

/// Files that hold the results of a test.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct ReportFiles {
    /// Write a page that compares the pictures into this folder, as index.html
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
    /// Address of the report's folder for the pictures of the summary, or "" for none; by default the way from the summary to the folder of --report, and none in the summary of a job of GitHub and on standard output
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
