//! The ground of a view: a disc that catches shadows.

use tintype_model::LinearRgb;
use tintype_model::math::Vec3;

/// The ground of one view.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Floor {
    /// Centre of the disc.
    pub center: Vec3,
    /// Distance from the centre at which the ground has faded out; above 0.
    pub radius: f32,
    /// Colour of the surface. None for shadow alone.
    pub color: Option<LinearRgb>,
    /// Width of the band along the edges of the picture where shadow fades out, as a fraction of
    /// the shorter side; 0 for none.
    pub edge: f32,
    /// Strength of the contact shadow, 0..=1.
    pub contact: f32,
    /// Height from which parts cast no contact shadow; above 0.
    pub reach: f32,
    /// Extent of all models along x or z at rest, which determines the resolution of the contact
    /// shadow.
    pub width: f32,
    /// Height of all models at rest.
    pub height: f32,
}

impl Floor {
    /// Maximum bytes of the contact shadow during its computation.
    pub const BYTES: usize = 512 * 512 * 26;
}
