//! `tintype render`: the frames of a scene as PNG files.
//!
//! A frame that is there, whole and current is not drawn again, so the same command, run again or on another machine, goes on where
//! it was; two that draw the same frame do no harm.

mod target;

use super::args::{self, Render, StatsForm};
use super::build_digest::build_digest;
use super::console::Console;
use super::journal;
use super::sequence::{
    Tally, again, effort, encode_view, rate_text, still_to_draw, tell_shadows, with_views,
};
use super::signals::{Signals, command_for};
use super::stats::{Figures, Stats, Whole};
use super::{Failure, counted, load, write_stdout};
use crate::aov::Viewer;
use crate::deadline::Deadline;
use crate::job::journal::{Journal, Subject};
use crate::job::resume::{ResumeCheck, provenance};
use crate::model::Background;
use crate::output::{FrameStatus, Provenance, encode_png, temp_files};
use crate::raster::{Clock, Counts, RasterOptions};
use crate::render::{BoundScene, Drawn};
use crate::scene::{FrameList, FramePattern, Scene, ShardText};
use crate::simd::Level;
use crate::workers;
use rayon::prelude::*;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;
use target::Target;

/// What is asked for.
struct Order {
    scene: Arc<Scene>,
    cut: RasterOptions,
    /// Position among the scene's own frames, and number.
    frames: Vec<(usize, i64)>,
    target: Target,
}

impl Order {
    fn new(options: &Render) -> Result<Self, Failure> {
        let mut scene = load::scene(&options.scene)?;
        options.overrides.to_output().apply(&mut scene.output);
        let frames = frames(options.frames.as_deref(), &scene)?;
        let target = Target::new(options, &scene, &frames)?;
        let frames = shard(options.shard.as_deref(), frames)?;
        let speakers = [
            ("-o -", target.pattern().is_none()),
            ("--progress openjd", options.progress == args::Progress::Openjd),
            ("--stats=json", options.stats == Some(StatsForm::Json)),
        ];
        let speakers: Vec<_> =
            speakers.into_iter().filter_map(|(name, speaks)| speaks.then_some(name)).collect();
        if let [first, second, ..] = speakers.as_slice() {
            let message = format!("{second} and {first} would both write to standard output");
            return Err(Failure::bad_input(message));
        }
        Ok(Self { cut: cut(options)?, scene: Arc::new(scene), frames, target })
    }
}

/// What became of one frame.
enum Outcome {
    Drawn {
        counts: Counts,
        legends: Vec<String>,
        figures: Box<Figures>,
    },
    /// Somebody else has written it meanwhile.
    Present {
        is_empty: bool,
    },
}

pub(super) fn run(
    options: &Render,
    pool: &rayon::ThreadPool,
    console: &mut Console,
) -> Result<(), Failure> {
    let order = Order::new(options)?;
    let record = match order.target.pattern().filter(|_| options.record) {
        Some(pattern) => {
            let subject = Subject::scene(&options.scene, &order.frames);
            journal::begin(subject, options.shard.as_deref(), &folder_of(pattern))?
        }
        None => Journal::none(),
    };
    let result = draw(options, &order, &record, pool, console);
    journal::end(&record, result.as_ref().err(), console);
    result
}

fn draw(
    options: &Render,
    order: &Order,
    record: &Journal,
    pool: &rayon::ThreadPool,
    console: &mut Console,
) -> Result<(), Failure> {
    let Order { scene, cut, frames, target } = order;
    if frames.is_empty() {
        let shard = options.shard.as_deref().unwrap_or_default();
        console.info(&format!("shard {shard} has no frames: there are fewer frames than shards"));
        return Ok(());
    }

    // 1. What is needed for it.
    let assets = pool.install(|| load::assets(scene, &options.scene, console))?;
    let assets = Arc::new(assets);
    let bound = pool
        .install(|| BoundScene::new(Arc::clone(scene), Arc::clone(&assets), &Deadline::NEVER))
        .map_err(|error| Failure::bad_input_chain(&error))?;
    for warning in bound.warnings() {
        console.warning(&warning.to_string());
    }
    for file in &assets.files {
        console.detail(&format!("read {}", file.name));
    }
    let digest = bound.digest();

    // 2. What is there already.
    let mut tally = Tally::default();
    tally.allow_empty = options.allow_empty || options.shard.is_some();
    let views = &scene.output.aov;
    let size = scene.output.size;
    let present = target.pattern().filter(|_| !options.overwrite);
    let present = present.map(|pattern| ResumeCheck {
        pattern,
        views,
        size,
        digest: &digest,
        build: build_digest(),
    });
    if let Some(pattern) = target.pattern() {
        temp_files::remove_stale(&folder_of(pattern), temp_files::STALE_AFTER);
    }
    let missing = match &present {
        Some(present) => {
            let looked: Vec<_> = pool
                .install(|| frames.par_iter().map(|&(_, number)| present.check(number)).collect());
            let (missing, there) = still_to_draw(frames, looked, &mut tally, console);
            there.into_iter().for_each(|list| record.present(&list));
            missing
        }
        None => frames.clone(),
    };
    let whole = Whole {
        size,
        samples: scene.output.samples,
        anisotropy: scene.output.anisotropy,
        threads: pool.current_num_threads(),
        tile: cut.tile_for(size, scene.output.samples),
        wall_seconds: 0.0,
    };
    if missing.is_empty() {
        tell_stats(options, &mut Stats::default(), whole, console)?;
        let count = counted(frames.len(), "frame");
        let warnings = counted(console.warnings().len(), "warning");
        tally.conclude(frames.len(), 0, console)?;
        let (are, them) = if frames.len() == 1 { ("is", "it") } else { ("are", "them") };
        console.info(&format!(
            "{count} {are} there and current{} (--overwrite draws {them} anew); {warnings}",
            target.described(frames)
        ));
        return Ok(());
    }

    // 3. The frames: as many in flight as there are threads, each encoded and written where it was drawn.
    let renderer = pool.install(|| bound.fit());
    tell_shadows(&renderer, console);
    let viewer = pool
        .install(|| Viewer::new(&renderer, views))
        .map_err(|error| Failure::bad_input(error.to_string()))?;
    let keep_alpha = scene.output.background == Background::Transparent;
    let effort = effort(options.png);
    let stop = Signals::listen("the frames in flight");
    if let Some(pattern) = target.pattern() {
        let (folder, record) = (folder_of(pattern), record.clone());
        stop.leave_soon_when_terminated(move || {
            temp_files::remove_of_process(&folder);
            journal::terminated(&record);
        });
    }
    let job = |index: usize| -> Result<Outcome, Failure> {
        let started = Instant::now();
        let seconds = || started.elapsed().as_secs_f64();
        let (_, number) = missing[index];
        if let Some(present) = &present
            && let (FrameStatus::Current { is_empty }, _) = present.check(number)
        {
            return Ok(Outcome::Present { is_empty });
        }
        let staged = pool
            .install(|| viewer.stage(&renderer, number.into(), *cut))
            .map_err(|error| Failure::bad_input_chain(&error))?;
        let staged_s = seconds();
        let clock: Option<Clock> = options.stats.is_some().then_some(&seconds);
        let Drawn { frame, counts, times } =
            pool.install(|| renderer.draw_staged_timed(&staged, *cut, clock));
        let mut figures = Figures::of_raster(&counts, &times);
        figures.stages.pose_and_skin = staged_s;
        let is_empty = counts.covered_pixels == 0;
        let provenance = Provenance { is_empty, ..provenance(number, &digest, build_digest()) };
        let mut legends = Vec::new();
        // The picture comes last: with it the frame is there.
        let views_from_s = seconds();
        for shown in pool.install(|| viewer.draw(&renderer, &staged, &frame, *cut)) {
            let png = encode_view(&shown, &provenance, effort);
            figures.png_bytes += png.len() as u64;
            again(options.retries, stop.token(), || target.write_view(number, &shown.aov, &png))?;
            legends.push(shown.described());
        }
        renderer.recycle(staged);
        let encode_from_s = seconds();
        figures.stages.views = encode_from_s - views_from_s;
        if target.has_picture() {
            let png = encode_png(&frame, keep_alpha, effort, &provenance.to_text());
            let write_from_s = seconds();
            again(options.retries, stop.token(), || target.write(number, &png))?;
            figures.png_bytes += png.len() as u64;
            figures.stages.encode = write_from_s - encode_from_s;
            figures.stages.write = seconds() - write_from_s;
        }
        figures.seconds = seconds();
        Ok(Outcome::Drawn { counts, legends, figures: Box::new(figures) })
    };
    let mut stats = Stats::default();
    let mut meter = console.progress(options.progress, missing.len(), "frames");
    workers::run(missing.len(), pool.current_num_threads(), job, |index, result| {
        let number = missing[index].1;
        match result {
            Ok(Outcome::Drawn { counts, legends, figures }) => {
                let took_s = figures.seconds;
                tally.add(number, &counts, took_s, console);
                stats.add(number, *figures, &counts);
                record.frame(number, &digest, took_s);
                for legend in &legends {
                    console.detail(&format!("frame {number}: {legend}"));
                }
                meter.step(console);
            }
            Ok(Outcome::Present { is_empty }) => {
                tally.add_present(number, is_empty);
                record.present(&FrameList::single(number.into()));
                meter.step(console);
            }
            Err(failure) => {
                record.failed(number, &failure.message);
                if !options.keep_going {
                    tally.fail(failure);
                    return ControlFlow::Break(());
                }
                tally.fail_one(number, failure, console);
            }
        }
        if stop.is_asked() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    let seconds = meter.finish().as_secs_f64();

    // 4. What came of it.
    let whole = Whole { wall_seconds: seconds, ..whole };
    tell_stats(options, &mut stats, whole, console)?;
    let (written, were_there) = (tally.written, tally.present);
    let numbers: Vec<i64> = frames.iter().map(|&(_, number)| number).collect();
    let to_go_on = |missing: &FrameList| format!("to go on: {}", command_for(missing));
    tally.stopped(&numbers, &stop, to_go_on, console)?;
    tally.conclude(frames.len(), pool.current_num_threads(), console)?;
    let beside = if target.has_picture() { with_views(views) } else { String::new() };
    let others = match were_there {
        0 => String::new(),
        1 => ", 1 was there and current".to_owned(),
        count => format!(", {count} were there and current"),
    };
    console.info(&format!(
        "{}{beside}{others}{}; {}",
        rate_text(written, seconds),
        target.described(frames),
        counted(console.warnings().len(), "warning"),
    ));
    Ok(())
}

fn tell_stats(
    options: &Render,
    stats: &mut Stats,
    whole: Whole,
    console: &Console,
) -> Result<(), Failure> {
    match options.stats {
        None => Ok(()),
        Some(StatsForm::Text) => {
            console.info(&stats.page(whole));
            Ok(())
        }
        Some(StatsForm::Json) => write_stdout(stats.json(whole).as_bytes()),
    }
}

/// The part of the frames, or of the models, that a shard owns.
pub(super) fn shard<T: Clone>(asked: Option<&str>, all: Vec<T>) -> Result<Vec<T>, Failure> {
    let Some(text) = asked else { return Ok(all) };
    let shard = ShardText::parse(text).and_then(|shard| {
        let value = shard.variable().and_then(std::env::var_os);
        shard.with(value.map(|value| value.to_string_lossy().into_owned()).as_deref())
    });
    let shard = shard.map_err(|error| Failure::bad_input(format!("--shard: {error}")))?;
    Ok(shard.of(&all).to_vec())
}

/// The folder of a sequence.
pub(super) fn folder_of(pattern: &FramePattern) -> std::path::PathBuf {
    let path = pattern.path(0);
    match Path::new(&path).parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder.to_owned(),
        _ => Path::new(".").to_owned(),
    }
}

fn cut(options: &Render) -> Result<RasterOptions, Failure> {
    let mut cut = RasterOptions::default();
    if let Some(tile) = options.tile {
        if !(RasterOptions::MIN_TILE..=RasterOptions::MAX_TILE).contains(&tile) {
            return Err(Failure::bad_input(format!(
                "--tile: {tile}; allowed are {} to {}",
                RasterOptions::MIN_TILE,
                RasterOptions::MAX_TILE
            )));
        }
        cut.tile = tile;
    }
    if let Some(name) = &options.simd {
        let level = Level::from_name(name).filter(|level| level.is_available());
        cut.level = level.ok_or_else(|| {
            let names: Vec<_> = Level::available().into_iter().map(Level::name).collect();
            Failure::bad_input(format!("--simd: \"{name}\"; this machine has {}", names.join(", ")))
        })?;
    }
    Ok(cut)
}

/// The frames to draw: position among the scene's own, and number.
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
                "--frames: {number} is not one of the scene's frames, which are {own}"
            ))),
        })
        .collect()
}

/// The names of a scene's files: as asked for, else as the scene says, else the default.
pub(super) fn pattern(
    asked: Option<&str>,
    scene: &Scene,
    path: &Path,
) -> Result<FramePattern, Failure> {
    match (asked, &scene.output.file) {
        (Some(text), _) => FramePattern::parse(text)
            .map_err(|error| Failure::bad_input(format!("--output: {error}"))),
        (None, Some(pattern)) => Ok(pattern.clone()),
        (None, None) => default_pattern(path),
    }
}

/// `out/<scene>/####.png`
fn default_pattern(scene: &Path) -> Result<FramePattern, Failure> {
    let stem = scene.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into());
    FramePattern::parse(&format!("out/{stem}/####.png"))
        .map_err(|error| Failure::bad_input(format!("{}: {error}", scene.display())))
}
