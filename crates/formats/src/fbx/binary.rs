//! Binary files: records with a length, values and nested records.

use super::tree::{Budget, Endian, MAX_DEPTH, Node, Packed, Value};
use crate::{FilePlace, LoadOptions, ModelFormatError};
use std::borrow::Cow;

/// The signature of a binary file; a byte of 26, the byte order and the version follow.
pub(super) const MAGIC: &[u8] = b"Kaydara FBX Binary  \0";
const HEADER: usize = 27;

/// The version of a binary file and its byte order.
pub(super) fn version(bytes: &[u8]) -> Result<(u32, Endian), ModelFormatError> {
    let at = FilePlace::Byte(MAGIC.len());
    let Some(&[_, order, a, b, c, d]) = bytes.get(MAGIC.len()..HEADER) else {
        let expected = format!("{HEADER} bytes or more");
        return Err(ModelFormatError::value(at, "the header", bytes.len(), expected));
    };
    let four = [a, b, c, d];
    Ok(match order {
        0 => (u32::from_le_bytes(four), Endian::Little),
        _ => (u32::from_be_bytes(four), Endian::Big),
    })
}

/// Reads the records of a binary file.
///
/// # Errors
/// [`ModelFormatError`] with the byte of the first record that does not fit.
pub(super) fn read<'a>(
    bytes: &'a [u8],
    options: &LoadOptions,
) -> Result<Node<'a>, ModelFormatError> {
    let (version, endian) = version(bytes)?;
    let mut reader = Reader {
        bytes,
        at: HEADER,
        endian,
        is_wide: version >= 7500,
        most: options.limits.max_inflated(bytes.len()),
        budget: Budget::new(options),
        options,
    };
    let mut root = Node {
        name: Cow::Borrowed(""),
        at: FilePlace::Byte(0),
        values: Vec::new(),
        children: Vec::new(),
    };
    while reader.at < bytes.len() {
        match reader.node(bytes.len(), 0)? {
            Some(node) => root.children.push(node),
            None => break,
        }
    }
    Ok(root)
}

struct Reader<'a, 'o> {
    bytes: &'a [u8],
    at: usize,
    endian: Endian,
    is_wide: bool,
    most: usize,
    budget: Budget,
    options: &'o LoadOptions,
}

impl<'a> Reader<'a, '_> {
    fn place(&self) -> FilePlace {
        FilePlace::Byte(self.at)
    }

    fn take(&mut self, count: usize, end: usize) -> Result<&'a [u8], ModelFormatError> {
        let stop = self.at.checked_add(count).filter(|&stop| stop <= end);
        let Some(found) = stop.and_then(|stop| self.bytes.get(self.at..stop)) else {
            let left = end.saturating_sub(self.at);
            let found = format!("{left} bytes to the end of the record");
            let expected = format!("{count} bytes; the file is cut off or damaged");
            return Err(ModelFormatError::value(self.place(), "a record", found, expected));
        };
        self.at += count;
        Ok(found)
    }

    fn number<const N: usize>(&mut self, end: usize) -> Result<u64, ModelFormatError> {
        let mut all = [0; 8];
        let bytes = self.take(N, end)?;
        match self.endian {
            Endian::Little => {
                all.iter_mut().zip(bytes).for_each(|(to, from)| *to = *from);
                Ok(u64::from_le_bytes(all))
            }
            Endian::Big => {
                all.iter_mut().rev().zip(bytes.iter().rev()).for_each(|(to, from)| *to = *from);
                Ok(u64::from_be_bytes(all))
            }
        }
    }

    /// A number of the head of a record.
    fn head(&mut self, end: usize) -> Result<usize, ModelFormatError> {
        let number = if self.is_wide { self.number::<8>(end)? } else { self.number::<4>(end)? };
        Ok(usize::try_from(number).unwrap_or(usize::MAX))
    }

    /// The next record. None at the end of the list of records.
    fn node(&mut self, end: usize, depth: usize) -> Result<Option<Node<'a>>, ModelFormatError> {
        let at = self.place();
        let stop = self.head(end)?;
        let count = self.head(end)?;
        let list = self.head(end)?;
        let length = self.take(1, end)?.first().copied().unwrap_or(0);
        if stop == 0 {
            return Ok(None);
        }
        self.budget.node(at)?;
        self.options.deadline.check("reading records")?;
        if depth >= MAX_DEPTH {
            let found = format!("more than {MAX_DEPTH}");
            return Err(ModelFormatError::value(at, "records within records", found, "fewer"));
        }
        if stop > end || stop < self.at {
            let expected = format!("a byte from {} to {end}", self.at);
            return Err(ModelFormatError::value(at, "the end of a record", stop, expected));
        }
        let name = self.take(usize::from(length), stop)?;
        let values_at = self.at;
        let values_end = values_at.checked_add(list).filter(|&byte| byte <= stop);
        let Some(values_end) = values_end else {
            return Err(ModelFormatError::value(at, "the bytes of values", list, "fewer"));
        };
        // A value takes at least two bytes.
        if count > list {
            let expected = format!("at most {list}, a byte each");
            return Err(ModelFormatError::value(at, "the count of values", count, expected));
        }
        self.budget.values(count, at)?;
        let mut values = Vec::new();
        for _ in 0..count {
            values.push(self.value(values_end)?);
        }
        self.at = values_end;
        let mut children = Vec::new();
        while self.at < stop {
            match self.node(stop, depth + 1)? {
                Some(child) => children.push(child),
                None => break,
            }
        }
        self.at = stop;
        Ok(Some(Node { name: String::from_utf8_lossy(name), at, values, children }))
    }

    fn value(&mut self, end: usize) -> Result<Value<'a>, ModelFormatError> {
        let at = self.place();
        let kind = self.take(1, end)?.first().copied().unwrap_or(0);
        Ok(match kind {
            b'C' | b'B' | b'Z' => Value::Letter(self.take(1, end)?.first().copied().unwrap_or(0)),
            b'Y' => Value::Int(i64::from(low16(self.number::<2>(end)?))),
            b'I' => Value::Int(i64::from(low32(self.number::<4>(end)?).cast_signed())),
            b'L' => Value::Int(self.number::<8>(end)?.cast_signed()),
            b'F' => Value::Real(f64::from(f32::from_bits(low32(self.number::<4>(end)?)))),
            b'D' => Value::Real(f64::from_bits(self.number::<8>(end)?)),
            b'S' | b'R' => {
                let length = usize::try_from(self.number::<4>(end)?).unwrap_or(usize::MAX);
                Value::Text(Cow::Borrowed(self.take(length, end)?))
            }
            b'f' | b'd' | b'l' | b'i' | b'b' | b'c' => {
                let count = usize::try_from(self.number::<4>(end)?).unwrap_or(usize::MAX);
                let is_deflated = self.number::<4>(end)? != 0;
                let length = usize::try_from(self.number::<4>(end)?).unwrap_or(usize::MAX);
                let width = match kind {
                    b'd' | b'l' => 8,
                    b'f' | b'i' => 4,
                    _ => 1,
                };
                // Uncompressed arrays state no length in some files.
                let size = if is_deflated { length } else { count.saturating_mul(width) };
                let bytes = self.take(size, end)?;
                let (endian, most) = (self.endian, self.most);
                Value::Packed(Packed { kind, count, is_deflated, bytes, endian, most })
            }
            other => {
                let found = format!("{:?}", char::from(other));
                let expected = "one of C B Z Y I L F D S R f d l i b c";
                return Err(ModelFormatError::value(at, "the type of a value", found, expected));
            }
        })
    }
}

#[expect(clippy::cast_possible_truncation, reason = "the number was made of as many bytes")]
fn low32(number: u64) -> u32 {
    number as u32
}

#[expect(clippy::cast_possible_truncation, reason = "the number was made of as many bytes")]
fn low16(number: u64) -> i16 {
    (number as u16).cast_signed()
}
