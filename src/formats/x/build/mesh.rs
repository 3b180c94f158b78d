//! `Mesh` objects become meshes, one a material.

use super::frame::{Frames, all, object_in};
use super::material::{Materials, linear_part};
use super::polygon::Cutter;
use super::skin::{Skin, read_skin};
use super::values::{Values, label};
use super::vertex::{Packed, read_declaration, read_flexible};
use crate::formats::Limits;
use crate::formats::x::error::XError;
use crate::formats::x::tree::{Child, Document, ObjectIndex};
use crate::math::{Vec2, Vec3, Vec4};
use crate::model::{BindMesh, JointIndex, Mesh, Warning};
use std::collections::{BTreeSet, HashMap};

/// The bytes of file that a value stands for, when what a file may expand to is held to its size.
const BYTES_PER_VALUE: usize = 16;

/// Polygons: runs of indices.
#[derive(Default)]
struct Faces {
    /// Where each polygon starts; one entry more than polygons.
    start: Vec<usize>,
    corners: Vec<u32>,
}

impl Faces {
    /// Reads a count, and for each polygon a count and as many indices below `count`.
    fn read(values: &mut Values<'_>, count: usize, noun: &str) -> Result<Self, XError> {
        let mut faces = Self { start: vec![0], corners: Vec::new() };
        for _ in 0..values.count("the count of faces", 1)? {
            for _ in 0..values.count("the count of a face's corners", 1)? {
                faces.corners.push(values.index("a corner of a face", count, noun)?);
            }
            faces.start.push(faces.corners.len());
        }
        Ok(faces)
    }

    fn len(&self) -> usize {
        self.start.len().saturating_sub(1)
    }

    fn face(&self, face: usize) -> &[u32] {
        match (self.start.get(face), self.start.get(face + 1)) {
            (Some(&from), Some(&to)) => self.corners.get(from..to).unwrap_or_default(),
            _ => &[],
        }
    }
}

/// Makes all meshes of a document, in file order.
///
/// A mesh outside of all frames that a frame refers to stands in that frame.
///
/// # Errors
/// [`XError`] with the place of an index out of range, or of a number that is missing.
pub(super) fn build_meshes(
    document: &Document,
    frames: &Frames,
    materials: &mut Materials,
    limits: &Limits,
    warnings: &mut Vec<Warning>,
) -> Result<Vec<Mesh>, XError> {
    let values: usize = document.objects.iter().map(|object| object.values.len()).sum();
    let most_influences = limits.max_influences(values.saturating_mul(BYTES_PER_VALUE));
    let mut meshes = Vec::new();
    let mut influences = 0_usize;
    let mut cutter = Cutter::default();
    for (index, joint) in placements(document, frames) {
        if meshes.len() >= limits.max_meshes {
            return Err(XError::Limit {
                place: document.object(index).place,
                what: "meshes".into(),
                found: meshes.len() + 1,
                limit: limits.max_meshes,
            });
        }
        let (bind, shaders, materials_of) =
            build_mesh(document, index, joint, frames, materials, &mut cutter, warnings, |more| {
                influences = influences.saturating_add(more);
                (influences <= most_influences).then_some(()).ok_or(XError::Limit {
                    place: document.object(index).place,
                    what: "influences of all corners".into(),
                    found: influences,
                    limit: most_influences,
                })
            })?;
        let whole = Mesh::in_bind_space(bind, &frames.skeleton);
        let used: BTreeSet<u32> = materials_of.iter().copied().collect();
        match used.len() {
            0 | 1 => meshes.push(whole),
            _ => meshes.extend(used.into_iter().map(|material| {
                let shader = shaders.get(material as usize).map_or("", String::as_str);
                whole.part(shader, &|triangle| materials_of.get(triangle) == Some(&material))
            })),
        }
    }
    Ok(meshes)
}

/// Where each mesh stands: once in its frame, and once in each frame that refers to it.
fn placements(document: &Document, frames: &Frames) -> Vec<(ObjectIndex, JointIndex)> {
    let mut placed = Vec::new();
    let mut referred = BTreeSet::new();
    for index in all(document).filter(|&index| document.object(index).is("Frame")) {
        for child in &document.object(index).children {
            if let Child::Reference(reference) = child
                && let Some(mesh) = document.resolve(reference)
                && document.object(mesh).is("Mesh")
                && let Some(joint) = frames.joint(index)
            {
                placed.push((mesh, joint));
                referred.insert(mesh);
            }
        }
    }
    let standing = all(document).filter(|&index| document.object(index).is("Mesh"));
    placed.extend(standing.filter_map(|mesh| {
        let is_template = referred.contains(&mesh) && document.object(mesh).parent.is_none();
        let joint = frames.around(document, mesh)?;
        (!is_template).then_some((mesh, joint))
    }));
    placed.sort_by_key(|&(mesh, _)| mesh); // stable: the frames of one mesh stay in file order
    placed
}

type Built = (BindMesh, Vec<String>, Vec<u32>);

#[expect(
    clippy::too_many_arguments,
    reason = "the state of one pass over a file, named at its only call"
)]
/// The mesh before it is cut by material; the names of its materials; and the material of each triangle.
fn build_mesh(
    document: &Document,
    index: ObjectIndex,
    own: JointIndex,
    frames: &Frames,
    materials: &mut Materials,
    cutter: &mut Cutter,
    warnings: &mut Vec<Warning>,
    mut allow: impl FnMut(usize) -> Result<(), XError>,
) -> Result<Built, XError> {
    // 1. Vertices and faces.
    let object = document.object(index);
    let mut values = Values::new(document, object);
    let mut positions = Vec::new();
    for _ in 0..values.count("the count of vertices", 3)? {
        positions.push(values.point("a vertex")?);
    }
    let count = positions.len();
    let faces = Faces::read(&mut values, count, "vertices")?;

    // 2. What belongs to them.
    let skin = read_skin(document, index, count, own, frames, warnings)?;
    let packed = read_packed(document, index, count, warnings)?;
    let normals = Normals::read(document, index, &faces, packed.normals, warnings)?;
    let texcoords = read_texcoords(document, index, count, packed.texcoords, warnings)?;
    let colors = read_colors(document, index, count, packed.colors, warnings)?;
    let (shaders, material_of_face) =
        read_materials(document, index, faces.len(), materials, warnings)?;

    // 3. Triangles; the corners' order is turned over for our handedness.
    let corner_influences = faces.corners.iter().map(|&vertex| skin.of(vertex as usize).len());
    allow(corner_influences.sum::<usize>().max(skin.influences.len()))?;
    let mut split = Split::new(count);
    let given_up = cutter.given_up;
    let (mut triangles, mut triangle_materials, mut lines) = (Vec::new(), Vec::new(), 0);
    for face in 0..faces.len() {
        let corners = faces.face(face);
        let at: Vec<Vec3> = (corners.iter())
            .map(|&vertex| positions.get(vertex as usize).copied().unwrap_or_default())
            .collect();
        let vertices: Vec<u32> = (corners.iter().enumerate())
            .map(|(corner, &vertex)| split.vertex(vertex, normals.at(face, corner, vertex)))
            .collect();
        lines += usize::from(corners.len() < 3);
        let material = material_of_face.get(face).copied().unwrap_or(0);
        cutter.cut(&at, |triangle| {
            let [a, b, c] = triangle.map(|corner| vertices.get(corner).copied().unwrap_or(0));
            triangles.push([a, c, b]);
            triangle_materials.push(material);
        });
    }
    let name = label(object);
    if lines > 0 {
        let message = format!("{name}: {lines} of {} faces have fewer than 3 corners", faces.len());
        warnings.push(object.place.warning(&message));
    }
    if cutter.given_up > given_up {
        let message = format!("{name}: the polygons are too large to be cut with care");
        warnings.push(object.place.warning(&message));
    }
    let shader = triangle_materials
        .first()
        .and_then(|&material| shaders.get(material as usize))
        .or(shaders.first())
        .cloned()
        .unwrap_or_default();
    let bind = bind_mesh(
        object.name.clone(),
        shader,
        triangles,
        &split,
        &Attributes { positions, texcoords, colors, skin },
    );
    Ok((bind, shaders, triangle_materials))
}

/// What each vertex of the file has.
struct Attributes {
    positions: Vec<Vec3>,
    texcoords: Vec<Vec2>,
    colors: Vec<Vec4>,
    skin: Skin,
}

/// Puts the copies of split vertices behind those of the file.
fn bind_mesh(
    name: String,
    shader: String,
    triangles: Vec<[u32; 3]>,
    split: &Split,
    file: &Attributes,
) -> BindMesh {
    let mut bind = BindMesh {
        name,
        shader,
        normals: split.normals.clone(),
        triangles,
        copied_from: split.copied_from.clone(),
        offsets: file.skin.offsets.clone(),
        influence_start: vec![0],
        ..BindMesh::default()
    };
    let count = file.positions.len();
    for source in (0..count).chain(split.copied_from.iter().map(|&vertex| vertex as usize)) {
        bind.positions.push(file.positions.get(source).copied().unwrap_or_default());
        bind.texcoords.push(file.texcoords.get(source).copied().unwrap_or_default());
        bind.colors.extend(file.colors.get(source));
        bind.influences.extend_from_slice(file.skin.of(source));
        bind.influence_start.push(u32::try_from(bind.influences.len()).unwrap_or(u32::MAX));
    }
    bind
}

/// Vertices that have several normals are doubled; the first one that a face asks for keeps the file's place.
struct Split {
    normals: Vec<Vec3>,
    is_used: Vec<bool>,
    /// By vertex and normal. Keyed look-ups only: never walked, so its order cannot matter.
    copies: HashMap<(u32, [u32; 3]), u32>,
    copied_from: Vec<u32>,
}

impl Split {
    fn new(count: usize) -> Self {
        Self {
            normals: vec![Vec3::ZERO; count],
            is_used: vec![false; count],
            copies: HashMap::new(),
            copied_from: Vec::new(),
        }
    }

    /// The vertex that stands for a vertex of the file with this normal; zero means that it is to be computed.
    fn vertex(&mut self, vertex: u32, normal: Vec3) -> u32 {
        let bits = normal.to_array().map(f32::to_bits);
        let place = vertex as usize;
        let is_first =
            self.is_used.get_mut(place).is_some_and(|used| !std::mem::replace(used, true));
        if let Some(own) = self.normals.get_mut(place) {
            if is_first {
                *own = normal;
            }
            if own.to_array().map(f32::to_bits) == bits {
                return vertex;
            }
        }
        let (normals, copied_from) = (&mut self.normals, &mut self.copied_from);
        *self.copies.entry((vertex, bits)).or_insert_with(|| {
            normals.push(normal);
            copied_from.push(vertex);
            u32::try_from(normals.len() - 1).unwrap_or(vertex)
        })
    }
}

/// The normals of the corners, as far as the file gives them.
enum Normals {
    None,
    /// By polygons of their own.
    ByCorner {
        values: Vec<Vec3>,
        faces: Faces,
        is_good: Vec<bool>,
    },
    ByVertex(Vec<Vec3>),
}

impl Normals {
    fn read(
        document: &Document,
        mesh: ObjectIndex,
        mesh_faces: &Faces,
        packed: Vec<Vec3>,
        warnings: &mut Vec<Warning>,
    ) -> Result<Self, XError> {
        let by_vertex =
            || if packed.is_empty() { Self::None } else { Self::ByVertex(packed.clone()) };
        let Some(index) = object_in(document, mesh, "MeshNormals") else { return Ok(by_vertex()) };
        let object = document.object(index);
        let mut values = Values::new(document, object);
        let mut normals = Vec::new();
        for _ in 0..values.count("the count of normals", 3)? {
            let [x, y, z] = [values.lenient(), values.lenient(), values.lenient()];
            normals.push(super::our_point([x, y, z]));
        }
        if normals.is_empty() {
            return Ok(by_vertex());
        }
        let faces = Faces::read(&mut values, normals.len(), "normals")?;
        let is_good: Vec<bool> = (0..mesh_faces.len())
            .map(|face| faces.face(face).len() == mesh_faces.face(face).len())
            .collect();
        let bad = is_good.iter().filter(|&&good| !good).count();
        if bad > 0 {
            warnings.push(object.place.warning(&format!(
                "{}: the normals of {bad} of {} faces do not fit their corners and are computed",
                label(document.object(mesh)),
                mesh_faces.len()
            )));
        }
        Ok(Self::ByCorner { values: normals, faces, is_good })
    }

    /// The normal of a corner, zero where there is none.
    fn at(&self, face: usize, corner: usize, vertex: u32) -> Vec3 {
        let found = match self {
            Self::None => None,
            Self::ByVertex(values) => values.get(vertex as usize),
            Self::ByCorner { values, faces, is_good } => is_good
                .get(face)
                .filter(|&&good| good)
                .and_then(|_| faces.face(face).get(corner))
                .and_then(|&normal| values.get(normal as usize)),
        };
        // A direction too short to have one is none, and -0 is 0.
        found
            .filter(|normal| normal.length_squared() > 1e-30)
            .map_or(Vec3::ZERO, |&n| n + Vec3::ZERO)
    }
}

fn read_packed(
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
    };
    if let Some(index) = object_in(document, mesh, "DeclData") {
        fill(read_declaration(document, index, vertices, warnings)?);
    }
    if let Some(index) = object_in(document, mesh, "FVFData") {
        fill(read_flexible(document, index, vertices, warnings)?);
    }
    if let Some(index) = object_in(document, mesh, "VertexDuplicationIndices") {
        // Which vertices a tool has doubled changes nothing of what is drawn.
        let mut values = Values::new(document, document.object(index));
        let count = values.count("the count of indices", 1)?;
        values.skip(1); // how many vertices there were before
        for _ in 0..count.min(values.left()) {
            values.index("an original vertex", vertices, "vertices")?;
        }
    }
    Ok(packed)
}

fn read_texcoords(
    document: &Document,
    mesh: ObjectIndex,
    vertices: usize,
    packed: Vec<Vec2>,
    warnings: &mut Vec<Warning>,
) -> Result<Vec<Vec2>, XError> {
    let Some(index) = object_in(document, mesh, "MeshTextureCoords") else { return Ok(packed) };
    let object = document.object(index);
    let mut values = Values::new(document, object);
    let mut texcoords = Vec::new();
    let count = values.count("the count of texture coordinates", 2)?;
    for _ in 0..count.min(vertices) {
        #[expect(clippy::cast_possible_truncation, reason = "the nearest f32 of at most 1e9")]
        texcoords.push(Vec2::new(values.lenient() as f32, values.lenient() as f32));
    }
    if count != vertices && count > 0 {
        warnings.push(object.place.warning(&format!(
            "{}: {count} texture coordinates for {vertices} vertices",
            label(document.object(mesh))
        )));
    }
    Ok(if texcoords.is_empty() { packed } else { texcoords })
}

/// The colours of the vertices in linear light; none if no vertex has one.
fn read_colors(
    document: &Document,
    mesh: ObjectIndex,
    vertices: usize,
    packed: Vec<Vec4>,
    warnings: &mut Vec<Warning>,
) -> Result<Vec<Vec4>, XError> {
    let mut colors = packed;
    if let Some(index) = object_in(document, mesh, "MeshVertexColors") {
        let object = document.object(index);
        let mut values = Values::new(document, object);
        let count = values.count("the count of colours", 5)?;
        if count > 0 {
            colors = vec![Vec4::ONE; vertices];
        }
        let mut lost = 0;
        for _ in 0..count {
            let vertex = values.whole("the vertex of a colour")?;
            #[expect(clippy::cast_possible_truncation, reason = "the nearest f32 of at most 1e9")]
            let [r, g, b, a] = [0; 4].map(|_: i32| values.lenient() as f32);
            match colors.get_mut(vertex) {
                Some(color) => *color = Vec4::new(r, g, b, a),
                None => lost += 1,
            }
        }
        if lost > 0 {
            warnings.push(object.place.warning(&format!(
                "{}: {lost} of {count} colours are for vertices beyond the {vertices} that there are",
                label(document.object(mesh))
            )));
        }
    }
    for color in &mut colors {
        let [r, g, b] = [color.x, color.y, color.z].map(linear_part);
        *color = Vec4::new(r, g, b, crate::math::clamp(color.w, 0.0, 1.0));
    }
    Ok(colors)
}

/// The names of a mesh's materials, and for each face which one it has.
fn read_materials(
    document: &Document,
    mesh: ObjectIndex,
    faces: usize,
    materials: &mut Materials,
    warnings: &mut Vec<Warning>,
) -> Result<(Vec<String>, Vec<u32>), XError> {
    let Some(index) = object_in(document, mesh, "MeshMaterialList") else {
        return Ok((Vec::new(), vec![0; faces]));
    };
    let object = document.object(index);
    let mut names = Vec::new();
    for child in &object.children {
        let found = match child {
            Child::Object(part) => Some(*part).filter(|&part| document.object(part).is("Material")),
            Child::Reference(reference) => {
                let guided = document.resolve(reference);
                let named = || document.named(&reference.name);
                let found = guided
                    .filter(|&part| document.object(part).is("Material"))
                    .or_else(|| named().find(|&part| document.object(part).is("Material")));
                if found.is_none() {
                    let message = format!("there is no Material {:?}; drawn plain", reference.name);
                    warnings.push(reference.place.warning(&message));
                    names.push(String::new());
                }
                found
            }
        };
        if let Some(part) = found {
            names.push(materials.name_of(document, part, warnings));
        }
    }
    let mut values = Values::new(document, object);
    let declared = if values.left() > 0 { values.whole("the count of materials")? } else { 0 };
    if declared != names.len() {
        warnings.push(object.place.warning(&format!(
            "{} says that it has {}, but has {}",
            label(object),
            super::counted(declared, "material", "materials"),
            names.len()
        )));
    }
    let mut of_face: Vec<u32> = Vec::new();
    let count = values.count("the count of face indices", 1)?;
    for _ in 0..count.min(faces) {
        // A list without any material may still number its faces.
        of_face.push(match names.len() {
            0 => {
                values.skip(1);
                0
            }
            materials => values.index("the material of a face", materials, "materials")?,
        });
    }
    let last = of_face.last().copied().unwrap_or(0);
    of_face.resize(faces, last);
    Ok((names, of_face))
}
