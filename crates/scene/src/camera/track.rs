//! Interpolates camera keys, of the scene and of recordings.

use crate::bounds::narrow;
use crate::curve::{Curve, Span, span_at};
use tintype_model::math::{Quat, Vec3};
use tintype_model::{CameraClip, CameraKey, Wrap};

/// One key of a [`super::KeyedCamera`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CameraPoint {
    /// Time of the scene.
    pub at_s: f64,
    /// Eye in world space.
    pub eye: Vec3,
    /// Target in world space.
    pub target: Vec3,
    /// Vertical field of view.
    pub fov_deg: f64,
}

/// The camera between two keys of the scene, on a cubic curve or linear; held outside of them.
///
/// # Panics
/// If there are no keys; the scene's reader refuses that.
pub(super) fn point_at(keys: &[CameraPoint], smooth: bool, time_s: f64) -> CameraPoint {
    let key = |index: usize| *keys.get(index).expect("a keyed camera has keys");
    let (keys, curve) = match span_at(keys.len(), |index| key(index).at_s, smooth, time_s) {
        Span::Held(index) => return key(index),
        Span::Between { keys, curve } => (keys.map(key), curve),
    };
    CameraPoint {
        at_s: time_s,
        eye: along(&curve, keys.map(|key| key.eye)),
        target: along(&curve, keys.map(|key| key.target)),
        fov_deg: curve.number(keys.map(|key| key.fov_deg)),
    }
}

fn along(curve: &Curve, keys: [Vec3; 4]) -> Vec3 {
    let axis = |axis: fn(Vec3) -> f32| narrow(curve.number(keys.map(|key| f64::from(axis(key)))));
    Vec3::new(axis(|p| p.x), axis(|p| p.y), axis(|p| p.z))
}

/// A recorded camera at a time since its first key.
///
/// # Panics
/// If the recording has no keys; its reader refuses that.
#[expect(clippy::cast_precision_loss, reason = "a file has far fewer than 2^53 keys")]
pub(super) fn recorded_at(clip: &CameraClip, wrap: Wrap, elapsed_s: f64) -> CameraKey {
    let steps = clip.steps();
    // The period of a loop is one step longer: the last key is held for one step, because no key
    // leads back.
    let (length_s, period_s) =
        (steps as f64 / clip.key_rate_hz, (steps + 1) as f64 / clip.key_rate_hz);
    let place = wrap.local_time_s(elapsed_s, length_s, period_s) * clip.key_rate_hz;
    #[expect(clippy::cast_possible_truncation, reason = "saturates, and is held to the keys")]
    #[expect(clippy::cast_sign_loss, reason = "a local time is not negative")]
    let whole = place.floor() as usize;
    let left = clip.key_after(whole);
    let key = |index: usize| *clip.keys.get(index).expect("a recorded camera has keys");
    if left + 1 == clip.keys.len() {
        return key(left);
    }
    let (a, b) = (key(left), key(left + 1));
    let share = narrow(place - whole as f64);
    CameraKey {
        position: a.position + (b.position - a.position) * share,
        rotation: turned(a.rotation, b.rotation, share),
        fov_x_rad: a.fov_x_rad + (b.fov_x_rad - a.fov_x_rad) * share,
    }
}

/// Blends two rotations along the shorter way.
fn turned(a: Quat, b: Quat, share: f32) -> Quat {
    let b = if a.dot(b) < 0.0 { -b } else { b };
    let sum = a * (1.0 - share) + b * share;
    let length_squared = sum.dot(sum);
    if length_squared > 1e-12 { sum * (1.0 / length_squared.sqrt()) } else { a }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(at_s: f64, x: f32) -> CameraPoint {
        CameraPoint { at_s, eye: Vec3::new(x, 0.0, 0.0), target: Vec3::ZERO, fov_deg: 35.0 }
    }

    #[test]
    fn camera_keys_are_met_and_held_outside() {
        let keys = [key(1.0, 5.0), key(2.0, 7.0), key(4.0, -3.0)];
        for smooth in [false, true] {
            let x = |time_s: f64| point_at(&keys, smooth, time_s).eye.x;
            assert_eq!([x(0.0), x(1.0), x(2.0), x(4.0), x(9.0)], [5.0, 5.0, 7.0, -3.0, -3.0]);
        }
        assert_eq!(point_at(&keys, false, 3.0).eye.x, 2.0);
        assert_eq!(point_at(&keys[..1], true, 3.0).eye.x, 5.0);
    }

    #[test]
    fn camera_curve_keeps_its_speed_through_a_key() {
        let keys = [key(0.0, 0.0), key(1.0, 4.0), key(3.0, 5.0), key(4.0, 5.0)];
        let x = |time_s: f64| f64::from(point_at(&keys, true, time_s).eye.x);
        let h = 1e-3;
        let (arriving, leaving) = ((x(1.0) - x(1.0 - h)) / h, (x(1.0 + h) - x(1.0)) / h);
        assert!((arriving - 5.0 / 3.0).abs() < 2e-2, "{arriving}");
        assert!((leaving - 5.0 / 3.0).abs() < 2e-2, "{leaving}");
        // Even keys on a line lead to an even speed.
        let line = [key(0.0, 0.0), key(1.0, 1.0), key(3.0, 3.0)];
        assert!((point_at(&line, true, 1.7).eye.x - 1.7).abs() < 1e-6);
    }

    fn recording() -> CameraClip {
        let key = |x: f32, angle_rad: f32| CameraKey {
            position: Vec3::new(x, 0.0, 0.0),
            rotation: Quat::from_rotation_y(angle_rad),
            fov_x_rad: 1.0,
        };
        CameraClip {
            keys: vec![key(0.0, 0.0), key(2.0, 0.2), key(100.0, 2.0), key(102.0, 2.0)],
            key_rate_hz: 2.0,
            cuts: vec![2],
        }
    }

    #[test]
    fn recorded_camera_does_not_blend_over_a_cut() {
        let x = |wrap, time_s| recorded_at(&recording(), wrap, time_s).position.x;
        assert_eq!(x(Wrap::Clamp, 0.25), 1.0);
        // At the time of the first shot's last key, the next shot starts.
        assert_eq!(x(Wrap::Clamp, 0.5), 100.0);
        assert_eq!(x(Wrap::Clamp, 0.75), 101.0);
        assert_eq!(x(Wrap::Clamp, 1.0), 102.0);
        assert_eq!(x(Wrap::Clamp, 7.0), 102.0);
        assert_eq!(x(Wrap::Loop, 1.25), 102.0);
        assert_eq!(x(Wrap::Loop, 1.75), 1.0);
        assert_eq!(x(Wrap::PingPong, 1.25), 101.0);
    }

    #[test]
    fn recorded_camera_turns_the_shorter_way() {
        let mut clip = recording();
        clip.keys[1].rotation = -clip.keys[1].rotation;
        let turned = recorded_at(&clip, Wrap::Clamp, 0.25).rotation;
        assert!(turned.dot(Quat::from_rotation_y(0.1)).abs() > 0.999_999, "{turned}");
        assert!((turned.length() - 1.0).abs() < 1e-6);
    }
}
