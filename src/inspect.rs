//! Facts about a model and faults of its rig; facts about a clip, a camera, a scene or an archive.

use super::{Error, ErrorKind, LoadOptions, Model};
use std::io;
use std::path::{Path, PathBuf};
use tintype_base::diagnostic::{Diagnostic, Kind, Place, chain};
use tintype_base::disk::MAX_TEXT_BYTES;
use tintype_base::extension::{SCENES, has_extension};
use tintype_base::git::{LFS_POINTER, is_lfs_pointer};
use tintype_base::path::ShowPath;
use tintype_formats::md5::{self, Md5Error};
use tintype_formats::{Files, LimitName, Loaded};
use tintype_framing::{Characters, model_entry};
use tintype_inspect::record::{FileSummary, InspectReport};
use tintype_render::asset::archive::archive_of;
use tintype_render::asset::input::{is_folder, length_of, names_in, read_input};
use tintype_render::asset::{self, Assets};
use tintype_scene::{Scene, SceneBuilder, parse_scene, scene_text};

pub use tintype_inspect::lint::{
    Kind as ProblemKind, Place as ProblemPlace, Problem, Severity as ProblemSeverity,
};

/// Contents and problems of a model with its clips, or of another file, as printed by
/// `tintype inspect`.
///
/// ```
/// let found = tintype::Model::open("scenes/assets/ranger.glb")?.inspect()?;
/// assert!(found.to_json()?.contains("\"joints\""));
/// assert!(found.problems().all(|one| one.severity == tintype::ProblemSeverity::Note));
/// println!("{}", found.to_text(false));
/// # Ok::<(), tintype::Error>(())
/// ```
pub struct Inspection {
    report: InspectReport,
    warnings: Vec<Diagnostic>,
    clips_beside: Vec<PathBuf>,
}

/// Options of an inspection.
#[derive(Clone, Debug, Default)]
pub struct InspectOptions {
    /// Limits, ticks per second, a deadline, or files in memory.
    pub load: LoadOptions,
    /// Files whose clips are inspected together with a model.
    pub clips: Vec<PathBuf>,
    /// True to leave out everything that depends on files beside a model: clips, materials and
    /// warnings.
    pub alone: bool,
}

impl std::fmt::Debug for Inspection {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Inspection").field(&self.report.file).finish()
    }
}

impl Inspection {
    /// Inspects a file: a model with its clips; an `.md5anim` clip; an `.md5camera`; a scene; an
    /// archive, or a folder of one. Textures are read.
    ///
    /// # Errors
    /// [`ErrorKind::File`] if the file or a required one cannot be read or is invalid,
    /// [`ErrorKind::Scene`] if a scene has mistakes.
    pub fn open(file: impl AsRef<Path>) -> Result<Self, Error> {
        Self::open_with(file, &InspectOptions::default())
    }

    /// As [`Inspection::open`], with clips of other files, limits, a deadline, or files in memory.
    ///
    /// # Errors
    /// As [`Inspection::open`].
    pub fn open_with(file: impl AsRef<Path>, options: &InspectOptions) -> Result<Self, Error> {
        let path = file.as_ref();
        let (name, load) = (path.shown(), &options.load);
        let mut found = if is_folder(&load.files, path) {
            Self::new(InspectReport::of_archive(name, files_in(path, &load.files)?), Vec::new())
        } else if has_extension(path, &["md5anim"]) {
            let (clip, warnings) = read(path, load, md5::parse_anim)?;
            let stem = path.file_stem().unwrap_or_default().to_string_lossy();
            Self::new(InspectReport::of_clip(name, &stem, &clip), warnings)
        } else if has_extension(path, &["md5camera"]) {
            let (camera, warnings) = read(path, load, md5::parse_camera)?;
            Self::new(InspectReport::of_camera(name, &camera), warnings)
        } else if has_extension(path, &SCENES) {
            let text = scene_text(bytes_of(path, load, MAX_TEXT_BYTES)?)
                .map_err(|message| Error::new(ErrorKind::Scene, format!("{name}: {message}")))?;
            let scene = parse_scene(&text, &name).map_err(|errors| Error::of_scene(&errors))?;
            let folder = path.parent().unwrap_or(Path::new(""));
            let assets = asset::load(&scene, folder, load);
            let assets = assets.map_err(|error| Error::of_asset(&error))?;
            Self::of_models(name, &scene, &assets, &load.files, true)
        } else {
            Self::of_model_file(path, options)?
        };
        if options.alone {
            found.report.materials = Vec::new();
            found.report.warnings = Vec::new();
        }
        Ok(found)
    }

    fn new(mut report: InspectReport, warnings: Vec<Diagnostic>) -> Self {
        report.warnings = warnings.iter().map(ToString::to_string).collect();
        Self { report, warnings, clips_beside: Vec::new() }
    }

    fn of_models(
        name: String,
        scene: &Scene,
        assets: &Assets,
        files: &Files,
        is_scene: bool,
    ) -> Self {
        let report = InspectReport::of_models(name, scene, assets, files, is_scene);
        Self::new(report, assets.warnings.clone())
    }

    fn of_model_file(path: &Path, options: &InspectOptions) -> Result<Self, Error> {
        let InspectOptions { load, clips, alone } = options;
        let name = path.shown();
        let entry = model_entry(path, clips, load, &Path::to_owned);
        let scene = SceneBuilder::new().model(entry).build(&name);
        let scene = scene.map_err(|errors| Error::of_scene(&errors))?;
        let assets = asset::load(&scene, Path::new(""), load);
        let mut assets = assets.map_err(|error| Error::of_asset(&error.without_key()))?;
        let has_clips = !clips.is_empty();
        let report =
            InspectReport::of_model_file(name, &scene, &mut assets, &load.files, has_clips);
        let mut found = Self::new(report, assets.warnings);
        if !has_clips && !alone {
            let beside = found.report.tell_clips_beside(path, load);
            found.clips_beside = beside.map_err(|error| Error::of_io(path, &error))?;
        }
        Ok(found)
    }

    /// The problems of all models and clips, as data with a sentence.
    pub fn problems(&self) -> impl Iterator<Item = &Problem> {
        self.report.all_problems()
    }

    /// Warnings of the readers of the files.
    #[must_use]
    pub fn warnings(&self) -> &[Diagnostic] {
        &self.warnings
    }

    /// Choices that no file states, such as guessed textures: the name of a material, and a
    /// sentence.
    pub fn choices(&self) -> impl Iterator<Item = (&str, &str)> {
        self.report.materials.iter().flat_map(|material| {
            material.notes.iter().map(|note| (material.shader.as_str(), note.as_str()))
        })
    }

    /// Files of clips beside an MD5 model without clips of its own.
    #[must_use]
    pub fn clips_beside(&self) -> &[PathBuf] {
        &self.clips_beside
    }

    /// All facts as a page of text, with the tree of joints if `with_tree` is true.
    #[must_use]
    pub fn to_text(&self, with_tree: bool) -> String {
        self.report.to_text(with_tree)
    }

    /// All facts as JSON, as written by `tintype inspect --json`.
    ///
    /// # Errors
    /// [`ErrorKind::Write`] if a number cannot be written.
    pub fn to_json(&self) -> Result<String, Error> {
        let json = self.report.to_json();
        json.map_err(|message| {
            Error::new(ErrorKind::Write, format!("cannot write JSON: {message}"))
        })
    }
}

/// The files in an archive, or in a folder of one, by their paths.
fn files_in(path: &Path, files: &Files) -> Result<Vec<FileSummary>, Error> {
    if archive_of(path).is_none() {
        let name = path.shown();
        let message =
            format!("{name}: expected a model, a clip, a camera or a scene, found a folder");
        let error = Error::new(ErrorKind::File, message);
        return Err(error.answered(Some(io::ErrorKind::IsADirectory)));
    }
    let failed = |error: io::Error| Error::of_io(path, &error);
    let (mut folders, mut found) = (vec![path.to_owned()], Vec::new());
    while let Some(folder) = folders.pop() {
        for name in names_in(files, &folder).map_err(failed)? {
            let path = folder.join(name);
            if is_folder(files, &path) {
                folders.push(path);
            } else {
                let bytes = length_of(files, &path).map_err(failed)?;
                found.push(FileSummary { path: path.shown(), bytes });
            }
        }
    }
    found.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(found)
}

fn bytes_of(path: &Path, options: &LoadOptions, most: u64) -> Result<Vec<u8>, Error> {
    let bytes = read_input(&options.files, path, most);
    let bytes = bytes.map_err(|error| Error::of_io(path, &error))?;
    if is_lfs_pointer(&bytes) {
        let message = format!("{}: it is {LFS_POINTER}", path.shown());
        return Err(Error::new(ErrorKind::File, message));
    }
    Ok(bytes)
}

/// Reads one MD5 file: its value, and its warnings with their lines.
fn read<T>(
    path: &Path,
    options: &LoadOptions,
    parse: fn(&[u8], &LoadOptions) -> Result<Loaded<T>, Md5Error>,
) -> Result<(T, Vec<Diagnostic>), Error> {
    let most = u64::try_from(options.limits.max_bytes).unwrap_or(u64::MAX);
    let bytes = bytes_of(path, options, most).map_err(|error| {
        let is_long = error.io_kind() == Some(io::ErrorKind::FileTooLarge);
        error.limited(is_long.then_some(LimitName::Bytes))
    })?;
    let Loaded { value, warnings } = parse(&bytes, options).map_err(|error| {
        let message = format!("{}: {}", path.shown(), chain(&error));
        Error::new(ErrorKind::File, message).limited(error.limit())
    })?;
    let told = warnings.into_iter().map(|warning| {
        Diagnostic::warning(Kind::Clip, Place::file(path, warning.line), warning.message)
    });
    Ok((value, told.collect()))
}

impl Model {
    /// Inspects the model with the clips that it was opened with. Textures are read.
    ///
    /// # Errors
    /// [`ErrorKind::File`] if a required file is invalid, or the model has no triangles.
    pub fn inspect(&self) -> Result<Inspection, Error> {
        let found = Characters::over(self.held(), self.load_options().clone());
        let found = found.load_opened(self.path(), &self.loaded().clips);
        let found = found.map_err(|error| Error::of_character(&error))?;
        let (file, files) = (self.path().shown(), &self.load_options().files);
        Ok(Inspection::of_models(file, &found.scene, &found.assets, files, false))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tintype_formats::MemoryFiles;

    #[test]
    fn files_of_any_kind_are_inspected_and_refused_by_their_kind() {
        let open = |file: &str| Inspection::open(file);
        let json = |file: &str| open(file).unwrap().to_json().unwrap();
        assert!(json("scenes/assets/ranger_walk.md5anim").contains("\"moving_joints\""));
        assert!(json("scenes/assets/scarab.md5mesh").contains("\"thumbnail\""));
        assert!(json("scenes/walk.toml").contains("\"models\""));
        let refused = |file: &str| {
            let error = open(file).unwrap_err();
            (error.kind(), error.io_kind())
        };
        let missing = Some(io::ErrorKind::NotFound);
        for file in ["nowhere.glb", "nowhere.md5anim", "nowhere.toml"] {
            assert_eq!(refused(file), (ErrorKind::File, missing), "{file}");
        }
        assert_eq!(refused("scenes").1, Some(io::ErrorKind::IsADirectory));
        let pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n";
        for name in ["a.md5anim", "a.md5mesh", "a.toml"] {
            let files = MemoryFiles::new().with(name, pointer.as_bytes());
            let load = LoadOptions::default().with_files(files);
            let options = InspectOptions { load, ..InspectOptions::default() };
            let error = Inspection::open_with(name, &options).unwrap_err();
            assert!(error.to_string().ends_with(&format!("it is {LFS_POINTER}")), "{error}");
        }
        let folder = tempfile::tempdir().unwrap();
        let scene = folder.path().join("a.toml");
        std::fs::write(&scene, "[output]\nsise = 3\n").unwrap();
        let error = Inspection::open(&scene).unwrap_err();
        assert_eq!((error.kind(), error.diagnostics().is_empty()), (ErrorKind::Scene, false));
        assert!(error.colored().is_some_and(|text| text.contains("sise")));
        let mut short = InspectOptions::default();
        short.load.limits.max_bytes = 9;
        let error = Inspection::open_with("scenes/assets/ranger_walk.md5anim", &short).unwrap_err();
        assert_eq!(error.limit(), Some(LimitName::Bytes));
    }

    #[test]
    fn files_beside_a_model_are_left_out_on_request() {
        let file = "scenes/assets/scarab.md5mesh";
        let with = Inspection::open(file).unwrap();
        assert!(!with.clips_beside().is_empty());
        assert!(with.to_text(false).contains("\nmaterials\n"));
        let options = InspectOptions { alone: true, ..InspectOptions::default() };
        let alone = Inspection::open_with(file, &options).unwrap();
        assert!(alone.clips_beside().is_empty());
        assert!(!alone.to_text(false).contains("\nmaterials\n"));
        let problems = |found: &Inspection| found.problems().cloned().collect::<Vec<_>>();
        assert_eq!(problems(&alone), problems(&with));
    }
}
