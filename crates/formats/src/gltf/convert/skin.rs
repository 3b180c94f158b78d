//! Skins: joints with their inverse bind matrices, and the influences of vertices.

use super::node::{Nodes, affine};
use super::primitive::Geometry;
use super::source::Source;
use crate::gltf::accessor::Integers;
use crate::gltf::buffer::missing;
use crate::gltf::error::GltfError;
use crate::gltf::number::Whole;
use crate::gltf::path::JsonPath;
use tintype_model::math::Affine3;
use tintype_model::{BindInfluence, JointIndex, Warning};

/// Weights that miss the sum of 1 by more than this are worth a warning.
const SUM_TOLERANCE: f32 = 1.0e-3;
/// Weights of one vertex whose sizes sum to more than this would throw it out of every picture.
const MAX_SUM: f32 = 1.0e6;

/// A skin: per joint of its list, the joint of the skeleton and the matrix from bind space.
pub(super) struct Skin {
    pub(super) joints: Vec<JointIndex>,
    pub(super) offsets: Vec<Affine3>,
}

/// Reads all skins of the document.
///
/// # Errors
/// [`GltfError`] for joints that are no nodes, and inverse bind matrices of another type, number or form.
pub(super) fn read_skins(source: &Source, nodes: &Nodes) -> Result<Vec<Option<Skin>>, GltfError> {
    let list = JsonPath::root("skins");
    let skins = source.document.skins.iter().enumerate();
    skins.map(|(index, skin)| read_skin(source, nodes, skin, &list.index(index))).collect()
}

/// Reads one skin; none if a joint is outside of the scene, which a skin that is used never is.
fn read_skin(
    source: &Source,
    nodes: &Nodes,
    skin: &crate::gltf::document::Skin,
    path: &JsonPath,
) -> Result<Option<Skin>, GltfError> {
    let list = path.key("joints");
    let count = source.document.nodes.len();
    let mut joints = Vec::new();
    for (place, node) in skin.joints.iter().enumerate() {
        if node.0 >= count {
            return Err(missing(&list.index(place), "the node of the joint", *node, count));
        }
        let Some(joint) = nodes.joint(node.0) else { return Ok(None) };
        joints.push(joint);
    }
    if joints.is_empty() {
        return Err(GltfError::value(&list, "the joints", "none", "at least one node"));
    }
    let mut offsets = vec![Affine3::IDENTITY; joints.len()];
    if let Some(index) = skin.inverse_bind_matrices {
        let at = path.key("inverseBindMatrices");
        let numbers = source.accessors.reals(index, &["MAT4"], Integers::Refused, &at)?;
        if numbers.len() < joints.len() {
            let expected = format!("at least {}, one a joint", joints.len());
            return Err(GltfError::value(&at, "the count of matrices", numbers.len(), expected));
        }
        for ((place, offset), element) in offsets.iter_mut().enumerate().zip(numbers.elements()) {
            let columns = <[f32; 16]>::try_from(element).unwrap_or_default();
            *offset = affine(columns).ok_or_else(|| {
                GltfError::value(
                    &at,
                    format!("the last row of matrix {place}"),
                    "another row",
                    "0, 0, 0, 1",
                )
            })?;
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
    pub(super) loose: Vec<u32>,
}

impl Influences {
    /// Hangs every vertex on one joint.
    pub(super) fn rigid(vertices: usize, joint: JointIndex) -> Self {
        let start = (0..=u32::try_from(vertices).unwrap_or(u32::MAX)).collect();
        let list = vec![BindInfluence { joint, bias: 1.0, offset: 0 }; vertices];
        Self { start, list, loose: Vec::new() }
    }

    /// The influences of a vertex.
    pub(super) fn of(&self, vertex: usize) -> &[BindInfluence] {
        let at = |place: usize| self.start.get(place).map_or(0, |&end| end as usize);
        self.list.get(at(vertex)..at(vertex + 1)).unwrap_or_default()
    }
}

/// Takes the weights of a primitive, those of 0 left out.
///
/// Weights that do not sum to 1 break the format's rule. They are scaled to it, and a vertex without any weight hangs on its first
/// joint, as viewers of the format do: so a file looks here as it does there. Both are warnings.
///
/// # Errors
/// [`GltfError::Value`] for a joint beyond the skin, or weights whose sum would throw a vertex out of every picture.
pub(super) fn read_influences(
    geometry: &Geometry,
    skin: &Skin,
    path: &JsonPath,
    warnings: &mut Vec<Warning>,
) -> Result<Influences, GltfError> {
    let vertices = geometry.positions.len();
    let attributes = path.key("attributes");
    let mut influences = Influences { start: vec![0], ..Influences::default() };
    let (mut uneven, mut worst) = (0, 1.0_f32);
    let mut sets: Vec<_> =
        geometry.influences.iter().map(|(j, w)| (j.elements(), w.elements())).collect();
    for vertex in 0..vertices {
        let (mut sum, mut size, mut first) = (0.0_f32, 0.0_f32, None);
        let before = influences.list.len();
        for (set, (joints, weights)) in sets.iter_mut().enumerate() {
            let pairs =
                joints.next().unwrap_or_default().iter().zip(weights.next().unwrap_or_default());
            for (&slot, &bias) in pairs {
                let known = usize::try_from(slot).ok().and_then(|slot| skin.joints.get(slot));
                let Some(&joint) = known else {
                    let what = format!("the joint of vertex {vertex}");
                    let expected =
                        format!("below {}, the count of the skin's joints", skin.joints.len());
                    return Err(GltfError::value(
                        &attributes.key(&format!("JOINTS_{set}")),
                        what,
                        slot,
                        expected,
                    ));
                };
                first = first.or(Some((joint, slot)));
                if bias != 0.0 {
                    influences.list.push(BindInfluence { joint, bias, offset: slot });
                    (sum, size) = (sum + bias, size + bias.abs());
                }
            }
        }
        if size > MAX_SUM {
            let (what, found) =
                (format!("the weights of vertex {vertex}"), format!("a sum of {size:e}"));
            return Err(GltfError::value(&attributes.key("WEIGHTS_0"), what, found, "1"));
        }
        let own = influences.list.get_mut(before..).unwrap_or_default();
        if own.is_empty() {
            influences.loose.extend(u32::try_from(vertex));
            let (joint, offset) = first.unwrap_or((JointIndex(0), 0));
            influences.list.push(BindInfluence { joint, bias: 1.0, offset });
        } else if (sum - 1.0).abs() > SUM_TOLERANCE {
            uneven += 1;
            worst = if (sum - 1.0).abs() > (worst - 1.0).abs() { sum } else { worst };
            if sum > 0.0 {
                own.iter_mut().for_each(|influence| influence.bias /= sum);
            }
        }
        influences.start.push(u32::try_from(influences.list.len()).unwrap_or(u32::MAX));
    }
    if !influences.loose.is_empty() {
        let loose = influences.loose.len();
        let message = format!(
            "{path}: {loose} of {vertices} vertices have no weight and hang on their first joint"
        );
        warnings.push(Warning::new(0, message));
    }
    if uneven > 0 {
        let message = format!(
            "{path}: the weights of {uneven} of {vertices} vertices do not sum to 1 and are scaled to it; the worst sum is {worst}"
        );
        warnings.push(Warning::new(0, message));
    }
    Ok(influences)
}

/// The skin of a node, by its index.
///
/// # Errors
/// [`GltfError::Value`] if there is no such skin.
pub(super) fn skin_of<'s>(
    skins: &'s [Option<Skin>],
    index: Whole,
    path: &JsonPath,
) -> Result<Option<&'s Skin>, GltfError> {
    let found = skins
        .get(index.0)
        .ok_or_else(|| missing(&path.key("skin"), "the skin", index, skins.len()))?;
    Ok(found.as_ref())
}
