//! Tables of a scene: models, materials, cameras, lights and instances.

use crate::color::Color;
use crate::document::{Fields, Value, conversions};
use crate::words::{FileAxis, RootMotion, wrap_word};
use crate::{Motion, Ramp, VectorKeys};
use tintype_model::{ClipRange, Wrap};

/// A number as written: an integer, or with a fraction.
#[derive(Clone, Debug, PartialEq)]
pub struct Number(Value);

/// A clip of a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Clip {
    /// No clip: the bind pose.
    Bind,
    /// Clip of that name.
    Name(String),
    /// Clip at this index of the model's clips, from 0.
    Index(u32),
}

/// Builders of tables, each with its functions: `new` with the initial keys, `set` for a key, or
/// `push` for an element of a key's array.
macro_rules! builders {
    ($(
        $(#[$about:meta])*
        $builder:ident {
            $($(#[$doc:meta])* $how:ident $name:ident $([$($generic:tt)+])? ($($of:ident: $type:ty),*) = $($key:literal: $value:expr),+;)*
        }
    )*) => {$(
        $(#[$about])*
        #[derive(Clone, Debug, PartialEq)]
        pub struct $builder(pub(super) Fields);

        impl $builder {
            #[cfg(test)]
            pub(super) const KEYS: &'static [&'static str] = &[$($($key),+),*];

            $(builders! { $how $(#[$doc])* $name [$($($generic)+)?] ($($of: $type),*) = $($key: $value),+ })*
        }
    )*};
    (new $(#[$doc:meta])* $name:ident [] ($($of:ident: $type:ty),*) = $($key:literal: $value:expr),+) => {
        $(#[$doc])*
        #[must_use]
        pub fn $name($($of: $type),*) -> Self {
            let mut fields = Fields::default();
            $(fields.set($key, $value);)+
            Self(fields)
        }
    };
    ($how:ident $(#[$doc:meta])* $name:ident [$($generic:tt)*] ($($of:ident: $type:ty),*) = $key:literal: $value:expr) => {
        $(#[$doc])*
        #[must_use]
        pub fn $name<$($generic)*>(mut self, $($of: $type),*) -> Self {
            self.0.$how($key, $value);
            self
        }
    };
}

builders! {
    /// A `[[model]]` table.
    #[derive(Default)]
    ModelBuilder {
        /// A model file, relative to the scene.
        new new(file: impl Into<String>) = "file": file.into();
        /// Name in the scene; by default the name of the file without its extension.
        set name(name: impl Into<String>) = "name": name.into();
        /// Ticks per second, overriding those of a `.x` file.
        set ticks_per_second(ticks: impl Into<Number>) = "ticks_per_second": ticks.into();
        /// File of the colours of skins of Quake's models, relative to the scene.
        set palette(file: impl Into<String>) = "palette": file.into();
        /// Computed normals: `weld`, or `keep` for separate normals at vertices that the file
        /// splits.
        set splits(word: &str) = "splits": word;
        /// Scene of a glTF file with several, by name.
        set scene(name: impl Into<String>) = "scene": name.into();
        /// Scene of a glTF file with several, by its index from 0.
        set scene_index(index: u32) = "scene": index;
        /// Axis of the file that points up.
        set up(axis: FileAxis) = "up": axis.word();
        /// Axis of the file along which the character faces.
        set front(axis: FileAxis) = "front": axis.word();
        /// Axis that points up, as a word checked with the scene.
        set up_word(axis: &str) = "up": axis;
        /// Axis along which the character faces, as a word checked with the scene.
        set front_word(axis: &str) = "front": axis;
        /// Adds a clip of another file, named like the file without its extension.
        push clip(file: impl Into<String>) = "clips": Value::table([("file", file.into().into())]);
        /// Adds a clip of another file with a name.
        push named_clip(file: impl Into<String>, name: impl Into<String>) = "clips":
            Value::table([("file", file.into().into()), ("name", name.into().into())]);
        /// Adds the animation set at an index of another file, with a name.
        push clip_set(file: impl Into<String>, name: impl Into<String>, set: u32) = "clips":
            Value::table([("file", file.into().into()), ("name", name.into().into()), ("set", set.into())]);
    }
    /// A `[[material]]` table.
    #[derive(Default)]
    MaterialBuilder {
        /// An override of the material of this shader name.
        new new(name: impl Into<String>) = "name": name.into();
        /// Path of the diffuse texture.
        set diffuse(path: &str) = "diffuse": path;
        /// Path of the normal map.
        set normal(path: &str) = "normal": path;
        /// Path of the specular texture.
        set specular(path: &str) = "specular": path;
        /// Path of the emissive texture.
        set glow(path: &str) = "glow": path;
        /// Factor of the diffuse texture.
        set color(color: Color) = "color": color;
        /// Factor of alpha, 0 to 1.
        set opacity(opacity: f64) = "opacity": opacity;
        /// Factor of the specular texture.
        set specular_strength(strength: f64) = "specular_strength": strength;
        /// Blinn-Phong exponent.
        set shininess(exponent: f64) = "shininess": exponent;
        /// Emitted light.
        set emissive(color: Color) = "emissive": color;
    }
    /// The `[camera]` table.
    #[derive(Default)]
    CameraBuilder {
        /// Orbits the models at a distance that fits all of them into every frame.
        new orbit() = "kind": "orbit", "target": "fit";
        /// Orbits a point at a distance.
        new orbit_point(target: [f64; 3], distance: f64) = "kind": "orbit", "target": target, "distance": distance;
        /// Looks from a position at the centre of the models.
        new look_from(eye: [f64; 3]) = "kind": "look-at", "eye": eye;
        /// Looks from a position at a point.
        new look_at(eye: [f64; 3], target: [f64; 3]) = "kind": "look-at", "eye": eye, "target": target;
        /// Camera matrices: `[[fx, skew, cx], [0, fy, cy], [0, 0, 1]]` in pixels of a picture of
        /// that size, and three rows `[r, r, r, t]` from world space to camera space, with the axes
        /// of OpenCV unless [`CameraBuilder::convention`] sets others.
        new matrix(k: [[f64; 3]; 3], rt: [[f64; 4]; 3], size: [u32; 2]) = "kind": "matrix", "k": k, "rt": rt, "k_size": size;
        /// Axes of the camera space of matrices: `opencv` or `opengl`.
        set convention(word: &str) = "convention": word;
        /// Free fraction of the picture on each side of a fitted model, 0 to 0.45.
        set margin(share: f64) = "margin": share;
        /// Angle about the vertical: 0 is before the front of the first model, positive is
        /// counter-clockwise from above.
        set azimuth_deg(angle: f64) = "azimuth_deg": angle;
        /// Angle above the horizon.
        set elevation_deg(angle: f64) = "elevation_deg": angle;
        /// Vertical field of view.
        set fov_deg(angle: f64) = "fov_deg": angle;
        /// A usual direction without perspective: `dimetric`, `isometric`, `front`, `back`, `side`
        /// or `top`.
        set view(word: &str) = "view": word;
        /// `perspective` or `orthographic`.
        set projection(word: &str) = "projection": word;
        /// Height of an orthographic picture in world units.
        set height(units: f64) = "height": units;
        /// Azimuth over time.
        set azimuth(angle: Ramp) = "azimuth_deg": angle;
        /// Distance of the near plane.
        set near(distance: f64) = "near": distance;
        /// Distance of the far plane.
        set far(distance: f64) = "far": distance;
        /// Direction that points up in the picture.
        set up(direction: [f64; 3]) = "up": direction;
        /// Azimuth of the first frame, and the azimuth of a frame after the last.
        set azimuth_range_deg(from: f64, to: f64) = "azimuth_deg": Ramp::Range { from, to };
    }
    /// The `[environment]` table: light from all directions.
    EnvironmentBuilder {
        /// The built-in studio.
        new studio() = "kind": "studio";
        /// White from everywhere.
        new neutral() = "kind": "neutral";
        /// A panorama in a Radiance file (`.hdr`), relative to the scene.
        new file(path: &str) = "file": path;
        /// Turn about +Y, counter-clockwise from above.
        set rotation_deg(angle: f64) = "rotation_deg": angle;
        /// Factor of its light.
        set intensity(factor: f64) = "intensity": factor;
        /// Shows it behind the models, blurred.
        set show(is_shown: bool) = "show": is_shown;
    }
    /// A `[[light]]` table.
    #[derive(Default)]
    LightBuilder {
        /// The default lights. They are the only light of a scene.
        new studio() = "kind": "studio";
        /// Parallel light along a direction.
        new directional(direction: [f64; 3]) = "kind": "directional", "direction": direction;
        /// Light of a point.
        new point(position: [f64; 3]) = "kind": "point", "position": position;
        /// Light of a point in a cone around a direction.
        new spot(position: [f64; 3], direction: [f64; 3]) = "kind": "spot", "position": position, "direction": direction;
        /// Light from above and below.
        new hemisphere(sky: Color, ground: Color) = "kind": "hemisphere", "sky": sky, "ground": ground;
        /// Lights in the file of a model.
        new model() = "kind": "model";
        /// Instance whose file contains the lights; the first one by default.
        set instance(name: impl Into<String>) = "instance": name.into();
        /// Light of the file by name; all by default.
        set light(name: impl Into<String>) = "light": name.into();
        /// Colour.
        set color(color: Color) = "color": color;
        /// Factor of the colour.
        set intensity(factor: f64) = "intensity": factor;
        /// Illuminance of a directional light in lux, instead of the intensity.
        set lux(lux: f64) = "lux": lux;
        /// Strength of a point or spot light in candela, instead of intensity and reach.
        set candela(candela: f64) = "candela": candela;
        /// Distance at which a point or spot light has the strength of its colour.
        set reach(distance: f64) = "reach": distance;
        /// Distance at which a point or spot light has faded out.
        set range(distance: f64) = "range": distance;
        /// Angle from the axis up to which a spot light has its full strength.
        set inner_deg(angle: impl Into<Number>) = "inner_deg": angle.into();
        /// Angle from the axis where the cone of a spot light ends.
        set outer_deg(angle: impl Into<Number>) = "outer_deg": angle.into();
        /// Sets whether a directional light casts shadows. Among the default lights this affects
        /// the key light, in a file each directional light.
        set shadow(casts: bool) = "shadow": casts;
        /// Texels per side of the shadow map.
        set shadow_size(texels: u32) = "shadow_size": texels;
        /// Angle that the light covers in the sky.
        set shadow_softness_deg(angle: impl Into<Number>) = "shadow_softness_deg": angle.into();
    }
    /// An `[[instance]]` table.
    #[derive(Default)]
    InstanceBuilder {
        /// An instance of the model of that name.
        new new(model: impl Into<String>) = "model": model.into();
        /// The played clip; by default the first of the model.
        set clip(clip: Clip) = "clip": clip;
        /// Time of the clip at time 0 of the scene.
        set start_s(seconds: f64) = "start_s": seconds;
        /// Seconds of the clip per second of the scene; negative runs backwards.
        set speed(factor: f64) = "speed": factor;
        /// Behaviour beyond the ends of the clip.
        set wrap(wrap: Wrap) = "wrap": wrap_word(wrap);
        /// Motion of the joint that carries the model.
        set root(root: RootMotion) = "root": root.word();
        /// The joint that carries the model, if its motion is held.
        set root_joint(name: &str) = "root_joint": name;
        /// Its name, which others are attached to it by.
        set name(name: impl Into<String>) = "name": name.into();
        /// World position of the model's origin, or its position in the space of a joint.
        set position(position: [f64; 3]) = "position": position;
        /// Position over time.
        set position_motion(motion: &Motion) = "position": motion;
        /// A quaternion x, y, z, w.
        set rotation(turn: [f64; 4]) = "rotation": turn;
        /// Angles about x, y and z over time.
        set rotation_motion(motion: &Motion) = "rotation_deg": motion;
        /// Factors along the axes over time; below 0 mirrors.
        set scale_motion(motion: &Motion) = "scale": motion;
        /// Sets whether it is drawn.
        set visible(is_visible: bool) = "visible": is_visible;
        /// Angles about x, y and z.
        set rotation_deg(angles: [Ramp; 3]) = "rotation_deg": angles;
        /// Factor of the size, above 0.
        set scale(factor: f64) = "scale": factor;
        /// Sets whether it casts shadows.
        set shadow(casts: bool) = "shadow": casts;
        /// Attaches it to a joint of the instance of this name.
        set attach(to: &str, joint: &str) = "attach": Value::table([("to", to.into()), ("joint", joint.into())]);
        /// Meshes that are not drawn; `*` matches any letters.
        set hide[S: Into<String>](names: impl IntoIterator<Item = S>) = "hide": Value::array(names.into_iter().map(Into::into));
        /// The only meshes that are drawn; `*` matches any letters.
        set show[S: Into<String>](names: impl IntoIterator<Item = S>) = "show": Value::array(names.into_iter().map(Into::into));
        /// Rotates a joint after the clips, about its x, y and z axes in degrees; its children
        /// follow.
        push turn_joint(joint: &str, angles: [f64; 3]) = "joints":
            Value::table([("name", joint.into()), ("rotation_deg", angles.into())]);
    }
}

impl ModelBuilder {
    /// Adds a clip of the model file, or one that was added before, under another name; with a
    /// range, only that part.
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

impl InstanceBuilder {
    /// Assigns a material to a shader name.
    #[must_use]
    pub fn material(mut self, shader: &str, material: &str) -> Self {
        self.0.table("materials").set(shader, material);
        self
    }

    /// Adds a layer of one clip over the pose, with a weight from 0 to 1; if a joint is given, only
    /// for that joint and its descendants.
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

conversions! { Number:
    f64: |number| Self(number.into());
    u32: |number| Self(number.into());
}

conversions! { Value:
    Number: |number| number.0;
    Ramp: |ramp| match ramp {
        Ramp::Constant(value) => value.into(),
        Ramp::Range { from, to } => Self::table([("from", from.into()), ("to", to.into())]),
        Ramp::Steps { from, to, steps } => {
            Self::table([("from", from.into()), ("to", to.into()), ("steps", steps.into())])
        }
    };
    Clip: |clip| match clip {
        Clip::Bind => "bind".into(),
        Clip::Name(name) => name.into(),
        Clip::Index(index) => index.into(),
    };
    &Motion: |motion| match motion {
        Motion::Ramps(ramps) => Self::array(*ramps),
        Motion::Keys(VectorKeys { keys, smooth, .. }) => {
            let key = |&(at_s, value): &(f64, [f64; 3])| {
                Self::table([("at_s", at_s.into()), ("value", value.into())])
            };
            let word = if *smooth { "smooth" } else { "linear" };
            Self::table([("keys", Self::array(keys.iter().map(key))), ("interpolation", word.into())])
        }
    };
}
