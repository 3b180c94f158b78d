//! Data on standard output.

use super::exit;
use super::failure::Failure;

/// Writes data to standard output. A reader that has gone is no failure.
pub(super) fn write_stdout(bytes: &[u8]) -> Result<(), Failure> {
    use std::io::Write;
    let mut stdout = std::io::stdout().lock();
    match stdout.write_all(bytes).and_then(|()| stdout.flush()) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
            Err(Failure::new(exit::TRY_AGAIN, format!("cannot write to standard output: {error}")))
        }
        _ => Ok(()),
    }
}
