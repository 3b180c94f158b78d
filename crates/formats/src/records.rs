//! Records of binary files: ranges that are checked against the file before anything is read, and
//! the numbers in them.

use super::text::decode_text;
use super::{FilePlace, ModelFormatError};

/// `count` records of `size` bytes from a byte of a file; `at` is the position of the count.
pub(crate) fn range<'b>(
    bytes: &'b [u8],
    what: &str,
    [offset, count, size]: [usize; 3],
    at: FilePlace,
) -> Result<&'b [u8], ModelFormatError> {
    if count == 0 {
        return Ok(&[]);
    }
    let end = count.checked_mul(size).and_then(|length| offset.checked_add(length));
    end.and_then(|end| bytes.get(offset..end)).ok_or_else(|| {
        let found = format!("{count} of {size} bytes from byte {offset}");
        let expected = format!("a range within the {} bytes of the file", bytes.len());
        ModelFormatError::value(at, what, found, expected)
    })
}

/// An integer of a record; 0 if the record is shorter.
pub(crate) fn whole(record: &[u8], word: usize) -> u32 {
    let four = record.get(4 * word..4 * word + 4).and_then(|four| <[u8; 4]>::try_from(four).ok());
    four.map_or(0, u32::from_le_bytes)
}

/// Numbers of a record, all finite.
pub(crate) fn reals<const N: usize>(
    record: &[u8],
    word: usize,
    what: &str,
    at: FilePlace,
) -> Result<[f32; N], ModelFormatError> {
    let mut numbers = [0.0; N];
    for (place, number) in numbers.iter_mut().enumerate() {
        *number = f32::from_bits(whole(record, word + place));
        if !number.is_finite() {
            return Err(ModelFormatError::value(at, what, number, "finite numbers"));
        }
    }
    Ok(numbers)
}

/// A text up to its first byte of value 0.
pub(crate) fn text(bytes: &[u8]) -> String {
    let end = bytes.iter().position(|&byte| byte == 0).unwrap_or(bytes.len());
    String::from_utf8_lossy(&bytes[..end]).into_owned()
}

/// Reader of records that lie one after the other in a part of a file.
#[derive(Clone)]
pub(crate) struct Records<'b> {
    bytes: &'b [u8],
    /// The next byte.
    pub(crate) at: usize,
    /// The end of the part, at most the end of the file.
    pub(crate) end: usize,
}

impl<'b> Records<'b> {
    /// Those from a byte to another one.
    pub(crate) fn new(bytes: &'b [u8], at: usize, end: usize) -> Self {
        Self { bytes, at, end: end.min(bytes.len()) }
    }

    /// Bytes that are left.
    pub(crate) fn left(&self) -> usize {
        self.end.saturating_sub(self.at)
    }

    /// The next bytes. None if fewer are left.
    pub(crate) fn take(&mut self, count: usize) -> Option<&'b [u8]> {
        let next = self.at.checked_add(count).filter(|next| *next <= self.end)?;
        let own = self.bytes.get(self.at..next)?;
        self.at = next;
        Some(own)
    }

    /// The next two bytes as an integer.
    pub(crate) fn short(&mut self) -> Option<u16> {
        self.take(2)?.first_chunk().map(|two| u16::from_le_bytes(*two))
    }

    /// The next four bytes as an integer.
    pub(crate) fn whole(&mut self) -> Option<u32> {
        self.take(4)?.first_chunk().map(|four| u32::from_le_bytes(*four))
    }

    /// The next numbers, if the part has that many.
    pub(crate) fn reals<const N: usize>(&mut self) -> Option<[f32; N]> {
        let own = self.take(4 * N)?;
        Some(std::array::from_fn(|place| f32::from_bits(whole(own, place))))
    }

    /// The next text, which ends at a 0 byte or at the end of the part.
    pub(crate) fn text(&mut self) -> String {
        let rest = self.bytes.get(self.at..self.end).unwrap_or_default();
        let length = rest.iter().position(|&byte| byte == 0).unwrap_or(rest.len());
        self.at = self.end.min(self.at + length + 1);
        decode_text(rest.get(..length).unwrap_or_default())
    }
}
