//! Animations become clips without a separate hierarchy: each channel animates part of the
//! transform of one node.
//!
//! A clip runs from 0 to its last key, as players of the format loop it.

use super::channel::{Target, VISIBLE, target_of};
use super::morph::{name_of_switch, target_count, target_names};
use super::node::{Nodes, to_f32};
use super::property::Properties;
use super::rig::MOTION;
use super::source::Source;
use crate::LimitExceeded;
use crate::gltf::accessor::{IntegerPolicy, NonFiniteFallback, Numbers};
use crate::gltf::buffer::missing;
use crate::gltf::document::{Animation, Channel, Document};
use crate::gltf::error::GltfError;
use crate::gltf::faults::RepairLog;
use crate::gltf::number::JsonInteger;
use crate::gltf::path::JsonPath;
use crate::limit::KEYS_OF_ALL_CLIPS;
use crate::names::Names;
use crate::{LimitName, LoadOptions};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use tintype_base::printable::one_line;
use tintype_model::math::{Aabb, Quat, Vec3};
use tintype_model::{
    Clip, ClipOptions, FileRepair, Interpolation, MorphTrack, NamedClip, SAME_POSITION_SHARE,
    Track, Tracks, is_same_rotation,
};

/// Key times are even if their gaps differ by less than this fraction of the first gap.
const EVEN: f64 = 1.0e-3;

/// Builds the clips of the document, in file order. Channels that cannot be read are skipped.
///
/// # Errors
/// [`GltfError::Limit`] for too many keys.
pub(super) fn build_clips(
    source: &Source,
    nodes: &Nodes,
    properties: &Properties,
    options: &LoadOptions,
) -> Result<Vec<NamedClip>, GltfError> {
    let list = JsonPath::root("animations");
    let most = options.limits.max_keys(source.file_bytes);
    let mut left = most;
    let (mut clips, mut undrawn) = (Vec::new(), BTreeSet::new());
    let names = clip_names(source.document);
    for ((index, animation), name) in source.document.animations.iter().enumerate().zip(names) {
        options.deadline.check("building clips")?;
        let path = list.index(index);
        let mut builder = ClipBuilder {
            source,
            nodes,
            properties,
            undrawn: &mut undrawn,
            set: BTreeSet::new(),
            animation,
            path: &path,
            times: BTreeMap::new(),
            left: &mut left,
            most,
        };
        let clip = builder.build()?;
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
    properties: &'b Properties,
    /// Pointers to properties that are not drawn, each reported once.
    undrawn: &'b mut BTreeSet<String>,
    /// Pointers of the clip that have their tracks.
    set: BTreeSet<String>,
    animation: &'b Animation,
    path: &'b JsonPath<'b>,
    /// Key times by accessor, used by all tracks with the same keys.
    times: BTreeMap<usize, KeyTimes>,
    /// Keys that may still be read.
    left: &'b mut usize,
    most: usize,
}

impl ClipBuilder<'_> {
    fn build(&mut self) -> Result<Clip, GltfError> {
        let mut by_node: BTreeMap<usize, Tracks> = BTreeMap::new();
        let channels = self.path.key("channels");
        let faults = self.source.faults;
        let mut outside = 0_usize;
        let mut morphs: Vec<MorphTrack> = Vec::new();
        for (place, channel) in self.animation.channels.iter().enumerate() {
            let at = channels.index(place);
            let read = match target_of(channel) {
                Target::Node(node, property) => {
                    self.add_channel(node, property, channel, &at, (&mut by_node, &mut morphs))
                }
                Target::Pointer(pointer) => self.add_property(pointer, channel, &at, &mut morphs),
                Target::None => {
                    outside += 1;
                    continue;
                }
            };
            faults.part(FileRepair::BadChannel, read, "the channel is skipped")?;
        }
        self.read_motion(&mut by_node, &mut morphs);
        if outside > 0 {
            let message =
                format!("{}: {outside} channels do not target a node and are skipped", self.path);
            faults.tell(FileRepair::NoTarget, message);
        }
        let joints = by_node.into_values().filter(|tracks| {
            !(tracks.translation.values.is_empty()
                && tracks.rotation.values.is_empty()
                && tracks.scale.values.is_empty())
        });
        Ok(self.clip(joints.collect(), morphs))
    }

    /// In a file of clips for any human, takes the tracks of nodes that represent expressions and
    /// eyes: the position of a node along x is the weight of its expression.
    ///
    /// # Source
    /// VRM Consortium, `VRMC_vrm_animation-1.0`, "Expressions".
    fn read_motion(&self, by_node: &mut BTreeMap<usize, Tracks>, morphs: &mut Vec<MorphTrack>) {
        let Some(own) = self.source.document.extensions.get(MOTION) else { return };
        let node_of = |one: &serde_json::Value| usize::try_from(one["node"].as_u64()?).ok();
        let kinds = ["preset", "custom"].iter();
        let kinds = kinds.filter_map(|kind| own["expressions"][*kind].as_object());
        for (name, one) in kinds.flatten() {
            let Some(tracks) = node_of(one).and_then(|node| by_node.remove(&node)) else {
                continue;
            };
            let Track { times_s, values, interpolation } = tracks.translation;
            if !values.is_empty() {
                let values = values.into_iter().map(|place| place.x).collect();
                let weight = Track { times_s, values, interpolation };
                morphs.push(MorphTrack {
                    joint: String::new(),
                    target: 0,
                    name: name.clone(),
                    weight,
                });
            }
        }
        if node_of(&own["lookAt"]).is_some_and(|node| by_node.remove(&node).is_some()) {
            let message = format!("{}: the eyes' gaze direction is skipped", self.path);
            self.source.faults.tell(FileRepair::NoTarget, message);
        }
    }

    /// Adds the track of a channel to the tracks of its node.
    fn add_channel(
        &mut self,
        node: JsonInteger,
        property: &str,
        channel: &Channel,
        at: &JsonPath,
        (by_node, morphs): (&mut BTreeMap<usize, Tracks>, &mut Vec<MorphTrack>),
    ) -> Result<(), GltfError> {
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
                    self.track(channel, "VEC3", IntegerPolicy::Unusual, at, Vec3::from_array)?;
                set(&mut tracks.translation, track, at)
            }
            "scale" => {
                let track =
                    self.track(channel, "VEC3", IntegerPolicy::Unusual, at, Vec3::from_array)?;
                set(&mut tracks.scale, track, at)
            }
            "rotation" => {
                let mut track =
                    self.track(channel, "VEC4", IntegerPolicy::Normalized, at, Quat::from_array)?;
                make_unit(&mut track, at, self.source.faults)?;
                set(&mut tracks.rotation, track, at)
            }
            "weights" if self.lacks_targets(node.0) => {
                let message = format!("{at}: its node has no morph targets; skipped");
                self.source.faults.tell(FileRepair::NoTarget, message);
                Ok(())
            }
            "weights" => self.weights(node.0, channel, at, morphs),
            VISIBLE => {
                let switch = self.switch(node.0, channel, at)?;
                let is_same = |known: &MorphTrack| {
                    (&known.joint, &known.name) == (&switch.joint, &switch.name)
                };
                if morphs.iter().any(is_same) {
                    return Err(set_twice(at));
                }
                morphs.push(switch);
                Ok(())
            }
            other => {
                let expected = "translation, rotation, scale or weights";
                let (at, found) = (at.key("target"), format!("{other:?}"));
                Err(GltfError::value(&at.key("path"), "the property", found, expected))
            }
        }
    }

    /// Adds the tracks of the numbers of a property; reports a pointer to a property that is not
    /// drawn.
    fn add_property(
        &mut self,
        pointer: &str,
        channel: &Channel,
        at: &JsonPath,
        morphs: &mut Vec<MorphTrack>,
    ) -> Result<(), GltfError> {
        let Some(tracks) = self.properties.tracks.get(pointer) else {
            if self.undrawn.insert(pointer.to_owned()) {
                let pointer = one_line(pointer);
                let message = format!("{at}: {pointer} does not affect the picture; skipped");
                self.source.faults.tell(FileRepair::NoTarget, message);
            }
            return Ok(());
        };
        if !self.set.insert(pointer.to_owned()) {
            return Err(set_twice(at));
        }
        let integers = IntegerPolicy::Normalized;
        let track: Track<[f32; 4]> = match tracks.len() {
            1 => self.track(channel, "SCALAR", integers, at, |[x]| [x, 0.0, 0.0, 0.0])?,
            2 => self.track(channel, "VEC2", integers, at, |[x, y]| [x, y, 0.0, 0.0])?,
            3 => self.track(channel, "VEC3", integers, at, |[x, y, z]| [x, y, z, 0.0])?,
            _ => self.track(channel, "VEC4", integers, at, |all| all)?,
        };
        for (index, own) in tracks.iter().enumerate() {
            let values = track.values.iter().filter_map(|all| all.get(index).copied()).collect();
            let (times_s, interpolation) = (Arc::clone(&track.times_s), track.interpolation);
            morphs.push(MorphTrack {
                weight: Track { times_s, values, interpolation },
                ..own.clone()
            });
        }
        Ok(())
    }

    /// True if a node has a mesh without morph targets. Files with only clips have no meshes.
    fn lacks_targets(&self, node: usize) -> bool {
        let document = self.source.document;
        let has_mesh = document.nodes.get(node).is_some_and(|node| node.mesh.is_some());
        has_mesh && target_count(document, node) == 0
    }

    /// Makes the clip of these tracks; its time span follows from their keys.
    fn clip(&self, joints: Vec<Tracks>, morphs: Vec<MorphTrack>) -> Clip {
        // Tracks with common times count them once.
        let mut seen = BTreeSet::new();
        let lists = joints.iter().flat_map(|tracks| {
            [&tracks.translation.times_s, &tracks.rotation.times_s, &tracks.scale.times_s]
        });
        let lists = lists.chain(morphs.iter().map(|track| &track.weight.times_s));
        let lists = lists.filter(|times_s| seen.insert(times_s.as_ptr()));
        let mut times: Vec<f64> = lists.flat_map(|times_s| times_s.iter().copied()).collect();
        // A clip begins at 0, between the keys around it.
        times.retain(|&time| time >= 0.0);
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
            end_s,
            period_s: end_s,
            key_rate_hz,
            keys: 0..times.len(),
            key_times_s: Arc::from(times),
            ..Clip::default()
        }
    }

    /// Adds the weights of a channel, one track for each target of the node.
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
        let sampled = self.sampled(
            channel,
            &["SCALAR", "VEC2", "VEC3", "VEC4"],
            IntegerPolicy::Normalized,
            at,
        )?;
        let count = self.weights_per_key(node, &sampled)?;
        let Sampled { keys, mut numbers, per_key, interpolation, .. } = sampled;
        numbers.values.truncate(count.saturating_mul(keys.count * per_key));
        // A key has a run of values, one for each target; each target keeps the keys with a valid
        // value.
        let width = numbers.width;
        let bad = numbers.bad.iter().flat_map(|&element| element * width..(element + 1) * width);
        let bad = bad.filter(|place| is_value(place / count, per_key));
        let mut gone = vec![Vec::new(); count];
        for place in bad {
            gone.get_mut(place % count)
                .into_iter()
                .for_each(|keys| keys.push(place / count / per_key));
        }
        let names = target_names(document, node);
        let before = morphs.len();
        for (target, gone) in gone.into_iter().enumerate() {
            let runs = numbers.values.chunks_exact(count);
            let mut own = runs.filter_map(|run| run.get(target).copied()).collect();
            let keys = keys.clone().without(gone);
            keys.pick(&mut own, per_key);
            let times_s = keys.times_s;
            if times_s.is_empty() {
                continue;
            }
            morphs.push(MorphTrack {
                joint: joint.clone(),
                target,
                name: names.get(target).cloned().unwrap_or_default(),
                weight: track_of(times_s, own, interpolation),
            });
        }
        if morphs.len() == before { Err(no_keys(at)) } else { Ok(()) }
    }

    /// The number of morph targets of a node for which a sampler has values; more values are
    /// reported.
    fn weights_per_key(&self, node: usize, sampled: &Sampled) -> Result<usize, GltfError> {
        let Sampled { keys, numbers, per_key, index, .. } = sampled;
        let values = keys.count * per_key;
        let found = numbers.values.len();
        // A file with only clips has no other information about the targets.
        let count = match target_count(self.source.document, node) {
            0 if found.is_multiple_of(values) => found / values,
            count => count,
        };
        let needed = count.saturating_mul(values);
        if needed != found || count == 0 {
            let samplers = self.path.key("samplers");
            let path = samplers.index(*index);
            let expected = format!(
                "{needed}, {per_key} for each of {} keys and {count} morph targets",
                keys.count
            );
            let error =
                GltfError::value(&path.key("output"), "the count of values", found, expected);
            if found < needed || count == 0 {
                return Err(error);
            }
            let message = format!("{error}; the others are skipped");
            self.source.faults.tell(FileRepair::CountMismatch, message);
        }
        Ok(count)
    }

    /// The switch of the visibility of a node.
    fn switch(
        &mut self,
        node: usize,
        channel: &Channel,
        at: &JsonPath,
    ) -> Result<MorphTrack, GltfError> {
        let weight = self.track(channel, "SCALAR", IntegerPolicy::Any, at, |[number]| number)?;
        let document = self.source.document;
        Ok(MorphTrack {
            joint: self.nodes.names.get(node).cloned().unwrap_or_default(),
            target: target_count(document, node),
            name: name_of_switch(document, node),
            // A boolean has no values between its keys.
            weight: Track { interpolation: Interpolation::Step, ..weight },
        })
    }

    /// The track of a channel.
    fn track<T: Copy, const N: usize>(
        &mut self,
        channel: &Channel,
        kind: &str,
        integers: IntegerPolicy,
        at: &JsonPath,
        value: impl Fn([f32; N]) -> T,
    ) -> Result<Track<T>, GltfError> {
        let sampled = self.sampled(channel, &[kind], integers, at)?;
        let Sampled { mut keys, mut numbers, per_key, interpolation, index } = sampled;
        let needed = keys.count * per_key;
        if numbers.len() != needed {
            let expected = format!("{needed}, {per_key} for each of {} keys", keys.count);
            let samplers = self.path.key("samplers");
            let path = samplers.index(index);
            let (at, found) = (path.key("output"), numbers.len());
            let error = GltfError::value(&at, "the count of values", found, expected);
            // Values for an interpolation other than the sampler's would be taken for keys.
            if found < per_key || found == keys.count * 3 {
                return Err(error);
            }
            let message = format!("{error}; only complete keys are used");
            self.source.faults.tell(FileRepair::CountMismatch, message);
            let end = keys.count;
            keys = keys.without(numbers.len() / per_key..end);
        }
        let bad = numbers.bad.iter().filter(|element| is_value(**element, per_key));
        let keys = keys.without(bad.map(|&element| element / per_key));
        keys.pick(&mut numbers.values, per_key * N);
        if keys.times_s.is_empty() {
            return Err(no_keys(at));
        }
        let (elements, _) = numbers.values.as_chunks();
        let values = elements.iter().map(|&element| value(element)).collect();
        Ok(track_of(keys.times_s, values, interpolation))
    }

    /// Key times and values of the sampler of a channel.
    fn sampled(
        &mut self,
        channel: &Channel,
        kinds: &[&str],
        integers: IntegerPolicy,
        at: &JsonPath,
    ) -> Result<Sampled, GltfError> {
        let samplers = self.path.key("samplers");
        let Some(sampler) = self.animation.samplers.get(channel.sampler.0) else {
            let count = self.animation.samplers.len();
            return Err(missing(&at.key("sampler"), "the sampler", channel.sampler, count));
        };
        let path = samplers.index(channel.sampler.0);
        let word = sampler.interpolation.as_deref().unwrap_or("LINEAR");
        let (interpolation, used) = match word.to_ascii_uppercase().as_str() {
            "STEP" => (Interpolation::Step, "STEP"),
            "CUBICSPLINE" => (Interpolation::CubicSpline, "CUBICSPLINE"),
            _ => (Interpolation::Linear, "LINEAR"),
        };
        if word != used {
            let (at, found) = (path.key("interpolation"), format!("{word:?}"));
            let expected = "LINEAR, STEP or CUBICSPLINE";
            let error = GltfError::value(&at, "the interpolation", found, expected);
            self.source.faults.tell(FileRepair::WrongType, format!("{error}; read as {used}"));
        }
        let keys = self.times(sampler.input, &path.key("input"))?;
        let at = path.key("output");
        let (per_key, used) = match interpolation {
            Interpolation::CubicSpline => (3, "their keys are skipped; tangents are set to 0"),
            _ => (1, "their keys are skipped"),
        };
        let instead = NonFiniteFallback(0.0, used);
        let numbers: Numbers<f32> =
            self.source.accessors.reals(sampler.output, kinds, integers, &at, instead)?;
        Ok(Sampled { keys, numbers, per_key, interpolation, index: channel.sampler.0 })
    }

    /// The key times of an accessor, in their order.
    fn times(&mut self, index: JsonInteger, at: &JsonPath) -> Result<KeyTimes, GltfError> {
        if let Some(known) = self.times.get(&index.0) {
            return Ok(known.clone());
        }
        let (accessors, faults) = (&self.source.accessors, self.source.faults);
        let instead = NonFiniteFallback(f32::NAN, "their keys are skipped");
        let numbers = accessors.reals(index, &["SCALAR"], IntegerPolicy::Unusual, at, instead)?;
        let count = numbers.values.len();
        if count == 0 {
            return Err(GltfError::value(at, "the count of keys", 0, "at least 1"));
        }
        let Some(rest) = self.left.checked_sub(count) else {
            return Err(LimitExceeded::new(
                at.to_string(),
                KEYS_OF_ALL_CLIPS,
                (self.most - *self.left).saturating_add(count),
                (self.most, Some(LimitName::Keys)),
            )
            .into());
        };
        *self.left = rest;
        let times: Vec<f64> = numbers.values.iter().map(|&time| f64::from(time)).collect();
        if let Some(&first) = times.first().filter(|first| **first < 0.0) {
            let error = GltfError::value(at, "the time of key 0", first, "at least 0");
            faults.tell(
                FileRepair::KeyTimes,
                format!("{error}; the clip starts at 0, between its keys"),
            );
        }
        let is_sorted = times.is_sorted();
        let fall = times.windows(2).position(|pair| matches!(*pair, [a, b] if b <= a));
        if let Some(key) = fall {
            let [before, after] =
                [key, key + 1].map(|key| times.get(key).copied().unwrap_or_default());
            let (what, expected) = (
                format!("the time of key {}", key + 1),
                format!("more than {before}, the time of key {key}"),
            );
            let error = GltfError::value(at, what, after, expected);
            let used =
                if is_sorted { "a jump at that time" } else { "keys are sorted by their times" };
            faults.tell(FileRepair::KeyTimes, format!("{error}; {used}"));
        }
        let keys = KeyTimes { order: None, count, times_s: Arc::from(times) };
        let mut keys = keys.without(numbers.bad.iter().copied());
        if !is_sorted {
            keys = keys.sorted();
        }
        if keys.times_s.is_empty() {
            return Err(no_keys(at));
        }
        self.times.insert(index.0, keys.clone());
        Ok(keys)
    }
}

/// Key times of an accessor, with groups of equal keys.
#[derive(Clone)]
struct KeyTimes {
    /// The used keys of the accessor, in order. None if all of its keys are used unchanged.
    order: Option<Arc<[usize]>>,
    /// Keys of the accessor.
    count: usize,
    times_s: Arc<[f64]>,
}

impl KeyTimes {
    /// Each key, by its number in the accessor, and its time.
    fn list(&self) -> Vec<(usize, f64)> {
        match &self.order {
            Some(order) => order.iter().copied().zip(self.times_s.iter().copied()).collect(),
            None => self.times_s.iter().copied().enumerate().collect(),
        }
    }

    fn of(list: &[(usize, f64)], count: usize) -> Self {
        let order = Some(list.iter().map(|(key, _)| *key).collect());
        Self { order, count, times_s: list.iter().map(|(_, time)| *time).collect() }
    }

    /// The same without some keys of the accessor.
    fn without(self, keys: impl IntoIterator<Item = usize>) -> Self {
        let gone: BTreeSet<usize> = keys.into_iter().collect();
        if gone.is_empty() {
            return self;
        }
        let mut list = self.list();
        list.retain(|(key, _)| !gone.contains(key));
        Self::of(&list, self.count)
    }

    fn sorted(self) -> Self {
        let mut list = self.list();
        list.sort_by(|(_, a), (_, b)| a.total_cmp(b));
        Self::of(&list, self.count)
    }

    /// Selects the values of these keys, `run` values per key of the accessor.
    fn pick<T: Copy>(&self, values: &mut Vec<T>, run: usize) {
        if let Some(order) = &self.order {
            let runs = order.iter().filter_map(|key| values.get(key * run..(key + 1) * run));
            *values = runs.flatten().copied().collect();
        }
    }
}

/// True if an output element of a sampler is a key value. A cubic spline also stores an in-tangent
/// and an out-tangent for each key.
fn is_value(element: usize, per_key: usize) -> bool {
    element % per_key == per_key / 2
}

/// The error of a sampler without any remaining key.
fn no_keys(at: &JsonPath) -> GltfError {
    GltfError::value(at, "the keys", "none with a finite time and value", "at least 1")
}

/// Key times and values of a sampler.
struct Sampled {
    keys: KeyTimes,
    numbers: Numbers<f32>,
    /// Values per key: three for a spline.
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
        // One key has no span, so its tangents have no effect.
        let values = values.get(1..2).unwrap_or_default().to_vec();
        return Track { times_s, values, interpolation: Interpolation::Linear };
    }
    Track { times_s, values, interpolation }
}

/// True if the last weight of a target equals its first.
fn returns(track: &Track<f32>) -> bool {
    track.ends().is_none_or(|(first, last)| (first - last).abs() <= SAME_POSITION_SHARE)
}

/// True if the last values of a node equal its first, with positions within `reach`.
fn closes(tracks: &Tracks, reach: f32) -> bool {
    let is_near = |ends: Option<(Vec3, Vec3)>, reach: f32| {
        ends.is_none_or(|(first, last)| first.distance(last) <= reach)
    };
    is_near(tracks.translation.ends(), reach)
        && is_near(tracks.scale.ends(), SAME_POSITION_SHARE)
        && tracks.rotation.ends().is_none_or(|(first, last)| is_same_rotation(first, last))
}

/// The error of a second channel for one property.
fn set_twice(at: &JsonPath) -> GltfError {
    let (found, expected) =
        ("the target of an earlier channel", "one channel per property of a node");
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

/// Normalizes the rotations of keys; the tangents of splines stay. A key of zeros is dropped.
///
/// # Errors
/// [`GltfError::Value`] if no key is left.
fn make_unit(track: &mut Track<Quat>, at: &JsonPath, faults: &RepairLog) -> Result<(), GltfError> {
    let mut zeros = Vec::new();
    for (key, value) in track.keys_mut().enumerate() {
        let length = f64::from(value.length());
        if length > 0.0 && length.is_finite() {
            *value *= to_f32(1.0 / length);
        } else {
            zeros.push(key);
        }
    }
    let (Some(&key), count) = (zeros.first(), track.times_s.len()) else { return Ok(()) };
    let at = at.key("sampler");
    let what = format!("the rotation of key {key}");
    let error = GltfError::value(&at, what, "zeros", "a unit quaternion");
    if zeros.len() == count {
        return Err(error);
    }
    faults.tell(
        FileRepair::ZeroRotation,
        format!("{error}; {} of such keys are skipped", zeros.len()),
    );
    let per_key = track.values.len() / count;
    let keys = KeyTimes { order: None, count, times_s: Arc::clone(&track.times_s) }.without(zeros);
    let mut values = std::mem::take(&mut track.values);
    keys.pick(&mut values, per_key);
    *track = track_of(keys.times_s, values, track.interpolation);
    Ok(())
}
