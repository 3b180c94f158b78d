//! Pairs of joints and meshes of two exports, and those without a partner.

use super::course;
use super::order::VertexOrder;
use super::parts;
use super::side::Side;
use crate::finding::{Element, Finding, Kind, Stage, Subject, Unit, Value};
use crate::surface::{self, Surface};
use std::collections::{BTreeMap, BTreeSet};
use tintype_base::amount::format_rate;
use tintype_model::math::{Vec2, Vec4, larger, max};
use tintype_model::{Clip, Joint, Mesh, Model, Tracks};

/// Joints and meshes that belong together, by index.
pub(super) struct Pairs {
    /// Per joint of the old model: its partner.
    pub joints: Vec<Option<usize>>,
    /// Old mesh and new mesh.
    pub meshes: Vec<(usize, usize)>,
    /// Per pair of meshes: the order of their vertices, if it differs.
    pub orders: Vec<Option<VertexOrder>>,
    /// Per pair of meshes: the farthest that the new file's grid moved a vertex in the bind pose,
    /// where it has one.
    pub grids: Vec<Option<f32>>,
}

impl Pairs {
    /// For each vertex of the old file's mesh, its index in the new one. None where the numbers of
    /// vertices differ and they cannot be matched.
    pub(super) fn vertices(&self, pair: usize, models: [&Model; 2]) -> Option<Vec<Option<usize>>> {
        let (mesh, other) = self.meshes[pair];
        let [before, now] =
            [&models[0].meshes[mesh], &models[1].meshes[other]].map(Mesh::file_vertex_count);
        match &self.orders[pair] {
            Some(order) => Some(order.new_of_old.clone()),
            None => (before == now).then(|| (0..before).map(Some).collect()),
        }
    }
}

/// True if two joints have the same transform in the bind pose, except for rounding.
fn is_at_place(a: &Joint, b: &Joint) -> bool {
    let [a, b] = [a, b].map(|joint| joint.model_from_joint.to_cols_array());
    let size = a.iter().fold(1.0, |size, value| max(size, value.abs()));
    a.iter().zip(&b).all(|(a, b)| (a - b).abs() <= 1e-5 * size)
}

/// Pairs joints by name and meshes by name, shader and order.
pub(super) fn pair(old: &Model, new: &Model) -> Pairs {
    let mut by_name: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (index, joint) in new.skeleton.joints().iter().enumerate().rev() {
        by_name.entry(&joint.name).or_default().push(index);
    }
    // Of equal names the first belongs to the first, the second to the second.
    let joints = old.skeleton.joints().iter();
    let mut joints: Vec<Option<usize>> =
        joints.map(|joint| by_name.get_mut(joint.name.as_str())?.pop()).collect();
    // Without a partner of its name, a joint at the same position of the same parent is the same
    // one, renamed.
    let mut left: Vec<usize> = by_name.into_values().flatten().collect();
    left.sort_unstable();
    for index in 0..joints.len() {
        let parent = |joint: &Joint| joint.parent.map(|parent| parent.index());
        let is_like = |&other: &usize| {
            let [a, b] = [&old.skeleton.joints()[index], &new.skeleton.joints()[other]];
            let above = parent(a).map(|above| joints[above]);
            above == parent(b).map(Some) && is_at_place(a, b)
        };
        if joints[index].is_none()
            && let Some(place) = left.iter().position(is_like)
        {
            joints[index] = Some(left.remove(place));
        }
    }

    let mut free: Vec<usize> = (0..new.meshes.len()).collect();
    let mut meshes = Vec::new();
    let like: [fn(&Mesh, &Mesh) -> bool; 5] = [
        |a, b| {
            a.name == b.name
                && a.material_name == b.material_name
                && a.texcoords.len() == b.texcoords.len()
        },
        |a, b| a.name == b.name && a.material_name == b.material_name,
        // Parts of a mesh are numbered in their order.
        |a, b| a.material_name == b.material_name && is_alike(a, b),
        |a, b| (a.name == b.name && !a.name.is_empty()) || a.material_name == b.material_name,
        |a, b| a.triangles == b.triangles && !a.name.is_empty(),
    ];
    let mut left: Vec<usize> = (0..old.meshes.len()).collect();
    for like in like {
        left.retain(|&mesh| {
            let found = free.iter().position(|&other| like(&old.meshes[mesh], &new.meshes[other]));
            let Some(place) = found else { return true };
            meshes.push((mesh, free.remove(place)));
            false
        });
    }
    meshes.sort_unstable();
    Pairs { joints, meshes, orders: Vec::new(), grids: Vec::new() }
}

/// True if two meshes have the same triangles of the same vertices.
fn is_alike(a: &Mesh, b: &Mesh) -> bool {
    let places = |mesh: &Mesh| -> Vec<[u32; 3]> {
        let all = mesh.influences.iter().map(|one| one.position().to_array().map(f32::to_bits));
        all.collect()
    };
    a.triangles == b.triangles && places(a) == places(b)
}

/// A mesh by its index, and its name or the name of its material.
pub(super) fn name_of(model: &Model, index: usize) -> Subject {
    let mesh = &model.meshes[index];
    let name = if mesh.name.is_empty() { &mesh.material_name } else { &mesh.name };
    Subject { index: Some(index), ..Subject::named(Element::Mesh, name.as_str()) }
}

/// Parts without a partner or with another count: clips, the hierarchy, meshes and materials.
pub(super) fn findings([old, new]: [Side; 2], pairs: &Pairs) -> Vec<Finding> {
    let mut found = Vec::new();
    if let (Some(clip), Some(other)) = (old.clip, new.clip) {
        found.extend(clocks(clip, other));
        found.extend(course::differences([clip, other]));
    }
    for (grid, &(mesh, _)) in pairs.grids.iter().zip(&pairs.meshes) {
        let Some(moved) = *grid else { continue };
        let told = Finding::new(Stage::Structure, Kind::Quantized, name_of(old.model, mesh));
        found.push(told.by(moved, Unit::Diagonals));
    }
    found.extend(of_parts([old, new], pairs));
    for (pair, &(mesh, other)) in pairs.meshes.iter().enumerate() {
        let (before, now) = (&old.model.meshes[mesh], &new.model.meshes[other]);
        let is_alike = match (surface(old, before), surface(new, now)) {
            (Some(before), Some(now)) => surface::is_alike(&before.values, &now.values),
            _ => false,
        };
        // For a clip, the model was reported before.
        if before.material_name != now.material_name && !is_alike && old.clip.is_none() {
            let told = Finding::new(Stage::Material, Kind::Replaced, name_of(old.model, mesh));
            let [was, is] = [before, now].map(|mesh| Value::from(mesh.material_name.as_str()));
            found.push(told.property("material").from_to(was, is));
        }
        let has_textures = old.clip.is_none() && uses_textures([(old, before), (new, now)]);
        found.extend(of_mesh([before, now], pair, pairs, [old.model, new.model], has_textures));
    }
    found.extend(of_cameras_and_lights([old, new]).filter(|one| !parts::is_idle(one)));
    found.extend(surface::differences(old.surfaces, new.surfaces));
    found
}

/// Differences of cameras and lights; for a clip, the model was reported before.
fn of_cameras_and_lights([old, new]: [Side; 2]) -> impl Iterator<Item = Finding> {
    let found = old.clip.is_none().then(|| parts::differences([old.model, new.model]));
    found.into_iter().flatten()
}

/// Differences of the time base of two clips: rate and duration. Redundant keys make no difference.
fn clocks(old: &Clip, new: &Clip) -> Vec<Finding> {
    let [length, to_length] = [old, new].map(Clip::length_s);
    if (length - to_length).abs() <= 1e-6 * larger(length, 1e-3) {
        return Vec::new();
    }
    let clip = || Subject::all(Element::Clip);
    let told = |kind, unit: Unit, [was, is]: [f64; 2]| {
        let told = Finding::new(Stage::Time, kind, clip());
        told.from_to(Value::amount(was, unit), Value::amount(is, unit))
    };
    let mut found = Vec::new();
    if let [Some(before), Some(now)] = [old, new].map(|clip| clip.key_rate_hz.map(format_rate))
        && (before - now).abs() > 1e-6 * before.abs()
    {
        found.push(told(Kind::RateChanged, Unit::KeysASecond, [before, now]));
    }
    let [before, now] = [old, new].map(Clip::key_count);
    if before != now {
        let keys = Subject::all(Element::Key);
        let told = Finding::new(Stage::Time, Kind::CountChanged, keys).within(clip());
        found.push(told.from_to(Value::count(before), Value::count(now)));
    }
    found.push(told(Kind::DurationChanged, Unit::Seconds, [length, to_length]));
    found
}

/// Renamed joints: those of skins and of the clip, or others, such as nodes with a mesh.
fn renamed([old, new]: [Side; 2], pairs: &Pairs, does_pull: bool) -> Vec<Finding> {
    let pulls = |joint: usize| {
        let name = &old.model.skeleton.joints()[joint].name;
        let is_of_clip = |clip: &Clip| clip.joints.iter().any(|tracks| tracks.name == *name);
        old.clip.is_some_and(is_of_clip)
            || old.model.meshes.iter().any(|mesh| {
                let all = mesh.influences.iter().filter(|one| one.weight() != 0.0);
                let mut joints = all.map(|one| one.joint().index());
                // A node with a mesh is not a joint of a skin; formats without nodes have only
                // joints.
                joints.clone().any(|own| own == joint)
                    && (mesh.source.is_none() || joints.any(|other| other != joint))
            })
    };
    let joints = old.model.skeleton.joints().iter().zip(&pairs.joints).enumerate();
    let other = |(index, (joint, partner)): (usize, (&Joint, &Option<usize>))| {
        let name = new.model.skeleton.joints()[(*partner)?].name.as_str();
        let told = || Finding::new(Stage::Structure, Kind::Renamed, Subject::joint(&joint.name));
        (*name != joint.name && pulls(index) == does_pull)
            .then(|| told().from_to(None, Value::from(name)))
    };
    let mut all: Vec<Finding> = joints.filter_map(other).collect();
    if all.len() > 3 {
        all[0].more = all.len() - 1;
        all.truncate(1);
    }
    all
}

/// True if a joint or one of its descendants pulls vertices or holds a light, or the clip animates
/// it.
fn matters(side: Side, joint: usize) -> bool {
    let Model { skeleton, meshes, parts, .. } = side.model;
    let name = &skeleton.joints()[joint].name;
    let below = skeleton.descendants(&[joint]);
    let mut pulls = meshes.iter().flat_map(|mesh| &mesh.influences);
    let is_moved = |tracks: &Tracks| tracks.name == *name && tracks.is_moving();
    side.clip.is_some_and(|clip| clip.joints.iter().any(is_moved))
        || parts.lights.iter().any(|light| below[light.joint.index()])
        || pulls.any(|one| one.weight() != 0.0 && below[one.joint().index()])
}

/// Joints and meshes without a partner, and joints with another parent.
fn of_parts([old, new]: [Side; 2], pairs: &Pairs) -> Vec<Finding> {
    let told = |kind, of| Finding::new(Stage::Structure, kind, of);
    let (mut found, mut hung) = (Vec::new(), Vec::new());
    let (old_joints, new_joints) = (old.model.skeleton.joints(), new.model.skeleton.joints());
    for (index, (joint, partner)) in old_joints.iter().zip(&pairs.joints).enumerate() {
        let parent = joint.parent.map(|parent| old_joints[parent.index()].name.as_str());
        let own = || Subject::joint(&joint.name);
        match partner {
            None if matters(old, index) => found.push(told(Kind::Removed, own())),
            None => {}
            Some(partner) => {
                let other = new_joints[*partner].parent.map(|parent| parent.index());
                let is_same =
                    joint.parent.map(|parent| pairs.joints[parent.index()]) == other.map(Some);
                let other = other.map(|parent| new_joints[parent].name.as_str());
                if !is_same {
                    let [was, is] = [parent, other].map(|name| name.map(Value::from));
                    hung.push(told(Kind::Reparented, own()).from_to(was, is));
                }
            }
        }
    }
    found.extend(renamed([old, new], pairs, true));
    let paired: BTreeSet<usize> = pairs.joints.iter().flatten().copied().collect();
    for (index, joint) in new_joints.iter().enumerate() {
        if !paired.contains(&index) && matters(new, index) {
            found.push(told(Kind::Added, Subject::joint(&joint.name)));
        }
    }
    // A change of parent that is due to an added or removed joint.
    found.extend(hung);
    let gone = |index: &usize| pairs.meshes.iter().all(|(mesh, _)| mesh != index);
    let gone = (0..old.model.meshes.len()).filter(gone);
    found.extend(gone.map(|index| told(Kind::Removed, name_of(old.model, index))));
    let fresh = |index: &usize| pairs.meshes.iter().all(|(_, mesh)| mesh != index);
    let fresh = (0..new.model.meshes.len()).filter(fresh);
    found.extend(fresh.map(|index| told(Kind::Added, name_of(new.model, index))));
    found
}

/// Differences of texture coordinates and colours below these are the rounding of numbers.
const ROUNDING_VALUE: f32 = 1e-6;
/// Below these they come from the grid of a quantized file.
const GRID_VALUE: f32 = 1.0 / 250.0;

/// Corners of a triangle from the smallest on: the same triangle may begin anywhere.
#[must_use]
pub fn least_first<T: Ord>([a, b, c]: [T; 3]) -> [T; 3] {
    if a <= b && a <= c {
        [a, b, c]
    } else if b <= c {
        [b, c, a]
    } else {
        [c, a, b]
    }
}

/// Two meshes that belong together.
struct Paired<'m> {
    meshes: [&'m Mesh; 2],
    name: Subject,
    order: Option<&'m VertexOrder>,
    /// The vertex of the new mesh for each of the old one, if they can be matched.
    partners: Option<Vec<Option<usize>>>,
    /// Texture coordinates and colours that differ by less are the same.
    least: f32,
}

/// Differences between two meshes apart from their poses.
fn of_mesh(
    meshes: [&Mesh; 2],
    pair: usize,
    pairs: &Pairs,
    models: [&Model; 2],
    has_textures: bool,
) -> Vec<Finding> {
    let paired = Paired {
        meshes,
        name: name_of(models[0], pairs.meshes[pair].0),
        order: pairs.orders[pair].as_ref(),
        partners: pairs.vertices(pair, models),
        least: if pairs.grids[pair].is_some() { GRID_VALUE } else { ROUNDING_VALUE },
    };
    let mut found = paired.counts();
    let [old, new] = meshes;
    let Some(partners) = &paired.partners else { return found };
    if old.triangles.len() != new.triangles.len() {
        return found;
    }
    found.extend(paired.corners());
    found.extend(paired.colors(partners));
    // Coordinates without a texture are invisible.
    if has_textures {
        let sets: [fn(&Mesh) -> &[Vec2]; 2] =
            [|mesh| &mesh.texcoords, |mesh| &mesh.second_texcoords];
        let elements = [Element::TextureCoordinate, Element::SecondTextureCoordinate];
        for (of_set, set) in sets.into_iter().zip(elements) {
            found.extend(paired.coordinates(set, meshes.map(of_set), partners));
        }
    }
    found
}

impl Paired<'_> {
    fn told(&self, kind: Kind, element: Element) -> Finding {
        Finding::new(Stage::Mesh, kind, Subject::all(element)).within(self.name.clone())
    }

    /// Other numbers of vertices and triangles.
    fn counts(&self) -> Vec<Finding> {
        let [old, new] = self.meshes;
        // A vertex without a triangle may have been removed.
        let mut is_used = vec![false; old.file_vertex_count()];
        for &vertex in old.triangles.iter().flatten() {
            is_used[old.file_vertex(vertex) as usize] = true;
        }
        let is_merged = self.order.is_some_and(|order| {
            let mut partners = order.new_of_old.iter().zip(&is_used);
            order.fresh == 0 && partners.all(|(partner, is_used)| partner.is_some() || !is_used)
        });
        let counts = [
            (Element::Vertex, old.file_vertex_count(), new.file_vertex_count()),
            (Element::Triangle, old.triangles.len(), new.triangles.len()),
        ];
        let is_other = |&(what, before, now): &(Element, usize, usize)| {
            before != now && !(is_merged && what == Element::Vertex)
        };
        let told = |(what, before, now)| {
            self.told(Kind::CountChanged, what).from_to(Value::count(before), Value::count(now))
        };
        counts.into_iter().filter(is_other).map(told).collect()
    }

    /// The classes of the corners of a triangle.
    fn corners_of(&self, side: usize, triangle: usize) -> [usize; 3] {
        let mesh = self.meshes[side];
        let class = |vertex: u32| match self.order {
            Some(order) => order.classes[side][vertex as usize],
            None => vertex as usize,
        };
        least_first(mesh.triangles[triangle].map(|vertex| class(mesh.file_vertex(vertex))))
    }

    /// Triangles of the old mesh that the new one does not have.
    fn corners(&self) -> Option<Finding> {
        let [old, new] = self.meshes;
        let mut known: BTreeMap<[usize; 3], i64> = BTreeMap::new();
        for triangle in 0..new.triangles.len() {
            *known.entry(self.corners_of(1, triangle)).or_default() += 1;
        }
        let mut is_changed = |&triangle: &usize| {
            let count = known.entry(self.corners_of(0, triangle)).or_default();
            *count -= 1;
            *count < 0
        };
        let changed: Vec<usize> = (0..old.triangles.len()).filter(&mut is_changed).collect();
        let first = *changed.first()?;
        let corners = |mesh: &Mesh| {
            let corners = mesh.triangles[first].map(|vertex| mesh.file_vertex(vertex).to_string());
            self.order.is_none().then(|| Value::List(corners.to_vec()))
        };
        let told = self
            .told(Kind::CornersChanged, Element::Triangle)
            .count(changed.len(), old.triangles.len())
            .elements([Subject::numbered(Element::Triangle, first)]);
        Some(told.from_to(corners(old), corners(new)))
    }

    fn colors(&self, partners: &[Option<usize>]) -> Option<Finding> {
        let [old, new] = self.meshes;
        // Colours multiply the material's: an absent one is white.
        let color = |mesh: &Mesh, v: usize| mesh.colors.get(v).copied().unwrap_or(Vec4::ONE);
        let painted = |(v, partner): (usize, &Option<usize>)| {
            let gap = (color(new, (*partner)?) - color(old, v)).abs();
            let gap = gap.to_array().into_iter().fold(0.0, max);
            (gap > self.least || gap.is_nan()).then_some(v)
        };
        let painted: Vec<usize> = partners.iter().enumerate().filter_map(painted).collect();
        let first = Subject::vertex(*painted.first()?);
        let told = self.told(Kind::ElementsChanged, Element::VertexColor);
        Some(told.count(painted.len(), partners.len()).elements([first]))
    }

    /// A set of texture coordinates that is added, removed or changed.
    fn coordinates(
        &self,
        set: Element,
        [before, now]: [&[Vec2]; 2],
        partners: &[Option<usize>],
    ) -> Option<Finding> {
        if before.is_empty() != now.is_empty() {
            let kind = if now.is_empty() { Kind::Removed } else { Kind::Added };
            return Some(self.told(kind, set));
        }
        let moved = |(v, partner): (usize, &Option<usize>)| {
            let (from, to) = (before.get(v)?, now.get((*partner)?)?);
            let by = *to - *from;
            let size = max(from.abs().max_element(), 1.0);
            (by.length() > self.least * size || by.length().is_nan()).then_some((v, by))
        };
        let moved: Vec<(usize, Vec2)> = partners.iter().enumerate().filter_map(moved).collect();
        let (first, by) = moved.first()?;
        let count = partners.len();
        let is_each = |(_, other): &(usize, Vec2)| (*other - *by).length() <= 1e-5;
        if moved.len() == count && count > 3 && moved.iter().all(is_each) {
            let told = self.told(Kind::AllChanged, set).count(count, count);
            return Some(told.by(by.length(), Unit::Distance));
        }
        let farthest = moved.iter().map(|(_, by)| by.length()).fold(0.0, max);
        let told = self.told(Kind::ElementsChanged, set).count(moved.len(), count);
        Some(told.elements([Subject::vertex(*first)]).by(farthest, Unit::Distance))
    }
}

/// The material of a mesh, if known.
fn surface<'a>(side: Side<'a>, mesh: &Mesh) -> Option<&'a Surface> {
    side.surfaces.iter().find(|surface| surface.name == mesh.material_name)
}

/// True if the material of one of the two has a texture, or is unknown.
pub(super) fn uses_textures(sides: [(Side, &Mesh); 2]) -> bool {
    sides
        .into_iter()
        .any(|(side, mesh)| surface(side, mesh).is_none_or(|surface| surface.has_textures()))
}

/// Meshes whose vertices are only reordered or merged, or whose changed texture coordinates are not
/// used by a texture; added or removed nodes without content, and cameras, which no picture of the
/// model shows.
pub(super) fn notes(sides: [Side; 2], pairs: &Pairs) -> Vec<Finding> {
    let [old, new] = sides.map(|side| side.model);
    let told = |kind, of| Finding::new(Stage::Structure, kind, of);
    let mut found = Vec::new();
    let paired: BTreeSet<usize> = pairs.joints.iter().flatten().copied().collect();
    let gone = (0..pairs.joints.len()).filter(|&joint| pairs.joints[joint].is_none());
    let fresh = (0..new.skeleton.len()).filter(|joint| !paired.contains(joint));
    let gone = gone.map(|joint| (sides[0], joint, Kind::Removed));
    for (side, joint, kind) in gone.chain(fresh.map(|joint| (sides[1], joint, Kind::Added))) {
        if !matters(side, joint) {
            let name = side.model.skeleton.joints()[joint].name.as_str();
            found.push(told(kind, Subject::named(Element::Node, name)));
        }
    }
    for (pair, &(mesh, other)) in pairs.meshes.iter().enumerate() {
        let own = [(sides[0], &old.meshes[mesh]), (sides[1], &new.meshes[other])];
        let [before, now] = own.map(|(_, mesh)| &mesh.texcoords);
        let partners = pairs.vertices(pair, [old, new]).unwrap_or_default();
        let is_other = |(v, partner): (usize, &Option<usize>)| {
            partner.is_some_and(|partner| before.get(v) != now.get(partner))
        };
        if partners.iter().enumerate().any(is_other) && !uses_textures(own) {
            let told = told(Kind::UnusedChanged, Subject::all(Element::TextureCoordinate));
            found.push(told.within(name_of(old, mesh)));
        }
    }
    found.extend(renamed(sides, pairs, false));
    found.extend(of_cameras_and_lights(sides).filter(parts::is_idle));
    // Pairs are in the order of the old meshes.
    if let Some([(first, _), (second, _)]) = pairs.meshes.array_windows().find(|[a, b]| a.1 > b.1) {
        let moved = [first, second].map(|&mesh| name_of(old, mesh));
        found.push(told(Kind::Reordered, Subject::all(Element::Mesh)).elements(moved));
    }
    for (order, &(mesh, other)) in pairs.orders.iter().zip(&pairs.meshes) {
        let Some(order) = order else { continue };
        let [before, now] = [&old.meshes[mesh], &new.meshes[other]]
            .map(|mesh| Value::count(mesh.file_vertex_count()));
        let name = name_of(old, mesh);
        let told = if order.fresh == 0 {
            told(Kind::SameSurface, name)
        } else {
            told(Kind::Reordered, Subject::all(Element::Vertex)).within(name)
        };
        found.push(told.from_to(before, now));
    }
    found
}
