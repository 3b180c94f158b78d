//! Contents of a file: its model, its clips and its tick rate.

use super::ticks::TickRate;
use tintype_model::{Model, NamedClip};

/// Contents of a `.x` file.
#[derive(Clone, Debug)]
pub struct XModel {
    /// One joint a frame, in file order, and the meshes; a file of clips has no mesh.
    pub model: Model,
    /// One clip an animation set, in file order. They move joints by the names of frames, so they fit other models too.
    pub clips: Vec<NamedClip>,
    /// Ticks per second.
    pub ticks: TickRate,
}
