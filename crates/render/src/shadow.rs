//! Fits the ground and the texel size of each shadow map to all frames of a scene.
//!
//! Both are the same in every frame, so that a static shadow has the same texels in all of them. A survey measures all frames,
//! whichever are drawn; its numbers are apart from what is made of them here, so that they can be kept.

use super::staging::{StagedInstance, Staging};
use rayon::prelude::*;
use tintype_model::math::{Aabb, Vec3, func, max, min};
use tintype_model::{CastShadow, Ground, Light};
use tintype_raster::{Floor, Occlusion, Shadow};
use tintype_scene::FramePosition;

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

/// The part of the frames that the ground is fitted to.
#[derive(Clone, Copy, Debug)]
pub(super) struct GroundMeasures {
    /// Bounding box of all casters in all frames.
    pub casters: Aabb,
    /// The longest shadow of a caster of height 1 on the ground, over all frames; 0 without shadows.
    pub longest_shadow: f32,
}

/// Fits the ground; none if nothing casts a shadow on it.
pub(super) fn fit_ground(
    staging: &Staging,
    ground: &Ground,
    measures: &GroundMeasures,
) -> Option<FittedGround> {
    let bounds = measures.casters;
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
    let usual = BEYOND * (near + measures.longest_shadow * size.y);
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
pub(super) fn longest_shadow(staging: &Staging) -> f32 {
    let shadows = staging.shadows();
    if shadows.is_empty() {
        return 0.0;
    }
    let of_frame = |moment: FramePosition| {
        let mut longest = 0.0;
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
        longest
    };
    let all: Vec<f32> = staging.moments().into_par_iter().map(of_frame).collect();
    all.into_iter().fold(0.0, |longest, one| max(one, longest))
}

/// The part of the frames that the shadow maps are fitted to.
#[derive(Clone, Debug)]
pub(super) struct ShadowMeasures {
    /// The largest lengths of the casters along the axes of each light, over all frames.
    pub largest: Vec<Vec3>,
    /// Bounding box of all casters in all frames.
    pub casters: Aabb,
}

/// Texel size of each map: the smallest with which the map holds the casters of every frame. None without shadows.
pub(super) fn fit_shadows(staging: &Staging, measures: &ShadowMeasures) -> Vec<Shadow> {
    let wanted = &staging.shadows();
    let origin = measures.casters.center();
    let pairs = wanted.iter().zip(measures.largest.iter().copied());
    let picture = staging.scene().output.size;
    let shadow = |(wanted, extent): (&CastShadow, Vec3)| {
        let spread = func::tan(func::radians(wanted.softness_deg) * 0.5);
        Shadow::new(wanted.light, wanted.texels(picture), spread, origin, extent)
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
    let casters = staging.stage_chosen(first, |instance| instance.casts);
    for own in casters.iter().map(StagedInstance::bounds) {
        if !own.is_empty() {
            let size = own.max - own.min;
            sides.push(max(max(size.x, size.y), size.z));
            bounds.merge(&own);
        }
    }
    staging.recycle_instances(casters);
    sides.sort_by(f32::total_cmp);
    let side = *sides.get(sides.len().checked_sub(1)? / 2)?;
    let voxel = max(side, max(bounds.diagonal(), 1e-3) * 1e-3) / Occlusion::VOXELS;
    Some(Occlusion { strength, voxel, origin: bounds.center() })
}
