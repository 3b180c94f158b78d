//! Scenes of TOML text: single frames as arrays, sequences as files.

use crate::camera::Camera;
use crate::diagnostic::{mistyped, raised, refused, warn};
use crate::frame::Frame;
use crate::options::{callable, refuse_others};
use crate::run::{self, Report};
use crate::threads::detach;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::path::PathBuf;
use tintype::builder::{Aov, FrameList};
use tintype::{LoadOptions, Renderer, SaveOptions};

/// A scene with its models, clips and textures.
#[pyclass(frozen, module = "tintype")]
pub(crate) struct Scene {
    renderer: Renderer,
}

#[pymethods]
impl Scene {
    /// Opens a scene file and loads what it names. Warnings are told by Python's `warnings`.
    #[staticmethod]
    fn open(py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        Self::new(py, || Renderer::open(&path))
    }

    /// As `Scene.open`.
    #[new]
    fn of_path(py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        Self::open(py, path)
    }

    /// Reads a scene from text; paths in it are relative to `folder`, and `name` stands for the scene in messages.
    #[staticmethod]
    #[pyo3(signature = (text, folder=PathBuf::new(), name="scene"))]
    fn parse(py: Python<'_>, text: &str, folder: PathBuf, name: &str) -> PyResult<Self> {
        Self::new(py, || Renderer::parse(text, name, &folder, &LoadOptions::default()))
    }

    /// Numbers of the frames.
    #[getter]
    fn frames(&self) -> Vec<i64> {
        self.renderer.frames().iter().map(|frame| frame.0).collect()
    }

    /// Width and height of the frames in pixels.
    #[getter]
    fn size(&self) -> (u32, u32) {
        self.renderer.size().into()
    }

    /// Frames a second.
    #[getter]
    fn fps(&self) -> f64 {
        self.renderer.fps()
    }

    /// Digest of everything that the pixels depend on.
    #[getter]
    fn digest(&self) -> String {
        self.renderer.digest()
    }

    /// Draws one frame.
    fn frame(&self, py: Python<'_>, number: i64) -> PyResult<Frame> {
        let drawn = detach(py, || self.renderer.draw(number));
        Frame::new(py, drawn.map_err(|error| raised(py, &error))?)
    }

    /// Draws a view of one frame: "depth", "normal", "uv", "mesh", "material", "skeleton", "wireframe", "joint:NAME" and the other words of
    /// `--aov`. Returns a `Frame` and the meaning of its colours.
    fn view(&self, py: Python<'_>, number: i64, view: &str) -> PyResult<(Frame, String)> {
        let parsed = Aov::parse_list(view).map_err(|error| refused(format!("view: {error}")))?;
        let [view] = parsed.as_slice() else {
            return Err(refused(format!("view='{view}': expected one view")));
        };
        let drawn = detach(py, || self.renderer.draw_view(number, view));
        let (frame, legend) = drawn.map_err(|error| raised(py, &error))?;
        Ok((Frame::new(py, frame)?, legend))
    }

    /// The camera of one frame.
    fn camera(&self, py: Python<'_>, number: i64) -> PyResult<Camera> {
        let camera = self.renderer.camera(number).map_err(|error| raised(py, &error))?;
        Camera::new(py, &camera)
    }

    /// Draws frames into files; those that are up to date are kept.
    ///
    /// `output` is a folder, which gets `0000.png` and on, a pattern such as `out/####.jpg` or `.webp`, or one file of all frames: `.gif`, `.webp`, `.apng`, `.mp4`, `.webm`
    /// or `.mov`; by default that of the scene, else `out/NAME/####.png`. `frames` is a text such as `0-47` or `0,5,10-20`, a number, or numbers; `threads` 0 is
    /// one for each core. `progress` is a function of the frames that are done and of all; an error that it raises ends the work.
    #[pyo3(
        signature = (output=None, *, frames=None, overwrite=false, keep_going=false, allow_empty=false, threads=0, progress=None, **others),
        text_signature = "($self, output=None, *, frames=None, overwrite=False, keep_going=False, allow_empty=False, threads=0, progress=None)"
    )]
    #[expect(clippy::too_many_arguments, reason = "keywords of Python")]
    fn render(
        &self,
        py: Python<'_>,
        output: Option<PathBuf>,
        frames: Option<Bound<'_, PyAny>>,
        overwrite: bool,
        keep_going: bool,
        allow_empty: bool,
        threads: usize,
        progress: Option<Bound<'_, PyAny>>,
        others: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Report> {
        const KNOWN: [&str; 7] =
            ["output", "frames", "overwrite", "keep_going", "allow_empty", "threads", "progress"];
        refuse_others("Scene.render", others, &KNOWN)?;
        let own = || self.renderer.file();
        let default = || format!("out/{}/####.png", self.renderer.name());
        let output = output.map(|path| path.to_string_lossy().into_owned());
        let output = output.or_else(own).unwrap_or_else(default);
        let mut count = self.renderer.frames().len();
        let mut options = SaveOptions::new()
            .overwrite(overwrite)
            .keep_going(keep_going)
            .allow_empty(allow_empty)
            .threads(threads);
        if let Some(frames) = frames {
            let text = frame_list(&frames)?;
            let frames = FrameList::parse(&text);
            let frames = frames.map_err(|error| refused(format!("frames={text}: {error}")))?;
            count = frames.len();
            options = options.frames(frames);
        }
        let progress = progress.map(|value| callable(&value)).transpose()?;
        run::run(py, &self.renderer, &output, options, progress.map(|f| (f, count)))
    }

    fn __copy__(own: Py<Self>) -> Py<Self> {
        own
    }

    /// It never changes, so that a copy is the same one.
    fn __deepcopy__(own: Py<Self>, _memo: &Bound<'_, PyAny>) -> Py<Self> {
        own
    }

    fn __repr__(&self) -> String {
        let [width, height] = self.renderer.size();
        format!(
            "<tintype.Scene {:?}: {} frames of {width}x{height}>",
            self.renderer.name(),
            self.renderer.frames().len()
        )
    }
}

/// Frames as a text: a text, a number, or numbers.
fn frame_list(value: &Bound<'_, PyAny>) -> PyResult<String> {
    if let Ok(text) = value.extract::<String>() {
        return Ok(text);
    }
    let numbers = value.extract::<i64>().map(|one| vec![one]);
    let numbers = numbers.or_else(|_| value.try_iter()?.map(|one| one?.extract::<i64>()).collect());
    let numbers: Vec<String> = numbers
        .map_err(|_: PyErr| {
            mistyped("frames: expected a text such as '0-47', a number, or numbers")
        })?
        .iter()
        .map(i64::to_string)
        .collect();
    Ok(numbers.join(","))
}

impl Scene {
    fn new(
        py: Python<'_>,
        load: impl FnOnce() -> Result<Renderer, tintype::Error> + Send,
    ) -> PyResult<Self> {
        let renderer = detach(py, load).map_err(|error| raised(py, &error))?;
        warn(py, renderer.warnings())?;
        Ok(Self { renderer })
    }
}
