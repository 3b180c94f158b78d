//! An older record in the order and with the names of a newer one, so that a stage compares each
//! item with its partner.
//!
//! Lights, instances, materials, joints and meshes are paired by name if they have one, then by
//! content, then by position. Items that are only reordered or renamed are noted and do not count
//! as different.

use super::content::Pairs;
use super::frame_record::FrameRecord;
use super::stages::{InstanceRecord, JointRecord, MeshRecord, Subject};
use std::collections::BTreeMap;
use tintype_compare::finding::{Element, Finding, Kind, Stage, Subject as Of, Value};

/// An older record in the order of a newer one.
pub(super) struct Aligned {
    pub record: FrameRecord,
    /// Names and orders that changed.
    pub notes: Vec<Finding>,
}

/// Brings `old` into the order of `new`.
pub(super) fn aligned(old: &FrameRecord, new: &FrameRecord) -> Aligned {
    let mut notes = Vec::new();
    let mut record = old.clone();
    rename_materials(&mut record.scene, &new.scene, &mut notes);
    let lights = pairs_of(&groups(&record, "light"), &groups(new, "light"));
    renumber(&mut record.scene, "light", &lights, &mut notes);
    let instances = pairs_of(&groups(&record, "instance"), &groups(new, "instance"));
    renumber(&mut record.scene, "instance", &instances, &mut notes);
    align_instances(&mut record, old, new, &instances, &mut notes);
    let mut told: Vec<Finding> = Vec::new();
    for note in notes {
        if !told.contains(&note) {
            told.push(note);
        }
    }
    Aligned { record, notes: told }
}

fn reordered(stage: Stage, of: Element) -> Finding {
    Finding::new(stage, Kind::Reordered, Of::all(of))
}

fn renamed(stage: Stage, of: Element, from: &str, to: &str) -> Finding {
    Finding::new(stage, Kind::Renamed, Of::named(of, from)).from_to(None, Value::from(to))
}

/// A numbered item of a scene: its number and its values, including those of its parts.
type Group = (usize, Vec<(String, String)>);

/// The numbered things of a word, by number.
fn groups(record: &FrameRecord, word: &str) -> Vec<Group> {
    let mut found: BTreeMap<usize, Vec<(String, String)>> = BTreeMap::new();
    for subject in &record.scene {
        let Some((number, part)) = subject.numbered(word) else { continue };
        let group = found.entry(number).or_default();
        for (key, value) in &subject.values {
            // Models are numbered; their names stay when another is added.
            let instance =
                record.instances.get(number).filter(|_| word == "instance" && key == "model");
            let value = instance.map_or(value, |instance| &instance.model);
            group.push((format!("{part}.{key}"), value.clone()));
        }
    }
    found
        .into_iter()
        .map(|(number, mut values)| {
            values.sort_unstable();
            (number, values)
        })
        .collect()
}

/// Numbers in the new and the old record. None without a partner.
struct Numbers {
    of_new: BTreeMap<usize, Option<usize>>,
    gone: Vec<usize>,
}

fn pairs_of(old: &[Group], new: &[Group]) -> Numbers {
    let same_place = |a: usize, b: usize| old[a] == new[b];
    let same = |a: usize, b: usize| old[a].1 == new[b].1;
    let mut pairs = Pairs::new([old.len(), new.len()], &[&same_place, &same]);
    let fresh: Vec<usize> = pairs.fresh().collect();
    // A changed item keeps its place if none was added; otherwise the most similar one is its
    // partner.
    let likeness = |a: usize, b: usize| {
        let is_kind = ["kind", "model"].iter().all(|key| {
            let key = format!(".{key}");
            let value = |group: &Group| group.1.iter().find(|(known, _)| *known == key).cloned();
            value(&old[a]) == value(&new[b])
        });
        let common = new[b].1.iter().filter(|value| old[a].1.contains(value)).count();
        if is_kind { common } else { 0 }
    };
    if pairs.gone.len() == fresh.len() {
        for &b in &fresh {
            let place = pairs.gone.iter().position(|&a| old[a].0 == new[b].0);
            if let Some(place) = place {
                pairs.of_new[b] = Some(pairs.gone.remove(place));
            }
        }
    }
    loop {
        let mut best: Option<(usize, usize, usize)> = None;
        for b in pairs.fresh() {
            for &a in &pairs.gone {
                let likeness = likeness(a, b);
                if likeness > best.map_or(1, |(most, ..)| most) {
                    best = Some((likeness, a, b));
                }
            }
        }
        let Some((_, a, b)) = best else { break };
        pairs.of_new[b] = Some(a);
        pairs.gone.retain(|&gone| gone != a);
    }
    Numbers {
        of_new: (new.iter().zip(&pairs.of_new))
            .map(|(group, partner)| (group.0, partner.map(|index| old[index].0)))
            .collect(),
        gone: pairs.gone.iter().map(|&index| old[index].0).collect(),
    }
}

/// Sets the numbers of the subjects of a word to those of their partners.
fn renumber(scene: &mut Vec<Subject>, word: &str, numbers: &Numbers, notes: &mut Vec<Finding>) {
    let to = |old: usize| {
        numbers.of_new.iter().find(|(_, known)| **known == Some(old)).map(|(new, _)| *new)
    };
    let partners: Vec<usize> = numbers.of_new.values().flatten().copied().collect();
    if partners.windows(2).any(|pair| pair[0] > pair[1]) {
        let of = if word == "light" { Element::Light } else { Element::Instance };
        notes.push(reordered(Stage::Scene, of));
    }
    scene.retain_mut(|subject| {
        for (key, value) in &mut subject.values {
            // An attachment refers to the number of its instance.
            if word == "instance" && key == "attach" {
                let (number, rest) = value.split_once(' ').unwrap_or((value, ""));
                if let Some(to) = number.parse().ok().and_then(to) {
                    *value = format!("{to} {rest}");
                }
            }
        }
        let Some((number, part)) = subject.numbered(word) else { return true };
        let part = if part.is_empty() { String::new() } else { format!(" {part}") };
        if let Some(to) = to(number) {
            subject.name = format!("{word} {to}{part}");
            return true;
        }
        let is_taken = numbers.of_new.contains_key(&number);
        if is_taken {
            subject.name = format!("{word} {number} of the golden");
        }
        // Parts of a removed item are removed with it.
        numbers.gone.contains(&number) && part.is_empty()
    });
}

/// Renames materials to the new material with the same values.
fn rename_materials(scene: &mut [Subject], new: &[Subject], notes: &mut Vec<Finding>) {
    for word in ["material", "surface"] {
        let is_known = |name: &str, list: &[Subject]| list.iter().any(|one| one.name == *name);
        let sorted = |subject: &Subject| {
            let mut values = subject.values.clone();
            values.sort_unstable();
            values
        };
        let fresh = new.iter().filter(|one| one.is_of(word));
        let fresh: Vec<&Subject> = fresh.filter(|one| !is_known(&one.name, scene)).collect();
        for subject in fresh {
            let partner = scene.iter_mut().find(|one| {
                one.is_of(word) && !is_known(&one.name, new) && sorted(one) == sorted(subject)
            });
            if let Some(partner) = partner {
                let bare = |name: &str| name[word.len()..].trim_matches(['"', ' ']).to_owned();
                let (from, to) = (bare(&partner.name), bare(&subject.name));
                notes.push(renamed(Stage::Scene, Element::Material, &from, &to));
                partner.name.clone_from(&subject.name);
            }
        }
    }
}

/// Sorts instances, their joints and their meshes in the order of the new record.
fn align_instances(
    record: &mut FrameRecord,
    old: &FrameRecord,
    new: &FrameRecord,
    numbers: &Numbers,
    notes: &mut Vec<Finding>,
) {
    let has_others = !numbers.gone.is_empty() || numbers.of_new.values().any(Option::is_none);
    if old.instances.len() != new.instances.len() && !has_others {
        return;
    }
    let partner = |index: usize| match numbers.of_new.get(&index) {
        Some(partner) => *partner,
        None => (!has_others).then_some(index),
    };
    let mut orders: BTreeMap<&str, Pairs> = BTreeMap::new();
    record.instances.clear();
    record.visibility.pixels.clear();
    for (index, now) in new.instances.iter().enumerate() {
        let of_now =
            || (now.clone(), new.visibility.pixels.get(index).cloned().unwrap_or_default());
        let before = partner(index).and_then(|index| old.instances.get(index));
        let (instance, pixels) = match before {
            None => of_now(),
            Some(before) => {
                let pixels = partner(index).and_then(|index| old.visibility.pixels.get(index));
                let mut pixels = pixels.cloned().unwrap_or_default();
                let mut instance = before.clone();
                if let Some(joints) = joint_pairs(before, now) {
                    orders.insert(&now.model, joints);
                }
                if let Some(joints) = orders.get(now.model.as_str()) {
                    align_joints(&mut instance, now, joints, notes);
                }
                align_meshes(&mut instance, now, &mut pixels, notes);
                // Digests of a crowd are shorter.
                for (own, now) in [(&mut instance.pose, &now.pose), (&mut instance.skin, &now.skin)]
                {
                    if own.starts_with(now.as_str()) || now.starts_with(own.as_str()) {
                        own.clone_from(now);
                    }
                }
                (instance, pixels)
            }
        };
        record.instances.push(instance);
        record.visibility.pixels.push(pixels);
    }
}

/// Pairs of all joints. None if a joint has no partner, or all are in place.
fn joint_pairs(old: &InstanceRecord, new: &InstanceRecord) -> Option<Pairs> {
    let (before, now): (&[JointRecord], &[JointRecord]) = (&old.joints, &new.joints);
    let is_free = |a: usize, b: usize| {
        now.iter().all(|joint| joint.name != before[a].name)
            && before.iter().all(|joint| joint.name != now[b].name)
    };
    let by_name = |a: usize, b: usize| before[a].name == now[b].name;
    let by_content = |a: usize, b: usize| {
        let place = |joint: &JointRecord| (joint.translation, joint.rotation);
        is_free(a, b) && place(&before[a]) == place(&now[b])
    };
    let by_place = |a: usize, b: usize| is_free(a, b) && a == b;
    if before.is_empty() || before.len() != now.len() {
        return None;
    }
    let pairs = Pairs::new([before.len(), now.len()], &[&by_name, &by_content, &by_place]);
    let is_plain = pairs.iter().all(|(a, b)| a == b && before[a].name == now[b].name);
    (pairs.gone.is_empty() && !is_plain).then_some(pairs)
}

fn align_joints(
    instance: &mut InstanceRecord,
    now: &InstanceRecord,
    joints: &Pairs,
    notes: &mut Vec<Finding>,
) {
    let marks = instance.marks.as_bytes();
    if marks.len() != now.marks.len() || marks.len() != joints.of_new.len() * 2 {
        return;
    }
    let mark =
        |(a, _): (usize, usize)| String::from_utf8_lossy(&marks[2 * a..2 * a + 2]).into_owned();
    let in_order: String = joints.iter().map(mark).collect();
    if !instance.joints.is_empty() {
        let joint = |(a, b): (usize, usize)| {
            let mut joint = instance.joints[a].clone();
            let parent =
                usize::try_from(joint.parent).ok().and_then(|parent| joints.of_old(parent));
            joint.parent = parent.and_then(|parent| i32::try_from(parent).ok()).unwrap_or(-1);
            if let Some(now) = now.joints.get(b).filter(|now| now.name != joint.name) {
                notes.push(renamed(Stage::Pose, Element::Joint, &joint.name, &now.name));
                joint.name.clone_from(&now.name);
            }
            joint
        };
        instance.joints = joints.iter().map(joint).collect();
    }
    if joints.is_reordered() {
        notes.push(reordered(Stage::Pose, Element::Joint));
    }
    instance.marks = in_order;
    let has_parents = instance.joints.iter().zip(&now.joints).all(|(a, b)| a.parent == b.parent);
    if instance.marks == now.marks && has_parents && instance.morphs == now.morphs {
        instance.pose.clone_from(&now.pose);
    }
}

fn align_meshes(
    instance: &mut InstanceRecord,
    now: &InstanceRecord,
    pixels: &mut Vec<u64>,
    notes: &mut Vec<Finding>,
) {
    let (before, new): (&[MeshRecord], &[MeshRecord]) = (&instance.meshes, &now.meshes);
    let is_free = |a: usize, b: usize| {
        new.iter().all(|mesh| mesh.name != before[a].name)
            && before.iter().all(|mesh| mesh.name != new[b].name)
    };
    let by_name =
        |a: usize, b: usize| before[a].name == new[b].name && before[a].vertices == new[b].vertices;
    let by_name_alone = |a: usize, b: usize| before[a].name == new[b].name;
    let by_content = |a: usize, b: usize| is_free(a, b) && before[a].triangles == new[b].triangles;
    let by_place = |a: usize, b: usize| is_free(a, b) && a == b;
    let pairs =
        Pairs::new([before.len(), new.len()], &[&by_name, &by_name_alone, &by_content, &by_place]);
    if before.is_empty() || before.len() != new.len() || !pairs.gone.is_empty() {
        return;
    }
    let is_plain = pairs.iter().all(|(a, b)| a == b && before[a].name == new[b].name);
    if is_plain {
        return;
    }
    if pairs.is_reordered() {
        notes.push(reordered(Stage::Skin, Element::Mesh));
    }
    let mesh = |(a, b): (usize, usize)| {
        if before[a].name != new[b].name {
            notes.push(renamed(Stage::Skin, Element::Mesh, &before[a].name, &new[b].name));
        }
        MeshRecord { name: new[b].name.clone(), ..before[a].clone() }
    };
    let meshes: Vec<MeshRecord> = pairs.iter().map(mesh).collect();
    if pixels.len() == meshes.len() {
        *pixels = pairs.iter().map(|(a, _)| pixels[a]).collect();
    }
    instance.meshes = meshes;
    let digests = |mesh: &MeshRecord| {
        [&mesh.positions, &mesh.normals, &mesh.triangles, &mesh.texcoords].map(Clone::clone)
    };
    if instance.meshes.iter().map(digests).eq(new.iter().map(digests)) {
        instance.skin.clone_from(&now.skin);
    }
}
