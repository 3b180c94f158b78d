//! Morph targets of two exports: added or removed ones, changed offsets of vertices, changed
//! weights.

use super::joint::ROUNDING;
use super::structure::{Pairs, name_of};
use crate::finding::{Element, Finding, Kind, Stage, Subject, Unit, Value};
use tintype_model::math::{Vec3, unit_or};
use tintype_model::{Mesh, Model, MorphTarget, MorphWeight, Pose};

/// For each target of the old model, the matching target of the new one: by name on the same joint,
/// or by position if neither name exists on the other side.
fn partners(models: [&Model; 2], pairs: &Pairs) -> Vec<Option<usize>> {
    let [old, new] = models.map(|model| model.skeleton.morphs());
    let partner = |slot: &MorphWeight| {
        let joint = pairs.joints.get(slot.joint.index()).copied().flatten()?;
        new.iter().position(|other| other.joint.index() == joint && other.name == slot.name)
    };
    let mut found: Vec<Option<usize>> = old.iter().map(partner).collect();
    for place in 0..if old.len() == new.len() { old.len() } else { 0 } {
        let joint = pairs.joints.get(old[place].joint.index()).copied().flatten();
        if found[place].is_none()
            && !found.contains(&Some(place))
            && joint == Some(new[place].joint.index())
        {
            found[place] = Some(place);
        }
    }
    found
}

fn target(slot: &MorphWeight) -> Subject {
    Subject::named(Element::Target, slot.name.as_str())
}

/// Targets that were added, removed, or move their vertices differently.
pub(super) fn findings(models: [&Model; 2], pairs: &Pairs, diagonal: f32) -> Vec<Finding> {
    let [old, new] = models.map(|model| model.skeleton.morphs());
    let partners = partners(models, pairs);
    let told = |kind, slot| Finding::new(Stage::Skin, kind, target(slot));
    let gone = old.iter().zip(&partners).filter(|(_, partner)| partner.is_none());
    let mut found: Vec<Finding> = gone.map(|(slot, _)| told(Kind::Removed, slot)).collect();
    let fresh = new.iter().enumerate().filter(|(index, _)| !partners.contains(&Some(*index)));
    found.extend(fresh.map(|(_, slot)| told(Kind::Added, slot)));
    for (slot, partner) in old.iter().zip(&partners) {
        let name = partner.map(|partner| &new[partner].name).filter(|name| **name != slot.name);
        let renamed =
            |name: &String| told(Kind::Renamed, slot).from_to(None, Value::from(name.as_str()));
        found.extend(name.map(renamed));
    }
    for (pair, &(mesh, other)) in pairs.meshes.iter().enumerate() {
        let (before, now) = (&models[0].meshes[mesh], &models[1].meshes[other]);
        let Some(vertices) = pairs.vertices(pair, models) else { continue };
        let least = diagonal * if pairs.grids[pair].is_some() { GRID } else { ROUNDING };
        let (Some(a), Some(b)) = (&before.morph, &now.morph) else { continue };
        for target in &a.targets {
            let partner = partners.get(target.weight).copied().flatten();
            let Some(other) = b.targets.iter().find(|other| Some(other.weight) == partner) else {
                continue;
            };
            let Some(slot) = old.get(target.weight) else { continue };
            let told = told(Kind::MovesOtherwise, slot).within(name_of(models[0], mesh));
            found.extend(of_target(told, [(before, target), (now, other)], &vertices, least));
        }
    }
    found
}

/// Smaller differences of offsets come from the grid of a quantized file, in diagonals.
const GRID: f32 = 1e-3;

/// Vertices that two targets move differently or, if there are none, turn differently; `finding`
/// makes the finding for the subject. Where the file has the whole shape of a target, a vertex at
/// the same position in it does not count as moved.
fn of_target(
    told: Finding,
    [before, now]: [(&Mesh, &MorphTarget); 2],
    vertices: &[Option<usize>],
    least: f32,
) -> Option<Finding> {
    // The gaps of positions, and of normals and tangents.
    let gaps = |(vertex, partner): (usize, &Option<usize>)| {
        let partner = (*partner)?;
        let offsets = [before.1.offsets_of(vertex), now.1.offsets_of(partner)];
        let rest = [at_rest(before.0, vertex), at_rest(now.0, partner)];
        let gap = |k: usize| {
            let [before, now] = offsets.map(|offsets| offsets[k]);
            let [from, to] = rest.map(|rest| rest[k]);
            tintype_model::math::min((now - before).length(), (now + to - before - from).length())
        };
        Some((vertex, gap(0), tintype_model::math::max(gap(1), gap(2))))
    };
    let gaps: Vec<(usize, f32, f32)> = vertices.iter().enumerate().filter_map(gaps).collect();
    let count = vertices.len();
    let moved: Vec<&(usize, f32, f32)> =
        gaps.iter().filter(|(_, moved, _)| *moved > least || moved.is_nan()).collect();
    if let Some((first, ..)) = moved.first() {
        let most = moved.iter().map(|(_, moved, _)| *moved).fold(0.0, tintype_model::math::max);
        let told = told.count(moved.len(), count).elements([Subject::vertex(*first)]);
        return Some(told.by(most, Unit::Distance));
    }
    let mut turned =
        gaps.iter().filter(|(.., turned)| *turned > 1e-5 || turned.is_nan()).peekable();
    let (first, ..) = **turned.peek()?;
    let told = told.count(turned.count(), count).elements([Subject::vertex(first)]);
    Some(Finding { kind: Kind::TurnsOtherwise, ..told })
}

/// Position and normal of a vertex without targets; its tangent is not known.
fn at_rest(mesh: &Mesh, vertex: usize) -> [Vec3; 3] {
    let Some(source) = &mesh.source else { return [Vec3::ZERO; 3] };
    let own = |list: &[Vec3]| list.get(vertex).copied().unwrap_or(Vec3::ZERO);
    [own(&source.positions), unit_or(own(&source.normals), Vec3::ZERO), Vec3::ZERO]
}

/// Largest change of the weight of each target over the times of two clips.
pub(super) struct Worst {
    /// For each target of the old model, the matching target of the new one.
    partners: Vec<Option<usize>>,
    /// For each target of the old model: the time, the weight and the new weight.
    found: Vec<Option<(f64, f32, f32)>>,
}

impl Worst {
    pub(super) fn new(models: [&Model; 2], pairs: &Pairs) -> Self {
        let partners = partners(models, pairs);
        Self { found: vec![None; partners.len()], partners }
    }

    /// Adds the weights at one time.
    pub(super) fn add(&mut self, at_s: f64, poses: &[Pose; 2]) {
        for ((partner, worst), &before) in
            self.partners.iter().zip(&mut self.found).zip(&poses[0].morphs)
        {
            let Some(&now) = partner.and_then(|partner| poses[1].morphs.get(partner)) else {
                continue;
            };
            let known = worst.map_or(0.0, |(_, before, now): (f64, f32, f32)| (now - before).abs());
            if (now - before).abs() > tintype_model::math::max(known, 1e-6) {
                *worst = Some((at_s, before, now));
            }
        }
    }

    /// The targets whose weights changed.
    pub(super) fn findings(&self, old: &Model) -> Vec<Finding> {
        let slots = old.skeleton.morphs().iter().zip(&self.found);
        let told = |(slot, worst): (&MorphWeight, &Option<(f64, f32, f32)>)| {
            let (at_s, before, now) = (*worst)?;
            let [before, now] = [before, now].map(|weight| Value::amount(weight, Unit::Number));
            let told = Finding::new(Stage::Pose, Kind::ValueChanged, target(slot));
            Some(told.from_to(before, now).at(at_s))
        };
        slots.filter_map(told).collect()
    }
}

#[cfg(test)]
mod tests {
    use crate::finding::Finding;
    use crate::model_diff::{Side, compare};
    use tintype_formats::LoadOptions;
    use tintype_formats::gltf::parse_model;
    use tintype_model::Model;

    /// A triangle with a target that lifts its second corner by `lift`, and the weight at the end
    /// of a clip of one second.
    fn face(target: &str, lift: f32, end: f32) -> (Model, tintype_model::Clip) {
        let corners = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0];
        let moves = [0.0, 0.0, 0.0, 0.0, 0.0, lift, 0.0, 0.0, 0.0];
        let keys = [0.0, 1.0, 0.0, end];
        let values = corners.iter().chain(&moves).chain(&keys);
        let data: String = values
            .flat_map(|value: &f32| value.to_le_bytes())
            .map(|byte| format!("%{byte:02x}"))
            .collect();
        let text = format!(
            r#"{{"asset": {{"version": "2.0"}}, "nodes": [{{"name": "head", "mesh": 0}}],
            "meshes": [{{"primitives": [{{"attributes": {{"POSITION": 0}}, "targets": [{{"POSITION": 1}}]}}],
                "extras": {{"targetNames": ["{target}"]}}}}],
            "animations": [{{"channels": [{{"sampler": 0, "target": {{"node": 0, "path": "weights"}}}}],
                "samplers": [{{"input": 2, "output": 3}}]}}],
            "accessors": [
                {{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3"}},
                {{"bufferView": 0, "byteOffset": 36, "componentType": 5126, "count": 3, "type": "VEC3"}},
                {{"bufferView": 0, "byteOffset": 72, "componentType": 5126, "count": 2, "type": "SCALAR"}},
                {{"bufferView": 0, "byteOffset": 80, "componentType": 5126, "count": 2, "type": "SCALAR"}}],
            "bufferViews": [{{"buffer": 0, "byteLength": 88}}],
            "buffers": [{{"byteLength": 88, "uri": "data:,{data}"}}]}}"#
        );
        let nothing = |_: &str| Err(String::new());
        let file = parse_model(text.as_bytes(), &nothing, &LoadOptions::default());
        let mut file = file.expect("a sound file").value;
        (file.model, file.clips.remove(0).clip)
    }

    fn told(new: (&str, f32, f32), has_clip: bool) -> Vec<String> {
        let (old, new) = (face("smile", 1.0, 0.3), face(new.0, new.1, new.2));
        let [old, new] = [&old, &new].map(|(model, clip)| Side {
            model,
            clip: has_clip.then_some(clip),
            surfaces: &[],
        });
        let found = compare(old, new).expect("the clips fit").structure;
        found.iter().map(Finding::sentence).collect()
    }

    #[test]
    fn targets_are_told_by_name_weight_and_offsets() {
        assert_eq!(told(("smile", 1.0, 0.3), true), Vec::<String>::new());
        assert_eq!(told(("smile", 1.0, 0.5), true), ["target 'smile' 0.3 -> 0.5 at 1.000 s"]);
        assert_eq!(told(("frown", 1.0, 0.3), false), ["target 'smile' is renamed to 'frown'"]);
        assert_eq!(
            told(("smile", 1.5, 0.3), false),
            [
                "target 'smile' of mesh 0 \"mesh_0\": 1 of 3 vertices move differently, first vertex 1, by up to 0.5"
            ]
        );
    }

    #[test]
    fn vertex_that_moves_at_rest_alone_is_not_told_of_shapes_that_stay() {
        let before = include_bytes!("../../../../tests/fuzz/seeds/imp.md2").to_vec();
        // The second vertex of the first frame, along x.
        let mut now = before.clone();
        now[172 + 40 + 4] += 1;
        let nothing = |_: &str| Err(String::new());
        let [before, now] = [before, now].map(|bytes| {
            let file = tintype_formats::quake::parse_model(
                &bytes,
                &nothing,
                None,
                &LoadOptions::default(),
            );
            file.expect("a sound file").value.model
        });
        let [old, new] = [&before, &now].map(|model| Side { model, clip: None, surfaces: &[] });
        let found = compare(old, new).expect("they fit").structure;
        let found: Vec<String> = found.iter().map(Finding::sentence).collect();
        assert_eq!(found.iter().filter(|one| one.contains("target")).count(), 0, "{found:?}");
    }
}
