//! Deadlines: the only module of the library that reads a clock, and only if a deadline is set.
//!
//! Input: the time of the deadline. Output: [`TimedOut`] from a check after it, with the name of
//! the interrupted stage. Long loops check from time to time, through a [`Watch`] that counts
//! steps; nothing is stopped from outside.
//!
//! # Determinism
//! A deadline never changes a result: a check either fails or has no effect.

use std::cmp::Ordering as Order;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use thiserror::Error;

/// The deadline was over during a stage of the work.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[error("timed out while {stage}")]
pub struct TimedOut {
    /// The interrupted stage, such as `reading vertices`.
    pub stage: &'static str,
}

/// The time at which work must end; by default there is no limit.
#[derive(Clone, Debug, Default)]
pub struct Deadline {
    end: Option<End>,
}

#[derive(Clone, Debug)]
enum End {
    At(Instant),
    /// After a number of checks, independent of a clock.
    Checks(Arc<AtomicUsize>),
}

/// Two deadlines are equal if they have the same end.
impl PartialEq for Deadline {
    fn eq(&self, other: &Self) -> bool {
        match (&self.end, &other.end) {
            (None, None) => true,
            (Some(End::At(own)), Some(End::At(other))) => own == other,
            (Some(End::Checks(own)), Some(End::Checks(other))) => Arc::ptr_eq(own, other),
            _ => false,
        }
    }
}

impl Eq for Deadline {}

/// Number of items sorted at once; takes a few hundredths of a second.
const SORTED_AT_ONCE: usize = 1 << 17;
/// Items that are merged between two checks.
const MERGED_AT_ONCE: u32 = 1 << 15;

impl Deadline {
    /// No deadline: no clock is ever read.
    pub const NEVER: Self = Self { end: None };

    /// Makes a deadline at a point in time.
    #[must_use]
    pub fn until(end: Instant) -> Self {
        Self { end: Some(End::At(end)) }
    }

    /// Makes a deadline after a time from now; unlimited if that is beyond the range of the clock.
    #[must_use]
    pub fn after(time: Duration) -> Self {
        Instant::now().checked_add(time).map_or(Self::NEVER, Self::until)
    }

    /// The remaining time. None without a limit on the clock.
    #[must_use]
    pub fn remaining(&self) -> Option<Duration> {
        match self.end {
            Some(End::At(end)) => Some(end.saturating_duration_since(Instant::now())),
            _ => None,
        }
    }

    /// Passes after a number of checks, so that a test can stop work at each of them.
    #[must_use]
    pub fn after_checks(checks: usize) -> Self {
        Self { end: Some(End::Checks(Arc::new(AtomicUsize::new(checks)))) }
    }

    /// True if it is limited.
    #[must_use]
    pub fn has_end(&self) -> bool {
        self.end.is_some()
    }

    /// True if it has passed; it stays so.
    #[must_use]
    pub fn is_over(&self) -> bool {
        match &self.end {
            None => false,
            Some(End::At(end)) => Instant::now() >= *end,
            Some(End::Checks(left)) => {
                let less = |left: usize| left.checked_sub(1);
                left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, less).is_err()
            }
        }
    }

    /// Checks whether the deadline is over during `stage`.
    ///
    /// # Errors
    /// [`TimedOut`] if it is.
    pub fn check(&self, stage: &'static str) -> Result<(), TimedOut> {
        if self.is_over() { Err(TimedOut { stage }) } else { Ok(()) }
    }

    /// Counts the steps of a loop, and checks the deadline every `steps` steps.
    #[must_use]
    pub fn watch(&self, stage: &'static str, steps: u32) -> Watch {
        let steps = if self.has_end() { steps.max(1) } else { u32::MAX };
        Watch { deadline: self.clone(), stage, steps, left: steps }
    }

    /// Sorts like `sort`, which sorts by `order`: with a limit and many items, in parts that are
    /// then merged.
    ///
    /// # Errors
    /// [`TimedOut`]; the items are in no order then.
    pub fn sort<T: Copy>(
        &self,
        items: &mut Vec<T>,
        stage: &'static str,
        sort: impl Fn(&mut [T]),
        order: impl Fn(&T, &T) -> Order,
    ) -> Result<(), TimedOut> {
        if !self.has_end() || items.len() <= SORTED_AT_ONCE {
            sort(items);
            return Ok(());
        }
        for part in items.chunks_mut(SORTED_AT_ONCE) {
            self.check(stage)?;
            sort(part);
        }
        let mut watch = self.watch(stage, MERGED_AT_ONCE);
        let mut merged: Vec<T> = Vec::with_capacity(items.len());
        let mut length = SORTED_AT_ONCE;
        while length < items.len() {
            merged.clear();
            for pair in items.chunks(2 * length) {
                let (mut first, mut second) = pair.split_at(length.min(pair.len()));
                // Parts that are already in order take one comparison.
                if let (Some(last), Some(next)) = (first.last(), second.first())
                    && order(next, last).is_ge()
                {
                    merged.extend_from_slice(pair);
                    continue;
                }
                // On ties the first part comes first, so that a stable order stays stable.
                while let (Some((one, rest)), Some((other, behind))) =
                    (first.split_first(), second.split_first())
                {
                    watch.step()?;
                    if order(other, one).is_lt() {
                        merged.push(*other);
                        second = behind;
                    } else {
                        merged.push(*one);
                        first = rest;
                    }
                }
                merged.extend_from_slice(first);
                merged.extend_from_slice(second);
            }
            std::mem::swap(items, &mut merged);
            length *= 2;
        }
        Ok(())
    }
}

/// Counts the steps of a loop, and checks the deadline from time to time.
#[derive(Clone, Debug)]
pub struct Watch {
    deadline: Deadline,
    stage: &'static str,
    steps: u32,
    left: u32,
}

impl Watch {
    /// One step.
    ///
    /// # Errors
    /// [`TimedOut`] if a check is due and the deadline is over.
    #[inline]
    pub fn step(&mut self) -> Result<(), TimedOut> {
        self.left -= 1;
        if self.left == 0 { self.clock() } else { Ok(()) }
    }

    /// Takes `count` steps at once; a small `count` costs as little as one step.
    ///
    /// # Errors
    /// As [`Watch::step`].
    #[inline]
    pub fn take(&mut self, count: usize) -> Result<(), TimedOut> {
        match u32::try_from(count).ok().and_then(|count| self.left.checked_sub(count)) {
            Some(left) if left > 0 => {
                self.left = left;
                Ok(())
            }
            _ => self.clock(),
        }
    }

    #[cold]
    fn clock(&mut self) -> Result<(), TimedOut> {
        self.left = self.steps;
        self.deadline.check(self.stage)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn deadline_never_is_never_over() {
        let deadline = Deadline::default();
        let mut watch = deadline.watch("waiting", 1);
        assert!((0..1000).all(|_| watch.step().is_ok()));
        assert!(watch.take(usize::MAX).is_ok() && !deadline.is_over());
    }

    #[test]
    fn deadline_is_over_after_its_end_and_names_the_stage() {
        let now = Instant::now();
        let over = Deadline::until(now).check("reading").unwrap_err();
        assert_eq!(over.to_string(), "timed out while reading");
        assert!(Deadline::until(now + Duration::from_secs(1000)).check("reading").is_ok());
    }

    #[test]
    fn deadline_after_checks_stays_over() {
        let deadline = Deadline::after_checks(3);
        let seen: Vec<bool> = (0..6).map(|_| deadline.is_over()).collect();
        assert_eq!(seen, [false, false, false, true, true, true]);
    }

    #[test]
    fn watch_checks_after_its_steps_however_they_are_counted() {
        let deadline = Deadline::after_checks(0);
        let mut watch = deadline.watch("counting", 4);
        let steps = (0..10).take_while(|_| watch.step().is_ok()).count();
        assert_eq!(steps, 3, "the fourth checks");
        assert!(deadline.watch("counting", 4).take(3).is_ok());
        assert!(deadline.watch("counting", 4).take(4).is_err());
        assert!(deadline.watch("counting", 4).take(usize::MAX).is_err());
    }

    #[test]
    fn sort_with_a_deadline_is_the_same_sort() {
        let mut seed = 1_u32;
        let mut random = || {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            seed >> 20
        };
        for count in [0, 1, SORTED_AT_ONCE, SORTED_AT_ONCE * 5 + 77] {
            let items: Vec<(u32, usize)> = (0..count).map(|place| (random(), place)).collect();
            let mut known = items.clone();
            known.sort_by_key(|item| item.0);
            let mut found = items;
            let deadline = Deadline::after_checks(usize::MAX);
            let by_key = |part: &mut [(u32, usize)]| part.sort_by_key(|item| item.0);
            deadline.sort(&mut found, "sorting", by_key, |a, b| a.0.cmp(&b.0)).unwrap();
            assert!(found == known, "{count}");
            let late = Deadline::after_checks(0);
            let result = late.sort(&mut found, "sorting", by_key, |a, b| a.0.cmp(&b.0));
            assert_eq!(result.is_err(), count > SORTED_AT_ONCE);
        }
    }
}
