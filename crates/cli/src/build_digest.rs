//! Digest of the running program, if its version does not identify the pixels that it draws.

use super::invocation;
use std::path::Path;
use std::sync::OnceLock;
use std::time::SystemTime;

/// True if the sources differ from their commit, as detected by the build script.
const IS_UNCOMMITTED: bool = matches!(env!("TINTYPE_UNCOMMITTED").as_bytes(), b"1");

/// Digest of the running program if it was built from uncommitted sources. None if the version
/// identifies the pixels.
pub(super) fn build_digest() -> Option<&'static str> {
    static DIGEST: OnceLock<Option<String>> = OnceLock::new();
    let digest = || invocation::current().code.as_deref().map(digest_of);
    DIGEST.get_or_init(|| if IS_UNCOMMITTED { digest() } else { None }).as_deref()
}

/// Digest of a program. A program that cannot be read, because it was replaced while running,
/// matches no other, so its pictures are never taken as up to date.
fn digest_of(code: &Path) -> String {
    let digest = match std::fs::read(code) {
        Ok(bytes) => blake3::hash(&bytes),
        Err(_) => {
            let run = format!("{} {:?}", std::process::id(), SystemTime::now());
            blake3::hash(run.as_bytes())
        }
    };
    digest.to_hex().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_that_cannot_be_read_are_like_no_other() {
        let folder = tempfile::tempdir().unwrap();
        let [one, other] = ["one", "other"].map(|name| folder.path().join(name));
        std::fs::write(&one, "code").unwrap();
        std::fs::write(&other, "code").unwrap();
        assert_eq!(digest_of(&one), digest_of(&other));
        std::fs::remove_file(&other).unwrap();
        assert_ne!(digest_of(&one), digest_of(&other));
        assert_eq!(digest_of(&other).len(), digest_of(&one).len());
    }
}
