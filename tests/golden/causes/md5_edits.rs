//! Edits of `.md5mesh` and `.md5anim` text.

use super::files::{Change, Edit, Files, Wanted, product, text, turn};
use crate::random::Random;
use tintype_golden::record::Stage::{Pose, Scene, Skin, Visibility};

const MESH: &str = "model.md5mesh";
const ANIM: &str = "move.md5anim";

pub(super) const CHANGES: &[Change] = &[
    key,
    keys,
    base_frame,
    rate,
    key_count,
    bind_joint,
    rename,
    reorder,
    reparent,
    mesh_order,
    mesh_gone,
    shader,
    weight,
    shared_weight,
    bias,
    joint_weights,
    texcoord,
    triangle,
    spelling_mesh,
    spelling_anim,
    spelling_weights,
];

/// The lines of a file.
struct Lines(Vec<String>);

impl Lines {
    fn of(files: &Files, name: &str) -> Option<Self> {
        Some(Self(text(files, name)?.lines().map(str::to_owned).collect()))
    }

    fn store(self, files: &mut Files, name: &str) {
        files.insert(name.to_owned(), (self.0.join("\n") + "\n").into_bytes());
    }

    /// Range of the lines within the block opened by a line.
    fn block(&self, head: &str) -> Option<core::ops::Range<usize>> {
        let is_head = |line: &String| line.trim_start().starts_with(head) && line.contains('{');
        let first = self.0.iter().position(is_head)? + 1;
        let count = self.0[first..].iter().position(|line| line.trim_start().starts_with('}'))?;
        Some(first..first + count)
    }

    /// The numbers of a line after its quoted name and its first words.
    fn numbers(&self, line: usize) -> Vec<f64> {
        let text = self.0[line].split("//").next().unwrap_or_default();
        let text = text.rsplit('"').next().unwrap_or_default();
        text.split(|c: char| c.is_whitespace() || "()".contains(c))
            .filter_map(|word| word.parse().ok())
            .collect()
    }

    fn name(&self, line: usize) -> Option<String> {
        Some(self.0[line].trim().strip_prefix('"')?.split_once('"')?.0.to_owned())
    }
}

/// A joint line: of the mesh (position, rotation) or of the hierarchy (flags, first number).
struct Joint {
    line: usize,
    name: String,
    parent: i64,
    numbers: Vec<f64>,
}

fn joints(lines: &Lines, head: &str) -> Option<Vec<Joint>> {
    let joint = |line: usize| {
        let (name, numbers) = (lines.name(line)?, lines.numbers(line));
        Some(Joint { line, name, parent: *numbers.first()? as i64, numbers: numbers[1..].to_vec() })
    };
    Some(lines.block(head)?.filter_map(joint).collect())
}

/// A mesh of the file: its shader and lines.
#[derive(Default)]
struct Mesh {
    shader: String,
    first: usize,
    last: usize,
    verts: Vec<usize>,
    tris: Vec<usize>,
    weights: Vec<usize>,
}

fn meshes(lines: &Lines) -> Vec<Mesh> {
    let mut found: Vec<Mesh> = Vec::new();
    for (number, line) in lines.0.iter().enumerate() {
        let word = line.split_whitespace().next().unwrap_or_default();
        if word == "mesh" {
            found.push(Mesh { first: number, ..Mesh::default() });
        }
        let Some(mesh) = found.last_mut() else { continue };
        match word {
            "shader" => mesh.shader = line.split('"').nth(1).unwrap_or_default().to_owned(),
            "vert" => mesh.verts.push(number),
            "tri" => mesh.tris.push(number),
            "weight" => mesh.weights.push(number),
            "}" if mesh.last == 0 => mesh.last = number,
            _ => {}
        }
    }
    found
}

/// A mesh of the file with its lines, drawn by chance.
fn any_mesh(files: &Files, random: &mut Random) -> Option<(Lines, Mesh)> {
    let lines = Lines::of(files, MESH)?;
    let mut all = meshes(&lines);
    let mesh = all.swap_remove(random.below(all.len()));
    Some((lines, mesh))
}

/// The w omitted in the file.
fn w_of(x: f64, y: f64, z: f64) -> f64 {
    -(1.0 - x * x - y * y - z * z).max(0.0).sqrt()
}

/// Turns the three components of a rotation by an angle.
fn turned(x: f64, y: f64, z: f64, axis: [f64; 3], angle_deg: f64) -> [f64; 3] {
    let [x, y, z, w] = product([x, y, z, w_of(x, y, z)], turn(axis, angle_deg));
    if w > 0.0 { [-x, -y, -z] } else { [x, y, z] }
}

/// The lines of the numbers of a frame, and the numbers.
fn frame(lines: &Lines, number: usize) -> Option<(core::ops::Range<usize>, Vec<f64>)> {
    let block = lines.block(&format!("frame {number} "))?;
    let numbers = block.clone().flat_map(|line| lines.numbers(line)).collect();
    Some((block, numbers))
}

fn frame_count(lines: &Lines) -> usize {
    lines.0.iter().filter(|line| line.trim_start().starts_with("frame ")).count()
}

/// Changes the numbers of a joint in a frame: rotates it, or moves it if it has no rotation.
fn edit_frame(
    lines: &mut Lines,
    number: usize,
    joint: &Joint,
    axis: [f64; 3],
    by: f64,
) -> Option<()> {
    let (block, mut numbers) = frame(lines, number)?;
    let (flags, first) = (joint.numbers[0] as u64, joint.numbers[1] as usize);
    let skipped = (flags & 7).count_ones() as usize;
    let own = first + skipped;
    let [x, y, z] = turned(numbers[own], numbers[own + 1], numbers[own + 2], axis, by);
    numbers[own..own + 3].copy_from_slice(&[x, y, z]);
    let words: Vec<String> = numbers.iter().map(|number| format!("{number:.9}")).collect();
    lines.0.splice(block, [words.join(" ")]);
    Some(())
}

/// A joint of the clip with animated rotation.
fn turning(lines: &Lines, random: &mut Random) -> Option<Joint> {
    let all = joints(lines, "hierarchy")?;
    let turns = |joint: &Joint| (joint.numbers[0] as u64) & 56 == 56;
    let mut all: Vec<Joint> = all.into_iter().filter(turns).collect();
    (!all.is_empty()).then(|| all.swap_remove(random.below(all.len())))
}

fn key(files: &mut Files, random: &mut Random) -> Option<Edit> {
    let mut lines = Lines::of(files, ANIM)?;
    let joint = turning(&lines, random)?;
    let number = random.below(frame_count(&lines));
    let angle = random.between(2.0, 12.0);
    edit_frame(&mut lines, number, &joint, random.axis(), angle)?;
    lines.store(files, ANIM);
    let what = format!("key {number} of {} by {angle:.2}°", joint.name);
    Some(Edit::new("key", what, &[Pose]).word(&joint.name).amount(angle))
}

fn keys(files: &mut Files, random: &mut Random) -> Option<Edit> {
    let mut lines = Lines::of(files, ANIM)?;
    let joint = turning(&lines, random)?;
    let (axis, angle) = (random.axis(), random.between(2.0, 12.0));
    for number in 0..frame_count(&lines) {
        edit_frame(&mut lines, number, &joint, axis, angle)?;
    }
    lines.store(files, ANIM);
    let what = format!("all keys of {} by {angle:.2}°", joint.name);
    Some(Edit::new("all keys of a joint", what, &[Pose]).word(&joint.name).amount(angle))
}

fn base_frame(files: &mut Files, random: &mut Random) -> Option<Edit> {
    let mut lines = Lines::of(files, ANIM)?;
    let still: Vec<usize> = (joints(&lines, "hierarchy")?.iter().enumerate())
        .filter(|(_, joint)| (joint.numbers[0] as u64) & 56 == 0)
        .map(|(index, _)| index)
        .collect();
    let index = *random.pick(&still)?;
    let name = joints(&lines, "hierarchy")?[index].name.clone();
    let block = lines.block("baseframe")?;
    let line = block.clone().filter(|&line| lines.numbers(line).len() == 6).nth(index)?;
    let [x, y, z, i, j, k] = lines.numbers(line).try_into().ok()?;
    let angle = random.between(2.0, 12.0);
    let [i, j, k] = turned(i, j, k, random.axis(), angle);
    lines.0[line] = format!("\t( {x} {y} {z} ) ( {i:.9} {j:.9} {k:.9} )");
    lines.store(files, ANIM);
    let what = format!("base frame of {name} by {angle:.2}°");
    Some(Edit::new("all keys of a joint", what, &[Pose]).word(name).amount(angle))
}

fn replace_line(files: &mut Files, file: &str, head: &str, new: &str) -> Option<()> {
    let mut lines = Lines::of(files, file)?;
    let line = lines.0.iter().position(|line| line.trim_start().starts_with(head))?;
    new.clone_into(&mut lines.0[line]);
    lines.store(files, file);
    Some(())
}

fn rate(files: &mut Files, random: &mut Random) -> Option<Edit> {
    let lines = Lines::of(files, ANIM)?;
    let line = lines.0.iter().position(|line| line.trim_start().starts_with("frameRate"))?;
    let old = *lines.numbers(line).first()?;
    let new = *random.pick(&[old + 1.0, old * 2.0, old + 6.0, old * 0.5])?;
    replace_line(files, ANIM, "frameRate", &format!("frameRate {new}"))?;
    Some(
        Edit::new("time base", format!("rate {old} -> {new}"), &[Pose, Scene])
            .any(&["per second"])
            .amount(new),
    )
}

fn key_count(files: &mut Files, _: &mut Random) -> Option<Edit> {
    let mut lines = Lines::of(files, ANIM)?;
    let count = frame_count(&lines);
    if count < 4 {
        return None;
    }
    let last = count - 1;
    let (block, _) = frame(&lines, last)?;
    lines.0.drain(block.start - 1..=block.end);
    let bounds = lines.block("bounds")?;
    lines.0.remove(bounds.start);
    lines.store(files, ANIM);
    replace_line(files, ANIM, "numFrames", &format!("numFrames {last}"))?;
    let what = format!("last of {count} keys is gone");
    Some(Edit::new("time base", what, &[Pose, Scene]).any(&["keys"]).amount(last as f64))
}

fn bind_joint(files: &mut Files, random: &mut Random) -> Option<Edit> {
    let mut lines = Lines::of(files, MESH)?;
    let all = joints(&lines, "joints")?;
    let joint = random.pick(&all)?;
    let [x, y, z, i, j, k] = joint.numbers[..] else { return None };
    let (axis, angle) = (random.axis(), random.between(3.0, 12.0));
    let [i, j, k] = turned(i, j, k, axis, angle);
    let (name, parent) = (&joint.name, joint.parent);
    lines.0[joint.line] = format!("\t\"{name}\" {parent} ( {x} {y} {z} ) ( {i:.9} {j:.9} {k:.9} )");
    lines.store(files, MESH);
    let what = format!("bind pose of {name} by {angle:.2}°");
    Some(Edit::new("bind pose", what, &[Pose, Skin]).word(name).amount(angle))
}

/// Replaces a joint's name wherever it is.
fn rename(files: &mut Files, random: &mut Random) -> Option<Edit> {
    let lines = Lines::of(files, MESH)?;
    let name = random.pick(&joints(&lines, "joints")?)?.name.clone();
    let new = format!("{name}_new");
    for file in [MESH, ANIM] {
        let content = text(files, file)?;
        let content = content.replacen(&format!("\"{name}\""), &format!("\"{new}\""), 1);
        files.insert(file.to_owned(), content.into_bytes());
    }
    let edit = Edit::new("joint renamed", format!("{name} -> {new}"), &[Pose]);
    Some(edit.word(&name).word(new).wanted(Wanted::Word))
}

/// Exchanges two neighbouring joints, neither the parent of the other.
fn reorder(files: &mut Files, random: &mut Random) -> Option<Edit> {
    let mut lines = Lines::of(files, MESH)?;
    let all = joints(&lines, "joints")?;
    let pairs: Vec<usize> =
        (1..all.len()).filter(|&index| all[index].parent != index as i64 - 1).collect();
    let second = *random.pick(&pairs)?;
    let first = second - 1;
    let swapped = |index: i64| match index {
        index if index == first as i64 => second as i64,
        index if index == second as i64 => first as i64,
        index => index,
    };
    for joint in &all {
        let place = lines.0[joint.line].find('(')?;
        let rest = lines.0[joint.line][place..].to_owned();
        lines.0[joint.line] = format!("\t\"{}\" {} {rest}", joint.name, swapped(joint.parent));
    }
    lines.0.swap(all[first].line, all[second].line);
    for mesh in meshes(&lines) {
        for line in mesh.weights {
            let mut words: Vec<String> =
                lines.0[line].split_whitespace().map(str::to_owned).collect();
            words[2] = swapped(words[2].parse().ok()?).to_string();
            lines.0[line] = words.join(" ");
        }
    }
    lines.store(files, MESH);
    let what = format!("{} and {} exchanged", all[first].name, all[second].name);
    Some(Edit::new("joints reordered", what, &[]).any(&["order"]).wanted(Wanted::Word))
}

/// Attaches a joint to the parent of its parent, in the model and in its clip.
fn reparent(files: &mut Files, random: &mut Random) -> Option<Edit> {
    let mut lines = Lines::of(files, MESH)?;
    let all = joints(&lines, "joints")?;
    let deep: Vec<&Joint> =
        all.iter().filter(|one| one.parent >= 0 && all[one.parent as usize].parent >= 0).collect();
    let joint = *random.pick(&deep)?;
    let above = all[joint.parent as usize].parent;
    let name = joint.name.clone();
    let place = lines.0[joint.line].find('(')?;
    let rest = lines.0[joint.line][place..].to_owned();
    lines.0[joint.line] = format!("\t\"{name}\" {above} {rest}");
    lines.store(files, MESH);
    let mut clip = Lines::of(files, ANIM)?;
    let in_clip = joints(&clip, "hierarchy")?.into_iter().find(|one| one.name == name)?;
    let grand = joints(&clip, "hierarchy")?.get(in_clip.parent as usize)?.parent;
    let [flags, first] = in_clip.numbers[..] else { return None };
    clip.0[in_clip.line] = format!("\t\"{name}\" {grand} {flags} {first}");
    clip.store(files, ANIM);
    let to = &all[above as usize].name;
    let edit = Edit::new("joint on another parent", format!("{name} on {to}"), &[Pose]);
    Some(edit.word(&name).word(to))
}

fn mesh_order(files: &mut Files, _: &mut Random) -> Option<Edit> {
    let mut lines = Lines::of(files, MESH)?;
    let all = meshes(&lines);
    let [first, second, ..] = &all[..] else { return None };
    let moved: Vec<String> = lines.0.drain(second.first..=second.last).collect();
    let _ = lines.0.splice(first.first..first.first, moved).count();
    lines.store(files, MESH);
    Some(Edit::new("meshes reordered", "the first two", &[]).any(&["order"]).wanted(Wanted::Word))
}

fn mesh_gone(files: &mut Files, _: &mut Random) -> Option<Edit> {
    let mut lines = Lines::of(files, MESH)?;
    let all = meshes(&lines);
    let [_, .., last] = &all[..] else { return None };
    let _ = lines.0.drain(last.first..=last.last).count();
    lines.store(files, MESH);
    replace_line(files, MESH, "numMeshes", &format!("numMeshes {}", all.len() - 1))?;
    let edit = Edit::new("mesh added or gone", format!("{} is gone", last.shader), &[]);
    Some(edit.word(&last.shader).any(&["gone"]))
}

/// Assigns another material to a mesh, also in the scene.
fn shader(files: &mut Files, random: &mut Random) -> Option<Edit> {
    let (mut lines, mesh) = any_mesh(files, random)?;
    let old = mesh.shader.clone();
    let line = (mesh.first..mesh.last).find(|&line| lines.0[line].contains("shader"))?;
    lines.0[line] = format!("\tshader \"{old}_new\"");
    lines.store(files, MESH);
    let scene = text(files, "scene.toml")?;
    if !scene.contains(&format!("name = \"{old}\"")) || old.is_empty() {
        return None;
    }
    let scene = scene.replace(&format!("name = \"{old}\""), &format!("name = \"{old}_new\""));
    files.insert("scene.toml".to_owned(), scene.into_bytes());
    let edit = Edit::new("material renamed", format!("{old} -> {old}_new"), &[]);
    Some(edit.word(&old).word(format!("{old}_new")).wanted(Wanted::Word))
}

/// Number of the vertex, first weight and number of weights of a `vert` line.
fn run_of(lines: &Lines, line: usize) -> Option<(usize, usize)> {
    let numbers = lines.numbers(line);
    Some((*numbers.get(3)? as usize, *numbers.get(4)? as usize))
}

/// The vertices that use each weight.
fn users(lines: &Lines, mesh: &Mesh) -> Vec<Vec<usize>> {
    let mut found = vec![Vec::new(); mesh.weights.len()];
    for (vertex, &line) in mesh.verts.iter().enumerate() {
        let Some((first, count)) = run_of(lines, line) else { continue };
        (first..first + count).for_each(|weight| found[weight].push(vertex));
    }
    found
}

/// Moves the position of a weight.
fn move_weight(
    files: &mut Files,
    random: &mut Random,
    is_wanted: fn(&[usize]) -> bool,
) -> Option<(Mesh, Vec<usize>, f64, usize)> {
    let (mut lines, mesh) = any_mesh(files, random)?;
    let users = users(&lines, &mesh);
    let fitting: Vec<usize> = (0..users.len()).filter(|&one| is_wanted(&users[one])).collect();
    let weight = *random.pick(&fitting)?;
    let line = mesh.weights[weight];
    let [number, joint, bias, x, y, z] = lines.numbers(line).try_into().ok()?;
    if bias < 0.02 {
        return None;
    }
    let (axis, by) = (random.axis(), random.between(0.02, 0.2) * size(&lines)?);
    let [x, y, z] = [x + axis[0] * by, y + axis[1] * by, z + axis[2] * by];
    lines.0[line] = format!("\tweight {number} {joint} {bias} ( {x:.7} {y:.7} {z:.7} )");
    lines.store(files, MESH);
    Some((mesh, users[weight].clone(), by * bias, weight))
}

/// The length that amounts are relative to: the distance of the farthest joint.
fn size(lines: &Lines) -> Option<f64> {
    let all = joints(lines, "joints")?;
    let far = all.iter().map(|joint| joint.numbers[..3].iter().map(|x| x * x).sum::<f64>().sqrt());
    Some(far.fold(0.1, f64::max))
}

fn weight(files: &mut Files, random: &mut Random) -> Option<Edit> {
    let (mesh, users, by, weight) = move_weight(files, random, |users| users.len() == 1)?;
    let what = format!("weight {weight} of {} by {by:.4}", mesh.shader);
    let edit = Edit::new("position of a weight", what, &[Skin]).word(&mesh.shader);
    Some(edit.word(format!("vertex {}", users[0])).amount(by))
}

fn shared_weight(files: &mut Files, random: &mut Random) -> Option<Edit> {
    let (mesh, users, by, weight) =
        move_weight(files, random, |users| (2..6).contains(&users.len()))?;
    let what = format!("weight {weight} of {}, of vertices {users:?}, by {by:.4}", mesh.shader);
    let edit = Edit::new("shared weight", what, &[Skin]).word(&mesh.shader).amount(by);
    Some(users.iter().fold(edit, |edit, vertex| edit.word(vertex.to_string())))
}

/// Shifts weight from one influence of a vertex to another.
fn bias(files: &mut Files, random: &mut Random) -> Option<Edit> {
    let (mut lines, mesh) = any_mesh(files, random)?;
    let users = users(&lines, &mesh);
    let fits = |&vertex: &usize| {
        run_of(&lines, mesh.verts[vertex]).is_some_and(|(first, count)| {
            let own = |weight: usize| users[weight].len() == 1;
            let heavy = |weight: usize| {
                lines.numbers(mesh.weights[weight]).get(2).is_some_and(|&bias| bias > 0.3)
            };
            count >= 2 && own(first) && own(first + 1) && heavy(first)
        })
    };
    let fitting: Vec<usize> = (0..mesh.verts.len()).filter(fits).collect();
    let vertex = *random.pick(&fitting)?;
    let (first, _) = run_of(&lines, mesh.verts[vertex])?;
    let by = random.between(0.08, 0.25);
    for (weight, by) in [(first, -by), (first + 1, by)] {
        let [n, joint, bias, x, y, z] = lines.numbers(mesh.weights[weight]).try_into().ok()?;
        lines.0[mesh.weights[weight]] =
            format!("\tweight {n} {joint} {:.6} ( {x} {y} {z} )", bias + by);
    }
    lines.store(files, MESH);
    let what = format!("weight of vertex {vertex} of {} by {by:.3}", mesh.shader);
    let edit = Edit::new("weight of a vertex", what, &[Skin]).word(&mesh.shader);
    Some(edit.word(format!("vertex {vertex}")).amount(by))
}

fn joint_weights(files: &mut Files, random: &mut Random) -> Option<Edit> {
    let (mut lines, mesh) = any_mesh(files, random)?;
    let joint = *lines.numbers(mesh.weights[random.below(mesh.weights.len())]).get(1)?;
    let name = joints(&lines, "joints")?.get(joint as usize)?.name.clone();
    for &line in &mesh.weights {
        let [n, own, bias, x, y, z] = lines.numbers(line).try_into().ok()?;
        if own as usize == joint as usize {
            lines.0[line] = format!("\tweight {n} {own} {:.7} ( {x} {y} {z} )", bias * 0.9);
        }
    }
    lines.store(files, MESH);
    let what = format!("weights of {name} in {} 10 % lower", mesh.shader);
    let edit = Edit::new("all weights of a joint", what, &[Skin]).word(name).any(&["%"]);
    Some(edit.amount(10.0))
}

fn texcoord(files: &mut Files, random: &mut Random) -> Option<Edit> {
    let (mut lines, mesh) = any_mesh(files, random)?;
    let vertex = random.below(mesh.verts.len());
    let line = mesh.verts[vertex];
    let [n, u, v, first, count] = lines.numbers(line).try_into().ok()?;
    let by = random.between(0.03, 0.3);
    lines.0[line] = format!("\tvert {n} ( {:.6} {v} ) {first} {count}", u + by);
    lines.store(files, MESH);
    let what = format!("uv of vertex {vertex} of {} by {by:.3}", mesh.shader);
    let edit = Edit::new("texture coordinate", what, &[Skin]).word(&mesh.shader);
    Some(edit.word(format!("vertex {vertex}")).amount(by))
}

fn triangle(files: &mut Files, random: &mut Random) -> Option<Edit> {
    let (mut lines, mesh) = any_mesh(files, random)?;
    let triangle = random.below(mesh.tris.len());
    let line = mesh.tris[triangle];
    let [n, a, b, c] = lines.numbers(line).try_into().ok()?;
    lines.0[line] = format!("\ttri {n} {a} {c} {b}");
    lines.store(files, MESH);
    let what = format!("triangle {triangle} of {} turned over", mesh.shader);
    let edit = Edit::new("triangle", what, &[Skin, Visibility]).word(&mesh.shader);
    Some(edit.word(format!("triangle {triangle}")))
}

fn spelling_mesh(files: &mut Files, random: &mut Random) -> Option<Edit> {
    let content = text(files, MESH)?;
    let (content, what) = match random.below(4) {
        0 => (content.replace(" ( ", "   (\t"), "white space"),
        1 => (content.replace('\n', "\r\n"), "line ends"),
        2 => (content.replacen("\nnumJoints", "\n// exported again\n\nnumJoints", 1), "a comment"),
        _ => {
            let spelled = |line: &str| match line.trim_start().starts_with("weight ") {
                true => line.replace(" 1 ( ", " 1.000000 ( ") + "\n",
                false => line.to_owned() + "\n",
            };
            (content.lines().map(spelled).collect(), "number format")
        }
    };
    files.insert(MESH.to_owned(), content.into_bytes());
    Some(Edit::spelling(what))
}

fn spelling_anim(files: &mut Files, random: &mut Random) -> Option<Edit> {
    let content = text(files, ANIM)?;
    let (content, what) = match random.below(3) {
        0 => (content.replace("frame ", "frame  "), "white space of the clip"),
        1 => (content.replace('\n', "\r\n"), "line ends of the clip"),
        _ => (content.replacen("commandline \"", "commandline \"again ", 1), "command line"),
    };
    files.insert(ANIM.to_owned(), content.into_bytes());
    Some(Edit::spelling(what))
}

/// Writes the weights of a mesh in another order, with the vertices pointing to them.
fn spelling_weights(files: &mut Files, random: &mut Random) -> Option<Edit> {
    let (mut lines, mesh) = any_mesh(files, random)?;
    let count = mesh.weights.len();
    // Runs stay together: the list turns by the first run, if no vertex spans the seam.
    let (_, shift) = run_of(&lines, mesh.verts[0]).filter(|&(first, _)| first == 0)?;
    let spans = |&line: &usize| {
        run_of(&lines, line).is_none_or(|(first, own)| first < shift && first + own > shift)
    };
    if mesh.verts.iter().any(spans) {
        return None;
    }
    let bodies: Vec<String> = mesh
        .weights
        .iter()
        .map(|&line| lines.0[line].split_whitespace().skip(2).collect::<Vec<_>>().join(" "))
        .collect();
    for (index, &line) in mesh.weights.iter().enumerate() {
        lines.0[line] = format!("\tweight {index} {}", bodies[(index + shift) % count]);
    }
    for &line in &mesh.verts {
        let [n, u, v, first, own] = lines.numbers(line).try_into().ok()?;
        let first = (first as usize + count - shift) % count;
        lines.0[line] = format!("\tvert {n} ( {u} {v} ) {first} {own}");
    }
    lines.store(files, MESH);
    Some(Edit::spelling("order of weights"))
}
