//! A clip compared with the model that it should animate.

use super::bounds;
use super::kind::Kind;
use super::lint_problems::of_joints;
use super::problem::{Place, Problem};
use tintype_model::math::{Aabb, max};
use tintype_model::pose::{Binding, bind_clip, bone_ratio, sample_clip};
use tintype_model::skin::Extent;
use tintype_model::{Clip, ClipOptions, JointIndex, Model, MorphTrack, Tracks};

/// A scale that misses 1 by more than this counts.
const SCALE_TOLERANCE: f32 = 1.0e-3;
/// Maximum ratio of two lengths of a bone, relative to the length of the model, for the bones to
/// count as the same.
const LENGTH_RATIO: f32 = 1.25;
/// This many bones must agree on another length: one or two may stretch on purpose.
const BONES_THAT_TELL: usize = 5;
/// A factor beyond this, in either direction, is not another build of the same figure.
const UNAPPLIED_RATIO: f32 = 10.0;
/// Keys per second from which a clip is a flicker: no exporter samples so densely.
const STROBE_HZ: f64 = 480.0;
/// Minimum number of keys of such a clip: two at one time are a jump.
const STROBE_KEYS: usize = 50;
/// Distance by which a clip moves the model's centre away, in diagonals of the model.
const CARRIED: f32 = 2.0;

/// Checks a clip, with its model if there is one; `name` is its name.
#[must_use]
pub fn check_clip(
    name: &str,
    clip: &Clip,
    options: &ClipOptions,
    model: Option<&Model>,
) -> Vec<Problem> {
    let mut problems = Vec::new();
    let of_clip = |problem: Problem| {
        let place = Place { clip: Some(name.to_owned()), ..Place::default() };
        Problem { places: vec![place], ..problem }
    };
    if let Some(model) = model {
        match bind_clip(&model.skeleton, &model.meshes, clip) {
            Err(error) => {
                let problem = Problem::new(Kind::ClipMisfit, 1, 1, "");
                problems.push(of_clip(Problem { first: error.to_string(), ..problem }));
            }
            Ok((binding, _)) => {
                problems.extend(beside_model(name, clip, model, &binding));
                problems.extend(other_size(name, clip, model, &binding));
                problems.extend(bounds::check(name, clip, model, &binding));
                problems.extend(carried_away(name, clip, model, &binding));
            }
        }
    }
    let is_morphing = clip.morphs.iter().any(MorphTrack::is_moving);
    if !is_morphing && !clip.joints.iter().any(Tracks::is_moving) {
        problems.push(of_clip(Problem::new(Kind::ClipStill, 1, 1, "")));
    }
    problems.extend(scaled(name, clip));
    let (keys, length_s) = (clip.key_count(), clip.length_s());
    #[expect(clippy::cast_precision_loss, reason = "a count of keys")]
    let is_strobe = keys >= STROBE_KEYS && length_s > 0.0 && keys as f64 / length_s > STROBE_HZ;
    if is_strobe {
        let detail = format!(": {keys} in {length_s:.2} s");
        problems.push(of_clip(Problem::new(Kind::ClipStrobe, 1, 1, &detail)));
    }
    let [rotations, odd] = options.rotations;
    if odd > 0 {
        problems.push(of_clip(Problem::new(Kind::RotationLength, odd, rotations, "")));
    }
    problems.sort_by_key(|problem| problem.kind);
    problems
}

/// Differences between the joints of a fitting clip and those of its model, paired as in a pose.
fn beside_model(name: &str, clip: &Clip, model: &Model, binding: &Binding) -> Vec<Problem> {
    let joints = model.skeleton.joints();
    let driver: Vec<Option<usize>> =
        binding.driving_joints().map(|joint| joint.map(JointIndex::index)).collect();
    let mut drives = vec![false; clip.joints.len()];
    for &place in driver.iter().flatten() {
        drives[place] = true;
    }
    let extra = clip.joints.iter().zip(&drives).filter(|(_, drives)| !**drives);
    let extra: Vec<String> = extra.map(|(tracks, _)| tracks.name.clone()).collect();
    let mut problems = Vec::new();
    let clip_joints = clip.joints.len();
    problems.extend(of_joints(Kind::ClipExtraJoint, extra, clip_joints, Some(name)));
    // Clips without a hierarchy move only the joints that they name, as expected.
    if clip.is_local {
        return problems;
    }
    let missing = joints.iter().zip(&driver).filter(|(_, driver)| driver.is_none());
    let missing: Vec<String> = missing.map(|(joint, _)| joint.name.clone()).collect();
    problems.extend(of_joints(Kind::ClipMissingJoint, missing, joints.len(), Some(name)));

    let mut other_parent = Vec::new();
    for (joint, place) in joints.iter().zip(&driver) {
        let Some(tracks) = place.and_then(|place| clip.joints.get(place)) else { continue };
        // A parent that only one of the two has is already reported.
        let own = joint.parent.map(JointIndex::index);
        let theirs = tracks.parent.map(JointIndex::index);
        let is_told = own.is_some_and(|own| driver[own].is_none())
            || theirs.is_some_and(|theirs| !drives[theirs]);
        if !is_told && own.and_then(|own| driver[own]) != theirs {
            let own = own.map(|own| joints[own].name.as_str());
            let theirs = theirs.map(|theirs| clip.joints[theirs].name.as_str());
            let words = |parent: Option<&str>| parent.unwrap_or("nothing").to_owned();
            other_parent.push((joint.name.clone(), words(theirs), words(own)));
        }
    }
    let first = other_parent.first().map(|(joint, theirs, own)| {
        format!("{joint}, parent {theirs} in the clip, {own} in the model")
    });
    let names = other_parent.into_iter().map(|(joint, ..)| joint).collect();
    problems.extend(
        of_joints(Kind::ClipOtherParent, names, joints.len(), Some(name))
            .map(|problem| Problem { first: first.unwrap_or_default(), ..problem }),
    );
    problems
}

/// The median ratio of bone lengths between the first pose of the clip and the model, if it is far
/// from 1.
fn other_size(name: &str, clip: &Clip, model: &Model, binding: &Binding) -> Option<Problem> {
    let pose = sample_clip(&model.skeleton, clip, binding, clip.start_s);
    let driving: Vec<bool> = binding.driving_joints().map(|joint| joint.is_some()).collect();
    let (median, bones) = bone_ratio(&model.skeleton, &pose, |joint| driving[joint])?;
    let is_same = (1.0 / LENGTH_RATIO..=LENGTH_RATIO).contains(&median);
    (bones >= BONES_THAT_TELL && !is_same).then(|| {
        let place = Place { clip: Some(name.to_owned()), ..Place::default() };
        let is_far = !(1.0 / UNAPPLIED_RATIO..=UNAPPLIED_RATIO).contains(&median);
        let why = if is_far { "; a scale was not applied" } else { "" };
        let detail = format!(": {median:.3} times as long (median of {bones}){why}");
        Problem { places: vec![place], ..Problem::new(Kind::ClipOtherSize, 1, 1, &detail) }
    })
}

/// The distance by which a clip moves the centre of a model from its start, if it is large.
fn carried_away(name: &str, clip: &Clip, model: &Model, binding: &Binding) -> Option<Problem> {
    let extents: Vec<Extent> = model.meshes.iter().map(Extent::new).collect();
    let around = |moment_s: f64| {
        let mut bounds = Aabb::EMPTY;
        let pose = sample_clip(&model.skeleton, clip, binding, moment_s);
        extents.iter().for_each(|extent| extent.grow(&pose, &mut bounds));
        bounds
    };
    let first = around(clip.start_s);
    let times_s = clip.key_times_s.get(clip.keys.clone())?;
    let step = times_s.len().div_ceil(MEASURED).max(1);
    let distance = |&moment_s: &f64| (around(moment_s).center() - first.center()).length();
    let moments = times_s.iter().step_by(step).chain(times_s.last());
    let farthest = moments.map(distance).fold(0.0, max);
    let is_away =
        !first.is_empty() && first.diagonal() > 0.0 && farthest > CARRIED * first.diagonal();
    is_away.then(|| {
        let place = Place { clip: Some(name.to_owned()), ..Place::default() };
        let detail = format!(", by {:.1} times its size", farthest / first.diagonal());
        Problem { places: vec![place], ..Problem::new(Kind::ClipCarries, 1, 1, &detail) }
    })
}

/// Number of measured times.
const MEASURED: usize = 24;

/// Joints that a clip scales.
fn scaled(name: &str, clip: &Clip) -> Option<Problem> {
    let (mut least, mut most) = (f32::INFINITY, f32::NEG_INFINITY);
    let mut is_uneven = false;
    let mut names = Vec::new();
    for tracks in clip.joints.iter() {
        let mut is_scaled = false;
        for scale in &tracks.scale.values {
            let axes = scale.to_array();
            if axes.iter().any(|axis| (axis - 1.0).abs() > SCALE_TOLERANCE) {
                is_scaled = true;
                for axis in axes {
                    least = tintype_model::math::min(least, axis);
                    most = tintype_model::math::max(most, axis);
                }
                is_uneven |= axes.iter().any(|axis| (axis - axes[0]).abs() > SCALE_TOLERANCE);
            }
        }
        if is_scaled {
            names.push(tracks.name.clone());
        }
    }
    let problem = of_joints(Kind::ScaleKeys, names, clip.joints.len(), Some(name))?;
    let uneven = if is_uneven { ", along some axes more than others" } else { "" };
    let message = format!("{}, by {least:.3} to {most:.3}{uneven}", problem.message);
    Some(Problem { message, ..problem })
}
