//! The stages of a picture, as named by findings and causes.

use serde::{Deserialize, Serialize};

/// A stage, in the order of the pipeline.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Stage {
    /// The scene file; the camera, the lights and the materials that it takes from other files.
    Scene,
    /// Rate, number of keys and duration of a clip.
    Time,
    /// Added and removed joints and meshes; parents of joints.
    Structure,
    /// Joints in the bind pose, and the offsets of joints against it.
    Bind,
    /// Joints in the poses of a clip.
    Pose,
    /// Weights, and vertices in the spaces of their joints.
    Skin,
    /// Triangles, texture coordinates, vertex colours, normals.
    Mesh,
    /// Materials of a file and their textures.
    Material,
    /// Visible triangle of each sample.
    Visibility,
    /// The file of a texture, if no earlier stage differs.
    Texture,
    /// The light on visible surfaces.
    Shading,
    /// The drawing code, if the scene and its files are equal.
    Drawing,
}

impl Stage {
    /// The word in messages and in JSON.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Scene => "scene",
            Self::Time => "time",
            Self::Structure => "structure",
            Self::Bind => "bind",
            Self::Pose => "pose",
            Self::Skin => "skin",
            Self::Mesh => "mesh",
            Self::Material => "material",
            Self::Visibility => "visibility",
            Self::Texture => "texture",
            Self::Shading => "shading",
            Self::Drawing => "drawing",
        }
    }
}

impl core::fmt::Display for Stage {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(self.word())
    }
}
