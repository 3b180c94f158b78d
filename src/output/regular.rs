//! Reading of regular files alone: a named pipe without a writer, or a device without an end, would be read for ever.

use std::fs::{File, Metadata};
use std::io;
use std::path::Path;

/// Reads a regular file, through symbolic links.
///
/// # Errors
/// The error of the system; [`io::ErrorKind::InvalidInput`] for a named pipe, a device or a socket, [`io::ErrorKind::IsADirectory`]
/// for a folder.
pub fn read_regular(path: &Path) -> io::Result<Vec<u8>> {
    check_regular(path)?;
    std::fs::read(path)
}

/// Reads a regular file as text.
///
/// # Errors
/// As [`read_regular`]; [`io::ErrorKind::InvalidData`] if it is not UTF-8.
pub fn read_regular_text(path: &Path) -> io::Result<String> {
    check_regular(path)?;
    std::fs::read_to_string(path)
}

/// Opens a regular file.
///
/// # Errors
/// As [`read_regular`].
pub fn open_regular(path: &Path) -> io::Result<File> {
    check_regular(path)?;
    File::open(path)
}

fn check_regular(path: &Path) -> io::Result<()> {
    // Before it is opened: opening a pipe waits for its writer.
    let metadata = std::fs::metadata(path)?;
    if metadata.is_file() {
        return Ok(());
    }
    Err(match metadata.is_dir() {
        true => io::Error::new(io::ErrorKind::IsADirectory, "it is a folder, not a file"),
        false => {
            let message = format!("it is {}, not a file", kind_of(&metadata));
            io::Error::new(io::ErrorKind::InvalidInput, message)
        }
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
        let error = read_regular(folder.path()).unwrap_err();
        assert_eq!(error.to_string(), "it is a folder, not a file");
        assert_eq!(
            read_regular(&folder.path().join("b")).unwrap_err().kind(),
            io::ErrorKind::NotFound
        );
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
