//! Size of a pixel on a surface: edges of shadows are not sharper, as they would be stair-stepped.
//!
//! A point is shaded once for all samples of its pixel, so more samples do not smooth an edge
//! within a surface. Instead the window of the filter is at least about a pixel wide. On a slanted
//! surface a pixel is a long strip; the window is the mean of its sides.

use tintype_model::Camera;
use tintype_model::math::Vec3;
use tintype_model::math::number::{Number, Triple};

/// Minimum radius of a window in pixels.
const RADIUS: f32 = 1.25;
/// Minimum cosine of the slant of a surface.
const MIN_COSINE: f32 = 0.08;

/// Size of a pixel of one camera and picture, in texels of a map.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PixelSize {
    eye: Vec3,
    /// For an orthographic camera: the direction to the eye.
    back: Option<Vec3>,
    /// Minimum radius at a distance of 1, or at any distance of an orthographic camera, in texels.
    radius: f32,
}

impl PixelSize {
    /// The pixels of a picture of this size; texels have this width in the world.
    #[expect(clippy::cast_precision_loss, reason = "a side has at most 15 bits")]
    pub(crate) fn new(camera: &Camera, size: [u32; 2], texel: f32) -> Self {
        let [width, height] = size.map(|side| side as f32);
        let (_, half) = camera.half_tangents(width / height);
        let back = camera.is_orthographic().then_some(camera.world_from_view.z_axis);
        Self { eye: camera.eye, back, radius: 2.0 * half / height * RADIUS / texel }
    }

    /// Minimum radius of a window around a point with a unit normal, in texels: the distance from
    /// the eye over the root of the slant's cosine, with a single division.
    #[inline(always)]
    pub(crate) fn radius_at<N: Number>(&self, position: Triple<N>, normal: Triple<N>) -> N {
        let like = position.x;
        // Cube of the distance, and distance times cosine.
        let (cube, share) = match self.back {
            Some(back) => {
                let cosine = normal.dot(Triple::constant(like, back));
                (like.constant(1.0), cosine.at_least(like.constant(MIN_COSINE)))
            }
            None => {
                let offset = Triple::constant(like, self.eye).minus(position);
                let squared = offset.dot(offset);
                let distance = squared.root();
                let share = offset.dot(normal).at_least(distance * MIN_COSINE);
                (squared * distance, share.at_least(like.constant(f32::MIN_POSITIVE)))
            }
        };
        (cube / share).root() * self.radius
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tintype_model::FovAxis;

    #[test]
    fn radius_grows_with_distance_and_slant() {
        let fov = FovAxis::Vertical(core::f32::consts::FRAC_PI_2);
        let camera = Camera::looking_at(Vec3::ZERO, -Vec3::Z, Vec3::Y, fov, 0.1, 100.0);
        let pixel = PixelSize::new(&camera, [200, 100], 1.0);
        let at = |z: f32, normal: Vec3| {
            pixel.radius_at::<f32>(Vec3::new(0.0, 0.0, z).into(), normal.into())
        };
        assert!((at(-1.0, Vec3::Z) - 0.02 * RADIUS).abs() < 1e-6);
        assert!((at(-3.0, Vec3::Z) - 0.06 * RADIUS).abs() < 1e-6);
        let slanted = Vec3::new(0.0, 0.75_f32.sqrt(), 0.5);
        assert!((at(-1.0, slanted) - 0.02 * RADIUS * 2.0_f32.sqrt()).abs() < 1e-5);
        assert!(at(-1.0, Vec3::Y) < 0.02 * RADIUS * 4.0, "along the surface");
    }
}
