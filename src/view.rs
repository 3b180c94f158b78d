//! Another view of a loaded scene.

use super::Error;
use super::builder::{CameraBuilder, FrameList, FrameNumber, SceneBuilder};
use tintype_scene::{Frames, Scene, Settings};

/// Camera, size, samples and time of a view; values that are not set stay as in the scene. See
/// [`Renderer::with_view`](super::Renderer::with_view).
#[derive(Clone, Debug, Default)]
pub struct View {
    camera: Option<CameraBuilder>,
    settings: Settings,
}

/// Frames per second of a scene of one time: its frame number is in milliseconds.
const MILLISECONDS: f64 = 1000.0;

impl View {
    /// The view of the scene itself.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the camera. It is the same in all frames unless it orbits.
    #[must_use]
    pub fn camera(mut self, camera: CameraBuilder) -> Self {
        self.camera = Some(camera);
        self
    }

    /// Sets width and height in pixels.
    #[must_use]
    pub fn size(mut self, size: [u32; 2]) -> Self {
        self.settings.say("size", size);
        self
    }

    /// Sets the samples per pixel: 1, 2, 4, 8 or 16.
    #[must_use]
    pub fn samples(mut self, samples: u32) -> Self {
        self.settings.say("samples", samples);
        self
    }

    /// Replaces the frames of the scene by one frame at this many milliseconds, which is also its
    /// number.
    #[must_use]
    pub fn moment_ms(mut self, moment_ms: i64) -> Self {
        self.settings.say("fps", MILLISECONDS);
        self.settings.say("frames", Frames::from(&FrameList::single(FrameNumber(moment_ms))));
        self
    }

    /// Adds the view to a scene made by a program.
    pub(crate) fn add_to(&self, scene: SceneBuilder) -> SceneBuilder {
        let scene = self.camera.iter().cloned().fold(scene, SceneBuilder::camera);
        scene.settings(&self.settings)
    }

    /// Applies the view to a scene.
    pub(crate) fn of_scene(&self, scene: &Scene) -> Result<Scene, Error> {
        self.settings.check().map_err(|error| Error::of_setting(&error))?;
        let mut seen = scene.clone();
        if let Some(camera) = &self.camera {
            // The scene readers check the values.
            let read = SceneBuilder::new().camera(camera.clone()).build_camera("view");
            seen.camera = read.map_err(|errors| Error::of_scene(&errors))?;
        }
        seen.apply(&self.settings).expect("the look is not set");
        Ok(seen)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Error, Model, Renderer};

    /// A view of a loaded scene has the same pixels as a scene that is built with that view and
    /// loaded anew.
    #[test]
    fn view_of_a_loaded_scene_is_that_of_its_text() -> Result<(), Error> {
        let assets = concat!(env!("CARGO_MANIFEST_DIR"), "/scenes/assets");
        let model = Model::open(format!("{assets}/ranger.glb"))?;
        for look in ["studio", "classic"] {
            let word = crate::builder::Look::WORDS.iter().find(|(word, _)| *word == look);
            let turntable = model.turntable().clip("walk").frames(3).size([40, 40]);
            let turntable = word.iter().fold(turntable, |made, (_, look)| made.look(*look));
            let loaded = turntable.shadow(true).ground(true).renderer()?;
            for (camera, moment_ms) in [
                (CameraBuilder::look_at([2.0, 1.5, 3.0], [0.0, 0.9, 0.0]).fov_deg(28.0), 0),
                (CameraBuilder::look_at([-2.5, 0.4, 1.0], [0.0, 1.0, 0.0]), 333),
                (CameraBuilder::orbit().azimuth_deg(200.0), 70),
            ] {
                let view =
                    View::new().camera(camera).size([48, 33]).samples(2).moment_ms(moment_ms);
                let seen = loaded.with_view(&view)?;
                let text = seen.to_toml().expect("a turntable is made by a program");
                let anew = Renderer::parse(&text, "view.toml", assets, &Default::default())?;
                assert_eq!(seen.digest(), anew.digest(), "{text}");
                assert_eq!(seen.draw(moment_ms)?, anew.draw(moment_ms)?, "{text}");
            }
        }
        Ok(())
    }

    #[test]
    fn values_out_of_range_are_refused() -> Result<(), Error> {
        let assets = concat!(env!("CARGO_MANIFEST_DIR"), "/scenes/assets");
        let loaded = Model::open(format!("{assets}/globe.md5mesh"))?.turntable().renderer()?;
        let message = |view: View| loaded.with_view(&view).expect_err("out of range").to_string();
        assert!(message(View::new().size([0, 4])).contains("size"));
        assert!(message(View::new().samples(3)).contains("samples"));
        let camera = CameraBuilder::look_at([0.0; 3], [0.0; 3]);
        assert!(message(View::new().camera(camera)).contains("target"));
        Ok(())
    }
}
