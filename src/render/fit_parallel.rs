//! Fits an orthographic camera, so that all models are inside the picture in every frame of a scene.
//!
//! Without perspective only the extent of the vertices along the two axes of the picture counts, not the distance of the eye. A camera
//! with one direction is centred on that extent. A camera that turns keeps its target on the vertical axis through the ground point
//! of the models: that point is then at the same pixel in all frames, and the scale is the same in all.

use super::fit::{UsedVertices, used_vertices};
use super::shadow::FittedGround;
use super::staging::{Needs, Staging};
use crate::math::{Aabb, Vec3, max, min};
use crate::scene::{CameraRig, Fit, FramePosition, OrbitTarget, Ramp};
use crate::simd::Level;
use rayon::prelude::*;

/// Extent of the vertices of a frame along an axis of the picture.
#[derive(Clone, Copy)]
struct Extent {
    axis: Vec3,
    low: f32,
    high: f32,
}

impl Extent {
    fn along(axis: Vec3) -> Self {
        Self { axis, low: f32::INFINITY, high: f32::NEG_INFINITY }
    }

    fn add(&mut self, low: f32, high: f32) {
        (self.low, self.high) = (min(low, self.low), max(high, self.high));
    }

    /// Half the size of a picture around a target that holds it.
    fn half_around(&self, target: Vec3) -> f32 {
        let middle = self.axis.dot(target);
        max(self.high - middle, middle - self.low)
    }
}

/// Extents of a frame to the right and up, and the bounds of its models.
struct Reach {
    right: Extent,
    up: Extent,
    bounds: Aabb,
}

/// The point below the models at which they stand: on the vertical axis through the origin of the first instance, or where the
/// models are beside it, through their middle; at their lowest vertex of all frames.
pub(super) fn ground_point(staging: &Staging) -> Option<Vec3> {
    let used = used_vertices(staging);
    let bounds = staging.moments().into_par_iter().map(|frame| {
        let mut bounds = Aabb::EMPTY;
        positions(staging, &used, frame, |position| bounds.add(position));
        bounds
    });
    let bounds = bounds.collect::<Vec<Aabb>>().iter().fold(Aabb::EMPTY, |mut all, bounds| {
        all.merge(bounds);
        all
    });
    (!bounds.is_empty()).then(|| ground_point_of(staging, &bounds))
}

fn ground_point_of(staging: &Staging, bounds: &Aabb) -> Vec3 {
    let first = staging.moments().first().copied();
    let instance = staging.scene().instances.first();
    let origin = instance.zip(first).map(|(one, frame)| one.transform(frame).translation);
    let is_within = |origin: &Vec3| {
        (bounds.min.x..=bounds.max.x).contains(&origin.x)
            && (bounds.min.z..=bounds.max.z).contains(&origin.z)
    };
    let Vec3 { x, z, .. } = origin.filter(is_within).unwrap_or(bounds.center());
    Vec3::new(x, bounds.min.y, z)
}

/// Visits the vertices of triangles that are drawn in a frame.
fn positions(
    staging: &Staging,
    used: &UsedVertices,
    frame: FramePosition,
    mut visit: impl FnMut(Vec3),
) {
    for (index, instance) in staging.scene().instances.iter().enumerate() {
        let staged =
            staging.stage_instance(index, frame, Level::best(), Needs::Picture, Vec::new());
        let meshes = staged.meshes.iter().zip(&used[instance.model]);
        for (posed, used) in meshes.filter(|(posed, _)| !posed.is_empty()) {
            used.iter().for_each(|&vertex| visit(posed.position_at(vertex as usize)));
        }
    }
}

/// Poses all frames of the scene once, in parallel.
pub(super) fn fit_parallel(staging: &Staging, ground: Option<&FittedGround>) -> Fit {
    let used = used_vertices(staging);
    let frames = staging.moments().into_par_iter();
    let reaches: Vec<Reach> = frames.map(|frame| reach_of(staging, &used, ground, frame)).collect();
    let mut bounds = Aabb::EMPTY;
    reaches.iter().for_each(|reach| bounds.merge(&reach.bounds));
    let Some(first) = reaches.first().filter(|_| !bounds.is_empty()) else {
        return Fit::default();
    };
    let CameraRig::Orbit(orbit) = &staging.scene().camera else {
        return Fit { center: bounds.center(), ..Fit::default() };
    };
    let [width, height] = staging.scene().output.size;
    #[expect(clippy::cast_precision_loss, reason = "a side has at most 15 bits")]
    let aspect = width as f32 / height as f32;
    let is_still = [orbit.azimuth_deg, orbit.elevation_deg]
        .iter()
        .all(|angle| matches!(angle, Ramp::Constant(_)));
    let needed = |target: Vec3| {
        reaches.iter().fold(0.0, |most, reach| {
            let across = reach.right.half_around(target) / aspect;
            max(max(across, reach.up.half_around(target)), most)
        })
    };
    let center = if is_still {
        let (mut right, mut up) = (first.right, first.up);
        for reach in &reaches {
            right.add(reach.right.low, reach.right.high);
            up.add(reach.up.low, reach.up.high);
        }
        let middle = |extent: &Extent| extent.axis * ((extent.low + extent.high) * 0.5);
        let back = first.right.axis.cross(first.up.axis);
        middle(&right) + middle(&up) + back * back.dot(bounds.center())
    } else {
        on_axis(ground_point_of(staging, &bounds), &bounds, &needed)
    };
    let margin = match orbit.target {
        OrbitTarget::Fit { margin } => margin,
        OrbitTarget::Point { .. } => 0.0,
    };
    #[expect(clippy::cast_possible_truncation, reason = "0.1..=1")]
    let free = (1.0 - 2.0 * margin) as f32;
    let size = max(bounds.diagonal(), 1e-3);
    // A single point fits into any picture; keep a small one.
    let height = max(2.0 * needed(center) / free, size * 1e-3);
    Fit { center, distance: size, height }
}

/// The target on a vertical axis for which the least height is enough: that is convex in the position along the axis.
fn on_axis(foot: Vec3, bounds: &Aabb, needed: &dyn Fn(Vec3) -> f32) -> Vec3 {
    const STEPS: usize = 48;
    let at = |y: f32| Vec3::new(foot.x, y, foot.z);
    let (mut low, mut high) = (bounds.min.y, bounds.max.y);
    for _ in 0..STEPS {
        let third = (high - low) / 3.0;
        let (left, right) = (low + third, high - third);
        let (below, above) = (needed(at(left)), needed(at(right)));
        // On a flat part both ends move, so that its middle is found.
        if below >= above {
            low = left;
        }
        if above >= below {
            high = right;
        }
    }
    at((low + high) * 0.5)
}

fn reach_of(
    staging: &Staging,
    used: &UsedVertices,
    ground: Option<&FittedGround>,
    frame: FramePosition,
) -> Reach {
    let (right, up) = match &staging.scene().camera {
        CameraRig::Orbit(orbit) => {
            let (back, up) = orbit.directions(frame, staging.camera_context().front);
            (up.cross(back), up)
        }
        // Only the middle is needed.
        CameraRig::LookAt(_) | CameraRig::Keys(_) | CameraRig::Md5(_) | CameraRig::Model(_) => {
            (Vec3::X, Vec3::Y)
        }
    };
    let mut reach =
        Reach { right: Extent::along(right), up: Extent::along(up), bounds: Aabb::EMPTY };
    if let Some(FittedGround { floor, visible_radius }) = ground {
        for extent in [&mut reach.right, &mut reach.up] {
            let axis = extent.axis;
            // The disc ends at its radius along the level part of the axis.
            let reach = visible_radius * (axis.x * axis.x + axis.z * axis.z).sqrt();
            let middle = axis.dot(floor.center);
            extent.add(middle - reach, middle + reach);
        }
    }
    positions(staging, used, frame, |position| {
        reach.bounds.add(position);
        for extent in [&mut reach.right, &mut reach.up] {
            let at = extent.axis.dot(position);
            extent.add(at, at);
        }
    });
    reach
}
