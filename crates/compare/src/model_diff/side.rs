//! One of the two models of a comparison, with its clip.

use crate::surface::Surface;
use tintype_model::{Clip, Model};

/// A model with the clip that moves it; in its bind pose without one.
#[derive(Clone, Copy, Debug)]
pub struct Side<'a> {
    /// The model.
    pub model: &'a Model,
    /// The clip.
    pub clip: Option<&'a Clip>,
    /// Its materials with their textures, if these are compared.
    pub surfaces: &'a [Surface],
}
