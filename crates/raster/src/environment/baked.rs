//! Prefiltered environments as bytes, so that one that every process needs is computed ahead of
//! time.
//!
//! Input: the bytes of a file in this folder. Output: the encoded map, bit by bit.
//!
//! # Layout
//! Little-endian: 27 coefficients of diffuse light in 32 bits, then all levels row by row without
//! their borders, three packed numbers per texel.

use super::map::{EnvironmentMap, LEVELS, MapLevel};
use super::prefilter::{side_of, with_border};
use tintype_model::math::Vec3;

/// Numbers of diffuse light: nine colours.
const COEFFICIENTS: usize = 27;

/// Writes a prefiltered environment.
pub(super) fn encoded(map: &EnvironmentMap) -> Vec<u8> {
    let coefficients = map.diffuse.iter().flatten().flat_map(|color| color.to_array());
    let mut bytes: Vec<u8> = coefficients.flat_map(f32::to_le_bytes).collect();
    for level in &map.levels[..LEVELS] {
        let (side, stride) = (level.size[0] as usize, level.stride() as usize);
        for row in 1..=side {
            for [r, g, b, _] in &map.texels[level.first + row * stride + 1..][..side] {
                bytes.extend([r, g, b].into_iter().flat_map(|part| part.to_le_bytes()));
            }
        }
    }
    bytes
}

/// Reads a prefiltered environment; its sharp map has this many texels per side.
pub(super) fn decoded(bytes: &[u8], side: u32) -> EnvironmentMap {
    let (coefficients, texels) = bytes.split_at(COEFFICIENTS * size_of::<f32>());
    let mut numbers =
        coefficients.as_chunks::<4>().0.iter().map(|&bytes| f32::from_le_bytes(bytes));
    let diffuse =
        [(); 9].map(|()| Vec3::from_array([(); 3].map(|()| numbers.next().unwrap_or(0.0))));
    let mut rest = texels.as_chunks::<2>().0.as_chunks::<3>().0;
    let (mut levels, mut texels) = ([MapLevel::default(); LEVELS + 1], Vec::new());
    for (number, level) in levels[..LEVELS].iter_mut().enumerate() {
        *level = MapLevel::square(side_of(side, number), texels.len());
        let own = rest.split_off(..(level.size[0] * level.size[1]) as usize).unwrap_or_default();
        let texel = |parts: &[[u8; 2]; 3]| {
            let [r, g, b] = parts.map(u16::from_le_bytes);
            [r, g, b, 0]
        };
        texels.extend(with_border(&own.iter().map(texel).collect::<Vec<_>>(), level.size[0]));
    }
    EnvironmentMap { diffuse: Some(diffuse), levels, texels, lamps: Vec::new() }
}
