//! A finished frame: 8-bit sRGB pixels.

/// Revision of the pixels, raised with every change of code that changes them: a frame or golden of another revision is stale, not
/// different.
pub const PIXEL_REVISION: u32 = 9;

/// A picture of 8-bit sRGB pixels with straight alpha, rows from the top.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    /// Pixels per row.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// `width * height` pixels: red, green, blue, alpha.
    pub rgba: Vec<[u8; 4]>,
}

impl Frame {
    /// Largest width and height: the range of the fixed-point edge functions.
    pub const MAX_SIDE: u32 = 16_384;

    /// A frame of transparent black.
    #[must_use]
    pub fn new(width: u32, height: u32) -> Self {
        Self { width, height, rgba: vec![[0; 4]; width as usize * height as usize] }
    }

    /// The pixel in column `x` of row `y`.
    #[must_use]
    pub fn pixel(&self, x: u32, y: u32) -> [u8; 4] {
        self.rgba[y as usize * self.width as usize + x as usize]
    }
}
