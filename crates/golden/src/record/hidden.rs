//! Joints and vertices that changed behind equal pictures, and their bounds.

use super::align::aligned;
use super::cause::{Cause, Edits, unexplained};
use super::frame_record::FrameRecord;
use super::position_sums::Moved;
use super::rigid::turn_deg;
use super::stages::{InstanceRecord, JointRecord, MeshRecord};
use tintype_compare::finding::{Finding, Stage};
use tintype_model::math::{Aabb, Quat, Vec3};
use tintype_scene::PoseRule;

/// The change of joints or vertices between two records that exceeds a rule. None if they satisfy
/// it.
///
/// The exact rule applies to whole models and clips; one with bounds applies to the frame. Names
/// and order do not count.
#[must_use]
pub fn find_hidden(old: &FrameRecord, new: &FrameRecord, rule: PoseRule) -> Option<Cause> {
    let aligned = aligned(old, new);
    let before = &aligned.record;
    let pairs = || before.instances.iter().zip(&new.instances);
    let is_kept = before.instances.len() == new.instances.len()
        && pairs().all(|(old, new)| {
            (old.pose == new.pose || !rule.is_exact() && keeps_pose(old, new, rule))
                && (old.skin == new.skin || !rule.is_exact() && keeps_skin(old, new, rule))
        });
    if is_kept && !rule.is_exact() {
        return None;
    }
    let edits = Edits::new(old, &aligned, new);
    let of_models = |one: &Finding| matches!(one.stage, Stage::Pose | Stage::Skin);
    let rest = if is_kept { None } else { unexplained(before, new, edits.is_harmless) };
    if !edits.real.iter().any(of_models) && rest.is_none() {
        return None;
    }
    let mut cause = Cause::of_edits(&edits).or_else(|| rest.map(Cause::whole_of))?;
    cause.evidence = edits.rest();
    Some(cause)
}

/// Diagonal of the box of an instance.
fn diagonal(instance: &InstanceRecord) -> f64 {
    let mut bounds = Aabb::EMPTY;
    for mesh in &instance.meshes {
        bounds.add(mesh.min);
        bounds.add(mesh.max);
    }
    if bounds.is_empty() { 0.0 } else { f64::from(bounds.diagonal()) }
}

fn keeps_pose(old: &InstanceRecord, new: &InstanceRecord, rule: PoseRule) -> bool {
    let most = rule.distance * diagonal(old);
    let keeps = |(old, new): (&JointRecord, &JointRecord)| {
        let wide = |Quat { x, y, z, w }: Quat| [x, y, z, w].map(f64::from);
        old.name == new.name
            && old.parent == new.parent
            && turn_deg(wide(old.rotation), wide(new.rotation)) <= rule.turn_deg
            && distance(old.translation, new.translation) <= most
            && f64::from((old.scale - new.scale).abs().max_element()) <= rule.distance
    };
    // Of a crowd only digests are kept.
    !old.joints.is_empty()
        && old.joints.len() == new.joints.len()
        && old.joints.iter().zip(&new.joints).all(keeps)
}

fn keeps_skin(old: &InstanceRecord, new: &InstanceRecord, rule: PoseRule) -> bool {
    let most = rule.distance * diagonal(old);
    let keeps = |(old, new): (&MeshRecord, &MeshRecord)| {
        let moved = match new.position_sums.moved_since(&old.position_sums, old.vertices) {
            _ if old.positions == new.positions => 0.0,
            Some(Moved::TooLittle) => 0.0,
            Some(Moved::One { distance, .. }) => distance,
            Some(Moved::Several { least, .. }) => least,
            None => f64::INFINITY,
        };
        let corners = [(old.min, new.min), (old.max, new.max), (old.centroid, new.centroid)];
        old.vertices == new.vertices
            && old.triangles == new.triangles
            && old.texcoords == new.texcoords
            && moved <= most
            && corners.into_iter().all(|(old, new)| distance(old, new) <= most)
    };
    !old.meshes.is_empty()
        && old.meshes.len() == new.meshes.len()
        && old.meshes.iter().zip(&new.meshes).all(keeps)
}

fn distance(a: Vec3, b: Vec3) -> f64 {
    f64::from((b - a).length())
}
