//! What `test` found -> the report's data, and its files: a page with pictures, JSON, JUnit, annotations.
//!
//! A report's folder may hold files of others. Ours are listed in [`MANIFEST`]; those of an earlier report that the new one does not
//! have are removed, nothing else is.

use super::args::Test;
use super::console::Console;
use super::goldens::BadScene;
use super::test::Tested;
use super::{Failure, write_stdout};
use crate::compare::{
    Heat, Judgement, Map, Measured, difference_picture, flip, heat_picture, ssim,
};
use crate::frame::{Frame, PIXEL_REVISION};
use crate::golden::{Checked, GoldenScene, Verdict};
use crate::output::{PngEffort, encode_png, write_atomic};
use crate::report::{
    Cause, Change, Entry, Metric, Pictures, Report, SceneReport, Status, encode_annotations,
    encode_json, encode_junit, encode_page, encode_pixels, page, picture_names,
};
use rayon::prelude::*;
use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};

/// The list of our files in a report's folder.
const MANIFEST: &str = ".tintype-report";

/// The page.
const INDEX: &str = "index.html";

/// The scene of goldens that belong to none.
const STRAY: &str = "goldens without a scene";

/// Refuses a folder whose page is not ours, before anything is drawn.
pub(super) fn check_folder(options: &Test) -> Result<(), Failure> {
    let Some(folder) = &options.report else { return Ok(()) };
    let index = folder.join(INDEX);
    match std::fs::read(&index) {
        Ok(bytes) if !String::from_utf8_lossy(&bytes).contains(page::MARK) => {
            Err(Failure::bad_input(format!(
                "{} is not a page of tintype, and would be lost: name another folder",
                index.display()
            )))
        }
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(super::load::unreadable(&index, &error))
        }
        _ => Ok(()),
    }
}

/// Writes all reports that the options ask for, and the annotations where a run of GitHub Actions reads them.
pub(super) fn write(
    options: &Test,
    tested: &[Tested],
    bad: &[BadScene],
    stray: &[Checked],
    wanted: impl Fn(&GoldenScene, i64) -> bool,
    console: &Console,
) -> Result<(), Failure> {
    let annotate = std::env::var_os("GITHUB_ACTIONS").is_some_and(|value| value == "true");
    if options.report.is_none() && options.junit.is_none() && options.json.is_none() && !annotate {
        return Ok(());
    }
    let (report, sources) = collect(options, tested, bad, stray, wanted);
    if let Some(folder) = &options.report {
        write_folder(folder, &report, &sources)?;
        console.info(&format!("report: {}", folder.join(INDEX).display()));
    }
    for (file, text) in
        [(&options.junit, encode_junit as fn(&Report) -> String), (&options.json, encode_json)]
    {
        match file {
            Some(path) if path.as_os_str() == "-" => write_stdout(text(&report).as_bytes())?,
            Some(path) => write_file(path, text(&report).as_bytes())?,
            None => {}
        }
    }
    if annotate {
        // GitHub reads both streams. Standard output stays clean where a report goes there.
        console.plain(&encode_annotations(&report));
    }
    Ok(())
}

/// Where the pictures of one entry come from.
struct Source<'a> {
    pictures: Pictures,
    checked: &'a Checked,
    /// The FLIP of each pixel, where the pictures differ and have one size; and its scale, which is that of the scene.
    flip: Option<(Map, Heat)>,
}

/// The report's data, and the pictures that it names.
fn collect<'a>(
    options: &Test,
    tested: &'a [Tested],
    bad: &[BadScene],
    stray: &[Checked],
    wanted: impl Fn(&GoldenScene, i64) -> bool,
) -> (Report, Vec<Source<'a>>) {
    let mut sources = Vec::new();
    let mut scenes: Vec<SceneReport> = Vec::new();
    for Tested { scene, result, seconds } in tested {
        let name = match scene.view() {
            Some(view) => format!("{}.{}", scene_name(&scene.path), view.file_word()),
            None => scene_name(&scene.path),
        };
        let name = unique(name, &scene.path, &scenes);
        let mut own = scene_report(name, &scene.path, scene.fps());
        own.seconds = Some(*seconds);
        own.line = line_of(&scene.path, "[golden]");
        match result {
            Err(failure) => own.frames.push(Entry::new(None, Status::NotDrawn, &*failure.message)),
            Ok(checked) => {
                let looks: Vec<Option<Look>> =
                    checked.par_iter().map(|one| look(options, one)).collect();
                // One scale for a scene, so that its frames can be held against each other.
                let largest = looks.iter().flatten().map(|look| look.flip.largest());
                let heat = Heat::that_holds(largest.fold(0.0, |a, b| if b > a { b } else { a }));
                for (one, look) in checked.iter().zip(looks) {
                    let mut entry = entry(one);
                    entry.rule = scene.rule().to_string();
                    entry.metrics = metrics(one, look.as_ref());
                    entry.accept = (!one.verdict.passes())
                        .then(|| bless(options, &scene.path, &path_text(&one.path)));
                    if options.report.is_some() {
                        entry.pictures = pictures(&own.name, one);
                        let flip = look.map(|look| (look.flip, heat));
                        entry.heat_top = entry.pictures.heat.as_ref().map(|_| heat.top);
                        sources.push(Source {
                            pictures: entry.pictures.clone(),
                            checked: one,
                            flip,
                        });
                    }
                    own.frames.push(entry);
                }
                let left = scene.frames().into_iter().map(|(_, frame)| frame).filter(|&frame| {
                    wanted(scene, frame) && !checked.iter().any(|one| one.frame == Some(frame))
                });
                own.frames.extend(left.map(|frame| Entry {
                    golden: Some(path_text(&scene.file(frame))),
                    ..Entry::new(Some(frame), Status::Skipped, "the run ended before")
                }));
                own.frames.sort_by_key(|entry| entry.frame);
            }
        }
        if own.frames.iter().any(|entry| entry.accept.is_some()) {
            own.accept = Some(bless(options, &scene.path, &path_text(&scene.path)));
        }
        scenes.push(own);
    }
    for scene in bad {
        let name = unique(scene_name(&scene.path), &scene.path, &scenes);
        let mut own = scene_report(name, &scene.path, 24.0);
        own.line = line_in(&scene.failure.message, &scene.path);
        own.frames.push(Entry::new(None, Status::NotDrawn, &*scene.failure.message));
        scenes.push(own);
    }
    if !stray.is_empty() {
        let mut own = SceneReport { path: None, ..scene_report(STRAY.into(), Path::new(""), 24.0) };
        let prune = prune(options);
        own.frames
            .extend(stray.iter().map(|one| Entry { accept: Some(prune.clone()), ..entry(one) }));
        own.accept = Some(prune);
        scenes.push(own);
    }
    let report = Report {
        program_version: env!("CARGO_PKG_VERSION").to_owned(),
        pixel_revision: PIXEL_REVISION,
        folder: options.report.as_deref().map(path_text),
        scenes,
    };
    (report, sources)
}

fn scene_report(name: String, path: &Path, fps: f64) -> SceneReport {
    let path = Some(path_text(path));
    SceneReport { name, path, line: None, fps, accept: None, seconds: None, frames: Vec::new() }
}

/// What became of one golden, without its pictures.
fn entry(one: &Checked) -> Entry {
    let status = match &one.verdict {
        Verdict::Same => Status::Same,
        Verdict::Missing => Status::Missing,
        Verdict::Within(_) => Status::Within,
        Verdict::Unread(_) | Verdict::Unreadable(_) | Verdict::BadRecord(_) => Status::Unreadable,
        Verdict::OtherRevision { .. } => Status::OtherRevision,
        Verdict::Different(_) | Verdict::Beyond(_) => Status::Different,
        Verdict::Dangling => Status::Dangling,
    };
    let mut entry = Entry::new(one.frame, status, one.verdict.to_string());
    entry.golden = Some(path_text(&one.path));
    entry.change = one.verdict.difference().map(Change::from);
    entry.cause = one.cause.as_ref().map(|cause| Cause {
        stage: cause.stage.to_string(),
        text: cause.to_string(),
        evidence: cause.evidence.clone(),
    });
    entry.notes.clone_from(&one.notes);
    entry.size = one.live.as_ref().map(|live| [live.width, live.height]);
    entry
}

/// How far apart two pictures are to the eye.
struct Look {
    flip: Map,
    ssim: Map,
}

/// Looks at the pictures of a golden, where somebody will read what is seen, and there is something to see.
fn look(options: &Test, one: &Checked) -> Option<Look> {
    let is_read = options.report.is_some() || options.json.is_some();
    let (golden, live) = (one.golden.as_ref()?, one.live.as_ref()?);
    let differs = is_read && same_size(golden, live) && one.verdict.difference().is_some();
    differs.then(|| Look { flip: flip(golden, live), ssim: ssim(golden, live) })
}

/// What the scene's rule measured, and then what is only shown.
fn metrics(one: &Checked, look: Option<&Look>) -> Vec<Metric> {
    let judgement = match &one.verdict {
        Verdict::Within(judgement) | Verdict::Beyond(judgement) => Some(judgement),
        _ => None,
    };
    let mut metrics = Vec::new();
    if let Some(Judgement { rule, measured, .. }) = judgement
        && let Some(value) = judgement.and_then(Judgement::value)
    {
        let is_masked = measured.is_some_and(|measured| measured.model.is_some());
        let name = format!("{}{}", rule.metric(), if is_masked { " over the model" } else { "" });
        metrics.push(Metric { name, value, bound: rule.bound() });
    }
    let means = look.map(|look| {
        let (flip, ssim) =
            (Measured::of_flip(&look.flip, None), Measured::of_ssim(&look.ssim, None));
        [("flip", flip.all), ("ssim", ssim.all)]
    });
    for (name, value) in means.into_iter().flatten() {
        // A rule without a mask has said it.
        if metrics.iter().all(|metric| metric.name != name) {
            metrics.push(Metric { name: name.to_owned(), value, bound: None });
        }
    }
    metrics
}

/// The pictures that there will be of one golden.
fn pictures(scene: &str, one: &Checked) -> Pictures {
    let Some(frame) = one.frame else { return Pictures::default() };
    let all = picture_names(scene, frame);
    if matches!(one.verdict, Verdict::Same) {
        return Pictures { golden: all.golden, ..Pictures::default() };
    }
    let has_diff =
        matches!((&one.golden, &one.live), (Some(golden), Some(live)) if same_size(golden, live));
    let has_heat = has_diff && one.verdict.difference().is_some();
    Pictures {
        golden: all.golden.filter(|_| one.golden.is_some()),
        new: all.new.filter(|_| one.live.is_some()),
        diff: all.diff.filter(|_| has_diff),
        heat: all.heat.filter(|_| has_heat),
        pixels: all.pixels.filter(|_| one.golden.is_some() || one.live.is_some()),
    }
}

fn same_size(a: &Frame, b: &Frame) -> bool {
    [a.width, a.height] == [b.width, b.height]
}

/// Writes page and pictures; removes what an earlier report of ours has and this one has not.
fn write_folder(folder: &Path, report: &Report, sources: &[Source]) -> Result<(), Failure> {
    let old: BTreeSet<String> = std::fs::read_to_string(folder.join(MANIFEST))
        .unwrap_or_default()
        .lines()
        .filter(|name| is_ours(name))
        .map(str::to_owned)
        .collect();
    let new: BTreeSet<String> = sources
        .iter()
        .flat_map(|source| {
            let Pictures { golden, new, diff, heat, pixels } = source.pictures.clone();
            [golden, new, diff, heat, pixels]
        })
        .flatten()
        .collect();
    // First the names of all that may be ours, so that nothing of ours stays for good if this is cut short.
    let list =
        |names: &BTreeSet<String>| names.iter().map(|name| format!("{name}\n")).collect::<String>();
    let both: BTreeSet<String> = old.union(&new).cloned().collect();
    write_file(&folder.join(MANIFEST), list(&both).as_bytes())?;
    sources.par_iter().try_for_each(|source| write_pictures(folder, source))?;
    write_file(&folder.join(INDEX), encode_page(report).as_bytes())?;
    for name in old.difference(&new) {
        remove(folder, name)?;
    }
    write_file(&folder.join(MANIFEST), list(&new).as_bytes())
}

/// Whether a line of the list names a file that this module could have written.
fn is_ours(name: &str) -> bool {
    let path = Path::new(name);
    path.starts_with("pictures")
        && path.components().all(|part| matches!(part, Component::Normal(_)))
}

/// Removes a file and the folders that it leaves empty.
fn remove(folder: &Path, name: &str) -> Result<(), Failure> {
    let path = folder.join(name);
    match std::fs::remove_file(&path) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            return Err(Failure::bad_input(format!("cannot remove {}: {error}", path.display())));
        }
        _ => {}
    }
    let mut parents =
        Path::new(name).ancestors().skip(1).filter(|parent| !parent.as_os_str().is_empty());
    // A folder that holds anything else stays.
    let _ = parents.try_for_each(|parent| std::fs::remove_dir(folder.join(parent)));
    Ok(())
}

fn write_pictures(folder: &Path, source: &Source) -> Result<(), Failure> {
    let Source { pictures, checked, flip } = source;
    let write = |name: &Option<String>, bytes: Option<&[u8]>| match (name, bytes) {
        (Some(name), Some(bytes)) => write_file(&folder.join(name), bytes),
        _ => Ok(()),
    };
    let encode = |frame: &Frame| encode_png(frame, true, PngEffort::Fast, &[]);
    let golden = match &checked.golden {
        Some(frame) => Some(encode(frame)),
        // A golden that is the same is shown as its file is.
        None if pictures.golden.is_some() => Some(
            std::fs::read(&checked.path)
                .map_err(|error| super::load::unreadable(&checked.path, &error))?,
        ),
        None => None,
    };
    let new = checked.live.as_ref().map(encode);
    write(&pictures.golden, golden.as_deref())?;
    write(&pictures.new, new.as_deref())?;
    if let (Some(golden), Some(live), Some(_)) = (&checked.golden, &checked.live, &pictures.diff) {
        write(&pictures.diff, Some(&encode(&difference_picture(golden, live))))?;
        if let Some((flip, heat)) = flip {
            write(&pictures.heat, Some(&encode(&heat_picture(golden, live, flip, *heat))))?;
        }
    }
    match &pictures.pixels {
        Some(name) => {
            let script = encode_pixels(name, golden.as_deref(), new.as_deref());
            write_file(&folder.join(name), script.as_bytes())
        }
        None => Ok(()),
    }
}

fn write_file(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    write_atomic(path, bytes).map_err(|error| Failure::output(&error))
}

/// The scene's path below a folder named `scenes`, else its own name, without the extension.
fn scene_name(path: &Path) -> String {
    let stem = path.with_extension("");
    let parts: Vec<_> = stem.components().collect();
    let below = parts
        .iter()
        .rposition(|part| part.as_os_str() == "scenes")
        .map_or(parts.len() - 1, |at| at + 1);
    path_text(&parts.iter().skip(below).collect::<PathBuf>())
}

/// The short name, or the whole path where another scene has that name.
fn unique(name: String, path: &Path, taken: &[SceneReport]) -> String {
    if name.is_empty() || taken.iter().any(|scene| scene.name == name) {
        return path_text(&path.with_extension(""));
    }
    name
}

/// A path with `/` between its parts.
fn path_text(path: &Path) -> String {
    let text = path.display().to_string();
    if std::path::MAIN_SEPARATOR == '/' {
        text
    } else {
        text.replace(std::path::MAIN_SEPARATOR, "/")
    }
}

/// The command that accepts what `pattern` names, for a shell that stands where this command does.
fn bless(options: &Test, scene: &Path, pattern: &str) -> String {
    let below = scene.starts_with("scenes");
    let folder = scene.parent().filter(|_| !below);
    command(options, folder, &shell(pattern))
}

fn prune(options: &Test) -> String {
    let folder = options.paths.iter().find(|path| path.is_dir());
    command(
        options,
        folder.map(PathBuf::as_path).filter(|path| *path != Path::new("scenes")),
        "--prune",
    )
}

fn command(options: &Test, scenes: Option<&Path>, what: &str) -> String {
    let mut command = format!("tintype bless {what}");
    let folder = |path: &Path| {
        if path.as_os_str().is_empty() { ".".to_owned() } else { shell(&path_text(path)) }
    };
    if let Some(scenes) = scenes {
        command += &format!(" --scenes {}", folder(scenes));
    }
    if let Some(golden) = &options.golden {
        command += &format!(" --golden {}", folder(golden));
    }
    command
}

/// A word as a shell takes it.
fn shell(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "/._-+:@%,=".contains(c);
    if !word.is_empty() && !word.starts_with('-') && word.chars().all(plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', "'\\''"))
}

/// The first line of a file that begins with some text, from 1.
fn line_of(path: &Path, start: &str) -> Option<u32> {
    let text = std::fs::read_to_string(path).ok()?;
    (1..)
        .zip(text.lines())
        .find(|(_, line)| line.trim_start().starts_with(start))
        .map(|(number, _)| number)
}

/// The line that a message about a file names first, as `path:line:column`.
fn line_in(message: &str, path: &Path) -> Option<u32> {
    let start = format!("{}:", path.display());
    message.split(&start).skip(1).find_map(|rest| {
        rest.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok().filter(|line| *line > 0)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shell_words_are_quoted_where_a_shell_would_split_them() {
        for (word, quoted) in [
            ("golden/walk/0012.png", "golden/walk/0012.png"),
            ("my scenes/a.toml", "'my scenes/a.toml'"),
            ("it's", "'it'\\''s'"),
            ("$(x)", "'$(x)'"),
            ("--all", "'--all'"),
            ("", "''"),
        ] {
            assert_eq!(shell(word), quoted);
        }
    }

    #[test]
    fn scenes_have_short_names() {
        for (path, name) in [
            ("scenes/raster/edge.toml", "raster/edge"),
            ("/a/scenes/b/scenes/walk.toml", "walk"),
            ("mine.toml", "mine"),
            ("../x/mine.toml", "mine"),
        ] {
            assert_eq!(scene_name(Path::new(path)), name);
        }
    }

    #[test]
    fn list_of_files_leads_nowhere_else() {
        assert!(is_ours("pictures/walk/0001.new.png"));
        for name in
            ["pictures/../../x", "/pictures/x", "../pictures/x", "index.html", "notes.txt", ""]
        {
            assert!(!is_ours(name), "{name}");
        }
    }

    #[test]
    fn messages_tell_their_line() {
        let path = Path::new("scenes/a.toml");
        assert_eq!(line_in("mistakes in scenes/a.toml\n --> scenes/a.toml:6:1\n", path), Some(6));
        assert_eq!(line_in("scenes/a.toml: no [golden] table", path), None);
    }
}
