//! `tintype inspect`: contents and problems of a file, as a page or as JSON.

use super::args::Inspect;
use super::console::Console;
use super::failure::Failure;
use super::load;
use super::stdout::{write_json, write_stdout, write_text};
use serde_json::json;
use std::convert::Infallible;
use std::ffi::OsStr;
use std::path::Path;
use tintype_base::disk::read_regular;
use tintype_base::extension::{SCENES, has_extension};
use tintype_base::git::is_lfs_pointer;
use tintype_base::path::ShowPath;
use tintype_base::precedence::Decided;
use tintype_base::printable::{printable, printable_json};
use tintype_base::shell::path_word;
use tintype_formats::Files;
use tintype_framing::{ClipsBeside, ModelAxes, clip_choice};
use tintype_golden::inspect::lint::{Problem, Severity, check_clip, check_model};
use tintype_golden::inspect::print_page;
use tintype_golden::inspect::record::{
    InspectReport, MaterialSummary, NamedClip, NamedModel, SceneSummary, ThumbnailRecord,
};
use tintype_golden::inspect::summary::{CameraSummary, ClipSummary, ModelSummary};
use tintype_model::ClipOptions;
use tintype_render::asset::archive::archive_of;
use tintype_render::asset::input::{is_folder, length_of, names_in};
use tintype_render::asset::{self, AssetError, Assets, LoadedModel, MaterialOrigin, NO_MESH};
use tintype_scene::Scene;
use tintype_scene::decide_clip;

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
    let text = if options.json {
        json_of(&page)?
    } else {
        let mut text = String::new();
        // Writing to a string cannot fail.
        let _ = print_page(&mut text, &page, options.tree);
        // Names of files, joints and materials may hold anything.
        printable(&text).into_owned()
    };
    write_stdout(text.as_bytes())?;
    // What the page says is not said twice, but it counts.
    let own = page.models.iter().flat_map(|model| &model.problems).chain(&page.problems);
    for problem in own.filter(|one| one.severity == Severity::Warning && !one.is_told) {
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

/// The text of a file by which git shows its changes. Git hands over a file of another name, alone in its folder: folders, and what lies
/// beside a model, would be other ones on each side. A file that cannot be read is its own text, or the reason.
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
            let mut text = String::new();
            // Writing to a string cannot fail.
            let _ = print_page(&mut text, &page, true);
            printable(&text).into_owned()
        }
        Err(failure) => match String::from_utf8(bytes) {
            Ok(text) if !text.contains('\0') => text,
            _ => failure.map_or_else(String::new, |failure: Failure| failure.message + "\n"),
        },
    }
}

/// The record of a golden with short digests in place of long sums; none for another file.
fn record_words(file: &Path) -> Option<String> {
    let is_toml = has_extension(file, &SCENES);
    is_toml.then(|| tintype_golden::record_words(file)).flatten()
}

/// Report that [`run`] writes with `--json`.
pub(super) fn json(options: &Inspect, console: &mut Console) -> Result<String, Failure> {
    json_of(&page(options, console)?)
}

fn json_of(page: &InspectReport) -> Result<String, Failure> {
    let json = serde_json::to_string_pretty(page)
        .map_err(|error| Failure::bad_input(format!("cannot write JSON: {error}")))?;
    Ok(printable_json(&json) + "\n")
}

fn page(options: &Inspect, console: &mut Console) -> Result<InspectReport, Failure> {
    let path = &options.file;
    if path.is_dir() {
        return Err(Failure::bad_input(format!(
            "{}: it is a folder, and a model, a clip or a scene is expected; tintype thumbnail {} --gallery shows the models in a folder",
            path.shown(),
            path_word(path)
        )));
    }
    let mut page = InspectReport {
        version: 1,
        file: path.shown(),
        scene: None,
        models: Vec::new(),
        clip: None,
        clips: Vec::new(),
        camera: None,
        materials: Vec::new(),
        problems: Vec::new(),
        warnings: Vec::new(),
    };
    let is = |extension: &str| has_extension(path, &[extension]);
    if is("md5anim") {
        let clip = load::clip(path, console)?;
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        page.problems = check_clip(&name, &clip, &ClipOptions::default(), None);
        page.clip = Some(ClipSummary::of(&clip, None));
    } else if is("md5camera") {
        page.camera = Some(CameraSummary::of(&load::camera(path, console)?));
    } else {
        let is_scene = is("toml");
        let (scene, assets) = if is_scene {
            let scene = load::scene(path)?;
            let assets = load::assets(&scene, path, console)?;
            (scene, assets)
        } else {
            let ticks = options.ticks_per_second;
            let scene = load::scene_of_model(path, &options.clips, ticks, console.load_options())?;
            let mut assets = asset::load(&scene, Path::new(""), console.load_options())
                .map_err(AssetError::without_key);
            let is_clips_alone = options.clips.is_empty() && assets.as_ref().is_ok_and(clips_alone);
            if let Ok(assets) = &mut assets
                && is_clips_alone
            {
                assets.warnings.retain(|warning| warning.message != NO_MESH);
            }
            let assets = load::warned(assets, console)?;
            if is_clips_alone {
                add_clips(&mut page, &assets.models[0]);
                page.warnings = console.warnings().to_vec();
                return Ok(page);
            }
            (scene, assets)
        };
        add_scene(&mut page, &scene, &assets);
        if options.clips.is_empty() && !options.textconv && !is_scene {
            tell_clips_beside(path, &mut page, console)?;
        }
        page.scene = is_scene.then(|| SceneSummary::of(&scene, &assets));
    }
    page.warnings = console.warnings().to_vec();
    Ok(page)
}

/// Tells of the clips beside an MD5 model, and which of them its pictures show.
fn tell_clips_beside(
    path: &Path,
    page: &mut InspectReport,
    console: &Console,
) -> Result<(), Failure> {
    let beside = ClipsBeside::find(path, None, console.load_options());
    let beside = beside.map_err(|error| load::unreadable(path, &error))?.unwrap_or_default();
    if beside.files.is_empty() {
        return Ok(());
    }
    let files: Vec<String> = beside.files.iter().map(|file| file.shown()).collect();
    console.info(&format!("clips beside it, which -a FILE inspects: {}", files.join(", ")));
    let shown = beside.suited().next().and_then(Path::file_stem).map(OsStr::to_string_lossy);
    let clip = shown.map(std::borrow::Cow::into_owned);
    for model in &mut page.models {
        let reason = clip_choice::reason(clip.as_deref());
        model.thumbnail = Some(ThumbnailRecord { reason, clip: clip.clone() });
    }
    Ok(())
}

/// Whether a file holds clips and nothing that they could move.
fn clips_alone(assets: &Assets) -> bool {
    assets.models.iter().all(|model| model.model.meshes.is_empty() && !model.clips.is_empty())
}

/// The clips of a file that holds nothing else.
fn add_clips(page: &mut InspectReport, loaded: &LoadedModel) {
    page.clips = loaded.clips.iter().map(|clip| NamedClip::of(clip, loaded)).collect();
    for clip in &loaded.clips {
        page.problems.extend(check_clip(&clip.name, &clip.clip, &clip.options, None));
    }
    page.problems.sort_by_key(|problem| problem.kind);
}

/// Hint for a model that seems to lie with the axes of its format.
fn lying_down(axes: &ModelAxes) -> Option<String> {
    let (up, front) = (axes.up.word(), axes.front.word());
    (!axes.is_upright()).then(|| {
        format!("if it lies on its back, set up = {up:?} and front = {front:?} in a scene")
    })
}

/// The clip that a picture shows of a model with clips: its index, at that.
fn shown_clip(loaded: &LoadedModel) -> (Option<usize>, Option<ThumbnailRecord>) {
    if loaded.clips.is_empty() {
        return (None, None);
    }
    let guess = || {
        let found = clip_choice::best_clip(loaded, || Ok::<(), Infallible>(()))?;
        Ok::<_, Infallible>(found.map(|(index, _)| Some(index)))
    };
    let Ok(Decided { value: index, .. }) = decide_clip(None, None, None, guess);
    let clip = index.map(|index| loaded.clips[index].name.clone());
    (index, Some(ThumbnailRecord { reason: clip_choice::reason(clip.as_deref()), clip }))
}

fn add_scene(page: &mut InspectReport, scene: &Scene, assets: &Assets) {
    for (entry, loaded) in scene.models.iter().zip(&assets.models) {
        let facts = ModelSummary::of(&loaded.model);
        let (clip, thumbnail) = shown_clip(loaded);
        let axes = ModelAxes::of(loaded, clip);
        page.models.push(NamedModel {
            name: entry.name.clone(),
            file: entry.file.clone(),
            hint: axes.as_ref().and_then(lying_down),
            orientation: axes.as_ref().map(ModelAxes::record),
            thumbnail,
            ticks_per_second: loaded.ticks.map(|ticks| ticks.per_second),
            ticks: loaded.ticks.map(|ticks| ticks.to_string()),
            clips: loaded.clips.iter().map(|clip| NamedClip::of(clip, loaded)).collect(),
            problems: problems(loaded, assets),
            facts,
        });
    }
    page.camera = assets.camera.as_ref().map(CameraSummary::of);
    page.materials = MaterialSummary::all(assets);
}

/// Problems of a model and of each of its clips, by kind.
fn problems(loaded: &LoadedModel, assets: &Assets) -> Vec<Problem> {
    let is_textured: Vec<bool> = loaded
        .mesh_materials
        .iter()
        .map(|&index| {
            let origin = assets.material_reports.get(index).map(|report| report.origin);
            !origin.is_some_and(MaterialOrigin::is_missing)
                && assets.materials.get(index).is_some_and(|one| one.diffuse.is_some())
        })
        .collect();
    // Only MD5 files, which do not count in ticks, keep a position for each weight.
    let mut problems = check_model(&loaded.model, &is_textured, loaded.ticks.is_none());
    for clip in &loaded.clips {
        problems.extend(check_clip(&clip.name, &clip.clip, &clip.options, Some(&loaded.model)));
    }
    problems.sort_by_key(|problem| problem.kind);
    problems
}
