//! Target and size of the view that shows the outlines of all frames as large as possible, and
//! centred.
//!
//! A perspective view is a pyramid whose size is the distance of the eye from the target; an
//! orthographic view is a prism whose size is half its height. One programme ([`solve`]) finds the
//! smallest size: then some axis of the picture is tight. Along the other axis the models could
//! slide, so its sides are drawn in, by bisection, until they touch as well: both margins of that
//! axis are equal.
//!
//! A camera that turns has one target for all frames, and the target that brings the eye nearest
//! may leave the union of all frames off-centre. The target then moves until the margins are equal
//! within half a pixel, as long as the eye has to move away by at most [`MAX_LONGER`] of its
//! distance; beyond that the margins that are closest to equal are used.

use super::hull::{Corner, ViewHull};
use super::program::{Placement, Plane, Span, dot, size_for, solve};

/// The points of a frame as seen by the camera, in camera axes.
#[derive(Clone, Debug)]
pub(super) struct Outline {
    /// To the right in the picture and up in it, of length 1.
    pub axes: [[f64; 3]; 2],
    /// From the target to the eye, of length 1.
    pub back: [f64; 3],
    /// The points along each of [`Outline::axes`].
    pub hulls: [ViewHull; 2],
}

/// A level disc that must be visible too: the ground around the models.
#[derive(Clone, Copy, Debug)]
pub(super) struct Disc {
    pub center: [f64; 3],
    pub radius: f64,
}

/// Shape of the visible part of space.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ViewShape {
    /// A pyramid from the eye: perspective.
    Pyramid,
    /// A prism along the direction to the eye: an orthographic projection.
    Prism,
}

/// Everything that must be in the picture, and the shape of the view.
pub(super) struct Shown<'a> {
    /// One for each orientation of the camera. Empty without points.
    pub outlines: &'a [Outline],
    pub disc: Option<Disc>,
    /// The minimum and maximum coordinates of all points.
    pub low: [f64; 3],
    pub high: [f64; 3],
    pub shape: ViewShape,
    /// Half the width and half the height available to the models, in a view of size 1: tangents of
    /// half the angles of a pyramid.
    pub halves: [f64; 2],
    /// Width of a pixel in a view of size 1.
    pub pixel: f64,
}

/// Steps of the search along a vertical axis; each leaves two thirds of the range.
const TERNARY_STEPS: u32 = 64;
/// Bisections of a side's position: the margins are equal to about a millionth of the picture.
const BISECTIONS: u32 = 26;
/// Smallest fraction of the picture that a side is drawn in.
const MIN_SHARE: f64 = 1e-4;
/// Minimum distance of the eye from the nearest point, as a fraction of the diagonal.
const MIN_GAP: f64 = 0.02;
/// Values of the programme within this fraction of the diagonal count as equal.
const EQUAL: f64 = 2e-6;
/// Fraction of its size by which a view may grow to make its margins equal.
const MAX_LONGER: f64 = 0.05;
/// Moves of the target towards equal margins.
const BALANCE_STEPS: u32 = 40;
/// Halvings of a move that would exceed this cost.
const STEP_HALVINGS: u32 = 6;
/// Steps towards the extreme point of a frame; each doubles the number of digits.
const EXTREME_STEPS: u32 = 12;

impl Shown<'_> {
    /// Finds the target and the size of the view.
    pub(super) fn place(&self) -> Placement {
        let Placement { target, size } = self.place_around_center();
        let center = self.center();
        Placement { target: std::array::from_fn(|k| center[k] + target[k]), size }
    }

    /// As [`Shown::place`], with the target counted from [`Shown::center`], as all targets below:
    /// far from the origin digits would be lost.
    fn place_around_center(&self) -> Placement {
        let problem = Problem::new(self);
        let tight = problem.solve(self.halves);
        let centred = problem.centred(&tight);
        problem.balanced(&tight, centred)
    }

    /// Finds the target on the vertical axis through a point, and the size of a parallel view.
    ///
    /// A camera that turns without perspective shows each point of that axis in one column of all
    /// pictures, and its ground point at one pixel: sprites are placed by it. The size is convex in
    /// the height of the target.
    pub(super) fn place_on_axis(&self, foot: [f64; 3]) -> Placement {
        let center = self.center();
        let planes = self.planes(self.halves);
        let at = |height: f64| {
            let target = [foot[0] - center[0], height - center[1], foot[2] - center[2]];
            size_for(&planes, target)
        };
        let (mut low, mut high) = (self.low[1], self.high[1]);
        for _ in 0..TERNARY_STEPS {
            let third = (high - low) / 3.0;
            let (below, above) = (at(low + third), at(high - third));
            // On a flat part both ends move, so that its middle is found.
            let (left, right) = (low + third, high - third);
            if below >= above {
                low = left;
            }
            if above >= below {
                high = right;
            }
        }
        let height = 0.5 * (low + high);
        Placement { target: [foot[0], height, foot[2]], size: at(height) }
    }

    /// The farthest points of all frames to both sides of an axis of the picture: to the low side,
    /// and to the high side.
    fn union(&self, axis: usize, placed: &Placement) -> [Extreme; 2] {
        [-1.0, 1.0].map(|sign| {
            let mut farthest = Extreme { position: f64::NEG_INFINITY, outline: 0 };
            for (outline, one) in self.outlines.iter().enumerate() {
                let position = self.extreme(one, axis, sign, placed);
                if position > farthest.position {
                    farthest = Extreme { position, outline };
                }
            }
            farthest
        })
    }

    /// The larger difference of two opposite margins, in a view of size 1.
    fn off_centre(&self, placed: &Placement) -> f64 {
        let [across, upright] = [0, 1].map(|axis| {
            let [low, high] = self.union(axis, placed);
            (high.position - low.position).abs()
        });
        if across > upright { across } else { upright }
    }

    /// The farthest position of a frame's points along a signed axis of the picture, in a view of
    /// size 1.
    ///
    /// # Source
    /// Dinkelbach, "On Nonlinear Fractional Programming", 1967: the position is a fraction, and the
    /// point that is extreme for the side through the last fraction leads to the next.
    fn extreme(&self, one: &Outline, axis: usize, sign: f64, placed: &Placement) -> f64 {
        let weight = self.nearness_weight();
        let center = self.center();
        let target: [f64; 3] = std::array::from_fn(|k| center[k] + placed.target[k]);
        let along_target = dot(one.axes[axis], target);
        let back_target = dot(one.back, target);
        let position = |corner: Corner| {
            let depth = placed.size - weight * (corner.nearness - back_target);
            sign * (corner.along - along_target) / depth
        };
        let least = MIN_SHARE * self.halves[axis];
        let mut found = self.halves[axis];
        for _ in 0..EXTREME_STEPS {
            let hull = one.hulls[axis].farthest(sign, found * weight);
            let disc = self.disc.map(|disc| {
                let direction: [f64; 3] = std::array::from_fn(|k| {
                    sign * one.axes[axis][k] + found * weight * one.back[k]
                });
                let point = disc.farthest(direction);
                Corner { along: dot(one.axes[axis], point), nearness: dot(one.back, point) }
            });
            let reached = hull.into_iter().chain(disc).map(position);
            let next =
                reached.fold(least, |largest, one| if one > largest { one } else { largest });
            if (next - found).abs() <= 1e-12 * self.halves[axis] {
                break;
            }
            found = next;
        }
        found
    }

    /// Influence of nearness on the position in the picture: none in a prism.
    fn nearness_weight(&self) -> f64 {
        match self.shape {
            ViewShape::Pyramid => 1.0,
            ViewShape::Prism => 0.0,
        }
    }

    /// True if the camera turns.
    pub(super) fn turns(&self) -> bool {
        let first = &self.outlines[0];
        self.outlines.iter().any(|one| dot(one.back, first.back) < 1.0 - 1e-9)
    }

    fn center(&self) -> [f64; 3] {
        std::array::from_fn(|k| 0.5 * (self.low[k] + self.high[k]))
    }

    pub(super) fn diagonal(&self) -> f64 {
        let sides: [f64; 3] = std::array::from_fn(|k| self.high[k] - self.low[k]);
        dot(sides, sides).sqrt()
    }

    /// The mean of the directions to the eye.
    fn mean_back(&self) -> [f64; 3] {
        #[expect(clippy::cast_precision_loss, reason = "a count of frames")]
        let count = self.outlines.len() as f64;
        std::array::from_fn(|k| self.outlines.iter().map(|one| one.back[k]).sum::<f64>() / count)
    }

    /// The range of the target. A camera that does not turn could trade its target against its
    /// distance, as could approximately one that turns a little: there the target is fixed in the
    /// centre of the models along the mean direction to the eye.
    fn spans(&self, mean: [f64; 3]) -> [Span; 3] {
        let reach = self.diagonal() + self.disc.map_or(0.0, |disc| 2.0 * disc.radius);
        let free = |axis: [f64; 3]| Span { axis, low: -reach, high: reach };
        let held = |axis: [f64; 3]| Span { axis, low: 0.0, high: 0.0 };
        let first = &self.outlines[0];
        if !self.turns() {
            return [held(first.back), free(first.axes[0]), free(first.axes[1])];
        }
        let level = (mean[0] * mean[0] + mean[2] * mean[2]).sqrt();
        if level < 1e-3 {
            return [free([1.0, 0.0, 0.0]), free([0.0, 1.0, 0.0]), free([0.0, 0.0, 1.0])];
        }
        let (x, z) = (mean[0] / level, mean[2] / level);
        [held([x, 0.0, z]), free([0.0, 1.0, 0.0]), free([-z, 0.0, x])]
    }

    /// The sides of every frame's view, and the minimum gap between a pyramid's eye and its nearest
    /// point.
    fn planes(&self, halves: [f64; 2]) -> Vec<Plane> {
        let weight = self.nearness_weight();
        let center = self.center();
        let mut planes = Vec::with_capacity(self.outlines.len() * 5);
        for one in self.outlines {
            let mut side = |axis: usize, slope: f64, weight: f64, gap: f64| {
                let direction: [f64; 3] =
                    std::array::from_fn(|k| weight * one.back[k] + slope * one.axes[axis][k]);
                let value = |at: Corner| slope * at.along + weight * at.nearness + gap;
                let farthest = one.hulls[axis].farthest(slope, weight);
                let mut support = farthest.map_or(f64::NEG_INFINITY, value);
                if let Some(disc) = self.disc {
                    let reached = dot(direction, disc.farthest(direction));
                    support = if reached > support { reached } else { support };
                }
                planes.push(Plane { direction, support: support - dot(direction, center) });
            };
            for axis in [0, 1] {
                side(axis, 1.0 / halves[axis], weight, 0.0);
                side(axis, -1.0 / halves[axis], weight, 0.0);
            }
            if self.shape == ViewShape::Pyramid {
                side(1, 0.0, 1.0, MIN_GAP * self.diagonal());
            }
        }
        planes
    }

    /// The distance from a target at which the eye of an orthographic view is in front of all
    /// points.
    pub(super) fn clear_distance(&self, target: [f64; 3]) -> f64 {
        let gap = MIN_GAP * self.diagonal();
        self.outlines.iter().fold(gap, |largest, one| {
            let disc = self.disc.map(|disc| dot(one.back, disc.farthest(one.back)));
            let nearest = one.hulls[1].farthest(0.0, 1.0).map(|corner| corner.nearness);
            nearest.into_iter().chain(disc).fold(largest, |largest, nearest| {
                let needed = nearest - dot(one.back, target) + gap;
                if needed > largest { needed } else { largest }
            })
        })
    }
}

impl Disc {
    /// The point of the disc that is farthest along a direction: the end of the radius along it.
    fn farthest(&self, direction: [f64; 3]) -> [f64; 3] {
        let level = (direction[0] * direction[0] + direction[2] * direction[2]).sqrt();
        let [x, y, z] = self.center;
        let share = if level > 0.0 { self.radius / level } else { 0.0 };
        [x + direction[0] * share, y, z + direction[2] * share]
    }
}

/// The farthest position to one side, in a view of size 1, and its outline.
#[derive(Clone, Copy, Debug)]
struct Extreme {
    position: f64,
    outline: usize,
}

/// The programme of one call of [`Shown::place`].
struct Problem<'a> {
    shown: &'a Shown<'a>,
    spans: [Span; 3],
    planes: Vec<Plane>,
    /// Weights of the target in the minimized value: the mean distance of the models from the eye.
    objective: [f64; 3],
}

impl<'a> Problem<'a> {
    fn new(shown: &'a Shown<'a>) -> Self {
        let mean = shown.mean_back();
        let weight = shown.nearness_weight();
        let objective = mean.map(|part| weight * part);
        Self { shown, spans: shown.spans(mean), planes: shown.planes(shown.halves), objective }
    }

    fn solve(&self, halves: [f64; 2]) -> Placement {
        solve(&self.shown.planes(halves), &self.spans, self.objective)
    }

    fn value(&self, placed: &Placement) -> f64 {
        dot(self.objective, placed.target) + placed.size
    }

    /// The target whose margins are closest to equal in a view as small as the `tight` one, with
    /// the smallest size for it.
    fn centred(&self, tight: &Placement) -> Placement {
        let shown = self.shown;
        let allowed = self.value(tight) + EQUAL * shown.diagonal();
        let mut found = *tight;
        let mut drawn_in = shown.halves;
        for axis in [1, 0] {
            let (mut low, mut high) = (MIN_SHARE * drawn_in[axis], drawn_in[axis]);
            for _ in 0..BISECTIONS {
                let mut tried = drawn_in;
                tried[axis] = 0.5 * (low + high);
                let placed = self.solve(tried);
                if self.value(&placed) <= allowed {
                    high = tried[axis];
                    found = placed;
                } else {
                    low = tried[axis];
                }
            }
            drawn_in[axis] = high;
        }
        self.at(found.target)
    }

    /// The smallest view for a target.
    fn at(&self, target: [f64; 3]) -> Placement {
        Placement { target, size: size_for(&self.planes, target) }
    }

    /// Moves the target until the margins of the union are equal, within a view that may be larger
    /// than the `tight` one by [`MAX_LONGER`].
    fn balanced(&self, tight: &Placement, centred: Placement) -> Placement {
        let shown = self.shown;
        let allowed = self.value(tight) + MAX_LONGER * tight.size;
        let mut here = centred;
        let mut best = (shown.off_centre(&here), here);
        for round in 0..BALANCE_STEPS {
            if best.0 <= 0.5 * shown.pixel {
                break;
            }
            let step = self.step_to_centre(&here, round as usize % 2);
            // A step that costs too much is made shorter.
            let next = (0..STEP_HALVINGS).scan(1.0, |share, _| {
                let target = std::array::from_fn(|k| here.target[k] + *share * step[k]);
                *share *= 0.5;
                Some(self.at(target))
            });
            let Some(next) = next.into_iter().find(|next| self.value(next) <= allowed) else {
                continue;
            };
            here = next;
            let off = shown.off_centre(&here);
            if off < best.0 {
                best = (off, here);
            }
        }
        best.1
    }

    /// The shortest move of the target that makes the margins of one axis equal while the same
    /// points are extreme.
    fn step_to_centre(&self, here: &Placement, axis: usize) -> [f64; 3] {
        let [low, high] = self.shown.union(axis, here);
        let sides = [low, high].map(|side| self.shown.outlines[side.outline].axes[axis]);
        // Motion of the two positions with the target, along its free axes.
        let slope: [f64; 3] = std::array::from_fn(|k| (sides[0][k] + sides[1][k]) / here.size);
        let mut move_by = [0.0; 3];
        for span in self.spans.iter().filter(|span| span.low < span.high) {
            let part = dot(slope, span.axis);
            (0..3).for_each(|k| move_by[k] += part * span.axis[k]);
        }
        let length_squared = dot(move_by, move_by);
        let off = high.position - low.position;
        let share = if length_squared > 0.0 { off / length_squared } else { 0.0 };
        // Frames that look from opposite sides require opposite moves: a long one helps neither.
        let length = share.abs() * length_squared.sqrt();
        let longest = off.abs() * here.size;
        let share = if length > longest { share * (longest / length) } else { share };
        move_by.map(|part| part * share)
    }
}

#[cfg(test)]
#[allow(
    clippy::disallowed_methods,
    clippy::needless_range_loop,
    reason = "an oracle that no picture depends on"
)]
mod tests;
