//! World space -> clip coordinates, once a vertex.

use crate::math::Vec3;
use crate::model::{Camera, PosedMesh};

/// The camera as three rows: what maps a world position to scaled clip coordinates.
///
/// A vertex becomes `(x, y, w)` with `w` the distance along the view axis and `x / w`, `y / w` in **pixels** from the middle of
/// the picture, y down.
#[derive(Clone, Copy, Debug)]
pub(super) struct Projection {
    rows: [Vec3; 3],
    offset: [f32; 3],
    /// Pixels from the edge of the picture to its middle, x and y.
    pub half: [f32; 2],
    /// Smallest `w` that is drawn.
    pub near: f32,
}

impl Projection {
    #[expect(clippy::cast_precision_loss, reason = "a side has at most 15 bits")]
    pub fn new(camera: &Camera, [width, height]: [u32; 2]) -> Self {
        let (width, height) = (width as f32, height as f32);
        let (tangent_x, tangent_y) = camera.half_tangents(width / height);
        let half = [width * 0.5, height * 0.5];
        let axes = camera.world_from_view;
        let rows = [
            axes.x_axis * (half[0] / tangent_x),
            axes.y_axis * (-half[1] / tangent_y),
            axes.z_axis * -1.0,
        ];
        let offset = rows.map(|row| -row.dot(camera.eye));
        Self { rows, offset, half, near: camera.near }
    }
}

/// The vertices of one draw in scaled clip coordinates.
#[derive(Clone, Debug, Default)]
pub(super) struct Projected {
    /// Pixels from the middle times `w`.
    pub x: Vec<f32>,
    /// Pixels down from the middle times `w`.
    pub y: Vec<f32>,
    /// Distance along the view axis.
    pub w: Vec<f32>,
}

pub(super) fn project_vertices(projection: &Projection, posed: &PosedMesh) -> Projected {
    let along = |axis: usize| {
        let (row, offset) = (projection.rows[axis], projection.offset[axis]);
        let [x, y, z] = &posed.position;
        x.iter()
            .zip(y)
            .zip(z)
            .map(|((x, y), z)| row.x * x + row.y * y + row.z * z + offset)
            .collect()
    };
    Projected { x: along(0), y: along(1), w: along(2) }
}
