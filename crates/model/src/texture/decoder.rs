//! Decoding of the bytes of a picture to texels: linear, with 16 bits per channel, colour
//! premultiplied by alpha.

use super::image::TextureKind;
use crate::math::srgb;

/// Decoder of pixels for one kind of texture.
pub(super) struct Decoder {
    kind: TextureKind,
    /// The linear value of each code of a channel of colour.
    table: [u16; 256],
}

impl Decoder {
    pub(super) fn new(kind: TextureKind) -> Self {
        Self { kind, table: decode_table(kind) }
    }

    /// Appends the texels of pixels.
    pub(super) fn append(&self, pixels: &[[u8; 4]], texels: &mut Vec<[u16; 4]>) {
        let linear = |code: u8| self.table[usize::from(code)];
        let color = |&[r, g, b, _]: &[u8; 4]| [linear(r), linear(g), linear(b), u16::MAX];
        let covered = |&[r, g, b, a]: &[u8; 4]| {
            let alpha = u32::from(a) * 257;
            let [r, g, b] = [r, g, b].map(|code| premultiply(linear(code), alpha));
            #[expect(clippy::cast_possible_truncation, reason = "255 * 257 is 65535")]
            let alpha = alpha as u16;
            [r, g, b, alpha]
        };
        match self.kind {
            TextureKind::OpaqueColor | TextureKind::Data => texels.extend(pixels.iter().map(color)),
            TextureKind::AlphaColor | TextureKind::Coverage => {
                texels.extend(pixels.iter().map(covered));
            }
        }
    }
}

/// The linear 16-bit value of each 8-bit code.
fn decode_table(kind: TextureKind) -> [u16; 256] {
    let mut table = [0; 256];
    for (code, entry) in (0..=255_u8).zip(table.iter_mut()) {
        *entry = match kind {
            TextureKind::OpaqueColor | TextureKind::AlphaColor => {
                unorm16(srgb::linear_from_code(code))
            }
            TextureKind::Data => u16::from(code) * 257,
            TextureKind::Coverage => u16::MAX,
        };
    }
    table
}

#[expect(clippy::cast_possible_truncation, reason = "0..=1 becomes 0..=65535")]
#[expect(clippy::cast_sign_loss, reason = "0..=1 becomes 0..=65535")]
fn unorm16(value: f64) -> u16 {
    (value * 65535.0 + 0.5) as u16
}

#[expect(clippy::cast_possible_truncation, reason = "a 16-bit value times 0..=1 has 16 bits")]
fn premultiply(value: u16, alpha: u32) -> u16 {
    // At most 65535 * 65535 + 32767, which fits 32 bits.
    ((u32::from(value) * alpha + 32767) / 65535) as u16
}
