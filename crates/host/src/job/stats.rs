//! Statistics of frames: seconds of each stage, and amounts of triangles, tiles, pixels and bytes.
//!
//! Times of stages are wall-clock times while the stage ran on all free threads, summed over
//! frames. Frames run in parallel, so the sum is larger than the wall-clock time of the job.
//! Coverage and shading are summed over threads.

use serde::Serialize;
use tintype_raster::{Counts, Times};

/// Times and amounts of one frame, or of several together.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct FrameStats {
    /// Seconds from the first step to the last.
    pub seconds: f64,
    /// Seconds of each stage.
    pub stages: StageTimes,
    /// Triangles at each step.
    pub triangles: TriangleCounts,
    /// Tiles.
    pub tiles: TileCounts,
    /// Pixels.
    pub pixels: PixelCounts,
    /// Bytes of PNG written, views included.
    pub png_bytes: u64,
}

/// Seconds of each stage.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct StageTimes {
    /// Posing and skinning.
    pub pose_and_skin: f64,
    /// Projecting vertices.
    pub project: f64,
    /// Setting up triangles and binning them to tiles.
    pub set_up_and_bin: f64,
    /// Drawing shadow maps.
    pub shadows: f64,
    /// Drawing all tiles.
    pub tiles: f64,
    /// Coverage and depth of tiles, summed over threads.
    pub coverage_in_threads: f64,
    /// Shading, resolve and encoding of tiles, summed over threads.
    pub light_in_threads: f64,
    /// Drawing, encoding and writing views.
    pub views: f64,
    /// Encoding the picture.
    pub encode: f64,
    /// Writing the picture.
    pub write: f64,
}

/// Triangles at each step.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct TriangleCounts {
    /// Triangles of all posed meshes.
    pub given: u64,
    /// Culled outside the picture.
    pub outside: u64,
    /// Culled by facing.
    pub facing_away: u64,
    /// Culled without area.
    pub without_area: u64,
    /// Culled between samples.
    pub between_samples: u64,
    /// Clipped.
    pub clipped: u64,
    /// Drawn; pieces of clipped triangles are counted one by one.
    pub drawn: u64,
    /// Drawn, counted once for each tile that they may touch.
    pub in_tiles: u64,
}

/// Tiles of the picture.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct TileCounts {
    /// All tiles.
    pub all: u64,
    /// Tiles that a triangle may touch.
    pub with_triangles: u64,
    /// Samples in those.
    pub samples: u64,
}

/// Pixels and shaded points.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct PixelCounts {
    /// Number of pixels that show a surface.
    pub covered: u64,
    /// Shaded points: one for each triangle visible in a pixel.
    pub points_lit: u64,
}

impl FrameStats {
    /// Statistics of the rasterizer's work on a frame.
    pub(crate) fn of_raster(counts: &Counts, times: &Times) -> Self {
        let culled = &counts.culled;
        Self {
            stages: StageTimes {
                project: times.project_s,
                set_up_and_bin: times.set_up_s,
                shadows: times.shadow_s,
                tiles: times.tiles_s,
                coverage_in_threads: times.cover_s,
                light_in_threads: times.shade_s,
                ..StageTimes::default()
            },
            triangles: TriangleCounts {
                given: counts.triangles_in,
                outside: culled.outside,
                facing_away: culled.facing_away,
                without_area: culled.without_area,
                between_samples: culled.between_samples,
                clipped: counts.triangles_clipped,
                drawn: counts.triangles_binned,
                in_tiles: counts.tile_triangles,
            },
            tiles: TileCounts {
                all: counts.tiles,
                with_triangles: counts.tiles_used,
                samples: counts.samples,
            },
            pixels: PixelCounts {
                covered: counts.covered_pixels,
                points_lit: counts.shaded_points,
            },
            ..Self::default()
        }
    }

    /// Adds another frame.
    pub fn add(&mut self, other: &Self) {
        let Self { seconds, stages, triangles, tiles, pixels, png_bytes } = other;
        self.seconds += seconds;
        self.png_bytes += png_bytes;
        for (sum, (_, value)) in self.stages.rows_mut().into_iter().zip(stages.rows()) {
            *sum += value;
        }
        let sums = self.triangles.rows_mut().into_iter();
        sums.zip(triangles.rows()).for_each(|(sum, (_, value))| *sum += value);
        self.tiles.all += tiles.all;
        self.tiles.with_triangles += tiles.with_triangles;
        self.tiles.samples += tiles.samples;
        self.pixels.covered += pixels.covered;
        self.pixels.points_lit += pixels.points_lit;
    }
}

impl StageTimes {
    /// Each stage with its name; parts of the stage before them begin with two spaces.
    #[must_use]
    pub fn rows(&self) -> [(&'static str, f64); 10] {
        [
            ("pose and skin", self.pose_and_skin),
            ("project", self.project),
            ("set up and bin", self.set_up_and_bin),
            ("shadows", self.shadows),
            ("tiles", self.tiles),
            ("  coverage, in threads", self.coverage_in_threads),
            ("  light, in threads", self.light_in_threads),
            ("views", self.views),
            ("encode", self.encode),
            ("write", self.write),
        ]
    }

    fn rows_mut(&mut self) -> [&mut f64; 10] {
        [
            &mut self.pose_and_skin,
            &mut self.project,
            &mut self.set_up_and_bin,
            &mut self.shadows,
            &mut self.tiles,
            &mut self.coverage_in_threads,
            &mut self.light_in_threads,
            &mut self.views,
            &mut self.encode,
            &mut self.write,
        ]
    }
}

impl TriangleCounts {
    /// Each count with its name; parts of the count before them begin with two spaces.
    #[must_use]
    pub fn rows(&self) -> [(&'static str, u64); 8] {
        [
            ("triangles given", self.given),
            ("  outside the picture", self.outside),
            ("  facing away", self.facing_away),
            ("  without area", self.without_area),
            ("  between samples", self.between_samples),
            ("  clipped", self.clipped),
            ("triangles drawn", self.drawn),
            ("  in tiles", self.in_tiles),
        ]
    }

    fn rows_mut(&mut self) -> [&mut u64; 8] {
        [
            &mut self.given,
            &mut self.outside,
            &mut self.facing_away,
            &mut self.without_area,
            &mut self.between_samples,
            &mut self.clipped,
            &mut self.drawn,
            &mut self.in_tiles,
        ]
    }
}
