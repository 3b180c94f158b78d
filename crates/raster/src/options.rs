//! Options of the rasterizer: tile size and instructions. They change no byte of the picture.

use tintype_model::simd::Level;

/// Division of the work; it changes no byte of the picture.
#[derive(Clone, Copy, Debug)]
pub struct RasterOptions {
    /// Side of a tile in pixels, [`RasterOptions::MIN_TILE`]..=[`RasterOptions::MAX_TILE`]; or
    /// [`RasterOptions::AUTO`].
    pub tile: u32,
    /// Instructions to use; the machine must have them.
    pub level: Level,
    /// A value that one level computes wrong on purpose, so that a test can show that other tests
    /// would notice.
    #[cfg(test)]
    pub fault: Option<(Level, crate::fault::PlantedFault)>,
}

impl RasterOptions {
    /// Chooses a tile side by the size of the picture.
    pub const AUTO: u32 = 0;
    /// Smallest side of a tile.
    pub const MIN_TILE: u32 = 4;

    /// The side of a tile for a picture: large tiles have less work at their borders; small ones
    /// stay in the cache with many samples, and keep many threads busy in a small picture.
    #[must_use]
    pub fn tile_for(&self, [width, height]: [u32; 2], samples: u32) -> u32 {
        match self.tile {
            Self::AUTO if samples <= 4 && width.saturating_mul(height) >= 1_000_000 => 64,
            Self::AUTO => 32,
            tile => tile,
        }
    }

    /// The planted fault, if it is for the running level.
    #[cfg(test)]
    pub fn planted(&self) -> Option<crate::fault::PlantedFault> {
        self.fault.filter(|&(level, _)| level == self.level).map(|(_, fault)| fault)
    }

    /// Maximum side of a tile: edge functions on its lattice still fit 32 bits.
    pub const MAX_TILE: u32 = 64;
}

impl Default for RasterOptions {
    fn default() -> Self {
        Self {
            tile: Self::AUTO,
            level: Level::best(),
            #[cfg(test)]
            fault: None,
        }
    }
}
