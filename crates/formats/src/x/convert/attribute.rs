//! Child objects of a `Mesh` besides vertices and faces: normals, texture coordinates, colours, and
//! the materials of faces.

use super::axes::our_point;
use super::material::{Materials, linear_part};
use super::part::{Budget, part, resolve};
use super::polygon::Faces;
use super::values::{Values, or_warn};
use super::vertex::{Packed, read_declaration, read_flexible};
use crate::x::error::XError;
use crate::x::tree::{Child, Document, Object, ObjectIndex, label};
use tintype_base::amount::counted_as;
use tintype_model::math::{Vec2, Vec3, Vec4};
use tintype_model::{FileRepair, Warning};

/// The normals of the corners, if the file has any.
pub(super) enum Normals {
    None,
    /// Separate polygons for the values.
    ByCorner {
        values: Vec<Vec3>,
        faces: Faces,
        is_good: Vec<bool>,
    },
    ByVertex(Vec<Vec3>),
}

impl Normals {
    pub(super) fn read(
        document: &Document,
        mesh: ObjectIndex,
        mesh_faces: &Faces,
        packed: Vec<Vec3>,
        warnings: &mut Vec<Warning>,
    ) -> Result<Self, XError> {
        let by_vertex =
            || if packed.is_empty() { Self::None } else { Self::ByVertex(packed.clone()) };
        let Some(index) = part(document, mesh, "MeshNormals") else { return Ok(by_vertex()) };
        let object = document.object(index);
        let mut values = Values::new(document, object);
        let mut normals = Vec::new();
        let count = values.count("the count of normals", 3);
        for _ in 0..or_warn(count, "normals are computed", warnings)? {
            values.before(3)?;
            let [x, y, z] = [values.lenient(), values.lenient(), values.lenient()];
            normals.push(our_point([x, y, z]));
        }
        if normals.is_empty() {
            return Ok(by_vertex());
        }
        let cost = "shaded with computed normals";
        let faces = Faces::read(&mut values, normals.len(), "normals", cost, warnings)?;
        let is_good: Vec<bool> = (0..mesh_faces.len())
            .map(|face| faces.face(face).len() == mesh_faces.face(face).len())
            .collect();
        let bad = is_good.iter().filter(|&&good| !good).count();
        if bad > faces.left_out && !object.is_mended {
            warnings.push(object.position.fault(FileRepair::WrongShape, &format!(
                "{}: the normals of {bad} of {} faces do not match their corners and are computed",
                label(document.object(mesh)),
                mesh_faces.len()
            )));
        }
        Ok(Self::ByCorner { values: normals, faces, is_good })
    }

    /// The normal of a corner; zero if there is none.
    pub(super) fn at(&self, face: usize, corner: usize, vertex: u32) -> Vec3 {
        let found = match self {
            Self::None => None,
            Self::ByVertex(values) => values.get(vertex as usize),
            Self::ByCorner { values, faces, is_good } => is_good
                .get(face)
                .filter(|&&good| good)
                .and_then(|_| faces.face(face).get(corner))
                .and_then(|&normal| values.get(normal as usize)),
        };
        // A direction too short to normalize counts as missing, and -0 as 0.
        found
            .filter(|normal| normal.length_squared() > 1e-30)
            .map_or(Vec3::ZERO, |&n| n + Vec3::ZERO)
    }
}

pub(super) fn read_packed(
    document: &Document,
    mesh: ObjectIndex,
    vertices: usize,
    warnings: &mut Vec<Warning>,
) -> Result<Packed, XError> {
    let mut packed = Packed::default();
    let mut fill = |more: Packed| {
        if packed.normals.is_empty() {
            packed.normals = more.normals;
        }
        if packed.texcoords.is_empty() {
            packed.texcoords = more.texcoords;
        }
        if packed.colors.is_empty() {
            packed.colors = more.colors;
        }
        packed.texcoord_sets = packed.texcoord_sets.max(more.texcoord_sets);
    };
    if let Some(index) = part(document, mesh, "DeclData") {
        let declaration = read_declaration(document, index, vertices, warnings);
        fill(or_warn(declaration, "the DeclData is skipped", warnings)?);
    }
    if let Some(index) = part(document, mesh, "FVFData") {
        let flexible = read_flexible(document, index, vertices, warnings);
        fill(or_warn(flexible, "the FVFData is skipped", warnings)?);
    }
    if let Some(index) = part(document, mesh, "VertexDuplicationIndices") {
        // The vertices duplicated by a tool do not affect the picture.
        let read = check_originals(document, index, vertices);
        or_warn(read, "it does not affect the picture", warnings)?;
    }
    Ok(packed)
}

fn check_originals(document: &Document, index: ObjectIndex, vertices: usize) -> Result<(), XError> {
    let mut values = Values::new(document, document.object(index));
    let count = values.count("the count of indices", 1)?;
    values.skip(1); // how many vertices there were before
    for _ in 0..count.min(values.left()) {
        values.index("an original vertex", vertices, "vertices")?;
    }
    Ok(())
}

pub(super) fn read_texcoords(
    document: &Document,
    mesh: ObjectIndex,
    vertices: usize,
    packed: Vec<Vec2>,
    warnings: &mut Vec<Warning>,
) -> Result<Vec<Vec2>, XError> {
    let Some(index) = part(document, mesh, "MeshTextureCoords") else { return Ok(packed) };
    let object = document.object(index);
    let mut values = Values::new(document, object);
    let mut texcoords = Vec::new();
    let count = values.count("the count of texture coordinates", 2);
    let count = or_warn(count, "they are skipped", warnings)?;
    for _ in 0..count.min(vertices) {
        values.before(2)?;
        #[expect(clippy::cast_possible_truncation, reason = "the nearest f32 of at most 1e9")]
        texcoords.push(Vec2::new(values.lenient() as f32, values.lenient() as f32));
    }
    if count != vertices && count > 0 {
        warnings.push(object.position.fault(
            FileRepair::WrongShape,
            &format!(
                "{}: {count} texture coordinates for {vertices} vertices",
                label(document.object(mesh))
            ),
        ));
    }
    Ok(if texcoords.is_empty() { packed } else { texcoords })
}

/// The colours of the vertices in linear light. None if no vertex has one.
pub(super) fn read_colors(
    document: &Document,
    mesh: ObjectIndex,
    vertices: usize,
    packed: Vec<Vec4>,
    warnings: &mut Vec<Warning>,
) -> Result<Vec<Vec4>, XError> {
    let mut colors = packed;
    if let Some(index) = part(document, mesh, "MeshVertexColors") {
        let object = document.object(index);
        let mut values = Values::new(document, object);
        let count = values.count("the count of colours", 5);
        let count = or_warn(count, "they are skipped", warnings)?;
        if count > 0 {
            colors = vec![Vec4::ONE; vertices];
        }
        let mut lost = 0;
        for _ in 0..count {
            values.before(5)?;
            let vertex = values.peek(0).filter(|number| number.fract() == 0.0);
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "what is out of range becomes the nearest, which no mesh has"
            )]
            let vertex = vertex.map_or(usize::MAX, |number| number as usize);
            values.skip(1);
            #[expect(clippy::cast_possible_truncation, reason = "the nearest f32 of at most 1e9")]
            let [r, g, b, a] = [0; 4].map(|_: i32| values.lenient() as f32);
            match colors.get_mut(vertex) {
                Some(color) => *color = Vec4::new(r, g, b, a),
                None => lost += 1,
            }
        }
        if lost > 0 {
            warnings.push(object.position.fault(FileRepair::BadReference, &format!(
                "{}: {lost} of {count} colours are for vertices beyond the {vertices} available",
                label(document.object(mesh))
            )));
        }
    }
    for color in &mut colors {
        let [r, g, b] = [color.x, color.y, color.z].map(linear_part);
        *color = Vec4::new(r, g, b, tintype_model::math::clamp(color.w, 0.0, 1.0));
    }
    Ok(colors)
}

/// The names of a mesh's materials, and the index of the material of each face.
pub(super) fn read_materials(
    document: &Document,
    mesh: ObjectIndex,
    faces: usize,
    materials: &mut Materials,
    budget: &mut Budget,
    warnings: &mut Vec<Warning>,
) -> Result<(Vec<String>, Vec<u32>), XError> {
    let Some(index) = part(document, mesh, "MeshMaterialList") else {
        return Ok((Vec::new(), vec![0; faces]));
    };
    let object = document.object(index);
    let names = read_material_names(document, object, materials, budget, warnings)?;
    let mut values = Values::new(document, object);
    let declared = match values.left() {
        0 => Ok(0),
        _ => values.whole("the count of materials"),
    };
    let declared = or_warn(declared, "they are counted", warnings)?;
    values.go_to(1);
    if declared != names.len() {
        warnings.push(object.position.fault(
            FileRepair::CountMismatch,
            &format!(
                "{} declares {}, but has {}",
                label(object),
                counted_as(declared, "material", "materials"),
                names.len()
            ),
        ));
    }
    let mut of_face: Vec<u32> = Vec::new();
    let count = values.count("the count of face indices", 1);
    let count = or_warn(count, "all faces use the first material", warnings)?;
    let (mut lost, mut first) = (0, None);
    for at in values.at()..values.at() + count.min(faces) {
        values.go_to(at);
        // A list without any material may still number its faces.
        of_face.push(match names.len() {
            0 => 0,
            materials => values
                .index("the material of a face", materials, "materials")
                .unwrap_or_else(|error| {
                    lost += 1;
                    first.get_or_insert(error);
                    u32::try_from(materials - 1).unwrap_or(0)
                }),
        });
    }
    if let Some(error) = first {
        let cost = format!("{} the last material", counted_as(lost, "face takes", "faces take"));
        or_warn(Err::<(), _>(error), &cost, warnings)?;
    }
    let last = of_face.last().copied().unwrap_or(0);
    of_face.resize(faces, last);
    Ok((names, of_face))
}

/// The names of the materials of a list; that of a missing one is empty.
fn read_material_names(
    document: &Document,
    list: &Object,
    materials: &mut Materials,
    budget: &mut Budget,
    warnings: &mut Vec<Warning>,
) -> Result<Vec<String>, XError> {
    let mut names = Vec::new();
    for child in &list.children {
        let found = match child {
            Child::Object(part) => Some(*part).filter(|&part| document.object(part).is("Material")),
            Child::Reference(reference) => {
                let found = resolve(document, reference, &["Material"]);
                if found.is_none() {
                    let message = format!("no Material {:?}; drawn plain", reference.name);
                    warnings.push(reference.position.fault(FileRepair::NoMaterial, &message));
                    names.push(String::new());
                }
                found
            }
        };
        if let Some(part) = found {
            names.push(materials.name_of(document, part, budget, warnings)?);
        }
    }
    Ok(names)
}
