//! Joints of VRM: the bones of its human, constraints, and springs of hair and cloth with their
//! colliders.
//!
//! # Source
//! VRM Consortium, `VRMC_vrm-1.0`, `VRMC_node_constraint-1.0`, `VRMC_springBone-1.0`,
//! `VRMC_springBone_extended_collider-1.0`, `VRMC_vrm_animation-1.0`, and "VRM 0.x" (`humanoid`,
//! `secondaryAnimation`).

use super::node::{Nodes, to_f32};
use crate::gltf::document::Document;
use crate::gltf::faults::RepairLog;
use serde_json::Value;
use std::collections::BTreeSet;
use std::sync::Arc;
use tintype_model::math::{Vec3, clamp, max, unit_or};
use tintype_model::{
    Collider, ColliderShape, Constraint, ConstraintKind, FileRepair, JointIndex, Rig, Skeleton,
    Spring,
};

/// The extension of files of clips for any human.
pub(super) const MOTION: &str = "VRMC_vrm_animation";
/// Maximum number of springs, and of constraints, read from a file.
const MAX_JOINTS: usize = 4096;
/// Maximum number of spring joints in a file, because each step moves all of them.
const MAX_SWUNG: usize = 16_384;
/// Maximum number of constraints times joints in a file: each constraint moves all its descendants.
const MAX_TURNS: usize = 1 << 20;
/// Maximum number of colliders, counted once for each spring that uses them.
const MAX_HITS: usize = 65_536;
/// Length of the tail of a spring without a joint at its end, in version 0.x.
const LAST_TAIL: f32 = 0.07;
/// The default gravity of springs.
const DOWN: [f32; 3] = [0.0, -1.0, 0.0];

/// Reads the rig data of a document. Parts that cannot be read are skipped.
pub(super) fn read_rig(document: &Document, nodes: &Nodes, faults: &RepairLog) -> Rig {
    let mut reader = Reader { document, nodes, faults, rig: Rig::default(), hits: 0 };
    reader.read_human();
    reader.read_constraints();
    if nodes.skeleton.len() > MAX_SWUNG {
        let message = format!("nodes: more than {MAX_SWUNG}, so no springs swing");
        if ["VRMC_springBone", "VRM"].iter().any(|name| document.extensions.contains_key(*name)) {
            faults.tell(FileRepair::OutOfRange, message);
        }
        return reader.rig;
    }
    match document.extensions.get("VRMC_springBone") {
        Some(springs) => reader.read_springs(springs),
        None => {
            if let Some(old) = document.extensions.get("VRM") {
                reader.read_old_springs(&old["secondaryAnimation"]);
            }
        }
    }
    reader.order_springs();
    reader.rig
}

struct Reader<'r> {
    document: &'r Document,
    nodes: &'r Nodes,
    faults: &'r RepairLog,
    rig: Rig,
    /// Colliders of all springs so far.
    hits: usize,
}

/// The elements of a list; empty if the value is not a list.
fn list(value: &Value) -> impl Iterator<Item = (usize, &Value)> {
    value.as_array().into_iter().flatten().enumerate()
}

impl<'r> Reader<'r> {
    /// The joint of a node, by its index; a missing node is reported.
    fn joint(&self, value: &Value, path: &str) -> Option<usize> {
        let node = value.as_u64().and_then(|node| usize::try_from(node).ok());
        let joint = node.and_then(|node| self.nodes.joint(node)).map(JointIndex::index);
        if joint.is_none() {
            let message = format!("{path}: {value} is not a node of the scene; skipped");
            self.faults.tell(FileRepair::BadReference, message);
        }
        joint
    }

    /// A number of an object, or its default; a value that is not a finite number is reported.
    fn number(&self, of: &Value, key: &str, usual: f32, path: &str) -> f32 {
        let value = &of[key];
        let found = value.as_f64().map(to_f32).filter(|number| number.is_finite());
        if found.is_none() && !value.is_null() {
            let message = format!("{path}.{key}: {value} is not a number; {usual} is used");
            self.faults.tell(FileRepair::WrongType, message);
        }
        found.unwrap_or(usual)
    }

    /// A vector of an object, as a list or by its axes, or the default.
    fn vector(&self, of: &Value, key: &str, usual: [f32; 3], path: &str) -> Vec3 {
        let value = &of[key];
        let part = |index: usize, axis: &str| {
            let part = if value.is_object() { &value[axis] } else { &value[index] };
            part.as_f64().map(to_f32).filter(|number| number.is_finite())
        };
        let found = match [part(0, "x"), part(1, "y"), part(2, "z")] {
            [Some(x), Some(y), Some(z)] => Some([x, y, z]),
            _ => None,
        };
        if found.is_none() && !value.is_null() {
            let message = format!("{path}.{key}: {value} is not a vector; {usual:?} is used");
            self.faults.tell(FileRepair::WrongType, message);
        }
        Vec3::from_array(found.unwrap_or(usual))
    }

    fn read_human(&mut self) {
        let extension = |name: &str| self.document.extensions.get(name);
        self.rig.faces_back = extension("VRM").is_some();
        self.rig.is_motion = extension(MOTION).is_some();
        let mut bones = Vec::new();
        for name in ["VRMC_vrm", MOTION] {
            let human = extension(name).map(|own| &own["humanoid"]["humanBones"]);
            for (bone, one) in human.and_then(Value::as_object).into_iter().flatten() {
                let path = format!("extensions.{name}.humanoid.humanBones.{bone}.node");
                bones.extend(self.joint(&one["node"], &path).map(|joint| (bone.clone(), joint)));
            }
        }
        let old = extension("VRM").map(|own| &own["humanoid"]["humanBones"]);
        for (place, one) in old.into_iter().flat_map(list) {
            let Some(bone) = one["bone"].as_str() else { continue };
            let path = format!("extensions.VRM.humanoid.humanBones[{place}].node");
            // Version 1.0 names the bones of thumbs as in anatomy.
            let bone = bone.replace("ThumbProximal", "ThumbMetacarpal");
            let bone = bone.replace("ThumbIntermediate", "ThumbProximal");
            bones.extend(self.joint(&one["node"], &path).map(|joint| (bone, joint)));
        }
        self.rig.human = bones;
    }

    fn read_constraints(&mut self) {
        let most = MAX_JOINTS.min(MAX_TURNS / self.nodes.skeleton.len().max(1));
        for &node in &self.nodes.nodes {
            let own = self.document.nodes.get(node);
            let Some(own) = own.and_then(|own| own.extensions.get("VRMC_node_constraint")) else {
                continue;
            };
            let path = format!("nodes[{node}].extensions.VRMC_node_constraint.constraint");
            if self.rig.constraints.len() == most {
                let message = format!("{path}: more than {most} constraints; skipped");
                self.faults.tell(FileRepair::OutOfRange, message);
                return;
            }
            let found = self.constraint(node, &own["constraint"], &path);
            self.rig.constraints.extend(found);
        }
        let all = core::mem::take(&mut self.rig.constraints);
        let mut of_joint = vec![None; self.nodes.skeleton.len()];
        for (index, one) in all.iter().enumerate() {
            if let Some(slot) = of_joint.get_mut(one.joint) {
                *slot = Some(index);
            }
        }
        let holder =
            holders(&self.nodes.skeleton, |joint| of_joint.get(joint).copied().flatten().is_some());
        let skeleton = &self.nodes.skeleton;
        let constraint_on = |joint: usize| of_joint.get(joint).copied().flatten();
        let needs = |index: usize| {
            let Some(one) = all.get(index) else { return Vec::new() };
            if !matches!(one.kind, ConstraintKind::Aim(_)) {
                return constraint_on(one.source).into_iter().collect();
            }
            // Positions depend on everything that rotates above them.
            let above = [one.joint, one.source].into_iter().flat_map(|joint| {
                core::iter::successors(held_above(skeleton, &holder, joint), |&joint| {
                    held_above(skeleton, &holder, joint)
                })
            });
            above.filter_map(constraint_on).collect()
        };
        let (order, circular) = ordered(all.len(), &needs);
        for index in &circular {
            let joint = all.get(*index).map_or(0, |one| one.joint);
            let node = self.nodes.nodes.get(joint).copied().unwrap_or(0);
            let message = format!(
                "nodes[{node}].extensions.VRMC_node_constraint: it follows itself through others; skipped"
            );
            self.faults.tell(FileRepair::Hierarchy, message);
        }
        let kept = order.into_iter().filter(|index| !circular.contains(index));
        self.rig.constraints = kept.filter_map(|index| all.get(index).copied()).collect();
    }

    fn constraint(&self, node: usize, own: &Value, path: &str) -> Option<Constraint> {
        let joint = self.nodes.joint(node)?.index();
        let axis_of = |key: &str, own: &Value, known: &[(&str, Vec3)]| {
            let word = own[key].as_str().unwrap_or("");
            let found = known.iter().find(|(name, _)| *name == word).map(|(_, axis)| *axis);
            if found.is_none() {
                let names: Vec<&str> = known.iter().map(|(name, _)| *name).collect();
                let message =
                    format!("{path}: {key} {word:?} is not one of {}; skipped", names.join(", "));
                self.faults.tell(FileRepair::WrongType, message);
            }
            found
        };
        let signs = [
            ("PositiveX", Vec3::X),
            ("NegativeX", Vec3::NEG_X),
            ("PositiveY", Vec3::Y),
            ("NegativeY", Vec3::NEG_Y),
            ("PositiveZ", Vec3::Z),
            ("NegativeZ", Vec3::NEG_Z),
        ];
        let axes = [("X", Vec3::X), ("Y", Vec3::Y), ("Z", Vec3::Z)];
        let (own, kind) = if own["roll"].is_object() {
            let own = &own["roll"];
            (own, ConstraintKind::Roll(axis_of("rollAxis", own, &axes)?))
        } else if own["aim"].is_object() {
            let own = &own["aim"];
            (own, ConstraintKind::Aim(axis_of("aimAxis", own, &signs)?))
        } else if own["rotation"].is_object() {
            (&own["rotation"], ConstraintKind::Rotation)
        } else {
            let message = format!("{path}: expected roll, aim or rotation; skipped");
            self.faults.tell(FileRepair::UnknownPart, message);
            return None;
        };
        let source = self.joint(&own["source"], &format!("{path}: source"))?;
        let weight = clamp(self.number(own, "weight", 1.0, path), 0.0, 1.0);
        Some(Constraint { joint, source, weight, kind })
    }

    /// The colliders of each group.
    fn collider_groups(&mut self, own: &Value, root: &str) -> Vec<Vec<usize>> {
        let mut index_of = Vec::new();
        for (place, one) in list(&own["colliders"]) {
            let found = self.collider(one, &format!("{root}.colliders[{place}]"));
            index_of.push(found.map(|found| self.add_collider(found)));
        }
        list(&own["colliderGroups"])
            .map(|(place, group)| {
                let path = format!("{root}.colliderGroups[{place}].colliders");
                self.referred(&group["colliders"], &path, |index| {
                    index_of.get(index).map(|own| own.iter().copied().collect())
                })
            })
            .collect()
    }

    fn read_springs(&mut self, own: &Value) {
        let root = "extensions.VRMC_springBone";
        let groups = self.collider_groups(own, root);
        for (place, one) in list(&own["springs"]) {
            let path = format!("{root}.springs[{place}]");
            let center = match &one["center"] {
                Value::Null => None,
                center => self.joint(center, &format!("{path}.center")),
            };
            let colliders =
                self.referred(&one["colliderGroups"], &format!("{path}.colliderGroups"), |group| {
                    groups.get(group).cloned()
                });
            let colliders: Arc<[usize]> = colliders.into();
            let mut before: Option<(usize, &Value, String)> = None;
            for (place, joint) in list(&one["joints"]) {
                let path = format!("{path}.joints[{place}]");
                let Some(index) = self.joint(&joint["node"], &format!("{path}.node")) else {
                    break;
                };
                if let Some((above, settings, path)) = before.take() {
                    let below =
                        self.nodes.skeleton.joints().get(index).and_then(|joint| joint.parent);
                    let mut way = core::iter::successors(below, |joint| {
                        self.nodes.skeleton.joints().get(joint.index())?.parent
                    });
                    if !way.any(|joint| joint.index() == above) {
                        let message = format!("{path}: the next joint is not its child; skipped");
                        self.faults.tell(FileRepair::Hierarchy, message);
                    } else {
                        let gravity = self.vector(settings, "gravityDir", DOWN, &path)
                            * self.number(settings, "gravityPower", 0.0, &path);
                        self.add_spring(
                            &path,
                            Spring {
                                joint: above,
                                child: Some(index),
                                tail: self.tail(above, index),
                                stiffness: self.number(settings, "stiffness", 1.0, &path),
                                gravity,
                                drag: self.number(settings, "dragForce", 0.5, &path),
                                radius: self.number(settings, "hitRadius", 0.0, &path),
                                center,
                                colliders: Arc::clone(&colliders),
                            },
                        );
                    }
                }
                before = Some((index, joint, path));
            }
        }
    }

    /// Concatenates everything that the entries of a list refer to; reports entries that refer to
    /// nothing.
    fn referred(
        &self,
        value: &Value,
        path: &str,
        find: impl Fn(usize) -> Option<Vec<usize>>,
    ) -> Vec<usize> {
        let mut found = Vec::new();
        for (place, one) in list(value) {
            let known = one.as_u64().and_then(|index| find(usize::try_from(index).ok()?));
            match known {
                Some(known) if found.len() + known.len() <= MAX_HITS => found.extend(known),
                Some(_) => {
                    let message =
                        format!("{path}[{place}]: more than {MAX_HITS} colliders; skipped");
                    self.faults.tell(FileRepair::OutOfRange, message);
                    break;
                }
                None => {
                    let message = format!("{path}[{place}]: {one} is missing; skipped");
                    self.faults.tell(FileRepair::BadReference, message);
                }
            }
        }
        found
    }

    /// The rest position of a joint in the space of an ancestor.
    fn tail(&self, above: usize, below: usize) -> Vec3 {
        let skeleton = &self.nodes.skeleton;
        let (joints, locals) = (skeleton.joints(), skeleton.parent_from_joint());
        let mut place = Vec3::ZERO;
        let mut at = below;
        while at != above {
            let (Some(local), Some(joint)) = (locals.get(at), joints.get(at)) else { break };
            place = local.transform_point3(place);
            let Some(parent) = joint.parent else { break };
            at = parent.index();
        }
        place
    }

    fn add_collider(&mut self, collider: Collider) -> usize {
        self.rig.colliders.push(collider);
        self.rig.colliders.len() - 1
    }

    fn add_spring(&mut self, path: &str, spring: Spring) {
        self.hits = self.hits.saturating_add(spring.colliders.len());
        if self.rig.springs.len() >= MAX_JOINTS || self.hits > MAX_HITS {
            let message = format!(
                "{path}: more than {MAX_JOINTS} springs or {MAX_HITS} colliders; this and later ones are rigid"
            );
            self.faults.tell(FileRepair::OutOfRange, message);
            self.hits = MAX_HITS;
            return;
        }
        let is_sound = spring.tail.is_finite() && spring.gravity.is_finite();
        if is_sound {
            self.rig.springs.push(Spring { drag: clamp(spring.drag, 0.0, 1.0), ..spring });
        }
    }

    fn collider(&self, own: &Value, path: &str) -> Option<Collider> {
        let joint = self.joint(&own["node"], &format!("{path}.node"))?;
        let wide = &own["extensions"]["VRMC_springBone_extended_collider"]["shape"];
        for shape in [wide, &own["shape"]] {
            let kind =
                ["sphere", "capsule", "plane"].into_iter().find(|kind| shape[*kind].is_object());
            let Some(kind) = kind else { continue };
            let (shape, path) = (&shape[kind], format!("{path}.shape.{kind}"));
            let offset = self.vector(shape, "offset", [0.0; 3], &path);
            if kind == "plane" {
                let normal = unit_or(self.vector(shape, "normal", [0.0, 0.0, 1.0], &path), Vec3::Z);
                return Some(Collider { joint, offset, shape: ColliderShape::Plane { normal } });
            }
            let way = match kind {
                "capsule" => self.vector(shape, "tail", [0.0; 3], &path) - offset,
                _ => Vec3::ZERO,
            };
            let radius = max(self.number(shape, "radius", 0.0, &path), 0.0);
            let inside = shape["inside"].as_bool() == Some(true);
            return Some(Collider {
                joint,
                offset,
                shape: ColliderShape::Capsule { way, radius, inside },
            });
        }
        let message = format!("{path}.shape: neither sphere nor capsule; skipped");
        self.faults.tell(FileRepair::UnknownPart, message);
        None
    }

    /// Springs of version 0.x: every joint of a group and below it, with the settings of the group.
    fn read_old_springs(&mut self, own: &Value) {
        let root = "extensions.VRM.secondaryAnimation";
        let mut groups = Vec::new();
        for (place, group) in list(&own["colliderGroups"]) {
            let path = format!("{root}.colliderGroups[{place}]");
            let mut found = Vec::new();
            if let Some(joint) = self.joint(&group["node"], &format!("{path}.node")) {
                for (place, one) in list(&group["colliders"]) {
                    let path = format!("{path}.colliders[{place}]");
                    // Its z axis is reversed.
                    let offset =
                        self.vector(one, "offset", [0.0; 3], &path) * Vec3::new(1.0, 1.0, -1.0);
                    let radius = max(self.number(one, "radius", 0.0, &path), 0.0);
                    let shape = ColliderShape::Capsule { way: Vec3::ZERO, radius, inside: false };
                    found.push(self.add_collider(Collider { joint, offset, shape }));
                }
            }
            groups.push(found);
        }
        for (place, group) in list(&own["boneGroups"]) {
            let path = format!("{root}.boneGroups[{place}]");
            let center = match group["center"].as_i64() {
                None | Some(..0) => None,
                Some(_) => self.joint(&group["center"], &format!("{path}.center")),
            };
            let colliders: Arc<[usize]> = self
                .referred(&group["colliderGroups"], &format!("{path}.colliderGroups"), |group| {
                    groups.get(group).cloned()
                })
                .into();
            let settings = Spring {
                joint: 0,
                child: None,
                tail: Vec3::ZERO,
                // The format misspells it.
                stiffness: self.number(group, "stiffiness", 1.0, &path),
                gravity: self.vector(group, "gravityDir", DOWN, &path)
                    * self.number(group, "gravityPower", 0.0, &path),
                drag: self.number(group, "dragForce", 0.4, &path),
                radius: self.number(group, "hitRadius", 0.0, &path),
                center,
                colliders,
            };
            for (place, bone) in list(&group["bones"]) {
                let path = format!("{path}.bones[{place}]");
                let Some(root) = self.joint(bone, &path) else { continue };
                self.add_old_springs(root, &settings, &path);
            }
        }
    }

    /// Adds springs for a joint and all below it.
    fn add_old_springs(&mut self, root: usize, settings: &Spring, path: &str) {
        let mut open = vec![root];
        while let Some(joint) = open.pop() {
            if self.rig.springs.len() >= MAX_JOINTS {
                self.add_spring(path, settings.clone());
                return;
            }
            let node = self.nodes.nodes.get(joint).copied().unwrap_or(usize::MAX);
            let children = self.nodes.children.get(node).into_iter().flatten();
            let children: Vec<usize> =
                children.filter_map(|&child| Some(self.nodes.joint(child)?.index())).collect();
            let child = children.first().copied();
            let tail = match child {
                Some(child) => self.tail(joint, child),
                None => {
                    let local = self.nodes.skeleton.parent_from_joint().get(joint);
                    let way = local.map_or(Vec3::ZERO, |local| local.translation);
                    unit_or(way, Vec3::ZERO) * LAST_TAIL
                }
            };
            self.add_spring(path, Spring { joint, child, tail, ..settings.clone() });
            open.extend(children.into_iter().rev());
        }
    }

    /// Sorts springs after those that move them, or their colliders.
    fn order_springs(&mut self) {
        let mut all = core::mem::take(&mut self.rig.springs);
        all.sort_by_key(|spring| spring.joint);
        let skeleton = &self.nodes.skeleton;
        let sprung: BTreeSet<usize> = all.iter().map(|spring| spring.joint).collect();
        let holder = holders(skeleton, |joint| sprung.contains(&joint));
        let on = |joint: usize| {
            let first = all.partition_point(|spring| spring.joint < joint);
            let last = all.partition_point(|spring| spring.joint <= joint);
            first..last
        };
        let needs = |index: usize| {
            let Some(spring) = all.get(index) else { return Vec::new() };
            let bodies = spring.colliders.iter().filter_map(|&body| self.rig.colliders.get(body));
            let bodies = bodies.filter_map(|body| holder.get(body.joint).copied().flatten());
            let above = held_above(skeleton, &holder, spring.joint);
            let mut joints: Vec<usize> =
                above.into_iter().chain(bodies).filter(|joint| *joint != spring.joint).collect();
            joints.sort_unstable();
            joints.dedup();
            joints.into_iter().flat_map(on).collect()
        };
        let (order, _) = ordered(all.len(), &needs);
        self.rig.springs = order.into_iter().filter_map(|index| all.get(index).cloned()).collect();
    }
}

/// For each joint: the nearest matching one upwards, including itself.
fn holders(skeleton: &Skeleton, is_meant: impl Fn(usize) -> bool) -> Vec<Option<usize>> {
    let mut found: Vec<Option<usize>> = Vec::new();
    for (index, joint) in skeleton.joints().iter().enumerate() {
        let above = joint.parent.and_then(|parent| found.get(parent.index()).copied().flatten());
        found.push(if is_meant(index) { Some(index) } else { above });
    }
    found
}

/// The nearest matching joint above one.
fn held_above(skeleton: &Skeleton, holder: &[Option<usize>], joint: usize) -> Option<usize> {
    let parent = skeleton.joints().get(joint)?.parent?;
    holder.get(parent.index()).copied().flatten()
}

/// Indices below `count`, each after its dependencies and otherwise in order; also returns the
/// indices in dependency cycles.
fn ordered(count: usize, needs: &dyn Fn(usize) -> Vec<usize>) -> (Vec<usize>, BTreeSet<usize>) {
    #[derive(Clone, Copy, PartialEq)]
    enum State {
        New,
        Open,
        Done,
    }
    let mut states = vec![State::New; count];
    let (mut order, mut circular) = (Vec::new(), BTreeSet::new());
    for start in 0..count {
        let mut open = vec![(start, None::<Vec<usize>>)];
        while let Some((index, left)) = open.last_mut() {
            let index = *index;
            let Some(state) = states.get_mut(index) else { break };
            if *state == State::Done {
                open.pop();
                continue;
            }
            *state = State::Open;
            match left.get_or_insert_with(|| needs(index)).pop() {
                Some(needed) if states.get(needed) == Some(&State::Open) => {
                    circular.insert(index);
                }
                Some(needed) => open.push((needed, None)),
                None => {
                    if let Some(state) = states.get_mut(index) {
                        *state = State::Done;
                    }
                    order.push(index);
                    open.pop();
                }
            }
        }
    }
    (order, circular)
}
