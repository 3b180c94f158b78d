//! Reports of `tintype test`: a folder with a page, JUnit, JSON, annotations of GitHub Actions.

use super::accept_command::spell;
use super::args::{self, Merge, ReportFiles, Test};
use super::console::Console;
use super::exit;
use super::failure::{Failure, raised_by_option};
use super::git::real;
use super::load::unreadable;
use super::revision::RevisionFiles;
use super::standard_input::STREAM;
use super::stdout::write_stdout;
use std::collections::BTreeSet;
use std::io::Write;
use std::path::{Path, PathBuf};
use tintype_base::amount::{bytes_text, counted};
use tintype_base::diagnostic::chain;
use tintype_base::disk::read_regular_text;
use tintype_base::path::ShowPath;
use tintype_golden::report::{Report, Status, totals};
use tintype_golden::report::{encode_annotations, encode_json, encode_junit, encode_summary};
use tintype_golden::run::{Share, Wanted};
pub(super) use tintype_golden::test_report::INDEX;
use tintype_golden::test_report::{self, GoldenReport, Interactive};
use tintype_golden::test_report::{Joined, RESULTS, ShardError, ShardResults, write_joined};
use tintype_golden::test_report::{ReportError, ReportOptions};
use tintype_golden::{GoldenScene, TestRun};
use tintype_host::write_atomic;

/// Writes all requested reports, and the annotations if a run of GitHub Actions reads them; returns
/// the results of a shard, which has no exit code yet.
pub(super) fn write(
    options: &Test,
    share: Option<&Share>,
    run: &TestRun,
    wanted: &Wanted,
    console: &Console,
) -> Result<Option<ShardResults>, Failure> {
    if !options.files.is_any() && !annotates() {
        return Ok(None);
    }
    let mut of_report = options_of(options, console);
    // Kept until the report is written.
    let old = options.interactive.as_deref().map(|package| interactive(package, options, run));
    of_report.interactive = old.as_ref().map(|(interactive, _)| interactive.clone());
    of_report.taken = share.map(|share| share.taken.clone()).unwrap_or_default();
    let written = GoldenReport::new(run, &of_report, wanted);
    write_files(&options.files, &written.report, console, |folder| written.write(folder))?;
    if options.interactive.is_some() {
        let (count, bytes) = written.turning();
        let goldens = counted(count, "failed golden");
        console.info(&format!(
            "the page shows the models of {goldens} in a viewer: {}",
            bytes_text(bytes)
        ));
    }
    let results = |share: &Share| {
        let (index, of) = (share.shard.number(), share.shard.count());
        ShardResults::new([index, of], share.suite.clone(), &run.options(&of_report), &written)
    };
    Ok(share.map(results))
}

/// True if the output is read for annotations by GitHub Actions.
fn annotates() -> bool {
    std::env::var_os("GITHUB_ACTIONS").is_some_and(|value| value == "true")
}

/// Writes a report in all requested forms; `write_page` writes its folder.
fn write_files(
    files: &ReportFiles,
    report: &Report,
    console: &Console,
    write_page: impl FnOnce(&Path) -> Result<(), ReportError>,
) -> Result<(), Failure> {
    if let Some(folder) = &files.report {
        write_page(folder).map_err(|error| failure(&error))?;
        console.info(&format!("report: {}", folder.join(INDEX).shown()));
    }
    for (file, text) in
        [(&files.junit, encode_junit as fn(&Report) -> String), (&files.json, encode_json)]
    {
        match file {
            Some(path) if path.as_os_str() == STREAM => write_stdout(text(report).as_bytes())?,
            Some(path) => write_file(path, text(report).as_bytes())?,
            None => {}
        }
    }
    if let Some(file) = &files.summary {
        let text = encode_summary(report, pictures_of(files, file).as_deref());
        if file.as_os_str() == STREAM {
            write_stdout(text.as_bytes())?;
        } else {
            append_file(file, &text)?;
        }
    }
    if annotates() {
        // GitHub reads both streams. Standard output stays clean if a report is written to it.
        console.plain(&encode_annotations(report));
    }
    Ok(())
}

/// The URL of the report's folder as seen from a summary. None without a report, or if no URL leads
/// there.
fn pictures_of(files: &ReportFiles, summary: &Path) -> Option<String> {
    let report = files.report.as_deref()?;
    if let Some(address) = &files.summary_pictures {
        return (!address.is_empty()).then(|| address.clone());
    }
    // The summary of a job is shown on a page without files, and where standard output is shown is
    // unknown.
    let of_job = std::env::var_os("GITHUB_STEP_SUMMARY").map(PathBuf::from);
    if summary.as_os_str() == STREAM || of_job.is_some_and(|own| real(&own) == real(summary)) {
        return None;
    }
    test_report::address_from(&real(summary), &real(report))
}

/// Runs `tintype report`.
pub(super) fn run(options: &args::Report, console: &Console) -> Result<(), Failure> {
    let args::ReportCommand::Merge(options) = &options.command;
    merge(options, console)
}

/// Joins the reports of the shards of a test.
fn merge(options: &Merge, console: &Console) -> Result<(), Failure> {
    let folder = options.files.report.as_deref();
    folder.map_or(Ok(()), refuse_foreign_page)?;
    let bad = |error: &ShardError| {
        let advice = match error {
            ShardError::None => "; write them to DIR with `tintype test --shard 1/2 --report DIR`",
            _ => "",
        };
        Failure::bad_input(format!("{error}{advice}"))
    };
    let (mut results, mut unread) = (Vec::new(), Vec::new());
    for path in results_below(&options.folders)? {
        let text = read_regular_text(&path).map_err(|error| unreadable(&path, &error))?;
        match ShardResults::parse(&path, &text) {
            Ok(own) => results.push((path, own)),
            // Treated as missing: the results of the other shards are still shown.
            Err(error) => unread.push(error.to_string()),
        }
    }
    if results.is_empty() && !unread.is_empty() {
        return Err(Failure::bad_input(unread.join("\n")));
    }
    let joined =
        Joined::new(results, folder.map(Path::to_path_buf), spell).map_err(|error| bad(&error))?;
    let Joined { report, missing, mut code, moves, commands, folders, shards } = joined;
    write_files(&options.files, &report, console, |folder| {
        write_joined(folder, &report, &folders)
    })?;
    say(&report, console);
    moves.iter().chain(&unread).for_each(|one| console.error(one));
    if !unread.is_empty() || missing > 0 {
        code = code.max(exit::BAD_INPUT);
    }
    let count = |is_one: fn(Status) -> bool| -> usize {
        totals(&report).iter().filter(|(status, _)| is_one(*status)).map(|(_, count)| count).sum()
    };
    let failed = count(Status::fails) - missing;
    let left = match count(|status| status == Status::Skipped) {
        0 => String::new(),
        left => format!(", {left} not compared"),
    };
    console.info(&format!(
        "{}: {} passed, {failed} failed{left}",
        counted(shards, "shard"),
        counted(count(Status::passes), "golden"),
    ));
    code = if failed > 0 { code.max(exit::DIFFERENT) } else { code };
    match (code, commands.as_slice()) {
        (exit::DONE, _) if count(Status::passes) == 0 => {
            Err(Failure::new(exit::DIFFERENT, "no golden was compared"))
        }
        (exit::DONE, _) => Ok(()),
        (code, []) => Err(Failure::new(code, "")),
        (code, commands) => {
            let message = format!("to accept the new pictures: {}", commands.join("; "));
            Err(Failure::new(code, message))
        }
    }
}

/// Prints each cause with its first failure, and the number of others.
fn say(report: &Report, console: &Console) {
    for group in &report.groups {
        let entries = group.entries.iter().filter_map(|&[scene, entry]| {
            let scene = report.scenes.get(scene)?;
            Some((scene, scene.frames.get(entry)?))
        });
        let shown = if console.is_verbose() { group.count } else { 1 };
        for (scene, entry) in entries.take(shown) {
            let file = entry.golden.as_ref().or(scene.path.as_ref()).unwrap_or(&scene.name);
            let mut text = format!("{file}: {}", entry.headline());
            let verdict = entry.cause.as_ref().map(|_| &entry.message);
            let evidence = entry.cause.iter().flat_map(|cause| &cause.evidence);
            for line in verdict.into_iter().chain(evidence).chain(&entry.notes) {
                text += &format!("\n  {line}");
            }
            if entry.cause.is_some() {
                text += &format!("\n  cause {}", entry.cause_id);
            }
            console.error(&text);
        }
        if group.count > shown {
            let others = counted(group.count - shown, "more golden");
            console.error(&format!("{others} fail for this cause (-v lists all)"));
        }
    }
}

/// The result files in some folders and their subfolders, each once.
fn results_below(folders: &[PathBuf]) -> Result<Vec<PathBuf>, Failure> {
    /// Folders are this deep at most.
    const DEEPEST: usize = 16;
    fn search(folder: &Path, depth: usize, found: &mut Vec<PathBuf>) -> Result<(), Failure> {
        let failed =
            |error: std::io::Error| Failure::bad_input(format!("{}: {error}", folder.shown()));
        for entry in std::fs::read_dir(folder).map_err(failed)? {
            let path = entry.map_err(failed)?.path();
            if path.file_name().is_some_and(|name| name == RESULTS) {
                found.push(path);
            } else if path.is_dir() && depth > 0 {
                search(&path, depth - 1, found)?;
            }
        }
        Ok(())
    }
    let mut found = Vec::new();
    for folder in folders {
        search(folder, DEEPEST, &mut found)?;
    }
    // A folder that is named twice, or within another, counts once.
    let mut seen = BTreeSet::new();
    found.sort();
    found.retain(|path| seen.insert(path.canonicalize().unwrap_or_else(|_| path.clone())));
    Ok(found)
}

/// Removes the results of an earlier shard, so that they are not mistaken for those of this test if
/// it is stopped.
pub(super) fn forget_shard(options: &Test) {
    if let Some(folder) = &options.files.report {
        // A file that cannot be removed is overwritten; if its folder is read-only, writing reports
        // that.
        let _ = std::fs::remove_file(folder.join(RESULTS));
    }
}

/// Writes the results of a shard beside its page.
pub(super) fn write_shard(
    options: &Test,
    results: Option<&ShardResults>,
    console: &Console,
) -> Result<(), Failure> {
    match (results, &options.files.report) {
        (Some(results), Some(folder)) => {
            let path = folder.join(RESULTS);
            let text = results.to_json();
            let text =
                text.map_err(|why| Failure::bad_input(format!("{}: {why}", path.shown())))?;
            write_file(&path, text.as_bytes())
        }
        _ => {
            console.info(
                "--shard needs --report: `tintype report merge` reads the report of each shard",
            );
            Ok(())
        }
    }
}

/// Options of the report of a test.
pub(super) fn options_of(options: &Test, console: &Console) -> ReportOptions {
    ReportOptions {
        paths: options.paths.clone(),
        filter: options.filter.clone(),
        models: options.library.models.clone(),
        // Nothing is accepted into a revision: commands concern the goldens of this checkout.
        golden: options.golden_folder().filter(|_| options.of_revision.is_none()),
        words: console.limit_words(),
        stand_ins: false,
        spell: Some(spell),
        folder: options.files.report.clone(),
        taken: Vec::new(),
        is_of_revision: options.of_revision.is_some(),
        revision: options.of_revision.clone(),
        measures: options.files.json.is_some() || options.shard.is_some(),
        interactive: None,
        raised: Some(raised_by_option),
    }
}

/// Everything that the page needs to rotate models: the package, and the old scenes, in a folder
/// that is kept.
fn interactive(
    package: &Path,
    options: &Test,
    run: &TestRun,
) -> (Interactive, Option<RevisionFiles>) {
    let package = package.to_path_buf();
    let of = |old| Interactive { package: package.clone(), old };
    match options.against.as_deref() {
        None => {
            let why = "the golden's model is unknown; compare with a revision that has it: --against REVISION";
            (of(Err(why.to_owned())), None)
        }
        Some(folder) if folder.is_dir() => (of(Ok(folder.to_path_buf())), None),
        Some(revision) => {
            let scenes = run.tested.iter().filter(|one| one.result.is_ok() && one.fails());
            // The viewer of a scene whose files cannot be read names the file.
            let files_of =
                |scene: &GoldenScene| scene.files().unwrap_or_else(|_| vec![scene.path.clone()]);
            let files: Vec<PathBuf> = scenes.flat_map(|one| files_of(&one.scene)).collect();
            match RevisionFiles::take(&revision.shown(), &files) {
                Ok(held) => (of(Ok(held.folder().to_path_buf())), Some(held)),
                Err(error) => (of(Err(error.into())), None),
            }
        }
    }
}

/// Refuses a folder with a foreign page before anything is drawn.
pub(super) fn check_folder(options: &Test) -> Result<(), Failure> {
    options.interactive.as_deref().map_or(Ok(()), check_package)?;
    options.files.report.as_deref().map_or(Ok(()), refuse_foreign_page)
}

/// Checks that the JavaScript package exists, before anything is drawn.
pub(super) fn check_package(package: &Path) -> Result<(), Failure> {
    test_report::check_package(package).map_err(|error| failure(&error))
}

/// Refuses a folder whose `index.html` is not a page of this program.
pub(super) fn refuse_foreign_page(folder: &Path) -> Result<(), Failure> {
    test_report::refuse_foreign_page(folder).map_err(|error| failure(&error))
}

/// The failure for an error of a report.
pub(super) fn failure(error: &ReportError) -> Failure {
    let code = if error.is_temporary() { exit::TRY_AGAIN } else { exit::BAD_INPUT };
    Failure::new(code, chain(error))
}

/// Appends text to a file: other steps of a job also write into it.
fn append_file(path: &Path, text: &str) -> Result<(), Failure> {
    let file = std::fs::OpenOptions::new().append(true).create(true).open(path);
    file.and_then(|mut file| file.write_all(text.as_bytes()))
        .map_err(|error| unreadable(path, &error))
}

/// Writes a file in one step.
pub(super) fn write_file(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    write_atomic(path, bytes).map_err(|error| Failure::output(&error))
}
