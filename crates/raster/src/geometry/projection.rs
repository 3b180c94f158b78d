//! The camera as a projection from world space to scaled clip coordinates.

use tintype_model::Camera;
use tintype_model::math::Vec3;

/// Guard band: number of pixels that a triangle may reach beyond the picture without being clipped.
pub(crate) const GUARD_PX: f32 = 8192.0;

/// Camera as three rows that map a world position to scaled clip coordinates.
///
/// In clip coordinates a vertex is `(x, y, w)` with `w` the distance along the view axis and
/// `x / w`, `y / w` in **pixels** from the centre of the picture, y down. Without perspective the
/// divisor is always 1, and `w` is only the distance.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Projection {
    pub rows: [Vec3; 3],
    pub offset: [f32; 3],
    /// Half the width and the height of the picture, in pixels.
    pub half: [f32; 2],
    /// Smallest `w` that is drawn.
    pub near: f32,
    /// True if the camera is orthographic.
    pub is_orthographic: bool,
}

impl Projection {
    #[expect(clippy::cast_precision_loss, reason = "a side has at most 15 bits")]
    pub(crate) fn new(camera: &Camera, [width, height]: [u32; 2]) -> Self {
        let (width, height) = (width as f32, height as f32);
        let (tangent_x, tangent_y) = camera.half_tangents(width / height);
        let half = [width * 0.5, height * 0.5];
        let axes = camera.world_from_view;
        let mut rows = [
            axes.x_axis * (half[0] / tangent_x),
            axes.y_axis * (-half[1] / tangent_y),
            axes.z_axis * -1.0,
        ];
        let lens = camera.lens();
        let middle = lens.map(|lens| [lens.shift[0] * half[0], -lens.shift[1] * half[1]]);
        if let Some((lens, middle)) = lens.zip(middle) {
            rows[0] += axes.y_axis * (lens.skew * half[0]);
            if !lens.is_orthographic {
                (0..2).for_each(|axis| rows[axis] -= axes.z_axis * middle[axis]);
            }
        }
        let mut offset = rows.map(|row| -row.dot(camera.eye));
        if let Some(middle) = middle.filter(|_| camera.is_orthographic()) {
            (0..2).for_each(|axis| offset[axis] += middle[axis]);
        }
        Self { rows, offset, half, near: camera.near, is_orthographic: camera.is_orthographic() }
    }
}

impl Projection {
    /// The divisor of `x` and `y` at a distance along the view axis.
    #[inline]
    pub(crate) fn divisor(&self, w: f32) -> f32 {
        if self.is_orthographic { 1.0 } else { w }
    }

    /// Maps a world position to scaled clip coordinates.
    #[inline]
    pub(crate) fn clip_coordinates(&self, [x, y, z]: [f32; 3]) -> [f32; 3] {
        let along = |axis: usize| {
            let (row, offset) = (self.rows[axis], self.offset[axis]);
            row.x * x + row.y * y + row.z * z + offset
        };
        [along(0), along(1), along(2)]
    }
}

/// Signed distances of a corner to the planes: near, left, right, top, bottom; inside is at least
/// 0.
#[inline]
pub(crate) fn plane_distances(projection: &Projection, x: f32, y: f32, w: f32) -> [f32; 5] {
    let divisor = projection.divisor(w);
    let (limit_x, limit_y) =
        ((projection.half[0] + GUARD_PX) * divisor, (projection.half[1] + GUARD_PX) * divisor);
    [w - projection.near, limit_x + x, limit_x - x, limit_y + y, limit_y - y]
}
