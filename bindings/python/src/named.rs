//! Parts of a model by their position or their name.

use crate::diagnostic::mistyped;
use pyo3::exceptions::{PyIndexError, PyKeyError};
use pyo3::prelude::*;
use pyo3::types::{PyList, PySlice, PyTuple};
use pyo3::{PyClass, PyClassInitializer};
use tintype::nearest_word;

/// Joints, meshes, clips or morph targets of a model, in the order of the file: `clips[0]`, `clips["walk"]`, `"walk" in clips`.
#[pyclass(frozen, sequence, new = "from_fields", module = "tintype")]
pub(crate) struct Named {
    /// The kind of the parts, for messages.
    what: String,
    names: Vec<String>,
    parts: Py<PyList>,
}

impl Named {
    pub(crate) fn new<T: PyClass + Into<PyClassInitializer<T>>>(
        py: Python<'_>,
        what: &'static str,
        parts: impl Iterator<Item = (String, T)>,
    ) -> PyResult<Self> {
        let (mut names, list) = (Vec::new(), PyList::empty(py));
        for (name, part) in parts {
            names.push(name);
            list.append(Py::new(py, part)?)?;
        }
        Ok(Self { what: what.to_owned(), names, parts: list.unbind() })
    }

    /// The error of a name that no part has.
    fn unknown(&self, name: &str) -> PyErr {
        let known = self.names.iter().map(String::as_str);
        let near = nearest_word(name, known.clone())
            .map_or_else(String::new, |near| format!("; did you mean {near:?}?"));
        let all: Vec<String> = known.take(20).map(|known| format!("{known:?}")).collect();
        let more = if self.names.len() > all.len() { ", ..." } else { "" };
        PyKeyError::new_err(format!(
            "no {} {name:?}{near} The model has: {}{more}",
            self.what,
            all.join(", ")
        ))
    }
}

#[pymethods]
impl Named {
    /// The names, in order.
    fn names(&self) -> Vec<String> {
        self.names.clone()
    }

    fn __len__(&self) -> usize {
        self.names.len()
    }

    fn __getitem__<'py>(
        &self,
        py: Python<'py>,
        key: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let parts = self.parts.bind(py);
        if let Ok(name) = key.extract::<String>() {
            let at = self.names.iter().position(|own| *own == name);
            return parts.get_item(at.ok_or_else(|| self.unknown(&name))?);
        }
        if key.cast::<PySlice>().is_ok() {
            return parts.as_any().get_item(key);
        }
        let wrong = || mistyped(format!("a {} is selected by name or position", self.what));
        let at: isize = key.extract().map_err(|_| wrong())?;
        let at = if at < 0 { at.checked_add_unsigned(parts.len()) } else { Some(at) };
        let at = at.and_then(|at| usize::try_from(at).ok()).filter(|&at| at < parts.len());
        let outside = || PyIndexError::new_err(format!("there are {} of them", parts.len()));
        parts.get_item(at.ok_or_else(outside)?)
    }

    fn __contains__(&self, py: Python<'_>, key: &Bound<'_, PyAny>) -> PyResult<bool> {
        match key.extract::<String>() {
            Ok(name) => Ok(self.names.contains(&name)),
            Err(_) => self.parts.bind(py).as_any().contains(key),
        }
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(self.parts.bind(py).as_any().try_iter()?.into_any())
    }

    fn __eq__(&self, py: Python<'_>, other: &Bound<'_, PyAny>) -> PyResult<bool> {
        match other.cast::<Self>() {
            Ok(other) => self.parts.bind(py).as_any().eq(other.get().parts.bind(py)),
            Err(_) => self.parts.bind(py).as_any().eq(other),
        }
    }

    /// For `pickle`.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let fields = (self.what.as_str(), self.names.as_slice(), self.parts.bind(py).clone());
        (py.get_type::<Self>(), fields).into_pyobject(py)
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(self.parts.bind(py).repr()?.to_string())
    }
}
