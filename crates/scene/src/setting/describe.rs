//! Derived parts of the declaration of a setting: its node of the schema, its types in Python and
//! JavaScript, its default in words.

use super::shape::{Door, Group, POWERS, Setting, Shape, Usual};
use crate::aov::Aov;
use crate::bounds::Bounds;
use crate::channel::Channel;
use serde_json::{Value, json};

impl Setting {
    /// Its node of the JSON schema of scenes.
    #[must_use]
    pub fn schema(&self) -> Value {
        let mut node = self.shape.schema();
        if let Some(fields) = node.as_object_mut() {
            let doc = match self.usual.at(Door::Scene) {
                Usual::Words(words) => format!("{} Default: {words}.", self.doc),
                Usual::Value(text) => {
                    let value: Value =
                        serde_json::from_str(text).expect("a default is JSON, as a test finds");
                    // Schemas of older editors have no arrays as defaults.
                    if !value.is_array() {
                        fields.insert("default".to_owned(), value);
                    }
                    self.doc.to_owned()
                }
                _ => self.doc.to_owned(),
            };
            fields.insert("description".to_owned(), doc.into());
        }
        node
    }

    /// The description, with the unit after the first part and the rest after it.
    #[must_use]
    pub fn sentence(&self) -> String {
        let mut text = self.doc.to_owned();
        if let Some(unit) = self.unit() {
            let end = text.find([',', ':', ';', '.']).unwrap_or(text.len());
            text.insert_str(end, &format!(" in {unit}"));
        }
        text
    }

    /// The line of an option's help: its purpose, its words, its unit, and its default.
    #[must_use]
    pub fn help(&self, door: Door) -> String {
        let mut text = self.sentence().trim_end_matches('.').to_owned();
        let words = self.shape.words();
        // A word of the line need not be listed again.
        if words.iter().any(|word| !text.contains(word)) {
            text += &format!(": {}", listed(words, "or"));
        }
        match (door, self.usual_text(door)) {
            (Door::Scene, _) => text + ", instead of the scene's",
            (_, Some(usual)) if self.shape != Shape::Truth => format!("{text} [default: {usual}]"),
            _ => text,
        }
    }

    /// The default for an interface, in the notation of an option or in words. None if there is
    /// none.
    #[must_use]
    pub fn usual_text(&self, door: Door) -> Option<String> {
        match self.usual.at(door) {
            Usual::Value("[]") | Usual::Nothing | Usual::Each(_) => None,
            Usual::Words(words) => Some(words.to_owned()),
            Usual::Value(text) => match self.shape {
                Shape::Truth => Some(if text == "true" { "on" } else { "off" }.to_owned()),
                Shape::Size => Some(text.trim_matches(['[', ']']).replace(", ", "x")),
                _ => Some(text.trim_matches('"').to_owned()),
            },
        }
    }

    /// The name of an option's value.
    #[must_use]
    pub fn metavar(&self) -> &'static str {
        match self.shape {
            Shape::Truth => "",
            Shape::Power | Shape::Whole(..) => "N",
            Shape::Number(_) if self.unit() == Some("degrees") => "DEG",
            Shape::Number(_) if self.unit() == Some("seconds") => "S",
            Shape::Number(_) => "NUMBER",
            Shape::Word(_) => "WORD",
            Shape::Text => "NAME[:RANGE]",
            Shape::File => "FILE",
            Shape::Label => "TEXT",
            Shape::Size => "WxH",
            Shape::Frames => "FRAMES",
            Shape::FileNames => "PATTERN",
            Shape::Blend => "COLOR",
            Shape::Views | Shape::Channels => "LIST",
        }
    }

    /// Its type in stubs of Python.
    #[must_use]
    pub fn python(&self) -> String {
        match self.shape {
            Shape::Truth => "bool".to_owned(),
            Shape::Power => format!("Literal[{}]", self.shape.words().join(", ")),
            Shape::Whole(..) => "int".to_owned(),
            Shape::Number(_) => "float".to_owned(),
            Shape::Word(words) => format!(
                "Literal[{}]",
                words.iter().map(|word| format!("{word:?}")).collect::<Vec<_>>().join(", ")
            ),
            Shape::Size => "int | tuple[int, int]".to_owned(),
            Shape::Views | Shape::Channels => "str | Sequence[str]".to_owned(),
            Shape::Text
            | Shape::File
            | Shape::Label
            | Shape::Frames
            | Shape::FileNames
            | Shape::Blend => "str".to_owned(),
        }
    }

    /// Its type in TypeScript.
    #[must_use]
    pub fn typescript(&self) -> String {
        match self.shape {
            Shape::Truth => "boolean".to_owned(),
            Shape::Power => self.shape.words().join(" | "),
            Shape::Whole(..) | Shape::Number(_) => "number".to_owned(),
            Shape::Word(words) => {
                words.iter().map(|word| format!("'{word}'")).collect::<Vec<_>>().join(" | ")
            }
            Shape::Size => "number | [number, number]".to_owned(),
            Shape::Views | Shape::Channels => "string | string[]".to_owned(),
            Shape::Text
            | Shape::File
            | Shape::Label
            | Shape::Frames
            | Shape::FileNames
            | Shape::Blend => "string".to_owned(),
        }
    }
}

impl Group {
    /// The table of scenes with these settings as keys. None for settings of pictures without a
    /// scene.
    #[must_use]
    pub const fn table(self) -> Option<&'static str> {
        match self {
            Self::Picture | Self::Sequence => Some("output"),
            Self::Camera | Self::Model | Self::Play | Self::Turn => None,
        }
    }
}

impl Shape {
    fn schema(self) -> Value {
        match self {
            Self::Truth => json!({ "type": "boolean" }),
            Self::Power => json!({ "enum": POWERS }),
            Self::Whole(least, most) => {
                json!({ "type": "integer", "minimum": least, "maximum": most })
            }
            Self::Number(Bounds::Within(low, high)) => {
                json!({ "type": "number", "minimum": low, "maximum": high })
            }
            Self::Number(Bounds::Above(low, high)) => {
                json!({ "type": "number", "exclusiveMinimum": low, "maximum": high })
            }
            Self::Word(words) => json!({ "enum": words }),
            Self::Text | Self::File | Self::FileNames => {
                json!({ "type": "string", "minLength": 1 })
            }
            Self::Label => json!({ "type": "string" }),
            Self::Size => json!({ "$ref": "#/$defs/size" }),
            Self::Frames => json!({ "$ref": "#/$defs/frames" }),
            Self::Blend => json!({ "oneOf": [
                { "const": "transparent" },
                { "$ref": "#/$defs/surface_color" },
                {
                    "type": "object",
                    "description": "A vertical blend.",
                    "additionalProperties": false,
                    "properties": {
                        "top": { "$ref": "#/$defs/surface_color" },
                        "bottom": { "$ref": "#/$defs/surface_color" },
                    },
                },
            ] }),
            Self::Channels => {
                let words = Channel::WORDS.map(|(word, _)| word);
                json!({ "type": "array", "items": { "enum": words }, "uniqueItems": true })
            }
            Self::Views => {
                let plain: Vec<&str> = Aov::PLAIN.iter().map(|(word, _)| *word).collect();
                let pattern = format!("^({}|joint:.+|target:.+)$", plain.join("|"));
                json!({ "type": "array", "items": { "type": "string", "pattern": pattern } })
            }
        }
    }
}

/// Words with commas and a conjunction before the last.
fn listed(words: &[&str], conjunction: &str) -> String {
    match words {
        [] => String::new(),
        [one] => (*one).to_owned(),
        [rest @ .., last] => format!("{} {conjunction} {last}", rest.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::setting::SETTINGS;

    #[test]
    fn defaults_of_all_settings_are_json() {
        for setting in SETTINGS {
            let node = setting.schema();
            let is_value = matches!(setting.usual.at(Door::Scene), Usual::Value(text) if !text.starts_with('['));
            assert_eq!(node.get("default").is_some(), is_value, "{}", setting.key);
        }
    }
}
