//! Runs a job: models in parallel, retries of writes, single samples.

use super::pools::{Pool, Pools};
use super::target::Target;
use crate::job::{InWork, Retry, StopToken};
use crate::workers;
use crate::{Operation, OutputError, PendingFile};
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::fs::OpenOptions;
use std::io::Write;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use thiserror::Error;
use tintype_base::diagnostic::chain;
use tintype_base::disk::if_there;
use tintype_framing::ClipFolders;
use tintype_framing::ModelFile;
use tintype_framing::thumbnail::{
    InputCheck, ModelDeadline, Skip, SkipReason, Thumbnail, ThumbnailOptions, draw_model, spin_file,
};
use tintype_render::asset::Inputs;

/// Error that ends a job.
#[derive(Debug, Error)]
pub enum ThumbnailError {
    /// The threads could not be started.
    #[error("cannot start {count} threads: {source}")]
    Threads {
        /// Number of thread pools.
        count: usize,
        /// Cause.
        source: rayon::ThreadPoolBuildError,
    },
    /// A picture could not be written.
    #[error(transparent)]
    Output(#[from] OutputError),
}

/// One model of a job that has ended.
#[derive(Debug)]
pub struct Finished<'a> {
    /// Index of the model in the job.
    pub index: usize,
    /// The model.
    pub model: &'a ModelFile,
    /// Its picture, or the reason why it has none.
    pub result: Result<Thumbnail, Skip>,
    /// Seconds by the clock of the caller.
    pub seconds: f64,
}

/// A job: models, options and files.
#[derive(Clone, Debug)]
pub struct ThumbnailJob<'a> {
    /// The models.
    pub models: &'a [ModelFile],
    /// Options of all pictures.
    pub options: Arc<ThumbnailOptions>,
    /// Files of the pictures.
    pub target: &'a Target,
    /// Retries of a write that fails temporarily.
    pub retry: Retry,
    /// True if a picture that cannot be written only skips its model, as an invalid name always
    /// does.
    pub keep_going: bool,
    /// True to write into existing files, because a file manager may hold them open.
    pub writes_in_place: bool,
    /// Lists the models in work.
    pub in_work: InWork,
}

impl ThumbnailJob<'_> {
    /// Draws and writes the pictures, as many models at a time as there are threads.
    ///
    /// `clock` returns seconds. `observe` gets each model when it is finished, and breaks to start
    /// no more.
    ///
    /// # Errors
    /// [`ThumbnailError`] if threads cannot be started, or if a picture cannot be written, not
    /// because of its name, and the job does not continue after errors; models being drawn are
    /// finished.
    pub fn run(
        &self,
        threads: usize,
        stop: &StopToken,
        clock: &(dyn Fn() -> f64 + Sync),
        mut observe: impl FnMut(Finished) -> ControlFlow<()>,
    ) -> Result<(), ThumbnailError> {
        let models = self.models;
        let in_flight = threads.min(models.len());
        let pools = Pools::new(in_flight, threads / in_flight.max(1))
            .map_err(|source| ThumbnailError::Threads { count: in_flight, source })?;
        let (pools, clip_folders) = (Arc::new(pools), Arc::new(ClipFolders::default()));
        let job = |index: usize| {
            let started = clock();
            let result = self.draw_and_write(&models[index], &pools, &clip_folders, stop);
            (result, clock() - started)
        };
        let mut failure = None;
        workers::run(models.len(), in_flight, job, |index, (result, seconds)| {
            let result = match result {
                Ok(result) => result,
                // The next picture would also fail.
                Err(error) if !self.keep_going && !error.is_of_name() => {
                    failure.get_or_insert(error);
                    return ControlFlow::Break(());
                }
                Err(error) => {
                    let is_temporary = error.is_temporary();
                    let reason =
                        if is_temporary { SkipReason::Temporary } else { SkipReason::Output };
                    Err(Skip::new(reason, chain(&error)))
                }
            };
            let flow = observe(Finished { index, model: &models[index], result, seconds });
            if stop.is_requested() { ControlFlow::Break(()) } else { flow }
        });
        failure.map_or(Ok(()), |error| Err(error.into()))
    }

    /// Draws the picture of one model unless it is up to date, and writes it.
    fn draw_and_write(
        &self,
        model: &ModelFile,
        pools: &Arc<Pools>,
        clip_folders: &Arc<ClipFolders>,
        stop: &StopToken,
    ) -> Result<Result<Thumbnail, Skip>, OutputError> {
        let (file, _) = self.target.file(model);
        let present = file.as_deref().filter(|_| !self.options.overwrite);
        let result =
            draw_in_time(pools, model, present, &self.options, clip_folders, &self.in_work);
        if let (Ok(Thumbnail { png: Some(png), .. }), Some(path)) = (&result, &file) {
            self.retry.run(stop, OutputError::is_temporary, || {
                if self.writes_in_place {
                    write_in_place(path, png)
                } else {
                    write_picture(path, png)
                }
            })?;
        }
        if let (Ok(Thumbnail { spin: Some(spin), .. }), Some(path)) = (&result, &file) {
            let write = || write_picture(&spin_file(path), spin);
            self.retry.run(stop, OutputError::is_temporary, write)?;
        }
        Ok(result)
    }
}

/// Draws single models outside of a job.
pub struct Sampler {
    options: ThumbnailOptions,
    clip_folders: ClipFolders,
}

impl Sampler {
    /// A sampler with the options of a job.
    #[must_use]
    pub fn new(options: ThumbnailOptions) -> Self {
        Self { options, clip_folders: ClipFolders::default() }
    }

    /// Draws a model; the picture is returned and not written.
    ///
    /// # Errors
    /// [`Skip`] if the model has no picture.
    pub fn draw(&self, model: &ModelFile) -> Result<Thumbnail, Skip> {
        let model_deadline = self.options.limits.model_deadline();
        draw_guarded(model, None, &self.options, &self.clip_folders, &model_deadline)
    }

    /// The current files of each model by its name; empty for a model that cannot be read.
    #[must_use]
    pub fn inputs(&self, models: &[ModelFile]) -> BTreeMap<String, Inputs> {
        let found = Arc::new(Mutex::new(BTreeMap::new()));
        let kept = Arc::clone(&found);
        let keep = move |name: &str, inputs: &Inputs| {
            let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
            kept.insert(name.to_owned(), inputs.clone());
            Err::<(), String>("nothing is drawn".to_owned())
        };
        let input_check = Some(InputCheck(Arc::new(keep)));
        let sampler = Self {
            options: ThumbnailOptions { input_check, ..self.options.clone() },
            clip_folders: ClipFolders::default(),
        };
        models.par_iter().for_each(|model| drop(sampler.draw(model)));
        std::mem::take(&mut *found.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// The models whose picture is missing or outdated. Files without a mesh that were not named
    /// explicitly are left out.
    #[must_use]
    pub fn without_picture(mut self, target: &Target, models: Vec<ModelFile>) -> Vec<ModelFile> {
        self.options.verify = true;
        let Self { options, clip_folders } = &self;
        let is_missing = |model: &ModelFile| {
            let (file, _) = target.file(model);
            let model_deadline = options.limits.model_deadline();
            draw_guarded(model, file.as_deref(), options, clip_folders, &model_deadline)
                .is_err_and(|skip| !skip.is_no_model(model))
        };
        models.into_par_iter().filter(is_missing).collect()
    }
}

/// Draws a model on a free pool, and waits at most until its deadline.
///
/// The deadline starts when there is a pool. Work that does not check it is abandoned: its pool is
/// free again when it ends.
fn draw_in_time(
    pools: &Arc<Pools>,
    model: &ModelFile,
    present: Option<&Path>,
    options: &Arc<ThumbnailOptions>,
    clip_folders: &Arc<ClipFolders>,
    in_work: &InWork,
) -> Result<Thumbnail, Skip> {
    let pool = Pool::wait_for(pools);
    let model_deadline = options.limits.model_deadline();
    let (model, present) = (model.clone(), present.map(Path::to_path_buf));
    let (options, clip_folders) = (Arc::clone(options), Arc::clone(clip_folders));
    let (deadline, in_work) = (model_deadline.clone(), in_work.clone());
    let result = pool.work(model_deadline.wait(), move || {
        let _in_work = in_work.enter(&model.name);
        draw_guarded(&model, present.as_deref(), &options, &clip_folders, &deadline)
    });
    result.unwrap_or_else(|| Err(model_deadline.missed()))
}

/// Draws a model. A panic skips this model only.
fn draw_guarded(
    model: &ModelFile,
    present: Option<&Path>,
    options: &ThumbnailOptions,
    clip_folders: &ClipFolders,
    model_deadline: &ModelDeadline,
) -> Result<Thumbnail, Skip> {
    let draw = || draw_model(model, present, options, clip_folders, model_deadline);
    catch_unwind(AssertUnwindSafe(draw)).unwrap_or_else(|_| {
        let message = "internal error, reported above; please report it and attach the file";
        Err(Skip::new(SkipReason::FileRepair, message))
    })
}

/// Writes a picture in one step without a sync: every run checks all pictures, and draws a torn one
/// again.
fn write_picture(path: &Path, png: &[u8]) -> Result<(), OutputError> {
    let mut pending = PendingFile::create(path)?;
    pending.write_all(png).map_err(|error| pending.failed(Operation::Write, error))?;
    pending.commit_unsynced()
}

/// Writes a picture into the existing file: a file manager may have created it, and reads that
/// file, even after another gets its name.
fn write_in_place(path: &Path, png: &[u8]) -> Result<(), OutputError> {
    let failed = |operation, source| OutputError { path: path.to_owned(), operation, source };
    let file = if_there(OpenOptions::new().write(true).truncate(true).open(path));
    let Some(mut file) = file.map_err(|error| failed(Operation::Create, error))? else {
        return write_picture(path, png);
    };
    let written = file.write_all(png).and_then(|()| file.flush());
    if written.is_err() {
        // Do not leave half a picture; an error here has no effect.
        let _ = file.set_len(0);
    }
    written.map_err(|error| failed(Operation::Write, error))
}
