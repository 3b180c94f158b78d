//! The records of a file, binary or text: names, values and nested records, each with its position.

use crate::LimitExceeded;
use crate::{FilePlace, LoadOptions, ModelFormatError};
use miniz_oxide::inflate::decompress_to_vec_zlib_with_limit;
use std::borrow::Cow;

/// Maximum nesting of records; files of the SDK stay below 20.
pub(super) const MAX_DEPTH: usize = 64;

/// Byte orders of the records in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Endian {
    Little,
    Big,
}

/// A value of a record.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Value<'a> {
    /// An integer.
    Int(i64),
    /// A number.
    Real(f64),
    /// A letter without quotation marks, or a byte.
    Letter(u8),
    /// A text or bytes.
    Text(Cow<'a, [u8]>),
    /// Numbers of a text file, all integers.
    Ints(Vec<i64>),
    /// Numbers of a text file.
    Reals(Vec<f64>),
    /// Numbers of a binary file, which are decoded on demand.
    Packed(Packed<'a>),
}

/// Numbers in the bytes of a binary file.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Packed<'a> {
    /// The letter of their type.
    pub(super) kind: u8,
    pub(super) count: usize,
    pub(super) is_deflated: bool,
    pub(super) bytes: &'a [u8],
    pub(super) endian: Endian,
    /// Maximum decompressed size of the whole file.
    pub(super) most: usize,
}

/// A record.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Node<'a> {
    pub(super) name: Cow<'a, str>,
    pub(super) at: FilePlace,
    pub(super) values: Vec<Value<'a>>,
    pub(super) children: Vec<Node<'a>>,
}

/// Counts of records and values of a file, checked against the limits before memory is allocated.
pub(super) struct Budget {
    objects: usize,
    values: usize,
    limits: [usize; 2],
}

impl Budget {
    pub(super) fn new(options: &LoadOptions) -> Self {
        let limits = [options.limits.max_objects, options.limits.max_values];
        Self { objects: 0, values: 0, limits }
    }

    /// Counts a record.
    pub(super) fn node(&mut self, at: FilePlace) -> Result<(), ModelFormatError> {
        self.objects += 1;
        let (what, option) = ("records", Some(crate::LimitName::Objects));
        held(self.objects, self.limits[0], at, what, option)
    }

    /// Counts values.
    pub(super) fn values(&mut self, count: usize, at: FilePlace) -> Result<(), ModelFormatError> {
        self.values = self.values.saturating_add(count);
        let (what, option) = ("values of all records", Some(crate::LimitName::Values));
        held(self.values, self.limits[1], at, what, option)
    }
}

/// Checks a count against its limit.
pub(super) fn held(
    found: usize,
    limit: usize,
    at: FilePlace,
    what: &'static str,
    option: Option<crate::LimitName>,
) -> Result<(), ModelFormatError> {
    if found <= limit {
        return Ok(());
    }
    Err(LimitExceeded::new(at, what, found, (limit, option)).into())
}

impl<'a> Node<'a> {
    /// The first nested record of a name.
    pub(super) fn child(&self, name: &str) -> Option<&Node<'a>> {
        self.children.iter().find(|child| child.name == name)
    }

    /// The nested records of a name.
    pub(super) fn all<'s>(&'s self, name: &'s str) -> impl Iterator<Item = &'s Node<'a>> {
        self.children.iter().filter(move |child| child.name == name)
    }

    /// The value of a nested record as an integer.
    pub(super) fn int_of(&self, name: &str) -> Option<i64> {
        self.child(name)?.values.first()?.int()
    }

    /// The value of a nested record as a number.
    pub(super) fn real_of(&self, name: &str) -> Option<f64> {
        self.child(name)?.values.first()?.real()
    }

    /// The value of a nested record as a text.
    pub(super) fn text_of(&self, name: &str) -> Option<Cow<'_, str>> {
        self.child(name)?.text(0)
    }

    /// A value as a text.
    pub(super) fn text(&self, index: usize) -> Option<Cow<'_, str>> {
        self.values.get(index)?.text()
    }

    /// All values as numbers.
    ///
    /// # Errors
    /// The reason why they cannot be read.
    pub(super) fn reals(&self) -> Result<Vec<f64>, String> {
        match self.values.as_slice() {
            [Value::Reals(list)] => Ok(list.clone()),
            [Value::Ints(list)] => Ok(list.iter().map(|&whole| real_of(whole)).collect()),
            [Value::Packed(packed)] => packed.reals(),
            list => (list.iter())
                .map(|value| value.real().ok_or_else(|| "a value that is not a number".to_owned()))
                .collect(),
        }
    }

    /// All values as integers; others are truncated.
    ///
    /// # Errors
    /// The reason why they cannot be read.
    pub(super) fn ints(&self) -> Result<Vec<i64>, String> {
        match self.values.as_slice() {
            [Value::Ints(list)] => Ok(list.clone()),
            [Value::Reals(list)] => Ok(list.iter().map(|&real| whole_of(real)).collect()),
            [Value::Packed(packed)] => packed.ints(),
            list => (list.iter())
                .map(|value| value.int().ok_or_else(|| "a value that is not a number".to_owned()))
                .collect(),
        }
    }

    /// The numbers of a nested record. None if there is no such record.
    pub(super) fn reals_of(&self, name: &str) -> Result<Option<Vec<f64>>, String> {
        self.child(name).map(Node::reals).transpose().map_err(|why| format!("{name}: {why}"))
    }

    /// The integers of a nested record. None if there is no such record.
    pub(super) fn ints_of(&self, name: &str) -> Result<Option<Vec<i64>>, String> {
        self.child(name).map(Node::ints).transpose().map_err(|why| format!("{name}: {why}"))
    }
}

impl Value<'_> {
    pub(super) fn int(&self) -> Option<i64> {
        match self {
            Self::Int(whole) => Some(*whole),
            Self::Real(real) => Some(whole_of(*real)),
            // Text files write T or Y for true.
            Self::Letter(letter) => Some(match letter {
                b'T' | b'Y' => 1,
                b'F' | b'N' => 0,
                other => i64::from(*other),
            }),
            Self::Ints(list) => list.first().copied(),
            Self::Reals(list) => list.first().map(|&real| whole_of(real)),
            Self::Text(_) | Self::Packed(_) => None,
        }
    }

    pub(super) fn real(&self) -> Option<f64> {
        match self {
            Self::Real(real) => Some(*real),
            Self::Reals(list) => list.first().copied(),
            other => other.int().map(real_of),
        }
    }

    /// The text; bytes that are not UTF-8 are taken as Latin-1.
    pub(super) fn text(&self) -> Option<Cow<'_, str>> {
        let Self::Text(bytes) = self else { return None };
        Some(match std::str::from_utf8(bytes) {
            Ok(text) => Cow::Borrowed(text),
            Err(_) => Cow::Owned(bytes.iter().map(|&byte| char::from(byte)).collect()),
        })
    }

    /// The letter of a mode among the keys of old files.
    pub(super) fn letter(&self) -> Option<u8> {
        match self {
            Self::Letter(letter) => Some(*letter),
            Self::Int(whole) => u8::try_from(*whole).ok(),
            Self::Text(bytes) => bytes.first().copied(),
            _ => None,
        }
    }
}

impl Packed<'_> {
    /// Bytes of one number.
    pub(super) fn width(self) -> usize {
        match self.kind {
            b'd' | b'l' => 8,
            b'f' | b'i' => 4,
            _ => 1,
        }
    }

    fn bytes(&self) -> Result<Cow<'_, [u8]>, String> {
        let size = self.count.saturating_mul(self.width());
        if size > self.most {
            return Err(format!("an array of {size} bytes; the limit is {}", self.most));
        }
        let bytes = if self.is_deflated {
            let found = decompress_to_vec_zlib_with_limit(self.bytes, size);
            Cow::Owned(found.map_err(|error| format!("compressed data is damaged: {error}"))?)
        } else {
            Cow::Borrowed(self.bytes)
        };
        if bytes.len() == size {
            Ok(bytes)
        } else {
            Err(format!("{} bytes, but its count requires {size}", bytes.len()))
        }
    }

    fn list<T>(&self, whole: fn(i64) -> T, real: fn(f64) -> T) -> Result<Vec<T>, String> {
        let bytes = self.bytes()?;
        let is_big = self.endian == Endian::Big;
        let eight = |chunk: &[u8]| {
            let number = <[u8; 8]>::try_from(chunk).unwrap_or_default();
            if is_big { u64::from_be_bytes(number) } else { u64::from_le_bytes(number) }
        };
        let four = |chunk: &[u8]| {
            let number = <[u8; 4]>::try_from(chunk).unwrap_or_default();
            if is_big { u32::from_be_bytes(number) } else { u32::from_le_bytes(number) }
        };
        Ok(match self.kind {
            b'd' => bytes.chunks_exact(8).map(|at| real(f64::from_bits(eight(at)))).collect(),
            b'l' => bytes.chunks_exact(8).map(|at| whole(eight(at).cast_signed())).collect(),
            b'f' => {
                let one = |at: &[u8]| real(f64::from(f32::from_bits(four(at))));
                bytes.chunks_exact(4).map(one).collect()
            }
            b'i' => {
                bytes.chunks_exact(4).map(|at| whole(i64::from(four(at).cast_signed()))).collect()
            }
            _ => bytes.iter().map(|&byte| whole(i64::from(byte))).collect(),
        })
    }

    fn reals(&self) -> Result<Vec<f64>, String> {
        self.list(real_of, |real| real)
    }

    fn ints(&self) -> Result<Vec<i64>, String> {
        self.list(|whole| whole, whole_of)
    }
}

#[expect(clippy::cast_precision_loss, reason = "counts and ticks of files fit; others are damaged")]
pub(super) fn real_of(whole: i64) -> f64 {
    whole as f64
}

#[expect(clippy::cast_possible_truncation, reason = "saturates, and NaN becomes 0")]
pub(super) fn whole_of(real: f64) -> i64 {
    real as i64
}
