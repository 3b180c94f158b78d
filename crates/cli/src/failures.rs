//! Failures of a test that are looked at one by one: their words, and the act that accepts or takes it back.

use super::goldens::failure;
use std::cell::Cell;
use std::path::{Path, PathBuf};
use tintype_base::disk::{if_there, read_regular};
use tintype_base::path::{ShowPath, slashed};
use tintype_base::printable::one_line;
use tintype_golden::test_report::{TestRun, cause_key};
use tintype_golden::{Basis, BlessOptions, Checked, GoldenScene, Verdict, is_part};
use tintype_host::write_atomic;
use tintype_scene::FrameNumber;

/// A golden of a run that fails.
pub(super) struct Failed<'a> {
    pub scene: &'a GoldenScene,
    pub golden: &'a Checked,
    pub frame: FrameNumber,
    /// The file that bless would write.
    pub file: PathBuf,
}

/// The files that an acceptance replaced.
pub(super) type Before = Vec<Replaced>;

/// A file that was replaced.
pub(super) struct Replaced {
    path: PathBuf,
    /// Its bytes before; none where there was no file.
    before: Option<Vec<u8>>,
    /// The bytes that were written.
    written: Vec<u8>,
}

/// The goldens of scenes that fail, in the order of the scenes.
pub(super) fn failed<'a>(run: TestRun<'a>) -> Vec<Failed<'a>> {
    let mut all = Vec::new();
    for tested in run.tested {
        for golden in tested.result.iter().flat_map(|own| &own.goldens) {
            if let (false, Some(frame)) = (golden.verdict.passes(), golden.frame) {
                let (scene, frame) = (tested.scene, FrameNumber(frame));
                all.push(Failed { scene, golden, frame, file: scene.file(frame) });
            }
        }
    }
    all
}

impl Failed<'_> {
    /// Whether a report gives the golden this name.
    pub(super) fn has_name(&self, name: &str) -> bool {
        name == slashed(&self.golden.path) || name == slashed(&self.file)
    }

    /// Whether it fails for the same cause as another golden.
    pub(super) fn is_like(&self, other: &Self) -> bool {
        cause_key(self.golden) == cause_key(other.golden)
    }

    /// Accepts the picture that was compared as `tintype bless` of this golden does, and reads it back.
    ///
    /// # Errors
    /// The reason why it is not accepted, such as that a file of the scene or the golden changed since. No file has changed then, but where it was written and its test fails.
    pub(super) fn accept(&self) -> Result<Before, String> {
        if let Verdict::Elsewhere { .. } = self.golden.verdict {
            return Err(self.golden.verdict.to_string());
        }
        let told = |error| failure(&error).message;
        let options = BlessOptions { dry_run: true, ..BlessOptions::default() };
        let now = Cell::new(None);
        let is_as_shown = |one: &Checked| {
            now.set(one.basis);
            one.basis == self.golden.basis
        };
        let blessed =
            self.scene.bless(|own| own == self.file, is_as_shown, options).map_err(told)?;
        if let (Some(now), Some(shown), false) =
            (now.get(), self.golden.basis, blessed.left.is_empty())
        {
            return Err(changed_since(now, shown));
        }
        if let Some(refused) = blessed.refused.first() {
            return Err(refused.refusal.to_string());
        }
        let mut before = Before::new();
        for (path, bytes) in &blessed.planned {
            // Parts of records stay: one that is accepted later may name them too.
            if !is_part(path) {
                before.push(Replaced {
                    path: path.clone(),
                    before: read(path)?,
                    written: bytes.clone(),
                });
            }
            if let Err(error) = write_atomic(path, bytes) {
                return Err(with_undo(&before, error.to_string()));
            }
        }
        let checked = self.scene.check(|frame| frame == self.frame).map_err(told)?;
        match checked.goldens.iter().find(|one| !one.verdict.passes()) {
            Some(one) => Err(format!("accepted, but its test fails: {}", one.verdict)),
            None => Ok(before),
        }
    }
}

/// The reason not to accept what is no more what was compared.
pub(super) fn changed_since(now: Basis, shown: Basis) -> String {
    let what = if now.inputs == shown.inputs { "the golden" } else { "a file of the scene" };
    format!("{what} changed since the picture was shown: run the test again and look at it")
}

/// The reason of a failure, after what was written is taken back.
fn with_undo(before: &Before, reason: String) -> String {
    match undo(before) {
        Ok(()) => reason,
        Err(second) => format!("{reason}; {second}"),
    }
}

/// The bytes of a file that may be missing.
fn read(path: &Path) -> Result<Option<Vec<u8>>, String> {
    if_there(read_regular(path)).map_err(|error| format!("{}: {error}", path.shown()))
}

/// Brings the files back that an acceptance replaced.
///
/// # Errors
/// A sentence that names the file that cannot be written, or that changed since.
pub(super) fn undo(before: &Before) -> Result<(), String> {
    for Replaced { path, written, .. } in before {
        if read(path)?.is_some_and(|now| now != *written) {
            return Err(format!("{}: changed since it was accepted, and stays", path.shown()));
        }
    }
    for Replaced { path, before, .. } in before {
        let done = match before {
            Some(bytes) => write_atomic(path, bytes).map_err(|error| error.to_string()),
            None => std::fs::remove_file(path).map_err(|error| error.to_string()),
        };
        done.map_err(|error| format!("{}: {error}", path.shown()))?;
    }
    Ok(())
}

/// Message of a failure: the cause first, if it is known.
pub(super) fn message(one: &Checked) -> String {
    let path = one.path.shown();
    let mut text = match &one.cause {
        Some(cause) => format!("{path}: {}\n  {}", one_line(&cause.to_string()), one.verdict),
        None => format!("{path}: {}", one.verdict),
    };
    for line in one.cause.iter().flat_map(|cause| &cause.evidence).chain(&one.notes) {
        text += &format!("\n  {}", one_line(line));
    }
    text
}
