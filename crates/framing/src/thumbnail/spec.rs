//! Thumbnail: the scene of one picture of a model.

use crate::viewpoint::Viewpoint;
use tintype_model::Wrap;
use tintype_scene::builder::{Background, CameraBuilder, Clip, InstanceBuilder};
use tintype_scene::{RootMotion, SceneBuilder};

/// Version of the choices that thumbnails make: viewpoint, clip, key time and frame around a model. A change makes every picture
/// stale.
pub const THUMBNAIL_REVISION: u32 = 3;

/// Everything of a thumbnail's scene but its model.
#[derive(Clone, Debug, PartialEq)]
pub struct ThumbnailSpec {
    /// Width and height in pixels.
    pub size: [u32; 2],
    /// Samples per pixel.
    pub samples: u32,
    /// Most texture probes per point; 1 for trilinear filtering.
    pub anisotropy: u32,
    /// Background; none for that of the look.
    pub background: Option<Background>,
    /// Azimuth and elevation of the camera.
    pub viewpoint: Viewpoint,
    /// Whether the camera is orthographic.
    pub is_parallel: bool,
    /// Index of the clip among those of the model, and seconds from its first key; none for the bind pose.
    pub clip: Option<(u32, f64)>,
    /// Behaviour beyond the ends of the clip; none if the moment lies between its first key and its last.
    pub wrap: Option<Wrap>,
    /// Motion with which the clip carries the model.
    pub root: RootMotion,
    /// Name of the model in the scene.
    pub model: String,
}

impl ThumbnailSpec {
    /// Share of the picture that stays free on each side of the larger extent.
    pub const MARGIN: f64 = 0.06;
    /// Vertical field of view.
    pub const FOV_DEG: f64 = 26.0;

    /// Adds it to a scene that has the model.
    #[must_use]
    pub fn add_to(&self, scene: SceneBuilder) -> SceneBuilder {
        let scene =
            scene.size(self.size).samples(self.samples).anisotropy(self.anisotropy).frame_count(1);
        let scene = match &self.background {
            Some(background) => scene.background(background.clone()),
            None => scene,
        };
        let camera = CameraBuilder::orbit()
            .margin(Self::MARGIN)
            .azimuth_deg(self.viewpoint.azimuth_deg)
            .elevation_deg(self.viewpoint.elevation_deg);
        let camera = match self.is_parallel {
            true => camera.projection("orthographic"),
            false => camera.fov_deg(Self::FOV_DEG),
        };
        let instance = InstanceBuilder::new(self.model.as_str());
        // A key time within the clip needs no wrap.
        let instance = match self.clip {
            Some((index, start_s)) => {
                let wrap = self.wrap.unwrap_or(Wrap::Clamp);
                let instance = instance.clip(Clip::Index(index)).start_s(start_s).wrap(wrap);
                match self.root {
                    RootMotion::Keep => instance,
                    root => instance.root(root),
                }
            }
            None => instance.clip(Clip::Bind),
        };
        scene.camera(camera).instance(instance)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Shape;
    use tintype_scene::ClipChoice;
    use tintype_scene::builder::ModelBuilder;

    #[test]
    fn thumbnail_spec_is_a_sound_scene_of_one_frame() {
        let viewpoint = Viewpoint { azimuth_deg: -35.0, elevation_deg: 10.0, shape: Shape::Figure };
        let spec = ThumbnailSpec {
            size: [128, 96],
            samples: 4,
            anisotropy: 16,
            background: Some(Background::Transparent),
            viewpoint,
            is_parallel: false,
            clip: Some((0, 0.25)),
            wrap: None,
            root: RootMotion::Keep,
            model: "m \"1\"".to_owned(),
        };
        let scene = |spec: &ThumbnailSpec| {
            let model = ModelBuilder::new("m.md5mesh").name("m \"1\"").clip("w.md5anim");
            spec.add_to(SceneBuilder::new().model(model)).build("spec").expect("a sound scene")
        };
        let found = scene(&spec);
        assert_eq!((found.output.size, found.output.frames.len()), ([128, 96], 1));
        assert_eq!((found.output.samples, found.output.anisotropy), (4, 16));
        assert_eq!(found.instances[0].clip, ClipChoice::Clip(0));
        assert_eq!(found.instances[0].start_s.to_bits(), 0.25_f64.to_bits());
        assert!(!found.camera.is_parallel());
        assert!(scene(&ThumbnailSpec { is_parallel: true, ..spec.clone() }).camera.is_parallel());
        assert_eq!(
            scene(&ThumbnailSpec { clip: None, ..spec }).instances[0].clip,
            ClipChoice::Bind
        );
    }
}
