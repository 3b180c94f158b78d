//! Maps that every process needs alike, computed ahead and kept in files beside this one: the first picture does not wait for them.
//!
//! Input: the bytes of a file. Output: the map that [`super::studio`] or [`super::albedo`] computes, bit by bit; a test compares them.
//! The example `bake_environment` writes the files anew.
//!
//! # Layout
//! Little-endian. A prefiltered environment: 27 coefficients of diffuse light in 32 bits, then all levels row by row without
//! their borders, three packed numbers a texel. The table of reflected shares: scale and offset of each entry, in 32 bits.

use super::albedo;
use super::map::{EnvironmentMap, LEVELS, MapLevel};
use super::prefilter::{side_of, with_border};
use super::studio::computed;
use crate::math::Vec3;

/// Numbers of diffuse light: nine colours.
const COEFFICIENTS: usize = 27;

/// The studio as a file.
pub(super) const STUDIO: &[u8] = include_bytes!("studio.map");

/// The table of reflected shares as a file.
pub(super) const ALBEDO: &[u8] = include_bytes!("albedo.table");

/// Computes the files of this module anew, with their paths in the source.
#[must_use]
pub fn baked_files() -> [(&'static str, Vec<u8>); 2] {
    let shares = albedo::computed().into_iter().flatten();
    [
        ("raster/environment/studio.map", encoded(&computed())),
        ("raster/environment/albedo.table", shares.flat_map(u32::to_le_bytes).collect()),
    ]
}

/// Reads scale and offset of all entries of the table of reflected shares.
pub(super) fn decoded_shares(bytes: &[u8]) -> impl Iterator<Item = [u32; 2]> {
    let word = |bytes: &[u8; 4]| u32::from_le_bytes(*bytes);
    bytes.as_chunks::<4>().0.as_chunks::<2>().0.iter().map(move |pair| pair.each_ref().map(word))
}

/// Writes a prefiltered environment.
fn encoded(map: &EnvironmentMap) -> Vec<u8> {
    let coefficients = map.diffuse.iter().flat_map(|color| color.to_array());
    let mut bytes: Vec<u8> = coefficients.flat_map(f32::to_le_bytes).collect();
    for level in map.levels {
        let (side, stride) = (level.side as usize, level.stride() as usize);
        for row in 1..=side {
            for [r, g, b, _] in &map.texels[level.first + row * stride + 1..][..side] {
                bytes.extend([r, g, b].into_iter().flat_map(|part| part.to_le_bytes()));
            }
        }
    }
    bytes
}

/// Reads a prefiltered environment whose sharp map has so many texels a side.
pub(super) fn decoded(bytes: &[u8], side: u32) -> EnvironmentMap {
    let (coefficients, texels) = bytes.split_at(COEFFICIENTS * size_of::<f32>());
    let mut numbers =
        coefficients.as_chunks::<4>().0.iter().map(|&bytes| f32::from_le_bytes(bytes));
    let diffuse =
        [(); 9].map(|()| Vec3::from_array([(); 3].map(|()| numbers.next().unwrap_or(0.0))));
    let mut rest = texels.as_chunks::<2>().0.as_chunks::<3>().0;
    let (mut levels, mut texels) = ([MapLevel::default(); LEVELS], Vec::new());
    for (number, level) in levels.iter_mut().enumerate() {
        *level = MapLevel { side: side_of(side, number), first: texels.len() };
        let own = rest.split_off(..(level.side * level.side) as usize).unwrap_or_default();
        let texel = |parts: &[[u8; 2]; 3]| {
            let [r, g, b] = parts.map(u16::from_le_bytes);
            [r, g, b, 0]
        };
        texels.extend(with_border(&own.iter().map(texel).collect::<Vec<_>>(), level.side));
    }
    EnvironmentMap { diffuse, levels, texels }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::raster::environment::studio;

    #[test]
    fn files_hold_what_is_computed() {
        let [(_, map), (_, table)] = baked_files();
        let advice = "write it anew: cargo run --release --example bake_environment";
        assert!(STUDIO == map, "studio.map differs from the studio; {advice}");
        assert!(ALBEDO == table, "albedo.table differs from the shares; {advice}");
        assert_eq!(studio(), computed());
    }
}
