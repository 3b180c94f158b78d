//! A clip as a function of time, in a few numbers: equal for equal motions, regardless of their
//! keys.

use super::pose_number::PoseNumber;
use tintype_model::math::{larger, max, smaller};
use tintype_model::pose::{bind_clip, sample_clip};
use tintype_model::{Clip, Model, Pose};

/// Numbers of a motion.
pub(in crate::record) const NUMBERS: usize = 64;
/// Poses sampled per second, as far as the length of the clip and [`MOST`] allow.
const RATE_HZ: f64 = 125.0;
/// Poses of each number at most.
const MOST: f64 = 32.0;
/// Fraction of a number that rounding changes.
const ROUNDING: f32 = 2e-5;

/// The numbers of a clip: concatenated weighted sums of poses. None for a clip that does not bind,
/// is a single pose, or has keys so dense that a change of one could lie between the sampled poses.
pub(crate) fn motion_of(model: &Model, clip: &Clip) -> Vec<f32> {
    let Ok((binding, _)) = bind_clip(&model.skeleton, &model.meshes, clip) else {
        return Vec::new();
    };
    let length_s = clip.length_s();
    if length_s <= 0.0 || !length_s.is_finite() {
        return Vec::new();
    }
    #[expect(clippy::cast_precision_loss, reason = "a small count")]
    let numbers = NUMBERS as f64;
    let each = poses_each(length_s);
    let step_s = length_s / (numbers * each - 1.0);
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "1 to 32")]
    let each = each as usize;
    if shortest_gap_s(clip) < 1.999 * step_s {
        return Vec::new();
    }
    let number_of = PoseNumber::new(model, clip);
    // Factors of both signs keep a sum small, so that it retains digits for a change of one pose.
    let mut of_time = factors().skip(1);
    let mut pose_at = |index: usize| {
        #[expect(clippy::cast_precision_loss, reason = "a small count")]
        let at_s = clip.start_s + step_s * index as f64;
        let Pose { matrices, morphs, .. } = sample_clip(&model.skeleton, clip, &binding, at_s);
        let weights = morphs.iter().zip(factors()).map(|(own, factor)| f64::from(*own) * factor);
        let factor = of_time.next().unwrap_or(1.0);
        let factor = if factor < 0.0 { factor - 1.0 } else { factor + 1.0 };
        (number_of.of(&matrices) + weights.sum::<f64>()) * factor
    };
    #[expect(clippy::cast_possible_truncation, reason = "seven digits are kept")]
    let mut number = |number| (0..each).map(|one| pose_at(number * each + one)).sum::<f64>() as f32;
    (0..NUMBERS).map(&mut number).collect()
}

/// The shortest time between two keys of a track.
fn shortest_gap_s(clip: &Clip) -> f64 {
    let of_joints = clip.joints.iter().flat_map(|tracks| {
        [&tracks.translation.times_s, &tracks.rotation.times_s, &tracks.scale.times_s]
    });
    let all = of_joints.chain(clip.morphs.iter().map(|track| &track.weight.times_s));
    let gaps = all.flat_map(|times_s| times_s.windows(2).map(|pair| pair[1] - pair[0]));
    gaps.fold(f64::INFINITY, smaller)
}

/// True if two motions are known and the same, except for rounding.
pub(crate) fn is_same_motion(old: &[f32], new: &[f32]) -> bool {
    let is_near = |(old, new): (&f32, &f32)| (new - old).abs() <= ROUNDING * max(old.abs(), 1.0);
    old.len() == NUMBERS && new.len() == NUMBERS && old.iter().zip(new).all(is_near)
}

/// True if two motions of this many joints are known and nearly the same, as after key reduction:
/// within about 0.1° for each joint.
pub(super) fn is_near_motion(old: &[f32], new: &[f32], length_s: f64, joints: usize) -> bool {
    #[expect(clippy::cast_precision_loss, reason = "small counts")]
    let poses = poses_each(length_s) * joints as f64;
    let most = 0.01 * poses.sqrt();
    let is_near = |(old, new): (&f32, &f32)| f64::from((new - old).abs()) <= most;
    old.len() == NUMBERS && new.len() == NUMBERS && old.iter().zip(new).all(is_near)
}

/// Poses of each number of a clip.
fn poses_each(length_s: f64) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "a small count")]
    let numbers = NUMBERS as f64;
    smaller(larger((length_s * RATE_HZ / numbers).ceil(), 1.0), MOST)
}

/// Factors between -1 and 1, the same on every run.
fn factors() -> impl Iterator<Item = f64> {
    let mut state = 1_u64;
    core::iter::repeat_with(move || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        f64::from(u32::try_from(state >> 33).unwrap_or(0)) / f64::from(1_u32 << 30) - 1.0
    })
}

#[cfg(test)]
#[expect(clippy::cast_possible_truncation, clippy::cast_precision_loss, reason = "small numbers")]
mod tests {
    use super::*;
    use std::sync::Arc;
    use tintype_formats::{LoadOptions, md5};
    use tintype_model::math::{Quat, func};
    use tintype_model::{Interpolation, Track};

    /// A joint that turns about x by an angle at each time.
    fn motion(angle_deg: &dyn Fn(f64) -> f64, times_s: &[f64]) -> Vec<f32> {
        let mesh = "MD5Version 10\ncommandline \"\"\nnumJoints 1\nnumMeshes 1\njoints {\n\"root\" -1 ( 0 0 0 ) ( 0 0 0 )\n}\n\
            mesh {\nshader \"skin\"\nnumverts 3\nvert 0 ( 0 0 ) 0 1\nvert 1 ( 1 0 ) 1 1\nvert 2 ( 0 1 ) 2 1\nnumtris 1\ntri 0 0 1 2\n\
            numweights 3\nweight 0 0 1 ( 0 1 0 )\nweight 1 0 1 ( 1 1 0 )\nweight 2 0 1 ( 0 2 0 )\n}\n";
        let anim = "MD5Version 10\ncommandline \"\"\nnumFrames 1\nnumJoints 1\nframeRate 24\nnumAnimatedComponents 0\n\
            hierarchy {\n\"root\" -1 0 0\n}\nbounds {\n( 0 0 0 ) ( 1 1 1 )\n}\nbaseframe {\n( 0 0 0 ) ( 0 0 0 )\n}\nframe 0 {\n}\n";
        let options = LoadOptions::default();
        let model = md5::parse_mesh(mesh.as_bytes(), &options).expect("a sound mesh").value;
        let mut clip = md5::parse_anim(anim.as_bytes(), &options).expect("a sound clip").value;
        let mut joints = clip.joints.to_vec();
        let turn = |time_s: &f64| {
            let half = func::radians(angle_deg(*time_s) as f32) * 0.5;
            Quat::from_xyzw(func::sin(half), 0.0, 0.0, func::cos(half))
        };
        joints[0].rotation = Track {
            times_s: Arc::from(times_s),
            values: times_s.iter().map(turn).collect(),
            interpolation: Interpolation::Linear,
        };
        clip.joints = joints.into();
        clip.end_s = times_s[times_s.len() - 1];
        motion_of(&model, &clip)
    }

    fn times(keys: usize, rate_hz: f64) -> Vec<f64> {
        (0..keys).map(|key| key as f64 / rate_hz).collect()
    }

    #[test]
    fn other_keys_of_one_motion_are_the_same() {
        // Linear between keys at tenths of a second, so that keys between have no effect.
        let swing = |at_s: f64| {
            let (key, share) = ((at_s * 10.0 + 1e-9).floor(), at_s * 10.0);
            let of_key = |key: f64| 20.0 * f64::from(func::sin(key as f32 * 0.7));
            of_key(key) + (of_key(key + 1.0) - of_key(key)) * (share - key)
        };
        for seconds in [1, 10] {
            let coarse = motion(&swing, &times(seconds * 10 + 1, 10.0));
            let fine_times = times(seconds * 30 + 1, 30.0);
            let fine = motion(&swing, &fine_times);
            assert!(is_same_motion(&coarse, &fine), "{seconds} s");
            // One edited key among more keys is another motion, at any position.
            for key in [1, 7, seconds * 15] {
                let edited = |at_s: f64| {
                    let is_it = (at_s - fine_times[key]).abs() < 1e-9;
                    swing(at_s) + if is_it { 0.5 } else { 0.0 }
                };
                let edited = motion(&edited, &fine_times);
                assert!(!is_same_motion(&coarse, &edited), "{seconds} s, key {key}");
            }
        }
    }

    #[test]
    fn a_clip_that_lost_keys_is_nearly_the_same_motion() {
        let swing = |at_s: f64| 20.0 * libm::sin(at_s * 7.0);
        let of = |angle_deg: &dyn Fn(f64) -> f64| motion(angle_deg, &times(31, 30.0));
        let (old, near) = (of(&swing), of(&|at_s| swing(at_s) + 0.05 * libm::sin(at_s * 40.0)));
        assert!(!is_same_motion(&old, &near) && is_near_motion(&old, &near, 1.0, 1));
        let edited = |at_s: f64| swing(at_s) + if (at_s - 0.5).abs() < 1e-9 { 3.0 } else { 0.0 };
        assert!(!is_near_motion(&old, &of(&edited), 1.0, 1));
    }

    #[test]
    fn keys_closer_than_the_poses_leave_the_motion_unknown() {
        assert!(motion(&|at_s| at_s, &times(240, 240.0)).is_empty());
        assert!(motion(&|at_s| at_s, &times(3001, 30.0)).is_empty(), "100 s have too few poses");
        assert!(!is_same_motion(&[], &[]));
    }
}
