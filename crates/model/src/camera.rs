//! A camera at one time.

use crate::math::{Affine3, Mat3, Vec3, any_perpendicular, func, unit_or};

/// The visible part of the world: a field of view along one side, or a height.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum FovAxis {
    /// From the left edge to the right edge, in radians.
    Horizontal(f32),
    /// From the top edge to the bottom edge, in radians.
    Vertical(f32),
    /// No perspective: an orthographic picture of this height in world units, above 0.
    Parallel(f32),
    /// A matrix of intrinsics, independent of the sides of the picture.
    Matrix(Lens),
}

/// A projection with an off-centre principal point and skew, in fractions of the picture: positions
/// run from -1 at the left and lower edge to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lens {
    /// Half the visible width and height at a distance of 1, or at any distance without
    /// perspective.
    pub half: [f32; 2],
    /// Horizontal shift per unit upward at a distance of 1.
    pub skew: f32,
    /// Position of the view axis.
    pub shift: [f32; 2],
    /// True if all rays are parallel.
    pub is_orthographic: bool,
}

/// Axes of the space of a camera in two fields of work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CameraConvention {
    /// x to the right, y down, z ahead.
    OpenCv,
    /// x to the right, y up, z backwards, as ours.
    OpenGl,
}

impl CameraConvention {
    /// Both with their names.
    pub const WORDS: &'static [(&'static str, Self)] =
        &[("opencv", Self::OpenCv), ("opengl", Self::OpenGl)];

    /// Signs of its axes in our view space, and vice versa.
    #[must_use]
    pub fn view_signs(self) -> [f64; 3] {
        match self {
            Self::OpenCv => [1.0, -1.0, -1.0],
            Self::OpenGl => [1.0; 3],
        }
    }
}

/// A camera at one time, in world space. It looks along its -Z with +Y up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Camera {
    /// The eye.
    pub eye: Vec3,
    /// World directions of the view's axes: right, up, and backwards.
    pub world_from_view: Mat3,
    /// The field of view.
    pub fov: FovAxis,
    /// Near plane along the view axis; above 0, but arbitrary or minus infinity for an orthographic
    /// camera.
    pub near: f32,
    /// Far plane along the view axis; may be infinite.
    pub far: f32,
}

impl Camera {
    /// A camera at `eye` that looks at `target`; `up` need not be perpendicular to the view, and
    /// may even lie along it.
    #[must_use]
    pub fn looking_at(
        eye: Vec3,
        target: Vec3,
        up: Vec3,
        fov: FovAxis,
        near: f32,
        far: f32,
    ) -> Self {
        let back = unit_or(eye - target, Vec3::Z);
        let right = unit_or(up.cross(back), any_perpendicular(back));
        let world_from_view = Mat3::from_cols(right, back.cross(right), back);
        Self { eye, world_from_view, fov, near, far }
    }

    /// World space to view space.
    #[must_use]
    pub fn view_from_world(&self) -> Affine3 {
        let rotation = self.world_from_view.transpose();
        Affine3::from_mat3_translation(rotation, rotation * -self.eye)
    }

    /// True if all rays are parallel: an orthographic camera.
    #[must_use]
    pub fn is_orthographic(&self) -> bool {
        match self.fov {
            FovAxis::Parallel(_) => true,
            FovAxis::Matrix(lens) => lens.is_orthographic,
            FovAxis::Horizontal(_) | FovAxis::Vertical(_) => false,
        }
    }

    /// The unit vector from a position to the eye; the direction of all rays without perspective.
    #[must_use]
    pub fn toward_eye(&self, position: Vec3) -> Vec3 {
        let back = self.world_from_view.z_axis;
        if self.is_orthographic() { back } else { unit_or(self.eye - position, back) }
    }

    /// Position of a point in a picture of this size, in pixels from the upper left corner;
    /// meaningless behind the eye.
    #[must_use]
    pub fn pixel_of(&self, point: Vec3, size: [u32; 2]) -> [f64; 2] {
        let [width, height] = size.map(f64::from);
        #[expect(clippy::cast_possible_truncation, reason = "a ratio of sides")]
        let (half_x, half_y) = self.half_tangents((width / height) as f32);
        let from_eye = (point - self.eye).to_array().map(f64::from);
        let along = |axis: Vec3| -> f64 {
            axis.to_array().iter().zip(from_eye).map(|(a, b)| f64::from(*a) * b).sum()
        };
        let axes = self.world_from_view;
        let divisor = if self.is_orthographic() { 1.0 } else { -along(axes.z_axis) };
        let up = along(axes.y_axis) / divisor;
        let mut x = along(axes.x_axis) / (divisor * f64::from(half_x));
        let mut y = up / f64::from(half_y);
        if let FovAxis::Matrix(Lens { skew, shift, .. }) = self.fov {
            x += f64::from(skew) * up + f64::from(shift[0]);
            y += f64::from(shift[1]);
        }
        [(1.0 + x) * 0.5 * width, (1.0 - y) * 0.5 * height]
    }

    /// Tangents of half the field of view, horizontal and vertical, for a picture of this width
    /// over height; half the width and the height in world units without perspective.
    #[must_use]
    pub fn half_tangents(&self, aspect: f32) -> (f32, f32) {
        match self.fov {
            FovAxis::Horizontal(rad) => {
                let x = func::tan(rad * 0.5);
                (x, x / aspect)
            }
            FovAxis::Vertical(rad) => {
                let y = func::tan(rad * 0.5);
                (y * aspect, y)
            }
            FovAxis::Parallel(height) => (height * 0.5 * aspect, height * 0.5),
            FovAxis::Matrix(lens) => lens.half.into(),
        }
    }

    /// The projection of a matrix of intrinsics, which alone has a principal point and skew.
    #[must_use]
    pub fn lens(&self) -> Option<Lens> {
        if let FovAxis::Matrix(lens) = self.fov { Some(lens) } else { None }
    }
}
