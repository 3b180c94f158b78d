//! Digest of the running program, if its version does not identify the pixels that it draws.

/// Digest of the running program if it was built from sources that are not committed.
#[cfg(uncommitted)]
pub(super) fn build_digest() -> Option<&'static str> {
    use std::sync::OnceLock;
    static DIGEST: OnceLock<Option<String>> = OnceLock::new();
    let digest = || {
        let bytes = std::fs::read(std::env::current_exe().ok()?).ok()?;
        Some(blake3::hash(&bytes).to_hex().to_string())
    };
    DIGEST.get_or_init(digest).as_deref()
}

/// None: the version identifies the pixels.
#[cfg(not(uncommitted))]
pub(super) fn build_digest() -> Option<&'static str> {
    None
}
