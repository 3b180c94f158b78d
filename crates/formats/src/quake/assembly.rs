//! Combines parts into a model: each is attached to the root or to a tag, its frames are morph
//! targets, and its tags are joints.

use super::motion::Motion;
use super::part::Part;
use super::surface::{check_frames, side_of_normals, tell_inward};
use crate::iqm::joint::ours_from_file;
use crate::names::Names;
use crate::{FilePlace, LoadOptions, ModelFormatError};
use tintype_base::precedence::Guesses;
use tintype_model::clip::{MorphTrack, Track};
use tintype_model::math::{Affine3, Vec3};
use tintype_model::{
    AxisRule, ClipOptions, FileParts, FileRepair, Joint, JointIndex, Model, MorphWeight, NamedClip,
    Skeleton, Tracks, Warning,
};

/// Name of the root joint.
pub(super) const ROOT: &str = "root";

/// Combines parts, each attached to the root or to a tag of an earlier part; their files have
/// `size` bytes.
pub(super) fn assemble(
    (parts, tags): (&[Part], &[Option<&str>]),
    motions: &[Motion],
    size: usize,
    options: &LoadOptions,
    warnings: &mut Vec<Warning>,
) -> Result<(Model, Vec<NamedClip>), ModelFormatError> {
    let joints = Joints::of(parts, tags);
    let wrong =
        |error| ModelFormatError::value(FilePlace::Byte(0), "the tags", error, "a sound skeleton");
    let skeleton = Skeleton::try_with_local(joints.list.clone(), joints.local.clone());
    let skeleton = skeleton.map_err(wrong)?;
    let (mut meshes, mut weights, mut materials, mut skins) =
        (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let (mut needed, mut inward) = (0_usize, Vec::new());
    for (part, &joint) in parts.iter().zip(&joints.of_parts) {
        let frames = (part.frames.len(), weights.len());
        for surface in &part.surfaces {
            let faces = surface.inward_faces();
            inward.push(faces);
            let side = side_of_normals(faces);
            let mut mesh = surface.mesh(joint, side, &skeleton, options)?;
            needed = needed.saturating_add(mesh.vertex_count().saturating_mul(frames.0));
            check_frames(needed, size, options)?;
            mesh.morph = surface.targets(&mesh, joint, side, frames, options)?;
            mesh.variants = part.skins.iter().cloned().enumerate().collect();
            meshes.push(mesh);
        }
        let names = part.names();
        let own = names.into_iter().skip(1).enumerate();
        weights.extend(own.map(|(target, name)| MorphWeight { name, joint, target, rest: 0.0 }));
        materials.extend(part.materials.iter().cloned());
        skins.extend(part.skins.iter().cloned());
    }
    tell_inward(&inward, warnings);
    if meshes.is_empty() {
        warnings.push(FileRepair::Empty.told("it has no surfaces: nothing is drawn"));
    }
    let clips = joints.clips(parts, motions);
    let lacks_meshes = meshes.is_empty();
    // The engines set the axes.
    let axis = AxisRule { is_stated: false, guesses: Guesses::Never };
    let model = Model {
        skeleton: skeleton.with_morphs(weights),
        meshes,
        materials,
        pictures: Vec::new(),
        front: Vec3::X,
        parts: FileParts {
            lacks_meshes,
            variants: skins,
            up: axis,
            front: axis,
            ..FileParts::default()
        },
    };
    Ok((model, clips))
}

/// The joints of all parts: the root, followed by the tags of each part.
struct Joints {
    list: Vec<Joint>,
    /// Transforms on the parents.
    local: Vec<Affine3>,
    /// The joint of each part.
    of_parts: Vec<JointIndex>,
}

impl Joints {
    fn of(parts: &[Part], tags: &[Option<&str>]) -> Self {
        let root =
            Joint { name: ROOT.to_owned(), parent: None, model_from_joint: ours_from_file() };
        let mut joints =
            Self { list: vec![root], local: vec![ours_from_file()], of_parts: Vec::new() };
        for (part, tag) in parts.iter().zip(tags) {
            let named = |joint: &Joint| Some(joint.name.as_str()) == *tag;
            let own = joints.list.iter().position(named).unwrap_or(0);
            let parent = JointIndex(u16::try_from(own).unwrap_or(u16::MAX));
            joints.of_parts.push(parent);
            for tag in &part.tags {
                let local = tag.poses.first().copied().unwrap_or(Affine3::IDENTITY);
                let model_from_joint = joints.list[own].model_from_joint * local;
                let (name, parent) = (tag.name.clone(), Some(parent));
                joints.list.push(Joint { name, parent, model_from_joint });
                joints.local.push(local);
            }
        }
        joints
    }

    fn clips(&self, parts: &[Part], motions: &[Motion]) -> Vec<NamedClip> {
        let mut names = Names::default();
        let clip = |(index, motion): (usize, &Motion)| {
            let (tracks, morphs) = self.tracks(parts, motion);
            let name = names.unique(Some(&motion.name), "clip", index);
            NamedClip { name, clip: motion.clip(tracks, morphs), options: ClipOptions::default() }
        };
        motions.iter().enumerate().map(clip).collect()
    }

    /// The tracks of a motion: of tags, and of the weights of frames.
    fn tracks(&self, parts: &[Part], motion: &Motion) -> (Vec<Tracks>, Vec<MorphTrack>) {
        let (translation, rotation, scale) = (Track::unset(), Track::unset(), Track::unset());
        let root = Tracks { name: ROOT.to_owned(), parent: None, translation, rotation, scale };
        let (mut tracks, mut morphs) = (vec![root], Vec::new());
        for (index, part) in parts.iter().enumerate() {
            let own = part.tags.iter().map(|tag| motion.tracks(index, &tag.name, &tag.poses));
            tracks.extend(own);
            let joint = &self.list[self.of_parts[index].index()].name;
            let names = part.names();
            morphs.extend(motion.weights(index).into_iter().map(|(frame, weight)| MorphTrack {
                joint: joint.clone(),
                target: frame - 1,
                name: names[frame].clone(),
                weight,
            }));
        }
        (tracks, morphs)
    }
}
