//! Character classes: the role of each byte value in a text, as a table completed by each format.

/// The part that a byte plays in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ByteClass {
    /// Part of a word.
    Word,
    /// Part of a word, and a possible first byte of a number.
    Number,
    /// Space, tab, vertical tab or form feed.
    Blank,
    /// LF or CR.
    LineEnd,
    /// `"`, around a text.
    Quote,
    /// `/`, which may begin a comment.
    Slash,
    /// `#`, if it begins a comment.
    Hash,
    /// A token of one byte, such as `{`.
    Symbol,
    /// `;` or `,`, where they separate values.
    Separator,
    /// `<`, if it begins a GUID.
    Angle,
    /// `[` or `]`, if they are part of a word outside of templates.
    Bracket,
    /// NUL or Ctrl-Z, which end a text.
    FileEnd,
}

/// The class of each byte value.
pub(crate) struct ByteClasses([ByteClass; 256]);

impl ByteClasses {
    /// The classes common to all text formats: blanks, line ends, the quote, the slash and the end
    /// of a file; every other byte is part of a word.
    pub(crate) const TEXT: Self = Self([ByteClass::Word; 256])
        .with(b" \t\x0b\x0c", ByteClass::Blank)
        .with(b"\n\r", ByteClass::LineEnd)
        .with(b"\"", ByteClass::Quote)
        .with(b"/", ByteClass::Slash)
        .with(&[0x00, 0x1a], ByteClass::FileEnd);

    /// These classes, with `class` for all of `bytes`.
    pub(crate) const fn with(mut self, bytes: &[u8], class: ByteClass) -> Self {
        let mut index = 0;
        while index < bytes.len() {
            self.0[bytes[index] as usize] = class;
            index += 1;
        }
        self
    }

    /// These classes, but words consist only of letters, digits, `_`, `.` and bytes beyond ASCII;
    /// the others are symbols.
    pub(crate) const fn with_plain_words(mut self) -> Self {
        let mut byte = 0_usize;
        while byte < 0x80 {
            #[expect(clippy::cast_possible_truncation, reason = "below 128")]
            let is_plain = (byte as u8).is_ascii_alphanumeric()
                || byte == b'_' as usize
                || byte == b'.' as usize;
            if matches!(self.0[byte], ByteClass::Word) && !is_plain {
                self.0[byte] = ByteClass::Symbol;
            }
            byte += 1;
        }
        self
    }

    /// The class of a byte.
    #[inline]
    pub(crate) fn of(&self, byte: u8) -> ByteClass {
        self.0[usize::from(byte)]
    }
}
