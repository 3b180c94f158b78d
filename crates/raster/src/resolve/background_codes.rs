//! Encoded background of every row of a picture, without ground and environment.
//!
//! Input: the background of a view. Output: codes common to adjacent tiles, so that none encodes
//! them again.

use crate::Background;
use crate::resolve::dither::{dithered, threshold};
use crate::resolve::encode::encode_pixel;
use tintype_model::math::{Vec3, Vec4, bayer};

/// Background of a row of a picture of this height, premultiplied.
#[expect(clippy::cast_precision_loss, reason = "a side has at most 15 bits")]
pub(crate) fn row_of(background: Background, height: u32, y: u32) -> Vec4 {
    match background {
        Background::Transparent => Vec4::ZERO,
        Background::Gradient { top, bottom } => {
            let part = (y as f32 + 0.5) / height as f32;
            let mix = |from: f32, to: f32| from + (to - from) * part;
            let color = Vec3::new(mix(top.r, bottom.r), mix(top.g, bottom.g), mix(top.b, bottom.b));
            color.extend(1.0)
        }
    }
}

/// Codes of the background along a row of the picture, which repeat: the column of a pixel modulo
/// [`bayer::SIDE`].
pub(crate) type RowCodes = [u32; bayer::SIDE as usize];

/// Encoded background of every row of a picture, without ground, used by all tiles of a row.
pub(crate) struct BackgroundCodes(Vec<RowCodes>);

impl BackgroundCodes {
    /// Encodes the rows of a picture of that height.
    pub(crate) fn new(background: Background, height: u32, is_dithered: bool) -> Self {
        let code = |color| u32::from_le_bytes(encode_pixel(color));
        let of_row = |y| {
            let color = row_of(background, height, y).to_array();
            if !is_dithered {
                return [code(color); bayer::SIDE as usize];
            }
            let mut codes = RowCodes::default();
            for (x, entry) in (0..).zip(&mut codes) {
                *entry = code(dithered(color, threshold(x, y)));
            }
            codes
        };
        Self((0..height).map(of_row).collect())
    }

    /// The codes of a row.
    pub(crate) fn row(&self, y: u32) -> &RowCodes {
        &self.0[y as usize]
    }
}

/// The code in a row of the picture at a column.
pub(crate) fn code_at(codes: &RowCodes, x: u32) -> u32 {
    codes[(x % bayer::SIDE) as usize]
}
