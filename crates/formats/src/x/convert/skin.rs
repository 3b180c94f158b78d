//! `SkinWeights`: the joints of each vertex.

use super::frame::Frames;
use super::part::parts;
use super::values::{Values, or_warn};
use crate::text::SourcePosition;
use crate::x::error::XError;
use crate::x::tree::{Document, ObjectIndex, label};
use tintype_base::amount::counted_as;
use tintype_model::math::Affine3;
use tintype_model::{BindInfluence, FileRepair, JointIndex, Warning};

/// Weights that miss the sum of 1 by more than this are worth a warning.
const SUM_TOLERANCE: f32 = 1.0e-3;
/// Vertices between two checks of the deadline, and the name of the stage in its message.
const STEPS: u32 = 1 << 14;
const STAGE: &str = "handing weights to vertices";
/// Sum of absolute weights of a vertex above which it would be thrown out of every picture.
const MAX_SUM: f32 = 1.0e6;

/// The influences of the vertices of one mesh.
pub(super) struct Skin {
    /// Joint space from the space of the mesh; the first is the transform of the mesh on its frame.
    pub(super) offsets: Vec<Affine3>,
    /// Start of the influences of each vertex; one entry more than vertices.
    pub(super) start: Vec<u32>,
    pub(super) influences: Vec<BindInfluence>,
    /// Vertices without a weight in a mesh with weights.
    pub(super) unweighted_vertices: Vec<u32>,
}

impl Skin {
    pub(super) fn of(&self, vertex: usize) -> &[BindInfluence] {
        let end = |at: usize| self.start.get(at).map_or(0, |&end| end as usize);
        self.influences.get(end(vertex)..end(vertex + 1)).unwrap_or_default()
    }
}

/// Reads the weights of a mesh; its frame is the joint `own`.
///
/// Weights of 0 are dropped. Weights of a joint without a frame, and vertices without any weight,
/// stay on the frame of the mesh. `XSkinMeshHeader` is not needed.
///
/// # Errors
/// [`XError::TimedOut`].
pub(super) fn read_skin(
    document: &Document,
    mesh: ObjectIndex,
    vertices: usize,
    own: JointIndex,
    frames: &Frames,
    warnings: &mut Vec<Warning>,
) -> Result<Skin, XError> {
    let name = label(document.object(mesh));
    let mut offsets = vec![Affine3::IDENTITY];
    // Per vertex in the end: pairs of vertex and influence, in file order.
    let mut pulls: Vec<(u32, BindInfluence)> = Vec::new();
    let mut is_skinned = false;
    // Vertices that lost a weight.
    let mut lost = vec![false; vertices];
    for index in parts(document, mesh, &["SkinWeights"]) {
        is_skinned = true;
        let part = read_weights(document, index, &mut lost, warnings);
        let part = or_warn(part, "the weights of this joint are skipped", warnings)?;
        let Some(Weights { bone, position, count, pairs, offset }) = part else { continue };
        let (joint, offset) =
            match frames.named(bone) {
                Some(joint) => {
                    offsets.push(offset);
                    (joint, u32::try_from(offsets.len() - 1).unwrap_or(0))
                }
                None => {
                    if pairs.iter().any(|&(_, weight)| weight != 0.0) {
                        warnings.push(position.fault(FileRepair::BadReference, &format!(
                        "{name}: no frame {bone:?}; its weights of {} stay on the mesh's frame",
                        counted_as(count, "vertex", "vertices")
                    )));
                    }
                    (own, 0)
                }
            };
        let pairs = pairs.into_iter().filter(|&(_, weight)| weight != 0.0);
        pulls.extend(
            pairs.map(|(vertex, weight)| (vertex, BindInfluence { joint, weight, offset })),
        );
    }
    let by_vertex = |part: &mut [(u32, BindInfluence)]| part.sort_by_key(|&(vertex, _)| vertex);
    // Stable: file order within a vertex.
    document.deadline.sort(&mut pulls, STAGE, by_vertex, |a, b| a.0.cmp(&b.0))?;
    let mut watch = document.deadline.watch(STAGE, STEPS);
    let mut skin =
        Skin { offsets, start: vec![0], influences: Vec::new(), unweighted_vertices: Vec::new() };
    let mut next = pulls.into_iter().peekable();
    let (mut unweighted_vertices, mut uneven, mut thrown, mut worst) = (0, 0, 0, 1.0_f32);
    for vertex in 0..vertices {
        watch.step()?;
        let first = skin.influences.len();
        while let Some((_, influence)) = next
            .next_if(|&(pulled, _)| usize::try_from(pulled).is_ok_and(|pulled| pulled == vertex))
        {
            skin.influences.push(influence);
        }
        let own_run = skin.influences.get(first..).unwrap_or_default();
        if own_run.is_empty() {
            unweighted_vertices += 1;
            if is_skinned {
                skin.unweighted_vertices.extend(u32::try_from(vertex));
            }
            skin.influences.push(BindInfluence { joint: own, weight: 1.0, offset: 0 });
        } else {
            let sum: f32 = own_run.iter().map(|influence| influence.weight).sum();
            let size: f32 = own_run.iter().map(|influence| influence.weight.abs()).sum();
            // Lost weights would pull the vertex to the origin.
            let is_lost = lost.get(vertex) == Some(&true);
            let is_short = is_lost && (sum - 1.0).abs() > SUM_TOLERANCE && sum > SUM_TOLERANCE;
            if size > MAX_SUM {
                thrown += 1;
                skin.influences.truncate(first);
                skin.influences.push(BindInfluence { joint: own, weight: 1.0, offset: 0 });
            } else if is_short {
                let run = skin.influences.get_mut(first..).unwrap_or_default();
                run.iter_mut().for_each(|influence| influence.weight /= sum);
            } else if (sum - 1.0).abs() > SUM_TOLERANCE {
                uneven += 1;
                worst = if (sum - 1.0).abs() > (worst - 1.0).abs() { sum } else { worst };
            }
        }
        skin.start.push(u32::try_from(skin.influences.len()).unwrap_or(u32::MAX));
    }
    let position = document.object(mesh).position;
    if is_skinned && unweighted_vertices > 0 {
        warnings.push(position.fault(FileRepair::NoWeight, &format!(
            "{name}: {unweighted_vertices} of {vertices} vertices have no weight and stay on the mesh's frame"
        )));
    }
    if thrown > 0 {
        warnings.push(position.fault(FileRepair::WeightSum, &format!(
            "{name}: the weights of {thrown} of {vertices} vertices sum to more than {MAX_SUM:e}; they stay on the mesh's frame"
        )));
    }
    if uneven > 0 {
        warnings.push(position.fault(FileRepair::WeightSum, &format!(
            "{name}: the weights of {uneven} of {vertices} vertices do not sum to 1 and are kept; the worst sum is {worst}"
        )));
    }
    Ok(skin)
}

/// One `SkinWeights`.
struct Weights<'d> {
    bone: &'d str,
    /// Position of its count.
    position: SourcePosition,
    count: usize,
    /// Vertices and weights.
    pairs: Vec<(u32, f32)>,
    offset: Affine3,
}

/// Reads one; adds to `lost` the vertices whose weight is unusable.
fn read_weights<'d>(
    document: &'d Document,
    index: ObjectIndex,
    lost: &mut [bool],
    warnings: &mut Vec<Warning>,
) -> Result<Option<Weights<'d>>, XError> {
    let mut values = Values::new(document, document.object(index));
    let bone = values.text("the name of the bone");
    values.go_to(1);
    let position = values.position();
    let count = values.count("the count of weights", 2)?;
    values.before(2 * count)?;
    if count == 0 && document.object(index).is_mended {
        // Its lists were dropped, so the owners of its weights are unknown.
        lost.fill(true);
    }
    let start = values.at();
    let mut first = None;
    let mut pairs = Vec::new();
    let vertices = lost.len();
    let mut lose = |vertex: u32| {
        let slot = usize::try_from(vertex).ok().and_then(|vertex| lost.get_mut(vertex));
        slot.into_iter().for_each(|is_lost| *is_lost = true);
    };
    for at in start..start + count {
        values.go_to(at);
        let vertex = values.index("a vertex of the weights", vertices, "vertices");
        values.go_to(at + count);
        let weight = vertex.and_then(|vertex| {
            let weight = values.number("a weight");
            Ok((vertex, weight.inspect_err(|_| lose(vertex))?))
        });
        match weight {
            #[expect(clippy::cast_possible_truncation, reason = "the nearest f32")]
            Ok((vertex, weight)) => pairs.push((vertex, weight as f32)),
            Err(error) => {
                first.get_or_insert(error);
            }
        }
    }
    if let Some(error) = first {
        let gone = counted_as(count - pairs.len(), "weight is", "weights are");
        or_warn(Err::<(), _>(error), &format!("{gone} skipped"), warnings)?;
    }
    values.go_to(start + 2 * count);
    match bone.and_then(|bone| Ok((bone, values.matrix("the offset matrix")?))) {
        Ok((bone, offset)) => Ok(Some(Weights { bone, position, count, pairs, offset })),
        Err(error) => {
            pairs.iter().filter(|(_, weight)| *weight != 0.0).for_each(|&(vertex, _)| lose(vertex));
            Err(error)
        }
    }
}
