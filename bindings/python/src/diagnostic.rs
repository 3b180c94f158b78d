//! Errors and warnings as Python exceptions and warnings, with the diagnostics of the library.

#![expect(clippy::too_many_arguments, reason = "data is made by its fields")]

use pyo3::create_exception;
use pyo3::exceptions::{PyException, PyUserWarning};
use pyo3::prelude::*;
use std::ffi::CString;
use std::io;
use tintype::ErrorKind;
use tintype::diagnostic::{Kind, Place, Severity};

create_exception!(
    tintype,
    Error,
    PyException,
    "A file cannot be read, a scene has mistakes, or a picture cannot be drawn or written.\n\n\
     `diagnostics` lists each mistake with its place; `is_temporary` tells whether the same call may succeed later.\n\n\
     Most are also what Python has for the same thing: FileNotFoundError and other OSErrors, ValueError, TypeError."
);
create_exception!(
    tintype,
    Warning,
    PyUserWarning,
    "The picture is drawn but may not be as intended: a texture is missing or a joint is unknown."
);

/// One warning or error, with its position.
#[pyclass(frozen, get_all, new = "from_fields", module = "tintype")]
#[derive(Clone)]
pub(crate) struct Diagnostic {
    /// "warning" or "error".
    severity: String,
    /// Subject: "syntax", "key", "value", "reference", "model", "clip" or "material".
    kind: String,
    /// File, line and key, or the name of a model; empty without a position.
    place: String,
    /// Line of the file, from 1.
    line: Option<usize>,
    /// Character of the line, from 1.
    column: Option<usize>,
    /// The finding, as a clause without a full stop.
    message: String,
    /// Allowed values, or consequences.
    notes: Vec<String>,
    /// A suggested fix.
    help: Option<String>,
    /// All of it in one sentence.
    text: String,
}

#[pymethods]
impl Diagnostic {
    fn __str__(&self) -> &str {
        &self.text
    }

    fn __repr__(&self) -> String {
        format!("<tintype.Diagnostic {}: {}>", self.severity, self.text)
    }
}

impl From<&tintype::Diagnostic> for Diagnostic {
    fn from(found: &tintype::Diagnostic) -> Self {
        let (line, column) = match &found.place {
            Place::Document { line, column, .. } => (*line, *column),
            _ => (None, None),
        };
        Self {
            severity: match found.severity {
                Severity::Warning => "warning",
                Severity::Error => "error",
            }
            .to_owned(),
            kind: kind_word(found.kind).to_owned(),
            place: found.place.to_string(),
            line,
            column,
            message: found.message.clone(),
            notes: found.notes.clone(),
            help: found.help.clone(),
            text: found.to_string(),
        }
    }
}

fn kind_word(kind: Kind) -> &'static str {
    match kind {
        Kind::Syntax => "syntax",
        Kind::Key => "key",
        Kind::Value => "value",
        Kind::Reference => "reference",
        Kind::Model | Kind::NoMesh | Kind::NoEffect => "model",
        Kind::Clip => "clip",
        Kind::Material => "material",
        _ => "other",
    }
}

/// The exception class for a system error, otherwise for the failed operation.
fn class_of(io_kind: Option<io::ErrorKind>, kind: ErrorKind) -> &'static str {
    match (io_kind, kind) {
        (Some(io::ErrorKind::NotFound), _) => "FileNotFoundError",
        (Some(io::ErrorKind::AlreadyExists), _) => "FileExistsError",
        (Some(io::ErrorKind::PermissionDenied), _) => "PermissionError",
        (Some(io::ErrorKind::IsADirectory), _) => "IsADirectoryError",
        (Some(io::ErrorKind::NotADirectory), _) => "NotADirectoryError",
        (Some(_), _) => "OSError",
        (None, ErrorKind::Draw | ErrorKind::Stopped) => "Error",
        (None, _) => "ValueError",
    }
}

/// Python's error for one of the library.
pub(crate) fn raised(py: Python<'_>, error: &tintype::Error) -> PyErr {
    let raised = of_class(class_of(error.io_kind(), error.kind()), error.to_string());
    let diagnostics: Vec<Diagnostic> = error.diagnostics().iter().map(Diagnostic::from).collect();
    let value = raised.value(py);
    let set = value
        .setattr("diagnostics", diagnostics)
        .and_then(|()| value.setattr("is_temporary", error.is_temporary()));
    match set {
        Ok(()) => raised,
        Err(failed) => failed,
    }
}

/// The error of a value out of range.
pub(crate) fn refused(message: impl Into<String>) -> PyErr {
    of_class("ValueError", message.into())
}

/// The error of work that failed.
pub(crate) fn failed(message: impl Into<String>) -> PyErr {
    of_class("Error", message.into())
}

/// The error of a value of another type.
pub(crate) fn mistyped(message: impl Into<String>) -> PyErr {
    of_class("TypeError", message.into())
}

/// An error of a class of the module `_errors`, which is also a built-in exception.
fn of_class(class: &str, message: String) -> PyErr {
    Python::attach(|py| {
        let class = py.import("tintype._errors").and_then(|errors| errors.getattr(class));
        match class.and_then(|class| class.call1((message,))) {
            Ok(raised) => PyErr::from_value(raised),
            Err(failed) => failed,
        }
    })
}

/// Issues the library's warnings through Python's `warnings`; a filter may turn them into errors.
pub(crate) fn warn<'d>(
    py: Python<'_>,
    found: impl IntoIterator<Item = &'d tintype::Diagnostic>,
) -> PyResult<()> {
    found.into_iter().try_for_each(|found| warn_text(py, &found.to_string()))
}

/// Issues one warning.
pub(crate) fn warn_text(py: Python<'_>, text: &str) -> PyResult<()> {
    let text = CString::new(text.replace('\0', "\u{fffd}"))?;
    PyErr::warn(py, &py.get_type::<Warning>(), &text, 1)
}
