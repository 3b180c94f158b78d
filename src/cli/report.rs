//! Reports of `tintype test`: a folder with a page, JUnit, JSON, annotations of GitHub Actions.

use super::args::Test;
use super::console::Console;
use super::exit;
use super::failure::{Failure, chain};
use super::revision::RevisionFiles;
use super::stdout::write_stdout;
use std::io::Write;
use std::path::{Path, PathBuf};
use tintype_golden::GoldenScene;
use tintype_golden::report::{Report, megabytes};
use tintype_golden::report::{encode_annotations, encode_json, encode_junit, encode_summary};
use tintype_golden::test_report::ReportError;
use tintype_golden::test_report::ReportOptions;
use tintype_golden::test_report::{self, GoldenReport, Interactive, TestRun, TestedScene};
pub(super) use tintype_golden::test_report::{INDEX, path_text};
use tintype_host::write_atomic;
use tintype_model::diagnostic::counted;
use tintype_model::disk::ShowPath;
use tintype_scene::FrameNumber;

/// Writes all reports that the options ask for, and the annotations where a run of GitHub Actions reads them.
pub(super) fn write(
    options: &Test,
    run: TestRun,
    wanted: impl Fn(&GoldenScene, FrameNumber) -> bool,
    console: &Console,
) -> Result<(), Failure> {
    let annotate = std::env::var_os("GITHUB_ACTIONS").is_some_and(|value| value == "true");
    let is_asked = options.report.is_some()
        || options.junit.is_some()
        || options.json.is_some()
        || options.summary.is_some();
    if !is_asked && !annotate {
        return Ok(());
    }
    let mut of_report = options_of(options, console);
    // Held until the report is written.
    let old = options.interactive.as_deref().map(|package| interactive(package, options, run));
    of_report.interactive = old.as_ref().map(|(interactive, _)| interactive.clone());
    let written = GoldenReport::new(run, &of_report, wanted);
    if let Some(folder) = &options.report {
        written.write(folder).map_err(|error| failure(&error))?;
        console.info(&format!("report: {}", folder.join(INDEX).shown()));
        if options.interactive.is_some() {
            let (count, bytes) = written.turning();
            let goldens = counted(count, "failed golden");
            console.info(&format!("its page turns the models of {goldens}: {}", megabytes(bytes)));
        }
    }
    let report = &written.report;
    for (file, text) in
        [(&options.junit, encode_junit as fn(&Report) -> String), (&options.json, encode_json)]
    {
        match file {
            Some(path) if path.as_os_str() == "-" => write_stdout(text(report).as_bytes())?,
            Some(path) => write_file(path, text(report).as_bytes())?,
            None => {}
        }
    }
    if let Some(file) = &options.summary {
        let folder = options.report.as_deref().map(path_text);
        let pictures = options.summary_pictures.clone().or(folder);
        let text = encode_summary(report, pictures.as_deref().filter(|_| options.report.is_some()));
        match file.as_os_str() == "-" {
            true => write_stdout(text.as_bytes())?,
            false => append_file(file, &text)?,
        }
    }
    if annotate {
        // GitHub reads both streams. Standard output stays clean where a report goes there.
        console.plain(&encode_annotations(report));
    }
    Ok(())
}

/// Options of the report of a test.
pub(super) fn options_of(options: &Test, console: &Console) -> ReportOptions {
    ReportOptions {
        paths: options.paths.clone(),
        filter: options.filter.clone(),
        models: options.library.models.clone(),
        // Nothing is accepted into a revision: commands are about the goldens of this checkout.
        golden: options.golden_folder().filter(|_| options.of_revision.is_none()),
        words: console.limit_words(),
        folder: options.report.clone(),
        is_of_revision: options.of_revision.is_some(),
        measures: options.json.is_some(),
        interactive: None,
    }
}

/// Everything that the page needs to turn models: the package, and the scenes as they were, in a folder that is held.
fn interactive(
    package: &Path,
    options: &Test,
    run: TestRun,
) -> (Interactive, Option<RevisionFiles>) {
    let package = package.to_path_buf();
    let of = |old| Interactive { package: package.clone(), old };
    match options.against.as_deref() {
        None => {
            let why = "the model of the golden is not known; with --against REVISION it is that of the revision";
            (of(Err(why.to_owned())), None)
        }
        Some(folder) if folder.is_dir() => (of(Ok(folder.to_path_buf())), None),
        Some(revision) => {
            let fails = |one: &&TestedScene| {
                let goldens = one.result.iter().flat_map(|own| &own.goldens);
                goldens.into_iter().any(|golden| !golden.verdict.passes())
            };
            let scenes = run.tested.iter().filter(fails).map(|one| one.scene);
            let files: Vec<PathBuf> = scenes.flat_map(GoldenScene::files).collect();
            match RevisionFiles::take(&revision.shown().to_string(), &files) {
                Ok(held) => (of(Ok(held.folder().to_path_buf())), Some(held)),
                Err(why) => (of(Err(why)), None),
            }
        }
    }
}

/// Refuses a folder whose page is not ours, before anything is drawn.
pub(super) fn check_folder(options: &Test) -> Result<(), Failure> {
    if let Some(package) = &options.interactive {
        Interactive::check(package).map_err(|error| failure(&error))?;
    }
    options.report.as_deref().map_or(Ok(()), refuse_foreign_page)
}

/// Refuses a folder whose `index.html` is not a page of this program.
pub(super) fn refuse_foreign_page(folder: &Path) -> Result<(), Failure> {
    test_report::refuse_foreign_page(folder).map_err(|error| failure(&error))
}

/// The failure that an error of a report ends with.
pub(super) fn failure(error: &ReportError) -> Failure {
    let code = if error.is_temporary() { exit::TRY_AGAIN } else { exit::BAD_INPUT };
    Failure::new(code, chain(error))
}

/// Adds text to the end of a file: other steps of a job write into it too.
fn append_file(path: &Path, text: &str) -> Result<(), Failure> {
    let file = std::fs::OpenOptions::new().append(true).create(true).open(path);
    file.and_then(|mut file| file.write_all(text.as_bytes()))
        .map_err(|error| Failure::bad_input(format!("{}: {error}", path.shown())))
}

/// Writes a file in one step.
pub(super) fn write_file(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    write_atomic(path, bytes).map_err(|error| Failure::output(&error))
}
