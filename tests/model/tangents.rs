//! Tangents that are made from texture coordinates, against MikkTSpace, the rule of glTF: every
//! corner of every shared glTF model.

use crate::support::{trial, with_models};
use bevy_mikktspace::{Geometry, StdOps, TangentSpace, generate_tangents};
use libtest_mimic::Failed;
use serde_json::Value;
use std::path::Path;
use tintype_formats::LoadOptions;
use tintype_formats::gltf::parse_model;
use tintype_model::math::{Vec2, Vec3};
use tintype_model::{Mesh, Skeleton};

/// Cosine of the angle from which two tangents differ: 3 degrees.
const SAME_COSINE: f32 = 0.9986;
/// Fraction of the corners of all files whose tangents may differ. They lie where faces of one
/// vertex have no common edge, or hardly any texture area: MikkTSpace splits them, and this program
/// joins them.
const MAX_OTHER: f64 = 0.02;

/// Corners of a mesh with both kinds of tangents.
struct Corners<'m> {
    mesh: &'m Mesh,
    positions: &'m [Vec3],
    normals: &'m [Vec3],
    theirs: Vec<[[f32; 4]; 3]>,
}

impl Corners<'_> {
    fn vertex(&self, face: usize, corner: usize) -> usize {
        let vertex = self.mesh.triangles[face][corner];
        self.mesh.file_vertex(vertex) as usize
    }
}

impl Geometry<StdOps> for Corners<'_> {
    fn num_faces(&self) -> usize {
        self.mesh.triangles.len()
    }

    fn num_vertices_of_face(&self, _: usize) -> usize {
        3
    }

    fn position(&self, face: usize, corner: usize) -> [f32; 3] {
        self.positions[self.vertex(face, corner)].to_array()
    }

    fn normal(&self, face: usize, corner: usize) -> [f32; 3] {
        self.normals[self.vertex(face, corner)].normalize_or_zero().to_array()
    }

    fn tex_coord(&self, face: usize, corner: usize) -> [f32; 2] {
        let Vec2 { x, y } = self.mesh.texcoords[self.vertex(face, corner)];
        [x, 1.0 - y]
    }

    fn set_tangent(&mut self, space: Option<TangentSpace>, face: usize, corner: usize) {
        self.theirs[face][corner] = space.unwrap_or_default().tangent_encoded();
    }
}

/// The document of a file without its tangents, and its binary chunk.
fn without_tangents(bytes: &[u8]) -> Option<Vec<u8>> {
    let (text, rest) = match bytes.strip_prefix(b"glTF") {
        None => (bytes, &[][..]),
        Some(_) => {
            let length = u32::from_le_bytes(*bytes.get(12..)?.first_chunk()?) as usize;
            (bytes.get(20..20 + length)?, bytes.get(20 + length..)?)
        }
    };
    let mut document: Value = serde_json::from_slice(text).ok()?;
    for mesh in document["meshes"].as_array_mut()? {
        for primitive in mesh["primitives"].as_array_mut()? {
            if let Some(attributes) = primitive["attributes"].as_object_mut() {
                attributes.remove("TANGENT");
            }
            if let Some(primitive) = primitive.as_object_mut() {
                primitive.remove("targets");
            }
        }
    }
    document["animations"] = Value::Array(Vec::new());
    let mut text = document.to_string().into_bytes();
    if !bytes.starts_with(b"glTF") {
        return Some(text);
    }
    text.resize(text.len().next_multiple_of(4), b' ');
    let length = u32::try_from(20 + text.len() + rest.len()).ok()?;
    let mut file = b"glTF\x02\0\0\0".to_vec();
    file.extend(length.to_le_bytes());
    file.extend(u32::try_from(text.len()).ok()?.to_le_bytes());
    file.extend(b"JSON");
    file.extend(text);
    file.extend(rest);
    Some(file)
}

/// Numbers of corners, and of those whose tangent or sign differs.
fn compare(mesh: &Mesh, skeleton: &Skeleton) -> Option<[usize; 3]> {
    let source = mesh.source.as_deref()?;
    let count = source.positions.len();
    // Vertices without normals have copies here, and corners without texture coordinates have no
    // tangent.
    let has_texture = mesh.texcoords.windows(2).any(|pair| pair[0] != pair[1]);
    if source.normals.len() != count || count != mesh.file_vertex_count() || !has_texture {
        return None;
    }
    // After mirroring, signs and winding are those of the mirrored surface.
    let is_mirrored = source.offsets.iter().any(|(joint, offset)| {
        let rest = skeleton.joints()[joint.index()].model_from_joint.matrix3;
        (rest * offset.matrix3).determinant() <= 0.0
    });
    if is_mirrored {
        return None;
    }
    let mut corners = Corners {
        mesh,
        positions: &source.positions,
        normals: &source.normals,
        theirs: vec![[[0.0; 4]; 3]; mesh.triangles.len()],
    };
    generate_tangents(&mut corners).ok()?;
    let [mut all, mut other, mut turned] = [0; 3];
    for (face, triangle) in mesh.triangles.iter().enumerate() {
        let at = [0, 1, 2].map(|corner| mesh.texcoords[corners.vertex(face, corner)]);
        let place = [0, 1, 2].map(|corner| corners.positions[corners.vertex(face, corner)]);
        let area = (at[1] - at[0]).perp_dot(at[2] - at[0]).abs();
        let size = (place[1] - place[0]).cross(place[2] - place[0]).length();
        if area <= 1e-9 || size <= 1e-12 {
            continue;
        }
        for (corner, &vertex) in triangle.iter().enumerate() {
            let influence = mesh.influences_of(vertex as usize).start;
            let joint = mesh.influences.get(influence)?.joint();
            let (_, offset) = source.offsets.iter().find(|(own, _)| *own == joint)?;
            let normal = Vec3::from_array(corners.normal(face, corner));
            let flat = |along: Vec3| (along - normal * normal.dot(along)).normalize_or_zero();
            let ours = flat(offset.matrix3.inverse() * mesh.tangent[influence]);
            let [x, y, z, sign] = corners.theirs[face][corner];
            let is_same = ours.dot(flat(Vec3::new(x, y, z))) >= SAME_COSINE;
            (all, other) = (all + 1, other + usize::from(!is_same));
            turned += usize::from(sign != mesh.bitangent_sign[vertex as usize]);
        }
    }
    Some([all, other, turned])
}

fn agrees_with_mikktspace(folder: &Path) -> Result<(), Failed> {
    let (mut sum, mut worst) = ([0; 3], Vec::new());
    for path in crate::support::files(folder, &["gltf", "glb"])? {
        let name = path.strip_prefix(folder).unwrap_or(&path).display().to_string();
        let bytes = std::fs::read(&path)?;
        if name.contains("invalid/") || name.contains("validator") || bytes.len() > 8 << 20 {
            continue;
        }
        let Some(bytes) = without_tangents(&bytes) else { continue };
        let beside = path.parent().unwrap_or(Path::new(""));
        let fetch =
            |name: &str| std::fs::read(beside.join(name)).map_err(|error| error.to_string());
        let Ok(loaded) = parse_model(&bytes, &fetch, &LoadOptions::default()) else { continue };
        let mut own = [0; 3];
        let model = loaded.value.model;
        let found = model.meshes.iter().filter_map(|mesh| compare(mesh, &model.skeleton));
        for found in found {
            own = [own[0] + found[0], own[1] + found[1], own[2] + found[2]];
        }
        if own[1] + own[2] > 0 {
            worst.push((own[1] + own[2], format!("{name}: {own:?}")));
        }
        sum = [sum[0] + own[0], sum[1] + own[1], sum[2] + own[2]];
    }
    worst.sort();
    let [all, other, turned] = sum;
    let listed: Vec<&str> = worst.iter().rev().take(20).map(|(_, text)| text.as_str()).collect();
    let told = format!(
        "of {all} corners {other} have another tangent and {turned} another sign:\n{}",
        listed.join("\n")
    );
    #[expect(clippy::cast_precision_loss, reason = "counts below 2^53")]
    if all < 100_000 || (other + turned) as f64 > all as f64 * MAX_OTHER {
        return Err(told.into());
    }
    Ok(())
}

#[trial(with_models)]
fn gltf_tangents_agree_with_mikktspace(models: &Path) -> Result<(), Failed> {
    agrees_with_mikktspace(&models.join("gltf"))
}
