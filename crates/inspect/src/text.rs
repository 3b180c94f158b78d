//! The page of facts as text for people, in lines of 80 columns.

use super::layout::{Columns, Side, names_text, wrap};
use super::record::{
    InspectReport, MaterialSummary, NamedClip, NamedModel, OptionSummary, SceneSummary,
    TextureSummary,
};
use crate::lint::{Kind, Problem, Severity};
use crate::parts::ProposedPart;
use crate::summary::{
    BoxSummary, CameraSummary, ClipSummary, JointSummary, MeshSummary, ModelSummary, MorphSummary,
    PartsSummary,
};
use std::fmt::{Result, Write};
use tintype_base::amount::{bytes_text, thousands, thousands_as};
use tintype_base::printable::one_line;

/// Larger trees of joints are only shown on request.
const SHORT_TREE: usize = 24;
/// Joints deeper than this are drawn at this depth.
const DEEPEST: usize = 20;
/// Maximum number of listed instances of a scene.
const MAX_INSTANCES: usize = 12;
/// Maximum length of a histogram's bar.
const BAR: usize = 30;

/// Writes a page as text for a terminal: with `tree`, every joint.
///
/// # Errors
/// Errors of `text`; a `String` has none.
pub fn print_page(text: &mut String, page: &InspectReport, tree: bool) -> Result {
    if let Some(files) = &page.files {
        for file in files {
            writeln!(text, "{:>10}  {}", file.bytes, file.path)?;
        }
        return Ok(());
    }
    writeln!(text, "{}", page.file)?;
    if let Some(scene) = &page.scene {
        print_scene(text, scene)?;
    }
    for model in &page.models {
        print_model(text, model, tree)?;
    }
    if !page.clips.is_empty() {
        writeln!(text, "\nclips")?;
        print_clips(text, &page.clips, &page.file, 2)?;
    }
    if let Some(clip) = &page.clip {
        writeln!(text, "\nclip")?;
        let mut columns = clip_columns();
        add_clip(&mut columns, 0, "", clip);
        columns.print(text, 2)?;
    }
    if let Some(camera) = &page.camera {
        print_camera(text, camera)?;
    }
    if !page.materials.is_empty() {
        writeln!(text, "\nmaterials")?;
    }
    for material in &page.materials {
        print_material(text, material)?;
    }
    for model in &page.models {
        let of = if page.models.len() > 1 {
            format!(" of {}", one_line(&model.name))
        } else {
            String::new()
        };
        print_problems(text, &of, &model.problems)?;
    }
    if page.models.is_empty() && page.camera.is_none() {
        print_problems(text, "", &page.problems)?;
    }
    Ok(())
}

fn print_scene(text: &mut String, scene: &SceneSummary) -> Result {
    let [width, height] = scene.size;
    writeln!(text, "\nscene")?;
    let frames = thousands_as(scene.frame_count, "frame", "frames");
    let mut pictures =
        format!("{frames} ({}) of {width}x{height} at {} per second", scene.frames, scene.fps);
    // The first of them are printed above, and file names by `files`.
    const TOLD: [&str; 4] = ["frames", "size", "fps", "file"];
    for (key, value) in scene.settings.iter().filter(|(key, _)| !TOLD.contains(&key.as_str())) {
        pictures += &format!(", {key} {value}");
    }
    wrap(text, "  pictures   ", &pictures)?;
    let instances = thousands_as(scene.instances, "instance", "instances");
    let triangles = thousands_as(scene.triangles, "triangle", "triangles");
    wrap(text, "  shown      ", &format!("{instances}, {triangles}"))?;
    let memory = &scene.memory;
    let parts = format!(
        "about {}: models {}, clips {}, textures {}, and {} for each of {} in flight",
        bytes_text(memory.total),
        bytes_text(memory.models),
        bytes_text(memory.clips),
        bytes_text(memory.textures),
        bytes_text(memory.frame),
        thousands_as(memory.frames_in_flight, "frame", "frames")
    );
    wrap(text, "  memory     ", &parts)?;
    let heading = [("#", Side::Right), ("start s", Side::Right), ("speed", Side::Right)];
    let mut columns = Columns::new(
        &[&heading[..], &[("at", Side::Left), ("model", Side::Left), ("clip", Side::Left)]]
            .concat(),
    );
    for (index, one) in scene.shown.iter().take(MAX_INSTANCES).enumerate() {
        let [x, y, z] = one.position;
        columns.row(vec![
            index.to_string(),
            format!("{:.3}", one.start_s),
            one.speed.to_string(),
            format!("{x} {y} {z}"),
            one.model.clone(),
            one.clip.clone().unwrap_or_else(|| "(bind)".to_owned()),
        ]);
    }
    if scene.shown.len() > MAX_INSTANCES {
        let more = scene.shown.len() - MAX_INSTANCES;
        columns.note(format!("and {more} more (the JSON has all)"));
    }
    writeln!(text, "  instances")?;
    columns.print(text, 4)
}

fn print_model(text: &mut String, model: &NamedModel, tree: bool) -> Result {
    let facts = &model.facts;
    let sum = |count: fn(&MeshSummary) -> usize| facts.meshes.iter().map(count).sum::<usize>();
    let file = if model.name.is_empty() { model.file.clone() } else { model.name.clone() };
    writeln!(text, "\nmodel {}", one_line(&file))?;
    if !model.file.ends_with(&file) && !model.file.contains(&file) {
        writeln!(text, "  file       {}", model.file)?;
    }
    let holds = [
        thousands_as(facts.meshes.len(), "mesh", "meshes"),
        thousands_as(sum(|mesh| mesh.vertices), "vertex", "vertices"),
        thousands_as(sum(|mesh| mesh.triangles), "triangle", "triangles"),
        thousands_as(facts.joints.len(), "joint", "joints"),
    ];
    writeln!(text, "  contains   {}", holds.join(", "))?;
    if let Some(bounds) = &facts.bounds {
        writeln!(text, "  bind pose  {}", box_text(bounds))?;
        writeln!(text, "  size       {}", size_text(bounds))?;
    }
    if let Some(ticks) = &model.ticks {
        wrap(text, "  time       ", ticks)?;
    }
    if let Some(orientation) = &model.orientation {
        wrap(text, "  up         ", &orientation.up.text())?;
        wrap(text, "  front      ", &orientation.front.text())?;
    }
    if let Some(thumbnail) = &model.thumbnail {
        let shown = thumbnail.clip.as_deref().unwrap_or("the bind pose");
        wrap(text, "  thumbnail  ", &format!("{shown}: {}", thumbnail.reason))?;
    }
    if let Some(hint) = &model.hint {
        wrap(text, "  lying?     ", hint)?;
    }
    print_meshes(text, &facts.meshes)?;
    print_morphs(text, &facts.morphs)?;
    print_parts(text, &facts.parts)?;
    print_influences(text, facts)?;
    if !model.clips.is_empty() {
        writeln!(text, "\n  clips")?;
        print_clips(text, &model.clips, &model.file, 4)?;
    }
    let pulling = facts.joints.iter().filter(|joint| joint.vertices > 0).count();
    let roots = facts.joints.iter().filter(|joint| joint.parent.is_none()).count();
    let summary = format!(
        "{}, {} pulling, {}",
        thousands(facts.joints.len()),
        thousands(pulling),
        thousands_as(roots, "root", "roots")
    );
    if tree || facts.joints.len() <= SHORT_TREE {
        writeln!(text, "\n  joints: {summary}")?;
        print_joints(text, &facts.joints)
    } else {
        writeln!(text, "\n  joints: {summary}; the tree lists them")
    }
}

fn print_meshes(text: &mut String, meshes: &[MeshSummary]) -> Result {
    if meshes.is_empty() {
        return Ok(());
    }
    writeln!(text, "\n  meshes")?;
    let mut columns = Columns::new(&[
        ("#", Side::Right),
        ("vertices", Side::Right),
        ("triangles", Side::Right),
        ("surface", Side::Left),
        ("shader", Side::Left),
    ]);
    for (index, mesh) in meshes.iter().enumerate() {
        let sides = if mesh.closed {
            "closed"
        } else if mesh.inward {
            "inward"
        } else {
            "open"
        };
        columns.row(vec![
            index.to_string(),
            thousands(mesh.vertices),
            thousands(mesh.triangles),
            sides.to_owned(),
            format!("{:?}", mesh.shader),
        ]);
        if !mesh.name.is_empty() {
            columns.note(format!("name {:?}", mesh.name));
        }
        if mesh.texcoord_sets > 1 {
            let sets = mesh.texcoord_sets;
            columns.note(format!(
                "{sets} sets of texture coordinates; at most two are drawn, the ones its material uses"
            ));
        }
        if mesh.mirrored_copies > 0 {
            let copies = thousands_as(mesh.mirrored_copies, "vertex", "vertices");
            columns.note(format!("{copies} duplicated at texture or normal seams"));
        }
    }
    columns.print(text, 4)?;
    if meshes.iter().any(|mesh| !mesh.closed) {
        writeln!(text, "    (open and inward surfaces are drawn two-sided)")?;
    }
    Ok(())
}

/// Maximum number of morph targets listed by default.
const MAX_MORPHS: usize = 60;

fn print_morphs(text: &mut String, morphs: &[MorphSummary]) -> Result {
    if morphs.is_empty() {
        return Ok(());
    }
    writeln!(text, "\n  morph targets")?;
    let mut columns = Columns::new(&[
        ("#", Side::Right),
        ("vertices", Side::Right),
        ("farthest", Side::Right),
        ("weight", Side::Right),
        ("joint", Side::Left),
        ("name", Side::Left),
    ]);
    for morph in morphs.iter().take(MAX_MORPHS) {
        columns.row(vec![
            morph.target.to_string(),
            thousands(morph.vertices),
            format!("{:.4}", morph.distance),
            morph.weight.to_string(),
            morph.joint.clone(),
            morph.name.clone(),
        ]);
    }
    if morphs.len() > MAX_MORPHS {
        columns.note(format!("and {} more (the JSON has all)", morphs.len() - MAX_MORPHS));
    }
    columns.print(text, 4)
}

/// Parts of the file beside the model.
fn print_parts(text: &mut String, parts: &PartsSummary) -> Result {
    let PartsSummary { extensions, skins, scenes, variants, expressions, cameras, lights } = parts;
    let lists = [scenes, variants, expressions, cameras, lights];
    if extensions.is_empty() && lists.iter().all(|list| list.is_empty()) {
        return Ok(());
    }
    writeln!(text)?;
    if *skins > 0 {
        writeln!(text, "  skins      {skins}")?;
    }
    let labels =
        ["  scenes     ", "  variants   ", "  expressions ", "  cameras    ", "  lights     "];
    for (label, names) in labels.into_iter().zip(lists) {
        if !names.is_empty() {
            wrap(text, label, &names.join(", "))?;
        }
    }
    for (n, extension) in extensions.iter().enumerate() {
        let label = if n == 0 { "  extensions " } else { "             " };
        let required = if extension.required { ", required" } else { "" };
        let lost = extension.lost.map_or_else(String::new, |lost| format!(": {lost}"));
        wrap(text, label, &format!("{}{required}{lost}", extension.name))?;
    }
    Ok(())
}

/// Number of vertices by number of influences, over all meshes.
fn print_influences(text: &mut String, facts: &ModelSummary) -> Result {
    let meshes = &facts.meshes;
    let mut vertices: Vec<usize> = Vec::new();
    for mesh in meshes {
        for (count, number) in mesh.influences.iter().enumerate() {
            if vertices.len() <= count {
                vertices.resize(count + 1, 0);
            }
            vertices[count] += number;
        }
    }
    let total: usize = vertices.iter().sum();
    let most = vertices.len().saturating_sub(1);
    if total == 0 || most == 0 || facts.joints.len() < 2 {
        return Ok(());
    }
    writeln!(text, "\n  influences of a vertex")?;
    let mut columns = Columns::new(&[
        ("", Side::Right),
        ("vertices", Side::Right),
        ("share", Side::Right),
        ("", Side::Left),
    ]);
    let five = vertices.iter().skip(5).sum::<usize>();
    let rows = (0..5).map(|n| (n.to_string(), vertices.get(n).copied().unwrap_or(0)));
    for (label, count) in rows.chain([("5+".to_owned(), five)]) {
        // A row for zero only if it occurs, because it is a mistake. There are no rows beyond the
        // largest.
        let is_beyond = label.parse().map_or(most < 5, |number: usize| number > most);
        if count == 0 && (label == "0" || is_beyond) {
            continue;
        }
        #[expect(clippy::cast_precision_loss, reason = "a share for people")]
        let share = count as f64 / total as f64;
        #[expect(clippy::cast_possible_truncation, reason = "0 to 30")]
        #[expect(clippy::cast_sign_loss, reason = "0 to 30")]
        #[expect(clippy::cast_precision_loss, reason = "30")]
        let bar = (share * BAR as f64).ceil() as usize;
        columns.row(vec![
            label,
            thousands(count),
            format!("{:.1} %", 100.0 * share),
            "#".repeat(bar),
        ]);
    }
    columns.print(text, 4)?;
    let place = meshes.iter().enumerate().find(|(_, mesh)| mesh.influences.len() == most + 1);
    if let Some((index, mesh)) = place
        && let Some(vertex) = mesh.most_influenced
    {
        writeln!(text, "    at most {most}: vertex {vertex} of mesh {index}")?;
    }
    Ok(())
}

/// The tree in box characters, without recursion: a chain of joints may be as long as a file.
fn print_joints(text: &mut String, joints: &[JointSummary]) -> Result {
    let mut children = vec![Vec::new(); joints.len()];
    let mut roots = Vec::new();
    for (index, joint) in joints.iter().enumerate() {
        match joint.parent {
            Some(parent) => children[parent].push(index),
            None => roots.push(index),
        }
    }
    let widest = joints.iter().map(|joint| thousands(joint.vertices).len()).max().unwrap_or(0);
    let (width, places) = (widest.max("vertices".len()), joints.len().to_string().len());
    writeln!(text, "    {:>width$}  {:>places$}", "vertices", "#")?;
    // Joint, depth, and the prefix of its children.
    let mut open: Vec<(usize, usize, String, String)> =
        roots.iter().rev().map(|&root| (root, 0, String::new(), String::new())).collect();
    while let Some((index, depth, branch, before)) = open.pop() {
        let joint = &joints[index];
        let deep = if depth > DEEPEST { format!("({depth} deep) ") } else { String::new() };
        writeln!(
            text,
            "    {:>width$}  {index:>places$}  {branch}{deep}{}",
            thousands(joint.vertices),
            one_line(&joint.name)
        )?;
        let own = &children[index];
        for (place, &child) in own.iter().enumerate().rev() {
            let is_last = place + 1 == own.len();
            let (mut branch, mut below) = (before.clone(), before.clone());
            if depth < DEEPEST {
                branch += if is_last { "└─ " } else { "├─ " };
                below += if is_last { "   " } else { "│  " };
            }
            open.push((child, depth + 1, branch, below));
        }
    }
    Ok(())
}

/// Clips with their notes; files other than `file` are named.
fn print_clips(text: &mut String, clips: &[NamedClip], file: &str, indent: usize) -> Result {
    let mut columns = clip_columns();
    for (index, clip) in clips.iter().enumerate() {
        add_clip(&mut columns, index, &clip.name, &clip.facts);
        if clip.file != file {
            columns.note(format!("file {}", clip.file));
        }
        if let Some([first, last]) = clip.ticks {
            let rule = clip.ticks_rule.as_ref();
            let rule = rule.map_or(String::new(), |rule| format!("; {rule}"));
            let (from, to) = (clip.facts.start_s, clip.facts.start_s + clip.facts.length_s);
            columns.note(format!("ticks {first} to {last}, {from:.3} to {to:.3} s{rule}"));
        }
        if let Some(options) = &clip.options {
            columns.note(options_text(options));
        }
    }
    columns.print(text, indent)?;
    let margin = " ".repeat(indent);
    for clip in clips.iter().filter(|clip| !clip.facts.parts.is_empty()) {
        let count = thousands_as(clip.facts.parts.len(), "part", "parts");
        writeln!(text, "{margin}{count} of {:?}, for the clips of a scene", clip.name)?;
        for (number, ProposedPart { keys: [from, to], still }) in
            clip.facts.parts.iter().enumerate()
        {
            let name = if *still { format!("still{number}") } else { format!("part{number}") };
            let of = toml_text(&clip.name);
            writeln!(
                text,
                "{margin}  {{ name = \"{name}\", of = {of}, keys = \"{from}-{to}\" }},"
            )?;
        }
    }
    Ok(())
}

/// A name in scene notation.
fn toml_text(name: &str) -> String {
    toml::Value::from(name).to_string()
}

fn clip_columns() -> Columns {
    Columns::new(&[
        ("#", Side::Right),
        ("keys", Side::Right),
        ("per second", Side::Right),
        ("length s", Side::Right),
        ("repeats", Side::Right),
        ("joints move", Side::Right),
        ("name", Side::Left),
    ])
}

fn add_clip(columns: &mut Columns, index: usize, name: &str, clip: &ClipSummary) {
    let rate = clip.keys_per_second.map_or_else(|| "uneven".to_owned(), |rate| rate.to_string());
    let turn = if clip.plays_once { "once".to_owned() } else { format!("{:.3}", clip.period_s) };
    columns.row(vec![
        index.to_string(),
        thousands(clip.keys),
        rate,
        format!("{:.3}", clip.length_s),
        turn,
        format!("{} of {}", thousands(clip.moving_joints), thousands(clip.joints)),
        name.to_owned(),
    ]);
    if let Some(bounds) = &clip.bounds {
        columns.note(box_text(bounds));
    }
    if clip.ends_as_it_starts {
        columns.note("ends as it starts".to_owned());
    } else if !clip.plays_once && clip.keys > 1 && clip.period_s <= clip.length_s {
        columns.note("does not end as it starts: it jumps when it repeats".to_owned());
    }
    if clip.moving_joints > 0 {
        columns.note(format!("moves {}", names_text(&clip.moving)));
    }
    if !clip.morphing.is_empty() {
        columns.note(format!("morphs {}", names_text(&clip.morphing)));
    }
}

fn print_camera(text: &mut String, camera: &CameraSummary) -> Result {
    let [least, most] = camera.fov_deg;
    let cuts: Vec<String> = camera.cuts.iter().map(ToString::to_string).collect();
    writeln!(text, "\ncamera")?;
    let keys = thousands_as(camera.keys, "key", "keys");
    writeln!(
        text,
        "  keys       {keys} at {} per second, {:.3} s",
        camera.keys_per_second, camera.length_s
    )?;
    writeln!(text, "  view       {least:.1}° to {most:.1}° wide")?;
    wrap(text, "  cuts at    ", &names_text(&cuts))
}

fn print_material(text: &mut String, material: &MaterialSummary) -> Result {
    let from = material.mtr.as_ref().map(|mtr| format!(", {}:{}", mtr.file, mtr.line));
    let from = from.unwrap_or_default();
    wrap(text, &format!("  {:?}  ", material.shader), &format!("{}{from}", material.origin))?;
    for texture in &material.textures {
        let TextureSummary { role, file, width, height, format, memory } = texture;
        let format = format.as_ref().map(|format| format!(" {format}")).unwrap_or_default();
        let file = file.as_deref().map(|file| format!("{file}, ")).unwrap_or_default();
        let memory = bytes_text(*memory);
        let words = format!("{file}{width}x{height}{format}, {memory}");
        wrap(text, &format!("    {role:<9}"), &words)?;
        let programs = material.mtr.iter().flat_map(|mtr| &mtr.programs);
        for made in programs.filter(|made| made.role == *role) {
            wrap(text, "    made by  ", &made.program)?;
        }
    }
    if material.alpha != "opaque" {
        writeln!(text, "    alpha    {}", material.alpha)?;
    }
    for note in &material.notes {
        wrap(text, "    note     ", note)?;
    }
    for note in material.mtr.iter().flat_map(|mtr| &mtr.notes) {
        wrap(text, &format!("    line {}: ", note.line), &note.message)?;
    }
    // The searched names, if nothing was found; without their kinds, the names would hide the right
    // one.
    if material.diffuse.is_none() && !material.tried.is_empty() {
        wrap(text, "    tried    ", &by_stem(&material.tried))?;
        wrap(text, "    in       ", &names_text(&material.searched))?;
    }
    Ok(())
}

/// Names with their extensions gathered: `skin.{png,tga}, skin_d.{png,tga}`.
fn by_stem(names: &[String]) -> String {
    let parts = names.iter().map(|name| name.rsplit_once('.').unwrap_or((name, "")));
    let mut stems: Vec<(&str, Vec<&str>)> = Vec::new();
    for (stem, extension) in parts {
        match stems.iter_mut().find(|(known, _)| *known == stem) {
            Some((_, extensions)) => extensions.push(extension),
            None => stems.push((stem, vec![extension])),
        }
    }
    let written = stems.iter().map(|(stem, extensions)| match extensions[..] {
        [""] => (*stem).to_owned(),
        [one] => format!("{stem}.{one}"),
        _ => format!("{stem}.{{{}}}", extensions.join(",")),
    });
    names_text(&written.collect::<Vec<String>>())
}

/// Problems, warnings first; a kind common to several clips is listed once.
fn print_problems(text: &mut String, of: &str, problems: &[Problem]) -> Result {
    let count = |severity| problems.iter().filter(|one| one.severity == severity).count();
    let (warnings, notes) = (count(Severity::Warning), count(Severity::Note));
    if problems.is_empty() {
        return writeln!(text, "\nproblems{of}: none");
    }
    let parts: Vec<String> = [(warnings, "warning", "warnings"), (notes, "note", "notes")]
        .into_iter()
        .filter(|(count, ..)| *count > 0)
        .map(|(count, one, many)| thousands_as(count, one, many))
        .collect();
    writeln!(text, "\nproblems{of}: {}", parts.join(", "))?;
    for run in problems.chunk_by(|a, b| a.kind == b.kind) {
        let Some(problem) = run.first() else { continue };
        let severity = match problem.severity {
            Severity::Warning => "warning",
            Severity::Note => "note",
        };
        let clip = problem.places.iter().find_map(|place| place.clip.as_ref());
        let clip = clip.map_or(String::new(), |clip| format!("clip {clip}: "));
        let message = grouped(&problem.message);
        wrap(text, &format!("  {severity:<8} "), &format!("{clip}{message}"))?;
        if !problem.first.is_empty() {
            let label = match problem.kind {
                Kind::ClipMisfit => "why",
                _ if problem.count > 1 => "first",
                _ => "where",
            };
            wrap(text, &format!("           {label}: "), &problem.first)?;
        }
        let joints: Vec<String> =
            problem.places.iter().flat_map(|place| place.joints.clone()).collect();
        if !joints.is_empty() && problem.first.is_empty() {
            wrap(text, "           ", &names_text(&joints))?;
        }
        if problem.places.len() > 1 {
            let meshes = problem.places.iter().filter_map(|place| place.mesh);
            let meshes: Vec<String> = meshes.map(|mesh| mesh.to_string()).collect();
            wrap(text, "           in meshes ", &names_text(&meshes))?;
        }
        if let [_, more @ ..] = run
            && !more.is_empty()
        {
            let clips = more.iter().flat_map(|one| &one.places).filter_map(|one| one.clip.clone());
            let clips: Vec<String> = clips.collect();
            let many = thousands_as(more.len(), "more clip", "more clips");
            wrap(text, "           ", &format!("similar in {many}: {}", names_text(&clips)))?;
        }
        wrap(text, "           do: ", problem.advice)?;
    }
    Ok(())
}

/// Groups the digits of counts in a sentence.
fn grouped(message: &str) -> String {
    let word = |word: &str| word.parse::<usize>().map_or_else(|_| word.to_owned(), thousands);
    message.split(' ').map(word).collect::<Vec<String>>().join(" ")
}

/// Playback options of the animations of a clip.
fn options_text(options: &OptionSummary) -> String {
    let OptionSummary { animations, open, closed, spline } = options;
    let mut parts = Vec::new();
    for (count, what) in [
        (open, "open (played once)"),
        (closed, "closed (repeated)"),
        (spline, "with splines (played linearly from key to key)"),
    ] {
        if *count > 0 {
            parts.push(format!("{count} {what}"));
        }
    }
    format!(
        "options of {}: {}",
        thousands_as(*animations, "animation", "animations"),
        parts.join(", ")
    )
}

/// A length for people, with as many digits as are meaningful.
fn length_text(length: f32) -> String {
    match length.abs() {
        size if size >= 1000.0 => format!("{length:.0}"),
        size if size >= 10.0 => format!("{length:.2}"),
        _ => format!("{length:.3}"),
    }
}

fn box_text(BoxSummary { min, max }: &BoxSummary) -> String {
    let [x, y, z] =
        [0, 1, 2].map(|axis| format!("{} to {}", length_text(min[axis]), length_text(max[axis])));
    format!("x {x}, y (up) {y}, z {z}")
}

fn size_text(BoxSummary { min, max }: &BoxSummary) -> String {
    let [x, y, z] = [0, 1, 2].map(|axis| length_text(max[axis] - min[axis]));
    format!("{x} wide (x), {y} high (y), {z} deep (z)")
}
