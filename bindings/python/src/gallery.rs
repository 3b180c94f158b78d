//! Thumbnails of many models, and the page that shows them.

use crate::diagnostic::raised;
use crate::frame::Frame;
use crate::options::{GALLERY, Paths};
use crate::threads::detach;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::path::PathBuf;
use tintype::Thumbnail;

/// A model of a gallery.
#[pyclass(frozen, get_all, module = "tintype")]
pub(crate) struct GalleryModel {
    /// Its path relative to the deepest folder that contains all models.
    name: String,
    /// The file of its picture, if it has one.
    picture: Option<PathBuf>,
    /// The reason why it has no picture.
    problem: Option<String>,
    /// Warnings, such as missing textures.
    warnings: Vec<String>,
}

#[pymethods]
impl GalleryModel {
    fn __repr__(&self) -> String {
        let told = self.problem.as_deref().unwrap_or("drawn");
        format!("<tintype.GalleryModel {:?}: {told}>", self.name)
    }
}

/// Thumbnails of models in one folder.
#[pyclass(frozen, module = "tintype")]
pub(crate) struct Gallery {
    gallery: tintype::Gallery,
}

#[pymethods]
impl Gallery {
    /// The models, sorted by name. A model that could not be drawn has a `problem`.
    #[getter]
    fn models(&self) -> Vec<GalleryModel> {
        let models = self.gallery.models().map(|model| GalleryModel {
            name: model.name.to_owned(),
            picture: model.picture,
            problem: model.problem.map(str::to_owned),
            warnings: model.warnings.to_vec(),
        });
        models.collect()
    }

    /// Number of models without the requested clip, which are drawn as if none were requested.
    #[getter]
    fn models_without_clip(&self) -> usize {
        self.gallery.models_without_clip()
    }

    /// Writes the page that shows the pictures, `index.html`, to their folder.
    fn write_page(&self, py: Python<'_>) -> PyResult<()> {
        detach(py, || self.gallery.write_page()).map_err(|error| raised(py, &error))
    }

    /// Combines the pictures in one.
    fn sheet(&self, py: Python<'_>) -> PyResult<Frame> {
        Frame::new(py, detach(py, || self.gallery.sheet()).map_err(|error| raised(py, &error))?)
    }

    fn __repr__(&self) -> String {
        let drawn = self.gallery.models().filter(|model| model.picture.is_some()).count();
        format!("<tintype.Gallery {drawn} of {} drawn>", self.gallery.models().len())
    }
}

/// Draws thumbnails of all models that are listed or lie below a listed folder into the folder
/// `output`, with models in parallel. Pictures that are up to date are kept.
///
/// - `size`: side of each square picture in pixels; 256 by default
/// - `textures`: folders searched first
///
#[doc = include_str!("doc/thumbnail.md")]
#[pyfunction]
#[pyo3(signature = (models, output, **options))]
pub(crate) fn gallery(
    py: Python<'_>,
    models: Paths,
    output: PathBuf,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<Gallery> {
    let options = GALLERY.read(options)?;
    let thumbnail = Thumbnail::new(options.side.unwrap_or(256)).settings(&options.settings);
    let thumbnail = options.textures.into_iter().fold(thumbnail, Thumbnail::textures);
    let drawn = detach(py, || tintype::Gallery::draw(&models.0, &thumbnail, &output));
    Ok(Gallery { gallery: drawn.map_err(|error| raised(py, &error))? })
}
