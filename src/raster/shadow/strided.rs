//! Strided maps: the texels of a depth map that lie a power of two apart, as contiguous rows, so that lanes load the taps of a
//! window without gathering.
//!
//! A row has an empty margin on both sides, so windows that reach beyond the map need no test. This module filters nothing.

use crate::raster::shadow::depth_pass::DepthMap;
/// Empty texels on either side of a row: as many as a window has taps, in whole vectors.
pub(crate) const BESIDE: usize = 32;

/// Every texel of a map whose column and row are multiples of a power of two.
#[derive(Clone, Debug)]
pub(crate) struct StridedMap {
    pub width: usize,
    pub height: usize,
    /// Texels from a row to the next.
    pub stride: usize,
    /// Rows, each with [`BESIDE`] texels on either side.
    pub texels: Vec<u16>,
}

impl StridedMap {
    fn new(width: usize, height: usize) -> Self {
        let stride = width + 2 * BESIDE;
        Self { width, height, stride, texels: vec![0; stride * height] }
    }

    pub(crate) fn row(&self, y: usize) -> &[u16] {
        &self.texels[y * self.stride + BESIDE..][..self.width]
    }

    /// All texels.
    pub(crate) fn whole(map: &DepthMap) -> Self {
        let mut grain = Self::new(map.width as usize, map.height as usize);
        let rows = grain.texels.chunks_exact_mut(grain.stride);
        for (to, from) in rows.zip(map.texels.chunks_exact(grain.width.max(1))) {
            to[BESIDE..][..from.len()].copy_from_slice(from);
        }
        grain
    }

    /// Every second texel of this map.
    fn halved(&self) -> Self {
        let mut grain = Self::new(self.width.div_ceil(2), self.height.div_ceil(2));
        for (y, row) in grain.texels.chunks_exact_mut(grain.stride).enumerate() {
            for (to, from) in row[BESIDE..].iter_mut().zip(self.row(2 * y).iter().step_by(2)) {
                *to = *from;
            }
        }
        grain
    }

    pub(crate) fn byte_size(&self) -> usize {
        self.texels.len() * size_of::<u16>()
    }
}

/// Appends that many coarser maps, each with half the texels along each side.
pub(crate) fn add_coarser(strided: &mut Vec<StridedMap>, count: u32) {
    for _ in 0..count {
        strided.extend(strided.last().map(StridedMap::halved));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strided_maps_hold_every_texel_that_stands_on_their_lattice() {
        for (width, height) in [(1_u32, 1_u32), (7, 5), (64, 33)] {
            let texels: Vec<u16> = (1..=width * height).map(|number| number as u16).collect();
            let map = DepthMap { width, height, texels };
            let mut strided = vec![StridedMap::whole(&map)];
            add_coarser(&mut strided, 4);
            for (bits, grain) in strided.iter().enumerate() {
                let step = 1 << bits;
                assert_eq!(grain.height, (height as usize).div_ceil(step));
                for y in 0..grain.height {
                    let every = |x: usize| map.texels[y * step * width as usize + x * step];
                    let wanted: Vec<u16> = (0..grain.width).map(every).collect();
                    assert_eq!(grain.row(y), wanted);
                    let whole = &grain.texels[y * grain.stride..(y + 1) * grain.stride];
                    let (left, rest) = whole.split_at(BESIDE);
                    let right = &rest[grain.width..];
                    assert!(right.len() == BESIDE && left.iter().chain(right).all(|&t| t == 0));
                }
            }
        }
    }
}
