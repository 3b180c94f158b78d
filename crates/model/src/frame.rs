//! A finished frame: 8-bit sRGB pixels.

/// Revision of the pixels, raised with every change of code that changes them: a frame or golden of another revision is stale, not
/// different.
pub const PIXEL_REVISION: u32 = 11;

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
    /// Maximum width and height: the range of the fixed-point edge functions.
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

    /// Red, green and blue of each pixel.
    #[must_use]
    pub fn rgb(&self) -> Vec<u8> {
        self.rgba.iter().flat_map(|&[red, green, blue, _]| [red, green, blue]).collect()
    }

    /// The picture laid on white, as in programs without alpha: codes are mixed, not light.
    #[must_use]
    pub fn on_white(&self) -> Self {
        let laid = |&[red, green, blue, alpha]: &[u8; 4]| {
            let mixed = |code: u8| {
                let (alpha, white) = (u32::from(alpha), u32::from(u8::MAX));
                let sum = u32::from(code) * alpha + white * (white - alpha);
                u8::try_from((sum + white / 2) / white).unwrap_or(u8::MAX)
            };
            [mixed(red), mixed(green), mixed(blue), u8::MAX]
        };
        Self { rgba: self.rgba.iter().map(laid).collect(), ..*self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn on_white_keeps_what_is_opaque() {
        let mut frame = Frame::new(4, 1);
        frame.rgba = vec![[1, 128, 255, 255], [9, 9, 9, 0], [0, 100, 255, 51], [0, 0, 0, 128]];
        let wanted = [[1, 128, 255], [255; 3], [204, 224, 255], [127; 3]];
        assert_eq!(frame.on_white().rgb(), wanted.as_flattened());
    }
}
