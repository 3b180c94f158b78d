//! Keywords of pictures that are drawn without a scene.

use crate::model::refused;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use tintype_framing::TurntableOptions;
use tintype_scene::{Look, ROOT_WORDS, Shade, WRAP_WORDS, nearest_word};

/// Keywords of a picture.
pub(crate) struct Options {
    pub(crate) turntable: TurntableOptions,
    /// Threads of a job; 0 for one for each core.
    pub(crate) threads: usize,
    pub(crate) overwrite: bool,
}

/// All keywords.
const KEYWORDS: [&str; 25] = [
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
];

impl Options {
    /// Reads keywords; `refused` are those that this call does not have.
    pub(crate) fn read(keywords: Option<&Bound<'_, PyDict>>, refused: &[&str]) -> PyResult<Self> {
        let mut options =
            Self { turntable: TurntableOptions::default(), threads: 0, overwrite: false };
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
        let options = &mut self.turntable;
        match key {
            "clips" => options.clips = value.extract()?,
            "clip" => options.clip = value.extract()?,
            "wrap" => options.wrap = Some(word(value, &WRAP_WORDS)?),
            "root" => options.root = word(value, &ROOT_WORDS)?,
            "frames" => options.frames = value.extract()?,
            "fps" => options.fps = value.extract()?,
            "size" => options.size = size(value)?,
            "samples" => options.samples = value.extract()?,
            "anisotropy" => options.anisotropy = value.extract()?,
            "shade" => options.shade = word(value, &Shade::WORDS)?,
            "look" => options.look = word(value, &Look::WORDS)?,
            "textures" => options.textures = value.extract()?,
            "background" => {
                let text: String = value.extract()?;
                options.background = Some(text.parse().map_err(|error: String| refused(error))?);
            }
            "ground" => options.ground = value.extract()?,
            "shadow" => options.shadow = value.extract()?,
            "azimuth_deg" => options.azimuth_deg = value.extract()?,
            "turn_deg" => options.turn_deg = value.extract()?,
            "elevation_deg" => options.elevation_deg = value.extract()?,
            "fov_deg" => options.fov_deg = value.extract()?,
            "view" => options.view = value.extract()?,
            "projection" => options.projection = value.extract()?,
            "up" => options.up = value.extract()?,
            "front" => options.front = value.extract()?,
            "threads" => self.threads = value.extract()?,
            "overwrite" => self.overwrite = value.extract()?,
            _ => {}
        }
        Ok(())
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
