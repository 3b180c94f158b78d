//! A mirrored `.md5mesh` file becomes a [`Model`].

use super::{LongRotations, Rotation, checked_parent, nearest_vec3, turned};
use crate::md5::error::{Md5Error, indices};
use crate::md5::file::Document;
use crate::md5::file::mesh::{JointLine, MeshBlock, MeshFile, VertexLine};
use crate::text::SourcePosition;
use crate::text::{decode_text, quoted};
use crate::{LimitName, LoadOptions, Loaded};
use tintype_model::deadline::{Deadline, Watch};
use tintype_model::diagnostic::counted_as;
use tintype_model::math::{Affine3, Vec2, Vec3};
use tintype_model::{
    Joint, JointIndex, Mesh, Model, Skeleton, VertexInfluence, Warning, WeightedMesh,
};

/// Vertices, weights or triangles between two checks of the deadline.
const STEPS: u32 = 1 << 15;
/// Biases that miss the sum of 1 by more than this are worth a warning.
const BIAS_TOLERANCE: f32 = 1.0e-3;
/// Biases of one vertex whose sizes sum to more than this would throw it out of every picture.
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
    let mut meshes = Vec::new();
    for (index, block) in file.meshes.into_iter().enumerate() {
        let weighted = build_mesh(index, block, skeleton.len(), &options.deadline, &mut warnings)?;
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
    if file.joints.len() > Skeleton::MAX_JOINTS {
        return Err(Md5Error::Limit {
            position: file.joints_at,
            what: "joints".into(),
            found: file.joints.len(),
            limit: Skeleton::MAX_JOINTS,
            option: None,
        });
    }
    let names: Vec<String> = file.joints.iter().map(|joint| decode_text(joint.name)).collect();
    let mut long = LongRotations::default();
    let mut joints = Vec::new();
    for (index, line) in file.joints.iter().enumerate() {
        let parent = checked_parent(line.parent, line.parent_at, index, &names)?;
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

/// Checks that the influences of all vertices, shared ones counted each time, stay within the limit: before they are expanded.
fn check_influences(
    file: &MeshFile<'_>,
    bytes: usize,
    options: &LoadOptions,
) -> Result<(), Md5Error> {
    let limit = options.limits.max_influences(bytes);
    let mut total: usize = 0;
    let mut passed: Option<SourcePosition> = None;
    for vertex in file.meshes.iter().flat_map(|mesh| &mesh.vertices) {
        total = total.saturating_add(vertex.weight_count as usize);
        if total > limit {
            passed = passed.or(Some(vertex.at));
        }
    }
    match passed {
        // A run past the weights of its mesh is the nearer mistake, and is named when that vertex is built.
        Some(at) if file.meshes.iter().all(runs_fit) => Err(Md5Error::Limit {
            position: at,
            what: "influences of all vertices".into(),
            found: total,
            limit,
            option: Some(LimitName::Influences),
        }),
        _ => Ok(()),
    }
}

fn runs_fit(mesh: &MeshBlock<'_>) -> bool {
    mesh.vertices.iter().all(|vertex| run_fits(vertex, mesh.weights.len()))
}

/// A run of no weights takes none, wherever it is said to start.
fn run_fits(vertex: &VertexLine, weights: usize) -> bool {
    let end = u64::from(vertex.first_weight) + u64::from(vertex.weight_count);
    vertex.weight_count == 0 || end <= weights as u64
}

fn build_mesh(
    index: usize,
    block: MeshBlock<'_>,
    joint_count: usize,
    deadline: &Deadline,
    warnings: &mut Vec<Warning>,
) -> Result<WeightedMesh, Md5Error> {
    let mut watch = deadline.watch("handing weights to vertices", STEPS);
    let influences = build_weights(index, &block, joint_count, &mut watch)?;
    let mut mesh = WeightedMesh {
        name: decode_text(block.name),
        shader: decode_text(block.shader),
        influence_start: vec![0],
        ..WeightedMesh::default()
    };
    if !runs_fit(&block) {
        return Err(run_error(index, &block));
    }
    let mut uneven = Uneven::default();
    for (vertex, line) in block.vertices.iter().enumerate() {
        watch.take(line.weight_count as usize + 1)?;
        let first = line.first_weight as usize;
        let run = influences.get(first..first + line.weight_count as usize).unwrap_or_default();
        let (mut sum, mut size) = (0.0_f32, 0.0_f32);
        for influence in run {
            sum += influence.bias;
            size += influence.bias.abs();
        }
        if size > MAX_BIAS_SUM {
            return Err(Md5Error::Range {
                position: line.at,
                what: format!("vertex {vertex} of mesh {index}"),
                found: format!("biases that add up to {size:e}"),
                expected: format!("at most {MAX_BIAS_SUM:e}, normally 1"),
            });
        }
        uneven.note(vertex, line.at, run.len(), sum);
        mesh.texcoords.push(Vec2::from_array(line.texcoord));
        mesh.influences.extend_from_slice(run);
        mesh.influence_start.push(u32::try_from(mesh.influences.len()).map_err(|_| {
            Md5Error::Limit {
                position: line.at,
                what: format!("influences of mesh {index}"),
                found: mesh.influences.len(),
                limit: u32::MAX as usize,
                option: None,
            }
        })?);
    }
    mesh.triangles = build_triangles(index, &block, &mut watch)?;
    uneven.warn(index, &block, warnings);
    Ok(mesh)
}

fn build_weights(
    index: usize,
    block: &MeshBlock<'_>,
    joint_count: usize,
    watch: &mut Watch,
) -> Result<Vec<VertexInfluence>, Md5Error> {
    let mut influences = Vec::new();
    for (weight, line) in block.weights.iter().enumerate() {
        watch.step()?;
        let joint = u16::try_from(line.joint)
            .ok()
            .filter(|joint| usize::from(*joint) < joint_count)
            .ok_or_else(|| Md5Error::Range {
                position: line.at,
                what: format!("weight {weight} of mesh {index}"),
                found: format!("joint {}", line.joint),
                expected: indices(joint_count, "joints"),
            })?;
        influences.push(VertexInfluence {
            joint: JointIndex(joint),
            bias: line.bias,
            position: Vec3::from_array(line.position),
        });
    }
    Ok(influences)
}

fn run_error(index: usize, block: &MeshBlock<'_>) -> Md5Error {
    let weights = block.weights.len();
    let bad = block.vertices.iter().zip(0_usize..).find(|(line, _)| !run_fits(line, weights));
    let (at, what, found) = bad.map_or_else(
        || (block.at, format!("mesh {index}"), "a run".into()),
        |(line, vertex)| {
            let found = format!("{} weights from {}", line.weight_count, line.first_weight);
            (line.at, format!("vertex {vertex} of mesh {index}"), found)
        },
    );
    Md5Error::Range {
        position: at,
        what,
        found,
        expected: format!("a run within the {weights} weights"),
    }
}

fn build_triangles(
    index: usize,
    block: &MeshBlock<'_>,
    watch: &mut Watch,
) -> Result<Vec<[u32; 3]>, Md5Error> {
    let vertex_count = block.vertices.len();
    let mut triangles = Vec::new();
    for (triangle, line) in block.triangles.iter().enumerate() {
        watch.step()?;
        for (corner, &vertex) in line.corners.iter().enumerate() {
            if vertex as usize >= vertex_count {
                return Err(Md5Error::Range {
                    position: line.at,
                    what: format!("triangle {triangle} of mesh {index}, corner {}", corner + 1),
                    found: format!("vertex {vertex}"),
                    expected: indices(vertex_count, "vertices"),
                });
            }
        }
        let [a, b, c] = line.corners;
        triangles.push([a, c, b]);
    }
    Ok(triangles)
}

/// Vertices whose biases do not sum to 1, counted for one warning a mesh.
#[derive(Default)]
struct Uneven {
    count: usize,
    worst_sum: f32,
    worst_vertex: usize,
    worst_at: Option<SourcePosition>,
    loose: usize,
    loose_first: Option<(usize, SourcePosition)>,
}

impl Uneven {
    fn note(&mut self, vertex: usize, at: SourcePosition, weights: usize, sum: f32) {
        if weights == 0 {
            self.loose += 1;
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
                "mesh {index}: {} without a weight, at the origin (first: vertex {vertex})",
                counted_as(self.loose, "vertex", "vertices"),
            );
            warnings.push(Warning::new(at.line as usize, message));
        }
        if let Some(at) = self.worst_at {
            let message = format!(
                "mesh {index}: the biases of {} of {total} vertices do not sum to 1 and are kept; \
                 the worst sum is {} (vertex {})",
                self.count, self.worst_sum, self.worst_vertex,
            );
            warnings.push(Warning::new(at.line as usize, message));
        }
    }
}
