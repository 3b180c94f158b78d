//! The frame of a binary file (`.glb`): a header of 12 bytes, the JSON chunk, and optionally one
//! chunk of binary data.
//!
//! # Source
//! glTF 2.0, chapter 4, "GLB File Format Specification".

use super::error::GltfError;
use super::faults::RepairLog;
use tintype_model::FileRepair;

/// The parts of a file: its JSON text, and the binary chunk if there is one.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Container<'a> {
    pub(super) json: &'a [u8],
    pub(super) binary: Option<&'a [u8]>,
}

/// The first four bytes of a binary file.
pub(super) const MAGIC: &[u8; 4] = b"glTF";
const HEADER_BYTES: usize = 12;
const CHUNK_HEADER_BYTES: usize = 8;
const JSON_CHUNK: [u8; 4] = *b"JSON";
const BINARY_CHUNK: [u8; 4] = *b"BIN\0";

/// Splits a file into JSON and binary data. A file without the binary signature is entirely JSON.
///
/// Chunks of other kinds are skipped, as the format requires. Bytes beyond the length in the header
/// cause a warning, and so does a file that is truncated after its JSON chunk.
///
/// # Errors
/// [`GltfError::Container`] for another version, a truncated JSON chunk, or a first chunk that is
/// not JSON.
pub(super) fn split<'a>(bytes: &'a [u8], faults: &RepairLog) -> Result<Container<'a>, GltfError> {
    if !bytes.starts_with(MAGIC) {
        let json = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
        return Ok(Container { json, binary: None });
    }
    match word(bytes, 4, "the version")? {
        2 => {}
        1 => return Err(wrong(4, "the version of glTF", "1.0", "2.0")),
        version => return Err(wrong(4, "the version of the container", version, "2")),
    }
    let file = stated_part(bytes, faults)?;
    let mut container = Container { json: &[], binary: None };
    let mut offset = HEADER_BYTES;
    let mut index = 0;
    loop {
        let length = word(file, offset, "the length of a chunk")?;
        let kind = word(file, offset + 4, "the type of a chunk")?.to_le_bytes();
        if index == 0 && kind != JSON_CHUNK {
            let found = kind.escape_ascii();
            return Err(wrong(offset + 4, "the type of the first chunk", found, "JSON"));
        }
        let start = offset + CHUNK_HEADER_BYTES;
        let rest = file.get(start..).unwrap_or_default();
        let length = usize::try_from(length).unwrap_or(usize::MAX);
        let data = rest.get(..length).unwrap_or(rest);
        if data.len() < length {
            let expected = format!("at most the {} remaining bytes", rest.len());
            let error = wrong(offset, "the length of a chunk", length, &expected);
            if index == 0 {
                return Err(error);
            }
            faults.note_cause(error.clone());
            faults.tell(FileRepair::Truncated, format!("{error}; those are used"));
        }
        match (index, kind) {
            (0, _) => container.json = data,
            (1, BINARY_CHUNK) => container.binary = Some(data),
            _ => {}
        }
        // Chunks end at multiples of four bytes; missing padding is only accepted at the end of the
        // file.
        offset = start + data.len();
        index += 1;
        if file.len() - offset < CHUNK_HEADER_BYTES {
            return Ok(container);
        }
    }
}

/// The bytes within the length that the header states; a wrong one causes a warning.
fn stated_part<'a>(bytes: &'a [u8], faults: &RepairLog) -> Result<&'a [u8], GltfError> {
    let declared = word(bytes, 8, "the length of the file")?;
    let length = usize::try_from(declared).unwrap_or(usize::MAX);
    if length > bytes.len() {
        let error = wrong(8, "the length of the file", bytes.len(), &declared.to_string());
        faults.note_cause(error.clone());
        faults.tell(FileRepair::Truncated, format!("{error}; the available part is used"));
    } else if length < HEADER_BYTES + CHUNK_HEADER_BYTES {
        let expected = format!("the {} bytes of the file", bytes.len());
        let error = wrong(8, "the length of the file", declared, &expected);
        faults.tell(FileRepair::OutOfRange, format!("{error}; those are used"));
    } else if length < bytes.len() {
        let more = bytes.len() - length;
        let message = format!("{more} bytes after the end of the glTF data are ignored");
        faults.tell(FileRepair::Leftover, message);
        return Ok(bytes.get(..length).unwrap_or(bytes));
    }
    Ok(bytes)
}

fn word(bytes: &[u8], offset: usize, what: &'static str) -> Result<u32, GltfError> {
    let four = bytes.get(offset..offset + 4).and_then(|four| <[u8; 4]>::try_from(four).ok());
    four.map(u32::from_le_bytes)
        .ok_or_else(|| wrong(offset, what, "the end of the file", "four bytes"))
}

fn wrong(offset: usize, what: &'static str, found: impl ToString, expected: &str) -> GltfError {
    GltfError::Container { offset, what, found: found.to_string(), expected: expected.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn glb(chunks: &[(&[u8; 4], &[u8])]) -> Vec<u8> {
        let mut bytes = b"glTF\x02\0\0\0\0\0\0\0".to_vec();
        for (kind, data) in chunks {
            bytes.extend(u32::try_from(data.len()).unwrap().to_le_bytes());
            bytes.extend(*kind);
            bytes.extend(*data);
        }
        let length = u32::try_from(bytes.len()).unwrap();
        bytes[8..12].copy_from_slice(&length.to_le_bytes());
        bytes
    }

    fn refused(bytes: &[u8]) -> String {
        split(bytes, &RepairLog::default()).unwrap_err().to_string()
    }

    #[test]
    fn container_gives_json_and_binary_data_and_skips_other_chunks() {
        let bytes = glb(&[(b"JSON", b"{}  "), (b"BIN\0", b"abcd"), (b"XTRA", b"efgh")]);
        let found = split(&bytes, &RepairLog::default()).unwrap();
        assert_eq!(found, Container { json: b"{}  ", binary: Some(b"abcd") });
        let bytes = glb(&[(b"JSON", b"{}  "), (b"XTRA", b"efgh")]);
        assert_eq!(split(&bytes, &RepairLog::default()).unwrap().binary, None);
        assert_eq!(split(b"\xef\xbb\xbf{}", &RepairLog::default()).unwrap().json, b"{}");
    }

    #[test]
    fn container_tells_of_bytes_behind_its_end() {
        let mut bytes = glb(&[(b"JSON", b"{}  ")]);
        bytes.extend(b"tail");
        let faults = RepairLog::default();
        split(&bytes, &faults).unwrap();
        let told = FileRepair::Leftover.told("4 bytes after the end of the glTF data are ignored");
        assert_eq!(faults.finish(), [told]);
    }

    #[test]
    fn container_refuses_damage_with_the_byte() {
        let whole = glb(&[(b"JSON", b"{}  "), (b"BIN\0", b"abcd")]);
        // Up to the end of the JSON chunk; truncation after it costs the parts in it.
        for end in 4..24 {
            assert!(refused(&whole[..end]).starts_with("byte "), "{end}");
        }
        for end in 24..whole.len() {
            let faults = RepairLog::default();
            let found = split(&whole[..end], &faults).unwrap();
            assert_eq!(found.json, b"{}  ");
            assert_eq!(found.binary, (end >= 32).then(|| &b"abcd"[..end - 32]));
            let told = faults.finish();
            assert!(told.iter().all(|one| one.fault == FileRepair::Truncated), "{end}: {told:?}");
            let found = format!("byte 8: the length of the file: found {end}; expected 36;");
            assert!(told[0].message.starts_with(&found), "{end}: {told:?}");
        }
        let mut old = whole.clone();
        old[4] = 1;
        assert_eq!(refused(&old), "byte 4: the version of glTF: found 1.0; expected 2.0");
        old[4] = 3;
        assert_eq!(refused(&old), "byte 4: the version of the container: found 3; expected 2");
        let mut long = whole.clone();
        long[12..16].copy_from_slice(&u32::MAX.to_le_bytes());
        assert_eq!(
            refused(&long),
            "byte 12: the length of a chunk: found 4294967295; expected at most the 16 remaining bytes"
        );
        let first = glb(&[(b"BIN\0", b"abcd")]);
        assert_eq!(
            refused(&first),
            "byte 16: the type of the first chunk: found BIN\\x00; expected JSON"
        );
    }
}
