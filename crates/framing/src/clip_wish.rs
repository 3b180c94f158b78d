//! A clip that is named for several models, of which some may lack it.

use std::collections::BTreeSet;

/// Models that were to be drawn with a clip of one name. A model that lacks it is drawn as if none
/// were named; if no model has it, the name is wrong.
#[derive(Clone, Debug, Default)]
pub struct ClipWish {
    /// Number of models that were drawn.
    pub models: usize,
    /// Number of these without such a clip.
    pub lacking: usize,
    /// Names of their clips.
    pub names: BTreeSet<String>,
}

impl ClipWish {
    /// Counts a model that was drawn.
    pub fn add(&mut self, lacks_clip: bool, names: impl IntoIterator<Item = String>) {
        self.models += 1;
        self.lacking += usize::from(lacks_clip);
        self.names.extend(names);
    }

    /// True if models were drawn and none has the clip.
    #[must_use]
    pub fn is_of_no_model(&self) -> bool {
        self.models > 0 && self.lacking == self.models
    }
}
