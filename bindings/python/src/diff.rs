//! Differences of two pictures, models, sequences or folders, with their causes.

#![expect(clippy::too_many_arguments, reason = "data is made by its fields")]

use crate::diagnostic::{raised, refused};
use crate::frame::Frame;
use crate::source::{OnDisk, Source};
use crate::threads::detach;
use pyo3::prelude::*;
use std::path::PathBuf;
use tintype::finding::Finding;
use tintype::{DiffOptions, diff_frames, diff_paths};

/// One difference: its stage, and its amount in words.
#[pyclass(frozen, get_all, new = "from_fields", module = "tintype")]
pub(crate) struct Cause {
    /// The picture, model or file that differs.
    pub(crate) subject: String,
    /// The clip of the model. None for the model itself and for pictures.
    pub(crate) clip: Option<String>,
    /// First stage that differs. Models: "scene" (cameras and lights), "time", "structure", "bind",
    /// "pose", "skin", "mesh", "material". Pictures with records: "scene", "pose", "skin",
    /// "visibility", "texture", "shading", "drawing". Others: "pixels", "size", "missing",
    /// "unreadable".
    pub(crate) stage: String,
    /// The difference as data: a dict of its kind, subjects and amounts. None for differences of
    /// the whole.
    pub(crate) finding: Option<Py<PyAny>>,
    /// The difference in a sentence, with its amount.
    pub(crate) text: String,
    /// Further sentences.
    pub(crate) evidence: Vec<String>,
}

/// Difference of two pictures.
#[pyclass(frozen, get_all, new = "from_fields", module = "tintype")]
pub(crate) struct PictureDiff {
    /// Name of the frame.
    name: String,
    /// "same", "within", "different", "size", "only-a", "only-b" or "unreadable".
    state: String,
    /// The comparison in words.
    message: String,
    /// Number of pixels that differ in any channel.
    pixels: usize,
    /// The maximum difference of a channel, 0 to 255.
    largest: u8,
    /// Bounding box of the change: left, top, right, bottom, all inclusive. None if no pixel
    /// differs.
    r#box: Option<(u32, u32, u32, u32)>,
    /// The mean FLIP: 0 to 1, 0 for equal pictures. None if it cannot be measured.
    flip: Option<f64>,
    /// The mean SSIM: 1 for equal pictures. None if it cannot be measured.
    ssim: Option<f64>,
    /// FLIP of each pixel, from black to light yellow. None without `pictures=True`.
    heat: Option<Py<Frame>>,
}

/// A joint that moved relative to its parent.
#[pyclass(frozen, get_all, new = "from_fields", module = "tintype")]
pub(crate) struct JointDiff {
    /// Its name.
    name: String,
    /// Rotation relative to its parent at the time of the largest difference, in degrees.
    turned_deg: f32,
    /// Distance in model space at that time.
    moved: f32,
    /// The time, in seconds from the start of the clip.
    at_s: f64,
    /// Joints below it that only follow.
    followers: usize,
}

/// Difference of a model in its bind pose, or of one of its clips.
#[pyclass(frozen, get_all, new = "from_fields", module = "tintype")]
pub(crate) struct PartDiff {
    /// Name of the clip. None for the model in its bind pose.
    clip: Option<String>,
    /// "same", "within", "different", "only-a" or "only-b".
    state: String,
    /// Differences, the first stage first.
    causes: Vec<Py<Cause>>,
    /// Number of compared times.
    moments: usize,
    /// The maximum distance that a joint or vertex moved, as a fraction of the diagonal of the
    /// first model.
    farthest: f32,
    /// Joints that moved by themselves, farthest first.
    joints: Vec<Py<JointDiff>>,
    /// The first model at the time of the largest difference. None without `pictures=True`, or if
    /// nothing differs.
    before: Option<Py<Frame>>,
    /// The second model seen by the same camera.
    after: Option<Py<Frame>>,
}

/// Difference of two models with all their clips.
#[pyclass(frozen, get_all, new = "from_fields", module = "tintype")]
pub(crate) struct ModelDiff {
    /// Path below the folder, or the name of the second file.
    name: String,
    /// "same", "within", "different", "only-a", "only-b" or "unreadable".
    state: String,
    /// The name in the first folder, if the model was renamed.
    renamed_from: Option<String>,
    /// The reason why it could not be compared.
    error: Option<String>,
    /// Remarks, such as clips that fit no joint.
    notes: Vec<String>,
    /// The model in its bind pose, then its clips by name.
    parts: Vec<Py<PartDiff>>,
    /// The differences, before and after, as one picture with a legend. None without
    /// `pictures=True`, or if no picture differs.
    contact_sheet: Option<Py<Frame>>,
}

/// Difference of two files that are neither pictures nor models.
#[pyclass(frozen, get_all, new = "from_fields", module = "tintype")]
pub(crate) struct FileDiff {
    /// Path below both folders.
    name: String,
    /// "same", "same-content", "different", "only-a", "only-b", "unreadable" or "not-compared".
    state: String,
    /// Differences, a sentence each.
    sentences: Vec<String>,
}

/// Differences of two sides.
#[pyclass(frozen, module = "tintype")]
#[derive(Default)]
pub(crate) struct Diff {
    /// True if nothing differs beyond the tolerance or the bound.
    #[pyo3(get)]
    same: bool,
    /// All differences, in the order of models, pictures and files; for each the earliest stage
    /// first.
    #[pyo3(get)]
    causes: Vec<Py<Cause>>,
    /// Models of either side.
    #[pyo3(get)]
    models: Vec<Py<ModelDiff>>,
    /// Pictures of either side.
    #[pyo3(get)]
    pictures: Vec<Py<PictureDiff>>,
    /// Other files of two folders, or two records.
    #[pyo3(get)]
    files: Vec<Py<FileDiff>>,
    /// The comparison of two paths. None for two frames, and for a copy by `pickle`.
    found: Option<tintype::Diff>,
}

/// One side: a picture in memory, a model, or a path.
#[derive(FromPyObject)]
pub(crate) enum Subject {
    Frame(Py<Frame>),
    Source(Source),
}

/// Compares two frames, two pictures, two models, two records of golden pictures, two sequences
/// such as `a/####.png`, or two folders of any of these.
///
/// Models are compared with every clip at every key, pictures byte for byte; for golden pictures
/// with records beside them, the first stage that differs is named. `tolerance` is the distance
/// below which vertices count as equal, as a fraction of the model's diagonal; `metric` is "max",
/// "flip" or "ssim" with its `bound`. With `pictures=True` the result includes pictures of the
/// differences.
#[pyfunction]
#[pyo3(signature = (a, b, *, tolerance=0.0, metric=None, bound=None, pictures=false))]
pub(crate) fn diff(
    py: Python<'_>,
    a: Subject,
    b: Subject,
    tolerance: f32,
    metric: Option<&str>,
    bound: Option<f64>,
    pictures: bool,
) -> PyResult<Diff> {
    if !(tolerance.is_finite() && tolerance >= 0.0) {
        let message =
            format!("tolerance={tolerance}: expected a fraction of the diagonal, 0 or more");
        return Err(refused(message));
    }
    let mut options = DiffOptions { tolerance, pictures, ..DiffOptions::default() };
    match metric {
        None if bound.is_some() => {
            return Err(refused("bound needs metric='max', 'flip' or 'ssim'"));
        }
        None => {}
        Some(metric) => {
            options = options
                .with_metric(metric, bound)
                .map_err(|error| refused(format!("metric, bound: {error}")))?;
        }
    }
    match (a, b) {
        (Subject::Frame(a), Subject::Frame(b)) => {
            let frames = [a.get().picture(py)?, b.get().picture(py)?];
            let (found, beside) = detach(py, || {
                let found = diff_frames(&frames[0], &frames[1], options);
                let beside = beside(&found, pictures);
                (found, beside)
            });
            let mut all = Diff { same: found.is_same, ..Diff::default() };
            all.push_picture(py, found, beside)?;
            Ok(all)
        }
        (Subject::Source(a), Subject::Source(b)) => {
            let held = [OnDisk::new(py, &a)?, OnDisk::new(py, &b)?];
            let [a, b] = held.each_ref().map(|one| one.path.clone());
            let mut interrupted = None;
            let mut all_beside = Vec::new();
            let found = detach(py, || {
                let mut go_on = |picture: &tintype::PictureDiff| {
                    interrupted = Python::attach(|py| py.check_signals()).err();
                    all_beside.push(beside(picture, pictures));
                    interrupted.is_none()
                };
                diff_paths(&a, &b, options, &mut go_on)
            });
            if let Some(error) = interrupted {
                return Err(error);
            }
            gather(py, found.map_err(|error| raised(py, &error))?, all_beside)
        }
        _ => Err(refused("compare two frames, or two paths")),
    }
}

/// The cause of a picture's difference, and FLIP of each pixel if wanted.
type Beside = (Option<tintype::Cause>, Option<tintype::Frame>);

fn beside(picture: &tintype::PictureDiff, has_heat: bool) -> Beside {
    (picture.cause(), has_heat.then(|| picture.heat()).flatten())
}

/// The Python object of a cause.
fn of(py: Python<'_>, cause: tintype::Cause) -> PyResult<Py<Cause>> {
    let tintype::Cause { subject, clip, stage, finding, text, evidence, .. } = cause;
    let stage = stage.to_string();
    let finding = finding.map(|finding| data(py, &finding)).transpose()?;
    Py::new(py, Cause { subject, clip, stage, finding, text, evidence })
}

/// A finding as a dict.
fn data(py: Python<'_>, finding: &Finding) -> PyResult<Py<PyAny>> {
    let text = serde_json::to_string(finding).map_err(|error| refused(error.to_string()))?;
    Ok(py.import("json")?.call_method1("loads", (text,))?.unbind())
}

/// Python objects of all results.
fn gather(py: Python<'_>, mut found: tintype::Diff, beside: Vec<Beside>) -> PyResult<Diff> {
    let mut all = Diff { same: found.is_same(), ..Diff::default() };
    for model in std::mem::take(&mut found.models) {
        let whole = model.cause().map(|one| of(py, one));
        all.causes.extend(whole.transpose()?);
        let model = model_diff(py, model)?;
        for part in &model.parts {
            all.causes.extend(part.get().causes.iter().map(|cause| cause.clone_ref(py)));
        }
        all.models.push(Py::new(py, model)?);
    }
    for (picture, beside) in std::mem::take(&mut found.pictures).into_iter().zip(beside) {
        all.push_picture(py, picture, beside)?;
    }
    for file in std::mem::take(&mut found.files) {
        let one = file.cause.map(|one| of(py, one));
        all.causes.extend(one.transpose()?);
        let (name, state, sentences) = (file.name, file.state.to_string(), file.sentences);
        all.files.push(Py::new(py, FileDiff { name, state, sentences })?);
    }
    Ok(Diff { found: Some(found), ..all })
}

fn model_diff(py: Python<'_>, model: tintype::ModelDiff) -> PyResult<ModelDiff> {
    let tintype::ModelDiff { name, state, renamed_from, error, notes, parts, .. } = model;
    let parts = parts.into_iter().map(|part| Py::new(py, part_diff(py, part)?));
    let parts = parts.collect::<PyResult<_>>()?;
    let notes = notes.iter().map(Finding::sentence).collect();
    let sheet = model.contact_sheet.map(|sheet| Py::new(py, Frame::of_sheet(py, sheet)?));
    let (state, contact_sheet) = (state.to_string(), sheet.transpose()?);
    Ok(ModelDiff { parts, name, state, renamed_from, error, notes, contact_sheet })
}

fn part_diff(py: Python<'_>, part: tintype::PartDiff) -> PyResult<PartDiff> {
    let causes = part.causes.into_iter().map(|cause| of(py, cause));
    let joints = part.joints.into_iter().map(|joint| {
        let tintype::JointDiff { name, turned_deg, moved, at_s, followers, .. } = joint;
        Py::new(py, JointDiff { name, turned_deg, moved, at_s, followers })
    });
    let (causes, joints) = (causes.collect::<PyResult<_>>()?, joints.collect::<PyResult<_>>()?);
    let mut frames = Vec::new();
    for frame in part.pictures.into_iter().flatten() {
        frames.push(Py::new(py, Frame::new(py, frame)?)?);
    }
    let mut frames = frames.into_iter();
    Ok(PartDiff {
        clip: part.clip,
        state: part.state.to_string(),
        causes,
        moments: part.moments,
        farthest: part.farthest,
        joints,
        before: frames.next(),
        after: frames.next(),
    })
}

#[pymethods]
impl Cause {
    fn __str__(&self) -> String {
        let clip = self.clip.as_ref().map_or_else(String::new, |clip| format!("clip {clip}: "));
        format!("{}: {clip}{}: {}", self.subject, self.stage, self.text)
    }

    fn __repr__(&self) -> String {
        format!("<tintype.Cause {}>", self.__str__())
    }
}

impl Diff {
    fn push_picture(
        &mut self,
        py: Python<'_>,
        picture: tintype::PictureDiff,
        (cause, heat): Beside,
    ) -> PyResult<()> {
        self.causes.extend(cause.map(|one| of(py, one)).transpose()?);
        let heat = heat.map(|frame| Py::new(py, Frame::new(py, frame)?)).transpose()?;
        let picture = PictureDiff {
            state: picture.state.to_string(),
            pixels: picture.pixels,
            largest: picture.largest,
            r#box: picture.bounds.map(Into::into),
            flip: picture.flip,
            ssim: picture.ssim,
            name: picture.name,
            message: picture.message,
            heat,
        };
        self.pictures.push(Py::new(py, picture)?);
        Ok(())
    }

    fn found(&self) -> PyResult<&tintype::Diff> {
        let found = self.found.as_ref();
        found.ok_or_else(|| refused("only a comparison of two paths has a report"))
    }
}

#[pymethods]
impl Diff {
    #[new]
    fn from_fields(
        same: bool,
        causes: Vec<Py<Cause>>,
        models: Vec<Py<ModelDiff>>,
        pictures: Vec<Py<PictureDiff>>,
        files: Vec<Py<FileDiff>>,
    ) -> Self {
        Self { same, causes, models, pictures, files, found: None }
    }

    /// Writes `index.html`, the page that shows all results, into a folder; models are shown if they
    /// were compared with `pictures=True`.
    fn write_report(&self, py: Python<'_>, folder: PathBuf) -> PyResult<()> {
        let found = self.found()?;
        detach(py, || found.write_report(&folder)).map_err(|error| raised(py, &error))
    }

    /// All results as JSON, as written by `tintype diff --json`.
    fn to_json(&self, py: Python<'_>) -> PyResult<String> {
        let found = self.found()?;
        Ok(detach(py, || found.to_json()))
    }

    /// All results as JUnit XML. `report` is the folder of a report whose pictures are named.
    #[pyo3(signature = (report=None))]
    fn to_junit(&self, py: Python<'_>, report: Option<PathBuf>) -> PyResult<String> {
        let found = self.found()?;
        Ok(detach(py, || found.to_junit(report.as_deref())))
    }

    fn __str__(&self) -> String {
        match self.causes.as_slice() {
            [] => "the same".to_owned(),
            causes => causes.iter().map(|one| one.get().__str__()).collect::<Vec<_>>().join("\n"),
        }
    }

    fn __repr__(&self) -> String {
        if self.same {
            return "<tintype.Diff: the same>".to_owned();
        }
        format!("<tintype.Diff: {} causes>\n{}", self.causes.len(), self.__str__())
    }
}

#[pymethods]
impl PictureDiff {
    fn __repr__(&self) -> String {
        format!("<tintype.PictureDiff {:?}: {}>", self.name, self.state)
    }
}

#[pymethods]
impl ModelDiff {
    fn __repr__(&self) -> String {
        format!("<tintype.ModelDiff {:?}: {}>", self.name, self.state)
    }
}

#[pymethods]
impl PartDiff {
    fn __repr__(&self) -> String {
        let name = self.clip.as_deref().map_or("bind pose".to_owned(), |clip| format!("{clip:?}"));
        format!("<tintype.PartDiff {name}: {}>", self.state)
    }
}

#[pymethods]
impl JointDiff {
    fn __repr__(&self) -> String {
        format!("<tintype.JointDiff {:?}: {}°, {}>", self.name, self.turned_deg, self.moved)
    }
}

#[pymethods]
impl FileDiff {
    fn __repr__(&self) -> String {
        format!("<tintype.FileDiff {:?}: {}>", self.name, self.state)
    }
}
