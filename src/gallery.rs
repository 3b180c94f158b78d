//! Thumbnails of many models, and the page that shows them.

use super::{Error, ErrorKind, Frame, LoadOptions, Thumbnail};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tintype_framing::thumbnail::ThumbnailOptions;
use tintype_golden::gallery_run::GalleryRun;
use tintype_golden::report::encode_gallery_json;
use tintype_golden::report::gallery::Gallery as Pages;
use tintype_golden::test_report::refuse_foreign_page;
use tintype_host::job::discover::{ModelSources, discover};
use tintype_host::job::thumbnail::{Target, ThumbnailError, ThumbnailJob};
use tintype_host::job::{InWork, Retry, StopToken};
use tintype_output::FileFormat;

/// Thumbnails of all models below some folders, each written to a file in one folder.
///
/// ```
/// use tintype::{Gallery, Thumbnail};
///
/// let folder = std::path::Path::new("out/gallery");
/// let gallery = Gallery::draw(&["scenes/assets"], &Thumbnail::new(64), folder)?;
/// for model in gallery.models() {
///     println!("{}: {}", model.name, model.problem.unwrap_or("drawn"));
/// }
/// gallery.write_page()?;
/// gallery.sheet()?.save("out/sheet.png")?;
/// # Ok::<(), tintype::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Gallery {
    folder: PathBuf,
    lacking: usize,
    pages: Pages,
}

/// A model of a [`Gallery`].
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct GalleryModel<'g> {
    /// Its path relative to the deepest folder that contains all models, with `/` between the
    /// parts.
    pub name: &'g str,
    /// The file of its picture, if it has one.
    pub picture: Option<PathBuf>,
    /// The reason why it has no picture.
    pub problem: Option<&'g str>,
    /// Warnings, such as missing textures.
    pub warnings: &'g [String],
}

impl Gallery {
    /// Draws pictures into a folder, one for each model that is listed or lies below a listed
    /// folder. Pictures that are up to date are kept. A model that cannot be drawn is part of the
    /// result, not an error.
    ///
    /// # Errors
    /// [`ErrorKind::File`] if there is no model, [`ErrorKind::Scene`] if an option is out of range,
    /// [`ErrorKind::Name`] if no model has the requested clip, [`ErrorKind::Write`] if a picture
    /// cannot be written.
    pub fn draw(
        models: &[impl AsRef<Path>],
        thumbnail: &Thumbnail,
        folder: &Path,
    ) -> Result<Self, Error> {
        let paths = models.iter().map(|path| path.as_ref().to_owned()).collect();
        let found = discover(&ModelSources { paths, ..ModelSources::default() });
        let models = found.map_err(|error| Error::of(ErrorKind::File, &error))?.models;
        let options = ThumbnailOptions {
            format: Some(FileFormat::Png),
            draws_without_clip: true,
            overwrite: false,
            ..thumbnail.options(&LoadOptions::default())?
        };
        let (size, target) = (options.size, Target::Folder(folder.to_owned()));
        let wanted = options.settings.clip();
        let job = ThumbnailJob {
            models: &models,
            options: Arc::new(options),
            target: &target,
            retry: Retry::default(),
            keep_going: true,
            writes_in_place: false,
            in_work: InWork::default(),
        };
        let mut run = GalleryRun::new(&models, &target, false);
        let threads = rayon::current_num_threads();
        let drawn = job.run(threads, &StopToken::new(), &|| 0.0, |done| {
            run.add(done.index, &done.result);
            ControlFlow::Continue(())
        });
        drawn.map_err(|error| match error {
            ThumbnailError::Output(error) => Error::of_output(&error),
            error => Error::of(ErrorKind::Draw, &error).temporary(true),
        })?;
        run.vanished();
        let clip_wish = std::mem::take(&mut run.clip_wish);
        if let Some(clip) = wanted.filter(|_| clip_wish.is_of_no_model()) {
            return Err(Error::of_clip_of_no_model(&clip, &clip_wish));
        }
        Ok(Self {
            folder: folder.to_owned(),
            lacking: clip_wish.lacking,
            pages: run.into_gallery(size),
        })
    }

    /// Number of models without the requested clip, which are drawn as if none were requested.
    #[must_use]
    pub fn models_without_clip(&self) -> usize {
        self.lacking
    }

    /// The models, sorted by name.
    pub fn models(&self) -> impl ExactSizeIterator<Item = GalleryModel<'_>> {
        self.pages.models.iter().map(|one| GalleryModel {
            name: &one.model,
            picture: one.picture.as_ref().map(|name| self.folder.join(name)),
            problem: one.message.as_deref(),
            warnings: &one.warnings,
        })
    }

    /// Writes the page that shows the pictures, `index.html`, to their folder.
    ///
    /// # Errors
    /// [`ErrorKind::Write`] if it cannot be written, or a page of another program exists.
    pub fn write_page(&self) -> Result<(), Error> {
        let written = refuse_foreign_page(&self.folder);
        let written = written.and_then(|()| self.pages.write_pages(&self.folder));
        written.map_err(|error| Error::of(ErrorKind::Write, &error).temporary(error.is_temporary()))
    }

    /// The content of the page as JSON, as written by `tintype thumbnail --json`.
    #[must_use]
    pub fn to_json(&self) -> String {
        encode_gallery_json(&self.pages)
    }

    /// Combines the pictures in one contact sheet.
    ///
    /// # Errors
    /// [`ErrorKind::File`] if a picture cannot be read, [`ErrorKind::Write`] if there are no
    /// pictures, or too many for one.
    pub fn sheet(&self) -> Result<Frame, Error> {
        let pictures = self.models().filter_map(|model| model.picture);
        let frames: Vec<Frame> = pictures.map(Frame::open).collect::<Result<_, _>>()?;
        Frame::sheet(&frames)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clip_that_no_model_has_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let draw = |models: &[&str], clip: &str| {
            let thumbnail = Thumbnail::new(32).clip(clip);
            Gallery::draw(models, &thumbnail, folder.path())
                .map(|drawn| drawn.models_without_clip())
        };
        let [ranger, globe] = ["scenes/assets/ranger.glb", "scenes/assets/globe.md5mesh"];
        assert_eq!(draw(&[ranger], "walk").unwrap(), 0);
        assert_eq!(draw(&[ranger, globe], "walk").unwrap(), 1);
        let error = draw(&[ranger, globe], "wlak").unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Name);
        assert!(error.to_string().contains("none of the 2 models has a clip \"wlak\""), "{error}");
    }
}
