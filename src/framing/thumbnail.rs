//! One picture of a model as the text of a scene: what `thumbnail` draws.

use super::viewpoint::Angle;
use super::{anisotropy_line, number};

/// Raised with every change of what is chosen where nobody says: the side, the clip, the moment or the frame around a model.
pub const STILL_REVISION: u32 = 1;

/// How a model is photographed once.
#[derive(Clone, Debug, PartialEq)]
pub struct Still {
    /// Width and height in pixels.
    pub size: u32,
    /// Samples a pixel.
    pub samples: u32,
    /// Probes a texture and point at most; 1 for trilinear filtering.
    pub anisotropy: u32,
    /// Behind the model, as a scene writes it, quotes included.
    pub background: String,
    /// From which side.
    pub angle: Angle,
    /// The clip by its place among those of the model, and the seconds from its first key; none for the bind pose.
    pub clip: Option<(usize, f64)>,
    /// The name of the model in the scene.
    pub model: String,
}

impl Still {
    /// The share of the picture that stays free on each side of what is widest.
    pub const MARGIN: f64 = 0.06;
    /// From the top edge to the bottom edge.
    pub const FOV_DEG: f64 = 26.0;

    /// Everything of the scene but its models.
    #[must_use]
    pub fn to_toml(&self) -> String {
        let Self { size, samples, background, angle, .. } = self;
        let (azimuth, elevation) = (number(angle.azimuth_deg), number(angle.elevation_deg));
        let anisotropy = anisotropy_line(self.anisotropy);
        let (fov, margin) = (number(Self::FOV_DEG), number(Self::MARGIN));
        let clip = match self.clip {
            // Its ends are not wrapped: the moment is within the clip.
            Some((place, start_s)) => {
                format!("clip = {place}\nstart_s = {}\nwrap = \"clamp\"\n", number(start_s))
            }
            None => "clip = \"bind\"\n".to_owned(),
        };
        format!(
            "[output]\nsize = [{size}, {size}]\nsamples = {samples}\n{anisotropy}frames = \"0\"\nbackground = {background}\n\n\
             [camera]\nkind = \"orbit\"\ntarget = \"fit\"\nmargin = {margin}\nazimuth_deg = {azimuth}\n\
             elevation_deg = {elevation}\nfov_deg = {fov}\n\n[[instance]]\nmodel = {}\n{clip}",
            toml::Value::from(self.model.as_str())
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::framing::Shape;
    use crate::scene::{ClipChoice, parse_scene};

    #[test]
    fn still_is_a_sound_scene_of_one_frame() {
        let angle = Angle { azimuth_deg: -35.0, elevation_deg: 10.0, shape: Shape::Figure };
        let still = Still {
            size: 128,
            samples: 4,
            anisotropy: 16,
            background: "\"transparent\"".to_owned(),
            angle,
            clip: Some((0, 0.25)),
            model: "m \"1\"".to_owned(),
        };
        let model = "[[model]]\nname = 'm \"1\"'\nfile = \"m.md5mesh\"\nclips = [{ file = \"w.md5anim\" }]\n";
        let scene = |still: &Still| {
            parse_scene(&format!("{model}{}", still.to_toml()), "still").expect("a sound scene")
        };
        let found = scene(&still);
        assert_eq!((found.output.size, found.output.frames.len()), ([128, 128], 1));
        assert_eq!((found.output.samples, found.output.anisotropy), (4, 16));
        assert_eq!(found.instances[0].clip, ClipChoice::Clip(0));
        assert_eq!(found.instances[0].start_s.to_bits(), 0.25_f64.to_bits());
        assert_eq!(scene(&Still { clip: None, ..still }).instances[0].clip, ClipChoice::Bind);
    }
}
