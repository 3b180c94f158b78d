//! ZIP archives, including `.pk4` files: their list of files, and the bytes of one.
//!
//! Input: a seekable stream. Output: an [`Archive`], which keeps only names and positions; the
//! bytes of a file are read on request. Stored and deflated files are supported. Nothing is written
//! anywhere.
//!
//! A file that is encrypted, compressed in another way or a symbolic link is listed, but refused
//! when it is read. An archive with a name that leads out of it is refused as a whole. If several
//! files have the same name, the last counts.
//!
//! # Source
//! PKWARE, "APPNOTE.TXT - .ZIP File Format Specification", 4.3 and 4.4; archives of more than 4 GiB
//! or 65,534 files (Zip64) are refused.

use super::decode_text;
use miniz_oxide::inflate::decompress_to_vec_with_limit;
use std::collections::BTreeMap;
use std::fmt;
use std::io::{self, Read, Seek, SeekFrom};

/// Maximum size of the list of an archive in bytes: a list of 65,534 files takes a few megabytes.
const MAX_LIST: u64 = 64 << 20;
/// Maximum expansion of one byte by deflate.
const MAX_RATIO: u64 = 1032;
/// The end record without its comment.
const END: usize = 22;

/// A file in an archive.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Entry {
    /// Of its local header in the stream.
    offset: u64,
    packed: u64,
    length: u64,
    crc: u32,
    content: Content,
}

/// Storage of the bytes of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Content {
    Stored,
    Deflated,
    /// Stored in an unsupported way, with the reason.
    Refused(&'static str),
}

/// Names and positions of the files in an archive.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Archive {
    entries: BTreeMap<String, Entry>,
}

/// Fault of an archive or of a file in it.
#[derive(Debug)]
pub enum ArchiveError {
    /// The stream cannot be read.
    Io(io::Error),
    /// Not an archive, or a broken one, with the reason.
    Broken(&'static str),
    /// A name that leads out of the archive.
    Outside(String),
    /// The file does not exist.
    Absent,
    /// The file is longer than is allowed.
    TooLarge {
        /// Bytes of the file.
        length: u64,
        /// Maximum number of bytes.
        allowed: u64,
    },
}

impl fmt::Display for ArchiveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => error.fmt(f),
            Self::Broken(what) => f.write_str(what),
            Self::Outside(name) => write!(f, "the name {name:?} points outside the archive"),
            Self::Absent => f.write_str("no such file in the archive"),
            Self::TooLarge { length, allowed } => {
                write!(f, "it has {length} bytes; the limit is {allowed}")
            }
        }
    }
}

impl std::error::Error for ArchiveError {}

impl From<io::Error> for ArchiveError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl From<ArchiveError> for io::Error {
    fn from(error: ArchiveError) -> Self {
        let kind = match error {
            ArchiveError::Io(error) => return error,
            ArchiveError::Absent => io::ErrorKind::NotFound,
            ArchiveError::TooLarge { .. } => io::ErrorKind::FileTooLarge,
            ArchiveError::Broken(_) | ArchiveError::Outside(_) => io::ErrorKind::InvalidData,
        };
        Self::new(kind, error.to_string())
    }
}

/// Numbers of a header, least significant byte first; 0 beyond its end.
struct Fields<'a>(&'a [u8]);

impl Fields<'_> {
    fn u16(&self, at: usize) -> u16 {
        let bytes = self.0.get(at..at + 2).and_then(|two| two.try_into().ok());
        bytes.map_or(0, u16::from_le_bytes)
    }

    fn u32(&self, at: usize) -> u32 {
        let bytes = self.0.get(at..at + 4).and_then(|four| four.try_into().ok());
        bytes.map_or(0, u32::from_le_bytes)
    }
}

impl Archive {
    /// Reads the list of an archive.
    ///
    /// # Errors
    /// [`ArchiveError::Broken`], [`ArchiveError::Outside`], or the error of the stream.
    pub fn read(stream: &mut (impl Read + Seek)) -> Result<Self, ArchiveError> {
        let total = stream.seek(SeekFrom::End(0))?;
        let end = read_end(stream, total)?;
        let end_at = total - end.len() as u64;
        let fields = Fields(&end);
        let (count, size, start) = (fields.u16(10), fields.u32(12), fields.u32(16));
        if count == u16::MAX || size == u32::MAX || start == u32::MAX {
            return Err(ArchiveError::Broken("Zip64 archives are not supported"));
        }
        if fields.u16(4) != 0 || fields.u16(6) != 0 || fields.u16(8) != count {
            return Err(ArchiveError::Broken("multi-part archives are not supported"));
        }
        let (size, start) = (u64::from(size), u64::from(start));
        let list_at = end_at.checked_sub(size).filter(|&at| at >= start && size <= MAX_LIST);
        let list_at = list_at.ok_or(ArchiveError::Broken("its file list is truncated"))?;
        stream.seek(SeekFrom::Start(list_at))?;
        let mut list = Vec::new();
        stream.take(size).read_to_end(&mut list)?;
        // Data before the archive, such as a self-extractor, does not count in offsets.
        let before = list_at - start;
        let mut entries = BTreeMap::new();
        let mut rest = list.as_slice();
        for _ in 0..count {
            let (name, entry, length) = read_entry(rest, before)?;
            rest = rest.get(length..).unwrap_or_default();
            if let Some(entry) = entry {
                entries.insert(name, entry);
            }
        }
        Ok(Self { entries })
    }

    /// The bytes of a file up to this size.
    ///
    /// # Errors
    /// [`ArchiveError::Absent`], [`ArchiveError::TooLarge`] before memory is allocated,
    /// [`ArchiveError::Broken`].
    pub fn bytes(
        &self,
        stream: &mut (impl Read + Seek),
        name: &str,
        most: u64,
    ) -> Result<Vec<u8>, ArchiveError> {
        let entry = self.entries.get(name).ok_or(ArchiveError::Absent)?;
        let Entry { offset, packed, length, crc, content } = *entry;
        if length > most {
            return Err(ArchiveError::TooLarge { length, allowed: most });
        }
        // Deflate adds a few bytes to incompressible data.
        let is_sound = match content {
            Content::Stored => packed == length,
            Content::Deflated => {
                length <= packed.saturating_mul(MAX_RATIO) && packed <= length + length / 8 + 64
            }
            Content::Refused(why) => return Err(ArchiveError::Broken(why)),
        };
        let total = stream.seek(SeekFrom::End(0))?;
        if !is_sound || packed > total {
            return Err(ArchiveError::Broken("its lengths in the archive contradict each other"));
        }
        stream.seek(SeekFrom::Start(offset))?;
        let mut head = [0; 30];
        stream.read_exact(&mut head)?;
        let fields = Fields(&head);
        if fields.u32(0) != u32::from_le_bytes(*b"PK\x03\x04") {
            return Err(ArchiveError::Broken("the archive has no file at its offset"));
        }
        let behind = i64::from(fields.u16(26)) + i64::from(fields.u16(28));
        stream.seek(SeekFrom::Current(behind))?;
        let mut bytes = Vec::new();
        stream.take(packed).read_to_end(&mut bytes)?;
        if content == Content::Deflated {
            let most = usize::try_from(length).unwrap_or(usize::MAX);
            bytes = decompress_to_vec_with_limit(&bytes, most)
                .map_err(|_| ArchiveError::Broken("it cannot be decompressed"))?;
        }
        if bytes.len() as u64 == length && crc32fast::hash(&bytes) == crc {
            Ok(bytes)
        } else {
            Err(ArchiveError::Broken("its bytes do not match its checksum"))
        }
    }

    /// Number of bytes of a file.
    #[must_use]
    pub fn length_of(&self, name: &str) -> Option<u64> {
        Some(self.entries.get(name)?.length)
    }

    /// True if a path is a folder of the archive; the empty path is the archive itself.
    #[must_use]
    pub fn is_folder(&self, folder: &str) -> bool {
        folder.is_empty() || self.below(folder).next().is_some()
    }

    /// Names of the files and folders in a folder, sorted.
    #[must_use]
    pub fn names(&self, folder: &str) -> Vec<&str> {
        let mut names: Vec<&str> = self
            .below(folder)
            .filter_map(|rest| rest.split('/').next())
            .filter(|name| !name.is_empty())
            .collect();
        names.sort_unstable();
        names.dedup();
        names
    }

    /// Rests of the names below a folder.
    fn below<'a>(&'a self, folder: &str) -> impl Iterator<Item = &'a str> {
        let start = if folder.is_empty() { String::new() } else { format!("{folder}/") };
        let from = self.entries.range(start.clone()..).map(|(name, _)| name.as_str());
        from.map_while(move |name| name.strip_prefix(&start))
    }
}

/// The end record with its comment, searched from the end.
fn read_end(stream: &mut (impl Read + Seek), total: u64) -> Result<Vec<u8>, ArchiveError> {
    let most = (END as u64 + u64::from(u16::MAX)).min(total);
    stream.seek(SeekFrom::Start(total - most))?;
    let mut tail = Vec::new();
    stream.take(most).read_to_end(&mut tail)?;
    let is_end = |at: &usize| {
        let fields = Fields(tail.get(*at..).unwrap_or_default());
        fields.u32(0) == u32::from_le_bytes(*b"PK\x05\x06")
            && at + END + usize::from(fields.u16(20)) == tail.len()
    };
    let at = (0..(tail.len() + 1).saturating_sub(END)).rev().find(is_end);
    let at = at.ok_or(ArchiveError::Broken("it is not a ZIP archive, or it is truncated"))?;
    Ok(tail.split_off(at))
}

/// The name of the next file in the list, the file unless it is a folder, and the length of its
/// record.
fn read_entry(list: &[u8], before: u64) -> Result<(String, Option<Entry>, usize), ArchiveError> {
    const HEAD: usize = 46;
    const ON_UNIX: u16 = 3;
    const KIND: u32 = 0o170_000;
    const LINK: u32 = 0o120_000;
    let fields = Fields(list);
    let cut = ArchiveError::Broken("its file list is truncated");
    if fields.u32(0) != u32::from_le_bytes(*b"PK\x01\x02") {
        return Err(cut);
    }
    let [name, extra, comment] = [28, 30, 32].map(|at| usize::from(fields.u16(at)));
    let written = list.get(HEAD..HEAD + name).ok_or(cut)?;
    // Programs on Windows write `\`.
    let name_text = decode_text(written).replace('\\', "/");
    let is_folder = name_text.ends_with('/');
    let plain = name_text.trim_start_matches("./").trim_end_matches('/').to_owned();
    let is_outside = name_text.starts_with('/')
        || plain.split('/').any(|part| part == ".." || part.ends_with(':') || part.contains('\0'));
    if is_outside {
        return Err(ArchiveError::Outside(name_text));
    }
    let mode = fields.u32(38) >> 16;
    let is_link = fields.u16(4) >> 8 == ON_UNIX && mode & KIND == LINK;
    let content = match fields.u16(10) {
        _ if is_link => {
            Content::Refused("it is a symbolic link; links in archives are not followed")
        }
        _ if fields.u16(8) & 1 != 0 => Content::Refused("it is encrypted in the archive"),
        0 => Content::Stored,
        8 => Content::Deflated,
        _ => Content::Refused("only deflate compression is supported in archives"),
    };
    let entry = Entry {
        offset: u64::from(fields.u32(42)) + before,
        packed: u64::from(fields.u32(20)),
        length: u64::from(fields.u32(24)),
        crc: fields.u32(16),
        content,
    };
    let is_file = !is_folder && !plain.is_empty();
    Ok((plain, is_file.then_some(entry), HEAD + name + extra + comment))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Cursor;

    /// An archive of names with their bytes, deflated if that is shorter.
    fn zip_of(files: &[(&str, &[u8])]) -> Vec<u8> {
        let (mut file, mut list) = (Vec::new(), Vec::new());
        for (name, bytes) in files {
            let deflated = miniz_oxide::deflate::compress_to_vec(bytes, 6);
            let is_deflated = deflated.len() < bytes.len();
            let packed = if is_deflated { &deflated[..] } else { bytes };
            let method: u16 = if is_deflated { 8 } else { 0 };
            let length =
                |bytes: &[u8]| u32::try_from(bytes.len()).unwrap_or(u32::MAX).to_le_bytes();
            let name_length = u16::try_from(name.len()).unwrap_or(u16::MAX).to_le_bytes();
            let mut common = vec![20, 0, 0, 8];
            common.extend(method.to_le_bytes());
            common.extend([0; 4]);
            common.extend(crc32fast::hash(bytes).to_le_bytes());
            common.extend(length(packed));
            common.extend(length(bytes));
            common.extend(name_length);
            common.extend([0; 2]);
            let offset = length(&file);
            file.extend([b"PK\x03\x04", &common[..], name.as_bytes(), packed].concat());
            list.extend(
                [b"PK\x01\x02\x14\x03", &common[..], &[0; 10], &offset, name.as_bytes()].concat(),
            );
        }
        let count = u16::try_from(files.len()).unwrap_or(u16::MAX).to_le_bytes();
        let size = u32::try_from(list.len()).unwrap_or(u32::MAX).to_le_bytes();
        let start = u32::try_from(file.len()).unwrap_or(u32::MAX).to_le_bytes();
        let end = [&b"PK\x05\x06\0\0\0\0"[..], &count, &count, &size, &start, &[0; 2]].concat();
        [file, list, end].concat()
    }

    fn read(bytes: &[u8]) -> Result<Archive, String> {
        Archive::read(&mut Cursor::new(bytes)).map_err(|error| error.to_string())
    }

    fn bytes(file: &[u8], name: &str, most: u64) -> Result<Vec<u8>, String> {
        let archive = read(file)?;
        archive.bytes(&mut Cursor::new(file), name, most).map_err(|error| error.to_string())
    }

    #[test]
    fn archive_gives_files_and_folders() {
        let long = vec![7; 5000];
        let file = zip_of(&[
            ("models/a.x", b"xof"),
            ("models/", b""),
            ("textures\\skin.tga", &long),
            ("models.txt", b"1"),
            ("models/a.x", b"newer"),
        ]);
        let archive = read(&file).unwrap();
        assert_eq!(archive.names(""), ["models", "models.txt", "textures"]);
        assert_eq!(archive.names("models"), ["a.x"]);
        assert!(archive.is_folder("models") && archive.is_folder("") && !archive.is_folder("mod"));
        assert_eq!(bytes(&file, "models/a.x", 10).unwrap(), b"newer", "the last counts");
        assert_eq!(bytes(&file, "textures/skin.tga", 5000).unwrap(), long);
        assert_eq!(archive.length_of("textures/skin.tga"), Some(5000));
        // Data before the archive, and a comment after it.
        let mut told = [b"#!/bin/sh\n", &file[..], b"by hand"].concat();
        let at = told.len() - 7 - 2;
        told[at] = 7;
        assert_eq!(bytes(&told, "textures/skin.tga", 5000).unwrap(), long);
    }

    #[test]
    fn archive_refuses_what_leads_out_of_it_by_name() {
        for name in ["../../etc/passwd", "a/../../b", "/etc/passwd", "C:/boot.ini", "a\\..\\..\\b"]
        {
            let error = read(&zip_of(&[("good.x", b"1"), (name, b"2")])).unwrap_err();
            assert!(error.contains(&name.replace('\\', "/")), "{name}: {error}");
        }
        assert!(read(&zip_of(&[("./a..b/c.x", b"1")])).unwrap().is_folder("a..b"));
    }

    #[test]
    fn archive_refuses_parts_that_it_cannot_read_by_their_reason() {
        let good = zip_of(&[("a", &[5; 300])]);
        let list = good.windows(4).position(|four| four == b"PK\x01\x02").unwrap();
        let changed = |changes: &[(usize, u8)]| {
            let mut file = good.clone();
            changes.iter().for_each(|&(at, byte)| file[list + at] = byte);
            bytes(&file, "a", 1000).unwrap_err()
        };
        assert!(changed(&[(8, 1)]).contains("encrypted"));
        assert!(changed(&[(10, 12)]).contains("deflate"));
        assert!(changed(&[(41, 0o120_000_u32.to_le_bytes()[1])]).contains("symbolic link"));
        assert!(changed(&[(16, 0)]).contains("checksum"));
        assert!(changed(&[(24, 9), (25, 0)]).contains("decompressed"), "longer than it says");
        // A length that exceeds the packed bytes is refused before memory is allocated.
        assert!(changed(&[(27, 1)]).contains("limit is 1000"));
        let mut bomb = good.clone();
        bomb[list + 27] = 0x7f;
        assert!(bytes(&bomb, "a", u64::MAX).unwrap_err().contains("contradict"));
        assert_eq!(bytes(&good, "a", 299).unwrap_err(), "it has 300 bytes; the limit is 299");
        assert!(bytes(&good, "b", 9).unwrap_err().contains("no such file"));
    }

    #[test]
    fn every_cut_archive_is_an_error_and_never_a_panic() {
        let good = zip_of(&[("a/b", &[5; 90]), ("c", b"12")]);
        for length in 0..good.len() {
            assert!(read(&good[..length]).is_err(), "{length}");
        }
        for at in 0..good.len() {
            for byte in [0, 1, 0x7f, 0xff] {
                let mut file = good.clone();
                file[at] = byte;
                if let Ok(archive) = read(&file) {
                    for name in archive.entries.keys() {
                        let _ = archive.bytes(&mut Cursor::new(&file), name, 1 << 20);
                    }
                }
            }
        }
    }
}
