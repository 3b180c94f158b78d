//! Draws one model: choices for the view, resume by digest, picture.
//!
//! The picture is drawn from a scene that [`crate`] composes. Its paths count from the [`ModelRoot`].

use super::clip_file::ClipFile;
use super::facts::{ThumbFacts, ThumbView};
use super::limits::ModelDeadline;
use super::model_root::ModelRoot;
use super::options::{InputCheck, Thumbnail, ThumbnailOptions, spin_file};
use super::picture;
use super::skip_reason::{Skip, SkipReason};
use super::spec::THUMBNAIL_REVISION;
use crate::ModelFile;
use crate::camera_words::{ELEVATION_DEG, angles_of_view, is_orthographic};
use crate::clip_folders::{ClipFolders, MAX_CLIPS, MAX_TRIED, stem};
use crate::model_entry::names_in;
use crate::orientation::{Body, Convention, front_of, is_skinned};
use crate::{
    ModelAxes, ThumbnailSpec, Timeline, TurntableSpec, Viewpoint, clip_choice, key_time, viewpoint,
};
use serde::{Deserialize, Serialize};
use std::convert::Infallible;
use std::io::{Cursor, ErrorKind};
use std::path::Path;
use std::sync::Arc;
use tintype_base::amount::counted;
use tintype_base::deadline::TimedOut;
use tintype_base::diagnostic::{Diagnostic, Kind, Place, chain};
use tintype_base::extension::is_md5_model;
use tintype_base::path::ShowPath;
use tintype_base::suggest::nearest_words_text;
use tintype_formats::LoadOptions;
use tintype_model::frame::PIXEL_REVISION;
use tintype_model::math::{Affine3, Vec3, unit_or};
use tintype_model::pose::{Binding, bind_clip, bind_pose, bound_pose, part_of, sample_clip};
use tintype_model::{ClipRange, TextureRole, Warning};
use tintype_output::note::read_note;
use tintype_output::{
    FileFormat, Provenance, Rate, WebPFrame, WebPWriter, decode_png, encode_still,
};
use tintype_raster::RasterOptions;
use tintype_render::asset::input::length_of;
use tintype_render::asset::{
    AssetError, Assets, LoadedClip, LoadedModel, MaterialReport, Opened, PictureSummary,
    SharedFiles,
};
use tintype_scene::builder::Clip;
use tintype_scene::{ClipChoice, ClipWord, Door, Scene, SceneBuilder, decide_clip, read_clip_word};

/// Keyword of the PNG text chunk with the choices.
const CHOSEN: &str = "tintype:thumbnail";
/// Least number of joints with vertices of a figure.
const MIN_JOINTS: usize = 5;
/// Angle in degrees between the front of the model and that in a pose from which the latter counts.
const MIN_TURN_DEG: f32 = 30.0;

/// Frames of the turntable beside a picture, and their rate.
const SPIN_FRAMES: usize = 36;
const SPIN_FPS: f64 = 12.0;

/// Choices of a picture, as its file records them.
#[derive(Serialize, Deserialize)]
struct Chosen {
    view: ThumbView,
    warnings: usize,
}

/// Draws the picture of a model before its deadline, unless the `present` one is the same.
pub fn draw_model(
    model_file: &ModelFile,
    present: Option<&Path>,
    options: &ThumbnailOptions,
    clip_folders: &ClipFolders,
    model_deadline: &ModelDeadline,
) -> Result<Thumbnail, Skip> {
    let said = &options.settings;
    if let Err(error) = said.check() {
        return Err(Skip::new(SkipReason::Input, error.to_string()));
    }
    let load_options = LoadOptions::from(options.limits.limits.clone())
        .with_deadline(model_deadline.deadline().clone())
        .with_files(options.files.clone());
    let unreadable = |error: &std::io::Error| {
        let is_temporary = tintype_base::disk::is_temporary(error);
        let reason = if is_temporary { SkipReason::Temporary } else { SkipReason::Input };
        let message = match error.kind() {
            ErrorKind::NotFound => "no such file".to_owned(),
            _ => format!("cannot be read: {error}"),
        };
        Skip { io_kind: Some(error.kind()), ..Skip::new(reason, message) }
    };
    if !options.held.has(&model_file.path) {
        let length = length_of(&options.files, &model_file.path);
        options.limits.check_file(length.map_err(|error| unreadable(&error))?)?;
    }
    let root = ModelRoot::of(&model_file.path, &options.files)?;
    let beside = match (is_md5_model(&model_file.path), &options.anim) {
        (true, None) => {
            model_deadline.enter("looking for clips")?;
            let joints = options.held.joint_names(&model_file.path);
            let clips = clip_folders.clips_of(&model_file.path, joints, MAX_CLIPS, &load_options);
            clips.map_err(|error| unreadable(&error))?.map_err(|late| model_deadline.skip(late))?
        }
        _ => Vec::new(),
    };

    // The clip: the first of those beside the model that binds to it.
    let mut offered: Vec<Option<ClipFile>> = Vec::new();
    let mut lacks_clip = false;
    match (&options.anim, said.clip().as_deref()) {
        (Some(anim), name) => {
            let mut clip = ClipFile::new(anim.shown());
            if let Some(name) = name {
                let sets = names_in(anim, &load_options);
                let names = if sets.is_empty() { vec![stem(&clip.file)] } else { sets.clone() };
                match named_clip(name, &names) {
                    Some((at, part)) => {
                        (clip.set, clip.part) = ((0..).zip(sets).nth(at), part);
                    }
                    None if name == "bind" => {}
                    None => {
                        go_without(options, name, &names)?;
                        lacks_clip = true;
                    }
                }
            }
            offered.push(Some(clip));
        }
        (None, Some("bind")) if named_clip("bind", &stems(&beside)).is_none() => {
            offered.push(None);
        }
        (None, name) => {
            let named = name.and_then(|name| named_clip(name, &stems(&beside)));
            let named = named.map(|(at, part)| (&beside[at], part));
            match (named, name) {
                (Some((file, part)), _) => {
                    let clip = ClipFile::new(root.beside(file));
                    offered.push(Some(ClipFile { part, ..clip }));
                }
                (None, Some(name)) if is_md5_model(&model_file.path) => {
                    go_without(options, name, &stems(&beside))?;
                    lacks_clip = true;
                }
                _ => {}
            }
            if named.is_none() {
                let suited = beside.iter().filter(|file| clip_choice::is_suited(&stem(file)));
                let suited = suited.take(MAX_TRIED);
                offered.extend(suited.map(|file| Some(ClipFile::new(root.beside(file)))));
                offered.push(None);
            }
        }
    }
    // The model itself is the same in each scene that is tried.
    let shared = SharedFiles::over(&options.held);
    let mut last = None;
    for clip in &offered {
        model_deadline.enter("reading it")?;
        let is_last = clip == offered.last().unwrap_or(&None);
        let (up, front) = (said.up(), said.front());
        let builder = root.scene(options, clip.as_ref(), up.as_deref(), front.as_deref());
        let scene = root.build(builder.clone(), options)?;
        match open(&scene, &root, &load_options, &shared) {
            Ok(opened) if is_last || options.anim.is_some() || is_shown(&opened, options) => {
                let job = ModelJob {
                    options,
                    name: &model_file.name,
                    root: &root,
                    load_options: &load_options,
                    shared: &shared,
                    model_deadline,
                    clip: clip.as_ref(),
                    beside: &beside,
                    lacks_clip,
                };
                return job.go_on(opened, &scene, builder, present);
            }
            Ok(_) => {}
            Err(error) if is_last || error.is_temporary() || error.timed_out().is_some() => {
                return Err(Skip::of(error, model_deadline));
            }
            Err(error) => last = Some(error),
        }
    }
    // Not reached: the last offer returns.
    let skip = |error| Skip::of(error, model_deadline);
    Err(last.map_or_else(|| Skip::new(SkipReason::Input, "no clip"), skip))
}

/// Names of files without their extensions.
fn stems(files: &[String]) -> Vec<String> {
    files.iter().map(|file| stem(file)).collect()
}

fn open<'s>(
    scene: &'s Scene,
    root: &'s ModelRoot,
    load_options: &'s LoadOptions,
    shared: &'s SharedFiles,
) -> Result<Opened<'s>, AssetError> {
    tintype_render::asset::open(scene, &root.root, load_options, Some(shared))
}

/// Whether the clip beside a model is one that it is shown in: it fits, and is named by the user or passes the rule of
/// [`clip_choice`].
fn is_shown(opened: &Opened, options: &ThumbnailOptions) -> bool {
    let asked = options.settings.clip();
    let asked = asked.as_deref();
    opened.models.iter().all(|loaded| {
        let names: Vec<&str> = loaded.clips.iter().map(|clip| clip.name.as_str()).collect();
        let is_asked = asked.is_some_and(|wanted| named_clip(wanted, &names).is_some());
        let model = &loaded.model;
        let binds =
            |clip: &LoadedClip| bind_clip(&model.skeleton, &model.meshes, &clip.clip).is_ok();
        if is_asked {
            loaded.clips.iter().all(binds)
        } else {
            let found = clip_choice::best_clip(loaded, || Ok::<(), Infallible>(()));
            loaded.clips.is_empty() || matches!(found, Ok(Some(_)))
        }
    })
}

/// A model in work.
struct ModelJob<'m> {
    options: &'m ThumbnailOptions,
    /// Name of the model among the others.
    name: &'m str,
    root: &'m ModelRoot,
    load_options: &'m LoadOptions,
    /// Files that were decoded for another of its scenes.
    shared: &'m SharedFiles,
    model_deadline: &'m ModelDeadline,
    /// The clip of another file; none for the clips of the model's file.
    clip: Option<&'m ClipFile>,
    /// Clips in the model's folder that fit it.
    beside: &'m [String],
    /// Whether the named clip is missing from the clip files.
    lacks_clip: bool,
}

impl ModelJob<'_> {
    fn go_on(
        &self,
        opened: Opened,
        scene: &Scene,
        builder: SceneBuilder,
        present: Option<&Path>,
    ) -> Result<Thumbnail, Skip> {
        let Self { options, root, .. } = self;
        self.model_deadline.enter("looking how it stands")?;
        // A figure that would lie is turned upright, and each is seen from its front, as in a turntable.
        let found = match opened.models.first() {
            Some(loaded) => {
                let clip = self.clip_of(loaded, &mut Vec::new())?;
                ModelAxes::of(loaded, clip.map(|(index, _)| index))
            }
            None => None,
        };
        let Some(turned) = found.filter(|found| !found.is_convention) else {
            return self.finish(opened, scene, builder, present);
        };
        let (up, front) = (Some(turned.up.word()), Some(turned.front.word()));
        let builder = root.scene(options, self.clip, up, front);
        let scene = root.build(builder.clone(), options)?;
        self.model_deadline.enter("reading it")?;
        let opened = open(&scene, root, self.load_options, self.shared)
            .map_err(|error| Skip::of(error, self.model_deadline))?;
        self.finish(opened, &scene, builder, present)
    }

    fn finish(
        &self,
        mut opened: Opened,
        scene: &Scene,
        builder: SceneBuilder,
        present: Option<&Path>,
    ) -> Result<Thumbnail, Skip> {
        let options = self.options;
        let mut warnings = Vec::new();
        let facts = self.facts(&opened.models[0]);
        if facts.triangles == 0 {
            return Err(if facts.clips.is_empty() {
                Skip::new(SkipReason::NoMesh, "it holds no triangle, so nothing can be drawn")
            } else {
                Skip::new(SkipReason::ClipsAlone, "it holds clips and no triangle")
            });
        }
        let lacks_clip = self.lacks_clip_of(&opened.models[0])?;
        self.model_deadline.enter("reading textures")?;
        let PictureSummary { inputs, decoded_bytes } = opened.read_pictures();
        if let Some(InputCheck(check)) = &options.input_check {
            check(self.name, &inputs).map_err(|message| Skip::new(SkipReason::Input, message))?;
        }
        options.limits.check_model(&opened.models[0], decoded_bytes, options.size)?;
        let digest = self.digest(&inputs.digest_text());
        let provenance = Provenance::of_this_build(0, digest.clone());
        if let Some(present) = present
            && let Some(Chosen { view, warnings: count }) =
                chosen_before(present, &provenance, options)
            // Only a new picture tells what is shown in it.
            && !(options.strict_assets && count > 0 && !options.verify)
            && (!options.spin || is_spin_current(&spin_file(present), &provenance))
        {
            if count > 0 {
                let message = format!("{} when it was drawn", counted(count, "warning"));
                let warning = Diagnostic::warning(Kind::Model, Place::None, message);
                warnings.push(warning.with_help(Some("--overwrite tells which".to_owned())));
            }
            let (frame, png, spin) = (None, None, None);
            return Ok(Thumbnail { facts, view, digest, warnings, lacks_clip, frame, png, spin });
        }
        if options.verify {
            let is_there = present.is_some_and(Path::exists);
            let message = if is_there { "its picture is torn or stale" } else { "no picture" };
            return Err(Skip::new(SkipReason::Missing, message));
        }
        self.model_deadline.enter("decoding textures")?;
        let finished = opened.finish();
        // A texture that timed out would look like a missing one.
        self.model_deadline.enter("decoding textures")?;
        let mut assets = finished.map_err(|error| Skip::of(error, self.model_deadline))?;
        warnings.extend(assets.warnings.iter().map(|warning| self.root.relative(warning)));
        if let Some(warning) = warnings.iter().find(|warning| warning.is_stand_in)
            && options.strict_assets
        {
            return Err(Skip::new(SkipReason::Input, format!("--no-stand-ins: {warning}")));
        }
        let is_untextured = is_untextured(&assets);
        self.cut_part(&mut assets.models[0])?;

        // The choices.
        let choice = self.choose(&assets, &mut warnings)?;
        let spec = ThumbnailSpec {
            size: options.size,
            settings: options.said(),
            viewpoint: choice.viewpoint,
            is_orthographic: is_orthographic(&options.settings),
            clip: choice.clip.and_then(|(clip, at_s)| Some((u32::try_from(clip).ok()?, at_s))),
            model: scene.models[0].name.clone(),
        };
        let turning = options.spin.then(|| self.turning(&spec, &assets, builder.clone()));
        let scene = self.root.build(spec.add_to(builder), self.options)?;
        let wanted = scene.wanted_clips.iter();
        let without = if self.wants_bind() { ClipChoice::Bind } else { ClipChoice::Rest };
        assets.wanted_clips = wanted
            .map(|_| choice.clip.map_or(without, |(clip, _)| ClipChoice::Clip(clip)))
            .collect();

        // The picture.
        let assets = Arc::new(assets);
        let is_transparent = scene.output.is_transparent();
        let frame = picture::draw(&scene, &assets, self.model_deadline)?;
        let turning = turning.transpose()?;
        let spin = turning.map(|turning| self.spin(&turning, &assets, &provenance)).transpose()?;
        self.model_deadline.enter("writing the picture")?;
        let clip_name = choice.clip.map(|(clip, _)| {
            let mut names = self.clip_names(&assets.models[0]);
            let part = self.asked_clip(&assets.models[0]).and_then(|(_, part)| part);
            let name = names.swap_remove(clip);
            match part {
                Some(range) => format!("{name}:{range}"),
                None => name,
            }
        });
        let view = ThumbView {
            clip: clip_name,
            moment_s: choice.clip.map(|(_, at_s)| at_s),
            azimuth_deg: choice.viewpoint.azimuth_deg,
            elevation_deg: choice.viewpoint.elevation_deg,
            shape: choice.viewpoint.shape.word().to_owned(),
            untextured: is_untextured,
        };
        let Some(format) = options.format else {
            let (frame, png) = (Some(frame), None);
            return Ok(Thumbnail { facts, view, digest, warnings, lacks_clip, frame, png, spin });
        };
        if let (true, Some(message)) = (is_transparent, format.lost_alpha()) {
            warnings.push(Diagnostic::warning(Kind::Value, Place::None, message));
        }
        let chosen = Chosen { view, warnings: warnings.len() };
        let mut chunks = provenance.to_text();
        let json = serde_json::to_string(&chosen)
            .map_err(|error| Skip::new(SkipReason::Input, error.to_string()))?;
        chunks.push((CHOSEN.to_owned(), json));
        let png = encode_still(&frame, format, is_transparent, options.effort, &chunks);
        let (view, frame, png) = (chosen.view, None, Some(png));
        Ok(Thumbnail { facts, view, digest, warnings, lacks_clip, frame, png, spin })
    }

    /// The scene of the turntable beside a picture: half its size, the same clip a whole number of times.
    fn turning(
        &self,
        spec: &ThumbnailSpec,
        assets: &Assets,
        builder: SceneBuilder,
    ) -> Result<Scene, Skip> {
        let clip = spec.clip.map(|(index, _)| index);
        let period_s = clip.map(|index| assets.models[0].clips[index as usize].clip.period_s);
        let mut settings = spec.settings.clone();
        ["view", "time_s"].into_iter().for_each(|key| settings.unsay(key));
        settings.say("size", spec.size.map(|side| side.div_ceil(2)));
        settings.say("azimuth_deg", spec.viewpoint.azimuth_deg);
        settings.say("elevation_deg", spec.viewpoint.elevation_deg);
        settings.say("fov_deg", ThumbnailSpec::fov_deg(&spec.settings));
        if spec.is_orthographic {
            settings.say("projection", "orthographic");
        }
        let spec = TurntableSpec {
            settings,
            timeline: Timeline::new(period_s, Some(SPIN_FRAMES), Some(SPIN_FPS)),
            clip: clip.map_or(Clip::Bind, Clip::Index),
            model: spec.model.clone(),
        };
        self.root.build(spec.add_to(builder), self.options)
    }

    /// Draws the turntable, frame by frame, as an animated WebP.
    fn spin(
        &self,
        scene: &Scene,
        assets: &Arc<Assets>,
        provenance: &Provenance,
    ) -> Result<Vec<u8>, Skip> {
        self.model_deadline.enter("drawing its turntable")?;
        let keep_alpha = scene.output.is_transparent();
        let renderer = picture::prepare(scene, assets, self.model_deadline)?;
        let failed = |error: std::io::Error| Skip::new(SkipReason::Output, error.to_string());
        let rate = Rate::new(SPIN_FPS);
        let mut bytes = Cursor::new(Vec::new());
        let mut writer =
            WebPWriter::new(&mut bytes, scene.output.size, rate, keep_alpha).map_err(failed)?;
        for number in scene.output.frames.iter() {
            self.model_deadline.enter("drawing its turntable")?;
            let drawn = renderer.draw(number, RasterOptions::default());
            let drawn = drawn.map_err(|error| Skip::new(SkipReason::Input, chain(&error)))?;
            writer.add(&WebPFrame::new(&drawn.frame, keep_alpha)).map_err(failed)?;
        }
        writer.finish(&provenance.to_text()).map_err(failed)?;
        Ok(bytes.into_inner())
    }

    /// Names of the clips of a loaded model.
    fn clip_names(&self, loaded: &LoadedModel) -> Vec<String> {
        match self.clip {
            Some(clip) => vec![clip.name()],
            None => loaded.clips.iter().map(|clip| clip.name.clone()).collect(),
        }
    }

    /// The clip that the options name among those of a loaded model, and the part of it; a clip of another file is alone there.
    fn asked_clip(&self, loaded: &LoadedModel) -> Option<(usize, Option<ClipRange>)> {
        match self.clip {
            Some(clip) => Some((0, clip.part)),
            None => named_clip(&self.options.settings.clip()?, &self.clip_names(loaded)),
        }
    }

    /// Whether a model without the named clip is drawn with its default clip.
    ///
    /// # Errors
    /// As [`go_without`].
    fn lacks_clip_of(&self, loaded: &LoadedModel) -> Result<bool, Skip> {
        match self.options.settings.clip().as_deref() {
            Some(wanted)
                if !self.lacks_clip && wanted != "bind" && self.asked_clip(loaded).is_none() =>
            {
                go_without(self.options, wanted, &self.clip_names(loaded))?;
                Ok(true)
            }
            _ => Ok(self.lacks_clip),
        }
    }

    /// Replaces the clip that the options name by the part that they name.
    fn cut_part(&self, loaded: &mut LoadedModel) -> Result<(), Skip> {
        let Some((index, Some(range))) = self.asked_clip(loaded) else { return Ok(()) };
        let Some(clip) = loaded.clips.get_mut(index) else { return Ok(()) };
        let ticks = clip.ticks.map(|ticks| ticks.per_second);
        let part = part_of(&clip.clip, &range, ticks)
            .map_err(|error| Skip::new(SkipReason::Input, format!("--clip: {error}")))?;
        clip.clip = Arc::new(part);
        Ok(())
    }

    fn facts(&self, loaded: &LoadedModel) -> ThumbFacts {
        let meshes = &loaded.model.meshes;
        let own = loaded.clips.iter().filter(|_| self.clip.is_none());
        let beside = self.beside.iter().map(|file| stem(file));
        ThumbFacts {
            meshes: meshes.len(),
            triangles: meshes.iter().map(|mesh| mesh.triangles.len()).sum(),
            vertices: meshes.iter().map(tintype_model::Mesh::file_vertex_count).sum(),
            joints: loaded.model.skeleton.len(),
            clips: own.map(|clip| clip.name.clone()).chain(beside).collect(),
        }
    }

    /// Digest of everything that the picture depends on, without paths of this machine.
    fn digest(&self, files: &str) -> String {
        let [width, height] = self.options.size;
        let anim = self.options.anim.as_ref().map(|anim| format!("{:?}", anim.shown()));
        let mut files = match &anim {
            Some(anim) => files.replace(anim.as_str(), "\"-a\""),
            None => files.to_owned(),
        };
        for (name, file) in &self.options.texture_files {
            files = files.replace(&format!("{:?}", file.shown()), &format!("{name:?}"));
        }
        let plain = if self.options.grey_for_missing_textures { "plain\n" } else { "" };
        let file_scene = match &self.options.file_scene {
            Some(scene) => format!("file scene {scene:?}\n"),
            None => String::new(),
        };
        let set = match self.clip.and_then(|clip| clip.set.as_ref()) {
            Some((index, _)) => format!("clip {index} of its file\n"),
            None => String::new(),
        };
        let said = self.options.said().digest_text(Door::Thumbnail);
        let text = format!(
            "thumbnail {THUMBNAIL_REVISION}\n{plain}pixel revision {PIXEL_REVISION}\n{}\nsize {width}x{height}\n{said}{file_scene}{set}{files}",
            env!("CARGO_PKG_VERSION")
        );
        blake3::hash(text.as_bytes()).to_hex().to_string()
    }

    /// Chooses the clip, its key time and the viewpoint.
    fn choose(&self, assets: &Assets, warnings: &mut Vec<Diagnostic>) -> Result<Choice, Skip> {
        let said = &self.options.settings;
        let loaded = &assets.models[0];
        let model = &loaded.model;
        let upright = Affine3::from_mat3(loaded.upright);
        const CHOOSING: &str = "choosing a view";
        self.model_deadline.enter(CHOOSING)?;
        let is_late = || self.model_deadline.deadline().is_over();
        let late = || self.model_deadline.skip(TimedOut { stage: CHOOSING });
        let is_drawn = |mesh: usize| {
            let material = loaded.mesh_materials.get(mesh).and_then(|&at| assets.materials.get(at));
            material.is_none_or(|material| material.opacity > 0.0)
        };
        let clip = self.clip_of(loaded, warnings)?;
        let level = |v: Vec3| unit_or(Vec3::new(v.x, 0.0, v.z), Vec3::Z);
        let front = level(loaded.front);

        // 1. The key time, as seen from the front.
        let moment = match (&clip, said.time_s()) {
            (None, None) => None,
            (None, Some(time_s)) => {
                let message = format!("time {time_s} s: no clip of it plays");
                if !self.options.draws_without_clip {
                    return Err(Skip::new(SkipReason::Input, message));
                }
                warnings.push(Diagnostic::warning(Kind::Clip, Place::None, message));
                None
            }
            (Some((index, _)), Some(time_s)) => Some(self.time_of(&loaded.clips[*index], time_s)?),
            (Some((index, binding)), None) => {
                let clip = (loaded.clips[*index].clip.as_ref(), binding, said.wrap());
                let at_s =
                    key_time::find_key_time(model, clip, &upright, &is_drawn, front, &is_late);
                Some(at_s.ok_or_else(late)?)
            }
        };
        let pose = match (&clip, moment) {
            (Some((index, binding)), Some(at_s)) => {
                let clip = &loaded.clips[*index].clip;
                sample_clip(&model.skeleton, clip, binding, clip.start_s + at_s)
            }
            _ if self.wants_bind() => bound_pose(&model.skeleton),
            _ => bind_pose(&model.skeleton),
        };

        // 2. The front in that pose: a clip may turn the model, and its hips by less.
        let body = Body::of_model(model, &pose, &upright, &is_drawn);
        let convention = Convention { front, ..Convention::of(loaded, &body) };
        let found = front_of(&body, said.front().map(|_| front), &convention);
        let turn = viewpoint::turn_deg(front, found.direction);
        let is_turned = !found.is_convention() && turn.abs() >= MIN_TURN_DEG;
        let turn_deg = if is_turned { (turn / 15.0 + 0.5).floor() * 15.0 } else { 0.0 };
        let (ahead, _) = viewpoint::directions(front, turn_deg, 0.0);

        // 3. The viewpoint.
        let is_named = found.votes.iter().any(|vote| vote.cue.reads_names());
        let pulling = pulling_joints(loaded);
        let is_figure = pulling >= MIN_JOINTS || is_named && pulling > 1;
        let solid = key_time::solid_of(model, &pose, &upright, &is_drawn);
        if solid.is_empty() {
            let drawn = (0..).zip(&model.meshes).filter(|(k, _)| is_drawn(*k));
            let message = match drawn.map(|(_, mesh)| mesh.triangles.len()).sum::<usize>() {
                0 => "nothing of it is drawn: its materials are invisible".to_owned(),
                count => format!(
                    "nothing of it is seen, the picture is empty: all {count} triangles have no area"
                ),
            };
            return Err(Skip::new(SkipReason::Empty, message));
        }
        let kind = (is_figure, is_skinned(model));
        let best = viewpoint::best_viewpoint(&solid, ahead, kind, &is_late).ok_or_else(late)?;
        let chosen = [best.azimuth_deg, best.elevation_deg];
        let chosen = match viewpoint::only_side(loaded, &assets.materials) {
            Some(side) => viewpoint::before_side(chosen, ahead, side),
            None => chosen,
        };
        let asked = angles_of_view(said);
        let [azimuth_deg, elevation_deg] = asked.unwrap_or(chosen);
        let fixed = (said.azimuth_deg(), said.elevation_deg());
        let [azimuth_deg, elevation_deg] = match fixed {
            (None, None) => [azimuth_deg, elevation_deg],
            (azimuth, Some(elevation)) => [azimuth.unwrap_or(azimuth_deg), elevation],
            (Some(azimuth), None) if asked.is_some() => [azimuth, elevation_deg],
            (Some(azimuth), None) => [azimuth, ELEVATION_DEG],
        };
        let azimuth_deg = wrapped(azimuth_deg + f64::from(turn_deg));
        let clip = clip.map(|(index, _)| index).zip(moment);
        Ok(Choice { clip, viewpoint: Viewpoint { azimuth_deg, elevation_deg, ..best } })
    }

    /// The time that is asked for, in seconds from the first key of a clip; beyond its ends only if it is said how the clip goes on
    /// there.
    fn time_of(&self, clip: &LoadedClip, time_s: f64) -> Result<f64, Skip> {
        let length_s = clip.clip.length_s();
        // A millisecond is what people write of a length that has more digits.
        let is_inside = (0.0..length_s + 0.001).contains(&time_s);
        if is_inside || self.options.settings.wrap().is_some() {
            return Ok(time_s);
        }
        let name = if clip.name.is_empty() { String::new() } else { format!(" {:?}", clip.name) };
        let message = format!("time {time_s} s: the clip{name} has {length_s:.3} s");
        Err(Skip::new(SkipReason::Input, message))
    }

    /// Whether the bind pose is asked for, unless a clip has that name.
    fn wants_bind(&self) -> bool {
        self.options.settings.clip().as_deref() == Some("bind")
    }

    /// The clip that is shown: that of the other file, else the best by name of the model's own clips that bind.
    fn clip_of(
        &self,
        loaded: &LoadedModel,
        warnings: &mut Vec<Diagnostic>,
    ) -> Result<Option<(usize, Binding)>, Skip> {
        let model = &loaded.model;
        let bind =
            |index: usize| bind_clip(&model.skeleton, &model.meshes, &loaded.clips[index].clip);
        let names = self.clip_names(loaded);
        // A clip of that name comes before the bind pose.
        let is_bind = self.wants_bind() && named_clip("bind", &names).is_none();
        if loaded.clips.is_empty() {
            return Ok(None);
        }
        let wish = if is_bind {
            Some(None)
        } else if let Some((index, _)) = self.asked_clip(loaded) {
            self.model_deadline.enter("looking for a clip that fits")?;
            let (binding, found) = bind(index).map_err(|error| {
                Skip::new(SkipReason::Input, format!("the clip does not fit: {error}"))
            })?;
            let warning =
                |found: Warning| Diagnostic::warning(Kind::Clip, Place::None, found.message);
            if self.clip.is_some() {
                warnings.extend(found.into_iter().map(warning));
            }
            Some(Some((index, binding)))
        } else {
            None
        };
        let enter = || self.model_deadline.enter("looking for a clip that fits");
        let guess = || Ok(clip_choice::best_clip(loaded, enter)?.map(Some));
        Ok(decide_clip(wish, None, None, guess)?.value)
    }
}

/// The index of a clip as [`read_clip_word`] finds it, and the part of it.
fn named_clip(wanted: &str, names: &[impl AsRef<str>]) -> Option<(usize, Option<ClipRange>)> {
    let names: Vec<&str> = names.iter().map(AsRef::as_ref).collect();
    match read_clip_word(wanted, &names) {
        Ok(ClipWord::Clip { index, part }) => Some((index, part)),
        Ok(ClipWord::Bind) | Err(_) => None,
    }
}

/// Goes on without a clip that is asked for, where that is allowed.
///
/// # Errors
/// [`SkipReason::Clip`] with the names that there are.
fn go_without(
    options: &ThumbnailOptions,
    name: &str,
    names: &[impl AsRef<str>],
) -> Result<(), Skip> {
    if options.draws_without_clip {
        return Ok(());
    }
    let names: Vec<&str> = names.iter().map(AsRef::as_ref).collect();
    let there = match names.as_slice() {
        [] => "the model has none".to_owned(),
        names => nearest_words_text(name, names),
    };
    Err(Skip::new(SkipReason::Clip, format!("no clip {name:?}; {there}")))
}

struct Choice {
    clip: Option<(usize, f64)>,
    viewpoint: Viewpoint,
}

/// Whether textures are missing and none was found.
fn is_untextured(assets: &Assets) -> bool {
    let reports = &assets.material_reports;
    let has_texture = |report: &MaterialReport| {
        TextureRole::ALL.iter().any(|&role| report.texture(role).is_some())
    };
    reports.iter().any(|report| report.origin.is_missing()) && !reports.iter().any(has_texture)
}

/// Whether a turntable is there, and the one that would be drawn: its note is the end of its file.
fn is_spin_current(path: &Path, wanted: &Provenance) -> bool {
    let bytes = tintype_base::disk::read_regular(path).unwrap_or_default();
    let note = read_note(&bytes).filter(|_| FileFormat::WebP.is_format_of(&bytes));
    note.is_some_and(|note| Provenance::from_text(&note.text).is_ok_and(|own| own == *wanted))
}

/// Number of joints with vertices.
fn pulling_joints(loaded: &LoadedModel) -> usize {
    let mut pulls = vec![false; loaded.model.skeleton.len()];
    for mesh in &loaded.model.meshes {
        mesh.influences.iter().for_each(|influence| pulls[influence.joint().index()] = true);
    }
    pulls.into_iter().filter(|&pulls| pulls).count()
}

/// Wraps degrees to -180..180.
fn wrapped(degrees: f64) -> f64 {
    if degrees > 180.0 {
        degrees - 360.0
    } else if degrees < -180.0 {
        degrees + 360.0
    } else {
        degrees
    }
}

/// Choices that a file records, if it is complete and the picture that would be drawn.
fn chosen_before(path: &Path, wanted: &Provenance, options: &ThumbnailOptions) -> Option<Chosen> {
    let bytes = tintype_base::disk::read_regular(path).ok()?;
    let (size, text) = match options.format? {
        FileFormat::Png => {
            let (frame, text) = decode_png(&bytes).ok()?;
            ([frame.width, frame.height], text)
        }
        format => {
            let note = read_note(&bytes).filter(|note| note.is_sealed)?;
            format.is_format_of(&bytes).then_some((note.size, note.text))?
        }
    };
    let is_same = Provenance::from_text(&text).ok()? == *wanted && size == options.size;
    let (_, chosen) = text.iter().find(|(keyword, _)| keyword == CHOSEN)?;
    serde_json::from_str(chosen).ok().filter(|_| is_same)
}
