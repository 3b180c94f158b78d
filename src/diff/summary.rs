//! The result of a comparison as a verdict, numbers and sentences.

use super::kind::DiffKind;
use tintype_base::amount::counted;
use tintype_compare::character::{ModelPair, PairState};
use tintype_compare::model_diff::ModelDiff;
use tintype_golden::picture_diff::{Compared, ComparedFile, FileState, State};
use tintype_model::{Rule, math};

/// Verdict of a comparison, from the best to the worst.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum DiffVerdict {
    /// The same content.
    Same,
    /// Different within the tolerance or the bound.
    Within,
    /// Different, or missing on one side.
    Different,
    /// A file cannot be read.
    Unreadable,
    /// A file cannot be read now; the same call may succeed later.
    Temporary,
}

impl DiffVerdict {
    /// True if nothing differs beyond the tolerance or the bound.
    #[must_use]
    pub fn passes(self) -> bool {
        self <= Self::Within
    }

    fn unreadable(is_temporary: bool) -> Self {
        if is_temporary { Self::Temporary } else { Self::Unreadable }
    }
}

/// The result of all pictures, all models or all other files of a comparison.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct DiffSummary {
    /// The worst verdict of any of them.
    pub verdict: DiffVerdict,
    /// Number in each state, in words, without zeros.
    pub counts: Vec<(usize, &'static str)>,
    /// The result in words; the reason if a single file cannot be read.
    pub text: String,
}

impl DiffSummary {
    /// Counts states, in the order of their words.
    fn new<T, S: PartialEq>(
        all: &[T],
        state: impl Fn(&T) -> S,
        words: &[(S, &'static str)],
        verdict: impl Fn(&T) -> DiffVerdict,
    ) -> Self {
        let count = |wanted: &S| all.iter().filter(|one| state(one) == *wanted).count();
        let counts = words.iter().map(|(state, words)| (count(state), *words));
        let counts: Vec<_> = counts.filter(|(count, _)| *count > 0).collect();
        let parts: Vec<String> =
            counts.iter().map(|(count, words)| format!("{count} {words}")).collect();
        let verdict = all.iter().map(verdict).max().unwrap_or(DiffVerdict::Same);
        Self { verdict, counts, text: parts.join(", ") }
    }

    pub(super) fn of_pictures(all: &[Compared], rule: Rule, kind: DiffKind) -> Self {
        let words = [
            (State::Same, "the same"),
            (State::Within, "different within the bound"),
            (State::Different, "different"),
            (State::Size, "of different sizes"),
            (State::OnlyA, "only in A"),
            (State::OnlyB, "only in B"),
            (State::Unreadable, "unreadable"),
        ];
        let mut own = Self::new(
            all,
            |one| one.state,
            &words,
            |one| match one.state {
                State::Same => DiffVerdict::Same,
                State::Within => DiffVerdict::Within,
                State::Unreadable => DiffVerdict::unreadable(one.is_temporary),
                _ => DiffVerdict::Different,
            },
        );
        own.text = match all {
            [one] if kind == DiffKind::Pictures => match one.state {
                State::Same if rule != Rule::Exact => format!("the same ({rule})"),
                State::Same => "the same".to_owned(),
                State::Within => "different, but within the bound".to_owned(),
                State::Unreadable => one.message.clone(),
                _ => "different".to_owned(),
            },
            _ => {
                let flip = |one: &Compared| one.flip.map(|flip| flip.judged());
                let farthest = all.iter().filter_map(|one| Some((flip(one)?, &one.name)));
                let farthest = farthest.max_by(|a, b| a.0.total_cmp(&b.0));
                let farthest =
                    farthest.map(|(flip, name)| format!("; largest FLIP {flip:.4} in {name}"));
                let frames = counted(all.len(), "frame");
                format!("{frames}: {} ({rule}){}", own.text, farthest.unwrap_or_default())
            }
        };
        own
    }

    pub(super) fn of_models(all: &[ModelPair], tolerance: f32, kind: DiffKind) -> Self {
        let words = [
            (PairState::Same, "the same"),
            (PairState::Within, "within the tolerance"),
            (PairState::Different, "different"),
            (PairState::OnlyA, "only in A"),
            (PairState::OnlyB, "only in B"),
            (PairState::Unreadable, "unreadable"),
        ];
        let mut own = Self::new(
            all,
            |one| one.state,
            &words,
            |one| match one.state {
                PairState::Same => DiffVerdict::Same,
                PairState::Within => DiffVerdict::Within,
                PairState::Unreadable => DiffVerdict::unreadable(one.is_temporary),
                _ => DiffVerdict::Different,
            },
        );
        own.text = match all {
            [one] if kind != DiffKind::Folders => of_model(one, tolerance),
            _ => {
                let clips = all.iter().map(|model| model.parts.len().saturating_sub(1)).sum();
                let (models, clips) = (counted(all.len(), "model"), counted(clips, "clip"));
                format!("{models} with {clips}: {}", own.text)
            }
        };
        own
    }

    pub(super) fn of_files(all: &[ComparedFile], noun: &str) -> Self {
        let words = [
            (FileState::Same, "the same"),
            (FileState::SameContent, "the same content in other bytes"),
            (FileState::Different, "different"),
            (FileState::OnlyA, "only in A"),
            (FileState::OnlyB, "only in B"),
            (FileState::Unreadable, "unreadable"),
        ];
        let mut own = Self::new(
            all,
            |one| one.state,
            &words,
            |one| match one.state {
                FileState::Unreadable => DiffVerdict::Unreadable,
                _ if one.passes() => DiffVerdict::Same,
                _ => DiffVerdict::Different,
            },
        );
        let compared = own.counts.iter().map(|(count, _)| count).sum();
        own.text = format!("{}: {}", counted(compared, noun), own.text);
        own
    }

    /// Files of unsupported types. None if there are none.
    pub(super) fn of_unknown(all: &[ComparedFile]) -> Option<Self> {
        let mut unknown = all.iter().filter(|one| one.state == FileState::NotCompared);
        let first = &unknown.next()?.name;
        let count = 1 + unknown.count();
        let (files, more) = (counted(count, "file"), if count > 1 { ", ..." } else { "" });
        Some(Self {
            verdict: DiffVerdict::Same,
            counts: vec![(count, "not compared")],
            text: format!("{files} of unsupported types not compared: {first}{more}"),
        })
    }
}

/// The result of a single model.
fn of_model(model: &ModelPair, tolerance: f32) -> String {
    let looked = counted(model.moments(), "moment");
    match model.state {
        PairState::Unreadable => model.error.clone().unwrap_or_default(),
        PairState::Same if tolerance == 0.0 => format!("the same at {looked}"),
        PairState::Same | PairState::Within => {
            let diffs = model.parts.iter().filter_map(|part| part.diff.as_ref());
            let farthest = diffs.map(ModelDiff::farthest).fold(0.0, math::max);
            format!("within {tolerance} of the diagonal at {looked}; farthest {farthest:.2e}")
        }
        _ => format!("different at {looked}"),
    }
}
