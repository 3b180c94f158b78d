//! Identifiers of templates and objects.

use core::fmt;

/// A GUID in its written order: byte 0 is the first pair of digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Guid(pub [u8; 16]);

impl fmt::Display for Guid {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "<")?;
        for (index, byte) in self.0.iter().enumerate() {
            let dash = if matches!(index, 4 | 6 | 8 | 10) { "-" } else { "" };
            write!(out, "{dash}{byte:02x}")?;
        }
        write!(out, ">")
    }
}

/// Parses a GUID of 32 hexadecimal digits, with any bytes between them.
pub(super) fn parse_guid(text: &[u8]) -> Option<Guid> {
    let mut guid = [0_u8; 16];
    let mut digits = text.iter().filter_map(|&byte| char::from(byte).to_digit(16));
    for byte in &mut guid {
        let (high, low) = (digits.next()?, digits.next()?);
        *byte = u8::try_from(high << 4 | low).ok()?;
    }
    digits.next().is_none().then_some(Guid(guid))
}
