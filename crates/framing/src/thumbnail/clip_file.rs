//! A clip in a different file from the model that it animates.

use crate::clip_folders::stem;
use tintype_model::ClipRange;

/// A clip of another file than the model's.
#[derive(Debug, PartialEq)]
pub(super) struct ClipFile {
    pub file: String,
    /// The index and the name of the requested clip of several. None for the first.
    pub set: Option<(u32, String)>,
    /// The requested part.
    pub part: Option<ClipRange>,
}

impl ClipFile {
    pub(super) fn new(file: String) -> Self {
        Self { file, set: None, part: None }
    }

    pub(super) fn name(&self) -> String {
        self.set.as_ref().map_or_else(|| stem(&self.file), |(_, name)| name.clone())
    }
}
