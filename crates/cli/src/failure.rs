//! The failure of a command: its exit code and message.

use super::exit;
use tintype::LimitName;
use tintype_base::diagnostic::chain;
use tintype_host::job::{JobError, JobErrorKind};
use tintype_render::asset::AssetError;

/// The end of a message about a limit: the option that raises it.
pub(super) fn raised(limit: Option<LimitName>) -> String {
    limit.map_or_else(String::new, raised_by_option)
}

/// The same for one limit.
pub(super) fn raised_by_option(limit: LimitName) -> String {
    format!("; raise it with --limit {limit}=NUMBER")
}

/// Exit code and message of a failed command.
#[derive(Debug)]
pub(super) struct Failure {
    pub code: u8,
    pub message: String,
    /// The message with terminal colours, if it has any.
    pub colored: Option<String>,
    /// True if a golden was compared and differs, whatever else went wrong.
    pub differs: bool,
}

impl Failure {
    pub(super) fn new(code: u8, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), colored: None, differs: false }
    }

    pub(super) fn bad_input(message: impl Into<String>) -> Self {
        Self::new(exit::BAD_INPUT, message)
    }

    /// Bad input, with the causes of the error after it.
    pub(super) fn bad_input_chain(error: &dyn std::error::Error) -> Self {
        Self::bad_input(chain(error))
    }

    /// A file that a scene or a command names, and that cannot be used.
    pub(super) fn asset(error: &AssetError) -> Self {
        let code = if error.is_temporary() { exit::TRY_AGAIN } else { exit::BAD_INPUT };
        Self::new(code, chain(error) + &raised(error.limit()))
    }

    /// An error of the library.
    pub(super) fn library(error: &tintype::Error) -> Self {
        let code = if error.is_temporary() { exit::TRY_AGAIN } else { exit::BAD_INPUT };
        Self::new(code, error.to_string() + &raised(error.limit()))
    }

    /// The message with or without colours.
    pub(super) fn shown(&self, color: bool) -> &str {
        self.colored.as_ref().filter(|_| color).unwrap_or(&self.message)
    }

    /// A job that did not complete, by the kind of its error.
    pub(super) fn job(error: &JobError) -> Self {
        let code = match error.kind() {
            JobErrorKind::BadInput => exit::BAD_INPUT,
            JobErrorKind::Incomplete => exit::INCOMPLETE,
            JobErrorKind::Temporary | JobErrorKind::Stopped => exit::TRY_AGAIN,
        };
        Self::new(code, error.message())
    }

    /// A file that could not be written.
    pub(super) fn output(error: &tintype_host::OutputError) -> Self {
        let code = if error.is_temporary() { exit::TRY_AGAIN } else { exit::BAD_INPUT };
        Self::new(code, chain(error))
    }
}

impl From<tintype_farm::SubmitError> for Failure {
    fn from(error: tintype_farm::SubmitError) -> Self {
        let code = if error.is_temporary() { exit::TRY_AGAIN } else { exit::BAD_INPUT };
        Self::new(code, error.to_string())
    }
}
