//! One scene, one frame number -> one frame: the picture of the whole program.
//!
//! [`Prepared`] holds what all frames share: which joint of a clip drives which joint of a model, and where a fitted camera
//! stands. [`Prepared::draw`] then calls the stages in turn. This module computes no pixel itself, reads no file and writes none.

mod digest;
mod fit;
mod held;
mod studio;

use crate::asset::Assets;
use crate::frame::Frame;
use crate::math::Affine3;
use crate::model::{Clip, Pose, PosedMesh, Warning};
use crate::pose::{BindError, Binding, bind_clip, bind_pose, blend_poses, sample_clip, wrap_time};
use crate::raster::{self, Counts, Cut, Draw, View};
use crate::scene::{Around, ClipChoice, Fit, Instance, Lights, Moment, Scene};
use crate::skin::{SkinMatrices, skin_mesh};
use rayon::prelude::*;
use thiserror::Error;

/// Why a scene whose files are all well cannot be drawn.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum RenderError {
    /// A clip that cannot move the model it is given to.
    #[error("{model}: clip \"{clip}\" ({file}) does not fit the model")]
    Bind {
        /// The model's name in the scene.
        model: String,
        /// The clip's name in the scene.
        clip: String,
        /// The clip's file.
        file: String,
        /// Why.
        source: Box<BindError>,
    },
}

/// A scene with its assets, ready to draw any of its frames.
#[derive(Clone, Debug)]
pub struct Prepared<'a> {
    scene: &'a Scene,
    assets: &'a Assets,
    /// Per model, per clip of it.
    bindings: Vec<Vec<Binding>>,
    fit: Fit,
    /// What binding the clips noticed, with the model and the clip named.
    pub warnings: Vec<String>,
}

impl<'a> Prepared<'a> {
    /// Binds the clips and fits the camera, which poses all frames of the scene once if the camera asks for it.
    ///
    /// # Errors
    /// [`RenderError`] if a clip does not fit its model.
    pub fn new(scene: &'a Scene, assets: &'a Assets) -> Result<Self, RenderError> {
        let mut bindings = Vec::new();
        let mut warnings = Vec::new();
        for (entry, loaded) in scene.models.iter().zip(&assets.models) {
            let mut of_model = Vec::new();
            for clip in &loaded.clips {
                let bound = bind_clip(&loaded.model.skeleton, &loaded.model.meshes, &clip.clip);
                let (binding, found) = match bound {
                    // Nobody asked for this clip: the file has it.
                    Err(error) if entry.has_own_clips => (
                        Binding::at_rest(&loaded.model.skeleton),
                        vec![Warning::new(0, error.to_string())],
                    ),
                    bound => bound.map_err(|source| RenderError::Bind {
                        model: entry.name.clone(),
                        clip: clip.name.clone(),
                        file: clip.file.clone(),
                        source: Box::new(source),
                    })?,
                };
                warnings.extend(found.into_iter().map(|warning| {
                    format!("{}: clip \"{}\": {}", entry.name, clip.name, warning.message)
                }));
                of_model.push(binding);
            }
            bindings.push(of_model);
        }
        warnings.extend(held::held_clips(scene, assets));
        let mut prepared = Self { scene, assets, bindings, fit: Fit::default(), warnings };
        if scene.camera.needs_fit() {
            prepared.fit = fit::fit_camera(&prepared);
        }
        Ok(prepared)
    }

    /// The digest of everything that the pixels depend on, for the provenance of frames.
    #[must_use]
    pub fn digest(&self) -> String {
        digest::digest_of(self.scene, self.assets)
    }

    /// The moment of the frame at position `k` of the scene's own frames.
    fn moment(&self, k: usize) -> Moment {
        let frames = &self.scene.output.frames;
        let frame = frames.nth(k).unwrap_or_default();
        Moment { k, n: frames.len(), time_s: self.scene.output.time_s(frame) }
    }

    /// What the models tell the camera.
    fn around(&self) -> Around<'_> {
        Around {
            fit: self.fit,
            front: self.assets.models[0].front,
            recording: self.assets.camera.as_ref(),
        }
    }

    /// The joints of an instance in model space.
    fn pose(&self, instance: &Instance, time_s: f64) -> Pose {
        let skeleton = &self.assets.models[instance.model].model.skeleton;
        // A finished fade hides all that was before it.
        let last = instance.fade.iter().rposition(|fade| time_s >= fade.at_s + fade.for_s);
        let mut pose = match last.map(|index| &instance.fade[index]) {
            None => self.clip_pose(instance, instance.clip, instance.clip_time_s(time_s)),
            Some(fade) => self.clip_pose(instance, fade.clip, fade.clip_time_s(instance, time_s)),
        };
        for fade in &instance.fade[last.map_or(0, |index| index + 1)..] {
            if time_s > fade.at_s {
                let next = self.clip_pose(instance, fade.clip, fade.clip_time_s(instance, time_s));
                #[expect(clippy::cast_possible_truncation, reason = "a share of 0..=1")]
                let weight = ((time_s - fade.at_s) / fade.for_s) as f32;
                pose = blend_poses(skeleton, &pose, &next, weight);
            }
        }
        pose
    }

    fn clip_pose(&self, instance: &Instance, choice: ClipChoice, clip_time_s: f64) -> Pose {
        let loaded = &self.assets.models[instance.model];
        let skeleton = &loaded.model.skeleton;
        match self.assets.clip_of(instance.model, choice) {
            None => bind_pose(skeleton),
            Some(index) => {
                let clip: &Clip = &loaded.clips[index].clip;
                let moment_s = wrap_time(clip, clip_time_s, instance.wrap.unwrap_or(clip.wrap));
                sample_clip(skeleton, clip, &self.bindings[instance.model][index], moment_s)
            }
        }
    }

    /// The meshes of an instance in world space, in file order.
    fn posed_meshes(&self, instance: &Instance, moment: Moment) -> Vec<PosedMesh> {
        let loaded = &self.assets.models[instance.model];
        let world_from_model =
            instance.world_from_model(moment.k, moment.n) * Affine3::from_mat3(loaded.upright);
        let pose = self.pose(instance, moment.time_s).placed(&world_from_model);
        let matrices = SkinMatrices::new(&pose);
        loaded.model.meshes.iter().map(|mesh| skin_mesh(mesh, &matrices)).collect()
    }

    /// Draws the frame at position `k` of the scene's own frames, on the threads of the current rayon pool.
    ///
    /// # Panics
    /// If the scene has no such frame.
    #[must_use]
    pub fn draw(&self, k: usize, cut: Cut) -> (Frame, Counts) {
        let (scene, assets) = (self.scene, self.assets);
        assert!(k < scene.output.frames.len(), "a frame of the scene");

        // 1. Pose and skin every instance.
        let moment = self.moment(k);
        let posed: Vec<Vec<PosedMesh>> = scene
            .instances
            .par_iter()
            .map(|instance| self.posed_meshes(instance, moment))
            .collect();

        // 2. Light and look.
        let camera = scene.camera.camera_at(moment, &self.around());
        let studio;
        let lights = match &scene.lights {
            Lights::Given(lights) => lights.as_slice(),
            Lights::Studio => {
                studio = studio::lights_for(&camera);
                &studio
            }
        };

        // 3. Rasterize.
        let draws: Vec<Draw> = scene
            .instances
            .iter()
            .zip(&posed)
            .flat_map(|(instance, posed)| {
                let loaded = &assets.models[instance.model];
                loaded
                    .model
                    .meshes
                    .iter()
                    .zip(posed)
                    .zip(&loaded.mesh_materials)
                    .map(|((mesh, posed), &material)| Draw { mesh, posed, material })
            })
            .collect();
        let view = View {
            camera,
            size: scene.output.size,
            samples: scene.output.samples,
            background: scene.output.background,
            ambient: scene.ambient,
            lights,
            materials: &assets.materials,
            textures: &assets.textures,
            draws: &draws,
        };
        raster::draw(&view, cut)
    }
}
