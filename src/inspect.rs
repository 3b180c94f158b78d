//! Facts about a model and faults of its rig; facts about a clip, a camera or a scene.

use super::{Error, ErrorKind, LoadOptions, Model};
use std::io;
use std::path::{Path, PathBuf};
use tintype_base::diagnostic::chain;
use tintype_base::disk::MAX_TEXT_BYTES;
use tintype_base::extension::has_extension;
use tintype_base::git::{LFS_POINTER, is_lfs_pointer};
use tintype_base::path::ShowPath;
use tintype_formats::{Loaded, md5};
use tintype_framing::{Characters, model_entry};
use tintype_inspect::lint::Severity;
use tintype_inspect::record::InspectReport;
use tintype_render::asset::input::{is_folder, read_input};
use tintype_render::asset::{self, Assets};
use tintype_scene::{SceneBuilder, parse_scene};

/// Contents and problems of a model with its clips, or of another file, as printed by
/// `tintype inspect`.
///
/// ```
/// let found = tintype::Model::open("scenes/assets/ranger.glb")?.inspect()?;
/// assert!(found.to_json()?.contains("\"joints\""));
/// println!("{}", found.to_text(false));
/// # Ok::<(), tintype::Error>(())
/// ```
pub struct Inspection(InspectReport);

impl std::fmt::Debug for Inspection {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Inspection").field(&self.0.file).finish()
    }
}

impl Inspection {
    /// Inspects a file: a model with its clips, or with those of `clips`; an `.md5anim` clip; an
    /// `.md5camera`; a scene. Textures are read.
    ///
    /// # Errors
    /// [`ErrorKind::File`] if the file or a required one cannot be read or is invalid,
    /// [`ErrorKind::Scene`] if a scene has mistakes.
    pub fn open(
        file: impl AsRef<Path>,
        clips: &[PathBuf],
        options: &LoadOptions,
    ) -> Result<Self, Error> {
        let path = file.as_ref();
        let name = path.shown();
        if is_folder(&options.files, path) {
            let message =
                format!("{name}: expected a model, a clip, a camera or a scene, found a folder");
            let error = Error::new(ErrorKind::File, message);
            return Err(error.answered(Some(io::ErrorKind::IsADirectory)));
        }
        let is = |extension: &str| has_extension(path, &[extension]);
        let told = |assets: &Assets| assets.warnings.iter().map(ToString::to_string).collect();
        let (mut report, warnings) = if is("md5anim") {
            let (clip, warnings) = read(path, options, md5::parse_anim)?;
            let stem = path.file_stem().unwrap_or_default().to_string_lossy();
            (InspectReport::of_clip(name, &stem, &clip), warnings)
        } else if is("md5camera") {
            let (camera, warnings) = read(path, options, md5::parse_camera)?;
            (InspectReport::of_camera(name, &camera), warnings)
        } else if is("toml") {
            let bytes = bytes_of(path, options, MAX_TEXT_BYTES)?;
            let text = String::from_utf8(bytes)
                .map_err(|error| Error::new(ErrorKind::Scene, format!("{name}: {error}")))?;
            let scene = parse_scene(&text, &name).map_err(|errors| Error::of_scene(&errors))?;
            let folder = path.parent().unwrap_or(Path::new(""));
            let assets = asset::load(&scene, folder, options);
            let assets = assets.map_err(|error| Error::of_asset(&error))?;
            (InspectReport::of_models(name, &scene, &assets, true), told(&assets))
        } else {
            let entry = model_entry(path, clips, None, options, &Path::to_owned);
            let scene = SceneBuilder::new().model(entry).build(&name);
            let scene = scene.map_err(|errors| Error::of_scene(&errors))?;
            let assets = asset::load(&scene, Path::new(""), options);
            let mut assets = assets.map_err(|error| Error::of_asset(&error.without_key()))?;
            let has_clips = !clips.is_empty();
            let mut report = InspectReport::of_model_file(name, &scene, &mut assets, has_clips);
            if !has_clips {
                let beside = report.tell_clips_beside(path, options);
                beside.map_err(|error| Error::of_io(path, &error))?;
            }
            (report, told(&assets))
        };
        report.warnings = warnings;
        Ok(Self(report))
    }

    /// Problems as sentences; the first value is true for a warning.
    pub fn problems(&self) -> impl Iterator<Item = (bool, &str)> {
        self.0.all_problems().map(|one| (one.severity == Severity::Warning, one.message.as_str()))
    }

    /// All facts as a page of text, with the tree of joints if `with_tree` is true.
    #[must_use]
    pub fn to_text(&self, with_tree: bool) -> String {
        self.0.to_text(with_tree)
    }

    /// All facts as JSON, as written by `tintype inspect --json`.
    ///
    /// # Errors
    /// [`ErrorKind::Write`] if a number cannot be written.
    pub fn to_json(&self) -> Result<String, Error> {
        self.0.to_json().map_err(|message| Error::new(ErrorKind::Write, message))
    }
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
fn read<T, E: std::error::Error + 'static>(
    path: &Path,
    options: &LoadOptions,
    parse: fn(&[u8], &LoadOptions) -> Result<Loaded<T>, E>,
) -> Result<(T, Vec<String>), Error> {
    let name = path.shown();
    let most = u64::try_from(options.limits.max_bytes).unwrap_or(u64::MAX);
    let Loaded { value, warnings } = parse(&bytes_of(path, options, most)?, options)
        .map_err(|error| Error::new(ErrorKind::File, format!("{name}: {}", chain(&error))))?;
    let told = warnings.into_iter().map(|warning| match warning.line {
        0 => format!("{name}: {}", warning.message),
        line => format!("{name}:{line}: {}", warning.message),
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
        let found = found.load_with(self.path(), Some(self.clip_paths()));
        let found = found.map_err(|error| Error::of_character(&error))?;
        let file = self.path().shown();
        let mut report = InspectReport::of_models(file, &found.scene, &found.assets, false);
        report.warnings = found.assets.warnings.iter().map(ToString::to_string).collect();
        Ok(Inspection(report))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_any_kind_are_inspected_and_refused_by_their_kind() {
        let open = |file: &str| Inspection::open(file, &[], &LoadOptions::default());
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
        let folder = tempfile::tempdir().unwrap();
        let scene = folder.path().join("a.toml");
        std::fs::write(&scene, "[output]\nsise = 3\n").unwrap();
        let error = Inspection::open(&scene, &[], &LoadOptions::default()).unwrap_err();
        assert_eq!((error.kind(), error.diagnostics().is_empty()), (ErrorKind::Scene, false));
    }
}
