//! `--models` of `test` and `bless`: every model below folders or patterns with each of its clips,
//! without scenes.

use super::args::{Bless, LibraryModels, Test};
use super::console::Console;
use super::exit;
use super::failure::Failure;
use tintype_base::diagnostic::chain;

use super::goldens::{CHANGED_SINCE, SceneWarnings, anyway, failure};
use super::last_failed;
use super::render::read_shard;
use super::revision::changed_files;
use super::stdout::write_stdout;
use blake3::Hash;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use tintype_base::amount::counted;
use tintype_base::path::ShowPath;
use tintype_base::printable::one_line;
use tintype_golden::library::{Library, LibraryError, LibraryRun};
use tintype_golden::run::Share;
use tintype_golden::{BlessOptions, Checked, PlannedFile, TestRun, is_part};

fn find(
    asked: &LibraryModels,
    golden: Option<&Path>,
    console: &Console,
) -> Result<Library, Failure> {
    let settings = (asked.moments, asked.size);
    Library::find(&asked.models, golden, settings, console.load_options())
        .map_err(|error| of_library(&error))
}

fn of_library(error: &LibraryError) -> Failure {
    let code = if error.is_temporary() { exit::TRY_AGAIN } else { exit::BAD_INPUT };
    Failure::new(code, chain(error))
}

/// Compares the goldens of a library; the results are reported like those of scenes.
pub(super) fn test(
    options: &Test,
    console: &mut Console,
) -> Result<(LibraryRun, Option<Share>), Failure> {
    let golden = options.golden_folder();
    let mut library = find(&options.library, golden.as_deref(), console)?;
    if !library.keeps_settings().map_err(|error| of_library(&error))? {
        let folder = library.folder.shown();
        let message = format!(
            "{folder}: its goldens have other times or another size; omit --moments and --size, or bless with them"
        );
        return Err(Failure::bad_input(message));
    }
    if let Some(changed) = changed_files(options)? {
        library.keep_changed(&changed);
    }
    let failed = options.last_failed.then(|| last_failed::read(true)).transpose()?;
    let has = |model: &str, clip: &str| {
        let name = format!("{model}/{clip}");
        let is_failed = |path: &PathBuf| path.ends_with(model) || path.ends_with(&name);
        failed.as_ref().is_none_or(|failed| failed.iter().any(is_failed))
            && options.filter.as_ref().is_none_or(|text| name.contains(text.as_str()))
    };
    let keeps = options.files.report.is_some()
        || options.pictures.is_some()
        || options.files.json.is_some();
    let shard = read_shard(options.shard.as_deref())?;
    let shard = shard.map(|shard| library.take_share(shard));
    let run = library.test(&has, keeps, options.fail_fast).map_err(|error| failure(&error))?;
    for unused in &run.unused {
        console.warning(unused);
    }
    let is_empty = run.entries.is_empty() && run.bad.is_empty() && run.stray.is_empty();
    if let (None, true, Some(text)) = (&shard, is_empty, &options.filter) {
        let message = format!("no model or clip has {text:?} in its name");
        return Err(Failure::new(exit::DIFFERENT, message));
    }
    Ok((run, shard))
}

/// The files that bless would write for the failures of a test.
pub(super) fn planned(
    options: &Test,
    run: &TestRun,
    console: &mut Console,
) -> Result<Vec<PlannedFile>, Failure> {
    // The folders of failing clips, with the tested files: all goldens of a clip are made from the
    // same files.
    let failing: BTreeMap<&Path, Option<Hash>> = run
        .tested
        .iter()
        .filter_map(|one| {
            let goldens = &one.result.as_ref().ok()?.goldens;
            let inputs = goldens.iter().find_map(|one| Some(one.basis?.inputs));
            let fails = goldens.iter().any(|one| !one.verdict.passes());
            fails.then_some((one.scene.folder.as_path(), inputs))
        })
        .collect();
    if failing.is_empty() {
        return Ok(Vec::new());
    }
    let library = find(&options.library, options.golden_folder().as_deref(), console)?;
    let of_folder = |path: &Path| path.ancestors().find_map(|folder| failing.get(folder));
    let is_failing = |path: &Path| of_folder(path).is_some();
    let changed: Mutex<Vec<PathBuf>> = Mutex::default();
    let fails = |one: &Checked| {
        let now = one.basis.map(|basis| basis.inputs);
        let is_as_tested = now.is_none() || of_folder(&one.path) == Some(&now);
        if !is_as_tested {
            changed.lock().unwrap_or_else(PoisonError::into_inner).push(one.path.clone());
        }
        is_as_tested && !one.verdict.passes()
    };
    let dry = BlessOptions { dry_run: true, ..BlessOptions::default() };
    let blessed = library
        .bless(&|_, _| true, &is_failing, Some(&fails), dry)
        .map_err(|error| of_library(&error))?;
    for path in changed.into_inner().unwrap_or_else(PoisonError::into_inner) {
        console.warning(&format!("{}: not in the patch: {CHANGED_SINCE}", path.shown()));
    }
    for one in blessed.models.iter().flat_map(|model| &model.clips).flat_map(|clip| &clip.refused) {
        console.warning(&format!("{}: not in the patch: {}", one.path.shown(), one.refusal));
    }
    Ok(blessed.planned)
}

/// Prints the goldens required by a library.
pub(super) fn list(run: &LibraryRun) -> Result<(), Failure> {
    let mut text = String::new();
    for entry in &run.entries {
        for frame in entry.scene.frames() {
            let (path, file) = (entry.scene.path.shown(), entry.scene.file(frame));
            let line = format!("{path} moment {frame}: {}", file.shown());
            text += &(one_line(&line) + "\n");
        }
    }
    write_stdout(text.as_bytes())
}

/// Selections of `bless` among the goldens of a library.
pub(super) struct Selected<'a> {
    /// By the golden file or the folder of a clip.
    pub golden: &'a (dyn Fn(&Path) -> bool + Sync),
    /// Selects by the comparison. None for all.
    pub chosen: Option<&'a (dyn Fn(&Checked) -> bool + Sync)>,
}

/// Accepts the models and clips of a library in their current state; returns the number of accepted
/// files.
pub(super) fn bless(
    options: &Bless,
    selected: &Selected,
    console: &mut Console,
) -> Result<usize, Failure> {
    let library = find(&options.library, options.golden.as_deref(), console)?;
    if options.prune {
        let removed = library.prune(options.dry_run).map_err(|error| failure(&error))?;
        for path in &removed {
            if options.dry_run {
                console.info(&format!("{}: would be removed", path.shown()));
            } else {
                console.info(&format!("removed {}", path.shown()));
            }
        }
        let done = if options.dry_run { "would be removed" } else { "removed" };
        let goldens = removed.iter().filter(|path| !is_part(path)).count();
        console.info(&format!("{} of models and clips {done}", counted(goldens, "golden")));
        return Ok(removed.len());
    }
    let Bless { beside, allow_warnings, dry_run, overwrite_newer, .. } = *options;
    let refit = options.fit();
    let bless_options = BlessOptions { beside, allow_warnings, dry_run, overwrite_newer, refit };
    let blessed = library
        .bless(&|_, _| true, selected.golden, selected.chosen, bless_options)
        .map_err(|error| of_library(&error))?;
    let (mut written, mut refreshed, mut refused, mut models, mut clips) = (0, 0, 0, 0, 0);
    let mut records_written = 0;
    let done = if dry_run { "would be written" } else { "written" };
    let mut code = exit::DONE;
    let mut warnings = SceneWarnings::default();
    for model in &blessed.models {
        models += usize::from(!model.clips.is_empty());
        for clip in &model.clips {
            clips += 1;
            warnings.say(&model.path, &clip.warnings, console);
            for one in &clip.accepted {
                match &one.before {
                    Some(before) => {
                        written += 1;
                        let line = format!("{}: {}", one.path.shown(), before.verdict);
                        if dry_run { console.info(&line) } else { console.detail(&line) }
                    }
                    None => refreshed += 1,
                }
            }
            for one in &clip.refused {
                refused += 1;
                let anyway = anyway(&one.refusal);
                let path = one.path.shown();
                console.error(&format!("{path}: not accepted: {}{anyway}", one.refusal));
                code = code.max(exit::INCOMPLETE);
            }
        }
        if let Some(record) = &model.record {
            records_written += 1;
            console.info(&format!("{}: record of clips {done}", record.shown()));
        }
    }
    for bad in &blessed.bad {
        let failure = failure(&bad.error);
        console.error(&failure.message);
        code = code.max(failure.code);
    }
    let records = match refreshed {
        0 => String::new(),
        count => format!(", {} refreshed", counted(count, "record")),
    };
    console.info(&format!(
        "{} {done}{records} of {} with {} in {}",
        counted(written, "golden"),
        counted(models, "model"),
        counted(clips, "clip"),
        library.folder.shown()
    ));
    match code {
        exit::DONE => Ok(written + refreshed + records_written),
        code => {
            let bad = counted(blessed.bad.len(), "model");
            Err(Failure::new(
                code,
                format!("{bad} and {} not accepted", counted(refused, "picture")),
            ))
        }
    }
}
