//! Prefiltered light of an environment.

use super::lamps::Lamp;
use tintype_model::math::Vec3;

/// Light from all directions: diffuse light by normal, and reflections by direction and roughness.
#[derive(Clone, Debug, PartialEq)]
pub struct EnvironmentMap {
    /// Coefficients of diffuse light, by the functions of [`super::lookup::diffuse_terms`], instead
    /// of a map.
    pub(super) diffuse: Option<[Vec3; 9]>,
    /// Reflection maps, from a mirror to roughness 1, and the map of diffuse light if there is one.
    pub(super) levels: [MapLevel; LEVELS + 1],
    /// Texels of all levels with their borders, packed: see [`super::texel`].
    pub(super) texels: Vec<[u16; 4]>,
    /// Lamps, whose light is in the first [`OF_LAMPS`] maps alone.
    pub(super) lamps: Vec<Lamp>,
}

/// Number of maps of reflections.
pub(super) const LEVELS: usize = 9;
/// Number of maps that show lamps. Rougher reflections add lamps as lights.
pub(super) const OF_LAMPS: usize = 3;

/// One map; for an environment, a square of directions with a border of one texel that continues it
/// over the folds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct MapLevel {
    /// Texels across and down, without the border.
    pub size: [u32; 2],
    /// Index of the upper left corner of the border.
    pub first: usize,
}

impl MapLevel {
    /// A square.
    pub(super) const fn square(side: u32, first: usize) -> Self {
        Self { size: [side, side], first }
    }

    /// From a texel to the one below it.
    pub(crate) const fn stride(self) -> u32 {
        self.size[0] + 2
    }
}

/// Maps of several sizes with their texels, packed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Levels<'a> {
    pub levels: &'a [MapLevel],
    pub texels: &'a [[u16; 4]],
}

impl EnvironmentMap {
    /// Its maps.
    #[inline(always)]
    pub(super) fn levels(&self) -> Levels<'_> {
        Levels { levels: &self.levels, texels: &self.texels }
    }

    /// Bytes of memory.
    #[must_use]
    pub fn byte_size(&self) -> usize {
        self.texels.len() * size_of::<[u16; 4]>()
    }
}
