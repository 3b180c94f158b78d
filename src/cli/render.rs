//! `tintype render`: the frames of a scene as PNG files.

use super::args::Render;
use super::console::Console;
use super::sequence::{Tally, effort, parse_samples, parse_size, rate_text, tell_shadows};
use super::{Failure, counted, load, write_stdout};
use crate::farm;
use crate::model::Background;
use crate::output::{Provenance, encode_png, write_atomic};
use crate::raster::{Counts, Cut};
use crate::render::Prepared;
use crate::scene::{Aov, FrameList, FramePattern, Scene};
use crate::simd::Level;
use crate::view::Viewer;
use std::ops::ControlFlow;
use std::path::Path;
use std::time::Instant;

pub(super) fn run(
    options: &Render,
    pool: &rayon::ThreadPool,
    console: &mut Console,
) -> Result<(), Failure> {
    // 1. What is asked for.
    let mut scene = load::scene(&options.scene)?;
    if let Some(size) = &options.size {
        scene.output.size = parse_size(size)?;
    }
    if let Some(samples) = options.samples {
        scene.output.samples = parse_samples(samples)?;
    }
    if let Some(list) = &options.aov {
        let views = Aov::parse_list(list);
        scene.output.aov = views.map_err(|error| Failure::bad_input(format!("--aov: {error}")))?;
    }
    let cut = cut(options)?;
    let frames = frames(options.frames.as_deref(), &scene)?;
    let target = Target::new(options, &scene, &frames)?;

    // 2. What is needed for it.
    let assets = pool.install(|| load::assets(&scene, &options.scene, console))?;
    let prepared = pool
        .install(|| Prepared::new(&scene, &assets))
        .map_err(|error| Failure::bad_input_chain(&error))?;
    for warning in &prepared.warnings {
        console.warning(warning);
    }
    tell_shadows(&prepared, console);
    let views = &scene.output.aov;
    let viewer = pool
        .install(|| Viewer::new(&scene, &assets, &prepared, views))
        .map_err(|error| Failure::bad_input(error.to_string()))?;
    for file in &assets.files {
        console.detail(&format!("read {}", file.name));
    }

    // 3. The frames: as many in flight as there are threads, each encoded and written where it was drawn.
    let keep_alpha = scene.output.background == Background::Transparent;
    let effort = effort(options.png);
    let digest = prepared.digest();
    let job = |index: usize| -> Result<(Counts, Vec<String>, f64), Failure> {
        let started = Instant::now();
        let (k, number) = frames[index];
        let staged = pool.install(|| prepared.stage(k));
        let (frame, counts) = pool.install(|| prepared.draw_staged(&staged, cut));
        let provenance = Provenance::of_this_build(number, digest.clone());
        if target.has_picture() {
            let png = encode_png(&frame, keep_alpha, effort, &provenance.to_text());
            target.write(number, &png)?;
        }
        let mut legends = Vec::new();
        for shown in pool.install(|| viewer.draw(&prepared, &staged, &frame, cut)) {
            let text = provenance.to_text_of_view(&shown.aov.word(), &shown.legend);
            target.write_view(
                number,
                &shown.aov,
                &encode_png(&shown.frame, false, effort, &text),
            )?;
            legends.push(format!("{}: {}", shown.aov.word(), shown.legend));
        }
        Ok((counts, legends, started.elapsed().as_secs_f64()))
    };
    let mut meter = console.progress(options.progress, frames.len(), "frames");
    let mut tally = Tally::default();
    farm::run(frames.len(), pool.current_num_threads(), job, |index, result| match result {
        Ok((counts, legends, took_s)) => {
            let number = frames[index].1;
            tally.add(number, &counts, took_s, console);
            for legend in &legends {
                console.detail(&format!("frame {number}: {legend}"));
            }
            meter.step(console);
            ControlFlow::Continue(())
        }
        Err(error) => {
            tally.fail(error);
            ControlFlow::Break(())
        }
    });
    let seconds = meter.finish().as_secs_f64();

    // 4. What came of it.
    let written = tally.written;
    tally.conclude(frames.len(), pool.current_num_threads(), console)?;
    let beside = match (views.len(), target.has_picture()) {
        (0, _) | (_, false) => String::new(),
        (count, true) => format!(", each with {}", counted(count, "view")),
    };
    console.info(&format!(
        "{}{beside}{}; {}",
        rate_text(written, seconds),
        target.described(&frames),
        counted(console.warnings().len(), "warning"),
    ));
    Ok(())
}

fn cut(options: &Render) -> Result<Cut, Failure> {
    let mut cut = Cut::default();
    if let Some(tile) = options.tile {
        if !(Cut::MIN_TILE..=Cut::MAX_TILE).contains(&tile) {
            return Err(Failure::bad_input(format!(
                "--tile: {tile}; allowed are {} to {}",
                Cut::MIN_TILE,
                Cut::MAX_TILE
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
        return Ok(own.iter().enumerate().collect());
    };
    let asked =
        FrameList::parse(text).map_err(|error| Failure::bad_input(format!("--frames: {error}")))?;
    asked
        .iter()
        .map(|number| match own.position(number) {
            Some(k) => Ok((k, number)),
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

/// Where frames go.
enum Target {
    Files(FramePattern),
    /// The picture, or the only view that is asked for.
    Stdout {
        has_picture: bool,
    },
}

impl Target {
    fn new(options: &Render, scene: &Scene, frames: &[(usize, i64)]) -> Result<Self, Failure> {
        let several = frames.len() > 1;
        let one_only = |name: &str| {
            Failure::bad_input(format!(
                "{name} holds one frame and {} are asked for; pick one with --frames, or name them with ####",
                frames.len()
            ))
        };
        let pattern = match options.output.as_deref() {
            Some("-") if several => return Err(one_only("standard output")),
            Some("-") if scene.output.aov.len() > 1 => {
                let views: Vec<String> = scene.output.aov.iter().map(Aov::word).collect();
                return Err(Failure::bad_input(format!(
                    "standard output holds one picture and {} views are asked for ({}); pick one with --aov, or none with --aov none",
                    views.len(),
                    views.join(", ")
                )));
            }
            Some("-") => return Ok(Self::Stdout { has_picture: scene.output.aov.is_empty() }),
            given => pattern(given, scene, &options.scene)?,
        };
        if several && !pattern.has_number() {
            return Err(one_only(&pattern.path(0)));
        }
        Ok(Self::Files(pattern))
    }

    fn write(&self, number: i64, png: &[u8]) -> Result<(), Failure> {
        match self {
            Self::Files(pattern) => write_atomic(Path::new(&pattern.path(number)), png)
                .map_err(|error| Failure::output(&error)),
            Self::Stdout { .. } => write_stdout(png),
        }
    }

    /// Whether the picture itself is asked for; standard output has room for one.
    fn has_picture(&self) -> bool {
        !matches!(self, Self::Stdout { has_picture: false })
    }

    /// Writes a view of a frame beside its picture.
    fn write_view(&self, number: i64, view: &Aov, png: &[u8]) -> Result<(), Failure> {
        match self {
            Self::Files(pattern) => {
                Self::Files(pattern.beside(&view.file_word())).write(number, png)
            }
            Self::Stdout { .. } => self.write(number, png),
        }
    }

    fn described(&self, frames: &[(usize, i64)]) -> String {
        match (self, frames) {
            (Self::Files(pattern), [(_, first), .., (_, last)]) => {
                format!(", {} to {}", pattern.path(*first), pattern.file_name(*last))
            }
            (Self::Files(pattern), [(_, only)]) => format!(", {}", pattern.path(*only)),
            _ => String::new(),
        }
    }
}

/// `out/<scene>/####.png`
fn default_pattern(scene: &Path) -> Result<FramePattern, Failure> {
    let stem = scene.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into());
    FramePattern::parse(&format!("out/{stem}/####.png"))
        .map_err(|error| Failure::bad_input(format!("{}: {error}", scene.display())))
}
