//! Reading scenes, models, clips and cameras, with messages that name the file.

use super::console::Console;
use super::exit;
use super::failure::{Failure, raised};
use super::standard_input::{STREAM, read_standard_input};
use std::error::Error;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use tintype::diagnostic::Place;
use tintype::setting::Settings;
use tintype::{Diagnostic, Files, LoadOptions};
use tintype_base::amount::counted;
use tintype_base::diagnostic::chain;
use tintype_base::disk::{MAX_TEXT_BYTES, read_bounded};
use tintype_base::extension::{SCENES, has_extension, is_model};
use tintype_base::git::{LFS_POINTER, is_lfs_pointer};
use tintype_base::path::ShowPath;
use tintype_base::shell::path_word;
use tintype_base::suggest::nearest_words_text;
use tintype_formats::md5::Md5Error;
use tintype_formats::x::TickRate;
use tintype_formats::{Loaded, md5};
use tintype_framing::ClipsBeside;
use tintype_model::{ClipOptions, Model, NamedClip};
use tintype_render::asset::input::{is_folder, read_head, read_input};
use tintype_render::asset::{self, Assets, FileError, ModelFile};
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

/// Contents of a file, without textures.
pub(super) struct Contents {
    /// The model. None in a file of one clip.
    pub model: Option<Model>,
    /// The clips.
    pub clips: Vec<NamedClip>,
    /// Tick rate, if the file counts in ticks.
    pub ticks: Option<TickRate>,
}

/// Reads a file with a model and clips, or any other file with `otherwise`.
fn contents(
    path: &Path,
    ticks_per_second: Option<f64>,
    otherwise: fn(&[u8], &LoadOptions) -> Result<Loaded<Contents>, Md5Error>,
    console: &mut Console,
) -> Result<Contents, Failure> {
    let load_options = console.load_options();
    let most = u64::try_from(load_options.limits.max_bytes).unwrap_or(u64::MAX);
    let bytes =
        read_input(&load_options.files, path, most).map_err(|error| match error.kind() {
            ErrorKind::FileTooLarge => Failure::bad_input(format!(
                "{}: {error}; raise the limit with --limit bytes=NUMBER",
                path.shown()
            )),
            _ => unreadable(path, &error),
        })?;
    if is_lfs_pointer(&bytes) {
        return Err(Failure::bad_input(format!("{}: it is {LFS_POINTER}", path.shown())));
    }
    let refused = |error: &dyn Error, limit| {
        Failure::bad_input(format!("{}: {}{}", path.shown(), chain(error), raised(limit)))
    };
    let file = asset::read_model_file(&bytes, path, "", ticks_per_second, load_options);
    let Loaded { value, warnings } = match file.map_err(|error| refused(&error, error.limit()))? {
        Some(Loaded { value: ModelFile { model, clips, ticks, .. }, warnings }) => {
            Loaded { value: Contents { model: Some(model), clips, ticks }, warnings }
        }
        None => otherwise(&bytes, load_options).map_err(|error| refused(&error, error.limit()))?,
    };
    for warning in warnings {
        let line = if warning.line > 0 { format!("{}:", warning.line) } else { String::new() };
        console.warning(&format!("{}:{line} {}", path.shown(), warning.message));
    }
    Ok(value)
}

/// The first bytes of a file; empty if it cannot be read.
fn first_bytes(path: &Path) -> Vec<u8> {
    read_head(&Files::Disk, path, 4096).unwrap_or_default()
}

/// True if a file is a model or a clip, by its first bytes; an unreadable file is neither.
pub(super) fn is_model_or_clip(path: &Path) -> bool {
    let start = first_bytes(path);
    asset::is_model_file(&start, path) || md5::looks_like_md5(&start)
}

/// Reads a model, and the clips of its file.
pub(super) fn model(
    path: &Path,
    ticks_per_second: Option<f64>,
    console: &mut Console,
) -> Result<(Model, Contents), Failure> {
    let md5 = |bytes: &[u8], load_options: &LoadOptions| {
        let Loaded { value, warnings } = md5::parse_mesh(bytes, load_options)?;
        let value = Contents { model: Some(value), clips: Vec::new(), ticks: None };
        Ok(Loaded { value, warnings })
    };
    let mut contents = contents(path, ticks_per_second, md5, console)?;
    let model = contents.model.take();
    let model = model.expect("both readers of models make one");
    Ok((model, contents))
}

/// The clips to choose from for a model, and their file: the named file, otherwise the model's
/// file, otherwise a file beside an MD5 model that `word` names or that suits it.
pub(super) fn clips_for(
    model: &Path,
    own: Contents,
    anim: Option<&Path>,
    word: Option<&str>,
    ticks_per_second: Option<f64>,
    console: &mut Console,
) -> Result<(PathBuf, Contents), Failure> {
    if let Some(anim) = anim {
        return Ok((anim.to_path_buf(), clips(anim, ticks_per_second, console)?));
    }
    let beside = if own.clips.is_empty() {
        let found = ClipsBeside::find(model, word, console.load_options());
        let found = found.map_err(|error| unreadable(model, &error))?;
        found.map_err(|late| Failure::bad_input(format!("{}: {late}", model.shown())))?
    } else {
        ClipsBeside::default()
    };
    let asked = beside.asked.and_then(|index| beside.files.get(index)).map(PathBuf::as_path);
    let suited = beside.suited().next().filter(|_| word.is_none());
    if let Some(file) = suited {
        console.info(&format!(
            "playing {}, found beside the model; choose another with --clip NAME",
            file.shown()
        ));
    }
    match (asked.or(suited), word) {
        (Some(file), _) => Ok((file.to_path_buf(), clips(file, ticks_per_second, console)?)),
        (None, Some(word)) if word != "bind" && !beside.files.is_empty() => {
            let names = beside.names();
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            let near = nearest_words_text(word, &names);
            let model = model.shown();
            Err(Failure::bad_input(format!("{model}: --clip: unknown clip {word:?}; {near}")))
        }
        _ => Ok((model.to_path_buf(), own)),
    }
}

/// Reads the clips of a file; the clip of an MD5 file is named after the file.
pub(super) fn clips(
    path: &Path,
    ticks_per_second: Option<f64>,
    console: &mut Console,
) -> Result<Contents, Failure> {
    let md5 = |bytes: &[u8], load_options: &LoadOptions| {
        let Loaded { value: clip, warnings } = md5::parse_anim(bytes, load_options)?;
        let clips = vec![NamedClip { name: String::new(), clip, options: ClipOptions::default() }];
        Ok(Loaded { value: Contents { model: None, clips, ticks: None }, warnings })
    };
    let mut contents = contents(path, ticks_per_second, md5, console)?;
    if let (None, [only]) = (&contents.model, contents.clips.as_mut_slice()) {
        only.name = path.file_stem().unwrap_or_default().shown();
    }
    Ok(contents)
}
