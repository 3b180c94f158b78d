//! Tables of a file: a count and an offset in the header, each range checked against the file
//! before anything is read.

use crate::{FilePlace, ModelFormatError, records};

/// Index of the first of two words of the header: the count of a table; its offset is the next word
/// unless stated otherwise.
#[derive(Clone, Copy)]
pub(super) enum Field {
    Text = 3,
    Meshes = 5,
    VertexArrays = 7,
    Vertices = 8,
    VertexArraysOffset = 9,
    Triangles = 10,
    Joints = 13,
    Poses = 15,
    Animations = 17,
    Frames = 19,
    FrameChannels = 20,
    FramesOffset = 21,
}

/// A file with a valid header.
pub(super) struct File<'b> {
    pub(super) bytes: &'b [u8],
}

/// The first bytes of a file.
pub(super) const MAGIC: &[u8; 16] = b"INTERQUAKEMODEL\0";
/// Size of the signature and the following 27 words.
const HEADER: usize = 16 + 27 * 4;

impl<'b> File<'b> {
    pub(super) fn new(bytes: &'b [u8]) -> Result<Self, ModelFormatError> {
        let wrong = |at, what: &str, found: String, expected: &str| {
            Err(ModelFormatError::value(FilePlace::Byte(at), what, found, expected))
        };
        if !bytes.starts_with(MAGIC) {
            let start = bytes.get(..16).unwrap_or(bytes).escape_ascii().to_string();
            return wrong(0, "the file's signature", start, "INTERQUAKEMODEL");
        }
        if bytes.len() < HEADER {
            let found = format!("{} bytes", bytes.len());
            return wrong(bytes.len(), "the header", found, "124 bytes");
        }
        let file = Self { bytes };
        let (version, size) = (file.word(0), file.word(1));
        if version != 2 {
            return wrong(16, "the version", version.to_string(), "2");
        }
        if size > bytes.len() {
            let expected = format!("at most its {} bytes", bytes.len());
            return wrong(20, "the size of the file", size.to_string(), &expected);
        }
        Ok(file)
    }

    fn word(&self, number: usize) -> usize {
        let word = records::whole(self.bytes, 4 + number);
        usize::try_from(word).unwrap_or(usize::MAX)
    }

    /// A number of the header, and its position.
    pub(super) fn count(&self, field: Field) -> (usize, FilePlace) {
        (self.word(field as usize), FilePlace::Byte(16 + 4 * field as usize))
    }

    /// The bytes of a table of records of `size` bytes, with its offset.
    pub(super) fn table(
        &self,
        what: &str,
        field: Field,
        size: usize,
    ) -> Result<(&'b [u8], usize), ModelFormatError> {
        let offset = match field {
            Field::VertexArrays => self.word(Field::VertexArraysOffset as usize),
            field => self.word(field as usize + 1),
        };
        let (count, at) = self.count(field);
        self.range(what, offset, count, size, at).map(|bytes| (bytes, offset))
    }

    /// `count` records of `size` bytes from a byte of the file.
    pub(super) fn range(
        &self,
        what: &str,
        offset: usize,
        count: usize,
        size: usize,
        at: FilePlace,
    ) -> Result<&'b [u8], ModelFormatError> {
        records::range(self.bytes, what, [offset, count, size], at)
    }

    /// A text by its offset in the table of texts.
    pub(super) fn text(&self, offset: u32, at: FilePlace) -> Result<String, ModelFormatError> {
        let (texts, _) = self.table("the texts", Field::Text, 1)?;
        if texts.is_empty() && offset == 0 {
            return Ok(String::new());
        }
        let rest = usize::try_from(offset).ok().and_then(|offset| texts.get(offset..));
        let Some(rest) = rest else {
            let expected = format!("an offset within the {} bytes of the texts", texts.len());
            return Err(ModelFormatError::value(at, "a name", offset, expected));
        };
        Ok(records::text(rest))
    }
}
