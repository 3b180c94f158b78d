//! A camera on a crane: three shots, two cuts, each with a different lens.
//!
//! Output: `crane.md5camera`. It looks at a figure of about 1.8 units that stands at the origin and
//! faces +X.

use crate::md5_text::{CameraKey, camera_file};
use crate::scalar::{cos, mix, radians, ramp, sin};
use glam::{DMat3, DQuat, DVec3};

const FRAMES: usize = 96;
/// The first frames of the second and the third shot.
const CUTS: [usize; 2] = [40, 68];

/// One end of a shot: the eye around the figure, the height of its target, the lens.
struct End {
    azimuth_deg: f64,
    eye_z: f64,
    distance: f64,
    target_z: f64,
    fov_deg: f64,
}

const fn end(azimuth_deg: f64, eye_z: f64, distance: f64, target_z: f64, fov_deg: f64) -> End {
    End { azimuth_deg, eye_z, distance, target_z, fov_deg }
}

/// Never straight ahead of the figure: there the omitted `w` is 0 and its sign is lost.
const SHOTS: [[End; 2]; 3] = [
    [end(80.0, 0.35, 3.4, 0.85, 52.0), end(28.0, 2.70, 3.9, 0.95, 46.0)],
    [end(-24.0, 1.75, 1.25, 1.58, 50.0), end(-38.0, 1.60, 3.60, 1.50, 19.0)],
    [end(150.0, 3.40, 5.20, 0.80, 34.0), end(205.0, 1.20, 4.10, 0.90, 48.0)],
];

/// The text of the camera file.
pub(crate) fn camera() -> String {
    let keys: Vec<CameraKey> = (0..FRAMES).map(key).collect();
    camera_file(24, &CUTS, &keys)
}

fn key(frame: usize) -> CameraKey {
    let shot = CUTS.iter().filter(|&&cut| cut <= frame).count();
    let first = if shot == 0 { 0 } else { CUTS[shot - 1] };
    let last = CUTS.get(shot).copied().unwrap_or(FRAMES) - 1;
    let share = ramp(frame as f64, first as f64, last as f64);
    let [from, to] = &SHOTS[shot];
    let between = |part: fn(&End) -> f64| mix(part(from), part(to), share);
    let azimuth = radians(between(|end| end.azimuth_deg));
    let distance = between(|end| end.distance);
    let eye =
        DVec3::new(distance * cos(azimuth), distance * sin(azimuth), between(|end| end.eye_z));
    let ahead = (DVec3::new(0.0, 0.0, between(|end| end.target_z)) - eye).normalize();
    let left = DVec3::Z.cross(ahead).normalize();
    let turn = DQuat::from_mat3(&DMat3::from_cols(ahead, left, ahead.cross(left))).normalize();
    CameraKey { eye, turn, fov_deg: between(|end| end.fov_deg) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn camera_keeps_the_figure_in_view_and_its_rotation_well_stored() {
        for frame in 0..FRAMES {
            let key = key(frame);
            assert!(key.turn.w.abs() > 0.1, "frame {frame}: w = {}", key.turn.w);
            let axis = key.turn * DVec3::X;
            let to_middle = (DVec3::new(0.0, 0.0, 1.2) - key.eye).normalize();
            assert!(axis.dot(to_middle) > 0.9, "frame {frame}");
        }
    }
}
