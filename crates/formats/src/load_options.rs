//! Options of every parser and loader: limits of a file and the deadline of the work.

use super::files::Files;
use super::limit::{LimitName, Limits};
use std::path::PathBuf;
use tintype_base::deadline::Deadline;

/// Limits of input files, and the deadline for reading, decoding and building.
///
/// The default uses the default [`Limits`] and no deadline.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct LoadOptions {
    /// Maximum sizes and counts of a file.
    pub limits: Limits,
    /// The deadline of the work; by default there is none.
    pub deadline: Deadline,
    /// The scene of files with several; by default the one named by the file.
    pub file_scene: Option<FileScene>,
    /// Ticks per second of files that count in ticks, in place of the rate in the file.
    pub ticks_per_second: Option<f64>,
    /// True to keep separate normals for vertices at one position, so that a model without normals
    /// has hard edges where its file splits vertices. By default they share one normal where their
    /// faces meet under 90 degrees.
    pub keeps_splits: bool,
    /// Palette file for skins; by default that of the model's game.
    pub palette: Option<PathBuf>,
    /// Source of the files; the disk by default.
    pub files: Files,
}

/// Selects a scene of a glTF file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FileScene {
    /// The first of that name.
    Name(String),
    /// Index of the scene in the file, from 0.
    Index(usize),
}

impl LoadOptions {
    /// Replaces all limits.
    #[must_use]
    pub fn with_limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Sets one limit to a number, whatever the size of a file.
    #[must_use]
    pub fn with_limit(mut self, name: LimitName, value: usize) -> Self {
        self.limits.set(name, value);
        self
    }

    /// Sets the scene of files that have several.
    #[must_use]
    pub fn with_file_scene(mut self, scene: Option<FileScene>) -> Self {
        self.file_scene = scene;
        self
    }

    /// Sets the ticks per second of files that count in ticks.
    #[must_use]
    pub fn with_ticks_per_second(mut self, ticks_per_second: Option<f64>) -> Self {
        self.ticks_per_second = ticks_per_second;
        self
    }

    /// Sets whether vertices at one position keep separate normals.
    #[must_use]
    pub fn with_splits(mut self, keeps_splits: bool) -> Self {
        self.keeps_splits = keeps_splits;
        self
    }

    /// Sets the file of the colours of skins.
    #[must_use]
    pub fn with_palette(mut self, palette: Option<PathBuf>) -> Self {
        self.palette = palette;
        self
    }

    /// Sets the source of files.
    #[must_use]
    pub fn with_files(mut self, files: impl Into<Files>) -> Self {
        self.files = files.into();
        self
    }

    /// Sets the deadline.
    #[must_use]
    pub fn with_deadline(mut self, deadline: Deadline) -> Self {
        self.deadline = deadline;
        self
    }
}

/// Uses these limits and no deadline.
impl From<Limits> for LoadOptions {
    fn from(limits: Limits) -> Self {
        Self::default().with_limits(limits)
    }
}
