//! Content of the models of a scene.

use super::model_content::{
    ClipContent, JointContent, KeysContent, MeshContent, MeshJoint, MeshLists, ModelContent,
    TrackContent,
};
use super::motion::motion_of;
use super::numbering::{Numbering, Polygons};
use super::sums::Sums;
use crate::record::position_sums::letters;
use std::collections::BTreeSet;
use tintype_compare::model_diff::course::{self, Keys};
use tintype_compare::model_diff::{grid_step, least_first};
use tintype_model::math::{Aabb, Affine3, Vec2, Vec3};
use tintype_model::pose::bind_pose;
use tintype_model::skin::{SkinMatrices, skin_mesh};
use tintype_model::{
    BindSource, Channel, Clip, FileKeys, Influence, JointIndex, Mesh, Model, MorphTarget,
    MorphTrack, Track, Tracks,
};
use tintype_render::asset::{Assets, LoadedClip, LoadedModel};
use tintype_scene::Scene;

/// Maximum number of models whose content is kept.
const MAX_MODELS: usize = 4;
/// Maximum number of joints, and of tracks of clips, of all models together.
const MAX_JOINTS: usize = 1200;
/// Maximum number of mark characters for one model.
const MAX_MARKS: usize = 14_000;

/// The content of the first drawn models of a scene.
pub(in crate::record) fn contents(scene: &Scene, assets: &Assets) -> Vec<ModelContent> {
    let mut joints_left = MAX_JOINTS;
    let mut found: Vec<ModelContent> = Vec::new();
    for (index, (entry, loaded)) in scene.models.iter().zip(&assets.models).enumerate() {
        let joints = loaded.model.skeleton.len();
        let is_drawn = scene.instances.iter().any(|instance| instance.model == index);
        if !is_drawn || found.len() == MAX_MODELS || joints > joints_left {
            continue;
        }
        joints_left -= joints;
        let mut clips = Vec::new();
        for clip in played(scene, assets, index) {
            let Some(clip) = loaded.clips.get(clip) else { continue };
            let has_room = clip.clip.joints.len() <= joints_left;
            joints_left -= if has_room { clip.clip.joints.len() } else { 0 };
            clips.push(clip_content(&loaded.model, clip, has_room));
        }
        found.push(model_content(entry.name.clone(), loaded, clips));
    }
    found
}

/// The clips of a model that its instances play.
fn played(scene: &Scene, assets: &Assets, model: usize) -> BTreeSet<usize> {
    let own = scene.instances.iter().filter(|instance| instance.model == model);
    let choices = own.flat_map(|instance| {
        let fades = instance.fade.iter().map(|fade| fade.clip);
        let tracks = instance.layers.iter().flat_map(|layer| &layer.tracks);
        let layers = tracks.map(|track| track.clip);
        core::iter::once(instance.clip).chain(fades).chain(layers)
    });
    choices.filter_map(|choice| assets.clip_of(model, choice)).collect()
}

fn model_content(name: String, loaded: &LoadedModel, clips: Vec<ClipContent>) -> ModelContent {
    let model = &*loaded.model;
    let numbers: Vec<Numbering> = model.meshes.iter().map(Numbering::of).collect();
    let pairs = || model.meshes.iter().zip(&numbers);
    let elements: usize = pairs().map(|(mesh, numbers)| numbers.len(mesh)).sum();
    let stride = elements.div_ceil(MAX_MARKS).max(1);
    let matrices = SkinMatrices::new(&bind_pose(&model.skeleton));
    let mut bounds = Aabb::EMPTY;
    for mesh in &model.meshes {
        bounds.merge(&skin_mesh(mesh, &matrices).bounds());
    }
    ModelContent {
        model: name,
        size: if bounds.is_empty() { 0.0 } else { bounds.diagonal() },
        joints: joints(model),
        meshes: pairs().map(|(mesh, numbers)| mesh_content(model, mesh, numbers, stride)).collect(),
        clips,
    }
}

/// The first bits of a digest of numbers.
fn mark(values: &[f32], bits: u32) -> u64 {
    let bytes: Vec<u8> = values.iter().flat_map(|value| (value + 0.0).to_le_bytes()).collect();
    first_bits(&blake3::hash(&bytes)) & ((1 << bits) - 1)
}

fn matrix_mark(matrix: &Affine3) -> u64 {
    mark(&matrix.to_cols_array(), 36)
}

fn joints(model: &Model) -> Vec<JointContent> {
    let skeleton = &model.skeleton;
    let is_made = |index: usize| model.parts.made.iter().any(|joint| joint.index() == index);
    let pairs = skeleton.joints().iter().zip(skeleton.parent_from_joint()).enumerate();
    pairs
        .map(|(index, (joint, local))| {
            let rest = skeleton.rest(index);
            let mut parts = [0.0; 10];
            parts[..3].copy_from_slice(&rest.translation.to_array());
            parts[3..7].copy_from_slice(&rest.rotation.to_array());
            parts[7..].copy_from_slice(&rest.scale.to_array());
            JointContent {
                name: joint.name.clone(),
                parent: joint.parent.map_or(-1, |parent| i32::from(parent.0)),
                marks: [matrix_mark(&joint.model_from_joint), matrix_mark(local)],
                local: parts,
                is_made: is_made(index),
            }
        })
        .collect()
}

fn mesh_content(model: &Model, mesh: &Mesh, numbers: &Numbering, stride: usize) -> MeshContent {
    let of_mesh = OfMesh::new(model, mesh, numbers);
    MeshContent {
        surface: Some(of_mesh.surface() & 0xffff_ffff_ffff),
        grid: of_mesh.source.and_then(|source| grid_step(&source.positions)),
        name: mesh.name.clone(),
        shader: mesh.material_name.clone(),
        lists: of_mesh.lists(),
        vertex_marks: marks(numbers.first.len(), stride, |number, hasher| {
            if let Some(vertex) = numbers.first[number] {
                of_mesh.mark_vertex(vertex, hasher);
            }
        }),
        triangle_marks: match &numbers.polygons {
            Some(Polygons { outlines, .. }) => marks(outlines.len(), stride, |face, hasher| {
                hasher.update(&outlines[face].edge_bytes());
            }),
            None => marks(mesh.triangles.len(), stride, |triangle, hasher| {
                for vertex in mesh.triangles[triangle] {
                    hasher.update(&mesh.file_vertex(vertex).to_le_bytes());
                }
            }),
        },
        has_polygons: numbers.polygons.is_some(),
        stride: u32::try_from(stride).unwrap_or(u32::MAX),
        joints: mesh_joints(model, mesh, numbers),
        targets: targets(model, mesh, numbers),
    }
}

/// A mesh with the sources of its lists and marks.
struct OfMesh<'m> {
    model: &'m Model,
    mesh: &'m Mesh,
    numbers: &'m Numbering,
    /// The mesh in bind space, if the file has it.
    source: Option<&'m BindSource>,
    normals: Vec<Vec3>,
    /// The vertex of each normal: a file may list several for one.
    normals_of: Vec<u32>,
    /// The normals of each vertex.
    of_vertex: Vec<Vec<usize>>,
}

impl<'m> OfMesh<'m> {
    fn new(model: &'m Model, mesh: &'m Mesh, numbers: &'m Numbering) -> Self {
        let source = mesh.source.as_deref();
        let normals = source.map_or(&[][..], |source| &source.normals);
        let unit = |&normal: &Vec3| tintype_model::math::unit_or(normal, Vec3::ZERO);
        let normals: Vec<Vec3> = normals.iter().map(unit).collect();
        let normals_of: Vec<u32> =
            (0..).take(normals.len()).map(|index| mesh.file_vertex(index)).collect();
        let mut of_vertex: Vec<Vec<usize>> = vec![Vec::new(); mesh.file_vertex_count()];
        for (index, &vertex) in normals_of.iter().enumerate() {
            of_vertex[vertex as usize].push(index);
        }
        Self { model, mesh, numbers, source, normals, normals_of, of_vertex }
    }

    fn name_of(&self, joint: JointIndex) -> &'m str {
        &self.model.skeleton.joints()[joint.index()].name
    }

    /// The position of a vertex, or without bind space the sum of its positions in its joints.
    fn plain(&self, vertex: usize) -> Vec3 {
        match self.source {
            Some(source) => source.positions[vertex],
            None => sum_of(self.mesh, vertex, |_| 1.0),
        }
    }

    fn lists(&self) -> MeshLists {
        let weighted = |vertex: usize| sum_of(self.mesh, vertex, |weight| weight).to_array();
        let used = self.numbers.used();
        MeshLists {
            positions: Sums::at(
                used.map(|(number, vertex)| (number, self.plain(vertex).to_array())),
            ),
            weighted: match self.source {
                Some(_) => Sums::default(),
                None => Sums::of((0..self.mesh.file_vertex_count()).map(weighted)),
            },
            ..match &self.numbers.polygons {
                Some(polygons) => lists_of_corners(self.mesh, polygons, &self.normals),
                None => lists_of_vertices(self.mesh, &self.normals_of, &self.normals),
            }
        }
    }

    fn mark_vertex(&self, vertex: usize, hasher: &mut blake3::Hasher) {
        let mesh = self.mesh;
        for influence in &mesh.influences[mesh.influences_of(vertex)] {
            hasher.update(self.name_of(influence.joint()).as_bytes());
            hasher.update(&influence.weight().to_le_bytes());
            if self.source.is_none() {
                update(hasher, &influence.position().to_array());
            }
        }
        if self.source.is_some() {
            update(hasher, &self.plain(vertex).to_array());
        }
        dual_share(mesh, vertex).inspect(|share| update(hasher, &[*share]));
        if self.numbers.polygons.is_some() {
            return;
        }
        update(hasher, &mesh.texcoords[vertex].to_array());
        mesh.second_texcoords.get(vertex).inspect(|place| update(hasher, &place.to_array()));
        mesh.colors.get(vertex).inspect(|color| update(hasher, &color.to_array()));
        let own = self.of_vertex[vertex].iter();
        own.for_each(|&index| update(hasher, &self.normals[index].to_array()));
    }

    /// The mark of everything stored at a corner, without its number.
    fn corner_mark(&self, vertex: usize) -> u64 {
        let mesh = self.mesh;
        let file_vertex = mesh.file_vertex(u32::try_from(vertex).unwrap_or(u32::MAX)) as usize;
        let mut own: Vec<(&str, &Influence)> = mesh.influences[mesh.influences_of(file_vertex)]
            .iter()
            .filter(|influence| influence.weight() != 0.0)
            .map(|influence| (self.name_of(influence.joint()), influence))
            .collect();
        own.sort_by(|a, b| a.0.cmp(b.0).then(a.1.weight().total_cmp(&b.1.weight())));
        let mut hasher = blake3::Hasher::new();
        for (joint, influence) in own {
            hasher.update(joint.as_bytes());
            update(&mut hasher, &[influence.weight()]);
            if self.source.is_none() {
                update(&mut hasher, &influence.position().to_array());
            }
        }
        if self.source.is_some() {
            update(&mut hasher, &self.plain(file_vertex).to_array());
        }
        for set in [&mesh.texcoords, &mesh.second_texcoords] {
            set.get(file_vertex).inspect(|place| update(&mut hasher, &place.to_array()));
        }
        mesh.colors.get(file_vertex).inspect(|color| update(&mut hasher, &color.to_array()));
        dual_share(mesh, file_vertex).inspect(|share| update(&mut hasher, &[*share]));
        let normal = self.normals.get(vertex).or_else(|| self.normals.get(file_vertex));
        normal.inspect(|normal| update(&mut hasher, &normal.to_array()));
        for target in mesh.morph.iter().flat_map(|morph| &morph.targets) {
            target.offsets_of(file_vertex)[..2]
                .iter()
                .for_each(|offset| update(&mut hasher, &offset.to_array()));
        }
        first_bits(&hasher.finalize())
    }

    /// The sum of marks of its triangles, independent of their order.
    fn surface(&self) -> u64 {
        let marks: Vec<u64> =
            (0..self.mesh.vertex_count()).map(|vertex| self.corner_mark(vertex)).collect();
        self.mesh.triangles.iter().fold(0_u64, |sum, triangle| {
            let corners = least_first(triangle.map(|vertex| marks[vertex as usize]));
            let bytes: Vec<u8> = corners.iter().flat_map(|mark| mark.to_le_bytes()).collect();
            sum.wrapping_add(first_bits(&blake3::hash(&bytes)))
        })
    }
}

/// The first 64 bits of a digest.
fn first_bits(hash: &blake3::Hash) -> u64 {
    hash.as_bytes().first_chunk().map_or(0, |first| u64::from_le_bytes(*first))
}

/// The lists of a mesh with data for each vertex.
#[expect(clippy::cast_precision_loss, reason = "indices below 2^24 are exact, others nearly")]
fn lists_of_vertices(mesh: &Mesh, normals_of: &[u32], normals: &[Vec3]) -> MeshLists {
    let count = mesh.file_vertex_count();
    let colors = mesh.colors.len().min(count);
    let corner = |&triangle: &[u32; 3]| triangle.map(|vertex| mesh.file_vertex(vertex));
    MeshLists {
        texcoords: Sums::of(
            (mesh.texcoords.iter().take(count))
                .chain(mesh.second_texcoords.iter().take(count))
                .map(|place| place.to_array()),
        ),
        colors: Sums::of(mesh.colors[..colors].iter().map(|color| color.to_array())),
        normals: Sums::at(
            normals_of
                .iter()
                .map(|&vertex| i64::from(vertex))
                .zip(normals.iter().map(|normal| normal.to_array())),
        ),
        corners: Sums::of(
            mesh.triangles.iter().map(|triangle| corner(triangle).map(|vertex| vertex as f32)),
        ),
        ..MeshLists::default()
    }
}

/// The lists of a mesh of polygons: the data of their corners, by control points, and the polygons
/// themselves.
fn lists_of_corners(mesh: &Mesh, polygons: &Polygons, normals: &[Vec3]) -> MeshLists {
    let at = |list: &[Vec2]| -> Vec<(i64, [f32; 2])> {
        let corners = polygons.corners.iter();
        corners
            .filter_map(|&(point, vertex)| Some((point.into(), list.get(vertex)?.to_array())))
            .collect()
    };
    let all = polygons.corners.iter();
    let normal =
        |&(point, vertex): &(u32, usize)| Some((i64::from(point), normals.get(vertex)?.to_array()));
    let color = |&(point, vertex): &(u32, usize)| {
        Some((i64::from(point), mesh.colors.get(vertex)?.to_array()))
    };
    let outlines = polygons.outlines.iter();
    MeshLists {
        texcoords: Sums::at(at(&mesh.texcoords).into_iter().chain(at(&mesh.second_texcoords))),
        colors: Sums::at(all.clone().filter_map(color)),
        normals: Sums::at(all.filter_map(normal)),
        corners: Sums::at(outlines.map(|outline| (outline.polygon.into(), outline.numbers()))),
        ..MeshLists::default()
    }
}

/// The dual-quaternion weight of a vertex, in a skin that has them.
fn dual_share(mesh: &Mesh, vertex: usize) -> Option<f32> {
    mesh.dual.as_ref()?.shares.get(vertex).copied()
}

/// The morph targets of a mesh by their names.
fn targets(model: &Model, mesh: &Mesh, numbers: &Numbering) -> Vec<(String, Sums)> {
    let slots = model.skeleton.morphs();
    let all = mesh.morph.iter().flat_map(|morph| &morph.targets);
    let target = |target: &MorphTarget| {
        let name = slots.get(target.weight).map_or(String::new(), |slot| slot.name.clone());
        let offsets = numbers.used().map(|(number, vertex)| {
            let [place, normal, _] = target.offsets_of(vertex);
            (number, [place.x, place.y, place.z, normal.x, normal.y, normal.z])
        });
        (name, Sums::at(offsets))
    };
    all.map(target).collect()
}

fn update(hasher: &mut blake3::Hasher, values: &[f32]) {
    values.iter().for_each(|value| {
        hasher.update(&(value + 0.0).to_le_bytes());
    });
}

/// A character for each `stride` elements.
fn marks(count: usize, stride: usize, element: impl Fn(usize, &mut blake3::Hasher)) -> String {
    let mut text = String::with_capacity(count.div_ceil(stride));
    for first in (0..count).step_by(stride) {
        let mut hasher = blake3::Hasher::new();
        (first..count.min(first + stride)).for_each(|index| element(index, &mut hasher));
        text += &letters(u64::from(hasher.finalize().as_bytes()[0]), 1);
    }
    text
}

/// The sum of the positions of a vertex in the spaces of its joints, each times a function of its
/// weight.
fn sum_of(mesh: &Mesh, vertex: usize, share: impl Fn(f32) -> f32) -> Vec3 {
    let own = &mesh.influences[mesh.influences_of(vertex)];
    own.iter()
        .fold(Vec3::ZERO, |sum, influence| sum + influence.position() * share(influence.weight()))
}

fn mesh_joints(model: &Model, mesh: &Mesh, numbers: &Numbering) -> Vec<MeshJoint> {
    let mut weights: Vec<Vec<(i64, [f32; 1])>> = vec![Vec::new(); model.skeleton.len()];
    let mut order = Vec::new();
    for (number, vertex) in numbers.used() {
        for influence in &mesh.influences[mesh.influences_of(vertex)] {
            let joint = influence.joint().index();
            if weights[joint].is_empty() {
                order.push(joint);
            }
            weights[joint].push((number, [influence.weight()]));
        }
    }
    let offset = |joint: usize| {
        let offsets = &mesh.source.as_deref()?.offsets;
        let found = offsets.iter().find(|(own, _)| own.index() == joint);
        found.map(|(_, offset)| offset.to_cols_array())
    };
    let joints = model.skeleton.joints();
    order
        .into_iter()
        .map(|joint| MeshJoint {
            name: joints[joint].name.clone(),
            weights: Sums::at(core::mem::take(&mut weights[joint]).into_iter()),
            offset: offset(joint),
        })
        .collect()
}

fn clip_content(model: &Model, loaded: &LoadedClip, has_room: bool) -> ClipContent {
    let clip: &Clip = &loaded.clip;
    let times = times(&clip.key_times_s);
    let tracks = clip.joints.iter().map(|tracks| track_content(tracks, &times));
    ClipContent {
        name: loaded.name.clone(),
        keys: u32::try_from(clip.key_count()).unwrap_or(u32::MAX),
        rates: [
            clip.key_rate_hz.unwrap_or(0.0),
            loaded.ticks.map_or(0.0, |ticks| ticks.per_second),
        ],
        seconds: [clip.start_s, clip.end_s, clip.period_s],
        tracks: if has_room { tracks.collect() } else { Vec::new() },
        weights: clip.morphs.iter().map(weights).collect(),
        weight_courses: (clip.morphs.iter())
            .map(|track| Keys::<1>::of_weights(&track.weight).course.letter())
            .collect(),
        times,
        motion: motion_of(model, clip),
        file_keys: clip.file_keys.iter().filter(|_| has_room).map(keys_content).collect(),
    }
}

fn keys_content(keys: &FileKeys) -> KeysContent {
    let FileKeys { joint, channel, axis, times_s, values, tangents, courses } = keys;
    let letters = courses.iter().map(|course| course::Course::Moving(*course).letter());
    // The curve after the last key does not exist.
    let mut letters: String = letters.take(courses.len().max(2) - 1).collect();
    if letters.chars().all(|letter| letters.starts_with(letter)) {
        letters.truncate(1);
    }
    KeysContent {
        joint: joint.clone(),
        channel: match channel {
            Channel::Position => 0,
            Channel::Rotation => 1,
            Channel::Scale => 2,
        },
        axis: usize::from(*axis),
        times: Sums::of(times_s.iter().map(|&time_s| [time_s])),
        values: Sums::of(values.iter().map(|&value| [value])),
        tangents: Sums::of(tangents.iter().copied()),
        courses: letters,
    }
}

/// Name and weights of a morph target of a clip.
fn weights(track: &MorphTrack) -> (String, Sums) {
    let name = format!("{}/{}", track.joint, track.name);
    let Keys { values, tangents, .. } = Keys::<1>::of_weights(&track.weight);
    (name, Sums::of(values.into_iter().chain(tangents.into_iter().flatten())))
}

#[expect(clippy::cast_possible_truncation, reason = "to compare, and for people")]
fn times(times_s: &[f64]) -> Sums {
    Sums::of(times_s.iter().map(|&time_s| [time_s as f32]))
}

fn track_content(tracks: &Tracks, of_clip: &Sums) -> TrackContent {
    let Tracks { name, parent, translation, rotation, scale } = tracks;
    let [places, scales] = [translation, scale].map(Keys::<3>::of_vectors);
    let turns = Keys::<4>::of_rotations(rotation);
    fn own<T>(track: &Track<T>, keys: usize, of_clip: &Sums) -> Sums {
        let own = times(&track.times_s);
        let is_plain = keys < 2 || own.is_same(of_clip);
        if is_plain { Sums::default() } else { own }
    }
    TrackContent {
        name: name.clone(),
        parent: parent.map_or(-1, |parent| i32::from(parent.0)),
        times: [
            own(translation, places.values.len(), of_clip),
            own(rotation, turns.values.len(), of_clip),
            own(scale, scales.values.len(), of_clip),
        ],
        courses: course::letters(tracks),
        tangents: [
            Sums::of(places.tangents.iter().flatten().copied()),
            Sums::of(turns.tangents.iter().flatten().copied()),
            Sums::of(scales.tangents.iter().flatten().copied()),
        ],
        channels: [
            Sums::of(places.values.into_iter()),
            Sums::of(turns.values.into_iter()),
            Sums::of(scales.values.into_iter()),
        ],
    }
}
