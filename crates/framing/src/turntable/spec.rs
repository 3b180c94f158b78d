//! Turntable: the scene of one model while the camera goes around it.

use crate::Timeline;
use tintype_model::Wrap;
use tintype_scene::builder::{Background, CameraBuilder, Clip, InstanceBuilder, LightBuilder};
use tintype_scene::{Aov, Ramp, RootMotion, SceneBuilder};

/// Everything of a turntable's scene but its model.
#[derive(Clone, Debug, PartialEq)]
pub struct TurntableSpec {
    /// Width and height in pixels.
    pub size: [u32; 2],
    /// Samples per pixel.
    pub samples: u32,
    /// Most texture probes per point; 1 for trilinear filtering.
    pub anisotropy: u32,
    /// Arbitrary output variables beside each frame.
    pub aovs: Vec<Aov>,
    /// Number of frames and speed of the clip.
    pub timeline: Timeline,
    /// Background; none for the default gradient of scenes.
    pub background: Option<Background>,
    /// Whether a ground below the model catches shadows.
    pub ground: bool,
    /// Whether the key light of the default lights casts a shadow.
    pub shadow: bool,
    /// Azimuth of the first frame: 0 is before the front of the model, positive is counter-clockwise from above.
    pub azimuth_deg: f64,
    /// Turn of the camera over all frames; 360 closes, a negative turn goes clockwise.
    pub turn_deg: f64,
    /// Elevation of the camera above the horizon.
    pub elevation_deg: f64,
    /// Vertical field of view.
    pub fov_deg: f64,
    /// Number of directions in which the clip plays as a whole; none for a camera that turns while it plays.
    pub directions: Option<u32>,
    /// Usual direction of the camera, such as `dimetric`, and its projection, as words of a scene.
    pub view: Option<String>,
    /// `perspective` or `orthographic`.
    pub projection: Option<String>,
    /// The clip that plays.
    pub clip: Clip,
    /// Behaviour beyond the ends of the clip; by default that of its file.
    pub wrap: Option<Wrap>,
    /// Motion with which the clip carries the model.
    pub root: RootMotion,
    /// Time of the clip in the first frame, in seconds.
    pub start_s: f64,
    /// Name of the model in the scene.
    pub model: String,
}

/// Softness of the shadow in degrees.
const SOFTNESS_DEG: u32 = 9;

impl TurntableSpec {
    /// Adds it to a scene that has the model.
    #[must_use]
    pub fn add_to(&self, scene: SceneBuilder) -> SceneBuilder {
        let scene = scene.size(self.size).samples(self.samples);
        let scene = match self.anisotropy {
            1 => scene,
            probes => scene.anisotropy(probes),
        };
        let Timeline { frames, fps, speed, .. } = self.timeline;
        let frames = frames * self.directions.unwrap_or(1) as usize;
        let scene = scene.frame_count(frames).fps(fps);
        let scene = match &self.background {
            Some(background) => scene.background(background.clone()),
            None => scene,
        };
        let scene = match self.aovs.is_empty() {
            true => scene,
            false => scene.aovs(&self.aovs),
        };
        let scene = scene.camera(self.camera(frames));
        let scene = match self.shadow {
            true => {
                scene.light(LightBuilder::studio().shadow(true).shadow_softness_deg(SOFTNESS_DEG))
            }
            false => scene,
        };
        let scene = if self.ground { scene.ground() } else { scene };
        let instance = InstanceBuilder::new(self.model.as_str()).clip(self.clip.clone());
        let plays_at_its_speed = speed.to_bits() == 1.0_f64.to_bits();
        if self.clip == Clip::Bind {
            return scene.instance(instance);
        }
        let instance = match self.root {
            RootMotion::Keep => instance,
            root => instance.root(root),
        };
        let instance = if plays_at_its_speed { instance } else { instance.speed(speed) };
        let starts = self.start_s != 0.0;
        let instance = if starts { instance.start_s(self.start_s) } else { instance };
        scene.instance(match self.wrap {
            Some(wrap) => instance.wrap(wrap),
            None => instance,
        })
    }
}

impl TurntableSpec {
    fn camera(&self, frames: usize) -> CameraBuilder {
        let (from, to) = (self.azimuth_deg, self.azimuth_deg + self.turn_deg);
        let camera = CameraBuilder::orbit();
        let camera = match self.directions {
            Some(steps) if steps > 1 => camera.azimuth(Ramp::Steps { from, to, steps }),
            None if frames > 1 => camera.azimuth_range_deg(from, to),
            _ => camera.azimuth_deg(from),
        };
        let camera = match &self.view {
            Some(word) => camera.view(word),
            None => camera,
        };
        let is_parallel = match (&self.projection, &self.view) {
            (Some(word), _) => word == "orthographic",
            (None, view) => view.is_some(),
        };
        let camera = match &self.projection {
            Some(word) => camera.projection(word),
            None => camera,
        };
        let camera = camera.elevation_deg(self.elevation_deg);
        if is_parallel { camera } else { camera.fov_deg(self.fov_deg) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tintype_scene::builder::{Color, ModelBuilder};
    use tintype_scene::{ClipChoice, Lights, Scene, parse_scene};

    fn spec() -> TurntableSpec {
        TurntableSpec {
            size: [320, 240],
            samples: 8,
            anisotropy: 1,
            aovs: Vec::new(),
            timeline: Timeline::new(Some(1.0), None, None),
            background: None,
            ground: false,
            shadow: false,
            azimuth_deg: 0.0,
            turn_deg: 360.0,
            elevation_deg: 12.0,
            fov_deg: 30.0,
            directions: None,
            view: None,
            projection: None,
            clip: Clip::Name("a \"walk\"".to_owned()),
            wrap: None,
            root: RootMotion::Keep,
            start_s: 0.0,
            model: "m".to_owned(),
        }
    }

    fn builder(spec: &TurntableSpec) -> SceneBuilder {
        let model = ModelBuilder::new("m.md5mesh").name("m").named_clip("w.md5anim", "a \"walk\"");
        spec.add_to(SceneBuilder::new().model(model))
    }

    /// The scene, which is the same when it is written and read.
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
            directions: Some(8),
            projection: Some("orthographic".to_owned()),
            view: Some("dimetric".to_owned()),
            timeline: Timeline::of_direction(Some(1.0), Some(6), None),
            ..spec()
        };
        let found = scene(&eight);
        assert_eq!(found.output.frames.len(), 48);
        assert_eq!(found.camera.directions_deg()[..3], [0.0, 45.0, 90.0]);
        assert!(found.camera.is_parallel());
        // Frames of one column show one moment of the clip.
        let moment = |k: f64| (found.instances[0].clip_time_s(k / found.output.fps)) % 1.0;
        assert!((moment(2.0) - moment(14.0)).abs() < 1e-9);
    }

    #[test]
    fn anisotropy_is_written_only_if_it_is_not_the_default() {
        assert!(!builder(&spec()).to_toml().contains("anisotropy"));
        assert_eq!(scene(&TurntableSpec { anisotropy: 8, ..spec() }).output.anisotropy, 8);
    }

    #[test]
    fn aovs_are_written_only_if_there_are_any() {
        assert!(!builder(&spec()).to_toml().contains("aov"));
        let aovs = vec![Aov::Wireframe, Aov::Joint("a \"b\" \\c".to_owned())];
        let found = scene(&TurntableSpec { aovs: aovs.clone(), ..spec() });
        assert_eq!(found.output.aov, aovs);
    }

    #[test]
    fn ground_and_shadow_are_added_on_request() {
        let mut bare = scene(&spec());
        bare.set_look(tintype_scene::Look::Classic).expect("a scene without lights");
        assert!(bare.ground.is_none() && bare.shadows.is_empty());
        let found = scene(&TurntableSpec { ground: true, shadow: true, ..spec() });
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
            let spec = TurntableSpec { background: Some(words.parse().unwrap()), ..spec() };
            let text = format!("background = {text}\n");
            assert!(builder(&spec).to_toml().contains(&text), "{text}");
        }
        let code = |text: &str| Color::Code(text.to_owned());
        let gradient = Background::Gradient { top: code("#fff"), bottom: code("#000") };
        assert_eq!("#fff,#000 ".parse(), Ok(gradient));
        for words in ["blu", "#ff", "#fff,", "transparent,#000"] {
            let message = words.parse::<Background>().unwrap_err();
            assert!(message.starts_with("unknown background"), "{message}");
        }
    }
}
