//! Exit codes of commands.

/// All was done.
pub const DONE: u8 = 0;
/// Compared, and different; a golden is missing or belongs to no scene; frames are missing or stale.
pub const DIFFERENT: u8 = 1;
/// Bad usage or bad input: never worth a retry.
pub const BAD_INPUT: u8 = 2;
/// Some of the work failed for good, a sequence is empty, or `--strict` met a warning.
pub const INCOMPLETE: u8 = 3;
/// Temporary trouble, such as a full disk: run it again.
pub const TRY_AGAIN: u8 = 75;
/// Ended by Ctrl-C, as shells count it; what is written is whole.
pub const INTERRUPTED: u8 = 130;
