//! Meshes: ranges of the vertex arrays and triangles of the file.

use super::joint::Joints;
use super::table::{Field, File};
use crate::LimitExceeded;
use crate::corner_mesh::linear;
use crate::records::whole;
use crate::{FilePlace, LimitName, LoadOptions, ModelFormatError};
use core::ops::Range;
use tintype_base::amount::counted_as;
use tintype_model::math::{Affine3, Vec2, Vec3};
use tintype_model::{BindInfluence, BindSpaceMesh, FileRepair, JointIndex, Mesh, Warning};

/// Kinds of vertex arrays.
const POSITION: u32 = 0;
const TEXCOORD: u32 = 1;
const NORMAL: u32 = 2;
const BLEND_INDEXES: u32 = 4;
const BLEND_WEIGHTS: u32 = 5;
const COLOR: u32 = 6;

/// The arrays of all vertices of the file; each is empty, or has one entry per vertex.
#[derive(Default)]
struct Arrays {
    positions: Vec<[f32; 4]>,
    texcoords: Vec<[f32; 4]>,
    normals: Vec<[f32; 4]>,
    joints: Vec<[f32; 4]>,
    weights: Vec<[f32; 4]>,
    colors: Vec<[f32; 4]>,
}

/// Reads the meshes.
pub(super) fn read_meshes(
    file: &File,
    joints: &Joints,
    options: &LoadOptions,
    warnings: &mut Vec<Warning>,
) -> Result<Vec<Mesh>, ModelFormatError> {
    const BYTES: usize = 24;
    let (table, offset) = file.table("the meshes", Field::Meshes, BYTES)?;
    let (count, at) = file.count(Field::Meshes);
    let limit = options.limits.max_meshes;
    if count > limit {
        let (what, option) = ("meshes", Some(LimitName::Meshes));
        return Err(LimitExceeded::new(at, what, count, (limit, option)).into());
    }
    let arrays = read_arrays(file)?;
    let (triangles, triangles_at) = file.table("the triangles", Field::Triangles, 12)?;
    // Ranges of meshes may overlap, so the size of the file does not limit their sum.
    let limit = options.limits.max_influences(file.bytes.len());
    let mut left = limit;
    let mut meshes = Vec::new();
    let mut uneven = 0_usize;
    for (index, record) in table.chunks_exact(BYTES).enumerate() {
        options.deadline.check("building meshes")?;
        let at = FilePlace::Byte(offset + index * BYTES);
        let vertices = range(record, 2, arrays.positions.len(), "vertices", at)?;
        let faces = range(record, 4, triangles.len() / 12, "triangles", at)?;
        let needed = vertices.len().saturating_mul(4).saturating_add(faces.len());
        left = left.checked_sub(needed).ok_or_else(|| {
            let found = (limit - left).saturating_add(needed);
            let (what, option) = ("influences of all meshes", Some(LimitName::Influences));
            LimitExceeded::new(at, what, found, (limit, option))
        })?;
        let mut bind = BindSpaceMesh {
            name: file.text(whole(record, 0), at)?,
            material_name: file.text(whole(record, 1), at)?,
            offsets: joints.file_from_joint.iter().map(Affine3::inverse).collect(),
            ..BindSpaceMesh::default()
        };
        for face in faces {
            let corners = triangles.get(face * 12..face * 12 + 12).unwrap_or_default();
            let at = FilePlace::Byte(triangles_at + face * 12);
            let corner = |word| corner(whole(corners, word), &vertices, at);
            // Clockwise in the file.
            bind.triangles.push([corner(0)?, corner(2)?, corner(1)?]);
        }
        arrays.fill(&mut bind, vertices, joints.file_from_joint.len(), at, &mut uneven)?;
        let bind = BindSpaceMesh { keeps_splits: options.keeps_splits, ..bind };
        meshes.push(Mesh::from_bind_space(bind, &joints.skeleton, &options.deadline)?);
    }
    if uneven > 0 {
        let vertices = counted_as(uneven, "vertex has weights", "vertices have weights");
        let message = format!("{vertices} that do not sum to 1 and are normalized");
        warnings.push(FileRepair::WeightSum.told(message));
    }
    Ok(meshes)
}

/// A range of a mesh: a first record and a count, below `most`.
fn range(
    record: &[u8],
    word: usize,
    most: usize,
    what: &str,
    at: FilePlace,
) -> Result<Range<usize>, ModelFormatError> {
    let [first, count] =
        [word, word + 1].map(|word| usize::try_from(whole(record, word)).unwrap_or(usize::MAX));
    let end = first.checked_add(count).filter(|&end| end <= most);
    end.map(|end| first..end).ok_or_else(|| {
        let found = format!("{count} from {first}");
        let expected = format!("a range of the {most} {what} of the file");
        ModelFormatError::value(at, format!("the {what} of a mesh"), found, expected)
    })
}

/// A corner, counted in its mesh.
fn corner(index: u32, vertices: &Range<usize>, at: FilePlace) -> Result<u32, ModelFormatError> {
    let known = usize::try_from(index).ok().filter(|index| vertices.contains(index));
    let own = known.and_then(|index| u32::try_from(index - vertices.start).ok());
    own.ok_or_else(|| {
        let expected =
            format!("{} to below {}, the vertices of its mesh", vertices.start, vertices.end);
        ModelFormatError::value(at, "the corner of a triangle", index, expected)
    })
}

/// Reads the vertex arrays of the file.
fn read_arrays(file: &File) -> Result<Arrays, ModelFormatError> {
    const BYTES: usize = 20;
    let (table, offset) = file.table("the vertex arrays", Field::VertexArrays, BYTES)?;
    let (count, _) = file.count(Field::Vertices);
    let mut arrays = Arrays::default();
    for (index, record) in table.chunks_exact(BYTES).enumerate() {
        let at = FilePlace::Byte(offset + index * BYTES);
        let [kind, format, width, start] = [0, 2, 3, 4].map(|word| whole(record, word));
        let (slot, least) = match kind {
            POSITION => (&mut arrays.positions, 3),
            TEXCOORD => (&mut arrays.texcoords, 2),
            NORMAL => (&mut arrays.normals, 3),
            BLEND_INDEXES => (&mut arrays.joints, 1),
            BLEND_WEIGHTS => (&mut arrays.weights, 1),
            COLOR => (&mut arrays.colors, 3),
            _ => continue,
        };
        if width < least || width > 4 {
            let expected = format!("{least} to 4");
            return Err(ModelFormatError::value(
                at,
                "the width of a vertex array",
                width,
                expected,
            ));
        }
        let is_share = matches!(kind, BLEND_WEIGHTS | COLOR);
        *slot = read_array(file, count, (format, width, start), is_share, at)?;
    }
    Ok(arrays)
}

/// The entries of one array; with `is_share`, integers are fractions of their largest value.
#[expect(clippy::cast_precision_loss, reason = "joints and shares are small")]
fn read_array(
    file: &File,
    count: usize,
    (format, width, start): (u32, u32, u32),
    is_share: bool,
    at: FilePlace,
) -> Result<Vec<[f32; 4]>, ModelFormatError> {
    let (size, most) = match format {
        0 => (1, 127.0),
        1 => (1, 255.0),
        2 => (2, 32767.0),
        3 => (2, 65535.0),
        4 | 5 => (4, 1.0),
        7 => (4, 1.0),
        _ => {
            let expected = "bytes, shorts, integers or floats (0 to 5, and 7)";
            return Err(ModelFormatError::value(
                at,
                "the format of a vertex array",
                format,
                expected,
            ));
        }
    };
    let most = if is_share { most } else { 1.0 };
    let [width, start] = [width, start].map(|word| usize::try_from(word).unwrap_or(usize::MAX));
    let bytes = file.range("a vertex array", start, count, width * size, at)?;
    let number = |bytes: &[u8]| match (format, bytes) {
        (0, &[a]) => f32::from(i8::from_le_bytes([a])),
        (1, &[a]) => f32::from(a),
        (2, &[a, b]) => f32::from(i16::from_le_bytes([a, b])),
        (3, &[a, b]) => f32::from(u16::from_le_bytes([a, b])),
        (4, &[a, b, c, d]) => i32::from_le_bytes([a, b, c, d]) as f32,
        (5, &[a, b, c, d]) => u32::from_le_bytes([a, b, c, d]) as f32,
        (_, &[a, b, c, d]) => f32::from_le_bytes([a, b, c, d]),
        _ => 0.0,
    };
    let mut entries = Vec::with_capacity(count.min(bytes.len()));
    for entry in bytes.chunks_exact((width * size).max(1)) {
        let mut numbers = [0.0, 0.0, 0.0, if is_share { 1.0 } else { 0.0 }];
        for (slot, bytes) in numbers.iter_mut().zip(entry.chunks_exact(size)) {
            *slot = number(bytes) / most;
        }
        if let Some(wrong) = numbers.iter().find(|number| !number.is_finite()) {
            return Err(ModelFormatError::value(at, "a vertex array", wrong, "finite numbers"));
        }
        entries.push(numbers);
    }
    Ok(entries)
}

impl Arrays {
    /// Adds the vertices of a mesh.
    fn fill(
        &self,
        bind: &mut BindSpaceMesh,
        vertices: Range<usize>,
        joints: usize,
        at: FilePlace,
        uneven: &mut usize,
    ) -> Result<(), ModelFormatError> {
        bind.influence_start.push(0);
        for (own, vertex) in (0_u32..).zip(vertices) {
            let get = |array: &[[f32; 4]]| array.get(vertex).copied();
            let [x, y, z, _] = get(&self.positions).unwrap_or_default();
            bind.positions.push(Vec3::new(x, y, z));
            bind.normals.extend(get(&self.normals).map(|[x, y, z, _]| Vec3::new(x, y, z)));
            let [u, v, ..] = get(&self.texcoords).unwrap_or_default();
            bind.texcoords.push(Vec2::new(u, v));
            bind.colors.extend(get(&self.colors).map(linear));
            let slots = get(&self.joints).unwrap_or_default();
            // A file without weights is bound to its first joint.
            let weights = get(&self.weights).unwrap_or([1.0, 0.0, 0.0, 0.0]);
            let sum: f32 = weights.iter().sum();
            if (sum - 1.0).abs() > 1.0e-3 && sum > 0.0 {
                *uneven += 1;
            }
            let before = bind.influences.len();
            for (&slot, &weight) in slots.iter().zip(&weights) {
                let (joint, offset) = joint_of(slot, joints, vertex, at)?;
                if weight != 0.0 && sum > 0.0 {
                    bind.influences.push(BindInfluence { joint, weight: weight / sum, offset });
                }
            }
            if bind.influences.len() == before {
                let (joint, offset) = joint_of(slots[0], joints, vertex, at)?;
                bind.unweighted_vertices.push(own);
                bind.influences.push(BindInfluence { joint, weight: 1.0, offset });
            }
            bind.influence_start.push(u32::try_from(bind.influences.len()).unwrap_or(u32::MAX));
        }
        Ok(())
    }
}

/// The joint of a slot, and the number of its offset.
#[expect(clippy::cast_possible_truncation, reason = "held to the number of joints")]
#[expect(clippy::cast_sign_loss, reason = "held to 0")]
fn joint_of(
    slot: f32,
    joints: usize,
    vertex: usize,
    at: FilePlace,
) -> Result<(JointIndex, u32), ModelFormatError> {
    let known = (0.0..65536.0).contains(&slot).then_some(slot as u32);
    let known = known.filter(|&slot| usize::try_from(slot).is_ok_and(|slot| slot < joints));
    let joint = known.and_then(|slot| Some((JointIndex(u16::try_from(slot).ok()?), slot)));
    joint.ok_or_else(|| {
        let what = format!("the joint of vertex {vertex}");
        ModelFormatError::value(at, what, slot, format!("below {joints}, the joint count"))
    })
}
