//! Morph targets of two exports: those that are gone or new, other offsets of vertices, other weights.

use super::joint::ROUNDING;
use super::structure::{Pairs, name_of};
use tintype_model::{Model, MorphTarget, MorphWeight, Pose};

/// For each target of the old model, that of the new one: of the same name, on the same joint.
fn partners(models: [&Model; 2], pairs: &Pairs) -> Vec<Option<usize>> {
    let [old, new] = models.map(|model| model.skeleton.morphs());
    let partner = |slot: &MorphWeight| {
        let joint = pairs.joints.get(slot.joint.index()).copied().flatten()?;
        new.iter().position(|other| other.joint.index() == joint && other.name == slot.name)
    };
    old.iter().map(partner).collect()
}

/// Targets that are gone, new or move their vertices otherwise, a sentence each.
pub(super) fn sentences(models: [&Model; 2], pairs: &Pairs, diagonal: f32) -> Vec<String> {
    let [old, new] = models.map(|model| model.skeleton.morphs());
    let partners = partners(models, pairs);
    let mut found = Vec::new();
    for (slot, partner) in old.iter().zip(&partners) {
        if partner.is_none() {
            found.push(format!("target '{}' is gone", slot.name));
        }
    }
    for (index, slot) in new.iter().enumerate() {
        if !partners.contains(&Some(index)) {
            found.push(format!("target '{}' is new", slot.name));
        }
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
            if let Some(text) = of_target([target, other], &vertices, least) {
                let name = old.get(target.weight).map_or("", |slot| slot.name.as_str());
                found.push(format!("target '{name}' of {}: {text}", name_of(models[0], mesh)));
            }
        }
    }
    found
}

/// Offsets that differ by less come from the grid of a quantized file, in diagonals.
const GRID: f32 = 1e-3;

/// Vertices that two targets move otherwise, or else turn otherwise.
fn of_target(
    [before, now]: [&MorphTarget; 2],
    vertices: &[Option<usize>],
    least: f32,
) -> Option<String> {
    // The gap of positions, and that of normals and tangents.
    let gaps = |(vertex, partner): (usize, &Option<usize>)| {
        let (before, now) = (before.offsets_of(vertex), now.offsets_of((*partner)?));
        let gap = |k: usize| (now[k] - before[k]).length();
        Some((vertex, gap(0), tintype_model::math::max(gap(1), gap(2))))
    };
    let gaps: Vec<(usize, f32, f32)> = vertices.iter().enumerate().filter_map(gaps).collect();
    let count = vertices.len();
    let moved: Vec<&(usize, f32, f32)> =
        gaps.iter().filter(|(_, moved, _)| *moved > least || moved.is_nan()).collect();
    if let Some((first, ..)) = moved.first() {
        let most = moved.iter().map(|(_, moved, _)| *moved).fold(0.0, tintype_model::math::max);
        return Some(format!(
            "{} of {count} vertices are moved otherwise, first vertex {first}, by up to {most:.4}",
            moved.len()
        ));
    }
    let mut turned =
        gaps.iter().filter(|(.., turned)| *turned > 1e-5 || turned.is_nan()).peekable();
    let (first, ..) = **turned.peek()?;
    let count = turned.count();
    Some(format!(
        "the normals or tangents of {count} vertices turn otherwise, first vertex {first}"
    ))
}

/// Largest change of the weight of each target over the moments of two clips.
pub(super) struct Worst {
    /// Per target of the old model: that of the new one.
    partners: Vec<Option<usize>>,
    /// Per target of the old model: the moment, the weight and the new weight.
    found: Vec<Option<(f64, f32, f32)>>,
}

impl Worst {
    pub(super) fn new(models: [&Model; 2], pairs: &Pairs) -> Self {
        let partners = partners(models, pairs);
        Self { found: vec![None; partners.len()], partners }
    }

    /// Adds the weights of one moment.
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

    /// A sentence for each target whose weight changed.
    pub(super) fn sentences(&self, old: &Model) -> Vec<String> {
        let slots = old.skeleton.morphs().iter().zip(&self.found);
        let sentence = |(slot, worst): (&MorphWeight, &Option<(f64, f32, f32)>)| {
            let (at_s, before, now) = (*worst)?;
            let moment = if at_s > 0.0 { format!(" at {at_s:.3} s") } else { String::new() };
            Some(format!("target '{}' {before} -> {now}{moment}", slot.name))
        };
        slots.filter_map(sentence).collect()
    }
}

#[cfg(test)]
mod tests {
    use crate::model_diff::{Side, compare};
    use tintype_formats::LoadOptions;
    use tintype_formats::gltf::parse_model;
    use tintype_model::Model;

    /// A triangle with a target that lifts its second corner by `lift`, and the weight at the end of a clip of one second.
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
        compare(old, new).expect("the clips fit").structure
    }

    #[test]
    fn targets_are_told_by_name_weight_and_offsets() {
        assert_eq!(told(("smile", 1.0, 0.3), true), Vec::<String>::new());
        assert_eq!(told(("smile", 1.0, 0.5), true), ["target 'smile' 0.3 -> 0.5 at 1.000 s"]);
        assert_eq!(
            told(("frown", 1.0, 0.3), false),
            ["target 'smile' is gone", "target 'frown' is new"]
        );
        assert_eq!(
            told(("smile", 1.5, 0.3), false),
            [
                "target 'smile' of mesh 0 \"mesh_0\": 1 of 3 vertices are moved otherwise, first vertex 1, by up to 0.5000"
            ]
        );
    }
}
