//! Forms of progress.

use clap::ValueEnum;

/// Form of progress.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Progress {
    /// A bar on a terminal, elsewhere a line every few seconds
    Auto,
    /// A line with rate and time left every few seconds
    Plain,
    /// A line of JSON on standard error every half second, and at the last step
    Json,
    /// Lines of Open Job Description on standard output: openjd_progress, openjd_status, and openjd_fail on failure
    Openjd,
    /// Nothing
    None,
}
