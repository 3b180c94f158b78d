//! A report as JSON, for machines.
//!
//! `test-report.schema.json` beside this file describes it, and a test compares the two. Fields may
//! be added without a new [`REPORT_VERSION`]; readers ignore unknown keys.

use super::data::{Group, REPORT_VERSION, Report, SceneReport, Status, entries, totals};
use serde::Serialize;
use std::collections::BTreeMap;
use tintype_base::printable::printable_json;

/// The JSON schema of [`encode_json`]'s text.
pub const SCHEMA: &str = include_str!("test-report.schema.json");

#[derive(Serialize)]
struct Document<'a> {
    version: u32,
    program: Program<'a>,
    folder: Option<&'a str>,
    totals: Totals,
    groups: &'a [Group],
    scenes: &'a [SceneReport],
}

/// The program that made a report.
#[derive(Serialize)]
pub(super) struct Program<'a> {
    pub(super) name: &'static str,
    pub(super) version: &'a str,
    pub(super) pixel_revision: u32,
}

#[derive(Serialize)]
struct Totals {
    goldens: usize,
    passed: usize,
    failed: usize,
    skipped: usize,
    by_status: BTreeMap<&'static str, usize>,
}

/// The report as indented JSON with a trailing line end.
///
/// # Panics
/// Never: all contents of a report can be written as JSON.
#[must_use]
pub fn encode_json(report: &Report) -> String {
    let text = serde_json::to_string_pretty(&document(report)).expect("plain data");
    printable_json(&text) + "\n"
}

/// The same on one line, safe inside a `<script>` element of HTML and as an expression of a script:
/// `<`, `>`, `&` and the line separators of Unicode are escaped.
pub(super) fn encode_for_script(report: &Report) -> String {
    escape_for_script(&serde_json::to_string(&document(report)).expect("plain data"))
}

/// JSON text with all characters escaped that are special in HTML or in a script.
pub(crate) fn escape_for_script(json: &str) -> String {
    let mut escaped = String::with_capacity(json.len());
    for letter in json.chars() {
        match letter {
            '<' => escaped.push_str("\\u003c"),
            '>' => escaped.push_str("\\u003e"),
            '&' => escaped.push_str("\\u0026"),
            '\u{2028}' => escaped.push_str("\\u2028"),
            '\u{2029}' => escaped.push_str("\\u2029"),
            other => escaped.push(other),
        }
    }
    printable_json(&escaped)
}

fn document(report: &Report) -> Document<'_> {
    let count = |wanted: fn(Status) -> bool| {
        entries(report).filter(|(_, entry)| wanted(entry.status)).count()
    };
    Document {
        version: REPORT_VERSION,
        program: Program {
            name: "tintype",
            version: &report.program_version,
            pixel_revision: report.pixel_revision,
        },
        folder: report.folder.as_deref(),
        totals: Totals {
            goldens: count(|_| true),
            passed: count(Status::passes),
            failed: count(Status::fails),
            skipped: count(|status| status == Status::Skipped),
            by_status: totals(report).into_iter().map(|(status, n)| (status.word(), n)).collect(),
        },
        groups: &report.groups,
        scenes: &report.scenes,
    }
}
