//! Joints of an instance in one frame: its clip with cross-fades, the layers over it, and its root
//! held in place.

use super::instance_joints::InstanceJoints;
use super::staging::Staging;
use tintype_model::math::{Aabb, Affine3, Vec3};
use tintype_model::pose::{
    Binding, MixedClip, PoseLayer, bind_pose, blend_poses, bound_pose, hold_joint, lay_over,
    play_clip, sample_clip, wrap_time,
};
use tintype_model::{Clip, Pose, Wrap};
use tintype_scene::{ClipChoice, FramePosition, Instance, Layer, RootMotion, Springs};

impl Staging {
    /// The joints of the instance at an index in model space.
    pub(super) fn pose(&self, index: usize, frame: FramePosition) -> Pose {
        let instance = &self.scene().instances[index];
        let joints = &self.bound.joints[index];
        let faded = self.faded_pose(instance, joints, frame.time_s);
        if instance.layers.is_empty() {
            return faded;
        }
        let skeleton = &self.assets().models[instance.model].model.skeleton;
        let layers = instance.layers.iter().zip(&joints.layers);
        let layers: Vec<PoseLayer<'_>> = layers
            .map(|(layer, joints)| self.pose_layer(instance, layer, joints.as_deref(), frame))
            .collect();
        let mut pose = lay_over(skeleton, &faded, &layers);
        // The layers may carry the model, too.
        let first = self.assets().clip_of(instance.model, instance.clip);
        if let Some(joint) = first.and_then(|clip| joints.held.get(clip).copied().flatten()) {
            let position = faded.matrices[joint].translation;
            hold_joint(skeleton, &mut pose, joint, position, self.free_axis(instance));
        }
        pose
    }

    /// The joints of an instance without its layers.
    fn faded_pose(&self, instance: &Instance, joints: &InstanceJoints, time_s: f64) -> Pose {
        let skeleton = &self.assets().models[instance.model].model.skeleton;
        // A finished fade hides everything before it.
        let last = instance.fade.iter().rposition(|fade| time_s >= fade.at_s + fade.for_s);
        let clip_pose = |choice: ClipChoice, clip_time_s: f64| {
            self.clip_pose(instance, joints, choice, clip_time_s)
        };
        let mut pose = match last.map(|index| &instance.fade[index]) {
            None => clip_pose(instance.clip, instance.clip_time_s(time_s)),
            Some(fade) => clip_pose(fade.clip, fade.clip_time_s(instance, time_s)),
        };
        for fade in &instance.fade[last.map_or(0, |index| index + 1)..] {
            if time_s > fade.at_s {
                let next = clip_pose(fade.clip, fade.clip_time_s(instance, time_s));
                #[expect(clippy::cast_possible_truncation, reason = "a share of 0..=1")]
                let weight = ((time_s - fade.at_s) / fade.for_s) as f32;
                pose = blend_poses(skeleton, &pose, &next, weight);
            }
        }
        pose
    }

    /// The box in model space stated by the file of the clip of an instance for a frame, moved with
    /// a held root.
    pub(super) fn stated_box(&self, index: usize, frame: FramePosition) -> Option<Aabb> {
        let instance = &self.scene().instances[index];
        let joints = &self.bound.joints[index];
        let begun = instance.fade.iter().rfind(|fade| frame.time_s > fade.at_s);
        let (choice, clip_time_s) = match begun {
            None => (instance.clip, instance.clip_time_s(frame.time_s)),
            Some(fade) if frame.time_s >= fade.at_s + fade.for_s => {
                (fade.clip, fade.clip_time_s(instance, frame.time_s))
            }
            Some(_) => return None,
        };
        let (index, clip, binding) = self.clip(instance, choice)?;
        if !instance.layers.is_empty() || clip.stated_boxes.is_empty() {
            return None;
        }
        let moment_s = wrap_time(clip, clip_time_s, instance.wrap.unwrap_or(clip.wrap));
        let Aabb { min, max } = clip.stated_box(moment_s)?;
        let Some(joint) = joints.held.get(index).copied().flatten() else {
            return Some(Aabb { min, max });
        };
        let skeleton = &self.assets().models[instance.model].model.skeleton;
        let free = sample_clip(skeleton, clip, binding, moment_s).matrices[joint].translation;
        let held = self.clip_pose(instance, joints, choice, clip_time_s).matrices[joint];
        let shift = held.translation - free;
        Some(Aabb { min: min + shift, max: max + shift })
    }

    fn clip_pose(
        &self,
        instance: &Instance,
        joints: &InstanceJoints,
        choice: ClipChoice,
        clip_time_s: f64,
    ) -> Pose {
        let skeleton = &self.assets().models[instance.model].model.skeleton;
        let Some((index, clip, binding)) = self.clip(instance, choice) else {
            let is_asked = self.assets().meant(choice) == Some(ClipChoice::Bind);
            return if is_asked { bound_pose(skeleton) } else { bind_pose(skeleton) };
        };
        let wrap = instance.wrap.unwrap_or(clip.wrap);
        let mut pose = match self.scene().output.springs {
            Springs::Swing => play_clip(skeleton, clip, binding, clip_time_s, wrap),
            Springs::Rest => {
                sample_clip(skeleton, clip, binding, wrap_time(clip, clip_time_s, wrap))
            }
        };
        if let Some(joint) = joints.held.get(index).copied().flatten() {
            let first = sample_clip(skeleton, clip, binding, clip.start_s);
            let position = first.matrices[joint].translation;
            hold_joint(skeleton, &mut pose, joint, position, self.free_axis(instance));
        }
        pose
    }

    /// A clip of the model of an instance. None for the bind pose.
    fn clip(&self, instance: &Instance, choice: ClipChoice) -> Option<(usize, &Clip, &Binding)> {
        let index = self.assets().clip_of(instance.model, choice)?;
        let clip: &Clip = &self.assets().models[instance.model].clips[index].clip;
        Some((index, clip, &self.bound.bindings[instance.model][index]))
    }

    /// The axis of model space along which a held root still moves.
    fn free_axis(&self, instance: &Instance) -> Option<Vec3> {
        let upright = self.assets().models[instance.model].upright;
        (instance.root == RootMotion::HoldLevel)
            .then(|| Affine3::from_mat3(upright).inverse().transform_vector3(Vec3::Y))
    }

    #[expect(clippy::cast_possible_truncation, reason = "weights are far below the largest f32")]
    fn pose_layer<'a>(
        &'a self,
        instance: &Instance,
        layer: &Layer,
        joints: Option<&'a [bool]>,
        FramePosition { k, n, time_s }: FramePosition,
    ) -> PoseLayer<'a> {
        let mix = layer.tracks.iter().map(|track| MixedClip {
            clip: self.clip(instance, track.clip).map(|(_, clip, binding)| {
                let wrap: Wrap = track.wrap.or(instance.wrap).unwrap_or(clip.wrap);
                (clip, binding, wrap_time(clip, track.clip_time_s(time_s), wrap))
            }),
            weight: track.weight.at(k, n, time_s) as f32,
        });
        PoseLayer { mix: mix.collect(), weight: layer.weight.at(k, n, time_s) as f32, joints }
    }
}
