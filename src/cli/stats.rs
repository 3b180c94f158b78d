//! `--stats`: where the time of a sequence went, and how much there was of everything, as a page or as JSON.
//!
//! Times of stages are those of a clock on the wall while the stage ran on all threads that were free for it, summed over frames; frames run
//! side by side, so the sum is more than the wall shows for the whole. Coverage and light are summed over threads.

use crate::job::memory::peak_memory;
use crate::raster::{Counts, Times};
use serde::Serialize;
use std::fmt::Write;

/// One frame, or the sum of several.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub(super) struct Figures {
    /// Seconds from the first step to the last.
    pub seconds: f64,
    pub stages: Stages,
    pub triangles: Triangles,
    pub tiles: Tiles,
    pub pixels: Pixels,
    /// Bytes of PNG written, views included.
    pub png_bytes: u64,
}

/// Seconds of each stage.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub(super) struct Stages {
    pub pose_and_skin: f64,
    pub project: f64,
    pub set_up_and_bin: f64,
    pub shadows: f64,
    pub tiles: f64,
    /// Of the tiles, summed over threads.
    pub coverage_in_threads: f64,
    pub light_in_threads: f64,
    pub views: f64,
    pub encode: f64,
    pub write: f64,
}

/// Triangles at each step.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub(super) struct Triangles {
    pub given: u64,
    pub outside: u64,
    pub facing_away: u64,
    pub without_area: u64,
    pub between_samples: u64,
    pub clipped: u64,
    /// Pieces of clipped ones counted apart.
    pub drawn: u64,
    /// Once for each tile that they may touch.
    pub in_tiles: u64,
}

#[derive(Clone, Copy, Debug, Default, Serialize)]
pub(super) struct Tiles {
    pub all: u64,
    pub with_triangles: u64,
    /// Samples in those.
    pub samples: u64,
}

#[derive(Clone, Copy, Debug, Default, Serialize)]
pub(super) struct Pixels {
    pub covered: u64,
    /// Points that were lit: one for each triangle that a pixel shows.
    pub points_lit: u64,
}

impl Figures {
    /// What the rasterizer told of a frame.
    pub fn of_raster(counts: &Counts, times: &Times) -> Self {
        let culled = &counts.culled;
        Self {
            stages: Stages {
                project: times.project_s,
                set_up_and_bin: times.set_up_s,
                shadows: times.shadow_s,
                tiles: times.tiles_s,
                coverage_in_threads: times.cover_s,
                light_in_threads: times.shade_s,
                ..Stages::default()
            },
            triangles: Triangles {
                given: counts.triangles_in,
                outside: culled.outside,
                facing_away: culled.facing_away,
                without_area: culled.without_area,
                between_samples: culled.between_samples,
                clipped: counts.triangles_clipped,
                drawn: counts.triangles_binned,
                in_tiles: counts.tile_triangles,
            },
            tiles: Tiles {
                all: counts.tiles,
                with_triangles: counts.tiles_used,
                samples: counts.samples,
            },
            pixels: Pixels { covered: counts.covered_pixels, points_lit: counts.shaded_points },
            ..Self::default()
        }
    }

    fn add(&mut self, other: &Self) {
        let Self { seconds, stages, triangles, tiles, pixels, png_bytes } = other;
        self.seconds += seconds;
        self.png_bytes += png_bytes;
        for (sum, (_, value)) in self.stages.each_mut().into_iter().zip(stages.each()) {
            *sum += value;
        }
        let sums = self.triangles.each_mut().into_iter();
        sums.zip(triangles.each()).for_each(|(sum, (_, value))| *sum += value);
        self.tiles.all += tiles.all;
        self.tiles.with_triangles += tiles.with_triangles;
        self.tiles.samples += tiles.samples;
        self.pixels.covered += pixels.covered;
        self.pixels.points_lit += pixels.points_lit;
    }
}

impl Stages {
    fn each(&self) -> [(&'static str, f64); 10] {
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

    fn each_mut(&mut self) -> [&mut f64; 10] {
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

impl Triangles {
    fn each(&self) -> [(&'static str, u64); 8] {
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

    fn each_mut(&mut self) -> [&mut u64; 8] {
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

/// The figures of a sequence.
#[derive(Clone, Debug, Default)]
pub(super) struct Stats {
    frames: Vec<(i64, Figures)>,
    level: &'static str,
    /// Threads, and the side of a tile, as the work on the tiles says.
    ran: Option<(usize, u32)>,
}

/// How the work was cut and how long it took as a whole.
#[derive(Clone, Copy, Debug, Serialize)]
pub(super) struct Whole {
    pub size: [u32; 2],
    pub samples: u32,
    /// Probes a texture and point at most.
    pub anisotropy: u32,
    pub threads: usize,
    /// Side of a tile in pixels.
    pub tile: u32,
    /// Seconds by a clock on the wall, for all frames.
    pub wall_seconds: f64,
}

#[derive(Serialize)]
struct OneFrame<'a> {
    frame: i64,
    #[serde(flatten)]
    figures: &'a Figures,
}

#[derive(Serialize)]
struct Document<'a> {
    version: &'static str,
    instructions: &'static str,
    #[serde(flatten)]
    whole: Whole,
    peak_memory_bytes: Option<u64>,
    sum: Figures,
    frames: Vec<OneFrame<'a>>,
}

impl Stats {
    /// Adds a frame, and what drew it.
    pub fn add(&mut self, number: i64, figures: Figures, counts: &Counts) {
        self.frames.push((number, figures));
        self.level = counts.level.name();
        self.ran = Some((counts.threads, counts.tile));
    }

    /// What the work on the tiles tells, where any was done.
    fn as_it_ran(&self, whole: Whole) -> Whole {
        self.ran.map_or(whole, |(threads, tile)| Whole { threads, tile, ..whole })
    }

    fn sum(&self) -> Figures {
        let mut sum = Figures::default();
        self.frames.iter().for_each(|(_, figures)| sum.add(figures));
        sum
    }

    /// All of it as one JSON document, frames in rising order.
    pub fn json(&mut self, whole: Whole) -> String {
        self.frames.sort_by_key(|&(number, _)| number);
        let document = Document {
            version: env!("CARGO_PKG_VERSION"),
            instructions: self.level,
            whole: self.as_it_ran(whole),
            peak_memory_bytes: peak_memory(),
            sum: self.sum(),
            frames: self
                .frames
                .iter()
                .map(|(frame, figures)| OneFrame { frame: *frame, figures })
                .collect(),
        };
        let mut text = serde_json::to_string_pretty(&document).expect("numbers and words");
        text.push('\n');
        text
    }

    /// A page for people: sums, and the mean of a frame.
    #[expect(clippy::cast_precision_loss, reason = "means for people")]
    pub fn page(&self, whole: Whole) -> String {
        let whole = self.as_it_ran(whole);
        let count = self.frames.len().max(1) as f64;
        let sum = self.sum();
        let [width, height] = whole.size;
        let probes = match whole.anisotropy {
            1 => String::new(),
            most => format!(", anisotropy {most}"),
        };
        let mut page = format!(
            "{} of {width}x{height} with {} samples a pixel{probes}, {}, {}, tiles of {}
",
            super::counted(self.frames.len(), "frame"),
            whole.samples,
            super::counted(whole.threads, "thread"),
            self.level,
            whole.tile
        );
        let _ =
            writeln!(page, "{:28}{:>14}{:>14}{:>8}", "time", "ms a frame", "ms in all", "share");
        let all = if sum.seconds > 0.0 { sum.seconds } else { 1.0 };
        for (name, seconds) in sum.stages.each() {
            let (ms, share) = (seconds * 1e3, 100.0 * seconds / all);
            let _ = write!(page, "  {name:26}{:>14.3}{ms:>14.1}", ms / count);
            let _ = match name.starts_with(' ') {
                true => writeln!(page),
                false => writeln!(page, "{share:>6.1} %"),
            };
        }
        let _ = writeln!(page, "{:28}{:>14}{:>14}", "amount", "a frame", "in all");
        let mut row = |name: &str, value: u64| {
            let _ = writeln!(page, "  {name:26}{:>14.0}{value:>14}", value as f64 / count);
        };
        sum.triangles.each().into_iter().for_each(|(name, value)| row(name, value));
        row("tiles", sum.tiles.all);
        row("  with triangles", sum.tiles.with_triangles);
        row("  samples in those", sum.tiles.samples);
        row("pixels covered", sum.pixels.covered);
        row("points lit", sum.pixels.points_lit);
        row("bytes of PNG", sum.png_bytes);
        let _ = write!(page, "in all {:.3} s", whole.wall_seconds);
        if let Some(bytes) = peak_memory() {
            let _ = write!(page, ", at most {} MiB", bytes >> 20);
        }
        page
    }
}
