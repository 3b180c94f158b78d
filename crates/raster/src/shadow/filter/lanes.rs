//! Soft shadow filter over lanes; [`ShadowMap::visibility`] in [`crate::shadow::filter::scalar`] is
//! the definition.
//!
//! Points are handled side by side, each with a separate window: block bounds sort out those that
//! are fully lit or dark, and the taps of the others are summed.

use crate::shadow::filter::blocks::{Sorted, sorted_by_bounds};
use crate::shadow::filter::scalar::{CONE, LIFT, MAX_SLANTED, TERMINATOR, UNITS};
use crate::shadow::filter::taps::{Looks, look, mean_heights};
use crate::shadow::filter::windows::{Open, Windows};
use crate::shadow::map::{NARROWEST, ShadowMap, WIDEST};
use crate::shadow::receiver::Receivers;
use tintype_model::math::lanes::{clamp, max, min, splat};
use tintype_model::math::number::Triple;
use tintype_model::simd::Simd;
use tintype_model::simd::prelude::*;

/// [`ShadowMap::visibility`] in the lanes of `wanted`; 1 in all others.
///
/// Not `#[inline(always)]`, unlike most functions over lanes: it is compiled once for each level
/// and not in every kernel that calls it, and light without shadows keeps all registers.
pub(crate) fn visibility_lanes<S: Simd>(
    simd: S,
    map: &ShadowMap,
    receivers: &Receivers<S>,
    wanted: S::mask32s,
) -> S::f32s {
    simd.vectorize(
        #[inline(always)]
        || visibility_inlined(simd, map, receivers, wanted),
    )
}

#[inline(always)]
fn visibility_inlined<S: Simd>(
    simd: S,
    map: &ShadowMap,
    receivers: &Receivers<S>,
    wanted: S::mask32s,
) -> S::f32s {
    let Receivers { position, normal } = receivers;
    let space = &map.space;

    // 1. A surface that faces away is in its own shadow.
    let slant = space.turned_lanes(simd, *normal);
    let is_away = slant.z.simd_le(0.0);
    let part = min::<S>(slant.z * (1.0 / TERMINATOR), splat(simd, 1.0));
    let own = part * part * (splat(simd, 3.0) - part * 2.0);
    let unhidden = is_away.select(splat(simd, 0.0), own);
    let visible = wanted.select(unhidden, splat(simd, 1.0));

    // 2. Tangent plane in the map.
    let lift = splat(simd, LIFT * space.texel);
    let local = space.local_lanes(simd, position.plus(normal.scaled(lift)));
    let per_texel = space.texel / space.depth_step;
    let fall = splat(simd, per_texel) / max::<S>(slant.z, splat(simd, MAX_SLANTED));
    let along = [-slant.x * fall, -slant.y * fall];
    let depth = local.z + (LIFT * per_texel + UNITS);
    let above = splat(simd, f32::from(map.tables.highest)) - depth;

    // 3. Width of the penumbra, if the map extends there and some caster is high enough.
    let widest = splat(simd, WIDEST);
    let looks =
        wanted & !is_away & above.simd_gt(0.0) & is_near::<S>(map, [local.x, local.y], widest);
    if !looks.any_true() {
        return visible;
    }
    let pixel = map.pixel.radius_at(Triple::from(*position), Triple::from(*normal)).0;
    let narrowest = clamp(simd, pixel, NARROWEST, WIDEST);
    let radius = min::<S>(max::<S>(above * map.widening, narrowest), widest);
    let looks = looks & is_near::<S>(map, [local.x, local.y], radius);
    if !looks.any_true() {
        return visible;
    }

    // 4. The block bounds prove some points fully lit or fully dark.
    let cone = CONE * per_texel;
    let windows = Windows { x: local.x, y: local.y, depth, along, cone, radius };
    let Sorted { dark, open, rows } = sorted_by_bounds(simd, map, &windows, looks);
    let visible = dark.select(splat(simd, 0.0), visible);

    // 5. All others read the texels of their windows.
    if !open.any_true() {
        return visible;
    }
    visible * seen_share(simd, map, &windows, narrowest, Open { lanes: open, rows })
}

/// Lanes whose windows of this radius touch the map.
#[inline(always)]
fn is_near<S: Simd>(map: &ShadowMap, [x, y]: [S::f32s; 2], radius: S::f32s) -> S::mask32s {
    #[expect(clippy::cast_precision_loss, reason = "a map has at most 2^13 texels a side")]
    let [width, height] = map.size.map(|side| side as f32);
    (x + radius).simd_ge(0.0)
        & (x - radius).simd_lt(width)
        & (y + radius).simd_ge(0.0)
        & (y - radius).simd_lt(height)
}

/// Visible fraction of the light through the windows of open lanes, without the terminator; 1 in
/// all others.
#[inline(always)]
fn seen_share<S: Simd>(
    simd: S,
    map: &ShadowMap,
    windows: &Windows<S>,
    narrowest: S::f32s,
    open: Open<S>,
) -> S::f32s {
    let (mut windows, mut lanes) = (*windows, open.lanes);
    let searches = lanes & windows.radius.simd_gt(narrowest);
    if searches.any_true() {
        let Looks { hidden, height, .. } =
            look::<S, true>(simd, map, &windows, Open { lanes: searches, ..open });
        let is_blocked = hidden.simd_gt(0);
        lanes &= is_blocked | !searches;
        if !lanes.any_true() {
            return splat(simd, 1.0);
        }
        let height = mean_heights(simd, height, hidden);
        let radius = min::<S>(max::<S>(height * map.widening, narrowest), windows.radius);
        windows.radius = searches.select(radius, windows.radius);
    }
    let Looks { all, hidden, .. } = look::<S, false>(simd, map, &windows, Open { lanes, ..open });
    // Both have at most 24 bits, so they are exact.
    let share = splat(simd, 1.0) - hidden.to_float::<S::f32s>() / all.to_float::<S::f32s>();
    lanes.select(share, splat(simd, 1.0))
}
