//! Inter-Quake Model (`.iqm`), version 2: models with skins and clips.
//!
//! `table` provides checked ranges of the file, `mesh` reads vertex arrays and triangles, `joint`
//! the skeleton, `animation` clips.
//!
//! # Conventions
//! - **Axes**: right-handed, +Z up, as in Blender and the engines of the Quake family: `(x, y, z)`
//!   becomes `(x, z, -y)`. The front is -Y of the file.
//! - **Winding**: front faces are clockwise in the file; the index order is reversed here.
//! - **Texture coordinates** have their origin in the upper left corner.
//!
//! # Source
//! Lee Salzman, "Inter-Quake Model format", `iqm.txt`, version 2.

mod animation;
pub(crate) mod joint;
mod mesh;
mod table;

#[cfg(test)]
mod tests;

pub(crate) use animation::closes;

use super::{LoadOptions, Loaded, ModelFormatError};
use tintype_model::math::Vec3;
use tintype_model::{FileParts, Model, NamedClip};

/// Contents of a file.
#[derive(Clone, Debug)]
pub struct IqmModel {
    /// The model; without meshes in a file of clips.
    pub model: Model,
    /// Its animations, in file order.
    pub clips: Vec<NamedClip>,
}

/// Reads a file into its model and its clips.
///
/// # Errors
/// [`ModelFormatError`] with the byte of the first mistake.
pub fn parse_model(
    bytes: &[u8],
    options: &LoadOptions,
) -> Result<Loaded<IqmModel>, ModelFormatError> {
    let mut warnings = Vec::new();
    let file = table::File::new(bytes)?;
    let joints = joint::read_joints(&file)?;
    let meshes = mesh::read_meshes(&file, &joints, options, &mut warnings)?;
    let clips = animation::read_clips(&file, &joints, options, &mut warnings)?;
    let model = Model {
        skeleton: joints.skeleton,
        meshes,
        materials: Vec::new(),
        pictures: Vec::new(),
        front: Vec3::Z,
        parts: FileParts::default(),
    };
    Ok(Loaded { value: IqmModel { model, clips }, warnings })
}

/// True if a file begins like IQM.
#[must_use]
pub fn looks_like_iqm(bytes: &[u8]) -> bool {
    bytes.starts_with(table::MAGIC)
}
