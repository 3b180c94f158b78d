//! `tintype render`: the frames of a scene as files, one per frame or one for all.
//!
//! A frame that is up to date is not redrawn, so the same command, run again or on another machine,
//! resumes where it stopped; two processes that draw the same frame do no harm.

use super::args::{Progress, Render, StatsForm};
use super::build_digest::build_digest;
use super::console::Console;
use super::failure::Failure;
use super::inputs;
use super::journal;
use super::load;
use super::output_name::{outputs_named, refuse_animation};
use super::sequence::{
    all_present_text, conclude, context, effort, files_text, others_text, show_event,
    view_for_stdout, with_beside,
};
use super::signals::{Signals, command_for};
use super::standard_input::STREAM;
use super::stats::{RunFacts, Stats};
use super::stdout::{stream_to_stdout, write_stdout};
use std::path::Path;
use std::sync::Arc;
use tintype::builder::{FrameList, FrameNumber};
use tintype_base::amount::{counted, rate_text};
use tintype_base::path::ShowPath;
use tintype_host::job::journal::{Journal, Subject, inputs_in};
use tintype_host::job::leftovers::{leftovers, remove_leftovers};
use tintype_host::job::memory::available_memory;
use tintype_host::job::{
    AnimationFiles, Event, FrameOutput, JobReport, JobSettings, Outputs, Retry, SequenceJob,
    Stream, StreamFormat, folder_of,
};
use tintype_model::simd::Level;
use tintype_raster::RasterOptions;
use tintype_scene::{FramePattern, Scene, Shard, ShardText};

/// The scene with its options, and the frames to draw.
struct RenderRun {
    scene: Arc<Scene>,
    raster: RasterOptions,
    frames: Vec<FrameNumber>,
    /// The frames of all shards.
    all: Option<FrameList>,
    /// File names; `None` for standard output, and if only files of all frames are written.
    pattern: Option<FramePattern>,
    /// Files of all frames.
    animations: AnimationFiles,
}

impl RenderRun {
    fn new(options: &Render) -> Result<Self, Failure> {
        let mut scene = load::scene(&options.scene)?;
        load::overrides(&options.settings.said, &mut scene)?;
        let frames = frames(options.frames.as_deref(), &scene)?;
        let Target { pattern, animations } = target(options, &scene, frames.len())?;
        let all = FrameList::from_rising(frames.iter().map(|&(_, number)| number));
        let frames = shard(options.shard.as_deref(), frames)?;
        let speakers = [
            ("-o -", pattern.is_none() && animations.is_empty()),
            ("--progress openjd", options.progress == Progress::Openjd),
            ("--stats=json", options.stats == Some(StatsForm::Json)),
        ];
        let speakers: Vec<_> =
            speakers.into_iter().filter_map(|(name, speaks)| speaks.then_some(name)).collect();
        if let [first, second, ..] = speakers.as_slice() {
            let message = format!("{second} and {first} would both write to standard output");
            return Err(Failure::bad_input(message));
        }
        let frames = frames.into_iter().map(|(_, number)| number.into()).collect();
        let (scene, raster) = (Arc::new(scene), raster_options(options)?);
        Ok(Self { scene, raster, frames, all, pattern, animations })
    }

    fn is_for_stdout(&self) -> bool {
        self.pattern.is_none() && self.animations.is_empty()
    }

    fn outputs(&self) -> Outputs<'static> {
        match &self.pattern {
            Some(pattern) => Outputs::files(pattern.clone()),
            None if !self.is_for_stdout() => {
                Outputs { animations: self.animations.clone(), ..Outputs::default() }
            }
            None => Outputs {
                frames: FrameOutput::Stream(Stream {
                    name: "standard output",
                    format: StreamFormat::Png,
                    write: &stream_to_stdout,
                }),
                ..Outputs::default()
            },
        }
    }
}

/// File names of the frames, or files of all of them; neither for standard output, which gets one
/// frame.
#[derive(Default)]
struct Target {
    pattern: Option<FramePattern>,
    animations: AnimationFiles,
}

fn target(options: &Render, scene: &Scene, frames: usize) -> Result<Target, Failure> {
    if options.output.as_deref() == Some(STREAM) {
        if frames > 1 {
            return Err(Failure::bad_input(format!(
                "standard output takes one frame, but {frames} are selected; pick one with --frames, or name a folder"
            )));
        }
        return view_for_stdout(&scene.output.aov, "picture").map(|_| Target::default());
    }
    let Outputs { frames, animations } =
        outputs(options.output.as_deref(), scene, &options.scene, frames)?;
    if !animations.is_empty() && options.record {
        let message =
            "--record needs one file per frame; name them with a pattern such as walk.####.png";
        return Err(Failure::bad_input(message));
    }
    let pattern = match frames {
        FrameOutput::Files(pattern) => Some(pattern),
        FrameOutput::None | FrameOutput::Stream(_) => None,
    };
    Ok(Target { pattern, animations })
}

/// Draws one scene, or several in turn. All are read before the first is drawn, so that a mistake
/// in the last one is reported at once.
pub(super) fn run_all(
    options: &Render,
    pool: &rayon::ThreadPool,
    console: &mut Console,
) -> Result<(), Failure> {
    let signals = Signals::default();
    if options.more.is_empty() {
        return run(options, RenderRun::new(options)?, &signals, pool, console);
    }
    if options.output.is_some() {
        return Err(Failure::bad_input(
            "--output works with one scene; several scenes write to out/SCENE/####.png, or to the file in their [output]",
        ));
    }
    let scenes = std::iter::once(&options.scene).chain(&options.more);
    let orders = scenes.map(|scene| {
        let one = Render { scene: scene.clone(), ..options.clone() };
        RenderRun::new(&one).map(|order| (one, order))
    });
    let orders: Vec<(Render, RenderRun)> = orders.collect::<Result<_, _>>()?;
    for (place, (one, order)) in orders.iter().enumerate() {
        let names = |order: &RenderRun| order.pattern.as_ref().map(FramePattern::text);
        let earlier = orders[..place].iter().find(|(_, other)| names(other) == names(order));
        if let Some((other, _)) = earlier {
            return Err(Failure::bad_input(format!(
                "{} and {} would write the same files, {}; draw them one at a time with --output",
                other.scene.shown(),
                one.scene.shown(),
                names(order).unwrap_or_default()
            )));
        }
    }
    let mut worst: Option<Failure> = None;
    for (one, order) in orders {
        console.info(&format!("{}:", one.scene.shown()));
        match run(&one, order, &signals, pool, console) {
            Ok(()) => {}
            Err(failure) if one.keep_going && !signals.is_asked() => {
                console.error(failure.shown(console.has_color()));
                let is_worse = worst.as_ref().is_none_or(|worst| failure.code > worst.code);
                if is_worse {
                    worst = Some(Failure::new(failure.code, String::new()));
                }
            }
            Err(failure) => return Err(failure),
        }
    }
    worst.map_or(Ok(()), Err)
}

fn run(
    options: &Render,
    order: RenderRun,
    signals: &Signals,
    pool: &rayon::ThreadPool,
    console: &mut Console,
) -> Result<(), Failure> {
    let journal = match &order.pattern {
        Some(pattern) if options.record => {
            let subject = Subject::scene(&options.scene, &order.frames);
            journal::begin(subject, options.shard.as_deref(), &folder_of(pattern))?
        }
        _ => Journal::none(),
    };
    let result = draw(options, &order, &journal, signals, pool, console);
    journal::end(&journal, result.as_ref().err(), console);
    result
}

fn draw(
    options: &Render,
    order: &RenderRun,
    journal: &Journal,
    signals: &Signals,
    pool: &rayon::ThreadPool,
    console: &mut Console,
) -> Result<(), Failure> {
    let RenderRun { scene, raster, frames, all, pattern, .. } = order;
    if frames.is_empty() {
        let shard = options.shard.as_deref().unwrap_or_default();
        console.info(&format!("shard {shard} has no frames: there are fewer frames than shards"));
        return Ok(());
    }

    // 1. The files as the job knows them, and the job.
    pool.install(|| check_inputs(options, order, console))?;
    let assets = Arc::new(pool.install(|| load::assets(scene, &options.scene, console))?);
    let job = SequenceJob::new(Arc::clone(scene), Arc::clone(&assets), order.outputs());
    let settings = settings(options, *raster);
    let job = SequenceJob { frames: frames.clone(), settings, ..job };
    let job = pool.install(|| job.prepare()).map_err(|error| Failure::job(&error))?;
    job.warnings().iter().for_each(|warning| console.warning(&warning.to_string()));
    load::refuse_stand_ins(job.warnings(), console)?;
    for file in &assets.files {
        console.detail(&format!("read {}", file.name));
    }

    // 2. The frames.
    let digest = job.digest().to_owned();
    if let (Some(pattern), Some(all)) = (pattern, all) {
        journal.scene(scene, pattern, all, &digest);
    }
    let mut stats = Stats::default();
    let mut meter = None;
    let report = job.run(&context(pool, signals), &mut |event| {
        show_event(event, console);
        match event {
            Event::Started { frames, .. } => {
                signals.listen("the frames in flight");
                if !order.is_for_stdout() {
                    signals.leave_soon_when_terminated(journal);
                }
                meter = Some(console.progress(options.progress, *frames, "frames"));
            }
            Event::Present(list) => journal.present(list),
            Event::Drawn(drawn) => {
                if options.stats.is_some() {
                    stats.add(drawn);
                }
                journal.frame(drawn.number.0, &digest, drawn.stats.seconds);
            }
            Event::FoundLate(number) => journal.present(&FrameList::single(*number)),
            Event::Failed { number, error, .. } => journal.failed(number.0, &error.message()),
            _ => {}
        }
        if let (Event::Drawn(_) | Event::FoundLate(_), Some(meter)) = (event, &mut meter) {
            meter.step(console);
        }
    });
    let report = report.map_err(|error| Failure::job(&error))?;
    let wall_seconds = meter.map_or(0.0, |meter| meter.finish().as_secs_f64());

    // 3. The summary.
    let output = &scene.output;
    let whole = RunFacts {
        size: output.size,
        samples: output.samples,
        threads: pool.current_num_threads(),
        tile: raster.tile_for(output.size, output.samples),
        wall_seconds,
    };
    match options.stats {
        None => {}
        Some(StatsForm::Text) => stats.page(whole).lines().for_each(|line| console.info(line)),
        Some(StatsForm::Json) => write_stdout(stats.json(whole).as_bytes())?,
    }
    summarize(options, order, (report, wall_seconds), signals, console)
}

/// Compares the files of the scene with those that the job recorded.
fn check_inputs(options: &Render, order: &RenderRun, console: &mut Console) -> Result<(), Failure> {
    let scene = &order.scene;
    match (&options.inputs, &options.shard, &order.pattern) {
        (Some(record), ..) => inputs::check_scene(record, scene, &options.scene, console),
        (None, Some(_), Some(pattern)) if options.record => {
            let folder = inputs_in(&folder_of(pattern));
            inputs::check_shard(&folder, scene, &options.scene, console)
        }
        _ => Ok(()),
    }
}

fn settings(options: &Render, raster: RasterOptions) -> JobSettings {
    JobSettings {
        overwrite: options.overwrite,
        keep_going: options.keep_going,
        allow_empty: options.allow_empty || options.shard.is_some(),
        retry: Retry::times(options.retries),
        png_effort: effort(options.png),
        raster,
        measure: options.stats.is_some(),
        build: build_digest().map(str::to_owned),
        memory: available_memory(),
        ..JobSettings::default()
    }
}

/// Reports the written files and the remaining frames.
fn summarize(
    options: &Render,
    order: &RenderRun,
    (report, wall_seconds): (JobReport, f64),
    signals: &Signals,
    console: &mut Console,
) -> Result<(), Failure> {
    let RenderRun { scene, frames, pattern, animations, .. } = order;
    let mut files = files_text(pattern.as_ref(), frames);
    for file in animations.with_views(&scene.output.aov) {
        files += &format!(", {}", file.shown());
    }
    let is_all_there = report.in_flight == 0;
    let warnings = counted(console.warnings().len(), "warning");
    let to_go_on = |missing: &FrameList| {
        if options.more.is_empty() {
            format!("to continue: {}", command_for(missing))
        } else {
            "to continue, run the same command again".to_owned()
        }
    };
    let report = conclude(report, signals, Some(to_go_on), console)?;
    if let Some(pattern) = pattern {
        tell_leftovers(pattern, scene, options.clean, console)?;
    }
    if is_all_there {
        console.info(&format!("{}; {warnings}", all_present_text(frames.len(), &files)));
        return Ok(());
    }
    let is_view = order.is_for_stdout() && !scene.output.aov.is_empty();
    let beside = if is_view { String::new() } else { with_beside(&scene.output) };
    console.info(&format!(
        "{}{beside}{}{files}; {}",
        rate_text(report.written, "frame", wall_seconds),
        others_text(report.present),
        counted(console.warnings().len(), "warning"),
    ));
    Ok(())
}

/// Reports frames in the folder that the scene does not have, or removes them.
fn tell_leftovers(
    pattern: &FramePattern,
    scene: &Scene,
    clean: bool,
    console: &mut Console,
) -> Result<(), Failure> {
    let found = match leftovers(pattern, &scene.output.frames) {
        Ok(found) => found,
        Err(error) if clean => return Err(load::refused(&error)),
        Err(error) => {
            console.info(&format!("cannot look for frames that are not of this scene: {error}"));
            return Ok(());
        }
    };
    let Some(list) = FrameList::from_rising(found.keys().copied()) else { return Ok(()) };
    let frames = counted(found.len(), "frame");
    let folder = folder_of(pattern);
    if !clean {
        console.info(&format!(
            "{frames} in {} are not of this scene: {list}; remove them with --clean",
            folder.shown()
        ));
        return Ok(());
    }
    let (removed, kept) = remove_leftovers(found.into_values().flatten());
    console.info(&format!(
        "removed {} of {frames} that are not of this scene: {list}",
        counted(removed, "file")
    ));
    for (path, reason) in kept {
        console.warning(&format!("{}: kept, as {reason}", path.shown()));
    }
    Ok(())
}

/// The frames, or models, of one shard.
pub(super) fn shard<T: Clone>(asked: Option<&str>, all: Vec<T>) -> Result<Vec<T>, Failure> {
    Ok(match read_shard(asked)? {
        Some(shard) => shard.of(&all).to_vec(),
        None => all,
    })
}

/// The requested shard, with the task number from its environment.
pub(super) fn read_shard(asked: Option<&str>) -> Result<Option<Shard>, Failure> {
    let Some(text) = asked else { return Ok(None) };
    let shard = ShardText::parse(text).and_then(|shard| {
        let value = shard.variable().and_then(std::env::var_os);
        shard.with(value.map(|value| value.to_string_lossy().into_owned()).as_deref())
    });
    shard.map(Some).map_err(|error| Failure::bad_input(format!("--shard: {error}")))
}

fn raster_options(options: &Render) -> Result<RasterOptions, Failure> {
    let mut raster = RasterOptions::default();
    if let Some(tile) = options.tile {
        if !(RasterOptions::MIN_TILE..=RasterOptions::MAX_TILE).contains(&tile) {
            return Err(Failure::bad_input(format!(
                "--tile: {tile}; expected {} to {}",
                RasterOptions::MIN_TILE,
                RasterOptions::MAX_TILE
            )));
        }
        raster.tile = tile;
    }
    if let Some(name) = &options.simd {
        let level = Level::from_name(name).filter(|level| level.is_available());
        raster.level = level.ok_or_else(|| {
            let names: Vec<_> = Level::available().into_iter().map(Level::name).collect();
            Failure::bad_input(format!(
                "--simd: \"{name}\"; this machine supports {}",
                names.join(", ")
            ))
        })?;
    }
    Ok(raster)
}

/// The frames to draw: position in the scene's list, and number.
pub(super) fn frames(asked: Option<&str>, scene: &Scene) -> Result<Vec<(usize, i64)>, Failure> {
    let own = &scene.output.frames;
    let Some(text) = asked else {
        return Ok(own.iter().map(i64::from).enumerate().collect());
    };
    let asked =
        FrameList::parse(text).map_err(|error| Failure::bad_input(format!("--frames: {error}")))?;
    asked
        .iter()
        .map(|number| match own.position(number) {
            Some(k) => Ok((k, number.0)),
            None => Err(Failure::bad_input(format!(
                "--frames: {number} is not one of the scene's frames, {own}"
            ))),
        })
        .collect()
}

/// Files for this many frames: from the option, otherwise from the scene, otherwise the default.
fn outputs(
    asked: Option<&str>,
    scene: &Scene,
    path: &Path,
    frames: usize,
) -> Result<Outputs<'static>, Failure> {
    let own = scene.output.file.as_ref().map(FramePattern::text);
    match asked.or(own.as_deref()) {
        Some(name) => outputs_named(name, Some(frames), |_| None),
        None => Ok(Outputs::files(default_pattern(path)?)),
    }
}

/// File names of this many frames, if each has a separate file.
pub(super) fn pattern(
    asked: Option<&str>,
    scene: &Scene,
    path: &Path,
    frames: usize,
) -> Result<FramePattern, Failure> {
    let why = "expected one file per frame";
    asked.map_or(Ok(()), |name| refuse_animation(name, why))?;
    let outputs = outputs(asked, scene, path, frames)?;
    outputs.pattern().cloned().ok_or_else(|| {
        Failure::bad_input(format!(
            "{}: [output] file is one file for all frames: {why}",
            path.shown()
        ))
    })
}

/// `out/<scene>/####.png`
fn default_pattern(scene: &Path) -> Result<FramePattern, Failure> {
    let stem = scene.file_stem().map_or_else(String::new, |stem| stem.shown());
    // A scene from standard input has no name.
    let stem = if stem == STREAM { "scene".to_owned() } else { stem };
    FramePattern::parse(&format!("out/{stem}/####.png"))
        .map_err(|error| Failure::bad_input(format!("{}: {error}", scene.shown())))
}
