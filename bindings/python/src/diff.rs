//! Differences of two pictures, models, sequences or folders, with their causes.

use crate::diagnostic::raised_with;
use crate::frame::Frame;
use crate::model::refused;
use pyo3::prelude::*;
use std::path::{Path, PathBuf};
use tintype::LoadOptions;
use tintype_compare::character::{ExportOptions, ModelPair, Part};
use tintype_compare::{Difference, Heat, PixelDifference, flip, heat_picture};
use tintype_golden::cause_between;
use tintype_golden::exports::{ExportDiff, compare_exports};
use tintype_golden::picture_diff::{
    Compared, ComparedFile, Pair, Pairs, PictureDiffError, PictureLimits, State, compare_files,
};
use tintype_host::job::discover::is_model;
use tintype_model::Rule;
use tintype_model::diagnostic::chain;
use tintype_output::decode_png;
use tintype_render::asset::regular::read_regular;

/// One difference: the stage at which it arises, and its amount in words.
#[pyclass(frozen, get_all, module = "tintype")]
pub(crate) struct Cause {
    /// The picture, model or file that differs.
    pub(crate) subject: String,
    /// The clip of the model; None for the model itself and for pictures.
    pub(crate) clip: Option<String>,
    /// First stage that differs: "time", "structure", "bind", "pose", "skin", "mesh", "material" of models; "scene", "pose", "skin",
    /// "visibility", "texture", "shading", "drawing" of pictures with records; "pixels", "size", "missing", "unreadable" of others.
    pub(crate) stage: String,
    /// The difference in a sentence, with its amount.
    pub(crate) text: String,
    /// Further sentences.
    pub(crate) evidence: Vec<String>,
}

/// Difference of two pictures.
#[pyclass(frozen, get_all, module = "tintype")]
pub(crate) struct PictureDiff {
    /// Name of the frame.
    name: String,
    /// "same", "within", "different", "size", "only-a", "only-b" or "unreadable".
    state: &'static str,
    /// The comparison in words.
    message: String,
    /// Number of pixels that differ in any channel.
    pixels: usize,
    /// The largest difference of a channel, 0 to 255.
    largest: u8,
    /// The box of the change: left, top, right, bottom, all included; None if no pixel differs.
    r#box: Option<(u32, u32, u32, u32)>,
    /// The mean FLIP: 0 to 1, 0 for equal pictures; None where it cannot be measured.
    flip: Option<f64>,
    /// The mean SSIM: 1 for equal pictures; None where it cannot be measured.
    ssim: Option<f64>,
    /// FLIP of each pixel, from black to light yellow; None without `pictures=True`.
    heat: Option<Py<Frame>>,
}

/// A joint that moved by itself.
#[pyclass(frozen, get_all, module = "tintype")]
pub(crate) struct JointDiff {
    /// Its name.
    name: String,
    /// Rotation relative to its parent at the worst moment, in degrees.
    turned_deg: f32,
    /// Distance in model space at that moment.
    moved: f32,
    /// The moment, in seconds from the start of the clip.
    at_s: f64,
    /// Joints below it that only follow.
    followers: usize,
}

/// Difference of a model in its bind pose, or of one of its clips.
#[pyclass(frozen, get_all, module = "tintype")]
pub(crate) struct PartDiff {
    /// Name of the clip; None for the model in its bind pose.
    clip: Option<String>,
    /// "same", "within", "different", "only-a" or "only-b".
    state: &'static str,
    /// Differences, the first stage first.
    causes: Vec<Py<Cause>>,
    /// Number of moments that were compared.
    moments: usize,
    /// The farthest that a joint or vertex moved, as a share of the diagonal of the first model.
    farthest: f32,
    /// Joints that moved by themselves, farthest first.
    joints: Vec<Py<JointDiff>>,
    /// The first model at the worst moment; None without `pictures=True`, and where nothing differs.
    before: Option<Py<Frame>>,
    /// The second model through the same camera.
    after: Option<Py<Frame>>,
}

/// Difference of two models with all of their clips.
#[pyclass(frozen, get_all, module = "tintype")]
pub(crate) struct ModelDiff {
    /// Path below the folder, or the name of the second file.
    name: String,
    /// "same", "within", "different", "only-a", "only-b" or "unreadable".
    state: &'static str,
    /// The name in the first folder, if it has another now.
    renamed_from: Option<String>,
    /// The reason why it could not be compared.
    error: Option<String>,
    /// Remarks, such as clips that fit no joint.
    notes: Vec<String>,
    /// The model in its bind pose, then its clips by name.
    parts: Vec<Py<PartDiff>>,
}

/// Difference of two files that are neither pictures nor models.
#[pyclass(frozen, get_all, module = "tintype")]
pub(crate) struct FileDiff {
    /// Path below both folders.
    name: String,
    /// "same", "same-content", "different", "only-a", "only-b", "unreadable" or "not-compared".
    state: &'static str,
    /// Differences, a sentence each.
    sentences: Vec<String>,
}

/// Differences of two sides.
#[pyclass(frozen, get_all, module = "tintype")]
#[derive(Default)]
pub(crate) struct Diff {
    /// Whether nothing differs beyond the tolerance or the bound.
    same: bool,
    /// All differences, in the order of models, pictures and files; of each the first stage first.
    causes: Vec<Py<Cause>>,
    /// Models of either side.
    models: Vec<Py<ModelDiff>>,
    /// Pictures of either side.
    pictures: Vec<Py<PictureDiff>>,
    /// Other files of two folders.
    files: Vec<Py<FileDiff>>,
}

/// One side: a path, or a picture in memory.
#[derive(FromPyObject)]
pub(crate) enum Subject {
    Frame(Py<Frame>),
    Path(PathBuf),
}

/// Compares two frames, two pictures, two models, two sequences such as `a/####.png`, or two folders of all these.
///
/// Models are compared with every clip at every key, pictures byte for byte; of golden pictures with records beside them the first
/// stage that differs is named. `tolerance` is the distance below which vertices count as equal, as a share of the model's diagonal;
/// `metric` is "max", "flip" or "ssim" with its `bound`. With `pictures=True` the result has pictures of what differs.
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
        let message = format!("tolerance={tolerance}: expected a share of the diagonal, 0 or more");
        return Err(refused(message));
    }
    let rule = match (metric, bound) {
        (None, None) => Rule::Exact,
        (None, Some(_)) => return Err(refused("bound needs metric='max', 'flip' or 'ssim'")),
        (Some(metric), bound) => {
            Rule::new(metric, bound).map_err(|error| refused(format!("metric, bound: {error}")))?
        }
    };
    let work = Work { rule, tolerance, draws: pictures };
    match (a, b) {
        (Subject::Frame(a), Subject::Frame(b)) => work.frames(py, [&a, &b]),
        (Subject::Path(a), Subject::Path(b)) => work.paths(py, [&a, &b]),
        _ => Err(refused("compare two frames, or two paths")),
    }
}

/// Settings of a comparison.
struct Work {
    rule: Rule,
    tolerance: f32,
    draws: bool,
}

/// A picture with what names its cause.
struct Picture {
    compared: Compared,
    cause: Option<tintype_golden::record::Cause>,
    heat: Option<tintype::Frame>,
}

impl Work {
    fn frames(&self, py: Python<'_>, sides: [&Py<Frame>; 2]) -> PyResult<Diff> {
        let frames = sides.map(|frame| frame.get().copy(py));
        let picture = py.detach(|| {
            let compared = Compared::of_frames("frame", [&frames[0], &frames[1]], self.rule);
            let heat = self.heat(&compared, || Some(frames.clone()));
            Picture { compared, cause: None, heat }
        });
        gather(py, ExportDiff::default(), vec![picture], Vec::new())
    }

    fn paths(&self, py: Python<'_>, [a, b]: [&Path; 2]) -> PyResult<Diff> {
        let failed = |error: PictureDiffError| {
            raised_with(py, &error.to_string(), &[], error.is_temporary())
        };
        let are_folders = a.is_dir() && b.is_dir();
        let are_models = is_model(a) || is_model(b);
        let mut models = ExportDiff::default();
        if are_folders || are_models {
            let options = ExportOptions {
                load_options: LoadOptions::default(),
                tolerance: self.tolerance,
                draws: self.draws,
                most_joints: usize::MAX,
            };
            let found = py.detach(|| compare_exports(a, b, &options));
            models = found
                .map_err(|error| raised_with(py, &chain(&error), &[], error.is_temporary()))?;
        }
        if are_models && !are_folders {
            if let [ModelPair { error: Some(error), is_temporary, .. }] = models.models.as_slice() {
                return Err(raised_with(py, error, &[], *is_temporary));
            }
            return gather(py, models, Vec::new(), Vec::new());
        }
        let pairs = py.detach(|| Pairs::find(a, b)).map_err(failed)?;
        let mut pictures = Vec::with_capacity(pairs.list.len());
        for pair in &pairs.list {
            pictures.push(py.detach(|| self.picture(pair)));
            py.check_signals()?;
        }
        if let ([one], false) = (pictures.as_slice(), pairs.is_sequence)
            && one.compared.state == State::Unreadable
        {
            let Compared { message, is_temporary, .. } = &one.compared;
            return Err(raised_with(py, message, &[], *is_temporary));
        }
        let mut files = Vec::new();
        if are_folders {
            let is_other = |path: &Path| !models.has_file(path);
            let compare = || compare_files(a, b, &is_other, &LoadOptions::default());
            files = py.detach(compare).map_err(failed)?;
        }
        gather(py, models, pictures, files)
    }

    fn picture(&self, pair: &Pair) -> Picture {
        let compared = Compared::new(pair, self.rule, &PictureLimits::default());
        let cause = match (&pair.a, &pair.b, &compared.difference) {
            (Some(a), Some(b), Some(difference)) => cause_between(a, b, difference),
            _ => None,
        };
        let read = |path: &Option<PathBuf>| {
            decode_png(&read_regular(path.as_deref()?).ok()?).ok().map(|(frame, _)| frame)
        };
        let heat = self.heat(&compared, || Some([read(&pair.a)?, read(&pair.b)?]));
        Picture { compared, cause, heat }
    }

    /// FLIP of each pixel as a picture, if it is asked for.
    fn heat(
        &self,
        compared: &Compared,
        frames: impl Fn() -> Option<[tintype::Frame; 2]>,
    ) -> Option<tintype::Frame> {
        let is_shown = self.draws && matches!(compared.difference, Some(Difference::Pixels(_)));
        let [a, b] = is_shown.then(frames)??;
        let is_same_size = [a.width, a.height] == [b.width, b.height];
        let heat = Heat::that_holds(compared.largest_flip);
        is_same_size.then(|| heat_picture(&a, &b, &flip(&a, &b), heat))
    }
}

/// Python objects of all results.
fn gather(
    py: Python<'_>,
    models: ExportDiff,
    pictures: Vec<Picture>,
    files: Vec<ComparedFile>,
) -> PyResult<Diff> {
    let mut all = Diff {
        same: models.passes()
            && pictures.iter().all(|one| one.compared.passes())
            && files.iter().all(ComparedFile::passes),
        ..Diff::default()
    };
    for pair in models.models {
        all.causes.extend(cause_of_pair(&pair).map(|cause| Py::new(py, cause)).transpose()?);
        let model = model_diff(py, pair)?;
        for part in &model.parts {
            all.causes.extend(part.get().causes.iter().map(|cause| cause.clone_ref(py)));
        }
        all.models.push(Py::new(py, model)?);
    }
    for picture in pictures {
        all.causes.extend(cause_of_picture(&picture).map(|one| Py::new(py, one)).transpose()?);
        all.pictures.push(Py::new(py, picture_diff(py, picture)?)?);
    }
    for file in files {
        if !file.passes() {
            all.causes.push(Py::new(py, cause_of_file(&file))?);
        }
        let ComparedFile { name, state, sentences } = file;
        all.files.push(Py::new(py, FileDiff { name, state: state.word(), sentences })?);
    }
    Ok(all)
}

/// The difference of a model as a whole: new, gone, renamed or unreadable.
fn cause_of_pair(pair: &ModelPair) -> Option<Cause> {
    use tintype_compare::character::PairState;
    let (stage, text) = match (&pair.error, &pair.renamed_from, pair.state) {
        (Some(error), ..) => ("unreadable", error.clone()),
        (_, Some(from), _) => ("structure", format!("renamed from {from}")),
        (.., PairState::OnlyA) => ("missing", "the model is gone".to_owned()),
        (.., PairState::OnlyB) => ("missing", "the model is new".to_owned()),
        _ => return None,
    };
    let (subject, stage) = (pair.name.clone(), stage.to_owned());
    Some(Cause { subject, clip: None, stage, text, evidence: Vec::new() })
}

fn model_diff(py: Python<'_>, pair: ModelPair) -> PyResult<ModelDiff> {
    let ModelPair { name, state, renamed_from, error, notes, parts, .. } = pair;
    let parts = parts.into_iter().map(|part| Py::new(py, part_diff(py, &name, part)?));
    let parts = parts.collect::<PyResult<_>>()?;
    Ok(ModelDiff { parts, name, state: state.word(), renamed_from, error, notes })
}

fn part_diff(py: Python<'_>, subject: &str, part: Part) -> PyResult<PartDiff> {
    let causes = part.findings.iter().map(|finding| {
        let cause = Cause {
            subject: subject.to_owned(),
            clip: part.clip.clone(),
            stage: finding.stage.word().to_owned(),
            text: finding.text.clone(),
            evidence: Vec::new(),
        };
        Py::new(py, cause)
    });
    let joints = part.diff.iter().flat_map(|diff| &diff.joints).map(|joint| {
        let joint = JointDiff {
            name: joint.name.clone(),
            turned_deg: joint.turned_deg,
            moved: joint.moved,
            at_s: joint.at_s,
            followers: joint.followers,
        };
        Py::new(py, joint)
    });
    let (causes, joints) = (causes.collect::<PyResult<_>>()?, joints.collect::<PyResult<_>>()?);
    let mut frames = Vec::new();
    for frame in part.pictures.into_iter().flatten() {
        frames.push(Py::new(py, Frame::new(py, frame)?)?);
    }
    let mut frames = frames.into_iter();
    Ok(PartDiff {
        clip: part.clip,
        state: part.state.word(),
        causes,
        moments: part.diff.as_ref().map_or(0, |diff| diff.moments),
        farthest: part.diff.as_ref().map_or(0.0, tintype_compare::model_diff::ModelDiff::farthest),
        joints,
        before: frames.next(),
        after: frames.next(),
    })
}

fn cause_of_picture(picture: &Picture) -> Option<Cause> {
    let Picture { compared, cause, .. } = picture;
    if compared.passes() {
        return None;
    }
    let subject = compared.name.clone();
    if let Some(cause) = cause {
        let (stage, text) = (cause.stage.to_string(), cause.what.clone());
        return Some(Cause { subject, clip: None, stage, text, evidence: cause.evidence.clone() });
    }
    let stage = match compared.state {
        State::Size => "size",
        State::OnlyA | State::OnlyB => "missing",
        State::Unreadable => "unreadable",
        _ => "pixels",
    };
    let evidence = compared.provenance.iter().map(ToString::to_string).collect();
    let (stage, text) = (stage.to_owned(), compared.message.clone());
    Some(Cause { subject, clip: None, stage, text, evidence })
}

fn picture_diff(py: Python<'_>, picture: Picture) -> PyResult<PictureDiff> {
    let Picture { compared, heat, .. } = picture;
    let pixels = match compared.difference {
        Some(Difference::Pixels(pixels)) => Some(pixels),
        _ => None,
    };
    let heat = heat.map(|frame| Py::new(py, Frame::new(py, frame)?)).transpose()?;
    let area =
        |PixelDifference { low, high, .. }: PixelDifference| (low[0], low[1], high[0], high[1]);
    Ok(PictureDiff {
        state: compared.state.word(),
        pixels: pixels.map_or(0, |pixels| pixels.count),
        largest: pixels.map_or(0, |pixels| pixels.largest),
        r#box: pixels.map(area),
        flip: compared.flip.map(|mean| mean.all),
        ssim: compared.ssim.map(|mean| mean.all),
        name: compared.name,
        message: compared.message,
        heat,
    })
}

fn cause_of_file(file: &ComparedFile) -> Cause {
    use tintype_golden::picture_diff::FileState;
    let (stage, text) = match file.state {
        FileState::OnlyA => ("missing", "the file is gone".to_owned()),
        FileState::OnlyB => ("missing", "the file is new".to_owned()),
        FileState::Unreadable => ("unreadable", file.sentences.join("; ")),
        _ => ("content", file.sentences.first().cloned().unwrap_or_default()),
    };
    Cause {
        subject: file.name.clone(),
        clip: None,
        stage: stage.to_owned(),
        text,
        evidence: file.sentences.iter().skip(1).cloned().collect(),
    }
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

#[pymethods]
impl Diff {
    fn __str__(&self) -> String {
        match self.causes.as_slice() {
            [] => "the same".to_owned(),
            causes => causes.iter().map(|one| one.get().__str__()).collect::<Vec<_>>().join("\n"),
        }
    }

    fn __repr__(&self) -> String {
        match self.same {
            true => "<tintype.Diff: the same>".to_owned(),
            false => format!("<tintype.Diff: {} causes>\n{}", self.causes.len(), self.__str__()),
        }
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
