//! A checked scene as text, for the digest that every picture carries.
//!
//! Every field that can change a pixel is written, in one fixed order, one to a line. Every structure is taken apart without
//! `..`, so that a new field cannot be forgotten here. Numbers are written so that reading them gives the same bits.

use super::Scene;
use super::camera::{
    CameraPoint, CameraRig, ClipPlanes, KeyedCamera, LookAt, Orbit, OrbitTarget, RecordedCamera,
    Target,
};
use super::instance::{ClipChoice, Fade, Instance, WantedClip};
use super::light::Lights;
use super::material::MaterialEntry;
use super::model::{ClipEntry, ModelEntry, SetChoice};
use super::output::Output;
use super::value::Ramp;
use crate::math::Vec3;
use crate::model::{AlphaMode, Background, CullMode, Light, LinearRgb, Wrap};

/// The text; its first line names its own form.
pub(super) fn text(scene: &Scene) -> String {
    let mut out = Out { text: "tintype scene 1\n".to_owned() };
    // Golden frames are chosen from the pictures; they change none.
    let Scene {
        output,
        ambient,
        camera,
        lights,
        materials,
        models,
        instances,
        wanted_clips,
        texture_search,
        golden: _,
    } = scene;
    out.output(output);
    out.line("ambient", &[rgb(*ambient)]);
    out.camera(camera);
    match lights {
        Lights::Studio => out.line("studio", &[]),
        Lights::Given(lights) => lights.iter().for_each(|light| out.light(light)),
    }
    materials.iter().for_each(|material| out.material(material));
    models.iter().for_each(|model| out.model(model));
    instances.iter().for_each(|instance| out.instance(instance));
    for wanted in wanted_clips {
        // The key is for messages only.
        let WantedClip { model, clip, key: _ } = wanted;
        out.line("wanted", &[model.to_string(), set(clip)]);
    }
    for folder in texture_search {
        out.line("search", &[quoted(folder)]);
    }
    out.text
}

struct Out {
    text: String,
}

impl Out {
    fn line(&mut self, subject: &str, words: &[String]) {
        self.text += subject;
        for word in words {
            self.text.push(' ');
            self.text += word;
        }
        self.text.push('\n');
    }

    fn output(&mut self, output: &Output) {
        let Output { size: [width, height], samples, frames, fps, file: _, background } = output;
        let [size, samples] = [format!("{width}x{height}"), samples.to_string()];
        self.line("output", &[size, samples, frames.to_string(), number(*fps)]);
        match *background {
            Background::Transparent => self.line("background", &["transparent".to_owned()]),
            Background::Gradient { top, bottom } => {
                self.line("background", &[rgb(top), rgb(bottom)]);
            }
        }
    }

    fn camera(&mut self, camera: &CameraRig) {
        match camera {
            CameraRig::Orbit(orbit) => {
                let Orbit { target, azimuth_deg, elevation_deg, fov_deg, planes } = *orbit;
                let target = match target {
                    OrbitTarget::Fit { margin } => format!("fit {}", number(margin)),
                    OrbitTarget::Point { at, distance } => {
                        format!("{} {}", vector(at), number(distance))
                    }
                };
                let angles = [ramp(azimuth_deg), ramp(elevation_deg), number(fov_deg)].join(" ");
                self.line("orbit", &[target, angles, clip_planes(planes)]);
            }
            CameraRig::LookAt(look) => {
                let LookAt { eye, target, up, fov_deg, planes } = *look;
                let target = match target {
                    Target::Fit => "fit".to_owned(),
                    Target::Point(at) => vector(at),
                };
                let words = [vector(eye), target, vector(up), number(fov_deg), clip_planes(planes)];
                self.line("look-at", &words);
            }
            CameraRig::Keys(keyed) => {
                let KeyedCamera { keys, smooth, up, planes } = keyed;
                let words = [smooth.to_string(), vector(*up), clip_planes(*planes)];
                self.line("keys", &words);
                for key in keys {
                    let CameraPoint { at_s, eye, target, fov_deg } = *key;
                    let words = [number(at_s), vector(eye), vector(target), number(fov_deg)];
                    self.line("key", &words);
                }
            }
            CameraRig::Md5(recorded) => {
                let RecordedCamera { file, start_s, speed, wrap, planes } = recorded;
                let times = [number(*start_s), number(*speed), wrap_word(*wrap)].join(" ");
                self.line("md5camera", &[quoted(file), times, clip_planes(*planes)]);
            }
        }
    }

    fn light(&mut self, light: &Light) {
        match *light {
            Light::Directional { to_light, color } => {
                self.line("directional", &[vector(to_light), rgb(color)]);
            }
            Light::Point { position, color, reach } => {
                self.line("point", &[vector(position), rgb(color), single(reach)]);
            }
            Light::Hemisphere { sky, ground } => self.line("hemisphere", &[rgb(sky), rgb(ground)]),
        }
    }

    fn material(&mut self, material: &MaterialEntry) {
        let MaterialEntry {
            name,
            diffuse,
            normal,
            specular,
            color,
            opacity,
            specular_strength,
            shininess,
            emissive,
            alpha,
            cull,
            normal_y_down,
        } = material;
        let path = |path: &Option<String>| path.as_deref().map_or("none".to_owned(), quoted);
        let alpha = match *alpha {
            AlphaMode::Opaque => "opaque".to_owned(),
            AlphaMode::Mask { cutoff } => format!("mask {}", single(cutoff)),
            AlphaMode::Blend => "blend".to_owned(),
        };
        let cull = match cull {
            CullMode::Auto => "auto",
            CullMode::Back => "back",
            CullMode::Front => "front",
            CullMode::None => "none",
        };
        let words = [
            quoted(name),
            path(diffuse),
            path(normal),
            path(specular),
            rgb(*color),
            single(*opacity),
            specular_strength.map_or("usual".to_owned(), single),
            single(*shininess),
            rgb(*emissive),
            alpha,
            cull.to_owned(),
            if *normal_y_down { "down" } else { "up" }.to_owned(),
        ];
        self.line("material", &words);
    }

    fn model(&mut self, model: &ModelEntry) {
        // Names only tie the text together; references are indices by now. But a clip is found in its file by name.
        let ModelEntry { name: _, file, clips, has_own_clips, ticks_per_second, up, front } = model;
        let axis =
            |axis: &Option<super::FileAxis>| axis.map_or("usual", super::FileAxis::word).to_owned();
        self.line("model", &[quoted(file), axis(up), axis(front)]);
        // Lines of their own, so that scenes without them keep their digest.
        if let Some(ticks) = ticks_per_second {
            self.line("ticks", &[number(*ticks)]);
        }
        if *has_own_clips {
            self.line("own clips", &[]);
        }
        for clip in clips {
            let ClipEntry { name: _, file, set: choice } = clip;
            let choice = choice.iter().map(set);
            let words: Vec<String> = std::iter::once(quoted(file)).chain(choice).collect();
            self.line("clip", &words);
        }
    }

    fn instance(&mut self, instance: &Instance) {
        let Instance { model, clip, start_s, speed, wrap, position, rotation_deg, scale, fade } =
            instance;
        let words = [
            model.to_string(),
            choice(*clip),
            number(*start_s),
            number(*speed),
            instance_wrap_word(*wrap),
            vector(*position),
            rotation_deg.map(ramp).join(" "),
            number(*scale),
        ];
        self.line("instance", &words);
        for fade in fade {
            let Fade { clip, at_s, for_s } = *fade;
            self.line("fade", &[choice(clip), number(at_s), number(for_s)]);
        }
    }
}

/// A number with as many digits as tell it from its neighbours; 0 has no sign.
fn number(value: f64) -> String {
    format!("{:?}", value + 0.0)
}

/// The same for the narrower numbers.
fn single(value: f32) -> String {
    format!("{:?}", value + 0.0)
}

fn vector(vector: Vec3) -> String {
    [vector.x, vector.y, vector.z].map(single).join(" ")
}

fn rgb(color: LinearRgb) -> String {
    let LinearRgb { r, g, b } = color;
    [r, g, b].map(single).join(" ")
}

fn ramp(ramp: Ramp) -> String {
    match ramp {
        Ramp::Constant(value) => number(value),
        Ramp::Range { from, to } => format!("{}..{}", number(from), number(to)),
    }
}

fn clip_planes(planes: ClipPlanes) -> String {
    let ClipPlanes { near, far } = planes;
    [near, far].map(|plane| plane.map_or("usual".to_owned(), number)).join(" ")
}

/// Where the scene says nothing clips repeat unless their file, which has a digest of its own, says otherwise.
fn instance_wrap_word(wrap: Option<Wrap>) -> String {
    match wrap {
        None => "loop".to_owned(),
        Some(Wrap::Loop) => "always loop".to_owned(),
        Some(wrap) => wrap_word(wrap),
    }
}

fn wrap_word(wrap: Wrap) -> String {
    match wrap {
        Wrap::Loop => "loop",
        Wrap::Clamp => "clamp",
        Wrap::PingPong => "ping-pong",
    }
    .to_owned()
}

fn choice(clip: ClipChoice) -> String {
    match clip {
        ClipChoice::Bind => "bind".to_owned(),
        ClipChoice::Clip(index) => index.to_string(),
        ClipChoice::First => "first".to_owned(),
        ClipChoice::Wanted(index) => format!("wanted {index}"),
    }
}

fn set(choice: &SetChoice) -> String {
    match choice {
        SetChoice::Name(name) => quoted(name),
        SetChoice::Index(index) => index.to_string(),
    }
}

fn quoted(text: &str) -> String {
    format!("{text:?}")
}
