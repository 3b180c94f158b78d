//! Scenes and models with changed files, by the paths that version control reports.

use crate::library::Library;
use crate::run::Suite;
use crate::scene::GoldenScene;
use rayon::prelude::*;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use tintype_base::disk::real;
use tintype_base::extension::{MOTIONS, PARTS, has_extension, is_texture};
use tintype_render::asset;
use tintype_scene::PROJECT_FILE;

/// Files that changed, were added or were removed, and folders such as those of submodules.
#[derive(Clone, Debug, Default)]
pub struct ChangedFiles(BTreeSet<PathBuf>);

impl ChangedFiles {
    /// The files with these paths.
    #[must_use]
    pub fn new(paths: impl Iterator<Item = PathBuf>) -> Self {
        Self(paths.map(|path| real(&path)).collect())
    }

    /// True if they include a file or a folder above it; for a symbolic link, also its target.
    fn has(&self, path: &Path) -> bool {
        let named = [Some(real(path)), path.canonicalize().ok()];
        let is_one = |path: &Path| path.ancestors().any(|own| self.0.contains(own));
        named.iter().flatten().any(|path| is_one(path))
    }

    fn has_below(&self, folder: &Path) -> bool {
        let folder = real(folder);
        self.0.iter().any(|own| own.starts_with(&folder))
    }

    /// True if the settings of the project changed, which affect all goldens.
    fn is_of_all(&self) -> bool {
        self.0.iter().any(|own| own.ends_with(PROJECT_FILE))
    }

    /// True if a scene, one of its possible input files, or one of its goldens changed, or its
    /// files cannot be read.
    fn touches(&self, scene: &GoldenScene) -> bool {
        self.has(&scene.path)
            || self.has_below(&scene.folder)
            || asset::inputs(&scene.scene, scene.base(), &scene.load_options)
                .map_or(true, |inputs| inputs.0.iter().any(|input| self.has(&input.path())))
    }

    /// True if a clip, a material or a texture changed that a model may use: one beside or above
    /// it, or in a folder there.
    fn is_beside(&self, model: &Path, goldens: &Path) -> bool {
        let (model, goldens) = (real(model), real(goldens));
        let is_part = |own: &&PathBuf| {
            (is_texture(own) || has_extension(own, &MOTIONS) || has_extension(own, &PARTS))
                && !own.starts_with(&goldens)
        };
        let folder = |own: &PathBuf| own.parent().and_then(Path::parent).map(Path::to_path_buf);
        self.0.iter().filter(is_part).filter_map(folder).any(|above| model.starts_with(above))
    }
}

impl Suite {
    /// Keeps the scenes with a changed file, scenes that cannot be read, and goldens without a
    /// scene.
    pub fn keep_changed(&mut self, changed: &ChangedFiles) {
        if changed.is_of_all() {
            return;
        }
        // A scene and its views read the same files.
        let scenes = self.scenes.par_iter().filter(|scene| scene.view().is_none());
        let scenes = scenes.filter(|scene| changed.touches(scene));
        let kept: BTreeSet<PathBuf> = scenes.map(|scene| scene.path.clone()).collect();
        self.scenes.retain(|scene| kept.contains(&scene.path));
    }
}

impl Library {
    /// Keeps the models with files that may have changed.
    pub fn keep_changed(&mut self, changed: &ChangedFiles) {
        if changed.is_of_all() {
            return;
        }
        let models = std::mem::take(&mut self.models);
        self.models = models
            .into_iter()
            .filter(|model| {
                changed.has(&model.path)
                    || changed.has_below(&self.folder_of(model))
                    || changed.is_beside(&model.path, &self.folder)
            })
            .collect();
        self.is_share = true;
    }
}
