//! Progress of a job: its items, frames or models, and which of them are done, from a quick check of their files.
//!
//! A frame, or the picture of a model, is identified by its provenance. The number of frames of a turntable, and whether a file has no
//! mesh, are known only from the journals of attempts.

use super::error::SubmitError;
use super::job::{Job, Maker, Models};
use crate::disk::{path_of_text, text_of_path};
use crate::frame::PIXEL_REVISION;
use crate::job::journal::Model as Recorded;
use crate::job::resume::{ResumeCheck, provenance};
use crate::output::{CheckLevel, FrameStatus, read_provenance};
use crate::scene::FrameNumber;
use crate::scene::{Aov, FrameList, FramePattern};
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Status of an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ItemStatus {
    /// Complete and up to date.
    Done,
    /// A file without a mesh.
    NoMesh,
    /// Not drawn, torn or stale.
    Missing,
}

/// All items of a job, in order.
#[derive(Debug)]
pub enum Items {
    /// Frames of a scene.
    Frames {
        /// Their numbers, rising.
        numbers: Vec<i64>,
        /// File names.
        pattern: FramePattern,
        /// Views beside each picture.
        views: Vec<Aov>,
        /// Width and height in pixels.
        size: [u32; 2],
        /// Digest of everything that the pixels depend on.
        digest: String,
    },
    /// Pictures of models.
    Models {
        /// Their names, sorted.
        names: Vec<String>,
        /// Folder of the pictures.
        folder: PathBuf,
        /// Names of a model's files.
        file: File,
    },
}

/// File names of a model's pictures.
#[derive(Debug)]
pub enum File {
    /// Name of the model with `.png` appended.
    Picture,
    /// File names of frames, in a folder with the name of the model.
    Frames(String),
}

impl Items {
    /// All items of a job.
    ///
    /// # Errors
    /// [`SubmitError`] if the list of models cannot be read.
    pub fn of(job: &Job) -> Result<Self, SubmitError> {
        match job {
            Job::Frames(frames) => Ok(Self::Frames {
                numbers: frames.all()?.iter().map(i64::from).collect(),
                pattern: frames.pattern()?,
                views: frames.views()?,
                size: frames.size,
                digest: frames.digest.clone(),
            }),
            Job::Models(models) => Self::of_models(models),
        }
    }

    fn of_models(models: &Models) -> Result<Self, SubmitError> {
        let names = models.models()?.into_iter().map(|found| found.name).collect();
        let file = match models.command {
            Maker::Thumbnail => File::Picture,
            Maker::Turntable => File::Frames(models.split_output().1.to_owned()),
        };
        Ok(Self::Models { names, folder: models.folder(), file })
    }

    /// Number of items.
    pub fn count(&self) -> usize {
        match self {
            Self::Frames { numbers, .. } => numbers.len(),
            Self::Models { names, .. } => names.len(),
        }
    }

    /// The word for one item.
    pub fn noun(&self) -> &'static str {
        match self {
            Self::Frames { .. } => "frame",
            Self::Models { .. } => "model",
        }
    }

    /// Index of a frame.
    pub fn of_frame(&self, number: i64) -> Option<usize> {
        match self {
            Self::Frames { numbers, .. } => numbers.binary_search(&number).ok(),
            Self::Models { .. } => None,
        }
    }

    /// Index of a model.
    pub fn of_model(&self, name: &str) -> Option<usize> {
        match self {
            Self::Frames { .. } => None,
            Self::Models { names, .. } => names.binary_search_by(|own| own.as_str().cmp(name)).ok(),
        }
    }

    /// Label of the item at an index.
    pub fn label(&self, index: usize) -> String {
        match self {
            Self::Frames { numbers, .. } => {
                numbers.get(index).map_or_else(String::new, i64::to_string)
            }
            Self::Models { names, .. } => names.get(index).cloned().unwrap_or_default(),
        }
    }

    /// Labels of several items; of many names only the first few.
    pub fn list(&self, indices: &[usize]) -> Option<String> {
        const TOLD: usize = 10;
        match self {
            Self::Frames { numbers, .. } => {
                let numbers = indices.iter().filter_map(|&index| numbers.get(index).copied());
                FrameList::from_rising(numbers).map(|list| list.to_string())
            }
            Self::Models { .. } if indices.is_empty() => None,
            Self::Models { .. } => {
                let listed: Vec<String> =
                    indices.iter().take(TOLD).map(|&index| self.label(index)).collect();
                let more = match indices.len() - listed.len() {
                    0 => String::new(),
                    count => format!(" and {count} more"),
                };
                Some(listed.join(", ") + &more)
            }
        }
    }

    /// The picture of the item at an index.
    pub fn picture(&self, index: usize) -> Option<PathBuf> {
        match self {
            Self::Frames { numbers, pattern, .. } => {
                Some(path_of_text(&pattern.path(*numbers.get(index)?)))
            }
            Self::Models { names, folder, file } => file.of(folder, names.get(index)?, 0),
        }
    }

    /// Status of each item; `records` has the last result of each model.
    pub fn check(
        &self,
        records: &BTreeMap<String, Recorded>,
        build: Option<&str>,
    ) -> Vec<ItemStatus> {
        match self {
            Self::Frames { numbers, pattern, views, size, digest } => {
                let present = ResumeCheck { pattern, views, size: *size, digest, build };
                let look = |&number: &i64| match present.check_at(number, CheckLevel::Ends).0 {
                    FrameStatus::Current { .. } => ItemStatus::Done,
                    _ => ItemStatus::Missing,
                };
                numbers.par_iter().map(look).collect()
            }
            Self::Models { names, folder, file } => {
                names.par_iter().map(|name| file.check(folder, name, records.get(name))).collect()
            }
        }
    }
}

impl File {
    fn of(&self, folder: &Path, name: &str, frame: i64) -> Option<PathBuf> {
        match self {
            Self::Picture => Some(folder.join(format!("{name}.png"))),
            Self::Frames(file) => {
                let pattern = format!("{}/{file}", text_of_path(&folder.join(name)));
                Some(path_of_text(&FramePattern::parse(&pattern).ok()?.path(frame)))
            }
        }
    }

    fn check(&self, folder: &Path, name: &str, record: Option<&Recorded>) -> ItemStatus {
        if record.is_some_and(|record| record.status == "no-mesh") {
            return ItemStatus::NoMesh;
        }
        let digest = record.and_then(|record| record.digest.as_deref());
        let frames = match (self, record.and_then(|record| record.frames.as_deref())) {
            (Self::Picture, _) => FrameList::single(FrameNumber(0)),
            (Self::Frames(_), Some(frames)) => match FrameList::parse(frames) {
                Ok(frames) => frames,
                Err(_) => return ItemStatus::Missing,
            },
            (Self::Frames(_), None) => return ItemStatus::Missing,
        };
        let is_there = |frame: i64| {
            let found = self.of(folder, name, frame).and_then(|path| read_provenance(&path));
            found.is_some_and(|found| {
                found.frame == frame
                    && found.pixel_revision == PIXEL_REVISION
                    && found.software == provenance(frame, "", None).software
                    && digest.is_none_or(|digest| found.digest == digest)
            })
        };
        match frames.iter().map(i64::from).all(is_there) {
            true => ItemStatus::Done,
            false => ItemStatus::Missing,
        }
    }
}
