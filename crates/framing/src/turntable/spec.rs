//! Turntable: the scene of one model while the camera goes around it.

use crate::Timeline;
use crate::camera_words::{ELEVATION_DEG, angles_of_view, is_orthographic};
use crate::viewpoint::before_side;
use tintype_model::math::{Vec3, unit_or};
use tintype_scene::builder::{CameraBuilder, Clip, InstanceBuilder, LightBuilder};
use tintype_scene::{Door, Ramp, RootMotion, SceneBuilder, Settings};

/// A turntable's scene without its model.
#[derive(Clone, Debug, PartialEq)]
pub struct TurntableSpec {
    /// Settings of picture, camera, clip and turn.
    pub settings: Settings,
    /// Number of frames and speed of the clip.
    pub timeline: Timeline,
    /// The clip that plays.
    pub clip: Clip,
    /// Name of the model in the scene.
    pub model: String,
}

/// Softness of the shadow in degrees.
const SOFTNESS_DEG: u32 = 9;
/// Azimuth of the camera in the first frame if no angle, view or directions are set.
const AZIMUTH_DEG: f64 = 30.0;

impl TurntableSpec {
    /// Adds it to a scene that has the model.
    #[must_use]
    pub fn add_to(&self, scene: SceneBuilder) -> SceneBuilder {
        let Self { settings, .. } = self;
        let Timeline { frames, fps, speed, .. } = self.timeline;
        let frames = frames * settings.directions().unwrap_or(1) as usize;
        // An invalid default would be refused with the scene.
        let size = settings.or(Settings::usual(Door::Turntable)).size().unwrap_or_default();
        let scene = scene.settings(settings).size(size).frame_count(frames).fps(fps);
        let scene = scene.camera(self.camera(frames));
        let scene = if settings.shadow() == Some(true) {
            scene.light(LightBuilder::studio().shadow(true).shadow_softness_deg(SOFTNESS_DEG))
        } else {
            scene
        };
        let scene = if settings.ground() == Some(true) { scene.ground() } else { scene };
        let instance = InstanceBuilder::new(self.model.as_str()).clip(self.clip.clone());
        let plays_at_its_speed = speed.to_bits() == 1.0_f64.to_bits();
        if self.clip == Clip::Bind {
            return scene.instance(instance);
        }
        let instance = match settings.root() {
            None | Some(RootMotion::Keep) => instance,
            Some(root) => instance.root(root),
        };
        let instance = if plays_at_its_speed { instance } else { instance.speed(speed) };
        let start_s = settings.time_s().filter(|start_s| *start_s != 0.0);
        let instance = start_s.into_iter().fold(instance, InstanceBuilder::start_s);
        scene.instance(match settings.wrap() {
            Some(wrap) => instance.wrap(wrap),
            None => instance,
        })
    }
}

impl TurntableSpec {
    /// Starts the orbit at the visible side of a one-sided model, unless a view or an angle is set.
    pub(super) fn see(&mut self, side: Vec3, front: Vec3) {
        let said = &self.settings;
        if said.view().is_some() || said.directions().is_some() {
            return;
        }
        let front = unit_or(Vec3::new(front.x, 0.0, front.z), Vec3::Z);
        let usual = [AZIMUTH_DEG, ELEVATION_DEG];
        let [azimuth, elevation] = before_side(usual, front, side);
        let is_said = said.azimuth_deg().is_some() || said.elevation_deg().is_some();
        if [azimuth, elevation] == usual || is_said {
            return;
        }
        self.settings.say("azimuth_deg", azimuth);
        self.settings.say("elevation_deg", elevation);
    }

    fn camera(&self, frames: usize) -> CameraBuilder {
        let Self { settings, .. } = self;
        let view = settings.view();
        let angles = angles_of_view(settings);
        let first = if settings.directions().is_some() { 0.0 } else { AZIMUTH_DEG };
        let from = settings.azimuth_deg().unwrap_or(angles.map_or(first, |[azimuth, _]| azimuth));
        let usual = settings.or(Settings::usual(Door::Turntable));
        let to = from + usual.turn_deg().unwrap_or_default();
        let elevation = angles.map_or(ELEVATION_DEG, |[_, elevation]| elevation);
        let camera = CameraBuilder::orbit();
        let camera = match settings.directions() {
            Some(steps) if steps > 1 => camera.azimuth(Ramp::Steps { from, to, steps }),
            None if frames > 1 && to != from => camera.azimuth_range_deg(from, to),
            _ => camera.azimuth_deg(from),
        };
        let camera = view.iter().fold(camera, |camera, word| camera.view(word));
        let projection = settings.projection();
        let projection = projection.or_else(|| {
            let are_directions = settings.directions().is_some();
            are_directions.then(|| "orthographic".to_owned())
        });
        let camera = projection.iter().fold(camera, |camera, word| camera.projection(word));
        let camera = camera.elevation_deg(settings.elevation_deg().unwrap_or(elevation));
        if is_orthographic(settings) {
            camera
        } else {
            camera.fov_deg(usual.fov_deg().unwrap_or_default())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tintype_scene::builder::{Background, Color, ModelBuilder};
    use tintype_scene::{Aov, ClipChoice, Lights, Scene, parse_scene};

    fn spec() -> TurntableSpec {
        said(&[("size", "320x240"), ("samples", "8"), ("azimuth_deg", "0")])
    }

    /// A turntable with these settings.
    fn said(texts: &[(&str, &str)]) -> TurntableSpec {
        TurntableSpec {
            settings: Settings::of_texts(texts.iter().copied()).expect("sound settings"),
            timeline: Timeline::new(Some(1.0), None, None),
            clip: Clip::Name("a \"walk\"".to_owned()),
            model: "m".to_owned(),
        }
    }

    fn builder(spec: &TurntableSpec) -> SceneBuilder {
        let model = ModelBuilder::new("m.md5mesh").name("m").named_clip("w.md5anim", "a \"walk\"");
        spec.add_to(SceneBuilder::new().model(model))
    }

    /// The scene, which is unchanged by writing and reading it.
    fn scene(spec: &TurntableSpec) -> Scene {
        let builder = builder(spec);
        let scene = builder.build("spec").expect("a sound scene");
        assert_eq!(parse_scene(&builder.to_toml(), "spec").expect("a sound text"), scene);
        scene
    }

    #[test]
    fn turntable_spec_is_a_sound_scene_with_its_values() {
        let found = scene(&spec());
        assert_eq!((found.output.size, found.output.samples), ([320, 240], 8));
        assert_eq!((found.output.frames.len(), found.output.fps.to_bits()), (72, 24_f64.to_bits()));
        assert!(found.camera.needs_fit());
        assert_eq!(found.instances.len(), 1);
        let still = TurntableSpec {
            timeline: Timeline::new(None, Some(1), None),
            clip: Clip::Bind,
            ..spec()
        };
        let found = scene(&still);
        assert_eq!(found.instances[0].clip, ClipChoice::Bind);
        assert_eq!(found.output.frames.to_string(), "0");
    }

    #[test]
    fn directions_play_the_clip_once_each() {
        let eight = TurntableSpec {
            timeline: Timeline::of_direction(Some(1.0), Some(6), None),
            ..said(&[("directions", "8"), ("view", "dimetric"), ("azimuth_deg", "0")])
        };
        let found = scene(&eight);
        assert_eq!(found.output.frames.len(), 48);
        assert_eq!(found.camera.directions_deg()[..3], [0.0, 45.0, 90.0]);
        assert!(found.camera.is_orthographic());
        // Frames of one column show the same time of the clip.
        let moment = |k: f64| (found.instances[0].clip_time_s(k / found.output.fps)) % 1.0;
        assert!((moment(2.0) - moment(14.0)).abs() < 1e-9);
    }

    #[test]
    fn settings_are_written_as_they_are_said_and_no_others() {
        let bare = builder(&said(&[])).to_toml();
        assert!(!bare.contains("anisotropy") && !bare.contains("aov"), "{bare}");
        let texts =
            [("anisotropy", "8"), ("aov", "wireframe,joint:a \"b\" \\c"), ("exposure", "2")];
        let found = scene(&said(&texts)).output;
        let aovs = [Aov::Wireframe, Aov::Joint("a \"b\" \\c".to_owned())];
        assert_eq!((found.anisotropy, &found.aov[..], found.exposure), (8, &aovs[..], 2.0));
    }

    #[test]
    fn angles_are_those_that_are_said_then_of_the_view_then_of_the_turntable() {
        let azimuth = |texts: &[(&str, &str)]| {
            let text = builder(&said(texts)).to_toml();
            let from = text.split("from = ").nth(1).and_then(|rest| rest.split(',').next());
            from.map(str::to_owned).unwrap_or(text)
        };
        assert_eq!(azimuth(&[]), "30.0");
        assert_eq!(azimuth(&[("view", "side")]), "90.0");
        assert_eq!(azimuth(&[("view", "side"), ("azimuth_deg", "7")]), "7.0");
        assert_eq!(azimuth(&[("directions", "4")]), "0.0");
    }

    #[test]
    fn ground_and_shadow_are_added_on_request() {
        let mut bare = scene(&spec());
        bare.set_look(tintype_scene::Look::Classic).expect("a scene without lights");
        assert!(bare.ground.is_none() && bare.shadows.is_empty());
        let found = scene(&said(&[("ground", "true"), ("shadow", "true")]));
        assert_eq!(found.ground, Some(tintype_model::Ground::default()));
        assert_eq!((found.shadows.len(), found.lights), (1, Lights::Studio));
    }

    #[test]
    fn background_is_written_as_given() {
        for (words, text) in [
            ("transparent", "\"transparent\""),
            ("#102030", "\"#102030\""),
            ("#fff, #000", "{ top = \"#fff\", bottom = \"#000\" }"),
        ] {
            let spec = said(&[("background", words)]);
            let text = format!("background = {text}\n");
            assert!(builder(&spec).to_toml().contains(&text), "{text}");
        }
        let code = |text: &str| Color::Code(text.to_owned());
        let gradient = Background::Gradient { top: code("#fff"), bottom: code("#000") };
        assert_eq!("#fff,#000 ".parse(), Ok(gradient));
        for (words, says) in [
            ("blu", "unknown background \"blu\"; "),
            ("#ff", "\"#ff\" is not a colour; "),
            ("#fff,", "\"\" is not a colour; "),
            ("transparent,#000", "\"transparent\" is not a colour; "),
        ] {
            let message = words.parse::<Background>().unwrap_err();
            assert!(message.starts_with(says), "{message}");
        }
    }
}
