//! Options of pictures, with the names of the declared settings in the spelling of JavaScript.

use serde::Deserialize;
use serde_json::{Map, Value};
use tintype::builder::CameraBuilder;
use tintype::setting::{Door, Setting, SettingValue, Settings, Shape, settings_of};
use tintype::{Model, Thumbnail, Turntable, View, nearest_word};

/// A mistake in options, with its kind in JavaScript.
type Mistake = (&'static str, String);

/// Options of a picture by their names.
#[derive(Debug, Default, Deserialize)]
#[serde(transparent)]
pub(crate) struct PictureOptions(Map<String, Value>);

impl PictureOptions {
    pub(crate) fn thumbnail(self) -> Result<Thumbnail, Mistake> {
        let (size, settings) = self.read("size", Door::Thumbnail)?;
        let size = size.map_or(Ok(256), |size| {
            let side = size.as_u64().and_then(|side| u32::try_from(side).ok());
            side.ok_or_else(|| {
                ("scene", format!("size: {size}; expected a whole number of pixels"))
            })
        })?;
        Ok(Thumbnail::new(size).settings(&settings))
    }

    pub(crate) fn turntable(self, model: &Model) -> Result<Turntable, Mistake> {
        let (frames, settings) = self.read("frames", Door::Turntable)?;
        let made = Turntable::new(model).settings(&settings);
        let frames = frames.map(|frames| {
            let count = frames.as_u64().and_then(|count| usize::try_from(count).ok());
            count.ok_or_else(|| {
                ("scene", format!("frames: {frames}; expected a whole number above 0"))
            })
        });
        Ok(frames.transpose()?.into_iter().fold(made, Turntable::frames))
    }

    /// The value of the one option that is no setting, and the settings.
    fn read(self, own: &str, door: Door) -> Result<(Option<Value>, Settings), Mistake> {
        // Views are asked for with each frame.
        let known: Vec<&Setting> =
            settings_of(door).filter(|setting| setting.shape != Shape::Views).collect();
        let (mut value_of_own, mut settings) = (None, Settings::default());
        for (name, value) in self.0 {
            if value.is_null() {
                continue;
            }
            if name == own {
                value_of_own = Some(value);
                continue;
            }
            let Some(setting) = known.iter().find(|setting| setting.camel() == name) else {
                let names: Vec<String> = known.iter().map(|setting| setting.camel()).collect();
                let names = names.iter().map(String::as_str).chain([own]);
                let near = nearest_word(&name, names)
                    .map_or_else(String::new, |near| format!("; did you mean {near:?}?"));
                return Err(("option", format!("unknown option {name:?}{near}")));
            };
            let value = SettingValue::from(value);
            let set = settings.set(setting, value);
            set.map_err(|error| ("scene", error.at(&name).to_string()))?;
        }
        Ok((value_of_own, settings))
    }
}

/// Width and height, or the side of a square.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(untagged)]
enum Size {
    Side(u32),
    Sides([u32; 2]),
}

impl Size {
    fn sides(self) -> [u32; 2] {
        match self {
            Self::Side(side) => [side, side],
            Self::Sides(sides) => sides,
        }
    }
}

/// A camera that does not move, in world space.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct CameraOptions {
    eye: [f64; 3],
    target: [f64; 3],
    up: Option<[f64; 3]>,
    /// Vertical field of view; one of the two.
    fov_deg: Option<f64>,
    /// Height of an orthographic picture in world units.
    height: Option<f64>,
}

/// What another view of a scene changes.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct ViewOptions {
    camera: Option<CameraOptions>,
    size: Option<Size>,
    samples: Option<u32>,
    /// The view that is drawn in place of the picture, such as `depth`.
    pub(crate) aov: Option<String>,
    /// The moment in milliseconds, in place of a frame of the scene.
    pub(crate) moment_ms: Option<i64>,
}

impl ViewOptions {
    pub(crate) fn view(&self) -> View {
        let mut view = View::new();
        if let Some(CameraOptions { eye, target, up, fov_deg, height }) = &self.camera {
            let mut camera = CameraBuilder::look_at(*eye, *target);
            camera = up.iter().copied().fold(camera, CameraBuilder::up);
            camera = fov_deg.iter().copied().fold(camera, CameraBuilder::fov_deg);
            if let Some(height) = height {
                camera = camera.projection("orthographic").height(*height);
            }
            view = view.camera(camera);
        }
        view = self.size.map(Size::sides).into_iter().fold(view, View::size);
        view = self.samples.into_iter().fold(view, View::samples);
        self.moment_ms.into_iter().fold(view, View::moment_ms)
    }
}
