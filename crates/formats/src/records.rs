//! Records of binary files: ranges that are checked against the file before anything is read, and the numbers in them.

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

/// A whole number of a record; 0 where the record is shorter.
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
