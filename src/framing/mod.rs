//! One model -> the text of a scene that shows it: what `turntable` draws, and what its author can go on from.
//!
//! Input: a loaded model and its clips, and what the user asked for. Output: the text of `[output]`, `[camera]` and `[[instance]]`
//! ([`Shot::to_toml`]), how many frames make a loop ([`Timeline`]), and which way a model stands whose file does not say
//! ([`stance`]). For a thumbnail ([`Still`]) it is also chosen which clip is shown ([`action`]), at which moment ([`moment`]), and from which side
//! ([`angle`], [`facing`]), by drawing the model tiny ([`sketch`]). Everything else is the scene's business: a portrait has nothing that a scene could not say. This module draws
//! nothing and touches no file.

pub mod clip_choice;
pub mod viewpoint;
pub mod front_axis;
pub mod key_time;
pub mod silhouette;
pub mod up_axis;
pub mod thumbnail;
pub mod timeline;

pub use silhouette::Solid;
pub use thumbnail::Still;
pub use timeline::Timeline;
pub use up_axis::{Stance, lying_along};
pub use viewpoint::{Angle, Shape};

use std::fmt::Write;

/// How a model is photographed while the camera goes once around it.
#[derive(Clone, Debug, PartialEq)]
pub struct Shot {
    /// Width and height in pixels.
    pub size: [u32; 2],
    /// Samples a pixel.
    pub samples: u32,
    /// Probes a texture and point at most; 1 for trilinear filtering.
    pub anisotropy: u32,
    /// Views of each frame, as a scene writes them.
    pub views: Vec<String>,
    /// The frames and the speed of the clip.
    pub timeline: Timeline,
    /// Behind the model, as a scene writes it, quotes included; none for the scene's own gradient.
    pub background: Option<String>,
    /// Whether a ground below the model catches shadows.
    pub ground: bool,
    /// Whether the key light of the studio casts a shadow.
    pub shadow: bool,
    /// Where the camera is in the first frame: 0 is before the front of the model, positive counter-clockwise from above.
    pub azimuth_deg: f64,
    /// How far the camera goes; 360 closes, less than 0 goes the other way round.
    pub turn_deg: f64,
    /// How far the camera stands above the horizon.
    pub elevation_deg: f64,
    /// From the top edge to the bottom edge of the picture.
    pub fov_deg: f64,
    /// The clip that plays, by its name or place in the scene, as a scene writes it, quotes included; none for the bind pose.
    pub clip: Option<String>,
    /// The name of the model in the scene.
    pub model: String,
}

impl Shot {
    /// Everything of the scene but its models.
    #[must_use]
    pub fn to_toml(&self) -> String {
        let quoted = |text: &str| toml::Value::from(text).to_string();
        let Self { size: [width, height], samples, timeline, .. } = self;
        let anisotropy = anisotropy_line(self.anisotropy);
        let mut text = format!(
            "[output]\nsize = [{width}, {height}]\nsamples = {samples}\n{anisotropy}frames = \"{}\"\nfps = {}\n",
            timeline.frames_text(),
            number(timeline.fps),
        );
        let mut line = |line: std::fmt::Arguments<'_>| {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "{line}");
        };
        if let Some(background) = &self.background {
            line(format_args!("background = {background}"));
        }
        if !self.views.is_empty() {
            line(format_args!("aov = {}", toml::Value::from(self.views.clone())));
        }
        let (from, to) = (number(self.azimuth_deg), number(self.azimuth_deg + self.turn_deg));
        line(format_args!("\n[camera]\nkind = \"orbit\"\ntarget = \"fit\""));
        match timeline.frames {
            1 => line(format_args!("azimuth_deg = {from}")),
            _ => line(format_args!("azimuth_deg = {{ from = {from}, to = {to} }}")),
        }
        line(format_args!("elevation_deg = {}", number(self.elevation_deg)));
        line(format_args!("fov_deg = {}", number(self.fov_deg)));
        if self.shadow {
            line(format_args!(
                "\n[[light]]\nkind = \"studio\"\nshadow = true\nshadow_softness_deg = 9"
            ));
        }
        if self.ground {
            line(format_args!("\n[ground]"));
        }
        line(format_args!("\n[[instance]]\nmodel = {}", quoted(&self.model)));
        match &self.clip {
            Some(clip) => line(format_args!("clip = {clip}")),
            None => line(format_args!("clip = \"bind\"")),
        }
        if self.clip.is_some() && timeline.speed.to_bits() != 1.0_f64.to_bits() {
            line(format_args!("speed = {}", number(timeline.speed)));
        }
        text
    }
}

/// The line of `[output]`; none where a scene need not say it.
fn anisotropy_line(most: u32) -> String {
    match most {
        1 => String::new(),
        most => format!("anisotropy = {most}\n"),
    }
}

/// A number as TOML has it: the shortest text that reads back as the same number.
fn number(value: f64) -> String {
    format!("{value:?}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::parse_scene;

    fn shot() -> Shot {
        Shot {
            size: [320, 240],
            samples: 8,
            anisotropy: 1,
            views: Vec::new(),
            timeline: Timeline::new(Some(1.0), None, None),
            background: None,
            ground: false,
            shadow: false,
            azimuth_deg: 0.0,
            turn_deg: 360.0,
            elevation_deg: 12.0,
            fov_deg: 30.0,
            clip: Some("'a \"walk\"'".to_owned()),
            model: "m".to_owned(),
        }
    }

    fn scene(shot: &Shot) -> crate::scene::Scene {
        let model = "[[model]]\nname = \"m\"\nfile = \"m.md5mesh\"\nclips = [{ name = 'a \"walk\"', file = \"w.md5anim\" }]\n";
        parse_scene(&format!("{model}{}", shot.to_toml()), "shot").expect("a sound scene")
    }

    #[test]
    fn shot_is_a_sound_scene_that_says_what_it_says() {
        let found = scene(&shot());
        assert_eq!((found.output.size, found.output.samples), ([320, 240], 8));
        assert_eq!((found.output.frames.len(), found.output.fps.to_bits()), (72, 24_f64.to_bits()));
        assert!(found.camera.needs_fit());
        assert_eq!(found.instances.len(), 1);
        let still = Shot { timeline: Timeline::new(None, Some(1), None), clip: None, ..shot() };
        let found = scene(&still);
        assert_eq!(found.instances[0].clip, crate::scene::ClipChoice::Bind);
    }

    #[test]
    fn anisotropy_is_written_where_it_is_asked_for() {
        assert!(!shot().to_toml().contains("anisotropy"));
        assert_eq!(scene(&Shot { anisotropy: 8, ..shot() }).output.anisotropy, 8);
    }

    #[test]
    fn views_are_written_where_they_are_asked_for() {
        assert!(!shot().to_toml().contains("aov"));
        let views = ["wireframe", "joint:a \"b\" \\c"].map(str::to_owned).to_vec();
        let found = scene(&Shot { views: views.clone(), ..shot() }).output.aov;
        assert_eq!(found.iter().map(crate::scene::Aov::word).collect::<Vec<_>>(), views);
    }

    #[test]
    fn ground_and_shadow_are_there_where_they_are_asked_for() {
        let bare = scene(&shot());
        assert!(bare.ground.is_none() && bare.shadows.is_empty());
        let found = scene(&Shot { ground: true, shadow: true, ..shot() });
        assert_eq!(found.ground, Some(crate::model::Ground::default()));
        assert_eq!((found.shadows.len(), found.lights), (1, crate::scene::Lights::Studio));
    }

    #[test]
    fn background_is_written_as_it_is() {
        for background in
            ["\"transparent\"", "\"#102030\"", "{ top = \"#fff\", bottom = \"#000\" }"]
        {
            let text = Shot { background: Some(background.to_owned()), ..shot() }.to_toml();
            assert!(text.contains(&format!("background = {background}\n")), "{text}");
        }
    }
}
