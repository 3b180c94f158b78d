//! Retries of a write that failed for a temporary reason, such as a full disk.

use super::stop::StopToken;
use std::time::Duration;

/// Number of retries, and the pauses before them: each is twice as long as the previous one, up to
/// a limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Retry {
    /// Retries after the first attempt.
    pub count: u32,
    /// Pause before the first retry.
    pub first_pause: Duration,
    /// Upper limit of a pause.
    pub longest_pause: Duration,
}

impl Default for Retry {
    fn default() -> Self {
        Self::times(0)
    }
}

impl Retry {
    /// Retries after 0.5 s, 1 s, 2 s, 4 s and then every 8 s.
    #[must_use]
    pub const fn times(count: u32) -> Self {
        let (first_pause, longest_pause) = (Duration::from_millis(500), Duration::from_secs(8));
        Self { count, first_pause, longest_pause }
    }

    /// Calls `write` until it succeeds, fails permanently, or no retry is left; returns the number
    /// of retries.
    ///
    /// A stop request ends the pause at once and allows one last attempt.
    ///
    /// # Errors
    /// The error of the last attempt.
    pub fn run<E>(
        &self,
        stop: &StopToken,
        is_temporary: impl Fn(&E) -> bool,
        mut write: impl FnMut() -> Result<(), E>,
    ) -> Result<u32, E> {
        let mut pause = self.first_pause;
        let mut used = 0;
        loop {
            match write() {
                Ok(()) => return Ok(used),
                Err(error)
                    if used == self.count || stop.is_requested() || !is_temporary(&error) =>
                {
                    return Err(error);
                }
                Err(_) => {}
            }
            wait(pause, stop);
            used += 1;
            pause = (pause * 2).min(self.longest_pause);
        }
    }
}

/// Sleeps, in slices, so that a stop request is noticed soon.
fn wait(pause: Duration, stop: &StopToken) {
    const SLICE: Duration = Duration::from_millis(50);
    let mut left = pause;
    while !left.is_zero() && !stop.is_requested() {
        let slice = left.min(SLICE);
        std::thread::sleep(slice);
        left -= slice;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const QUICK: Retry =
        Retry { count: 3, first_pause: Duration::ZERO, longest_pause: Duration::ZERO };

    #[test]
    fn retry_repeats_temporary_failures_only() {
        let run = |fails: u32, temporary: bool| {
            let mut calls = 0;
            let result = QUICK.run(
                &StopToken::new(),
                |_| temporary,
                || {
                    calls += 1;
                    if calls <= fails { Err("full") } else { Ok(()) }
                },
            );
            (result, calls)
        };
        assert_eq!(run(0, true), (Ok(0), 1));
        assert_eq!(run(3, true), (Ok(3), 4));
        assert_eq!(run(4, true), (Err("full"), 4));
        assert_eq!(run(1, false), (Err("full"), 1));
    }

    #[test]
    fn retry_ends_when_the_job_is_stopped() {
        let stop = StopToken::new();
        let mut calls = 0;
        let long = Retry { count: 9, first_pause: Duration::from_secs(600), ..Retry::times(9) };
        let result = long.run(
            &stop,
            |_: &()| true,
            || {
                calls += 1;
                stop.request();
                Err(())
            },
        );
        assert_eq!((result, calls), (Err(()), 1));
    }
}
