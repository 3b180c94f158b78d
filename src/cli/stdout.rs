//! Data on standard output.

use super::exit;
use super::failure::Failure;
use std::io::{ErrorKind, Result as IoResult, Write};
use tintype_model::diagnostic::{printable, printable_json};

/// Writes data to standard output. A reader that has gone is no failure.
pub(super) fn write_stdout(bytes: &[u8]) -> Result<(), Failure> {
    stream_to_stdout(bytes).map_err(|error| {
        Failure::new(exit::TRY_AGAIN, format!("cannot write to standard output: {error}"))
    })
}

/// Writes text for people, in which no name can drive a terminal.
pub(super) fn write_text(text: &str) -> Result<(), Failure> {
    write_stdout(printable(text).as_bytes())
}

/// Writes JSON, in which no name can drive a terminal.
pub(super) fn write_json(json: &str) -> Result<(), Failure> {
    write_stdout(printable_json(json).as_bytes())
}

/// As [`write_stdout`], with the error of the system.
pub(super) fn stream_to_stdout(bytes: &[u8]) -> IoResult<()> {
    let mut stdout = std::io::stdout().lock();
    match stdout.write_all(bytes).and_then(|()| stdout.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(error),
        _ => Ok(()),
    }
}
