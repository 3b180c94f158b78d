//! `SkinWeights`: which joint pulls which vertex.

use super::frame::Frames;
use super::part::parts;
use super::values::{Values, label};
use crate::x::error::XError;
use crate::x::tree::{Document, ObjectIndex};
use tintype_model::diagnostic::counted_as;
use tintype_model::math::Affine3;
use tintype_model::{BindInfluence, JointIndex, Warning};

/// Weights that miss the sum of 1 by more than this are worth a warning.
const SUM_TOLERANCE: f32 = 1.0e-3;
/// Vertices between two checks of the deadline, and what is said of it.
const STEPS: u32 = 1 << 14;
const STAGE: &str = "handing weights to vertices";
/// Weights of one vertex whose sizes sum to more than this would throw it out of every picture.
const MAX_SUM: f32 = 1.0e6;

/// The influences of the vertices of one mesh.
pub(super) struct Skin {
    /// Joint space from the space of the mesh; the first is the transform of the mesh on its frame.
    pub(super) offsets: Vec<Affine3>,
    /// Start of the influences of each vertex; one entry more than vertices.
    pub(super) start: Vec<u32>,
    pub(super) influences: Vec<BindInfluence>,
    /// Vertices without a weight in a mesh that has weights.
    pub(super) loose: Vec<u32>,
}

impl Skin {
    pub(super) fn of(&self, vertex: usize) -> &[BindInfluence] {
        let end = |at: usize| self.start.get(at).map_or(0, |&end| end as usize);
        self.influences.get(end(vertex)..end(vertex + 1)).unwrap_or_default()
    }
}

/// Reads the weights of a mesh whose frame is the joint `own`.
///
/// Weights of 0 are dropped. What hangs on a joint that no frame has, and a vertex without any weight, stays on the frame of
/// the mesh. `XSkinMeshHeader` is not needed.
///
/// # Errors
/// [`XError`] where a vertex is out of range, or numbers are missing.
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
    for index in parts(document, mesh, &["SkinWeights"]) {
        is_skinned = true;
        let object = document.object(index);
        let mut values = Values::new(document, object);
        let bone = values.text("the name of the bone")?;
        let position = values.position();
        let count = values.count("the count of weights", 2)?;
        values.before(2 * count)?;
        let mut indices = Vec::new();
        for _ in 0..count {
            indices.push(values.index("a vertex of the weights", vertices, "vertices")?);
        }
        let mut biases = Vec::new();
        for _ in 0..count {
            #[expect(clippy::cast_possible_truncation, reason = "the nearest f32")]
            biases.push(values.number("a weight")? as f32);
        }
        let offset = values.matrix("the offset matrix")?;
        let (joint, offset) = match frames.named(bone) {
            Some(joint) => {
                offsets.push(offset);
                (joint, u32::try_from(offsets.len() - 1).unwrap_or(0))
            }
            None => {
                if biases.iter().any(|&bias| bias != 0.0) {
                    warnings.push(position.warning(&format!(
                        "{name}: there is no frame {bone:?}; its share of {} stays on the frame of the mesh",
                        counted_as(count, "vertex", "vertices")
                    )));
                }
                (own, 0)
            }
        };
        let pairs = indices.into_iter().zip(biases).filter(|&(_, bias)| bias != 0.0);
        pulls.extend(pairs.map(|(vertex, bias)| (vertex, BindInfluence { joint, bias, offset })));
    }
    let by_vertex = |part: &mut [(u32, BindInfluence)]| part.sort_by_key(|&(vertex, _)| vertex);
    // Stable: file order within a vertex.
    document.deadline.sort(&mut pulls, STAGE, by_vertex, |a, b| a.0.cmp(&b.0))?;
    let mut watch = document.deadline.watch(STAGE, STEPS);
    let mut skin = Skin { offsets, start: vec![0], influences: Vec::new(), loose: Vec::new() };
    let mut next = pulls.into_iter().peekable();
    let (mut loose, mut uneven, mut worst) = (0, 0, 1.0_f32);
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
            loose += 1;
            if is_skinned {
                skin.loose.extend(u32::try_from(vertex));
            }
            skin.influences.push(BindInfluence { joint: own, bias: 1.0, offset: 0 });
        } else {
            let sum: f32 = own_run.iter().map(|influence| influence.bias).sum();
            let size: f32 = own_run.iter().map(|influence| influence.bias.abs()).sum();
            if size > MAX_SUM {
                return Err(XError::Range {
                    position: document.object(mesh).position,
                    what: format!("the weights of vertex {vertex} of {name}"),
                    found: format!("a sum of {size:e}"),
                    expected: format!("at most {MAX_SUM:e}, normally 1"),
                });
            }
            if (sum - 1.0).abs() > SUM_TOLERANCE {
                uneven += 1;
                worst = if (sum - 1.0).abs() > (worst - 1.0).abs() { sum } else { worst };
            }
        }
        skin.start.push(u32::try_from(skin.influences.len()).unwrap_or(u32::MAX));
    }
    let position = document.object(mesh).position;
    if is_skinned && loose > 0 {
        warnings.push(position.warning(&format!(
            "{name}: {loose} of {vertices} vertices have no weight and stay on the frame of the mesh"
        )));
    }
    if uneven > 0 {
        warnings.push(position.warning(&format!(
            "{name}: the weights of {uneven} of {vertices} vertices do not sum to 1 and are kept; the worst sum is {worst}"
        )));
    }
    Ok(skin)
}
