//! Rays of the camera: from the eye through positions on the screen.

use tintype_model::math::Vec3;
use tintype_model::math::lanes::Vec3s;
use tintype_model::simd::Simd;
use tintype_model::simd::prelude::*;
use tintype_model::{Camera, Lens};

/// Rays of one camera and picture size, in world space. Their lengths differ: all end on the plane
/// one unit in front of the eye. Those of an orthographic camera are all the same.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rays {
    /// Through the upper left corner of the picture.
    corner: Vec3,
    /// Change per pixel to the right and per pixel down.
    across: Vec3,
    down: Vec3,
}

/// Pixels per fixed-point unit.
#[expect(clippy::cast_precision_loss, reason = "256")]
const PIXELS: f32 = 1.0 / crate::geometry::edge::UNIT as f32;

impl Rays {
    /// The rays of a picture of that size.
    pub(crate) fn new(camera: &Camera, size: [u32; 2]) -> Self {
        let ahead = camera.world_from_view.z_axis;
        if camera.is_orthographic() {
            return Self { corner: -ahead, across: Vec3::ZERO, down: Vec3::ZERO };
        }
        let offsets = Self::offsets(camera, size);
        Self { corner: offsets.corner - ahead, ..offsets }
    }

    /// For an orthographic camera: the offset from the eye at which the ray of each position
    /// begins.
    pub(crate) fn origins(camera: &Camera, size: [u32; 2]) -> Option<Self> {
        camera.is_orthographic().then(|| Self::offsets(camera, size))
    }

    /// Offsets of positions from the view axis, at a distance of 1.
    #[expect(clippy::cast_precision_loss, reason = "a side has at most 15 bits")]
    fn offsets(camera: &Camera, size: [u32; 2]) -> Self {
        let [width, height] = size.map(|side| side as f32);
        let (half_x, half_y) = camera.half_tangents(width / height);
        let axes = camera.world_from_view;
        let (right, up) = (axes.x_axis * half_x, axes.y_axis * half_y);
        let (across, down) = (right * (2.0 / width), up * (-2.0 / height));
        let Some(Lens { skew, shift, .. }) = camera.lens() else {
            return Self { corner: up - right, across, down };
        };
        // The skew subtracts from the distance to the right what each distance up adds.
        let slant = right * (skew * half_y);
        let top = 1.0 - shift[1];
        Self {
            corner: up * top - right * (1.0 + shift[0]) - slant * top,
            across,
            down: down + slant * (2.0 / height),
        }
    }

    /// The ray through a position in pixels.
    #[inline]
    pub(crate) fn through(&self, x: f32, y: f32) -> Vec3 {
        self.corner + self.across * x + self.down * y
    }

    /// The unit vector to the eye from a surface point seen at a position in 1/256 pixel.
    #[inline]
    #[expect(clippy::cast_precision_loss, reason = "at most 22 bits")]
    pub(crate) fn back(&self, x: i32, y: i32) -> Vec3 {
        let ray = self.through(x as f32 * PIXELS, y as f32 * PIXELS);
        ray * (-1.0 / ray.dot(ray).sqrt())
    }

    /// [`Rays::through`] in every lane.
    #[inline(always)]
    pub(crate) fn through_lanes<S: Simd>(&self, simd: S, x: S::f32s, y: S::f32s) -> Vec3s<S> {
        Vec3s::splat(simd, self.corner)
            .plus(Vec3s::splat(simd, self.across).scaled(x))
            .plus(Vec3s::splat(simd, self.down).scaled(y))
    }

    /// [`Rays::back`] in every lane.
    #[inline(always)]
    pub(crate) fn back_lanes<S: Simd>(&self, simd: S, x: S::i32s, y: S::i32s) -> Vec3s<S> {
        let (x, y) = (x.to_float::<S::f32s>() * PIXELS, y.to_float::<S::f32s>() * PIXELS);
        let ray = self.through_lanes(simd, x, y);
        ray.scaled(tintype_model::math::lanes::splat(simd, -1.0) / ray.dot(ray).sqrt())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tintype_model::FovAxis;

    #[test]
    fn rays_meet_what_the_camera_looks_at() {
        let (eye, target) = (Vec3::new(1.0, 2.0, 3.0), Vec3::new(-1.0, 0.5, 0.0));
        let fov = FovAxis::Vertical(0.7);
        let camera = Camera::looking_at(eye, target, Vec3::Y, fov, 0.1, 100.0);
        let rays = Rays::new(&camera, [640, 480]);
        let expected = (eye - target).normalize();
        let found = rays.back(320 * 256, 240 * 256);
        assert!((found - expected).length() < 1e-6, "{found}");
        let above = rays.back(320 * 256, 0);
        let angle = libm::acos(f64::from(above.dot(found)));
        assert!((angle - 0.35).abs() < 1e-5, "{angle}");
    }
}
