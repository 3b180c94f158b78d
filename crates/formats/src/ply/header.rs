//! The header: lines that declare elements, and the properties of each of their records.

use crate::recognize::describe_foreign;
use crate::text::{decode_text, quoted};
use crate::{FilePlace, ModelFormatError};

/// Type of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    F32,
    F64,
}

impl Kind {
    fn of(word: &[u8]) -> Option<Self> {
        Some(match word {
            b"char" | b"int8" => Self::I8,
            b"uchar" | b"uint8" => Self::U8,
            b"short" | b"int16" => Self::I16,
            b"ushort" | b"uint16" => Self::U16,
            b"int" | b"int32" => Self::I32,
            b"uint" | b"uint32" => Self::U32,
            b"float" | b"float32" => Self::F32,
            b"double" | b"float64" => Self::F64,
            _ => return None,
        })
    }

    /// Bytes of a number.
    pub(super) fn size(self) -> usize {
        match self {
            Self::I8 | Self::U8 => 1,
            Self::I16 | Self::U16 => 2,
            Self::I32 | Self::U32 | Self::F32 => 4,
            Self::F64 => 8,
        }
    }

    /// The number that means full intensity of a colour.
    pub(super) fn whole(self) -> f64 {
        match self {
            Self::I8 => 127.0,
            Self::U8 => 255.0,
            Self::I16 => 32767.0,
            Self::U16 => 65535.0,
            Self::I32 | Self::U32 | Self::F32 | Self::F64 => 1.0,
        }
    }
}

/// A property of the records of an element.
pub(super) struct Property {
    pub(super) name: String,
    pub(super) kind: Kind,
    /// Type of the count in front of a list.
    pub(super) count: Option<Kind>,
}

/// A run of records.
pub(super) struct Element {
    pub(super) name: String,
    pub(super) count: usize,
    pub(super) properties: Vec<Property>,
}

impl Element {
    /// The index of the property with one of these names.
    pub(super) fn find(&self, names: &[&str]) -> Option<usize> {
        names.iter().find_map(|name| self.properties.iter().position(|own| own.name == *name))
    }
}

/// Encoding of the data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Encoding {
    Text,
    Binary { is_big: bool },
}

/// Declarations of a file.
pub(super) struct Header {
    pub(super) encoding: Encoding,
    pub(super) elements: Vec<Element>,
    /// Names of textures.
    pub(super) textures: Vec<String>,
    /// The first byte of the data, and its line.
    pub(super) data: usize,
    pub(super) line: usize,
}

/// True if a file begins as PLY files do.
#[must_use]
pub fn looks_like_ply(bytes: &[u8]) -> bool {
    matches!(bytes, [b'p', b'l', b'y', b'\n' | b'\r' | b' ' | b'\t', ..])
}

/// Reads the header.
///
/// # Errors
/// [`ModelFormatError`] with the line of the first mistake: after an invalid header the data cannot
/// be found.
pub(super) fn read(bytes: &[u8]) -> Result<Header, ModelFormatError> {
    if !looks_like_ply(bytes) {
        let start = || quoted(bytes.get(..16).unwrap_or(bytes));
        let found = describe_foreign(bytes, "ply").unwrap_or_else(start);
        return Err(wrong(1, "the file", found, "a PLY file"));
    }
    let mut header = Header {
        encoding: Encoding::Text,
        elements: Vec::new(),
        textures: Vec::new(),
        data: 0,
        line: 1,
    };
    // Lines end as the first one does; a carriage return before a line feed is a blank.
    let is_end = |byte: &u8| matches!(byte, b'\n' | b'\r');
    let first = bytes.iter().position(is_end).unwrap_or(bytes.len());
    let is_pair = bytes.get(first + 1) == Some(&b'\n');
    let end = if bytes.get(first) == Some(&b'\r') && !is_pair { b'\r' } else { b'\n' };
    loop {
        let rest = bytes.get(header.data..).unwrap_or_default();
        let Some(length) = rest.iter().position(|byte| *byte == end) else {
            let found = "the end of the file".to_owned();
            return Err(wrong(header.line, "the header", found, "end_header"));
        };
        let text = rest.get(..length).unwrap_or_default().trim_ascii();
        header.data += length + 1;
        header.line += 1;
        if header.take_line(text)? {
            return Ok(header);
        }
    }
}

fn wrong(line: usize, what: &str, found: String, expected: &str) -> ModelFormatError {
    ModelFormatError::value(FilePlace::Line(line), what, found, expected)
}

impl Header {
    /// Takes the line before the current one; true for the last line of the header.
    fn take_line(&mut self, text: &[u8]) -> Result<bool, ModelFormatError> {
        let line = self.line - 1;
        let words: Vec<&[u8]> =
            text.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()).collect();
        match words.as_slice() {
            [b"end_header", ..] => return Ok(true),
            [b"format", encoding, ..] => {
                self.encoding = match *encoding {
                    b"ascii" => Encoding::Text,
                    b"binary_little_endian" => Encoding::Binary { is_big: false },
                    b"binary_big_endian" => Encoding::Binary { is_big: true },
                    other => {
                        let expected = "ascii, binary_little_endian or binary_big_endian";
                        return Err(wrong(line, "the format", quoted(other), expected));
                    }
                };
            }
            [b"comment", b"TextureFile" | b"texturefile", ..] => {
                let name = text.get(7..).unwrap_or_default().trim_ascii();
                self.textures.push(decode_text(name.get(11..).unwrap_or_default().trim_ascii()));
            }
            [b"element", name, count, ..] => {
                let count = std::str::from_utf8(count).ok().and_then(|count| count.parse().ok());
                let Some(count) = count else {
                    let expected = "a name and a count";
                    return Err(wrong(line, "an element", quoted(text), expected));
                };
                let name = decode_text(name);
                self.elements.push(Element { name, count, properties: Vec::new() });
            }
            [b"property", rest @ ..] => match (property(rest), self.elements.last_mut()) {
                (Some(property), Some(element)) => element.properties.push(property),
                _ => {
                    let expected =
                        "a type and a name, or list, two types and a name, after an element";
                    return Err(wrong(line, "a property", quoted(text), expected));
                }
            },
            _ => {}
        }
        Ok(false)
    }
}

fn property(words: &[&[u8]]) -> Option<Property> {
    let (kind, count, name) = match words {
        [b"list", count, kind, name, ..] => (kind, Some(Kind::of(count)?), name),
        [kind, name, ..] => (kind, None, name),
        _ => return None,
    };
    Some(Property { name: decode_text(name), kind: Kind::of(kind)?, count })
}
