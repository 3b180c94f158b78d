//! Pictures of a model without a scene: turntables, stills and thumbnails.

use crate::diagnostic::{raised, raised_with, warn, warn_text};
use crate::frame::Frame;
use crate::model::refused;
use crate::options::{Options, one_of};
use crate::run;
use crate::scene::parse_pattern;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use rayon::prelude::*;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use tintype::{Deadline, FrameNumber, Limits, LoadOptions, RasterOptions, Renderer};
use tintype_framing::thumbnail::{ModelLimits, ThumbnailOptions};
use tintype_framing::{ModelFile, ModelPath, TurntableNote, TurntableScene};
use tintype_host::job::Outputs;
use tintype_host::job::thumbnail::Sampler;
use tintype_model::diagnostic::chain;
use tintype_output::{PngEffort, decode_png};
use tintype_scene::builder::Background;

/// Time and memory of a thumbnail.
const LONGEST: Duration = Duration::from_secs(30);
const MOST_MEMORY: u64 = 1 << 30;
/// Most bytes of a model file of a thumbnail.
const LARGEST_FILE: u64 = 1 << 30;

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
    let options = Options::read(options, &[])?;
    let scene = load(py, &model, &options)?;
    let Some(output) = output else {
        return Ok(PyList::new(py, draw_all(py, &scene)?)?.into_any());
    };
    let mut outputs = Outputs::default();
    let extension = Path::new(output).extension().unwrap_or_default().to_ascii_lowercase();
    match extension.to_str() {
        Some("gif") => outputs.animations.gif = Some(output.into()),
        Some("apng") => outputs.animations.apng = Some(output.into()),
        _ => outputs = Outputs::files(parse_pattern(output)?),
    }
    let mut job = SequenceJob::of_turntable(&scene, outputs);
    job.settings.overwrite = options.overwrite;
    let report = run::run(py, job, options.threads)?;
    Ok(Bound::new(py, report)?.into_any())
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
    if !(1..=4096).contains(&size) {
        return Err(refused(format!("size={size}: expected 1 to 4096")));
    }
    if ![1, 2, 4, 8, 16].contains(&samples) {
        return Err(refused(format!("samples={samples}: expected 1, 2, 4, 8 or 16")));
    }
    let look = one_of("look", look, &tintype_scene::Look::WORDS)?;
    let background: Option<Background> = match background {
        Some(text) => {
            let parsed = text.parse();
            Some(parsed.map_err(|error| refused(format!("background={text:?}: {error}")))?)
        }
        None => (look == tintype_scene::Look::Classic).then_some(Background::Transparent),
    };
    let options = ThumbnailOptions {
        files: tintype::Files::Disk,
        size,
        samples,
        anisotropy: 1,
        shade: tintype_scene::Shade::Textured,
        look,
        view: None,
        is_parallel: false,
        background,
        effort: PngEffort::Fast,
        anim: None,
        clip,
        wrap: None,
        root: tintype_scene::RootMotion::Keep,
        file_scene: None,
        up,
        front,
        textures,
        limits: ModelLimits::new(LONGEST, MOST_MEMORY, LARGEST_FILE, &Limits::default()),
        overwrite: true,
        is_plain: false,
        verify: false,
    };
    let name = model.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let file = ModelFile { path: model, name, is_named: true };
    let thumbnail = py.detach(|| Sampler::new(options).draw(&file));
    let thumbnail = thumbnail.map_err(|skip| {
        let message = format!("{}: {}", file.path.display(), skip.message);
        raised_with(py, &message, &[], false)
    })?;
    warn(py, &thumbnail.warnings)?;
    let (frame, _) = decode_png(&thumbnail.png.unwrap_or_default())
        .map_err(|error| raised_with(py, &chain(&error), &[], false))?;
    Frame::new(py, frame)
}

/// Draws the first frame of a turntable of one frame.
pub(crate) fn still(py: Python<'_>, model: &Path, mut options: Options) -> PyResult<Frame> {
    options.turntable.frames = Some(1);
    options.turntable.turn_deg = 0.0;
    let scene = load(py, model, &options)?;
    let renderer = renderer(py, &scene)?;
    let drawn = py.detach(|| renderer.draw(FrameNumber(0), RasterOptions::default()));
    let drawn = drawn.map_err(|error| raised(py, &error.into()))?;
    Frame::new(py, drawn.frame)
}

/// Seconds that are a number.
pub(crate) fn moment(time_s: f64) -> PyResult<f64> {
    match time_s.is_finite() {
        true => Ok(time_s),
        false => Err(refused(format!("time_s={time_s}: expected a finite number of seconds"))),
    }
}

fn load(py: Python<'_>, model: &Path, options: &Options) -> PyResult<TurntableScene> {
    let mut warnings = Vec::new();
    let mut note = |note: TurntableNote| {
        if let TurntableNote::Warning(text) = note {
            warnings.push(text);
        }
    };
    let scene = py.detach(|| {
        let model = ModelPath::alone(model);
        TurntableScene::load(&options.turntable, model, &LoadOptions::default(), &mut note)
    });
    let scene = scene.map_err(|error| raised_with(py, &chain(&error), &[], false))?;
    warnings.iter().try_for_each(|text| warn_text(py, text))?;
    match scene.has_mesh() {
        true => Ok(scene),
        false => Err(refused(format!("{}: the model has no mesh", model.display()))),
    }
}

fn renderer(py: Python<'_>, scene: &TurntableScene) -> PyResult<Renderer> {
    let load =
        || Renderer::new(Arc::clone(&scene.scene), Arc::clone(&scene.assets), &Deadline::NEVER);
    let renderer = py.detach(load).map_err(|error| raised(py, &error.into()))?;
    warn(py, renderer.warnings())?;
    Ok(renderer)
}

/// Draws all frames, as many at a time as there are threads; Ctrl-C ends it between them.
fn draw_all(py: Python<'_>, scene: &TurntableScene) -> PyResult<Vec<Frame>> {
    let renderer = renderer(py, scene)?;
    let numbers: Vec<FrameNumber> = scene.scene.output.frames.iter().collect();
    let mut frames = Vec::with_capacity(numbers.len());
    for some in numbers.chunks(rayon::current_num_threads().max(1)) {
        let draw = |&number: &FrameNumber| renderer.draw(number, RasterOptions::default());
        let drawn = py.detach(|| some.par_iter().map(draw).collect::<Result<Vec<_>, _>>());
        for drawn in drawn.map_err(|error| raised(py, &error.into()))? {
            frames.push(Frame::new(py, drawn.frame)?);
        }
        py.check_signals()?;
    }
    Ok(frames)
}
