//! Layers of clips over a pose: several clips mixed by weight, and laid over a pose on some of its
//! joints.
//!
//! Each layer mixes its tracks joint by joint, relative to the parent, and the mix is laid over the
//! pose below it:
//!
//! - A track affects a joint if its weight `w` is above 0 and its clip moves the joint; parts of
//!   the joint that the clip does not set are those of the bind pose. A track without a clip is the
//!   bind pose of all joints.
//! - Translation and scale are the weighted mean. Rotations are applied one after the other, in the
//!   order of the tracks: `q = slerp(q, qᵢ, wᵢ / (w₁ + … + wᵢ))`, each along the shorter arc; with
//!   three or more the result depends on this order.
//! - The mix is layered over the pose below by the weight of the layer: `lerp` and `slerp` with
//!   that weight. A joint without a track keeps the pose below.
//!
//! The tracks of one priority of Direct3D's `ID3DXAnimationController` form a layer; its priority
//! blend is the weight of the high-priority layer.

use super::binding::Binding;
use super::express::express;
use super::parts::{Parts, local_of};
use super::sample::{sample_expressions, sample_morphs, sample_parts};
use crate::math::Affine3;
use crate::{Clip, Pose, Skeleton};

/// A clip in a mix.
#[derive(Clone, Copy, Debug)]
pub struct MixedClip<'a> {
    /// The clip, its binding, and a time from [`super::wrap_time`]. None for the bind pose.
    pub clip: Option<(&'a Clip, &'a Binding, f64)>,
    /// Its weight relative to the other clips, not below 0.
    pub weight: f32,
}

/// Clips that are mixed and laid over a pose.
#[derive(Clone, Debug)]
pub struct PoseLayer<'a> {
    /// The clips.
    pub mix: Vec<MixedClip<'a>>,
    /// Weight of the layer in its joints, 0 to 1.
    pub weight: f32,
    /// For each joint of the skeleton, true if the layer affects it. None for all joints.
    pub joints: Option<&'a [bool]>,
}

/// Lays layers over a pose, each over the result of those before it.
///
/// Joints not moved by a layer keep their transform relative to their parents; if no parent moves
/// either, their bits.
#[must_use]
pub fn lay_over(skeleton: &Skeleton, pose: &Pose, layers: &[PoseLayer<'_>]) -> Pose {
    let morphs = mixed_morphs(skeleton, pose, layers);
    let mut mixed: Vec<Option<Parts>> = vec![None; skeleton.len()];
    let mut below: Vec<Option<Parts>> = vec![None; skeleton.len()];
    for layer in layers.iter().filter(|layer| layer.weight > 0.0) {
        let sampled: Vec<(f32, Vec<Option<Parts>>)> = (layer.mix.iter())
            .filter(|track| track.weight > 0.0)
            .map(|track| (track.weight, parts_of(skeleton, track)))
            .collect();
        for index in 0..skeleton.len() {
            let is_reached = layer.joints.is_none_or(|joints| joints[index]);
            let Some(over) = is_reached.then(|| mean(&sampled, index)).flatten() else { continue };
            mixed[index] = Some(if layer.weight < 1.0 {
                let parts = below[index].get_or_insert_with(|| below_of(skeleton, pose, index));
                mixed[index].unwrap_or(*parts).toward(&over, layer.weight)
            } else {
                over
            });
        }
    }
    let expressions = pose.expressions.clone();
    let mut laid = Pose { morphs, expressions, ..assembled(skeleton, pose, &mixed) };
    lay_expressions(skeleton, &mut laid, layers);
    laid
}

/// Joints of a pose by the transforms of those that changed on their parents.
fn assembled(skeleton: &Skeleton, pose: &Pose, changed: &[Option<Parts>]) -> Pose {
    let mut matrices: Vec<Affine3> = Vec::with_capacity(skeleton.len());
    let mut is_moved = vec![false; skeleton.len()];
    for (index, joint) in skeleton.joints().iter().enumerate() {
        let follows = joint.parent.is_some_and(|parent| is_moved[parent.index()]);
        is_moved[index] = follows || changed[index].is_some();
        let local = match &changed[index] {
            Some(parts) => parts.matrix(),
            None if follows => local_of(skeleton, pose, index),
            None => {
                matrices.push(pose.matrices[index]);
                continue;
            }
        };
        matrices.push(match joint.parent {
            Some(parent) => matrices[parent.index()] * local,
            None => local,
        });
    }
    Pose::new(matrices)
}

/// Weights of morph targets under all layers, by the rule of positions.
fn mixed_morphs(skeleton: &Skeleton, pose: &Pose, layers: &[PoseLayer<'_>]) -> Vec<f32> {
    let mut weights = pose.morphs.clone();
    let slots = skeleton.morphs();
    let sample = |track: &MixedClip<'_>| match track.clip {
        Some((clip, binding, moment_s)) => sample_morphs(clip, binding, moment_s),
        None => slots.iter().map(|slot| Some(slot.rest)).collect(),
    };
    mix(&mut weights, layers, &sample, &|joints, index| joints[slots[index].joint.index()]);
    weights
}

/// Layers the expressions over those of a pose; a layer of selected joints has none.
fn lay_expressions(skeleton: &Skeleton, pose: &mut Pose, layers: &[PoseLayer<'_>]) {
    let mut tracks = layers.iter().flat_map(|layer| &layer.mix).filter_map(|track| track.clip);
    if !tracks.any(|(_, binding, _)| !binding.expressions.is_empty()) {
        return;
    }
    let count = skeleton.expressions().len();
    let mut weights = pose.expressions.clone();
    weights.resize(count, 0.0);
    let before = weights.clone();
    let sample = |track: &MixedClip<'_>| {
        let Some((clip, binding, moment_s)) = track.clip else { return vec![Some(0.0); count] };
        let mut found = vec![None; count];
        for (index, weight) in sample_expressions(clip, binding, moment_s) {
            found[index] = Some(weight);
        }
        found
    };
    mix(&mut weights, layers, &sample, &|_, _| false);
    let changed = weights.into_iter().enumerate().filter(|(index, own)| before[*index] != *own);
    express(skeleton, pose, &changed.collect::<Vec<_>>());
}

/// Mixes weights of the tracks of each layer, and lays them over the existing ones; `is_reached` is
/// true for the weights of joints of the layer.
fn mix(
    weights: &mut [f32],
    layers: &[PoseLayer<'_>],
    sample: &dyn Fn(&MixedClip<'_>) -> Vec<Option<f32>>,
    is_reached: &dyn Fn(&[bool], usize) -> bool,
) {
    if weights.is_empty() {
        return;
    }
    for layer in layers.iter().filter(|layer| layer.weight > 0.0) {
        let mut sums = vec![(0.0_f32, 0.0_f32); weights.len()];
        for track in layer.mix.iter().filter(|track| track.weight > 0.0) {
            for ((total, sum), weight) in sums.iter_mut().zip(sample(track)) {
                if let Some(weight) = weight {
                    (*total, *sum) = (*total + track.weight, *sum + weight * track.weight);
                }
            }
        }
        for (index, (weight, (total, sum))) in weights.iter_mut().zip(sums).enumerate() {
            let is_reached = layer.joints.is_none_or(|joints| is_reached(joints, index));
            if is_reached && total > 0.0 {
                *weight += (sum / total - *weight) * layer.weight;
            }
        }
    }
}

fn parts_of(skeleton: &Skeleton, track: &MixedClip<'_>) -> Vec<Option<Parts>> {
    match track.clip {
        Some((clip, binding, moment_s)) => sample_parts(skeleton, clip, binding, moment_s),
        None => skeleton.parent_from_joint().iter().map(|local| Some(Parts::of(*local))).collect(),
    }
}

/// The mean of the tracks that move a joint.
fn mean(sampled: &[(f32, Vec<Option<Parts>>)], joint: usize) -> Option<Parts> {
    let mut total = 0.0_f32;
    let mut mean: Option<Parts> = None;
    for (weight, parts) in sampled {
        let Some(parts) = &parts[joint] else { continue };
        total += weight;
        mean = Some(match mean {
            None => *parts,
            Some(mean) => mean.toward(parts, weight / total),
        });
    }
    mean
}

fn below_of(skeleton: &Skeleton, pose: &Pose, index: usize) -> Parts {
    Parts::of(local_of(skeleton, pose, index))
}
