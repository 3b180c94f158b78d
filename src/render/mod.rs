//! Draws the frames of a scene: poses, skins and rasterizes the models of one frame after the other.
//!
//! Input: a checked [`Scene`] and its loaded [`Assets`]. [`BoundScene`] pairs the joints of each clip with the joints of its model;
//! [`BoundScene::fit`] fits the camera, the ground and the shadow maps to all frames and gives a [`Renderer`]; [`Renderer::draw`]
//! calls the stages in turn. This module computes no pixel itself, reads no file and writes none.

mod bind;
mod buffer_pool;
mod clip_end;
mod default_lights;
mod digest;
mod error;
mod fit;
mod renderer;
mod shadow;
mod staging;

pub use bind::BoundScene;
<<<<<<< HEAD
pub use error::RenderError;
pub use renderer::{Drawn, Renderer};
pub use staging::{Staged, StagedInstance};
=======

use crate::asset::Assets;
use crate::deadline::{Deadline, TimedOut};
use crate::frame::Frame;
use crate::math::Affine3;
use crate::model::{Camera, Clip, Light, Pose, PosedMesh};
use crate::pose::{BindError, bind_pose, blend_poses, sample_clip, wrap_time};
use crate::raster::{
    self, Clock, Counts, Draw, Floor, RasterOptions, SeenPoint, Shadow, Times, View,
};
use crate::scene::{
    Around, ClipChoice, Fit, FrameList, FrameNumber, Instance, Lights, Moment, Scene,
};
use crate::simd::Level;
use crate::skin::{SkinMatrices, Want, skin_mesh_into};
use buffer_pool::BufferPool;
use rayon::prelude::*;
use std::sync::Arc;
use thiserror::Error;

/// Why the rasterizer accepts every view of a scene.
const DRAWABLE: &str = "the scene and its assets hold every field in range";

/// Error of drawing a scene whose files were all read without error.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum RenderError {
    /// A clip does not fit the model that plays it.
    #[error("{model}: clip \"{clip}\" ({file}) does not fit the model")]
    Bind {
        /// Name of the model in the scene.
        model: String,
        /// Name of the clip in the scene.
        clip: String,
        /// File of the clip.
        file: String,
        /// Cause.
        source: Box<BindError>,
    },
    /// The scene has no frame of that number.
    #[error("the scene has no frame {frame}; it has {frames}")]
    NoSuchFrame {
        /// The frame asked for.
        frame: FrameNumber,
        /// The frames of the scene.
        frames: FrameList,
    },
    /// The deadline passed before the work was done.
    #[error(transparent)]
    TimedOut(#[from] TimedOut),
}

/// Draws any frame of one scene. It owns the scene and its assets, and threads may share it.
#[derive(Clone, Debug)]
pub struct Renderer {
    bound: BoundScene,
    fit: Fit,
    shadows: Vec<Shadow>,
    ground: Option<FittedGround>,
    /// Meshes of frames that are done, to be filled again.
    buffers: BufferPool,
}

/// The ground of a scene.
#[derive(Clone, Copy, Debug)]
struct FittedGround {
    floor: Floor,
    /// Radius of the part that a fitted camera shows, in world units.
    visible_radius: f32,
}

/// A posed and skinned frame with its camera and lights: the input of the rasterizer.
#[derive(Clone, Debug)]
pub struct Staged {
    /// One for each instance of the scene, in its order.
    pub instances: Vec<StagedInstance>,
    /// The camera.
    pub camera: Camera,
    /// The lights of the scene, or the default lights.
    pub lights: Vec<Light>,
}

/// A drawn frame.
#[derive(Clone, Debug)]
pub struct Drawn {
    /// The pixels.
    pub frame: Frame,
    /// Numbers of triangles, tiles, samples and pixels.
    pub counts: Counts,
    /// Seconds of each stage; all 0 without a clock.
    pub times: Times,
}

/// Attributes that a staged mesh needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Needs {
    /// All attributes, for arbitrary output variables.
    Everything,
    /// Those that the materials use, for the picture alone.
    Picture,
}

/// One instance in one frame.
#[derive(Clone, Debug)]
pub struct StagedInstance {
    /// Joints in model space.
    pub pose: Pose,
    /// From model space, in the axes of the file, to world space.
    pub world_from_model: Affine3,
    /// Meshes in world space, in file order.
    pub meshes: Vec<PosedMesh>,
}

impl Renderer {
    /// Binds the clips and fits the camera, the ground and the shadow maps, for which all frames are posed once.
    ///
    /// The deadline is checked between clips and before the camera is fitted.
    ///
    /// # Errors
    /// [`RenderError::Bind`] if a clip does not fit its model, [`RenderError::TimedOut`].
    pub fn new(
        scene: impl Into<Arc<Scene>>,
        assets: impl Into<Arc<Assets>>,
        deadline: &Deadline,
    ) -> Result<Self, RenderError> {
        let bound = BoundScene::new(scene, assets, deadline)?;
        deadline.check("fitting the camera")?;
        Ok(bound.fit())
    }

    fn of_bound(bound: BoundScene) -> Self {
        let mut renderer = Self {
            bound,
            fit: Fit::default(),
            shadows: Vec::new(),
            ground: None,
            buffers: BufferPool::default(),
        };
        // The camera is fitted to the ground too, and the default lights turn with the camera.
        let scene = Arc::clone(&renderer.bound.scene);
        if let Some(ground) = &scene.ground {
            renderer.ground = shadow::fit_ground(&renderer, ground);
        }
        if scene.camera.needs_fit() {
            renderer.fit = fit::fit_camera(&renderer);
        }
        if !scene.shadows.is_empty() {
            renderer.shadows = shadow::fit_shadows(&renderer);
        }
        renderer
    }

    /// The scene that is drawn.
    #[must_use]
    pub fn scene(&self) -> &Scene {
        &self.bound.scene
    }

    /// The models and textures of the scene.
    #[must_use]
    pub fn assets(&self) -> &Assets {
        &self.bound.assets
    }

    /// Warnings about clips, each with the model and the clip in it.
    #[must_use]
    pub fn warnings(&self) -> &[String] {
        &self.bound.warnings
    }

    /// Digest of everything that the pixels depend on, as lower-case hexadecimal.
    #[must_use]
    pub fn digest(&self) -> String {
        self.bound.digest()
    }

    /// The frame of that number.
    fn moment(&self, frame: FrameNumber) -> Result<Moment, RenderError> {
        let frames = &self.scene().output.frames;
        match frames.position(frame) {
            Some(k) => Ok(self.moment_at(k, frame)),
            None => Err(RenderError::NoSuchFrame { frame, frames: frames.clone() }),
        }
    }

    fn moment_at(&self, k: usize, frame: FrameNumber) -> Moment {
        let output = &self.scene().output;
        Moment { k, n: output.frames.len(), time_s: output.time_s(frame) }
    }

    /// All frames of the scene, in their order.
    fn moments(&self) -> Vec<Moment> {
        let frames = self.scene().output.frames.iter().enumerate();
        frames.map(|(k, frame)| self.moment_at(k, frame)).collect()
    }

    /// Bytes of the shadow maps of one frame in flight; 0 without shadows.
    #[must_use]
    pub fn shadow_bytes(&self) -> usize {
        let texels = self.scene().shadows.iter().map(|shadow| shadow.size as usize);
        // A map, and its strided rows for lanes.
        let maps: usize = texels.map(|side| side * side * 5 + side * 512).sum();
        maps + if self.ground.is_some() { Floor::BYTES } else { 0 }
    }

    /// The facts about the models that the camera needs.
    fn around(&self) -> Around<'_> {
        Around {
            fit: self.fit,
            front: self.assets().models[0].front,
            recording: self.assets().camera.as_ref(),
        }
    }

    /// The joints of an instance in model space.
    fn pose(&self, instance: &Instance, time_s: f64) -> Pose {
        let skeleton = &self.assets().models[instance.model].model.skeleton;
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
        let loaded = &self.assets().models[instance.model];
        let skeleton = &loaded.model.skeleton;
        match self.assets().clip_of(instance.model, choice) {
            None => bind_pose(skeleton),
            Some(index) => {
                let clip: &Clip = &loaded.clips[index].clip;
                let moment_s = wrap_time(clip, clip_time_s, instance.wrap.unwrap_or(clip.wrap));
                sample_clip(skeleton, clip, &self.bound.bindings[instance.model][index], moment_s)
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
        let loaded = &self.assets().models[instance.model];
        let world_from_model =
            instance.world_from_model(moment.k, moment.n) * Affine3::from_mat3(loaded.upright);
        let pose = self.pose(instance, moment.time_s);
        let matrices = SkinMatrices::new(&pose.placed(&world_from_model));
        meshes.resize_with(loaded.model.meshes.len(), PosedMesh::default);
        let shapes = loaded.model.meshes.iter().zip(&loaded.mesh_materials);
        for ((mesh, &material), posed) in shapes.zip(&mut meshes) {
            let tangents = match needs {
                Needs::Everything => true,
                Needs::Picture => self.assets().materials[material].normal.is_some(),
            };
            skin_mesh_into(mesh, &matrices, Want { tangents, level }, posed);
        }
        StagedInstance { pose, world_from_model, meshes }
    }

    /// Poses and skins a frame with all attributes, as [`crate::aov`] needs them.
    ///
    /// # Errors
    /// [`RenderError::NoSuchFrame`].
    pub fn stage(&self, frame: FrameNumber) -> Result<Staged, RenderError> {
        self.stage_for(frame, Level::best(), Needs::Everything)
    }

    /// Poses and skins a frame with the attributes that its materials use: enough for [`Renderer::draw_staged`].
    ///
    /// # Errors
    /// [`RenderError::NoSuchFrame`].
    pub fn stage_picture(&self, frame: FrameNumber, level: Level) -> Result<Staged, RenderError> {
        self.stage_for(frame, level, Needs::Picture)
    }

    fn stage_for(
        &self,
        frame: FrameNumber,
        level: Level,
        needs: Needs,
    ) -> Result<Staged, RenderError> {
        let moment = self.moment(frame)?;
        let instances = self.scene().instances.par_iter();
        let used = self.buffers.take(self.scene().instances.len());
        let instances = instances.zip(used);
        let instances = instances
            .map(|(one, used)| self.stage_instance(one, moment, level, needs, used))
            .collect();
        let camera = self.scene().camera.camera_at(moment, &self.around());
        let lights = self.lights(&camera);
        Ok(Staged { instances, camera, lights })
    }

    fn lights(&self, camera: &Camera) -> Vec<Light> {
        match &self.scene().lights {
            Lights::Given(lights) => lights.clone(),
            Lights::Studio => default_lights::lights_for(camera),
        }
    }

    /// Every mesh of every instance, in the order of the scene.
    fn draws<'s>(&'s self, staged: &'s Staged) -> Vec<Draw<'s>> {
        let mut draws = Vec::new();
        for (instance, posed) in self.scene().instances.iter().zip(&staged.instances) {
            let loaded = &self.assets().models[instance.model];
            let meshes = loaded.model.meshes.iter().zip(&posed.meshes).zip(&loaded.mesh_materials);
            let draw = |((mesh, posed), &material): (_, &usize)| {
                let casts = instance.casts && self.assets().materials[material].alpha.hides();
                Draw { mesh, posed, material, casts }
            };
            draws.extend(meshes.map(draw));
        }
        draws
    }

    fn view<'s>(&'s self, staged: &'s Staged, draws: &'s [Draw<'s>]) -> View<'s> {
        View {
            camera: staged.camera,
            size: self.scene().output.size,
            samples: self.scene().output.samples,
            anisotropy: self.scene().output.anisotropy,
            background: self.scene().output.background,
            ambient: self.scene().ambient,
            lights: &staged.lights,
            shadows: &self.shadows,
            ground: self.ground.map(|ground| ground.floor),
            materials: &self.assets().materials,
            textures: &self.assets().textures,
            draws,
        }
    }

    /// Rasterizes a staged frame on the threads of the current rayon pool.
    #[must_use]
    pub fn draw_staged(&self, staged: &Staged, options: RasterOptions) -> Drawn {
        self.draw_staged_timed(staged, options, None)
    }

    /// As [`Renderer::draw_staged`], and measures the stages by a clock if there is one.
    #[must_use]
    pub fn draw_staged_timed(
        &self,
        staged: &Staged,
        options: RasterOptions,
        clock: Option<Clock>,
    ) -> Drawn {
        let draws = self.draws(staged);
        let view = self.view(staged, &draws);
        let (frame, counts, times) = raster::draw_timed(&view, options, clock).expect(DRAWABLE);
        Drawn { frame, counts, times }
    }

    /// Finds the mesh and the triangle that each sample shows. Draws are numbered through all meshes of all instances, in the
    /// order of the scene.
    #[must_use]
    pub fn visible_points(&self, staged: &Staged, options: RasterOptions) -> Vec<SeenPoint> {
        raster::visibility(&self.view(staged, &self.draws(staged)), options).expect(DRAWABLE)
    }

    /// Draws the background alone, without models and ground.
    #[must_use]
    pub fn draw_background(&self, staged: &Staged) -> Frame {
        let view = View { ground: None, ..self.view(staged, &[]) };
        raster::draw(&view, RasterOptions::default()).expect(DRAWABLE).0
    }

    /// Draws a frame on the threads of the current rayon pool.
    ///
    /// # Errors
    /// [`RenderError::NoSuchFrame`].
    pub fn draw(&self, frame: FrameNumber, options: RasterOptions) -> Result<Drawn, RenderError> {
        let staged = self.stage_for(frame, options.level, Needs::Picture)?;
        let drawn = self.draw_staged(&staged, options);
        self.recycle(staged);
        Ok(drawn)
    }

    /// Keeps the memory of a staged frame for a later one.
    pub fn recycle(&self, staged: Staged) {
        self.buffers.put(staged.instances.into_iter().map(|instance| instance.meshes).collect());
    }
}
>>>>>>> trunk
