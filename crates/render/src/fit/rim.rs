//! Vertices at the rim of a frame: the few that can limit how near a camera may come.
//!
//! Input: posed vertices, and the axes of a camera. Output: the bounding box of the vertices, and
//! the vertices that an outline must contain.
//!
//! A side of the view touches the vertex with the largest `slope * reach + nearness`, where `reach`
//! is the distance to that side of the picture, and `slope` is at least that of the lens. The
//! vertex that is largest for a slope slightly below that of the lens beats, for all steeper ones,
//! every vertex with a smaller reach. Therefore only vertices that reach farther, on each of the
//! four sides, and the nearest ones must be processed in double precision.
//!
//! # Determinism
//! Only products and comparisons: the remaining vertices depend on no level.

use core::ops::Range;
use tintype_model::PosedMesh;
use tintype_model::math::lanes::{self, Vec3s};
use tintype_model::math::{Vec3, max, min};
use tintype_model::simd::prelude::*;
use tintype_model::simd::{self, Kernel, Level, Simd};

/// Axes of a camera, and its lens.
#[derive(Clone, Copy, Debug)]
pub(super) struct Aim {
    /// To the right in the picture and up in it.
    pub axes: [Vec3; 2],
    /// Towards the eye.
    pub back: Vec3,
    /// The minimum slope that matters, along each axis; above 0.
    pub slopes: [f32; 2],
}

/// Vertices of a mesh, in runs of consecutive ones.
#[derive(Clone, Copy)]
pub(super) struct Part<'a> {
    pub posed: &'a PosedMesh,
    pub runs: &'a [Range<usize>],
}

/// The box around the vertices of a part; its corners are infinite without any.
pub(super) type Corners = [Vec3; 2];

/// The bounding box of vertices, and the vertices at the rim, in order; without an aim there is no
/// rim.
pub(super) fn rim_of(part: Part, aim: Option<Aim>) -> (Corners, Vec<usize>) {
    // The instructions of the level change no bit.
    rim_on(Level::best(), part, aim)
}

fn rim_on(level: Level, part: Part, aim: Option<Aim>) -> (Corners, Vec<usize>) {
    let Some(aim) = aim else {
        let aim = Aim { axes: [Vec3::X, Vec3::Y], back: Vec3::Z, slopes: [1.0; 2] };
        return (simd::run(level, FindEnds { part, aim }).corners(), Vec::new());
    };
    let aim = Aim { slopes: aim.slopes.map(|slope| LESS * slope), ..aim };
    let ends = simd::run(level, FindEnds { part, aim });
    let limits = Limits::of(&ends, aim.slopes);
    let rim = if limits.is_finite() {
        simd::run(level, FindRim { part, aim, limits })
    } else {
        part.runs.iter().cloned().flatten().collect()
    };
    (ends.corners(), rim)
}

/// Factor from the slope of a lens to the slope for which the largest vertex is found.
const LESS: f32 = 0.9;

/// The vertex with the maximum value on one side of the picture: it, and its reach.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Largest {
    value: f32,
    reach: f32,
}

/// Extreme vertices in the axes of a camera.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Ends {
    low: Vec3,
    high: Vec3,
    /// To the right, left, top and bottom of the picture.
    sides: [Largest; 4],
    nearest: f32,
}

impl Ends {
    const NONE: Self = Self {
        low: Vec3::splat(f32::INFINITY),
        high: Vec3::splat(f32::NEG_INFINITY),
        sides: [Largest { value: f32::NEG_INFINITY, reach: f32::NEG_INFINITY }; 4],
        nearest: f32::NEG_INFINITY,
    };

    fn add(&mut self, aim: &Aim, at: Vec3) {
        let nearness = aim.back.dot(at);
        let sides = aim
            .reaches(at)
            .map(|(reach, slope)| Largest { value: reach * slope + nearness, reach });
        self.merge(&Self { low: at, high: at, sides, nearest: nearness });
    }

    fn merge(&mut self, other: &Self) {
        for axis in 0..3 {
            self.low[axis] = min(other.low[axis], self.low[axis]);
            self.high[axis] = max(other.high[axis], self.high[axis]);
        }
        for (own, other) in self.sides.iter_mut().zip(other.sides) {
            let is_as_large = other.value == own.value && other.reach > own.reach;
            if other.value > own.value || is_as_large {
                *own = other;
            }
        }
        self.nearest = max(other.nearest, self.nearest);
    }

    /// The box, with both zeros made equal.
    fn corners(&self) -> Corners {
        [self.low + Vec3::ZERO, self.high + Vec3::ZERO]
    }
}

impl Aim {
    /// The reach of a point to each side of the picture, and the slope there.
    fn reaches(&self, at: Vec3) -> [(f32, f32); 4] {
        let [right, up] = self.axes.map(|axis| axis.dot(at));
        let [across, upright] = self.slopes;
        [(right, across), (-right, across), (up, upright), (-up, upright)]
    }
}

/// Reaches and nearness from which a vertex is at the rim.
#[derive(Clone, Copy, Debug)]
struct Limits {
    sides: [f32; 4],
    nearest: f32,
}

impl Limits {
    /// Sums of three products are off by less than a millionth of the largest coordinates, and
    /// values by slopes of that.
    fn of(ends: &Ends, [across, upright]: [f32; 2]) -> Self {
        let [low, high] = [ends.low, ends.high].map(|corner| corner.abs().max_element());
        let size = max(low, high);
        let slack = |slope: f32| size * 5e-5 * (1.0 + 1.0 / slope);
        let [right, left, top, bottom] = ends.sides.map(|side| side.reach);
        let (beside, above) = (slack(across), slack(upright));
        let sides = [right - beside, left - beside, top - above, bottom - above];
        Self { sides, nearest: ends.nearest - size * 1e-5 }
    }

    fn is_finite(&self) -> bool {
        self.nearest.is_finite() && self.sides.iter().all(|side| side.is_finite())
    }
}

/// Finds the extreme vertices.
struct FindEnds<'a> {
    part: Part<'a>,
    aim: Aim,
}

impl Kernel for FindEnds<'_> {
    type Output = Ends;

    fn scalar(self) -> Ends {
        let Self { part: Part { posed, runs }, aim } = self;
        let mut ends = Ends::NONE;
        for vertex in runs.iter().cloned().flatten() {
            ends.add(&aim, posed.position_at(vertex));
        }
        ends
    }

    #[inline(always)]
    fn lanes<S: Simd>(self, simd: S) -> Ends {
        let Self { part: Part { posed, runs }, aim } = self;
        let lanes = S::f32s::LEN;
        let lowest = lanes::splat(simd, f32::NEG_INFINITY);
        let mut low = [lanes::splat(simd, f32::INFINITY); 3];
        let mut high = [lowest; 3];
        let (mut values, mut reaches, mut nearest) = ([lowest; 4], [lowest; 4], lowest);
        let mut ends = Ends::NONE;
        for run in runs {
            let whole = run.start..run.start + run.len() / lanes * lanes;
            for first in whole.clone().step_by(lanes) {
                let at = posed.positions_from(simd, first);
                for ((low, high), at) in low.iter_mut().zip(&mut high).zip([at.x, at.y, at.z]) {
                    *low = lanes::min::<S>(at, *low);
                    *high = lanes::max::<S>(at, *high);
                }
                let nearness = Vec3s::splat(simd, aim.back).dot(at);
                nearest = lanes::max::<S>(nearness, nearest);
                let sides = reaches_of(simd, &aim, at);
                for (((reach, slope), value), furthest) in
                    sides.into_iter().zip(&mut values).zip(&mut reaches)
                {
                    let own = reach * slope + nearness;
                    let is_as_large = own.simd_eq(*value) & reach.simd_gt(*furthest);
                    let is_new = own.simd_gt(*value) | is_as_large;
                    *value = is_new.select(own, *value);
                    *furthest = is_new.select(reach, *furthest);
                }
            }
            for vertex in whole.end..run.end {
                ends.add(&aim, posed.position_at(vertex));
            }
        }
        for lane in 0..lanes {
            let corner = |axes: &[S::f32s; 3]| {
                Vec3::from_array(axes.each_ref().map(|along| along.as_slice()[lane]))
            };
            let side = |side: usize| Largest {
                value: values[side].as_slice()[lane],
                reach: reaches[side].as_slice()[lane],
            };
            ends.merge(&Ends {
                low: corner(&low),
                high: corner(&high),
                sides: [side(0), side(1), side(2), side(3)],
                nearest: nearest.as_slice()[lane],
            });
        }
        ends
    }
}

/// [`Aim::reaches`] in every lane.
#[inline(always)]
fn reaches_of<S: Simd>(simd: S, aim: &Aim, at: Vec3s<S>) -> [(S::f32s, f32); 4] {
    let right = Vec3s::splat(simd, aim.axes[0]).dot(at);
    let up = Vec3s::splat(simd, aim.axes[1]).dot(at);
    let [across, upright] = aim.slopes;
    [(right, across), (-right, across), (up, upright), (-up, upright)]
}

/// Lists the vertices at the rim.
struct FindRim<'a> {
    part: Part<'a>,
    aim: Aim,
    limits: Limits,
}

impl FindRim<'_> {
    fn is_at_rim(&self, vertex: usize) -> bool {
        let at = self.part.posed.position_at(vertex);
        let reaches = self.aim.reaches(at);
        let is_beyond = |((reach, _), limit): (&(f32, f32), f32)| *reach >= limit;
        self.aim.back.dot(at) >= self.limits.nearest
            || reaches.iter().zip(self.limits.sides).any(is_beyond)
    }
}

impl Kernel for FindRim<'_> {
    type Output = Vec<usize>;

    fn scalar(self) -> Vec<usize> {
        let vertices = self.part.runs.iter().cloned().flatten();
        vertices.filter(|&vertex| self.is_at_rim(vertex)).collect()
    }

    #[inline(always)]
    fn lanes<S: Simd>(self, simd: S) -> Vec<usize> {
        let lanes = S::f32s::LEN;
        let mut rim = Vec::new();
        for run in self.part.runs {
            let whole = run.start..run.start + run.len() / lanes * lanes;
            for first in whole.clone().step_by(lanes) {
                let at = self.part.posed.positions_from(simd, first);
                let nearness = Vec3s::splat(simd, self.aim.back).dot(at);
                let mut is_there = nearness.simd_ge(self.limits.nearest);
                let reaches = reaches_of(simd, &self.aim, at);
                for ((reach, _), limit) in reaches.into_iter().zip(self.limits.sides) {
                    is_there |= reach.simd_ge(limit);
                }
                let mut left = is_there.to_bitmask();
                while left != 0 {
                    rim.push(first + left.trailing_zeros() as usize);
                    left &= left - 1;
                }
            }
            rim.extend((whole.end..run.end).filter(|&vertex| self.is_at_rim(vertex)));
        }
        rim
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fit::hull::{Corner, ViewHull};
    use crate::fit::sample::Numbers;
    use tintype_model::math::unit_or;

    /// Points in a box, every fourth of them on its faces.
    fn scattered(count: usize, middle: Vec3, size: Vec3) -> PosedMesh {
        let mut numbers = Numbers::new(23);
        let mut posed = PosedMesh::default();
        for point in 0..count {
            for axis in 0..3 {
                #[expect(clippy::cast_possible_truncation, reason = "any number")]
                let inside = numbers.signed() as f32;
                let is_on_face = point % 12 == axis * 4;
                let at = if is_on_face { inside.signum() } else { inside };
                posed.position[axis].push(middle[axis] + size[axis] * at);
            }
        }
        posed
    }

    fn aims() -> Vec<Aim> {
        let looks = [Vec3::Z, Vec3::new(0.4, 0.3, 0.8), Vec3::new(-1.0, 0.2, 0.0), Vec3::Y];
        let aim = |back: Vec3, half: f32| {
            let back = unit_or(back, Vec3::Z);
            let right = unit_or(Vec3::new(0.1, 1.0, 0.05).cross(back), Vec3::X);
            let slopes = [0.999 / (1.5 * half), 0.999 / half];
            Aim { axes: [right, back.cross(right)], back, slopes }
        };
        looks.iter().flat_map(|&back| [0.05, 0.3, 1.0, 5.0].map(|half| aim(back, half))).collect()
    }

    fn hulls_of(aim: &Aim, posed: &PosedMesh, vertices: &[usize]) -> [ViewHull; 2] {
        let wide = |vector: Vec3| vector.to_array().map(f64::from);
        let dot = |a: Vec3, b: Vec3| {
            let (a, b) = (wide(a), wide(b));
            a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
        };
        [0, 1].map(|axis| {
            let mut hull = ViewHull::default();
            for &vertex in vertices {
                let at = posed.position_at(vertex);
                hull.add(Corner { along: dot(aim.axes[axis], at), nearness: dot(aim.back, at) });
            }
            hull.prune(f64::from(aim.slopes[axis]));
            hull
        })
    }

    #[test]
    fn rim_decides_what_all_vertices_decide() {
        let boxes = [
            (Vec3::ZERO, Vec3::new(1.0, 2.0, 0.5)),
            (Vec3::new(40.0, -3.0, 900.0), Vec3::splat(1.0)),
            (Vec3::splat(1e6), Vec3::splat(0.3)),
            (Vec3::ZERO, Vec3::new(1.0, 0.0, 1.0)),
            (Vec3::Y, Vec3::ZERO),
            (Vec3::ZERO, Vec3::splat(1e-9)),
        ];
        let mut few = 0;
        for (middle, size) in boxes {
            for count in [1, 3, 16, 17, 4000] {
                let posed = &scattered(count, middle, size);
                let runs = &[0..count / 3, count / 3..count];
                let all: Vec<usize> = (0..count).collect();
                for aim in aims() {
                    let (corners, rim) = rim_of(Part { posed, runs }, Some(aim));
                    assert_eq!(hulls_of(&aim, posed, &rim), hulls_of(&aim, posed, &all), "{aim:?}");
                    assert_eq!(corners, [posed.bounds().min, posed.bounds().max]);
                    few += usize::from(rim.len() * 4 < count);
                }
            }
        }
        assert!(few > 20, "{few} rims of few vertices");
    }

    #[test]
    fn rim_of_every_level_is_that_of_plain_code() {
        let posed = &scattered(1003, Vec3::X, Vec3::new(1.0, 2.0, 0.5));
        let some = [[0, 0], [3, 20], [50, 51], [90, 1003]].map(|[start, end]| start..end);
        for count in 0..=some.len() {
            let runs = &some[..count];
            for aim in aims().into_iter().map(Some).chain([None]) {
                let part = Part { posed, runs };
                let plain = rim_on(Level::Scalar, part, aim);
                for level in Level::available() {
                    assert_eq!(rim_on(level, part, aim), plain, "{level:?}");
                }
            }
        }
    }

    #[test]
    fn coordinates_without_digits_leave_all_vertices() {
        let posed = &scattered(100, Vec3::ZERO, Vec3::splat(3e38));
        let runs = &[0..40, 40..100];
        let (_, rim) = rim_of(Part { posed, runs }, Some(aims()[5]));
        assert_eq!(rim.len(), 100);
    }
}
