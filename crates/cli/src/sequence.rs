//! Options of the commands that draw frames, and the words for events and results of their jobs.

use super::args::Png;
use super::console::Console;
use super::failure::Failure;
use super::signals::Signals;
use std::sync::OnceLock;
use std::time::Instant;
use tintype::builder::{Aov, FrameList, FrameNumber};
use tintype_base::amount::{bytes_text, counted};
use tintype_host::job::memory::peak_memory;
use tintype_host::job::{DrawnFrame, Event, JobContext, JobReport};
use tintype_output::PngEffort;
use tintype_scene::{FramePattern, Output};

/// The effort of an option.
pub(super) fn effort(png: Png) -> PngEffort {
    match png {
        Png::Fast => PngEffort::Fast,
        Png::Small => PngEffort::Small,
    }
}

/// The view written to standard output, which accepts one `what` (a picture, a sequence); `None`
/// for the picture itself.
pub(super) fn view_for_stdout<'a>(
    views: &'a [Aov],
    what: &str,
) -> Result<Option<&'a Aov>, Failure> {
    if views.len() < 2 {
        return Ok(views.first());
    }
    let words: Vec<String> = views.iter().map(Aov::word).collect();
    Err(Failure::bad_input(format!(
        "standard output takes one {what}, but {} views are selected ({}); pick one with --aov, or turn views off with --aov none",
        views.len(),
        words.join(", ")
    )))
}

/// `, each with 2 views and 3 channels`
pub(super) fn with_beside(Output { aov, channels, .. }: &Output) -> String {
    let parts = [(aov.len(), "view"), (channels.len(), "channel")];
    let told = parts.into_iter().filter(|(count, _)| *count > 0);
    let told: Vec<String> = told.map(|(count, noun)| counted(count, noun)).collect();
    if told.is_empty() { String::new() } else { format!(", each with {}", told.join(" and ")) }
}

/// Seconds since the first call, for jobs.
pub(super) fn clock() -> f64 {
    static START: OnceLock<Instant> = OnceLock::new();
    START.get_or_init(Instant::now).elapsed().as_secs_f64()
}

/// Threads, clock and stop token of a job of this process.
pub(super) fn context<'a>(pool: &'a rayon::ThreadPool, signals: &Signals) -> JobContext<'a> {
    JobContext { clock: Some(&clock), stop: signals.token().clone(), ..JobContext::new(pool) }
}

/// Shows an event of a job.
pub(super) fn show_event(event: &Event<'_>, console: &mut Console) {
    match event {
        Event::Outdated { path, reason } => console.detail(&format!("{path}: {reason}")),
        Event::Replaced { reason, count } => {
            let is = if *count == 1 { "is" } else { "are" };
            console.info(&format!("{} {is} drawn again: {reason}", counted(*count, "frame")));
        }
        Event::Started { shadow_bytes: bytes @ 1.., .. } => {
            let size = bytes_text(*bytes);
            console.detail(&format!("shadows take at most {size} of each frame in flight"));
        }
        Event::Drawn(DrawnFrame { number, counts, stats, legends, .. }) => {
            console.detail(&format!(
                "frame {number}: {:.3} s, {} of {} triangles drawn, {} pixels covered, {} points lit, by {} on {} in tiles of {}",
                stats.seconds,
                counts.triangles_binned,
                counts.triangles_in,
                counts.covered_pixels,
                counts.shaded_points,
                counts.level.name(),
                counted(counts.threads, "thread"),
                counts.tile
            ));
            for legend in legends {
                console.detail(&format!("frame {number}: {legend}"));
            }
        }
        Event::Failed { number, error, goes_on: true } => {
            console.error(&format!("frame {number}: {}", error.message()));
        }
        _ => {}
    }
}

/// Reports the end of a job over frames, and fails unless all frames are up to date and show
/// something.
///
/// If a signal ended the job, `to_go_on` returns the advice for resuming, given the missing frames.
pub(super) fn conclude(
    report: JobReport,
    signals: &Signals,
    to_go_on: Option<impl FnOnce(&FrameList) -> String>,
    console: &mut Console,
) -> Result<JobReport, Failure> {
    let wanted = report.frames.len();
    if let (Some(missing), true) = (&report.missing, report.failed.is_empty()) {
        if let Some(to_go_on) = to_go_on {
            let (done, of) = (report.written, counted(wanted, "frame"));
            let rest = to_go_on(missing);
            console.stopped(&format!("{done} of {of} done and complete; {rest}"));
        }
        return Err(Failure::new(signals.code(), String::new()));
    }
    if let Some(bytes) = peak_memory() {
        let flight = counted(report.in_flight.min(wanted), "frame");
        let size = bytes / 1024;
        console.detail(&format!("peak memory {size} KiB, with at most {flight} in flight"));
    }
    let report = report.into_result().map_err(|error| Failure::job(&error))?;
    if let Some(list) = FrameList::from_rising(report.empty.iter().copied()) {
        let count = counted(report.empty.len(), "frame");
        let why = report.why_empty.as_deref().map_or_else(String::new, |why| format!(": {why}"));
        console.warning(&format!("nothing is visible in {count} ({list}){why}"));
    }
    Ok(report)
}

/// `, 3 were there and current`; empty for none.
pub(super) fn others_text(present: usize) -> String {
    match present {
        0 => String::new(),
        1 => ", 1 up to date".to_owned(),
        count => format!(", {count} up to date"),
    }
}

/// `3 frames are there and current, out/0000.png to 0002.png (--overwrite draws them anew)`.
pub(super) fn all_present_text(frames: usize, files: &str) -> String {
    let (are, them) = if frames == 1 { ("is", "it") } else { ("are", "them") };
    let count = counted(frames, "frame");
    format!("{count} {are} up to date{files} (redraw {them} with --overwrite)")
}

/// `, out/0000.png to 0002.png`.
pub(super) fn files_text(pattern: Option<&FramePattern>, frames: &[FrameNumber]) -> String {
    match (pattern, frames) {
        (Some(pattern), [first, .., last]) => {
            format!(", {} to {}", pattern.path(*first), pattern.file_name(*last))
        }
        (Some(pattern), [only]) => format!(", {}", pattern.path(*only)),
        _ => String::new(),
    }
}
