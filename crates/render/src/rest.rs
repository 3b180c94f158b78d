//! The models of a scene at rest: at their positions at second 0, in the bind pose instead of their
//! clips.
//!
//! Values that are equal in all frames, such as the height of the ground and the texels of shadow
//! maps, are derived from this and not from a frame. A picture therefore depends only on its time,
//! and an edit of one key, of the frames or of their rate changes no other. Lengths and positions
//! are rounded to coarse steps, which edits without effect on a frame do not cross.

use super::staged_instance::StagedInstance;
use super::staging::Staging;
use tintype_model::math::{Aabb, Vec3, max};

/// Steps of a snapped position per size of the models.
const STEPS: f32 = 1024.0;

/// Boxes in world space around the models at rest that cast shadows.
#[derive(Clone, Debug)]
pub(super) struct Rest {
    /// The longest side of each, in ascending order.
    sides: Vec<f32>,
    /// Bounding box of all of them.
    pub bounds: Aabb,
}

impl Rest {
    pub(super) fn of(staging: &Staging) -> Self {
        let (mut sides, mut bounds) = (Vec::new(), Aabb::EMPTY);
        let resting = staging.stage_at_rest(|instance| instance.casts);
        for own in resting.iter().map(StagedInstance::bounds).filter(|own| !own.is_empty()) {
            sides.push(longest_side(&own));
            bounds.merge(&own);
        }
        staging.recycle_instances(resting);
        sides.sort_by(f32::total_cmp);
        Self { sides, bounds }
    }

    /// One model at rest that extends from the first point to the second.
    #[cfg(test)]
    pub(super) fn around([min, max]: [Vec3; 2]) -> Self {
        let bounds = Aabb { min, max };
        Self { sides: vec![longest_side(&bounds)], bounds }
    }

    /// The longest side of the box around all models, snapped; 0 without models.
    pub(super) fn longest(&self) -> f32 {
        if self.bounds.is_empty() { 0.0 } else { snapped(longest_side(&self.bounds)) }
    }

    /// The longest side of the model of median size, snapped. None without models.
    pub(super) fn middle(&self) -> Option<f32> {
        Some(snapped(*self.sides.get(self.sides.len().checked_sub(1)? / 2)?))
    }

    /// A fixed position near the models.
    pub(super) fn origin(&self) -> Vec3 {
        let step = octave_above(self.bounds.diagonal());
        self.bounds.center().to_array().map(|at| rounded(at, step)).into()
    }

    /// The point below the centre of the models, at the height of their lowest vertex.
    pub(super) fn foot(&self) -> Vec3 {
        let step = octave_above(self.bounds.diagonal()) / STEPS;
        let Vec3 { x, z, .. } = self.bounds.center();
        [x, self.bounds.min.y, z].map(|at| rounded(at, step)).into()
    }
}

fn longest_side(bounds: &Aabb) -> f32 {
    let size = bounds.max - bounds.min;
    max(max(size.x, size.y), size.z)
}

/// Rounds a length down in a geometric series with a ratio of the fourth root of 2; 0 for 0.
pub(super) fn snapped(length: f32) -> f32 {
    /// Powers of 2 by quarters.
    const QUARTERS: [f32; 3] = [1.681_792_8, core::f32::consts::SQRT_2, 1.189_207_1];
    let octave = octave_above(length) * 0.5;
    let reached = QUARTERS.into_iter().map(|part| part * octave).find(|&step| step <= length);
    reached.unwrap_or(octave)
}

/// The smallest power of 2 above a length; 0 for 0, NaN and infinities.
fn octave_above(length: f32) -> f32 {
    /// Bits of the exponent: none are set for 0, and all for NaN and infinities.
    const EXPONENT: u32 = 0x7f80_0000;
    match length.to_bits() & EXPONENT {
        0 | EXPONENT => 0.0,
        octave => 2.0 * f32::from_bits(octave),
    }
}

/// The nearest multiple of a step; the number itself if the step is 0.
fn rounded(at: f32, step: f32) -> f32 {
    if step > 0.0 && step.is_finite() { (at / step + 0.5).floor() * step } else { at }
}

#[cfg(test)]
mod tests;
