//! Lexical rules that differ between text formats.

use super::class::{ByteClass, ByteClasses};

/// The lexical rules that differ between the formats.
pub(crate) struct Dialect {
    /// The class of each byte.
    pub(crate) classes: ByteClasses,
    /// True if `/` is part of a word, as in a path; otherwise it is a symbol.
    pub(crate) words_hold_slashes: bool,
    /// Symbols of more than one byte; each begins with a [`ByteClass::Symbol`].
    pub(crate) operators: &'static [&'static str],
}

impl Dialect {
    /// True for a blank, a line end, a symbol and the end of the text: these end a word in every
    /// dialect.
    #[inline]
    pub(super) fn ends_word(&self, byte: Option<&u8>) -> bool {
        byte.is_none_or(|&byte| {
            let class = self.classes.of(byte);
            matches!(class, ByteClass::Blank | ByteClass::LineEnd | ByteClass::Symbol)
        })
    }
}
