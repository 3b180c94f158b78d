//! Names of bones, and joints that follow others: constraints, and springs of hair and cloth with
//! their colliders.

use crate::math::Vec3;
use std::sync::Arc;

/// Names of bones, and joints that follow others.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Rig {
    /// Human bones by their names in VRM 1.0, such as `leftUpperArm`, and their joints.
    pub human: Vec<(String, usize)>,
    /// True if the human faces -Z, as in VRM 0.x, instead of +Z.
    pub faces_back: bool,
    /// True if the file contains clips for any human.
    pub is_motion: bool,
    /// None depends on a later one.
    pub constraints: Vec<Constraint>,
    /// None depends on a later one.
    pub springs: Vec<Spring>,
    /// Bodies that springs do not enter.
    pub colliders: Vec<Collider>,
}

/// A joint whose rotation follows another joint.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Constraint {
    /// The joint that follows.
    pub joint: usize,
    /// The joint that it follows.
    pub source: usize,
    /// Weight of the constraint's rotation relative to the rest rotation, 0 to 1.
    pub weight: f32,
    /// Kind of following.
    pub kind: ConstraintKind,
}

/// Ways for a joint to follow another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ConstraintKind {
    /// The part of the source's rotation about this unit axis of the joint.
    Roll(Vec3),
    /// This unit axis of the joint points to the source.
    Aim(Vec3),
    /// The turn of the source from its rest.
    Rotation,
}

/// A joint that swings: its tail has inertia, and is pulled to its rest and downward.
#[derive(Clone, Debug, PartialEq)]
pub struct Spring {
    /// The joint that turns.
    pub joint: usize,
    /// The joint at its tail. None for a tail given only by `tail`.
    pub child: Option<usize>,
    /// The tail at rest, in the space of the joint.
    pub tail: Vec3,
    /// Speed toward the rest, in units a second.
    pub stiffness: f32,
    /// Speed by gravity in model space, in units per second.
    pub gravity: Vec3,
    /// Fraction of the inertia lost in a step, 0 to 1.
    pub drag: f32,
    /// Radius of the tail.
    pub radius: f32,
    /// The joint in whose space the inertia is computed. None for model space.
    pub center: Option<usize>,
    /// Indices of the colliders that it must not enter, in their order.
    pub colliders: Arc<[usize]>,
}

/// A body that springs do not enter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Collider {
    /// The joint that it moves with.
    pub joint: usize,
    /// A point of it in joint space: a centre, or any point of a plane.
    pub offset: Vec3,
    /// Its shape about that point.
    pub shape: ColliderShape,
}

/// The shape of a collider; radii are in units of the model, independent of the scale of the joint.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ColliderShape {
    /// All points within a radius of the segment from the offset to a second point, in joint space;
    /// for a sphere both are the same.
    Capsule {
        /// From the offset to the other end.
        way: Vec3,
        /// The radius.
        radius: f32,
        /// True if springs stay inside it.
        inside: bool,
    },
    /// The half space behind a plane.
    Plane {
        /// Its unit normal, in the space of the joint.
        normal: Vec3,
    },
}
