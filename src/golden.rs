//! Golden images of scenes and of models: tests, acceptance, and the page that compares them.

use super::builder::{FrameList, FrameNumber};
use super::{Error, ErrorKind, Frame};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tintype_base::diagnostic::{Diagnostic, chain};
use tintype_base::disk::read_regular_text;
use tintype_base::path::ShowPath;
use tintype_formats::LoadOptions;
use tintype_framing::Characters;
use tintype_golden::discover::read_scenes;
use tintype_golden::test_report::{GoldenReport, ReportOptions, TestRun, TestedScene, headline};
use tintype_golden::{BlessOptions, Checked, CheckedScene, GoldenError, GoldenScene, clash};
use tintype_model::Rule;
use tintype_render::asset::{self, Assets};
use tintype_scene::builder::ModelBuilder;
use tintype_scene::{
    ClipChoice, Day, Golden as GoldenTable, MissingLook, PoseRule, Scene, SceneBuilder,
    decide_said_clip, find_clip_name, parse_scene,
};

/// Frames a second of a scene of single moments: frame numbers are milliseconds.
const MILLISECONDS: f64 = 1000.0;

/// Golden images of scenes with their views, or of moments of a model.
///
/// ```no_run
/// use tintype::GoldenSet;
///
/// let set = GoldenSet::open(&["scenes"], None)?;
/// let tested = set.test();
/// for golden in tested.goldens.iter().filter(|golden| !golden.passes) {
///     println!("{}: {}", golden.path.display(), golden.headline);
/// }
/// assert!(tested.passes());
/// # Ok::<(), tintype::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct GoldenSet {
    scenes: Vec<GoldenScene>,
    frames: Option<Vec<i64>>,
}

/// One golden, compared with the picture of today.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Golden {
    /// Its file.
    pub path: PathBuf,
    /// Frame of its scene; of a model the moment in milliseconds.
    pub frame: Option<i64>,
    /// Whether it is as it was.
    pub passes: bool,
    /// The cause if it is known, else the difference.
    pub headline: String,
    /// Further lines: the difference, evidence, notes.
    pub details: Vec<String>,
    /// The golden picture, where it differs and can be read.
    pub golden: Option<Frame>,
    /// The picture of today, where it differs.
    pub live: Option<Frame>,
}

/// A golden set that was compared.
#[derive(Debug)]
pub struct GoldenTest {
    /// Each golden.
    pub goldens: Vec<Golden>,
    /// Missing textures, unknown joints and the like.
    pub warnings: Vec<Diagnostic>,
    /// Scenes that could not be drawn, a line each.
    pub errors: Vec<String>,
    tested: Vec<(GoldenScene, Result<CheckedScene, GoldenError>)>,
}

/// Moments of a model whose pictures are goldens.
#[derive(Clone, Debug)]
pub struct GoldenMoments {
    /// The file of the model.
    pub model: PathBuf,
    /// Name of the goldens.
    pub name: String,
    /// The clip; none for the bind pose.
    pub clip: Option<String>,
    /// Rising moments in milliseconds from the start of the clip.
    pub moments_ms: Vec<i64>,
    /// Files of clips, relative to the folder of the model; without them its clips are those of its file or beside it.
    pub clips: Vec<String>,
    /// Width and height of the pictures in pixels.
    pub size: [u32; 2],
    /// The folder of the goldens.
    pub folder: PathBuf,
}

fn failed(error: &GoldenError) -> Error {
    Error::of(ErrorKind::File, error).temporary(error.is_temporary())
}

impl GoldenSet {
    /// The goldens of scenes with a table `[golden]`, below folders or in single files. They lie in a folder `golden` beside the folder
    /// `scenes`; `golden` names another.
    ///
    /// # Errors
    /// [`ErrorKind::File`] if a folder or a scene cannot be read, or two scenes share a golden; [`ErrorKind::Name`] if no scene has goldens.
    pub fn open(paths: &[impl AsRef<Path>], golden: Option<&Path>) -> Result<Self, Error> {
        let paths: Vec<PathBuf> = paths.iter().map(|path| path.as_ref().to_owned()).collect();
        let found =
            read_scenes(&paths, golden, &LoadOptions::default()).map_err(|error| failed(&error))?;
        if let Some(bad) = found.bad.first() {
            return Err(failed(&bad.error));
        }
        if let Some(clash) = clash(&found.scenes) {
            return Err(Error::new(ErrorKind::File, clash.to_string()));
        }
        if found.scenes.is_empty() {
            let message = "no scene with a [golden] table was found";
            return Err(Error::new(ErrorKind::Name, message));
        }
        Ok(Self { scenes: found.scenes, frames: None })
    }

    /// Moments of a model. Its pictures and its poses are compared.
    ///
    /// # Errors
    /// [`ErrorKind::Scene`] if the moments do not rise, [`ErrorKind::File`] if a file is refused, [`ErrorKind::Name`] if there is no such
    /// clip.
    pub fn of_model(moments: GoldenMoments) -> Result<Self, Error> {
        let GoldenMoments { model, name, clip, moments_ms, clips, size, folder } = moments;
        let frames = FrameList::from_rising(moments_ms).ok_or_else(|| {
            let message = "times: expected rising moments, each at least a millisecond later";
            Error::new(ErrorKind::Scene, message)
        })?;
        let (mut scene, assets) = if clips.is_empty() {
            let found = Characters::new(LoadOptions::default()).load(&model);
            let found = found.map_err(|error| Error::of_character(&error))?;
            (found.scene, found.assets)
        } else {
            with_clips(&model, &clips)?
        };
        let choice = choose(&model, &assets, clip.as_deref())?;
        scene.output.fps = MILLISECONDS;
        scene.output.frames = frames.clone();
        scene.instances.iter_mut().for_each(|instance| instance.clip = choice);
        scene.golden = Some(exact(frames, size, Some(PoseRule::default())));
        let scene = GoldenScene::of_scene(scene, assets, [model, folder], Some(name));
        Ok(Self { scenes: vec![scene], frames: None })
    }

    /// Frames of one scene and its views. A scene with `[golden]` keeps its own goldens, of which `frames` selects some; of others `frames` is
    /// needed, and the goldens are in `folder`. `today` is the day by which known changes end, such as `2026-12-31`.
    ///
    /// # Errors
    /// [`ErrorKind::Scene`] if the scene has mistakes, [`ErrorKind::Name`] if it lacks a frame, [`ErrorKind::File`] if a file is refused.
    pub fn of_scene(
        path: &Path,
        frames: Option<&str>,
        today: &str,
        folder: &Path,
    ) -> Result<Self, Error> {
        let text = read_regular_text(path).map_err(|error| Error::of_io(path, &error))?;
        let mut scene =
            parse_scene(&text, &path.shown()).map_err(|errors| Error::of_scene(&errors))?;
        let frames = frames.map(FrameList::parse).transpose();
        let frames =
            frames.map_err(|error| Error::new(ErrorKind::Scene, format!("frames: {error}")))?;
        let check = |all: &FrameList, of: &str| {
            let missing = frames.iter().flat_map(FrameList::iter).find(|one| !all.contains(*one));
            missing.map_or(Ok(()), |frame| {
                let message = format!("frames: {of} has no frame {frame}");
                Err(Error::new(ErrorKind::Name, message))
            })
        };
        let golden = match (&scene.golden, &frames) {
            (Some(own), _) => {
                check(&own.frames, "[golden] of the scene")?;
                let mut golden = GoldenScene::read(path, None).map_err(|error| failed(&error))?;
                golden.today = Day::parse(today);
                golden
            }
            (None, Some(wanted)) => {
                check(&scene.output.frames, "the scene")?;
                let parent = path.parent().unwrap_or(Path::new(""));
                scene.missing = Some(MissingLook::Checker);
                let assets = asset::load(&scene, parent, &LoadOptions::default());
                let assets = Arc::new(assets.map_err(|error| Error::of_asset(&error))?);
                scene.golden = Some(exact(wanted.clone(), scene.output.size, None));
                let paths = [path.to_owned(), folder.to_owned()];
                GoldenScene::of_scene(scene, assets, paths, None)
            }
            (None, None) => {
                let message = "the scene has no table [golden]: give frames=\"0,12\"";
                let message = format!("{}: {message}", path.shown());
                return Err(Error::new(ErrorKind::Name, message));
            }
        };
        Ok(Self { scenes: golden.with_views(), frames: None })
    }

    /// The same set, of which only some frames are compared and accepted.
    #[must_use]
    pub fn only(&self, frames: Vec<i64>) -> Self {
        Self { scenes: self.scenes.clone(), frames: Some(frames) }
    }

    fn wants(&self, frame: FrameNumber) -> bool {
        self.frames.as_ref().is_none_or(|frames| frames.contains(&frame.0))
    }

    /// Draws each golden anew and compares it. Nothing is written.
    #[must_use]
    pub fn test(&self) -> GoldenTest {
        let mut test = GoldenTest {
            goldens: Vec::new(),
            warnings: Vec::new(),
            errors: Vec::new(),
            tested: Vec::new(),
        };
        for scene in &self.scenes {
            let checked = scene.check(|frame| self.wants(frame));
            match &checked {
                Ok(checked) => {
                    test.goldens.extend(checked.goldens.iter().map(golden));
                    test.warnings.extend(checked.warnings.iter().cloned());
                }
                Err(error) => test.errors.push(chain(error)),
            }
            test.tested.push((scene.clone(), checked));
        }
        test
    }

    /// Accepts the pictures of today that differ or are missing; the files that were written.
    ///
    /// # Errors
    /// [`ErrorKind::Draw`] if a picture is refused: nothing is seen in it, or something stands in for a missing texture;
    /// [`ErrorKind::Write`] if a file cannot be written.
    pub fn bless(&self) -> Result<Vec<PathBuf>, Error> {
        let mut written = Vec::new();
        for scene in &self.scenes {
            let is_wanted = |path: &Path| {
                self.frames.as_ref().is_none_or(|frames| {
                    frames.iter().any(|&frame| scene.file(frame.into()) == path)
                })
            };
            let blessed = scene.bless(is_wanted, |_| true, BlessOptions::default());
            let blessed = blessed.map_err(|error| failed(&error))?;
            written.extend(blessed.accepted.into_iter().map(|one| one.path));
            if let Some(refused) = blessed.refused.first() {
                let first = format!("{}: {}", refused.path.shown(), refused.refusal);
                let told = blessed.warnings.iter().map(ToString::to_string);
                let lines: Vec<String> = std::iter::once(first).chain(told).collect();
                return Err(Error::new(ErrorKind::Draw, lines.join("\n")));
            }
        }
        Ok(written)
    }
}

impl GoldenTest {
    /// Whether every golden is as it was, and every scene could be drawn.
    #[must_use]
    pub fn passes(&self) -> bool {
        self.errors.is_empty() && self.goldens.iter().all(|golden| golden.passes)
    }
}

/// Writes the page that compares the pictures, `index.html`, into a folder. Each test comes with the command that accepts its pictures.
///
/// # Errors
/// [`ErrorKind::Write`] if a file cannot be written, or a page of another program is there.
pub fn write_golden_report(tests: Vec<(GoldenTest, String)>, folder: &Path) -> Result<(), Error> {
    let (mut scenes, mut results, mut commands) = (Vec::new(), Vec::new(), Vec::new());
    for (test, command) in tests {
        for (scene, result) in test.tested {
            scenes.push(scene);
            results.push(result);
            commands.push(command.clone());
        }
    }
    let tested: Vec<TestedScene<'_>> = scenes
        .iter()
        .zip(results)
        .map(|(scene, result)| TestedScene { scene, result, seconds: None })
        .collect();
    let run = TestRun { tested: &tested, bad: &[], stray: &[] };
    let options = ReportOptions { folder: Some(folder.to_owned()), ..ReportOptions::default() };
    let mut written = GoldenReport::new(run, &options, |_, _| false);
    accept_by(&mut written.report, &commands);
    written
        .write(folder)
        .map_err(|error| Error::of(ErrorKind::Write, &error).temporary(error.is_temporary()))
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

fn golden(one: &Checked) -> Golden {
    let mut details = Vec::new();
    if let Some(cause) = &one.cause {
        details.push(one.verdict.to_string());
        details.extend(cause.evidence.iter().cloned());
    }
    details.extend(one.notes.iter().cloned());
    Golden {
        path: one.path.clone(),
        frame: one.frame,
        passes: one.verdict.passes(),
        headline: headline(one),
        details,
        golden: one.golden.clone().map(Frame),
        live: one.live.clone().map(Frame),
    }
}

/// A model with clips of other files.
fn with_clips(model: &Path, clips: &[String]) -> Result<(Scene, Arc<Assets>), Error> {
    let file = model.file_name().unwrap_or_default().to_string_lossy();
    let entry = ModelBuilder::new(file.as_ref()).name("model");
    let entry = clips.iter().fold(entry, |entry, clip| entry.clip(clip.as_str()));
    let scene = SceneBuilder::new().model(entry).build(&file);
    let mut scene = scene.map_err(|errors| Error::of_scene(&errors))?;
    scene.missing = Some(MissingLook::Checker);
    let folder = model.parent().unwrap_or(Path::new(""));
    let assets = asset::load(&scene, folder, &LoadOptions::default());
    Ok((scene, Arc::new(assets.map_err(|error| Error::of_asset(&error))?)))
}

/// The clip of that name; the bind pose without one.
fn choose(model: &Path, assets: &Assets, clip: Option<&str>) -> Result<ClipChoice, Error> {
    let clips = assets.models.iter().flat_map(|model| &model.clips);
    let names: Vec<&str> = clips.map(|one| one.name.as_str()).collect();
    let find = |clip: &str| {
        let index = find_clip_name(clip, &names).map(ClipChoice::Clip);
        index.ok_or_else(|| Error::of_unknown_clip(model, clip, &names))
    };
    Ok(decide_said_clip(clip.map(find).transpose()?, ClipChoice::Bind))
}

/// Goldens that hold exactly.
fn exact(frames: FrameList, size: [u32; 2], pose: Option<PoseRule>) -> GoldenTable {
    GoldenTable { frames, size, rule: Rule::Exact, pose, pictures: true, known: Vec::new() }
}
