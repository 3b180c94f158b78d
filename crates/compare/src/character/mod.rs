//! Comparison of two characters: changes of the model and of each of its clips.
//!
//! Input: two models with all of their clips. Output: a [`ModelPair`] with one part for the bind
//! pose and one for each clip, each with its differences by stage. Every key of every clip is
//! compared; pictures are drawn only where something differs, at the time of the largest
//! difference.

mod compare;
mod pictures;
mod sheet;

pub use compare::{compare_characters, misfit};

use crate::finding::{Finding, told};
use crate::model_diff::ModelDiff;
use serde::Serialize;
use tintype_formats::LoadOptions;
use tintype_model::frame::Frame;

/// Options of a comparison.
#[derive(Clone, Debug, Default)]
pub struct ExportOptions {
    /// Limits of the files.
    pub load_options: LoadOptions,
    /// Distance below which vertices count as equal, as a fraction of the diagonal; 0 for exact
    /// equality.
    pub tolerance: f32,
    /// True to draw pictures of differences.
    pub draws: bool,
    /// Maximum number of joints listed for a part.
    pub most_joints: usize,
}

/// A model of one or both sides.
#[derive(Debug, Serialize)]
pub struct ModelPair {
    /// Its path below the folder; for files the name of the second.
    pub name: String,
    /// The result.
    pub state: PairState,
    /// Its name in the first folder, if renamed.
    pub renamed_from: Option<String>,
    /// The reason why it could not be compared.
    pub error: Option<String>,
    /// True if another attempt can read it.
    #[serde(skip)]
    pub is_temporary: bool,
    /// Clips that do not bind, and other remarks.
    #[serde(serialize_with = "told")]
    pub notes: Vec<Finding>,
    /// The model in its bind pose, then its clips by name.
    pub parts: Vec<Part>,
}

/// Result of a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum PairState {
    /// The same content.
    Same,
    /// Different within the tolerance.
    Within,
    /// Different.
    Different,
    /// Missing on the second side.
    OnlyA,
    /// Missing on the first side.
    OnlyB,
    /// One side cannot be read.
    Unreadable,
}

impl PairState {
    /// The word in JSON.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Same => "same",
            Self::Within => "within",
            Self::Different => "different",
            Self::OnlyA => "only-a",
            Self::OnlyB => "only-b",
            Self::Unreadable => "unreadable",
        }
    }

    /// True if the pair passes.
    #[must_use]
    pub fn passes(self) -> bool {
        matches!(self, Self::Same | Self::Within)
    }
}

impl std::fmt::Display for PairState {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.word())
    }
}

/// The model in its bind pose, or one of its clips.
#[derive(Debug, Serialize)]
pub struct Part {
    /// The name of the clip. None for the model.
    pub clip: Option<String>,
    /// The result.
    pub state: PairState,
    /// The differences, ordered by stage. Those of the model are not repeated for its clips.
    #[serde(serialize_with = "told")]
    pub findings: Vec<Finding>,
    /// The whole comparison. None if the clip is missing on one side.
    pub diff: Option<ModelDiff>,
    /// Time in the clip that the pictures show, in seconds from its start.
    pub at_s: f64,
    /// Pictures of both sides through the camera fitted to the first.
    #[serde(skip)]
    pub pictures: Option<[Frame; 2]>,
}

impl ModelPair {
    /// A model that is not compared yet.
    #[must_use]
    pub fn new(name: String) -> Self {
        Self {
            name,
            state: PairState::Same,
            renamed_from: None,
            error: None,
            is_temporary: false,
            notes: Vec::new(),
            parts: Vec::new(),
        }
    }

    /// The first difference, and its part.
    #[must_use]
    pub fn headline(&self) -> Option<String> {
        let part = self.parts.iter().find(|part| !part.state.passes())?;
        part.findings.first().map(ToString::to_string)
    }

    /// Number of times at which its poses were compared.
    #[must_use]
    pub fn moments(&self) -> usize {
        let of_clips = self.parts.iter().filter(|part| part.clip.is_some());
        let all: usize = of_clips.filter_map(|part| Some(part.diff.as_ref()?.moments)).sum();
        if all > 0 { all } else { usize::from(!self.parts.is_empty()) }
    }
}
