//! PLY (`.ply`): meshes of the Stanford polygon format, as text and as binary in either byte order.
//!
//! `header` reads the declarations of a file, `data` its numbers, `file` mirrors vertices and
//! faces, and this file makes the model.
//!
//! # Conventions
//! - **Axes** are ours: right-handed, +Y up, as in Stanford's models and most viewers. The front is
//!   taken to be +Z.
//! - **Winding**: front faces are counter-clockwise. Texture coordinates have their origin in the
//!   lower left corner.
//! - **Colour**: sRGB, of vertices or of faces.
//! - **Normals** are those of the vertices; without them, edges of less than 60 degrees are smooth.
//!
//! # Source
//! Greg Turk, "The PLY Polygon File Format", 1994; names of other properties as written by MeshLab
//! and Blender.

mod data;
mod file;
mod header;

#[cfg(test)]
mod tests;

use crate::corner_mesh::{
    Corner, CornerMesh, check_meshes, first_equal, plain_material, still_model,
};
use crate::names::Names;
use crate::polygon::Cutter;
use crate::shade::{Shaded, ShadedFace, Smoothing};
use crate::told::Told;
use crate::{FilePlace, LoadOptions, Loaded, ModelFormatError};
use file::{Face, PlyFile};
use tintype_base::deadline::Watch;
use tintype_model::math::{Affine3, Vec2, Vec3};
use tintype_model::{FileMaterial, FileRepair, JointIndex, Model};

pub use header::looks_like_ply;

/// Corners between two checks of the deadline.
const STEPS: u32 = 1 << 14;
/// Name of the only mesh of files without textures.
const NAMELESS: &str = "mesh";

/// Reads a file into its model.
///
/// # Errors
/// [`ModelFormatError`] for files of another format or without faces (point clouds), and for
/// exceeded limits; other faults cost only their part, with a warning.
pub fn parse_model(bytes: &[u8], options: &LoadOptions) -> Result<Loaded<Model>, ModelFormatError> {
    let (mut told, mut warnings) = (Told::default(), Vec::new());
    let file = file::read(bytes, &mut told, options)?;
    told.finish(&mut warnings);
    let mut watch = options.deadline.watch("building meshes", STEPS);
    let normals = missing_normals(&file, options, &mut watch)?;
    let mut names = Names::default();
    let mut materials: Vec<FileMaterial> = Vec::new();
    for texture in &file.textures {
        let name = names.unique(Some(texture), "texture", materials.len());
        let diffuse = Some(texture.clone());
        materials.push(FileMaterial { diffuse, ..FileMaterial::plain(name) });
    }
    if materials.is_empty() {
        let has_colors =
            !file.colors.is_empty() || file.faces.iter().any(|face| face.color.is_some());
        materials.push(plain_material(has_colors));
    }
    check_meshes(materials.len(), FilePlace::Byte(0), options)?;
    let empty = |material: &FileMaterial| {
        let name = if file.textures.is_empty() { NAMELESS } else { &material.name };
        CornerMesh::new(name, &material.name, JointIndex(0), Affine3::IDENTITY)
    };
    let mut meshes: Vec<CornerMesh> = materials.iter().map(empty).collect();
    let last = meshes.len() - 1;
    let mut cutter = Cutter::new(&options.deadline);
    for (number, face) in (0_u32..).zip(&file.faces) {
        watch.take(face.count)?;
        let corners: Vec<Corner> = (face.first..face.first + face.count)
            .map(|place| corner(&file, face, place, normals.get(place).copied().flatten()))
            .collect();
        let polygon: Vec<Vec3> = corners.iter().map(|corner| corner.position).collect();
        let at = |corner: usize| corners.get(corner).copied().unwrap_or_default();
        let Some(mesh) = meshes.get_mut(face.texture.min(last)) else { continue };
        cutter.cut(&polygon, |cut| mesh.triangle(number, cut.map(at)))?;
    }
    let given_up = cutter.given_up_message();
    warnings.extend(given_up.map(|message| FileRepair::LargePolygon.told(message)));
    meshes.retain(|mesh| !mesh.is_empty());
    let model = still_model(meshes, materials, Affine3::IDENTITY, options)?;
    Ok(Loaded { value: model, warnings })
}

/// The corner of a face, with the computed normal if its vertex has none.
fn corner(file: &PlyFile, face: &Face, place: usize, made: Option<Vec3>) -> Corner {
    let point = file.corners.get(place).copied().unwrap_or_default();
    let at = point as usize;
    let texcoord = match file.wedges.get(place) {
        Some(own) if face.has_wedges => *own,
        _ => file.texcoords.get(at).copied().unwrap_or_default(),
    };
    Corner {
        point,
        position: file.positions.get(at).copied().unwrap_or_default(),
        normal: made.or_else(|| file.normals.get(at).copied()).unwrap_or_default(),
        // The file counts from the lower left corner.
        texcoord: Vec2::new(texcoord.x, 1.0 - texcoord.y),
        color: face.color.or_else(|| file.colors.get(at).copied()),
    }
}

/// Normals of corners whose vertices have none.
fn missing_normals(
    file: &PlyFile,
    options: &LoadOptions,
    watch: &mut Watch,
) -> Result<Vec<Option<Vec3>>, ModelFormatError> {
    let number = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
    let of_face = |face: &Face| ShadedFace {
        first: number(face.first),
        count: number(face.count),
        smoothing: Smoothing::Unsaid,
    };
    let faces: Vec<ShadedFace> = file.faces.iter().map(of_face).collect();
    let first = first_equal(&file.positions, options);
    let corner = |place: usize| {
        let point = file.corners.get(place).map_or(usize::MAX, |point| *point as usize);
        let has_normal = file.normals.get(point).is_some_and(|normal| *normal != Vec3::ZERO);
        (first.get(point).copied().unwrap_or(u32::MAX), has_normal)
    };
    let corners = file.corners.len();
    let shaded = Shaded { positions: &file.positions, faces: &faces, corners, corner: &corner };
    Ok(shaded.missing_normals(watch)?)
}
