//! Summaries of models and clips in numbers: `inspect` prints them for people or as JSON.
//!
//! Input: loaded models and clips. Output: plain records, with positions in model space (see the
//! table of the crate root). This module judges and prints nothing.

use super::parts::{ProposedPart, proposed_parts};
use serde::Serialize;
use tintype_base::amount::format_rate;
use tintype_model::math::Aabb;
use tintype_model::pose::{Binding, bind_clip, bind_pose, sample_clip};
use tintype_model::skin::Extent;
use tintype_model::{
    CameraClip, Clip, Expression, FileExtension, FileLight, Mesh, Model, MorphTrack, Wrap,
};

/// A box in model space.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct BoxSummary {
    /// The smallest x, y and z.
    pub min: [f32; 3],
    /// The largest x, y and z.
    pub max: [f32; 3],
}

impl BoxSummary {
    fn new(bounds: &Aabb) -> Option<Self> {
        (!bounds.is_empty())
            .then(|| Self { min: bounds.min.to_array(), max: bounds.max.to_array() })
    }
}

/// A joint in the bind pose.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct JointSummary {
    /// Its name in the file.
    pub name: String,
    /// The index of its parent. None for a root.
    pub parent: Option<usize>,
    /// Its position.
    pub position: [f32; 3],
    /// Number of vertices that it influences.
    pub vertices: usize,
}

/// A morph target.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MorphSummary {
    /// Its name in the file.
    pub name: String,
    /// The joint of the meshes that it deforms.
    pub joint: String,
    /// Its number among the targets of that joint.
    pub target: usize,
    /// Its weight where no clip moves it.
    pub weight: f32,
    /// Vertices of the file that it moves.
    pub vertices: usize,
    /// The largest distance by which it moves a vertex at weight 1, in bind space.
    pub distance: f32,
}

/// An extension of a file.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ExtensionSummary {
    /// Its name.
    pub name: String,
    /// True if the file cannot be read without it.
    pub required: bool,
    /// The part of the picture that is lost. None if the extension is read.
    pub lost: Option<&'static str>,
}

/// Parts of a file beside its model.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct PartsSummary {
    /// Extensions that the file uses.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub extensions: Vec<ExtensionSummary>,
    /// Number of skins.
    #[serde(skip_serializing_if = "is_none")]
    pub skins: usize,
    /// Names of the scenes of the file, if it has several.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub scenes: Vec<String>,
    /// Names of variants of the materials.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub variants: Vec<String>,
    /// Names of expressions, and other names of each.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub expressions: Vec<String>,
    /// Names of cameras.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub cameras: Vec<String>,
    /// Names and kinds of lights.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub lights: Vec<String>,
}

fn is_none(count: &usize) -> bool {
    *count == 0
}

/// A mesh.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MeshSummary {
    /// Its name, empty if the file has none.
    pub name: String,
    /// The shader name as written in the file.
    pub shader: String,
    /// Vertices of the file.
    pub vertices: usize,
    /// Vertices that were doubled because their texture coordinates are mirrored on one side.
    pub mirrored_copies: usize,
    /// Triangles.
    pub triangles: usize,
    /// `influences[n]` vertices have `n` influences.
    pub influences: Vec<usize>,
    /// The first of the vertices with the most influences. None without vertices.
    pub most_influenced: Option<usize>,
    /// True if it is closed with outward volume, so that its back faces are culled.
    pub closed: bool,
    /// True if it is closed with inward volume: an interior, a sky, or a mesh that is inside out.
    pub inward: bool,
    /// Sets of texture coordinates; at most two are drawn, those used by its material.
    pub texcoord_sets: u8,
    /// The box around it in the bind pose.
    pub bounds: Option<BoxSummary>,
}

/// A model.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ModelSummary {
    /// The joints, parents before children.
    pub joints: Vec<JointSummary>,
    /// The meshes in file order.
    pub meshes: Vec<MeshSummary>,
    /// The morph targets, in the order of their joints.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub morphs: Vec<MorphSummary>,
    /// Parts of the file beside the model.
    #[serde(flatten)]
    pub parts: PartsSummary,
    /// The box around all of it in the bind pose.
    pub bounds: Option<BoxSummary>,
}

/// A clip.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ClipSummary {
    /// Number of joints in its hierarchy.
    pub joints: usize,
    /// Joints that change.
    pub moving_joints: usize,
    /// Their names.
    pub moving: Vec<String>,
    /// Names of the morph targets with animated weights.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub morphing: Vec<String>,
    /// Key times.
    pub keys: usize,
    /// Keys per second, if evenly spaced.
    pub keys_per_second: Option<f64>,
    /// The time of the first key.
    pub start_s: f64,
    /// From the first key to the last.
    pub length_s: f64,
    /// Seconds after which it repeats.
    pub period_s: f64,
    /// True if its file requests to play it once.
    pub plays_once: bool,
    /// True if the last pose equals the first, so that the period excludes it.
    pub ends_as_it_starts: bool,
    /// Parts that repeat separately, if there are several and a model provides their poses.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<ProposedPart>,
    /// The bounding box of the posed model over all keys. None without a model or if the clip does
    /// not fit it.
    pub bounds: Option<BoxSummary>,
    /// Error of binding the clip to the model.
    pub misfit: Option<String>,
}

/// A recorded camera.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CameraSummary {
    /// Keys.
    pub keys: usize,
    /// Keys a second.
    pub keys_per_second: f64,
    /// From the first key to the last; cuts take no time.
    pub length_s: f64,
    /// Keys at which a new shot starts.
    pub cuts: Vec<usize>,
    /// The smallest and largest horizontal field of view, in degrees.
    pub fov_deg: [f32; 2],
}

impl ModelSummary {
    /// Counts and measures a model in its bind pose.
    #[must_use]
    pub fn of(model: &Model) -> Self {
        let mut pulled = vec![0_usize; model.skeleton.len()];
        for mesh in &model.meshes {
            for vertex in 0..mesh.file_vertex_count() {
                for influence in mesh.influences_of(vertex) {
                    if mesh.influences[influence].weight() != 0.0 {
                        pulled[mesh.influences[influence].joint().index()] += 1;
                    }
                }
            }
        }
        let joints = model.skeleton.joints().iter().zip(pulled).map(|(joint, vertices)| {
            let position = joint.model_from_joint.translation.to_array();
            let parent = joint.parent.map(tintype_model::JointIndex::index);
            JointSummary { name: joint.name.clone(), parent, position, vertices }
        });
        let bind = bind_pose(&model.skeleton);
        let in_bind = |mesh| {
            let mut bounds = Aabb::EMPTY;
            Extent::new(mesh).grow(&bind, &mut bounds);
            bounds
        };
        let boxes: Vec<Aabb> = model.meshes.iter().map(in_bind).collect();
        let mut bounds = Aabb::EMPTY;
        for one in &boxes {
            bounds.merge(one);
        }
        let meshes =
            model.meshes.iter().zip(&boxes).map(|(mesh, bounds)| MeshSummary::of(mesh, bounds));
        Self {
            joints: joints.collect(),
            meshes: meshes.collect(),
            morphs: morphs_of(model),
            parts: PartsSummary::of(model),
            bounds: BoxSummary::new(&bounds),
        }
    }
}

/// The morph targets of a model, with the number of vertices that they move.
fn morphs_of(model: &Model) -> Vec<MorphSummary> {
    let slots = model.skeleton.morphs();
    let mut found: Vec<MorphSummary> = (slots.iter())
        .map(|slot| MorphSummary {
            name: slot.name.clone(),
            joint: model.skeleton.joints()[slot.joint.index()].name.clone(),
            target: slot.target,
            weight: slot.rest,
            vertices: 0,
            distance: 0.0,
        })
        .collect();
    for mesh in &model.meshes {
        for target in mesh.morph.iter().flat_map(|morph| &morph.targets) {
            let Some(summary) = found.get_mut(target.weight) else { continue };
            for vertex in 0..mesh.file_vertex_count() {
                let length = target.offsets_of(vertex)[0].length();
                summary.vertices += usize::from(length > 0.0);
                summary.distance = tintype_model::math::max(summary.distance, length);
            }
        }
    }
    found
}

impl PartsSummary {
    fn of(Model { parts, skeleton, .. }: &Model) -> Self {
        let expression = |one: &Expression| match one.aliases.as_slice() {
            [] => one.name.clone(),
            others => format!("{} ({})", one.name, others.join(", ")),
        };
        let extension = |one: &FileExtension| ExtensionSummary {
            name: one.name.clone(),
            required: one.is_required,
            lost: one.lost,
        };
        let light = |one: &FileLight| format!("{} ({})", one.name, one.kind.name());
        Self {
            extensions: parts.extensions.iter().map(extension).collect(),
            skins: parts.skins,
            scenes: parts.scenes.clone(),
            variants: parts.variants.clone(),
            expressions: skeleton.expressions().iter().map(expression).collect(),
            cameras: parts.cameras.iter().map(|one| one.name.clone()).collect(),
            lights: parts.lights.iter().map(light).collect(),
        }
    }
}

impl MeshSummary {
    fn of(mesh: &Mesh, bounds: &Aabb) -> Self {
        let mut influences = Vec::new();
        let mut most_influenced = None;
        for vertex in 0..mesh.file_vertex_count() {
            let count = mesh.influences_of(vertex).len();
            if influences.len() <= count {
                influences.resize(count + 1, 0);
                most_influenced = Some(vertex);
            }
            influences[count] += 1;
        }
        Self {
            name: mesh.name.clone(),
            shader: mesh.material_name.clone(),
            vertices: mesh.file_vertex_count(),
            mirrored_copies: mesh.source_vertex.len(),
            triangles: mesh.triangles.len(),
            influences,
            most_influenced,
            closed: mesh.is_closed_outward(),
            inward: mesh.is_closed_inward(),
            texcoord_sets: mesh.texcoord_sets,
            bounds: BoxSummary::new(bounds),
        }
    }
}

impl ClipSummary {
    /// Counts a clip, and measures the distance that it moves a model.
    #[must_use]
    pub fn of(clip: &Clip, model: Option<&Model>) -> Self {
        let moving = clip.joints.iter().filter(|tracks| tracks.is_moving());
        let moving: Vec<String> = moving.map(|tracks| tracks.name.clone()).collect();
        let morphing = clip.morphs.iter().filter(|track| track.is_moving());
        let name = |track: &MorphTrack| {
            if track.name.is_empty() {
                format!("{}/{}", track.joint, track.target)
            } else {
                track.name.clone()
            }
        };
        let morphing = morphing.map(name).collect();
        let length_s = clip.end_s - clip.start_s;
        let bound = model.map(|model| {
            (model, bind_clip(&model.skeleton, &model.meshes, clip).map(|(binding, _)| binding))
        });
        let (bounds, parts, misfit) = match bound {
            Some((model, Ok(binding))) => (
                BoxSummary::new(&bounds_over(model, clip, &binding)),
                proposed_parts(model, clip, &binding),
                None,
            ),
            Some((_, Err(error))) => (None, Vec::new(), Some(error.to_string())),
            None => (None, Vec::new(), None),
        };
        Self {
            joints: clip.joints.len(),
            moving_joints: moving.len(),
            moving,
            morphing,
            keys: clip.key_count(),
            keys_per_second: clip.key_rate_hz.map(format_rate),
            start_s: clip.start_s,
            length_s,
            period_s: clip.period_s,
            plays_once: clip.wrap == Wrap::Clamp,
            ends_as_it_starts: clip.key_count() > 1 && clip.closes,
            parts,
            bounds,
            misfit,
        }
    }
}

impl CameraSummary {
    /// Counts a recorded camera.
    #[must_use]
    pub fn of(camera: &CameraClip) -> Self {
        let mut fov_rad = [f32::INFINITY, 0.0];
        for key in &camera.keys {
            fov_rad = [
                tintype_model::math::min(fov_rad[0], key.fov_x_rad),
                tintype_model::math::max(fov_rad[1], key.fov_x_rad),
            ];
        }
        #[expect(clippy::cast_precision_loss, reason = "a count of keys")]
        let steps = camera.steps() as f64;
        Self {
            keys: camera.keys.len(),
            keys_per_second: format_rate(camera.key_rate_hz),
            length_s: steps / camera.key_rate_hz,
            cuts: camera.cuts.clone(),
            fov_deg: fov_rad.map(tintype_model::math::func::degrees),
        }
    }
}

/// The box around a model at every key of a clip.
fn bounds_over(model: &Model, clip: &Clip, binding: &Binding) -> Aabb {
    let extents: Vec<Extent> = model.meshes.iter().map(Extent::new).collect();
    let mut bounds = Aabb::EMPTY;
    for &moment_s in clip.key_times_s.get(clip.keys.clone()).unwrap_or_default() {
        let pose = sample_clip(&model.skeleton, clip, binding, moment_s);
        for extent in &extents {
            extent.grow(&pose, &mut bounds);
        }
    }
    bounds
}
