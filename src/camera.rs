//! The camera of a frame as matrices.

use tintype_model::FovAxis;
use tintype_model::math::Vec3;

/// The camera of one frame: matrices of rows, for column vectors.
///
/// View space is right-handed with +Y up, and the camera looks down its -Z. In clip space a point is in the picture where `x` and `y` are
/// within `-w..=w`, `y` up, and `z` from 0 at the near plane to `w` at the far one. A pixel is at `(1 + x/w) / 2` of the width and
/// `(1 - y/w) / 2` of the height.
///
/// ```
/// use tintype::Renderer;
/// use tintype::builder::{ModelBuilder, SceneBuilder};
///
/// let scene = SceneBuilder::new().size([320, 240]).model(ModelBuilder::new("ranger.glb"));
/// let camera = Renderer::build(&scene, "scenes/assets")?.camera(0)?;
/// assert_eq!(camera.view_from_world[3], [0.0, 0.0, 0.0, 1.0]);
/// # Ok::<(), tintype::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Camera {
    /// World space to view space.
    pub view_from_world: [[f64; 4]; 4],
    /// View space to clip space.
    pub clip_from_view: [[f64; 4]; 4],
}

impl Camera {
    pub(crate) fn new(camera: &tintype_model::Camera, [width, height]: [u32; 2]) -> Self {
        let axes = camera.world_from_view;
        let row = |axis: Vec3| {
            let [x, y, z] = axis.to_array().map(f64::from);
            let [a, b, c] = camera.eye.to_array().map(f64::from);
            [x, y, z, -(x * a + y * b + z * c)]
        };
        let last = [0.0, 0.0, 0.0, 1.0];
        let view_from_world = [row(axes.x_axis), row(axes.y_axis), row(axes.z_axis), last];
        #[expect(clippy::cast_possible_truncation, reason = "a ratio of sides")]
        let aspect = (f64::from(width) / f64::from(height)) as f32;
        let (half_x, half_y) = camera.half_tangents(aspect);
        let [x, y] = [half_x, half_y].map(|half| 1.0 / f64::from(half));
        let [near, far] = [camera.near, camera.far].map(f64::from);
        // Of a range without end, `z` is that of a far plane that goes away.
        let per = match camera.fov {
            FovAxis::Parallel(_) if near.is_finite() && far.is_finite() => 1.0 / (far - near),
            FovAxis::Parallel(_) => 0.0,
            _ if far.is_finite() => far / (far - near),
            _ => 1.0,
        };
        let offset = if per == 0.0 { 0.0 } else { -near * per };
        let (z, w) = match camera.fov {
            FovAxis::Parallel(_) => ([0.0, 0.0, -per, offset], last),
            _ => ([0.0, 0.0, -per, offset], [0.0, 0.0, -1.0, 0.0]),
        };
        let clip_from_view = [[x, 0.0, 0.0, 0.0], [0.0, y, 0.0, 0.0], z, w];
        Self { view_from_world, clip_from_view }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tintype_model::Camera as Own;

    fn through(matrix: &[[f64; 4]; 4], point: [f64; 4]) -> [f64; 4] {
        matrix.map(|row| row.iter().zip(point).map(|(a, b)| a * b).sum())
    }

    #[test]
    fn matrices_give_the_pixels_of_the_camera() {
        let (eye, target) = (Vec3::new(3.0, 2.0, 5.0), Vec3::new(0.5, 1.0, -0.25));
        for (fov, far) in [
            (FovAxis::Vertical(0.6), 100.0),
            (FovAxis::Horizontal(1.1), f32::INFINITY),
            (FovAxis::Parallel(4.0), 100.0),
        ] {
            let own = Own::looking_at(eye, target, Vec3::Y, fov, 0.5, far);
            let camera = Camera::new(&own, [320, 200]);
            for point in [target, Vec3::new(0.1, 1.5, 0.3), Vec3::new(-1.0, 0.0, 1.0)] {
                let [x, y, z] = point.to_array().map(f64::from);
                let view = through(&camera.view_from_world, [x, y, z, 1.0]);
                let clip = through(&camera.clip_from_view, view);
                let [x, y] = [clip[0] / clip[3], clip[1] / clip[3]];
                let pixel = [(1.0 + x) * 0.5 * 320.0, (1.0 - y) * 0.5 * 200.0];
                let wanted = own.pixel_of(point, [320, 200]);
                assert!((0..2).all(|k| (pixel[k] - wanted[k]).abs() < 1e-3), "{fov:?} {pixel:?}");
                assert!(clip[2] > 0.0 && clip[2] < clip[3], "{fov:?} {clip:?}");
            }
            let near = through(&camera.clip_from_view, [0.0, 0.0, -0.5, 1.0]);
            assert!(near[2].abs() < 1e-6, "{near:?}");
        }
    }
}
