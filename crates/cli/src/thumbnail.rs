//! `tintype thumbnail`: one picture of each model, for one or for thousands, and a page that shows
//! them all.
//!
//! The pictures are drawn by [`tintype_host::job::thumbnail`]; this file reads options and reports
//! results.

mod desktop;
mod outcome;

use super::args::{Models, Thumbnail};
use super::console::Console;
use super::failure::Failure;
use super::models::{Found, Gathered, conclude_clip, gather_share};
use super::output_name::{format_of_picture, refuse_animation, refuse_foreign};
use super::report::{check_package, failure, refuse_foreign_page};
use super::sequence::effort;
use super::signals::Signals;
use super::standard_input::STREAM;
use super::stdout::{write_json, write_picture};
use super::{exit, inputs, load, memory};
use crate::journal;
use outcome::{code_of, conclude, recorded, report as report_model, with_options};
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tintype::Files;
use tintype_base::amount::{bytes_text, counted};
use tintype_base::path::ShowPath;
use tintype_framing::ClipWish;
use tintype_framing::thumbnail::{ModelLimits, SkipReason, ThumbnailOptions};
use tintype_golden::gallery_run::{GalleryRun, VANISHED};
use tintype_golden::report::encode_gallery_json;
use tintype_golden::report::gallery::Gallery;
use tintype_golden::test_report::{GalleryTurning, remove_turning};
use tintype_host::job::journal::{Journal, Subject, last_words};
use tintype_host::job::leftovers::{leftover_thumbnails, remove_leftovers};
use tintype_host::job::memory::peak_memory;
use tintype_host::job::thumbnail::{Finished, Sampler, Target, ThumbnailError, ThumbnailJob};
use tintype_host::job::{InWork, Retry, is_folder_name};
use tintype_host::{is_stream, temp_files};
use tintype_output::FileFormat;
use tintype_render::asset::archive::canonical;
use tintype_render::asset::input::is_folder;
use tintype_render::asset::{HeldFiles, Inputs};

/// Defaults of `--desktop`: a file manager waits for the picture, and opens files from any source.
const DESKTOP_MEMORY: u64 = 512 << 20;
const DESKTOP_SECONDS: f64 = 10.0;
/// More models than this are announced before they are drawn.
const MANY: usize = 200;

pub(super) fn run(
    options: &Thumbnail,
    pool: &rayon::ThreadPool,
    console: &mut Console,
) -> Result<(), Failure> {
    if let Some(folder) = &options.install_desktop {
        return desktop::install(folder, console);
    }
    let (Gathered { models, base, ignored, unread }, all) = gather_share(&options.models)?;
    unread.iter().for_each(|line| console.warning(&format!("not searched: {line}")));
    if ignored > 0 {
        console.detail(&format!("{} that are not models", counted(ignored, "file")));
    }
    if models.len() > 1 {
        console.shorten_diagnostics();
    }
    let target = target(options, &models)?;
    let shard_text = options.models.shard.as_deref();
    let is_whole = is_whole_folder(options) && unread.is_empty();
    if options.clean && (!is_whole || target.folder().is_none()) {
        let message = "--clean needs exactly one folder of models and an output folder";
        return Err(Failure::bad_input(message));
    }
    if let (Some(folder), true) = (target.folder(), options.gallery) {
        if shard_text.is_some() {
            let message = "--gallery: a shard has no page; when all shards are done, run with --verify --gallery, without --shard";
            return Err(Failure::bad_input(message));
        }
        refuse_foreign_page(folder)?;
        options.interactive.as_deref().map_or(Ok(()), check_package)?;
    }
    if models.is_empty() {
        let shard = shard_text.unwrap_or_default();
        console.info(&format!("shard {shard} has no models: there are fewer models than shards"));
        return Ok(());
    }
    if let (Some(folder), true) = (target.folder(), models.len() > MANY) {
        let count = counted(models.len(), "model");
        let folder = folder.shown();
        console.info(&format!(
            "{count}, pictures in {folder}; press Ctrl-C to stop, run the same command to continue"
        ));
    }
    let record = match (options.attempt.record, target.folder()) {
        (true, Some(folder)) => {
            let subject = Subject::models("thumbnail", models.len());
            let journal = journal::begin(subject, shard_text, folder)?;
            journal.models(folder, &base, &all, None);
            journal
        }
        (true, None) => {
            return Err(Failure::bad_input("--record needs a folder: add --output DIR"));
        }
        (false, _) => Journal::none(),
    };
    let is_alone = models.len() == 1 && options.models.list.is_none() && shard_text.is_none();
    let asked = thumbnail_options(options, console)?;
    let asked = Arc::new(ThumbnailOptions { draws_without_clip: !is_alone, ..asked });
    let left = match target.folder() {
        Some(folder) if is_whole => {
            leftover_thumbnails(folder, &base).map_err(|error| load::refused(&error))?
        }
        _ => Vec::new(),
    };
    if options.spin && target.folder().is_none() {
        return Err(Failure::bad_input("--spin needs a folder: add --output DIR"));
    }
    let order = ThumbnailRun { options, asked, models, target, left, record: record.clone() };
    let result = order.carry_out(pool.current_num_threads(), console);
    journal::end(&record, result.as_ref().err(), console);
    result
}

/// True if only one whole folder of models is named, so that other pictures belong to removed
/// models.
fn is_whole_folder(options: &Thumbnail) -> bool {
    let Models { paths, list, base, shard } = &options.models;
    let is_plain = list.is_none() && base.is_none() && shard.is_none();
    is_plain && matches!(paths.as_slice(), [folder] if is_folder(&Files::Disk, folder))
}

/// The options with all that follows from them.
struct ThumbnailRun<'a> {
    options: &'a Thumbnail,
    asked: Arc<ThumbnailOptions>,
    models: Vec<Found>,
    target: Target,
    /// Pictures of removed models, each with the name of its model.
    left: Vec<(String, PathBuf)>,
    record: Journal,
}

/// The results.
struct ThumbnailRunResult {
    gallery: Gallery,
    worst: Option<SkipReason>,
    clip_wish: ClipWish,
    /// Error that ended the job.
    failure: Option<Failure>,
    seconds: f64,
}

impl ThumbnailRun<'_> {
    /// Draws the pictures, writes the page and reports.
    fn carry_out(&self, threads: usize, console: &mut Console) -> Result<(), Failure> {
        let Self { options, asked, models, target, left, record } = self;
        let stop = Signals::listening("the models in progress");
        if !options.attempt.verify {
            for folder in &target.folders(models) {
                temp_files::remove_stale(folder, temp_files::STALE_AFTER);
            }
            stop.leave_soon_when_terminated(record);
        }
        let ThumbnailRunResult { mut gallery, worst, clip_wish, failure, seconds } =
            self.draw(threads, &stop, console)?;
        if options.json {
            write_json(&encode_gallery_json(&gallery))?;
        }
        if let (Some(folder), true) = (target.folder(), options.gallery) {
            self.carry_models(folder, &mut gallery, console)?;
            gallery.write_pages(folder).map_err(|error| super::report::failure(&error))?;
        }
        let totals = gallery.totals();
        if let Some(mut failure) = failure {
            let done = totals.drawn + totals.unchanged;
            failure.message = format!("{} ({done} of {} done)", failure.message, models.len());
            return Err(failure);
        }
        if let Some(peak) = peak_memory() {
            console.detail(&format!(
                "peak memory {}, with at most {} at a time, each allowed {}",
                bytes_text(peak),
                counted(threads.min(models.len()), "model"),
                bytes_text(asked.limits.memory)
            ));
        }
        if stop.is_asked() && totals.models < models.len() {
            console.stopped(&format!(
                "{} of {} done and complete; run the same command to continue",
                totals.models,
                counted(models.len(), "model")
            ));
            return Err(Failure::new(stop.code(), String::new()));
        }
        if options.attempt.verify {
            left.iter().for_each(|(model, path)| {
                console.error(&format!("{}: its model {model} no longer exists", path.shown()));
            });
        } else {
            tell_leftovers(left, options.clean, console);
        }
        if let (true, false, None) = (options.attempt.verify, left.is_empty(), worst) {
            let [deleted, current] =
                [left.len(), totals.unchanged].map(|count| counted(count, "thumbnail"));
            let message = format!(
                "{deleted} of deleted models; {current} up to date; remove the others with --clean"
            );
            return Err(Failure::new(exit::DIFFERENT, message));
        }
        if let Some(name) = &options.settings.said.clip() {
            conclude_clip(&clip_wish, name, options.models.shard.is_some(), console)?;
        }
        conclude(&totals, worst, seconds, options, target, console)
    }

    /// Copies the script and models that let the page rotate models; removes those of an earlier
    /// page.
    fn carry_models(
        &self,
        folder: &Path,
        gallery: &mut Gallery,
        console: &Console,
    ) -> Result<(), Failure> {
        let Self { options, asked, models, .. } = self;
        let Some(package) = &options.interactive else {
            return remove_turning(folder).map_err(|error| failure(&error));
        };
        let said = &options.settings.said;
        let look = said.look().unwrap_or_default().word().to_owned();
        let axis = |name, axis: Option<String>| Some((name, axis?));
        let attributes = [Some(("look", look)), axis("up", said.up()), axis("front", said.front())];
        let turning = GalleryTurning {
            package,
            models,
            inputs: &Sampler::new(ThumbnailOptions::clone(asked)).inputs(models),
            anim: asked.anim.as_deref(),
            attributes: attributes.into_iter().flatten().collect(),
        };
        let bytes = turning.write(folder, gallery).map_err(|error| failure(&error))?;
        let count = gallery.models.iter().filter(|model| model.turn.is_some()).count();
        let told = bytes_text(bytes);
        console.info(&format!("the page shows {} in a viewer: {told}", counted(count, "model")));
        Ok(())
    }

    /// Removed models whose pictures still exist. None if these are removed.
    fn gone(&self) -> Vec<String> {
        if self.options.clean {
            return Vec::new();
        }
        let mut names: Vec<String> = self.left.iter().map(|(model, _)| model.clone()).collect();
        names.dedup();
        names
    }

    /// Draws the pictures and reports each model when it ends.
    fn draw(
        &self,
        threads: usize,
        stop: &Signals,
        console: &mut Console,
    ) -> Result<ThumbnailRunResult, Failure> {
        let Self { options, asked, models, target, record, .. } = self;
        let last_words = match (asked.verify, target.folder()) {
            (true, Some(folder)) => last_words(folder),
            _ => BTreeMap::new(),
        };
        let in_work = InWork::default();
        if models.len() > 1 {
            memory::watch(&in_work);
        }
        let started = Instant::now();
        let clock = || started.elapsed().as_secs_f64();
        let mut meter = console.progress(options.progress, models.len(), "models");
        let mut run = GalleryRun::new(models, target, asked.spin);
        let mut unwritten: Option<Failure> = None;
        let mut finish = |place: usize, finished: Finished| {
            let Finished { model, result, seconds, .. } = finished;
            let mut result = result.map_err(with_options);
            if let (Ok(thumbnail), Target::Stdout) = (&result, target)
                && let Some(png) = &thumbnail.png
                && let Err(failure) = write_picture(png)
            {
                unwritten.get_or_insert(failure);
                return ControlFlow::Break(());
            }
            if let (Err(skip), Some(words)) = (&mut result, last_words.get(&model.name))
                && skip.reason == SkipReason::Missing
            {
                skip.message += &format!("; the last attempt reported: {words}");
            }
            record.model(recorded(model, &result, seconds));
            report_model(model, run.add(place, &result), result, asked, console);
            meter.step(console);
            ControlFlow::Continue(())
        };
        let job = ThumbnailJob {
            models,
            options: Arc::clone(asked),
            target,
            retry: Retry::times(options.attempt.retries),
            keep_going: options.attempt.keep_going,
            writes_in_place: options.desktop,
            in_work,
        };
        let result =
            job.run(threads, stop.token(), &clock, |finished| finish(finished.index, finished));
        if !asked.verify {
            for file in run.vanished() {
                console.error(&format!("{}: {VANISHED}", file.shown()));
            }
        }
        let seconds = meter.finish().as_secs_f64();
        let failure = match result {
            Ok(()) => unwritten,
            Err(ThumbnailError::Output(error)) => Some(Failure::output(&error)),
            Err(error) => return Err(Failure::new(exit::TRY_AGAIN, error.to_string())),
        };
        let (worst, clip_wish) = (run.worst, std::mem::take(&mut run.clip_wish));
        let (title, gone) = (options.title.clone(), self.gone());
        let gallery = Gallery { title, gone, ..run.into_gallery(asked.size) };
        Ok(ThumbnailRunResult { gallery, worst, clip_wish, failure, seconds })
    }
}

/// Reports pictures of models that no longer exist, or removes them.
fn tell_leftovers(left: &[(String, PathBuf)], clean: bool, console: &mut Console) {
    /// Most names of models in a line.
    const NAMED: usize = 5;
    if left.is_empty() {
        return;
    }
    let mut names: Vec<&str> = left.iter().map(|(model, _)| model.as_str()).collect();
    // A model may have a picture and a turntable.
    names.dedup();
    let more = if names.len() > NAMED { ", ..." } else { "" };
    names.truncate(NAMED);
    let of = format!("of deleted models: {}{more}", names.join(", "));
    if !clean {
        let count = counted(left.len(), "thumbnail");
        console.info(&format!("{count} {of}; remove them with --clean"));
        return;
    }
    let (removed, kept) = remove_leftovers(left.iter().map(|(_, path)| path.clone()));
    console.info(&format!("removed {} {of}", counted(removed, "thumbnail")));
    for (path, reason) in kept {
        console.warning(&format!("{}: kept, as {reason}", path.shown()));
    }
}

/// Draws models or checks their pictures outside of a run.
pub(super) struct CostProbe {
    sampler: Sampler,
    target: Target,
}

impl CostProbe {
    /// Checks the options.
    pub(super) fn new(options: &Thumbnail, console: &Console) -> Result<Self, Failure> {
        let sampler = Sampler::new(thumbnail_options(options, console)?);
        Ok(Self { sampler, target: target(options, &[])? })
    }

    /// Draws a model without keeping the picture, and returns the elapsed seconds.
    pub(super) fn try_out(&self, found: &Found) -> Result<f64, Failure> {
        let started = Instant::now();
        match self.sampler.draw(found) {
            Err(skip) if !skip.is_no_model(found) => {
                Err(Failure::new(code_of(skip.reason), with_options(skip).message))
            }
            _ => Ok(started.elapsed().as_secs_f64()),
        }
    }

    /// The files of each model by its name; empty for a model that cannot be read.
    pub(super) fn inputs(&self, models: &[Found]) -> BTreeMap<String, Inputs> {
        self.sampler.inputs(models)
    }

    /// The models whose picture is missing or outdated.
    pub(super) fn without_picture(self, models: Vec<Found>) -> Vec<Found> {
        self.sampler.without_picture(&self.target, models)
    }
}

/// The files of the pictures, by the options.
fn target(options: &Thumbnail, models: &[Found]) -> Result<Target, Failure> {
    let Some(path) = &options.output else {
        return Ok(Target::Folder(PathBuf::from("out/thumbnails")));
    };
    let is_stdout = path.as_os_str() == STREAM;
    let is_one =
        is_stdout || options.desktop || is_stream(path) || format_of_picture(path).is_some();
    if !is_one {
        let name = path.shown();
        if !is_folder_name(&name) {
            refuse_animation(&name, "a thumbnail is one picture")?;
            refuse_foreign(&name)?;
        }
        return Ok(Target::Folder(path.clone()));
    }
    if models.len() > 1 {
        return Err(Failure::bad_input(format!(
            "--output {} is one picture for {}; name a folder",
            path.shown(),
            counted(models.len(), "model")
        )));
    }
    match (is_stdout, options.gallery) {
        (_, true) => Err(Failure::bad_input("--gallery needs a folder: add --output DIR")),
        (true, _) if options.json => {
            Err(Failure::bad_input("standard output takes either the picture or --json, not both"))
        }
        (true, _) => Ok(Target::Stdout),
        (false, _) => Ok(Target::File(path.clone())),
    }
}

/// Width and height of the pictures; `--size` sets the longer side.
fn size_of(options: &Thumbnail) -> [u32; 2] {
    let most = options.aspect[0].max(options.aspect[1]);
    options.aspect.map(|side| ((2 * options.size * side + most) / (2 * most)).max(1))
}

/// The options of all pictures.
fn thumbnail_options(options: &Thumbnail, console: &Console) -> Result<ThumbnailOptions, Failure> {
    let whole = |path: &PathBuf| -> Result<PathBuf, Failure> {
        canonical(path).map_err(|error| load::unreadable(path, &error))
    };
    let (usual_s, usual_memory) =
        if options.desktop { (DESKTOP_SECONDS, DESKTOP_MEMORY) } else { (30.0, 1 << 30) };
    let seconds = options.timeout.unwrap_or(usual_s);
    let time = Duration::try_from_secs_f64(seconds).ok().filter(|time| !time.is_zero());
    let time = time.ok_or_else(|| {
        Failure::bad_input(format!("--timeout: {seconds}; expected seconds above 0"))
    })?;
    Ok(ThumbnailOptions {
        files: Files::Disk,
        held: HeldFiles::default(),
        size: size_of(options),
        settings: options.settings.said.clone(),
        spin: options.spin,
        format: Some(match options.output.as_deref() {
            // File managers name the file and read a PNG.
            Some(path) if !options.desktop => format_of_picture(path).unwrap_or(FileFormat::Png),
            _ => FileFormat::Png,
        }),
        effort: effort(options.png),
        anim: options.anim.as_ref().map(whole).transpose()?,
        draws_without_clip: true,
        file_scene: options.file_scene.clone(),
        textures: options.textures.iter().map(whole).collect::<Result<_, _>>()?,
        texture_files: (options.texture.iter())
            .map(|(name, file)| Ok((name.clone(), whole(file)?)))
            .collect::<Result<_, Failure>>()?,
        key_names: &load::OPTIONS,
        limits: ModelLimits::new(
            time,
            options.max_memory.unwrap_or(usual_memory),
            options.max_size,
            &console.load_options().limits,
        ),
        overwrite: options.overwrite,
        grey_for_missing_textures: options.desktop,
        verify: options.attempt.verify,
        strict_assets: console.strict_assets(),
        input_check: inputs::check_of_models(options.attempt.inputs.as_deref())?,
    })
}
