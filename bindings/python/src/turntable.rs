//! Pictures of a model without a scene: turntables, stills and thumbnails.

use crate::camera::Camera;
use crate::diagnostic::{raised, warn};
use crate::frame::Frame;
use crate::model::refused;
use crate::options::{Options, Paths, one_of, refuse_others, square};
use crate::run;
use crate::source::Source;
use crate::threads::detach;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use rayon::prelude::*;
use std::path::PathBuf;
use std::time::Duration;
use tintype::builder::{Background, FrameNumber, Look};
use tintype::{Deadline, Renderer, SaveOptions, Thumbnail};

/// Time of a thumbnail.
const LONGEST: Duration = Duration::from_secs(30);

/// Draws a seamless loop of frames around a model while its clip plays.
///
/// `model` is a path, a `Model`, bytes, or a file opened with mode "rb". Returns `Frames`, a list that a notebook shows as a moving
/// picture, or a report of the files if `output` names them: a folder, which gets `0000.png` and on, a pattern such as `out/####.jpg` or
/// `.webp`, or one file of all frames: `.gif`, `.webp`, `.apng`, or a video by ffmpeg: `.mp4`, `.webm`, `.mov`.
///
/// - `clips`: files of clips, in place of those of the model; `clip`: name of one, its number, or a part such as "walk:168-187"
/// - `frames`, `fps`: by default as many as the clip needs to end where it began
/// - `turn_deg`: angle through which the camera goes
/// - `threads`: 0 for one for each core; `overwrite`: draw files again that are up to date
/// - `progress`: a function of the frames that are done and of all; an error that it raises ends the work
///
/// - `size`: width and height in pixels, or the side of a square
/// - `samples`, `anisotropy`: samples of a pixel, probes of a texture: 1, 2, 4, 8 or 16
/// - `shade`: "textured" or "clay"; `look`: "studio" or "classic"
/// - `textures`: folders that are searched first
/// - `background`: "transparent", "#rrggbb", or two colours with a comma; None for that of the look
/// - `label`: text in the lower left corner; {frame}, {time}, {clip} and {file} stand for those of the frame
/// - `ground`, `shadow`: a ground below the model, shadows of the key light
/// - `azimuth_deg`, `elevation_deg`, `fov_deg`: the camera; azimuth 0 is in front of the model, positive counter-clockwise from above
/// - `view`: "dimetric", "isometric", "front", "back", "side" or "top"; `projection`: "perspective" or "orthographic"
/// - `wrap`: "loop", "clamp" or "ping-pong", None for that of the clip's file; `root`: "keep", "hold" or "hold-xz"
/// - `up`, `front`: axes of the file, such as "z" or "-y"; None to find them by joints and shape
#[pyfunction]
#[pyo3(
    signature = (model, output=None, **options),
    text_signature = "(model, output=None, *, clips=(), clip=None, frames=None, fps=None, turn_deg=360.0, size=512, samples=4, anisotropy=1, shade=\"textured\", look=\"studio\", textures=(), background=None, label=None, ground=False, shadow=False, azimuth_deg=30.0, elevation_deg=12.0, fov_deg=30.0, view=None, projection=None, wrap=None, root=\"keep\", up=None, front=None, threads=0, overwrite=False, progress=None)"
)]
pub(crate) fn turntable<'py>(
    py: Python<'py>,
    model: Source,
    output: Option<PathBuf>,
    options: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyAny>> {
    model.check_model()?;
    let options = Options::read(model.turntable(), options, ("turntable", &[]))?;
    let renderer = detach(py, || options.turntable.renderer());
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

/// Draws one picture of a model, a path, a `Model`, bytes, or a file opened with mode "rb"; viewpoint, clip and moment are chosen automatically.
///
/// `output` names a file that gets it as well, as by `Frame.save`. `size` is the side of the square picture in pixels. `background` is that of the look by default: light in the studio, transparent in the classic look.
#[pyfunction]
#[pyo3(
    signature = (model, output=None, *, size=None, samples=4, clip=None, background=None, textures=Paths(Vec::new()), look="studio", up=None, front=None, **others),
    text_signature = "(model, output=None, *, size=256, samples=4, clip=None, background=None, textures=(), look=\"studio\", up=None, front=None)"
)]
#[expect(clippy::too_many_arguments, reason = "keywords of Python")]
pub(crate) fn thumbnail(
    py: Python<'_>,
    model: Source,
    output: Option<PathBuf>,
    size: Option<&Bound<'_, PyAny>>,
    samples: u32,
    clip: Option<String>,
    background: Option<&str>,
    textures: Paths,
    look: &str,
    up: Option<String>,
    front: Option<String>,
    others: Option<&Bound<'_, PyDict>>,
) -> PyResult<Frame> {
    const KNOWN: [&str; 9] =
        ["output", "size", "samples", "clip", "background", "textures", "look", "up", "front"];
    refuse_others("thumbnail", others, &KNOWN)?;
    model.check_model()?;
    let size = size.map_or(Ok(256), square)?;
    let mut thumbnail =
        Thumbnail::new(size).samples(samples).look(one_of("look", look, &Look::WORDS)?);
    if let Some(text) = background {
        let parsed = text.parse::<Background>();
        let parsed = parsed.map_err(|error| refused(format!("background={text:?}: {error}")))?;
        thumbnail = thumbnail.background(parsed);
    }
    thumbnail = textures.0.into_iter().fold(thumbnail, Thumbnail::textures);
    thumbnail = clip.into_iter().fold(thumbnail, Thumbnail::clip);
    thumbnail = up.into_iter().fold(thumbnail, Thumbnail::up);
    thumbnail = front.into_iter().fold(thumbnail, Thumbnail::front);
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
    match time_s.is_finite() {
        true => Ok(time_s),
        false => Err(refused(format!("time_s={time_s}: expected a finite number of seconds"))),
    }
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
