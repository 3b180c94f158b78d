//! Scenes from TOML text: single frames as arrays, sequences as files.

use crate::arrays::{by_instance, matrices, numbers, rows};
use crate::camera::Camera;
use crate::diagnostic::{mistyped, raised, refused, warn};
use crate::frame::Frame;
use crate::options::{callable, refuse_others};
use crate::run::{self, Report};
use crate::source::Source;
use crate::threads::detach;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::path::PathBuf;
use tintype::builder::{Aov, FrameList};
use tintype::{Channel, Given, LoadOptions, MemoryFiles, Renderer, SaveOptions, View};

/// A scene with its models, clips and textures.
#[pyclass(frozen, module = "tintype")]
pub(crate) struct Scene {
    renderer: Renderer,
}

#[pymethods]
impl Scene {
    /// Opens a scene file and loads its files. Warnings are issued through Python's `warnings`.
    #[staticmethod]
    fn open(py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        Self::new(py, || Renderer::open(&path))
    }

    /// As `Scene.open`.
    #[new]
    fn of_path(py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        Self::open(py, path)
    }

    /// Reads a scene from text. Its paths are relative to `folder`, and `name` is used in messages.
    /// `models` are models in memory, made of arrays or bytes; the text refers to them by these
    /// names like files, `{"body": Model.from_arrays(...)}`.
    #[staticmethod]
    #[pyo3(signature = (text, folder=PathBuf::new(), name="scene", *, models=None))]
    fn parse(
        py: Python<'_>,
        text: &str,
        folder: PathBuf,
        name: &str,
        models: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Self> {
        let mut options = LoadOptions::default();
        if let Some(models) = models {
            let mut files = MemoryFiles::new().over_disk();
            for (key, model) in models {
                let (key, model): (PathBuf, Source) = (key.extract()?, model.extract()?);
                let bytes = model.in_memory_bytes().ok_or_else(|| {
                    refused(format!(
                        "models['{}']: it is a file; put its path in the scene text",
                        key.display()
                    ))
                })?;
                files = files.with(folder.join(key), bytes);
            }
            options = options.with_files(files);
        }
        Self::new(py, || Renderer::parse(text, name, &folder, &options))
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

    /// Frames per second.
    #[getter]
    fn fps(&self) -> f64 {
        self.renderer.fps()
    }

    /// Digest of all inputs of the pixels.
    #[getter]
    fn digest(&self) -> String {
        self.renderer.digest()
    }

    /// Draws one frame.
    ///
    /// - `channels`: names of channels, returned as arrays: data of the surface that the ray
    ///   through the centre of each pixel meets first, or 0. "depth" along the axis, "distance"
    ///   along the ray, "position", "normal" and "face_normal" in the world, "normal_view" and
    ///   "face_normal_view" in view space, "uv", "barycentric", "albedo"; "triangle", "instance",
    ///   "mesh", "material" and "joint" count from 1. "coverage" is the fraction of the pixel's
    ///   samples that show a surface. `frame.depth` is an array, `frame.legend` has the names
    /// - `camera`: a `Camera` that replaces the scene's; the picture has its size
    /// - `transforms`: `{instance: [4, 4]}` to world space, with instances by name or number, or a
    ///   list with one per instance
    /// - `poses`: `{instance: [joints, 4, 4]}`, joint space to model space in the order of `Model.joints`
    /// - `vertices`: `{instance: [n, 3]}` in model space, in the order of the file
    /// - `next`: a dict of `transforms`, `poses` and `vertices` at the end of the motion; "motion"
    ///   is the movement of each point until then in pixels. By default it is the following frame
    ///   of the scene
    #[pyo3(
        signature = (number, *, channels=None, camera=None, transforms=None, poses=None, vertices=None, next=None, **others),
        text_signature = "($self, number, *, channels=(), camera=None, transforms=None, poses=None, vertices=None, next=None)"
    )]
    #[expect(clippy::too_many_arguments, reason = "keywords of Python")]
    fn frame(
        &self,
        py: Python<'_>,
        number: i64,
        channels: Option<Bound<'_, PyAny>>,
        camera: Option<Bound<'_, Camera>>,
        transforms: Option<Bound<'_, PyAny>>,
        poses: Option<Bound<'_, PyAny>>,
        vertices: Option<Bound<'_, PyAny>>,
        next: Option<&Bound<'_, PyDict>>,
        others: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Frame> {
        let known = ["number", "channels", "camera", "transforms", "poses", "vertices", "next"];
        refuse_others("Scene.frame", others, &known)?;
        let channels = channels.map_or_else(|| Ok(Vec::new()), |value| channels_of(&value))?;
        let names = self.renderer.instance_names();
        let parts = [transforms, poses, vertices];
        let mut given = given_of(parts.each_ref().map(Option::as_ref), &names)?;
        if let Some(next) = next {
            let [transforms, poses, vertices] = PARTS.map(|key| next.get_item(key));
            let parts = [transforms?, poses?, vertices?];
            let known = |key: &Bound<'_, PyAny>| {
                key.extract::<String>().is_ok_and(|key| PARTS.contains(&key.as_str()))
            };
            if let Some(other) = next.keys().iter().find(|key| !known(key)) {
                let (other, known) = (other.repr()?, PARTS.join(", "));
                return Err(refused(format!("next: no part {other}; parts: {known}")));
            }
            given = given.next(given_of(parts.each_ref().map(Option::as_ref), &names)?);
        }
        let view = camera.map(|camera| camera.get().own(py)).transpose()?;
        let view = view.map(|own| View::new().camera(own.to_builder()).size(own.size));
        let drawn = detach(py, || -> Result<_, tintype::Error> {
            let seen = view.map(|view| self.renderer.with_view(&view)).transpose()?;
            let renderer = seen.as_ref().unwrap_or(&self.renderer);
            let (frame, channels) = renderer.draw_given(number, &given, &channels)?;
            Ok((frame, channels, renderer.camera(number)?))
        });
        let (frame, channels, camera) = drawn.map_err(|error| raised(py, &error))?;
        Frame::new(py, frame)?.with_channels(py, channels, &camera)
    }

    /// Draws a view of one frame: "depth", "normal", "uv", "mesh", "material", "skeleton",
    /// "wireframe", "joint:NAME" and the other words of `--aov`. Returns a `Frame` and the legend
    /// of its colours.
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

    /// Draws frames into files; files that are up to date are kept.
    ///
    /// `output` is a folder (frames are named `0000.png` and so on), a pattern such as
    /// `out/####.jpg` or `.webp`, or one file of all frames: `.gif`, `.webp`, `.apng`, `.mp4`,
    /// `.webm` or `.mov`; by default the scene's, otherwise `out/NAME/####.png`. `frames` is a text
    /// such as `0-47` or `0,5,10-20`, a number, or numbers; `threads` 0 uses one per core.
    /// `progress` is called with the numbers of finished and of all frames; an exception in it
    /// stops the work.
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

    /// It never changes, so a copy is the object itself.
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

/// Parts of a scene set by a program.
const PARTS: [&str; 3] = ["transforms", "poses", "vertices"];

/// The parts of [`PARTS`] set for instances with these names.
fn given_of(
    [transforms, poses, vertices]: [Option<&Bound<'_, PyAny>>; 3],
    names: &[String],
) -> PyResult<Given> {
    let matrix = |name: &str, value: &Bound<'_, PyAny>| {
        let rows = numbers(name, value, &[4, 4])?.values;
        let rows = rows.as_chunks::<4>().0;
        Ok([rows[0], rows[1], rows[2], rows[3]])
    };
    let mut given = Given::new();
    for (index, own) in by_instance(PARTS[0], transforms, names, matrix)? {
        given = given.transform(index, &own);
    }
    for (index, own) in by_instance(PARTS[1], poses, names, matrices)? {
        given = given.joints(index, &own);
    }
    for (index, own) in by_instance(PARTS[2], vertices, names, rows::<3>)? {
        given = given.vertices(index, &own);
    }
    Ok(given)
}

/// Channels by their names, or one alone.
fn channels_of(value: &Bound<'_, PyAny>) -> PyResult<Vec<Channel>> {
    let one = value.extract::<String>().map(|word| vec![word]);
    let words = one.or_else(|_| value.extract::<Vec<String>>());
    let words = words.map_err(|_| mistyped("channels: expected names, such as ['depth']"))?;
    let channel =
        |word: &String| Channel::parse(word).map_err(|error| refused(format!("channels: {error}")));
    words.iter().map(channel).collect()
}

/// Frames as text: a text, a number, or numbers.
fn frame_list(value: &Bound<'_, PyAny>) -> PyResult<String> {
    if let Ok(text) = value.extract::<String>() {
        return Ok(text);
    }
    let numbers = value.extract::<i64>().map(|one| vec![one]);
    let numbers = numbers.or_else(|_| value.try_iter()?.map(|one| one?.extract::<i64>()).collect());
    let numbers: Vec<String> = numbers
        .map_err(|_: PyErr| {
            mistyped("frames: expected a string such as '0-47', a number, or numbers")
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
