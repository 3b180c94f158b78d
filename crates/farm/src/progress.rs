//! Progress of a job: its items, frames or models, and the finished ones, from a quick check of
//! their files.
//!
//! A frame, or the picture of a model, is identified by its provenance. Only the journals of
//! attempts reveal the number of frames of a turntable, and files without a mesh.

use super::error::SubmitError;
use super::job::{Job, JobKind, Models};
use std::path::{Path, PathBuf};
use tintype_base::path::{ShowPath, path_of_text};
use tintype_host::job::journal::Model;
use tintype_host::job::resume::{Beside, ResumeCheck, files_of, provenance};
use tintype_host::{CheckLevel, FrameStatus, read_provenance};
use tintype_model::frame::PIXEL_REVISION;
use tintype_scene::FrameNumber;
use tintype_scene::{Aov, Channel, ChannelFormat, FrameList, FramePattern};

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

/// Recorded result of a model: only what a status needs, because a library may have a million.
#[derive(Debug)]
pub struct Recorded {
    /// True if its file has no mesh.
    pub has_no_mesh: bool,
    /// The digest in its picture.
    pub digest: Option<Box<str>>,
    /// Frames of a turntable, in the form of `render -f`.
    pub frames: Option<Box<str>>,
    /// The reason why there is no picture.
    pub message: Option<Box<str>>,
}

impl From<Model> for Recorded {
    fn from(model: Model) -> Self {
        let Model { status, digest, frames, message, .. } = model;
        let [digest, frames, message] =
            [digest, frames, message].map(|text| text.map(String::into_boxed_str));
        Self { has_no_mesh: status == "no-mesh", digest, frames, message }
    }
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
        /// Channels in a file beside each picture.
        channels: Vec<Channel>,
        /// Format of those files.
        channels_as: ChannelFormat,
        /// Width and height in pixels.
        size: [u32; 2],
        /// Digest of all inputs of the pixels.
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
                channels: frames.channels.clone(),
                channels_as: frames.channels_as,
                size: frames.size,
                digest: frames.digest.clone(),
            }),
            Job::Models(models) => Self::of_models(models),
        }
    }

    fn of_models(models: &Models) -> Result<Self, SubmitError> {
        let names = models.models()?.into_iter().map(|found| found.name).collect();
        let file = match models.command {
            JobKind::Thumbnail => File::Picture,
            JobKind::Turntable => File::Frames(models.split_output().1.to_owned()),
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

    /// Labels of several items; only the first few of many names.
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

    /// All files of the item at an index. None if their number is unknown.
    pub fn files(&self, index: usize, result: Option<&Recorded>) -> Option<Vec<PathBuf>> {
        match self {
            Self::Frames { numbers, pattern, views, channels, channels_as, .. } => {
                let beside = Beside { views, channels, channels_as: *channels_as };
                let files = files_of(*numbers.get(index)?, pattern, beside);
                Some(files.map(|(_, path)| path_of_text(&path)).collect())
            }
            Self::Models { names, folder, file } => {
                let frames = file.frames(result)?;
                let name = names.get(index)?;
                frames.iter().map(|frame| file.of(folder, name, i64::from(frame))).collect()
            }
        }
    }

    /// Status of the item at an index, by its files; `result` is the last one of a model.
    pub fn look(&self, index: usize, result: Option<&Recorded>, build: Option<&str>) -> ItemStatus {
        let is_done = match self {
            Self::Frames { numbers, pattern, views, channels, channels_as, size, digest } => {
                let beside = Beside { views, channels, channels_as: *channels_as };
                let present = ResumeCheck { pattern, beside, size: *size, digest, build };
                numbers.get(index).is_some_and(|&number| {
                    let (status, _) = present.check_at(number, CheckLevel::Ends);
                    matches!(status, FrameStatus::Current { .. })
                })
            }
            Self::Models { names, folder, file } => {
                if result.is_some_and(|result| result.has_no_mesh) {
                    return ItemStatus::NoMesh;
                }
                names.get(index).is_some_and(|name| file.is_done(folder, name, result))
            }
        };
        if is_done { ItemStatus::Done } else { ItemStatus::Missing }
    }
}

impl File {
    fn of(&self, folder: &Path, name: &str, frame: i64) -> Option<PathBuf> {
        match self {
            Self::Picture => Some(folder.join(format!("{name}.png"))),
            Self::Frames(file) => {
                let pattern = format!("{}/{file}", folder.join(name).shown());
                Some(path_of_text(&FramePattern::parse(&pattern).ok()?.path(frame)))
            }
        }
    }

    /// Frames of a model. None if they are unknown.
    fn frames(&self, result: Option<&Recorded>) -> Option<FrameList> {
        match self {
            Self::Picture => Some(FrameList::single(FrameNumber(0))),
            Self::Frames(_) => FrameList::parse(result?.frames.as_deref()?).ok(),
        }
    }

    fn is_done(&self, folder: &Path, name: &str, result: Option<&Recorded>) -> bool {
        let digest = result.and_then(|result| result.digest.as_deref());
        let is_there = |frame: i64| {
            let found = self.of(folder, name, frame).and_then(|path| read_provenance(&path));
            found.is_some_and(|found| {
                found.frame == frame
                    && found.pixel_revision == PIXEL_REVISION
                    && found.software == provenance(frame, "", None).software
                    && digest.is_none_or(|digest| found.digest == digest)
            })
        };
        let frames = self.frames(result);
        frames.is_some_and(|frames| frames.iter().map(i64::from).all(is_there))
    }
}
