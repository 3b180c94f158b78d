//! `tintype test`: golden frames of scenes, compared with newly drawn frames.

use super::args::Test;
use super::console::Console;
use super::environment::refuse_on_build_servers;
use super::failure::Failure;
use super::failures::message;
use super::goldens::{SceneWarnings, failure, plain, read_scenes, selects, today};
use super::render::read_shard;
use super::report::{ShardOf, suite_digest};
use super::revision::RevisionGoldens;
use super::signals::end_at_signals;
use super::stdout::write_stdout;
use super::{exit, library, patch, report, serve};
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;
use tintype_base::amount::counted;
use tintype_base::extension::has_extension;
use tintype_base::path::{ShowPath, path_of_text};
use tintype_base::printable::one_line;
use tintype_compare::difference_picture;
use tintype_golden::GoldenScene;
use tintype_golden::discover::BadScene;
use tintype_golden::library::LibraryRun;
use tintype_golden::record::Stage;
use tintype_golden::report::CauseId;
use tintype_golden::test_report::{
    TestRun, TestedScene, accept_commands, cause_id, move_commands, names_of, prune_commands,
    scene_name,
};
use tintype_golden::{
    Checked, CheckedScene, Discovery, Move, Verdict, left_behind, moves_of, stray,
};
use tintype_host::write_atomic;
use tintype_model::Rule;
use tintype_model::frame::{Frame, PIXEL_REVISION};
use tintype_output::{PngEffort, encode_png};
use tintype_scene::{FrameNumber, Shard};

/// The use of results in place of reports.
type OnTestRun<'a> = &'a dyn Fn(TestRun, &Console) -> Result<(), Failure>;

/// Tests scenes for `through`, and prints and writes nothing itself.
pub(super) fn run_with(
    options: &Test,
    through: OnTestRun,
    console: &mut Console,
) -> Result<(), Failure> {
    end_at_signals();
    run_all(options, Some(through), console)
}

/// Folder of the report that is served, if none is named.
const SERVED: &str = "out/report";

pub(super) fn run(options: &Test, console: &mut Console) -> Result<(), Failure> {
    end_at_signals();
    let mut options = options.clone();
    if options.serve {
        refuse_on_build_servers("--serve: ")?;
        options.files.report.get_or_insert_with(|| PathBuf::from(SERVED));
    }
    // Held to the end: its files are deleted when it is dropped.
    let revision = options.against.as_deref().filter(|against| !against.is_dir());
    let revision = revision.map(|against| of_revision(against, options.golden.as_deref()));
    let result = match revision.transpose() {
        Ok(revision) => {
            if let Some(revision) = &revision {
                options.of_revision = Some(revision.folder().to_path_buf());
            }
            run_all(&options, None, console)
        }
        Err(failure) => Err(failure),
    };
    match result {
        // Nothing is known of a revision in which a scene cannot be loaded, or has no golden.
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
        .map_err(|reason| Failure::bad_input(format!("--against {name}: {reason}")))
}

/// Tests the scenes.
fn run_all(
    options: &Test,
    through: Option<OnTestRun>,
    console: &mut Console,
) -> Result<(), Failure> {
    if !options.library.models.is_empty() {
        return of_models(options, console);
    }
    let root = options.golden_folder();
    let root = root.as_deref();
    let selection = Selection::new(options);
    let paths = &selection.paths;
    let mut found = read_scenes(paths, root, console.load_options())?;
    let has = |path: &Path| selection.has(path);
    let wanted =
        |scene: &GoldenScene, frame: FrameNumber| has(&scene.path) || has(&scene.file(frame));
    // Which goldens dangle depends on all scenes, whatever the filter leaves.
    let mut stray = stray(paths, root, &found).map_err(|error| failure(&error))?;
    let mut unnamed = left_behind(paths, root, &found).map_err(|error| failure(&error))?;
    if let Some(text) = selection.text() {
        let is_named = |folder: &Path| {
            found.scenes.iter().any(|scene| scene.folder == folder && has(&scene.path))
        };
        let (named, others) = stray
            .into_iter()
            .partition(|one| has(&one.path) || one.path.ancestors().skip(1).any(is_named));
        stray = named;
        unnamed.extend::<Vec<Checked>>(others);
        found.scenes.retain(|scene| scene.frames().iter().any(|&frame| wanted(scene, frame)));
        let (bad, unknown): (Vec<_>, Vec<_>) =
            found.bad.into_iter().partition(|bad| has(&bad.path) || bad.has_golden(root, has));
        found.bad = bad;
        for scene in unknown {
            let reason = failure(&scene.error).message;
            let first = reason.lines().next().unwrap_or_default().trim_end_matches(':');
            console.warning(&format!("{first}; its goldens are not tested"));
        }
        if found.scenes.is_empty() && found.bad.is_empty() && stray.is_empty() {
            let message = format!("no scene or golden has {text:?} in its path");
            return Err(Failure::new(exit::DIFFERENT, message));
        }
    }
    let Discovery { mut scenes, mut bad, .. } = found;
    let shard = read_shard(options.shard.as_deref())?;
    let shard = shard.map(|shard| take_share(shard, &mut scenes, &mut bad, wanted));
    let today = today(options.today.as_deref())?;
    scenes.iter_mut().for_each(|scene| scene.today = Some(today));
    if options.list {
        return list(&scenes, &bad, wanted, console);
    }
    report::check_folder(options)?;
    patch::prepare(options)?;
    report::forget_shard(options);

    // Scenes run in parallel; messages are printed in their order.
    let stop = AtomicBool::new(options.fail_fast && !bad.is_empty());
    let mut tested: Vec<TestedScene> = scenes
        .par_iter()
        .map(|scene| {
            let started = Instant::now();
            let result = scene.check(|frame| wanted(scene, frame) && !stop.load(Ordering::Relaxed));
            let failed = result
                .as_ref()
                .map_or(true, |scene| scene.goldens.iter().any(|one| !one.verdict.passes()));
            if options.fail_fast && failed {
                stop.store(true, Ordering::Relaxed);
            }
            TestedScene { scene, result, seconds: Some(started.elapsed().as_secs_f64()) }
        })
        .collect();
    let moves = find_moves(&mut tested, &mut stray, &unnamed);
    let run = TestRun { tested: &tested, bad: &bad, stray: &stray };
    if let Some(through) = through {
        return through(run, console);
    }
    finish(options, shard.as_ref(), run, &moves, wanted, console)
}

/// Selection of scenes, and of those of their goldens that are named by their paths, as `bless` takes them, or hold a text.
struct Selection<'a> {
    /// Scenes and folders of scenes.
    paths: Vec<PathBuf>,
    /// Those of them that were given, whose goldens are all tested.
    given: Vec<PathBuf>,
    /// Goldens, by path, pattern or folder.
    goldens: Vec<String>,
    filter: Option<&'a str>,
}

impl<'a> Selection<'a> {
    fn new(options: &'a Test) -> Self {
        let root = options.golden.as_deref().map(plain);
        let is_golden = |path: &&PathBuf| {
            let is_below = || root.as_ref().is_some_and(|root| plain(path).starts_with(root));
            is_picture(path) || is_below() || golden_folder(path).is_some() && is_of_goldens(path)
        };
        let (goldens, given): (Vec<&PathBuf>, Vec<&PathBuf>) =
            options.paths.iter().partition(is_golden);
        let given: Vec<PathBuf> = given.into_iter().cloned().collect();
        let mut paths = given.clone();
        for golden in &goldens {
            // Beside `a/golden` there is `a/scenes`, or the scenes are in `a`.
            let beside =
                golden_folder(golden).map(|folder| match folder.with_file_name("scenes") {
                    scenes if scenes.is_dir() => scenes,
                    scenes => folder
                        .parent()
                        .filter(|above| above.is_dir())
                        .map_or(scenes, Path::to_owned),
                });
            let scenes = beside.unwrap_or_else(|| PathBuf::from("scenes"));
            if !paths.contains(&scenes) {
                paths.push(scenes);
            }
        }
        let goldens = goldens.into_iter().map(|path| golden_of(path).shown()).collect();
        Self { paths, given, goldens, filter: options.filter.as_deref() }
    }

    /// Whether a scene or a golden of this path is tested.
    fn has(&self, path: &Path) -> bool {
        let is_named = |text: &String| {
            let named = path_of_text(text);
            if named.is_dir() {
                plain(path).starts_with(plain(&named))
            } else {
                selects((text, named.is_file()), path)
            }
        };
        let is_given = || self.given.iter().any(|given| path.starts_with(given));
        self.filter.is_none_or(|text| path.shown().contains(text))
            && (self.goldens.is_empty() || self.goldens.iter().any(is_named) || is_given())
    }

    /// The text that selects some of the goldens; none if all are tested.
    fn text(&self) -> Option<&str> {
        self.filter.or(self.goldens.first().map(String::as_str))
    }
}

fn is_picture(path: &Path) -> bool {
    has_extension(path, &["png"])
}

/// The folder called `golden` in a path that leads to no folder of scenes below it.
fn golden_folder(path: &Path) -> Option<&Path> {
    let named =
        |name: &'static str| move |one: &&Path| one.file_name().is_some_and(|own| own == name);
    let folder = path.ancestors().find(named("golden"))?;
    let is_of_scenes =
        path.ancestors().take_while(|one| *one != folder).any(|one| named("scenes")(&one));
    (!is_of_scenes).then_some(folder)
}

/// Whether a path is a record with its picture, a folder with such, or nothing that is there.
fn is_of_goldens(path: &Path) -> bool {
    /// Folders of scenes have as many folders above them at most.
    const DEEPEST: usize = 8;
    fn holds_goldens(folder: &Path, depth: usize) -> bool {
        let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
        let mut paths = entries.map(|entry| entry.path());
        depth > 0 && paths.any(|path| is_record(&path) || holds_goldens(&path, depth - 1))
    }
    fn is_record(path: &Path) -> bool {
        is_toml(path) && path.with_extension("png").is_file()
    }
    // A folder of scenes may have that name, too, with its goldens below it.
    let holds_scenes = || {
        let entries = std::fs::read_dir(path).into_iter().flatten().flatten();
        entries.map(|entry| entry.path()).any(|own| is_toml(&own) && !is_record(&own))
    };
    !path.exists() || is_record(path) || !holds_scenes() && holds_goldens(path, DEEPEST)
}

fn is_toml(path: &Path) -> bool {
    path.extension().is_some_and(|own| own == "toml")
}

/// The picture of a record.
fn golden_of(path: &Path) -> PathBuf {
    if is_toml(path) { path.with_extension("png") } else { path.to_path_buf() }
}

/// The moves of scenes whose goldens are missing; those that are equal are told so, and those that move are no stray ones.
/// They may have a name of `unnamed`, which the filter of the run does not name.
fn find_moves(
    tested: &mut [TestedScene<'_>],
    stray: &mut Vec<Checked>,
    unnamed: &[Checked],
) -> Vec<Move> {
    let checked = tested.iter().filter_map(|one| {
        let own = one.result.as_ref().ok()?;
        Some((one.scene, own.goldens.as_slice()))
    });
    let moves = moves_of(checked, stray.iter().chain(unnamed));
    for one in &moves {
        stray.retain(|golden| !one.files.iter().any(|[from, _]| *from == golden.path));
    }
    let results = tested.iter_mut().filter_map(|one| one.result.as_mut().ok());
    for golden in results.flat_map(|own| &mut own.goldens) {
        if let Some((path, is_equal)) = moves.iter().find_map(|one| one.present(&golden.path)) {
            golden.verdict = Verdict::Elsewhere { path: path.to_path_buf(), is_equal };
        }
    }
    moves
}

/// Tests a library.
fn of_models(options: &Test, console: &mut Console) -> Result<(), Failure> {
    report::check_folder(options)?;
    patch::prepare(options)?;
    report::forget_shard(options);
    let (found, shard) = library::test(options, console)?;
    if options.list {
        return library::list(&found);
    }
    let LibraryRun { entries, bad, stray, .. } = found;
    let scenes: Vec<(GoldenScene, _)> =
        entries.into_iter().map(|entry| (entry.scene, entry.result)).collect();
    let (scenes, results): (Vec<GoldenScene>, Vec<_>) = scenes.into_iter().unzip();
    let tested: Vec<TestedScene> = scenes
        .iter()
        .zip(results)
        .map(|(scene, result)| TestedScene { scene, result, seconds: None })
        .collect();
    let run = TestRun { tested: &tested, bad: &bad, stray: &stray };
    finish(options, shard.as_ref(), run, &[], |_, _| true, console)
}

/// Keeps the scenes of a shard, which has each scene with all of its views.
fn take_share(
    shard: Shard,
    scenes: &mut Vec<GoldenScene>,
    bad: &mut Vec<BadScene>,
    wanted: impl Fn(&GoldenScene, FrameNumber) -> bool,
) -> ShardOf {
    let mut lines = String::new();
    for scene in &*scenes {
        let frames = scene.frames().into_iter().filter(|&frame| wanted(scene, frame));
        let path = scene.path.shown();
        let name = |frame| scene.file(frame).file_name().unwrap_or_default().shown();
        frames.for_each(|frame| lines += &format!("{path} {}\n", name(frame)));
    }
    bad.iter().for_each(|one| lines += &(one.path.shown() + "\n"));
    let mut files: Vec<PathBuf> = scenes.iter().map(|scene| scene.path.clone()).collect();
    files.dedup();
    files.extend(bad.iter().map(|one| one.path.clone()));
    let range = shard.range(files.len());
    let own: BTreeSet<&PathBuf> = files[range.clone()].iter().collect();
    let before: BTreeSet<&PathBuf> = files[..range.start].iter().collect();
    let names = names_of(scenes).into_iter().zip(&*scenes);
    let taken = names.filter(|(_, scene)| before.contains(&scene.path)).map(|(name, _)| name);
    let of = ShardOf { shard, suite: suite_digest(&lines), taken: taken.collect() };
    scenes.retain(|scene| own.contains(&scene.path));
    bad.retain(|one| own.contains(&one.path));
    of
}

/// Writes reports and patch, and prints the results. A shard leaves goldens without a scene to those who have the results of all shards.
fn finish(
    options: &Test,
    shard: Option<&ShardOf>,
    run: TestRun,
    moves: &[Move],
    wanted: impl Fn(&GoldenScene, FrameNumber) -> bool,
    console: &mut Console,
) -> Result<(), Failure> {
    let stray = run.stray;
    let run = TestRun { stray: if shard.is_some() { &[] } else { stray }, ..run };
    let results = report::write(options, shard, run, wanted, console)?;
    let is_empty = run.tested.is_empty() && run.bad.is_empty();
    let concluded = match shard {
        Some(of) if is_empty => {
            let of = of.shard;
            console.info(&format!("shard {of} has no scenes: there are fewer scenes than shards"));
            Ok(())
        }
        _ => conclude(options, run, moves, console),
    };
    patch::write(options, run, moves, console);
    if let (true, Some(folder)) = (options.serve, &options.files.report) {
        if let Err(failure) = &concluded {
            console.error(&failure.message);
        }
        serve::run(folder, run, console)?;
    }
    if shard.is_some() {
        if !stray.is_empty() {
            let count = counted(stray.len(), "golden");
            console
                .info(&format!("{count} that no scene asks for: judged by tintype report merge"));
        }
        let code = match &concluded {
            Err(failure) => failure.code,
            Ok(()) => console.code_of_warnings(),
        };
        let results =
            results.map(|own| own.with(code, stray, moves, options.of_revision.as_deref()));
        report::write_shard(options, results.as_ref(), console)?;
    }
    concluded
}

/// Prints the expected goldens.
fn list(
    scenes: &[GoldenScene],
    bad: &[BadScene],
    wanted: impl Fn(&GoldenScene, FrameNumber) -> bool,
    console: &Console,
) -> Result<(), Failure> {
    let mut text = String::new();
    for scene in scenes {
        for frame in scene.frames().into_iter().filter(|&frame| wanted(scene, frame)) {
            let file = scene.file(frame);
            let line = format!("{} frame {frame}: {}", scene.path.shown(), file.shown());
            text += &(one_line(&line) + "\n");
        }
    }
    write_stdout(text.as_bytes())?;
    for scene in bad {
        console.error(&failure(&scene.error).message);
    }
    bad.first().map_or(Ok(()), |scene| Err(Failure::new(failure(&scene.error).code, "")))
}

/// Prints the results, and returns the failure of the command.
fn conclude(
    options: &Test,
    run: TestRun,
    moves: &[Move],
    console: &mut Console,
) -> Result<(), Failure> {
    let TestRun { tested, bad, stray } = run;
    let (mut same, mut within, mut known, mut failed) = (0, 0, 0, 0);
    let (mut code, mut differs) = (exit::DONE, false);
    let mut accept: Vec<&Path> = Vec::new();
    let mut warnings = SceneWarnings::default();
    let mut revisions = Revisions::default();
    let mut groups = Groups::default();
    for TestedScene { scene, result, .. } in tested {
        let checked = match result {
            Ok(CheckedScene { goldens, warnings: found }) => {
                warnings.say(&scene.path, found, console);
                goldens
            }
            Err(error) => {
                let failure = failure(error);
                console.error(&format!("{}: {}", scene.path.shown(), failure.message));
                code = code.max(failure.code);
                continue;
            }
        };
        say_rule(scene, checked, console);
        for one in checked {
            if one.verdict.passes() {
                match &one.verdict {
                    Verdict::Within(judgement) => {
                        within += 1;
                        console.detail(&format!("{}: {judgement}", one.path.shown()));
                    }
                    Verdict::Known(_) => {
                        known += 1;
                        console.info(&format!("{}: {}", one.path.shown(), one.verdict));
                    }
                    _ => same += 1,
                }
                for note in &one.notes {
                    console.warning(&format!("{}: {note}", one.path.shown()));
                }
                continue;
            }
            failed += 1;
            code = code.max(code_of(&one.verdict));
            differs |= one.verdict.difference().is_some() || matches!(one.verdict, Verdict::Hidden);
            if !matches!(one.verdict, Verdict::Elsewhere { .. }) && one.can_be_accepted() {
                accept.push(&scene.path);
            }
            match &one.verdict {
                Verdict::Elsewhere { .. } => console.detail(&message(one)),
                Verdict::OtherRevision { found, .. } => {
                    let drawing = one.cause.as_ref().map(|cause| cause.stage == Stage::Drawing);
                    revisions.add(*found, drawing);
                    match drawing {
                        // A change of content on the day of a new revision is not to be lost among its pictures.
                        Some(false) => groups.add(one),
                        _ => console.detail(&message(one)),
                    }
                }
                _ => groups.add(one),
            }
            if let Some(folder) = &options.pictures {
                write_pictures(folder, scene, one)?;
            }
        }
    }
    groups.say(console);
    revisions.say(console);
    say_newer(tested, console);
    let is_moved = |one: &&TestedScene<'_>| {
        let mut goldens = one.result.iter().flat_map(|own| &own.goldens);
        goldens.any(|golden| golden.through_golden_camera.is_some())
    };
    if let Some(first) = tested.iter().find(is_moved) {
        console.info(&format!(
            "the camera is fitted to all frames, so that an edit of one moves the picture of all ({}): with eye and target in [camera] it holds still",
            first.scene.path.shown()
        ));
    }
    moves.iter().for_each(|one| console.error(&one.to_string()));
    for scene in bad {
        let failure = failure(&scene.error);
        console.error(&failure.message);
        code = code.max(failure.code);
    }
    for one in stray {
        failed += 1;
        code = code.max(exit::DIFFERENT);
        console.error(&format!("{}: {}", one.path.shown(), one.verdict));
    }
    if same + within + known + failed == 0 && code == exit::DONE {
        return Err(Failure::new(exit::DIFFERENT, "no golden was compared"));
    }
    let all: usize = tested.iter().map(|tested| tested.scene.frames().len()).sum();
    let compared = same + within + known + failed - stray.len();
    let left = match all.saturating_sub(compared) {
        left if left > 0 && options.fail_fast && code != exit::DONE => {
            format!(", {left} not compared")
        }
        _ => String::new(),
    };
    let same = counted(same, "golden");
    let within = if within > 0 { format!("{within} within their bounds, ") } else { String::new() };
    let known = if known > 0 { format!("{known} with known changes, ") } else { String::new() };
    console.info(&format!("{same} the same, {within}{known}{failed} failed{left}"));
    if code == exit::DONE {
        return Ok(());
    }
    let for_report = run.options(&report::options_of(options, console));
    let accept_is_empty = accept.is_empty() && stray.is_empty() && !moves.is_empty();
    // What moved is compared at its new place.
    let mut commands = if moves.is_empty() { Vec::new() } else { move_commands(&for_report) };
    commands.extend(accept_commands(&for_report, accept.into_iter()));
    // Of a scene that cannot be read, no golden is known to be without a scene.
    if !stray.is_empty() && bad.is_empty() {
        commands.extend(prune_commands(&for_report));
    }
    let message = match commands.as_slice() {
        // No command makes the goldens of a revision others than they are.
        _ if options.of_revision.is_some() => String::new(),
        [] => String::new(),
        commands if accept_is_empty => format!("to take goldens along: {}", commands.join("; ")),
        commands => format!("to accept the new pictures: {}", commands.join("; ")),
    };
    Err(Failure { differs, ..Failure::new(code, message) })
}

/// Tells goldens of a newer program than this one, which does not accept them.
fn say_newer(tested: &[TestedScene], console: &Console) {
    let goldens = || tested.iter().flat_map(|one| one.result.iter().flat_map(|own| &own.goldens));
    let newer = || goldens().filter(|one| one.newer.is_some());
    let Some(first) = newer().find_map(|one| one.newer.as_ref()) else { return };
    let text = format!(
        "{} of a newer program ({first}): update this program; what it draws is not accepted in their place",
        counted(newer().count(), "golden")
    );
    if newer().all(|one| one.verdict.passes()) { console.info(&text) } else { console.error(&text) }
}

/// Prints the rule of a scene, if it is not the exact one, and the value that is nearest to its bound.
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

/// Failures by their cause, in the order of the first of each.
#[derive(Default)]
struct Groups<'a> {
    list: Vec<Vec<&'a Checked>>,
    places: BTreeMap<CauseId, usize>,
}

/// Number of failures of one cause up to which each is printed.
const MAX_PRINTED: usize = 3;
/// Number of paths that are named of the others.
const MAX_NAMED: usize = 4;

impl<'a> Groups<'a> {
    fn add(&mut self, one: &'a Checked) {
        let next = self.list.len();
        let place = *self.places.entry(cause_id(one)).or_insert(next);
        if place == next {
            self.list.push(Vec::new());
        }
        self.list[place].push(one);
    }

    /// Prints each cause with the first of its goldens in full; others are counted where there are many.
    fn say(&self, console: &Console) {
        for group in &self.list {
            let shown =
                if group.len() <= MAX_PRINTED || console.is_verbose() { group.len() } else { 1 };
            group.iter().take(shown).for_each(|one| console.error(&message(one)));
            let others = &group[shown..];
            if others.is_empty() {
                continue;
            }
            let named = others.iter().take(MAX_NAMED).map(|one| one.path.shown());
            let named: Vec<String> = named.collect();
            let more = if others.len() > MAX_NAMED { ", ..." } else { "" };
            console.error(&format!(
                "{} fail for this cause: {}{more} (-v prints all)",
                counted(others.len(), "more golden"),
                named.join(", ")
            ));
        }
    }
}

/// Goldens of other pixel revisions, with other pixels. A changed pixel revision is one cause for all of them, so it is printed once.
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
    /// Counts a golden; `drawing` says whether only drawing changed, if its record tells.
    fn add(&mut self, found: Option<u32>, drawing: Option<bool>) {
        let counts = self.counts.entry(found).or_default();
        counts.all += 1;
        counts.drawing += usize::from(drawing == Some(true));
        counts.content += usize::from(drawing == Some(false));
    }

    fn say(&self, console: &Console) {
        for (found, RevisionCounts { all, drawing, content }) in &self.counts {
            let found = match found {
                Some(found) => format!("of pixel revision {found}"),
                None => "without a pixel revision".to_owned(),
            };
            let mut text = format!(
                "{} {found} and with other pixels, this program has {PIXEL_REVISION}",
                counted(*all, "golden")
            );
            match (drawing, content) {
                (0, 0) => {}
                (drawing, 0) if all == drawing => text += ": only drawing changed",
                (drawing, content) => {
                    text +=
                        &format!(": only drawing changed in {drawing}, the content in {content}");
                }
            }
            console.error(&text);
        }
    }
}

/// Exit code of one golden.
fn code_of(verdict: &Verdict) -> u8 {
    match verdict {
        Verdict::Same => exit::DONE,
        Verdict::Empty(_) => exit::INCOMPLETE,
        Verdict::Unread(error) if tintype_base::disk::is_temporary(error) => exit::TRY_AGAIN,
        verdict if verdict.is_bad_input() => exit::BAD_INPUT,
        _ => exit::DIFFERENT,
    }
}

/// `<folder>/<scene>/0003.{golden,new,diff}.png` of one failure.
fn write_pictures(folder: &Path, scene: &GoldenScene, one: &Checked) -> Result<(), Failure> {
    let (Some(live), Some(frame)) = (&one.live, one.frame) else { return Ok(()) };
    // `0003`, or `0003.depth` of a view.
    let own = scene.file(frame.into());
    let stem = own.file_stem().unwrap_or_default().shown();
    // Scenes of one name in two folders have two folders here too.
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
