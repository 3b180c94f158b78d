//! Faults of a document that cost a part of it, reported as warnings in the order of discovery.

use super::error::GltfError;
use std::cell::RefCell;
use std::collections::BTreeMap;
use tintype_model::{FileRepair, Warning};

/// Maximum number of listed warnings of one kind; more are only counted.
const MAX_OF_A_KIND: usize = 20;

/// The faults of one file.
#[derive(Default)]
pub(super) struct RepairLog {
    list: RefCell<Vec<Warning>>,
    /// The first mistake that makes numbers unavailable.
    cause: RefCell<Option<GltfError>>,
    /// Paths of values that were skipped and reported; their consequences are not reported.
    lost: RefCell<Vec<String>>,
}

impl RepairLog {
    /// Reports a fault; the same message only once.
    pub(super) fn tell(&self, fault: FileRepair, message: impl Into<String>) {
        let warning = fault.told(message);
        let follows = |lost: &String| {
            let rest = warning.message.strip_prefix(lost.as_str());
            rest.is_some_and(|rest| rest.starts_with([':', '.', '[']))
        };
        if self.lost.borrow().iter().any(follows) {
            return;
        }
        let mut list = self.list.borrow_mut();
        if !list.contains(&warning) {
            list.push(warning);
        }
    }

    /// Reports and skips a value of another form.
    pub(super) fn lose(&self, path: &str, error: &GltfError) {
        self.tell(FileRepair::WrongType, format!("{error}; skipped"));
        self.lost.borrow_mut().push(path.to_owned());
    }

    /// Notes a mistake that makes numbers unavailable: in the text, or a truncated file. The first
    /// one counts.
    pub(super) fn note_cause(&self, error: GltfError) {
        let mut cause = self.cause.borrow_mut();
        if cause.is_none() {
            *cause = Some(error);
        }
    }

    /// The error of a file that cannot be drawn: an error of a value is replaced by the mistake
    /// that made numbers unavailable.
    pub(super) fn cause_of(&self, error: GltfError) -> GltfError {
        let is_of_value = matches!(error, GltfError::Value { .. });
        self.cause.take().filter(|_| is_of_value).unwrap_or(error)
    }

    /// A part that is skipped if it cannot be read; the warning contains `instead`.
    ///
    /// # Errors
    /// [`GltfError::Limit`] and [`GltfError::TimedOut`], which end the reading of the file.
    pub(super) fn part<T>(
        &self,
        fault: FileRepair,
        part: Result<T, GltfError>,
        instead: &str,
    ) -> Result<Option<T>, GltfError> {
        match part {
            Ok(part) => Ok(Some(part)),
            Err(error) => {
                self.tell(fault, format!("{}; {instead}", error.of_part()?));
                Ok(None)
            }
        }
    }

    /// The warnings; for a frequent kind, the first ones and the number of others.
    pub(super) fn finish(&self) -> Vec<Warning> {
        let mut counts = BTreeMap::<&str, usize>::new();
        let mut list = self.list.take();
        list.retain(|warning| {
            let count = counts.entry(warning.fault.slug()).or_default();
            *count += 1;
            *count <= MAX_OF_A_KIND
        });
        for (slug, count) in counts.into_iter().filter(|(_, count)| *count > MAX_OF_A_KIND) {
            let more = count - MAX_OF_A_KIND;
            list.push(
                FileRepair::MoreWarnings.told(format!("and {more} more warnings of kind {slug}")),
            );
        }
        list
    }
}
