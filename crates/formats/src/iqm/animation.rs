//! Animations: frames of quantized channels become clips of tracks on joints.

use super::joint::{Joints, ours_from_file, parent_of, unit};
use super::table::{Field, File};
use crate::decide_plain_rate;
use crate::records::{reals, whole};
use crate::{FilePlace, LoadOptions, ModelFormatError};
use core::ops::Range;
use std::sync::Arc;
use tintype_base::precedence::DecidedBy;
use tintype_model::math::{Quat, Vec3};
use tintype_model::{
    Clip, ClipOptions, FileRepair, Interpolation, NamedClip, Track, Tracks, Warning,
    is_same_rotation,
};

/// Default frames per second.
const USUAL_RATE_HZ: f64 = 30.0;

/// Channels of a joint: an offset, and a scale of the numbers of frames for moving ones.
struct Pose {
    is_root: bool,
    offsets: [f32; 10],
    scales: [f32; 10],
    /// Index in a frame of the channels that move.
    channels: [Option<usize>; 10],
}

/// Reads the clips.
pub(super) fn read_clips(
    file: &File,
    joints: &Joints,
    options: &LoadOptions,
    warnings: &mut Vec<Warning>,
) -> Result<Vec<NamedClip>, ModelFormatError> {
    const BYTES: usize = 20;
    let (table, offset) = file.table("the animations", Field::Animations, BYTES)?;
    if table.is_empty() {
        return Ok(Vec::new());
    }
    let (width, width_at) = file.count(Field::FrameChannels);
    let poses = read_poses(file, width, width_at)?;
    let (count, at) = file.count(Field::Frames);
    let (start, _) = file.count(Field::FramesOffset);
    let frames = file.range("the frames", start, count, width.saturating_mul(2), at)?;
    let is_nameless = [Field::Joints, Field::Meshes].iter().all(|&field| file.count(field).0 == 0);
    let most = options.limits.max_keys(file.bytes.len());
    let mut left = most;
    let mut clips = Vec::new();
    for (index, record) in table.chunks_exact(BYTES).enumerate() {
        options.deadline.check("building clips")?;
        let at = FilePlace::Byte(offset + index * BYTES);
        let name = match file.text(whole(record, 0), at)? {
            name if name.is_empty() => format!("animation_{index}"),
            name => name,
        };
        let [first, length] =
            [1, 2].map(|word| usize::try_from(whole(record, word)).unwrap_or(usize::MAX));
        let end = first.checked_add(length).filter(|&end| end <= count && length > 0);
        let Some(end) = end else {
            let found = format!("{length} from {first}");
            let expected = format!("at least one of the file's {count} frames");
            return Err(ModelFormatError::value(at, "the frames of an animation", found, expected));
        };
        let needed = length.saturating_mul(poses.len().max(1));
        left = left.checked_sub(needed).ok_or_else(|| {
            let found = (most - left).saturating_add(needed);
            ModelFormatError::too_many_keys(at, found, most)
        })?;
        let [rate] = reals(record, 3, "the frames per second", at)?;
        let stated = (rate > 0.0).then_some(f64::from(rate));
        let rate_hz = decide_plain_rate(None, stated, USUAL_RATE_HZ);
        if rate_hz.by == DecidedBy::Convention {
            let message =
                format!("clip {name:?} has no frame rate; it is played at {USUAL_RATE_HZ}");
            warnings.push(FileRepair::MissingValue.told(message));
        }
        let (poses, range) = (&poses, first..end);
        let clip = Builder { poses, joints, frames, is_nameless, width, range };
        let clip = clip.clip(rate_hz.value);
        clips.push(NamedClip { name, clip, options: ClipOptions::default() });
    }
    Ok(clips)
}

/// Reads the channels of all joints.
fn read_poses(file: &File, width: usize, at: FilePlace) -> Result<Vec<Pose>, ModelFormatError> {
    const BYTES: usize = 88;
    let (table, offset) = file.table("the poses", Field::Poses, BYTES)?;
    let mut poses = Vec::new();
    let mut used = 0;
    for (index, record) in table.chunks_exact(BYTES).enumerate() {
        let at = FilePlace::Byte(offset + index * BYTES);
        let is_root = parent_of(whole(record, 0), index, at)?.is_none();
        let mask = whole(record, 1);
        let mut channels = [None; 10];
        for (channel, slot) in channels.iter_mut().enumerate() {
            if mask >> channel & 1 == 1 {
                *slot = Some(used);
                used += 1;
            }
        }
        poses.push(Pose {
            is_root,
            offsets: reals(record, 2, "the offsets of a channel", at)?,
            scales: reals(record, 12, "the scales of a channel", at)?,
            channels,
        });
    }
    if used != width {
        let expected = format!("{used}, as many as its poses have");
        return Err(ModelFormatError::value(at, "the channels of a frame", width, expected));
    }
    Ok(poses)
}

/// Builder of one clip.
struct Builder<'b> {
    poses: &'b [Pose],
    joints: &'b Joints,
    frames: &'b [u8],
    is_nameless: bool,
    /// Channels of a frame.
    width: usize,
    range: Range<usize>,
}

impl Builder<'_> {
    #[expect(clippy::cast_precision_loss, reason = "frames are counted in far fewer bits")]
    fn clip(&self, rate_hz: f64) -> Clip {
        let count = self.range.len();
        let times: Arc<[f64]> = (0..count).map(|frame| frame as f64 / rate_hz).collect();
        let once: Arc<[f64]> = Arc::from([0.0]);
        let of_joint = |(index, pose): (usize, &Pose)| {
            let moves = |channels: Range<usize>| {
                pose.channels.get(channels).is_some_and(|all| all.iter().any(Option::is_some))
            };
            // A file of poses alone names no joint.
            let joint = self.joints.skeleton.joints().get(index).filter(|_| !self.is_nameless);
            let turn = Quat::from_mat3(&ours_from_file().matrix3);
            let place = |[x, y, z, ..]: [f32; 10]| {
                let place = Vec3::new(x, y, z);
                if pose.is_root { ours_from_file().transform_vector3(place) } else { place }
            };
            let rotation = |values: [f32; 10]| {
                let own = unit(Quat::from_xyzw(values[3], values[4], values[5], values[6]));
                if pose.is_root { (turn * own).normalize() } else { own }
            };
            let scale = |values: [f32; 10]| Vec3::new(values[7], values[8], values[9]);
            Tracks {
                name: match joint {
                    Some(joint) => joint.name.clone(),
                    None if self.is_nameless => String::new(),
                    None => format!("joint_{index}"),
                },
                parent: None,
                translation: self.track(pose, moves(0..3), (&times, &once), place),
                rotation: self.track(pose, moves(3..7), (&times, &once), rotation),
                scale: self.track(pose, moves(7..10), (&times, &once), scale),
            }
        };
        let joints: Vec<Tracks> = self.poses.iter().enumerate().map(of_joint).collect();
        let closes = joints.iter().all(closes);
        Clip::of_even_keys(joints, Vec::new(), (times, rate_hz), closes)
    }

    /// The track of a part of a pose; a single value if none of its channels moves.
    fn track<T>(
        &self,
        pose: &Pose,
        is_moving: bool,
        (times, once): (&Arc<[f64]>, &Arc<[f64]>),
        value: impl Fn([f32; 10]) -> T,
    ) -> Track<T> {
        let frames =
            if is_moving { self.range.clone() } else { self.range.start..self.range.start + 1 };
        let values = frames.map(|frame| value(self.values(pose, frame))).collect();
        let times_s = Arc::clone(if is_moving { times } else { once });
        Track { times_s, values, interpolation: Interpolation::Linear }
    }

    /// The ten numbers of a pose in a frame.
    fn values(&self, pose: &Pose, frame: usize) -> [f32; 10] {
        let mut values = pose.offsets;
        for ((value, channel), scale) in values.iter_mut().zip(pose.channels).zip(pose.scales) {
            let at = channel.map(|channel| 2 * (frame * self.width + channel));
            let two = at.and_then(|at| self.frames.get(at..at + 2)?.first_chunk());
            if let Some(&two) = two {
                *value += f32::from(u16::from_le_bytes(two)) * scale;
            }
        }
        values
    }
}

/// True if the last pose of a joint equals its first.
pub(crate) fn closes(tracks: &Tracks) -> bool {
    let is_near = |ends: Option<(Vec3, Vec3)>| {
        ends.is_none_or(|(a, b)| a.distance(b) <= 1.0e-4 * (1.0 + a.length()))
    };
    is_near(tracks.translation.ends())
        && is_near(tracks.scale.ends())
        && tracks.rotation.ends().is_none_or(|(a, b)| is_same_rotation(a, b))
}
