//! `Mesh` objects become meshes, one a material.

use super::attribute::{Normals, read_colors, read_materials, read_packed, read_texcoords};
use super::frame::{Frames, free_name};
use super::material::Materials;
use super::part::{Budget, parts};
use super::patch::{PatchKind, Surface, VERTICES_OF_A_PATCH};
use super::polygon::Faces;
use super::skin::{Skin, read_skin};
use super::values::{Values, or_warn};
use crate::LimitExceeded;
use crate::polygon::Cutter;
use crate::x::error::XError;
use crate::x::tree::{Document, Object, ObjectIndex, label};
use crate::{LimitName, LoadOptions};
use std::collections::{BTreeSet, HashMap};
use tintype_base::amount::counted_as;
use tintype_base::deadline::{TimedOut, Watch};
use tintype_model::math::{Vec2, Vec3, Vec4};
use tintype_model::{BindInfluence, BindSpaceMesh, FileRepair, JointIndex, Mesh, Warning};

/// Faces or vertices between two checks of the deadline.
const STEPS: u32 = 1 << 13;
/// Bytes of file per value, if the expansion of a file is limited by its size.
const BYTES_PER_VALUE: usize = 16;
/// Parts of a mesh in its child objects.
const MESH_PARTS: [&str; 9] = [
    "MeshNormals",
    "MeshTextureCoords",
    "MeshVertexColors",
    "MeshMaterialList",
    "DeclData",
    "FVFData",
    "VertexDuplicationIndices",
    "SkinWeights",
    "XSkinMeshHeader",
];

/// Makes all meshes of a document, in file order.
///
/// # Errors
/// [`XError`] with the position of an index out of range, or of a missing number.
pub(super) fn build_meshes(
    document: &Document,
    frames: &Frames,
    materials: &mut Materials,
    options: &LoadOptions,
    warnings: &mut Vec<Warning>,
) -> Result<Vec<Mesh>, XError> {
    let values: usize = document.objects.iter().map(|object| object.values.len()).sum();
    let mut meshes = Vec::new();
    let mut names = MeshNames::new(document, frames);
    let mut builder = Builder {
        document,
        frames,
        materials,
        cutter: Cutter::new(&options.deadline),
        budget: Budget::new(options),
        influences: 0,
        max_influences: options.limits.max_influences(values.saturating_mul(BYTES_PER_VALUE)),
        warnings,
    };
    for &(index, joint) in &frames.meshes {
        builder.budget.spend(document.object(index))?;
        for part in parts(document, index, &MESH_PARTS) {
            builder.budget.spend(document.object(part))?;
        }
        let limit = (options.limits.max_meshes, Some(LimitName::Meshes));
        let position = document.object(index).position;
        LimitExceeded::check(position, "meshes", meshes.len() + 1, limit)?;
        let Built { bind, shaders, material_of, texcoord_sets } = builder.build(index, joint)?;
        let name = names.name_of(document, index, joint);
        let bind = BindSpaceMesh { name, keeps_splits: options.keeps_splits, ..bind };
        let mut whole = Mesh::from_bind_space(bind, &frames.skeleton, &options.deadline)?;
        whole.texcoord_sets = texcoord_sets;
        let used: BTreeSet<u32> = material_of.iter().copied().collect();
        match used.len() {
            0 | 1 => meshes.push(whole),
            _ => {
                for material in used {
                    options.deadline.check("parting meshes by their materials")?;
                    let shader = shaders.get(material as usize).map_or("", String::as_str);
                    let is_of = |triangle: usize| material_of.get(triangle) == Some(&material);
                    meshes.push(whole.part(shader, &is_of));
                }
            }
        }
    }
    Ok(meshes)
}

/// Names of meshes: from the file, or otherwise made of the frame, `mesh` and the number among its
/// unnamed meshes.
struct MeshNames<'f> {
    frames: &'f Frames,
    taken: BTreeSet<String>,
    counts: HashMap<JointIndex, usize>,
}

impl<'f> MeshNames<'f> {
    fn new(document: &Document, frames: &'f Frames) -> Self {
        let names = frames.meshes.iter().map(|&(index, _)| document.object(index).name.clone());
        Self { frames, taken: names.collect(), counts: HashMap::new() }
    }

    fn name_of(&mut self, document: &Document, index: ObjectIndex, joint: JointIndex) -> String {
        let own = &document.object(index).name;
        if !own.is_empty() {
            return own.clone();
        }
        let around = self.frames.skeleton.joints().get(joint.index());
        let around = around.map_or("", |around| around.name.as_str());
        let count = self.counts.entry(joint).or_default();
        let name = free_name(around, "mesh", count, &self.taken);
        self.taken.insert(name.clone());
        name
    }
}

/// A mesh before it is cut by material.
struct Built {
    bind: BindSpaceMesh,
    /// The names of its materials.
    shaders: Vec<String>,
    /// The material of each triangle.
    material_of: Vec<u32>,
    texcoord_sets: u8,
}

/// A triangle, and the face that it is cut from.
type Triangle = ([u32; 3], usize);

/// The state of one pass over the meshes of a file.
struct Builder<'b> {
    document: &'b Document,
    frames: &'b Frames,
    materials: &'b mut Materials,
    cutter: Cutter,
    budget: Budget,
    /// Influences of all corners of all meshes.
    influences: usize,
    max_influences: usize,
    warnings: &'b mut Vec<Warning>,
}

impl Builder<'_> {
    fn build(&mut self, index: ObjectIndex, own: JointIndex) -> Result<Built, XError> {
        // 1. Vertices and faces.
        let (document, warnings) = (self.document, &mut *self.warnings);
        let object = document.object(index);
        let mut values = Values::new(document, object);
        let patches = patch_kind(object, &mut values, warnings)?;
        let first_value = values.at() + 1;
        let (positions, is_lost) = read_points(&mut values, warnings)?;
        let count = positions.len();
        let mut faces = Faces::read(&mut values, count, "vertices", "skipped", warnings)?;
        tell_lost(object, first_value, &is_lost, warnings);

        // 2. Its child objects.
        let skin = read_skin(document, index, count, own, self.frames, warnings)?;
        let packed = read_packed(document, index, count, warnings)?;
        let mut normals = Normals::read(document, index, &faces, packed.normals, warnings)?;
        let lists = parts(document, index, &["MeshTextureCoords"]).count();
        let texcoord_sets = u8::try_from(lists).unwrap_or(u8::MAX).max(packed.texcoord_sets);
        let texcoords = read_texcoords(document, index, count, packed.texcoords, warnings)?;
        let colors = read_colors(document, index, count, packed.colors, warnings)?;
        let (materials, budget) = (&mut *self.materials, &mut self.budget);
        let (shaders, mut material_of) =
            read_materials(document, index, faces.len(), materials, budget, warnings)?;

        // For patches all data is stored for control points, and needed for the surface.
        let mut file = Attributes { positions, texcoords, colors, skin, point_of: None };
        let is_lost = |point: u32| is_lost.get(point as usize) == Some(&true);
        if let Some(kind) = patches {
            self.allow(object, faces.len().saturating_mul(VERTICES_OF_A_PATCH))?;
            faces.leave_out(is_lost);
            let surface = cut_patches(document, object, (kind, &faces), self.warnings)?;
            file = file.of_surface(&surface);
            normals = Normals::None;
            let of_patch = |patch: &usize| material_of.get(*patch).copied().unwrap_or(0);
            material_of = surface.patch_of.iter().map(of_patch).collect();
            faces = surface.faces;
        } else {
            let of_corners = faces.corners.iter().map(|&at| file.influences(at as usize).len());
            let of_corners: usize = of_corners.sum();
            self.allow(object, of_corners.max(file.skin.influences.len()))?;
            faces.leave_out(is_lost);
        }

        // 3. Triangles.
        let mut watch = document.deadline.watch("cutting faces into triangles", STEPS);
        let (split, triangles) =
            self.cut_faces(object, &faces, &normals, &file.positions, &mut watch)?;
        let of_face = |&(_, face): &Triangle| material_of.get(face).copied().unwrap_or(0);
        let material_of: Vec<u32> = triangles.iter().map(of_face).collect();
        let triangles = triangles.into_iter().map(|(triangle, _)| triangle).collect();
        let first = material_of.first().and_then(|&material| shaders.get(material as usize));
        let shader = first.or(shaders.first()).cloned().unwrap_or_default();
        let bind = bind_mesh(object.name.clone(), shader, triangles, &split, &file, &mut watch)?;
        Ok(Built { bind, shaders, material_of, texcoord_sets })
    }

    /// Counts influences of corners; those of all meshes are limited.
    fn allow(&mut self, object: &Object, more: usize) -> Result<(), XError> {
        self.influences = self.influences.saturating_add(more);
        let limit = (self.max_influences, Some(LimitName::Influences));
        let what = "influences of all corners";
        Ok(LimitExceeded::check(object.position, what, self.influences, limit)?)
    }

    /// Cuts faces into triangles, each with its face; their corner order is reversed for our
    /// handedness.
    fn cut_faces(
        &mut self,
        object: &Object,
        faces: &Faces,
        normals: &Normals,
        positions: &[Vec3],
        watch: &mut Watch,
    ) -> Result<(Split, Vec<Triangle>), XError> {
        let mut split = Split::new(positions.len());
        let given_up = self.cutter.given_up;
        let (mut triangles, mut lines) = (Vec::new(), 0);
        for face in 0..faces.len() {
            watch.step()?;
            let corners = faces.face(face);
            let at: Vec<Vec3> = (corners.iter())
                .map(|&vertex| positions.get(vertex as usize).copied().unwrap_or_default())
                .collect();
            let vertices: Vec<u32> = (corners.iter().enumerate())
                .map(|(corner, &vertex)| split.vertex(vertex, normals.at(face, corner, vertex)))
                .collect();
            lines += usize::from(matches!(corners.len(), 1 | 2));
            self.cutter.cut(&at, |triangle| {
                let [a, b, c] = triangle.map(|corner| vertices.get(corner).copied().unwrap_or(0));
                triangles.push(([a, c, b], face));
            })?;
        }
        let name = label(object);
        let mut warn = |fault: FileRepair, message: String| {
            self.warnings.push(object.position.fault(fault, &message));
        };
        if lines > 0 {
            let message = format!("{lines} of {} faces have fewer than 3 corners", faces.len());
            warn(FileRepair::FewCorners, format!("{name}: {message}"));
        }
        if self.cutter.given_up > given_up {
            let message = format!("{name}: the polygons are too large for exact triangulation");
            warn(FileRepair::LargePolygon, message);
        }
        Ok((split, triangles))
    }
}

/// The vertices of a mesh, and for each whether it lacks valid coordinates.
fn read_points(
    values: &mut Values<'_>,
    warnings: &mut Vec<Warning>,
) -> Result<(Vec<Vec3>, Vec<bool>), XError> {
    let count = or_warn(values.count("the count of vertices", 3), "they are skipped", warnings)?;
    let (mut positions, mut is_lost) = (Vec::new(), Vec::new());
    for _ in 0..count {
        values.before(3)?;
        let point = values.point();
        is_lost.push(point.is_none());
        positions.push(point.unwrap_or_default());
    }
    Ok((positions, is_lost))
}

/// Warns of vertices without valid coordinates; their values begin at `first_value`.
fn tell_lost(object: &Object, first_value: usize, is_lost: &[bool], warnings: &mut Vec<Warning>) {
    let Some(first) = is_lost.iter().position(|&lost| lost) else { return };
    if object.is_mended {
        return;
    }
    let lost = is_lost.iter().filter(|&&lost| lost).count();
    warnings.push(object.position_of(first_value + 3 * first).fault(
        FileRepair::NotFinite,
        &format!(
            "{}: found {} without valid coordinates (up to 1e9); faces that use them are skipped",
            label(object),
            counted_as(lost, "vertex", "vertices"),
        ),
    ));
}

/// Attributes of each vertex of the file.
/// Attributes of each vertex of the file.
struct Attributes {
    positions: Vec<Vec3>,
    texcoords: Vec<Vec2>,
    colors: Vec<Vec4>,
    skin: Skin,
    /// For each vertex, the vertex of the file with its influences, if it is not from the file
    /// itself.
    point_of: Option<Vec<u32>>,
}

/// Kind of the patches of a patch mesh. None for other meshes, and for one of unknown kind, which
/// is skipped.
fn patch_kind(
    object: &Object,
    values: &mut Values<'_>,
    warnings: &mut Vec<Warning>,
) -> Result<Option<PatchKind>, XError> {
    if object.is("PatchMesh") {
        return Ok(Some(PatchKind::OLDER));
    }
    if !object.is("PatchMesh9") || values.left() == 0 {
        return Ok(None);
    }
    let kind = or_warn(PatchKind::read(values).map(Some), "its patches are skipped", warnings)?;
    if kind.is_none() {
        values.skip(values.left());
    }
    Ok(kind)
}

/// The surface of the patches of a mesh.
fn cut_patches(
    document: &Document,
    object: &Object,
    (kind, patches): (PatchKind, &Faces),
    warnings: &mut Vec<Warning>,
) -> Result<Surface, TimedOut> {
    let mut watch = document.deadline.watch("cutting patches into triangles", STEPS);
    let surface = Surface::of(patches, kind, &mut watch)?;
    if surface.left_out > 0 {
        let count = counted_as(surface.left_out, "patch", "patches");
        let what = "with an invalid number of control points; skipped";
        let message = format!("{}: {count} {what}", label(object));
        warnings.push(object.position.fault(FileRepair::WrongShape, &message));
    }
    Ok(surface)
}

impl Attributes {
    /// Values of a surface, from those of its control points.
    fn of_surface(self, surface: &Surface) -> Self {
        Self {
            positions: surface.mixed(&self.positions),
            texcoords: surface.mixed(&self.texcoords),
            colors: surface.mixed(&self.colors),
            skin: self.skin,
            point_of: Some(surface.nearest()),
        }
    }

    fn influences(&self, vertex: usize) -> &[BindInfluence] {
        let own = self.point_of.as_ref().map(|of| of.get(vertex).copied().unwrap_or(0) as usize);
        self.skin.of(own.unwrap_or(vertex))
    }
}

/// Appends the copies of split vertices to the vertices of the file.
fn bind_mesh(
    name: String,
    shader: String,
    triangles: Vec<[u32; 3]>,
    split: &Split,
    file: &Attributes,
    watch: &mut Watch,
) -> Result<BindSpaceMesh, TimedOut> {
    let mut bind = BindSpaceMesh {
        name,
        material_name: shader,
        normals: split.normals.clone(),
        triangles,
        source_vertex: split.source_vertex.clone(),
        offsets: file.skin.offsets.clone(),
        unweighted_vertices: match &file.point_of {
            Some(_) => Vec::new(),
            None => file.skin.unweighted_vertices.clone(),
        },
        influence_start: vec![0],
        ..BindSpaceMesh::default()
    };
    let count = file.positions.len();
    for source in (0..count).chain(split.source_vertex.iter().map(|&vertex| vertex as usize)) {
        watch.take(file.influences(source).len() + 1)?;
        bind.positions.push(file.positions.get(source).copied().unwrap_or_default());
        bind.texcoords.push(file.texcoords.get(source).copied().unwrap_or_default());
        bind.colors.extend(file.colors.get(source));
        bind.influences.extend_from_slice(file.influences(source));
        bind.influence_start.push(u32::try_from(bind.influences.len()).unwrap_or(u32::MAX));
    }
    Ok(bind)
}

/// Vertices with several normals are doubled; the first used one keeps its index in the file.
struct Split {
    normals: Vec<Vec3>,
    is_used: Vec<bool>,
    /// By vertex and normal. Only for keyed look-ups: it is never iterated, so its order cannot
    /// matter.
    copies: HashMap<(u32, [u32; 3]), u32>,
    source_vertex: Vec<u32>,
}

impl Split {
    fn new(count: usize) -> Self {
        Self {
            normals: vec![Vec3::ZERO; count],
            is_used: vec![false; count],
            copies: HashMap::new(),
            source_vertex: Vec::new(),
        }
    }

    /// The vertex for a vertex of the file with this normal; zero if it must be computed.
    fn vertex(&mut self, vertex: u32, normal: Vec3) -> u32 {
        let bits = normal.to_array().map(f32::to_bits);
        let slot = vertex as usize;
        let is_first =
            self.is_used.get_mut(slot).is_some_and(|used| !std::mem::replace(used, true));
        if let Some(own) = self.normals.get_mut(slot) {
            if is_first {
                *own = normal;
            }
            if own.to_array().map(f32::to_bits) == bits {
                return vertex;
            }
        }
        let (normals, source_vertex) = (&mut self.normals, &mut self.source_vertex);
        *self.copies.entry((vertex, bits)).or_insert_with(|| {
            normals.push(normal);
            source_vertex.push(vertex);
            u32::try_from(normals.len() - 1).unwrap_or(vertex)
        })
    }
}
