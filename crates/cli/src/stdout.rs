//! Data on standard output.

use super::exit;
use super::failure::Failure;
use std::io::{ErrorKind, Result as IoResult, Write};
use tintype_base::printable::{printable, printable_json};

/// Writes to standard output. A closed pipe is not a failure: the reader has all it needed.
pub(super) fn write_stdout(bytes: &[u8]) -> Result<(), Failure> {
    match stream_to_stdout(bytes) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(unwritable(&error)),
        _ => Ok(()),
    }
}

/// Writes a picture to standard output. A closed pipe may leave only part of it, which is a
/// failure.
pub(super) fn write_picture(png: &[u8]) -> Result<(), Failure> {
    stream_to_stdout(png).map_err(|error| unwritable(&error))
}

fn unwritable(error: &std::io::Error) -> Failure {
    match error.kind() {
        ErrorKind::BrokenPipe => {
            Failure::new(exit::INCOMPLETE, "standard output was closed by its reader")
        }
        _ => Failure::new(exit::TRY_AGAIN, format!("cannot write to standard output: {error}")),
    }
}

/// Writes text for people; control characters in names are escaped.
pub(super) fn write_text(text: &str) -> Result<(), Failure> {
    write_stdout(printable(text).as_bytes())
}

/// Writes JSON; control characters in names are escaped.
pub(super) fn write_json(json: &str) -> Result<(), Failure> {
    write_stdout(printable_json(json).as_bytes())
}

/// Writes bytes to standard output, with the error of the system.
pub(super) fn stream_to_stdout(bytes: &[u8]) -> IoResult<()> {
    let mut stdout = std::io::stdout().lock();
    stdout.write_all(bytes).and_then(|()| stdout.flush())
}
