//! The answer of the program to an edit, and whether it is right.

use super::files::{Edit, Wanted};
use tintype_compare::character::ModelPair;
use tintype_golden::CheckedScene;
use tintype_golden::record::Stage;

/// The answer of the program.
#[derive(Debug, Default)]
pub(super) struct Answer {
    /// True if a golden failed, or the scene could not be drawn.
    pub is_failure: bool,
    pub stage: Option<Stage>,
    /// The first line of the first golden that failed.
    pub first: String,
    /// Further sentences: evidence, and notes about goldens that pass.
    pub more: Vec<String>,
}

impl Answer {
    pub(super) fn refused(text: String) -> Self {
        Self { is_failure: true, stage: None, first: text, more: Vec::new() }
    }

    pub(super) fn of(checked: &CheckedScene) -> Self {
        let notes = checked.goldens.iter().flat_map(|one| one.notes.iter().cloned());
        let mut answer = Self { more: notes.collect(), ..Self::default() };
        if let Some(one) = checked.goldens.iter().find(|one| !one.verdict.passes()) {
            answer.is_failure = true;
            match &one.cause {
                Some(cause) => {
                    answer.stage = Some(cause.stage);
                    answer.first = cause.to_string();
                    answer.more.extend(cause.evidence());
                }
                None => answer.first = one.verdict.to_string(),
            }
        }
        answer
    }

    /// The answer of a comparison of two files: the first difference, then all others and the
    /// notes.
    pub(super) fn of_files(pair: &ModelPair) -> Self {
        let mut lines: Vec<String> = pair.error.iter().cloned().collect();
        for part in &pair.parts {
            let clip = part.clip.as_ref().map_or(String::new(), |clip| format!("clip {clip}: "));
            lines.extend(part.findings.iter().map(|finding| format!("{clip}{finding}")));
        }
        let is_failure = !pair.state.passes();
        let first = if is_failure && !lines.is_empty() { lines.remove(0) } else { String::new() };
        lines.extend(pair.notes.iter().map(|note| note.sentence()));
        Self { is_failure, stage: None, first, more: lines }
    }

    pub(super) fn is_detected(&self, edit: &Edit) -> bool {
        match edit.wanted {
            Wanted::Failure => self.is_failure,
            Wanted::Word => self.is_failure || !self.more.is_empty(),
            Wanted::Pass => !self.is_failure,
        }
    }

    /// True if the first line names stage, subject and amount; for edits that move nothing, if any
    /// line does.
    pub(super) fn names_first(&self, edit: &Edit) -> bool {
        match edit.wanted {
            Wanted::Pass => !self.is_failure,
            Wanted::Word if !self.is_failure => self.more.iter().any(|line| has_all(line, edit)),
            _ => {
                let is_stage = edit.stages.is_empty()
                    || self.stage.is_none_or(|stage| edit.stages.contains(&stage));
                is_stage && has_all(&self.first, edit)
            }
        }
    }

    /// True if any sentence reports the edit.
    pub(super) fn names_anywhere(&self, edit: &Edit) -> bool {
        core::iter::once(&self.first).chain(&self.more).any(|line| has_all(line, edit))
    }
}

fn has_all(line: &str, edit: &Edit) -> bool {
    let has_words = edit.words.iter().all(|any| any.iter().any(|word| has_word(line, word)));
    let numbers = numbers(line);
    // `0.4, was 0.6` states an amount too.
    let between = numbers.windows(2).map(|pair| pair[1] - pair[0]);
    let stated: Vec<f64> = numbers.iter().copied().chain(between).collect();
    let is_near = |amount: &f64| {
        stated.iter().any(|number| (number.abs() - amount.abs()).abs() <= 0.05 * amount.abs())
    };
    has_words && (edit.amounts.is_empty() || edit.amounts.iter().any(is_near))
}

/// True if a line contains the word, not only as part of a longer one.
fn has_word(line: &str, word: &str) -> bool {
    let is_inside = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
    let starts = word.starts_with(|c: char| c.is_alphanumeric());
    let ends = word.ends_with(|c: char| c.is_alphanumeric());
    line.match_indices(word).any(|(at, found)| {
        let before = line[..at].chars().next_back();
        let after = line[at + found.len()..].chars().next();
        !(starts && is_inside(before) || ends && is_inside(after))
    })
}

/// The numbers of a line, without those within words.
fn numbers(line: &str) -> Vec<f64> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || "._-+".contains(c);
    let words = line.split(|c| !is_part(c)).map(|word| word.trim_end_matches('.'));
    words.filter_map(|word| word.parse().ok()).collect()
}
