//! Shards: part I of N of a list of frames, such as `2/5`, or `slurm/5`, `k8s/5` and `env:NAME/5`,
//! which take the index from the environment.
//!
//! N is always given: a shard has the same frames on every machine, whichever other shards are
//! rendered again. Shards are contiguous and differ by at most one frame; joined in order they are
//! the list. The caller reads the environment variable named by a shard.

use core::ops::Range;
use thiserror::Error;

/// Error of a text that names no shard.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum ShardError {
    /// The text has another form.
    #[error(
        "{text:?} is not a shard; write 2/5 for the second of five, slurm/5, k8s/5, or env:NAME/1-5 for another engine's variable"
    )]
    Form {
        /// The text.
        text: String,
    },
    /// The index is out of range.
    #[error("{text:?}: expected 1/{of} to {of}/{of}")]
    Number {
        /// The text.
        text: String,
        /// Number of shards.
        of: u64,
    },
    /// The environment variable is not set.
    #[error(
        "{variable} is not set: {text:?} only works in tasks of {farm}; elsewhere use 1/{of} to {of}/{of}"
    )]
    NoTask {
        /// The text.
        text: String,
        /// The variable.
        variable: String,
        /// The program that sets it.
        farm: String,
        /// Number of shards.
        of: u64,
    },
    /// The environment variable has no valid index.
    #[error("{variable} is {value:?}, but {text:?} needs {first} to {last}: {hint}")]
    Task {
        /// The text.
        text: String,
        /// The variable.
        variable: String,
        /// Its value.
        value: String,
        /// Smallest index.
        first: u64,
        /// Maximum index.
        last: u64,
        /// A suggested fix.
        hint: String,
    },
}

/// Source of the index.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Teller {
    /// The text itself, from 0.
    Text(u64),
    /// A Slurm job array.
    Slurm,
    /// A Kubernetes Indexed Job.
    Kubernetes,
    /// A variable of the environment, with the index of the first task.
    Variable { name: String, first: u64 },
}

/// Variables of engines whose tasks count from 1.
const FROM_ONE: [&str; 3] = ["SGE_TASK_ID", "LSB_JOBINDEX", "CI_NODE_INDEX"];

/// A shard as written, before the environment is read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShardText {
    text: String,
    teller: Teller,
    of: u64,
}

/// Part I of N of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// From 0, below `of`.
    index: u64,
    /// At least 1.
    of: u64,
}

impl ShardText {
    /// Reads `I/N`, `slurm/N`, `k8s/N`, `env:NAME/N` or `env:NAME/A-B`, with tasks from A to B.
    /// Without A they are 0 to N - 1, or 1 to N for the variables of Grid Engine, LSF and GitLab.
    ///
    /// # Errors
    /// [`ShardError::Form`] and [`ShardError::Number`].
    pub fn parse(text: &str) -> Result<Self, ShardError> {
        let form = || ShardError::Form { text: text.chars().take(60).collect() };
        let (who, of) = text.split_once('/').ok_or_else(form)?;
        let whole = |digits: &str| {
            let plain = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
            digits.parse::<u64>().ok().filter(|_| plain)
        };
        if let Some(name) = who.strip_prefix("env:") {
            let plain = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
            if name.is_empty() || !name.chars().all(plain) {
                return Err(form());
            }
            let (first, last) = match of.split_once('-') {
                Some((first, last)) => (whole(first), whole(last)),
                None => {
                    let first = u64::from(FROM_ONE.contains(&name));
                    (Some(first), whole(of).and_then(|of| of.checked_add(first)?.checked_sub(1)))
                }
            };
            let (first, last) = first.zip(last).ok_or_else(form)?;
            let of = last.checked_sub(first).and_then(|span| span.checked_add(1));
            let of = of.ok_or_else(form)?;
            let teller = Teller::Variable { name: name.to_owned(), first };
            return Ok(Self { text: text.to_owned(), teller, of });
        }
        let of = whole(of).filter(|&of| of > 0).ok_or_else(form)?;
        let teller = match who {
            "slurm" => Teller::Slurm,
            "k8s" => Teller::Kubernetes,
            _ => {
                let number = whole(who).ok_or_else(form)?;
                let index = number.checked_sub(1).filter(|&index| index < of);
                Teller::Text(index.ok_or_else(|| ShardError::Number { text: text.to_owned(), of })?)
            }
        };
        Ok(Self { text: text.to_owned(), teller, of })
    }

    /// The environment variable that contains the index, if the text does not.
    #[must_use]
    pub fn variable(&self) -> Option<&str> {
        match &self.teller {
            Teller::Text(_) => None,
            Teller::Variable { name, .. } => Some(name),
            Teller::Slurm => Some("SLURM_ARRAY_TASK_ID"),
            Teller::Kubernetes => Some("JOB_COMPLETION_INDEX"),
        }
    }

    /// The shard, with the value of its variable.
    ///
    /// # Errors
    /// [`ShardError::NoTask`] and [`ShardError::Task`].
    pub fn with(&self, value: Option<&str>) -> Result<Shard, ShardError> {
        let of = self.of;
        let (variable, farm, first, hint) = match &self.teller {
            Teller::Text(index) => return Ok(Shard { index: *index, of }),
            Teller::Variable { name, first } => (
                name.as_str(),
                "an engine that sets it",
                *first,
                format!("give the array's first and last index as env:{name}/A-B"),
            ),
            Teller::Slurm => (
                "SLURM_ARRAY_TASK_ID",
                "a Slurm job array",
                0,
                format!("submit the array 0-{}", of - 1),
            ),
            Teller::Kubernetes => (
                "JOB_COMPLETION_INDEX",
                "a Kubernetes Indexed Job",
                0,
                format!("the job must have completions: {of}"),
            ),
        };
        let text = self.text.clone();
        let variable = variable.to_owned();
        let value = value.ok_or_else(|| ShardError::NoTask {
            text: text.clone(),
            variable: variable.clone(),
            farm: farm.to_owned(),
            of,
        })?;
        let index = value.trim().parse::<u64>().ok().and_then(|index| index.checked_sub(first));
        let index = index.filter(|&index| index < of);
        let index = index.ok_or_else(|| ShardError::Task {
            text,
            variable,
            value: value.chars().take(60).collect(),
            first,
            last: first + (of - 1),
            hint,
        })?;
        Ok(Shard { index, of })
    }
}

impl Shard {
    /// The shard with an index from 0. None if it is out of range.
    #[must_use]
    pub fn new(index: u64, of: u64) -> Option<Self> {
        (index < of).then_some(Self { index, of })
    }

    /// Its number from 1.
    #[must_use]
    pub fn number(self) -> u64 {
        self.index + 1
    }

    /// The number of shards.
    #[must_use]
    pub fn count(self) -> u64 {
        self.of
    }

    /// The items of the shard; empty if there are more shards than items.
    #[must_use]
    pub fn of<T>(self, all: &[T]) -> &[T] {
        all.get(self.range(all.len())).unwrap_or_default()
    }

    /// The indices of the shard among this number of items.
    #[must_use]
    pub fn range(self, count: usize) -> Range<usize> {
        let at = |index: u64| {
            let length = u128::try_from(count).unwrap_or(u128::MAX);
            let cut = length.saturating_mul(u128::from(index)) / u128::from(self.of);
            usize::try_from(cut).unwrap_or(count)
        };
        at(self.index)..at(self.index + 1)
    }
}

/// `2/5`
impl core::fmt::Display for Shard {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "{}/{}", self.index + 1, self.of)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shards_join_to_the_list_and_differ_by_one_at_most() {
        for length in [0, 1, 2, 7, 24, 25, 100] {
            let all: Vec<usize> = (0..length).collect();
            for of in [1, 2, 3, 5, 24, 101, u64::MAX] {
                let parts: Vec<&[usize]> =
                    (0..of.min(200)).map(|index| Shard::new(index, of).unwrap().of(&all)).collect();
                if of < 200 {
                    assert_eq!(parts.concat(), all, "{length} by {of}");
                    let sizes = parts.iter().map(|part| part.len());
                    assert!(sizes.clone().max().unwrap() - sizes.min().unwrap() <= 1);
                }
            }
            assert_eq!(Shard::new(u64::MAX - 1, u64::MAX).unwrap().of(&all).len(), length.min(1));
        }
        assert_eq!(Shard::new(3, 3), None);
    }

    #[test]
    fn shard_takes_its_number_from_the_text_or_the_environment() {
        let one = |text: &str, value| ShardText::parse(text).unwrap().with(value);
        assert_eq!(one("2/5", None), Ok(Shard { index: 1, of: 5 }));
        assert_eq!(one("slurm/5", Some("4")), Ok(Shard { index: 4, of: 5 }));
        assert_eq!(one("k8s/5", Some("0")), Ok(Shard { index: 0, of: 5 }));
        assert_eq!(ShardText::parse("slurm/5").unwrap().variable(), Some("SLURM_ARRAY_TASK_ID"));
        assert_eq!(one("slurm/5", Some("4")).unwrap().to_string(), "5/5");
    }

    #[test]
    fn shard_takes_its_number_from_any_variable() {
        fn one(text: &str, value: Option<&str>) -> Result<Shard, ShardError> {
            ShardText::parse(text).unwrap().with(value)
        }
        for (text, first, last) in [
            ("env:AWS_BATCH_JOB_ARRAY_INDEX/4", "0", "3"),
            ("env:SGE_TASK_ID/4", "1", "4"),
            ("env:LSB_JOBINDEX/4", "1", "4"),
            ("env:PBS_ARRAY_INDEX/1-4", "1", "4"),
            ("env:SGE_TASK_ID/0-3", "0", "3"),
            ("env:N/7-10", "7", "10"),
        ] {
            assert_eq!(one(text, Some(first)), Ok(Shard { index: 0, of: 4 }), "{text}");
            assert_eq!(one(text, Some(last)), Ok(Shard { index: 3, of: 4 }), "{text}");
            let over = (last.parse::<u64>().unwrap() + 1).to_string();
            let error = one(text, Some(&over)).unwrap_err().to_string();
            assert!(error.contains(&format!("needs {first} to {last}")), "{error}");
        }
        assert!(one("env:SGE_TASK_ID/4", Some("undefined")).is_err());
        let error = one("env:N/4", None).unwrap_err().to_string();
        assert!(error.starts_with("N is not set"), "{error}");
        for text in ["env:/4", "env:A B/4", "env:N/", "env:N/0", "env:N/4-1", "env:N/a-b", "env:N"]
        {
            assert!(matches!(ShardText::parse(text), Err(ShardError::Form { .. })), "{text}");
        }
        assert!(ShardText::parse(&format!("env:N/0-{}", u64::MAX)).is_err());
        assert!(ShardText::parse(&format!("env:SGE_TASK_ID/{}", u64::MAX)).is_err());
    }

    #[test]
    fn shard_refusals_say_what_to_write() {
        let parse = |text: &str| ShardText::parse(text).unwrap_err().to_string();
        for text in ["", "3", "3/", "/3", "a/3", "+1/3", "1/0", "1/-3", "1/3/5", "slurm", "Slurm/3"]
        {
            assert!(parse(text).contains("write 2/5"), "{text}: {}", parse(text));
        }
        for text in ["0/5", "6/5"] {
            assert_eq!(parse(text), format!("{text:?}: expected 1/5 to 5/5"));
        }
        let with = |text: &str, value| {
            ShardText::parse(text).unwrap().with(value).unwrap_err().to_string()
        };
        assert!(with("slurm/5", None).starts_with("SLURM_ARRAY_TASK_ID is not set"));
        assert_eq!(
            with("slurm/5", Some("5")),
            "SLURM_ARRAY_TASK_ID is \"5\", but \"slurm/5\" needs 0 to 4: submit the array 0-4"
        );
        assert!(with("k8s/5", Some("x")).contains("completions: 5"));
    }
}
