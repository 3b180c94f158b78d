//! `tintype bless`: accepts newly drawn pictures as goldens.

use super::args::Bless;
use super::conflicts;
use super::console::Console;
use super::environment::refuse_on_build_servers;
use super::exit;
use super::failure::Failure;
use super::goldens::{SceneWarnings, anyway, failure, message, read_scenes, today};
use super::library;
use super::load::{self, is_model_or_clip};
use super::pin;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use tintype::builder::{FrameList, FrameNumber};
use tintype_base::amount::counted;
use tintype_base::git::{MERGE_CONFLICT, merge_conflict_line};
use tintype_base::path::{ShowPath, list_lines, path_of_text};
use tintype_base::printable::one_line;
use tintype_base::shell::path_word;
use tintype_golden::report::CauseId;
use tintype_golden::selection::{Patterns, is_path, plain, selects};
use tintype_golden::test_report::{cause_id, headline};
use tintype_golden::{
    BlessOptions, Blessed, Checked, Discovery, GoldenScene, Refusal, Refused, StrayFiles, Verdict,
    find_moves,
};
use tintype_scene::PROJECT_FILE;

pub(super) fn run(options: &Bless, console: &mut Console) -> Result<(), Failure> {
    if !options.dry_run {
        refuse_on_build_servers("")?;
    }
    if options.upgrade {
        return upgrade(options, console);
    }
    if let Some(what) = &options.other_program {
        return Err(pin::refused(what));
    }
    if !options.library.models.is_empty() {
        return of_models(options, console);
    }
    let paths = searched(options);
    let root = options.golden.as_deref();
    if let (Some(advice), false) =
        (options.patterns.iter().find_map(|text| for_models(text)), options.scenes.exists())
    {
        let message = format!("{}: no such folder; {advice}", options.scenes.shown());
        return Err(Failure::bad_input(message));
    }
    let mut found = read_scenes(&paths, root, console.load_options())?;
    let patterns = Patterns::new(&options.patterns, &found.scenes, found.files());
    // An unreadable scene does not prevent the others from being blessed, unless it was requested.
    let asked = |path: &Path| options.patterns.is_empty() || patterns.name(path);
    if let Some(scene) = found.bad.iter().find(|bad| asked(&bad.path) && !options.conflicts) {
        return Err(failure(&scene.error));
    }
    if options.prune {
        return prune(&paths, root, &found, options.dry_run, console);
    }
    if options.r#move {
        return take_along(&paths, root, &mut found, options.dry_run, console);
    }
    let today = today(None)?;
    found.scenes.iter_mut().for_each(|scene| scene.today = Some(today));
    let frames = read_frames(options)?;
    let listed = options.from.as_deref().map(read_list).transpose()?;
    let selected = |scene: &GoldenScene, frame: FrameNumber| {
        let golden = scene.file(frame);
        (asked(&scene.path) || asked(&golden))
            && frames.as_ref().is_none_or(|list| list.contains(frame))
            && listed.as_ref().is_none_or(|list| list.has(&golden))
    };
    // A fit applies to all goldens of a scene and its views.
    let has_selected =
        |scene: &&GoldenScene| scene.frames().into_iter().any(|frame| selected(scene, frame));
    let refitted: BTreeSet<PathBuf> = (found.scenes.iter().filter(|_| options.refit))
        .filter(has_selected)
        .map(|scene| scene.path.clone())
        .collect();
    let wanted = |scene: &GoldenScene, frame: FrameNumber| {
        selected(scene, frame) || refitted.contains(&scene.path)
    };
    if let Some(line) = listed.as_ref().and_then(|list| list.unknown(&found.scenes)) {
        return Err(Failure::bad_input(line));
    }
    if options.conflicts {
        let is_whole = options.patterns.is_empty() && frames.is_none();
        return conflicts::settle(&found, wanted, (is_whole, options.dry_run), console);
    }
    found.scenes.retain(|scene| scene.frames().into_iter().any(|frame| wanted(scene, frame)));
    if let Some(text) = patterns.without_golden(&found.scenes) {
        let list = if options.scenes == Path::new("scenes") {
            "tintype test --list".to_owned()
        } else {
            format!("tintype test {} --list", path_word(&options.scenes))
        };
        let of_models = for_models(text).map_or(String::new(), |advice| format!("; {advice}"));
        let message = format!(
            "no scene or golden has {text:?} in its path; list them with `{list}`{of_models}"
        );
        return Err(Failure::bad_input(message));
    }
    if found.scenes.is_empty() {
        return Err(Failure::bad_input(
            "no golden has these frames; list them with `tintype test --list`",
        ));
    }
    accept(options, &mut found.scenes, wanted, console)
}

/// Accepts the pictures of this program, and pins it in the settings of the project.
fn upgrade(options: &Bless, console: &mut Console) -> Result<(), Failure> {
    let all = options.library.models.is_empty();
    let own = Bless { upgrade: false, other_program: None, all, ..options.clone() };
    run(&own, console)?;
    let project = options.project.as_deref().unwrap_or(Path::new(PROJECT_FILE));
    if options.dry_run { Ok(()) } else { pin::write(project, console) }
}

/// The command for goldens of models, if a text names models.
fn for_models(text: &str) -> Option<String> {
    let named = path_of_text(text);
    let is_of_models = named.is_dir() || named.is_file() && is_model_or_clip(&named);
    is_of_models.then(|| format!("use `tintype bless --models {}` for models", path_word(&named)))
}

/// The folder of scenes and any scenes elsewhere that are named by path; only these if there is no
/// such folder.
fn searched(options: &Bless) -> Vec<PathBuf> {
    let is_scene = |path: &PathBuf| {
        let is_toml = path.extension().is_some_and(|own| own == "toml");
        is_toml && path.is_file() && !path.components().any(|part| part.as_os_str() == "golden")
    };
    let named: Vec<PathBuf> = options.patterns.iter().map(PathBuf::from).filter(is_scene).collect();
    let is_needed = named.is_empty() || options.scenes.exists();
    is_needed.then(|| options.scenes.clone()).into_iter().chain(named).collect()
}

/// Accepts goldens of a library.
fn of_models(options: &Bless, console: &mut Console) -> Result<(), Failure> {
    let frames = read_frames(options)?;
    let listed = options.from.as_deref().map(read_list).transpose()?;
    let number = |path: &Path| -> Option<i64> { path.file_stem()?.to_str()?.parse().ok() };
    let golden = |path: &Path| {
        let is_named = |text: &String| selects((text, is_path(path, text)), path);
        (options.patterns.is_empty() || options.patterns.iter().any(is_named))
            && frames.as_ref().is_none_or(|list| {
                number(path).is_some_and(|number| list.contains(FrameNumber(number)))
            })
            && listed.as_ref().is_none_or(|list| list.has(path))
    };
    let causes = causes(options, &[], |_, _| false)?;
    let chosen = |before: &Checked| has_cause(&causes, before);
    let selected =
        library::Selected { golden: &golden, chosen: (!causes.is_empty()).then_some(&chosen) };
    let accepted = library::bless(options, &selected, console)?;
    if options.cause.is_empty() || accepted > 0 { Ok(()) } else { Err(no_cause(&options.cause)) }
}

fn read_frames(options: &Bless) -> Result<Option<FrameList>, Failure> {
    let parse = |text: &String| {
        FrameList::parse(text)
            .map_err(|error| Failure::bad_input(format!("--frames {text}: {error}")))
    };
    options.frames.as_ref().map(parse).transpose()
}

/// The requested causes. A first line selects the cause of the failure that it was printed for.
fn causes(
    options: &Bless,
    scenes: &[GoldenScene],
    wanted: impl Fn(&GoldenScene, FrameNumber) -> bool + Sync,
) -> Result<Vec<CauseId>, Failure> {
    let mut lines: Vec<&String> = Vec::new();
    let mut found: BTreeSet<CauseId> = BTreeSet::new();
    for text in &options.cause {
        match CauseId::parse(text) {
            Some(id) => _ = found.insert(id),
            None => lines.push(text),
        }
    }
    let mut of_lines: BTreeMap<&String, BTreeSet<CauseId>> = BTreeMap::new();
    for scene in scenes.iter().filter(|_| !lines.is_empty()) {
        let checked = scene.check(|frame| wanted(scene, frame)).map_err(|error| failure(&error))?;
        for one in checked.goldens.iter().filter(|one| !one.verdict.passes()) {
            let own = one_line(&headline(one));
            for line in lines.iter().filter(|line| ***line == own) {
                of_lines.entry(line).or_default().insert(cause_id(one));
            }
        }
    }
    for line in lines {
        let ids = of_lines.remove(line).unwrap_or_default();
        match ids.len() {
            0 => return Err(no_cause(&options.cause)),
            1 => found.extend(ids),
            _ => {
                let ids: Vec<String> = ids.iter().map(ToString::to_string).collect();
                return Err(Failure::bad_input(format!(
                    "--cause {line:?}: several causes have this first line; use the id of one: {}",
                    ids.join(", ")
                )));
            }
        }
    }
    Ok(found.into_iter().collect())
}

/// True if a golden fails for one of the causes; an empty list matches every golden.
fn has_cause(causes: &[CauseId], before: &Checked) -> bool {
    causes.is_empty() || !before.verdict.passes() && causes.contains(&cause_id(before))
}

/// The failure that no golden has one of the causes.
fn no_cause(causes: &[String]) -> Failure {
    let causes = one_line(&causes.join(", "));
    Failure::bad_input(format!("no golden fails for {causes}; list the causes with `tintype test`"))
}

/// The goldens that a file lists.
struct Listed {
    file: PathBuf,
    /// Line number and path.
    lines: Vec<(usize, PathBuf)>,
    paths: BTreeSet<PathBuf>,
}

/// Reads a list of goldens: one path per line; empty lines and those that begin with `#` are
/// skipped.
fn read_list(file: &Path) -> Result<Listed, Failure> {
    let text = tintype_base::disk::read_regular_text(file)
        .map_err(|error| Failure::bad_input(format!("{}: {error}", file.shown())))?;
    if let Some(line) = merge_conflict_line(&text) {
        return Err(Failure::bad_input(format!("{}:{line}: {MERGE_CONFLICT}", file.shown())));
    }
    let lines: Vec<(usize, PathBuf)> =
        list_lines(&text).map(|(number, line)| (number, plain(Path::new(line.trim())))).collect();
    if lines.is_empty() {
        return Err(Failure::bad_input(format!("{}: the file lists no goldens", file.shown())));
    }
    let paths = lines.iter().map(|(_, path)| path.clone()).collect();
    Ok(Listed { file: file.to_path_buf(), lines, paths })
}

impl Listed {
    fn has(&self, golden: &Path) -> bool {
        self.paths.contains(&plain(golden))
    }

    /// The message about the first line that does not name a golden of a scene.
    fn unknown(&self, scenes: &[GoldenScene]) -> Option<String> {
        let goldens: BTreeSet<PathBuf> = scenes
            .iter()
            .flat_map(|scene| scene.frames().into_iter().map(|frame| plain(&scene.file(frame))))
            .collect();
        let (line, path) = self.lines.iter().find(|(_, path)| !goldens.contains(path))?;
        let (file, path) = (self.file.shown(), path.shown());
        Some(format!(
            "{file}:{line}: {path}: no scene has this golden; list them with `tintype test --list`"
        ))
    }
}

/// Deletes the goldens without a scene, and the parts of records that are then unused.
fn prune(
    paths: &[PathBuf],
    root: Option<&Path>,
    found: &Discovery,
    dry_run: bool,
    console: &Console,
) -> Result<(), Failure> {
    let done = if dry_run { "would be removed" } else { "removed" };
    let stray = StrayFiles::find(paths, root, found).map_err(|error| failure(&error))?;
    for path in stray.paths() {
        if dry_run {
            console.info(&format!("{}: would be removed", path.shown()));
        } else {
            std::fs::remove_file(path)
                .map_err(|error| Failure::bad_input(format!("{}: {error}", path.shown())))?;
            console.info(&format!("removed {}", path.shown()));
        }
    }
    let of_parts = match stray.parts.len() {
        0 => String::new(),
        count => format!(" and {}", counted(count, "part") + " of records"),
    };
    console.info(&format!("{}{of_parts} {done}", counted(stray.goldens, "golden")));
    Ok(())
}

/// Moves the goldens of scenes that moved.
fn take_along(
    paths: &[PathBuf],
    root: Option<&Path>,
    found: &mut Discovery,
    dry_run: bool,
    console: &Console,
) -> Result<(), Failure> {
    let mut moved = 0;
    for one in find_moves(paths, root, found).map_err(|error| failure(&error))? {
        if !dry_run {
            one.apply().map_err(|error| load::unreadable(&one.folders[0], &error))?;
        }
        console.info(&one.to_string());
        for [from, to] in one.files.iter().filter(|_| dry_run) {
            console.info(&format!("  {} -> {}", from.shown(), to.shown()));
        }
        moved += one.files.len();
    }
    let done = if dry_run { "would be moved" } else { "moved" };
    console.info(&format!("{} {done}", counted(moved, "file")));
    Ok(())
}

/// Accepts the selected pictures, and reads them back; a dry run only prints what it would do.
fn accept(
    options: &Bless,
    scenes: &mut Vec<GoldenScene>,
    wanted: impl Fn(&GoldenScene, FrameNumber) -> bool + Sync,
    console: &mut Console,
) -> Result<(), Failure> {
    let causes = causes(options, scenes, &wanted)?;
    let mut done = Done::default();
    let mut warnings = SceneWarnings::default();
    for scene in &*scenes {
        let blessed = bless_scene(options, scene, &causes, &wanted)?;
        warnings.say(&scene.path, &blessed.warnings, console);
        done.add(blessed, console);
    }
    if !options.dry_run {
        done.read_back(scenes, &wanted, console)?;
    }
    if !options.cause.is_empty() && done.written + done.refreshed + done.refused.len() == 0 {
        return Err(no_cause(&options.cause));
    }
    // A scene and its views are one.
    scenes.dedup_by(|view, scene| view.path == scene.path);
    done.conclude(scenes.len(), options.dry_run, console)
}

fn bless_scene(
    options: &Bless,
    scene: &GoldenScene,
    causes: &[CauseId],
    wanted: &impl Fn(&GoldenScene, FrameNumber) -> bool,
) -> Result<Blessed, Failure> {
    let Bless { beside, allow_warnings, dry_run, overwrite_newer, .. } = *options;
    let refit = options.fit();
    let frames = scene.frames().into_iter().filter(|&frame| wanted(scene, frame));
    let is_wanted: BTreeSet<PathBuf> = frames.map(|frame| scene.file(frame)).collect();
    let options = BlessOptions { beside, allow_warnings, dry_run, overwrite_newer, refit };
    let chosen = |before: &Checked| has_cause(causes, before);
    let blessed = scene.bless(|golden| is_wanted.contains(golden), chosen, options);
    blessed.map_err(|error| failure(&error))
}

/// The pictures that were accepted, and those that were not.
#[derive(Default)]
struct Done {
    written: usize,
    /// Records beside pictures that stay.
    refreshed: usize,
    /// Goldens of a newer program with the same pictures.
    newer: usize,
    left: BTreeSet<PathBuf>,
    refused: Vec<Refused>,
}

impl Done {
    /// Adds the result of a scene, and reports it.
    fn add(&mut self, blessed: Blessed, console: &mut Console) {
        self.left.extend(blessed.left);
        self.newer += blessed.newer.len();
        for one in blessed.accepted {
            let path = one.path.shown();
            match one.before {
                Some(before) => {
                    self.written += 1;
                    match before.verdict {
                        Verdict::Missing => console.info(&format!("{path}: new")),
                        verdict => console.info(&format!("{path}: old -> new: {verdict}")),
                    }
                    if let Some(cause) = before.cause {
                        console.info(&format!("  {cause}"));
                    }
                }
                None => {
                    self.refreshed += 1;
                    console.info(&format!("{path}: record of stages updated, picture unchanged"));
                }
            }
        }
        for one in blessed.refused {
            let anyway = anyway(&one.refusal);
            console.error(&format!("{}: not accepted: {}{anyway}", one.path.shown(), one.refusal));
            self.refused.push(one);
        }
    }

    /// Compares the written files, as `test` does.
    fn read_back(
        &self,
        scenes: &[GoldenScene],
        wanted: &(impl Fn(&GoldenScene, FrameNumber) -> bool + Sync),
        console: &mut Console,
    ) -> Result<(), Failure> {
        for scene in scenes {
            let is_refused = |path: &Path| self.refused.iter().any(|one| one.path == path);
            let is_written = |frame: FrameNumber| {
                let path = scene.file(frame);
                wanted(scene, frame) && !is_refused(&path) && !self.left.contains(&path)
            };
            if !scene.frames().into_iter().any(is_written) {
                continue;
            }
            let checked = scene.check(is_written).map_err(|error| failure(&error))?;
            let (goldens, of_scene): (Vec<&Checked>, Vec<&Checked>) =
                checked.goldens.iter().partition(|one| one.is_of_frame());
            of_scene.into_iter().for_each(|one| console.info(&message(one)));
            if let Some(one) = goldens.into_iter().find(|one| !one.verdict.passes()) {
                let message = format!(
                    "{}: accepted, but the test still fails: {}",
                    one.path.shown(),
                    one.verdict
                );
                return Err(Failure::new(exit::INCOMPLETE, message));
            }
        }
        Ok(())
    }

    /// Reports the totals.
    fn conclude(&self, scenes: usize, dry_run: bool, console: &Console) -> Result<(), Failure> {
        let records = match self.refreshed {
            0 => String::new(),
            count => format!(", {} refreshed", counted(count, "record")),
        };
        if self.newer > 0 {
            console.info(&format!(
                "{} from a newer version with the same picture: records kept; update tintype",
                counted(self.newer, "golden")
            ));
        }
        console.info(&format!(
            "{} {}{records} in {}",
            counted(self.written, "golden"),
            if dry_run { "would be written" } else { "written" },
            counted(scenes, "scene")
        ));
        let code = self.refused.iter().map(|one| match one.refusal {
            Refusal::Empty(_) | Refusal::StandIn(_) | Refusal::Newer(_) => exit::INCOMPLETE,
            Refusal::File(_) => exit::BAD_INPUT,
        });
        match code.max() {
            None => Ok(()),
            Some(code) => {
                let message = format!("{} not accepted", counted(self.refused.len(), "picture"));
                Err(Failure::new(code, message))
            }
        }
    }
}
