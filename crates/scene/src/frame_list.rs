//! Lists of frame numbers: `0-47`, `1-100x5`, `0,7,20-30`, `-3-0`.
//!
//! Input: the text of `output.frames`, `golden.frames` or `--frames`. Output: a sorted list without
//! repetition, kept as runs, so that a million frames take a few bytes.

use super::FrameNumber;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::collections::VecDeque;
use std::fmt;
use thiserror::Error;

/// Error of a text that is not a list of frames.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum FrameListError {
    /// The list has no frame.
    #[error("the list of frames is empty; write a frame or a range such as 0-47")]
    Empty,
    /// One of its parts is neither a frame nor a range.
    #[error("{item:?} is neither a frame nor a range; write 7, 0-47 or 1-100x5")]
    NotARange {
        /// The part as written.
        item: String,
    },
    /// A number has too many digits.
    #[error("frame {item} is out of range; expected -{limit} to {limit}", limit = FrameList::MAX_NUMBER)]
    NumberTooLarge {
        /// The number as written.
        item: String,
    },
    /// The step of a range is 0 or no number.
    #[error("{item:?} has an invalid step; expected a whole number from 1 to {limit}", limit = FrameList::MAX_NUMBER)]
    Step {
        /// The range as written.
        item: String,
    },
    /// The first frame of a range is after its last.
    #[error("{item:?} runs backwards; did you mean {suggestion:?}?")]
    Reversed {
        /// The range as written.
        item: String,
        /// The same range, forwards.
        suggestion: String,
    },
    /// Two parts contain the same frame.
    #[error("frame {frame} is listed twice, by {first:?} and by {second:?}")]
    Twice {
        /// The frame.
        frame: i64,
        /// The part that comes first in the text.
        first: String,
        /// The later part.
        second: String,
    },
    /// There are more frames than [`FrameList::MAX_FRAMES`].
    #[error("{item:?} brings the list to {count} frames; the limit is {limit}", limit = FrameList::MAX_FRAMES)]
    TooMany {
        /// The part that exceeds the limit.
        item: String,
        /// Number of frames up to and including that part.
        count: u64,
    },
}

/// Frames `first`, `first + step`, ...; `count` of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Run {
    first: i64,
    /// At least 1; 1 for a run of one frame.
    step: i64,
    /// At least 1.
    count: u64,
    /// Number of frames of the list before this run.
    before: u64,
}

impl Run {
    fn nth(&self, k: u64) -> Option<i64> {
        let offset = i64::try_from(k).ok()?.checked_mul(self.step)?;
        if k < self.count { self.first.checked_add(offset) } else { None }
    }

    fn last(&self) -> i64 {
        self.nth(self.count.saturating_sub(1)).unwrap_or(self.first)
    }
}

/// Frame numbers in ascending order, each once, at least one.
///
/// # Layout
/// Runs in ascending order that do not interlock. The same frames lead to the same runs, however
/// they were written: two lists are equal exactly if they hold the same frames.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FrameList {
    runs: Vec<Run>,
}

impl FrameList {
    /// The most frames that a list may have.
    pub const MAX_FRAMES: u64 = 10_000_000;
    /// The maximum frame number, and with a minus sign the minimum.
    pub const MAX_NUMBER: i64 = 999_999_999_999;

    /// A list of one frame.
    #[must_use]
    pub fn single(frame: FrameNumber) -> Self {
        Self { runs: vec![Run { first: frame.0, step: 1, count: 1, before: 0 }] }
    }

    /// Frames `0..count`. None if there are no frames.
    #[must_use]
    pub fn first(count: u32) -> Option<Self> {
        let run = Run { first: 0, step: 1, count: u64::from(count), before: 0 };
        if Packer::keeps(run) {
            Some(Self { runs: vec![run] })
        } else {
            Self::from_rising((0..count).map(i64::from))
        }
    }

    /// Makes a list from increasing frames. None if there are no frames or they do not increase.
    #[must_use]
    pub fn from_rising(frames: impl IntoIterator<Item: Into<FrameNumber>>) -> Option<Self> {
        let mut packer = Packer::default();
        let mut previous = None;
        for frame in frames {
            let FrameNumber(frame) = frame.into();
            if previous.is_some_and(|previous| previous >= frame) {
                return None;
            }
            previous = Some(frame);
            packer.push(frame);
        }
        let runs = packer.finish();
        (!runs.is_empty()).then_some(Self { runs })
    }

    /// Reads a list: frames and ranges with commas between them, `first-last`, `first-lastxstep` or
    /// `first-last:step`.
    ///
    /// # Errors
    /// [`FrameListError`] for the first part of the text that is not a frame or range, then for
    /// frames that are listed twice. No text makes it allocate more than a few times its length.
    pub fn parse(text: &str) -> Result<Self, FrameListError> {
        if text.trim().is_empty() {
            return Err(FrameListError::Empty);
        }
        let items: Vec<&str> = text.split(',').map(str::trim).collect();
        let mut runs = Vec::new();
        let mut before = 0;
        for item in &items {
            let run = Run { before, ..parse_run(item)? };
            before = before.saturating_add(run.count);
            if before > Self::MAX_FRAMES {
                return Err(FrameListError::TooMany { item: shortened(item), count: before });
            }
            runs.push(run);
        }
        if let [run] = runs[..]
            && Packer::keeps(run)
        {
            return Ok(Self { runs });
        }
        merge(&runs, &items)
    }

    /// Number of frames, at least 1.
    #[must_use]
    #[expect(clippy::len_without_is_empty, reason = "a list is never empty")]
    pub fn len(&self) -> usize {
        let count = self.runs.last().map_or(0, |run| run.before.saturating_add(run.count));
        usize::try_from(count).unwrap_or(usize::MAX)
    }

    /// The frames in rising order.
    pub fn iter(&self) -> impl Iterator<Item = FrameNumber> + '_ {
        self.runs.iter().flat_map(|run| (0..run.count).filter_map(|k| run.nth(k).map(FrameNumber)))
    }

    /// The first frame.
    #[must_use]
    pub fn start(&self) -> FrameNumber {
        FrameNumber(self.runs.first().map_or(0, |run| run.first))
    }

    /// The frame at position `k`, from 0.
    #[must_use]
    pub fn nth(&self, k: usize) -> Option<FrameNumber> {
        let k = u64::try_from(k).ok()?;
        let after = self.runs.partition_point(|run| run.before <= k);
        let run = self.runs.get(after.checked_sub(1)?)?;
        run.nth(k.checked_sub(run.before)?).map(FrameNumber)
    }

    /// The position of a frame, from 0. None if the list does not contain it.
    #[must_use]
    pub fn position(&self, frame: impl Into<FrameNumber>) -> Option<usize> {
        let FrameNumber(frame) = frame.into();
        let after = self.runs.partition_point(|run| run.first <= frame);
        let run = self.runs.get(after.checked_sub(1)?)?;
        let offset = frame.checked_sub(run.first)?;
        let k = u64::try_from(offset / run.step).ok()?;
        if offset % run.step != 0 || k >= run.count {
            return None;
        }
        usize::try_from(run.before.saturating_add(k)).ok()
    }

    /// True if the list contains a frame.
    #[must_use]
    pub fn contains(&self, frame: impl Into<FrameNumber>) -> bool {
        self.position(frame).is_some()
    }
}

/// The shortest usual notation of the list: ranges from three consecutive frames on, steps from
/// four frames on.
impl fmt::Display for FrameList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, run) in self.runs.iter().enumerate() {
            let comma = if index == 0 { "" } else { "," };
            let (first, last, step) = (run.first, run.last(), run.step);
            match (run.count, step) {
                (1, _) => write!(f, "{comma}{first}")?,
                (2, _) => write!(f, "{comma}{first},{last}")?,
                (_, 1) => write!(f, "{comma}{first}-{last}")?,
                _ => write!(f, "{comma}{first}-{last}x{step}")?,
            }
        }
        Ok(())
    }
}

fn shortened(text: &str) -> String {
    let short: String = text.chars().take(40).collect();
    if short.len() < text.len() { short + "..." } else { short }
}

/// One part of the list; its `before` is 0.
fn parse_run(item: &str) -> Result<Run, FrameListError> {
    let not_a_range = || FrameListError::NotARange { item: shortened(item) };
    let (first, rest) = split_number(item).ok_or_else(not_a_range)?;
    let first = number(first)?;
    if rest.is_empty() {
        return Ok(Run { first, step: 1, count: 1, before: 0 });
    }
    let (last, rest) = rest.strip_prefix('-').and_then(split_number).ok_or_else(not_a_range)?;
    let last = number(last)?;
    let step = match rest.strip_prefix(['x', ':']) {
        Some(step) => {
            let bad_step = || FrameListError::Step { item: shortened(item) };
            let whole = !step.is_empty() && step.bytes().all(|byte| byte.is_ascii_digit());
            let step: i64 = step.parse().ok().filter(|_| whole).ok_or_else(bad_step)?;
            if !(1..=FrameList::MAX_NUMBER).contains(&step) {
                return Err(bad_step());
            }
            step
        }
        None if rest.is_empty() => 1,
        None => return Err(not_a_range()),
    };
    if last < first {
        let suggestion = format!("{last}-{first}{rest}");
        return Err(FrameListError::Reversed { item: shortened(item), suggestion });
    }
    // Both ends are within MAX_NUMBER, so neither the difference nor the count can overflow.
    let count = u64::try_from((last - first) / step).map_err(|_| not_a_range())? + 1;
    Ok(Run { first, step: if count == 1 { 1 } else { step }, count, before: 0 })
}

/// Splits digits, with an optional minus sign before them, from the rest.
fn split_number(text: &str) -> Option<(&str, &str)> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let after = digits.trim_start_matches(|letter: char| letter.is_ascii_digit());
    let length = text.len() - after.len();
    (after.len() < digits.len()).then(|| text.split_at(length))
}

fn number(digits: &str) -> Result<i64, FrameListError> {
    let limit = FrameList::MAX_NUMBER;
    digits
        .parse()
        .ok()
        .filter(|number| (-limit..=limit).contains(number))
        .ok_or_else(|| FrameListError::NumberTooLarge { item: shortened(digits) })
}

/// Merges the frames of all runs in ascending order, without expanding them.
fn merge(runs: &[Run], items: &[&str]) -> Result<FrameList, FrameListError> {
    let mut next: BinaryHeap<Reverse<(i64, usize, u64)>> =
        runs.iter().enumerate().map(|(item, run)| Reverse((run.first, item, 0))).collect();
    let mut packer = Packer::default();
    let mut previous: Option<(i64, usize)> = None;
    while let Some(Reverse((frame, item, k))) = next.pop() {
        if let Some((_, earlier)) = previous.filter(|&(previous, _)| previous == frame) {
            let name = |item: usize| shortened(items.get(item).copied().unwrap_or_default());
            let (first, second) = (name(earlier.min(item)), name(earlier.max(item)));
            return Err(FrameListError::Twice { frame, first, second });
        }
        previous = Some((frame, item));
        packer.push(frame);
        if let Some(following) = runs.get(item).and_then(|run| run.nth(k + 1)) {
            next.push(Reverse((following, item, k + 1)));
        }
    }
    Ok(FrameList { runs: packer.finish() })
}

/// Packs ascending frames into runs, the longest first.
#[derive(Default)]
struct Packer {
    runs: Vec<Run>,
    count: u64,
    /// The growing run; it has at least [`Packer::MIN_RANGE`] frames.
    open: Option<Run>,
    /// Frames without a run yet; fewer than [`Packer::MIN_STRIDE`].
    pending: VecDeque<i64>,
}

impl Packer {
    /// Fewer frames in a row than this are written one by one.
    const MIN_RANGE: u64 = 3;
    /// The same for steps above 1: `1,3,5` is as short as `1-5x2`.
    const MIN_STRIDE: u64 = 4;

    /// True if a run that is alone in its list is packed unchanged.
    fn keeps(run: Run) -> bool {
        run.count == 1
            || run.count >= Self::MIN_STRIDE
            || run.step == 1 && run.count >= Self::MIN_RANGE
    }

    fn push(&mut self, frame: i64) {
        if let Some(run) = &mut self.open {
            if frame.checked_sub(run.last()) == Some(run.step) {
                run.count += 1;
                return;
            }
            let run = *run;
            self.open = None;
            self.close(run);
        }
        self.pending.push_back(frame);
        // Frames are removed from the front until the rest could still become one run.
        while let [first, second, rest @ ..] = self.pending.make_contiguous() {
            let (first, step) = (*first, *second - *first);
            let even = rest
                .iter()
                .try_fold(*second, |previous, &frame| (frame - previous == step).then_some(frame));
            let count = self.pending.len() as u64;
            let enough = if step == 1 { Self::MIN_RANGE } else { Self::MIN_STRIDE };
            if even.is_none() {
                self.pending.pop_front();
                self.close(Run { first, step: 1, count: 1, before: 0 });
            } else if count >= enough {
                self.pending.clear();
                self.open = Some(Run { first, step, count, before: 0 });
            } else {
                break;
            }
        }
    }

    fn close(&mut self, run: Run) {
        self.runs.push(Run { before: self.count, ..run });
        self.count += run.count;
    }

    fn finish(mut self) -> Vec<Run> {
        if let Some(run) = self.open.take() {
            self.close(run);
        }
        while let Some(first) = self.pending.pop_front() {
            self.close(Run { first, step: 1, count: 1, before: 0 });
        }
        self.runs
    }
}

#[cfg(test)]
mod tests;
