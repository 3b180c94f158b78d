//! Data sets: pictures of models in seeded poses, cameras and lights, with labels.
//!
//! Input: a [`Recipe`] and the folder that its paths are relative to. Output: for each sample
//! number a picture, a file of channels and a file of labels, and the files of the whole set once
//! every sample is there. A sample depends only on its number, so any machine can draw any shard;
//! the shard that finishes last finds all others and writes the files of the whole set.

mod error;
mod sample;
mod whole;

use super::discover::{ModelSources, discover};
use super::error::JobError;
use super::resume::Beside;
use super::retry::Retry;
use super::sinks::FrameFiles;
use super::stop::StopToken;
use crate::{Operation, OutputError, write_atomic};
use rayon::prelude::*;
use sample::{Annotation, Category, Facts, SEEN, Sample, View, shift_of};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tintype_base::deadline::Deadline;
use tintype_base::diagnostic::Diagnostic;
use tintype_base::disk::{MAX_TEXT_BYTES, read_bounded, read_regular};
use tintype_base::path::{ShowPath, path_of_text, slashed};
use tintype_base::suggest::nearest_words_text;
use tintype_formats::LoadOptions;
use tintype_framing::{ModelPath, TurntableNote, TurntableOptions, TurntableScene};
use tintype_output::{FileFormat, PngEffort, Provenance};
use tintype_raster::RasterOptions;
use tintype_render::aov::channels;
use tintype_render::asset::{self, Assets, SharedFiles};
use tintype_render::{BoundScene, Renderer};
use tintype_scene::{
    ClipChoice, Draws, Fit, FrameList, FrameNumber, FramePattern, Moments, Recipe, Scene, Shard,
};
use whole::{Gathered, WHOLE};

pub use error::DatasetError;

/// Number of empty pictures of a sample before it fails.
const ATTEMPTS: u32 = 8;
/// Maximum size of a file of labels.
const MAX_LABELS: u64 = MAX_TEXT_BYTES;
/// The frame of the scene of a sample.
const FRAME: FrameNumber = FrameNumber(0);

/// A data set to draw.
#[derive(Clone, Debug)]
pub struct Dataset {
    /// The recipe.
    pub recipe: Recipe,
    /// The folder that its paths count from.
    pub base: PathBuf,
    /// The folder of the set.
    pub folder: PathBuf,
    /// The shard to draw. None for all.
    pub shard: Option<Shard>,
    /// Draws samples again that are up to date.
    pub overwrite: bool,
    /// True to refuse substitutes for missing files.
    pub refuses_stand_ins: bool,
    /// Limits of files.
    pub load_options: LoadOptions,
    /// Digest of the running program, if its version does not identify the pixels that it draws.
    pub build: Option<String>,
}

/// Counts of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DatasetReport {
    /// Samples that were drawn.
    pub drawn: usize,
    /// Existing samples of the part that are up to date.
    pub present: usize,
    /// Missing samples of other shards. None if the set is complete.
    pub missing: Option<FrameList>,
    /// Warnings about files, each once.
    pub warnings: BTreeSet<String>,
}

/// Name of the picture of a sample.
fn picture_name(number: u32) -> String {
    format!("{number:06}.{}", FileFormat::Png.extensions()[0])
}

/// Name of the labels of a sample.
fn label_name(number: u32) -> String {
    format!("{number:06}.json")
}

/// A model of the set with the clips to draw.
struct Subject {
    name: String,
    id: u32,
    turntable: TurntableScene,
    /// Indices of its clips. None for the bind pose.
    clips: Vec<Option<usize>>,
}

/// A sample before it is drawn.
struct Planned {
    number: u32,
    attempt: u32,
    scene: Scene,
    drawn: BTreeMap<String, String>,
    clip: Option<usize>,
    time_s: f64,
}

/// An existing sample.
struct Outcome {
    is_drawn: bool,
    warnings: Vec<Diagnostic>,
}

impl Dataset {
    /// Draws the samples that are not up to date; then, if all of the set exist, writes the files
    /// of the whole set. `done` is called for each sample, with true if it was drawn.
    ///
    /// # Errors
    /// [`DatasetError`]. Drawn samples stay, and another run resumes from there. The files of the
    /// whole set exist only if all samples do.
    pub fn run(&self, done: &(dyn Fn(bool) + Sync)) -> Result<DatasetReport, DatasetError> {
        let mut report = DatasetReport::default();
        let models = self.models()?;
        let names: Vec<&str> = models.iter().map(|(name, _)| name.as_str()).collect();
        let recipe = self.digest_of_recipe(&names);
        let numbers: Vec<u32> = (0..self.recipe.count).collect();
        let part = self.shard.map_or(&numbers[..], |shard| shard.of(&numbers));

        // 1. The samples by their models, so that only one model is open at a time.
        let mut of_models = vec![Vec::new(); models.len()];
        for &number in part {
            let draws = Draws::new(self.recipe.seed, number, 0);
            of_models[draws.below("model", models.len())].push(number);
        }
        self.check_clips(&models, &mut report)?;

        // 2. The samples.
        for (at, numbers) in of_models.iter().enumerate().filter(|(_, all)| !all.is_empty()) {
            let subject = self.subject(&models[at], at, &mut report)?;
            let mut groups: BTreeMap<String, Vec<Planned>> = BTreeMap::new();
            for &number in numbers {
                let planned = self.plan(&subject, number, self.attempt_of(number))?;
                groups.entry(surroundings(&planned.scene)).or_default().push(planned);
            }
            for group in groups.into_values() {
                let shared = SharedFiles::default();
                let (scene, options) = (&group[0].scene, &self.load_options);
                let assets = asset::load_shared(scene, &self.base, options, &shared)?;
                self.refuse_stand_ins(&assets.warnings)?;
                report.warnings.extend(assets.warnings.iter().map(ToString::to_string));
                let assets = Arc::new(assets);
                let draw = |planned: Planned| {
                    let outcome = self.sample(&subject, planned, &assets, &recipe)?;
                    done(outcome.is_drawn);
                    Ok(outcome)
                };
                let all: Result<Vec<Outcome>, DatasetError> =
                    group.into_par_iter().map(draw).collect();
                for Outcome { is_drawn, warnings } in all? {
                    let count = if is_drawn { &mut report.drawn } else { &mut report.present };
                    *count += 1;
                    report.warnings.extend(warnings.iter().map(ToString::to_string));
                }
            }
        }

        // 3. The whole set, from the files of all samples.
        report.missing = self.gather(&recipe)?;
        match &report.missing {
            Some(missing) if self.shard.is_none() => {
                let (missing, count) = (missing.clone(), self.recipe.count);
                Err(DatasetError::Incomplete { missing, count })
            }
            _ => Ok(report),
        }
    }

    fn refuse_stand_ins(&self, warnings: &[Diagnostic]) -> Result<(), DatasetError> {
        let found = warnings.iter().find(|one| one.is_stand_in && self.refuses_stand_ins);
        found.map_or(Ok(()), |one| Err(DatasetError::StandIn { warning: one.to_string() }))
    }

    /// The models with their names from the folder of the recipe.
    fn models(&self) -> Result<Vec<(String, PathBuf)>, DatasetError> {
        let paths = self.recipe.models.iter().map(|one| self.base.join(path_of_text(one)));
        let sources = ModelSources { paths: paths.collect(), ..ModelSources::default() };
        let mut models: Vec<(String, PathBuf)> = Vec::new();
        for model in discover(&sources)?.models {
            let below = model.path.strip_prefix(&self.base).unwrap_or(&model.path);
            models.push((slashed(below), model.path.clone()));
        }
        models.sort();
        models.dedup();
        Ok(models)
    }

    /// The number of samples is not included, so that a set may grow.
    fn digest_of_recipe(&self, models: &[&str]) -> String {
        let Provenance { software, pixel_revision, build, .. } = self.provenance(0, "");
        let program = format!("{software} {pixel_revision} {build:?}");
        let text = format!("{program}\n{models:?}\n{}", self.recipe.digest_text());
        blake3::hash(text.as_bytes()).to_hex().to_string()
    }

    fn provenance(&self, number: u32, digest: &str) -> Provenance {
        let build = self.build.clone();
        Provenance { build, ..Provenance::of_this_build(i64::from(number), digest) }
    }

    /// Finds clip names that no model has, and models that have none of the clips, before anything
    /// is drawn.
    fn check_clips(
        &self,
        models: &[(String, PathBuf)],
        report: &mut DatasetReport,
    ) -> Result<(), DatasetError> {
        let asked = &self.recipe.clips;
        let mut known = BTreeSet::new();
        for (at, model) in models.iter().enumerate().filter(|_| !asked.is_empty()) {
            let subject = self.subject(model, at, report)?;
            let clips = &subject.turntable.assets.models[0].clips;
            known.extend(clips.iter().map(|clip| clip.name.clone()));
        }
        match asked.iter().find(|name| *name != "bind" && !known.contains(*name)) {
            Some(name) => {
                let known: Vec<&str> = known.iter().map(String::as_str).collect();
                let has = nearest_words_text(name, &known);
                Err(DatasetError::UnknownClip { name: name.clone(), has })
            }
            None => Ok(()),
        }
    }

    /// Opens a model, and chooses its clips.
    fn subject(
        &self,
        (name, _): &(String, PathBuf),
        at: usize,
        report: &mut DatasetReport,
    ) -> Result<Subject, DatasetError> {
        let path = ModelPath::Below { base: &self.base, name };
        let mut note = |note: TurntableNote| {
            if let TurntableNote::Warning(warning) = note {
                report.warnings.insert(warning);
            }
        };
        let options = TurntableOptions::default();
        let turntable = TurntableScene::load(&options, path, &self.load_options, &mut note)?;
        let clips = &turntable.assets.models[0].clips;
        let asked = &self.recipe.clips;
        let is_asked = |name: &str| asked.is_empty() || asked.iter().any(|own| own == name);
        let indices = 0..clips.len();
        let mut chosen: Vec<Option<usize>> =
            indices.filter(|&index| is_asked(&clips[index].name)).map(Some).collect();
        if clips.is_empty() && asked.is_empty() || asked.iter().any(|own| own == "bind") {
            chosen.push(None);
        }
        if chosen.is_empty() {
            let names: Vec<&str> = clips.iter().map(|clip| clip.name.as_str()).collect();
            let has = match &names[..] {
                [] => "the model has none".to_owned(),
                _ => nearest_words_text(&asked[0], &names),
            };
            return Err(DatasetError::NoClip { model: name.clone(), asked: asked.clone(), has });
        }
        let id = u32::try_from(at + 1).unwrap_or(u32::MAX);
        Ok(Subject { name: name.clone(), id, turntable, clips: chosen })
    }

    /// The attempt of a sample that its labels are from; the first without labels.
    fn attempt_of(&self, number: u32) -> u32 {
        self.labels(number).map_or(0, |sample| sample.facts.attempt).min(ATTEMPTS - 1)
    }

    fn labels(&self, number: u32) -> Option<Sample> {
        let bytes = read_bounded(&self.folder.join(label_name(number)), MAX_LABELS).ok()?;
        serde_json::from_slice(&bytes).ok()
    }

    /// Chooses by seed: model, clip and time stay the same in all attempts.
    fn plan(&self, subject: &Subject, number: u32, attempt: u32) -> Result<Planned, DatasetError> {
        let seed = self.recipe.seed;
        let of_number = Draws::new(seed, number, 0);
        let clip = subject.clips[of_number.below("clip", subject.clips.len())];
        let length_s = clip
            .map_or(0.0, |index| subject.turntable.assets.models[0].clips[index].clip.length_s());
        let time_s = moment(self.recipe.moments, length_s, of_number);
        let draws = Draws::new(seed, number, attempt);
        let (mut scene, drawn) = self.recipe.scene(draws, &subject.turntable.builder)?;
        scene.wanted_clips.clear();
        for instance in &mut scene.instances {
            instance.clip = clip.map_or(ClipChoice::Bind, ClipChoice::Clip);
            instance.start_s = time_s;
        }
        Ok(Planned { number, attempt, scene, drawn, clip, time_s })
    }

    /// Draws a sample unless it is up to date.
    fn sample(
        &self,
        subject: &Subject,
        mut planned: Planned,
        assets: &Arc<Assets>,
        recipe: &str,
    ) -> Result<Outcome, DatasetError> {
        let number = planned.number;
        let failed = |error: JobError| DatasetError::Sample { number, error: Box::new(error) };
        let known = self.labels(number).filter(|_| !self.overwrite);
        loop {
            let scene = Arc::new(planned.scene.clone());
            let bound = BoundScene::new(scene, Arc::clone(assets), &Deadline::NEVER);
            let bound = bound.map_err(|error| failed(error.into()))?;
            let warnings = bound.warnings().to_vec();
            self.refuse_stand_ins(&warnings)?;
            let digest = self.digest_of_sample(&bound, &planned);
            if let Some(mut labels) = known.clone().filter(|own| own.facts.digest == digest)
                && self.has_files(&labels.facts)
            {
                // A set that grows, or has other models, has another recipe.
                if labels.facts.recipe != recipe {
                    labels.facts.recipe = recipe.to_owned();
                    self.write_labels(&labels)?;
                }
                return Ok(Outcome { is_drawn: false, warnings });
            }
            let drawn = self.draw(subject, &planned, bound.fit(), (digest.as_str(), recipe));
            if let Some(labels) = drawn.map_err(failed)? {
                self.write_labels(&labels)?;
                return Ok(Outcome { is_drawn: true, warnings });
            }
            let attempt = planned.attempt + 1;
            if attempt == ATTEMPTS {
                let model = subject.name.clone();
                return Err(DatasetError::Empty { number, model, attempts: ATTEMPTS });
            }
            planned = self.plan(subject, number, attempt)?;
        }
    }

    fn digest_of_sample(&self, bound: &BoundScene, planned: &Planned) -> String {
        let Provenance { software, build, .. } = self.provenance(0, "");
        let channels = format!("{:?}", planned.scene.output.channels);
        let shares = self.shares_of(planned);
        let text = format!(
            "{software} {build:?}\n{}\n{channels}\n{} {shares:?}",
            bound.digest(),
            planned.number
        );
        blake3::hash(text.as_bytes()).to_hex().to_string()
    }

    /// Fractions of the free space by which the figure is moved.
    fn shares_of(&self, planned: &Planned) -> [f64; 2] {
        let draws = Draws::new(self.recipe.seed, planned.number, planned.attempt);
        let share = |purpose| (draws.share(purpose) * 2.0 - 1.0) * self.recipe.jitter;
        [share("jitter.x"), share("jitter.y")]
    }

    fn has_files(&self, facts: &Facts) -> bool {
        let is_same = |(name, digest): (&String, &String)| {
            let bytes = read_regular(&self.folder.join(name));
            bytes.is_ok_and(|bytes| blake3::hash(&bytes).to_hex().as_str() == digest)
        };
        !facts.files.is_empty() && facts.files.iter().all(is_same)
    }

    /// Removes the files of the whole set, before a file of a sample is replaced.
    fn remove_whole(&self) -> Result<(), OutputError> {
        for name in WHOLE {
            let path = self.folder.join(name);
            match std::fs::remove_file(&path) {
                Err(source) if source.kind() != std::io::ErrorKind::NotFound => {
                    let operation = Operation::Rename;
                    return Err(OutputError { path, operation, source });
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn write_labels(&self, sample: &Sample) -> Result<(), OutputError> {
        self.remove_whole()?;
        let text = serde_json::to_string(sample).expect("names and finite numbers are JSON");
        write_atomic(&self.folder.join(label_name(sample.facts.number)), text.as_bytes())
    }

    /// Draws a sample and writes its picture and channels. None if no pixel shows the model.
    fn draw(
        &self,
        subject: &Subject,
        planned: &Planned,
        renderer: Renderer,
        (digest, recipe): (&str, &str),
    ) -> Result<Option<Sample>, JobError> {
        let (number, cut) = (planned.number, RasterOptions::default());
        let (scene, size) = (&planned.scene, planned.scene.output.size);
        let mut staged = renderer.stage_picture(FRAME, cut.level)?;
        if let Some(fit) = renderer.fit().filter(|_| self.recipe.jitter > 0.0) {
            let center = fit.center + shift_of(&staged, size, self.shares_of(planned));
            staged = renderer.refit(staged, Fit { center, ..fit })?;
        }
        // Labels and files come from the same pass.
        let wanted = &scene.output.channels;
        let planes = channels(&renderer, &staged, None, &[&SEEN, wanted.as_slice()].concat(), cut)?;
        let (seen, planes) = planes.split_at(SEEN.len());
        let annotation = Annotation::of(&renderer, &staged, [number, subject.id], seen);
        let Some(annotation) = annotation else { return Ok(None) };
        let frame = renderer.draw_staged(&staged, cut)?.frame;
        let stop = StopToken::new();
        let files = FrameFiles {
            pattern: None,
            format: FileFormat::Png,
            effort: PngEffort::Fast,
            keep_alpha: scene.output.is_transparent(),
            retry: Retry::default(),
            stop: &stop,
        };
        let of = self.provenance(number, digest);
        let mut written = vec![(picture_name(number), files.encode_picture(&frame, &of))];
        if let (false, Ok(pattern)) =
            (wanted.is_empty(), FramePattern::parse(&picture_name(number)))
        {
            let (words, patterns): (Vec<_>, Vec<_>) =
                Beside::of(&scene.output).channel_files(&pattern).into_iter().unzip();
            let encoded = files.encode_channels(&renderer, planes, &of, &words)?;
            let names = patterns.iter().map(|pattern| pattern.path(FRAME));
            written.extend(names.zip(encoded));
        }
        self.remove_whole()?;
        let mut digests = BTreeMap::new();
        for (name, bytes) in written {
            write_atomic(&self.folder.join(&name), &bytes)?;
            digests.insert(name, blake3::hash(&bytes).to_hex().to_string());
        }
        let loaded = &renderer.assets().models[0];
        let inputs = renderer.assets().files.iter();
        let inputs = inputs.map(|file| (file.name.clone(), file.digest.to_hex().to_string()));
        let name = Path::new(&subject.name).file_stem().unwrap_or_default().shown();
        Ok(Some(Sample {
            facts: Facts {
                number,
                attempt: planned.attempt,
                model: subject.name.clone(),
                clip: planned.clip.map(|index| loaded.clips[index].name.clone()),
                time_s: planned.time_s,
                drawn: planned.drawn.clone(),
                files: digests,
                inputs: inputs.collect(),
                digest: digest.to_owned(),
                recipe: recipe.to_owned(),
            },
            camera: View::of(&staged.camera, size, picture_name(number)),
            category: Category::of(subject.id, name, &loaded.model.skeleton),
            annotation,
        }))
    }

    /// Writes the files of the whole set if all samples are there; otherwise returns the missing
    /// numbers.
    fn gather(&self, recipe: &str) -> Result<Option<FrameList>, DatasetError> {
        let (mut gathered, mut missing) = (Gathered::default(), Vec::new());
        for number in 0..self.recipe.count {
            let is_there =
                |facts: &Facts| facts.files.keys().all(|name| self.folder.join(name).is_file());
            match self.labels(number) {
                Some(sample) if sample.facts.recipe == recipe && is_there(&sample.facts) => {
                    gathered.add(sample)?;
                }
                _ => missing.push(i64::from(number)),
            }
        }
        if missing.is_empty() {
            gathered.write(&self.folder)?;
        }
        Ok(FrameList::from_rising(missing))
    }
}

/// Time of a clip from its start.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "a clip has few moments"
)]
fn moment(moments: Moments, length_s: f64, draws: Draws) -> f64 {
    match moments {
        Moments::Any => draws.share("moment") * length_s,
        Moments::Count(count) => {
            draws.below("moment", count as usize) as f64 / f64::from(count) * length_s
        }
        Moments::Rate(fps) => {
            let count = ((length_s * fps).ceil() as usize).max(1);
            draws.below("moment", count) as f64 / fps
        }
    }
}

/// Everything in a scene that decides which files are read beside its model.
fn surroundings(scene: &Scene) -> String {
    let Scene { environment, materials, texture_search, texture_mtr, missing, .. } = scene;
    let (lights, shade) = (&scene.model_lights, &scene.output.shade);
    format!(
        "{environment:?}{materials:?}{texture_search:?}{texture_mtr:?}{missing:?}{lights:?}{shade:?}"
    )
}

#[cfg(test)]
mod tests;
