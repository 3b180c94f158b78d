//! The camera of a frame as matrices.

use super::Error;
use super::builder::{CameraBuilder, SceneBuilder};
use tintype_model::math::Vec3;
use tintype_scene::{CameraContext, Fit, FramePosition};

pub use tintype_model::CameraConvention;

/// The camera of one frame as matrices, stored by rows, for column vectors.
///
/// View space is right-handed with +Y up, and the camera looks down its -Z. In clip space, a point
/// is inside the picture if `x` and `y` are within `-w..=w`, with `y` up, and `z` is from 0 at the
/// near plane to `w` at the far plane. Its pixel is at `(1 + x/w) / 2` of the width and
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
    /// Width and height of the picture.
    pub size: [u32; 2],
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
        // Without a far plane, `z` is the limit for a far plane at infinity.
        let per = match (camera.is_orthographic(), far.is_finite()) {
            (true, true) if near.is_finite() => 1.0 / (far - near),
            (true, _) => 0.0,
            (false, true) => far / (far - near),
            (false, false) => 1.0,
        };
        let offset = if per == 0.0 { 0.0 } else { -near * per };
        let w = if camera.is_orthographic() { last } else { [0.0, 0.0, -1.0, 0.0] };
        let lens = camera.lens();
        let [right, up] = lens.map_or([0.0; 2], |lens| lens.shift.map(f64::from));
        let skew = lens.map_or(0.0, |lens| f64::from(lens.skew));
        // The principal point moves in proportion to w.
        let [across, upward] = [right, up].map(|shift| w.map(|part| part * shift));
        let x = [x, skew, across[2], across[3]];
        let y = [0.0, y, upward[2], upward[3]];
        let clip_from_view = [x, y, [0.0, 0.0, -per, offset], w];
        Self { view_from_world, clip_from_view, size: [width, height] }
    }

    /// Computes the camera that a builder describes by matrices, or by a position and a target, for
    /// a picture of this size.
    ///
    /// # Errors
    /// [`ErrorKind::Scene`](crate::ErrorKind::Scene) if a value is out of range, or the camera
    /// depends on models.
    pub fn of_builder(camera: &CameraBuilder, size: [u32; 2]) -> Result<Self, Error> {
        let read = SceneBuilder::new().camera(camera.clone()).build_camera("camera");
        let rig = read.map_err(|errors| Error::of_scene(&errors))?;
        if rig.needs_models() {
            let message = "camera: it depends on a scene's models, but there is no scene";
            return Err(Error::new(crate::ErrorKind::Scene, message.to_owned()));
        }
        let context =
            CameraContext { fit: Fit::default(), front: Vec3::Z, recording: None, placed: None };
        let moment = FramePosition { k: 0, n: 1, time_s: 0.0 };
        Ok(Self::new(&rig.camera_at(moment, &context), size))
    }

    /// Converts the camera to a builder of a matrix camera.
    #[must_use]
    pub fn to_builder(&self) -> CameraBuilder {
        let [x, y, z, _] = self.extrinsics(CameraConvention::OpenCv);
        let word = if self.is_orthographic() { "orthographic" } else { "perspective" };
        let builder = CameraBuilder::matrix(self.intrinsics(), [x, y, z], self.size);
        let [near, far] = self.planes();
        let builder = near.into_iter().fold(builder.projection(word), CameraBuilder::near);
        far.into_iter().fold(builder, CameraBuilder::far)
    }

    /// Distances of the near and far planes, if they are above 0 and finite.
    fn planes(&self) -> [Option<f64>; 2] {
        let [.., per, offset] = self.clip_from_view[2];
        let per = -per;
        let (near, far) = if self.is_orthographic() {
            (-offset / per, (1.0 - offset) / per)
        } else {
            (-offset / per, if per == 1.0 { f64::INFINITY } else { offset / (1.0 - per) })
        };
        [near, far].map(|plane| Some(plane).filter(|plane| *plane > 0.0 && plane.is_finite()))
    }

    /// True if all rays are parallel.
    #[must_use]
    pub fn is_orthographic(&self) -> bool {
        self.clip_from_view[3][3] == 1.0
    }

    /// The intrinsic matrix `K`: `[[fx, skew, cx], [0, fy, cy], [0, 0, 1]]` in pixels from the
    /// upper left corner of the picture, where the centre of the first pixel is at 0.5. It maps
    /// camera space with the axes of OpenCV to pixels. For an orthographic camera, `fx` and `fy`
    /// are pixels per unit.
    #[must_use]
    pub fn intrinsics(&self) -> [[f64; 3]; 3] {
        let [x, y, _, w] = &self.clip_from_view;
        let [half_width, half_height] = self.size.map(|side| f64::from(side) * 0.5);
        let shift = |row: &[f64; 4]| row[2] * w[2] + row[3] * w[3];
        [
            [x[0] * half_width, -x[1] * half_width, (1.0 + shift(x)) * half_width],
            [0.0, y[1] * half_height, (1.0 - shift(y)) * half_height],
            [0.0, 0.0, 1.0],
        ]
    }

    /// The extrinsic matrix `[R|t]`: world space to camera space with the axes of a convention.
    #[must_use]
    pub fn extrinsics(&self, convention: CameraConvention) -> [[f64; 4]; 4] {
        let signs = convention.view_signs();
        let sign = |row: usize| signs.get(row).copied().unwrap_or(1.0);
        // Zeros stay without a sign.
        core::array::from_fn(|row| self.view_from_world[row].map(|value| value * sign(row) + 0.0))
    }

    /// The pose: a matrix from camera space, with the axes of a convention, to world space.
    #[must_use]
    pub fn pose(&self, convention: CameraConvention) -> [[f64; 4]; 4] {
        let [x, y, z, last] = self.extrinsics(convention);
        let row = |k: usize| {
            let place = x[k] * x[3] + y[k] * y[3] + z[k] * z[3];
            [x[k], y[k], z[k], 0.0 - place]
        };
        [row(0), row(1), row(2), last]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tintype_model::{Camera as Own, FovAxis};

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

    /// Round trip of a tilted camera with an off-centre principal point, in both conventions, with
    /// and without perspective: points are projected by the matrices, and the matrices come back.
    #[test]
    fn matrices_of_computer_vision_go_in_and_come_back() {
        let k = [[1400.0, 3.5, 1010.25], [0.0, 1392.0, 488.5], [0.0, 0.0, 1.0]];
        // A rotation of 30 degrees about y, then of 20 degrees about x, with y down and z ahead.
        let ([s, c], [u, v]) = ([0.5, 0.75_f64.sqrt()], [0.342_020_143, 0.939_692_621]);
        let turn = [[c, 0.0, -s], [u * s, v, u * c], [v * s, -u, v * c]];
        for (word, convention) in CameraConvention::WORDS {
            for projection in ["perspective", "orthographic"] {
                let signs = convention.view_signs();
                // Seven units ahead.
                let t = [0.4, -0.3, -7.0 * signs[2]];
                let rt: [[f64; 4]; 3] =
                    core::array::from_fn(|row| [turn[row][0], turn[row][1], turn[row][2], t[row]]);
                let camera = CameraBuilder::matrix(k, rt, [1920, 1080]).convention(word);
                let scene = SceneBuilder::new().camera(camera.projection(projection));
                let rig = scene.build_camera("camera").expect("a camera");
                let context = CameraContext {
                    fit: Fit::default(),
                    front: Vec3::Z,
                    recording: None,
                    placed: None,
                };
                let moment = FramePosition { k: 0, n: 1, time_s: 0.0 };
                let own = rig.camera_at(moment, &context);
                let camera = Camera::new(&own, [1920, 1080]);
                for point in [Vec3::ZERO, Vec3::new(0.3, -0.5, 0.8), Vec3::new(-1.0, 0.7, -0.2)] {
                    let [x, y, z] = point.to_array().map(f64::from);
                    let at = rt.map(|row| row[0] * x + row[1] * y + row[2] * z + row[3]);
                    // In OpenCV's axes, as expected by the intrinsics.
                    let at: [f64; 3] = core::array::from_fn(|axis| {
                        at[axis] * signs[axis] * CameraConvention::OpenCv.view_signs()[axis]
                    });
                    let depth = if projection == "orthographic" { 1.0 } else { at[2] };
                    let wanted = [
                        (k[0][0] * at[0] + k[0][1] * at[1]) / depth + k[0][2],
                        k[1][1] * at[1] / depth + k[1][2],
                    ];
                    let found = own.pixel_of(point, [1920, 1080]);
                    let is_near = (0..2).all(|axis| (found[axis] - wanted[axis]).abs() < 0.01);
                    assert!(is_near, "{word} {found:?}, not {wanted:?}");
                    let view = through(&camera.view_from_world, [x, y, z, 1.0]);
                    let clip = through(&camera.clip_from_view, view);
                    let pixel = (1.0 + clip[0] / clip[3]) * 960.0;
                    assert!((pixel - wanted[0]).abs() < 0.01, "{word} {projection}: {pixel}");
                }
                let near = |a: &[f64], b: &[f64]| {
                    assert!(a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-3), "{a:?} {b:?}");
                };
                near(camera.intrinsics().as_flattened(), k.as_flattened());
                let back = camera.extrinsics(*convention);
                near(back[..3].as_flattened(), rt.as_flattened());
                let pose = camera.pose(*convention);
                let same: Vec<f64> = (0..4)
                    .flat_map(|row| through(&back, core::array::from_fn(|k| pose[k][row])))
                    .collect();
                let unit: Vec<f64> = (0..16).map(|at| f64::from(u8::from(at % 5 == 0))).collect();
                near(&same, &unit);
                assert_eq!(camera.is_orthographic(), projection == "orthographic");
                let bounded = camera.to_builder().near(0.5).far(40.0);
                let bounded = Camera::of_builder(&bounded, camera.size).expect("a camera");
                let again = Camera::of_builder(&bounded.to_builder(), camera.size);
                let again = again.expect("a camera");
                near(again.clip_from_view.as_flattened(), bounded.clip_from_view.as_flattened());
                near(again.view_from_world.as_flattened(), camera.view_from_world.as_flattened());
            }
        }
    }
}
