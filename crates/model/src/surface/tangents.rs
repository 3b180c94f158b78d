//! Tangents, and copies of vertices whose faces have both mirrored and unmirrored texture
//! coordinates.

use super::faces::{Faces, STEPS};
use crate::math::{Vec2, Vec3, Vec4, any_perpendicular, unit_or};
use crate::mesh::BindSpaceMesh;
use std::collections::HashMap;
use std::hash::{BuildHasher, Hasher, RandomState};
use tintype_base::deadline::{Deadline, TimedOut};

/// Triangles after vertices with both signs of texture handedness were doubled.
pub(super) struct Split {
    pub(super) triangles: Vec<[u32; 3]>,
    pub(super) source_vertex: Vec<u32>,
    pub(super) bitangent_sign: Vec<f32>,
}

/// The vertices of a mesh before it is split.
pub(super) struct Vertices<'m> {
    pub(super) positions: &'m [Vec3],
    pub(super) normals: &'m [Vec3],
    pub(super) texcoords: &'m [Vec2],
}

/// +1 if, with `u` to the right, `v` grows downwards seen from outside, -1 if mirrored, 0 without
/// an area.
fn handedness(texcoords: [Vec2; 3]) -> f32 {
    let [a, b, c] = texcoords;
    let (along, across) = (b - a, c - a);
    let area = along.x * across.y - along.y * across.x;
    // Counter-clockwise corners with v downwards have a negative area when unmirrored.
    if area < 0.0 {
        1.0
    } else if area > 0.0 {
        -1.0
    } else {
        0.0
    }
}

pub(super) fn split_mirrored(
    texcoords: &[Vec2],
    mut triangles: Vec<[u32; 3]>,
    deadline: &Deadline,
) -> Result<Split, TimedOut> {
    let mut watch = deadline.watch("finding mirrored faces", STEPS);
    let count = texcoords.len();
    let mut sign = vec![0.0_f32; count];
    let mut twin: Vec<Option<u32>> = vec![None; count];
    let mut source_vertex = Vec::new();
    for triangle in &mut triangles {
        watch.step()?;
        let own = handedness(triangle.map(|vertex| texcoords[vertex as usize]));
        if own == 0.0 {
            continue;
        }
        for vertex in triangle {
            let known = sign[*vertex as usize];
            if known == 0.0 {
                sign[*vertex as usize] = own;
            } else if known != own {
                *vertex = *twin[*vertex as usize].get_or_insert_with(|| {
                    source_vertex.push(*vertex);
                    sign.push(own);
                    u32::try_from(sign.len() - 1).expect("at most twice the vertices")
                });
            }
        }
    }
    for sign in &mut sign {
        *sign = if *sign == 0.0 { 1.0 } else { *sign };
    }
    Ok(Split { triangles, source_vertex, bitangent_sign: sign })
}

/// The tangents of the file, normalized, with the signs of their bitangents after all transforms: a
/// cross product does not mirror, so a vertex that `turns` over takes the opposite sign.
pub(super) fn given_tangents(
    bind: &BindSpaceMesh,
    triangles: Vec<[u32; 3]>,
    normals: &[Vec3],
    turns: &[bool],
) -> (Split, Vec<Vec3>) {
    let given = bind.tangents.iter().zip(normals);
    let tangents = given
        .map(|(tangent, &normal)| {
            let normal = unit_or(normal, Vec3::Y);
            unit_or(Vec3::new(tangent.x, tangent.y, tangent.z), any_perpendicular(normal))
        })
        .collect();
    let sign =
        |(tangent, &turn): (&Vec4, &bool)| if (tangent.w < 0.0) == turn { 1.0 } else { -1.0 };
    let bitangent_sign = bind.tangents.iter().zip(turns).map(sign).collect();
    (Split { triangles, source_vertex: Vec::new(), bitangent_sign }, tangents)
}

/// For each vertex, copies included, the first with the same position, normal, texture coordinate
/// and handedness, to the bit.
///
/// Equal vertices have one tangent, as in MikkTSpace, whose sums and weights equal those of
/// [`vertex_tangents`]: a mesh without indices gets the same tangents as one with indices.
///
/// Source: Mikkelsen, "Simulation of Wrinkled Surfaces Revisited", 2008, 3.3.
pub(super) fn equal_vertices(
    split: &Split,
    vertices: &Vertices<'_>,
    deadline: &Deadline,
) -> Result<Vec<u32>, TimedOut> {
    let Vertices { positions, normals, texcoords } = *vertices;
    let mut watch = deadline.watch("joining equal vertices", STEPS);
    let count = split.bitangent_sign.len();
    let mut first: HashMap<[u32; 9], u32, Mixing> =
        HashMap::with_capacity_and_hasher(count, Mixing::new());
    let mut equal = Vec::with_capacity(count);
    for (vertex, &sign) in (0_u32..).zip(&split.bitangent_sign) {
        watch.step()?;
        let source = (vertex as usize)
            .checked_sub(texcoords.len())
            .map_or(vertex, |copy| split.source_vertex[copy]) as usize;
        let (p, n, t) = (positions[source], normals[source], texcoords[source]);
        // The two zeros are one value.
        let key =
            [p.x, p.y, p.z, n.x, n.y, n.z, t.x, t.y, sign].map(|value| (value + 0.0).to_bits());
        equal.push(*first.entry(key).or_insert(vertex));
    }
    Ok(equal)
}

/// Makes hashers of vertices: one product per word. The key differs on every run, so that no file
/// can be crafted whose vertices all have the same hash. The results do not depend on it.
struct Mixing {
    key: [u64; 2],
}

impl Mixing {
    fn new() -> Self {
        let random = RandomState::new();
        Self { key: [0_u8, 1].map(|part| random.hash_one(part) | 1) }
    }
}

impl BuildHasher for Mixing {
    type Hasher = Mixer;

    fn build_hasher(&self) -> Mixer {
        Mixer { state: self.key[0], key: self.key[1] }
    }
}

struct Mixer {
    state: u64,
    key: u64,
}

impl Hasher for Mixer {
    #[expect(clippy::cast_possible_truncation, reason = "the halves of a product")]
    fn write(&mut self, bytes: &[u8]) {
        for part in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..part.len()].copy_from_slice(part);
            let product = u128::from(self.state ^ u64::from_le_bytes(word)) * u128::from(self.key);
            // Both halves of the product, so that each bit depends on all previous ones.
            self.state = (product as u64) ^ ((product >> 64) as u64);
        }
    }

    fn finish(&self) -> u64 {
        self.state
    }
}

/// The unit tangent of every vertex, copies included, perpendicular to its normal; vertices with
/// one `owner` have the same.
pub(super) fn vertex_tangents(
    split: &Split,
    owner: Option<&[u32]>,
    faces: &Faces,
    vertices: &Vertices<'_>,
    deadline: &Deadline,
) -> Result<Vec<Vec3>, TimedOut> {
    let Vertices { positions, normals, texcoords } = *vertices;
    let mut watch = deadline.watch("computing tangents", STEPS);
    let count = texcoords.len();
    let source = |vertex: u32| {
        (vertex as usize).checked_sub(count).map_or(vertex, |copy| split.source_vertex[copy])
            as usize
    };
    let own = |vertex: u32| owner.map_or(vertex, |owner| owner[vertex as usize]) as usize;
    let mut sums = vec![Vec3::ZERO; count + split.source_vertex.len()];
    for (face, triangle) in split.triangles.iter().enumerate() {
        watch.step()?;
        if faces.is_flat(face) {
            continue;
        }
        let [a, b, c] = triangle.map(source);
        let (side_b, side_c) = (positions[b] - positions[a], positions[c] - positions[a]);
        let (step_b, step_c) = (texcoords[b] - texcoords[a], texcoords[c] - texcoords[a]);
        let area = step_b.x * step_c.y - step_b.y * step_c.x;
        // The sign of the area is applied, not its size: only the direction counts.
        let along = (side_b * step_c.y - side_c * step_b.y) * if area < 0.0 { -1.0 } else { 1.0 };
        for (corner, &vertex) in triangle.iter().enumerate() {
            let normal = normals[source(vertex)];
            let flat = along - normal * normal.dot(along);
            let tangent = unit_or(flat, Vec3::ZERO);
            if area != 0.0 {
                sums[own(vertex)] += tangent * faces.angle_rad[face][corner];
            }
        }
    }
    let mut tangents = Vec::with_capacity(sums.len());
    for vertex in (0_u32..).take(sums.len()) {
        watch.step()?;
        let sum = sums[own(vertex)];
        let normal = unit_or(normals[source(vertex)], Vec3::Y);
        let flat = sum - normal * normal.dot(sum);
        // Rounding leaves a remainder where faces cancel; a direction from it would be noise.
        let is_plain = flat.length() > 1e-4;
        tangents.push(if is_plain { unit_or(flat, Vec3::X) } else { any_perpendicular(normal) });
    }
    Ok(tangents)
}
