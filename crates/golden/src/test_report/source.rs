//! Sources of the pictures of one entry of a report.

use crate::report::Pictures;
use std::path::PathBuf;
use tintype_compare::{Heat, Map};
use tintype_model::frame::Frame;

/// The pictures behind the files of one entry.
pub struct PictureSource<'a> {
    /// The files.
    pub pictures: Pictures,
    /// The golden picture, where the entry differs from it.
    pub golden: Option<&'a Frame>,
    /// The file of the golden, which is shown if there is no decoded picture.
    pub golden_file: Option<PathBuf>,
    /// The new picture.
    pub new: Option<&'a Frame>,
    /// The new frame through the camera of the golden, where a fitted camera moved.
    pub camera: Option<&'a Frame>,
    /// FLIP of each pixel, if the pictures differ and have equal sizes, with the scale of the
    /// scene.
    pub flip: Option<(Map, Heat)>,
}
