use super::*;
use crate::model::mesh::VertexInfluence;
use crate::model::skeleton::{Joint, JointIndex};

/// A mesh of vertices that one joint at the origin holds.
fn rigid(positions: &[Vec3], texcoords: &[Vec2], triangles: &[[u32; 3]]) -> Mesh {
    let joint = Joint { name: "root".into(), parent: None, model_from_joint: Affine3::IDENTITY };
    let skeleton = Skeleton::try_new(vec![joint]).unwrap();
    let weighted = WeightedMesh {
        texcoords: texcoords.to_vec(),
        influence_start: (0..=positions.len() as u32).collect(),
        influences: positions
            .iter()
            .map(|&position| VertexInfluence { joint: JointIndex(0), bias: 1.0, position })
            .collect(),
        triangles: triangles.to_vec(),
        ..WeightedMesh::default()
    };
    Mesh::new(weighted, &skeleton)
}

/// Two triangles that share the edge from (0,0,-1) to (0,0,1), the second turned by `turn_rad` from flat, all vertices
/// apart; normals of the first vertex of each.
fn hinge_normals(turn_rad: f32) -> (Vec3, Vec3) {
    let (sin, cos) = (func::sin(turn_rad), func::cos(turn_rad));
    let (low, high) = (Vec3::new(0.0, 0.0, -1.0), Vec3::new(0.0, 0.0, 1.0));
    let right = Vec3::new(cos, -sin, 0.0);
    let positions = [-Vec3::X, high, low, high, right, low];
    let mesh = rigid(&positions, &[Vec2::ZERO; 6], &[[0, 1, 2], [3, 4, 5]]);
    (mesh.normal[1], mesh.normal[3])
}

#[test]
fn weld_joins_faces_that_meet_under_90_degrees() {
    for degrees in [0.0, 30.0, 60.0, 85.0] {
        let (left, right) = hinge_normals(func::radians(degrees));
        assert_eq!(left, right, "{degrees}");
    }
}

#[test]
fn weld_keeps_box_edges_and_cloth_sides_apart() {
    for degrees in [90.0, 120.0, 180.0] {
        let (left, right) = hinge_normals(func::radians(degrees));
        assert!(left.dot(Vec3::Y) > 0.999, "{degrees}: {left}");
        assert!(left.dot(right) < 0.02, "{degrees}: {left} {right}");
    }
}

#[test]
fn weld_a_cloth_whose_sides_share_vertices_keeps_a_normal() {
    let positions = [Vec3::ZERO, Vec3::Z, Vec3::X];
    let mesh = rigid(&positions, &[Vec2::ZERO; 3], &[[0, 1, 2], [0, 2, 1]]);
    assert_eq!(mesh.normal, vec![Vec3::Y; 3]);
    assert!(!mesh.closed_outward, "no volume");
}

#[test]
fn tangents_of_mirrored_texcoords_keep_the_bitangent() {
    // Two quads in the plane z = 0, seen from +Z, v downwards; u grows to both sides from the shared middle.
    let positions = [
        Vec3::new(-1.0, 0.0, 0.0),
        Vec3::new(-1.0, 1.0, 0.0),
        Vec3::new(0.0, 0.0, 0.0),
        Vec3::new(0.0, 1.0, 0.0),
        Vec3::new(1.0, 0.0, 0.0),
        Vec3::new(1.0, 1.0, 0.0),
    ];
    let texcoords = positions.map(|p| Vec2::new(p.x.abs(), 1.0 - p.y));
    let triangles = [[0, 2, 1], [1, 2, 3], [2, 4, 3], [3, 4, 5]];
    let mesh = rigid(&positions, &texcoords, &triangles);

    assert_eq!(mesh.file_vertex_count(), 6);
    assert_eq!(mesh.copied_from, vec![2, 3], "the middle belongs to both signs");
    for (face, triangle) in mesh.triangles.iter().enumerate() {
        let right_half = face >= 2;
        for &vertex in triangle {
            let vertex = vertex as usize;
            let (normal, tangent) = (mesh.normal[vertex], mesh.tangent[vertex]);
            assert_eq!(normal, Vec3::Z);
            assert_eq!(tangent, if right_half { Vec3::X } else { -Vec3::X });
            let bitangent = normal.cross(tangent) * mesh.bitangent_sign[vertex];
            assert_eq!(bitangent, Vec3::Y, "green is up on both halves");
        }
    }
}

#[test]
fn closed_outward_needs_volume_and_every_edge() {
    let corners = [Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z];
    let outward = [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];
    let inward = outward.map(|[a, b, c]| [a, c, b]);
    let texcoords = [Vec2::ZERO; 4];
    assert!(rigid(&corners, &texcoords, &outward).closed_outward);
    assert!(!rigid(&corners, &texcoords, &inward).closed_outward);
    assert!(!rigid(&corners, &texcoords, &outward[..3]).closed_outward);
    // The same solid with every corner split, as texture seams do.
    let split: Vec<Vec3> = outward.iter().flatten().map(|&v: &u32| corners[v as usize]).collect();
    let apart: Vec<[u32; 3]> = (0..4).map(|f| [3 * f, 3 * f + 1, 3 * f + 2]).collect();
    assert!(rigid(&split, &[Vec2::ZERO; 12], &apart).closed_outward);
}

#[test]
fn sphere_normals_point_outward_across_the_texture_seam() {
    let (rings, segments) = (24_u32, 48_u32);
    let mut positions = Vec::new();
    let mut texcoords = Vec::new();
    for ring in 0..=rings {
        for segment in 0..=segments {
            let (u, v) = (segment as f32 / segments as f32, ring as f32 / rings as f32);
            // The seam's far column is computed from its own angle, so its bits differ from the near column's.
            let (around, down) = (u * core::f32::consts::TAU, v * core::f32::consts::PI);
            positions.push(Vec3::new(
                func::sin(down) * func::cos(around),
                func::cos(down),
                -func::sin(down) * func::sin(around),
            ));
            texcoords.push(Vec2::new(u, v));
        }
    }
    let mut triangles = Vec::new();
    for ring in 0..rings {
        for segment in 0..segments {
            let a = ring * (segments + 1) + segment;
            let (b, c, d) = (a + 1, a + segments + 1, a + segments + 2);
            triangles.extend([[a, c, b], [b, c, d]]);
        }
    }
    let mesh = rigid(&positions, &texcoords, &triangles);
    assert!(mesh.closed_outward);
    for (position, normal) in mesh.position.iter().zip(&mesh.normal) {
        let angle = func::degrees(func::acos(position.normalize().dot(*normal)));
        assert!(angle < 1.0, "{position} {normal} {angle}");
    }
}

#[test]
fn weld_of_very_many_vertices_at_one_place_ends() {
    // 60,000 slivers that meet in one point and look up and down in turn.
    let count = 60_000_u32;
    let mut positions = Vec::new();
    for face in 0..count {
        let turn = face as f32 * 1e-3;
        let (a, b) = (Vec3::new(func::cos(turn), 0.0, func::sin(turn)), Vec3::new(0.3, 0.1, 0.7));
        let (b, c) = if face % 2 == 0 { (a + b, a) } else { (a, a + b) };
        positions.extend([Vec3::ZERO, b, c]);
    }
    let triangles: Vec<[u32; 3]> = (0..count).map(|f| [3 * f, 3 * f + 1, 3 * f + 2]).collect();
    let mesh = rigid(&positions, &vec![Vec2::ZERO; positions.len()], &triangles);
    assert!(mesh.normal.iter().all(|normal| (normal.length() - 1.0).abs() < 1e-5));
}
