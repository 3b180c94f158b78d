//! Golden images of scenes and of models: tests, acceptance, and the comparison page.

use super::builder::{FrameList, FrameNumber};
use super::{Error, ErrorKind, Frame};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::slice;
use std::sync::Arc;
use tintype_base::diagnostic::{Diagnostic, chain};
use tintype_base::disk::read_regular_text;
use tintype_base::path::ShowPath;
use tintype_base::suggest::nearest_word;
use tintype_formats::LoadOptions;
use tintype_framing::Characters;
use tintype_golden::discover::{BadScene, read_scenes};
use tintype_golden::run::{AcceptError, Suite, TestedScene};
use tintype_golden::selection::Patterns;
use tintype_golden::test_report::{GoldenReport, ReportError, ReportOptions, headline, short_name};
use tintype_golden::{
    BlessOptions, Checked, Discovery, GoldenError, GoldenScene, StrayFiles, clash, find_moves,
    unused_parts,
};
use tintype_model::Rule;

pub use tintype_golden::record_words as golden_record_text;
pub use tintype_golden::report::Status as GoldenState;
pub use tintype_golden::run::Counts as GoldenCounts;
use tintype_render::asset::{self, Assets};
use tintype_scene::{
    ClipChoice, Day, Golden as GoldenTable, MissingLook, PoseRule, decide_said_clip,
    find_clip_name, parse_scene,
};

/// Frames per second of a scene of single times: frame numbers are milliseconds.
const MILLISECONDS: f64 = 1000.0;

/// Golden images of scenes with their views, or of a model at several times.
///
/// ```no_run
/// use tintype::GoldenSet;
///
/// let set = GoldenSet::open(&["scenes"], None)?;
/// let run = set.test();
/// for group in run.groups() {
///     println!("{} goldens fail: {}", group.goldens.len(), group.cause);
/// }
/// run.write_report("out/report")?;
/// assert!(run.passed());
/// # Ok::<(), tintype::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct GoldenSet {
    scenes: Vec<GoldenScene>,
    frames: Option<Vec<i64>>,
    patterns: Option<Patterns>,
    searched: Searched,
}

/// Places that were searched for the scenes of a set; empty for a set made in memory.
#[derive(Clone, Debug, Default)]
struct Searched {
    paths: Vec<PathBuf>,
    golden: Option<PathBuf>,
    folders: Vec<PathBuf>,
    others: Vec<PathBuf>,
}

/// One golden, compared with the current picture.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Golden {
    /// Its file.
    pub path: PathBuf,
    /// Frame of its scene; for a model, the time in milliseconds.
    pub frame: Option<i64>,
    /// The result of the comparison.
    pub state: GoldenState,
    /// The cause if it is known, otherwise the difference.
    pub headline: String,
    /// Further lines: the difference, evidence, notes.
    pub details: Vec<String>,
    /// The golden picture, where it differs and can be read.
    pub golden: Option<Frame>,
    /// The current picture, where it differs.
    pub live: Option<Frame>,
}

/// Results of a golden test: the scenes, the failures grouped by cause, and the report.
#[derive(Debug)]
pub struct TestRun {
    /// The scenes, each followed by its views.
    pub scenes: Vec<SceneTest>,
    /// Goldens that do not belong to any scene.
    pub stray: Vec<Golden>,
    run: tintype_golden::TestRun,
    options: ReportOptions,
}

/// A scene of a [`TestRun`].
#[derive(Debug)]
#[non_exhaustive]
pub struct SceneTest {
    /// Its path below a folder `scenes`, or the name of its file; for a view, followed by the name
    /// of the view.
    pub name: String,
    /// Its file, or the file of its model.
    pub path: PathBuf,
    /// Its goldens, by frame.
    pub goldens: Vec<Golden>,
    /// Warnings, such as missing textures and unknown joints.
    pub warnings: Vec<Diagnostic>,
    /// The reason, if the scene could not be drawn.
    pub error: Option<String>,
}

/// Goldens of a [`TestRun`] that fail for the same cause.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct CauseGroup {
    /// The cause in one line, as named by the first of them.
    pub cause: String,
    /// For each golden, the index of its scene in [`TestRun::scenes`] and its index in
    /// [`SceneTest::goldens`].
    pub goldens: Vec<[usize; 2]>,
}

/// The acceptance of one golden of a [`TestRun`]: the written files, and the bytes that they
/// replaced.
#[derive(Debug)]
pub struct Acceptance(tintype_golden::run::Acceptance);

impl Acceptance {
    /// The files that were written.
    pub fn files(&self) -> impl Iterator<Item = &Path> {
        self.0.files()
    }

    /// Restores the replaced files.
    ///
    /// # Errors
    /// [`ErrorKind::Write`] if a file cannot be written, or has changed since.
    pub fn undo(&self) -> Result<(), Error> {
        self.0.undo().map_err(|message| Error::new(ErrorKind::Write, message))
    }
}

/// Times of a model whose pictures are goldens.
#[derive(Clone, Debug)]
pub struct GoldenMoments {
    /// The file of the model.
    pub model: PathBuf,
    /// Name of the goldens.
    pub name: String,
    /// The clip. None for the bind pose.
    pub clip: Option<String>,
    /// Increasing times in milliseconds from the start of the clip.
    pub moments_ms: Vec<i64>,
    /// Files of clips, relative to the folder of the model. If empty, the clips come from the model
    /// file or from files beside it.
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
    /// Opens the goldens of scenes with a table `[golden]`, in folders or in single files. Goldens
    /// are in a folder `golden` beside the folder `scenes`; the argument `golden` names another.
    ///
    /// # Errors
    /// [`ErrorKind::File`] if a folder or a scene cannot be read, or two scenes use the same
    /// golden; [`ErrorKind::Name`] if no scene has goldens.
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
        let Discovery { scenes, folders, others, .. } = found;
        let golden = golden.map(Path::to_path_buf);
        let searched = Searched { paths, golden, folders, others };
        Ok(Self { searched, ..Self::of(scenes) })
    }

    /// Opens goldens of a model at several times. Its pictures and its poses are compared.
    ///
    /// # Errors
    /// [`ErrorKind::Scene`] if the times do not increase, [`ErrorKind::File`] if a file is invalid,
    /// [`ErrorKind::Name`] if the clip does not exist.
    pub fn of_model(moments: GoldenMoments) -> Result<Self, Error> {
        let GoldenMoments { model, name, clip, moments_ms, clips, size, folder } = moments;
        let frames = FrameList::from_rising(moments_ms).ok_or_else(|| {
            let message = "times: expected increasing times, at least a millisecond apart";
            Error::new(ErrorKind::Scene, message)
        })?;
        let parent = model.parent().unwrap_or(Path::new(""));
        let clips: Vec<PathBuf> = clips.iter().map(|clip| parent.join(clip)).collect();
        let clips = (!clips.is_empty()).then_some(clips.as_slice());
        let found = Characters::new(LoadOptions::default()).load_with(&model, clips);
        let found = found.map_err(|error| Error::of_character(&error))?;
        let (mut scene, assets) = (found.scene, found.assets);
        let choice = choose(&model, &assets, clip.as_deref())?;
        scene.output.fps = MILLISECONDS;
        scene.output.frames = frames.clone();
        scene.instances.iter_mut().for_each(|instance| instance.clip = choice);
        scene.golden = Some(exact(frames, size, Some(PoseRule::default())));
        let scene = GoldenScene::of_scene(scene, assets, [model, folder], Some(name));
        Ok(Self::of(vec![scene]))
    }

    /// Opens frames of one scene and its views. A scene with `[golden]` keeps its goldens, and
    /// `frames` selects some of them; other scenes require `frames`, and their goldens are in
    /// `folder`. `today` is the date against which the end of known changes is checked, such as
    /// `2026-12-31`.
    ///
    /// # Errors
    /// [`ErrorKind::Scene`] if the scene has mistakes, [`ErrorKind::Name`] if it lacks a frame,
    /// [`ErrorKind::File`] if a file is invalid.
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
                let message = "the scene has no [golden] table: pass frames=\"0,12\"";
                let message = format!("{}: {message}", path.shown());
                return Err(Error::new(ErrorKind::Name, message));
            }
        };
        Ok(Self::of(golden.with_views()))
    }

    fn of(scenes: Vec<GoldenScene>) -> Self {
        Self { scenes, frames: None, patterns: None, searched: Searched::default() }
    }

    /// Restricts the set to some frames, which alone are compared and accepted.
    #[must_use]
    pub fn only(&self, frames: Vec<i64>) -> Self {
        Self { frames: Some(frames), ..self.clone() }
    }

    /// Restricts the set to the goldens that a text selects by their path or the path of their
    /// scene, which alone are compared and accepted: a whole path selects itself, a pattern with
    /// `*` or `?` its matches, any other text the paths that contain it.
    ///
    /// # Errors
    /// [`ErrorKind::Name`] if it selects none.
    pub fn select(&self, text: &str) -> Result<Self, Error> {
        let files = self.scenes.iter().map(|scene| scene.path.as_path());
        let patterns = Some(Patterns::new(&[text.to_owned()], &self.scenes, files));
        let mut own = Self { patterns, ..self.clone() };
        let is_wanted =
            |scene: &GoldenScene| scene.frames().into_iter().any(|frame| own.wants(scene, frame));
        own.scenes = own.scenes.iter().filter(|scene| is_wanted(scene)).cloned().collect();
        if own.scenes.is_empty() {
            let message = format!("no scene or golden has {text:?} in its path");
            return Err(Error::new(ErrorKind::Name, message));
        }
        Ok(own)
    }

    fn wants(&self, scene: &GoldenScene, frame: FrameNumber) -> bool {
        self.frames.as_ref().is_none_or(|frames| frames.contains(&frame.0))
            && self.patterns.as_ref().is_none_or(|patterns| patterns.want(scene, frame))
    }

    /// True if every golden of the searched places is part of the set.
    fn is_whole(&self) -> bool {
        self.frames.is_none() && self.patterns.is_none() && !self.searched.paths.is_empty()
    }

    /// The scenes and other files in the searched places.
    fn found(&self) -> Discovery {
        let Searched { folders, others, .. } = self.searched.clone();
        Discovery { scenes: self.scenes.clone(), folders, others, ..Discovery::default() }
    }

    /// Redraws each golden and compares it, with scenes in parallel. Nothing is written. If all
    /// frames of whole folders are compared, goldens without a scene fail too.
    #[must_use]
    pub fn test(&self) -> TestRun {
        let Searched { paths, golden, .. } = self.searched.clone();
        let suite = if self.is_whole() {
            Suite::new(&paths, golden.as_deref(), self.found()).unwrap_or_else(|error| Suite {
                scenes: self.scenes.clone(),
                bad: vec![BadScene { path: paths.first().cloned().unwrap_or_default(), error }],
                ..Suite::default()
            })
        } else {
            Suite { scenes: self.scenes.clone(), ..Suite::default() }
        };
        let run = suite.test(&|scene, frame| self.wants(scene, frame), false, None);
        let bad = run.bad.iter().map(|bad| SceneTest {
            name: bad.path.shown(),
            path: bad.path.clone(),
            goldens: Vec::new(),
            warnings: Vec::new(),
            error: Some(chain(&bad.error)),
        });
        TestRun {
            scenes: run.tested.iter().map(SceneTest::of).chain(bad).collect(),
            stray: run.stray.iter().map(self::golden).collect(),
            options: ReportOptions { paths, golden, ..ReportOptions::default() },
            run,
        }
    }

    /// Accepts the current pictures that differ or are missing, and returns the written files.
    ///
    /// # Errors
    /// [`ErrorKind::Draw`] if a picture is refused because it is empty or a missing texture was
    /// replaced; [`ErrorKind::Write`] if a file cannot be written.
    pub fn bless(&self) -> Result<Vec<PathBuf>, Error> {
        let mut written = Vec::new();
        for scene in &self.scenes {
            let frames = scene.frames().into_iter().filter(|&frame| self.wants(scene, frame));
            let wanted: BTreeSet<PathBuf> = frames.map(|frame| scene.file(frame)).collect();
            let is_wanted = |path: &Path| wanted.contains(path);
            let blessed = scene.bless(is_wanted, |_| true, BlessOptions::default());
            let blessed = blessed.map_err(|error| failed(&error))?;
            written.extend(blessed.accepted.into_iter().map(|one| one.path));
            if let Some(refused) = blessed.refused.first() {
                let first = format!("{}: {}", refused.path.shown(), refused.refusal);
                let told = blessed.warnings.iter().map(ToString::to_string);
                let lines: Vec<String> = std::iter::once(first).chain(told).collect();
                return Err(Error::new(ErrorKind::Draw, lines.join("\n")));
            }
            // In a folder with a single scene, no other scene needs the parts of records that were
            // replaced.
            let scenes = if scene.root == scene.folder { slice::from_ref(scene) } else { &[] };
            for part in unused_parts(scenes, &[]).map_err(|error| failed(&error))? {
                std::fs::remove_file(&part).map_err(|error| Error::of_io(&part, &error))?;
            }
        }
        Ok(written)
    }
}

impl GoldenSet {
    /// Deletes the goldens without a scene in the folders that the set was opened with, and returns
    /// their files. Nothing is deleted for other sets.
    ///
    /// # Errors
    /// [`ErrorKind::File`] if a folder cannot be read or a file cannot be deleted.
    pub fn prune(&self) -> Result<Vec<PathBuf>, Error> {
        let Searched { paths, golden, .. } = &self.searched;
        let stray = StrayFiles::find(paths, golden.as_deref(), &self.found());
        let files: Vec<PathBuf> =
            stray.map_err(|error| failed(&error))?.paths().map(Path::to_owned).collect();
        for file in &files {
            std::fs::remove_file(file).map_err(|error| Error::of_io(file, &error))?;
        }
        Ok(files)
    }

    /// Moves the goldens of scenes that were renamed or moved, as recognized by their pixels, and
    /// returns each file's path before and after.
    ///
    /// # Errors
    /// [`ErrorKind::File`] if a folder cannot be read, a scene cannot be drawn, or a file cannot be
    /// moved.
    pub fn move_goldens(&self) -> Result<Vec<[PathBuf; 2]>, Error> {
        let Searched { paths, golden, .. } = &self.searched;
        let moves = find_moves(paths, golden.as_deref(), &mut self.found());
        let mut moved = Vec::new();
        for one in moves.map_err(|error| failed(&error))? {
            one.apply().map_err(|error| Error::of_io(&one.folders[0], &error))?;
            moved.extend(one.files);
        }
        Ok(moved)
    }
}

impl Golden {
    /// True if it is unchanged, or within the bound that its scene allows.
    #[must_use]
    pub fn passes(&self) -> bool {
        self.state.passes()
    }
}

impl SceneTest {
    fn of(tested: &TestedScene) -> Self {
        let TestedScene { scene, result, .. } = tested;
        Self {
            name: short_name(scene),
            path: scene.path.clone(),
            goldens: tested.goldens().iter().map(golden).collect(),
            warnings: result.as_ref().map_or(Vec::new(), |own| own.warnings.clone()),
            error: result.as_ref().err().map(|error| chain(error)),
        }
    }
}

impl TestRun {
    /// True if every golden is unchanged, every scene could be drawn, and no golden lacks a scene.
    #[must_use]
    pub fn passed(&self) -> bool {
        self.run.passed()
    }

    /// The goldens of all scenes.
    pub fn goldens(&self) -> impl Iterator<Item = &Golden> {
        self.scenes.iter().flat_map(|scene| &scene.goldens)
    }

    /// The failing goldens grouped by cause, in the order of the first of each group.
    #[must_use]
    pub fn groups(&self) -> Vec<CauseGroup> {
        let groups = self.run.groups().into_iter().map(|group| CauseGroup {
            cause: group.text,
            goldens: group.failures.iter().map(|one| one.at).collect(),
        });
        groups.collect()
    }

    /// Accepts the compared pictures of all goldens of a group, or of none, and returns the written
    /// files.
    ///
    /// # Errors
    /// [`ErrorKind::Draw`] if one of them is refused: it is empty, a missing texture was replaced,
    /// or a file of its scene has changed since; [`ErrorKind::Write`] if a file cannot be written.
    pub fn accept(&self, group: &CauseGroup) -> Result<Vec<PathBuf>, Error> {
        self.run.accept(&group.goldens).map_err(|(path, error)| unaccepted(&path, &error))
    }

    /// Accepts the compared picture of one failing golden, named by its file.
    ///
    /// # Errors
    /// As [`TestRun::accept`], and [`ErrorKind::Name`] if no golden of that file fails.
    pub fn accept_one(&self, golden: &Path) -> Result<Acceptance, Error> {
        let failure = self.run.failures().find(|one| one.golden.path == golden);
        let failure = failure.ok_or_else(|| {
            let message = format!("{}: the run has no failing golden of this file", golden.shown());
            Error::new(ErrorKind::Name, message)
        })?;
        let accepted = failure.accept();
        accepted.map(Acceptance).map_err(|error| unaccepted(&failure.file(), &error))
    }

    /// Numbers of goldens by result.
    #[must_use]
    pub fn counts(&self) -> GoldenCounts {
        self.run.counts()
    }

    /// Writes the report to a folder: the comparison page, `index.html`, and `report.json`,
    /// `junit.xml` and `summary.md`.
    ///
    /// # Errors
    /// [`ErrorKind::Write`] if a file cannot be written, or a page of another program exists.
    pub fn write_report(&self, folder: impl AsRef<Path>) -> Result<(), Error> {
        self.run.write_report(folder.as_ref(), &self.options).map_err(|error| unwritten(&error))
    }
}

fn unaccepted(path: &Path, error: &AcceptError) -> Error {
    let kind = match error {
        AcceptError::File(_) => ErrorKind::Write,
        AcceptError::Scene(_) => ErrorKind::File,
        _ => ErrorKind::Draw,
    };
    Error::new(kind, format!("{}: {error}", path.shown()))
}

fn unwritten(error: &ReportError) -> Error {
    Error::of(ErrorKind::Write, error).temporary(error.is_temporary())
}

/// Writes one report of several runs; see [`TestRun::write_report`]. Each run comes with the
/// command that accepts its pictures.
///
/// # Errors
/// As [`TestRun::write_report`].
pub fn write_golden_report(runs: Vec<(TestRun, String)>, folder: &Path) -> Result<(), Error> {
    let mut all = tintype_golden::TestRun::default();
    let mut commands = Vec::new();
    for (TestRun { run, .. }, command) in runs {
        commands.extend(run.tested.iter().map(|_| command.clone()));
        all.tested.extend(run.tested);
        all.bad.extend(run.bad);
        all.stray.extend(run.stray);
    }
    let options = ReportOptions { folder: Some(folder.to_owned()), ..ReportOptions::default() };
    let mut written = GoldenReport::new(&all, &options, |_, _| false);
    accept_by(&mut written.report, &commands);
    written.write_all(folder).map_err(|error| unwritten(&error))
}

/// Adds the commands of the tests to all that can be accepted; scenes are in the order of the
/// commands.
fn accept_by(report: &mut tintype_golden::report::Report, commands: &[String]) {
    for (scene, command) in report.scenes.iter_mut().zip(commands) {
        for entry in scene.frames.iter_mut().filter(|entry| entry.act.is_some()) {
            entry.accept = Some(command.clone());
            scene.accept = Some(command.clone());
        }
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
        details.extend(cause.evidence());
    }
    details.extend(one.notes.iter().cloned());
    Golden {
        path: one.path.clone(),
        frame: one.frame,
        state: one.verdict.status(),
        headline: headline(one),
        details,
        golden: one.golden.clone().map(Frame::plain),
        live: one.live.clone().map(Frame::plain),
    }
}

/// Finds the clip of that name; without a name, the bind pose.
fn choose(model: &Path, assets: &Assets, clip: Option<&str>) -> Result<ClipChoice, Error> {
    let clips = assets.models.iter().flat_map(|model| &model.clips);
    let names: Vec<&str> = clips.map(|one| one.name.as_str()).collect();
    let find = |clip: &str| {
        let nearest = || nearest_word(clip, names.iter().copied());
        let index = find_clip_name(clip, &names).map(ClipChoice::Clip);
        index.ok_or_else(|| Error::of_unknown_clip(model, clip, &names, nearest()))
    };
    Ok(decide_said_clip(clip.map(find).transpose()?, ClipChoice::Bind))
}

/// Goldens that must match exactly.
fn exact(frames: FrameList, size: [u32; 2], pose: Option<PoseRule>) -> GoldenTable {
    GoldenTable { frames, size, rule: Rule::Exact, pose, pictures: true, known: Vec::new() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn runs_are_grouped_accepted_and_reported() {
        let folder = tempfile::tempdir().unwrap();
        let scenes = folder.path().join("scenes");
        fs::create_dir(&scenes).unwrap();
        let model = fs::canonicalize("scenes/assets/scarab.md5mesh").unwrap();
        let write = |name: &str, color: &str| {
            let text = format!(
                "[output]\nsize = [24, 24]\nframes = \"0-1\"\nbackground = \"{color}\"\n[[model]]\nfile = {:?}\n[golden]\nframes = \"0-1\"\n",
                model.shown()
            );
            fs::write(scenes.join(name), text).unwrap();
        };
        write("a.toml", "#000000");
        write("b.toml", "#000000");
        let test = || GoldenSet::open(&[&scenes], None).unwrap().test();
        let missing = test();
        assert!(
            !missing.passed() && missing.goldens().all(|one| one.state == GoldenState::Missing)
        );
        let groups = missing.groups();
        assert_eq!(groups.iter().map(|one| one.goldens.len()).collect::<Vec<_>>(), [4]);
        assert_eq!(missing.accept(&groups[0]).unwrap().len(), 8);
        assert!(test().passed());

        write("b.toml", "#ff0000");
        let edited = test();
        let groups = edited.groups();
        let [group] = &groups[..] else { panic!("one cause: {groups:?}") };
        assert_eq!(group.goldens, [[1, 0], [1, 1]]);
        // If a golden has changed since, none of its group is accepted.
        let golden = |name: &str| folder.path().join("golden/b").join(name);
        let before = ["0000.png", "0001.png"].map(|name| fs::read(golden(name)).unwrap());
        fs::write(golden("0001.png"), b"changed").unwrap();
        assert_eq!(edited.accept(group).unwrap_err().kind(), ErrorKind::Draw);
        assert_eq!(fs::read(golden("0000.png")).unwrap(), before[0]);
        fs::write(golden("0001.png"), &before[1]).unwrap();
        let report = folder.path().join("report");
        edited.write_report(&report).unwrap();
        for file in ["index.html", "report.json", "junit.xml", "summary.md"] {
            assert!(report.join(file).is_file(), "{file}");
        }
        // One alone, and undone.
        let one = edited.accept_one(&golden("0001.png")).unwrap();
        assert_eq!(one.files().next(), Some(&*golden("0001.png")));
        let counts = test().counts();
        assert_eq!((counts.same, counts.failed), (3, 1));
        one.undo().unwrap();
        assert_eq!(fs::read(golden("0001.png")).unwrap(), before[1]);
        let passing = folder.path().join("golden/a/0000.png");
        assert_eq!(edited.accept_one(&passing).unwrap_err().kind(), ErrorKind::Name);
        assert_eq!(edited.accept(group).unwrap().len(), 4);
        assert!(test().passed());

        let open = || GoldenSet::open(&[&scenes], None).unwrap();
        let counts = open().select("*/golden/a/*1.png").unwrap().test().counts();
        assert_eq!((counts.same, counts.failed), (1, 0));
        assert_eq!(open().select("c.toml").unwrap_err().kind(), ErrorKind::Name);

        fs::rename(scenes.join("a.toml"), scenes.join("c.toml")).unwrap();
        assert!(!test().passed());
        let moved = open().move_goldens().unwrap();
        let to = folder.path().join("golden/c/0000.png");
        assert!(moved.len() == 4 && moved.iter().any(|[_, new]| *new == to), "{moved:?}");
        assert!(test().passed());

        fs::remove_file(scenes.join("c.toml")).unwrap();
        let stray = test();
        assert!(!stray.passed() && !stray.stray.is_empty() && stray.groups().is_empty());
        let pruned = open().prune().unwrap();
        assert!(pruned.contains(&to) && !to.exists());
        assert!(test().passed());
    }
}
