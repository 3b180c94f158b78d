//! Converts models to joints: transforms with pivots, the three ways to inherit scale, and the
//! file's axes and unit.
//!
//! A model is one joint. If models below it do not inherit its scale as a matrix would, the scale
//! is on a second joint: models that ignore it are children of the first one, everything else of
//! the second.

use crate::LimitExceeded;
use crate::fbx::document::{Document, Target};
use crate::fbx::motion::{Blend, Drives, Stack, stated_by_channel};
use crate::fbx::rotation::{XYZ, quat_of};
use crate::names::Names;
use crate::stated::decide_unit;
use crate::{FilePlace, ModelFormatError};
use tintype_model::math::{Affine3, DAffine3, DMat3, DQuat, DVec3, Quat, Vec3};
use tintype_model::{FileRepair, Joint, JointIndex, LocalTransform, Skeleton, Warning};

/// Properties of a transform.
const PLACE: [&str; 9] = [
    "Lcl Translation",
    "Lcl Rotation",
    "Lcl Scaling",
    "RotationOffset",
    "RotationPivot",
    PRE,
    POST,
    "ScalingOffset",
    "ScalingPivot",
];
const PRE: &str = "PreRotation";
const POST: &str = "PostRotation";
const TRANSLATION: usize = 0;
const ROTATION: usize = 1;
const SCALING: usize = 2;

/// Metres of the unit of a file, a centimetre.
const UNIT_M: f64 = 0.01;
/// The mirror between left- and right-handed axes.
const MIRROR: DVec3 = DVec3::new(-1.0, 1.0, 1.0);
/// Scales that differ from 1 by less than this are 1.
const SAME_SCALE: f64 = 1.0e-6;

/// Ways for a model to inherit the scale of its parent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Inherit {
    /// As a matrix: `RSrs`.
    Matrix,
    /// Component by component along its axes: `RrSs`.
    Components,
    /// Ignores the parent's scale: `Rrs`.
    Ignored,
}

/// A transform on a parent, in parts.
#[derive(Clone, Copy, Debug)]
pub(super) struct Parts {
    pub(super) translation: DVec3,
    pub(super) rotation: DQuat,
    pub(super) scale: DVec3,
}

/// A model of the scene.
pub(super) struct Node {
    pub(super) object: usize,
    parent: Option<usize>,
    inherit: Inherit,
    order: i64,
    /// `RotationActive`: its rotation order, pre- and post-rotation take effect.
    is_active: bool,
    rest: [DVec3; 9],
    /// The transform of its geometry alone.
    pub(super) geometry: DAffine3,
    /// Its joint, and the joint of its scale.
    pub(super) joint: JointIndex,
    scaled: Option<JointIndex>,
    /// True if its scale, including inherited scale, may differ from 1.
    is_scaled: bool,
}

impl Node {
    /// The joint of its meshes and vertices.
    pub(super) fn carrier(&self) -> JointIndex {
        self.scaled.unwrap_or(self.joint)
    }
}

/// The models of the scene.
pub(super) struct Nodes {
    pub(super) list: Vec<Node>,
    pub(super) skeleton: Skeleton,
    /// By object.
    by_object: Vec<Option<usize>>,
    pub(super) frame: Frame,
    /// Cameras and lights: their objects, and the joints whose -Z they point along.
    pub(super) views: Vec<(usize, JointIndex)>,
}

/// Conversion of the file's axes and unit to ours, in metres.
///
/// A left-handed file is mirrored along x, then rotated. The mirroring is part of the transforms of
/// vertices into their joints, and all joints are mirrored themselves, so it is not in the scale of
/// any joint, which child joints may ignore.
#[derive(Clone, Copy)]
pub(super) struct Frame {
    axes: DMat3,
    is_mirrored: bool,
    /// Rotation from the file's axes, which may be mirrored before, to ours.
    turn: DQuat,
    pub(super) metres: f64,
}

impl Frame {
    fn of(document: &Document, warnings: &mut Vec<Warning>) -> Self {
        let axis = |name: &str, usual: f64| {
            let axis = document.setting(&format!("{name}Axis")).unwrap_or(usual);
            let sign = document.setting(&format!("{name}AxisSign")).unwrap_or(1.0);
            let sign = if sign < 0.0 { -1.0 } else { 1.0 };
            [DVec3::X, DVec3::Y, DVec3::Z]
                .into_iter()
                .zip([0.0, 1.0, 2.0])
                .find(|(_, number)| *number == axis)
                .map_or(DVec3::ZERO, |(axis, _)| axis * sign)
        };
        let rows = DMat3::from_cols(axis("Coord", 0.0), axis("Up", 1.0), axis("Front", 2.0));
        let mut axes = rows.transpose();
        if axes.determinant() == 0.0 {
            let message = "the settings do not name three axes; +Y up is assumed";
            warnings.push(FileRepair::MissingValue.told(message));
            axes = DMat3::IDENTITY;
        }
        let unit = document.setting("UnitScaleFactor");
        let sound = unit.filter(|unit| *unit > 0.0 && unit.is_finite());
        if let (Some(unit), None) = (unit, sound) {
            let message = format!("the unit is {unit} cm; 1 cm is assumed");
            warnings.push(FileRepair::OutOfRange.told(message));
        }
        let metres = decide_unit(None, sound.map(|unit| UNIT_M * unit), UNIT_M);
        let is_mirrored = axes.determinant() < 0.0;
        let mirror = if is_mirrored { DMat3::from_diagonal(MIRROR) } else { DMat3::IDENTITY };
        let turn = DQuat::from_mat3(&(axes * mirror));
        Self { axes, is_mirrored, turn, metres: metres.value }
    }

    /// Converts the transform of vertices into a joint from the units and axes of the file.
    pub(super) fn offset(&self, way: DAffine3) -> Affine3 {
        let mirror = if self.is_mirrored { MIRROR } else { DVec3::ONE };
        affine(DAffine3::from_scale(mirror) * way, self.metres)
    }

    /// A transform from a model to the scene of the file, in metres and in our axes.
    pub(super) fn world(&self, way: DAffine3) -> Affine3 {
        let mirror = DAffine3::from_scale(if self.is_mirrored { MIRROR } else { DVec3::ONE });
        affine(DAffine3::from_quat(self.turn) * mirror * way * mirror, self.metres)
    }

    /// True if the axes of the file are ours.
    pub(super) fn is_plain(&self) -> bool {
        self.axes == DMat3::IDENTITY
    }

    /// A transform of the file, of a root of its scene or on a parent, in metres and in our axes.
    fn placed(&self, mut parts: Parts, is_root: bool) -> Parts {
        parts.translation *= self.metres;
        if self.is_mirrored {
            parts.translation *= MIRROR;
            // Mirroring along x reverses rotations about y and z.
            let DQuat { x, y, z, w } = parts.rotation;
            parts.rotation = DQuat::from_xyzw(x, -y, -z, w);
        }
        if is_root {
            parts.translation = self.turn * parts.translation;
            parts.rotation = self.turn * parts.rotation;
        }
        parts
    }
}

/// The transform of the values of [`PLACE`].
fn parts_of(values: &[DVec3; 9], order: i64) -> Parts {
    let [translation, rotation, scale, offset, pivot, before, after, scale_offset, scale_pivot] =
        *values;
    let rotation =
        quat_of(before, XYZ) * quat_of(rotation, order) * quat_of(after, XYZ).conjugate();
    let inner = scale_offset + scale_pivot - scale * scale_pivot - pivot;
    Parts { translation: translation + offset + pivot + rotation * inner, rotation, scale }
}

/// Joints under construction, with their transforms on their parents.
#[derive(Default)]
struct JointList {
    joints: Vec<Joint>,
    rests: Vec<LocalTransform>,
    /// Number of models, for the message of the limit.
    models: usize,
}

impl JointList {
    fn add(
        &mut self,
        name: String,
        parent: Option<JointIndex>,
        parts: Parts,
    ) -> Result<JointIndex, ModelFormatError> {
        let rest = local_of(parts);
        let matrix = rest.matrix();
        let above = parent.and_then(|parent| self.joints.get(parent.index()));
        let model_from_joint = above.map_or(matrix, |above| above.model_from_joint * matrix);
        let index = u16::try_from(self.joints.len()).map_err(|_| {
            let (what, limit) = ("models of the scene", Skeleton::MAX_JOINTS);
            let (at, found) = (FilePlace::Line(1), self.models);
            LimitExceeded::new(at, what, found, (limit, None))
        })?;
        self.joints.push(Joint { name, parent, model_from_joint });
        self.rests.push(rest);
        Ok(JointIndex(index))
    }

    fn into_skeleton(self) -> Result<Skeleton, ModelFormatError> {
        let matrices = self.rests.iter().map(LocalTransform::matrix).collect();
        Skeleton::try_with_parts(self.joints, matrices, self.rests).map_err(|error| {
            let what = "the transforms of the models";
            ModelFormatError::value(FilePlace::Line(1), what, error, "finite transforms")
        })
    }
}

impl Nodes {
    /// Builds the joints of the models of a file.
    ///
    /// # Errors
    /// [`ModelFormatError::Value`] for a model below itself, and for transforms that are not
    /// finite; [`ModelFormatError::Limit`] for too many.
    pub(super) fn new(
        document: &Document,
        stacks: &[Stack],
        warnings: &mut Vec<Warning>,
    ) -> Result<Self, ModelFormatError> {
        let frame = Frame::of(document, warnings);
        let order = hierarchy(document)?;
        let mut by_object = vec![None; document.objects.len()];
        let mut list: Vec<Node> = Vec::new();
        for (object, parent) in order {
            let parent = parent.and_then(|parent| by_object.get(parent).copied().flatten());
            if let Some(slot) = by_object.get_mut(object) {
                *slot = Some(list.len());
            }
            list.push(node(document, stacks, object, parent));
        }
        let (skeleton, views) = (Skeleton::default(), Vec::new());
        let mut nodes = Self { list, skeleton, by_object, frame, views };
        nodes.mark_scaled(stacks);
        nodes.skeleton = nodes.build(document)?;
        Ok(nodes)
    }

    /// The model of an object.
    pub(super) fn of(&self, object: usize) -> Option<&Node> {
        self.list.get(self.by_object.get(object).copied().flatten()?)
    }

    /// The name of the joint of a model.
    pub(super) fn name(&self, node: &Node) -> String {
        self.joint_name(node.joint)
    }

    pub(super) fn joint_name(&self, joint: JointIndex) -> String {
        self.skeleton.joints().get(joint.index()).map(|own| own.name.clone()).unwrap_or_default()
    }

    /// The model above a model.
    pub(super) fn parent(&self, node: &Node) -> Option<&Node> {
        self.list.get(node.parent?)
    }

    /// The model that a model inherits scale from.
    fn giver(&self, node: &Node) -> Option<&Node> {
        let mut node = node;
        loop {
            let parent = self.list.get(node.parent?)?;
            match node.inherit {
                Inherit::Matrix => return None,
                Inherit::Components => return Some(parent),
                Inherit::Ignored => node = parent,
            }
        }
    }

    fn mark_scaled(&mut self, stacks: &[Stack]) {
        for index in 0..self.list.len() {
            let Some(node) = self.list.get(index) else { continue };
            let is_one = (node.rest[SCALING] - DVec3::ONE).length() < SAME_SCALE;
            let property = PLACE[SCALING];
            let moves = stacks.iter().any(|stack| !stack.drives(node.object, property).is_one());
            let is_scaled =
                !is_one || moves || self.giver(node).is_some_and(|giver| giver.is_scaled);
            if let Some(node) = self.list.get_mut(index) {
                node.is_scaled = is_scaled;
            }
        }
    }

    fn build(&mut self, document: &Document) -> Result<Skeleton, ModelFormatError> {
        let mut names = Names::default();
        let given: Vec<String> = (self.list.iter().enumerate())
            .map(|(index, node)| {
                let name = document.objects.get(node.object).map(|object| object.name.as_str());
                names.unique(name, "node", index)
            })
            .collect();
        let needs_scale = self.scale_joints();
        let mut joints = JointList { models: self.list.len(), ..JointList::default() };
        let mut placed: Vec<(JointIndex, Option<JointIndex>)> = Vec::new();
        let mut views = Vec::new();
        for (index, node) in self.list.iter().enumerate() {
            let (mut parts, scale) = self.rest_parts(node);
            let parent = node.parent.and_then(|parent| {
                let &(joint, scaled) = placed.get(parent)?;
                Some(match node.inherit {
                    Inherit::Matrix => scaled.unwrap_or(joint),
                    _ => joint,
                })
            });
            let name = given.get(index).cloned().unwrap_or_default();
            let mut scaled = None;
            if needs_scale.get(index) == Some(&true) {
                parts.scale = DVec3::ONE;
                let joint = joints.add(name.clone(), parent, parts)?;
                let own = Parts { translation: DVec3::ZERO, rotation: DQuat::IDENTITY, scale };
                let name = names.unique(Some(&format!("{name} scale")), "node", index);
                scaled = Some(joints.add(name, Some(joint), own)?);
                placed.push((joint, scaled));
            } else {
                placed.push((joints.add(name.clone(), parent, parts)?, scaled));
            }
            let joint = placed.last().map(|&(joint, _)| joint);
            for (object, rotation) in self.views_of(document, node.object) {
                let (translation, scale) = (DVec3::ZERO, DVec3::ONE);
                let name = names.unique(Some(&format!("{name} view")), "node", index);
                let own = Parts { translation, rotation, scale };
                views.push((object, joints.add(name, joint, own)?));
            }
        }
        if self.list.is_empty() {
            let (translation, rotation) = (DVec3::ZERO, DQuat::IDENTITY);
            let parts = Parts { translation, rotation, scale: DVec3::ONE };
            joints.add("root".to_owned(), None, parts)?;
        }
        for (node, (joint, scaled)) in self.list.iter_mut().zip(placed) {
            (node.joint, node.scaled) = (joint, scaled);
        }
        self.views = views;
        joints.into_skeleton()
    }

    /// For each model, true if it has a second joint for its scale, which its children need alone.
    fn scale_joints(&self) -> Vec<bool> {
        let mut needs_scale = vec![false; self.list.len()];
        for node in self.list.iter().filter(|node| node.inherit != Inherit::Matrix) {
            let parent = node.parent.and_then(|parent| Some((parent, self.list.get(parent)?)));
            if let Some((parent, above)) = parent
                && let Some(slot) = needs_scale.get_mut(parent)
            {
                *slot = above.is_scaled;
            }
        }
        needs_scale
    }

    /// The cameras and lights of a model, each with the rotation of its direction to -Z: a camera
    /// looks along x, a light shines along -y.
    fn views_of(&self, document: &Document, model: usize) -> Vec<(usize, DQuat)> {
        let side = if self.frame.is_mirrored { 1.0 } else { -1.0 };
        // Before 7000 the model states them itself.
        let own = (document.version < 7000).then_some(model);
        let all = document.parts(model, "NodeAttribute").chain(own);
        let turn = |object: usize| match document.objects.get(object)?.class.as_ref() {
            "Camera" => Some((object, DQuat::from_rotation_y(side * core::f64::consts::FRAC_PI_2))),
            "Light" => Some((object, DQuat::from_rotation_x(-core::f64::consts::FRAC_PI_2))),
            _ => None,
        };
        all.filter_map(turn).collect()
    }

    /// Joints of scales and of views, which are not models of the file.
    pub(super) fn made(&self) -> Vec<JointIndex> {
        let scales = self.list.iter().filter_map(|node| node.scaled);
        scales.chain(self.views.iter().map(|(_, joint)| *joint)).collect()
    }

    /// Joints without meaning for a figure, whatever their names: cameras, lights, and nodes that
    /// are neither a bone, below one, nor a mesh.
    pub(super) fn helpers(&self, document: &Document) -> Vec<JointIndex> {
        let mut of_figure: Vec<bool> = Vec::new();
        for node in &self.list {
            let class = |object: usize| document.objects.get(object).map(|own| own.class.as_ref());
            let is = |kind: &str, words: &[&str]| {
                let attributes = document.parts(node.object, kind);
                let mut all = attributes.chain([node.object]).filter_map(class);
                all.any(|own| words.contains(&own))
            };
            let is_view =
                is("NodeAttribute", &["Camera", "Light", "CameraSwitcher", "CameraStereo"]);
            let is_bone = is("NodeAttribute", &["LimbNode", "Limb", "Root", "Skeleton", "Effector"])
                || document.targets(node.object).any(|(target, _)| {
                    matches!(target, Target::Object(object) if class(object) == Some("Cluster"))
                });
            let is_below = node.parent.is_some_and(|parent| of_figure.get(parent) == Some(&true));
            let is_below = is_below && !is("Geometry", &["Mesh"]);
            of_figure.push(!is_view && (is_bone || is_below));
        }
        let bones = self.list.iter().zip(&of_figure);
        let is_mesh = |node: &Node| {
            let own = document.objects.get(node.object).is_some_and(|own| own.class == "Mesh");
            own || document.parts(node.object, "Geometry").next().is_some()
        };
        let helpers = bones.filter(|(node, of_figure)| !**of_figure && !is_mesh(node));
        let joints = helpers.flat_map(|(node, _)| [Some(node.joint), node.scaled]);
        joints.flatten().chain(self.views.iter().map(|(_, joint)| *joint)).collect()
    }

    /// The rest transform of a model, in the form of [`Mover::parts`] at a time.
    pub(super) fn rest_parts(&self, node: &Node) -> (Parts, DVec3) {
        self.parts(node, &|node, property| node.rest[property])
    }

    /// Scale of a model including inherited scale, from the scales that `value` returns.
    fn scale(&self, node: &Node, value: &dyn Fn(&Node, usize) -> DVec3) -> DVec3 {
        let mut product = DVec3::ONE;
        let mut next = Some(node).filter(|node| node.is_scaled);
        while let Some(node) = next {
            product *= value(node, SCALING);
            next = self.giver(node).filter(|giver| giver.is_scaled);
        }
        product
    }

    /// The transform of a model relative to its parent's joint, and the scale of its second joint,
    /// which that transform includes.
    fn parts(&self, node: &Node, value: &dyn Fn(&Node, usize) -> DVec3) -> (Parts, DVec3) {
        let values = core::array::from_fn(|property| value(node, property));
        let mut parts = parts_of(&values, node.order);
        let parent = node.parent.and_then(|parent| self.list.get(parent));
        if let (Some(parent), true) = (parent, node.inherit != Inherit::Matrix) {
            parts.translation *= self.scale(parent, value);
            parts.scale = self.scale(node, value);
        }
        let parts = self.frame.placed(parts, node.parent.is_none());
        (parts, parts.scale)
    }

    /// A model as a stack moves it.
    pub(super) fn mover<'n>(&'n self, node: &'n Node, stack: &'n Stack) -> Mover<'n> {
        let counts = |property: &str| node.is_active || !matches!(property, PRE | POST);
        let drives = PLACE.map(|property| {
            if counts(property) { stack.drives(node.object, property) } else { Drives::default() }
        });
        let mut scales = Vec::new();
        let parent = node.parent.and_then(|parent| self.list.get(parent));
        if node.inherit != Inherit::Matrix {
            for mut one in parent.into_iter().chain([node]) {
                while one.is_scaled {
                    scales.push((one.object, stack.drives(one.object, PLACE[SCALING])));
                    let Some(giver) = self.giver(one) else { break };
                    one = giver;
                }
            }
        }
        Mover { nodes: self, node, drives, scales }
    }

    /// The joint of the scale of a model: its name.
    pub(super) fn scale_name(&self, node: &Node) -> Option<String> {
        node.scaled.map(|joint| self.joint_name(joint))
    }
}

/// A model that a stack moves.
pub(super) struct Mover<'n> {
    nodes: &'n Nodes,
    node: &'n Node,
    drives: [Drives<'n>; 9],
    /// Scales of the models that it inherits scale from.
    scales: Vec<(usize, Drives<'n>)>,
}

impl Mover<'_> {
    /// True if anything animates it.
    pub(super) fn is_moved(&self) -> bool {
        self.drives().any(|drives| !drives.is_empty())
    }

    /// True for each of translation, rotation and scale that is driven separately.
    pub(super) fn driven(&self) -> [bool; 3] {
        [TRANSLATION, ROTATION, SCALING].map(|property| !self.drives[property].is_empty())
    }

    pub(super) fn drives(&self) -> impl Iterator<Item = &Drives<'_>> {
        self.drives.iter().chain(self.scales.iter().map(|(_, drives)| drives))
    }

    /// Its transform at a time, and the scale of its second joint if it has one.
    pub(super) fn parts(&self, time_s: f64) -> (Parts, DVec3) {
        let value = |node: &Node, property: usize| {
            let rest = node.rest[property];
            let drives = if node.object == self.node.object {
                self.drives.get(property)
            } else {
                self.scale_drives(node.object)
            };
            let blend = match property {
                ROTATION => Blend::Rotation(node.order),
                SCALING => Blend::Scale,
                _ => Blend::Plain,
            };
            drives.map_or(rest, |drives| drives.value(blend, rest, time_s))
        };
        let (mut parts, scale) = self.nodes.parts(self.node, &value);
        if self.node.scaled.is_some() {
            parts.scale = DVec3::ONE;
        }
        (parts, scale)
    }

    fn scale_drives(&self, object: usize) -> Option<&Drives<'_>> {
        self.scales.iter().find(|(own, _)| *own == object).map(|(_, drives)| drives)
    }
}

fn node(document: &Document, stacks: &[Stack], object: usize, parent: Option<usize>) -> Node {
    let usual = |property: &str| if property == "Lcl Scaling" { DVec3::ONE } else { DVec3::ZERO };
    let mut rest = PLACE.map(|property| {
        let given = document.vector(object, property);
        let given = given.or_else(|| stated_by_channel(document, stacks, object, property));
        given.unwrap_or_else(|| usual(property))
    });
    let is_active = document.int(object, "RotationActive").unwrap_or(1) != 0;
    let is_limit = document.int(object, "RotationSpaceForLimitOnly").unwrap_or(0) != 0;
    let mut order = document.int(object, "RotationOrder").unwrap_or(XYZ);
    let is_active = is_active && !is_limit;
    if !is_active {
        // Order, pre- and post-rotation only count if the rotation is active.
        order = XYZ;
        rest[5] = DVec3::ZERO;
        rest[6] = DVec3::ZERO;
    }
    let geometric = |name: &str| document.vector(object, name);
    let geometry = DAffine3::from_scale_rotation_translation(
        geometric("GeometricScaling").unwrap_or(DVec3::ONE),
        quat_of(geometric("GeometricRotation").unwrap_or(DVec3::ZERO), XYZ),
        geometric("GeometricTranslation").unwrap_or(DVec3::ZERO),
    );
    let inherit = match document.int(object, "InheritType") {
        Some(0) if parent.is_some() => Inherit::Components,
        Some(2) if parent.is_some() => Inherit::Ignored,
        _ => Inherit::Matrix,
    };
    Node {
        object,
        parent,
        inherit,
        order,
        is_active,
        rest,
        geometry,
        joint: JointIndex(0),
        scaled: None,
        is_scaled: false,
    }
}

/// Models, parents before children, with the objects of their parents.
fn hierarchy(document: &Document) -> Result<Vec<(usize, Option<usize>)>, ModelFormatError> {
    let is_model =
        |object: usize| document.objects.get(object).map(|own| own.kind) == Some("Model");
    let parent_of = |object: usize| {
        let mut targets = document.targets(object).filter(|(_, property)| property.is_empty());
        targets.find_map(|(target, _)| match target {
            Target::Object(parent) => is_model(parent).then_some(Some(parent)),
            Target::Root => Some(None),
        })
    };
    let models: Vec<usize> = (0..document.objects.len()).filter(|&one| is_model(one)).collect();
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); document.objects.len()];
    let mut open = Vec::new();
    for &model in &models {
        match parent_of(model).flatten() {
            Some(parent) => {
                if let Some(list) = children.get_mut(parent) {
                    list.push(model);
                }
            }
            None => open.push((model, None)),
        }
    }
    open.reverse();
    let mut order = Vec::new();
    while let Some((model, parent)) = open.pop() {
        order.push((model, parent));
        let below = children.get(model).map_or(&[][..], Vec::as_slice);
        open.extend(below.iter().rev().map(|&child| (child, Some(model))));
    }
    if order.len() < models.len() {
        // Nodes not reachable from a root are in a cycle.
        let mut reached = vec![false; document.objects.len()];
        for (model, _) in &order {
            if let Some(slot) = reached.get_mut(*model) {
                *slot = true;
            }
        }
        let lost = models.iter().find(|&&model| reached.get(model) == Some(&false));
        let lost = lost.and_then(|&model| document.objects.get(model));
        let at = lost.map_or(FilePlace::Line(1), |object| object.node.at);
        let found = format!("{:?} below itself", lost.map_or("", |object| object.name.as_str()));
        return Err(ModelFormatError::value(at, "the hierarchy", found, "no cycle of models"));
    }
    Ok(order)
}

/// A transform in numbers of the model.
pub(super) fn local_of(parts: Parts) -> LocalTransform {
    let Parts { translation, rotation, scale } = parts;
    LocalTransform { scale: vec3(scale), rotation: quat(rotation), translation: vec3(translation) }
}

pub(super) fn vec3(value: DVec3) -> Vec3 {
    value.as_vec3()
}

pub(super) fn quat(value: DQuat) -> Quat {
    value.as_quat().normalize()
}

/// Converts the lengths of a transform to metres.
pub(super) fn affine(value: DAffine3, metres: f64) -> Affine3 {
    let matrix = value.matrix3.as_mat3();
    Affine3 { matrix3: matrix, translation: vec3(value.translation * metres) }
}
