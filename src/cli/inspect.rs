//! `tintype inspect`: a page of facts, or the same as JSON.

mod text;

use super::args::Inspect;
use super::console::Console;
use super::{Failure, load, write_stdout};
use crate::asset::{Assets, LoadedClip, LoadedModel, MaterialReport};
use crate::facts::{CameraFacts, ClipFacts, ModelFacts};
use crate::formats::x::TickRate;
use crate::model::ClipOptions;
use crate::portrait::lying_along;
use crate::scene::Scene;
use serde::Serialize;
use std::path::{Path, PathBuf};

/// Everything that is known about one file.
#[derive(Serialize)]
struct Page {
    file: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    scene: Option<SceneFacts>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    models: Vec<NamedModel>,
    #[serde(skip_serializing_if = "Option::is_none")]
    clip: Option<ClipFacts>,
    #[serde(skip_serializing_if = "Option::is_none")]
    camera: Option<CameraFacts>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    materials: Vec<MaterialFacts>,
    warnings: Vec<String>,
}

#[derive(Serialize)]
struct SceneFacts {
    size: [u32; 2],
    samples: u32,
    frames: String,
    frame_count: usize,
    fps: f64,
    instances: usize,
    triangles: usize,
}

#[derive(Serialize)]
struct NamedModel {
    name: String,
    file: String,
    #[serde(flatten)]
    facts: ModelFacts,
    #[serde(skip_serializing_if = "Option::is_none")]
    ticks_per_second: Option<f64>,
    /// How it is known how many ticks a second has.
    #[serde(skip_serializing_if = "Option::is_none")]
    ticks: Option<String>,
    clips: Vec<NamedClip>,
    /// What the user may want to say of the model.
    #[serde(skip_serializing_if = "Option::is_none")]
    hint: Option<String>,
}

#[derive(Serialize)]
struct NamedClip {
    name: String,
    file: String,
    #[serde(flatten)]
    facts: ClipFacts,
    /// The times of the first and the last key, where the file counts in ticks.
    #[serde(skip_serializing_if = "Option::is_none")]
    ticks: Option<[f64; 2]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ticks_per_second: Option<f64>,
    /// How it is known how many ticks a second has, where that is said for each clip.
    #[serde(skip_serializing_if = "Option::is_none")]
    ticks_rule: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    options: Option<OptionFacts>,
}

/// What the animations of a clip ask for, as counts.
#[derive(Serialize)]
struct OptionFacts {
    animations: usize,
    open: usize,
    closed: usize,
    spline: usize,
}

impl NamedClip {
    fn of(clip: &LoadedClip, model: &LoadedModel) -> Self {
        let facts = ClipFacts::of(&clip.clip, Some(&model.model));
        let ticks = |rate: TickRate| {
            // Ticks are whole numbers in nearly all files: what division left of them is rounded away.
            [facts.start_s, facts.start_s + facts.length_s]
                .map(|time_s| (time_s * rate.per_second * 1e6).round() / 1e6)
        };
        let ClipOptions { animations, open, closed, spline } = clip.options;
        Self {
            name: clip.name.clone(),
            file: clip.file.clone(),
            ticks: clip.ticks.map(ticks),
            ticks_per_second: clip.ticks.map(|rate| rate.per_second),
            // The clips of the model's own file share its time.
            ticks_rule: clip
                .ticks
                .filter(|rate| Some(*rate) != model.ticks)
                .map(|rate| rate.to_string()),
            options: (open + closed + spline > 0).then_some(OptionFacts {
                animations,
                open,
                closed,
                spline,
            }),
            facts,
        }
    }
}

#[derive(Serialize)]
struct MaterialFacts {
    shader: String,
    origin: String,
    diffuse: Option<String>,
    normal: Option<String>,
    specular: Option<String>,
    tried: Vec<String>,
    searched: Vec<String>,
}

impl MaterialFacts {
    fn of(report: &MaterialReport) -> Self {
        let path = |path: &Option<PathBuf>| path.as_ref().map(|path| path.display().to_string());
        Self {
            shader: report.shader.clone(),
            origin: report.origin.to_string(),
            diffuse: path(&report.diffuse),
            normal: path(&report.normal),
            specular: path(&report.specular),
            tried: report.tried.clone(),
            searched: report.searched.iter().map(|path| path.display().to_string()).collect(),
        }
    }
}

pub(super) fn run(options: &Inspect, console: &mut Console) -> Result<(), Failure> {
    let page = page(options, console)?;
    let text = if options.json {
        let json = serde_json::to_string_pretty(&page)
            .map_err(|error| Failure::bad_input(format!("cannot write JSON: {error}")))?;
        json + "\n"
    } else {
        let mut text = String::new();
        // Writing to a string cannot fail.
        let _ = text::print_page(&mut text, &page, options.tree);
        text
    };
    write_stdout(text.as_bytes())
}

fn page(options: &Inspect, console: &mut Console) -> Result<Page, Failure> {
    let path = &options.file;
    let mut page = Page {
        file: path.display().to_string(),
        scene: None,
        models: Vec::new(),
        clip: None,
        camera: None,
        materials: Vec::new(),
        warnings: Vec::new(),
    };
    let is =
        |extension: &str| path.extension().is_some_and(|own| own.eq_ignore_ascii_case(extension));
    if is("md5anim") {
        page.clip = Some(ClipFacts::of(&load::clip(path, console)?, None));
    } else if is("md5camera") {
        page.camera = Some(CameraFacts::of(&load::camera(path, console)?));
    } else {
        let is_scene = is("toml");
        let (scene, folder) = if is_scene {
            (load::scene(path)?, path.parent().unwrap_or(Path::new("")))
        } else {
            (
                load::scene_of_model(
                    path,
                    &options.clips,
                    options.ticks_per_second,
                    console.limits(),
                )?,
                Path::new(""),
            )
        };
        let assets = load::assets_in(&scene, folder, console)?;
        add_scene(&mut page, &scene, &assets, is_scene);
        warn_inward(&page, console);
        for (model, loaded) in page.models.iter_mut().zip(&assets.models) {
            model.hint = lying_down(&model.facts, loaded);
        }
    }
    page.warnings = console.warnings().to_vec();
    Ok(page)
}

/// Warns of closed meshes whose front faces look inward: rooms and skies are meant so, all others are inside out.
fn warn_inward(page: &Page, console: &mut Console) {
    for model in &page.models {
        for (index, mesh) in model.facts.meshes.iter().enumerate().filter(|(_, mesh)| mesh.inward) {
            console.warning(&format!(
                "{}: mesh {index} {:?} is closed and shows its front inside: a room or a sky, or else inside out",
                model.file, mesh.name
            ));
        }
    }
}

/// What to say of a `.x` model that seems to lie: files do not tell which way is up.
fn lying_down(facts: &ModelFacts, loaded: &LoadedModel) -> Option<String> {
    let up = lying_along(facts, loaded)?.word();
    Some(format!(
        "it stands on z = 0 of its file and is longest along z; if it lies on its back, say up = {up:?} and front = \"y\" or \"-y\" in a scene"
    ))
}

fn add_scene(page: &mut Page, scene: &Scene, assets: &Assets, is_scene: bool) {
    for (entry, loaded) in scene.models.iter().zip(&assets.models) {
        let clips = loaded.clips.iter().map(|clip| NamedClip::of(clip, loaded));
        page.models.push(NamedModel {
            name: entry.name.clone(),
            file: entry.file.clone(),
            facts: ModelFacts::of(&loaded.model),
            ticks_per_second: loaded.ticks.map(|ticks| ticks.per_second),
            ticks: loaded.ticks.map(|ticks| ticks.to_string()),
            clips: clips.collect(),
            hint: None,
        });
    }
    page.camera = assets.camera.as_ref().map(CameraFacts::of);
    page.materials = assets.material_reports.iter().map(MaterialFacts::of).collect();
    if is_scene {
        let triangles = |model: usize| -> usize {
            assets.models[model].model.meshes.iter().map(|mesh| mesh.triangles.len()).sum()
        };
        page.scene = Some(SceneFacts {
            size: scene.output.size,
            samples: scene.output.samples,
            frames: scene.output.frames.to_string(),
            frame_count: scene.output.frames.len(),
            fps: scene.output.fps,
            instances: scene.instances.len(),
            triangles: scene.instances.iter().map(|instance| triangles(instance.model)).sum(),
        });
    }
}
