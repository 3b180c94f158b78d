//! The stages of a picture, as causes name them.

/// A stage of the pipeline.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stage {
    /// The scene file, or the camera and the materials that it leaves to other files.
    Scene,
    /// The joints.
    Pose,
    /// The vertices.
    Skin,
    /// Visible triangle of each sample.
    Visibility,
    /// A texture, where nothing before it differs.
    Texture,
    /// The light on what is seen.
    Shading,
    /// The code that draws, where the scene and its files are equal.
    Drawing,
}

impl core::fmt::Display for Stage {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(match self {
            Self::Scene => "scene",
            Self::Pose => "pose",
            Self::Skin => "skin",
            Self::Visibility => "visibility",
            Self::Texture => "texture",
            Self::Shading => "shading",
            Self::Drawing => "drawing",
        })
    }
}
