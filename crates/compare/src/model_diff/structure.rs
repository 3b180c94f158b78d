//! Pairs of joints and meshes of two exports, and those without a partner.

use super::cause::{Finding, Stage};
use super::side::Side;
use std::collections::{BTreeMap, BTreeSet};
use tintype_model::diagnostic::{counted, told_rate};
use tintype_model::math::Vec4;
use tintype_model::{Clip, FileMaterial, LinearRgb, Mesh, Model};

/// Joints and meshes that belong together, by index.
pub(super) struct Pairs {
    /// Per joint of the old model: its partner.
    pub joints: Vec<Option<usize>>,
    /// Old mesh and new mesh.
    pub meshes: Vec<(usize, usize)>,
}

/// Pairs joints by name and meshes by name, shader and order.
pub(super) fn pair(old: &Model, new: &Model) -> Pairs {
    let mut by_name: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (index, joint) in new.skeleton.joints().iter().enumerate().rev() {
        by_name.entry(&joint.name).or_default().push(index);
    }
    // The first of a name belongs to the first, the second to the second.
    let joints = old.skeleton.joints().iter();
    let joints = joints.map(|joint| by_name.get_mut(joint.name.as_str())?.pop()).collect();

    let mut free: Vec<usize> = (0..new.meshes.len()).collect();
    let mut meshes = Vec::new();
    let like: [fn(&Mesh, &Mesh) -> bool; 3] = [
        |a, b| a.name == b.name && a.shader == b.shader && a.texcoords.len() == b.texcoords.len(),
        |a, b| a.name == b.name && a.shader == b.shader,
        |a, b| (a.name == b.name && !a.name.is_empty()) || a.shader == b.shader,
    ];
    let mut left: Vec<usize> = (0..old.meshes.len()).collect();
    for like in like {
        left.retain(|&mesh| {
            let found = free.iter().position(|&other| like(&old.meshes[mesh], &new.meshes[other]));
            let Some(place) = found else { return true };
            meshes.push((mesh, free.remove(place)));
            false
        });
    }
    meshes.sort_unstable();
    Pairs { joints, meshes }
}

/// Name of a mesh for people.
pub(super) fn name_of(model: &Model, index: usize) -> String {
    let mesh = &model.meshes[index];
    let name = if mesh.name.is_empty() { &mesh.shader } else { &mesh.name };
    format!("mesh {index} {name:?}")
}

/// Parts without a partner or with another count, each with its stage: the hierarchy, meshes, materials and clips.
pub(super) fn findings([old, new]: [Side; 2], pairs: &Pairs) -> Vec<Finding> {
    let mut found = Vec::new();
    if let (Some(clip), Some(other)) = (old.clip, new.clip) {
        found.extend(clocks(clip, other).into_iter().map(|text| Finding::new(Stage::Time, text)));
    }
    let sentences = of_parts([old, new], pairs);
    found.extend(sentences.into_iter().map(|text| Finding::new(Stage::Structure, text)));
    for &(mesh, other) in &pairs.meshes {
        let name = name_of(old.model, mesh);
        found.extend(of_mesh(&name, &old.model.meshes[mesh], &new.model.meshes[other]));
    }
    let materials = of_materials(&old.model.materials, &new.model.materials);
    found.extend(materials.into_iter().map(|text| Finding::new(Stage::Material, text)));
    found
}

/// Differences of the time base of two clips: rate, number of keys, duration.
fn clocks(old: &Clip, new: &Clip) -> Vec<String> {
    let mut found = Vec::new();
    if let (Some(before), Some(now)) =
        (old.key_rate_hz.map(told_rate), new.key_rate_hz.map(told_rate))
        && (before - now).abs() > 1e-9 * before.abs()
    {
        found.push(format!("the clip has {now} keys a second, had {before}"));
    }
    let [before, now] = [old, new].map(Clip::key_count);
    if before != now {
        found.push(format!("the clip has {}, had {before}", counted(now, "key")));
    }
    let [before, now] = [old, new].map(Clip::length_s);
    if (before - now).abs() > 1e-6 {
        found.push(format!("the clip lasts {now:.4} s, was {before:.4} s"));
    }
    found
}

/// Joints and meshes without a partner, and joints below another parent.
fn of_parts([old, new]: [Side; 2], pairs: &Pairs) -> Vec<String> {
    let mut found = Vec::new();
    let (old_joints, new_joints) = (old.model.skeleton.joints(), new.model.skeleton.joints());
    for (joint, partner) in old_joints.iter().zip(&pairs.joints) {
        let parent = joint.parent.map(|parent| old_joints[parent.index()].name.as_str());
        match partner {
            None => found.push(format!("joint {:?} is gone", joint.name)),
            Some(partner) => {
                let other = new_joints[*partner].parent;
                let other = other.map(|parent| new_joints[parent.index()].name.as_str());
                if parent != other {
                    let [parent, other] = [parent, other].map(|name| name.unwrap_or("nothing"));
                    found.push(format!(
                        "joint {:?} hangs on {other:?}, was on {parent:?}",
                        joint.name
                    ));
                }
            }
        }
    }
    let paired: BTreeSet<usize> = pairs.joints.iter().flatten().copied().collect();
    for (index, joint) in new_joints.iter().enumerate() {
        if !paired.contains(&index) {
            found.push(format!("joint {:?} is new", joint.name));
        }
    }
    for index in 0..old.model.meshes.len() {
        if !pairs.meshes.iter().any(|&(mesh, _)| mesh == index) {
            found.push(format!("{} is gone", name_of(old.model, index)));
        }
    }
    for index in 0..new.model.meshes.len() {
        if !pairs.meshes.iter().any(|&(_, mesh)| mesh == index) {
            found.push(format!("{} is new", name_of(new.model, index)));
        }
    }
    found
}

/// Materials of the files, by name: those that are gone or new, and each value that changed.
fn of_materials(old: &[FileMaterial], new: &[FileMaterial]) -> Vec<String> {
    let mut found = Vec::new();
    for before in old {
        let name = &before.name;
        let Some(now) = new.iter().find(|now| now.name == *name) else {
            found.push(format!("material {name:?} is gone"));
            continue;
        };
        let color = |color: LinearRgb| format!("{} {} {}", color.r, color.g, color.b);
        let texture = |name: &Option<String>| format!("{:?}", name.as_deref().unwrap_or("none"));
        let values = [
            ("colour", color(before.color), color(now.color)),
            ("opacity", before.opacity.to_string(), now.opacity.to_string()),
            ("highlight", color(before.specular_color), color(now.specular_color)),
            ("shininess", before.shininess.to_string(), now.shininess.to_string()),
            ("own light", color(before.emissive), color(now.emissive)),
            ("texture", texture(&before.diffuse), texture(&now.diffuse)),
            ("normal map", texture(&before.normal), texture(&now.normal)),
            ("specular texture", texture(&before.specular), texture(&now.specular)),
            ("texture of its own light", texture(&before.glow), texture(&now.glow)),
        ];
        let changed = values.into_iter().filter(|(_, before, now)| before != now);
        found.extend(
            changed.map(|(what, before, now)| {
                format!("material {name:?}: {what} {now}, was {before}")
            }),
        );
    }
    let is_new = |now: &&FileMaterial| old.iter().all(|before| before.name != now.name);
    found.extend(new.iter().filter(is_new).map(|now| format!("material {:?} is new", now.name)));
    found
}

/// Differences between two meshes apart from their poses.
fn of_mesh(name: &str, old: &Mesh, new: &Mesh) -> Vec<Finding> {
    let mut found = Vec::new();
    let mut add = |stage, text| found.push(Finding::new(stage, text));
    if old.shader != new.shader {
        add(Stage::Material, format!("{name}: shader {:?}, was {:?}", new.shader, old.shader));
    }
    let counts = [
        ("vertices", old.file_vertex_count(), new.file_vertex_count()),
        ("triangles", old.triangles.len(), new.triangles.len()),
    ];
    for (what, before, now) in counts {
        if before != now {
            add(Stage::Mesh, format!("{name}: {now} {what}, were {before}"));
        }
    }
    if counts.iter().any(|(_, before, now)| before != now) {
        return found;
    }
    let count = old.file_vertex_count();
    let corners = |mesh: &Mesh, triangle: usize| {
        mesh.triangles[triangle].map(|vertex| mesh.file_vertex(vertex))
    };
    let changed = (0..old.triangles.len()).filter(|&t| corners(old, t) != corners(new, t));
    let changed: Vec<usize> = changed.collect();
    if let Some(&first) = changed.first() {
        let [before, now] = [old, new].map(|mesh| corners(mesh, first).map(|v| v.to_string()));
        let (before, now) = (before.join(" "), now.join(" "));
        add(
            Stage::Mesh,
            format!(
                "{name}: {} of {} triangles have other corners or another order of them, first {first}: {now}, was {before}",
                changed.len(),
                old.triangles.len()
            ),
        );
    }
    // Colours multiply the material's: an absent one is white.
    let color = |mesh: &Mesh, v: usize| mesh.colors.get(v).copied().unwrap_or(Vec4::ONE);
    let painted = (0..count).filter(|&v| color(old, v) != color(new, v));
    let painted: Vec<usize> = painted.collect();
    if let Some(first) = painted.first() {
        let text = format!(
            "{name}: {} of {count} vertex colours changed, first that of vertex {first}",
            painted.len()
        );
        add(Stage::Mesh, text);
    }
    let moved: Vec<(usize, f32)> = (0..count)
        .map(|v| (v, (new.texcoords[v] - old.texcoords[v]).length()))
        .filter(|(_, distance)| *distance != 0.0)
        .collect();
    if let Some((first, _)) = moved.first() {
        let farthest =
            moved.iter().map(|(_, distance)| *distance).fold(0.0, tintype_model::math::max);
        let text = format!(
            "{name}: {} of {count} texture coordinates changed, by {farthest:.6} at most, first that of vertex {first}",
            moved.len()
        );
        add(Stage::Mesh, text);
    }
    found
}
