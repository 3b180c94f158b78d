//! Thumbnails: the picture of a model, with automatic clip, time and viewpoint.

use super::{Error, ErrorKind, Files, Frame, LoadOptions, Model};
use std::path::{Path, PathBuf};
use std::time::Duration;
use tintype_base::deadline::Deadline;
use tintype_base::diagnostic::Diagnostic;
use tintype_base::path::ShowPath;
use tintype_framing::ClipFolders;
use tintype_framing::ModelFile;
use tintype_framing::thumbnail::{ModelLimits, SkipReason, ThumbnailOptions, draw_model};
use tintype_output::{PngEffort, Provenance};
use tintype_render::asset::HeldFiles;
use tintype_scene::{SettingType, Settings};

/// Estimated memory limit of a thumbnail, in bytes.
const MAX_MEMORY: u64 = 1 << 30;
/// Maximum size of a model file, in bytes.
const MAX_FILE: u64 = 1 << 30;
/// Effectively no limit; the deadline comes from the `LoadOptions` that the model was opened with.
const NO_END: Duration = Duration::from_secs(u64::MAX);

/// Options of a thumbnail.
///
/// ```
/// use tintype::{Model, Thumbnail};
///
/// let model = Model::open("scenes/assets/ranger.glb")?;
/// let drawn = Thumbnail::new(128).clip("walk").draw(&model)?;
/// assert!(drawn.warnings.is_empty());
/// drawn.frame.save("out/ranger.png")?;
/// # Ok::<(), tintype::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Thumbnail {
    size: u32,
    textures: Vec<PathBuf>,
    texture_files: Vec<(String, PathBuf)>,
    settings: Settings,
}

/// A picture and its warnings.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Drawn {
    /// The picture.
    pub frame: Frame,
    /// Warnings, such as missing textures.
    pub warnings: Vec<Diagnostic>,
}

impl Thumbnail {
    /// A square picture of `size` pixels per side, 1 to 4096, in the `studio` look.
    #[must_use]
    pub fn new(size: u32) -> Self {
        Self {
            size,
            textures: Vec::new(),
            texture_files: Vec::new(),
            settings: Settings::default(),
        }
    }

    /// Applies settings of picture, camera, model and clip.
    #[must_use]
    pub fn settings(mut self, settings: &Settings) -> Self {
        self.settings = settings.or(&self.settings);
        self
    }

    /// Sets the picture of a shader by hand. `shader` is its name or the end of its path.
    #[must_use]
    pub fn texture(mut self, shader: impl Into<String>, file: impl Into<PathBuf>) -> Self {
        self.texture_files.push((shader.into(), file.into()));
        self
    }

    /// Adds a folder to search for textures before all others.
    #[must_use]
    pub fn textures(mut self, folder: impl Into<PathBuf>) -> Self {
        self.textures.push(folder.into());
        self
    }

    /// Draws a model. Its textures are read, but its file is read again only for
    /// [`Thumbnail::ticks_per_second`].
    ///
    /// # Errors
    /// [`ErrorKind::Scene`] if an option is out of range, [`ErrorKind::Name`] if the clip does not
    /// exist, [`ErrorKind::File`] if the model or its clip is invalid, [`ErrorKind::Draw`] if
    /// nothing is visible.
    pub fn draw(&self, model: &Model) -> Result<Drawn, Error> {
        let held = model.held().clone();
        self.draw_with(model.path(), model.clip_paths(), model.load_options(), held)
    }

    /// Draws the model of a file, reading the file once.
    ///
    /// # Errors
    /// As [`Thumbnail::draw`].
    pub fn draw_file(
        &self,
        path: impl AsRef<Path>,
        load_options: &LoadOptions,
    ) -> Result<Drawn, Error> {
        self.draw_with(path.as_ref(), &[], load_options, HeldFiles::default())
    }

    fn draw_with(
        &self,
        path: &Path,
        clip_paths: &[PathBuf],
        load_options: &LoadOptions,
        held: HeldFiles,
    ) -> Result<Drawn, Error> {
        let refused = |message: String| Err(Error::new(ErrorKind::Scene, message));
        let anim = match clip_paths {
            [] => None,
            // Files in memory have no folder for relative paths.
            [clip] if matches!(load_options.files, Files::Memory(_)) => Some(clip.clone()),
            [clip] => Some(std::path::absolute(clip).unwrap_or_else(|_| clip.clone())),
            _ => return refused("a thumbnail takes one clip file".to_owned()),
        };
        let options = ThumbnailOptions { anim, held, ..self.options(load_options)? };
        let path = path.to_owned();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let file = ModelFile { path, name, is_named: true };
        let deadline = load_options.deadline.clone();
        draw(&file, &options, deadline)
    }

    /// Options for a picture that is not written to a file.
    pub(crate) fn options(&self, load_options: &LoadOptions) -> Result<ThumbnailOptions, Error> {
        let size = self.size;
        if !(1..=4096).contains(&size) {
            let message = format!("size={size}: expected 1 to 4096");
            return Err(Error::new(ErrorKind::Scene, message));
        }
        let mut settings = self.settings.clone();
        if let (None, Some(ticks)) = (settings.ticks_per_second(), load_options.ticks_per_second) {
            settings.say("ticks_per_second", ticks);
        }
        settings.check().map_err(|error| Error::of_setting(&error))?;
        Ok(ThumbnailOptions {
            size: [size; 2],
            settings,
            spin: false,
            format: None,
            effort: PngEffort::Fast,
            anim: None,
            draws_without_clip: false,
            file_scene: load_options.file_scene.clone(),
            textures: self.textures.clone(),
            texture_files: self.texture_files.clone(),
            key_names: &[],
            files: load_options.files.clone(),
            held: HeldFiles::default(),
            limits: ModelLimits::new(NO_END, MAX_MEMORY, MAX_FILE, &load_options.limits),
            overwrite: true,
            grey_for_missing_textures: false,
            verify: false,
            strict_assets: false,
            input_check: None,
        })
    }
}

fn draw(file: &ModelFile, options: &ThumbnailOptions, deadline: Deadline) -> Result<Drawn, Error> {
    let deadline = options.limits.with_deadline(deadline);
    let drawn = draw_model(file, None, options, &ClipFolders::default(), &deadline);
    let drawn = drawn.map_err(|skip| {
        let kind = match skip.reason {
            SkipReason::Empty | SkipReason::NoMesh | SkipReason::ClipsAlone => ErrorKind::Draw,
            SkipReason::Clip => ErrorKind::Name,
            _ => ErrorKind::File,
        };
        let message = format!("{}: {}", file.path.shown(), skip.message);
        Error::new(kind, message)
            .temporary(skip.reason == SkipReason::Temporary)
            .answered(skip.io_kind)
    })?;
    let provenance = Provenance::of_this_build(0, drawn.digest);
    let picture = drawn.frame.expect("without a format no file is made");
    let frame = Frame::drawn(picture, provenance.to_text());
    Ok(Drawn { frame, warnings: drawn.warnings })
}

/// Defines one method for each setting of thumbnails.
macro_rules! setters {
    (
        Turn { $($of_turn:tt)* }
        Sequence { $($of_sequence:tt)* }
        $($group:ident { $(#[doc = $doc:literal] $key:ident: $type:ty, $presence:ident, $shape:expr, $doors:expr, $usual:expr;)* })*
    ) => {
        impl Thumbnail {
            $($(
                #[doc = $doc]
                #[must_use]
                pub fn $key(mut self, value: impl Into<<$type as SettingType>::Given>) -> Self {
                    let value: <$type as SettingType>::Given = value.into();
                    self.settings.say(stringify!($key), value);
                    self
                }
            )*)*
        }
    };
}
tintype_scene::settings!(setters);

impl Model {
    /// Draws a square picture of `size` pixels per side, with automatic clip, time and viewpoint.
    /// [`Thumbnail`] has more options.
    ///
    /// # Errors
    /// As [`Thumbnail::draw`].
    pub fn thumbnail(&self, size: u32) -> Result<Frame, Error> {
        Ok(Thumbnail::new(size).draw(self)?.frame)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn open_models_are_drawn_without_their_files() {
        let folder = tempfile::tempdir().unwrap();
        let clip = "ranger_walk.md5anim";
        for (name, clips) in
            [("ranger.glb", vec![]), ("ranger.x", vec![]), ("ranger.md5mesh", vec![clip])]
        {
            let copy = |name: &str| {
                let copy = folder.path().join(name);
                std::fs::copy(format!("scenes/assets/{name}"), &copy).unwrap();
                copy
            };
            let clips: Vec<PathBuf> = clips.into_iter().map(copy).collect();
            let model = Model::open_with(copy(name), &clips, &LoadOptions::default()).unwrap();
            let before = model.thumbnail(64).unwrap();
            std::fs::remove_file(model.path()).unwrap();
            assert_eq!(model.thumbnail(64).unwrap(), before, "{name}");
            // Changing the tick rate requires the file.
            let ticks = Thumbnail::new(64).ticks_per_second(30.0);
            assert_eq!(ticks.draw(&model).unwrap_err().kind(), ErrorKind::File, "{name}");
        }
    }
}
