//! Outline hulls: closed meshes around another mesh with inward faces, so that only their far side
//! is visible, as the dark outline of drawn figures. Their back faces are culled, as Direct3D does
//! for all meshes; drawn two-sided, a hull would hide its figure.
//!
//! Input: the meshes of a model and its skeleton. Output: [`Mesh::is_outline_hull`], and the sides
//! of meshes that are parts of a closed one.
//!
//! # Rule
//! A mesh is a hull if it is closed, encloses a negative volume, and its box contains the box of
//! another mesh that is not inside out, or of the parts of one with several materials, and that box
//! is at least [`MIN_FILL`] as long along each axis. A room or a sky, which is far larger than its
//! contents, is therefore not a hull. Boxes are those of the triangles with an area; a mesh without
//! any is not in a hull.

use super::faces::closed_volume;
use super::weld::weld_positions;
use crate::math::area::drawn_bounds;
use crate::math::{Aabb, Vec3};
use crate::mesh::{Mesh, Orientation};
use crate::skeleton::Skeleton;
use std::collections::BTreeMap;
use tintype_base::deadline::{Deadline, TimedOut};

/// Minimum length of the inner mesh along each axis, as a fraction of the hull's.
const MIN_FILL: f32 = 0.7;
/// Length by which the inner mesh may stick out, as a fraction of the hull's diagonal.
const SLACK: f32 = 0.01;

/// Marks the outline hulls of a model.
///
/// # Errors
/// [`TimedOut`] if `deadline` passes before all meshes are measured.
pub fn mark_outline_hulls(
    meshes: &mut [Mesh],
    skeleton: &Skeleton,
    deadline: &Deadline,
) -> Result<(), TimedOut> {
    if meshes.len() < 2 || !meshes.iter().any(|mesh| mesh.is_closed_inward()) {
        return Ok(());
    }
    let mut measured = Vec::with_capacity(meshes.len());
    for mesh in meshes.iter() {
        let positions = positions(mesh, skeleton);
        let bounds = drawn_bounds(&mesh.triangles, &positions);
        let volume = if mesh.is_closed_inward() {
            let weld = weld_positions(&mesh.triangles, &positions, deadline)?;
            closed_volume(&mesh.triangles, &weld, &positions, deadline)?
        } else {
            None
        };
        measured.push((bounds, volume));
    }
    for index in 0..meshes.len() {
        let (Some(bounds), Some(volume)) = &measured[index] else { continue };
        if *volume > 0.0 {
            // A part of a mesh that is completely inside out, because its hull is the larger part.
            meshes[index].closed = Some(Orientation::Outward);
            continue;
        }
        let is_figure = |other: usize| {
            let volume = measured[other].1;
            other != index
                && volume.is_none_or(|volume| volume > 0.0)
                && !(volume.is_none() && meshes[other].is_closed_inward())
        };
        // Parts of one mesh have the same name.
        let mut figures: BTreeMap<&str, Aabb> = BTreeMap::new();
        for other in (0..meshes.len()).filter(|&other| is_figure(other)) {
            if let Some(inner) = measured[other].0.as_ref().filter(|inner| is_within(inner, bounds))
            {
                figures.entry(name_of_whole(&meshes[other])).or_insert(Aabb::EMPTY).merge(inner);
            }
        }
        if figures.values().any(|figure| fills(figure, bounds)) {
            meshes[index].is_outline_hull = true;
        }
    }
    Ok(())
}

/// The name of a mesh without the number of its part.
fn name_of_whole(mesh: &Mesh) -> &str {
    let is_number = |part: &str| part.bytes().all(|sign| sign.is_ascii_digit());
    match mesh.name.rsplit_once(':') {
        Some((whole, part)) if is_number(part) => whole,
        _ => &mesh.name,
    }
}

/// True if a box is inside another one.
fn is_within(inner: &Aabb, outer: &Aabb) -> bool {
    let slack = Vec3::splat(outer.diagonal() * SLACK);
    inner.min.cmpge(outer.min - slack).all() && inner.max.cmple(outer.max + slack).all()
}

/// True if a box inside another one is nearly as large.
fn fills(inner: &Aabb, outer: &Aabb) -> bool {
    let slack = Vec3::splat(outer.diagonal() * SLACK);
    (inner.max - inner.min + slack).cmpge((outer.max - outer.min) * MIN_FILL).all()
}

/// Positions of the vertices in the pose of the skeleton.
fn positions(mesh: &Mesh, skeleton: &Skeleton) -> Vec<Vec3> {
    let joints = skeleton.joints();
    let place = |vertex: usize| {
        let mut sum = Vec3::ZERO;
        for influence in &mesh.influences[mesh.influences_of(vertex)] {
            let model_from_joint = joints[influence.joint().index()].model_from_joint;
            sum += model_from_joint.transform_point3(influence.position()) * influence.weight();
        }
        sum
    };
    (0..mesh.vertex_count()).map(place).collect()
}
