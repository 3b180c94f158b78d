//! Thumbnail: the scene of one picture of a model.

use crate::viewpoint::Viewpoint;
use tintype_model::Wrap;
use tintype_scene::builder::{CameraBuilder, Clip, InstanceBuilder};
use tintype_scene::{Door, RootMotion, SceneBuilder, Settings};

/// Version of the choices for thumbnails: viewpoint, clip, key time and frame around a model. A
/// change makes every picture stale.
pub const THUMBNAIL_REVISION: u32 = 3;

/// A thumbnail's scene without its model.
#[derive(Clone, Debug, PartialEq)]
pub struct ThumbnailSpec {
    /// Width and height in pixels.
    pub size: [u32; 2],
    /// Settings of the picture and the clip.
    pub settings: Settings,
    /// Azimuth and elevation of the camera.
    pub viewpoint: Viewpoint,
    /// True if the camera is orthographic.
    pub is_orthographic: bool,
    /// Index of the clip in the model, and seconds from its first key. None for the bind pose.
    pub clip: Option<(u32, f64)>,
    /// Name of the model in the scene.
    pub model: String,
}

impl ThumbnailSpec {
    /// Margin on each side of the larger extent, as a fraction of the picture.
    pub const MARGIN: f64 = 0.06;

    /// Vertical field of view.
    #[must_use]
    pub fn fov_deg(settings: &Settings) -> f64 {
        // An invalid default would be refused with the scene.
        settings.or(Settings::usual(Door::Thumbnail)).fov_deg().unwrap_or_default()
    }

    /// Adds it to a scene that has the model.
    #[must_use]
    pub fn add_to(&self, scene: SceneBuilder) -> SceneBuilder {
        let scene = scene.settings(&self.settings).size(self.size).frame_count(1);
        let camera = CameraBuilder::orbit()
            .margin(Self::MARGIN)
            .azimuth_deg(self.viewpoint.azimuth_deg)
            .elevation_deg(self.viewpoint.elevation_deg);
        let camera = if self.is_orthographic {
            camera.projection("orthographic")
        } else {
            camera.fov_deg(Self::fov_deg(&self.settings))
        };
        let instance = InstanceBuilder::new(self.model.as_str());
        // A key time within the clip needs no wrap.
        let instance = match self.clip {
            Some((index, start_s)) => {
                let wrap = self.settings.wrap().unwrap_or(Wrap::Clamp);
                let instance = instance.clip(Clip::Index(index)).start_s(start_s).wrap(wrap);
                match self.settings.root() {
                    None | Some(RootMotion::Keep) => instance,
                    Some(root) => instance.root(root),
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
            settings: Settings::of_texts([("anisotropy", "16"), ("background", "transparent")])
                .expect("sound settings"),
            viewpoint,
            is_orthographic: false,
            clip: Some((0, 0.25)),
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
        assert!(!found.camera.is_orthographic());
        assert!(
            scene(&ThumbnailSpec { is_orthographic: true, ..spec.clone() })
                .camera
                .is_orthographic()
        );
        assert_eq!(
            scene(&ThumbnailSpec { clip: None, ..spec }).instances[0].clip,
            ClipChoice::Bind
        );
    }
}
