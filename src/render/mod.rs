//! One scene, one frame number -> one frame: the picture of the whole program.
//!
//! [`Prepared`] holds what all frames share: which joint of a clip drives which joint of a model, and where a fitted camera
//! stands. [`Prepared::draw`] then calls the stages in turn. This module computes no pixel itself, reads no file and writes none.

mod digest;
mod fit;
mod held;
mod shadow;
mod shelf;
mod studio;

use crate::asset::Assets;
use crate::deadline::{Deadline, TimedOut};
use crate::frame::Frame;
use crate::math::Affine3;
use crate::model::{Camera, Clip, Light, Pose, PosedMesh, Warning};
use crate::pose::{BindError, Binding, bind_clip, bind_pose, blend_poses, sample_clip, wrap_time};
use crate::raster::{
    self, Clock, Counts, Draw, Floor, RasterOptions, SeenPoint, Shadow, Times, View,
};
use crate::scene::{Around, ClipChoice, Fit, Instance, Lights, Moment, Scene};
use crate::simd::Level;
use crate::skin::{SkinMatrices, Want, skin_mesh_into};
use rayon::prelude::*;
use shelf::Shelf;
use thiserror::Error;

/// Why the rasterizer accepts every view of a scene.
const DRAWABLE: &str = "the scene and its assets hold every field in range";

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
    /// It took longer than somebody would wait.
    #[error(transparent)]
    TimedOut(#[from] TimedOut),
}

/// A scene with its assets, ready to draw any of its frames.
#[derive(Clone, Debug)]
pub struct Prepared<'a> {
    scene: &'a Scene,
    assets: &'a Assets,
    /// Per model, per clip of it.
    bindings: Vec<Vec<Binding>>,
    fit: Fit,
    shadows: Vec<Shadow>,
    /// The ground, and how far around the models it is to be in the picture.
    ground: Option<(Floor, f32)>,
    /// Posed meshes that are not needed any more.
    shelf: Shelf,
    /// What binding the clips noticed, with the model and the clip named.
    pub warnings: Vec<String>,
}

/// What the pose and skin stages made of one frame, and how it is looked at and lit.
#[derive(Clone, Debug)]
pub struct Staged {
    /// One for each instance of the scene, in its order.
    pub instances: Vec<StagedInstance>,
    /// The camera.
    pub camera: Camera,
    /// The lights: the scene's own, or those of the studio.
    pub lights: Vec<Light>,
}

/// What staged meshes are for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Needs {
    /// To be looked at in every way.
    Everything,
    /// To be drawn: without what the materials make no use of.
    Picture,
}

/// An instance at one moment.
#[derive(Clone, Debug)]
pub struct StagedInstance {
    /// Its joints in model space.
    pub pose: Pose,
    /// Model space, as the file has it, to world space.
    pub world_from_model: Affine3,
    /// Its meshes in world space, in file order.
    pub meshes: Vec<PosedMesh>,
}

impl<'a> Prepared<'a> {
    /// Binds the clips and fits the camera, which poses all frames of the scene once if the camera asks for it.
    ///
    /// # Errors
    /// [`RenderError`] if a clip does not fit its model.
    pub fn new(scene: &'a Scene, assets: &'a Assets) -> Result<Self, RenderError> {
        Ok(Self::bound(scene, assets)?.fitted())
    }

    /// As [`Prepared::new`], as long as there is deadline, which is looked at between clips.
    ///
    /// # Errors
    /// As [`Prepared::new`], and [`RenderError::TimedOut`].
    pub fn new_within(
        scene: &'a Scene,
        assets: &'a Assets,
        deadline: &Deadline,
    ) -> Result<Self, RenderError> {
        let bound = Self::bound_within(scene, assets, deadline)?;
        deadline.check("fitting the camera")?;
        Ok(bound.fitted())
    }

    /// Binds the clips alone: enough for the warnings and the digest, and not for drawing.
    ///
    /// # Errors
    /// As [`Prepared::new`].
    pub fn bound(scene: &'a Scene, assets: &'a Assets) -> Result<Self, RenderError> {
        Self::bound_within(scene, assets, &Deadline::NEVER)
    }

    fn bound_within(
        scene: &'a Scene,
        assets: &'a Assets,
        deadline: &Deadline,
    ) -> Result<Self, RenderError> {
        let mut bindings = Vec::new();
        let mut warnings = Vec::new();
        for (entry, loaded) in scene.models.iter().zip(&assets.models) {
            let mut of_model = Vec::new();
            for clip in &loaded.clips {
                deadline.check("binding clips")?;
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
        let (fit, shadows, ground) = (Fit::default(), Vec::new(), None);
        Ok(Self {
            scene,
            assets,
            bindings,
            fit,
            shadows,
            ground,
            shelf: Shelf::default(),
            warnings,
        })
    }

    /// Fits the camera and the maps of shadows, where the scene asks for them: poses all frames of the scene.
    #[must_use]
    pub fn fitted(mut self) -> Self {
        // The camera is fitted to the ground too, and the lights of the studio stand around the camera.
        if let Some(ground) = &self.scene.ground {
            self.ground = shadow::lay_ground(&self, ground);
        }
        if self.scene.camera.needs_fit() {
            self.fit = fit::fit_camera(&self);
        }
        if !self.scene.shadows.is_empty() {
            self.shadows = shadow::fit_shadows(&self);
        }
        self
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

    /// The bytes that the shadows of a frame take while it is drawn; 0 without shadows.
    #[must_use]
    pub fn shadow_bytes(&self) -> usize {
        let texels = self.scene.shadows.iter().map(|shadow| shadow.size as usize);
        // A map, and its grains for lanes.
        let maps: usize = texels.map(|side| side * side * 5 + side * 512).sum();
        maps + if self.ground.is_some() { Floor::BYTES } else { 0 }
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

    /// An instance posed, in model space and in world space.
    fn stage_instance(
        &self,
        instance: &Instance,
        moment: Moment,
        level: Level,
        needs: Needs,
        mut meshes: Vec<PosedMesh>,
    ) -> StagedInstance {
        let loaded = &self.assets.models[instance.model];
        let world_from_model =
            instance.world_from_model(moment.k, moment.n) * Affine3::from_mat3(loaded.upright);
        let pose = self.pose(instance, moment.time_s);
        let matrices = SkinMatrices::new(&pose.placed(&world_from_model));
        meshes.resize_with(loaded.model.meshes.len(), PosedMesh::default);
        let shapes = loaded.model.meshes.iter().zip(&loaded.mesh_materials);
        for ((mesh, &material), posed) in shapes.zip(&mut meshes) {
            let tangents = match needs {
                Needs::Everything => true,
                Needs::Picture => self.assets.materials[material].normal.is_some(),
            };
            skin_mesh_into(mesh, &matrices, Want { tangents, level }, posed);
        }
        StagedInstance { pose, world_from_model, meshes }
    }

    /// Everything that is to be drawn at position `k` of the scene's own frames, posed and skinned.
    ///
    /// # Panics
    /// If the scene has no such frame.
    #[must_use]
    pub fn stage(&self, k: usize) -> Staged {
        self.stage_for(k, Level::best(), Needs::Everything)
    }

    /// [`Prepared::stage`] without what the materials make no use of: enough for [`Prepared::draw_staged`].
    ///
    /// # Panics
    /// As [`Prepared::stage`].
    #[must_use]
    pub fn stage_picture(&self, k: usize, level: Level) -> Staged {
        self.stage_for(k, level, Needs::Picture)
    }

    fn stage_for(&self, k: usize, level: Level, needs: Needs) -> Staged {
        assert!(k < self.scene.output.frames.len(), "a frame of the scene");
        let moment = self.moment(k);
        let instances = self.scene.instances.par_iter();
        let used = self.shelf.take(self.scene.instances.len());
        let instances = instances.zip(used);
        let instances = instances
            .map(|(one, used)| self.stage_instance(one, moment, level, needs, used))
            .collect();
        let camera = self.scene.camera.camera_at(moment, &self.around());
        let lights = self.lights(&camera);
        Staged { instances, camera, lights }
    }

    fn lights(&self, camera: &Camera) -> Vec<Light> {
        match &self.scene.lights {
            Lights::Given(lights) => lights.clone(),
            Lights::Studio => studio::lights_for(camera),
        }
    }

    /// Every mesh of every instance, in the order of the scene.
    fn draws<'s>(&'s self, staged: &'s Staged) -> Vec<Draw<'s>> {
        let mut draws = Vec::new();
        for (instance, posed) in self.scene.instances.iter().zip(&staged.instances) {
            let loaded = &self.assets.models[instance.model];
            let meshes = loaded.model.meshes.iter().zip(&posed.meshes).zip(&loaded.mesh_materials);
            let draw = |((mesh, posed), &material): (_, &usize)| {
                let casts = instance.casts && self.assets.materials[material].alpha.hides();
                Draw { mesh, posed, material, casts }
            };
            draws.extend(meshes.map(draw));
        }
        draws
    }

    fn view<'s>(&'s self, staged: &'s Staged, draws: &'s [Draw<'s>]) -> View<'s> {
        View {
            camera: staged.camera,
            size: self.scene.output.size,
            samples: self.scene.output.samples,
            anisotropy: self.scene.output.anisotropy,
            background: self.scene.output.background,
            ambient: self.scene.ambient,
            lights: &staged.lights,
            shadows: &self.shadows,
            ground: self.ground.map(|(floor, _)| floor),
            materials: &self.assets.materials,
            textures: &self.assets.textures,
            draws,
        }
    }

    /// Rasterizes what was staged, on the threads of the current rayon pool.
    #[must_use]
    pub fn draw_staged(&self, staged: &Staged, cut: RasterOptions) -> (Frame, Counts) {
        raster::draw(&self.view(staged, &self.draws(staged)), cut).expect(DRAWABLE)
    }

    /// [`Prepared::draw_staged`], and how long its steps took by a clock, if there is one.
    #[must_use]
    pub fn draw_staged_timed(
        &self,
        staged: &Staged,
        cut: RasterOptions,
        clock: Option<Clock>,
    ) -> (Frame, Counts, Times) {
        raster::draw_timed(&self.view(staged, &self.draws(staged)), cut, clock).expect(DRAWABLE)
    }

    /// Which mesh each pixel shows; the draws are numbered through all meshes of all instances, in the order of the scene.
    #[must_use]
    pub fn see_staged(&self, staged: &Staged, cut: RasterOptions) -> Vec<SeenPoint> {
        raster::visibility(&self.view(staged, &self.draws(staged)), cut).expect(DRAWABLE)
    }

    /// What stands behind the models, alone: without the ground.
    #[must_use]
    pub fn draw_background(&self, staged: &Staged) -> Frame {
        let view = View { ground: None, ..self.view(staged, &[]) };
        raster::draw(&view, RasterOptions::default()).expect(DRAWABLE).0
    }

    /// Draws the frame at position `k` of the scene's own frames, on the threads of the current rayon pool.
    ///
    /// # Panics
    /// If the scene has no such frame.
    #[must_use]
    pub fn draw(&self, k: usize, cut: RasterOptions) -> (Frame, Counts) {
        assert!(k < self.scene.output.frames.len(), "a frame of the scene");
        let staged = self.stage_for(k, cut.level, Needs::Picture);
        let drawn = self.draw_staged(&staged, cut);
        self.recycle(staged);
        drawn
    }

    /// Takes what was staged back, so that a later frame is staged in its memory; nothing but time depends on it.
    pub fn recycle(&self, staged: Staged) {
        self.shelf.put(staged.instances.into_iter().map(|instance| instance.meshes).collect());
    }
}
