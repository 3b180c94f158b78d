//! The summary of a file as JSON: its fields follow `inspect.schema.json`.

use crate::lint::Problem;
use crate::summary::{CameraSummary, ClipSummary, ModelSummary};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;
use tintype_base::amount::format_rate;
use tintype_base::path::ShowPath;
use tintype_formats::Files;
use tintype_formats::image::sniff;
use tintype_formats::x::TickRate;
use tintype_framing::orientation::OrientationRecord;
use tintype_model::{AlphaMode, ClipOptions, MorphTarget, Texture, TextureRole};
use tintype_render::asset::input::read_head;
use tintype_render::asset::{Assets, LoadedClip, LoadedModel, MaterialReport, MtrReport};
use tintype_scene::{FramePosition, Instance, Scene};

/// Everything that is known about one file.
#[derive(Serialize)]
pub struct InspectReport {
    /// Increased when a field changes its meaning or is removed.
    pub version: u32,
    /// Path as the user wrote it.
    pub file: String,
    /// Files in an archive, or in a folder of one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub files: Option<Vec<FileSummary>>,
    /// Of a scene file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scene: Option<SceneSummary>,
    /// Models of the file, or of the scene.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub models: Vec<NamedModel>,
    /// For a file with one clip and no model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clip: Option<ClipSummary>,
    /// The clips of a `.x` file without meshes.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub clips: Vec<NamedClip>,
    /// For a file with only a camera.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub camera: Option<CameraSummary>,
    /// Materials that the models are drawn with.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub materials: Vec<MaterialSummary>,
    /// For a clip without a model; models have separate lists.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub problems: Vec<Problem>,
    /// Warnings of the readers of the files.
    pub warnings: Vec<String>,
}

/// A file in an archive.
#[derive(Serialize)]
pub struct FileSummary {
    /// Its path, through the archive.
    pub path: String,
    /// Its length.
    pub bytes: u64,
}

/// Output and contents of a scene.
#[derive(Serialize)]
pub struct SceneSummary {
    /// Width and height in pixels.
    pub size: [u32; 2],
    /// Settings made by the scene, by the keys of `[output]`, in the notation of options.
    pub settings: BTreeMap<String, String>,
    /// Numbers of the frames, as a list of ranges.
    pub frames: String,
    /// Number of frames.
    pub frame_count: usize,
    /// Frames of a second.
    pub fps: f64,
    /// Number of instances.
    pub instances: usize,
    /// Triangles of all instances.
    pub triangles: usize,
    /// The instances.
    pub shown: Vec<InstanceSummary>,
    /// Estimated memory of a render.
    pub memory: MemorySummary,
}

/// Instances of a scene.
#[derive(Serialize)]
pub struct InstanceSummary {
    /// Name of its model.
    pub model: String,
    /// Name of its clip.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clip: Option<String>,
    /// Time of the clip at the first frame, in seconds.
    pub start_s: f64,
    /// Seconds of the clip in a second of the scene.
    pub speed: f64,
    /// In the first frame.
    pub position: [f32; 3],
    /// In the first frame: one factor, or one per axis.
    pub scale: ScaleSummary,
}

/// Factors of size.
#[derive(Serialize)]
#[serde(untagged)]
pub enum ScaleSummary {
    /// One factor.
    Even(f64),
    /// A factor of each axis.
    Uneven([f64; 3]),
}

impl InstanceSummary {
    fn of(instance: &Instance, scene: &Scene, assets: &Assets) -> Self {
        let clips = assets.models.get(instance.model).map_or(&[][..], |model| &model.clips);
        let clip = assets.clip_of(instance.model, instance.clip).and_then(|clip| clips.get(clip));
        let model = scene.models.get(instance.model);
        let n = scene.output.frames.len();
        let time_s =
            scene.output.frames.iter().next().map_or(0.0, |frame| scene.output.time_s(frame));
        let first = FramePosition { k: 0, n, time_s };
        let transform = instance.transform(first);
        let [x, y, z] = match &instance.placement.matrix {
            Some(matrix) => matrix.matrix3.to_cols_array_2d().map(|axis| {
                axis.iter().map(|part| f64::from(*part) * f64::from(*part)).sum::<f64>().sqrt()
            }),
            None => instance.placement.scale.at(first),
        };
        Self {
            model: model.map_or_else(String::new, |model| model.name.clone()),
            clip: clip.map(|clip| clip.name.clone()),
            start_s: instance.start_s,
            speed: instance.speed,
            position: transform.translation.to_array(),
            scale: if x == y && y == z {
                ScaleSummary::Even(x)
            } else {
                ScaleSummary::Uneven([x, y, z])
            },
        }
    }
}

/// Estimated memory that `render` takes for a scene, in bytes.
#[derive(Serialize)]
pub struct MemorySummary {
    /// Models.
    pub models: usize,
    /// Clips.
    pub clips: usize,
    /// Textures.
    pub textures: usize,
    /// For each frame in flight: the picture, its file, and the posed vertices and set-up triangles
    /// of all instances.
    pub frame: usize,
    /// Frames that are drawn at a time.
    pub frames_in_flight: usize,
    /// The total.
    pub total: usize,
}

impl MemorySummary {
    /// The program itself, its threads and the buffers of its files.
    const PROGRAM: usize = 8 << 20;
    /// A triangle set up for drawing, its corners and its entries in the lists of tiles.
    const TRIANGLE: usize = 160;
    /// A posed vertex: position, normal and tangent, and its position on the screen.
    const VERTEX: usize = 9 * 4 + 32;

    fn of(scene: &Scene, assets: &Assets) -> Self {
        let mesh_bytes = |mesh: &tintype_model::Mesh| {
            let vertex = 8 + 4 + 4 + if mesh.colors.is_empty() { 0 } else { 16 };
            mesh.influences.len() * (32 + 12)
                + mesh.vertex_count() * vertex
                + mesh.triangles.len() * 12
                + mesh.dual.as_ref().map_or(0, |dual| dual.byte_size())
                + mesh.morph.as_ref().map_or(0, |morph| {
                    let targets: usize = morph.targets.iter().map(MorphTarget::byte_size).sum();
                    targets + morph.carrier_of.len() * 4
                })
        };
        let model =
            |model: &LoadedModel| -> usize { model.model.meshes.iter().map(mesh_bytes).sum() };
        let clip = |clip: &LoadedClip| -> usize {
            let tracks = clip.clip.joints.iter();
            let morphs = clip.clip.morphs.iter();
            let morphs: usize = morphs.map(|track| track.weight.values.len() * 4).sum();
            tracks
                .map(|joint| {
                    joint.translation.values.len() * 12
                        + joint.rotation.values.len() * 16
                        + joint.scale.values.len() * 12
                })
                .sum::<usize>()
                + morphs
        };
        let models = assets.models.iter().map(model).sum();
        // A clip and its parts have common keys.
        let mut seen = BTreeSet::new();
        let clips = assets.models.iter().flat_map(|model| &model.clips);
        let clips = clips.filter(|clip| seen.insert(Arc::as_ptr(&clip.clip.joints).addr()));
        let clips = clips.map(clip).sum();
        let textures = assets.textures.iter().map(Texture::byte_size).sum();
        let drawn = |instance: &Instance| -> usize {
            let meshes = assets.models.get(instance.model).map_or(&[][..], |m| &m.model.meshes);
            meshes
                .iter()
                .map(|mesh| {
                    mesh.vertex_count() * Self::VERTEX + mesh.triangles.len() * Self::TRIANGLE
                })
                .sum()
        };
        let [width, height] = scene.output.size.map(|side| side as usize);
        let frame = width * height * 4 * 2 + scene.instances.iter().map(drawn).sum::<usize>();
        let frames_in_flight = rayon::current_num_threads().min(scene.output.frames.len()).max(1);
        let total = Self::PROGRAM + models + clips + textures + frame * frames_in_flight;
        Self { models, clips, textures, frame, frames_in_flight, total }
    }
}

impl SceneSummary {
    /// Counts of a scene and of its content.
    pub fn of(scene: &Scene, assets: &Assets) -> Self {
        let triangles = |model: usize| -> usize {
            assets.models[model].model.meshes.iter().map(|mesh| mesh.triangles.len()).sum()
        };
        let shown = scene.instances.iter();
        Self {
            size: scene.output.size,
            settings: scene.said().clone().into(),
            frames: scene.output.frames.to_string(),
            frame_count: scene.output.frames.len(),
            fps: format_rate(scene.output.fps),
            instances: scene.instances.len(),
            triangles: scene.instances.iter().map(|instance| triangles(instance.model)).sum(),
            shown: shown.map(|instance| InstanceSummary::of(instance, scene, assets)).collect(),
            memory: MemorySummary::of(scene, assets),
        }
    }
}

/// A model with its clips.
#[derive(Serialize)]
pub struct NamedModel {
    /// Name in the scene, or of the file.
    pub name: String,
    /// Path of its file.
    pub file: String,
    /// Counts and sizes.
    #[serde(flatten)]
    pub facts: ModelSummary,
    /// Rate of a file that counts time in ticks.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ticks_per_second: Option<f64>,
    /// The rule that gave the ticks per second.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ticks: Option<String>,
    /// Clips that it may play.
    pub clips: Vec<NamedClip>,
    /// Options that the user may want to set for the model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
    /// The axes used by a turntable, unless the scene sets them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub orientation: Option<OrientationRecord>,
    /// The clip shown by a thumbnail. None without clips.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub thumbnail: Option<ThumbnailRecord>,
    /// Mistakes of its rig.
    pub problems: Vec<Problem>,
}

/// Clip that a thumbnail of the file shows.
#[derive(Clone, Debug, Serialize)]
pub struct ThumbnailRecord {
    /// Its name. None for the bind pose.
    pub clip: Option<String>,
    /// The part of the rule that decided.
    pub reason: &'static str,
}

/// A clip with its facts.
#[derive(Serialize)]
pub struct NamedClip {
    /// Its name.
    pub name: String,
    /// Path of its file.
    pub file: String,
    /// Counts and times.
    #[serde(flatten)]
    pub facts: ClipSummary,
    /// The times of the first and the last key, if the file counts in ticks.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ticks: Option<[f64; 2]>,
    /// Rate of a file that counts time in ticks.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ticks_per_second: Option<f64>,
    /// The rule that determined the ticks per second, if they are given for each clip.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ticks_rule: Option<String>,
    /// Playback options of its animations.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub options: Option<OptionSummary>,
}

/// Playback options of the animations of a clip, as counts.
#[derive(Serialize)]
pub struct OptionSummary {
    /// All animations.
    pub animations: usize,
    /// Those that end.
    pub open: usize,
    /// Those that repeat.
    pub closed: usize,
    /// Those with spline keys.
    pub spline: usize,
}

impl NamedClip {
    /// Describes a clip of a model; for files without meshes, `model` only provides the common
    /// facts of its clips.
    pub fn of(clip: &LoadedClip, model: &LoadedModel) -> Self {
        let moved = Some(model.model.as_ref()).filter(|model| !model.meshes.is_empty());
        let facts = ClipSummary::of(&clip.clip, moved);
        let ticks = |rate: TickRate| {
            // Ticks are integers in nearly all files: the error of division is rounded away.
            [facts.start_s, facts.start_s + facts.length_s]
                .map(|time_s| (time_s * rate.per_second * 1e6).round() / 1e6)
        };
        let ClipOptions { animations, open, closed, spline, .. } = clip.options;
        Self {
            name: clip.name.clone(),
            file: clip.file.clone(),
            ticks: clip.ticks.map(ticks),
            ticks_per_second: clip.ticks.map(|rate| rate.per_second),
            // The clips of the model's file use its tick rate.
            ticks_rule: clip
                .ticks
                .filter(|rate| Some(*rate) != model.ticks || moved.is_none())
                .map(|rate| rate.to_string()),
            options: (open + closed + spline > 0).then_some(OptionSummary {
                animations,
                open,
                closed,
                spline,
            }),
            facts,
        }
    }
}

/// A material with its found pictures.
#[derive(Serialize)]
pub struct MaterialSummary {
    /// Name in the model.
    pub shader: String,
    /// Place where it was found.
    pub origin: String,
    /// File of the colour.
    pub diffuse: Option<String>,
    /// File of the normal map.
    pub normal: Option<String>,
    /// File of the specular colour.
    pub specular: Option<String>,
    /// File of the emission.
    pub glow: Option<String>,
    /// Blending with the background.
    pub alpha: &'static str,
    /// The pictures that it is drawn with.
    pub textures: Vec<TextureSummary>,
    /// Missing paths.
    pub tried: Vec<String>,
    /// Folders that were searched.
    pub searched: Vec<String>,
    /// Choices not stated in files: guesses, and values that are drawn differently.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// Its Doom 3 material file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mtr: Option<MtrSummary>,
}

/// A picture that a material is drawn with.
#[derive(Serialize)]
pub struct TextureSummary {
    /// Its use in the material.
    pub role: &'static str,
    /// None for a picture made from others.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
    /// Format of the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub format: Option<String>,
    /// Its memory in bytes, including all of its smaller levels.
    pub memory: usize,
}

/// Declaration of a Doom 3 material.
#[derive(Serialize)]
pub struct MtrSummary {
    /// Path of the file.
    pub file: String,
    /// Line of the declaration, from 1.
    pub line: u32,
    /// Pictures that are made from others.
    pub programs: Vec<ProgramSummary>,
    /// Remarks on values that are drawn differently from their definition.
    pub notes: Vec<NoteSummary>,
}

/// A picture that is made from others.
#[derive(Serialize)]
pub struct ProgramSummary {
    /// Its use in the material.
    pub role: &'static str,
    /// The program as written in the file.
    pub program: String,
}

/// A remark on a line of a material file.
#[derive(Serialize)]
pub struct NoteSummary {
    /// Line, from 1.
    pub line: u32,
    /// The finding.
    pub message: String,
}

impl MtrSummary {
    fn of(report: &MtrReport) -> Self {
        let program = |(role, program): &(&'static str, String)| ProgramSummary {
            role,
            program: program.clone(),
        };
        let note =
            |(line, message): &(u32, String)| NoteSummary { line: *line, message: message.clone() };
        Self {
            file: report.path.shown(),
            line: report.line,
            programs: report.programs.iter().map(program).collect(),
            notes: report.notes.iter().map(note).collect(),
        }
    }
}

impl MaterialSummary {
    /// All materials of the assets, which were read from `files`.
    pub fn all(assets: &Assets, files: &Files) -> Vec<Self> {
        (0..assets.material_reports.len()).map(|index| Self::of(assets, index, files)).collect()
    }

    fn of(assets: &Assets, index: usize, files: &Files) -> Self {
        let report: &MaterialReport = &assets.material_reports[index];
        let material = assets.materials.get(index);
        let roles = TextureRole::ALL.map(|role| {
            let texture = material.and_then(|material| material.texture(role));
            (role.name(), report.texture(role), texture)
        });
        let is_made = |role: &str| {
            let programs = report.mtr.iter().flat_map(|mtr| &mtr.programs);
            programs.into_iter().any(|(made, _)| *made == role)
        };
        let textures = roles.iter().filter_map(|&(role, path, texture)| {
            // The checker of a missing picture is not the material's.
            let level =
                assets.textures.get(texture?).filter(|_| path.is_some() || is_made(role))?;
            let first = level.levels.first()?;
            Some(TextureSummary {
                role,
                file: path.map(|path| path.shown()),
                width: first.width,
                height: first.height,
                format: path.and_then(|path| format_of(path, files)),
                memory: level.byte_size(),
            })
        });
        let [diffuse, normal, specular, glow, ..] =
            roles.map(|(_, path, _)| path.map(|path| path.shown()));
        Self {
            shader: report.shader.clone(),
            origin: report.origin.to_string(),
            diffuse,
            normal,
            specular,
            glow,
            alpha: material.map_or(AlphaMode::Opaque, |material| material.alpha).name(),
            textures: textures.collect(),
            tried: report.tried.clone(),
            searched: report.searched.iter().map(|path| folder_text(path)).collect(),
            notes: report.notes.clone(),
            mtr: report.mtr.as_ref().map(MtrSummary::of),
        }
    }
}

/// A folder; the working folder is a dot.
fn folder_text(path: &Path) -> String {
    if path.as_os_str().is_empty() { ".".to_owned() } else { path.shown() }
}

/// The kind of a picture file, by its first bytes and its name.
fn format_of(path: &Path, files: &Files) -> Option<String> {
    let start = read_head(files, path, 64).ok()?;
    let name = path.file_name()?.to_string_lossy();
    Some(sniff(&start, &name).ok()?.to_string())
}
