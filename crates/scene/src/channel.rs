//! Names of the channels of a frame: values of the surface in each pixel, as numbers.

use serde::{Deserialize, Serialize};
use thiserror::Error;
use tintype_base::suggest::{hint, nearest_word};

/// Values of the surface that the ray through the centre of each pixel meets first; 0 if it meets
/// none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Channel {
    /// Distance along the view axis.
    Depth,
    /// Distance along the ray: from the eye, or without perspective from the plane of the camera.
    Distance,
    /// Position in world space.
    Position,
    /// Normal of the vertices, interpolated, in world space: of length 1, turned to the viewer,
    /// before any normal map.
    Normal,
    /// The same in view space: x to the right, y up, z toward the viewer.
    NormalView,
    /// Normal of the triangle in world space, turned to the viewer.
    FaceNormal,
    /// The same in view space.
    FaceNormalView,
    /// Texture coordinates, not wrapped: origin upper left, `v` down.
    Uv,
    /// Barycentric coordinates in the triangle, in the order of its corners.
    Barycentric,
    /// 1 + the number of the triangle in its mesh.
    Triangle,
    /// 1 + the number of the instance in the scene.
    Instance,
    /// 1 + the number of the mesh, through the models of the scene in their order.
    Mesh,
    /// 1 + the number of the material.
    Material,
    /// 1 + the number of the joint with the largest weight at the point, through the models of the
    /// scene in their order.
    Joint,
    /// Colour of the surface before light: red, green and blue, linear.
    Albedo,
    /// Movement of the point on the picture until the next frame of the scene, in pixels: to the
    /// right and down. NaN in the last frame, and if the point is then not in front of the camera
    /// or not drawn.
    Motion,
    /// Fraction of the pixel's samples that show a surface: the only value that is not taken at its
    /// centre.
    Coverage,
}

/// Error of a text that names no channel.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error(
    "unknown channel {found:?}{}; the channels are {}",
    hint(.nearest.as_deref()),
    Channel::WORDS.map(|(word, _)| word).join(", ")
)]
pub struct UnknownChannel {
    /// The text.
    pub found: String,
    /// The channel with the most similar name.
    pub nearest: Option<String>,
}

impl Channel {
    /// All channels with their names.
    pub const WORDS: [(&'static str, Self); 17] = [
        ("depth", Self::Depth),
        ("distance", Self::Distance),
        ("position", Self::Position),
        ("normal", Self::Normal),
        ("normal_view", Self::NormalView),
        ("face_normal", Self::FaceNormal),
        ("face_normal_view", Self::FaceNormalView),
        ("uv", Self::Uv),
        ("barycentric", Self::Barycentric),
        ("triangle", Self::Triangle),
        ("instance", Self::Instance),
        ("mesh", Self::Mesh),
        ("material", Self::Material),
        ("joint", Self::Joint),
        ("albedo", Self::Albedo),
        ("motion", Self::Motion),
        ("coverage", Self::Coverage),
    ];

    /// The channel of a name.
    ///
    /// # Errors
    /// [`UnknownChannel`] with the name that may have been meant.
    pub fn parse(word: &str) -> Result<Self, UnknownChannel> {
        let found = Self::WORDS.into_iter().find(|(own, _)| *own == word);
        found.map(|(_, channel)| channel).ok_or_else(|| UnknownChannel {
            found: word.chars().take(200).collect(),
            nearest: nearest_word(word, Self::WORDS.map(|(own, _)| own)),
        })
    }

    /// Its name.
    #[must_use]
    pub fn word(self) -> &'static str {
        let own = Self::WORDS.into_iter().find(|(_, own)| *own == self);
        own.expect("all channels have names").0
    }

    /// Names with commas, in their order.
    #[must_use]
    pub fn listed(channels: &[Self]) -> String {
        channels.iter().map(|own| own.word()).collect::<Vec<_>>().join(",")
    }

    /// Numbers of each pixel.
    #[must_use]
    pub fn width(self) -> usize {
        match self {
            Self::Position
            | Self::Normal
            | Self::NormalView
            | Self::FaceNormal
            | Self::FaceNormalView
            | Self::Barycentric
            | Self::Albedo => 3,
            Self::Uv | Self::Motion => 2,
            _ => 1,
        }
    }

    /// True for distances from the camera.
    #[must_use]
    pub fn is_distance(self) -> bool {
        matches!(self, Self::Depth | Self::Distance)
    }

    /// True if its values are integers that count from 1.
    #[must_use]
    pub fn is_index(self) -> bool {
        matches!(self, Self::Triangle | Self::Instance | Self::Mesh | Self::Material | Self::Joint)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn channels_are_known_by_their_names() {
        for (word, channel) in Channel::WORDS {
            assert_eq!(Channel::parse(word), Ok(channel));
            assert_eq!(channel.word(), word);
        }
        let error = Channel::parse("dpeth").unwrap_err().to_string();
        assert!(error.contains("did you mean \"depth\"?; the channels are depth, "), "{error}");
    }
}
