//! The entry of a model, with clips of other files, in a scene made without text; and the paths in
//! it.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use tintype_base::path::{ShowPath, path_of_text};
use tintype_formats::{FileScene, LoadOptions};
use tintype_render::asset::archive::canonical;
use tintype_render::asset::clip_names;
use tintype_render::asset::input::read_input;
use tintype_scene::SceneBuilder;
use tintype_scene::builder::{MaterialBuilder, ModelBuilder};

/// The entry of a model with its clips; `written` returns the path in the scene of a file read
/// here.
///
/// Each animation set of a `.x` file, and each animation of a glTF file, is a clip. If two clips
/// have the same name, they are named by their paths. Without `clips`, the model plays those of its
/// file. The options set its ticks per second and select the scene of the file.
pub fn model_entry(
    model: &Path,
    clips: &[PathBuf],
    load_options: &LoadOptions,
    written: &dyn Fn(&Path) -> PathBuf,
) -> ModelBuilder {
    let shown = |path: &Path| path.shown();
    let sets: Vec<(&Path, Option<(u32, String)>)> = clips
        .iter()
        .flat_map(|path| match names_in(path, load_options) {
            sets if sets.is_empty() => vec![(path.as_path(), None)],
            sets => (0..).zip(sets).map(|set| (path.as_path(), Some(set))).collect(),
        })
        .collect();
    let name = |(path, set): &(&Path, Option<(u32, String)>)| match set {
        Some((_, name)) => name.clone(),
        None => path.file_stem().unwrap_or_default().shown(),
    };
    let names: BTreeSet<String> = sets.iter().map(name).collect();
    let is_unique = names.len() == sets.len();
    let entry = ModelBuilder::new(shown(&written(model)));
    let entry = with_load_options(entry, load_options);
    sets.iter().fold(entry, |entry, one @ (path, set)| {
        let file = shown(&written(path));
        match set {
            None if is_unique => entry.clip(file),
            None => entry.named_clip(file, shown(path)),
            Some((index, _)) if is_unique => entry.clip_set(file, name(one), *index),
            Some((index, _)) => {
                entry.clip_set(file, format!("{}: {index} {}", path.shown(), name(one)), *index)
            }
        }
    })
}

/// The scene with a material for each picture assigned by hand, by the name of its shader;
/// `written` returns the paths of files there.
pub(crate) fn with_textures(
    scene: SceneBuilder,
    files: &[(String, PathBuf)],
    written: &dyn Fn(&Path) -> PathBuf,
) -> SceneBuilder {
    files.iter().fold(scene, |scene, (name, file)| {
        scene.material(MaterialBuilder::new(name.as_str()).diffuse(&written(file).shown()))
    })
}

/// The entry with a scene of its file, if one is requested.
pub(crate) fn with_file_scene(entry: ModelBuilder, scene: Option<&FileScene>) -> ModelBuilder {
    match scene {
        Some(FileScene::Name(name)) => entry.scene(name.clone()),
        Some(FileScene::Index(index)) => {
            entry.scene_index(u32::try_from(*index).unwrap_or(u32::MAX))
        }
        None => entry,
    }
}

/// The entry with the choices of load options that affect a model.
#[must_use]
pub fn with_load_options(entry: ModelBuilder, options: &LoadOptions) -> ModelBuilder {
    let entry = with_file_scene(entry, options.file_scene.as_ref());
    options.ticks_per_second.into_iter().fold(entry, ModelBuilder::ticks_per_second)
}

/// The model with a palette; `written` returns the path of its file in the scene.
pub(crate) fn with_palette(
    entry: ModelBuilder,
    palette: Option<String>,
    written: &dyn Fn(&Path) -> PathBuf,
) -> ModelBuilder {
    let file = palette.map(|file| written(&path_of_text(&file)).shown());
    file.into_iter().fold(entry, ModelBuilder::palette)
}

/// Names of the clips of a file with several.
pub(crate) fn names_in(path: &Path, load_options: &LoadOptions) -> Vec<String> {
    let most = u64::try_from(load_options.limits.max_bytes).unwrap_or(u64::MAX);
    let bytes = read_input(&load_options.files, path, most);
    bytes.map_or_else(|_| Vec::new(), |bytes| clip_names(&bytes, path, load_options))
}

/// The path of a file relative to a folder whose path has no links; the absolute path if the file
/// cannot be resolved.
pub(crate) fn relative_path(file: &Path, folder: &Path) -> PathBuf {
    let Ok(real) = canonical(file) else {
        return std::path::absolute(file).unwrap_or_else(|_| file.to_owned());
    };
    let shared = real.components().zip(folder.components()).take_while(|(a, b)| a == b).count();
    let mut path: PathBuf = folder.components().skip(shared).map(|_| "..").collect();
    path.extend(real.components().skip(shared));
    path
}
