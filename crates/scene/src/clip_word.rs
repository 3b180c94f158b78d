//! Choices of a clip for an instance, and the name of a clip as written in options: `walk`, an
//! index from 0, `bind`, or a part such as `walk:168-187`.
//!
//! Input: the text, and the names of the clips of a model. Output: the clip, and the part of it.

use thiserror::Error;
use tintype_base::precedence::{Decided, Guesses, Precedence};
use tintype_base::suggest::nearest_word;
use tintype_model::{ClipRange, RangeError};

/// Choice of a clip.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClipChoice {
    /// No clip: the bind pose.
    Bind,
    /// No clip, and no request for the bind pose: the pose of the joints in the file.
    Rest,
    /// The clip of its model at this index of [`super::ModelEntry::clips`].
    Clip(usize),
    /// The first clip of the model's file, or the bind pose if it has none.
    First,
    /// The clip of [`super::Scene::wanted_clips`] at this index, which is resolved when the model's
    /// file is read.
    Wanted(usize),
}

/// The clip that a word chooses.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ClipWord {
    /// No clip: the bind pose.
    Bind,
    /// The clip at that index, or a part of it.
    Clip {
        /// The index.
        index: usize,
        /// The part. None for the whole clip.
        part: Option<ClipRange>,
    },
}

/// Mistake in the name of a clip.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum ClipWordError {
    /// No clip has that name.
    #[error("unknown clip {name:?}")]
    Unknown {
        /// The name, without a range.
        name: String,
        /// The most similar name.
        nearest: Option<String>,
    },
    /// The clip exists, but the text after the colon is not a range.
    #[error("{name}: {source}")]
    Range {
        /// The name of the clip.
        name: String,
        /// The mistake.
        source: RangeError,
    },
}

/// Finds the clip of a name: an exact match, otherwise ignoring case, otherwise the only clip whose
/// name begins with it, otherwise the only one whose name ends with it, because clip names often
/// begin with the name of their model: `idle` is `cowIdle`.
#[must_use]
pub fn find_clip_name(name: &str, names: &[&str]) -> Option<usize> {
    let wanted = name.to_lowercase();
    let lower: Vec<String> = names.iter().map(|known| known.to_lowercase()).collect();
    let exact = names.iter().position(|known| *known == name);
    let of_any_case = || lower.iter().position(|known| *known == wanted);
    if let Some(index) = exact.or_else(of_any_case) {
        return Some(index);
    }
    let fits: [fn(&str, &str) -> bool; 2] =
        [|known, word| known.starts_with(word), |known, word| known.ends_with(word)];
    let fits = fits.iter().find(|fits| lower.iter().any(|known| fits(known, &wanted)))?;
    let mut fitting = (0..).zip(&lower).filter(|(_, known)| fits(known, &wanted));
    let (first, of_first) = fitting.next().filter(|_| !wanted.is_empty())?;
    fitting.all(|(_, other)| other == of_first).then_some(first)
}

/// The clip that plays, and the source of the decision. No file reader states a clip today;
/// `convention` is that of the command.
///
/// # Errors
/// The error of `guess`.
pub fn decide_clip<T, E>(
    wish: Option<T>,
    statement: Option<T>,
    convention: T,
    guess: impl FnOnce() -> Result<Option<T>, E>,
) -> Result<Decided<T>, E> {
    let guesses = Guesses::OverConvention;
    Precedence { wish, statement, convention, guesses }.decide(guess)
}

/// [`decide_clip`] without a guess.
pub fn decide_said_clip<T>(wish: Option<T>, convention: T) -> T {
    let guesses = Guesses::Never;
    Precedence { wish, statement: None, convention, guesses }.decide_without_guess().value
}

/// Parses the word. A clip of exactly that name takes precedence, even if it is called `bind`, is a
/// number or contains a colon; then an index from 0; then `bind`; then the result of
/// [`find_clip_name`]; then one of these with a range after a colon. A range alone, such as
/// `:168-187`, refers to the first clip.
///
/// # Errors
/// [`ClipWordError`].
pub fn read_clip_word(text: &str, names: &[&str]) -> Result<ClipWord, ClipWordError> {
    let of_name = |name: &str| {
        let index = || name.parse::<usize>().ok().filter(|&index| index < names.len());
        names.iter().position(|known| *known == name).or_else(index)
    };
    if let Some(index) = of_name(text) {
        return Ok(ClipWord::Clip { index, part: None });
    }
    if text == "bind" {
        return Ok(ClipWord::Bind);
    }
    if let Some(index) = find_clip_name(text, names) {
        return Ok(ClipWord::Clip { index, part: None });
    }
    let of_name = |name: &str| of_name(name).or_else(|| find_clip_name(name, names));
    if let Some((name, range)) = text.rsplit_once(':') {
        let parsed = ClipRange::parse(range, None);
        let index = if name.is_empty() && !names.is_empty() { Some(0) } else { of_name(name) };
        match (index, parsed) {
            (Some(index), Ok(part)) => return Ok(ClipWord::Clip { index, part: Some(part) }),
            (Some(_), Err(source)) => {
                return Err(ClipWordError::Range { name: name.to_owned(), source });
            }
            (None, Ok(_)) => return Err(unknown(name, names)),
            (None, Err(_)) => {}
        }
    }
    Err(unknown(text, names))
}

fn unknown(name: &str, names: &[&str]) -> ClipWordError {
    let nearest = nearest_word(name, names.iter().copied().chain(["bind"]));
    ClipWordError::Unknown { name: name.to_owned(), nearest }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tintype_model::RangeUnit;

    #[test]
    fn word_is_a_name_an_index_the_bind_pose_or_a_part() {
        let names = ["walk", "a: 0-3", "Anim0"];
        let whole = |index| Ok(ClipWord::Clip { index, part: None });
        let part = |index, from, to| {
            let part = Some(ClipRange { unit: RangeUnit::Keys, from, to });
            Ok(ClipWord::Clip { index, part })
        };
        for (text, expected) in [
            ("walk", whole(0)),
            ("2", whole(2)),
            ("bind", Ok(ClipWord::Bind)),
            ("a: 0-3", whole(1)),
            ("a: 0-3:1-2", part(1, 1.0, 2.0)),
            ("Anim0:168-187", part(2, 168.0, 187.0)),
            ("2:168-187", part(2, 168.0, 187.0)),
            (":5", part(0, 5.0, 5.0)),
        ] {
            assert_eq!(read_clip_word(text, &names), expected, "{text}");
        }
        assert_eq!(read_clip_word("bind", &["x", "bind"]), whole(1), "the clip of that name");
    }

    #[test]
    fn name_is_found_in_any_case_by_its_start_and_by_its_end() {
        let names = ["Walk_Loop", "WALK", "Idle", "Idle_Sword", "Run_A", "Run_B", "Death", "Death"];
        assert_eq!(find_clip_name("run", &["cowRun", "cowIdle"]), Some(0));
        assert_eq!(find_clip_name("run", &["cowRun", "pigRun"]), None, "two end so");
        assert_eq!(find_clip_name("run", &["run_a", "run_b", "cowRun"]), None, "two begin so");
        for (name, expected) in [
            ("WALK", Some(1)),
            ("walk", Some(1)),
            ("walk_", Some(0)),
            ("idle", Some(2)),
            ("IDLE_", Some(3)),
            ("run", None),
            ("run_b", Some(5)),
            ("dea", Some(6)),
            ("eath", Some(6)),
            ("sword", Some(3)),
            ("b", Some(5)),
            ("z", None),
            ("", None),
        ] {
            assert_eq!(find_clip_name(name, &names), expected, "{name}");
        }
        let part = read_clip_word("walk_:2-3", &names);
        assert!(matches!(part, Ok(ClipWord::Clip { index: 0, part: Some(_) })), "{part:?}");
    }

    #[test]
    fn mistake_names_the_clip_or_the_range() {
        let names = ["walk", "Anim0"];
        let message = |text| read_clip_word(text, &names).unwrap_err();
        let near = |text| match message(text) {
            ClipWordError::Unknown { name, nearest } => (name, nearest),
            other => panic!("{other}"),
        };
        assert_eq!(near("wlak"), ("wlak".to_owned(), Some("walk".to_owned())));
        assert_eq!(near("Anim1:3-4"), ("Anim1".to_owned(), Some("Anim0".to_owned())));
        assert_eq!(near("bnid"), ("bnid".to_owned(), Some("bind".to_owned())));
        assert!(message("walk:9-3").to_string().starts_with("walk: \"9-3\" ends before it starts"));
        assert!(message("walk:x").to_string().contains("is not a range of keys, seconds or ticks"));
        assert!(read_clip_word(":1-2", &[]).is_err());
    }
}
