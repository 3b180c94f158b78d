//! Autodesk FBX, binary and text, versions 3000 to 7700.
//!
//! Left to right: `binary` and `ascii` (records, in `tree`), `document` (objects, properties and
//! connections), `motion` and `curve` (stacks, layers and curves), `convert` (a model and clips).
//! `rotation` knows the rotation orders. Nothing here reads a disk: materials name pictures by
//! path.
//!
//! # Source
//! There is no public specification. Record meanings were inferred by comparing FBX files with
//! exports of the same scenes to documented formats.

mod ascii;
mod binary;
mod convert;
mod curve;
mod document;
mod motion;
mod rotation;
mod tree;

#[cfg(test)]
mod tests;

pub use convert::FbxModel;

use super::{FilePlace, LoadOptions, Loaded, ModelFormatError};
use crate::recognize::describe_foreign;
use document::Document;

/// Versions that are read.
const VERSIONS: core::ops::Range<u32> = 3000..8000;

/// Reads a file into its model and its clips.
///
/// # Errors
/// [`ModelFormatError`] with the byte or the line of the first mistake.
pub fn parse_model(
    bytes: &[u8],
    options: &LoadOptions,
) -> Result<Loaded<FbxModel>, ModelFormatError> {
    let is_binary = bytes.starts_with(binary::MAGIC);
    if !is_binary && !looks_like_fbx(bytes) {
        let found = describe_foreign(bytes, "FBX").unwrap_or_else(|| "other text".to_owned());
        let expected = "\"Kaydara FBX Binary\", or text with FBXHeaderExtension";
        return Err(ModelFormatError::value(FilePlace::Byte(0), "the mark", found, expected));
    }
    if is_binary {
        let (version, _) = binary::version(bytes)?;
        check_version(version, FilePlace::Byte(binary::MAGIC.len() + 2))?;
    }
    let root = if is_binary { binary::read(bytes, options)? } else { ascii::read(bytes, options)? };
    let header = root.child("FBXHeaderExtension");
    let stated = header.and_then(|header| header.child("FBXVersion"));
    let version = if is_binary {
        binary::version(bytes)?.0
    } else {
        let number = stated.and_then(|node| u32::try_from(node.values.first()?.int()?).ok());
        let comment = ascii::version_of_comment(bytes);
        // A comment with a version newer than all supported ones counts: such a file only claims to
        // be older.
        let newer = comment.filter(|&comment| comment >= VERSIONS.end);
        newer.or(number).or(comment).unwrap_or(7400)
    };
    let at = stated
        .filter(|node| node.values.first().and_then(tree::Value::int) == Some(i64::from(version)));
    check_version(version, at.map_or(FilePlace::Line(1), |node| node.at))?;
    options.deadline.check("reading objects")?;
    let mut warnings = Vec::new();
    let document = Document::new(&root, version, &mut warnings);
    convert::build(&document, bytes.len(), options, warnings)
}

fn check_version(version: u32, at: FilePlace) -> Result<(), ModelFormatError> {
    if VERSIONS.contains(&version) {
        return Ok(());
    }
    let expected = format!(
        "{} to 7700; export it as FBX 2014 to 2020 (7400 to 7700), or as glTF",
        VERSIONS.start
    );
    Err(ModelFormatError::value(at, "the FBX version", version, expected))
}

/// True if a file is FBX: it has the signature, or is a text that begins with a comment or a header
/// of the format.
#[must_use]
pub fn looks_like_fbx(bytes: &[u8]) -> bool {
    const SEEN: usize = 4096;
    if bytes.starts_with(binary::MAGIC) {
        return true;
    }
    let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let head = text.get(..SEEN).unwrap_or(text);
    let head = head.trim_ascii_start();
    let first = head.split(|&byte| byte == b'\n').next().unwrap_or_default();
    let has = |text: &[u8], word: &[u8]| text.windows(word.len()).any(|own| own == word);
    head.starts_with(b"FBXHeaderExtension")
        || head.starts_with(b";") && (has(first, b"FBX") || has(head, b"FBXHeaderExtension:"))
}
