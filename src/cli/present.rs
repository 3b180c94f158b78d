//! Which frames are there already, whole and current, so that only the others are drawn.

use crate::output::{CheckLevel, ExpectedFile, FrameStatus, Provenance};
use crate::scene::{Aov, FramePattern};
use std::path::Path;

/// The provenance of a frame of this very program.
pub(super) fn this_build(number: i64, digest: &str) -> Provenance {
    Provenance { build: build_digest(), ..Provenance::of_this_build(number, digest) }
}

/// The digest of the running program, if it was built from sources that are not committed: only then does its version not say
/// what it draws.
#[cfg(uncommitted)]
pub(super) fn build_digest() -> Option<String> {
    use std::sync::OnceLock;
    static DIGEST: OnceLock<Option<String>> = OnceLock::new();
    let digest = || {
        let bytes = std::fs::read(std::env::current_exe().ok()?).ok()?;
        Some(blake3::hash(&bytes).to_hex().to_string())
    };
    DIGEST.get_or_init(digest).clone()
}

/// None: the version says it all.
#[cfg(not(uncommitted))]
pub(super) fn build_digest() -> Option<String> {
    None
}

/// The files of a frame: its picture, then its views.
pub(super) fn files_of(
    number: i64,
    pattern: &FramePattern,
    views: &[Aov],
) -> impl Iterator<Item = (Option<String>, String)> {
    let beside = |view: &Aov| (Some(view.word()), pattern.beside(&view.file_word()).path(number));
    let picture = (None, pattern.path(number));
    let views: Vec<_> = views.iter().map(beside).collect();
    core::iter::once(picture).chain(views)
}

/// What is wanted under the names of a sequence.
pub(super) struct Present<'a> {
    pub pattern: &'a FramePattern,
    pub views: &'a [Aov],
    pub size: [u32; 2],
    pub digest: &'a str,
}

impl Present<'_> {
    /// How the files of a frame stand: that of the first that is not current, with its path.
    ///
    /// One that cannot be read is as good as broken: what is wrong shows when it is written.
    pub fn look_at(&self, number: i64) -> (FrameStatus, String) {
        self.look_with(number, CheckLevel::Chunks)
    }

    /// As [`Self::look_at`], more or less closely.
    pub fn look_with(&self, number: i64, care: CheckLevel) -> (FrameStatus, String) {
        let provenance = this_build(number, self.digest);
        let mut whole = (FrameStatus::Current { is_empty: false }, String::new());
        for (view, path) in files_of(number, self.pattern, self.views) {
            let wanted =
                ExpectedFile { size: self.size, provenance: &provenance, view: view.as_deref() };
            let standing = wanted
                .check(Path::new(&path), care)
                .unwrap_or_else(|error| FrameStatus::Broken(error.to_string()));
            match (&standing, &view) {
                (FrameStatus::Current { .. }, Some(_)) => {}
                (FrameStatus::Current { .. }, None) => whole = (standing, path),
                _ => return (standing, path),
            }
        }
        whole
    }
}
