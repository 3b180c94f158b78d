//! A mirrored `.md5mesh` file becomes a [`Model`].

use super::{LongRotations, Rotation, checked_parent, nearest_vec3, turned};
use crate::LimitExceeded;
use crate::md5::error::{Md5Error, indices};
use crate::md5::file::Document;
use crate::md5::file::mesh::{JointLine, MeshBlock, MeshFile, VertexLine};
use crate::text::SourcePosition;
use crate::text::{decode_text, quoted};
use crate::{LimitName, LoadOptions, Loaded};
use tintype_base::amount::counted_as;
use tintype_base::deadline::{Deadline, Watch};
use tintype_model::math::{Affine3, Vec2, Vec3};
use tintype_model::{
    FileRepair, Joint, JointIndex, Mesh, Model, Skeleton, VertexInfluence, Warning, WeightSpaceMesh,
};

/// Vertices, weights or triangles between two checks of the deadline.
const STEPS: u32 = 1 << 15;
/// Biases that miss the sum of 1 by more than this are worth a warning.
const BIAS_TOLERANCE: f32 = 1.0e-3;
/// Sum of absolute weights of a vertex above which it would be thrown out of every picture.
const MAX_BIAS_SUM: f32 = 1.0e6;

/// Checks a document of a file of `bytes` bytes and turns it into our axes.
pub(in crate::md5) fn build_model(
    document: Document<MeshFile<'_>>,
    bytes: usize,
    options: &LoadOptions,
) -> Result<Loaded<Model>, Md5Error> {
    let Document { content: file, mut warnings } = document;
    let skeleton = build_skeleton(&file, &mut warnings)?;
    check_influences(&file, bytes, options)?;
    let is_lost: Vec<bool> = file.joints.iter().map(|joint| joint.is_lost).collect();
    let mut meshes = Vec::new();
    for (index, block) in file.meshes.into_iter().enumerate() {
        let mut weighted = build_mesh(index, block, &is_lost, &options.deadline, &mut warnings)?;
        weighted.keeps_splits = options.keeps_splits;
        meshes.push(Mesh::new(weighted, &skeleton, &options.deadline)?);
    }
    warnings.sort_by_key(|warning| warning.line);
    Ok(Loaded {
        value: Model {
            skeleton,
            meshes,
            materials: Vec::new(),
            pictures: Vec::new(),
            front: Vec3::X,
            parts: tintype_model::FileParts::default(),
        },
        warnings,
    })
}

fn build_skeleton(file: &MeshFile<'_>, warnings: &mut Vec<Warning>) -> Result<Skeleton, Md5Error> {
    let limit = (Skeleton::MAX_JOINTS, None);
    LimitExceeded::check(file.joints_at, "joints", file.joints.len(), limit)?;
    let names: Vec<String> = file.joints.iter().map(|joint| decode_text(joint.name)).collect();
    let mut long = LongRotations::default();
    let mut joints = Vec::new();
    for (index, line) in file.joints.iter().enumerate() {
        let parent = match checked_parent(line.parent, line.parent_at, index, &names) {
            Ok(parent) => parent,
            Err(Md5Error::Range { position, what, found, expected }) => {
                let message =
                    format!("{what}: found {found}; expected {expected}; the joint has no parent");
                warnings.push(position.fault(FileRepair::Hierarchy, &message));
                None
            }
            Err(error) => return Err(error),
        };
        let name = names.get(index).cloned().unwrap_or_default();
        let model_from_joint = bind_transform(line, &name, &mut long);
        let parent = parent.and_then(|parent| u16::try_from(parent).ok()).map(JointIndex);
        joints.push(Joint { name, parent, model_from_joint });
    }
    warnings.extend(long.warning());
    Skeleton::try_new(joints)
        .map_err(|source| Md5Error::Skeleton { position: file.joints_at, source })
}

fn bind_transform(line: &JointLine<'_>, name: &str, long: &mut LongRotations) -> Affine3 {
    let (rotation, length) = Rotation::restored(line.rotation);
    long.note(length, line.at, || format!("joint {}", quoted(name.as_bytes())));
    Affine3::from_rotation_translation(
        Rotation::OURS_FROM_FILE.after(rotation).nearest_quat().normalize(),
        nearest_vec3(turned(line.position)),
    )
}

/// Checks before expansion that the influences of all vertices, counting common ones each time,
/// stay within the limit.
fn check_influences(
    file: &MeshFile<'_>,
    bytes: usize,
    options: &LoadOptions,
) -> Result<(), Md5Error> {
    let limit = options.limits.max_influences(bytes);
    let mut total: usize = 0;
    let mut passed = None;
    for mesh in &file.meshes {
        for vertex in &mesh.vertices {
            // A run past the weights of its mesh ends with them.
            let most = mesh.weights.len().saturating_sub(vertex.first_weight as usize);
            total = total.saturating_add(most.min(vertex.weight_count as usize));
            if total > limit {
                passed = passed.or(Some(vertex.at));
            }
        }
    }
    let Some(position) = passed else { return Ok(()) };
    let limit = (limit, Some(LimitName::Influences));
    Err(LimitExceeded::new(position, "influences of all vertices", total, limit).into())
}

/// An empty run of weights is valid wherever it starts.
fn run_fits(vertex: &VertexLine, weights: usize) -> bool {
    let end = u64::from(vertex.first_weight) + u64::from(vertex.weight_count);
    vertex.weight_count == 0 || end <= weights as u64
}

/// Faults of one kind in a mesh: their number, and the position and the message of the first.
#[derive(Default)]
struct Lost {
    count: usize,
    first: Option<(SourcePosition, String)>,
}

impl Lost {
    fn note(&mut self, at: SourcePosition, message: impl FnOnce() -> String) {
        self.count += 1;
        self.first.get_or_insert_with(|| (at, message()));
    }

    fn warn(self, fault: FileRepair, cost: &str, warnings: &mut Vec<Warning>) {
        let Some((at, message)) = self.first else { return };
        let times = match self.count {
            1 => String::new(),
            count => format!(" ({count} times; this is the first)"),
        };
        warnings.push(at.fault(fault, &format!("{message}; {cost}{times}")));
    }
}

fn build_mesh(
    index: usize,
    block: MeshBlock<'_>,
    is_lost: &[bool],
    deadline: &Deadline,
    warnings: &mut Vec<Warning>,
) -> Result<WeightSpaceMesh, Md5Error> {
    let mut watch = deadline.watch("handing weights to vertices", STEPS);
    let influences = build_weights(index, &block, is_lost, &mut watch, warnings)?;
    let mut mesh = WeightSpaceMesh {
        name: decode_text(block.name),
        material_name: decode_text(block.shader),
        influence_start: vec![0],
        ..WeightSpaceMesh::default()
    };
    let mut uneven = Uneven::default();
    let (mut short, mut thrown) = (Lost::default(), Lost::default());
    let mut is_vertex_lost: Vec<bool> = Vec::new();
    for (vertex, line) in block.vertices.iter().enumerate() {
        let first = line.first_weight as usize;
        let end = first.saturating_add(line.weight_count as usize).min(influences.len());
        let run = influences.get(first..end).unwrap_or_default();
        watch.take(run.len() + 1)?;
        if !run_fits(line, influences.len()) {
            short.note(line.at, || {
                format!(
                    "vertex {vertex} of mesh {index}: found {} weights from {}; expected a range within the {} weights",
                    line.weight_count,
                    line.first_weight,
                    influences.len()
                )
            });
        }
        let start = mesh.influences.len();
        mesh.influences.extend(run.iter().flatten().cloned());
        let own = mesh.influences.get_mut(start..).unwrap_or_default();
        let sum: f32 = own.iter().map(|influence| influence.weight).sum();
        let size: f32 = own.iter().map(|influence| influence.weight.abs()).sum();
        let is_cut = own.len() < line.weight_count as usize;
        let mut is_nowhere = line.is_lost() || is_cut && (own.is_empty() || sum < BIAS_TOLERANCE);
        if size > MAX_BIAS_SUM {
            thrown.note(line.at, || {
                format!(
                    "vertex {vertex} of mesh {index}: found weights that sum to {size:e}; expected at most {MAX_BIAS_SUM:e}, normally 1"
                )
            });
            is_nowhere = true;
        }
        if is_nowhere {
            mesh.influences.truncate(start);
        } else if is_cut {
            // Without the lost ones the vertex would be pulled to the origin.
            own.iter_mut().for_each(|influence| influence.weight /= sum);
        } else {
            uneven.note(vertex, line.at, run.len(), sum);
        }
        is_vertex_lost.push(is_nowhere);
        mesh.texcoords.push(Vec2::from_array(line.texcoord));
        let (count, limit) = (mesh.influences.len(), (u32::MAX as usize, None));
        mesh.influence_start.push(u32::try_from(count).map_err(|_| {
            LimitExceeded::new(line.at, format!("influences of mesh {index}"), count, limit)
        })?);
    }
    short.warn(FileRepair::BadReference, "the available weights are normalized", warnings);
    thrown.warn(FileRepair::WeightSum, "triangles that use it are skipped", warnings);
    mesh.triangles = build_triangles(index, &block, &is_vertex_lost, &mut watch, warnings)?;
    uneven.warn(index, &block, warnings);
    Ok(mesh)
}

/// The influences of the weights, in order. None for a weight without a joint.
fn build_weights(
    index: usize,
    block: &MeshBlock<'_>,
    is_lost: &[bool],
    watch: &mut Watch,
    warnings: &mut Vec<Warning>,
) -> Result<Vec<Option<VertexInfluence>>, Md5Error> {
    let mut influences = Vec::new();
    let mut lost = Lost::default();
    for (weight, line) in block.weights.iter().enumerate() {
        watch.step()?;
        let is_of_none = is_lost.get(line.joint as usize).is_none_or(|&lost| lost);
        if is_of_none && line.joint < u32::MAX {
            lost.note(line.at, || {
                format!(
                    "weight {weight} of mesh {index}: found joint {}; expected {}",
                    line.joint,
                    indices(is_lost.len(), "joints")
                )
            });
        }
        let joint = u16::try_from(line.joint).ok().filter(|_| !is_of_none);
        influences.push(joint.map(|joint| VertexInfluence {
            joint: JointIndex(joint),
            weight: line.bias,
            position: Vec3::from_array(line.position),
        }));
    }
    lost.warn(
        FileRepair::BadReference,
        "the other weights of its vertices are normalized",
        warnings,
    );
    Ok(influences)
}

fn build_triangles(
    index: usize,
    block: &MeshBlock<'_>,
    is_vertex_lost: &[bool],
    watch: &mut Watch,
    warnings: &mut Vec<Warning>,
) -> Result<Vec<[u32; 3]>, Md5Error> {
    let vertex_count = block.vertices.len();
    let mut triangles = Vec::new();
    let mut lost = Lost::default();
    for (triangle, line) in block.triangles.iter().enumerate() {
        watch.step()?;
        let bad = line.corners.iter().position(|&vertex| vertex as usize >= vertex_count);
        if let Some(corner) = bad {
            let vertex = line.corners.get(corner).copied().unwrap_or_default();
            if vertex < u32::MAX {
                lost.note(line.at, || {
                    format!(
                        "triangle {triangle} of mesh {index}, corner {}: found vertex {vertex}; expected {}",
                        corner + 1,
                        indices(vertex_count, "vertices")
                    )
                });
            }
            continue;
        }
        if line.corners.iter().any(|&vertex| is_vertex_lost.get(vertex as usize) == Some(&true)) {
            continue;
        }
        let [a, b, c] = line.corners;
        triangles.push([a, c, b]);
    }
    lost.warn(FileRepair::BadReference, "the triangle is skipped", warnings);
    Ok(triangles)
}

/// Vertices whose weights do not sum to 1, counted for one warning per mesh.
#[derive(Default)]
struct Uneven {
    count: usize,
    worst_sum: f32,
    worst_vertex: usize,
    worst_at: Option<SourcePosition>,
    unweighted_vertices: usize,
    loose_first: Option<(usize, SourcePosition)>,
}

impl Uneven {
    fn note(&mut self, vertex: usize, at: SourcePosition, weights: usize, sum: f32) {
        if weights == 0 {
            self.unweighted_vertices += 1;
            self.loose_first = self.loose_first.or(Some((vertex, at)));
        } else if (sum - 1.0).abs() > BIAS_TOLERANCE {
            self.count += 1;
            if self.worst_at.is_none() || (sum - 1.0).abs() > (self.worst_sum - 1.0).abs() {
                (self.worst_sum, self.worst_vertex) = (sum, vertex);
                self.worst_at = Some(at);
            }
        }
    }

    fn warn(&self, index: usize, block: &MeshBlock<'_>, warnings: &mut Vec<Warning>) {
        let total = block.vertices.len();
        if let Some((vertex, at)) = self.loose_first {
            let message = format!(
                "mesh {index}: {} without a weight, placed at the origin (first: vertex {vertex})",
                counted_as(self.unweighted_vertices, "vertex", "vertices"),
            );
            warnings.push(FileRepair::NoWeight.at(at.line as usize, message));
        }
        if let Some(at) = self.worst_at {
            let message = format!(
                "mesh {index}: the weights of {} of {total} vertices do not sum to 1 and are kept; the worst sum is {} (vertex {})",
                self.count, self.worst_sum, self.worst_vertex,
            );
            warnings.push(FileRepair::WeightSum.at(at.line as usize, message));
        }
    }
}
