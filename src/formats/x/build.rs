//! The object tree of a file becomes a [`Model`] and its clips, in our axes.
//!
//! Input: a [`Document`]. Output: an [`XModel`]. `frame` makes the skeleton; `mesh` the meshes with the help of `attribute`,
//! `vertex`, `polygon` and `skin`; `material` and `effect` the materials; `animation` the clips with the help of `motion`, `key` and `ticks`.
//! `values` reads numbers. Nothing here knows how the file is encoded.
//!
//! # Conventions
//! - **Axes**: the file is left-handed with +Y up; `(x, y, z)` becomes `(x, y, -z)`. With `F` for that change, a transform `A`
//!   of the file becomes `F A F`, so that every space of the file has its counterpart here.
//! - **Matrices**: sixteen numbers, row by row, for row vectors, the translation in the last row. Read as columns they are our
//!   matrices.
//! - **Winding**: front faces are clockwise in the file. The order of corners is reversed here once, whatever the matrices do.
//! - **Rotation**: a key holds `w, x, y, z` of the turn against the sense of the file's matrices, so that its conjugate is the
//!   file's turn, and `(x, y, -z, w)` ours.
//! - **Skin**: a vertex of the mesh goes through `offset` into the space of a joint. The frame that contains the mesh does
//!   not move it then; without any weight it does.
//! - **Colour**: materials and vertex colours are taken as sRGB, like textures: the pipeline that they were made for computed
//!   with encoded values. Alpha is linear.
//! - **Front**: -Z of the file, which is +Z here.

mod animation;
mod attribute;
mod effect;
mod frame;
mod key;
mod material;
mod mesh;
mod motion;
mod notes;
mod part;
mod polygon;
mod skin;
mod ticks;
mod values;
mod vertex;

#[cfg(test)]
mod tests;

pub use ticks::{TickRate, TickRule};

use super::error::XError;
use super::tree::Document;
use crate::formats::{LoadOptions, Loaded};
use crate::math::{Affine3, Mat3, Vec3};
use crate::model::{Model, NamedClip, Warning};

/// Contents of a `.x` file.
#[derive(Clone, Debug)]
pub struct XModel {
    /// One joint a frame, in file order, and the meshes; a file of clips has no mesh.
    pub model: Model,
    /// One clip an animation set, in file order. They move joints by the names of frames, so they fit other models too.
    pub clips: Vec<NamedClip>,
    /// Ticks per second.
    pub ticks: TickRate,
}

/// Converts a document to a model; `ticks_per_second` replaces the tick rate of the file.
pub(super) fn build(
    mut document: Document,
    ticks_per_second: Option<f64>,
    options: &LoadOptions,
) -> Result<Loaded<XModel>, XError> {
    let mut warnings: Vec<Warning> = std::mem::take(&mut document.warnings);
    let frames = frame::build_frames(&document, options)?;
    let mut materials = material::Materials::default();
    // Side by side: neither knows of the other. Errors of meshes are reported first.
    let mut of_clips = Vec::new();
    let (meshes, clips) = rayon::join(
        || mesh::build_meshes(&document, &frames, &mut materials, options, &mut warnings),
        || animation::build_clips(&document, &frames, ticks_per_second, options, &mut of_clips),
    );
    let (meshes, (clips, ticks)) = (meshes?, clips?);
    warnings.append(&mut of_clips);
    tell_left_out(&document, &mut warnings);
    warnings.sort_by_key(|warning| warning.line);
    let model =
        Model { skeleton: frames.skeleton, meshes, materials: materials.list, front: Vec3::Z };
    Ok(Loaded { value: XModel { model, clips, ticks }, warnings })
}

/// Warns of visible objects of kinds that are not supported.
fn tell_left_out(document: &Document, warnings: &mut Vec<Warning>) {
    const LEFT_OUT: [(&str, &str); 5] = [
        ("CompressedAnimationSet", "its motion is left out; export it without compression"),
        ("PatchMesh", "patches are not drawn; export it as triangles"),
        ("PatchMesh9", "patches are not drawn; export it as triangles"),
        ("ProgressiveMesh", "it is not drawn; export it as a plain mesh"),
        ("ExternalVisual", "what stands outside of the file is not drawn"),
    ];
    for (template, message) in LEFT_OUT {
        let mut found = document.objects.iter().filter(|object| object.is(template));
        if let Some(first) = found.next() {
            let count = counted(found.count() + 1, "object", "objects");
            let message = format!("{count} of the kind {template} not supported: {message}");
            warnings.push(first.position.warning(&message));
        }
    }
}

/// A point of the file in our axes.
#[expect(clippy::cast_possible_truncation, reason = "the nearest f32 of a number up to 1e9")]
fn our_point(point: [f64; 3]) -> Vec3 {
    let [x, y, z] = point;
    Vec3::new(x as f32, y as f32, -z as f32)
}

/// A transform of the file, given as rows for row vectors, in our axes and for column vectors.
fn our_transform(rows: &[[f64; 4]; 4]) -> Affine3 {
    let [x, y, z, position] = rows.map(|[x, y, z, _]| our_point([x, y, z]));
    Affine3 { matrix3: Mat3::from_cols(x, y, -z), translation: position }
}

/// A count with its noun.
fn counted(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}
