//! Reading of files, on the disk, in archives or in memory: bytes, lengths, and contents of a
//! folder.

use super::archive::within;
use std::ffi::OsString;
use std::io::{self, Cursor, ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tintype_base::disk::{open_regular, read_bounded};
use tintype_formats::obj::join_files;
use tintype_formats::{Files, MemoryFiles};

/// Maximum size of a file in an archive whose first bytes are read.
const MAX_ARCHIVED: u64 = 256 << 20;

fn of_memory(files: &MemoryFiles, path: &Path) -> io::Result<Arc<[u8]>> {
    files.get(path).ok_or_else(|| io::Error::new(ErrorKind::NotFound, "no such file"))
}

/// The source of a path: memory over the disk leaves missing files to the disk.
fn source_of<'f>(files: &'f Files, path: &Path) -> &'f Files {
    match files {
        Files::Memory(memory) if memory.is_over_disk() && memory.get(path).is_none() => {
            &Files::Disk
        }
        own => own,
    }
}

/// Bytes of a file of at most `most` bytes.
///
/// # Errors
/// The error of the system; [`ErrorKind::FileTooLarge`] for a longer file.
pub fn read_input(files: &Files, path: &Path, most: u64) -> io::Result<Vec<u8>> {
    if let Some(numbered) = numbered_files(files, path) {
        return read_numbered(files, numbered?, most);
    }
    let Files::Memory(memory) = source_of(files, path) else {
        return match within(path) {
            Some(within) => within.read(most),
            None => read_bounded(path, most),
        };
    };
    let bytes = of_memory(memory, path)?;
    if u64::try_from(bytes.len()).is_ok_and(|length| length <= most) {
        Ok(bytes.to_vec())
    } else {
        Err(ErrorKind::FileTooLarge.into())
    }
}

/// Opens a file of at most `most` bytes for reading, and returns its length; a longer one on the
/// disk is opened, too.
///
/// # Errors
/// The error of the system; [`ErrorKind::NotFound`] for a file missing from memory.
pub(super) fn open_input(
    files: &Files,
    path: &Path,
    most: u64,
) -> io::Result<(Box<dyn Read>, u64)> {
    if let Some(numbered) = numbered_files(files, path) {
        let bytes = read_numbered(files, numbered?, most)?;
        let length = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
        return Ok((Box::new(Cursor::new(bytes)), length));
    }
    if let Files::Memory(memory) = source_of(files, path) {
        let bytes = of_memory(memory, path)?;
        let length = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
        return Ok((Box::new(Cursor::new(bytes)), length));
    }
    if let Some(within) = within(path) {
        let bytes = within.read(most)?;
        let length = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
        return Ok((Box::new(Cursor::new(bytes)), length));
    }
    let file = open_regular(path)?;
    let length = file.metadata()?.len();
    Ok((Box::new(file), length))
}

/// The first bytes of a file, at most `most`.
///
/// # Errors
/// The error of the system.
pub fn read_head(files: &Files, path: &Path, most: usize) -> io::Result<Vec<u8>> {
    let mut head = Vec::new();
    let most = u64::try_from(most).unwrap_or(u64::MAX);
    // Contents of an archive are inflated as a whole.
    open_input(files, path, MAX_ARCHIVED)?.0.take(most).read_to_end(&mut head)?;
    Ok(head)
}

/// Number of bytes of a file.
///
/// # Errors
/// The error of the system.
pub fn length_of(files: &Files, path: &Path) -> io::Result<u64> {
    if let Some(numbered) = numbered_files(files, path) {
        return numbered?.iter().map(|(_, path)| length_of(files, path)).sum();
    }
    match source_of(files, path) {
        Files::Memory(memory) => {
            Ok(u64::try_from(of_memory(memory, path)?.len()).unwrap_or(u64::MAX))
        }
        Files::Disk => match within(path) {
            Some(within) => {
                let length = within.list()?.length_of(&within.inside);
                length.ok_or_else(|| ErrorKind::NotFound.into())
            }
            None => Ok(std::fs::metadata(path)?.len()),
        },
    }
}

/// True if a folder exists at the path.
#[must_use]
pub fn is_folder(files: &Files, path: &Path) -> bool {
    match source_of(files, path) {
        Files::Memory(memory) => memory.is_folder(path),
        Files::Disk => match within(path) {
            Some(within) => within.list().is_ok_and(|list| list.is_folder(&within.inside)),
            None => path.is_dir(),
        },
    }
}

/// Unix error number of circular links (ELOOP), for which the standard library has no stable name.
#[cfg(any(target_os = "linux", target_os = "android"))]
const LINKS_IN_A_CIRCLE: i32 = 40;
#[cfg(all(unix, not(any(target_os = "linux", target_os = "android"))))]
const LINKS_IN_A_CIRCLE: i32 = 62;

/// True if an error means that the name does not exist, or is a dangling link.
pub(super) fn is_absent(error: &io::Error) -> bool {
    #[cfg(unix)]
    if error.raw_os_error() == Some(LINKS_IN_A_CIRCLE) {
        return true;
    }
    matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory)
}

/// Kind of the thing at a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A file.
    File,
    /// A folder, or an archive, which counts as one.
    Folder,
    /// Something else, or absent.
    Other,
}

/// The kind of entry at a path; [`Kind::Other`] if there is none.
///
/// # Errors
/// The error of the system, or the fault of an archive.
pub fn kind(files: &Files, path: &Path) -> io::Result<Kind> {
    if numbered_files(files, path).is_some() {
        return Ok(Kind::File);
    }
    if let Files::Memory(memory) = source_of(files, path) {
        return Ok(match (memory.is_folder(path), memory.get(path)) {
            (true, _) => Kind::Folder,
            (false, Some(_)) => Kind::File,
            (false, None) => Kind::Other,
        });
    }
    if let Some(within) = within(path) {
        let list = within.list()?;
        return Ok(if list.is_folder(&within.inside) {
            Kind::Folder
        } else if list.length_of(&within.inside).is_some() {
            Kind::File
        } else {
            Kind::Other
        });
    }
    match std::fs::metadata(path) {
        Ok(data) if data.is_file() => Ok(Kind::File),
        Ok(data) if data.is_dir() => Ok(Kind::Folder),
        Ok(_) => Ok(Kind::Other),
        Err(error) if is_absent(&error) => Ok(Kind::Other),
        Err(error) => Err(error),
    }
}

/// Names in a folder, in any order.
///
/// # Errors
/// The error of the system.
pub fn names_in(files: &Files, folder: &Path) -> io::Result<Vec<OsString>> {
    if let Files::Memory(memory) = files {
        let own = memory.names(folder).into_iter().map(OsString::from);
        let below =
            if memory.is_over_disk() { names_in(&Files::Disk, folder) } else { Ok(Vec::new()) };
        return match below {
            Ok(below) => Ok(own.chain(below).collect()),
            Err(error) if is_absent(&error) => Ok(own.collect()),
            Err(error) => Err(error),
        };
    }
    if let Some(within) = within(folder) {
        let list = within.list()?;
        return if list.is_folder(&within.inside) {
            Ok(list.names(&within.inside).into_iter().map(OsString::from).collect())
        } else {
            Err(ErrorKind::NotFound.into())
        };
    }
    // The folder of a bare file name has an empty path.
    let here = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    std::fs::read_dir(here)?.map(|entry| Ok(entry?.file_name())).collect()
}

/// Most files of a sequence.
const MAX_NUMBERED: usize = 10_000;

/// The files of a path such as `walk.####.obj`, by their numbers, each with the digits of its name.
/// None for all other paths, if a file has that literal name, or if there are no numbered files. A
/// missing number is an error.
fn numbered_files(files: &Files, path: &Path) -> Option<io::Result<Vec<(String, PathBuf)>>> {
    let name = path.file_name()?.to_str()?;
    let (before, rest) = name.split_once('#')?;
    let after = rest.trim_start_matches('#');
    let width = name.len() - before.len() - after.len();
    if !after.to_ascii_lowercase().ends_with(".obj") {
        return None;
    }
    let wrong = |message: String| Some(Err(io::Error::new(ErrorKind::InvalidData, message)));
    let names = match names_in(files, path.parent()?) {
        Ok(names) => names,
        Err(error) if is_absent(&error) => return None,
        Err(error) => return Some(Err(error)),
    };
    let mut found: Vec<(u64, String)> = Vec::new();
    for other in names {
        let other = other.to_str().unwrap_or_default();
        if other == name {
            return None;
        }
        let digits = other.strip_prefix(before).and_then(|rest| rest.strip_suffix(after));
        let digits = digits.filter(|digits| {
            digits.len() >= width && digits.bytes().all(|digit| digit.is_ascii_digit())
        });
        let Some(digits) = digits else { continue };
        match digits.parse() {
            Ok(number) => found.push((number, digits.to_owned())),
            Err(_) => return wrong(format!("the number of {other} is too large")),
        }
    }
    found.sort();
    let path_of = |digits: &str| path.with_file_name(format!("{before}{digits}{after}"));
    let gap = found.windows(2).find(|pair| pair[0].0.checked_add(1) != Some(pair[1].0));
    match gap {
        _ if found.is_empty() => return None,
        _ if found.len() > MAX_NUMBERED => {
            return wrong(format!(
                "{} numbered files, but the limit is {MAX_NUMBERED}",
                found.len()
            ));
        }
        Some([one, two]) if one.0 == two.0 => {
            return wrong(format!("{} and {} have the same number", one.1, two.1));
        }
        Some([one, two]) => {
            let next = one.0.saturating_add(1);
            let absent = path_of(&format!("{next:0width$}", width = one.1.len()));
            let name = absent.file_name().unwrap_or_default().to_string_lossy().into_owned();
            return wrong(format!("{name} is missing between {} and {}", one.1, two.1));
        }
        _ => {}
    }
    Some(Ok(found.into_iter().map(|(_, digits)| (digits.clone(), path_of(&digits))).collect()))
}

/// Numbered files as one text.
fn read_numbered(
    files: &Files,
    numbered: Vec<(String, PathBuf)>,
    most: u64,
) -> io::Result<Vec<u8>> {
    let (mut read, mut left) = (Vec::new(), most);
    for (digits, path) in numbered {
        let bytes = read_input(files, &path, left)?;
        left -= u64::try_from(bytes.len()).unwrap_or(left).min(left);
        read.push((digits, bytes));
    }
    Ok(join_files(&read))
}

#[cfg(test)]
mod numbered_tests {
    use super::*;

    #[test]
    fn numbered_files_are_one_without_holes() {
        let memory = |names: &[&str]| {
            let add = |files: MemoryFiles, name: &&str| files.with(*name, name.as_bytes().to_vec());
            Files::Memory(Arc::new(names.iter().fold(MemoryFiles::new(), add)))
        };
        let whole = memory(&["w.9.obj", "w.10.obj", "w.11.obj", "w.x.obj", "v.1.obj", "w.9.mtl"]);
        let path = Path::new("w.#.obj");
        let read = read_input(&whole, path, 1000).unwrap();
        let [nine, ten, eleven] = ["9", "10", "11"]
            .map(|digits| (digits.to_owned(), format!("w.{digits}.obj").into_bytes()));
        assert_eq!(read, join_files(&[nine, ten, eleven]));
        assert_eq!(kind(&whole, path).unwrap(), Kind::File);
        assert_eq!(length_of(&whole, path).unwrap(), 7 + 8 + 8);
        assert_eq!(read_head(&whole, path, 4).unwrap(), read[..4]);
        assert_eq!(
            read_input(&whole, path, 20).unwrap_err().kind(),
            ErrorKind::FileTooLarge,
            "the limit is that of all"
        );
        for (names, says) in [
            (&["w.0001.obj", "w.0004.obj"][..], "w.0002.obj is missing between 0001 and 0004"),
            (&["w.1.obj", "w.01.obj"], "01 and 1 have the same number"),
            (&["w.obj"], "no such file"),
            (
                &["w.1.obj", "w.99999999999999999999.obj"],
                "the number of w.99999999999999999999.obj is too large",
            ),
        ] {
            let error = read_input(&memory(names), path, 1000).unwrap_err().to_string();
            assert!(error.contains(says), "{names:?}: {error}");
        }
        let own = read_input(&memory(&["w.#.obj", "w.1.obj"]), path, 1000).unwrap();
        assert_eq!(own, b"w.#.obj", "a file of that very name");
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn links_in_a_circle_lead_nowhere() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("loop");
        std::os::unix::fs::symlink("loop", &path).unwrap();
        assert_eq!(kind(&Files::Disk, &path).unwrap(), Kind::Other);
        assert_eq!(kind(&Files::Disk, &path.join("a.png")).unwrap(), Kind::Other);
        assert!(is_absent(&names_in(&Files::Disk, &path).unwrap_err()));
    }
}
