//! Fits an orbiting camera, so that all models are inside the picture in every frame of a scene.
//!
//! From a target `c`, looking along `-back`, a point `p` is inside the picture if the eye is at least
//! `(p - c) · (back ± right / tan_x)` and `(p - c) · (back ± up / tan_y)` away. These are linear in `p`, so the largest of each over all
//! vertices of a frame is enough for any target. The distance is the largest over all frames, and the target is moved to where
//! that is smallest. The fit is exact: it uses vertices instead of a bounding sphere or box. With a ground, the part of it around the
//! models is fitted too.

use super::shadow::FittedGround;
use super::staging::{Needs, Staging};
use crate::math::{Aabb, Vec3, func, max};
use crate::scene::{CameraRig, Fit, FramePosition, OrbitTarget};
use crate::simd::Level;
use rayon::prelude::*;

/// Support of a frame's vertices in the two directions per axis of the picture.
struct Reach {
    directions: [Vec3; 4],
    largest: [f32; 4],
    bounds: Aabb,
}

impl Reach {
    /// The distance from which this frame fits, for a target.
    fn distance(&self, target: Vec3) -> f32 {
        let needed = |k: usize| self.largest[k] - self.directions[k].dot(target);
        max(max(needed(0), needed(1)), max(needed(2), needed(3)))
    }
}

/// Poses all frames of the scene once; frames run in parallel, and only four numbers and a box of each are kept.
pub(super) fn fit_camera(staging: &Staging, ground: Option<&FittedGround>) -> Fit {
    let reaches: Vec<Reach> =
        staging.moments().into_par_iter().map(|moment| reach_of(staging, ground, moment)).collect();
    let mut bounds = Aabb::EMPTY;
    for reach in &reaches {
        bounds.merge(&reach.bounds);
    }
    if bounds.is_empty() {
        return Fit::default();
    }
    let distance = |target: Vec3| {
        reaches.iter().fold(0.0, |largest, reach| max(largest, reach.distance(target)))
    };
    let center = best_target(&bounds, &distance);
    // A single point fits from any distance; keep a small one.
    let distance = max(distance(center), max(bounds.diagonal() * 0.5, 1e-3));
    Fit { center, distance, height: 0.0 }
}

fn reach_of(staging: &Staging, ground: Option<&FittedGround>, moment: FramePosition) -> Reach {
    let directions = match &staging.scene().camera {
        CameraRig::Orbit(orbit) => {
            let (back, up) = orbit.directions(moment, staging.camera_context().front);
            let margin = match orbit.target {
                OrbitTarget::Fit { margin } => margin,
                OrbitTarget::Point { .. } => 0.0,
            };
            #[expect(clippy::cast_possible_truncation, reason = "0.1..=1")]
            let free = (1.0 - 2.0 * margin) as f32;
            #[expect(clippy::cast_possible_truncation, reason = "1..=170")]
            let tangent_y = func::tan(func::radians(orbit.fov_deg as f32) * 0.5) * free;
            let [width, height] = staging.scene().output.size;
            #[expect(clippy::cast_precision_loss, reason = "a side has at most 15 bits")]
            let tangent_x = tangent_y * (width as f32 / height as f32);
            let (right, up) = (up.cross(back) / tangent_x, up / tangent_y);
            [back + right, back - right, back + up, back - up]
        }
        // Only the middle is needed.
        CameraRig::LookAt(_) | CameraRig::Keys(_) | CameraRig::Md5(_) => {
            [Vec3::X, Vec3::NEG_X, Vec3::Y, Vec3::NEG_Y]
        }
    };
    let mut reach = Reach { directions, largest: [f32::NEG_INFINITY; 4], bounds: Aabb::EMPTY };
    if let Some(FittedGround { floor, visible_radius }) = ground {
        // The support of the disc along a direction is at the end of the radius along it.
        for (largest, direction) in reach.largest.iter_mut().zip(&directions) {
            let along = (direction.x * direction.x + direction.z * direction.z).sqrt();
            *largest = direction.dot(floor.center) + visible_radius * along;
        }
    }
    for index in 0..staging.scene().instances.len() {
        for posed in
            staging.stage_instance(index, moment, Level::best(), Needs::Picture, Vec::new()).meshes
        {
            for vertex in 0..posed.len() {
                let position = posed.position_at(vertex);
                reach.bounds.add(position);
                for (largest, direction) in reach.largest.iter_mut().zip(&directions) {
                    *largest = max(direction.dot(position), *largest);
                }
            }
        }
    }
    reach
}

/// The target with the smallest distance, found axis by axis within the box: the distance is convex in each.
fn best_target(bounds: &Aabb, distance: &dyn Fn(Vec3) -> f32) -> Vec3 {
    const ROUNDS: usize = 3;
    const STEPS: usize = 32;
    let mut target = bounds.center();
    for _ in 0..ROUNDS {
        for axis in [Vec3::Y, Vec3::X, Vec3::Z] {
            let along = |value: f32| target + axis * (value - target.dot(axis));
            let (mut low, mut high) = (bounds.min.dot(axis), bounds.max.dot(axis));
            for _ in 0..STEPS {
                let third = (high - low) / 3.0;
                let (left, right) = (low + third, high - third);
                // On a flat part both ends move, so that its middle is found.
                let (at_left, at_right) = (distance(along(left)), distance(along(right)));
                if at_left >= at_right {
                    low = left;
                }
                if at_right >= at_left {
                    high = right;
                }
            }
            target = along((low + high) * 0.5);
        }
    }
    target
}
