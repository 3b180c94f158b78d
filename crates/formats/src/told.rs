//! Faults of a file: each kind is reported once with its first position and its count.

use crate::FilePlace;
use std::collections::BTreeMap;
use tintype_model::{FileRepair, Warning};

/// Faults that were found so far.
#[derive(Default)]
pub(crate) struct Told {
    /// By description: the count, and the first one.
    faults: BTreeMap<&'static str, (usize, Warning)>,
}

impl Told {
    /// Notes a fault; `what` describes the fault and the replacement, and equal descriptions are
    /// counted together.
    pub(crate) fn note(&mut self, fault: FileRepair, at: FilePlace, what: &'static str) {
        self.note_with(fault, at, what, String::new);
    }

    /// As [`Self::note`], with details of the first occurrence.
    pub(crate) fn note_with(
        &mut self,
        fault: FileRepair,
        at: FilePlace,
        what: &'static str,
        found: impl FnOnce() -> String,
    ) {
        let first = || {
            let found = Some(found()).filter(|found| !found.is_empty());
            let message = found.map_or(what.to_owned(), |found| format!("{found}: {what}"));
            match at {
                FilePlace::Line(line) => fault.at(line, message),
                FilePlace::Byte(byte) => fault.told(format!("byte {byte}: {message}")),
            }
        };
        self.faults.entry(what).or_insert_with(|| (0, first())).0 += 1;
    }

    /// Adds a warning for each kind of fault.
    pub(crate) fn finish(self, warnings: &mut Vec<Warning>) {
        let first = warnings.len();
        for (count, mut warning) in self.faults.into_values() {
            if count > 1 {
                warning.message.push_str(&format!(" ({count} times; this is the first)"));
            }
            warnings.push(warning);
        }
        if let Some(own) = warnings.get_mut(first..) {
            own.sort_by_key(|warning| warning.line);
        }
    }
}
