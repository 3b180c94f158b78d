//! A clip beside the model that it is to move.

use super::bounds;
use super::gathered::of_joints;
use super::kind::Kind;
use super::problem::{Place, Problem};
use tintype_model::math::Vec3;
use tintype_model::pose::{Binding, bind_clip};
use tintype_model::{Clip, ClipOptions, JointIndex, Model, MorphTrack, Tracks};

/// A scale that misses 1 by more than this counts.
const SCALE_TOLERANCE: f32 = 1.0e-3;
/// Bones between this many times and one part in as many of the model's length are the same bones.
const LENGTH_RATIO: f32 = 1.25;
/// So many bones must agree on another length: one or two may be meant to stretch.
const BONES_THAT_TELL: usize = 5;
/// A bone shorter than this share of the longest has no length to speak of.
const SHORT_BONE: f32 = 1.0e-3;

/// Looks a clip over, beside the model if there is one; `name` is what it is called.
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
                problems.extend(bounds::check(name, clip, model, &binding));
            }
        }
    }
    let is_morphing = clip.morphs.iter().any(MorphTrack::is_moving);
    if !is_morphing && !clip.joints.iter().any(Tracks::is_moving) {
        problems.push(of_clip(Problem::new(Kind::ClipStill, 1, 1, "")));
    }
    problems.extend(scaled(name, clip));
    let [rotations, odd] = options.rotations;
    if odd > 0 {
        problems.push(of_clip(Problem::new(Kind::RotationLength, odd, rotations, "")));
    }
    problems.sort_by_key(|problem| problem.kind);
    problems
}

/// Differences between the joints of a clip that fits and those of its model, which are paired as in a pose.
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
    // Clips without a hierarchy move what they name, which is all that is expected of them.
    if clip.is_local {
        return problems;
    }
    let missing = joints.iter().zip(&driver).filter(|(_, driver)| driver.is_none());
    let missing: Vec<String> = missing.map(|(joint, _)| joint.name.clone()).collect();
    problems.extend(of_joints(Kind::ClipMissingJoint, missing, joints.len(), Some(name)));

    let mut other_parent = Vec::new();
    for (joint, place) in joints.iter().zip(&driver) {
        let Some(tracks) = place.and_then(|place| clip.joints.get(place)) else { continue };
        // A parent that only one of the two has is reported already.
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
        format!("{joint}, on {theirs} in the clip, on {own} in the model")
    });
    let names = other_parent.into_iter().map(|(joint, ..)| joint).collect();
    problems.extend(
        of_joints(Kind::ClipOtherParent, names, joints.len(), Some(name))
            .map(|problem| Problem { first: first.unwrap_or_default(), ..problem }),
    );
    problems.extend(other_size(name, clip, model, &driver));
    problems
}

/// The median of how much longer bones are in the clip than in the model, where it is far from 1.
fn other_size(name: &str, clip: &Clip, model: &Model, driver: &[Option<usize>]) -> Option<Problem> {
    let joints = model.skeleton.joints();
    let bones = model.skeleton.parent_from_joint().iter().zip(joints).zip(driver);
    let lengths: Vec<(f32, f32)> = bones
        .filter(|((_, joint), _)| joint.parent.is_some())
        .filter_map(|((bind, _), driver)| {
            let first: &Vec3 = clip.joints.get((*driver)?)?.translation.values.first()?;
            Some((bind.translation.length(), first.length()))
        })
        .collect();
    let longest =
        lengths.iter().fold(0.0_f32, |most, (own, _)| tintype_model::math::max(most, *own));
    let mut ratios: Vec<f32> = lengths
        .iter()
        .filter(|(own, _)| *own > longest * SHORT_BONE)
        .map(|(own, theirs)| theirs / own)
        .collect();
    ratios.sort_unstable_by(f32::total_cmp);
    let median = *ratios.get(ratios.len() / 2)?;
    let is_same = (1.0 / LENGTH_RATIO..=LENGTH_RATIO).contains(&median);
    (ratios.len() >= BONES_THAT_TELL && !is_same).then(|| {
        let place = Place { clip: Some(name.to_owned()), ..Place::default() };
        let detail = format!(": {median:.3} times as long, by the middle one of {}", ratios.len());
        Problem { places: vec![place], ..Problem::new(Kind::ClipOtherSize, 1, 1, &detail) }
    })
}

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
