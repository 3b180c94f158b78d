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
    let mut pulls = Pulls {
        offsets: vec![Affine3::IDENTITY],
        list: Vec::new(),
        is_skinned: false,
        lost: vec![false; vertices],
    };
    for index in parts(document, mesh, &["SkinWeights"]) {
        pulls.is_skinned = true;
        let part = read_weights(document, index, &mut pulls.lost, warnings);
        let part = or_warn(part, "the weights of this joint are skipped", warnings)?;
        let Some(part) = part else { continue };
        match frames.named(part.bone) {
            Some(joint) => {
                pulls.offsets.push(part.offset);
                let offset = u32::try_from(pulls.offsets.len() - 1).unwrap_or(0);
                pulls.add(part.pairs, joint, offset);
            }
            None => {
                if part.pairs.iter().any(|&(_, weight)| weight != 0.0) {
                    let (name, bone) = (label(document.object(mesh)), part.bone);
                    let count = counted_as(part.count, "vertex", "vertices");
                    warnings.push(part.position.fault(FileRepair::BadReference, &format!(
                        "{name}: no frame {bone:?}; its weights of {count} stay on the mesh's frame"
                    )));
                }
                pulls.add(part.pairs, own, 0);
            }
        }
    }
    let (skin, uneven) = pulls.by_vertex(document, vertices, own)?;
    uneven.tell(document, mesh, vertices, warnings);
    Ok(skin)
}

/// The weights of all joints of a mesh, in file order.
struct Pulls {
    /// As in [`Skin`].
    offsets: Vec<Affine3>,
    /// Pairs of vertex and influence.
    list: Vec<(u32, BindInfluence)>,
    /// True if the mesh has weights.
    is_skinned: bool,
    /// True for each vertex that lost a weight.
    lost: Vec<bool>,
}

/// Vertices whose weights are unusual.
struct Uneven {
    /// Vertices without a weight, if the mesh has weights.
    unweighted: usize,
    /// Vertices whose weights are too large to be used.
    thrown: usize,
    /// Vertices whose weights do not sum to 1.
    count: usize,
    /// The sum of weights that is furthest from 1.
    worst: f32,
}

impl Pulls {
    fn add(&mut self, pairs: Vec<(u32, f32)>, joint: JointIndex, offset: u32) {
        let pairs = pairs.into_iter().filter(|&(_, weight)| weight != 0.0);
        let influence = |weight| BindInfluence { joint, weight, offset };
        self.list.extend(pairs.map(|(vertex, weight)| (vertex, influence(weight))));
    }

    /// The influences vertex by vertex; a vertex without usable ones follows `own`, the frame of
    /// the mesh.
    fn by_vertex(
        mut self,
        document: &Document,
        vertices: usize,
        own: JointIndex,
    ) -> Result<(Skin, Uneven), XError> {
        let by_vertex = |part: &mut [(u32, BindInfluence)]| part.sort_by_key(|&(vertex, _)| vertex);
        // Stable: file order within a vertex.
        document.deadline.sort(&mut self.list, STAGE, by_vertex, |a, b| a.0.cmp(&b.0))?;
        let mut watch = document.deadline.watch(STAGE, STEPS);
        let mut skin = Skin {
            offsets: self.offsets,
            start: vec![0],
            influences: Vec::new(),
            unweighted_vertices: Vec::new(),
        };
        let of_frame = BindInfluence { joint: own, weight: 1.0, offset: 0 };
        let mut next = self.list.into_iter().peekable();
        let mut uneven = Uneven { unweighted: 0, thrown: 0, count: 0, worst: 1.0 };
        for vertex in 0..vertices {
            watch.step()?;
            let first = skin.influences.len();
            let is_own = |pulled: u32| usize::try_from(pulled).is_ok_and(|own| own == vertex);
            while let Some((_, influence)) = next.next_if(|&(pulled, _)| is_own(pulled)) {
                skin.influences.push(influence);
            }
            let run = skin.influences.get_mut(first..).unwrap_or_default();
            if run.is_empty() {
                if self.is_skinned {
                    uneven.unweighted += 1;
                    skin.unweighted_vertices.extend(u32::try_from(vertex));
                }
                skin.influences.push(of_frame);
            } else if run.iter().map(|influence| influence.weight.abs()).sum::<f32>() > MAX_SUM {
                uneven.thrown += 1;
                skin.influences.truncate(first);
                skin.influences.push(of_frame);
            } else {
                let sum: f32 = run.iter().map(|influence| influence.weight).sum();
                if (sum - 1.0).abs() > SUM_TOLERANCE {
                    // Lost weights would pull the vertex to the origin.
                    if self.lost.get(vertex) == Some(&true) && sum > SUM_TOLERANCE {
                        run.iter_mut().for_each(|influence| influence.weight /= sum);
                    } else {
                        uneven.add(sum);
                    }
                }
            }
            skin.start.push(u32::try_from(skin.influences.len()).unwrap_or(u32::MAX));
        }
        Ok((skin, uneven))
    }
}

impl Uneven {
    fn add(&mut self, sum: f32) {
        self.count += 1;
        if (sum - 1.0).abs() > (self.worst - 1.0).abs() {
            self.worst = sum;
        }
    }

    fn tell(
        &self,
        document: &Document,
        mesh: ObjectIndex,
        vertices: usize,
        warnings: &mut Vec<Warning>,
    ) {
        let (name, position) = (label(document.object(mesh)), document.object(mesh).position);
        let Self { unweighted, thrown, count, worst } = self;
        let mut tell = |repair, message: &str| {
            warnings.push(position.fault(repair, &format!("{name}: {message}")));
        };
        if *unweighted > 0 {
            tell(
                FileRepair::NoWeight,
                &format!(
                    "{unweighted} of {vertices} vertices have no weight and stay on the mesh's frame"
                ),
            );
        }
        if *thrown > 0 {
            tell(
                FileRepair::WeightSum,
                &format!(
                    "the weights of {thrown} of {vertices} vertices sum to more than {MAX_SUM:e}; they stay on the mesh's frame"
                ),
            );
        }
        if *count > 0 {
            tell(
                FileRepair::WeightSum,
                &format!(
                    "the weights of {count} of {vertices} vertices do not sum to 1 and are kept; the worst sum is {worst}"
                ),
            );
        }
    }
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
