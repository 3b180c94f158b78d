//! Entries of a gallery, gathered while its models are drawn.

use crate::report::gallery::{Gallery, Thumb, ThumbStatus};
use std::path::PathBuf;
use tintype_base::path::{ShowPath, path_of_text, slashed};
use tintype_framing::thumbnail::{Skip, SkipReason, Thumbnail, spin_file};
use tintype_framing::{ClipWish, ModelFile};
use tintype_host::job::thumbnail::Target;

/// The results of drawing models into files, up to now.
#[derive(Debug)]
pub struct GalleryRun<'a> {
    models: &'a [ModelFile],
    target: &'a Target,
    /// True if each picture has a turntable beside it.
    spin: bool,
    thumbs: Vec<Option<Thumb>>,
    /// The most severe reason why a model has no picture.
    pub worst: Option<SkipReason>,
    /// The models with and without the requested clip.
    pub clip_wish: ClipWish,
}

impl<'a> GalleryRun<'a> {
    /// Begins with no model drawn.
    #[must_use]
    pub fn new(models: &'a [ModelFile], target: &'a Target, spin: bool) -> Self {
        let (thumbs, clip_wish) = (vec![None; models.len()], ClipWish::default());
        Self { models, target, spin, thumbs, worst: None, clip_wish }
    }

    /// Adds the result of a model, and returns its entry.
    pub fn add(&mut self, index: usize, result: &Result<Thumbnail, Skip>) -> &mut Thumb {
        let model = &self.models[index];
        let mut thumb = Thumb::new(model, self.target.file(model).1, result);
        match result {
            Ok(drawn) => {
                self.clip_wish.add(drawn.lacks_clip, drawn.facts.clips.iter().cloned());
                let spin = |picture: &String| spin_file(&path_of_text(picture)).shown();
                thumb.spin = thumb.picture.as_ref().filter(|_| self.spin).map(spin);
            }
            Err(skip) if skip.is_no_model(model) => {}
            Err(skip) => self.worst = self.worst.max(Some(skip.reason)),
        }
        self.thumbs[index].insert(thumb)
    }

    /// Pictures that were written or up to date, and that another program has removed since; each
    /// becomes a failure.
    pub fn vanished(&mut self) -> Vec<PathBuf> {
        let mut gone = Vec::new();
        for (model, thumb) in self.models.iter().zip(&mut self.thumbs) {
            let Some(thumb) = thumb.as_mut().filter(|thumb| thumb.picture.is_some()) else {
                continue;
            };
            let Some(file) = self.target.file(model).0 else { continue };
            if matches!(file.try_exists(), Ok(false)) {
                let reason = SkipReason::Temporary;
                (thumb.status, thumb.picture) = (ThumbStatus::Failed, None);
                thumb.reason = Some(reason.word());
                thumb.message = Some(VANISHED.to_owned());
                self.worst = self.worst.max(Some(reason));
                gone.push(file);
            }
        }
        gone
    }

    /// The gallery of the models that were drawn or skipped.
    #[must_use]
    pub fn into_gallery(self, size: [u32; 2]) -> Gallery {
        let output = match self.target {
            Target::Folder(path) | Target::File(path) => Some(slashed(path)),
            Target::Stdout => None,
        };
        Gallery::new(output, size, self.thumbs.into_iter().flatten().collect())
    }
}

/// Reason of a picture that [vanished](GalleryRun::vanished).
pub const VANISHED: &str = "another program removed it during the run: run the command again";
