//! Clips of another skeleton with the same joints: other proportions, other axes, another rest
//! pose.
//!
//! If a clip rotates a joint away from rest by `D` in model space, the joint is rotated from the
//! rest pose of the other skeleton by the same `D`. With the rest rotations `a` (of the clip's
//! file) and `b` (of the model) of a joint and `pa` and `pb` of its parent, all in model space, a
//! local rotation `q` becomes `pb⁻¹ pa q a⁻¹ b`. Both factors are constant, so keys and tangents
//! are converted and nothing is sampled. Bodies that face another way are first rotated by quarter
//! turns.
//!
//! Positions below the hips are those of the model. The hips, and joints that are not below them,
//! move as far from rest as in the file, times the ratio of the leg lengths.
//!
//! A skeleton that has the same bones in another pose keeps its clip unchanged: many exporters
//! write the current pose as the rest pose of a file of clips. If such a body has other
//! proportions, it is first posed like the model at rest.

use super::bone_ratio::SHORT_BONE;
use crate::math::{Aabb, Affine3, Mat3, Quat, Vec3, func, max, min, unit_or};
use crate::{Clip, FileRepair, Interpolation, JointIndex, LocalTransform, Skeleton, Track, Tracks};
use crate::{Warning, is_same_rotation};
use std::collections::HashMap;
use std::sync::Arc;

/// Tolerance within which two lengths or scales are the same, as a fraction of the longest bone or
/// of the scale.
const SAME_SHARE: f32 = 5.0e-4;
/// Fraction of a body's height, from its lowest joint up, that contains its feet.
const FEET_SHARE: f32 = 0.05;
/// Fraction of the best fit by which rotating a body must fit better than not rotating it.
const CLEAR_SHARE: f32 = 0.01;

/// The same for a rotation against the best one before it, and for a mirror against a rotation.
const SLIGHT_SHARE: f32 = 1.0e-4;

/// Cosine of the angle within which two bones have the same direction on their parents.
const ALONG: f32 = 0.9;
/// Cosine of the angle to the vertical within which a bone is part of a leg.
const UPRIGHT: f32 = 0.8;
/// The directions of the axes.
const AXES: [Vec3; 6] = [Vec3::X, Vec3::NEG_X, Vec3::Y, Vec3::NEG_Y, Vec3::Z, Vec3::NEG_Z];

/// The rest pose of a skeleton.
pub(super) struct Rest<'s> {
    pub(super) skeleton: &'s Skeleton,
    /// On the parents.
    pub(super) locals: Vec<LocalTransform>,
    /// In model space.
    matrices: Vec<Affine3>,
    /// Rotations in model space.
    rotations: Vec<Quat>,
    /// The longest distance of a joint from its parent, in the units of the parents.
    longest: f32,
}

impl<'s> Rest<'s> {
    pub(super) fn of(skeleton: &'s Skeleton) -> Self {
        let locals: Vec<_> = (0..skeleton.len()).map(|joint| skeleton.rest(joint)).collect();
        let longest = locals.iter().map(|local| local.translation.length()).fold(0.0, max);
        let matrices = skeleton.joints().iter().map(|joint| joint.model_from_joint).collect();
        let mut rest = Self { skeleton, locals, matrices, rotations: Vec::new(), longest };
        for joint in 0..skeleton.len() {
            let own = rest.locals[joint].rotation;
            rest.rotations.push((rest.parent_rotation(joint) * own).normalize());
        }
        rest
    }

    fn parent(&self, joint: usize) -> Option<usize> {
        self.skeleton.joints()[joint].parent.map(JointIndex::index)
    }

    pub(super) fn place(&self, joint: usize) -> Vec3 {
        self.matrices[joint].translation
    }

    /// Rotation of the parent of a joint in model space.
    pub(super) fn parent_rotation(&self, joint: usize) -> Quat {
        self.parent(joint).map_or(Quat::IDENTITY, |parent| self.rotations[parent])
    }

    /// Axes of the parent of a joint in model space, of length 1: its rotation, and the mirrors
    /// above it.
    fn parent_frame(&self, joint: usize) -> Mat3 {
        let above = core::iter::successors(self.parent(joint), |&up| self.parent(up));
        let is_mirrored =
            above.map(|up| self.locals[up].scale).any(|scale| scale.min_element() < 0.0);
        if !is_mirrored {
            return Mat3::from_quat(self.parent_rotation(joint));
        }
        let axes = self.parent_axes(joint);
        Mat3::from_cols(
            unit_or(axes.x_axis, Vec3::X),
            unit_or(axes.y_axis, Vec3::Y),
            unit_or(axes.z_axis, Vec3::Z),
        )
    }

    /// A position of model space in the space of the parent of a joint.
    pub(super) fn on_parent(&self, joint: usize, place: Vec3) -> Vec3 {
        let parent = self.parent(joint);
        parent.map_or(place, |parent| self.matrices[parent].inverse().transform_point3(place))
    }

    /// Axes of the parent of a joint in model space.
    pub(super) fn parent_axes(&self, joint: usize) -> Mat3 {
        self.parent(joint).map_or(Mat3::IDENTITY, |parent| self.matrices[parent].matrix3)
    }

    /// Length of the bone from the parent of a joint to it.
    fn bone(&self, joint: usize) -> f32 {
        self.parent(joint).map_or(0.0, |parent| (self.place(joint) - self.place(parent)).length())
    }
}

/// Two skeletons and their common joints.
struct Pairing<'s> {
    /// Of the file of the clip.
    there: Rest<'s>,
    /// Of the model.
    here: Rest<'s>,
    /// Joints of both, in the order of the model.
    pairs: Vec<(usize, usize)>,
    /// For each joint of the model, the joint of the file.
    there_of: Vec<Option<usize>>,
    /// The tracks of the clip, by joint of the file.
    tracks: Vec<Option<&'s Tracks>>,
    /// Height by which the body of the file is lower than in its rest pose, if that pose was one of
    /// its clip.
    lift: f32,
    /// True if only the height of the file's hips at rest is known.
    is_free: bool,
}

/// Differences of two skeletons at rest.
#[derive(Default)]
struct Differences {
    /// Number of joints whose bones differ in length, direction relative to the parent, or scale.
    bones: usize,
    turned: usize,
    /// Joints that differ in any way, as pairs, each with the amount.
    all: Vec<((usize, usize), f32)>,
}

/// The hips and legs of a body.
struct Legs {
    hips: Option<usize>,
    /// Length of a leg of the model relative to the file.
    ratio: f32,
}

/// Converts the tracks of a clip to a model with a different skeleton, with a warning about it. The
/// tracks are none if the clip can be used unchanged; the warning is none if the difference would
/// not show in its numbers.
///
/// `rest` is the skeleton of the clip's file, `here_of` maps its joints to those of the model, and
/// `found` contains for each joint of the model the joint of the clip that moves it.
pub(super) fn carry(
    skeleton: &Skeleton,
    clip: &Clip,
    rest: &Skeleton,
    found: &[Option<JointIndex>],
    here_of: &[Option<usize>],
) -> (Option<Arc<[Tracks]>>, Option<Warning>) {
    let mut there_of = vec![None; skeleton.len()];
    for (there, here) in here_of.iter().enumerate() {
        if let Some(here) = *here {
            there_of[here] = there_of[here].or(Some(there));
        }
    }
    let pairs = there_of.iter().enumerate().filter_map(|(here, there)| Some(((*there)?, here)));
    let pairs = pairs.collect();
    let mut by_name: HashMap<&str, &Tracks> = HashMap::new();
    clip.joints.iter().for_each(|own| _ = by_name.entry(&own.name).or_insert(own));
    let of_joint = |joint: &crate::Joint| by_name.get(joint.name.as_str()).copied();
    let tracks = rest.joints().iter().map(of_joint).collect();
    let (there, here) = (Rest::of(rest), Rest::of(skeleton));
    let mut pairing = Pairing { there, here, pairs, there_of, tracks, lift: 0.0, is_free: false };
    let differences = pairing.differences();
    if differences.all.is_empty() {
        return (None, None);
    }
    let seen = pairing.told(&differences.all);
    let warning = |used: String| Some(FileRepair::OtherRest.told(format!("{}; {used}", seen?)));
    let is_posed = differences.bones == 0
        && (differences.turned * 2 <= pairing.pairs.len() || !pairing.has_same_places());
    if is_posed {
        let used = "the bones match, so the clip is used unchanged".to_owned();
        return (None, warning(used));
    }
    if pairing.is_of_a_moment(&differences) {
        pairing.stand();
    }
    let legs = pairing.legs();
    if rest.is_of_a_moment() {
        pairing.ground(&legs);
    }
    let joints = pairing.carried(clip, found, &legs);
    let hips = legs.hips.map_or("", |hips| skeleton.joints()[hips].name.as_str());
    let used = format!(
        "rotations are transferred between the rest poses, and the path of \"{hips}\" is scaled by {:.4}, the ratio of leg lengths; other positions come from the model",
        legs.ratio
    );
    (Some(joints), warning(used))
}

/// Two numbers with enough digits to show most differences.
fn figures(there: f32, here: f32) -> [String; 2] {
    let (mut digits, mut size) = (4, max(there, here) * 1.0e4);
    while digits < 9 && size < 1.0e4 {
        (digits, size) = (digits + 1, size * 10.0);
    }
    [there, here].map(|number| format!("{number:.digits$}"))
}

impl Pairing<'_> {
    /// True if the clip changes the position of a joint of the file relative to its parent.
    fn moves(&self, joint: usize) -> bool {
        let Some(track) = self.tracks[joint].map(|tracks| &tracks.translation) else {
            return false;
        };
        let is_spline = track.interpolation == Interpolation::CubicSpline && track.values.len() > 1;
        let (first, step) = if is_spline { (1, 3) } else { (0, 1) };
        let Some(&start) = track.values.get(first) else { return false };
        let (mut keys, still) =
            (track.values.iter().skip(first).step_by(step), self.there.longest * SAME_SHARE);
        keys.any(|key| (*key - start).length() > still)
    }

    /// Describes the difference of the rest poses at the joint with the largest difference that
    /// shows in its printed numbers. None if there is no such joint.
    fn told(&self, all: &[((usize, usize), f32)]) -> Option<String> {
        let mut sorted: Vec<_> = all.to_vec();
        sorted.sort_by(|a, b| b.1.total_cmp(&a.1));
        let (name, shown) = sorted.iter().find_map(|&((a, b), _)| {
            let (own, other) = (self.here.locals[b], self.there.locals[a]);
            let [there, here] = figures(self.there.bone(a), self.here.bone(b));
            let [large, small] = figures(other.scale.length(), own.scale.length());
            let ways = other.translation.length() * own.translation.length();
            let cosine =
                if ways > 0.0 { own.translation.dot(other.translation) / ways } else { 1.0 };
            let turns = [
                ("turned by", angle_deg(other.rotation, own.rotation)),
                ("its bone turned by", func::degrees(func::acos(max(min(cosine, 1.0), -1.0)))),
            ];
            let mut parts = Vec::new();
            if there != here {
                parts.push(format!("bone {there} there and {here} here"));
            }
            if large != small {
                parts.push(format!("scale {large} there and {small} here"));
            }
            let turned = turns.iter().filter(|(_, degrees)| *degrees >= 0.05);
            parts.extend(turned.map(|(what, degrees)| format!("{what} {degrees:.1}°")));
            let name = &self.here.skeleton.joints()[b].name;
            (!parts.is_empty()).then(|| (name, parts.join(", ")))
        })?;
        Some(format!(
            "the clip's rest pose differs from the model's in {} of {} joints, most in \"{name}\": {shown}",
            all.len(),
            self.pairs.len()
        ))
    }

    /// True if the rest pose of the file is only a pose of its clip, on the same axes as the model:
    /// the first pose, or any pose in files with no other.
    fn is_of_a_moment(&self, differences: &Differences) -> bool {
        let (mut keyed, mut same, mut bones, mut along) = (0, 0, 0, 0);
        for &(a, b) in &self.pairs {
            let (own, other) = (self.here.locals[b], self.there.locals[a]);
            let rotation = self.tracks[a].map(|tracks| &tracks.rotation);
            if let Some(rotation) = rotation.filter(|track| !track.values.is_empty()) {
                keyed += 1;
                let first =
                    if rotation.values.len() == 1 { rotation.values[0] } else { rotation.key(0) };
                same += usize::from(is_same_rotation(first, other.rotation));
            }
            let lengths = own.translation.length() * other.translation.length();
            if self.here.parent(b).is_some_and(|up| self.there_of[up].is_some()) && lengths > 0.0 {
                bones += 1;
                along += usize::from(own.translation.dot(other.translation) > lengths * ALONG);
            }
        }
        let is_first = differences.turned * 4 >= self.pairs.len() && same * 10 >= keyed * 9;
        (is_first || self.there.skeleton.is_of_a_moment()) && along * 10 >= bones * 9
    }

    /// Height of the lowest joint of the body of the file.
    fn lowest_there(&self) -> f32 {
        self.pairs.iter().map(|&(a, _)| self.there.place(a).y).fold(f32::INFINITY, min)
    }

    /// Places the body of a file over the origin, on the model's ground, because its pose does not
    /// define its place.
    fn ground(&mut self, legs: &Legs) {
        let own = self.pairs.iter().map(|&(_, b)| self.here.place(b).y).fold(f32::INFINITY, min);
        if own.abs() <= self.reach() * FEET_SHARE {
            (self.is_free, self.lift) = (true, own / legs.ratio - self.lowest_there());
        }
    }

    /// Poses the body of the file like the model at rest, with its feet at their height.
    fn stand(&mut self) {
        let before = self.lowest_there();
        let there = &mut self.there;
        for &(a, b) in &self.pairs {
            there.locals[a].rotation = self.here.locals[b].rotation;
        }
        for joint in 0..there.locals.len() {
            let (matrix, rotation) = (there.locals[joint].matrix(), there.locals[joint].rotation);
            let above = there.parent(joint).map(|parent| there.matrices[parent]);
            there.matrices[joint] = above.map_or(matrix, |above| above * matrix);
            there.rotations[joint] = (there.parent_rotation(joint) * rotation).normalize();
        }
        self.lift = before - self.lowest_there();
    }

    fn differences(&self) -> Differences {
        let (there, here) = (&self.there, &self.here);
        let mut found = Differences::default();
        for &(a, b) in &self.pairs {
            let (own, other) = (here.locals[b], there.locals[a]);
            let far = match (there.parent(a), here.parent(b)) {
                // A joint that the clip moves about is not a bone.
                (Some(parent), Some(up)) if self.there_of[up] == Some(parent) => {
                    let moved = (own.translation - other.translation).length();
                    if self.moves(a) { 0.0 } else { moved / max(here.longest, f32::MIN_POSITIVE) }
                }
                // Neither does the position of a root count, only the axes that it moves in.
                _ => {
                    let (own, other) = (here.parent_axes(b), there.parent_axes(a));
                    let size = max(own.x_axis.length(), f32::MIN_POSITIVE);
                    let columns = own.to_cols_array().into_iter().zip(other.to_cols_array());
                    columns.map(|(own, other)| (own - other).abs() / size).fold(0.0, max)
                }
            };
            let size = max(own.scale.length(), f32::MIN_POSITIVE);
            let far = max(far, (own.scale - other.scale).length() / size);
            let is_turned = !is_same_rotation(own.rotation, other.rotation);
            let is_other = far > SAME_SHARE;
            found.bones += usize::from(is_other);
            found.turned += usize::from(is_turned);
            let turn = 1.0 - own.rotation.dot(other.rotation).abs();
            let much = max(if is_other { far } else { 0.0 }, if is_turned { turn } else { 0.0 });
            if is_other || is_turned {
                found.all.push(((a, b), much));
            }
        }
        found
    }

    /// True if all joints have the same positions at the start, so that only their axes differ.
    fn has_same_places(&self) -> bool {
        let Some(&(first_there, first_here)) = self.pairs.first() else { return true };
        let from = (self.there.place(first_there), self.here.place(first_here));
        let reach = self.reach() * SAME_SHARE;
        self.pairs.iter().all(|&(a, b)| {
            let (there, here) = (self.there.place(a) - from.0, self.here.place(b) - from.1);
            (there - here).length() <= reach
        })
    }

    /// Diagonal of the box around the common joints of the model.
    fn reach(&self) -> f32 {
        self.pairs.iter().map(|&(_, here)| self.here.place(here)).collect::<Aabb>().diagonal()
    }

    fn legs(&self) -> Legs {
        let here = &self.here;
        let count = here.skeleton.len();
        let mut below = vec![0_usize; count];
        for joint in (0..count).rev() {
            below[joint] += usize::from(self.there_of[joint].is_some());
            if let Some(parent) = here.parent(joint) {
                below[parent] += below[joint];
            }
        }
        let mut depth = vec![0_usize; count];
        for joint in 0..count {
            depth[joint] = here.parent(joint).map_or(0, |parent| depth[parent] + 1);
        }
        let leaves =
            || self.pairs.iter().map(|&(_, joint)| joint).filter(|&joint| below[joint] == 1);
        let lowest = leaves().map(|joint| here.place(joint).y).fold(f32::INFINITY, min);
        let near = lowest + self.reach() * FEET_SHARE;
        // The foot with the longest chain upwards: others may be handles attached to the root.
        let feet = leaves().filter(|&joint| here.place(joint).y <= near);
        let foot = feet.rev().max_by_key(|&joint| depth[joint]);
        let Some(foot) = foot else { return Legs { hips: None, ratio: 1.0 } };
        let path = core::iter::successors(Some(foot), |&joint| here.parent(joint));
        let shared: Vec<(usize, usize)> =
            path.filter_map(|joint| Some((self.there_of[joint]?, joint))).collect();
        let is_hips = |&(_, joint): &(usize, usize)| below[joint] * 2 > self.pairs.len();
        let hips = shared.iter().position(is_hips).unwrap_or(shared.len() - 1);
        let bones: Vec<(f32, f32, bool)> = (shared[..=hips].windows(2))
            .map(|pair| {
                let there = self.there.place(pair[0].0) - self.there.place(pair[1].0);
                let own = here.place(pair[0].1) - here.place(pair[1].1);
                (there.length(), own.length(), own.y.abs() >= own.length() * UPRIGHT)
            })
            .collect();
        // Neither the width of the hips nor the foot counts as part of the leg.
        let is_any = bones.iter().any(|&(_, _, is_upright)| is_upright);
        let counted = bones.iter().filter(|&&(_, _, is_upright)| is_upright || !is_any);
        let sum = counted.fold((0.0, 0.0), |sum, &(there, own, _)| (sum.0 + there, sum.1 + own));
        let is_long = sum.0 > 0.0 && sum.1 > self.reach() * SHORT_BONE;
        Legs { hips: Some(shared[hips].1), ratio: if is_long { sum.1 / sum.0 } else { 1.0 } }
    }

    /// The rotation by quarters that turns the body of the file to face like the model; with a
    /// mirror if it is mirrored.
    fn turn(&self) -> Mat3 {
        let center = |places: &mut dyn Iterator<Item = Vec3>| {
            let (sum, count) = places
                .fold((Vec3::ZERO, 0.0_f32), |(sum, count), place| (sum + place, count + 1.0));
            sum / max(count, 1.0)
        };
        let there = center(&mut self.pairs.iter().map(|&(a, _)| self.there.place(a)));
        let here = center(&mut self.pairs.iter().map(|&(_, b)| self.here.place(b)));
        let (mut columns, mut best) = ([Vec3::ZERO; 3], 0.0);
        for &(a, b) in &self.pairs {
            let (own, other) = (self.here.place(b) - here, self.there.place(a) - there);
            best += own.length() * other.length();
            for (column, part) in columns.iter_mut().zip(other.to_array()) {
                *column += own * part;
            }
        }
        let fit = |turn: &Mat3| {
            turn.x_axis.dot(columns[0]) + turn.y_axis.dot(columns[1]) + turn.z_axis.dot(columns[2])
        };
        let mut chosen = (Mat3::IDENTITY, fit(&Mat3::IDENTITY) + best * CLEAR_SHARE);
        // A flat body could be either mirrored or turned around: its file states that it faces the
        // same way as the model.
        let sides = Mat3::from_diagonal(Vec3::new(-1.0, 1.0, 1.0));
        let mut try_turn = |turn: Mat3, lead: f32| {
            let fit = fit(&turn);
            if fit > chosen.1 + best * lead {
                chosen = (turn, fit);
            }
        };
        try_turn(sides, 0.0);
        for mirror in [1.0, -1.0] {
            for x in AXES {
                for y in AXES.into_iter().filter(|y| y.dot(x) == 0.0) {
                    try_turn(Mat3::from_cols(x, y, x.cross(y) * mirror), SLIGHT_SHARE);
                }
            }
        }
        chosen.0
    }

    /// The tracks of a clip for the model.
    fn carried(&self, clip: &Clip, found: &[Option<JointIndex>], legs: &Legs) -> Arc<[Tracks]> {
        let (there, here) = (&self.there, &self.here);
        let turn = self.turn();
        let hips: Vec<usize> = legs.hips.into_iter().collect();
        let below = here.skeleton.descendants(&hips);
        let mut joints = clip.joints.to_vec();
        for (own, driver) in found.iter().enumerate() {
            let Some(tracks) = driver.and_then(|driver| joints.get_mut(driver.index())) else {
                continue;
            };
            let Some(other) = self.there_of[own] else { continue };
            let (from, to) = (there.locals[other], here.locals[own]);
            // A mirror is replaced by its opposite, which turns in the same way.
            let between = here.parent_frame(own).transpose() * turn * there.parent_frame(other);
            let between = if between.determinant() < 0.0 { between * -1.0 } else { between };
            let before = Quat::from_mat3(&between).normalize();
            let after = from.rotation.inverse() * before.inverse() * to.rotation;
            let rotated = |q: Quat| before * q * after;
            tracks.rotation = mapped(&tracks.rotation, &rotated, &rotated);
            let way =
                here.parent_axes(own).inverse() * turn * there.parent_axes(other) * legs.ratio;
            let is_hips = legs.hips == Some(own);
            let is_free = !below[own] || is_hips || self.moves(other);
            let mut start = there.place(other) + Vec3::Y * self.lift;
            let mut goal = to.translation;
            if is_hips && self.is_free {
                (start.x, start.z) = (0.0, 0.0);
                let here_at = here.place(own);
                goal = here.on_parent(own, Vec3::new(0.0, here_at.y, 0.0));
            }
            let start = there.on_parent(other, start);
            let counts = is_hips && (self.is_free || self.lift != 0.0) && start.is_finite();
            let start = if counts { start } else { from.translation };
            let goal = if goal.is_finite() { goal } else { to.translation };
            tracks.translation = if is_free && way.is_finite() {
                mapped(&tracks.translation, &|place| goal + way * (place - start), &|tangent| {
                    way * tangent
                })
            } else {
                Track::unset()
            };
            // Components of the axes there in each axis here.
            let axes = Mat3::from_quat(after);
            let shares =
                Mat3::from_cols_array(&axes.to_cols_array().map(|part| part * part)).transpose();
            let scaled = |scale: Vec3| {
                let grown = scale / from.scale;
                to.scale * (shares * if grown.is_finite() { grown } else { scale })
            };
            tracks.scale = mapped(&tracks.scale, &scaled, &scaled);
        }
        Arc::from(joints)
    }
}

/// A track with its values and its tangents mapped.
pub(super) fn mapped<T: Copy>(
    track: &Track<T>,
    value: &dyn Fn(T) -> T,
    tangent: &dyn Fn(T) -> T,
) -> Track<T> {
    let is_spline = track.interpolation == Interpolation::CubicSpline && track.values.len() > 1;
    let change = |(index, &own): (usize, &T)| {
        if is_spline && index % 3 != 1 { tangent(own) } else { value(own) }
    };
    let values = track.values.iter().enumerate().map(change).collect();
    Track { times_s: Arc::clone(&track.times_s), values, interpolation: track.interpolation }
}

/// The angle between two rotations in degrees.
fn angle_deg(a: Quat, b: Quat) -> f32 {
    let cosine = min(a.dot(b).abs(), 1.0);
    func::degrees(2.0 * func::acos(cosine))
}

#[cfg(test)]
mod tests;
