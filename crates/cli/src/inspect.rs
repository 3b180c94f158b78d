//! `tintype inspect`: contents and problems of a file, as a page or as JSON.

use super::args::Inspect;
use super::console::Console;
use super::failure::Failure;
use super::load;
use super::stdout::{write_stdout, write_text};
use std::path::Path;
use tintype::{InspectOptions, Inspection, ProblemSeverity, golden_record_text};
use tintype_base::disk::read_regular;
use tintype_base::extension::{SCENES, has_extension};
use tintype_base::path::ShowPath;
use tintype_base::shell::path_word;

pub(super) fn run(options: &Inspect, console: &mut Console) -> Result<(), Failure> {
    console.set_file_scene(options.file_scene.clone());
    if options.textconv {
        return write_stdout(textconv(options, console).as_bytes());
    }
    if !options.json
        && let Some(words) = record_words(&options.file)
    {
        return write_text(&words);
    }
    let found = inspected(options, console)?;
    for warning in found.warnings() {
        console.warning(&warning.to_string());
    }
    for (material, choice) in found.choices() {
        console.detail(&format!("shader {material:?}: {choice}"));
    }
    load::refuse_stand_ins(found.warnings(), console)?;
    let beside: Vec<String> = found.clips_beside().iter().map(|file| file.shown()).collect();
    if !beside.is_empty() {
        console
            .detail(&format!("clips beside it (inspect one with -a FILE): {}", beside.join(", ")));
    }
    let json = || found.to_json().map_err(|error| Failure::library(&error));
    let text = if options.json { json()? } else { found.to_text(options.tree) };
    write_stdout(text.as_bytes())?;
    // Problems already on the page are not repeated, but they count.
    for problem in
        found.problems().filter(|one| one.severity == ProblemSeverity::Warning && !one.is_told)
    {
        console.count_warning(&problem.message);
    }
    Ok(())
}

/// Text of a file, which git uses to show its changes. Git passes a temporary file under another
/// name, alone in its folder, so folders and files beside a model are out of reach. A file that
/// cannot be read is shown as is, or as the reason.
fn textconv(options: &Inspect, console: &Console) -> String {
    let folder = options.file.with_file_name("");
    text_for_git(options, console).replace(&*folder.shown(), "")
}

fn text_for_git(options: &Inspect, console: &Console) -> String {
    let bytes = match read_regular(&options.file) {
        Ok(bytes) => bytes,
        Err(error) => return load::unreadable(&options.file, &error).message + "\n",
    };
    if let Some(words) = record_words(&options.file) {
        return words;
    }
    let is_scene = has_extension(&options.file, &SCENES);
    let found = if is_scene { Err(None) } else { inspected(options, console).map_err(Some) };
    match found {
        Ok(found) => found.to_text(true),
        Err(failure) => match String::from_utf8(bytes) {
            Ok(text) if !text.contains('\0') => text,
            _ => failure.map_or_else(String::new, |failure: Failure| failure.message + "\n"),
        },
    }
}

/// The record of a golden with short digests instead of long sums. None for another file.
fn record_words(file: &Path) -> Option<String> {
    has_extension(file, &SCENES).then(|| golden_record_text(file)).flatten()
}

fn inspected(options: &Inspect, console: &Console) -> Result<Inspection, Failure> {
    let path = &options.file;
    if path.is_dir() {
        return Err(Failure::bad_input(format!(
            "{}: expected a model, a clip or a scene, found a folder; draw its models with `tintype thumbnail {} --gallery`",
            path.shown(),
            path_word(path)
        )));
    }
    let own = InspectOptions {
        load: console.load_options().clone().with_ticks_per_second(options.ticks_per_second),
        clips: options.clips.clone(),
        alone: options.textconv,
    };
    Inspection::open_with(path, &own).map_err(|error| failure(path, &error))
}

/// The failure of an inspection, with the command or the option that mends it.
fn failure(path: &Path, error: &tintype::Error) -> Failure {
    let is_scene = has_extension(path, &SCENES);
    if let Some(other) = is_scene.then(|| load::refuse_what_is_no_scene(path).err()).flatten() {
        return other;
    }
    match (error.diagnostics(), error.colored()) {
        ([], _) => Failure::library(error),
        (mistakes, Some(colored)) if is_scene => {
            let (plain, count) = (error.to_string(), mistakes.len());
            load::counted_mistakes(count, &path.shown(), &plain, colored)
        }
        (mistakes, _) => Failure::bad_input(load::at_options(mistakes)),
    }
}
