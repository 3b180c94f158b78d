//! What shadows need to know of all frames of a scene: the ground, and the grain of each shadow map.
//!
//! Both are the same in every frame, so that a shadow that does not move has the same texels in all of them. All frames are posed
//! for it once, in parallel, whichever are drawn.

use super::{FittedGround, Needs, Renderer, StagedInstance};
use crate::math::{Aabb, Vec3, func, max, min};
use crate::model::{Ground, Light};
use crate::raster::shadow::Extent;
use crate::raster::{Floor, Shadow};
use crate::scene::Moment;
use crate::simd::Level;
use rayon::prelude::*;

/// How much of the models' height a fitted camera shows of the ground around them.
const HEIGHT_SHARE: f32 = 0.12;
/// How much farther than that, and than the longest shadow, the ground reaches until it has faded away.
const BEYOND: f32 = 1.25;
/// A shadow is followed no farther than this, in heights of what casts it.
const LONGEST: f32 = 2.0;
/// The band along the edges of a fitted picture in which shadows fade, as a share of its shorter side.
const EDGE: f32 = 0.08;
/// Up to this share of the models' size they make a contact shadow.
const REACH: f32 = 0.5;

/// The casters of one frame.
fn casters(renderer: &Renderer, moment: Moment) -> Vec<StagedInstance> {
    let casting = renderer.scene().instances.iter().filter(|instance| instance.casts);
    casting
        .map(|one| renderer.stage_instance(one, moment, Level::best(), Needs::Picture, Vec::new()))
        .collect()
}

fn each_frame<R: Send>(renderer: &Renderer, of: impl Fn(Moment) -> R + Sync + Send) -> Vec<R> {
    renderer.moments().into_par_iter().map(of).collect()
}

/// The box around all casters in all frames.
fn bounds(renderer: &Renderer) -> Aabb {
    let of_frame = |moment: Moment| {
        let mut bounds = Aabb::EMPTY;
        for instance in casters(renderer, moment) {
            instance.meshes.iter().for_each(|posed| bounds.merge(&posed.bounds()));
        }
        bounds
    };
    let mut all = Aabb::EMPTY;
    each_frame(renderer, of_frame).iter().for_each(|bounds| all.merge(bounds));
    all
}

/// The ground of a scene; none if nothing stands on it.
pub(super) fn fit_ground(renderer: &Renderer, ground: &Ground) -> Option<FittedGround> {
    let bounds = bounds(renderer);
    if bounds.is_empty() {
        return None;
    }
    let size = bounds.max - bounds.min;
    let middle = bounds.center();
    let wide = max(size.x, size.z);
    // A single point stands on a little ground.
    let least = max(bounds.diagonal(), 1e-3) * 0.1;
    let around = 0.5 * (size.x * size.x + size.z * size.z).sqrt();
    let near = max(around + size.y * HEIGHT_SHARE, least);
    let usual = BEYOND * (near + longest_shadow(renderer) * size.y);
    let radius = ground.radius.unwrap_or(usual);
    let floor = Floor {
        center: Vec3::new(middle.x, ground.height.unwrap_or(bounds.min.y), middle.z),
        radius,
        color: ground.color,
        edge: if renderer.scene().camera.needs_fit() { EDGE } else { 0.0 },
        contact: ground.contact,
        reach: max(max(size.y, wide * 0.5) * REACH, least),
        width: max(wide, least),
        height: max(size.y, least),
    };
    Some(FittedGround { floor, visible_radius: min(near, radius) })
}

/// The longest shadow of something of height 1 that stands on the ground, over all frames; 0 where no light casts one.
fn longest_shadow(renderer: &Renderer) -> f32 {
    let scene = renderer.scene();
    if scene.shadows.is_empty() {
        return 0.0;
    }
    let mut longest = 0.0;
    for moment in renderer.moments() {
        let camera = scene.camera.camera_at(moment, &renderer.around());
        let lights = renderer.lights(&camera);
        for shadow in &scene.shadows {
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

/// The grain of each map: the finest that holds the casters of every frame.
pub(super) fn fit_shadows(renderer: &Renderer) -> Vec<Shadow> {
    let wanted = &renderer.scene().shadows;
    let of_frame = |moment: Moment| {
        let camera = renderer.scene().camera.camera_at(moment, &renderer.around());
        let lights = renderer.lights(&camera);
        let staged = casters(renderer, moment);
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
    for (extents, around) in each_frame(renderer, of_frame) {
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
