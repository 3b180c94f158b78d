//! Pictures of a model without a scene: turntables, stills and thumbnails.

use crate::diagnostic::{raised, warn};
use crate::frame::Frame;
use crate::model::refused;
use crate::options::{Options, one_of};
use crate::run;
use crate::threads::detach;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use rayon::prelude::*;
use std::path::PathBuf;
use std::time::Duration;
use tintype::builder::{Background, FrameNumber, Look};
use tintype::{Deadline, LoadOptions, Renderer, SaveOptions, Thumbnail};

/// Time of a thumbnail.
const LONGEST: Duration = Duration::from_secs(30);

/// Draws a seamless loop of frames around a model while its clip plays.
///
/// Returns a list of frames, or a report of the files if `output` names them: a pattern such as `out/####.png`, or a file that ends
/// with `.gif` or `.apng`.
#[pyfunction]
#[pyo3(signature = (model, output=None, **options))]
pub(crate) fn turntable<'py>(
    py: Python<'py>,
    model: PathBuf,
    output: Option<&str>,
    options: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyAny>> {
    let options = Options::read(&model, options, &[])?;
    let renderer = detach(py, || options.turntable.renderer());
    let renderer = renderer.map_err(|error| raised(py, &error))?;
    warn(py, renderer.warnings())?;
    let Some(output) = output else {
        return Ok(PyList::new(py, draw_all(py, &renderer)?)?.into_any());
    };
    let save = SaveOptions::new().overwrite(options.overwrite).threads(options.threads);
    Ok(Bound::new(py, run::run(py, &renderer, output, save)?)?.into_any())
}

/// Draws one picture of a model; viewpoint, clip and moment are chosen automatically.
///
/// `size` is the side of the square picture in pixels. `background` is that of the look by default: light in the studio, transparent in the classic look.
#[pyfunction]
#[pyo3(signature = (model, *, size=256, samples=4, clip=None, background=None, textures=Vec::new(), look="studio", up=None, front=None))]
#[expect(clippy::too_many_arguments, reason = "keywords of Python")]
pub(crate) fn thumbnail(
    py: Python<'_>,
    model: PathBuf,
    size: u32,
    samples: u32,
    clip: Option<String>,
    background: Option<&str>,
    textures: Vec<PathBuf>,
    look: &str,
    up: Option<String>,
    front: Option<String>,
) -> PyResult<Frame> {
    let mut thumbnail =
        Thumbnail::new(size).samples(samples).look(one_of("look", look, &Look::WORDS)?);
    if let Some(text) = background {
        let parsed = text.parse::<Background>();
        let parsed = parsed.map_err(|error| refused(format!("background={text:?}: {error}")))?;
        thumbnail = thumbnail.background(parsed);
    }
    thumbnail = textures.into_iter().fold(thumbnail, Thumbnail::textures);
    thumbnail = clip.into_iter().fold(thumbnail, Thumbnail::clip);
    thumbnail = up.into_iter().fold(thumbnail, Thumbnail::up);
    thumbnail = front.into_iter().fold(thumbnail, Thumbnail::front);
    let load_options = LoadOptions::default().with_deadline(Deadline::after(LONGEST));
    let drawn = detach(py, || thumbnail.draw_file(&model, &load_options));
    let drawn = drawn.map_err(|error| raised(py, &error))?;
    warn(py, &drawn.warnings)?;
    Frame::new(py, drawn.frame)
}

/// Seconds that are a number.
pub(crate) fn moment(time_s: f64) -> PyResult<f64> {
    match time_s.is_finite() {
        true => Ok(time_s),
        false => Err(refused(format!("time_s={time_s}: expected a finite number of seconds"))),
    }
}

/// Draws all frames, as many at a time as there are threads; Ctrl-C ends it between them.
fn draw_all(py: Python<'_>, renderer: &Renderer) -> PyResult<Vec<Frame>> {
    let numbers: Vec<FrameNumber> = renderer.frames().iter().collect();
    let mut frames = Vec::with_capacity(numbers.len());
    for some in numbers.chunks(rayon::current_num_threads().max(1)) {
        let draw = |&number: &FrameNumber| renderer.draw(number);
        let drawn = detach(py, || some.par_iter().map(draw).collect::<Result<Vec<_>, _>>());
        for frame in drawn.map_err(|error| raised(py, &error))? {
            frames.push(Frame::new(py, frame)?);
        }
        py.check_signals()?;
    }
    Ok(frames)
}
