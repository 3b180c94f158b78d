//! Digest of the running program, if its version does not identify the pixels that it draws.

use super::invocation;
use std::sync::OnceLock;

/// Whether the sources differ from their commit, as the build script found.
const IS_UNCOMMITTED: bool = matches!(env!("TINTYPE_UNCOMMITTED").as_bytes(), b"1");

/// Digest of the running program if it was built from sources that are not committed; none where the version identifies the pixels.
pub(super) fn build_digest() -> Option<&'static str> {
    static DIGEST: OnceLock<Option<String>> = OnceLock::new();
    let digest = || {
        let bytes = std::fs::read(invocation::current().code.as_ref()?).ok()?;
        Some(blake3::hash(&bytes).to_hex().to_string())
    };
    DIGEST.get_or_init(|| if IS_UNCOMMITTED { digest() } else { None }).as_deref()
}
