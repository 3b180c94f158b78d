//! The ground that a view asks for.

use crate::math::Vec3;
use crate::model::LinearRgb;

/// The ground of one view.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Floor {
    /// A place on it: the middle of the disc.
    pub center: Vec3,
    /// Where it has faded to nothing, above 0.
    pub radius: f32,
    /// What it is made of; none for shadow alone.
    pub color: Option<LinearRgb>,
    /// Over which share of the picture's shorter side, from its edges on, shadow alone fades to nothing; 0 for none.
    pub edge: f32,
    /// How dark the contact shadow is, 0..=1.
    pub contact: f32,
    /// The height from which on nothing makes a contact shadow, above 0.
    pub reach: f32,
    /// How wide everything is along x or z over all frames: the grain of the contact shadow follows from it.
    pub width: f32,
    /// How high everything is over all frames.
    pub height: f32,
}

impl Floor {
    /// The bytes that its contact shadow takes at most, while it is made.
    pub const BYTES: usize = 256 * 256 * 26;
}
