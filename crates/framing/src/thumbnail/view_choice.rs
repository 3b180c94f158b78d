//! The choice of a view of a model: clip, key time and viewpoint.

use super::chosen::Choice;
use super::job::ModelJob;
use super::skip_reason::{Skip, SkipReason};
use crate::camera_words::{ELEVATION_DEG, angles_of_view};
use crate::orientation::{Body, Convention, front_of, is_skinned};
use crate::{Viewpoint, key_time, viewpoint};
use tintype_base::deadline::TimedOut;
use tintype_base::diagnostic::{Diagnostic, Kind, Place};
use tintype_model::Model;
use tintype_model::math::{Affine3, Vec3, unit_or};
use tintype_model::pose::{Binding, bind_pose, bound_pose, sample_clip};
use tintype_render::asset::{Assets, LoadedModel};
use tintype_scene::Settings;

/// Minimum number of joints with vertices of a figure.
const MIN_JOINTS: usize = 5;
/// Angle in degrees between the fronts of the model and of a pose from which the latter counts.
const MIN_TURN_DEG: f32 = 30.0;

/// A model set upright, for judging times.
struct Seen<'s> {
    assets: &'s Assets,
    upright: &'s Affine3,
    is_drawn: &'s dyn Fn(usize) -> bool,
    front: Vec3,
}

/// The stage of the work.
const CHOOSING: &str = "choosing a view";

impl ModelJob<'_> {
    /// Chooses the clip, its key time and the viewpoint.
    pub(super) fn choose(
        &self,
        assets: &Assets,
        warnings: &mut Vec<Diagnostic>,
    ) -> Result<Choice, Skip> {
        let said = &self.options.settings;
        let loaded = &assets.models[0];
        let model = &loaded.model;
        let upright = Affine3::from_mat3(loaded.upright);
        self.model_deadline.enter(CHOOSING)?;
        let is_late = || self.model_deadline.deadline().is_over();
        let is_drawn = |mesh: usize| {
            let material = loaded.mesh_materials.get(mesh).and_then(|&at| assets.materials.get(at));
            material.is_none_or(|material| material.opacity > 0.0)
        };
        let clip = self.clip_of(loaded, warnings)?;
        let level = |v: Vec3| unit_or(Vec3::new(v.x, 0.0, v.z), Vec3::Z);
        let front = level(loaded.front);

        // 1. The key time, as seen from the front.
        let seen = Seen { assets, upright: &upright, is_drawn: &is_drawn, front };
        let moment = self.moment(&clip, &seen, warnings)?;
        let pose = match (&clip, moment) {
            (Some((index, binding)), Some(at_s)) => {
                let clip = &loaded.clips[*index].clip;
                sample_clip(&model.skeleton, clip, binding, clip.start_s + at_s)
            }
            _ if self.wants_bind() => bound_pose(&model.skeleton),
            _ => bind_pose(&model.skeleton),
        };

        // 2. The front in that pose: a clip may turn the model, and its hips by less.
        let body = Body::of_model(model, &pose, &upright, &is_drawn);
        let convention = Convention { front, ..Convention::of(loaded, &body) };
        let found = front_of(&body, said.front().map(|_| front), &convention);
        let turn = viewpoint::turn_deg(front, found.direction);
        let is_turned = !found.is_convention() && turn.abs() >= MIN_TURN_DEG;
        let turn_deg = if is_turned { (turn / 15.0 + 0.5).floor() * 15.0 } else { 0.0 };
        let (ahead, _) = viewpoint::directions(front, turn_deg, 0.0);

        // 3. The viewpoint.
        let is_named = found.votes.iter().any(|vote| vote.cue.reads_names());
        let pulling = pulling_joints(loaded);
        let is_figure = pulling >= MIN_JOINTS || is_named && pulling > 1;
        let solid = key_time::solid_of(model, &pose, &upright, &is_drawn);
        if solid.is_empty() {
            return Err(nothing_seen(model, &is_drawn));
        }
        let kind = (is_figure, is_skinned(model));
        let best =
            viewpoint::best_viewpoint(&solid, ahead, kind, &is_late).ok_or_else(|| self.late())?;
        let chosen = [best.azimuth_deg, best.elevation_deg];
        let side = viewpoint::only_side(loaded, &assets.materials);
        let chosen = side.map_or(chosen, |side| viewpoint::before_side(chosen, ahead, side));
        let [azimuth_deg, elevation_deg] = asked_angles(said, chosen);
        let azimuth_deg = wrapped(azimuth_deg + f64::from(turn_deg));
        let clip = clip.map(|(index, _)| index).zip(moment);
        Ok(Choice { clip, viewpoint: Viewpoint { azimuth_deg, elevation_deg, ..best } })
    }

    fn late(&self) -> Skip {
        self.model_deadline.skip(TimedOut { stage: CHOOSING })
    }

    /// The requested time, or the key time as seen from the front.
    fn moment(
        &self,
        clip: &Option<(usize, Binding)>,
        seen: &Seen,
        warnings: &mut Vec<Diagnostic>,
    ) -> Result<Option<f64>, Skip> {
        let said = &self.options.settings;
        let loaded = &seen.assets.models[0];
        let model = &loaded.model;
        let is_late = || self.model_deadline.deadline().is_over();
        Ok(match (clip, said.time_s()) {
            (None, None) => None,
            (None, Some(time_s)) => {
                let message = format!("time {time_s} s: no clip is playing");
                if !self.options.draws_without_clip {
                    return Err(Skip::new(SkipReason::Input, message));
                }
                warnings.push(Diagnostic::warning(Kind::Clip, Place::None, message));
                None
            }
            (Some((index, _)), Some(time_s)) => Some(self.time_of(&loaded.clips[*index], time_s)?),
            (Some((index, binding)), None) => {
                let clip = (loaded.clips[*index].clip.as_ref(), binding, said.wrap());
                let at_s = key_time::find_key_time(
                    model,
                    clip,
                    seen.upright,
                    seen.is_drawn,
                    seen.front,
                    &is_late,
                );
                Some(at_s.ok_or_else(|| self.late())?)
            }
        })
    }
}

/// The reason why nothing of a model is visible.
fn nothing_seen(model: &Model, is_drawn: &dyn Fn(usize) -> bool) -> Skip {
    let drawn = (0..).zip(&model.meshes).filter(|(k, _)| is_drawn(*k));
    let message = match drawn.map(|(_, mesh)| mesh.triangles.len()).sum::<usize>() {
        0 => "nothing is drawn: its materials are invisible".to_owned(),
        count => format!("the picture would be empty: all {count} triangles have zero area"),
    };
    Skip::new(SkipReason::Empty, message)
}

/// Azimuth and elevation, with requested values replacing the chosen ones.
fn asked_angles(said: &Settings, chosen: [f64; 2]) -> [f64; 2] {
    let asked = angles_of_view(said);
    let [azimuth_deg, elevation_deg] = asked.unwrap_or(chosen);
    let fixed = (said.azimuth_deg(), said.elevation_deg());
    match fixed {
        (None, None) => [azimuth_deg, elevation_deg],
        (azimuth, Some(elevation)) => [azimuth.unwrap_or(azimuth_deg), elevation],
        (Some(azimuth), None) if asked.is_some() => [azimuth, elevation_deg],
        (Some(azimuth), None) => [azimuth, ELEVATION_DEG],
    }
}

/// Number of joints with vertices.
fn pulling_joints(loaded: &LoadedModel) -> usize {
    let mut pulls = vec![false; loaded.model.skeleton.len()];
    for mesh in &loaded.model.meshes {
        mesh.influences.iter().for_each(|influence| pulls[influence.joint().index()] = true);
    }
    pulls.into_iter().filter(|&pulls| pulls).count()
}

/// Wraps degrees to -180..180.
fn wrapped(degrees: f64) -> f64 {
    if degrees > 180.0 {
        degrees - 360.0
    } else if degrees < -180.0 {
        degrees + 360.0
    } else {
        degrees
    }
}
