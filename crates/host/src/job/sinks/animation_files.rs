//! Names of the files that hold all frames: animated PNG, GIF, WebP, video and sprite sheet, of the
//! pictures and of each view.

use super::animation_format::AnimationFormat;
use super::video_writer::video_mark;
use crate::job::error::JobError;
use crate::{is_stream, matches_provenance};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use tintype_base::disk::read_regular;
use tintype_output::{FileFormat, Provenance};
use tintype_scene::Aov;

/// The files of all frames; `None` for a format that is not written.
///
/// Each view has files beside those of the pictures, with the name of the view before the
/// extension: `robot.depth.gif`. A file is rewritten unless it is complete and its provenance
/// matches.
#[derive(Clone, Debug, Default)]
pub struct AnimationFiles {
    /// Animated PNG.
    pub apng: Option<PathBuf>,
    /// GIF.
    pub gif: Option<PathBuf>,
    /// Animated WebP.
    pub webp: Option<PathBuf>,
    /// Video.
    pub video: Option<PathBuf>,
    /// Sprite sheet.
    pub sheet: Option<PathBuf>,
}

impl AnimationFiles {
    /// Each file with its format.
    pub fn iter(&self) -> impl Iterator<Item = (AnimationFormat, &PathBuf)> {
        let Self { apng, gif, webp, video, sheet } = self;
        let all = [
            (AnimationFormat::Apng, apng),
            (AnimationFormat::Gif, gif),
            (AnimationFormat::WebP, webp),
            (AnimationFormat::Video, video),
            (AnimationFormat::Sheet, sheet),
        ];
        all.into_iter().filter_map(|(format, path)| Some((format, path.as_ref()?)))
    }

    /// True if no file is written.
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
        Self {
            apng: change(&self.apng),
            gif: change(&self.gif),
            webp: change(&self.webp),
            video: change(&self.video),
            sheet: change(&self.sheet),
        }
    }

    /// The file of all frames for a name of this format. Empty if such a file contains one picture.
    #[must_use]
    pub fn of_format(format: FileFormat, path: PathBuf) -> Self {
        let mut files = Self::default();
        match format {
            FileFormat::Png | FileFormat::Jpeg => {}
            FileFormat::Apng => files.apng = Some(path),
            FileFormat::Gif => files.gif = Some(path),
            FileFormat::WebP => files.webp = Some(path),
            FileFormat::Mp4 | FileFormat::Webm | FileFormat::Mov => files.video = Some(path),
        }
        files
    }

    /// These files and `others`.
    ///
    /// # Errors
    /// [`JobError::TwoFiles`] if both name a file of a format.
    pub fn with(mut self, others: Self) -> Result<Self, JobError> {
        let Self { apng, gif, webp, video, sheet } = others;
        for (own, other) in [
            (&mut self.apng, apng),
            (&mut self.gif, gif),
            (&mut self.webp, webp),
            (&mut self.video, video),
            (&mut self.sheet, sheet),
        ] {
            match (own.as_ref(), other) {
                (Some(own), Some(other)) => {
                    return Err(JobError::TwoFiles { path: own.clone(), other });
                }
                (None, Some(other)) => *own = Some(other),
                (_, None) => {}
            }
        }
        Ok(self)
    }

    /// Checks that each name has an extension of its format, and that all names differ.
    ///
    /// # Errors
    /// [`JobError::Extension`] or [`JobError::SameFile`].
    pub fn check(&self) -> Result<(), JobError> {
        let mut known: Vec<(AnimationFormat, &Path)> = Vec::new();
        for (format, path) in self.iter() {
            let own = FileFormat::of_path(path);
            if !is_stream(path) && !own.is_some_and(|own| format.is_written_as(own)) {
                let allowed = FileFormat::listed(|own| format.is_written_as(own));
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

    /// All paths, including those of each view.
    #[must_use]
    pub fn with_views(&self, views: &[Aov]) -> Vec<PathBuf> {
        let of_views = views.iter().map(|view| self.of_view(view));
        let all = core::iter::once(self.clone()).chain(of_views);
        all.flat_map(|files| files.iter().map(|(_, path)| path.clone()).collect::<Vec<_>>())
            .collect()
    }

    /// Missing, incomplete or outdated files of pictures and views.
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
            match FileFormat::of_path(path) {
                Some(format) if format.is_video() => {
                    let mark = video_mark(provenance, view);
                    bytes.windows(mark.len()).any(|part| part == mark.as_bytes())
                }
                format => {
                    format.is_some_and(|format| format.is_format_of(&bytes))
                        && matches_provenance(&bytes, provenance, view)
                }
            }
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
