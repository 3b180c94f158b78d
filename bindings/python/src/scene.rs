//! Scenes of TOML text: single frames as arrays, sequences as files.

use crate::diagnostic::{raised, raised_with, warn};
use crate::frame::Frame;
use crate::model::refused;
use crate::run::{self, Report};
use pyo3::prelude::*;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tintype::{
    Assets, Deadline, FrameList, FrameNumber, FramePattern, LoadOptions, RasterOptions, Renderer,
    load_assets, parse_scene,
};
use tintype_host::job::{Outputs, SequenceJob};

/// A scene with its models, clips and textures.
#[pyclass(frozen, module = "tintype")]
pub(crate) struct Scene {
    /// Name of the default folder of its frames.
    name: String,
    scene: Arc<tintype::Scene>,
    assets: Arc<Assets>,
    renderer: Renderer,
}

#[pymethods]
impl Scene {
    /// Opens a scene file and loads what it names. Warnings are told by Python's `warnings`.
    #[staticmethod]
    fn open(py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        let text = std::fs::read_to_string(&path)
            .map_err(|source| raised(py, &tintype::Error::File { path: path.clone(), source }))?;
        let folder = path.parent().unwrap_or(Path::new("")).to_owned();
        Self::parse(py, &text, folder, &path.display().to_string())
    }

    /// Reads a scene from text; paths in it are relative to `folder`, and `name` stands for the scene in messages.
    #[staticmethod]
    #[pyo3(signature = (text, folder=PathBuf::new(), name="scene"))]
    fn parse(py: Python<'_>, text: &str, folder: PathBuf, name: &str) -> PyResult<Self> {
        let load = || -> Result<_, tintype::Error> {
            let scene = Arc::new(parse_scene(text, name)?);
            let assets = Arc::new(load_assets(&scene, &folder, &LoadOptions::default())?);
            let renderer =
                Renderer::new(Arc::clone(&scene), Arc::clone(&assets), &Deadline::NEVER)?;
            Ok((scene, assets, renderer))
        };
        let (scene, assets, renderer) = py.detach(load).map_err(|error| raised(py, &error))?;
        warn(py, assets.warnings.iter().chain(renderer.warnings()))?;
        let name = Path::new(name).file_stem().unwrap_or_default().to_string_lossy().into_owned();
        Ok(Self { name, scene, assets, renderer })
    }

    /// Numbers of the frames.
    #[getter]
    fn frames(&self) -> Vec<i64> {
        self.scene.output.frames.iter().map(|frame| frame.0).collect()
    }

    /// Width and height of the frames in pixels.
    #[getter]
    fn size(&self) -> (u32, u32) {
        self.scene.output.size.into()
    }

    /// Frames a second.
    #[getter]
    fn fps(&self) -> f64 {
        self.scene.output.fps
    }

    /// Digest of everything that the pixels depend on.
    #[getter]
    fn digest(&self) -> String {
        self.renderer.digest()
    }

    /// Draws one frame.
    fn frame(&self, py: Python<'_>, number: i64) -> PyResult<Frame> {
        let drawn = py.detach(|| self.renderer.draw(FrameNumber(number), RasterOptions::default()));
        Frame::new(py, drawn.map_err(|error| raised(py, &error.into()))?.frame)
    }

    /// Draws frames into PNG files; those that are up to date are kept.
    ///
    /// `output` is a pattern such as `out/####.png`, by default that of the scene, else `out/NAME/####.png`. `frames` is a list such
    /// as `0-47` or `0,5,10-20`; `threads` 0 is one for each core.
    #[pyo3(signature = (output=None, *, frames=None, overwrite=false, keep_going=false, allow_empty=false, threads=0))]
    #[expect(clippy::too_many_arguments, reason = "keywords of Python")]
    fn render(
        &self,
        py: Python<'_>,
        output: Option<&str>,
        frames: Option<&str>,
        overwrite: bool,
        keep_going: bool,
        allow_empty: bool,
        threads: usize,
    ) -> PyResult<Report> {
        let pattern = match (output, &self.scene.output.file) {
            (Some(output), _) => parse_pattern(output)?,
            (None, Some(pattern)) => pattern.clone(),
            (None, None) => parse_pattern(&format!("out/{}/####.png", self.name))?,
        };
        let outputs = Outputs::files(pattern);
        let mut job = SequenceJob::new(Arc::clone(&self.scene), Arc::clone(&self.assets), outputs);
        if let Some(frames) = frames {
            let frames = FrameList::parse(frames)
                .map_err(|error| raised_with(py, &format!("frames: {error}"), &[], false))?;
            job.frames = frames.iter().collect();
        }
        job.settings.overwrite = overwrite;
        job.settings.keep_going = keep_going;
        job.settings.allow_empty = allow_empty;
        run::run(py, job, threads)
    }

    fn __repr__(&self) -> String {
        let [width, height] = self.scene.output.size;
        format!(
            "<tintype.Scene {:?}: {} frames of {width}x{height}>",
            self.name,
            self.scene.output.frames.len()
        )
    }
}

/// The names of the files of frames.
pub(crate) fn parse_pattern(text: &str) -> PyResult<FramePattern> {
    FramePattern::parse(text).map_err(|error| refused(format!("output: {error}")))
}
