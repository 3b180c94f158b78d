//! Models of failed goldens that the page turns: scenes with their files as scripts beside it, and the package that draws them.
//!
//! The page runs the JavaScript package of this program in a worker. Its module is no part of the program, so the package is named by
//! its folder. Files are compressed and base64 inside scripts, because a page that is opened as a file may read nothing else.

use super::error::ReportError;
use super::names::path_text;
use super::options::Interactive;
use crate::report::Turn;
use crate::report::page::script_text;
use crate::scene::GoldenScene;
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};
use tintype_formats::LoadOptions;
use tintype_model::diagnostic::chain;
use tintype_model::disk::without_detours;
use tintype_render::asset::regular::{read_regular, read_regular_text};
use tintype_render::asset::{self, FileError};
use tintype_scene::{Aov, FrameNumber, Scene, parse_scene};

/// Most bytes that the scripts of one failed golden may have: scenes and files, old and new.
pub const MOST_BYTES: u64 = 4_000_000;

/// The script with the package.
const ENGINE: &str = "pictures/engine.js";

/// Effort of compression: models are small, and the module of the package takes a second.
const EFFORT: u8 = 6;

/// Scripts by their names below the folder of the report.
pub(super) type Scripts = BTreeMap<String, String>;

/// The script with the package.
///
/// # Errors
/// [`ReportError`] if a file of it is missing or cannot be read.
pub(super) fn engine(package: &Path) -> Result<Scripts, ReportError> {
    let text = |name| {
        let bytes = read_of_package(package, name)?;
        Ok::<_, ReportError>(script_text(&String::from_utf8_lossy(&bytes)))
    };
    let [index, worker, viewer] = [text("index.js")?, text("worker.js")?, text("viewer.js")?];
    let wasm = compressed(&read_of_package(package, MODULE)?);
    let engine =
        format!("{{ index: {index}, worker: {worker}, viewer: {viewer}, wasm: \"{wasm}\" }}");
    Ok(Scripts::from([(ENGINE.to_owned(), format!("takeEngine({engine});\n"))]))
}

/// The module of the package.
const MODULE: &str = "tintype.wasm";

fn read_of_package(package: &Path, name: &str) -> Result<Vec<u8>, ReportError> {
    let path = package.join(name);
    read_regular(&path).map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => ReportError::NoPackage { path },
        _ => FileError::new(&path, &error).into(),
    })
}

impl Interactive {
    /// Checks that the package is there, before anything is drawn.
    ///
    /// # Errors
    /// [`ReportError`] if it is not.
    pub fn check(package: &Path) -> Result<(), ReportError> {
        ["viewer.js", MODULE].iter().try_for_each(|name| read_of_package(package, name).map(drop))
    }
}

fn compressed(bytes: &[u8]) -> String {
    BASE64_STANDARD.encode(miniz_oxide::deflate::compress_to_vec_zlib(bytes, EFFORT))
}

/// A scene with its files, as its script holds it.
struct Side {
    script: String,
    files: Scripts,
    scene: Scene,
}

/// The scene of a file with everything that it reads.
fn side(path: &Path, options: &LoadOptions) -> Result<Side, String> {
    let text = read_regular_text(path).map_err(|error| error.to_string())?;
    let scene = parse_scene(&text, &path_text(path)).map_err(|error| chain(&error))?;
    let folder = path.parent().unwrap_or(Path::new(""));
    let inputs = asset::inputs(&scene, folder, options).map_err(|error| chain(&error))?;
    let mut files = Scripts::new();
    let mut listed = serde_json::Map::new();
    for input in &inputs.0 {
        let path = input.path();
        let Ok(bytes) = read_regular(&path) else { continue };
        let digest = blake3::hash(&bytes).to_hex();
        let name = format!("pictures/files/{}.js", &digest[..32]);
        let script = || format!("takeFile(\"{name}\", \"{}\");\n", compressed(&bytes));
        files.entry(name.clone()).or_insert_with(script);
        listed.insert(path_text(&from_folder(&path, folder)), name.into());
    }
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let told = serde_json::json!({ "name": name, "scene": text, "files": listed });
    Ok(Side { script: told.to_string(), files, scene })
}

/// The path of a file from a folder; the file as it is where the folder lies above the current one.
fn from_folder(file: &Path, folder: &Path) -> PathBuf {
    let (file, folder) = (without_detours(file), without_detours(folder));
    let shared = file.components().zip(folder.components()).take_while(|(a, b)| a == b).count();
    let up = folder.components().skip(shared);
    if up.clone().any(|part| !matches!(part, Component::Normal(_))) {
        return file;
    }
    let down = file.components().skip(shared);
    up.map(|_| Component::ParentDir).chain(down).collect()
}

/// Bytes of scripts.
pub(super) fn bytes_of(scripts: &Scripts) -> u64 {
    scripts.values().map(|script| u64::try_from(script.len()).unwrap_or(u64::MAX)).sum()
}

/// The scene of today and as it was, whose failed goldens the page turns.
pub(super) struct Turning {
    turn: Turn,
    new: Option<Scene>,
    old: Option<Scene>,
}

impl Turning {
    /// Makes the scripts of a scene; `name` is that of the scene in the report.
    pub(super) fn of(
        scene: &GoldenScene,
        name: &str,
        interactive: &Interactive,
        scripts: &mut Scripts,
    ) -> Self {
        let mut turn = Turn { aov: scene.view().map(Aov::word), ..Turn::default() };
        let unknown = |why: String| Self {
            turn: Turn { notes: vec![why], ..Turn::default() },
            new: None,
            old: None,
        };
        if scene.name.is_some() {
            return unknown("models that are tested without a scene do not turn".to_owned());
        }
        let new = match side(&scene.path, &scene.load_options) {
            Ok(new) => new,
            Err(why) => return unknown(format!("the model of today does not turn: {why}")),
        };
        let old = interactive.old.clone().and_then(|root| {
            if scene.path.is_absolute() {
                return Err(
                    "the model of the golden is not known: its scene is named by an absolute path"
                        .to_owned(),
                );
            }
            let old = side(&root.join(&scene.path), &scene.load_options);
            old.map_err(|why| format!("the model of the golden is not here: {why}"))
        });
        let mut files = new.files;
        let old = old.map(|Side { script, files: more, scene }| {
            files.extend(more);
            (script, scene)
        });
        let told = old.as_ref().map_or("null", |(script, _)| script.as_str());
        let key = crate::report::turn_name(name);
        let script = format!(
            "takeTurn({}, {}, {});\n",
            script_text(&key),
            escaped(&new.script),
            escaped(told)
        );
        let bytes =
            bytes_of(&files).saturating_add(u64::try_from(script.len()).unwrap_or(u64::MAX));
        if bytes > MOST_BYTES {
            let [bytes, most] = [bytes, MOST_BYTES].map(crate::report::megabytes);
            return unknown(format!("scene and models have {bytes}; {most} for a golden at most"));
        }
        turn.notes.extend(old.as_ref().err().cloned());
        turn.script = Some(key.clone());
        turn.files = files.keys().cloned().collect();
        turn.bytes = bytes;
        scripts.insert(key, script);
        scripts.extend(files);
        Self { turn, new: Some(new.scene), old: old.ok().map(|(_, scene)| scene) }
    }

    /// The same at one frame.
    pub(super) fn at(&self, frame: i64) -> Turn {
        let place =
            |scene: &Option<Scene>| scene.as_ref()?.output.frames.position(FrameNumber(frame));
        Turn { new_index: place(&self.new), old_index: place(&self.old), ..self.turn.clone() }
    }
}

/// JSON inside a script.
fn escaped(json: &str) -> String {
    crate::report::json::escape_for_script(json)
}

impl GoldenScene {
    /// The paths of the scene and of all that it reads.
    #[must_use]
    pub fn files(&self) -> Vec<PathBuf> {
        let folder = self.path.parent().unwrap_or(Path::new(""));
        let inputs = asset::inputs(&self.scene, folder, &self.load_options).unwrap_or_default();
        let inputs = inputs.0.iter().map(asset::Input::path);
        core::iter::once(self.path.clone()).chain(inputs).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_have_the_paths_by_which_their_scene_asks() {
        for (file, folder, wanted) in [
            ("scenes/models/a.glb", "scenes", "models/a.glb"),
            ("assets/a.glb", "scenes/walk", "../../assets/a.glb"),
            ("scenes/../assets/a.glb", "scenes", "../assets/a.glb"),
            ("a.glb", "", "a.glb"),
            ("/tmp/old/scenes/a.glb", "/tmp/old/scenes", "a.glb"),
            ("../before/assets/a.glb", "../before/scenes", "../assets/a.glb"),
            ("assets/a.glb", "../other", "assets/a.glb"),
        ] {
            let found = from_folder(Path::new(file), Path::new(folder));
            assert_eq!(path_text(&found), wanted, "{file} from {folder}");
        }
    }

    #[test]
    fn files_come_back_from_their_scripts() {
        let bytes = b"glTF</script>".repeat(9);
        let text = BASE64_STANDARD.decode(compressed(&bytes)).expect("base64");
        let back = miniz_oxide::inflate::decompress_to_vec_zlib(&text).expect("zlib");
        assert_eq!(back, bytes);
    }
}
