//! The point where the models of a scene stand.

use crate::staging::Staging;
use tintype_model::math::{Aabb, Vec3};

/// The point below the models where they stand: on the vertical axis through the origin of the
/// first instance or, if the models are not above it, through their centre; at the height of their
/// lowest vertex over all frames. `bounds` is the bounding box.
pub(crate) fn standing_point(staging: &Staging, bounds: &Aabb) -> Vec3 {
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
