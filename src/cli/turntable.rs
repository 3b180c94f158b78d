//! `tintype turntable`: once around a model, without a scene.
//!
//! What is drawn is a scene like any other, composed by [`crate::portrait`]; `--save-scene` writes it. Frames are drawn side by side
//! and reach the files in their order.

use super::args::{Raw, Turntable};
use super::console::Console;
use super::sequence::{Tally, effort, parse_samples, parse_size, rate_text};
use super::{Failure, counted, load, write_stdout};
use crate::asset::{self, Assets, LoadedModel};
use crate::facts::ModelFacts;
use crate::farm;
use crate::frame::Frame;
use crate::model::Background;
use crate::output::{
    ApngWriter, GifFrame, GifWriter, Operation, OutputError, PendingFile, Provenance, Rate, Sheet,
    encode_png, write_atomic, y4m_frame, y4m_header,
};
use crate::portrait::{Shot, Timeline, stance};
use crate::raster::Cut;
use crate::render::Prepared;
use crate::scene::{ClipChoice, FramePattern, Scene, nearest_word, parse_scene};
use std::fs::File;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::Instant;

pub(super) fn run(
    options: &Turntable,
    pool: &rayon::ThreadPool,
    console: &mut Console,
) -> Result<(), Failure> {
    // 1. The model, and the scene that shows it.
    let target = Target::new(options)?;
    let subject = pool.install(|| Subject::load(options, console))?;
    let Subject { scene, assets, timeline, .. } = &subject;
    if let Some(path) = &options.save_scene {
        save_scene(path, options, &subject, console)?;
    }
    let keep_alpha = scene.output.background == Background::Transparent;
    if keep_alpha && options.raw == Some(Raw::Y4m) {
        let message = "--raw y4m has no alpha; use --raw rgba, or another --background";
        return Err(Failure::bad_input(message));
    }
    let prepared = pool
        .install(|| Prepared::new(scene, assets))
        .map_err(|error| Failure::bad_input_chain(&error))?;
    prepared.warnings.iter().for_each(|warning| console.warning(warning));
    if !timeline.closes {
        let clip = options.clip.as_deref().unwrap_or("clip");
        console.warning(&format!(
            "the loop does not close: the {clip} is much longer or shorter than {}",
            counted(timeline.frames, "frame")
        ));
    }

    // 2. The frames: drawn side by side, added to each file in their order.
    let frames: Vec<i64> = scene.output.frames.iter().collect();
    let digest = prepared.digest();
    let in_flight = pool.current_num_threads();
    let mut sinks = Sinks::new(options, scene, keep_alpha, &digest, &frames)?;
    let wants_gif = options.gif.is_some();
    let job = |k: usize| -> Result<_, Failure> {
        let started = Instant::now();
        let (frame, counts) = pool.install(|| prepared.draw(k, Cut::default()));
        if let Target::Files(pattern) = &target {
            let text = Provenance::of_this_build(frames[k], digest.clone()).to_text();
            let png = encode_png(&frame, keep_alpha, effort(options.png), &text);
            write_atomic(Path::new(&pattern.path(frames[k])), &png)
                .map_err(|error| Failure::output(&error))?;
        }
        let reduced = wants_gif.then(|| GifFrame::new(&frame));
        Ok((frame, reduced, counts, started.elapsed().as_secs_f64()))
    };
    let mut meter = console.progress(options.progress, frames.len(), "frames");
    let mut tally = Tally::default();
    farm::run_in_order(frames.len(), in_flight, job, |k, result| {
        let added = result.and_then(|(frame, reduced, counts, took_s)| {
            sinks.add(k, &frame, reduced)?;
            if target == Target::Stdout {
                write_stdout(&raw_bytes(options, scene, k, &frame))?;
            }
            Ok((counts, took_s))
        });
        match added {
            Ok((counts, took_s)) => {
                tally.add(frames[k], &counts, took_s, console);
                meter.step(console);
                ControlFlow::Continue(())
            }
            Err(failure) => {
                tally.fail(failure);
                ControlFlow::Break(())
            }
        }
    });
    let seconds = meter.finish().as_secs_f64();

    // 3. What came of it.
    let written = tally.written;
    tally.conclude(frames.len(), in_flight, console)?;
    let files = sinks.finish(options, &frames, scene.output.fps)?;
    let mut places = target.described(&frames);
    files.iter().for_each(|file| places += &format!(", {}", file.display()));
    let plays = match timeline.rounds {
        0 => String::new(),
        1 => ", the clip once".to_owned(),
        rounds => format!(", the clip {rounds} times"),
    };
    console.info(&format!(
        "{}{plays}{places}; {}",
        rate_text(written, seconds),
        counted(console.warnings().len(), "warning"),
    ));
    Ok(())
}

/// A model in its scene.
struct Subject {
    scene: Scene,
    assets: Assets,
    timeline: Timeline,
    /// The axes of the model, as `[[model]]` has them.
    axes: String,
    /// The scene without its models.
    shot: String,
}

impl Subject {
    fn load(options: &Turntable, console: &mut Console) -> Result<Self, Failure> {
        let model = model_text(options, console, &Path::to_owned);
        let mut axes = axes_text(options.up.as_deref(), options.front.as_deref());
        let name = options.model.display().to_string();
        let parse = |text: &str| {
            parse_scene(text, &name).map_err(|errors| Failure::bad_input(errors.to_string()))
        };
        let bare = parse(&format!("{model}{axes}"))?;
        let mut assets = load::assets_in(&bare, Path::new(""), console)?;

        // A figure that would lie on its back is stood up.
        let loaded = &assets.models[0];
        if options.up.is_none()
            && options.front.is_none()
            && let Some(stance) = stance::stance(&ModelFacts::of(&loaded.model), loaded)
        {
            let (up, front) = (stance.up.word(), stance.front.word());
            console.info(&format!(
                "the model stands along z of its file: --up {up} --front {front} are taken; say others if that is wrong"
            ));
            axes = axes_text(Some(up), Some(front));
            let upright = parse(&format!("{model}{axes}"))?;
            // Its warnings have been given.
            assets = asset::load_within(&upright, Path::new(""), console.limits())
                .map_err(|error| Failure::bad_input_chain(&error))?;
        }

        let loaded = &assets.models[0];
        let clip = choose_clip(options, loaded)?;
        let period_s = clip.map(|index| loaded.clips[index].clip.period_s);
        if options.fps.is_some_and(|fps| !(fps > 0.0 && fps <= 1000.0)) {
            return Err(Failure::bad_input("--fps: above 0, at most 1000"));
        }
        let timeline = Timeline::new(period_s, options.frames, options.fps);
        let shot = Shot {
            size: parse_size(&options.size)?,
            samples: parse_samples(options.samples)?,
            timeline,
            background: options.background.as_deref().map(background_text),
            azimuth_deg: options.azimuth,
            turn_deg: options.turn,
            elevation_deg: options.elevation,
            fov_deg: options.fov,
            clip: clip.map(|index| clip_word(&bare, loaded, index)),
            model: bare.models[0].name.clone(),
        };
        let shot = shot.to_toml();
        let scene = parse(&format!("{model}{axes}\n{shot}"))?;
        // Which clip is wanted is known to the assets of the whole scene alone.
        let wanted =
            scene.wanted_clips.iter().map(|_| clip.map_or(ClipChoice::Bind, ClipChoice::Clip));
        assets.wanted_clips = wanted.collect();
        Ok(Self { scene, assets, timeline, axes, shot })
    }
}

/// The `[[model]]` table, with the paths that `written` makes.
fn model_text(
    options: &Turntable,
    console: &Console,
    written: &dyn Fn(&Path) -> PathBuf,
) -> String {
    let Turntable { model, clips, ticks_per_second, .. } = options;
    load::text_of_model(model, clips, *ticks_per_second, console.limits(), written)
}

fn axes_text(up: Option<&str>, front: Option<&str>) -> String {
    let line = |(key, value): (&str, Option<&str>)| {
        value.map(|value| format!("{key} = {}\n", toml::Value::from(value)))
    };
    [("up", up), ("front", front)].into_iter().filter_map(line).collect()
}

/// `transparent`, one colour, or two with a comma, as a scene writes them.
fn background_text(asked: &str) -> String {
    let word = |text: &str| toml::Value::from(text.trim()).to_string();
    match asked.split_once(',') {
        Some((top, bottom)) => format!("{{ top = {}, bottom = {} }}", word(top), word(bottom)),
        None => word(asked),
    }
}

/// The clip that plays: its place among those of the model.
fn choose_clip(options: &Turntable, loaded: &LoadedModel) -> Result<Option<usize>, Failure> {
    let Some(asked) = options.clip.as_deref() else {
        return Ok((!loaded.clips.is_empty()).then_some(0));
    };
    if let Some(place) = loaded.clips.iter().position(|clip| clip.name == asked) {
        return Ok(Some(place));
    }
    if let Some(place) = asked.parse().ok().filter(|&place: &usize| place < loaded.clips.len()) {
        return Ok(Some(place));
    }
    if asked == "bind" {
        return Ok(None);
    }
    let names: Vec<&str> =
        loaded.clips.iter().map(|clip| clip.name.as_str()).chain(["bind"]).collect();
    let nearest = nearest_word(asked, names.iter().copied());
    let hint = nearest.map_or_else(String::new, |name| format!("; did you mean {name:?}?"));
    Err(Failure::bad_input(format!(
        "--clip: no clip {asked:?}{hint}; there are {}",
        names.join(", ")
    )))
}

/// How a scene names a clip: by its name where no other has it, else by its place.
fn clip_word(scene: &Scene, loaded: &LoadedModel, place: usize) -> String {
    let name = &loaded.clips[place].name;
    let is_unique = loaded.clips.iter().filter(|clip| clip.name == *name).count() == 1;
    match is_unique && (!scene.models[0].has_own_clips || !name.is_empty()) {
        true => toml::Value::from(name.as_str()).to_string(),
        false => place.to_string(),
    }
}

/// Writes the scene with paths that are right beside it.
fn save_scene(
    path: &Path,
    options: &Turntable,
    subject: &Subject,
    console: &Console,
) -> Result<(), Failure> {
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let failed = |error: &std::io::Error| load::unreadable(folder, error);
    std::fs::create_dir_all(folder).map_err(|error| failed(&error))?;
    let folder = folder.canonicalize().map_err(|error| failed(&error))?;
    let model = model_text(options, console, &|file| relative(file, &folder));
    let text = format!("{model}{}\n{}", subject.axes, subject.shot);
    write_atomic(path, text.as_bytes()).map_err(|error| Failure::output(&error))?;
    console.info(&format!("{} is the scene of it: tintype render {0}", path.display()));
    Ok(())
}

/// The way to a file from a folder, which has no links in its own path; the file's whole path where it has none.
fn relative(file: &Path, folder: &Path) -> PathBuf {
    let Ok(real) = file.canonicalize() else {
        return std::path::absolute(file).unwrap_or_else(|_| file.to_owned());
    };
    let shared = real.components().zip(folder.components()).take_while(|(a, b)| a == b).count();
    let mut way: PathBuf = folder.components().skip(shared).map(|_| "..").collect();
    way.extend(real.components().skip(shared));
    way
}

/// Where the frames go one by one.
#[derive(PartialEq)]
enum Target {
    Files(FramePattern),
    Stdout,
    Nowhere,
}

impl Target {
    fn new(options: &Turntable) -> Result<Self, Failure> {
        let one_file = options.apng.is_some() || options.gif.is_some() || options.sheet.is_some();
        let pattern = match options.output.as_deref() {
            Some("-") if options.raw.is_none() => {
                let message =
                    "-o - needs --raw y4m or --raw rgba, which say in what form frames go out";
                return Err(Failure::bad_input(message));
            }
            Some("-") => return Ok(Self::Stdout),
            _ if options.raw.is_some() => {
                return Err(Failure::bad_input("--raw goes to standard output: say -o - too"));
            }
            None if one_file => return Ok(Self::Nowhere),
            None => {
                let stem = options.model.file_stem().unwrap_or_default().to_string_lossy();
                format!("out/{stem}/####.png")
            }
            Some(text) if text.contains(['#', '%']) => text.to_owned(),
            Some(folder) => format!("{}/####.png", folder.trim_end_matches('/')),
        };
        FramePattern::parse(&pattern)
            .map(Self::Files)
            .map_err(|error| Failure::bad_input(format!("--output: {error}")))
    }

    fn described(&self, frames: &[i64]) -> String {
        match (self, frames) {
            (Self::Files(pattern), [first, .., last]) => {
                format!(", {} to {}", pattern.path(*first), pattern.file_name(*last))
            }
            (Self::Files(pattern), [only]) => format!(", {}", pattern.path(*only)),
            _ => String::new(),
        }
    }
}

/// What a frame adds to standard output.
fn raw_bytes(options: &Turntable, scene: &Scene, k: usize, frame: &Frame) -> Vec<u8> {
    match options.raw {
        Some(Raw::Y4m) => {
            let header = y4m_header(scene.output.size, Rate::new(scene.output.fps));
            let start = if k == 0 { header } else { Vec::new() };
            [start, y4m_frame(frame)].concat()
        }
        _ => frame.rgba.as_flattened().to_vec(),
    }
}

/// The files that hold all frames.
struct Sinks {
    apng: Option<(PendingFile, ApngWriter<File>)>,
    gif: Option<(PendingFile, GifWriter<File>)>,
    sheet: Option<Sheet>,
    keep_alpha: bool,
    text: Vec<(String, String)>,
}

impl Sinks {
    fn new(
        options: &Turntable,
        scene: &Scene,
        keep_alpha: bool,
        digest: &str,
        frames: &[i64],
    ) -> Result<Self, Failure> {
        let (size, rate) = (scene.output.size, Rate::new(scene.output.fps));
        let text = Provenance::of_this_build(frames[0], digest.to_owned()).to_text();
        let started = |path: &PathBuf| -> Result<(PendingFile, File), OutputError> {
            let pending = PendingFile::create(path)?;
            let handle = pending.handle()?;
            Ok((pending, handle))
        };
        let output = |error: OutputError| Failure::output(&error);
        let apng = match &options.apng {
            None => None,
            Some(path) => {
                let (pending, handle) = started(path).map_err(output)?;
                let count = u32::try_from(frames.len()).unwrap_or(u32::MAX);
                let writer = ApngWriter::new(
                    handle,
                    size,
                    count,
                    rate,
                    keep_alpha,
                    effort(options.png),
                    &text,
                )
                .map_err(|error| output(pending.failed(Operation::Write, error)))?;
                Some((pending, writer))
            }
        };
        let gif = match &options.gif {
            None => None,
            Some(path) => {
                let (pending, handle) = started(path).map_err(output)?;
                let writer = GifWriter::new(handle, size, rate)
                    .map_err(|error| output(pending.failed(Operation::Write, error)))?;
                Some((pending, writer))
            }
        };
        let sheet = match &options.sheet {
            None => None,
            Some(_) => Some(Sheet::new(frames.len(), size).ok_or_else(|| {
                Failure::bad_input(format!(
                    "--sheet: {} of {}x{} need a picture larger than {} pixels a side; ask for fewer or smaller ones",
                    counted(frames.len(), "frame"), size[0], size[1], Frame::MAX_SIDE
                ))
            })?),
        };
        Ok(Self { apng, gif, sheet, keep_alpha, text })
    }

    fn add(&mut self, k: usize, frame: &Frame, reduced: Option<GifFrame>) -> Result<(), Failure> {
        if let Some((pending, writer)) = &mut self.apng {
            writer.add(frame).map_err(|error| written(pending, error))?;
        }
        if let (Some((pending, writer)), Some(reduced)) = (&mut self.gif, reduced) {
            writer.add(reduced).map_err(|error| written(pending, error))?;
        }
        if let Some(sheet) = &mut self.sheet {
            sheet.put(k, frame);
        }
        Ok(())
    }

    /// Ends the files and gives them their names; says which there are.
    fn finish(
        self,
        options: &Turntable,
        frames: &[i64],
        fps: f64,
    ) -> Result<Vec<PathBuf>, Failure> {
        let mut files = Vec::new();
        if let Some((pending, writer)) = self.apng {
            writer.finish().map_err(|error| written(&pending, error))?;
            pending.commit().map_err(|error| Failure::output(&error))?;
            files.extend(options.apng.clone());
        }
        if let Some((pending, writer)) = self.gif {
            writer.finish().map_err(|error| written(&pending, error))?;
            pending.commit().map_err(|error| Failure::output(&error))?;
            files.extend(options.gif.clone());
        }
        if let (Some(sheet), Some(path)) = (self.sheet, &options.sheet) {
            let png = encode_png(&sheet.picture, self.keep_alpha, effort(options.png), &self.text);
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            let atlas = sheet.atlas(&name, frames, fps);
            write_atomic(path, &png).map_err(|error| Failure::output(&error))?;
            let beside = path.with_extension("json");
            write_atomic(&beside, atlas.as_bytes()).map_err(|error| Failure::output(&error))?;
            files.extend([path.clone(), beside]);
        }
        Ok(files)
    }
}

fn written(pending: &PendingFile, error: std::io::Error) -> Failure {
    Failure::output(&pending.failed(Operation::Write, error))
}
