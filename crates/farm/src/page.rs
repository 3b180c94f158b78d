//! The HTML page of a submission: pictures, a plot of times, nodes, failures with the ends of their
//! logs.
//!
//! One file without external resources, except the pictures beside it.

use super::history::{Attempt, Drawn, described, grouped};
use super::logs::{FailedLog, failed_logs};
use super::progress::ItemStatus;
use super::status::{Report, indices_of};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use tintype_base::amount::{bytes_text, counted};
use tintype_base::printable::escape_html;

/// Maximum number of pictures, chosen evenly.
const PICTURES: usize = 60;
/// Maximum number of points of the plot.
const POINTS: usize = 2000;
const LOG_LINES: usize = 15;
/// Maximum number of kinds of failures that are listed.
const GROUPS: usize = 100;
/// Maximum number of models listed with their reason.
const REASONS: usize = 100;
/// Colours of nodes, in turn; each is visible on white and on black.
const COLORS: [&str; 6] = ["#3b82c4", "#d9822b", "#4c9f50", "#b65fc2", "#c94f4f", "#8a8a2b"];

const STYLE: &str = "\
:root{color-scheme:light dark;font:15px/1.5 system-ui,sans-serif}body{max-width:70rem;margin:2rem auto;padding:0 1rem}
h1{font-size:1.4rem}h2{font-size:1.1rem;margin-top:2rem}table{border-collapse:collapse}td,th{padding:.2rem .8rem .2rem 0;text-align:left}
td.n{text-align:right;font-variant-numeric:tabular-nums}.grid{display:grid;grid-template-columns:repeat(auto-fill,minmax(9rem,1fr));gap:.5rem}
figure{margin:0;min-width:0}figure img{width:100%;image-rendering:auto;background:#8883}figcaption{font-size:.8rem;overflow-wrap:anywhere}
pre{overflow:auto;padding:.6rem;background:#8882}svg{width:100%;height:auto}.bad{color:#c94f4f;font-weight:600}";

/// Encodes the page. `folder` has the pictures and `page` is the path of the page; both are
/// absolute.
pub fn page(report: &Report, folder: &Path, page: &Path) -> String {
    let mut out = format!(
        "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\"><title>{0}</title><style>{STYLE}</style><h1>{0}</h1>",
        escape_html(format!(
            "{}: {} of {} {}s",
            report.title,
            report.done,
            report.items.count(),
            report.items.noun()
        ))
    );
    match report.missing() {
        None => {
            let _ = write!(out, "<p>All {}s are done.</p>", report.items.noun());
        }
        Some(list) => {
            let _ = write!(out, "<p class=\"bad\">Missing: {}</p>", escape_html(&list));
        }
    }
    times(report, &mut out);
    nodes(report, &mut out);
    failures(report, folder, &mut out);
    pictures(report, page, &mut out);
    out + "</html>\n"
}

#[expect(clippy::cast_precision_loss, reason = "positions in a plot")]
fn times(report: &Report, out: &mut String) {
    let longest =
        report.drawn.values().map(|drawn| drawn.seconds).max_by(f64::total_cmp).unwrap_or(0.0);
    if longest <= 0.0 {
        return;
    }
    let (first, last) = match (report.drawn.keys().next(), report.drawn.keys().last()) {
        (Some(&first), Some(&last)) => (first, last),
        _ => return,
    };
    let nodes: Vec<&String> = report.nodes.keys().collect();
    let noun = report.items.noun();
    let label = |index: usize| escape_html(report.items.label(index));
    let _ = write!(
        out,
        "<h2>Seconds of each {noun}</h2><svg viewBox=\"0 0 1000 220\" role=\"img\" aria-label=\"seconds of each {noun}\"><g stroke=\"currentColor\" stroke-opacity=\".3\"><path d=\"M60 10V190H990\" fill=\"none\"/></g><g font-size=\"13\" fill=\"currentColor\"><text x=\"2\" y=\"18\">{longest:.3} s</text><text x=\"2\" y=\"190\">0 s</text><text x=\"60\" y=\"210\">{}</text><text x=\"990\" y=\"210\" text-anchor=\"end\">{}</text></g>",
        label(first),
        label(last)
    );
    let step = report.drawn.len().div_ceil(POINTS).max(1);
    for (&index, Drawn { seconds, node, .. }) in report.drawn.iter().step_by(step) {
        let x = 60.0 + 930.0 * (index - first) as f64 / (last - first).max(1) as f64;
        let y = 190.0 - 180.0 * seconds / longest;
        let color = COLORS
            [nodes.iter().position(|name| name.as_str() == &**node).unwrap_or(0) % COLORS.len()];
        let _ = write!(
            out,
            "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3\" fill=\"{color}\"><title>{noun} {}: {seconds:.3} s on {}</title></circle>",
            label(index),
            escape_html(node)
        );
    }
    *out += "</svg>";
}

fn nodes(report: &Report, out: &mut String) {
    let _ = write!(
        out,
        "<h2>Nodes</h2><table><tr><th>node<th>{}s<th>seconds<th>peak memory</tr>",
        report.items.noun()
    );
    for (index, (name, node)) in report.nodes.iter().enumerate() {
        let color = COLORS[index % COLORS.len()];
        let _ = write!(
            out,
            "<tr><td><span style=\"color:{color}\">\u{25cf}</span> {}<td class=\"n\">{}<td class=\"n\">{:.1}<td class=\"n\">{}</tr>",
            escape_html(name),
            node.items,
            node.seconds,
            bytes_text(node.peak_bytes)
        );
    }
    *out += "</table>";
}

fn failures(report: &Report, folder: &Path, out: &mut String) {
    let logs = failed_logs(folder, LOG_LINES);
    let Report { comments, drawn_twice, reasons, items, .. } = report;
    // A preempted node whose work was done by another is normal on farms.
    let is_done = indices_of(&report.statuses, ItemStatus::Missing).is_empty();
    let is_problem = |one: &&Attempt| !(one.is_made_good || is_done && one.is_stopped());
    let failed_attempts: Vec<Attempt> =
        report.failed_attempts.iter().filter(is_problem).cloned().collect();
    let is_silent = failed_attempts.is_empty() && drawn_twice.is_empty() && reasons.is_empty();
    if is_silent && logs.is_empty() && comments.is_empty() {
        return;
    }
    *out += "<h2>Problems</h2><ul>";
    for (comment, count) in comments {
        let _ = write!(out, "<li>{}: {}", counted(*count, "task"), escape_html(comment));
    }
    let groups = grouped(&failed_attempts);
    for (first, more) in groups.iter().take(GROUPS) {
        let others = if *more == 0 { String::new() } else { format!(" (and {more} more like it)") };
        let _ = write!(out, "<li>{}{others}", escape_html(described(first)));
    }
    if groups.len() > GROUPS {
        let _ = write!(out, "<li>and {} more kinds of failures", groups.len() - GROUPS);
    }
    if let Some(list) = items.list(drawn_twice) {
        let _ = write!(out, "<li>drawn more than once: {}", escape_html(&list));
    }
    for (&index, why) in reasons.iter().take(REASONS) {
        let _ = write!(out, "<li>{}: {}", escape_html(items.label(index)), escape_html(why));
    }
    if reasons.len() > REASONS {
        let _ = write!(out, "<li>and {} more", reasons.len() - REASONS);
    }
    *out += "</ul>";
    for FailedLog { path, text, more } in logs.iter().take(GROUPS) {
        let others = if *more == 0 { String::new() } else { format!(" (and {more} more like it)") };
        let _ = write!(
            out,
            "<details><summary>{}{others}</summary><pre>{}</pre></details>",
            escape_html(path),
            escape_html(text)
        );
    }
}

fn pictures(report: &Report, page: &Path, out: &mut String) {
    let present = indices_of(&report.statuses, ItemStatus::Done);
    let step = present.len().div_ceil(PICTURES).max(1);
    let _ = write!(
        out,
        "<h2>{}</h2><div class=\"grid\">",
        match report.items.noun() {
            "frame" => "Frames",
            _ => "Models",
        }
    );
    for &index in present.iter().step_by(step) {
        let Some(path) = report.items.picture(index) else { continue };
        let source = way(page, &std::path::absolute(path).unwrap_or_default());
        let _ = write!(
            out,
            "<figure><a href=\"{0}\"><img src=\"{0}\" loading=\"lazy\" alt=\"{1} {2}\"></a><figcaption>{2}</figcaption></figure>",
            address(&source),
            report.items.noun(),
            escape_html(report.items.label(index))
        );
    }
    *out += "</div>";
}

/// Relative path from a page to a file, both absolute.
fn way(page: &Path, file: &Path) -> PathBuf {
    let folder = page.parent().unwrap_or(page);
    let shared = file.components().zip(folder.components()).take_while(|(a, b)| a == b).count();
    let mut way: PathBuf = folder.components().skip(shared).map(|_| "..").collect();
    way.extend(file.components().skip(shared));
    way
}

/// A path as a URL.
fn address(path: &Path) -> String {
    let mut out = String::new();
    for &byte in path.as_os_str().as_encoded_bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'.' | b'-' | b'_' => {
                out.push(char::from(byte))
            }
            _ => {
                let _ = write!(out, "%{byte:02X}");
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn page_links_to_pictures_by_relative_paths() {
        let page = Path::new("/a/out/.tintype/farm/report.html");
        assert_eq!(way(page, Path::new("/a/out/0001.png")), Path::new("../../0001.png"));
        assert_eq!(address(Path::new("../a b/é#1.png")), "../a%20b/%C3%A9%231.png");
    }
}
