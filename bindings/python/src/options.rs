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
pub(crate) const KEYWORDS: [&str; 27] = [
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
    "label",
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
    /// Reads the keywords of a function; `refused` are those that it does not have.
    pub(crate) fn read(
        turntable: Turntable,
        keywords: Option<&Bound<'_, PyDict>>,
        (function, refused): (&str, &[&str]),
    ) -> PyResult<Self> {
        let mut options = Self { turntable, threads: 0, overwrite: false, progress: None };
        for (key, value) in keywords.into_iter().flatten() {
            let key: String = key.extract()?;
            if refused.contains(&key.as_str()) || !KEYWORDS.contains(&key.as_str()) {
                let known: Vec<&str> =
                    KEYWORDS.into_iter().filter(|known| !refused.contains(known)).collect();
                return Err(unexpected(function, &key, &known));
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
            "clips" => old.clips(value.extract::<Paths>()?.0),
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
                let Paths(folders) = value.extract()?;
                folders.into_iter().fold(old, Turntable::textures)
            }
            "background" => {
                let text: String = value.extract()?;
                old.background(text.parse().map_err(|error: String| refused(error))?)
            }
            "label" => old.label(value.extract::<String>()?),
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
    let side = value.extract::<u32>().map(|side| [side, side]);
    side.or_else(|_| value.extract::<[u32; 2]>())
        .map_err(|_| PyTypeError::new_err("expected a whole number of pixels, or (width, height)"))
}

/// The side of a square picture, as the keyword `size`.
pub(crate) fn square(value: &Bound<'_, PyAny>) -> PyResult<u32> {
    let wrong = || PyTypeError::new_err("expected one whole number of pixels: it is a square");
    match size(value) {
        Ok([width, height]) if width == height => Ok(width),
        _ => Err(named(&wrong(), "size", value)),
    }
}

/// Paths, or one path alone.
pub(crate) struct Paths(pub(crate) Vec<PathBuf>);

impl<'a, 'py> FromPyObject<'a, 'py> for Paths {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        let one = object.extract::<PathBuf>().map(|path| vec![path]);
        let paths = one.or_else(|_| object.extract::<Vec<PathBuf>>());
        let wrong = |_| PyTypeError::new_err("expected a path, or a list of paths");
        paths.map(Self).map_err(wrong)
    }
}

/// Keywords as people of other libraries write them, and what says the same here.
const OF_OTHER_LIBRARIES: [(&str, &str); 10] = [
    ("resolution width height w h dimensions dim side", "size"),
    ("n n_frames num_frames count steps num nframes", "frames"),
    ("path out out_path output_path output_file file filename dest save", "output"),
    ("time t at second seconds start", "time_s"),
    ("anim animation action motion", "clip"),
    ("angle rotation yaw", "azimuth_deg"),
    ("pitch tilt", "elevation_deg"),
    ("bg bgcolor background_color transparent", "background"),
    ("msaa aa spp quality", "samples"),
    ("verbose callback tqdm on_progress", "progress"),
];

/// The error of a keyword that a function does not have, with the one that is meant.
fn unexpected(function: &str, key: &str, known: &[&str]) -> PyErr {
    let is_meant = |(words, own): &&(&str, &str)| {
        words.split(' ').any(|word| word == key) && known.contains(own)
    };
    let meant = OF_OTHER_LIBRARIES.iter().find(is_meant).map(|(_, own)| (*own).to_owned());
    let hint = match meant.or_else(|| nearest_word(key, known.iter().copied())) {
        Some(near) => format!("did you mean '{near}'?"),
        None => format!("the keywords are {}", known.join(", ")),
    };
    PyTypeError::new_err(format!("{function}() has no keyword '{key}'; {hint}"))
}

/// As [`unexpected`], for what a function was given beside its own keywords.
pub(crate) fn refuse_others(
    function: &str,
    others: Option<&Bound<'_, PyDict>>,
    known: &[&str],
) -> PyResult<()> {
    match others.and_then(|others| others.keys().iter().next()) {
        Some(key) => Err(unexpected(function, &key.extract::<String>()?, known)),
        None => Ok(()),
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
