//! Meshes of formats whose triangles have values per corner: corners with equal values become one
//! vertex.

use crate::LimitExceeded;
use crate::{FilePlace, LimitName, LoadOptions, ModelFormatError};
use std::collections::HashMap;
use tintype_model::math::srgb::linear_from_encoded;
use tintype_model::math::{Affine3, Vec2, Vec3, Vec4, clamp};
use tintype_model::{
    BindInfluence, BindSpaceMesh, FileMaterial, FileParts, Joint, JointIndex, LinearRgb, Mesh,
    Model, Skeleton,
};

/// Name of the joint of models with only one.
const ROOT: &str = "root";
/// Name of meshes and materials without a name.
pub(crate) const PLAIN: &str = "default";
/// Colour of surfaces without a colour in the file, as in most viewers.
const GREY: [u8; 3] = [0x99; 3];

/// The material [`PLAIN`] of a file without materials: grey, or white where its corners have
/// colours.
pub(crate) fn plain_material(has_colors: bool) -> FileMaterial {
    let color = if has_colors { LinearRgb::WHITE } else { LinearRgb::from_codes(GREY) };
    FileMaterial { color, ..FileMaterial::plain(PLAIN) }
}

/// A corner of a triangle.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Corner {
    /// The number of its point in the file.
    pub(crate) point: u32,
    pub(crate) position: Vec3,
    /// Zero if it must be computed.
    pub(crate) normal: Vec3,
    /// From the upper left corner.
    pub(crate) texcoord: Vec2,
    /// Linear red, green, blue and alpha.
    pub(crate) color: Option<Vec4>,
}

/// A mesh in work that one joint moves.
pub(crate) struct CornerMesh {
    bind: BindSpaceMesh,
    joint: JointIndex,
    known: HashMap<[u32; 10], u32>,
}

impl CornerMesh {
    /// An empty mesh; `offset` carries its positions into the space of the joint.
    pub(crate) fn new(name: &str, material: &str, joint: JointIndex, offset: Affine3) -> Self {
        let bind = BindSpaceMesh {
            name: name.to_owned(),
            material_name: material.to_owned(),
            influence_start: vec![0],
            offsets: vec![offset],
            ..BindSpaceMesh::default()
        };
        Self { bind, joint, known: HashMap::new() }
    }

    /// True if it has no triangle.
    pub(crate) fn is_empty(&self) -> bool {
        self.bind.triangles.is_empty()
    }

    /// Adds a triangle, counter-clockwise from its front, of a polygon of the file.
    pub(crate) fn triangle(&mut self, polygon: u32, corners: [Corner; 3]) {
        let triangle = corners.map(|corner| self.vertex(corner));
        self.bind.triangles.push(triangle);
        self.bind.shape.polygons.push(polygon);
    }

    fn vertex(&mut self, corner: Corner) -> u32 {
        let [x, y, z] = corner.normal.to_array().map(f32::to_bits);
        let [u, v] = corner.texcoord.to_array().map(f32::to_bits);
        let [r, g, b, a] = corner.color.unwrap_or(Vec4::ONE).to_array().map(f32::to_bits);
        let bind = &mut self.bind;
        let next = u32::try_from(bind.positions.len()).unwrap_or(u32::MAX);
        let key = [corner.point, x, y, z, u, v, r, g, b, a];
        let vertex = *self.known.entry(key).or_insert(next);
        if vertex == next {
            bind.positions.push(corner.position);
            bind.normals.push(corner.normal);
            bind.texcoords.push(corner.texcoord);
            if corner.color.is_some() && bind.colors.is_empty() {
                bind.colors = vec![Vec4::ONE; bind.positions.len() - 1];
            }
            if corner.color.is_some() || !bind.colors.is_empty() {
                bind.colors.push(corner.color.unwrap_or(Vec4::ONE));
            }
            bind.shape.points.push(corner.point);
            let joint = self.joint;
            bind.influences.push(BindInfluence { joint, weight: 1.0, offset: 0 });
            bind.influence_start.push(next.saturating_add(1));
        }
        vertex
    }

    /// The mesh.
    ///
    /// # Errors
    /// [`ModelFormatError::TimedOut`].
    pub(crate) fn build(
        self,
        skeleton: &Skeleton,
        options: &LoadOptions,
    ) -> Result<Mesh, ModelFormatError> {
        let bind = BindSpaceMesh { keeps_splits: options.keeps_splits, ..self.bind };
        Ok(Mesh::from_bind_space(bind, skeleton, &options.deadline)?)
    }
}

/// A model with one joint, which converts the axes of the file to ours.
pub(crate) fn still_model(
    meshes: Vec<CornerMesh>,
    materials: Vec<FileMaterial>,
    ours_from_file: Affine3,
    options: &LoadOptions,
) -> Result<Model, ModelFormatError> {
    let root = Joint { name: ROOT.to_owned(), parent: None, model_from_joint: ours_from_file };
    let skeleton = Skeleton::try_new(vec![root]).map_err(|error| {
        ModelFormatError::value(FilePlace::Byte(0), "the joint of the model", error, "one joint")
    })?;
    let meshes: Result<Vec<Mesh>, _> =
        meshes.into_iter().map(|mesh| mesh.build(&skeleton, options)).collect();
    Ok(Model {
        meshes: meshes?,
        skeleton,
        materials,
        pictures: Vec::new(),
        front: Vec3::Z,
        parts: FileParts::default(),
    })
}

/// Refuses more corners than allowed.
pub(crate) fn check_corners(
    found: usize,
    at: FilePlace,
    options: &LoadOptions,
) -> Result<(), ModelFormatError> {
    let allowed = (options.limits.max_values, LimitName::Values);
    check(found, at, "corners of all faces", allowed)
}

/// Refuses more meshes than are allowed.
pub(crate) fn check_meshes(
    found: usize,
    at: FilePlace,
    options: &LoadOptions,
) -> Result<(), ModelFormatError> {
    check(found, at, "meshes", (options.limits.max_meshes, LimitName::Meshes))
}

fn check(
    found: usize,
    at: FilePlace,
    what: &'static str,
    (limit, name): (usize, LimitName),
) -> Result<(), ModelFormatError> {
    if found <= limit {
        return Ok(());
    }
    Err(LimitExceeded::new(at, what, found, (limit, Some(name))).into())
}

/// For each position the first equal one, or itself if splits are kept: seams of textures must not
/// show in the light.
pub(crate) fn first_equal(positions: &[Vec3], options: &LoadOptions) -> Vec<u32> {
    let mut known: HashMap<[u32; 3], u32> = HashMap::new();
    let numbered = (0_u32..).zip(positions);
    let first = |(number, position): (u32, &Vec3)| {
        // -0 is 0.
        let key = (*position + Vec3::ZERO).to_array().map(f32::to_bits);
        if options.keeps_splits { number } else { *known.entry(key).or_insert(number) }
    };
    numbered.map(first).collect()
}

/// A colour of sRGB components in linear light; alpha is unchanged.
#[expect(clippy::cast_possible_truncation, reason = "a component of 0..=1 has a nearest f32")]
pub(crate) fn linear([r, g, b, a]: [f32; 4]) -> Vec4 {
    let channel = |value: f32| linear_from_encoded(f64::from(clamp(value, 0.0, 1.0))) as f32;
    Vec4::new(channel(r), channel(g), channel(b), clamp(a, 0.0, 1.0))
}
