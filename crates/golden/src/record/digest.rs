//! Digests in a record: short, in hexadecimal.

/// Half a BLAKE3 digest in hexadecimal: 64 bits distinguish any two states of one item.
pub(crate) fn short_digest(bytes: &[u8]) -> String {
    let mut digest = blake3::hash(bytes).to_hex().to_string();
    digest.truncate(16);
    digest
}
