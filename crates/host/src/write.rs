//! Atomic writes: a file that exists under its name is complete.
//!
//! The bytes are written to a temporary name in the same folder, flushed to disk, and renamed to
//! the final name. After an error the temporary file is removed. A killed process leaves a name
//! that starts with a dot and ends in [`PARTIAL_SUFFIX`], which no frame pattern matches and which
//! identifies its writer; see [`super::temp_files`].

use super::temp_files::{PARTIAL_SUFFIX, Unfinished, clear_once, writer_tag};
use std::fs::File;
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use tintype_base::disk::{is_temporary, special_kind};
use tintype_base::path::ShowPath;

/// Number of letters of the final name in the temporary name, so that a long name stays legal.
const NAME_LETTERS: usize = 32;

/// Random letters that keep writers of the same frame apart, on this and other hosts with the same
/// folder.
const RANDOM_LETTERS: usize = 16;

/// Number of attempts at a file whose temporary file another process removes.
const ATTEMPTS: usize = 3;

/// Step of a write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    /// Finding the folder and the name in the path.
    Name,
    /// Making the folder.
    CreateFolder,
    /// Making the temporary file.
    Create,
    /// Writing the bytes.
    Write,
    /// Waiting until they are on the disk.
    Sync,
    /// Giving the file its name.
    Rename,
    /// Waiting until the name is on the disk.
    SyncFolder,
}

impl core::fmt::Display for Operation {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(match self {
            Self::Name => "find a file name in",
            Self::CreateFolder => "create the folder of",
            Self::Create => "create a temporary file for",
            Self::Write => "write",
            Self::Sync => "sync",
            Self::Rename => "rename a temporary file to",
            Self::SyncFolder => "sync the folder of",
        })
    }
}

/// Error of a write. The path is the final one.
#[derive(Debug, thiserror::Error)]
#[error("cannot {operation} {}", path.shown())]
pub struct OutputError {
    /// The file.
    pub path: PathBuf,
    /// The step that failed.
    pub operation: Operation,
    /// The error of the system.
    pub source: io::Error,
}

impl OutputError {
    /// True if the same call may succeed later: a full disk, a quota, an I/O error, a network share
    /// or a folder that went away, too many open files.
    ///
    /// A missing folder counts, because it was created just before. Missing permission, a read-only
    /// file system, a file in place of a folder, a bad name, and unknown errors are permanent.
    #[must_use]
    pub fn is_temporary(&self) -> bool {
        // A parent folder may be missing for a while if a network share is away; a folder that
        // cannot be made in an existing one never will be.
        let is_away =
            self.source.kind() == ErrorKind::NotFound && self.operation != Operation::CreateFolder;
        is_away || is_temporary(&self.source)
    }

    /// True if only files of this name cannot be written: it is too long, contains a letter that
    /// the disk does not accept, is the name of a folder, or a parent folder's name is that of a
    /// file.
    #[must_use]
    pub fn is_of_name(&self) -> bool {
        let kind = self.source.kind();
        matches!(
            kind,
            ErrorKind::InvalidFilename | ErrorKind::IsADirectory | ErrorKind::NotADirectory
        )
    }
}

/// Writes `bytes` under `path` in one step, replacing an older file; creates parent folders. A
/// device or a pipe receives the bytes.
///
/// Others may read the file: its mode is 0666 less the process's umask.
///
/// # Errors
/// [`OutputError`]; then nothing new is left in the folder, and an older file of that name is
/// untouched, unless only the final sync of the folder failed.
pub fn write_atomic(path: &Path, bytes: &[u8]) -> Result<(), OutputError> {
    write_whole(path, bytes, PendingFile::commit)
}

/// As [`write_atomic`], without waiting for the disk; see [`PendingFile::commit_unsynced`].
///
/// # Errors
/// As [`write_atomic`].
pub fn write_unsynced(path: &Path, bytes: &[u8]) -> Result<(), OutputError> {
    write_whole(path, bytes, PendingFile::commit_unsynced)
}

/// Writes a file that can be recreated, such as cached numbers: errors and slow disks are ignored,
/// and a pipe in its place is left alone.
pub fn write_kept(path: &Path, bytes: &[u8]) {
    if special_kind(path).is_none() {
        let _ = write_unsynced(path, bytes);
    }
}

/// Writes a file whole unless the name is taken; returns true if it did. Of several processes one
/// writes.
///
/// # Errors
/// [`OutputError`].
pub fn write_new(path: &Path, bytes: &[u8]) -> Result<bool, OutputError> {
    if path.exists() {
        return Ok(false);
    }
    let pending = write_pending(path, |file| file.write_all(bytes))?;
    let PendingFile { path, temporary, unfinished: _unfinished, .. } = pending;
    match temporary.persist_noclobber(&path) {
        Ok(_) => Ok(true),
        Err(error) if error.error.kind() == ErrorKind::AlreadyExists => Ok(false),
        Err(error) => Err(OutputError { path, operation: Operation::Rename, source: error.error }),
    }
}

fn write_whole(
    path: &Path,
    bytes: &[u8],
    commit: fn(PendingFile) -> Result<(), OutputError>,
) -> Result<(), OutputError> {
    if is_stream(path) {
        return write_through(path, bytes);
    }
    let mut attempt = 1;
    loop {
        match write_pending(path, |file| file.write_all(bytes)).and_then(commit) {
            // Another process took the temporary file for an abandoned one.
            Err(OutputError { operation: Operation::Rename, source, .. })
                if source.kind() == ErrorKind::NotFound && attempt < ATTEMPTS =>
            {
                attempt += 1;
            }
            result => return result,
        }
    }
}

/// Writes directly into a device, a pipe or a socket: a rename would replace it by a regular file,
/// and every program would lose `/dev/null`.
fn write_through(path: &Path, bytes: &[u8]) -> Result<(), OutputError> {
    let failed = |operation: Operation| {
        move |source: io::Error| OutputError { path: path.to_owned(), operation, source }
    };
    let mut file = File::options().append(true).open(path).map_err(failed(Operation::Create))?;
    file.write_all(bytes).map_err(failed(Operation::Write))
}

/// True if a path is a device, a pipe or a socket, or refers to an open file of the process, such
/// as `/dev/stdout`: bytes pass through it, and it is neither read nor replaced.
#[must_use]
pub fn is_stream(path: &Path) -> bool {
    /// They may also refer to regular files, if the shell redirected the output. `/dev/shm` is an
    /// ordinary folder.
    const OPEN_FILES: [&str; 4] = ["/dev/stdout", "/dev/stderr", "/dev/fd", "/proc/self/fd"];
    special_kind(path).is_some() || cfg!(unix) && OPEN_FILES.iter().any(|own| path.starts_with(own))
}

/// As [`write_atomic`], with the bytes from `fill`.
///
/// # Errors
/// As [`write_atomic`]; an error of `fill` is one of [`Operation::Write`].
pub fn write_atomic_with(
    path: &Path,
    fill: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), OutputError> {
    write_pending(path, fill)?.commit()
}

fn write_pending(
    path: &Path,
    fill: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<PendingFile, OutputError> {
    let mut pending = PendingFile::create(path)?;
    fill(&mut pending).map_err(|source| pending.failed(Operation::Write, source))?;
    Ok(pending)
}

/// A file written under a temporary name, which gets its final name when it is complete; if dropped
/// before, it is removed.
#[derive(Debug)]
pub struct PendingFile {
    path: PathBuf,
    folder: PathBuf,
    /// True if the path is a stream, which gets the bytes once they are complete.
    passes: bool,
    temporary: tempfile::NamedTempFile,
    /// Declared after the file, so that the file is removed before it is forgotten.
    unfinished: Unfinished,
}

impl PendingFile {
    /// Starts a file; makes the folders above it.
    ///
    /// # Errors
    /// [`OutputError`] if the file cannot be created.
    pub fn create(path: &Path) -> Result<Self, OutputError> {
        let failed = |operation: Operation| {
            move |source: io::Error| OutputError { path: path.to_owned(), operation, source }
        };
        let Some(name) = path.file_name() else {
            return Err(failed(Operation::Name)(io::Error::from(ErrorKind::InvalidInput)));
        };
        let passes = is_stream(path);
        let folder = match path.parent() {
            _ if passes => tempfile::env::temp_dir(),
            Some(parent) if !parent.as_os_str().is_empty() => parent.to_owned(),
            _ => PathBuf::from("."),
        };
        create_folder(&folder).map_err(failed(Operation::CreateFolder))?;
        clear_once(&folder);
        // Dropping it removes the file.
        let (temporary, unfinished) =
            Unfinished::make(|| temporary_in(&folder, &name.to_string_lossy()))
                .map_err(failed(Operation::Create))?;
        Ok(Self { path: path.to_owned(), folder, passes, temporary, unfinished })
    }

    /// A second handle on the file, for an encoder that owns its stream.
    ///
    /// # Errors
    /// [`OutputError`] if the system has no handles left.
    pub fn handle(&self) -> Result<File, OutputError> {
        self.temporary.as_file().try_clone().map_err(|error| self.failed(Operation::Create, error))
    }

    /// The temporary name of the file, for a program that writes it.
    #[must_use]
    pub fn temporary_path(&self) -> &Path {
        self.temporary.path()
    }

    /// An error of this file.
    #[must_use]
    pub fn failed(&self, operation: Operation, source: io::Error) -> OutputError {
        OutputError { path: self.path.clone(), operation, source }
    }

    /// Gives the file its name without waiting for the disk. Other processes find it complete or
    /// not at all, but a power failure may lose the file or its contents. For files that are
    /// quickly made and checked before use.
    ///
    /// # Errors
    /// As [`write_atomic`].
    pub fn commit_unsynced(self) -> Result<(), OutputError> {
        if self.passes {
            return self.pass_on();
        }
        let Self { path, temporary, unfinished: _unfinished, .. } = self;
        let failed =
            |source| OutputError { path: path.clone(), operation: Operation::Rename, source };
        temporary.persist(&path).map(drop).map_err(|error| failed(error.error))
    }

    /// Gives the file its name once its bytes are on the disk.
    ///
    /// # Errors
    /// As [`write_atomic`].
    pub fn commit(self) -> Result<(), OutputError> {
        if self.passes {
            return self.pass_on();
        }
        let Self { path, folder, temporary, unfinished: _unfinished, .. } = self;
        let failed = |operation: Operation| {
            let path = path.clone();
            move |source: io::Error| OutputError { path, operation, source }
        };
        temporary.as_file().sync_all().map_err(failed(Operation::Sync))?;
        temporary.persist(&path).map_err(|error| failed(Operation::Rename)(error.error))?;
        sync_folder(&folder).map_err(failed(Operation::SyncFolder))
    }
}

impl PendingFile {
    /// Writes the bytes into the pipe or the device of this name.
    fn pass_on(self) -> Result<(), OutputError> {
        let bytes = std::fs::read(self.temporary.path());
        let bytes = bytes.map_err(|error| self.failed(Operation::Create, error))?;
        write_through(&self.path, &bytes)
    }
}

impl Write for PendingFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.temporary.as_file_mut().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.temporary.as_file_mut().flush()
    }
}

/// A new file with a temporary name. Its mode is that of any new file, 0666 less the umask;
/// `tempfile` itself uses 0600.
fn temporary_in(folder: &Path, name: &str) -> io::Result<tempfile::NamedTempFile> {
    let start: String = name.chars().take(NAME_LETTERS).collect();
    let prefix = format!(".{start}.{}.", writer_tag());
    let mut builder = tempfile::Builder::new();
    builder.prefix(&prefix).suffix(PARTIAL_SUFFIX).rand_bytes(RANDOM_LETTERS);
    // Opened here, because `tempfile` wraps the system's error and loses its number.
    builder.make_in(folder, |path| File::options().write(true).create_new(true).open(path))
}

/// Creates a folder and its parents; an existing file of the name is reported as "not a directory".
fn create_folder(folder: &Path) -> io::Result<()> {
    match std::fs::create_dir_all(folder) {
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {
            Err(io::Error::from(ErrorKind::NotADirectory))
        }
        result => result,
    }
}

/// Waits until a rename in the folder is on the disk, if the file system supports that.
fn sync_folder(folder: &Path) -> io::Result<()> {
    if !cfg!(unix) {
        return Ok(());
    }
    match File::open(folder).and_then(|folder| folder.sync_all()) {
        Err(error) if matches!(error.kind(), ErrorKind::InvalidInput | ErrorKind::Unsupported) => {
            Ok(())
        }
        // A writable folder without read permission cannot be opened; the rename itself is done.
        Err(error) if error.kind() == ErrorKind::PermissionDenied => Ok(()),
        result => result,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names_in(folder: &Path) -> Vec<String> {
        let mut names: Vec<_> = std::fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    #[cfg(target_os = "linux")]
    fn error_of(code: i32) -> OutputError {
        OutputError {
            path: PathBuf::from("out/0001.png"),
            operation: Operation::Write,
            source: io::Error::from_raw_os_error(code),
        }
    }

    #[cfg(unix)]
    #[test]
    fn special_files_receive_the_bytes_and_stay() {
        let folder = tempfile::tempdir().unwrap();
        // A link to it refers to the device itself, which a failure of this test would replace.
        let null = folder.path().join("null");
        std::os::unix::fs::symlink("/dev/null", &null).unwrap();
        write_atomic(&null, b"lost").unwrap();
        assert!(std::fs::symlink_metadata(&null).unwrap().is_symlink());
        let mut pending = PendingFile::create(&null).unwrap();
        pending.write_all(b"lost").unwrap();
        pending.commit().unwrap();
        assert!(std::fs::symlink_metadata(&null).unwrap().is_symlink());
        let pipe = folder.path().join("pipe");
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        let reader = std::thread::spawn({
            let pipe = pipe.clone();
            move || std::fs::read(pipe).unwrap()
        });
        write_atomic(&pipe, b"through").unwrap();
        assert_eq!(reader.join().unwrap(), b"through");
        assert_eq!(special_kind(&pipe), Some("a named pipe"));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn folder_of_devices_may_hold_files() {
        let folder = tempfile::tempdir_in("/dev/shm").unwrap();
        let path = folder.path().join("frames/0001.png");
        assert!(!is_stream(&path) && is_stream(Path::new("/dev/stdout")));
        write_atomic(&path, b"kept").unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"kept");
        assert_eq!(names_in(path.parent().unwrap()), ["0001.png"]);
    }

    #[test]
    fn file_appears_whole_with_its_folders_and_replaces_an_older_one() {
        let root = tempfile::tempdir().unwrap();
        let path = root.path().join("a/b/0001.png");
        write_atomic(&path, b"first").unwrap();
        write_atomic(&path, b"second").unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"second");
        assert_eq!(names_in(path.parent().unwrap()), ["0001.png"]);
    }

    #[cfg(unix)]
    #[test]
    fn file_has_the_mode_of_any_new_file() {
        use std::os::unix::fs::PermissionsExt;
        let root = tempfile::tempdir().unwrap();
        let (ours, plain) = (root.path().join("ours.png"), root.path().join("plain"));
        write_atomic(&ours, b"x").unwrap();
        File::create(&plain).unwrap();
        let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode();
        assert_eq!(mode(&ours), mode(&plain));
    }

    #[test]
    fn unsynced_file_appears_whole_and_replaces_an_older_one() {
        let root = tempfile::tempdir().unwrap();
        let path = root.path().join("a/0001.png");
        for bytes in [b"first", b"other"] {
            let mut pending = PendingFile::create(&path).unwrap();
            pending.write_all(bytes).unwrap();
            pending.commit_unsynced().unwrap();
            assert_eq!(std::fs::read(&path).unwrap(), bytes);
        }
        assert_eq!(names_in(path.parent().unwrap()), ["0001.png"]);
    }

    #[test]
    fn temporary_name_is_hidden_and_says_what_it_becomes() {
        let root = tempfile::tempdir().unwrap();
        let path = root.path().join("0001.png");
        let mut seen = Vec::new();
        write_atomic_with(&path, |file| {
            seen = names_in(root.path());
            file.write_all(b"x")
        })
        .unwrap();
        assert_eq!(seen.len(), 1);
        assert!(seen[0].starts_with(".0001.png.") && seen[0].ends_with(PARTIAL_SUFFIX), "{seen:?}");
    }

    #[test]
    fn full_disk_leaves_the_older_file_and_nothing_else() {
        let root = tempfile::tempdir().unwrap();
        let path = root.path().join("0001.png");
        write_atomic(&path, b"older").unwrap();
        let error = write_atomic_with(&path, |file| {
            file.write_all(b"half of it")?;
            File::options().write(true).open("/dev/full")?.write_all(b"the rest")
        })
        .unwrap_err();
        assert_eq!(
            (error.operation, error.source.kind()),
            (Operation::Write, ErrorKind::StorageFull)
        );
        assert!(error.is_temporary());
        assert_eq!(std::fs::read(&path).unwrap(), b"older");
        assert_eq!(names_in(root.path()), ["0001.png"]);
    }

    #[test]
    fn folder_that_vanishes_is_temporary() {
        let root = tempfile::tempdir().unwrap();
        let path = root.path().join("out/0001.png");
        let error = write_atomic_with(&path, |_| std::fs::remove_dir_all(root.path().join("out")))
            .unwrap_err();
        assert_eq!(
            (error.operation, error.source.kind()),
            (Operation::Rename, ErrorKind::NotFound)
        );
        assert!(error.is_temporary());
        assert!(names_in(root.path()).is_empty());
    }

    #[test]
    fn path_below_a_file_is_permanent() {
        let root = tempfile::tempdir().unwrap();
        let file = root.path().join("file");
        std::fs::write(&file, b"x").unwrap();
        for below in ["0001.png", "out/0001.png"] {
            let error = write_atomic(&file.join(below), b"x").unwrap_err();
            let found = (error.operation, error.source.kind());
            assert_eq!(found, (Operation::CreateFolder, ErrorKind::NotADirectory));
            assert!(!error.is_temporary(), "{error:?}");
        }
        assert_eq!(names_in(root.path()), ["file"]);
    }

    #[test]
    fn bad_names_are_permanent_and_leave_nothing() {
        let root = tempfile::tempdir().unwrap();
        std::fs::create_dir(root.path().join("taken")).unwrap();
        std::fs::write(root.path().join("taken/inside"), b"x").unwrap();
        for name in ["taken".to_owned(), "n".repeat(300)] {
            let error = write_atomic(&root.path().join(name), b"x").unwrap_err();
            assert_eq!(error.operation, Operation::Rename);
            assert!(!error.is_temporary(), "{error:?}");
        }
        assert_eq!(names_in(root.path()), ["taken"]);
        let error = write_atomic(Path::new(".."), b"x").unwrap_err();
        assert_eq!(error.operation, Operation::Name);
        assert_eq!(error.to_string(), "cannot find a file name in ..");
    }

    #[test]
    fn long_names_within_the_system_limit_are_written() {
        let root = tempfile::tempdir().unwrap();
        let name = "é".repeat(125) + ".png"; // 254 bytes
        write_atomic(&root.path().join(&name), b"x").unwrap();
        assert_eq!(names_in(root.path()), [name]);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn error_numbers_are_sorted_into_temporary_and_permanent() {
        let temporary =
            [("EIO", 5), ("ENOSPC", 28), ("ESTALE", 116), ("EDQUOT", 122), ("ENOENT", 2)];
        for (name, code) in temporary {
            assert!(error_of(code).is_temporary(), "{name}");
        }
        let permanent =
            [("EPERM", 1), ("EACCES", 13), ("ENOTDIR", 20), ("EISDIR", 21), ("EROFS", 30)];
        for (name, code) in permanent {
            assert!(!error_of(code).is_temporary(), "{name}");
        }
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn folder_that_takes_no_files_is_an_error_of_create() {
        // Not even root can create files in /proc.
        let error = write_atomic(Path::new("/proc/0001.png"), b"x").unwrap_err();
        assert_eq!(error.operation, Operation::Create);
        assert!(error.source.raw_os_error().is_some(), "{error:?}");
    }
}
