//! Pixel buffer of a tile, in Morton order.

use crate::geometry::morton::{BLOCK, Morton, Runs};
use crate::resolve::encode::Encoding;
use tintype_model::math::srgb::LaneEncoder;
use tintype_model::simd::Simd;
use tintype_model::simd::prelude::*;

/// Encoded pixels of a tile in Morton order.
#[derive(Default)]
pub(crate) struct Pixels(pub Vec<u32>);

/// Encodes colours and writes them to the pixels of a tile.
pub(crate) struct PixelWriter<'a, S: Simd> {
    pub encoder: LaneEncoder,
    pub encoding: &'a mut Encoding<S>,
    pub pixels: &'a mut Pixels,
}

/// Pixels of a block.
pub(crate) const BLOCK_PIXELS: usize = (BLOCK * BLOCK) as usize;

impl Pixels {
    /// Copies the tile to its rows of the picture.
    #[inline(always)]
    pub(crate) fn copy_to(&self, rows: &mut [&mut [[u8; 4]]]) {
        let (blocks, _) = self.0.as_chunks::<BLOCK_PIXELS>();
        for (y, row) in (0..).zip(rows) {
            // In a block, a row of pixels is two pairs of codes.
            let left = usize::from(Morton::new(0, y % BLOCK).0) / 2;
            let first = Morton::new(0, y - y % BLOCK).0;
            let (wholes, rest) = row.as_chunks_mut::<{ BLOCK as usize }>();
            let count = wholes.len();
            for (x, whole) in (0..).step_by(BLOCK as usize).zip(wholes) {
                *whole = piece(blocks, first | Morton::new(x, 0).0, left);
            }
            if !rest.is_empty() {
                let x = BLOCK * u32::try_from(count).unwrap_or(0);
                let last = piece(blocks, first | Morton::new(x, 0).0, left);
                rest.copy_from_slice(&last[..rest.len()]);
            }
        }
    }
}

impl Pixels {
    /// Writes the first pixels of a vector, each to its [`Morton`] code.
    #[inline(always)]
    pub(crate) fn scatter<S: Simd>(&mut self, codes: S::u32s, mortons: S::u32s, count: usize) {
        let pairs = mortons.as_slice().iter().zip(codes.as_slice());
        for (&morton, &code) in pairs.take(count) {
            self.0[morton as usize] = code;
        }
    }

    /// Writes a vector of pixels starting at code `first`, in the lanes of `shown`.
    #[inline(always)]
    pub(crate) fn put_run<S: Simd>(&mut self, simd: S, codes: S::u32s, shown: u64, first: usize) {
        let pixels = &mut self.0[first..first + S::u32s::LEN];
        if shown == Runs::<S>::ALL {
            codes.store_slice(pixels);
            return;
        }
        let shown = S::mask32s::from_bitmask(simd, shown);
        shown.select(codes, S::u32s::from_slice(simd, pixels)).store_slice(pixels);
    }
}

/// Four adjacent pixels of the block that begins with code `first`; `pair` numbers the first pair.
#[inline(always)]
fn piece(blocks: &[[u32; BLOCK_PIXELS]], first: u16, pair: usize) -> [[u8; 4]; BLOCK as usize] {
    let (pairs, _) = blocks[usize::from(first) / BLOCK_PIXELS].as_chunks::<2>();
    let ([a, b], [c, d]) = (pairs[pair & 5], pairs[(pair & 5) + 2]);
    [a.to_le_bytes(), b.to_le_bytes(), c.to_le_bytes(), d.to_le_bytes()]
}
