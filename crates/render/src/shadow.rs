//! The ground, the shadow maps and the occlusion of a scene, by the size of its models at rest.
//!
//! All frames have the same lattices and the same ground, so that a static shadow has the same
//! texels in all of them. If the casters of one frame are far larger or smaller than at rest, it
//! has coarser or finer texels, and a wider ground, by powers of 2.

use super::rest::{Rest, snapped};
use super::staged_instance::StagedInstance;
use super::staging::{Staged, Staging};
use tintype_model::math::{Aabb, Vec3, func, max, min};
use tintype_model::{CastShadow, Ground, Light};
use tintype_raster::{Floor, Occlusion, Shadow, octaves};

/// The ground of a scene.
#[derive(Clone, Copy, Debug)]
pub(super) struct FittedGround {
    /// With the radius set by the scene; 0 if it sets none.
    floor: Floor,
    /// Radius around the models at rest, with some ground around them.
    near: f32,
}

/// Width of the ground around the models, as a fraction of their height.
const HEIGHT_SHARE: f32 = 0.12;
/// Radius at which the ground has faded out, as a multiple of that width and the longest shadow.
const BEYOND: f32 = 1.25;
/// Maximum length of a shadow, in heights of its caster.
const LONGEST: f32 = 2.0;
/// Distance from the centre at which models widen the ground of their frame, in radii around the
/// models at rest.
const ROAM: f32 = 1.5;
/// Width of the band along the edges of a fitted picture where shadows fade, as a fraction of its
/// shorter side.
const EDGE: f32 = 0.08;
/// Maximum height above the ground of a contact shadow, as a fraction of the models' size.
const REACH: f32 = 0.5;
/// Typical extent of the models across a light, as a fraction of their longest side.
const ACROSS: f32 = 0.8;

impl FittedGround {
    /// The ground below models at rest. None if nothing casts a shadow on it.
    pub(super) fn below(staging: &Staging, ground: &Ground, rest: &Rest) -> Option<Self> {
        if rest.bounds.is_empty() {
            return None;
        }
        let size = rest.bounds.max - rest.bounds.min;
        let wide = max(size.x, size.z);
        let least = least_radius(&rest.bounds);
        let foot = rest.foot();
        let floor = Floor {
            center: Vec3::new(foot.x, ground.height.unwrap_or(foot.y), foot.z),
            radius: ground.radius.unwrap_or(0.0),
            color: ground.color,
            edge: if staging.scene().camera.needs_fit() { EDGE } else { 0.0 },
            contact: ground.contact,
            reach: max(max(size.y, wide * 0.5) * REACH, least),
            width: max(wide, least),
            height: max(size.y, least),
        };
        Some(Self { floor, near: radius_around(&rest.bounds) })
    }

    /// The ground of one frame.
    pub(super) fn of_frame(&self, casters: &Aabb, longest_shadow: f32) -> Floor {
        let Self { floor, near } = *self;
        if floor.radius > 0.0 {
            return floor;
        }
        let far = |axis: usize| {
            let middle = floor.center[axis];
            max(casters.max[axis] - middle, middle - casters.min[axis])
        };
        let distance =
            if casters.is_empty() { 0.0 } else { (far(0) * far(0) + far(2) * far(2)).sqrt() };
        let near = near * max(octaves(distance, [0.0, ROAM * near]), 1.0);
        Floor { radius: BEYOND * (near + longest_shadow * floor.height), ..floor }
    }

    /// Centre and radius of the part visible to a fitted camera, around the casters of all frames.
    pub(super) fn shown(&self, casters: &Aabb) -> (Vec3, f32) {
        let Floor { center, radius, .. } = self.floor;
        let Vec3 { x, z, .. } = casters.center();
        let near = radius_around(casters);
        (Vec3::new(x, center.y, z), if radius > 0.0 { min(near, radius) } else { near })
    }
}

/// The minimum radius of a ground, which is small for a single point.
fn least_radius(bounds: &Aabb) -> f32 {
    max(bounds.diagonal(), 1e-3) * 0.1
}

/// Radius around models with some ground around them.
fn radius_around(bounds: &Aabb) -> f32 {
    let size = bounds.max - bounds.min;
    let around = 0.5 * (size.x * size.x + size.z * size.z).sqrt();
    max(around + size.y * HEIGHT_SHARE, least_radius(bounds))
}

/// The longest shadow of a caster of height 1 on the ground; 0 without shadows.
pub(super) fn longest_shadow(lights: &[Light], shadows: &[Shadow]) -> f32 {
    let length = |shadow: &Shadow| match lights.get(shadow.light) {
        Some(Light::Directional { to_light, .. }) if to_light.y > 0.0 => {
            let level = (to_light.x * to_light.x + to_light.z * to_light.z).sqrt();
            min(level / to_light.y, LONGEST)
        }
        _ => 0.0,
    };
    shadows.iter().map(length).fold(0.0, |longest, one| max(one, longest))
}

/// The box around the casters of a frame.
pub(super) fn casters_of(staging: &Staging, staged: &Staged) -> Aabb {
    let mut bounds = Aabb::EMPTY;
    let instances = staging.scene().instances.iter().zip(&staged.instances);
    let casters = instances.filter(|(instance, _)| instance.casts);
    casters.for_each(|(_, staged)| bounds.merge(&StagedInstance::bounds(staged)));
    bounds
}

/// The shadow maps of a scene.
pub(super) fn shadows_of(staging: &Staging, rest: &Rest) -> Vec<Shadow> {
    let picture = staging.scene().output.size;
    let (origin, scale) = (rest.origin(), rest.longest() * ACROSS);
    let shadow = |wanted: CastShadow| {
        let spread = func::tan(func::radians(wanted.softness_deg) * 0.5);
        Shadow::new(wanted.light, wanted.texels(picture), spread, origin, scale)
    };
    staging.shadows().into_iter().map(shadow).collect()
}

/// The voxels of ambient occlusion. None if the scene does not request it, or there are no casters.
///
/// The longest side of the model of median size decides: neither a sword nor the hall around the
/// figures makes them coarse. The ground blocks light unless it lies above the feet, for example by
/// a mistake in its height.
pub(super) fn occlusion_of(
    strength: f32,
    rest: &Rest,
    ground: Option<&FittedGround>,
) -> Option<Occlusion> {
    let side = rest.middle().filter(|_| strength > 0.0)?;
    let least = max(snapped(rest.bounds.diagonal()), 1e-3) * 1e-3;
    let voxel = max(side, least) / Occlusion::VOXELS;
    let highest = rest.bounds.min.y + Occlusion::SUNKEN * voxel;
    let ground = ground.map(|ground| ground.floor.center.y).filter(|&height| height < highest);
    Some(Occlusion { strength, voxel, origin: rest.origin(), ground })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ground_blocks_light_unless_it_lies_above_the_feet() {
        let rest = Rest::around([Vec3::ZERO, Vec3::new(1.0, 2.0, 1.0)]);
        let floor = |height: f32| Floor {
            center: Vec3::Y * height,
            radius: 4.0,
            color: None,
            edge: 0.0,
            contact: 0.0,
            reach: 1.0,
            width: 1.0,
            height: 1.0,
        };
        for (height, blocks) in [(-5.0, true), (0.0, true), (0.05, true), (0.2, false)] {
            let ground = FittedGround { floor: floor(height), near: 1.0 };
            let occlusion = occlusion_of(1.0, &rest, Some(&ground)).expect("models cast");
            assert_eq!(occlusion.ground, blocks.then_some(height), "{height}");
        }
        assert_eq!(occlusion_of(1.0, &rest, None).map(|own| own.ground), Some(None));
    }
}
