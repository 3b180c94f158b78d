//! `tintype diff`: differences of two pictures, two sequences, or two models.
//!
//! Pictures are compared by [`tintype_golden::picture_diff`], models with all their clips by
//! [`tintype_golden::exports`], and with one clip by [`tintype_compare::model_diff`].

use super::args::{Diff, DiffPicture};
use super::console::Console;
use super::failure::Failure;
use super::stdout::write_json;
use super::{exit, export_diff, load};
use rayon::prelude::*;
use std::path::Path;
use tintype::Rule;
use tintype_base::amount::counted;
use tintype_base::extension::{SCENES, has_extension};
use tintype_base::path::ShowPath;
use tintype_compare::Heat;
use tintype_golden::exports::ExportDiff;
use tintype_golden::picture_diff::PictureDiffError;
use tintype_golden::picture_diff::{
    Compared, ComparedFile, FileState, Pair, Pairs, PictureLimits, Results, Sides, State,
    compare_files, encode_json,
};
use tintype_golden::report::{Entry, SceneReport, Status};
use tintype_golden::{record_differences, record_words};
use tintype_host::job::memory::available_memory;

pub(super) fn run(options: &Diff, console: &mut Console) -> Result<(), Failure> {
    let sides = [&options.expected, &options.found];
    // Git passes this name for a missing side.
    let there = match sides.map(|side| side.as_os_str() == "/dev/null") {
        [true, false] => Some(format!("{} is new", options.found.shown())),
        [false, true] => Some(format!("{} is gone", options.expected.shown())),
        _ => None,
    };
    if let Some(message) = there {
        return Err(Failure::new(exit::DIFFERENT, message));
    }
    if sides.into_iter().all(|side| record_words(side).is_some()) {
        return records(options, console);
    }
    for side in sides {
        let advice = if load::is_clip(side) {
            "this is a clip; to compare clips key by key, give two folders that each contain the model and its clip"
        } else if is_scene(side) && record_words(side).is_some() {
            "this is a golden's record; compare it with another record"
        } else if is_scene(side) {
            "this is a scene; compare two folders with scenes, or the rendered pictures"
        } else {
            continue;
        };
        return Err(Failure::bad_input(format!("{}: {advice}", side.shown())));
    }
    if !export_diff::is_of_models(options) {
        let why = "needs two models, without -a and --clip";
        refuse(&[("--contact-sheet", options.contact_sheet.is_some())], why)?;
    }
    if sides.iter().any(|path| load::is_model_or_clip(path)) {
        let of_pictures = [
            ("--metric", options.metric.is_some()),
            ("--bound", options.bound.is_some()),
            ("--picture", options.picture.is_some()),
            ("-o", options.output.is_some()),
        ];
        refuse(&of_pictures, "works with pictures, not with models")?;
        if export_diff::is_of_models(options) {
            return export_diff::run(options, console);
        }
        let of_exports =
            [("--report", options.report.is_some()), ("--junit", options.junit.is_some())];
        refuse(&of_exports, "needs two models or two folders, without -a and --clip")?;
        return super::model_diff::run(options, console);
    }
    let of_models = [("-a", !options.clips.is_empty()), ("--clip", options.clip.is_some())];
    let why = "works with models, not with pictures (use --metric and --bound for those)";
    refuse(&of_models, why)?;
    if !sides.iter().all(|path| path.is_dir()) {
        refuse(&[("--tolerance", options.tolerance.is_some())], why)?;
        let of_folders =
            [("--report", options.report.is_some()), ("--junit", options.junit.is_some())];
        refuse(&of_folders, "needs two models or two folders")?;
    }
    pictures(options, console)
}

/// Compares two records of golden pictures.
fn records(options: &Diff, console: &Console) -> Result<(), Failure> {
    let of_others = [
        ("--metric", options.metric.is_some()),
        ("--bound", options.bound.is_some()),
        ("--picture", options.picture.is_some()),
        ("-o", options.output.is_some()),
        ("-a", !options.clips.is_empty()),
        ("--clip", options.clip.is_some()),
        ("--tolerance", options.tolerance.is_some()),
        ("--report", options.report.is_some()),
        ("--junit", options.junit.is_some()),
        ("--json", options.json),
        ("--contact-sheet", options.contact_sheet.is_some()),
    ];
    refuse(&of_others, "works with pictures and models, not with records")?;
    let lines = record_differences(&options.expected, &options.found);
    let lines = lines.map_err(Failure::bad_input)?;
    lines.iter().for_each(|line| console.info(line));
    if lines.is_empty() {
        console.info("the same");
        Ok(())
    } else {
        Err(Failure::new(exit::DIFFERENT, "different"))
    }
}

/// True for a file with the name of a scene.
fn is_scene(path: &Path) -> bool {
    path.is_file() && has_extension(path, &SCENES)
}

/// Refuses options without a meaning here.
fn refuse(options: &[(&str, bool)], why: &str) -> Result<(), Failure> {
    match options.iter().find(|(_, is_given)| *is_given) {
        Some((name, _)) => Err(Failure::bad_input(format!("{name} {why}"))),
        None => Ok(()),
    }
}

fn failure(error: &PictureDiffError) -> Failure {
    let code = if error.is_temporary() { exit::TRY_AGAIN } else { exit::BAD_INPUT };
    Failure::new(code, error.to_string())
}

/// The exit code of one pair.
fn code(one: &Compared) -> u8 {
    match one.state {
        _ if one.passes() => exit::DONE,
        State::Unreadable if one.is_temporary => exit::TRY_AGAIN,
        State::Unreadable => exit::BAD_INPUT,
        _ => exit::DIFFERENT,
    }
}

fn pictures(options: &Diff, console: &Console) -> Result<(), Failure> {
    let rule = match (&options.metric, options.bound) {
        (None, None) => Rule::Exact,
        (None, Some(_)) => {
            let message = "--bound needs --metric max, flip or ssim";
            return Err(Failure::bad_input(message));
        }
        (Some(metric), bound) => Rule::new(metric, bound)
            .map_err(|error| Failure::bad_input(format!("--metric, --bound: {error}")))?,
    };
    let pairs = Pairs::find(&options.expected, &options.found).map_err(|error| failure(&error))?;
    let is_of_folders = options.expected.is_dir() && options.found.is_dir();
    let models =
        if is_of_folders { export_diff::compare(options, console)? } else { ExportDiff::default() };
    let files = if is_of_folders {
        // Models and their clips are compared together.
        let is_other = |path: &Path| !models.has_file(path);
        compare_files(&options.expected, &options.found, &is_other, console.load_options())
            .map_err(|error| failure(&error))?
    } else {
        Vec::new()
    };
    if pairs.list.is_empty()
        && models.models.is_empty()
        && files.iter().all(|one| one.state == FileState::NotCompared)
    {
        let [a, b] = [&options.expected, &options.found].map(|path| path.shown());
        let message = format!("neither {a} nor {b} contains a picture, model, clip or scene");
        return Err(Failure::bad_input(message));
    }
    let targets = match &options.output {
        Some(output) => Some(pairs.targets(output).map_err(|error| failure(&error))?),
        None => None,
    };

    // As many pictures in memory as there are threads, however long the sequence is; fewer if
    // memory is scarce.
    let limits = PictureLimits {
        bytes: u64::try_from(console.load_options().limits.max_bytes).unwrap_or(u64::MAX),
        memory: available_memory(),
    };
    let at_once = limits.at_once(&pairs.list, rayon::current_num_threads());
    let mut all: Vec<Compared> = Vec::with_capacity(pairs.list.len());
    for some in pairs.list.chunks(at_once) {
        let compared: Vec<Compared> =
            some.par_iter().map(|pair| Compared::new(pair, rule, &limits)).collect();
        // With `--json` these facts are in the JSON.
        if !options.json {
            compared.iter().for_each(|one| say(one, &pairs, console));
        }
        all.extend(compared);
    }

    let mut heat = None;
    if let Some(targets) = &targets {
        heat =
            write_pictures(options, (&pairs.list, targets), &mut all, (&limits, at_once), console)?;
    }
    if options.json {
        let sides = Sides { expected: &options.expected, found: &options.found };
        let results = Results {
            pairs: &pairs,
            pictures: &all,
            files: &files,
            models: &models.models,
            models_pass: models.passes(),
        };
        write_json(&encode_json(sides, rule, heat, &results))?;
    }
    let said = if options.json { &[][..] } else { &files };
    said.iter().for_each(|one| say_file(one, console));
    let said = if options.json { &[][..] } else { &models.models };
    said.iter().for_each(|one| export_diff::say(one, &format!("{}: ", one.name), console));
    let others = [of_pictures(&all), of_files(&files)];
    export_diff::write_reports(options, &models, others.into_iter().flatten(), console)?;
    let pictures = if all.is_empty() { None } else { Some(conclude(&pairs, rule, &all, console)) };
    let before = match export_diff::conclude(&models) {
        None => pictures,
        Some((line, code)) => Some(join(pictures, line, code, console)),
    };
    conclude_files(&files, before, console)
}

/// The pictures as entries of a report. None without pictures.
fn of_pictures(all: &[Compared]) -> Option<SceneReport> {
    let entries = all.iter().map(|one| {
        let status = match one.state {
            State::Same => Status::Same,
            State::Within => Status::Within,
            State::Different | State::Size => Status::Different,
            State::OnlyA => Status::Dangling,
            State::OnlyB => Status::Missing,
            State::Unreadable => Status::Unreadable,
        };
        let message = if one.message.is_empty() { "the same" } else { &one.message };
        Entry { golden: Some(one.name.clone()), ..Entry::new(None, status, message) }
    });
    (!all.is_empty()).then(|| SceneReport::of("pictures", entries.collect()))
}

/// Other files as entries of a report, except those that are not compared. None without files.
fn of_files(files: &[ComparedFile]) -> Option<SceneReport> {
    let entries = files.iter().filter_map(|one| {
        let status = match one.state {
            FileState::Same | FileState::SameContent => Status::Same,
            FileState::Different => Status::Different,
            FileState::OnlyA => Status::Dangling,
            FileState::OnlyB => Status::Missing,
            FileState::Unreadable => Status::Unreadable,
            FileState::NotCompared => return None,
        };
        let message = match one.sentences().join("; ") {
            none if none.is_empty() => status.word().to_owned(),
            sentences => sentences,
        };
        Some(Entry { golden: Some(one.name.clone()), ..Entry::new(None, status, message) })
    });
    let entries: Vec<Entry> = entries.collect();
    (!entries.is_empty()).then(|| SceneReport::of("files", entries))
}

/// Prints the less severe result, and returns the other.
fn join(
    first: Option<Result<(), Failure>>,
    message: String,
    code: u8,
    console: &Console,
) -> Result<(), Failure> {
    match first {
        Some(Err(first)) if first.code >= code => {
            console.info(&message);
            Err(first)
        }
        Some(Err(first)) => {
            console.error(&first.message);
            Err(Failure::new(code, message))
        }
        _ if code == exit::DONE => {
            console.info(&message);
            Ok(())
        }
        _ => Err(Failure::new(code, message)),
    }
}

/// Prints the differences of two files that are not pictures.
fn say_file(one: &ComparedFile, console: &Console) {
    let name = &one.name;
    match one.state {
        FileState::Same | FileState::NotCompared => {}
        FileState::OnlyA => console.info(&format!("{name}: only in A")),
        FileState::OnlyB => console.info(&format!("{name}: only in B")),
        FileState::SameContent => {
            console.detail(&format!("{name}: {}", one.sentences().join("; ")));
        }
        FileState::Different => {
            one.sentences().iter().for_each(|text| console.info(&format!("{name}: {text}")));
        }
        FileState::Unreadable => one.sentences().iter().for_each(|text| console.error(text)),
    }
}

/// `40 the same`, `5 different` and so on, without zero counts.
fn counts<const N: usize>(words: [(usize, &str); N]) -> Vec<String> {
    let present = words.into_iter().filter(|(count, _)| *count > 0);
    present.map(|(count, words)| format!("{count} {words}")).collect()
}

/// Prints the last line about files other than pictures, and combines the result of the command
/// with that of the pictures.
fn conclude_files(
    files: &[ComparedFile],
    pictures: Option<Result<(), Failure>>,
    console: &Console,
) -> Result<(), Failure> {
    let count = |state: FileState| files.iter().filter(|one| one.state == state).count();
    let words = [
        (FileState::Same, "the same"),
        (FileState::SameContent, "the same content in other bytes"),
        (FileState::Different, "different"),
        (FileState::OnlyA, "only in A"),
        (FileState::OnlyB, "only in B"),
        (FileState::Unreadable, "unreadable"),
    ];
    let parts = counts(words.map(|(state, words)| (count(state), words)));
    let unknown: Vec<&str> = files
        .iter()
        .filter(|one| one.state == FileState::NotCompared)
        .map(|one| one.name.as_str())
        .collect();
    if let Some(first) = unknown.first() {
        let more = if unknown.len() > 1 { ", ..." } else { "" };
        let count = counted(unknown.len(), "file");
        console.info(&format!("{count} of unsupported types not compared: {first}{more}"));
    }
    let compared = files.len() - unknown.len();
    if compared == 0 {
        return pictures.unwrap_or(Ok(()));
    }
    let kind = match pictures {
        None => "file",
        Some(_) => "other file",
    };
    let message = format!("{}: {}", counted(compared, kind), parts.join(", "));
    let code = match count(FileState::Unreadable) {
        0 if files.iter().all(ComparedFile::passes) => exit::DONE,
        0 => exit::DIFFERENT,
        _ => exit::BAD_INPUT,
    };
    join(pictures, message, code, console)
}

/// Writes a picture of each difference on a common scale; returns the scale, if the pictures have
/// one.
fn write_pictures(
    options: &Diff,
    (pairs, targets): (&[Pair], &[std::path::PathBuf]),
    all: &mut [Compared],
    (limits, at_once): (&PictureLimits, usize),
    console: &Console,
) -> Result<Option<Heat>, Failure> {
    let largest = all.iter().map(|one| one.largest_flip).fold(0.0_f32, tintype_model::math::max);
    let heat = match options.picture.unwrap_or(DiffPicture::Heat) {
        DiffPicture::Heat => Some(Heat::that_holds(largest)),
        DiffPicture::X16 => None,
    };
    let mut written = 0;
    let works = all.chunks_mut(at_once).zip(pairs.chunks(at_once)).zip(targets.chunks(at_once));
    for ((some, pairs), targets) in works {
        let results: Vec<Result<(), PictureDiffError>> = some
            .par_iter_mut()
            .zip(pairs.par_iter().zip(targets))
            .map(|(one, (pair, target))| one.write_picture(pair, heat, target, limits))
            .collect();
        results.into_iter().collect::<Result<Vec<()>, _>>().map_err(|error| failure(&error))?;
        written += some.iter().filter(|one| one.picture.is_some()).count();
    }
    if written > 0 {
        let scale = match heat {
            Some(heat) => heat.to_string(),
            None => "each channel's difference times 16".to_owned(),
        };
        console.info(&format!("{} written: {scale}", counted(written, "difference picture")));
    }
    Ok(heat)
}

/// Prints one line for a frame of a sequence, or all lines of a single pair.
fn say(one: &Compared, pairs: &Pairs, console: &Console) {
    let name = if pairs.is_sequence { format!("{}: ", one.name) } else { String::new() };
    match one.state {
        // The end of the command reports it.
        State::Unreadable if !pairs.is_sequence => {}
        State::Unreadable => console.error(&one.message),
        State::Same if pairs.is_sequence => console.detail(&format!("{name}same")),
        State::Same => {}
        _ => console.info(&format!("{name}{}", one.message)),
    }
    if let Some(provenance) = &one.provenance {
        console.info(&format!("{name}{provenance}"));
    }
}

/// The last line, and the exit code.
fn conclude(pairs: &Pairs, rule: Rule, all: &[Compared], console: &Console) -> Result<(), Failure> {
    let code = all.iter().map(code).max().unwrap_or(exit::BAD_INPUT);
    let message = match all {
        [one] if !pairs.is_sequence => match one.state {
            State::Same if rule != Rule::Exact => format!("the same ({rule})"),
            State::Same => "the same".to_owned(),
            State::Within => "different, but within the bound".to_owned(),
            State::Unreadable => one.message.clone(),
            _ => "different".to_owned(),
        },
        all => summary(rule, all),
    };
    if code == exit::DONE {
        console.info(&message);
        return Ok(());
    }
    Err(Failure::new(code, message))
}

/// `48 frames: 40 the same, 5 different, 3 only in A; farthest 0012.png, FLIP 0.1234 (exact)`.
fn summary(rule: Rule, all: &[Compared]) -> String {
    let count = |state: State| all.iter().filter(|one| one.state == state).count();
    let words = [
        (State::Same, "the same"),
        (State::Within, "different within the bound"),
        (State::Different, "different"),
        (State::Size, "of different sizes"),
        (State::OnlyA, "only in A"),
        (State::OnlyB, "only in B"),
        (State::Unreadable, "unreadable"),
    ];
    let parts = counts(words.map(|(state, words)| (count(state), words)));
    let mut text = format!("{}: {} ({rule})", counted(all.len(), "frame"), parts.join(", "));
    let farthest = all
        .iter()
        .filter_map(|one| Some((one.flip?.judged(), one)))
        .max_by(|a, b| a.0.total_cmp(&b.0));
    if let Some((flip, one)) = farthest {
        text += &format!("; largest FLIP {flip:.4} in {}", one.name);
    }
    text
}
