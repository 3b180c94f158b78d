//! The models that a batch currently has in progress, readable from any thread.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

/// A list of models being drawn, common to its clones.
#[derive(Clone, Debug, Default)]
pub struct InWork {
    list: Arc<Mutex<List>>,
}

#[derive(Debug, Default)]
struct List {
    next: u64,
    names: BTreeMap<u64, String>,
}

/// A model being drawn; dropping it removes it from the list.
#[derive(Debug)]
pub struct Entered {
    list: Arc<Mutex<List>>,
    key: u64,
}

impl InWork {
    /// Adds a model until the result is dropped.
    #[must_use]
    pub fn enter(&self, name: &str) -> Entered {
        let mut list = self.list.lock().unwrap_or_else(PoisonError::into_inner);
        let key = list.next;
        list.next += 1;
        list.names.insert(key, name.to_owned());
        Entered { list: Arc::clone(&self.list), key }
    }

    /// The names, in the order in which their work began. None if another thread is changing the
    /// list.
    #[must_use]
    pub fn names(&self) -> Vec<String> {
        self.list.try_lock().map(|list| list.names.values().cloned().collect()).unwrap_or_default()
    }
}

impl Drop for Entered {
    fn drop(&mut self) {
        self.list.lock().unwrap_or_else(PoisonError::into_inner).names.remove(&self.key);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn models_are_in_work_until_they_are_dropped() {
        let in_work = InWork::default();
        let first = in_work.clone().enter("a");
        let second = in_work.enter("b");
        assert_eq!(in_work.names(), ["a", "b"]);
        drop(first);
        assert_eq!(in_work.names(), ["b"]);
        drop(second);
        assert!(in_work.names().is_empty());
    }
}
