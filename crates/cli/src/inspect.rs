//! `tintype inspect`: contents and problems of a file, as a page or as JSON.

use super::args::Inspect;
use super::console::Console;
use super::failure::Failure;
use super::load;
use super::stdout::{write_json, write_stdout, write_text};
use serde_json::json;
use std::path::Path;
use tintype_base::disk::read_regular;
use tintype_base::extension::{SCENES, has_extension};
use tintype_base::git::is_lfs_pointer;
use tintype_base::path::ShowPath;
use tintype_base::shell::path_word;
use tintype_formats::Files;
use tintype_inspect::lint::Severity;
use tintype_inspect::record::InspectReport;
use tintype_render::asset;
use tintype_render::asset::archive::archive_of;
use tintype_render::asset::input::{is_folder, length_of, names_in};

pub(super) fn run(options: &Inspect, console: &mut Console) -> Result<(), Failure> {
    if options.textconv {
        return write_stdout(textconv(options, console).as_bytes());
    }
    if !options.json
        && let Some(words) = record_words(&options.file)
    {
        return write_text(&words);
    }
    if archive_of(&options.file).is_some() && is_folder(&Files::Disk, &options.file) {
        return list(options);
    }
    console.set_file_scene(options.file_scene.clone());
    let page = page(options, console)?;
    let text = if options.json { json_of(&page)? } else { page.to_text(options.tree) };
    write_stdout(text.as_bytes())?;
    // Problems already on the page are not repeated, but they count.
    for problem in
        page.all_problems().filter(|one| one.severity == Severity::Warning && !one.is_told)
    {
        console.count_warning(&problem.message);
    }
    Ok(())
}

/// The files in an archive, or in a folder of one: their bytes and their paths.
fn list(options: &Inspect) -> Result<(), Failure> {
    let failed = |error: std::io::Error| load::unreadable(&options.file, &error);
    let (mut folders, mut files) = (vec![options.file.clone()], Vec::new());
    while let Some(folder) = folders.pop() {
        for name in names_in(&Files::Disk, &folder).map_err(failed)? {
            let path = folder.join(name);
            if is_folder(&Files::Disk, &path) {
                folders.push(path);
            } else {
                files.push((path.shown(), length_of(&Files::Disk, &path).map_err(failed)?));
            }
        }
    }
    files.sort();
    if options.json {
        let list = files.iter().map(|(path, bytes)| json!({ "path": path, "bytes": bytes }));
        let list: Vec<_> = list.collect();
        let page = json!({ "version": 1, "file": options.file.shown(), "files": list });
        return write_json(&format!("{page:#}\n"));
    }
    let lines = files.iter().map(|(path, bytes)| format!("{bytes:>10}  {path}\n"));
    write_text(&lines.collect::<String>())
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
    if is_lfs_pointer(&bytes) {
        return String::from_utf8_lossy(&bytes).into_owned();
    }
    if let Some(words) = record_words(&options.file) {
        return words;
    }
    let is_scene = has_extension(&options.file, &SCENES);
    let shown =
        if is_scene { Err(None) } else { page(options, &mut console.silent()).map_err(Some) };
    match shown {
        Ok(mut page) => {
            page.materials = Vec::new();
            page.warnings = Vec::new();
            page.to_text(true)
        }
        Err(failure) => match String::from_utf8(bytes) {
            Ok(text) if !text.contains('\0') => text,
            _ => failure.map_or_else(String::new, |failure: Failure| failure.message + "\n"),
        },
    }
}

/// The record of a golden with short digests instead of long sums. None for another file.
fn record_words(file: &Path) -> Option<String> {
    let is_toml = has_extension(file, &SCENES);
    is_toml.then(|| tintype_golden::record_words(file)).flatten()
}

fn json_of(page: &InspectReport) -> Result<String, Failure> {
    page.to_json().map_err(|error| Failure::bad_input(format!("cannot write JSON: {error}")))
}

fn page(options: &Inspect, console: &mut Console) -> Result<InspectReport, Failure> {
    let path = &options.file;
    if path.is_dir() {
        return Err(Failure::bad_input(format!(
            "{}: expected a model, a clip or a scene, found a folder; draw its models with `tintype thumbnail {} --gallery`",
            path.shown(),
            path_word(path)
        )));
    }
    let file = path.shown();
    let is = |extension: &str| has_extension(path, &[extension]);
    let mut page = if is("md5anim") {
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        InspectReport::of_clip(file, &name, &load::clip(path, console)?)
    } else if is("md5camera") {
        InspectReport::of_camera(file, &load::camera(path, console)?)
    } else if is("toml") {
        let scene = load::scene(path)?;
        let assets = load::assets(&scene, path, console)?;
        InspectReport::of_models(file, &scene, &assets, true)
    } else {
        let ticks = options.ticks_per_second;
        let scene = load::scene_of_model(path, &options.clips, ticks, console.load_options())?;
        let loaded = asset::load(&scene, Path::new(""), console.load_options());
        let mut assets = loaded.map_err(|error| Failure::asset(&error.without_key()))?;
        let has_clips = !options.clips.is_empty();
        let mut page = InspectReport::of_model_file(file, &scene, &mut assets, has_clips);
        load::warn(&assets, console)?;
        if !has_clips && !options.textconv {
            tell_clips_beside(path, &mut page, console)?;
        }
        page
    };
    page.warnings = console.warnings().to_vec();
    Ok(page)
}

/// Reports the clips beside an MD5 model, and which of them its pictures show.
fn tell_clips_beside(
    path: &Path,
    page: &mut InspectReport,
    console: &Console,
) -> Result<(), Failure> {
    let beside = page.tell_clips_beside(path, console.load_options());
    let beside = beside.map_err(|error| load::unreadable(path, &error))?;
    if !beside.is_empty() {
        let files: Vec<String> = beside.iter().map(|file| file.shown()).collect();
        console
            .detail(&format!("clips beside it (inspect one with -a FILE): {}", files.join(", ")));
    }
    Ok(())
}
