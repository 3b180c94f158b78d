//! A report as commands that GitHub Actions shows beside the lines of a change.

use super::data::{Report, SceneReport};
use tintype_base::printable::printable;

/// Maximum number of annotations of one kind that GitHub shows for a step; it drops the others
/// silently.
pub const MOST: usize = 10;

/// Maximum number of frames in one annotation.
const FRAMES_LISTED: usize = 20;

/// One `::error` line per scene with failures, pointing at the scene's file; if there are more than
/// [`MOST`] such scenes, the last line counts the omitted ones.
#[must_use]
pub fn encode_annotations(report: &Report) -> String {
    let failing: Vec<&SceneReport> = report
        .scenes
        .iter()
        .filter(|scene| scene.frames.iter().any(|entry| entry.status.fails()))
        .collect();
    let shown = if failing.len() > MOST { MOST - 1 } else { failing.len() };
    let (shown, left) = failing.split_at(shown);
    let mut text: String = shown.iter().map(|scene| annotation(scene)).collect();
    if !left.is_empty() {
        let names: Vec<&str> = left.iter().map(|scene| scene.name.as_str()).collect();
        let title = property(&format!("{} more scenes have failures", left.len()));
        text += &format!("::error title={title}::{}\n", data(&names.join("\n")));
    }
    text
}

fn annotation(scene: &SceneReport) -> String {
    let failed: Vec<_> = scene.frames.iter().filter(|entry| entry.status.fails()).collect();
    let mut lines: Vec<String> = failed
        .iter()
        .take(FRAMES_LISTED)
        .map(|entry| format!("{}: {}", entry.name(), entry.title()))
        .collect();
    if failed.len() > FRAMES_LISTED {
        lines.push(format!("and {} more", failed.len() - FRAMES_LISTED));
    }
    lines.extend(scene.accept.iter().map(|command| format!("to accept: {command}")));
    let title =
        format!("{}: {} of {} goldens failed", scene.name, failed.len(), scene.frames.len());
    let place = scene.path.as_ref().map_or_else(String::new, |path| {
        format!("file={},line={},", property(path), scene.line.unwrap_or(1))
    });
    format!("::error {place}title={}::{}\n", property(&title), data(&lines.join("\n")))
}

/// Text after the second `::`.
fn data(text: &str) -> String {
    printable(text).replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// Escapes the value of a property, which ends at a colon or comma.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
