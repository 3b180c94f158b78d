//! Reads a scene text or document into a checked scene.

use super::checked::Scene;
use super::document::Document;
use super::error::{Problem, SceneErrors};
use super::light::{Lights, SceneLights};
use super::named_light::NamedLight;
use super::output::Output;
use super::reader::{Item, Problems, Table};
use super::value::{self, Brightness};
use super::words::Look;
use super::{camera, environment, golden, ground, instance, light, look, material, model, output};
use tintype_model::LinearRgb;

/// The text of a scene file.
///
/// # Errors
/// A clause about bytes that are not UTF-8.
pub fn scene_text(bytes: Vec<u8>) -> Result<String, String> {
    String::from_utf8(bytes).map_err(|error| match error.as_bytes() {
        [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => {
            "not a scene: the text is UTF-16; save it as UTF-8".to_owned()
        }
        _ => format!("not a scene: {}", error.utf8_error()),
    })
}

/// Reads a scene; `name` is used in messages, like a path.
///
/// # Errors
/// [`SceneErrors`] with every mistake, in the order of the text. Mistakes that may be consequences
/// of syntax errors are left out.
pub fn parse_scene(text: &str, name: &str) -> Result<Scene, SceneErrors> {
    let (document, syntax_errors) = Document::parse(text);
    let problems = Problems::new(text);
    let root = Item::root(&document, &problems);
    // In a recipe every drawn value would be a mistake.
    let scene = match root.item("dataset") {
        Some(dataset) if !root.has("model") => {
            let message = "this is a data set recipe, not a scene".to_owned();
            let allowed = "draw it with `tintype dataset`".to_owned();
            dataset.report(Problem::Invalid { message, allowed });
            None
        }
        _ => read_scene(&root),
    };
    if let Some(errors) = syntax_errors {
        problems.add_syntax_errors(errors);
    }
    let found = problems.into_found();
    match scene {
        Some(scene) if found.is_empty() => Ok(scene),
        _ => Err(SceneErrors::new(name, text, found)),
    }
}

/// Reads a document as far as possible. None if there is no model.
pub(super) fn read_scene(root: &Table<'_>) -> Option<Scene> {
    root.check_declared();
    let said = output::read(root);
    let models = model::read(root);
    let mut wanted_clips = Vec::new();
    let [texture_search, texture_mtr] = read_textures(root);
    let instances = instance::read(root, &models, &mut wanted_clips);
    let SceneLights { mut lights, model_lights, shadows } = light::read(root);
    let environment = environment::read(root);
    if environment.is_some() && !root.has("light") {
        lights = Lights::Given(Vec::new());
    }
    let ground = ground::read(root);
    let named = NamedLight {
        lights: lights.clone(),
        shadows: shadows.clone(),
        environment: environment.clone(),
        ground,
        is_lit: root.has("light") || root.has("environment"),
    };
    // The look fills in the rest below.
    let output = Output::settle(&said, &Look::Studio.usual(false));
    let mut scene = Scene {
        golden: golden::read(root, &output, (&instances, &models)),
        output,
        ambient: root
            .get("ambient", |item| value::color(item, Brightness::Light))
            .unwrap_or(LinearRgb::BLACK),
        environment,
        camera: camera::read(root),
        lights,
        model_lights,
        shadows,
        ground,
        materials: material::read(root),
        models,
        instances,
        wanted_clips,
        texture_search,
        texture_mtr,
        missing: None,
        said,
        named,
    };
    look::apply(root, &mut scene);
    (!scene.models.is_empty()).then_some(scene)
}

/// The folders searched for textures, and the material files.
fn read_textures(root: &Table<'_>) -> [Vec<String>; 2] {
    const MTR: [&str; 2] = ["an array of .mtr files", "a .mtr file, a folder of them or a pattern"];
    let table = root.get("textures", |item| item.table("a table"));
    let texts = |key: &'static str, [array, each]: [&str; 2]| {
        table.as_ref().map_or_else(Vec::new, |table| table.texts(key, array, each))
    };
    [texts("search", ["an array of folders", "a folder"]), texts("mtr", MTR)]
}
