//! Influences of two meshes: weights, joints that pull, and positions in the spaces of joints,
//! vertex by vertex.

use super::structure::{Pairs, name_of};
use crate::finding::{Element, Finding, Kind, Stage, Subject, Unit, Value};
use std::collections::BTreeMap;
use tintype_model::{Influence, Mesh, Model};

/// Joints that are listed one by one.
const MAX_JOINTS: usize = 4;
/// Relative tolerance within which ratios of weights count as one common change.
const EVEN: f32 = 1e-3;

/// Changes of a weight below this are the rounding of numbers.
const ROUNDING: f32 = 1e-6;
/// Below this they come from the grid of a quantized file, whose weights have 8 bits.
const GRID: f32 = 1.0 / 100.0;

/// Differences between the influences of two models.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct WeightDiff {
    /// The differences.
    pub findings: Vec<Finding>,
    /// The largest change of a weight; infinite for other joints.
    pub largest: f32,
    /// Joints whose vertices all have other positions in joint space with the same weights.
    pub offsets: Vec<String>,
    /// The farthest of these.
    pub farthest_offset: f32,
}

/// Changes of the influences of one joint.
#[derive(Default)]
struct OfJoint {
    /// Number of influences, changed or not.
    all: usize,
    /// Weights that changed: mesh, vertex, before, now.
    weights: Vec<(usize, usize, f32, f32)>,
    /// Influences at another position in the space of the joint.
    moved: usize,
    /// The farthest of these.
    farthest: f32,
}

/// A joint of the old model, if it has it, and the number of earlier influences of the same vertex
/// by it.
type Key = (Option<usize>, usize);
/// An influence by its joint.
type Pull = (Key, Influence);

/// Compares the influences of paired meshes with equal counts of vertices.
pub(super) fn differences(models: [&Model; 2], pairs: &Pairs, diagonal: f32) -> WeightDiff {
    let joints = models[0].skeleton.joints();
    let mut old_of_new: Vec<Option<usize>> = vec![None; models[1].skeleton.len()];
    for (joint, partner) in pairs.joints.iter().enumerate() {
        if let Some(partner) = partner {
            old_of_new[*partner] = Some(joint);
        }
    }
    let mut by_joint: BTreeMap<usize, OfJoint> = BTreeMap::new();
    let mut other_joints: Vec<Finding> = Vec::new();
    for (pair, &(mesh, other)) in pairs.meshes.iter().enumerate() {
        let (old, new) = (&models[0].meshes[mesh], &models[1].meshes[other]);
        let Some(partners) = pairs.vertices(pair, models) else { continue };
        let is_on_grid = pairs.grids[pair].is_some();
        let least = if is_on_grid { GRID } else { ROUNDING };
        let mut first: Option<Finding> = None;
        let of_all = partners.len();
        let mut count = 0;
        for (vertex, partner) in partners.into_iter().enumerate() {
            let Some(partner) = partner else { continue };
            let before = sorted(old, vertex, &|joint| Some(joint));
            let now = sorted(new, partner, &|joint| old_of_new[joint]);
            // Influences of weight 0 count as absent.
            let pulls = |list: &[Pull]| -> Vec<Pull> {
                let is_felt = |one: &&Pull| one.1.weight().abs() > least || one.1.weight().is_nan();
                list.iter().filter(is_felt).copied().collect()
            };
            let is_in = |list: &[Pull], key: Key| {
                key.0.is_some() && list.iter().any(|(known, _)| *known == key)
            };
            let is_other = pulls(&before).iter().any(|(key, _)| !is_in(&now, *key))
                || pulls(&now).iter().any(|(key, _)| !is_in(&before, *key));
            if is_other {
                count += 1;
                first.get_or_insert_with(|| {
                    let names = |list: &[Pull]| {
                        let name = |joint: &Option<usize>| {
                            joint.map_or("a new joint", |joint| joints[joint].name.as_str())
                        };
                        let names = list.iter().map(|((joint, _), _)| name(joint).to_owned());
                        Value::List(names.collect())
                    };
                    Finding::new(Stage::Skin, Kind::PulledOtherwise, Subject::all(Element::Vertex))
                        .within(name_of(models[0], mesh))
                        .elements([Subject::vertex(vertex)])
                        .from_to(names(&pulls(&before)), names(&pulls(&now)))
                });
                continue;
            }
            for (key, before) in &before {
                let Some((_, now)) = now.iter().find(|(own, _)| own == key) else { continue };
                let (Some(joint), _) = key else { continue };
                let found = by_joint.entry(*joint).or_default();
                found.all += 1;
                if (now.weight() - before.weight()).abs() > least || now.weight().is_nan() {
                    found.weights.push((mesh, vertex, before.weight(), now.weight()));
                }
                let moved = (now.position() - before.position()).length();
                // Not a number counts as moved.
                if (moved > 2e-6 * diagonal || moved.is_nan()) && !is_on_grid {
                    found.moved += 1;
                    found.farthest = tintype_model::math::max(found.farthest, moved);
                }
            }
        }
        other_joints.extend(first.map(|first| first.count(count, of_all)));
    }
    gather(models[0], by_joint, other_joints)
}

/// The influences of a vertex by the joint of the old model.
fn sorted(mesh: &Mesh, vertex: usize, old_joint: &dyn Fn(usize) -> Option<usize>) -> Vec<Pull> {
    let own = mesh.influences[mesh.influences_of(vertex)].iter();
    let own = own.filter(|one| one.weight() != 0.0);
    let mut list: Vec<Pull> = own.map(|one| ((old_joint(one.joint().index()), 0), *one)).collect();
    list.sort_by_key(|(key, _)| *key);
    for index in 1..list.len() {
        let (joint, count) = list[index - 1].0;
        if list[index].0.0 == joint {
            list[index].0.1 = count + 1;
        }
    }
    list
}

fn gather(old: &Model, by_joint: BTreeMap<usize, OfJoint>, other: Vec<Finding>) -> WeightDiff {
    let mut diff = WeightDiff { findings: other, ..WeightDiff::default() };
    if !diff.findings.is_empty() {
        diff.largest = f32::INFINITY;
    }
    let mut changed: Vec<(usize, OfJoint)> = Vec::new();
    for (joint, found) in by_joint {
        if found.weights.is_empty() {
            // With only one or two vertices, these may have moved instead.
            if found.moved == found.all && found.all > 2 {
                diff.offsets.push(old.skeleton.joints()[joint].name.clone());
                diff.farthest_offset =
                    tintype_model::math::max(diff.farthest_offset, found.farthest);
            }
            continue;
        }
        let amounts = found.weights.iter().map(|(.., before, now)| (now - before).abs());
        diff.largest =
            tintype_model::math::max(diff.largest, amounts.fold(0.0, tintype_model::math::max));
        changed.push((joint, found));
    }
    changed.sort_by_key(|(joint, found)| (core::cmp::Reverse(found.weights.len()), *joint));
    for (joint, found) in changed.iter().take(MAX_JOINTS) {
        diff.findings.push(of_joint(&old.skeleton.joints()[*joint].name, old, found));
    }
    if changed.len() > MAX_JOINTS {
        let more = changed.len() - MAX_JOINTS;
        let weights = Subject::all(Element::Weight);
        diff.findings.push(Finding::new(Stage::Skin, Kind::More, weights).more(more));
    }
    diff
}

/// One common change of all weights of a joint, or the number and the largest change.
fn of_joint(name: &str, old: &Model, found: &OfJoint) -> Finding {
    let quotients = found.weights.iter().map(|(.., before, now)| now / before);
    let (low, high) = quotients.fold((f32::INFINITY, f32::NEG_INFINITY), |(low, high), one| {
        (tintype_model::math::min(low, one), tintype_model::math::max(high, one))
    });
    let (count, all) = (found.weights.len(), found.all);
    let is_even = low.is_finite() && high - low <= EVEN * low.abs();
    let told = |kind| {
        Finding::new(Stage::Skin, kind, Subject::all(Element::Weight))
            .within(Subject::joint(name))
            .count(count, all)
    };
    if is_even && count == all && count > 1 {
        return told(Kind::AllChanged).by((low - 1.0) * 100.0, Unit::Percent);
    }
    let told = told(Kind::ElementsChanged);
    let worst = found.weights.iter().max_by(|a, b| (a.3 - a.2).abs().total_cmp(&(b.3 - b.2).abs()));
    let Some(&(mesh, vertex, before, now)) = worst else { return told };
    let [before, now] = [before, now].map(|weight| Value::amount(weight, Unit::Number));
    told.within(name_of(old, mesh)).elements([Subject::vertex(vertex)]).from_to(before, now)
}
