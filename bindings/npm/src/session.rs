//! Requests and their answers.

use super::arrays::{self, Part};
use super::memory;
use super::options::{PictureOptions, ViewOptions, plain, read, ticks_per_second};
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use tintype::builder::{Aov, FrameNumber};
use tintype::diagnostic::{Diagnostic, Severity};
use tintype::{
    DiffOptions, Error, Frame, InspectOptions, Inspection, LoadOptions, MemoryFiles, Model,
    MorphName, Renderer, diff,
};

/// Open models, the inspected file, and sequences of frames that were begun and not ended.
#[derive(Default)]
pub(crate) struct Session {
    models: Vec<Model>,
    inspection: Option<Inspection>,
    sequences: BTreeMap<usize, Renderer>,
    begun: usize,
}

/// A request. Models are identified by their index in the order of opening, sequences by the number
/// that their start returned; `files` lists the paths of existing files, so that folders can be
/// searched. Values written by users are read by [`read`].
#[derive(Debug, Deserialize)]
#[serde(tag = "op", rename_all = "camelCase", rename_all_fields = "camelCase", deny_unknown_fields)]
enum Request {
    Open {
        name: Value,
        clips: Value,
        files: Value,
    },
    Thumbnail {
        model: usize,
        options: PictureOptions,
    },
    Turntable {
        model: usize,
        options: PictureOptions,
    },
    /// Numbered views and times as one picture, with a legend.
    ContactSheet {
        model: usize,
        options: PictureOptions,
    },
    Scene {
        #[serde(default)]
        name: Value,
        #[serde(default)]
        text: Value,
        files: Value,
        #[serde(default)]
        fit: Value,
    },
    /// The bytes of a glTF file made from arrays.
    Arrays {
        parts: Vec<Part>,
    },
    /// A frame, as in the scene or in another view, with channels, and with arrays for it.
    Frame {
        sequence: usize,
        #[serde(default)]
        index: Value,
        #[serde(default)]
        view: Value,
        #[serde(default)]
        channels: Value,
        #[serde(default)]
        given: Vec<Part>,
    },
    /// The camera of a frame, and the box around the models over all frames.
    Camera {
        sequence: usize,
        #[serde(default)]
        index: Value,
    },
    /// The scene of a view, as TOML.
    Toml {
        sequence: usize,
        view: Value,
    },
    Encode {
        width: u32,
        height: u32,
        #[serde(default)]
        format: Value,
    },
    Animation {
        sequence: usize,
        #[serde(default)]
        format: Value,
    },
    /// Lets a sequence go.
    End {
        sequence: usize,
    },
    Pose {
        model: usize,
        clip: Value,
        time_s: Value,
        morphs: Value,
    },
    Diff {
        a: usize,
        b: usize,
    },
    /// Contents and problems of a file, as JSON.
    Inspect {
        name: Value,
        clips: Value,
        files: Value,
        options: Value,
    },
    /// The inspection as a page of text.
    InspectText {
        #[serde(default)]
        tree: Value,
    },
}

/// Words for options that hold paths.
const PATHS: &str = "a list of paths";

/// An answer: a JSON value, and bytes.
type Answer = Result<(Value, Vec<u8>), Value>;

impl Session {
    /// The answer as JSON: `{"ok": ...}`, or `{"error": {...}}`.
    pub(crate) fn answer(&mut self, text: &[u8], bytes: &[u8]) -> (String, Vec<u8>) {
        let answer = serde_json::from_slice(text)
            .map_err(|_| plain("option", "the options cannot be read; expected an object"))
            .and_then(|request| self.carry_out(request, bytes));
        match answer {
            Ok((value, bytes)) => (json!({ "ok": value }).to_string(), bytes),
            Err(error) => (json!({ "error": error }).to_string(), Vec::new()),
        }
    }

    fn carry_out(&mut self, request: Request, bytes: &[u8]) -> Answer {
        match request {
            Request::Open { name, clips, files } => {
                let name: String = read("name", name, "a string")?;
                let clips: Vec<String> = read("clips", clips, PATHS)?;
                let files: Vec<String> = read("listed", files, PATHS)?;
                let model = Model::open_with(&name, &clips, &of_memory(&files))
                    .map_err(|error| told(&error))?;
                let described = described(&model);
                self.models.push(model);
                Ok((described, Vec::new()))
            }
            Request::Thumbnail { model, options } => {
                let drawn =
                    options.thumbnail()?.draw(self.model(model)?).map_err(|error| told(&error))?;
                Ok(picture(drawn.frame, &drawn.warnings))
            }
            Request::Turntable { model, options } => {
                let turntable = options.turntable(self.model(model)?)?;
                self.begin(turntable.renderer())
            }
            Request::ContactSheet { model, options } => {
                let (turntable, clips) = options.contact_sheet(self.model(model)?)?;
                let clips: Vec<&str> = clips.iter().map(String::as_str).collect();
                let sheet = turntable.contact_sheet(&clips).map_err(|error| told(&error))?;
                let (mut about, pixels) = picture(sheet.frame, &sheet.warnings);
                about["legend"] = sheet.legend.into();
                Ok((about, pixels))
            }
            Request::Scene { name, text, files, fit } => {
                let name: String = read("name", name, "a string")?;
                let text: String = read("scene", text, "a string")?;
                let files: Vec<String> = read("listed", files, PATHS)?;
                let fit: Option<[f32; 5]> = read("fit", fit, "five numbers")?;
                let renderer = Renderer::parse(&text, &name, "", &of_memory(&files));
                self.begin(renderer.map(|own| fit.into_iter().fold(own, Renderer::with_fit)))
            }
            Request::Arrays { parts } => Ok((Value::Null, arrays::glb_of(&parts, bytes)?)),
            Request::Frame { sequence, index, view, channels, given } => {
                let sequence = self.sequence(sequence)?;
                if channels.is_null() && given.is_empty() {
                    return draw(sequence, index, view);
                }
                let channels = if channels.is_null() { json!([]) } else { channels };
                let view =
                    if view.is_null() { ViewOptions::default() } else { ViewOptions::read(view)? };
                if view.aov.is_some() {
                    let message = "aov: views cannot be combined with channels or arrays; draw them separately";
                    return Err(plain("option", message));
                }
                let seen = sequence.with_view(&view.view()).map_err(|error| told(&error))?;
                let number = view.number(&seen, index)?;
                let given = arrays::given(&given, bytes, &seen)?;
                let drawn = seen.draw_given(number, &given, &arrays::wanted(channels)?);
                let (frame, planes) = drawn.map_err(|error| told(&error))?;
                let (mut about, mut pixels) = picture(frame, &[]);
                about["channels"] = arrays::told(planes, &mut pixels).into();
                Ok((about, pixels))
            }
            Request::Camera { sequence, index } => {
                let sequence = self.sequence(sequence)?;
                let number = number_of(sequence, index)?;
                let camera = sequence.camera(number).map_err(|error| told(&error))?;
                let told = json!({
                    "viewFromWorld": camera.view_from_world,
                    "clipFromView": camera.clip_from_view,
                    "bounds": sequence.bounds(),
                });
                Ok((told, Vec::new()))
            }
            Request::Toml { sequence, view } => {
                let view = ViewOptions::read(view)?.view();
                let seen = self.sequence(sequence)?.with_view(&view);
                let text = seen.map_err(|error| told(&error))?.to_toml();
                let missing = || plain("scene", "the scene was read from text");
                Ok((Value::Null, text.ok_or_else(missing)?.into_bytes()))
            }
            Request::Encode { width, height, format } => {
                let format: String = read("format", format, "a string")?;
                let pixels =
                    bytes.chunks_exact(4).map(|pixel| [pixel[0], pixel[1], pixel[2], pixel[3]]);
                let frame = Frame::from_pixels(width, height, pixels.collect());
                let frame =
                    frame.ok_or_else(|| plain("scene", "the pixels do not fit the size"))?;
                Ok((Value::Null, frame.to_bytes(&format).map_err(|error| told(&error))?))
            }
            Request::End { sequence } => {
                self.sequences.remove(&sequence);
                Ok((Value::Null, Vec::new()))
            }
            Request::Animation { sequence, format } => {
                let sequence = self.sequence(sequence)?;
                let format: String = read("format", format, "a string")?;
                Ok((Value::Null, sequence.to_bytes(&format).map_err(|error| told(&error))?))
            }
            Request::Pose { model, clip, time_s, morphs } => {
                let clip: Option<String> = read("clip", clip, "the name of a clip")?;
                let time_s: f64 = read("timeS", time_s, "a number of seconds")?;
                let morphs: Vec<(String, f32)> = read("morphs", morphs, "numbers by names")?;
                let morphs: Vec<(MorphName, f32)> = morphs
                    .into_iter()
                    .map(|(name, weight)| (name.as_str().into(), weight))
                    .collect();
                let posed = self.model(model)?.pose_with(clip.as_deref(), time_s, &morphs);
                Ok((Value::Null, posed.map_err(|error| told(&error))?.to_obj().into_bytes()))
            }
            Request::Diff { a, b } => {
                let (a, b) = (self.model(a)?, self.model(b)?);
                let found = diff(a, b, DiffOptions::default()).map_err(|error| told(&error))?;
                let differences = found.causes().map(|cause| {
                    json!({ "text": cause.to_string(), "clip": cause.clip, "finding": cause.finding })
                });
                let differences: Vec<Value> = differences.collect();
                Ok((json!({ "isSame": found.is_same, "differences": differences }), Vec::new()))
            }
            Request::Inspect { name, clips, files, options } => {
                let name: String = read("name", name, "a string")?;
                let files: Vec<String> = read("listed", files, PATHS)?;
                let options = InspectOptions {
                    load: of_memory(&files).with_ticks_per_second(ticks_per_second(options)?),
                    clips: read("clips", clips, PATHS)?,
                    ..InspectOptions::default()
                };
                let found = Inspection::open_with(&name, &options).map_err(|error| told(&error))?;
                let json = found.to_json().map_err(|error| told(&error))?;
                self.inspection = Some(found);
                Ok((json.into(), Vec::new()))
            }
            Request::InspectText { tree } => {
                let tree: Option<bool> = read("tree", tree, "true or false")?;
                let found = self.inspection.as_ref();
                let found = found.ok_or_else(|| plain("name", "no file was inspected"))?;
                Ok((Value::Null, found.to_text(tree == Some(true)).into_bytes()))
            }
        }
    }

    fn model(&self, index: usize) -> Result<&Model, Value> {
        self.models.get(index).ok_or_else(|| plain("name", "no such model"))
    }

    fn sequence(&self, number: usize) -> Result<&Renderer, Value> {
        self.sequences
            .get(&number)
            .ok_or_else(|| plain("name", "these frames were already released"))
    }

    fn begin(&mut self, renderer: Result<Renderer, Error>) -> Answer {
        let renderer = renderer.map_err(|error| told(&error))?;
        self.begun += 1;
        let clip = renderer.turntable_clip();
        let told = json!({
            "sequence": self.begun,
            "clip": clip.map(|(name, period_s)| json!({ "name": name, "periodS": period_s })),
            "numbers": renderer.frames().iter().map(i64::from).collect::<Vec<_>>(),
            "size": renderer.size(),
            "fps": renderer.fps(),
            "digest": renderer.digest(),
            "warnings": shown(renderer.warnings()),
        });
        self.sequences.insert(self.begun, renderer);
        Ok((told, Vec::new()))
    }
}

/// Draws a frame, as in the scene or in another view.
fn draw(sequence: &Renderer, index: Value, view: Value) -> Answer {
    if view.is_null() {
        let frame = sequence.draw(number_of(sequence, index)?);
        return Ok(picture(frame.map_err(|error| told(&error))?, &[]));
    }
    let view = ViewOptions::read(view)?;
    let seen = sequence.with_view(&view.view()).map_err(|error| told(&error))?;
    let number = view.number(&seen, index)?;
    let drawn = match view.aov.as_deref().map(Aov::parse).transpose() {
        Err(error) => return Err(plain("scene", &error.to_string())),
        Ok(None) => seen.draw(number),
        Ok(Some(aov)) => seen.draw_view(number, &aov).map(|(frame, _)| frame),
    };
    Ok(picture(drawn.map_err(|error| told(&error))?, &[]))
}

impl ViewOptions {
    /// The number of the frame to show: the time, or the frame at an index.
    fn number(&self, seen: &Renderer, index: Value) -> Result<FrameNumber, Value> {
        self.moment_ms.map_or_else(|| number_of(seen, index), |moment_ms| Ok(moment_ms.into()))
    }
}

/// The number of the frame at an index.
fn number_of(sequence: &Renderer, index: Value) -> Result<FrameNumber, Value> {
    let index: usize = read("index", index, "a whole number from 0")?;
    let number = sequence.frames().nth(index);
    number.ok_or_else(|| plain("name", &format!("there is no frame {index}")))
}

/// Files from outside of the module.
fn of_memory(names: &[String]) -> LoadOptions {
    let files = MemoryFiles::new().with_resolver(memory::file).with_listed(names);
    LoadOptions::default().with_files(files)
}

fn described(model: &Model) -> Value {
    let clips =
        model.clips().map(|clip| json!({ "name": clip.name(), "periodS": clip.period_s() }));
    let joints =
        model.joints().map(|joint| json!({ "name": joint.name(), "parent": joint.parent() }));
    let meshes = model.meshes().map(|mesh| {
        json!({ "name": mesh.name(), "material": mesh.material(), "triangles": mesh.triangles().len() })
    });
    let morphs = model
        .morphs()
        .map(|morph| json!({ "name": morph.name(), "joint": morph.joint(), "rest": morph.rest() }));
    json!({
        "clips": clips.collect::<Vec<_>>(),
        "joints": joints.collect::<Vec<_>>(),
        "meshes": meshes.collect::<Vec<_>>(),
        "morphs": morphs.collect::<Vec<_>>(),
    })
}

fn picture(frame: Frame, warnings: &[Diagnostic]) -> (Value, Vec<u8>) {
    let told =
        json!({ "width": frame.width(), "height": frame.height(), "warnings": shown(warnings) });
    (told, bytemuck::allocation::cast_vec(frame.into_pixels()))
}

fn shown(diagnostics: &[Diagnostic]) -> Vec<Value> {
    let one = |diagnostic: &Diagnostic| {
        json!({
            "severity": match diagnostic.severity { Severity::Warning => "warning", Severity::Error => "error" },
            "place": diagnostic.place.to_string(),
            "message": diagnostic.message,
            "notes": diagnostic.notes,
            "help": diagnostic.help,
            "isStandIn": diagnostic.is_stand_in,
        })
    };
    diagnostics.iter().map(one).collect()
}

fn told(error: &Error) -> Value {
    json!({
        "kind": format!("{:?}", error.kind()).to_lowercase(),
        "message": error.to_string(),
        "diagnostics": shown(error.diagnostics()),
    })
}
