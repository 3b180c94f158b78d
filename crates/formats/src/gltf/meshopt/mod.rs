//! Bit streams of `EXT_meshopt_compression` and `KHR_meshopt_compression`: bytes of a buffer view.
//!
//! `attribute` decodes elements of vertices and keys, `index` triangles and index sequences,
//! `filter` converts decoded elements to the numbers of their accessor. Every read is checked; the
//! caller states the size of the output and checks it against the limits.
//!
//! # Source
//! Khronos, "EXT_meshopt_compression", appendices A and B; "KHR_meshopt_compression", which adds
//! version 1 of attributes and the colour filter.

mod attribute;
mod filter;
mod index;
mod input;

#[cfg(test)]
mod tests;

pub(super) use filter::Filter;

/// Kind of a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    /// Elements of any kind.
    Attributes,
    /// Corners of a list of triangles.
    Triangles,
    /// Other indices.
    Indices,
}

impl Mode {
    /// The mode of a word of the extension.
    pub(super) fn from_word(word: &str) -> Option<Self> {
        Some(match word {
            "ATTRIBUTES" => Self::Attributes,
            "TRIANGLES" => Self::Triangles,
            "INDICES" => Self::Indices,
            _ => return None,
        })
    }
}

/// Decodes `count` elements of `stride` bytes.
///
/// # Errors
/// The broken rule: a stream that is truncated, has extra bytes, or is of another kind or a later
/// version; a stride or a filter that does not fit the mode.
pub(super) fn decode(
    bytes: &[u8],
    mode: Mode,
    filter: Filter,
    count: usize,
    stride: usize,
) -> Result<Vec<u8>, String> {
    let is_attribute = mode == Mode::Attributes;
    if is_attribute && (stride == 0 || stride > 256 || !stride.is_multiple_of(4)) {
        return Err(format!("elements of {stride} bytes; expected a multiple of 4 from 4 to 256"));
    }
    if !is_attribute && stride != 2 && stride != 4 {
        return Err(format!("indices of {stride} bytes; expected 2 or 4"));
    }
    if !is_attribute && filter != Filter::None {
        return Err("a filter of indices; only attributes have one".to_owned());
    }
    match mode {
        Mode::Attributes => {
            let mut elements = attribute::decode(bytes, count, stride)?;
            filter.apply(&mut elements, stride)?;
            Ok(elements)
        }
        Mode::Triangles => index::decode_triangles(bytes, count, stride),
        Mode::Indices => index::decode_sequence(bytes, count, stride),
    }
}
