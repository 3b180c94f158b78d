//! Orientation of a model: the axis of its file that points up and the direction it faces, from
//! weighted evidence.
//!
//! Input: names, positions and vertices of joints in one pose, and the axes stated by the format.
//! Output: two directions, and the cues that decided them. Each [`Cue`] yields a direction and a
//! weight; `up` and `front` hold the tables. If the whole model is rotated or mirrored, the answer
//! follows, except for votes of the convention. Axes fixed by a format's specification
//! ([`Convention`]) are not voted on.

mod cue;
mod front;
mod model_body;
mod names;
mod record;
mod subject;
mod up;

#[cfg(test)]
mod tests;

pub use cue::{Cue, Vote};
pub use model_body::{ModelAxes, is_skinned};
pub use record::{AxisRecord, CueRecord, OrientationRecord};
pub use subject::{Body, NamedJoint};

use tintype_base::precedence::{DecidedBy, Guesses};
use tintype_model::AxisRule;
use tintype_model::math::{Mat3, Vec3};
use tintype_render::asset::{LoadedModel, decide_front, decide_up, turn_to_y};

/// A direction and the votes for and against it.
#[derive(Clone, Debug, PartialEq)]
pub struct Decision {
    /// The direction, of length 1.
    pub direction: Vec3,
    /// The side that decided it.
    pub by: DecidedBy,
    /// All votes.
    pub votes: Vec<Vote>,
}

impl Decision {
    /// True if it is stated by the file or its format, so that no evidence overrides it.
    #[must_use]
    pub fn is_convention(&self) -> bool {
        self.by != DecidedBy::Guess
    }

    /// Votes for the direction.
    pub fn supporters(&self) -> impl Iterator<Item = &Vote> {
        self.votes.iter().filter(|vote| vote.agreement(self.direction) > 0.5)
    }
}

/// Up and front of a model.
#[derive(Clone, Debug, PartialEq)]
pub struct Orientation {
    /// Up, one of the axes of model space.
    pub up: Decision,
    /// The rotation that brings it to +Y.
    pub upright: Mat3,
    /// Front after that rotation: level.
    pub front: Decision,
    /// Ahead in files of the format, after that rotation.
    usual: Vec3,
}

/// Axes in the convention of a format, with +Y up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Convention {
    /// Ahead in files of the format; level.
    pub front: Vec3,
    /// Sources for the up axis, by precedence.
    pub up: AxisRule,
    /// Sources for the front, by precedence.
    pub ahead: AxisRule,
}

impl Convention {
    /// The convention of a loaded model's format, which may also define the front of models without
    /// a skin.
    #[must_use]
    pub fn of(loaded: &LoadedModel, body: &Body) -> Self {
        let parts = &loaded.model.parts;
        let is_thing = parts.up.guesses == Guesses::Never && !body.is_skinned;
        let guesses = if is_thing { Guesses::Never } else { parts.front.guesses };
        let ahead = AxisRule { guesses, ..parts.front };
        Self { front: loaded.front, up: parts.up, ahead }
    }
}

impl Orientation {
    /// Judges a body in model space.
    #[must_use]
    pub fn of(body: &Body, convention: &Convention) -> Self {
        let front = convention.front;
        let votes = up::votes(body, Vec3::Y);
        let decided = decide_up(None, convention.up, || up::decide(&votes, Vec3::Y));
        let up = Decision { direction: decided.value, by: decided.by, votes };
        let (direction, is_convention) = (up.direction, up.is_convention());
        let ahead = if is_convention { front } else { ahead_of_turned(direction, front) };
        let upright = turn_to_y(direction, ahead);
        let turned = (!is_convention).then(|| body.turned(|at| upright * at));
        let ahead = Convention { front: upright * ahead, ..*convention };
        let front = front_of(turned.as_ref().unwrap_or(body), None, &ahead);
        Self { up, upright, front, usual: ahead.front }
    }

    /// The front in model space, along the nearest axis.
    #[must_use]
    pub fn front_axis(&self) -> Vec3 {
        let front = self.upright.transpose() * self.front.direction;
        // Between two axes the one of the format.
        let usual = self.upright.transpose() * self.usual;
        let parts = front.abs() + usual.abs() * 1e-4;
        if parts.x >= parts.y && parts.x >= parts.z {
            Vec3::X * front.x.signum()
        } else if parts.y >= parts.z {
            Vec3::Y * front.y.signum()
        } else {
            Vec3::Z * front.z.signum()
        }
    }
}

/// The front of a body with +Y up; `wish` is the user's choice.
#[must_use]
pub fn front_of(body: &Body, wish: Option<Vec3>, convention: &Convention) -> Decision {
    let usual = convention.front;
    let votes = front::votes(body, usual);
    let decided = decide_front(wish, usual, convention.ahead, || front::decide(&votes, usual));
    Decision { direction: decided.value, by: decided.by, votes }
}

/// The usual front of a file with an unusual up axis: tools with z up look along +y of the file, so
/// figures face -y; in tools with y up figures face +z.
fn ahead_of_turned(up: Vec3, front: Vec3) -> Vec3 {
    match (front == Vec3::Z, up.y == 0.0) {
        (_, false) => front,
        // A `.x` file: its y is ours.
        (true, true) => Vec3::NEG_Y,
        // Others: their z is our y.
        (false, true) => Vec3::Y,
    }
}
