//! Skins: clusters of weights, each with a joint and the bind transform into its space.

use super::node::{Node, Nodes, affine};
use crate::fbx::document::Document;
use crate::fbx::tree::Node as Record;
use tintype_base::amount::counted;
use tintype_model::math::{Affine3, DAffine3, DMat3, DVec3, clamp};
use tintype_model::{BindInfluence, FileRepair, JointIndex, Warning};

/// The weights of a geometry on a model.
pub(super) struct Skin {
    /// By vertex of the file: its influences.
    influences: Vec<Vec<BindInfluence>>,
    pub(super) offsets: Vec<Affine3>,
    /// For each vertex of the file, its dual-quaternion weight; empty for a linear skin.
    shares: Vec<f32>,
}

impl Skin {
    /// The dual-quaternion weight of a vertex. None in a linear skin.
    pub(super) fn dual_share(&self, vertex: usize) -> Option<f32> {
        self.shares.get(vertex).copied()
    }

    /// The influences of a vertex.
    pub(super) fn of(&self, vertex: usize) -> &[BindInfluence] {
        self.influences.get(vertex).map_or(&[][..], Vec::as_slice)
    }
}

/// A cluster as written in its file.
struct Cluster<'d> {
    record: &'d Record<'d>,
    joint: JointIndex,
}

/// Reads the skin of a geometry of `count` vertices; a geometry without one, and vertices without
/// weights, follow their model.
pub(super) fn read_skin(
    document: &Document,
    nodes: &Nodes,
    node: &Node,
    geometry: usize,
    count: usize,
    warnings: &mut Vec<Warning>,
) -> Skin {
    let own = nodes.frame.offset(node.geometry);
    let (mut outside, mut damaged) = (0_usize, None);
    let shares = dual_shares(document, geometry, count, &mut outside, warnings);
    let mut skin = Skin { influences: vec![Vec::new(); count], offsets: vec![own], shares };
    for cluster in clusters(document, nodes, geometry, warnings) {
        let read = || {
            let indices = cluster.record.ints_of("Indexes")?.unwrap_or_default();
            let weights = cluster.record.reals_of("Weights")?.unwrap_or_default();
            let offset = offset(&cluster, nodes, node)?;
            Ok::<_, String>((indices, weights, offset))
        };
        let (indices, weights, way) = match read() {
            Ok(read) => read,
            Err(why) => {
                damaged = damaged.or(Some(why));
                continue;
            }
        };
        let offset = u32::try_from(skin.offsets.len()).unwrap_or(u32::MAX);
        skin.offsets.push(way);
        for (&vertex, &weight) in indices.iter().zip(&weights) {
            let slot = usize::try_from(vertex).ok();
            let Some(list) = slot.and_then(|slot| skin.influences.get_mut(slot)) else {
                outside += 1;
                continue;
            };
            #[expect(clippy::cast_possible_truncation, reason = "weights have 32 bits")]
            let share = weight as f32;
            if share != 0.0 && share.is_finite() {
                list.push(BindInfluence { joint: cluster.joint, weight: share, offset });
            }
        }
    }
    if let Some(why) = damaged {
        warnings.push(document.fault(
            FileRepair::Malformed,
            geometry,
            &format!("a cluster of its skin is skipped: {why}"),
        ));
    }
    if outside > 0 {
        let weights = counted(outside, "weight");
        let message = format!("{weights} of vertices beyond its {count} skipped");
        warnings.push(document.fault(FileRepair::BadReference, geometry, &message));
    }
    skin.even_out(node.carrier());
    skin
}

impl Skin {
    /// Divides the weights of each vertex by their sum; vertices without weights follow `carrier`.
    fn even_out(&mut self, carrier: JointIndex) {
        for (vertex, list) in self.influences.iter_mut().enumerate() {
            let sum: f32 = list.iter().map(|one| one.weight).sum();
            if list.is_empty() || sum == 0.0 || !sum.is_finite() {
                list.clear();
                list.push(BindInfluence { joint: carrier, weight: 1.0, offset: 0 });
                self.shares.get_mut(vertex).into_iter().for_each(|share| *share = 0.0);
            } else {
                // The format does not require a sum of 1; all readers divide by it.
                list.iter_mut().for_each(|one| one.weight /= sum);
            }
        }
    }
}

fn skins(document: &Document, geometry: usize) -> impl Iterator<Item = usize> {
    let class = |object: usize| document.objects.get(object).map(|own| own.class.as_ref());
    document.parts(geometry, "Deformer").filter(move |&one| class(one) == Some("Skin"))
}

/// The dual-quaternion weights of the vertices of a geometry: all 1 for a skin of that type,
/// otherwise those stated by a blended skin. Empty if there are none.
fn dual_shares(
    document: &Document,
    geometry: usize,
    count: usize,
    outside: &mut usize,
    warnings: &mut Vec<Warning>,
) -> Vec<f32> {
    let mut shares = Vec::new();
    for skin in skins(document, geometry) {
        let Some(own) = document.objects.get(skin) else { continue };
        if own.node.text_of("SkinningType").as_deref() == Some("DualQuaternion") {
            shares = vec![1.0; count];
        }
        let stated = || {
            let weights = own.node.reals_of("BlendWeights")?.unwrap_or_default();
            Ok::<_, String>((own.node.ints_of("Indexes")?.unwrap_or_default(), weights))
        };
        let (indices, weights) = match stated() {
            Ok(stated) => stated,
            Err(why) => {
                let message = format!("its dual quaternion blend weights are skipped: {why}");
                warnings.push(document.fault(FileRepair::Malformed, skin, &message));
                continue;
            }
        };
        if !weights.is_empty() {
            shares.resize(count, 0.0);
        }
        for (&vertex, &weight) in indices.iter().zip(&weights) {
            match usize::try_from(vertex).ok().and_then(|vertex| shares.get_mut(vertex)) {
                #[expect(clippy::cast_possible_truncation, reason = "shares have 32 bits")]
                Some(share) => *share = clamp(weight as f32, 0.0, 1.0),
                None => *outside += 1,
            }
        }
    }
    shares
}

fn clusters<'d>(
    document: &Document<'d>,
    nodes: &Nodes,
    geometry: usize,
    warnings: &mut Vec<Warning>,
) -> Vec<Cluster<'d>> {
    let mut found = Vec::new();
    let mut lost = 0_usize;
    let class = |object: usize| document.objects.get(object).map(|own| own.class.as_ref());
    for skin in skins(document, geometry) {
        for cluster in document.parts(skin, "Deformer").filter(|&one| class(one) == Some("Cluster"))
        {
            let bone = document.parts(cluster, "Model").find_map(|model| nodes.of(model));
            let record = document.objects.get(cluster).map(|own| own.node);
            match (bone, record) {
                (Some(bone), Some(record)) => {
                    found.push(Cluster { record, joint: bone.carrier() });
                }
                _ => lost += 1,
            }
        }
    }
    let links = document.objects.get(geometry).into_iter().flat_map(|own| &own.node.children);
    for record in links.filter(|record| record.name == "Link") {
        let bone = record.values.first().and_then(|key| document.find(key));
        match bone.and_then(|object| nodes.of(object)) {
            Some(bone) => found.push(Cluster { record, joint: bone.carrier() }),
            None => lost += 1,
        }
    }
    if lost > 0 {
        let message = format!("{} of its skin without a joint skipped", counted(lost, "cluster"));
        warnings.push(document.fault(FileRepair::BadSkin, geometry, &message));
    }
    found
}

/// The transform from the geometry to the joint space of a cluster.
fn offset(cluster: &Cluster, nodes: &Nodes, node: &Node) -> Result<Affine3, String> {
    let metres = nodes.frame.metres;
    let given = cluster.record.reals_of("Transform")?;
    let link = cluster.record.reals_of("TransformLink")?;
    let is_set = |list: &[f64]| list.len() >= 16 && list.iter().any(|&number| number != 0.0);
    if let (Some(given), Some(_)) = (given.filter(|list| is_set(list)), &link) {
        let found = nodes.frame.offset(matrix(&given) * node.geometry);
        return if found.is_finite() {
            Ok(found)
        } else {
            Err("its Transform is not finite".to_owned())
        };
    }
    // Without a bind pose, the joint is bound at its current transform.
    let world = |joint: JointIndex| {
        let joint = nodes.skeleton.joints().get(joint.index());
        joint.map_or(Affine3::IDENTITY, |joint| joint.model_from_joint)
    };
    let bind = match link.filter(|list| is_set(list)) {
        Some(link) if nodes.frame.is_plain() => affine(matrix(&link), metres),
        _ => world(cluster.joint),
    };
    let found = bind.inverse() * world(node.carrier()) * nodes.frame.offset(node.geometry);
    if found.is_finite() {
        Ok(found)
    } else {
        Err("its joint is flattened and cannot be inverted".to_owned())
    }
}

/// Converts 16 numbers, whose rows are axes, to a matrix.
pub(super) fn matrix(numbers: &[f64]) -> DAffine3 {
    let row = |first: usize| {
        let number = |index: usize| numbers.get(first + index).copied().unwrap_or(0.0);
        DVec3::new(number(0), number(1), number(2))
    };
    DAffine3 { matrix3: DMat3::from_cols(row(0), row(4), row(8)), translation: row(12) }
}
