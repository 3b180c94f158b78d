//! Golden images of models and scenes for tests: comparison, acceptance, and one report of a session.

use crate::diagnostic::{Diagnostic, raised, raised_with};
use crate::frame::Frame;
use crate::model::refused;
use pyo3::prelude::*;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use tintype::builder::ModelBuilder;
use tintype::{Assets, FrameList, LoadOptions, SceneBuilder, load_assets, parse_scene};
use tintype_framing::Characters;
use tintype_golden::test_report::{GoldenReport, ReportOptions, TestRun, TestedScene, headline};
use tintype_golden::{BlessOptions, Checked, CheckedScene, GoldenError, GoldenScene};
use tintype_model::Rule;
use tintype_model::diagnostic::chain;
use tintype_scene::{ClipChoice, Day, Golden as GoldenTable, PoseRule, nearest_word};

/// Frames a second of a scene of single moments: frame numbers are milliseconds.
const MILLISECONDS: f64 = 1000.0;

/// One golden, compared with the picture of today.
#[pyclass(frozen, get_all, module = "tintype")]
pub(crate) struct Golden {
    /// Its file.
    path: PathBuf,
    /// Frame of its scene; of a model the moment in milliseconds.
    frame: Option<i64>,
    /// Whether it is as it was.
    passes: bool,
    /// The cause if it is known, else the difference.
    headline: String,
    /// Further lines: the difference, evidence, notes.
    details: Vec<String>,
    /// The golden picture, where it differs and can be read.
    golden: Option<Py<Frame>>,
    /// The picture of today, where it differs.
    live: Option<Py<Frame>>,
}

/// A set of goldens of a test: a scene with its views, or moments of a model.
#[pyclass(frozen, module = "tintype")]
pub(crate) struct GoldenSet {
    scenes: Vec<GoldenScene>,
}

/// Results of a session, for its report.
#[pyclass(frozen, module = "tintype")]
#[derive(Default)]
pub(crate) struct GoldenSession {
    tested: Mutex<Vec<Tested>>,
}

/// A scene, its goldens or why none could be checked, and the words that accept them.
type Tested = (GoldenScene, Result<CheckedScene, GoldenError>, String);

#[pymethods]
impl GoldenSet {
    /// Moments of a model, in milliseconds from the start of a clip; without a clip its bind pose. `clips` are files relative to the
    /// folder of the model; without them its clips are those of its file or beside it. Goldens are in `folder`.
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
        let frames = FrameList::from_rising(moments_ms).ok_or_else(|| {
            refused("times: expected rising moments, each at least a millisecond later")
        })?;
        let (mut scene, assets) = match clips.is_empty() {
            true => {
                let loaded = py.detach(|| Characters::new(LoadOptions::default()).load(&model));
                let found = loaded
                    .map_err(|error| raised_with(py, &error.message, &[], error.is_temporary))?;
                (found.scene, found.assets)
            }
            false => with_clips(py, &model, &clips)?,
        };
        let choice = choose(&model, &assets, clip.as_deref())?;
        scene.output.fps = MILLISECONDS;
        scene.output.frames = frames.clone();
        scene.instances.iter_mut().for_each(|instance| instance.clip = choice);
        scene.golden = Some(exact(frames, size.into(), Some(PoseRule::default())));
        let scene = GoldenScene::of_scene(scene, assets, [model, folder], Some(name));
        Ok(Self { scenes: vec![scene] })
    }

    /// Frames of a scene and its views. A scene with `[golden]` keeps its own goldens, of which `frames` selects some; of others
    /// `frames` is needed, and the goldens are in `folder`.
    #[staticmethod]
    fn of_scene(
        py: Python<'_>,
        path: PathBuf,
        frames: Option<&str>,
        today: &str,
        folder: PathBuf,
    ) -> PyResult<Self> {
        let text = std::fs::read_to_string(&path)
            .map_err(|source| raised(py, &tintype::Error::File { path: path.clone(), source }))?;
        let mut scene = parse_scene(&text, &path.display().to_string())
            .map_err(|errors| raised(py, &tintype::Error::Scene(errors)))?;
        let frames = frames.map(FrameList::parse).transpose();
        let frames = frames.map_err(|error| refused(format!("frames: {error}")))?;
        let unknown = |all: &FrameList, of: &str| {
            let missing = frames.iter().flat_map(FrameList::iter).find(|one| !all.contains(*one));
            missing.map(|frame| refused(format!("frames: {of} has no frame {frame}")))
        };
        let golden = match (&scene.golden, &frames) {
            (Some(own), _) => {
                if let Some(error) = unknown(&own.frames, "[golden] of the scene") {
                    return Err(error);
                }
                let failed = |error: &GoldenError| raised_with(py, &chain(error), &[], false);
                let mut golden = GoldenScene::read(&path, None).map_err(|error| failed(&error))?;
                golden.today = Day::parse(today);
                golden
            }
            (None, Some(wanted)) => {
                if let Some(error) = unknown(&scene.output.frames, "the scene") {
                    return Err(error);
                }
                let parent = path.parent().unwrap_or(Path::new(""));
                let assets = py.detach(|| load_assets(&scene, parent, &LoadOptions::default()));
                let assets = Arc::new(assets.map_err(|error| raised(py, &error))?);
                scene.golden = Some(exact(wanted.clone(), scene.output.size, None));
                GoldenScene::of_scene(scene, assets, [path, folder], None)
            }
            (None, None) => {
                let message = "the scene has no table [golden]: give frames=\"0,12\"";
                return Err(refused(format!("{}: {message}", path.display())));
            }
        };
        Ok(Self { scenes: golden.with_views() })
    }

    /// Accepts the pictures of today that differ or are missing, and returns the files that were written.
    #[pyo3(signature = (frames=None))]
    fn bless(&self, py: Python<'_>, frames: Option<Vec<i64>>) -> PyResult<Vec<PathBuf>> {
        let mut written = Vec::new();
        for scene in &self.scenes {
            let is_wanted = |path: &Path| selects(scene, frames.as_deref(), path);
            let blessed = py.detach(|| scene.bless(is_wanted, |_| true, BlessOptions::default()));
            let blessed = blessed.map_err(|error| raised_with(py, &chain(&error), &[], false))?;
            written.extend(blessed.accepted.into_iter().map(|one| one.path));
            if let Some(refused) = blessed.refused.first() {
                let path = refused.path.display();
                let told: Vec<String> = blessed.warnings.iter().map(ToString::to_string).collect();
                let message = [vec![format!("{path}: {}", refused.refusal)], told].concat();
                return Err(raised_with(py, &message.join("\n"), &[], false));
            }
        }
        Ok(written)
    }
}

/// Whether a golden of a scene has one of these frames.
fn selects(scene: &GoldenScene, frames: Option<&[i64]>, path: &Path) -> bool {
    let Some(frames) = frames else { return true };
    frames.iter().any(|&frame| scene.file(frame.into()) == path)
}

#[pymethods]
impl GoldenSession {
    #[new]
    fn new() -> Self {
        Self::default()
    }

    /// Compares the goldens of a set, and keeps the results for the report; `accept` is the command that accepts them. Returns the
    /// goldens and the warnings.
    #[pyo3(signature = (set, accept, frames=None))]
    fn check(
        &self,
        py: Python<'_>,
        set: Py<GoldenSet>,
        accept: &str,
        frames: Option<Vec<i64>>,
    ) -> PyResult<(Vec<Golden>, Vec<Diagnostic>)> {
        let (mut goldens, mut warnings) = (Vec::new(), Vec::new());
        for scene in &set.get().scenes {
            let is_wanted = |frame: tintype::FrameNumber| {
                frames.as_ref().is_none_or(|frames| frames.contains(&frame.0))
            };
            let checked = py.detach(|| scene.check(is_wanted));
            let failed = checked.as_ref().err().map(|error| chain(error));
            if let Ok(checked) = &checked {
                for one in &checked.goldens {
                    goldens.push(golden(py, one)?);
                }
                warnings.extend(checked.warnings.iter().map(Diagnostic::from));
            }
            if let Ok(mut tested) = self.tested.lock() {
                tested.push((scene.clone(), checked, accept.to_owned()));
            }
            if let Some(message) = failed {
                return Err(raised_with(py, &message, &[], false));
            }
        }
        Ok((goldens, warnings))
    }

    /// Writes the page that compares the pictures, `index.html`, into a folder, and forgets the results.
    fn write_report(&self, py: Python<'_>, folder: PathBuf) -> PyResult<()> {
        let taken = match self.tested.lock() {
            Ok(mut tested) => std::mem::take(&mut *tested),
            Err(_) => Vec::new(),
        };
        let (mut scenes, mut results, mut commands) = (Vec::new(), Vec::new(), Vec::new());
        for (scene, result, command) in taken {
            scenes.push(scene);
            results.push(result);
            commands.push(command);
        }
        let tested = scenes.iter().zip(results);
        let tested: Vec<TestedScene<'_>> =
            tested.map(|(scene, result)| TestedScene { scene, result, seconds: None }).collect();
        let run = TestRun { tested: &tested, bad: &[], stray: &[] };
        let options = ReportOptions { folder: Some(folder.clone()), ..ReportOptions::default() };
        let write = || {
            let mut written = GoldenReport::new(run, &options, |_, _| false);
            accept_by(&mut written.report, &commands);
            written.write(&folder)
        };
        py.detach(write).map_err(|error| raised_with(py, &chain(&error), &[], error.is_temporary()))
    }
}

/// Replaces the commands of `tintype bless` by those of the tests; scenes are in the order of the commands.
fn accept_by(report: &mut tintype_golden::report::Report, commands: &[String]) {
    for (scene, command) in report.scenes.iter_mut().zip(commands) {
        let accepts = scene.frames.iter_mut().filter_map(|entry| entry.accept.as_mut());
        accepts.for_each(|accept| accept.clone_from(command));
        scene.accept.iter_mut().for_each(|accept| accept.clone_from(command));
    }
    for group in &mut report.groups {
        let mut all: Vec<&str> = Vec::new();
        for [scene, _] in &group.entries {
            let command = commands.get(*scene).map_or("", String::as_str);
            if !all.contains(&command) {
                all.push(command);
            }
        }
        group.accept = Some(all.join("; "));
    }
}

fn golden(py: Python<'_>, one: &Checked) -> PyResult<Golden> {
    let frame = |frame: &Option<tintype::Frame>| {
        frame.clone().map(|frame| Py::new(py, Frame::new(py, frame)?)).transpose()
    };
    let mut details = Vec::new();
    if let Some(cause) = &one.cause {
        details.push(one.verdict.to_string());
        details.extend(cause.evidence.iter().cloned());
    }
    details.extend(one.notes.iter().cloned());
    Ok(Golden {
        path: one.path.clone(),
        frame: one.frame,
        passes: one.verdict.passes(),
        headline: headline(one),
        details,
        golden: frame(&one.golden)?,
        live: frame(&one.live)?,
    })
}

/// A model with clips of other files.
fn with_clips(
    py: Python<'_>,
    model: &Path,
    clips: &[String],
) -> PyResult<(tintype::Scene, Arc<Assets>)> {
    let file = model.file_name().unwrap_or_default().to_string_lossy();
    let entry = ModelBuilder::new(file.as_ref()).name("model");
    let entry = clips.iter().fold(entry, |entry, clip| entry.clip(clip.as_str()));
    let load = || -> Result<_, tintype::Error> {
        let scene = SceneBuilder::new().model(entry).build(&file)?;
        let folder = model.parent().unwrap_or(Path::new(""));
        let assets = load_assets(&scene, folder, &LoadOptions::default())?;
        Ok((scene, Arc::new(assets)))
    };
    py.detach(load).map_err(|error| raised(py, &error))
}

/// The clip of that name; the bind pose without one.
fn choose(model: &Path, assets: &Assets, clip: Option<&str>) -> PyResult<ClipChoice> {
    let Some(clip) = clip else { return Ok(ClipChoice::Bind) };
    let names = || assets.models.iter().flat_map(|model| &model.clips).map(|one| one.name.as_str());
    if let Some(index) = names().position(|name| name == clip) {
        return Ok(ClipChoice::Clip(index));
    }
    let near = nearest_word(clip, names());
    let near = near.map_or_else(String::new, |near| format!("; did you mean {near:?}?"));
    let all: Vec<&str> = names().collect();
    let model = model.display();
    Err(refused(format!("{model}: no clip {clip:?}; the clips are: {}{near}", all.join(", "))))
}

/// Goldens that hold exactly.
fn exact(frames: FrameList, size: [u32; 2], pose: Option<PoseRule>) -> GoldenTable {
    GoldenTable { frames, size, rule: Rule::Exact, pose, pictures: true, known: Vec::new() }
}
