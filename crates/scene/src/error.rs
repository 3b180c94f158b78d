//! Mistakes of a scene: all at once, each with its position, the value found and the allowed
//! values.
//!
//! Input: the problems that the readers report. Output: [`SceneErrors`], which prints each mistake
//! in the style of `rustc`, or as one line, or returns it as a [`Diagnostic`]. The readers decide
//! about mistakes.

use super::frame_list::FrameListError;
use super::pattern::PatternError;
use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};
use std::fmt;
use std::ops::Range;
use thiserror::Error;
use tintype_base::diagnostic::{Diagnostic, Kind, Place};

/// Maximum number of printed mistakes; more are counted.
const MAX_PRINTED: usize = 100;
/// Maximum number of characters of a text from the scene in a message.
const MAX_QUOTE: usize = 60;

/// One mistake, without its position.
#[derive(Clone, Debug, Error, PartialEq)]
#[non_exhaustive]
pub enum Problem {
    /// The text is not TOML.
    #[error("{message}")]
    Syntax {
        /// Message of the TOML reader.
        message: String,
    },
    /// A table has an unknown key.
    #[error("unknown key {}{}", quoted(.key), goes_into(.home.as_deref()))]
    UnknownKey {
        /// The key.
        key: String,
        /// The header of the table that has such a key.
        home: Option<String>,
        /// The keys of that table.
        allowed: Vec<String>,
        /// The most similar one.
        nearest: Option<String>,
    },
    /// A key belongs to another kind of camera or light, or requires another key's value.
    #[error("key {} has no effect with {with}", quoted(.key))]
    MisplacedKey {
        /// The key.
        key: String,
        /// The value that excludes it, such as `kind = "orbit"`.
        with: String,
        /// The value that allows it.
        goes_with: String,
    },
    /// A key without a default is absent.
    #[error("missing key {}", quoted(.key))]
    MissingKey {
        /// The key.
        key: String,
        /// The value that it has.
        expected: String,
    },
    /// A value has another type than required by its key.
    #[error("found {found}")]
    WrongType {
        /// The value.
        found: String,
        /// The allowed values.
        expected: String,
    },
    /// A number is too large, too small, or not finite.
    #[error("{found} is out of range")]
    OutOfRange {
        /// The number as written.
        found: String,
        /// The allowed values.
        allowed: String,
    },
    /// A word that the key does not know.
    #[error("unknown {what} {}", quoted(.found))]
    UnknownWord {
        /// Subject of the word, such as `light kind`.
        what: &'static str,
        /// The word.
        found: String,
        /// The known words.
        allowed: Vec<String>,
        /// The most similar one.
        nearest: Option<String>,
    },
    /// A name that the scene defines nowhere.
    #[error("unknown {what} {found}")]
    UnknownReference {
        /// Kind of the thing: `clip` or `model`.
        what: &'static str,
        /// The name in quotes, or the index.
        found: String,
        /// Owner of the names: `the model` or `the scene`.
        owner: &'static str,
        /// The names that it has.
        has: Vec<String>,
        /// The most similar one.
        nearest: Option<String>,
    },
    /// A text is not a colour.
    #[error("{} is not a colour", quoted(.found))]
    Color {
        /// The text.
        found: String,
        /// Forms of colours.
        allowed: &'static str,
        /// The code of a colour in another notation, such as a name.
        nearest: Option<String>,
    },
    /// Two things have one name.
    #[error("two {what}s are named {}", quoted(.name))]
    Duplicate {
        /// Kind of the named part: `model`, `clip` or `material`.
        what: &'static str,
        /// Their name.
        name: String,
        /// The line of the first; 0 without a text.
        first_line: usize,
    },
    /// A value is invalid for another reason.
    #[error("{message}")]
    Invalid {
        /// The problem.
        message: String,
        /// The allowed values.
        allowed: String,
    },
    /// A list of frames cannot be read.
    #[error(transparent)]
    Frames(#[from] FrameListError),
    /// A pattern for file names cannot be read.
    #[error(transparent)]
    Pattern(#[from] PatternError),
}

fn goes_into(home: Option<&str>) -> String {
    home.map_or_else(String::new, |home| format!("; it belongs in {home}"))
}

impl Problem {
    /// The allowed values, if the message itself does not list them.
    #[must_use]
    pub fn allowed(&self) -> Option<String> {
        Some(match self {
            Self::UnknownKey { allowed, .. } => format!("the keys are: {}", allowed.join(", ")),
            Self::UnknownWord { allowed, .. } => format!("expected one of: {}", allowed.join(", ")),
            Self::UnknownReference { owner, has, what, .. } if has.is_empty() => {
                format!("{owner} has no {what}")
            }
            Self::UnknownReference { owner, has, .. } => {
                let names: Vec<String> = has.iter().map(|name| shortened(name)).collect();
                format!("{owner} has: {}", names.join(", "))
            }
            Self::MisplacedKey { goes_with, .. } => format!("it needs {goes_with}"),
            Self::MissingKey { expected, .. } => format!("expected {expected}"),
            Self::WrongType { expected, .. } => format!("expected {expected}"),
            Self::OutOfRange { allowed, .. } | Self::Invalid { allowed, .. } => allowed.clone(),
            Self::Color { allowed, .. } => format!("expected {allowed}"),
            Self::Duplicate { first_line: line @ 1.., .. } => {
                format!("the first is on line {line}")
            }
            Self::Duplicate { .. } | Self::Syntax { .. } | Self::Frames(_) | Self::Pattern(_) => {
                return None;
            }
        })
    }

    /// The known word most similar to the found one.
    #[must_use]
    pub fn nearest(&self) -> Option<&str> {
        match self {
            Self::UnknownKey { nearest, .. }
            | Self::UnknownWord { nearest, .. }
            | Self::Color { nearest, .. }
            | Self::UnknownReference { nearest, .. } => nearest.as_deref(),
            _ => None,
        }
    }

    /// The subject of the mistake.
    #[must_use]
    pub fn kind(&self) -> Kind {
        match self {
            Self::Syntax { .. } => Kind::Syntax,
            Self::UnknownKey { .. } | Self::MisplacedKey { .. } | Self::MissingKey { .. } => {
                Kind::Key
            }
            Self::UnknownReference { .. } | Self::Duplicate { .. } => Kind::Reference,
            Self::WrongType { .. }
            | Self::OutOfRange { .. }
            | Self::UnknownWord { .. }
            | Self::Color { .. }
            | Self::Invalid { .. }
            | Self::Frames(_)
            | Self::Pattern(_) => Kind::Value,
        }
    }

    /// The mistake at a position, with the allowed values and the nearest word.
    pub(super) fn diagnostic(&self, place: Place) -> Diagnostic {
        let near = self.nearest().map(|near| format!("did you mean {}?", quoted(near)));
        let found = Diagnostic::error(self.kind(), place, self.to_string()).with_help(near);
        match self.allowed() {
            Some(allowed) => found.with_note(allowed),
            None => found,
        }
    }

    /// True if it may be a consequence of a syntax error elsewhere.
    pub(super) fn may_follow_from_syntax(&self) -> bool {
        matches!(
            self,
            Self::MissingKey { .. } | Self::UnknownReference { .. } | Self::Duplicate { .. }
        )
    }
}

/// One mistake with its position.
#[derive(Clone, Debug, PartialEq)]
pub struct SceneError {
    /// Bytes of the wrong text.
    pub span: Range<usize>,
    /// Line of their start, from 1; 0 without a text.
    pub line: usize,
    /// Character of their start in the line, from 1; 0 without a text.
    pub column: usize,
    /// Path of the key, such as `instance[2].clip`; empty for the whole text.
    pub path: String,
    /// The problem.
    pub problem: Problem,
}

/// All mistakes of one scene, in the order of the text; at least one.
///
/// `Display` prints each with its line of the scene, as `rustc` does. [`SceneErrors::lines`]
/// returns one line for each.
#[derive(Clone, Debug, PartialEq)]
pub struct SceneErrors {
    name: String,
    source: Source,
    errors: Vec<SceneError>,
}

/// The origin of a scene.
#[derive(Clone, Debug, PartialEq)]
enum Source {
    /// A text.
    Text(String),
    /// A builder; keys and the options that set them.
    Builder(Vec<(String, String)>),
}

impl std::error::Error for SceneErrors {}

impl SceneErrors {
    /// Sorts problems by their position, and computes lines and columns.
    pub(super) fn new(name: &str, text: &str, found: Vec<(Range<usize>, String, Problem)>) -> Self {
        let lines = LineIndex::new(text);
        let mut errors: Vec<SceneError> = found
            .into_iter()
            .map(|(span, path, problem)| {
                let span = lines.within(text, span);
                let (line, column) = lines.place(text, span.start);
                SceneError { span, line, column, path, problem }
            })
            .collect();
        errors.sort_by(|a, b| (a.span.start, &a.path).cmp(&(b.span.start, &b.path)));
        Self { name: name.to_owned(), source: Source::Text(text.to_owned()), errors }
    }

    /// Mistakes of a scene without text, in the order of its document; `options` are the options
    /// that set keys.
    pub(super) fn of_builder(
        name: &str,
        options: &[(String, String)],
        found: Vec<(Range<usize>, String, Problem)>,
    ) -> Self {
        let error = |(span, path, problem)| SceneError { span, line: 0, column: 0, path, problem };
        let mut errors: Vec<SceneError> = found.into_iter().map(error).collect();
        errors.sort_by_key(|error| error.span.start);
        Self { name: name.to_owned(), source: Source::Builder(options.to_vec()), errors }
    }

    /// The name of the scene, as it was given.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The mistakes.
    #[must_use]
    pub fn errors(&self) -> &[SceneError] {
        &self.errors
    }

    /// The mistakes as diagnostics.
    #[must_use]
    pub fn diagnostics(&self) -> Vec<Diagnostic> {
        self.errors.iter().map(|error| self.diagnostic(error)).collect()
    }

    fn diagnostic(&self, error: &SceneError) -> Diagnostic {
        error.problem.diagnostic(self.place(error))
    }

    fn place(&self, error: &SceneError) -> Place {
        let SceneError { line, column, path, .. } = error;
        let name = self.name.clone();
        let (line, column) = match &self.source {
            Source::Text(_) => (Some(*line), Some(*column)),
            Source::Builder(options) => {
                // The option of the key itself, or of the table around it.
                let holds = |key: &str| {
                    path.strip_prefix(key)
                        .is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
                };
                let options = options.iter().filter(|(key, _)| holds(key));
                if let Some((_, option)) = options.max_by_key(|(key, _)| key.len()) {
                    return Place::option(option);
                }
                (None, None)
            }
        };
        Place::Document { name, line, column, key: shortened(path) }
    }

    /// One line for each mistake: `scene.toml:12:8: instance[2].clip: unknown clip "wlak"; the
    /// model has: walk; did you mean "walk"?`.
    pub fn lines(&self) -> impl Iterator<Item = String> + '_ {
        self.errors.iter().map(|error| self.diagnostic(error).to_string())
    }

    fn render(&self, error: &SceneError, renderer: &Renderer) -> String {
        let Source::Text(text) = &self.source else {
            return self.diagnostic(error).to_string();
        };
        let (title, allowed) = (error.problem.to_string(), error.problem.allowed());
        let near = error.problem.nearest();
        let help = near.map(|nearest| format!("did you mean {}?", quoted(nearest)));
        let place = format!("at `{}`", shortened(&error.path));
        // Only the line is copied: a hundred mistakes in a large text do not copy it a hundred
        // times.
        let before = text.get(..error.span.start).unwrap_or_default();
        let start = before.rfind('\n').map_or(0, |at| at + 1);
        let rest = text.get(start..).unwrap_or_default();
        let line = rest.split('\n').next().unwrap_or_default();
        let line = line.strip_suffix('\r').unwrap_or(line);
        let within = |at: usize| at.saturating_sub(start).min(line.len());
        let mut mark =
            AnnotationKind::Primary.span(within(error.span.start)..within(error.span.end));
        if !error.path.is_empty() {
            mark = mark.label(place);
        }
        let snippet =
            Snippet::source(line).line_start(error.line).path(self.name.as_str()).annotation(mark);
        let mut group: Group<'_> = Level::ERROR.primary_title(title).element(snippet);
        if let Some(allowed) = allowed {
            group = group.element(Level::NOTE.message(allowed));
        }
        if let Some(help) = help {
            group = group.element(Level::HELP.message(help));
        }
        renderer.render(&[group])
    }

    /// As `Display`, with the colours of a terminal.
    #[must_use]
    pub fn colored(&self) -> String {
        self.drawn(&Renderer::styled())
    }

    fn drawn(&self, renderer: &Renderer) -> String {
        let drawn = self.errors.iter().take(MAX_PRINTED);
        let drawn: Vec<String> = drawn.map(|error| self.render(error, renderer)).collect();
        let more = self.errors.len().saturating_sub(MAX_PRINTED);
        let more = if more > 0 { format!("\n\nand {more} more errors") } else { String::new() };
        let between = match self.source {
            Source::Text(_) => "\n\n",
            Source::Builder(_) => "\n",
        };
        drawn.join(between) + &more
    }
}

impl fmt::Display for SceneErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.drawn(&Renderer::plain()))
    }
}

/// A text in quotes, cut to a length for messages.
pub(super) fn quoted(text: &str) -> String {
    format!("{:?}", shortened(text))
}

/// A text cut to a length for messages.
pub(super) fn shortened(text: &str) -> String {
    let short: String = text.chars().take(MAX_QUOTE).collect();
    if short.len() < text.len() { short + "..." } else { short }
}

/// Start of each line of a text.
pub(super) struct LineIndex {
    starts: Vec<usize>,
}

impl LineIndex {
    pub(super) fn new(text: &str) -> Self {
        let breaks = text.bytes().enumerate().filter(|&(_, byte)| byte == b'\n');
        Self { starts: std::iter::once(0).chain(breaks.map(|(at, _)| at + 1)).collect() }
    }

    /// Clamps a span to the text and to character boundaries.
    fn within(&self, text: &str, span: Range<usize>) -> Range<usize> {
        let start = text.floor_char_boundary(span.start);
        start..text.ceil_char_boundary(span.end).max(start)
    }

    /// The line of a byte, from 1.
    pub(super) fn line(&self, at: usize) -> usize {
        self.starts.partition_point(|&start| start <= at).max(1)
    }

    /// The line and the column, both from 1.
    fn place(&self, text: &str, at: usize) -> (usize, usize) {
        let line = self.line(at);
        let start = self.starts.get(line - 1).copied().unwrap_or(0);
        (line, text.get(start..at).map_or(0, |before| before.chars().count()) + 1)
    }
}
