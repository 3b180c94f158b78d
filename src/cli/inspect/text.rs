//! The page of facts as text for people.

use super::{NamedModel, OptionFacts, Page};
use crate::facts::{BoxFacts, ClipFacts, JointFacts, MeshFacts};
use std::fmt::Write;

/// A tree of more joints than this is shown on request only.
const SHORT_TREE: usize = 48;

pub(super) fn print_page(text: &mut String, page: &Page, tree: bool) -> std::fmt::Result {
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
        let from = material.mtr.as_ref().map(|mtr| format!(", {}:{}", mtr.file, mtr.line));
        let from = from.unwrap_or_default();
        writeln!(text, "  \"{}\": {}{from}", material.shader, material.origin)?;
        let roles = [
            ("diffuse", &material.diffuse),
            ("normal", &material.normal),
            ("specular", &material.specular),
        ];
        for (role, path) in roles {
            if let Some(path) = path {
                writeln!(text, "    {role}: {path}")?;
            }
            let programs = material.mtr.iter().flat_map(|mtr| &mtr.programs);
            for made in programs.filter(|made| made.role == role) {
                writeln!(text, "    {role} is made by {}", made.program)?;
            }
        }
        for note in material.mtr.iter().flat_map(|mtr| &mtr.notes) {
            writeln!(text, "    line {}: {}", note.line, note.message)?;
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
    if let Some(hint) = &model.hint {
        writeln!(text, "  {hint}")?;
    }
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
