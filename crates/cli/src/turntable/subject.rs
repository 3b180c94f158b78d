//! Options of the command as options of a turntable, and the words for its scene.

use crate::args::{Models, Turntable};
use crate::console::Console;
use crate::failure::Failure;
use crate::{exit, load};
use std::path::Path;
use tintype::{Files, LoadOptions};
use tintype_base::diagnostic::chain;
use tintype_base::path::ShowPath;
use tintype_base::shell::path_word;
use tintype_framing::{ModelPath, TurntableError, TurntableNote, TurntableOptions, TurntableScene};
use tintype_host::job::discover::pattern;
use tintype_host::write_atomic;
use tintype_render::asset::input::is_folder;
use tintype_render::asset::{AssetError, Inputs};

/// The model, if a single file is named without a folder, pattern or list.
pub(super) fn alone(options: &Turntable) -> Option<&Path> {
    let Models { paths, list, base, shard } = &options.models;
    let is_plain = list.is_none() && base.is_none() && shard.is_none();
    let [model] = paths.as_slice() else { return None };
    let is_one = !is_folder(&Files::Disk, model) && pattern(model).is_none();
    (is_plain && is_one).then_some(model)
}

/// Loads a model and makes the scene of its turntable; reports warnings.
pub(super) fn load_scene(
    options: &Turntable,
    model: ModelPath,
    console: &mut Console,
) -> Result<TurntableScene, Failure> {
    let load_options = console.load_options().clone();
    let scene =
        TurntableScene::load(&turntable_options(options), model, &load_options, &mut |note| {
            tell(&note, console);
        })
        .map_err(|error| failure(&error))?;
    load::tell_choices(&scene.assets, console);
    load::refuse_stand_ins(&scene.assets.warnings, console)?;
    Ok(scene)
}

/// Reports a remark about a model.
pub(super) fn tell(note: &TurntableNote, console: &mut Console) {
    match note {
        TurntableNote::Warning(warning) => console.warning(warning),
        TurntableNote::Axes { up, front, reasons } => console.info(&format!(
            "using --up {up} --front {front} ({reasons}); set them if that is wrong"
        )),
    }
}

/// The files of a turntable.
pub(super) fn inputs_of(
    options: &Turntable,
    model: ModelPath,
    load_options: &LoadOptions,
) -> Result<Inputs, Failure> {
    let inputs = TurntableScene::inputs(&turntable_options(options), model, load_options);
    inputs.map_err(|error| failure(&error))
}

pub(super) fn turntable_options(options: &Turntable) -> TurntableOptions {
    TurntableOptions {
        clips: options.clips.clone(),
        draws_without_clip: alone(options).is_none(),
        frames: options.frames,
        textures: options.textures.clone(),
        texture_files: options.texture.clone(),
        settings: options.settings.said.clone(),
        key_names: &load::OPTIONS,
        ..TurntableOptions::default()
    }
}

pub(super) fn failure(error: &TurntableError) -> Failure {
    match error {
        TurntableError::Folder(error) if error.is_temporary() => {
            Failure::new(exit::TRY_AGAIN, error.to_string())
        }
        TurntableError::UnknownClip { .. } => Failure::bad_input(format!("--clip: {error}")),
        TurntableError::NoClips { .. } => {
            Failure::bad_input(format!("--clip: {error}; name a clip file with -a"))
        }
        TurntableError::Part(_) | TurntableError::Asset(AssetError::Part { .. }) => {
            Failure::bad_input(format!("--clip: {}", chain(error)))
        }
        TurntableError::Asset(error) => Failure::asset(error),
        TurntableError::NoFrame => Failure::bad_input("--count: above 0"),
        _ => Failure::bad_input_chain(error),
    }
}

/// Writes the scene, with paths relative to its folder.
pub(super) fn save_scene(
    path: &Path,
    options: &Turntable,
    model: &Path,
    turntable: &TurntableScene,
    console: &Console,
) -> Result<(), Failure> {
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    std::fs::create_dir_all(folder).map_err(|error| load::unreadable(folder, &error))?;
    let options = turntable_options(options);
    let text = turntable.to_toml(&options, model, console.load_options(), folder);
    let text = text.map_err(|error| failure(&error))?;
    write_atomic(path, text.as_bytes()).map_err(|error| Failure::output(&error))?;
    let word = path_word(path);
    console.info(&format!("{} is its scene; draw it with `tintype render {word}`", path.shown()));
    Ok(())
}
