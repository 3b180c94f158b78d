//! Stages of a difference between two exports, in the order in which a pose is made.

use serde::Serialize;
use tintype_base::printable::one_line;

/// The stage at which two exports differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Stage {
    /// Rate, number of keys and duration of a clip.
    Time,
    /// Joints and meshes that are gone or new; parents of joints.
    Structure,
    /// Joints in the bind pose, and the offsets of joints against it.
    Bind,
    /// Joints in the poses of a clip.
    Pose,
    /// Weights, and vertices in the spaces of their joints.
    Skin,
    /// Triangles, texture coordinates, vertex colours, normals.
    Mesh,
    /// Materials and their textures.
    Material,
    /// Cameras and lights of the file.
    Parts,
}

impl Stage {
    /// The word in messages and in JSON.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Time => "time",
            Self::Structure => "structure",
            Self::Bind => "bind",
            Self::Pose => "pose",
            Self::Skin => "skin",
            Self::Mesh => "mesh",
            Self::Material => "material",
            Self::Parts => "parts",
        }
    }
}

/// A difference with its stage.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// The stage.
    pub stage: Stage,
    /// The difference in a sentence of one line, whatever names it holds.
    pub text: String,
}

impl Finding {
    pub(super) fn new(stage: Stage, text: impl Into<String>) -> Self {
        Self { stage, text: one_line(&text.into()) }
    }
}

impl core::fmt::Display for Finding {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "{}: {}", self.stage.word(), self.text)
    }
}
