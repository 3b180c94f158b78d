//! Failures of a run one by one: accepting one, and undoing it.

use crate::bless::BlessOptions;
use crate::checked::Checked;
use crate::error::GoldenError;
use crate::paths::is_part;
use crate::refusal::Refusal;
use crate::report::Act;
use crate::scene::GoldenScene;
use crate::test_report::cause_id;
use crate::verdict::Verdict;
use std::cell::Cell;
use std::path::{Path, PathBuf};
use tintype_base::diagnostic::chain;
use tintype_base::disk::{if_there, read_regular};
use tintype_base::path::{ShowPath, slashed};
use tintype_host::{OutputError, write_atomic};
use tintype_scene::FrameNumber;

/// A golden of a run that fails.
#[derive(Clone, Copy, Debug)]
pub struct Failure<'a> {
    /// The index of its scene in the run, and its index in the scene's goldens.
    pub at: [usize; 2],
    /// Its scene.
    pub scene: &'a GoldenScene,
    /// The golden.
    pub golden: &'a Checked,
}

/// The files written by an acceptance, and the replaced ones.
#[derive(Debug, Default)]
pub struct Acceptance(Vec<Replaced>);

/// A file that was replaced.
#[derive(Debug)]
struct Replaced {
    path: PathBuf,
    /// Its previous bytes. None if there was no file.
    before: Option<Vec<u8>>,
    /// The bytes that were written.
    written: Vec<u8>,
}

/// The reason why a golden is not accepted. Files are unchanged then, except if its test still
/// fails.
#[derive(Debug, thiserror::Error)]
pub enum AcceptError {
    /// It is not a golden of a frame, or is elsewhere: the comparison in words.
    #[error("{0}")]
    NotOne(String),
    /// A file of the scene or the golden changed since the comparison.
    #[error("{} changed since the picture was shown: run the test again and review it", if *is_golden { "the golden" } else { "a file of the scene" })]
    Changed {
        /// True if it is the golden.
        is_golden: bool,
    },
    /// A picture that cannot be accepted.
    #[error("{0}")]
    Refused(Refusal),
    /// The scene cannot be drawn.
    #[error("{}", chain(&**.0))]
    Scene(Box<GoldenError>),
    /// A file cannot be read or written, or was not restored because it changed since.
    #[error("{0}")]
    File(String),
    /// It was written, and its test still fails: the comparison in words.
    #[error("accepted, but the test still fails: {0}")]
    StillFails(String),
}

impl Failure<'_> {
    /// The frame of its scene. None for a clip of a library as a whole.
    #[must_use]
    pub fn frame(&self) -> Option<FrameNumber> {
        self.golden.frame.map(FrameNumber)
    }

    /// The file that an acceptance writes.
    #[must_use]
    pub fn file(&self) -> PathBuf {
        self.frame().map_or_else(|| self.golden.path.clone(), |frame| self.scene.file(frame))
    }

    /// True if the golden has this name in a report.
    #[must_use]
    pub fn has_name(&self, name: &str) -> bool {
        name == slashed(&self.golden.path) || name == slashed(&self.file())
    }

    /// True if it fails for the same cause as another golden.
    #[must_use]
    pub fn is_like(&self, other: &Self) -> bool {
        cause_id(self.golden) == cause_id(other.golden)
    }

    /// True if its current picture can become the golden.
    #[must_use]
    pub fn can_be_accepted(&self) -> bool {
        self.golden.act() == Some(Act::Bless)
    }

    /// Accepts the compared picture in the same way as [`GoldenScene::bless`] of this golden, and
    /// reads it back.
    ///
    /// # Errors
    /// [`AcceptError`], for example if a file of the scene or the golden changed since.
    pub fn accept(&self) -> Result<Acceptance, AcceptError> {
        let frame =
            self.frame().filter(|_| !matches!(self.golden.verdict, Verdict::Elsewhere { .. }));
        let Some(frame) = frame else {
            return Err(AcceptError::NotOne(self.golden.verdict.to_string()));
        };
        let file = self.file();
        let options = BlessOptions { dry_run: true, ..BlessOptions::default() };
        let now = Cell::new(None);
        let is_as_shown = |one: &Checked| {
            now.set(one.basis);
            one.basis == self.golden.basis
        };
        let blessed = self.scene.bless(|own| own == file, is_as_shown, options);
        let blessed = blessed.map_err(unseen)?;
        if let (Some(now), Some(shown), false) =
            (now.get(), self.golden.basis, blessed.left.is_empty())
        {
            return Err(AcceptError::Changed { is_golden: now.inputs == shown.inputs });
        }
        if let Some(refused) = blessed.refused.into_iter().next() {
            return Err(AcceptError::Refused(refused.refusal));
        }
        let mut done = Acceptance::default();
        for (path, bytes) in blessed.planned {
            if let Err(error) = done.write(path, bytes) {
                return Err(AcceptError::File(match done.undo() {
                    Ok(()) => error,
                    Err(second) => format!("{error}; {second}"),
                }));
            }
        }
        let checked = self.scene.check(|one| one == frame).map_err(unseen)?;
        match checked.goldens.iter().find(|one| one.is_of_frame() && !one.verdict.passes()) {
            Some(one) => Err(AcceptError::StillFails(one.verdict.to_string())),
            None => Ok(done),
        }
    }
}

fn unseen(error: GoldenError) -> AcceptError {
    AcceptError::Scene(Box::new(error))
}

/// The bytes of a file that may be missing.
fn read(path: &Path) -> Result<Option<Vec<u8>>, String> {
    if_there(read_regular(path)).map_err(|error| format!("{}: {error}", path.shown()))
}

impl Acceptance {
    /// The files that were written.
    pub fn files(&self) -> impl Iterator<Item = &Path> {
        self.0.iter().map(|one| one.path.as_path())
    }

    fn write(&mut self, path: PathBuf, written: Vec<u8>) -> Result<(), String> {
        let before = read(&path)?;
        let result = write_atomic(&path, &written).map_err(|error: OutputError| error.to_string());
        // Parts of records stay when an acceptance is undone: a later one may also name them.
        if !is_part(&path) {
            self.0.push(Replaced { path, before, written });
        }
        result
    }

    /// Brings the files back that were replaced.
    ///
    /// # Errors
    /// A sentence that names the file that cannot be written, or that changed since.
    pub fn undo(&self) -> Result<(), String> {
        for Replaced { path, written, .. } in &self.0 {
            if read(path)?.is_some_and(|now| now != *written) {
                return Err(format!(
                    "{}: kept, because it changed since it was accepted",
                    path.shown()
                ));
            }
        }
        for Replaced { path, before, .. } in &self.0 {
            let done = match before {
                Some(bytes) => write_atomic(path, bytes).map_err(|error| error.to_string()),
                None => std::fs::remove_file(path).map_err(|error| error.to_string()),
            };
            done.map_err(|error| format!("{}: {error}", path.shown()))?;
        }
        Ok(())
    }
}
