//! `tintype thumbnail`: one picture of each model, of one or of thousands, and a page that shows them all.
//!
//! Models are worked on side by side, each on a thread of its own. One that cannot be drawn is told and counted, and the others
//! are done. What goes into a picture is decided in `sitter`; this file knows where pictures go and what came of them.

mod clips;
mod desktop;
mod framing;
mod gather;
mod limit;
mod sitter;

use super::args::Thumbnail;
use super::console::{Console, peak_memory};
use super::report::{INDEX, path_text, refuse_foreign_page, write_file};
use super::sequence::{effort, parse_samples, rate_per_s};
use super::stop::Stop;
use super::turntable::background_text;
use super::{Failure, counted, exit, load, write_stdout};
use crate::farm;
use crate::frame::PIXEL_REVISION;
use crate::output::{Operation, OutputError, PendingFile};
use crate::report::gallery::{Gallery, Thumb, ThumbStatus, Totals};
use crate::report::{encode_gallery_json, encode_gallery_page};
use clips::Shelves;
use gather::{Found, Gathered, gather};
use limit::{Allowance, bytes};
use sitter::{Asked, Reason, Refusal, Sitting, sit};
use std::io::Write;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// What a desktop gets where nobody says: it waits, and looks at a folder of files from anywhere.
const DESKTOP_MEMORY: u64 = 512 << 20;
const DESKTOP_SECONDS: f64 = 10.0;

/// Where pictures go.
enum Target {
    Folder(PathBuf),
    File(PathBuf),
    Stdout,
}

impl Target {
    fn new(options: &Thumbnail, models: &[Found]) -> Result<Self, Failure> {
        let Some(path) = &options.output else {
            return Ok(Self::Folder(PathBuf::from("thumbnails")));
        };
        let is_stdout = path.as_os_str() == "-";
        let is_png = path.extension().is_some_and(|own| own.eq_ignore_ascii_case("png"));
        let is_one = is_stdout || options.desktop || is_png && !path.is_dir();
        if !is_one {
            return Ok(Self::Folder(path.clone()));
        }
        if models.len() > 1 {
            return Err(Failure::bad_input(format!(
                "--output {} holds one picture, and there are {}; name a folder",
                path.display(),
                counted(models.len(), "model")
            )));
        }
        match (is_stdout, options.gallery) {
            (_, true) => Err(Failure::bad_input("--gallery needs a folder: say --output DIR")),
            (true, _) if options.json => {
                Err(Failure::bad_input("standard output holds the picture or --json, not both"))
            }
            (true, _) => Ok(Self::Stdout),
            (false, _) => Ok(Self::File(path.clone())),
        }
    }

    /// The file of a model's picture, and its name below the folder.
    fn file(&self, found: &Found) -> (Option<PathBuf>, String) {
        match self {
            Self::Folder(folder) => {
                let name = format!("{}.png", found.name);
                (Some(folder.join(&name)), name)
            }
            Self::File(path) => {
                let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
                (Some(path.clone()), name)
            }
            Self::Stdout => (None, "-".to_owned()),
        }
    }

    fn text(&self) -> Option<String> {
        match self {
            Self::Folder(path) | Self::File(path) => Some(path_text(path)),
            Self::Stdout => None,
        }
    }
}

pub(super) fn run(
    options: &Thumbnail,
    pool: &rayon::ThreadPool,
    console: &mut Console,
) -> Result<(), Failure> {
    if let Some(folder) = &options.install_desktop {
        return desktop::install(folder, console);
    }
    // 1. What is asked for.
    let Gathered { models, ignored, unread } = gather(&options.paths)?;
    unread.iter().for_each(|line| console.warning(&format!("not looked into: {line}")));
    if ignored > 0 {
        console.detail(&format!("{} that are no models", counted(ignored, "file")));
    }
    let target = Target::new(options, &models)?;
    if let (Target::Folder(folder), true) = (&target, options.gallery) {
        refuse_foreign_page(folder)?;
    }
    let asked = asked(options, console)?;

    // 2. The pictures: as many models in work as there are threads, each on its own.
    let threads = pool.current_num_threads();
    let in_flight = threads.min(models.len());
    let benches = Benches::new(in_flight, threads / in_flight.max(1))?;
    let shelves = Shelves::default();
    let job = |index: usize| -> Result<Result<Sitting, Refusal>, Failure> {
        let found = &models[index];
        let (file, _) = target.file(found);
        let there = file.as_deref().filter(|_| !asked.overwrite);
        // A fault of ours in one model shall not cost the others theirs.
        let sitting = benches.with(|| {
            catch_unwind(AssertUnwindSafe(|| sit(found, there, &asked, &shelves))).unwrap_or_else(
                |_| {
                    let message =
                        "a fault of this program, told above; please send the file to its makers";
                    Err(Refusal::new(Reason::Fault, message))
                },
            )
        });
        if let Ok(Sitting { png: Some(png), .. }) = &sitting {
            match &file {
                Some(path) => {
                    write_picture(path, png).map_err(|error| Failure::output(&error))?;
                }
                None => write_stdout(png)?,
            }
        }
        Ok(sitting)
    };
    let stop = Stop::listen("the models in work");
    let mut meter = console.progress(options.progress, models.len(), "models");
    let mut thumbs: Vec<Option<Thumb>> = vec![None; models.len()];
    let mut worst: Option<Reason> = None;
    let mut failure: Option<Failure> = None;
    farm::run(models.len(), in_flight, job, |index, result| {
        let found = &models[index];
        match result {
            Ok(sitting) => {
                let (thumb, reason) = told(found, &target, sitting, console);
                thumbs[index] = Some(thumb);
                worst = worst.max(reason);
                meter.step(console);
                if stop.is_asked() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            }
            // No picture can be written: the next one would fail too.
            Err(error) => {
                failure.get_or_insert(error);
                ControlFlow::Break(())
            }
        }
    });
    let seconds = meter.finish().as_secs_f64();

    // 3. What came of it.
    let gallery = Gallery {
        program_version: env!("CARGO_PKG_VERSION").to_owned(),
        pixel_revision: PIXEL_REVISION,
        output: target.text(),
        size: options.size,
        models: thumbs.into_iter().flatten().collect(),
    };
    if options.json {
        write_stdout(encode_gallery_json(&gallery).as_bytes())?;
    }
    if let (Target::Folder(folder), true) = (&target, options.gallery) {
        write_file(&folder.join(INDEX), encode_gallery_page(&gallery).as_bytes())?;
    }
    let totals = gallery.totals();
    if let Some(mut failure) = failure {
        let done = totals.drawn + totals.unchanged;
        failure.message = format!("{} ({done} of {} done)", failure.message, models.len());
        return Err(failure);
    }
    if let Some(peak) = peak_memory() {
        console.detail(&format!(
            "peak memory {}, with at most {} in work, each allowed {}",
            bytes(peak),
            counted(in_flight, "model"),
            bytes(asked.allowance.memory)
        ));
    }
    if stop.is_asked() && totals.models < models.len() {
        console.stopped(&format!(
            "{} of {} done, and whole; the same command goes on from there",
            totals.models,
            counted(models.len(), "model")
        ));
        return Err(Failure::new(stop.code(), String::new()));
    }
    conclude(&totals, worst, seconds, options, &target, console)
}

/// Writes a picture in one step. It is not waited for: a torn one is seen and drawn again by the next run, which checks all.
fn write_picture(path: &Path, png: &[u8]) -> Result<(), OutputError> {
    let mut pending = PendingFile::create(path)?;
    pending.write_all(png).map_err(|error| pending.failed(Operation::Write, error))?;
    pending.commit_unsynced()
}

/// What all models are drawn with.
fn asked(options: &Thumbnail, console: &Console) -> Result<Asked, Failure> {
    let whole = |path: &PathBuf| -> Result<PathBuf, Failure> {
        path.canonicalize().map_err(|error| load::unreadable(path, &error))
    };
    for (option, axis) in [("--up", &options.up), ("--front", &options.front)] {
        let axes = ["x", "-x", "y", "-y", "z", "-z"];
        if let Some(axis) = axis.as_deref().filter(|axis| !axes.contains(axis)) {
            return Err(Failure::bad_input(format!(
                "{option}: {axis:?}; allowed are {}",
                axes.join(", ")
            )));
        }
    }
    let (usual_s, usual_memory) = match options.desktop {
        true => (DESKTOP_SECONDS, DESKTOP_MEMORY),
        false => (30.0, 1 << 30),
    };
    let seconds = options.timeout.unwrap_or(usual_s);
    let time = Duration::try_from_secs_f64(seconds).ok().filter(|time| !time.is_zero());
    let time = time.ok_or_else(|| {
        Failure::bad_input(format!("--timeout: {seconds}; expected seconds above 0"))
    })?;
    let background = options.background.as_deref().unwrap_or("transparent");
    Ok(Asked {
        size: options.size,
        samples: parse_samples(options.samples)?,
        background: background_text(background),
        is_transparent: background.trim() == "transparent",
        effort: effort(options.png),
        anim: options.anim.as_ref().map(whole).transpose()?,
        clip: options.clip.clone(),
        up: options.up.clone(),
        front: options.front.clone(),
        textures: options.textures.iter().map(whole).collect::<Result<_, _>>()?,
        allowance: Allowance::new(
            time,
            options.max_memory.unwrap_or(usual_memory),
            options.max_size,
            console.limits(),
        ),
        overwrite: options.overwrite,
    })
}

/// Pools of threads, one for each model in work, so that no thread that waits for one model begins another.
struct Benches {
    free: Mutex<Vec<rayon::ThreadPool>>,
}

impl Benches {
    fn new(count: usize, threads: usize) -> Result<Self, Failure> {
        let pool = |_| rayon::ThreadPoolBuilder::new().num_threads(threads.max(1)).build();
        let free: Result<Vec<_>, _> = (0..count).map(pool).collect();
        let free = free.map_err(|error| {
            Failure::new(exit::TRY_AGAIN, format!("cannot start {count} threads: {error}"))
        })?;
        Ok(Self { free: Mutex::new(free) })
    }

    /// # Panics
    /// If more ask at a time than there are benches.
    fn with<R: Send>(&self, work: impl FnOnce() -> R + Send) -> R {
        let free = || self.free.lock().unwrap_or_else(PoisonError::into_inner);
        let pool = free().pop().expect("one for each model in work");
        let result = pool.install(work);
        free().push(pool);
        result
    }
}

/// Tells what came of a model, and what the gallery has of it.
fn told(
    found: &Found,
    target: &Target,
    sitting: Result<Sitting, Refusal>,
    console: &mut Console,
) -> (Thumb, Option<Reason>) {
    let shown = found.path.display().to_string();
    let mut thumb = Thumb {
        model: found.name.clone(),
        path: path_text(&found.path),
        status: ThumbStatus::Failed,
        picture: None,
        reason: None,
        message: None,
        warnings: Vec::new(),
        facts: None,
        view: None,
    };
    match sitting {
        Ok(Sitting { facts, view, warnings, png }) => {
            thumb.status = match png {
                Some(_) => ThumbStatus::Drawn,
                None => ThumbStatus::Unchanged,
            };
            warnings.iter().for_each(|warning| console.warning(&format!("{shown}: {warning}")));
            let clip = view.clip.as_deref().map_or_else(
                || "bind pose".to_owned(),
                |clip| format!("{clip:?} at {:.2} s", view.moment_s.unwrap_or_default()),
            );
            console.detail(&format!(
                "{shown}: {}, a {} seen from azimuth {} elevation {}, {clip}",
                if png.is_some() { "drawn" } else { "unchanged" },
                view.shape,
                view.azimuth_deg,
                view.elevation_deg
            ));
            thumb.picture = Some(target.file(found).1);
            thumb.warnings = warnings;
            thumb.facts = Some(facts);
            thumb.view = Some(view);
            (thumb, None)
        }
        // A file of clips in a folder is no model, as an .md5anim file is none.
        Err(Refusal { reason: reason @ (Reason::NoMesh | Reason::ClipsAlone), message })
            if !found.is_named =>
        {
            let told = format!("{shown}: {message}");
            match reason {
                Reason::ClipsAlone => console.detail(&told),
                _ => console.warning(&told),
            }
            thumb.status = ThumbStatus::NoMesh;
            thumb.message = Some(message);
            (thumb, None)
        }
        Err(Refusal { reason, message }) => {
            console.error(&format!("{shown}: {message}"));
            thumb.reason = Some(reason.word());
            thumb.message = Some(message);
            (thumb, Some(reason))
        }
    }
}

/// The last line, and the code.
fn conclude(
    totals: &Totals,
    worst: Option<Reason>,
    seconds: f64,
    options: &Thumbnail,
    target: &Target,
    console: &Console,
) -> Result<(), Failure> {
    let Totals { models, drawn, unchanged, failed, no_mesh, .. } = *totals;
    if let Some(reason) = worst {
        // The one model that was asked for has told why.
        if models == 1 {
            return Err(Failure::new(reason.code(), String::new()));
        }
        let code = match reason {
            Reason::Temporary => exit::TRY_AGAIN,
            _ => exit::INCOMPLETE,
        };
        let message = format!(
            "{failed} of {} have no thumbnail; {drawn} drawn, {unchanged} unchanged, {}",
            counted(models, "model"),
            counted(console.warnings().len(), "warning")
        );
        return Err(Failure::new(code, message));
    }
    let mut parts = Vec::new();
    let rate = rate_per_s(drawn + unchanged, seconds);
    parts.push(format!("{} in {seconds:.1} s ({rate:.1}/s)", counted(drawn, "thumbnail")));
    if unchanged > 0 {
        parts.push(format!("{unchanged} unchanged"));
    }
    if no_mesh > 0 {
        parts.push(format!("{} without a mesh passed over", counted(no_mesh, "file")));
    }
    match target {
        Target::Folder(folder) if options.gallery => {
            parts.push(folder.join(INDEX).display().to_string());
        }
        Target::Folder(path) | Target::File(path) => parts.push(path.display().to_string()),
        Target::Stdout => {}
    }
    console.info(&format!(
        "{}; {}",
        parts.join(", "),
        counted(console.warnings().len(), "warning")
    ));
    Ok(())
}

/// A number of bytes, with a unit or without.
pub(super) fn parse_bytes(text: &str) -> Result<u64, String> {
    let wrong = || "expected a number of bytes above 0, such as 500K, 64M or 2G".to_owned();
    let text = text.trim();
    let unit = text.chars().next_back().and_then(|last| "KMG".find(last.to_ascii_uppercase()));
    let (digits, shift) = match unit {
        Some(place) => (&text[..text.len() - 1], 10 * (place + 1)),
        None => (text, 0),
    };
    let number = digits.parse::<u64>().ok().and_then(|number| number.checked_mul(1 << shift));
    number.filter(|&number| number > 0).ok_or_else(wrong)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_read_with_their_units() {
        for (text, number) in [("512", 512), ("64M", 64 << 20), ("2g", 2 << 30), (" 1K ", 1024)] {
            assert_eq!(parse_bytes(text), Ok(number), "{text}");
        }
        for text in ["", "0", "M", "-1", "1.5G", "99999999999G"] {
            assert!(parse_bytes(text).is_err(), "{text}");
        }
    }

    #[test]
    fn the_worst_reason_is_the_one_to_try_again() {
        assert!(Some(Reason::Temporary) > Some(Reason::Input) && Some(Reason::Input) > None);
    }
}
