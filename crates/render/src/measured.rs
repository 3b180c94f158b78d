//! Measurements that require posing all frames of a scene: boxes, and the position of a fitted
//! camera.
//!
//! They depend only on the scene and its files. With cached ones no frame is posed again, and
//! everything else of a [`super::Renderer`] is available at once.

use super::fit::{Fitted, fit_camera};
use super::moments::Moments;
use super::staging::Staging;
use super::survey::{Survey, Wanted};
use std::cell::OnceCell;
use tintype_model::math::{Aabb, Vec3};
use tintype_scene::{Fit, Look, Scene};

/// The numbers in the order of use: cached ones first, the others are measured.
pub(super) struct Measured<'a> {
    kept: Option<&'a [f32]>,
    moments: OnceCell<Moments>,
    /// Everything that can be measured before the camera is fitted.
    survey: OnceCell<Survey>,
    /// All numbers so far.
    pub numbers: Vec<f32>,
}

const OF_BOX: usize = 6;
const OF_CAMERA: usize = 5 + OF_BOX;

impl<'a> Measured<'a> {
    /// Takes the numbers cached for the same scene, if they are valid.
    pub(super) fn new(staging: &Staging, kept: Option<&'a [f32]>) -> Self {
        let count = count_for(staging.scene());
        let is_right =
            |kept: &&[f32]| kept.len() == count && !kept.iter().any(|number| number.is_nan());
        let kept = kept.filter(is_right);
        Self { kept, moments: OnceCell::new(), survey: OnceCell::new(), numbers: Vec::new() }
    }

    /// The box around all casters in all frames.
    pub(super) fn casters(&mut self, staging: &Staging) -> Aabb {
        let found = self.next(OF_BOX, |measured| of_box(&measured.survey(staging).casters).into());
        box_of(&found)
    }

    pub(super) fn camera(&mut self, staging: &Staging, ground: Option<(Vec3, f32)>) -> Fitted {
        let found = self.next(OF_CAMERA, |measured| {
            let outlines = &measured.survey(staging).outlines;
            let Fitted { fit, bounds } = fit_camera(staging, outlines, ground);
            [&fit.to_array()[..], &of_box(&bounds)].concat()
        });
        let [x, y, z, distance, height, bounds @ ..] = &found[..] else {
            unreachable!("{found:?}")
        };
        let fit = Fit::from_array([*x, *y, *z, *distance, *height]);
        Fitted { fit, bounds: box_of(bounds) }
    }

    fn moments(&self, staging: &Staging) -> &Moments {
        self.moments.get_or_init(|| Moments::of(staging))
    }

    fn survey(&self, staging: &Staging) -> &Survey {
        let wanted = Wanted { casters: shows_ground(staging.scene()), outlines: true };
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

/// True if a fitted camera shows the ground around the models.
pub(super) fn shows_ground(scene: &Scene) -> bool {
    scene.ground.is_some() && scene.output.look == Look::Classic
}

/// Number of measured numbers of a scene: 0 if nothing is fitted to all its frames.
pub(super) fn count_for(scene: &Scene) -> usize {
    if scene.camera.needs_fit() {
        OF_CAMERA + if shows_ground(scene) { OF_BOX } else { 0 }
    } else {
        0
    }
}

fn of_box(bounds: &Aabb) -> [f32; OF_BOX] {
    let ([a, b, c], [d, e, f]) = (bounds.min.to_array(), bounds.max.to_array());
    [a, b, c, d, e, f]
}

fn box_of(numbers: &[f32]) -> Aabb {
    Aabb { min: Vec3::from_slice(numbers), max: Vec3::from_slice(&numbers[3..]) }
}
