//! Outline of a frame's points in one axis of the picture: everything that limits how near a camera
//! may come.
//!
//! Whether a side of the view touches the points depends on two coordinates only: along the axis of
//! the picture bounded by the side, and towards the eye. [`ViewHull`] keeps the corners of the
//! convex hull in that plane that are nearest to the eye for some slant of the side; a figure of
//! 100,000 vertices has a few dozen.

/// Corners of the upper hull, by ascending position along an axis of the picture.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct ViewHull {
    corners: Vec<Corner>,
}

/// A point in the plane of an axis of the picture and the direction to the eye.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Corner {
    /// Along the axis of the picture: to the right, or up.
    pub along: f64,
    /// Towards the eye.
    pub nearness: f64,
}

/// Twice the area of the triangle `a`, `b`, `c`: at least 0 where `b` lies on or under the line
/// from `a` to `c`.
fn under(a: Corner, b: Corner, c: Corner) -> f64 {
    (b.along - a.along) * (c.nearness - a.nearness)
        - (b.nearness - a.nearness) * (c.along - a.along)
}

impl ViewHull {
    /// Adds a point; most lie under the hull and are dropped after a binary search.
    pub(super) fn add(&mut self, point: Corner) {
        let corners = &mut self.corners;
        let mut at = corners.partition_point(|corner| corner.along < point.along);
        if let Some(there) = corners.get(at).filter(|there| there.along == point.along) {
            if there.nearness >= point.nearness {
                return;
            }
            corners.remove(at);
        } else if at > 0 && at < corners.len() && under(corners[at - 1], point, corners[at]) >= 0.0
        {
            return;
        }
        corners.insert(at, point);
        while at + 2 < corners.len() && under(point, corners[at + 1], corners[at + 2]) >= 0.0 {
            corners.remove(at + 1);
        }
        while at >= 2 && under(corners[at - 2], corners[at - 1], point) >= 0.0 {
            corners.remove(at - 1);
            at -= 1;
        }
    }

    /// Adds the points of another hull.
    pub(super) fn merge(&mut self, other: &Self) {
        other.corners.iter().for_each(|&corner| self.add(corner));
    }

    /// Drops corners that decide no [`ViewHull::support`] of a slope of 0 or of at least `least` to
    /// either side.
    pub(super) fn prune(&mut self, least: f64) {
        let corners = &self.corners;
        let falls = |a: Corner, b: Corner| a.nearness - b.nearness >= least * (b.along - a.along);
        let nearest = self.support(0.0);
        let keep: Vec<Corner> = (0..corners.len())
            .filter(|&k| {
                let is_end = k == 0 || k + 1 == corners.len();
                let decides_right = || falls(corners[k], corners[k + 1]);
                let decides_left = || {
                    let (before, here) = (corners[k - 1], corners[k]);
                    here.nearness - before.nearness >= least * (here.along - before.along)
                };
                is_end || corners[k].nearness >= nearest || decides_right() || decides_left()
            })
            .map(|k| corners[k])
            .collect();
        self.corners = keep;
    }

    /// The corner with the largest `slope * along + weight * nearness`, where `weight` is not
    /// negative. None without points.
    pub(super) fn farthest(&self, slope: f64, weight: f64) -> Option<Corner> {
        let mut found: Option<(f64, Corner)> = None;
        for &corner in &self.corners {
            let value = slope * corner.along + weight * corner.nearness;
            if found.is_none_or(|(largest, _)| value > largest) {
                found = Some((value, corner));
            }
        }
        found.map(|(_, corner)| corner)
    }

    /// The maximum `slope * along + nearness` of all points; negative infinity without points.
    pub(super) fn support(&self, slope: f64) -> f64 {
        let value = |corner: Corner| slope * corner.along + corner.nearness;
        self.farthest(slope, 1.0).map_or(f64::NEG_INFINITY, value)
    }
}

#[cfg(test)]
#[allow(
    clippy::disallowed_methods,
    clippy::needless_range_loop,
    reason = "an oracle that no picture depends on"
)]
mod tests {
    use super::*;
    use crate::fit::sample::Numbers;

    #[test]
    fn hull_has_the_support_of_its_points() {
        let mut numbers = Numbers::new(7);
        for count in [1_usize, 2, 3, 10, 500] {
            let points: Vec<Corner> = (0..count)
                .map(|_| Corner { along: numbers.signed(), nearness: numbers.signed() })
                .collect();
            let mut hull = ViewHull::default();
            points.iter().for_each(|&point| hull.add(point));
            let mut pruned = hull.clone();
            pruned.prune(0.9);
            let mut merged = ViewHull::default();
            for half in points.chunks(count.div_ceil(2)) {
                let mut part = ViewHull::default();
                half.iter().for_each(|&point| part.add(point));
                part.prune(0.9);
                merged.merge(&part);
            }
            for slope in [-40.0, -5.0, -1.0, 0.0, 0.3, 1.0, 4.0, 1e6] {
                let value = |point: &Corner| slope * point.along + point.nearness;
                let all = points.iter().map(value).fold(f64::NEG_INFINITY, f64::max);
                assert_eq!(hull.support(slope), all, "{count} points, slope {slope}");
                if slope == 0.0 || slope.abs() >= 0.9 {
                    assert_eq!(pruned.support(slope), all, "{count} points, slope {slope}");
                    assert_eq!(merged.support(slope), all, "{count} points, slope {slope}");
                }
            }
            assert!(pruned.corners.len() <= hull.corners.len());
        }
    }

    #[test]
    fn hull_without_points_has_no_support() {
        assert_eq!(ViewHull::default().support(2.0), f64::NEG_INFINITY);
        let mut hull = ViewHull::default();
        hull.prune(1.0);
        assert_eq!(hull, ViewHull::default());
    }
}
