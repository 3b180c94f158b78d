//! Reading of a texture between its texels and beyond its edges.

/// Mix of texels where a texture is enlarged; smaller levels are always mixed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum TextureFilter {
    /// Of the four texels around a point.
    #[default]
    Linear,
    /// None: the nearest texel of the first level, so that texels have sharp edges.
    Nearest,
}

impl TextureFilter {
    /// Its word in scenes.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Linear => "linear",
            Self::Nearest => "nearest",
        }
    }
}

/// Continuation of a texture beyond its edges along one axis.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum TextureWrap {
    /// The texture again.
    #[default]
    Repeat,
    /// The texels of the edge.
    Clamp,
    /// The texture again, every second time mirrored.
    Mirror,
}

/// Reading of a texture between its texels and beyond its edges.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct TextureSampling {
    /// Filter of the first level.
    pub filter: TextureFilter,
    /// Continuation to the right and left, and above and below.
    pub wrap: [TextureWrap; 2],
}
