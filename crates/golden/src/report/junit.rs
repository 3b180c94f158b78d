//! A report as JUnit XML, for build servers: a suite per scene, a case per golden.
//!
//! Elements and attributes are those of Jenkins's schema, in the order of Ant's. There is no time
//! of day and no host; a suite has a duration if the report has one. `[[ATTACHMENT|file]]` in the
//! output of a case shows the picture in GitLab and in Jenkins with its attachments plugin. If many
//! failures have the same cause, the first is described in full, and the others refer to it.

use super::data::{Entry, Report, SceneReport, Status};
use std::collections::BTreeMap;
use std::fmt::Write;
use tintype_base::amount::format_rate;
use tintype_base::printable::{is_control, printable};

/// The report as XML 1.0, UTF-8.
#[must_use]
pub fn encode_junit(report: &Report) -> String {
    let mut xml =
        String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"tintype\"");
    counts(&mut xml, report.scenes.iter().flat_map(|scene| &scene.frames), false);
    let known: Vec<f64> = report.scenes.iter().filter_map(|scene| scene.seconds).collect();
    if !known.is_empty() {
        attribute(&mut xml, "time", &format!("{:.3}", known.iter().sum::<f64>()));
    }
    xml.push_str(">\n");
    let causes = Causes::new(report);
    for (id, scene) in report.scenes.iter().enumerate() {
        suite(&mut xml, report, scene, id, &causes);
    }
    xml.push_str("</testsuites>\n");
    xml
}

fn counts<'a>(xml: &mut String, entries: impl Iterator<Item = &'a Entry>, with_skipped: bool) {
    let (mut tests, mut failures, mut errors, mut skipped) = (0, 0, 0, 0);
    for entry in entries {
        tests += 1;
        match entry.status {
            Status::Skipped => skipped += 1,
            status if status.is_error() => errors += 1,
            status if status.fails() => failures += 1,
            _ => {}
        }
    }
    for (name, count) in [("tests", tests), ("failures", failures), ("errors", errors)] {
        attribute(xml, name, &count.to_string());
    }
    if with_skipped {
        attribute(xml, "skipped", &skipped.to_string());
    }
}

fn suite(xml: &mut String, report: &Report, scene: &SceneReport, id: usize, causes: &Causes) {
    xml.push_str("  <testsuite");
    attribute(xml, "name", &scene.name);
    attribute(xml, "id", &id.to_string());
    counts(xml, scene.frames.iter(), true);
    if let Some(path) = &scene.path {
        attribute(xml, "file", path);
    }
    if let Some(seconds) = scene.seconds {
        attribute(xml, "time", &format!("{seconds:.3}"));
    }
    xml.push_str(">\n    <properties>\n");
    let revision = report.pixel_revision.to_string();
    let fps = format_rate(scene.fps).to_string();
    let properties = [
        ("tintype.version", Some(&report.program_version)),
        ("tintype.pixel-revision", Some(&revision)),
        ("tintype.scene", scene.path.as_ref()),
        ("tintype.fps", Some(&fps)),
    ];
    for (name, value) in properties {
        let Some(value) = value else { continue };
        xml.push_str("      <property");
        attribute(xml, "name", name);
        attribute(xml, "value", value);
        xml.push_str("/>\n");
    }
    xml.push_str("    </properties>\n");
    for (index, entry) in scene.frames.iter().enumerate() {
        case(xml, report, scene, entry, causes.of(id, index));
    }
    xml.push_str("  </testsuite>\n");
}

/// Numbers of failures with the same cause, if there are many.
struct Causes {
    /// Scene and entry -> the number of failures with its cause, and the names of the first one
    /// unless it is that one.
    large: BTreeMap<[usize; 2], (usize, Option<String>)>,
}

/// Number of failures of one cause from which only the first is described in full.
const MANY: usize = 4;

impl Causes {
    fn new(report: &Report) -> Self {
        let mut large = BTreeMap::new();
        for group in report.groups.iter().filter(|group| group.count >= MANY) {
            let first = group.entries.first().and_then(|&[s, e]| {
                let scene = report.scenes.get(s)?;
                Some(format!("{}, {}", scene.name, scene.frames.get(e)?.name()))
            });
            for (index, place) in group.entries.iter().enumerate() {
                large.insert(*place, (group.count, first.clone().filter(|_| index > 0)));
            }
        }
        Self { large }
    }

    fn of(&self, scene: usize, entry: usize) -> Option<&(usize, Option<String>)> {
        self.large.get(&[scene, entry])
    }
}

fn case(
    xml: &mut String,
    report: &Report,
    scene: &SceneReport,
    entry: &Entry,
    group: Option<&(usize, Option<String>)>,
) {
    xml.push_str("    <testcase");
    attribute(xml, "name", &entry.name());
    // Readers interpret a dot as the end of a package: the scene's folders are the packages.
    attribute(xml, "classname", &scene.name.replace('/', "."));
    xml.push_str(">\n");
    let element = match entry.status {
        Status::Skipped => Some("skipped"),
        status if status.is_error() => Some("error"),
        status if status.fails() => Some("failure"),
        _ => None,
    };
    if let Some(element) = element {
        let _ = write!(xml, "      <{element}");
        attribute(xml, "message", entry.title());
        attribute(xml, "type", entry.status.word());
        xml.push('>');
        let text = match group {
            None => details(entry),
            Some((count, None)) => {
                format!("{}\n{count} goldens fail for this cause", details(entry))
            }
            Some((count, Some(first))) => {
                let own = format!("one of {count} goldens with the cause of {first}");
                of_lines(&[entry.title().to_owned(), own])
            }
        };
        escape(xml, &text, false);
        let _ = writeln!(xml, "</{element}>");
    }
    let output = output(report, entry);
    if !output.is_empty() {
        xml.push_str("      <system-out>");
        escape(xml, &output, false);
        xml.push_str("</system-out>\n");
    }
    xml.push_str("    </testcase>\n");
}

/// Everything known about a failure, one fact per line, whatever names it contains.
fn details(entry: &Entry) -> String {
    let mut lines = Vec::new();
    if let Some(cause) = &entry.cause {
        lines.push(cause.text.clone());
        lines.extend(cause.evidence.iter().map(|line| format!("  {line}")));
    }
    lines.push(entry.message.clone());
    lines.push(format!("cause: {}", entry.cause_id));
    lines.push(format!("rule: {}", entry.rule));
    lines.extend(entry.metrics.iter().map(|metric| match metric.bound {
        Some(bound) => format!("{}: {} (bound {bound})", metric.name, metric.value),
        None => format!("{}: {}", metric.name, metric.value),
    }));
    lines.extend(entry.notes.iter().map(|note| format!("note: {note}")));
    lines.extend(entry.accept.iter().map(|command| format!("to accept it: {command}")));
    of_lines(&lines)
}

/// The files of a failed entry, or the notes of another one.
fn output(report: &Report, entry: &Entry) -> String {
    let mut lines: Vec<String> = Vec::new();
    if entry.status.passes() {
        lines.extend(entry.notes.iter().map(|note| format!("note: {note}")));
        return of_lines(&lines);
    }
    lines.extend(entry.golden.iter().map(|golden| format!("golden: {golden}")));
    let Some(folder) = &report.folder else { return of_lines(&lines) };
    let pictures = [&entry.pictures.golden, &entry.pictures.new, &entry.pictures.diff];
    for picture in pictures.into_iter().flatten() {
        lines.push(format!("[[ATTACHMENT|{folder}/{picture}]]"));
    }
    of_lines(&lines)
}

fn of_lines(lines: &[String]) -> String {
    printable(&lines.join("\n")).into_owned()
}

fn attribute(xml: &mut String, name: &str, value: &str) {
    let _ = write!(xml, " {name}=\"");
    escape(xml, &printable(value), true);
    xml.push('"');
}

/// Writes text as valid XML 1.0. Line ends and tabs in an attribute become references, because
/// readers turn them into blanks; characters not allowed in XML become U+FFFD.
fn escape(xml: &mut String, text: &str, attribute: bool) {
    for letter in text.chars() {
        match letter {
            '&' => xml.push_str("&amp;"),
            '<' => xml.push_str("&lt;"),
            '>' => xml.push_str("&gt;"),
            '"' if attribute => xml.push_str("&quot;"),
            '\n' if attribute => xml.push_str("&#10;"),
            '\t' if attribute => xml.push_str("&#9;"),
            // Anywhere else it would be read as a line end.
            '\r' => xml.push_str("&#13;"),
            '\n' | '\t' => xml.push(letter),
            '\0'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => xml.push('\u{fffd}'),
            other if is_control(other) => xml.extend(other.escape_unicode()),
            other => xml.push(other),
        }
    }
}
