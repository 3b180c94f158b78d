//! A clip of another file than that of the model that it moves.

use crate::clip_folders::stem;

/// A clip of another file than the model's.
#[derive(Debug, PartialEq)]
pub(super) struct ClipFile {
    pub file: String,
    /// The index and the name of that of several which is asked for; none for the first.
    pub set: Option<(u32, String)>,
}

impl ClipFile {
    pub(super) fn new(file: String) -> Self {
        Self { file, set: None }
    }

    pub(super) fn name(&self) -> String {
        self.set.as_ref().map_or_else(|| stem(&self.file), |(_, name)| name.clone())
    }
}
