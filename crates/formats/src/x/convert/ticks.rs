//! The number of ticks per second of a file.
//!
//! Keys are in ticks. How many there are in a second the file says, or else the distance of its keys: 3ds Max writes 4800 a
//! second and so keys far apart, all others write frames.

use super::motion::{Set, times};
use super::part::all;
use super::values::Values;
use crate::x::tree::Document;
use core::fmt;
use tintype_base::amount::format_rate;
use tintype_base::deadline::{Deadline, TimedOut};
use tintype_model::{FileRepair, Warning};

/// Ticks a second of files by 3ds Max.
const MAX_TICKS: f64 = 4800.0;
/// Ticks a second where keys are frames.
const FRAME_TICKS: f64 = 30.0;
/// Keys that are, by the median, at least this far apart are in ticks of 3ds Max.
const FAR_APART: f64 = 80.0;

/// Ticks per second, and the rule that gave them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TickRate {
    /// Above 0.
    pub per_second: f64,
    /// The rule.
    pub rule: TickRule,
}

/// The rule that gave the ticks per second.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum TickRule {
    /// The caller said it.
    Given,
    /// The file says it.
    File,
    /// The keys are so far apart, by the median, that they must be ticks of 3ds Max.
    FarKeys {
        /// Ticks from one key to the next.
        median_gap: f64,
    },
    /// The keys are so near each other, by the median, that they must be frames.
    NearKeys {
        /// Ticks from one key to the next.
        median_gap: f64,
    },
    /// There are not two keys at different times.
    NoKeys,
}

impl fmt::Display for TickRate {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{} ticks a second, ", format_rate(self.per_second))?;
        match self.rule {
            TickRule::Given => out.write_str("as was asked for"),
            TickRule::File => out.write_str("as the file says"),
            TickRule::FarKeys { median_gap } => {
                write!(
                    out,
                    "because the file says nothing and its keys are {median_gap} apart, {FAR_APART} or more"
                )
            }
            TickRule::NearKeys { median_gap } => {
                write!(
                    out,
                    "because the file says nothing and its keys are {median_gap} apart, under {FAR_APART}"
                )
            }
            TickRule::NoKeys => out.write_str("because the file says nothing"),
        }
    }
}

pub(super) fn tick_rate(
    document: &Document,
    sets: &[Set],
    given: Option<f64>,
    warnings: &mut Vec<Warning>,
) -> Result<TickRate, TimedOut> {
    if let Some(per_second) = given {
        return Ok(TickRate { per_second, rule: TickRule::Given });
    }
    let mut said: Option<f64> = None;
    for index in all(document).filter(|&index| document.object(index).is("AnimTicksPerSecond")) {
        let object = document.object(index);
        let value = Values::new(document, object).peek(0);
        let Some(per_second) = value.filter(|value| *value > 0.0 && *value <= 1e9) else {
            warnings.push(object.position.fault(
                FileRepair::OutOfRange,
                "AnimTicksPerSecond is not above 0 and says nothing",
            ));
            continue;
        };
        #[expect(clippy::float_cmp, reason = "the same number is meant")]
        if let Some(before) = said.filter(|&before| before != per_second) {
            warnings.push(object.position.fault(FileRepair::Duplicate, &format!(
                "AnimTicksPerSecond is {per_second} here and was {before} before; the last one counts"
            )));
        }
        said = Some(per_second);
    }
    if let Some(per_second) = said {
        return Ok(TickRate { per_second, rule: TickRule::File });
    }
    let tracks = sets.iter().flat_map(|set| &set.motions).flat_map(times);
    let gaps: Vec<f64> = tracks.flat_map(|times| gaps(&times)).collect();
    Ok(match median(gaps, &document.deadline)? {
        None => TickRate { per_second: FRAME_TICKS, rule: TickRule::NoKeys },
        Some(median_gap) if median_gap >= FAR_APART => {
            TickRate { per_second: MAX_TICKS, rule: TickRule::FarKeys { median_gap } }
        }
        Some(median_gap) => {
            TickRate { per_second: FRAME_TICKS, rule: TickRule::NearKeys { median_gap } }
        }
    })
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
