//! Options of pictures, with the names of the command line in the spelling of JavaScript.

use serde::Deserialize;
use tintype::builder::{CameraBuilder, Look, ROOT_WORDS, Shade, WRAP_WORDS};
use tintype::{Model, Thumbnail, Turntable, View, nearest_word};

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct ThumbnailOptions {
    size: Option<u32>,
    samples: Option<u32>,
    clip: Option<String>,
    background: Option<String>,
    look: Option<String>,
    up: Option<String>,
    front: Option<String>,
}

impl ThumbnailOptions {
    pub(crate) fn thumbnail(self) -> Result<Thumbnail, String> {
        let Self { size, samples, clip, background, look, up, front } = self;
        let mut thumbnail = Thumbnail::new(size.unwrap_or(256));
        thumbnail = samples.into_iter().fold(thumbnail, Thumbnail::samples);
        thumbnail = clip.into_iter().fold(thumbnail, Thumbnail::clip);
        if let Some(text) = background {
            thumbnail = thumbnail.background(text.parse().map_err(named("background"))?);
        }
        if let Some(word) = look {
            thumbnail = thumbnail.look(chosen("look", &word, &Look::WORDS)?);
        }
        thumbnail = up.into_iter().fold(thumbnail, Thumbnail::up);
        Ok(front.into_iter().fold(thumbnail, Thumbnail::front))
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

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct TurntableOptions {
    clip: Option<String>,
    wrap: Option<String>,
    root: Option<String>,
    start_s: Option<f64>,
    frames: Option<usize>,
    fps: Option<f64>,
    size: Option<Size>,
    samples: Option<u32>,
    anisotropy: Option<u32>,
    shade: Option<String>,
    look: Option<String>,
    background: Option<String>,
    label: Option<String>,
    ground: Option<bool>,
    shadow: Option<bool>,
    azimuth_deg: Option<f64>,
    turn_deg: Option<f64>,
    elevation_deg: Option<f64>,
    fov_deg: Option<f64>,
    view: Option<String>,
    projection: Option<String>,
    up: Option<String>,
    front: Option<String>,
}

impl TurntableOptions {
    pub(crate) fn turntable(self, model: &Model) -> Result<Turntable, String> {
        let mut made = Turntable::new(model);
        // Sets what is given.
        macro_rules! set {
            ($($name:ident)*) => {
                $(made = self.$name.into_iter().fold(made, Turntable::$name);)*
            };
        }
        if let Some(word) = &self.wrap {
            made = made.wrap(chosen("wrap", word, &WRAP_WORDS)?);
        }
        if let Some(word) = &self.root {
            made = made.root(chosen("root", word, &ROOT_WORDS)?);
        }
        if let Some(word) = &self.shade {
            made = made.shade(chosen("shade", word, &Shade::WORDS)?);
        }
        if let Some(word) = &self.look {
            made = made.look(chosen("look", word, &Look::WORDS)?);
        }
        if let Some(text) = &self.background {
            made = made.background(text.parse().map_err(named("background"))?);
        }
        if let Some(size) = self.size {
            made = made.size(size.sides());
        }
        set!(clip start_s frames fps samples anisotropy label ground shadow azimuth_deg turn_deg elevation_deg fov_deg view projection up front);
        Ok(made)
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

fn named(option: &str) -> impl Fn(String) -> String {
    move |message| format!("{option}: {message}")
}

/// One of a few words.
fn chosen<T: Copy>(option: &str, found: &str, words: &[(&str, T)]) -> Result<T, String> {
    let known = || words.iter().map(|(word, _)| *word);
    words.iter().find(|(word, _)| *word == found).map(|(_, value)| *value).ok_or_else(|| {
        let near = nearest_word(found, known())
            .map_or_else(String::new, |near| format!("; did you mean {near:?}?"));
        format!("{option}: {found:?}; expected {}{near}", known().collect::<Vec<_>>().join(", "))
    })
}
