//! Calls the checks of a model in turn.

use super::problem::Problem;
use super::{surface, weights};
use tintype_model::math::{Affine3, Vec3};
use tintype_model::{Mesh, Model};

/// Position of each vertex of a mesh in the bind pose, copies included.
fn bind_positions(mesh: &Mesh, bind: &[Affine3]) -> Vec<Vec3> {
    (0..mesh.vertex_count())
        .map(|vertex| {
            let mut sum = Vec3::ZERO;
            for influence in mesh.influences_of(vertex) {
                let place = bind[mesh.influences[influence].joint().index()]
                    .transform_point3(mesh.influences[influence].position());
                sum += place * mesh.influences[influence].weight();
            }
            sum
        })
        .collect()
}

/// Checks a model; `is_textured` states for each mesh whether it is drawn with a picture, and
/// `in_joint_space` whether its file stores a position for each weight (MD5), which may disagree.
///
/// Problems come in the order of [`Kind::ALL`](super::Kind::ALL), each kind once.
#[must_use]
pub fn check_model(model: &Model, is_textured: &[bool], in_joint_space: bool) -> Vec<Problem> {
    let bind: Vec<Affine3> =
        model.skeleton.joints().iter().map(|joint| joint.model_from_joint).collect();
    let positions: Vec<Vec<Vec3>> =
        model.meshes.iter().map(|mesh| bind_positions(mesh, &bind)).collect();
    let mut problems = weights::check(model, &bind, &positions, in_joint_space);
    problems.extend(surface::check(model, &positions, is_textured));
    problems.sort_by_key(|problem| problem.kind);
    problems
}
