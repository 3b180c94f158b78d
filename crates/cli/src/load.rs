//! Reading scenes, models, clips and cameras, with messages that name the file.

use super::console::Console;
use super::exit;
use super::failure::Failure;
use super::standard_input::{STREAM, read_standard_input};
use std::path::{Path, PathBuf};
use tintype::diagnostic::{Kind, Place};
use tintype::setting::Settings;
use tintype::{Diagnostic, Files, LoadOptions, Model, PoseFault};
use tintype_base::amount::counted;
use tintype_base::disk::{MAX_TEXT_BYTES, read_bounded};
use tintype_base::extension::{SCENES, has_extension, is_model};
use tintype_base::path::ShowPath;
use tintype_base::shell::path_word;
use tintype_formats::md5;
use tintype_render::asset::input::{is_folder, read_head};
use tintype_render::asset::{self, Assets, FileError};
use tintype_scene::{LitScene, Scene, SceneErrors, parse_scene, scene_text};

/// Reads and checks a scene; `-` is standard input, with paths relative to the working folder.
pub(super) fn scene(path: &Path) -> Result<Scene, Failure> {
    let (text, name) = text(path)?;
    parse_scene(&text, &name).map_err(|errors| mistakes(&errors))
}

/// Reads the text of a scene or a recipe, with its name for messages.
pub(super) fn text(path: &Path) -> Result<(String, String), Failure> {
    let name = path.shown();
    let (bytes, name) = if path.as_os_str() == STREAM {
        let mut bytes = Vec::new();
        read_standard_input(MAX_TEXT_BYTES, "scenes are smaller", &mut bytes)?;
        (bytes, "standard input")
    } else {
        refuse_what_is_no_scene(path)?;
        let bytes = read_bounded(path, MAX_TEXT_BYTES);
        (bytes.map_err(|error| unreadable(path, &error))?, name.as_str())
    };
    let text =
        scene_text(bytes).map_err(|message| Failure::bad_input(format!("{name}: {message}")))?;
    Ok((text, name.to_owned()))
}

/// Overrides values of a scene by options.
pub(super) fn overrides(said: &Settings, scene: &mut Scene) -> Result<(), Failure> {
    let refused = |error: LitScene| Failure::bad_input(format!("--look: {error}"));
    scene.apply(said).map_err(refused)
}

/// Mistakes of a scene that the library made of options, each at its option.
pub(super) fn at_options(mistakes: &[Diagnostic]) -> String {
    let lines = mistakes.iter().map(|mistake| {
        let mut own = mistake.clone();
        if let Place::Document { key, .. } = &own.place
            && let Some((_, option)) = OPTIONS.iter().find(|(known, _)| key.starts_with(known))
        {
            own.place = Place::option(*option);
        }
        own.to_string()
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// Names the command for a folder, a model, a clip or a picture given in place of a scene: read as
/// TOML, each of its lines would be a mistake.
pub(super) fn refuse_what_is_no_scene(path: &Path) -> Result<(), Failure> {
    let name = path.shown();
    let word = path_word(path);
    let message = if is_folder(&Files::Disk, path) {
        format!(
            "{name}: expected a scene (.toml), found a folder; draw its models with `tintype thumbnail {word} --gallery`"
        )
    } else if is_clip(path) {
        format!(
            "{name}: expected a scene (.toml), found a clip; play it with `tintype turntable MODEL -a {word}`"
        )
    } else if is_model_or_clip(path) {
        format!(
            "{name}: expected a scene (.toml), found a model; draw it with `tintype turntable {word}` or `tintype thumbnail {word}`"
        )
    } else if let Some(kind) = picture_kind(path) {
        format!("{name}: expected a scene (.toml), found a {kind} picture")
    } else if is_model(path) && path.is_file() {
        read_head(&Files::Disk, path, 1).map_err(|error| unreadable(path, &error))?;
        format!(
            "{name}: expected a scene (.toml), found a file that is named like a model but is not one"
        )
    } else {
        return Ok(());
    };
    Err(Failure::bad_input(message))
}

/// The kind of a file that is not a model, with the command for it. None for models and for files
/// of unknown kinds.
pub(super) fn other_than_a_model(path: &Path) -> Option<String> {
    let word = path_word(path);
    if is_clip(path) {
        return Some(format!("expected a model, found a clip; play it on a model with -a {word}"));
    }
    if has_extension(path, &SCENES) {
        return Some(format!(
            "expected a model, found a scene; draw it with `tintype render {word}`"
        ));
    }
    let kind = picture_kind(path)?;
    Some(format!("expected a model, found a {kind} picture"))
}

/// Refuses a clip, a scene or a picture given in place of a model.
pub(super) fn refuse_what_is_no_model(path: &Path) -> Result<(), Failure> {
    match other_than_a_model(path) {
        Some(message) => Err(Failure::bad_input(format!("{}: {message}", path.shown()))),
        None => Ok(()),
    }
}

/// True if a file is an `.md5anim` file, by its name and its first bytes.
pub(super) fn is_clip(path: &Path) -> bool {
    has_extension(path, &["md5anim"]) && md5::looks_like_md5(&first_bytes(path))
}

/// The kind of a picture file, by its first bytes.
fn picture_kind(path: &Path) -> Option<&'static str> {
    const MARKS: [(&[u8], &str); 4] =
        [(b"\x89PNG", "PNG"), (b"\xff\xd8\xff", "JPEG"), (b"GIF8", "GIF"), (b"DDS ", "DDS")];
    let start = first_bytes(path);
    MARKS.iter().find(|(mark, _)| start.starts_with(mark)).map(|(_, kind)| *kind)
}

/// All mistakes of a text, with their number.
pub(super) fn mistakes(errors: &SceneErrors) -> Failure {
    counted_mistakes(errors.errors().len(), errors.name(), &errors.to_string(), &errors.colored())
}

/// The number of mistakes in a text before the mistakes themselves, plain and coloured.
pub(super) fn counted_mistakes(count: usize, name: &str, plain: &str, colored: &str) -> Failure {
    let count = counted(count, "mistake");
    let message = |drawn: &str| format!("{count} in {name}\n\n{drawn}");
    Failure { colored: Some(message(colored)), ..Failure::bad_input(message(plain)) }
}

/// A file that cannot be opened: bad input, unless the disk itself fails.
pub(super) fn unreadable(path: &Path, error: &std::io::Error) -> Failure {
    refused(&FileError::new(path, error))
}

/// The failure for a file that cannot be opened.
pub(super) fn refused(error: &FileError) -> Failure {
    let code = if error.is_temporary() { exit::TRY_AGAIN } else { exit::BAD_INPUT };
    Failure::new(code, error.to_string())
}

/// Loads the assets of a scene, and prints their warnings.
pub(super) fn assets(scene: &Scene, path: &Path, console: &mut Console) -> Result<Assets, Failure> {
    assets_in(scene, path.parent().unwrap_or(Path::new("")), console)
}

/// As [`assets`], with the folder that names are relative to.
pub(super) fn assets_in(
    scene: &Scene,
    folder: &Path,
    console: &mut Console,
) -> Result<Assets, Failure> {
    let assets = asset::load(scene, folder, console.load_options());
    let assets = assets.map_err(|error| Failure::asset(&error))?;
    warn(&assets, console)?;
    Ok(assets)
}

/// Passes on the warnings of loaded assets.
fn warn(assets: &Assets, console: &mut Console) -> Result<(), Failure> {
    for warning in &assets.warnings {
        console.warning(&console.diagnostic_text(warning));
    }
    tell_choices(assets, console);
    refuse_stand_ins(&assets.warnings, console)
}

/// With `--no-stand-ins`, refuses substitutes for missing files.
pub(super) fn refuse_stand_ins(warnings: &[Diagnostic], console: &Console) -> Result<(), Failure> {
    let count = warnings.iter().filter(|warning| warning.is_stand_in).count();
    if count == 0 || !console.strict_assets() {
        return Ok(());
    }
    let what = counted(count, "stand-in");
    Err(Failure::new(
        exit::INCOMPLETE,
        format!("--no-stand-ins: {what} needed; see the warnings above"),
    ))
}

/// If details are requested, reports choices that no file states, such as guessed textures.
pub(super) fn tell_choices(assets: &Assets, console: &Console) {
    for report in &assets.material_reports {
        for note in &report.notes {
            console.detail(&format!("shader {:?}: {note}", report.shader));
        }
    }
}

/// Keys of a scene, and the options that set them.
pub(super) const OPTIONS: [(&str, &str); 12] = [
    ("model[0].up", "--up"),
    ("model[0].front", "--front"),
    ("model[0].scene", "--file-scene"),
    ("model[0].ticks_per_second", "--ticks-per-second"),
    ("model[0].clips", "--anim"),
    ("textures.search", "--textures"),
    ("material", "--texture"),
    ("instance[0].clip", "--clip"),
    ("output.frames", "--count"),
    ("camera.azimuth_deg", "--azimuth"),
    ("camera.elevation_deg", "--elevation"),
    ("camera.fov_deg", "--fov"),
];

/// The first bytes of a file; empty if it cannot be read.
fn first_bytes(path: &Path) -> Vec<u8> {
    read_head(&Files::Disk, path, 4096).unwrap_or_default()
}

/// True if a file is a model or a clip, by its first bytes; an unreadable file is neither.
pub(super) fn is_model_or_clip(path: &Path) -> bool {
    let start = first_bytes(path);
    asset::is_model_file(&start, path) || md5::looks_like_md5(&start)
}

/// Fields of a request for a pose, and the options that set them.
const POSE_OPTIONS: [(&str, &str); 6] = [
    ("clip", "--clip"),
    ("time_s", "--time"),
    ("tick", "--tick"),
    ("key", "--frame"),
    ("morphs", "--morph"),
    ("ticks_per_second", "--ticks-per-second"),
];

/// A mistake or a warning of a request for a pose, at its option.
pub(super) fn at_pose_option(told: &Diagnostic) -> Diagnostic {
    let mut own = told.clone();
    if let Place::Document { key, .. } = &mut own.place
        && let Some((_, option)) = POSE_OPTIONS.iter().find(|(known, _)| key == known)
    {
        (*option).clone_into(key);
    }
    own
}

/// Opens a model with the clips of other files, and prints its warnings.
pub(super) fn model(
    path: &Path,
    clips: &[PathBuf],
    load_options: &LoadOptions,
    console: &mut Console,
) -> Result<Model, Failure> {
    let model = Model::open_with(path, clips, load_options);
    let model = model.map_err(|error| match error.diagnostics() {
        [] => pose_failure(&error),
        mistakes => Failure::bad_input(at_options(mistakes)),
    })?;
    warn_of_model(&model, console);
    Ok(model)
}

/// The model with the clip of a file beside it that a pose plays, if there is one; tells which.
pub(super) fn with_clip_beside(
    model: Model,
    word: Option<&str>,
    console: &mut Console,
) -> Result<Model, Failure> {
    let beside = model.with_clip_beside(word).map_err(|error| pose_failure(&error))?;
    let Some(model) = beside else { return Ok(model) };
    if let ([file], None) = (model.clip_paths(), word) {
        console.info(&format!(
            "playing {}, found beside the model; choose another with --clip NAME",
            file.shown()
        ));
    }
    warn_of_model(&model, console);
    Ok(model)
}

/// Prints the warnings of a model that is not drawn. A pose itself tells settings without effect.
fn warn_of_model(model: &Model, console: &mut Console) {
    let is_told = |warning: &&Diagnostic| !matches!(warning.kind, Kind::NoMesh | Kind::NoEffect);
    for warning in model.warnings().iter().filter(is_told) {
        console.warning(&warning.to_string());
    }
}

/// The failure of a pose or of a comparison of poses, with the options that help.
pub(super) fn pose_failure(error: &tintype::Error) -> Failure {
    let advice = match error.pose_fault() {
        Some(PoseFault::NoTime) => {
            return Failure::bad_input(
                "choose a time of the clip with --time SECONDS, --tick TICKS or --frame KEY",
            );
        }
        Some(PoseFault::TimeOfBindPose) => {
            return Failure::bad_input(
                "--clip bind: the bind pose has no time; --time, --tick and --frame need a clip",
            );
        }
        Some(PoseFault::ClipsAlone) => "; to play its clips on a model, use --anim".to_owned(),
        Some(PoseFault::NoClip) => "; name a clip file with --anim".to_owned(),
        Some(PoseFault::NamelessClip) => "; omit --clip".to_owned(),
        Some(PoseFault::NoTicks) => "; use --time".to_owned(),
        Some(PoseFault::Hidden(weights)) => {
            let shown = weights.iter().map(|weight| format!(" --morph '{weight}=1'"));
            format!("; show them with{}", shown.collect::<String>())
        }
        _ => String::new(),
    };
    let mistakes = error.diagnostics().iter().map(|one| at_pose_option(one).to_string());
    let mistakes: Vec<String> = mistakes.collect();
    let mut failure = match mistakes.as_slice() {
        [] => Failure::library(error),
        mistakes => Failure::bad_input(mistakes.join("\n")),
    };
    failure.message += &advice;
    failure
}
