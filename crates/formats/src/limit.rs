//! Limits of input files, and the names that a user raises them by.

use core::fmt::{self, Debug, Display};
use core::str::FromStr;
use std::borrow::Cow;
use thiserror::Error;

/// The quantity that [`LimitName::Keys`] limits.
pub(crate) const KEYS_OF_ALL_CLIPS: &str = "keys of all clips";

/// Limits of a file, so that none takes more memory or time than its size justifies. Counts
/// declared by a file never determine an allocation alone: [`Limits::reserved`] limits them to the
/// number that fits the following bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Maximum size of a file in bytes.
    pub max_bytes: usize,
    /// Maximum number of meshes in a file: an empty mesh takes a hundred times the bytes of its six
    /// letters.
    pub max_meshes: usize,
    /// Maximum number of influences of all vertices of a file. None to derive it from the file's
    /// size.
    pub influences: Option<usize>,
    /// Maximum number of keys of all tracks of a clip. None to derive it from the file's size.
    pub keys: Option<usize>,
    /// Maximum decompressed size of a file, in bytes. None to derive it from the file's size.
    pub inflated: Option<usize>,
    /// A file of any size may expand to this many records (influences of a mesh's vertices, keys of
    /// a clip).
    pub expanded_floor: usize,
    /// Minimum expansion that any file is allowed: instances of its meshes may have this many
    /// influences, corners and targets, because a few bytes place another copy of a mesh.
    pub instanced: usize,
    /// Maximum number of triangle corners of all mesh instances in a file; a caller with little
    /// memory lowers it, so that they are refused before they are made.
    pub max_instanced_corners: usize,
    /// Above the floor, each expanded influence needs this many bytes of file.
    pub bytes_per_influence: usize,
    /// Above the floor, each expanded key needs this many bytes of file.
    pub bytes_per_key: usize,
    /// Maximum decompressed size of a `.x` file.
    pub max_inflated_bytes: usize,
    /// A compressed file of any size may inflate to this many bytes.
    pub inflated_floor: usize,
    /// Above the floor, each byte of a compressed file may inflate to this many.
    pub inflated_per_byte: usize,
    /// Maximum number of numbers and texts in a `.x` file; a number takes about 17 bytes of memory,
    /// a text 41 and its letters.
    pub max_values: usize,
    /// Maximum number of objects, references and members of templates of a `.x` file together; each
    /// takes about 200 bytes of memory.
    pub max_objects: usize,
    /// Maximum nesting depth of objects of a `.x` file.
    pub max_depth: usize,
    /// Maximum number of pixels of a picture. None to derive it from the file's size.
    pub pixels: Option<u64>,
    /// Number of pixels allowed for a picture file of any size.
    pub pixels_floor: u64,
    /// Number of pixels allowed per byte of a picture file above the floor: half of the maximum of
    /// the densest codes of uniform colour.
    pub pixels_per_byte: u64,
    /// Beyond this number of pixels, a picture needs one byte of its file per
    /// [`Self::pixels_per_byte_above`].
    pub pixels_above: u64,
    /// Pixels for each byte of the file of a very large picture.
    pub pixels_per_byte_above: u64,
    /// Maximum width and height of a picture in pixels.
    pub max_image_side_px: u32,
    /// Maximum size of a decoded picture in bytes, in its native layout and as RGBA.
    pub max_image_bytes: u64,
    /// Maximum memory of all decoded textures of a scene or a model, in bytes.
    pub max_texture_bytes: u64,
}

/// Bytes of a decoded pixel in the widest layout.
const MAX_PIXEL_BYTES: u64 = 16;

impl Default for Limits {
    fn default() -> Self {
        Self {
            max_bytes: 512 << 20,
            max_meshes: 1 << 16,
            influences: None,
            keys: None,
            inflated: None,
            expanded_floor: 1 << 16,
            instanced: 1 << 25,
            max_instanced_corners: usize::MAX,
            bytes_per_influence: 8,
            bytes_per_key: 2,
            max_inflated_bytes: 1 << 30,
            inflated_floor: 16 << 20,
            inflated_per_byte: 256,
            max_values: 1 << 26,
            max_objects: 1 << 20,
            max_depth: 100_000,
            pixels: None,
            pixels_floor: 1 << 24,
            pixels_per_byte: 512,
            pixels_above: 1 << 26,
            pixels_per_byte_above: 32,
            max_image_side_px: 16_384,
            max_image_bytes: 1 << 30,
            max_texture_bytes: 4 << 30,
        }
    }
}

impl Limits {
    /// Sets a limit to one number, whatever the size of a file.
    pub fn set(&mut self, name: LimitName, value: usize) {
        match name {
            LimitName::Bytes => self.max_bytes = value,
            LimitName::Meshes => self.max_meshes = value,
            LimitName::Influences => self.influences = Some(value),
            LimitName::Keys => self.keys = Some(value),
            LimitName::Inflated => self.inflated = Some(value),
            LimitName::Values => self.max_values = value,
            LimitName::Objects => self.max_objects = value,
            LimitName::Depth => self.max_depth = value,
            LimitName::Pixels => {
                let pixels = u64::try_from(value).unwrap_or(u64::MAX);
                self.pixels = Some(pixels);
                self.max_image_bytes =
                    self.max_image_bytes.max(pixels.saturating_mul(MAX_PIXEL_BYTES));
            }
            LimitName::Textures => {
                self.max_texture_bytes = u64::try_from(value).unwrap_or(u64::MAX);
            }
        }
    }

    /// The maximum number of influences of all vertices of a file of `bytes` bytes together, with
    /// those used repeatedly counted each time.
    #[must_use]
    pub fn max_influences(&self, bytes: usize) -> usize {
        let by_size = self.expanded_floor.max(bytes / self.bytes_per_influence.max(1));
        self.influences.unwrap_or(by_size)
    }

    /// The maximum number of influences, corners and targets of instances of meshes together.
    #[must_use]
    pub fn max_instanced(&self) -> usize {
        self.influences.unwrap_or(self.instanced)
    }

    /// The maximum number of keys of a clip of `bytes` bytes.
    #[must_use]
    pub fn max_keys(&self, bytes: usize) -> usize {
        let by_size = self.expanded_floor.max(bytes / self.bytes_per_key.max(1));
        self.keys.unwrap_or(by_size)
    }

    /// The maximum decompressed size of a file of `bytes` bytes.
    #[must_use]
    pub fn max_inflated(&self, bytes: usize) -> usize {
        let by_ratio = bytes.saturating_mul(self.inflated_per_byte);
        let by_size = self.inflated_floor.max(by_ratio).min(self.max_inflated_bytes);
        self.inflated.unwrap_or(by_size)
    }

    /// The maximum number of pixels of a picture file of `bytes` bytes. A few bytes can declare any
    /// size, and fill it with one colour, so a picture is limited to the memory that its file
    /// justifies.
    #[must_use]
    pub fn max_pixels(&self, bytes: usize) -> u64 {
        let bytes = u64::try_from(bytes).unwrap_or(u64::MAX);
        let dense = bytes.saturating_mul(self.pixels_per_byte).min(self.pixels_above);
        let large = bytes.saturating_mul(self.pixels_per_byte_above);
        self.pixels.unwrap_or(self.pixels_floor.max(dense).max(large))
    }

    /// An empty list with capacity for `declared` records, or for as many as fit in `bytes_left`
    /// bytes of `bytes_each` each.
    #[must_use]
    pub fn reserved<T>(declared: usize, bytes_left: usize, bytes_each: usize) -> Vec<T> {
        Vec::with_capacity(declared.min(bytes_left / bytes_each.max(1)))
    }
}

/// A limit that a user may set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LimitName {
    /// Bytes of a file.
    Bytes,
    /// Meshes of a file.
    Meshes,
    /// Influences of all vertices of a file.
    Influences,
    /// Keys of all tracks of a clip.
    Keys,
    /// Bytes of a compressed file after inflation.
    Inflated,
    /// Numbers and texts of a `.x` file.
    Values,
    /// Objects, references and members of templates of a `.x` file.
    Objects,
    /// Nesting of objects in a `.x` file.
    Depth,
    /// Pixels of a picture.
    Pixels,
    /// Bytes of all decoded textures.
    Textures,
}

impl LimitName {
    /// All limits, with the names that users write.
    pub const ALL: [(&'static str, Self); 10] = [
        ("bytes", Self::Bytes),
        ("meshes", Self::Meshes),
        ("influences", Self::Influences),
        ("keys", Self::Keys),
        ("inflated", Self::Inflated),
        ("values", Self::Values),
        ("objects", Self::Objects),
        ("depth", Self::Depth),
        ("pixels", Self::Pixels),
        ("textures", Self::Textures),
    ];
}

impl fmt::Display for LimitName {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = Self::ALL.iter().find(|(_, name)| name == self).map_or("", |(word, _)| word);
        out.write_str(word)
    }
}

/// A limit and the number that it is set to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LimitSetting {
    /// The limit.
    pub name: LimitName,
    /// The number.
    pub value: usize,
}

/// Error of the text of a limit setting.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error(
    "{found:?} is not a limit; expected NAME=NUMBER with one of {}, and a number such as 5000000, 64K, 20M or 2G",
    LimitName::ALL.map(|(word, _)| word).join(", ")
)]
pub struct LimitError {
    /// The text.
    pub found: String,
}

/// `NAME=NUMBER`, with `K`, `M` and `G` for 1024, 1024² and 1024³.
impl FromStr for LimitSetting {
    type Err = LimitError;

    fn from_str(text: &str) -> Result<Self, LimitError> {
        let setting = || {
            let (word, number) = text.split_once('=')?;
            let (_, name) = LimitName::ALL.into_iter().find(|(known, _)| *known == word.trim())?;
            let number = number.trim();
            let unit =
                number.chars().next_back().and_then(|last| "KMG".find(last.to_ascii_uppercase()));
            let (digits, shift) = match unit {
                Some(place) => (number.get(..number.len() - 1)?, 10 * (place + 1)),
                None => (number, 0),
            };
            let value = digits.parse::<usize>().ok()?.checked_mul(1_usize << shift)?;
            Some(Self { name, value })
        };
        setting().ok_or_else(|| LimitError { found: text.to_owned() })
    }
}

/// A count beyond a limit of [`Limits`], at a position of a file.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error(
    "{at}: {what}: found {found}; the limit is {limit}{}",
    if option.is_some() { "" } else { "; it cannot be raised" }
)]
pub struct LimitExceeded<P: Debug + Display> {
    /// Position of the value that exceeds the limit.
    pub at: P,
    /// The counted quantity.
    pub what: Cow<'static, str>,
    /// The count, up to where the limit is exceeded.
    pub found: usize,
    /// The largest accepted count.
    pub limit: usize,
    /// The name of the limit, if a user may raise it.
    pub option: Option<LimitName>,
}

impl<P: Debug + Display> LimitExceeded<P> {
    /// More than a limit, which a user may raise if it has a name.
    pub(crate) fn new(
        at: P,
        what: impl Into<Cow<'static, str>>,
        found: usize,
        (limit, option): (usize, Option<LimitName>),
    ) -> Self {
        Self { at, what: what.into(), found, limit, option }
    }

    /// Refuses a count above a limit.
    pub(crate) fn check(
        at: P,
        what: &'static str,
        found: usize,
        limit: (usize, Option<LimitName>),
    ) -> Result<(), Self> {
        if found > limit.0 { Err(Self::new(at, what, found, limit)) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reserved_is_held_to_the_bytes_that_are_left() {
        assert_eq!(Limits::reserved::<u32>(4_000_000_000, 120, 12).capacity(), 10);
        assert!(Limits::reserved::<u32>(5, 120, 12).capacity() >= 5);
    }

    #[test]
    fn setting_of_a_limit_has_a_name_and_a_number_with_a_unit() {
        for (text, expected) in [
            ("depth=300000", (LimitName::Depth, 300_000)),
            ("inflated=2G", (LimitName::Inflated, 2 << 30)),
            ("bytes = 64k", (LimitName::Bytes, 64 << 10)),
        ] {
            let setting: LimitSetting = text.parse().unwrap();
            assert_eq!((setting.name, setting.value), expected, "{text}");
        }
        for text in ["depth", "deep=1", "depth=", "depth=K", "depth=-1", "bytes=99999999999G"] {
            let error = text.parse::<LimitSetting>().unwrap_err().to_string();
            assert!(error.contains("bytes, meshes, influences"), "{error}");
        }
    }

    #[test]
    fn limits_are_those_of_the_documentation() {
        let limits = Limits::default();
        let page =
            std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/options.md"))
                .unwrap();
        for (name, value) in [
            ("bytes", limits.max_bytes >> 20),
            ("meshes", limits.max_meshes),
            ("influences", limits.expanded_floor),
            ("keys", limits.expanded_floor),
            ("inflated", limits.inflated_floor >> 20),
            ("values", limits.max_values >> 20),
            ("objects", limits.max_objects >> 20),
            ("depth", limits.max_depth),
            ("pixels", usize::try_from(limits.pixels_floor >> 20).unwrap()),
            ("textures", usize::try_from(limits.max_texture_bytes >> 30).unwrap()),
        ] {
            let start = format!("| `{name}` |");
            let line = page.lines().find(|line| line.starts_with(&start)).unwrap();
            let usual = line.rsplit('|').nth(1).unwrap();
            let number: String = usual.trim().chars().take_while(char::is_ascii_digit).collect();
            assert_eq!(number.parse(), Ok(value), "{line}");
        }
        assert_eq!(LimitName::ALL.len(), 10);
        assert_eq!(limits.max_inflated_bytes, 1 << 30);
        let per_byte = (limits.bytes_per_influence, limits.bytes_per_key, limits.inflated_per_byte);
        assert_eq!(per_byte, (8, 2, 256));
    }

    #[test]
    fn pixels_of_a_picture_are_explained_by_its_file() {
        let limits = Limits::default();
        let side = |bytes| limits.max_pixels(bytes).isqrt();
        assert_eq!((side(0), side(1000), side(32 << 10)), (4096, 4096, 4096));
        // A one-colour PNG of 8192 x 8192 pixels has 196 KB, one of 16,384 x 16,384 pixels 783 KB.
        assert_eq!((side(195_759), side(782_805), side(2 << 20)), (8192, 8192, 8192));
        assert_eq!((side(8 << 20), limits.max_pixels(usize::MAX)), (16_384, u64::MAX));
    }

    #[test]
    fn set_limit_holds_whatever_the_size_of_the_file() {
        let mut limits = Limits::default();
        for (_, name) in LimitName::ALL {
            limits.set(name, 7);
        }
        assert_eq!((limits.max_influences(1 << 30), limits.max_keys(1 << 30)), (7, 7));
        assert_eq!((limits.max_inflated(1 << 30), limits.max_depth, limits.max_values), (7, 7, 7));
        assert_eq!((limits.max_pixels(1 << 30), limits.max_image_bytes), (7, 1 << 30));
        limits.set(LimitName::Pixels, 1 << 30);
        assert_eq!(limits.max_image_bytes, 16 << 30);
    }
}
