//! What commands that draw a sequence have in common: their options read, and what came of the frames.

use super::args::Png;
use super::console::Console;
use super::signals::Signals;
use super::{Failure, counted, exit};
use crate::aov::Shown;
use crate::job::memory::peak_memory;
use crate::job::{Retry, StopToken};
use crate::output::{FrameStatus, PngEffort, Provenance, encode_png};
use crate::raster::Counts;
use crate::render::Renderer;
use crate::scene::{Aov, FrameList};
use std::collections::{BTreeMap, BTreeSet};

/// The effort that an option means.
pub(super) fn effort(png: Png) -> PngEffort {
    match png {
        Png::Fast => PngEffort::Fast,
        Png::Small => PngEffort::Small,
    }
}

/// The view that goes to standard output, which has room for one of what is named; none for the picture itself.
pub(super) fn view_for_stdout<'a>(
    views: &'a [Aov],
    what: &str,
) -> Result<Option<&'a Aov>, Failure> {
    if views.len() < 2 {
        return Ok(views.first());
    }
    let words: Vec<String> = views.iter().map(Aov::word).collect();
    Err(Failure::bad_input(format!(
        "standard output holds one {what} and {} views are asked for ({}); pick one with --aov, or none with --aov none",
        views.len(),
        words.join(", ")
    )))
}

/// A view as a PNG that says which it is, of which frame, and what its colours mean.
pub(super) fn encode_view(shown: &Shown, of: &Provenance, effort: PngEffort) -> Vec<u8> {
    let text = of.to_text_of_view(&shown.aov.word(), &shown.legend);
    encode_png(&shown.frame, false, effort, &text)
}

/// `, each with 2 views`
pub(super) fn with_views(views: &[Aov]) -> String {
    match views.len() {
        0 => String::new(),
        count => format!(", each with {}", counted(count, "view")),
    }
}

/// What came of the frames so far.
#[derive(Default)]
pub(super) struct Tally {
    /// How many are written.
    pub written: usize,
    /// How many were there already.
    pub present: usize,
    /// Nothing to be seen in any frame is a warning only.
    pub allow_empty: bool,
    numbers: BTreeSet<i64>,
    covered: u64,
    empty: Vec<i64>,
    failure: Option<Failure>,
    failed: Vec<i64>,
}

impl Tally {
    /// A frame is drawn and written.
    pub fn add(&mut self, number: i64, counts: &Counts, took_s: f64, console: &Console) {
        self.written += 1;
        self.numbers.insert(number);
        self.covered += counts.covered_pixels;
        if counts.covered_pixels == 0 {
            self.empty.push(number);
        }
        console.detail(&format!(
            "frame {number}: {took_s:.3} s, {} of {} triangles drawn, {} pixels covered, {} points lit, by {} on {} in tiles of {}",
            counts.triangles_binned,
            counts.triangles_in,
            counts.covered_pixels,
            counts.shaded_points,
            counts.level.name(),
            counted(counts.threads, "thread"),
            counts.tile
        ));
    }

    /// A frame is there already.
    pub fn add_present(&mut self, number: i64, is_empty: bool) {
        self.present += 1;
        self.numbers.insert(number);
        match is_empty {
            true => self.empty.push(number),
            false => self.covered += 1,
        }
    }

    /// A frame could not be written; the first reason counts.
    pub fn fail(&mut self, failure: Failure) {
        self.failure.get_or_insert(failure);
    }

    /// A frame could not be written, and others still may: its reason is said at once.
    pub fn fail_one(&mut self, number: i64, failure: Failure, console: &Console) {
        console.error(&format!("frame {number}: {}", failure.message));
        self.failed.push(number);
        // What may do another time is worth another time.
        let code = match failure.code {
            exit::TRY_AGAIN => exit::TRY_AGAIN,
            _ => exit::INCOMPLETE,
        };
        let first = self.failure.get_or_insert_with(|| Failure::new(code, String::new()));
        first.code = first.code.max(code);
    }

    /// The failure of a command that was stopped before all was done; a frame that failed is told first, by [`Tally::conclude`].
    ///
    /// `to_go_on` is told the frames that are missing, and answers with what to do.
    pub fn stopped(
        &self,
        wanted: &[i64],
        signals: &Signals,
        to_go_on: impl FnOnce(&FrameList) -> String,
        console: &Console,
    ) -> Result<(), Failure> {
        if !signals.is_asked() || self.failure.is_some() {
            return Ok(());
        }
        let missing: BTreeSet<i64> =
            wanted.iter().copied().filter(|number| !self.numbers.contains(number)).collect();
        let Some(list) = FrameList::from_rising(missing) else { return Ok(()) };
        console.stopped(&format!(
            "{} of {} done, and whole; {}",
            self.written,
            counted(wanted.len(), "frame"),
            to_go_on(&list)
        ));
        Err(Failure::new(signals.code(), String::new()))
    }

    /// Whether somebody ended the command before so many frames were written; not where one failed, which is told first.
    pub fn is_stopped(&self, wanted: usize, signals: &Signals) -> bool {
        signals.is_asked() && self.failure.is_none() && self.written < wanted
    }

    /// Says what the memory was, and fails where a frame failed or nothing is seen in any.
    pub fn conclude(
        mut self,
        wanted: usize,
        in_flight: usize,
        console: &mut Console,
    ) -> Result<(), Failure> {
        if let Some(bytes) = peak_memory() {
            let flight = in_flight.min(wanted);
            console.detail(&format!(
                "peak memory {} KiB, with at most {} in flight",
                bytes / 1024,
                counted(flight, "frame")
            ));
        }
        if let Some(mut failure) = self.failure {
            self.failed.sort_unstable();
            let done = self.written + self.present;
            failure.message = match FrameList::from_rising(self.failed.iter().copied()) {
                Some(list) => {
                    let failed = counted(self.failed.len(), "frame");
                    format!("{failed} of {wanted} could not be written: {list}")
                }
                None => {
                    let done = counted(done, "frame");
                    format!("{} ({done} of {wanted} written)", failure.message)
                }
            };
            return Err(failure);
        }
        if wanted > 0 && self.covered == 0 && !self.allow_empty {
            let message = "no instance covers any pixel in any frame: the pictures are empty";
            return Err(Failure::new(exit::INCOMPLETE, message));
        }
        self.empty.sort_unstable();
        if let Some(list) = FrameList::from_rising(self.empty.iter().copied()) {
            let count = counted(self.empty.len(), "frame");
            console.warning(&format!("nothing is seen in {count} ({list})"));
        }
        Ok(())
    }
}

/// The frames that are not there or not current, and those that are; says why those are drawn again of which there is a file.
pub(super) fn still_to_draw(
    frames: &[(usize, i64)],
    looked: Vec<(FrameStatus, String)>,
    tally: &mut Tally,
    console: &Console,
) -> (Vec<(usize, i64)>, Option<FrameList>) {
    let (mut missing, mut there) = (Vec::new(), Vec::new());
    // How many files are replaced, by the reason.
    let mut replaced: BTreeMap<String, usize> = BTreeMap::new();
    for (&(k, number), (standing, path)) in frames.iter().zip(looked) {
        match standing {
            FrameStatus::Current { is_empty } => {
                tally.add_present(number, is_empty);
                there.push(number);
                continue;
            }
            FrameStatus::Missing => {}
            FrameStatus::Stale(why) => {
                console.detail(&format!("{path}: {why}"));
                *replaced.entry(why).or_default() += 1;
            }
            FrameStatus::Broken(why) => {
                console.detail(&format!("{path}: {why}"));
                *replaced.entry("not a whole picture".to_owned()).or_default() += 1;
            }
        }
        missing.push((k, number));
    }
    for (why, count) in replaced {
        let is = if count == 1 { "is" } else { "are" };
        console.info(&format!("{} {is} drawn again: {why}", counted(count, "frame")));
    }
    (missing, FrameList::from_rising(there))
}

/// Calls `write`, and again after a pause while it fails for a temporary reason.
pub(super) fn again(
    retries: u32,
    stop: &StopToken,
    write: impl FnMut() -> Result<(), Failure>,
) -> Result<(), Failure> {
    let is_temporary = |failure: &Failure| failure.code == exit::TRY_AGAIN;
    Retry::times(retries).run(stop, is_temporary, write).map(drop)
}

/// Says what the shadows of a scene take beside its pictures, if it has any.
pub(super) fn tell_shadows(renderer: &Renderer, console: &mut Console) {
    let bytes = renderer.shadow_bytes();
    if bytes > 0 {
        let size = bytes.div_ceil(1024);
        console.detail(&format!("shadows take at most {size} KiB of each frame in flight"));
    }
}

/// `48 frames in 1.2 s (40.0/s)`.
pub(super) fn rate_text(frames: usize, seconds: f64) -> String {
    let rate = rate_per_s(frames, seconds);
    format!("{} in {seconds:.1} s ({rate:.1}/s)", counted(frames, "frame"))
}

/// How many a second, for people.
#[expect(clippy::cast_precision_loss, reason = "a rate for people")]
pub(super) fn rate_per_s(count: usize, seconds: f64) -> f64 {
    count as f64 / if seconds > 1e-9 { seconds } else { 1e-9 }
}
