//! The data of a report, built from checked goldens.

use super::carried::Scripts;
use super::commands::Commands;
use super::names::{line_in, line_of, scene_name, unique};
use super::options::ReportOptions;
use super::source::PictureSource;
use super::turning::Turning;
use crate::checked::{Checked, CheckedScene};
use crate::report::{Cause, CauseId, Change, Metric, Pictures, picture_names};
use crate::report::{Entry, Report, SceneReport, Status, group_failures};
use crate::run::{TestRun, TestedScene};
use crate::scene::GoldenScene;
use crate::verdict::Verdict;
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use tintype_base::path::slashed;
use tintype_compare::{Heat, Judgement, Map, Measured, flip, ssim};
use tintype_model::frame::{Frame, PIXEL_REVISION};
use tintype_scene::FrameNumber;

/// A report, and the pictures that its folder shows.
pub struct GoldenReport<'a> {
    /// The data.
    pub report: Report,
    pub(super) sources: Vec<PictureSource<'a>>,
    pub(super) parts: Parts,
    pub(super) scripts: Scripts,
    pub(super) package: Option<PathBuf>,
}

impl<'a> GoldenReport<'a> {
    /// Builds the report of a run; frames selected by `wanted` that the run has not reached are
    /// listed as skipped.
    pub fn new(
        run: &'a TestRun,
        options: &ReportOptions,
        wanted: impl Fn(&GoldenScene, FrameNumber) -> bool,
    ) -> Self {
        let options = run.options(options);
        let (parts, sources, scripts) = collect(&options, run, wanted);
        let report = assemble(&options, parts.clone(), &run.stray);
        let package = options.interactive.map(|by| by.package);
        Self { report, sources, parts, scripts, package }
    }
}

/// Maximum number of failures of one cause for which FLIP and SSIM are measured: both take many
/// times as long as drawing a small picture.
const MAX_MEASURED: usize = 24;

/// The reason of a failure in one line: the cause if it is known.
#[must_use]
pub fn headline(one: &Checked) -> String {
    one.cause.as_ref().map_or_else(|| one.verdict.to_string(), ToString::to_string)
}

/// The id of the cause of a failure: equal for failures of one cause, in all frames.
#[must_use]
pub fn cause_id(one: &Checked) -> CauseId {
    one.cause.as_ref().map_or_else(|| one.verdict.id(), |cause| cause.id.clone())
}

/// Name of the entry for goldens without a scene.
const STRAY: &str = "goldens without a scene";

/// Builds the entries of scenes, and the sources of their pictures.
fn collect<'a>(
    options: &ReportOptions,
    run: &'a TestRun,
    wanted: impl Fn(&GoldenScene, FrameNumber) -> bool,
) -> (Parts, Vec<PictureSource<'a>>, Scripts) {
    let mut collector = Collector {
        options,
        commands: Commands::new(options),
        by_cause: BTreeMap::new(),
        sources: Vec::new(),
        scripts: Scripts::new(),
    };
    let mut scenes: Vec<SceneReport> = Vec::new();
    for tested in &run.tested {
        let scene = &tested.scene;
        let name = unique(short_name(scene), &scene.path, &scenes, options);
        scenes.push(collector.of_scene(name, tested, &wanted));
    }
    let tested = scenes.len();
    for scene in &run.bad {
        let name = unique(scene_name(&scene.path), &scene.path, &scenes, options);
        let mut own = scene_report(name, &scene.path, 24.0);
        let message = options.told(&scene.error);
        own.line = line_in(&message, &scene.path);
        own.frames.push(Entry::new(None, Status::NotDrawn, message));
        scenes.push(own);
    }
    let bad = scenes.split_off(tested);
    (Parts { tested: scenes, bad }, collector.sources, collector.scripts)
}

/// Collects the entries of tested scenes.
struct Collector<'a, 'o> {
    options: &'o ReportOptions,
    commands: Commands<'o>,
    /// The number of failures of each cause so far.
    by_cause: BTreeMap<CauseId, usize>,
    sources: Vec<PictureSource<'a>>,
    scripts: Scripts,
}

impl<'a> Collector<'a, '_> {
    fn of_scene(
        &mut self,
        name: String,
        tested: &'a TestedScene,
        wanted: impl Fn(&GoldenScene, FrameNumber) -> bool,
    ) -> SceneReport {
        let TestedScene { scene, result, seconds } = tested;
        let mut own = scene_report(name, &scene.path, scene.fps());
        own.seconds = *seconds;
        if scene.name.is_none() {
            own.line = line_of(&scene.path, "[golden]");
        }
        match result {
            Err(error) => {
                own.frames.push(Entry::new(None, Status::NotDrawn, self.options.told(error)));
            }
            Ok(CheckedScene { goldens: checked, .. }) => {
                self.add_goldens(&mut own, scene, checked);
                let left = scene.frames().into_iter().filter(|&frame| {
                    wanted(scene, frame) && !checked.iter().any(|one| one.frame == Some(frame.0))
                });
                own.frames.extend(left.map(|frame| Entry {
                    golden: Some(slashed(&scene.file(frame))),
                    ..Entry::new(Some(frame.0), Status::Skipped, "the run ended first")
                }));
                // The frames of the scene come first, then entries about all of them.
                own.frames.sort_by_key(|entry| (entry.frame.is_none(), entry.frame));
            }
        }
        own.accept = self.commands.of_scene(&scene.path, &own.frames);
        own
    }

    fn add_goldens(&mut self, own: &mut SceneReport, scene: &GoldenScene, checked: &'a [Checked]) {
        let looks = self.looks(checked);
        let fails = checked.iter().any(|one| !one.verdict.passes() && one.is_of_frame());
        let interactive = self.options.interactive.as_ref().filter(|_| fails);
        let turning = interactive.map(|by| Turning::of(scene, &own.name, by, &mut self.scripts));
        // One scale for a scene, so that its frames can be compared.
        let largest = looks.iter().flatten().map(|look| look.flip.largest());
        let heat = Heat::that_holds(largest.fold(0.0, |a, b| if b > a { b } else { a }));
        for (one, look) in checked.iter().zip(looks) {
            let mut entry = entry(one);
            entry.rule = scene.rule().to_string();
            entry.metrics = metrics(one, look.as_ref());
            // Of several pictures of a frame it is the first that names them.
            let golden = one.frame.map_or(one.path.clone(), |frame| scene.file(frame.into()));
            entry.act = one.act();
            entry.accept = self.commands.of_golden(one, &scene.path, &golden);
            if let (Some(turning), Some(frame), false) = (&turning, one.frame, one.verdict.passes())
            {
                entry.turn = Some(turning.at(frame, one.own_fit));
            }
            if self.options.folder.is_some() {
                entry.pictures = pictures(&own.name, one);
                let flip = look.map(|look| (look.flip, heat));
                entry.heat_top = entry.pictures.heat.as_ref().map(|_| heat.top);
                self.sources.push(PictureSource {
                    pictures: entry.pictures.clone(),
                    golden: one.golden.as_ref(),
                    golden_file: Some(self.options.on_disk(&one.path)),
                    new: one.live.as_ref(),
                    camera: one.through_golden_camera.as_ref(),
                    flip,
                });
            }
            own.frames.push(entry);
        }
    }

    /// If many failures have one cause, only the first ones are measured.
    fn looks(&mut self, checked: &[Checked]) -> Vec<Option<Perceived>> {
        let mut is_measured = |one: &Checked| {
            let count = self.by_cause.entry(cause_id(one)).or_default();
            *count += 1;
            *count <= MAX_MEASURED
        };
        let measured: Vec<bool> = checked.iter().map(&mut is_measured).collect();
        let pairs = checked.par_iter().zip(measured);
        let look =
            |(one, is_measured)| if is_measured { perceive(self.options, one) } else { None };
        pairs.map(look).collect()
    }
}

/// The name of a scene or a view, which may be repeated.
#[must_use]
pub fn short_name(scene: &GoldenScene) -> String {
    match (&scene.name, scene.view()) {
        (Some(name), _) => name.clone(),
        (None, Some(view)) => format!("{}.{}", scene_name(&scene.path), view.file_word()),
        (None, None) => scene_name(&scene.path),
    }
}

/// The names of scenes in the report of a test of all of them.
#[must_use]
pub fn names_of(scenes: &[GoldenScene]) -> Vec<String> {
    let mut named: Vec<SceneReport> = Vec::new();
    let options = ReportOptions::default();
    for scene in scenes {
        let name = unique(short_name(scene), &scene.path, &named, &options);
        named.push(SceneReport::of(name, Vec::new()));
    }
    named.into_iter().map(|scene| scene.name).collect()
}

/// The entries of scenes in a report.
#[derive(Clone, Debug, Default)]
pub(super) struct Parts {
    /// Those that were read.
    pub tested: Vec<SceneReport>,
    /// Those that could not be read.
    pub bad: Vec<SceneReport>,
}

/// The report of entries of scenes, and of goldens without a scene.
pub(super) fn assemble(options: &ReportOptions, parts: Parts, stray: &[Checked]) -> Report {
    let commands = Commands::new(options);
    let is_complete = parts.bad.is_empty();
    let mut scenes = parts.tested;
    scenes.extend(parts.bad);
    if !stray.is_empty() {
        let mut own = SceneReport { path: None, ..scene_report(STRAY.into(), Path::new(""), 24.0) };
        // Of a scene that cannot be read, no golden is known to be without a scene.
        let prune = is_complete.then(|| commands.prune()).flatten();
        own.frames.extend(stray.iter().map(|one| Entry { accept: prune.clone(), ..entry(one) }));
        own.accept = prune;
        scenes.push(own);
    }
    let mut groups = group_failures(&scenes, |scene, entry| {
        commands.of_cause(scene.path.as_deref().map(Path::new)?, entry)
    });
    if options.is_of_revision {
        // No command makes the goldens of a revision others than they are.
        groups.iter_mut().for_each(|group| group.accept = None);
        for scene in &mut scenes {
            scene.accept = None;
            scene.frames.iter_mut().for_each(|entry| entry.accept = None);
        }
    }
    Report {
        groups,
        program_version: env!("CARGO_PKG_VERSION").to_owned(),
        pixel_revision: PIXEL_REVISION,
        folder: options.folder.as_deref().map(slashed),
        scenes,
    }
}

fn scene_report(name: String, path: &Path, fps: f64) -> SceneReport {
    let path = Some(slashed(path));
    SceneReport { name, path, line: None, fps, accept: None, seconds: None, frames: Vec::new() }
}

/// Entry of one golden, without its pictures.
fn entry(one: &Checked) -> Entry {
    let status = one.verdict.status();
    let mut entry = Entry::new(one.frame, status, one.verdict.to_string());
    entry.golden = Some(slashed(&one.path));
    entry.change = one.verdict.difference().map(Change::from);
    entry.cause_id = cause_id(one);
    entry.cause = one.cause.as_ref().map(|cause| Cause {
        stage: cause.stage.to_string(),
        what: cause.what(),
        text: cause.to_string(),
        whole: (!cause.is_whole()).then(|| cause.whole()),
        evidence: cause.evidence(),
        findings: cause.findings.clone(),
    });
    entry.notes.clone_from(&one.notes);
    entry.size = one.live.as_ref().map(|live| [live.width, live.height]);
    entry
}

/// Perceptual difference of two pictures.
struct Perceived {
    flip: Map,
    ssim: Map,
}

/// Measures the pictures of a golden, if the report shows the result and the pixels differ.
fn perceive(options: &ReportOptions, one: &Checked) -> Option<Perceived> {
    let is_read = options.folder.is_some() || options.measures;
    let (golden, live) = (one.golden.as_ref()?, one.live.as_ref()?);
    let differs = is_read && same_size(golden, live) && one.verdict.difference().is_some();
    differs.then(|| Perceived { flip: flip(golden, live), ssim: ssim(golden, live) })
}

/// Value of the scene's rule, then values that are only shown.
fn metrics(one: &Checked, look: Option<&Perceived>) -> Vec<Metric> {
    let judgement = match &one.verdict {
        Verdict::Within(judgement) | Verdict::Beyond(judgement) => Some(judgement),
        _ => None,
    };
    let mut metrics = Vec::new();
    if let Some(Judgement { rule, measured, .. }) = judgement
        && let Some(value) = judgement.and_then(Judgement::value)
    {
        let is_masked = measured.is_some_and(|measured| measured.model.is_some());
        let name = format!("{}{}", rule.metric(), if is_masked { " over the model" } else { "" });
        metrics.push(Metric { name, value, bound: rule.bound() });
    }
    let means = look.map(|look| {
        let (flip, ssim) =
            (Measured::of_flip(&look.flip, None), Measured::of_ssim(&look.ssim, None));
        [("flip", flip.all), ("ssim", ssim.all)]
    });
    for (name, value) in means.into_iter().flatten() {
        // A rule without a mask has measured it already.
        if metrics.iter().all(|metric| metric.name != name) {
            metrics.push(Metric { name: name.to_owned(), value, bound: None });
        }
    }
    metrics
}

/// Names of the pictures of one golden.
fn pictures(scene: &str, one: &Checked) -> Pictures {
    let Some(frame) = one.frame else { return Pictures::default() };
    let all = picture_names(scene, frame);
    if one.path.extension() == Some("toml".as_ref()) {
        return Pictures::default();
    }
    if matches!(one.verdict, Verdict::Same) {
        return Pictures { golden: all.golden, ..Pictures::default() };
    }
    let has_diff =
        matches!((&one.golden, &one.live), (Some(golden), Some(live)) if same_size(golden, live));
    let has_heat = has_diff && one.verdict.difference().is_some();
    Pictures {
        golden: all.golden.filter(|_| one.golden.is_some()),
        new: all.new.filter(|_| one.live.is_some()),
        diff: all.diff.filter(|_| has_diff),
        heat: all.heat.filter(|_| has_heat),
        camera: all.camera.filter(|_| one.through_golden_camera.is_some()),
        pixels: all.pixels.filter(|_| one.golden.is_some() || one.live.is_some()),
    }
}

fn same_size(a: &Frame, b: &Frame) -> bool {
    [a.width, a.height] == [b.width, b.height]
}
