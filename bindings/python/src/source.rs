//! Models to draw: paths, open models, bytes, and files opened in Python.

use crate::diagnostic::{mistyped, refused};
use crate::model::Model;
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tintype::{Files, LoadOptions, MemoryFiles, Turntable};

/// Name of a model without one.
const NAMELESS: &str = "model";

/// A model: its file or its bytes, or an open model.
pub(crate) enum Source {
    Model(Py<Model>),
    File(PathBuf),
    /// A name, options with its content in memory, and the path of the name.
    Memory(PathBuf, Box<LoadOptions>, PathBuf),
}

impl<'a, 'py> FromPyObject<'a, 'py> for Source {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        if let Ok(model) = object.cast::<Model>() {
            return Ok(Self::Model(model.to_owned().unbind()));
        }
        if let Some(bytes) = bytes_of(&object) {
            return Self::in_memory(PathBuf::from(NAMELESS), bytes);
        }
        if let Ok(path) = object.extract::<PathBuf>() {
            return Ok(Self::File(path));
        }
        if object.hasattr("read")? {
            if object.getattr("closed").is_ok_and(|closed| closed.is_truthy().unwrap_or(false)) {
                let message = "the file is closed: open it again with mode 'rb', or give its path";
                return Err(refused(message));
            }
            let is_text = object.hasattr("encoding")?;
            let content = if is_text { None } else { Some(object.call_method0("read")?) };
            let bytes = content.and_then(|content| bytes_of(&content)).ok_or_else(|| {
                mistyped("read() did not return bytes: open the file with mode 'rb'")
            })?;
            let name = object.getattr("name").and_then(|name| name.extract::<PathBuf>());
            return Self::in_memory(name.unwrap_or_else(|_| PathBuf::from(NAMELESS)), bytes);
        }
        let found = object.get_type().name()?;
        Err(mistyped(format!(
            "expected a path, a Model, bytes, or a file opened with mode 'rb', not '{found}'"
        )))
    }
}

fn bytes_of(object: &Bound<'_, PyAny>) -> Option<Vec<u8>> {
    if let Ok(bytes) = object.cast::<PyBytes>() {
        return Some(bytes.as_bytes().to_vec());
    }
    if let Ok(bytes) = object.cast::<PyByteArray>() {
        return Some(bytes.to_vec());
    }
    let is_view = object.get_type().name().is_ok_and(|name| name == "memoryview");
    let bytes = is_view.then(|| object.call_method0("tobytes").ok()).flatten()?;
    Some(bytes.cast::<PyBytes>().ok()?.as_bytes().to_vec())
}

impl Source {
    /// A model in memory. Other files that it names, such as textures, are read beside the file of
    /// that name.
    fn in_memory(path: PathBuf, bytes: Vec<u8>) -> PyResult<Self> {
        if bytes.is_empty() {
            let message = "the model data is empty; was the file read before?";
            return Err(refused(message));
        }
        let full = path.clone();
        let folder = path.parent().map(Path::to_owned).unwrap_or_default();
        let name = path.file_name().map_or_else(|| PathBuf::from(NAMELESS), PathBuf::from);
        let files = MemoryFiles::new().with(&name, bytes);
        let beside = move |path: &str| {
            let path = folder.join(path);
            // A named pipe would be read for ever.
            if path.is_file() { std::fs::read(path).ok() } else { None }
        };
        let options = LoadOptions::default().with_files(files.with_resolver(beside));
        Ok(Self::Memory(name, Box::new(options), full))
    }

    /// Refuses a scene where a model is expected.
    pub(crate) fn check_model(&self) -> PyResult<()> {
        let path = self.path();
        if path.extension().is_some_and(|own| own.eq_ignore_ascii_case("toml")) {
            return Err(refused(format!(
                "{}: expected a model, found a scene; open it with tintype.Scene.open",
                path.display()
            )));
        }
        Ok(())
    }

    pub(crate) fn path(&self) -> &Path {
        match self {
            Self::Model(model) => model.get().path_of(),
            Self::File(path) | Self::Memory(path, ..) => path,
        }
    }

    /// Options for reading its file.
    pub(crate) fn load_options(&self) -> LoadOptions {
        match self {
            Self::Model(model) => model.get().load_options().clone(),
            Self::File(_) => LoadOptions::default(),
            Self::Memory(_, options, _) => LoadOptions::clone(options),
        }
    }

    /// The bytes of a model in memory. None for a file.
    pub(crate) fn in_memory_bytes(&self) -> Option<Arc<[u8]>> {
        match self.load_options().files {
            Files::Memory(files) => files.get(match self {
                Self::Memory(name, ..) => name,
                _ => self.path(),
            }),
            Files::Disk => None,
        }
    }

    /// The path of a model in memory.
    pub(crate) fn full(&self) -> Option<PathBuf> {
        match self {
            Self::Model(model) => model.get().full.clone(),
            Self::File(_) => None,
            Self::Memory(.., full) => Some(full.clone()),
        }
    }

    /// A turntable of the model, with the clips given when it was opened.
    pub(crate) fn turntable(&self) -> Turntable {
        match self {
            Self::Model(model) => model.get().turntable(),
            _ => Turntable::of_file(self.path(), &self.load_options()),
        }
    }
}

/// The error for a model in memory without its bytes.
pub(crate) fn gone(path: &Path) -> PyErr {
    refused(format!("{}: the bytes of this model in memory are gone", path.display()))
}

/// The file of a model; one in memory is written to a temporary folder, which is removed with this
/// value.
pub(crate) struct OnDisk<'py> {
    pub(crate) path: PathBuf,
    held: Option<Bound<'py, PyAny>>,
}

impl<'py> OnDisk<'py> {
    pub(crate) fn new(py: Python<'py>, source: &Source) -> PyResult<Self> {
        let path = source.path().to_owned();
        let Files::Memory(files) = source.load_options().files else {
            return Ok(Self { path, held: None });
        };
        let held = py.import("tempfile")?.getattr("TemporaryDirectory")?.call0()?;
        let own = held.getattr("name")?.extract::<PathBuf>()?.join(&path);
        std::fs::write(&own, files.get(&path).ok_or_else(|| gone(&path))?)?;
        Ok(Self { path: own, held: Some(held) })
    }
}

impl Drop for OnDisk<'_> {
    fn drop(&mut self) {
        if let Some(held) = &self.held {
            // If it cannot be removed now, it is left to the system, as other temporary files.
            let _ = held.call_method0("cleanup");
        }
    }
}
