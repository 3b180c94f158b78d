use super::*;
use crate::math::{Vec2, func, normal_matrix};
use crate::mesh::{BindInfluence, VertexInfluence};
use crate::skeleton::{Joint, JointIndex};

/// A mesh whose vertices are bound to one joint at the origin.
fn rigid(positions: &[Vec3], texcoords: &[Vec2], triangles: &[[u32; 3]]) -> Mesh {
    built(positions, texcoords, triangles, false)
}

fn built(
    positions: &[Vec3],
    texcoords: &[Vec2],
    triangles: &[[u32; 3]],
    keeps_splits: bool,
) -> Mesh {
    let joint = Joint { name: "root".into(), parent: None, model_from_joint: Affine3::IDENTITY };
    let skeleton = Skeleton::try_new(vec![joint]).unwrap();
    let weighted = WeightSpaceMesh {
        texcoords: texcoords.to_vec(),
        influence_start: (0..=positions.len() as u32).collect(),
        influences: positions
            .iter()
            .map(|&position| VertexInfluence { joint: JointIndex(0), weight: 1.0, position })
            .collect(),
        triangles: triangles.to_vec(),
        keeps_splits,
        ..WeightSpaceMesh::default()
    };
    Mesh::new(weighted, &skeleton, &Deadline::NEVER).expect("no deadline")
}

/// Two triangles with the common edge from (0,0,-1) to (0,0,1), the second turned by `turn_rad`
/// from flat, all vertices apart; normals of the first vertex of each.
fn hinge_normals(turn_rad: f32) -> (Vec3, Vec3) {
    split_hinge_normals(turn_rad, false)
}

fn split_hinge_normals(turn_rad: f32, keeps_splits: bool) -> (Vec3, Vec3) {
    let (sin, cos) = (func::sin(turn_rad), func::cos(turn_rad));
    let (low, high) = (Vec3::new(0.0, 0.0, -1.0), Vec3::new(0.0, 0.0, 1.0));
    let right = Vec3::new(cos, -sin, 0.0);
    let positions = [-Vec3::X, high, low, high, right, low];
    let triangles = [[0, 1, 2], [3, 4, 5]];
    let mesh = built(&positions, &[Vec2::ZERO; 6], &triangles, keeps_splits);
    (mesh.influences[1].normal(), mesh.influences[3].normal())
}

#[test]
fn weld_joins_faces_that_meet_under_90_degrees() {
    for degrees in [0.0, 30.0, 60.0, 85.0] {
        let (left, right) = hinge_normals(func::radians(degrees));
        assert_eq!(left, right, "{degrees}");
    }
}

#[test]
fn weld_of_a_mesh_that_keeps_its_splits_leaves_facets_flat() {
    for degrees in [30.0, 60.0, 85.0] {
        let (left, right) = split_hinge_normals(func::radians(degrees), true);
        assert_eq!(left, Vec3::Y, "{degrees}");
        let cosine = func::cos(func::radians(degrees));
        assert!((left.dot(right) - cosine).abs() < 1e-6, "{degrees}: {right}");
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
    assert!(mesh.influences.iter().all(|influence| influence.normal() == Vec3::Y));
    assert!(!mesh.is_closed_outward(), "no volume");
}

#[test]
fn tangents_of_mirrored_texcoords_keep_the_bitangent() {
    // Two quads in the plane z = 0, seen from +Z, v downwards; u grows to both sides from the
    // shared middle.
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
    assert_eq!(mesh.source_vertex, vec![2, 3], "the middle belongs to both signs");
    for (face, triangle) in mesh.triangles.iter().enumerate() {
        let right_half = face >= 2;
        for &vertex in triangle {
            let vertex = vertex as usize;
            let (normal, tangent) = (mesh.influences[vertex].normal(), mesh.tangent[vertex]);
            assert_eq!(normal, Vec3::Z);
            assert_eq!(tangent, if right_half { Vec3::X } else { -Vec3::X });
            let bitangent = normal.cross(tangent) * mesh.bitangent_sign[vertex];
            assert_eq!(bitangent, Vec3::Y, "green is up on both halves");
        }
    }
}

#[test]
fn edges_that_balance_at_every_vertex_do_not_close_a_mesh() {
    let positions = [Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z];
    let volume = |triangles: &[[u32; 3]]| {
        closed_volume(triangles, &[0, 1, 2, 3], &positions, &Deadline::NEVER).expect("no deadline")
    };
    let mut solid = vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];
    assert_eq!(volume(&solid), Some(1.0));
    // Each vertex has as many edges to later vertices as from them, but different ones.
    assert_eq!(volume(&[[0, 1, 2], [0, 3, 1]]), None);
    // A duplicate face.
    solid.push([1, 2, 3]);
    assert_eq!(volume(&solid), None);
    assert_eq!(volume(&[]), None);
}

#[test]
fn closed_outward_needs_volume_and_every_edge() {
    let corners = [Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z];
    let outward = [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];
    let inward = outward.map(|[a, b, c]| [a, c, b]);
    let texcoords = [Vec2::ZERO; 4];
    assert!(rigid(&corners, &texcoords, &outward).is_closed_outward());
    assert!(!rigid(&corners, &texcoords, &inward).is_closed_outward());
    assert!(!rigid(&corners, &texcoords, &outward[..3]).is_closed_outward());
    // Geometry that covers nothing: near, then far away.
    let near = [Vec3::new(0.1, 0.1, 0.0), Vec3::new(0.1, 0.1, 0.1), Vec3::new(0.1, 0.1, 0.3)];
    let (mut positions, mut more) = (corners.to_vec(), outward.to_vec());
    positions.extend(near);
    more.push([4, 5, 6]);
    assert!(rigid(&positions, &[Vec2::ZERO; 7], &more).is_closed_outward());
    let mut more_texcoords = vec![Vec2::ZERO; 7];
    add_far(&mut positions, &mut more_texcoords, &mut more);
    assert!(rigid(&positions, &more_texcoords, &more).is_closed_outward());
    // A sliver closes the gap between one face and two at its edge.
    let middle = [corners[0], corners[1], corners[2], corners[3], Vec3::new(0.5, 0.5, 0.0)];
    let split = [[0, 4, 1], [0, 2, 4], [0, 1, 3], [0, 3, 2], [1, 2, 3], [1, 4, 2]];
    assert!(rigid(&middle, &[Vec2::ZERO; 5], &split).is_closed_outward());
    assert!(!rigid(&middle, &[Vec2::ZERO; 5], &split[..5]).is_closed_outward());
    // The same solid with every corner split, as texture seams do.
    let split: Vec<Vec3> = outward.iter().flatten().map(|&v: &u32| corners[v as usize]).collect();
    let apart: Vec<[u32; 3]> = (0..4).map(|f| [3 * f, 3 * f + 1, 3 * f + 2]).collect();
    assert!(rigid(&split, &[Vec2::ZERO; 12], &apart).is_closed_outward());
}

#[test]
fn sphere_normals_point_outward_across_the_texture_seam() {
    let (rings, segments) = (24_u32, 48_u32);
    let mut positions = Vec::new();
    let mut texcoords = Vec::new();
    for ring in 0..=rings {
        for segment in 0..=segments {
            let (u, v) = (segment as f32 / segments as f32, ring as f32 / rings as f32);
            // The seam's far column is computed from its own angle, so its bits differ from the
            // near column's.
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
    assert!(mesh.is_closed_outward());
    for influence in &mesh.influences {
        let (position, normal) = (influence.position(), influence.normal());
        let angle = func::degrees(func::acos(position.normalize().dot(normal)));
        assert!(angle < 1.0, "{position} {normal} {angle}");
    }
}

#[test]
fn weld_of_very_many_vertices_at_one_place_ends() {
    // 60,000 slivers that meet in one point and face up and down in turn.
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
    assert!(
        mesh.influences.iter().all(|influence| (influence.normal().length() - 1.0).abs() < 1e-5)
    );
}

/// The same open box, with its texture coordinates, for both constructors.
fn bent_sheet() -> (Vec<Vec3>, Vec<Vec2>, Vec<[u32; 3]>) {
    let positions: Vec<Vec3> = (0..12_u32)
        .map(|v| Vec3::new((v % 4) as f32, (v / 4) as f32, ((v % 4) * (v / 4)) as f32 * 0.2))
        .collect();
    let texcoords = positions.iter().map(|p| Vec2::new(p.x * 0.3, -p.y)).collect();
    let mut triangles = Vec::new();
    for (column, row) in [(0, 0), (1, 0), (2, 0), (0, 1), (1, 1), (2, 1)] {
        let at = row * 4 + column;
        triangles.extend([[at, at + 1, at + 5], [at, at + 5, at + 4]]);
    }
    (positions, texcoords, triangles)
}

#[test]
fn bind_space_at_the_identity_is_the_weight_space_of_its_joint() {
    let (positions, texcoords, triangles) = bent_sheet();
    let expected = rigid(&positions, &texcoords, &triangles);
    let skeleton = one_joint(Affine3::IDENTITY);
    let mesh =
        Mesh::from_bind_space(from_bind_space(Affine3::IDENTITY), &skeleton, &Deadline::NEVER)
            .expect("no deadline");
    assert_eq!(mesh.influences, expected.influences);
    assert_eq!(mesh.tangent, expected.tangent);
    assert_eq!(mesh.bitangent_sign, expected.bitangent_sign);
}

/// Adds an unused vertex and a triangle without an area, all far away.
fn add_far(positions: &mut Vec<Vec3>, texcoords: &mut Vec<Vec2>, triangles: &mut Vec<[u32; 3]>) {
    let first = positions.len() as u32;
    positions.extend([1.0e6, 2.0e6, 3.0e6, 4.0e30].map(|far| Vec3::new(far, 0.0, 0.0)));
    texcoords.resize(positions.len(), Vec2::ZERO);
    triangles.push([first, first + 1, first + 2]);
}

#[test]
fn what_covers_nothing_and_lies_far_away_changes_no_normal() {
    let (mut positions, mut texcoords, mut triangles) = bent_sheet();
    let expected = rigid(&positions, &texcoords, &triangles);
    let count = positions.len();
    add_far(&mut positions, &mut texcoords, &mut triangles);
    let mesh = rigid(&positions, &texcoords, &triangles);
    assert_eq!(mesh.influences[..count], expected.influences[..]);
    let mut bind = from_bind_space(Affine3::IDENTITY);
    add_far(&mut bind.positions, &mut bind.texcoords, &mut bind.triangles);
    bind.influence_start = (0..=bind.positions.len() as u32).collect();
    bind.influences.resize(bind.positions.len(), bind.influences[0]);
    let mesh = Mesh::from_bind_space(bind, &one_joint(Affine3::IDENTITY), &Deadline::NEVER)
        .expect("no deadline");
    assert_eq!(mesh.influences[..count], expected.influences[..]);
}

fn one_joint(model_from_joint: Affine3) -> Skeleton {
    let joint = Joint { name: "root".into(), parent: None, model_from_joint };
    Skeleton::try_new(vec![joint]).unwrap()
}

fn from_bind_space(offset: Affine3) -> BindSpaceMesh {
    let (positions, texcoords, triangles) = bent_sheet();
    BindSpaceMesh {
        influence_start: (0..=positions.len() as u32).collect(),
        influences: vec![
            BindInfluence { joint: JointIndex(0), weight: 1.0, offset: 0 };
            positions.len()
        ],
        offsets: vec![offset],
        positions,
        texcoords,
        triangles,
        ..BindSpaceMesh::default()
    }
}

#[test]
fn bind_space_normals_stay_square_under_stretched_and_mirrored_offsets() {
    let stretch = Affine3::from_scale(Vec3::new(3.0, 0.5, 2.0)) * Affine3::from_rotation_x(0.4);
    let mirror = Affine3::from_scale(Vec3::new(1.0, 1.0, -1.0));
    for (offset, rest) in [
        (stretch, Affine3::IDENTITY),
        (stretch * mirror, Affine3::from_rotation_y(1.0)),
        (mirror, stretch),
    ] {
        let mesh =
            Mesh::from_bind_space(from_bind_space(offset), &one_joint(rest), &Deadline::NEVER)
                .expect("no deadline");
        let place = |v: u32| rest.transform_point3(mesh.influences[v as usize].position());
        for triangle in &mesh.triangles {
            let [a, b, c] = triangle.map(place);
            let face = (b - a).cross(c - a).normalize();
            for &vertex in triangle {
                let normal =
                    normal_matrix(rest.matrix3) * mesh.influences[vertex as usize].normal();
                assert!(normal.normalize().dot(face) > 0.7, "{vertex}: {normal} {face}");
                let tangent = rest.matrix3 * mesh.tangent[vertex as usize];
                assert!(normal.normalize().dot(tangent.normalize()).abs() < 1e-5);
            }
        }
    }
}

#[test]
fn bind_space_keeps_given_normals_and_colours_of_copies() {
    let mut bind = from_bind_space(Affine3::IDENTITY);
    bind.normals = vec![Vec3::ZERO; 12];
    bind.normals[3] = Vec3::new(0.0, 0.0, -5.0);
    bind.colors = (0..12).map(|v| crate::math::Vec4::splat(v as f32)).collect();
    // The second half has its texture mirrored, so that the middle row is doubled.
    for v in 8..12 {
        bind.texcoords[v].y = 0.0;
    }
    let mesh = Mesh::from_bind_space(bind, &one_joint(Affine3::IDENTITY), &Deadline::NEVER)
        .expect("no deadline");
    assert_eq!(mesh.influences[3].normal(), Vec3::NEG_Z);
    assert!(!mesh.source_vertex.is_empty() && mesh.colors.len() == mesh.vertex_count());
    for copy in 12..mesh.vertex_count() {
        assert_eq!(mesh.colors[copy].x, mesh.file_vertex(copy as u32) as f32);
    }
}

#[test]
fn part_keeps_order_and_brings_the_originals_of_copies() {
    let mut bind = from_bind_space(Affine3::IDENTITY);
    for v in 8..12 {
        bind.texcoords[v].y = 0.0;
    }
    let whole = Mesh::from_bind_space(bind, &one_joint(Affine3::IDENTITY), &Deadline::NEVER)
        .expect("no deadline");
    let part = whole.part("other", &|triangle| triangle >= 6);
    assert_eq!((part.material_name.as_str(), part.triangles.len()), ("other", 6));
    for (ours, theirs) in part.triangles.iter().zip(&whole.triangles[6..]) {
        for (&ours, &theirs) in ours.iter().zip(theirs) {
            assert_eq!(part.influences[ours as usize], whole.influences[theirs as usize]);
            assert_eq!(part.tangent[ours as usize], whole.tangent[theirs as usize]);
            let (ours, theirs) = (part.file_vertex(ours), whole.file_vertex(theirs));
            assert_eq!(part.texcoords[ours as usize], whole.texcoords[theirs as usize]);
        }
    }
}

#[test]
fn vertices_that_nothing_uses_open_no_closed_mesh() {
    let mut bind = from_bind_space(Affine3::IDENTITY);
    bind.positions = vec![Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z, Vec3::Z];
    bind.texcoords = vec![Vec2::ZERO; 5];
    bind.triangles = vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];
    bind.influence_start = (0..=5).collect();
    bind.influences.truncate(5);
    bind.influences[4].offset = 1;
    bind.offsets.push(Affine3::from_scale(Vec3::new(-1.0, 1.0, 1.0)));
    let built = |bind: &BindSpaceMesh| {
        Mesh::from_bind_space(bind.clone(), &one_joint(Affine3::IDENTITY), &Deadline::NEVER)
            .expect("no deadline")
    };
    assert!(built(&bind).is_closed_outward());
    bind.triangles[3] = [1, 2, 4];
    assert!(!built(&bind).is_closed_outward());
}
