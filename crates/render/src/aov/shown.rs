//! A view of one frame, with its legend.

use tintype_model::frame::Frame;
use tintype_scene::Aov;

/// An AOV of one frame.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shown {
    /// The kind of AOV.
    pub aov: Aov,
    /// The picture, opaque.
    pub frame: Frame,
    /// Meaning of its colours, with the scale.
    pub legend: String,
}

impl Shown {
    /// Describes the view and the meaning of its colours, for people.
    #[must_use]
    pub fn described(&self) -> String {
        format!("{}: {}", self.aov.word(), self.legend)
    }
}
