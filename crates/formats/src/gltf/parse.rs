//! JSON text -> [`Document`], and the checks that come before anything is built: version and required extensions.

use super::document::{Asset, Document};
use super::error::GltfError;
use super::extension::{SUPPORTED, is_drawn, lost};
use super::path::JsonPath;
use serde::Deserialize;
use tintype_model::Warning;
use tintype_model::diagnostic::one_line;

/// Reads the JSON text of a file.
///
/// Extensions that are used but not supported are told as warnings with the part of the picture that is lost.
///
/// # Errors
/// [`GltfError::Json`] with line, column and path; [`GltfError::Value`] for another version of the format; [`GltfError::Extension`]
/// for a required extension that is not supported.
pub(super) fn parse(json: &[u8], warnings: &mut Vec<Warning>) -> Result<Document, GltfError> {
    // A text that is UTF-8 as a whole needs no check of each of its strings.
    let document = match core::str::from_utf8(json) {
        Ok(text) => read(serde_json::Deserializer::from_str(text), json)?,
        Err(_) => read(serde_json::Deserializer::from_slice(json), json)?,
    };
    check_version(&document.asset)?;
    let list = JsonPath::root("extensionsRequired");
    for (index, name) in document.extensions_required.iter().enumerate() {
        if !is_drawn(name) {
            let path = list.index(index).to_string();
            return Err(GltfError::Extension {
                path,
                name: name.clone(),
                supported: SUPPORTED.to_vec(),
            });
        }
    }
    let list = JsonPath::root("extensionsUsed");
    for (index, name) in document.extensions_used.iter().enumerate() {
        if !SUPPORTED.contains(&name.as_str())
            && let Some(lost) = lost(name)
        {
            let name = one_line(name);
            let message = format!("{}: {name} is not supported: {lost}", list.index(index));
            warnings.push(Warning::new(0, message));
        }
    }
    Ok(document)
}

/// The document of a text.
fn read<'j>(
    mut deserializer: serde_json::Deserializer<impl serde_json::de::Read<'j>>,
    json: &[u8],
) -> Result<Document, GltfError> {
    let document = match Document::deserialize(&mut deserializer) {
        Ok(document) => document,
        // Keeping the path of each value takes time, so that only a text with a mistake is read with it.
        Err(error) => return Err(refusal(json, &error)),
    };
    deserializer.end().map_err(|error| GltfError::Json {
        line: error.line(),
        column: error.column(),
        path: String::new(),
        message: "found more behind the end of the document; expected one JSON object".into(),
    })?;
    Ok(document)
}

/// The error of a text that is refused, with the path of the value.
fn refusal(json: &[u8], plain: &serde_json::Error) -> GltfError {
    let mut deserializer = serde_json::Deserializer::from_slice(json);
    let read: Result<Document, _> = serde_path_to_error::deserialize(&mut deserializer);
    match read {
        Err(error) => older_version(json).unwrap_or_else(|| {
            let path = error.path().to_string();
            json_error(error.inner(), if path == "." { String::new() } else { path })
        }),
        Ok(_) => json_error(plain, String::new()),
    }
}

fn json_error(error: &serde_json::Error, path: String) -> GltfError {
    let text = error.to_string();
    // The position is told by its own fields.
    let message = text.rsplit_once(" at line ").map_or(text.as_str(), |(message, _)| message);
    let (line, column) = (error.line(), error.column());
    GltfError::Json { line, column, path, message: message.to_owned() }
}

/// The error of a file of glTF 1.0, whose objects have other types.
fn older_version(json: &[u8]) -> Option<GltfError> {
    #[derive(Deserialize)]
    struct Head {
        asset: Asset,
    }
    let head: Head = serde_json::from_slice(json).ok()?;
    check_version(&head.asset).err()
}

fn check_version(asset: &Asset) -> Result<(), GltfError> {
    let path = JsonPath::root("asset");
    let expected = "2.0, or a later 2.x that does not ask for more";
    let is_two = |version: &str| version == "2" || version.starts_with("2.");
    if !is_two(&asset.version) {
        let found = format!("{:?}", asset.version);
        return Err(GltfError::value(&path.key("version"), "the version of glTF", found, expected));
    }
    match asset.min_version.as_deref() {
        None | Some("2" | "2.0") => Ok(()),
        Some(least) => {
            let (path, found) = (path.key("minVersion"), format!("{least:?}"));
            Err(GltfError::value(&path, "the least version of a reader", found, "2.0"))
        }
    }
}
