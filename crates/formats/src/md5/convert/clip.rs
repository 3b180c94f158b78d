//! A mirrored `.md5anim` file becomes a [`Clip`].

use super::{LongRotations, Rotation, checked_parent, nearest_vec3, turned};
use crate::LimitExceeded;
use crate::md5::error::Md5Error;
use crate::md5::file::Document;
use crate::md5::file::anim::{AnimFile, FrameBlock};
use crate::text::{decode_text, quoted};
use crate::{LimitName, LoadOptions, Loaded};
use std::sync::Arc;
use tintype_base::deadline::{TimedOut, Watch};
use tintype_model::math::{Aabb, Quat, Vec3};
use tintype_model::{Clip, Interpolation, JointIndex, Skeleton, Track, Tracks, align_hemispheres};

/// The flags of a joint: three for its translation, three for its rotation, in the order of the
/// numbers of a frame.
const TRANSLATION_FLAGS: [u32; 3] = [1, 2, 4];
const ROTATION_FLAGS: [u32; 3] = [8, 16, 32];
const ALL_FLAGS: u32 = 63;

/// Keys between two checks of the deadline.
const STEPS: u32 = 1 << 14;

/// Positions count as the same pose if they differ by less than this fraction of the diagonal.
const SAME_POSITION_SHARE: f64 = 1.0e-4;
/// Rotations that differ by less than this are the same pose.
const SAME_ROTATION_DEG: f64 = 0.05;

/// One joint after the checks.
struct Channel {
    parent: Option<usize>,
    flags: u32,
    start: usize,
    position: [f64; 3],
    rotation: [f64; 3],
}

/// Checks a document of a file of `bytes` bytes and turns it into our axes.
pub(in crate::md5) fn build_clip(
    document: Document<AnimFile<'_>>,
    bytes: usize,
    options: &LoadOptions,
) -> Result<Loaded<Clip>, Md5Error> {
    let Document { content: file, mut warnings } = document;
    let (count, limit) = (file.joints.len(), (Skeleton::MAX_JOINTS, None));
    LimitExceeded::check(file.hierarchy_at, "joints of the hierarchy", count, limit)?;
    let names: Vec<String> = file.joints.iter().map(|joint| decode_text(joint.name)).collect();
    let channels = check_channels(&file, &names)?;
    check_keys(&file, bytes, options)?;
    let closes = closes(&file, &channels);

    #[expect(clippy::cast_precision_loss, reason = "a frame count is far below 2^53")]
    let times_s: Arc<[f64]> = (0..file.frames.len()).map(|key| key as f64 / file.rate_hz).collect();
    let mut long = LongRotations::default();
    let mut joints = Vec::new();
    let mut watch = options.deadline.watch("building keys", STEPS);
    for (channel, name) in channels.iter().zip(names) {
        joints.push(channel.tracks(&file, name, &times_s, &mut watch, &mut long)?);
    }
    warnings.extend(long.warning());
    warnings.sort_by_key(|warning| warning.line);
    let value = Clip {
        joints: joints.into(),
        end_s: times_s.last().copied().unwrap_or(0.0),
        period_s: period_s(&file, closes),
        open_gap_s: 1.0 / file.rate_hz,
        closes,
        key_rate_hz: Some(file.rate_hz),
        keys: 0..times_s.len(),
        key_times_s: times_s,
        stated_boxes: file.bounds.iter().map(stated_box).collect(),
        ..Clip::default()
    };
    Ok(Loaded { value, warnings })
}

/// The box of a frame in our axes. A reversed one stays reversed: it contains nothing in an engine
/// either.
fn stated_box([low, high]: &[[f64; 3]; 2]) -> Aabb {
    let ([x, y, z], [right, back, top]) = (*low, *high);
    Aabb { min: nearest_vec3([x, z, -back]), max: nearest_vec3([right, top, -y]) }
}

fn check_channels(file: &AnimFile<'_>, names: &[String]) -> Result<Vec<Channel>, Md5Error> {
    let mut channels = Vec::new();
    for (index, (line, base)) in file.joints.iter().zip(&file.base_frame).enumerate() {
        let parent = checked_parent(line.parent, line.parent_at, index, names)?;
        let what = || format!("joint {index} {}", quoted(line.name));
        if line.flags > ALL_FLAGS {
            return Err(Md5Error::Range {
                position: line.flags_at,
                what: what(),
                found: format!("flags {}", line.flags),
                expected: format!("0 to {ALL_FLAGS}: six bits, one per component"),
            });
        }
        // A joint without animated components uses no numbers, so its start is arbitrary.
        let taken = u64::from(line.flags.count_ones());
        if taken > 0 && u64::from(line.start) + taken > file.component_count as u64 {
            return Err(Md5Error::Range {
                position: line.start_at,
                what: what(),
                found: format!("{taken} components from {}", line.start),
                expected: format!(
                    "a range within the {} components of a frame",
                    file.component_count
                ),
            });
        }
        channels.push(Channel {
            parent,
            flags: line.flags,
            start: line.start as usize,
            position: base.position,
            rotation: base.rotation,
        });
    }
    Ok(channels)
}

/// Joints may use the same numbers of a frame, so their keys are counted before they are expanded.
fn check_keys(file: &AnimFile<'_>, bytes: usize, options: &LoadOptions) -> Result<(), Md5Error> {
    let limit = options.limits.max_keys(bytes);
    let moving = |bits: [u32; 3]| {
        let mask = bits[0] | bits[1] | bits[2];
        file.joints.iter().filter(|joint| joint.flags & mask != 0).count()
    };
    let tracks = moving(TRANSLATION_FLAGS) + moving(ROTATION_FLAGS);
    let found = tracks.saturating_mul(file.frames.len());
    let limit = (limit, Some(LimitName::Keys));
    Ok(LimitExceeded::check(file.hierarchy_at, "keys of all joints", found, limit)?)
}

impl Channel {
    /// The tracks of the joint of that name; quaternions of an unusual length are noted.
    fn tracks(
        &self,
        file: &AnimFile<'_>,
        name: String,
        times_s: &Arc<[f64]>,
        watch: &mut Watch,
        long: &mut LongRotations,
    ) -> Result<Tracks, TimedOut> {
        let translation = self.translations(file, watch)?;
        let rotation = self.rotations(file, watch, |frame, length| {
            let at = frame.map_or(file.hierarchy_at, |(_, block)| block.at);
            long.note(length, at, || match frame {
                Some((index, _)) => format!("joint {} in frame {index}", quoted(name.as_bytes())),
                None => format!("joint {} in the baseframe", quoted(name.as_bytes())),
            });
        })?;
        Ok(Tracks {
            parent: self.parent.and_then(|parent| u16::try_from(parent).ok()).map(JointIndex),
            translation: track(translation, times_s),
            rotation: track(rotation, times_s),
            scale: Track::constant(Vec3::ONE),
            name,
        })
    }

    /// The numbers of this joint in a frame: from the frame where a flag is set, otherwise from the
    /// base frame.
    fn components(&self, file: &AnimFile<'_>, frame: &FrameBlock) -> ([f64; 3], [f64; 3]) {
        let mut next = frame.first + self.start;
        let mut filled = |bits: [u32; 3], mut values: [f64; 3]| {
            for (bit, value) in bits.into_iter().zip(&mut values) {
                if self.flags & bit != 0 {
                    *value = file.components.get(next).copied().unwrap_or(*value);
                    next += 1;
                }
            }
            values
        };
        let position = filled(TRANSLATION_FLAGS, self.position);
        (position, filled(ROTATION_FLAGS, self.rotation))
    }

    fn moves(&self, bits: [u32; 3]) -> bool {
        bits.iter().any(|bit| self.flags & bit != 0)
    }

    /// Parent from joint; for a root, model from joint in our axes.
    fn translations(&self, file: &AnimFile<'_>, watch: &mut Watch) -> Result<Vec<Vec3>, TimedOut> {
        let ours = |position| {
            nearest_vec3(if self.parent.is_none() { turned(position) } else { position })
        };
        if !self.moves(TRANSLATION_FLAGS) {
            return Ok(vec![ours(self.position)]);
        }
        let mut keys = Vec::new();
        keys.reserve_exact(file.frames.len());
        for frame in &file.frames {
            watch.step()?;
            keys.push(ours(self.components(file, frame).0));
        }
        Ok(keys)
    }

    /// As [`Channel::translations`]; `note` receives the length of each quaternion as written.
    fn rotations(
        &self,
        file: &AnimFile<'_>,
        watch: &mut Watch,
        mut note: impl FnMut(Option<(usize, &FrameBlock)>, f64),
    ) -> Result<Vec<Quat>, TimedOut> {
        let mut ours = |frame, xyz| {
            let (rotation, length) = self.local_rotation(xyz);
            note(frame, length);
            rotation.nearest_quat().normalize()
        };
        if !self.moves(ROTATION_FLAGS) {
            return Ok(vec![ours(None, self.rotation)]);
        }
        let mut rotations = Vec::new();
        rotations.reserve_exact(file.frames.len());
        for (index, frame) in file.frames.iter().enumerate() {
            watch.step()?;
            rotations.push(ours(Some((index, frame)), self.components(file, frame).1));
        }
        align_hemispheres(&mut rotations);
        Ok(rotations)
    }

    fn local_rotation(&self, xyz: [f64; 3]) -> (Rotation, f64) {
        let (rotation, length) = Rotation::restored(xyz);
        if self.parent.is_none() {
            (Rotation::OURS_FROM_FILE.after(rotation), length)
        } else {
            (rotation, length)
        }
    }
}

/// A track over all keys, or with one key if its value never changes.
fn track<T: PartialEq + Clone>(values: Vec<T>, times_s: &Arc<[f64]>) -> Track<T> {
    let changes = values.windows(2).any(|pair| pair.first() != pair.last());
    match values.first() {
        Some(first) if !changes => Track::constant(first.clone()),
        _ => Track { times_s: Arc::clone(times_s), values, interpolation: Interpolation::Linear },
    }
}

/// True if the last frame has the same pose as the first.
fn closes(file: &AnimFile<'_>, channels: &[Channel]) -> bool {
    let (Some(first), Some(last)) = (file.frames.first(), file.frames.last()) else { return false };
    let (first, last) = (model_pose(file, channels, first), model_pose(file, channels, last));
    is_same_pose(&first, &last)
}

/// Seconds after which the motion repeats: the last key counts unless it repeats the first pose.
fn period_s(file: &AnimFile<'_>, closes: bool) -> f64 {
    if file.frames.len() < 2 {
        return 0.0;
    }
    #[expect(clippy::cast_precision_loss, reason = "a frame count is far below 2^53")]
    let steps = (file.frames.len() - usize::from(closes)) as f64;
    steps / file.rate_hz
}

type Placed = ([f64; 3], Rotation);

/// Model space positions and rotations of all joints in one frame.
fn model_pose(file: &AnimFile<'_>, channels: &[Channel], frame: &FrameBlock) -> Vec<Placed> {
    let mut pose: Vec<Placed> = Vec::new();
    for channel in channels {
        let (position, xyz) = channel.components(file, frame);
        let (rotation, _) = Rotation::restored(xyz);
        let placed = match channel.parent.and_then(|parent| pose.get(parent)) {
            Some(&(origin, parent)) => {
                let [x, y, z] = parent.rotate(position);
                ([origin[0] + x, origin[1] + y, origin[2] + z], parent.after(rotation))
            }
            None => (position, rotation),
        };
        pose.push(placed);
    }
    pose
}

fn is_same_pose(first: &[Placed], last: &[Placed]) -> bool {
    let (mut low, mut high) = ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]);
    for (position, _) in first {
        for axis in 0..3 {
            low[axis] = if position[axis] < low[axis] { position[axis] } else { low[axis] };
            high[axis] = if position[axis] > high[axis] { position[axis] } else { high[axis] };
        }
    }
    let reach = distance(low, high) * SAME_POSITION_SHARE;
    let angle_rad = SAME_ROTATION_DEG * (core::f64::consts::PI / 180.0);
    // For a small angle, the cosine of its half falls short of 1 by an eighth of its square.
    let least_cosine = 1.0 - angle_rad * angle_rad / 8.0;
    first.iter().zip(last).all(|(first, last)| {
        distance(first.0, last.0) <= reach && first.1.dot(last.1).abs() >= least_cosine
    })
}

fn distance(a: [f64; 3], b: [f64; 3]) -> f64 {
    let [x, y, z] = [b[0] - a[0], b[1] - a[1], b[2] - a[2]];
    (x * x + y * y + z * z).sqrt()
}
