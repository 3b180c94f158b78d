//! Soft shadow filter at one point: the definition of [`crate::shadow::filter::lanes`].
//!
//! Input: a shadow map, a point and its normal. Output: the visible fraction of the light, 0 to 1.
//!
//! A light with a size is partly hidden by an edge over a band, the penumbra, that widens with the
//! distance between the edge and the receiver. First the blocker search: the mean height above the
//! tangent plane of the point, over texels that could hide any of the light, gives the width of the
//! penumbra. Then a second window of that width gives the hidden part. Both windows fall off
//! smoothly to their rims, and none is smaller than a pixel, so nothing jumps as points, casters or
//! the light move.
//!
//! # Bias
//! Depths are compared with the tangent plane of the point instead of the point, so a window may be
//! wide on a slanted surface. The facets of round surfaces and the resolution of the map remain:
//! for them the plane is lifted by [`LIFT`] texels, and by [`CONE`] of the distance from the point.
//! All heights are integer units of depth; to cover their rounding it is lifted by [`UNITS`].
//!
//! # Source
//! Fernando, "Percentage-Closer Soft Shadows", SIGGRAPH 2005 Sketches.

use crate::shadow::map::{BLOCKS, NARROWEST, REACH, SEARCH_REACH, ShadowMap, WIDEST};
use crate::shadow::space::Space;
use tintype_model::math::{Vec3, clamp, max, min};

/// Most taps along one axis.
const MAX_TAPS: usize = 20;

/// Lift of a point off its tangent plane, in texels.
pub(crate) const LIFT: f32 = 0.75;

/// Rise of the tangent plane with the distance from the point: the tangent of the angle between
/// facets of a round surface that do not shadow each other.
pub(crate) const CONE: f32 = 0.12;

/// Terminator: from this cosine down to 0 the light fades, also with normal maps.
pub(crate) const TERMINATOR: f32 = 0.12;

/// Minimum cosine of the slant; more slanted surfaces are treated as if they had it.
pub(crate) const MAX_SLANTED: f32 = 0.04;

/// Lift of a plane in units of depth, more than the truncated fractions.
pub(crate) const UNITS: f32 = 4.0;

/// Maximum error of a plane in units: truncation of its depth at the point, of its rise along a
/// row, and of its rise from row to row; and rounding of steep rises.
pub(crate) const MARGIN: f32 = 4.0;

/// Minimum height of the plane in the column of the point above which blocker heights are measured;
/// below it, on deeper ground, shadows have their maximum width.
pub(crate) const DEEPEST: i32 = -24_576;

/// Widest window that is judged by small blocks.
pub(crate) const NARROW: f32 = 12.0;

/// Tangent plane of a point in the map.
#[derive(Clone, Copy)]
pub(crate) struct Plane {
    pub x: f32,
    pub y: f32,
    /// Depth at the point in units, and its slope per texel.
    pub depth: f32,
    pub along: [f32; 2],
    /// [`CONE`] in units of depth.
    pub cone: f32,
}

/// Sums over the taps of a window.
#[derive(Clone, Copy, Default)]
pub(crate) struct Look {
    /// Weights of all taps, and of those above the plane.
    pub all: u64,
    pub hidden: u64,
    /// Weighted heights above the plane, in units.
    pub height: u64,
}

/// Taps of a window along one axis.
struct Taps {
    /// First texel, and distance to the next.
    first: i32,
    step: i32,
    count: usize,
    weight: [u32; MAX_TAPS],
    /// Rise of the plane at each tap, in units.
    rise: [i32; MAX_TAPS],
    sum: u64,
}

impl Taps {
    /// The taps with one wrong weight, if requested by the fault.
    #[cfg(test)]
    fn spoilt(mut self, fault: Option<crate::fault::PlantedFault>) -> Self {
        self.weight[self.count / 2] += u32::from(fault == Some(crate::fault::PlantedFault::Shadow));
        self
    }

    #[expect(clippy::cast_possible_truncation, reason = "a window lies near the map")]
    #[expect(clippy::cast_precision_loss, reason = "positions of texels are small")]
    #[expect(clippy::cast_sign_loss, reason = "weights are not below 0")]
    fn new(at: f32, radius: f32, reach: f32, along: f32, cone: f32) -> Self {
        let mut step = 1;
        while radius > reach * step as f32 {
            step *= 2;
        }
        // Taps lie on fixed texels, independent of the window; a step is a power of two.
        let start = (at - 0.5 - radius) * (1.0 / step as f32);
        let whole = start as i32;
        let first = (if (whole as f32) < start { whole + 1 } else { whole }) * step;
        let share = 1.0 / radius;
        let (mut weight, mut rise) = ([0; MAX_TAPS], [0; MAX_TAPS]);
        let (mut count, mut sum) = (0, 0);
        for (index, (weight, rise)) in (0_i32..).zip(weight.iter_mut().zip(&mut rise)) {
            let distance = (first + index * step) as f32 + 0.5 - at;
            let part = distance * share;
            let fall = 1.0 - part * part;
            if fall <= 0.0 && index > 0 && distance > 0.0 {
                break;
            }
            let fall = max(fall, 0.0);
            *weight = (fall * fall * 255.0 + 0.5) as u32;
            let units = along * distance + cone * distance.abs();
            *rise = clamp(units, -4e6, 4e6) as i32;
            sum += u64::from(*weight);
            count += 1;
        }
        Self { first, step, count, weight, rise, sum }
    }

    /// Range of the taps on a map of that size.
    #[expect(clippy::cast_sign_loss, reason = "held to 0")]
    #[expect(clippy::cast_possible_wrap, reason = "a map has at most 2^13 texels a side")]
    fn inside(&self, size: u32) -> core::ops::Range<usize> {
        let clip = |texel: i32| {
            let taps = (texel - self.first + self.step - 1).max(0) / self.step;
            (taps as usize).min(self.count)
        };
        clip(0)..clip(size as i32)
    }
}

impl ShadowMap {
    /// The visible part of the light at a surface point, 0 to 1. The unit normal is that of the
    /// surface without its normal map, turned to the visible side.
    #[must_use]
    pub fn visibility(&self, position: Vec3, normal: Vec3) -> f32 {
        // 1. A surface that faces away is in its own shadow.
        let slant = self.space.turned(normal);
        if slant.z <= 0.0 {
            return 0.0;
        }
        let part = min(slant.z * (1.0 / TERMINATOR), 1.0);
        let own = part * part * (3.0 - 2.0 * part);

        // 2. Tangent plane in the map.
        let Space { texel, depth_step, .. } = self.space;
        let local = self.space.local(position + normal * (LIFT * texel));
        let per_texel = texel / depth_step;
        let fall = per_texel / max(slant.z, MAX_SLANTED);
        let plane = Plane {
            x: local.x,
            y: local.y,
            depth: local.z + (LIFT * per_texel + UNITS),
            along: [-slant.x * fall, -slant.y * fall],
            cone: CONE * per_texel,
        };
        let above = f32::from(self.tables.highest) - plane.depth;
        if above <= 0.0 {
            return own;
        }

        // 3. Width of the penumbra, if there is any blocker.
        let pixel = self.pixel.radius_at(position.into(), normal.into());
        let narrowest = clamp(pixel, NARROWEST, WIDEST);
        let mut radius = clamp(self.widening * above, narrowest, WIDEST);
        match self.overview(&plane, radius) {
            Some(true) => return own,
            Some(false) => return 0.0,
            None => {}
        }
        if radius > narrowest {
            let look = self.look::<true>(&plane, radius);
            if look.hidden == 0 {
                return own;
            }
            let height = mean(look.height, look.hidden);
            radius = clamp(self.widening * height, narrowest, radius);
        }

        // 4. Hidden part of the light.
        let look = self.look::<false>(&plane, radius);
        own * (1.0 - mean(look.hidden, look.all))
    }

    /// True if a window is fully lit, false if it is fully dark, judging by the extremes of its
    /// blocks. None if they do not decide.
    #[expect(clippy::cast_possible_truncation, reason = "held to the map")]
    #[expect(clippy::cast_sign_loss, reason = "held to 0")]
    #[expect(clippy::cast_precision_loss, reason = "a map has at most 2^13 texels a side")]
    fn overview(&self, plane: &Plane, radius: f32) -> Option<bool> {
        let [width, height] = self.size.map(|side| side as f32);
        let (left, right) = (plane.x - radius, plane.x + radius);
        let (bottom, top) = (plane.y - radius, plane.y + radius);
        if !(right >= 0.0 && left < width && top >= 0.0 && bottom < height) {
            return Some(true);
        }
        let last = |size: u32| (size - 1) as f32;
        let kind = usize::from(radius > NARROW);
        let (blocks, bits) = (&self.blocks[kind], BLOCKS[kind]);
        let block = |at: f32, size: u32| clamp(at, 0.0, last(size)) as u32 >> bits;
        let [size_x, size_y] = self.size;
        let columns = size_x.div_ceil(1 << bits);
        let (mut least, mut most) = (u16::MAX, 0);
        for row in block(bottom, size_y)..=block(top, size_y) {
            let start = row * columns;
            let range = start + block(left, size_x)..=start + block(right, size_x);
            for index in range {
                let [low, high] = blocks[index as usize];
                (least, most) = (least.min(low), most.max(high));
            }
        }
        let slope = plane.along[0].abs() + plane.along[1].abs();
        if most == 0 || f32::from(most) < plane.depth - slope * radius - MARGIN {
            return Some(true);
        }
        let is_inside = left >= 0.0 && right < last(size_x) && bottom >= 0.0 && top < last(size_y);
        let highest = plane.depth + (slope + 2.0 * plane.cone) * radius + MARGIN;
        (is_inside && least > 0 && f32::from(least) > highest).then_some(false)
    }

    /// Sums the taps of a window.
    #[expect(clippy::cast_possible_truncation, reason = "held before")]
    #[expect(clippy::cast_possible_wrap, reason = "a few taps")]
    #[expect(clippy::cast_sign_loss, reason = "taps on the map; heights above the plane")]
    fn look<const WITH_HEIGHT: bool>(&self, plane: &Plane, radius: f32) -> Look {
        let reach = if WITH_HEIGHT { SEARCH_REACH } else { REACH };
        let across = Taps::new(plane.x, radius, reach, plane.along[0], plane.cone);
        #[cfg(test)]
        let across = across.spoilt(self.fault);
        let down = Taps::new(plane.y, radius, reach, plane.along[1], plane.cone);
        let mut look = Look { all: across.sum * down.sum, ..Look::default() };
        let base = clamp(plane.depth, -1e6, 1e6) as i32;
        let columns = across.inside(self.size[0]);
        if columns.is_empty() {
            return look;
        }
        let left = (across.first + across.step * columns.start as i32) as usize;
        let weights = &across.weight[columns.clone()];
        let rises = &across.rise[columns];
        for index in down.inside(self.size[1]) {
            let y = (down.first + down.step * index as i32) as usize;
            let row = &self.tables.strided[0].row(y)[left..];
            let plane = base + down.rise[index];
            let lift = (DEEPEST - plane).max(0);
            let (mut hidden, mut height) = (0_u32, 0_u32);
            let taps = row.iter().step_by(across.step as usize).zip(weights).zip(rises);
            for ((&depth, &weight), &rise) in taps {
                let above = i32::from(depth) - (plane + rise);
                // An empty texel has depth 0, which may be above deep ground.
                let weight = if above > 0 && depth > 0 { weight } else { 0 };
                hidden += weight;
                if WITH_HEIGHT {
                    // At most 15 bits of units, 8 of weight, and 20 taps.
                    height += weight * ((above - lift).clamp(0, i32::from(i16::MAX)) as u32);
                }
            }
            let weight = u64::from(down.weight[index]);
            look.hidden += weight * u64::from(hidden);
            look.height += weight * u64::from(height);
        }
        look
    }
}

/// Quotient of integer weights, each less than 2^53.
#[expect(clippy::cast_precision_loss, reason = "the nearest number will do")]
#[expect(clippy::cast_possible_truncation, reason = "the nearest f32")]
pub(crate) fn mean(part: u64, whole: u64) -> f32 {
    (part as f64 / whole.max(1) as f64) as f32
}
