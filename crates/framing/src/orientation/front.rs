//! Cues for the level direction that a figure faces.
//!
//! | cue | rule | weight |
//! |---|---|---|
//! | toes | from the feet to the toes | 4 |
//! | face | from the head to nose, jaw, eyes, beard | 3 |
//! | head and tail | from the tail to the head; hair is no tail | 3 |
//! | pairs of legs | from the hind legs to the forelegs | 3 |
//! | left and right | pairs of joints by name: right to left, a quarter turn on; a joint without partner counts from its parent | 3, or 1 against toes, face, tail or pairs of legs |
//! | head ahead | from the middle of the body to a head that is far from it | 2 |
//! | worn on the back | from a cape, a quiver or hair to the trunk | 1.5 |
//! | feet of the mesh | from the shins to the soles | 1.5 |
//! | symmetry | the plane in which the mesh is its own mirror image holds the front | 1 |
//! | breadth | arms at the height of the chest go to the sides, so the front is across the broader side | 0.5 |
//! | convention | the axis that is ahead in files of the format | 1 |
//!
//! The last three before the convention are used only if no name gives evidence; the feet of the
//! mesh are also used if names only distinguish left from right. If those disagree, the one that
//! agrees with the convention counts, otherwise the feet. These cues require a mesh bound to
//! several joints. A cue from several joints weighs less if they disagree, and is ignored if less
//! than [`MIN_AGREEMENT`] of them agree: exporters mirror names more often than feet. Each of 24
//! directions sums the cues by the cosine of their angle to it; symmetry and breadth count for both
//! directions along a line. The convention is kept unless the sum of another direction exceeds its
//! sum by more than the weight of the convention.

use super::cue::{Cue, Vote};
use super::names::{End, Part};
use super::subject::{Body, mean};

use std::collections::BTreeSet;
use tintype_model::math::{Vec3, func, unit_or};

/// Fraction of the votes of one cue that must agree, 0 to 1.
const MIN_AGREEMENT: f32 = 0.6;
/// Minimum distance of a head from the centre, as a fraction of the body's horizontal size.
const FAR_HEAD: f32 = 0.18;
/// Minimum offset for other cues, as a fraction of the body's size.
const MIN_OFFSET: f32 = 0.005;
/// Minimum number of joints with vertices for judging a figure by its mesh.
const MIN_JOINTS: usize = 5;
/// Directions that are compared.
const DIRECTIONS: u32 = 24;

fn level(v: Vec3) -> Vec3 {
    Vec3::new(v.x, 0.0, v.z)
}

/// All cues of a body with +Y up; `usual` is ahead in files of its format.
pub(super) fn votes(body: &Body, usual: Vec3) -> Vec<Vote> {
    let mut votes = vec![Vote::new(Cue::FrontConvention, usual, 1.0)];
    let size = body.size();
    let mut add = |cue: Cue, weight: f32, directions: Vec<Vec3>| {
        votes.extend(vote(cue, weight, &directions, size));
    };
    add(Cue::Toes, 4.0, toes(body));
    add(Cue::Face, 3.0, between(body, Part::Face, &[Part::Head, Part::Neck]));
    add(Cue::HeadAndTail, 3.0, between(body, Part::Head, &[Part::Tail]));
    let pairs = body.middle_of_pair(End::Front).zip(body.middle_of_pair(End::Rear));
    add(Cue::LegPairs, 3.0, pairs.map(|(front, rear)| front - rear).into_iter().collect());
    let sides = body.right_to_left().into_iter().map(|left| left.cross(Vec3::Y));
    add(Cue::Sides, 3.0, sides.collect());
    add(Cue::HeadAhead, 2.0, head_ahead(body).into_iter().collect());
    let trunk = [Part::Trunk, Part::Pelvis, Part::Head, Part::Neck];
    let worn: Vec<Vec3> = between(body, Part::Back, &trunk)
        .into_iter()
        .chain(between(body, Part::Hair, &[Part::Head, Part::Neck]))
        .map(|from_trunk| -from_trunk)
        .collect();
    add(Cue::WornOnBack, 1.5, worn);
    let has_names = votes.iter().any(|vote| vote.cue.reads_names());
    let has_others = votes.iter().any(|vote| vote.cue.reads_names() && vote.cue != Cue::Sides);
    // The mesh is used if names give no evidence, and only its feet if names just distinguish left
    // from right.
    let is_shaped = body.is_skinned && body.pulling >= MIN_JOINTS;
    if !has_others && is_shaped {
        votes.extend(mesh_feet(body).and_then(|ahead| vote(Cue::MeshFeet, 1.5, &[ahead], size)));
        weigh_sides_against_soles(&mut votes, usual);
    }
    doubt_mirrored_sides(&mut votes);
    if !has_names && is_shaped {
        if let Some(across) = mirror_axis(body) {
            votes.push(Vote::of_line(Cue::Symmetry, level(across.cross(Vec3::Y)), 1.0));
        }
        if let Some(across) = broad_axis(body) {
            votes.push(Vote::of_line(Cue::Breadth, level(across.cross(Vec3::Y)), 0.5));
        }
    }
    votes
}

/// Weight of left and right if toes, a face, a tail or pairs of legs indicate the opposite: then
/// the names are mirrored.
const MIRRORED_SIDES: f32 = 1.0;

fn doubt_mirrored_sides(votes: &mut [Vote]) {
    let is_ahead =
        |cue: Cue| matches!(cue, Cue::Toes | Cue::Face | Cue::HeadAndTail | Cue::LegPairs);
    let ahead = votes
        .iter()
        .filter(|vote| is_ahead(vote.cue))
        .fold(Vec3::ZERO, |sum, vote| sum + vote.direction * vote.weight);
    for vote in votes.iter_mut().filter(|vote| vote.cue == Cue::Sides) {
        if unit_or(ahead, Vec3::ZERO).dot(vote.direction) < -0.5 && vote.weight > MIRRORED_SIDES {
            vote.weight = MIRRORED_SIDES;
        }
    }
}

/// Left and right against soles: the one that agrees with the convention counts, otherwise the
/// soles, because names may be mirrored or in another language.
fn weigh_sides_against_soles(votes: &mut Vec<Vote>, usual: Vec3) {
    let of = |cue: Cue| votes.iter().find(|vote| vote.cue == cue).map(|vote| vote.direction);
    let (Some(sides), Some(soles)) = (of(Cue::Sides), of(Cue::MeshFeet)) else { return };
    if sides.dot(soles) < -0.5 {
        let lost = if sides.dot(usual) > 0.5 { Cue::MeshFeet } else { Cue::Sides };
        votes.retain(|vote| vote.cue != lost);
    }
}

/// The vote of a cue from several directions on a body of this size.
fn vote(cue: Cue, weight: f32, directions: &[Vec3], size: f32) -> Option<Vote> {
    let (direction, agreement) = agreed(directions, MIN_OFFSET * size)?;
    Some(Vote::new(cue, direction, weight * agreement))
}

/// The direction with the largest sum of votes, if it is not the default.
pub(super) fn decide(votes: &[Vote], usual: Vec3) -> Option<Vec3> {
    let is_convention = |vote: &&Vote| vote.cue == Cue::FrontConvention;
    let needed: f32 = votes.iter().filter(is_convention).map(|vote| vote.weight).sum();
    let sum = |ahead: Vec3| {
        let evidence = votes.iter().filter(|vote| !is_convention(vote));
        evidence.map(|vote| vote.weight * vote.agreement(ahead)).sum::<f32>()
    };
    let aside = usual.cross(Vec3::Y);
    let mut best = None;
    let mut highest = sum(usual) + needed;
    for step in 1..DIRECTIONS {
        #[expect(clippy::cast_precision_loss, reason = "below 24")]
        let angle = func::radians(step as f32 * (360.0 / DIRECTIONS as f32));
        let ahead = usual * func::cos(angle) + aside * func::sin(angle);
        // Of equal sums the first: to its right before to its left.
        if sum(ahead) > highest + 1e-4 {
            highest = sum(ahead);
            best = Some(ahead);
        }
    }
    best
}

/// The mean of horizontal directions and their agreement. None below [`MIN_AGREEMENT`], or if they
/// are shorter than `least`.
fn agreed(directions: &[Vec3], least: f32) -> Option<(Vec3, f32)> {
    let (mut sum, mut all) = (Vec3::ZERO, 0.0);
    for direction in directions.iter().map(|&direction| level(direction)) {
        if direction.length() > least {
            sum += direction;
            all += direction.length();
        }
    }
    let agreement = sum.length() / all;
    // Also false for no direction at all.
    (agreement >= MIN_AGREEMENT).then(|| (unit_or(sum, Vec3::Z), agreement))
}

/// Directions from each foot to its toes: on the same side, or of all feet.
fn toes(body: &Body) -> Vec<Vec3> {
    let of_toe = |toe: &super::subject::BodyJoint| {
        let same_side = |foot: &&super::subject::BodyJoint| {
            foot.meaning.side == toe.meaning.side && foot.meaning.end == toe.meaning.end
        };
        let foot = mean(body.of(Part::Foot).filter(same_side).map(|foot| foot.position));
        Some(toe.position - foot?)
    };
    body.of(Part::Toe).filter_map(of_toe).collect()
}

/// Vectors from the first of some parts that the body has to another part.
fn between(body: &Body, front: Part, back: &[Part]) -> Vec<Vec3> {
    let there = body.middle(front);
    let from = back.iter().find_map(|&part| body.middle(part));
    there.zip(from).map(|(there, from)| there - from).into_iter().collect()
}

/// The direction from the centre of the body to a distant head, as of an animal.
fn head_ahead(body: &Body) -> Option<Vec3> {
    let bounds = body.bounds?;
    let head = level(body.middle(Part::Head)? - bounds.center());
    let size = level(bounds.max - bounds.min);
    let extent = if size.x > size.z { size.x } else { size.z };
    (head.length() > FAR_HEAD * extent).then_some(head)
}

/// From the shins to the soles: the centres of two slices of the mesh.
fn mesh_feet(body: &Body) -> Option<Vec3> {
    let bounds = body.bounds?;
    let height = bounds.max.y - bounds.min.y;
    let slice = |from: f32, to: f32| {
        let range = bounds.min.y + from * height..=bounds.min.y + to * height;
        let points = body.points.iter().copied().filter(|point| range.contains(&point.y));
        let slice: tintype_model::math::Aabb = points.collect();
        (!slice.is_empty()).then(|| slice.center())
    };
    let ahead = level(slice(0.0, 0.05)? - slice(0.12, 0.3)?);
    // Half a sole is longer than this.
    (ahead.length() > 0.02 * height).then_some(ahead)
}

/// Most points that are mirrored.
const MIRRORED: usize = 1500;
/// Number of cells along the diagonal into which points are sorted.
const CELLS: f32 = 40.0;
/// Lead of the better plane, as a fraction of the points.
const CLEARER: f32 = 0.2;

/// The horizontal axis whose plane through the centre mirrors the mesh onto itself, if the other
/// horizontal axis does so much less.
fn mirror_axis(body: &Body) -> Option<Vec3> {
    let bounds = body.bounds?;
    let middle = bounds.center();
    let cell = bounds.diagonal() / CELLS;
    if cell <= 0.0 || cell.is_nan() {
        return None;
    }
    #[expect(clippy::cast_possible_truncation, reason = "within 40 cells of the middle")]
    let cell_of = |point: Vec3| (point / cell).to_array().map(|part| (part + 0.5).floor() as i32);
    let filled: BTreeSet<[i32; 3]> =
        body.points.iter().map(|&point| cell_of(point - middle)).collect();
    let step = body.points.len().div_ceil(MIRRORED).max(1);
    let share = |axis: usize| {
        let mut hits = 0_u32;
        let mut all = 0_u32;
        for &point in body.points.iter().step_by(step) {
            let mut mirrored = point - middle;
            mirrored[axis] = -mirrored[axis];
            let [x, y, z] = cell_of(mirrored);
            let is_near = (-1..=1).any(|i| {
                (-1..=1).any(|j| (-1..=1).any(|k| filled.contains(&[x + i, y + j, z + k])))
            });
            hits += u32::from(is_near);
            all += 1;
        }
        f64::from(hits) / f64::from(all.max(1))
    };
    let (across_x, across_z) = (share(0), share(2));
    let lead = across_x - across_z;
    (lead.abs() > f64::from(CLEARER)).then_some(if lead > 0.0 { Vec3::X } else { Vec3::Z })
}

/// The horizontal axis along which the mesh is much broader at chest height: the axis of the arms.
fn broad_axis(body: &Body) -> Option<Vec3> {
    const BROADER: f32 = 1.6;
    let has_arms = body.of(Part::Arm).chain(body.of(Part::Hand)).next().is_some();
    let bounds = body.bounds.filter(|_| has_arms)?;
    let height = bounds.max.y - bounds.min.y;
    let range = bounds.min.y + 0.6 * height..=bounds.min.y + 0.85 * height;
    let points = body.points.iter().copied().filter(|point| range.contains(&point.y));
    let chest: tintype_model::math::Aabb = points.collect();
    if chest.is_empty() {
        return None;
    }
    let size = chest.max - chest.min;
    if size.x > BROADER * size.z {
        Some(Vec3::X)
    } else if size.z > BROADER * size.x {
        Some(Vec3::Z)
    } else {
        None
    }
}
