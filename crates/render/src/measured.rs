//! Numbers for which all frames of a scene are posed: boxes, extents, and the place of a fitted camera.
//!
//! They depend on the scene and its files alone. With kept ones no frame is posed again; everything else of a [`super::Renderer`] is made of
//! them at once.

use super::fit::{Fitted, fit_camera};
use super::moments::Moments;
use super::shadow::{FittedGround, GroundMeasures, ShadowMeasures, longest_shadow};
use super::staging::Staging;
use super::survey::{Survey, Wanted};
use std::cell::OnceCell;
use tintype_model::math::{Aabb, Vec3};
use tintype_scene::{Fit, Lights};

/// The numbers in the order in which they are needed: kept ones as far as there are any, others are measured.
pub(super) struct Measured<'a> {
    kept: Option<&'a [f32]>,
    moments: OnceCell<Moments>,
    /// All that can be measured before the camera is fitted.
    survey: OnceCell<Survey>,
    /// All numbers so far.
    pub numbers: Vec<f32>,
}

const OF_BOX: usize = 6;
const OF_GROUND: usize = OF_BOX + 1;
const OF_CAMERA: usize = 5 + OF_BOX;

impl<'a> Measured<'a> {
    /// Takes the numbers that were kept of the same scene; none that cannot be.
    pub(super) fn new(staging: &Staging, kept: Option<&'a [f32]>) -> Self {
        let count = count_for(staging);
        let is_right =
            |kept: &&[f32]| kept.len() == count && !kept.iter().any(|number| number.is_nan());
        let kept = kept.filter(is_right);
        Self { kept, moments: OnceCell::new(), survey: OnceCell::new(), numbers: Vec::new() }
    }

    pub(super) fn ground(&mut self, staging: &Staging) -> GroundMeasures {
        let found = self.next(OF_GROUND, |measured| {
            let longest = longest_shadow(staging);
            [&of_box(&measured.survey(staging).casters)[..], &[longest]].concat()
        });
        GroundMeasures { casters: box_of(&found), longest_shadow: found[OF_BOX] }
    }

    pub(super) fn camera(&mut self, staging: &Staging, ground: Option<&FittedGround>) -> Fitted {
        let found = self.next(OF_CAMERA, |measured| {
            let outlines = &measured.survey(staging).outlines;
            let Fitted { fit, bounds } = fit_camera(staging, outlines, ground);
            let Fit { center, distance, height } = fit;
            [&center.to_array()[..], &[distance, height], &of_box(&bounds)].concat()
        });
        let (fit, bounds) = found.split_at(5);
        let fit = Fit { center: Vec3::from_slice(fit), distance: fit[3], height: fit[4] };
        Fitted { fit, bounds: box_of(bounds) }
    }

    pub(super) fn shadows(&mut self, staging: &Staging) -> ShadowMeasures {
        let found = self.next(of_shadows(staging), |measured| {
            let Survey { casters, largest, .. } = measured.survey(staging);
            // Other lights stand before the camera, which is fitted now.
            let wanted = Wanted { extents: true, ..Wanted::default() };
            let later = || Survey::of(staging, measured.moments(staging), wanted).largest;
            let largest = if are_lights_given(staging) { largest.clone() } else { later() };
            let extents = largest.into_iter().flat_map(|extent| extent.to_array());
            of_box(casters).into_iter().chain(extents).collect()
        });
        let (casters, extents) = found.split_at(found.len().min(OF_BOX));
        let casters = if casters.is_empty() { Aabb::EMPTY } else { box_of(casters) };
        ShadowMeasures { largest: extents.chunks_exact(3).map(Vec3::from_slice).collect(), casters }
    }

    fn moments(&self, staging: &Staging) -> &Moments {
        self.moments.get_or_init(|| Moments::of(staging))
    }

    fn survey(&self, staging: &Staging) -> &Survey {
        let has_shadows = of_shadows(staging) > 0;
        let wanted = Wanted {
            casters: staging.scene().ground.is_some() || has_shadows,
            outlines: staging.scene().camera.needs_fit(),
            extents: has_shadows && are_lights_given(staging),
        };
        self.survey.get_or_init(|| Survey::of(staging, self.moments(staging), wanted))
    }

    /// The next `count` numbers.
    fn next(&mut self, count: usize, measure: impl FnOnce(&Self) -> Vec<f32>) -> Vec<f32> {
        let start = self.numbers.len();
        let found = match self.kept {
            _ if count == 0 => Vec::new(),
            Some(kept) => kept[start..start + count].to_vec(),
            None => measure(self),
        };
        self.numbers.extend_from_slice(&found);
        found
    }
}

/// True if the scene names its lights; the default ones turn with the camera.
fn are_lights_given(staging: &Staging) -> bool {
    matches!(staging.scene().lights, Lights::Given(_))
}

/// Number of the numbers of a scene: 0 if nothing is fitted to all of its frames.
pub(super) fn count_for(staging: &Staging) -> usize {
    let scene = staging.scene();
    let ground = if scene.ground.is_some() { OF_GROUND } else { 0 };
    let camera = if scene.camera.needs_fit() { OF_CAMERA } else { 0 };
    ground + camera + of_shadows(staging)
}

fn of_shadows(staging: &Staging) -> usize {
    match staging.shadows().len() {
        0 => 0,
        count => OF_BOX + 3 * count,
    }
}

fn of_box(bounds: &Aabb) -> [f32; OF_BOX] {
    let ([a, b, c], [d, e, f]) = (bounds.min.to_array(), bounds.max.to_array());
    [a, b, c, d, e, f]
}

fn box_of(numbers: &[f32]) -> Aabb {
    Aabb { min: Vec3::from_slice(numbers), max: Vec3::from_slice(&numbers[3..]) }
}
