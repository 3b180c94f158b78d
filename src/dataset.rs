//! Data sets: pictures with labels, made from a recipe.

use super::{Error, ErrorKind, LoadOptions};
use std::path::Path;
use tintype_base::disk::read_regular_text;
use tintype_base::path::ShowPath;
use tintype_host::job::{Dataset as Job, DatasetError};
use tintype_scene::{Shard, parse_recipe};

pub use tintype_host::job::DatasetReport;

/// Pictures of models in seeded poses, cameras and lights, with joints, boxes, masks and cameras in
/// the formats of COCO and nerfstudio.
///
/// ```
/// let set = tintype::Dataset::open("examples/dataset.toml")?;
/// // One of twelve machines; whichever ends last completes the set.
/// let report = set.shard(0, 12)?.save("out/set")?;
/// assert_eq!(report.drawn + report.present, 2);
/// # Ok::<(), tintype::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Dataset(Job);

impl Dataset {
    /// Opens a recipe. Its paths are relative to its folder.
    ///
    /// # Errors
    /// [`ErrorKind::Scene`] with all mistakes of the recipe, [`ErrorKind::File`] if it cannot be
    /// read.
    pub fn open(recipe: impl AsRef<Path>) -> Result<Self, Error> {
        let path = recipe.as_ref();
        let text = read_regular_text(path).map_err(|error| Error::of_io(path, &error))?;
        let recipe =
            parse_recipe(&text, &path.shown()).map_err(|errors| Error::of_scene(&errors))?;
        Ok(Self(Job {
            recipe,
            base: path.parent().unwrap_or(Path::new("")).to_owned(),
            folder: Path::new("").to_owned(),
            shard: None,
            overwrite: false,
            refuses_stand_ins: false,
            load_options: LoadOptions::default(),
            build: None,
        }))
    }

    /// Draws only one shard: number `index`, from 0, of `of`.
    ///
    /// # Errors
    /// [`ErrorKind::Name`] if there is no such shard.
    pub fn shard(mut self, index: u64, of: u64) -> Result<Self, Error> {
        let shard = Shard::new(index, of).ok_or_else(|| {
            let message = format!("no part {index} of {of}; parts are numbered from 0");
            Error::new(ErrorKind::Name, message)
        })?;
        self.0.shard = Some(shard);
        Ok(self)
    }

    /// Redraws samples that are up to date.
    #[must_use]
    pub fn overwrite(mut self, overwrite: bool) -> Self {
        self.0.overwrite = overwrite;
        self
    }

    /// Draws the samples that are not up to date into a folder. The files of the whole set are
    /// written once all samples are there.
    ///
    /// # Errors
    /// [`ErrorKind::File`] if a file cannot be read, [`ErrorKind::Name`] if no model has a clip,
    /// [`ErrorKind::Draw`] if a sample cannot be drawn or shows nothing, [`ErrorKind::Write`] if a
    /// file cannot be written.
    pub fn save(mut self, folder: impl AsRef<Path>) -> Result<DatasetReport, Error> {
        folder.as_ref().clone_into(&mut self.0.folder);
        self.0.run(&|_| {}).map_err(|error| {
            let kind = match &error {
                DatasetError::Scene(errors) => return Error::of_scene(errors),
                DatasetError::Model(error) => return Error::of_turntable(error),
                DatasetError::Asset(error) => return Error::of_asset(error),
                DatasetError::Output(error) => return Error::of_output(error),
                DatasetError::NoClip { .. } | DatasetError::UnknownClip { .. } => ErrorKind::Name,
                DatasetError::StandIn { .. }
                | DatasetError::Models(_)
                | DatasetError::Mixed { .. } => ErrorKind::File,
                DatasetError::Incomplete { .. } => ErrorKind::Write,
                DatasetError::Empty { .. } | DatasetError::Sample { .. } => ErrorKind::Draw,
            };
            Error::of(kind, &error).temporary(error.is_temporary())
        })
    }
}
