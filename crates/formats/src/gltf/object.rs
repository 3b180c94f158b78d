//! Reading of JSON objects: properties are read by name, and values of another form are reported in
//! the terms of the format.

use super::error::GltfError;
use serde_json::Value;
use serde_path_to_error::{Error, Segment};

/// Makes structs that derive `Deserialize` with `remote = "Self"` readable only from objects, not
/// from lists in the order of their fields.
macro_rules! objects {
    ($($name:ty),* $(,)?) => {$(
        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                struct Object;
                impl<'de> serde::de::Visitor<'de> for Object {
                    type Value = $name;

                    fn expecting(&self, out: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                        out.write_str("an object")
                    }

                    fn visit_map<A: serde::de::MapAccess<'de>>(self, map: A) -> Result<$name, A::Error> {
                        <$name>::deserialize(serde::de::value::MapAccessDeserializer::new(map))
                    }
                }
                from.deserialize_any(Object)
            }
        }
    )*};
}
pub(super) use objects;

/// The most characters of a text that are shown.
const SHOWN: usize = 40;

/// The error of a value in another form than the format specifies, within `root`, which is at
/// `path`.
pub(super) fn mismatch(path: &str, root: &Value, error: &Error<serde_json::Error>) -> GltfError {
    let mut value = Some(root);
    for step in error.path() {
        value = match step {
            Segment::Map { key } => value.and_then(|value| value.get(key.as_str())),
            Segment::Seq { index } => value.and_then(|value| value.get(*index)),
            _ => None,
        };
    }
    let inner = error.path().to_string();
    let gap = if path.is_empty() || inner == "." || inner.starts_with('[') { "" } else { "." };
    let inner = if inner == "." { "" } else { &inner };
    let text = error.inner().to_string();
    let words = text.rsplit_once(", expected ").map_or("", |(_, expected)| expected);
    let expected = match words {
        "an object" | "a whole number from 0" => words.to_owned(),
        "a map" => "an object".to_owned(),
        "a sequence" => "a list".to_owned(),
        "a string" => "a string".to_owned(),
        "a boolean" => "true or false".to_owned(),
        "f32" | "f64" => "a number".to_owned(),
        words => match words.strip_prefix("an array of length ") {
            Some(length) => format!("a list of {length} numbers"),
            None => "a value as glTF defines it".to_owned(),
        },
    };
    let found = value.map_or_else(|| "another value".to_owned(), described);
    GltfError::Value {
        path: format!("{path}{gap}{inner}"),
        what: "the value".to_owned(),
        found,
        expected,
    }
}

/// A value in words.
fn described(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(value) => value.to_string(),
        Value::Number(value) => value.to_string(),
        Value::String(text) => {
            let start: String = text.chars().take(SHOWN).collect();
            format!("the string {start:?}")
        }
        Value::Array(list) if list.is_empty() => "an empty list".to_owned(),
        Value::Array(list) => format!("a list of {}", list.len()),
        Value::Object(_) => "an object".to_owned(),
    }
}
