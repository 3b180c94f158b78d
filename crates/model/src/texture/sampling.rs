//! Reading of a texture between its texels and beyond its edges.

/// Mix of texels of a texture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum TextureFilter {
    /// Between the four texels around a point, in two levels if the texture is reduced.
    #[default]
    Linear,
    /// Nearest when magnified: the nearest texel of the first level, so that texels have sharp
    /// edges. When minified, as [`Self::Linear`].
    Nearest,
    /// Nearest at any size: the nearest texel of the first level.
    Texels,
}

impl TextureFilter {
    /// Its word in scenes.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Linear => "linear",
            Self::Nearest => "nearest",
            Self::Texels => "texels",
        }
    }
}

/// Wrap mode of a texture beyond its edges along one axis.
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
    /// Wrap mode to the right and left, and above and below.
    pub wrap: [TextureWrap; 2],
}
