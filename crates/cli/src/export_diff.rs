//! `tintype diff` of models with all their clips: two files, or the models of two folders.

use super::args::Diff;
use super::console::Console;
use super::contact_sheet::{format_of_sheet, write_sheet};
use super::failure::Failure;
use super::report::{INDEX, refuse_foreign_page, write_file};
use super::standard_input::STREAM;
use super::stdout::{write_json, write_stdout};
use super::{exit, load};
use serde::Serialize;
use std::path::Path;
use tintype_base::amount::counted;
use tintype_base::diagnostic::chain;
use tintype_base::extension::is_model;
use tintype_base::path::ShowPath;
use tintype_compare::character::{ExportOptions, ModelPair, PairState, Part};
use tintype_compare::model_diff::ModelDiff;
use tintype_golden::exports::{ExportDiff, ExportError, ExportReport, compare_exports};
use tintype_golden::report::{SceneReport, encode_junit};
use tintype_output::PngEffort;

/// Number of joints that are listed without `-v`.
pub(super) const MAX_JOINTS: usize = 12;

/// The JSON report of two models: the fields of the first or only part, and all parts if there are
/// several.
#[derive(Serialize)]
struct Document<'a, M: Serialize> {
    version: u32,
    kind: &'static str,
    expected: String,
    found: String,
    same: bool,
    /// In diagonals of the first model.
    tolerance: f32,
    #[serde(flatten)]
    model: Option<&'a M>,
    #[serde(skip_serializing_if = "Option::is_none")]
    models: Option<&'a [ModelPair]>,
}

/// Writes the JSON report to standard output.
pub(super) fn write_document(
    options: &Diff,
    same: bool,
    model: Option<&impl Serialize>,
    models: Option<&[ModelPair]>,
) -> Result<(), Failure> {
    let document = Document {
        version: 1,
        kind: "models",
        expected: options.expected.shown(),
        found: options.found.shown(),
        same,
        tolerance: tolerance(options)?,
        model,
        models,
    };
    let text = serde_json::to_string_pretty(&document)
        .map_err(|error| Failure::bad_input_chain(&error))?;
    write_json(&format!("{text}\n"))
}

/// True if both sides are models, to be compared with all of their clips.
pub(super) fn is_of_models(options: &Diff) -> bool {
    let is_model = |path: &Path| is_model(path) && load::is_model_or_clip(path);
    options.clips.is_empty()
        && options.clip.is_none()
        && is_model(&options.expected)
        && is_model(&options.found)
}

/// The tolerance of the options.
pub(super) fn tolerance(options: &Diff) -> Result<f32, Failure> {
    let tolerance = options.tolerance.unwrap_or(0.0);
    if tolerance.is_finite() && tolerance >= 0.0 {
        return Ok(tolerance);
    }
    let message =
        format!("--tolerance: {tolerance}; expected a fraction of the diagonal, 0 or more");
    Err(Failure::bad_input(message))
}

/// Compares the models of both sides, and writes the reports.
pub(super) fn compare(options: &Diff, console: &Console) -> Result<ExportDiff, Failure> {
    let shown = if console.is_verbose() { usize::MAX } else { MAX_JOINTS };
    let of_exports = ExportOptions {
        load_options: console.load_options().clone(),
        tolerance: tolerance(options)?,
        draws: options.report.is_some() || options.contact_sheet.is_some(),
        most_joints: shown,
    };
    if let Some(folder) = &options.report {
        refuse_foreign_page(folder)?;
    }
    if let Some(path) = &options.contact_sheet {
        format_of_sheet(path)?;
    }
    compare_exports(&options.expected, &options.found, &of_exports).map_err(|error| failure(&error))
}

/// Writes the page and the JUnit file requested by the options, with entries of other files.
pub(super) fn write_reports(
    options: &Diff,
    diff: &ExportDiff,
    others: impl Iterator<Item = SceneReport>,
    console: &Console,
) -> Result<(), Failure> {
    if options.report.is_none() && options.junit.is_none() {
        return Ok(());
    }
    let report = ExportReport::new(diff, others, options.report.as_deref());
    if let Some(folder) = &options.report {
        report.write(folder).map_err(|error| super::report::failure(&error))?;
        console.info(&format!("report: {}", folder.join(INDEX).shown()));
    }
    match &options.junit {
        Some(path) if path.as_os_str() == STREAM => {
            write_stdout(encode_junit(&report.report).as_bytes())
        }
        Some(path) => write_file(path, encode_junit(&report.report).as_bytes()),
        None => Ok(()),
    }
}

/// `tintype diff` of two model files.
pub(super) fn run(options: &Diff, console: &Console) -> Result<(), Failure> {
    let diff = compare(options, console)?;
    write_reports(options, &diff, core::iter::empty(), console)?;
    if options.json {
        let model = diff.models.first().and_then(|model| model.parts.first()?.diff.as_ref());
        write_document(options, diff.passes(), model, Some(&diff.models))?;
    }
    let Some(model) = diff.models.first() else { return Ok(()) };
    if !options.json {
        say(model, "", console);
    }
    if let Some(path) = &options.contact_sheet {
        write_contact_sheet(path, model, options, console)?;
    }
    conclude_one(model, tolerance(options)?, console)
}

/// Writes the sheet of the differences, if a picture shows them.
fn write_contact_sheet(
    path: &Path,
    model: &ModelPair,
    options: &Diff,
    console: &Console,
) -> Result<(), Failure> {
    let [before, after] = [&options.expected, &options.found].map(|side| side.shown());
    let path_text = path.shown();
    if let Some(sheet) = model.contact_sheet([&before, &after]) {
        write_sheet(path, &sheet, PngEffort::Fast)?;
        console.info(&format!("contact sheet: {path_text}"));
    } else {
        console.info(&format!("{path_text} was not written: no picture differs"));
    }
    Ok(())
}

/// Prints the differences of a model, with `before` in front of each line.
pub(super) fn say(model: &ModelPair, before: &str, console: &Console) {
    match (model.state, &model.error) {
        (PairState::Unreadable, Some(error)) if !before.is_empty() => console.error(error),
        (PairState::OnlyA, _) => console.info(&format!("{before}only in A")),
        (PairState::OnlyB, _) => console.info(&format!("{before}only in B")),
        _ => {}
    }
    for note in &model.notes {
        console.info(&format!("{before}note: {}", note.sentence()));
    }
    for Part { clip, state, findings, .. } in &model.parts {
        let of_clip = clip.as_ref().map_or(String::new(), |clip| format!("clip {clip}: "));
        for finding in findings {
            let line = format!("{before}{of_clip}{finding}");
            if state.passes() { console.detail(&line) } else { console.info(&line) }
        }
    }
}

fn conclude_one(model: &ModelPair, tolerance: f32, console: &Console) -> Result<(), Failure> {
    let looked = counted(model.moments(), "moment");
    let farthest = || {
        let diffs = model.parts.iter().filter_map(|part| part.diff.as_ref());
        diffs.map(ModelDiff::farthest).fold(0.0, tintype_model::math::max)
    };
    match model.state {
        PairState::Unreadable => {
            let message = model.error.clone().unwrap_or_default();
            let code = if model.is_temporary { exit::TRY_AGAIN } else { exit::BAD_INPUT };
            Err(Failure::new(code, message))
        }
        PairState::Same if tolerance == 0.0 => {
            console.info(&format!("the same at {looked}"));
            Ok(())
        }
        PairState::Same | PairState::Within => {
            let farthest = farthest();
            console.info(&format!(
                "within {tolerance} of the diagonal at {looked}; farthest {farthest:.2e}"
            ));
            Ok(())
        }
        _ => Err(Failure::new(exit::DIFFERENT, format!("different at {looked}"))),
    }
}

/// The summary line for all models of two folders, and the exit code. None if there are no models.
pub(super) fn conclude(diff: &ExportDiff) -> Option<(String, u8)> {
    let count = |state: PairState| diff.models.iter().filter(|one| one.state == state).count();
    let words = [
        (PairState::Same, "the same"),
        (PairState::Within, "within the tolerance"),
        (PairState::Different, "different"),
        (PairState::OnlyA, "only in A"),
        (PairState::OnlyB, "only in B"),
        (PairState::Unreadable, "unreadable"),
    ];
    let parts: Vec<String> = words
        .into_iter()
        .map(|(state, words)| (count(state), words))
        .filter(|(count, _)| *count > 0)
        .map(|(count, words)| format!("{count} {words}"))
        .collect();
    let clips: usize = diff.models.iter().map(|model| model.parts.len().saturating_sub(1)).sum();
    let line = format!(
        "{} with {}: {}",
        counted(diff.models.len(), "model"),
        counted(clips, "clip"),
        parts.join(", ")
    );
    let unreadable = diff.models.iter().filter(|one| one.state == PairState::Unreadable);
    let code = unreadable
        .map(|one| if one.is_temporary { exit::TRY_AGAIN } else { exit::BAD_INPUT })
        .max()
        .unwrap_or(if diff.passes() { exit::DONE } else { exit::DIFFERENT });
    (!diff.models.is_empty()).then_some((line, code))
}

fn failure(error: &ExportError) -> Failure {
    let code = if error.is_temporary() { exit::TRY_AGAIN } else { exit::BAD_INPUT };
    Failure::new(code, chain(error))
}
