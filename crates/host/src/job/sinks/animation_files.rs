//! Names of the files that hold all frames: animated PNG, GIF and sprite sheet, of the pictures and of each view.

use super::animation_format::AnimationFormat;
use crate::job::error::JobError;
use crate::matches_provenance;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use tintype_output::Provenance;
use tintype_render::asset::regular::read_regular;
use tintype_scene::Aov;

/// The files that hold all frames; `None` where a format is not written.
///
/// Each view has files beside those of the pictures, with the name of the view before the extension: `robot.depth.gif`. A file
/// is made anew unless it is complete and its provenance matches.
#[derive(Clone, Debug, Default)]
pub struct AnimationFiles {
    /// Animated PNG.
    pub apng: Option<PathBuf>,
    /// GIF.
    pub gif: Option<PathBuf>,
    /// Sprite sheet.
    pub sheet: Option<PathBuf>,
}

impl AnimationFiles {
    /// Each file with its format.
    pub fn iter(&self) -> impl Iterator<Item = (AnimationFormat, &PathBuf)> {
        let Self { apng, gif, sheet } = self;
        let all = [
            (AnimationFormat::Apng, apng),
            (AnimationFormat::Gif, gif),
            (AnimationFormat::Sheet, sheet),
        ];
        all.into_iter().filter_map(|(format, path)| Some((format, path.as_ref()?)))
    }

    /// Whether no file is written.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.iter().next().is_none()
    }

    /// The same names below a folder.
    #[must_use]
    pub fn below(&self, folder: &Path) -> Self {
        self.map(|name| folder.join(name))
    }

    fn map(&self, change: impl Fn(&Path) -> PathBuf) -> Self {
        let change = |path: &Option<PathBuf>| path.as_deref().map(&change);
        Self { apng: change(&self.apng), gif: change(&self.gif), sheet: change(&self.sheet) }
    }

    /// Checks that each name has an extension of its format, and that no two are the same.
    ///
    /// # Errors
    /// [`JobError::Extension`] or [`JobError::SameFile`].
    pub fn check(&self) -> Result<(), JobError> {
        let mut known: Vec<(AnimationFormat, &Path)> = Vec::new();
        for (format, path) in self.iter() {
            let extension = path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
            let allowed = format.extensions();
            if !allowed.contains(&extension.as_str()) {
                return Err(JobError::Extension { format, path: path.clone(), allowed });
            }
            if let Some(&(other, _)) = known.iter().find(|(_, other)| other == path) {
                return Err(JobError::SameFile { format, path: path.clone(), other });
            }
            known.push((format, path));
        }
        Ok(())
    }

    /// The files of one view.
    #[must_use]
    pub fn of_view(&self, view: &Aov) -> Self {
        let word = view.file_word();
        self.map(|path| {
            let mut name = OsString::from(path.file_stem().unwrap_or_default());
            name.push(format!(".{word}"));
            if let Some(extension) = path.extension() {
                name.push(".");
                name.push(extension);
            }
            path.with_file_name(name)
        })
    }

    /// All paths, with those of each view.
    #[must_use]
    pub fn with_views(&self, views: &[Aov]) -> Vec<PathBuf> {
        let of_views = views.iter().map(|view| self.of_view(view));
        let all = core::iter::once(self.clone()).chain(of_views);
        all.flat_map(|files| files.iter().map(|(_, path)| path.clone()).collect::<Vec<_>>())
            .collect()
    }

    /// Files of pictures and views that are missing, incomplete, or made from something else.
    #[must_use]
    pub fn outdated(&self, provenance: &Provenance, views: &[Aov]) -> Vec<PathBuf> {
        let mut outdated = self.outdated_of(provenance, None);
        for view in views {
            outdated.extend(self.of_view(view).outdated_of(provenance, Some(&view.word())));
        }
        outdated
    }

    fn outdated_of(&self, provenance: &Provenance, view: Option<&str>) -> Vec<PathBuf> {
        let is_current = |path: &Path| {
            let bytes = read_regular(path).unwrap_or_default();
            matches_provenance(&bytes, provenance, view)
        };
        let has_atlas =
            |format, path: &Path| format != AnimationFormat::Sheet || atlas_of(path).exists();
        let outdated =
            self.iter().filter(|(format, path)| !is_current(path) || !has_atlas(*format, path));
        outdated.map(|(_, path)| path.clone()).collect()
    }
}

/// The JSON file with the position of each frame on a sprite sheet.
pub(super) fn atlas_of(sheet: &Path) -> PathBuf {
    sheet.with_extension("json")
}
