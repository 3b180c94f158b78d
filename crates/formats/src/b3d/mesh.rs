//! Meshes: the triangles of one brush, with the vertices that they use.

use super::file::{B3dFile, Mesh as FileMesh};
use super::material::BrushMaterial;
use crate::LimitExceeded;
use crate::corner_mesh::{check_meshes, linear};
use crate::names::Names;
use crate::told::Told;
use crate::{FilePlace, LimitName, LoadOptions, ModelFormatError};
use std::collections::HashMap;
use tintype_model::math::{Affine3, Vec2, Vec3, unit_or};
use tintype_model::{BindInfluence, BindSpaceMesh, FileRepair, JointIndex, Mesh, Skeleton};

/// Triangles between two checks of the deadline.
const STEPS: u32 = 1 << 14;

/// Builds the meshes of a file of this size in bytes.
///
/// # Errors
/// [`ModelFormatError`] for limits.
pub(super) fn build(
    file: &B3dFile,
    skeleton: &Skeleton,
    materials: &[BrushMaterial],
    (size, options): (usize, &LoadOptions),
    told: &mut Told,
) -> Result<Vec<Mesh>, ModelFormatError> {
    let at = FilePlace::Byte(0);
    let mut names = Names::default();
    let most = options.limits.max_influences(size);
    let (mut meshes, mut made) = (Vec::new(), 0_usize);
    for own in &file.meshes {
        // Triangles of one brush form one mesh.
        let mut by_brush: Vec<(usize, Vec<[u32; 3]>)> = Vec::new();
        for (brush, triangles) in &own.runs {
            let brush = brush.or(own.brush).unwrap_or(materials.len() - 1);
            if brush >= materials.len() {
                told.note(
                    FileRepair::NoMaterial,
                    at,
                    "triangles refer to a missing brush; drawn plain",
                );
            }
            let brush = brush.min(materials.len() - 1);
            match by_brush.iter_mut().find(|(other, _)| *other == brush) {
                Some((_, known)) => known.extend(triangles),
                None => by_brush.push((brush, triangles.clone())),
            }
        }
        for (brush, triangles) in by_brush {
            let Some(material) = materials.get(brush) else { continue };
            let joints = skeleton.joints();
            let name = joints.get(own.node).map(|joint| joint.name.as_str());
            let name = names.unique(name, "mesh", meshes.len());
            let mut builder = Builder::new(own, material, skeleton, name);
            let mut watch = options.deadline.watch("building meshes", STEPS);
            for triangle in triangles {
                watch.step()?;
                builder.triangle(triangle, told);
                let found = made.saturating_add(builder.bind.influences.len());
                if found > most {
                    let (what, option) = ("influences of all meshes", Some(LimitName::Influences));
                    return Err(LimitExceeded::new(at, what, found, (most, option)).into());
                }
            }
            if builder.bind.triangles.is_empty() {
                continue;
            }
            made += builder.bind.influences.len();
            check_meshes(meshes.len() + 1, at, options)?;
            let keeps_splits = options.keeps_splits;
            let bind = BindSpaceMesh { keeps_splits, ..builder.bind };
            meshes.push(Mesh::from_bind_space(bind, skeleton, &options.deadline)?);
        }
    }
    Ok(meshes)
}

/// Builder of one mesh.
struct Builder<'b> {
    own: &'b FileMesh,
    material: &'b BrushMaterial,
    skeleton: &'b Skeleton,
    bind: BindSpaceMesh,
    /// Numbers of offsets by their nodes.
    offsets: HashMap<usize, u32>,
    /// Vertices by their indices in the file.
    known: HashMap<u32, u32>,
}

impl<'b> Builder<'b> {
    fn new(
        own: &'b FileMesh,
        material: &'b BrushMaterial,
        skeleton: &'b Skeleton,
        name: String,
    ) -> Self {
        let bind = BindSpaceMesh {
            name,
            material_name: material.material.name.clone(),
            influence_start: vec![0],
            is_faceted: material.is_flat,
            ..BindSpaceMesh::default()
        };
        Self { own, material, skeleton, bind, offsets: HashMap::new(), known: HashMap::new() }
    }

    /// Adds a triangle, clockwise in the file; one with missing vertices is skipped.
    fn triangle(&mut self, [a, b, c]: [u32; 3], told: &mut Told) {
        let corners = [a, c, b];
        let place = |vertex: u32| {
            self.own.positions.get(vertex as usize).copied().filter(|place| place.is_finite())
        };
        let [Some(first), Some(second), Some(third)] = corners.map(place) else {
            let what = "a triangle refers to a missing vertex; skipped";
            return told.note(FileRepair::BadReference, FilePlace::Byte(0), what);
        };
        if self.material.is_flat {
            self.known.clear();
        }
        let flat = unit_or((second - first).cross(third - first), Vec3::ZERO);
        let triangle = corners.map(|vertex| self.vertex(vertex, flat));
        let number = u32::try_from(self.bind.triangles.len()).unwrap_or(u32::MAX);
        self.bind.shape.polygons.push(number);
        self.bind.triangles.push(triangle);
    }

    fn vertex(&mut self, vertex: u32, flat: Vec3) -> u32 {
        let next = u32::try_from(self.bind.positions.len()).unwrap_or(u32::MAX);
        let known = *self.known.entry(vertex).or_insert(next);
        if known != next {
            return known;
        }
        let (own, at) = (self.own, vertex as usize);
        let get = |list: &[Vec3]| list.get(at).copied();
        self.bind.positions.extend(get(&own.positions));
        self.bind.shape.points.push(vertex);
        let normal = if self.material.is_flat { Some(flat) } else { get(&own.normals) };
        self.bind.normals.push(normal.unwrap_or_default());
        let [first, second] = [0, 1].map(|set: usize| {
            own.texcoords.get(set).and_then(|list| list.get(at)).copied().unwrap_or(Vec2::ZERO)
        });
        self.bind.texcoords.push(first);
        if self.material.has_second_texcoords {
            self.bind.second_texcoords.push(second);
        }
        if self.material.has_vertex_colors {
            self.bind.colors.extend(own.colors.get(at).copied().map(linear));
        }
        // A vertex without weights follows the node of its mesh.
        let alone = vec![(own.node, 1.0)];
        let pulls = own.pulls.get(&vertex).unwrap_or(&alone);
        if !own.pulls.is_empty() && !own.pulls.contains_key(&vertex) {
            self.bind.unweighted_vertices.push(next);
        }
        let sum: f32 = pulls.iter().map(|(_, weight)| weight).sum();
        for &(node, weight) in pulls {
            let offset = self.offset(node);
            let joint = JointIndex(u16::try_from(node).unwrap_or(u16::MAX));
            self.bind.influences.push(BindInfluence { joint, weight: weight / sum, offset });
        }
        let count = u32::try_from(self.bind.influences.len()).unwrap_or(u32::MAX);
        self.bind.influence_start.push(count);
        next
    }

    /// The index of the offset that transforms the mesh from rest to the space of a node.
    fn offset(&mut self, node: usize) -> u32 {
        let next = u32::try_from(self.bind.offsets.len()).unwrap_or(u32::MAX);
        let offset = *self.offsets.entry(node).or_insert(next);
        if offset == next {
            let rest = |node: usize| {
                let joint = self.skeleton.joints().get(node);
                joint.map_or(Affine3::IDENTITY, |joint| joint.model_from_joint)
            };
            let own = rest(node).inverse() * rest(self.own.node);
            let own = if node == self.own.node { Affine3::IDENTITY } else { own };
            self.bind.offsets.push(if own.is_finite() { own } else { Affine3::IDENTITY });
        }
        offset
    }
}
