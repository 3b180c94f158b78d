//! The cause of the difference between two golden pictures, by the records of their stages; nothing is drawn.

use super::check::read_record;
use crate::compare::Difference;
use crate::record::{Cause, find_cause};
use std::path::Path;

/// The cause of `difference` between two pictures, if a whole record lies beside each.
#[must_use]
pub fn cause_between(old: &Path, new: &Path, difference: &Difference) -> Option<Cause> {
    let [old, new] = [read_record(old).ok()?, read_record(new).ok()?];
    Some(find_cause(&old, &new, difference))
}
