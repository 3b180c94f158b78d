//! The cause of the difference between two golden pictures, by the records of their stages; nothing is drawn.

use super::read_record::RecordReader;
use crate::compare::Difference;
use crate::record::{Cause, find_cause};
use std::path::Path;

/// The cause of `difference` between two pictures, if a whole record lies beside each.
#[must_use]
pub fn cause_between(old: &Path, new: &Path, difference: &Difference) -> Option<Cause> {
    let reader = RecordReader::default();
    let [old, new] = [reader.read(old).ok()?, reader.read(new).ok()?];
    Some(find_cause(&old, &new, difference))
}
