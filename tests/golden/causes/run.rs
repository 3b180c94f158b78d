//! Draws edits, makes each in a copy of its scene, and counts.

use super::files::{Change, Edit, Files, Wanted};
use super::ground::{Format, Ground, grounds};
use super::judge::Answer;
use super::{gltf_edits, md5_edits, scene_edits, x_edits};
use crate::random::Random;
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::Path;
use tempfile::TempDir;
use tintype_golden::{BlessOptions, GoldenScene};
use tintype_model::diagnostic::chain;

/// So many of so many.
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
    edits: Vec<Edit>,
    answer: Answer,
}

pub(super) struct Campaign {
    singles: Vec<Outcome>,
    compounds: Vec<Outcome>,
}

/// Draws a case of so many edits of different kinds; edits in turn take the kinds in turn.
fn draw(grounds: &[Ground], random: &mut Random, turn: usize, count: usize) -> Case {
    loop {
        let ground = random.below(grounds.len());
        let of_model: &[Change] = match grounds[ground].format {
            Format::Md5 => md5_edits::CHANGES,
            Format::X => x_edits::CHANGES,
            Format::Gltf => gltf_edits::CHANGES,
        };
        let all: Vec<Change> = of_model.iter().chain(scene_edits::CHANGES).copied().collect();
        let mut files = grounds[ground].files.clone();
        let mut edits: Vec<Edit> = Vec::new();
        for tries in 0..20 {
            // A single edit takes its kind by its turn, so that all kinds are drawn alike.
            let change = match count {
                1 => all[(turn + tries) % all.len()],
                _ => all[random.below(all.len())],
            };
            let mut changed = files.clone();
            let Some(edit) = change(&mut changed, random) else { continue };
            let is_other = edits.iter().all(|known| known.kind != edit.kind);
            if !is_other || (count > 1 && edit.wanted != Wanted::Failure) {
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

/// A folder with the scene and its goldens.
struct Blessed(TempDir);

impl Blessed {
    fn new(ground: &Ground) -> Self {
        let folder = TempDir::new().unwrap();
        write(folder.path(), &ground.files);
        let scene = GoldenScene::read(&folder.path().join("scene.toml"), None).unwrap();
        let options = BlessOptions { allow_warnings: true, ..BlessOptions::default() };
        scene
            .bless(|_| true, |_| true, options)
            .unwrap_or_else(|error| panic!("{}: {error}", ground.name));
        Self(folder)
    }

    fn answer(&self, ground: &Ground, case: &Case) -> Answer {
        let folder = TempDir::new().unwrap();
        write(folder.path(), &ground.files);
        write(folder.path(), &case.files);
        let golden = folder.path().join("golden/scene");
        fs::create_dir_all(&golden).unwrap();
        for entry in fs::read_dir(self.0.path().join("golden/scene")).unwrap() {
            let entry = entry.unwrap();
            fs::copy(entry.path(), golden.join(entry.file_name())).unwrap();
        }
        let checked = GoldenScene::read(&folder.path().join("scene.toml"), None)
            .and_then(|scene| scene.check(|_| true));
        match checked {
            Ok(checked) => Answer::of(&checked),
            Err(error) => Answer::refused(chain(&error)),
        }
    }
}

impl Campaign {
    pub(super) fn run(singles: usize, compounds: usize, seed: u64) -> Self {
        let grounds = grounds();
        let blessed: Vec<Blessed> = grounds.par_iter().map(Blessed::new).collect();
        let mut random = Random(seed);
        let run = |cases: Vec<Case>| -> Vec<Outcome> {
            let outcome = |case: Case| {
                let ground = &grounds[case.ground];
                let answer = blessed[case.ground].answer(ground, &case);
                Outcome { ground: ground.name, edits: case.edits, answer }
            };
            cases.into_par_iter().map(outcome).collect()
        };
        let mut some = |count: usize, size: &dyn Fn(usize) -> usize| -> Vec<Outcome> {
            // In portions, so that few files are in memory.
            let mut found = Vec::new();
            let mut first = 0;
            while first < count {
                let last = count.min(first + 64);
                let cases =
                    (first..last).map(|n| draw(&grounds, &mut random, n, size(n))).collect();
                found.extend(run(cases));
                first = last;
            }
            found
        };
        let singles = some(singles, &|_| 1);
        let compounds = some(compounds, &|n| 2 + n % 3);
        Self { singles, compounds }
    }

    pub(super) fn detected(&self) -> Score {
        let mut score = Score::default();
        let all = self.singles.iter().filter(|one| one.edits[0].wanted != Wanted::Pass);
        all.for_each(|one| score.add(one.answer.is_detected(&one.edits[0])));
        self.compounds.iter().for_each(|one| score.add(one.answer.is_failure));
        score
    }

    pub(super) fn spelled(&self) -> Score {
        let mut score = Score::default();
        let all = self.singles.iter().filter(|one| one.edits[0].wanted == Wanted::Pass);
        all.for_each(|one| score.add(one.answer.is_detected(&one.edits[0])));
        score
    }

    pub(super) fn named(&self) -> Score {
        let mut score = Score::default();
        let all = self.singles.iter().filter(|one| one.edits[0].wanted != Wanted::Pass);
        all.for_each(|one| score.add(one.answer.names_first(&one.edits[0])));
        score
    }

    pub(super) fn named_by_kind(&self) -> BTreeMap<&'static str, Score> {
        let mut rows: BTreeMap<&'static str, Score> = BTreeMap::new();
        for one in &self.singles {
            let edit = &one.edits[0];
            rows.entry(edit.kind).or_default().add(one.answer.names_first(edit));
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

    pub(super) fn table(&self) -> String {
        let mut text =
            String::from("| edit | drawn | detected | first line right |\n|---|---|---|---|\n");
        for (kind, named) in self.named_by_kind() {
            let of_kind = self.singles.iter().filter(|one| one.edits[0].kind == kind);
            let detected = of_kind.filter(|one| one.answer.is_detected(&one.edits[0])).count();
            writeln!(text, "| {kind} | {} | {detected} | {} |", named.of, named.right).unwrap();
        }
        let rows = [
            ("detected", self.detected()),
            ("spelling that passes", self.spelled()),
            ("first line right", self.named()),
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
        let singles = self.singles.iter().filter(|one| {
            let edit = &one.edits[0];
            !one.answer.is_detected(edit) || !one.answer.names_first(edit)
        });
        let is_named =
            |one: &&Outcome| !one.edits.iter().all(|edit| one.answer.names_anywhere(edit));
        for one in singles.chain(self.compounds.iter().filter(is_named)) {
            let Outcome { ground, edits, answer } = one;
            for edit in edits {
                let mark = if answer.names_anywhere(edit) { "named" } else { "NOT NAMED" };
                writeln!(
                    text,
                    "{ground}, {}: {} {:?} ({mark})",
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
