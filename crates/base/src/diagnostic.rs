//! Diagnostics: warnings and errors as values with a severity, a kind, a place and notes.
//!
//! Every layer that finds a mistake builds a [`Diagnostic`] once; the caller that shows it chooses
//! the form. `Display` writes one line.

use crate::path::ShowPath;
use crate::printable::one_line;
use std::fmt;
use std::path::Path;

/// Weight of a diagnostic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    /// There is a result, but it may differ from the intended one.
    Warning,
    /// The operation has no result.
    Error,
}

/// Subject of a diagnostic, for programs that filter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Kind {
    /// A text does not follow its grammar.
    Syntax,
    /// A key is unknown, missing or in the wrong table.
    Key,
    /// A value has the wrong type or is out of range.
    Value,
    /// A name refers to nothing, or two items have the same name.
    Reference,
    /// A model file.
    Model,
    /// A model file without a mesh.
    NoMesh,
    /// A setting of a model that its file cannot follow.
    NoEffect,
    /// An animation clip.
    Clip,
    /// A material or a texture.
    Material,
}

/// The position that a diagnostic speaks of.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Place {
    /// No position.
    #[default]
    None,
    /// A position in a file or document.
    Document {
        /// Path of the file, or name of the document; empty if it is obvious.
        name: String,
        /// Line, from 1.
        line: Option<usize>,
        /// Character in the line, from 1.
        column: Option<usize>,
        /// Key in the document, such as `instance[2].clip`; empty for the document as a whole.
        key: String,
    },
    /// A command-line option, with its dashes.
    Option(String),
    /// A model of the scene, or one of its clips.
    Model {
        /// Name of the model in the scene.
        name: String,
        /// Name of the clip.
        clip: Option<String>,
    },
}

/// One warning or error.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Diagnostic {
    /// Weight.
    pub severity: Severity,
    /// Subject.
    pub kind: Kind,
    /// Position.
    pub place: Place,
    /// The finding, as a clause without a full stop.
    pub message: String,
    /// Values that are allowed, or consequences.
    pub notes: Vec<String>,
    /// A suggested fix.
    pub help: Option<String>,
    /// True if only the author of a scene can follow the help.
    pub is_help_for_scenes: bool,
    /// True if the picture shows a substitute for something missing: a magenta checkerboard for a
    /// texture, or joints matched by index instead of by name.
    pub is_stand_in: bool,
}

impl Place {
    /// A whole file, or one line of it; line 0 means the whole file.
    #[must_use]
    pub fn file(path: impl AsRef<Path>, line: usize) -> Self {
        let (name, line) = (path.as_ref().shown(), (line > 0).then_some(line));
        Self::Document { name, line, column: None, key: String::new() }
    }

    /// A key of the scene.
    #[must_use]
    pub fn key(key: impl Into<String>) -> Self {
        Self::Document { name: String::new(), line: None, column: None, key: key.into() }
    }

    /// A command-line option, named with its dashes.
    #[must_use]
    pub fn option(name: impl Into<String>) -> Self {
        Self::Option(name.into())
    }
}

impl Diagnostic {
    /// A warning without notes.
    #[must_use]
    pub fn warning(kind: Kind, place: Place, message: impl Into<String>) -> Self {
        Self::new(Severity::Warning, kind, place, message)
    }

    /// An error without notes.
    #[must_use]
    pub fn error(kind: Kind, place: Place, message: impl Into<String>) -> Self {
        Self::new(Severity::Error, kind, place, message)
    }

    fn new(severity: Severity, kind: Kind, place: Place, message: impl Into<String>) -> Self {
        let message = one_line(&message.into());
        Self {
            severity,
            kind,
            place,
            message,
            notes: Vec::new(),
            help: None,
            is_help_for_scenes: false,
            is_stand_in: false,
        }
    }

    /// Marks that the picture shows a substitute for something missing.
    #[must_use]
    pub fn as_stand_in(mut self) -> Self {
        self.is_stand_in = true;
        self
    }

    /// Adds a note.
    #[must_use]
    pub fn with_note(mut self, note: impl Into<String>) -> Self {
        self.notes.push(one_line(&note.into()));
        self
    }

    /// The place, the message and the first note: a short line among those of many files.
    #[must_use]
    pub fn brief(&self) -> String {
        let notes = self.notes.iter().take(1).cloned().collect();
        Self { notes, help: None, ..self.clone() }.to_string()
    }

    /// Sets the help.
    #[must_use]
    pub fn with_help(mut self, help: Option<String>) -> Self {
        self.help = help.map(|help| one_line(&help));
        self
    }

    /// Sets a help that only the author of a scene can follow.
    #[must_use]
    pub fn with_scene_help(self, help: impl Into<String>) -> Self {
        Self { is_help_for_scenes: true, ..self.with_help(Some(help.into())) }
    }
}

/// `scene.toml:12:8: camera.fov_deg`, `--size`, `ranger: clip "walk"`; empty without a position.
impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&one_line(&fmt::from_fn(|f| self.write(f)).to_string()))
    }
}

impl Place {
    fn write(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::None => Ok(()),
            Self::Document { name, line, column, key } => {
                match (name.as_str(), line) {
                    ("", Some(line)) => write!(f, "line {line}")?,
                    (name, Some(line)) => write!(f, "{name}:{line}")?,
                    (name, None) => f.write_str(name)?,
                }
                if let Some(column) = column {
                    write!(f, ":{column}")?;
                }
                let is_first = name.is_empty() && line.is_none();
                let between = if is_first || key.is_empty() { "" } else { ": " };
                write!(f, "{between}{key}")
            }
            Self::Option(name) => f.write_str(name),
            Self::Model { name, clip: None } => f.write_str(name),
            Self::Model { name, clip: Some(clip) } => write!(f, "{name}: clip \"{clip}\""),
        }
    }
}

/// One line, whatever names it contains: the place, the message, the notes, the help.
impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.place != Place::None {
            write!(f, "{}: ", self.place)?;
        }
        f.write_str(&one_line(&self.message))?;
        for note in self.notes.iter().chain(&self.help) {
            write!(f, "; {}", one_line(note))?;
        }
        Ok(())
    }
}

/// Joins the messages of an error and its causes with `: `, each message once. Causes are one line
/// each.
#[must_use]
pub fn chain(error: &dyn std::error::Error) -> String {
    let mut message = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        let text = error.to_string();
        // Some errors end with their cause.
        if !message.ends_with(&text) {
            message.push_str(": ");
            message.push_str(&one_line(&text));
        }
        cause = error.source();
    }
    message
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn causes_are_told_once() {
        #[derive(Debug, thiserror::Error)]
        #[error("{text}")]
        struct ErrorWithText {
            text: &'static str,
            source: Option<std::fmt::Error>,
        }
        let cause = std::fmt::Error.to_string();
        let of = |text| chain(&ErrorWithText { text, source: Some(std::fmt::Error) });
        assert_eq!(of("cannot print"), format!("cannot print: {cause}"));
        let whole: &'static str = format!("cannot print: {cause}").leak();
        assert_eq!(of(whole), whole);
    }

    #[test]
    fn diagnostic_is_one_line_with_its_place_notes_and_help() {
        let place = Place::Document {
            name: "a.toml".to_owned(),
            line: Some(3),
            column: Some(7),
            key: "camera.kind".to_owned(),
        };
        let error = Diagnostic::error(Kind::Value, place, "unknown camera kind \"orbti\"")
            .with_note("expected one of: \"orbit\"")
            .with_help(Some("did you mean \"orbit\"?".to_owned()));
        assert_eq!(
            error.to_string(),
            "a.toml:3:7: camera.kind: unknown camera kind \"orbti\"; expected one of: \"orbit\"; did you mean \"orbit\"?"
        );
    }

    #[test]
    fn place_is_written_without_what_is_unknown() {
        let clip = Place::Model { name: "imp".to_owned(), clip: Some("walk".to_owned()) };
        let cases = [
            (Place::file("m/a.x", 0), "m/a.x"),
            (Place::file("m/a.x", 4), "m/a.x:4"),
            (Place::file("", 4), "line 4"),
            (Place::key("camera.kind"), "camera.kind"),
            (Place::option("--size"), "--size"),
            (clip, "imp: clip \"walk\""),
        ];
        for (place, text) in cases {
            assert_eq!(place.to_string(), text);
        }
        let bare = Diagnostic::warning(Kind::Model, Place::None, "empty");
        assert_eq!(bare.to_string(), "empty");
    }
}
