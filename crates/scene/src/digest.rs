//! Writes a checked scene as text, for the digest in every picture.
//!
//! Every field that can change a pixel is written, in one fixed order, one per line. Structs are destructured without `..`, so that
//! a new field cannot be forgotten here. Numbers are written so that they read back to the same bits.

mod values;

use super::camera::{
    CameraPoint, CameraRig, KeyedCamera, LookAt, ModelCamera, Orbit, OrbitTarget, Projection,
    RecordedCamera, Target,
};
use super::checked::Scene;
use super::environment::{EnvironmentEntry, EnvironmentSource};
use super::instance::{
    Attachment, Fade, Instance, JointEdit, MaterialChoice, MorphEdit, WantedClip,
};
use super::layer::{Layer, LayerTrack};
use super::light::{Lights, ModelLight};
use super::material::MaterialEntry;
use super::model::{ClipEntry, ClipSource, ModelEntry};
use super::motion::Switch;
use super::output::Output;
use super::settings::Settings;
use super::words::{Look, RootMotion, wrap_word};
use crate::canonical::{number, quoted, rgb, single};
use tintype_model::{
    AlphaMode, CastShadow, ClipRange, Cone, CullMode, Ground, Light, MetallicRoughness,
    TextureFilter,
};
use values::{
    cast_shadow, choice, clip_planes, instance_wrap_word, level, placement_values, ramp, set,
    switch, vector,
};

impl Scene {
    /// Text for the digest: equal for two scenes exactly if they draw the same pictures from the same files.
    ///
    /// Comments, blanks, the order of keys and explicit defaults do not change it, nor do the names of output files or the golden
    /// frames.
    #[must_use]
    pub fn digest_text(&self) -> String {
        text(self)
    }

    /// Parameters of that text with their subjects and keys, to list the differences of two scenes.
    #[must_use]
    pub fn parameters(&self) -> Vec<Parameter> {
        parameters(self)
    }
}

/// One parameter of a scene, explicit or default.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// Subject: `output`, `camera`, `light 2`, `material "skin"`, `model "imp"`, `instance 3`.
    pub subject: String,
    /// Key in the scene file.
    pub key: String,
    /// Value; numbers read back to the same bits.
    pub value: String,
}

/// Text for the digest; its first line names the version of the form.
pub(super) fn text(scene: &Scene) -> String {
    write(scene).text
}

/// The parameters of that text.
pub(super) fn parameters(scene: &Scene) -> Vec<Parameter> {
    write(scene).parameters
}

fn write(scene: &Scene) -> Out {
    let mut out = Out { text: "tintype scene 1\n".to_owned(), parameters: Vec::new() };
    // Golden frames do not change pictures.
    let Scene {
        output,
        ambient,
        environment,
        camera,
        lights,
        model_lights,
        shadows,
        ground,
        materials,
        models,
        instances,
        wanted_clips,
        texture_search,
        texture_mtr,
        golden: _,
        // Their values are written where they take effect.
        said: _,
        named: _,
    } = scene;
    out.output(output);
    out.line("ambient", "scene", [("ambient", rgb(*ambient))]);
    if let Some(environment) = environment {
        out.environment(environment);
    }
    out.camera(camera);
    match lights {
        Lights::Studio => out.line("studio", "lights", [("kind", "studio".to_owned())]),
        Lights::Key => out.line("key", "lights", [("kind", "key".to_owned())]),
        Lights::Given(lights) => (1..).zip(lights).for_each(|(n, light)| out.light(n, light)),
    }
    for (n, own) in (1..).zip(model_lights) {
        let ModelLight { instance, light, intensity, shadow } = own;
        let values = [
            ("instance", instance.as_deref().map_or("first".to_owned(), quoted)),
            ("light", light.as_ref().map_or("all".to_owned(), set)),
            ("intensity", single(*intensity)),
        ];
        let subject = format!("model light {n}");
        out.line("model light", &subject, values);
        // On a separate line: scenes without it keep their digest.
        if let Some(CastShadow { light: _, size, softness_deg }) = shadow {
            let value = cast_shadow(*size, *softness_deg);
            out.line(&format!("model shadow {n}"), &subject, [("shadow", value)]);
        }
    }
    // On separate lines: scenes without them keep their digest.
    for CastShadow { light, size, softness_deg } in shadows {
        let subject = match lights {
            Lights::Studio | Lights::Key => "lights".to_owned(),
            Lights::Given(_) => format!("light {}", light + 1),
        };
        let value = cast_shadow(*size, *softness_deg);
        out.line(&format!("shadow {}", light + 1), &subject, [("shadow", value)]);
    }
    if let Some(Ground { height, radius, color, contact }) = ground {
        let usual = |value: &Option<f32>| value.map_or("usual".to_owned(), single);
        let values = [
            ("height", usual(height)),
            ("radius", usual(radius)),
            ("color", color.map_or("none".to_owned(), rgb)),
            ("contact", single(*contact)),
        ];
        out.line("ground", "ground", values);
    }
    materials.iter().for_each(|material| out.material(material));
    models.iter().for_each(|model| out.model(model));
    (0..).zip(instances).for_each(|(n, instance)| out.instance(n, instance));
    for (n, wanted) in (0..).zip(wanted_clips) {
        // The key is for messages only.
        let WantedClip { model, clip, key: _ } = wanted;
        let subject = format!("wanted clip {n}");
        out.line("wanted", &subject, [("model", model.to_string()), ("clip", set(clip))]);
    }
    for (n, folder) in (0..).zip(texture_search) {
        out.line("search", &format!("texture folder {n}"), [("path", quoted(folder))]);
    }
    for (n, file) in (0..).zip(texture_mtr) {
        out.line("mtr", &format!("material file {n}"), [("path", quoted(file))]);
    }
    out
}

struct Out {
    text: String,
    parameters: Vec<Parameter>,
}

impl Out {
    /// Line of the text that begins with `word`; its parameters belong to `subject`.
    fn line<const N: usize>(
        &mut self,
        word: &str,
        subject: &str,
        values: [(&'static str, String); N],
    ) {
        self.text += word;
        for (key, value) in values {
            // The text has no keys, and no values that only repeat the kind of the line.
            if key != "kind" {
                self.text.push(' ');
                self.text += &value;
            }
            let (subject, key) = (subject.to_owned(), key.to_owned());
            self.parameters.push(Parameter { subject, key, value });
        }
        self.text.push('\n');
    }

    fn output(&mut self, output: &Output) {
        let usual = Output::settle(&Settings::default(), &Look::Classic.usual(false));
        for (key, value) in output.digest(&usual) {
            self.text += &format!("{key} {value}\n");
            self.parameters.push(Parameter { subject: "output".to_owned(), key, value });
        }
    }

    fn environment(&mut self, environment: &EnvironmentEntry) {
        let EnvironmentEntry { source, rotation_deg, intensity, is_shown, turns_with_camera } =
            environment;
        let source = match source {
            EnvironmentSource::Studio => "studio".to_owned(),
            EnvironmentSource::Neutral => "neutral".to_owned(),
            EnvironmentSource::File(file) => quoted(file),
        };
        let values = [
            ("file", source),
            ("rotation_deg", single(*rotation_deg)),
            ("intensity", single(*intensity)),
            ("show", is_shown.to_string()),
            ("turns", turns_with_camera.to_string()),
        ];
        self.line("environment", "environment", values);
    }

    fn camera(&mut self, camera: &CameraRig) {
        let kind = |kind: &str| ("kind", kind.to_owned());
        match camera {
            CameraRig::Orbit(orbit) => {
                let Orbit { target, azimuth_deg, elevation_deg, fov_deg, projection, planes } =
                    *orbit;
                let target = match target {
                    OrbitTarget::Fit { margin } => format!("fit {}", number(margin)),
                    OrbitTarget::Point { at, distance } => {
                        format!("{} {}", vector(at), number(distance))
                    }
                };
                let [near, far] = clip_planes(planes);
                let values = [
                    kind("orbit"),
                    ("target", target),
                    ("azimuth_deg", ramp(azimuth_deg)),
                    ("elevation_deg", ramp(elevation_deg)),
                    ("fov_deg", number(fov_deg)),
                    near,
                    far,
                ];
                self.line("orbit", "camera", values);
                self.projection(projection);
            }
            CameraRig::LookAt(look) => {
                let LookAt { eye, target, up, fov_deg, projection, planes } = *look;
                let target = match target {
                    Target::Fit => "fit".to_owned(),
                    Target::Point(at) => vector(at),
                };
                let [near, far] = clip_planes(planes);
                let values = [
                    kind("look-at"),
                    ("eye", vector(eye)),
                    ("target", target),
                    ("up", vector(up)),
                    ("fov_deg", number(fov_deg)),
                    near,
                    far,
                ];
                self.line("look-at", "camera", values);
                self.projection(projection);
            }
            CameraRig::Keys(keyed) => {
                let KeyedCamera { keys, smooth, up, projection, planes } = keyed;
                let [near, far] = clip_planes(*planes);
                let values =
                    [kind("keys"), ("smooth", smooth.to_string()), ("up", vector(*up)), near, far];
                self.line("keys", "camera", values);
                self.projection(*projection);
                for (n, key) in (0..).zip(keys) {
                    let CameraPoint { at_s, eye, target, fov_deg } = *key;
                    let values = [
                        ("at_s", number(at_s)),
                        ("eye", vector(eye)),
                        ("target", vector(target)),
                        ("fov_deg", number(fov_deg)),
                    ];
                    self.line("key", &format!("camera key {n}"), values);
                }
            }
            CameraRig::Model(own) => {
                let ModelCamera { instance, camera, planes } = own;
                let [near, far] = clip_planes(*planes);
                let values = [
                    kind("model"),
                    ("instance", instance.as_deref().map_or("first".to_owned(), quoted)),
                    ("camera", camera.as_ref().map_or("first".to_owned(), set)),
                    near,
                    far,
                ];
                self.line("model camera", "camera", values);
            }
            CameraRig::Md5(recorded) => {
                let RecordedCamera { file, start_s, speed, wrap, planes } = recorded;
                let [near, far] = clip_planes(*planes);
                let values = [
                    kind("recorded"),
                    ("file", quoted(file)),
                    ("start_s", number(*start_s)),
                    ("speed", number(*speed)),
                    ("wrap", wrap_word(*wrap).to_owned()),
                    near,
                    far,
                ];
                self.line("md5camera", "camera", values);
            }
        }
    }

    /// On a separate line: perspective scenes keep their digest.
    fn projection(&mut self, projection: Projection) {
        if let Projection::Orthographic { height } = projection {
            let height = height.map_or("usual".to_owned(), number);
            let values = [("projection", "orthographic".to_owned()), ("height", height)];
            self.line("projection", "camera", values);
        }
    }

    fn light(&mut self, n: usize, light: &Light) {
        let subject = format!("light {n}");
        let kind = |kind: &str| ("kind", kind.to_owned());
        match *light {
            Light::Directional { to_light, color } => {
                let values =
                    [kind("directional"), ("direction", vector(to_light)), ("color", rgb(color))];
                self.line("directional", &subject, values);
            }
            Light::Point { position, color, reach, range, cone } => {
                let values = [
                    kind("point"),
                    ("position", vector(position)),
                    ("color", rgb(color)),
                    ("reach", single(reach)),
                ];
                self.line("point", &subject, values);
                // On separate lines: scenes without them keep their digest.
                if let Some(range) = range {
                    self.line("range", &subject, [("range", single(range))]);
                }
                if let Some(Cone { against, scale, offset }) = cone {
                    let values = [
                        ("direction", vector(-against)),
                        ("cone", format!("{} {}", single(scale), single(offset))),
                    ];
                    self.line("cone", &subject, values);
                }
            }
            Light::Hemisphere { sky, ground } => {
                let values = [kind("hemisphere"), ("sky", rgb(sky)), ("ground", rgb(ground))];
                self.line("hemisphere", &subject, values);
            }
        }
    }

    fn material(&mut self, material: &MaterialEntry) {
        let MaterialEntry {
            name,
            diffuse,
            normal,
            specular,
            emissive_map,
            color,
            opacity,
            specular_strength,
            shininess,
            emissive,
            alpha,
            cull,
            normal_y_down,
            filter,
            metallic_roughness,
            occlusion,
            response,
        } = material;
        let path = |path: &Option<String>| path.as_deref().map_or("none".to_owned(), quoted);
        let alpha = match *alpha {
            AlphaMode::Mask { cutoff } => format!("mask {}", single(cutoff)),
            other => other.name().to_owned(),
        };
        let cull = match cull {
            CullMode::Auto => "auto",
            CullMode::Back => "back",
            CullMode::Front => "front",
            CullMode::None => "none",
        };
        let values = [
            ("name", quoted(name)),
            ("diffuse", path(diffuse)),
            ("normal", path(normal)),
            ("specular", path(specular)),
            ("color", rgb(*color)),
            ("opacity", single(*opacity)),
            ("specular_strength", specular_strength.map_or("usual".to_owned(), single)),
            ("shininess", single(*shininess)),
            ("emissive", rgb(*emissive)),
            ("alpha", alpha),
            ("cull", cull.to_owned()),
            ("normal_y", if *normal_y_down { "down" } else { "up" }.to_owned()),
        ];
        let subject = format!("material {}", quoted(name));
        self.line("material", &subject, values);
        // On a separate line: scenes without it keep their digest.
        if emissive_map.is_some() {
            self.line("glow", &subject, [("glow", path(emissive_map))]);
        }
        if *filter != TextureFilter::Linear {
            self.line("filter", &subject, [("filter", filter.name().to_owned())]);
        }
        if let Some(response) = response {
            self.response(&subject, response);
            self.line(
                "metallic_roughness",
                &subject,
                [("metallic_roughness", path(metallic_roughness))],
            );
            self.line("occlusion", &subject, [("occlusion", path(occlusion))]);
        }
    }

    /// Lines of the metallic-roughness response of a material.
    fn response(&mut self, subject: &str, response: &MetallicRoughness) {
        let MetallicRoughness {
            metallic,
            roughness,
            occlusion_strength,
            normal_scale,
            ior,
            specular,
            specular_color,
            clearcoat,
            clearcoat_roughness,
            clearcoat_normal_scale: _, // of files alone
            sheen_color,
            sheen_roughness,
            is_unlit,
            toon: _, // of files alone
        } = *response;
        let values = [
            ("metallic", single(metallic)),
            ("roughness", single(roughness)),
            ("occlusion_strength", single(occlusion_strength)),
            ("normal_scale", single(normal_scale)),
            ("ior", single(ior)),
            ("specular_strength", single(specular)),
            ("specular_color", rgb(specular_color)),
            ("clearcoat", single(clearcoat)),
            ("clearcoat_roughness", single(clearcoat_roughness)),
            ("sheen_color", rgb(sheen_color)),
            ("sheen_roughness", single(sheen_roughness)),
            ("unlit", is_unlit.to_string()),
        ];
        self.line("response", subject, values);
    }

    fn model(&mut self, model: &ModelEntry) {
        // References are indices here, so names do not matter, except those of clips that are found in a file by name.
        let ModelEntry {
            name,
            file,
            clips,
            has_own_clips,
            ticks_per_second,
            file_scene,
            keeps_splits,
            up,
            front,
        } = model;
        let subject = format!("model {}", quoted(name));
        let axis =
            |axis: &Option<super::FileAxis>| axis.map_or("usual", super::FileAxis::word).to_owned();
        let values = [("file", quoted(file)), ("up", axis(up)), ("front", axis(front))];
        self.line("model", &subject, values);
        // On separate lines: scenes without them keep their digest.
        if let Some(ticks) = ticks_per_second {
            self.line("ticks", &subject, [("ticks_per_second", number(*ticks))]);
        }
        if let Some(scene) = file_scene {
            self.line("file scene", &subject, [("scene", set(scene))]);
        }
        if *keeps_splits {
            self.line("splits", &subject, [("splits", "keep".to_owned())]);
        }
        if *has_own_clips {
            self.line("own clips", &subject, [("kind", "own clips".to_owned())]);
        }
        for (n, clip) in (0..).zip(clips) {
            let ClipEntry { name: _, source, part } = clip;
            let subject = format!("{subject} clip {n}");
            match source {
                ClipSource::File { file, set: Some(choice) } => {
                    self.line("clip", &subject, [("file", quoted(file)), ("set", set(choice))]);
                }
                ClipSource::File { file, set: None } => {
                    self.line("clip", &subject, [("file", quoted(file))]);
                }
                ClipSource::Own(choice) => {
                    let of = choice.as_ref().map_or("first".to_owned(), set);
                    self.line("own clip", &subject, [("of", of)]);
                }
                ClipSource::Entry(index) => {
                    self.line("clip of", &subject, [("of", index.to_string())]);
                }
            }
            if let Some(ClipRange { unit, from, to }) = part {
                let range = format!("{}-{}", number(*from), number(*to));
                self.line(&format!("part {}", unit.name()), &subject, [(unit.name(), range)]);
            }
        }
    }

    fn instance(&mut self, n: usize, instance: &Instance) {
        let Instance {
            model,
            clip,
            start_s,
            speed,
            wrap,
            // References are indices here.
            name: _,
            placement,
            attach,
            visible,
            show,
            hide,
            variant,
            materials,
            joints,
            morphs,
            fade,
            layers,
            root,
            root_joint,
            casts,
            table: _,
            is_member: _,
        } = instance;
        let subject = format!("instance {n}");
        let [position, rotation_deg, scale] = placement_values(placement);
        let values = [
            ("model", model.to_string()),
            ("clip", choice(*clip)),
            ("start_s", number(*start_s)),
            ("speed", number(*speed)),
            ("wrap", instance_wrap_word(*wrap)),
            ("position", position),
            ("rotation_deg", rotation_deg),
            ("scale", scale),
        ];
        self.line("instance", &subject, values);
        // On separate lines: scenes without them keep their digest.
        if !casts {
            self.line("casts", &subject, [("shadow", "false".to_owned())]);
        }
        if let Some(matrix) = placement.matrix {
            let rows = matrix.to_cols_array().map(single).join(" ");
            self.line("matrix", &subject, [("matrix", rows)]);
        }
        if let Some(Attachment { to, joint }) = attach {
            let joint = joint.as_deref().map_or("none".to_owned(), quoted);
            self.line("attach", &subject, [("attach", format!("{to} {joint}"))]);
        }
        if *visible != Switch::Constant(true) {
            self.line("visible", &subject, [("visible", switch(visible))]);
        }
        for (word, patterns) in [("show", show), ("hide", hide)] {
            if !patterns.is_empty() {
                let patterns: Vec<String> = patterns.iter().map(|name| quoted(name)).collect();
                self.line(word, &subject, [(word, patterns.join(" "))]);
            }
        }
        if let Some(variant) = variant {
            self.line("variant", &subject, [("variant", set(variant))]);
        }
        for MaterialChoice { shader, material } in materials {
            let value = format!("{} {}", quoted(shader), quoted(material));
            self.line("materials", &subject, [("materials", value)]);
        }
        for (n, joint) in (0..).zip(joints) {
            self.joint(&format!("{subject} joint {n}"), joint);
        }
        for MorphEdit { name, weight } in morphs {
            let value = format!("{} {}", quoted(name), level(weight));
            self.line("morphs", &subject, [("morphs", value)]);
        }
        for (n, fade) in (0..).zip(fade) {
            let Fade { clip, at_s, for_s } = *fade;
            let subject = format!("{subject} fade {n}");
            let values = [("clip", choice(clip)), ("at_s", number(at_s)), ("for_s", number(for_s))];
            self.line("fade", &subject, values);
        }
        for (n, layer) in (0..).zip(layers) {
            self.layer(&format!("{subject} layer {n}"), layer);
        }
        if *root != RootMotion::Keep {
            let joint = root_joint.as_deref().map_or("found".to_owned(), quoted);
            let values = [("root", root.word().to_owned()), ("root_joint", joint)];
            self.line("root", &subject, values);
        }
    }

    fn joint(&mut self, subject: &str, joint: &JointEdit) {
        let JointEdit { name, placement, set } = joint;
        let [position, rotation_deg, scale] = placement_values(placement);
        let mode = match set {
            None => "add".to_owned(),
            Some(parts) => format!("set {}", parts.map(|part| part.to_string()).join(" ")),
        };
        let values = [
            ("name", quoted(name)),
            ("position", position),
            ("rotation_deg", rotation_deg),
            ("scale", scale),
            ("mode", mode),
        ];
        self.line("joint", subject, values);
    }

    fn layer(&mut self, subject: &str, layer: &Layer) {
        let Layer { tracks, weight, joints } = layer;
        let names: Vec<String> = joints.iter().map(|joint| quoted(joint)).collect();
        let joints = if joints.is_empty() { "all".to_owned() } else { names.join(" ") };
        self.line("layer", subject, [("weight", level(weight)), ("joint", joints)]);
        for (n, track) in (0..).zip(tracks) {
            let LayerTrack { clip, weight, speed, start_s, wrap } = track;
            let values = [
                ("clip", choice(*clip)),
                ("weight", level(weight)),
                ("speed", level(speed)),
                ("start_s", number(*start_s)),
                ("wrap", wrap.map_or("usual", wrap_word).to_owned()),
            ];
            self.line("track", &format!("{subject} track {n}"), values);
        }
    }
}
