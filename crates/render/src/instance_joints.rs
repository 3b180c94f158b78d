//! Joints named by instances in their layers and for their roots, found in the skeletons of their
//! models.

use super::error::RenderError;
use crate::asset::{Assets, LoadedModel};
use tintype_base::suggest::nearest_word;
use tintype_model::Skeleton;
use tintype_model::pose::{Binding, root_joint};
use tintype_scene::{Instance, RootMotion, Scene};

/// Joints of one instance named by its layers and its root motion.
#[derive(Clone, Debug, Default)]
pub(super) struct InstanceJoints {
    /// For each layer, the joints that it affects. None for all.
    pub(super) layers: Vec<Option<Vec<bool>>>,
    /// For each clip of the model, the joint that is held; empty for an instance whose root motion
    /// is kept.
    pub(super) held: Vec<Option<usize>>,
}

impl InstanceJoints {
    /// Finds the joints of all instances.
    ///
    /// # Errors
    /// [`RenderError::UnknownJoint`] if the model has no joint of that name.
    pub(super) fn of_scene(
        scene: &Scene,
        assets: &Assets,
        bindings: &[Vec<Binding>],
    ) -> Result<Vec<Self>, RenderError> {
        let found = scene.instances.iter().map(|instance| {
            let loaded = &assets.models[instance.model];
            let joint = |name: &str, key: &str| {
                let (key, model) = (instance.path_of(key), &scene.models[instance.model].name);
                joint_named(&loaded.model.skeleton, name, model, key)
            };
            Self::of(instance, loaded, &bindings[instance.model], &joint)
        });
        found.collect()
    }

    fn of(
        instance: &Instance,
        loaded: &LoadedModel,
        bindings: &[Binding],
        joint: &dyn Fn(&str, &str) -> Result<usize, RenderError>,
    ) -> Result<Self, RenderError> {
        let skeleton = &loaded.model.skeleton;
        let mut layers = Vec::new();
        for (n, layer) in instance.layers.iter().enumerate() {
            let key = format!("layers[{n}].joint");
            let roots: Result<Vec<usize>, _> =
                layer.joints.iter().map(|name| joint(name, &key)).collect();
            let roots = roots?;
            layers.push((!roots.is_empty()).then(|| skeleton.descendants(&roots)));
        }
        let held = match (instance.root, &instance.root_joint) {
            (RootMotion::Keep, _) => Vec::new(),
            (_, Some(name)) => vec![Some(joint(name, "root_joint")?); loaded.clips.len()],
            (_, None) => (loaded.clips.iter().zip(bindings))
                .map(|(clip, binding)| {
                    root_joint(skeleton, &loaded.model.meshes, &clip.clip, binding)
                })
                .collect(),
        };
        Ok(Self { layers, held })
    }
}

/// The first joint of a name.
fn joint_named(
    skeleton: &Skeleton,
    name: &str,
    model: &str,
    key: String,
) -> Result<usize, RenderError> {
    let names = || skeleton.joints().iter().map(|joint| joint.name.as_str());
    names().position(|known| known == name).ok_or_else(|| RenderError::UnknownJoint {
        key,
        name: name.to_owned(),
        model: model.to_owned(),
        joints: skeleton.len(),
        nearest: nearest_word(name, names()),
    })
}
