//! Keywords of pictures drawn without a scene.

use crate::diagnostic::{mistyped, refused};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyString};
use std::path::PathBuf;
use tintype::nearest_word;
use tintype::setting::{Door, Setting, SettingValue, Settings, meant, setting, settings_of};

/// A function with keywords: settings, and others specific to it.
pub(crate) struct Function {
    /// Its name in messages.
    pub(crate) name: &'static str,
    door: Door,
    /// Keywords that are not settings.
    own: &'static [&'static str],
    /// Settings that it does not have.
    without: &'static [&'static str],
}

/// `turntable`.
pub(crate) const TURNTABLE: Function = Function {
    name: "turntable",
    door: Door::Turntable,
    own: &["clips", "frames", "textures", "threads", "overwrite", "progress"],
    without: &[],
};
/// `Model.render`, whose clip and time precede its keywords.
pub(crate) const RENDER: Function = Function {
    name: "Model.render",
    door: Door::Turntable,
    own: &["textures"],
    without: &["clip", "time_s", "fps", "turn_deg", "directions", "aov", "channels", "channels_as"],
};
/// `Model.contact_sheet`, whose clips precede its keywords.
pub(crate) const CONTACT_SHEET: Function = Function {
    name: "Model.contact_sheet",
    door: Door::Turntable,
    own: &["frames", "textures"],
    without: &["clip", "fps", "aov", "channels", "channels_as"],
};
/// `thumbnail`.
pub(crate) const THUMBNAIL: Function =
    Function { name: "thumbnail", door: Door::Thumbnail, own: &["size", "textures"], without: &[] };
/// `gallery`.
pub(crate) const GALLERY: Function = Function { name: "gallery", ..THUMBNAIL };

/// Keywords that were given.
#[derive(Default)]
pub(crate) struct Options {
    pub(crate) settings: Settings,
    pub(crate) clips: Option<Vec<PathBuf>>,
    pub(crate) textures: Vec<PathBuf>,
    pub(crate) frames: Option<usize>,
    /// Side of a square picture.
    pub(crate) side: Option<u32>,
    /// Threads of a job; 0 for one per core.
    pub(crate) threads: usize,
    pub(crate) overwrite: bool,
    /// Called with the number of finished frames, and of all frames of the job.
    pub(crate) progress: Option<Py<PyAny>>,
}

impl Function {
    /// All keywords of the function.
    pub(crate) fn keywords(&self) -> Vec<&'static str> {
        let settings = settings_of(self.door).map(|setting| setting.key);
        let settings = settings.filter(|key| !self.without.contains(key));
        settings.chain(self.own.iter().copied()).collect()
    }

    /// Reads the keywords of a call.
    pub(crate) fn read(&self, keywords: Option<&Bound<'_, PyDict>>) -> PyResult<Options> {
        let mut options = Options::default();
        let known = self.keywords();
        for (key, value) in keywords.into_iter().flatten() {
            let key: String = key.extract()?;
            if !known.contains(&key.as_str()) {
                return Err(unexpected(self.name, &key, &known));
            }
            // None means the default.
            if value.is_none() {
                continue;
            }
            let own = setting(&key).filter(|_| !self.own.contains(&key.as_str()));
            let set = match own {
                Some(own) => options.say(own, &value),
                None => options.set(&key, &value),
            };
            set.map_err(|error| named(&error, &key, &value))?;
        }
        Ok(options)
    }
}

impl Options {
    fn say(&mut self, setting: &Setting, value: &Bound<'_, PyAny>) -> PyResult<()> {
        let value = value_of(value)?;
        self.settings.set(setting, value).map_err(|error| refused(error.to_string()))
    }

    fn set(&mut self, key: &str, value: &Bound<'_, PyAny>) -> PyResult<()> {
        match key {
            "clips" => self.clips = Some(value.extract::<Paths>()?.0),
            "textures" => self.textures = value.extract::<Paths>()?.0,
            "frames" => self.frames = Some(value.extract()?),
            "size" => self.side = Some(side(value)?),
            "threads" => self.threads = value.extract()?,
            "overwrite" => self.overwrite = value.extract()?,
            "progress" => self.progress = Some(callable(value)?),
            _ => {}
        }
        Ok(())
    }
}

/// A value of Python as a setting has it.
fn value_of(value: &Bound<'_, PyAny>) -> PyResult<SettingValue> {
    if value.is_instance_of::<PyString>() {
        return Ok(value.extract::<String>()?.into());
    }
    // A bool is a number in Python.
    if value.is_instance_of::<PyBool>() {
        return Ok(value.extract::<bool>()?.into());
    }
    if let Ok(number) = value.extract::<i64>() {
        return Ok(number.into());
    }
    if let Ok(number) = value.extract::<f64>() {
        return Ok(number.into());
    }
    let elements = value
        .try_iter()
        .map_err(|_| mistyped("expected a number, a string, True or False, or a list of these"))?;
    elements.map(|element| value_of(&element?)).collect()
}

/// A callback for progress.
pub(crate) fn callable(value: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
    if !value.is_callable() {
        return Err(mistyped("expected a function of two numbers: frames done and all frames"));
    }
    Ok(value.clone().unbind())
}

/// Adds the keyword and its value to an error.
fn named(error: &PyErr, key: &str, value: &Bound<'_, PyAny>) -> PyErr {
    let py = value.py();
    let found = value.repr().map_or_else(|_| "?".to_owned(), |text| text.to_string());
    let message = format!("{key}={found}: {}", error.value(py));
    if error.is_instance_of::<PyTypeError>(py) { mistyped(message) } else { refused(message) }
}

/// The side of a square picture.
fn side(value: &Bound<'_, PyAny>) -> PyResult<u32> {
    let sides = value.extract::<u32>().map(|side| [side, side]);
    match sides.or_else(|_| value.extract::<[u32; 2]>()) {
        Ok([width, height]) if width == height => Ok(width),
        _ => Err(mistyped("expected one whole number of pixels, as thumbnails are square")),
    }
}

/// Paths, or one path alone.
pub(crate) struct Paths(pub(crate) Vec<PathBuf>);

impl<'a, 'py> FromPyObject<'a, 'py> for Paths {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        let one = object.extract::<PathBuf>().map(|path| vec![path]);
        let paths = one.or_else(|_| object.extract::<Vec<PathBuf>>());
        let wrong = |_| mistyped("expected a path, or a list of paths");
        paths.map(Self).map_err(wrong)
    }
}

/// Keywords of other libraries that are not settings here.
const OF_OTHER_LIBRARIES: [(&str, &str); 4] = [
    ("n n_frames num_frames count steps num nframes", "frames"),
    ("path out out_path output_path output_file file filename dest save", "output"),
    ("resolution width height w h dimensions dim side", "size"),
    ("verbose callback tqdm on_progress", "progress"),
];

/// The error of an unknown keyword of a function, with the one that may be meant.
fn unexpected(function: &str, key: &str, known: &[&str]) -> PyErr {
    let is_meant = |(words, own): &&(&str, &str)| {
        words.split(' ').any(|word| word == key) && known.contains(own)
    };
    let own = OF_OTHER_LIBRARIES.iter().find(is_meant).map(|(_, own)| *own);
    let settings = || known.iter().filter_map(|key| setting(key));
    let own = own.or_else(|| Some(meant(key, settings())?.key)).map(str::to_owned);
    let hint = match own.or_else(|| nearest_word(key, known.iter().copied())) {
        Some(near) => format!("did you mean '{near}'?"),
        None => format!("the keywords are {}", known.join(", ")),
    };
    mistyped(format!("{function}() has no keyword '{key}'; {hint}"))
}

/// As [`unexpected`], for arguments other than the function's keywords.
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

/// The keywords of each function, by its name.
pub(crate) fn keywords(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    let all = PyDict::new(py);
    for function in [&TURNTABLE, &RENDER, &CONTACT_SHEET, &THUMBNAIL, &GALLERY] {
        all.set_item(function.name, function.keywords())?;
    }
    Ok(all)
}
