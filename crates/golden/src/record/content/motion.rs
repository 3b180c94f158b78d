//! A clip as a function of time, in a few numbers: equal for equal motions, whichever keys they are written with.

use tintype_model::math::Affine3;
use tintype_model::pose::{bind_clip, sample_clip};
use tintype_model::{Clip, Model, Pose};

/// Numbers of a motion.
pub(in crate::record) const NUMBERS: usize = 64;
/// Poses that are taken of a second.
const RATE_HZ: f64 = 60.0;
/// Poses of each number at most.
const MOST: f64 = 16.0;
/// Share of a number that rounding changes.
const ROUNDING: f32 = 2e-5;
/// Amount by which programs change it that take keys away within a tolerance.
const NEAR: f32 = 0.05;

/// Likeness of two motions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Likeness {
    /// But for rounding.
    Same,
    /// But for a tolerance.
    Near,
    /// Others, or not known.
    Other,
}

/// The numbers of a clip: of each a weighted sum of poses, one behind the other. None of a clip that does not bind or is one pose.
pub(crate) fn motion_of(model: &Model, clip: &Clip) -> Vec<f32> {
    let Ok((binding, _)) = bind_clip(&model.skeleton, &model.meshes, clip) else {
        return Vec::new();
    };
    let length_s = clip.length_s();
    if length_s <= 0.0 || !length_s.is_finite() {
        return Vec::new();
    }
    let size = size(model);
    #[expect(clippy::cast_precision_loss, reason = "a small count")]
    let numbers = NUMBERS as f64;
    let each = tintype_model::math::smaller((length_s * RATE_HZ / numbers).round(), MOST);
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "1 to 16")]
    let each = tintype_model::math::larger(each, 1.0) as usize;
    let pose_at = |index: usize| {
        #[expect(clippy::cast_precision_loss, reason = "a small count")]
        let share = index as f64 / (NUMBERS * each - 1) as f64;
        let at_s = clip.start_s + length_s * share;
        let Pose { matrices, morphs } = sample_clip(&model.skeleton, clip, &binding, at_s);
        let weights = morphs.iter().zip(factors()).map(|(own, factor)| f64::from(*own) * factor);
        // Poses of one number do not make up for each other.
        let factor = if index % 2 == 0 { 1.0 } else { 0.7 };
        (f64::from(pose_sum(&matrices, size)) + weights.sum::<f64>()) * factor
    };
    #[expect(clippy::cast_possible_truncation, reason = "seven digits are kept")]
    let number = |number| (0..each).map(|one| pose_at(number * each + one)).sum::<f64>() as f32;
    (0..NUMBERS).map(number).collect()
}

/// How like two motions are.
pub(crate) fn likeness(old: &[f32], new: &[f32]) -> Likeness {
    if old.len() != NUMBERS || new.len() != NUMBERS {
        return Likeness::Other;
    }
    let within = |most: f32| {
        old.iter()
            .zip(new)
            .all(|(old, new)| (new - old).abs() <= most * tintype_model::math::max(old.abs(), 1.0))
    };
    match () {
        () if within(ROUNDING) => Likeness::Same,
        () if within(NEAR) => Likeness::Near,
        () => Likeness::Other,
    }
}

/// The largest distance of a joint from the origin in the bind pose.
pub(crate) fn size(model: &Model) -> f32 {
    let joints = model.skeleton.joints().iter();
    let places = joints.map(|joint| joint.model_from_joint.translation.length());
    places.fold(f32::MIN_POSITIVE, tintype_model::math::max)
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

/// The sum of the numbers of the joints of a pose, places in sizes of the model, each times a factor between -1 and 1 of its own.
pub(crate) fn pose_sum(matrices: &[Affine3], size: f32) -> f32 {
    let mut factors = factors();
    let mut sum = 0.0_f64;
    for matrix in matrices {
        let place = matrix.translation / size;
        for value in matrix.matrix3.to_cols_array().into_iter().chain(place.to_array()) {
            sum += factors.next().unwrap_or(0.0) * f64::from(value);
        }
    }
    #[expect(clippy::cast_possible_truncation, reason = "seven digits are kept")]
    let sum = sum as f32;
    sum
}
