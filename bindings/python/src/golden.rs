//! Golden images of models and scenes for tests: comparison, acceptance, and one report of a session.

use crate::diagnostic::{Diagnostic, failed, raised};
use crate::frame::Frame;
use crate::threads::detach;
use pyo3::prelude::*;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use tintype::{GoldenCounts, GoldenMoments, write_golden_report};

/// One golden, compared with its current picture.
#[pyclass(frozen, get_all, module = "tintype")]
pub(crate) struct Golden {
    /// Its file.
    path: PathBuf,
    /// Frame of its scene; for a model, the time in milliseconds.
    frame: Option<i64>,
    /// "same", "within", "different", "missing", "unreadable", "other-revision", "empty" or "dangling".
    state: &'static str,
    /// True if it is unchanged, or within the bound of its scene.
    passes: bool,
    /// The cause if known, otherwise the difference.
    headline: String,
    /// Further lines: the difference, evidence, notes.
    details: Vec<String>,
    /// The golden picture, if it differs and can be read.
    golden: Option<Py<Frame>>,
    /// The current picture, if it differs.
    live: Option<Py<Frame>>,
}

/// Goldens that fail for one cause.
#[pyclass(frozen, module = "tintype")]
pub(crate) struct CauseGroup {
    group: tintype::CauseGroup,
    /// The cause in a line.
    #[pyo3(get)]
    cause: String,
    /// The goldens.
    #[pyo3(get)]
    goldens: Vec<Py<Golden>>,
}

/// The acceptance of one golden, which can be undone.
#[pyclass(frozen, module = "tintype")]
pub(crate) struct Acceptance {
    acceptance: tintype::Acceptance,
}

/// A golden set that was compared.
#[pyclass(frozen, module = "tintype")]
pub(crate) struct TestRun {
    run: tintype::TestRun,
}

/// A set of goldens: of scenes with their views, or of a model at several times.
#[pyclass(frozen, module = "tintype")]
pub(crate) struct GoldenSet {
    set: tintype::GoldenSet,
}

/// Results of a session, for its report.
#[pyclass(frozen, module = "tintype")]
#[derive(Default)]
pub(crate) struct GoldenSession {
    tested: Mutex<Vec<(tintype::TestRun, String)>>,
}

#[pymethods]
impl GoldenSet {
    /// The goldens of scenes with a table `[golden]`, below folders or in single files. They are in
    /// a folder `golden` beside the folder `scenes`; `golden` names another.
    #[staticmethod]
    #[pyo3(signature = (*paths, golden=None))]
    fn open(py: Python<'_>, paths: Vec<PathBuf>, golden: Option<PathBuf>) -> PyResult<Self> {
        Self::new(py, || tintype::GoldenSet::open(&paths, golden.as_deref()))
    }

    /// Redraws each golden and compares it. Nothing is written.
    fn test(&self, py: Python<'_>) -> TestRun {
        TestRun { run: detach(py, || self.set.test()) }
    }

    /// Opens goldens of a model at times in milliseconds from the start of a clip, or in its bind
    /// pose without a clip. `clips` are files relative to the folder of the model; without them,
    /// clips come from the model file or from files beside it. Goldens are in `folder`.
    #[staticmethod]
    #[expect(clippy::too_many_arguments, reason = "one call of the plugin")]
    fn of_model(
        py: Python<'_>,
        model: PathBuf,
        name: String,
        clip: Option<String>,
        moments_ms: Vec<i64>,
        clips: Vec<String>,
        size: (u32, u32),
        folder: PathBuf,
    ) -> PyResult<Self> {
        let size = size.into();
        let moments = GoldenMoments { model, name, clip, moments_ms, clips, size, folder };
        Self::new(py, || tintype::GoldenSet::of_model(moments))
    }

    /// Opens frames of a scene and its views. A scene with `[golden]` keeps its goldens, and
    /// `frames` selects some of them; other scenes require `frames`, and their goldens are in
    /// `folder`.
    #[staticmethod]
    fn of_scene(
        py: Python<'_>,
        path: PathBuf,
        frames: Option<&str>,
        today: &str,
        folder: PathBuf,
    ) -> PyResult<Self> {
        Self::new(py, || tintype::GoldenSet::of_scene(&path, frames, today, &folder))
    }

    /// Accepts current pictures that differ or are missing, and returns the written files.
    #[pyo3(signature = (frames=None))]
    fn bless(&self, py: Python<'_>, frames: Option<Vec<i64>>) -> PyResult<Vec<PathBuf>> {
        let set = self.only(frames);
        detach(py, || set.bless()).map_err(|error| raised(py, &error))
    }

    /// Restricts the set to the goldens that a text selects by their path or the path of their
    /// scene: a whole path selects itself, a pattern with `*` or `?` its matches, any other text
    /// the paths that contain it.
    fn select(&self, py: Python<'_>, text: &str) -> PyResult<Self> {
        Self::new(py, || self.set.select(text))
    }

    /// Deletes the goldens without a scene in the folders that the set was opened with, and returns
    /// their files.
    fn prune(&self, py: Python<'_>) -> PyResult<Vec<PathBuf>> {
        detach(py, || self.set.prune()).map_err(|error| raised(py, &error))
    }

    /// Moves the goldens of scenes that were renamed or moved, and returns each file's path before
    /// and after.
    fn move_goldens(&self, py: Python<'_>) -> PyResult<Vec<(PathBuf, PathBuf)>> {
        let moved = detach(py, || self.set.move_goldens()).map_err(|error| raised(py, &error))?;
        Ok(moved.into_iter().map(Into::into).collect())
    }
}

impl GoldenSet {
    fn new(
        py: Python<'_>,
        load: impl FnOnce() -> Result<tintype::GoldenSet, tintype::Error> + Send,
    ) -> PyResult<Self> {
        Ok(Self { set: detach(py, load).map_err(|error| raised(py, &error))? })
    }

    /// The set, or some of its frames.
    fn only(&self, frames: Option<Vec<i64>>) -> tintype::GoldenSet {
        frames.map_or_else(|| self.set.clone(), |frames| self.set.only(frames))
    }
}

#[pymethods]
impl TestRun {
    /// True if every golden is unchanged, every scene could be drawn, and no golden lacks a scene.
    #[getter]
    fn passed(&self) -> bool {
        self.run.passed()
    }

    /// The goldens of all scenes.
    #[getter]
    fn goldens(&self, py: Python<'_>) -> PyResult<Vec<Golden>> {
        self.run.goldens().map(|one| golden(py, one)).collect()
    }

    /// Goldens that belong to no scene.
    #[getter]
    fn stray(&self, py: Python<'_>) -> PyResult<Vec<Golden>> {
        self.run.stray.iter().map(|one| golden(py, one)).collect()
    }

    /// Warnings of the scenes, such as missing textures.
    #[getter]
    fn warnings(&self) -> Vec<Diagnostic> {
        let warnings = self.run.scenes.iter().flat_map(|scene| &scene.warnings);
        warnings.map(Diagnostic::from).collect()
    }

    /// Numbers of goldens by result: "same", "within", "known" (different, and all differences are
    /// known), "failed" (stray ones too), and "left" (not compared).
    #[getter]
    fn counts(&self) -> BTreeMap<&'static str, usize> {
        let GoldenCounts { same, within, known, failed, left } = self.run.counts();
        let all = [("same", same), ("within", within), ("known", known), ("failed", failed)];
        all.into_iter().chain([("left", left)]).collect()
    }

    /// The reasons why scenes could not be drawn.
    #[getter]
    fn errors(&self) -> Vec<String> {
        self.run.scenes.iter().filter_map(|scene| scene.error.clone()).collect()
    }

    /// The goldens that fail, by their causes.
    #[getter]
    fn groups(&self, py: Python<'_>) -> PyResult<Vec<CauseGroup>> {
        let of_group = |group: tintype::CauseGroup| -> PyResult<CauseGroup> {
            let goldens = group.goldens.iter().map(|[scene, golden]| {
                Py::new(py, self::golden(py, &self.run.scenes[*scene].goldens[*golden])?)
            });
            let goldens = goldens.collect::<PyResult<_>>()?;
            Ok(CauseGroup { cause: group.cause.clone(), goldens, group })
        };
        self.run.groups().into_iter().map(of_group).collect()
    }

    /// Accepts the compared pictures of all goldens of a group, or of none, and returns the written
    /// files.
    fn accept(&self, py: Python<'_>, group: Py<CauseGroup>) -> PyResult<Vec<PathBuf>> {
        let group = &group.get().group;
        detach(py, || self.run.accept(group)).map_err(|error| raised(py, &error))
    }

    /// Accepts the compared picture of one failing golden.
    fn accept_one(&self, py: Python<'_>, golden: Py<Golden>) -> PyResult<Acceptance> {
        let accepted = detach(py, || self.run.accept_one(&golden.get().path));
        Ok(Acceptance { acceptance: accepted.map_err(|error| raised(py, &error))? })
    }

    /// Writes the report into a folder: `index.html`, the page that compares the pictures, and
    /// `report.json`, `junit.xml` and `summary.md`.
    fn write_report(&self, py: Python<'_>, folder: PathBuf) -> PyResult<()> {
        detach(py, || self.run.write_report(&folder)).map_err(|error| raised(py, &error))
    }
}

#[pymethods]
impl Acceptance {
    /// The files that were written.
    #[getter]
    fn files(&self) -> Vec<&Path> {
        self.acceptance.files().collect()
    }

    /// Restores the replaced files. A file that has changed since is an error, and nothing is
    /// restored.
    fn undo(&self, py: Python<'_>) -> PyResult<()> {
        detach(py, || self.acceptance.undo()).map_err(|error| raised(py, &error))
    }

    fn __repr__(&self) -> String {
        let files = self.acceptance.files().map(|file| file.display().to_string());
        format!("<tintype.Acceptance: {}>", files.collect::<Vec<_>>().join(", "))
    }
}

#[pymethods]
impl GoldenSession {
    #[new]
    fn new() -> Self {
        Self::default()
    }

    /// Compares the goldens of a set, and keeps the results for the report; `accept` is the command
    /// that accepts them. Returns the goldens and the warnings.
    #[pyo3(signature = (set, accept, frames=None))]
    fn check(
        &self,
        py: Python<'_>,
        set: Py<GoldenSet>,
        accept: &str,
        frames: Option<Vec<i64>>,
    ) -> PyResult<(Vec<Golden>, Vec<Diagnostic>)> {
        let only = set.get().only(frames);
        let run = detach(py, || only.test());
        let goldens = run.goldens().map(|one| golden(py, one)).collect::<PyResult<_>>()?;
        let warnings = run.scenes.iter().flat_map(|scene| &scene.warnings);
        let warnings = warnings.map(Diagnostic::from).collect();
        let error = run.scenes.iter().find_map(|scene| scene.error.clone());
        // A panicking thread leaves whole results.
        let mut tested = self.tested.lock().unwrap_or_else(PoisonError::into_inner);
        tested.push((run, accept.to_owned()));
        drop(tested);
        match error {
            Some(message) => Err(failed(message)),
            None => Ok((goldens, warnings)),
        }
    }

    /// Writes `index.html`, the page that compares the pictures, into a folder, and forgets the
    /// results.
    fn write_report(&self, py: Python<'_>, folder: PathBuf) -> PyResult<()> {
        let mut tested = self.tested.lock().unwrap_or_else(PoisonError::into_inner);
        let taken = std::mem::take(&mut *tested);
        drop(tested);
        detach(py, || write_golden_report(taken, &folder)).map_err(|error| raised(py, &error))
    }
}

fn golden(py: Python<'_>, one: &tintype::Golden) -> PyResult<Golden> {
    let frame = |frame: &Option<tintype::Frame>| {
        frame.clone().map(|frame| Py::new(py, Frame::new(py, frame)?)).transpose()
    };
    Ok(Golden {
        path: one.path.clone(),
        frame: one.frame,
        state: one.state.word(),
        passes: one.passes(),
        headline: one.headline.clone(),
        details: one.details.clone(),
        golden: frame(&one.golden)?,
        live: frame(&one.live)?,
    })
}
