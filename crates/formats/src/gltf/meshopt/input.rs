//! Bytes of a stream, read from front to back.

/// The rest of a stream.
pub(super) struct Input<'b> {
    rest: &'b [u8],
}

impl<'b> Input<'b> {
    pub(super) fn new(bytes: &'b [u8]) -> Self {
        Self { rest: bytes }
    }

    /// Number of bytes that are left.
    pub(super) fn len(&self) -> usize {
        self.rest.len()
    }

    /// The next bytes.
    pub(super) fn take(&mut self, count: usize) -> Result<&'b [u8], String> {
        let Some((taken, rest)) = self.rest.split_at_checked(count) else {
            return Err("the stream ends early".to_owned());
        };
        self.rest = rest;
        Ok(taken)
    }

    /// The next byte.
    pub(super) fn byte(&mut self) -> Result<u8, String> {
        self.take(1).map(|one| one.first().copied().unwrap_or_default())
    }

    /// A number in groups of 7 bits, low ones first; bits above 32 are lost.
    pub(super) fn number(&mut self) -> Result<u32, String> {
        let mut number = 0_u32;
        for shift in [0, 7, 14, 21, 28] {
            let group = self.byte()?;
            number |= u32::from(group & 0x7f) << shift;
            if group < 0x80 {
                break;
            }
        }
        Ok(number)
    }
}

/// Decodes a signed difference with its sign in the lowest bit, in wrapping arithmetic.
pub(super) fn unzigzag(value: u32) -> u32 {
    (value >> 1) ^ (value & 1).wrapping_neg()
}
