//! World space -> texels and depth of one shadow map.
//!
//! The lattice of texels is anchored in the world: a map covers the part of it that the casters
//! need, moved by whole texels only. A still wall therefore has the same texels in every frame,
//! whatever moves in front of it.

use core::ops::Range;
use rayon::prelude::*;
use tintype_model::PosedMesh;
use tintype_model::math::lanes::{self, Vec3s};
use tintype_model::math::{Vec3, clamp, max, min, unit_or};
use tintype_model::simd::prelude::*;
use tintype_model::simd::{self, Kernel, Level, Simd};

/// Maximum side of a map.
const MAX_SIDE: f32 = 8192.0;

/// Axes of a map: right, up, and toward the light. They turn evenly with a light that turns about
/// the vertical.
#[must_use]
pub(crate) fn axes(to_light: Vec3) -> [Vec3; 3] {
    let right = unit_or(Vec3::Y.cross(to_light), Vec3::X);
    [right, to_light.cross(right), to_light]
}

/// Range of coordinates along three axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Extent {
    /// Minimum coordinates.
    pub low: Vec3,
    /// Maximum coordinates.
    pub high: Vec3,
}

impl Extent {
    /// The extent of no points.
    pub const EMPTY: Self =
        Self { low: Vec3::splat(f32::INFINITY), high: Vec3::splat(f32::NEG_INFINITY) };

    /// The extent of meshes seen from a light.
    #[must_use]
    pub fn from_light<'a>(to_light: Vec3, meshes: impl IntoIterator<Item = &'a PosedMesh>) -> Self {
        Self::of(axes(to_light), meshes)
    }

    /// The extent of meshes along axes.
    #[must_use]
    pub fn of<'a>(axes: [Vec3; 3], meshes: impl IntoIterator<Item = &'a PosedMesh>) -> Self {
        let mut runs = Vec::new();
        for posed in meshes {
            let starts = (0..posed.len()).step_by(VERTICES_PER_JOB);
            runs.extend(starts.map(|start| {
                let range = start..(start + VERTICES_PER_JOB).min(posed.len());
                ExtentRun { axes, posed, range }
            }));
        }
        // The instructions of the level change no bit.
        let level = Level::best();
        let extents: Vec<Self> = runs.into_par_iter().map(|run| simd::run(level, run)).collect();
        let mut extent = Self::EMPTY;
        for part in extents {
            extent.merge(&part);
        }
        extent
    }

    fn add(&mut self, at: Vec3) {
        self.merge(&Self { low: at, high: at });
    }

    fn merge(&mut self, Self { low: from, high: to }: &Self) {
        let (low, high) = (self.low, self.high);
        self.low = Vec3::new(min(from.x, low.x), min(from.y, low.y), min(from.z, low.z));
        self.high = Vec3::new(max(to.x, high.x), max(to.y, high.y), max(to.z, high.z));
    }

    /// True if no point was added.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.low.x > self.high.x
    }

    /// Lengths along the axes; 0 without points.
    #[must_use]
    pub fn size(&self) -> Vec3 {
        if self.is_empty() { Vec3::ZERO } else { self.high - self.low }
    }
}

/// Vertices per job of the thread pool.
const VERTICES_PER_JOB: usize = 8192;

/// Finds the extent of a range of vertices.
struct ExtentRun<'a> {
    axes: [Vec3; 3],
    posed: &'a PosedMesh,
    range: Range<usize>,
}

impl Kernel for ExtentRun<'_> {
    type Output = Extent;

    fn scalar(self) -> Extent {
        let Self { axes, posed, range } = self;
        let mut extent = Extent::EMPTY;
        for vertex in range {
            let position = posed.position_at(vertex);
            extent.add(Vec3::from_array(axes.map(|axis| axis.dot(position))));
        }
        extent
    }

    #[inline(always)]
    fn lanes<S: Simd>(self, simd: S) -> Extent {
        let Self { axes, posed, range } = self;
        let lanes = S::f32s::LEN;
        let whole = range.start..range.start + range.len() / lanes * lanes;
        let mut low = [lanes::splat(simd, f32::INFINITY); 3];
        let mut high = [lanes::splat(simd, f32::NEG_INFINITY); 3];
        for first in whole.clone().step_by(lanes) {
            let position = posed.positions_from(simd, first);
            for (axis, (low, high)) in axes.iter().zip(low.iter_mut().zip(&mut high)) {
                let along = Vec3s::splat(simd, *axis).dot(position);
                *low = lanes::min::<S>(along, *low);
                *high = lanes::max::<S>(along, *high);
            }
        }
        let mut extent = Self { axes, posed, range: whole.end..range.end }.scalar();
        for lane in 0..lanes {
            let [low, high] = [&low, &high]
                .map(|ends| Vec3::from_array(ends.each_ref().map(|along| along.as_slice()[lane])));
            extent.merge(&Extent { low, high });
        }
        extent
    }
}

/// Position and resolution of one map in the world.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Space {
    pub(crate) axes: [Vec3; 3],
    pub(crate) origin: Vec3,
    pub texel: f32,
    pub depth_step: f32,
    /// Texels and units of depth per world unit.
    pub(crate) per_length: Vec3,
    /// From the origin to the corner of the map, in whole texels and units.
    pub(crate) corner: Vec3,
    /// Texels per row, and rows.
    pub size: [u32; 2],
}

impl Space {
    /// The part of the lattice that contains an extent along the axes. None if that is empty or not
    /// finite.
    #[expect(clippy::cast_possible_truncation, reason = "held to the longest side")]
    #[expect(clippy::cast_sign_loss, reason = "above 0")]
    pub(crate) fn new(
        axes: [Vec3; 3],
        origin: Vec3,
        texel: f32,
        depth_step: f32,
        extent: &Extent,
    ) -> Option<Self> {
        if extent.is_empty() || !(extent.low.is_finite() && extent.high.is_finite()) {
            return None;
        }
        let from = Vec3::from_array(axes.map(|axis| axis.dot(origin)));
        let per_length = Vec3::new(1.0 / texel, 1.0 / texel, 1.0 / depth_step);
        let low = ((extent.low - from) * per_length).floor() - Vec3::ONE;
        let high = ((extent.high - from) * per_length).ceil() + Vec3::ONE;
        // If the casters are so far from the origin that a texel is below the precision, it has
        // size 1.
        let side = |axis: usize| clamp(high[axis] - low[axis], 1.0, MAX_SIDE) as u32;
        let size = [side(0), side(1)];
        Some(Self { axes, origin, texel, depth_step, per_length, corner: low, size })
    }

    /// Maps a world position to texels from the corner of the map, and depth in units: larger is
    /// nearer to the light.
    #[inline]
    pub(crate) fn local(&self, position: Vec3) -> Vec3 {
        let offset = position - self.origin;
        let [right, up, toward] = self.axes;
        Vec3::new(
            offset.dot(right) * self.per_length.x - self.corner.x,
            offset.dot(up) * self.per_length.y - self.corner.y,
            offset.dot(toward) * self.per_length.z - self.corner.z,
        )
    }

    /// Minimum and maximum x, then z, of the light's path through the map on horizontal ground at
    /// that height, with `around` texels of margin. None if the light does not come from above.
    #[expect(clippy::cast_precision_loss, reason = "a side has at most 13 bits")]
    pub(crate) fn footprint(&self, height: f32, around: f32) -> Option<[[f32; 2]; 2]> {
        let [right, up, toward] = self.axes;
        let slope = if toward.y < 0.0 { -toward.y } else { toward.y };
        if slope < 1e-3 {
            return None;
        }
        let mut ends = [[f32::INFINITY, f32::NEG_INFINITY]; 2];
        let [width, rows] = self.size.map(|side| side as f32);
        for x in [-around, width + around] {
            for y in [-around, rows + around] {
                let across = right * ((x + self.corner.x) * self.texel);
                let position = self.origin + across + up * ((y + self.corner.y) * self.texel);
                let position = position + toward * ((height - position.y) / toward.y);
                for ([low, high], at) in ends.iter_mut().zip([position.x, position.z]) {
                    (*low, *high) = (min(at, *low), max(at, *high));
                }
            }
        }
        Some(ends)
    }

    /// A direction in the axes of the map, with its length in the world.
    #[inline]
    pub(crate) fn turned(&self, direction: Vec3) -> Vec3 {
        let [right, up, toward] = self.axes;
        Vec3::new(direction.dot(right), direction.dot(up), direction.dot(toward))
    }
}

impl Space {
    /// [`Self::local`] in every lane.
    #[inline(always)]
    pub(crate) fn local_lanes<S: Simd>(&self, simd: S, position: Vec3s<S>) -> Vec3s<S> {
        let (per_length, corner) = (self.per_length, self.corner);
        let offset = position.minus(Vec3s::splat(simd, self.origin));
        let at = self.turned_lanes(simd, offset);
        Vec3s::new(
            at.x * per_length.x - corner.x,
            at.y * per_length.y - corner.y,
            at.z * per_length.z - corner.z,
        )
    }

    /// [`Self::turned`] in every lane.
    #[inline(always)]
    pub(crate) fn turned_lanes<S: Simd>(&self, simd: S, direction: Vec3s<S>) -> Vec3s<S> {
        let [right, up, toward] = self.axes;
        Vec3s::new(
            direction.dot(Vec3s::splat(simd, right)),
            direction.dot(Vec3s::splat(simd, up)),
            direction.dot(Vec3s::splat(simd, toward)),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Vertices all around, one of them no number.
    pub(in crate::shadow) fn scattered(count: usize) -> PosedMesh {
        let along = |axis: usize| {
            (0..count).map(|k| ((k * 37 + axis * 11) % 101) as f32 * 0.31 - 15.0).collect()
        };
        let mut posed = PosedMesh { position: [0, 1, 2].map(along), ..PosedMesh::default() };
        if count > 5 {
            posed.position[1][3] = f32::NAN;
        }
        posed
    }

    #[test]
    fn map_of_casters_far_from_its_origin_has_a_texel() {
        for far in [1e6, 1e9, 1e20, 3e37] {
            let at = Vec3::new(far, -far, far);
            let extent = Extent { low: at, high: at };
            let space = Space::new(axes(Vec3::Y), Vec3::ZERO, 0.01, 0.001, &extent);
            let sides = space.map(|space| space.size);
            assert!(sides.is_none_or(|sides| sides.iter().all(|&side| side > 0)), "{far}");
        }
    }

    #[test]
    fn extents_of_every_level_are_those_of_plain_code() {
        let axes = axes(unit_or(Vec3::new(0.3, 0.8, -0.4), Vec3::Y));
        for count in [0, 1, 5, 15, 16, 17, 40, VERTICES_PER_JOB + 3] {
            let posed = &scattered(count);
            let run = |level| simd::run(level, ExtentRun { axes, posed, range: 0..count });
            let plain = run(Level::Scalar);
            for level in Level::available() {
                assert_eq!(run(level), plain, "{level:?}, {count}");
            }
            assert_eq!(Extent::of(axes, [posed]), plain);
            assert_eq!(plain.is_empty(), count == 0);
        }
    }
}
