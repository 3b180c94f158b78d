//! Chunks: a number, a length that includes its six bytes, and records or nested chunks.

use crate::FilePlace;
use crate::records::Records;
use crate::told::Told;
use tintype_model::FileRepair;

pub(super) const VERSION: u16 = 0x0002;
pub(super) const MESH_VERSION: u16 = 0x3d3e;
pub(super) const EDITOR: u16 = 0x3d3d;
pub(super) const KEYFRAMER: u16 = 0xb000;
/// Bytes of the number and the length.
const HEAD: usize = 6;

/// A chunk whose records are to be read.
pub(super) struct Chunk<'b> {
    pub(super) id: u16,
    /// Its first byte.
    pub(super) at: usize,
    pub(super) records: Records<'b>,
}

impl Chunk<'_> {
    pub(super) fn place(&self) -> FilePlace {
        FilePlace::Byte(self.at)
    }
}

/// The next chunk of a part. None at its end. A length that is too large is cut at the end of the
/// part; one that is too small means an empty chunk.
pub(super) fn next<'b>(part: &mut Records<'b>, told: &mut Told) -> Option<Chunk<'b>> {
    let (at, end) = (part.at, part.end);
    let mut records = part.clone();
    let (Some(id), Some(length)) = (records.short(), records.whole()) else {
        if part.left() > 0 {
            let what = "trailing bytes too short for a chunk are skipped";
            told.note(FileRepair::Leftover, FilePlace::Byte(at), what);
        }
        part.at = end;
        return None;
    };
    let length = usize::try_from(length).unwrap_or(usize::MAX);
    let found = || format!("chunk {id:#06x} of {length} bytes");
    if length < HEAD {
        let what = "its length is invalid; it is treated as empty";
        told.note_with(FileRepair::Malformed, FilePlace::Byte(at), what, found);
    }
    let wanted = at.saturating_add(length.max(HEAD));
    if wanted > end {
        let what = "it is longer than its parent; the available part is read";
        told.note_with(FileRepair::Truncated, FilePlace::Byte(at), what, found);
    }
    records.end = wanted.min(end);
    part.at = records.end;
    Some(Chunk { id, at, records })
}

/// A list of records after its 16-bit count; a truncated list has the records that exist, with a
/// warning.
pub(super) fn list<'b, T>(
    records: &mut Records<'b>,
    told: &mut Told,
    mut read: impl FnMut(&mut Records<'b>) -> Option<T>,
) -> Vec<T> {
    let at = FilePlace::Byte(records.at);
    let count = usize::from(records.short().unwrap_or(0));
    let all: Vec<T> = (0..count).map_while(|_| read(records)).collect();
    if all.len() < count {
        let found = || format!("{} of {count} entries", all.len());
        told.note_with(FileRepair::CountMismatch, at, "a list is truncated", found);
    }
    all
}

/// Replaces invalid numbers by `usual`, and reports them.
pub(super) fn sound<const N: usize>(
    numbers: [f32; N],
    usual: f32,
    at: FilePlace,
    told: &mut Told,
) -> [f32; N] {
    if numbers.iter().any(|number| !is_sound(*number)) {
        let what = "a number is not finite or too large; the default is used";
        told.note(FileRepair::NotFinite, at, what);
    }
    numbers.map(|number| if is_sound(number) { number } else { usual })
}

pub(super) fn is_sound(number: f32) -> bool {
    const LARGEST: f32 = 1.0e18;
    number.abs() <= LARGEST
}
