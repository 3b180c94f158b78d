//! Geometries become meshes: for each model that has one, a mesh for each of its materials.

use super::layer::{Layer, elements, number_at};
use super::material::Materials;
use super::morph::Morphs;
use super::node::{Node, Nodes, vec3};
use super::skin::{Skin, read_skin};
use crate::LimitExceeded;
use crate::corner_mesh::check_meshes;
use crate::fbx::document::Document;
use crate::fbx::tree::{Node as Record, Value};
use crate::polygon::Cutter;
use crate::{FilePlace, LimitName, LoadOptions, ModelFormatError};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use tintype_base::amount::counted_as;
use tintype_base::deadline::Watch;
use tintype_model::math::srgb::linear_from_encoded;
use tintype_model::math::{DVec3, Vec2, Vec3, Vec4, clamp};
use tintype_model::{BindSpaceMesh, BindTarget, FileRepair, Mesh, Warning};

/// Models with the geometries drawn on them, as indices of models and of objects.
pub(super) fn placed_geometries(
    document: &Document,
    nodes: &Nodes,
    warnings: &mut Vec<Warning>,
) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    let mut others: BTreeMap<String, usize> = BTreeMap::new();
    for (index, node) in nodes.list.iter().enumerate() {
        let own = document.objects.get(node.object);
        if own.is_some_and(|own| is_mesh(own.node)) {
            found.push((index, node.object));
        }
        for geometry in document.parts(node.object, "Geometry") {
            let Some(object) = document.objects.get(geometry) else { continue };
            if is_mesh(object.node) {
                found.push((index, geometry));
            } else if !matches!(object.class.as_ref(), "Mesh" | "Shape") {
                *others.entry(object.class.to_string()).or_default() += 1;
            }
        }
    }
    for (class, count) in others {
        let what = counted_as(count, "geometry", "geometries");
        let message = format!("{what} of the kind {class:?}: only polygon meshes are drawn");
        warnings.push(FileRepair::NotDrawn.told(message));
    }
    found
}

fn is_mesh(node: &Record) -> bool {
    node.child("Vertices").is_some() && node.child("PolygonVertexIndex").is_some()
}

/// Maximum number of sets of texture coordinates of a geometry that textures may name.
const MAX_SETS: usize = 16;

/// Expansion limits of a file: the first use of a geometry counts in full, and its further models
/// count as copies.
#[derive(Default)]
struct Budget {
    influences: usize,
    most: usize,
    targets: usize,
    most_targets: usize,
    /// Models of each geometry; empty for counted ones.
    models_of: BTreeMap<usize, usize>,
    /// Current model of the geometry, and the influences before it.
    own: (usize, usize),
    copies: usize,
}

impl Budget {
    /// Begins a geometry on one of its models.
    fn begin(&mut self, geometry: usize) {
        let models = self.models_of.insert(geometry, 0).unwrap_or(0);
        self.own = (models, self.influences);
        if models == 0 {
            self.influences = 0;
        }
    }

    /// Finishes it; on its first model, all others are counted.
    fn end(&mut self, at: FilePlace) -> Result<(), ModelFormatError> {
        let (models, before) = self.own;
        if models == 0 {
            self.influences = before;
            return Ok(());
        }
        let own = self.influences.saturating_sub(before);
        self.copies = self.copies.saturating_add(own.saturating_mul(models - 1));
        if self.copies <= self.most_targets {
            return Ok(());
        }
        let what = "corners and influences of all models of one geometry";
        let (found, limit, option) = (self.copies, self.most_targets, Some(LimitName::Influences));
        Err(LimitExceeded::new(at, what, found, (limit, option)).into())
    }

    fn spend(
        &mut self,
        influences: usize,
        targets: usize,
        at: FilePlace,
    ) -> Result<(), ModelFormatError> {
        self.influences = self.influences.saturating_add(influences);
        self.targets = self.targets.saturating_add(targets);
        let option = Some(LimitName::Influences);
        for (what, found, limit) in [
            ("corners and influences of all meshes", self.influences, self.most),
            ("vertices of all blend shapes", self.targets, self.most_targets),
        ] {
            if found > limit {
                return Err(LimitExceeded::new(at, what, found, (limit, option)).into());
            }
        }
        Ok(())
    }
}

/// Inputs of the builder of meshes.
pub(super) struct Scene<'s, 'd> {
    pub(super) document: &'d Document<'d>,
    pub(super) nodes: &'s Nodes,
    pub(super) morphs: &'s Morphs<'d>,
    /// Size of the file when all of it is decompressed.
    pub(super) bytes: usize,
    pub(super) options: &'s LoadOptions,
}

/// Builds the meshes. A damaged geometry is skipped, with a warning.
///
/// # Errors
/// [`ModelFormatError::Limit`] for files that expand to more than their size justifies,
/// [`ModelFormatError::TimedOut`].
pub(super) fn build_meshes(
    scene: &Scene,
    geometries: &[(usize, usize)],
    materials: &mut Materials,
    warnings: &mut Vec<Warning>,
) -> Result<Vec<Mesh>, ModelFormatError> {
    let limits = &scene.options.limits;
    let (most, most_targets) = (limits.max_influences(scene.bytes), limits.max_instanced());
    let most = most.max(limits.max_instanced().min(scene.bytes));
    let mut budget = Budget { most, most_targets, ..Budget::default() };
    let mut cutter = Cutter::new(&scene.options.deadline);
    let (mut meshes, mut hidden) = (Vec::new(), 0);
    for (_, geometry) in geometries {
        *budget.models_of.entry(*geometry).or_default() += 1;
    }
    let mut subdivided = BTreeSet::new();
    for &(model, geometry) in geometries {
        scene.options.deadline.check("building meshes")?;
        let Some(node) = scene.nodes.list.get(model) else { continue };
        let shown = scene.morphs.shown_by(scene.document, scene.nodes, node);
        let Some(shown_by) = shown.filter(|_| !is_lesser_detail(scene, node)) else {
            hidden += 1;
            continue;
        };
        if is_subdivided(scene.document, geometry) && subdivided.insert(geometry) {
            let message = "it is subdivided in its program; the unsubdivided cage is drawn";
            warnings.push(scene.document.fault(FileRepair::Effect, geometry, message));
        }
        let polygons = match Polygons::read(scene.document, geometry, warnings) {
            Ok(polygons) => polygons,
            Err(why) => {
                let message = format!("the mesh is skipped: {why}");
                warnings.push(scene.document.fault(FileRepair::Malformed, geometry, &message));
                continue;
            }
        };
        budget.begin(geometry);
        let mut builder =
            Builder { scene, model, geometry, node, polygons: &polygons, budget: &mut budget };
        let built = builder.build(materials, &mut cutter, warnings)?;
        let at = builder.at();
        budget.end(at)?;
        for mut bind in built {
            check_meshes(meshes.len() + 1, at, scene.options)?;
            bind.name = scene.nodes.name(node);
            bind.keeps_splits = scene.options.keeps_splits;
            let mut mesh =
                Mesh::from_bind_space(bind, &scene.nodes.skeleton, &scene.options.deadline)?;
            mesh.texcoord_sets = polygons.texcoord_sets;
            mesh.shown_by.clone_from(&shown_by);
            meshes.push(mesh);
        }
    }
    if hidden > 0 {
        let count = counted_as(hidden, "mesh is hidden", "meshes are hidden");
        warnings.push(FileRepair::NotDrawn.told(format!("{count} in the file and not drawn")));
    }
    let given_up = cutter.given_up_message();
    warnings.extend(given_up.map(|message| FileRepair::LargePolygon.told(message)));
    Ok(meshes)
}

/// True for a geometry that its program shows as a subdivision surface (`Smoothness` of 2 or 3).
fn is_subdivided(document: &Document, geometry: usize) -> bool {
    /// Cage and smooth surface, and only the smooth surface.
    const SHOWN: core::ops::RangeInclusive<i64> = 2..=3;
    let own = document.objects.get(geometry);
    own.and_then(|own| own.node.int_of("Smoothness")).is_some_and(|mode| SHOWN.contains(&mode))
}

/// True if a model is a level of detail below the first of its group.
fn is_lesser_detail(scene: &Scene, node: &Node) -> bool {
    let Some(parent) = scene.nodes.parent(node) else { return false };
    let class = |object: usize| scene.document.objects.get(object).map(|own| own.class.as_ref());
    let is_group = class(parent.object) == Some("LodGroup")
        || scene
            .document
            .parts(parent.object, "NodeAttribute")
            .any(|one| class(one) == Some("LodGroup"));
    is_group && scene.document.parts(parent.object, "Model").next() != Some(node.object)
}

/// Polygons of a geometry with the attributes of their corners.
struct Polygons {
    positions: Vec<DVec3>,
    /// Vertices of the corners of all polygons.
    corners: Vec<usize>,
    /// First corner and count of corners of each polygon.
    faces: Vec<(usize, usize)>,
    normals: Option<Layer>,
    /// Sets of texture coordinates by their names.
    texcoords: Vec<(String, Option<Layer>)>,
    texcoord_sets: u8,
    colors: Option<Layer>,
    materials: Option<Layer>,
    holes: Option<Layer>,
}

/// The vertices of the corners, and the polygons that end where an index is written as its
/// complement. A polygon of missing or non-finite vertices has no corners; it stays in the list, as
/// the number of a polygon selects its material.
fn cut_at_ends(indices: &[i64], positions: &[DVec3]) -> (Vec<usize>, Vec<(usize, usize)>) {
    let is_sound = |&vertex: &usize| positions.get(vertex).is_some_and(|at| at.is_finite());
    let (mut corners, mut faces, mut first) = (Vec::new(), Vec::new(), 0);
    for (place, &index) in indices.iter().enumerate() {
        let is_last = index < 0;
        let vertex = if is_last { !index } else { index };
        corners.push(usize::try_from(vertex).unwrap_or(usize::MAX));
        if is_last || place + 1 == indices.len() {
            let own = corners.get(first..).unwrap_or_default();
            faces.push((first, if own.iter().all(is_sound) { own.len() } else { 0 }));
            first = corners.len();
        }
    }
    (corners, faces)
}

impl Polygons {
    fn read(
        document: &Document,
        geometry: usize,
        warnings: &mut Vec<Warning>,
    ) -> Result<Self, String> {
        let record = document.objects.get(geometry).ok_or("no such object")?.node;
        let numbers = record.reals_of("Vertices")?.unwrap_or_default();
        let positions: Vec<DVec3> = numbers.chunks_exact(3).map(DVec3::from_slice).collect();
        let indices = record.ints_of("PolygonVertexIndex")?.unwrap_or_default();
        let (corners, faces) = cut_at_ends(&indices, &positions);
        let bad = faces.iter().filter(|(_, length)| *length == 0).count();
        if bad > 0 {
            let count = counted_as(bad, "polygon uses", "polygons use");
            let message = format!("{count} missing or non-finite vertices and is skipped");
            warnings.push(document.fault(FileRepair::BadReference, geometry, &message));
        }
        let mut told = |record: &Record, layer: Result<Layer, String>| {
            let told = |why: &String| {
                let message = format!("{}: {why}", record.name);
                warnings.push(document.fault(FileRepair::WrongShape, geometry, &message));
            };
            layer.inspect_err(told).ok()
        };
        let first = |kind: &str| elements(record, kind).first().copied();
        let is_old = record.child("Normals").is_some() && first("LayerElementNormal").is_none();
        let (counts, by_vertex) = ([positions.len(), corners.len()], document.version == 5000);
        let old_normals = is_old.then(|| Layer::of_old_normals(record, counts, by_vertex));
        let old_normals = old_normals.and_then(|layer| told(record, layer));
        let texcoord_sets = elements(record, "LayerElementUV");
        let mut texcoords: Vec<(String, Option<Layer>)> = (texcoord_sets.iter().take(MAX_SETS))
            .map(|set| {
                let name = set.text_of("Name").unwrap_or_default().into_owned();
                (name, told(set, Layer::read(set, "UV", "UVIndex", 2)))
            })
            .collect();
        if texcoords.is_empty() {
            let old = record.child("GeometryUVInfo");
            let old = old.and_then(|old| told(old, Layer::of_old_texcoords(old)));
            texcoords.push((String::new(), old));
        }
        let mut layer = |record: Option<&Record>, values: &str, index: &str, width: usize| {
            record.and_then(|record| told(record, Layer::read(record, values, index, width)))
        };
        let old_materials = record.child("MaterialAssignation").is_some().then_some(record);
        let normals = layer(first("LayerElementNormal"), "Normals", "NormalsIndex", 3);
        Ok(Self {
            normals: normals.or(old_normals),
            texcoord_sets: u8::try_from(texcoord_sets.len().max(1)).unwrap_or(u8::MAX),
            // Some programs write sets that are entirely black, which they do not display.
            colors: layer(first("LayerElementColor"), "Colors", "ColorIndex", 4)
                .filter(Layer::has_color),
            materials: layer(first("LayerElementMaterial"), "Materials", "", 1)
                .or_else(|| layer(old_materials, "Materials", "", 1)),
            holes: layer(first("LayerElementHole"), "Hole", "", 1),
            texcoords,
            positions,
            corners,
            faces,
        })
    }
}

impl Polygons {
    /// The index of the material of a polygon, as the file states it.
    #[expect(clippy::cast_possible_truncation, reason = "an index; saturates")]
    #[expect(clippy::cast_sign_loss, reason = "an index; saturates")]
    fn material(&self, first_corner: usize, face: usize) -> usize {
        let list = self.materials.as_ref().and_then(|layer| layer.at(first_corner, 0, face));
        list.map_or(0.0, |list| number_at(list, 0)) as usize
    }
}

/// Builder of the meshes of one geometry on one model.
struct Builder<'b, 'd> {
    scene: &'b Scene<'b, 'd>,
    model: usize,
    geometry: usize,
    node: &'b Node,
    polygons: &'b Polygons,
    budget: &'b mut Budget,
}

/// A mesh of one material under construction.
#[derive(Default)]
struct Part {
    bind: BindSpaceMesh,
    /// Vertices by vertex of the file, normal, texture coordinates and colour. Only for keyed
    /// look-ups.
    known: HashMap<(usize, [u32; 11]), u32>,
    /// True if its vertices have a second set of texture coordinates, which its material uses.
    has_second: bool,
    /// Indices of both texture coordinate sets in the geometry.
    sets: [usize; 2],
    /// For each vertex, its index in the file.
    sources: Vec<usize>,
}

impl Part {
    fn of_material(name: &str, materials: &Materials, polygons: &Polygons) -> Self {
        // Each geometry orders its sets differently.
        let sets = materials.texcoord_sets(name).map(|name| {
            let mut all = polygons.texcoords.iter();
            name.and_then(|name| all.position(|(own, _)| own == name)).unwrap_or(0)
        });
        Self { has_second: materials.has_second_texcoords(name), sets, ..Self::default() }
    }
}

impl Builder<'_, '_> {
    fn at(&self) -> FilePlace {
        let object = self.scene.document.objects.get(self.geometry);
        object.map_or(FilePlace::Byte(0), |object| object.node.at)
    }

    fn build(
        &mut self,
        materials: &mut Materials,
        cutter: &mut Cutter,
        warnings: &mut Vec<Warning>,
    ) -> Result<Vec<BindSpaceMesh>, ModelFormatError> {
        let Scene { document, nodes, options, .. } = *self.scene;
        let polygons = self.polygons;
        let metres = nodes.frame.metres;
        let vertices = polygons.positions.len();
        let skin = read_skin(document, nodes, self.node, self.geometry, vertices, warnings);
        let shaders = materials.of_model(document, self.node.object, self.geometry, warnings);
        let is_mirrored = self.is_mirrored(&skin);
        let mut parts: BTreeMap<usize, Part> = BTreeMap::new();
        let mut watch = options.deadline.watch("building meshes", 1 << 14);
        let mut flat = Vec::new();
        for (face, &(first, length)) in polygons.faces.iter().enumerate() {
            watch.take(length)?;
            let is_hole = polygons.holes.as_ref().and_then(|layer| layer.at(first, 0, face));
            if length < 3 || is_hole.is_some_and(|hole| number_at(hole, 0) != 0.0) {
                continue;
            }
            let material = polygons.material(first, face).min(shaders.len().saturating_sub(1));
            let part = parts.entry(material).or_insert_with(|| {
                shaders.get(material).map_or_else(Part::default, |shader| {
                    Part::of_material(shader, materials, polygons)
                })
            });
            let mut own = Vec::new();
            flat.clear();
            for corner in first..first + length {
                let vertex = polygons.corners.get(corner).copied().unwrap_or(0);
                let place = polygons.positions.get(vertex).copied().unwrap_or(DVec3::ZERO);
                flat.push(vec3(place * metres));
                let vertex = self.vertex(part, &skin, corner, vertex, face)?;
                own.push(vertex);
            }
            let BindSpaceMesh { triangles, shape, .. } = &mut part.bind;
            let polygons_of = &mut shape.polygons;
            cutter.cut(&flat, |corners| {
                let [a, b, c] = corners.map(|at| own.get(at).copied().unwrap_or(0));
                triangles.push(if is_mirrored { [a, c, b] } else { [a, b, c] });
                polygons_of.push(u32::try_from(face).unwrap_or(u32::MAX));
            })?;
        }
        let mut binds = Vec::new();
        for (material, mut part) in parts {
            part.bind.material_name = shaders.get(material).cloned().unwrap_or_default();
            part.bind.offsets.clone_from(&skin.offsets);
            let point = |&source: &usize| u32::try_from(source).unwrap_or(u32::MAX);
            part.bind.shape.points = part.sources.iter().map(point).collect();
            self.add_targets(&mut part, &mut watch, warnings)?;
            binds.push(part.bind);
        }
        Ok(binds)
    }

    /// Adds the shapes of the geometry to a mesh; invalid ones are skipped, with a warning.
    fn add_targets(
        &mut self,
        part: &mut Part,
        watch: &mut Watch,
        warnings: &mut Vec<Warning>,
    ) -> Result<(), ModelFormatError> {
        let Scene { document, nodes, morphs, .. } = *self.scene;
        let (count, size) = (self.polygons.positions.len(), part.sources.len());
        let shapes: Vec<(usize, &Record, &[f64])> =
            morphs.shapes(self.model, self.geometry).collect();
        self.budget.spend(0, size.saturating_mul(shapes.len()), self.at())?;
        for (weight, shape, shares) in shapes {
            watch.take(size)?;
            match target((shape, shares), weight, &part.sources, count, nodes.frame.metres) {
                Ok(target) => part.bind.targets.push(target),
                Err(why) => {
                    let message = format!("{}: a shape is skipped: {why}", shape.at);
                    let fault = FileRepair::Malformed;
                    warnings.push(document.fault(fault, self.geometry, &message));
                }
            }
        }
        Ok(())
    }

    /// The vertex of a corner: an existing one with equal attributes, or a new one.
    fn vertex(
        &mut self,
        part: &mut Part,
        skin: &Skin,
        corner: usize,
        vertex: usize,
        face: usize,
    ) -> Result<u32, ModelFormatError> {
        let polygons = self.polygons;
        let layer = |layer: &'_ Option<Layer>, at: usize| {
            layer.as_ref()?.at(corner, vertex, face).map(|list| single(number_at(list, at)))
        };
        let three = |layer_of: &Option<Layer>| {
            [0, 1, 2].map(|at| layer(layer_of, at).filter(|one| one.is_finite()).unwrap_or(0.0))
        };
        let normal = three(&polygons.normals);
        let two = |layer_of: &Option<Layer>| {
            [0, 1].map(|at| layer(layer_of, at).filter(|one| one.is_finite()).unwrap_or(0.0))
        };
        let [texcoord, second] = part
            .sets
            .map(|set| polygons.texcoords.get(set).map_or([0.0; 2], |(_, layer)| two(layer)));
        let second = if part.has_second { second } else { texcoord };
        let color = [0, 1, 2, 3]
            .map(|at| layer(&polygons.colors, at).filter(|one| one.is_finite()).unwrap_or(1.0));
        let mut bits = [0; 11];
        let all = normal.iter().chain(&texcoord).chain(&second).chain(&color);
        bits.iter_mut().zip(all).for_each(|(to, from)| *to = from.to_bits());
        if let Some(&known) = part.known.get(&(vertex, bits)) {
            return Ok(known);
        }
        let bind = &mut part.bind;
        let influences = skin.of(vertex);
        self.budget.spend(1 + influences.len(), 0, self.at())?;
        let index = u32::try_from(bind.positions.len()).unwrap_or(u32::MAX);
        part.known.insert((vertex, bits), index);
        let place = polygons.positions.get(vertex).copied().unwrap_or(DVec3::ZERO);
        bind.positions.push(vec3(place * self.scene.nodes.frame.metres));
        bind.normals.push(Vec3::from_array(normal));
        // The file counts from the lower left corner.
        bind.texcoords.push(Vec2::new(texcoord[0], 1.0 - texcoord[1]));
        if part.has_second {
            bind.second_texcoords.push(Vec2::new(second[0], 1.0 - second[1]));
        }
        if polygons.colors.is_some() {
            let [r, g, b, a] = color.map(|part| clamp(part, 0.0, 1.0));
            let [r, g, b] = [r, g, b].map(|one| single(linear_from_encoded(f64::from(one))));
            bind.colors.push(Vec4::new(r, g, b, a));
        }
        if bind.influence_start.is_empty() {
            bind.influence_start.push(0);
        }
        bind.influences.extend_from_slice(influences);
        bind.dual_shares.extend(skin.dual_share(vertex));
        bind.influence_start.push(u32::try_from(bind.influences.len()).unwrap_or(u32::MAX));
        part.sources.push(vertex);
        Ok(index)
    }

    /// True if the transform of the mesh into the scene mirrors it.
    fn is_mirrored(&self, skin: &Skin) -> bool {
        let first = self.polygons.corners.first().and_then(|&vertex| skin.of(vertex).first());
        let Some(influence) = first else { return false };
        let joint = self.scene.nodes.skeleton.joints().get(influence.joint.index());
        let offset = skin.offsets.get(influence.offset as usize);
        let determinant = |matrix: tintype_model::math::Mat3| matrix.determinant();
        let world = joint.map_or(1.0, |joint| determinant(joint.model_from_joint.matrix3));
        world * offset.map_or(1.0, |offset| determinant(offset.matrix3)) < 0.0
    }
}

#[expect(clippy::cast_possible_truncation, reason = "numbers of the model have 32 bits")]
fn single(number: f64) -> f32 {
    number as f32
}

/// The offsets of a shape for the vertices of a mesh.
fn target(
    (shape, shares): (&Record, &[f64]),
    weight: usize,
    sources: &[usize],
    count: usize,
    metres: f64,
) -> Result<BindTarget, String> {
    let indices = shape.ints_of("Indexes")?.unwrap_or_default();
    let places = shape.reals_of("Vertices")?.unwrap_or_default();
    let normals = shape.reals_of("Normals")?.unwrap_or_default();
    let has_shares = shares.len() == indices.len();
    let spread = |numbers: &[f64], factor: f64| {
        let mut all = vec![Vec3::ZERO; count];
        for (place, (&index, at)) in indices.iter().zip(numbers.chunks_exact(3)).enumerate() {
            let share = if has_shares { number_at(shares, place) } else { 1.0 };
            let slot = usize::try_from(index).ok().and_then(|index| all.get_mut(index));
            let offset = vec3(DVec3::new(at[0], at[1], at[2]) * (factor * share));
            if let (Some(slot), true) = (slot, offset.is_finite()) {
                *slot = offset;
            }
        }
        sources.iter().map(|&source| all.get(source).copied().unwrap_or(Vec3::ZERO)).collect()
    };
    let normals = if normals.len() == places.len() && normals.iter().any(|&one| one != 0.0) {
        spread(&normals, 1.0)
    } else {
        Vec::new()
    };
    Ok(BindTarget { weight, positions: spread(&places, metres), normals, tangents: Vec::new() })
}

/// Bytes of all records of a file when their numbers are inflated.
pub(super) fn inflated_bytes(record: &Record) -> usize {
    let own = record.values.iter().map(|value| match value {
        Value::Packed(packed) => packed.count.saturating_mul(packed.width()).min(packed.most),
        _ => 0,
    });
    let below = record.children.iter().map(inflated_bytes);
    own.chain(below).fold(0, usize::saturating_add)
}
