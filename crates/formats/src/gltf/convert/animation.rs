//! Animations become clips without a hierarchy of their own: each channel moves a part of the transform of one node.
//!
//! A clip runs from 0 to its last key, as players of the format loop it.

use super::channel::{VISIBLE, target_of};
use super::morph::{name_of_switch, target_count, target_names};
use super::names::Names;
use super::node::{Nodes, to_f32};
use super::source::Source;
use crate::gltf::accessor::{Integers, Numbers};
use crate::gltf::buffer::missing;
use crate::gltf::document::{Animation, Channel, Document};
use crate::gltf::error::GltfError;
use crate::gltf::number::Whole;
use crate::gltf::path::JsonPath;
use crate::{LimitName, LoadOptions};
use std::collections::BTreeMap;
use std::sync::Arc;
use tintype_model::math::{Aabb, Quat, Vec3};
use tintype_model::{
    Clip, ClipOptions, Interpolation, MorphTrack, NamedClip, SAME_POSITION_SHARE, Track, Tracks,
    Warning, Wrap, is_same_rotation,
};

/// Key times whose gaps differ by less than this share of the first gap are even.
const EVEN: f64 = 1.0e-3;

/// Builds the clips of the document, in file order.
///
/// # Errors
/// [`GltfError`] with the path of the channel or sampler that is wrong.
pub(super) fn build_clips(
    source: &Source,
    nodes: &Nodes,
    options: &LoadOptions,
    warnings: &mut Vec<Warning>,
) -> Result<Vec<NamedClip>, GltfError> {
    let list = JsonPath::root("animations");
    let most = options.limits.max_keys(source.file_bytes);
    let mut left = most;
    let mut clips = Vec::new();
    let names = clip_names(source.document);
    for ((index, animation), name) in source.document.animations.iter().enumerate().zip(names) {
        options.deadline.check("building clips")?;
        let path = list.index(index);
        let mut builder = ClipBuilder {
            source,
            nodes,
            animation,
            path: &path,
            times: BTreeMap::new(),
            left: &mut left,
            most,
        };
        let clip = builder.build(warnings)?;
        clips.push(NamedClip { name, clip, options: ClipOptions::default() });
    }
    Ok(clips)
}

/// Names of the clips of the document, each once.
pub(in crate::gltf) fn clip_names(document: &Document) -> Vec<String> {
    let mut names = Names::default();
    let animations = document.animations.iter().enumerate();
    animations.map(|(index, one)| names.unique(one.name.as_deref(), "animation", index)).collect()
}

struct ClipBuilder<'b> {
    source: &'b Source<'b>,
    nodes: &'b Nodes,
    animation: &'b Animation,
    path: &'b JsonPath<'b>,
    /// Key times by accessor, so that tracks with the same keys share them.
    times: BTreeMap<usize, Arc<[f64]>>,
    /// Keys that may still be read.
    left: &'b mut usize,
    most: usize,
}

impl ClipBuilder<'_> {
    fn build(&mut self, warnings: &mut Vec<Warning>) -> Result<Clip, GltfError> {
        let mut by_node: BTreeMap<usize, Tracks> = BTreeMap::new();
        let channels = self.path.key("channels");
        let mut outside = 0_usize;
        let mut morphs: Vec<MorphTrack> = Vec::new();
        for (place, channel) in self.animation.channels.iter().enumerate() {
            let at = channels.index(place);
            let Some((node, property)) = target_of(channel) else {
                outside += 1;
                continue;
            };
            let Some(name) = self.nodes.names.get(node.0) else {
                let count = self.source.document.nodes.len();
                return Err(missing(&at.key("target").key("node"), "the node", node, count));
            };
            let tracks = by_node.entry(node.0).or_insert_with(|| Tracks {
                name: name.clone(),
                parent: None,
                translation: Track::unset(),
                rotation: Track::unset(),
                scale: Track::unset(),
            });
            match property {
                "translation" => {
                    let track =
                        self.track(channel, "VEC3", Integers::Refused, &at, Vec3::from_array)?;
                    set(&mut tracks.translation, track, &at)?;
                }
                "scale" => {
                    let track =
                        self.track(channel, "VEC3", Integers::Refused, &at, Vec3::from_array)?;
                    set(&mut tracks.scale, track, &at)?;
                }
                "rotation" => {
                    let mut track =
                        self.track(channel, "VEC4", Integers::Normalized, &at, Quat::from_array)?;
                    make_unit(&mut track, &at)?;
                    set(&mut tracks.rotation, track, &at)?;
                }
                "weights" if self.lacks_targets(node.0) => {
                    let message = format!("{at}: its node has no morph targets; it is left out");
                    warnings.push(Warning::new(0, message));
                }
                "weights" => self.weights(node.0, channel, &at, &mut morphs)?,
                VISIBLE => {
                    let switch = self.switch(node.0, channel, &at)?;
                    let is_same = |known: &MorphTrack| {
                        (&known.joint, &known.name) == (&switch.joint, &switch.name)
                    };
                    if morphs.iter().any(is_same) {
                        return Err(set_twice(&at));
                    }
                    morphs.push(switch);
                }
                other => {
                    let expected = "translation, rotation, scale or weights";
                    let (at, found) = (at.key("target"), format!("{other:?}"));
                    return Err(GltfError::value(&at.key("path"), "the property", found, expected));
                }
            }
        }
        if outside > 0 {
            let message = format!(
                "{}: {outside} channels move something else than a node and are left out",
                self.path
            );
            warnings.push(Warning::new(0, message));
        }
        let joints = by_node.into_values().filter(|tracks| {
            !(tracks.translation.values.is_empty()
                && tracks.rotation.values.is_empty()
                && tracks.scale.values.is_empty())
        });
        Ok(self.clip(joints.collect(), morphs))
    }

    /// Whether a node has a mesh, and that no morph targets. Files of clips alone have no meshes.
    fn lacks_targets(&self, node: usize) -> bool {
        let document = self.source.document;
        let has_mesh = document.nodes.get(node).is_some_and(|node| node.mesh.is_some());
        has_mesh && target_count(document, node) == 0
    }

    /// The clip of these tracks; its time is that of all keys.
    fn clip(&self, joints: Vec<Tracks>, morphs: Vec<MorphTrack>) -> Clip {
        let mut times: Vec<f64> =
            self.times.values().flat_map(|times| times.iter().copied()).collect();
        times.sort_by(f64::total_cmp);
        times.dedup();
        let end_s = times.last().copied().unwrap_or(0.0);
        let key_rate_hz = match times[..] {
            [first, second, ..] => {
                let gap_s = second - first;
                let is_even = |pair: &[f64]| matches!(*pair, [a, b] if ((b - a) - gap_s).abs() <= gap_s * EVEN);
                times.windows(2).all(is_even).then(|| 1.0 / gap_s)
            }
            _ => None,
        };
        let places =
            self.nodes.skeleton.joints().iter().map(|joint| joint.model_from_joint.translation);
        let reach = places.collect::<Aabb>().diagonal() * SAME_POSITION_SHARE;
        Clip {
            closes: joints.iter().all(|tracks| closes(tracks, reach))
                && morphs.iter().all(|track| returns(&track.weight)),
            joints: Arc::from(joints),
            morphs: Arc::from(morphs),
            is_local: true,
            start_s: 0.0,
            end_s,
            period_s: end_s,
            open_gap_s: 0.0,
            key_rate_hz,
            keys: 0..times.len(),
            key_times_s: Arc::from(times),
            wrap: Wrap::Loop,
            stated_boxes: Arc::from([]),
        }
    }

    /// Adds the weights of a channel, a track for each target of the node.
    fn weights(
        &mut self,
        node: usize,
        channel: &Channel,
        at: &JsonPath,
        morphs: &mut Vec<MorphTrack>,
    ) -> Result<(), GltfError> {
        let document = self.source.document;
        let joint = self.nodes.names.get(node).cloned().unwrap_or_default();
        let switch = name_of_switch(document, node);
        if morphs.iter().any(|known| known.joint == joint && known.name != switch) {
            return Err(set_twice(at));
        }
        let sampled = self.sampled(channel, "SCALAR", Integers::Normalized, at)?;
        let Sampled { times_s, numbers, per_key, interpolation, index } = sampled;
        let values = times_s.len() * per_key;
        let found = numbers.values.len();
        // A file of clips alone says nothing of the targets but this.
        let count = match target_count(document, node) {
            0 if found.is_multiple_of(values) => found / values,
            count => count,
        };
        if count.saturating_mul(values) != found || count == 0 {
            let samplers = self.path.key("samplers");
            let path = samplers.index(index);
            let (keys, expected) = (times_s.len(), count.saturating_mul(values));
            let expected =
                format!("{expected}, {per_key} for each of {keys} keys and {count} morph targets");
            return Err(GltfError::value(
                &path.key("output"),
                "the count of values",
                found,
                expected,
            ));
        }
        let names = target_names(document, node);
        for target in 0..count {
            let runs = numbers.values.chunks_exact(count);
            let own = runs.filter_map(|run| run.get(target).copied()).collect();
            morphs.push(MorphTrack {
                joint: joint.clone(),
                target,
                name: names.get(target).cloned().unwrap_or_default(),
                weight: track_of(Arc::clone(&times_s), own, interpolation),
            });
        }
        Ok(())
    }

    /// The switch of the visibility of a node.
    fn switch(
        &mut self,
        node: usize,
        channel: &Channel,
        at: &JsonPath,
    ) -> Result<MorphTrack, GltfError> {
        let weight = self.track(channel, "SCALAR", Integers::Any, at, |[number]| number)?;
        let document = self.source.document;
        Ok(MorphTrack {
            joint: self.nodes.names.get(node).cloned().unwrap_or_default(),
            target: target_count(document, node),
            name: name_of_switch(document, node),
            // A truth has no values between its keys.
            weight: Track { interpolation: Interpolation::Step, ..weight },
        })
    }

    /// The track of a channel.
    fn track<T: Copy, const N: usize>(
        &mut self,
        channel: &Channel,
        kind: &str,
        integers: Integers,
        at: &JsonPath,
        value: impl Fn([f32; N]) -> T,
    ) -> Result<Track<T>, GltfError> {
        let sampled = self.sampled(channel, kind, integers, at)?;
        let Sampled { times_s, numbers, per_key, interpolation, index } = sampled;
        if numbers.len() != times_s.len() * per_key {
            let expected = format!(
                "{}, {per_key} for each of {} keys",
                times_s.len() * per_key,
                times_s.len()
            );
            let samplers = self.path.key("samplers");
            let path = samplers.index(index);
            return Err(GltfError::value(
                &path.key("output"),
                "the count of values",
                numbers.len(),
                expected,
            ));
        }
        let (elements, _) = numbers.values.as_chunks();
        let values = elements.iter().map(|&element| value(element)).collect();
        Ok(track_of(times_s, values, interpolation))
    }

    /// Key times and values of the sampler of a channel.
    fn sampled(
        &mut self,
        channel: &Channel,
        kind: &str,
        integers: Integers,
        at: &JsonPath,
    ) -> Result<Sampled, GltfError> {
        let samplers = self.path.key("samplers");
        let Some(sampler) = self.animation.samplers.get(channel.sampler.0) else {
            let count = self.animation.samplers.len();
            return Err(missing(&at.key("sampler"), "the sampler", channel.sampler, count));
        };
        let path = samplers.index(channel.sampler.0);
        let interpolation = match sampler.interpolation.as_deref() {
            None | Some("LINEAR") => Interpolation::Linear,
            Some("STEP") => Interpolation::Step,
            Some("CUBICSPLINE") => Interpolation::CubicSpline,
            Some(other) => {
                let (found, expected) = (format!("{other:?}"), "LINEAR, STEP or CUBICSPLINE");
                return Err(GltfError::value(
                    &path.key("interpolation"),
                    "the interpolation",
                    found,
                    expected,
                ));
            }
        };
        let times_s = self.times(sampler.input, &path.key("input"))?;
        let at = path.key("output");
        let numbers: Numbers<f32> =
            self.source.accessors.reals(sampler.output, &[kind], integers, &at)?;
        let per_key = if interpolation == Interpolation::CubicSpline { 3 } else { 1 };
        Ok(Sampled { times_s, numbers, per_key, interpolation, index: channel.sampler.0 })
    }

    /// The key times of an accessor, rising.
    fn times(&mut self, index: Whole, at: &JsonPath) -> Result<Arc<[f64]>, GltfError> {
        if let Some(known) = self.times.get(&index.0) {
            return Ok(Arc::clone(known));
        }
        let numbers = self.source.accessors.reals(index, &["SCALAR"], Integers::Refused, at)?;
        let count = numbers.values.len();
        if count == 0 {
            return Err(GltfError::value(at, "the count of keys", 0, "at least 1"));
        }
        let Some(rest) = self.left.checked_sub(count) else {
            return Err(GltfError::Limit {
                path: at.to_string(),
                what: "keys of all clips",
                found: (self.most - *self.left).saturating_add(count),
                limit: self.most,
                option: Some(LimitName::Keys),
            });
        };
        *self.left = rest;
        let times: Vec<f64> = numbers.values.iter().map(|&time| f64::from(time)).collect();
        if let Some(&first) = times.first()
            && first < 0.0
        {
            return Err(GltfError::value(at, "the time of key 0", first, "at least 0"));
        }
        for (key, pair) in times.windows(2).enumerate() {
            if let [before, after] = *pair
                && after <= before
            {
                let expected = format!("more than {before}, the time of key {key}");
                return Err(GltfError::value(
                    at,
                    format!("the time of key {}", key + 1),
                    after,
                    expected,
                ));
            }
        }
        let times: Arc<[f64]> = Arc::from(times);
        self.times.insert(index.0, Arc::clone(&times));
        Ok(times)
    }
}

/// Key times and values of a sampler.
struct Sampled {
    times_s: Arc<[f64]>,
    numbers: Numbers<f32>,
    /// Values a key: three of a spline.
    per_key: usize,
    interpolation: Interpolation,
    /// The index of the sampler.
    index: usize,
}

/// A track of checked values.
fn track_of<T: Copy>(
    times_s: Arc<[f64]>,
    values: Vec<T>,
    interpolation: Interpolation,
) -> Track<T> {
    if times_s.len() == 1 && interpolation == Interpolation::CubicSpline {
        // One key has no span, so its tangents mean nothing.
        let values = values.get(1..2).unwrap_or_default().to_vec();
        return Track { times_s, values, interpolation: Interpolation::Linear };
    }
    Track { times_s, values, interpolation }
}

/// The first and the last value of a track.
fn ends<T: Copy>(track: &Track<T>) -> Option<(T, T)> {
    let last = track.times_s.len().checked_sub(1)?;
    Some((track.key(0), track.key(last)))
}

/// Whether the last weight of a target is its first.
fn returns(track: &Track<f32>) -> bool {
    ends(track).is_none_or(|(first, last)| (first - last).abs() <= SAME_POSITION_SHARE)
}

/// Whether the last values of a node are its first: positions within `reach`.
fn closes(tracks: &Tracks, reach: f32) -> bool {
    ends(&tracks.translation).is_none_or(|(first, last)| (first - last).length() <= reach)
        && ends(&tracks.scale)
            .is_none_or(|(first, last)| (first - last).length() <= SAME_POSITION_SHARE)
        && ends(&tracks.rotation).is_none_or(|(first, last)| is_same_rotation(first, last))
}

/// The error of a second channel for one property.
fn set_twice(at: &JsonPath) -> GltfError {
    let (found, expected) =
        ("that of an earlier channel", "one channel for each property of a node");
    GltfError::value(&at.key("target"), "the target", found, expected)
}

/// Sets a track that no other channel has set.
fn set<T>(slot: &mut Track<T>, track: Track<T>, at: &JsonPath) -> Result<(), GltfError> {
    if !slot.values.is_empty() {
        return Err(set_twice(at));
    }
    *slot = track;
    Ok(())
}

/// Makes the rotations of keys unit quaternions; the tangents of splines stay.
fn make_unit(track: &mut Track<Quat>, at: &JsonPath) -> Result<(), GltfError> {
    for (key, value) in track.keys_mut().enumerate() {
        let length = f64::from(value.length());
        if !(length > 0.0 && length.is_finite()) {
            let found = format!("{:?}", value.to_array());
            return Err(GltfError::value(
                &at.key("sampler"),
                format!("the rotation of key {key}"),
                found,
                "a unit quaternion",
            ));
        }
        *value *= to_f32(1.0 / length);
    }
    Ok(())
}
