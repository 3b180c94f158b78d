//! 3D Studio models (`.3ds`): meshes with smoothing groups, materials, and the keyframer's
//! hierarchy and motion.
//!
//! `chunk` splits a file into chunks, `file` mirrors meshes, `look` reads materials, `keyframer`
//! nodes and their keys, `mesh` builds meshes on the nodes, `motion` the clip, and this file the
//! skeleton.
//!
//! # Conventions
//! - **Axes**: right-handed, +Z up: `(x, y, z)` becomes `(x, z, -y)`, applied by the single root
//!   joint. The front is -Y.
//! - **Winding**: front faces are counter-clockwise. Texture coordinates have their origin in the
//!   lower left corner.
//! - **Length**: one unit of the file stays one unit; the master scale only concerns the editor's
//!   grid.
//! - **Vertices** are in world space, at the position of their mesh when the file was written. A
//!   node transforms them by `node * T(-pivot) * M^-1`, with the matrix `M` of the mesh. Where `M`
//!   mirrors and its node does not, x is negated before the pivot.
//! - **Rotation**: each key rotates by the negative of its angle about its axis, in the parent's
//!   axes, starting from the rotation of the previous key.
//! - **Colour**: sRGB.
//!
//! # Source
//! Autodesk, "3D Studio File Toolkit"; Jim Pitts, "3D Studio File Format", 1994; lib3ds for
//! rotations, mirroring and splines.

mod chunk;
mod file;
mod keyframer;
mod look;
mod mesh;
mod motion;
mod spline;

#[cfg(test)]
mod tests;

use crate::corner_mesh::plain_material;
use crate::iqm::joint::ours_from_file;
use crate::node_model::{NodeJoints, node_model};
use crate::recognize::describe_foreign;
use crate::text::quoted;
use crate::told::Told;
use crate::{FilePlace, LoadOptions, Loaded, ModelFormatError};
use keyframer::Node;
use tintype_base::precedence::{Decided, Guesses};
use tintype_model::{AxisRule, FileParts, LocalTransform, Model, NamedClip, Skeleton};

/// Name of the root joint.
const ROOT: &str = "root";

/// Contents of a file.
#[derive(Clone, Debug)]
pub struct ThreeDsModel {
    /// The model: one joint per node of the keyframer, below one that turns the axes.
    pub model: Model,
    /// The clip, if nodes move.
    pub clips: Vec<NamedClip>,
    /// Frames per second.
    pub rate_hz: Decided<f64>,
}

/// Reads a file into its model and its clip; `rate_hz` overrides the default rate.
///
/// # Errors
/// [`ModelFormatError`] for files of another format and for exceeded limits; other faults cost only
/// their part, with a warning.
pub fn parse_model(
    bytes: &[u8],
    rate_hz: Option<f64>,
    options: &LoadOptions,
) -> Result<Loaded<ThreeDsModel>, ModelFormatError> {
    if !looks_like_3ds(bytes) {
        let start = || quoted(bytes.get(..8).unwrap_or(bytes));
        let found = describe_foreign(bytes, "MM").unwrap_or_else(start);
        return Err(ModelFormatError::value(FilePlace::Byte(0), "the file", found, "a 3DS file"));
    }
    let rate_hz = motion::rate(rate_hz)?;
    let mut told = Told::default();
    let file = file::read(bytes, &mut told, options)?;
    let (skeleton, names) = build_skeleton(&file.nodes)?;
    let meshes = mesh::build(&file, &skeleton, options, &mut told)?;
    let clips = motion::build(&file, &names, (rate_hz.value, bytes.len(), options), &mut told)?;
    let lacks_meshes = file.objects.is_empty();
    let mut materials = file.materials;
    if meshes.iter().any(|mesh| materials.iter().all(|own| own.name != mesh.material_name)) {
        materials.push(plain_material(false));
    }
    // The program sets the axes.
    let up = AxisRule { is_stated: false, guesses: Guesses::Never };
    let parts = FileParts { lacks_meshes, up, ..FileParts::default() };
    let Loaded { value: model, warnings } = node_model(skeleton, (meshes, materials), parts, told);
    Ok(Loaded { value: ThreeDsModel { model, clips, rate_hz }, warnings })
}

/// True if a file begins like 3DS: with the signature, and with a known nested chunk.
#[must_use]
pub fn looks_like_3ds(bytes: &[u8]) -> bool {
    let first =
        bytes.get(6..8).and_then(|two| two.first_chunk()).map(|two| u16::from_le_bytes(*two));
    let is_known = first.is_some_and(|id| {
        matches!(id, chunk::VERSION | chunk::EDITOR | chunk::KEYFRAMER | chunk::MESH_VERSION)
    });
    bytes.starts_with(b"MM") && is_known
}

/// The joints: one that converts the axes, followed by one per node, in order, with unique names.
fn build_skeleton(nodes: &[Node]) -> Result<(Skeleton, Vec<String>), ModelFormatError> {
    let (mut joints, turn) = (NodeJoints::default(), ours_from_file());
    joints.push((ROOT, ROOT, 0), None, (turn, LocalTransform::of(turn)));
    for (index, node) in nodes.iter().enumerate() {
        // The joint of a node comes after the root joint.
        let parent = node.parent.map_or(0, |parent| parent + 1);
        let pose = node.rest();
        joints.push((node.joint_name(), "node", index), Some(parent), (pose.matrix(), pose));
    }
    let skeleton = joints.finish()?;
    let names = skeleton.joints().iter().skip(1).map(|joint| joint.name.clone()).collect();
    Ok((skeleton, names))
}
