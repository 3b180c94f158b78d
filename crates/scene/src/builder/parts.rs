//! Tables of a scene: models, materials, cameras, lights and instances.

use crate::color::Color;
use crate::document::{Fields, Value};
use crate::words::{FileAxis, RootMotion, wrap_word};
use crate::{Motion, Ramp, VectorKeys};
use tintype_model::{ClipRange, Wrap};

/// A number as it is written: whole, or with a fraction.
#[derive(Clone, Debug, PartialEq)]
pub struct Number(Value);

/// A clip of a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Clip {
    /// No clip: the bind pose.
    Bind,
    /// Clip of that name.
    Name(String),
    /// Clip at that index of the model's clips, from 0.
    Index(u32),
}

/// A `[[model]]` table.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ModelBuilder(pub(super) Fields);

/// A `[[material]]` table.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MaterialBuilder(pub(super) Fields);

/// The `[camera]` table.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CameraBuilder(pub(super) Fields);

/// A `[[light]]` table.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LightBuilder(pub(super) Fields);

/// An `[[instance]]` table.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct InstanceBuilder(pub(super) Fields);

/// Methods that set one key each.
macro_rules! setters {
    ($($(#[$doc:meta])* $name:ident($value:ident: $type:ty) = $key:literal: $to:expr;)*) => {$(
        $(#[$doc])*
        #[must_use]
        pub fn $name(mut self, $value: $type) -> Self {
            self.0.set($key, $to);
            self
        }
    )*};
}

fn vector(vector: [f64; 3]) -> Value {
    Value::array(vector)
}

fn range(from: f64, to: f64) -> Value {
    Value::table([("from", from.into()), ("to", to.into())])
}

impl ModelBuilder {
    /// A model file, relative to the scene.
    #[must_use]
    pub fn new(file: impl Into<String>) -> Self {
        Self::default().file(file)
    }

    fn file(mut self, file: impl Into<String>) -> Self {
        self.0.set("file", file.into());
        self
    }

    setters! {
        /// Name in the scene; by default the name of the file without its extension.
        name(name: impl Into<String>) = "name": name.into();
        /// Ticks per second, in place of those of a `.x` file.
        ticks_per_second(ticks: impl Into<Number>) = "ticks_per_second": ticks.into();
        /// Normals that a file does not give: `weld`, or `keep` for those of vertices that it has apart.
        splits(word: &str) = "splits": word;
        /// Scene of a glTF file with several, by name.
        scene(name: impl Into<String>) = "scene": name.into();
        /// Scene of a glTF file with several, by its index from 0.
        scene_index(index: u32) = "scene": Number::from(index);
        /// Axis of the file that points up.
        up(axis: FileAxis) = "up": axis.word();
        /// Axis of the file that the character faces along.
        front(axis: FileAxis) = "front": axis.word();
        /// Axis that points up, as a word that is checked with the scene.
        up_word(axis: &str) = "up": axis;
        /// Axis that the character faces along, as a word that is checked with the scene.
        front_word(axis: &str) = "front": axis;
    }

    /// Adds a clip of another file, named as the file without its extension.
    #[must_use]
    pub fn clip(mut self, file: impl Into<String>) -> Self {
        self.0.push("clips", Value::table([("file", file.into().into())]));
        self
    }

    /// Adds a clip of another file with a name.
    #[must_use]
    pub fn named_clip(mut self, file: impl Into<String>, name: impl Into<String>) -> Self {
        let fields = [("file", file.into().into()), ("name", name.into().into())];
        self.0.push("clips", Value::table(fields));
        self
    }

    /// Adds the animation set at an index of another file, with a name.
    #[must_use]
    pub fn clip_set(mut self, file: impl Into<String>, name: impl Into<String>, set: u32) -> Self {
        let fields =
            [("file", file.into().into()), ("name", name.into().into()), ("set", set.into())];
        self.0.push("clips", Value::table(fields));
        self
    }
}

impl ModelBuilder {
    /// Adds a clip of the model's own file, or one that was added before, under another name; of a range only that part.
    #[must_use]
    pub fn clip_part(
        mut self,
        name: impl Into<String>,
        of: Clip,
        range: Option<ClipRange>,
    ) -> Self {
        let (name, of) = (("name", name.into().into()), ("of", of.into()));
        let table = match range {
            Some(range) => Value::table([name, of, (range.unit.name(), range.plain().into())]),
            None => Value::table([name, of]),
        };
        self.0.push("clips", table);
        self
    }
}

impl MaterialBuilder {
    /// An override of the material of that shader name.
    #[must_use]
    pub fn new(name: impl Into<String>) -> Self {
        let mut fields = Fields::default();
        fields.set("name", name.into());
        Self(fields)
    }

    setters! {
        /// Path of the diffuse texture.
        diffuse(path: &str) = "diffuse": path;
        /// Path of the normal map.
        normal(path: &str) = "normal": path;
        /// Path of the specular texture.
        specular(path: &str) = "specular": path;
        /// Path of the emissive texture.
        glow(path: &str) = "glow": path;
        /// Factor of the diffuse texture.
        color(color: Color) = "color": color;
        /// Factor of alpha, 0 to 1.
        opacity(opacity: f64) = "opacity": opacity;
        /// Factor of the specular texture.
        specular_strength(strength: f64) = "specular_strength": strength;
        /// Blinn-Phong exponent.
        shininess(exponent: f64) = "shininess": exponent;
        /// Emitted light.
        emissive(color: Color) = "emissive": color;
    }
}

impl CameraBuilder {
    /// Kinds of cameras are words of the scene.
    fn of_kind(kind: &str) -> Self {
        let mut fields = Fields::default();
        fields.set("kind", kind);
        Self(fields)
    }

    /// Orbits the models at a distance from which all of them fit into every frame.
    #[must_use]
    pub fn orbit() -> Self {
        let mut camera = Self::of_kind("orbit");
        camera.0.set("target", "fit");
        camera
    }

    /// Orbits a point at a distance.
    #[must_use]
    pub fn orbit_point(target: [f64; 3], distance: f64) -> Self {
        let mut camera = Self::of_kind("orbit");
        camera.0.set("target", vector(target));
        camera.0.set("distance", distance);
        camera
    }

    /// Looks from a position at the middle of the models.
    #[must_use]
    pub fn look_from(eye: [f64; 3]) -> Self {
        let mut camera = Self::of_kind("look-at");
        camera.0.set("eye", vector(eye));
        camera
    }

    /// Looks from a position at a point.
    #[must_use]
    pub fn look_at(eye: [f64; 3], target: [f64; 3]) -> Self {
        let mut camera = Self::look_from(eye);
        camera.0.set("target", vector(target));
        camera
    }

    setters! {
        /// Free share of the picture on each side of a fitted model, 0 to 0.45.
        margin(share: f64) = "margin": share;
        /// Angle about the vertical: 0 is before the front of the first model, positive is counter-clockwise from above.
        azimuth_deg(angle: f64) = "azimuth_deg": angle;
        /// Angle above the horizon.
        elevation_deg(angle: f64) = "elevation_deg": angle;
        /// Vertical field of view.
        fov_deg(angle: f64) = "fov_deg": angle;
        /// A usual direction without perspective: `dimetric`, `isometric`, `front`, `back`, `side` or `top`.
        view(word: &str) = "view": word;
        /// `perspective` or `orthographic`.
        projection(word: &str) = "projection": word;
        /// Height of an orthographic picture in world units.
        height(units: f64) = "height": units;
        /// Azimuth over time.
        azimuth(angle: Ramp) = "azimuth_deg": angle;
        /// Distance of the near plane.
        near(distance: f64) = "near": distance;
        /// Distance of the far plane.
        far(distance: f64) = "far": distance;
        /// Direction that points up in the picture.
        up(direction: [f64; 3]) = "up": vector(direction);
    }

    /// Azimuth of the first frame, and the azimuth that the frame after the last would have.
    #[must_use]
    pub fn azimuth_range_deg(mut self, from: f64, to: f64) -> Self {
        self.0.set("azimuth_deg", range(from, to));
        self
    }
}

impl LightBuilder {
    fn of_kind(kind: &str) -> Self {
        let mut fields = Fields::default();
        fields.set("kind", kind);
        Self(fields)
    }

    /// The default lights. They are the only light of a scene.
    #[must_use]
    pub fn studio() -> Self {
        Self::of_kind("studio")
    }

    /// Parallel light along a direction.
    #[must_use]
    pub fn directional(direction: [f64; 3]) -> Self {
        let mut light = Self::of_kind("directional");
        light.0.set("direction", vector(direction));
        light
    }

    /// Light of a point.
    #[must_use]
    pub fn point(position: [f64; 3]) -> Self {
        let mut light = Self::of_kind("point");
        light.0.set("position", vector(position));
        light
    }

    /// Light of a point in a cone around a direction.
    #[must_use]
    pub fn spot(position: [f64; 3], direction: [f64; 3]) -> Self {
        let mut light = Self::of_kind("spot");
        light.0.set("position", vector(position));
        light.0.set("direction", vector(direction));
        light
    }

    /// Light from above and below.
    #[must_use]
    pub fn hemisphere(sky: Color, ground: Color) -> Self {
        let mut light = Self::of_kind("hemisphere");
        light.0.set("sky", sky);
        light.0.set("ground", ground);
        light
    }

    /// Lights in the file of a model.
    #[must_use]
    pub fn model() -> Self {
        Self::of_kind("model")
    }

    setters! {
        /// Instance in whose file the lights are; the first one by default.
        instance(name: impl Into<String>) = "instance": name.into();
        /// Light of the file by name; all by default.
        light(name: impl Into<String>) = "light": name.into();
        /// Colour.
        color(color: Color) = "color": color;
        /// Factor of the colour.
        intensity(factor: f64) = "intensity": factor;
        /// Illuminance of a directional light in lux, in place of the intensity.
        lux(lux: f64) = "lux": lux;
        /// Strength of a point or spot light in candela, in place of intensity and reach.
        candela(candela: f64) = "candela": candela;
        /// Distance at which the strength of a point or spot light is that of its colour.
        reach(distance: f64) = "reach": distance;
        /// Distance at which the strength of a point or spot light has fallen to nothing.
        range(distance: f64) = "range": distance;
        /// Angle from the axis up to which a spot light has its whole strength.
        inner_deg(angle: impl Into<Number>) = "inner_deg": angle.into();
        /// Angle from the axis at which the cone of a spot light ends.
        outer_deg(angle: impl Into<Number>) = "outer_deg": angle.into();
        /// Whether a directional light casts shadows; of the default lights it is the key light, of those in a file each directional one.
        shadow(casts: bool) = "shadow": casts;
        /// Texels per side of the shadow map.
        shadow_size(texels: u32) = "shadow_size": texels;
        /// Angle that the light covers in the sky.
        shadow_softness_deg(angle: impl Into<Number>) = "shadow_softness_deg": angle.into();
    }
}

impl InstanceBuilder {
    /// An instance of the model of that name.
    #[must_use]
    pub fn new(model: impl Into<String>) -> Self {
        let mut fields = Fields::default();
        fields.set("model", model.into());
        Self(fields)
    }

    setters! {
        /// The clip that plays; by default the first of the model.
        clip(clip: Clip) = "clip": clip;
        /// Time of the clip at time 0 of the scene.
        start_s(seconds: f64) = "start_s": seconds;
        /// Seconds of the clip per second of the scene; negative runs backwards.
        speed(factor: f64) = "speed": factor;
        /// Behaviour beyond the ends of the clip.
        wrap(wrap: Wrap) = "wrap": wrap_word(wrap);
        /// Motion of the joint that carries the model.
        root(root: RootMotion) = "root": root.word();
        /// The joint that carries the model, where its motion is held.
        root_joint(name: &str) = "root_joint": name;
        /// Its name, by which others are attached to it.
        name(name: impl Into<String>) = "name": name.into();
        /// World position of the model's origin, or its position in the space of a joint.
        position(position: [f64; 3]) = "position": vector(position);
        /// Position over time.
        position_motion(motion: &Motion) = "position": motion_value(motion);
        /// A quaternion x, y, z, w.
        rotation(turn: [f64; 4]) = "rotation": Value::array(turn);
        /// Angles about x, y and z over time.
        rotation_motion(motion: &Motion) = "rotation_deg": motion_value(motion);
        /// Factors along the axes over time; below 0 mirrors.
        scale_motion(motion: &Motion) = "scale": motion_value(motion);
        /// Whether it is drawn.
        visible(is_visible: bool) = "visible": is_visible;
        /// Angles about x, y and z.
        rotation_deg(angles: [Ramp; 3]) = "rotation_deg": Value::array(angles);
        /// Factor of the size, above 0.
        scale(factor: f64) = "scale": factor;
        /// Whether it casts shadows.
        shadow(casts: bool) = "shadow": casts;
    }
}

impl InstanceBuilder {
    /// Hangs it on a joint of the instance of that name.
    #[must_use]
    pub fn attach(mut self, to: &str, joint: &str) -> Self {
        self.0.set("attach", Value::table([("to", to.into()), ("joint", joint.into())]));
        self
    }

    /// Meshes that are not drawn; `*` stands for any letters.
    #[must_use]
    pub fn hide<S: Into<String>>(mut self, names: impl IntoIterator<Item = S>) -> Self {
        self.0.set("hide", Value::array(names.into_iter().map(Into::into)));
        self
    }

    /// The only meshes that are drawn; `*` stands for any letters.
    #[must_use]
    pub fn show<S: Into<String>>(mut self, names: impl IntoIterator<Item = S>) -> Self {
        self.0.set("show", Value::array(names.into_iter().map(Into::into)));
        self
    }

    /// A material in place of that of a shader name.
    #[must_use]
    pub fn material(mut self, shader: &str, material: &str) -> Self {
        self.0.table("materials").set(shader, material);
        self
    }

    /// Turns a joint after the clips, about its own x, y and z in degrees; its children follow.
    #[must_use]
    pub fn turn_joint(mut self, joint: &str, angles: [f64; 3]) -> Self {
        let fields = [("name", joint.into()), ("rotation_deg", vector(angles))];
        self.0.push("joints", Value::table(fields));
        self
    }

    /// Adds a layer of one clip over the pose, of a weight from 0 to 1; with a joint on that joint and its descendants alone.
    #[must_use]
    pub fn layer(mut self, clip: Clip, weight: f64, joint: Option<&str>) -> Self {
        let (clip, weight) = (("clip", clip.into()), ("weight", weight.into()));
        let table = match joint {
            Some(joint) => Value::table([clip, weight, ("joint", joint.into())]),
            None => Value::table([clip, weight]),
        };
        self.0.push("layers", table);
        self
    }
}

/// A motion as a scene text has it.
fn motion_value(motion: &Motion) -> Value {
    match motion {
        Motion::Ramps(ramps) => Value::array(*ramps),
        Motion::Keys(VectorKeys { keys, smooth, .. }) => {
            let key = |&(at_s, value): &(f64, [f64; 3])| {
                Value::table([("at_s", at_s.into()), ("value", vector(value))])
            };
            let word = if *smooth { "smooth" } else { "linear" };
            let keys = Value::array(keys.iter().map(key));
            Value::table([("keys", keys), ("interpolation", word.into())])
        }
    }
}

impl From<f64> for Number {
    fn from(number: f64) -> Self {
        Self(number.into())
    }
}

impl From<u32> for Number {
    fn from(number: u32) -> Self {
        Self(number.into())
    }
}

impl From<Number> for Value {
    fn from(number: Number) -> Self {
        number.0
    }
}

impl From<Ramp> for Value {
    fn from(ramp: Ramp) -> Self {
        match ramp {
            Ramp::Constant(value) => value.into(),
            Ramp::Range { from, to } => range(from, to),
            Ramp::Steps { from, to, steps } => {
                let fields = [("from", from.into()), ("to", to.into()), ("steps", steps.into())];
                Self::table(fields)
            }
        }
    }
}

impl From<Clip> for Value {
    fn from(clip: Clip) -> Self {
        match clip {
            Clip::Bind => "bind".into(),
            Clip::Name(name) => name.into(),
            Clip::Index(index) => index.into(),
        }
    }
}
