//! World space -> the picture, in `f64`: positions of points, triangles and segments.
//!
//! The rasterizer decides visibility; this module provides lines and values at a pixel. Nothing is
//! snapped or culled.

use tintype_model::math::Vec3;
use tintype_model::{Camera, Lens};

/// A point before the division: pixels times `w`, origin upper left, y down; `w`, which is 1 for an
/// orthographic camera; and the distance along the view axis, which otherwise equals `w`.
pub(super) type Projected = [f64; 4];

/// The camera and the size of the picture.
#[derive(Clone, Copy, Debug)]
pub(super) struct Screen {
    /// Coefficients of x, y, w and the distance for the world position, and the constant.
    rows: [[f64; 4]; 4],
    /// Pixels of a length of 1 across the view where `w` is 1.
    pub unit_px: f64,
    /// The smallest distance that is drawn.
    pub near: f64,
    /// Width and height in pixels.
    pub size: [u32; 2],
}

impl Screen {
    pub(super) fn new(camera: &Camera, size: [u32; 2]) -> Self {
        let [width, height] = size.map(f64::from);
        #[expect(clippy::cast_possible_truncation, reason = "as the rasterizer takes it")]
        let (tangent_x, tangent_y) = camera.half_tangents((width / height) as f32);
        let axes = camera.world_from_view;
        let row = |axis: Vec3, scale: f64| axis.to_array().map(|value| f64::from(value) * scale);
        let back = row(axes.z_axis, -1.0);
        let mut across = row(axes.x_axis, width * 0.5 / f64::from(tangent_x));
        let down = row(axes.y_axis, -height * 0.5 / f64::from(tangent_y));
        let mut middle = [width * 0.5, height * 0.5];
        if let Some(Lens { skew, shift, .. }) = camera.lens() {
            let slant = row(axes.y_axis, width * 0.5 * f64::from(skew));
            across = core::array::from_fn(|k| across[k] + slant[k]);
            let [right, up] = shift.map(f64::from);
            middle = [middle[0] * (1.0 + right), middle[1] * (1.0 - up)];
        }
        let eye = camera.eye.to_array().map(f64::from);
        let with_constant = |row: [f64; 3]| {
            [row[0], row[1], row[2], -(row[0] * eye[0] + row[1] * eye[1] + row[2] * eye[2])]
        };
        let back = with_constant(back);
        let divisor = if camera.is_orthographic() { [0.0, 0.0, 0.0, 1.0] } else { back };
        let from_corner = |row: [f64; 3], middle: f64| {
            let row = with_constant(row);
            core::array::from_fn(|k| row[k] + divisor[k] * middle)
        };
        let (across, down) = (from_corner(across, middle[0]), from_corner(down, middle[1]));
        let rows = [across, down, divisor, back];
        let unit_px = height * 0.5 / f64::from(tangent_y);
        Self { rows, unit_px, near: f64::from(camera.near), size }
    }

    #[inline]
    pub(super) fn project(&self, point: Vec3) -> Projected {
        let [x, y, z] = point.to_array().map(f64::from);
        self.rows.map(|row| row[0] * x + row[1] * y + row[2] * z + row[3])
    }

    /// The position of a point in the picture. None in front of the near plane.
    pub(super) fn place(&self, point: Vec3) -> Option<[f64; 2]> {
        let [x, y, w, distance] = self.project(point);
        (distance >= self.near).then(|| [x / w, y / w])
    }

    /// The part of a segment beyond the near plane, in pixels. None if no part of it can touch the
    /// picture.
    pub(super) fn segment(&self, from: Vec3, to: Vec3) -> Option<[[f64; 2]; 2]> {
        let (from, to) = (self.project(from), self.project(to));
        let (mut start, mut end) = (0.0, 1.0);
        let [width, height] = self.size.map(f64::from);
        // A margin for the width of lines.
        let edge = 16.0;
        let distances = |p: Projected| {
            [
                p[3] - self.near,
                p[0] + edge * p[2],
                (width + edge) * p[2] - p[0],
                p[1] + edge * p[2],
                (height + edge) * p[2] - p[1],
            ]
        };
        for (a, b) in distances(from).into_iter().zip(distances(to)) {
            if a < 0.0 && b < 0.0 {
                return None;
            }
            if a < 0.0 {
                start = larger(start, a / (a - b));
            } else if b < 0.0 {
                end = smaller(end, a / (a - b));
            }
        }
        let at = |part: f64| -> Projected {
            core::array::from_fn(|k| from[k] + (to[k] - from[k]) * part)
        };
        let place = |[x, y, w, _]: Projected| [x / w, y / w];
        (start < end).then(|| [place(at(start)), place(at(end))])
    }

    /// Calls `visit` with the distance of each corner of the visible part of a triangle.
    pub(super) fn clip(&self, triangle: [Projected; 3], mut visit: impl FnMut(f64)) {
        let [width, height] = self.size.map(f64::from);
        let distances = |p: &Projected| {
            [p[3] - self.near, p[0], width * p[2] - p[0], p[1], height * p[2] - p[1]]
        };
        let corners = triangle.map(|corner| distances(&corner));
        if (0..5).any(|plane| corners.iter().all(|corner| corner[plane] < 0.0)) {
            return;
        }
        let mut polygon = triangle.to_vec();
        if corners.iter().flatten().any(|&distance| distance < 0.0) {
            for plane in 0..5 {
                polygon = cut(&polygon, |corner| distances(corner)[plane]);
            }
        }
        polygon.iter().for_each(|corner| visit(corner[3]));
    }
}

/// The part of a convex polygon where a distance is at least 0.
pub(super) fn cut(polygon: &[Projected], distance: impl Fn(&Projected) -> f64) -> Vec<Projected> {
    let mut kept = Vec::with_capacity(polygon.len() + 1);
    for (index, from) in polygon.iter().enumerate() {
        let to = &polygon[(index + 1) % polygon.len()];
        let (a, b) = (distance(from), distance(to));
        if a >= 0.0 {
            kept.push(*from);
        }
        if (a >= 0.0) != (b >= 0.0) {
            // From the inner to the outer corner, so that neighbours cut their edge in one point.
            let (inner, outer, part) =
                if a >= 0.0 { (from, to, a / (a - b)) } else { (to, from, b / (b - a)) };
            kept.push(core::array::from_fn(|k| inner[k] + (outer[k] - inner[k]) * part));
        }
    }
    kept
}

pub(super) use tintype_model::math::{larger, smaller};

/// `value` clamped to 0..=1; NaN becomes 0.
pub(super) fn held(value: f64) -> f64 {
    smaller(larger(value, 0.0), 1.0)
}

/// Cross product of x, y and w.
fn cross(a: Projected, b: Projected) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

#[inline]
fn value(line: [f64; 3], [x, y]: [f64; 2]) -> f64 {
    line[0] * x + line[1] * y + line[2]
}

/// A triangle on the screen, without clipping: also one that reaches behind the eye.
///
/// Source: Olano and Greer, "Triangle Scan Conversion using 2D Homogeneous Coordinates", Graphics
/// Hardware 1997.
#[derive(Clone, Copy, Debug)]
pub(super) struct Patch {
    corners: [Projected; 3],
    /// Line k runs through the corners other than k; it is the coordinate of corner k, up to a
    /// common factor.
    lines: [[f64; 3]; 3],
}

impl Patch {
    pub(super) fn new(corners: [Projected; 3]) -> Self {
        let lines = [
            cross(corners[1], corners[2]),
            cross(corners[2], corners[0]),
            cross(corners[0], corners[1]),
        ];
        Self { corners, lines }
    }

    /// Perspective-correct barycentric coordinates; a position beside the triangle gets those of its border.
    #[inline]
    pub(super) fn share(&self, place: [f64; 2]) -> [f64; 3] {
        let raw = self.lines.map(|line| value(line, place));
        let scale = 1.0 / (raw[0] + raw[1] + raw[2]);
        let found = raw.map(|part| part * scale);
        if found[0] >= 0.0 && found[1] >= 0.0 && found[2] >= 0.0 {
            return found;
        }
        let inside = found.map(|part| larger(part, 0.0));
        let sum = inside[0] + inside[1] + inside[2];
        if sum > 0.0 { inside.map(|part| part / sum) } else { [1.0, 0.0, 0.0] }
    }

    /// The distance along the view axis.
    #[inline]
    pub(super) fn w(&self, [a, b, c]: [f64; 3]) -> f64 {
        let [p, q, r] = &self.corners;
        a * p[3] + b * q[3] + c * r[3]
    }

    /// The edges, for distances to them.
    pub(super) fn outline(&self) -> Outline {
        let length = |line: [f64; 3]| (line[0] * line[0] + line[1] * line[1]).sqrt();
        Outline { lines: self.lines, lengths: self.lines.map(length) }
    }

    /// The minimum height of the triangle in pixels; infinite if a corner is not before the eye.
    pub(super) fn least_height(&self) -> f64 {
        if self.corners.iter().any(|corner| corner[2] <= 0.0) {
            return f64::INFINITY;
        }
        (0..3).fold(f64::INFINITY, |least, k| {
            let ([x, y, w, _], line) = (self.corners[k], self.lines[k]);
            let length = (line[0] * line[0] + line[1] * line[1]).sqrt();
            smaller(value(line, [x / w, y / w]).abs() / length, least)
        })
    }
}

/// The edges of a triangle on the screen.
#[derive(Clone, Copy, Debug)]
pub(super) struct Outline {
    lines: [[f64; 3]; 3],
    /// Lengths of the normals of the lines.
    lengths: [f64; 3],
}

impl Outline {
    /// True if every edge is more than `reach` pixels from a position.
    pub(super) fn is_beyond(&self, reach: f64, place: [f64; 2]) -> bool {
        let edges = self.lines.iter().zip(self.lengths);
        edges.into_iter().all(|(&line, length)| value(line, place).abs() > reach * length)
    }

    /// Distance in pixels from a position to the nearest edge.
    pub(super) fn distance(&self, place: [f64; 2]) -> f64 {
        let distances =
            (0..3).map(|edge| value(self.lines[edge], place).abs() / self.lengths[edge]);
        distances.fold(f64::INFINITY, |least, distance| smaller(distance, least))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tintype_model::FovAxis;

    fn screen() -> Screen {
        let fov = FovAxis::Vertical(core::f32::consts::FRAC_PI_2);
        let camera = Camera::looking_at(Vec3::Z * 2.0, Vec3::ZERO, Vec3::Y, fov, 0.1, 100.0);
        Screen::new(&camera, [200, 100])
    }

    #[test]
    fn screen_has_its_origin_in_the_upper_left_corner() {
        let near = |a: [f64; 2], b: [f64; 2]| {
            assert!((a[0] - b[0]).abs() < 1e-3 && (a[1] - b[1]).abs() < 1e-3, "{a:?} {b:?}");
        };
        near(screen().place(Vec3::ZERO).unwrap(), [100.0, 50.0]);
        near(screen().place(Vec3::new(0.0, 2.0, 0.0)).unwrap(), [100.0, 0.0]);
        near(screen().place(Vec3::new(-4.0, -2.0, 0.0)).unwrap(), [0.0, 100.0]);
        assert_eq!(screen().place(Vec3::Z * 3.0), None);
    }

    #[test]
    fn patch_shares_are_correct_in_perspective() {
        let corners =
            [Vec3::new(-1.0, -1.0, 0.0), Vec3::new(1.0, -1.0, 1.0), Vec3::new(0.0, 1.0, -3.0)];
        let patch = Patch::new(corners.map(|corner| screen().project(corner)));
        let wanted = [0.2, 0.5, 0.3];
        let point = corners[0] * 0.2 + corners[1] * 0.5 + corners[2] * 0.3;
        let share = patch.share(screen().place(point).unwrap());
        for k in 0..3 {
            assert!((share[k] - wanted[k]).abs() < 1e-5, "{share:?}");
        }
        assert!((patch.w(share) - screen().project(point)[2]).abs() < 1e-5);
    }

    #[test]
    fn segment_is_cut_at_the_near_plane() {
        let [from, to] = screen().segment(Vec3::ZERO, Vec3::new(0.5, 0.0, 5.0)).unwrap();
        assert!((from[0] - 100.0).abs() < 1e-3 && to[0] <= 216.01 && to[0] > from[0], "{to:?}");
        assert_eq!(screen().segment(Vec3::Z * 3.0, Vec3::Z * 4.0), None);
    }
}
