//! The ground over lanes, one pixel per lane; `Ground::over` in [`crate::ground::scalar`] is the
//! definition, and `tests/raster` checks that every level of the machine has the same bits.
//!
//! Pixels without ground are rejected early; those hidden by models are not computed.

use crate::ground::contact::{BEHIND, Contact, FULL};
use crate::ground::scalar::Ground;
use crate::shading::context::LightContext;
use crate::shadow::filter::lanes::visibility_lanes;
use crate::shadow::map::ShadowMap;
use crate::shadow::receiver::Receivers;
use tintype_model::math::Vec3;
use tintype_model::math::lanes::{Vec3s, splat, to_int_in_range};
use tintype_model::math::number::Lanes;
use tintype_model::simd::prelude::*;
use tintype_model::simd::{LaneIndices, Simd, gather_eights};

/// Integers below 2^31 as floats.
#[inline(always)]
pub(crate) fn to_float<S: Simd>(numbers: S::u32s) -> S::f32s {
    let numbers: S::i32s = numbers.bitcast();
    numbers.to_float()
}

impl Ground {
    /// `Ground::over` in the lanes of `wanted`, and a mask of the lanes that show the ground; all
    /// others keep the background.
    #[inline(always)]
    pub(crate) fn over_lanes<S: Simd>(
        &self,
        simd: S,
        light: &LightContext,
        [x, y]: [S::u32s; 2],
        background: [S::f32s; 4],
        wanted: S::mask32s,
    ) -> (S::mask32s, [S::f32s; 4]) {
        // 1. Points where the rays meet the disc.
        let (one, zero) = (splat(simd, 1.0), splat(simd, 0.0));
        let floor = &self.floor;
        let (across, down) = (to_float::<S>(x) + 0.5, to_float::<S>(y) + 0.5);
        let ray = self.rays.through_lanes(simd, across, down);
        let mut eye = Vec3s::splat(simd, self.eye);
        if let Some(origins) = &self.origins {
            eye = eye.plus(origins.through_lanes(simd, across, down));
        }
        let fall = splat(simd, floor.center.y) - eye.y;
        let mut shown = wanted
            & match self.origins {
                None => (ray.y * floor.radius).simd_lt(fall * 1e-6),
                Some(_) => ray.y.simd_lt(-1e-6),
            };
        if !shown.any_true() {
            return (shown, background);
        }
        let far = fall / ray.y;
        let mut position = eye.plus(ray.scaled(far));
        position.y = splat(simd, floor.center.y);
        #[cfg(test)]
        let position = crate::fault::grounds(simd, self.fault, position);
        if let Some([[left, right], [back, front]]) = self.ends {
            let beside = position.x.simd_lt(left) | position.x.simd_gt(right);
            shown &= !(beside | position.z.simd_lt(back) | position.z.simd_gt(front));
        }
        let offset = position.minus(Vec3s::splat(simd, floor.center));
        let share = offset.dot(offset).sqrt() / splat(simd, floor.radius);
        shown &= share.simd_lt(1.0);
        if !shown.any_true() {
            return (shown, background);
        }

        // 2. Light on the ground.
        let kept = match &self.contact {
            Some(contact) => contact.at_lanes(simd, position, shown),
            None => zero,
        };
        let visible = |map: &ShadowMap| {
            let receivers = Receivers { position, normal: Vec3s::splat(simd, Vec3::Y) };
            Lanes(visibility_lanes(simd, map, &receivers, shown))
        };
        let pixel = [Lanes::<S>(to_float::<S>(x)), Lanes::<S>(to_float::<S>(y))];
        let (share, kept) = (Lanes(share), Lanes(kept));
        let seen = self.seen(light, position.into(), share, kept, pixel, visible);
        let seen = seen.map(|value| value.0);
        if self.floor.color.is_none() {
            // Blending with alpha 0 has no effect.
            shown &= !seen[3].simd_eq(0.0);
        }
        let mut mixed = background;
        let through = one - seen[3];
        for (mixed, seen) in mixed.iter_mut().zip(seen) {
            *mixed = shown.select(seen + *mixed * through, *mixed);
        }
        (shown, mixed)
    }
}

impl Contact {
    /// [`Contact::at`] in the lanes of `wanted`; 0 in all others.
    #[inline(always)]
    #[expect(clippy::cast_precision_loss, reason = "a map is small")]
    #[expect(clippy::cast_possible_truncation, reason = "a map is small")]
    #[expect(clippy::cast_possible_wrap, reason = "a map is small")]
    fn at_lanes<S: Simd>(&self, simd: S, position: Vec3s<S>, wanted: S::mask32s) -> S::f32s {
        let zero = splat(simd, 0.0);
        let local = self.space.local_lanes(simd, position);
        let (x, y) = (local.x - 0.5, local.y - 0.5);
        let (right, bottom) = (self.width as f32 - 1.0, self.height as f32 - 1.0);
        let is_on = wanted & x.simd_gt(0.0) & x.simd_lt(right) & y.simd_gt(0.0) & y.simd_lt(bottom);
        if !is_on.any_true() {
            return zero;
        }
        let (x, y) = (is_on.select(x, zero), is_on.select(y, zero));
        let (columns, rows) = (to_int_in_range::<S>(x), to_int_in_range::<S>(y));
        // Positions lie before the last column and row.
        let width = S::i32s::simd_from(simd, self.width as i32);
        let place = rows * width + columns;
        let (part_x, part_y) = (x - columns.to_float::<S::f32s>(), y - rows.to_float::<S::f32s>());
        let upper = self.mixed_pair(simd, place, part_x);
        let lower = self.mixed_pair(simd, place + width, part_x);
        let mixed = upper + (lower - upper) * part_y;
        let open = splat(simd, 1.0) - mixed * (1.0 / FULL);
        is_on.select(splat(simd, 1.0) - open * open, zero)
    }

    /// Mix of the texel at a position and the next one.
    #[inline(always)]
    fn mixed_pair<S: Simd>(&self, simd: S, place: S::i32s, part: S::f32s) -> S::f32s {
        let count = self.kept.len() - BEHIND;
        let places = LaneIndices::among(place.bitcast(), count);
        let [pair, ..] = gather_eights(simd, &self.kept, &places);
        let (left, right): (S::i32s, S::i32s) =
            ((pair & 0xffff).bitcast(), (pair >> 16_u32).bitcast());
        let (left, right) = (left.to_float::<S::f32s>(), right.to_float::<S::f32s>());
        left + (right - left) * part
    }
}
