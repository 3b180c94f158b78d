//! The number of ticks per second of a file.
//!
//! Keys are in ticks. The file states the ticks per second, or otherwise the distance between its
//! keys reveals it: 3ds Max writes 4800 per second, and so widely spaced keys; all others count
//! frames.

use super::motion::{Set, times};
use super::part::all;
use super::values::Values;
use crate::decide_rate;
use crate::x::tree::Document;
use core::fmt;
use tintype_base::amount::format_rate;
use tintype_base::deadline::{Deadline, TimedOut};
use tintype_base::precedence::{Decided, DecidedBy};
use tintype_model::{FileRepair, Warning};

/// Ticks a second of files by 3ds Max.
const MAX_TICKS: f64 = 4800.0;
/// Ticks a second where keys are frames.
const FRAME_TICKS: f64 = 30.0;
/// Keys whose median distance is at least this are in ticks of 3ds Max.
const FAR_APART: f64 = 80.0;

/// Ticks per second, and the side that decided them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TickRate {
    /// Above 0.
    pub per_second: f64,
    /// The side that decided it; for a guess, the keys.
    pub by: DecidedBy,
    /// Median ticks between keys, if there was no other evidence.
    pub median_gap: Option<f64>,
}

impl fmt::Display for TickRate {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{} ticks per second, ", format_rate(self.per_second))?;
        let says_nothing = "because the file does not set it";
        match (self.by, self.median_gap) {
            (DecidedBy::Wish, _) => out.write_str("as requested"),
            (DecidedBy::Statement, _) => out.write_str("as set in the file"),
            (_, Some(gap)) if gap >= FAR_APART => {
                write!(out, "{says_nothing} and its keys are {gap} apart, {FAR_APART} or more")
            }
            (_, Some(gap)) => {
                write!(out, "{says_nothing} and its keys are {gap} apart, under {FAR_APART}")
            }
            (_, None) => out.write_str(says_nothing),
        }
    }
}

pub(super) fn tick_rate(
    document: &Document,
    sets: &[Set],
    wish: Option<f64>,
    warnings: &mut Vec<Warning>,
) -> Result<TickRate, TimedOut> {
    let statement = if wish.is_none() { stated_rate(document, warnings) } else { None };
    let mut median_gap = None;
    let Decided { value: per_second, by } = decide_rate(wish, statement, FRAME_TICKS, || {
        let tracks = sets.iter().flat_map(|set| &set.motions).flat_map(times);
        let gaps: Vec<f64> = tracks.flat_map(|times| gaps(&times)).collect();
        median_gap = median(gaps, &document.deadline)?;
        Ok(median_gap.map(|gap| if gap >= FAR_APART { MAX_TICKS } else { FRAME_TICKS }))
    })?;
    Ok(TickRate { per_second, by, median_gap })
}

/// The stated rate of the file; of several the last.
fn stated_rate(document: &Document, warnings: &mut Vec<Warning>) -> Option<f64> {
    let mut said: Option<f64> = None;
    for index in all(document).filter(|&index| document.object(index).is("AnimTicksPerSecond")) {
        let object = document.object(index);
        let value = Values::new(document, object).peek(0);
        let Some(per_second) = value.filter(|value| *value > 0.0 && *value <= 1e9) else {
            warnings.push(
                object.position.fault(
                    FileRepair::OutOfRange,
                    "AnimTicksPerSecond is not above 0 and is ignored",
                ),
            );
            continue;
        };
        #[expect(clippy::float_cmp, reason = "the same number is meant")]
        if let Some(before) = said.filter(|&before| before != per_second) {
            warnings.push(object.position.fault(FileRepair::Duplicate, &format!(
                "AnimTicksPerSecond is {per_second} here but was {before} before; the last one is used"
            )));
        }
        said = Some(per_second);
    }
    said
}

pub(super) fn gaps(times: &[f64]) -> Vec<f64> {
    times
        .windows(2)
        .map(|pair| pair.last().unwrap_or(&0.0) - pair.first().unwrap_or(&0.0))
        .collect()
}

/// The upper one of the two in the middle.
pub(super) fn median(mut numbers: Vec<f64>, deadline: &Deadline) -> Result<Option<f64>, TimedOut> {
    sort_numbers(&mut numbers, deadline)?;
    Ok(numbers.get(numbers.len() / 2).copied())
}

pub(super) fn sort_numbers(numbers: &mut Vec<f64>, deadline: &Deadline) -> Result<(), TimedOut> {
    deadline.sort(numbers, "sorting times", |part| part.sort_by(f64::total_cmp), f64::total_cmp)
}
