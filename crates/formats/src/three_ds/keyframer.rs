//! The keyframer: a hierarchy of nodes, with the keys that move them.

use super::chunk::{Chunk, is_sound, next, sound};
use crate::records::Records;
use crate::told::Told;
use crate::{FilePlace, ModelFormatError};
use std::collections::BTreeMap;
use tintype_base::deadline::Watch;
use tintype_model::math::{Affine3, Quat, Vec3, func};
use tintype_model::{FileRepair, LocalTransform, Skeleton};

const SEGMENT: u16 = 0xb008;
const OBJECT_NODE: u16 = 0xb002;
const NODE_ID: u16 = 0xb030;
const NODE_HEADER: u16 = 0xb010;
const INSTANCE: u16 = 0xb011;
const PIVOT: u16 = 0xb013;
const POSITIONS: u16 = 0xb020;
const ROTATIONS: u16 = 0xb021;
const SCALES: u16 = 0xb022;
const HIDES: u16 = 0xb029;
const MORPHS: u16 = 0xb026;
/// Name of nodes without a mesh, which are identified by their instance name.
const DUMMY: &str = "$$$DUMMY";

/// A key: its frame, the terms of its spline, and its value.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Key<T> {
    pub(super) frame: i32,
    pub(super) tension: f32,
    pub(super) continuity: f32,
    pub(super) bias: f32,
    pub(super) ease_to: f32,
    pub(super) ease_from: f32,
    pub(super) value: T,
}

/// A rotation about an axis of length 1, by radians from the previous key; and the resulting
/// rotation.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Turn {
    pub(super) axis: Vec3,
    pub(super) angle_rad: f32,
    pub(super) rotation: Quat,
}

/// Keys in the order of their frames.
#[derive(Clone, Debug, Default)]
pub(super) struct KeyTrack<T> {
    pub(super) keys: Vec<Key<T>>,
    /// True if its end joins its beginning smoothly.
    pub(super) is_looped: bool,
    /// True if it begins again after its last key.
    pub(super) repeats: bool,
}

impl<T> KeyTrack<T> {
    /// A track with one key.
    fn still(value: T) -> Self {
        let key = Key {
            frame: 0,
            tension: 0.0,
            continuity: 0.0,
            bias: 0.0,
            ease_to: 0.0,
            ease_from: 0.0,
            value,
        };
        Self { keys: vec![key], is_looped: false, repeats: false }
    }

    /// Keeps the last of several keys at one frame.
    fn settle(mut self) -> Self {
        self.keys.reverse();
        self.keys.dedup_by_key(|key| key.frame);
        self.keys.reverse();
        self
    }
}

/// A node of the keyframer.
#[derive(Default)]
pub(super) struct Node {
    /// The name of its mesh.
    pub(super) name: String,
    pub(super) instance: String,
    /// The number of a node before it.
    pub(super) parent: Option<usize>,
    /// True if its parent is an unknown node, so that its keys do not determine its position in the
    /// world.
    pub(super) is_fixed: bool,
    pub(super) pivot: Vec3,
    pub(super) positions: KeyTrack<Vec3>,
    pub(super) rotations: KeyTrack<Turn>,
    pub(super) scales: KeyTrack<Vec3>,
}

impl Node {
    /// The name of its joint.
    pub(super) fn joint_name(&self) -> &str {
        if self.name == DUMMY && !self.instance.is_empty() { &self.instance } else { &self.name }
    }

    /// Fixes it at the position of its mesh.
    pub(super) fn fix(&mut self, world_from_mesh: Affine3) {
        let LocalTransform { scale, rotation, translation } = LocalTransform::of(world_from_mesh);
        let turn = Turn { rotation, ..Turn::default() };
        self.pivot = Vec3::ZERO;
        self.positions = KeyTrack::still(translation);
        self.rotations = KeyTrack::still(turn);
        self.scales = KeyTrack::still(scale);
    }

    /// Its transform relative to its parent at its first keys.
    pub(super) fn rest(&self) -> LocalTransform {
        let first =
            |track: &KeyTrack<Vec3>, usual: Vec3| track.keys.first().map_or(usual, |key| key.value);
        LocalTransform {
            translation: first(&self.positions, Vec3::ZERO),
            rotation: self.rotations.keys.first().map_or(Quat::IDENTITY, |key| key.value.rotation),
            scale: first(&self.scales, Vec3::ONE),
        }
    }
}

/// A node as read: its number, and the number of its parent.
struct Listed {
    id: u16,
    parent: Option<u16>,
    node: Node,
}

/// Reads all nodes, parents before children, and the first and the last frame of the segment.
///
/// # Errors
/// [`ModelFormatError`] for more nodes than a skeleton may have, or a passed deadline.
pub(super) fn read(
    part: &mut Records,
    told: &mut Told,
    watch: &mut Watch,
) -> Result<(Vec<Node>, Option<[i32; 2]>), ModelFormatError> {
    let (mut listed, mut segment): (Vec<Listed>, _) = (Vec::new(), None);
    while let Some(mut chunk) = next(part, told) {
        watch.step()?;
        match chunk.id {
            SEGMENT => {
                let ends = chunk.records.whole().zip(chunk.records.whole());
                segment = ends.map(|(first, last)| [first.cast_signed(), last.cast_signed()]);
            }
            OBJECT_NODE => {
                if listed.len() + 1 >= Skeleton::MAX_JOINTS {
                    let expected = format!("below {}", Skeleton::MAX_JOINTS);
                    let found = listed.len() + 1;
                    return Err(ModelFormatError::value(
                        chunk.place(),
                        "the nodes",
                        found,
                        expected,
                    ));
                }
                let number = u16::try_from(listed.len()).unwrap_or(u16::MAX);
                listed.push(node(&mut chunk, number, told));
            }
            // Cameras, lights and their targets, which are not drawn, and the ambient colour.
            _ => {}
        }
    }
    Ok((ordered(listed, told), segment))
}

/// Sorts nodes after their parents; one with a missing parent is fixed, and a cycle is broken.
fn ordered(mut listed: Vec<Listed>, told: &mut Told) -> Vec<Node> {
    let mut by_id: BTreeMap<u16, usize> = BTreeMap::new();
    for (number, own) in listed.iter().enumerate() {
        by_id.entry(own.id).or_insert(number);
    }
    let parents: Vec<Option<usize>> = listed
        .iter()
        .enumerate()
        .map(|(number, own)| {
            let parent = own.parent.and_then(|parent| by_id.get(&parent).copied());
            parent.filter(|parent| *parent != number)
        })
        .collect();
    for (own, _) in listed
        .iter_mut()
        .zip(&parents)
        .filter(|(own, parent)| own.parent.is_some() && parent.is_none())
    {
        own.node.is_fixed = true;
        let what = "its parent is a camera, a light or missing; it stays where its mesh was stored";
        let found = || format!("node {:?}", own.node.name);
        told.note_with(FileRepair::Hierarchy, FilePlace::Byte(0), what, found);
    }
    let mut place: Vec<Option<usize>> = vec![None; listed.len()];
    let mut order: Vec<usize> = Vec::new();
    for first in 0..listed.len() {
        // Walks up to a node with a known place, then back down; a cycle is broken where it closes.
        let (mut way, mut at) = (Vec::new(), Some(first));
        while let Some(number) = at.filter(|number| place.get(*number) == Some(&None)) {
            if let Some(slot) = place.get_mut(number) {
                *slot = Some(usize::MAX);
            }
            way.push(number);
            at = parents.get(number).copied().flatten();
        }
        for number in way.into_iter().rev() {
            if let Some(slot) = place.get_mut(number) {
                *slot = Some(order.len());
            }
            order.push(number);
        }
    }
    let mut nodes: Vec<Option<Node>> = listed.into_iter().map(|own| Some(own.node)).collect();
    let placed = order.iter().enumerate().filter_map(|(own, &number)| {
        let node = nodes.get_mut(number)?.take()?;
        let parent = parents.get(number).copied().flatten();
        let parent = parent.and_then(|parent| place.get(parent).copied().flatten());
        Some(Node { parent: parent.filter(|parent| *parent < own), ..node })
    });
    placed.collect()
}

fn node(chunk: &mut Chunk, number: u16, told: &mut Told) -> Listed {
    let mut own = Listed { id: number, parent: None, node: Node::default() };
    while let Some(mut part) = next(&mut chunk.records, told) {
        let (at, records) = (part.place(), &mut part.records);
        match part.id {
            NODE_ID => own.id = records.short().unwrap_or(number),
            NODE_HEADER => {
                own.node.name = records.text();
                let words = [records.short(), records.short(), records.short()];
                own.parent = words[2].filter(|parent| *parent != u16::MAX);
            }
            INSTANCE => own.node.instance = records.text(),
            PIVOT => {
                let pivot = records.reals().map(|pivot| sound(pivot, 0.0, at, told));
                own.node.pivot = pivot.map_or(Vec3::ZERO, Vec3::from_array);
            }
            POSITIONS => own.node.positions = track(records, told, vector).settle(),
            SCALES => own.node.scales = track(records, told, vector).settle(),
            ROTATIONS => {
                let mut rotations = track(records, told, turn);
                accumulate(&mut rotations.keys);
                own.node.rotations = rotations.settle();
            }
            HIDES | MORPHS => {
                let what = "keys that hide or morph a mesh are ignored";
                told.note(FileRepair::NotDrawn, at, what);
            }
            _ => {}
        }
    }
    own
}

fn vector(records: &mut Records) -> Option<Option<Vec3>> {
    let numbers: [f32; 3] = records.reals()?;
    Some(numbers.iter().all(|number| is_sound(*number)).then(|| Vec3::from_array(numbers)))
}

fn turn(records: &mut Records) -> Option<Option<Turn>> {
    let numbers: [f32; 4] = records.reals()?;
    let [angle, x, y, z] = numbers;
    let axis = Vec3::new(x, y, z);
    let length = axis.length();
    if !numbers.iter().all(|number| is_sound(*number)) {
        return Some(None);
    }
    // An axis of length 0 rotates nothing.
    let is_still = !(length > 1.0e-6 && length.is_finite());
    let (axis, angle_rad) = if is_still { (Vec3::Z, 0.0) } else { (axis / length, -angle) };
    Some(Some(Turn { axis, angle_rad, rotation: Quat::IDENTITY }))
}

/// Rotations of keys, each relative to the key before it.
fn accumulate(keys: &mut [Key<Turn>]) {
    let mut rotation = Quat::IDENTITY;
    for key in keys {
        rotation = (key.value.by(1.0) * rotation).normalize();
        key.value.rotation = rotation;
    }
}

impl Turn {
    /// A fraction of the rotation.
    pub(super) fn by(&self, share: f32) -> Quat {
        let half = 0.5 * self.angle_rad * share;
        let axis = self.axis * func::sin(half);
        Quat::from_xyzw(axis.x, axis.y, axis.z, func::cos(half))
    }
}

/// Reads a track; keys with invalid numbers are dropped, and of several keys at one frame the last
/// one counts.
fn track<T>(
    records: &mut Records,
    told: &mut Told,
    value: fn(&mut Records) -> Option<Option<T>>,
) -> KeyTrack<T> {
    let start = FilePlace::Byte(records.at);
    let flags = records.short().unwrap_or(0);
    records.take(8);
    let count = records.whole().unwrap_or(0);
    let mut track =
        KeyTrack { keys: Vec::new(), is_looped: flags & 3 == 3, repeats: flags & 3 >= 2 };
    for number in 0..count {
        let at = FilePlace::Byte(records.at);
        let mut read = || {
            let frame = records.whole()?.cast_signed();
            let terms = records.short()?;
            let mut all = [0.0; 5];
            for (bit, term) in all.iter_mut().enumerate() {
                if terms >> bit & 1 == 1 {
                    let [own] = records.reals()?;
                    *term = if is_sound(own) { own } else { 0.0 };
                }
            }
            let [tension, continuity, bias, ease_to, ease_from] = all;
            let value = value(records)?;
            Some((value, Key { frame, tension, continuity, bias, ease_to, ease_from, value: () }))
        };
        let Some((value, key)) = read() else {
            let what = "a list of keys is truncated; the available ones are used";
            told.note_with(FileRepair::Truncated, start, what, || format!("{number} of {count}"));
            break;
        };
        let Some(value) = value else {
            told.note(FileRepair::BadChannel, at, "a key is not finite; skipped");
            continue;
        };
        let Key { frame, tension, continuity, bias, ease_to, ease_from, .. } = key;
        track.keys.push(Key { frame, tension, continuity, bias, ease_to, ease_from, value });
    }
    if !track.keys.is_sorted_by_key(|key| key.frame) {
        told.note(FileRepair::KeyTimes, start, "keys are not in order; sorted");
        track.keys.sort_by_key(|key| key.frame);
    }
    track
}
