//! Options of pictures: the declared settings, with their JavaScript names.

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};
use tintype::builder::CameraBuilder;
use tintype::setting::{Door, Setting, SettingValue, Settings, settings_of};
use tintype::{Model, Thumbnail, Turntable, View, nearest_word};

/// A JavaScript error about a mistake without a position in a file.
pub(crate) fn plain(kind: &str, message: &str) -> Value {
    json!({ "kind": kind, "message": message, "diagnostics": [] })
}

/// The value of an option; `expected` describes it for the error message.
///
/// # Errors
/// A mistake with the option, the found and the expected value.
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

    /// The turntable of a contact sheet, and the names of its clips.
    pub(crate) fn contact_sheet(
        mut self,
        model: &Model,
    ) -> Result<(Turntable, Vec<String>), Value> {
        let clips = self.0.remove("clips").unwrap_or_default();
        let clips: Option<Vec<String>> = read("clips", clips, "a list of names of clips")?;
        let is_set = |name: &&str| self.0.get(*name).is_some_and(|value| !value.is_null());
        match ["clip", "fps"].into_iter().find(is_set) {
            Some(name) => Err(unknown(name, ["clips", "frames"])),
            None => Ok((self.turntable(model)?, clips.unwrap_or_default())),
        }
    }

    /// The value of the only option that is not a setting, and the settings.
    fn read(self, own: &str, door: Door) -> Result<(Option<Value>, Settings), Value> {
        // Views are requested with each frame.
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

/// The refusal of an unknown option, with the nearest known one.
fn unknown<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Value {
    let near = nearest_word(name, known)
        .map_or_else(String::new, |near| format!("; did you mean {near:?}?"));
    plain("option", &format!("unknown option {name:?}{near}"))
}

/// A fixed camera, in world space.
fn read_camera(camera: Value) -> Result<CameraBuilder, Value> {
    let known =
        ["eye", "target", "up", "fovDeg", "height", "k", "rt", "size", "convention", "near", "far"];
    let mut fields = Fields::read("camera", camera, &known)?;
    let vector = "a list of three numbers";
    let (near, far): (Option<f64>, Option<f64>) =
        (fields.take("near", "a number")?, fields.take("far", "a number")?);
    let mut camera = if fields.has("k") {
        let rows = "three rows of numbers";
        let size: [u32; 2] = fields.take("size", "width and height of the picture of k")?;
        let camera = CameraBuilder::matrix(fields.take("k", rows)?, fields.take("rt", rows)?, size);
        let convention: Option<String> = fields.take("convention", "opencv or opengl")?;
        convention.iter().fold(camera, |camera, word| camera.convention(word))
    } else {
        let camera =
            CameraBuilder::look_at(fields.take("eye", vector)?, fields.take("target", vector)?);
        let up: Option<[f64; 3]> = fields.take("up", vector)?;
        let fov_deg: Option<f64> = fields.take("fovDeg", "a number of degrees")?;
        let camera = up.into_iter().fold(camera, CameraBuilder::up);
        let camera = fov_deg.into_iter().fold(camera, CameraBuilder::fov_deg);
        match fields.take("height", "a number")? {
            Some(height) => camera.projection("orthographic").height(height),
            None => camera,
        }
    };
    if let Some(name) = fields.0.keys().next() {
        let message =
            format!("camera: {name} cannot be combined; use either k and rt, or eye and target");
        return Err(plain("option", &message));
    }
    camera = near.into_iter().fold(camera, CameraBuilder::near);
    Ok(far.into_iter().fold(camera, CameraBuilder::far))
}

/// An option that contains others.
struct Fields(Map<String, Value>);

impl Fields {
    fn read(name: &str, value: Value, known: &[&str]) -> Result<Self, Value> {
        let fields: Map<String, Value> = read(name, value, "an object")?;
        match fields.keys().find(|name| !known.contains(&name.as_str())) {
            Some(name) => Err(unknown(name, known.iter().copied())),
            None => Ok(Self(fields)),
        }
    }

    fn has(&self, name: &str) -> bool {
        self.0.get(name).is_some_and(|value| !value.is_null())
    }

    fn take<T: DeserializeOwned>(&mut self, name: &str, expected: &str) -> Result<T, Value> {
        read(name, self.0.remove(name).unwrap_or_default(), expected)
    }
}

/// The only option of an inspection that concerns no files.
pub(crate) fn ticks_per_second(options: Value) -> Result<Option<f64>, Value> {
    let name = "ticksPerSecond";
    Fields::read("options", options, &[name])?.take(name, "a number")
}

/// Options of another view of a scene.
#[derive(Debug, Default)]
pub(crate) struct ViewOptions {
    camera: Option<CameraBuilder>,
    size: Option<Size>,
    samples: Option<u32>,
    /// The view drawn instead of the picture, such as `depth`.
    pub(crate) aov: Option<String>,
    /// The time in milliseconds, which replaces a frame of the scene.
    pub(crate) moment_ms: Option<i64>,
}

impl ViewOptions {
    pub(crate) fn read(view: Value) -> Result<Self, Value> {
        let known = ["camera", "size", "samples", "aov", "momentMs"];
        let mut fields = Fields::read("view", view, &known)?;
        let camera: Option<Value> = fields.take("camera", "an object")?;
        Ok(Self {
            camera: camera.map(read_camera).transpose()?,
            size: fields.take("size", "a whole number of pixels, or width and height")?,
            samples: fields.take("samples", "1, 2, 4, 8 or 16")?,
            aov: fields.take("aov", "the name of a view")?,
            moment_ms: fields.take("momentMs", "a number")?,
        })
    }

    pub(crate) fn view(&self) -> View {
        let mut view = View::new();
        view = self.camera.clone().into_iter().fold(view, View::camera);
        view = self.size.map(Size::sides).into_iter().fold(view, View::size);
        view = self.samples.into_iter().fold(view, View::samples);
        self.moment_ms.into_iter().fold(view, View::moment_ms)
    }
}
