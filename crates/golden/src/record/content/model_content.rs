//! Content of a model: the fields of a record.

use super::sums::Sums;
use std::borrow::Cow;

/// The channels of a track, in the order of their sums.
pub(super) const CHANNELS: [&str; 3] = ["position", "rotation", "scale"];

/// A model of the scene with the clips that its instances play.
#[derive(Clone, Debug, PartialEq)]
pub struct ModelContent {
    /// The name of the model in the scene.
    pub model: String,
    /// Its size in the bind pose.
    pub size: f32,
    /// The joints, parents before children.
    pub joints: Vec<JointContent>,
    /// The meshes in file order.
    pub meshes: Vec<MeshContent>,
    /// The clips that are played.
    pub clips: Vec<ClipContent>,
}

/// A joint in the bind pose.
#[derive(Clone, Debug, PartialEq)]
pub struct JointContent {
    /// Its name.
    pub name: String,
    /// Its parent's index, or -1.
    pub parent: i32,
    /// Digests of its transform in model space and on its parent, to the last bit: 36 bits each.
    pub marks: [u64; 2],
    /// On its parent: translation, rotation (x, y, z, w), scale.
    pub local: [f32; 10],
    /// True if the reader made it for its parent.
    pub is_made: bool,
}

/// A mesh in the bind pose.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MeshContent {
    /// Its name; empty if the file has none.
    pub name: String,
    /// The name of its material.
    pub shader: String,
    /// Sums of its lists.
    pub lists: MeshLists,
    /// A character for each group of vertices, equal as long as they are unchanged.
    pub vertex_marks: String,
    /// A character for each group of triangles.
    pub triangle_marks: String,
    /// Number of elements of a mark.
    pub stride: u32,
    /// Digest of the triangles with all values at their corners, in any order.
    pub surface: Option<u64>,
    /// The grid step of its positions, if it is quantized.
    pub grid: Option<f32>,
    /// The joints that pull it, in the order of their first vertices.
    pub joints: Vec<MeshJoint>,
    /// True if its vertices and faces are control points and polygons of its file, which the lists
    /// then refer to.
    pub has_polygons: bool,
    /// Its morph targets by name: offsets of position and normal, a vertex each.
    pub targets: Vec<(String, Sums)>,
}

/// Sums of the lists of a mesh.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MeshLists {
    /// A vertex each: its position in bind space, or the sum of its positions in the spaces of its
    /// joints.
    pub positions: Sums,
    /// One per vertex: the sum of its positions in the spaces of its joints, each times its weight;
    /// empty in bind space.
    pub weighted: Sums,
    /// A vertex each.
    pub texcoords: Sums,
    /// One per vertex, if there are any.
    pub colors: Sums,
    /// Unit normals of the file, one per vertex, if there are any.
    pub normals: Sums,
    /// The corners of each triangle, or of each polygon: the sum and a digest of its points in any
    /// order, and a digest of its edges.
    pub corners: Sums,
}

/// A joint that pulls a mesh.
#[derive(Clone, Debug, PartialEq)]
pub struct MeshJoint {
    /// Its name.
    pub name: String,
    /// Its weights, by vertex.
    pub weights: Sums,
    /// Joint space from bind space, if the format has it: the columns of the matrix, then the
    /// translation.
    pub offset: Option<[f32; 12]>,
}

/// A clip.
#[derive(Clone, Debug, PartialEq)]
pub struct ClipContent {
    /// Its name.
    pub name: String,
    /// Number of keys.
    pub keys: u32,
    /// Keys and ticks per second, or 0 if the file has none.
    pub rates: [f64; 2],
    /// Seconds of the first key, of the last key, and of the period.
    pub seconds: [f64; 3],
    /// The times of its keys in seconds.
    pub times: Sums,
    /// The motion of each joint; empty if there are too many.
    pub tracks: Vec<TrackContent>,
    /// The weights of morph targets, by joint and name.
    pub weights: Vec<(String, Sums)>,
    /// A letter for the interpolation of each of these.
    pub weight_courses: String,
    /// Its motion over time, independent of its keys; empty if it has none, or if keys are too
    /// dense.
    pub motion: Vec<f32>,
    /// The keys of the file, if the reader made others from them.
    pub file_keys: Vec<KeysContent>,
}

/// The keys of one number of a joint in a file.
#[derive(Clone, Debug, PartialEq)]
pub struct KeysContent {
    /// The name of the joint.
    pub joint: String,
    /// Position, rotation or scale.
    pub channel: usize,
    /// Its axis.
    pub axis: usize,
    /// Their times in seconds.
    pub times: Sums,
    /// Their values: lengths, degrees or factors.
    pub values: Sums,
    /// Their tangents, in and out: seconds and values.
    pub tangents: Sums,
    /// A letter for the interpolation after each but the last, or one for all.
    pub courses: String,
}

impl KeysContent {
    /// Identifies the number.
    pub(super) fn place(&self) -> (&str, usize, usize) {
        (&self.joint, self.channel, self.axis)
    }
}

/// The motion of one joint.
#[derive(Clone, Debug, PartialEq)]
pub struct TrackContent {
    /// The name of the joint.
    pub name: String,
    /// Its parent's index in the clip, or -1.
    pub parent: i32,
    /// Translation, rotation and scale.
    pub channels: [Sums; 3],
    /// The key times of each in seconds, if they differ from those of the clip.
    pub times: [Sums; 3],
    /// Letters for the interpolation of each between its keys.
    pub courses: String,
    /// Tangents of each, two per key.
    pub tangents: [Sums; 3],
}

impl ModelContent {
    /// The joint of the file that a joint belongs to: itself, or the one that the reader made it
    /// for.
    pub(super) fn joint_of_file(&self, mut joint: usize) -> usize {
        while let Some(one) = self.joints.get(joint).filter(|one| one.is_made) {
            match usize::try_from(one.parent) {
                Ok(parent) if parent < joint => joint = parent,
                _ => break,
            }
        }
        joint
    }

    /// The parent of a joint among the joints of the file.
    pub(super) fn parent(&self, joint: usize) -> Option<usize> {
        let parent = usize::try_from(self.joints.get(joint)?.parent).ok()?;
        Some(self.joint_of_file(parent))
    }

    /// The content in terms of the file: data of joints made by the reader is assigned to the
    /// joints they belong to.
    pub(super) fn of_file(&self) -> Cow<'_, Self> {
        let made = || self.joints.iter().enumerate().filter(|(_, joint)| joint.is_made);
        if made().next().is_none() {
            return Cow::Borrowed(self);
        }
        let mut own = self.clone();
        for (index, joint) in made() {
            let owner = &self.joints[self.joint_of_file(index)].name;
            let of_meshes = own.meshes.iter_mut().flat_map(|mesh| &mut mesh.joints);
            for pulled in of_meshes.filter(|pulled| pulled.name == joint.name) {
                pulled.name.clone_from(owner);
            }
            for clip in &mut own.clips {
                clip.give_scale(joint, owner);
            }
        }
        Cow::Owned(own)
    }
}

impl ClipContent {
    /// Assigns the scale of a joint that the reader made to its owner; a resting one is ignored.
    fn give_scale(&mut self, made: &JointContent, owner: &str) {
        let Some(place) = self.tracks.iter().position(|track| track.name == made.name) else {
            return;
        };
        let mut track = self.tracks.remove(place);
        let scale = &track.channels[2];
        let rest = made.local[7..].iter().map(|&part| f64::from(part));
        let rests = scale.total(0).into_iter().zip(rest).all(|(a, b)| (a - b).abs() < 1e-6);
        let of_owner = self.tracks.iter_mut().find(|track| track.name == *owner);
        match of_owner.filter(|own| own.channels[2].count == 0) {
            _ if scale.count <= 1 && rests => {}
            Some(own) => {
                own.channels[2] = core::mem::take(&mut track.channels[2]);
                own.times[2] = core::mem::take(&mut track.times[2]);
                own.tangents[2] = core::mem::take(&mut track.tangents[2]);
                let kept = own.courses.chars().take(2);
                own.courses = kept.chain(track.courses.chars().skip(2)).collect();
            }
            None => {
                owner.clone_into(&mut track.name);
                self.tracks.push(track);
            }
        }
    }
}

impl MeshContent {
    /// Its name for people: the name of its material if it has none.
    pub(in crate::record) fn label(&self) -> &str {
        if self.name.is_empty() { &self.shader } else { &self.name }
    }
}
