//! Jobs that write files: Ctrl-C ends them between two frames, and every file that is there is complete.

use crate::diagnostic::{raised_with, warn};
use pyo3::prelude::*;
use rayon::ThreadPoolBuilder;
use std::path::PathBuf;
use tintype_host::job::{Event, JobContext, JobErrorKind, JobReport, SequenceJob};

/// Counts of frames that were drawn into files.
#[pyclass(frozen, get_all, module = "tintype")]
pub(crate) struct Report {
    /// Frames of the job.
    frames: Vec<i64>,
    /// Frames that were drawn and written.
    written: usize,
    /// Frames that were up to date.
    present: usize,
    /// Frames in which no pixel is covered.
    empty: Vec<i64>,
    /// Files of the frames, then those that hold all of them.
    files: Vec<PathBuf>,
    /// Digest of everything that the pixels depend on.
    digest: String,
}

#[pymethods]
impl Report {
    fn __repr__(&self) -> String {
        format!("<tintype.Report {} written, {} up to date>", self.written, self.present)
    }
}

/// Runs a job on `threads` threads, 0 for one for each core.
pub(crate) fn run(py: Python<'_>, job: SequenceJob<'_>, threads: usize) -> PyResult<Report> {
    let pool = ThreadPoolBuilder::new().num_threads(threads).build();
    let pool = pool.map_err(|error| {
        raised_with(py, &format!("cannot start {threads} threads: {error}"), &[], true)
    })?;
    let pattern = job.outputs.pattern().cloned();
    let prepared = job.prepare().map_err(|error| raised_with(py, &error.message(), &[], false))?;
    warn(py, prepared.warnings())?;
    let context = JobContext::new(&pool);
    let mut interrupted = None;
    let result = py.detach(|| {
        let mut observe = |_: &Event<'_>| {
            if interrupted.is_none()
                && let Err(error) = Python::attach(|py| py.check_signals())
            {
                context.stop.request();
                interrupted = Some(error);
            }
        };
        prepared.run(&context, &mut observe).and_then(JobReport::into_result)
    });
    if let Some(error) = interrupted {
        return Err(error);
    }
    let report = result.map_err(|error| {
        raised_with(py, &error.message(), &[], error.kind() == JobErrorKind::Temporary)
    })?;
    let numbers =
        |frames: &[tintype::FrameNumber]| frames.iter().map(|frame| frame.0).collect::<Vec<i64>>();
    let frames = numbers(&report.frames);
    let paths = pattern.iter().flat_map(|pattern| frames.iter().map(|&frame| pattern.path(frame)));
    Ok(Report {
        files: paths
            .map(|path| tintype_model::disk::path_of_text(&path))
            .chain(report.files)
            .collect(),
        written: report.written,
        present: report.present,
        empty: numbers(&report.empty),
        digest: report.digest,
        frames,
    })
}
