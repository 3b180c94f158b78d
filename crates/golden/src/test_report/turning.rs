//! Models of failed goldens that the page turns: scenes with their files as scripts beside it.

use super::carried::{Scripts, bytes_of, carried};
use super::options::Interactive;
use crate::report::Turn;
use crate::report::page::script_text;
use crate::scene::GoldenScene;
use std::path::{Path, PathBuf};
use tintype_base::amount::bytes_text;
use tintype_base::diagnostic::chain;
use tintype_base::disk::read_regular_text;
use tintype_base::path::slashed;
use tintype_formats::LoadOptions;
use tintype_render::asset::{self, AssetError};
use tintype_scene::{Aov, Fit, FrameNumber, Scene, parse_scene};

/// Maximum size of the scripts of one failed golden: scenes and files, old and new.
pub const MAX_BYTES: u64 = 4 << 20;

/// A scene with its files, as stored in its script.
struct Side {
    script: String,
    files: Scripts,
    scene: Scene,
}

/// The scene of a file, or of a text beside a model, with everything that it reads.
fn side(path: &Path, text: Option<&String>, options: &LoadOptions) -> Result<Side, String> {
    let text = match text {
        Some(text) => text.clone(),
        None => read_regular_text(path).map_err(|error| error.to_string())?,
    };
    let scene = parse_scene(&text, &slashed(path)).map_err(|error| chain(&error))?;
    let folder = path.parent().unwrap_or(Path::new(""));
    let inputs = asset::inputs(&scene, folder, options).map_err(|error| chain(&error))?;
    let (files, listed) = carried(&inputs, folder).map_err(|error| error.to_string())?;
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let told = serde_json::json!({ "name": name, "scene": text, "files": listed });
    Ok(Side { script: told.to_string(), files, scene })
}

/// The current and the old scene, whose failed goldens the page rotates.
pub(super) struct Turning {
    turn: Turn,
    new: Option<Scene>,
    old: Option<Scene>,
}

impl Turning {
    /// Makes the scripts of a scene; `name` is its name in the report.
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
        let text = scene.text.as_ref();
        let new = match side(&scene.path, text, &scene.load_options) {
            Ok(new) => new,
            Err(why) => {
                return unknown(format!("the new model cannot be shown in a viewer: {why}"));
            }
        };
        let old = interactive.old.clone().and_then(|root| {
            if scene.path.is_absolute() {
                return Err(
                    "the golden's model is unknown: its scene is named by an absolute path"
                        .to_owned(),
                );
            }
            let old = side(&root.join(&scene.path), text, &scene.load_options);
            old.map_err(|why| format!("the golden's model is not available: {why}"))
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
        if bytes > MAX_BYTES {
            let [bytes, most] = [bytes, MAX_BYTES].map(bytes_text);
            return unknown(format!(
                "scene and models have {bytes}; the limit is {most} per golden"
            ));
        }
        turn.notes.extend(old.as_ref().err().cloned());
        turn.script = Some(key.clone());
        turn.files = files.keys().cloned().collect();
        turn.bytes = bytes;
        scripts.insert(key, script);
        scripts.extend(files);
        Self { turn, new: Some(new.scene), old: old.ok().map(|(_, scene)| scene) }
    }

    /// The same at one frame, by the fit of the camera that its golden keeps.
    pub(super) fn at(&self, frame: i64, own_fit: Option<Fit>) -> Turn {
        let place =
            |scene: &Option<Scene>| scene.as_ref()?.output.frames.position(FrameNumber(frame));
        Turn {
            new_index: place(&self.new),
            old_index: place(&self.old),
            fit: own_fit.map(Fit::to_array),
            ..self.turn.clone()
        }
    }
}

/// JSON inside a script.
fn escaped(json: &str) -> String {
    crate::report::json::escape_for_script(json)
}

impl GoldenScene {
    /// The paths of the scene and of all that it reads.
    ///
    /// # Errors
    /// The first file that cannot be read, with its key in the scene.
    pub fn files(&self) -> Result<Vec<PathBuf>, AssetError> {
        let inputs = asset::inputs(&self.scene, self.base(), &self.load_options)?;
        let inputs = inputs.0.iter().map(asset::Input::path);
        Ok(core::iter::once(self.path.clone()).chain(inputs).collect())
    }
}
