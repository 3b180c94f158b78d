//! What is told of a picture that was drawn: how much there was at each step, and how long the steps took.

use crate::simd::Level;

/// What happened on the way to a picture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Triangles handed in.
    pub triangles_in: u64,
    /// Those of them that were dropped before any tile.
    pub culled: Culled,
    /// Triangles that were cut at the near plane or far outside the picture.
    pub triangles_clipped: u64,
    /// Triangles that reached a tile, pieces of clipped ones counted apart.
    pub triangles_binned: u64,
    /// How often that was: a triangle counts once for each tile that it may touch.
    pub tile_triangles: u64,
    /// Tiles of the picture.
    pub tiles: u64,
    /// Tiles that a triangle may touch.
    pub tiles_used: u64,
    /// Samples in these.
    pub samples: u64,
    /// Pixels in which a surface is seen.
    pub covered_pixels: u64,
    /// Surface points that were lit.
    pub shaded_points: u64,
    /// The instructions that drew it, as the work on the tiles itself says.
    pub level: Level,
    /// The threads that shared the tiles, as the work itself says.
    pub threads: usize,
    /// The longest side of a tile that was drawn, in pixels: of a picture smaller than a tile its own.
    pub tile: u32,
}

/// Triangles that were dropped, by the first reason that held.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Culled {
    /// All corners lie beyond one edge of the picture, or before the near plane.
    pub outside: u64,
    /// The side that would be seen is not drawn.
    pub facing_away: u64,
    /// Without area once its corners are on the lattice of 1/256 pixel.
    pub without_area: u64,
    /// Between the samples.
    pub between_samples: u64,
}

impl Culled {
    /// Adds what another run of triangles told.
    pub(crate) fn add(&mut self, other: &Self) {
        self.outside += other.outside;
        self.facing_away += other.facing_away;
        self.without_area += other.without_area;
        self.between_samples += other.between_samples;
    }
}

/// Seconds since any moment: what a caller hands in who wants to know [`Times`].
pub type Clock<'a> = &'a (dyn Fn() -> f64 + Sync);

/// How long the steps of a picture took, in seconds.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Times {
    /// Vertices on the screen.
    pub project_s: f64,
    /// Triangles set up and binned, and their attributes gathered.
    pub set_up_s: f64,
    /// Maps of shadows.
    pub shadow_s: f64,
    /// All tiles.
    pub tiles_s: f64,
    /// The tiles' coverage and depth, summed over the threads that worked on them.
    pub cover_s: f64,
    /// The tiles' light, resolve and encoding, summed alike.
    pub shade_s: f64,
}

/// A clock that may be absent, and the moment of its last reading.
#[derive(Clone, Copy)]
pub(crate) struct Lap<'a> {
    clock: Option<Clock<'a>>,
    last_s: f64,
}

impl<'a> Lap<'a> {
    pub fn start(clock: Option<Clock<'a>>) -> Self {
        Self { clock, last_s: clock.map_or(0.0, |clock| clock()) }
    }

    /// Seconds since the last call; 0 without a clock.
    #[inline]
    pub fn lap(&mut self) -> f64 {
        let Some(clock) = self.clock else { return 0.0 };
        let now_s = clock();
        now_s - core::mem::replace(&mut self.last_s, now_s)
    }
}
