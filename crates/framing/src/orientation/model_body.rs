//! Orientation of loaded models.

use super::cue::Cue;
use super::record::{AxisRecord, CueRecord, OrientationRecord};
use super::subject::{Body, NamedJoint};
use super::{Convention, Decision, Orientation};
use std::collections::BTreeSet;
use tintype_base::precedence::DecidedBy;
use tintype_model::math::{Affine3, Vec3};
use tintype_model::pose::{bind_clip, bind_pose, sample_clip};
use tintype_model::simd::Level;
use tintype_model::skin::{SkinMatrices, SkinOptions, drawn_vertices, skin_mesh_with};
use tintype_model::{Influence, Mesh, Model, Pose};
use tintype_render::asset::LoadedModel;
use tintype_scene::FileAxis;

impl Body {
    /// The body of a posed model; `is_drawn` selects the visible meshes.
    #[must_use]
    pub fn of_model(
        model: &Model,
        pose: &Pose,
        world_from_model: &Affine3,
        is_drawn: &dyn Fn(usize) -> bool,
    ) -> Self {
        let pose = pose.placed(world_from_model);
        let matrices = SkinMatrices::new(&pose);
        let options = SkinOptions { tangents: false, level: Level::best() };
        let mut points = Vec::new();
        let mut flesh = vec![(0.0_f32, Vec3::ZERO); model.skeleton.len()];
        let meshes = model.meshes.iter().enumerate().filter(|(at, _)| is_drawn(*at));
        for (_, mesh) in meshes {
            let posed = skin_mesh_with(mesh, &matrices, options);
            let counts = drawn_vertices(mesh, &posed);
            for vertex in (0..posed.len()).filter(|&vertex| counts[vertex]) {
                let at = posed.position_at(vertex);
                points.push(at);
                // The joint with the largest weight, the first of several.
                let influences = &mesh.influences[mesh.influences_of(vertex)];
                let strongest = influences.iter().fold(None, |found, one| match found {
                    Some((weight, _)) if one.weight() <= weight => found,
                    _ => Some((one.weight(), one.joint())),
                });
                if let Some((_, joint)) = strongest {
                    let (count, sum) = &mut flesh[joint.index()];
                    *count += 1.0;
                    *sum += at;
                }
            }
        }
        let holders: BTreeSet<usize> =
            model.parts.holders.iter().map(|joint| joint.index()).collect();
        let joints: Vec<NamedJoint<'_>> = model
            .skeleton
            .joints()
            .iter()
            .zip(pose.matrices.iter().zip(&flesh))
            .enumerate()
            .map(|(index, (joint, (matrix, &(count, sum))))| {
                let middle = (count > 0.0).then(|| sum / count);
                let parent = joint.parent.map(|parent| parent.index());
                // A node with a skinned mesh may lie anywhere: its name refers to the mesh.
                let is_holder = holders.contains(&index) && middle.is_none();
                let name = if is_holder { "" } else { joint.name.as_str() };
                (name, parent, matrix.translation, middle)
            })
            .collect();
        Self::new(&joints, points, is_skinned(model))
    }
}

/// True if a mesh of a model bends, because several joints pull it.
#[must_use]
pub fn is_skinned(model: &Model) -> bool {
    let several = |mesh: &Mesh| {
        let first = mesh.influences.first().map(Influence::joint);
        mesh.influences.iter().any(|one| Some(one.joint()) != first)
    };
    model.meshes.iter().any(several)
}

/// Axes of a file that point up and ahead, and the evidence for them.
#[derive(Clone, Debug, PartialEq)]
pub struct ModelAxes {
    /// Up.
    pub up: FileAxis,
    /// Ahead.
    pub front: FileAxis,
    /// True if both are those of the format.
    pub is_convention: bool,
    orientation: Orientation,
}

impl ModelAxes {
    /// Judges a model in the first pose of a clip, or in the bind pose if it has no fitting clip.
    /// None if the scene sets its axes.
    #[must_use]
    pub fn of(loaded: &LoadedModel, clip: Option<usize>) -> Option<Self> {
        if loaded.has_axes {
            return None;
        }
        let model = &loaded.model;
        let posed = clip.and_then(|index| {
            let clip = &loaded.clips.get(index)?.clip;
            let (binding, _) = bind_clip(&model.skeleton, &model.meshes, clip).ok()?;
            Some(sample_clip(&model.skeleton, clip, &binding, clip.start_s))
        });
        let pose = posed.unwrap_or_else(|| bind_pose(&model.skeleton));
        let body = Body::of_model(model, &pose, &Affine3::IDENTITY, &|_| true);
        let orientation = Orientation::of(&body, &Convention::of(loaded, &body));
        let up = loaded.axes.nearest(orientation.up.direction);
        let front = loaded.axes.nearest(orientation.front_axis());
        let is_convention =
            orientation.up.is_convention() && front == loaded.axes.nearest(loaded.front);
        Some(Self { up, front, is_convention, orientation })
    }

    /// True if the up axis is that of the format.
    #[must_use]
    pub fn is_upright(&self) -> bool {
        self.orientation.up.is_convention()
    }

    /// The cues for axes other than those of the format, in words.
    #[must_use]
    pub fn reasons(&self) -> String {
        let mut words: Vec<&str> = Vec::new();
        for decision in [&self.orientation.up, &self.orientation.front] {
            if !decision.is_convention() {
                let cues = decision.supporters().map(|vote| vote.cue.words());
                words.extend(cues.filter(|cue| *cue != Cue::UpConvention.words()));
            }
        }
        words.join(", ")
    }

    /// Its record for `inspect`.
    #[must_use]
    pub fn record(&self) -> OrientationRecord {
        let axis = |axis: FileAxis, decision: &Decision| AxisRecord {
            axis: axis.word(),
            is_convention: decision.is_convention(),
            by: match decision.by {
                DecidedBy::Guess => "guessed",
                DecidedBy::Statement => "stated",
                DecidedBy::Wish | DecidedBy::Convention => "convention",
            },
            cues: decision
                .votes
                .iter()
                .map(|vote| CueRecord {
                    cue: vote.cue.words(),
                    weight: vote.weight,
                    agreement: vote.agreement(decision.direction),
                })
                .collect(),
        };
        OrientationRecord {
            up: axis(self.up, &self.orientation.up),
            front: axis(self.front, &self.orientation.front),
        }
    }
}
