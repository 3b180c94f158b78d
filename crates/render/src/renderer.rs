//! Draws the frames of a fitted scene.

use super::bind::BoundScene;
use super::environment::FittedEnvironment;
use super::error::RenderError;
use super::fit;
use super::frame_surfaces::Hull;
use super::given::Given;
use super::label;
use super::measured::{self, Measured};
use super::mirrored::MirroredMeshes;
use super::rest::Rest;
use super::shadow::{self, FittedGround};
use super::staged_instance::StagedInstance;
use super::staging::{Needs, Staged, Staging};
use super::survey::Survey;
use crate::asset::{Assets, LoadedClip};
use std::sync::Arc;
use tintype_base::deadline::Deadline;
use tintype_base::diagnostic::Diagnostic;
use tintype_model::frame::Frame;
use tintype_model::math::{Aabb, larger};
use tintype_model::pose::wrap_time;
use tintype_model::simd::Level;
use tintype_model::{Camera, Light, LinearRgb, Material, Mesh};
use tintype_raster::Background;
use tintype_raster::occlusion::OcclusionMap;
use tintype_raster::{
    self, Clock, Counts, Draw, Floor, Memory, Occlusion, RasterOptions, Shadow, Times, View,
    VisibleFragment, VisibleTile,
};
use tintype_scene::{Fit, FrameNumber, FramePosition, Scene};

/// Renderer of one scene: draws any of its frames. It owns the scene and its assets, and threads
/// may use it together.
#[derive(Clone, Debug)]
pub struct Renderer {
    staging: Staging,
    shadows: Vec<Shadow>,
    ground: Option<FittedGround>,
    environment: Option<FittedEnvironment>,
    occlusion: Option<Occlusion>,
    /// Meshes of instances that are mirrored.
    mirrored: MirroredMeshes,
    /// The box around the models over all frames, if a camera was fitted to it.
    bounds: Option<Aabb>,
    /// The numbers that all frames were posed for.
    measured: Vec<f32>,
    /// Memory that frames pass on.
    memory: Memory,
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

impl BoundScene {
    /// Fits the camera to all frames if the scene requests it; different poses are skinned once
    /// each. The ground, the shadow maps and the occlusion follow from the models at rest.
    #[must_use]
    pub fn fit(self) -> Renderer {
        Renderer::of_bound(self, None)
    }

    /// As [`Self::fit`], with the numbers from [`Renderer::measured`] for the same scene, files and
    /// program, so that no frame is posed. Numbers that cannot belong to this scene are ignored.
    #[must_use]
    pub fn fit_as(self, measured: &[f32]) -> Renderer {
        Renderer::of_bound(self, Some(measured))
    }

    /// Vertices of all instances in all frames, if the camera is fitted to them; otherwise 0. The
    /// work of [`Self::fit`] is at most proportional to it.
    #[must_use]
    pub fn vertices_to_fit(&self) -> u64 {
        let scene = &self.scene;
        if !scene.camera.needs_fit() {
            return 0;
        }
        let meshes = scene.instances.iter().flat_map(|one| {
            self.assets.models.get(one.model).into_iter().flat_map(|loaded| &loaded.model.meshes)
        });
        let count = |number: usize| u64::try_from(number).unwrap_or(u64::MAX);
        let vertices = meshes.map(|mesh| count(mesh.vertex_count())).sum::<u64>();
        vertices.saturating_mul(count(scene.output.frames.len()))
    }
}

impl Renderer {
    /// Binds the clips and fits the camera, posing all frames once.
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

    /// The same scene with another placed or fitted camera, another size or number of samples, or
    /// other frames: `view` is the scene with only these changes. No file is read and no clip is
    /// bound again.
    #[must_use]
    pub fn with_view(&self, view: Scene) -> Self {
        let bound = BoundScene { scene: Arc::new(view), ..self.staging.bound.clone() };
        Self::of_staging(self.staging.of_view(bound), None)
    }

    /// The same with another fit of the camera, which its views keep. No change if the camera is
    /// not fitted.
    #[must_use]
    pub fn with_fit(mut self, fit: Fit) -> Self {
        if self.staging.known_fit().is_some() {
            self.staging.fit = fit;
            self.staging.kept_fit = Some(fit);
        }
        self
    }

    fn of_bound(bound: BoundScene, kept: Option<&[f32]>) -> Self {
        Self::of_staging(Staging::new(bound), kept)
    }

    fn of_staging(mut staging: Staging, kept: Option<&[f32]>) -> Self {
        let scene = Arc::clone(&staging.bound.scene);
        let mut measured = Measured::new(&staging, kept);
        let rest = staging.needs_rest().then(|| Rest::of(&staging));
        let ground = scene.ground.as_ref().zip(rest.as_ref());
        let ground = ground.and_then(|(own, rest)| FittedGround::below(&staging, own, rest));
        let mut bounds = None;
        if scene.camera.needs_fit() {
            // The ground of the studio look lies where the model leaves room for it.
            let held = ground.as_ref().filter(|_| measured::shows_ground(&scene));
            let disc = held.map(|ground| ground.shown(&measured.casters(&staging)));
            let fitted = measured.camera(&staging, disc);
            staging.fit = staging.kept_fit.unwrap_or(fitted.fit);
            bounds = Some(fitted.bounds);
        }
        let shadows = rest.as_ref().map(|rest| shadow::shadows_of(&staging, rest));
        let shadows = shadows.unwrap_or_default();
        let measured = measured.numbers;
        let strength = scene.output.occlusion;
        let occlusion =
            rest.as_ref().and_then(|rest| shadow::occlusion_of(strength, rest, ground.as_ref()));
        let mirrored = MirroredMeshes::new(scene.models.len());
        let panorama = staging.assets().panorama.as_ref();
        let environment = FittedEnvironment::of_scene(&scene, panorama);
        let memory = Memory::default();
        Self {
            staging,
            shadows,
            ground,
            environment,
            occlusion,
            mirrored,
            bounds,
            measured,
            memory,
        }
    }

    /// The numbers that all frames were posed for, as input for [`BoundScene::fit_as`]. Empty if
    /// nothing is fitted to all frames.
    #[must_use]
    pub fn measured(&self) -> &[f32] {
        &self.measured
    }

    /// The scene that is drawn.
    #[must_use]
    pub fn scene(&self) -> &Scene {
        &self.staging.bound.scene
    }

    /// The models and textures of the scene.
    #[must_use]
    pub fn assets(&self) -> &Assets {
        &self.staging.bound.assets
    }

    /// Warnings about clips.
    #[must_use]
    pub fn warnings(&self) -> &[Diagnostic] {
        &self.staging.bound.warnings
    }

    /// Digest of all inputs of the pixels, in lower-case hexadecimal.
    #[must_use]
    pub fn digest(&self) -> String {
        self.staging.bound.digest()
    }

    /// The bounding box of the models over all frames, which are posed for it unless the camera was
    /// fitted to them; empty if nothing is drawn.
    #[must_use]
    pub fn bounds(&self) -> Aabb {
        self.bounds.unwrap_or_else(|| Survey::bounds(&self.staging))
    }

    /// The pixel of each frame where the models stand: that of the point on the vertical axis
    /// through the origin of the first instance or, if the models are not above it, through their
    /// centre, at the height of their lowest vertex over all frames. Empty if nothing is drawn. All
    /// frames are posed for it, unless the camera was fitted to them.
    #[must_use]
    pub fn ground_pixels(&self) -> Vec<[f64; 2]> {
        let bounds = self.bounds();
        if bounds.is_empty() {
            return Vec::new();
        }
        let point = fit::standing_point(&self.staging, &bounds);
        let pixel = |frame: FramePosition| {
            let camera = self.staging.camera(frame, self.staging.fit);
            camera.pixel_of(point, self.scene().output.size)
        };
        self.staging.moments().into_iter().map(pixel).collect()
    }

    /// Maximum bytes of the shadow maps and of the occlusion of one frame in flight; 0 without
    /// them.
    #[must_use]
    pub fn shadow_bytes(&self) -> usize {
        let picture = self.scene().output.size;
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a small whole number"
        )]
        let widest = Shadow::WIDEST as u32;
        let sides = self.staging.shadows().into_iter().map(|one| widest * one.texels(picture));
        let maps: usize = sides.map(tintype_raster::shadow::bytes_of_map).sum();
        let floor = if self.ground.is_some() { Floor::BYTES } else { 0 };
        maps + floor + if self.occlusion.is_some() { Occlusion::BYTES } else { 0 }
    }

    /// The camera of a frame.
    ///
    /// # Errors
    /// [`RenderError::NoSuchFrame`].
    pub fn camera(&self, frame: FrameNumber) -> Result<Camera, RenderError> {
        Ok(self.staging.camera(self.staging.moment(frame)?, self.staging.fit))
    }

    /// The fit of the camera to all frames. None if it is not fitted.
    #[must_use]
    pub fn fit(&self) -> Option<Fit> {
        self.staging.known_fit()
    }

    /// A staged frame seen by a camera of another fit, with the lights that follow it.
    ///
    /// # Errors
    /// [`RenderError::NoSuchFrame`].
    pub fn refit(&self, staged: Staged, fit: Fit) -> Result<Staged, RenderError> {
        let moment = self.staging.moment(staged.frame)?;
        let camera = self.staging.camera(moment, fit);
        let lights = self.staging.lights(&camera, moment);
        self.seen_by(Staged { lights, fit: Some(fit), ..staged }, camera)
    }

    /// A staged frame seen by another camera, with the same lights.
    ///
    /// # Errors
    /// [`RenderError::NoSuchFrame`].
    pub fn seen_by(&self, staged: Staged, camera: Camera) -> Result<Staged, RenderError> {
        let moment = self.staging.moment(staged.frame)?;
        let surfaces = self.staging.surfaces(&staged.instances, &camera, moment);
        Ok(Staged { camera, surfaces, ..staged })
    }

    /// The distance that a corner of the picture moves between another fit and the current one, as
    /// a fraction of the width or the height: the largest one, at most 1.
    ///
    /// # Errors
    /// [`RenderError::NoSuchFrame`].
    #[expect(clippy::cast_precision_loss, reason = "a side has at most 15 bits")]
    pub fn moved_from(&self, frame: FrameNumber, other: Fit) -> Result<f64, RenderError> {
        let moment = self.staging.moment(frame)?;
        let size = self.scene().output.size;
        let [before, now] = [other, self.staging.fit].map(|fit| self.staging.camera(moment, fit));
        let [right, up, back] = [0, 1, 2].map(|axis| now.world_from_view.col(axis));
        let depth = (now.eye - self.staging.fit.center).dot(back);
        let corner = |x: f32, y: f32| {
            let [width, height] = size.map(|side| side as f32);
            let (half_x, half_y) = now.half_tangents(width / height);
            let scale = if now.is_orthographic() { 1.0 } else { depth };
            let place = now.eye - back * depth + (right * (half_x * x) + up * (half_y * y)) * scale;
            let [from, to] = [before, now].map(|camera| camera.pixel_of(place, size));
            let share = |axis: usize| ((to[axis] - from[axis]) / f64::from(size[axis])).abs();
            [share(0), share(1)]
        };
        let corners = [(-1.0, -1.0), (-1.0, 1.0), (1.0, -1.0), (1.0, 1.0)];
        let ways = corners.into_iter().flat_map(|(x, y)| corner(x, y));
        // NaN means behind the eye.
        Ok(ways.fold(0.0, |longest, way| if way <= 1.0 { larger(longest, way) } else { 1.0 }))
    }

    /// Poses and skins a frame with all attributes needed by [`crate::aov`].
    ///
    /// # Errors
    /// [`RenderError::NoSuchFrame`].
    pub fn stage(&self, frame: FrameNumber) -> Result<Staged, RenderError> {
        self.staging.stage(frame, Level::best(), Needs::Everything)
    }

    /// Poses and skins a frame with the attributes needed by its materials: enough for
    /// [`Renderer::draw_staged`].
    ///
    /// # Errors
    /// [`RenderError::NoSuchFrame`].
    pub fn stage_picture(&self, frame: FrameNumber, level: Level) -> Result<Staged, RenderError> {
        self.staging.stage(frame, level, Needs::Picture)
    }

    /// As [`Renderer::stage_picture`], with parts of the first instances given by a program, with
    /// the vertex counts of their models. The camera fit, the ground height and the shadow
    /// resolution stay those of the scene.
    ///
    /// # Errors
    /// [`RenderError::NoSuchFrame`].
    pub fn stage_given(
        &self,
        frame: FrameNumber,
        given: &[Given],
        level: Level,
    ) -> Result<Staged, RenderError> {
        self.staging.given(given).stage(frame, level, Needs::Picture)
    }

    /// The drawn meshes of a staged instance of a model: turned over if its transform mirrors.
    pub(crate) fn meshes_of(&self, model: usize, staged: &StagedInstance) -> &[Mesh] {
        if staged.is_mirrored() {
            self.mirrored.meshes_of(self.assets(), model)
        } else {
            &self.assets().models[model].model.meshes
        }
    }

    /// Every mesh of every instance, in the order of the scene, each followed by its outline.
    fn draws<'s>(&'s self, frame: &'s Staged, with_outlines: bool) -> Vec<Draw<'s>> {
        let mut draws = Vec::new();
        let instances = self.scene().instances.iter().zip(&self.assets().instances);
        for (number, ((instance, chosen), staged)) in instances.zip(&frame.instances).enumerate() {
            let meshes = self.meshes_of(instance.model, staged);
            let meshes = meshes.iter().zip(&staged.meshes).zip(&chosen.mesh_materials).enumerate();
            let draw = |(index, ((mesh, posed), &material)): (usize, ((&'s Mesh, _), &usize))| {
                let mesh = staged.shown(index, mesh);
                let triangles = staged.triangles(index, mesh);
                let own = frame.surfaces.as_ref().map(|surfaces| surfaces.mesh(number, index));
                let material = own.map_or(material, |own| own.material);
                let casts = instance.casts && self.materials(frame)[material].casts();
                let draw = Draw { mesh, triangles, posed, material, casts };
                let hull = own.and_then(|own| own.hull.as_ref()).filter(|_| with_outlines);
                let hull = hull.map(|Hull { posed, triangles, material }| Draw {
                    triangles,
                    posed,
                    material: *material,
                    casts: false,
                    ..draw
                });
                [Some(draw), hull].into_iter().flatten()
            };
            draws.extend(meshes.flat_map(draw));
        }
        draws
    }

    /// The materials of a staged frame.
    fn materials<'s>(&'s self, staged: &'s Staged) -> &'s [Material] {
        match &staged.surfaces {
            Some(surfaces) => &surfaces.materials,
            None => &self.assets().materials,
        }
    }

    /// The ground of a staged frame.
    fn floor_of(&self, ground: FittedGround, staged: &Staged) -> Floor {
        let longest = shadow::longest_shadow(&staged.lights, &self.shadows);
        ground.of_frame(&shadow::casters_of(&self.staging, staged), longest)
    }

    fn view<'s>(&'s self, staged: &'s Staged, draws: &'s [Draw<'s>]) -> View<'s> {
        View {
            camera: staged.camera,
            size: self.scene().output.size,
            samples: self.scene().output.samples,
            anisotropy: self.scene().output.anisotropy,
            background: match self.scene().output.background {
                Some([top, bottom]) => Background::Gradient { top, bottom },
                None => Background::Transparent,
            },
            ambient: self.scene().ambient,
            lights: &staged.lights,
            environment: self.environment.as_ref().map(|one| one.view(&staged.camera)),
            occlusion: self.occlusion,
            tone: self.scene().output.tone(),
            shadows: &self.shadows,
            ground: self.ground.map(|ground| self.floor_of(ground, staged)),
            materials: self.materials(staged),
            textures: &self.assets().textures,
            content: staged.content.filter(|_| staged.surfaces.is_none()),
            draws,
        }
    }

    /// Rasterizes a staged frame on the threads of the current rayon pool.
    ///
    /// # Errors
    /// [`RenderError::View`] if the options or a field of the scene are out of range.
    pub fn draw_staged(
        &self,
        staged: &Staged,
        options: RasterOptions,
    ) -> Result<Drawn, RenderError> {
        self.draw_staged_timed(staged, options, None)
    }

    /// As [`Renderer::draw_staged`], and measures the stages by a clock if there is one.
    ///
    /// # Errors
    /// As [`Renderer::draw_staged`].
    pub fn draw_staged_timed(
        &self,
        staged: &Staged,
        options: RasterOptions,
        clock: Option<Clock>,
    ) -> Result<Drawn, RenderError> {
        let draws = self.draws(staged, true);
        let view = self.view(staged, &draws);
        let (mut frame, counts, times) =
            tintype_raster::draw_timed(&view, options, &self.memory, clock)?;
        if let Some(label) = &self.scene().output.label {
            label::burn(&mut frame, &self.label_text(label, staged.frame));
        }
        Ok(Drawn { frame, counts, times })
    }

    /// The clip that plays in the first instance, and its time in a frame from its start. None for
    /// the bind pose.
    #[must_use]
    pub fn clip_moment(&self, frame: FrameNumber) -> Option<(&str, f64)> {
        let (scene, assets) = (self.scene(), self.assets());
        let instance = scene.instances.first()?;
        let index = assets.clip_of(instance.model, instance.clip)?;
        let LoadedClip { clip, name, .. } = &assets.models[instance.model].clips[index];
        let wrap = instance.wrap.unwrap_or(clip.wrap);
        let time_s = instance.clip_time_s(scene.output.time_s(frame));
        Some((name, wrap_time(clip, time_s, wrap) - clip.start_s))
    }

    /// A label with the values of a frame in place of their names.
    fn label_text(&self, label: &str, frame: FrameNumber) -> String {
        let scene = self.scene();
        let played = self.clip_moment(frame);
        // Beside the name of a clip, its time.
        let of_clip = played.filter(|_| label.contains("{clip}"));
        let time_s = of_clip.map_or(scene.output.time_s(frame), |(_, time_s)| time_s);
        let clip = played.map(|(name, _)| name);
        let file = scene.models.first().map_or("", |model| model.file.as_str());
        let file = file.rsplit(['/', '\\']).next().unwrap_or_default();
        label
            .replace("{frame}", &format!("{:04}", frame.0))
            .replace("{time}", &format!("{time_s:.2} s"))
            .replace("{clip}", clip.unwrap_or("bind pose"))
            .replace("{file}", file)
    }

    /// Finds the mesh and the triangle visible at each sample. Draws are numbered through all
    /// meshes of all instances, in the order of the scene.
    ///
    /// # Errors
    /// As [`Renderer::draw_staged`].
    pub fn visible_fragments(
        &self,
        staged: &Staged,
        options: RasterOptions,
    ) -> Result<Vec<VisibleFragment>, RenderError> {
        let draws = self.draws(staged, false);
        Ok(tintype_raster::visibility(&self.view(staged, &draws), options)?)
    }

    /// As [`Self::visible_fragments`], tile by tile and with another number of samples than the picture has.
    pub(crate) fn fragments_by_tile<R: Send>(
        &self,
        staged: &Staged,
        samples: u32,
        options: RasterOptions,
        visit: impl Fn(VisibleTile) -> R + Sync,
    ) -> Result<Vec<R>, RenderError> {
        let draws = self.draws(staged, false);
        let view = View { samples, ..self.view(staged, &draws) };
        Ok(tintype_raster::visibility_by_tile(&view, options, visit)?)
    }

    /// Draws the models only in the light from all around: environment, ambient light and
    /// hemispheres, before black.
    ///
    /// # Errors
    /// As [`Renderer::draw_staged`].
    pub(crate) fn draw_surroundings(
        &self,
        staged: &Staged,
        options: RasterOptions,
    ) -> Result<Frame, RenderError> {
        let draws = self.draws(staged, true);
        let is_around = |light: &&Light| matches!(light, Light::Hemisphere { .. });
        let lights: Vec<Light> = staged.lights.iter().filter(is_around).copied().collect();
        let black = LinearRgb::BLACK;
        let view = View {
            lights: &lights,
            shadows: &[],
            ground: None,
            background: Background::Gradient { top: black, bottom: black },
            ..self.view(staged, &draws)
        };
        Ok(tintype_raster::draw(&view, options)?.0)
    }

    /// The ambient occlusion of a staged frame. None if the scene does not request it.
    pub fn occlusion_map(&self, staged: &Staged) -> Option<OcclusionMap> {
        OcclusionMap::of(&self.view(staged, &self.draws(staged, false)), Level::best())
    }

    /// Draws only the background, without models and ground.
    ///
    /// # Errors
    /// As [`Renderer::draw_staged`].
    pub fn draw_background(&self, staged: &Staged) -> Result<Frame, RenderError> {
        let view = View { ground: None, ..self.view(staged, &[]) };
        Ok(tintype_raster::draw(&view, RasterOptions::default())?.0)
    }

    /// Draws the background and the ground, without models.
    ///
    /// # Errors
    /// As [`Renderer::draw_staged`].
    pub fn draw_without_models(&self, staged: &Staged) -> Result<Frame, RenderError> {
        Ok(tintype_raster::draw(&self.view(staged, &[]), RasterOptions::default())?.0)
    }

    /// Draws a frame on the threads of the current rayon pool.
    ///
    /// # Errors
    /// [`RenderError::NoSuchFrame`]; [`RenderError::View`] if the options or a field of the scene
    /// are out of range.
    pub fn draw(&self, frame: FrameNumber, options: RasterOptions) -> Result<Drawn, RenderError> {
        let staged = self.staging.stage(frame, options.level, Needs::Picture)?;
        let drawn = self.draw_staged(&staged, options);
        self.recycle(staged);
        drawn
    }

    /// Keeps the memory of a staged frame for a later one.
    pub fn recycle(&self, staged: Staged) {
        self.staging.recycle(staged);
    }

    /// Keeps the memory of a drawn frame for a later one.
    pub fn recycle_frame(&self, frame: Frame) {
        self.memory.keep_frame(frame);
    }
}
