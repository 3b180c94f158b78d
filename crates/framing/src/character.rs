//! A model with every clip that moves it, loaded once: the clips of its file, or those beside an
//! MD5 model that fit its joints.

use super::clip_folders::ClipFolders;
use super::model_entry::with_load_options;
use super::thumbnail::ModelRoot;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tintype_base::deadline::Deadline;
use tintype_base::diagnostic::chain;
use tintype_base::disk::is_temporary;
use tintype_base::extension::is_md5_model;
use tintype_base::path::ShowPath;
use tintype_formats::{LimitName, LoadOptions};
use tintype_model::pose::bind_clip;
use tintype_render::asset::input::length_of;
use tintype_render::asset::{self, Assets, HeldFiles, LoadedClip, SharedFiles};
use tintype_scene::builder::ModelBuilder;
use tintype_scene::{ClipChoice, MissingLook, Scene, SceneBuilder};

/// Loads models with their clips; folders are listed once.
pub struct Characters {
    folders: ClipFolders,
    load_options: LoadOptions,
    /// Pictures decoded for earlier characters.
    shared: SharedFiles,
}

/// A loaded model with its clips.
#[derive(Clone, Debug)]
pub struct Character {
    /// A scene of the model in its bind pose.
    pub scene: Scene,
    /// The model with its clips for a scene, by paths from the folder of the model.
    pub entry: ModelBuilder,
    /// Its assets; the clips of the model are [`Character::clips`], by index.
    pub assets: Arc<Assets>,
    /// The clips that bind to it.
    pub clips: Vec<CharacterClip>,
    /// Clips that do not bind to it, each with the reason.
    pub unbound: Vec<(String, String)>,
    /// The MD5 clip files among its clips.
    pub files: Vec<PathBuf>,
}

/// A clip of a character.
#[derive(Clone, Debug)]
pub struct CharacterClip {
    /// Its name, unique within the model and valid as a file name.
    pub name: String,
    /// Its index among the clips of the model.
    pub index: usize,
}

/// A model that cannot be loaded.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{message}")]
pub struct CharacterError {
    /// The reason, with the path of the model or of the named file.
    pub message: String,
    /// True if another attempt can succeed.
    pub is_temporary: bool,
    /// The error of the system if a file could not be read.
    pub io_kind: Option<std::io::ErrorKind>,
    /// The limit that a user may raise, if one was exceeded.
    pub limit: Option<LimitName>,
}

impl Characters {
    /// A loader with limits for its files.
    #[must_use]
    pub fn new(load_options: LoadOptions) -> Self {
        Self::over(&HeldFiles::default(), load_options)
    }

    /// A loader that uses models in memory, whose files are not read again.
    #[must_use]
    pub fn over(held: &HeldFiles, load_options: LoadOptions) -> Self {
        Self { folders: ClipFolders::default(), load_options, shared: SharedFiles::over(held) }
    }

    /// Loads a model with all of its clips.
    ///
    /// # Errors
    /// [`CharacterError`] if the model, one of its clips or a required file is invalid, or if the
    /// model has no triangles.
    pub fn load(&self, model: &Path) -> Result<Character, CharacterError> {
        self.load_with(model, None)
    }

    /// Loads a model with clips of other files that replace those of its file, or without the clips
    /// beside it.
    ///
    /// # Errors
    /// As [`Characters::load`].
    pub fn load_with(
        &self,
        model: &Path,
        clips: Option<&[PathBuf]>,
    ) -> Result<Character, CharacterError> {
        self.load_over(model, clips, None)
    }

    /// Loads a model with clips that were read before.
    ///
    /// # Errors
    /// As [`Characters::load`].
    pub fn load_opened(
        &self,
        model: &Path,
        clips: &[LoadedClip],
    ) -> Result<Character, CharacterError> {
        self.load_over(model, Some(&[]), Some(clips))
    }

    fn load_over(
        &self,
        model: &Path,
        clips: Option<&[PathBuf]>,
        opened: Option<&[LoadedClip]>,
    ) -> Result<Character, CharacterError> {
        let shown = model.shown();
        let failed = |message: String| CharacterError {
            message,
            is_temporary: false,
            io_kind: None,
            limit: None,
        };
        let unreadable = |error: std::io::Error| CharacterError {
            message: format!("{shown}: {error}"),
            is_temporary: is_temporary(&error),
            io_kind: Some(error.kind()),
            limit: None,
        };
        if !self.shared.held.has(model) {
            length_of(&self.load_options.files, model).map_err(unreadable)?;
        }
        let root = ModelRoot::of(model, &self.load_options.files)
            .map_err(|skip| failed(format!("{shown}: {}", skip.message)))?;
        let beside = if clips.is_none() && is_md5_model(model) {
            let options = self.load_options.clone().with_deadline(Deadline::NEVER);
            let found =
                self.folders.clips_of(model, None, usize::MAX, &options).map_err(unreadable)?;
            found.map_err(|late| failed(format!("{shown}: {late}")))?
        } else {
            Vec::new()
        };
        let entry = ModelBuilder::new(root.file.as_str()).name("model");
        let entry = with_load_options(entry, &self.load_options);
        let given = clips.unwrap_or_default().iter();
        let given = given.map(|file| root.path_of(file, &self.load_options.files));
        let clip_files = beside.iter().map(|file| root.beside(file)).chain(given);
        let entry = clip_files.fold(entry, ModelBuilder::clip);
        let mut scene = SceneBuilder::new()
            .model(entry.clone())
            .build(&root.file)
            .map_err(|errors| failed(errors.to_string()))?;
        scene.missing = Some(MissingLook::Checker);
        let assets = asset::load_shared(&scene, &root.root, &self.load_options, &self.shared);
        let mut assets = assets.map_err(|error| CharacterError {
            is_temporary: error.is_temporary(),
            io_kind: error.io_kind(),
            limit: error.limit(),
            message: chain(&error.without_key()),
        })?;
        for instance in &mut scene.instances {
            instance.clip = ClipChoice::Rest;
        }
        let Some(loaded) = assets.models.first_mut() else {
            return Err(failed(format!("{shown}: no model")));
        };
        if let Some(clips) = opened {
            loaded.clips = clips.to_vec();
        }
        let triangles: usize = loaded.model.meshes.iter().map(|mesh| mesh.triangles.len()).sum();
        if triangles == 0 {
            return Err(failed(format!("{shown}: no triangles to draw")));
        }
        let (mut clips, mut unbound, mut taken) = (Vec::new(), Vec::new(), BTreeSet::new());
        let mut files = Vec::new();
        let folder = model.parent().unwrap_or(Path::new(""));
        for (index, clip) in loaded.clips.iter().enumerate() {
            match bind_clip(&loaded.model.skeleton, &loaded.model.meshes, &clip.clip) {
                Ok(_) => {
                    clips.push(CharacterClip { name: file_name(&clip.name, &mut taken), index });
                    files.extend(beside.get(index).map(|file| folder.join(file)));
                }
                Err(error) => unbound.push((clip.name.clone(), error.to_string())),
            }
        }
        clips.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(Character { scene, entry, assets: Arc::new(assets), clips, unbound, files })
    }
}

/// A name valid in every file system, different from other clips of the model also without case.
fn file_name(name: &str, taken: &mut BTreeSet<String>) -> String {
    let special = |c: char| c.is_control() || "<>:\"|?*/\\".contains(c);
    let plain: String = name.chars().map(|c| if special(c) { '_' } else { c }).collect();
    let plain = plain.trim_end_matches(['.', ' ']);
    let plain = match plain {
        "" => "_".to_owned(),
        plain if plain.starts_with('.') => format!("_{}", &plain[1..]),
        plain => plain.to_owned(),
    };
    let mut unique = plain.clone();
    let mut number = 2;
    while !taken.insert(unique.to_lowercase()) {
        unique = format!("{plain}~{number}");
        number += 1;
    }
    unique
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clip_names_are_files_of_their_own() {
        let mut taken = BTreeSet::new();
        let names = ["walk", "Walk", "a/b", "..", "", "walk "];
        let files = names.map(|name| file_name(name, &mut taken));
        assert_eq!(files, ["walk", "Walk~2", "a_b", "_", "_~2", "walk~3"]);
    }
}
