//! Edits of `.x` text.

use super::files::{Change, Edit, Files, Wanted, product, text, turn};
use super::x_tree::Tree;
use crate::random::Random;
use tintype_golden::record::Stage::{Pose, Scene, Skin, Visibility};

const FILE: &str = "model.x";

pub(super) const CHANGES: &[Change] = &[
    key,
    keys,
    scale_keys,
    ticks,
    key_times,
    offset_moved,
    offset_turned,
    frame_moved,
    rename,
    reorder,
    reparent,
    mesh_order,
    material_value,
    material_renamed,
    position,
    weight,
    joint_weights,
    texcoord,
    normal,
    triangle,
    spelling,
    spelling_order,
];

fn tree(files: &Files) -> Option<Tree> {
    Some(Tree::new(text(files, FILE)?))
}

fn store(files: &mut Files, content: String) {
    files.insert(FILE.to_owned(), content.into_bytes());
}

/// Keys of a joint.
struct Keys {
    object: usize,
    joint: String,
    /// Index of the first value of each key among the numbers.
    values: Vec<usize>,
}

/// The set that the instances play: the first.
fn played(tree: &Tree) -> Option<usize> {
    tree.of("AnimationSet").into_iter().find(|&set| tree.child(set, "Animation").is_some())
}

/// The keys of a type: 0 rotation, 1 scale, 2 position, 3 and 4 matrix.
fn keys_of(tree: &Tree, kinds: &[usize]) -> Vec<Keys> {
    let mut found = Vec::new();
    let set = played(tree);
    for object in tree.of("AnimationKey") {
        let above = |object: usize| tree.objects[object].parent;
        if above(object).and_then(above) != set {
            continue;
        }
        if !tree.count(object, 0).is_some_and(|kind| kinds.contains(&kind)) {
            continue;
        }
        let Some(parent) = tree.objects[object].parent else { continue };
        let Some(joint) = tree.objects[parent].references.first() else { continue };
        let joint = tree.text[joint.clone()].to_owned();
        let mut at = 2;
        let mut values = Vec::new();
        for _ in 0..tree.count(object, 1).unwrap_or(0) {
            let Some(count) = tree.count(object, at + 1) else { break };
            values.push(at + 2);
            at += 2 + count;
        }
        found.push(Keys { object, joint, values });
    }
    found
}

/// A rotation of a file (w, x, y, z) turned by an angle.
fn turned(tree: &Tree, object: usize, at: usize, by: [f64; 4]) -> Option<Vec<(usize, f64)>> {
    let q = [1, 2, 3, 0].map(|k| tree.number(object, at + k).unwrap_or(0.0));
    let length = q.iter().map(|x| x * x).sum::<f64>().sqrt();
    if length < 1e-3 {
        return None;
    }
    let [x, y, z, w] = product(q, by);
    Some(vec![(at, w), (at + 1, x), (at + 2, y), (at + 3, z)])
}

fn key(files: &mut Files, random: &mut Random) -> Option<Edit> {
    let tree = tree(files)?;
    let all: Vec<Keys> =
        keys_of(&tree, &[0]).into_iter().filter(|one| one.values.len() > 1).collect();
    let Keys { object, joint, values } = random.pick(&all)?;
    let number = random.below(values.len());
    let angle = random.between(2.0, 12.0);
    let new = turned(&tree, *object, values[number], turn(random.axis(), angle))?;
    store(files, tree.with_numbers(*object, &new));
    let edit = Edit::new("key", format!("key {number} of {joint} by {angle:.2}°"), &[Pose]);
    Some(edit.word(joint).amount(angle))
}

fn keys(files: &mut Files, random: &mut Random) -> Option<Edit> {
    let tree = tree(files)?;
    let all = keys_of(&tree, &[0]);
    let Keys { object, joint, values } = random.pick(&all)?;
    let (axis, angle) = (random.axis(), random.between(2.0, 12.0));
    let mut new = Vec::new();
    for &at in values {
        new.extend(turned(&tree, *object, at, turn(axis, angle))?);
    }
    store(files, tree.with_numbers(*object, &new));
    let edit = Edit::new("all keys of a joint", format!("keys of {joint} by {angle:.2}°"), &[Pose]);
    Some(edit.word(joint).amount(angle))
}

fn scale_keys(files: &mut Files, random: &mut Random) -> Option<Edit> {
    let tree = tree(files)?;
    let all = keys_of(&tree, &[1]);
    let Keys { object, joint, values } = random.pick(&all)?;
    let factor = random.between(1.05, 1.3);
    let only = (random.below(2) == 0).then(|| random.below(values.len()));
    let wanted =
        values.iter().enumerate().filter(|(number, _)| only.is_none_or(|one| one == *number));
    let mut new = Vec::new();
    let base = tree.number(*object, values[only.unwrap_or(0)])?;
    for (_, &at) in wanted {
        for k in 0..3 {
            new.push((at + k, tree.number(*object, at + k)? * factor));
        }
    }
    store(files, tree.with_numbers(*object, &new));
    let what = format!("scale of {joint} times {factor:.3}, key {only:?}");
    let edit = Edit::new("scale keys", what, &[Pose]).word(joint).any(&["scale", "scaled"]);
    Some(edit.amount(factor).amount(base * (factor - 1.0)))
}

fn ticks(files: &mut Files, random: &mut Random) -> Option<Edit> {
    let tree = tree(files)?;
    let object =
        tree.of("AnimTicksPerSecond").into_iter().find(|&one| tree.number(one, 0).is_some())?;
    let old = tree.number(object, 0)?;
    let new = (old * *random.pick(&[2.0, 0.5, 1.25])?).round();
    store(files, tree.with_numbers(object, &[(0, new)]));
    let edit = Edit::new("time base", format!("ticks {old} -> {new}"), &[Pose, Scene]);
    Some(edit.any(&["per second"]).amount(new))
}

/// All times of all keys, times two.
fn key_times(files: &mut Files, _: &mut Random) -> Option<Edit> {
    let tree = tree(files)?;
    let mut places = Vec::new();
    for Keys { object, values, .. } in keys_of(&tree, &[0, 1, 2, 3, 4]) {
        for at in values {
            let place = tree.objects[object].numbers.get(at - 2)?.clone();
            let time: u64 = tree.text[place.clone()].parse().ok()?;
            places.push((place, (time * 2).to_string()));
        }
    }
    if places.is_empty() {
        return None;
    }
    places.sort_by_key(|(place, _)| place.start);
    store(files, tree.with(places));
    Some(
        Edit::new("time base", "all times doubled", &[Pose, Scene])
            .any(&["lasts", "longer", "times"]),
    )
}

/// Bone, its mesh, and the index of the first number of the offset matrix.
fn bone(tree: &Tree, random: &mut Random) -> Option<(usize, String, usize)> {
    let all = tree.of("SkinWeights");
    let object = *random
        .pick(&all.into_iter().filter(|&one| tree.count(one, 0).is_some()).collect::<Vec<_>>())?;
    let count = tree.count(object, 0)?;
    Some((object, tree.string(object, 0)?.to_owned(), 1 + 2 * count))
}

fn offset_moved(files: &mut Files, random: &mut Random) -> Option<Edit> {
    let tree = tree(files)?;
    let (object, name, at) = bone(&tree, random)?;
    if tree.count(object, 0)? == 0 {
        return None;
    }
    let (axis, by) = (random.axis(), random.between(0.03, 0.2) * size(&tree)?);
    let mut new = Vec::new();
    for k in 0..3 {
        new.push((at + 12 + k, tree.number(object, at + 12 + k)? + axis[k] * by));
    }
    store(files, tree.with_numbers(object, &new));
    let edit = Edit::new("offset matrix", format!("of {name} by {by:.4}"), &[Skin, Pose]);
    Some(edit.word(name).any(&["offset"]).amount(by))
}

fn offset_turned(files: &mut Files, random: &mut Random) -> Option<Edit> {
    let tree = tree(files)?;
    let (object, name, at) = bone(&tree, random)?;
    if tree.count(object, 0)? == 0 {
        return None;
    }
    let angle = random.between(3.0, 15.0);
    let (sin, cos) = angle.to_radians().sin_cos();
    let mut new = Vec::new();
    for row in 0..3 {
        let value = |k: usize| tree.number(object, at + row * 4 + k);
        let (x, y) = (value(0)?, value(1)?);
        new.push((at + row * 4, x * cos - y * sin));
        new.push((at + row * 4 + 1, x * sin + y * cos));
    }
    store(files, tree.with_numbers(object, &new));
    let edit = Edit::new("offset matrix", format!("of {name} by {angle:.2}°"), &[Skin, Pose]);
    Some(edit.word(name).any(&["offset"]).amount(angle))
}

/// The length that amounts are relative to: the extent of the first mesh.
fn size(tree: &Tree) -> Option<f64> {
    let mesh = *tree.of("Mesh").first()?;
    let count = tree.count(mesh, 0)?;
    let values = (1..=3 * count).filter_map(|index| tree.number(mesh, index));
    Some(values.fold(0.1, |most: f64, value| most.max(value.abs())))
}

/// The frames with a name.
fn frames(tree: &Tree) -> Vec<usize> {
    tree.of("Frame").into_iter().filter(|&one| !tree.objects[one].name.is_empty()).collect()
}

fn frame_moved(files: &mut Files, random: &mut Random) -> Option<Edit> {
    let tree = tree(files)?;
    let frame = *random.pick(&frames(&tree))?;
    let matrix = tree.child(frame, "FrameTransformMatrix")?;
    let (axis, by) = (random.axis(), random.between(0.03, 0.15) * size(&tree)?);
    let mut new = Vec::new();
    for k in 0..3 {
        new.push((12 + k, tree.number(matrix, 12 + k)? + axis[k] * by));
    }
    store(files, tree.with_numbers(matrix, &new));
    let name = &tree.objects[frame].name;
    let edit = Edit::new("bind pose", format!("frame {name} by {by:.4}"), &[Pose, Skin]);
    Some(edit.word(name).amount(by))
}

/// The text with a name replaced wherever it is a whole word.
fn renamed(content: &str, old: &str, new: &str) -> String {
    let is_part = |c: char| c.is_alphanumeric() || "_-.".contains(c);
    let mut out = String::new();
    let mut done = 0;
    for (at, _) in content.match_indices(old) {
        let before = content[..at].chars().next_back().is_some_and(is_part);
        let after = content[at + old.len()..].chars().next().is_some_and(is_part);
        if !before && !after && at >= done {
            out += &content[done..at];
            out += new;
            done = at + old.len();
        }
    }
    out + &content[done..]
}

fn rename(files: &mut Files, random: &mut Random) -> Option<Edit> {
    let tree = tree(files)?;
    let frame = *random.pick(&frames(&tree))?;
    let old = tree.objects[frame].name.clone();
    let is_shared = tree.objects.iter().filter(|one| one.name == old).count() > 1;
    if is_shared {
        return None;
    }
    let new = format!("{old}_new");
    store(files, renamed(&tree.text, &old, &new));
    let edit = Edit::new("joint renamed", format!("{old} -> {new}"), &[Pose]);
    Some(edit.word(old).word(new).wanted(Wanted::Word))
}

/// Exchanges two objects of a template that have one parent.
fn exchanged(tree: &Tree, random: &mut Random, template: &str) -> Option<(String, String)> {
    let all = tree.of(template);
    let mut pairs = Vec::new();
    for (index, &first) in all.iter().enumerate() {
        for &second in &all[index + 1..] {
            let is_inside = tree.objects[second].span.start < tree.objects[first].span.end;
            if tree.objects[first].parent == tree.objects[second].parent && !is_inside {
                pairs.push((first, second));
            }
        }
    }
    let &(first, second) = random.pick(&pairs)?;
    let [a, b] = [first, second].map(|one| tree.objects[one].span.clone());
    let texts = [a.clone(), b.clone()].map(|span| tree.text[span].to_owned());
    let [of_first, of_second] = texts;
    let names = format!("{} and {}", tree.objects[first].name, tree.objects[second].name);
    Some((tree.with(vec![(a, of_second), (b, of_first)]), names))
}

fn reorder(files: &mut Files, random: &mut Random) -> Option<Edit> {
    let (content, what) = exchanged(&tree(files)?, random, "Frame")?;
    store(files, content);
    Some(Edit::new("joints reordered", what, &[]).any(&["order"]).wanted(Wanted::Word))
}

fn mesh_order(files: &mut Files, random: &mut Random) -> Option<Edit> {
    let (content, what) = exchanged(&tree(files)?, random, "Mesh")?;
    store(files, content);
    Some(Edit::new("meshes reordered", what, &[]).any(&["order"]).wanted(Wanted::Word))
}

/// Attaches a frame to the parent of its parent.
fn reparent(files: &mut Files, random: &mut Random) -> Option<Edit> {
    let tree = tree(files)?;
    let deep: Vec<usize> = frames(&tree)
        .into_iter()
        .filter(|&one| {
            let parent = tree.objects[one].parent;
            let grand = parent.and_then(|parent| tree.objects[parent].parent);
            let is_named = |one: usize| {
                !tree.objects[one].name.is_empty() && tree.objects[one].template == "Frame"
            };
            parent.is_some_and(is_named) && grand.is_some_and(is_named)
        })
        .collect();
    let frame = *random.pick(&deep)?;
    let parent = tree.objects[frame].parent?;
    let grand = tree.objects[parent].parent?;
    let (own, end) = (tree.objects[frame].span.clone(), tree.objects[parent].span.end);
    let moved = format!("\n{}\n", &tree.text[own.clone()]);
    let content = tree.with(vec![(own, String::new()), (end..end, moved)]);
    let [name, to] = [frame, grand].map(|one| tree.objects[one].name.clone());
    store(files, content);
    let edit = Edit::new("joint on another parent", format!("{name} on {to}"), &[Pose]);
    Some(edit.word(name).word(to))
}

fn material_value(files: &mut Files, random: &mut Random) -> Option<Edit> {
    let tree = tree(files)?;
    let scene = text(files, "scene.toml")?;
    // Not one that is replaced by the scene.
    let free = |&one: &usize| {
        let name = &tree.objects[one].name;
        !name.is_empty() && !scene.contains(&format!("\"{name}\"")) && tree.number(one, 4).is_some()
    };
    let material =
        *random.pick(&tree.of("Material").into_iter().filter(free).collect::<Vec<_>>())?;
    let power = random.between(3.0, 30.0);
    store(files, tree.with_numbers(material, &[(4, power), (5, 0.6), (6, 0.55), (7, 0.5)]));
    let name = &tree.objects[material].name;
    let edit = Edit::new("material", format!("power of {name}"), &[Scene]).word(name);
    Some(edit.amount(power).amount(0.6))
}

fn material_renamed(files: &mut Files, random: &mut Random) -> Option<Edit> {
    let tree = tree(files)?;
    let scene = text(files, "scene.toml")?;
    let named = |&one: &usize| {
        let name = &tree.objects[one].name;
        let count = tree.objects.iter().filter(|other| other.name == *name).count();
        // A material may be called Material, as its template is.
        let is_word = tree.objects.iter().all(|other| other.template != *name);
        is_word && !name.is_empty() && !scene.contains(&format!("\"{name}\"")) && count == 1
    };
    let material =
        *random.pick(&tree.of("Material").into_iter().filter(named).collect::<Vec<_>>())?;
    let old = tree.objects[material].name.clone();
    let new = format!("{old}_new");
    store(files, renamed(&tree.text, &old, &new));
    let edit = Edit::new("material renamed", format!("{old} -> {new}"), &[]);
    Some(edit.word(old).word(new).wanted(Wanted::Word))
}

/// A mesh, drawn by chance, with its name.
fn mesh(tree: &Tree, random: &mut Random) -> Option<(usize, String)> {
    let drawn: Vec<usize> =
        tree.of("Mesh").into_iter().filter(|&one| tree.count(one, 0).is_some()).collect();
    let mesh = *random.pick(&drawn)?;
    Some((mesh, tree.objects[mesh].name.clone()))
}

fn position(files: &mut Files, random: &mut Random) -> Option<Edit> {
    let tree = tree(files)?;
    let (mesh, name) = mesh(&tree, random)?;
    let vertex = random.below(tree.count(mesh, 0)?);
    let (axis, by) = (random.axis(), random.between(0.03, 0.2) * size(&tree)?);
    let mut new = Vec::new();
    for k in 0..3 {
        let at = 1 + 3 * vertex + k;
        new.push((at, tree.number(mesh, at)? + axis[k] * by));
    }
    store(files, tree.with_numbers(mesh, &new));
    let edit =
        Edit::new("position of a vertex", format!("vertex {vertex} of {name} by {by:.4}"), &[Skin]);
    Some(edit.word(name).word(format!("vertex {vertex}")).amount(by))
}

fn weight(files: &mut Files, random: &mut Random) -> Option<Edit> {
    let tree = tree(files)?;
    let (object, name, _) = bone(&tree, random)?;
    let count = tree.count(object, 0)?;
    if count == 0 {
        return None;
    }
    let index = random.below(count);
    let vertex = tree.count(object, 1 + index)?;
    let old = tree.number(object, 1 + count + index)?;
    let by = random.between(0.1, 0.4) * if old > 0.5 { -1.0 } else { 1.0 };
    store(files, tree.with_numbers(object, &[(1 + count + index, old + by)]));
    let what = format!("weight of {name} on vertex {vertex} by {by:.3}");
    let edit = Edit::new("weight of a vertex", what, &[Skin]);
    Some(edit.word(format!("vertex {vertex}")).amount(by))
}

fn joint_weights(files: &mut Files, random: &mut Random) -> Option<Edit> {
    let tree = tree(files)?;
    let (object, name, _) = bone(&tree, random)?;
    let count = tree.count(object, 0)?;
    if count < 2 {
        return None;
    }
    let mut new = Vec::new();
    for at in 1 + count..1 + 2 * count {
        new.push((at, tree.number(object, at)? * 0.9));
    }
    store(files, tree.with_numbers(object, &new));
    let edit = Edit::new("all weights of a joint", format!("{name} 10 % lower"), &[Skin]);
    Some(edit.word(name).any(&["%"]).amount(10.0))
}

fn texcoord(files: &mut Files, random: &mut Random) -> Option<Edit> {
    let tree = tree(files)?;
    let (mesh, name) = mesh(&tree, random)?;
    let object = tree.child(mesh, "MeshTextureCoords")?;
    let vertex = random.below(tree.count(object, 0)?);
    let by = random.between(0.03, 0.3);
    let at = 1 + 2 * vertex;
    store(files, tree.with_numbers(object, &[(at, tree.number(object, at)? + by)]));
    let edit =
        Edit::new("texture coordinate", format!("vertex {vertex} of {name} by {by:.3}"), &[Skin]);
    Some(edit.word(name).word(format!("vertex {vertex}")).amount(by))
}

/// Turns one normal about an axis across it.
fn normal(files: &mut Files, random: &mut Random) -> Option<Edit> {
    let tree = tree(files)?;
    let (mesh, name) = mesh(&tree, random)?;
    let object = tree.child(mesh, "MeshNormals")?;
    let count = tree.count(object, 0)?;
    let index = random.below(count);
    let at = 1 + 3 * index;
    let n = [0, 1, 2].map(|k| tree.number(object, at + k).unwrap_or(0.0));
    let length = n.iter().map(|x| x * x).sum::<f64>().sqrt();
    // A normal that no face uses does not count.
    let faces = 1 + 3 * count;
    let mut place = faces + 1;
    let mut is_used = false;
    for _ in 0..tree.count(object, faces)? {
        let corners = tree.count(object, place)?;
        is_used |= (1..=corners).any(|k| tree.count(object, place + k) == Some(index));
        place += 1 + corners;
    }
    if length < 0.5 || !is_used {
        return None;
    }
    let angle = random.between(15.0, 60.0);
    let [x, y, z] = n.map(|value| value / length);
    let across = if x.abs() < 0.8 { [0.0, -z, y] } else { [z, 0.0, -x] };
    let size = across.iter().map(|x| x * x).sum::<f64>().sqrt();
    let (sin, cos) = angle.to_radians().sin_cos();
    let new = [0, 1, 2].map(|k| (at + k, [x, y, z][k] * cos + across[k] / size * sin));
    store(files, tree.with_numbers(object, &new));
    let edit = Edit::new("normal", format!("normal {index} of {name} by {angle:.1}°"), &[Skin]);
    Some(edit.word(name).any(&["normal", "normals"]).amount(angle))
}

/// Turns a face over, with its normals.
fn triangle(files: &mut Files, random: &mut Random) -> Option<Edit> {
    let tree = tree(files)?;
    let (mesh, name) = mesh(&tree, random)?;
    let face = random.below(tree.count(mesh, 1 + 3 * tree.count(mesh, 0)?)?);
    let mut content = tree.text.clone();
    let mut triangle = 0;
    for template in ["Mesh", "MeshNormals"] {
        let tree = Tree::new(content.clone());
        let mesh = tree.of("Mesh").into_iter().find(|&one| tree.objects[one].name == name)?;
        let object = if template == "Mesh" { Some(mesh) } else { tree.child(mesh, template) };
        let Some(object) = object else { continue };
        let mut at = 2 + 3 * tree.count(object, 0)?;
        triangle = 0;
        for _ in 0..face {
            let corners = tree.count(object, at)?;
            triangle += corners.saturating_sub(2);
            at += 1 + corners;
        }
        if tree.count(object, at)? != 3 {
            return None;
        }
        let [b, c] = [at + 2, at + 3].map(|place| tree.number(object, place));
        content = tree.with_numbers(object, &[(at + 2, c?), (at + 3, b?)]);
    }
    store(files, content);
    let edit =
        Edit::new("triangle", format!("face {face} of {name} turned over"), &[Skin, Visibility]);
    Some(edit.word(name).word(format!("triangle {triangle}")))
}

fn spelling(files: &mut Files, random: &mut Random) -> Option<Edit> {
    let content = text(files, FILE)?;
    let (content, what) = match random.below(4) {
        0 => (content.replace("Frame ", "Frame\n  "), "white space"),
        1 => (content.replace('\n', "\r\n"), "line ends"),
        2 => (content.replacen("Frame ", "// exported again\nFrame ", 1), "a comment"),
        _ => (content.replace("0.000000", "0.0"), "number format"),
    };
    store(files, content);
    Some(Edit::spelling(what))
}

fn spelling_order(files: &mut Files, random: &mut Random) -> Option<Edit> {
    let (content, _) = exchanged(&tree(files)?, random, "Animation")?;
    store(files, content);
    Some(Edit::spelling("order of animations"))
}
