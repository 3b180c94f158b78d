//! Decoded pictures, and the meaning of their bytes.

/// A decoded picture: 8-bit straight RGBA, rows from the top.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Image {
    /// Pixels a row.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// `width * height` pixels.
    pub rgba: Vec<[u8; 4]>,
}

/// Conversion of the bytes of a picture to texels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TextureKind {
    /// sRGB colour whose alpha is ignored and set to 1.
    OpaqueColor,
    /// sRGB colour with coverage in alpha; texels are premultiplied.
    AlphaColor,
    /// Linear values such as a normal map; alpha is set to 1.
    Data,
    /// White with coverage in alpha.
    Coverage,
}
