//! `tintype test`: golden frames of scenes, compared with newly drawn frames.

use super::args::Test;
use super::console::Console;
use super::environment::refuse_on_build_servers;
use super::failure::Failure;
use super::git::Git;
use super::goldens::{SceneWarnings, failure, message, read_scenes, today};
use super::render::read_shard;
use super::revision::{RevisionGoldens, changed_files};
use super::stdout::write_stdout;
use super::{exit, last_failed, library, patch, pin, report, serve};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Instant;
use tintype::{PIXEL_REVISION, Rule};
use tintype_base::amount::counted;
use tintype_base::path::ShowPath;
use tintype_base::printable::one_line;
use tintype_compare::difference_picture;
use tintype_golden::record::Stage;
use tintype_golden::run::{CauseGroup, Clock, Counts, Failure as Failed, Share, Suite, Wanted};
use tintype_golden::selection::Selection;
use tintype_golden::test_report::scene_name;
use tintype_golden::{Checked, CheckedScene, GoldenScene, TestRun, TestedScene, Verdict};
use tintype_host::write_atomic;
use tintype_model::frame::Frame;
use tintype_output::{PngEffort, encode_png};

/// Runs the test without printing or writing anything.
pub(super) fn tested(options: &Test, console: &mut Console) -> Result<TestRun, Failure> {
    let selection = selection(options);
    let suite = suite(options, &selection, console)?;
    Ok(suite.test(&|scene, frame| selection.wants(scene, frame), options.fail_fast, None))
}

/// Default folder of the served report.
const SERVED: &str = "out/report";

pub(super) fn run(options: &Test, console: &mut Console) -> Result<(), Failure> {
    let mut options = options.clone();
    if options.serve {
        options.other_program.as_deref().map_or(Ok(()), |what| Err(pin::refused(what)))?;
        refuse_on_build_servers("--serve: ")?;
        options.files.report.get_or_insert_with(|| PathBuf::from(SERVED));
    }
    // Kept to the end: its files are deleted when it is dropped.
    let revision = options.against.as_deref().filter(|against| !against.is_dir());
    let revision = revision.map(|against| of_revision(against, options.golden.as_deref()));
    let result = match revision.transpose() {
        Ok(revision) => {
            if let Some(revision) = &revision {
                let named = options.golden.clone().unwrap_or_else(|| PathBuf::from("golden"));
                options.of_revision = Some([revision.folder().to_path_buf(), named]);
                console.info(&format!("compared with the goldens of {}", revision.words()));
            }
            run_all(&options, console)
        }
        Err(failure) => Err(failure),
    };
    match result {
        // A revision cannot be judged if a scene cannot be loaded, or has no golden.
        Err(failure) if options.bisect && failure.code != exit::INTERRUPTED => {
            let code = if failure.differs { exit::DIFFERENT } else { exit::CANNOT_TELL };
            Err(Failure { code, ..failure })
        }
        result => result,
    }
}

/// The goldens of a revision that `--against` names, in the folder of the project.
fn of_revision(against: &Path, golden: Option<&Path>) -> Result<RevisionGoldens, Failure> {
    let name = against.shown();
    RevisionGoldens::take(&name, golden.unwrap_or(Path::new("golden")))
        .map_err(|error| error.failure(&format!("--against {name}")))
}

/// The scenes and goldens that the options name.
fn selection(options: &Test) -> Selection {
    let revision = options.of_revision.clone();
    Selection::new(&options.paths, options.golden.as_deref(), options.filter.clone(), revision)
}

/// Tests the scenes.
fn run_all(options: &Test, console: &mut Console) -> Result<(), Failure> {
    if !options.library.models.is_empty() {
        return of_models(options, console);
    }
    let mut selection = selection(options);
    if options.last_failed {
        selection.failed = Some(last_failed::read(false)?.into_iter().collect());
    }
    let wanted: &Wanted = &|scene, frame| selection.wants(scene, frame);
    let mut suite = suite(options, &selection, console)?;
    if suite.is_empty() && may_be_empty(options, console) {
        return Ok(());
    }
    let shard = read_shard(options.shard.as_deref())?;
    let share = shard.map(|shard| suite.take_share(shard, wanted)).transpose();
    let share = share.map_err(|error| failure(&error))?;
    if options.list {
        if let Some(folders) = &options.of_revision {
            suite.scenes.iter_mut().for_each(|scene| scene.name_goldens(folders));
        }
        return list(&suite, wanted, console);
    }
    report::check_folder(options)?;
    patch::prepare(options)?;
    report::forget_shard(options);
    let started = Instant::now();
    let clock: &Clock = &|| started.elapsed().as_secs_f64();
    let run = suite.test(wanted, options.fail_fast, Some(clock));
    finish(options, share.as_ref(), run, wanted, console)
}

/// The scenes selected by options, with the goldens without a scene.
fn suite(options: &Test, selection: &Selection, console: &mut Console) -> Result<Suite, Failure> {
    let root = options.golden_folder();
    let root = root.as_deref();
    let found = read_scenes(&selection.paths, root, console.load_options())?;
    let suite = Suite::new(&selection.paths, root, found);
    let mut suite = suite.map_err(|error| failure(&error))?;
    if selection.is_partial() {
        for scene in suite.select(root, &|path| selection.has(path)) {
            let reason = failure(&scene.error).message;
            let first = reason.lines().next().unwrap_or_default().trim_end_matches(':');
            console.warning(&format!("{first}; its goldens are not tested"));
        }
        if let (true, Some(text)) = (suite.is_empty(), selection.text()) {
            let message = format!("no scene or golden has {text:?} in its path");
            return Err(Failure::new(exit::DIFFERENT, message));
        }
    }
    if let Some(changed) = changed_files(options)? {
        suite.keep_changed(&changed);
    }
    suite.set_today(today(options.today.as_deref())?);
    Ok(suite)
}

/// Reports that nothing is left to test, if an option may exclude everything; false if none does.
fn may_be_empty(options: &Test, console: &Console) -> bool {
    match &options.only_changed {
        Some(revision) => {
            console.info(&format!("no files changed since {revision}: nothing to test"))
        }
        None if options.last_failed => {
            console.info("nothing from the last test is left to test again")
        }
        None => return false,
    }
    true
}

/// Tests a library.
fn of_models(options: &Test, console: &mut Console) -> Result<(), Failure> {
    report::check_folder(options)?;
    patch::prepare(options)?;
    report::forget_shard(options);
    let (found, share) = library::test(options, console)?;
    if options.list {
        return library::list(&found);
    }
    let run = TestRun::of_library(found);
    if run.is_empty() && share.is_none() && may_be_empty(options, console) {
        return Ok(());
    }
    finish(options, share.as_ref(), run, &|_, _| true, console)
}

/// Writes reports and patch, and prints the results. A shard leaves goldens without a scene to the
/// join of all shards.
fn finish(
    options: &Test,
    share: Option<&Share>,
    mut run: TestRun,
    wanted: &Wanted,
    console: &mut Console,
) -> Result<(), Failure> {
    if let Some(folders) = &options.of_revision {
        run.name_goldens(folders);
    }
    let stray = if share.is_some() { std::mem::take(&mut run.stray) } else { Vec::new() };
    let results = report::write(options, share, &run, wanted, console)?;
    let concluded = match share {
        Some(of) if run.tested.is_empty() && run.bad.is_empty() => {
            let of = of.shard;
            console.info(&format!("shard {of} has no scenes: there are fewer scenes than shards"));
            Ok(())
        }
        _ => conclude(options, &run, console),
    };
    let concluded = match (&options.other_program, concluded) {
        (Some(what), concluded) if !is_temporary(&concluded) => Err(pin::told(&run, what, console)),
        (_, concluded) => concluded,
    };
    // Goldens that only another revision has are not failures of this one.
    if options.against.is_none() && !options.bisect && !run.is_empty() {
        last_failed::keep(&run, !options.library.models.is_empty());
    }
    patch::write(options, &run, console);
    if let (true, Some(folder)) = (options.serve, &options.files.report) {
        if let Err(failure) = &concluded {
            console.error(&failure.message);
        }
        serve::run(folder, &run, console)?;
    }
    if share.is_some() {
        if !stray.is_empty() {
            let count = counted(stray.len(), "golden");
            console.info(&format!("{count} without a scene: `tintype report merge` decides"));
        }
        let code = match &concluded {
            Err(failure) => failure.code,
            Ok(()) => console.code_of_warnings(),
        };
        let results =
            results.map(|own| own.with(code, &stray, &run.moves, Git::default().commit()));
        report::write_shard(options, results.as_ref(), console)?;
    }
    concluded
}

fn is_temporary(concluded: &Result<(), Failure>) -> bool {
    matches!(concluded, Err(Failure { code: exit::TRY_AGAIN, .. }))
}

/// Prints the expected goldens.
fn list(suite: &Suite, wanted: &Wanted, console: &Console) -> Result<(), Failure> {
    let mut text = String::new();
    for scene in &suite.scenes {
        for frame in scene.frames().into_iter().filter(|&frame| wanted(scene, frame)) {
            let file = scene.file(frame);
            let line = format!("{} frame {frame}: {}", scene.path.shown(), file.shown());
            text += &(one_line(&line) + "\n");
        }
    }
    write_stdout(text.as_bytes())?;
    for scene in &suite.bad {
        console.error(&failure(&scene.error).message);
    }
    suite.bad.first().map_or(Ok(()), |scene| Err(Failure::new(failure(&scene.error).code, "")))
}

/// Prints the results, and returns the failure of the command.
fn conclude(options: &Test, run: &TestRun, console: &mut Console) -> Result<(), Failure> {
    let mut warnings = SceneWarnings::default();
    for TestedScene { scene, result, .. } in &run.tested {
        match result {
            Ok(CheckedScene { goldens, warnings: found }) => {
                warnings.say(&scene.path, found, console);
                say_rule(scene, goldens, console);
                goldens.iter().for_each(|one| say_passed(one, console));
            }
            Err(error) => {
                let reason = failure(error).message;
                console.error(&format!("{}: {reason}", scene.path.shown()));
            }
        }
    }
    let mut revisions = Revisions::default();
    for Failed { scene, golden, .. } in run.failures() {
        revisions.add(golden);
        if !is_told_by_cause(golden) {
            console.detail(&message(golden));
        }
        if let Some(folder) = &options.pictures {
            write_pictures(folder, scene, golden)?;
        }
    }
    run.groups().iter().for_each(|group| say_group(group, console));
    revisions.say(console);
    say_newer(run, console);
    let moved = run
        .tested
        .iter()
        .find(|one| one.goldens().iter().any(|golden| golden.through_golden_camera.is_some()));
    if let Some(first) = moved {
        console.info(&format!(
            "the camera is fitted to all frames, so editing one frame shifts the picture in every frame ({}); goldens written by bless keep their fit",
            first.scene.path.shown()
        ));
    }
    run.moves.iter().for_each(|one| console.error(&one.to_string()));
    run.bad.iter().for_each(|scene| console.error(&failure(&scene.error).message));
    for one in &run.stray {
        console.error(&format!("{}: {}", one.path.shown(), one.verdict));
    }
    if run.is_empty() {
        return Err(Failure::new(exit::DIFFERENT, "no golden was compared"));
    }
    say_counts(options, run, console);
    if run.passed() {
        return Ok(());
    }
    let commands = run.commands(&report::options_of(options, console)).join("; ");
    let accepts = !run.stray.is_empty() || run.failures().any(|one| one.can_be_accepted());
    let message = match commands.as_str() {
        "" => String::new(),
        _ if accepts || run.moves.is_empty() => format!("to accept the new pictures: {commands}"),
        _ => format!("to move the goldens: {commands}"),
    };
    Err(Failure { differs: run.differs(), ..Failure::new(exit::of(run.ending()), message) })
}

/// Prints the numbers of goldens.
fn say_counts(options: &Test, run: &TestRun, console: &Console) {
    let Counts { same, within, known, failed, left } = run.counts();
    let left = match left {
        left if left > 0 && options.fail_fast && !run.passed() => format!(", {left} not compared"),
        _ => String::new(),
    };
    let same = counted(same, "golden");
    let within = if within > 0 { format!("{within} within their bounds, ") } else { String::new() };
    let known = if known > 0 { format!("{known} with known changes, ") } else { String::new() };
    console.info(&format!("{same} the same, {within}{known}{failed} failed{left}"));
}

/// Prints remarks about a golden that passes.
fn say_passed(one: &Checked, console: &mut Console) {
    if !one.verdict.passes() {
        return;
    }
    let path = one.path.shown();
    match &one.verdict {
        Verdict::Within(judgement) => console.detail(&format!("{path}: {judgement}")),
        Verdict::Known(_) => console.info(&format!("{path}: {}", one.verdict)),
        _ => {}
    }
    for note in &one.notes {
        console.warning(&format!("{path}: {note}"));
    }
}

/// Reports goldens of a newer program, which this one does not accept.
fn say_newer(run: &TestRun, console: &Console) {
    let newer = || run.goldens().filter(|one| one.newer.is_some());
    let Some(first) = newer().find_map(|one| one.newer.as_ref()) else { return };
    let text = format!(
        "{} from a newer version ({first}): update tintype; the pictures drawn here are not accepted in their place",
        counted(newer().count(), "golden")
    );
    if newer().all(|one| one.verdict.passes()) { console.info(&text) } else { console.error(&text) }
}

/// Prints the rule of a scene, if it is not the exact one, and the value that is nearest to its
/// bound.
fn say_rule(scene: &GoldenScene, checked: &[Checked], console: &Console) {
    let rule = scene.rule();
    if rule == Rule::Exact {
        return;
    }
    // Of SSIM less is farther.
    let sign = if matches!(rule, Rule::Ssim(_)) { -1.0 } else { 1.0 };
    let values = checked.iter().filter_map(|one| match &one.verdict {
        Verdict::Within(judgement) | Verdict::Beyond(judgement) => Some((judgement.value()?, one)),
        _ => None,
    });
    let farthest = values.max_by(|a, b| (sign * a.0).total_cmp(&(sign * b.0)));
    let farthest = farthest.map_or_else(
        || "none differs".to_owned(),
        |(value, one)| format!("farthest {value:.4}, {}", one.path.shown()),
    );
    let count = counted(checked.len(), "golden");
    console.info(&format!("{}: {count} held by {rule}; {farthest}", scene.path.shown()));
}

/// Maximum number of failures of one cause that are printed one by one.
const MAX_PRINTED: usize = 3;
/// Number of paths that are named of the others.
const MAX_NAMED: usize = 4;

/// True if a failure is printed with others of the same cause: it neither moved nor differs only by
/// the pixel revision.
fn is_told_by_cause(one: &Checked) -> bool {
    match &one.verdict {
        Verdict::Elsewhere { .. } => false,
        // A change of content on the day of a new revision is not to be lost among its pictures.
        Verdict::OtherRevision { .. } => {
            one.cause.as_ref().is_some_and(|cause| cause.stage != Stage::Drawing)
        }
        _ => true,
    }
}

/// Prints a cause with the first of its goldens in full; others are counted if there are many.
fn say_group(group: &CauseGroup, console: &Console) {
    let goldens = group.failures.iter().map(|one| one.golden);
    let goldens: Vec<&Checked> = goldens.filter(|one| is_told_by_cause(one)).collect();
    let is_short = goldens.len() <= MAX_PRINTED || console.is_verbose();
    let (shown, others) = goldens.split_at(if is_short { goldens.len() } else { 1 });
    shown.iter().for_each(|one| console.error(&message(one)));
    if others.is_empty() {
        return;
    }
    let named = others.iter().take(MAX_NAMED).map(|one| one.path.shown());
    let named: Vec<String> = named.collect();
    let more = if others.len() > MAX_NAMED { ", ..." } else { "" };
    console.error(&format!(
        "{} fail for this cause: {}{more} (-v lists all)",
        counted(others.len(), "more golden"),
        named.join(", ")
    ));
}

/// Goldens of other pixel revisions, with different pixels. A changed pixel revision is one cause
/// for all of them, so it is printed once.
#[derive(Default)]
struct Revisions {
    counts: BTreeMap<Option<u32>, RevisionCounts>,
}

/// Numbers of goldens of one revision.
#[derive(Default)]
struct RevisionCounts {
    all: usize,
    /// Those where only drawing changed, by the record beside them.
    drawing: usize,
    /// Those where the content changed, by the record beside them.
    content: usize,
}

impl Revisions {
    /// Counts a golden if it is from another revision; its record may show that only drawing
    /// changed.
    fn add(&mut self, one: &Checked) {
        let Verdict::OtherRevision { found, .. } = &one.verdict else { return };
        let drawing = one.cause.as_ref().map(|cause| cause.stage == Stage::Drawing);
        let counts = self.counts.entry(*found).or_default();
        counts.all += 1;
        counts.drawing += usize::from(drawing == Some(true));
        counts.content += usize::from(drawing == Some(false));
    }

    fn say(&self, console: &Console) {
        for (found, RevisionCounts { all, drawing, content }) in &self.counts {
            let found = match found {
                Some(found) => format!("from pixel revision {found}"),
                None => "without a pixel revision".to_owned(),
            };
            let mut text = format!(
                "{} {found} with different pixels; this program has {PIXEL_REVISION}",
                counted(*all, "golden")
            );
            match (drawing, content) {
                (0, 0) => {}
                (drawing, 0) if all == drawing => text += ": only drawing changed",
                (drawing, content) => {
                    text += &format!(
                        ": only drawing changed in {drawing}, content changed in {content}"
                    );
                }
            }
            console.error(&text);
        }
    }
}

/// `<folder>/<scene>/0003.{golden,new,diff}.png` of one failure.
fn write_pictures(folder: &Path, scene: &GoldenScene, one: &Checked) -> Result<(), Failure> {
    let (Some(live), Some(frame)) = (&one.live, one.frame) else { return Ok(()) };
    // `0003`, or `0003.depth` of a view.
    let own = scene.file(frame.into());
    let stem = own.file_stem().unwrap_or_default().shown();
    // Scenes of the same name in two folders also have two folders here.
    let name = scene.name.clone().unwrap_or_else(|| scene_name(&scene.path));
    let write = |kind: &str, picture: &Frame| {
        let path = folder.join(&name).join(format!("{stem}.{kind}.png"));
        let png = encode_png(picture, true, PngEffort::Fast, &[]);
        write_atomic(&path, &png).map_err(|error| Failure::output(&error))
    };
    write("new", live)?;
    if let Some(picture) = &one.through_golden_camera {
        write("camera", picture)?;
    }
    if let Some(golden) = &one.golden {
        write("golden", golden)?;
        if [golden.width, golden.height] == [live.width, live.height] {
            write("diff", &difference_picture(golden, live))?;
        }
    }
    Ok(())
}
