//! Render statistics: counts and times of one frame.

use tintype_model::simd::Level;

/// Counts of one frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Source triangles.
    pub triangles_in: u64,
    /// Source triangles that were dropped before any tile.
    pub culled: Culled,
    /// Triangles clipped at the near plane or far outside the picture.
    pub triangles_clipped: u64,
    /// Triangles that reached a tile; each piece of a clipped one counts.
    pub triangles_binned: u64,
    /// Pairs of triangle and tile: a triangle counts once for each tile that it may touch.
    pub tile_triangles: u64,
    /// Tiles of the picture.
    pub tiles: u64,
    /// Tiles with at least one triangle.
    pub tiles_used: u64,
    /// Samples in these tiles.
    pub samples: u64,
    /// Pixels that show a surface.
    pub covered_pixels: u64,
    /// Shaded fragments.
    pub shaded_points: u64,
    /// Instructions that drew the tiles, as reported by the work itself.
    pub level: Level,
    /// Threads that drew the tiles, as reported by the work itself.
    pub threads: usize,
    /// Longest side of a drawn tile, in pixels; less than the option in a smaller picture.
    pub tile: u32,
}

/// Dropped triangles, by the first reason that applied.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Culled {
    /// All corners lie beyond one edge of the picture, or before the near plane.
    pub outside: u64,
    /// The side toward the viewer is culled.
    pub facing_away: u64,
    /// No area after rounding to 1/256 pixel.
    pub without_area: u64,
    /// Between the samples, so that none is covered.
    pub between_samples: u64,
}

impl Culled {
    /// Adds the counts of another chunk.
    pub(crate) fn add(&mut self, other: &Self) {
        self.outside += other.outside;
        self.facing_away += other.facing_away;
        self.without_area += other.without_area;
        self.between_samples += other.between_samples;
    }
}

/// Clock that a caller passes to measure [`Times`]: seconds since an arbitrary fixed time.
pub type Clock<'a> = &'a (dyn Fn() -> f64 + Sync);

/// Seconds that the stages of one frame took.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Times {
    /// Projection of vertices.
    pub project_s: f64,
    /// Setup and binning of triangles, and gathering of attributes.
    pub set_up_s: f64,
    /// Shadow maps.
    pub shadow_s: f64,
    /// All tiles.
    pub tiles_s: f64,
    /// Coverage and depth of the tiles, summed over threads.
    pub cover_s: f64,
    /// Shading, resolve and encoding of the tiles, summed over threads.
    pub shade_s: f64,
}

/// Stopwatch over an optional clock.
#[derive(Clone, Copy)]
pub(crate) struct StageTimer<'a> {
    clock: Option<Clock<'a>>,
    last_s: f64,
}

impl<'a> StageTimer<'a> {
    pub(super) fn start(clock: Option<Clock<'a>>) -> Self {
        Self { clock, last_s: clock.map_or(0.0, |clock| clock()) }
    }

    /// Seconds since the last call; 0 without a clock.
    #[inline]
    pub(super) fn lap(&mut self) -> f64 {
        let Some(clock) = self.clock else { return 0.0 };
        let now_s = clock();
        now_s - core::mem::replace(&mut self.last_s, now_s)
    }
}
