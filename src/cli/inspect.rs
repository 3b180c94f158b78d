//! `tintype inspect`: a page of facts, or the same as JSON.

use super::args::Inspect;
use super::console::Console;
use super::{Failure, load, write_stdout};
use crate::asset::{Assets, LoadedClip, LoadedModel, MaterialReport};
use crate::facts::{BoxFacts, CameraFacts, ClipFacts, JointFacts, MeshFacts, ModelFacts};
use crate::formats::x::TickRate;
use crate::model::ClipOptions;
use crate::scene::Scene;
use serde::Serialize;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// A tree of more joints than this is shown on request only.
const SHORT_TREE: usize = 48;

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
        let _ = print_page(&mut text, &page, options.tree);
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

fn print_page(text: &mut String, page: &Page, tree: bool) -> std::fmt::Result {
    writeln!(text, "{}", page.file)?;
    if let Some(scene) = &page.scene {
        writeln!(
            text,
            "scene: {} frames ({}) of {}x{} at {} a second, {} samples; {} instances, {} triangles",
            scene.frame_count,
            scene.frames,
            scene.size[0],
            scene.size[1],
            scene.fps,
            scene.samples,
            scene.instances,
            scene.triangles
        )?;
    }
    for model in &page.models {
        print_model(text, model, tree)?;
    }
    if let Some(clip) = &page.clip {
        print_clip(text, "clip", clip)?;
    }
    if let Some(camera) = &page.camera {
        writeln!(
            text,
            "camera: {} keys at {} a second, {:.3} s; field of view {:.1}° to {:.1}°; cuts at {:?}",
            camera.keys,
            camera.keys_per_second,
            camera.length_s,
            camera.fov_deg[0],
            camera.fov_deg[1],
            camera.cuts
        )?;
    }
    if !page.materials.is_empty() {
        writeln!(text, "materials: {}", page.materials.len())?;
    }
    for material in &page.materials {
        writeln!(text, "  \"{}\": {}", material.shader, material.origin)?;
        let roles = [
            ("diffuse", &material.diffuse),
            ("normal", &material.normal),
            ("specular", &material.specular),
        ];
        for (role, path) in roles {
            if let Some(path) = path {
                writeln!(text, "    {role}: {path}")?;
            }
        }
        if material.diffuse.is_none() && !material.tried.is_empty() {
            writeln!(text, "    tried: {}", material.tried.join(", "))?;
        }
    }
    Ok(())
}

fn print_model(text: &mut String, model: &NamedModel, tree: bool) -> std::fmt::Result {
    let facts = &model.facts;
    let sum = |count: fn(&MeshFacts) -> usize| facts.meshes.iter().map(count).sum::<usize>();
    writeln!(
        text,
        "model {} ({}): {} joints, {} meshes, {} vertices, {} triangles",
        model.name,
        model.file,
        facts.joints.len(),
        facts.meshes.len(),
        sum(|mesh| mesh.vertices),
        sum(|mesh| mesh.triangles)
    )?;
    print_bounds(text, "  bounds in the bind pose", facts.bounds.as_ref())?;
    for (index, mesh) in facts.meshes.iter().enumerate() {
        let name = if mesh.name.is_empty() { String::new() } else { format!(" {}", mesh.name) };
        let sides = match mesh.closed {
            true => "closed",
            false if mesh.inward => "closed, its front inside: two-sided",
            false => "open: two-sided",
        };
        writeln!(
            text,
            "  mesh {index}{name}: \"{}\", {} vertices, {} triangles, {sides}",
            mesh.shader, mesh.vertices, mesh.triangles
        )?;
        let shares = mesh.influences.iter().enumerate().filter(|(_, vertices)| **vertices > 0);
        let shares: Vec<String> =
            shares.map(|(count, vertices)| format!("{vertices} with {count}")).collect();
        if !shares.is_empty() {
            writeln!(text, "    vertices by influences: {}", shares.join(", "))?;
        }
        if mesh.texcoord_sets > 1 {
            let sets = mesh.texcoord_sets;
            writeln!(
                text,
                "    {sets} sets of texture coordinates, of which the first is drawn with"
            )?;
        }
        if mesh.mirrored_copies > 0 {
            writeln!(
                text,
                "    {} vertices doubled at mirrored texture seams",
                mesh.mirrored_copies
            )?;
        }
    }
    if let Some(ticks) = &model.ticks {
        writeln!(text, "  time: {ticks}")?;
    }
    for (index, clip) in model.clips.iter().enumerate() {
        let file =
            if clip.file == model.file { String::new() } else { format!(" ({})", clip.file) };
        print_clip(text, &format!("  clip {index} {:?}{file}", clip.name), &clip.facts)?;
        if let Some([first, last]) = clip.ticks {
            let rule = clip.ticks_rule.as_ref().map_or(String::new(), |rule| format!("; {rule}"));
            writeln!(
                text,
                "    ticks {first} to {last}, {:.3} to {:.3} s{rule}",
                clip.facts.start_s,
                clip.facts.start_s + clip.facts.length_s
            )?;
        }
        if let Some(options) = &clip.options {
            print_options(text, options)?;
        }
    }
    if tree || facts.joints.len() <= SHORT_TREE {
        writeln!(text, "  joints (vertices that each pulls):")?;
        print_joints(text, &facts.joints)?;
    } else {
        writeln!(text, "  joints: {}; --tree shows them", facts.joints.len())?;
    }
    Ok(())
}

/// The tree, without recursion: a chain of joints may be as long as a file.
fn print_joints(text: &mut String, joints: &[JointFacts]) -> std::fmt::Result {
    let mut children = vec![Vec::new(); joints.len()];
    let mut open = Vec::new();
    for (index, joint) in joints.iter().enumerate().rev() {
        match joint.parent {
            Some(parent) => children[parent].push(index),
            None => open.push((index, 0)),
        }
    }
    while let Some((index, depth)) = open.pop() {
        let joint = &joints[index];
        let indent = "  ".repeat(depth.min(40) + 2);
        writeln!(text, "{indent}{index} {} ({})", joint.name, joint.vertices)?;
        open.extend(children[index].iter().map(|&child| (child, depth + 1)));
    }
    Ok(())
}

fn print_clip(text: &mut String, label: &str, clip: &ClipFacts) -> std::fmt::Result {
    let rate = clip.keys_per_second.map_or(String::new(), |rate| format!(" at {rate} a second"));
    let end = if clip.ends_as_it_starts { "; ends as it starts" } else { "" };
    let turn = match clip.plays_once {
        true => format!("plays once, {:.3} s", clip.length_s),
        false => format!("repeats after {:.3} s", clip.period_s),
    };
    writeln!(
        text,
        "{label}: {} keys{rate}, {turn}{end}; {} of {} joints move",
        clip.keys, clip.moving_joints, clip.joints
    )?;
    if let Some(misfit) = &clip.misfit {
        writeln!(text, "    does not fit: {misfit}")?;
    }
    print_bounds(text, "    bounds over the clip", clip.bounds.as_ref())
}

/// What the animations of a clip ask for.
fn print_options(text: &mut String, options: &OptionFacts) -> std::fmt::Result {
    let OptionFacts { animations, open, closed, spline } = options;
    let mut parts = Vec::new();
    for (count, what) in [
        (open, "open (played once)"),
        (closed, "closed (repeated)"),
        (spline, "with splines (played straight from key to key)"),
    ] {
        if *count > 0 {
            parts.push(format!("{count} {what}"));
        }
    }
    writeln!(text, "    options of {animations} animations: {}", parts.join(", "))
}

fn print_bounds(text: &mut String, label: &str, bounds: Option<&BoxFacts>) -> std::fmt::Result {
    match bounds {
        Some(BoxFacts { min: [a, b, c], max: [x, y, z] }) => writeln!(
            text,
            "{label}: {a:.3} to {x:.3}, {b:.3} to {y:.3}, {c:.3} to {z:.3} (x, y up, z)"
        ),
        None => Ok(()),
    }
}
