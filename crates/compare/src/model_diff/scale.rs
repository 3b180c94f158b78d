//! One factor for all: a model in another unit, or on a root that is scaled.

use super::structure::Pairs;
use tintype_model::math::{Aabb, Vec3};
use tintype_model::{Model, Pose, PosedMesh};

/// Tolerance of the position of a joint or vertex, as a fraction of the diagonal.
const ROUNDING: f32 = 1e-5;

/// The factor of the boxes of two models, if it exceeds rounding.
pub(super) fn factor(bound: [&[PosedMesh]; 2]) -> Option<f32> {
    let [before, now] = bound.map(|meshes| {
        let mut bounds = Aabb::EMPTY;
        meshes.iter().for_each(|posed| bounds.merge(&posed.bounds()));
        bounds.diagonal()
    });
    let factor = now / before;
    (factor.is_finite() && factor > 0.0 && (factor - 1.0).abs() > 1e-3).then_some(factor)
}

/// True if all joints and vertices of a pose are scaled from the origin by that factor.
pub(super) fn is_scaled(
    models: [&Model; 2],
    poses: &[Pose; 2],
    posed: [&[PosedMesh]; 2],
    pairs: &Pairs,
    (factor, diagonal): (f32, f32),
) -> bool {
    let is_near = |a: Vec3, b: Vec3| (b / factor - a).length() <= ROUNDING * diagonal;
    let are_joints = pairs.joints.iter().zip(&poses[0].matrices).all(|(partner, before)| {
        let now = partner.and_then(|partner| poses[1].matrices.get(partner));
        now.is_some_and(|now| is_near(before.translation, now.translation))
    });
    are_joints
        && pairs.meshes.len() == models[0].meshes.len()
        && pairs.meshes.iter().enumerate().all(|(pair, &(mesh, other))| {
            let [before, now] = [&posed[0][mesh], &posed[1][other]];
            let is_at = |(vertex, partner): (usize, &Option<usize>)| {
                partner.is_some_and(|partner| {
                    is_near(before.position_at(vertex), now.position_at(partner))
                })
            };
            let vertices = pairs.vertices(pair, models);
            vertices.is_some_and(|vertices| vertices.iter().enumerate().all(is_at))
        })
}
