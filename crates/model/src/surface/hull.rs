//! Outline hulls: closed meshes around another mesh whose faces look inwards, so that only their far side is seen: the dark outline
//! of drawn figures. Their back faces are culled, as Direct3D does for all meshes; drawn from both sides, a hull hides its figure.
//!
//! Input: the meshes of a model and its skeleton. Output: [`Mesh::is_outline_hull`], and the sides of meshes that are parts of one
//! that is closed as a whole.
//!
//! # Rule
//! A mesh is a hull if it is closed, encloses a negative volume, and its box holds the box of another mesh that is not inside out and
//! is at least [`MIN_FILL`] as long along each axis. So a room or a sky, which is far larger than its contents, is none. Boxes are
//! those of the triangles with an area; a mesh without any is in no hull.

use super::faces::closed_volume;
use super::weld::weld_positions;
use crate::math::area::drawn_bounds;
use crate::math::{Aabb, Vec3};
use crate::mesh::{Mesh, Orientation};
use crate::skeleton::Skeleton;
use tintype_base::deadline::{Deadline, TimedOut};

/// Least length of the mesh inside, as a share of that of the hull, along each axis.
const MIN_FILL: f32 = 0.7;
/// Length by which the mesh inside may stand out, as a share of the diagonal of the hull.
const SLACK: f32 = 0.01;

/// Marks the outline hulls of a model.
///
/// # Errors
/// [`TimedOut`] if `deadline` is over before all meshes are measured.
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
            // A part of a mesh that is inside out as a whole, because its hull is the larger part.
            meshes[index].closed = Some(Orientation::Outward);
            continue;
        }
        let is_inside = |other: usize| {
            let (inner, volume) = &measured[other];
            other != index
                && volume.is_none_or(|volume| volume > 0.0)
                && !(volume.is_none() && meshes[other].is_closed_inward())
                && inner.as_ref().is_some_and(|inner| fills(inner, bounds))
        };
        if (0..meshes.len()).any(is_inside) {
            meshes[index].is_outline_hull = true;
        }
    }
    Ok(())
}

/// Whether a box is within another one and nearly as large.
fn fills(inner: &Aabb, outer: &Aabb) -> bool {
    let slack = outer.diagonal() * SLACK;
    (0..3).all(|axis| {
        let (low, high) = (outer.min[axis], outer.max[axis]);
        let length = inner.max[axis] - inner.min[axis];
        inner.min[axis] >= low - slack
            && inner.max[axis] <= high + slack
            && length + slack >= (high - low) * MIN_FILL
    })
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
