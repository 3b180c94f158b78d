//! Blitz3D models (`.b3d`): skinned meshes, brushes and one clip.
//!
//! `file` mirrors the chunks, `material` converts brushes to materials, `mesh` reads meshes,
//! `motion` reads the clip, and this file builds the skeleton.
//!
//! # Conventions
//! - **Axes**: left-handed, +Y up; `(x, y, z)` becomes `(x, y, -z)`. With `F` for that change, a
//!   transform `A` of the file becomes `F A F`.
//! - **Winding**: front faces are clockwise in the file; the index order is reversed here.
//! - **Rotation**: `w, x, y, z` of the inverse of the rotation in the file's axes. The conjugate is
//!   the rotation itself; in our axes it is `(x, y, -z, w)`.
//! - **Texture coordinates** have their origin in the upper left corner.
//! - **Colour**: brushes and vertices are treated as sRGB, as the engine computes with encoded
//!   values.
//! - **Frames** are numbered from 0, like the keys of the file.
//!
//! # Source
//! Mark Sibly, "B3D file format V0.01"; `loader_b3d.cpp`, `animation.cpp` and `texture.cpp` of
//! Blitz3D.

mod axes;
mod file;
mod material;
mod mesh;
mod motion;

#[cfg(test)]
mod tests;

use crate::node_model::{NodeJoints, node_model};
use crate::told::Told;
use crate::{LoadOptions, Loaded, ModelFormatError};
use file::{B3dFile, Node};
use tintype_base::precedence::Decided;
use tintype_model::{FileParts, Model, NamedClip, Skeleton};

/// Contents of a file.
#[derive(Clone, Debug)]
pub struct B3dModel {
    /// The model: a joint each node.
    pub model: Model,
    /// The clip, if nodes have keys.
    pub clips: Vec<NamedClip>,
    /// Frames per second.
    pub rate_hz: Decided<f64>,
}

/// Reads a file into its model and its clip; `rate_hz` overrides the rate of the file.
///
/// # Errors
/// [`ModelFormatError`] for files of another format and for exceeded limits; other faults cost only
/// their part, with a warning.
pub fn parse_model(
    bytes: &[u8],
    rate_hz: Option<f64>,
    options: &LoadOptions,
) -> Result<Loaded<B3dModel>, ModelFormatError> {
    let mut told = Told::default();
    let file = file::read(bytes, &mut told, options)?;
    let (skeleton, names) = build_skeleton(&file)?;
    let materials = material::build(&file, &mut told);
    let meshes = mesh::build(&file, &skeleton, &materials, (bytes.len(), options), &mut told)?;
    let rate_hz = motion::rate(&file, rate_hz)?;
    let clips = motion::build(&file, &names, (rate_hz.value, bytes.len(), options), &mut told)?;
    let parts = FileParts { lacks_meshes: file.meshes.is_empty(), ..FileParts::default() };
    let materials = materials.into_iter().map(|own| own.material).collect();
    let Loaded { value: model, warnings } = node_model(skeleton, (meshes, materials), parts, told);
    Ok(Loaded { value: B3dModel { model, clips, rate_hz }, warnings })
}

/// True if a file begins like B3D.
#[must_use]
pub fn looks_like_b3d(bytes: &[u8]) -> bool {
    bytes.starts_with(file::MAGIC)
}

/// The joints of all nodes, and their names, each once.
fn build_skeleton(file: &B3dFile) -> Result<(Skeleton, Vec<String>), ModelFormatError> {
    let mut joints = NodeJoints::default();
    for (index, Node { name, parent, pose, .. }) in file.nodes.iter().enumerate() {
        joints.push((name, "node", index), *parent, (pose.matrix(), *pose));
    }
    let skeleton = joints.finish()?;
    let names = skeleton.joints().iter().map(|joint| joint.name.clone()).collect();
    Ok((skeleton, names))
}
