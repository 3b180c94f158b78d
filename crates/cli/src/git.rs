//! The program `git`, as commands about goldens need it.

use std::ffi::OsString;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
pub(super) use tintype_base::disk::real;
use tintype_base::path::path_of_text;

/// Calls of git in one folder, with the same variables.
#[derive(Clone, Debug, Default)]
pub(super) struct Git {
    /// The folder; the working folder without one.
    pub folder: Option<PathBuf>,
    /// Variables of its environment.
    pub variables: Vec<(&'static str, OsString)>,
}

impl Git {
    /// The same with another index, so that that of the user stays as it is.
    pub(super) fn with_index(mut self, index: &Path) -> Self {
        self.variables.push(("GIT_INDEX_FILE", index.into()));
        self
    }

    /// Runs git with an input, and returns its output.
    ///
    /// # Errors
    /// A sentence; what git says of a failure is handed on in full.
    pub(super) fn run(&self, arguments: &[&str], input: &[u8]) -> Result<Vec<u8>, String> {
        let failed = |error: std::io::Error| format!("git does not run: {error}");
        let mut command = Command::new("git");
        command.args(arguments).envs(self.variables.iter().map(|(name, value)| (name, value)));
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        if let Some(folder) = &self.folder {
            command.current_dir(folder);
        }
        let mut child = command.spawn().map_err(failed)?;
        let mut stdin = child.stdin.take();
        let output = std::thread::scope(|scope| {
            // Beside the output: neither waits for the other. A program that ended early has said why.
            scope.spawn(move || stdin.take().map(|mut stdin| stdin.write_all(input)));
            child.wait_with_output().map_err(failed)
        })?;
        if !output.status.success() {
            let text = String::from_utf8_lossy(&output.stderr);
            let text =
                if text.trim().is_empty() { "it failed without a word" } else { text.trim() };
            return Err(format!("git: {text}"));
        }
        Ok(output.stdout)
    }

    /// The answer of git as a text without the end of the line.
    ///
    /// # Errors
    /// As [`Git::run`].
    pub(super) fn answer(&self, arguments: &[&str]) -> Result<String, String> {
        let output = self.run(arguments, &[])?;
        Ok(String::from_utf8_lossy(&output).trim_end().to_owned())
    }

    /// The commit that is checked out; none outside of a repository, and in one without a commit.
    pub(super) fn commit(&self) -> Option<String> {
        self.answer(&["rev-parse", "--verify", "--quiet", "HEAD"]).ok()
    }
}

/// The bytes of a path that was made a text.
pub(super) fn bytes_of(text: &str) -> Vec<u8> {
    path_of_text(text).into_os_string().into_encoded_bytes()
}
