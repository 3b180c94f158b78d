//! Index of a list of models: offsets of some of its lines, so that each task of a farm reads the lines of its share alone.
//!
//! Form: the line `tintype list index 1 LINES BYTES DIGEST`, then the offset of every 256th line as 8 bytes, little-endian. BYTES is the
//! length of the list, DIGEST the BLAKE3 of its bytes; an index of another length belongs to another list and is not used.

use std::ffi::OsString;
use std::io::{self, Read, Seek, SeekFrom};
use std::ops::Range;
use std::path::{Path, PathBuf};
use tintype_base::disk::{open_regular, read_regular};

/// Lines between two offsets.
const STEP: usize = 256;

/// Start of the first line.
const HEAD: &str = "tintype list index 1 ";

/// The file of the index, beside the list.
#[must_use]
pub fn index_path(list: &Path) -> PathBuf {
    let mut name = OsString::from(list.as_os_str());
    name.push(".index");
    name.into()
}

/// The index of a list whose lines all end with a line feed.
#[must_use]
pub fn encode_index(list: &str) -> Vec<u8> {
    let ends = list.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(at, _)| at + 1);
    let (mut offsets, mut lines) = (Vec::new(), 0);
    let mut start = 0;
    for end in ends {
        if lines % STEP == 0 {
            offsets.extend((start as u64).to_le_bytes());
        }
        (start, lines) = (end, lines + 1);
    }
    let digest = blake3::hash(list.as_bytes()).to_hex();
    [format!("{HEAD}{lines} {} {digest}\n", list.len()).into_bytes(), offsets].concat()
}

/// The lines of a share, which `share` gives for the number of all lines; none without an index of this list.
///
/// # Errors
/// An I/O error if the list cannot be read.
pub fn lines_of_share(
    list: &Path,
    share: impl FnOnce(usize) -> Range<usize>,
) -> io::Result<Option<Vec<u8>>> {
    let Ok(index) = read_regular(&index_path(list)) else { return Ok(None) };
    let mut file = open_regular(list)?;
    let length = file.metadata()?.len();
    let Some(Index { lines, offsets, .. }) = parse_index(&index, length) else { return Ok(None) };
    let range = share(lines);
    if range.is_empty() || range.end > lines {
        return Ok(Some(Vec::new()));
    }
    // From the offset before the first line to the one behind the last.
    let offset = |place: usize| -> Option<u64> {
        let bytes = offsets.get(place * 8..place * 8 + 8)?;
        Some(u64::from_le_bytes(bytes.try_into().ok()?))
    };
    let first = range.start / STEP;
    let (Some(start), end) = (offset(first), offset(range.end.div_ceil(STEP)).unwrap_or(length))
    else {
        return Ok(None);
    };
    let mut bytes = Vec::new();
    file.seek(SeekFrom::Start(start))?;
    file.take(end.saturating_sub(start)).read_to_end(&mut bytes)?;
    let wanted = bytes.split_inclusive(|byte| *byte == b'\n').skip(range.start - first * STEP);
    Ok(Some(wanted.take(range.len()).flatten().copied().collect()))
}

/// The digest of a list, as its index holds it, without reading the list; none without an index of a list of that length.
#[must_use]
pub fn indexed_digest(list: &Path) -> Option<String> {
    let length = std::fs::metadata(list).ok()?.len();
    let index = read_regular(&index_path(list)).ok()?;
    parse_index(&index, length).map(|index| index.digest.to_owned())
}

/// A parsed index.
struct Index<'a> {
    lines: usize,
    digest: &'a str,
    /// 8 bytes each.
    offsets: &'a [u8],
}

/// Parses an index; none for that of another list.
fn parse_index(index: &[u8], length: u64) -> Option<Index<'_>> {
    let end = index.iter().position(|byte| *byte == b'\n')?;
    let head = std::str::from_utf8(index.get(..end)?).ok()?;
    let (lines, rest) = head.strip_prefix(HEAD)?.split_once(' ')?;
    let (bytes, digest) = rest.split_once(' ')?;
    let (lines, bytes): (usize, u64) = (lines.parse().ok()?, bytes.parse().ok()?);
    let offsets = index.get(end + 1..)?;
    let is_whole = bytes == length && offsets.len() == lines.div_ceil(STEP) * 8;
    is_whole.then_some(Index { lines, digest, offsets })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn shares_of_a_list_are_read_without_the_rest() {
        let folder = tempfile::tempdir().unwrap();
        let list = folder.path().join("a.list");
        for count in [1, 255, 256, 257, 1000] {
            let names: Vec<String> =
                (0..count).map(|n| format!("{n}/é{}\n", "x".repeat(n % 7))).collect();
            let text = names.concat();
            fs::write(&list, &text).unwrap();
            fs::write(index_path(&list), encode_index(&text)).unwrap();
            for of in [1, 3, 256, 1001] {
                let cut = |index: usize| count * index / of;
                let share = |index: usize| {
                    let read = lines_of_share(&list, |lines| {
                        assert_eq!(lines, count);
                        cut(index)..cut(index + 1)
                    });
                    String::from_utf8(read.unwrap().unwrap()).unwrap()
                };
                for index in [0, of / 2, of - 1] {
                    assert_eq!(share(index), names[cut(index)..cut(index + 1)].concat());
                }
            }
        }
        // A list that was changed, or has no index, is read as a whole by the caller.
        fs::write(&list, "other\n").unwrap();
        assert!(lines_of_share(&list, |lines| 0..lines).unwrap().is_none());
        fs::remove_file(index_path(&list)).unwrap();
        assert!(lines_of_share(&list, |lines| 0..lines).unwrap().is_none());
        fs::remove_file(&list).unwrap();
        fs::write(index_path(&list), encode_index("a\n")).unwrap();
        assert!(lines_of_share(&list, |lines| 0..lines).is_err());
    }
}
