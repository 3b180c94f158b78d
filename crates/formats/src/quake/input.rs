//! A file being read: numbers by their byte positions, and its warnings.

use crate::records::{range, whole};
use crate::{FilePlace, ModelFormatError};
use core::fmt::Display;
use tintype_base::amount::counted_as;
use tintype_model::{FileRepair, Warning};

/// Most frames of a file: engines read 1024.
pub(super) const MAX_FRAMES: usize = 1 << 16;

/// A file being read, with its warnings.
pub(super) struct Input<'b> {
    pub(super) bytes: &'b [u8],
    pub(super) warnings: Vec<Warning>,
    /// The first byte and the count of invalid numbers.
    bad_numbers: Option<(usize, usize)>,
}

impl<'b> Input<'b> {
    pub(super) fn new(bytes: &'b [u8]) -> Self {
        Self { bytes, warnings: Vec::new(), bad_numbers: None }
    }

    /// A word of the file as a count, an offset or a size.
    pub(super) fn word(&self, what: &str, byte: usize) -> Result<usize, ModelFormatError> {
        let at = FilePlace::Byte(byte);
        let word = range(self.bytes, what, [byte, 1, 4], at).map(|four| whole(four, 0))?;
        usize::try_from(word.cast_signed()).map_err(|_| {
            ModelFormatError::value(at, what, word.cast_signed(), "a number of at least 0")
        })
    }

    /// A number of frames, checked before lists of that size are allocated.
    pub(super) fn frame_count(&self, byte: usize) -> Result<usize, ModelFormatError> {
        let count = self.word("the number of frames", byte)?;
        let at = FilePlace::Byte(byte);
        if (1..=MAX_FRAMES).contains(&count) {
            return Ok(count);
        }
        let expected = format!("1 to {MAX_FRAMES}");
        Err(ModelFormatError::value(at, "the number of frames", count, expected))
    }

    /// Numbers from a byte of the file on. Those that are not finite, or too large, become 0 and
    /// are reported together.
    pub(super) fn reals<const N: usize>(&mut self, byte: usize) -> [f32; N] {
        const LARGEST: f32 = 1.0e18;
        let record = self.bytes.get(byte..).unwrap_or_default();
        std::array::from_fn(|place| {
            let number = f32::from_bits(whole(record, place));
            let is_sound = number.abs() <= LARGEST;
            if !is_sound {
                self.bad_numbers.get_or_insert((byte + 4 * place, 0)).1 += 1;
            }
            if is_sound { number } else { 0.0 }
        })
    }

    pub(super) fn tell(&mut self, fault: FileRepair, byte: usize, message: impl Display) {
        self.warnings.push(fault.told(format!("byte {byte}: {message}")));
    }

    /// All warnings, including that about bytes after the end of the model.
    pub(super) fn finish(&mut self, end: usize) {
        if let Some((byte, count)) = self.bad_numbers {
            let numbers = counted_as(count, "number is", "numbers are");
            let message = format!("{numbers} not finite or too large; 0 is used");
            self.tell(FileRepair::NotFinite, byte, message);
        }
        let more = self.bytes.len().saturating_sub(end);
        if more > 0 {
            let bytes = counted_as(more, "byte", "bytes");
            let message = format!("{bytes} after the end of the model are ignored");
            self.tell(FileRepair::Leftover, end, message);
        }
    }

    /// Triangles whose corners are vertices of the surface; others are skipped and reported.
    pub(super) fn known_corners<C: Copy>(
        &mut self,
        triangles: impl Iterator<Item = [(usize, C); 3]>,
        vertices: usize,
        byte: usize,
    ) -> Vec<[(u32, C); 3]> {
        let (mut kept, mut lost) = (Vec::new(), 0_usize);
        for triangle in triangles {
            let is_known = triangle.iter().all(|(vertex, _)| *vertex < vertices);
            lost += usize::from(!is_known);
            let own = |(vertex, corner)| (u32::try_from(vertex).unwrap_or(u32::MAX), corner);
            kept.extend(is_known.then(|| triangle.map(own)));
        }
        if lost > 0 {
            let triangles = counted_as(lost, "triangle has", "triangles have");
            let message = format!("{triangles} a corner outside the {vertices} vertices; skipped");
            self.tell(FileRepair::BadReference, byte, message);
        }
        kept
    }
}
