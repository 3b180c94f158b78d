//! Locations in a model as words: a mesh, a vertex, a triangle.

use tintype_model::Model;

/// `mesh 0 "body"`
pub(super) fn mesh_text(model: &Model, index: usize) -> String {
    match model.meshes.get(index).map(|mesh| mesh.name.as_str()) {
        Some("") | None => format!("mesh {index}"),
        Some(name) => format!("mesh {index} {name:?}"),
    }
}

/// `vertex 3 of mesh 0 "body", on spine and neck`
pub(super) fn vertex_text(model: &Model, index: usize, vertex: u32) -> String {
    let place = format!("vertex {vertex} of {}", mesh_text(model, index));
    let Some(mesh) = model.meshes.get(index) else { return place };
    let influences = mesh.influences.get(mesh.influences_of(vertex as usize)).unwrap_or_default();
    let mut names: Vec<&str> = Vec::new();
    for influence in influences {
        let name =
            model.skeleton.joints().get(influence.joint().index()).map_or("", |joint| &joint.name);
        if !name.is_empty() && !names.contains(&name) {
            names.push(name);
        }
    }
    match names.len() {
        0 => place,
        1..=4 => format!("{place}, on {}", names.join(", ")),
        more => format!("{place}, on {} and {} more joints", names[..3].join(", "), more - 3),
    }
}

/// `triangle 5 of mesh 0 "body" (vertices 1, 2 and 3)`
pub(super) fn triangle_text(model: &Model, index: usize, triangle: usize) -> String {
    let place = format!("triangle {triangle} of {}", mesh_text(model, index));
    let Some(mesh) = model.meshes.get(index) else { return place };
    match mesh.triangles.get(triangle).map(|corners| corners.map(|vertex| mesh.file_vertex(vertex)))
    {
        Some([a, b, c]) => format!("{place} (vertices {a}, {b} and {c})"),
        None => place,
    }
}
