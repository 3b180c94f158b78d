//! `--stats`: times of stages and amounts of triangles, tiles, pixels and bytes, as a page or as
//! JSON.

use serde::Serialize;
use std::fmt::Write;
use tintype_base::amount::{bytes_text, counted};
use tintype_host::job::DrawnFrame;
use tintype_host::job::memory::peak_memory;
use tintype_host::job::stats::FrameStats;

/// Statistics of a sequence.
#[derive(Clone, Debug, Default)]
pub(super) struct Stats {
    frames: Vec<(i64, FrameStats)>,
    level: &'static str,
    /// Threads, and the side of a tile, as reported by the rasterizer.
    ran: Option<(usize, u32)>,
}

/// Settings and total time of a sequence.
#[derive(Clone, Copy, Debug, Serialize)]
pub(super) struct RunFacts {
    pub size: [u32; 2],
    pub samples: u32,
    pub threads: usize,
    /// Side of a tile in pixels.
    pub tile: u32,
    /// Wall-clock seconds for all frames.
    pub wall_seconds: f64,
}

#[derive(Serialize)]
struct OneFrame<'a> {
    frame: i64,
    #[serde(flatten)]
    figures: &'a FrameStats,
}

#[derive(Serialize)]
struct Document<'a> {
    version: &'static str,
    instructions: &'static str,
    #[serde(flatten)]
    whole: RunFacts,
    peak_memory_bytes: Option<u64>,
    sum: FrameStats,
    frames: Vec<OneFrame<'a>>,
}

impl Stats {
    /// Adds a frame.
    pub(super) fn add(&mut self, drawn: &DrawnFrame) {
        let DrawnFrame { number, counts, stats, .. } = drawn;
        self.frames.push((number.0, *stats));
        self.level = counts.level.name();
        self.ran = Some((counts.threads, counts.tile));
    }

    /// The settings with threads and tile size as reported by the rasterizer, if a frame was drawn.
    fn as_it_ran(&self, whole: RunFacts) -> RunFacts {
        self.ran.map_or(whole, |(threads, tile)| RunFacts { threads, tile, ..whole })
    }

    fn sum(&self) -> FrameStats {
        let mut sum = FrameStats::default();
        self.frames.iter().for_each(|(_, figures)| sum.add(figures));
        sum
    }

    /// One JSON document, with frames in ascending order.
    pub(super) fn json(&mut self, whole: RunFacts) -> String {
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

    /// A text page: totals, and means per frame.
    #[expect(clippy::cast_precision_loss, reason = "means for people")]
    pub(super) fn page(&self, whole: RunFacts) -> String {
        let whole = self.as_it_ran(whole);
        let count = self.frames.len().max(1) as f64;
        let sum = self.sum();
        let [width, height] = whole.size;
        let mut page = format!(
            "{} of {width}x{height} with {} samples a pixel, {}, {}, tiles of {}
",
            counted(self.frames.len(), "frame"),
            whole.samples,
            counted(whole.threads, "thread"),
            self.level,
            whole.tile
        );
        let _ =
            writeln!(page, "{:28}{:>14}{:>14}{:>8}", "time", "ms a frame", "ms in all", "share");
        let all = if sum.seconds > 0.0 { sum.seconds } else { 1.0 };
        for (name, seconds) in sum.stages.rows() {
            let (ms, share) = (seconds * 1e3, 100.0 * seconds / all);
            let _ = write!(page, "  {name:26}{:>14.3}{ms:>14.1}", ms / count);
            let _ = if name.starts_with(' ') {
                writeln!(page)
            } else {
                writeln!(page, "{share:>6.1} %")
            };
        }
        let _ = writeln!(page, "{:28}{:>14}{:>14}", "amount", "a frame", "in all");
        let mut row = |name: &str, value: u64| {
            let _ = writeln!(page, "  {name:26}{:>14.0}{value:>14}", value as f64 / count);
        };
        sum.triangles.rows().into_iter().for_each(|(name, value)| row(name, value));
        row("tiles", sum.tiles.all);
        row("  with triangles", sum.tiles.with_triangles);
        row("  samples in those", sum.tiles.samples);
        row("pixels covered", sum.pixels.covered);
        row("points lit", sum.pixels.points_lit);
        row("bytes of PNG", sum.png_bytes);
        let _ = write!(page, "in all {:.3} s", whole.wall_seconds);
        if let Some(bytes) = peak_memory() {
            let _ = write!(page, ", at most {}", bytes_text(bytes));
        }
        page
    }
}
