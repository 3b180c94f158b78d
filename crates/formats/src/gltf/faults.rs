//! Faults of a document that cost a part of it: told as warnings, in the order in which they are found.

use super::error::GltfError;
use std::cell::RefCell;
use std::collections::BTreeMap;
use tintype_model::{Fault, Warning};

/// Warnings of one kind that are listed; more are counted.
const MOST_OF_A_KIND: usize = 20;

/// The faults of one file.
#[derive(Default)]
pub(super) struct Faults(RefCell<Vec<Warning>>);

impl Faults {
    /// Tells of a fault, once in the same words.
    pub(super) fn tell(&self, fault: Fault, message: impl Into<String>) {
        let warning = fault.told(message);
        let mut list = self.0.borrow_mut();
        if !list.contains(&warning) {
            list.push(warning);
        }
    }

    /// A part that is left out if it cannot be read, and the warning says `instead`.
    ///
    /// # Errors
    /// [`GltfError::Limit`] and [`GltfError::TimedOut`], which end the reading of the file.
    pub(super) fn part<T>(
        &self,
        fault: Fault,
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

    /// The warnings; of a kind that is found often, the first ones and the number of others.
    pub(super) fn finish(&self) -> Vec<Warning> {
        let mut counts = BTreeMap::<&str, usize>::new();
        let mut list = self.0.take();
        list.retain(|warning| {
            let count = counts.entry(warning.fault.slug()).or_default();
            *count += 1;
            *count <= MOST_OF_A_KIND
        });
        for (slug, count) in counts.into_iter().filter(|(_, count)| *count > MOST_OF_A_KIND) {
            let more = count - MOST_OF_A_KIND;
            list.push(Fault::MoreWarnings.told(format!("and {more} more of the kind {slug}")));
        }
        list
    }
}
