//! Reading of regular files only: a named pipe without a writer, or a device without an end, would
//! be read for ever. Also identifies temporary disk errors that are worth a retry.

use std::fs::{File, Metadata};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// Maximum size of hand-written text, such as a scene, a list or settings.
pub const MAX_TEXT_BYTES: u64 = 64 << 20;

/// Reads a regular file, through symbolic links.
///
/// # Errors
/// The error of the system; [`io::ErrorKind::InvalidInput`] for a named pipe, a device or a socket,
/// [`io::ErrorKind::IsADirectory`] for a folder.
pub fn read_regular(path: &Path) -> io::Result<Vec<u8>> {
    read_bounded(path, u64::MAX)
}

/// Reads a regular file of at most this many bytes. A longer file is refused by its length, before
/// it is read; of a file that grows, no more is read.
///
/// # Errors
/// As [`read_regular`]; [`io::ErrorKind::FileTooLarge`] if it is longer.
pub fn read_bounded(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let file = open_regular(path)?;
    let too_large = |length: u64| {
        let message = format!("it has {length} bytes; the limit is {most}");
        io::Error::new(io::ErrorKind::FileTooLarge, message)
    };
    let length = file.metadata()?.len();
    if length > most {
        return Err(too_large(length));
    }
    let mut bytes = Vec::new();
    file.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
    let length = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
    if length > most { Err(too_large(length)) } else { Ok(bytes) }
}

/// Reads a regular file as text, of at most [`MAX_TEXT_BYTES`].
///
/// # Errors
/// As [`read_bounded`]; [`io::ErrorKind::InvalidData`] if it is not UTF-8.
pub fn read_regular_text(path: &Path) -> io::Result<String> {
    let bytes = read_bounded(path, MAX_TEXT_BYTES)?;
    String::from_utf8(bytes)
        .map_err(|_| io::Error::new(io::ErrorKind::InvalidData, "it is not UTF-8"))
}

/// The result of reading, opening or removing a file that may be missing. None if it is.
///
/// # Errors
/// Any other error.
pub fn if_there<T>(result: io::Result<T>) -> io::Result<Option<T>> {
    match result {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        result => result.map(Some),
    }
}

/// The path of a file that may not exist yet, through symbolic links of its parent folders.
#[must_use]
pub fn real(path: &Path) -> PathBuf {
    let whole = std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
    let (Some(folder), Some(name)) = (whole.parent(), whole.file_name()) else { return whole };
    match folder.canonicalize() {
        Ok(folder) => folder.join(name),
        Err(_) => real(folder).join(name),
    }
}

/// Opens a regular file.
///
/// # Errors
/// As [`read_regular`].
pub fn open_regular(path: &Path) -> io::Result<File> {
    // Before it is opened: opening a pipe waits for its writer.
    check_regular(&std::fs::metadata(path)?)?;
    let file = File::open(path)?;
    // It may have been exchanged since.
    check_regular(&file.metadata()?)?;
    Ok(file)
}

/// The kind of an existing file that is neither regular nor a folder, such as `a device`. None for
/// all others.
#[must_use]
pub fn special_kind(path: &Path) -> Option<&'static str> {
    let metadata = std::fs::metadata(path).ok()?;
    (!metadata.is_file() && !metadata.is_dir()).then(|| kind_of(&metadata))
}

fn check_regular(metadata: &Metadata) -> io::Result<()> {
    if metadata.is_file() {
        return Ok(());
    }
    Err(if metadata.is_dir() {
        io::Error::new(io::ErrorKind::IsADirectory, "it is a folder, not a file")
    } else {
        let message = format!("it is {}, not a file", kind_of(metadata));
        io::Error::new(io::ErrorKind::InvalidInput, message)
    })
}

#[cfg(unix)]
fn kind_of(metadata: &Metadata) -> &'static str {
    use std::os::unix::fs::FileTypeExt;
    let kind = metadata.file_type();
    if kind.is_fifo() {
        "a named pipe"
    } else if kind.is_socket() {
        "a socket"
    } else {
        "a device"
    }
}

#[cfg(not(unix))]
fn kind_of(_: &Metadata) -> &'static str {
    "something else"
}

/// Codes without a matching `io::ErrorKind`: EIO, ENODEV, ENFILE, EMFILE.
#[cfg(unix)]
const TEMPORARY_CODES: [i32; 4] = [5, 19, 23, 24];
/// The same for Windows: ERROR_TOO_MANY_OPEN_FILES, ERROR_NOT_READY, ERROR_SHARING_VIOLATION and
/// ERROR_LOCK_VIOLATION (another program temporarily holds the file), ERROR_UNEXP_NET_ERR,
/// ERROR_NETNAME_DELETED, ERROR_IO_DEVICE.
#[cfg(windows)]
const TEMPORARY_CODES: [i32; 7] = [4, 21, 32, 33, 59, 64, 1117];
#[cfg(not(any(unix, windows)))]
const TEMPORARY_CODES: [i32; 0] = [];

/// True if a message of another program reports a full disk, or an exceeded quota.
#[must_use]
pub fn tells_of_full_disk(said: &str) -> bool {
    ["No space left on device", "Disk quota exceeded"].iter().any(|words| said.contains(words))
}

/// True if the same call may succeed later: an I/O error, a network share that went away, too many
/// open files, a full disk or a quota.
///
/// A missing file or folder, missing permission, a read-only file system and
/// unknown errors are permanent.
#[must_use]
pub fn is_temporary(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::StorageFull
            | io::ErrorKind::QuotaExceeded
            | io::ErrorKind::WriteZero
            | io::ErrorKind::StaleNetworkFileHandle
            | io::ErrorKind::TimedOut
            | io::ErrorKind::Interrupted
            | io::ErrorKind::WouldBlock
            | io::ErrorKind::ResourceBusy
            | io::ErrorKind::OutOfMemory
            | io::ErrorKind::NotConnected
            | io::ErrorKind::HostUnreachable
            | io::ErrorKind::NetworkDown
            | io::ErrorKind::NetworkUnreachable
            | io::ErrorKind::ConnectionReset
            | io::ErrorKind::ConnectionAborted
    ) || error.raw_os_error().is_some_and(|code| TEMPORARY_CODES.contains(&code))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_regular_files_are_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        std::fs::write(&path, "text").unwrap();
        assert_eq!(read_regular(&path).unwrap(), b"text");
        assert_eq!(read_regular_text(&path).unwrap(), "text");
        assert_eq!(read_bounded(&path, 4).unwrap(), b"text");
        let error = read_bounded(&path, 3).unwrap_err();
        assert_eq!(error.to_string(), "it has 4 bytes; the limit is 3");
        // Creating a sparse file is cheap, and it is never read.
        let vast = folder.path().join("vast");
        File::create(&vast).unwrap().set_len(1 << 40).unwrap();
        assert_eq!(read_regular_text(&vast).unwrap_err().kind(), io::ErrorKind::FileTooLarge);
        std::fs::write(&path, b"\xff").unwrap();
        assert_eq!(read_regular_text(&path).unwrap_err().to_string(), "it is not UTF-8");
        std::fs::write(&path, "text").unwrap();
        let error = read_regular(folder.path()).unwrap_err();
        assert_eq!(error.to_string(), "it is a folder, not a file");
        assert_eq!(if_there(read_regular(&folder.path().join("b"))).unwrap(), None);
        assert!(if_there(read_regular(folder.path())).is_err());
        #[cfg(unix)]
        {
            let error = read_regular(Path::new("/dev/zero")).unwrap_err();
            assert_eq!(error.to_string(), "it is a device, not a file");
            let pipe = folder.path().join("pipe");
            let made = std::process::Command::new("mkfifo").arg(&pipe).status().unwrap();
            assert!(made.success());
            let error = open_regular(&pipe).unwrap_err();
            assert_eq!(error.to_string(), "it is a named pipe, not a file");
            let link = folder.path().join("link");
            std::os::unix::fs::symlink(&path, &link).unwrap();
            assert_eq!(read_regular(&link).unwrap(), b"text");
        }
    }
}
