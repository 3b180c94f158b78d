//! Plans of scenes and models: they are checked here, and some pictures are drawn to measure time
//! and memory.

use super::models as options_of;
use super::sample::{Sample, sample};
use crate::args::farm::{OfModels, Pictures as AskedPictures};
use crate::build_digest::build_digest;
use crate::console::Console;
use crate::failure::Failure;
use crate::inputs::scene_sources;
use crate::journal::now;
use crate::models::{Found, Gathered, gather};
use crate::output_name::format_of_picture;
use crate::render::{frames, pattern};
use crate::standard_input::STREAM;
use crate::{load, thumbnail, turntable};
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tintype::Deadline;
use tintype::builder::{Aov, FrameList};
use tintype_base::path::{ShowPath, path_of_text};
use tintype_farm::folders::{farm_folder, new_id};
use tintype_farm::job::{Frames, Job, JobKind, Models, Pictures};
use tintype_farm::plan::{Cost, Plan, PlanNames, TaskOptions, list_text};
use tintype_farm::sources::{Record, Sources};
use tintype_framing::ClipsBeside;
use tintype_host::job::folder_of;
use tintype_host::job::memory::peak_memory;
use tintype_output::FileFormat;
use tintype_raster::RasterOptions;
use tintype_render::aov::Viewer;
use tintype_render::asset::Inputs;
use tintype_render::asset::archive::archive_of;
use tintype_render::{Drawn, Renderer};

/// Checks a scene as `render` does, and draws one of its frames without keeping it.
pub(super) fn of_scene(
    path: &Path,
    pictures: &Pictures,
    tasks: &TaskOptions,
    console: &mut Console,
) -> Result<Plan, Failure> {
    // 1. The scene as it will be rendered.
    let mut scene = load::scene(path)?;
    let Pictures { output, frames: asked, .. } = pictures;
    load::overrides(&pictures.settings, &mut scene)?;
    let asked = frames(asked.as_deref(), &scene)?;
    let list = FrameList::from_rising(asked.iter().map(|&(_, number)| number));
    let list = list.ok_or_else(|| Failure::bad_input("no frames are selected"))?;
    if output.as_deref() == Some(STREAM) {
        return Err(Failure::bad_input(
            "-o -: tasks write files; name them with a pattern such as walk.####.png",
        ));
    }
    let pattern = pattern(output.as_deref(), &scene, path, asked.len())?;
    let format = FileFormat::of_path(&path_of_text(&pattern.text()));
    if format.is_some_and(|format| format != FileFormat::Png) {
        let message = format!("--output: {}: farm tasks write .png files only", pattern.text());
        return Err(Failure::bad_input(message));
    }
    let assets = load::assets(&scene, path, console)?;
    let scene = Arc::new(scene);
    let renderer = Renderer::new(Arc::clone(&scene), assets, &Deadline::NEVER)
        .map_err(|error| Failure::bad_input_chain(&error))?;
    renderer.warnings().iter().for_each(|warning| console.warning(&warning.to_string()));
    let digest = renderer.digest();
    let sources = scene_sources(&scene, path, console)?;

    // 2. One frame, from the middle.
    let started = Instant::now();
    let (_, number) = asked[asked.len() / 2];
    let viewer = Viewer::new(&renderer, &scene.output.aov)
        .map_err(|error| Failure::bad_input(error.to_string()))?;
    let staged = renderer.stage(number.into()).map_err(|error| Failure::bad_input_chain(&error))?;
    let options = RasterOptions::default();
    let drawn = renderer
        .draw_staged(&staged, options)
        .and_then(|Drawn { frame, .. }| viewer.draw(&renderer, &staged, &frame, options));
    drop(drawn.map_err(|error| Failure::bad_input_chain(&error))?);
    let unit_s = started.elapsed().as_secs_f64() * threads();

    // 3. The plan.
    let [width, height] = scene.output.size.map(u64::from);
    let job = Job::Frames(Frames {
        scene: path.to_owned(),
        output: pattern.text(),
        digest,
        size: scene.output.size,
        views: scene.output.aov.iter().map(Aov::word).collect(),
        channels: scene.output.channels.clone(),
        channels_as: scene.output.channels_as,
        all: list.to_string(),
        pictures: pictures.clone(),
    });
    let peak_bytes = peak_memory();
    let bytes_in_flight = width * height * 16;
    let cost = Cost { count: asked.len(), unit_s, bytes_in_flight, peak_bytes };
    let names = PlanNames {
        id: new_id(now()),
        part: list.to_string(),
        job: path.file_stem().unwrap_or_default().to_string_lossy().into_owned(),
        folder: folder_of(&pattern),
    };
    let mut plan = Plan::new(job, names, cost, tasks);
    plan.record = Record::of_scene(&sources);
    plan.files = std::iter::once(path.to_owned()).chain(plan.record.paths()).collect();
    (plan.sources, plan.limits) = (sources, console.limit_words());
    Ok(plan)
}

/// Finds models, and draws some of them without keeping the pictures. Tasks split the frames of one
/// turntable like those of a scene. `takes_all` is set if the files of all models are needed,
/// however many there are.
pub(super) fn of_models(
    asked: &OfModels,
    tasks: &TaskOptions,
    takes_all: bool,
    console: &mut Console,
) -> Result<Plan, Failure> {
    let (command, named, argv) = match asked {
        OfModels::Turntable(asked) => (JobKind::Turntable, &asked.options.models, &asked.argv),
        OfModels::Thumbnail(asked) => (JobKind::Thumbnail, &asked.options.models, &asked.argv),
    };
    let (output, gallery) = output_of(asked)?;
    if named.shard.is_some() {
        return Err(Failure::bad_input(
            "--shard: the farm assigns shards to tasks; set the number of models per task with --chunk",
        ));
    }
    if let OfModels::Turntable(asked) = asked
        && let Some((scene, frames)) = turntable::scene_to_share(&asked.options, console)?
    {
        let pictures = Pictures { output: Some(frames.text()), ..Pictures::default() };
        return of_scene(&scene, &pictures, tasks, console);
    }
    let Gathered { models, unread, base, .. } = gather(named)?;
    unread.iter().for_each(|line| console.warning(&format!("not searched: {line}")));
    let job = Models {
        command,
        base: named.base.clone().unwrap_or(base),
        all: PathBuf::new(),
        also: Vec::new(),
        output,
        argv: argv.clone(),
        gallery,
    };
    of_found(job, &models, &models, tasks, takes_all, console)
}

/// As [`of_models`], for models that were found already; if the job has no list of all models,
/// these are all. The record covers `all` models, which the last task verifies.
pub(super) fn of_found(
    mut job: Models,
    models: &[Found],
    all: &[Found],
    tasks: &TaskOptions,
    takes_all: bool,
    console: &mut Console,
) -> Result<Plan, Failure> {
    let names: Vec<String> = models.iter().map(|found| found.name.clone()).collect();
    if let Some(name) = names.iter().find(|name| name.contains(['\n', '\r'])) {
        return Err(Failure::bad_input(format!(
            "{name:?}: names in a model list cannot contain line breaks"
        )));
    }
    let Sample { unit_s, flight } = sample(&job, models, console)?;
    let record = record(&job, all, takes_all, console)?;
    let id = new_id(now());
    let folder = job.folder();
    let list = farm_folder(&folder).join(format!("{id}.list"));
    if job.all.as_os_str().is_empty() {
        job.all.clone_from(&list);
    }
    let word = job.command.word().to_owned();
    let peak_bytes = peak_memory();
    let cost = Cost { count: models.len(), unit_s, bytes_in_flight: flight, peak_bytes };
    let named = PlanNames { id, part: list.shown(), job: word, folder };
    let mut plan = Plan::new(Job::Models(job), named, cost, tasks);
    plan.sources = Sources::of_list(&list_text(&names), build_digest());
    plan.record = record;
    // Files without a mesh, and clips that are not shown, are also checked.
    let mut read: Vec<PathBuf> = models.iter().map(|found| found.path.clone()).collect();
    for found in models {
        let beside = ClipsBeside::find(&found.path, None, console.load_options());
        let beside = beside.map_err(|error| load::unreadable(&found.path, &error))?;
        read.extend(beside.unwrap_or_default().files);
    }
    let read = read.into_iter().map(|path| archive_of(&path).unwrap_or(path));
    plan.files = read.chain(plan.record.paths()).collect();
    (plan.names, plan.limits) = (names, console.limit_words());
    Ok(plan)
}

/// Number of models whose files are read between two checks of the clock.
const AT_ONCE: usize = 256;
/// No further files are read after this time, unless they are for a bundle.
const ENOUGH: Duration = Duration::from_secs(30);

/// The record of the files of all models, or of the first ones if it takes too long; a model that
/// cannot be read has no files.
fn record(
    job: &Models,
    models: &[Found],
    takes_all: bool,
    console: &Console,
) -> Result<Record, Failure> {
    type Read<'a> = dyn Fn(&[Found]) -> BTreeMap<String, Inputs> + 'a;
    let read: Box<Read<'_>> = match job.command {
        JobKind::Turntable => {
            let options = options_of::turntable(job)?;
            let load_options = console.load_options().clone();
            let load_options = load_options.with_file_scene(options.file_scene.clone());
            Box::new(move |models| {
                let of = |found: &Found| {
                    let inputs = turntable::inputs(&options, found, &load_options).ok()?;
                    Some((found.name.clone(), inputs))
                };
                models.par_iter().filter_map(of).collect()
            })
        }
        JobKind::Thumbnail => {
            let sitter = thumbnail::CostProbe::new(&options_of::thumbnail(job)?, console)?;
            Box::new(move |models| sitter.inputs(models))
        }
    };
    let (enough, mut items, mut count) = (Deadline::after(ENOUGH), BTreeMap::new(), 0);
    for some in models.chunks(AT_ONCE) {
        if enough.is_over() && !takes_all {
            break;
        }
        items.extend(read(some));
        count += some.len();
    }
    let is_partial = count < models.len();
    if is_partial {
        console.info(&format!(
            "read the files of {count} of {} models in {} s: tasks compare only these with this machine",
            models.len(),
            ENOUGH.as_secs()
        ));
    }
    Ok(Record::of_models(items, is_partial, build_digest()))
}

/// Output folder of pictures of models, and true if there is a page; refuses options that tasks
/// cannot use.
fn output_of(asked: &OfModels) -> Result<(String, bool), Failure> {
    let refused = |option: &str, why: &str| Err(Failure::bad_input(format!("{option}: {why}")));
    let attempt = match asked {
        OfModels::Turntable(asked) => &asked.options.attempt,
        OfModels::Thumbnail(asked) => &asked.options.attempt,
    };
    if attempt.verify {
        return refused("--verify", "the final job of a submission does this");
    }
    match asked {
        OfModels::Turntable(asked) => {
            let options = &asked.options;
            turntable::refuse_what_is_for_one(options)?;
            if options.output.is_none()
                && [&options.apng, &options.gif, &options.webp, &options.sheet]
                    .iter()
                    .any(|file| file.is_some())
            {
                return refused(
                    "--output",
                    "name a folder; each model gets a subfolder with its frames and that file",
                );
            }
            Ok((options.output.clone().unwrap_or_else(|| "out".to_owned()), false))
        }
        OfModels::Thumbnail(asked) => {
            let options = &asked.options;
            if options.json {
                return refused(
                    "--json",
                    "use it with `tintype thumbnail --verify` after all tasks have ended",
                );
            }
            if options.clean {
                return refused(
                    "--clean",
                    "use it with `tintype thumbnail` after all tasks have ended",
                );
            }
            if options.desktop || options.install_desktop.is_some() {
                return refused("--desktop", "it is for file managers only");
            }
            let output = options.output.clone().unwrap_or_else(|| PathBuf::from("out/thumbnails"));
            let text = output.shown();
            if text == STREAM || format_of_picture(&output).is_some() {
                return refused("--output", "tasks write into a folder");
            }
            Ok((text, options.gallery))
        }
    }
}

#[expect(clippy::cast_precision_loss, reason = "an estimate")]
fn threads() -> f64 {
    rayon::current_num_threads() as f64
}

/// Refuses options of scenes in front of a command of models.
pub(super) fn refuse_pictures(pictures: &AskedPictures, models: &OfModels) -> Result<(), Failure> {
    let word = match models {
        OfModels::Turntable(_) => "turntable",
        OfModels::Thumbnail(_) => "thumbnail",
    };
    match pictures.given() {
        Some(option) => Err(Failure::bad_input(format!(
            "{option} must come after {word}, with its other options"
        ))),
        None => Ok(()),
    }
}
