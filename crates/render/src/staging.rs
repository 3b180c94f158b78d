//! Poses and skins the instances of a frame.

use super::bind::BoundScene;
use super::buffer_pool::BufferPool;
use super::default_lights;
use super::error::RenderError;
use super::frame_surfaces::FrameSurfaces;
use super::given::{Given, place_vertices};
use super::model_light;
use super::staged_instance::StagedInstance;
use crate::asset::{Assets, LoadedLight, choose_morphs};
use rayon::prelude::*;
use tintype_model::math::{Affine3, Mat3, Vec3, any_perpendicular, func, max, min, unit_or};
use tintype_model::pose::{JointChange, bind_pose, constrain, edit_pose};
use tintype_model::simd::Level;
use tintype_model::skin::{
    SkinMatrices, SkinOptions, drawn_triangles, drawn_vertices, settle_undrawn, skin_mesh_into,
    skin_mesh_with,
};
use tintype_model::{Camera, CastShadow, FovAxis, Light, LinearRgb, Mesh, Model, Pose, PosedMesh};
use tintype_scene::{
    CameraContext, Fit, FrameNumber, FramePosition, Instance, JointEdit, Lights, Placement, Scene,
};

/// Stages the frames of a bound scene.
#[derive(Clone, Debug)]
pub(super) struct Staging {
    pub bound: BoundScene,
    /// Position of a fitted camera; the default until it is known.
    pub fit: Fit,
    /// The fit that replaces the measured one.
    pub kept_fit: Option<Fit>,
    /// True to use the bind pose instead of clips, and to make all instances visible.
    at_rest: bool,
    /// For each mesh of each model, true if it has vertices that do not count in the bind pose.
    strays: Vec<Vec<bool>>,
    /// Meshes of finished frames, for reuse.
    buffers: BufferPool,
    /// Parts of the first instances set by a program.
    given: Vec<Given>,
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
    /// The frame.
    pub frame: FrameNumber,
    /// The fit of the camera. None if it is not fitted.
    pub fit: Option<Fit>,
    /// Materials and outlines specific to the frame, if there are any.
    pub(super) surfaces: Option<FrameSurfaces>,
    /// A key of its vertices. None if a program gives them.
    pub(super) content: Option<[u8; 16]>,
}

/// Attributes that a staged mesh needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Needs {
    /// All attributes, for arbitrary output variables.
    Everything,
    /// Attributes used by the materials, for the picture alone.
    Picture,
    /// Positions, for measurements over all frames.
    Positions,
}

/// For each mesh of a model, true if it has vertices that do not count in the bind pose.
fn strays_of(model: &Model) -> Vec<bool> {
    let matrices = SkinMatrices::new(&bind_pose(&model.skeleton));
    let options = SkinOptions { tangents: false, level: Level::best() };
    let has_strays = |mesh: &Mesh| {
        drawn_vertices(mesh, &skin_mesh_with(mesh, &matrices, options)).contains(&false)
    };
    model.meshes.iter().map(has_strays).collect()
}

/// Length of a joint's axis relative to its longest one below which the geometry on it may have no
/// area.
const FLATTENED: f32 = 1e-3;

/// Drops triangles that cover nothing, with the vertices that only they use, and empties meshes
/// without any left, unless nothing at all is left. Returns the triangles of each mesh that lost
/// some.
///
/// A mesh whose vertices are all drawn in the bind pose can only have such triangles if a joint
/// flattens it.
fn settle(
    model: &Model,
    strays: &[bool],
    pose: &Pose,
    meshes: &mut [PosedMesh],
) -> Vec<Option<Vec<[u32; 3]>>> {
    let axes = pose.matrices.iter().flat_map(|joint| {
        let Mat3 { x_axis, y_axis, z_axis } = joint.matrix3;
        [x_axis, y_axis, z_axis].map(Vec3::length_squared)
    });
    let (shortest, longest) = axes.fold((f32::INFINITY, 0.0), |(shortest, longest), axis| {
        (min(axis, shortest), max(axis, longest))
    });
    let is_flattened = shortest < longest * (FLATTENED * FLATTENED);
    let mut gone = Vec::new();
    let mut triangles = vec![None; meshes.len()];
    for (index, (mesh, posed)) in model.meshes.iter().zip(meshes.iter_mut()).enumerate() {
        if (strays[index] || is_flattened) && !posed.is_empty() {
            let is_drawn = drawn_vertices(mesh, posed);
            triangles[index] = drawn_triangles(mesh, &is_drawn);
            if !settle_undrawn(posed, &is_drawn) {
                gone.push(index);
            }
        }
    }
    let is_left = |(index, posed): (usize, &PosedMesh)| !posed.is_empty() && !gone.contains(&index);
    if meshes.iter().enumerate().any(is_left) {
        gone.iter().for_each(|&index| meshes[index].clear());
    }
    triangles
}

impl Staging {
    pub(super) fn new(bound: BoundScene) -> Self {
        let strays =
            bound.assets.models.par_iter().map(|loaded| strays_of(&loaded.model)).collect();
        Self {
            bound,
            fit: Fit::default(),
            kept_fit: None,
            at_rest: false,
            strays,
            buffers: BufferPool::default(),
            given: Vec::new(),
        }
    }

    /// The staging of one time with parts given by a program. Values derived from the models at
    /// rest stay.
    pub(super) fn given(&self, given: &[Given]) -> Self {
        Self { given: given.to_vec(), ..self.clone() }
    }

    /// The given parts of an instance at its time.
    fn given_of(&self, index: usize) -> Option<&Given> {
        self.given.get(index).filter(|_| !self.at_rest)
    }

    /// The staging of another view of the same models.
    pub(super) fn of_view(&self, bound: BoundScene) -> Self {
        Self { bound, fit: Fit::default(), ..self.clone() }
    }

    pub(super) fn scene(&self) -> &Scene {
        &self.bound.scene
    }

    pub(super) fn assets(&self) -> &Assets {
        &self.bound.assets
    }

    /// The frame of that number.
    pub(super) fn moment(&self, frame: FrameNumber) -> Result<FramePosition, RenderError> {
        let frames = &self.scene().output.frames;
        match frames.position(frame) {
            Some(k) => Ok(self.moment_at(k, frame)),
            None => Err(RenderError::NoSuchFrame { frame, frames: frames.clone() }),
        }
    }

    fn moment_at(&self, k: usize, frame: FrameNumber) -> FramePosition {
        let output = &self.scene().output;
        FramePosition { k, n: output.frames.len(), time_s: output.time_s(frame) }
    }

    /// All frames of the scene, in their order.
    pub(super) fn moments(&self) -> Vec<FramePosition> {
        let frames = self.scene().output.frames.iter().enumerate();
        frames.map(|(k, frame)| self.moment_at(k, frame)).collect()
    }

    /// The facts about the models needed by the camera.
    pub(super) fn camera_context(&self) -> CameraContext<'_> {
        CameraContext {
            fit: self.fit,
            front: self.assets().models[0].front,
            recording: self.assets().camera.as_ref(),
            placed: None,
        }
    }

    /// The camera in one frame, with its fit if it is fitted.
    pub(super) fn camera(&self, moment: FramePosition, fit: Fit) -> Camera {
        let placed = self.assets().model_camera.map(|own| self.placed_camera(own, moment));
        let context = CameraContext { fit, placed, ..self.camera_context() };
        self.scene().camera.camera_at(moment, &context)
    }

    /// The camera of a model's file in world space: it moves with its joint, and is not stretched.
    #[expect(clippy::cast_precision_loss, reason = "sides of pictures are far below 2^24")]
    fn placed_camera(&self, [index, camera]: [usize; 2], moment: FramePosition) -> Camera {
        let model = self.scene().instances[index].model;
        let model = &self.assets().models[model].model;
        let pose = self.edited_pose(index, moment);
        let own = model.parts.camera_in(camera, &model.skeleton, &pose);
        let (world_from_instance, turn) = self.stand(index, moment);
        let joint = pose.matrices[own.joint.index()];
        let world = world_from_instance * Affine3::from_mat3(turn) * joint;
        let axes = world.matrix3;
        let back = unit_or(axes.z_axis, Vec3::Z);
        let up = axes.y_axis - back * back.dot(axes.y_axis);
        let up = unit_or(up, any_perpendicular(back));
        let [width, height] = self.scene().output.size.map(|side| side as f32);
        let share = own.fit.height_share(width / height);
        let fov = match (own.fov_y_rad, own.height) {
            (Some(rad), _) if share == 1.0 => FovAxis::Vertical(rad),
            (Some(rad), _) => {
                FovAxis::Vertical(2.0 * func::atan2(func::tan(rad * 0.5) * share, 1.0))
            }
            (None, height) => {
                FovAxis::Parallel(height.unwrap_or(1.0) * share * axes.y_axis.length())
            }
        };
        Camera {
            eye: world.translation,
            world_from_view: Mat3::from_cols(up.cross(back), up, back),
            fov,
            near: own.near,
            far: own.far.unwrap_or(f32::INFINITY),
        }
    }

    /// The joints of the instance at an index in model space, with joints moved by the scene.
    fn edited_pose(&self, index: usize, frame: FramePosition) -> Pose {
        let instance = &self.scene().instances[index];
        let skeleton = &self.assets().models[instance.model].model.skeleton;
        let mut pose = if self.at_rest { bind_pose(skeleton) } else { self.pose(index, frame) };
        self.set_morphs(index, &mut pose, frame);
        if let Some(Given { joints, .. }) = self.given_of(index) {
            pose.matrices.iter_mut().zip(joints).for_each(|(own, given)| *own = *given);
        }
        let is_given = self.given_of(index).is_some_and(|given| !given.joints.is_empty());
        if instance.joints.is_empty() {
            if !(is_given || instance.layers.is_empty() && instance.fade.is_empty()) {
                constrain(skeleton, &mut pose, &[]);
            }
            return pose;
        }
        let change = |edit: &JointEdit| {
            let Placement { position, rotation, scale, .. } = &edit.placement;
            match edit.set {
                None => JointChange::Add(edit.placement.at(frame)),
                Some([moves, turns, scales]) => JointChange::Set {
                    translation: moves.then(|| position.vector_at(frame)),
                    rotation: turns.then(|| rotation.at(frame)),
                    scale: scales.then(|| scale.vector_at(frame)),
                },
            }
        };
        let joints = &self.assets().instances[index].joints;
        let changes = joints.iter().copied().zip(instance.joints.iter().map(change));
        edit_pose(skeleton, &mut pose, &changes.collect::<Vec<_>>());
        if !is_given {
            // Joints moved by hand follow no others.
            constrain(skeleton, &mut pose, joints);
        }
        pose
    }

    /// Sets the weights of expressions and morph targets set by the scene.
    #[expect(clippy::cast_possible_truncation, reason = "the nearest weight")]
    fn set_morphs(
        &self,
        index: usize,
        pose: &mut Pose,
        FramePosition { k, n, time_s }: FramePosition,
    ) {
        let instance = &self.scene().instances[index];
        let skeleton = &self.assets().models[instance.model].model.skeleton;
        let edits = self.assets().instances[index].morphs.iter().zip(&instance.morphs);
        let chosen = edits.map(|(choice, edit)| (choice, edit.weight.at(k, n, time_s) as f32));
        choose_morphs(skeleton, chosen, pose);
    }

    /// The transform of an instance to world space, and the rotation of its model before that.
    ///
    /// On a joint, the axes of the model's file are aligned with those of the joint, as engines
    /// attach models.
    fn stand(&self, index: usize, frame: FramePosition) -> (Affine3, Mat3) {
        let instance = &self.scene().instances[index];
        let given = self.given_of(index).and_then(|given| given.transform);
        let own = given.unwrap_or_else(|| instance.transform(frame));
        let loaded = &self.assets().models[instance.model];
        let Some(attachment) = &instance.attach else { return (own, loaded.upright) };
        let (owner, turn) = self.stand(attachment.to, frame);
        match self.assets().instances[index].attached_joint {
            None => (owner * own, loaded.upright),
            Some(joint) => {
                let joint = self.edited_pose(attachment.to, frame).matrices[joint];
                (owner * Affine3::from_mat3(turn) * joint * own, loaded.joint_from_model)
            }
        }
    }

    /// True if an instance is drawn; instances attached to a hidden one are hidden too.
    fn is_visible(&self, index: usize, time_s: f64) -> bool {
        let instance = &self.scene().instances[index];
        let owner = instance.attach.as_ref().map(|attachment| attachment.to);
        let is_visible = self.at_rest || instance.visible.at(time_s);
        is_visible && owner.is_none_or(|owner| self.is_visible(owner, time_s))
    }

    /// The joints of the instance at an index in model space, its transform to world space, and
    /// true if it is drawn: everything that its vertices depend on.
    fn stood(&self, index: usize, frame: FramePosition) -> (Pose, Affine3, bool) {
        let (world_from_instance, turn) = self.stand(index, frame);
        let world_from_model = world_from_instance * Affine3::from_mat3(turn);
        let is_visible = self.is_visible(index, frame.time_s);
        (self.edited_pose(index, frame), world_from_model, is_visible)
    }

    /// A key of the vertices of all instances: frames with the same key have the same vertices, to
    /// the bit.
    pub(super) fn pose_key(&self, frame: FramePosition) -> [u8; 16] {
        let instances = 0..self.scene().instances.len();
        let stood: Vec<_> = instances.map(|index| self.stood(index, frame)).collect();
        key_of(stood.iter().map(|(pose, world_from_model, is_visible)| {
            is_visible.then_some((pose, world_from_model))
        }))
    }

    /// Poses and skins the instance at an index; its pose is in model space, its meshes are in
    /// world space.
    pub(super) fn stage_instance(
        &self,
        index: usize,
        frame: FramePosition,
        level: Level,
        needs: Needs,
        mut meshes: Vec<PosedMesh>,
    ) -> StagedInstance {
        let instance = &self.scene().instances[index];
        let (loaded, chosen) =
            (&self.assets().models[instance.model], &self.assets().instances[index]);
        let (pose, world_from_model, is_visible) = self.stood(index, frame);
        let matrices = SkinMatrices::new(&pose.placed(&world_from_model));
        meshes.resize_with(loaded.model.meshes.len(), PosedMesh::default);
        let shapes = loaded.model.meshes.iter().zip(&chosen.mesh_materials).zip(&chosen.is_drawn);
        for (((mesh, &material), &is_drawn), posed) in shapes.zip(&mut meshes) {
            if !(is_visible && is_drawn && mesh.is_shown(&pose.morphs)) {
                posed.clear();
                continue;
            }
            let tangents = match needs {
                Needs::Everything => true,
                Needs::Picture => {
                    let material = &self.assets().materials[material];
                    material.needs_tangents()
                        || loaded.model.parts.may_need_tangents(&material.name)
                }
                Needs::Positions => false,
            };
            skin_mesh_into(mesh, &matrices, SkinOptions { tangents, level }, posed);
        }
        if let Some(Given { vertices, .. }) = self.given_of(index)
            && !vertices.is_empty()
        {
            place_vertices(&loaded.model.meshes, vertices, &world_from_model, &mut meshes);
        }
        let strays = &self.strays[instance.model];
        let triangles = settle(&loaded.model, strays, &pose, &mut meshes);
        let stated_box = match needs {
            Needs::Everything => self.stated_box(index, frame),
            Needs::Picture | Needs::Positions => None,
        };
        let mut staged =
            StagedInstance { pose, world_from_model, meshes, triangles, is_visible, stated_box };
        if staged.is_mirrored() {
            // As `Mesh::mirrored` has them.
            staged.triangles.iter_mut().flatten().flatten().for_each(|corners| corners.swap(1, 2));
        }
        staged
    }

    /// Poses and skins all instances of a frame.
    pub(super) fn stage(
        &self,
        frame: FrameNumber,
        level: Level,
        needs: Needs,
    ) -> Result<Staged, RenderError> {
        let moment = self.moment(frame)?;
        let count = self.scene().instances.len();
        let used = self.buffers.take(count);
        let instances = (0..count).into_par_iter().zip(used);
        let instances: Vec<StagedInstance> = instances
            .map(|(index, used)| self.stage_instance(index, moment, level, needs, used))
            .collect();
        let camera = self.camera(moment, self.fit);
        let lights = self.lights(&camera, moment);
        let surfaces = self.surfaces(&instances, &camera, moment);
        let has_vertices =
            |index: usize| self.given_of(index).is_some_and(|one| !one.vertices.is_empty());
        let stood = instances
            .iter()
            .map(|one| one.is_visible.then_some((&one.pose, &one.world_from_model)));
        let content = (!(0..count).any(has_vertices)).then(|| key_of(stood));
        Ok(Staged { instances, camera, lights, frame, fit: self.known_fit(), surfaces, content })
    }

    /// Materials and outlines specific to a frame, if there are any.
    pub(super) fn surfaces(
        &self,
        instances: &[StagedInstance],
        camera: &Camera,
        moment: FramePosition,
    ) -> Option<FrameSurfaces> {
        FrameSurfaces::of((self.scene(), self.assets()), instances, camera, moment)
    }

    /// The lights of the scene, or the default lights for a camera, followed by the lights in files
    /// of models.
    pub(super) fn lights(&self, camera: &Camera, moment: FramePosition) -> Vec<Light> {
        let mut lights = match &self.scene().lights {
            Lights::Given(lights) => lights.clone(),
            Lights::Studio => default_lights::lights_for(camera),
            Lights::Key => default_lights::key_for(camera),
        };
        let own = self.assets().model_lights.iter();
        lights.extend(own.map(|&own| self.placed_light(own, moment)));
        lights
    }

    /// The fit of the camera. None if it is not fitted.
    pub(super) fn known_fit(&self) -> Option<Fit> {
        self.scene().camera.needs_fit().then_some(self.fit)
    }

    /// The shadows of all lights, in the order of [`Self::lights`].
    pub(super) fn shadows(&self) -> Vec<CastShadow> {
        let own = self.assets().model_lights.iter();
        self.scene().shadows.iter().copied().chain(own.filter_map(|own| own.shadow)).collect()
    }

    /// The light of a model's file in world space; black if its instance is hidden, so that others
    /// keep their index.
    ///
    /// It moves with its joint. Distances are those of the file, times the scale of the instance;
    /// scales of joints are ignored.
    fn placed_light(&self, own: LoadedLight, moment: FramePosition) -> Light {
        if !self.is_visible(own.instance, moment.time_s) {
            return Light::Directional { to_light: Vec3::Y, color: LinearRgb::BLACK };
        }
        let model = self.scene().instances[own.instance].model;
        let model = &self.assets().models[model].model;
        let pose = self.edited_pose(own.instance, moment);
        let light = model.parts.light_in(own.light, &model.skeleton, &pose);
        let (world_from_instance, turn) = self.stand(own.instance, moment);
        let joint = pose.matrices[light.joint.index()];
        let world = world_from_instance * Affine3::from_mat3(turn) * joint;
        let scale = world_from_instance.matrix3.y_axis.length();
        model_light::placed(&light, &world, scale, own.intensity)
    }

    /// Poses the chosen instances of a frame and skins their positions, on this thread;
    /// [`Self::recycle_instances`] takes them back.
    pub(super) fn stage_chosen(
        &self,
        frame: FramePosition,
        chosen: impl Fn(&Instance) -> bool,
    ) -> Vec<StagedInstance> {
        let instances = self.scene().instances.iter().enumerate();
        let chosen: Vec<usize> =
            instances.filter(|(_, one)| chosen(one)).map(|(index, _)| index).collect();
        let buffers = self.buffers.take(chosen.len());
        let stage = |(index, used): (usize, Vec<PosedMesh>)| {
            self.stage_instance(index, frame, Level::best(), Needs::Positions, used)
        };
        chosen.into_iter().zip(buffers).map(stage).collect()
    }

    /// True if anything in the scene depends on its models at rest.
    pub(super) fn needs_rest(&self) -> bool {
        let Scene { ground, output, .. } = self.scene();
        ground.is_some() || output.occlusion > 0.0 || !self.shadows().is_empty()
    }

    /// As [`Self::stage_chosen`] at second 0, with the bind pose instead of clips, hidden instances
    /// included.
    pub(super) fn stage_at_rest(&self, chosen: impl Fn(&Instance) -> bool) -> Vec<StagedInstance> {
        let resting = Self { at_rest: true, ..self.clone() };
        resting.stage_chosen(FramePosition { k: 0, n: 1, time_s: 0.0 }, chosen)
    }

    /// Keeps the memory of staged instances for a later frame.
    pub(super) fn recycle_instances(&self, instances: Vec<StagedInstance>) {
        self.buffers.put(instances.into_iter().map(|instance| instance.meshes).collect());
    }

    /// Keeps the memory of a staged frame for a later one.
    pub(super) fn recycle(&self, staged: Staged) {
        self.recycle_instances(staged.instances);
    }
}

/// A key of instances in their poses and world transforms. None for hidden ones.
fn key_of<'p>(stood: impl Iterator<Item = Option<(&'p Pose, &'p Affine3)>>) -> [u8; 16] {
    let mut bytes = Vec::new();
    for instance in stood {
        bytes.push(u8::from(instance.is_some()));
        let Some((pose, world_from_model)) = instance else { continue };
        let Pose { matrices, morphs, .. } = pose.placed(world_from_model);
        let numbers = matrices.iter().flat_map(Affine3::to_cols_array);
        for number in numbers.chain(morphs) {
            bytes.extend(number.to_bits().to_le_bytes());
        }
    }
    let digest = blake3::hash(&bytes);
    core::array::from_fn(|k| digest.as_bytes()[k])
}
