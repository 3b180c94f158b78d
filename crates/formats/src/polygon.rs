//! Polygons of any number of corners become triangles.
//!
//! A polygon is projected along its normal, the sum over its edges, and its ears are cut off in
//! order, so concave polygons are correct. The work is limited: the rest of a polygon that takes
//! more is cut as a fan.

use tintype_base::amount::counted_as;
use tintype_base::deadline::{Deadline, TimedOut, Watch};
use tintype_model::math::Vec3;

/// Maximum number of tests of a corner against an ear for all polygons of a file together.
const MAX_TESTS: usize = 1 << 26;

/// Number of abandoned polygons whose tests are not charged to others; after them all are.
const MAX_FREE: usize = 8;

/// Tests between two checks of the deadline.
const STEPS: u32 = 1 << 18;

/// Cuts polygons, counting the work.
pub(super) struct Cutter {
    tests: usize,
    watch: Watch,
    /// Polygons that were too much work.
    pub(super) given_up: usize,
}

impl Cutter {
    pub(super) fn new(deadline: &Deadline) -> Self {
        Self { tests: 0, watch: deadline.watch("cutting polygons", STEPS), given_up: 0 }
    }

    /// The message about polygons that were too much work. None without any.
    pub(super) fn given_up_message(&self) -> Option<String> {
        let count = counted_as(self.given_up, "polygon is", "polygons are");
        let message = format!("{count} too large for exact triangulation; filled as triangle fans");
        (self.given_up > 0).then_some(message)
    }

    /// Calls `push` with the corners of each triangle, as indices into the polygon and in its
    /// order.
    ///
    /// # Errors
    /// [`TimedOut`] after the deadline.
    pub(super) fn cut(
        &mut self,
        polygon: &[Vec3],
        mut push: impl FnMut([usize; 3]),
    ) -> Result<(), TimedOut> {
        match polygon.len() {
            0..=2 => {}
            3 => push([0, 1, 2]),
            count => {
                let flat = flattened(polygon);
                if is_fan(&flat) {
                    (2..count).for_each(|corner| push([0, corner - 1, corner]));
                } else {
                    self.cut_ears(&flat, &mut push)?;
                }
            }
        }
        Ok(())
    }

    fn cut_ears(
        &mut self,
        flat: &[[f64; 2]],
        push: &mut impl FnMut([usize; 3]),
    ) -> Result<(), TimedOut> {
        let before = self.tests;
        let at = |corner: usize| flat.get(corner).copied().unwrap_or_default();
        let mut left: Vec<usize> = (0..flat.len()).collect();
        let mut start = 0;
        while left.len() > 3 && self.tests < MAX_TESTS {
            let count = left.len();
            let corner = |index: usize| left.get(index % count).copied().unwrap_or_default();
            let mut best: Option<usize> = None;
            for step in 0..count {
                self.watch.step()?;
                let ear = (start + step) % count;
                let (a, b, c) = (corner(ear + count - 1), corner(ear), corner(ear + 1));
                let area = doubled_area(at(a), at(b), at(c));
                if area < 0.0 {
                    continue;
                }
                self.tests += count;
                self.watch.take(count)?;
                let blocked = left.iter().any(|&other| {
                    let point = at(other);
                    point != at(a)
                        && point != at(b)
                        && point != at(c)
                        && is_inside(point, [at(a), at(b), at(c)])
                });
                if !blocked {
                    best = Some(ear);
                    break;
                }
            }
            // A self-intersecting polygon may have no ear: any corner will do.
            let ear = best.unwrap_or(start % count);
            push([corner(ear + count - 1), corner(ear), corner(ear + 1)]);
            left.remove(ear);
            start = if ear == 0 { 0 } else { ear - 1 };
        }
        if left.len() > 3 {
            if self.given_up < MAX_FREE {
                self.tests = before;
            }
            self.given_up += 1;
        }
        if let Some((&first, rest)) = left.split_first() {
            for pair in rest.windows(2) {
                if let [b, c] = *pair {
                    push([first, b, c]);
                }
            }
        }
        Ok(())
    }
}

/// Twice the area of a triangle, positive if it has the winding of the polygon.
fn doubled_area(a: [f64; 2], b: [f64; 2], c: [f64; 2]) -> f64 {
    (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
}

/// True if a point lies in a triangle or on its border.
fn is_inside(point: [f64; 2], [a, b, c]: [[f64; 2]; 3]) -> bool {
    doubled_area(a, b, point) >= 0.0
        && doubled_area(b, c, point) >= 0.0
        && doubled_area(c, a, point) >= 0.0
}

/// True if triangles from the first corner fill the polygon: they all have its orientation, and so
/// has every corner.
fn is_fan(flat: &[[f64; 2]]) -> bool {
    let Some((&first, rest)) = flat.split_first() else { return true };
    let fans = rest.windows(2).all(|pair| match *pair {
        [b, c] => doubled_area(first, b, c) >= 0.0,
        _ => true,
    });
    let count = flat.len();
    let at = |corner: usize| flat.get(corner % count).copied().unwrap_or_default();
    fans && (0..count).all(|corner| doubled_area(at(corner), at(corner + 1), at(corner + 2)) >= 0.0)
}

/// The polygon projected along the dominant axis of its normal, oriented for positive area.
fn flattened(polygon: &[Vec3]) -> Vec<[f64; 2]> {
    let points: Vec<[f64; 3]> =
        polygon.iter().map(|point| point.to_array().map(f64::from)).collect();
    let origin = points.first().copied().unwrap_or_default();
    let from_origin =
        |point: &[f64; 3]| [point[0] - origin[0], point[1] - origin[1], point[2] - origin[2]];
    let mut normal = [0.0; 3];
    for (a, b) in points.iter().zip(points.iter().cycle().skip(1)) {
        let (a, b) = (from_origin(a), from_origin(b));
        normal[0] += a[1] * b[2] - a[2] * b[1];
        normal[1] += a[2] * b[0] - a[0] * b[2];
        normal[2] += a[0] * b[1] - a[1] * b[0];
    }
    let size = normal.map(f64::abs);
    let (u, v, along) = if size[0] > size[1] && size[0] > size[2] {
        (1, 2, normal[0])
    } else if size[1] > size[2] {
        (2, 0, normal[1])
    } else {
        (0, 1, normal[2])
    };
    points
        .iter()
        .map(|point| {
            let point = from_origin(point);
            if along < 0.0 { [point[v], point[u]] } else { [point[u], point[v]] }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(points: &[[f32; 2]]) -> Vec<[usize; 3]> {
        let polygon: Vec<Vec3> = points.iter().map(|&[x, y]| Vec3::new(x, 5.0, -y)).collect();
        let mut triangles = Vec::new();
        let mut cutter = Cutter::new(&Deadline::NEVER);
        cutter.cut(&polygon, |triangle| triangles.push(triangle)).unwrap();
        triangles
    }

    fn area(points: &[[f32; 2]], [a, b, c]: [usize; 3]) -> f64 {
        doubled_area(points[a].map(f64::from), points[b].map(f64::from), points[c].map(f64::from))
    }

    #[test]
    fn polygon_convex_is_a_fan() {
        assert_eq!(cut(&[[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]]), [[0, 1, 2], [0, 2, 3]]);
    }

    #[test]
    fn polygon_concave_is_covered_once() {
        let arrow = [[0.0, 0.0], [2.0, 0.0], [0.5, 0.5], [0.0, 2.0]];
        let comb = [
            [0.0, 0.0],
            [7.0, 0.0],
            [7.0, 3.0],
            [6.0, 3.0],
            [6.0, 1.0],
            [4.0, 1.0],
            [4.0, 3.0],
            [3.0, 3.0],
            [3.0, 1.0],
            [1.0, 1.0],
            [1.0, 3.0],
            [0.0, 3.0],
        ];
        for (points, whole) in [(&arrow[..], 2.0), (&comb[..], 26.0)] {
            for turned in 0..points.len() {
                let mut points = points.to_vec();
                points.rotate_left(turned);
                let triangles = cut(&points);
                assert_eq!(triangles.len(), points.len() - 2);
                let areas: Vec<f64> = triangles.iter().map(|&face| area(&points, face)).collect();
                assert!(areas.iter().all(|&area| area >= 0.0), "{turned}: {areas:?}");
                assert!((areas.iter().sum::<f64>() - whole).abs() < 1e-6, "{turned}: {areas:?}");
            }
        }
    }

    #[test]
    fn polygon_behind_one_that_is_given_up_is_cut() {
        // Every second corner lies inside: none of 12,000 is an ear that few tests find.
        let star: Vec<Vec3> = (0..24_000)
            .map(|k| {
                let angle = tintype_model::math::func::radians(k as f32 * 151.0);
                let radius = if k % 2 == 0 { 1.0 } else { 0.5 };
                let (sin, cos) =
                    (tintype_model::math::func::sin(angle), tintype_model::math::func::cos(angle));
                Vec3::new(cos, 5.0, sin) * radius
            })
            .collect();
        let arrow =
            [[0.0, 0.0], [2.0, 0.0], [0.5, 0.5], [0.0, 2.0]].map(|[x, y]| Vec3::new(x, 5.0, -y));
        let mut cutter = Cutter::new(&Deadline::NEVER);
        cutter.cut(&star, |_| {}).unwrap();
        assert_eq!(cutter.given_up, 1);
        let mut triangles = Vec::new();
        cutter.cut(&arrow, |triangle| triangles.push(triangle)).unwrap();
        assert_eq!((cutter.given_up, triangles.len()), (1, 2));
        assert!(
            triangles.iter().all(|face| face.contains(&2) && face.contains(&0)),
            "{triangles:?}"
        );
    }

    #[test]
    fn polygon_that_crosses_itself_ends() {
        let star: Vec<[f32; 2]> = (0..400)
            .map(|k| {
                let angle = tintype_model::math::func::radians(k as f32 * 151.0);
                [tintype_model::math::func::cos(angle), tintype_model::math::func::sin(angle)]
            })
            .collect();
        assert_eq!(cut(&star).len(), 398);
    }
}
