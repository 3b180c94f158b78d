//! Pictures of a model without a scene: turntables, stills and thumbnails.

use crate::camera::Camera;
use crate::diagnostic::{raised, refused, warn};
use crate::frame::Frame;
use crate::options::{THUMBNAIL, TURNTABLE};
use crate::run;
use crate::source::Source;
use crate::threads::detach;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use rayon::prelude::*;
use std::path::PathBuf;
use std::time::Duration;
use tintype::builder::FrameNumber;
use tintype::{Deadline, Renderer, SaveOptions, Thumbnail, Turntable};

/// Time of a thumbnail.
const LONGEST: Duration = Duration::from_secs(30);

/// Draws a seamless loop of frames around a model while its clip plays.
///
/// `model` is a path, a `Model`, bytes, or a file opened in mode "rb". Returns `Frames`, a list
/// that a notebook shows as an animation, or a report of the files if `output` names them: a folder
/// (frames are named `0000.png` and so on), a pattern such as `out/####.jpg` or `.webp`, or one
/// file of all frames: `.gif`, `.webp`, `.apng`, or a video by ffmpeg: `.mp4`, `.webm`, `.mov`.
///
/// - `clips`: files of clips that replace those of the model
/// - `frames`: by default as many as the clip needs to end where it began
/// - `textures`: folders searched first
/// - `threads`: 0 for one per core; `overwrite`: redraw files that are up to date
/// - `progress`: a function called with the numbers of finished and of all frames; an exception in
///   it stops the work
///
#[doc = include_str!("doc/turntable.md")]
#[pyfunction]
#[pyo3(signature = (model, output=None, **options))]
pub(crate) fn turntable<'py>(
    py: Python<'py>,
    model: Source,
    output: Option<PathBuf>,
    options: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyAny>> {
    model.check_model()?;
    let options = TURNTABLE.read(options)?;
    if let Some(key) = ["aov", "channels"].into_iter().find(|key| options.settings.has(key))
        && output.is_none()
    {
        return Err(refused(format!("{key}: these are files beside the pictures; set output")));
    }
    let made = model.turntable().settings(&options.settings);
    let made = options.clips.into_iter().fold(made, Turntable::clips);
    let made = options.frames.into_iter().fold(made, Turntable::frames);
    let made = options.textures.into_iter().fold(made, Turntable::textures);
    let renderer = detach(py, || made.renderer());
    let renderer = renderer.map_err(|error| raised(py, &error))?;
    warn(py, renderer.warnings())?;
    let Some(output) = output else {
        let frames = draw_all(py, &renderer, options.progress.as_ref())?;
        let camera = |number| {
            let camera = renderer.camera(number).map_err(|error| raised(py, &error))?;
            Camera::new(py, &camera)
        };
        let cameras = renderer.frames().iter().map(camera).collect::<PyResult<Vec<_>>>()?;
        let list = py.import("tintype")?.getattr("Frames")?;
        return list.call1((frames, renderer.fps(), cameras));
    };
    let save = SaveOptions::new().overwrite(options.overwrite).threads(options.threads);
    let (output, count) = (output.to_string_lossy(), renderer.frames().len());
    let report = run::run(py, &renderer, &output, save, options.progress.map(|f| (f, count)))?;
    Ok(Bound::new(py, report)?.into_any())
}

/// Draws one picture of a model: a path, a `Model`, bytes, or a file opened in mode "rb".
/// Viewpoint, clip and time are chosen automatically unless they are set.
///
/// `output` names a file to write as well, as with `Frame.save`.
///
/// - `size`: side of the square picture in pixels; 256 by default
/// - `textures`: folders searched first
///
#[doc = include_str!("doc/thumbnail.md")]
#[pyfunction]
#[pyo3(signature = (model, output=None, **options))]
pub(crate) fn thumbnail(
    py: Python<'_>,
    model: Source,
    output: Option<PathBuf>,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<Frame> {
    let options = THUMBNAIL.read(options)?;
    model.check_model()?;
    let thumbnail = Thumbnail::new(options.side.unwrap_or(256)).settings(&options.settings);
    let thumbnail = options.textures.into_iter().fold(thumbnail, Thumbnail::textures);
    let load_options = model.load_options().with_deadline(Deadline::after(LONGEST));
    let drawn = detach(py, || thumbnail.draw_file(model.path(), &load_options));
    let drawn = drawn.map_err(|error| raised(py, &error))?;
    warn(py, &drawn.warnings)?;
    let frame = Frame::new(py, drawn.frame)?;
    output.map_or(Ok(()), |path| frame.save(py, path))?;
    Ok(frame)
}

/// Seconds that are a number.
pub(crate) fn moment(time_s: f64) -> PyResult<f64> {
    if !time_s.is_finite() {
        return Err(refused(format!("time_s={time_s}: expected a finite number of seconds")));
    }
    Ok(time_s)
}

/// Draws all frames, as many at a time as there are threads; Ctrl-C ends it between them.
fn draw_all(
    py: Python<'_>,
    renderer: &Renderer,
    progress: Option<&Py<PyAny>>,
) -> PyResult<Vec<Frame>> {
    let numbers: Vec<FrameNumber> = renderer.frames().iter().collect();
    let mut frames = Vec::with_capacity(numbers.len());
    for some in numbers.chunks(rayon::current_num_threads().max(1)) {
        let draw = |&number: &FrameNumber| renderer.draw(number);
        let drawn = detach(py, || some.par_iter().map(draw).collect::<Result<Vec<_>, _>>());
        for frame in drawn.map_err(|error| raised(py, &error))? {
            frames.push(Frame::new(py, frame)?);
        }
        py.check_signals()?;
        if let Some(progress) = progress {
            progress.call1(py, (frames.len(), numbers.len()))?;
        }
    }
    Ok(frames)
}
