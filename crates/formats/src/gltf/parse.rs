//! JSON text -> [`Document`], and the checks before anything is built: version and required
//! extensions.
//!
//! A value of another type than specified is dropped, so that it costs only itself.

use super::document::{Asset, Document, Version};
use super::error::GltfError;
use super::extension::{Support, support_of, supported};
use super::faults::RepairLog;
use super::number::JsonInteger;
use super::object::mismatch;
use super::path::JsonPath;
use serde::Deserialize;
use serde_json::{Map, Value};
use serde_path_to_error::{Path, Segment};
use tintype_base::printable::one_line;
use tintype_model::FileRepair;

/// Maximum number of wrongly typed values that are skipped before the document is refused: each is
/// found by reading the whole document.
pub(super) const MAX_REPAIRS: usize = 64;

/// Reads the JSON text of a file.
///
/// Extensions that are used but not supported are reported as warnings with the part of the picture
/// that is lost.
///
/// # Errors
/// [`GltfError::Json`] with line, column and path; [`GltfError::Value`] for another version of the
/// format; [`GltfError::Extension`] for a required extension that is not supported.
pub(super) fn parse(json: &[u8], faults: &RepairLog) -> Result<Document, GltfError> {
    let json = json.trim_ascii_end();
    let zeros = json.iter().rev().take_while(|&&byte| byte == 0).count();
    let json = json.get(..json.len() - zeros).unwrap_or(json);
    // If the whole text is UTF-8, its strings need no further check.
    let text = String::from_utf8_lossy(json);
    if let std::borrow::Cow::Owned(_) = &text {
        let message = "the text is not UTF-8; invalid bytes are replaced by U+FFFD";
        faults.tell(FileRepair::WrongType, message);
    }
    let mut deserializer = serde_json::Deserializer::from_str(&text);
    let mut document = match Document::deserialize(&mut deserializer) {
        Ok(document) => {
            if let Err(error) = deserializer.end() {
                let place = format!("line {}, column {}", error.line(), error.column());
                let message = format!("{place}: data after the end of the document is ignored");
                faults.tell(FileRepair::Leftover, message);
            }
            document
        }
        Err(error) => repaired(&text, &error, faults)?,
    };
    let mut channels = document.animations.iter().flat_map(|animation| &animation.channels);
    if channels.any(|channel| channel.target.path.as_str() == "pointer") {
        document.root = value_of(&text).unwrap_or_default();
    }
    check_version(&document.asset)?;
    if document.asset.version.is_none() {
        if document.nodes.is_empty() && document.animations.is_empty() {
            let path = JsonPath::root("asset");
            return Err(GltfError::value(&path, "the version of glTF", "nothing", VERSIONS));
        }
        faults.tell(FileRepair::MissingValue, "asset.version: missing; read as 2.0");
    }
    check_required_extensions(&document, &text, faults)?;
    tell_used_extensions(&document, faults);
    Ok(document)
}

/// Refuses a document that requires an unknown extension which may hold its shapes; reports other
/// required ones that are not supported.
fn check_required_extensions(
    document: &Document,
    text: &str,
    faults: &RepairLog,
) -> Result<(), GltfError> {
    let list = JsonPath::root("extensionsRequired");
    for (index, name) in document.extensions_required.iter().enumerate() {
        let path = list.index(index);
        let (fault, lost) = match support_of(name) {
            Support::Read | Support::Unseen => continue,
            Support::Unknown(_) if may_hold_shapes(document, text, name) => {
                return Err(GltfError::Extension {
                    path: path.to_string(),
                    name: name.clone(),
                    supported: supported(),
                });
            }
            Support::Lost(lost) | Support::Unknown(lost) => (FileRepair::Approximated, lost),
            Support::Moves(lost) => (FileRepair::Effect, lost),
        };
        let name = one_line(name);
        faults.tell(fault, format!("{path}: {name} is required and not supported: {lost}"));
    }
    Ok(())
}

/// Reports extensions that are used, but neither required nor supported.
fn tell_used_extensions(document: &Document, faults: &RepairLog) {
    let list = JsonPath::root("extensionsUsed");
    for (index, name) in document.extensions_used.iter().enumerate() {
        if let Support::Lost(lost) | Support::Moves(lost) | Support::Unknown(lost) =
            support_of(name)
            && !document.extensions_required.contains(name)
        {
            let name = one_line(name);
            let message = format!("{}: {name} is not supported: {lost}", list.index(index));
            faults.tell(FileRepair::Effect, message);
        }
    }
}

/// True if an unknown extension may contain geometry: it is attached to numbers or bytes, or
/// positions have no other data, or nothing else can be shown. A text that is nested too deeply to
/// look into may contain anything.
fn may_hold_shapes(document: &Document, text: &str, name: &str) -> bool {
    let Some(root) = value_of(text) else { return true };
    let stands_at = |one: &Value| one["extensions"].get(name).is_some();
    let stands_in = |list: &str| root[list].as_array().is_some_and(|all| all.iter().any(stands_at));
    let primitives = || document.meshes.iter().flat_map(|mesh| &mesh.primitives);
    let lacks_data = |position: &JsonInteger| {
        let accessor = document.accessors.get(position.0);
        accessor.is_some_and(|own| own.buffer_view.is_none() && own.sparse.is_none())
    };
    ALL_OR_NOTHING.iter().any(|list| stands_in(list))
        || primitives()
            .filter(|own| !own.extensions.contains_key(super::draco::NAME))
            .filter_map(|own| own.attributes.get("POSITION"))
            .any(lacks_data)
        || primitives().next().is_none() && document.animations.is_empty()
}

/// The value of a text, also of one with numbers that JSON does not have, or with data after its
/// end. None for a text that is nested too deeply.
fn value_of(text: &str) -> Option<Value> {
    let value = |text: &str| Value::deserialize(&mut serde_json::Deserializer::from_str(text)).ok();
    value(text).or_else(|| value(&without_nan(text)))
}

/// The document of a text without its wrongly typed values; `null` means no value.
///
/// # Errors
/// [`GltfError::Json`] for a text that is not JSON, or with more such values than may be skipped.
fn repaired(
    text: &str,
    plain: &serde_json::Error,
    faults: &RepairLog,
) -> Result<Document, GltfError> {
    let Some(mut root) = value_of(text) else {
        return Err(json_error(plain));
    };
    check_old_version(&root)?;
    let mut is_told = false;
    let mut nulls = (0, String::new());
    if let Some(root) = root.as_object_mut() {
        drop_nulls(root, "", &mut nulls);
    }
    if nulls.0 > 0 {
        let message = format!("{}: null; treated as missing, {} in total", nulls.1, nulls.0);
        faults.tell(FileRepair::WrongType, message);
        is_told = true;
    }
    for _ in 0..MAX_REPAIRS {
        let error = match serde_path_to_error::deserialize::<_, Document>(&root) {
            Ok(document) => {
                if !is_told {
                    // If a key is duplicated, the last value counts.
                    let message = format!("line {}: {}", plain.line(), message_of(plain));
                    faults.tell(FileRepair::WrongType, message);
                }
                return Ok(document);
            }
            Err(error) => error,
        };
        let wrong = mismatch("", &root, &error);
        if !leave_out(&mut root, error.path()) {
            return Err(wrong);
        }
        let path = error.path().to_string();
        if ALL_OR_NOTHING.iter().any(|list| path.starts_with(*list)) {
            faults.note_cause(wrong.clone());
        }
        let is_element = ALL_OR_NOTHING.iter().any(|list| path.starts_with(&format!("{list}[")));
        let lost = path.split_once('.').map_or(path.as_str(), |(element, _)| element);
        faults.lose(if is_element { lost } else { &path }, &wrong);
        is_told = true;
    }
    let error = serde_path_to_error::deserialize::<_, Document>(&root).err();
    Err(error.map_or_else(|| json_error(plain), |error| mismatch("", &root, &error)))
}

/// A text with `null` for numbers not allowed in JSON, outside of strings.
fn without_nan(text: &str) -> String {
    let mut found = String::new();
    let mut rest = text;
    let mut is_string = false;
    while let Some(sign) = rest.chars().next() {
        let words = ["NaN", "-NaN", "Infinity", "-Infinity"];
        let word = words.iter().find(|word| !is_string && rest.starts_with(**word));
        let length = match (word, sign) {
            (Some(word), _) => word.len(),
            (None, '\\') if is_string => 1 + rest.chars().nth(1).map_or(0, char::len_utf8),
            (None, sign) => sign.len_utf8(),
        };
        is_string ^= sign == '"';
        let (head, tail) = rest.split_at(length);
        found.push_str(if word.is_some() { "null" } else { head });
        rest = tail;
    }
    found
}

/// Removes nulls from objects and lists, and counts them with the path of the first. In `extras`
/// they may have a meaning for applications.
fn drop_nulls(object: &mut Map<String, Value>, path: &str, found: &mut (usize, String)) {
    let at = |key: &str| if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") };
    let count = |found: &mut (usize, String), path: String| {
        if found.0 == 0 {
            found.1 = path;
        }
        found.0 += 1;
    };
    object.retain(|key, value| {
        if value.is_null() {
            count(found, at(key));
        }
        !value.is_null()
    });
    for (key, value) in object.iter_mut().filter(|(key, _)| *key != "extras") {
        match value {
            Value::Object(object) => drop_nulls(object, &at(key), found),
            Value::Array(list) => {
                let is_of_objects = path.is_empty() || list.iter().any(Value::is_object);
                for (index, value) in list.iter_mut().enumerate() {
                    let at = format!("{}[{index}]", at(key));
                    match value {
                        Value::Object(object) => drop_nulls(object, &at, found),
                        Value::Null => {
                            if let Some(instead) = nothing_in(key, is_of_objects) {
                                count(found, at);
                                *value = instead;
                            }
                        }
                        _ => {}
                    }
                }
            }
            _ => {}
        }
    }
}

/// An empty element for the list of a key whose positions matter. None in lists of numbers.
fn nothing_in(key: &str, is_of_objects: bool) -> Option<Value> {
    match key {
        _ if is_of_objects => Some(Value::Object(Map::new())),
        // An index that no list has.
        "children" | "nodes" | "joints" => Some(Value::from(u64::MAX)),
        "weights" => Some(Value::from(0)),
        _ => None,
    }
}

/// Lists whose elements locate numbers: without one of its values an element would refer to other
/// numbers.
const ALL_OR_NOTHING: [&str; 3] = ["accessors", "bufferViews", "buffers"];

/// Optional values of such an element.
const WHOLE_WITHOUT: [&str; 3] = ["min", "max", "normalized"];

/// Removes the value at a path: a member of its object, or the list that contains it. An element
/// whose position matters is replaced by an empty one, such as an empty object. False if nothing is
/// left to remove.
pub(super) fn leave_out(root: &mut Value, path: &Path) -> bool {
    let mut steps: Vec<&Segment> = path.iter().collect();
    let list = match steps.first() {
        Some(Segment::Map { key }) => key.as_str(),
        _ => return false,
    };
    if ALL_OR_NOTHING.contains(&list) && steps.len() > 2 {
        let is_whole = matches!(steps.get(2), Some(Segment::Map { key }) if WHOLE_WITHOUT.contains(&key.as_str()));
        steps.truncate(if is_whole { 3 } else { 2 });
    }
    let Some((last, way)) = steps.split_last() else { return false };
    match (last, value_at(root, way)) {
        (Segment::Map { key }, Some(Value::Object(object))) => {
            object.remove(key.as_str()).is_some()
        }
        (Segment::Seq { index }, Some(Value::Array(list))) => {
            let is_of_objects = way.len() == 1 || list.iter().any(Value::is_object);
            let Some(element) = list.get_mut(*index) else { return false };
            let (key, owner) = match way.split_last() {
                Some((Segment::Map { key }, owner)) => (key.as_str(), owner),
                _ => ("", way),
            };
            match nothing_in(key, is_of_objects) {
                Some(nothing) if *element != nothing => *element = nothing,
                _ if is_of_objects || key.starts_with("extensions") => drop(list.remove(*index)),
                // Arrays of numbers would change their meaning if one were dropped.
                _ => {
                    let Some(Value::Object(object)) = value_at(root, owner) else { return false };
                    return object.remove(key).is_some();
                }
            }
            true
        }
        _ => false,
    }
}

/// The value at a path.
fn value_at<'v>(root: &'v mut Value, way: &[&Segment]) -> Option<&'v mut Value> {
    way.iter().try_fold(root, |value, step| match step {
        Segment::Map { key } => value.get_mut(key.as_str()),
        Segment::Seq { index } => value.get_mut(*index),
        _ => None,
    })
}

fn json_error(error: &serde_json::Error) -> GltfError {
    let (line, column) = (error.line(), error.column());
    GltfError::Json { line, column, message: message_of(error) }
}

/// The message of an error without its position, which is in separate fields.
fn message_of(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let message = text.rsplit_once(" at line ").map_or(text.as_str(), |(message, _)| message);
    if let Some(within) = message.strip_prefix("EOF while parsing") {
        return format!("the text ends inside{within}");
    }
    match message.strip_prefix("duplicate field ") {
        Some(key) => format!("the key {key} appears twice; the last one is used"),
        None => message.replace("ident", "true, false or null"),
    }
}

/// The error of a glTF 1.0 file, whose lists are objects and which may lack a version.
fn check_old_version(root: &Value) -> Result<(), GltfError> {
    let asset = <Asset as Deserialize>::deserialize(root.get("asset").unwrap_or(&Value::Null));
    if let Ok(asset) = &asset {
        check_version(asset)?;
    }
    if asset.is_ok_and(|asset| asset.version.is_some()) {
        return Ok(());
    }
    if root.get("meshes").or(root.get("nodes")).is_some_and(Value::is_object) {
        let path = JsonPath::root("asset");
        return Err(GltfError::value(&path, "the version of glTF", "1.0, by its form", "2.0"));
    }
    Ok(())
}

/// Versions that are read.
const VERSIONS: &str = "2.0, or a later 2.x that requires no more";

fn check_version(asset: &Asset) -> Result<(), GltfError> {
    let path = JsonPath::root("asset");
    let is_two = |version: &Version| match version {
        Version::Text(version) => version.trim() == "2" || version.trim().starts_with("2."),
        Version::Number(version) => (2.0..3.0).contains(version),
    };
    let words = |version: &Version| match version {
        Version::Text(version) => format!("{version:?}"),
        Version::Number(version) => format!("{version:?}"),
    };
    if let Some(version) = asset.version.as_ref().filter(|version| !is_two(version)) {
        let (path, found) = (path.key("version"), words(version));
        return Err(GltfError::value(&path, "the version of glTF", found, VERSIONS));
    }
    let is_least = |version: &Version| matches!(words(version).trim_matches('"'), "2" | "2.0");
    match asset.min_version.as_ref().filter(|least| !is_least(least)) {
        None => Ok(()),
        Some(least) => {
            let (path, found) = (path.key("minVersion"), words(least));
            Err(GltfError::value(&path, "the minimum version", found, "2.0"))
        }
    }
}
