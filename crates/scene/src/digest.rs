//! Writes a checked scene as text, for the digest in every picture.
//!
//! Every field that can change a pixel is written, in one fixed order, one per line. Structs are
//! destructured without `..`, so that a new field cannot be forgotten here. Numbers read back to
//! the same bits.

mod values;

use super::camera::{
    CameraPoint, CameraRig, ClipPlanes, KeyedCamera, LookAt, MatrixCamera, ModelCamera, Orbit,
    OrbitTarget, Projection, RecordedCamera, Target,
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
use super::words::{Look, RootMotion};
use tintype_model::{CastShadow, ClipRange, Cone, Ground, Light, MetallicRoughness, TextureFilter};
use values::{Said, cast_shadow, instance_wrap_word, placement_values};

/// Writes a line with fields of a value: as they are, `or` with a word for a missing one, or with
/// another text; under their names or `as` another key. Every field of a struct must be listed,
/// except those after a semicolon, so that a new one cannot be forgotten.
macro_rules! line {
    ($out:ident, $word:expr, $subject:expr; $($field:ident $(as $key:ident)? $(or $without:literal)? $(= $text:expr)?),+ $(,)?) => {
        $out.line($word, $subject, [$((
            line!(key $field $($key)?),
            line!(text $field $(or $without)? $(= $text)?),
        )),+])
    };
    (
        $out:ident, $word:expr, $subject:expr, $type:ident {
            $($field:ident $(as $key:ident)? $(or $without:literal)? $(= $text:expr)?),+ $(; $($left_out:ident),+)?
        } = $value:expr $(, $more:ident = $more_text:expr)*
    ) => {{
        let $type { $($field,)+ $($($left_out: _,)+)? } = $value;
        line!($out, $word, $subject; $($field $(as $key)? $(or $without)? $(= $text)?,)+ $($more = $more_text),*);
    }};
    (key $field:ident) => { stringify!($field) };
    (key $field:ident $key:ident) => { stringify!($key) };
    (text $field:ident) => { $field.said() };
    (text $field:ident or $without:literal) => { $field.as_ref().map_or_else(|| $without.to_owned(), Said::said) };
    (text $field:ident = $text:expr) => { String::from($text) };
}

impl Scene {
    /// Text for the digest: equal for two scenes exactly if they draw the same pictures from the
    /// same files.
    ///
    /// Comments, blanks, the order of keys and explicit defaults do not change it, nor do the names
    /// of output files or the golden frames.
    #[must_use]
    pub fn digest_text(&self) -> String {
        write(self).text
    }

    /// Parameters of that text with their subjects and keys, to list the differences of two scenes.
    #[must_use]
    pub fn parameters(&self) -> Vec<Parameter> {
        write(self).parameters
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

/// Text and parameters; the first line of the text names the version of the format.
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
        // Tests keep no digest by it.
        missing: _,
        // Their values are written where they take effect.
        said: _,
        named: _,
    } = scene;
    out.output(output);
    line!(out, "ambient", "scene"; ambient);
    if let Some(environment) = environment {
        out.environment(environment);
    }
    out.camera(camera);
    match lights {
        Lights::Studio => line!(out, "studio", "lights"; kind = "studio"),
        Lights::Key => line!(out, "key", "lights"; kind = "key"),
        Lights::Given(lights) => (1..).zip(lights).for_each(|(n, light)| out.light(n, light)),
    }
    for (n, own) in (1..).zip(model_lights) {
        let ModelLight { instance, light, intensity, shadow } = own;
        let subject = format!("model light {n}");
        line!(out, "model light", &subject; instance or "first", light or "all", intensity);
        // On a separate line: scenes without it keep their digest.
        if let Some(CastShadow { light: _, size, softness_deg }) = shadow {
            let shadow = cast_shadow(*size, *softness_deg);
            line!(out, &format!("model shadow {n}"), &subject; shadow = shadow);
        }
    }
    // On separate lines: scenes without them keep their digest.
    for CastShadow { light, size, softness_deg } in shadows {
        let subject = match lights {
            Lights::Studio | Lights::Key => "lights".to_owned(),
            Lights::Given(_) => format!("light {}", light + 1),
        };
        let shadow = cast_shadow(*size, *softness_deg);
        line!(out, &format!("shadow {}", light + 1), &subject; shadow = shadow);
    }
    if let Some(ground) = ground {
        line!(out, "ground", "ground", Ground {
            height or "usual", radius or "usual", color or "none", contact
        } = ground);
    }
    materials.iter().for_each(|material| out.material(material));
    models.iter().for_each(|model| out.model(model));
    (0..).zip(instances).for_each(|(n, instance)| out.instance(n, instance));
    for (n, wanted) in (0..).zip(wanted_clips) {
        // The key is for messages only.
        line!(out, "wanted", &format!("wanted clip {n}"), WantedClip { model, clip; key } = wanted);
    }
    for (n, folder) in (0..).zip(texture_search) {
        line!(out, "search", &format!("texture folder {n}"); path = folder.said());
    }
    for (n, file) in (0..).zip(texture_mtr) {
        line!(out, "mtr", &format!("material file {n}"); path = file.said());
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
        line!(self, "environment", "environment", EnvironmentEntry {
            source as file = match source {
                EnvironmentSource::Studio => "studio".to_owned(),
                EnvironmentSource::Neutral => "neutral".to_owned(),
                EnvironmentSource::File(file) => file.said(),
            },
            rotation_deg, intensity, is_shown as show, turns_with_camera as turns
        } = environment);
    }

    fn camera(&mut self, camera: &CameraRig) {
        match camera {
            CameraRig::Orbit(orbit) => {
                let Orbit { target, azimuth_deg, elevation_deg, fov_deg, projection, planes } =
                    orbit;
                let target = match target {
                    OrbitTarget::Fit { margin } => format!("fit {}", margin.said()),
                    OrbitTarget::Point { at, distance } => {
                        format!("{} {}", at.said(), distance.said())
                    }
                };
                let ClipPlanes { near, far } = planes;
                line!(self, "orbit", "camera"; kind = "orbit", target = target, azimuth_deg, elevation_deg, fov_deg,
                    near or "usual", far or "usual");
                self.projection(*projection);
            }
            CameraRig::LookAt(look) => {
                let LookAt { eye, target, up, fov_deg, projection, planes } = look;
                let target = match target {
                    Target::Fit => "fit".to_owned(),
                    Target::Point(at) => at.said(),
                };
                let ClipPlanes { near, far } = planes;
                line!(self, "look-at", "camera"; kind = "look-at", eye, target = target, up, fov_deg,
                    near or "usual", far or "usual");
                self.projection(*projection);
            }
            CameraRig::Keys(keyed) => {
                let KeyedCamera { keys, smooth, up, projection, planes } = keyed;
                let ClipPlanes { near, far } = planes;
                line!(self, "keys", "camera"; kind = "keys", smooth, up, near or "usual", far or "usual");
                self.projection(*projection);
                for (n, key) in (0..).zip(keys) {
                    let subject = format!("camera key {n}");
                    line!(self, "key", &subject, CameraPoint { at_s, eye, target, fov_deg } = key);
                }
            }
            CameraRig::Model(own) => {
                let ModelCamera { instance, camera, planes } = own;
                let ClipPlanes { near, far } = planes;
                line!(self, "model camera", "camera"; kind = "model", instance or "first", camera or "first",
                    near or "usual", far or "usual");
            }
            CameraRig::Matrix(own) => {
                let MatrixCamera {
                    intrinsics,
                    size,
                    extrinsics,
                    convention,
                    is_orthographic,
                    planes,
                } = own;
                let ClipPlanes { near, far } = planes;
                let size = size.map(f64::from);
                line!(self, "matrix camera", "camera"; kind = "matrix", intrinsics as k, size as k_size, extrinsics as rt,
                    convention = format!("{convention:?}"), is_orthographic as orthographic,
                    near or "usual", far or "usual");
            }
            CameraRig::Md5(recorded) => {
                let RecordedCamera { file, start_s, speed, wrap, planes } = recorded;
                let ClipPlanes { near, far } = planes;
                line!(self, "md5camera", "camera"; kind = "recorded", file, start_s, speed, wrap,
                    near or "usual", far or "usual");
            }
        }
    }

    /// On a separate line: perspective scenes keep their digest.
    fn projection(&mut self, projection: Projection) {
        if let Projection::Orthographic { height } = projection {
            line!(self, "projection", "camera"; projection = "orthographic", height or "usual");
        }
    }

    fn light(&mut self, n: usize, light: &Light) {
        let subject = format!("light {n}");
        match *light {
            Light::Directional { to_light, color } => {
                line!(self, "directional", &subject; kind = "directional", to_light as direction, color);
            }
            Light::Point { position, color, reach, range, cone } => {
                line!(self, "point", &subject; kind = "point", position, color, reach);
                // On separate lines: scenes without them keep their digest.
                if let Some(range) = range {
                    line!(self, "range", &subject; range);
                }
                if let Some(Cone { against, scale, offset }) = cone {
                    line!(self, "cone", &subject; direction = (-against).said(), cone = [scale, offset].said());
                }
            }
            Light::Hemisphere { sky, ground } => {
                line!(self, "hemisphere", &subject; kind = "hemisphere", sky, ground);
            }
        }
    }

    fn material(&mut self, material: &MaterialEntry) {
        let subject = format!("material {}", material.name.said());
        line!(self, "material", &subject, MaterialEntry {
            name, diffuse or "none", normal or "none", specular or "none", color, opacity, specular_strength or "usual",
            shininess, emissive, alpha, cull, normal_y_down as normal_y = if *normal_y_down { "down" } else { "up" };
            emissive_map, filter, metallic_roughness, occlusion, response
        } = material);
        // On separate lines: scenes without them keep their digest.
        let MaterialEntry { emissive_map, filter, metallic_roughness, occlusion, response, .. } =
            material;
        if let Some(glow) = emissive_map {
            line!(self, "glow", &subject; glow);
        }
        if *filter != TextureFilter::Linear {
            line!(self, "filter", &subject; filter);
        }
        if let Some(response) = response {
            // The omitted ones are only in files.
            line!(self, "response", &subject, MetallicRoughness {
                metallic, roughness, occlusion_strength, normal_scale, ior, specular as specular_strength, specular_color, clearcoat,
                clearcoat_roughness, sheen_color, sheen_roughness, is_unlit as unlit; clearcoat_normal_scale, transmission, anisotropy, iridescence, toon, stacking
            } = &**response);
            line!(self, "metallic_roughness", &subject; metallic_roughness or "none");
            line!(self, "occlusion", &subject; occlusion or "none");
        }
    }

    fn model(&mut self, model: &ModelEntry) {
        // References are indices here, so names do not matter, except names of clips that are found
        // in a file by name.
        let ModelEntry { clips, has_own_clips, ticks_per_second, .. } = model;
        let ModelEntry { palette, file_scene, keeps_splits, .. } = model;
        let subject = format!("model {}", model.name.said());
        line!(self, "model", &subject, ModelEntry {
            file, up or "usual", front or "usual";
            name, clips, has_own_clips, ticks_per_second, palette, file_scene, keeps_splits
        } = model);
        // On separate lines: scenes without them keep their digest.
        if let Some(ticks) = ticks_per_second {
            line!(self, "ticks", &subject; ticks as ticks_per_second);
        }
        if let Some(palette) = palette {
            line!(self, "palette", &subject; palette);
        }
        if let Some(scene) = file_scene {
            line!(self, "file scene", &subject; scene);
        }
        if *keeps_splits {
            line!(self, "splits", &subject; splits = "keep");
        }
        if *has_own_clips {
            line!(self, "own clips", &subject; kind = "own clips");
        }
        for (n, clip) in (0..).zip(clips) {
            let ClipEntry { name: _, source, part } = clip;
            let subject = format!("{subject} clip {n}");
            match source {
                ClipSource::File { file, set: Some(set) } => {
                    line!(self, "clip", &subject; file, set);
                }
                ClipSource::File { file, set: None } => line!(self, "clip", &subject; file),
                ClipSource::Own(of) => line!(self, "own clip", &subject; of or "first"),
                ClipSource::Entry(of) => line!(self, "clip of", &subject; of),
            }
            if let Some(ClipRange { unit, from, to }) = part {
                let range = format!("{}-{}", from.said(), to.said());
                self.line(&format!("part {}", unit.name()), &subject, [(unit.name(), range)]);
            }
        }
    }

    fn instance(&mut self, n: usize, instance: &Instance) {
        let subject = format!("instance {n}");
        let [place, turn, size] = placement_values(&instance.placement);
        let Instance { placement, attach, visible, show, hide, variant, materials, .. } = instance;
        let Instance { joints, morphs, fade, layers, root, root_joint, casts, .. } = instance;
        // References are indices here, so names do not matter.
        line!(self, "instance", &subject, Instance {
            model, clip, start_s, speed, wrap = instance_wrap_word(*wrap);
            name, placement, attach, visible, show, hide, variant, materials, joints, morphs, fade, layers, root, root_joint, casts,
            table, is_member
        } = instance, position = place, rotation_deg = turn, scale = size);
        // On separate lines: scenes without them keep their digest.
        if !casts {
            line!(self, "casts", &subject; shadow = "false");
        }
        if let Some(matrix) = placement.matrix {
            line!(self, "matrix", &subject; matrix = matrix.to_cols_array().said());
        }
        if let Some(Attachment { to, joint }) = attach {
            let joint = joint.as_ref().map_or("none".to_owned(), Said::said);
            line!(self, "attach", &subject; attach = format!("{to} {joint}"));
        }
        if *visible != Switch::Constant(true) {
            line!(self, "visible", &subject; visible);
        }
        if !show.is_empty() {
            line!(self, "show", &subject; show);
        }
        if !hide.is_empty() {
            line!(self, "hide", &subject; hide);
        }
        if let Some(variant) = variant {
            line!(self, "variant", &subject; variant);
        }
        for MaterialChoice { shader, material } in materials {
            line!(self, "materials", &subject; materials = [shader, material].said());
        }
        for (n, JointEdit { name, placement, set }) in (0..).zip(joints) {
            let [place, turn, size] = placement_values(placement);
            let mode = set.map_or("add".to_owned(), |parts| format!("set {}", parts.said()));
            line!(self, "joint", &format!("{subject} joint {n}"); name, position = place, rotation_deg = turn,
                scale = size, mode = mode);
        }
        for MorphEdit { name, weight } in morphs {
            line!(self, "morphs", &subject; morphs = format!("{} {}", name.said(), weight.said()));
        }
        for (n, fade) in (0..).zip(fade) {
            line!(self, "fade", &format!("{subject} fade {n}"), Fade { clip, at_s, for_s } = fade);
        }
        for (n, layer) in (0..).zip(layers) {
            self.layer(&format!("{subject} layer {n}"), layer);
        }
        if *root != RootMotion::Keep {
            line!(self, "root", &subject; root, root_joint or "found");
        }
    }

    fn layer(&mut self, subject: &str, Layer { tracks, weight, joints }: &Layer) {
        let joint = if joints.is_empty() { "all".to_owned() } else { joints.said() };
        line!(self, "layer", subject; weight, joint = joint);
        for (n, track) in (0..).zip(tracks) {
            line!(self, "track", &format!("{subject} track {n}"), LayerTrack {
                clip, weight, speed, start_s, wrap or "usual"
            } = track);
        }
    }
}
