//! Models from standard input, and lists of them: `-` instead of a path.
//!
//! Readers open a model more than once, and search for files beside it, so the bytes are written to
//! a file in a temporary folder, which is removed at the end. Formats are recognized by content, so
//! the file needs no extension.

use super::args::{Command, Models};
use super::failure::Failure;
use std::io::{Read, Write, copy};
use std::path::PathBuf;
use tempfile::TempDir;
use tintype_base::amount::bytes_text;

/// The word for standard input, and for standard output where a file would be written.
pub(super) const STREAM: &str = "-";

/// Reads standard input, up to this many bytes, if a model or the list of a command is `-`, and
/// substitutes the name of a file. The folder contains that file.
///
/// # Errors
/// A [`Failure`] if it cannot be read, is empty, or has too many bytes, and if it is requested for
/// two models.
pub(super) fn take(command: &mut Command, most_bytes: usize) -> Result<Option<TempDir>, Failure> {
    let models: Vec<&mut PathBuf> = match command {
        Command::Turntable(options) => named(&mut options.models),
        Command::Thumbnail(options) => named(&mut options.models),
        Command::Inspect(options) => vec![&mut options.file],
        Command::Pose(options) => vec![&mut options.model],
        Command::Diff(options) => vec![&mut options.expected, &mut options.found],
        _ => return Ok(None),
    };
    let mut models = models.into_iter().filter(|path| path.as_os_str() == STREAM);
    let Some(model) = models.next() else { return Ok(None) };
    if models.next().is_some() {
        return Err(Failure::bad_input(
            "-: standard input can be read only once, but two files are given as -",
        ));
    }
    let failed = |error: std::io::Error| Failure::bad_input(format!("standard input: {error}"));
    // A separate folder, so that textures are not searched for among other temporary files.
    let folder = tempfile::Builder::new().prefix("tintype-").tempdir().map_err(failed)?;
    let below = folder.path().join("model");
    std::fs::create_dir(&below).map_err(failed)?;
    let path = below.join("stdin");
    let mut file = std::fs::File::create(&path).map_err(failed)?;
    let most = most_bytes as u64;
    match read_standard_input(most, "raise the limit with --limit bytes=NUMBER", &mut file)? {
        0 => Err(Failure::bad_input("standard input is empty")),
        _ => {
            *model = path;
            Ok(Some(folder))
        }
    }
}

/// Reads standard input up to this many bytes, and reports the number of bytes read. `more` is
/// appended to the message for larger input.
///
/// # Errors
/// A [`Failure`] if it cannot be read or stored, or has too many bytes.
pub(super) fn read_standard_input(
    most: u64,
    more: &str,
    to: &mut impl Write,
) -> Result<u64, Failure> {
    let mut stdin = std::io::stdin().lock().take(most.saturating_add(1));
    let count = copy(&mut stdin, to)
        .map_err(|error| Failure::bad_input(format!("standard input: {error}")))?;
    if count > most {
        let most = bytes_text(most);
        let message = format!("standard input has more than {most}; {more}");
        return Err(Failure::bad_input(message));
    }
    Ok(count)
}

fn named(models: &mut Models) -> Vec<&mut PathBuf> {
    models.paths.iter_mut().chain(&mut models.list).collect()
}
