//! Classifies I/O errors, which are temporary and worth a retry, or permanent; and files that stand for others.
//!
//! `asset` and `output` sort their errors by it; no file is opened here.

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

/// The message for a Git LFS pointer where the file itself is expected.
pub const LFS_POINTER: &str = "a Git LFS pointer, not the file: run git lfs pull";

/// Whether bytes are the text that Git LFS keeps in place of a file that it has not downloaded.
///
/// # Source
/// The specification of Git LFS, `docs/spec.md`: the first line is `version` and the address of the specification, and a pointer is
/// shorter than 1024 bytes.
#[must_use]
pub fn is_lfs_pointer(bytes: &[u8]) -> bool {
    const STARTS: [&[u8]; 2] =
        [b"version https://git-lfs.github.com/spec/", b"version https://hawser.github.com/spec/"];
    bytes.len() < 1024 && STARTS.iter().any(|start| bytes.starts_with(start))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lfs_pointer_is_known_by_its_first_line() {
        let pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n";
        assert!(is_lfs_pointer(pointer.as_bytes()));
        assert!(!is_lfs_pointer(b"MD5Version 10"));
        let long = format!("{pointer}{}", " ".repeat(2000));
        assert!(!is_lfs_pointer(long.as_bytes()));
    }
}
