//! Shadow casting and the ground that receives shadows, as a scene asks for them.

use super::LinearRgb;

/// A directional light that casts a shadow.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CastShadow {
    /// Index of the light; 0 is the key light of the studio.
    pub light: usize,
    /// Texels a side of its map, [`CastShadow::MIN_SIZE`]..=[`CastShadow::MAX_SIZE`].
    pub size: u32,
    /// Angular diameter of the light seen from the ground, in degrees: 0 gives the hardest shadow that the map allows.
    pub softness_deg: f32,
}

impl CastShadow {
    /// The fewest texels a side.
    pub const MIN_SIZE: u32 = 64;
    /// The most texels a side: 32 MiB a frame that is being drawn.
    pub const MAX_SIZE: u32 = 4096;
    /// Texels a side where the scene does not say.
    pub const DEFAULT_SIZE: u32 = 1024;
    /// The largest light.
    pub const MAX_SOFTNESS_DEG: f32 = 30.0;
    /// The default: the sun through haze. (The bare sun is half a degree.)
    pub const DEFAULT_SOFTNESS_DEG: f32 = 3.0;
}

/// A level ground that catches shadows and hides nothing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ground {
    /// Its height; none for that of the lowest vertex over all frames of the scene.
    pub height: Option<f32>,
    /// Radius around the middle of the models at which it has faded out; none for a radius by their size.
    pub radius: Option<f32>,
    /// Its material; none for a ground of which only the shadow is visible.
    pub color: Option<LinearRgb>,
    /// Darkness of the contact shadow, 0 to 1.
    pub contact: f32,
}

impl Ground {
    /// The default darkness of the contact shadow.
    pub const DEFAULT_CONTACT: f32 = 0.75;
}

impl Default for Ground {
    fn default() -> Self {
        Self { height: None, radius: None, color: None, contact: Self::DEFAULT_CONTACT }
    }
}
