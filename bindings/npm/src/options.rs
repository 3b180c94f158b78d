//! Options of pictures, with the names of the declared settings in the spelling of JavaScript.

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};
use tintype::builder::CameraBuilder;
use tintype::setting::{Door, Setting, SettingValue, Settings, settings_of};
use tintype::{Model, Thumbnail, Turntable, View, nearest_word};

/// An error as JavaScript gets it, of a mistake that has no place in a file.
pub(crate) fn plain(kind: &str, message: &str) -> Value {
    json!({ "kind": kind, "message": message, "diagnostics": [] })
}

/// The value of an option; `expected` tells in words what it is.
///
/// # Errors
/// A mistake that names the option, what was found and what is expected.
pub(crate) fn read<T: DeserializeOwned>(
    name: &str,
    value: Value,
    expected: &str,
) -> Result<T, Value> {
    let refused = |_| plain("option", &format!("{name}: {value}; expected {expected}"));
    T::deserialize(&value).map_err(refused)
}

/// Options of a picture by their names.
#[derive(Debug, Default, Deserialize)]
#[serde(transparent)]
pub(crate) struct PictureOptions(Map<String, Value>);

impl PictureOptions {
    pub(crate) fn thumbnail(self) -> Result<Thumbnail, Value> {
        let (size, settings) = self.read("size", Door::Thumbnail)?;
        let size = size.map_or(Ok(256), |size| read("size", size, "a whole number of pixels"))?;
        Ok(Thumbnail::new(size).settings(&settings))
    }

    pub(crate) fn turntable(self, model: &Model) -> Result<Turntable, Value> {
        let (frames, settings) = self.read("frames", Door::Turntable)?;
        let made = Turntable::new(model).settings(&settings);
        let frames = frames.map(|frames| read("frames", frames, "a whole number above 0"));
        Ok(frames.transpose()?.into_iter().fold(made, Turntable::frames))
    }

    /// The value of the one option that is no setting, and the settings.
    fn read(self, own: &str, door: Door) -> Result<(Option<Value>, Settings), Value> {
        // Views are asked for with each frame.
        let known: Vec<&Setting> =
            settings_of(door).filter(|setting| !setting.is_beside()).collect();
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
                return Err(unknown(&name, names.iter().map(String::as_str).chain([own])));
            };
            let value = SettingValue::from(value);
            let set = settings.set(setting, value);
            set.map_err(|error| plain("scene", &error.at(&name).to_string()))?;
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

/// The refusal of an option that is not known, with the nearest that is.
fn unknown<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Value {
    let near = nearest_word(name, known)
        .map_or_else(String::new, |near| format!("; did you mean {near:?}?"));
    plain("option", &format!("unknown option {name:?}{near}"))
}

/// A camera that does not move, in world space.
#[derive(Debug)]
struct CameraOptions {
    eye: [f64; 3],
    target: [f64; 3],
    up: Option<[f64; 3]>,
    /// Vertical field of view; one of the two.
    fov_deg: Option<f64>,
    /// Height of an orthographic picture in world units.
    height: Option<f64>,
}

impl CameraOptions {
    fn read(camera: Value) -> Result<Self, Value> {
        let mut fields =
            Fields::read("camera", camera, &["eye", "target", "up", "fovDeg", "height"])?;
        let vector = "a list of three numbers";
        Ok(Self {
            eye: fields.take("eye", vector)?,
            target: fields.take("target", vector)?,
            up: fields.take("up", vector)?,
            fov_deg: fields.take("fovDeg", "a number of degrees")?,
            height: fields.take("height", "a number")?,
        })
    }
}

/// An option that holds others.
struct Fields(Map<String, Value>);

impl Fields {
    fn read(name: &str, value: Value, known: &[&str]) -> Result<Self, Value> {
        let fields: Map<String, Value> = read(name, value, "an object")?;
        match fields.keys().find(|name| !known.contains(&name.as_str())) {
            Some(name) => Err(unknown(name, known.iter().copied())),
            None => Ok(Self(fields)),
        }
    }

    fn take<T: DeserializeOwned>(&mut self, name: &str, expected: &str) -> Result<T, Value> {
        read(name, self.0.remove(name).unwrap_or_default(), expected)
    }
}

/// What another view of a scene changes.
#[derive(Debug, Default)]
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
    pub(crate) fn read(view: Value) -> Result<Self, Value> {
        let known = ["camera", "size", "samples", "aov", "momentMs"];
        let mut fields = Fields::read("view", view, &known)?;
        let camera: Option<Value> = fields.take("camera", "an object")?;
        Ok(Self {
            camera: camera.map(CameraOptions::read).transpose()?,
            size: fields.take("size", "a whole number of pixels, or width and height")?,
            samples: fields.take("samples", "1, 2, 4, 8 or 16")?,
            aov: fields.take("aov", "the name of a view")?,
            moment_ms: fields.take("momentMs", "a number")?,
        })
    }

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
