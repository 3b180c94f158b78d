//! Names of arbitrary output variables (AOVs), which are drawn beside a picture: `depth`,
//! `joint:spine`, ...
//!
//! Input: an entry of `output.aov`, or the text of `--aov`. Output: the [`Aov`] that it names.
//! Joint names are checked when the models are loaded.

use thiserror::Error;
use tintype_base::suggest::{hint, nearest_word};

/// Arbitrary output variable: a picture of other data than light, drawn beside each frame.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Aov {
    /// Distance along the view axis, near light to far dark.
    Depth,
    /// Normals in world space.
    Normal,
    /// Texture coordinates.
    Uv,
    /// Index of the visible mesh.
    Mesh,
    /// Index of the visible material.
    Material,
    /// Weight of the joints of that name.
    Joint(String),
    /// Distances by which the morph targets of this name move vertices.
    Target(String),
    /// Joints and bones over the dimmed picture.
    Skeleton,
    /// Edges of visible triangles over the dimmed picture.
    Wireframe,
    /// Vertex normals as needles over the dimmed picture.
    Needles,
    /// Bounding boxes of instances and meshes over the dimmed picture.
    Bounds,
    /// Number of triangles that cover each pixel.
    Overdraw,
    /// Metalness.
    Metallic,
    /// Roughness of surfaces.
    Roughness,
    /// Fraction of ambient light that reaches surfaces.
    Occlusion,
    /// The picture in only the light from all around.
    Environment,
}

/// Error of a text that is not an AOV, or of a list of them.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum AovError {
    /// No AOV has that name.
    #[error("unknown view {found:?}{}; the views are {}", hint(.nearest.as_deref()), Aov::ALLOWED)]
    Unknown {
        /// The text.
        found: String,
        /// The AOV with the most similar name.
        nearest: Option<String>,
    },
    /// `joint:` without the name of a joint.
    #[error("{found:?} lacks the joint's name; write joint:NAME, such as joint:spine")]
    NoJoint {
        /// The text.
        found: String,
    },
    /// `target:` without the name of a morph target.
    #[error("{found:?} lacks the morph target's name; write target:NAME, such as target:smile")]
    NoTarget {
        /// The text.
        found: String,
    },
    /// Two AOVs of a list would be the same file.
    #[error("the views {first:?} and {second:?} would both be named {word:?}; keep one of them")]
    Twice {
        /// The first of them.
        first: String,
        /// The second of them.
        second: String,
        /// The part of the file name that both have.
        word: String,
    },
}

impl Aov {
    /// AOVs without a parameter, with their names.
    pub const PLAIN: [(&'static str, Self); 14] = [
        ("depth", Self::Depth),
        ("normal", Self::Normal),
        ("uv", Self::Uv),
        ("mesh", Self::Mesh),
        ("material", Self::Material),
        ("skeleton", Self::Skeleton),
        ("wireframe", Self::Wireframe),
        ("needles", Self::Needles),
        ("bounds", Self::Bounds),
        ("overdraw", Self::Overdraw),
        ("metallic", Self::Metallic),
        ("roughness", Self::Roughness),
        ("occlusion", Self::Occlusion),
        ("environment", Self::Environment),
    ];
    /// All names, for messages.
    pub const ALLOWED: &'static str = "depth, normal, uv, mesh, material, joint:NAME, target:NAME, skeleton, wireframe, needles, bounds, overdraw, metallic, roughness, occlusion and environment";
    const JOINT: &'static str = "joint:";
    const TARGET: &'static str = "target:";

    /// Parses the name of one AOV.
    ///
    /// # Errors
    /// [`AovError`] if it is not an AOV.
    pub fn parse(text: &str) -> Result<Self, AovError> {
        let short = || text.chars().take(200).collect::<String>();
        if let Some(name) = text.strip_prefix(Self::JOINT) {
            let has_name = !name.trim().is_empty();
            let named = has_name.then(|| Self::Joint(name.to_owned()));
            return named.ok_or_else(|| AovError::NoJoint { found: short() });
        }
        if let Some(name) = text.strip_prefix(Self::TARGET) {
            let has_name = !name.trim().is_empty();
            let named = has_name.then(|| Self::Target(name.to_owned()));
            return named.ok_or_else(|| AovError::NoTarget { found: short() });
        }
        match text {
            "joint" => return Err(AovError::NoJoint { found: short() }),
            "target" => return Err(AovError::NoTarget { found: short() }),
            _ => {}
        }
        let found = Self::PLAIN.into_iter().find(|(word, _)| *word == text);
        found.map(|(_, view)| view).ok_or_else(|| AovError::Unknown {
            found: short(),
            nearest: nearest_word(text, Self::PLAIN.map(|(word, _)| word)),
        })
    }

    /// Parses a list with commas; `none` is the empty list.
    ///
    /// # Errors
    /// [`AovError`] for the first entry that is not an AOV, or has the file name of an earlier one.
    pub fn parse_list(text: &str) -> Result<Vec<Self>, AovError> {
        if text.trim() == "none" {
            return Ok(Vec::new());
        }
        let views: Vec<Self> =
            text.split(',').map(|entry| Self::parse(entry.trim())).collect::<Result<_, _>>()?;
        check_apart(&views)?;
        Ok(views)
    }

    /// The name as a scene writes it.
    #[must_use]
    pub fn word(&self) -> String {
        match self {
            Self::Joint(name) => format!("{}{name}", Self::JOINT),
            Self::Target(name) => format!("{}{name}", Self::TARGET),
            plain => {
                let found = Self::PLAIN.into_iter().find(|(_, view)| view == plain);
                found.map_or_else(String::new, |(word, _)| word.to_owned())
            }
        }
    }

    /// The name as a part of file names: `joint-upper_arm` for `joint:upper arm`.
    #[must_use]
    pub fn file_word(&self) -> String {
        let keep = |letter: char| letter.is_alphanumeric() || letter == '-' || letter == '_';
        let letter = |letter: char| match letter {
            ':' => '-',
            letter if keep(letter) => letter,
            _ => '_',
        };
        // A file name has 255 bytes, some of them for the frame number.
        self.word().chars().take(48).map(letter).collect()
    }
}

/// Fails for the first AOV whose file names collide with another's.
pub(super) fn check_apart(views: &[Aov]) -> Result<(), AovError> {
    for (index, view) in views.iter().enumerate() {
        let word = view.file_word();
        // Some file systems ignore case.
        let is_same = |first: &&Aov| first.file_word().to_lowercase() == word.to_lowercase();
        if let Some(first) = views.iter().take(index).find(is_same) {
            return Err(AovError::Twice { first: first.word(), second: view.word(), word });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn aov_words_survive_the_round_trip() {
        for text in ["depth", "uv", "overdraw", "joint:Bip01 L Thigh", "joint:a:b", "target:smile"]
        {
            assert_eq!(Aov::parse(text).unwrap().word(), text);
        }
        assert_eq!(Aov::parse_list(" depth, joint:hips ").unwrap().len(), 2);
        assert_eq!(Aov::parse_list("none"), Ok(Vec::new()));
        for (word, _) in Aov::PLAIN {
            assert!(Aov::ALLOWED.contains(word), "{word}");
        }
    }

    #[test]
    fn aov_files_have_plain_names() {
        assert_eq!(Aov::parse("joint:Bip01 L/Thigh").unwrap().file_word(), "joint-Bip01_L_Thigh");
        assert_eq!(Aov::Depth.file_word(), "depth");
    }

    #[test]
    fn aov_mistakes_say_what_is_meant() {
        for (text, message) in [
            (
                "dpeth",
                "unknown view \"dpeth\"; did you mean \"depth\"?; the views are depth, normal",
            ),
            ("", "unknown view \"\"; the views are"),
            ("joint", "\"joint\" lacks the joint's name; write joint:NAME"),
            ("joint: ", "lacks the joint's name"),
            ("target", "\"target\" lacks the morph target's name; write target:NAME"),
            ("uv,depth,uv", "\"uv\" and \"uv\" would both be named \"uv\""),
            ("joint:Hips,joint:hips", "would both be named \"joint-hips\""),
            ("joint:a b,joint:a_b", "would both be named \"joint-a_b\""),
        ] {
            let found = Aov::parse_list(text).unwrap_err().to_string();
            assert!(found.contains(message), "{found}");
        }
    }
}
