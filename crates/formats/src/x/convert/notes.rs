//! Counts of irregularities in the animations of a set, for one warning of each kind.

use crate::text::SourcePosition;
use tintype_base::amount::counted;
use tintype_model::{FileRepair, Warning};

/// Number of occurrences, and the position of the first one.
#[derive(Default)]
pub(super) struct Note {
    count: usize,
    first: Option<SourcePosition>,
}

impl Note {
    pub(super) fn note(&mut self, position: SourcePosition) {
        self.count += 1;
        self.first = self.first.or(Some(position));
    }
}

/// Occurrences of each kind in one animation set.
#[derive(Default)]
pub(super) struct Notes {
    pub(super) nameless: Note,
    pub(super) doubled: Note,
    pub(super) unknown: Note,
    pub(super) strays: Note,
    pub(super) miscounted: Note,
    pub(super) not_numbers: Note,
    pub(super) mixed: Note,
    pub(super) sheared: Note,
    pub(super) unsorted: Note,
}

impl Notes {
    pub(super) fn warn(self, set: &str, warnings: &mut Vec<Warning>) {
        for (fault, note, noun, what) in [
            (
                FileRepair::BadReference,
                self.nameless,
                "animation",
                "without a named frame; skipped",
            ),
            (
                FileRepair::Duplicate,
                self.doubled,
                "animation",
                "of a frame that already has one; they move what the first leaves unset",
            ),
            (FileRepair::UnknownPart, self.unknown, "key list", "of an unknown type; skipped"),
            (
                FileRepair::Leftover,
                self.strays,
                "key list",
                "with numbers outside any key; skipped",
            ),
            (
                FileRepair::CountMismatch,
                self.miscounted,
                "key list",
                "with a different number of keys than declared",
            ),
            (
                FileRepair::NotFinite,
                self.not_numbers,
                "key",
                "that are not numbers or have zero length; skipped",
            ),
            (
                FileRepair::Duplicate,
                self.mixed,
                "animation",
                "with matrix keys and others; the matrices are used",
            ),
            (
                FileRepair::Skewed,
                self.sheared,
                "matrix key",
                "with skewed axes; the nearest scale and rotation are used",
            ),
            (
                FileRepair::KeyTimes,
                self.unsorted,
                "key list",
                "with times that do not increase; keys are sorted, and the last of equal times is used",
            ),
        ] {
            if let Some(position) = note.first {
                let count = counted(note.count, noun);
                warnings.push(position.fault(fault, &format!("{set}: {count} {what}")));
            }
        }
    }
}
