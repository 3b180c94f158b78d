//! File formats: bytes in, [`crate::model`] out.
//!
//! Every format has three rooms: the lexer knows tokens and their places, the file room mirrors the file without judgement,
//! and the build room checks and converts to our axes. Nothing here opens a file: `asset` does, and puts the path before the
//! messages of this module.

pub mod image;
pub mod md5;
pub mod x;
mod foreign;
mod number;
mod place;
mod quote;

use crate::model::Warning;

/// What a file may ask for. Counts that a file declares never size an allocation by themselves: [`Limits::reserved`] holds
/// them to what the bytes behind them can fill.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The longest file, in bytes.
    pub max_bytes: usize,
    /// The most meshes of one file: an empty mesh takes a hundred times the bytes of its six letters.
    pub max_meshes: usize,
    /// A file of any size may expand to this many records (influences of a mesh's vertices, keys of a clip).
    pub expanded_floor: usize,
    /// Above the floor, each expanded influence needs this many bytes of file.
    pub bytes_per_influence: usize,
    /// Above the floor, each expanded key needs this many bytes of file.
    pub bytes_per_key: usize,
    /// The most bytes that a compressed `.x` file may inflate to.
    pub max_inflated_bytes: usize,
    /// A compressed file of any size may inflate to this many bytes.
    pub inflated_floor: usize,
    /// Above the floor, each byte of a compressed file may inflate to this many.
    pub inflated_per_byte: usize,
    /// The most numbers and texts of all objects of a `.x` file together; a number takes about 17 bytes of memory, a text 41 and
    /// its letters.
    pub max_values: usize,
    /// The most objects, references and members of templates of a `.x` file together; each takes some 200 bytes of memory.
    pub max_objects: usize,
    /// How deep objects of a `.x` file may stand in each other.
    pub max_depth: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            max_bytes: 512 << 20,
            max_meshes: 1 << 16,
            expanded_floor: 1 << 16,
            bytes_per_influence: 8,
            bytes_per_key: 2,
            max_inflated_bytes: 1 << 30,
            inflated_floor: 16 << 20,
            inflated_per_byte: 256,
            max_values: 1 << 26,
            max_objects: 1 << 20,
            max_depth: 100_000,
        }
    }
}

impl Limits {
    /// The most influences that all vertices of a file of `bytes` bytes may have together, shared ones counted each time.
    #[must_use]
    pub fn max_influences(&self, bytes: usize) -> usize {
        self.expanded_floor.max(bytes / self.bytes_per_influence.max(1))
    }

    /// The most keys that all tracks of a clip of `bytes` bytes may have together.
    #[must_use]
    pub fn max_keys(&self, bytes: usize) -> usize {
        self.expanded_floor.max(bytes / self.bytes_per_key.max(1))
    }

    /// The most bytes that a compressed file of `bytes` bytes may inflate to.
    #[must_use]
    pub fn max_inflated(&self, bytes: usize) -> usize {
        let by_ratio = bytes.saturating_mul(self.inflated_per_byte);
        self.inflated_floor.max(by_ratio).min(self.max_inflated_bytes)
    }

    /// An empty list with room for `declared` records, or for as many as `bytes_left` bytes can hold if each takes
    /// `bytes_each` of them.
    #[must_use]
    pub fn reserved<T>(declared: usize, bytes_left: usize, bytes_each: usize) -> Vec<T> {
        Vec::with_capacity(declared.min(bytes_left / bytes_each.max(1)))
    }
}

/// A value read from a file, and what its author should know about it.
#[derive(Clone, Debug, PartialEq)]
pub struct Loaded<T> {
    /// What the file holds.
    pub value: T,
    /// In file order where they have a line.
    pub warnings: Vec<Warning>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reserved_is_held_to_the_bytes_that_are_left() {
        assert_eq!(Limits::reserved::<u32>(4_000_000_000, 120, 12).capacity(), 10);
        assert!(Limits::reserved::<u32>(5, 120, 12).capacity() >= 5);
    }
}
