//! Cues for the axis of a file that points up.
//!
//! | cue | rule | weight |
//! |---|---|---|
//! | head over feet | from the feet, the legs, or with arms the trunk, to the head; not of animals with a tail or more than two legs | 3 |
//! | legs hang | from the ends of the legs to their first joints | 3 |
//! | stands on zero | a figure begins at 0 along one axis and has 0 in its middle along the two others | 2 |
//! | tall | a figure is at least twice as long along that axis as along another, and would lie flat with the axis of its format up | 1 |
//! | convention | the axis that is up in files of the format | 2 |
//!
//! A cue supports the axis that is closest to its direction, if they are within 40 degrees. The
//! axis with the largest sum wins; the convention wins unless another leads by [`MIN_LEAD`].

use super::cue::{Cue, Vote};
use super::names::Part;
use super::subject::{Body, BodyJoint, mean};

use tintype_model::math::{Aabb, Vec3, unit_or};

/// Minimum lead of an axis over the convention.
pub(super) const MIN_LEAD: f32 = 0.9;
/// Cosine of the maximum angle between a cue and the axis that it supports.
const MIN_COSINE: f32 = 0.766;
/// Minimum number of joints with vertices for judging a figure by its box.
const MIN_JOINTS: usize = 8;
/// A box begins at 0 if it does so within this fraction of its length.
const NEAR_ZERO: f32 = 0.1;
/// Minimum fraction of a box on each side of 0 for 0 to be in its middle.
const AROUND: f32 = 0.2;
/// Length-to-height ratio of a lying figure.
const LONGER: f32 = 2.0;

const AXES: [Vec3; 6] = [Vec3::X, Vec3::NEG_X, Vec3::Y, Vec3::NEG_Y, Vec3::Z, Vec3::NEG_Z];

/// All cues of a body; `usual` is up in files of its format.
pub(super) fn votes(body: &Body, usual: Vec3) -> Vec<Vote> {
    let mut votes = vec![Vote::new(Cue::UpConvention, usual, 2.0)];
    let mut add = |cue: Cue, along: Option<Vec3>, weight: f32| {
        if let Some(axis) = along.and_then(nearest_axis) {
            votes.push(Vote::new(cue, axis, weight));
        }
    };
    add(Cue::HeadOverFeet, head_over_feet(body), 3.0);
    add(Cue::LegsHang, legs_hang(body), 3.0);
    if let Some(bounds) = body.bounds
        && body.pulling >= MIN_JOINTS
    {
        let standing = stands_on_zero(&bounds, usual);
        add(Cue::StandsOnZero, standing, 2.0);
        let tall = standing.filter(|&axis| is_tall(&bounds, axis, usual));
        add(Cue::Tall, tall, 1.0);
    }
    votes
}

/// The axis with the largest sum of votes, if it is not the default.
pub(super) fn decide(votes: &[Vote], usual: Vec3) -> Option<Vec3> {
    let sum = |axis: Vec3| votes.iter().map(|vote| vote.weight * vote.agreement(axis)).sum::<f32>();
    let mut best = None;
    let mut highest = sum(usual) + MIN_LEAD;
    for axis in AXES {
        if axis != usual && sum(axis) >= highest {
            highest = sum(axis);
            best = Some(axis);
        }
    }
    best
}

fn nearest_axis(along: Vec3) -> Option<Vec3> {
    let along = unit_or(along, Vec3::ZERO);
    AXES.into_iter().find(|axis| axis.dot(along) >= MIN_COSINE)
}

fn head_over_feet(body: &Body) -> Option<Vec3> {
    // The head of an animal is ahead of its feet. Toes may have a separate parent joint.
    let is_first =
        |&(first, _): &(usize, usize)| body.joints[first].meaning.part != Some(Part::Toe);
    let is_animal = body.middle(Part::Tail).is_some()
        || body.joints.iter().any(|joint| is_leg(joint) && joint.meaning.end.is_some())
        || legs(body).iter().filter(|leg| is_first(leg)).count() > 2;
    if is_animal {
        return None;
    }
    let head = body.middle(Part::Head).or_else(|| body.middle(Part::Neck))?;
    let feet = [Part::Foot, Part::Toe, Part::Leg].into_iter().find_map(|part| body.middle(part));
    let has_arms = || body.of(Part::Arm).chain(body.of(Part::Hand)).next().is_some();
    let trunk = || [Part::Pelvis, Part::Trunk].into_iter().find_map(|part| body.middle(part));
    Some(head - feet.or_else(|| trunk().filter(|_| has_arms()))?)
}

fn is_leg(joint: &BodyJoint) -> bool {
    let is_part = matches!(joint.meaning.part, Some(Part::Leg | Part::Foot | Part::Toe));
    is_part && !joint.meaning.is_control
}

/// From the ends of legs to their first joints, the mean of all legs.
fn legs_hang(body: &Body) -> Option<Vec3> {
    let rising = legs(body).into_iter().filter_map(|(first, end)| {
        // A single joint is at the hip, and its vertices hang below it.
        let joint = &body.joints[end];
        let tip = if first == end { joint.flesh? } else { joint.position };
        Some(body.joints[first].position - tip)
    });
    mean(rising).filter(|sum| sum.length() > 0.02 * body.size())
}

/// The first and the last joint of each leg.
fn legs(body: &Body) -> Vec<(usize, usize)> {
    let joints = &body.joints;
    // An end has no further leg joint below it.
    let mut is_end: Vec<bool> = joints.iter().map(is_leg).collect();
    for joint in joints.iter().filter(|joint| is_leg(joint)) {
        if let Some(parent) = joint.parent {
            is_end[parent] = false;
        }
    }
    let first = |end: usize| {
        let mut first = end;
        while let Some(parent) =
            joints[first].parent.filter(|&at| at < first && is_leg(&joints[at]))
        {
            first = parent;
        }
        first
    };
    (0..joints.len()).filter(|&at| is_end[at]).map(|end| (first(end), end)).collect()
}

/// The axis along which a box begins at 0, if 0 is in its middle along the two others.
fn stands_on_zero(bounds: &Aabb, usual: Vec3) -> Option<Vec3> {
    let size = bounds.max - bounds.min;
    let mut found = Vec::new();
    for axis in 0..3 {
        let is_around =
            |k: usize| bounds.min[k] < -AROUND * size[k] && bounds.max[k] > AROUND * size[k];
        if !(0..3).all(|k| k == axis || is_around(k)) || size[axis] <= 0.0 {
            continue;
        }
        let begins = bounds.min[axis].abs() <= NEAR_ZERO * size[axis];
        let ends = bounds.max[axis].abs() <= NEAR_ZERO * size[axis];
        match (begins, ends) {
            (true, false) => found.push(AXES[2 * axis]),
            // Upside down only if the format is.
            (false, true) if AXES[2 * axis].dot(usual) == 0.0 => found.push(AXES[2 * axis + 1]),
            _ => {}
        }
    }
    match found[..] {
        [axis] => Some(axis),
        _ => None,
    }
}

/// True if a figure stands along an axis, and would lie flat with the usual one up.
fn is_tall(bounds: &Aabb, axis: Vec3, usual: Vec3) -> bool {
    let size = bounds.max - bounds.min;
    let height = size.dot(axis.abs());
    let depth = size.dot(usual.abs());
    axis == usual || height >= LONGER * depth
}
