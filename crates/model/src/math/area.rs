//! Triangles without an area, which are invisible.

use super::{Aabb, Vec3};

/// Minimum ratios for a triangle to have an area: of its height to its longest side, and of its
/// longest side to the largest coordinate. Less is rounding of its corners.
const MIN_SHARE: f64 = 1e-6;

/// True if a triangle has an area.
#[must_use]
pub fn has_area([a, b, c]: [Vec3; 3]) -> bool {
    let wide = |v: Vec3| v.to_array().map(f64::from);
    let between = |from: Vec3, to: Vec3| {
        let (from, to) = (wide(from), wide(to));
        [to[0] - from[0], to[1] - from[1], to[2] - from[2]]
    };
    let squared = |v: [f64; 3]| v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
    let (ab, ac, bc) = (between(a, b), between(a, c), between(b, c));
    let larger = |a: f64, b: f64| if b > a { b } else { a };
    let longest = larger(larger(squared(ab), squared(ac)), squared(bc));
    let coordinates = [a, b, c].into_iter().flat_map(wide).map(f64::abs);
    let size = coordinates.fold(0.0, larger);
    let cross = [
        ab[1] * ac[2] - ab[2] * ac[1],
        ab[2] * ac[0] - ab[0] * ac[2],
        ab[0] * ac[1] - ab[1] * ac[0],
    ];
    // Twice the area is the longest side times the height upon it. All are squared.
    let least = MIN_SHARE * MIN_SHARE;
    longest > size * size * least && squared(cross) > longest * longest * least
}

/// The bounding box of triangles with an area. None if no triangle has one.
#[must_use]
pub fn drawn_bounds(triangles: &[[u32; 3]], positions: &[Vec3]) -> Option<Aabb> {
    let mut bounds = Aabb::EMPTY;
    for triangle in triangles {
        let corners = triangle.map(|vertex| positions[vertex as usize]);
        // Most triangles lie in the box already.
        if !corners.iter().all(|&at| bounds.contains(at)) && has_area(corners) {
            corners.iter().for_each(|&at| bounds.add(at));
        }
    }
    (!bounds.is_empty()).then_some(bounds)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn area_is_told_from_rounding_at_every_size() {
        let [x, y] = [Vec3::X, Vec3::Y];
        for size in [1e-9, 1.0, 1e12] {
            assert!(has_area([Vec3::ZERO, x * size, y * size]), "{size}");
            assert!(!has_area([x * size; 3]), "{size}");
            assert!(!has_area([x * size, x * size, y * size]), "{size}");
            assert!(!has_area([Vec3::ZERO, x * size, x * (3.0 * size)]), "{size}");
        }
        assert!(
            !has_area([x * 1e3, x * 1e3 + y * 1e-5, x * (1e3 + 1e-5)]),
            "a scale of 0, rounded"
        );
        assert!(!has_area([Vec3::splat(f32::NAN), x, y]));
    }
}
