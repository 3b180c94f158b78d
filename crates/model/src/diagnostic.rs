//! Diagnostics: warnings and errors as values with a severity, a kind, a place and notes.
//!
//! Every layer that finds a mistake builds a [`Diagnostic`] once; the caller that shows it chooses the form. `Display` writes one line.

use crate::Warning;
use crate::disk::ShowPath;
use crate::disk::byte_of;
use std::borrow::Cow;
use std::fmt;
use std::path::Path;

/// Weight of a diagnostic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    /// The result is made, and may not be the one that was meant.
    Warning,
    /// There is no result.
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
    /// A name refers to nothing, or two things have one name.
    Reference,
    /// A model file.
    Model,
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
        /// Path of the file, or name of the document; empty where it is understood.
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
    /// A model of the scene, or a clip of it.
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
    /// A way to correct it.
    pub help: Option<String>,
    /// Whether the picture shows something else in place of what is missing: a magenta checker for a texture, joints by their
    /// index for joints by their name.
    pub is_stand_in: bool,
}

impl Place {
    /// A file as a whole, or one line of it; line 0 stands for the whole file.
    #[must_use]
    pub fn file(path: impl AsRef<Path>, line: usize) -> Self {
        let (name, line) = (path.as_ref().shown().to_string(), (line > 0).then_some(line));
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

    /// A warning of the reader of a file.
    #[must_use]
    pub fn of_file(kind: Kind, path: impl AsRef<Path>, warning: Warning) -> Self {
        let is_stand_in = warning.is_stand_in();
        let place = Place::file(path, warning.line);
        Self { is_stand_in, ..Self::warning(kind, place, warning.message) }
    }

    fn new(severity: Severity, kind: Kind, place: Place, message: impl Into<String>) -> Self {
        let message = one_line(&message.into());
        Self { severity, kind, place, message, notes: Vec::new(), help: None, is_stand_in: false }
    }

    /// Marks that the picture shows something else in place of what is missing.
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

    /// Sets the help.
    #[must_use]
    pub fn with_help(mut self, help: Option<String>) -> Self {
        self.help = help.map(|help| one_line(&help));
        self
    }
}

/// `scene.toml:12:8: camera.fov_deg`, `--size`, `ranger: clip "walk"`; nothing for no position.
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

/// One line, whatever names it holds: the place, the message, the notes, the help.
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

/// The message of an error and those of its causes, with `: ` between them, each told once. Causes are one line each.
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

/// A count with its noun: `1 frame`, `2 frames`.
#[must_use]
pub fn counted(count: usize, noun: &str) -> String {
    if count == 1 { format!("1 {noun}") } else { format!("{count} {noun}s") }
}

/// A rate for people: six digits of it, so that one computed from times in single precision is 24 and not 23.999999284744284.
#[must_use]
pub fn format_rate(per_second: f64) -> f64 {
    format!("{per_second:.5e}").parse().unwrap_or(per_second)
}

/// A count with a noun whose plural is irregular: `1 vertex`, `2 vertices`.
#[must_use]
pub fn counted_as(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

/// A text for a terminal or a log: characters that control it, or that turn the direction of letters, are shown as escapes such as `\u{1b}`, and
/// bytes of names that are not UTF-8 as `\xe9`. Line feeds and tabs stay, but for those of names, which [`crate::disk::text_of_path`] marks:
/// `\n` and `\t`. No line is a command for the service that reads the log.
#[must_use]
pub fn printable(text: &str) -> Cow<'_, str> {
    let is_plain = |letter: char| {
        matches!(letter, '\n' | '\t') || !is_control(letter) && byte_of(letter).is_none()
    };
    if text.chars().all(is_plain) {
        return without_commands(text);
    }
    let mut shown = String::with_capacity(text.len() + 16);
    for letter in text.chars() {
        match (is_plain(letter), byte_of(letter)) {
            (true, _) => shown.push(letter),
            (false, Some(byte)) if byte.is_ascii() => {
                shown.extend(char::from(byte).escape_default())
            }
            (false, Some(byte)) => shown.push_str(&format!("\\x{byte:02x}")),
            (false, None) => shown.extend(letter.escape_unicode()),
        }
    }
    let plain = match without_commands(&shown) {
        Cow::Owned(plain) => Some(plain),
        Cow::Borrowed(_) => None,
    };
    Cow::Owned(plain.unwrap_or(shown))
}

/// The one function for names from files, and for each text that is one line and holds such names: as [`printable`], with line feeds and tabs as
/// escapes too.
#[must_use]
pub fn one_line(text: &str) -> String {
    // Names without an end of a line are the rule.
    let text = match text.contains(['\n', '\t']) {
        true => Cow::Owned(text.replace('\n', "\\n").replace('\t', "\\t")),
        false => Cow::Borrowed(text),
    };
    printable(&text).into_owned()
}

/// A text in which no line is a command for a service that reads the log: what makes it one is an escape.
///
/// # Source
/// GitHub's runner (`ActionCommand.cs`) reads `::name::` at the start of a line but for blanks, and `##[name]` anywhere in it; Azure Pipelines reads
/// `##vso[`, TeamCity `##teamcity[`; Open Job Description `openjd_name: ` at the start of a line.
fn without_commands(text: &str) -> Cow<'_, str> {
    const STARTS: [&str; 2] = ["::", "openjd_"];
    if !text.contains("##") && !STARTS.iter().any(|start| text.contains(start)) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 16);
    for line in text.split_inclusive('\n') {
        let mut own = line.trim_start();
        shown.push_str(&line[..line.len() - own.len()]);
        if STARTS.iter().any(|start| own.starts_with(start)) {
            let (first, rest) = own.split_at(1);
            shown.extend(first.chars().flat_map(char::escape_unicode));
            own = rest;
        }
        shown.push_str(&with_brackets(own, "\\u{5b}"));
    }
    Cow::Owned(shown)
}

/// A text with another text in place of each bracket that makes a command.
fn with_brackets(text: &str, other: &str) -> String {
    let mut parts = text.split('[');
    let mut shown = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let before = shown.trim_end_matches(|letter: char| letter.is_ascii_alphabetic());
        shown.push_str(if before.ends_with("##") { other } else { "[" });
        shown.push_str(part);
    }
    shown
}

/// JSON text in which such characters are escaped, and no command of a log is; between its texts there are none, but for line feeds. The control
/// characters of a name are written as what they are.
#[must_use]
pub fn printable_json(json: &str) -> String {
    let json = if json.contains("##") { with_brackets(json, "\\u005b") } else { json.to_owned() };
    let mut shown = String::with_capacity(json.len());
    for letter in json.chars() {
        match letter != '\n' && is_control(letter) {
            false => shown.push(letter),
            true => {
                let control = byte_of(letter).filter(u8::is_ascii).map(char::from);
                let mut units = [0; 2];
                for unit in control.unwrap_or(letter).encode_utf16(&mut units) {
                    shown.push_str(&format!("\\u{unit:04x}"));
                }
            }
        }
    }
    shown
}

/// Whether a character controls a terminal or the direction of letters, or ends a line for some reader.
#[must_use]
pub fn is_control(letter: char) -> bool {
    letter.is_control()
        || matches!(
            letter,
            '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
                | '\u{10ff01}'..='\u{10ffff}'
        )
}

/// The place of the first line of markers that git leaves in a text where it could not merge two changes; none in other texts.
#[must_use]
pub fn merge_conflict(text: &str) -> Option<core::ops::Range<usize>> {
    let is_marker = |line: &str, mark: &str| {
        line.strip_prefix(mark).is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
    };
    let mut start = None;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let own = line.trim_end();
        if start.is_none() && is_marker(own, "<<<<<<<") {
            start = Some(at..at + own.len());
        }
        // Without its end it may be anything.
        if start.is_some() && is_marker(own, ">>>>>>>") {
            return start;
        }
        at += line.len();
    }
    None
}

/// The line of [`merge_conflict`], from 1.
#[must_use]
pub fn merge_conflict_line(text: &str) -> Option<usize> {
    let start = merge_conflict(text)?.start;
    Some(1 + text.get(..start)?.matches('\n').count())
}

/// Message for a merge conflict in a text, with the way to end it.
pub const MERGE_CONFLICT: &str = "a merge conflict that git left: keep one side of each, and delete the lines <<<<<<<, ======= and >>>>>>>";

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
    fn conflicts_are_told_from_other_texts() {
        let conflict = "a = 1\r\n<<<<<<< HEAD\r\nb = 1\r\n=======\nb = 2\n>>>>>>> side\n";
        assert_eq!(merge_conflict(conflict), Some(7..19));
        assert_eq!(merge_conflict_line(conflict), Some(2));
        let of_three = "<<<<<<<\n||||||| base\n=======\n>>>>>>>";
        assert_eq!(merge_conflict_line(of_three), Some(1));
        for text in [
            "",
            "<<<<<<< a\n",
            ">>>>>>> a\n<<<<<<< b\n",
            "<<<<<<<<\n>>>>>>> a",
            "x <<<<<<< a\n>>>>>>> b",
        ] {
            assert_eq!(merge_conflict(text), None, "{text}");
        }
    }

    #[test]
    fn names_cannot_drive_a_terminal_or_start_a_line() {
        assert!(matches!(printable("a\tb\nc ä 名"), Cow::Borrowed(_)));
        assert_eq!(printable("x\u{1b}[2J\r\u{7}"), r"x\u{1b}[2J\u{d}\u{7}");
        assert_eq!(printable("gnp\u{202e}.x \u{9b}31m"), r"gnp\u{202e}.x \u{9b}31m");
        let json = "{\n  \"a\u{202e}\u{9b}\u{10ff80}\": \"\u{7f}\"\n}\n";
        let shown = "{\n  \"a\\u202e\\u009b\\udbff\\udf80\": \"\\u007f\"\n}\n";
        assert_eq!(printable_json(json), shown);
        assert_eq!(printable("a\u{10ff0a}b\nc\u{10ff1b}"), "a\\nb\nc\\u{1b}");
        assert_eq!(printable_json("\"a\u{10ff0a}\""), "\"a\\u000a\"");
        assert_eq!(one_line("a\nkind: Pod\u{2028}\tb"), r"a\nkind: Pod\u{2028}\tb");
        assert_eq!(one_line("a\r\n\u{85}\u{b}b"), r"a\u{d}\n\u{85}\u{b}b");
    }

    #[test]
    fn names_are_no_commands_of_a_log() {
        for (text, shown) in [
            ("::error::x", r"\u{3a}:error::x"),
            ("a\n \t::add-mask::\nb", "a\n \t\\u{3a}:add-mask::\nb"),
            ("a ##[error]b ##vso[c]", r"a ##\u{5b}error]b ##vso\u{5b}c]"),
            ("###[a][b] [c]", r"###\u{5b}a][b] [c]"),
            ("openjd_env: A=1", r"\u{6f}penjd_env: A=1"),
            ("a::b openjd_env: # [c] ## 1 [d]", "a::b openjd_env: # [c] ## 1 [d]"),
        ] {
            assert_eq!(printable(text), shown);
            assert!(!one_line(text).contains('\n'));
        }
        assert_eq!(one_line("a\n::stop-commands::b"), r"a\n::stop-commands::b");
        assert_eq!(printable_json("[\"##[a]\", \"##\"]"), "[\"##\\u005ba]\", \"##\"]");
        let place = Place::Model { name: "a\n::b".to_owned(), clip: None };
        let told = Diagnostic::warning(Kind::Model, place, "c\nd").with_note("e\n::f");
        assert_eq!(told.to_string(), r"a\n::b: c\nd; e\n::f");
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
            .with_note("it is one of: \"orbit\"")
            .with_help(Some("did you mean \"orbit\"?".to_owned()));
        assert_eq!(
            error.to_string(),
            "a.toml:3:7: camera.kind: unknown camera kind \"orbti\"; it is one of: \"orbit\"; did you mean \"orbit\"?"
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
