//! Tone mapping: from scene light to display colours.

/// Factor and curve of the light of a picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tone {
    /// Factor of all light; 1 keeps it.
    pub exposure: f32,
    /// True if bright light is compressed by the curve of Khronos PBR Neutral; otherwise it is
    /// clamped.
    pub is_neutral: bool,
}

impl Tone {
    /// All light as it is, clamped.
    pub const NONE: Self = Self { exposure: 1.0, is_neutral: false };
}

impl Default for Tone {
    fn default() -> Self {
        Self::NONE
    }
}
