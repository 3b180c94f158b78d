//! Stacks become clips.
//!
//! Curves are evaluated as the format defines them, angles first and then their rotations, and the
//! result is stored as cubic splines through the keys of the curves. Where such a spline deviates
//! from the evaluated motion, it is split in half, so poses also agree between keys. Second 0 of a
//! clip is the start that its file states.

use super::morph::{Morphs, VISIBILITY};
use super::node::{Node, Nodes, Parts, quat, vec3};
use crate::fbx::motion::{Blend, Stack, span_of_keys};
use crate::names::Names;
use crate::{FilePlace, LoadOptions, ModelFormatError};
use std::sync::Arc;
use tintype_base::deadline::Deadline;
use tintype_model::math::{Aabb, DVec3, Quat, Vec3, larger};
use tintype_model::{
    Channel, Clip, ClipOptions, FileKeys, FileRepair, Interpolation, MorphTrack, MorphWeight,
    NamedClip, SAME_POSITION_SHARE, Track, Tracks, Warning, is_same_rotation,
};

/// Seconds before a jump at which the value before it ends.
const JUMP_S: f64 = 1.0e-7;
/// Length in seconds of spans that are not split, and have no slopes.
const SHORT_S: f64 = 8.0 * JUMP_S;
/// Distance in seconds from a jump at which the value beside it is sampled.
const BESIDE_S: f64 = 1.0e-9;
/// Halves of halves of a span between keys.
const MAX_HALVES: usize = 12;
/// Largest differences of splines: for parts of quaternions and for weights, and as a fraction of
/// lengths and scales.
const NEAR: f64 = 4.0e-6;
/// Fraction of the length of a vector by which it counts as away from rest.
const AWAY: f32 = 1.0e-6;
/// Numbers that change by less than this fraction are constant.
const STILL: f64 = 1.0e-7;

/// A time at which curves have keys.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Moment {
    time_s: f64,
    /// True if a value may jump there.
    jumps: bool,
}

/// Builds the clips of a file.
///
/// # Errors
/// [`ModelFormatError::Limit`] for more keys than the file explains,
/// [`ModelFormatError::TimedOut`].
pub(super) fn build_clips(
    nodes: &Nodes,
    morphs: &Morphs,
    stacks: &[Stack],
    frame_rate_hz: Option<f64>,
    sampler: &mut Sampler,
    warnings: &mut Vec<Warning>,
) -> Result<Vec<NamedClip>, ModelFormatError> {
    let mut names = Names::default();
    let mut clips = Vec::new();
    for (index, stack) in stacks.iter().enumerate() {
        let name = names.unique(Some(&stack.name), "take", index);
        let Some((start_s, stop_s)) = span(stack) else {
            let message = format!("clip {name:?} has no keys and no duration; skipped");
            warnings.push(FileRepair::Empty.told(message));
            continue;
        };
        let builder = Builder { nodes, morphs, stack, start_s, stop_s };
        let clip = builder.clip(&name, frame_rate_hz, sampler, warnings)?;
        clips.push(NamedClip { name, clip, options: ClipOptions::default() });
    }
    Ok(clips)
}

/// The span of a stack, as stated by its file, otherwise from its keys.
fn span(stack: &Stack) -> Option<(f64, f64)> {
    let is_sound = |span: &(f64, f64)| span.0.is_finite() && span.1.is_finite();
    let stated = stack.span_s.filter(is_sound);
    let keys = || span_of_keys(stack).filter(is_sound);
    match stated {
        Some((start_s, stop_s)) if stop_s > start_s => Some((start_s, stop_s)),
        Some((start_s, _)) => Some(
            keys().map_or((start_s, start_s), |(_, stop_s)| (start_s, larger(start_s, stop_s))),
        ),
        None => keys(),
    }
}

/// Translation, rotation and scale of a model, and the scale of its second joint, in one list.
fn numbers_of((parts, scale): (Parts, DVec3)) -> [f64; 13] {
    let Parts { translation: t, rotation: r, scale: s } = parts;
    [t.x, t.y, t.z, r.x, r.y, r.z, r.w, s.x, s.y, s.z, scale.x, scale.y, scale.z]
}

/// A track, or an unset one if nothing drives it and it keeps one value that is not away from rest.
fn moving<T: Copy>(track: Track<T>, is_driven: bool, is_away: impl Fn(T) -> bool) -> Track<T> {
    let moves = is_driven
        || track.values.len() > 1
        || track.values.first().is_some_and(|&now| is_away(now));
    if moves { track } else { Track::unset() }
}

struct Builder<'b> {
    nodes: &'b Nodes,
    morphs: &'b Morphs<'b>,
    stack: &'b Stack,
    start_s: f64,
    stop_s: f64,
}

impl Builder<'_> {
    fn clip(
        &self,
        name: &str,
        frame_rate_hz: Option<f64>,
        sampler: &mut Sampler,
        warnings: &mut Vec<Warning>,
    ) -> Result<Clip, ModelFormatError> {
        let mut joints = Vec::new();
        for node in &self.nodes.list {
            let mover = self.nodes.mover(node, self.stack);
            if !mover.is_moved() {
                continue;
            }
            let moments =
                self.moments(mover.drives().flat_map(|drives| drives.curves()), sampler)?;
            let evaluate = |time_s: f64| numbers_of(mover.parts(time_s));
            match sampler.sample(&moments, self.start_s, &evaluate)? {
                Some(sampled) => self.add_tracks(node, mover.driven(), &sampled, &mut joints),
                None => {
                    let joint = self.nodes.name(node);
                    let message =
                        format!("clip {name:?}: the motion of {joint:?} is not finite; skipped");
                    warnings.push(FileRepair::BadChannel.told(message));
                }
            }
        }
        let mut morphs = self.shapes(sampler)?;
        morphs.extend(self.switches(sampler)?);
        self.finish(joints, morphs, frame_rate_hz, sampler)
    }

    /// Adds the tracks of a model, and of the joint of its scale if it has one; `is_driven` is that
    /// of [`Mover::driven`](super::node::Mover::driven). Constant rest values are left to the model:
    /// a pivot or an inherited scale may displace it.
    fn add_tracks(
        &self,
        node: &Node,
        is_driven: [bool; 3],
        sampled: &Sampled<13>,
        joints: &mut Vec<Tracks>,
    ) {
        let (rest, _) = self.nodes.rest_parts(node);
        let is_away = |now: Vec3, rest: Vec3| (now - rest).length() > AWAY * rest.length();
        let kept = |first: usize, is_driven: bool, rest: DVec3| {
            let track = sampled.track(first, vec3_at);
            moving(track, is_driven, |now| is_away(now, vec3(rest)))
        };
        let near = quat(rest.rotation);
        let is_turned = |now: Quat| (now - near).length() > AWAY && (now + near).length() > AWAY;
        let scale_name = self.nodes.scale_name(node);
        joints.push(Tracks {
            name: self.nodes.name(node),
            parent: None,
            translation: kept(0, is_driven[0], rest.translation),
            rotation: moving(sampled.track(3, quat_at), is_driven[1], is_turned),
            scale: match scale_name {
                Some(_) => Track::unset(),
                None => kept(7, is_driven[2], rest.scale),
            },
        });
        joints.extend(scale_name.map(|name| Tracks {
            name,
            parent: None,
            translation: Track::unset(),
            rotation: Track::unset(),
            scale: sampled.track(10, vec3_at),
        }));
    }

    /// The tracks of the weights of blend shapes.
    fn shapes(&self, sampler: &mut Sampler) -> Result<Vec<MorphTrack>, ModelFormatError> {
        let mut morphs = Vec::new();
        for channel in &self.morphs.channels {
            let drives = self.stack.drives(channel.object, &channel.property);
            if drives.is_empty() {
                continue;
            }
            let moments = self.moments(drives.curves(), sampler)?;
            let percent = |time_s: f64| drives.value(Blend::Plain, DVec3::ZERO, time_s).x;
            for target in 0..channel.full.len() {
                let evaluate = |time_s: f64| [channel.weight(target, percent(time_s))];
                let Some(sampled) = sampler.sample(&moments, self.start_s, &evaluate)? else {
                    continue;
                };
                let weight = sampled.track(0, |list, at| real(list.get(at)));
                let slots = channel.slots.get(target).into_iter().flatten();
                for slot in slots.filter_map(|&slot| self.morphs.weights.get(slot)) {
                    morphs.push(self.morph_track(slot, weight.clone()));
                }
            }
        }
        Ok(morphs)
    }

    /// The tracks of visibility, which has no values between on and off.
    fn switches(&self, sampler: &mut Sampler) -> Result<Vec<MorphTrack>, ModelFormatError> {
        let mut morphs = Vec::new();
        for &(object, slot) in &self.morphs.switches {
            let drives = self.stack.drives(object, VISIBILITY);
            let Some(slot) = self.morphs.weights.get(slot).filter(|_| !drives.is_empty()) else {
                continue;
            };
            let moments = self.moments(drives.curves(), sampler)?;
            sampler.spend(moments.len())?;
            let is_on = |time_s: f64| drives.value(Blend::Plain, DVec3::ONE, time_s).x >= 0.5;
            let on = |one: &Moment| if is_on(one.time_s) { 1.0 } else { 0.0 };
            let values = moments.iter().map(on).collect();
            let times_s = moments.iter().map(|one| one.time_s - self.start_s).collect();
            let weight = Track { times_s, values, interpolation: Interpolation::Step };
            morphs.push(self.morph_track(slot, weight));
        }
        Ok(morphs)
    }

    /// The keys of all curves of joints.
    fn file_keys(&self) -> Vec<FileKeys> {
        let mut found = Vec::new();
        for node in &self.nodes.list {
            let curves = [
                (Channel::Position, "Lcl Translation", self.nodes.frame.metres),
                (Channel::Rotation, "Lcl Rotation", 1.0),
                (Channel::Scale, "Lcl Scaling", 1.0),
            ];
            for (channel, property, unit) in curves {
                let drives = self.stack.drives(node.object, property);
                found.extend(drives.own_curves().map(|(axis, curve)| FileKeys {
                    joint: self.nodes.name(node),
                    channel,
                    axis,
                    ..curve.file_keys(self.start_s, unit)
                }));
            }
        }
        found
    }

    fn morph_track(&self, slot: &MorphWeight, weight: Track<f32>) -> MorphTrack {
        let joint = self.nodes.joint_name(slot.joint);
        MorphTrack { joint, target: slot.target, name: slot.name.clone(), weight }
    }

    fn finish(
        &self,
        joints: Vec<Tracks>,
        morphs: Vec<MorphTrack>,
        rate_hz: Option<f64>,
        sampler: &mut Sampler,
    ) -> Result<Clip, ModelFormatError> {
        let end_s = self.stop_s - self.start_s;
        let places = self.nodes.skeleton.joints().iter();
        let places = places.map(|joint| joint.model_from_joint.translation);
        let reach = places.collect::<Aabb>().diagonal() * SAME_POSITION_SHARE;
        let mut times = frames(end_s, rate_hz).unwrap_or_else(|| vec![0.0, end_s]);
        times.dedup();
        sampler.spend(times.len())?;
        Ok(Clip {
            closes: joints.iter().all(|tracks| closes(tracks, reach))
                && morphs.iter().all(|track| {
                    track.weight.ends().is_none_or(|(a, b)| (a - b).abs() <= SAME_POSITION_SHARE)
                }),
            joints: Arc::from(joints),
            morphs: Arc::from(morphs),
            is_local: true,
            end_s,
            period_s: end_s,
            key_rate_hz: rate_hz.filter(|_| times.len() > 1),
            keys: 0..times.len(),
            key_times_s: Arc::from(times),
            file_keys: self.file_keys().into(),
            ..Clip::default()
        })
    }

    /// Start and end of the clip and all keys of some curves between them, including repetitions.
    fn moments<'c>(
        &self,
        curves: impl Iterator<Item = &'c crate::fbx::curve::Curve>,
        sampler: &Sampler,
    ) -> Result<Vec<Moment>, ModelFormatError> {
        let (start_s, stop_s) = (self.start_s, self.stop_s);
        let ends = [start_s, stop_s].map(|time_s| Moment { time_s, jumps: false });
        let mut found = Vec::from(ends);
        for curve in curves {
            let Some((first_s, last_s, repeats)) = curve.span() else { continue };
            let length_s = last_s - first_s;
            let mut add = |time_s: f64, jumps: bool| {
                if time_s >= start_s && time_s <= stop_s {
                    found.push(Moment { time_s, jumps });
                }
            };
            curve.times(&mut add);
            if !repeats || length_s <= 0.0 {
                continue;
            }
            let (mut count, mut keys) = (0_usize, 0_usize);
            curve.times(|_, _| keys += 1);
            let rounds = (stop_s - start_s) / length_s + 2.0;
            if rounds > 1.0e6 {
                return Err(sampler.too_many(usize::MAX));
            }
            let mut round = ((start_s - first_s) / length_s).floor();
            while first_s + round * length_s <= stop_s {
                let shift_s = first_s + round * length_s;
                curve.times(|time_s, jumps| {
                    let way_s = time_s - first_s;
                    add(shift_s + way_s, jumps || way_s <= 0.0 || way_s >= length_s);
                    // Backwards in a mirrored round.
                    add(shift_s + length_s - way_s, true);
                });
                round += 1.0;
                count = count.saturating_add(2 * keys);
                if count > sampler.left {
                    return Err(sampler.too_many(count));
                }
            }
        }
        found.sort_by(|a, b| a.time_s.total_cmp(&b.time_s));
        found.dedup_by(|next, kept| {
            let is_same = next.time_s - kept.time_s < 2.0 * JUMP_S && next.time_s < stop_s;
            let is_same = is_same || next.time_s <= kept.time_s;
            kept.jumps |= is_same && next.jumps;
            is_same
        });
        Ok(found)
    }
}

/// Evaluates motion into keys.
pub(super) struct Sampler<'d> {
    /// Keys that may still be made.
    left: usize,
    most: usize,
    deadline: &'d Deadline,
}

impl<'d> Sampler<'d> {
    /// A sampler for the clips of a file of `bytes` bytes.
    pub(super) fn new(bytes: usize, options: &'d LoadOptions) -> Self {
        let most = options.limits.max_keys(bytes);
        Self { left: most, most, deadline: &options.deadline }
    }
}

/// Numbers at key times: tangent in, value, tangent out.
struct Sampled<const N: usize> {
    times_s: Arc<[f64]>,
    keys: Vec<[[f64; N]; 3]>,
}

/// The keys of a motion under construction, by seconds of the file.
struct KeyList<const N: usize> {
    times: Vec<f64>,
    keys: Vec<[[f64; N]; 3]>,
}

impl<const N: usize> KeyList<N> {
    fn push(&mut self, time_s: f64, key: [[f64; N]; 3]) {
        self.times.push(time_s);
        self.keys.push(key);
    }

    /// Adds a span, which continues the last key if that is at its start and no value jumps there.
    fn push_span(&mut self, [a, b]: [f64; 2], span: &Span<N>, jumps: bool) {
        let is_behind = self.times.last() == Some(&a);
        match self.keys.last_mut() {
            Some(key) if is_behind && !jumps => key[2] = span.slopes[0],
            _ => {
                if is_behind {
                    self.end_before_jump();
                }
                self.push(a, [[0.0; N], span.values[0], span.slopes[0]]);
            }
        }
        self.push(b, [span.slopes[1], span.values[1], [0.0; N]]);
    }

    /// Moves the last key, the value before a jump, slightly earlier.
    fn end_before_jump(&mut self) {
        self.times.iter_mut().last().into_iter().for_each(|time| *time -= JUMP_S);
    }
}

impl Sampler<'_> {
    fn too_many(&self, more: usize) -> ModelFormatError {
        let found = (self.most - self.left).saturating_add(more);
        ModelFormatError::too_many_keys(FilePlace::Line(1), found, self.most)
    }

    fn spend(&mut self, keys: usize) -> Result<(), ModelFormatError> {
        self.left = self.left.checked_sub(keys).ok_or_else(|| self.too_many(keys))?;
        Ok(())
    }

    /// Evaluates motion at given times, and between them until splines are close enough. None if it
    /// is not finite.
    fn sample<const N: usize>(
        &mut self,
        moments: &[Moment],
        start_s: f64,
        evaluate: &dyn Fn(f64) -> [f64; N],
    ) -> Result<Option<Sampled<N>>, ModelFormatError> {
        self.deadline.check("building clips")?;
        let mut keys = KeyList::<N> { times: Vec::new(), keys: Vec::new() };
        let Some(first) = moments.first() else { return Ok(None) };
        let at_first = evaluate(first.time_s);
        let mut sizes = [1.0e-6; N];
        for moment in moments {
            for (size, number) in sizes.iter_mut().zip(evaluate(moment.time_s)) {
                *size = larger(*size, number.abs());
            }
        }
        if sizes.iter().any(|size| !size.is_finite()) {
            return Ok(None);
        }
        let near = nearness(&sizes);
        if moments.len() == 1 {
            keys.push(first.time_s, [[0.0; N], at_first, [0.0; N]]);
        }
        let mut last: Option<[f64; N]> = None;
        for pair in moments.windows(2) {
            let &[from, to] = pair else { continue };
            let mut spans = vec![(from.time_s, to.time_s, MAX_HALVES)];
            while let Some((a, b, halves)) = spans.pop() {
                let beside_a = if a == from.time_s && from.jumps { a + BESIDE_S } else { a };
                let beside_b = if b == to.time_s && to.jumps { b - BESIDE_S } else { b };
                let span = Span::new(evaluate, [beside_a, beside_b], last);
                let is_long = halves > 0 && b - a > SHORT_S;
                if is_long && !span.is_near(evaluate, &near) {
                    let middle = a + (b - a) * 0.5;
                    spans.push((middle, b, halves - 1));
                    spans.push((a, middle, halves - 1));
                    continue;
                }
                self.spend(2)?;
                keys.push_span([a, b], &span, a == from.time_s && from.jumps);
                last = Some(span.values[1]);
            }
        }
        if let (Some(end), true) = (moments.last().filter(|end| end.jumps), keys.times.len() > 1) {
            keys.end_before_jump();
            keys.push(end.time_s, [[0.0; N], evaluate(end.time_s), [0.0; N]]);
        }
        let KeyList { times, keys } = keys;
        let is_finite = keys.iter().flatten().flatten().all(|number| number.is_finite());
        let times_s = times.iter().map(|time_s| time_s - start_s).collect();
        Ok(is_finite.then_some(Sampled { times_s, keys }))
    }
}

/// Tolerances, for the parts of a vector relative to the whole.
fn nearness<const N: usize>(sizes: &[f64; N]) -> [f64; N] {
    const ENDS: [usize; 4] = [3, 7, 10, 13];
    let mut near = [NEAR; N];
    let mut first = 0;
    for end in ENDS {
        let own = sizes.get(first..end).unwrap_or_default();
        let size = own.iter().copied().fold(0.0, larger);
        near.iter_mut().take(end).skip(first).for_each(|near| {
            *near = if size > 0.0 { NEAR * size } else { *near };
        });
        first = end;
    }
    near
}

/// A cubic spline over a span.
struct Span<const N: usize> {
    times_s: [f64; 2],
    values: [[f64; N]; 2],
    slopes: [[f64; N]; 2],
}

/// Chooses the sign of a quaternion, at indices 3 to 6, that is closest to another.
fn aligned<const N: usize>(numbers: [f64; N], to: &[f64; N]) -> [f64; N] {
    let part =
        |list: &[f64; N]| list.get(3..7).map(|part| <[f64; 4]>::try_from(part).unwrap_or_default());
    let (Some(own), Some(other)) = (part(&numbers), part(to)) else { return numbers };
    let dot: f64 = own.iter().zip(&other).map(|(a, b)| a * b).sum();
    let mut turned = numbers;
    if dot < 0.0 {
        turned.iter_mut().skip(3).take(4).for_each(|number| *number = -*number);
    }
    turned
}

impl<const N: usize> Span<N> {
    fn new(evaluate: &dyn Fn(f64) -> [f64; N], times_s: [f64; 2], last: Option<[f64; N]>) -> Self {
        const STEP: f64 = 1.0e-3;
        let [a, b] = times_s;
        let step = (b - a) * STEP;
        let first = evaluate(a);
        let first = last.map_or(first, |last| aligned(first, &last));
        let second = aligned(evaluate(b), &first);
        let slope = |at: f64, value: [f64; N], step: f64| {
            let near = aligned(evaluate(at + step), &value);
            let far = aligned(evaluate(at + 2.0 * step), &value);
            core::array::from_fn(|index| {
                (4.0 * near[index] - 3.0 * value[index] - far[index]) / (2.0 * step)
            })
        };
        // A jump right after a key leaves no room for slopes.
        let slopes = if b - a > SHORT_S {
            [slope(a, first, step), slope(b, second, -step)]
        } else {
            [[0.0; N]; 2]
        };
        Self { times_s, values: [first, second], slopes }
    }

    /// The spline at a fraction of the span.
    fn at(&self, share: f64) -> [f64; N] {
        let span = self.times_s[1] - self.times_s[0];
        let (square, cube) = (share * share, share * share * share);
        let to = 3.0 * square - 2.0 * cube;
        let (leave, enter) = ((cube - 2.0 * square + share) * span, (cube - square) * span);
        core::array::from_fn(|index| {
            self.values[0][index] * (1.0 - to)
                + self.values[1][index] * to
                + self.slopes[0][index] * leave
                + self.slopes[1][index] * enter
        })
    }

    fn is_near(&self, evaluate: &dyn Fn(f64) -> [f64; N], near: &[f64; N]) -> bool {
        let [a, b] = self.times_s;
        [0.25, 0.5, 0.75].into_iter().all(|share| {
            let own = self.at(share);
            let real = aligned(evaluate(a + (b - a) * share), &own);
            own.iter().zip(&real).zip(near).all(|((own, real), near)| (own - real).abs() <= *near)
        })
    }
}

impl<const N: usize> Sampled<N> {
    /// The track of the numbers from an index on; one value if it never changes.
    fn track<T: Copy>(&self, first: usize, make: fn(&[f64], usize) -> T) -> Track<T> {
        let width = core::mem::size_of::<T>() / 4;
        let numbers = |list: &[f64; N]| {
            list.get(first..first + width).map(<[f64]>::to_vec).unwrap_or_default()
        };
        let start = self.keys.first().map(|key| numbers(&key[1])).unwrap_or_default();
        let size = start.iter().map(|number| number.abs()).fold(1.0e-6, larger);
        let is_still = self.keys.iter().all(|[enter, value, leave]| {
            let near = |(a, b): (&f64, &f64)| (a - b).abs() <= STILL * size;
            let level =
                |list: &[f64; N]| numbers(list).iter().all(|slope| slope.abs() <= STILL * size);
            numbers(value).iter().zip(&start).all(near) && level(enter) && level(leave)
        });
        if is_still {
            let values = vec![make(&start, 0)];
            let times_s = self.times_s.iter().copied().take(1).collect();
            return Track { times_s, values, interpolation: Interpolation::Linear };
        }
        let values = self.keys.iter().flatten().map(|list| make(list, first)).collect();
        let times_s = Arc::clone(&self.times_s);
        Track { times_s, values, interpolation: Interpolation::CubicSpline }
    }
}

#[expect(clippy::cast_possible_truncation, reason = "numbers of the model have 32 bits")]
fn real(number: Option<&f64>) -> f32 {
    number.copied().unwrap_or(0.0) as f32
}

fn vec3_at(list: &[f64], at: usize) -> Vec3 {
    Vec3::new(real(list.get(at)), real(list.get(at + 1)), real(list.get(at + 2)))
}

fn quat_at(list: &[f64], at: usize) -> Quat {
    Quat::from_xyzw(
        real(list.get(at)),
        real(list.get(at + 1)),
        real(list.get(at + 2)),
        real(list.get(at + 3)),
    )
}

/// Times of the frames of a clip, and its end. None without a rate, or if there are too many.
fn frames(end_s: f64, rate_hz: Option<f64>) -> Option<Vec<f64>> {
    const MOST: f64 = 65_536.0;
    /// Fraction of a frame by which the end may miss one.
    const NEAR_FRAME: f64 = 1.0e-3;
    let rate_hz = rate_hz?;
    let last = (end_s * rate_hz + NEAR_FRAME).floor();
    if !(0.0..=MOST).contains(&last) {
        return None;
    }
    let mut times = Vec::new();
    let mut frame = 0.0;
    while frame < last {
        times.push(frame / rate_hz);
        frame += 1.0;
    }
    if end_s * rate_hz - last > NEAR_FRAME {
        times.push(last / rate_hz);
    }
    times.push(end_s);
    Some(times)
}

/// True if the last pose of a joint equals its first, with positions within `reach`.
fn closes(tracks: &Tracks, reach: f32) -> bool {
    let is_near = |ends: Option<(Vec3, Vec3)>, reach: f32| {
        ends.is_none_or(|(first, last)| first.distance(last) <= reach)
    };
    let is_same = |(a, b): (Quat, Quat)| is_same_rotation(a.normalize(), b.normalize());
    is_near(tracks.translation.ends(), reach)
        && is_near(tracks.scale.ends(), SAME_POSITION_SHARE)
        && tracks.rotation.ends().is_none_or(is_same)
}
