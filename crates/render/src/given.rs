//! Parts of an instance at one time given by a program, which replace those of the scene and its
//! files.

use std::sync::Arc;
use tintype_model::math::{Affine3, Vec3, unit_or};
use tintype_model::{Mesh, PosedMesh};

/// Parts of an instance at one time; parts that are not given stay as in the scene.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Given {
    /// The transform to world space, or of an attached instance to the space of its joint.
    pub transform: Option<Affine3>,
    /// Joint space to model space of the first joints of the skeleton.
    pub joints: Vec<Affine3>,
    /// Vertices of the meshes of the model in the order of its file, in model space; or empty.
    pub vertices: Arc<[Vec3]>,
}

/// Replaces the vertices of a model's posed meshes; normals are averages of the adjacent triangles,
/// weighted by area.
pub(super) fn place_vertices(
    meshes: &[Mesh],
    vertices: &[Vec3],
    world_from_model: &Affine3,
    posed: &mut [PosedMesh],
) {
    let turned = if world_from_model.matrix3.determinant() < 0.0 { -1.0 } else { 1.0 };
    let mut rest = vertices;
    for (mesh, posed) in meshes.iter().zip(posed) {
        let (own, others) = rest.split_at(mesh.file_vertex_count());
        rest = others;
        if posed.is_empty() {
            continue;
        }
        let places: Vec<Vec3> =
            own.iter().map(|&vertex| world_from_model.transform_point3(vertex)).collect();
        let mut normals = vec![Vec3::ZERO; own.len()];
        for corners in &mesh.triangles {
            let corners = corners.map(|corner| mesh.file_vertex(corner) as usize);
            let [a, b, c] = corners.map(|corner| places[corner]);
            let normal = (b - a).cross(c - a) * turned;
            corners.into_iter().for_each(|corner| normals[corner] += normal);
        }
        for index in 0..posed.len() {
            let vertex = mesh.file_vertex(u32::try_from(index).expect("fewer than 2^32")) as usize;
            let normal = unit_or(normals[vertex], posed.normal_at(index));
            for axis in 0..3 {
                posed.position[axis][index] = places[vertex][axis];
                posed.normal[axis][index] = normal[axis];
            }
        }
    }
}
