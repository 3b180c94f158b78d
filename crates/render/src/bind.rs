//! Pairs the joints of each clip with the joints of its model.

use super::error::RenderError;
use super::instance_joints::InstanceJoints;
use super::{clip_end, digest};
use crate::asset::Assets;
use std::sync::Arc;
use tintype_base::deadline::Deadline;
use tintype_base::diagnostic::{Diagnostic, Kind, Place};
use tintype_model::pose::{Binding, bind_clip};
use tintype_scene::Scene;

/// A scene with its assets and the bindings of its clips: enough for warnings and the digest.
/// Nothing is fitted yet.
#[derive(Clone, Debug)]
pub struct BoundScene {
    pub(super) scene: Arc<Scene>,
    pub(super) assets: Arc<Assets>,
    /// For each model, one for each of its clips.
    pub(super) bindings: Vec<Vec<Binding>>,
    /// Per instance, the joints that it names.
    pub(super) joints: Vec<InstanceJoints>,
    pub(super) warnings: Vec<Diagnostic>,
}

impl BoundScene {
    /// Binds the clips; the deadline is checked before each.
    ///
    /// # Errors
    /// [`RenderError::Bind`] if a clip does not fit its model, [`RenderError::UnknownJoint`] if an
    /// instance names a joint missing from its model, [`RenderError::TimedOut`].
    pub fn new(
        scene: impl Into<Arc<Scene>>,
        assets: impl Into<Arc<Assets>>,
        deadline: &Deadline,
    ) -> Result<Self, RenderError> {
        let (scene, assets) = (scene.into(), assets.into());
        let mut bindings = Vec::new();
        let mut warnings = Vec::new();
        for (m, (entry, loaded)) in scene.models.iter().zip(&assets.models).enumerate() {
            let mut of_model = Vec::new();
            for (c, clip) in loaded.clips.iter().enumerate() {
                deadline.check("binding clips")?;
                let bound = bind_clip(&loaded.model.skeleton, &loaded.model.meshes, &clip.clip);
                let (binding, found) = match bound {
                    // The clip is from the file of the model, not from the scene.
                    Err(error) if entry.has_own_clips => {
                        (Binding::at_rest(&loaded.model.skeleton), vec![(error.to_string(), true)])
                    }
                    bound => {
                        let (binding, found) = bound.map_err(|source| RenderError::Bind {
                            model: entry.name.clone(),
                            clip: clip.name.clone(),
                            file: clip.file.clone(),
                            source: Box::new(source),
                        })?;
                        let told = found.into_iter().map(|one| {
                            let is_stand_in = one.is_stand_in();
                            (one.message, is_stand_in)
                        });
                        (binding, told.collect())
                    }
                };
                let is_played = plays(&scene, &assets, m, c);
                warnings.extend(found.into_iter().map(|(message, is_stand_in)| {
                    let (name, clip) = (entry.name.clone(), Some(clip.name.clone()));
                    let place = Place::Model { name, clip };
                    let warning = Diagnostic::warning(Kind::Clip, place, message);
                    if is_stand_in && is_played { warning.as_stand_in() } else { warning }
                }));
                of_model.push(binding);
            }
            bindings.push(of_model);
        }
        warnings.extend(clip_end::warnings(&scene, &assets));
        let joints = InstanceJoints::of_scene(&scene, &assets, &bindings)?;
        Ok(Self { scene, assets, bindings, joints, warnings })
    }

    /// Warnings about clips.
    #[must_use]
    pub fn warnings(&self) -> &[Diagnostic] {
        &self.warnings
    }

    /// Digest of all inputs of the pixels, in lower-case hexadecimal.
    #[must_use]
    pub fn digest(&self) -> String {
        digest::digest_of(&self.scene, &self.assets)
    }
}

/// True if an instance plays a clip of a model, at first or after a fade.
fn plays(scene: &Scene, assets: &Assets, model: usize, clip: usize) -> bool {
    scene.instances.iter().filter(|instance| instance.model == model).any(|instance| {
        let later = instance.fade.iter().map(|fade| fade.clip);
        let choices = core::iter::once(instance.clip).chain(later);
        choices.into_iter().any(|choice| assets.clip_of(model, choice) == Some(clip))
    })
}
