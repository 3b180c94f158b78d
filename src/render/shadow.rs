//! Fits the ground and the texel size of each shadow map to all frames of a scene.
//!
//! Both are the same in every frame, so that a static shadow has the same texels in all of them. All frames are posed once for
//! it, in parallel, whichever are drawn.

use super::staging::{Needs, StagedInstance, Staging};
use crate::math::{Aabb, Vec3, func, max, min};
use crate::model::{Ground, Light};
use crate::raster::shadow::Extent;
use crate::raster::{Floor, Occlusion, Shadow};
use crate::scene::FramePosition;
use crate::simd::Level;
use rayon::prelude::*;

/// The ground of a scene.
#[derive(Clone, Copy, Debug)]
pub(super) struct FittedGround {
    pub floor: Floor,
    /// Radius of the part that a fitted camera shows, in world units.
    pub visible_radius: f32,
}

/// Width of the ground around the models that a fitted camera shows, as a share of their height.
const HEIGHT_SHARE: f32 = 0.12;
/// Radius at which the ground has faded out, as a factor of that and of the longest shadow.
const BEYOND: f32 = 1.25;
/// Longest shadow that is considered, in heights of its caster.
const LONGEST: f32 = 2.0;
/// Width of the band along the edges of a fitted picture in which shadows fade, as a share of its shorter side.
const EDGE: f32 = 0.08;
/// Largest height above the ground of a contact shadow, as a share of the models' size.
const REACH: f32 = 0.5;

/// The casters of one frame.
fn casters(staging: &Staging, moment: FramePosition) -> Vec<StagedInstance> {
    let instances = staging.scene().instances.iter().enumerate();
    let casting = instances.filter(|(_, instance)| instance.casts);
    casting
        .map(|(one, _)| {
            staging.stage_instance(one, moment, Level::best(), Needs::Picture, Vec::new())
        })
        .collect()
}

fn each_frame<R: Send>(staging: &Staging, of: impl Fn(FramePosition) -> R + Sync + Send) -> Vec<R> {
    staging.moments().into_par_iter().map(of).collect()
}

/// Bounding box of all casters in all frames.
fn bounds(staging: &Staging) -> Aabb {
    let of_frame = |moment: FramePosition| {
        let mut bounds = Aabb::EMPTY;
        for instance in casters(staging, moment) {
            instance.meshes.iter().for_each(|posed| bounds.merge(&posed.bounds()));
        }
        bounds
    };
    let mut all = Aabb::EMPTY;
    each_frame(staging, of_frame).iter().for_each(|bounds| all.merge(bounds));
    all
}

/// Fits the ground; none if nothing casts a shadow on it.
pub(super) fn fit_ground(staging: &Staging, ground: &Ground) -> Option<FittedGround> {
    let bounds = bounds(staging);
    if bounds.is_empty() {
        return None;
    }
    let size = bounds.max - bounds.min;
    let middle = bounds.center();
    let wide = max(size.x, size.z);
    // A single point has a small ground.
    let least = max(bounds.diagonal(), 1e-3) * 0.1;
    let around = 0.5 * (size.x * size.x + size.z * size.z).sqrt();
    let near = max(around + size.y * HEIGHT_SHARE, least);
    let usual = BEYOND * (near + longest_shadow(staging) * size.y);
    let radius = ground.radius.unwrap_or(usual);
    let floor = Floor {
        center: Vec3::new(middle.x, ground.height.unwrap_or(bounds.min.y), middle.z),
        radius,
        color: ground.color,
        edge: if staging.scene().camera.needs_fit() { EDGE } else { 0.0 },
        contact: ground.contact,
        reach: max(max(size.y, wide * 0.5) * REACH, least),
        width: max(wide, least),
        height: max(size.y, least),
    };
    Some(FittedGround { floor, visible_radius: min(near, radius) })
}

/// The longest shadow of a caster of height 1 on the ground, over all frames; 0 without shadows.
fn longest_shadow(staging: &Staging) -> f32 {
    let shadows = staging.shadows();
    if shadows.is_empty() {
        return 0.0;
    }
    let mut longest = 0.0;
    for moment in staging.moments() {
        let camera = staging.camera(moment);
        let lights = staging.lights(&camera, moment);
        for shadow in &shadows {
            if let Some(Light::Directional { to_light, .. }) = lights.get(shadow.light)
                && to_light.y > 0.0
            {
                let level = (to_light.x * to_light.x + to_light.z * to_light.z).sqrt();
                longest = max(min(level / to_light.y, LONGEST), longest);
            }
        }
    }
    longest
}

/// Texel size of each map: the smallest with which the map holds the casters of every frame. None without shadows.
pub(super) fn fit_shadows(staging: &Staging) -> Vec<Shadow> {
    let wanted = &staging.shadows();
    if wanted.is_empty() {
        return Vec::new();
    }
    let of_frame = |moment: FramePosition| {
        let camera = staging.camera(moment);
        let lights = staging.lights(&camera, moment);
        let staged = casters(staging, moment);
        let extents = wanted.iter().map(|shadow| match lights.get(shadow.light) {
            Some(&Light::Directional { to_light, .. }) => {
                let meshes = staged.iter().flat_map(|instance| &instance.meshes);
                Extent::from_light(to_light, meshes).size()
            }
            _ => Vec3::ZERO,
        });
        let mut bounds = Aabb::EMPTY;
        for posed in staged.iter().flat_map(|instance| &instance.meshes) {
            bounds.merge(&posed.bounds());
        }
        (extents.collect::<Vec<Vec3>>(), bounds)
    };
    let mut largest = vec![Vec3::ZERO; wanted.len()];
    let mut bounds = Aabb::EMPTY;
    for (extents, around) in each_frame(staging, of_frame) {
        bounds.merge(&around);
        for (largest, extent) in largest.iter_mut().zip(extents) {
            for axis in 0..3 {
                largest[axis] = max(extent[axis], largest[axis]);
            }
        }
    }
    let origin = bounds.center();
    let pairs = wanted.iter().zip(largest);
    let shadow = |(wanted, extent): (&crate::model::CastShadow, Vec3)| {
        let spread = func::tan(func::radians(wanted.softness_deg) * 0.5);
        Shadow::new(wanted.light, wanted.size, spread, origin, extent)
    };
    pairs.map(shadow).collect()
}

/// Fits the voxels of ambient occlusion to the models of the first frame; none where the scene does not ask for it, or nothing casts.
///
/// The longest side of the model of middle size decides: neither a sword nor the hall around the figures makes them coarse.
pub(super) fn fit_occlusion(staging: &Staging) -> Option<Occlusion> {
    let strength = staging.scene().output.occlusion;
    let first = staging.moments().first().copied().filter(|_| strength > 0.0)?;
    let mut sides: Vec<f32> = Vec::new();
    let mut bounds = Aabb::EMPTY;
    for instance in casters(staging, first) {
        let mut own = Aabb::EMPTY;
        instance.meshes.iter().for_each(|posed| own.merge(&posed.bounds()));
        if !own.is_empty() {
            let size = own.max - own.min;
            sides.push(max(max(size.x, size.y), size.z));
            bounds.merge(&own);
        }
    }
    sides.sort_by(f32::total_cmp);
    let side = *sides.get(sides.len().checked_sub(1)? / 2)?;
    let voxel = max(side, max(bounds.diagonal(), 1e-3) * 1e-3) / Occlusion::VOXELS;
    Some(Occlusion { strength, voxel, origin: bounds.center() })
}
