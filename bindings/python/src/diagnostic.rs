//! Errors and warnings as Python exceptions and warnings, which carry the diagnostics of the library.

use pyo3::create_exception;
use pyo3::exceptions::{PyException, PyUserWarning};
use pyo3::prelude::*;
use std::ffi::CString;
use tintype::diagnostic::{Kind, Place, Severity};

create_exception!(
    tintype,
    Error,
    PyException,
    "A file cannot be read, a scene has mistakes, or a picture cannot be drawn or written.\n\n\
     `diagnostics` lists each mistake with its place; `is_temporary` tells whether the same call may succeed later."
);
create_exception!(
    tintype,
    Warning,
    PyUserWarning,
    "The picture is drawn and may not be the one that was meant: a texture is missing, a joint is unknown."
);

/// One warning or error, with its place.
#[pyclass(frozen, get_all, module = "tintype")]
#[derive(Clone)]
pub(crate) struct Diagnostic {
    /// "warning" or "error".
    severity: &'static str,
    /// Subject: "syntax", "key", "value", "reference", "model", "clip" or "material".
    kind: &'static str,
    /// File, line and key, or the name of a model; empty for no place.
    place: String,
    /// Line of the file, from 1.
    line: Option<usize>,
    /// Character of the line, from 1.
    column: Option<usize>,
    /// The finding, as a clause without a full stop.
    message: String,
    /// Values that are allowed, or consequences.
    notes: Vec<String>,
    /// A way to correct it.
    help: Option<String>,
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
            },
            kind: kind_word(found.kind),
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
        Kind::Model => "model",
        Kind::Clip => "clip",
        Kind::Material => "material",
        _ => "other",
    }
}

/// Python's error for one of the library.
pub(crate) fn raised(py: Python<'_>, error: &tintype::Error) -> PyErr {
    raised_with(py, &error.to_string(), error.diagnostics(), error.is_temporary())
}

/// Python's error with a message and its diagnostics.
pub(crate) fn raised_with(
    py: Python<'_>,
    message: &str,
    diagnostics: &[tintype::Diagnostic],
    is_temporary: bool,
) -> PyErr {
    let error = Error::new_err(message.to_owned());
    let diagnostics: Vec<Diagnostic> = diagnostics.iter().map(Diagnostic::from).collect();
    let value = error.value(py);
    let set = value
        .setattr("diagnostics", diagnostics)
        .and_then(|()| value.setattr("is_temporary", is_temporary));
    match set {
        Ok(()) => error,
        Err(failed) => failed,
    }
}

/// Tells the warnings of the library by Python's `warnings`; a filter may turn them into errors.
pub(crate) fn warn<'d>(
    py: Python<'_>,
    found: impl IntoIterator<Item = &'d tintype::Diagnostic>,
) -> PyResult<()> {
    found.into_iter().try_for_each(|found| warn_text(py, &found.to_string()))
}

/// Tells one warning.
pub(crate) fn warn_text(py: Python<'_>, text: &str) -> PyResult<()> {
    let text = CString::new(text.replace('\0', "\u{fffd}"))?;
    PyErr::warn(py, &py.get_type::<Warning>(), &text, 1)
}
