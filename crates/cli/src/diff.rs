//! `tintype diff`: differences of two pictures, sequences, models, records or folders.
//!
//! [`tintype::Diff`] compares them; two models with one clip are compared by `model_diff`.

use super::args::{Diff, DiffPicture};
use super::console::Console;
use super::contact_sheet::format_of_sheet;
use super::exit;
use super::failure::Failure;
use super::model_diff::{MAX_JOINTS, tolerance};
use super::report::{INDEX, refuse_foreign_page, write_file};
use super::standard_input::STREAM;
use super::stdout::{write_json, write_stdout};
use tintype::{
    DiffKind, DiffOptions, FileDiff, FileState, ModelDiff, ModelState, PictureDiff, PictureState,
};
use tintype_base::amount::counted;
use tintype_base::path::ShowPath;

pub(super) fn run(options: &Diff, console: &mut Console) -> Result<(), Failure> {
    let (a, b) = (&options.expected, &options.found);
    // Git passes this name for a missing side.
    let there = match [a, b].map(|side| side.as_os_str() == "/dev/null") {
        [true, false] => Some(format!("{} is new", b.shown())),
        [false, true] => Some(format!("{} is gone", a.shown())),
        _ => None,
    };
    if let Some(message) = there {
        return Err(Failure::new(exit::DIFFERENT, message));
    }
    let kind = DiffKind::of(a, b).map_err(|error| Failure::library(&error))?;
    let has_clip = !options.clips.is_empty() || options.clip.is_some();
    refuse_unfit(options, kind, has_clip)?;
    if kind == DiffKind::OneModel || (kind == DiffKind::Models && has_clip) {
        return super::model_diff::run(options, console);
    }
    compare(options, kind, console)
}

/// Refuses options that do not fit the two sides.
fn refuse_unfit(options: &Diff, kind: DiffKind, has_clip: bool) -> Result<(), Failure> {
    let of_pictures = [
        ("--metric", options.metric.is_some()),
        ("--bound", options.bound.is_some()),
        ("--picture", options.picture.is_some()),
        ("-o", options.output.is_some()),
    ];
    let of_clips = [("-a", !options.clips.is_empty()), ("--clip", options.clip.is_some())];
    let of_models = [("--tolerance", options.tolerance.is_some())];
    let reports = [("--report", options.report.is_some()), ("--junit", options.junit.is_some())];
    let json = [("--json", options.json)];
    let sheet = [("--contact-sheet", options.contact_sheet.is_some())];
    if kind == DiffKind::Records {
        let all = [&of_pictures[..], &of_clips, &of_models, &reports, &json, &sheet].concat();
        return refuse(&all, "works with pictures and models, not with records");
    }
    let is_whole = kind == DiffKind::Models && !has_clip;
    if !is_whole {
        refuse(&sheet, "needs two models, without -a and --clip")?;
    }
    if let DiffKind::Models | DiffKind::OneModel = kind {
        refuse(&of_pictures, "works with pictures, not with models")?;
        let why = "needs two models or two folders, without -a and --clip";
        return if is_whole { Ok(()) } else { refuse(&reports, why) };
    }
    let why = "works with models, not with pictures (use --metric and --bound for those)";
    refuse(&of_clips, why)?;
    if kind == DiffKind::Folders {
        return Ok(());
    }
    refuse(&of_models, why)?;
    refuse(&reports, "needs two models or two folders")
}

/// Refuses options without a meaning here.
fn refuse(options: &[(&str, bool)], why: &str) -> Result<(), Failure> {
    match options.iter().find(|(_, is_given)| *is_given) {
        Some((name, _)) => Err(Failure::bad_input(format!("{name} {why}"))),
        None => Ok(()),
    }
}

/// The options of the comparison.
fn options_of(options: &Diff, console: &Console) -> Result<DiffOptions, Failure> {
    let own = match (&options.metric, options.bound) {
        (None, None) => DiffOptions::default(),
        (None, Some(_)) => {
            return Err(Failure::bad_input("--bound needs --metric max, flip or ssim"));
        }
        (Some(metric), bound) => DiffOptions::default()
            .with_metric(metric, bound)
            .map_err(|error| Failure::bad_input(format!("--metric, --bound: {error}")))?,
    };
    Ok(DiffOptions {
        tolerance: tolerance(options)?,
        pictures: options.contact_sheet.is_some(),
        report: options.report.is_some(),
        max_joints: (!console.is_verbose()).then_some(MAX_JOINTS),
        load: console.load_options().clone(),
        output: options.output.clone(),
        x16: options.picture == Some(DiffPicture::X16),
        ..own
    })
}

fn compare(options: &Diff, kind: DiffKind, console: &Console) -> Result<(), Failure> {
    let own = options_of(options, console)?;
    options.report.as_deref().map_or(Ok(()), refuse_foreign_page)?;
    options.contact_sheet.as_deref().map_or(Ok(()), |path| format_of_sheet(path).map(drop))?;
    // With `--json` differences are in the JSON.
    let mut say = |picture: &PictureDiff| {
        if !options.json {
            say_picture(picture, kind, console);
        }
        true
    };
    let found = tintype::Diff::of_paths(&options.expected, &options.found, own, &mut say)
        .map_err(|error| Failure::library(&error))?;
    if let Some(written) = found.written.as_ref().filter(|written| written.count > 0) {
        let pictures = counted(written.count, "difference picture");
        console.info(&format!("{pictures} written: {}", written.scale));
    }
    if options.json {
        write_json(&found.to_json())?;
    } else {
        found.files.iter().for_each(|one| say_file(one, kind, console));
        found.models.iter().for_each(|one| say_model(one, kind, console));
    }
    write_reports(options, &found, console)?;
    conclude(&found, console)
}

/// Writes the page, the JUnit file and the contact sheet requested by the options.
fn write_reports(options: &Diff, found: &tintype::Diff, console: &Console) -> Result<(), Failure> {
    if let Some(folder) = &options.report {
        found.write_report(folder).map_err(|error| Failure::library(&error))?;
        console.info(&format!("report: {}", folder.join(INDEX).shown()));
    }
    if let Some(path) = &options.junit {
        let text = found.to_junit(options.report.as_deref());
        if path.as_os_str() == STREAM {
            write_stdout(text.as_bytes())?;
        } else {
            write_file(path, text.as_bytes())?;
        }
    }
    if let Some(path) = &options.contact_sheet {
        let shown = path.shown();
        if let Some(sheet) = found.models.iter().find_map(|model| model.contact_sheet.as_ref()) {
            sheet.save(path).map_err(|error| Failure::library(&error))?;
            console.info(&format!("contact sheet: {shown}"));
        } else {
            console.info(&format!("{shown} was not written: no picture differs"));
        }
    }
    Ok(())
}

/// Prints one line for a frame of a sequence, or all lines of a single pair.
fn say_picture(one: &PictureDiff, kind: DiffKind, console: &Console) {
    let is_single = kind == DiffKind::Pictures;
    let name = if is_single { String::new() } else { format!("{}: ", one.name) };
    match one.state {
        // The end of the command reports it.
        PictureState::Unreadable | PictureState::Same if is_single => {}
        PictureState::Unreadable => console.error(&one.message),
        PictureState::Same => console.detail(&format!("{name}same")),
        _ => console.info(&format!("{name}{}", one.message)),
    }
    if let Some(provenance) = &one.provenance {
        console.info(&format!("{name}{provenance}"));
    }
}

/// Prints the differences of two files that are neither pictures nor models.
fn say_file(one: &FileDiff, kind: DiffKind, console: &Console) {
    let name = if kind == DiffKind::Records { String::new() } else { format!("{}: ", one.name) };
    match one.state {
        FileState::Same | FileState::NotCompared => {}
        FileState::OnlyA => console.info(&format!("{name}only in A")),
        FileState::OnlyB => console.info(&format!("{name}only in B")),
        FileState::SameContent => {
            console.detail(&format!("{name}{}", one.sentences.join("; ")));
        }
        FileState::Different => {
            one.sentences.iter().for_each(|text| console.info(&format!("{name}{text}")));
        }
        FileState::Unreadable => one.sentences.iter().for_each(|text| console.error(text)),
    }
}

/// Prints the differences of a model.
fn say_model(model: &ModelDiff, kind: DiffKind, console: &Console) {
    let is_single = kind != DiffKind::Folders;
    let name = if is_single { String::new() } else { format!("{}: ", model.name) };
    match (model.state, &model.error) {
        // The end of the command reports a single one.
        (ModelState::Unreadable, Some(error)) if !is_single => console.error(error),
        (ModelState::OnlyA, _) => console.info(&format!("{name}only in A")),
        (ModelState::OnlyB, _) => console.info(&format!("{name}only in B")),
        _ => {}
    }
    for note in &model.notes {
        console.info(&format!("{name}note: {}", note.sentence()));
    }
    for part in &model.parts {
        let clip = part.clip.as_ref().map_or(String::new(), |clip| format!("clip {clip}: "));
        for finding in part.causes.iter().filter_map(|cause| cause.finding.as_ref()) {
            let line = format!("{name}{clip}{finding}");
            if part.state.passes() { console.detail(&line) } else { console.info(&line) }
        }
    }
}

/// Prints the last lines. The worst of them is the failure of the command.
fn conclude(found: &tintype::Diff, console: &Console) -> Result<(), Failure> {
    let mut failure: Option<Failure> = None;
    for summary in found.summaries() {
        let code = exit::of_diff(summary.verdict);
        if code <= failure.as_ref().map_or(exit::DONE, |first| first.code) {
            console.info(&summary.text);
        } else if let Some(first) = failure.replace(Failure::new(code, summary.text)) {
            console.error(&first.message);
        }
    }
    failure.map_or(Ok(()), Err)
}
