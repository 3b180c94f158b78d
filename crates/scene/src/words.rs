//! Words of scenes for choices among a few: each enum with its words, once.

use tintype_model::Wrap;
use tintype_model::math::Vec3;

/// Declares an enum with a word for each value.
macro_rules! words {
    ($($(#[$meta:meta])* $name:ident { $($(#[$of_value:meta])* $value:ident = $word:literal,)+ })+) => {$(
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $name {
            $($(#[$of_value])* $value,)+
        }

        impl $name {
            /// All, each with its word in scenes.
            pub const WORDS: &'static [(&'static str, Self)] = &[$(($word, Self::$value)),+];
            /// All values.
            pub const ALL: &'static [Self] = &[$(Self::$value),+];
            /// All words.
            pub const NAMES: &'static [&'static str] = &[$($word),+];

            /// Its word in scenes.
            #[must_use]
            pub const fn word(self) -> &'static str {
                match self {
                    $(Self::$value => $word,)+
                }
            }
        }
    )+};
}

words! {
    /// Surfaces of all models.
    #[derive(Default)]
    Shade {
        /// Their materials and textures.
        #[default]
        Textured = "textured",
        /// One plain grey without textures, to show only the shape.
        Clay = "clay",
    }
    /// Look of a scene that names no lights.
    #[derive(Default)]
    Look {
        /// Three lights and a dome, before dark grey.
        Classic = "classic",
        /// The studio environment and one key light with a soft shadow on a ground, before light
        /// grey.
        #[default]
        Studio = "studio",
    }
    /// Curve from the light of the models to the picture.
    ToneCurve {
        /// The curve of Khronos PBR Neutral, which compresses bright light.
        Neutral = "neutral",
        /// Bright light is clamped.
        None = "none",
    }
    /// Treatment of the motion by which a clip carries a model through space.
    #[derive(Default)]
    RootMotion {
        /// The model moves as in its clip.
        #[default]
        Keep = "keep",
        /// Keeps the root joint at its position at the start of the clip.
        Hold = "hold",
        /// As [`RootMotion::Hold`] on the level plane; its motion up and down is kept.
        HoldLevel = "hold-xz",
    }
    /// Springs of hair and cloth described by files.
    #[derive(Default)]
    Springs {
        /// They swing with their clip, from its start.
        #[default]
        Swing = "swing",
        /// They keep the pose of the file, or of the clip.
        Rest = "rest",
    }
    /// Files of channels.
    #[derive(Default, Hash, serde::Serialize, serde::Deserialize)]
    #[serde(rename_all = "lowercase")]
    ChannelFormat {
        /// All in one archive that `numpy.load` reads.
        #[default]
        Npz = "npz",
        /// All in one OpenEXR file.
        Exr = "exr",
        /// A 16-bit grey picture for each: distances in thousandths of a unit of the scene.
        Png = "png",
    }
    /// A direction along an axis of a model's file.
    FileAxis {
        /// Towards larger x.
        PlusX = "x",
        /// Towards smaller x.
        MinusX = "-x",
        /// Towards larger y.
        PlusY = "y",
        /// Towards smaller y.
        MinusY = "-y",
        /// Towards larger z.
        PlusZ = "z",
        /// Towards smaller z.
        MinusZ = "-z",
    }
}

impl FileAxis {
    /// The unit vector, in the axes of the file.
    #[must_use]
    pub fn vector(self) -> Vec3 {
        match self {
            Self::PlusX => Vec3::X,
            Self::MinusX => Vec3::NEG_X,
            Self::PlusY => Vec3::Y,
            Self::MinusY => Vec3::NEG_Y,
            Self::PlusZ => Vec3::Z,
            Self::MinusZ => Vec3::NEG_Z,
        }
    }
}

/// The words for the behaviour of a clip beyond its ends.
pub const WRAP_WORDS: &[(&str, Wrap)] =
    &[("loop", Wrap::Loop), ("clamp", Wrap::Clamp), ("ping-pong", Wrap::PingPong)];
/// The same words alone.
pub(crate) const WRAP_NAMES: &[&str] = &["loop", "clamp", "ping-pong"];

/// The word for the behaviour of a clip beyond its ends.
#[must_use]
pub(crate) const fn wrap_word(wrap: Wrap) -> &'static str {
    match wrap {
        Wrap::Loop => "loop",
        Wrap::Clamp => "clamp",
        Wrap::PingPong => "ping-pong",
    }
}

/// Words for usual directions of an orthographic camera: azimuth and elevation in degrees.
/// `dimetric` is the 2:1 view of sprites: at an elevation of 30°, the arc sine of 1/2, a horizontal
/// line at 45° moves two pixels across for one up.
pub const VIEWS: &[(&str, [f64; 2])] = &[
    ("dimetric", [45.0, 30.0]),
    ("isometric", [45.0, ISOMETRIC_DEG]),
    ("front", [0.0, 0.0]),
    ("back", [180.0, 0.0]),
    ("side", [90.0, 0.0]),
    ("top", [0.0, 90.0]),
];
/// The same words alone.
pub const VIEW_NAMES: &[&str] = &["dimetric", "isometric", "front", "back", "side", "top"];
/// The elevation at which three axes appear equally long: the arc tangent of the square root of
/// 1/2.
const ISOMETRIC_DEG: f64 = 35.264_389_682_754_654;

/// Words for the projection of a camera, and true if it has no perspective.
pub(crate) const PROJECTION_WORDS: &[(&str, bool)] =
    &[("perspective", false), ("orthographic", true)];
/// The same words alone.
pub const PROJECTION_NAMES: &[&str] = &["perspective", "orthographic"];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_of_words_agree() {
        fn names<T>(words: &[(&'static str, T)]) -> Vec<&'static str> {
            words.iter().map(|(word, _)| *word).collect()
        }
        assert_eq!(names(WRAP_WORDS), WRAP_NAMES);
        assert_eq!(names(VIEWS), VIEW_NAMES);
        assert_eq!(names(PROJECTION_WORDS), PROJECTION_NAMES);
        assert!(WRAP_WORDS.iter().all(|(word, wrap)| wrap_word(*wrap) == *word));
    }
}
