//! Distances and boxes of vertices in `f64`.

use crate::held::Held;

/// A position.
pub(crate) type Point = [f64; 3];

/// Distance of two points.
pub(crate) fn distance(a: Point, b: Point) -> f64 {
    (0..3).map(|axis| (a[axis] - b[axis]) * (a[axis] - b[axis])).sum::<f64>().sqrt()
}

/// Diagonal of the box around points.
pub(crate) fn diagonal(points: &[Point]) -> f64 {
    let (mut low, mut high) = ([f64::MAX; 3], [f64::MIN; 3]);
    for point in points {
        for axis in 0..3 {
            low[axis] = low[axis].at_most(point[axis]);
            high[axis] = high[axis].at_least(point[axis]);
        }
    }
    distance(low, high)
}
