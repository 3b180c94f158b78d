//! Meshes: each primitive of each node with a mesh becomes a mesh of the model.

use super::instancing::{copies_of, hidden_nodes};
use super::material::Materials;
use super::morph::{MAX_SWITCHES, Morphs, read_targets};
use super::node::Nodes;
use super::parts::extension;
use super::primitive::{Geometry, TRIANGLES, read_primitive, vertex_count};
use super::skin::{Influences, Skin, read_influences, skin_of};
use super::source::Source;
use super::texcoord::TexcoordSets;
use crate::LimitExceeded;
use crate::gltf::buffer::missing;
use crate::gltf::document::{self, Node, Primitive};
use crate::gltf::error::{GltfError, INSTANCED_CORNERS};
use crate::gltf::number::JsonInteger;
use crate::gltf::object::objects;
use crate::gltf::path::JsonPath;
use crate::gltf::vrm::is_first_person_only;
use crate::{LimitName, LoadOptions};
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};
use tintype_model::math::{Affine3, Vec3, unit_or};
use tintype_model::{BindInfluence, BindSpaceMesh, BindTarget, FileRepair, JointIndex, Mesh};

/// Builds the meshes of the scene, in the order of its joints. All of them are counted before the
/// first is made, so a file that expands beyond the limits is refused at once. Primitives without
/// readable positions or indices are skipped.
///
/// # Errors
/// [`GltfError`] of the first primitive that cannot be read, if none can.
pub(super) fn build_meshes(
    source: &Source,
    (nodes, skins, morphs): (&Nodes, &[Option<Skin>], &Morphs),
    materials: &mut Materials,
    options: &LoadOptions,
) -> Result<Vec<Mesh>, GltfError> {
    let placed = placed_meshes(source, (nodes, skins, morphs), options)?;
    let shared = shared_positions(source.document);
    let mut lost = None;
    let by_option = Some(LimitName::Meshes);
    let mut made = Budget::new("meshes", options.limits.max_meshes, by_option);
    let mut meshes = Vec::new();
    let mesh_list = JsonPath::root("meshes");
    for placed in &placed {
        options.deadline.check("building meshes")?;
        let Placed { mesh, number, .. } = placed;
        let path = mesh_list.index(*number);
        let primitives = path.key("primitives");
        for (place, primitive) in mesh.primitives.iter().enumerate() {
            let path = primitives.index(place);
            let count = mesh.primitives.len();
            let name = mesh_name(mesh.name.as_deref(), *number, place, count);
            let mut builder =
                PrimitiveBuilder { source, nodes, morphs, materials, shared: &shared };
            let built = match builder.build(name, primitive, placed, &path) {
                Ok(built) => built,
                Err(error) => {
                    let error = error.of_part()?;
                    source
                        .faults
                        .tell(FileRepair::Malformed, format!("{error}; {path} is skipped"));
                    lost = lost.or(Some(error));
                    None
                }
            };
            let Some(Built { bind, texcoord_sets, variants }) = built else { continue };
            made.spend(1, &path)?;
            let bind = BindSpaceMesh { keeps_splits: options.keeps_splits, ..bind };
            let mut built = Mesh::from_bind_space(bind, &nodes.skeleton, &options.deadline)?;
            (built.texcoord_sets, built.variants) = (texcoord_sets, variants);
            built.shown_by.clone_from(&placed.shown_by);
            meshes.push(built);
        }
    }
    match lost {
        Some(error) if meshes.iter().all(|mesh| mesh.triangles.is_empty()) => Err(error),
        _ => Ok(meshes),
    }
}

/// Accessors used for positions by several primitives; each of these needs only the vertices that
/// its indices use.
fn shared_positions(document: &document::Document) -> BTreeSet<usize> {
    let mut known = BTreeSet::new();
    let primitives = document.meshes.iter().flat_map(|mesh| &mesh.primitives);
    let indexed = primitives.filter(|one| one.indices.is_some());
    let positions = indexed.filter_map(|one| one.attributes.get("POSITION"));
    positions.filter(|position| !known.insert(position.0)).map(|position| position.0).collect()
}

/// Finds the nodes with a visible mesh, and counts their expanded sizes.
fn placed_meshes<'p>(
    source: &Source<'p>,
    (nodes, skins, morphs): (&Nodes, &'p [Option<Skin>], &Morphs),
    options: &LoadOptions,
) -> Result<Vec<Placed<'p>>, GltfError> {
    let faults = source.faults;
    let mut budgets = Budgets::new(source, options);
    let mut all = Vec::new();
    let node_list = JsonPath::root("nodes");
    let hidden = hidden_nodes(source.document, nodes, faults, |node| morphs.is_switched(node));
    for &index in &nodes.nodes {
        options.deadline.check("building meshes")?;
        let Some(node) = source.document.nodes.get(index) else { continue };
        let (Some(number), Some(joint)) = (node.mesh, nodes.joint(index)) else { continue };
        let node_path = node_list.index(index);
        let Some(mesh) = source.document.meshes.get(number.0) else {
            let at = node_path.key("mesh");
            let error = missing(&at, "the mesh", number, source.document.meshes.len());
            faults.tell(FileRepair::BadReference, format!("{error}; skipped"));
            continue;
        };
        let skin = match node.skin {
            Some(skin) => {
                let found = skin_of(skins, skin, &node_path);
                faults.part(FileRepair::BadSkin, found, "the mesh follows its node")?.flatten()
            }
            None => None,
        };
        let is_listed = nodes.listed.get(index) == Some(&true);
        if !is_listed || hidden.get(index) == Some(&true) {
            continue;
        }
        if is_first_person_only(source.document, index) {
            let message = format!("{node_path}: for first-person view only; not drawn");
            faults.tell(FileRepair::NotDrawn, message);
            continue;
        }
        let Some(shown_by) = morphs.shown_by(nodes, index) else {
            return Err(LimitExceeded::new(
                node_path.to_string(),
                "switches of visibility above the node",
                MAX_SWITCHES + 1,
                (MAX_SWITCHES, None),
            )
            .into());
        };
        let copies = drawn_copies(source, node, &node_path, skin.is_some())?;
        let placed = Placed { index, joint, skin, copies, mesh, number: number.0, shown_by };
        budgets.spend_all(source, &placed)?;
        // A mesh without primitives makes none, and its copies have not been counted.
        if !mesh.primitives.is_empty() {
            all.push(placed);
        }
    }
    Ok(all)
}

/// The transforms of the copies of a node's mesh; those of a skinned mesh coincide.
fn drawn_copies(
    source: &Source,
    node: &Node,
    node_path: &JsonPath,
    is_skinned: bool,
) -> Result<Option<Vec<Affine3>>, GltfError> {
    let copies = copies_of(source, node, node_path);
    let copies = source.faults.part(FileRepair::Malformed, copies, "drawn once")?.flatten();
    if copies.is_some() && is_skinned {
        let message =
            format!("{node_path}: instances of a skinned mesh coincide; only one is drawn");
        source.faults.tell(FileRepair::Duplicate, message);
    }
    Ok(copies.filter(|_| !is_skinned))
}

/// Limits for all meshes of the scene: the first use of a mesh counts in full, and further nodes
/// with it count as copies.
struct Budgets {
    /// Meshes that were counted.
    known: BTreeSet<usize>,
    /// Vertices named by the indices of an accessor, by the accessors of positions and of indices.
    used: BTreeMap<(usize, usize), usize>,
    shared: BTreeSet<usize>,
    influences: Budget,
    instanced: Budget,
    instanced_corners: Budget,
}

impl Budgets {
    fn new(source: &Source, options: &LoadOptions) -> Self {
        let by_option = Some(LimitName::Influences);
        let most = options.limits.max_influences(source.file_bytes);
        let influences = Budget::new("influences of all meshes of the scene", most, by_option);
        let most = options.limits.max_instanced();
        let of_instances = "influences, corners and targets of all instances";
        let instanced = Budget::new(of_instances, most, by_option);
        let most = options.limits.max_instanced_corners;
        let instanced_corners = Budget::new(INSTANCED_CORNERS, most, None);
        let shared = shared_positions(source.document);
        let (known, used) = (BTreeSet::new(), BTreeMap::new());
        Self { known, used, shared, influences, instanced, instanced_corners }
    }

    /// Counts the primitives of a node.
    fn spend_all(&mut self, source: &Source, placed: &Placed) -> Result<(), GltfError> {
        let list = JsonPath::root("meshes");
        let mesh = list.index(placed.number);
        let primitives = mesh.key("primitives");
        let is_first = self.known.insert(placed.number);
        let copies = match &placed.copies {
            None if is_first => None,
            copies => Some(copies.as_ref().map_or(1, Vec::len)),
        };
        for (place, primitive) in placed.mesh.primitives.iter().enumerate() {
            let path = primitives.index(place);
            let vertices = self.vertices(source, primitive, &path);
            match copies {
                None => {
                    let each = if placed.skin.is_some() { 4 } else { 1 };
                    self.influences.spend(vertices.saturating_mul(each), &path)?;
                }
                Some(copies) => self.spend(source, primitive, (vertices, copies), &path)?,
            }
        }
        Ok(())
    }

    /// Number of the vertices that a primitive needs.
    fn vertices(&mut self, source: &Source, primitive: &Primitive, path: &JsonPath) -> usize {
        let all = vertex_count(source, primitive, path);
        let position = primitive.attributes.get("POSITION");
        let shared = position.filter(|position| self.shared.contains(&position.0));
        let Some((position, indices)) = shared.zip(primitive.indices) else { return all };
        let count = || {
            let numbers = source.accessors.wholes(indices, &["SCALAR"], 4, path).ok()?;
            let mut named = numbers.values;
            named.sort_unstable();
            named.dedup();
            Some(named.len().min(all))
        };
        let known = self.used.entry((position.0, indices.0));
        *known.or_insert_with(|| count().unwrap_or(all))
    }

    /// Counts copies of a primitive with this many vertices.
    fn spend(
        &mut self,
        source: &Source,
        primitive: &Primitive,
        (vertices, copies): (usize, usize),
        path: &JsonPath,
    ) -> Result<(), GltfError> {
        // Corners and targets are multiplied by the vertices.
        let count = |index| source.accessors.count(index, &path.key("indices")).ok();
        let listed = primitive.indices.and_then(count);
        let corners = listed.unwrap_or(vertices.saturating_mul(3));
        // Copies are kept until all are counted, including those of an empty primitive.
        let of_one = vertices.saturating_add(corners).max(1);
        let needed = of_one.saturating_mul(primitive.targets.len() + 1);
        self.instanced.spend(needed.saturating_mul(copies), path)?;
        if primitive.mode.is_none_or(|mode| mode.0 >= TRIANGLES) {
            // A strip has more.
            let fewest = listed.unwrap_or(vertices);
            self.instanced_corners.spend(fewest.saturating_mul(copies), path)?;
        }
        Ok(())
    }
}

/// Records that meshes of a file may expand to.
struct Budget {
    /// The records, in words.
    what: &'static str,
    most: usize,
    /// The limit that raises it.
    option: Option<LimitName>,
    spent: usize,
}

impl Budget {
    fn new(what: &'static str, most: usize, option: Option<LimitName>) -> Self {
        Self { what, most, option, spent: 0 }
    }

    /// Counts the records of a primitive, before they are made.
    fn spend(&mut self, needed: usize, primitive: &JsonPath) -> Result<(), GltfError> {
        self.spent = self.spent.saturating_add(needed);
        if self.spent <= self.most {
            return Ok(());
        }
        let (path, what, option) = (primitive.to_string(), self.what, self.option);
        Err(LimitExceeded::new(path, what, self.spent, (self.most, option)).into())
    }
}

/// A node with a mesh.
struct Placed<'p> {
    /// Its index in the document.
    index: usize,
    joint: JointIndex,
    skin: Option<&'p Skin>,
    /// Transforms of copies of the mesh.
    copies: Option<Vec<Affine3>>,
    mesh: &'p document::Mesh,
    /// Index of the mesh.
    number: usize,
    /// Weights that show the mesh.
    shown_by: Vec<usize>,
}

/// The mesh of a primitive.
struct Built {
    bind: BindSpaceMesh,
    /// Number of its sets of texture coordinates.
    texcoord_sets: u8,
    /// Its materials in variants of the document.
    variants: Vec<(usize, String)>,
}

/// Makes meshes of primitives.
struct PrimitiveBuilder<'b> {
    source: &'b Source<'b>,
    nodes: &'b Nodes,
    morphs: &'b Morphs,
    materials: &'b mut Materials,
    /// Accessors of the positions of several primitives.
    shared: &'b BTreeSet<usize>,
}

impl PrimitiveBuilder<'_> {
    /// Builds the mesh of a node's primitive. None if it has no triangles.
    fn build(
        &mut self,
        name: String,
        primitive: &Primitive,
        placed: &Placed<'_>,
        path: &JsonPath,
    ) -> Result<Option<Built>, GltfError> {
        let source = self.source;
        let (shader, mut sets) = self.materials.of(source, primitive.material, path)?;
        let variants = variants_of(source, primitive, self.materials, &mut sets, path)?;
        let Some(mut geometry) = read_primitive(source, primitive, &sets, path)? else {
            return Ok(None);
        };
        let mut targets = match self.morphs.first(placed.index) {
            Some(first) => read_targets(source, primitive, first, geometry.positions.len(), path)?,
            None => Vec::new(),
        };
        let position = primitive.attributes.get("POSITION");
        if position.is_some_and(|position| self.shared.contains(&position.0)) {
            geometry.keep_used(&mut targets);
        }
        let count = geometry.positions.len();
        let skin = placed.skin.filter(|_| !geometry.influences.is_empty());
        let influences = match skin {
            Some(skin) => read_influences(&geometry, skin, path, source.faults),
            None => Influences::rigid(count, placed.joint),
        };
        if placed.skin.is_some() && skin.is_none() {
            let message = format!(
                "{path}: it has no joints although node {} has a skin; it follows the node",
                placed.index
            );
            source.faults.tell(FileRepair::BadSkin, message);
        }
        let offsets = skin.map_or_else(|| vec![Affine3::IDENTITY], |skin| skin.offsets.clone());
        let is_mirrored = is_mirrored(self.nodes, placed.joint);
        let texcoord_sets = geometry.texcoord_sets;
        let hung = RigidMesh { influences, offsets, targets, is_mirrored };
        let bind = bind_mesh(name, shader, geometry, hung);
        let bind = match &placed.copies {
            Some(copies) => copied(&bind, copies),
            None => bind,
        };
        Ok(Some(Built { bind, texcoord_sets, variants }))
    }
}

/// Copies of a rigid mesh as one mesh, with a transform each.
fn copied(bind: &BindSpaceMesh, copies: &[Affine3]) -> BindSpaceMesh {
    let own = bind.positions.len() - bind.source_vertex.len();
    // The vertices of the file come first, for all copies.
    fn gathered<T: Copy>(own: usize, copies: usize, list: &[T]) -> Vec<T> {
        let mut all = Vec::with_capacity(list.len() * copies);
        let (own, extra) = list.split_at(own.min(list.len()));
        (0..copies).for_each(|_| all.extend_from_slice(own));
        (0..copies).for_each(|_| all.extend_from_slice(extra));
        all
    }
    let count = copies.len();
    let place = |copy: usize, vertex: u32| {
        let (vertex, extra) = (vertex as usize, bind.source_vertex.len());
        let at = match vertex.checked_sub(own) {
            None => copy * own + vertex,
            Some(behind) => count * own + copy * extra + behind,
        };
        u32::try_from(at).unwrap_or(u32::MAX)
    };
    let mut all = BindSpaceMesh {
        name: bind.name.clone(),
        material_name: bind.material_name.clone(),
        positions: gathered(own, count, &bind.positions),
        normals: gathered(own, count, &bind.normals),
        tangents: gathered(own, count, &bind.tangents),
        texcoords: gathered(own, count, &bind.texcoords),
        second_texcoords: gathered(own, count, &bind.second_texcoords),
        tangent_texcoords: gathered(own, count, &bind.tangent_texcoords),
        colors: gathered(own, count, &bind.colors),
        offsets: copies.to_vec(),
        influence_start: Vec::with_capacity(bind.positions.len() * count + 1),
        influences: Vec::with_capacity(bind.influences.len() * count),
        triangles: Vec::with_capacity(bind.triangles.len() * count),
        joins_equal: bind.joins_equal,
        is_faceted: bind.is_faceted,
        ..BindSpaceMesh::default()
    };
    copy_influences(bind, own, count, &mut all);
    for (copy, transform) in copies.iter().enumerate() {
        let is_mirrored = transform.matrix3.determinant() < 0.0;
        all.triangles.extend(bind.triangles.iter().map(|triangle| {
            let [a, b, c] = triangle.map(|vertex| place(copy, vertex));
            if is_mirrored { [a, c, b] } else { [a, b, c] }
        }));
        all.source_vertex.extend(bind.source_vertex.iter().map(|&vertex| place(copy, vertex)));
    }
    all.targets = (bind.targets.iter())
        .map(|target| BindTarget {
            weight: target.weight,
            positions: gathered(own, count, &target.positions),
            normals: gathered(own, count, &target.normals),
            tangents: gathered(own, count, &target.tangents),
        })
        .collect();
    all
}

/// Adds the influences of all copies; the first `own` vertices of the mesh are those of the file.
fn copy_influences(bind: &BindSpaceMesh, own: usize, copies: usize, all: &mut BindSpaceMesh) {
    all.influence_start.push(0);
    let start = |at: usize| bind.influence_start.get(at).map_or(0, |&start| start as usize);
    for part in [0..own, own..bind.positions.len()] {
        for (copy, vertex) in (0..copies).flat_map(|copy| part.clone().map(move |at| (copy, at))) {
            let run = bind.influences.get(start(vertex)..start(vertex + 1)).unwrap_or_default();
            let offset = u32::try_from(copy).unwrap_or(u32::MAX);
            all.influences.extend(run.iter().map(|one| BindInfluence { offset, ..*one }));
            all.influence_start.push(u32::try_from(all.influences.len()).unwrap_or(u32::MAX));
        }
    }
}

objects!(Mappings, Mapping);

/// `KHR_materials_variants` of a primitive.
#[derive(Default, Deserialize)]
#[serde(remote = "Self")]
#[serde(default)]
struct Mappings {
    mappings: Vec<Mapping>,
}

#[derive(Deserialize)]
#[serde(remote = "Self")]
struct Mapping {
    #[serde(default = "JsonInteger::missing")]
    material: JsonInteger,
    #[serde(default)]
    variants: Vec<JsonInteger>,
}

/// The materials of a primitive in the variants of the document; `sets` is extended to the texture
/// coordinates of all of them.
fn variants_of(
    source: &Source,
    primitive: &Primitive,
    materials: &mut Materials,
    sets: &mut TexcoordSets,
    path: &JsonPath,
) -> Result<Vec<(usize, String)>, GltfError> {
    const NAME: &str = "KHR_materials_variants";
    let extensions = path.key("extensions");
    let found: Option<Mappings> =
        extension(&primitive.extensions, NAME, &extensions, source.faults);
    let own = extensions.key(NAME);
    let list = own.key("mappings");
    let mut variants = Vec::new();
    for (place, mapping) in found.unwrap_or_default().mappings.iter().enumerate() {
        let at = list.index(place);
        let (name, own) = materials.of(source, Some(mapping.material), &at)?;
        if !sets.join(&own) {
            let message = format!(
                "{at}: its textures use other texture coordinates than the other materials' textures; drawn with the latter"
            );
            source.faults.tell(FileRepair::Effect, message);
        }
        variants.extend(mapping.variants.iter().map(|variant| (variant.0, name.clone())));
    }
    Ok(variants)
}

/// True if the transform of a node turns a surface inside out, so that front faces are clockwise.
fn is_mirrored(nodes: &Nodes, joint: JointIndex) -> bool {
    let joints = nodes.skeleton.joints();
    joints
        .get(joint.index())
        .is_some_and(|joint| joint.model_from_joint.matrix3.determinant() < 0.0)
}

/// The name of the mesh; with the number of the primitive if there are several.
fn mesh_name(name: Option<&str>, mesh: usize, primitive: usize, primitives: usize) -> String {
    let name = match name {
        Some(name) if !name.trim().is_empty() => name.to_owned(),
        _ => format!("mesh_{mesh}"),
    };
    if primitives > 1 { format!("{name}:{primitive}") } else { name }
}

/// The joints and targets that move the vertices of a primitive.
struct RigidMesh {
    influences: Influences,
    offsets: Vec<Affine3>,
    targets: Vec<BindTarget>,
    is_mirrored: bool,
}

fn bind_mesh(name: String, shader: String, geometry: Geometry, hung: RigidMesh) -> BindSpaceMesh {
    let RigidMesh { influences, offsets, targets, is_mirrored } = hung;
    let Geometry { positions, normals, tangents, colors, triangles, .. } = geometry;
    let Geometry { texcoords, second_texcoords, tangent_texcoords, .. } = geometry;
    let mut faces = Faces { triangles, normals, source_vertex: Vec::new() };
    // Faces in one plane may leave it in a pose, where they must be flat again.
    let mut joints = influences.list.iter().map(|influence| influence.joint);
    let first = joints.next();
    let bends = joints.any(|joint| Some(joint) != first)
        || targets.iter().any(|target| !target.positions.is_empty());
    let is_faceted = faces.normals.is_empty() && bends;
    if faces.normals.is_empty() {
        faces = Faces::flat(faces.triangles, &positions, bends);
    }
    if is_mirrored {
        for triangle in &mut faces.triangles {
            triangle.swap(1, 2);
        }
    }
    let mut bind = BindSpaceMesh {
        name,
        material_name: shader,
        normals: faces.normals,
        tangents,
        triangles: faces.triangles,
        unweighted_vertices: influences.unweighted_vertices.clone(),
        offsets,
        targets,
        joins_equal: true,
        is_faceted,
        ..BindSpaceMesh::default()
    };
    if faces.source_vertex.is_empty() {
        (bind.positions, bind.texcoords, bind.colors) = (positions, texcoords, colors);
        (bind.second_texcoords, bind.tangent_texcoords) = (second_texcoords, tangent_texcoords);
        (bind.influence_start, bind.influences) = (influences.start, influences.list);
        return bind;
    }
    bind.influence_start.push(0);
    let count = positions.len();
    for vertex in (0..count).chain(faces.source_vertex.iter().map(|&vertex| vertex as usize)) {
        bind.positions.extend(positions.get(vertex));
        bind.texcoords.extend(texcoords.get(vertex));
        bind.second_texcoords.extend(second_texcoords.get(vertex));
        bind.tangent_texcoords.extend(tangent_texcoords.get(vertex));
        bind.colors.extend(colors.get(vertex));
        bind.influences.extend_from_slice(influences.of(vertex));
        bind.influence_start.push(u32::try_from(bind.influences.len()).unwrap_or(u32::MAX));
    }
    for target in &mut bind.targets {
        let copies = faces.source_vertex.iter();
        let copies: Vec<Vec3> =
            copies.filter_map(|&vertex| target.positions.get(vertex as usize).copied()).collect();
        target.positions.extend(copies);
    }
    bind.source_vertex = faces.source_vertex;
    bind
}

/// Triangles with one normal a vertex.
struct Faces {
    triangles: Vec<[u32; 3]>,
    normals: Vec<Vec3>,
    /// The originals of the last vertices, which are copies.
    source_vertex: Vec<u32>,
}

impl Faces {
    /// Sets the normal of each triangle to that of its plane. A triangle whose vertices are already
    /// used by one in another plane gets new vertices; with `is_parted`, so does one whose vertices
    /// are used by any other.
    fn flat(mut triangles: Vec<[u32; 3]>, positions: &[Vec3], is_parted: bool) -> Self {
        let mut normals: Vec<Option<Vec3>> = vec![None; positions.len()];
        let mut source_vertex = Vec::new();
        for triangle in &mut triangles {
            let [a, b, c] =
                triangle.map(|vertex| positions.get(vertex as usize).copied().unwrap_or_default());
            let normal = unit_or((b - a).cross(c - a), Vec3::ZERO);
            for vertex in triangle {
                let own = normals.get(*vertex as usize).copied().flatten();
                if own == Some(normal) && !is_parted {
                    continue;
                }
                if own.is_some() {
                    source_vertex.push(*vertex);
                    *vertex = u32::try_from(normals.len()).unwrap_or(*vertex);
                    normals.push(Some(normal));
                } else if let Some(slot) = normals.get_mut(*vertex as usize) {
                    *slot = Some(normal);
                }
            }
        }
        Self {
            triangles,
            normals: normals.into_iter().map(Option::unwrap_or_default).collect(),
            source_vertex,
        }
    }
}
