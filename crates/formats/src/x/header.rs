//! The first 16 bytes of every `.x` file, such as `xof 0303txt 0032`.

use super::encoding::Encoding;
use super::error::XError;
use crate::recognize::describe_foreign;
use crate::text::SourcePosition;
use crate::text::quoted;

/// The mark of all `.x` files.
const MARK: &str = "xof ";
/// The bytes of a header.
pub(super) const LENGTH: usize = 16;

/// The fields of a header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Header {
    /// Encoding of the bytes after the header.
    pub(super) encoding: Encoding,
    /// 32 or 64.
    pub(super) float_bits: u8,
    /// The first byte after the header.
    pub(super) end: usize,
}

/// The offset of the signature: 0, or after a byte order mark and blanks.
pub(super) fn mark(bytes: &[u8]) -> Option<usize> {
    const MAX_BLANKS: usize = 1 << 10;
    let start = if bytes.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
    let rest = bytes.get(start..)?;
    let is_text = |byte: &u8| !byte.is_ascii_whitespace();
    let blanks = rest.iter().take(MAX_BLANKS).position(is_text)?;
    rest.get(blanks..)?.starts_with(MARK.as_bytes()).then_some(start + blanks)
}

/// Reads the header; the rest of its line belongs to the rest of the file.
pub(super) fn read(bytes: &[u8]) -> Result<Header, XError> {
    let Some(start) = mark(bytes) else {
        let found = describe_foreign(bytes, MARK).unwrap_or_else(|| {
            let head = bytes.trim_ascii_start();
            if head.is_empty() {
                "only whitespace".into()
            } else {
                format!("it starts with {}", quoted(head.get(..LENGTH).unwrap_or(head)))
            }
        });
        return Err(XError::NotX { found });
    };
    let Some(header) = bytes.get(start..start + LENGTH) else {
        let rest = bytes.get(start..).unwrap_or_default();
        return Err(XError::NotX { found: format!("a truncated header: {}", quoted(rest)) });
    };
    let part = |from: usize, to: usize| header.get(from..to).unwrap_or_default();
    let unsupported = |(from, to, column): (usize, usize, u32), what, supported| {
        let position = SourcePosition { line: 1, column, offset: start + from };
        XError::Unsupported { position, what, found: quoted(part(from, to)), supported }
    };
    if !matches!(part(4, 8), b"0302" | b"0303") {
        return Err(unsupported((4, 8, 5), "version", "0302 and 0303"));
    }
    let encoding = match part(8, 12) {
        b"txt " => Encoding::Text,
        b"bin " => Encoding::Binary,
        b"tzip" => Encoding::CompressedText,
        b"bzip" => Encoding::CompressedBinary,
        _ => {
            return Err(unsupported(
                (8, 12, 9),
                "encoding",
                "\"txt \", \"bin \", \"tzip\" and \"bzip\"",
            ));
        }
    };
    let float_bits = match part(12, 16) {
        b"0064" => 64,
        b"0032" => 32,
        _ if encoding.is_text() => 32,
        _ => return Err(unsupported((12, 16, 13), "float size", "0032 and 0064")),
    };
    Ok(Header { encoding, float_bits, end: start + LENGTH })
}
