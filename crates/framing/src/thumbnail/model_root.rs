//! Root folder of one model's scene: the model's folder, or the game's if the model is below a
//! folder `models` beside `materials` or `textures`.

use super::clip_file::ClipFile;
use super::options::ThumbnailOptions;
use super::skip_reason::{Skip, SkipReason};
use crate::model_entry::{with_file_scene, with_palette, with_textures};
use std::path::{Path, PathBuf};
use tintype_base::diagnostic::{Diagnostic, Place};
use tintype_base::path::ShowPath;
use tintype_formats::Files;
use tintype_render::asset::project_folder;
use tintype_scene::builder::ModelBuilder;
use tintype_scene::{MissingLook, Scene, SceneBuilder};

/// Root folder of a model's scene, and the model's path from there.
pub(crate) struct ModelRoot {
    /// Folder that paths of the scene are relative to.
    pub root: PathBuf,
    /// Path of the model from the root.
    pub file: String,
}

impl ModelRoot {
    pub(crate) fn of(model: &Path, files: &Files) -> Result<Self, Skip> {
        let folder = model.parent().filter(|folder| !folder.as_os_str().is_empty());
        let folder = folder.unwrap_or(Path::new("."));
        let name = model.file_name().unwrap_or_default();
        let whole = match files {
            Files::Memory(_) => folder.to_path_buf(),
            Files::Disk => std::path::absolute(folder)
                .map_err(|error| Skip::new(SkipReason::Input, format!("has no path: {error}")))?,
        };
        let project = project_folder(&whole, files)
            .map_err(|error| Skip::new(SkipReason::Input, format!("has no path: {error}")))?;
        let root = project.unwrap_or_else(|| whole.clone());
        let below = whole.strip_prefix(&root).unwrap_or(Path::new("")).join(name);
        let file = below.shown();
        Ok(Self { file: file.replace('\\', "/"), root })
    }

    /// Path from the root of a file in the model's folder.
    pub(crate) fn beside(&self, name: &str) -> String {
        match self.file.rsplit_once('/') {
            Some((folder, _)) => format!("{folder}/{name}"),
            None => name.to_owned(),
        }
    }

    /// Path from the root of a file named from the folder of the program.
    pub(crate) fn path_of(&self, file: &Path, files: &Files) -> String {
        let path = match files {
            Files::Disk => std::path::absolute(file).ok(),
            Files::Memory(_) => file.strip_prefix(&self.root).ok().map(Path::to_path_buf),
        };
        path.as_deref().unwrap_or(file).shown()
    }

    /// The warning with its paths relative to the root. It has no position in the model's file,
    /// because the model is named before it, and no help that only the author of a scene can
    /// follow.
    pub(super) fn relative(&self, warning: &Diagnostic) -> Diagnostic {
        let root = self.root.shown();
        let below = |text: &str| text.replace(&format!("{root}/"), "").replace(&root, ".");
        let mut warning = warning.clone();
        warning.message = below(&warning.message);
        if warning.is_help_for_scenes {
            warning.help = None;
        }
        if let Place::Document { name, line, key, .. } = &mut warning.place {
            let own = *name == format!("{root}/{}", self.file);
            *name = if own { String::new() } else { below(name) };
            if own && line.is_none() && key.is_empty() {
                warning.place = Place::None;
            }
        }
        warning
    }

    /// The scene of the model with one clip of another file, or with its clips.
    pub(super) fn scene(
        &self,
        options: &ThumbnailOptions,
        clip: Option<&ClipFile>,
        up: Option<&str>,
        front: Option<&str>,
    ) -> SceneBuilder {
        let scene = SceneBuilder::new();
        let scene = if options.textures.is_empty() {
            scene
        } else {
            let folders = options.textures.iter().map(|folder| folder.shown());
            scene.texture_search(folders)
        };
        let scene = with_textures(scene, &options.texture_files, &Path::to_owned);
        let scene = scene.settings(&options.said()).look(options.look()).size(options.size);
        let model = ModelBuilder::new(self.file.as_str()).name("model");
        let model = with_file_scene(model, options.file_scene.as_ref());
        let ticks = options.settings.ticks_per_second();
        let model = ticks.into_iter().fold(model, ModelBuilder::ticks_per_second);
        let model = with_palette(model, options.settings.palette(), &Path::to_owned);
        let model = match clip {
            Some(ClipFile { file, set: None, .. }) => model.named_clip(file.as_str(), "clip"),
            Some(ClipFile { file, set: Some((index, _)), .. }) => {
                model.clip_set(file.as_str(), "clip", *index)
            }
            None => model,
        };
        let model = up.into_iter().fold(model, ModelBuilder::up_word);
        scene.model(front.into_iter().fold(model, ModelBuilder::front_word))
    }

    pub(super) fn build(
        &self,
        scene: SceneBuilder,
        options: &ThumbnailOptions,
    ) -> Result<Scene, Skip> {
        let named = |scene: SceneBuilder, (key, name): &(&str, &str)| scene.set_by(key, name);
        let scene = options.key_names.iter().fold(scene, named).build(&self.file);
        let mut scene = scene.map_err(|errors| Skip::new(SkipReason::Input, errors.to_string()))?;
        scene.missing = options.grey_for_missing_textures.then_some(MissingLook::Grey);
        Ok(scene)
    }
}
