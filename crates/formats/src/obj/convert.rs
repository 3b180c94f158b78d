//! Converts the mirror of a file to a [`Model`] of one joint.

use super::file::{Corner, Face, ObjFile};
use super::mtl::{linear, plain};
use crate::corner_mesh::check_corners;
use crate::polygon::Cutter;
use crate::shade::{Shaded, ShadedFace};
use crate::{FilePlace, LoadOptions, ModelFormatError};
use std::collections::{BTreeMap, HashMap};
use tintype_base::deadline::{TimedOut, Watch};
use tintype_model::math::{Affine3, Vec2, Vec3, Vec4};
use tintype_model::{
    BindInfluence, BindSpaceMesh, FileMaterial, FileParts, FileRepair, Joint, JointIndex, Mesh,
    Model, Skeleton, TextureCoordinates, TextureRole, Warning,
};

/// Corners between two checks of the deadline.
const STEPS: u32 = 1 << 14;
/// Name of the only joint, and of meshes and materials without a name.
const ROOT: &str = "root";
const PLAIN: &str = "default";

/// Builds the model.
///
/// # Errors
/// [`ModelFormatError::TimedOut`], or [`ModelFormatError::Limit`] for too many corners.
pub(super) fn build(
    file: &ObjFile,
    mut known: BTreeMap<String, FileMaterial>,
    options: &LoadOptions,
    warnings: &mut Vec<Warning>,
) -> Result<Model, ModelFormatError> {
    check_corners(file.corners.len(), FilePlace::Line(1), options)?;
    let mut watch = options.deadline.watch("building meshes", STEPS);
    let root = Joint { name: ROOT.to_owned(), parent: None, model_from_joint: Affine3::IDENTITY };
    let skeleton = Skeleton::try_new(vec![root]).map_err(|error| {
        ModelFormatError::value(FilePlace::Line(1), "the joint of the model", error, "one joint")
    })?;
    let normals = missing_normals(file, &mut watch)?;
    let mut faces: Vec<Vec<Face>> = vec![Vec::new(); file.parts.len()];
    for face in &file.faces {
        if let Some(part) = faces.get_mut(face.part as usize) {
            part.push(*face);
        }
    }
    let mut cutter = Cutter::new(&options.deadline);
    let has_library = !file.libraries.is_empty() || !known.is_empty();
    let mut materials: Vec<FileMaterial> = Vec::new();
    let mut meshes = Vec::new();
    for (part, faces) in file.parts.iter().zip(&faces) {
        let material = part.material.as_deref().unwrap_or(PLAIN);
        if !materials.iter().any(|own| own.name == material) {
            let own = known.remove(material).unwrap_or_else(|| {
                if let Some(name) = part.material.as_ref().filter(|_| has_library) {
                    let message = format!("no material file has {name:?}; it is drawn plain");
                    warnings.push(FileRepair::NoMaterial.told(message));
                }
                plain(material)
            });
            materials.push(own);
        }
        let name = if part.name.is_empty() { PLAIN } else { &part.name };
        let bind = Builder { file, normals: &normals, watch: &mut watch, cutter: &mut cutter }
            .mesh(name, material, faces)?;
        let own = materials.iter().find(|own| own.name == material);
        let tangent_texcoords = own.map(|own| relief_texcoords(own, &bind)).unwrap_or_default();
        let keeps_splits = options.keeps_splits;
        let bind = BindSpaceMesh { keeps_splits, tangent_texcoords, ..bind };
        meshes.push(Mesh::from_bind_space(bind, &skeleton, &options.deadline)?);
    }
    if meshes.is_empty() {
        warnings.push(FileRepair::Empty.told("it has no faces: nothing is drawn"));
    }
    let given_up = cutter.given_up_message();
    warnings.extend(given_up.map(|message| FileRepair::LargePolygon.told(message)));
    Ok(Model {
        skeleton,
        meshes,
        materials,
        pictures: Vec::new(),
        front: Vec3::Z,
        parts: FileParts::default(),
    })
}

/// The texture coordinates of the normal map of a material; empty if they are those of the mesh.
fn relief_texcoords(material: &FileMaterial, bind: &BindSpaceMesh) -> Vec<Vec2> {
    let places = material.coordinates.as_ref();
    let relief = places.and_then(|all| all.get(TextureRole::Normal as usize).copied().flatten());
    let along = |relief: TextureCoordinates| bind.texcoords.iter().map(move |at| relief.point(*at));
    relief.into_iter().flat_map(along).collect()
}

/// The normal of each corner without one.
fn missing_normals(file: &ObjFile, watch: &mut Watch) -> Result<Vec<Option<Vec3>>, TimedOut> {
    let of_face =
        |&Face { first, count, smoothing, .. }: &Face| ShadedFace { first, count, smoothing };
    let faces: Vec<ShadedFace> = file.faces.iter().map(of_face).collect();
    let corner = |place: usize| {
        let corner = file.corners.get(place);
        corner.map_or((u32::MAX, true), |corner| (corner.position, corner.normal.is_some()))
    };
    let corners = file.corners.len();
    Shaded { positions: &file.positions, faces: &faces, corners, corner: &corner }
        .missing_normals(watch)
}

/// Builder of one mesh.
struct Builder<'b> {
    file: &'b ObjFile,
    /// Normals of corners without one.
    normals: &'b [Option<Vec3>],
    watch: &'b mut Watch,
    cutter: &'b mut Cutter,
}

impl Builder<'_> {
    fn mesh(
        &mut self,
        name: &str,
        material: &str,
        faces: &[Face],
    ) -> Result<BindSpaceMesh, ModelFormatError> {
        let mut bind = BindSpaceMesh {
            name: name.to_owned(),
            material_name: material.to_owned(),
            influence_start: vec![0],
            offsets: vec![Affine3::IDENTITY],
            ..BindSpaceMesh::default()
        };
        // Corners that agree in all indices, and in a computed normal, are one vertex.
        let mut known: HashMap<(Corner, [u32; 3]), u32> = HashMap::new();
        for face in faces {
            self.watch.take(face.count as usize)?;
            let mut polygon = Vec::new();
            let mut vertices = Vec::new();
            for place in face.first..face.first.saturating_add(face.count) {
                let Some(&corner) = self.file.corners.get(place as usize) else { continue };
                let normal = self.normal(corner, place as usize);
                let made = if corner.normal.is_some() { Vec3::ZERO } else { normal };
                let next = u32::try_from(bind.positions.len()).unwrap_or(u32::MAX);
                let key = (corner, made.to_array().map(f32::to_bits));
                let vertex = *known.entry(key).or_insert(next);
                if vertex == next {
                    self.vertex(corner, normal, &mut bind);
                }
                vertices.push(vertex);
                polygon.extend(bind.positions.get(vertex as usize));
            }
            let triangles = &mut bind.triangles;
            self.cutter.cut(&polygon, |corners| {
                let corner = |index: usize| vertices.get(index).copied().unwrap_or_default();
                triangles.push(corners.map(corner));
            })?;
        }
        Ok(bind)
    }

    fn normal(&self, corner: Corner, place: usize) -> Vec3 {
        let given =
            corner.normal.and_then(|normal| self.file.normals.get(normal as usize).copied());
        let made = || self.normals.get(place).copied().flatten().unwrap_or_default();
        given.unwrap_or_else(made)
    }

    fn vertex(&self, corner: Corner, normal: Vec3, bind: &mut BindSpaceMesh) {
        let file = self.file;
        bind.positions.extend(file.positions.get(corner.position as usize));
        bind.normals.push(normal);
        let texcoord = corner.texcoord.and_then(|at| file.texcoords.get(at as usize));
        // The file counts from the lower left corner.
        bind.texcoords.push(texcoord.map_or(Vec2::ZERO, |at| Vec2::new(at.x, 1.0 - at.y)));
        if !file.colors.is_empty() {
            let encoded = file.colors.get(corner.position as usize).copied().unwrap_or(Vec3::ONE);
            let color = linear(encoded);
            bind.colors.push(Vec4::new(color.r, color.g, color.b, 1.0));
        }
        bind.influences.push(BindInfluence { joint: JointIndex(0), weight: 1.0, offset: 0 });
        bind.influence_start.push(u32::try_from(bind.influences.len()).unwrap_or(u32::MAX));
    }
}
