//! Classifies I/O errors: temporary, and worth a retry, or permanent.
//!
//! `asset` and `output` sort their errors by it; neither opens a file here.

use std::io::{Error, ErrorKind};

/// The codes without an `ErrorKind` of their own: EIO, ENODEV, ENFILE, EMFILE.
#[cfg(unix)]
const TEMPORARY_CODES: [i32; 4] = [5, 19, 23, 24];
#[cfg(not(unix))]
const TEMPORARY_CODES: [i32; 0] = [];

/// Whether the same call may succeed later with the same command: an I/O error, a share that went away, too
/// many open files, a full disk or a quota.
///
/// A missing file or folder, missing permission, a read-only file system and whatever is not known are for good.
#[must_use]
pub fn is_temporary(error: &Error) -> bool {
    matches!(
        error.kind(),
        ErrorKind::StorageFull
            | ErrorKind::QuotaExceeded
            | ErrorKind::WriteZero
            | ErrorKind::StaleNetworkFileHandle
            | ErrorKind::TimedOut
            | ErrorKind::Interrupted
            | ErrorKind::WouldBlock
            | ErrorKind::ResourceBusy
            | ErrorKind::OutOfMemory
            | ErrorKind::NotConnected
            | ErrorKind::HostUnreachable
            | ErrorKind::NetworkDown
            | ErrorKind::NetworkUnreachable
            | ErrorKind::ConnectionReset
            | ErrorKind::ConnectionAborted
    ) || error.raw_os_error().is_some_and(|code| TEMPORARY_CODES.contains(&code))
}
