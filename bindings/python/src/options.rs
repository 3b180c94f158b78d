//! Keywords of pictures that are drawn without a scene.

use crate::model::refused;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::path::PathBuf;
use tintype::builder::{Look, ROOT_WORDS, Shade, WRAP_WORDS};
use tintype::{Turntable, nearest_word};

/// Keywords of a picture.
pub(crate) struct Options {
    pub(crate) turntable: Turntable,
    /// Threads of a job; 0 for one for each core.
    pub(crate) threads: usize,
    pub(crate) overwrite: bool,
    /// Is told the frames that are done, and those of the job.
    pub(crate) progress: Option<Py<PyAny>>,
}

/// All keywords, as the signatures and the types of the module have them too.
pub(crate) const KEYWORDS: [&str; 26] = [
    "clips",
    "clip",
    "wrap",
    "root",
    "frames",
    "fps",
    "size",
    "samples",
    "anisotropy",
    "shade",
    "look",
    "textures",
    "background",
    "ground",
    "shadow",
    "azimuth_deg",
    "turn_deg",
    "elevation_deg",
    "fov_deg",
    "view",
    "projection",
    "up",
    "front",
    "threads",
    "overwrite",
    "progress",
];

/// Keywords that a single picture does not have.
pub(crate) const NOT_OF_STILLS: [&str; 8] =
    ["clips", "clip", "frames", "fps", "turn_deg", "threads", "overwrite", "progress"];

impl Options {
    /// Reads keywords; `refused` are those that this call does not have.
    pub(crate) fn read(
        turntable: Turntable,
        keywords: Option<&Bound<'_, PyDict>>,
        refused: &[&str],
    ) -> PyResult<Self> {
        let mut options = Self { turntable, threads: 0, overwrite: false, progress: None };
        for (key, value) in keywords.into_iter().flatten() {
            let key: String = key.extract()?;
            if refused.contains(&key.as_str()) || !KEYWORDS.contains(&key.as_str()) {
                let known = KEYWORDS.into_iter().filter(|known| !refused.contains(known));
                let near = nearest_word(&key, known)
                    .map_or_else(String::new, |near| format!("; did you mean '{near}'?"));
                let message = format!("unexpected keyword argument '{key}'{near}");
                return Err(PyTypeError::new_err(message));
            }
            options.set(&key, &value).map_err(|error| named(&error, &key, &value))?;
        }
        Ok(options)
    }

    fn set(&mut self, key: &str, value: &Bound<'_, PyAny>) -> PyResult<()> {
        // The default.
        if value.is_none() {
            return Ok(());
        }
        let old = self.turntable.clone();
        self.turntable = match key {
            "clips" => old.clips(value.extract::<Vec<PathBuf>>()?),
            "clip" => old.clip(value.extract::<String>()?),
            "wrap" => old.wrap(word(value, &WRAP_WORDS)?),
            "root" => old.root(word(value, &ROOT_WORDS)?),
            "frames" => old.frames(value.extract()?),
            "fps" => old.fps(value.extract()?),
            "size" => old.size(size(value)?),
            "samples" => old.samples(value.extract()?),
            "anisotropy" => old.anisotropy(value.extract()?),
            "shade" => old.shade(word(value, &Shade::WORDS)?),
            "look" => old.look(word(value, &Look::WORDS)?),
            "textures" => {
                let folders: Vec<PathBuf> = value.extract()?;
                folders.into_iter().fold(old, Turntable::textures)
            }
            "background" => {
                let text: String = value.extract()?;
                old.background(text.parse().map_err(|error: String| refused(error))?)
            }
            "ground" => old.ground(value.extract()?),
            "shadow" => old.shadow(value.extract()?),
            "azimuth_deg" => old.azimuth_deg(value.extract()?),
            "turn_deg" => old.turn_deg(value.extract()?),
            "elevation_deg" => old.elevation_deg(value.extract()?),
            "fov_deg" => old.fov_deg(value.extract()?),
            "view" => old.view(value.extract::<String>()?),
            "projection" => old.projection(value.extract::<String>()?),
            "up" => old.up(value.extract::<String>()?),
            "front" => old.front(value.extract::<String>()?),
            _ => old,
        };
        match key {
            "threads" => self.threads = value.extract()?,
            "overwrite" => self.overwrite = value.extract()?,
            "progress" => self.progress = Some(callable(value)?),
            _ => {}
        }
        Ok(())
    }
}

/// A function that is told of progress.
pub(crate) fn callable(value: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
    match value.is_callable() {
        true => Ok(value.clone().unbind()),
        false => {
            Err(PyTypeError::new_err("expected a function of frames that are done, and of all"))
        }
    }
}

/// Adds the keyword and its value to an error.
fn named(error: &PyErr, key: &str, value: &Bound<'_, PyAny>) -> PyErr {
    let py = value.py();
    let found = value.repr().map_or_else(|_| "?".to_owned(), |text| text.to_string());
    let message = format!("{key}={found}: {}", error.value(py));
    PyErr::from_type(error.get_type(py), message)
}

/// A side of a square, or width and height.
fn size(value: &Bound<'_, PyAny>) -> PyResult<[u32; 2]> {
    match value.extract::<u32>() {
        Ok(side) => Ok([side, side]),
        Err(_) => value.extract::<(u32, u32)>().map(Into::into),
    }
}

/// One of a few words.
fn word<T: Copy>(value: &Bound<'_, PyAny>, words: &[(&str, T)]) -> PyResult<T> {
    chosen(&value.extract::<String>()?, words).map_err(refused)
}

/// One of a few words, for the keyword of that name.
pub(crate) fn one_of<T: Copy>(key: &str, found: &str, words: &[(&str, T)]) -> PyResult<T> {
    chosen(found, words).map_err(|error| refused(format!("{key}='{found}': {error}")))
}

fn chosen<T: Copy>(found: &str, words: &[(&str, T)]) -> Result<T, String> {
    let known = || words.iter().map(|(word, _)| *word);
    words.iter().find(|(word, _)| *word == found).map(|(_, value)| *value).ok_or_else(|| {
        let near = nearest_word(found, known())
            .map_or_else(String::new, |near| format!("; did you mean '{near}'?"));
        format!("expected one of {}{near}", known().collect::<Vec<_>>().join(", "))
    })
}
