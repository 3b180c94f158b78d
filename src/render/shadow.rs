//! Fits the ground and the texel size of each shadow map to all frames of a scene.
//!
//! Both are the same in every frame, so that a static shadow has the same texels in all of them. Poses that differ are skinned once for
//! it, in parallel, whichever frames are drawn. The numbers that this gives are apart from what is made of them, so that they can be kept.

use super::moments::{Keyed, Moments};
use super::staging::{StagedInstance, Staging};
use crate::math::{Aabb, Vec3, func, max, min};
use crate::model::{CastShadow, Ground, Light};
use crate::raster::shadow::Extent;
use crate::raster::{Floor, Occlusion, Shadow};
use crate::scene::FramePosition;
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

/// Measures the casters of one frame.
fn of_casters<R>(
    staging: &Staging,
    moment: FramePosition,
    measure: impl FnOnce(&[StagedInstance]) -> R,
) -> R {
    let casters = staging.stage_chosen(moment, |instance| instance.casts);
    let measured = measure(&casters);
    staging.recycle_instances(casters);
    measured
}

/// The box around staged instances.
fn box_around(instances: &[StagedInstance]) -> Aabb {
    let mut bounds = Aabb::EMPTY;
    let meshes = instances.iter().flat_map(|instance| &instance.meshes);
    meshes.for_each(|posed| bounds.merge(&posed.bounds()));
    bounds
}

fn each_frame<R: Send>(
    frames: Vec<Keyed>,
    of: impl Fn(FramePosition) -> R + Sync + Send,
) -> Vec<R> {
    frames.into_par_iter().map(|(moment, _)| of(moment)).collect()
}

/// The part of the frames that the ground is fitted to.
#[derive(Clone, Copy, Debug)]
pub(super) struct GroundMeasures {
    /// Bounding box of all casters in all frames.
    pub casters: Aabb,
    /// The longest shadow of a caster of height 1 on the ground, over all frames; 0 without shadows.
    pub longest_shadow: f32,
}

impl GroundMeasures {
    /// Poses the casters of all frames.
    pub(super) fn of(staging: &Staging, moments: &Moments) -> Self {
        let of_frame = |moment: FramePosition| of_casters(staging, moment, box_around);
        let mut casters = Aabb::EMPTY;
        let frames = moments.distinct(|_| ());
        each_frame(frames, of_frame).iter().for_each(|bounds| casters.merge(bounds));
        Self { casters, longest_shadow: longest_shadow(staging) }
    }
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
fn longest_shadow(staging: &Staging) -> f32 {
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

impl ShadowMeasures {
    /// Poses the casters of all frames before each light.
    pub(super) fn of(staging: &Staging, moments: &Moments) -> Self {
        let wanted = &staging.shadows();
        let directions = |moment: FramePosition| -> Vec<Option<Vec3>> {
            let camera = staging.camera(moment);
            let lights = staging.lights(&camera, moment);
            let direction = |shadow: &CastShadow| match lights.get(shadow.light) {
                Some(&Light::Directional { to_light, .. }) => Some(to_light),
                _ => None,
            };
            wanted.iter().map(direction).collect()
        };
        let of_staged = |moment: FramePosition, staged: &[StagedInstance]| {
            let extent = |to_light: Option<Vec3>| {
                let meshes = staged.iter().flat_map(|instance| &instance.meshes);
                to_light.map_or(Vec3::ZERO, |to_light| Extent::from_light(to_light, meshes).size())
            };
            let extents: Vec<Vec3> = directions(moment).into_iter().map(extent).collect();
            (extents, box_around(staged))
        };
        let of_frame =
            |moment| of_casters(staging, moment, |staged: &[_]| of_staged(moment, staged));
        let mut largest = vec![Vec3::ZERO; wanted.len()];
        let mut casters = Aabb::EMPTY;
        let bits = |to_light: Option<Vec3>| to_light.map(|way| way.to_array().map(f32::to_bits));
        let before_lights = |moment| directions(moment).into_iter().map(bits).collect::<Vec<_>>();
        for (extents, around) in each_frame(moments.distinct(before_lights), of_frame) {
            casters.merge(&around);
            for (largest, extent) in largest.iter_mut().zip(extents) {
                for axis in 0..3 {
                    largest[axis] = max(extent[axis], largest[axis]);
                }
            }
        }
        Self { largest, casters }
    }
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
    of_casters(staging, first, |casters| {
        for instance in casters.chunks(1) {
            let own = box_around(instance);
            if !own.is_empty() {
                let size = own.max - own.min;
                sides.push(max(max(size.x, size.y), size.z));
                bounds.merge(&own);
            }
        }
    });
    sides.sort_by(f32::total_cmp);
    let side = *sides.get(sides.len().checked_sub(1)? / 2)?;
    let voxel = max(side, max(bounds.diagonal(), 1e-3) * 1e-3) / Occlusion::VOXELS;
    Some(Occlusion { strength, voxel, origin: bounds.center() })
}
