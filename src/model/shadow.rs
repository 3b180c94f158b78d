//! What casts shadows, and the ground that catches them: what a scene asks for.

use super::LinearRgb;

/// A directional light that casts a shadow.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CastShadow {
    /// Which of the lights; 0 is the key light of the studio.
    pub light: usize,
    /// Texels a side of its map, [`CastShadow::MIN_SIZE`]..=[`CastShadow::MAX_SIZE`].
    pub size: u32,
    /// How large the light looks from the ground, edge to edge, in degrees: 0 is as hard as the map can be.
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
    /// Where the scene does not say: the sun through haze. (The bare sun is half a degree.)
    pub const DEFAULT_SOFTNESS_DEG: f32 = 3.0;
}

/// A level ground that catches shadows and hides nothing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ground {
    /// Its height; none for that of the lowest vertex over all frames of the scene.
    pub height: Option<f32>,
    /// How far it reaches from the middle of the models, where it has faded to nothing; none for what their size asks for.
    pub radius: Option<f32>,
    /// What it is made of; none for a ground of which only the shadow is seen.
    pub color: Option<LinearRgb>,
    /// How dark the contact shadow is, 0 to 1.
    pub contact: f32,
}

impl Ground {
    /// How dark the contact shadow is where the scene does not say.
    pub const DEFAULT_CONTACT: f32 = 0.75;
}

impl Default for Ground {
    fn default() -> Self {
        Self { height: None, radius: None, color: None, contact: Self::DEFAULT_CONTACT }
    }
}
