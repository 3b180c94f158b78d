//! Wavefront OBJ: a posed model as text for other programs.

use std::fmt::Write;
use tintype_model::{Mesh, PosedMesh};

/// Writes meshes with their posed vertices, except those hidden by the weights of their skeleton
/// ([`Mesh::is_shown`]).
///
/// Vertices, texture coordinates and normals are in file order, one of each per vertex of the file;
/// vertices doubled for mirrored texture coordinates are written once. Axes: right-handed, +Y up.
/// Texture coordinates have OBJ's origin, the lower left corner. Numbers are the shortest text that
/// reads back as the same `f32`.
#[must_use]
pub fn encode_obj(meshes: &[Mesh], posed: &[PosedMesh], weights: &[f32]) -> String {
    let mut text = String::new();
    let mut first = 1;
    for (index, (mesh, posed)) in meshes.iter().zip(posed).enumerate() {
        if !mesh.is_shown(weights) {
            continue;
        }
        // Writing to a string cannot fail.
        let _ = write_mesh(&mut text, index, mesh, posed, first);
        first += mesh.file_vertex_count();
    }
    text
}

fn write_mesh(
    text: &mut String,
    index: usize,
    mesh: &Mesh,
    posed: &PosedMesh,
    first: usize,
) -> std::fmt::Result {
    let name = if mesh.name.is_empty() { &mesh.material_name } else { &mesh.name };
    let name: String =
        name.chars().map(|c| if c.is_whitespace() || c.is_control() { '_' } else { c }).collect();
    writeln!(text, "o {index}_{name}")?;
    for vertex in 0..mesh.file_vertex_count() {
        let position = posed.position_at(vertex);
        writeln!(text, "v {} {} {}", position.x, position.y, position.z)?;
    }
    for texcoord in &mesh.texcoords[..mesh.file_vertex_count()] {
        writeln!(text, "vt {} {}", texcoord.x, 1.0 - texcoord.y)?;
    }
    for vertex in 0..mesh.file_vertex_count() {
        let normal = posed.normal_at(vertex);
        writeln!(text, "vn {} {} {}", normal.x, normal.y, normal.z)?;
    }
    for triangle in &mesh.triangles {
        let [a, b, c] = triangle.map(|vertex| first + mesh.file_vertex(vertex) as usize);
        writeln!(text, "f {a}/{a}/{a} {b}/{b}/{b} {c}/{c}/{c}")?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use tintype_base::deadline::Deadline;
    use tintype_model::math::Vec2;
    use tintype_model::{Skeleton, WeightSpaceMesh};

    #[test]
    fn obj_numbers_meshes_through_and_turns_v_over() {
        let mesh = |shader: &str| {
            let weighted = WeightSpaceMesh {
                material_name: shader.into(),
                texcoords: vec![Vec2::new(0.25, 0.25); 3],
                influence_start: vec![0; 4],
                triangles: vec![[0, 1, 2]],
                ..WeightSpaceMesh::default()
            };
            Mesh::new(weighted, &Skeleton::default(), &Deadline::NEVER).expect("no deadline")
        };
        let posed = PosedMesh {
            position: [vec![0.5, 1.0, 2.0], vec![0.0; 3], vec![-1.0; 3]],
            normal: [vec![0.0; 3], vec![1.0; 3], vec![0.0; 3]],
            tangent: [vec![1.0; 3], vec![0.0; 3], vec![0.0; 3]],
        };
        let mut meshes = [mesh("a b"), mesh("hidden"), mesh("c")];
        meshes[1].shown_by = vec![0];
        let posed = [posed.clone(), posed.clone(), posed];
        let text = encode_obj(&meshes, &posed, &[0.0]);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[..3], ["o 0_a_b", "v 0.5 0 -1", "v 1 0 -1"]);
        assert_eq!(lines[4], "vt 0.25 0.75");
        assert_eq!(lines[7], "vn 0 1 0");
        assert_eq!(lines[10], "f 1/1/1 2/2/2 3/3/3");
        assert_eq!(lines[11], "o 2_c");
        assert_eq!(lines[21], "f 4/4/4 5/5/5 6/6/6");
        assert_eq!(lines.len(), 22);
        assert_eq!(encode_obj(&meshes, &posed, &[1.0]).lines().count(), 33);
    }
}
