//! Exit codes of commands.

use tintype::DiffVerdict;
use tintype_golden::run::Ending;

/// Success.
pub(crate) const DONE: u8 = 0;
/// Compared, and different; a golden is missing or has no scene; frames are missing or out of date.
pub(crate) const DIFFERENT: u8 = 1;
/// Bad usage or bad input; a retry fails again.
pub(crate) const BAD_INPUT: u8 = 2;
/// Some of the work failed permanently, a sequence is empty, or `--strict` found a warning.
pub(crate) const INCOMPLETE: u8 = 3;
/// Temporary failure, such as a full disk: run it again.
pub(crate) const TRY_AGAIN: u8 = 75;
/// A revision cannot be judged: `git bisect run` skips it on this code.
pub(crate) const CANNOT_TELL: u8 = 125;
/// Interrupted by Ctrl-C, as shells count it; all written files are complete.
pub(crate) const INTERRUPTED: u8 = 130;

/// The code of a comparison.
pub(crate) fn of_diff(verdict: DiffVerdict) -> u8 {
    match verdict {
        DiffVerdict::Same | DiffVerdict::Within => DONE,
        DiffVerdict::Unreadable => BAD_INPUT,
        DiffVerdict::Temporary => TRY_AGAIN,
        _ => DIFFERENT,
    }
}

/// The code of a test of goldens.
pub(crate) fn of(ending: Ending) -> u8 {
    match ending {
        Ending::Passed => DONE,
        Ending::Different => DIFFERENT,
        Ending::BadInput => BAD_INPUT,
        Ending::Empty => INCOMPLETE,
        Ending::Temporary => TRY_AGAIN,
    }
}
