//! Skins: joints with their inverse bind matrices, and the influences of vertices.

use super::node::{Nodes, affine};
use super::primitive::Geometry;
use super::source::Source;
use crate::gltf::accessor::{IntegerPolicy, NonFiniteFallback, Numbers};
use crate::gltf::buffer::missing;
use crate::gltf::error::GltfError;
use crate::gltf::faults::RepairLog;
use crate::gltf::number::JsonInteger;
use crate::gltf::path::JsonPath;
use tintype_model::math::Affine3;
use tintype_model::{BindInfluence, FileRepair, JointIndex};

/// Weights that miss the sum of 1 by more than this are worth a warning.
const SUM_TOLERANCE: f32 = 1.0e-3;
/// Sum of absolute weights of a vertex above which it would be thrown out of every picture.
const MAX_SUM: f32 = 1.0e6;

/// A skin: per joint of its list, the joint of the skeleton and the matrix from bind space.
pub(super) struct Skin {
    /// None if the document names no node.
    joints: Vec<Option<JointIndex>>,
    pub(super) offsets: Vec<Affine3>,
}

/// Reads all skins of the document. None for those that cannot be used.
///
/// # Errors
/// [`GltfError::Limit`] for too many numbers.
pub(super) fn read_skins(source: &Source, nodes: &Nodes) -> Result<Vec<Option<Skin>>, GltfError> {
    let list = JsonPath::root("skins");
    let skins = source.document.skins.iter().enumerate();
    let read = skins.map(|(index, skin)| read_skin(source, nodes, skin, &list.index(index)));
    let instead = "its meshes follow their nodes";
    read.map(|skin| Ok(source.faults.part(FileRepair::BadSkin, skin, instead)?.flatten())).collect()
}

/// Reads one skin. None if a joint is outside of the scene, which never happens for a skin in use.
fn read_skin(
    source: &Source,
    nodes: &Nodes,
    skin: &crate::gltf::document::Skin,
    path: &JsonPath,
) -> Result<Option<Skin>, GltfError> {
    let list = path.key("joints");
    let count = source.document.nodes.len();
    let mut joints = Vec::new();
    for (place, &node) in skin.joints.iter().enumerate() {
        let joint = nodes.joint(node.0);
        if node.0 >= count {
            let error = missing(&list.index(place), "the node of the joint", node, count);
            source.faults.tell(FileRepair::BadReference, format!("{error}; it moves no vertex"));
        } else if joint.is_none() {
            return Ok(None);
        }
        joints.push(joint);
    }
    if joints.iter().all(Option::is_none) {
        return Err(GltfError::value(&list, "the joints", "none", "at least one node"));
    }
    let mut offsets = vec![Affine3::IDENTITY; joints.len()];
    let Some(index) = skin.inverse_bind_matrices else { return Ok(Some(Skin { joints, offsets })) };
    let at = path.key("inverseBindMatrices");
    let instead = NonFiniteFallback(0.0, "replaced by the inverse of the joint at rest");
    let numbers = source.accessors.reals(index, &["MAT4"], IntegerPolicy::Unusual, &at, instead);
    let numbers = source.faults.part(FileRepair::BadSkin, numbers, instead.1)?;
    let mut elements = numbers.iter().flat_map(Numbers::elements);
    for ((place, joint), offset) in joints.iter().enumerate().zip(&mut offsets) {
        let columns = elements.next().and_then(|element| <[f32; 16]>::try_from(element).ok());
        let found = match columns.map(affine) {
            Some((matrix, true))
                if !numbers.as_ref().is_some_and(|numbers| numbers.bad.contains(&place)) =>
            {
                *offset = matrix;
                continue;
            }
            Some((_, true)) => None,
            Some(_) => Some("a last row other than 0, 0, 0, 1"),
            None if joint.is_none() => continue,
            None if numbers.is_none() => None,
            None => Some("nothing"),
        };
        let at_rest = joint.and_then(|joint| nodes.skeleton.joints().get(joint.index()));
        let inverse = at_rest.map(|joint| joint.model_from_joint.inverse());
        *offset = inverse.filter(|inverse| inverse.is_finite()).unwrap_or(Affine3::IDENTITY);
        if let Some(found) = found {
            let (what, expected) = (format!("matrix {place}"), "an affine matrix for each joint");
            let error = GltfError::value(&at, what, found, expected);
            source.faults.tell(FileRepair::BadSkin, format!("{error}; {}", instead.1));
        }
    }
    Ok(Some(Skin { joints, offsets }))
}

/// The influences of the vertices of one primitive.
#[derive(Default)]
pub(super) struct Influences {
    /// Start of the influences of each vertex; one entry more than vertices.
    pub(super) start: Vec<u32>,
    pub(super) list: Vec<BindInfluence>,
    /// Vertices that no joint pulls, rising.
    pub(super) unweighted_vertices: Vec<u32>,
}

impl Influences {
    /// Binds every vertex to one joint.
    pub(super) fn rigid(vertices: usize, joint: JointIndex) -> Self {
        let start = (0..=u32::try_from(vertices).unwrap_or(u32::MAX)).collect();
        let list = vec![BindInfluence { joint, weight: 1.0, offset: 0 }; vertices];
        Self { start, list, unweighted_vertices: Vec::new() }
    }

    /// The influences of a vertex.
    pub(super) fn of(&self, vertex: usize) -> &[BindInfluence] {
        let at = |place: usize| self.start.get(place).map_or(0, |&end| end as usize);
        self.list.get(at(vertex)..at(vertex + 1)).unwrap_or_default()
    }
}

/// Sets the weights of a primitive, leaving out zeros.
///
/// Weights that do not sum to 1 violate the format. They are scaled to 1, and a vertex without any
/// weight follows its first joint, as in other viewers. Weights of joints that the skin does not
/// have are dropped. All of these cause warnings.
pub(super) fn read_influences(
    geometry: &Geometry,
    skin: &Skin,
    path: &JsonPath,
    faults: &RepairLog,
) -> Influences {
    let vertices = geometry.positions.len();
    let attributes = path.key("attributes");
    let mut influences = Influences { start: vec![0], ..Influences::default() };
    let mut bad = BadWeights { uneven: 0, worst: 1.0, stray: None, lost: 0 };
    let mut sets: Vec<_> =
        geometry.influences.iter().map(|(j, w)| (j.elements(), w.elements())).collect();
    let mut usable = (0_u32..).zip(&skin.joints);
    let usual = usable.find_map(|(slot, joint)| Some(((*joint)?, slot)));
    for vertex in 0..vertices {
        let (mut sum, mut size, mut first) = (0.0_f32, 0.0_f32, None);
        let before = influences.list.len();
        for (set, (joints, weights)) in sets.iter_mut().enumerate() {
            let pairs =
                joints.next().unwrap_or_default().iter().zip(weights.next().unwrap_or_default());
            for (&slot, &weight) in pairs {
                let known = usize::try_from(slot).ok().and_then(|slot| skin.joints.get(slot));
                let Some(&Some(joint)) = known else {
                    let is_said = !matches!(known, Some(None));
                    if is_said {
                        bad.lost += usize::from(weight != 0.0);
                        let stray = || stray_joint([vertex, set], slot, skin, &attributes);
                        bad.stray.get_or_insert_with(stray);
                    }
                    continue;
                };
                first = first.or(Some((joint, slot)));
                if weight != 0.0 {
                    influences.list.push(BindInfluence { joint, weight, offset: slot });
                    (sum, size) = (sum + weight, size + weight.abs());
                }
            }
        }
        // If weights cancel out, their sum is meaningless.
        if size > MAX_SUM && sum.abs() * MAX_SUM < size {
            influences.list.truncate(before);
        }
        let own = influences.list.get_mut(before..).unwrap_or_default();
        if own.is_empty() {
            influences.unweighted_vertices.extend(u32::try_from(vertex));
            let (joint, offset) = first.or(usual).unwrap_or((JointIndex(0), 0));
            influences.list.push(BindInfluence { joint, weight: 1.0, offset });
        } else if (sum - 1.0).abs() > SUM_TOLERANCE {
            bad.uneven += 1;
            bad.worst = if (sum - 1.0).abs() > (bad.worst - 1.0).abs() { sum } else { bad.worst };
            if sum.abs() * MAX_SUM > size {
                own.iter_mut().for_each(|influence| influence.weight /= sum);
            }
        }
        influences.start.push(u32::try_from(influences.list.len()).unwrap_or(u32::MAX));
    }
    bad.tell(influences.unweighted_vertices.len(), vertices, path, faults);
    influences
}

fn stray_joint([vertex, set]: [usize; 2], slot: u32, skin: &Skin, path: &JsonPath) -> GltfError {
    let name = format!("JOINTS_{set}");
    let what = format!("the joint of vertex {vertex}");
    let expected = format!("below {}, the skin's joint count", skin.joints.len());
    GltfError::value(&path.key(&name), what, slot, expected)
}

/// Weights of a primitive that violate the format.
struct BadWeights {
    /// Vertices whose weights do not sum to 1, and the sum that is farthest from it.
    uneven: usize,
    worst: f32,
    /// The first joint that the skin does not have, and the weights of all such joints.
    stray: Option<GltfError>,
    lost: usize,
}

impl BadWeights {
    fn tell(self, unweighted: usize, vertices: usize, path: &JsonPath, faults: &RepairLog) {
        let Self { uneven, worst, stray, lost } = self;
        if let Some(error) = stray {
            let instead = format!("{lost} weights of such joints are skipped");
            faults.tell(FileRepair::BadReference, format!("{error}; {instead}"));
        }
        if unweighted > 0 {
            let message = format!(
                "{path}: {unweighted} of {vertices} vertices have no weight and follow their first joint"
            );
            faults.tell(FileRepair::NoWeight, message);
        }
        if uneven > 0 {
            let message = format!(
                "{path}: the weights of {uneven} of {vertices} vertices do not sum to 1 and are normalized; the worst sum is {worst}"
            );
            faults.tell(FileRepair::WeightSum, message);
        }
    }
}

/// The skin of a node, by its index.
///
/// # Errors
/// [`GltfError::Value`] if the skin does not exist.
pub(super) fn skin_of<'s>(
    skins: &'s [Option<Skin>],
    index: JsonInteger,
    path: &JsonPath,
) -> Result<Option<&'s Skin>, GltfError> {
    let found = skins
        .get(index.0)
        .ok_or_else(|| missing(&path.key("skin"), "the skin", index, skins.len()))?;
    Ok(found.as_ref())
}
