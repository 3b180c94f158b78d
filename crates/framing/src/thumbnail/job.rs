//! A model being drawn: its facts, its digest, its clip and its picture.

use super::chosen::{Choice, Chosen, chosen_before, is_spin_current};
use super::clip_file::ClipFile;
use super::facts::{ThumbFacts, ThumbView};
use super::limits::ModelDeadline;
use super::model_root::ModelRoot;
use super::offers::{go_without, named_clip};
use super::options::{InputCheck, Thumbnail, ThumbnailOptions, spin_file};
use super::picture;
use super::skip_reason::{Skip, SkipCause, SkipReason};
use super::spec::THUMBNAIL_REVISION;
use crate::camera_words::is_orthographic;
use crate::clip_folders::stem;
use crate::{ModelAxes, ThumbnailSpec, Timeline, TurntableSpec, clip_choice};
use std::io::Cursor;
use std::path::Path;
use std::sync::Arc;
use tintype_base::amount::counted;
use tintype_base::diagnostic::{Diagnostic, Kind, Place, chain};
use tintype_base::path::ShowPath;
use tintype_formats::LoadOptions;
use tintype_model::frame::PIXEL_REVISION;
use tintype_model::pose::{Binding, bind_clip, part_of};
use tintype_model::{ClipRange, TextureRole, Warning};
use tintype_output::{Provenance, Rate, WebPWriter, encode_still, reduce_colors};
use tintype_raster::RasterOptions;
use tintype_render::asset::{
    AssetError, Assets, LoadedClip, LoadedModel, MaterialReport, Opened, PictureSummary,
    SharedFiles,
};
use tintype_scene::builder::Clip;
use tintype_scene::{ClipChoice, Door, Scene, SceneBuilder, decide_clip};

/// Frames of the turntable beside a picture, and their rate.
const SPIN_FRAMES: usize = 20;
const SPIN_FPS: f64 = 8.0;

pub(super) fn open<'s>(
    scene: &'s Scene,
    root: &'s ModelRoot,
    load_options: &'s LoadOptions,
    shared: &'s SharedFiles,
) -> Result<Opened<'s>, AssetError> {
    tintype_render::asset::open(scene, &root.root, load_options, Some(shared))
}

/// A model in work.
pub(super) struct ModelJob<'m> {
    pub options: &'m ThumbnailOptions,
    /// Name of the model among the others.
    pub name: &'m str,
    pub root: &'m ModelRoot,
    pub load_options: &'m LoadOptions,
    /// Files decoded for another of its scenes.
    pub shared: &'m SharedFiles,
    pub model_deadline: &'m ModelDeadline,
    /// The clip of another file. None for the clips of the model's file.
    pub clip: Option<&'m ClipFile>,
    /// Clips in the model's folder that fit it.
    pub beside: &'m [String],
    /// True if the named clip is missing from the clip files.
    pub lacks_clip: bool,
}

impl ModelJob<'_> {
    pub(super) fn go_on(
        &self,
        opened: Opened,
        scene: &Scene,
        builder: SceneBuilder,
        present: Option<&Path>,
    ) -> Result<Thumbnail, Skip> {
        let Self { options, root, .. } = self;
        self.model_deadline.enter("finding its orientation")?;
        // A lying figure is turned upright, and each is seen from its front, as in a turntable.
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
        let facts = self.facts(&opened.models[0]);
        if facts.triangles == 0 {
            return Err(if facts.clips.is_empty() {
                Skip::new(SkipReason::NoMesh, "no triangles to draw")
            } else {
                Skip::new(SkipReason::ClipsAlone, "it has clips but no triangles")
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
        if let Some((view, warning)) = self.kept_view(present, &provenance) {
            let warnings = warning.into_iter().collect();
            let (frame, png, spin) = (None, None, None);
            return Ok(Thumbnail { facts, view, digest, warnings, lacks_clip, frame, png, spin });
        }
        if options.verify {
            let is_there = present.is_some_and(Path::exists);
            let message =
                if is_there { "its picture is incomplete or out of date" } else { "no picture" };
            return Err(Skip::new(SkipReason::Missing, message));
        }
        let mut warnings = Vec::new();
        let mut assets = self.decoded(opened, &mut warnings)?;
        let is_untextured = is_untextured(&assets);
        self.cut_part(&mut assets.models[0])?;
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

        let assets = Arc::new(assets);
        let frame = picture::draw(&scene, &assets, self.model_deadline)?;
        let turning = turning.transpose()?;
        let spin = turning.map(|turning| self.spin(&turning, &assets, &provenance)).transpose()?;
        self.model_deadline.enter("writing the picture")?;
        let view = self.view(&choice, &assets.models[0], is_untextured);
        let Some(format) = options.format else {
            let (frame, png) = (Some(frame), None);
            return Ok(Thumbnail { facts, view, digest, warnings, lacks_clip, frame, png, spin });
        };
        let is_transparent = scene.output.is_transparent();
        if let (true, Some(message)) = (is_transparent, format.lost_alpha()) {
            warnings.push(Diagnostic::warning(Kind::Value, Place::None, message));
        }
        let chosen = Chosen { view, warnings: warnings.len() };
        let chunks = chosen.texts(&provenance)?;
        let png = encode_still(&frame, format, is_transparent, options.effort, &chunks);
        let (view, frame, png) = (chosen.view, None, Some(png));
        Ok(Thumbnail { facts, view, digest, warnings, lacks_clip, frame, png, spin })
    }

    /// The view of the existing picture, if it is the one that would be drawn, and a warning that
    /// represents the warnings of its drawing.
    fn kept_view(
        &self,
        present: Option<&Path>,
        provenance: &Provenance,
    ) -> Option<(ThumbView, Option<Diagnostic>)> {
        let (options, present) = (self.options, present?);
        let Chosen { view, warnings } = chosen_before(present, provenance, options)?;
        // Only drawing reveals the picture's contents.
        let is_refused = options.strict_assets && warnings > 0 && !options.verify;
        if is_refused || options.spin && !is_spin_current(&spin_file(present), provenance) {
            return None;
        }
        let warning = (warnings > 0).then(|| {
            let counted = counted(warnings, "warning");
            let message = format!("{counted} when it was drawn; redraw it for details");
            Diagnostic::warning(Kind::Model, Place::None, message)
        });
        Some((view, warning))
    }

    /// The model with its pictures decoded.
    fn decoded(&self, opened: Opened, warnings: &mut Vec<Diagnostic>) -> Result<Assets, Skip> {
        self.model_deadline.enter("decoding textures")?;
        let finished = opened.finish();
        // A texture that timed out would look like a missing one.
        self.model_deadline.enter("decoding textures")?;
        let assets = finished.map_err(|error| Skip::of(error, self.model_deadline))?;
        warnings.extend(assets.warnings.iter().map(|warning| self.root.relative(warning)));
        match warnings.iter().find(|warning| warning.is_stand_in) {
            Some(warning) if self.options.strict_assets => {
                Err(Skip::new(SkipReason::Input, warning.to_string()).by(SkipCause::StandIn))
            }
            _ => Ok(assets),
        }
    }

    /// The view of the picture in words.
    fn view(&self, choice: &Choice, loaded: &LoadedModel, untextured: bool) -> ThumbView {
        let clip = choice.clip.map(|(clip, _)| {
            let mut names = self.clip_names(loaded);
            let part = self.asked_clip(loaded).and_then(|(_, part)| part);
            let name = names.swap_remove(clip);
            match part {
                Some(range) => format!("{name}:{range}"),
                None => name,
            }
        });
        ThumbView {
            clip,
            moment_s: choice.clip.map(|(_, at_s)| at_s),
            azimuth_deg: choice.viewpoint.azimuth_deg,
            elevation_deg: choice.viewpoint.elevation_deg,
            shape: choice.viewpoint.shape.word().to_owned(),
            untextured,
        }
    }

    /// The scene of the turntable beside a picture: half its size, with the same clip repeated a
    /// whole number of times.
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
        let mut frames = Vec::new();
        for number in scene.output.frames.iter() {
            self.model_deadline.enter("drawing its turntable")?;
            let drawn = renderer.draw(number, RasterOptions::default());
            let drawn = drawn.map_err(|error| Skip::new(SkipReason::Input, chain(&error)))?;
            frames.push(drawn.frame);
        }
        // A third of the bytes, in a small picture that is seen only briefly.
        reduce_colors(&mut frames);
        frames.iter().try_for_each(|frame| writer.add(frame)).map_err(failed)?;
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

    /// The clip named by the options in a loaded model, and the part of it; a separate clip file
    /// has only one clip.
    fn asked_clip(&self, loaded: &LoadedModel) -> Option<(usize, Option<ClipRange>)> {
        match self.clip {
            Some(clip) => Some((0, clip.part)),
            None => named_clip(&self.options.settings.clip()?, &self.clip_names(loaded)),
        }
    }

    /// True if a model without the named clip is drawn with its default clip.
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

    /// Replaces the clip of the options by the part given there.
    fn cut_part(&self, loaded: &mut LoadedModel) -> Result<(), Skip> {
        let Some((index, Some(range))) = self.asked_clip(loaded) else { return Ok(()) };
        let Some(clip) = loaded.clips.get_mut(index) else { return Ok(()) };
        let ticks = clip.ticks.map(|ticks| ticks.per_second);
        let part = part_of(&clip.clip, &range, ticks)
            .map_err(|error| Skip::new(SkipReason::Input, error.to_string()).by(SkipCause::Clip))?;
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

    /// Digest of all inputs of the picture, without paths of this machine.
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

    /// The requested time, in seconds from the first key of a clip; beyond its ends only if its
    /// continuation is set.
    pub(super) fn time_of(&self, clip: &LoadedClip, time_s: f64) -> Result<f64, Skip> {
        let length_s = clip.clip.length_s();
        // People round lengths with more digits to milliseconds.
        let is_inside = (0.0..length_s + 0.001).contains(&time_s);
        if is_inside || self.options.settings.wrap().is_some() {
            return Ok(time_s);
        }
        let name = if clip.name.is_empty() { String::new() } else { format!(" {:?}", clip.name) };
        let message = format!("time {time_s} s: the clip{name} has {length_s:.3} s");
        Err(Skip::new(SkipReason::Input, message))
    }

    /// True if the bind pose is requested, unless a clip has that name.
    pub(super) fn wants_bind(&self) -> bool {
        self.options.settings.clip().as_deref() == Some("bind")
    }

    /// The clip to show: from the separate clip file, otherwise the best by name of the model's
    /// clips that bind.
    pub(super) fn clip_of(
        &self,
        loaded: &LoadedModel,
        warnings: &mut Vec<Diagnostic>,
    ) -> Result<Option<(usize, Binding)>, Skip> {
        let model = &loaded.model;
        let bind =
            |index: usize| bind_clip(&model.skeleton, &model.meshes, &loaded.clips[index].clip);
        let names = self.clip_names(loaded);
        // A clip of this name precedes the bind pose.
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

/// True if textures are missing and none was found.
fn is_untextured(assets: &Assets) -> bool {
    let reports = &assets.material_reports;
    let has_texture = |report: &MaterialReport| {
        TextureRole::ALL.iter().any(|&role| report.texture(role).is_some())
    };
    reports.iter().any(|report| report.origin.is_missing()) && !reports.iter().any(has_texture)
}
