//! Pictures as PNG files: 8 bits per channel, RGB or RGBA, packed tightly.
//!
//! The encoder is that of the program; its output depends only on the pixels.

use crate::scalar::{Rgb, unit};
use std::io;

/// A picture in memory, rows from the top.
pub(crate) struct Picture {
    /// Texels along a row.
    pub width: usize,
    /// Rows.
    pub height: usize,
    /// Red, green, blue and optional coverage; 0..=1.
    pub texels: Vec<[f64; 4]>,
}

impl Picture {
    /// A black, solid picture.
    pub(crate) fn new(width: usize, height: usize) -> Self {
        Self { width, height, texels: vec![[0.0, 0.0, 0.0, 1.0]; width * height] }
    }

    /// A picture from a function of texture coordinates (centre of the texel, v down).
    pub(crate) fn painted(
        width: usize,
        height: usize,
        paint: impl Fn(f64, f64) -> [f64; 4],
    ) -> Self {
        let mut picture = Self::new(width, height);
        for (index, texel) in picture.texels.iter_mut().enumerate() {
            let (x, y) = (index % width, index / width);
            *texel = paint((x as f64 + 0.5) / width as f64, (y as f64 + 0.5) / height as f64);
        }
        picture
    }

    /// The bytes of a PNG file, with or without the fourth channel.
    pub(crate) fn encode(&self, with_alpha: bool) -> io::Result<Vec<u8>> {
        let channels = if with_alpha { 4 } else { 3 };
        let codes: Vec<u8> = self
            .texels
            .iter()
            .flat_map(|texel| {
                texel[..channels].iter().map(|&part| (unit(part) * 255.0).round() as u8)
            })
            .collect();
        let mut bytes = Vec::new();
        let (width, height) = (self.width as u32, self.height as u32);
        let mut encoder = png::Encoder::new(&mut bytes, width, height);
        encoder.set_color(if with_alpha { png::ColorType::Rgba } else { png::ColorType::Rgb });
        encoder.set_depth(png::BitDepth::Eight);
        encoder.set_compression(png::Compression::High);
        let mut writer = encoder.write_header()?;
        writer.write_image_data(&codes)?;
        writer.finish()?;
        Ok(bytes)
    }
}

/// A solid texel.
pub(crate) fn solid([r, g, b]: Rgb) -> [f64; 4] {
    [r, g, b, 1.0]
}

/// A unit direction of tangent space (right, up, out) as a texel of a normal map.
pub(crate) fn normal_texel(direction: [f64; 3]) -> [f64; 4] {
    // 128 is straight: codes 1..=255 represent -1..=1.
    let code = |part: f64| (128.0 + part * 127.0) / 255.0;
    [code(direction[0]), code(direction[1]), code(direction[2]), 1.0]
}
