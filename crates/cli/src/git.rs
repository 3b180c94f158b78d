//! The program `git`, for commands about goldens.

use super::exit;
use super::failure::Failure;
use std::ffi::OsString;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
pub(super) use tintype_base::disk::real;
use tintype_base::disk::{is_temporary, tells_of_full_disk};
use tintype_base::path::path_of_text;
use tintype_host::temp_files::ScratchFolder;

/// Reason why git failed: a sentence, and true if a retry may succeed later.
#[derive(Debug)]
pub(super) struct GitError {
    message: String,
    is_temporary: bool,
}

impl GitError {
    /// An error of a temporary folder for git.
    pub(super) fn of_scratch(error: &std::io::Error) -> Self {
        let message = format!("a temporary folder: {error}");
        Self { message, is_temporary: is_temporary(error) }
    }

    /// The failure of a command, with an option before the sentence.
    pub(super) fn failure(&self, option: &str) -> Failure {
        let code = if self.is_temporary { exit::TRY_AGAIN } else { exit::BAD_INPUT };
        Failure::new(code, format!("{option}: {self}"))
    }
}

impl std::fmt::Display for GitError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}

impl From<String> for GitError {
    fn from(message: String) -> Self {
        Self { message, is_temporary: false }
    }
}

impl From<GitError> for String {
    fn from(error: GitError) -> Self {
        error.message
    }
}

/// Calls of git in one folder, with the same variables.
#[derive(Clone, Debug, Default)]
pub(super) struct Git {
    /// The folder; the working folder without one.
    pub folder: Option<PathBuf>,
    /// Variables of its environment.
    pub variables: Vec<(&'static str, OsString)>,
}

impl Git {
    /// Uses another index, so that the user's stays unchanged.
    pub(super) fn with_index(mut self, index: &Path) -> Self {
        self.variables.push(("GIT_INDEX_FILE", index.into()));
        self
    }

    /// Runs git with an input, and returns its output.
    ///
    /// # Errors
    /// A message; git's error output is passed on in full.
    pub(super) fn run(&self, arguments: &[&str], input: &[u8]) -> Result<Vec<u8>, GitError> {
        let failed = |error: std::io::Error| format!("cannot run git: {error}");
        let mut command = Command::new("git");
        command.args(arguments).envs(self.variables.iter().map(|(name, value)| (name, value)));
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        if let Some(folder) = &self.folder {
            command.current_dir(folder);
        }
        let mut child = command.spawn().map_err(failed)?;
        let mut stdin = child.stdin.take();
        let output = std::thread::scope(|scope| {
            // Runs beside the output, so that neither waits for the other. A program that ended
            // early has reported the reason.
            scope.spawn(move || stdin.take().map(|mut stdin| stdin.write_all(input)));
            child.wait_with_output().map_err(failed)
        })?;
        if !output.status.success() {
            let text = String::from_utf8_lossy(&output.stderr);
            let text =
                if text.trim().is_empty() { "it failed without a message" } else { text.trim() };
            // Git gives no reason for a file; it writes to the same place as this program.
            let is_temporary = tells_of_full_disk(text) || text.contains("unable to write");
            return Err(GitError { message: format!("git: {text}"), is_temporary });
        }
        Ok(output.stdout)
    }

    /// The answer of git as a text without the end of the line.
    ///
    /// # Errors
    /// As [`Git::run`].
    pub(super) fn answer(&self, arguments: &[&str]) -> Result<String, GitError> {
        let output = self.run(arguments, &[])?;
        Ok(String::from_utf8_lossy(&output).trim_end().to_owned())
    }

    /// The checked-out commit. None outside a repository, and in one without a commit.
    pub(super) fn commit(&self) -> Option<String> {
        self.answer(&["rev-parse", "--verify", "--quiet", "HEAD"]).ok()
    }
}

/// A temporary folder.
pub(super) fn scratch() -> std::io::Result<ScratchFolder> {
    ScratchFolder::create(&std::env::temp_dir())
}

/// The bytes of a path that was made a text.
pub(super) fn bytes_of(text: &str) -> Vec<u8> {
    path_of_text(text).into_os_string().into_encoded_bytes()
}
