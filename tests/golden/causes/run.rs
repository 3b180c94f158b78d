//! Draws edits, makes each in a copy of its scene, and counts.

use super::files::{Change, Edit, Files, Wanted};
use super::gltf_document::{BUFFER, DOCUMENT};
use super::ground::{Format, Ground};
use super::judge::Answer;
use super::{
    gltf_edits, gltf_exports, gltf_motion_edits, gltf_surface_edits, md5_edits, scene_edits,
    x_edits,
};
use crate::random::Random;
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::Path;
use tempfile::TempDir;
use tintype_base::diagnostic::chain;
use tintype_compare::character::ExportOptions;
use tintype_golden::exports::compare_exports;
use tintype_golden::record::Stage;
use tintype_golden::{BlessOptions, GoldenScene};

/// Kind of the files that another program saved.
const EXPORT: &str = "re-export";

/// Right cases and all cases.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Score {
    pub right: usize,
    pub of: usize,
}

impl Score {
    fn add(&mut self, is_right: bool) {
        self.right += usize::from(is_right);
        self.of += 1;
    }
}

/// One edit or several at once.
struct Case {
    ground: usize,
    edits: Vec<Edit>,
    files: Files,
}

struct Outcome {
    ground: &'static str,
    format: Format,
    edits: Vec<Edit>,
    way: Way,
    answer: Answer,
}

/// A way of checking an edit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    /// Goldens of a scene, with pictures and poses.
    Scene,
    /// Records alone: a scene without pictures.
    Records,
    /// Compares the model with the previous one.
    Files,
}

impl Outcome {
    /// The edit as expected from this check: a scene shows no camera of the file.
    fn single(&self) -> Edit {
        let own = self.edits[0].clone();
        let moves = |stage: &Stage| matches!(stage, Stage::Pose | Stage::Skin);
        match self.way {
            Way::Scene | Way::Records if own.is_of_file => own.wanted(Wanted::Pass),
            // Materials do not count in a scene without pictures: an edit of materials alone is
            // reported and does not fail.
            Way::Records if own.wanted == Wanted::Failure && !own.stages.iter().all(moves) => {
                own.wanted(Wanted::Word)
            }
            _ => own,
        }
    }

    fn is_detected(&self) -> bool {
        self.answer.is_detected(&self.single())
    }

    fn is_right(&self) -> bool {
        self.answer.names_first(&self.single())
    }

    /// Column of the table.
    fn column(&self) -> usize {
        match (self.format, self.way) {
            (Format::Md5, _) => 0,
            (Format::X, _) => 1,
            (Format::Gltf, Way::Scene) => 2,
            (Format::Gltf, Way::Records) => 3,
            (Format::Gltf, Way::Files) => 4,
        }
    }
}

pub(super) struct Campaign {
    singles: Vec<Outcome>,
    compounds: Vec<Outcome>,
}

/// Draws a case of this number of edits of different kinds; edits in turn take the kinds in turn.
/// On request only of the models of one format.
fn draw(
    grounds: &[Ground],
    random: &mut Random,
    (turn, count): (usize, usize),
    of_models: Option<Format>,
) -> Case {
    loop {
        let ground = random.below(grounds.len());
        let format = grounds[ground].format;
        if of_models.is_some_and(|wanted| wanted != format) {
            continue;
        }
        let lists: &[&[Change]] = match format {
            Format::Md5 => &[md5_edits::CHANGES, scene_edits::CHANGES],
            Format::X => &[x_edits::CHANGES, scene_edits::CHANGES],
            Format::Gltf => &[
                gltf_edits::CHANGES,
                gltf_surface_edits::CHANGES,
                gltf_motion_edits::CHANGES,
                gltf_exports::CHANGES,
                scene_edits::CHANGES,
            ],
        };
        let of_scene = usize::from(of_models.is_some());
        let all = lists[..lists.len() - of_scene].concat();
        let mut files = grounds[ground].files.clone();
        let mut edits: Vec<Edit> = Vec::new();
        for tries in 0..20 {
            // Single edits cycle through the kinds, so that all are drawn equally often.
            let change = match count {
                1 => all[(turn + tries) % all.len()],
                _ => all[random.below(all.len())],
            };
            let mut changed = files.clone();
            let Some(edit) = change(&mut changed, random) else { continue };
            let is_other = edits.iter().all(|known| known.kind != edit.kind);
            let is_plain = edit.wanted == Wanted::Failure && !edit.is_of_file;
            if !is_other || (count > 1 && !is_plain) {
                continue;
            }
            edits.push(edit);
            files = changed;
            if edits.len() == count {
                return Case { ground, edits, files };
            }
        }
    }
}

fn write(folder: &Path, files: &Files) {
    for (name, bytes) in files {
        fs::write(folder.join(name), bytes).unwrap();
    }
}

/// Folders with the scene and its goldens, and with the same scene without pictures.
struct Blessed([TempDir; 2]);

/// The scene of a case, without pictures for the second check.
fn scene_of(files: &Files, way: Way) -> Files {
    let mut files = files.clone();
    if way == Way::Records {
        let text = String::from_utf8(files["scene.toml"].clone()).unwrap();
        let text = text.replace("\npose = true", "\npictures = false");
        files.insert("scene.toml".to_owned(), text.into_bytes());
    }
    files
}

impl Blessed {
    fn new(ground: &Ground) -> Self {
        Self([Way::Scene, Way::Records].map(|way| {
            let folder = TempDir::new().unwrap();
            write(folder.path(), &scene_of(&ground.files, way));
            let scene = GoldenScene::read(&folder.path().join("scene.toml"), None).unwrap();
            let options = BlessOptions { allow_warnings: true, ..BlessOptions::default() };
            scene
                .bless(|_| true, |_| true, options)
                .unwrap_or_else(|error| panic!("{}: {error}", ground.name));
            folder
        }))
    }

    fn answer(&self, ground: &Ground, case: &Case, way: Way) -> Answer {
        if way == Way::Files {
            return of_files(ground, case);
        }
        let folder = TempDir::new().unwrap();
        write(folder.path(), &ground.files);
        write(folder.path(), &scene_of(&case.files, way));
        for own in ["golden/scene", "golden/content"] {
            let golden = folder.path().join(own);
            fs::create_dir_all(&golden).unwrap();
            let own = self.0[usize::from(way == Way::Records)].path().join(own);
            for entry in fs::read_dir(own).unwrap() {
                let entry = entry.unwrap();
                fs::copy(entry.path(), golden.join(entry.file_name())).unwrap();
            }
        }
        let checked = GoldenScene::read(&folder.path().join("scene.toml"), None)
            .and_then(|scene| scene.check(|_| true));
        match checked {
            Ok(checked) => Answer::of(&checked),
            Err(error) => Answer::refused(chain(&error)),
        }
    }
}

/// The answer of a comparison of two glTF files.
fn of_files(ground: &Ground, case: &Case) -> Answer {
    let folder = TempDir::new().unwrap();
    let sides = [("old", &ground.files), ("new", &case.files)].map(|(name, files)| {
        let side = folder.path().join(name);
        fs::create_dir_all(&side).unwrap();
        write(&side, files);
        side.join(DOCUMENT)
    });
    let options = ExportOptions { most_joints: 9, ..ExportOptions::default() };
    match compare_exports(&sides[0], &sides[1], &options) {
        Ok(diff) => Answer::of_files(&diff.models[0]),
        Err(error) => Answer::refused(chain(&error)),
    }
}

/// The checks of a single edit; a glTF file is checked for everything that it may change.
fn ways(ground: &Ground, case: &Case) -> Vec<Way> {
    let mut all = vec![Way::Scene];
    let is_of_model =
        [DOCUMENT, BUFFER].iter().any(|&name| ground.files.get(name) != case.files.get(name));
    if ground.format == Format::Gltf && case.edits.len() == 1 && is_of_model {
        let edit = &case.edits[0];
        let moves = |stage: &Stage| matches!(stage, Stage::Pose | Stage::Skin);
        // Materials do not count in a scene without pictures.
        if edit.stages.is_empty() || edit.stages.iter().any(moves) {
            all.push(Way::Records);
        }
        all.push(Way::Files);
    }
    all
}

impl Campaign {
    pub(super) fn run(grounds: &[Ground], singles: usize, compounds: usize, seed: u64) -> Self {
        let blessed: Vec<Blessed> = grounds.par_iter().map(Blessed::new).collect();
        let mut random = Random(seed);
        let run = |cases: Vec<Case>| -> Vec<Outcome> {
            let outcome = |case: &Case| -> Vec<Outcome> {
                let ground = &grounds[case.ground];
                let of_way = |way: Way| Outcome {
                    ground: ground.name,
                    format: ground.format,
                    edits: case.edits.clone(),
                    way,
                    answer: blessed[case.ground].answer(ground, case, way),
                };
                ways(ground, case).into_iter().map(of_way).collect()
            };
            cases.par_iter().flat_map_iter(outcome).collect()
        };
        let mut some = |count: usize,
                        size: &dyn Fn(usize) -> usize,
                        of_models: Option<Format>|
         -> Vec<Outcome> {
            // In portions, so that few files are in memory.
            let mut found = Vec::new();
            let mut first = 0;
            while first < count {
                let last = count.min(first + 64);
                let cases = (first..last)
                    .map(|n| draw(grounds, &mut random, (n, size(n)), of_models))
                    .collect();
                found.extend(run(cases));
                first = last;
            }
            found
        };
        let mut all = some(singles, &|_| 1, None);
        all.extend(some(singles / 2, &|_| 1, Some(Format::Gltf)));
        let compounds = some(compounds, &|n| 2 + n % 3, None);
        Self { singles: all, compounds }
    }

    fn score(&self, wanted: impl Fn(&Edit) -> bool, is_right: impl Fn(&Outcome) -> bool) -> Score {
        let mut score = Score::default();
        let all = self.singles.iter().filter(|one| wanted(&one.single()));
        all.for_each(|one| score.add(is_right(one)));
        score
    }

    pub(super) fn detected(&self) -> Score {
        let mut score = self.score(|edit| edit.wanted != Wanted::Pass, Outcome::is_detected);
        self.compounds.iter().for_each(|one| score.add(one.answer.is_failure));
        score
    }

    pub(super) fn spelled(&self) -> Score {
        let is_own = |edit: &Edit| edit.wanted == Wanted::Pass && edit.kind != EXPORT;
        self.score(is_own, Outcome::is_detected)
    }

    pub(super) fn named(&self) -> Score {
        let is_own = |edit: &Edit| edit.wanted != Wanted::Pass && edit.kind != EXPORT;
        self.score(is_own, Outcome::is_right)
    }

    /// Files saved by other programs, which pass or are reported correctly.
    pub(super) fn exports(&self) -> Score {
        self.score(|edit| edit.kind == EXPORT, Outcome::is_right)
    }

    pub(super) fn named_by_kind(&self) -> BTreeMap<&'static str, Score> {
        let mut rows: BTreeMap<&'static str, Score> = BTreeMap::new();
        for one in &self.singles {
            rows.entry(one.edits[0].kind).or_default().add(one.is_right());
        }
        rows
    }

    /// Edits of compounds that some sentence names.
    pub(super) fn compounds(&self) -> Score {
        let mut score = Score::default();
        for one in &self.compounds {
            one.edits.iter().for_each(|edit| score.add(one.answer.names_anywhere(edit)));
        }
        score
    }

    /// A row per kind, a column per format and check: the number drawn, and how many of these were
    /// detected and named, if not all.
    pub(super) fn table(&self) -> String {
        let mut text = String::from(
            "| edit | MD5 | `.x` | glTF | records alone | two files |\n|---|---|---|---|---|---|\n",
        );
        for kind in self.named_by_kind().into_keys() {
            write!(text, "| {kind} |").unwrap();
            for column in 0..5 {
                let of_cell = self
                    .singles
                    .iter()
                    .filter(|one| one.edits[0].kind == kind && one.column() == column);
                let all: Vec<&Outcome> = of_cell.collect();
                let detected = all.iter().filter(|one| one.is_detected()).count();
                let right = all.iter().filter(|one| one.is_right()).count();
                match all.len() {
                    0 => text += " |",
                    drawn if drawn == detected && drawn == right => {
                        write!(text, " {drawn} |").unwrap()
                    }
                    drawn => write!(text, " {drawn}, {detected}, {right} |").unwrap(),
                }
            }
            text += "\n";
        }
        let rows = [
            ("detected", self.detected()),
            ("spelling that passes", self.spelled()),
            ("first line right", self.named()),
            ("re-exports that pass or are told as such", self.exports()),
            ("edits of compounds named", self.compounds()),
        ];
        for (what, Score { right, of }) in rows {
            writeln!(text, "{what}: {right} of {of}").unwrap();
        }
        text
    }

    /// The wrong answers, each with its edits.
    pub(super) fn wrong(&self) -> String {
        let mut text = String::new();
        let singles = self.singles.iter().filter(|one| !one.is_detected() || !one.is_right());
        let is_named =
            |one: &&Outcome| !one.edits.iter().all(|edit| one.answer.names_anywhere(edit));
        for one in singles.chain(self.compounds.iter().filter(is_named)) {
            let Outcome { ground, edits, answer, way, .. } = one;
            for edit in edits {
                let mark = if answer.names_anywhere(edit) { "named" } else { "NOT NAMED" };
                writeln!(
                    text,
                    "{ground}, {way:?}, {}: {} {:?} ({mark})",
                    edit.kind, edit.what, edit.amounts
                )
                .unwrap();
            }
            let stage = answer.stage.map_or("-".to_owned(), |stage| stage.to_string());
            writeln!(text, "    {stage} | {}\n    {:?}", answer.first, answer.more).unwrap();
        }
        text
    }
}
