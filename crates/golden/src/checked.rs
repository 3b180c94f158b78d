//! Goldens with their verdicts.

use super::newer::newer_record;
use super::paths::{record_of, rename};
use super::verdict::Verdict;
use crate::record::Cause;
use blake3::{Hash, Hasher, hash};
use std::path::{Path, PathBuf};
use tintype_base::diagnostic::Diagnostic;
use tintype_base::disk::read_regular;
use tintype_model::frame::Frame;
use tintype_scene::Fit;

/// The goldens of a scene with their verdicts.
#[derive(Debug)]
pub struct CheckedScene {
    /// The goldens, by frame.
    pub goldens: Vec<Checked>,
    /// Warnings about the files and clips of the scene.
    pub warnings: Vec<Diagnostic>,
}

/// One golden with its verdict.
#[derive(Debug)]
pub struct Checked {
    /// The golden's file; of several accepted pictures the one closest to the current frame.
    pub path: PathBuf,
    /// The frame of its scene. None for a dangling golden, and for entries about a scene as a
    /// whole.
    pub frame: Option<i64>,
    /// The comparison.
    pub verdict: Verdict,
    /// Cause of the difference, if the record beside the golden shows it.
    pub cause: Option<Cause>,
    /// Notes, also about equal pictures.
    pub notes: Vec<String>,
    /// The golden's picture, if it could be decoded and differs.
    pub golden: Option<Frame>,
    /// The current picture, if it was drawn and differs from the golden.
    pub live: Option<Frame>,
    /// The current frame through the golden's camera, if a camera fitted to the models moved.
    pub through_golden_camera: Option<Frame>,
    /// The fit that it was drawn with, if it is kept and differs from the current one.
    pub own_fit: Option<Fit>,
    /// Digests of everything that was compared. None if nothing was drawn.
    pub basis: Option<Basis>,
    /// The revision of the golden, in words, if it is newer than this program.
    pub newer: Option<String>,
}

/// Digests of everything compared: equal ones mean the same picture and golden.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Basis {
    /// The scene and its files.
    pub inputs: Hash,
    /// The files of the golden that would be overwritten when accepted.
    pub golden: Hash,
}

/// The current files of a golden: their digest, and the revision in the record if a newer program
/// wrote it.
pub(super) fn standing(golden: &Path) -> (Hash, Option<String>) {
    let record = read_regular(&record_of(golden));
    let mut hasher = Hasher::new();
    for file in [read_regular(golden).as_ref(), record.as_ref()] {
        match file {
            Ok(bytes) => hasher.update(hash(bytes).as_bytes()),
            Err(error) => hasher.update(error.kind().to_string().as_bytes()),
        };
    }
    let text = record.as_deref().map(String::from_utf8_lossy).unwrap_or_default();
    (hasher.finalize(), newer_record(&text))
}

impl Checked {
    /// True for the golden of a frame, false for entries about a scene as a whole and for a golden
    /// without a frame.
    #[must_use]
    pub fn is_of_frame(&self) -> bool {
        self.frame.is_some()
    }

    /// Renames the golden from the first of two folders to the second.
    pub(super) fn rename(&mut self, folders: &[PathBuf; 2]) {
        rename(&mut self.path, folders);
        if let Verdict::Elsewhere { path, .. } = &mut self.verdict {
            rename(path, folders);
        }
    }

    pub(super) fn dangling(path: PathBuf) -> Self {
        Self::new(path, Verdict::Dangling)
    }

    /// One of no frame.
    pub(super) fn new(path: PathBuf, verdict: Verdict) -> Self {
        Self {
            path,
            frame: None,
            verdict,
            cause: None,
            notes: Vec::new(),
            golden: None,
            live: None,
            through_golden_camera: None,
            own_fit: None,
            basis: None,
            newer: None,
        }
    }
}
