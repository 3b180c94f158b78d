//! Reading what commands work on, with messages that name the file.

use super::console::Console;
use super::{Failure, chain, exit};
use crate::asset::{self, Assets, FileError};
use crate::formats::md5::Md5Error;
use crate::formats::x::TickRate;
use crate::formats::{LoadOptions, Loaded, md5, x};
use crate::model::{CameraClip, Clip, ClipOptions, Model, NamedClip};
use crate::scene::{Scene, SceneErrors, parse_scene};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Reads and checks a scene.
pub(super) fn scene(path: &Path) -> Result<Scene, Failure> {
    let bytes = std::fs::read(path).map_err(|error| unreadable(path, &error))?;
    let text = String::from_utf8(bytes).map_err(|error| {
        Failure::bad_input(format!("{}: not a scene: {}", path.display(), error.utf8_error()))
    })?;
    parse_scene(&text, &path.display().to_string()).map_err(|errors| mistakes(&errors))
}

/// All mistakes of a text, with their number.
pub(super) fn mistakes(errors: &SceneErrors) -> Failure {
    let count = super::counted(errors.errors().len(), "mistake");
    let message = |drawn: &str| format!("{count} in {}\n\n{drawn}", errors.name());
    let colored = Some(message(&errors.colored()));
    Failure { colored, ..Failure::bad_input(message(&errors.to_string())) }
}

/// A file that cannot be opened: bad input, unless the disk itself fails.
pub(super) fn unreadable(path: &Path, error: &std::io::Error) -> Failure {
    let error = FileError::new(path, error);
    let code = if error.is_temporary() { exit::TRY_AGAIN } else { exit::BAD_INPUT };
    Failure::new(code, error.to_string())
}

/// Loads what a scene names, and passes the warnings on.
pub(super) fn assets(scene: &Scene, path: &Path, console: &mut Console) -> Result<Assets, Failure> {
    assets_in(scene, path.parent().unwrap_or(Path::new("")), console)
}

/// As [`assets`], with the folder that names are relative to.
pub(super) fn assets_in(
    scene: &Scene,
    folder: &Path,
    console: &mut Console,
) -> Result<Assets, Failure> {
    let assets = asset::load(scene, folder, console.load_options()).map_err(|error| {
        let code = if error.is_temporary() { exit::TRY_AGAIN } else { exit::BAD_INPUT };
        Failure::new(code, chain(&error))
    })?;
    for warning in &assets.warnings {
        console.warning(&warning.to_string());
    }
    Ok(assets)
}

/// As [`assets_in`], for a scene that is made of options: its keys are nobody's, and are left out of messages.
pub(super) fn assets_of_options(
    scene: &Scene,
    folder: &Path,
    console: &mut Console,
) -> Result<Assets, Failure> {
    assets_in(scene, folder, console)
        .map_err(|failure| Failure::new(failure.code, without_keys(&failure.message)))
}

/// A message without keys such as `model[0].file`, and the words that lead to them.
fn without_keys(message: &str) -> String {
    let mut text = message.to_owned();
    for lead in [", but ", " as ", " for "] {
        let start = format!("{lead}model[0].");
        while let Some(at) = text.find(&start) {
            let rest = &text[at + start.len()..];
            let key = rest.find([' ', ':', ';', ',']).unwrap_or(rest.len());
            let rest = &rest[key..];
            let rest = rest.strip_prefix(" names it").unwrap_or(rest);
            text = format!("{}{rest}", &text[..at]);
        }
    }
    text
}

/// The mistakes of a scene that is made of options, by the options: no line of it is anybody's.
pub(super) fn mistakes_of_options(errors: &SceneErrors) -> Failure {
    let option = |error: &crate::scene::SceneError| {
        let is_part = |key: &&str| !["from", "to", "top", "bottom"].contains(key);
        let key = error.path.rsplit('.').find(is_part).unwrap_or_default();
        let key = key.strip_suffix("_deg").unwrap_or(key).replace('_', "-");
        let allowed = error.problem.allowed().map_or(String::new(), |words| format!("; {words}"));
        let near = error.problem.nearest();
        let near = near.map_or(String::new(), |near| format!("; did you mean {near:?}?"));
        format!("--{key}: {}{allowed}{near}", error.problem)
    };
    let options: Vec<String> = errors.errors().iter().map(option).collect();
    Failure::bad_input(options.join("\n"))
}

/// The scene that shows one model with its clips and says nothing else.
pub(super) fn scene_of_model(
    model: &Path,
    clips: &[PathBuf],
    ticks_per_second: Option<f64>,
    load_options: &LoadOptions,
) -> Result<Scene, Failure> {
    let text = text_of_model(model, clips, ticks_per_second, load_options, &Path::to_owned);
    parse_scene(&text, &model.display().to_string()).map_err(|errors| mistakes_of_options(&errors))
}

/// The `[[model]]` table of that scene, with the paths that `written` makes of those that are read here.
pub(super) fn text_of_model(
    model: &Path,
    clips: &[PathBuf],
    ticks_per_second: Option<f64>,
    load_options: &LoadOptions,
    written: &dyn Fn(&Path) -> PathBuf,
) -> String {
    let word = |text: &str| toml::Value::from(text).to_string();
    let quoted = |path: &Path| word(&path.display().to_string());
    // Each set of a file is a clip. Clips are named by their paths where two have one name.
    let sets: Vec<(&Path, Option<(usize, String)>)> = clips
        .iter()
        .flat_map(|path| match sets_of(path, load_options) {
            sets if sets.is_empty() => vec![(path.as_path(), None)],
            sets => sets.into_iter().enumerate().map(|set| (path.as_path(), Some(set))).collect(),
        })
        .collect();
    let name = |(path, set): &(&Path, Option<(usize, String)>)| match set {
        Some((_, name)) => name.clone(),
        None => path.file_stem().unwrap_or_default().to_string_lossy().into_owned(),
    };
    let names: BTreeSet<String> = sets.iter().map(name).collect();
    let is_unique = names.len() == sets.len();
    let clips: Vec<String> = sets
        .iter()
        .map(|one @ (path, set)| {
            let file = quoted(&written(path));
            match set {
                None if is_unique => format!("{{ file = {file} }}"),
                None => format!("{{ file = {file}, name = {} }}", quoted(path)),
                Some((place, _)) => {
                    let name = match is_unique {
                        true => name(one),
                        false => format!("{}: {place} {}", path.display(), name(one)),
                    };
                    format!("{{ file = {file}, name = {}, set = {place} }}", word(&name))
                }
            }
        })
        .collect();
    // Without clips of its own choice the model shows those of its file.
    let clips = match clips.is_empty() {
        true => String::new(),
        false => format!("clips = [{}]\n", clips.join(", ")),
    };
    let ticks = ticks_per_second
        .map_or_else(String::new, |ticks| format!("ticks_per_second = {ticks:?}\n"));
    format!("[[model]]\nfile = {}\n{ticks}{clips}", quoted(&written(model)))
}

/// The names of the animation sets of a `.x` file; none of any other file, or of one that cannot be read, which is told when it
/// is loaded.
fn sets_of(path: &Path, load_options: &LoadOptions) -> Vec<String> {
    let Ok(bytes) = std::fs::read(path) else { return Vec::new() };
    if !x::looks_like_x(&bytes) {
        return Vec::new();
    }
    let loaded = x::parse_model(&bytes, None, load_options);
    loaded.map_or_else(
        |_| Vec::new(),
        |loaded| loaded.value.clips.into_iter().map(|clip| clip.name).collect(),
    )
}

/// Reads one file with one of the format readers.
fn read<T>(
    path: &Path,
    parse: impl FnOnce(&[u8], &LoadOptions) -> Result<Loaded<T>, Box<dyn std::error::Error>>,
    console: &mut Console,
) -> Result<T, Failure> {
    let bytes = std::fs::read(path).map_err(|error| unreadable(path, &error))?;
    let Loaded { value, warnings } = parse(&bytes, console.load_options()).map_err(|error| {
        Failure::bad_input(format!("{}: {}", path.display(), chain(error.as_ref())))
    })?;
    for warning in warnings {
        let line = if warning.line > 0 { format!("{}:", warning.line) } else { String::new() };
        console.warning(&format!("{}:{line} {}", path.display(), warning.message));
    }
    Ok(value)
}

/// What a file holds, without textures.
pub(super) struct Contents {
    /// The model; none in a file of one clip.
    pub model: Option<Model>,
    /// The clips.
    pub clips: Vec<NamedClip>,
    /// What a second is, if the file counts in ticks.
    pub ticks: Option<TickRate>,
}

/// Reads a `.x` file, or what `otherwise` makes of any other.
fn contents(
    path: &Path,
    ticks_per_second: Option<f64>,
    otherwise: fn(&[u8], &LoadOptions) -> Result<Loaded<Contents>, Md5Error>,
    console: &mut Console,
) -> Result<Contents, Failure> {
    let parse = |bytes: &[u8],
                 load_options: &LoadOptions|
     -> Result<Loaded<Contents>, Box<dyn std::error::Error>> {
        if !x::looks_like_x(bytes) {
            return Ok(otherwise(bytes, load_options)?);
        }
        let Loaded { value, warnings } = x::parse_model(bytes, ticks_per_second, load_options)?;
        let x::XModel { model, clips, ticks } = value;
        Ok(Loaded { value: Contents { model: Some(model), clips, ticks: Some(ticks) }, warnings })
    };
    read(path, parse, console)
}

/// Whether a file is a model or a clip by its first bytes; what cannot be read is neither.
pub(super) fn is_model_or_clip(path: &Path) -> bool {
    use std::io::Read;
    let mut start = Vec::new();
    let read = std::fs::File::open(path).and_then(|file| file.take(4096).read_to_end(&mut start));
    read.is_ok() && (x::looks_like_x(&start) || md5::looks_like_md5(&start))
}

/// Reads a model and what clips its file brings.
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

/// Reads the clips of a file.
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
    contents(path, ticks_per_second, md5, console)
}

/// Reads a clip of an MD5 file.
pub(super) fn clip(path: &Path, console: &mut Console) -> Result<Clip, Failure> {
    read(path, boxed(md5::parse_anim), console)
}

/// A reader whose errors are told apart no more.
fn boxed<T, E: std::error::Error + 'static>(
    parse: fn(&[u8], &LoadOptions) -> Result<Loaded<T>, E>,
) -> impl Fn(&[u8], &LoadOptions) -> Result<Loaded<T>, Box<dyn std::error::Error>> {
    move |bytes, load_options| Ok(parse(bytes, load_options)?)
}

/// Reads a recorded camera.
pub(super) fn camera(path: &Path, console: &mut Console) -> Result<CameraClip, Failure> {
    read(path, boxed(md5::parse_camera), console)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn load_leaves_keys_out_where_nobody_wrote_them() {
        for (message, plain) in [
            (
                "a.x: no such file, but model[0].clips[1].file names it; did you mean \"b.x\"?",
                "a.x: no such file; did you mean \"b.x\"?",
            ),
            ("a.x: refused as model[0].file: line 3", "a.x: refused: line 3"),
            (
                "a.x: 9 bytes are too many for model[0].file; at most 3",
                "a.x: 9 bytes are too many; at most 3",
            ),
            ("texture for shader x", "texture for shader x"),
        ] {
            assert_eq!(without_keys(message), plain);
        }
    }
}
